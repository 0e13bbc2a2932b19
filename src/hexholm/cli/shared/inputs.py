"""What a file or an argument holds: games, a position, a view or a board; and which game and moment of it is meant."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal, TypeVar

from hexholm.game.language.phrases import count_noun
from hexholm.rules.colors import Color
from hexholm.rules.errors import BadInput

from .files import BadCall, display_name, read_text

if TYPE_CHECKING:
    from hexholm.game.game import Game, Record, SeatView
    from hexholm.game.record_format.steps import BadRecord

InputKind = Literal["position", "view", "records", "board"]
INPUT_KIND_NAMES: Final = {"records": "games", "position": "a position", "view": "a view", "board": "a board"}
POSITION_EXAMPLE: Final = (
    "a position reads like 'hexholm-position-1 edition=fifth turn=red ...' (docs/formats/position.md)"
)
_TAG: Final = re.compile(r"\[\s*[A-Za-z]\w*\s+\"")
_BOARD: Final = re.compile(r'^\s*(format\s*=\s*"hexholm-board|\[hexes\]|hexes\s*=\s*\[)', re.MULTILINE)
_COMMENTS: Final = re.compile(r"\A(?:[ \t]*(?:#.*)?\r?\n)*")
_TOML: Final = re.compile(r"\s*([\w-]+\s+=|[\w-]+=\s*[\"\[]|\[+[\w-]+\]+\s*(#.*)?$)", re.MULTILINE)
_VERSION: Final = re.compile(r"hexholm-\w+-\w+$")
_PAIR: Final = re.compile(r"[\w:-]+=\S*$")
T = TypeVar("T")


def read_argument(argument: str) -> tuple[str, str | None]:
    """The text that is meant, and the file it stands in: an argument may be a text, the name of a file, or `-`."""
    if not argument.strip():
        raise BadCall(
            f"POSITION {argument!r}: name a file, give a position, or - for standard input; {POSITION_EXAMPLE}"
        )
    if argument == "-" or (len(argument) < 1000 and "\0" not in argument and Path(argument).exists()):
        return read_text(argument, "POSITION"), argument
    if "\n" in argument or table_kind(argument) is not None:
        return argument, None
    if re.search(r"\s", argument) is None:
        return read_text(argument, "POSITION"), argument  # which says what is wrong with the file
    raise BadCall(f"{_short_quote(argument)} is neither a file nor a position; {POSITION_EXAMPLE}")


def input_name(file: str | None) -> str:
    """How messages call what was given."""
    return "this text" if file is None else display_name(file)


def input_kind(text: str, file: str | None) -> InputKind:
    """What a text holds, by the way it begins; a text that only mentions our formats is none of them."""
    head = text.lstrip()
    if not head:
        raise BadCall(f"{input_name(file)} is empty; it should hold games, a position, a view or a board")
    if head.startswith("{") or _TAG.match(head):
        return "records"
    if _BOARD.search(text) and _TOML.match(_COMMENTS.sub("", text, count=1)):
        return "board"
    kind = table_kind(text)
    if kind is None:
        raise BadCall(
            f"{input_name(file)} holds no games, position, view, or board; games begin with"
            f' [Format "hexholm-record-1"] or {{, and {POSITION_EXAMPLE}'
        )
    return kind


def table_kind(text: str) -> Literal["position", "view"] | None:
    """Whether a text is meant as a position or as a view, right or wrong; None: it is neither.

    It is if it begins with a version word or a key of ours, or if all of its words read like key=value.
    """
    from hexholm.game.positions.position_words import POSITION_KEYS

    words = text.lower().split()
    pairs = [word.partition("=") for word in words]
    key = pairs[0][0].replace("_", "-") if pairs else ""
    has_our_key = (
        bool(pairs) and bool(pairs[0][1]) and (key in POSITION_KEYS or re.fullmatch(r"[a-z]+:[a-z-]+", key) is not None)
    )
    if not words or not (has_our_key or _VERSION.match(words[0]) or all(_PAIR.match(word) for word in words)):
        return None
    marked_as_view = any(word.startswith(("hexholm-view", "seen-by=", "seen_by=")) for word in words)
    return "view" if marked_as_view or "?" in text else "position"


def view_in(text: str, seat_flag: str | None, public: bool) -> SeatView:
    """The view that a text holds; it has its own eyes."""
    from hexholm.game.game import SeatView

    if seat_flag is not None or public:
        raise BadCall(
            f"--{'public' if public else 'seat'} is for positions and games; a view already belongs to somebody"
        )
    return SeatView.from_text(text)


def records_in(text: str, file: str | None, *, check: bool = True) -> list[Record]:
    """All games of a text, or of lines of JSON; the first that cannot be read is refused."""
    records = []
    for record in read_or_explain(text, file, check=check):
        if isinstance(record, BadInput):
            raise record
        records.append(record)
    return records


def read_or_explain(text: str, file: str | None, *, check: bool = True) -> list[Record | BadRecord]:
    """All games of a text, or of lines of JSON; for one that cannot be read, what is wrong with it."""
    from hexholm.game.records.export import read_any

    records = list(read_any(text, check=check))
    if not records:
        raise BadCall(f"{input_name(file)} holds no games")
    return records


def only_record(text: str, file: str | None, game: int | None, *, last: bool = False) -> Record:
    """The game with this number, from 1; without one the only game, or the `last`."""
    return choose_record(records_in(text, file), file, game, last=last)


def choose_record(records: Sequence[T], file: str | None, game: int | None, *, last: bool = False) -> T:
    """As :func:`only_record`, from games that were read."""
    if game is None:
        if len(records) > 1 and not last:
            raise BadCall(f"{input_name(file)} holds {count_noun(len(records), 'game')}; choose one with --game 1")
        return records[-1]
    if not 1 <= game <= len(records):
        game_numbers = "1 game" if len(records) == 1 else f"games 1 to {len(records)}"
        raise BadCall(f"--game {game}: {input_name(file)} holds {game_numbers}")
    return records[game - 1]


def full_record(record: Record) -> Record:
    """The record itself; of a seat's copy, a game that fits it and looks the same to that seat."""
    if record.eyes is None:
        return record
    from hexholm.game.records.verify import verify

    verification = verify(record)
    if verification.witness is None:
        raise BadCall(str(verification))
    return verification.witness


