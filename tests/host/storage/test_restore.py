"""A backup is put back whole or not at all, nothing is put back that would do damage, and what was there is kept."""

from __future__ import annotations

import asyncio
import os
import shutil
import stat
from pathlib import Path

import psycopg
import pytest

from hexholm.host.storage import (
    CannotOpen,
    DatabaseInUse,
    DatabaseTooNew,
    GuestRow,
    HoldingRow,
    Storage,
    StorageFailed,
    database_of,
)
from hexholm.host.storage.repositories.guest_data import GuestData
from tests.host.postgres import Cluster

from .stored_rows import carry_out, entries_batch, run_with_storage

pytestmark = pytest.mark.waits


def make_backup(database: str, target: Path) -> Path:
    """A backup of a database with one game that is over and one that is not."""

    async def story(storage: Storage) -> None:
        await storage.append(entries_batch("old", 1, 2, status="over"))
        await storage.append(entries_batch("new", 1, status="playing"))
        await storage.backup(target)
        await storage.append(entries_batch("new", 2))  # too late for the backup

    run_with_storage(database, story)
    return target


def lengths(database: str) -> dict[str, int]:
    """How many entries each log has."""
    found = {}

    async def story(storage: Storage) -> None:
        for row in await storage.tables():
            found[row.id] = len(await storage.entries(row.id))

    run_with_storage(database, story)
    return found


BACKED_UP = {"old": 2, "new": 1}


# --- both -------------------------------------------------------------------------------------------------------------


