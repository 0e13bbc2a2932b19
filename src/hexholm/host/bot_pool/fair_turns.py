"""Whose bots think next, where more of them want to than can: those of the owner who has used least so far.

Served in the order in which they ask, the tables of one guest would keep the bots of all others waiting, the more of
them there are. So thinking time is counted for the network from which a table was set up and for the guest who did,
and what was used long ago counts less and less.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from time import monotonic
from typing import Final, NamedTuple

HALF_LIFE: Final = 60.0
"""Seconds after which thinking time counts half."""
NEGLIGIBLE: Final = 0.001
"""Seconds of thinking time that are as good as none."""
MOST_COUNTED: Final = 2_000
"""Owners after which those who have used as good as nothing are looked for and dropped."""
GUESS: Final = 0.01
"""Seconds that a thought is taken for while it goes on, beside those that its player is given."""


class BotOwner(NamedTuple):
    """For whom a bot thinks. It is told to nobody, least of all to the bot."""

    network: str = ""
    guest_id: str = ""


NO_OWNER: Final = BotOwner()


class UsedTime:
    """Seconds by name, which count half after a while."""

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self._used: dict[str, tuple[float, float]] = {}

    def __getitem__(self, name: str) -> float:
        seconds, at = self._used.get(name, (0.0, 0.0))
        return seconds * 0.5 ** ((self._now() - at) / HALF_LIFE) if seconds else 0.0

    def add(self, name: str, seconds: float) -> None:
        """Count more of it."""
        self._used[name] = max(0.0, self[name] + seconds), self._now()
        if len(self._used) > MOST_COUNTED:
            self._used = {name: entry for name, entry in self._used.items() if self[name] > NEGLIGIBLE}

    def __len__(self) -> int:
        return len(self._used)


@dataclass(slots=True, eq=False)
class _TurnRequest:
    number: int
    owner: BotOwner
    let_in: asyncio.Future[None]


@dataclass(slots=True)
class _Queue:
    """Those who wait, by network and guest, each in the order in which they came."""

    by_network: dict[str, dict[str, deque[_TurnRequest]]] = field(default_factory=dict)

    def add(self, request: _TurnRequest) -> None:
        """One more waits."""
        by_guest = self.by_network.setdefault(request.owner.network, {})
        by_guest.setdefault(request.owner.guest_id, deque()).append(request)

    def discard(self, request: _TurnRequest) -> None:
        """One waits no more."""
        network, guest_id = request.owner
        by_guest = self.by_network.get(network, {})
        if request not in by_guest.get(guest_id, ()):
            return
        by_guest[guest_id].remove(request)
        if not by_guest[guest_id]:
            del by_guest[guest_id]
        if not by_guest:
            del self.by_network[network]


class FairTurns:
    """So many turns at a time; of players who ponder some fewer, so that quick ones do not wait for them."""

    def __init__(self, turns: int, pondering: int, *, now: Callable[[], float] = monotonic) -> None:
        self._free, self._free_to_ponder, self._now = turns, pondering, now
        self._quick, self._ponderers = _Queue(), _Queue()
        self._by_network, self._by_guest = UsedTime(now), UsedTime(now)
        self._count = 0

    @asynccontextmanager
    async def turn(self, owner: BotOwner, given_seconds: float) -> AsyncIterator[None]:
        """A turn for a player who is given so many seconds to think; 0: it needs but a moment."""
        queue = self._ponderers if given_seconds else self._quick
        self._count += 1
        request = _TurnRequest(self._count, owner, asyncio.get_running_loop().create_future())
        queue.add(request)
        self._let_in()
        try:
            await request.let_in
        except asyncio.CancelledError:
            if request.let_in.cancelled():
                queue.discard(request)
            else:  # let in and given up in the same moment
                self._end(given_seconds)
            raise
        guess, began = GUESS + given_seconds, self._now()
        self._use(owner, guess)
        try:
            yield
        finally:
            self._use(owner, self._now() - began - guess)
            self._end(given_seconds)

    def used(self, owner: BotOwner) -> tuple[float, float]:
        """The seconds that its network and its guest have used lately."""
        return self._by_network[owner.network], self._by_guest[owner.guest_id]

    def _use(self, owner: BotOwner, seconds: float) -> None:
        self._by_network.add(owner.network, seconds)
        self._by_guest.add(owner.guest_id, seconds)

    def _end(self, given_seconds: float) -> None:
        self._free += 1
        self._free_to_ponder += bool(given_seconds)
        self._let_in()

    def _let_in(self) -> None:
        while self._free:
            queues = (self._quick, self._ponderers) if self._free_to_ponder else (self._quick,)
            firsts = [(first, queue) for queue in queues if (first := self._first_of(queue)) is not None]
            if not firsts:
                return
            request, queue = min(firsts, key=lambda first: (*self.used(first[0].owner), first[0].number))
            queue.discard(request)
            if request.let_in.cancelled():
                continue
            self._free -= 1
            self._free_to_ponder -= queue is self._ponderers
            request.let_in.set_result(None)

    def _first_of(self, queue: _Queue) -> _TurnRequest | None:
        """The first of the guest who has used least, within the network that has."""
        if not queue.by_network:
            return None

        def first(network: str) -> int:
            return min(requests[0].number for requests in queue.by_network[network].values())

        network = min(queue.by_network, key=lambda name: (self._by_network[name], first(name)))
        by_guest = queue.by_network[network]
        guest_id = min(by_guest, key=lambda name: (self._by_guest[name], by_guest[name][0].number))
        return by_guest[guest_id][0]
