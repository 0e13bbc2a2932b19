"""Databases are opened by one server, refused or brought up to date."""

from __future__ import annotations

import asyncio
import json
import os
import platform
import shutil
import signal
import sqlite3
import stat
from pathlib import Path
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext

from hexholm import __version__
from hexholm.host.storage import (
    CannotOpen,
    DatabaseInUse,
    DatabaseTooNew,
    EntryRow,
    GuestRow,
    Storage,
    Writes,
)
from hexholm.host.storage.database_tables import metadata
from hexholm.host.storage.databases import upgrade
from hexholm.host.storage.repositories.shares import Shares
from hexholm.host.storage.storage import database_of
from tests.host.postgres import Cluster

from .stored_rows import carry_out, columns, entries_batch, is_address, run_script, run_with_storage

pytestmark = pytest.mark.waits

# ----------------------------------------------------------------------------------------------------------- opening


@pytest.mark.parametrize("durability, level", [("normal", 1), ("full", 2)])
def test_the_durability_asked_for_is_in_force(db: Path, durability: Any, level: int) -> None:
    async def story(storage: Storage) -> None:
        assert storage._engine is not None
        assert storage._writing is not None
        async with storage._engine.connect() as reading:
            for name, value in [("journal_mode", "wal"), ("foreign_keys", 1), ("busy_timeout", 5000)]:
                assert (await reading.exec_driver_sql(f"PRAGMA {name}")).scalar() == value
        with storage._writing.connect() as writing:
            pragmas = [("synchronous", level), ("journal_mode", "wal"), ("foreign_keys", 1), ("busy_timeout", 5000)]
            for name, value in pragmas:
                assert writing.exec_driver_sql(f"PRAGMA {name}").scalar() == value

    run_with_storage(db, story, durability=durability)


def test_a_second_server_on_the_database_is_refused(database: str) -> None:
    async def story(storage: Storage) -> None:
        second = await asyncio.to_thread(
            run_script,
            """
            import asyncio, sys
            from hexholm.host.storage import DatabaseInUse, Storage

            try:
                asyncio.run(Storage(sys.argv[1]).open())
            except DatabaseInUse as error:
                print(error)
            """,
            database,
        )
        assert second.stderr == ""
        holder, stop = f"process {os.getpid()}", f"stop it (kill {os.getpid()})"
        if is_address(database):
            holder, stop = f"hexholm, process {os.getpid()} on {platform.node()}", "stop it"
        assert second.stdout == f"{storage.name} is in use by {holder}; {stop} or name another database\n"
        with pytest.raises(DatabaseInUse):
            await Storage(database).open()
        await storage.append(entries_batch("t", 1))

    run_with_storage(database, story)
    run_with_storage(
        database, lambda storage: storage.append(entries_batch("t", 2))
    )  # the lock file is still there and hinders nobody


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_workers_forked_by_a_killed_server_do_not_keep_its_database(database: str) -> None:
    killed = run_script(
        """
        import asyncio, os, signal, sys, time, warnings
        from hexholm.host.storage import Storage

        warnings.simplefilter("ignore")  # later Pythons warn of forking with threads
        storage = Storage(sys.argv[1])
        loop = asyncio.new_event_loop()
        loop.run_until_complete(storage.open())
        worker = os.fork()
        if worker == 0:
            os.close(1), os.close(2)
            time.sleep(60)
            os._exit(0)
        time.sleep(0.2)
        print(worker, flush=True)
        os.kill(os.getpid(), signal.SIGKILL)
        """,
        database,
    )
    worker = int(killed.stdout)
    try:
        os.kill(worker, 0)
        run_with_storage(database, lambda storage: storage.append(entries_batch("t", 1)))
    finally:
        os.kill(worker, signal.SIGKILL)


def make_newer(database: str) -> None:
    """As a program has left it that nobody knows yet."""
    run_with_storage(database, lambda storage: storage.append(entries_batch("t", 1)))
    statements = ("alembic_version SET version_num = '9999'", "meta SET value = '42.0' WHERE key = 'program'")
    carry_out(database, *(f"UPDATE {statement}" for statement in statements))


