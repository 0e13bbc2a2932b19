"""Many games in files: text, JSON lines, and Parquet tables for statistics and learning.

    for game in read_any("games.txt"):            # text or JSON lines, whichever it is
        if isinstance(game, BadRecord): print(game)           # game 3: line 57: ...
    write_jsonl(records, "games.jsonl")
    write_parquet(records, "games.parquet")       # a row per game; games.steps.parquet has a row per step

Parquet needs the extra `hexholm[data]`. docs/formats/record.md lists the columns.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import Any, Final, TextIO

from hexholm.rules.errors import BadInput, MissingExtra
from hexholm.rules.names import KIND_NAMES, NATURE, kind_of

from ..game import Record
from ..record_format.json_form import as_data
from ..record_format.reader import read_all
from ..record_format.steps import BadRecord, nature_text

_ROWS_AT_ONCE: Final = 500
"""Games that are written to a Parquet table at once."""


# --- reading -------------------------------------------------------------------------------------------------


def read_any(source: str | Path, *, check: bool = True) -> Iterator[Record | BadRecord]:
    """All games of a file or a text, in text records or JSON lines.

    A game that cannot be read becomes a BadRecord that says why, with its number and line. A string is read as
    a text if it has several lines or begins like a record, else as the name of a file.
    """
    if isinstance(source, str) and ("\n" in source or source.lstrip("\ufeff \t").startswith(("[", "{"))):
        yield from _read_lines(iter(source.splitlines(keepends=True)), check)
        return
    path = Path(source)
    try:
        with path.open(encoding="utf-8-sig") as file:
            yield from _read_lines(file, check)
    except (OSError, ValueError) as error:
        if isinstance(error, BadInput):
            raise
        reason = (
            "it is not UTF-8 text"
            if isinstance(error, UnicodeDecodeError)
            else getattr(error, "strerror", None) or error
        )
        raise BadRecord(f"cannot read {str(source)[:200]!r}: {reason}") from None


def _read_lines(lines: Iterator[str] | TextIO, check: bool) -> Iterator[Record | BadRecord]:
    blank_lines: list[str] = []
    for line in lines:
        if line.strip("\ufeff \t\r\n"):
            break
        blank_lines.append(line)
    else:
        return
    if line.lstrip("\ufeff \t").startswith("{"):
        yield from read_jsonl(chain(blank_lines, [line], lines), check=check)
    else:
        yield from read_records("".join([*blank_lines, line, *lines]), check=check)


def read_records(text: str, *, check: bool = True) -> Iterator[Record | BadRecord]:
    """All games in a text, in order; for one that cannot be read, the BadRecord with its number and line."""
    return read_all(Record, text, check=check)


def read_jsonl(lines: Iterable[str], *, check: bool = True) -> Iterator[Record | BadRecord]:
    """The games in JSON lines; blank lines are skipped."""
    game_number = 0
    for number, line in enumerate(lines, 1):
        text = line.strip("\ufeff \t\r\n")
        if not text:
            continue
        game_number += 1
        try:
            yield Record.from_json(text, check=check)
        except BadRecord as error:
            yield BadRecord(error.message, number, game_number)


# --- writing -------------------------------------------------------------------------------------------------


def write_text(records: Iterable[Record], path: str | Path) -> int:
    """Write text records, separated by blank lines; returns how many."""
    n = 0
    with Path(path).open("w", encoding="utf-8", newline="\n") as file:
        for record in records:
            file.write("\n" * (n > 0) + record.text())
            n += 1
    return n


def write_jsonl(records: Iterable[Record], path: str | Path) -> int:
    """Write JSON lines, one game per line; returns how many."""
    n = 0
    with Path(path).open("w", encoding="utf-8", newline="\n") as file:
        for record in records:
            file.write(record.to_json() + "\n")
            n += 1
    return n


def parquet_paths(path: str | Path) -> tuple[Path, Path]:
    """The two files of `games.parquet`: itself, and `games.steps.parquet` beside it."""
    path = Path(path)
    stem = path.name.removesuffix(".parquet")
    return path.with_name(f"{stem}.parquet"), path.with_name(f"{stem}.steps.parquet")


def import_arrow() -> tuple[Any, Any]:
    """The library that writes Parquet; raises :class:`~hexholm.rules.errors.MissingExtra` if it is not there."""
    try:
        import pyarrow as pa  # type: ignore[import-untyped]
        from pyarrow import parquet
    except ImportError as error:
        raise MissingExtra("Parquet tables need one more package: pip install 'hexholm[data]'") from error
    return pa, parquet


def write_parquet(records: Iterable[Record], path: str | Path) -> tuple[Path, Path]:
    """Write two tables, as :func:`parquet_paths` names them: a row per game, and a row per step.

    Both are written beside their place and moved there when complete, so there is never half a table.
    """
    pa, parquet = import_arrow()
    paths = parquet_paths(path)
    temporary_paths = [target.with_name(f".{target.name}.{os.getpid()}.new") for target in paths]
    try:
        _write_tables(pa, parquet, records, temporary_paths)
        for temporary, target in zip(temporary_paths, paths, strict=True):
            temporary.replace(target)
    finally:
        for temporary in temporary_paths:
            temporary.unlink(missing_ok=True)
    return paths


def _write_tables(pa: Any, parquet: Any, records: Iterable[Record], paths: Sequence[Path]) -> None:
    schemas = [
        pa.schema([(name, _arrow_type(pa, kind)) for name, kind in table.items()])
        for table in (GAME_COLUMNS, STEP_COLUMNS)
    ]
    with parquet.ParquetWriter(paths[0], schemas[0]) as games, parquet.ParquetWriter(paths[1], schemas[1]) as steps:
        game_rows: list[dict[str, Any]] = []
        step_batch: list[dict[str, Any]] = []

        def write() -> None:
            games.write_table(pa.Table.from_pylist(game_rows, schema=schemas[0]))
            steps.write_table(pa.Table.from_pylist(step_batch, schema=schemas[1]))
            game_rows.clear()
            step_batch.clear()

        for number, record in enumerate(records):
            game_rows.append(game_row(number, record))
            step_batch += step_rows(number, record)
            if len(game_rows) == _ROWS_AT_ONCE:
                write()
        if game_rows:
            write()


GAME_COLUMNS: Final = {
    "game": "int64",
    "edition": "word",
    "players": "int8",
    "colors": "texts",
    "names": "texts",
    "seen_by": "word",
    "options": "text",
    "board": "text",
    "start": "text",
    "starter": "word",
    "result": "word",
    "winner": "word",
    "winner_seat": "int8",
    "points": "numbers",
    "note": "text",
    "turns": "int32",
    "steps": "int32",
    "final": "text",
}
"""The columns of the table of games, and their types."""
STEP_COLUMNS: Final = {
    "game": "int64",
    "ply": "int32",
    "turn": "int32",
    "active": "int8",
    "seat": "int8",
    "player": "word",
    "kind": "word",
    "text": "text",
    "outcome": "word",
}
"""The columns of the table of steps, and their types."""


def _arrow_type(pa: Any, kind: str) -> Any:
    """The type of a column; words of which there are few are kept as numbers."""
    types = {
        "word": pa.dictionary(pa.int16(), pa.string()),
        "text": pa.string(),
        "texts": pa.list_(pa.string()),
        "numbers": pa.list_(pa.int16()),
        "int8": pa.int8(),
        "int32": pa.int32(),
        "int64": pa.int64(),
    }
    return types[kind]


def game_row(number: int, record: Record) -> dict[str, Any]:
    """The row of a game; numbers of games count from 0."""
    data, result = as_data(record), record.result
    winner = None if result is None else result.winner
    return {
        "game": number,
        "edition": record.options.edition,
        "players": record.options.players,
        "colors": list(record.colors),
        "names": list(record.names),
        "seen_by": record.eyes,
        "options": json.dumps(data["options"]),
        "board": json.dumps(data["board"]),
        "start": record.start,
        "starter": record.first,
        "result": None if result is None else result.how,
        "winner": winner,
        "winner_seat": None if winner is None else record.colors.index(winner),
        "points": None if result is None else list(result.points),
        "note": None if result is None else result.note,
        "turns": record.turns,
        "steps": len(record),
        "final": record.final,
    }


def step_rows(number: int, record: Record) -> Iterator[dict[str, Any]]:
    """The rows of the steps of a game; chance has seat -1 and an outcome, null where it is hidden."""
    tracker = record.turn_tracker()
    for ply, ((seat, code), text) in enumerate(zip(record.steps, record.texts, strict=True)):
        outcome = nature_text(code, record.colors) if seat == NATURE else None
        yield {
            "game": number,
            "ply": ply,
            "turn": tracker.turn,
            "active": tracker.seat,
            "seat": seat,
            "player": None if seat == NATURE else record.colors[seat],
            "kind": KIND_NAMES[kind_of(code)],
            "text": text if seat == NATURE else text.partition(" ")[2],
            "outcome": None if outcome == "?" else outcome,
        }
        tracker.step(code)
