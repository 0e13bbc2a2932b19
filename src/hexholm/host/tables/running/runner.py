"""Runs a table: one thing after another, what guests send and what time brings.

Every change takes the same way: the table decides, the decision is stored, and after the commit it is entered, those
who look are told and the sender is answered. If storing fails nobody is told, nothing has changed, and the table goes
on when the storage does.

Here the parts are held together that do it: what waits, what is stored, what is answered, who looks, what time brings.
"""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import TypeVar

from hexholm.rules.colors import Color

from ...storage import AnswerRow, Seal, StorageError
from ...wire import messages
from ...wire.host_refusals import Declined
from .. import log
from ..audience.attendance import Attendance
from ..audience.audience import Audience
from ..audience.feeds import Feed, FeedEnd
from ..audience.who_may_look import why_not_look
from ..seats import Eyes, Guest
from ..services.services import Services
from ..table import EntryOutcome, Table
from ..table_decision import Decision
from .command_handler import CommandHandler, check_id
from .scheduler import Scheduler
from .seat_access import SeatAccess
from .table_store import TableStore
from .work_queue import CREATOR, HOST_ITSELF, STRANGERS, SenderGroup, WorkQueue, group_of_seat

logger = logging.getLogger("hexholm.host")
RunnerAnswer = TypeVar("RunnerAnswer")