def test_what_was_backed_up_is_there_again(database: str, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    backup = make_backup(database, tmp_path / "backup")
    if "://" in database:
        cluster = request.getfixturevalue("cluster")
        target = cluster.new_database()
    else:
        target = str(tmp_path / "other.db")
    restored = database_of(target).restore(backup)
    assert (restored.games, restored.unfinished, restored.kept) == (2, 1, None)
    assert lengths(target) == BACKED_UP
    assert backup.exists()


def test_who_was_deleted_since_is_deleted_again_wherever_the_backup_goes(
    database: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    if "://" in database:
        target = request.getfixturevalue("cluster").new_database()
    else:
        target = str(tmp_path / "elsewhere.db")
    backup = tmp_path / "backup"

    async def come_and_go(storage: Storage) -> None:
        for name in ("ann", "bob"):
            await storage.append(entries_batch(f"of {name}", 1, people=[HoldingRow(name, "red", is_creator=True)]))
            await storage.add_guest(GuestRow(name, 1.0, name.title()))
        await storage.backup(backup)
        await GuestData(storage).forget("ann")

    names: list[str] = []

    async def look(storage: Storage) -> None:
        names.extend([(await GuestData(storage).export(guest_id)).name for guest_id in ("ann", "bob")])
        assert len(await GuestData(storage).forgotten()) == 1

    run_with_storage(database, come_and_go)
    hashes = database_of(database).forgotten_guests()
    assert len(hashes) == 1
    assert database_of(target).restore(backup, hashes).forgotten == 1
    run_with_storage(target, look)
    assert names == ["", "Bob"]


def test_no_backup_and_what_is_none_is_refused(database: str, tmp_path: Path) -> None:
    with pytest.raises(CannotOpen, match="missing: there is no such backup"):
        database_of(database).restore(tmp_path / "missing")
    with pytest.raises(CannotOpen, match=r"there is no such backup"):
        database_of(database).restore(tmp_path)
    note = tmp_path / "note.txt"
    note.write_text("remember the milk", encoding="utf-8")
    with pytest.raises(CannotOpen, match=r"note.txt is no (database|dump of PostgreSQL): hexholm backup makes one"):
        database_of(database).restore(note)


def test_a_running_server_keeps_its_database(database: str, tmp_path: Path) -> None:
    backup = make_backup(database, tmp_path / "backup")

    async def story(storage: Storage) -> None:
        before = {row.id for row in await storage.tables()}
        with pytest.raises(DatabaseInUse, match="is in use by"):
            await asyncio.to_thread(database_of(database).restore, backup)
        assert {row.id for row in await storage.tables()} == before

    run_with_storage(database, story)
    assert lengths(database) == {"old": 2, "new": 2}


# --- a file -----------------------------------------------------------------------------------------------------------


def kept_files(db: Path) -> list[Path]:
    return sorted(db.parent.glob(f"{db.name}.before-restore-*"))


def test_what_was_there_is_kept_and_can_be_put_back(db: Path, tmp_path: Path) -> None:
    backup = make_backup(str(db), tmp_path / "backup.db")
    restored = database_of(db).restore(backup)
    assert restored.kept in kept_files(db)
    assert lengths(str(db)) == BACKED_UP
    assert stat.S_IMODE(db.stat().st_mode) == 0o600
    assert db.stat().st_nlink == restored.kept.stat().st_nlink == 1
    again = database_of(db).restore(restored.kept)
    assert lengths(str(db)) == {"old": 2, "new": 2}
    assert len({restored.kept, again.kept, *kept_files(db)}) == 2, "two restores in a second keep two files"
    assert not list(tmp_path.glob("*.restored*"))


def crashed(db: Path) -> Path:
    """The database as a killed server leaves it: its latest moves are in the log beside it."""
    folder = db.parent / "crashed"
    folder.mkdir()

    async def story(storage: Storage) -> None:
        await storage.append(entries_batch("new", 2))
        for path in db.parent.glob("h.db*"):
            shutil.copy(path, folder)

    run_with_storage(db, story)
    assert (folder / "h.db-wal").stat().st_size > 0
    return folder / "h.db"


def test_the_log_of_a_killed_server_does_not_meet_the_backup_and_is_not_lost(db: Path, tmp_path: Path) -> None:
    """review/HOST.md 13: SQLite would play the stale log into the file that was put back, and damage it."""
    backup = make_backup(str(db), tmp_path / "backup.db")
    database_of(db).restore(backup)  # the table "new" has one entry again
    killed = crashed(db)
    restored = database_of(killed).restore(backup)
    assert not [path.name for path in killed.parent.glob("h.db-*")]
    assert lengths(str(killed)) == BACKED_UP
    assert restored.kept is not None
    assert lengths(str(restored.kept)) == {"old": 2, "new": 2}


def test_a_log_without_its_file_does_not_meet_the_backup(db: Path, tmp_path: Path) -> None:
    backup = make_backup(str(db), tmp_path / "backup.db")
    database_of(db).restore(backup)
    killed = crashed(db)
    killed.unlink()
    assert database_of(killed).restore(backup).kept is None
    assert not killed.with_name("h.db-wal").exists()
    assert (killed.parent / "h.db-wal.before-restore").exists()
    assert lengths(str(killed)) == BACKED_UP


def test_a_damaged_database_is_kept_as_it_is(db: Path, tmp_path: Path) -> None:
    backup = make_backup(str(db), tmp_path / "backup.db")
    database_of(db).restore(backup)
    killed = crashed(db)
    log = killed.with_name("h.db-wal").read_bytes()
    with killed.open("rb+") as file:
        file.write(b"no database any more")
    restored = database_of(killed).restore(backup)
    assert restored.kept is not None
    assert restored.kept.read_bytes().startswith(b"no database any more")
    assert restored.kept.with_name(restored.kept.name + "-wal").read_bytes() == log
    assert lengths(str(killed)) == BACKED_UP


def test_who_was_deleted_since_is_not_even_there_at_the_moment_of_putting_back(
    db: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What gets the name of the database has forgotten them already: a kill at any moment does not bring them back."""
    people = [HoldingRow("ann", "red", is_creator=True)]
    seen: list[int] = []
    replace = Path.replace

    async def come(storage: Storage) -> None:
        await storage.append(entries_batch("t", 1, people=people))
        await storage.add_guest(GuestRow("ann", 1.0, "Ann"))
        await storage.backup(tmp_path / "backup.db")
        await GuestData(storage).forget("ann")

    def look(path: Path, target: Path) -> Path:
        if path.name.endswith(".restored"):
            ((count,),) = carry_out(str(path), "SELECT (SELECT count(*) FROM guest) + (SELECT count(*) FROM holding)")
            seen.append(count)
        return replace(path, target)

    run_with_storage(db, come)
    monkeypatch.setattr(Path, "replace", look)
    assert database_of(db).restore(tmp_path / "backup.db").forgotten == 1
    assert seen == [0]


def test_who_was_deleted_since_is_forgotten_in_a_backup_of_an_older_program_too(db: Path, tmp_path: Path) -> None:
    kept = sorted((Path(__file__).parents[2] / "older_versions").rglob("*.db"))
    older = Path(shutil.copy(kept[0], tmp_path / "older.db"))
    guest_id = carry_out(str(older), "SELECT guest FROM holding ORDER BY guest LIMIT 1")[0][0]

    async def go(storage: Storage) -> None:
        await GuestData(storage).forget(guest_id)

    run_with_storage(db, go)
    assert database_of(db).restore(older).forgotten == 1
    assert carry_out(str(db), f"SELECT * FROM holding WHERE guest = '{guest_id}'") == []  # noqa: S608  # ours


def damaged(backup: Path) -> None:
    size = backup.stat().st_size
    with backup.open("rb+") as file:
        file.seek(size // 2)
        file.write(os.urandom(size // 4))


def cut_short(backup: Path) -> None:
    os.truncate(backup, backup.stat().st_size // 2)


@pytest.mark.parametrize("harm", [damaged, cut_short])
def test_a_damaged_backup_changes_nothing(db: Path, tmp_path: Path, harm: object) -> None:
    backup = make_backup(str(db), tmp_path / "backup.db")
    harm(backup)  # type: ignore[operator]
    before = db.read_bytes()
    with pytest.raises(CannotOpen, match=r"backup.db is damaged and is not put back"):
        database_of(db).restore(backup)
    assert db.read_bytes() == before
    assert not kept_files(db)
    assert not list(tmp_path.glob("*.restored*"))


def test_a_backup_of_something_else_or_a_newer_program_changes_nothing(db: Path, tmp_path: Path) -> None:
    backup = make_backup(str(db), tmp_path / "backup.db")
    before = db.read_bytes()
    newer = Path(shutil.copy(backup, tmp_path / "newer.db"))
    carry_out(str(newer), "UPDATE alembic_version SET version_num = '9999'")
    with pytest.raises(DatabaseTooNew, match=r"newer.db is not put back: its shape 9999 is newer than this program"):
        database_of(db).restore(newer)
    for name, statement, reason in (
        ("recipes.db", "CREATE TABLE recipes (name text)", r"something else \(recipes\)"),
        ("empty.db", "PRAGMA user_version = 7", "it is empty"),
    ):
        other = tmp_path / name
        carry_out(str(other), statement)
        with pytest.raises(CannotOpen, match=rf"{name} is not put back: .*{reason}"):
            database_of(db).restore(other)
    with pytest.raises(CannotOpen, match="is the database itself"):
        database_of(db).restore(db)
    with pytest.raises(CannotOpen, match="there is no folder"):
        database_of(tmp_path / "nowhere" / "h.db").restore(backup)
    assert db.read_bytes() == before
    assert not kept_files(db)


def test_a_backup_of_an_older_program_is_brought_up_to_date_when_it_is_opened(db: Path, tmp_path: Path) -> None:
    kept = Path(__file__).parents[2] / "older_versions"
    older = next(iter(sorted(kept.rglob("*.db"))), None)
    if older is None:
        pytest.fail("there is no database of an older version")
    # A copy: SQLite leaves files beside a database in WAL mode, even where it only reads.
    restored = database_of(db).restore(Path(shutil.copy(older, tmp_path / "older.db")))
    assert restored.games == len(lengths(str(db))) > 0


def test_a_full_disk_changes_nothing(db: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    backup = make_backup(str(db), tmp_path / "backup.db")
    before = db.read_bytes()

    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(StorageFailed, match="No space left"):
        database_of(db).restore(backup)
    monkeypatch.undo()
    assert db.read_bytes() == before
    assert not list(tmp_path.glob("*.restored*"))


# --- a server ---------------------------------------------------------------------------------------------------------


def test_a_database_that_is_not_empty_is_left_alone(cluster: Cluster, tmp_path: Path) -> None:
    database = cluster.new_database()
    backup = make_backup(database, tmp_path / "backup.dump")
    with pytest.raises(CannotOpen, match=r"it is not empty \(.*game_table.*createdb|it is not empty \("):
        database_of(database).restore(backup)
    assert lengths(database) == {"old": 2, "new": 2}
    recipes = cluster.new_database()
    carry_out(recipes, "CREATE SCHEMA kitchen", "CREATE TABLE kitchen.recipes (name text)")
    with pytest.raises(CannotOpen, match=r"it is not empty \(recipes\)"):
        database_of(recipes).restore(backup)


def test_a_dump_that_is_damaged_foreign_or_too_new_changes_nothing(cluster: Cluster, tmp_path: Path) -> None:
    database, target = cluster.new_database(), cluster.new_database()
    backup = make_backup(database, tmp_path / "backup.dump")
    cut = Path(shutil.copy(backup, tmp_path / "cut.dump"))
    os.truncate(cut, backup.stat().st_size * 2 // 3)
    with pytest.raises((CannotOpen, StorageFailed), match=r"cut.dump cannot be"):
        database_of(target).restore(cut)
    carry_out(database, "UPDATE alembic_version SET version_num = '9999'")
    newer = database_of(database).copy_to(tmp_path / "newer.dump")
    with pytest.raises(DatabaseTooNew, match=r"newer.dump is not put back: its shape 9999 is newer"):
        database_of(target).restore(newer)
    recipes = cluster.new_database()
    carry_out(recipes, "CREATE TABLE recipes (name text)")
    foreign = database_of(recipes).copy_to(tmp_path / "recipes.dump")
    with pytest.raises(CannotOpen, match=r"recipes.dump is not put back: it is no backup of a Hexholm server"):
        database_of(target).restore(foreign)
    with psycopg.connect(target) as connection:
        count = "SELECT count(*) FROM pg_tables WHERE schemaname = 'public'"
        assert connection.execute(count).fetchone() == (0,)
    assert database_of(target).restore(backup).games == 2


def test_each_kind_of_backup_goes_to_its_kind_of_database(cluster: Cluster, db: Path, tmp_path: Path) -> None:
    file = make_backup(str(db), tmp_path / "backup.db")
    dump = make_backup(cluster.new_database(), tmp_path / "backup.dump")
    with pytest.raises(CannotOpen, match="is a dump of PostgreSQL; name a database there"):
        database_of(db).restore(dump)
    with pytest.raises(CannotOpen, match="is an SQLite database; name a file for it"):
        database_of(cluster.new_database()).restore(file)


def test_a_database_of_another_encoding_or_none_is_refused(cluster: Cluster, tmp_path: Path) -> None:
    dump = make_backup(cluster.new_database(), tmp_path / "backup.dump")
    with pytest.raises(CannotOpen, match=r"its encoding is LATIN1, UTF8 is needed"):
        database_of(cluster.new_database("ENCODING LATIN1 TEMPLATE template0")).restore(dump)
    with pytest.raises(CannotOpen, match=r'"nowhere" does not exist'):
        database_of(cluster.address("nowhere")).restore(dump)


def test_without_pg_restore_the_command_is_said(
    cluster: Cluster, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    dump = make_backup(cluster.new_database(), tmp_path / "backup.dump")
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(CannotOpen, match=r"pg_restore --no-owner .*'--dbname=postgresql://ann@h/db' \S+backup.dump"):
        database_of("postgresql://ann:s3cret@h/db").restore(dump)
