"""What is kept of a guest: carried to another device, exported, forgotten; links that show finished games."""

from __future__ import annotations

import contextlib
import json
import sqlite3
import threading
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Column, Connection, Table, event, func, insert, select

from hexholm.host.storage import (
    AnswerRow,
    EntryRow,
    GuestRow,
    HoldingRow,
    PersonalText,
    Seal,
    Storage,
    Writes,
)
from hexholm.host.storage.database_tables import (
    KEPT_COLUMNS,
    OWN_COLUMNS,
    admin_action,
    holding,
    metadata,
    personal_text,
    rated_game,
    rating,
    report,
    sanction,
)
from hexholm.host.storage.databases.sqlite_database import SqliteDatabase
from hexholm.host.storage.forgotten_guests import ForgottenGuests
from hexholm.host.storage.repositories import guest_data
from hexholm.host.storage.repositories.assistant_notes import AssistantNotes
from hexholm.host.storage.repositories.guest_data import EXPORT_PARTS, EXPORTED_ONCE, MOST_RECOVERIES, GuestData
from hexholm.host.storage.repositories.shares import Shares
from hexholm.host.storage.rows import forgetting

from .stored_rows import entries_batch, run_script, run_with_storage

SUMMARY = {"title": "Ann's", "seats": [{"color": "red", "name": "Ann"}, {"color": "blue", "name": "Bob"}]}


async def write_game(storage: Storage) -> None:
    """Ann and Bob have played and talked; both have said as much."""
    entries = [
        EntryRow(1, 1.0, "opened", '{"title":""}', None, (PersonalText("title", "ann", "Ann's"),)),
        EntryRow(2, 2.0, "said", '{"seat":"red","text":""}', "f00", (PersonalText("text", "ann", "hello"),)),
        EntryRow(3, 3.0, "said", '{"seat":"blue","text":""}', None, (PersonalText("text", "bob", "hi Ann"),)),
    ]
    await storage.append(
        Writes(
            "t",
            entries,
            status="over",
            summary=json.dumps(SUMMARY),
            answers=[AnswerRow("ann red", "1", "{}"), AnswerRow("bob blue", "1", "{}")],
            tokens=[Seal("a" * 64, "red", 1.0), Seal("b" * 64, "blue", 1.0)],
            people=[HoldingRow("ann", "red", is_creator=True), HoldingRow("bob", "blue", is_creator=False)],
        )
    )
    await storage.add_guest(GuestRow("ann", 0.5, "Ann"))
    await storage.add_guest(GuestRow("bob", 0.5, "Bob"))
    await AssistantNotes(storage).write("t", "ann", "Bob wants ore")


async def parts_of(storage: Storage, guest_id: str) -> dict[str, list[dict[str, Any]]]:
    """What there may be much of in an export."""
    rows = GuestData(storage)
    return {name: [row async for page in rows.export_part(guest_id, name) for row in page] for name in EXPORT_PARTS}


def test_a_guest_is_shown_all_that_is_kept_of_it_and_nothing_of_others(database: str) -> None:
    async def story(storage: Storage) -> None:
        await write_game(storage)
        guests = GuestData(storage)
        await guests.add_recovery("ann", "secret", 7.0, None)
        await Shares(storage).add("t", "ann", "shown", 8.0)
        export = await guests.export("ann")
        assert (export.name, export.created, export.seat_tokens) == ("Ann", 0.5, 1)
        parts = await parts_of(storage, "ann")
        assert [(table["table"], table["seat"], table["creator"]) for table in parts["tables"]] == [("t", "red", True)]
        assert [(text["kind"], text["text"]) for text in parts["texts"]] == [("title", "Ann's"), ("text", "hello")]
        assert parts["notes"] == [{"table": "t", "text": "Bob wants ore"}]
        assert (export.recoveries, parts["shown_games"]) == ((7.0,), [{"table": "t", "created": 8.0}])
        assert "secret" not in repr((export, parts))
        assert "hi Ann" not in repr((export, parts))
        assert not any((await parts_of(storage, "nobody")).values())

    run_with_storage(database, story)


