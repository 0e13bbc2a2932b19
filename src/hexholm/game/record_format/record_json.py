"""A record as one line of JSON, for programs: what the text says, in data (docs/formats/record.md)."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Mapping
from typing import Any, Final

from hexholm.rules.boards import from_dict
from hexholm.rules.errors import BadInput
from hexholm.rules.options import check_options

from ..positions.position import read_position
from ..result import CUTS, Result
from .record_data import RECORD_FORMAT, AnyRecord, RecordData
from .record_reader import read_step
from .record_text import TAGS
from .tags import canonical_start
from .walk import BadRecord

RECORD_KEYS: Final = (
    *("format", "seen_by", "options", "board", "names", "first", "start", "start_hidden", "steps", "comments"),
    *("taken_back", "result", "revealed", "final", "tags"),
)


def to_json(record: RecordData) -> str:
    return json.dumps(as_data(record), ensure_ascii=False, separators=(",", ":"))


def as_data(record: RecordData) -> dict[str, Any]:
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
        "comments": {str(at): list(texts) for at, texts in record.comments.items()},
        "taken_back": {str(at): list(texts) for at, texts in record.taken_back.items()},
        "result": None
        if result is None
        else {"how": result.how, "winner": result.winner, "points": list(result.points), "note": result.note},
        "revealed": None if record.revealed is None else list(record.revealed),
        "final": record.final,
        "tags": dict(record.tags),
    }


def from_json(kind: type[AnyRecord], text: str | Mapping[str, Any], *, check: bool = True) -> AnyRecord:
    """The record of a line, or of the data in it, of that class; raises BadRecord."""
    try:
        data = json.loads(text) if isinstance(text, str) else text
    except (ValueError, RecursionError) as no:
        raise BadRecord(_no_json(str(text), no)) from None
    if not isinstance(data, Mapping):
        raise BadRecord(f"this is JSON, but no record: write an object with the keys {', '.join(RECORD_KEYS)}")
    try:
        record = _record(kind, data)
    except BadRecord:
        raise
    except BadInput as no:
        raise BadRecord(str(no)) from None
    said = data.get("first")
    if said is not None and said != record.first:
        raise BadRecord(f"first is {said!r}, but {record.first or 'nobody yet'} begins (SETUP-06)")
    if check and record.eyes is None:
        record.guide().replay(record.steps)
    return record


def _no_json(text: str, no: Exception) -> str:
    """Why a text is no JSON, and from where on."""
    if not isinstance(no, json.JSONDecodeError):
        return (
            "this is no JSON: too much is nested in it" if isinstance(no, RecursionError) else f"this is no JSON: {no}"
        )
    where = f"column {no.colno}" if no.lineno == 1 else f"line {no.lineno}, column {no.colno}"
    if no.msg.startswith("Unterminated") or no.pos >= len(text.rstrip()):
        end = f"after column {len(text.rstrip())}" if "\n" not in text.strip() else f"in {where}"
        return f"the JSON is cut short {end}; a game is one whole line"
    return f"this is no JSON from {where} on ({no.msg})"


def _record(kind: type[AnyRecord], data: Mapping[str, Any]) -> AnyRecord:
    if unknown := [key for key in data if key not in RECORD_KEYS]:
        raise BadRecord(f"unknown key {unknown[0]!r}; a record has {', '.join(RECORD_KEYS)}")
    version = data.get("format")
    if version is None:
        raise BadRecord(f"format is missing; it is {RECORD_FORMAT!r}")
    if version != RECORD_FORMAT:
        raise BadRecord(f"the format {version!r} is unknown; this is for {RECORD_FORMAT!r}")
    settings = _typed(data, "options", dict, {})
    if not all(isinstance(key, str) for key in settings):
        raise BadRecord("options: an object with the options' names")
    lists = {key: tuple(value) if isinstance(value, list) else value for key, value in settings.items()}
    chosen = check_options(**lists)
    colors = chosen.colors
    layout = from_dict(_typed(data, "board", dict, {}))
    start = _typed(data, "start", str, None)
    record = kind(
        options=chosen,
        layout=layout,
        names=_texts("names", _typed(data, "names", list, [])),
        steps=tuple(read_step(text, colors) for text in _texts("steps", _typed(data, "steps", list, []))),
        comments=_remarks(data, "comments"),
        taken_back=_remarks(data, "taken_back"),
        result=_result(_typed(data, "result", dict, None), colors),
        start=None if start is None else canonical_start(read_position(start), chosen, layout),
        start_hidden=_typed(data, "start_hidden", bool, False),
        eyes=_typed(data, "seen_by", str, None),
        revealed=_numbers("revealed", _typed(data, "revealed", list, None), len(colors)),
        final=_final(_typed(data, "final", str, None)),
        tags=_tags(_typed(data, "tags", dict, {}), colors),
    )
    if record.eyes is not None and record.final is not None:
        raise BadRecord("final: a copy must not have it: guesses could be tried on it")
    if record.eyes is None and record.revealed is not None:
        raise BadRecord("revealed: only a copy has it (WIN-07)")
    record.begin()  # raises if the position or the start pieces are not sound
    return record


def _typed(data: Mapping[str, Any], key: str, kind: type, usual: Any) -> Any:
    value = data.get(key)
    if value is None:
        return usual
    if not isinstance(value, kind):
        raise BadRecord(f"{key}: {_cut_repr(value)} should be {_KINDS[kind]}")
    return value


_KINDS: Final[Mapping[type, str]] = {dict: "an object", list: "a list", str: "a text", bool: "true or false"}


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
    found: dict[int, tuple[str, ...]] = {}
    for at, texts in _typed(data, key, dict, {}).items():
        if not isinstance(at, str) or not re.fullmatch("[0-9]{1,9}", at) or not isinstance(texts, list):
            raise BadRecord(f"{key}: an object with a number of steps before each list of texts")
        found[int(at)] = (*found.get(int(at), ()), *_texts(key, texts))
        if key == "taken_back" and not all(map(_balanced, found[int(at)])):
            raise BadRecord("taken_back: brackets that nothing opens or closes")
    return found


def _balanced(text: str) -> bool:
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


def _result(data: Mapping[str, Any] | None, colors: tuple[str, ...]) -> Result | None:
    if data is None:
        return None
    how, winner, note, points = data.get("how"), data.get("winner"), data.get("note", ""), data.get("points")
    whole = isinstance(points, list) and len(points) == len(colors)
    wanted = {
        "how": (how == "won" or how in CUTS, f"it is won, {', '.join(CUTS)}"),
        "winner": (winner in colors, f"it is one of {', '.join(colors)}")
        if how == "won"
        else (winner is None, f"it is null in a game that was {how}"),
        "points": (
            whole and all(type(one) is int and 0 <= one < 256 for one in points or ()),
            f"it is a list of {len(colors)} numbers, by seat: {', '.join(colors)}",
        ),
        "note": (isinstance(note, str), "it is a text"),
    }
    if unknown := [key for key in data if key not in wanted]:
        raise BadRecord(f"result: unknown key {_cut_repr(unknown[0])}; it has {', '.join(wanted)}")
    for key, (fits, right) in wanted.items():
        if not fits:
            raise BadRecord(f"result: {key} is {_cut_repr(data[key]) if key in data else 'missing'}; {right}")
    return Result(how, winner, tuple(points or ()), note)  # type: ignore[arg-type]  # how is one of these


def _final(final: str | None) -> str | None:
    if final is not None and not re.fullmatch("[0-9a-f]{16}", final):
        raise BadRecord(f"final {_cut_repr(final)}: it is 16 hexadecimal digits")
    return final


def _tags(tags: Mapping[Any, Any], colors: tuple[str, ...]) -> dict[str, str]:
    taken = {name.lower() for name in (*TAGS, *colors)}
    for name, text in tags.items():
        plain = isinstance(name, str) and re.fullmatch(r"[A-Za-z][\w-]*", name)
        if not plain or name.lower().replace("_", "").replace("-", "") in taken or not isinstance(text, str):
            raise BadRecord(f"tags: {_cut_repr(name)} cannot be a tag of your own")
    return dict(tags)


def _cut_repr(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."
