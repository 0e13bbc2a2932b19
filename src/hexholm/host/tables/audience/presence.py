"""Who is at a table now: told when it changes, but a moment later, so that many who come make few messages."""

from __future__ import annotations

import asyncio
from typing import Final

from ...wire import messages
from ...wire.shapes import Color
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
        self._timer: asyncio.TimerHandle | None = None

    def with_guest(self, guest: Guest, colors: tuple[Color, ...]) -> messages.Present:
        """Who is there once this guest has come in."""
        return _present([*(feed.guest for feed in self._last_sent), guest], colors)

    def add(self, feed: Feed, present: messages.Present, colors: tuple[Color, ...]) -> None:
        """Somebody came, and was told who is there."""
        self._last_sent[feed] = present
        self._tell_soon(colors)

    def remove(self, feed: Feed, colors: tuple[Color, ...]) -> None:
        """Somebody went."""
        if self._last_sent.pop(feed, None) is not None:
            self._tell_soon(colors)

    def stop(self) -> None:
        """Tell nothing more."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _tell_soon(self, colors: tuple[Color, ...]) -> None:
        if self._timer is None and self._last_sent:
            wait = PRESENCE_DELAY + PRESENCE_DELAY_PER_FEED * len(self._last_sent)
            self._timer = asyncio.get_running_loop().call_later(wait, self._tell, colors)

    def _tell(self, colors: tuple[Color, ...]) -> None:
        self._timer = None
        present = _present([feed.guest for feed in self._last_sent], colors)
        bundle = Bundle((present,))
        for feed, last_present in list(self._last_sent.items()):
            if last_present != present:
                self._last_sent[feed] = present
                feed.tell(bundle)


def _present(guests: list[Guest], colors: tuple[Color, ...]) -> messages.Present:
    seated_colors = {guest.color for guest in guests}
    watching = {guest.id for guest in guests if guest.color is None}
    return messages.Present(seats=tuple(color for color in colors if color in seated_colors), watching=len(watching))