def test_a_database_of_a_newer_program_is_refused(database: str) -> None:
    make_newer(database)
    with pytest.raises(DatabaseTooNew, match=r": its shape 9999 is newer than this program.*by Hexholm 42\.0"):
        asyncio.run(Storage(database).open())
    assert carry_out(database, "SELECT value FROM meta WHERE key = 'program'") == [("42.0",)]


def test_a_file_of_a_newer_program_is_left_alone(db: Path) -> None:
    make_newer(str(db))
    before = db.read_bytes()
    with pytest.raises(DatabaseTooNew, match=r"h\.db: its shape 9999"):
        asyncio.run(Storage(db).open())
    assert db.read_bytes() == before
    assert sorted(path.name for path in db.parent.iterdir()) == ["h.db", "h.db.lock"]


def test_a_file_that_is_no_database_of_ours_is_refused_and_left_alone(db: Path) -> None:
    db.write_text("Dear diary, " * 1000)
    with pytest.raises(CannotOpen, match="file is not a database"):
        asyncio.run(Storage(db).open())
    assert db.read_text().startswith("Dear diary")
    db.unlink()
    with sqlite3.connect(db) as connection:
        connection.execute("CREATE TABLE recipes (name)")
    connection.close()
    with pytest.raises(CannotOpen, match=r"something else \(recipes\)"):
        asyncio.run(Storage(db).open())
    with pytest.raises(CannotOpen, match="there is no folder"):
        asyncio.run(Storage(db / "no" / "h.db").open())
    with pytest.raises(CannotOpen, match="choose normal or full"):
        Storage(db, durability="high")  # type: ignore[arg-type]
    with pytest.raises(CannotOpen, match="SQLite") as refused:
        Storage("mysql://ann:secret@localhost/h")
    assert "secret" not in str(refused.value)


def test_an_empty_file_becomes_a_database_that_only_its_owner_reads(db: Path) -> None:
    run_with_storage(db, lambda storage: storage.append(entries_batch("t", 1)))
    assert stat.S_IMODE(db.stat().st_mode) == 0o600
    assert sorted(path.name for path in db.parent.iterdir()) == ["h.db", "h.db.lock"]
    empty = db.with_name("empty.db")
    empty.touch()
    run_with_storage(empty, lambda storage: storage.append(entries_batch("t", 1)))


def test_the_migrations_lead_to_the_shape_that_the_program_uses(database: str) -> None:
    run_with_storage(database, lambda storage: storage.append(entries_batch("t", 1)))
    kind = database_of(database)
    engine = kind.writing_engine()
    with engine.connect() as connection:
        assert upgrade.database_revision(connection) == upgrade.newest_revision()
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, metadata) == []
    engine.dispose()
    kind.unlock()


def test_the_log_of_a_table_lies_together_in_an_sqlite_file(db: Path) -> None:
    run_with_storage(db, lambda storage: storage.append(entries_batch("t", 1)))
    statements = dict(carry_out(str(db), "SELECT name, sql FROM sqlite_master WHERE type = 'table'"))
    assert "WITHOUT ROWID" in statements["entry"]
    assert "ck_game_table_status" in statements["game_table"]


NEXT = """
from alembic import op
import sqlalchemy as sa
revision, down_revision, branch_labels, depends_on = "9999", "NEWEST", None, None
def upgrade():
    op.add_column("guest", sa.Column("color", sa.Text))
    op.execute("UPDATE guest SET color = 'red'")
"""


def newer_scripts(tmp_path: Path, text: str) -> Path:
    scripts = tmp_path / "100% newer"  # alembic's settings would take the sign for their own
    shutil.copytree(upgrade.MIGRATIONS, scripts, ignore=shutil.ignore_patterns("__pycache__"))
    text = text.replace("NEWEST", upgrade.newest_revision())
    (scripts / "versions" / "r9999_next.py").write_text(text)
    return scripts


