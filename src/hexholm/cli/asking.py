"""The options that several commands share, and how they become the options of a game."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

if TYPE_CHECKING:
    from hexholm.rules.options import Options

DEFAULT_EDITION: Final = "sixth"
DEFAULT_SETUP: Final = "variable"

Edition = Annotated[str, typer.Option(help="zip, sixth, fifth, threed or summary.")]
Setup = Annotated[
    str | None, typer.Option(help="fixed (or beginner), or variable. [default: variable]", show_default=False)
]
Phases = Annotated[str | None, typer.Option(help="Trade and build: separate or combined.", show_default=False)]
Numbers = Annotated[str | None, typer.Option(help="spiral or random.", show_default=False)]
Harbors = Annotated[
    str | None,
    typer.Option(help="harbor_shuffle, frame_shuffle or harbor_and_frame_shuffle.", show_default=False),
]
Map = Annotated[int | None, typer.Option("--map", help="Zip! only: the map, 1 to 50.", show_default=False)]
First = Annotated[
    str | None,
    typer.Option(help="Who begins: a seat from 0, or roll.", show_default=False),
]
TwoPlayers = Annotated[bool, typer.Option("--two-players", help="Unofficial: allow two players.")]
PointsToWin = Annotated[int | None, typer.Option(help="House rule: 3 to 20.", show_default=False)]
HandLimit = Annotated[
    int | None, typer.Option(help="House rule: cards one may keep on a seven, 2 to 20.", show_default=False)
]
FriendlyRobber = Annotated[
    bool, typer.Option("--friendly-robber", help="House rule: spares those with fewer than 3 points in view.")
]
BalancedDice = Annotated[bool, typer.Option("--balanced-dice", help="House rule: drawn from a bag of the 36 pairs.")]


def game_options(**given: Any) -> Options:
    """Options of a game from those of a command; the set-up is the variable one unless it, or a map, is named."""
    from hexholm.rules.options import BadOptions, options

    if given.get("setup") is None and given.get("map") is None:
        given["setup"] = DEFAULT_SETUP
    first = given.get("first")
    if isinstance(first, str) and first.isdecimal():
        given["first"] = int(first)
    try:
        return options(**given)
    except BadOptions as wrong:
        raise BadOptions([(rule, _as_flags(message)) for rule, message in wrong.faults]) from None


def _as_flags(message: str) -> str:
    """A fault as one meets it on the command line: `--two-players`, not `two_players=True`."""
    message = re.sub(r"\b(\w+)='(\w+)'", lambda found: f"--{found[1].replace('_', '-')} {found[2]}", message)
    return re.sub(r"\b(\w+)=True\b", lambda found: f"--{found[1].replace('_', '-')}", message)


def title(chosen: Options) -> list[str]:
    """What is played, in one line, and house rules in one line each."""
    placed = f"map {chosen.map}" if chosen.map else "a map of the pad" if chosen.edition == "zip" else ""
    if not placed and chosen.setup == "variable":
        placed = f"{chosen.harbors.replace('_', ' ')}, {chosen.numbers} numbers"
    parts = [
        chosen.edition_data.title,
        f"{chosen.players} players",
        f"{chosen.setup} set-up" + (f" ({placed})" if placed else ""),
        f"{chosen.phases} trade and build",
    ]
    return [_folded(", ".join(parts)), *chosen.house_rules()]


def _folded(line: str) -> str:
    import textwrap

    return "\n".join(textwrap.wrap(line, 79))
