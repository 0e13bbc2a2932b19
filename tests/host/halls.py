"""Halls for tests: a storage that can fail, a clock that is set by hand, guests that speak and listen."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field, fields, replace
from typing import Any

import hexholm
from hexholm.host.bot_pool.bot_pool import BotChoice, BotFailure, BotQuestion, BotsAtOnce, choose
from hexholm.host.local_server import BOTS_WITHOUT_DELAY
from hexholm.host.storage import EntryRow, Storage, StorageError, StorageFailed, Writes
from hexholm.host.table_literals import Absence, ChanceSource, Visibility
from hexholm.host.tables.audience.feeds import Feed
from hexholm.host.tables.hall.hall import Hall
from hexholm.host.tables.hall.opening import read_settings
from hexholm.host.tables.seats import Guest
from hexholm.host.tables.services.durations import Durations
from hexholm.host.tables.table import Table
from hexholm.host.tables.table_settings import TableSettings
from hexholm.host.wire import api, messages
from hexholm.host.wire.host_refusals import Declined

QUIET = "dice 6 6"
"""Pays nobody on the beginners' board."""
RATED_CLOCK = 86_400.0
"""At a rated table of which a test says nothing else."""
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

    async def entries(self, table_id: str, since: int = 0) -> list[EntryRow]:
        if self.fault is not None:
            raise StorageFailed("the disk is gone")
        return await super().entries(table_id, since)


def table_lines(hall: Hall, status: str | None = None) -> list[messages.TableLine]:
    """What everybody may know of the tables in memory."""
    return [table.line() for table in hall.tables if status in (None, table.status)]


class Gate:
    """A bot that answers only when it is let."""

    def __init__(self) -> None:
        self.errors: Counter[BotFailure] = Counter()
        self.questions: list[BotQuestion] = []
        self.open = asyncio.Event()

    async def answer(self, question: BotQuestion) -> BotChoice:
        self.questions.append(question)
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
        return self.hall.loaded(self.id).table

    async def send(self, color: str | None, command: messages.TableCommand) -> messages.Done | messages.Refused:
        """A command of a seat, or of one who watches."""
        async with asyncio.timeout(30):
            return await send(self.hall, self.id, self.people.get(color, Guest("eve")), command)

    async def act(self, color: str | None, action: str) -> messages.Done | messages.Refused:
        """An action of a seat."""
        self.count += 1
        return await self.send(color, messages.Act(id=f"act {self.count}", action=action))

    async def play_actions(self, color: str | None, *actions: str) -> None:
        """Actions that must be accepted."""
        for action in actions:
            answer = await self.act(color, action)
            assert isinstance(answer, messages.Done), answer

    def feed(self, color: str | None, since: int | None = None) -> Feed:
        """A feed of a seat, or of one who watches."""
        return self.hall.loaded(self.id).feed(self.people.get(color, Guest("eve")), since)

    async def begin(self) -> None:
        """The creator begins."""
        answer = await self.send(next(iter(self.people)), messages.Begin(id="begin"))
        assert isinstance(answer, messages.Done), answer

    async def after(self, seconds: float) -> None:
        """Let time pass, and the host do what is due then."""
        self.clock.time += seconds
        await self.settle_down()

    async def settle_down(self) -> None:
        """Until nothing more happens by itself."""
        quiet, last_seq = 0, -1
        while quiet < 4:
            for runner in self.hall.loaded_tables:
                runner.wake()  # the clock was set by hand
            await asyncio.sleep(0.004)
            with suppress(StorageError):  # what is on its way to the disk comes before it, however slow
                await self.hall.services.storage.set_meta("settled", "")
            seq = self.table.seq
            quiet, last_seq = (quiet + 1, last_seq) if seq == last_seq else (0, seq)

    async def until(self, true: Callable[[], bool], seconds: float = 20) -> None:
        """Until something is so."""
        async with asyncio.timeout(seconds):
            while not true():  # noqa: ASYNC110  # nobody tells us
                await asyncio.sleep(0.002)


async def send(
    hall: Hall, table_id: str, guest: Guest, command: messages.TableCommand
) -> messages.Done | messages.Refused:
    """A command of anybody, and what is answered."""
    try:
        return await hall.loaded(table_id).carry_out(guest, command)
    except Declined as error:
        return error.refusal.as_wire(command.id)


async def ask_why(hall: Hall, table_id: str, guest: Guest, why: messages.Why) -> messages.WhyAnswer | messages.Refused:
    """A question why not, and what is answered."""
    try:
        return await hall.loaded(table_id).why(guest, why)
    except Declined as error:
        return error.refusal.as_wire(why.id)


