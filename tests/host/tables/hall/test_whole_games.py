"""Whole games in a hall, with restarts, broken logs and many tables at once."""

from __future__ import annotations

import asyncio
from typing import Any

import msgspec
import pytest

import hexholm
from hexholm.host.bot_pool.bot_pool import BotsAtOnce
from hexholm.host.storage import Storage
from hexholm.host.tables import log
from hexholm.host.tables.hall import opening
from hexholm.host.tables.hall.hall import Hall
from hexholm.host.tables.hall.loaded_tables import FINISHED_LINGER, NoTable
from hexholm.host.tables.log import read_row
from hexholm.host.tables.seats import Guest
from hexholm.host.tables.table import Table
from hexholm.host.wire import messages
from hexholm.host.wire.host_refusals import Declined
from tests.host.halls import Faulty, Party, agree, drain, in_hall, open_party, send, set_up, table_lines, table_settings

from ..stories import play

pytestmark = pytest.mark.waits

# --- whole games ------------------------------------------------------------------------------------------------------


async def replayed(p: Party) -> Table:
    """The table made from its stored log."""
    table = Table(p.id)
    for line in await p.hall.services.storage.entries(p.id):
        table.enter(read_row(line))
    return table


def test_four_bots_play_a_game_to_its_end() -> None:
    async def run(p: Party) -> None:
        await set_up(p, 0)
        assert isinstance(await send(p.hall, p.id, Guest("ann"), messages.Begin(id="b")), messages.Done)
        await p.until(lambda: p.table.status == "over")
        game = p.table.game
        assert game is not None
        assert game.winner is not None
        await p.settle_down()
        row = await p.hall.services.storage.table(p.id)
        assert row is not None
        assert row.status == "over"
        assert msgspec.json.decode(row.summary, type=messages.TableLine) == p.table.line()
        assert await p.hall.services.storage.unfinished() == []
        assert (await replayed(p)).game == game
        assert p.hall.services.figures["stuck"] == p.hall.services.figures["errors"] == 0
        assert p.hall.services.bots.errors == {}

    in_hall(run, make_dealer=lambda: hexholm.Seeded(3))


def test_a_person_and_three_bots_in_processes_play_a_game_to_its_end() -> None:
    async def run(p: Party) -> None:
        await set_up(p, 1, points_to_win=4)
        feed = p.feed("red")
        feed.longest = 10**6
        await p.begin()
        await play(p, "red")
        assert p.table.game is not None
        assert p.table.game.winner is not None
        assert p.hall.services.bots.errors == {}
        assert p.hall.services.figures["bot"] > 10
        last = drain(feed)[-1]
        assert last.projection.view["winner"] == p.table.game.winner

    in_hall(run, bots=None, make_dealer=lambda: hexholm.Seeded(4))


def test_a_game_with_restarts_is_the_game_without_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opening, "new_bot_seed", lambda: "the same in both")

    async def whole(restarts: tuple[int, ...]) -> list[tuple[str, ...]]:
        async with Storage(":memory:") as storage:
            how: dict[str, Any] = {"make_dealer": lambda: hexholm.Seeded(8), "ids": lambda: "table"}
            async with open_party(storage, **how) as p:
                await set_up(p, 0, points_to_win=6)
                await send(p.hall, p.id, Guest("ann"), messages.Begin(id="b"))
                await p.until(lambda: p.table.seq >= (restarts or (10**6,))[0] or p.table.status == "over")
            for stop in (*restarts[1:], 10**6) if restarts else ():
                async with open_party(storage, **how) as reopened:
                    reopened.id = p.id
                    assert reopened.table.status == "playing"
                    await reopened.until(lambda: reopened.table.seq >= stop or reopened.table.status == "over")  # noqa: B023
            bodies = [read_row(row).body for row in await storage.entries(p.id)]
            assert sum(isinstance(body, log.Restarted) for body in bodies) == len(restarts)
            return [body.steps for body in bodies if isinstance(body, log.Played)]

    once = asyncio.run(whole(()))
    assert len(once) > 50
    assert asyncio.run(whole((12, 30, 31, 55))) == once


