"""The storage of the host: what is written, what is refused, what is kept. Sudden ends are in test_kill.py."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import signal
import sqlite3
import stat
import subprocess
import sys
import textwrap
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy import create_engine
from sqlalchemy.exc import OperationalError

from hexholm import __version__
from hexholm.host.storage import (
    AnswerRow,
    CannotOpen,
    Conflict,
    DatabaseInUse,
    DatabaseTooNew,
    EntryRow,
    GuestRow,
    HoldingRow,
    Seal,
    Storage,
    StorageFailed,
    TableRow,
    TokenRow,
    Writes,
    commit,
    copy_database,
    token_hash,
    upgrade,
)
from hexholm.host.storage.database_tables import metadata


def line(seq: int, body: str = "{}", time: float | None = None) -> EntryRow:
    return EntryRow(seq, float(seq) if time is None else time, "played", body, f"hash{seq}")


def batch(table: str, *numbers: int, **more: Any) -> Writes:
    return Writes(table, [line(seq) for seq in numbers], **more)


def within(path: Path | str, story: Callable[[Storage], Awaitable[None]], **options: Any) -> None:
    """Tell a story with an open storage."""

    async def run() -> None:
        async with Storage(path, **options) as storage:
            await story(storage)

    asyncio.run(run())


@pytest.fixture
def db(tmp_path: Path) -> Path:
    return tmp_path / "h.db"


# ------------------------------------------------------------------------------------------------------ round trips


def test_what_was_appended_is_there_after_opening_again(db: Path) -> None:
    first = EntryRow(1, 10.5, "opened", '{"seats": ["red", "blue"], "ä": "€"}')
    second = EntryRow(2, 11.5, "played", '{"steps": ["red roll"]}', "c0ffee")

    async def write(storage: Storage) -> None:
        await storage.append(Writes("t", [first], summary='{"title": "one"}'))
        await storage.append(Writes("t", [second], status="playing", answers=[AnswerRow("red", "7", '{"ok": true}')]))

    async def read(storage: Storage) -> None:
        assert await storage.entries("t") == [first, second]
        assert await storage.entries("t", since=1) == [second]
        assert await storage.entries("t", since=2) == []
        assert await storage.entries("other") == []
        assert await storage.table("t") == TableRow("t", 10.5, 11.5, "playing", '{"title": "one"}', 2)
        assert await storage.table("other") is None
        assert await storage.answer("t", "red", "7") == '{"ok": true}'
        assert await storage.answer("t", "blue", "7") is None
        assert await storage.meta("program") == __version__

    within(db, write)
    within(db, read)


def test_unfinished_tables_are_the_open_and_the_playing_ones(db: Path) -> None:
    async def story(storage: Storage) -> None:
        for number, status in enumerate(["open", "playing", "over", "open"]):
            await storage.append(Writes(f"t{number}", [line(1, time=100.0 - number)], status=status))  # type: ignore[arg-type]
        assert await storage.unfinished() == ["t3", "t1", "t0"]
        await storage.append(Writes("t1", status="over"))
        assert await storage.unfinished() == ["t3", "t0"]

    within(db, story)


def test_lists_of_tables_go_page_by_page_from_the_newest(db: Path) -> None:
    async def story(storage: Storage) -> None:
        for number in range(7):
            await storage.append(
                Writes(f"t{number}", [line(1, time=float(number // 2))], status="over" if number == 3 else "open")
            )
        assert [row.id for row in await storage.tables()] == ["t6", "t5", "t4", "t3", "t2", "t1", "t0"]
        assert [row.id for row in await storage.tables("over")] == ["t3"]
        seen: list[str] = []
        before = None
        while page := await storage.tables("open", limit=2, before=before):
            seen += [row.id for row in page]
            before = (page[-1].created, page[-1].id)
        assert seen == ["t6", "t5", "t4", "t2", "t1", "t0"]

    within(db, story)


def test_tokens_are_stored_as_hashes_and_can_be_revoked(db: Path) -> None:
    async def story(storage: Storage) -> None:
        await storage.append(batch("t", 1, tokens=[Seal(token_hash("red secret"), "red", 5.0)]))
        assert await storage.token("red secret") == TokenRow("t", "red", 5.0)
        assert await storage.token(token_hash("red secret")) is None
        with pytest.raises(Conflict) as refused:
            await storage.append(batch("t", 2, tokens=[Seal(token_hash("red secret"), "blue", 6.0)]))
        assert refused.value.what == "token"
        # Both in one commit: the token made by the first is revoked by the second.
        await asyncio.gather(
            storage.append(
                batch("t", 2, tokens=[Seal(token_hash("lost"), "red", 6.0), Seal(token_hash("b"), "blue", 6.0)])
            ),
            storage.append(batch("t", 3, revoked=["red"], tokens=[Seal(token_hash("new"), "red", 7.0)])),
        )
        assert await storage.token("red secret") is None
        assert await storage.token("lost") is None
        assert await storage.token("new") == TokenRow("t", "red", 7.0)
        assert await storage.token("b") == TokenRow("t", "blue", 6.0)

    within(db, story)
    assert b"red secret" not in db.read_bytes()


def test_guests_are_remembered_and_may_take_a_new_name(db: Path) -> None:
    async def story(storage: Storage) -> None:
        assert await storage.guest("g") is None
        await asyncio.gather(storage.add_guest(GuestRow("g", 1.0, "Ada")), storage.add_guest(GuestRow("h", 1.0, "Bea")))
        await storage.add_guest(GuestRow("g", 9.0, "Cleo"))
        assert await storage.guest("g") == GuestRow("g", 1.0, "Cleo")
        assert await storage.guest("h") == GuestRow("h", 1.0, "Bea")
        await storage.set_meta("alive", "17.5")
        await storage.set_meta("alive", "18.5")
        assert await storage.meta("alive") == "18.5"

    within(db, story)


def test_a_storage_in_memory_leaves_nothing_behind() -> None:
    storage = Storage(":memory:")

    async def story() -> None:
        async with storage:
            await storage.append(batch("t", 1, 2))
            assert len(await storage.entries("t")) == 2
            assert storage.path.parent.is_dir()

    asyncio.run(story())
    assert not storage.path.parent.exists()


@pytest.mark.parametrize("numbers", [(0,), (1, 3), (2, 1), (4, 4)])
def test_a_batch_with_a_gap_is_a_fault_of_the_caller(numbers: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="without a gap"):
        batch("t", *numbers)


# ----------------------------------------------------------------------------------------------- committing together


def test_five_hundred_appends_at_once_share_a_few_commits(db: Path) -> None:
    async def story(storage: Storage) -> None:
        await asyncio.gather(*(storage.append(batch(f"t{n}", 1)) for n in range(50)))
        before = storage.figures.commits
        await asyncio.gather(*(storage.append(batch(f"t{n}", seq)) for seq in range(2, 12) for n in range(50)))
        assert storage.figures.commits - before <= 5
        assert (storage.figures.batches, storage.figures.entries, storage.figures.conflicts) == (550, 550, 0)
        assert storage.waiting == 0
        for n in range(50):
            assert [one.seq for one in await storage.entries(f"t{n}")] == list(range(1, 12))

    within(db, story)


def test_an_append_returns_only_after_the_commit_that_contains_it(db: Path) -> None:
    async def story(storage: Storage) -> None:
        with sqlite3.connect(db) as other:
            for seq in range(1, 50):
                await storage.append(batch("t", seq))
                assert other.execute("SELECT max(seq) FROM entry").fetchone() == (seq,)
        other.close()

    within(db, story)


def test_the_last_status_and_summary_of_a_group_win(db: Path) -> None:
    async def story(storage: Storage) -> None:
        await storage.append(batch("t", 1))
        before = storage.figures.commits
        blocker = asyncio.create_task(storage.append(batch("other", 1)))
        await asyncio.sleep(0)
        await asyncio.gather(
            storage.append(Writes("t", summary='"a"', status="playing")),
            storage.append(batch("t", 2, summary='"b"')),
            storage.append(Writes("t", summary='"c"')),
            storage.append(batch("t", 3, status="over")),
        )
        await blocker
        assert storage.figures.commits - before <= 2
        assert await storage.table("t") == TableRow("t", 1.0, 3.0, "over", '"c"', 3)

    within(db, story)


def test_a_conflict_refuses_one_batch_and_no_other(db: Path) -> None:
    async def story(storage: Storage) -> None:
        await asyncio.gather(*(storage.append(batch(f"t{n}", 1)) for n in range(20)))
        work = [storage.append(batch(f"t{n}", 2, answers=[AnswerRow("red", "1", "1")])) for n in range(20)]
        work += [
            storage.append(batch("t3", 2)),  # taken by the one above
            storage.append(batch("t4", 4)),  # leaves a hole
            storage.append(batch("t5", 1)),  # makes a table that is there
            storage.append(batch("t6", 3, answers=[AnswerRow("red", "1", "2")])),  # answers a command again
            storage.append(batch("none", 2)),  # no such table
            storage.append(Writes("none", status="over")),
            storage.append(Writes("none", answers=[AnswerRow("red", "1", "2")])),
        ]
        found = await asyncio.gather(*work, return_exceptions=True)
        assert found[:20] == [None] * 20
        what = [error.what for error in found[20:] if isinstance(error, Conflict)]
        assert what == ["entry", "entry", "table", "answer", "entry", "table", "answer"]
        assert storage.figures.conflicts == 7
        assert "entry 4" in str(found[21])
        for n in range(20):
            assert [one.seq for one in await storage.entries(f"t{n}")] == [1, 2]
        assert await storage.answer("t6", "red", "1") == "1"
        await storage.append(batch("t6", 3))
        assert await storage.table("none") is None

    within(db, story)


def test_nothing_of_a_refused_batch_is_written(db: Path) -> None:
    async def story(storage: Storage) -> None:
        await storage.append(batch("t", 1, answers=[AnswerRow("red", "1", "first")]))
        with pytest.raises(Conflict):
            await storage.append(
                batch(
                    "t",
                    2,
                    status="over",
                    tokens=[Seal(token_hash("x"), "red", 1.0)],
                    answers=[AnswerRow("red", "2", "new"), AnswerRow("red", "1", "second")],
                )
            )
        assert [one.seq for one in await storage.entries("t")] == [1]
        assert await storage.table("t") == TableRow("t", 1.0, 1.0, "open", "{}", 1)
        assert await storage.token("x") is None
        assert await storage.answer("t", "red", "2") is None
        assert await storage.answer("t", "red", "1") == "first"

    within(db, story)


def test_what_cannot_be_stored_fails_alone(db: Path) -> None:
    async def story(storage: Storage) -> None:
        lone = EntryRow(1, 1.0, "said", "\ud800")  # half of a character: there are no bytes for it
        wrong = EntryRow(1, 1.0, "said", ["no text"])  # type: ignore[arg-type]
        found = await asyncio.gather(
            storage.append(batch("a", 1)),
            storage.append(Writes("b", [lone])),
            storage.append(Writes("c", [wrong])),
            storage.append(batch("d", 1)),
            return_exceptions=True,
        )
        assert [type(one) for one in found] == [type(None), StorageFailed, StorageFailed, type(None)]
        assert [row.id for row in await storage.tables()] == ["d", "a"]

    within(db, story)


def test_who_stops_waiting_does_not_stop_the_writing(db: Path) -> None:
    async def story(storage: Storage) -> None:
        task = asyncio.create_task(storage.append(batch("t", 1)))
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await storage.append(batch("t", 2))
        assert [one.seq for one in await storage.entries("t")] == [1, 2]

    within(db, story)


# ---------------------------------------------------------------------------------------------------------- failures


def test_a_failing_disk_fails_those_who_wait_and_may_come_back(db: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OperationalError("INSERT a secret", {"body": "a secret"}, sqlite3.OperationalError("disk is full"))

    async def story(storage: Storage) -> None:
        await storage.append(batch("t", 1))
        with monkeypatch.context() as patch:
            patch.setattr(commit, "store_changes", full)
            found = await asyncio.gather(*(storage.append(batch(f"t{n}", 1)) for n in range(3)), return_exceptions=True)
            assert [type(one) for one in found] == [StorageFailed] * 3
            assert "disk is full" in str(found[0])
            assert "secret" not in str(found[0])
        assert storage.figures.failures >= 1
        await storage.append(batch("t", 2))
        assert [one.seq for one in await storage.entries("t")] == [1, 2]
        assert await storage.table("t0") is None

    within(db, story)


def run(script: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a script in another process."""
    command = [sys.executable, "-W", "error", "-c", textwrap.dedent(script), *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no limit on the size of files")
def test_a_disk_without_room_refuses_and_takes_again_when_there_is_room(db: Path) -> None:
    done = run(
        """
        import asyncio, resource, sys
        from hexholm.host.storage import Writes, EntryRow, Storage, StorageFailed

        async def main():
            async with Storage(sys.argv[1]) as storage:
                await storage.append(Writes("t", [EntryRow(1, 1.0, "said", "x" * 1000)]))
                resource.setrlimit(resource.RLIMIT_FSIZE, (300_000, resource.RLIM_INFINITY))
                try:
                    await storage.append(Writes("t", [EntryRow(2, 1.0, "said", "x" * 400_000)]))
                except StorageFailed as error:
                    print("failed:", error)
                print(len(await storage.entries("t")), storage.figures.failures)
                await storage.append(Writes("t", [EntryRow(2, 1.0, "said", "small")]))
                resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
                await storage.append(Writes("t", [EntryRow(3, 1.0, "said", "x" * 400_000)]))
                print([entry.seq for entry in await storage.entries("t")])

        asyncio.run(main())
        """,
        str(db),
    )
    assert done.returncode == 0, done.stderr
    first, second, third = done.stdout.splitlines()
    assert first.startswith("failed: it could not be stored: ")
    assert (second, third) == ("1 1", "[1, 2, 3]")


def test_a_closed_storage_says_so(db: Path) -> None:
    async def story() -> None:
        storage = Storage(db)
        with pytest.raises(StorageFailed, match="closed"):
            await storage.append(batch("t", 1))
        async with storage:
            waiting = [asyncio.create_task(storage.append(batch(f"t{n}", 1))) for n in range(10)]
            await asyncio.sleep(0)
        assert [task.exception() for task in waiting] == [None] * 10  # closing commits what waits
        with pytest.raises(StorageFailed, match="closed"):
            await storage.append(batch("t", 1))
        with pytest.raises(StorageFailed, match="closed"):
            await storage.entries("t")
        await storage.close()
        async with storage:
            assert len(await storage.unfinished()) == 10

    asyncio.run(story())


def test_a_hole_in_a_log_is_noticed_when_it_is_read(db: Path) -> None:
    async def story(storage: Storage) -> None:
        await storage.append(batch("t", 1, 2, 3))
        with sqlite3.connect(db) as other:
            other.execute("DELETE FROM entry WHERE seq = 2")
        other.close()
        with pytest.raises(StorageFailed, match="entry 2 is missing"):
            await storage.entries("t")

    within(db, story)


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
            found = [("synchronous", level), ("journal_mode", "wal"), ("foreign_keys", 1), ("busy_timeout", 5000)]
            for name, value in found:
                assert writing.exec_driver_sql(f"PRAGMA {name}").scalar() == value

    within(db, story, durability=durability)


def test_a_second_server_on_the_database_is_refused(db: Path) -> None:
    async def story(storage: Storage) -> None:
        second = await asyncio.to_thread(
            run,
            """
            import asyncio, sys
            from hexholm.host.storage import DatabaseInUse, Storage

            try:
                asyncio.run(Storage(sys.argv[1]).open())
            except DatabaseInUse as error:
                print(error)
            """,
            str(db),
        )
        assert second.stderr == ""
        assert second.stdout == (
            f"{db} is in use by process {os.getpid()}; stop it (kill {os.getpid()}) or name another database\n"
        )
        with pytest.raises(DatabaseInUse):
            await Storage(db).open()
        await storage.append(batch("t", 1))

    within(db, story)
    within(db, lambda storage: storage.append(batch("t", 2)))  # the lock file is still there and hinders nobody


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_workers_forked_by_a_killed_server_do_not_keep_its_database(db: Path) -> None:
    killed = run(
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
        str(db),
    )
    worker = int(killed.stdout)
    try:
        os.kill(worker, 0)
        within(db, lambda storage: storage.append(batch("t", 1)))
    finally:
        os.kill(worker, signal.SIGKILL)


def test_a_database_of_a_newer_program_is_refused_and_left_alone(db: Path) -> None:
    within(db, lambda storage: storage.append(batch("t", 1)))
    with sqlite3.connect(db) as newer:
        newer.execute("UPDATE alembic_version SET version_num = '9999'")
        newer.execute("UPDATE meta SET value = '42.0' WHERE key = 'program'")
    newer.close()
    before = db.read_bytes()
    with pytest.raises(DatabaseTooNew, match=r"h\.db: its shape 9999 is newer than this program.*by Hexholm 42\.0"):
        asyncio.run(Storage(db).open())
    assert db.read_bytes() == before
    assert sorted(path.name for path in db.parent.iterdir()) == ["h.db", "h.db.lock"]


def test_a_file_that_is_no_database_of_ours_is_refused_and_left_alone(db: Path) -> None:
    db.write_text("Dear diary, " * 1000)
    with pytest.raises(CannotOpen, match="file is not a database"):
        asyncio.run(Storage(db).open())
    assert db.read_text().startswith("Dear diary")
    db.unlink()
    with sqlite3.connect(db) as other:
        other.execute("CREATE TABLE recipes (name)")
    other.close()
    with pytest.raises(CannotOpen, match=r"something else \(recipes\)"):
        asyncio.run(Storage(db).open())
    with pytest.raises(CannotOpen, match="there is no folder"):
        asyncio.run(Storage(db / "no" / "h.db").open())
    with pytest.raises(CannotOpen, match="choose normal or full"):
        Storage(db, durability="high")  # type: ignore[arg-type]
    with pytest.raises(CannotOpen, match="SQLite"):
        Storage("postgresql://localhost/h")


def test_an_empty_file_becomes_a_database_that_only_its_owner_reads(db: Path) -> None:
    within(db, lambda storage: storage.append(batch("t", 1)))
    assert stat.S_IMODE(db.stat().st_mode) == 0o600
    assert sorted(path.name for path in db.parent.iterdir()) == ["h.db", "h.db.lock"]
    empty = db.with_name("empty.db")
    empty.touch()
    within(empty, lambda storage: storage.append(batch("t", 1)))


def test_the_migrations_lead_to_the_shape_that_the_program_uses(db: Path) -> None:
    within(db, lambda storage: storage.append(batch("t", 1)))
    engine = create_engine(f"sqlite:///{db}")
    with engine.connect() as connection:
        assert upgrade.database_revision(connection) == upgrade.newest_revision()
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, metadata) == []
        rows = connection.exec_driver_sql("SELECT name, sql FROM sqlite_master WHERE type = 'table'")
        made = {row.name: row.sql for row in rows}
    engine.dispose()
    assert "WITHOUT ROWID" in made["entry"]
    assert "ck_game_table_status" in made["game_table"]


