"""A wall clock that is set forward or back while a server runs changes nothing but dates."""

from __future__ import annotations

import asyncio
import time

import pytest

from hexholm.host.storage import Storage
from hexholm.host.tables.hall import Hall
from hexholm.host.tables.steady_clock import SteadyClock

HOUR = 3600.0


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