class TableRunner:
    """One table with its queue, its feeds and its bots. `start` it, `stop` it."""

    def __init__(self, table: Table, services: Services, on_list_change: Callable[[Table], None]) -> None:
        self.services = services
        self.attendance = Attendance(services.now)
        self._queue = WorkQueue(self)
        self._audience = Audience(self.attendance, services.now, self._on_feed_end)
        self._scheduler = Scheduler(services, self.attendance, self._queue.wake, self._queue.hold_off)
        self.store = TableStore(
            table,
            services,
            follow=self._follow,
            on_list_change=lambda: on_list_change(self.table),
            end_feeds=self._end_feeds,
            on_reread=self._on_reread,
        )
        self.handler = CommandHandler(self.store, services, self.attendance)
        self.seat_access = SeatAccess(self.store, services, self.run_in_turn, self._audience.dismiss)
        self._is_loss_logged = False

    @property
    def table(self) -> Table:
        """The table as it is now; another one after its log was read again."""
        return self.store.table

    @property
    def over_since(self) -> float:
        """Since when the game is over and the table is here."""
        return max(self.table.time, self.attendance.up_since)

    def knows(self, guest_id: str) -> bool:
        """Whether a guest has set up this table, sits here, has a seat kept, or looks."""
        table = self.table
        return (
            table.creator_id == guest_id
            or any(seat.guest_id == guest_id for seat in table.seats.values())
            or any(feed.guest.id == guest_id for feed in self.attendance.feeds)
        )

    @property
    def can_be_released(self) -> bool:
        """Whether the game is over, the list of tables has all of it, and nobody looks."""
        return self.table.status == "over" and self.store.is_listed and not self.attendance.feeds

    def start(self) -> None:
        """Start the task that carries things out."""
        self._queue.start(f"table {self.table.id}")

    async def stop(self) -> None:
        """Carry out what waits, then end; feeds end too."""
        await self._queue.stop()
        await self._scheduler.stop()
        self._audience.stop()

    def wake(self) -> None:
        """Look again at what is to be done."""
        self._queue.wake()

    async def run_in_turn(
        self, job: Callable[[], Awaitable[RunnerAnswer]], group: SenderGroup = HOST_ITSELF
    ) -> RunnerAnswer:
        """Do something after what waits already, on a table that is in step with its log. Raises Declined."""

        async def job_in_step() -> RunnerAnswer:
            await self.store.catch_up()
            return await job()

        return await self._queue.run(job_in_step, group)

    async def write(
        self, decision: Decision, *, answers: Iterable[AnswerRow] = (), tokens: Iterable[Seal] = ()
    ) -> None:
        """Store a decision; after the commit enter it and tell everybody. Only in a turn of one's own."""
        await self.store.write(decision, answers=answers, tokens=tokens)

    # --- what guests send ----------------------------------------------------------------------------------------

    async def carry_out(self, guest: Guest, command: messages.TableCommand) -> messages.Done:
        """Carry out a command after those before it; a repeat of its id is answered as the first. Raises Declined."""
        self.handler.refuse_stranger(command, guest)
        if guest.color is not None:
            group = group_of_seat(guest.color)
        else:
            group = STRANGERS if self.handler.is_stranger(guest) else CREATOR
        return await self.run_in_turn(lambda: self.handler.carry_out(command, guest), group)

    async def why(self, guest: Guest, why: messages.Why) -> messages.WhyAnswer:
        """Whether a seat may play something, after what was sent before. Raises Declined."""
        if guest.color is None:
            check_id(why.id)
            raise Declined.because("watching")

        async def answer() -> messages.WhyAnswer:
            return self.handler.why(guest, why)

        return await self.run_in_turn(answer, group_of_seat(guest.color))

    def entry_of_message(self, eyes: Eyes, number: int) -> int | None:
        """The entry of the log that led to a numbered message of these eyes; None: there is no such message."""
        return self.store.replica.entry_of_message(eyes, number)

    # --- words that were removed ----------------------------------------------------------------------------------

    async def read_again(self) -> None:
        """Words were removed from the log: read it again, so that nothing here has them any more. Raises Declined."""

        async def job() -> None:
            self.handler.drop_refusals()
            await self.store.read_again()

        await self.run_in_turn(job)

    # --- feeds ---------------------------------------------------------------------------------------------------

    def feed(self, guest: Guest, since: int | None = None) -> Feed:
        """What a guest is told: Hello, what it missed since message `since` (None: nothing, 0: all), what happens.

        Somebody who was away and looks again is back. Raises Declined.
        """
        self.store.check_seat(guest)
        refusal = why_not_look(self.table, guest)
        if refusal is not None:
            raise Declined(refusal)
        self._check_loss(guest, since)
        feed, color = self._audience.open(self.table, guest, since), guest.color
        if color is not None:
            self._queue.put(lambda: self._bring_back(color))
        return feed

    async def _bring_back(self, color: Color) -> None:
        with contextlib.suppress(Declined):  # where the log cannot be read nobody comes back
            await self.store.catch_up()
            await self.handler.bring_back(color)

    def _check_loss(self, guest: Guest, since: int | None) -> None:
        """Somebody has seen messages that are not there: the storage has lost what it said it had. Said once.

        Whoever made up the number harms nobody by it. The guest finds the greeting's number lower than its own.
        """
        number = len(self.table.by_eyes[guest.color].stream)
        if since is None or since <= number or self._is_loss_logged:
            return
        self._is_loss_logged = True
        self.services.figures["lost"] += 1
        logger.warning(  # no error: a guest can make it up
            "table %s: a guest has seen message %d and the log leads to %d: storage has lost what came between, "
            "as when its write-ahead log is damaged or an old copy was put in place",
            *(self.table.id, since, number),
        )

    def _end_feeds(self, reason: FeedEnd) -> None:
        if reason == "reset":
            self._audience.reset()
            self.wake()
        else:
            self._audience.end(reason)

    def _on_feed_end(self, feed: Feed) -> None:
        self.wake()
        if feed.reason == "slow":
            self.services.figures["slow"] += 1

    # --- what was entered ----------------------------------------------------------------------------------------

    def _follow(self, entry: log.LogEntry, outcome: EntryOutcome) -> None:
        """An entry was stored and entered: note who is there, tell everybody, and whom it sends away."""
        body, table = entry.body, self.table
        self._scheduler.ask_bots(table)
        self.attendance.follow(entry, self.table.colors, discarding=self.table.is_discarding)
        if isinstance(body, log.Seated):
            self._audience.dismiss(lambda guest: guest.color == body.color and guest.id != body.guest_id)
        if table.status != "over":  # how it ended is told to those who watched until then
            self._audience.dismiss_outsiders(table)
        self._audience.tell(table, outcome.messages_by_eyes)
        if table.status == "over":
            self._audience.dismiss_outsiders(table)

    def _on_reread(self, news: Sequence[log.LogEntry]) -> None:
        """The table was read again from its log, with entries that nobody has followed."""
        self._scheduler.reset(self.table)
        for entry in news:
            self.attendance.follow(entry, self.table.colors, discarding=self.table.is_discarding)

    # --- what time brings (the agenda of the queue) --------------------------------------------------------------

    def seconds_until_due(self) -> float | None:
        """Until something is due; None: nothing is."""
        if self.store.is_broken:
            return None
        times = [] if self._audience.reset_at is None else [self._audience.reset_at]
        if not self.services.storage.is_failing:  # else the hall tries for all, and wakes them
            if not self.store.is_in_step or self.store.is_to_be_listed:
                return 0
            if (due := self._scheduler.next_due(self.store.replica)) is not None:
                times.append(due.when)
        return max(0.0, min(times) - self.services.now()) if times else None

    async def perform_due(self) -> None:
        """Do the first thing that is due, if one is."""
        if self.store.is_broken:
            return
        if (reset_at := self._audience.reset_at) is not None and reset_at <= self.services.now():
            self._audience.reset()
        if self.services.storage.is_failing:
            return
        with contextlib.suppress(Declined):
            await self.store.catch_up()
            if self.store.is_to_be_listed:
                await self.store.update_listing()
            due = self._scheduler.next_due(self.store.replica)
            if due is None or due.when > self.services.now():
                return
            decision = self._scheduler.perform(self.store.replica, due)
            if decision is None:
                return
            await self.write(decision)
            if due.task == "move":
                played = (body for body in decision.bodies if isinstance(body, log.Played))
                self.services.figures.update(body.chooser for body in played if body.chooser != "person")

    def on_failure(self, error: Exception) -> None:
        """Whatever goes wrong, the table goes on from its log."""
        if isinstance(error, StorageError):
            self.store.fall_behind()
            self.services.figures["failures"] += 1
            logger.error("table %s: %s", self.table.id, error)
        else:
            self.services.figures["errors"] += 1
            logger.error("table %s: an error of the program", self.table.id, exc_info=error)
