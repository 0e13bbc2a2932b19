"""Who has a socket when nearly all are taken."""

from __future__ import annotations

import contextlib
import random
from collections import Counter
from dataclasses import replace
from itertools import count
from typing import Any

import pytest

from hexholm.host.web.admission.connections import Connections
from hexholm.host.web.admission.limits import Limits
from hexholm.host.web.admission.load_shedding import Urgency
from hexholm.host.web.admission.socket_slots import SlotsByNetwork, SocketSlot, SocketSlots
from hexholm.host.wire.host_refusals import Declined

NUMBERS = count()


class House:
    """Sockets of a house, and those that were sent away."""

    def __init__(self, sockets: int, reserved: int) -> None:
        self.slots = SocketSlots(replace(Limits(), sockets=sockets, sockets_reserved=reserved))
        self.dismissed: list[SocketSlot] = []

    def open(self, network: str) -> SocketSlot:
        """A socket that has not greeted."""
        slot = SocketSlot(network, lambda _: self.dismissed.append(slot))
        self.slots.enter(slot)
        return slot

    def greet(self, network: str, guest: str = "", *, urgency: Urgency = "playing", table: str = "") -> SocketSlot:
        """A socket of a guest, at a table of its own unless there is one; sent away, it leaves."""
        slot = self.open(network)
        try:
            self.slots.admit(slot, urgency, guest or f"guest {next(NUMBERS)}", (table or f"{next(NUMBERS)}", "red"))
        except Declined:
            self.slots.leave(slot)
            raise
        return slot


def test_many_networks_at_games_of_their_own_shut_nobody_out() -> None:
    house = House(sockets=100, reserved=20)
    for number in range(200):
        try:
            house.greet(f"network {number % 11}")
        except Declined:
            assert number > 100
    honest = house.greet("elsewhere")
    assert honest not in house.dismissed
    assert len(house.dismissed) == 1
    for number in range(200):  # nor do they push anybody out who has come in
        with pytest.raises(Declined):
            house.greet(f"network {number % 11}")
    assert honest not in house.dismissed


@pytest.mark.parametrize(
    "limit, away, here",
    [
        ("sockets_per_address", "203.0.113.7", "203.0.113.7"),
        ("sockets_per_network", "203.0.113.8", "203.0.113.7"),
    ],
)
def test_a_neighbor_with_silent_sockets_shuts_nobody_out(limit: str, away: str, here: str) -> None:
    """256 without a cookie kept a player at a running game behind the same address out."""
    only: dict[str, Any] = {limit: 20}
    connections, numbers = Connections(replace(Limits.none(), **only)), count()
    dismissed: list[SocketSlot] = []
    with contextlib.ExitStack() as stack:

        def open_socket(address: str, guest: str) -> SocketSlot:
            slot = SocketSlot("203.0.113.0/24", lambda _: dismissed.append(slot))
            stack.enter_context(connections.of_socket(slot, address, guest))
            return slot

        def greet(address: str, urgency: Urgency, guest: str = "", seat: str = "") -> SocketSlot:
            guest = guest or f"guest {next(numbers)}"
            slot = open_socket(address, guest)
            connections.admit(slot, urgency, guest, (seat, "red") if seat else None)
            return slot

        silent = [open_socket(away, f"silent {number}") for number in range(40)]
        assert dismissed == silent[:18]  # the oldest first, and two more than usual are open
        watchers = [greet(away, "watching") for _ in range(20)]
        with pytest.raises(Declined):
            greet(away, "watching")
        del dismissed[:]
        players = [greet(here, "playing", seat=f"table {number}") for number in range(20)]
        assert set(watchers) <= set(dismissed)
        assert not set(players) & set(dismissed)
        for urgency in ("watching", "new", "playing"):  # one for each seat stays
            with pytest.raises(Declined):
                greet(away, urgency, seat="" if urgency == "watching" else "another table")
        again = greet(here, "playing", seat="table 7")
        assert players[7] in dismissed
        assert again not in dismissed
        assert not set(players[:7] + players[8:]) & set(dismissed)
    assert not any(map(len, (connections.by_guest, connections.by_address, connections.by_network)))


def test_in_one_network_whoever_has_more_makes_room() -> None:
    house = House(sockets=3, reserved=2)
    eves = [house.greet("here", "eve") for _ in range(4)]
    ann = house.greet("here", "ann")
    assert house.dismissed == [eves[-1]]
    house.greet("here", "bob")
    assert house.dismissed == [eves[3], eves[2]]
    with pytest.raises(Declined):
        house.greet("here", "eve")
    assert ann not in house.dismissed


