"""The options that several commands share, and how they become the options of a game and its board."""

from __future__ import annotations

import inspect
import re
import textwrap
from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from hexholm.rules.errors import BadInput

from .files import BadCall, read_text, spoken

if TYPE_CHECKING:
    from hexholm.rules.boards import Layout
    from hexholm.rules.options import Options

DEFAULT_EDITION: Final = "sixth"
DEFAULT_SETUP: Final = "variable"
WIDTH: Final = 79
MORE: Final = "  more may show when that is mended"


def edition_names() -> list[str]:
    """What a shell offers for an edition."""
    from hexholm.rules.editions import EDITIONS

    return list(EDITIONS)


def seat_names() -> list[str]:
    """What a shell offers for a seat: the colours of all editions."""
    from hexholm.rules.editions import EDITIONS, edition

    return list(dict.fromkeys(color for name in EDITIONS for color in edition(name).colors))


def rule_ids() -> list[str]:
    """What a shell offers for a rule: the entries of the almanac and all ids."""
    from hexholm.almanac.drafts import drafts
    from hexholm.rules.catalogue import rules

    return [*drafts("en"), *(rule.id for rule in rules())]


def bot_names() -> list[str]:
    """What a shell offers for a player."""
    from hexholm.bots import players

    return list(players())


def choices(*words: str) -> Callable[[], list[str]]:
    """What a shell offers to complete a value with."""
    return lambda: list(words)


