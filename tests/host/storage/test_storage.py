"""The storage of the host: what is written, what is refused, what is kept. Sudden ends are in test_kill.py."""

from __future__ import annotations

import asyncio
import sqlite3
import sys
from pathlib import Path

import pytest
from sqlalchemy.exc import OperationalError

from hexholm import __version__
from hexholm.host.storage import (
    AnswerRow,
    Conflict,
    EntryRow,
    GuestRow,
    Seal,
    Storage,
    StorageFailed,
    TableRow,
    TokenRow,
    Writes,
    token_hash,
)
from hexholm.host.storage.writing import commit

from .stored_rows import carry_out, connected, entries_batch, entry_row_of, run_script, run_with_storage

pytestmark = pytest.mark.waits

# ------------------------------------------------------------------------------------------------------ round trips


def test_what_was_appended_is_there_after_opening_again(database: str) -> None:
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

    run_with_storage(database, write)
    run_with_storage(database, read)


def test_unfinished_tables_are_the_open_and_the_playing_ones(database: str) -> None:
    async def story(storage: Storage) -> None:
        for number, status in enumerate(["open", "playing", "over", "open"]):
            await storage.append(Writes(f"t{number}", [entry_row_of(1, time=100.0 - number)], status=status))  # type: ignore[arg-type]
        assert await storage.unfinished() == ["t3", "t1", "t0"]
        await storage.append(Writes("t1", status="over"))
        assert await storage.unfinished() == ["t3", "t0"]

    run_with_storage(database, story)


