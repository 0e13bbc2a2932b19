"""Writing whole games as text (docs/formats/record.md): what is said of the game in tags, then turns, a line each.

[Edition "fifth"]
[Players "red blue white"]
...
  1. red: roll =3+4; robber B2; steal blue =ore; road B3/sw; end
  2. blue: roll =6+1; ...
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from hexholm.rules.boards import Layout, StartPiece
from hexholm.rules.core.placement import lay_board
from hexholm.rules.encoding.structs import NATURE, OpenOffers
from hexholm.rules.initial_state import rules_in_force
from hexholm.rules.notation import action_text
from hexholm.rules.places import CORNER_NAMES, SIDE_NAMES
from hexholm.rules.setup.options import HOUSE_NUMBERS, SWITCHES, Options, check_options

from ..positions.position import position_text
from ..result import Result
from .record_base import RECORD_FORMAT, RecordBase
from .steps import nature_text
from .turn_tracker import ROLLING, TURNS, TurnTracker

_LINE_WIDTH: Final = 100
_TURN_INDENT: Final = " " * 5
BOARD_TAGS: Final = {
    "Hexes": "hexes",
    "Harbors": "harbors",
    "Spiral": "spiral",
    "Frame": "frame",
    "Standard": "standard",
}
"""The parts of a board, and their words in the text of a position."""
OPTION_TAGS: Final = {
    "Phases": "phases",
    "HarborsBy": "harbors",
    "NumbersBy": "numbers",
    "Map": "map",
    **{name.title().replace("_", ""): name for name in (*HOUSE_NUMBERS, *SWITCHES)},
}
"""Options that are written where they are not the edition's own."""
TAGS: Final = (
    *("Format", "SeenBy", "Edition", "Setup", *OPTION_TAGS, "Players", "Ages", "First", *BOARD_TAGS, "Pieces"),
    *("Start", "StartHidden", "Result", "Revealed", "Final"),
)
"""All tags with a meaning, but for the players' colors, which stand before their names."""


def record_text(record: RecordBase) -> str:
    """The canonical text of a record; ends with a line end."""
    tracker = record.turn_tracker()
    lines = list(turn_lines(record, tracker))
    tags = [f'[{name} "{_escape_quotes(text)}"]' for name, text in header_tags(record, tracker)]
    return "\n".join([*tags, *([""] if lines else []), *lines]) + "\n"


# --- tags ----------------------------------------------------------------------------------------------------


def header_tags(record: RecordBase, tracker: TurnTracker) -> Iterator[tuple[str, str]]:
    """All tags, in their order; `tracker`: one at the end of the record."""
    options = record.options
    yield "Format", RECORD_FORMAT
    if record.eyes is not None:
        yield "SeenBy", record.eyes
    yield "Edition", options.edition
    yield "Setup", options.setup
    defaults = check_options(
        edition=options.edition, players=options.players, setup=options.setup, two_players=options.two_players or None
    )
    for tag, name in OPTION_TAGS.items():
        value = getattr(options, name)
        if value is True:
            yield tag, "yes"
        elif value != getattr(defaults, name) and value is not None:
            yield tag, str(value)
    yield "Players", " ".join(options.colors)
    for color, name in zip(options.colors, record.names, strict=True):
        if name != color:
            yield color.capitalize(), name
    if options.ages is not None:
        yield "Ages", " ".join(map(str, options.ages))
    yield "First", first_text(options, tracker.first)
    words = board_words(record.layout)
    yield from ((tag, words[key]) for tag, key in BOARD_TAGS.items() if key in words)
    if record.layout.start:
        yield "Pieces", "; ".join(_pieces(record.layout))
    if record.start is not None:
        yield "Start", record.start
    if record.start_hidden:
        yield "StartHidden", "yes"
    yield "Result", result_text(record.result)
    if record.revealed is not None:
        yield "Revealed", " ".join(map(str, record.revealed))
    if record.final is not None:
        yield "Final", record.final
    yield from record.tags.items()


