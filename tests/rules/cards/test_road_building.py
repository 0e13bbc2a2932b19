"""Road Building: two free roads, or as many as possible (DEV-16 to DEV-18)."""

from __future__ import annotations

from typing import Any

import pytest

from hexholm.rules.core.roads import road_count
from hexholm.rules.places import COAST, SIDE_NAMES
from hexholm.rules.setup.editions import EDITIONS, edition
from tests.helpers.edition_table import EDITION_TABLE, editions_with
from tests.helpers.legal_texts import legal_texts
from tests.helpers.marks import all_editions, three_or_four

from ..scenes import Scene, before_or_after, by_seat, colors_of, hand_text, scene, supply_text

MAY_WAIVE = editions_with(road_building_optional=True)
ALL_ROADS = {name: entry["road_limit"] or 15 for name, entry in EDITION_TABLE.items()}
"""How many pieces there are; 15 where roads are drawn and have no limit."""


def roads_along_the_coast(n: int) -> str:
    return " ".join(SIDE_NAMES[side] for side in COAST[:n])


def road_card(edition: str, **scene_options: Any) -> Scene:
    """Seat 0 has played Road Building."""
    first = colors_of(edition)[0]
    scene_options.setdefault("settlements", {first: "C3n"})
    game = scene(edition, dev={first: "1 road-building"}, **scene_options)
    game.play(first, "road-building")
    assert game.phase == "free road"
    return game


def roads_of(game: Scene, player: int | str) -> int:
    return road_count(game.state, game.seat(player))


# --- Road Building ----------------------------------------------------------------------------------------------------


@pytest.mark.rule("DEV-16", "DEV-16.e1", "DEV-16.e2")
@all_editions
@before_or_after
@three_or_four
def test_two_roads_are_built_without_paying(edition: str, phase: str, players: int) -> None:
    hands = by_seat(edition, "1 brick 1 lumber", "3 ore")
    game = road_card(edition, phase=phase, hands=hands, players=players)
    supply = supply_text(game)
    game.play(0, "road C3/ne")
    assert game.phase == "free road"
    game.play(0, "road C3/e")  # starts from the first one
    assert game.phase == phase
    assert roads_of(game, 0) == game.length(0) == 2
    assert (hand_text(game, 0), hand_text(game, 1), supply_text(game)) == ("1 brick 1 lumber", "3 ore", supply)


@pytest.mark.rule("DEV-16")
@all_editions
def test_the_two_roads_may_lie_apart(edition: str) -> None:
    first = colors_of(edition)[0]
    game = road_card(edition, settlements={first: "C3n A1n"})
    game.play(first, "road C3/ne")
    game.play(first, "road A1/nw")
    assert game.phase == "main"
    assert roads_of(game, first) == 2


@pytest.mark.rule("DEV-16.e3")
@pytest.mark.parametrize("name", EDITIONS)
def test_the_free_roads_come_out_of_the_box(name: str) -> None:
    first, total = colors_of(name)[0], ALL_ROADS[name]
    built = roads_along_the_coast(total - 2)
    game = road_card(name, settlements={first: "A1nw"}, roads={first: built}, hands={first: "2 brick 2 lumber"})
    game.play(first, f"road {SIDE_NAMES[COAST[total - 2]]}")
    game.play(first, f"road {SIDE_NAMES[COAST[total - 1]]}")
    assert roads_of(game, first) == total
    next_one = f"road {SIDE_NAMES[COAST[total]]}"
    if edition(name).road_limit is None:  # zip draws as many as it likes
        assert game.allowed(first, next_one)
    else:
        game.refused(first, next_one, "ROAD-06")