def test_lists_of_tables_go_page_by_page_from_the_newest(database: str) -> None:
    async def story(storage: Storage) -> None:
        for number in range(7):
            await storage.append(
                Writes(
                    f"t{number}", [entry_row_of(1, time=float(number // 2))], status="over" if number == 3 else "open"
                )
            )
        assert [row.id for row in await storage.tables()] == ["t6", "t5", "t4", "t3", "t2", "t1", "t0"]
        assert [row.id for row in await storage.tables("over")] == ["t3"]
        table_ids: list[str] = []
        before = None
        while page := await storage.tables("open", limit=2, before=before):
            table_ids += [row.id for row in page]
            before = (page[-1].created, page[-1].id)
        assert table_ids == ["t6", "t5", "t4", "t2", "t1", "t0"]

    run_with_storage(database, story)


def test_tokens_are_stored_as_hashes_and_can_be_revoked(database: str) -> None:
    async def story(storage: Storage) -> None:
        await storage.append(entries_batch("t", 1, tokens=[Seal(token_hash("red secret"), "red", 5.0)]))
        assert await storage.token("red secret") == TokenRow("t", "red", 5.0)
        assert await storage.token(token_hash("red secret")) is None
        with pytest.raises(Conflict) as error:
            await storage.append(entries_batch("t", 2, tokens=[Seal(token_hash("red secret"), "blue", 6.0)]))
        assert error.value.subject == "token"
        # Both in one commit: the token made by the first is revoked by the second.
        await asyncio.gather(
            storage.append(
                entries_batch("t", 2, tokens=[Seal(token_hash("lost"), "red", 6.0), Seal(token_hash("b"), "blue", 6.0)])
            ),
            storage.append(entries_batch("t", 3, revoked=["red"], tokens=[Seal(token_hash("new"), "red", 7.0)])),
        )
        assert await storage.token("red secret") is None
        assert await storage.token("lost") is None
        assert await storage.token("new") == TokenRow("t", "red", 7.0)
        assert await storage.token("b") == TokenRow("t", "blue", 6.0)

    run_with_storage(database, story)
    assert "red secret" not in str(carry_out(database, "SELECT * FROM token"))


def test_guests_are_remembered_and_may_take_a_new_name(database: str) -> None:
    async def story(storage: Storage) -> None:
        assert await storage.guest("g") is None
        await asyncio.gather(storage.add_guest(GuestRow("g", 1.0, "Ada")), storage.add_guest(GuestRow("h", 1.0, "Bea")))
        await storage.add_guest(GuestRow("g", 9.0, "Cleo"))
        assert await storage.guest("g") == GuestRow("g", 1.0, "Cleo")
        assert await storage.guest("h") == GuestRow("h", 1.0, "Bea")
        await storage.set_meta("alive", "17.5")
        await storage.set_meta("alive", "18.5")
        assert await storage.meta("alive") == "18.5"

    run_with_storage(database, story)


def test_a_storage_in_memory_leaves_nothing_behind() -> None:
    storage = Storage(":memory:")

    async def story() -> None:
        async with storage:
            await storage.append(entries_batch("t", 1, 2))
            assert len(await storage.entries("t")) == 2
            assert storage.path is not None
            assert storage.path.parent.is_dir()

    asyncio.run(story())
    assert storage.path is not None
    assert not storage.path.parent.exists()


@pytest.mark.parametrize("numbers", [(0,), (1, 3), (2, 1), (4, 4)])
def test_a_batch_with_a_gap_is_a_fault_of_the_caller(numbers: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="without a gap"):
        entries_batch("t", *numbers)


# ----------------------------------------------------------------------------------------------- committing together


def test_five_hundred_appends_at_once_share_a_few_commits(database: str) -> None:
    async def story(storage: Storage) -> None:
        await asyncio.gather(*(storage.append(entries_batch(f"t{n}", 1)) for n in range(50)))
        before = storage.figures.commits
        await asyncio.gather(*(storage.append(entries_batch(f"t{n}", seq)) for seq in range(2, 12) for n in range(50)))
        assert storage.figures.commits - before <= 5
        assert (storage.figures.batches, storage.figures.entries, storage.figures.conflicts) == (550, 550, 0)
        assert storage.queue_length == 0
        for n in range(50):
            assert [row.seq for row in await storage.entries(f"t{n}")] == list(range(1, 12))

    run_with_storage(database, story)


def test_an_append_returns_only_after_the_commit_that_contains_it(database: str) -> None:
    async def story(storage: Storage) -> None:
        with connected(database) as other_connection:
            for seq in range(1, 50):
                await storage.append(entries_batch("t", seq))
                assert other_connection.execute("SELECT max(seq) FROM entry").fetchone() == (seq,)
                other_connection.rollback()

    run_with_storage(database, story)


def test_the_last_status_and_summary_of_a_group_win(database: str) -> None:
    async def story(storage: Storage) -> None:
        await storage.append(entries_batch("t", 1))
        before = storage.figures.commits
        blocker = asyncio.create_task(storage.append(entries_batch("other", 1)))
        await asyncio.sleep(0)
        await asyncio.gather(
            storage.append(Writes("t", summary='"a"', status="playing")),
            storage.append(entries_batch("t", 2, summary='"b"')),
            storage.append(Writes("t", summary='"c"')),
            storage.append(entries_batch("t", 3, status="over")),
        )
        await blocker
        assert storage.figures.commits - before <= 2
        assert await storage.table("t") == TableRow("t", 1.0, 3.0, "over", '"c"', 3)

    run_with_storage(database, story)


def test_a_conflict_refuses_one_batch_and_no_other(database: str) -> None:
    async def story(storage: Storage) -> None:
        await asyncio.gather(*(storage.append(entries_batch(f"t{n}", 1)) for n in range(20)))
        work = [storage.append(entries_batch(f"t{n}", 2, answers=[AnswerRow("red", "1", "1")])) for n in range(20)]
        work += [
            storage.append(entries_batch("t3", 2)),  # taken by the one above
            storage.append(entries_batch("t4", 4)),  # leaves a hole
            storage.append(entries_batch("t5", 1)),  # makes a table that is there
            storage.append(entries_batch("t6", 3, answers=[AnswerRow("red", "1", "2")])),  # answers a command again
            storage.append(entries_batch("none", 2)),  # no such table
            storage.append(Writes("none", status="over")),
            storage.append(Writes("none", answers=[AnswerRow("red", "1", "2")])),
        ]
        outcomes = await asyncio.gather(*work, return_exceptions=True)
        assert outcomes[:20] == [None] * 20
        subjects = [error.subject for error in outcomes[20:] if isinstance(error, Conflict)]
        assert subjects == ["entry", "entry", "table", "answer", "entry", "table", "answer"]
        assert storage.figures.conflicts == 7
        assert "entry 4" in str(outcomes[21])
        for n in range(20):
            assert [row.seq for row in await storage.entries(f"t{n}")] == [1, 2]
        assert await storage.answer("t6", "red", "1") == "1"
        await storage.append(entries_batch("t6", 3))
        assert await storage.table("none") is None

    run_with_storage(database, story)


def test_nothing_of_a_refused_batch_is_written(database: str) -> None:
    async def story(storage: Storage) -> None:
        await storage.append(entries_batch("t", 1, answers=[AnswerRow("red", "1", "first")]))
        with pytest.raises(Conflict):
            await storage.append(
                entries_batch(
                    "t",
                    2,
                    status="over",
                    tokens=[Seal(token_hash("x"), "red", 1.0)],
                    answers=[AnswerRow("red", "2", "new"), AnswerRow("red", "1", "second")],
                )
            )
        assert [row.seq for row in await storage.entries("t")] == [1]
        assert await storage.table("t") == TableRow("t", 1.0, 1.0, "open", "{}", 1)
        assert await storage.token("x") is None
        assert await storage.answer("t", "red", "2") is None
        assert await storage.answer("t", "red", "1") == "first"

    run_with_storage(database, story)


def test_what_cannot_be_stored_fails_alone(database: str) -> None:
    async def story(storage: Storage) -> None:
        lone = EntryRow(1, 1.0, "said", "\ud800")  # half of a character: there are no bytes for it
        wrong = EntryRow(1, 1.0, "said", object())  # type: ignore[arg-type]
        outcomes = await asyncio.gather(
            storage.append(entries_batch("a", 1)),
            storage.append(Writes("b", [lone])),
            storage.append(Writes("c", [wrong])),
            storage.append(entries_batch("d", 1)),
            return_exceptions=True,
        )
        assert [type(outcome) for outcome in outcomes] == [type(None), StorageFailed, StorageFailed, type(None)]
        assert [row.id for row in await storage.tables()] == ["d", "a"]

    run_with_storage(database, story)


def test_who_stops_waiting_does_not_stop_the_writing(database: str) -> None:
    async def story(storage: Storage) -> None:
        task = asyncio.create_task(storage.append(entries_batch("t", 1)))
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await storage.append(entries_batch("t", 2))
        assert [row.seq for row in await storage.entries("t")] == [1, 2]

    run_with_storage(database, story)


# ---------------------------------------------------------------------------------------------------------- failures


def test_a_failing_disk_fails_those_who_wait_and_may_come_back(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OperationalError("INSERT a secret", {"body": "a secret"}, sqlite3.OperationalError("disk is full"))

    async def story(storage: Storage) -> None:
        await storage.append(entries_batch("t", 1))
        with monkeypatch.context() as patch:
            patch.setattr(commit, "store_changes", full)
            outcomes = await asyncio.gather(
                *(storage.append(entries_batch(f"t{n}", 1)) for n in range(3)), return_exceptions=True
            )
            assert [type(row) for row in outcomes] == [StorageFailed] * 3
            assert "disk is full" in str(outcomes[0])
            assert "secret" not in str(outcomes[0])
        assert storage.figures.failures >= 1
        await storage.append(entries_batch("t", 2))
        assert [row.seq for row in await storage.entries("t")] == [1, 2]
        assert await storage.table("t0") is None

    run_with_storage(database, story)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no limit on the size of files")
def test_a_disk_without_room_refuses_and_takes_again_when_there_is_room(db: Path) -> None:
    process = run_script(
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
    assert process.returncode == 0, process.stderr
    first, second, third = process.stdout.splitlines()
    assert first.startswith("failed: it could not be stored: ")
    assert (second, third) == ("1 1", "[1, 2, 3]")


def test_a_closed_storage_says_so(database: str) -> None:
    async def story() -> None:
        storage = Storage(database)
        with pytest.raises(StorageFailed, match="closed"):
            await storage.append(entries_batch("t", 1))
        async with storage:
            waiting = [asyncio.create_task(storage.append(entries_batch(f"t{n}", 1))) for n in range(10)]
            await asyncio.sleep(0)
        assert [task.exception() for task in waiting] == [None] * 10  # closing commits what waits
        with pytest.raises(StorageFailed, match="closed"):
            await storage.append(entries_batch("t", 1))
        with pytest.raises(StorageFailed, match="closed"):
            await storage.entries("t")
        await storage.close()
        async with storage:
            assert len(await storage.unfinished()) == 10

    asyncio.run(story())


def test_a_hole_in_a_log_is_noticed_when_it_is_read(database: str) -> None:
    async def story(storage: Storage) -> None:
        await storage.append(entries_batch("t", 1, 2, 3))
        carry_out(database, "DELETE FROM entry WHERE seq = 2")
        with pytest.raises(StorageFailed, match="entry 2 is missing"):
            await storage.entries("t")

    run_with_storage(database, story)
