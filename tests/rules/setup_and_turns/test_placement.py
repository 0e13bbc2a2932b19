"""The two placement rounds of the variable set-up (SETUP-11 to SETUP-17, SETUP-20, SETUP-21)."""

from __future__ import annotations

import random
from typing import Any

import pytest

from hexholm.rules.boards import Layout, beginner_layout, read_board_data
from hexholm.rules.encoding.action_codes import parameter_of
from hexholm.rules.encoding.structs import CARD_KINDS, RESOURCES
from hexholm.rules.places import (
    CORNER_HEXES,
    CORNER_ID,
    CORNER_NAMES,
    CORNER_NEIGHBORS,
    CORNER_SIDES,
    HALF,
    SIDE_NAMES,
)
from hexholm.rules.setup.editions import EDITIONS, edition
from tests.helpers.edition_table import EDITION_TABLE
from tests.helpers.legal_texts import legal_texts
from tests.helpers.marks import all_editions

from ..scenes import Scene, cards, opening, set_hand

# Eight far corners of the beginners' board, each with a road; in the order of placement by four players from seat 0.
PLACES = [
    ("A1n", "A1/nw"),
    ("A3n", "A3/ne"),
    ("C5ne", "C5/ne"),
    ("E3s", "E3/se"),
    ("E1s", "E1/se"),
    ("C1nw", "C1/nw"),
    ("C3n", "C3/ne"),
    ("C3s", "C3/sw"),
]
NOTHING = dict.fromkeys(RESOURCES, 0)


def placing(name: str, players: int = 4, first: int = 0, layout: Layout | None = None, **choices: Any) -> Scene:
    """A game of the variable set-up at the first placement, on the beginners' hexes unless told otherwise."""
    return opening(layout or beginner_layout(), edition=name, setup="variable", players=players, first=first, **choices)


def place(game: Scene, settlement: str, road: str) -> None:
    seat = game.state.active
    game.play(seat, f"settlement {settlement}")
    game.play(seat, f"road {road}")


def place_anywhere(game: Scene, rng: random.Random) -> None:
    for _ in range(2):
        game.play(game.state.active, rng.choice(game.legal(game.state.active)))


def hand(**counts: int) -> dict[str, int]:
    return {**NOTHING, **counts}


def with_desert_at_the_coast() -> Layout:
    """The beginners' board with desert and mountains exchanged: the desert is the corner hex A1."""
    data = beginner_layout().as_dict()
    data["hexes"]["A1"], data["hexes"]["C3"] = data["hexes"]["C3"], data["hexes"]["A1"]
    return read_board_data({**data, "start": None})


# --- order ------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("SETUP-11", "SETUP-12", "SETUP-12.e1", "SETUP-17")
@pytest.mark.parametrize("players", [3, 4])
@all_editions
def test_round_two_runs_backwards_and_the_first_player_takes_the_first_turn(edition: str, players: int) -> None:
    for first in range(players):
        game = placing(edition, players, first)
        order = []
        for corner, road in PLACES[: 2 * players]:
            order.append(game.state.active)
            assert (game.phase, game.to_act()) == ("settlement", [game.state.active])
            game.play(game.state.active, f"settlement {corner}")
            assert (game.phase, game.to_act()) == ("road", [order[-1]])
            game.play(order[-1], f"road {road}")
        clockwise = [(first + i) % players for i in range(players)]
        assert order == clockwise + clockwise[::-1]
        assert (game.phase, game.state.active, game.state.turn_number) == ("roll", first, 1)


@pytest.mark.rule("SETUP-12.e1")
def test_the_orders_the_catalogue_names() -> None:
    for players, expected in ((4, [0, 1, 2, 3, 3, 2, 1, 0]), (3, [0, 1, 2, 2, 1, 0])):
        game = placing("fifth", players)
        order = []
        for corner, road in PLACES[: 2 * players]:
            order.append(game.state.active)
            place(game, corner, road)
        assert order == expected


@pytest.mark.rule("SETUP-17", "SETUP-17.e1", "PHASE-01")
@pytest.mark.parametrize("players", [3, 4])
@all_editions
def test_after_the_first_turn_play_goes_on_clockwise(edition: str, players: int) -> None:
    game = placing(edition, players, first=1)
    for corner, road in PLACES[: 2 * players]:
        place(game, corner, road)
    turns = []
    for _ in range(2 * players + 1):
        turns.append(game.state.active)
        game.roll(2)
        game.pass_turn()
    assert turns == [(1 + i) % players for i in range(2 * players + 1)]


