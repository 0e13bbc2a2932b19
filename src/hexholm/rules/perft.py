"""Perft: counts of action sequences from a position, the fingerprint of an engine.

    >>> from hexholm.rules.perft import perft
    >>> from hexholm.rules.referee import Referee
    >>> perft(Referee.new(edition="fifth", setup="fixed").state, 2, compiled=False)
    (0, 36)

Depth 2 from there: the first player rolls (one decision), then 36 outcomes of the dice.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np

from .compilation import mode
from .compilation.kernels import fast
from .core.actors import next_without_trade
from .core.drivers import perft_counts as kernels
from .core.step import apply_action
from .encoding.phases import is_chance_phase
from .encoding.structs import Scratch, State
from .errors import BadInput
from .referee import Referee

POSITIONS_PER_CALL: Final = 500_000
"""Positions counted in one compiled call: a fraction of a second, then Ctrl-C is heard."""


class TooManyPlies(BadInput):
    """A position on the way has more discards than fit."""


def perft(state: State, depth: int, compiled: bool | None = None) -> tuple[int, int]:
    """Sequences of `depth` plies from `state`: those that end in a decision, those that end in an outcome of chance."""
    if depth < 1:
        raise BadInput("perft counts sequences of at least one ply; the depth must be 1 or more")
    count = kernels.count_plies
    if mode.may_compile(compiled):
        mode.compile_notices.announce(["count_plies"])  # before the compiler is loaded, which takes a while
        count = fast().count_plies
    space = 1024
    while space <= 1 << 17:
        stack = np.zeros((depth + 1, State.size), np.uint8)
        stack[0] = state.buffer
        codes, plies_left = np.zeros((depth + 1, space), np.int64), np.zeros(depth + 1, np.int64)
        counts = np.zeros(2, np.int64)
        if count(stack, codes, plies_left, Scratch().buffer, depth, counts) == 0:
            return int(counts[0]), int(counts[1])
        space *= 4
    raise TooManyPlies("a position on the way allows more discards than can be counted one by one")


def perft_in_parts(state: State, sizes: Sequence[int], compiled: bool) -> tuple[int, int]:
    """:func:`perft` at the depth after those whose `sizes` are known, the position itself being the first.

    A compiled call hears Ctrl-C only at its end, so a long count is split after so many plies that the parts are short.
    """
    depth = len(sizes)
    split = next(k for k in range(depth) if not compiled or sizes[-1] <= POSITIONS_PER_CALL * sizes[k])
    decisions = outcomes = 0
    for part in positions_after(state, split):
        counts = perft(part, depth - split, compiled)
        decisions, outcomes = decisions + counts[0], outcomes + counts[1]
    return decisions, outcomes


def positions_after(state: State, plies: int) -> Iterator[State]:
    """All positions after so many plies, one for each sequence."""
    if plies == 0:
        yield state
        return
    scratch, space = Scratch(), 1024
    while (n := kernels.list_plies(state, scratch, codes := np.zeros((1, space), np.int64), 0)) == kernels.TOO_MANY:
        space *= 4
    seat = state.active if is_chance_phase(state.phase) or not n else next_without_trade(state)
    for code in codes[0, :n].tolist():
        child = state.copy()
        apply_action(child, scratch, seat, code)
        yield from positions_after(child, plies - 1)


mode.register("perft", lambda compiled: perft(Referee.new(compiled=False).state, 1, compiled), ["count_plies"])
