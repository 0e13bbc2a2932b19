"""What trade is worth: `hexholm tournament bench/silent.py:Silent hard hard hard --games 1000 --seed 9006`."""

from __future__ import annotations

from hexholm.bots.protocol import Effort
from hexholm.bots.shipped.compiled import HARD, Hard


class Silent(Hard):
    """A `hard` that never trades."""

    def __init__(self, seed: int | str = 0, effort: Effort = HARD, *, compiled: bool | None = None) -> None:
        super().__init__(seed, effort, trades=False, compiled=compiled)
