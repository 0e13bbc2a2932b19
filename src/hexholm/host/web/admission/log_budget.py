"""How much one guest, one address and one network may have written to the database, in bytes."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

from ...tables.running.log_size import BESIDE_TEXT
from ...wire.host_refusals import Declined
from .counted_origin import counted_network
from .limits import Buckets, Limits


class LogBudget:
    """What is left of it, by guest, address and network."""

    def __init__(self, limits: Limits) -> None:
        self._of_guest = Buckets(limits.log_of_guest)
        self._of_address = Buckets(limits.log_of_address)
        self._of_network = Buckets(limits.log_of_network)

    @contextlib.contextmanager
    def spending(self, guest_id: str, address: str, size: int, *, moves_game: bool = False) -> Iterator[None]:
        """Count what a command, a seat or a table of so many bytes may add to the database, unless it is refused.

        Raises Declined if that is too much by now; `moves_game`: only of its guest, whatever its neighbors write.
        """
        cost = BESIDE_TEXT + size
        by_neighbors = (self._of_address, address), (self._of_network, counted_network(address))
        spent: list[tuple[Buckets, str]] = []
        try:
            for bucket, key in ((self._of_guest, guest_id), *by_neighbors):
                if bucket.spend(key, cost):
                    spent.append((bucket, key))
                elif not moves_game or bucket is self._of_guest:
                    raise Declined.because("too_much_written")
            yield
        except Declined:  # nothing was written
            for bucket, key in spent:
                bucket.give_back(key, cost)
            raise
