"""Longest Road, first part: taking it, and how long a road is (LROAD-01 to LROAD-06, LROAD-12, LROAD-13)."""

from __future__ import annotations

import pytest

from tests.helpers.marks import all_editions

from ..scenes import Scene, chain, red_first, roads_along, scene

ROAD, SETTLEMENT = "1 brick 1 lumber", "1 brick 1 lumber 1 wool 1 grain"
RING = roads_along("C3n C3ne C3se C3s C3sw C3nw C3n")
TAIL = roads_along("C3n B2ne B2n")


def rings(*hexes: str) -> str:
    """All sides of some hexes, each once."""
    sides: list[str] = []
    for h in hexes:
        ring = roads_along(f"{h}n {h}ne {h}se {h}s {h}sw {h}nw {h}n").split()
        sides += [side for side in ring if side not in sides]
    return " ".join(sides)


def seen_length(game: Scene, color: str) -> int:
    """The length that everybody is shown."""
    return game.view(None).road_length[game.seat(color)]


# --- LROAD-01 to LROAD-03: five, two points, more than the holder -----------------------------------------------------


@all_editions
@pytest.mark.parametrize("players", [3, 4])
@pytest.mark.rule("LROAD-01", "LROAD-01.e1", "LROAD-02")
def test_the_fifth_road_in_a_row_takes_the_award_at_once(edition: str, players: int) -> None:
    game = scene(
        edition,
        players=players,
        colors=red_first(edition)[:players],
        turn="red",
        hands={"red": "2 brick 2 lumber"},
        roads={"red": chain("BC", 3)},
    )
    game.play("red", "road C2/ne")
    assert (game.length("red"), game.holder("longest_road"), game.points("red")) == (4, None, 0)
    game.play("red", "road C3/nw")
    assert (game.length("red"), game.holder("longest_road"), game.points("red")) == (5, "red", 2)
    assert game.phase == "main"


@all_editions
@pytest.mark.rule("LROAD-01", "LROAD-01.e2", "LROAD-13", "LROAD-13.e3")
def test_a_free_road_takes_the_award_at_once(edition: str) -> None:
    game = scene(edition, turn="red", dev={"red": "1 road-building"}, roads={"red": chain("BC", 4)})
    game.play("red", "road-building")
    assert game.holder("longest_road") is None
    game.play("red", "road C3/nw")
    assert game.phase == "free road"  # the second one is still to come
    assert (game.holder("longest_road"), game.points("red")) == ("red", 2)
    game.play("red", "road C3/ne")
    assert (game.holder("longest_road"), game.points("red")) == ("red", 2)


@all_editions
@pytest.mark.rule("LROAD-01")
def test_the_first_to_reach_five_keeps_it_when_others_reach_five(edition: str) -> None:
    game = scene(
        edition,
        turn="red",
        hands={"red": ROAD, "blue": ROAD},
        roads={"red": chain("BC", 4), "blue": chain("DE", 4)},
    )
    game.play("red", "road C3/nw")
    game.next_turn_of("blue")
    game.roll(2)
    game.play("blue", "road D3/sw")
    assert game.length("blue") == 5
    assert game.holder("longest_road") == "red"


@all_editions
@pytest.mark.rule("LROAD-02")
def test_the_award_is_worth_two_points(edition: str) -> None:
    holding = scene(edition, settlements={"red": "C2n"}, roads={"red": chain("BC", 5)})
    assert holding.points("red") == 3
    without = scene(edition, settlements={"red": "C2n"}, roads={"red": chain("BC", 4)})
    assert without.points("red") == 1


@all_editions
@pytest.mark.rule("LROAD-03", "LROAD-03.e1")
def test_only_a_longer_road_takes_the_award(edition: str) -> None:
    game = scene(
        edition,
        turn="blue",
        hands={"blue": "2 brick 2 lumber"},
        settlements={"red": "C1n", "blue": "D1s"},
        roads={"red": chain("BC", 5), "blue": chain("DE", 4)},
        longest_road="red",
    )
    assert (game.points("red"), game.points("blue")) == (3, 1)
    game.play("blue", "road D3/sw")
    assert (game.length("blue"), game.holder("longest_road")) == (5, "red")
    assert (game.points("red"), game.points("blue")) == (3, 1)
    game.play("blue", "road D3/se")
    assert (game.length("blue"), game.holder("longest_road")) == (6, "blue")
    assert (game.points("red"), game.points("blue")) == (1, 3)  # a swing of four between the two


