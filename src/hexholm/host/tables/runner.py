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
from bisect import bisect_left
from collections import deque
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import replace
from enum import Enum
from typing import Final, TypeVar

import msgspec

from hexholm.game.language.clean_text import clean_name

from ..storage import AnswerRow, Conflict, EntryRow, GuestRow, RatingRows, Seal, StorageError, Writes
from ..wire import messages
from ..wire.host_refusals import Declined, Refusal
from ..wire.shapes import Color
from . import log
from .audience.admission import why_not_look
from .audience.attendance import Attendance
from .audience.audience import Audience
from .audience.feeds import Feed
from .listing import listing_writes
from .log_size import LogSize
from .rated_games import rate_people, rated_game_of
from .scheduler import Scheduler
from .seating import seat_commands
from .seating.command_limits import CommandLimits
from .seating.seat_tokens import Tokens, new_token
from .seats import Eyes, Guest
from .services import Services
from .table import Entered, LogBroken, Table
from .table_decision import Decision

LONGEST_INBOX: Final = 1000
"""Commands that may wait at a table."""
ANSWERS_REMEMBERED: Final = 512
"""Answers kept in memory for repeats; storage has all that were accepted."""
RETRY_AFTER: Final = 1.0
"""Seconds until what the host wanted to do by itself is tried again after a failure."""

logger = logging.getLogger("hexholm.host")
JobAnswer = TypeVar("JobAnswer")


class LogSync(Enum):
    """How a table in memory stands to its log."""

    IN_STEP = "in step"
    BEHIND = "behind"
    """Entries may be stored that it has not entered."""
    UNSOUND = "unsound"
    """Half of an entry may have been entered: it is read again whole."""
    BROKEN = "broken"
    """What is stored cannot be entered: nothing is done here any more."""


