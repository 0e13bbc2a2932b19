"""Who has a socket when nearly all are taken: a person at a running game gets in, whoever has filled the house.

The last sockets are for people at games that go on, one for each seat. When these are taken too, whoever has most makes
room: a network that holds more sockets than that of the newcomer, within one network somebody who only looks, or a
guest with more sockets than the newcomer. So nobody is shut out by silent sockets at games of somebody else. A few are
kept free for those who have not said yet who they are; of them, too, the network with the most makes room.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from typing import Final

from hexholm.rules.colors import Color

from ...wire.host_refusals import Declined, Refusal
from .limits import Limits
from .load_shedding import Urgency

GREETERS: Final = 10
"""One in so many of the sockets for people at running games is kept for those who have not greeted yet."""
URGENCIES: Final[tuple[Urgency, ...]] = ("watching", "new", "playing")
"""The least urgent first."""
NO_ROOM: Final = Refusal.because("too_many_connections")


class SocketSlot:
    """The place of one socket, from its opening to its end. `dismiss` closes it, with the reason."""

    __slots__ = ("dismiss", "guest_id", "is_reserved", "network", "seat", "urgency")

    def __init__(self, network: str, dismiss: Callable[[Refusal], None]) -> None:
        self.network, self.dismiss = network, dismiss
        self.is_reserved = False
        """Whether it is one of those for people at running games."""
        self.urgency: Urgency | None = None
        """None: it has not greeted yet."""
        self.guest_id = ""
        self.seat: tuple[str, Color] | None = None
        """The table and the color of who plays there."""


class SocketSlots:
    """All sockets of a server."""

    def __init__(self, limits: Limits) -> None:
        reserved = limits.sockets_reserved
        self._usual, self._most = limits.sockets, limits.sockets + reserved
        self._most_admitted = self._most - min(reserved, max(1, reserved // GREETERS))
        self._greeting: defaultdict[str, dict[SocketSlot, None]] = defaultdict(dict)  # by network, in their order
        self._admitted: defaultdict[str, dict[SocketSlot, None]] = defaultdict(dict)
        self._n_greeting = self._n_admitted = 0
        self._reserved_by_seat: dict[tuple[str, Color], SocketSlot] = {}

    def __len__(self) -> int:
        return self._n_greeting + self._n_admitted

    def enter(self, slot: SocketSlot) -> None:
        """A socket was opened. Raises Declined where there is no room, not even for those who play."""
        if len(self) >= self._most:
            crowd = max(self._greeting.values(), key=len, default={})
            if len(crowd) <= len(self._greeting.get(slot.network, ())) + 1:
                raise Declined(NO_ROOM)
            self._dismiss(next(iter(crowd)))
        slot.is_reserved = len(self) >= self._usual
        self._greeting[slot.network][slot] = None
        self._n_greeting += 1

    def admit(self, slot: SocketSlot, urgency: Urgency, guest_id: str, seat: tuple[str, Color] | None) -> None:
        """It has greeted. Raises Declined where there is no room for it; then it is to be closed."""
        if slot not in self._greeting.get(slot.network, ()):  # dismissed meanwhile
            raise Declined(NO_ROOM)
        if slot.is_reserved:
            if urgency != "playing" or seat is None:
                raise Declined(NO_ROOM)
            if (earlier := self._reserved_by_seat.get(seat)) is not None:
                self._dismiss(earlier)
            elif self._n_admitted >= self._most_admitted:
                self._dismiss(self._least(slot.network, guest_id))
            self._reserved_by_seat[seat] = slot
        self._take_out(slot)
        slot.urgency, slot.guest_id, slot.seat = urgency, guest_id, seat
        self._admitted[slot.network][slot] = None
        self._n_admitted += 1

    def leave(self, slot: SocketSlot) -> None:
        """It has ended. A second call does nothing."""
        self._take_out(slot)
        if slot.seat is not None and self._reserved_by_seat.get(slot.seat) is slot:
            del self._reserved_by_seat[slot.seat]

    def _take_out(self, slot: SocketSlot) -> None:
        for slots_by_network in (self._greeting, self._admitted):
            slots = slots_by_network.get(slot.network)
            if slots is None or slot not in slots:
                continue
            del slots[slot]
            if not slots:
                del slots_by_network[slot.network]
            if slots_by_network is self._greeting:
                self._n_greeting -= 1
            else:
                self._n_admitted -= 1

    def _dismiss(self, slot: SocketSlot) -> None:
        self.leave(slot)
        slot.dismiss(NO_ROOM)

    def _least(self, network: str, guest_id: str) -> SocketSlot:
        """Who makes room for a player of this network. Raises Declined where nobody has more than is fair."""
        own = self._admitted.get(network, {})
        crowd = max(self._admitted.values(), key=len, default=own)
        is_larger = len(crowd) > len(own) + 1
        sockets_by_guest: defaultdict[str, int] = defaultdict(int)
        candidates = crowd if is_larger else own
        for slot in candidates:
            sockets_by_guest[slot.guest_id] += 1

        def worth(slot: SocketSlot) -> tuple[int, int]:
            return URGENCIES.index(slot.urgency or "watching"), -sockets_by_guest[slot.guest_id]

        least = min(reversed(candidates), key=worth, default=None)
        if least is None:
            raise Declined(NO_ROOM)
        has_more = sockets_by_guest[least.guest_id] > sockets_by_guest.get(guest_id, 0) + 1
        if is_larger or least.urgency != "playing" or has_more:
            return least
        raise Declined(NO_ROOM)