@all_editions
@pytest.mark.rule("LROAD-03", "LROAD-03.e2", "LROAD-12", "LROAD-12.e1")
def test_taking_the_award_may_win_at_once(edition: str) -> None:
    game = scene(
        edition,
        turn="blue",
        hands={"blue": ROAD},
        cities={"blue": "A1n A2n A3n E1s"},
        roads={"red": chain("BC", 5), "blue": chain("DE", 5)},
        longest_road="red",
    )
    assert game.points("blue") == 8
    game.play("blue", "road D3/se")
    assert game.points("blue") == 10
    assert game.winner == game.seat("blue")


# --- LROAD-04: one chain, no branches ---------------------------------------------------------------------------------


@pytest.mark.rule("LROAD-04", "LROAD-04.x1")
def test_emilys_branches_do_not_count() -> None:
    branches = f"{roads_along('C1ne C1se')} {roads_along('C2n B1ne B2n')} {roads_along('C3n B2ne')}"
    game = scene("fifth", roads={"red": f"{chain('BC', 7)} {branches}"})
    assert game.length("red") == seen_length(game, "red") == 7


@pytest.mark.rule("LROAD-04", "LROAD-04.x2")
def test_orange_with_seven_holds_against_six_and_a_branch_of_two() -> None:
    roads = {"orange": chain("DE", 7), "red": f"{chain('BC', 6)} {roads_along('C2n B1ne B1n')}"}
    game = scene("threed", roads=roads)
    assert (game.length("orange"), game.length("red")) == (7, 6)
    assert game.holder("longest_road") == "orange"
    assert (game.points("orange"), game.points("red")) == (2, 0)


@all_editions
@pytest.mark.rule("LROAD-04", "LROAD-04.e1", "LROAD-04.e2", "LROAD-04.e3")
def test_forks_and_separate_networks_do_not_add_up(edition: str) -> None:
    fork = f"{roads_along('C2n C2ne C3n')} {roads_along('C4ne C4n C3ne C3n')} {roads_along('B1ne B2n B2ne C3n')}"
    assert scene(edition, roads={"red": fork}).length("red") == 6
    star = f"{roads_along('C2n C2ne C3n')} {roads_along('C4n C3ne C3n')} {roads_along('B2n B2ne C3n')}"
    assert scene(edition, roads={"red": star}).length("red") == 4
    apart = scene(edition, roads={"red": f"{chain('BC', 4)} {chain('DE', 3)}"})
    assert (apart.length("red"), apart.holder("longest_road")) == (4, None)


@all_editions
@pytest.mark.rule("LROAD-04", "LROAD-04.e3", "LROAD-01")
def test_two_networks_count_together_once_they_are_joined(edition: str) -> None:
    roads = f"{chain('BC', 3)} {chain('BC', 3, start=4)}"
    game = scene(edition, turn="red", hands={"red": ROAD}, roads={"red": roads})
    assert (game.length("red"), game.holder("longest_road")) == (3, None)
    game.play("red", "road C2/ne")
    assert (game.length("red"), game.holder("longest_road")) == (7, "red")


# --- LROAD-05: rings --------------------------------------------------------------------------------------------------


@all_editions
@pytest.mark.rule("LROAD-05", "LROAD-05.e1", "LROAD-05.e2", "LROAD-05.e3", "LROAD-05.e4")
@pytest.mark.parametrize(
    "roads, length",
    [
        (RING, 6),
        (f"{RING} {TAIL}", 8),
        (rings("C3", "C4"), 11),
        (rings("C3", "C4", "B3"), 14),
    ],
    ids=["ring", "ring and tail", "two rings", "three rings"],
)
def test_a_ring_counts_all_its_segments_once(edition: str, roads: str, length: int) -> None:
    game = scene(edition, roads={"red": roads})
    assert game.length("red") == seen_length(game, "red") == length
    assert game.holder("longest_road") == "red"


