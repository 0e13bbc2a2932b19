"""What time brings at a table: clocks that run out, people who have been gone for long, bots that have decided.

`next_due` is what is to be done first without anybody asking for it; `perform` does it: it has a bot think, or says
what is to be stored. Neither changes the table: its runner stores and enters what was decided, as everything. After
each entry `ask_bots` draws how long a bot that is newly asked lets others wait.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import random
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Final, Literal, NamedTuple, assert_never

from msgspec import structs

from hexholm.bots.protocol import MOST_BOT_TURNS, is_capped
from hexholm.game.game import SeatView
from hexholm.rules.colors import Color
from hexholm.rules.errors import BadInput
from hexholm.rules.names import FORCED_PHASES
from hexholm.rules.notation import action_text, read_action

from ...bot_pool.bot_pool import SUBSTITUTE_BOT, BotChoice, BotQuestion, default_action, thinking_seconds
from ...bot_pool.fair_turns import BotOwner
from ...table_literals import BotPace
from ...wire import messages
from ...wire.host_refusals import Declined
from .. import companion, log
from ..audience.attendance import Attendance
from ..seat_commands import decide_absence, decide_long_absence
from ..seats import Guest
from ..services.durations import DAY
from ..services.services import Services
from ..table import Table
from ..table_decision import Decision
from .table_replica import TableReplica

DELAY_BY_PACE: Final[dict[BotPace, float]] = {"fast": 0.25, "normal": 1.0, "slow": 2.5}
"""What the delay of a bot is multiplied by."""

DueTask = Literal[
    "think", "move", "wait", "go_on", "away", "back", "long_gone", "free", "abandoned", "deal", "capped", "begin"
]
"""What time brings: a bot thinks; a bot or the clock moves; the game waits, as nobody is there, or goes on, as somebody
is; a bot stands in for somebody who is away; who has discarded while away is back; somebody has been away for days;
reserved seats are free again; a game that everybody left is ended; the host deals for a bot; a game among bots is
stopped at its cap, any game when its log is full; a game begins, as the words for its dice are open.
"""

logger = logging.getLogger("hexholm.host")


class BotAnswer(NamedTuple):
    """What a bot would do, and the question it answers."""

    question_number: int
    chooser: log.Chooser
    choice: BotChoice


class AnswerTime(NamedTuple):
    """When a bot answers a question."""

    question_number: int
    when: float


class Due(NamedTuple):
    """Something to be done at a time."""

    when: float
    task: DueTask
    color: Color = ""


class Scheduler:
    """The clocks and bots of one table.

    `wake` has what is due looked at again; `hold_off` has the table do nothing by itself for a moment.
    """

    def __init__(
        self, services: Services, attendance: Attendance, wake: Callable[[], None], hold_off: Callable[[], None]
    ) -> None:
        self.services, self.attendance = services, attendance
        self._wake, self._hold_off = wake, hold_off
        self._answer_times: dict[Color, AnswerTime] = {}
        self._answers: dict[Color, BotAnswer] = {}
        self._thinking: asyncio.Task[None] | None = None

    async def stop(self) -> None:
        """Cancel what a bot is thinking about."""
        if self._thinking is not None:
            self._thinking.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._thinking

    def reset(self, table: Table) -> None:
        """The table was read again from its log: what bots have thought up may answer other questions."""
        self._answers = {}
        self.ask_bots(table)

    def ask_bots(self, table: Table) -> None:
        """After an entry: when each bot that is newly asked will answer."""
        for color in table.asked_colors():
            if (bot_name := table.seats[color].bot_name) is not None:
                self._draw_answer_time(table, color, bot_name)

    def perform(self, replica: TableReplica, due: Due) -> Decision | None:
        """Do what is due: start a bot's thinking, or use up its answer; what is to be stored, None: nothing.

        Raises Declined.
        """
        table = replica.table
        match due.task:
            case "think":
                self._start_thinking(replica, due.color)
                return None
            case "move":
                return self._use_answer(table, due.color)
            case "wait" | "go_on":
                return table.decide_waiting(on=due.task == "wait")
            case "away":
                return decide_absence(table, due.color)
            case "back":
                guest = Guest(table.seats[due.color].guest_id, due.color)
                return table.decide(messages.Back(id=""), guest, looking=self.attendance.looking)
            case "long_gone":
                return decide_long_absence(table, due.color)
            case "free":
                return table.decide_freeing()
            case "abandoned":
                note = f"nobody came for {self.services.durations.end_after / DAY:.3g} days"
                return table.decide_stop("abandoned", note)
            case "deal":
                return companion.deal_for_bot(table)
            case "begin":
                return table.decide_first_draw()
            case "capped":
                return table.decide_stop(
                    "capped", "its log is full" if replica.size.is_full else f"{MOST_BOT_TURNS} turns"
                )
            case _:
                assert_never(due.task)

    def next_due(self, replica: TableReplica) -> Due | None:
        """What is to be done first without being told."""
        return min(self._agenda(replica), default=None)

    def _agenda(self, replica: TableReplica) -> Iterator[Due]:
        """All that is to be done without being told, and when."""
        table = replica.table
        game = table.game
        if table.status == "open" and table.reservations:
            yield Due(table.reserved_until, "free")
        if table.status == "open" and table.fair_dice.open_until is not None:
            yield Due(0 if table.fair_dice.are_dice_words_open else table.fair_dice.open_until, "begin")
        if game is None or table.status != "playing":
            return
        if not self.attendance.feeds:
            yield Due(self.attendance.abandoned_at(self.services.durations.end_after), "abandoned")
        for seat in table.seats.values():
            if seat.plays and seat.away and not seat.long_gone:
                yield Due(seat.away_since + self.services.durations.long_gone_after, "long_gone", seat.color)
        if table.paused:
            return
        for color in self.attendance.to_bring_back:
            if table.seats[color].away and not table.seats[color].resigned:
                yield Due(0, "back", color)
        if table.waits_for_people and (due := self._due_by_presence(table)) is not None:
            yield due
            if table.waiting or due.task == "go_on":
                return
        elif table.waiting:
            return
        yield from self._due_by_absence(table)
        if table.opening.is_board_real and companion.waits_for_bot(table):
            yield Due(0, "deal")
        is_bots_game = all(seat.bot_name for seat in table.seats.values())
        if replica.size.is_full or (is_bots_game and is_capped(game.turn, MOST_BOT_TURNS)):
            yield Due(0, "capped")
        for color in table.asked_colors():
            is_bot = table.seats[color].bot_name is not None
            when = self._answer_times[color].when if is_bot else table.deadline(color)
            if when is None or not (is_bot or self._is_clock_running(table, color)):
                continue
            chooser = _chooser_of(table, color)
            forced = game.phase in FORCED_PHASES  # a plain default would hurt: when time is up, a bot chooses
            if self._answer(table, color, chooser) is not None or (chooser == "clock" and not forced):
                yield Due(when, "move", color)
            elif self._thinking is None:
                yield Due(when if chooser == "clock" else self._patience_ends(replica, color), "think", color)

    def _due_by_presence(self, table: Table) -> Due | None:
        """When the game begins to wait for its people, or goes on with them; one of bots alone waits for lookers-on."""
        colors = {seat.color for seat in table.seats.values() if seat.plays}
        if not table.waiting:
            gone_since = self.attendance.gone_since(colors)
            return None if gone_since is None else Due(gone_since + self.services.durations.wait_after, "wait")
        return Due(0, "go_on") if self.attendance.is_anybody_back(colors) else None

    def _due_by_absence(self, table: Table) -> Iterator[Due]:
        """When a bot stands in for those who are gone and keep others waiting, who are there."""
        durations, looking = self.services.durations, self.attendance.looking
        people = [seat for seat in table.seats.values() if seat.plays]
        if table.opening.is_board_real and not looking:
            return  # they may sit at the board with nothing open
        anybody_there = any(seat.color in looking for seat in people)
        for seat in people:
            shown_asked_since = table.shown_asked_since.get(seat.color)
            if seat.away or seat.color in looking or shown_asked_since is None:
                continue
            if anybody_there or not table.waits_for_people:
                if table.opening.is_board_real:
                    after = durations.board_away_after
                else:
                    after = durations.wait_after if table.opening.absence == "wait" else table.opening.absence
                gone_since = max(self.attendance.last_seen(seat.color), min(shown_asked_since, self.services.now()))
                yield Due(gone_since + after, "away", seat.color)

    def _is_clock_running(self, table: Table, color: Color) -> bool:
        """Whether time can be up for a person now: not while nobody is there, nor for one who is waited for."""
        looking = self.attendance.looking
        if table.waits_for_people and not any(seat.plays and seat.color in looking for seat in table.seats.values()):
            return False
        return color in looking or not table.opening.waits_for_absent

    def _draw_answer_time(self, table: Table, color: Color, bot_name: str) -> None:
        """When a bot answers: after a while that is drawn when it is asked, and says nothing of what it thinks."""
        question_number, answer_time = table.by_eyes[color].question_number, self._answer_times.get(color)
        if answer_time is None or answer_time.question_number != question_number:
            when = self.services.now() + thinking_seconds(bot_name) + self._draw_delay(table)
            self._answer_times[color] = AnswerTime(question_number, when)

    def _draw_delay(self, table: Table) -> float:
        """How long a bot lets others wait: drawn anew each time, by the pace of the table."""
        return DELAY_BY_PACE[table.pace] * random.uniform(*self.services.durations.bot_delay)

    def _postpone_late_answer(self, table: Table, color: Color, question_number: int) -> None:
        """A bot that thought longer waits for another while: when it was ready would tell what it thought of."""
        answer_time = self._answer_times.get(color)
        if (
            answer_time is not None
            and answer_time.question_number == question_number
            and answer_time.when < self.services.now()
        ):
            self._answer_times[color] = AnswerTime(question_number, self.services.now() + self._draw_delay(table))

    def _patience_ends(self, replica: TableReplica, color: Color) -> float:
        """Until when a bot waits for answers to its own offers; 0: for none."""
        game = replica.table.begun_game
        if color not in replica.offered_at or game.active != color:
            return 0
        asked_colors = set(replica.table.asked_colors())
        if any(offer.by == color and asked_colors & set(offer.to) for offer in game.glance(None).offers):
            return replica.offered_at[color] + self.services.durations.bot_patience
        return 0

    def _answer(self, table: Table, color: Color, chooser: log.Chooser) -> BotAnswer | None:
        """What was thought up for a seat, if that is what it is asked now."""
        answer = self._answers.get(color)
        asked_now = chooser, table.by_eyes[color].question_number
        return None if answer is None or (answer.chooser, answer.question_number) != asked_now else answer

    def _start_thinking(self, replica: TableReplica, color: Color) -> None:
        """Have a bot think about what a seat is asked, elsewhere."""
        table = replica.table
        game = table.begun_game
        view, bot_name = game.view(color), table.seats[color].bot_name
        chooser, question_number = _chooser_of(table, color), table.by_eyes[color].question_number
        question = BotQuestion(
            bot_name or SUBSTITUTE_BOT,
            f"{table.bot_seed} {color}",
            view,
            tuple(replica.offers.past_offers(color, game.turn)),
            BotOwner(self.services.census.network(table.id), table.creator_id),
        )

        async def think() -> None:
            try:
                choice = await self.services.bots.answer(question)
                self._answers[color] = BotAnswer(question_number, chooser, choice)
                self._postpone_late_answer(table, color, question_number)
            except Exception:
                logger.exception("table %s: no answer of the bot %s", table.id, question.bot_name)
                self.services.figures["errors"] += 1
                self._hold_off()  # whatever it is, it must not become a busy loop
                self._answers[color] = BotAnswer(question_number, chooser, BotChoice(default_action(view), weak=True))
            finally:
                self._thinking = None
                self._wake()

        self._thinking = asyncio.create_task(think(), name=f"bot {table.id} {color}")

    def _use_answer(self, table: Table, color: Color) -> Decision | None:
        """What a bot has chosen, or the clock decides; if that cannot be, something that can."""
        chooser = _chooser_of(table, color)
        answer, view = self._answer(table, color, chooser), table.view(color)
        self._answers.pop(color, None)
        assert view is not None
        choice = None if answer is None else answer.choice
        preferred = [] if choice is None else [choice.action, *_fallback_actions(view, choice.action)]
        for action in (*preferred, default_action(view), *view.legal_actions.texts):
            with contextlib.suppress(Declined):
                act, looking = messages.Act(id="", action=action), self.attendance.looking
                decision = table.decide(act, Guest("", color), looking=looking, chooser=chooser)
                is_stand_in = table.seats[color].sitter == "person"
                weak = not is_stand_in and (choice is None or choice.weak or action not in preferred)
                return _as_weak(decision) if weak else decision
        self.services.figures["stuck"] += 1
        self._hold_off()
        logger.error("table %s: nothing can be played for %s", table.id, color)
        return None


def _as_weak(decision: Decision) -> Decision:
    """A decision of a bot, with the note that it was below its strength."""
    bodies = (structs.replace(body, weak=True) if isinstance(body, log.Played) else body for body in decision.bodies)
    return replace(decision, bodies=tuple(bodies))


def _chooser_of(table: Table, color: Color) -> log.Chooser:
    """Who chooses where nobody has: the bot that sits there, or time is up."""
    return "bot" if table.seats[color].bot_name else "clock"


def _fallback_actions(view: SeatView, action: str) -> list[str]:
    """What to say when a trade cannot be after all, as text."""
    try:
        fallback = view.fallback(read_action(action, view.colors, view.facts.observer))
    except BadInput:  # a bot may have said anything
        return []
    return [] if fallback is None else [action_text(fallback, view.colors)]
