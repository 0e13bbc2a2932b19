"""Games that nobody comes back to: they stand still for long, and are ended before they fill the server."""

from __future__ import annotations

import asyncio

import pytest

from hexholm.host.storage import Storage
from hexholm.host.tables import log
from hexholm.host.tables.audience.attendance import GRACE
from hexholm.host.tables.log import read_row
from hexholm.host.wire import messages
from tests.host.halls import Clock, Party, agree, carry_out, in_hall, open_party, set_up

pytestmark = pytest.mark.waits

RED = "red"
DAY = 86_400.0


async def ended(party: Party) -> log.Ended | None:
    """How the game was ended, by its log."""
    bodies = [read_row(row).body for row in await party.hall.services.storage.entries(party.id)]
    return next((body for body in bodies if isinstance(body, log.Ended)), None)


def test_a_paused_game_that_nobody_comes_back_to_is_ended_and_kept() -> None:
    async def story(party: Party) -> None:
        await set_up(party)
        await party.begin()
        await agree(party, messages.Pause)
        await party.after(10 * DAY - 1)
        assert party.table.line().status == "playing"
        await party.after(2)
        assert party.table.line().status == "over"
        assert await ended(party) == log.Ended(how="abandoned", note="nobody came for 10 days")
        assert not party.table.paused
        assert party.table.game is not None
        assert party.table.game.result is not None
        assert party.table.game.result.how == "abandoned"
        row = await party.hall.services.storage.table(party.id)
        assert row is not None
        assert row.status == "over"

    in_hall(story, end_after=10 * DAY)


def test_who_looks_on_keeps_a_game_and_so_does_whoever_speaks() -> None:
    async def story(party: Party) -> None:
        await set_up(party)
        await party.begin()
        await agree(party, messages.Pause)
        feed = party.feed(None)
        await party.after(100 * DAY)
        assert party.table.line().status == "playing"
        feed.close()
        await party.after(9 * DAY)
        await carry_out(party, RED, messages.Say(id="s", text="soon"))
        await party.after(9 * DAY)
        assert party.table.line().status == "playing"
        await party.after(1 * DAY)
        assert party.table.line().status == "over"

    in_hall(story, end_after=10 * DAY)


def test_a_game_that_waits_for_its_only_person_is_ended_too() -> None:
    async def story(party: Party) -> None:
        await set_up(party, 1)
        await party.begin()
        await party.after(29 * DAY)
        assert party.table.line().status == "playing"
        assert party.table.asked_colors() == (RED,)
        await party.after(1 * DAY)
        assert party.table.line().status == "over"

    in_hall(story)  # thirty days, where nothing else is said


@pytest.mark.parametrize("down", [1 * DAY, 50 * DAY])
def test_time_in_which_the_host_does_not_run_does_not_count(down: float) -> None:
    async def run() -> None:
        clock = Clock()
        async with Storage(":memory:") as storage:
            async with open_party(storage, now=clock, end_after=10 * DAY) as party:
                await set_up(party)
                await party.begin()
                await agree(party, messages.Pause)
                await party.after(6 * DAY)
                table, people = party.id, party.people
            clock.time += down
            async with open_party(storage, now=clock, end_after=10 * DAY) as party:
                party.id, party.people = table, people
                await party.after(4 * DAY - 60)
                assert party.table.line().status == "playing"
                await party.after(61)
                assert party.table.line().status == "over"

    asyncio.run(run())


def test_after_a_crash_people_have_some_minutes_to_come_back_to_an_old_game() -> None:
    async def run() -> None:
        clock = Clock()
        async with Storage(":memory:") as storage:
            async with open_party(storage, now=clock) as party:
                await set_up(party)
                await party.begin()
                await agree(party, messages.Pause)
                table = party.id
                clock.time += 29.9 * DAY
            clock.time += 1
            async with open_party(storage, now=clock, end_after=DAY) as party:
                party.id = table
                await party.after(GRACE - 1)
                assert party.table.line().status == "playing"
                await party.after(2)
                assert party.table.line().status == "over"

    asyncio.run(run())