def test_a_table_comes_back_as_it_was_with_its_clock_set_right() -> None:
    async def run() -> None:
        async with Storage(":memory:") as storage:
            async with open_party(storage) as p:
                await set_up(p, clock=60)
                await p.begin()
                await p.play_actions("red", "settlement C3n")
                p.clock.time += 20
                before, deadline = p.table, p.table.deadline("red")
                projections = {eyes: p.table.projection(eyes) for eyes in p.table.eyes}
            p.clock.time += 3600
            async with open_party(storage, now=p.clock) as reopened:
                reopened.id, reopened.people = p.id, p.people
                assert deadline is not None
                assert reopened.table.deadline("red") == deadline + 3600
                for eyes, projection in projections.items():
                    now = reopened.table.projection(eyes)
                    assert projection is not None
                    assert now is not None
                    assert msgspec.structs.replace(now, deadline=projection.deadline) == projection
                    assert reopened.table.by_eyes[eyes].stream[:-1] == before.by_eyes[eyes].stream
                assert reopened.table.line() == before.line()
                await reopened.play_actions("red", "road C3/ne")

    asyncio.run(run())


def test_a_game_whose_end_the_list_of_tables_does_not_know_is_over_after_a_restart() -> None:
    async def run() -> None:
        async with Faulty(":memory:") as storage:
            async with open_party(storage) as p:
                await set_up(p)
                await p.begin()
                await agree(p, messages.End)
                await p.settle_down()
            await storage.write(lambda c: c.exec_driver_sql("UPDATE game_table SET status = 'playing'"))
            async with open_party(storage) as reopened:
                assert [line.status for line in table_lines(reopened.hall)] == ["over"]
                assert await storage.unfinished() == []
                assert (await storage.entries(p.id))[-1].tag == "ended"

    asyncio.run(run())


def test_a_log_that_cannot_be_read_harms_no_other_table() -> None:
    async def run() -> None:
        async with Storage(":memory:") as storage:
            async with open_party(storage) as p:
                await set_up(p)
                await p.begin()
                other_table = await p.hall.create("ann", table_settings(options={}))
            await storage.write(lambda c: c.exec_driver_sql("UPDATE entry SET state_hash = 'x' WHERE kind = 'began'"))
            async with open_party(storage) as reopened:
                assert [line.id for line in table_lines(reopened.hall)] == [other_table.id]
                assert "not the one that was stored" in reopened.hall.loaded_tables.broken[p.id]
                with pytest.raises(Declined, match="nothing is lost"):
                    reopened.hall.loaded(p.id)
                assert len(await storage.entries(p.id)) == 6

    asyncio.run(run())


def test_a_finished_table_is_let_go_and_can_be_recalled() -> None:
    async def run(p: Party) -> None:
        await set_up(p)
        await p.begin()
        await agree(p, messages.End)
        line = p.table.line()
        feed = p.feed("red")
        p.clock.time += FINISHED_LINGER + 1
        await p.hall.loaded_tables.release_finished()
        assert p.table.status == "over"
        feed.close()
        await p.hall.loaded_tables.release_finished()
        with pytest.raises(NoTable):
            p.hall.loaded(p.id)
        assert (await p.hall.load(p.id)).table.line() == line
        assert p.hall.loaded(p.id).seat_access.identify(p.tokens["red"], "ann").color == "red"
        with pytest.raises(NoTable):
            await p.hall.load("nowhere")

    in_hall(run)


def test_many_tables_are_played_at_the_same_time() -> None:
    async def run(p: Party) -> None:
        created_tables = [await p.hall.create("ann", table_settings(options={"points_to_win": 3})) for _ in range(8)]
        for table in created_tables:
            for color in p.hall.loaded(table.id).table.colors:
                await send(p.hall, table.id, Guest("ann"), messages.SeatBot(id=color, color=color, bot_name="easy"))
            await send(p.hall, table.id, Guest("ann"), messages.Begin(id="b"))
        await p.until(lambda: all(line.status == "over" for line in table_lines(p.hall)))
        assert len(table_lines(p.hall, "over")) == 8
        assert table_lines(p.hall, "open") == []

    in_hall(run, bots=BotsAtOnce())


def test_a_hall_that_cannot_open_leaves_nothing_running() -> None:
    async def run() -> None:
        storage = Storage(":memory:")
        with pytest.raises(Exception, match="closed"):
            await Hall.open(storage)
        await storage.close()
        assert len(asyncio.all_tasks()) == 1

    asyncio.run(run())
