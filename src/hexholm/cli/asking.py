"""The options that several commands share, and how they become the options of a game and its board."""

from __future__ import annotations

import re
import sys
import textwrap
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from hexholm.rules.errors import BadInput

if TYPE_CHECKING:
    from hexholm.rules.boards import Layout
    from hexholm.rules.options import Options

DEFAULT_EDITION: Final = "sixth"
DEFAULT_SETUP: Final = "variable"
WIDTH: Final = 79
MORE: Final = "  more may show when that is mended"

Edition = Annotated[str, typer.Option(help="zip, sixth, fifth, threed or summary.")]
Setup = Annotated[
    str | None, typer.Option(help="fixed (or beginner), or variable. [default: variable]", show_default=False)
]
Phases = Annotated[
    str | None,
    typer.Option(help="Trade and build: separate or combined (fifth, threed, summary).", show_default=False),
]
Numbers = Annotated[
    str | None, typer.Option(help="Variable set-up: spiral, or random (fifth, threed).", show_default=False)
]
Harbors = Annotated[
    str | None,
    typer.Option(
        help="Variable set-up: harbor_shuffle (fifth, threed, summary), frame_shuffle (sixth, fifth) or"
        " harbor_and_frame_shuffle (threed).",
        show_default=False,
    ),
]
Map = Annotated[int | None, typer.Option("--map", help="Zip! only: the map, 1 to 50.", show_default=False)]
File = Annotated[
    str | None,
    typer.Option(
        help="A board of your own (docs/formats/board.md); - is standard input. Its start pieces make it a fixed"
        " set-up.",
        show_default=False,
    ),
]
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


class BadCall(BadInput):
    """Options of a command that cannot be read, or that do not go together."""


class BadBoardFile(BadInput):
    """A board of one's own with faults: `lines` tells them one by one."""

    def __init__(self, lines: list[str]) -> None:
        super().__init__("; ".join(line.strip() for line in lines))
        self.lines = lines


# --- options of a game ------------------------------------------------------------------------------------------------


def asked(file: str | None, **given: Any) -> tuple[Options, Layout | None]:
    """Options and, if a file names one, the board: a fixed set-up if it has start pieces and nothing else is said."""
    if file is None:
        return game_options(**given), None
    only_the_file(given)
    own = own_board(file)
    if given.get("setup") is None:
        given["setup"] = "fixed" if own.start else "variable"
    chosen = game_options(**given)
    if chosen.setup == "fixed":
        placed = {piece.color for piece in own.start}
        free = [color for color in chosen.edition_data.playing_colors("fixed", chosen.players) if color in placed]
        if len(free) < chosen.players:
            some = f"start pieces for {many(len(free), 'player')} of edition {chosen.edition}, not for {chosen.players}"
            raise BadCall(
                f"{spoken(file)} has {some if own.start else 'no start pieces'}; use --setup variable (SETUP-08)"
            )
        chosen = game_options(**given, colors=free[: chosen.players])
    return chosen, own


def game_options(**given: Any) -> Options:
    """Options of a game from those of a command; the set-up is the variable one unless it, or a map, is named."""
    from hexholm.rules.options import BadOptions, options

    given = {name: value.strip().lower() if isinstance(value, str) else value for name, value in given.items()}
    if given.get("setup") is None and given.get("map") is None:
        given["setup"] = DEFAULT_SETUP
    first = given.get("first")
    if isinstance(first, str) and first.isascii() and first.isdecimal() and len(first) < 10:
        given["first"] = int(first)
    try:
        return options(**given)
    except BadOptions as wrong:
        raise BadOptions([(rule, as_flags(message)) for rule, message in wrong.faults]) from None


_FLAGS: Final = "games|jobs|edition|setup|set-up|phases|harbors|numbers|map|first|points_to_win|hand_limit"