@all_editions
@pytest.mark.rule("LROAD-05", "LROAD-05.e1", "LROAD-05.e2")
def test_closing_a_ring_and_adding_a_tail_takes_the_award(edition: str) -> None:
    game = scene(
        edition,
        turn="red",
        hands={"red": "3 brick 3 lumber"},
        roads={"red": RING.rsplit(maxsplit=1)[0], "blue": chain("DE", 5)},
        longest_road="blue",
    )
    assert game.length("red") == 5
    game.play("red", f"road {RING.split()[-1]}")
    assert (game.length("red"), game.holder("longest_road")) == (6, "red")
    for length, road in enumerate(TAIL.split(), 7):
        game.play("red", f"road {road}")
        assert game.length("red") == length


@all_editions
@pytest.mark.rule("LROAD-05", "LROAD-05.e1", "LROAD-03")
def test_a_ring_just_closed_counts_six_and_not_more(edition: str) -> None:
    """Blue holds the award with six; red has two roads elsewhere and closes a ring."""
    game = scene(
        edition,
        turn="red",
        hands={"red": "2 brick 2 lumber"},
        roads={"red": f"{RING.rsplit(maxsplit=1)[0]} {chain('BC', 2)}", "blue": chain("DE", 6)},
        longest_road="blue",
    )
    game.play("red", f"road {RING.split()[-1]}")
    assert (game.length("red"), game.holder("longest_road")) == (6, "blue")  # a tie: the holder keeps it
    game.play("red", f"road {TAIL.split()[0]}")
    assert (game.length("red"), game.holder("longest_road")) == (7, "red")


# --- LROAD-06: buildings on the way -----------------------------------------------------------------------------------


@all_editions
@pytest.mark.parametrize("piece", ["settlements", "cities"])
@pytest.mark.rule("LROAD-06", "LROAD-06.e1")
def test_own_buildings_do_not_interrupt(edition: str, piece: str) -> None:
    own = {piece: {"red": "C1n C2n C3n"}}
    game = scene(edition, turn="red", hands={"red": ROAD}, roads={"red": chain("BC", 6)}, **own)  # type: ignore[arg-type]
    assert (game.length("red"), game.holder("longest_road")) == (6, "red")
    game.play("red", "road C4/nw")
    assert game.length("red") == 7


@all_editions
@pytest.mark.parametrize("piece", ["settlements", "cities"])
@pytest.mark.rule("LROAD-06")
def test_an_opponents_building_interrupts(edition: str, piece: str) -> None:
    game = scene(edition, roads={"red": chain("BC", 6)}, **{piece: {"blue": "C2n"}})  # type: ignore[arg-type]
    assert (game.length("red"), game.holder("longest_road")) == (3, None)


@all_editions
@pytest.mark.rule("LROAD-06", "LROAD-06.e2")
def test_an_opponents_building_at_the_end_takes_nothing(edition: str) -> None:
    both_ends = {"blue": "C1n C3ne"}
    game = scene(
        edition, turn="red", hands={"red": ROAD}, settlements=both_ends, roads={"red": chain("BC", 4, start=1)}
    )
    assert game.length("red") == 4
    game.play("red", "road C3/ne")
    assert (game.length("red"), game.holder("longest_road")) == (5, "red")


@all_editions
@pytest.mark.rule("LROAD-06", "LROAD-06.e3")
def test_a_ring_with_an_opponents_building_is_still_six(edition: str) -> None:
    game = scene(
        edition, turn="blue", hands={"blue": SETTLEMENT}, roads={"red": RING, "blue": roads_along("B2n B2ne C3n")}
    )
    game.play("blue", "settlement C3n")
    assert (game.length("red"), game.holder("longest_road")) == (6, "red")


@all_editions
@pytest.mark.parametrize(
    "corner, outside, length",
    [
        ("C3ne", "C4/nw", 7),
        ("C3nw", "C2/ne", 7),
        ("C3se", "D3/ne", 6),
        ("C3sw", "D2/nw", 6),
        ("C3s", "D2/e", 6),
    ],
)
@pytest.mark.rule("LROAD-06", "LROAD-06.e4")
def test_a_ring_with_a_tail_cut_on_the_ring(edition: str, corner: str, outside: str, length: int) -> None:
    """The tail of two begins at C3n; blue comes from outside to a corner of the ring and builds there."""
    roads = {"red": f"{RING} {TAIL}", "blue": outside}
    game = scene(edition, turn="blue", hands={"blue": SETTLEMENT}, roads=roads)
    assert game.length("red") == 8
    game.play("blue", f"settlement {corner}")
    assert game.length("red") == seen_length(game, "red") == length


