"""What waits at a table: a task of its own carries out one thing after another.

Whatever goes wrong in one, the next has its turn; but for a moment nothing is done without being asked.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections import Counter, deque
from collections.abc import Awaitable, Callable
from typing import Final, NamedTuple, Protocol, TypeVar

from hexholm.rules.colors import Color

from ...storage import StorageError
from ...wire.host_refusals import Declined, Refusal

LONGEST_INBOX: Final = 1000
"""Commands that may wait at a table."""
PLACES_OF_SEAT: Final = 150
PLACES_OF_STRANGERS: Final = 50
RETRY_AFTER: Final = 1.0
"""Seconds until what the host wanted to do by itself is tried again after a failure."""


class SenderGroup(NamedTuple):
    """Those whose commands are counted together, and how many may wait: no group takes the places of another."""

    name: str
    places: int


HOST_ITSELF: Final = SenderGroup("host", LONGEST_INBOX)
"""What the host itself does, be it for a guest."""
CREATOR: Final = SenderGroup("creator", PLACES_OF_SEAT)
"""Of whoever set up the table and has no seat."""
STRANGERS: Final = SenderGroup("strangers", PLACES_OF_STRANGERS)
"""All together who have no seat."""
NEWCOMERS: Final = SenderGroup("newcomers", PLACES_OF_STRANGERS)
"""All together who ask for a seat."""


def group_of_seat(color: Color) -> SenderGroup:
    """That of one seat."""
    return SenderGroup(color, PLACES_OF_SEAT)


JobAnswer = TypeVar("JobAnswer")
QueuedStep = Callable[[], Awaitable[object]]


class Agenda(Protocol):
    """What is done without being asked, and what is noted when something goes wrong."""

    def seconds_until_due(self) -> float | None:
        """Until the next thing is due; None: nothing is."""

    async def perform_due(self) -> None:
        """Do the first thing that is due, if one is."""

    def on_failure(self, error: Exception) -> None:
        """Something has failed."""


class WorkQueue:
    """The queue of one table. `start` it, `stop` it."""

    def __init__(self, agenda: Agenda) -> None:
        self._agenda = agenda
        self._inbox: deque[QueuedStep] = deque()
        self._places_taken: Counter[str] = Counter()  # by the names of groups
        self._wake = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._closing = False
        self._retry_at = 0.0  # of the loop's clock

    def __len__(self) -> int:
        """How many things wait."""
        return len(self._inbox)

    def start(self, name: str) -> None:
        """Start the task that carries things out."""
        self._task = asyncio.create_task(self._run(), name=name)

    async def stop(self) -> None:
        """Carry out what waits, then end."""
        self._closing = True
        self.wake()
        if self._task is not None:
            await self._task

    def wake(self) -> None:
        """Look again at what is to be done."""
        self._wake.set()

    def hold_off(self) -> None:
        """Do nothing by itself for a moment."""
        self._retry_at = asyncio.get_running_loop().time() + RETRY_AFTER

    def put(self, step: QueuedStep) -> None:
        """Something that nobody waits for."""
        self._inbox.append(step)
        self.wake()

    async def run(self, job: Callable[[], Awaitable[JobAnswer]], group: SenderGroup = HOST_ITSELF) -> JobAnswer:
        """Put something into the queue, where its group has a place, and wait for its answer. Raises Declined."""
        if self._closing:
            raise Declined.because("closing")
        if len(self._inbox) >= LONGEST_INBOX or self._places_taken[group.name] >= group.places:
            raise Declined.because("table_busy")
        future: asyncio.Future[JobAnswer] = asyncio.get_running_loop().create_future()

        def decline(refusal: Refusal) -> None:
            if not future.done():
                future.set_exception(Declined(refusal))

        async def step() -> None:
            self._places_taken[group.name] -= 1
            try:
                answer = await job()
                if not future.done():
                    future.set_result(answer)
            except Declined as error:
                decline(error.refusal)  # without the way it came: that holds whole games
            except StorageError:
                decline(Refusal.because("not_stored"))
                raise
            except BaseException:  # perhaps after it was stored
                decline(Refusal.because("accident"))
                raise

        self._places_taken[group.name] += 1
        self.put(step)
        return await future

    async def _run(self) -> None:
        while True:
            if not self._inbox and not self._closing:
                await self._wait_for_work()
            self._wake.clear()
            if self._inbox:
                await self._run_safely(self._inbox.popleft())
                if not self._inbox:
                    continue  # what is due meanwhile is found before the next rest
            elif self._closing:
                return
            if not self._closing and self._seconds_to_hold_off <= 0:
                await self._run_safely(self._agenda.perform_due)

    async def _wait_for_work(self) -> None:
        """Until something is sent or due."""
        wait = self._agenda.seconds_until_due()
        if wait is not None:
            wait = max(wait, self._seconds_to_hold_off)
        if wait is None:
            await self._wake.wait()
            return
        if wait <= 0:
            await asyncio.sleep(0)  # let others have their turn
            return
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(wait):
                await self._wake.wait()

    @property
    def _seconds_to_hold_off(self) -> float:
        return self._retry_at - asyncio.get_running_loop().time()

    async def _run_safely(self, step: QueuedStep) -> None:
        try:
            await step()
        except Exception as error:
            self._agenda.on_failure(error)
            self.hold_off()
