"""Whether a guest may have one more table: of its own, of its address and network, and of all in the house."""

from __future__ import annotations

from typing import Protocol

from ...wire.host_refusals import Declined
from ..services.census import GuestOrigin
from .eviction import IN_ADDRESS, IN_NETWORK, IN_NETWORK_FOR_FEW, MANY, playing_on_room
from .hall import Hall


class TableLimits(Protocol):
    """How many tables there may be that are not over."""

    @property
    def tables_per_guest(self) -> int: ...
    @property
    def tables_per_address(self) -> int: ...
    @property
    def tables_per_network(self) -> int: ...
    @property
    def tables_playing_on(self) -> int:
        """Of one network: those whose games go on when nobody is there."""
        ...

    @property
    def tables(self) -> int: ...
    @property
    def tables_for_few(self) -> float:
        """The fraction of them that is kept for networks with few tables."""
        ...


async def find_room_for_table(
    hall: Hall, limits: TableLimits, guest_id: str, origin: GuestOrigin, *, plays_on: bool
) -> None:
    """Raises Declined for one table too many, of this guest, this address or network, or of all.

    Where tables of theirs or of others can go, room is made.
    """
    census, cleanup = hall.services.census, hall.cleanup
    if (tables := census.by_guest[guest_id]) >= limits.tables_per_guest:
        raise Declined.because("too_many_tables", tables=tables)
    if (tables := census.by_address[origin.address]) >= limits.tables_per_address:
        neighbor_ids = tuple(census.tables_from(origin, by_address=True))
        if not await cleanup.make_room_among(neighbor_ids, IN_ADDRESS):
            raise Declined.because("too_many_from_address", tables=tables)
    if (tables := census.by_network[origin.network]) >= limits.tables_per_network:
        neighbor_ids = tuple(census.tables_from(origin, by_address=False))
        room = IN_NETWORK if census.by_address[origin.address] >= MANY else IN_NETWORK_FOR_FEW
        if not await cleanup.make_room_among(neighbor_ids, room):
            raise Declined.because("too_many_from_address", tables=tables)
    if plays_on and (tables := census.playing_on_by_network[origin.network]) >= limits.tables_playing_on:
        own_tables = census.playing_on_by_address[origin.address]
        neighbor_ids = tuple(
            table_id
            for table_id in census.tables_from(origin, by_address=False)
            if census.plays_on(table_id) and census.playing_on_of_address(table_id) > own_tables + 1
        )
        if not await cleanup.make_room_among(neighbor_ids, playing_on_room(own_tables)):
            raise Declined.because("too_many_playing_on", tables=tables)
    most, has_few = limits.tables, census.by_network[origin.network] < MANY
    if not has_few:
        most -= int(limits.tables * limits.tables_for_few)
    if len(census) >= most and not await cleanup.make_room(for_few=has_few):
        raise Declined.because("house_full")
