"""The dice of a turn: production or a seven (PROD-01, PROD-11, SEVEN-01), and the bag of balanced dice.

The rolls for the right to begin stand in :mod:`.placement`, what the odds are in :mod:`.nature`.
"""

from __future__ import annotations

from ..compilation.kernels import inline, popcount
from ..encoding.phases import MAIN
from ..encoding.structs import State
from .production import produce
from .robber import roll_seven

ALL_PAIRS = (1 << 36) - 1  # balanced dice: every ordered pair is in the bag
BAG_FLOOR = 12  # balanced dice: filled up when no more than this many are left


@inline
def take_turn_roll(s: State, a: int, b: int) -> None:
    """The dice of a turn: production, or a seven."""
    s.rolled = 1
    s.die_a = a
    s.die_b = b
    if s.balanced_dice:
        s.dice_bag &= ~(1 << (6 * (a - 1) + b - 1))
        if popcount(s.dice_bag) <= BAG_FLOOR:
            s.dice_bag = ALL_PAIRS  # at once, so that what is left in the bag are the odds of the next roll
    s.phase = MAIN
    if a + b == 7:
        roll_seven(s)
    else:
        produce(s, a + b)
