"""A live table: a task of its own carries out one thing after another, what guests send and what time brings.

Every change takes the same way: the table decides, the decision is stored, and after the commit the table is changed,
those who look are told and the sender is answered. If storing fails nobody is told, nothing has changed, and the table
goes on when the storage does.

What time brings, clocks and bots, is in :mod:`.scheduler`; here it is only carried out.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from array import array
from collections import Counter, deque
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass, field
from typing import Final, TypeVar

import msgspec

from hexholm.bots import NAMES

from ..bot_pool.pool import Thinks
from ..storage import Answer, Batch, Conflict, Seal, Storage, StorageError
from ..storage import Entry as Line
from ..wire import messages as m
from ..wire.boards import board_line
from ..wire.refusals import refused
from . import log
from .audience.feeds import Bundle, Feed
from .audience.presence import Presence
from .scheduler import Clockwork
from .table import Decision, Eyes, Guest, LogBroken, Table
from .tokens import holdings

LONGEST_INBOX: Final = 1000
"""Commands that may wait at a table."""
REMEMBERED: Final = 512
"""Answers kept in memory for repeats; storage has all that were accepted."""
CHAT: Final = (8, 10.0)
"""So many remarks of a seat in so many seconds."""
OFFERS: Final = (60, 60.0)
"""So many offers, counter-offers and withdrawals of a seat in so many seconds: each stays in the log for good."""
WISHES: Final = (60, 60.0)
"""So many commands of all other kinds that change the table and not the game."""
HAGGLING: Final = ("offer", "counter", "withdraw")
GRACE: Final = 600.0
"""Seconds after the start in which no table is given up: people may still come back."""
RETRY: Final = 1.0
"""Seconds until what the host wanted to do by itself is tried again after a failure."""

logger = logging.getLogger("hexholm.host")
T = TypeVar("T")


@dataclass(slots=True)
class Setting:
    """What all tables of a hall share."""

    storage: Storage
    thinker: Thinks
    now: Callable[[], float]
    bot_delay: tuple[float, float] = (0.4, 1.2)
    bot_patience: float = 20.0
    """Seconds a bot waits for people to answer its offer."""
    away_after: float = 120.0
    clear_after: float = 86_400.0
    """Seconds after which a table that nobody begins and nobody looks at is cleared away."""
    end_after: float = 30 * 86_400.0
    """Seconds after which a game that stands still and nobody looks at is ended without a winner."""
    figures: Counter[str] = field(default_factory=Counter)


class Live:
    """One table with its queue, its feeds and its bots. `start` it, `stop` it."""

    def __init__(self, table: Table, setting: Setting, seals: Iterable[Seal] = ()) -> None:
        self.table = table
        self.setting = setting
        self.seals: dict[str, str] = {seal.hash: seal.seat for seal in seals}
        """Which seat a token opens, by its hash."""
        self.feeds: set[Feed] = set()
        self.seen: dict[str, float] = {}
        """When a seat's person was last heard of, apart from open feeds."""
        self.since = setting.now()
        self.over_since = self.since
        self.heard = 0.0
        """When anything was last heard of somebody at this table, apart from open feeds."""
        self._down = 0.0  # seconds since then in which the host did not run
        self.broken: str | None = None
        self._inbox: deque[Callable[[], Awaitable[None]]] = deque()
        self._wake = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._closing = False
        self._trust = "sure"  # else "behind" what storage has, or "unsound"
        self._retry_at = 0.0  # of the loop's clock
        self._answers: dict[tuple[str, str], m.Done | m.Refused] = {}
        self._numbers = array("I")  # after each entry: the latest number of each pair of eyes
        self._shown: dict[Eyes, m.Projection | None] = {}
        self.listed = False  # as it is, in storage's list of tables
        self._lately: dict[tuple[str, str], deque[float]] = {}
        """When each seat, and the creator beside them, lately sent what is counted, by kind."""
        self._clockwork = Clockwork(self)
        self._presence = Presence()

    # --- the task ------------------------------------------------------------------------------------------------

    def start(self) -> None:
        """Begin to work."""
        self.table.look_away()
        self._task = asyncio.create_task(self._run(), name=f"table {self.table.id}")

    async def stop(self) -> None:
        """Carry out what waits, then end; feeds end too."""
        self._closing = True
        self.wake()
        if self._task is not None:
            await self._task
        await self._clockwork.stop()
        self._end_feeds("stopped")
        self._presence.stop()

    def wake(self) -> None:
        """Look again at what is to be done."""
        self._wake.set()

    async def _run(self) -> None:
        while True:
            if not self._inbox and not self._closing:
                await self._rest()
            self._wake.clear()
            if self._inbox:
                await self._safely(self._inbox.popleft())
                if not self._inbox:
                    continue  # what is due meanwhile is found before the next rest
            elif self._closing:
                return
            if not self._closing:
                await self._safely(self._time_passes)

    async def _rest(self) -> None:
        """Until something is sent or due."""
        wait = self._until()
        if wait is None:
            await self._wake.wait()
            return
        if wait <= 0:
            await asyncio.sleep(0)  # let others have their turn
            return
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(wait):
                await self._wake.wait()

    async def _safely(self, step: Callable[[], Awaitable[object]]) -> None:
        """Do something; whatever goes wrong, the table goes on from its log."""
        try:
            await step()
        except StorageError as error:
            self._trust = "unsound" if self._trust == "unsound" else "behind"
            self.setting.figures["failures"] += 1
            logger.error("table %s: %s", self.table.id, error)
        except Exception:
            self.setting.figures["errors"] += 1
            logger.exception("table %s: an error of the program", self.table.id)
        else:
            return
        self.hold_off()

    def hold_off(self) -> None:
        """Do nothing by itself for a moment."""
        self._retry_at = asyncio.get_running_loop().time() + RETRY

    async def _catch_up(self) -> None:
        """After a failure: what is stored counts, whether or not that was reported."""
        if self._trust == "sure":
            return
        whole, storage, before = self._trust == "unsound", self.setting.storage, self.table
        if whole:
            self._end_feeds("restarted")
        lines = await storage.entries(before.id, 0 if whole else before.seq)
        self.seals = {seal.hash: seal.seat for seal in await storage.seals(before.id)}
        if whole:
            self.table, self._numbers = Table(before.id, dealer=before.dealer), array("I")
            self._clockwork.forget()
        try:
            self._enter_all([entry_of(line) for line in lines])
        except LogBroken as error:
            self.table = before
            self.broken = f"the log of this table cannot be read: {error}"
        except Exception:
            self.table = before
            raise
        self._trust = "sure"

    async def ask(self, job: Callable[[], Awaitable[T | m.Refused]], id: str | None) -> T | m.Refused:  # noqa: A002
        """Put something into the queue and wait for its answer."""
        if self._closing:
            return refused(id, "closing")
        if len(self._inbox) >= LONGEST_INBOX:
            return refused(id, "table_busy")
        answer: asyncio.Future[T | m.Refused] = asyncio.get_running_loop().create_future()

        async def step() -> None:
            found: T | m.Refused = refused(id, "not_stored")
            try:
                await self._catch_up()
                if self.broken is not None:
                    found = refused(id, "log_broken", table=self.table.id)
                else:
                    found = await job()
            finally:
                if not answer.done():
                    answer.set_result(found)

        self._inbox.append(step)
        self.wake()
        return await answer

    # --- what guests send ----------------------------------------------------------------------------------------

    async def send(self, command: m.Commands, guest: Guest) -> m.Done | m.Refused:
        """Carry out a command after those before it; a repeat of its id is answered as the first was."""
        return await self.ask(lambda: self._command(command, guest), command.id)

    async def why(self, question: m.Why, guest: Guest) -> m.Because | m.Refused:
        """Whether a seat may play something, after what was sent before; nothing changes, not even who was heard of."""

        async def answer() -> m.Because | m.Refused:
            if not 0 < len(question.id) <= m.LONGEST_ID:
                return refused(question.id[: m.LONGEST_ID], "bad_id", most=m.LONGEST_ID)
            return self.table.because(question, guest) if self.holds(guest) else refused(question.id, "seat_lost")

        return await self.ask(answer, question.id)

    async def _command(self, command: m.Commands, guest: Guest) -> m.Done | m.Refused:
        key = (f"{guest.id} {guest.seat or ''}", command.id)
        if not 0 < len(command.id) <= m.LONGEST_ID:
            return refused(command.id[: m.LONGEST_ID], "bad_id", most=m.LONGEST_ID)
        if (before := self._answers.get(key)) is not None:
            return before
        if not self.holds(guest):
            return refused(command.id, "seat_lost")
        if (no := self._too_soon(command, guest)) is not None:
            return await self._answered(command, guest, key) or no  # a repeat from before a restart is no new remark
        if guest.seat is not None:
            self.seen[guest.seat] = self.setting.now()
            if isinstance(command, m.Act) and self.table.seats[guest.seat].away:
                await self._back(guest.seat)
        answer = self._unknown_bot(command) or await self._decide(command, guest, key)
        self._answers[key] = answer
        while len(self._answers) > REMEMBERED:
            del self._answers[next(iter(self._answers))]
        self.setting.figures["commands" if isinstance(answer, m.Done) else "refusals"] += 1
        return answer

    async def _decide(self, command: m.Commands, guest: Guest, key: tuple[str, str]) -> m.Done | m.Refused:
        decision = self.table.decide(command, guest)
        if decision.refusal is not None:  # perhaps a repeat from before a restart, which is too late now
            return await self._answered(command, guest, key) or decision.refusal
        last = self.table.seq + len(decision.bodies)
        answer = Answer(*key, msgspec.json.encode({"done": last}).decode())
        try:
            await self.write(decision, answers=(answer,))
        except Conflict as conflict:
            if conflict.what != "answer":
                raise
            found = await self._answered(command, guest, key)
            assert found is not None
            return found
        return self._done(command, guest, last)

    async def _answered(self, command: m.Commands, guest: Guest, key: tuple[str, str]) -> m.Done | None:
        text = await self.setting.storage.answer(self.table.id, *key)
        return None if text is None else self._done(command, guest, msgspec.json.decode(text)["done"])

    def _done(self, command: m.Commands, guest: Guest, entry: int) -> m.Done:
        eyes = self.table.eyes
        return m.Done(id=command.id, number=self._numbers[(entry - 1) * len(eyes) + eyes.index(guest.seat)])

    def holds(self, guest: Guest) -> bool:
        """Whether a guest (still) has the seat it speaks for."""
        seat = self.table.seats.get(guest.seat or "")
        return guest.seat is None or (seat is not None and seat.kind == "person" and seat.guest == guest.id)

    def _too_soon(self, command: m.Commands, guest: Guest) -> m.Refused | None:
        if guest.seat is None and guest.id != self.table.creator:
            return None  # who only watches changes nothing, and there may be any number of them to remember
        match command:
            case m.Say():
                why, (many, seconds) = "said_too_often", CHAT
            case m.Act(action=text):
                if not any(word in text.lower() for word in HAGGLING):
                    return None  # the game itself goes on as fast as it likes, and comes to an end
                why, (many, seconds) = "offered_too_often", OFFERS
            case m.Deal():
                return None
            case _:
                why, (many, seconds) = "asked_too_often", WISHES
        now, times = self.setting.now(), self._lately.setdefault((guest.seat or guest.id, why), deque())
        while times and times[0] <= now - seconds:
            times.popleft()
        if len(times) >= many:
            return refused(command.id, why, most=many, seconds=round(seconds))
        times.append(now)
        return None

    def _unknown_bot(self, command: m.Commands) -> m.Refused | None:
        if isinstance(command, m.Put) and command.player is not None and command.player not in NAMES:
            return refused(command.id, "no_such_player", player=command.player[:40], players=NAMES)
        return None

    async def _back(self, seat: str) -> None:
        """Somebody who was away is here again."""
        await self._catch_up()
        found = self.table.seats[seat]
        if found.away and not found.resigned:
            await self.by_itself(m.Back(id=""), Guest(found.guest, seat))

    # --- storing and telling -------------------------------------------------------------------------------------

    async def write(self, decision: Decision, *, answers: Iterable[Answer] = (), tokens: Iterable[Seal] = ()) -> None:
        """Store a decision; after the commit change the table and tell everybody."""
        time = max(self.setting.now(), self.table.time)
        entries = [
            log.Entry(seq=self.table.seq + i, time=time, body=body, state=state)
            for i, (body, state) in enumerate(zip(decision.bodies, decision.states, strict=True), 1)
        ]
        batch = Batch(
            self.table.id,
            [line_of(entry) for entry in entries],
            answers=tuple(answers),
            tokens=tuple(tokens),
            revoked=[body.seat for body in decision.bodies if isinstance(body, log.Seated)],
        )
        await self.setting.storage.append(batch)
        self._enter_all(entries)
        for seat in batch.revoked:
            self.seal(seat, [seal for seal in batch.tokens if seal.seat == seat])
        if not self.listed:  # not in the same batch: what the table will be is known only now
            with contextlib.suppress(StorageError):  # then the next time
                await self.setting.storage.append(self.listing())
                self.listed = True

    def listing(self, entries: Iterable[log.Entry] = (), tokens: Iterable[Seal] = ()) -> Batch:
        """What storage's list of tables says of this one, with more to store."""
        line = self.table.line()
        text = msgspec.json.encode(line).decode()
        lines = [line_of(entry) for entry in entries]
        return Batch(
            line.id, lines, status=line.status, summary=text, tokens=tuple(tokens), people=holdings(self.table)
        )

    def seal(self, seat: str, seals: Iterable[Seal]) -> None:
        """From now on these tokens, by their hashes, open a seat, and no others."""
        self.seals = {hashed: whose for hashed, whose in self.seals.items() if whose != seat}
        self.seals.update((seal.hash, seal.seat) for seal in seals)

    def _enter_all(self, entries: Iterable[log.Entry]) -> None:
        try:
            for entry in entries:
                self._tell(self.enter(entry))
            self.table.look_away()
        except Exception:
            self._trust = "unsound"  # half of it may have happened: it is read again from its log
            raise

    def enter(self, entry: log.Entry) -> dict[Eyes, list[m.Numbered | m.Now]]:
        """Take an entry that is stored; what is to be told to whom."""
        body, table = entry.body, self.table
        if isinstance(body, log.Played):
            self._clockwork.remember(body, entry.time)
        told = table.enter(entry)
        self._numbers.extend(len(table.streams.get(eyes, ())) for eyes in table.eyes)
        if isinstance(body, log.Restarted):
            self._down += body.seconds
        else:
            self.heard, self._down = entry.time, 0.0
        if table.status == "over" or not isinstance(body, log.Played | log.Said):
            self.listed = False
        if isinstance(body, log.Seated):
            self.seen[body.seat] = entry.time
            for feed in [f for f in self.feeds if f.guest.seat == body.seat and f.guest.id != body.guest]:
                feed.close("kicked")
        elif isinstance(body, log.Began) or (isinstance(body, log.Paused) and not body.on):
            self.seen.update(dict.fromkeys(table.seats, entry.time))
        if table.status == "over":
            self.over_since = entry.time
        return told

    def _tell(self, told: dict[Eyes, list[m.Numbered | m.Now]]) -> None:
        """To everybody who looks what is theirs to know.

        All is made before any of it is sent: sent at once, it wakes the guests' machine once and not for every seat.
        """
        looking: dict[Eyes, list[Feed]] = {}
        for feed in self.feeds:
            looking.setdefault(feed.guest.seat, []).append(feed)
        bundles: list[tuple[list[Feed], Bundle]] = []
        for eyes, feeds in looking.items():
            messages: list[m.Messages] = [*told.get(eyes, ())]
            now = self.table.projection(eyes)
            if now is not None and now != self._shown.get(eyes):
                messages.append(m.Now(projection=now, number=len(self.table.streams.get(eyes, ()))))
            self._shown[eyes] = now
            if messages:
                bundles.append((feeds, Bundle(messages).encoded()))
        for feeds, bundle in bundles:
            for feed in feeds:
                feed.tell(bundle)

    # --- feeds ---------------------------------------------------------------------------------------------------

    def feed(self, guest: Guest, since: int | None) -> Feed:
        """Open a feed. Somebody who was away and looks again is back."""
        eyes, stream = guest.seat, self.table.streams.get(guest.seat, [])
        number = len(stream)
        projection = self._shown[eyes] = self.table.projection(eyes)
        present = self._presence.with_guest(guest, self.table.colors)
        hello = m.Hello(
            protocol=m.PROTOCOL,
            seat=eyes,
            table=self.table.line(),
            board=board_line(self.table.board, self.table.edition),
            projection=projection,
            number=number,
            present=present,
            time=self.setting.now(),
            muted=self.table.muted(eyes),
        )
        self.table.look_away()
        missed = [] if since is None else stream[max(0, since) :]
        feed = Feed(guest, hello, missed, self._gone)
        self.feeds.add(feed)
        self._presence.came(feed, present, self.table.colors)
        if eyes is not None:
            self._inbox.append(lambda: self._back(eyes))
            self.wake()
        return feed

    def _gone(self, feed: Feed) -> None:
        self.feeds.discard(feed)
        self._presence.went(feed, self.table.colors)
        self.heard, self._down = max(self.heard, self.setting.now()), 0.0
        if feed.guest.seat is not None:
            self.seen[feed.guest.seat] = self.setting.now()
        self.wake()
        if feed.reason == "slow":
            self.setting.figures["slow"] += 1

    def _end_feeds(self, reason: str) -> None:
        for feed in list(self.feeds):
            feed.close(reason)

    # --- what time brings ----------------------------------------------------------------------------------------

    def left_for(self, seconds: float, *, up: bool = True) -> float:
        """When nobody will have been heard of here for so long; `up`: only the time counts in which the host ran."""
        return max(self.heard + seconds + (self._down if up else 0.0), self.since + min(seconds, GRACE))

    def _until(self) -> float | None:
        """Seconds until something is due; None: nothing is."""
        if self.broken is not None:
            return None
        pause = self._retry_at - asyncio.get_running_loop().time()
        if pause > 0:
            return pause
        if self._trust != "sure":
            return 0
        first = min((due.when for due in self._clockwork.agenda()), default=None)
        return None if first is None else max(0.0, first - self.setting.now())

    async def _time_passes(self) -> None:
        """Do the first thing that is due, if one is."""
        if self.broken is not None or self._retry_at > asyncio.get_running_loop().time():
            return
        await self._catch_up()
        due = min(self._clockwork.agenda(), default=None)
        if due is None or due.when > self.setting.now():
            return
        await self._clockwork.do(due)

    async def by_itself(self, command: m.Commands, guest: Guest) -> None:
        """A command that the host gives for somebody."""
        assert guest.seat is not None
        self.seen[guest.seat] = self.setting.now()
        decision = self.table.decide(command, guest)
        if decision.refusal is None:
            await self.write(decision)


def line_of(entry: log.Entry) -> Line:
    """An entry as storage takes it."""
    body = log.write(entry.body)
    return Line(entry.seq, entry.time, str(entry.body.__struct_config__.tag), body, entry.state)


def entry_of(line: Line) -> log.Entry:
    """An entry as the log has it."""
    return log.Entry(seq=line.seq, time=line.time, body=log.read(line.body), state=line.state_hash)
