"""Where a table takes commands: who may send one, how often, and that a repeat is answered as the first.

What is answered is remembered by the sender and the id of the command: for a while in memory, and what was accepted for
good, since it is stored together with what it led to.
"""

from __future__ import annotations

import logging
from dataclasses import replace
from typing import Final, NamedTuple

import msgspec

from hexholm.rules.colors import Color

from ...storage import AnswerRow, Conflict, StorageError, StorageFailed
from ...wire import messages
from ...wire.host_refusals import Declined, Refusal
from ..agreement import asked_to_kick
from ..audience.attendance import Attendance
from ..own_action import OwnAction, read_own_action
from ..seats import Guest
from ..services.services import Services
from .command_limits import CommandLimits
from .table_store import TableStore

ANSWERS_REMEMBERED: Final = 512
"""Answers kept in memory for repeats; storage has all that were accepted."""

logger = logging.getLogger("hexholm.host")


class CommandKey(NamedTuple):
    """What a command is known by: who sends it, from which seat, and its own id."""

    sender: str
    id: str


class CommandHandler:
    """The commands of one table. Whoever calls it has brought the table in step with its log."""

    def __init__(self, store: TableStore, services: Services, attendance: Attendance) -> None:
        self._store, self.services, self._attendance = store, services, attendance
        self._answers: dict[CommandKey, messages.Done | Refusal] = {}
        self._limits = CommandLimits()

    def is_stranger(self, guest: Guest) -> bool:
        """Whether somebody has no seat here and has not set up the table."""
        return guest.color is None and guest.id != self._store.table.creator_id

    def refuse_stranger(self, command: messages.TableCommand, guest: Guest) -> None:
        """Raises Declined at once for what one without a seat may not do: it takes no turn and reads no storage.

        There may be any number of those who watch, and what they send in vain must not hold up those who play. What
        they may do is to speak, where the table lets them.
        """
        table = self._store.table
        if not self.is_stranger(guest) or (isinstance(command, messages.Say) and table.opening.spectators_speak):
            return
        check_id(command.id)
        self.services.check_known(guest.id)
        try:
            table.decide(command, guest, looking=self._attendance.looking)
        except Declined:
            self.services.figures["refusals"] += 1
            raise

    async def carry_out(self, command: messages.TableCommand, guest: Guest) -> messages.Done:
        """Carry out a command; a repeat of its id is answered as the first. Raises Declined."""
        key = CommandKey(f"{guest.id} {guest.color or ''}", command.id)
        check_id(command.id)
        earlier_answer = self._answers.get(key)
        if isinstance(earlier_answer, Refusal):
            raise Declined(earlier_answer)
        if earlier_answer is not None:
            return earlier_answer
        self._store.check_seat(guest)
        self.services.check_known(guest.id)
        own_action = None
        if isinstance(command, messages.Act) and guest.color is not None:
            own_action = read_own_action(command.action, guest.color, self._store.table.colors)
        try:
            self._check_rate(command, guest, own_action)
        except Declined:
            stored_answer = None if self.is_stranger(guest) else await self._stored_answer(command, guest, key)
            if stored_answer is None:
                raise
            return stored_answer  # a repeat from before a restart is no new remark
        if guest.color is not None:
            # That somebody is back now would tell that they have chosen a discard (INFO-08).
            in_secret = isinstance(command, messages.Act) and self._store.table.is_discarding
            self._attendance.hear_command(guest.color, in_secret=in_secret)
            if isinstance(command, messages.Act) and not in_secret:
                await self.bring_back(guest.color)
        guest = await self._with_name(command, guest)
        try:
            answer = await self._carry_out_anew(command, guest, key, own_action)
        except Declined as error:
            # Of strangers there may be many, and none of them waits for what it said to be repeated.
            stored_answer = None if self.is_stranger(guest) else await self._stored_answer(command, guest, key)
            self._remember_answer(key, stored_answer or error.refusal)
            if stored_answer is None:
                self.services.figures["refusals"] += 1
                raise
            answer = stored_answer  # a repeat from before a restart, which is too late now
        else:
            self._remember_answer(key, answer)
        self.services.figures["commands"] += 1
        return answer

    def why(self, guest: Guest, why: messages.Why) -> messages.WhyAnswer:
        """Whether a seat may play something. Nothing changes, not even who was heard of. Raises Declined."""
        check_id(why.id)
        self._store.check_seat(guest)
        refusal = self._store.table.why_not(why.action, guest)
        return messages.WhyAnswer(id=why.id, legal=True) if refusal is None else refusal.as_why_answer(why.id)

    async def bring_back(self, color: Color) -> None:
        """Somebody is here: who was away is away no more."""
        table = self._store.table
        seat = table.seats[color]
        if seat.away and not seat.resigned:
            guest, looking = Guest(seat.guest_id, color), self._attendance.looking
            await self._store.write(table.decide(messages.Back(id=""), guest, looking=looking))

    def drop_refusals(self) -> None:
        """Words were removed from the log: refusals may have them, too."""
        self._answers = {key: answer for key, answer in self._answers.items() if isinstance(answer, messages.Done)}

    # --- answers -------------------------------------------------------------------------------------------------

    def _remember_answer(self, key: CommandKey, answer: messages.Done | Refusal) -> None:
        """For a repeat of the command."""
        self._answers[key] = answer
        while len(self._answers) > ANSWERS_REMEMBERED:
            del self._answers[next(iter(self._answers))]

    async def _carry_out_anew(
        self, command: messages.TableCommand, guest: Guest, key: CommandKey, own_action: OwnAction | None
    ) -> messages.Done:
        """Carry out a command that was not carried out before."""
        table = self._store.table
        if isinstance(command, messages.Kick):
            self._check_networks(command)
        decision = table.decide(command, guest, looking=self._attendance.looking, own_action=own_action)
        self._limits.count_decided(
            decision.bodies,
            guest.color or guest.id,
            self.services.now(),
            colors=table.colors,
            log_size=self._store.log_size,
        )
        last_seq = table.seq + len(decision.bodies)
        row = AnswerRow(*key, msgspec.json.encode({"done": last_seq}).decode())
        try:
            await self._store.write(decision, answers=(row,))
        except Conflict as error:
            if error.subject != "answer":
                raise
            stored_answer = await self._stored_answer(command, guest, key)
            assert stored_answer is not None
            return stored_answer
        return self._done_message(command, guest, last_seq)

    def _check_networks(self, command: messages.Kick) -> None:
        """Raises Declined where one network alone would take the seat of somebody in another one who is there.

        A second cookie makes two of one person: their agreement would be none.
        """
        table, census = self._store.table, self.services.census
        seat = table.seats.get(command.color)
        if not command.on or table.status != "playing" or seat is None or seat.long_gone:
            return
        kickers = asked_to_kick(seat, table.seats.values())
        networks = {census.network_of_seat(table.id, color) for color in kickers}
        own_network = census.network_of_seat(table.id, seat.color)
        if len(kickers) > 1 and len(networks) == 1 and not {None, own_network} & networks and own_network is not None:
            raise Declined.because("too_few_to_kick", name=seat.name)

    async def _stored_answer(
        self, command: messages.TableCommand, guest: Guest, key: CommandKey
    ) -> messages.Done | None:
        try:
            text = await self.services.storage.answer(self._store.table.id, *key)
        except StorageFailed as error:
            raise self._unread(error) from error
        return None if text is None else self._done_message(command, guest, msgspec.json.decode(text)["done"])

    async def _with_name(self, command: messages.TableCommand, guest: Guest) -> Guest:
        """One who watches and says something is called what it is called elsewhere."""
        if guest.color is not None or not isinstance(command, messages.Say):
            return guest
        if not self._store.table.opening.spectators_speak:
            return guest
        try:
            known_guest = await self.services.storage.guest(guest.id)
        except StorageFailed as error:
            raise self._unread(error) from error
        return replace(guest, name="" if known_guest is None else known_guest.name)

    def _unread(self, error: StorageError) -> Declined:
        """What one guest asks for cannot be read: that one is told so, and the table goes on as it is."""
        self.services.figures["failures"] += 1
        logger.error("table %s: %s", self._store.table.id, error)
        return Declined.because("not_stored")

    def _done_message(self, command: messages.TableCommand, guest: Guest, seq: int) -> messages.Done:
        return messages.Done(id=command.id, number=self._store.replica.number_after(seq, guest.color))

    def _check_rate(self, command: messages.TableCommand, guest: Guest, own_action: OwnAction | None) -> None:
        now, table, log_size = self.services.now(), self._store.table, self._store.log_size
        if guest.color is None and isinstance(command, messages.Say) and table.opening.spectators_speak:
            self._limits.count_spectator(command, guest.id, now, colors=table.colors, log_size=log_size)
        elif guest.color is not None or guest.id == table.creator_id:
            sender = guest.color or guest.id
            turn = 0 if table.game is None else table.game.turn
            self._limits.count(
                command, sender, now, colors=table.colors, turn=turn, log_size=log_size, own_action=own_action
            )
        # else: who only watches changes nothing, and there may be any number of them to remember


def check_id(command_id: str) -> None:
    """Raises Declined for the id of a command or a question that is empty, too long, or nothing to be printed.

    It is stored, and not every database takes every character.
    """
    if not 0 < len(command_id) <= messages.LONGEST_ID or not command_id.isprintable():
        raise Declined.because("bad_id", most=messages.LONGEST_ID)