def test_an_export_has_ratings_reports_and_sanctions_without_the_words_of_others(database: str) -> None:
    rows: dict[Table, dict[str, object]] = {
        rating: {"name": "Ann", "mu": 26.0, "sigma": 7.0, "shown": 200, "games": 1, "changed": 9.0},
        rated_game: {"table_id": "t", "time": 9.0, "place": 1, "players": 2, "mu": 26.0, "sigma": 7.0}
        | {"shown": 200, "change": 200, "games": 1},
        sanction: {"what": "mute", "with_network": False, "created": 1.0, "until": 5.0, "why": "shouted"},
        admin_action: {"time": 1.0, "operator": "root", "what": "mute", "text": "shouted at bob"},
    }
    reported = {"time": 3.0, "table_id": "t", "entry": 3, "what": "chat", "text": "hi Ann", "why": "he lies"}

    async def story(storage: Storage) -> None:
        await write_game(storage)

        def write(connection: Connection) -> None:
            for table, row in rows.items():
                connection.execute(insert(table).values(guest="ann", **row))
            for reporter, other in (("ann", "bob"), ("bob", "ann")):
                connection.execute(insert(report).values(**reported, reporter=reporter, reported=other))

        await storage.write(write)
        export, parts = await GuestData(storage).export("ann"), await parts_of(storage, "ann")
        assert export.rating is not None
        assert (export.rating["shown"], parts["ratings"][0]["change"], export.reported) == (200, 200, 1)
        assert parts["reports"] == [
            {"time": 3.0, "table_id": "t", "entry": 3, "what": "chat", "why": "he lies", "closed": None}
        ]
        assert (parts["sanctions"][0]["what"], parts["sanctions"][0]["why"]) == ("mute", "shouted")
        assert parts["actions"] == [{"time": 1.0, "what": "mute", "table_id": None, "entry": None}]
        for hidden in ("bob", "hi Ann", "'ann'", "root"):
            assert hidden not in repr((export, parts))

    run_with_storage(database, story)


def test_a_forgotten_guest_leaves_nothing_but_the_log_as_it_was(database: str) -> None:
    async def story(storage: Storage) -> None:
        await write_game(storage)
        guests = GuestData(storage)
        await guests.add_recovery("ann", "secret", 7.0, None)
        before = await storage.entries("t")
        assert await guests.forget("ann") == ["t"]
        after = await storage.entries("t")
        assert [(row.seq, row.body, row.position_hash) for row in before] == [
            (row.seq, row.body, row.position_hash) for row in after
        ]
        assert [text.text for row in after for text in row.texts] == ["hi Ann"]
        assert (await storage.guest("ann"), await storage.tables_of("ann")) == (None, [])
        export = await guests.export("ann")
        assert (export.recoveries, export.seat_tokens) == ((), 0)
        assert not any((await parts_of(storage, "ann")).values())
        assert not await guests.has_anything("ann")
        assert await guests.has_anything("bob")
        assert await storage.answer("t", "ann red", "1") is None
        row = await storage.table("t")
        assert row is not None
        assert json.loads(row.summary) == {"title": "", "seats": [{"color": "red"}, {"color": "blue", "name": "Bob"}]}
        assert await guests.recover("secret", 8.0) is None
        forgotten = ForgottenGuests(await guests.forgotten())
        assert ("ann" in forgotten, "bob" in forgotten) == (True, False)
        assert (await guests.export("bob")).seat_tokens == 1
        assert await guests.forget("ann") == []  # a second time does nothing

    run_with_storage(database, story)


def test_what_recovers_a_guest_works_once_or_until_it_is_revoked(database: str) -> None:
    async def story(storage: Storage) -> None:
        guests = GuestData(storage)
        await guests.add_recovery("ann", "for good", 1.0, None)
        await guests.add_recovery("ann", "once", 1.0, 100.0)
        await guests.add_recovery("ann", "too late", 1.0, 5.0)
        assert [await guests.recoverable(secret, 9.0) for secret in ("for good", "once", "too late", "guessed")] == [
            *("ann", "ann", None, None)
        ]
        assert [row.expires for row in await guests.recoveries("ann", 9.0)] in ([None, 100.0], [100.0, None])
        assert [await guests.recover("for good", 9.0) for _ in range(2)] == ["ann", "ann"]
        assert [await guests.recover("once", 9.0) for _ in range(2)] == ["ann", None]
        assert await guests.recover("too late", 9.0) is None
        assert await guests.recover("guessed", 9.0) is None
        assert await guests.revoke_recoveries("ann") == 1
        assert await guests.recover("for good", 9.0) is None
        for i in range(MOST_RECOVERIES + 1):
            await guests.add_recovery("ann", f"secret {i}", float(i), None)
        assert await guests.recover("secret 0", 99.0) is None
        assert await guests.recover("secret 1", 99.0) == "ann"
        for i in range(MOST_RECOVERIES + 1):  # what works once drives out nothing that lasts
            await guests.add_recovery("ann", f"once {i}", 50.0 + i, 200.0)
        assert await guests.recover("secret 1", 99.0) == "ann"
        assert [await guests.recoverable(f"once {i}", 99.0) for i in (0, 1)] == [None, "ann"]

    run_with_storage(database, story)