def game_at(record: Record, turn: int | None) -> Game:
    """The game at the end of a turn, before it is passed on; 0: at the end of the set-up; None: at its end."""
    from hexholm.rules.names import END, kind_of

    record = full_record(record)
    if turn is None:
        return record.game()
    check_turn(record, turn)
    indexes = [at for at, step_turn in enumerate(turns_of(record)) if step_turn == turn]
    upto = indexes[-1] + 1 if indexes else 0
    if turn and upto and kind_of(record.steps[upto - 1][1]) == END:
        upto -= 1
    record_so_far = replace(record, steps=record.steps[:upto], comments={}, taken_back={}, result=None, final=None)
    return record_so_far.game()


def turns_of(record: Record) -> list[int]:
    """For every step of a record the turn it belongs to; 0: the set-up."""
    tracker, turns = record.turn_tracker(), []
    for _, code in record.steps:
        turns.append(tracker.turn)
        tracker.step(code)
    return turns


def first_turn(record: Record) -> int:
    """The turn in which a record begins: 0, the set-up, unless it began with a position."""
    return record.turn_tracker().turn if record.start is not None else 0


def check_turn(record: Record, turn: int) -> None:
    """Refuse a turn that was not played."""
    first, last = first_turn(record), record.turns
    if not first <= turn <= last:
        setup_note = ", and 0 for all before the first" if first == 0 else ""
        raise BadCall(f"--turn {turn}: the game has turns {max(first, 1)} to {last}{setup_note}")


def eyes_of(colors: tuple[Color, ...], seat_flag: str | None, public: bool) -> str | None:
    """The color whose eyes are meant, from what `--seat` says; None: the public, or nobody's in particular."""
    if seat_flag is not None and public:
        raise BadCall("--seat and --public: choose one of them")
    if seat_flag is None:
        return None
    color = seat_flag.strip().lower()
    if color.isascii() and color.isdecimal() and int(color) < len(colors):
        return colors[int(color)]
    if color not in colors:
        raise no_such_seat(seat_flag, colors, "nobody plays that; ")
    return color


def no_such_seat(seat_flag: str, colors: tuple[Color, ...], reason: str = "") -> BadCall:
    """What is raised where `--seat` names nobody at the table."""
    return BadCall(f"--seat {seat_flag}: {reason}the players are {', '.join(colors)}")


def own_eyes(eyes: Color, seat_flag: str | None, public: bool) -> tuple[str | None, bool]:
    """The eyes of a seat's copy; others see less than it needs."""
    if public or (seat_flag is not None and seat_flag.strip().lower() != eyes):
        raise BadCall(f"this is the copy for {eyes}; it does not hold what others saw")
    return (None, True) if eyes == "public" else (eyes, False)


def _short_quote(text: str) -> str:
    """A piece of text in quotes, not too long."""
    return repr(text if len(text) <= 60 else text[:57] + "...")
