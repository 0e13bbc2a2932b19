"""A queue for something costly: one after another, network by network, and so many waiting at most."""

from __future__ import annotations

import asyncio
import contextlib
from collections import deque
from collections.abc import AsyncIterator, Callable
from typing import Any, Final, TypeVar

from ...wire.host_refusals import Declined
from .load_shedding import REFUSALS_BY_URGENCY

MOST_QUEUED: Final = 32
"""Those who wait in one queue; beyond that people are told to come back later."""
Made = TypeVar("Made")


class CostlyQueue:
    """One queue: what is made there keeps one thread busy, whoever asks.

    The networks of those who wait have their turns one after another, so that whoever asks often waits for themselves.
    In a full queue the network with the most makes room for one that has fewer.
    """

    def __init__(self) -> None:
        self._waiting: dict[str, deque[asyncio.Future[None]]] = {}  # by network, the next one first
        self._is_taken = False

    def __len__(self) -> int:
        return sum(map(len, self._waiting.values()))

    async def make(self, network: str, make: Callable[..., Made], *how: Any) -> Made:
        """Have something made in a thread when its turn has come. Raises Declined where too many wait already."""
        async with self.turn(network):
            return await asyncio.to_thread(make, *how)

    @contextlib.asynccontextmanager
    async def turn(self, network: str) -> AsyncIterator[None]:
        """When its turn has come, and as long as it takes. Raises Declined where too many wait already."""
        if self._is_taken:
            await self._wait(network)
        self._is_taken = True
        try:
            yield
        finally:
            self._pass_on()

    async def _wait(self, network: str) -> None:
        if len(self) >= MOST_QUEUED:
            self._make_room(network)
        place = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(network, deque()).append(place)
        try:
            await place
        except asyncio.CancelledError:
            if place.cancelled():
                self._remove(network, place)
            elif place.exception() is None:  # its turn came in the same moment
                self._pass_on()
            raise

    def _make_room(self, network: str) -> None:
        """Send away whoever came last from the network with the most. Raises Declined where none has more."""
        refused = Declined(REFUSALS_BY_URGENCY["watching"])
        crowded = max(self._waiting, key=lambda other: len(self._waiting[other]))
        if len(self._waiting[crowded]) <= len(self._waiting.get(network, ())) + 1:
            raise refused
        place = self._waiting[crowded][-1]
        self._remove(crowded, place)
        if not place.done():
            place.set_exception(refused)

    def _remove(self, network: str, place: asyncio.Future[None]) -> None:
        places = self._waiting.get(network, deque())
        if place in places:
            places.remove(place)
            if not places:
                del self._waiting[network]

    def _pass_on(self) -> None:
        """The next one's turn, of another network if one waits."""
        while self._waiting:
            network = next(iter(self._waiting))
            places = self._waiting.pop(network)
            place = places.popleft()
            if places:
                self._waiting[network] = places
            if not place.done():
                place.set_result(None)
                return
        self._is_taken = False
