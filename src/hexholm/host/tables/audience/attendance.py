"""Who attends a table: open feeds, and when each seat was last heard of."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from collections.abc import Set as AbstractSet
from typing import Final

from hexholm.rules.colors import Color

from .. import log
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
        self._looking: Counter[Eyes] = Counter()  # feeds of each pair of eyes
        self._seen_at: dict[Color, float] = {}  # when a seat's person was last heard of, apart from open feeds
        self._heard_at = 0.0  # when anybody was, apart from open feeds
        self._moved_at = 0.0  # when the game began, or a person last moved
        self._down_seconds = 0.0  # seconds since then in which the host did not run
        self._returned: set[Color] = set()  # who has sent something since the game began to wait
        self._discarding: set[Color] = set()  # who has sent something while others still choose their discards
        self.to_bring_back: set[Color] = set()
        """Those of them when all discards are in: who is away is back."""

    @property
    def looking(self) -> AbstractSet[Eyes]:
        """Whose eyes look now."""
        return self._looking.keys()

    def last_seen(self, color: Color) -> float:
        """When a seat's person was last heard of; at the earliest when the table came up here."""
        return max(self._seen_at.get(color, self.up_since), self.up_since)

    def hear(self, color: Color, time: float | None = None) -> None:
        """A seat's person is here, now or as an entry has it."""
        now = self._now()  # a log can be ahead of it: the time of day may have been set back before the start
        self._seen_at[color] = now if time is None else min(time, now)

    def hear_command(self, color: Color, *, in_secret: bool = False) -> None:
        """A seat's person has sent something; `in_secret`: others may not notice before all discards are in."""
        if in_secret:
            self._discarding.add(color)
            return
        self.hear(color)
        self._returned.add(color)

    def gone_since(self, colors: AbstractSet[Color]) -> float | None:
        """When the last of these seats' people left, of none a looker-on; None: somebody is here."""
        if self._looking and (not colors or not colors.isdisjoint(self._looking)):
            return None
        return max(map(self.last_seen, colors), default=self.left_at)

    def is_anybody_back(self, colors: AbstractSet[Color]) -> bool:
        """Whether somebody of these seats looks, of none anybody; or has sent something since the game waits."""
        return self.gone_since(colors) is None or bool(colors & self._returned)

    @property
    def last_moved(self) -> float:
        """When a person last moved in the game; at the earliest when it began, or the table came up here."""
        return max(self._moved_at, self.up_since)

    def follow(self, entry: log.LogEntry, colors: Iterable[Color], *, discarding: bool = False) -> None:
        """What an entry tells of who was there, at a table with these seats.

        `discarding`: after it discards are still chosen, and nobody is told who has chosen already, or was there to.
        """
        body = entry.body
        if body.is_activity:
            self._add_activity(entry.time)
        if body.heard_color is not None:
            self.hear(body.heard_color, entry.time)
        if body.resumes_game:
            self.left_at = max(self.left_at, min(entry.time, self._now()))
            for color in colors:
                self.hear(color, entry.time)
        if isinstance(body, log.Began | log.TookBack) or (isinstance(body, log.Played) and body.chooser == "person"):
            self._moved_at = min(entry.time, self._now())
        if isinstance(body, log.Restarted):
            self._down_seconds += body.seconds
        elif isinstance(body, log.Waited) and body.on:
            self._returned.clear()  # who comes now comes back
        if isinstance(body, log.AwayChanged | log.Seated):
            self.to_bring_back.discard(body.color)
        if not discarding and self._discarding:
            for color in self._discarding:
                self.hear(color)
            self._returned |= self._discarding
            self.to_bring_back |= self._discarding
            self._discarding.clear()

    def _add_activity(self, time: float) -> None:
        self._heard_at, self._down_seconds = time, 0.0

    def add_feed(self, feed: Feed) -> None:
        """Somebody looks."""
        if feed not in self.feeds:
            self.feeds.add(feed)
            self._looking[feed.guest.color] += 1

    def remove_feed(self, feed: Feed) -> None:
        """Somebody looks no more."""
        color = feed.guest.color
        if feed in self.feeds:
            self.feeds.remove(feed)
            self._looking[color] -= 1
            if not self._looking[color]:
                del self._looking[color]
        self.left_at = self._now()
        self._add_activity(max(self._heard_at, self._now()))
        if color is not None:
            self.hear(color)

    def abandoned_at(self, seconds: float, *, up: bool = True) -> float:
        """When nobody will have been heard of here for so long; `up`: only the time counts in which the host ran."""
        return max(self._heard_at + seconds + (self._down_seconds if up else 0.0), self.up_since + min(seconds, GRACE))
