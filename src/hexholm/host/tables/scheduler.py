"""What time brings at a live table: clocks that run out, people who have been gone for long, bots that have decided.

`agenda` lists all that is to be done without anybody asking for it, and when; `do` does one thing of it. Nothing here
changes the table but through :meth:`.runner.Live.write`, as everything does.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import random
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Final, NamedTuple

from hexholm.game.action import Action
from hexholm.game.views.seat_knowledge import Offer

from ..bot_pool.pool import Question, Remark, budget, default_action
from ..wire import messages as m
from . import log
from .special import companion
from .table import STAND_IN, Decision, Guest

if TYPE_CHECKING:
    from hexholm.game.game import Game

    from .runner import Live

MOST_TURNS: Final = 1000
"""A game among bots alone ends here."""
MOST_REMARKS: Final = 128
"""Offers of a seat that are kept for the bot that sits there, or will."""
PACE: Final[dict[m.Speed, float]] = {"fast": 0.25, "normal": 1.0, "slow": 2.5}
"""What the delay of a bot is multiplied by."""
PLACING: Final = frozenset({"settlement", "road", "discard", "robber", "victim", "free road"})
"""Phases in which a plain default would hurt: when time is up, a bot chooses."""

logger = logging.getLogger("hexholm.host")


class Thought(NamedTuple):
    """What a bot would do, and the question it answers."""

    request: int
    by: str
    action: str


class Due(NamedTuple):
    """Something to be done at a time."""

    when: float
    what: str
    seat: str = ""


class Clockwork:
    """The clocks and bots of one live table."""

    def __init__(self, live: Live) -> None:
        self.live = live
        self._said: dict[str, list[Remark]] = {}
        self._offered: dict[str, float] = {}
        self._dues: dict[str, tuple[int, float]] = {}
        self._thoughts: dict[str, Thought] = {}
        self._thinking: asyncio.Task[None] | None = None

    async def stop(self) -> None:
        """Think no more."""
        if self._thinking is not None:
            self._thinking.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._thinking

    def forget(self) -> None:
        """The table is read again from its log."""
        self._said, self._offered, self._thoughts = {}, {}, {}

    def remember(self, body: log.Played, time: float) -> None:
        """What a seat has offered, before it happens: a bot that sits there must not say it again and again.

        Of earlier turns only what came to nothing is kept, each offer once; should there be very many, the latest.
        """
        game, text = self.live.table.game, body.steps[0].partition(" ")[2]
        kind = text.partition(" ")[0]
        if game is None or kind not in ("offer", "counter", "accept", "confirm"):
            return
        answered = None if kind == "offer" else _offer(game, Action.of(text).offer)
        if kind in ("accept", "confirm"):
            if answered is not None and (kind == "confirm" or len(answered.to) == 1):
                self._carried_out(answered, game.active)
            return
        remark = Remark(game.turn, text, answered.by if answered is not None else "")
        before = [said for said in self._still(body.seat) if said.text != text or said.turn == game.turn]
        self._said[body.seat] = [*before, remark][-MOST_REMARKS:]
        self._offered[body.seat] = time

    def _carried_out(self, offer: Offer, active: str) -> None:
        """An offer leads to an exchange: it may be made again on another turn.

        But for one on the turn of another: players that are not made anew do not see what comes of these.
        """
        if offer.by != active:
            return
        for i, said in enumerate(self._said.get(offer.by, ())):
            action = Action.of(said.text)
            if (action.give, action.take) == (offer.give, offer.take):
                self._said[offer.by][i] = replace(said, done=True)

    def _still(self, color: str) -> list[Remark]:
        """What a bot of this seat is to remember: all that was said on this turn, and before what came to nothing."""
        now = self.live.table.game.turn if self.live.table.game else 0
        said = self._said.get(color, ())
        return [one for one in said if one.turn == now or (one.turn < now and not one.done)]

    async def do(self, due: Due) -> None:
        """Do what is due."""
        match due.what:
            case "think":
                self._think(due.seat)
            case "move":
                await self._move(due.seat)
            case "away":
                await self.live.by_itself(m.Away(id=""), Guest(self.live.table.seats[due.seat].guest, due.seat))
            case "free":
                await self.live.write(Decision((log.Freed(),), (None,)))
            case "left":
                note = f"nobody came for {self.live.setting.end_after / 86_400:.3g} days"
                await self.live.write(Decision((log.Ended(how="abandoned", note=note),), (None,)))
            case "deal":
                await self.live.write(companion.for_bot(self.live.table))
            case "capped":
                await self.live.write(Decision((log.Ended(how="capped", note=f"{MOST_TURNS} turns"),), (None,)))

    def agenda(self) -> Iterator[Due]:
        """All that is to be done without being told, and when."""
        table, game = self.live.table, self.live.table.game
        if table.status == "open" and table.reserved:
            yield Due(table.reserved_until, "free")
        if game is None or table.status != "playing":
            return
        if not self.live.feeds:
            yield Due(self.live.left_for(self.live.setting.end_after), "left")
        if table.paused:
            return
        looking = {feed.guest.seat for feed in self.live.feeds}
        people = [seat for seat in table.seats.values() if seat.kind == "person"]
        # One among bots keeps nobody waiting, the game waits; and those with the real board sit at it.
        for seat in people if len(people) > 1 and table.chance == "host" else ():
            if seat.bot is None and seat.color not in looking:
                last = self.live.seen.get(seat.color, self.live.since)
                yield Due(max(last, self.live.since) + self.live.setting.away_after, "away", seat.color)
        if table.chance != "host" and companion.is_for_bot(table):
            yield Due(0, "deal")
        if game.turn >= MOST_TURNS and all(seat.bot for seat in table.seats.values()):
            yield Due(0, "capped")
        for color in table.to_decide():
            when = self._bot_due(color) if table.seats[color].bot else table.deadline(color)
            if when is None:
                continue
            by = "bot" if table.seats[color].bot else "clock"
            if self._thought(color, by) is not None or (by == "clock" and game.phase not in PLACING):
                yield Due(when, "move", color)
            elif self._thinking is None:
                yield Due(when if by == "clock" else self._waits(color), "think", color)

    def _bot_due(self, color: str) -> float:
        """When a bot answers: after a while that is drawn when it is asked, and says nothing of what it thinks."""
        request = self.live.table.requests.get(color, 0)
        asked, when = self._dues.get(color, (None, 0.0))
        if asked != request:
            bot = self.live.table.seats[color].bot or STAND_IN
            when = self.live.setting.now() + budget(bot) + self._delay()
            self._dues[color] = (request, when)
        return when

    def _delay(self) -> float:
        """How long a bot lets others wait: drawn anew each time, by the pace of the table."""
        return PACE[self.live.table.pace] * random.uniform(*self.live.setting.bot_delay)

    def _late(self, color: str, request: int) -> None:
        """A bot that thought longer than that waits for another while: when it was ready tells of what it thought."""
        asked, when = self._dues.get(color, (None, 0.0))
        if asked == request and when < self.live.setting.now():
            self._dues[color] = (request, self.live.setting.now() + self._delay())

    def _waits(self, color: str) -> float:
        """Until when a bot waits for answers to its own offers; 0: for none."""
        game = self.live.table.game
        if game is None or color not in self._offered or game.active != color:
            return 0
        asked = set(self.live.table.to_decide())
        if any(offer.by == color and asked & set(offer.to) for offer in game.glance(None).offers):
            return self._offered[color] + self.live.setting.bot_patience
        return 0

    def _thought(self, color: str, by: str) -> Thought | None:
        """What was thought up for a seat, if that is what it is asked now."""
        thought = self._thoughts.get(color)
        if thought is None or thought.by != by or thought.request != self.live.table.requests.get(color, 0):
            return None
        return thought

    def _think(self, color: str) -> None:
        """Have a bot think about what a seat is asked, elsewhere."""
        game = self.live.table.game
        assert game is not None
        view, player = game.view(color), self.live.table.seats[color].bot
        by, request = ("bot" if player else "clock"), self.live.table.requests.get(color, 0)
        question = Question(player or STAND_IN, f"{self.live.table.taste} {color}", view, tuple(self._still(color)))

        async def thinking() -> None:
            try:
                action = await self.live.setting.thinker.think(question)
                self._thoughts[color] = Thought(request, by, action)
                self._late(color, request)
            except Exception:
                logger.exception("table %s: no answer of the bot %s", self.live.table.id, question.player)
                self.live.setting.figures["errors"] += 1
                self.live.hold_off()  # whatever it is, it must not become a busy loop
                self._thoughts[color] = Thought(request, by, default_action(view))
            finally:
                self._thinking = None
                self.live.wake()

        self._thinking = asyncio.create_task(thinking(), name=f"bot {self.live.table.id} {color}")

    async def _move(self, color: str) -> None:
        """Play what a bot has chosen, or what the clock decides; if that cannot be, something that can."""
        by = "bot" if self.live.table.seats[color].bot else "clock"
        thought, view = self._thought(color, by), self.live.table.view(color)
        self._thoughts.pop(color, None)
        assert view is not None
        first = [] if thought is None else [thought.action, *_instead(thought.action)]
        for action in (*first, default_action(view), *view.legal_actions.texts):
            decision = self.live.table.decide(m.Act(id="", action=action), Guest("", color), by=by)
            if decision.refusal is None:
                await self.live.write(decision)
                self.live.setting.figures[by] += 1
                return
        self.live.setting.figures["stuck"] += 1
        self.live.hold_off()
        logger.error("table %s: nothing can be played for %s", self.live.table.id, color)


def _offer(game: Game, number: int | None) -> Offer | None:
    """The open offer with a number."""
    return next((offer for offer in game.glance(None).offers if offer.number == number), None)


def _instead(action: str) -> list[str]:
    """What to say when a trade cannot be after all: the cards are gone, which the seat could not know (TRADE-10)."""
    kind, _, rest = action.partition(" ")
    number = rest.partition(" ")[0]
    return {"accept": [f"reject {number}"], "confirm": [f"withdraw {number}"]}.get(kind, [])
