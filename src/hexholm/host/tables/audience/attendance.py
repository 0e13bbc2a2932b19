"""Who attends a table: open feeds, and when each seat was last heard of."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from ...wire.shapes import Color
from ..seats import Eyes
from .feeds import Feed

GRACE: Final = 600.0
"""Seconds after the start in which no table is given up: people may still come back."""


class Attendance:
    """The attendance of one table, by a clock."""

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self.up_since = self.left_at = now()
        """Since when the table is here, and when the last who looked went."""
        self.feeds: set[Feed] = set()
        self._seen_at: dict[Color, float] = {}  # when a seat's person was last heard of, apart from open feeds
        self._heard_at = 0.0  # when anybody was, apart from open feeds
        self._down_seconds = 0.0  # seconds since then in which the host did not run

    @property
    def looking(self) -> set[Eyes]:
        """Whose eyes look now."""
        return {feed.guest.color for feed in self.feeds}

    def last_seen(self, color: Color) -> float:
        """When a seat's person was last heard of; at the earliest when the table came up here."""
        return max(self._seen_at.get(color, self.up_since), self.up_since)

    def hear(self, color: Color, time: float | None = None) -> None:
        """A seat's person is here, now or as an entry has it."""
        self._seen_at[color] = self._now() if time is None else time

    def add_activity(self, time: float) -> None:
        """Somebody did something, as an entry has it."""
        self._heard_at, self._down_seconds = time, 0.0

    def add_downtime(self, seconds: float) -> None:
        """The host did not run for so long."""
        self._down_seconds += seconds

    def add_feed(self, feed: Feed) -> None:
        """Somebody looks."""
        self.feeds.add(feed)

    def remove_feed(self, feed: Feed) -> None:
        """Somebody looks no more."""
        self.feeds.discard(feed)
        self.left_at = self._now()
        self.add_activity(max(self._heard_at, self._now()))
        if feed.guest.color is not None:
            self.hear(feed.guest.color)

    def abandoned_at(self, seconds: float, *, up: bool = True) -> float:
        """When nobody will have been heard of here for so long; `up`: only the time counts in which the host ran."""
        return max(self._heard_at + seconds + (self._down_seconds if up else 0.0), self.up_since + min(seconds, GRACE))
