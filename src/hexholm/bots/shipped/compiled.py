"""`medium`, `hard` and `expert`: compiled players that judge positions by a fitted network (docs/decisions/0008).

    >>> import hexholm
    >>> from hexholm.bots import Medium
    >>> game = hexholm.Game(edition="fifth", setup="fixed", seed=7)
    >>> Medium(seed=3).choose(game.view("red")) in game.legal_actions
    True

`medium` looks one action ahead. `hard` and `expert` plan their turn: if it can be won for certain they do that, else
they take the best few actions of such a look and play on with them, in many worlds that fit what their seat has seen.
The thinking is done by :mod:`..kernels`, over the struct of the view; what is here is the memory of what was said, and
the budget.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from hexholm.game.action import Action
from hexholm.game.game import Game
from hexholm.rules.colors import Color
from hexholm.rules.compilation import mode
from hexholm.rules.compilation.kernels import fast
from hexholm.rules.encoding import action_codes as act
from hexholm.rules.encoding.phases import PLACE_ROAD
from hexholm.rules.encoding.structs import SEATS, Belief, OpenOffers, Scratch, State
from hexholm.rules.initial_state import full_deck

from ..explanation.thoughts import explain_choice, make_thoughts
from ..judgment import shipped_judgment
from ..kernels import choice, trade_search, turn_plan, world_search
from ..kernels.lookahead import COPIES
from ..kernels.mind import CHOICES, DARING, OWN_OFFERS, PLAIN, SHREWD, Mind
from ..kernels.whole_games import MEMORY_SIZE
from ..memory import Memory
from ..protocol import Effort, Thought
from ..shipped_bots import KERNELS, ExpertKernels

if TYPE_CHECKING:
    from hexholm.game.game import SeatView

HARD: Final = Effort(steps=40)
"""Worlds for a decision."""
EXPERT: Final = Effort(seconds=1.0)


class Medium:
    """Looks one action ahead and judges what comes of it."""

    judges_by = "medium"
    trader = PLAIN
    """How it trades."""
    compiled_with = "hard"
    """The shipped player whose kernels it calls, which are compiled together."""

    def __init__(
        self,
        seed: int | str = 0,  # noqa: ARG002  # it does not waver: the same view, the same choice
        *,
        trades: bool = True,
        compiled: bool | None = None,
    ) -> None:
        self._trades = trades
        self._compiled = compiled
        self._kernel_names = frozenset(KERNELS[self.compiled_with])
        self._net = shipped_judgment(self.judges_by).rows
        self._copies = np.zeros((COPIES, State.size), np.uint8)
        self._open_offers, self._scratch, self._mind = OpenOffers(), Scratch(), Mind()
        self._memory = Memory()
        self._view: SeatView | None = None
        self._last_code = 0
        self.held_back = False

    def choose(self, view: SeatView) -> int:
        """The code of what to do now."""
        self._view, self.held_back = view, False
        self._memory.observe(view)
        code = self._last_code = self._revise(view, self._decide(view))
        self._memory.remember_choice(view, code)
        return code

    def remind(self, turn: int, own_offers: Iterable[Action], countered: Iterable[Color] = ()) -> None:
        """What it offered on a turn, and whose offers it countered; else it forgets what it said from then on."""
        self._memory.remind(turn, own_offers, countered)

    def explain(self) -> list[Thought]:
        """What it thought about its last choice: that one first, then the best of the others."""
        if self._view is None:
            return []
        mind = self._mind
        probabilities = [(mind.code[i], mind.value[i]) for i in range(mind.n_choices)]
        if len(probabilities) > 1 and any(code == self._last_code for code, _ in probabilities):
            return make_thoughts(self._view, self._last_code, probabilities)
        compiled = self._usable_kernels() is not _interpreted
        return explain_choice(self._view, self._last_code, judges_by=self.judges_by, compiled=compiled)

    def _usable_kernels(self) -> ExpertKernels:
        """The kernels: compiled, or interpreted as long as another process compiles them."""
        compiled = mode.make_ready(self._kernel_names, self._compile) if self._compiled is None else self._compiled
        kernels: ExpertKernels = fast() if compiled else _interpreted
        return kernels

    def _compile(self) -> None:
        """Have all kernels compiled by using them."""
        view = Game(edition="fifth", setup="variable", seed=0, first=0, compiled=True).view(0)
        bot_class = Expert if self.compiled_with == "expert" else Hard
        explain_choice(view, bot_class(0, Effort(steps=1), compiled=True).choose(view), compiled=True)

    def _decide(self, view: SeatView) -> int:
        mind, memory = self._mind, self._memory
        mind.n_turn_offers = min(len(memory.turn_offers), OWN_OFFERS) if self._trades else -1
        mind.trader = self.trader
        mind.countered = sum(1 << view.colors.index(color) for color in memory.countered)
        for i, offer_terms in enumerate(memory.turn_offers[:OWN_OFFERS]):
            mind.turn_offers[i] = offer_terms
        mind.n_failed_offers = len(memory.failed_offers)
        for i, offer_terms in enumerate(memory.failed_offers):
            mind.failed_offers[i] = offer_terms
        return int(
            self._usable_kernels().bot_decide(
                view.raw.buffer,
                self._copies,
                self._open_offers.buffer,
                self._scratch.buffer,
                mind.buffer,
                self._net,
                full_deck(view.options.edition_data),
            )
        )

    def _revise(self, view: SeatView, code: int) -> int:
        """What it does in the end: before a dear trade with the supply, say, the table is asked."""
        open_offers, mind = self._open_offers.buffer, self._mind.buffer
        return int(
            self._usable_kernels().bot_revise(self._copies, open_offers, mind, self._net, view.raw.observer, code)
        )


class Hard(Medium):
    """Plays on with its best few actions in many worlds."""

    judges_by = "hard"
    trader = SHREWD
    most_tried = 6
    """So many actions are tried."""
    most_behind = 0.06
    """Only those that are at most so much less likely to win at first sight."""
    rounds = 2
    """So many of its own turns ahead, playing on ends."""
    opening_rounds = 2
    """The same while pieces are placed in the set-up."""

    def __init__(
        self, seed: int | str = 0, effort: Effort = HARD, *, trades: bool = True, compiled: bool | None = None
    ) -> None:
        super().__init__(seed, trades=trades, compiled=compiled)
        self._effort = effort
        self._world_mind = Mind()
        self._winning_code = 0
        self._key = blake2b(f"hard player {seed}".encode(), digest_size=16).digest()

    def _decide(self, view: SeatView) -> int:
        started_at = time.perf_counter()
        first_code = super()._decide(view)
        mind = self._mind
        self._winning_code = self._plan_win(view)
        if self._winning_code:
            return self._winning_code
        if mind.n_choices < 2 or act.OFFER <= act.kind_of(first_code) <= act.WITHDRAW:
            return first_code
        kernels = self._usable_kernels()
        is_waiting = kernels is _interpreted and self._compiled is None
        # By steps it plays as strongly interpreted, only slowly; within a time it gets less far.
        self.held_back = is_waiting and (mode.is_hurried() or self._effort.seconds is not None)
        if is_waiting and mode.is_hurried():
            return first_code  # people wait while the kernels are compiled: playing on would take too long
        ranked = sorted(((mind.value[i], i) for i in range(mind.n_choices)), reverse=True)
        best = ranked[0][0]
        rows = [i for value, i in ranked[: self.most_tried] if value >= best - self.most_behind]
        if len(rows) < 2:
            return first_code
        codes = np.array([mind.code[i] for i in rows], np.int64)
        sums = np.array([mind.value[i] for i in rows]) * PRIOR_WORLDS
        counts = np.full(len(rows), float(PRIOR_WORLDS))
        self._search(kernels, view, started_at, codes.copy(), sums, counts)
        means = sums / counts
        order = sorted(range(len(rows)), key=lambda i: (-counts[i], -means[i]))  # those left out early come last
        for place, i in enumerate(order):
            mind.code[place] = int(codes[i])
            mind.value[place] = min(float(means[i]), float(means[order[0]]))  # few worlds may flatter
        mind.n_choices = len(order)
        return int(codes[order[0]])

    def _plan_win(self, view: SeatView) -> int:
        """The first action of a plan that wins on this turn for certain; 0: there is none."""
        mind = self._mind
        code = int(self._usable_kernels().bot_plan(self._copies, self._scratch.buffer, mind.buffer, view.raw.observer))
        if not code or view.why_not(code) is not None:
            return 0
        other_choices = [(mind.code[i], mind.value[i]) for i in range(mind.n_choices) if mind.code[i] != code]
        mind.n_choices = min(len(other_choices), CHOICES - 1) + 1
        for i, (weighed_code, value) in enumerate([(code, 1.0), *other_choices][:CHOICES]):
            mind.code[i], mind.value[i] = weighed_code, value
        return code

    def _revise(self, view: SeatView, code: int) -> int:
        """Who can win does not ask the table before."""
        return code if self._winning_code else super()._revise(view, code)

    def _search(
        self, kernels: ExpertKernels, view: SeatView, started_at: float, codes: Any, sums: Any, counts: Any
    ) -> None:
        """Try the actions in one world after the other; the worse are left out.

        With a time to keep, it ends when another world might take too long.
        """
        digest = blake2b(view.raw.buffer[: State.size].tobytes(), digest_size=8, key=self._key).digest()
        key = int.from_bytes(digest, "little", signed=True)
        deck = full_deck(view.options.edition_data)
        rounds = self.opening_rounds if view.raw.phase <= PLACE_ROAD else self.rounds
        steps, seconds = self._effort.steps, self._effort.seconds
        total, world, longest_world, last_time = steps or WORLDS_AT_MOST, 0, 0.0, time.perf_counter()
        # longer roads, larger hands: each takes longer
        share = WEIGHED_PER_WORLD * min(1, USUAL_POINTS / view.raw.points_to_win)
        self._world_mind.total_weighed = 0
        while world < total and np.count_nonzero(codes) > 1:
            sums_before = sums.copy()
            self._try(
                kernels, view.raw.buffer, self._copies, self._scratch.buffer, self._mind.buffer,
                self._world_mind.buffer, self._net, deck, key, world, rounds, codes, sums,
            )  # fmt: skip
            counts[codes != 0] += 1
            world += 1
            if seconds is None:
                share_spent = max(world, self._world_mind.total_weighed / (share * rounds)) / total
            else:
                time_now = time.perf_counter()
                longest_world, last_time = max(longest_world, time_now - last_time), time_now
                share_spent = (time_now + longest_world - started_at) / seconds
            if share_spent >= 1:
                return
            self._leave_out(codes, share_spent, world, sums - sums_before, sums / counts)

    def _try(self, kernels: ExpertKernels, *arguments: Any) -> None:
        """Play on with all actions that are tried, in one world."""
        kernels.bot_try(*arguments)

    def _leave_out(self, codes: Any, share_spent: float, world: int, gains: Any, means: Any) -> None:  # noqa: ARG002
        """Try the worse half no more when a quarter of the effort is spent, and again at the half."""
        keep = max(2, len(codes) >> sum(share_spent >= part for part in (0.25, 0.5)))
        alive = np.flatnonzero(codes)
        if len(alive) > keep:
            for row in sorted(alive, key=lambda i: -means[i])[keep:]:
                codes[row] = 0


class Expert(Hard):
    """Thinks as long as it may, but not about what is clear; in the worlds where it plays on, all trade."""

    judges_by = "expert"
    trader = DARING
    most_tried = 10
    most_behind = 0.1
    opening_rounds = 8
    compiled_with = "expert"

    def __init__(
        self, seed: int | str = 0, effort: Effort = EXPERT, *, trades: bool = True, compiled: bool | None = None
    ) -> None:
        super().__init__(seed, effort, trades=trades, compiled=compiled)
        seat_copies, memory = np.zeros((COPIES, State.size), np.uint8), np.zeros((SEATS, MEMORY_SIZE), np.int64)
        open_offers, belief = OpenOffers(), Belief()
        self._trade_buffers: tuple[Any, ...] = (
            State().buffer,
            State().buffer,
            seat_copies,
            open_offers.buffer,
            belief.buffer,
            memory,
        )
        self._ahead = self._squares = np.zeros((0, 0))
        if not trades:  # where it does not trade, as in an engine without trade, playing on with trade would mislead
            self.opening_rounds = Hard.opening_rounds

    def _try(self, kernels: ExpertKernels, *arguments: Any) -> None:
        if self._trades:
            kernels.bot_try_with_trade(*arguments, *self._trade_buffers)
        else:
            super()._try(kernels, *arguments)

    def _leave_out(self, codes: Any, share_spent: float, world: int, gains: Any, means: Any) -> None:
        """Nor what is clearly worse than the best or as good as it, by the worlds in which both were tried."""
        if world == 1:
            self._ahead = self._squares = np.zeros((len(codes), len(codes)))
        gap = gains[:, None] - gains
        self._ahead = self._ahead + gap
        self._squares = self._squares + gap * gap
        if world % CHECK_EVERY == 0 and world > CHECK_EVERY:
            alive = np.flatnonzero(codes)
            best = max(alive, key=lambda i: means[i])
            ahead = self._ahead[best] / world
            doubt = np.sqrt(np.maximum(self._squares[best] / world - ahead * ahead, 0) / world)
            is_clear = (ahead > CLEAR_ERRORS * doubt) | (abs(ahead) + 2 * doubt < EVEN_GAP)
            for row in alive:
                if row != best and is_clear[row]:
                    codes[row] = 0
        super()._leave_out(codes, share_spent, world, gains, means)


PRIOR_WORLDS: Final = 2
"""The first look at an action counts as much as so many worlds."""
WORLDS_AT_MOST: Final = 100_000
USUAL_POINTS: Final = 10
"""Points to win, by the books; in longer games every action takes longer to weigh."""
WEIGHED_PER_WORLD: Final = 225
"""Actions weighed in a round of playouts that count as a world: where there is much to choose from, as in games to many
points, fewer worlds have to do."""
CHECK_EVERY: Final = 8
"""After so many worlds, and again and again, `expert` asks which actions it need not try any more:"""
CLEAR_ERRORS: Final = 3.0
"""those that are so many standard errors worse than the best,"""
EVEN_GAP: Final = 0.002
"""and those that differ from it by less than this."""


class _InterpretedKernels:
    """The kernels as plain Python functions, by name."""

    bot_decide = staticmethod(choice.bot_decide)
    bot_try_with_trade = staticmethod(trade_search.bot_try_with_trade)
    bot_plan = staticmethod(turn_plan.bot_plan)
    bot_revise = staticmethod(choice.bot_revise)
    bot_try = staticmethod(world_search.bot_try)
    bot_weigh = staticmethod(choice.bot_weigh)


_interpreted: Final[ExpertKernels] = _InterpretedKernels()
