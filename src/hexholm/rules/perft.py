"""Perft: counts of action sequences from a position, the fingerprint of an engine.

    >>> from hexholm.rules.perft import perft
    >>> from hexholm.rules.referee import Referee
    >>> perft(Referee.new(edition="fifth", setup="fixed").state, 2, compiled=False)
    (0, 36)

Depth 2 from there: the first player rolls (one decision), then 36 outcomes of the dice.
"""

from __future__ import annotations

import numpy as np

from .compiled import fast
from .core.drivers import perft as plain
from .core.encoding.structs import State, Work
from .errors import BadInput


class TooManyPlies(BadInput):
    """A position on the way has more discards than fit."""


def perft(state: State, depth: int, compiled: bool = True) -> tuple[int, int]:
    """Sequences of `depth` plies from `state`: those that end in a decision, those that end in an outcome of chance."""
    if depth < 1:
        raise BadInput("perft counts sequences of at least one ply; the depth must be 1 or more")
    count = fast().count_plies if compiled else plain.count_plies
    room = 1024
    while room <= 1 << 17:
        stack = np.zeros((depth + 1, State.size), np.uint8)
        stack[0] = state.buffer
        codes, left = np.zeros((depth + 1, room), np.int64), np.zeros(depth + 1, np.int64)
        counts = np.zeros(2, np.int64)
        if count(stack, codes, left, Work().buffer, depth, counts) == 0:
            return int(counts[0]), int(counts[1])
        room *= 4
    raise TooManyPlies("a position on the way allows more discards than can be counted one by one")