NEXT = """
from alembic import op
import sqlalchemy as sa
revision, down_revision, branch_labels, depends_on = "0004", "0003", None, None
def upgrade():
    op.add_column("guest", sa.Column("colour", sa.Text))
    op.execute("UPDATE guest SET colour = 'red'")
"""


def newer_scripts(tmp_path: Path, text: str) -> Path:
    scripts = tmp_path / "100% newer"  # alembic's settings would take the sign for their own
    shutil.copytree(upgrade.MIGRATIONS, scripts, ignore=shutil.ignore_patterns("__pycache__"))
    (scripts / "versions" / "r0004_next.py").write_text(text)
    return scripts


def test_an_upgrade_keeps_a_copy_and_all_that_was_stored(db: Path, tmp_path: Path) -> None:
    async def write(storage: Storage) -> None:
        await storage.append(batch("t", 1, 2))
        await storage.add_guest(GuestRow("g", 1.0, "Ada"))

    within(db, write)
    newer = Storage(db)
    newer._migrations = newer_scripts(tmp_path, NEXT)

    async def read() -> None:
        async with newer as storage:
            assert len(await storage.entries("t")) == 2
            with sqlite3.connect(db) as other:
                assert other.execute("SELECT colour FROM guest").fetchall() == [("red",)]
            other.close()

    asyncio.run(read())
    copy = db.with_name("h.db.before-0004")
    assert copy.exists()
    with pytest.raises(DatabaseTooNew, match="shape 0004"):
        asyncio.run(Storage(db).open())

    async def look(storage: Storage) -> None:
        assert len(await storage.entries("t")) == 2

    within(copy, look)  # the older program goes on with the copy
    asyncio.run(read())  # a second start upgrades nothing
    assert sorted(path.name for path in tmp_path.glob("h.db.before*")) == ["h.db.before-0004", "h.db.before-0004.lock"]


