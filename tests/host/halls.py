"""Halls for tests: a storage that can fail, a clock that is set by hand, guests that speak and listen."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import Any

import hexholm
from hexholm.host.bot_pool.pool import AtOnce, Question, choose
from hexholm.host.storage import Batch, Entry, Storage, StorageError, StorageFailed
from hexholm.host.tables.audience.feeds import Feed
from hexholm.host.tables.hall import Hall
from hexholm.host.tables.table import Guest, Table
from hexholm.host.wire import messages as m

PEOPLE = ("ann", "bob", "cid", "dan")


class Clock:
    """The time, set by hand."""

    def __init__(self) -> None:
        self.time = 1_000_000.0

    def __call__(self) -> float:
        return self.time


class Faulty(Storage):
    """A storage whose disk is full at will: `fault` "refuses" to write, or "lies": it writes and reports a failure."""

    fault: str | None = None

    async def append(self, batch: Batch) -> None:
        if self.fault != "refuses":
            await super().append(batch)
        if self.fault is not None:
            raise StorageFailed("the disk is full")

    async def entries(self, table: str, since: int = 0) -> list[Entry]:
        if self.fault is not None:
            raise StorageFailed("the disk is gone")
        return await super().entries(table, since)


class Gate:
    """A bot that answers only when it is let."""

    def __init__(self) -> None:
        self.errors: Counter[str] = Counter()
        self.asked: list[Question] = []
        self.open = asyncio.Event()

    async def think(self, question: Question) -> str:
        self.asked.append(question)
        await self.open.wait()
        return choose(question)

    async def close(self) -> None:
        """Nothing to end."""


@dataclass
class Party:
    """A hall with one table, and its people."""

    hall: Hall
    clock: Clock
    id: str = ""
    people: dict[str | None, Guest] = field(default_factory=dict)
    tokens: dict[str, str] = field(default_factory=dict)
    count: int = 0

    @property
    def table(self) -> Table:
        return self.hall.table(self.id)

    async def send(self, who: str | None, command: m.Commands) -> m.Done | m.Refused:
        """A command of a seat, or of one who watches."""
        async with asyncio.timeout(5):
            return await self.hall.send(self.id, self.people.get(who, Guest("eve")), command)

    async def act(self, who: str | None, action: str) -> m.Done | m.Refused:
        """An action of a seat."""
        self.count += 1
        return await self.send(who, m.Act(id=f"act {self.count}", action=action))

    async def did(self, who: str | None, *actions: str) -> None:
        """Actions that must be accepted."""
        for action in actions:
            answer = await self.act(who, action)
            assert isinstance(answer, m.Done), answer

    def feed(self, who: str | None, since: int | None = None) -> Feed:
        """A feed of a seat, or of one who watches."""
        return self.hall.feed(self.id, self.people.get(who, Guest("eve")), since)

    async def begin(self) -> None:
        """The creator begins."""
        answer = await self.send(next(iter(self.people)), m.Begin(id="begin"))
        assert isinstance(answer, m.Done), answer

    async def after(self, seconds: float) -> None:
        """Let time pass, and the host do what is due then."""
        self.clock.time += seconds
        await self.settled()

    async def settled(self) -> None:
        """Until nothing more happens by itself."""
        quiet, seen = 0, -1
        while quiet < 4:
            self.hall.tick()
            await asyncio.sleep(0.004)
            with suppress(StorageError):  # what is on its way to the disk comes before it, however slow
                await self.hall.storage.set_meta("settled", "")
            now = self.table.seq
            quiet, seen = (quiet + 1, seen) if now == seen else (0, now)

    async def until(self, true: Callable[[], bool], seconds: float = 20) -> None:
        """Until something is so."""
        async with asyncio.timeout(seconds):
            while not true():  # noqa: ASYNC110  # nobody tells us
                await asyncio.sleep(0.002)


@asynccontextmanager
async def hall(storage: Storage | None = None, **how: Any) -> AsyncIterator[Party]:
    """A hall without a table, on a storage of its own unless one is given."""
    clock = how.pop("now", None) or Clock()
    how = {"thinker": AtOnce(), "bot_delay": (0, 0), **how}
    own = await Faulty(":memory:").open() if storage is None else storage
    try:
        opened = await Hall.open(own, now=clock, **how)
        try:
            yield Party(opened, clock)
        finally:
            await opened.close()
    finally:
        if storage is None:
            await own.close()


async def set_up(
    party: Party, people: int = 4, clock: float | None = None, *, ranges: bool = False, **options: Any
) -> Party:
    """A table with so many people, the rest bots; the first seat is the creator's."""
    chance = options.pop("chance", "host")
    chosen = {"edition": "fifth", "first": 0, **options}
    colors = hexholm.options(**chosen).colors
    bots: dict[str, str | None] = dict.fromkeys(colors[people:], "easy")
    first = colors[0] if people else None
    how: dict[str, Any] = {"board_seed": 5, "clock": clock, "ranges": ranges, "chance": chance}
    how |= {"seats": bots, "seat": first}
    made = await party.hall.create("ann", name="Ann", options=chosen, **how)
    party.id = made.table
    party.people = {first: Guest("ann", first)}
    if first is not None and made.token is not None:
        party.tokens[first] = made.token
    for color, guest in zip(colors[1:people], PEOPLE[1:], strict=False):
        party.tokens[color] = await party.hall.take(party.id, color, guest, guest.title())
        party.people[color] = party.hall.who(party.id, party.tokens[color], guest)
    return party


def drain(feed: Feed) -> list[Any]:
    """What waits in a feed now."""
    found: list[Any] = [*feed._part, *feed._before, *(message for bundle in feed._waiting for message in bundle)]
    feed._part.clear()
    feed._before = iter(())
    feed._waiting.clear()
    return found
