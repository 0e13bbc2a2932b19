"""A storage that fails, an error of the program: nobody is told what is not stored, and tables go on."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from hexholm.host.bot_pool.bot_pool import BotsAtOnce
from hexholm.host.storage import Storage, StorageFailed, Writes
from hexholm.host.tables import log
from hexholm.host.tables.hall.hall import Hall
from hexholm.host.tables.hall.loaded_tables import NoTable
from hexholm.host.tables.running import work_queue
from hexholm.host.tables.seats import Guest
from hexholm.host.tables.table import Table
from hexholm.host.wire import messages
from hexholm.host.wire.host_refusals import Declined
from tests.host.halls import (
    Clock,
    Faulty,
    Party,
    ask_why,
    carry_out,
    drain,
    in_hall,
    open_party,
    refusal_code,
    set_up,
    table_settings,
    why_refused,
)

pytestmark = pytest.mark.waits

# --- storage that fails -----------------------------------------------------------------------------------------------


def test_what_cannot_be_stored_is_told_to_nobody_and_the_table_goes_on_later() -> None:
    async def run(p: Party) -> None:
        await set_up(p)
        await p.begin()
        feed = p.feed("blue")
        drain(feed)
        before = p.table.game.position() if p.table.game else ""
        faulty: Any = p.hall.services.storage
        faulty.fault = "refuses"
        act = messages.Act(id="one", action="settlement C3n")
        for _ in range(3):
            answer = await p.send("red", act)
            assert isinstance(answer, messages.Refused)
            assert (answer.code, answer.why) == ("failed", "not_stored")
        assert drain(feed) == []
        assert p.table.game is not None
        assert p.table.game.position() == before
        with pytest.raises(Declined) as error:
            await p.hall.create("ann", table_settings(options={}))
        assert error.value.refusal.code == "failed"
        faulty.fault = None
        assert isinstance(await p.send("red", act), messages.Done)
        assert [type(message) for message in drain(feed)] == [messages.Told, messages.Now]

    in_hall(run)


class SlowListing(Storage):
    """A storage that takes its time over the list of tables."""

    def __init__(self) -> None:
        super().__init__(":memory:")
        self.reached, self.let = asyncio.Event(), asyncio.Event()

    async def append(self, batch: Writes) -> None:
        if batch.summary is not None:
            self.reached.set()
            await self.let.wait()
        await super().append(batch)


def test_a_table_that_is_being_set_up_is_not_there_yet() -> None:
    async def run() -> None:
        async with SlowListing() as storage, open_party(storage) as p:
            creating = asyncio.create_task(p.hall.create("ann", table_settings(options={}), id="new"))
            await storage.reached.wait()
            assert await storage.table("new") is not None
            with pytest.raises(NoTable):
                await p.hall.load("new")
            storage.let.set()
            await creating
            assert (await p.hall.load("new")).table.seq == 1

    asyncio.run(run())


class FullDisk(Storage):
    """A storage that reads all and writes nothing while it is full."""

    full = False

    async def append(self, batch: Writes) -> None:
        if self.full:
            raise StorageFailed("the disk is full")
        await super().append(batch)

    async def set_meta(self, key: str, value: str) -> None:
        if self.full:
            raise StorageFailed("the disk is full")
        await super().set_meta(key, value)


def test_a_host_starts_on_a_full_disk_and_its_tables_go_on_when_there_is_room() -> None:
    async def run() -> None:
        clock = Clock()
        async with FullDisk(":memory:") as storage:
            async with open_party(storage, now=clock) as p:
                await set_up(p, clock=60)
                await p.begin()
                before = p.table.deadline("red")
                assert before is not None
            storage.full, clock.time = True, clock.time + 1000
            async with open_party(storage, now=clock) as again:
                again.id, again.people = p.id, p.people
                again.feed("red")  # else the game would wait for somebody
                assert again.table.status == "playing"
                assert not again.hall.storing
                answer = await again.act("red", "settlement C3n")
                assert isinstance(answer, messages.Refused)
                assert answer.why == "not_stored"
                await again.after(500)
                assert again.table.asked_colors() == ("red",)  # nobody was moved for
                storage.full = False
                seq = again.table.seq
                await again.until(lambda: again.table.seq > seq)
                assert again.table.deadline("red") == before + 1500
                await again.play_actions("red", "settlement C3n")
                assert again.table.seq == len(await storage.entries(p.id))

    asyncio.run(run())


def test_a_restart_that_was_stored_although_a_failure_was_reported_counts_once() -> None:
    async def run() -> None:
        async with Faulty(":memory:") as storage:
            async with open_party(storage) as p:
                await set_up(p)
                await p.begin()
                entries = await storage.entries(p.id)
            append = storage.append

            async def lie(batch: Writes) -> None:
                await append(batch)
                raise StorageFailed("the disk is gone")

            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(storage, "append", lie)
                hall = await Hall.open(storage, now=p.clock, bots=BotsAtOnce())
            try:
                again = Party(hall, p.clock, p.id, p.people)
                await again.play_actions("red", "settlement C3n")
                kinds = [entry.tag for entry in (await storage.entries(p.id))[len(entries) :]]
                assert kinds.count("restarted") == 1
            finally:
                await hall.close()

    asyncio.run(run())


def test_what_was_stored_although_a_failure_was_reported_counts_once() -> None:
    async def run(p: Party) -> None:
        await set_up(p)
        await p.begin()
        feed = p.feed("blue")
        drain(feed)
        faulty: Any = p.hall.services.storage
        faulty.fault = "lies"
        act = messages.Act(id="one", action="settlement C3n")
        assert refusal_code(await p.send("red", act)) == "failed"
        faulty.fault = None
        answer = await p.send("red", act)
        assert isinstance(answer, messages.Done)
        assert [type(message) for message in drain(feed)] == [messages.Told, messages.Now]
        assert len([line for line in await p.hall.services.storage.entries(p.id) if line.tag == "played"]) == 1

    in_hall(run)


def test_a_seat_that_was_taken_although_a_failure_was_reported_is_its_takers() -> None:
    async def run(p: Party) -> None:
        created_table = await p.hall.create("ann", table_settings(options={}, color="red"))
        faulty: Any = p.hall.services.storage
        faulty.fault = "lies"
        with pytest.raises(Declined) as error:
            await p.hall.loaded(created_table.id).seat_access.take_seat("blue", "bob", "Bob")
        assert error.value.refusal.code == "failed"
        faulty.fault = None
        with pytest.raises(Declined, match="sitting there"):
            await p.hall.loaded(created_table.id).seat_access.take_seat("blue", "cid", "Cid")
        token = await p.hall.loaded(created_table.id).seat_access.take_seat("blue", "bob", "Bob")
        assert p.hall.loaded(created_table.id).seat_access.identify(token, "bob") == Guest("bob", "blue")

    in_hall(run)


def test_bots_go_on_when_the_storage_does(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(work_queue, "RETRY_AFTER", 0.05)

    async def run(p: Party) -> None:
        await set_up(p, 1)
        faulty: Any = p.hall.services.storage
        await p.begin()
        await p.play_actions("red", "settlement C3n")
        faulty.fault = "refuses"
        assert refusal_code(await p.act("red", "road C3/ne")) == "failed"
        await asyncio.sleep(0.2)
        faulty.fault = None
        await p.play_actions("red", "road C3/ne")
        faulty.fault = "refuses"
        await asyncio.sleep(0.2)
        seq = p.table.seq
        faulty.fault = None
        await p.until(lambda: p.table.asked_colors() == ("red",) and p.table.seq > seq)

    in_hall(run)


def test_what_cannot_be_read_for_one_holds_up_nobody_else(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(work_queue, "RETRY_AFTER", 1e9)

    async def unread(*_: object) -> str | None:
        raise StorageFailed("a column does not take this")

    async def run(p: Party) -> None:
        await set_up(p, 1)
        await p.begin()
        storage: Any = p.hall.services.storage
        monkeypatch.setattr(storage, "answer", unread)
        assert refusal_code(await p.send("red", messages.Back(id="one"))) == "failed"
        monkeypatch.undo()
        assert await why_refused(p, "red", messages.Back(id="one")) == "not_away", "that is no answer for good"
        await p.play_actions("red", "settlement C3n", "road C3/ne")
        await p.until(lambda: p.table.asked_colors() == ("red",))  # after all bots

    in_hall(run)


def test_an_id_is_a_few_characters_that_can_be_printed() -> None:
    async def run(p: Party) -> None:
        await set_up(p)
        for command_id in ("", "a" * 65, "a\0b", "a\nb", "a\x1b[2J", "a\u202eb"):
            assert await why_refused(p, "red", messages.Say(id=command_id, text="hello")) == "bad_id"
            answer = await ask_why(p.hall, p.id, p.people["red"], messages.Why(id=command_id, action="roll"))
            assert isinstance(answer, messages.Refused)
            assert answer.why == "bad_id"
        for command_id in ("1", "a b", "Größe 5", "f" * 64):
            await carry_out(p, "red", messages.Say(id=command_id, text="hello"))

    in_hall(run)


def test_after_an_error_of_the_program_the_table_is_read_again_from_its_log(monkeypatch: pytest.MonkeyPatch) -> None:
    async def run(p: Party) -> None:
        await set_up(p)
        await p.begin()
        feed, enter = p.feed("blue"), Table.enter

        def faulty(table: Table, entry: log.LogEntry, *decided: Any) -> Any:
            if isinstance(entry.body, log.Played):
                table.seats.clear()
                raise ZeroDivisionError
            return enter(table, entry, *decided)

        monkeypatch.setattr(Table, "enter", faulty)
        act = messages.Act(id="one", action="settlement C3n")
        answer = await p.send("red", act)
        assert isinstance(answer, messages.Refused)
        assert (answer.code, answer.why) == ("failed", "accident"), "it has been stored"
        monkeypatch.setattr(Table, "enter", enter)
        assert isinstance(await p.send("red", act), messages.Done)
        assert feed.reason == "restarted"
        assert p.table.view("red") is not None
        await p.play_actions("red", "road C3/ne")
        assert p.hall.services.figures["errors"] == 1

    in_hall(run)


def test_that_storage_lost_what_guests_have_seen_is_logged_once_for_a_table(caplog: pytest.LogCaptureFixture) -> None:
    async def run(p: Party) -> None:
        await set_up(p)
        await p.begin()
        number = len(p.table.by_eyes["red"].stream)
        for since in (None, 0, number):
            p.feed("red", since).close()
        assert not caplog.records
        for color, since in (("red", number + 12), ("red", number + 12), ("blue", 10**9), (None, 10**9)):
            feed = p.feed(color, since)
            hello = drain(feed)[0]
            assert hello.number < since  # so the guest knows it too
            feed.close()
        assert [record.args for record in caplog.records] == [(p.id, number + 12, number)]
        assert p.hall.services.figures["lost"] == 1

    in_hall(run)
