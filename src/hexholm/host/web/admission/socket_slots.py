"""Who has a socket when nearly all are taken: a person at a running game gets in, whoever has filled the house.

When the usual sockets are taken, whoever comes takes the place of one of the network that has most of them, if that is
more than its own network has: few networks with silent sockets shut nobody out.

The last sockets are for people at games that go on, one for each seat. When these are taken too, whoever has most makes
room: a network that holds more sockets than that of the newcomer, within one network somebody who only looks, or a
guest with more sockets than the newcomer. So nobody is shut out by silent sockets at games of somebody else. A few are
kept free for those who have not said yet who they are; of them, too, the network with the most makes room.

Whoever comes to a full house costs little: the network with the most is known, and only its sockets are looked through.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
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


class SlotsByNetwork:
    """Sockets by their network, in their order; which network has most is known without looking at all of them."""

    def __init__(self) -> None:
        self._by_network: defaultdict[str, dict[SocketSlot, None]] = defaultdict(dict)
        self._networks_by_size: defaultdict[int, dict[str, None]] = defaultdict(dict)
        self._largest_size = self._total = 0

    def __len__(self) -> int:
        return self._total

    def of(self, network: str) -> dict[SocketSlot, None]:
        """Those of one network."""
        return self._by_network.get(network, {})

    @property
    def largest(self) -> dict[SocketSlot, None]:
        """Those of the network with the most; none where there are none."""
        return self._by_network[next(iter(self._networks_by_size[self._largest_size]))] if self._total else {}

    def add(self, slot: SocketSlot) -> None:
        """One more."""
        slots = self._by_network[slot.network]
        slots[slot] = None
        self._total += 1
        self._move(slot.network, len(slots) - 1, len(slots))
        self._largest_size = max(self._largest_size, len(slots))

    def remove(self, slot: SocketSlot) -> None:
        """One less; nothing where it is not among them."""
        slots = self.of(slot.network)
        if slot not in slots:
            return
        del slots[slot]
        self._total -= 1
        self._move(slot.network, len(slots) + 1, len(slots))
        if self._largest_size not in self._networks_by_size:
            self._largest_size -= 1
        if not slots:
            del self._by_network[slot.network]

    def _move(self, network: str, before: int, after: int) -> None:
        if before:
            del self._networks_by_size[before][network]
            if not self._networks_by_size[before]:
                del self._networks_by_size[before]
        if after:
            self._networks_by_size[after][network] = None


class SocketSlots:
    """All sockets of a server."""

    def __init__(self, limits: Limits) -> None:
        reserved = limits.sockets_reserved
        self._usual, self._most = limits.sockets, limits.sockets + reserved
        self._most_admitted = self._most - min(reserved, max(1, reserved // GREETERS))
        self._greeting, self._admitted = SlotsByNetwork(), SlotsByNetwork()
        self._common = SlotsByNetwork()
        """The usual ones, greeted or not."""
        self._reserved_by_seat: dict[tuple[str, Color], SocketSlot] = {}

    def __len__(self) -> int:
        return len(self._greeting) + len(self._admitted)

    def enter(self, slot: SocketSlot) -> None:
        """A socket was opened. Raises Declined where there is no room, not even for those who play."""
        if len(self) >= self._most:
            crowd = self._greeting.largest
            if len(crowd) <= len(self._greeting.of(slot.network)) + 1:
                raise Declined(NO_ROOM)
            self._dismiss(next(iter(crowd)))
        slot.is_reserved = len(self) >= self._usual
        self._greeting.add(slot)
        if not slot.is_reserved:
            self._common.add(slot)

    def admit(self, slot: SocketSlot, urgency: Urgency, guest_id: str, seat: tuple[str, Color] | None) -> None:
        """It has greeted. Raises Declined where there is no room for it; then it is to be closed."""
        if slot not in self._greeting.of(slot.network):  # dismissed meanwhile
            raise Declined(NO_ROOM)
        if slot.is_reserved and (urgency != "playing" or seat is None):
            self._dismiss(self._least_common(slot.network))
            slot.is_reserved = False
            self._common.add(slot)
        elif slot.is_reserved and seat is not None:
            if (earlier := self._reserved_by_seat.get(seat)) is not None:
                self._dismiss(earlier)
            elif len(self._admitted) >= self._most_admitted:
                self._dismiss(self._least(slot.network, guest_id))
            self._reserved_by_seat[seat] = slot
        self._greeting.remove(slot)
        slot.urgency, slot.guest_id, slot.seat = urgency, guest_id, seat
        self._admitted.add(slot)

    def leave(self, slot: SocketSlot) -> None:
        """It has ended. A second call does nothing."""
        for slots in (self._greeting, self._admitted, self._common):
            slots.remove(slot)
        if slot.seat is not None and self._reserved_by_seat.get(slot.seat) is slot:
            del self._reserved_by_seat[slot.seat]

    def _dismiss(self, slot: SocketSlot) -> None:
        self.leave(slot)
        slot.dismiss(NO_ROOM)

    def _least_common(self, network: str) -> SocketSlot:
        """Who makes room for somebody who plays nothing yet. Raises Declined where no network has more."""
        crowd = self._common.largest
        if len(crowd) <= len(self._common.of(network)) + 1:
            raise Declined(NO_ROOM)
        return _least_of(crowd, _sockets_by_guest(crowd))

    def _least(self, network: str, guest_id: str) -> SocketSlot:
        """Who makes room for a player of this network. Raises Declined where nobody has more than is fair."""
        own, crowd = self._admitted.of(network), self._admitted.largest
        is_larger = len(crowd) > len(own) + 1
        candidates = crowd if is_larger else own
        if not candidates:
            raise Declined(NO_ROOM)
        sockets = _sockets_by_guest(candidates)
        least = _least_of(candidates, sockets)
        has_more = sockets[least.guest_id] > sockets[guest_id] + 1
        if is_larger or least.urgency != "playing" or has_more:
            return least
        raise Declined(NO_ROOM)


def least_for(
    slots: dict[SocketSlot, None], urgency: Urgency, guest_id: str, seat: tuple[str, Color] | None
) -> SocketSlot | None:
    """Who makes room among sockets that have greeted, for one that greets; None: nobody has less need of it.

    That is another socket of the same seat, whoever is less urgent, or a guest with more sockets.
    """
    if seat is not None and (own := next((slot for slot in slots if slot.seat == seat), None)) is not None:
        return own
    if not slots:
        return None
    sockets = _sockets_by_guest(slots)
    least = _least_of(slots, sockets)
    is_less_urgent = URGENCIES.index(least.urgency or "watching") < URGENCIES.index(urgency)
    return least if is_less_urgent or sockets[least.guest_id] > sockets[guest_id] + 1 else None


def _sockets_by_guest(slots: Iterable[SocketSlot]) -> Counter[str]:
    """How many of these each guest has."""
    return Counter(slot.guest_id for slot in slots)


def _least_of(slots: dict[SocketSlot, None], sockets: Counter[str]) -> SocketSlot:
    """Who goes first of these: whoever only looks, then the guest with the most, then who came last."""

    def worth(slot: SocketSlot) -> tuple[int, int]:
        return URGENCIES.index(slot.urgency or "watching"), -sockets[slot.guest_id]

    return min(reversed(slots), key=worth)
