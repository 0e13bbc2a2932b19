"""Runs a table: a task of its own carries out one thing after another, what guests send and what time brings.

Every change takes the same way: the table decides, the decision is stored, and after the commit it is entered, those
who look are told and the sender is answered. If storing fails nobody is told, nothing has changed, and the table goes
on when the storage does.

What time brings, clocks and bots, is decided in :mod:`.scheduler`; here it is only carried out.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from array import array
from collections import deque
from collections.abc import Awaitable, Callable, Iterable
from typing import Final, TypeVar

import msgspec

from hexholm.game.game import Game
from hexholm.game.language.clean_text import clean

from ..storage import AnswerRow, Conflict, GuestRow, HoldingRow, Seal, StorageError, Writes
from ..wire import messages as m
from ..wire.host_refusals import Declined, Refusal
from . import log
from .audience.attendance import Attendance
from .audience.audience import Audience
from .audience.feeds import Feed
from .command_limits import CommandLimits
from .scheduler import Scheduler
from .seat_commands import sit_down
from .seat_tokens import Tokens, new_token
from .seats import Eyes, Guest
from .services import Services
from .table import LogBroken, Table
from .table_decision import Decision

LONGEST_INBOX: Final = 1000
"""Commands that may wait at a table."""
ANSWERS_REMEMBERED: Final = 512
"""Answers kept in memory for repeats; storage has all that were accepted."""
RETRY_AFTER: Final = 1.0
"""Seconds until what the host wanted to do by itself is tried again after a failure."""

logger = logging.getLogger("hexholm.host")
JobAnswer = TypeVar("JobAnswer")


class TableRunner:
    """One table with its queue, its feeds and its bots. `start` it, `stop` it."""

    def __init__(self, table: Table, services: Services, seals: Iterable[Seal] = ()) -> None:
        self.table = table
        self.services = services
        self.tokens = Tokens(seals)
        self.attendance = Attendance(services.now)
        self.over_since = self.attendance.since
        self.broken: str | None = None
        self.listed = False
        """Whether storage's list of tables has it as it is."""
        self._inbox: deque[Callable[[], Awaitable[None]]] = deque()
        self._wake = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._closing = False
        self._trust = "sure"  # else "behind" what storage has, or "unsound"
        self._retry_at = 0.0  # of the loop's clock
        self._answers: dict[tuple[str, str], m.Done | Refusal] = {}
        self._numbers = array("I")  # after each entry: the latest number of each pair of eyes
        self._limits = CommandLimits()
        self._scheduler = Scheduler(services, self.attendance, self.wake, self._hold_off)
        self._audience = Audience(self.attendance, services.now, self._feed_ended)

    # --- the task ------------------------------------------------------------------------------------------------

    def start(self) -> None:
        """Start the task that carries things out."""
        self.table.forget_views()
        self._task = asyncio.create_task(self._run(), name=f"table {self.table.id}")

    async def stop(self) -> None:
        """Carry out what waits, then end; feeds end too."""
        self._closing = True
        self.wake()
        if self._task is not None:
            await self._task
        await self._scheduler.stop()
        self._audience.stop()

    def wake(self) -> None:
        """Look again at what is to be done."""
        self._wake.set()

    async def _run(self) -> None:
        while True:
            if not self._inbox and not self._closing:
                await self._rest()
            self._wake.clear()
            if self._inbox:
                await self._run_safely(self._inbox.popleft())
                if not self._inbox:
                    continue  # what is due meanwhile is found before the next rest
            elif self._closing:
                return
            if not self._closing:
                await self._run_safely(self._time_passes)

    async def _rest(self) -> None:
        """Until something is sent or due."""
        wait = self._seconds_until_due()
        if wait is None:
            await self._wake.wait()
            return
        if wait <= 0:
            await asyncio.sleep(0)  # let others have their turn
            return
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(wait):
                await self._wake.wait()

    async def _run_safely(self, step: Callable[[], Awaitable[object]]) -> None:
        """Do something; whatever goes wrong, the table goes on from its log."""
        try:
            await step()
        except StorageError as error:
            self._trust = "unsound" if self._trust == "unsound" else "behind"
            self.services.figures["failures"] += 1
            logger.error("table %s: %s", self.table.id, error)
        except Exception:
            self.services.figures["errors"] += 1
            logger.exception("table %s: an error of the program", self.table.id)
        else:
            return
        self._hold_off()

    def _hold_off(self) -> None:
        """Do nothing by itself for a moment."""
        self._retry_at = asyncio.get_running_loop().time() + RETRY_AFTER

    async def _catch_up(self) -> None:
        """After a failure: what is stored counts, whether or not that was reported."""
        if self._trust == "sure":
            return
        whole, storage, before = self._trust == "unsound", self.services.storage, self.table
        if whole:
            self._audience.end("restarted")
        rows = await storage.entries(before.id, 0 if whole else before.seq)
        self.tokens = Tokens(await storage.seals(before.id))
        if whole:
            self.table, self._numbers = Table(before.id, dealer=before.dealer), array("I")
            self._scheduler.forget()
        try:
            self._enter_all([log.read_row(row) for row in rows])
        except LogBroken as error:
            self.table = before
            self.broken = f"the log of this table cannot be read: {error}"
        except Exception:
            self.table = before
            raise
        self._trust = "sure"

    async def ask(self, job: Callable[[], Awaitable[JobAnswer | Refusal]]) -> JobAnswer:
        """Put something into the queue and wait for its answer. Raises Declined."""
        if self._closing:
            raise Declined.because("closing")
        if len(self._inbox) >= LONGEST_INBOX:
            raise Declined.because("table_busy")
        answer: asyncio.Future[JobAnswer | Refusal | None] = asyncio.get_running_loop().create_future()

        async def step() -> None:
            found: JobAnswer | Refusal | None = None
            try:
                if self._trust != "sure":
                    await self._catch_up()
                if self.broken is not None:
                    found = Refusal.because("log_broken", table=self.table.id)
                else:
                    found = await job()
            except Declined as no:
                found = no.refusal
            finally:
                if not answer.done():
                    answer.set_result(found)

        self._inbox.append(step)
        self._wake.set()
        found = await answer
        if found is None:
            raise Declined.because("not_stored")
        if isinstance(found, Refusal):
            raise Declined(found)
        return found

    # --- what guests send ----------------------------------------------------------------------------------------

    async def send(self, guest: Guest, command: m.TableCommand) -> m.Done:
        """Carry out a command after those before it; a repeat of its id is answered as the first. Raises Declined."""
        return await self.ask(lambda: self._command(command, guest))

    async def why(self, guest: Guest, question: m.Why) -> m.Because:
        """Whether a seat may play something, after what was sent before. Raises Declined.

        Nothing changes, not even who was heard of.
        """

        async def answer() -> m.Because | Refusal:
            if not 0 < len(question.id) <= m.LONGEST_ID:
                return Refusal.because("bad_id", most=m.LONGEST_ID)
            if (lost := self.check_seat(guest)) is not None:
                return lost
            no = self.table.why_not(question.action, guest)
            return m.Because(id=question.id, legal=True) if no is None else no.as_because(question.id)

        return await self.ask(answer)

    async def _command(self, command: m.TableCommand, guest: Guest) -> m.Done | Refusal:
        key = (f"{guest.id} {guest.seat or ''}", command.id)
        if not 0 < len(command.id) <= m.LONGEST_ID:
            return Refusal.because("bad_id", most=m.LONGEST_ID)
        if (before := self._answers.get(key)) is not None:
            return before
        if (lost := self.check_seat(guest)) is not None:
            return lost
        if (no := self._too_soon(command, guest)) is not None:
            return (
                await self._stored_answer(command, guest, key) or no
            )  # a repeat from before a restart is no new remark
        if guest.seat is not None:
            self.attendance.hear(guest.seat)
            if isinstance(command, m.Act) and self.table.seats[guest.seat].away:
                await self._come_back(guest.seat)
        answer = await self._decide(command, guest, key)
        self._answers[key] = answer
        while len(self._answers) > ANSWERS_REMEMBERED:
            del self._answers[next(iter(self._answers))]
        self.services.figures["commands" if isinstance(answer, m.Done) else "refusals"] += 1
        return answer

    async def _decide(self, command: m.TableCommand, guest: Guest, key: tuple[str, str]) -> m.Done | Refusal:
        decision = self.table.decide(command, guest)
        if decision.refusal is not None:  # perhaps a repeat from before a restart, which is too late now
            return await self._stored_answer(command, guest, key) or decision.refusal
        last = self.table.seq + len(decision.bodies)
        answer = AnswerRow(*key, msgspec.json.encode({"done": last}).decode())
        try:
            await self.write(decision, answers=(answer,))
        except Conflict as conflict:
            if conflict.what != "answer":
                raise
            found = await self._stored_answer(command, guest, key)
            assert found is not None
            return found
        return self._done(command, guest, last)

    async def _stored_answer(self, command: m.TableCommand, guest: Guest, key: tuple[str, str]) -> m.Done | None:
        text = await self.services.storage.answer(self.table.id, *key)
        return None if text is None else self._done(command, guest, msgspec.json.decode(text)["done"])

    def _done(self, command: m.TableCommand, guest: Guest, entry: int) -> m.Done:
        eyes = self.table.eyes
        return m.Done(id=command.id, number=self._numbers[(entry - 1) * len(eyes) + eyes.index(guest.seat)])

    def check_seat(self, guest: Guest) -> Refusal | None:
        """Why a guest does not speak for its seat, or no longer: asked when its turn comes, for both may change."""
        if guest.seat is None:
            return None
        seat = self.table.seats.get(guest.seat)
        if seat is None or seat.kind != "person" or seat.guest != guest.id:
            return Refusal.because("seat_lost")
        if guest.token_hash and self.tokens.seat_of(guest.token_hash) != guest.seat:
            return Refusal.because("wrong_token")
        return None

    def _too_soon(self, command: m.TableCommand, guest: Guest) -> Refusal | None:
        if guest.seat is None and guest.id != self.table.creator:
            return None  # who only watches changes nothing, and there may be any number of them to remember
        return self._limits.count(command, guest.seat or guest.id, self.services.now())

    async def _come_back(self, seat: str) -> None:
        """Somebody who was away is here again."""
        await self._catch_up()
        found = self.table.seats[seat]
        if found.away and not found.resigned:
            self.attendance.hear(seat)
            await self.write(self.table.decide(m.Back(id=""), Guest(found.guest, seat)))

    # --- seats and tokens ----------------------------------------------------------------------------------------

    def identify(self, token: str | None, guest_id: str) -> Guest:
        """Who somebody is here: whose token it is, or one who watches. Raises Declined for a wrong token.

        The token decides, not the guest: a link opened on another device is still the same person.
        """
        if token is None:
            return Guest(guest_id)
        hashed, color = self.tokens.find(token)
        seat = self.table.seats.get(color or "")
        if seat is None or seat.kind != "person":
            raise Declined.because("wrong_token")
        return Guest(seat.guest, seat.color, hashed)

    async def take(self, seat: str, guest_id: str, name: str) -> str:
        """Sit down; the token of the seat, told once. One's own seat again: a new token, and no other works.

        Raises Declined.
        """
        token, seal = new_token(seat, self.services.now())

        async def job() -> bool:
            decision = sit_down(self.table, seat, guest_id, name)
            if decision.refusal is not None:
                raise Declined(decision.refusal)
            if decision.bodies:
                await self.write(decision, tokens=(seal,))
                self.attendance.hear(seat)
                return True
            await self.services.storage.append(Writes(self.table.id, tokens=(seal,), revoked=(seat,)))
            self.tokens.renew(seat, (seal,))
            self._audience.dismiss(lambda sitting: sitting.seat == seat)  # their tokens open nothing any more
            return True

        await self.ask(job)
        await remember_guest(self.services, guest_id, name)
        return token

    async def another_token(self, guest_id: str) -> tuple[str, str]:
        """One more token for the seat that a guest holds, beside those it has: the seat and the token. Raises Declined.

        If there are too many, the oldest is void.
        """
        seat = next((one.color for one in self.table.seats.values() if one.guest == guest_id), "")
        token, seal = new_token(seat, self.services.now())

        async def job() -> bool:
            if self.check_seat(Guest(guest_id, seat)) is not None:
                raise Declined.because("no_seat_of_yours")
            voided = self.tokens.surplus(seat)
            await self.services.storage.append(Writes(self.table.id, tokens=(seal,), voided=voided))
            self.tokens.void(voided)
            self.tokens.add(seal)
            self._audience.dismiss(lambda sitting: sitting.token_hash in voided)
            return True

        await self.ask(job)
        return seat, token

    # --- storing and telling -------------------------------------------------------------------------------------

    async def write(
        self, decision: Decision, *, answers: Iterable[AnswerRow] = (), tokens: Iterable[Seal] = ()
    ) -> None:
        """Store a decision; after the commit enter it and tell everybody."""
        entries = self.table.new_entries(decision, self.services.now())
        batch = Writes(
            self.table.id,
            [log.entry_row(entry) for entry in entries],
            answers=tuple(answers),
            tokens=tuple(tokens),
            revoked=[body.seat for body in decision.bodies if isinstance(body, log.Seated)],
        )
        await self.services.storage.append(batch)
        self._enter_all(entries, decision.after)
        for seat in batch.revoked:
            self.tokens.renew(seat, [seal for seal in batch.tokens if seal.seat == seat])
        if not self.listed:  # not in the same batch: what the table will be is known only now
            with contextlib.suppress(StorageError):  # then the next time
                await self.services.storage.append(self.listing())
                self.listed = True

    def listing(self, entries: Iterable[log.LogEntry] = (), tokens: Iterable[Seal] = ()) -> Writes:
        """What storage's list of tables says of this one, with more to store."""
        line = self.table.line()
        text = msgspec.json.encode(line).decode()
        lines = [log.entry_row(entry) for entry in entries]
        return Writes(
            line.id, lines, status=line.status, summary=text, tokens=tuple(tokens), people=holding_rows(self.table)
        )

    def _enter_all(self, entries: Iterable[log.LogEntry], after: Game | None = None) -> None:
        try:
            for entry in entries:
                self._audience.tell(self.table, self.enter(entry, after))
            self.table.forget_views()
        except Exception:
            self._trust = "unsound"  # half of it may have happened: it is read again from its log
            raise

    def enter(self, entry: log.LogEntry, after: Game | None = None) -> dict[Eyes, list[m.Numbered | m.Now]]:
        """Take an entry that is stored, with the game it leads to if that is known; what is to be told to whom."""
        body, table = entry.body, self.table
        told = table.enter(entry, after)
        self._scheduler.remember(table, entry)
        self._numbers.extend(len(table.streams.get(eyes, ())) for eyes in table.eyes)
        if isinstance(body, log.Restarted):
            self.attendance.was_down(body.seconds)
        else:
            self.attendance.note_activity(entry.time)
        if table.status == "over" or not isinstance(body, log.Played | log.Said):
            self.listed = False
        if isinstance(body, log.Seated):
            self.attendance.hear(body.seat, entry.time)
            self._audience.dismiss(lambda sitting: sitting.seat == body.seat and sitting.id != body.guest)
        elif isinstance(body, log.Began) or (isinstance(body, log.Paused) and not body.on):
            for seat in table.seats:
                self.attendance.hear(seat, entry.time)
        if table.status == "over":
            self.over_since = entry.time
        return told

    # --- feeds ---------------------------------------------------------------------------------------------------

    def feed(self, guest: Guest, since: int | None = None) -> Feed:
        """What a guest is told: Hello, what it missed since message `since` (None: nothing, 0: all), what happens.

        Somebody who was away and looks again is back. Raises Declined.
        """
        if (lost := self.check_seat(guest)) is not None:
            raise Declined(lost)
        feed, seat = self._audience.open(self.table, guest, since), guest.seat
        if seat is not None:
            self._inbox.append(lambda: self._come_back(seat))
            self.wake()
        return feed

    def _feed_ended(self, feed: Feed) -> None:
        self.wake()
        if feed.reason == "slow":
            self.services.figures["slow"] += 1

    # --- what time brings ----------------------------------------------------------------------------------------

    def _seconds_until_due(self) -> float | None:
        """Seconds until something is due; None: nothing is."""
        if self.broken is not None:
            return None
        pause = self._retry_at - asyncio.get_running_loop().time()
        if pause > 0:
            return pause
        if self._trust != "sure":
            return 0
        due = self._scheduler.next_due(self.table)
        return None if due is None else max(0.0, due.when - self.services.now())

    async def _time_passes(self) -> None:
        """Do the first thing that is due, if one is."""
        if self.broken is not None or self._retry_at > asyncio.get_running_loop().time():
            return
        await self._catch_up()
        due = self._scheduler.next_due(self.table)
        if due is None or due.when > self.services.now():
            return
        decision = self._scheduler.perform(self.table, due)
        if decision is None or decision.refusal is not None:
            return
        await self.write(decision)
        if due.what == "move":
            self.services.figures.update(body.by for body in decision.bodies if isinstance(body, log.Played))


async def remember_guest(services: Services, guest_id: str, name: str) -> None:
    """The name of a guest, for the next time; if that cannot be stored, nothing is lost."""
    with contextlib.suppress(StorageError):
        await services.storage.add_guest(GuestRow(guest_id, services.now(), clean(name)))


def holding_rows(table: Table) -> list[HoldingRow]:
    """Who sits at a table, and who has set it up."""
    found = {
        seat.guest: HoldingRow(seat.guest, seat.color, seat.guest == table.creator)
        for seat in table.seats.values()
        if seat.kind == "person"
    }
    found.setdefault(table.creator, HoldingRow(table.creator, None, True))
    return list(found.values())
