"""Games being written into a file, one after another; whatever happens, it holds whole games only."""

from __future__ import annotations

import tempfile
from pathlib import Path
from types import TracebackType
from typing import IO, TYPE_CHECKING, Final, Self

from .files import BadCall, check_writable, ending_of, holds_something, write_error

if TYPE_CHECKING:
    from hexholm.game.game import Record

RECORD_FORMS: Final = {"jsonl": "jsonl", "hexholm": "text", "txt": "text", "parquet": "parquet"}
"""How games are kept, by the ending of the file."""


def form_of(file: str, flag: str) -> str:
    """How games are kept in this file: "text", "jsonl" or "parquet"."""
    form = RECORD_FORMS.get(ending_of(file))
    if form is None:
        endings = ", ".join(f".{name}" for name in RECORD_FORMS)
        raise BadCall(f"{flag} {file}: the file name must end with {endings}")
    return form


def serialize_record(record: Record, form: str, number: int) -> str:
    """A game as text or as a line of JSON; `number` of those before it."""
    if form == "text":
        return "\n" * (number > 0) + record.text()
    return record.to_json() + "\n"


class RecordFile:
    """Use it in a `with`; `add` writes a game. A game that was interrupted half way is taken out again.

    Parquet is a pair of tables, `games.parquet` and `games.steps.parquet`. They are written at the end; until then the
    games wait in a file of their own. What is in the file is replaced; `replaced` says so.
    """

    def __init__(self, file: str, flag: str, form: str | None = None) -> None:
        self.file, self.form = file, form or form_of(file, flag)
        self.games_written = 0
        self._whole_bytes = 0
        self._stream: IO[bytes] | None = None
        self.files = [file]
        if self.form == "parquet":
            if RECORD_FORMS.get(ending_of(file)) != "parquet":
                raise BadCall(f"{flag} {file}: Parquet files end with .parquet")
            from hexholm.game.records.export import parquet_paths

            self.files = [str(path) for path in parquet_paths(file)]
        for name in self.files:
            check_writable(name, flag)
        self.replaced = any(holds_something(name) for name in self.files)

    def __enter__(self) -> Self:
        try:
            if self.form == "parquet":
                from hexholm.game.records.export import import_arrow

                import_arrow()
                self._stream = tempfile.TemporaryFile(dir=Path(self.file).parent)  # so that it is known to be writable
            else:
                self._stream = Path(self.file).open("wb", buffering=0)
        except OSError as error:
            raise write_error(self.file, error) from None
        return self

    def add(self, record: Record) -> None:
        """Write one more game, whole."""
        assert self._stream is not None
        remaining = memoryview(serialize_record(record, self.form, self.games_written).encode())
        whole = self._whole_bytes + len(remaining)
        while remaining:
            remaining = remaining[self._stream.write(remaining) :]
        self._whole_bytes, self.games_written = whole, self.games_written + 1

    def __exit__(
        self, error_type: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._stream is not None
        with self._stream as stream:
            if stream.seekable():
                stream.flush()
                stream.truncate(self._whole_bytes)
            if self.form == "parquet":
                self._write_tables(stream)

    def _write_tables(self, stream: IO[bytes]) -> None:
        from hexholm.game.game import Record
        from hexholm.game.records.export import read_jsonl, write_parquet

        stream.seek(0)
        games = read_jsonl((line.decode() for line in stream), check=False)
        write_parquet((game for game in games if isinstance(game, Record)), self.file)