class TableRunner:
    """One table with its queue, its feeds and its bots. `start` it, `stop` it."""

    def __init__(self, table: Table, services: Services, seals: Iterable[Seal] = ()) -> None:
        self.table = table
        self.services = services
        self.tokens = Tokens(seals)
        self.attendance = Attendance(services.now)
        self.over_since = self.attendance.up_since
        """Since when the game is over and the table is here."""
        self.is_listed = False
        """Whether storage's list of tables has it as it is."""
        self._inbox: deque[Callable[[], Awaitable[None]]] = deque()
        self._wake = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._closing = False
        self._is_loss_noted = False
        self._sync = LogSync.IN_STEP
        self._retry_at = 0.0  # of the loop's clock
        self._answers: dict[tuple[str, str], messages.Done | Refusal] = {}
        self._numbers = array("I")  # after each entry: the latest number of each pair of eyes
        self.log_size = LogSize()
        self._limits = CommandLimits(self.log_size)
        self._scheduler = Scheduler(services, self.attendance, self.log_size, self.wake, self._hold_off)
        self._audience = Audience(self.attendance, services.now, self._on_feed_end)

    # --- the task ------------------------------------------------------------------------------------------------

    def start(self) -> None:
        """Start the task that carries things out."""
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
                await self._wait_for_work()
            self._wake.clear()
            if self._inbox:
                await self._run_safely(self._inbox.popleft())
                if not self._inbox:
                    continue  # what is due meanwhile is found before the next rest
            elif self._closing:
                return
            if not self._closing:
                await self._run_safely(self._perform_due)

    async def _wait_for_work(self) -> None:
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
            if self._sync is LogSync.IN_STEP:
                self._sync = LogSync.BEHIND
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
        if self._sync in (LogSync.IN_STEP, LogSync.BROKEN):
            return
        whole, storage, before = self._sync is LogSync.UNSOUND, self.services.storage, self.table
        if whole:
            self._audience.end("restarted")
        rows = await storage.entries(before.id, 0 if whole else before.seq)
        self.tokens = Tokens(await storage.seals(before.id))
        if whole:
            self.table = Table(before.id, make_dealer=before.make_dealer, dice_key=before.dice_key)
            self._numbers = array("I")
            self._scheduler.reset()
            self.log_size.forget()
        try:
            self._enter_all([log.read_row(row) for row in rows])
            self.measure(rows)
        except LogBroken as error:
            self.table, self._sync = before, LogSync.BROKEN
            logger.error("table %s cannot be read again and is left alone: %s", before.id, error)
        except Exception:
            self.table = before
            raise
        else:
            self._sync = LogSync.IN_STEP

    async def run_in_turn(self, job: Callable[[], Awaitable[JobAnswer]]) -> JobAnswer:
        """Put something into the queue and wait for its answer. Raises Declined."""
        if self._closing:
            raise Declined.because("closing")
        if len(self._inbox) >= LONGEST_INBOX:
            raise Declined.because("table_busy")
        future: asyncio.Future[JobAnswer] = asyncio.get_running_loop().create_future()

        def decline(refusal: Refusal) -> None:
            if not future.done():
                future.set_exception(Declined(refusal))

        async def step() -> None:
            try:
                await self._catch_up()
                if self._sync is LogSync.BROKEN:
                    raise Declined.because("log_broken", table=self.table.id)
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

        self._inbox.append(step)
        self._wake.set()
        return await future

    # --- what guests send ----------------------------------------------------------------------------------------

    async def send(self, guest: Guest, command: messages.TableCommand) -> messages.Done:
        """Carry out a command after those before it; a repeat of its id is answered as the first. Raises Declined."""
        return await self.run_in_turn(lambda: self._carry_out(command, guest))

    async def why(self, guest: Guest, why: messages.Why) -> messages.WhyAnswer:
        """Whether a seat may play something, after what was sent before. Raises Declined.

        Nothing changes, not even who was heard of.
        """

        async def answer() -> messages.WhyAnswer:
            check_id(why.id)
            self.check_seat(guest)
            refusal = self.table.why_not(why.action, guest)
            return messages.WhyAnswer(id=why.id, legal=True) if refusal is None else refusal.as_why_answer(why.id)

        return await self.run_in_turn(answer)

    async def _carry_out(self, command: messages.TableCommand, guest: Guest) -> messages.Done:
        key = (f"{guest.id} {guest.color or ''}", command.id)
        check_id(command.id)
        earlier_answer = self._answers.get(key)
        if isinstance(earlier_answer, Refusal):
            raise Declined(earlier_answer)
        if earlier_answer is not None:
            return earlier_answer
        self.check_seat(guest)
        self._check_known(guest.id)
        try:
            self._check_rate(command, guest)
        except Declined:
            done = await self._stored_answer(command, guest, key)
            if done is None:
                raise
            return done  # a repeat from before a restart is no new remark
        if guest.color is not None:
            self.attendance.hear_command(guest.color)
            if isinstance(command, messages.Act) and self.table.seats[guest.color].away:
                await self._come_back(guest.color)
        try:
            done = await self._decide(command, guest, key)
        except Declined as error:
            stored_answer = await self._stored_answer(command, guest, key)
            self._remember_answer(key, stored_answer or error.refusal)
            if stored_answer is None:
                self.services.figures["refusals"] += 1
                raise
            done = stored_answer  # a repeat from before a restart, which is too late now
        else:
            self._remember_answer(key, done)
        self.services.figures["commands"] += 1
        return done

    def _remember_answer(self, key: tuple[str, str], answer: messages.Done | Refusal) -> None:
        """For a repeat of the command."""
        self._answers[key] = answer
        while len(self._answers) > ANSWERS_REMEMBERED:
            del self._answers[next(iter(self._answers))]

    async def _decide(self, command: messages.TableCommand, guest: Guest, key: tuple[str, str]) -> messages.Done:
        if guest.color is None and isinstance(command, messages.Say) and self.table.opened.spectators_speak:
            known_guest = await self.services.storage.guest(guest.id)
            guest = replace(guest, name="" if known_guest is None else known_guest.name)
        decision = self.table.decide(command, guest)
        last = self.table.seq + len(decision.bodies)
        answer = AnswerRow(*key, msgspec.json.encode({"done": last}).decode())
        try:
            await self.write(decision, answers=(answer,))
        except Conflict as error:
            if error.subject != "answer":
                raise
            stored_answer = await self._stored_answer(command, guest, key)
            assert stored_answer is not None
            return stored_answer
        return self._done_message(command, guest, last)

    async def _stored_answer(
        self, command: messages.TableCommand, guest: Guest, key: tuple[str, str]
    ) -> messages.Done | None:
        text = await self.services.storage.answer(self.table.id, *key)
        return None if text is None else self._done_message(command, guest, msgspec.json.decode(text)["done"])

    def _done_message(self, command: messages.TableCommand, guest: Guest, entry: int) -> messages.Done:
        eyes = self.table.eyes
        return messages.Done(id=command.id, number=self._numbers[(entry - 1) * len(eyes) + eyes.index(guest.color)])

    def check_seat(self, guest: Guest) -> None:
        """Raises Declined if a guest does not speak for its seat, or no longer: looked at when its turn comes."""
        if guest.color is None:
            return
        if not self._sits(guest.id, guest.color):
            raise Declined.because("seat_lost")
        if guest.token_hash and self.tokens.color_of(guest.token_hash) != guest.color:
            raise Declined.because("wrong_token")

    def _check_known(self, guest_id: str) -> None:
        """Raises Declined for a guest who was deleted: nothing that it sent before is written down any more."""
        if guest_id in self.services.forgotten:
            raise Declined.because("no_cookie")

    def _sits(self, guest_id: str, color: Color) -> bool:
        seat = self.table.seats.get(color)
        return seat is not None and seat.sitter == "person" and seat.guest_id == guest_id

    def _check_rate(self, command: messages.TableCommand, guest: Guest) -> None:
        now = self.services.now()
        if guest.color is None and isinstance(command, messages.Say) and self.table.opened.spectators_speak:
            self._limits.count_spectator(command, guest.id, now)
        elif guest.color is not None or guest.id == self.table.creator_id:
            self._limits.count(command, guest.color or guest.id, now, self.table.colors)
        # else: who only watches changes nothing, and there may be any number of them to remember

    async def _come_back(self, color: Color) -> None:
        """Somebody who was away is here again."""
        await self._catch_up()
        seat = self.table.seats[color]
        if self._sync is LogSync.IN_STEP and seat.away and not seat.resigned:
            await self.write(self.table.decide(messages.Back(id=""), Guest(seat.guest_id, color)))

    # --- seats and tokens ----------------------------------------------------------------------------------------

    def entry_of_message(self, eyes: Eyes, number: int) -> int | None:
        """The entry of the log that led to a numbered message of these eyes; None: there is no such message."""
        width, place = len(self.table.eyes), self.table.eyes.index(eyes)
        if not 0 < number <= len(self.table.by_eyes[eyes].stream):
            return None
        return (
            bisect_left(
                range(1, len(self._numbers) // width + 1),
                number,
                key=lambda seq: self._numbers[(seq - 1) * width + place],
            )
            + 1
        )

    def identify(self, token: str | None, guest_id: str) -> Guest:
        """Who somebody is here: whose token it is, or one who watches. Raises Declined for a wrong token.

        The token decides, not the guest: a link opened on another device is still the same person.
        """
        if token is None:
            return Guest(guest_id)
        hashed, color = self.tokens.look_up(token)
        seat = self.table.seats.get(color or "")
        if seat is None or seat.sitter != "person":
            raise Declined.because("wrong_token")
        return Guest(seat.guest_id, seat.color, hashed)

    async def take_seat(self, color: Color, guest_id: str, name: str) -> str:
        """Sit down; the token of the seat, told once. One's own seat again: a new token, and no other works.

        Raises Declined.
        """
        token, seal = new_token(color, self.services.now())

        async def job() -> None:
            if self._sits(guest_id, color):
                await self.services.storage.append(Writes(self.table.id, tokens=(seal,), revoked=(color,)))
                self.tokens.renew(color, (seal,))
                self._audience.dismiss(lambda guest: guest.color == color)  # their tokens open nothing any more
                return
            self._check_known(guest_id)
            await self.write(seat_commands.decide_taking_seat(self.table, color, guest_id, name), tokens=(seal,))

        await self.run_in_turn(job)
        await remember_guest(self.services, guest_id, name)
        return token

    async def another_token(self, guest_id: str) -> tuple[Color, str]:
        """One more token for the seat that a guest holds, beside those it has: the seat and the token. Raises Declined.

        If there are too many, the oldest is void.
        """
        color = next((seat.color for seat in self.table.seats.values() if seat.guest_id == guest_id), "")
        token, seal = new_token(color, self.services.now())

        async def job() -> None:
            if not self._sits(guest_id, color):
                raise Declined.because("no_seat_of_yours")
            voided = self.tokens.surplus(color)
            await self.services.storage.append(Writes(self.table.id, tokens=(seal,), voided=voided))
            self.tokens.void(voided)
            self.tokens.add(seal)
            self._audience.dismiss(lambda guest: guest.token_hash in voided)

        await self.run_in_turn(job)
        return color, token

    # --- forgetting ----------------------------------------------------------------------------------------------

    def knows(self, guest_id: str) -> bool:
        """Whether a guest has set up this table, sits here, has a seat kept, or looks."""
        table = self.table
        return (
            table.creator_id == guest_id
            or any(seat.guest_id == guest_id for seat in table.seats.values())
            or any(feed.guest.id == guest_id for feed in self.attendance.feeds)
        )

    async def part_with(self, guest_id: str) -> None:
        """A guest who is about to be deleted gives up its seat, and is told nothing more. Raises Declined."""

        async def job() -> None:
            colors = tuple(seat.color for seat in self.table.seats.values() if seat.guest_id == guest_id)
            decision = seat_commands.decide_parting(self.table, guest_id)
            if decision is not None:
                await self.write(decision)
            await self.services.storage.append(Writes(self.table.id, revoked=colors))
            for color in colors:
                self.tokens.renew(color, ())
            self._audience.dismiss(lambda guest: guest.id == guest_id)

        await self.run_in_turn(job)

    async def read_again(self) -> None:
        """Words were removed from the log: read it again, so that nothing here has them any more. Raises Declined.

        The game is the same, and so are all numbers of messages and questions. It is played again beside the loop.
        """

        async def job() -> None:
            storage, before = self.services.storage, self.table
            self._audience.end("reset")  # what waits in the feeds has the words still, and so have those who read it
            self._sync = LogSync.UNSOUND  # as long as they are there: whatever goes wrong, the next step reads again
            rows = await storage.entries(before.id)
            seals = await storage.seals(before.id)
            self.table, self._numbers = await asyncio.to_thread(_replay, before, rows)
            self.tokens = Tokens(seals)
            self.log_size.forget()
            self.measure(rows)
            self._sync = LogSync.IN_STEP
            self.services.list_changes += 1
            self._answers = {key: done for key, done in self._answers.items() if isinstance(done, messages.Done)}
            self.is_listed = False
            with contextlib.suppress(StorageError):  # then the next time
                await self._list()  # what was listed meanwhile may have had the words

        await self.run_in_turn(job)

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
            revoked=[body.color for body in decision.bodies if isinstance(body, log.Seated)],
            dice_key=self.table.dice_key if self.table.seq == 0 else None,
            visibility=next((body.visibility for body in decision.bodies if isinstance(body, log.Opened)), None),
        )
        await self.services.storage.append(batch)
        self.measure(batch.entries)
        self._enter_all(entries, decision)
        for color in batch.revoked:
            self.tokens.renew(color, [seal for seal in batch.tokens if seal.color == color])
        if not self.is_listed:  # not in the same batch: what the table will be is known only now
            with contextlib.suppress(StorageError):  # then the next time
                await self._list()

    async def _list(self) -> None:
        """Bring storage's list of tables up to date.

        A rated game is rated before it is listed as over: whatever happens in between, the next start finds the table
        among those that are not, and does both.
        """
        await self._rate()
        await self.services.storage.append(listing_writes(self.table, self.services.forgotten))
        self.is_listed = True

    async def _rate(self) -> None:
        if (game := rated_game_of(self.table)) is not None and await RatingRows(self.services.storage).write(
            game, rate_people
        ):
            self.services.figures["rated"] += 1

    async def write_restart(self, seconds: float) -> None:
        """Store that the host was down for so long, with what the list of tables says of this one, then enter it.

        Before `start`. A table that is over is only listed: it was stored, and the list does not know it yet.
        """
        entries: list[log.LogEntry] = []
        if self.table.status != "over":
            entries = self.table.new_entries(self.table.decide_restart(seconds), self.services.now())
        await self._rate()
        await self.services.storage.append(
            listing_writes(self.table, self.services.forgotten, entries)
        )  # which a restart leaves as it is
        self._enter_all(entries)
        self.is_listed = True

    def measure(self, rows: Iterable[EntryRow]) -> None:
        """Count stored entries for the size of the log."""
        for row in rows:
            self.log_size.add(row)

    def _enter_all(self, entries: Iterable[log.LogEntry], decided: Decision | None = None) -> None:
        try:
            for entry in entries:
                entered = self.enter(entry, decided)
                if self.table.status != "over":  # how it ended is told to those who watched until then
                    self._audience.dismiss_outsiders(self.table)
                self._audience.tell(self.table, entered.messages_by_eyes)
                if self.table.status == "over":
                    self._audience.dismiss_outsiders(self.table)
        except Exception:
            self._sync = LogSync.UNSOUND
            raise

    def enter(self, entry: log.LogEntry, decided: Decision | None = None) -> Entered:
        """Take an entry that is stored, with the decision that it comes from; what is to be told to whom."""
        body, table = entry.body, self.table
        entered = table.enter(entry, decided)
        self._scheduler.remember(table, entry)
        self._numbers.extend(len(eyes_state.stream) for eyes_state in table.by_eyes.values())
        if isinstance(body, log.Restarted):
            self.attendance.add_downtime(body.seconds)
        elif not isinstance(body, log.Waited | log.LongGone):  # which tell that nobody was there
            self.attendance.add_activity(entry.time)
        if table.status == "over" or not isinstance(body, log.Played | log.Said | log.Waited):
            self.is_listed = False
            self.services.list_changes += 1
        if isinstance(body, log.Seated | log.AwayChanged):
            self.attendance.hear(body.color, entry.time)
        if isinstance(body, log.Seated):
            self._audience.dismiss(lambda guest: guest.color == body.color and guest.id != body.guest_id)
        elif isinstance(body, log.Waited) and body.on:
            self.attendance.begin_waiting()
        elif isinstance(body, log.Began) or (isinstance(body, log.Paused) and not body.on):
            self.attendance.look(entry.time)
            for color in table.seats:
                self.attendance.hear(color, entry.time)
        if table.status == "over":
            self.services.census.remove(table.id)
            self.over_since = max(entry.time, self.attendance.up_since)
        return entered

    # --- feeds ---------------------------------------------------------------------------------------------------

    def feed(self, guest: Guest, since: int | None = None) -> Feed:
        """What a guest is told: Hello, what it missed since message `since` (None: nothing, 0: all), what happens.

        Somebody who was away and looks again is back. Raises Declined.
        """
        self.check_seat(guest)
        why = why_not_look(self.table, guest)
        if why is not None:
            raise Declined.because(why)
        self._check_loss(guest, since)
        feed, color = self._audience.open(self.table, guest, since), guest.color
        if color is not None:
            self._inbox.append(lambda: self._come_back(color))
            self.wake()
        return feed

    def _check_loss(self, guest: Guest, since: int | None) -> None:
        """Somebody has seen messages that are not there: the storage has lost what it said it had. Said once.

        Whoever made up the number harms nobody by it. The guest finds the greeting's number lower than its own.
        """
        number = len(self.table.by_eyes[guest.color].stream)
        if since is None or since <= number or self._is_loss_noted:
            return
        self._is_loss_noted = True
        self.services.figures["lost"] += 1
        logger.warning(  # no error: a guest can make it up
            "table %s: a guest has seen message %d and the log leads to %d: storage has lost what came between, "
            "as when its write-ahead log is damaged or an old copy was put in place",
            *(self.table.id, since, number),
        )

    def _on_feed_end(self, feed: Feed) -> None:
        self.wake()
        if feed.reason == "slow":
            self.services.figures["slow"] += 1

    # --- what time brings ----------------------------------------------------------------------------------------

    def _seconds_until_due(self) -> float | None:
        """Seconds until something is due; None: nothing is."""
        if self._sync is LogSync.BROKEN:
            return None
        pause = self._retry_at - asyncio.get_running_loop().time()
        if pause > 0:
            return pause
        if self._sync is not LogSync.IN_STEP or self._is_to_be_listed:
            return 0
        due = self._scheduler.next_due(self.table)
        return None if due is None else max(0.0, due.when - self.services.now())

    @property
    def _is_to_be_listed(self) -> bool:
        """Whether the game is over and the list of tables does not know it: that could not be stored."""
        return self.table.status == "over" and not self.is_listed

    async def _perform_due(self) -> None:
        """Do the first thing that is due, if one is."""
        if self._sync is LogSync.BROKEN or self._retry_at > asyncio.get_running_loop().time():
            return
        await self._catch_up()
        if self._is_to_be_listed:
            await self._list()
        due = self._scheduler.next_due(self.table)
        if due is None or due.when > self.services.now():
            return
        try:
            decision = self._scheduler.perform(self.table, due)
        except Declined:
            return
        if decision is None:
            return
        await self.write(decision)
        if due.task == "move":
            played = (body for body in decision.bodies if isinstance(body, log.Played))
            self.services.figures.update(body.chooser for body in played if body.chooser != "person")


def _replay(before: Table, rows: Iterable[EntryRow]) -> tuple[Table, array[int]]:
    """A table from its log, and the latest number of each pair of eyes after each entry; it may run in a thread."""
    table, numbers = Table(before.id, make_dealer=before.make_dealer, dice_key=before.dice_key), array("I")
    for row in rows:
        table.enter(log.read_row(row))
        numbers.extend(len(eyes_state.stream) for eyes_state in table.by_eyes.values())
    return table, numbers


def check_id(command_id: str) -> None:
    """Raises Declined for the id of a command or a question that is empty or too long."""
    if not 0 < len(command_id) <= messages.LONGEST_ID:
        raise Declined.because("bad_id", most=messages.LONGEST_ID)


async def remember_guest(services: Services, guest_id: str, name: str) -> None:
    """The name of a guest, for the next time; if that cannot be stored, nothing is lost."""
    if guest_id in services.forgotten:
        return
    with contextlib.suppress(StorageError):
        await services.storage.add_guest(GuestRow(guest_id, services.now(), clean_name(name)))
