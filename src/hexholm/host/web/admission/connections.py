"""How many connections a guest, an address and a network may hold: sockets, and calls of assistants, which may wait.

Each connection is an open file, so both are counted together. A call that waits takes one of the sockets of the house
too, by the same rules as a socket.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from typing import Final

from hexholm.rules.colors import Color

from ...tables.running.runner import TableRunner
from ...tables.seats import Guest
from ...wire.host_refusals import Declined, Refusal
from .counted_origin import counted_network
from .limits import UNLIMITED, Limits, Slots
from .load_shedding import Urgency
from .socket_slots import GREETERS, SocketSlot, SocketSlots, least_for

CROWDED: Final = Refusal.because("address_connections")


class Neighbors:
    """The connections of each address, or of each network, and the sockets among them: these make room.

    A few places more than there are are for sockets that have not greeted yet. The oldest of these goes first, so that
    silent ones keep nobody from saying who it is.
    """

    def __init__(self, most: int) -> None:
        self.slots = Slots(most)
        self._greeters = max(1, most // GREETERS)
        self._sockets: dict[str, dict[SocketSlot, None]] = {}

    def enter(self, key: str, slot: SocketSlot | None) -> SocketSlot | None:
        """One more connection, of a socket or of a call; who makes room for it, if somebody must. Raises Declined."""
        leaving = None
        if not self.slots.occupy(key, 0 if slot is None else self._greeters):
            leaving = next((other for other in self._sockets.get(key, ()) if other.urgency is None), None)
            if leaving is None:
                raise Declined(CROWDED)
            self.slots.occupy(key, UNLIMITED)  # until the other leaves, in the same moment
        if slot is not None:
            self._sockets.setdefault(key, {})[slot] = None
        return leaving

    def find_room(self, key: str, urgency: Urgency, guest_id: str, seat: tuple[str, Color] | None) -> SocketSlot | None:
        """Who makes room for a socket that greets, if somebody must. Raises Declined."""
        if self.slots.count(key) <= self.slots.most:
            return None
        greeted = {slot: None for slot in self._sockets[key] if slot.urgency is not None}
        greeting = len(self._sockets[key]) - len(greeted)
        if self.slots.count(key) - greeting < self.slots.most:
            return None
        leaving = least_for(greeted, urgency, guest_id, seat)
        if leaving is None:
            raise Declined(CROWDED)
        return leaving

    def leave(self, key: str, slot: SocketSlot | None) -> None:
        """A connection has ended."""
        self.slots.vacate(key)
        if slot is not None:
            del self._sockets[key][slot]
            if not self._sockets[key]:
                del self._sockets[key]


class Connections:
    """All connections that are counted at one server."""

    def __init__(self, limits: Limits) -> None:
        self.by_guest = Slots(limits.sockets_per_guest)
        self._of_address, self._of_network = (
            Neighbors(limits.sockets_per_address),
            Neighbors(limits.sockets_per_network),
        )
        self.by_address, self.by_network = self._of_address.slots, self._of_network.slots
        self.socket_slots = SocketSlots(limits)
        self._addresses: dict[SocketSlot, str] = {}
        """Of the sockets that nobody has sent away."""

    @contextlib.contextmanager
    def of_address(self, address: str) -> Iterator[None]:
        """While a call is there. Raises Declined if it is one too many."""
        self._enter(address, None)
        try:
            yield
        finally:
            self._leave(address, None)

    @contextlib.contextmanager
    def of_socket(self, slot: SocketSlot, address: str, guest_id: str) -> Iterator[None]:
        """While a socket is there. Raises Declined if it is one too many."""
        if not self.by_guest.occupy(guest_id):
            raise Declined.because("too_many_connections")
        try:
            self._enter(address, slot)
            self._addresses[slot] = address
            self.socket_slots.enter(slot)
            yield
        finally:
            self._end(slot)
            self.by_guest.vacate(guest_id)

    def admit(self, slot: SocketSlot, urgency: Urgency, guest_id: str, seat: tuple[str, Color] | None) -> None:
        """A socket has greeted. Raises Declined where there is no room for it; then it is to be closed."""
        leaving = None
        if (address := self._addresses.get(slot)) is not None:
            for neighbors, key in self._neighbors(address):  # who leaves an address leaves its network, too
                leaving = leaving or neighbors.find_room(key, urgency, guest_id, seat)
        self.socket_slots.admit(slot, urgency, guest_id, seat)
        self._dismiss(leaving)

    def _neighbors(self, address: str) -> tuple[tuple[Neighbors, str], ...]:
        return (self._of_address, address), (self._of_network, counted_network(address))

    def _enter(self, address: str, slot: SocketSlot | None) -> None:
        entered = []
        try:
            for neighbors, key in self._neighbors(address):
                leaving = neighbors.enter(key, slot)
                entered.append((neighbors, key))
                self._dismiss(leaving)
        except Declined:
            for neighbors, key in entered:
                neighbors.leave(key, slot)
            raise

    def _leave(self, address: str, slot: SocketSlot | None) -> None:
        for neighbors, key in self._neighbors(address):
            neighbors.leave(key, slot)

    def _end(self, slot: SocketSlot) -> None:
        """Its places are free; a second call does nothing."""
        self.socket_slots.leave(slot)
        if (address := self._addresses.pop(slot, None)) is not None:
            self._leave(address, slot)

    def _dismiss(self, slot: SocketSlot | None) -> None:
        if slot is not None and slot in self._addresses:
            self._end(slot)
            slot.dismiss(CROWDED)

    @contextlib.contextmanager
    def of_waiting_call(
        self, runner: TableRunner, guest: Guest, address: str, dismiss: Callable[[Refusal], None]
    ) -> Iterator[None]:
        """While a call waits, whose address is counted already; `dismiss` ends it, with the reason. Raises Declined."""
        if not self.by_guest.occupy(guest.id):
            raise Declined.because("too_many_connections")
        slot = SocketSlot(counted_network(address), dismiss)
        seat = None if guest.color is None else (runner.table.id, guest.color)
        try:
            self.socket_slots.enter(slot)
            self.socket_slots.admit(slot, urgency_of(runner, guest), guest.id, seat)
            yield
        finally:
            self.socket_slots.leave(slot)
            self.by_guest.vacate(guest.id)


def urgency_of(runner: TableRunner, guest: Guest) -> Urgency:
    """Whether somebody is at a game that goes on, waits for one to begin, or watches."""
    if guest.color is None:
        return "watching"
    return "playing" if runner.table.status == "playing" else "new"
