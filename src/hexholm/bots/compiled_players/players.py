"""`medium`, `hard` and `expert`: compiled players that judge positions by a fitted network (docs/decisions/0008).

    >>> import hexholm
    >>> from hexholm.bots.compiled_players.players import Medium
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
from hexholm.rules import mode
from hexholm.rules.compiled import fast
from hexholm.rules.core.encoding import actions as act
from hexholm.rules.core.encoding.structs import SEATS, Belief, State, Talk, Work
from hexholm.rules.core.phases import PLACE_ROAD
from hexholm.rules.initial_state import box_of

from ..explanation.thoughts import explain_choice, thoughts
from ..judgement import judgement
from ..kernels import choice, trade_search, turn_plan, world_search
from ..kernels.lookahead import COPIES
from ..kernels.mind import CHOICES, DARING, OWN_OFFERS, PLAIN, SHREWD, Mind
from ..kernels.whole_games import MEMORY_SIZE
from ..memory import Memory
from ..protocol import Effort, Thought

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
    kernels = frozenset(("bot_decide", "bot_plan", "bot_settle", "bot_try", "bot_weigh"))
    """What is compiled before it plays compiled; `medium` and `hard` have theirs together."""

    def __init__(
        self,
        seed: int | str = 0,  # noqa: ARG002  # it does not waver: the same view, the same choice
        *,
        trades: bool = True,
        compiled: bool | None = None,
    ) -> None:
        self._trades = trades
        self._compiled = compiled
        self._net = judgement(self.judges_by).rows
        self._copies = np.zeros((COPIES, State.size), np.uint8)
        self._talk, self._work, self._mind = Talk(), Work(), Mind()
        self._memory = Memory()
        self._view: SeatView | None = None
        self._chosen = 0

    def choose(self, view: SeatView) -> int:
        """The code of what to do now."""
        self._view = view
        self._memory.look(view)
        code = self._chosen = self._settle(view, self._decide(view))
        self._memory.note(view, code)
        return code

    def remind(self, turn: int, said: Iterable[Action], countered: Iterable[str] = ()) -> None:
        """What it offered on a turn, and whose offers it countered; else it forgets what it said from then on."""
        self._memory.remind(turn, said, countered)

    def explain(self) -> list[Thought]:
        """What it thought about its last choice: that one first, then the best of the others."""
        if self._view is None:
            return []
        mind = self._mind
        weighed = [(mind.code[i], mind.value[i]) for i in range(mind.n)]
        if len(weighed) > 1 and any(code == self._chosen for code, _ in weighed):
            return thoughts(self._view, self._chosen, weighed)
        compiled = self._core() is not _interpreted
        return explain_choice(self._view, self._chosen, judges_by=self.judges_by, compiled=compiled)

    def _core(self) -> Any:
        """The kernels: compiled, or interpreted as long as another process compiles them."""
        compiled = mode.usable(self.kernels, self._compile) if self._compiled is None else self._compiled
        return fast() if compiled else _interpreted

    def _compile(self) -> None:
        """Have all kernels compiled by using them."""
        view = Game(edition="fifth", setup="variable", seed=0, first=0, compiled=True).view(0)
        make = Expert if "bot_try_with_trade" in self.kernels else Hard
        explain_choice(view, make(0, Effort(steps=1), compiled=True).choose(view), compiled=True)

    def _decide(self, view: SeatView) -> int:
        mind, memory = self._mind, self._memory
        mind.n_said = min(len(memory.said), OWN_OFFERS) if self._trades else -1
        mind.trader = self.trader
        mind.countered = sum(1 << view.colors.index(color) for color in memory.countered)
        for i, offered in enumerate(memory.said[:OWN_OFFERS]):
            mind.said[i] = offered
        mind.n_refused = len(memory.refused)
        for i, offered in enumerate(memory.refused):
            mind.refused[i] = offered
        return int(
            self._core().bot_decide(
                view.raw.buffer,
                self._copies,
                self._talk.buffer,
                self._work.buffer,
                mind.buffer,
                self._net,
                box_of(view.options.edition_data),
            )
        )

    def _settle(self, view: SeatView, code: int) -> int:
        """What it does in the end: before a dear trade with the supply, say, the table is asked."""
        talk, mind = self._talk.buffer, self._mind.buffer
        return int(self._core().bot_settle(self._copies, talk, mind, self._net, view.raw.observer, code))


class Hard(Medium):
    """Plays on with its best few actions in many worlds."""

    judges_by = "hard"
    trader = SHREWD
    few = 6
    """So many actions are tried."""
    near = 0.06
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
        self._wins = 0
        self._key = blake2b(f"hard player {seed}".encode(), digest_size=16).digest()

    def _decide(self, view: SeatView) -> int:
        begun = time.perf_counter()
        first = super()._decide(view)
        mind = self._mind
        self._wins = self._plan(view)
        if self._wins:
            return self._wins
        if mind.n < 2 or act.OFFER <= act.kind_of(first) <= act.WITHDRAW:
            return first
        core = self._core()
        if core is _interpreted and self._compiled is None and mode.hurried():
            return first  # people wait while the kernels are compiled: playing on would take too long
        weighed = sorted(((mind.value[i], i) for i in range(mind.n)), reverse=True)
        best = weighed[0][0]
        rows = [i for value, i in weighed[: self.few] if value >= best - self.near]
        if len(rows) < 2:
            return first
        tried = np.array([mind.code[i] for i in rows], np.int64)
        sums = np.array([mind.value[i] for i in rows]) * PRIOR
        counts = np.full(len(rows), float(PRIOR))
        self._search(core, view, begun, tried.copy(), sums, counts)
        means = sums / counts
        order = sorted(range(len(rows)), key=lambda i: (-counts[i], -means[i]))  # those left out early come last
        for place, i in enumerate(order):
            mind.code[place] = int(tried[i])
            mind.value[place] = min(float(means[i]), float(means[order[0]]))  # few worlds may flatter
        mind.n = len(order)
        return int(tried[order[0]])

    def _plan(self, view: SeatView) -> int:
        """The first action of a plan that wins on this turn for certain; 0: there is none."""
        mind = self._mind
        code = int(self._core().bot_plan(self._copies, self._work.buffer, mind.buffer, view.raw.observer))
        if not code or view.why_not(code) is not None:
            return 0
        others = [(mind.code[i], mind.value[i]) for i in range(mind.n) if mind.code[i] != code]
        mind.n = min(len(others), CHOICES - 1) + 1
        for i, (other, value) in enumerate([(code, 1.0), *others][:CHOICES]):
            mind.code[i], mind.value[i] = other, value
        return code

    def _settle(self, view: SeatView, code: int) -> int:
        """Who can win does not ask the table before."""
        return code if self._wins else super()._settle(view, code)

    def _search(self, core: Any, view: SeatView, begun: float, tried: Any, sums: Any, counts: Any) -> None:
        """Try the actions in one world after the other; the worse are left out.

        With a time to keep, it ends when another world might take too long.
        """
        digest = blake2b(view.raw.buffer[: State.size].tobytes(), digest_size=8, key=self._key).digest()
        key = int.from_bytes(digest, "little", signed=True)
        box = box_of(view.options.edition_data)
        rounds = self.opening_rounds if view.raw.phase <= PLACE_ROAD else self.rounds
        steps, seconds = self._effort.steps, self._effort.seconds
        total, world, slowest, last = steps or WORLDS_AT_MOST, 0, 0.0, time.perf_counter()
        share = PER_ROUND * min(1, USUAL / view.raw.points_to_win)  # longer roads, larger hands: each takes longer
        self._world_mind.weighed = 0
        while world < total and np.count_nonzero(tried) > 1:
            before = sums.copy()
            self._try(
                core, view.raw.buffer, self._copies, self._work.buffer, self._mind.buffer, self._world_mind.buffer,
                self._net, box, key, world, rounds, tried, sums,
            )  # fmt: skip
            counts[tried != 0] += 1
            world += 1
            if seconds is None:
                spent = max(world, self._world_mind.weighed / (share * rounds)) / total
            else:
                now = time.perf_counter()
                slowest, last = max(slowest, now - last), now
                spent = (now + slowest - begun) / seconds
            if spent >= 1:
                return
            self._leave_out(tried, spent, world, sums - before, sums / counts)

    def _try(self, core: Any, *asked: Any) -> None:
        """Play on with all actions that are tried, in one world."""
        core.bot_try(*asked)

    def _leave_out(self, tried: Any, spent: float, world: int, gains: Any, means: Any) -> None:  # noqa: ARG002
        """Try the worse half no more when a quarter of the effort is spent, and again at the half."""
        keep = max(2, len(tried) >> sum(spent >= part for part in (0.25, 0.5)))
        alive = np.flatnonzero(tried)
        if len(alive) > keep:
            for row in sorted(alive, key=lambda i: -means[i])[keep:]:
                tried[row] = 0


class Expert(Hard):
    """Thinks as long as it may, but not about what is clear; in the worlds where it plays on, all trade."""

    judges_by = "expert"
    trader = DARING
    few = 10
    near = 0.1
    opening_rounds = 8
    kernels = Hard.kernels | {"bot_try_with_trade"}

    def __init__(
        self, seed: int | str = 0, effort: Effort = EXPERT, *, trades: bool = True, compiled: bool | None = None
    ) -> None:
        super().__init__(seed, effort, trades=trades, compiled=compiled)
        pictures, memory = np.zeros((COPIES, State.size), np.uint8), np.zeros((SEATS, MEMORY_SIZE), np.int64)
        talk, belief = Talk(), Belief()
        self._scratch = State().buffer, State().buffer, pictures, talk.buffer, belief.buffer, memory
        self._ahead = self._squares = np.zeros((0, 0))
        if not trades:  # where it does not trade, as in an engine without trade, playing on with trade would mislead
            self.opening_rounds = Hard.opening_rounds

    def _try(self, core: Any, *asked: Any) -> None:
        if self._trades:
            core.bot_try_with_trade(*asked, *self._scratch)
        else:
            super()._try(core, *asked)

    def _leave_out(self, tried: Any, spent: float, world: int, gains: Any, means: Any) -> None:
        """Nor what is clearly worse than the best or as good as it, by the worlds in which both were tried."""
        if world == 1:
            self._ahead = self._squares = np.zeros((len(tried), len(tried)))
        gap = gains[:, None] - gains
        self._ahead = self._ahead + gap
        self._squares = self._squares + gap * gap
        if world % CHECK == 0 and world > CHECK:
            alive = np.flatnonzero(tried)
            best = max(alive, key=lambda i: means[i])
            ahead = self._ahead[best] / world
            doubt = np.sqrt(np.maximum(self._squares[best] / world - ahead * ahead, 0) / world)
            settled = (ahead > CLEAR * doubt) | (abs(ahead) + 2 * doubt < EVEN)
            for row in alive:
                if row != best and settled[row]:
                    tried[row] = 0
        super()._leave_out(tried, spent, world, gains, means)


PRIOR: Final = 2
"""The first look at an action counts as much as so many worlds."""
WORLDS_AT_MOST: Final = 100_000
USUAL: Final = 10
"""Points to win, by the books; in longer games every action takes longer to weigh."""
PER_ROUND: Final = 225
"""Actions weighed in a round of playouts that count as a world: where there is much to choose from, as in games to many
points, fewer worlds have to do."""
CHECK: Final = 8
"""After so many worlds, and again and again, `expert` asks which actions it need not try any more:"""
CLEAR: Final = 3.0
"""those that are so many standard errors worse than the best,"""
EVEN: Final = 0.002
"""and those that differ from it by less than this."""


class _InterpretedKernels:
    """The kernels as plain Python functions, by name."""

    bot_decide = staticmethod(choice.bot_decide)
    bot_try_with_trade = staticmethod(trade_search.bot_try_with_trade)
    bot_plan = staticmethod(turn_plan.bot_plan)
    bot_settle = staticmethod(choice.bot_settle)
    bot_try = staticmethod(world_search.bot_try)


_interpreted = _InterpretedKernels()