@pytest.mark.rule("DEV-17", "DEV-17.e1")
@all_editions
def test_an_illegal_place_is_refused_and_the_choice_stays_open(edition: str) -> None:
    first, second, *_ = colors_of(edition)
    game = road_card(
        edition,
        settlements={first: "C3n", second: "C3se"},
        roads={first: "C3/ne C3/e", second: "C3/sw C3/nw"},
    )
    for _ in range(2):
        game.refused(first, "road C3/ne", "ROAD-02")
        game.refused(first, "road C3/nw", "ROAD-02")
        game.refused(first, "road C3/se", "ROAD-04")  # behind the settlement of two
        game.refused(first, "road A1/nw", "ROAD-03")
        game.refused(first, "settlement A2s", "PHASE-11")
        assert game.phase == "free road"
        game.play(first, game.legal(first)[0])
    assert game.phase == "main"


@pytest.mark.rule("DEV-17", "DEV-17.e2")
@all_editions
def test_the_award_is_given_after_the_first_of_the_two_roads(edition: str) -> None:
    first = colors_of(edition)[0]
    game = road_card(edition, settlements={first: "A1nw"}, roads={first: roads_along_the_coast(4)})
    assert game.holder("longest_road") is None
    game.play(first, f"road {SIDE_NAMES[COAST[4]]}")
    assert game.phase == "free road"
    assert game.holder("longest_road") == first
    assert game.points(first) == 3


@pytest.mark.rule("DEV-17", "DEV-17.e2")
@all_editions
def test_the_award_is_given_after_the_second_of_the_two_roads(edition: str) -> None:
    first, second, *_ = colors_of(edition)
    coast_roads = " ".join(SIDE_NAMES[side] for side in COAST[12:17])
    game = road_card(edition, settlements={first: "A1nw"}, roads={first: roads_along_the_coast(4), second: coast_roads})
    assert game.holder("longest_road") == second
    game.play(first, f"road {SIDE_NAMES[COAST[4]]}")
    assert game.holder("longest_road") == second  # five against five
    game.play(first, f"road {SIDE_NAMES[COAST[5]]}")
    assert game.holder("longest_road") == first


@pytest.mark.rule("DEV-17.e2")
@all_editions
@before_or_after
def test_the_first_road_may_win_and_the_second_is_not_asked_for(edition: str, phase: str) -> None:
    first = colors_of(edition)[0]
    game = road_card(
        edition,
        phase=phase,
        cities={first: "C3n C3se C3sw D4se"},
        settlements={},
        roads={first: roads_along_the_coast(4)},
    )
    assert game.points(first) == 8
    game.play(first, f"road {SIDE_NAMES[COAST[4]]}")
    assert game.phase == "over"
    assert game.winner == 0
    assert game.to_act() == []
    game.refused(first, f"road {SIDE_NAMES[COAST[5]]}", "WIN-02")


@pytest.mark.rule("DEV-17.e2")
def test_the_second_road_may_win() -> None:
    game = road_card(
        "fifth", cities={"red": "C3n C3se C3sw D4se"}, settlements={}, roads={"red": roads_along_the_coast(3)}
    )
    game.play("red", f"road {SIDE_NAMES[COAST[3]]}")
    assert game.phase == "free road"
    game.play("red", f"road {SIDE_NAMES[COAST[4]]}")
    assert game.winner == 0


# --- fewer than two roads ---------------------------------------------------------------------------------------------


@pytest.mark.rule("DEV-18", "DEV-18.e1", "EDN-03")
@pytest.mark.parametrize("name", EDITIONS)
def test_with_one_road_left_one_is_built(name: str) -> None:
    first, total = colors_of(name)[0], ALL_ROADS[name]
    game = road_card(name, settlements={first: "A1nw"}, roads={first: roads_along_the_coast(total - 1)})
    game.play(first, f"road {SIDE_NAMES[COAST[total - 1]]}")
    if edition(name).road_limit is None:
        assert game.phase == "free road"  # zip: no limit, so both
        game.play(first, f"road {SIDE_NAMES[COAST[total]]}")
        total += 1
    assert game.phase == "main"
    assert roads_of(game, first) == total
    assert game.development(first)["road-building"] == 0


