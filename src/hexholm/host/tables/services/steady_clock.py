"""A clock for delays and deadlines: the time of day when it was made, and from then on the seconds that really pass.

The time of day may be set forward or back while a server runs. Whoever waited by it would then wait for an hour, or not
at all; with this clock only the dates that are written down are off, until the next start. It stands still while the
machine sleeps, and so do the clocks of the tables.
"""

from __future__ import annotations

import time
from collections.abc import Callable


class SteadyClock:
    """Unix seconds, by a clock that nobody sets."""

    def __init__(self, day: Callable[[], float] = time.time, steady: Callable[[], float] = time.monotonic) -> None:
        self._steady = steady
        self._offset = day() - steady()

    def __call__(self) -> float:
        return self._steady() + self._offset

    def begin_at(self, time: float) -> bool:
        """Not before a time that was noted in earlier days; whether the time of day was, as it was set back since.

        Else all that tables have noted would lie ahead, and their clocks would run for so much longer.
        """
        behind = time - self()
        self._offset += max(0.0, behind)
        return behind > 0