Edition = Annotated[str, typer.Option(help="zip, sixth, fifth, threed or summary.", autocompletion=edition_names)]
Setup = Annotated[
    str | None,
    typer.Option(
        help="fixed (or beginner), or variable. [default: variable]",
        show_default=False,
        autocompletion=choices("fixed", "beginner", "variable"),
    ),
]
Phases = Annotated[
    str | None,
    typer.Option(
        help="Trade and build: separate or combined (fifth, threed, summary).",
        show_default=False,
        autocompletion=choices("separate", "combined"),
    ),
]
Numbers = Annotated[
    str | None,
    typer.Option(
        help="Variable set-up: spiral, or random (fifth, threed).",
        show_default=False,
        autocompletion=choices("spiral", "random"),
    ),
]
Harbors = Annotated[
    str | None,
    typer.Option(
        help="Variable set-up: harbor_shuffle (fifth, threed, summary), frame_shuffle (sixth, fifth) or"
        " harbor_and_frame_shuffle (threed).",
        show_default=False,
        autocompletion=choices("harbor_shuffle", "frame_shuffle", "harbor_and_frame_shuffle"),
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
    typer.Option(help="Who begins: a colour, a seat from 0, or roll.", show_default=False),
]
BotDelay = Annotated[
    float | None,
    typer.Option(
        help="Bots answer after so many seconds, or up to three times that. [default: 0.4]",
        min=0,
        max=60,
        show_default=False,
    ),
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
Seat = Annotated[
    str | None, typer.Option(help="As this player saw it: a colour.", show_default=False, autocompletion=seat_names)
]
Public = Annotated[bool, typer.Option("--public", help="As an onlooker saw it, who knows no hidden card.")]
GameNumber = Annotated[int | None, typer.Option("--game", help="Which game of the file, from 1.", show_default=False)]
Turn = Annotated[int | None, typer.Option(help="Only this turn, from 1; 0 is the set-up.", show_default=False)]
Json = Annotated[bool, typer.Option("--json", help="Print the result as one line of JSON.")]
Svg = Annotated[str | None, typer.Option(help="Save the picture as SVG; - is standard output.", show_default=False)]
Png = Annotated[str | None, typer.Option(help="Save the picture as PNG; - is standard output.", show_default=False)]
Theme = Annotated[
    str | None,
    typer.Option(
        help="light or dark (SVG, PNG). [default: light]", show_default=False, autocompletion=choices("light", "dark")
    ),
]
Width = Annotated[
    int | None,
    typer.Option(
        help="Width of the SVG or PNG in pixels; below 600 the words at the harbors are left out.",
        show_default=False,
        min=1,
        max=10_000,
    ),
]
Names = Annotated[bool, typer.Option("--names", help="Write the names of all places (SVG, PNG).")]
Highlight = Annotated[
    str | None, typer.Option(help="Mark places (SVG, PNG), as in 'C3 C3n C3/ne'.", show_default=False)
]

SHARED: Final[dict[str, tuple[Any, Any]]] = {
    "edition": (Edition, DEFAULT_EDITION),
    "setup": (Setup, None),
    "phases": (Phases, None),
    "numbers": (Numbers, None),
    "harbors": (Harbors, None),
    "map": (Map, None),
    "file": (File, None),
    "first": (First, None),
    "two_players": (TwoPlayers, False),
    "points_to_win": (PointsToWin, None),
    "hand_limit": (HandLimit, None),
    "friendly_robber": (FriendlyRobber, False),
    "balanced_dice": (BalancedDice, False),
    "svg": (Svg, None),
    "png": (Png, None),
    "names": (Names, False),
    "highlight": (Highlight, None),
    "theme": (Theme, None),
    "width": (Width, None),
}
"""The options that several commands take: name, how it is said and explained, what it is if not given."""
BOARD: Final = ("edition", "setup", "numbers", "harbors", "map")
START: Final = ("edition", "setup", "phases", "numbers", "harbors", "map", "file", "first", "two_players")
HOUSE_RULES: Final = ("points_to_win", "hand_limit", "friendly_robber", "balanced_dice")
GAME: Final = (*START, *HOUSE_RULES)
PICTURE: Final = ("svg", "png", "names", "highlight", "theme", "width")


def shared(*names: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Give a command the shared options of these names; it gets their values in its `**` argument.

    Typer reads the signature of a function; this writes the options into it.
    """

    def give(command: Callable[..., None]) -> Callable[..., None]:
        own = inspect.signature(command, eval_str=True)
        kept = [one for one in own.parameters.values() if one.kind is not inspect.Parameter.VAR_KEYWORD]
        more = [
            inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, annotation=kind, default=default)
            for name, (kind, default) in ((name, SHARED[name]) for name in names)
        ]
        command.__dict__["__signature__"] = own.replace(parameters=[*kept, *more])
        return command

    return give


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
        if isinstance(first, str) and first in (colors := options(**{**given, "first": None}).colors):
            given["first"] = colors.index(first)
        return options(**given)
    except BadOptions as wrong:
        raise BadOptions([(rule, as_flags(message)) for rule, message in wrong.faults]) from None


_FLAGS: Final = (
    "games|jobs|cap|sprt|records|address|edition|setup|set-up|phases|harbors|numbers|map|first|points_to_win|hand_limit"
)


def as_flags(message: str) -> str:
    """A fault as one meets it on the command line: `--two-players`, not `two_players=True`."""

    def flag(name: str) -> str:
        return "--setup" if name == "set-up" else "--" + name.replace("_", "-")

    message = re.sub(r"\b(\w+)='(\w+)'", lambda found: f"{flag(found[1])} {found[2]}", message)
    message = re.sub(r"\b(\w+)=True\b", lambda found: flag(found[1]), message)
    message = re.sub(r"^1 players\b", "1 player", message)
    return re.sub(rf"^({_FLAGS}) '?(-?[\w.]+)'?(?=[ :])", lambda found: f"{flag(found[1])} {found[2]}", message)


# --- a board of one's own ---------------------------------------------------------------------------------------------


def only_the_file(given: dict[str, Any], *more: str) -> None:
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
    if chosen.setup == "fixed":
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


# --- words ------------------------------------------------------------------------------------------------------------

_MADE: Final = re.compile(r"(\w+), (\w+), (\w+) numbers, board seed (-?\d+)(?: (game \d+))?")


def board_title(layout: Layout) -> str:
    """The name of a board; of one that was generated, how: edition, harbors, numbers and seed."""
    from hexholm.rules.editions import EDITIONS, edition

    made = _MADE.fullmatch(layout.name)
    if made is None or made[1] not in EDITIONS:
        return layout.name
    parts = [edition(made[1]).title, made[2].replace("_", " "), f"{made[3]} numbers", f"seed {made[4]}", made[5]]
    return ", ".join(filter(None, parts))


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
