"""A record as one line of JSON, for programs: what the text says, in data (docs/formats/record.md)."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Mapping
from typing import Any, Final

from hexholm.rules.boards import read_board_data
from hexholm.rules.colors import Color
from hexholm.rules.errors import BadInput
from hexholm.rules.setup.options import check_options

from ..positions.position import read_position
from ..result import STOPS, Result
from .reader import read_step
from .record_base import RECORD_FORMAT, AnyRecord, RecordBase
from .steps import BadRecord
from .tags import canonical_start
from .text_form import TAGS

RECORD_KEYS: Final = (
    *("format", "seen_by", "options", "board", "names", "first", "start", "start_hidden", "steps", "comments"),
    *("taken_back", "result", "revealed", "final", "tags"),
)


def record_json_text(record: RecordBase) -> str:
    return json.dumps(as_data(record), ensure_ascii=False, separators=(",", ":"))


def as_data(record: RecordBase) -> dict[str, Any]:
    """The record as plain data; the keys always stand in the same order."""
    board = tomllib.loads(record.layout.to_toml())
    result = record.result
    return {
        "format": RECORD_FORMAT,
        "seen_by": record.eyes,
        "options": record.options.as_dict(),
        "board": {key: board[key] for key in board if key not in ("format", "name")},
        "names": list(record.names),
        "first": record.first,
        "start": record.start,
        "start_hidden": record.start_hidden,
        "steps": list(record.texts),
        "comments": {str(moment): list(texts) for moment, texts in record.comments.items()},
        "taken_back": {str(moment): list(texts) for moment, texts in record.taken_back.items()},
        "result": None
        if result is None
        else {"how": result.how, "winner": result.winner, "points": list(result.points), "note": result.note},
        "revealed": None if record.revealed is None else list(record.revealed),
        "final": record.final,
        "tags": dict(record.tags),
    }


def read_record_json(record_type: type[AnyRecord], text: str | Mapping[str, Any], *, check: bool = True) -> AnyRecord:
    """The record of a line, or of the data in it, of that class; raises BadRecord."""
    try:
        data = json.loads(text) if isinstance(text, str) else text
    except (ValueError, RecursionError) as error:
        raise BadRecord(_json_fault(str(text), error)) from None
    if not isinstance(data, Mapping):
        raise BadRecord(f"this is JSON, but no record: write an object with the keys {', '.join(RECORD_KEYS)}")
    try:
        record = _record(record_type, data)
    except BadRecord:
        raise
    except BadInput as error:
        raise BadRecord(str(error)) from None
    first = data.get("first")
    if first is not None and first != record.first:
        raise BadRecord(f"first is {first!r}, but {record.first or 'nobody yet'} begins (SETUP-06)")
    if check and record.eyes is None:
        record.checked_tracker().replay(record.steps)
    return record


def _json_fault(text: str, error: Exception) -> str:
    """Why a text is no JSON, and from where on."""
    if not isinstance(error, json.JSONDecodeError):
        return (
            "this is no JSON: too much is nested in it"
            if isinstance(error, RecursionError)
            else f"this is no JSON: {error}"
        )
    place = f"column {error.colno}" if error.lineno == 1 else f"line {error.lineno}, column {error.colno}"
    if error.msg.startswith("Unterminated") or error.pos >= len(text.rstrip()):
        end = f"after column {len(text.rstrip())}" if "\n" not in text.strip() else f"in {place}"
        return f"the JSON is cut short {end}; a game is one whole line"
    return f"this is no JSON from {place} on ({error.msg})"


def _record(record_type: type[AnyRecord], data: Mapping[str, Any]) -> AnyRecord:
    if unknown := [key for key in data if key not in RECORD_KEYS]:
        raise BadRecord(f"unknown key {unknown[0]!r}; a record has {', '.join(RECORD_KEYS)}")
    version = data.get("format")
    if version is None:
        raise BadRecord(f"format is missing; it is {RECORD_FORMAT!r}")
    if version != RECORD_FORMAT:
        raise BadRecord(f"the format {version!r} is unknown; this is for {RECORD_FORMAT!r}")
    settings = _typed_value(data, "options", dict, {})
    if not all(isinstance(key, str) for key in settings):
        raise BadRecord("options: an object with the options' names")
    option_values = {key: tuple(value) if isinstance(value, list) else value for key, value in settings.items()}
    options = check_options(**option_values)
    colors = options.colors
    layout = read_board_data(_typed_value(data, "board", dict, {}))
    start = _typed_value(data, "start", str, None)
    record = record_type(
        options=options,
        layout=layout,
        names=_texts("names", _typed_value(data, "names", list, [])),
        steps=tuple(read_step(text, colors) for text in _texts("steps", _typed_value(data, "steps", list, []))),
        comments=_remarks(data, "comments"),
        taken_back=_remarks(data, "taken_back"),
        result=_result(_typed_value(data, "result", dict, None), colors),
        start=None if start is None else canonical_start(read_position(start), options, layout),
        start_hidden=_typed_value(data, "start_hidden", bool, False),
        eyes=_typed_value(data, "seen_by", str, None),
        revealed=_numbers("revealed", _typed_value(data, "revealed", list, None), len(colors)),
        final=_final(_typed_value(data, "final", str, None)),
        tags=_tags(_typed_value(data, "tags", dict, {}), colors),
    )
    if record.eyes is not None and record.final is not None:
        raise BadRecord("final: a copy must not have it: guesses could be tried on it")
    if record.eyes is None and record.revealed is not None:
        raise BadRecord("revealed: only a copy has it (WIN-07)")
    record.opening_position()  # raises if the position or the start pieces are not sound
    return record


def _typed_value(data: Mapping[str, Any], key: str, expected: type, default: Any) -> Any:
    value = data.get(key)
    if value is None:
        return default
    if not isinstance(value, expected):
        raise BadRecord(f"{key}: {_cut_repr(value)} should be {_TYPE_NAMES[expected]}")
    return value


_TYPE_NAMES: Final[Mapping[type, str]] = {dict: "an object", list: "a list", str: "a text", bool: "true or false"}


def _texts(key: str, values: list[Any]) -> tuple[str, ...]:
    if not all(isinstance(value, str) for value in values):
        raise BadRecord(f"{key}: a list of texts")
    return tuple(values)


def _numbers(key: str, values: list[Any] | None, n: int) -> tuple[int, ...] | None:
    if values is None:
        return None
    if len(values) != n or not all(type(value) is int and 0 <= value < 256 for value in values):
        raise BadRecord(f"{key}: a list of {n} numbers, by seat")
    return tuple(values)


def _remarks(data: Mapping[str, Any], key: str) -> dict[int, tuple[str, ...]]:
    remarks: dict[int, tuple[str, ...]] = {}
    for moment, texts in _typed_value(data, key, dict, {}).items():
        if not isinstance(moment, str) or not re.fullmatch("[0-9]{1,9}", moment) or not isinstance(texts, list):
            raise BadRecord(f"{key}: an object with a number of steps before each list of texts")
        remarks[int(moment)] = (*remarks.get(int(moment), ()), *_texts(key, texts))
        if key == "taken_back" and not all(map(_is_balanced, remarks[int(moment)])):
            raise BadRecord("taken_back: brackets that nothing opens or closes")
    return remarks


def _is_balanced(text: str) -> bool:
    """Whether a text in brackets ends where its bracket does."""
    depth, comment, skip = 0, False, False
    for char in text:
        if skip:
            skip = False
        elif comment:
            skip, comment = char == "\\", char != "}"
        else:
            comment = char == "{"
            depth += (char == "(") - (char == ")")
        if depth < 0:
            return False
    return depth == 0 and not comment and not skip


def _result(data: Mapping[str, Any] | None, colors: tuple[Color, ...]) -> Result | None:
    if data is None:
        return None
    how, winner, note, points = data.get("how"), data.get("winner"), data.get("note", ""), data.get("points")
    all_seats = isinstance(points, list) and len(points) == len(colors)
    checks = {
        "how": (how == "won" or how in STOPS, f"it is won, {', '.join(STOPS)}"),
        "winner": (winner in colors, f"it is one of {', '.join(colors)}")
        if how == "won"
        else (winner is None, f"it is null in a game that was {how}"),
        "points": (
            all_seats and all(type(value) is int and 0 <= value < 256 for value in points or ()),
            f"it is a list of {len(colors)} numbers, by seat: {', '.join(colors)}",
        ),
        "note": (isinstance(note, str), "it is a text"),
    }
    if unknown := [key for key in data if key not in checks]:
        raise BadRecord(f"result: unknown key {_cut_repr(unknown[0])}; it has {', '.join(checks)}")
    for key, (fits, advice) in checks.items():
        if not fits:
            raise BadRecord(f"result: {key} is {_cut_repr(data[key]) if key in data else 'missing'}; {advice}")
    return Result(how, winner, tuple(points or ()), note)  # type: ignore[arg-type]  # how is one of these


def _final(final: str | None) -> str | None:
    if final is not None and not re.fullmatch("[0-9a-f]{16}", final):
        raise BadRecord(f"final {_cut_repr(final)}: it is 16 hexadecimal digits")
    return final


def _tags(tags: Mapping[Any, Any], colors: tuple[Color, ...]) -> dict[str, str]:
    reserved = {name.lower() for name in (*TAGS, *colors)}
    for name, text in tags.items():
        is_word = isinstance(name, str) and re.fullmatch(r"[A-Za-z][\w-]*", name)
        if not is_word or name.lower().replace("_", "").replace("-", "") in reserved or not isinstance(text, str):
            raise BadRecord(f"tags: {_cut_repr(name)} cannot be a tag of your own")
    return dict(tags)


def _cut_repr(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."