def test_a_link_shows_a_game_until_it_is_taken_back(database: str) -> None:
    async def story(storage: Storage) -> None:
        await write_game(storage)
        shares = Shares(storage)
        await shares.add("t", "ann", "first", 1.0)
        await shares.add("t", "ann", "second", 2.0)
        await shares.add("t", "bob", "of Bob", 2.0)
        assert [await shares.opens("t", secret) for secret in ("first", "second", "of Bob")] == [False, True, True]
        assert not await shares.opens("other", "second")
        assert await shares.is_shown_by("t", "ann")
        assert [await shares.remove("t", "ann") for _ in range(2)] == [True, False]
        assert [await shares.opens("t", secret) for secret in ("second", "of Bob")] == [False, True]
        assert not await shares.is_public("t")
        assert await shares.keep_public() == 0  # it was over when there was a choice already
        assert not await shares.end_public("t")

    run_with_storage(database, story)


def test_what_a_guest_has_written_is_read_some_at_a_time(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guest_data, "EXPORTED_AT_ONCE", 3)

    async def story(storage: Storage) -> None:
        for table in ("t", "s"):
            texts = [
                (PersonalText("text", "ann", f"{table}{seq}"), PersonalText("name", "bob", "?")) for seq in range(1, 5)
            ]
            entries = [EntryRow(seq, 1.0, "said", "{}", None, texts[seq - 1]) for seq in range(1, 5)]
            await storage.append(Writes(table, entries))
        pages = [[text["text"] for text in page] async for page in GuestData(storage).export_part("ann", "texts")]
        assert pages == [["s1", "s2", "s3"], ["s4", "t1", "t2"], ["t3", "t4"]]

    run_with_storage(database, story)


