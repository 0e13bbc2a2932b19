"""What a hall keeps and what it lets go: guests who come at the wrong moment, logs that cannot be read, early ends."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

import pytest

from hexholm import __version__
from hexholm.host.client import Client, Declined
from hexholm.host.storage import Storage, StorageFailed
from hexholm.host.storage.repositories.shares import Shares
from hexholm.host.storage.values import ALIVE
from hexholm.host.tables.hall import hall as halls_module
from hexholm.host.tables.hall.loaded_tables import FINISHED_LINGER, NoTable
from hexholm.host.tables.seats import Guest
from hexholm.host.tables.services.durations import DAY
from hexholm.host.tables.table import Table
from hexholm.host.web.admission.limits import Limits
from hexholm.host.web.operations.settings import Settings
from hexholm.host.wire import messages
from tests.host.halls import Party, agree, carry_out, in_hall, open_party, send, set_up, table_settings, why_refused

from ...open_server import open_server

pytestmark = pytest.mark.waits

RED, BLUE, WHITE = "red", "blue", "white"


# --- the wrong moment -------------------------------------------------------------------------------------------------


def test_finished_tables_are_let_go_by_several_at_once() -> None:
    async def story(party: Party) -> None:
        for _ in range(3):
            await set_up(party)
            await party.begin()
            await agree(party, messages.End)
        party.clock.time += FINISHED_LINGER + 1
        await asyncio.gather(party.hall.loaded_tables.release_finished(), party.hall.loaded_tables.release_finished())
        assert party.hall.tables == []

    in_hall(story)


def test_who_comes_while_a_table_is_cleared_away_finds_none_and_not_half_of_one() -> None:
    class Slow(Storage):
        """Lets others have their turn before it forgets."""

        async def delete_table(self, table: str) -> None:
            await asyncio.sleep(0.1)
            await super().delete_table(table)

    async def run() -> None:
        async with Slow(":memory:") as storage, open_party(storage, clear_after=1000.0) as party:
            await set_up(party, 1)
            party.clock.time += 2000
            clearing = asyncio.create_task(party.hall.cleanup.clear())
            await asyncio.sleep(0.05)
            with pytest.raises(NoTable):
                await party.hall.load(party.id)
            await clearing
            assert party.hall.tables == []

    asyncio.run(run())


def test_a_table_that_is_there_is_found_while_another_is_loaded() -> None:
    async def story(party: Party) -> None:
        await set_up(party)
        async with party.hall.loaded_tables.loading, asyncio.timeout(30):
            assert (await party.hall.load(party.id)).table.id == party.id

    in_hall(story)


def test_the_hall_goes_on_beating_after_an_accident(monkeypatch: pytest.MonkeyPatch) -> None:
    async def story(party: Party) -> None:
        cleared = asyncio.Event()

        async def clear() -> None:
            cleared.set()
            raise KeyError("an accident")

        monkeypatch.setattr(party.hall.cleanup, "clear", clear)
        for _ in range(2):
            cleared.clear()
            await asyncio.wait_for(cleared.wait(), 30)
        assert party.hall.services.figures["errors"] >= 1

    monkeypatch.setattr(halls_module, "BEAT", 0.01)
    in_hall(story)


# --- logs that cannot be read -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "damage, why",
    [
        ("DELETE FROM entry WHERE kind = 'began'", "entry 6 is missing"),
        ("UPDATE entry SET state_hash = 'x' WHERE kind = 'began'", "not the one that was stored"),
        ("""UPDATE entry SET body = replace(body, '"blue"', '"pink"') WHERE kind = 'seated'""", "KeyError"),
        ("UPDATE entry SET body = '{' WHERE kind = 'seated'", "DecodeError"),
        ("UPDATE entry SET body = CAST(x'ff00' AS TEXT) WHERE kind = 'seated'", "it could not be read"),
        ("DELETE FROM entry WHERE seq > 0", "its log is empty"),
        ("UPDATE dice_key SET key = 'no hex' WHERE key > ''", "the key of the dice"),
    ],
)
def test_one_damaged_log_closes_no_server_and_the_version_that_wrote_it_is_named(damage: str, why: str) -> None:
    async def run() -> None:
        async with Storage(":memory:") as storage:
            async with open_party(storage) as party:
                await set_up(party)
                await party.begin()
                await party.play_actions(RED, party.table.view(RED).legal_actions.texts[0])  # type: ignore[union-attr]
                other_table = await party.hall.create("ann", table_settings(options={}))
            mine = f" AND table_id = '{party.id}'"
            await storage.write(lambda connection: connection.exec_driver_sql(damage + mine))
            async with open_party(storage) as reopened:
                assert [table.id for table in reopened.hall.tables] == [other_table.id]
                assert why in reopened.hall.loaded_tables.broken[party.id]
                if why.endswith(("Error", "stored")):
                    assert f"version {__version__}" in reopened.hall.loaded_tables.broken[party.id]

    asyncio.run(run())


@pytest.mark.parametrize("noted", ["yesterday", "nan", ""])
def test_a_time_that_is_none_closes_no_server(noted: str) -> None:
    async def run() -> None:
        async with Storage(":memory:") as storage:
            await storage.set_meta(ALIVE, noted)
            async with open_party(storage) as party:
                await set_up(party)

    asyncio.run(run())


def test_a_storage_that_cannot_be_read_now_breaks_no_table() -> None:
    async def run() -> None:
        class Later(Storage):
            fault = False

            async def entries(self, table: str, since: int = 0) -> Any:
                if self.fault:
                    raise StorageFailed("the disk is gone")
                return await super().entries(table, since)

        async with Later(":memory:") as storage, open_party(storage) as party:
            await set_up(party)
            await party.begin()
            await agree(party, messages.End)
            party.clock.time += FINISHED_LINGER + 1
            await party.hall.loaded_tables.release_finished()
            storage.fault = True
            with pytest.raises(StorageFailed):
                await party.hall.load(party.id)
            storage.fault = False
            assert (await party.hall.load(party.id)).table.status == "over"

    asyncio.run(run())


# --- ends and pauses --------------------------------------------------------------------------------------------------


def test_the_creator_ends_a_table_before_the_game_and_it_is_cleared_away() -> None:
    async def story(party: Party) -> None:
        await set_up(party)
        feed = party.feed(BLUE)
        assert await why_refused(party, BLUE, messages.End(id="b")) == "creator_only"
        await carry_out(party, RED, messages.End(id="e"))
        assert (party.table.status, party.table.game) == ("over", None)
        assert await why_refused(party, RED, messages.Begin(id="begin")) == "begun_already"
        with pytest.raises(Declined, match="never began"):
            await party.hall.rematch(party.id, "ann")
        await party.hall.cleanup.clear()
        assert party.table.status == "over"  # blue still reads what happened
        feed.close()
        await party.hall.cleanup.clear()
        assert party.hall.tables == []
        assert await party.hall.services.storage.table(party.id) is None

    in_hall(story)


def test_a_guest_with_too_many_tables_ends_one_and_may_set_up_another() -> None:
    async def run() -> None:
        async with open_server() as server:
            client = Client(server.url)
            mine = await client.create("Ann", options={"edition": "fifth"})
            async with Client(server.url).join(mine.table.id) as watcher:
                async with client.join(mine.table.id, mine.token) as line:
                    await line.send(messages.End(id="e"))
                    assert [now async for now in line.questions()] == []
                await watcher.until(lambda joined: joined.over)
                for path in ("replay", "summary", "record"):
                    answer = await server.ask(
                        "GET", f"/api/tables/{mine.table.id}/{path}", Authorization=f"Bearer {mine.token}"
                    )
                    assert (answer.status, answer.json["error"]["code"]) == (409, "closed")
            await asyncio.sleep(0.1)
            await server.hall.cleanup.clear()
            with pytest.raises(Declined, match="no table"):
                await client.table(mine.table.id)
            assert not server.journal.trouble

    asyncio.run(asyncio.wait_for(run(), 30))


def test_requests_at_the_same_moment_do_not_get_a_guest_more_tables_than_it_may_have() -> None:
    async def run() -> None:
        limits = replace(Limits.none(), tables_per_guest=3)
        async with open_server(settings=Settings(limits=limits)) as server:
            cookie = (await server.ask("POST", "/api/tables", {"name": "Ann"})).cookie
            requests = [server.ask("POST", "/api/tables", {"name": "Ann"}, Cookie=cookie) for _ in range(8)]
            answers = [answer.status for answer in await asyncio.gather(*requests)]
            assert sorted(answers) == [201] * 2 + [429] * 6
            assert len(server.hall.tables) == 3

    asyncio.run(asyncio.wait_for(run(), 30))


def test_nobody_sits_down_at_a_table_that_was_ended() -> None:
    async def story(party: Party) -> None:
        await set_up(party, 3)
        await carry_out(party, RED, messages.SeatBot(id="p", color="orange", bot_name=None))
        await carry_out(party, RED, messages.End(id="e"))
        with pytest.raises(Declined, match="the game is over"):
            await party.hall.loaded(party.id).seat_access.take_seat("orange", "dan", "Dan")

    in_hall(story)


def test_a_creator_who_only_watches_pauses_and_goes_on() -> None:
    async def story(party: Party) -> None:
        await set_up(party, 0)
        await party.begin()
        ann = Guest("ann")
        for command, paused in ((messages.Pause(id="p"), True), (messages.Resume(id="r"), False)):
            assert isinstance(await send(party.hall, party.id, ann, command), messages.Done)
            assert party.table.paused is paused
        await send(party.hall, party.id, ann, messages.Pause(id="p2"))
        answer = await send(party.hall, party.id, Guest("eve"), messages.Resume(id="r2"))
        assert isinstance(answer, messages.Refused)
        assert answer.why == "only_seated_resume"

    in_hall(story)


@pytest.mark.parametrize("what", [messages.Pause, messages.End])
def test_a_wish_can_be_taken_back(what: type[messages.Pause | messages.End]) -> None:
    async def story(party: Party) -> None:
        await set_up(party)
        await party.begin()
        name = "pause" if what is messages.Pause else "end"
        assert await why_refused(party, BLUE, what(id="0", on=False)) == "not_asked"
        await carry_out(party, BLUE, what(id="1"))
        assert party.table.line().wishes == {name: (BLUE,)}
        await carry_out(party, BLUE, what(id="2", on=False))
        assert party.table.line().wishes == {}
        assert (party.table.paused, party.table.status) == (False, "playing")

    in_hall(story)


def test_who_has_resigned_does_not_end_the_game_of_those_who_are_away() -> None:
    async def story(party: Party) -> None:
        await set_up(party, 3)
        await party.begin()
        await carry_out(party, RED, messages.Away(id="1"))
        await carry_out(party, BLUE, messages.Away(id="2"))
        await carry_out(party, WHITE, messages.Resign(id="3"))
        assert await why_refused(party, WHITE, messages.End(id="4")) == "resigned"
        assert party.table.status == "playing"

    in_hall(story)


def test_a_pause_brings_nobody_more_time_and_a_restart_within_it_neither() -> None:
    async def run() -> None:
        async with Storage(":memory:") as storage:
            async with open_party(storage, wait_after=1e9) as party:
                await set_up(party, 1, clock=60)
                await party.begin()
                color = party.table.asked_colors()[0]
                before = party.table.deadline(color)
                assert before is not None
                party.clock.time += 50
                for number in range(3):
                    await carry_out(party, RED, messages.Pause(id=f"p{number}"))
                    party.clock.time += 100
                    await carry_out(party, RED, messages.Resume(id=f"r{number}"))
                assert party.table.deadline(color) == before + 300
                await carry_out(party, RED, messages.Pause(id="p"))
                people, clock = party.people, party.clock
            clock.time += 1000
            async with open_party(storage, wait_after=1e9, now=clock) as reopened:
                reopened.id, reopened.people = party.id, people
                await carry_out(reopened, RED, messages.Resume(id="r"))
                assert reopened.table.deadline(color) == before + 1300

    asyncio.run(run())


# --- games that nobody played ----------------------------------------------------------------------------------------


def test_games_in_which_no_person_acted_are_kept_for_a_day() -> None:
    async def story(party: Party) -> None:
        storage, ids = party.hall.services.storage, dict[str, str]()
        for name in ("ended at once", "shown", "looked at", "played"):
            await set_up(party, people=1)
            ids[name] = party.id
            await party.begin()
            if name == "played":
                await party.settle_down()
                await party.act("red", party.table.projection("red").legal[0])  # type: ignore[union-attr]
            await carry_out(party, RED, messages.End(id="e"))
        await Shares(storage).add(ids["shown"], "ann", "secret", party.clock())
        feed = party.hall.loaded(ids["looked at"]).feed(Guest("ann"))

        async def stored() -> list[str]:
            return [name for name, table_id in ids.items() if await storage.table(table_id) is not None]

        party.clock.time += DAY - 1
        await party.hall.cleanup.clear()
        assert await stored() == list(ids)
        party.clock.time += 100
        await party.hall.cleanup.clear()
        assert await stored() == ["shown", "looked at", "played"]
        assert not party.hall.has(ids["ended at once"])
        feed.close()
        party.clock.time += 100
        await party.hall.cleanup.clear()
        assert await stored() == ["shown", "played"]

    in_hall(story, clear_after=1e9)


def test_a_game_that_nobody_played_is_found_in_storage_after_a_restart() -> None:
    async def run() -> None:
        async with Storage(":memory:") as storage:
            async with open_party(storage) as party:
                await set_up(party, people=1)
                await party.begin()
                await carry_out(party, RED, messages.End(id="e"))
                clock = party.clock
            clock.time += 2 * DAY
            async with open_party(storage, now=clock) as reopened:
                assert reopened.hall.tables == []
                await reopened.hall.cleanup.clear()
                assert await storage.table(party.id) is None

    asyncio.run(run())


# --- figures ----------------------------------------------------------------------------------------------------------


def test_tables_are_counted_without_describing_each_of_them(monkeypatch: pytest.MonkeyPatch) -> None:
    async def run() -> None:
        async with open_server() as server:
            client = Client(server.url)
            for _ in range(5):
                await client.create("Ann", options={"edition": "fifth"}, visibility="open")
            described, line = list[str](), Table.line

            def noted(table: Table) -> messages.TableLine:
                described.append(table.id)
                return line(table)

            monkeypatch.setattr(Table, "line", noted)
            statistics = (await server.ask("GET", "/api/statistics")).json
            assert statistics["tables"] == {"open": 5, "playing": 0}
            metrics = await server.ask("GET", "/metrics")
            assert b'hexholm_tables{status="open"} 5.0' in metrics.body
            assert described == []
            listed = (await server.ask("GET", "/api/tables?limit=2")).json
            assert (len(listed["tables"]), listed["total"], len(described)) == (2, 5, 2)

    asyncio.run(asyncio.wait_for(run(), 30))


def test_a_server_that_cannot_write_is_not_ready(monkeypatch: pytest.MonkeyPatch) -> None:
    async def full(_storage: object, _key: str, _value: str) -> None:
        raise StorageFailed("the disk is full")

    async def run() -> None:
        async with open_server() as server:
            assert (await server.ask("GET", "/readyz")).status == 200
            with monkeypatch.context() as broken:
                broken.setattr(Storage, "set_meta", full)
                await server.hall._store_alive()
                answer = await server.ask("GET", "/readyz")
                assert (answer.status, answer.json["error"]["code"]) == (503, "not_ready")
            await server.hall._store_alive()
            assert (await server.ask("GET", "/readyz")).status == 200

    asyncio.run(asyncio.wait_for(run(), 30))


def test_a_table_whose_number_is_not_that_of_its_log_does_not_close_the_house() -> None:
    """One row that said one entry more than there was ended the start of a server with a traceback."""

    async def run() -> None:
        async with Storage(":memory:") as storage:
            async with open_party(storage) as party:
                await set_up(party)
                other_table = await party.hall.create("ann", table_settings(options={}))
            damage = "UPDATE game_table SET last = last + 1 WHERE id = ?"
            await storage.write(lambda connection: connection.exec_driver_sql(damage, (party.id,)))
            async with open_party(storage) as reopened:
                assert [table.id for table in reopened.hall.tables] == [other_table.id]
                assert "is not the next one of its log" in reopened.hall.loaded_tables.broken[party.id]

    asyncio.run(run())


# --- a start with long logs -------------------------------------------------------------------------------------------


def test_a_start_does_not_wait_for_long_logs_and_who_asks_for_one_has_it_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(halls_module, "LONG_LOG", 12)

    async def run() -> None:
        async with Storage(":memory:") as storage:
            async with open_party(storage) as party:
                await set_up(party, clock=100.0)
                long = party.id
                await party.begin()
                for number in range(12):
                    await party.send(RED, messages.Rename(id=f"{number}", name=f"Ann {number}"))
                deadline = party.table.deadline(RED)
                before = party.table.line()
                await set_up(party)
                short, alive = party.id, await storage.meta(ALIVE)
                now, people = party.clock, party.people
            alive = await storage.meta(ALIVE)
            now.time += 50
            async with open_party(storage, now=now) as party:
                tables = party.hall.loaded_tables
                party.id = short
                assert [*tables.late] == [long]
                assert [table.id for table in party.hall.tables] == [short]
                assert await storage.meta(ALIVE) == alive, "its clock stands still until it is read"
                first, second = await asyncio.gather(party.hall.load(long), party.hall.load(long))
                assert first is second
                assert first.table.line() == before
                assert deadline is not None
                assert first.table.deadline(RED) == deadline + 50
                await party.until(lambda: not tables.late)
                party.id, party.people = long, people
                await party.send(RED, messages.Rename(id="later", name="Ann is here"))
                assert party.table.line().seats[0].name == "Ann is here"
                await party.hall._store_alive()
                assert await storage.meta(ALIVE) == repr(now.time)
            async with open_party(storage, now=now) as party:  # nobody asks for it
                await party.until(lambda: party.hall.has(long))
                party.id = long
                assert party.table.line().seats[0].name == "Ann is here"

    asyncio.run(run())


def test_who_deletes_themselves_while_a_long_log_is_not_read_yet_is_gone_from_it_afterwards(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(halls_module, "LONG_LOG", 5)

    async def run() -> None:
        async with Storage(":memory:") as storage:
            async with open_party(storage) as party:
                await set_up(party, 2)
                table_id = party.id
                await party.begin()
                now = party.clock
            async with open_party(storage, now=now) as party:
                party.id = table_id
                await party.hall.forget("bob")
                await party.until(lambda: not party.hall.loaded_tables.late)
                await party.hall.guest_removal.go_on()
                seat = party.table.seats[party.table.colors[1]]
                assert (seat.name, seat.resigned) == ("", True)

    asyncio.run(run())


# --- a full disk ------------------------------------------------------------------------------------------------------


def test_when_nothing_can_be_written_the_hall_tries_for_all_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    async def run() -> None:
        async with Storage(":memory:") as storage, open_party(storage, long_gone_after=1000.0) as party:
            runners = []
            for _ in range(3):
                await set_up(party, 2)
                await party.begin()
                await party.send(RED, messages.Away(id="away"))
                runners.append(party.hall.loaded(party.id))
            assert storage._writer is not None
            committer, commit, tries = storage._writer._committer, storage._writer._committer.commit, []

            def refuse(group: Any) -> Any:
                tries.append(len(group))
                raise OSError("the disk is full")

            monkeypatch.setattr(committer, "commit", refuse)
            party.clock.time += 2000
            await party.hall._store_alive()
            assert (storage.is_failing, party.hall.storing) == (True, False)
            tries.clear()
            for runner in runners:
                assert runner.seconds_until_due() is None
                await runner.perform_due()
            assert tries == []
            monkeypatch.setattr(committer, "commit", commit)
            await party.hall._store_alive()
            assert (storage.is_failing, party.hall.storing) == (False, True)
            await party.until(lambda: all(runner.table.seats[RED].long_gone for runner in runners))

    asyncio.run(run())