def test_the_holdings_of_older_tables_are_read_from_their_logs(db: Path) -> None:
    def said(seq: int, kind: str, **body: str) -> EntryRow:
        return EntryRow(seq, 1.0, kind, json.dumps(body))

    async def write(storage: Storage) -> None:
        sat = [said(2, "seated", seat="red", guest="ann"), said(3, "seated", seat="blue", guest="bob")]
        left = [
            said(4, "seated", seat="blue"),
            said(5, "seated", seat="white", guest="cid"),
            EntryRow(6, 1.0, "odd", "{"),
        ]
        await storage.append(Writes("old", [said(1, "opened", creator="ann"), *sat, *left], status="over"))
        await storage.append(Writes("bad", [EntryRow(1, 2.0, "opened", "[")]))

    within(db, write)
    with sqlite3.connect(db) as other:  # as the first shape had it
        other.execute("DROP TABLE holding")
        other.execute("DROP TABLE note")
        other.execute("UPDATE alembic_version SET version_num = '0001'")
    other.close()

    async def read(storage: Storage) -> None:
        found = {who: await storage.tables_of(who) for who in ("ann", "bob", "cid")}
        assert [(row.id, held.seat, held.creator) for row, held in found["ann"]] == [("old", "red", True)]
        assert [(row.id, held.seat, held.creator) for row, held in found["cid"]] == [("old", "white", False)]
        assert found["bob"] == []

    within(db, read)


