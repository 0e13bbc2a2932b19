"""In a full house empty tables make room first, then what everybody left; nobody who is there goes."""

from __future__ import annotations

import pytest

from hexholm.host.tables.hall.eviction import (
    ABANDONED_FOR,
    ALONE_FOR,
    EMPTY_FOR,
    FOR_FEW,
    HELD_FOR,
    LEFT_FOR,
    LEFT_FOR_OF_MANY,
    MANY,
    PLAYED_FOR,
    SEARCHED_EVERY,
    may_go,
    tables_to_go,
)
from hexholm.host.tables.seats import Guest
from hexholm.host.tables.services.census import GuestOrigin
from hexholm.host.tables.services.durations import DAY
from hexholm.host.wire import messages

from ...halls import Party, in_hall, set_up, table_settings

pytestmark = pytest.mark.waits

ALL_BOTS = {"seats": dict.fromkeys(("red", "blue", "white", "orange"), "easy"), "options": {"edition": "fifth"}}


async def empty_table(party: Party, guest: str, network: str) -> str:
    table_id = (await party.hall.create(guest, table_settings(color="red"))).id
    party.hall.services.census.set_origin(table_id, GuestOrigin(network, network))
    return table_id


def test_empty_tables_go_first_and_first_those_of_the_network_that_has_most() -> None:
    async def story(party: Party) -> None:
        honest = await empty_table(party, "honest", "198.51.100.0/24")
        flood = [await empty_table(party, f"eve {number}", "203.0.113.0/24") for number in range(4)]
        assert not await party.hall.cleanup.make_room()  # they may just be on their way
        party.clock.time += EMPTY_FOR + SEARCHED_EVERY
        gone: list[str] = []
        for _ in range(5):
            before = {table.id for table in party.hall.tables}
            assert await party.hall.cleanup.make_room()
            gone += before - {table.id for table in party.hall.tables}
        assert sorted(gone[:4]) == sorted(flood)
        assert gone[4:] == [honest]
        party.clock.time += SEARCHED_EVERY
        assert not await party.hall.cleanup.make_room()

    in_hall(story, clear_after=1e9)


def test_where_somebody_looks_or_was_a_moment_ago_a_table_stays() -> None:
    async def story(party: Party) -> None:
        looked_at, left = [await empty_table(party, "ann", "here") for _ in range(2)]
        feeds = [party.hall.loaded(table).feed(Guest("ann")) for table in (looked_at, left)]
        party.clock.time += 10 * EMPTY_FOR
        feeds[1].close()
        assert not await party.hall.cleanup.make_room()
        party.clock.time += EMPTY_FOR + SEARCHED_EVERY
        assert await party.hall.cleanup.make_room()
        assert [table.id for table in party.hall.tables] == [looked_at]

    in_hall(story, clear_after=1e9)


def test_one_who_holds_many_tables_by_sitting_silently_at_each_loses_them_and_nobody_else_does() -> None:
    async def story(party: Party) -> None:
        honest = await empty_table(party, "honest", "198.51.100.0/24")
        several = await empty_table(party, "eve 0", "203.0.113.0/24")
        await party.hall.loaded(several).seat_access.take_seat("blue", "bob", "Bob")
        flood = [await empty_table(party, f"eve {number}", "203.0.113.0/24") for number in range(MANY)]
        feeds = {table: party.hall.loaded(table).feed(Guest("whoever")) for table in (honest, several, *flood)}
        party.clock.time += ALONE_FOR - 1
        assert not await party.hall.cleanup.make_room()
        party.clock.time += SEARCHED_EVERY
        assert sorted(to_go(party)) == sorted(flood)
        assert await party.hall.cleanup.make_room()
        assert [table for table, feed in feeds.items() if feed.reason is not None] == to_go_first(flood, party)
        assert to_go(party) == []  # the network has no longer many
        assert {honest, several} <= {table.id for table in party.hall.tables}

    in_hall(story, clear_after=1e9)


def to_go_first(flood: list[str], party: Party) -> list[str]:
    """Those of a flood that went."""
    here = {table.id for table in party.hall.tables}
    return [table for table in flood if table not in here]


def test_a_game_of_one_who_is_there_and_plays_nothing_goes_where_the_network_has_many() -> None:
    async def story(party: Party) -> None:
        alone = await left_game(party, "honest", "198.51.100.0/24")
        flood = [await left_game(party, f"eve {number}", "203.0.113.0/24") for number in range(MANY + 1)]
        for number, table in enumerate(flood):
            party.hall.loaded(table).feed(Guest(f"eve {number}", "red"))
        party.hall.loaded(alone).feed(Guest("honest", "red"))
        party.clock.time += LEFT_FOR - 1
        assert to_go(party) == []
        await party.hall.loaded(flood[0]).carry_out(Guest("eve 0", "red"), messages.Say(id="a", text="hello"))
        party.clock.time += 2
        assert sorted(to_go(party)) == sorted(flood[1:])

    in_hall(story, bot_delay=(1e9, 1e9), away_after=1e9)


