"""The census: how many tables are not over, who has set them up, and from where; counted as they come and go.

Whoever asks for one more table is looked up here. To count anew each time would take longer the fuller the house is.
"""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple


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
        self.by_guest: Counter[str] = Counter()
        self.by_address: Counter[str] = Counter()
        self.by_network: Counter[str] = Counter()
        self.playing_on_by_network: Counter[str] = Counter()

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
            _take_one(self.by_guest, creator)
        origin = self._origins.pop(table_id, None)
        if origin is not None:
            _take_one(self.by_address, origin.address)
            _take_one(self.by_network, origin.network)
            if table_id in self._playing_on:
                _take_one(self.playing_on_by_network, origin.network)
        self._playing_on.discard(table_id)

    def set_origin(self, table_id: str, origin: GuestOrigin) -> None:
        """From where a table was set up, or its creator looks for the first time since the start."""
        if table_id in self._creators and table_id not in self._origins:
            self._origins[table_id] = origin
            self.by_address[origin.address] += 1
            self.by_network[origin.network] += 1
            if table_id in self._playing_on:
                self.playing_on_by_network[origin.network] += 1

    def network(self, table_id: str) -> str:
        """From which network a table comes; where that is not known its creator stands for it."""
        origin = self._origins.get(table_id)
        return f"guest {self._creators.get(table_id, '')}" if origin is None else origin.network

    def tables_of_network(self, table_id: str) -> int:
        """How many tables the network has from which this one comes."""
        origin = self._origins.get(table_id)
        return self.by_guest[self._creators.get(table_id, "")] if origin is None else self.by_network[origin.network]


def _take_one(counts: Counter[str], key: str) -> None:
    counts[key] -= 1
    if counts[key] <= 0:
        del counts[key]