def test_an_upgrade_that_fails_halfway_changes_nothing(db: Path, tmp_path: Path) -> None:
    within(db, lambda storage: storage.append(batch("t", 1)))
    newer = Storage(db)
    newer._migrations = newer_scripts(tmp_path, NEXT + "    op.drop_table('nowhere')\n")
    for _ in range(2):
        with pytest.raises(CannotOpen, match="no such table: nowhere"):
            asyncio.run(newer.open())

    async def look(storage: Storage) -> None:
        assert len(await storage.entries("t")) == 1
        with sqlite3.connect(db) as other:
            assert "colour" not in [row[1] for row in other.execute("PRAGMA table_info(guest)")]
        other.close()

    within(db, look)
    assert sorted(path.name for path in tmp_path.glob("h.db.before*")) == ["h.db.before-0004", "h.db.before-0004.2"]


# ----------------------------------------------------------------------------------------------------------- keeping


def test_a_backup_while_writing_is_whole_and_of_one_moment(db: Path, tmp_path: Path) -> None:
    async def story(storage: Storage) -> None:
        stop = False
        told = dict.fromkeys("abc", 0)

        async def write(table: str) -> None:
            while not stop:
                seq = told[table] + 1
                await storage.append(batch(table, seq, answers=[AnswerRow("red", str(seq), "x" * 500)]))
                told[table] = seq

        async with asyncio.TaskGroup() as group:
            for table in told:
                group.create_task(write(table))
            for number in range(5):
                await asyncio.sleep(0.05)
                before = dict(told)
                copy = await storage.backup(tmp_path / f"copy{number}.db")
                after = dict(told)
                copied = Storage(copy)
                async with copied:
                    for table in told:
                        seen = len(await copied.entries(table))
                        assert before[table] <= seen <= after[table] + 1
                        assert await copied.answer(table, "red", str(seen)) is not None
                        row = await copied.table(table)
                        assert row is not None
                        assert row.last == seen
            assert told["a"] > 5
            stop = True
        assert storage.figures.failures == 0

    within(db, story)
    assert sorted(path.name for path in tmp_path.glob("copy0*")) == ["copy0.db", "copy0.db.lock"]
    assert stat.S_IMODE((tmp_path / "copy0.db").stat().st_mode) == 0o600


