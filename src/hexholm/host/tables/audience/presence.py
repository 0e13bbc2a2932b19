"""Who is at a table now: told when it changes, but a moment later, so that many who come make few messages.

People are counted as they come and go: to look through all for each who comes would take longer the more there are.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import Final

from msgspec import structs

from hexholm.rules.colors import Color

from ...wire import messages
from ..seats import Guest
from .feeds import Bundle, Feed

PRESENCE_DELAY: Final = 0.1
"""Seconds after which a change is told; longer at a table with many feeds."""
PRESENCE_DELAY_PER_FEED: Final = 0.002


class Presence:
    """The open feeds of a table, as people."""

    def __init__(self) -> None:
        self._last_sent: dict[Feed, messages.Present] = {}
        """What each feed was told last."""
        self._feeds_of_seats: Counter[Color] = Counter()
        self._feeds_of_watchers: Counter[str] = Counter()  # by guest
        self._timer: asyncio.TimerHandle | None = None

    def with_guest(self, guest: Guest, colors: tuple[Color, ...]) -> messages.Present:
        """Who is there once this guest has come in."""
        present = self._present(colors)
        if guest.color is None:
            return structs.replace(present, watching=present.watching + (guest.id not in self._feeds_of_watchers))
        seats = tuple(color for color in colors if color in self._feeds_of_seats or color == guest.color)
        return structs.replace(present, seats=seats)

    def add(self, feed: Feed, present: messages.Present, colors: tuple[Color, ...]) -> None:
        """Somebody came, and was told who is there."""
        self._last_sent[feed] = present
        self._count(feed.guest, 1)
        self._tell_soon(colors)

    def remove(self, feed: Feed, colors: tuple[Color, ...]) -> None:
        """Somebody went."""
        if self._last_sent.pop(feed, None) is not None:
            self._count(feed.guest, -1)
            self._tell_soon(colors)

    def stop(self) -> None:
        """Tell nothing more."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _present(self, colors: tuple[Color, ...]) -> messages.Present:
        seats = tuple(color for color in colors if color in self._feeds_of_seats)
        return messages.Present(seats=seats, watching=len(self._feeds_of_watchers))

    def _count(self, guest: Guest, by: int) -> None:
        counts, key = (
            (self._feeds_of_watchers, guest.id) if guest.color is None else (self._feeds_of_seats, guest.color)
        )
        counts[key] += by
        if not counts[key]:
            del counts[key]

    def _tell_soon(self, colors: tuple[Color, ...]) -> None:
        if self._timer is None and self._last_sent:
            wait = PRESENCE_DELAY + PRESENCE_DELAY_PER_FEED * len(self._last_sent)
            self._timer = asyncio.get_running_loop().call_later(wait, self._tell, colors)

    def _tell(self, colors: tuple[Color, ...]) -> None:
        self._timer = None
        present = self._present(colors)
        bundle = Bundle((present,))
        for feed, last_present in list(self._last_sent.items()):
            if last_present != present:
                self._last_sent[feed] = present
                feed.tell(bundle)
