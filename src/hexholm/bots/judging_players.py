"""`medium`, `hard` and `expert`: compiled players that judge positions by a fitted network (docs/decisions/0008).

    >>> import hexholm
    >>> from hexholm.bots.judging_players import Medium
    >>> game = hexholm.Game(edition="fifth", setup="fixed", seed=7)
    >>> Medium(seed=3).choose(game.view("red")) in game.legal_actions
    True

`medium` looks one action ahead. `hard` and `expert` take its best few actions and play on with them, in many worlds
that fit what their seat has seen. The thinking is done by :mod:`.kernels`, over the record of the view; what is here is
the memory of what was said on a turn, and the budget.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from hexholm.game import speed
from hexholm.game.action import Action
from hexholm.game.game import Game
from hexholm.game.odds import box_of
from hexholm.rules import notation
from hexholm.rules.compiled import fast
from hexholm.rules.core import actions as act
from hexholm.rules.core.layout import State, Talk, Work

from .judgement import judgement
from .kernels import deciding, searching
from .kernels.choosing import ROOMS
from .kernels.layout import OWN_OFFERS, Mind
from .protocol import Effort, Thought
from .reasons import reason_for

if TYPE_CHECKING:
    from hexholm.game.seat_view import SeatView

HARD: Final = Effort(steps=40)
"""Worlds for a decision."""
EXPERT: Final = Effort(seconds=1.0)
EXPLAINED: Final = 5
"""So many actions are explained, the best first."""


class Medium:
    """Looks one action ahead and judges what comes of it."""

    judges_by = "medium"
    shrewd = False
    """Whether it looks for the best offer to which somebody should agree, or for a plain one that both should like."""

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
        self._rooms = np.zeros((ROOMS, State.size), np.uint8)
        self._talk, self._work, self._mind = Talk(), Work(), Mind()
        self._turn = -1
        self._said: list[int] = []
        self._countered = 0
        self._view: SeatView | None = None
        self._chosen = 0

    def choose(self, view: SeatView) -> int:
        """The code of what to do now."""
        self._view = view
        if view.turn != self._turn:
            self._turn, self._said, self._countered = view.turn, [], 0
            self._told = (), ()
        code = self._chosen = self._settle(view, self._decide(view))
        if code & 31 == act.OFFER:
            self._said.append(code)
        elif code & 31 == act.COUNTER:
            self._countered |= 1 << view.raw.offer_maker[act.to_of(code)]
        return code

    def remind(self, turn: int, said: Iterable[Action], countered: Iterable[str] = ()) -> None:
        """What it offered on this turn, and whose offers it countered."""
        self._turn, self._said, self._countered = turn, [], 0
        self._told = tuple(said), tuple(countered)

    def explain(self) -> list[Thought]:
        """What it thought about its last choice: that one first, then the best of the others."""
        if self._view is None:
            return []
        view, mind = self._view, self._mind
        weighed = sorted((mind.code[i] != self._chosen, -mind.value[i], mind.code[i]) for i in range(mind.n))
        return [
            Thought(Action.of_code(code, view.colors, view.seat), -value, reason_for(view, code))
            for _, value, code in weighed[:EXPLAINED]
        ]

    def _core(self) -> Any:
        """The kernels: compiled, or interpreted as long as another process compiles them."""
        compiled = speed.usable(_KERNELS, _compile) if self._compiled is None else self._compiled
        return fast() if compiled else _interpreted

    def _decide(self, view: SeatView) -> int:
        self._hear(view)
        mind = self._mind
        mind.n_said = min(len(self._said), OWN_OFFERS) if self._trades else -1
        mind.shrewd = int(self.shrewd)
        mind.countered = self._countered
        for i, code in enumerate(self._said[:OWN_OFFERS]):
            mind.said[i] = code
        return int(
            self._core().bot_decide(
                view.raw.buffer,
                self._rooms,
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
        return int(self._core().bot_settle(self._rooms, talk, mind, self._net, view.raw.observer, code))

    _told: tuple[tuple[Action, ...], tuple[str, ...]] = (), ()

    def _hear(self, view: SeatView) -> None:
        """Take in what it was reminded of: only now the colours are known."""
        said, countered = self._told
        self._told = (), ()
        self._said += [notation.read(action.text, view.colors) for action in said if action.kind == "offer"]
        for color in countered:
            self._countered |= 1 << view.colors.index(color)


class Hard(Medium):
    """Plays on with its best few actions in many worlds."""

    judges_by = "hard"
    shrewd = True
    few = 6
    """So many actions are tried."""
    near = 0.06
    """Only those that are at most so much less likely to win at first sight."""
    rounds = 2
    """So many of its own turns ahead, playing on ends."""

    def __init__(
        self, seed: int | str = 0, effort: Effort = HARD, *, trades: bool = True, compiled: bool | None = None
    ) -> None:
        super().__init__(seed, trades=trades, compiled=compiled)
        self._effort = effort
        self._dream = Mind()
        self._key = blake2b(f"hard player {seed}".encode(), digest_size=16).digest()

    def _decide(self, view: SeatView) -> int:
        begun = time.perf_counter()
        first = super()._decide(view)
        mind = self._mind
        if mind.n < 2 or act.OFFER <= first & 31 <= act.WITHDRAW:
            return first
        core = self._core()
        if core is _interpreted and self._compiled is None:
            return first  # the kernels are being compiled elsewhere: playing on would keep everybody waiting
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

    def _search(self, core: Any, view: SeatView, begun: float, tried: Any, sums: Any, counts: Any) -> None:
        """Try the actions in one world after the other; the worse half is left out now and then.

        With a time to keep, it ends when another world might take too long.
        """
        digest = blake2b(view.raw.buffer[: State.size].tobytes(), digest_size=8, key=self._key).digest()
        key = int.from_bytes(digest, "little", signed=True)
        box = box_of(view.options.edition_data)
        steps, seconds = self._effort.steps, self._effort.seconds
        total, world, slowest, last = steps or MOST_WORLDS, 0, 0.0, time.perf_counter()
        while world < total:
            core.bot_try(
                view.raw.buffer, self._rooms, self._work.buffer, self._mind.buffer, self._dream.buffer, self._net, box,
                key, world, self.rounds, tried, sums,
            )  # fmt: skip
            counts[tried != 0] += 1
            world += 1
            if seconds is None:
                spent = world / total
            else:
                now = time.perf_counter()
                slowest, last = max(slowest, now - last), now
                spent = (now + slowest - begun) / seconds
                if spent >= 1:
                    return
            keep = max(2, len(tried) >> sum(spent >= part for part in (0.25, 0.5)))
            alive = np.flatnonzero(tried)
            if len(alive) > keep:
                means = sums / counts
                for row in sorted(alive, key=lambda i: -means[i])[keep:]:
                    tried[row] = 0


class Expert(Hard):
    """Thinks as long as it may."""

    few = 10
    near = 0.1

    def __init__(
        self, seed: int | str = 0, effort: Effort = EXPERT, *, trades: bool = True, compiled: bool | None = None
    ) -> None:
        super().__init__(seed, effort, trades=trades, compiled=compiled)


PRIOR: Final = 2
"""The first look at an action counts as much as so many worlds."""
MOST_WORLDS: Final = 100_000
_KERNELS: Final = frozenset(("bot_decide", "bot_settle", "bot_try"))


def _compile() -> None:
    """Have all kernels compiled by using them."""
    view = Game(edition="fifth", setup="variable", seed=0, first=0, compiled=True).view(0)
    Hard(0, Effort(steps=1), compiled=True).choose(view)


class _Interpreted:
    """The kernels as plain Python functions, by name."""

    bot_decide = staticmethod(deciding.bot_decide)
    bot_settle = staticmethod(deciding.bot_settle)
    bot_try = staticmethod(searching.bot_try)


_interpreted = _Interpreted()
