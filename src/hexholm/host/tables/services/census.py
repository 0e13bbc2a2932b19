"""The census: how many tables are not over, who has set them up, and from where; counted as they come and go.

Whoever asks for one more table is looked up here. To count anew each time would take longer the fuller the house is.
A network *takes part* in a table that was set up from there, or at whose game somebody has moved from there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from hexholm.rules.colors import Color


class GuestOrigin(NamedTuple):
    """From where somebody came, as limits count it. It is kept in memory alone."""

    address: str
    network: str


class Census:
    """Tables that are not over. Those who come back after a restart have no origin until their creator looks."""

    def __init__(self) -> None:
        self._creators: dict[str, str] = {}
        self._origins: dict[str, GuestOrigin] = {}
        self._playing_on: set[str] = set()  # tables whose games go on when nobody is there
        self._movers: dict[str, dict[Color, str]] = {}  # by table: the network from which a seat moved last
        self._looking_from: dict[str, dict[Color, str]] = {}  # by table: the network from which a seat looked last
        self._taking_part: dict[str, set[str]] = {}  # by table: networks
        self._parts: Counter[str] = Counter()  # in how many tables a network takes part
        self.by_guest: Counter[str] = Counter()
        self.by_address: Counter[str] = Counter()
        self.by_network: Counter[str] = Counter()
        self.playing_on_by_network: Counter[str] = Counter()
        self.playing_on_by_address: Counter[str] = Counter()

    def __len__(self) -> int:
        return len(self._creators)

    def add(self, table_id: str, creator: str, *, plays_on: bool = False) -> None:
        """A table is there; `plays_on`: its game goes on when nobody is."""
        if table_id not in self._creators:
            if plays_on:
                self._playing_on.add(table_id)
            self._creators[table_id] = creator
            self.by_guest[creator] += 1

    def remove(self, table_id: str) -> None:
        """It is over, or gone."""
        creator = self._creators.pop(table_id, None)
        if creator is not None:
            _count_down(self.by_guest, creator)
        origin = self._origins.pop(table_id, None)
        if origin is not None:
            _count_down(self.by_address, origin.address)
            _count_down(self.by_network, origin.network)
            if table_id in self._playing_on:
                _count_down(self.playing_on_by_network, origin.network)
                _count_down(self.playing_on_by_address, origin.address)
        self._playing_on.discard(table_id)
        self._movers.pop(table_id, None)
        self._looking_from.pop(table_id, None)
        for network in self._taking_part.pop(table_id, ()):
            _count_down(self._parts, network)

    def set_origin(self, table_id: str, origin: GuestOrigin) -> None:
        """From where a table was set up, or its creator looks for the first time since the start."""
        if table_id in self._creators and table_id not in self._origins:
            self._origins[table_id] = origin
            self.by_address[origin.address] += 1
            self.by_network[origin.network] += 1
            self._add_part(table_id, origin.network)
            if table_id in self._playing_on:
                self.playing_on_by_network[origin.network] += 1
                self.playing_on_by_address[origin.address] += 1

    def record_move(self, table_id: str, color: Color, network: str) -> None:
        """The person of a seat has moved in a game."""
        if table_id in self._creators:
            self._movers.setdefault(table_id, {})[color] = network
            self._add_part(table_id, network)

    def movers(self, table_id: str) -> dict[Color, str]:
        """The networks from which seats have moved since the start, as far as they have."""
        return self._movers.get(table_id, {})

    def record_look(self, table_id: str, color: Color, network: str) -> None:
        """The person of a seat looks at the table."""
        if table_id in self._creators:
            self._looking_from.setdefault(table_id, {})[color] = network

    def network_of_seat(self, table_id: str, color: Color) -> str | None:
        """From which network the person of a seat moved last, or else looked; None: that is not known."""
        looking_from = self._looking_from.get(table_id, {}).get(color)
        return self.movers(table_id).get(color, looking_from)

    def tables_from(self, origin: GuestOrigin, *, by_address: bool) -> Iterator[str]:
        """The tables that were set up from an address, or a network."""
        for table_id, other in self._origins.items():
            if other == origin if by_address else other.network == origin.network:
                yield table_id

    def plays_on(self, table_id: str) -> bool:
        """Whether the game of a table goes on when nobody is there."""
        return table_id in self._playing_on

    def network(self, table_id: str) -> str:
        """From which network a table comes; where that is not known its creator stands for it."""
        origin = self._origins.get(table_id)
        return f"guest {self._creators.get(table_id, '')}" if origin is None else origin.network

    def tables_of_network(self, table_id: str) -> int:
        """In how many tables that network takes part which, of those that take part in this one, does so in fewest.

        So who fills the house makes few tables look like those of somebody with few. Where no network is known it is
        the number of tables of the creator.
        """
        networks = self._taking_part.get(table_id)
        if networks is None:
            return self.tables_of_creator(table_id)
        return min(self._parts[network] for network in networks)

    def tables_of_address(self, table_id: str) -> int:
        """How many tables were set up from the address from which this one was."""
        return self.by_address[self._origins[table_id].address] if table_id in self._origins else 0

    def playing_on_of_address(self, table_id: str) -> int:
        """How many of them go on when nobody is there."""
        return self.playing_on_by_address[self._origins[table_id].address] if table_id in self._origins else 0

    def tables_of_creator(self, table_id: str) -> int:
        """How many tables the guest has who set up this one."""
        return self.by_guest[self._creators.get(table_id, "")]

    def _add_part(self, table_id: str, network: str) -> None:
        networks = self._taking_part.setdefault(table_id, set())
        if network not in networks:
            networks.add(network)
            self._parts[network] += 1


def _count_down(counts: Counter[str], key: str) -> None:
    counts[key] -= 1
    if counts[key] <= 0:
        del counts[key]
