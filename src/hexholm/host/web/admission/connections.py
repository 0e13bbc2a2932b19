"""How many connections a guest, an address and a network may hold: sockets, and calls of assistants, which may wait.

Each connection is an open file, so both are counted together. A call that waits takes one of the sockets of the house
too, by the same rules as a socket.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator

from ...tables.running.runner import TableRunner
from ...tables.seats import Guest
from ...wire.host_refusals import Declined, Refusal
from .counted_origin import counted_network
from .limits import Limits, Slots
from .load_shedding import Urgency
from .socket_slots import SocketSlot, SocketSlots


class Connections:
    """All connections that are counted at one server."""

    def __init__(self, limits: Limits) -> None:
        self.by_guest, self.by_address = Slots(limits.sockets_per_guest), Slots(limits.sockets_per_address)
        self.by_network = Slots(limits.sockets_per_network)
        self.socket_slots = SocketSlots(limits)

    @contextlib.contextmanager
    def of_address(self, address: str, guest_id: str | None = None) -> Iterator[None]:
        """While a connection is there; also of a guest, where one is known. Raises Declined if it is one too many."""
        wanted = [(self.by_address, address), (self.by_network, counted_network(address))]
        if guest_id is not None:
            wanted.insert(0, (self.by_guest, guest_id))
        occupied: list[tuple[Slots, str]] = []
        try:
            for slots, key in wanted:
                if not slots.occupy(key):
                    raise Declined.because("too_many_connections" if slots is self.by_guest else "address_connections")
                occupied.append((slots, key))
            yield
        finally:
            for slots, key in occupied:
                slots.vacate(key)

    @contextlib.contextmanager
    def waiting(
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
