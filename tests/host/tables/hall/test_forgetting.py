"""A guest is deleted: its seats, names and words go, here and in storage; games and their logs stay as they are."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import msgspec
import pytest

from hexholm.host.storage import Storage, StorageFailed
from hexholm.host.storage.repositories.guest_data import EXPORT_PARTS, GuestData
from hexholm.host.tables import log
from hexholm.host.tables.audience import audience
from hexholm.host.tables.audience.feeds import Feed
from hexholm.host.tables.running.table_store import LogSync
from hexholm.host.tables.seats import Guest
from hexholm.host.wire import messages
from hexholm.host.wire.host_refusals import Declined

from ...halls import Faulty, Gate, Party, carry_out, drain, in_hall, open_party, scripted_dealer, set_up, table_settings

pytestmark = pytest.mark.waits

NAME, WORDS = "Rumpelstilz", "mulberry marmalade"
SITTING = (("blue", "bob"), ("white", "cid"))


async def begin_game(party: Party, people: int = 2) -> None:
    """Ann has set it up, under a name that nobody else has; both have said something, before the game and in it."""
    await set_up(party, people=people, setup="fixed")
    await carry_out(party, "red", messages.Rename(id="name", name=NAME))
    await carry_out(party, "red", messages.Say(id="say 1", text=WORDS))
    if people > 1:
        await carry_out(party, "blue", messages.Say(id="say 1", text="hello Ann"))
    await party.begin()
    await carry_out(party, "red", messages.Say(id="say 2", text=f"again: {WORDS}"))
    await party.play_actions("red", "roll")


def known_of(party: Party, table_id: str) -> str:
    """All that the house would tell anybody of a table."""
    runner = party.hall.loaded(table_id)
    table = runner.table
    told = [[msgspec.json.encode(message) for message in state.stream] for state in table.by_eyes.values()]
    lines = [msgspec.json.encode(table.line()), repr(table.opening), repr(table.reservations), repr(table.seats)]
    return repr((told, lines, runner.handler._answers))


def emptied(text: str) -> Any:
    """A message without the names and words of Ann."""

    def without(data: Any) -> Any:
        if isinstance(data, dict):
            return {key: without(value) for key, value in data.items() if key != "name" or value not in (NAME, "Ann")}
        if isinstance(data, list):
            return [without(value) for value in data]
        return "" if isinstance(data, str) and WORDS in data else data

    return without(msgspec.json.decode(text))


async def log_of(storage: Storage, table_id: str) -> list[tuple[Any, ...]]:
    """What must not change: the entries, without the texts of guests."""
    return [(row.seq, row.time, row.tag, row.body, row.position_hash) for row in await storage.entries(table_id)]


async def stored_text(storage: Storage, table_id: str) -> str:
    """All that storage has of a table and of Ann."""
    rows = GuestData(storage)
    row, export = await storage.table(table_id), await rows.export("ann")
    parts = [[page async for page in rows.export_part("ann", name)] for name in EXPORT_PARTS]
    return repr((row, export, parts, await storage.entries(table_id), await storage.tables_of("ann")))


def test_nothing_is_left_of_a_deleted_guest_and_its_game_goes_on() -> None:
    async def story(party: Party) -> None:
        await begin_game(party)
        storage, table_before = party.hall.services.storage, party.table
        before, steps = await log_of(storage, party.id), party.table.begun_game.steps
        watching = party.feed(None, 0)
        assert NAME in known_of(party, party.id)
        assert WORDS in known_of(party, party.id)
        assert WORDS in await stored_text(storage, party.id)
        await party.hall.forget("ann")
        assert (await log_of(storage, party.id))[: len(before)] == before
        assert party.table is not table_before
        known, stored = known_of(party, party.id), await stored_text(storage, party.id)
        for text in (NAME, WORDS, "Ann's"):
            assert text not in known
            assert text not in stored
        assert "hello Ann" in known, "these are the words of another"
        drain(watching)
        assert watching.reason == "reset"
        seat = party.table.seats["red"]
        assert (seat.sitter, seat.name, seat.bot_name, seat.resigned) == ("person", "", "easy", True)
        assert party.table.begun_game.steps[: len(steps)] == steps
        await party.until(lambda: "blue" in party.table.asked_colors())
        await party.play_actions("blue", "roll")

    in_hall(story, make_dealer=scripted_dealer())


def test_a_game_is_replayed_to_the_same_positions_byte_for_byte(tmp_path: Path) -> None:
    """What a restart makes of the log, with and without the words: the same game, the same numbers of messages."""

    async def played(storage: Storage) -> tuple[str, list[tuple[Any, ...]], str]:
        async with open_party(storage, make_dealer=scripted_dealer()) as party:
            await begin_game(party, people=3)
            await carry_out(party, "blue", messages.End(id="end"))
            await carry_out(party, "white", messages.End(id="end"))
            await carry_out(party, "red", messages.End(id="end"))
            assert party.table.status == "over"
            return party.id, await log_of(storage, party.id), party.table.begun_game.record().text()

    async def loaded(storage: Storage, table_id: str) -> tuple[str, list[tuple[Any, ...]], list[str]]:
        async with open_party(storage) as party:
            table = (await party.hall.load(table_id)).table
            told = [msgspec.json.encode(message).decode() for message in table.by_eyes["blue"].stream]
            return table.begun_game.record().text(), await log_of(storage, table_id), told

    async def main() -> None:
        async with Storage(tmp_path / "h.db") as storage:
            table_id, entries, record = await played(storage)
            _, _, told_before = await loaded(storage, table_id)
            async with open_party(storage) as party:
                await party.hall.load(table_id)
                await party.hall.forget("ann")
                assert NAME not in known_of(party, table_id)
            same_record, same_entries, told = await loaded(storage, table_id)
            assert (same_record, same_entries) == (record, entries)
            assert [emptied(text) for text in told_before] == [msgspec.json.decode(text) for text in told]
            assert not any(NAME in text or WORDS in text for text in told)

    asyncio.run(main())


def test_what_was_read_again_is_what_a_restart_would_read(tmp_path: Path) -> None:
    async def main() -> None:
        async with Storage(tmp_path / "h.db") as storage:
            async with open_party(storage, make_dealer=scripted_dealer()) as party:
                await begin_game(party)
                await party.hall.forget("bob")
                table_id, in_memory, numbers = (
                    party.id,
                    known_of(party, party.id),
                    party.hall.loaded(party.id).store.replica._numbers,
                )
            async with open_party(storage) as party:
                runner = party.hall.loaded(table_id)
                anew = runner.table.by_eyes["red"].stream
                assert runner.store.replica._numbers[: len(numbers)] == numbers
                assert all(repr(msgspec.json.encode(message)) in in_memory for message in anew[: numbers[-5]])
                assert "hello Ann" not in known_of(party, table_id)

    asyncio.run(main())


def test_a_game_without_another_person_ends() -> None:
    async def story(party: Party) -> None:
        await begin_game(party, people=1)
        await party.hall.forget("ann")
        result = party.table.begun_game.result
        assert party.table.status == "over"
        assert result is not None
        assert result.how == "abandoned"
        assert NAME not in known_of(party, party.id)

    in_hall(story, make_dealer=scripted_dealer())


def test_a_table_that_has_not_begun_ends_with_the_one_who_set_it_up_and_others_only_leave() -> None:
    async def story(party: Party) -> None:
        await set_up(party, people=3)
        await party.hall.forget("bob")
        assert (party.table.status, party.table.seats["blue"].sitter) == ("open", "empty")
        assert "Bob" not in known_of(party, party.id)
        await party.hall.forget("ann")
        assert party.table.status == "over"

    in_hall(story)


def test_the_deleted_guest_is_nobody_from_the_first_moment_on() -> None:
    async def story(party: Party) -> None:
        await begin_game(party)
        runner, ann = party.hall.loaded(party.id), party.people["red"]
        eyes = runner.seat_access.identify(party.tokens["red"], "ann")
        feed = runner.feed(eyes)
        await party.hall.forget("ann")
        drain(feed)
        assert feed.reason == "kicked"
        for guest in (ann, eyes, Guest("ann")):
            with pytest.raises(Declined):
                await runner.carry_out(guest, messages.Say(id="late", text=WORDS))
        with pytest.raises(Declined, match="does not open a seat"):
            runner.seat_access.identify(party.tokens["red"], "ann")
        with pytest.raises(Declined, match="does not know you"):
            await party.hall.create("ann", table_settings(color="red", options={"edition": "fifth"}))
        with pytest.raises(Declined):
            await runner.seat_access.take_seat("white", "ann", NAME)
        assert NAME not in await stored_text(party.hall.services.storage, party.id)
        assert await party.hall.services.storage.guest("ann") is None
        assert await party.hall.services.storage.tables_of("ann") == []

    in_hall(story, make_dealer=scripted_dealer())


def test_it_stays_nobody_after_a_restart(tmp_path: Path) -> None:
    async def main() -> None:
        async with Storage(tmp_path / "h.db") as storage:
            async with open_party(storage, make_dealer=scripted_dealer()) as party:
                await begin_game(party)
                table_id = party.id
                await party.hall.forget("ann")
            async with open_party(storage) as party:
                assert "ann" in party.hall.services.forgotten
                assert NAME not in known_of(party, table_id)
                assert await storage.tables_of("ann") == []

    asyncio.run(main())


def test_what_was_listed_while_the_guest_was_deleted_has_nothing_of_it() -> None:
    """Bob asks for a pause between the deletion in storage and that in memory: the table is listed as it is there."""

    async def story(party: Party) -> None:
        options, seats = {"edition": "fifth", "setup": "fixed", "first": 0}, {"orange": "easy"}
        title = f"{NAME} and friends"
        created = await party.hall.create(
            "ann", table_settings(options=options, seats=seats, color="red", title=title, board_seed=5)
        )
        runner = party.hall.loaded(created.id)
        bob, _ = [
            runner.seat_access.identify(await runner.seat_access.take_seat(color, name, name), name)
            for color, name in SITTING
        ]
        await runner.carry_out(runner.seat_access.identify(created.token, "ann"), messages.Begin(id="begin"))
        read_again = runner.read_again

        async def read_late() -> None:
            await runner.carry_out(bob, messages.Pause(id="pause"))
            await read_again()

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(runner, "read_again", read_late)
            await party.hall.forget("ann")
        row = await party.hall.services.storage.table(created.id)
        assert row is not None
        assert NAME not in row.summary
        assert '"wishes"' in row.summary, "it was listed in between"

    in_hall(story, make_dealer=scripted_dealer(), bots=Gate())  # nothing happens afterwards


def test_a_rematch_keeps_no_seat_for_a_deleted_guest_and_frees_one_that_it_kept() -> None:
    async def story(party: Party) -> None:
        await begin_game(party)
        for color in ("blue", "red"):
            await party.send(color, messages.End(id="end"))
        assert party.table.status == "over"
        next_id = await party.hall.rematch(party.id, "bob")
        await party.hall.forget("ann")
        assert NAME not in known_of(party, next_id)
        runner = party.hall.loaded(next_id)
        assert (list(runner.table.reservations), runner.table.line().seats[0].reserved) == (["blue"], "")
        await runner.seat_access.take_seat("red", "cid", "Cid")
        row = await party.hall.services.storage.table(next_id)
        assert row is not None
        assert NAME not in row.summary
        again = await party.hall.create("dan", table_settings(color="red", options={"edition": "fifth"}))
        assert again.id != next_id

    in_hall(story, make_dealer=scripted_dealer())


def test_a_rematch_after_the_deletion_knows_nothing_of_the_guest() -> None:
    async def story(party: Party) -> None:
        await begin_game(party)
        for color in ("blue", "red"):
            await party.send(color, messages.End(id="end"))
        await party.hall.forget("ann")
        next_id = await party.hall.rematch(party.id, "bob")
        table = party.hall.loaded(next_id).table
        assert list(table.reservations) == ["blue"]
        assert "ann" not in {reservation.guest_id for reservation in table.opening.reserved.values()}
        rows = await party.hall.services.storage.tables_of("ann")
        assert rows == [], "the finished table was listed again, and not under the deleted guest"

    in_hall(story, make_dealer=scripted_dealer())


def test_the_title_of_a_rematch_belongs_to_whom_wrote_it() -> None:
    opened = log.Opened(title="Ann's", title_by="ann", creator_id="bob", options={}, board="")
    row = log.entry_row(log.LogEntry(seq=1, time=1.0, body=opened))
    assert [(text.slot, text.guest_id) for text in row.texts] == [("title", "ann")]

    async def story(party: Party) -> None:
        await begin_game(party)
        for color in ("blue", "red"):
            await party.send(color, messages.End(id="end"))
        next_id = await party.hall.rematch(party.id, "bob")
        assert party.hall.loaded(next_id).table.opening.title_by == "ann"

    in_hall(story, make_dealer=scripted_dealer())


def test_a_deletion_that_cannot_be_stored_leaves_the_guest_who_it_is() -> None:
    async def story(party: Party) -> None:
        await begin_game(party)
        storage = party.hall.services.storage
        assert isinstance(storage, Faulty)

        async def delete_for_good(_job: Any) -> Any:
            raise StorageFailed("the disk is full")

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(storage, "delete_for_good", delete_for_good)
            with pytest.raises(Declined, match="could not be stored"):
                await party.hall.forget("ann")
        assert "ann" not in party.hall.services.forgotten
        assert await storage.guest("ann") is not None
        await party.hall.forget("ann")
        assert await storage.guest("ann") is None

    in_hall(story, make_dealer=scripted_dealer())


def test_a_deletion_that_fails_in_the_middle_goes_on_later_and_after_a_restart(database: str) -> None:
    """The guest is nobody at once, and nothing has what was deleted: neither the host that goes on, nor the next."""

    async def main() -> None:
        async with Storage(database) as storage:
            async with open_party(storage, make_dealer=scripted_dealer()) as party:
                await begin_game(party)
                table_id, write = party.id, storage.write
                failing = True

                async def write_or_fail(job: Any) -> Any:
                    if failing and "forget_rest" in getattr(job, "__qualname__", ""):
                        raise StorageFailed("the disk is full")
                    return await write(job)

                with pytest.MonkeyPatch.context() as patch:
                    patch.setattr(storage, "write", write_or_fail)
                    await party.hall.forget("ann")
                    assert "ann" in party.hall.services.forgotten
                    assert list(party.hall.guest_removal._half_forgotten) == ["ann"]
                    assert await storage.guest("ann") is not None, "it was cut off"
            async with open_party(storage) as party:  # the next start
                assert not party.hall.guest_removal._half_forgotten
                assert await storage.guest("ann") is None
                assert "ann" in party.hall.services.forgotten
                assert NAME not in known_of(party, table_id)
                assert WORDS not in await stored_text(storage, table_id)
                assert await storage.tables_of("ann") == []

    asyncio.run(main())


def test_a_host_that_goes_on_tries_again(monkeypatch: pytest.MonkeyPatch) -> None:
    async def story(party: Party) -> None:
        await begin_game(party)
        storage = party.hall.services.storage

        async def fail(_job: Any) -> Any:
            raise StorageFailed("the disk is full")

        await GuestData(storage).mark_forgotten("ann")
        with monkeypatch.context() as patch:
            patch.setattr(storage, "write", fail)
            await party.hall.guest_removal._forget_rest("ann")
        assert WORDS in known_of(party, party.id)
        await party.hall.guest_removal.go_on()
        assert WORDS not in known_of(party, party.id)
        assert await storage.guest("ann") is None

    in_hall(story, make_dealer=scripted_dealer())


def test_a_table_that_cannot_be_changed_does_not_stop_the_rest(caplog: pytest.LogCaptureFixture) -> None:
    async def story(party: Party) -> None:
        await begin_game(party)
        storage, broken_id, settings = party.hall.services.storage, party.id, table_settings(color="red")
        other = party.hall.loaded((await party.hall.create("ann", settings)).id)
        broken = party.hall.loaded(broken_id)
        broken.store._sync = LogSync.BROKEN
        await party.hall.forget("ann")
        assert other.table.status == "over"
        assert "ann" in party.hall.services.forgotten
        assert await storage.guest("ann") is None
        assert await storage.seals(broken_id) == [
            seal for seal in await storage.seals(broken_id) if seal.color != "red"
        ]
        assert WORDS not in await stored_text(storage, broken_id)
        assert f"table {broken_id}: a deleted guest keeps its seat" in caplog.text

    in_hall(story, make_dealer=scripted_dealer())


@pytest.mark.parametrize("step", ["forget_guest", "read_again"])
def test_a_table_that_was_too_busy_is_tried_again(step: str) -> None:
    async def story(party: Party) -> None:
        await begin_game(party)
        runner = party.hall.loaded(party.id)

        async def decline(*_: Any) -> None:
            raise Declined.because("table_busy")

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(runner.seat_access if step == "forget_guest" else runner, step, decline)
            await party.hall.forget("ann")
        assert await party.hall.services.storage.guest("ann") is None, "the rest is deleted"
        await party.hall.guest_removal.go_on()
        assert party.table.seats["red"].resigned
        assert WORDS not in known_of(party, party.id)
        assert not party.hall.guest_removal._half_forgotten

    in_hall(story, make_dealer=scripted_dealer())


def test_tables_come_back_while_a_guest_is_deleted(tmp_path: Path) -> None:
    """The deletion of very many games must not hold up who looks at one that is over."""

    async def main() -> None:
        async with Storage(tmp_path / "h.db") as storage:
            async with open_party(storage, make_dealer=scripted_dealer()) as party:
                await begin_game(party)
                for color in ("blue", "red"):
                    await party.send(color, messages.End(id="end"))
                table_id = party.id
            async with open_party(storage) as party:
                write, looked = storage.write, False

                async def look_and_write(job: Any) -> Any:
                    nonlocal looked
                    if not looked and "forget_rest" in getattr(job, "__qualname__", ""):
                        looked = True
                        runner = await party.hall.load(table_id)
                        assert WORDS in known_of(party, runner.table.id)
                    return await write(job)

                with pytest.MonkeyPatch.context() as patch:
                    patch.setattr(storage, "write", look_and_write)
                    await asyncio.wait_for(party.hall.forget("ann"), 30)
                assert looked
                assert WORDS not in known_of(party, table_id)

    asyncio.run(main())


def test_words_that_could_not_be_read_again_are_gone_before_anything_else_is_done() -> None:
    async def story(party: Party) -> None:
        await begin_game(party)
        storage = party.hall.services.storage
        with pytest.MonkeyPatch.context() as patch:

            async def entries(_table_id: str, _since: int = 0) -> Any:
                raise StorageFailed("the disk is gone")

            patch.setattr(storage, "entries", entries)
            await party.hall.forget("ann")
        await party.send("blue", messages.Say(id="say 2", text="are you there?"))
        assert WORDS not in known_of(party, party.id)

    in_hall(story, make_dealer=scripted_dealer())


async def waiting_feed(party: Party, color: str | None) -> tuple[Feed, asyncio.Task[None]]:
    """A feed whose reader has all that was told, and waits for more."""
    feed = party.feed(color)

    async def read() -> None:
        async for _ in feed:
            pass

    reader = asyncio.create_task(read())
    await party.until(lambda: feed.is_idle)
    return feed, reader


def ended(feed: Feed) -> str | None:
    """Why a feed has ended by now; None: it goes on."""
    return feed.reason


def test_guests_who_delete_themselves_one_after_another_cut_off_nobody_again_and_again() -> None:
    async def story(party: Party) -> None:
        await set_up(party, people=2, setup="fixed")
        (first, _), runner = await waiting_feed(party, "red"), party.hall.loaded(party.id)
        for number in range(4):  # each has sat there, and its name stands in the log
            guest = f"guest {number}"
            await carry_out(party, "red", messages.SeatBot(id=f"free {number}", color="white", bot_name=None))
            await runner.seat_access.take_seat("white", guest, f"{NAME} {number}")
            await runner.carry_out(Guest(guest, "white"), messages.Leave(id="leave"))
        await party.hall.forget("guest 0")
        assert first.reason == "reset", "who was told the name comes again and forgets it"
        second, reader = await waiting_feed(party, "red")
        behind = party.feed("blue", 0)
        for number in (1, 2, 3):
            party.clock.time += 1
            await party.hall.forget(f"guest {number}")
            assert f"{NAME} {number}" not in known_of(party, party.id), "here it is gone at once"
        assert ended(second) is None, "who has read it all is not sent away each time"
        assert behind.reason == "reset", "who would still be told it is"
        await carry_out(party, "red", messages.Say(id="on", text="we play on"))
        await party.until(lambda: second.is_idle)
        await party.after(audience.RESET_PAUSE)
        assert ended(second) == "reset", "at last all forget it"
        third, reader_of_third = await waiting_feed(party, "red")
        await party.after(2 * audience.RESET_PAUSE)
        assert ended(third) is None
        for task in (reader, reader_of_third):
            task.cancel()

    in_hall(story, make_dealer=scripted_dealer())