def as_flags(message: str) -> str:
    """A fault as one meets it on the command line: `--two-players`, not `two_players=True`."""

    def flag(name: str) -> str:
        return "--setup" if name == "set-up" else "--" + name.replace("_", "-")

    message = re.sub(r"\b(\w+)='(\w+)'", lambda found: f"{flag(found[1])} {found[2]}", message)
    message = re.sub(r"\b(\w+)=True\b", lambda found: flag(found[1]), message)
    message = re.sub(r"^1 players\b", "1 player", message)
    return re.sub(rf"^({_FLAGS}) '?(-?\w+)'?(?=[ :])", lambda found: f"{flag(found[1])} {found[2]}", message)


# --- a board of one's own ---------------------------------------------------------------------------------------------


def only_the_file(given: dict[str, Any]) -> None:
    """Refuse options that say what lies where beside a file that does."""
    for name in ("map", "numbers", "harbors"):
        if given.get(name) is not None:
            raise BadCall(f"--file and --{name}: the file already says what lies where; give one of them")


def spoken(file: str) -> str:
    """The name of a file as messages say it."""
    return "standard input" if file == "-" else file


def own_board(file: str) -> Layout:
    """The board in a file; raises :class:`BadBoardFile` or :class:`BadCall`."""
    from hexholm.rules.boards import BadBoard, read_board

    try:
        return read_board(_text(file))
    except BadBoard as wrong:
        told = [f"hexholm: {spoken(file)}: {many(len(wrong.faults), 'fault')}"]
        for rule, message in wrong.faults:
            told.append(
                textwrap.fill(
                    f"{rule}: {message}",
                    WIDTH,
                    initial_indent="  ",
                    subsequent_indent="    ",
                    break_long_words=False,
                    break_on_hyphens=False,
                )
            )
        raise BadBoardFile([*told, MORE] if wrong.partial else told) from None


def _text(file: str) -> str:
    if not file:
        raise BadCall("--file '': name a file, or - for standard input")
    try:
        return sys.stdin.read() if file == "-" else Path(file).read_text(encoding="utf-8")
    except OSError as wrong:
        raise BadCall(f"cannot read {spoken(file)}: {wrong.strerror}") from None
    except ValueError as wrong:  # a null character in the name, or in the text what no UTF-8 has
        why = "it is no UTF-8 text" if isinstance(wrong, UnicodeDecodeError) else str(wrong)
        raise BadCall(f"cannot read {spoken(file)}: {why}") from None


# --- words ------------------------------------------------------------------------------------------------------------


def title(chosen: Options, layout: Layout | None = None, file: str | None = None) -> list[str]:
    """What is played, and the house rules, at most 79 columns wide."""
    placed = ""
    if file is not None:
        placed = f"board {spoken(file)}"
    elif chosen.edition == "zip":
        printed = re.search(r"map \d+", "" if layout is None else layout.name)
        placed = f"map {chosen.map}" if chosen.map else printed[0] if printed else "a map of the pad"
    elif chosen.setup == "variable":
        placed = f"{chosen.harbors.replace('_', ' ')}, {chosen.numbers} numbers"
    parts = [
        chosen.edition_data.title,
        many(chosen.players, "player"),
        f"{chosen.setup} set-up" + (f" ({placed})" if placed else ""),
        f"{chosen.phases} trade and build",
    ]
    return [folded(", ".join(parts)), *(folded(line, "  ") for line in chosen.house_rules())]


def folded(line: str, indent: str = "") -> str:
    """A line in as many as it takes; those after the first are indented."""
    return textwrap.fill(line, WIDTH, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)


def many(n: int, one: str, more: str = "") -> str:
    """`1 city`, `1,000 cities`."""
    return f"{n:,} {one if n == 1 else more or one + 's'}"


def legend(words: Any, letter: str = "r") -> str:
    """What the signs of a picture mean, in two lines; `letter` is that of a colour."""
    port = words["harbor"]
    return (
        f"  + corner, # corner with a {port}; *8* red number, • one way to roll a number\n"
        f"  ({letter}) settlement, [{letter.upper()}] city, {letter * 3} road; C3 hex, C3n its north corner,"
        " C3/ne side"
    )