def test_a_backup_replaces_nothing_and_leaves_no_pieces(db: Path, tmp_path: Path) -> None:
    within(db, lambda storage: storage.append(batch("t", 1)))
    other = tmp_path / "precious"
    other.write_text("mine")
    with pytest.raises(CannotOpen, match="is there already"):
        copy_database(db, other)
    assert other.read_text() == "mine"
    with pytest.raises(CannotOpen, match="no such database"):
        copy_database(tmp_path / "none.db", tmp_path / "copy")
    with pytest.raises(StorageFailed, match="cannot be written"):
        copy_database(db, tmp_path / "no folder" / "copy")
    with pytest.raises(StorageFailed, match="cannot be copied"):
        copy_database(other, tmp_path / "copy")
    assert not list(tmp_path.glob("*copy*"))


def test_the_tables_of_a_guest_are_found_newest_first(db: Path) -> None:
    def sat(table: str, time: float, *people: HoldingRow) -> Writes:
        return Writes(table, [line(1, time=time)], people=people)

    async def story(storage: Storage) -> None:
        await storage.append(sat("t1", 1.0, HoldingRow("ann", "red", True), HoldingRow("bob", "blue", False)))
        await storage.append(sat("t2", 2.0, HoldingRow("ann", None, True)))
        await storage.append(sat("t3", 3.0, HoldingRow("bob", "red", True)))
        found = await storage.tables_of("ann")
        assert [(row.id, held) for row, held in found] == [
            ("t2", HoldingRow("ann", None, True)),
            ("t1", HoldingRow("ann", "red", True)),
        ]
        assert [row.id for row, _ in await storage.tables_of("ann", before=2.0)] == ["t1"]
        assert [row.id for row, _ in await storage.tables_of("bob", limit=1)] == ["t3"]
        await storage.append(Writes("t1", people=[HoldingRow("bob", "blue", False)]))
        assert [row.id for row, _ in await storage.tables_of("ann")] == ["t2"]
        await storage.append(Writes("t1", [line(2)]))  # who sits there is not said, so it stays
        assert [row.id for row, _ in await storage.tables_of("bob")] == ["t3", "t1"]
        assert await storage.count("open") == 3

    within(db, story)