def test_an_upgrade_keeps_a_copy_and_all_that_was_stored(db: Path, tmp_path: Path) -> None:
    async def write(storage: Storage) -> None:
        await storage.append(entries_batch("t", 1, 2))
        await storage.add_guest(GuestRow("g", 1.0, "Ada"))

    run_with_storage(db, write)
    newer = Storage(db)
    newer._migrations = newer_scripts(tmp_path, NEXT)

    async def read() -> None:
        async with newer as storage:
            assert len(await storage.entries("t")) == 2
            with sqlite3.connect(db) as connection:
                assert connection.execute("SELECT color FROM guest").fetchall() == [("red",)]
            connection.close()

    asyncio.run(read())
    copy = db.with_name("h.db.before-9999")
    assert copy.exists()
    with pytest.raises(DatabaseTooNew, match="shape 9999"):
        asyncio.run(Storage(db).open())

    async def look(storage: Storage) -> None:
        assert len(await storage.entries("t")) == 2

    run_with_storage(copy, look)  # the older program goes on with the copy
    asyncio.run(read())  # a second start upgrades nothing
    assert sorted(path.name for path in tmp_path.glob("h.db.before*")) == ["h.db.before-9999", "h.db.before-9999.lock"]


FIRST_TABLES = {"game_table", "entry", "command", "token", "guest", "meta"}


def go_back_to_the_first_shape(database: str) -> None:
    """As the first migration left it; what was stored there stays."""
    added = [table.name for table in metadata.tables.values() if table.name not in FIRST_TABLES]
    carry_out(
        database,
        *[f"DROP TABLE {name}" for name in added],
        "ALTER TABLE game_table DROP COLUMN public",
        "DROP INDEX ix_game_table_visibility",
        "ALTER TABLE game_table DROP COLUMN visibility",
        "DROP INDEX ix_game_table_unplayed_since",
        "ALTER TABLE game_table DROP COLUMN unplayed_since",
        "UPDATE alembic_version SET version_num = '0001'",
    )


def test_names_and_words_of_older_logs_are_kept_apart_from_them(database: str) -> None:
    def row(seq: int, kind: str, **body: Any) -> EntryRow:
        return EntryRow(seq, 1.0, kind, json.dumps(body))

    async def write(storage: Storage) -> None:
        rows = [
            row(1, "opened", title="Ann's", creator="ann", reserved={"red": {"guest": "eve", "name": "Eve"}}),
            row(2, "seated", seat="red", who="person", guest="ann", name="Ann"),
            row(3, "seated", seat="blue", who="bot", name="easy", player="easy"),
            row(4, "said", seat="red", text="hello"),
            row(5, "renamed", seat="red", name="Anna"),
            row(6, "seated", seat="red", who="person", guest="bob", name="Bob"),
            row(7, "said", seat="red", text="I am Bob"),
            EntryRow(8, 1.0, "said", "{"),
        ]
        await storage.append(Writes("old", rows))

    run_with_storage(database, write)
    go_back_to_the_first_shape(database)

    async def read(storage: Storage) -> None:
        entries = await storage.entries("old")
        texts = {entry.seq: [(text.slot, text.guest_id, text.text) for text in entry.texts] for entry in entries}
        assert texts == {
            1: [("reserved red", "eve", "Eve"), ("title", "ann", "Ann's")],
            2: [("name", "ann", "Ann")],
            3: [],
            4: [("text", "ann", "hello")],
            5: [("name", "ann", "Anna")],
            6: [("name", "bob", "Bob")],
            7: [("text", "bob", "I am Bob")],
            8: [],
        }
        log = " ".join(entry.body for entry in entries)
        assert not [word for word in ("Ann", "Eve", "hello", "Bob") if word in log]
        assert "easy" in log
        assert entries[3].body == '{"seat":"red","text":"","guest":"ann"}'

    run_with_storage(database, read)


