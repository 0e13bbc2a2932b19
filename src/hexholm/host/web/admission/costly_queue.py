"""A queue for something costly: one after another, in a thread, and so many waiting at most."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, Final, TypeVar

from ...wire.host_refusals import Declined
from .load_shedding import REFUSALS_BY_URGENCY

MOST_QUEUED: Final = 32
"""Those who wait in one queue; beyond that people are told to come back later."""
Made = TypeVar("Made")


class CostlyQueue:
    """One queue: what is made there keeps one thread busy, whoever asks."""

    def __init__(self) -> None:
        self._lock, self._waiting = asyncio.Lock(), 0

    async def make(self, make: Callable[..., Made], *how: Any) -> Made:
        """Have something made when its turn has come. Raises Declined where too many wait already."""
        if self._waiting >= MOST_QUEUED:
            raise Declined(REFUSALS_BY_URGENCY["watching"])
        self._waiting += 1
        try:
            async with self._lock:
                return await asyncio.to_thread(make, *how)
        finally:
            self._waiting -= 1
