"""What is committed gets from the write-ahead log into the database beside the writing, not within a commit."""

from __future__ import annotations

import asyncio
import contextlib
import shutil
import sqlite3
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from hexholm.host.storage import (
    EntryRow,
    PersonalText,
    Storage,
    Writes,
)
from hexholm.host.storage.databases import sqlite_database
from hexholm.host.storage.repositories.guest_data import GuestData
from hexholm.host.storage.writing import checkpoints, commit

pytestmark = pytest.mark.waits

PAGE = 4096


def within(db: Path, story: Callable[[Storage], Awaitable[None]]) -> None:
    """Tell a story with an open storage."""

    async def run() -> None:
        async with Storage(db) as storage:
            await story(storage)

    asyncio.run(run())


def entry_at(seq: int) -> EntryRow:
    return EntryRow(seq, float(seq), "played", "{}", f"hash{seq}")


async def appended(storage: Storage, many: int) -> None:
    """One commit for each entry."""
    for seq in range(1, many + 1):
        await storage.append(Writes("t", [entry_at(seq)]))


def length_of_log(db: Path) -> int:
    return Path(f"{db}-wal").stat().st_size


def entries_without_log(db: Path) -> int:
    """How many entries are in the file of a database itself, without what its log would add.

    None where the file cannot be read alone: its tables are in the log still, or it is being written.
    """
    alone = db.with_name("alone.db")
    shutil.copyfile(db, alone)
    with contextlib.closing(sqlite3.connect(alone)) as connection, contextlib.suppress(sqlite3.DatabaseError):
        return int(connection.execute("SELECT count(*) FROM entry").fetchone()[0])
    return 0


def test_what_is_committed_gets_into_the_database_while_it_is_open(db: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checkpoints, "PAUSE", 0.01)

    async def story(storage: Storage) -> None:
        await appended(storage, 20)
        for _ in range(1000):
            if entries_without_log(db) == 20:
                return
            await asyncio.sleep(0.01)
        pytest.fail(f"{entries_without_log(db)} of 20")

    within(db, story)


def test_no_commit_waits_for_the_log_to_be_emptied(db: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checkpoints, "PAUSE", 1000.0)  # the first one is at once, with the first commit

    async def story(storage: Storage) -> None:
        await appended(storage, 600)
        assert length_of_log(db) > 1500 * PAGE  # SQLite by itself would have begun it anew after 1000
        assert entries_without_log(db) < 100

    within(db, story)
    assert entries_without_log(db) == 600, "at the end it is emptied"


def test_a_log_that_never_gets_empty_is_begun_anew_when_it_is_long(db: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checkpoints, "PAUSE", 0.0)
    monkeypatch.setattr(checkpoints, "LONG_WRITE_AHEAD_LOG", 50)

    async def story(storage: Storage) -> None:
        seq = 0
        while seq < 300 or length_of_log(db) > seq * PAGE:  # a commit takes two pages of a log, or more
            seq += 1
            await storage.append(Writes("t", [entry_at(seq)]))
            assert seq < 20_000, "the log only grows"
        assert len(await storage.entries("t")) == seq

    within(db, story)


def test_nothing_that_was_deleted_for_good_stays_in_the_log(db: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checkpoints, "PAUSE", 0.01)

    async def story(storage: Storage) -> None:
        await storage.append(
            Writes("t", [EntryRow(1, 1.0, "said", "{}", None, (PersonalText("text", "ann", "PLUM"),))])
        )
        with contextlib.closing(sqlite3.connect(db)) as reader:  # who reads now holds it up, and nothing else
            reader.execute("BEGIN")
            reader.execute("SELECT count(*) FROM entry").fetchone()
            await GuestData(storage).forget("ann")
            await storage.append(Writes("t", [entry_at(2)]))
        for _ in range(1000):
            if not any(b"PLUM" in path.read_bytes() for path in db.parent.iterdir()):
                return
            await asyncio.sleep(0.01)
        pytest.fail("it is there still")

    within(db, story)


def test_no_commit_waits_for_somebody_who_reads_while_the_log_is_long(
    db: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checkpoints, "PAUSE", 0.0)
    monkeypatch.setattr(checkpoints, "LONG_WRITE_AHEAD_LOG", 50)
    restarts = 0
    anew = commit.Committer.restart_wal

    def counted(self: commit.Committer) -> None:
        nonlocal restarts
        restarts += 1
        anew(self)

    monkeypatch.setattr(commit.Committer, "restart_wal", counted)
    monkeypatch.setattr(sqlite_database, "BUSY_MS", 3_600_000)  # who waited for the reader would wait for an hour

    async def story(storage: Storage) -> None:
        await appended(storage, 60)
        with contextlib.closing(sqlite3.connect(db)) as reader:
            reader.execute("BEGIN")
            before = reader.execute("SELECT count(*) FROM entry").fetchone()
            seq = 60
            while restarts < 3:
                seq += 1
                await storage.append(Writes("t", [entry_at(seq)]))
            assert reader.execute("SELECT count(*) FROM entry").fetchone() == before == (60,)

    within(db, lambda storage: asyncio.wait_for(story(storage), 60))


def test_a_log_that_cannot_be_shortened_stops_nobody(
    db: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(_self: object) -> int:
        raise sqlite3.OperationalError("disk I/O error")

    monkeypatch.setattr(checkpoints, "PAUSE", 0.0)
    monkeypatch.setattr(checkpoints.Checkpoints, "_pages", fail)

    async def story(storage: Storage) -> None:
        await appended(storage, 20)
        assert len(await storage.entries("t")) == 20

    with caplog.at_level("WARNING", "hexholm.host"):
        within(db, story)
    assert "could not be shortened: OperationalError: disk I/O error" in caplog.text
