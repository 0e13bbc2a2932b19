"""The options of a game and its board: how a command takes them, and how they become `Options` and a `Layout`.

What an edition offers is read from its data, so a new edition is in every help text and every completion.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from hexholm.game.language.phrases import count_noun, fold, join_words
from hexholm.rules.editions import DEFAULT_EDITION, DEFAULT_SETUP, EDITIONS, FIXED, VARIABLE, edition
from hexholm.rules.house_rules import HAND_LIMIT, POINTS_TO_WIN, SPARED_BELOW
from hexholm.rules.options import PRINTED, ZIP_MAPS

from .common_options import OptionGroup, choices
from .files import BadBoardFile, BadCall, display_name, read_text

if TYPE_CHECKING:
    from hexholm.rules.boards import Layout
    from hexholm.rules.options import Options

MORE_FAULTS: Final = "  more may show when that is mended"


def _choices_of(key: str) -> dict[str, list[str]]:
    """What editions offer under a key of their data, each with those that do; the most common first."""
    found: dict[str, list[str]] = {}
    for name in EDITIONS:
        for value in getattr(edition(name), key):
            found.setdefault(value, []).append(name)
    found.pop(PRINTED, None)  # on the board already: nothing to choose
    return dict(sorted(found.items(), key=lambda item: -len(item[1])))


def _choices_text(offered: Mapping[str, list[str]], last: str = " or ") -> str:
    """`spiral or random (fifth, threed)`: what not all offer, with those that do."""
    everybody = {name for names in offered.values() for name in names}
    return join_words([v if len(n) == len(everybody) else f"{v} ({', '.join(n)})" for v, n in offered.items()], last)


_NUMBERS: Final = _choices_of("number_placement")
_HARBORS: Final = _choices_of("variable_harbors")
_FREE: Final = [name for name in EDITIONS if len(edition(name).phases_options) > 1]
"""The editions that leave the phases to the players."""
_PHASES: Final = list(dict.fromkeys(phases for name in _FREE for phases in edition(name).phases_options))

BOARD_OPTIONS: Final[OptionGroup] = {
    "edition": (
        Annotated[str, typer.Option(help=f"{join_words(EDITIONS)}.", autocompletion=choices(*EDITIONS))],
        DEFAULT_EDITION,
    ),
    "setup": (
        Annotated[
            str | None,
            typer.Option(
                help=f"fixed (or beginner), or variable. [default: {DEFAULT_SETUP}]",
                show_default=False,
                autocompletion=choices(FIXED, "beginner", VARIABLE),
            ),
        ],
        None,
    ),
    "numbers": (
        Annotated[
            str | None,
            typer.Option(
                help=f"Variable set-up: {_choices_text(_NUMBERS, ', or ')}.",
                show_default=False,
                autocompletion=choices(*_NUMBERS),
            ),
        ],
        None,
    ),
    "harbors": (
        Annotated[
            str | None,
            typer.Option(
                help=f"Variable set-up: {_choices_text(_HARBORS)}.",
                show_default=False,
                autocompletion=choices(*_HARBORS),
            ),
        ],
        None,
    ),
    "map": (
        Annotated[int | None, typer.Option("--map", help=f"Zip! only: the map, 1 to {ZIP_MAPS}.", show_default=False)],
        None,
    ),
}
"""The options of a board."""
START_OPTIONS: Final[OptionGroup] = {
    "edition": BOARD_OPTIONS["edition"],
    "setup": BOARD_OPTIONS["setup"],
    "phases": (
        Annotated[
            str | None,
            typer.Option(
                help=f"Trade and build: {join_words(_PHASES)} ({', '.join(_FREE)}).",
                show_default=False,
                autocompletion=choices(*_PHASES),
            ),
        ],
        None,
    ),
    "numbers": BOARD_OPTIONS["numbers"],
    "harbors": BOARD_OPTIONS["harbors"],
    "map": BOARD_OPTIONS["map"],
    "file": (
        Annotated[
            str | None,
            typer.Option(
                help="A board of your own (docs/formats/board.md); - is standard input. Its start pieces make it a"
                " fixed set-up.",
                show_default=False,
            ),
        ],
        None,
    ),
    "first": (
        Annotated[str | None, typer.Option(help="Who begins: a colour, a seat from 0, or roll.", show_default=False)],
        None,
    ),
    "two_players": (
        Annotated[bool, typer.Option("--two-players", help="Unofficial: allow two players.")],
        False,
    ),
}
"""The options that decide how a game begins."""
GAME_OPTIONS: Final[OptionGroup] = {
    **START_OPTIONS,
    "points_to_win": (
        Annotated[int | None, typer.Option(help="House rule: {} to {}.".format(*POINTS_TO_WIN), show_default=False)],
        None,
    ),
    "hand_limit": (
        Annotated[
            int | None,
            typer.Option(
                help="House rule: cards one may keep on a seven, {} to {}.".format(*HAND_LIMIT), show_default=False
            ),
        ],
        None,
    ),
    "friendly_robber": (
        Annotated[
            bool,
            typer.Option(
                "--friendly-robber",
                help=f"House rule: spares those with fewer than {SPARED_BELOW} points in view.",
            ),
        ],
        False,
    ),
    "balanced_dice": (
        Annotated[bool, typer.Option("--balanced-dice", help="House rule: drawn from a bag of the 36 pairs.")],
        False,
    ),
}
"""All options of a game."""


def is_default(option: str, value: Any) -> bool:
    """Whether an option, of a game or of one command, has the value it has if nobody gives it."""
    return bool(value == (GAME_OPTIONS[option][1] if option in GAME_OPTIONS else None))


# --- what was given ---------------------------------------------------------------------------------------------------


def options_and_board(file: str | None, **given: Any) -> tuple[Options, Layout | None]:
    """Options and, if a file is given, the board in it; the colors of a fixed set-up are those with start pieces."""
    if file is None:
        return read_game_options(**given), None
    only_the_file(given)
    own = own_board(file)
    chosen = read_game_options(**given, board=own)
    if chosen.setup == FIXED:
        placed = {piece.color for piece in own.start}
        free = [color for color in chosen.edition_data.playing_colors(FIXED, chosen.players) if color in placed]
        if len(free) < chosen.players:
            few = f"{count_noun(len(free), 'player')} of edition {chosen.edition}"
            some = f"start pieces for {few}, not for {chosen.players}"
            raise BadCall(
                f"{display_name(file)} has {some if own.start else 'no start pieces'}; use --setup variable (SETUP-08)"
            )
        chosen = read_game_options(**given, board=own, colors=free[: chosen.players])
    return chosen, own


def read_game_options(**given: Any) -> Options:
    """Options of a game as they are typed: in any case, a seat as digits; faults name the flags."""
    from hexholm.game.new_game import game_options
    from hexholm.rules.options import BadOptions

    given = {name: value.strip().lower() if isinstance(value, str) else value for name, value in given.items()}
    first = given.get("first")
    if isinstance(first, str) and first.isascii() and first.isdecimal() and len(first) < 10:
        given["first"] = int(first)
    try:
        return game_options(**given)
    except BadOptions as wrong:
        raise BadOptions([(rule, as_flags(message)) for rule, message in wrong.faults]) from None


_FLAGS: Final = "|".join(("games", "jobs", "cap", "sprt", "records", "address", "set-up", *GAME_OPTIONS))
"""The names that a fault may begin with: those of arena and simulation, and all options of a game."""


def as_flags(message: str) -> str:
    """A fault as one meets it on the command line: `--two-players`, not `two_players=True`."""

    def flag(name: str) -> str:
        return "--setup" if name == "set-up" else "--" + name.replace("_", "-")

    message = re.sub(r"\b(\w+)='(\w+)'", lambda found: f"{flag(found[1])} {found[2]}", message)
    message = re.sub(r"\b(\w+)=True\b", lambda found: flag(found[1]), message)
    message = re.sub(r"^1 players\b", "1 player", message)
    return re.sub(rf"^({_FLAGS}) '?(-?[\w.]+)'?(?=[ :])", lambda found: f"{flag(found[1])} {found[2]}", message)


# --- a board of one's own ---------------------------------------------------------------------------------------------


def only_the_file(given: Mapping[str, Any], *more: str) -> None:
    """Refuse options that say what lies where beside a file that does; `more` are others of that kind."""
    for name in ("map", "numbers", "harbors", *more):
        if given.get(name) is not None:
            raise BadCall(f"--file and --{name}: the file already says what lies where; give one of them")


def board_seed(seed: int | None, chosen: Options, file: str | None) -> int:
    """The seed that names a board, 0 if none is given; refused where there is but one board."""
    if seed is None:
        return 0
    if file is not None:
        only_the_file({"seed": seed}, "seed")
    if chosen.setup == FIXED:
        raise BadCall(f"--seed {seed}: the fixed set-up has one board; leave --seed out, or take --setup variable")
    if chosen.map is not None:
        raise BadCall(f"--seed {seed}: --map {chosen.map} says which board it is; give one of them")
    return seed


def own_board(file: str, text: str | None = None) -> Layout:
    """The board in a file, or in its `text` if that was read; raises :class:`BadBoardFile` or :class:`BadCall`."""
    from hexholm.rules.boards import BadBoard, read_board

    try:
        return read_board(read_text(file, "--file") if text is None else text)
    except BadBoard as wrong:
        lines = [f"hexholm: {display_name(file)}: {count_noun(len(wrong.faults), 'fault')}"]
        lines += [fold(f"{rule}: {message}", "    ", "  ") for rule, message in wrong.faults]
        raise BadBoardFile([*lines, MORE_FAULTS] if wrong.partial else lines) from None
