"""Games that were written down once and must be read for ever.

The files beside this one are never edited, only added to: whatever a later version of the program does, it reads them,
plays them, reaches the positions they name, and writes them byte by byte as they are. A file holds one game; its name
says what is in it. The name of the format is in its first line: another format will have other files.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from hexholm.game.game import Record
from hexholm.game.records.verify import verify

FILES = sorted(Path(__file__).parent.glob("*.txt"))


def test_the_old_records_are_there() -> None:
    assert len(FILES) >= 10


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_an_old_record_is_read_played_and_written_as_it_was(path: Path) -> None:
    text = path.read_bytes().decode()
    record = Record.read(text)
    assert record.text() == text
    assert Record.from_json(record.to_json()) == record
    verdict = verify(record)
    assert verdict.ok, verdict
    if record.eyes is None:
        assert record.final is not None
        assert Record.of(record.game()).final == record.final
