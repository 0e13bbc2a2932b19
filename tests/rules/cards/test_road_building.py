"""Road Building: two free roads, or as many as possible (DEV-16 to DEV-18)."""

from __future__ import annotations

from typing import Any

import pytest

from hexholm.rules.core.roads import road_count
from hexholm.rules.editions import EDITIONS, edition
from hexholm.rules.places import COAST, SIDE_NAMES
from tests.legal_texts import legal_texts
from tests.marks import all_editions, three_or_four

from ..scenes import Scene, before_or_after, by_seat, colors_of, held, scene, supply_of

MAY_WAIVE = {"fifth", "threed", "summary"}


def roads_along_the_coast(n: int) -> str:
    return " ".join(SIDE_NAMES[side] for side in COAST[:n])


def road_card(book: str, **more: Any) -> Scene:
    """Seat 0 has played Road Building."""
    one = colors_of(book)[0]
    more.setdefault("settlements", {one: "C3n"})
    game = scene(book, dev={one: "1 road-building"}, **more)
    game.play(one, "road-building")
    assert game.phase == "free road"
    return game


def roads_of(game: Scene, who: int | str) -> int:
    return road_count(game.state, game.seat(who))


# --- Road Building ----------------------------------------------------------------------------------------------------


@pytest.mark.rule("DEV-16", "DEV-16.e1", "DEV-16.e2")
@all_editions
@before_or_after
@three_or_four
def test_two_roads_are_built_without_paying(edition: str, phase: str, players: int) -> None:
    hands = by_seat(edition, "1 brick 1 lumber", "3 ore")
    game = road_card(edition, phase=phase, hands=hands, players=players)
    supply = supply_of(game)
    game.play(0, "road C3/ne")
    assert game.phase == "free road"
    game.play(0, "road C3/e")  # starts from the first one
    assert game.phase == phase
    assert roads_of(game, 0) == game.length(0) == 2
    assert (held(game, 0), held(game, 1), supply_of(game)) == ("1 brick 1 lumber", "3 ore", supply)


@pytest.mark.rule("DEV-16")
@all_editions
def test_the_two_roads_may_lie_apart(edition: str) -> None:
    one = colors_of(edition)[0]
    game = road_card(edition, settlements={one: "C3n A1n"})
    game.play(one, "road C3/ne")
    game.play(one, "road A1/nw")
    assert game.phase == "main"
    assert roads_of(game, one) == 2


@pytest.mark.rule("DEV-16.e3")
@pytest.mark.parametrize("name", EDITIONS)
def test_the_free_roads_come_out_of_the_fifteen(name: str) -> None:
    one = colors_of(name)[0]
    game = road_card(
        name, settlements={one: "A1nw"}, roads={one: roads_along_the_coast(13)}, hands={one: "2 brick 2 lumber"}
    )
    game.play(one, f"road {SIDE_NAMES[COAST[13]]}")
    game.play(one, f"road {SIDE_NAMES[COAST[14]]}")
    assert roads_of(game, one) == 15
    next_one = f"road {SIDE_NAMES[COAST[15]]}"
    if edition(name).road_limit is None:  # zip draws as many as it likes
        assert game.allowed(one, next_one)
    else:
        game.refused(one, next_one, "ROAD-06")


@pytest.mark.rule("DEV-17", "DEV-17.e1")
@all_editions
def test_an_illegal_place_is_refused_and_the_choice_stays_open(edition: str) -> None:
    one, two, *_ = colors_of(edition)
    game = road_card(
        edition,
        settlements={one: "C3n", two: "C3se"},
        roads={one: "C3/ne C3/e", two: "C3/sw C3/nw"},
    )
    for _ in range(2):
        game.refused(one, "road C3/ne", "ROAD-02")
        game.refused(one, "road C3/nw", "ROAD-02")
        game.refused(one, "road C3/se", "ROAD-04")  # behind the settlement of two
        game.refused(one, "road A1/nw", "ROAD-03")
        game.refused(one, "settlement A2s", "PHASE-11")
        assert game.phase == "free road"
        game.play(one, game.legal(one)[0])
    assert game.phase == "main"


@pytest.mark.rule("DEV-17", "DEV-17.e2")
@all_editions
def test_the_award_is_given_after_the_first_of_the_two_roads(edition: str) -> None:
    one = colors_of(edition)[0]
    game = road_card(edition, settlements={one: "A1nw"}, roads={one: roads_along_the_coast(4)})
    assert game.holder("longest_road") is None
    game.play(one, f"road {SIDE_NAMES[COAST[4]]}")
    assert game.phase == "free road"
    assert game.holder("longest_road") == one
    assert game.points(one) == 3


