"""What is kept of a guest: carried to another device, exported, forgotten; links that show finished games."""

from __future__ import annotations

import json

from hexholm.host.storage import AnswerRow, EntryRow, GuestRow, HoldingRow, PersonalText, Seal, Storage, Writes
from hexholm.host.storage.guest_rows import MOST_RECOVERIES, GuestRows
from hexholm.host.storage.shares import Shares

from .stored_rows import run_with_storage

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
            people=[HoldingRow("ann", "red", creator=True), HoldingRow("bob", "blue", creator=False)],
        )
    )
    await storage.add_guest(GuestRow("ann", 0.5, "Ann"))
    await storage.add_guest(GuestRow("bob", 0.5, "Bob"))
    await storage.set_note("t", "ann", "Bob wants ore")


def test_a_guest_is_shown_all_that_is_kept_of_it_and_nothing_of_others(database: str) -> None:
    async def story(storage: Storage) -> None:
        await write_game(storage)
        guests = GuestRows(storage)
        await guests.add_recovery("ann", "secret", 7.0, None)
        await Shares(storage).add("t", "ann", "shown", 8.0)
        export = await guests.export("ann")
        assert (export.name, export.created, export.seat_tokens) == ("Ann", 0.5, 1)
        assert [(table["table"], table["seat"], table["creator"]) for table in export.tables] == [("t", "red", True)]
        assert [(text.kind, text.text) for text in export.texts] == [("title", "Ann's"), ("text", "hello")]
        assert export.notes == ({"table": "t", "text": "Bob wants ore"},)
        assert (export.recoveries, export.shown_games) == ((7.0,), ("t",))
        assert "secret" not in repr(export)
        assert "hi Ann" not in repr(export)
        assert (await guests.export("nobody")).tables == ()

    run_with_storage(database, story)


def test_a_forgotten_guest_leaves_nothing_but_the_log_as_it_was(database: str) -> None:
    async def story(storage: Storage) -> None:
        await write_game(storage)
        guests = GuestRows(storage)
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
        assert (export.tables, export.texts, export.notes, export.recoveries, export.seat_tokens) == ((), (), (), (), 0)
        assert await storage.answer("t", "ann red", "1") is None
        row = await storage.table("t")
        assert row is not None
        assert json.loads(row.summary) == {"title": "", "seats": [{"color": "red"}, {"color": "blue", "name": "Bob"}]}
        assert await guests.recover("secret", 8.0) is None
        assert (await guests.is_forgotten("ann"), await guests.is_forgotten("bob")) == (True, False)
        assert (await guests.export("bob")).seat_tokens == 1
        assert await guests.forget("ann") == []  # a second time does nothing

    run_with_storage(database, story)


def test_what_recovers_a_guest_works_once_or_until_it_is_revoked(database: str) -> None:
    async def story(storage: Storage) -> None:
        guests = GuestRows(storage)
        await guests.add_recovery("ann", "for good", 1.0, None)
        await guests.add_recovery("ann", "once", 1.0, 100.0)
        await guests.add_recovery("ann", "too late", 1.0, 5.0)
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
        assert await shares.keep_public() == 1
        assert await shares.is_public("t")

    run_with_storage(database, story)