# --- where ------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("SETUP-11", "SETUP-11.e1", "SETUP-11.e2")
@all_editions
def test_first_the_settlement_then_a_road_that_touches_it(edition: str) -> None:
    game = placing(edition)
    game.refused(0, "road C3/ne", "SETUP-11")
    game.play(0, "settlement C3n")
    for far in ("C3/se", "A1/nw", "C3/e"):
        game.refused(0, f"road {far}", "SETUP-11")
    assert sorted(legal_texts(game, 0)) == sorted(f"road {SIDE_NAMES[s]}" for s in CORNER_SIDES[CORNER_ID["C3n"]])
    game.play(0, "road C3/nw")
    game.refused(1, "road C3/ne", "SETUP-11")
    game.play(1, "settlement C3s")
    game.refused(1, "road C3/ne", "SETUP-11")  # at another player's settlement
    game.play(1, "road C3/sw")


@pytest.mark.rule("SETUP-11", "SETUP-11.e3", "SETUP-13")
@all_editions
def test_an_occupied_or_neighboring_corner_is_refused(edition: str) -> None:
    game = placing(edition)
    assert len(game.legal(0)) == 54
    place(game, "C3n", "C3/nw")
    game.refused(1, "settlement C3n", "SETTLE-02")
    for near in ("C3ne", "C3nw", "B2ne"):
        game.refused(1, f"settlement {near}", "SETTLE-03")
    assert len(game.legal(1)) == 50
    place(game, "C3se", "C3/se")  # two paths away


@pytest.mark.rule("SETUP-13", "SETUP-13.e1")
@pytest.mark.parametrize("players", [3, 4])
@all_editions
def test_the_own_first_settlement_keeps_its_distance_too(edition: str, players: int) -> None:
    game = placing(edition, players)
    for corner, road in PLACES[:players]:
        place(game, corner, road)
    last = players - 1
    assert game.state.active == last
    own_corner = CORNER_ID[PLACES[last][0]]
    for near in CORNER_NEIGHBORS[own_corner]:
        game.refused(last, f"settlement {CORNER_NAMES[near]}", "SETTLE-03")
    game.refused(last, f"settlement {CORNER_NAMES[own_corner]}", "SETTLE-02")
    beyond = next(
        c
        for near in CORNER_NEIGHBORS[own_corner]
        for c in CORNER_NEIGHBORS[near]
        if c != own_corner and game.state.sites >> c & 1
    )
    game.play(last, f"settlement {CORNER_NAMES[beyond]}")


@pytest.mark.rule("SETUP-11.e4", "SETUP-11", "SETUP-13")
@all_editions
def test_every_path_at_a_legal_corner_is_free(edition: str) -> None:
    for seed in range(6):
        rng = random.Random(seed)
        game = placing(edition, first=seed % 4)
        while game.phase == "settlement":
            state = game.state
            roads = sum((state.roads_lo[seat] | state.roads_hi[seat] << HALF) for seat in range(4))
            legal = list(map(parameter_of, game.legal(state.active)))
            assert legal
            for corner in legal:
                assert not any(roads >> side & 1 for side in CORNER_SIDES[corner])
                assert not any(state.buildings >> near & 1 for near in CORNER_NEIGHBORS[corner])
            place_anywhere(game, rng)


@pytest.mark.rule("SETUP-14", "SETUP-14.e1", "SETUP-15")
@all_editions
def test_the_second_settlement_stands_anywhere_and_has_the_second_road(edition: str) -> None:
    game = placing(edition, players=3)
    for corner, road in PLACES[:3]:
        place(game, corner, road)
    game.play(2, "settlement C1nw")  # at the other end of the island from C5ne
    game.refused(2, "road C5/e", "SETUP-14")  # at the first settlement
    game.refused(2, "road A1/ne", "SETUP-11")
    game.refused(2, "road C5/ne", "ROAD-02")  # the own first road lies there
    game.play(2, "road C1/w")


# --- what it brings ---------------------------------------------------------------------------------------------------


@pytest.mark.rule("SETUP-15")
@all_editions
def test_start_pieces_are_free_and_need_no_connection(edition: str) -> None:
    game = placing(edition)
    place(game, "C3n", "C3/nw")
    assert game.hand(0) == NOTHING
    assert game.supply() == dict.fromkeys(RESOURCES, 19)
    assert (game.points(0), game.length(0)) == (1, 1)


