"""What is kept, copied, found again and forgotten."""

from __future__ import annotations

import asyncio
import stat
from pathlib import Path

import pytest

from hexholm.host.storage import (
    AnswerRow,
    CannotOpen,
    Conflict,
    GuestRow,
    HoldingRow,
    Seal,
    Storage,
    StorageFailed,
    Writes,
    copy_database,
    token_hash,
)
from hexholm.host.storage.repositories.assistant_notes import AssistantNotes
from hexholm.host.storage.repositories.guest_data import GuestData

from .stored_rows import entries_batch, entry_row_of, run_with_storage

pytestmark = pytest.mark.waits

# ----------------------------------------------------------------------------------------------------------- keeping


def test_a_backup_while_writing_is_whole_and_of_one_moment(db: Path, tmp_path: Path) -> None:
    async def story(storage: Storage) -> None:
        stop = False
        acknowledged = dict.fromkeys("abc", 0)

        async def write(table: str) -> None:
            while not stop:
                seq = acknowledged[table] + 1
                await storage.append(entries_batch(table, seq, answers=[AnswerRow("red", str(seq), "x" * 500)]))
                acknowledged[table] = seq

        async with asyncio.TaskGroup() as group:
            for table in acknowledged:
                group.create_task(write(table))
            while not all(acknowledged.values()):  # noqa: ASYNC110  # nobody tells us
                await asyncio.sleep(0.01)
            for number in range(5):
                await asyncio.sleep(0.05)
                before = dict(acknowledged)
                copy = await storage.backup(tmp_path / f"copy{number}.db")
                after = dict(acknowledged)
                copied = Storage(copy)
                async with copied:
                    for table in acknowledged:
                        copied_entries = len(await copied.entries(table))
                        assert before[table] <= copied_entries <= after[table] + 1
                        assert await copied.answer(table, "red", str(copied_entries)) is not None
                        row = await copied.table(table)
                        assert row is not None
                        assert row.last_seq == copied_entries
            assert acknowledged["a"] > 5
            stop = True
        assert storage.figures.failures == 0

    run_with_storage(db, story)
    assert sorted(path.name for path in tmp_path.glob("copy0*")) == ["copy0.db", "copy0.db.lock"]
    assert stat.S_IMODE((tmp_path / "copy0.db").stat().st_mode) == 0o600


def test_a_backup_replaces_nothing_and_leaves_no_pieces(db: Path, tmp_path: Path) -> None:
    run_with_storage(db, lambda storage: storage.append(entries_batch("t", 1)))
    precious_file = tmp_path / "precious"
    precious_file.write_text("mine")
    with pytest.raises(CannotOpen, match="is there already"):
        copy_database(db, precious_file)
    assert precious_file.read_text() == "mine"
    with pytest.raises(CannotOpen, match="no such database"):
        copy_database(tmp_path / "none.db", tmp_path / "copy")
    with pytest.raises(StorageFailed, match="cannot be written"):
        copy_database(db, tmp_path / "no folder" / "copy")
    with pytest.raises(StorageFailed, match="cannot be copied"):
        copy_database(precious_file, tmp_path / "copy")
    assert not list(tmp_path.glob("*copy*"))


def test_the_tables_of_a_guest_are_found_newest_first(database: str) -> None:
    def sat(table: str, time: float, *people: HoldingRow) -> Writes:
        return Writes(table, [entry_row_of(1, time=time)], people=people)

    async def story(storage: Storage) -> None:
        await storage.append(sat("t1", 1.0, HoldingRow("ann", "red", True), HoldingRow("bob", "blue", False)))
        await storage.append(sat("t2", 2.0, HoldingRow("ann", None, True)))
        await storage.append(sat("t3", 3.0, HoldingRow("bob", "red", True)))
        tables = await storage.tables_of("ann")
        assert [(row.id, held) for row, held in tables] == [
            ("t2", HoldingRow("ann", None, True)),
            ("t1", HoldingRow("ann", "red", True)),
        ]
        assert [row.id for row, _ in await storage.tables_of("ann", before=2.0)] == ["t1"]
        assert [row.id for row, _ in await storage.tables_of("bob", limit=1)] == ["t3"]
        await storage.append(Writes("t1", people=[HoldingRow("bob", "blue", False)]))
        assert [row.id for row, _ in await storage.tables_of("ann")] == ["t2"]
        await storage.append(Writes("t1", [entry_row_of(2)]))  # who sits there is not said, so it stays
        assert [row.id for row, _ in await storage.tables_of("bob")] == ["t3", "t1"]
        assert await storage.count("open") == 3

    run_with_storage(database, story)