def test_a_single_token_can_be_voided(db: Path) -> None:
    async def story(storage: Storage) -> None:
        seals = [Seal(token_hash(name), "red", time) for name, time in (("b", 2.0), ("a", 1.0))]
        await storage.append(Writes("t", [line(1)], tokens=seals))
        assert await storage.seals("t") == seals[::-1]
        await storage.append(Writes("t", voided=[token_hash("a")], tokens=[Seal(token_hash("c"), "red", 3.0)]))
        assert await storage.token("a") is None
        assert await storage.token("b") is not None
        assert await storage.token("c") is not None

    within(db, story)


def test_a_table_can_be_forgotten_whole(db: Path) -> None:
    async def story(storage: Storage) -> None:
        whole = Writes(
            "t",
            [line(1)],
            answers=[AnswerRow("red", "1", "{}")],
            tokens=[Seal(token_hash("a"), "red", 1.0)],
            people=[HoldingRow("ann", "red", True)],
        )
        await storage.append(whole)
        await storage.append(batch("other", 1))
        await storage.forget("t")
        assert [row.id for row in await storage.tables()] == ["other"]
        assert await storage.entries("t") == []
        assert await storage.tables_of("ann") == []
        await storage.append(whole)  # nothing of it is left

    within(db, story)


def test_notes_are_kept_for_each_guest_and_gone_with_the_table(db: Path) -> None:
    async def story(storage: Storage) -> None:
        await storage.append(Writes("t", [line(1, time=5.0)], status="over"))
        await storage.append(Writes("u", [line(1, time=5.0)], status="over"))
        for text in ("first", "second"):
            await storage.set_note("t", "ann", text)
        await storage.set_note("u", "ann", "elsewhere")
        assert await storage.note("t", "ann") == "second"
        assert await storage.note("t", "bob") == ""
        await storage.set_note("u", "ann", "")
        assert await storage.note("u", "ann") == ""
        assert await storage.prune(10.0, keep_records=True) == 1
        assert await storage.note("t", "ann") == ""
        await storage.set_note("t", "ann", "third")
        await storage.forget("t")
        assert await storage.note("t", "ann") == ""

    within(db, story)