def first_text(options: Options, first: int | None) -> str:
    """Who begins and how that was decided: `red, highest roll` (SETUP-05, SETUP-06)."""
    if options.rollers():
        method = "highest roll by choice" if options.first == "roll" else "highest roll"
    elif options.first is not None:
        method = "named"
    else:
        method = "oldest" if options.ages is not None else "seat 1, as no ages are known"
    return method if first is None else f"{options.colors[first]}, {method}"


def result_text(result: Result | None) -> str:
    """`red won 10 7 6 4`, `abandoned 5 5 3 2: the host went home`, or `*` for a game that is not finished."""
    if result is None:
        return "*"
    ending = f"{result.winner} won" if result.how == "won" else result.how
    note = f": {result.note}" if result.note else ""
    return f"{ending} {' '.join(map(str, result.points))}{note}"


def board_words(layout: Layout) -> dict[str, str]:
    """A board in the words of a position, by key."""
    return dict(_cached_board_words(layout.board.buffer.tobytes(), layout.standard, layout))


@lru_cache(maxsize=64)
def _cached_board_words(_board: bytes, _standard: bool, layout: Layout) -> dict[str, str]:
    options = check_options(setup="variable", first=0)
    state = rules_in_force(options)
    lay_board(state, layout.board)
    words = (word.partition("=")[::2] for word in position_text(options, layout, state, OpenOffers()).split())
    return {key: value for key, value in words if key in BOARD_TAGS.values()}


def _pieces(layout: Layout) -> Iterator[str]:
    """The start pieces, a color at a time; the settlement that pays has a star."""
    for color in sorted({piece.color for piece in layout.start}):
        pieces = sorted(piece for piece in layout.start if piece.color == color)
        yield f"{color} {', '.join(map(_piece, pieces))}"


def _piece(piece: StartPiece) -> str:
    return f"{CORNER_NAMES[piece.corner]}{'*' if piece.paid else ''} {SIDE_NAMES[piece.road]}"


def _escape_quotes(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"')


# --- turns ---------------------------------------------------------------------------------------------------


def turn_lines(record: RecordBase, tracker: TurnTracker) -> Iterator[str]:
    """The lines of starting rolls, placements and turns; `tracker` stands at the beginning and is led to the end."""
    colors = record.colors
    words: list[str] = list(_remarks(record, 0))
    if words:
        yield from _wrapped_lines(_TURN_INDENT, words)
    line, prefix, words, previous_seat = None, "", [], NATURE
    for n, (seat, code) in enumerate(record.steps, 1):
        if tracker.line != line:
            if words:
                yield from _wrapped_lines(prefix, words)
            line, words = tracker.line, []
            prefix = f"{tracker.turn:>3}. {colors[tracker.seat]}: " if tracker.part == TURNS else _TURN_INDENT
        item = nature_text(code, colors) if seat == NATURE else action_text(code, colors)
        if seat == NATURE and tracker.part == ROLLING:
            item = f"{colors[tracker.seat]} roll ={item}"
        elif seat == NATURE:
            item = f"={item}"
        elif seat != tracker.seat or (not words and tracker.part != TURNS):
            item = f"{colors[seat]} {item}"
        if seat == NATURE and tracker.part != ROLLING and words and previous_seat != NATURE:
            if words[-1].endswith(("}", ")")):
                words.append(item)
            else:
                words[-1] += f" {item}"
        else:
            if words:
                words[-1] += ";"
            words.append(item)
        words += _remarks(record, n)
        previous_seat = seat
        tracker.step(code)
    if words:
        yield from _wrapped_lines(prefix, words)


def _remarks(record: RecordBase, n: int) -> Iterator[str]:
    """Comments and what was taken back after `n` steps, in pieces between which a line may end."""
    for text in record.comments.get(n, ()):
        escaped = text.replace("\\", "\\\\").replace("{", "\\{").replace("}", "\\}")
        yield from f"{{{escaped}}}".split()
    for text in record.taken_back.get(n, ()):
        yield from f"({text})".split()


def _wrapped_lines(prefix: str, words: list[str]) -> Iterator[str]:
    """Lines of at most WIDTH columns."""
    line = prefix + words[0]
    for word in words[1:]:
        if len(line) + 1 + len(word) <= _LINE_WIDTH:
            line += f" {word}"
        else:
            yield line
            line = _TURN_INDENT + word
    yield line