def test_games_among_bots_go_before_games_that_people_left() -> None:
    async def story(party: Party) -> None:
        await set_up(party, people=4)
        await party.begin()
        with_people = party.id
        settings = table_settings(**ALL_BOTS)
        among_bots = (await party.hall.create("eve", settings)).id
        bots_runner = party.hall.loaded(among_bots)
        await bots_runner.carry_out(Guest("eve"), messages.Begin(id="b"))
        party.clock.time += 14 * DAY - 1
        runners = {runner.table.id: runner for runner in party.hall.loaded_tables}
        assert [may_go(runners[table], party.hall.services) for table in (with_people, among_bots)] == [None, 1]
        party.clock.time += 2
        assert tables_to_go(runners.values(), party.hall.services) == [among_bots, with_people]
        assert await party.hall.cleanup.make_room()
        assert bots_runner.table.status == "over"
        assert bots_runner.table.begun_game.result is not None
        assert bots_runner.table.begun_game.result.how == "abandoned"
        assert party.table.begun_game.result is None
        assert await party.hall.cleanup.make_room()
        assert party.table.begun_game.result is not None

    in_hall(story, bot_delay=(1e9, 1e9), away_after=1e9)


def to_go_for_few(party: Party) -> list[str]:
    return tables_to_go(party.hall.loaded_tables, party.hall.services, FOR_FEW)


def test_for_one_with_few_tables_those_of_many_go_at_once_whoever_looks() -> None:
    async def story(party: Party) -> None:
        few = [await empty_table(party, f"honest {number}", "198.51.100.0/24") for number in range(MANY)]
        flood = [await empty_table(party, f"eve {number}", "203.0.113.0/24") for number in range(MANY + 2)]
        for number, table in enumerate(flood):  # a second cookie is free as well
            await party.hall.loaded(table).seat_access.take_seat("blue", f"eve too {number}", "Eve")
        for table in (*few, *flood):
            party.hall.loaded(table).feed(Guest("whoever"))
        assert not await party.hall.cleanup.make_room()
        assert [await party.hall.cleanup.make_room(for_few=True) for _ in range(3)] == [True, True, False]
        assert {table.id for table in party.hall.tables} >= set(few)

    in_hall(story, clear_after=1e9)


def test_a_table_without_a_game_is_held_for_a_while_only_also_by_those_with_few() -> None:
    async def story(party: Party) -> None:
        alone = await empty_table(party, "honest", "198.51.100.0/24")
        some = [await empty_table(party, f"eve {number}", f"203.0.{number // 3}.0/24") for number in range(9)]
        for table in (alone, *some):
            party.hall.loaded(table).feed(Guest("whoever"))
        party.clock.time += HELD_FOR - 1
        assert to_go_for_few(party) == []
        party.clock.time += 1
        assert sorted(to_go_for_few(party)[:-1]) == sorted(some)
        assert to_go_for_few(party)[-1] == alone  # its network has fewest

    in_hall(story, clear_after=1e9)


async def moved_game(party: Party, networks: tuple[str, str]) -> str:
    """A game of two in which both have moved, from these networks."""
    await set_up(party, people=2)
    await party.begin()
    census = party.hall.services.census
    census.set_origin(party.id, GuestOrigin(networks[0], networks[0]))
    for color, network in zip(("red", "blue"), networks, strict=True):
        party.table.acted_colors.add(color)
        census.record_move(party.id, color, network)
    return party.id


def test_people_at_a_running_game_from_several_networks_go_last_and_only_if_all_those_have_many() -> None:
    async def story(party: Party) -> None:
        flood = [await empty_table(party, f"eve {number}", net) for net in ("a", "b") for number in range(MANY)]
        together = await moved_game(party, ("a", "b"))
        alone = await moved_game(party, ("a", "a"))
        with_friend = await moved_game(party, ("b", "friend"))
        for table in (*flood, together, alone, with_friend):
            party.hall.loaded(table).feed(Guest("whoever"))
        there = to_go_for_few(party)
        assert sorted(there[:-2]) == sorted(flood)
        assert there[-2:] == [alone, together]  # and never that with somebody whose network has few
        party.clock.time += ABANDONED_FOR  # unless nobody moves any more
        assert with_friend in to_go_for_few(party)
        assert to_go_for_few(party).index(together) < to_go_for_few(party).index(with_friend)

    in_hall(story, clear_after=1e9, bot_delay=(1e9, 1e9), away_after=1e9)


