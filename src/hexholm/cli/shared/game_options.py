"""The options of a game and its board: how a command takes them, and how they become `Options` and a `Layout`.

What an edition offers is read from its data, so a new edition is in every help text and every completion.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from hexholm.game.language.phrases import count_noun, fold, join_words
from hexholm.rules.setup.editions import DEFAULT_EDITION, DEFAULT_SETUP, EDITIONS, FIXED, PRINTED, VARIABLE, edition
from hexholm.rules.setup.house_rules import HAND_LIMIT, HOUSE_SWITCHES, POINTS_TO_WIN
from hexholm.rules.setup.options import ZIP_MAPS

from .common_options import OptionGroup, complete_from
from .files import BadBoardFile, BadCall, display_name, read_text

if TYPE_CHECKING:
    from hexholm.rules.boards import Layout
    from hexholm.rules.errors import OptionMention
    from hexholm.rules.setup.options import Options

MORE_FAULTS: Final = "  more may show when that is mended"


def _choices_of(key: str) -> dict[str, list[str]]:
    """What editions offer under a key of their data, each with those that do; the most common first."""
    editions_by_choice: dict[str, list[str]] = {}
    for name in EDITIONS:
        for value in getattr(edition(name), key):
            editions_by_choice.setdefault(value, []).append(name)
    editions_by_choice.pop(PRINTED, None)  # on the board already: nothing to choose
    return dict(sorted(editions_by_choice.items(), key=lambda item: -len(item[1])))


def _choices_text(editions_by_choice: Mapping[str, list[str]]) -> str:
    """`spiral or random (fifth, threed)`: what not all offer, with those that do."""
    editions = {name for names in editions_by_choice.values() for name in names}
    return join_words(
        [v if len(n) == len(editions) else f"{v} ({', '.join(n)})" for v, n in editions_by_choice.items()]
    )


_NUMBERS: Final = _choices_of("number_placement")
_HARBORS: Final = _choices_of("variable_harbors")
_FREE: Final = [name for name in EDITIONS if len(edition(name).phases_options) > 1]
"""The editions that leave the phases to the players."""
_PHASES: Final = list(dict.fromkeys(phases for name in _FREE for phases in edition(name).phases_options))

BOARD_OPTIONS: Final[OptionGroup] = {
    "edition": (
        Annotated[str, typer.Option(help=f"{join_words(EDITIONS)}.", autocompletion=complete_from(*EDITIONS))],
        DEFAULT_EDITION,
    ),
    "setup": (
        Annotated[
            str | None,
            typer.Option(
                help=f"fixed (or beginner), or variable. [default: {DEFAULT_SETUP}]",
                show_default=False,
                autocompletion=complete_from(FIXED, "beginner", VARIABLE),
            ),
        ],
        None,
    ),
    "numbers": (
        Annotated[
            str | None,
            typer.Option(
                help=f"On a variable board: {_choices_text(_NUMBERS)}.",
                show_default=False,
                autocompletion=complete_from(*_NUMBERS),
            ),
        ],
        None,
    ),
    "harbors": (
        Annotated[
            str | None,
            typer.Option(
                help=f"On a variable board: {_choices_text(_HARBORS)}.",
                show_default=False,
                autocompletion=complete_from(*_HARBORS),
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
                autocompletion=complete_from(*_PHASES),
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
                help="Your own board (docs/formats/board.md); - is standard input. With starting"
                " positions it is a fixed board.",
                show_default=False,
            ),
        ],
        None,
    ),
    "first": (
        Annotated[str | None, typer.Option(help="Who begins: a color, a seat from 0, or roll.", show_default=False)],
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
                help="House rule: the most resources to keep on a seven, {} to {}.".format(*HAND_LIMIT),
                show_default=False,
            ),
        ],
        None,
    ),
    **{
        name: (Annotated[bool, typer.Option(f"--{name.replace('_', '-')}", help=f"House rule: {text}.")], False)
        for name, (_, text) in HOUSE_SWITCHES.items()
    },
}
"""All options of a game."""


def is_default(option: str, value: Any) -> bool:
    """Whether an option, of a game or of one command, has the value it has if nobody gives it."""
    return bool(value == (GAME_OPTIONS[option][1] if option in GAME_OPTIONS else None))


# --- what was given ---------------------------------------------------------------------------------------------------


def options_and_board(file: str | None, **flags: Any) -> tuple[Options, Layout | None]:
    """Options and, if a file is given, the board in it; the colors of a fixed set-up are those with start pieces."""
    if file is None:
        return read_game_options(**flags), None
    refuse_with_file(flags)
    layout = own_board(file)
    options = read_game_options(**flags, board=layout)
    if options.setup == FIXED:
        start_colors = {piece.color for piece in layout.start}
        free = [color for color in options.edition_data.playing_colors(FIXED, options.players) if color in start_colors]
        if len(free) < options.players:
            players_text = f"{count_noun(len(free), 'player')} of edition {options.edition}"
            shortage = f"starting positions for {players_text}, not for {options.players}"
            raise BadCall(
                f"{display_name(file)} has {shortage if layout.start else 'no starting positions'};"
                " use --setup variable (SETUP-08)"
            )
        options = read_game_options(**flags, board=layout, colors=free[: options.players])
    return options, layout


def read_game_options(**flags: Any) -> Options:
    """Options of a game as they are typed: in any case, a seat as digits; faults name the flags."""
    from hexholm.game.new_game import game_options
    from hexholm.rules.setup.options import BadOptions

    flags = {name: value.strip().lower() if isinstance(value, str) else value for name, value in flags.items()}
    first = flags.get("first")
    if isinstance(first, str) and first.isascii() and first.isdecimal() and len(first) < 10:
        flags["first"] = int(first)
    try:
        return game_options(**flags)
    except BadOptions as error:
        raise BadOptions([(rule, with_flag_names(message)) for rule, message in error.faults]) from None


_PLAIN_WORD: Final = re.compile(r"-?[\w.]+(?=[ :]|$)")


def with_flag_names(message: str) -> str:
    """A message as one meets it on the command line: `--two-players`, not `two_players=True`."""
    from hexholm.rules.errors import OptionMessage

    if not isinstance(message, OptionMessage):
        return message
    return "".join(piece if isinstance(piece, str) else _flag_text(piece) for piece in message.pieces)


def _flag_text(mention: OptionMention) -> str:
    """An option as it is typed; one whose value does not begin with a plain word stays as Python says it, in quotes."""
    if mention.option == "players":
        return "1 player" if mention.value == 1 else str(mention)
    flag = "--" + mention.option.replace("_", "-")
    if mention.value is True:
        return flag
    return f"{flag} {mention.value}" if _PLAIN_WORD.match(str(mention.value)) else str(mention)


# --- a board of one's own ---------------------------------------------------------------------------------------------


def refuse_with_file(flags: Mapping[str, Any], *other_flags: str) -> None:
    """Refuse options that say what lies where beside a file that does; `other_flags` are more of that kind."""
    for name in ("map", "numbers", "harbors", *other_flags):
        if flags.get(name) is not None:
            raise BadCall(f"--file and --{name}: the file already says what lies where; give one of them")


def board_seed(seed: int | None, options: Options, file: str | None) -> int:
    """The seed that names a board, 0 if none is given; refused where there is but one board."""
    if seed is None:
        return 0
    if file is not None:
        refuse_with_file({"seed": seed}, "seed")
    if options.setup == FIXED:
        raise BadCall(f"--seed {seed}: the fixed board is one board; leave --seed out, or take --setup variable")
    if options.map is not None:
        raise BadCall(f"--seed {seed}: --map {options.map} says which board it is; give one of them")
    return seed


def own_board(file: str, text: str | None = None) -> Layout:
    """The board in a file, or in its `text` if that was read; raises :class:`BadBoardFile` or :class:`BadCall`."""
    from hexholm.rules.boards import BadBoard, read_board

    try:
        return read_board(read_text(file, "--file") if text is None else text)
    except BadBoard as error:
        lines = [f"hexholm: {display_name(file)}: {count_noun(len(error.faults), 'fault')}"]
        lines += [fold(f"{rule}: {message}", "    ", "  ") for rule, message in error.faults]
        raise BadBoardFile([*lines, MORE_FAULTS] if error.partial else lines) from None