def test_who_only_looks_makes_room_for_who_plays() -> None:
    house = House(sockets=2, reserved=2)
    watcher = house.greet("here", urgency="watching")
    house.greet("here", urgency="new")
    for _ in range(2):
        house.greet("here")
    assert house.dismissed == [watcher]
    with pytest.raises(Declined):
        house.greet("there", urgency="watching")


def test_a_seat_has_one_reserved_socket_and_a_later_one_takes_its_place() -> None:
    house = House(sockets=1, reserved=10)
    house.greet("here", "ann", table="t")
    second, third = (house.greet("here", "ann", table="t") for _ in range(2))
    assert house.dismissed == [second]
    house.slots.leave(second)  # which ends later
    house.greet("here", "ann", table="t")
    assert house.dismissed == [second, third]
    assert len(house.slots) == 2


def test_sockets_that_do_not_greet_shut_nobody_out() -> None:
    house = House(sockets=4, reserved=4)
    silent = [house.open("there") for _ in range(8)]
    with pytest.raises(Declined):
        house.open("there")
    ann = house.greet("here", "ann")
    assert house.dismissed == silent[:1]
    assert ann not in house.dismissed
    with pytest.raises(Declined):  # one that was sent away while it greeted comes too late
        house.slots.admit(silent[0], "playing", "eve", ("t", "red"))


def test_what_has_ended_leaves_nothing() -> None:
    house = House(sockets=2, reserved=2)
    slots = [house.greet("here", "ann", table="t") for _ in range(3)]
    for slot in (*slots, *slots):
        house.slots.leave(slot)
    assert len(house.slots) == 0
    assert not vars(house.slots)["_reserved_by_seat"]
    for slots_by_network in ("_greeting", "_admitted", "_common"):
        slots = vars(house.slots)[slots_by_network]
        assert len(slots) == 0
        assert slots.largest == {}
        assert not any(vars(slots).values())


def test_few_networks_with_silent_sockets_shut_nobody_out() -> None:
    house = House(sockets=100, reserved=20)
    for number in range(100):
        house.greet(f"network {number % 10}", urgency="watching" if number % 2 else "playing")
    urgencies: tuple[Urgency, Urgency] = ("watching", "new")
    honest = [house.greet("elsewhere", urgency=urgencies[number % 2]) for number in range(8)]
    assert not set(honest) & set(house.dismissed)
    assert len(house.dismissed) == 8
    assert len({slot.network for slot in house.dismissed}) == 8  # one after another of those with the most
    house.greet("elsewhere", urgency="watching")
    with pytest.raises(Declined):  # all have nine or more: none has more than is fair
        house.greet("elsewhere", urgency="watching")
    with pytest.raises(Declined):  # nor do they come back in its place
        house.greet("network 0", urgency="watching")
    assert not set(honest) & set(house.dismissed)


def test_in_a_crowded_network_those_who_have_not_greeted_and_those_who_look_make_room_first() -> None:
    house = House(sockets=4, reserved=4)
    player, watcher = house.greet("there"), house.greet("there", urgency="watching")
    new, silent = house.greet("there", urgency="new"), house.open("there")
    house.greet("here", urgency="watching")
    house.greet("over here", urgency="new")
    assert house.dismissed == [silent, watcher]
    assert player not in house.dismissed
    assert new not in house.dismissed


def test_a_reserved_socket_makes_no_room_for_who_only_looks() -> None:
    house = House(sockets=2, reserved=8)
    for network in ("one", "two"):
        house.greet(network, urgency="watching")
    for _ in range(4):
        house.greet("there")
    with pytest.raises(Declined):
        house.greet("here", urgency="watching")
    assert house.dismissed == []


def test_which_network_has_most_is_known_whoever_comes_and_goes() -> None:
    pick, slots = random.Random(7), SlotsByNetwork()
    present: list[SocketSlot] = []
    for _ in range(2000):
        if present and pick.random() < 0.5:
            slots.remove(present.pop(pick.randrange(len(present))))
        else:
            present.append(SocketSlot(f"network {pick.randrange(6)}", lambda _: None))
            slots.add(present[-1])
        sizes = Counter(slot.network for slot in present)
        assert len(slots) == len(present)
        assert len(slots.largest) == max(sizes.values(), default=0)