def test_pruning_forgets_guests_of_long_ago_who_have_no_table(db: Path) -> None:
    async def story(storage: Storage) -> None:
        for name, time in (("ann", 1.0), ("bob", 1.0), ("cid", 20.0)):
            await storage.add_guest(GuestRow(name, time, name.title()))
        await storage.append(Writes("t", [line(1)], people=[HoldingRow("ann", "red", True)]))
        assert await storage.prune_guests(10.0) == 1
        assert await storage.guest("bob") is None
        assert await storage.guest("ann") is not None
        assert await storage.guest("cid") is not None

    within(db, story)


def test_pruning_deletes_old_games_that_are_over_and_no_others(db: Path) -> None:
    async def story(storage: Storage) -> None:
        for number in range(120):
            await storage.append(
                Writes(
                    f"old{number}",
                    [line(1, time=5.0), line(2, time=10.0)],
                    status="over",
                    answers=[AnswerRow("red", "1", "{}")],
                    tokens=[Seal(token_hash(f"old{number}"), "red", 5.0)],
                )
            )
        await storage.append(Writes("new", [line(1, time=5.0), line(2, time=20.0)], status="over"))
        await storage.append(Writes("lasting", [line(1, time=5.0)], status="playing"))
        assert await storage.prune(10.0, keep_records=False) == 0

        assert await storage.prune(15.0, keep_records=True) == 120
        assert await storage.prune(15.0, keep_records=True) == 0
        assert len(await storage.entries("old7")) == 2
        assert await storage.answer("old7", "red", "1") is None
        assert await storage.token("old7") is None

        assert await storage.prune(15.0, keep_records=False) == 120
        assert [row.id for row in await storage.tables()] == ["new", "lasting"]
        assert await storage.entries("old7") == []
        assert len(await storage.entries("new")) == 2

    within(db, story)