@pytest.mark.rule("SETUP-15", "SETUP-15.e1", "EDN-03")
@all_editions
def test_a_harbor_taken_in_the_setup_serves_from_turn_one(edition: str) -> None:
    game = placing(edition, players=3)
    for corner, road in [("A2n", "A2/nw"), *PLACES[3:5], *PLACES[5:7], ("D1n", "D1/ne")]:
        place(game, corner, road)
    assert game.hand(0) == hand(lumber=2, grain=1)
    game.roll(9)  # C1 gives grain to the settlement at its corner D1n
    assert game.hand(0) == hand(lumber=2, grain=2)
    game.refused(0, "supply 2 lumber : 1 ore", "PORT-03")
    game.play(0, "supply 2 grain : 1 ore")  # A2n is at the grain harbor
    assert game.hand(0) == hand(lumber=2, ore=1)


@pytest.mark.rule("SETUP-15", "SETUP-15.e2", "SETUP-16.e2")
@all_editions
def test_a_corner_of_desert_and_sea_is_legal_and_gives_nothing(edition: str) -> None:
    game = placing(edition, players=3, layout=with_desert_at_the_coast())
    for corner, road in [*PLACES[1:6], ("A1n", "A1/nw")]:
        assert CORNER_HEXES[CORNER_ID["A1n"]] == [0]
        place(game, corner, road)
    assert (game.phase, game.hand(0), game.points(0)) == ("roll", NOTHING, 2)


@pytest.mark.rule("SETUP-16", "SETUP-16.x1", "SETUP-16.e3", "EDN-03")
@all_editions
def test_start_resources_come_when_the_edition_says_so(edition: str) -> None:
    game = placing(edition, players=3)
    for corner, road in PLACES[:3]:
        place(game, corner, road)
        assert all(game.hand(seat) == NOTHING for seat in range(3))  # the first settlement gives nothing
    forest_fields = hand(lumber=1, grain=1)
    timing = EDITION_TABLE[edition]["start_resources_timing"]
    game.play(2, "settlement C3se")  # forest, fields, desert
    assert game.hand(2) == (forest_fields if timing == "after_settlement" else NOTHING)
    game.play(2, "road C3/e")
    assert game.hand(2) == (NOTHING if timing == "after_round_two" else forest_fields)
    place(game, *PLACES[4])
    assert game.hand(1) == (NOTHING if timing == "after_round_two" else hand(brick=1))
    game.play(0, "settlement B2s")
    game.play(0, "road C3/nw")
    assert game.phase == "roll"
    assert game.hand(2) == forest_fields
    assert game.hand(1) == hand(brick=1)
    assert sum(game.supply().values()) == 95 - sum(game.size(seat) for seat in range(3))


@pytest.mark.rule("SETUP-16", "SETUP-16.e1", "SETUP-16.e2")
@pytest.mark.parametrize(
    ("corner", "road", "expected"),
    [
        ("D1n", "D1/ne", hand(lumber=2, grain=1)),  # two equal terrains
        ("E1n", "E1/ne", hand(brick=1, lumber=1, ore=1)),
        ("C3se", "C3/e", hand(lumber=1, grain=1)),  # the desert gives nothing
        ("A1ne", "A1/ne", hand(wool=1, ore=1)),  # two hexes and the sea
        ("A1n", "A1/ne", hand(ore=1)),  # one hex and the sea
    ],
)
@all_editions
def test_one_card_per_producing_hex_at_the_second_settlement(
    edition: str, corner: str, road: str, expected: dict[str, int]
) -> None:
    game = placing(edition, players=3)
    for placement in [("A3n", "A3/ne"), *PLACES[2:4], ("D4se", "D4/se"), ("B4ne", "B4/ne"), (corner, road)]:
        place(game, *placement)
    assert (game.phase, game.state.active) == ("roll", 0)
    assert game.hand(0) == expected


@pytest.mark.rule("SETUP-16.e4", "SETUP-21")
@all_editions
def test_there_are_no_cities_in_the_setup(edition: str) -> None:
    game = placing(edition)
    place(game, *PLACES[0])
    for _ in range(7):
        seat = game.state.active
        assert all(text.startswith("settlement ") for text in legal_texts(game, seat))
        for corner in ("A1n", "C3n"):
            game.refused(seat, f"city {corner}", "SETUP-21")
        place(game, *PLACES[game.state.placed])
    assert not any(game.state.cities[seat] for seat in range(4))


@pytest.mark.rule("SETUP-18")
@pytest.mark.parametrize("players", [3, 4])
@all_editions
def test_everybody_starts_with_two_points(edition: str, players: int) -> None:
    game = placing(edition, players)
    for corner, road in PLACES[: 2 * players]:
        place(game, corner, road)
    assert [game.points(seat) for seat in range(players)] == [2] * players
    assert game.state.points_to_win == 10


