"""How long decisions took: a tally that is small, adds up, and still knows medians.

    >>> from hexholm.arena.decision_times import Times
    >>> times = Times()
    >>> for milliseconds in range(1, 101):
    ...     times.add(milliseconds * 1_000_000)
    >>> round(times.quantile(0.5)), round(times.quantile(0.99))
    (51, 97)

Times are counted in classes that are 4 % wide, so a median is told to about 2 %.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from typing import Final, Self

CLASSES_PER_DOUBLING: Final = 16
"""Classes from a time to its double."""


class Times:
    """Decision times by class."""

    __slots__ = ("counts",)

    def __init__(self, counts: Mapping[int, int] | None = None) -> None:
        self.counts: Counter[int] = Counter(counts or {})

    def add(self, nanoseconds: int) -> None:
        self.counts[int(CLASSES_PER_DOUBLING * math.log2(max(1, nanoseconds)))] += 1

    def update(self, times: Times) -> None:
        """The decisions of another tally too."""
        self.counts.update(times.counts)

    @property
    def total(self) -> int:
        """How many decisions there were."""
        return self.counts.total()

    def quantile(self, share: float) -> float | None:
        """The milliseconds within which this share of the decisions was made; None: there were none."""
        rank = math.ceil(share * self.total)
        for time_class in sorted(self.counts):
            rank -= self.counts[time_class]
            if rank <= 0:
                return float(2 ** ((time_class + 0.5) / CLASSES_PER_DOUBLING)) / 1e6
        return None

    def as_list(self) -> list[int]:
        """Class, count, class, count, ...: for JSON."""
        return [number for time_class in sorted(self.counts) for number in (time_class, self.counts[time_class])]

    @classmethod
    def of_list(cls, numbers: list[int]) -> Self:
        """From the list of :meth:`as_list`."""
        return cls(dict(zip(numbers[::2], numbers[1::2], strict=True)))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Times) and self.counts == other.counts

    __hash__ = None  # type: ignore[assignment]
