"""Halls for tests: a storage that can fail, a clock that is set by hand, guests that speak and listen."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field, fields, replace
from typing import Any

import hexholm
from hexholm.host.bot_pool.bot_pool import BotQuestion, BotsAtOnce, choose
from hexholm.host.local_server import BOTS_WITHOUT_DELAY
from hexholm.host.storage import EntryRow, Storage, StorageError, StorageFailed, Writes
from hexholm.host.tables.audience.feeds import Feed
from hexholm.host.tables.durations import Durations
from hexholm.host.tables.hall import Hall
from hexholm.host.tables.seats import Guest
from hexholm.host.tables.table import Table
from hexholm.host.wire import messages as m
from hexholm.host.wire.api import TableSettings
from hexholm.host.wire.host_refusals import Declined

QUIET = "dice 6 6"
"""Pays nobody on the beginners' board."""
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

    async def append(self, batch: Writes) -> None:
        if self.fault != "refuses":
            await super().append(batch)
        if self.fault is not None:
            raise StorageFailed("the disk is full")

    async def entries(self, table: str, since: int = 0) -> list[EntryRow]:
        if self.fault is not None:
            raise StorageFailed("the disk is gone")
        return await super().entries(table, since)


def table_lines(hall: Hall, status: str | None = None) -> list[m.TableLine]:
    """What everybody may know of the tables in memory."""
    return [table.line() for table in hall.tables if status in (None, table.status)]


class Gate:
    """A bot that answers only when it is let."""

    def __init__(self) -> None:
        self.errors: Counter[str] = Counter()
        self.asked: list[BotQuestion] = []
        self.open = asyncio.Event()

    async def answer(self, question: BotQuestion) -> str:
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
        return self.hall.find(self.id).table

    async def send(self, who: str | None, command: m.TableCommand) -> m.Done | m.Refused:
        """A command of a seat, or of one who watches."""
        async with asyncio.timeout(5):
            return await send(self.hall, self.id, self.people.get(who, Guest("eve")), command)

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
        return self.hall.find(self.id).feed(self.people.get(who, Guest("eve")), since)

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
            for runner in self.hall._runners.values():
                runner.wake()  # the clock was set by hand
            await asyncio.sleep(0.004)
            with suppress(StorageError):  # what is on its way to the disk comes before it, however slow
                await self.hall.services.storage.set_meta("settled", "")
            now = self.table.seq
            quiet, seen = (quiet + 1, seen) if now == seen else (0, now)

    async def until(self, true: Callable[[], bool], seconds: float = 20) -> None:
        """Until something is so."""
        async with asyncio.timeout(seconds):
            while not true():  # noqa: ASYNC110  # nobody tells us
                await asyncio.sleep(0.002)


async def send(hall: Hall, table: str, guest: Guest, command: m.TableCommand) -> m.Done | m.Refused:
    """A command of anybody, and what is answered."""
    try:
        return await hall.find(table).send(guest, command)
    except Declined as no:
        return no.refusal.as_wire(command.id)


async def why(hall: Hall, table: str, guest: Guest, question: m.Why) -> m.Because | m.Refused:
    """A question why not, and what is answered."""
    try:
        return await hall.find(table).why(guest, question)
    except Declined as no:
        return no.refusal.as_wire(question.id)


def with_durations(how: dict[str, Any]) -> dict[str, Any]:
    """What a hall is opened with: durations can be named one by one, and bots answer at once unless said otherwise."""
    named = {field.name for field in fields(Durations)} & how.keys()
    durations = replace(BOTS_WITHOUT_DELAY, **{name: how[name] for name in named})
    return {**{name: value for name, value in how.items() if name not in named}, "durations": durations}


@asynccontextmanager
async def hall(storage: Storage | None = None, **how: Any) -> AsyncIterator[Party]:
    """A hall without a table, on a storage of its own unless one is given."""
    clock = how.pop("now", None) or Clock()
    how = {"bots": BotsAtOnce(), **with_durations(how)}
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
    made = await party.hall.create("ann", TableSettings(name="Ann", options=chosen, **how))
    party.id = made.table
    party.people = {first: Guest("ann", first)}
    if first is not None and made.token is not None:
        party.tokens[first] = made.token
    for color, guest in zip(colors[1:people], PEOPLE[1:], strict=False):
        party.tokens[color] = await party.hall.find(party.id).take(color, guest, guest.title())
        party.people[color] = party.hall.find(party.id).identify(party.tokens[color], guest)
    return party


def drain(feed: Feed) -> list[Any]:
    """What waits in a feed now."""
    found: list[Any] = [*feed._part, *feed._before, *(message for bundle in feed._waiting for message in bundle)]
    feed._part.clear()
    feed._before = iter(())
    feed._waiting.clear()
    return found


def in_hall(story: Callable[[Party], Awaitable[None]], **how: Any) -> None:
    """A story in a hall of its own."""

    async def main() -> None:
        async with asyncio.timeout(30), hall(**how) as party:
            await story(party)

    asyncio.run(main())


def dice(*outcomes: str) -> Any:
    """A dealer with these outcomes, then twelves."""
    return lambda: hexholm.Scripted([*outcomes, *[QUIET] * 400])


async def done(party: Party, who: str | None, command: m.TableCommand) -> None:
    """A command that must be accepted."""
    answer = await party.send(who, command)
    assert isinstance(answer, m.Done), answer


def refusal_code(answer: m.Done | m.Refused) -> str:
    """The code of a refusal."""
    assert isinstance(answer, m.Refused), answer
    return answer.code


async def why_refused(party: Party, who: str | None, command: m.TableCommand) -> str:
    """Why a command is refused."""
    answer = await party.send(who, command)
    assert isinstance(answer, m.Refused), answer
    return answer.why