@pytest.mark.rule("SETUP-19", "SETUP-19.e1")
@all_editions
def test_others_see_only_the_number_of_start_cards(edition: str) -> None:
    game = placing(edition)
    for corner, road in PLACES:
        place(game, corner, road)
    for observer in (0, 1, 2, 3, None):
        view = game.view(observer)
        assert [view.hand_size[seat] for seat in range(4)] == [game.size(seat) for seat in range(4)]
        assert [view.hand[seat] for seat in range(4) if seat != observer] == [0] * (4 if observer is None else 3)
        assert view.worlds == 1  # each was dealt face up from open stacks, so it can be deduced
        assert [view.world_hand[0, seat] for seat in range(4)] == [game.state.hand[seat] for seat in range(4)]


@pytest.mark.rule("SETUP-20", "SETUP-20.e1", "EDN-03")
@all_editions
def test_start_roads_count_for_the_longest_road(edition: str) -> None:
    game = placing(edition, players=3)
    for corner, road in [("C3n", "C3/ne"), *PLACES[:4], ("D3se", "D3/se")]:
        place(game, corner, road)
    assert game.length(0) == 1
    game.roll(2)
    set_hand(game, 0, "3 brick 3 lumber")
    for road in ("C3/e", "D3/ne"):
        game.play(0, f"road {road}")
        assert game.holder("longest_road") is None
    assert game.length(0) == 3
    game.play(0, "road D3/e")
    assert (game.length(0), game.holder("longest_road")) == (5, game.colors[0])
    assert game.points(0) == 4


# --- and nothing else -------------------------------------------------------------------------------------------------


@pytest.mark.rule("SETUP-21", "SETUP-21.e1", "EDN-03")
@pytest.mark.parametrize("moment", ["settlement", "road"])
@all_editions
def test_nothing_but_the_placement_that_is_due(edition: str, moment: str) -> None:
    game = placing(edition)
    for corner, road in PLACES[:5]:
        place(game, corner, road)
    game.state.development[2] = cards("1 knight 1 road-building 1 year-of-plenty 1 monopoly", CARD_KINDS)
    set_hand(game, 2, "5 brick 5 lumber 5 wool 5 grain 5 ore")
    if moment == "road":
        game.play(2, f"settlement {PLACES[5][0]}")
    assert (game.phase, game.state.active) == (moment, 2)
    first_color = game.colors[0]
    for action in (
        "roll",
        "end",
        "buy",
        "city C5ne",
        "supply 4 ore : 1 wool",
        f"offer 1 ore : 1 wool to {first_color}",
        "accept #1",
        "knight",
        "road-building",
        "year-of-plenty ore ore",
        "monopoly ore",
        "robber C5",
        "waive",
        f"steal {first_color}",
    ):
        game.refused(2, action, "SETUP-21")
    game.refused(0, f"offer 1 ore : 1 wool to {game.colors[2]}", "SETUP-21")
    for seat in (0, 1, 3):
        assert game.legal(seat) == []
        game.refused(seat, "roll", "PHASE-12")
        game.refused(seat, "settlement D2n", "PHASE-12")
    verbs = {text.split()[0] for text in legal_texts(game, 2)}
    assert verbs == {moment}


@pytest.mark.rule("SETUP-21")
@all_editions
def test_while_the_starter_is_rolled_for_nobody_places(edition: str) -> None:
    game = opening(beginner_layout(), edition=edition, setup="variable")
    for seat in range(4):
        for action in ("settlement C3n", "road C3/ne", "roll", "end", "buy"):
            game.refused(seat, action, "SETUP-21")
        assert game.legal(seat) == []


@pytest.mark.rule("SETUP-21.e2", "COMP-03.e2")
@pytest.mark.parametrize("name", EDITIONS)
def test_the_supply_cannot_run_short(name: str) -> None:
    assert edition(name).bank_per_resource > 12
    for seed in range(8):
        rng = random.Random(seed)
        game = placing(name, layout=None if seed % 2 else with_desert_at_the_coast())
        while game.phase == "settlement":
            place_anywhere(game, rng)
        sizes = [game.size(seat) for seat in range(4)]
        assert all(size <= 3 for size in sizes)
        for kind in RESOURCES:
            assert game.supply()[kind] == 19 - sum(game.hand(seat)[kind] for seat in range(4)) >= 7