def test_what_is_kept_of_a_guest_is_read_beside_the_event_loop(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async def story(storage: Storage) -> None:
        await write_game(storage)
        threads: list[str] = []

        def note(*_how: object) -> None:
            threads.append(threading.current_thread().name)

        assert storage._thread_engine is not None
        event.listen(storage._thread_engine, "before_cursor_execute", note)
        monkeypatch.setattr(storage, "reading", None)  # the way through the event loop is not taken
        assert [row["table"] for row in (await parts_of(storage, "ann"))["tables"]] == ["t"]
        assert len(threads) >= len(EXPORT_PARTS)
        assert {name.partition("_")[0] for name in threads} == {"storage-reader"}

    run_with_storage(database, story)


@pytest.mark.parametrize("part", ["tables", "notes", "shown_games", "ratings"])
def test_no_part_of_an_export_is_read_as_a_whole(database: str, monkeypatch: pytest.MonkeyPatch, part: str) -> None:
    monkeypatch.setattr(guest_data, "EXPORTED_AT_ONCE", 3)

    async def story(storage: Storage) -> None:
        for i in range(8):
            await storage.append(entries_batch(f"t{i}", 1, people=[HoldingRow("ann", "red", is_creator=True)]))
            await AssistantNotes(storage).write(f"t{i}", "ann", "ore")
            await Shares(storage).add(f"t{i}", "ann", f"secret {i}", 1.0)
        row = {"time": 9.0, "place": 1, "players": 2, "mu": 26.0, "sigma": 7.0, "shown": 200, "change": 200}
        rated = [{"table_id": f"t{i}", "guest": "ann", "games": i, **row} for i in range(8)]
        await storage.write(lambda connection: connection.execute(insert(rated_game), rated).rowcount)
        pages = [page async for page in GuestData(storage).export_part("ann", part)]
        assert [len(page) for page in pages] == [3, 3, 2]
        tables = [str(row.get("table", row.get("table_id"))) for page in pages for row in page]
        assert sorted(tables) == [f"t{i}" for i in range(8)]

    run_with_storage(database, story)


def test_a_title_and_a_reserved_seat_go_with_the_guest_who_is_not_at_the_table(database: str) -> None:
    """Another game: Bob has set it up, Ann wrote its title once, and a seat is kept for her."""

    async def story(storage: Storage) -> None:
        texts = (PersonalText("title", "ann", "Ann's"), PersonalText("reserved red", "ann", "Ann"))
        seats = [{"color": "red", "reserved": "Ann"}, {"color": "blue", "name": "Bob"}]
        await storage.append(
            Writes(
                "t",
                [EntryRow(1, 1.0, "opened", "{}", None, texts)],
                summary=json.dumps({"title": "Ann's", "seats": seats}),
                people=[HoldingRow("bob", "blue", is_creator=True)],
            )
        )
        assert await GuestData(storage).forget("ann") == ["t"]
        row = await storage.table("t")
        assert row is not None
        assert json.loads(row.summary) == {"title": "", "seats": [{"color": "red"}, {"color": "blue", "name": "Bob"}]}

    run_with_storage(database, story)


NO_GUEST = {
    *("admin_action.operator", "admin_action.table_id", "admin_action.text", "admin_action.what", "command.answer"),
    *("command.id", "command.table_id", "dice_key.key", "dice_key.table_id", "entry.body", "entry.kind"),
    *("entry.state_hash", "entry.table_id", "forgotten_guest.hash", "game_table.id", "game_table.status"),
    *("game_table.summary", "game_table.visibility", "guest.name", "holding.seat", "holding.table_id", "meta.key"),
    *("meta.value", "note.table_id", "note.text", "personal_text.slot", "personal_text.table_id"),
    *("personal_text.text", "rated_game.table_id", "rating.name", "recovery.hash", "report.table_id", "report.text"),
    *("report.what", "report.why", "sanction.network", "sanction.what", "sanction.why", "share.hash"),
    *("share.table_id", "token.hash", "token.seat", "token.table_id"),
}
"""Columns of texts in which there is no id of a guest."""


def test_every_column_of_ids_of_guests_is_deleted_or_kept_on_purpose_and_exported() -> None:
    listed = {str(column) for column in (*OWN_COLUMNS, *KEPT_COLUMNS)}
    own_ways = {"command.who", "forgotten_guest.guest"}  # "GUEST COLOR", and what the deletion itself needs
    texts = {str(column) for table in metadata.tables.values() for column in table.c if column.type.python_type is str}
    assert texts == listed | own_ways | NO_GUEST, "say of a new column whether it names a guest"
    assert {str(part.guest) for part in EXPORT_PARTS.values()} | {str(column) for column in EXPORTED_ONCE} == listed


async def count_rows(storage: Storage, guest_id: str, columns: Iterable[Column[str]]) -> dict[str, int]:
    """How many rows name a guest."""

    def count(connection: Connection) -> dict[str, int]:
        found = {}
        for column in columns:
            query = select(func.count()).select_from(column.table).where(column == guest_id)
            found[str(column)] = int(connection.execute(query).scalar_one())
        return found

    return await storage.read(count)


def some_value(column: Column[Any]) -> Any:
    if column.name == "what":
        return "mute" if column.table is sanction else "chat"
    return {str: "t", int: 1, float: 1.0, bool: False}[column.type.python_type]


async def fill_all(storage: Storage) -> None:
    """One row of Ann for each column that names guests."""
    await storage.append(entries_batch("t", 1, summary="{}"))

    def write(connection: Connection) -> None:
        for column in (*OWN_COLUMNS, *KEPT_COLUMNS):
            others = {
                other.name: some_value(other)
                for other in column.table.c
                if other is not column and not (other.primary_key and other.type.python_type is int)
            }
            if column is personal_text.c.guest:
                others["seq"] = 1
            connection.execute(insert(column.table).values(**others, **{column.name: "ann"}))

    await storage.write(write)


def test_no_row_is_left_but_those_that_are_kept(database: str) -> None:
    async def story(storage: Storage) -> None:
        await fill_all(storage)
        assert set((await count_rows(storage, "ann", (*OWN_COLUMNS, *KEPT_COLUMNS))).values()) == {1}
        assert await GuestData(storage).forget("ann") == ["t"]
        assert set((await count_rows(storage, "ann", OWN_COLUMNS)).values()) == {0}
        assert set((await count_rows(storage, "ann", KEPT_COLUMNS)).values()) == {1}
        assert await GuestData(storage).half_forgotten() == []

    run_with_storage(database, story)


def test_a_deletion_takes_small_steps_and_others_write_in_between(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(forgetting, "FORGET_AT_ONCE", 3)

    async def story(storage: Storage) -> None:
        for i in range(8):
            people = [HoldingRow("ann", "red", is_creator=True)]
            await storage.append(entries_batch(f"t{i}", 1, status="over", summary=json.dumps(SUMMARY), people=people))
        rows = GuestData(storage)
        await rows.mark_forgotten("ann")
        steps = []
        async for table_ids in rows.forget_rest("ann"):
            steps.append(len(table_ids))
            left = (await count_rows(storage, "ann", [holding.c.guest]))["holding.guest"]
            assert left == 8 - sum(steps), "a step is committed before the next"
            await storage.append(entries_batch("t0", 1 + len(steps)))
        assert steps == [3, 3, 2]

    run_with_storage(database, story)


CUT_OFF = """
    import asyncio, os, sys
    from hexholm.host.storage import Storage
    from hexholm.host.storage.rows import forgetting
    from hexholm.host.storage.repositories.guest_data import GuestData

    forgetting.FORGET_AT_ONCE = 3

    async def main():
        async with Storage(sys.argv[1]) as storage:
            rows = GuestData(storage)
            await rows.mark_forgotten("ann")
            async for _ in rows.forget_rest("ann"):
                os._exit(9)

    asyncio.run(main())
"""


def test_a_deletion_that_a_kill_cut_off_is_known_to_the_next_start(database: str) -> None:
    async def before(storage: Storage) -> None:
        for i in range(8):
            await storage.append(entries_batch(f"t{i}", 1, people=[HoldingRow("ann", "red", is_creator=True)]))
        await storage.add_guest(GuestRow("ann", 0.5, "Ann"))

    async def after(storage: Storage) -> None:
        rows = GuestData(storage)
        assert (await count_rows(storage, "ann", [holding.c.guest]))["holding.guest"] == 5
        assert "ann" in ForgottenGuests(await rows.forgotten()), "nobody from the first step on"
        assert await rows.half_forgotten() == ["ann"]
        assert sum([len(table_ids) async for table_ids in rows.forget_rest("ann")]) == 5
        assert await rows.half_forgotten() == []
        assert set((await count_rows(storage, "ann", OWN_COLUMNS)).values()) == {0}

    run_with_storage(database, before)
    assert run_script(CUT_OFF, database).returncode == 9
    run_with_storage(database, after)


def test_the_forgotten_are_known_by_little() -> None:
    forgotten = ForgottenGuests()
    for i in range(100):
        forgotten.add(f"guest {i}")
    forgotten.add("guest 5")
    forgotten.discard("guest 7")
    forgotten.discard("nobody")
    assert [i for i in range(110) if f"guest {i}" in forgotten] == [i for i in range(100) if i != 7]


def write_much(storage_texts: int) -> list[Writes]:
    """Entries of forty tables, in turn, so that SQLite has to move rows from page to page."""
    batches = []
    for i in range(storage_texts):
        table, seq = f"t{i * 7 % 40}", i // 40 + 1
        who = "ann" if i % 3 else "bob"
        words = f"{'BLUEBERRY' if who == 'ann' else 'other'} {i} {'x' * (i * 37 % 200)}"
        summary = json.dumps({"seats": [{"color": "red", "name": f"{'BLUEBERRY' if i % 2 else ''}{'y' * (i % 90)}"}]})
        batches.append(
            Writes(
                table,
                [EntryRow(seq, 1.0, "said", "{}", None, (PersonalText("text", who, words),))],
                summary=summary,
                people=[HoldingRow("ann", "red", is_creator=False)],
            )
        )
    return batches


def test_nothing_of_a_forgotten_guest_is_left_in_the_file_after_the_next_start(db: Path) -> None:
    """Rows that SQLite has moved leave copies in unused parts of pages; the start after a deletion clears them away."""

    def count() -> int:
        return sum(path.read_bytes().count(b"BLUEBERRY") for path in db.parent.iterdir())

    async def before(storage: Storage) -> None:
        for batch in write_much(2_000):
            await storage.append(batch)
        assert count() > 0
        await GuestData(storage).forget("ann")

    async def after(storage: Storage) -> None:
        assert count() == 0
        assert len(await storage.entries("t0")) == 50

    run_with_storage(db, before)
    with contextlib.closing(sqlite3.connect(db)) as connection:
        assert connection.execute("SELECT count(*) FROM personal_text WHERE guest = 'ann'").fetchone() == (0,)
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    run_with_storage(db, after)


def test_a_file_that_cannot_be_written_anew_is_opened_and_the_next_start_tries_again(
    db: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    tries: list[str] = []

    def fail(_self: object, _engine: object) -> None:
        tries.append("failed")
        raise sqlite3.OperationalError("database or disk is full")

    async def forget(storage: Storage) -> None:
        await write_game(storage)
        await GuestData(storage).forget("ann")

    async def look(storage: Storage) -> None:
        assert len(await storage.entries("t")) == 3

    run_with_storage(db, forget)
    with monkeypatch.context() as patch:
        patch.setattr(SqliteDatabase, "write_anew", fail)
        for _ in range(2):
            run_with_storage(db, look)
    assert tries == ["failed"] * 2
    assert "unused parts" in caplog.text
    monkeypatch.setattr(SqliteDatabase, "write_anew", lambda _self, _engine: tries.append("done"))
    for _ in range(2):
        run_with_storage(db, look)
    assert tries == ["failed", "failed", "done"], "once is enough"