def with_durations(how: dict[str, Any]) -> dict[str, Any]:
    """What a hall is opened with: durations can be named one by one, and bots answer at once unless said otherwise."""
    named = {field.name for field in fields(Durations)} & how.keys()
    durations = replace(BOTS_WITHOUT_DELAY, **{name: how[name] for name in named})
    return {**{name: value for name, value in how.items() if name not in named}, "durations": durations}


def table_settings(**how: Any) -> TableSettings:
    """A table that Ann sets up, as REST has it; she sits down only where a color says so."""
    return read_settings(api.NewTable(**{"name": "Ann", "sit": how.get("color") is not None, **how}))


@asynccontextmanager
async def open_party(storage: Storage | None = None, **how: Any) -> AsyncIterator[Party]:
    """A hall without a table, on a storage of its own unless one is given."""
    clock = how.pop("now", None) or Clock()
    how = {"bots": BotsAtOnce(), **with_durations(how)}
    own_storage = await Faulty(":memory:").open() if storage is None else storage
    try:
        open_hall = await Hall.open(own_storage, now=clock, **how)
        try:
            yield Party(open_hall, clock)
        finally:
            await open_hall.close()
    finally:
        if storage is None:
            await own_storage.close()


async def set_up(
    party: Party,
    people: int = 4,
    clock: float | None = None,
    *,
    ranges: bool = False,
    chance_source: ChanceSource = "host",
    rated: bool = False,
    visibility: Visibility = "unlisted",
    spectators_speak: bool = False,
    absence: Absence | None = None,
    plays_on: bool = False,
    **options: Any,
) -> Party:
    """A table with so many people, the rest bots; the first seat is the creator's."""
    all_options = {"edition": "fifth", "first": 0, **options}
    colors = hexholm.options(**all_options).colors
    bots: dict[str, str | None] = dict.fromkeys(colors[people:], "easy")
    first = colors[0] if people else None
    how: dict[str, Any] = {
        "rated": rated,
        "visibility": visibility,
        "spectators_speak": spectators_speak,
        "absence": absence,
        "plays_on": plays_on,
        "board_seed": 5,
        "clock": RATED_CLOCK if rated and clock is None else clock,
        "ranges": ranges,
        "chance_source": chance_source,
    }
    how |= {"seats": bots, "color": first}
    created_table = await party.hall.create("ann", table_settings(options=all_options, **how))
    party.id = created_table.id
    party.people = {first: Guest("ann", first)}
    if first is not None and created_table.token is not None:
        party.tokens[first] = created_table.token
    for color, guest in zip(colors[1:people], PEOPLE[1:], strict=False):
        party.tokens[color] = await party.hall.loaded(party.id).seat_access.take_seat(color, guest, guest.title())
        party.people[color] = party.hall.loaded(party.id).seat_access.identify(party.tokens[color], guest)
    return party


def drain(feed: Feed) -> list[Any]:
    """What waits in a feed now."""
    unread: list[Any] = [*feed._part, *feed._before, *(message for bundle in feed._waiting for message in bundle)]
    feed._part.clear()
    feed._before = iter(())
    feed._waiting.clear()
    return unread


def in_hall(story: Callable[[Party], Awaitable[None]], **how: Any) -> None:
    """A story in a hall of its own."""

    async def main() -> None:
        async with asyncio.timeout(30), open_party(**how) as party:
            await story(party)

    asyncio.run(main())


def scripted_dealer(*outcomes: str) -> Any:
    """A dealer with these outcomes, then twelves."""
    return lambda: hexholm.Scripted([*outcomes, *[QUIET] * 400])


async def carry_out(party: Party, color: str | None, command: messages.TableCommand) -> None:
    """A command that must be accepted."""
    answer = await party.send(color, command)
    assert isinstance(answer, messages.Done), answer


async def agree(party: Party, command: type[messages.Pause | messages.End]) -> None:
    """What all people who play must want: they say so, one after another."""
    for color in (color for color in party.people if color is not None):
        party.count += 1
        await carry_out(party, color, command(id=f"agree {party.count}"))


def refusal_code(answer: messages.Done | messages.Refused) -> str:
    """The code of a refusal."""
    assert isinstance(answer, messages.Refused), answer
    return answer.code


async def why_refused(party: Party, color: str | None, command: messages.TableCommand) -> str:
    """Why a command is refused."""
    answer = await party.send(color, command)
    assert isinstance(answer, messages.Refused), answer
    return answer.why