def test_the_holdings_of_older_tables_are_read_from_their_logs(database: str) -> None:
    def entry_row(seq: int, kind: str, **body: str) -> EntryRow:
        return EntryRow(seq, 1.0, kind, json.dumps(body))

    async def write(storage: Storage) -> None:
        sat = [entry_row(2, "seated", seat="red", guest="ann"), entry_row(3, "seated", seat="blue", guest="bob")]
        left_entries = [
            entry_row(4, "seated", seat="blue"),
            entry_row(5, "seated", seat="white", guest="cid"),
            EntryRow(6, 1.0, "odd", "{"),
        ]
        await storage.append(Writes("old", [entry_row(1, "opened", creator="ann"), *sat, *left_entries], status="over"))
        await storage.append(Writes("bad", [EntryRow(1, 2.0, "opened", "[")]))

    run_with_storage(database, write)
    go_back_to_the_first_shape(database)

    async def read(storage: Storage) -> None:
        tables = {guest_id: await storage.tables_of(guest_id) for guest_id in ("ann", "bob", "cid")}
        assert [(row.id, held.color, held.is_creator) for row, held in tables["ann"]] == [("old", "red", True)]
        assert [(row.id, held.color, held.is_creator) for row, held in tables["cid"]] == [("old", "white", False)]
        assert tables["bob"] == []

        shares = Shares(storage)  # what was over may be kept open to everybody with the link, and be taken back
        await storage.append(Writes("new", [entry_row(1, "opened", creator="ann")], status="over"))
        assert await shares.keep_public() == 1
        assert [await shares.is_public(table) for table in ("old", "bad", "new")] == [True, False, False]
        assert [await storage.count(status, visibility="unlisted") for status in ("open", "over")] == [1, 1]
        assert [await shares.end_public("old"), await shares.is_public("old")] == [True, False]

    run_with_storage(database, read)


def test_an_upgrade_that_fails_halfway_changes_nothing(database: str, tmp_path: Path) -> None:
    run_with_storage(database, lambda storage: storage.append(entries_batch("t", 1)))
    newer = Storage(database)
    newer._migrations = newer_scripts(tmp_path, NEXT + "    op.drop_table('nowhere')\n")
    for _ in range(2):
        with pytest.raises(CannotOpen, match=r"no such table: nowhere|table \"nowhere\" does not exist"):
            asyncio.run(newer.open())

    async def look(storage: Storage) -> None:
        assert len(await storage.entries("t")) == 1
        assert "color" not in columns(database, "guest")

    run_with_storage(database, look)
    copies = [] if is_address(database) else ["h.db.before-9999", "h.db.before-9999.2"]
    assert sorted(path.name for path in tmp_path.glob("h.db.before*")) == copies


def test_an_upgrade_on_a_server_keeps_all_that_was_stored(cluster: Cluster, tmp_path: Path) -> None:
    database = cluster.new_database()
    run_with_storage(database, lambda storage: storage.add_guest(GuestRow("g", 1.0, "Ada")))
    newer = Storage(database)
    newer._migrations = newer_scripts(tmp_path, NEXT)

    async def open_and_close() -> None:
        async with newer:
            pass

    asyncio.run(open_and_close())
    asyncio.run(open_and_close())  # a second start upgrades nothing
    assert carry_out(database, "SELECT name, color FROM guest") == [("Ada", "red")]
    with pytest.raises(DatabaseTooNew, match="shape 9999"):
        asyncio.run(Storage(database).open())


@pytest.mark.skipif(not hasattr(os, "link"), reason="there are no hard links here")
def test_a_database_with_another_name_is_refused_as_its_lock_goes_by_name(db: Path, tmp_path: Path) -> None:
    async def create(_storage: Storage) -> None: ...

    run_with_storage(db, create)
    other = tmp_path / "other.db"
    other.hardlink_to(db)
    for name in (db, other):
        with pytest.raises(CannotOpen, match=r"2 names \(hard links\).*delete the other names"):
            run_with_storage(name, create)
    other.unlink()
    run_with_storage(db, create)


def test_a_database_of_this_program_is_opened_without_writing(db: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """On a full disk it could not be opened otherwise."""

    async def open_twice() -> None:
        async with Storage(db):
            pass

        def full(*_: object) -> None:
            raise sqlite3.OperationalError("database or disk is full")

        monkeypatch.setattr("hexholm.host.storage.storage.set_meta_row", full)
        async with Storage(db) as storage:
            assert await storage.meta("program") == __version__

    asyncio.run(open_twice())
