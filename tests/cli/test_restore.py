"""`hexholm restore`: a backup put back, what was there is kept, and what there is to know of the key."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest

from hexholm.host.storage import EntryRow, GuestRow, Storage, Writes
from hexholm.host.storage.repositories.guest_data import GuestData
from hexholm.host.web.admission.identity import KEY_BYTES, read_key_beside

from .conftest import CommandResult

Run = Callable[[str], CommandResult]


async def add_game(db: Path, table: str) -> None:
    async with Storage(str(db)) as storage:
        entry = EntryRow(seq=1, time=1.0, tag="opened", body="{}")
        await storage.append(Writes(table, entries=[entry], status="playing", summary="{}"))


def tables(db: Path) -> set[str]:
    async def read() -> set[str]:
        async with Storage(str(db)) as storage:
            return {row.id for row in await storage.tables()}

    return asyncio.run(read())


@pytest.fixture
def backup(hexholm: Run, tmp_path: Path) -> Path:
    """A backup of a database `h.db`, which has one more game by now."""
    db, copy = tmp_path / "h.db", tmp_path / "backup.db"
    asyncio.run(add_game(db, "early"))
    assert hexholm(f"backup {copy} --db {db}")[0] == 0
    asyncio.run(add_game(db, "late"))
    return copy


def test_a_backup_is_put_back_and_what_was_there_is_kept(hexholm: Run, backup: Path) -> None:
    db = backup.with_name("h.db")
    code, out, err = hexholm(f"restore {backup} --db {db}")
    assert (code, out) == (0, "")
    first, second, third = err.splitlines()
    assert first == f"restored {backup} into {db}: 1 game, 1 of them not over"
    kept = next(db.parent.glob("h.db.before-restore-*"))
    assert second == f"what was there is kept: {kept}"
    assert "there is no" in third
    assert tables(db) == {"early"}
    assert tables(kept) == {"early", "late"}


def test_the_key_that_lies_beside_a_backup_is_brought_along(hexholm: Run, backup: Path, tmp_path: Path) -> None:
    key = backup.with_name("backup.db.secret")
    key.write_bytes(b"k" * KEY_BYTES)
    moved = tmp_path / "moved.db"
    code, _, err = hexholm(f"restore {backup} --db {moved}")
    assert code == 0
    assert err.endswith(f"{moved}.secret, the key of the guests' cookies, is that of the backup\n")
    assert read_key_beside(moved) == b"k" * KEY_BYTES
    assert hexholm(f"restore {backup} --db {moved}")[2].endswith("is that of the backup\n")


def test_a_key_that_is_there_stays_and_is_spoken_of(hexholm: Run, backup: Path) -> None:
    db = backup.with_name("h.db")
    own = read_key_beside(db)
    assert "is as it was: it must be the one of the backup" in hexholm(f"restore {backup} --db {db}")[2]
    backup.with_name("backup.db.secret").write_bytes(b"k" * KEY_BYTES)
    assert "guests of the backup are strangers unless" in hexholm(f"restore {backup} --db {db}")[2]
    assert read_key_beside(db) == own


@pytest.mark.parametrize(
    ("name", "reason"), [("missing.db", "there is no such backup"), ("notes.txt", "is no database: hexholm backup")]
)
def test_what_cannot_be_put_back_is_refused_in_one_line(hexholm: Run, backup: Path, name: str, reason: str) -> None:
    db, source = backup.with_name("h.db"), backup.with_name(name)
    if name == "notes.txt":
        source.write_text("milk", encoding="utf-8")
    code, out, err = hexholm(f"restore {source} --db {db}")
    assert (code, out) == (2, "")
    assert err.startswith("hexholm: ")
    assert err.count("\n") == 1
    assert reason in err
    assert tables(db) == {"early", "late"}


def test_a_server_that_runs_keeps_its_database(hexholm: Run, backup: Path) -> None:
    db = backup.with_name("h.db")
    from hexholm.host.storage.databases.database_lock import DatabaseLock

    lock = DatabaseLock(db)
    code, _, err = hexholm(f"restore {backup} --db {db}")
    lock.release()
    assert code == 2
    assert "is in use by process" in err
    assert not list(db.parent.glob("h.db.before-restore-*"))


def test_on_another_machine_the_database_of_before_is_named(hexholm: Run, backup: Path, tmp_path: Path) -> None:
    db = tmp_path / "moved.db"
    assert "name the database of before with --forgotten-in" in hexholm(f"restore {backup} --db {db}")[2]
    code, _, err = hexholm(f"restore {backup} --db {tmp_path / 'again.db'} --forgotten-in {tmp_path / 'none.db'}")
    assert (code, "there is no such database" in err) == (2, True)
    (tmp_path / "note.db").write_text("remember the milk", encoding="utf-8")
    code, _, err = hexholm(f"restore {backup} --db {tmp_path / 'again.db'} --forgotten-in {tmp_path / 'note.db'}")
    assert (code, "who was deleted there cannot be read" in err) == (2, True)
    assert not (tmp_path / "again.db").exists()
    assert "--forgotten-in" not in hexholm(f"restore {backup} --db {tmp_path / 'again.db'} --forgotten-in {db}")[2]


def test_who_was_deleted_after_the_backup_does_not_come_back_with_it(hexholm: Run, tmp_path: Path) -> None:
    db, backup = tmp_path / "h.db", tmp_path / "backup.db"

    async def come() -> None:
        async with Storage(str(db)) as storage:
            for name in ("ann", "bob"):
                await storage.add_guest(GuestRow(name, 1.0, name.title()))

    async def go() -> None:
        async with Storage(str(db)) as storage:
            for guest_id in ("ann", "cid"):  # the second one came after the backup
                await GuestData(storage).forget(guest_id)

    async def look() -> tuple[str, str, int]:
        async with Storage(str(db)) as storage:
            rows = GuestData(storage)
            ann, bob = [(await rows.export(guest_id)).name for guest_id in ("ann", "bob")]
            return ann, bob, len(await rows.forgotten())

    asyncio.run(come())
    assert hexholm(f"backup {backup} --db {db}")[0] == 0
    asyncio.run(go())
    err = hexholm(f"restore {backup} --db {db}")[2]
    assert "deleted since the backup, and now again: 1 guest\n" in err
    assert asyncio.run(look()) == ("", "Bob", 2)