@pytest.mark.rule("DEV-18", "DEV-18.e1", "EDN-03")
@all_editions
@before_or_after
def test_with_one_place_that_opens_no_second_one_is_built(edition: str, phase: str) -> None:
    first, second, *_ = colors_of(edition)
    game = road_card(edition, phase=phase, settlements={first: "A1nw"}, roads={second: "A1/w A1/ne"})
    assert legal_texts(game, first) == ["road A1/nw"]
    game.play(first, "road A1/nw")
    assert game.phase == phase
    assert roads_of(game, first) == 1


@pytest.mark.rule("DEV-18", "DEV-18.e1", "EDN-03")
@all_editions
def test_a_place_behind_an_opponents_building_is_no_second_place(edition: str) -> None:
    first, second, *_ = colors_of(edition)
    # the only free side at A1nw's road leads to A1ne, where two stands: the ways on are closed to one
    game = road_card(
        edition, settlements={first: "A1sw", second: "A1ne"}, roads={first: "A1/w A1/nw", second: "A1/sw B1/nw"}
    )
    assert legal_texts(game, first) == ["road A1/ne"]
    game.play(first, "road A1/ne")
    assert game.phase == "main"


@pytest.mark.rule("DEV-18", "DEV-18.e2", "EDN-03")
@all_editions
@before_or_after
def test_without_any_place_the_card_cannot_be_played(edition: str, phase: str) -> None:
    first, second, *_ = colors_of(edition)
    game = scene(
        edition, phase=phase, dev={first: "1 road-building"}, settlements={first: "A1nw"}, roads={second: "A1/w A1/nw"}
    )
    game.refused(first, "road-building", "DEV-18")
    assert "road-building" not in legal_texts(game, first)
    assert game.development(first)["road-building"] == 1


@pytest.mark.rule("DEV-18", "DEV-18.e2", "EDN-03")
@pytest.mark.parametrize("name", EDITIONS)
def test_without_any_road_left_the_card_cannot_be_played(name: str) -> None:
    first = colors_of(name)[0]
    built = roads_along_the_coast(ALL_ROADS[name])
    game = scene(name, dev={first: "1 road-building"}, settlements={first: "A1nw"}, roads={first: built})
    if edition(name).road_limit is None:
        assert game.allowed(first, "road-building")
    else:
        game.refused(first, "road-building", "DEV-18")
        assert not game.allowed(first, "road-building")


@pytest.mark.rule("DEV-18", "DEV-18.e3", "DEV-16.e1")
@all_editions
def test_the_first_road_may_open_the_place_for_the_second(edition: str) -> None:
    first, second, *_ = colors_of(edition)
    game = road_card(edition, settlements={first: "A1nw"}, roads={second: "A1/w"})
    assert legal_texts(game, first) == ["road A1/nw"]
    game.play(first, "road A1/nw")
    assert game.phase == "free road"
    assert legal_texts(game, first) == ["road A1/ne"] + (["waive"] if edition in MAY_WAIVE else [])
    game.play(first, "road A1/ne")
    assert game.phase == "main"
    assert roads_of(game, first) == 2


@pytest.mark.rule("DEV-18", "DEV-18.e4", "EDN-03")
@pytest.mark.parametrize("name", EDITIONS)
@before_or_after
def test_the_second_road_may_be_waived_where_the_book_says_may(name: str, phase: str) -> None:
    assert edition(name).road_building_optional == (name in MAY_WAIVE)
    game = road_card(name, phase=phase)
    game.refused(0, "waive", "DEV-18")  # never the first
    game.play(0, "road C3/ne")
    game.refused(0, "end", "PHASE-08")
    if name in MAY_WAIVE:
        assert game.allowed(0, "waive")
        game.play(0, "waive")
        assert game.phase == phase
        assert roads_of(game, 0) == 1
        game.refused(0, "road-building", "DEV-03")
        game.refused(0, "waive", "DEV-18")
    else:
        game.refused(0, "waive", "DEV-18")
        game.play(0, "road C3/e")
        assert game.phase == phase