@all_editions
@pytest.mark.rule("LROAD-06")
def test_a_ring_and_its_tail_part_at_a_building_between_them(edition: str) -> None:
    game = scene(edition, settlements={"blue": "C3n"}, roads={"red": f"{RING} {TAIL}"})
    assert game.length("red") == 6


# --- LROAD-12, LROAD-13: after every piece, in one step ---------------------------------------------------------------


@all_editions
@pytest.mark.rule("LROAD-12")
def test_lengths_follow_every_road_and_settlement_of_anyone(edition: str) -> None:
    game = scene(
        edition,
        turn="red",
        hands={"red": "2 brick 2 lumber", "blue": "2 brick 2 lumber 1 wool 1 grain"},
        roads={"red": chain("BC", 6), "blue": roads_along("B2n B2ne")},
    )
    game.play("red", "road C4/nw")
    assert (seen_length(game, "red"), seen_length(game, "blue")) == (7, 1)
    game.next_turn_of("blue")
    game.roll(2)
    game.play("blue", "road B2/e")
    assert (seen_length(game, "red"), seen_length(game, "blue")) == (7, 2)
    game.play("blue", "settlement C3n")
    assert (seen_length(game, "red"), seen_length(game, "blue")) == (5, 2)
    game.next_turn_of("red")
    game.roll(2)
    game.play("red", "road C1/w")
    assert seen_length(game, "red") == 6


@all_editions
@pytest.mark.rule("LROAD-13", "LROAD-13.e1", "LROAD-12.e1")
def test_a_settlement_that_cuts_and_takes_counts_three_points_at_once(edition: str) -> None:
    game = scene(
        edition,
        turn="blue",
        hands={"blue": SETTLEMENT},
        settlements={"blue": "E1s"},
        cities={"blue": "A1n A2n A3n"},
        roads={"red": chain("BC", 7), "blue": roads_along("C3n B2ne B3n B3ne B4n B4ne B4se")},
        longest_road="red",
    )
    assert game.points("blue") == 7
    game.play("blue", "settlement C3n")
    assert game.points("blue") == 10
    assert game.winner == game.seat("blue")


@all_editions
@pytest.mark.rule("LROAD-13", "LROAD-13.e2", "LROAD-12.e1", "WIN-03.e1", "WIN-08.e1")
def test_a_settlement_that_makes_a_third_player_reach_ten_goes_on(edition: str) -> None:
    colors = red_first(edition)
    third = colors[2]
    game = scene(
        edition,
        colors=colors,
        turn="blue",
        hands={"blue": SETTLEMENT},
        cities={"blue": "A1n A2n A3n E1s", third: "C1s C2s C3s C4s"},
        roads={"red": chain("BC", 7), "blue": roads_along("C3n B2ne B3n"), third: chain("CD", 6)},
        longest_road="red",
    )
    assert (game.points("blue"), game.points(third)) == (8, 8)
    game.play("blue", "settlement C3n")
    assert (game.points("blue"), game.points(third)) == (9, 10)
    assert game.holder("longest_road") == third
    assert (game.winner, game.phase) == (None, "main")
    game.play("blue", "end")
    assert game.winner == game.seat(third)
    assert game.state.rolled == 0


@all_editions
@pytest.mark.rule("LROAD-13", "LROAD-13.e3", "WIN-02.e3")
def test_two_free_roads_are_two_steps(edition: str) -> None:
    cities = {"red": "A1n A2n A3n E1s"}
    first = scene(edition, turn="red", dev={"red": "1 road-building"}, cities=cities, roads={"red": chain("BC", 4)})
    first.play("red", "road-building")
    first.play("red", "road C3/nw")
    assert first.winner == first.seat("red")
    first.refused("red", "road C3/ne", "WIN-02")
    second = scene(edition, turn="red", dev={"red": "1 road-building"}, cities=cities, roads={"red": chain("BC", 3)})
    second.play("red", "road-building")
    second.play("red", "road C2/ne")
    assert second.winner is None
    second.play("red", "road C3/nw")
    assert second.winner == second.seat("red")
