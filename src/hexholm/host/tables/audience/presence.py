"""Who is at a table now: told when it changes, but a moment later, so that many who come make few messages."""

from __future__ import annotations

import asyncio
from typing import Final

from ...wire import messages as m
from ..seats import Guest
from .feeds import Bundle, Feed

PRESENCE_DELAY: Final = 0.1
"""Seconds after which a change is told; longer at a table with many feeds."""
PRESENCE_DELAY_PER_FEED: Final = 0.002


class Presence:
    """The open feeds of a table, as people."""

    def __init__(self) -> None:
        self._known: dict[Feed, m.Present] = {}
        """What each feed was told last."""
        self._timer: asyncio.TimerHandle | None = None

    def with_guest(self, guest: Guest, colors: tuple[str, ...]) -> m.Present:
        """Who is there once this guest has come in."""
        return _present([*(feed.guest for feed in self._known), guest], colors)

    def add(self, feed: Feed, told: m.Present, colors: tuple[str, ...]) -> None:
        """Somebody came, and was told who is there."""
        self._known[feed] = told
        self._changed(colors)

    def remove(self, feed: Feed, colors: tuple[str, ...]) -> None:
        """Somebody went."""
        if self._known.pop(feed, None) is not None:
            self._changed(colors)

    def stop(self) -> None:
        """Tell nothing more."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _changed(self, colors: tuple[str, ...]) -> None:
        if self._timer is None and self._known:
            wait = PRESENCE_DELAY + PRESENCE_DELAY_PER_FEED * len(self._known)
            self._timer = asyncio.get_running_loop().call_later(wait, self._tell, colors)

    def _tell(self, colors: tuple[str, ...]) -> None:
        self._timer = None
        now = _present([feed.guest for feed in self._known], colors)
        bundle = Bundle((now,))
        for feed, told in list(self._known.items()):
            if told != now:
                self._known[feed] = now
                feed.tell(bundle)


def _present(guests: list[Guest], colors: tuple[str, ...]) -> m.Present:
    seats = {guest.seat for guest in guests}
    watching = {guest.id for guest in guests if guest.seat is None}
    return m.Present(seats=tuple(color for color in colors if color in seats), watching=len(watching))