def test_a_game_in_which_nobody_moves_any_more_goes_although_its_network_has_few() -> None:
    """A game over days stays for two weeks, also where all play from one network: they may live together."""

    async def story(party: Party) -> None:
        household = await moved_game(party, ("home", "home"))
        friends = await moved_game(party, ("here", "there"))
        for table in (household, friends):
            party.hall.loaded(table).feed(Guest("whoever"))
        party.clock.time += 14 * DAY - 1
        assert to_go_for_few(party) == []
        party.clock.time += 1
        assert set(to_go_for_few(party)) == {household, friends}

    in_hall(story, bot_delay=(1e9, 1e9), away_after=1e9)


async def left_game(party: Party, guest: str, network: str) -> str:
    """A game of one person among three bots, as "Play now" makes it, which nobody looks at."""
    bots = dict.fromkeys(("blue", "white", "orange"), "easy")
    settings = table_settings(options={"edition": "fifth"}, color="red", seats=bots)
    table_id = (await party.hall.create(guest, settings)).id
    party.hall.services.census.set_origin(table_id, GuestOrigin(network, network))
    await party.hall.loaded(table_id).carry_out(Guest(guest, "red"), messages.Begin(id="b"))
    return table_id


def went(party: Party, tables: list[str]) -> list[str]:
    """Those of some tables whose game was ended."""
    return [table for table in tables if party.hall.loaded(table).table.status == "over"]


def to_go(party: Party) -> list[str]:
    return tables_to_go(party.hall.loaded_tables, party.hall.services)


def test_who_fills_the_house_with_games_they_leave_loses_those_and_ends_nobody_elses() -> None:
    async def story(party: Party) -> None:
        await set_up(party, people=4)
        await party.begin()
        people = party.id
        alone = await left_game(party, "honest", "198.51.100.0/24")
        party.clock.time += 14 * DAY + 1  # so that both could go
        assert to_go(party) == [alone, people]
        flood = [await left_game(party, f"eve {number}", "203.0.113.0/24") for number in range(MANY + 3)]
        assert not await party.hall.cleanup.make_room()  # they have just been left
        assert went(party, [people, alone]) == []
        party.clock.time += LEFT_FOR_OF_MANY + SEARCHED_EVERY
        for number in range(3):
            assert await party.hall.cleanup.make_room()
            assert len(went(party, flood)) == number + 1
        party.clock.time += SEARCHED_EVERY
        assert went(party, [people, alone]) == []
        assert to_go(party)[-2:] == [alone, people]  # and what is left of the flood stands like anybody's

    in_hall(story, bot_delay=(1e9, 1e9), away_after=1e9)


def test_a_second_cookie_makes_no_game_of_people_of_one_of_a_flood() -> None:
    async def story(party: Party) -> None:
        flood: list[str] = []
        for _ in range(MANY + 1):
            await set_up(party, people=2)
            party.hall.services.census.set_origin(party.id, GuestOrigin("203.0.113.7", "203.0.113.0/24"))
            await party.begin()
            flood.append(party.id)
        party.clock.time += LEFT_FOR_OF_MANY + 1
        assert sorted(to_go(party)) == sorted(flood)
        party.hall.services.census.remove(flood[0])  # ten tables are not many
        assert to_go(party) == []

    in_hall(story, bot_delay=(1e9, 1e9), away_after=1e9)


def test_a_left_game_that_was_played_for_long_goes_later(monkeypatch: pytest.MonkeyPatch) -> None:
    async def story(party: Party) -> None:
        table = await left_game(party, "ann", "here")
        party.clock.time += LEFT_FOR + 1
        assert to_go(party) == [table]
        monkeypatch.setattr("hexholm.host.tables.hall.eviction.HARDLY_BEGUN", 0)  # as if it had come further
        assert to_go(party) == []
        party.clock.time += PLAYED_FOR - LEFT_FOR
        assert to_go(party) == [table]

    in_hall(story, bot_delay=(1e9, 1e9), away_after=1e9)


def test_the_tables_are_not_looked_through_for_everybody_who_asks(monkeypatch: pytest.MonkeyPatch) -> None:
    async def story(party: Party) -> None:
        looked = 0

        def noted(*args: object) -> list[str]:
            nonlocal looked
            looked += 1
            return []

        monkeypatch.setattr("hexholm.host.tables.hall.cleanup.tables_to_go", noted)
        for _ in range(50):
            assert not await party.hall.cleanup.make_room()
        assert looked == 1
        party.clock.time += SEARCHED_EVERY
        assert not await party.hall.cleanup.make_room()
        assert looked == 2

    in_hall(story)