@pytest.mark.rule("DEV-17", "DEV-17.e2")
@all_editions
def test_the_award_is_given_after_the_second_of_the_two_roads(edition: str) -> None:
    one, two, *_ = colors_of(edition)
    other = " ".join(SIDE_NAMES[side] for side in COAST[12:17])
    game = road_card(edition, settlements={one: "A1nw"}, roads={one: roads_along_the_coast(4), two: other})
    assert game.holder("longest_road") == two
    game.play(one, f"road {SIDE_NAMES[COAST[4]]}")
    assert game.holder("longest_road") == two  # five against five
    game.play(one, f"road {SIDE_NAMES[COAST[5]]}")
    assert game.holder("longest_road") == one


@pytest.mark.rule("DEV-17.e2")
@all_editions
@before_or_after
def test_the_first_road_may_win_and_the_second_is_not_asked_for(edition: str, phase: str) -> None:
    one = colors_of(edition)[0]
    game = road_card(
        edition,
        phase=phase,
        cities={one: "C3n C3se C3sw D4se"},
        settlements={},
        roads={one: roads_along_the_coast(4)},
    )
    assert game.points(one) == 8
    game.play(one, f"road {SIDE_NAMES[COAST[4]]}")
    assert game.phase == "over"
    assert game.winner == 0
    assert game.to_act() == []
    game.refused(one, f"road {SIDE_NAMES[COAST[5]]}", "WIN-02")


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
    one = colors_of(name)[0]
    game = road_card(name, settlements={one: "A1nw"}, roads={one: roads_along_the_coast(14)})
    game.play(one, f"road {SIDE_NAMES[COAST[14]]}")
    if edition(name).road_limit is None:
        assert game.phase == "free road"  # zip: no limit, so both
        game.play(one, f"road {SIDE_NAMES[COAST[15]]}")
    assert game.phase == "main"
    assert roads_of(game, one) == (16 if name == "zip" else 15)
    assert game.cards(one)["road-building"] == 0


@pytest.mark.rule("DEV-18", "DEV-18.e1", "EDN-03")
@all_editions
@before_or_after
def test_with_one_place_that_opens_no_second_one_is_built(edition: str, phase: str) -> None:
    one, two, *_ = colors_of(edition)
    game = road_card(edition, phase=phase, settlements={one: "A1nw"}, roads={two: "A1/w A1/ne"})
    assert legal_texts(game, one) == ["road A1/nw"]
    game.play(one, "road A1/nw")
    assert game.phase == phase
    assert roads_of(game, one) == 1


@pytest.mark.rule("DEV-18", "DEV-18.e1", "EDN-03")
@all_editions
def test_a_place_behind_an_opponents_building_is_no_second_place(edition: str) -> None:
    one, two, *_ = colors_of(edition)
    # the only free side at A1nw's road leads to A1ne, where two stands: the ways on are closed to one
    game = road_card(edition, settlements={one: "A1sw", two: "A1ne"}, roads={one: "A1/w A1/nw", two: "A1/sw B1/nw"})
    assert legal_texts(game, one) == ["road A1/ne"]
    game.play(one, "road A1/ne")
    assert game.phase == "main"


@pytest.mark.rule("DEV-18", "DEV-18.e2", "EDN-03")
@all_editions
@before_or_after
def test_without_any_place_the_card_cannot_be_played(edition: str, phase: str) -> None:
    one, two, *_ = colors_of(edition)
    game = scene(
        edition, phase=phase, dev={one: "1 road-building"}, settlements={one: "A1nw"}, roads={two: "A1/w A1/nw"}
    )
    game.refused(one, "road-building", "DEV-18")
    assert "road-building" not in legal_texts(game, one)
    assert game.cards(one)["road-building"] == 1


@pytest.mark.rule("DEV-18", "DEV-18.e2", "EDN-03")
@pytest.mark.parametrize("name", EDITIONS)
def test_without_any_road_left_the_card_cannot_be_played(name: str) -> None:
    one = colors_of(name)[0]
    game = scene(name, dev={one: "1 road-building"}, settlements={one: "A1nw"}, roads={one: roads_along_the_coast(15)})
    if edition(name).road_limit is None:
        assert game.allowed(one, "road-building")
    else:
        game.refused(one, "road-building", "DEV-18")
        assert not game.allowed(one, "road-building")


@pytest.mark.rule("DEV-18", "DEV-18.e3", "DEV-16.e1")
@all_editions
def test_the_first_road_may_open_the_place_for_the_second(edition: str) -> None:
    one, two, *_ = colors_of(edition)
    game = road_card(edition, settlements={one: "A1nw"}, roads={two: "A1/w"})
    assert legal_texts(game, one) == ["road A1/nw"]
    game.play(one, "road A1/nw")
    assert game.phase == "free road"
    assert legal_texts(game, one) == ["road A1/ne"] + (["waive"] if edition in MAY_WAIVE else [])
    game.play(one, "road A1/ne")
    assert game.phase == "main"
    assert roads_of(game, one) == 2


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
