"""Who has how many tables, as they come and go."""

from __future__ import annotations

import pytest

from hexholm.host.tables.services.census import Census, GuestOrigin
from hexholm.host.wire import messages

from ...halls import Party, agree, in_hall, set_up

pytestmark = pytest.mark.waits

HOME, AWAY = GuestOrigin("203.0.113.7", "203.0.113.0/24"), GuestOrigin("203.0.113.8", "203.0.113.0/24")


def test_tables_are_counted_for_guest_address_and_network() -> None:
    census = Census()
    for table_id, creator, origin in (("a", "ann", HOME), ("b", "ann", AWAY), ("c", "bob", AWAY)):
        census.add(table_id, creator)
        census.set_origin(table_id, origin)
    assert (len(census), census.by_guest["ann"], census.by_address[AWAY.address]) == (3, 2, 2)
    assert census.by_network[HOME.network] == census.tables_of_network("a") == 3
    census.set_origin("a", AWAY)  # the first counts
    assert census.by_address[HOME.address] == 1
    for table_id in "abca":
        census.remove(table_id)
    assert (len(census), *map(len, (census.by_guest, census.by_address, census.by_network))) == (0, 0, 0, 0)


def test_a_table_of_unknown_origin_stands_for_its_creator() -> None:
    census = Census()
    for table_id in "ab":
        census.add(table_id, "ann")
    assert (census.network("a"), census.tables_of_network("a")) == ("guest ann", 2)
    census.set_origin("nowhere", HOME)  # it is over meanwhile
    assert not census.by_address


def test_a_hall_counts_its_tables_until_they_are_over() -> None:
    async def story(party: Party) -> None:
        census = party.hall.services.census
        for number in range(3):
            await set_up(party)
            assert (len(census), census.by_guest["ann"]) == (number + 1, number + 1)
        await party.begin()
        await agree(party, messages.End)
        assert len(census) == 2
        party.clock.time += 10 * 24 * 3600
        await party.hall.cleanup.clear()
        assert len(census) == 0

    in_hall(story)
