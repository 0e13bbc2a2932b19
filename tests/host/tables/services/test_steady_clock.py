"""A wall clock that is set forward or back while a server runs changes nothing but dates."""

from __future__ import annotations

import asyncio
import time

import pytest

from hexholm.host.storage import Storage
from hexholm.host.storage.values import ALIVE
from hexholm.host.tables.hall.hall import Hall
from hexholm.host.tables.seats import Guest
from hexholm.host.tables.services.steady_clock import SteadyClock
from hexholm.host.wire import messages

from ...halls import table_settings, with_durations

pytestmark = pytest.mark.waits

HOUR = 3600.0
ALL_OTHERS_BOTS = {
    "seats": dict.fromkeys(("blue", "white", "orange"), "easy"),
    "options": {"edition": "fifth", "first": 0},
}


@pytest.mark.parametrize("jump", [HOUR, -HOUR])
def test_a_clock_that_is_set_moves_nothing(jump: float) -> None:
    day, steady = [1_000_000.0], [50.0]
    clock = SteadyClock(lambda: day[0], lambda: steady[0])
    assert clock() == 1_000_000.0
    day[0] += jump
    assert clock() == 1_000_000.0
    steady[0] += 5
    assert clock() == 1_000_005.0


def test_a_hall_waits_by_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """With the time of day, bots said nothing any more once it was set back by an hour."""

    async def run() -> None:
        async with Storage(":memory:") as storage:
            hall = await Hall.open(storage)
            try:
                before = hall.services.now()
                monkeypatch.setattr(time, "time", lambda: before - HOUR)
                assert hall.services.now() >= before
            finally:
                await hall.close()

    asyncio.run(run())


@pytest.mark.parametrize("jump", [HOUR, -HOUR])
def test_bots_and_clocks_go_on_when_the_time_of_day_is_set(jump: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """By the time of day a bot that rests would rest an hour longer, or a player's clock run out at once."""
    day, jumps = time.time, [0.0]
    monkeypatch.setattr(time, "time", lambda: day() + jumps[0])

    async def run() -> None:
        async with asyncio.timeout(30), Storage(":memory:") as storage:
            hall = await Hall.open(storage, **with_durations({"bot_delay": (0.3, 0.3)}))
            try:
                created_table = await hall.create("ann", table_settings(color="red", clock=60.0, **ALL_OTHERS_BOTS))
                runner, ann = hall.loaded(created_table.id), Guest("ann", "red")
                feed = runner.feed(ann)
                await runner.carry_out(ann, messages.Begin(id="b"))
                for number in range(2):  # a settlement, a road
                    view = runner.table.view("red")
                    assert view is not None
                    await runner.carry_out(ann, messages.Act(id=f"{number}", action=view.legal_actions.texts[0]))
                seq, jumps[0] = runner.table.seq, jump  # blue rests
                while runner.table.asked_colors() != ("red",):  # all bots place twice
                    await feed.bundle()
                assert runner.table.seq > seq
                jumps[0] = 2 * jump
                deadline = runner.table.deadline("red")
                assert deadline is not None
                assert 0 < deadline - hall.services.now() <= 60
            finally:
                await hall.close()

    asyncio.run(run())


def test_a_host_that_starts_with_its_clock_set_back_goes_on_from_when_it_was_last_alive() -> None:
    """Else the clock of a seat, asked an hour ahead, would run for an hour longer."""

    async def run() -> None:
        async with Storage(":memory:") as storage:
            hall = await Hall.open(storage)
            try:
                created_table = await hall.create("ann", table_settings(color="red", clock=60.0, **ALL_OTHERS_BOTS))
                runner = hall.loaded(created_table.id)
                await runner.carry_out(Guest("ann", "red"), messages.Begin(id="b"))
            finally:
                await hall.close()
            alive_at = float(await storage.meta(ALIVE) or 0)
            set_back = SteadyClock(lambda: alive_at - HOUR)
            hall = await Hall.open(storage, now=set_back)
            try:
                assert alive_at <= hall.services.now() < alive_at + HOUR / 2
                table = hall.loaded(created_table.id).table
                for color in table.asked_colors():
                    deadline = table.deadline(color)
                    assert deadline is None or deadline < hall.services.now() + 2 * 60
            finally:
                await hall.close()

    asyncio.run(run())


def test_a_clock_that_was_right_is_left_as_it_is() -> None:
    clock = SteadyClock(lambda: 1000.0, lambda: 0.0)
    assert not clock.begin_at(990.0)
    assert clock() == 1000.0
    assert clock.begin_at(1010.0)
    assert clock() == 1010.0