def test_a_single_token_can_be_voided(database: str) -> None:
    async def story(storage: Storage) -> None:
        seals = [Seal(token_hash(name), "red", time) for name, time in (("b", 2.0), ("a", 1.0))]
        await storage.append(Writes("t", [entry_row_of(1)], tokens=seals))
        assert await storage.seals("t") == seals[::-1]
        await storage.append(Writes("t", voided=[token_hash("a")], tokens=[Seal(token_hash("c"), "red", 3.0)]))
        assert await storage.token("a") is None
        assert await storage.token("b") is not None
        assert await storage.token("c") is not None

    run_with_storage(database, story)


def test_a_table_can_be_forgotten_whole(database: str) -> None:
    async def story(storage: Storage) -> None:
        whole = Writes(
            "t",
            [entry_row_of(1)],
            answers=[AnswerRow("red", "1", "{}")],
            tokens=[Seal(token_hash("a"), "red", 1.0)],
            people=[HoldingRow("ann", "red", True)],
            dice_key=bytes(range(32)),
        )
        await storage.append(whole)
        await storage.append(entries_batch("other", 1))
        assert await storage.dice_key("t") == bytes(range(32))
        await storage.delete_table("t")
        assert [row.id for row in await storage.tables()] == ["other"]
        assert await storage.entries("t") == []
        assert await storage.tables_of("ann") == []
        assert await storage.dice_key("t") is None
        await storage.append(whole)  # nothing of it is left

    run_with_storage(database, story)


def test_notes_are_kept_for_each_guest_and_gone_with_the_table(database: str) -> None:
    async def story(storage: Storage) -> None:
        await storage.append(Writes("t", [entry_row_of(1, time=5.0)], status="over"))
        await storage.append(Writes("u", [entry_row_of(1, time=5.0)], status="over"))
        for text in ("first", "second"):
            await AssistantNotes(storage).write("t", "ann", text)
        await AssistantNotes(storage).write("u", "ann", "elsewhere")
        assert await AssistantNotes(storage).read("t", "ann") == "second"
        assert await AssistantNotes(storage).read("t", "bob") == ""
        await AssistantNotes(storage).write("u", "ann", "")
        assert await AssistantNotes(storage).read("u", "ann") == ""
        assert await storage.prune(10.0, keep_records=True) == 1
        assert await AssistantNotes(storage).read("t", "ann") == ""
        await AssistantNotes(storage).write("t", "ann", "third")
        await storage.delete_table("t")
        assert await AssistantNotes(storage).read("t", "ann") == ""

    run_with_storage(database, story)


def test_pruning_forgets_guests_of_long_ago_who_have_no_table(database: str) -> None:
    async def story(storage: Storage) -> None:
        for name, time in (("ann", 1.0), ("bob", 1.0), ("cid", 20.0)):
            await storage.add_guest(GuestRow(name, time, name.title()))
        await storage.append(Writes("t", [entry_row_of(1)], people=[HoldingRow("ann", "red", True)]))
        guests = GuestData(storage)
        for secret, expires in (("of long ago", 5.0), ("lately", 15.0), ("for good", None)):
            await guests.add_recovery("ann", secret, 1.0, expires)
        assert await storage.prune_guests(10.0) == 1
        assert [row.expires for row in await guests.recoveries("ann", 0.0)] in ([15.0, None], [None, 15.0])
        assert await storage.guest("bob") is None
        assert await storage.guest("ann") is not None
        assert await storage.guest("cid") is not None

    run_with_storage(database, story)


def test_pruning_deletes_old_games_that_are_over_and_no_others(database: str) -> None:
    async def story(storage: Storage) -> None:
        for number in range(120):
            await storage.append(
                Writes(
                    f"old{number}",
                    [entry_row_of(1, time=5.0), entry_row_of(2, time=10.0)],
                    status="over",
                    answers=[AnswerRow("red", "1", "{}")],
                    tokens=[Seal(token_hash(f"old{number}"), "red", 5.0)],
                )
            )
        await storage.append(Writes("new", [entry_row_of(1, time=5.0), entry_row_of(2, time=20.0)], status="over"))
        await storage.append(Writes("lasting", [entry_row_of(1, time=5.0)], status="playing"))
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

    run_with_storage(database, story)


def test_the_dice_key_of_a_table_is_written_once_and_outlives_pruning(database: str) -> None:
    """Who checks the dice of a kept record needs it."""
    key = bytes(range(32))

    async def story(storage: Storage) -> None:
        await storage.append(Writes("t", [entry_row_of(1, time=5.0)], status="over", dice_key=key))
        with pytest.raises(Conflict, match="it has its dice key already"):
            await storage.append(Writes("t", [entry_row_of(2)], dice_key=bytes(32)))
        assert [row.seq for row in await storage.entries("t")] == [1]
        await storage.prune(10.0, keep_records=True)
        assert await storage.dice_key("t") == key
        await storage.prune(10.0, keep_records=False)
        assert await storage.dice_key("t") is None

    run_with_storage(database, story)
