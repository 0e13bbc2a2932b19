"""Who is let in when there is more to do than can be done: people at running games, then new tables, then spectators.

What is asked for beyond that would only wait, and all others with it: a queue that grows helps nobody. So it is refused
at once, with a time after which to come back; clients do that by themselves.

How long one more command would take is known before it is let in: so many are under way, and lately one took so long
where the event loop had no rest. Between a first expected wait and twice that the refused fraction grows from none to
all, and what is let in settles at what can be done. Commands that wait for each other at one table count but a few
times: nobody can make the house busy by a long queue of their own.
"""

from __future__ import annotations

import asyncio
import contextlib
import random
from collections import Counter, deque
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Final, Literal, NamedTuple

from ...wire.host_refusals import Declined, Refusal

Urgency = Literal["playing", "new", "watching"]
"""Who asks: somebody at a game that goes on; somebody who would begin one; somebody who looks."""


class Patience(NamedTuple):
    """When those of a urgency are refused, and when they are to come back."""

    first: float
    """The expected wait at which the first are refused, by that for players."""
    retry_after: int
    """Seconds."""


PATIENCE_BY_URGENCY: Final[dict[Urgency, Patience]] = {
    "playing": Patience(1.0, 1),
    "new": Patience(0.6, 5),
    "watching": Patience(0.4, 10),
}
REFUSALS_BY_URGENCY: Final = {
    urgency: Refusal.because("busy", retry_after=patience.retry_after)
    for urgency, patience in PATIENCE_BY_URGENCY.items()
}
"""Made once: of them there are most when there is least time."""
ALL_REFUSED: Final = 2.0
"""So many times the first wait, and all of a urgency are refused."""
MEASURED_EVERY: Final = 0.02
"""Seconds between two measurements of how late the event loop is."""
MEASUREMENTS: Final = 3
"""The least late of so many measurements counts: one pause is no load."""
LOOP_TURNS: Final = 4
"""So many turns of the loop a command takes at least."""
STORED_LATE: Final = 0.5
"""The fraction of the time for which something waits to be stored that one more would wait: it goes with the next."""
MOST_OF_TABLE: Final = 4
"""Commands of one table that are counted."""
USUAL: Final = 0.001
"""Seconds for a command, where nothing was measured lately."""
SHORTEST, LONGEST = 0.0002, 0.02
"""What is believed of a measured time for a command, in seconds."""
NO_REST: Final = 0.005
"""Seconds by which the event loop is late when it has no rest."""
FEWEST: Final = 5
"""Commands between two measurements from which their time is measured."""


class Shedding:
    """Decides who is let in; `wait_from` is the expected wait in seconds from which players are refused."""

    def __init__(
        self, wait_from: float, storing: Callable[[], float] = lambda: 0.0, draw: Callable[[], float] = random.random
    ) -> None:
        self.wait_from, self._storing, self._draw = wait_from, storing, draw
        self.refused: dict[Urgency, int] = dict.fromkeys(PATIENCE_BY_URGENCY, 0)
        """How often each was refused."""
        self.under_way = 0
        """Commands that were let in and are not done, at most a few of each table."""
        self.seconds_for_one = USUAL
        self._by_table: Counter[str] = Counter()
        self._done = 0
        self._late = deque([0.0] * MEASUREMENTS, MEASUREMENTS)

    @property
    def expected_wait(self) -> float:
        """Seconds that one more command would take."""
        queue = self.under_way * self.seconds_for_one
        return max(queue, LOOP_TURNS * min(self._late), STORED_LATE * self._storing())

    def refused_fraction(self, urgency: Urgency) -> float:
        """The fraction of those of an urgency that is refused now, from 0 to 1."""
        first = PATIENCE_BY_URGENCY[urgency].first * self.wait_from
        return min(1.0, max(0.0, (self.expected_wait - first) / (first * (ALL_REFUSED - 1))))

    def check(self, urgency: Urgency) -> None:
        """Raises Declined if somebody is to come back later."""
        fraction = self.refused_fraction(urgency)
        if fraction and self._draw() < fraction:
            self.refused[urgency] += 1
            raise Declined(REFUSALS_BY_URGENCY[urgency])

    @contextlib.contextmanager
    def under_way_at(self, table_id: str) -> Iterator[None]:
        """While a command that was let in is carried out."""
        self._by_table[table_id] += 1
        self.under_way += self._by_table[table_id] <= MOST_OF_TABLE
        try:
            yield
        finally:
            self._done += 1
            self.under_way -= self._by_table[table_id] <= MOST_OF_TABLE
            self._by_table[table_id] -= 1
            if not self._by_table[table_id]:
                del self._by_table[table_id]

    def observe(self, seconds: float, late: float) -> None:
        """So many seconds have passed since the last measurement, which was to come that much sooner."""
        self._late.append(late)
        done, self._done = self._done, 0
        if late > NO_REST and done >= FEWEST:
            measured = min(max(seconds / done, SHORTEST), LONGEST)
            self.seconds_for_one += 0.2 * (measured - self.seconds_for_one)
        else:
            self.seconds_for_one += 0.002 * (USUAL - self.seconds_for_one)


@contextlib.asynccontextmanager
async def watch_loop(shedding: Shedding, show: Callable[[float], None]) -> AsyncIterator[None]:
    """Look again and again how late the event loop is; about once a second `show` the latest of these."""

    async def watch() -> None:
        loop = asyncio.get_running_loop()
        worst, before = 0.0, loop.time()
        shown_at = before
        while True:
            await asyncio.sleep(MEASURED_EVERY)
            now = loop.time()
            late = max(0.0, now - before - MEASURED_EVERY)
            shedding.observe(now - before, late)
            worst, before = max(worst, late), now
            if now - shown_at >= 1.0:
                show(worst)
                worst, shown_at = 0.0, now

    task = asyncio.create_task(watch(), name="lateness")
    try:
        yield
    finally:
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task
