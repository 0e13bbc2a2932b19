"""Cities: what they replace, their price, number and yield (CITY-01 to CITY-07)."""

from __future__ import annotations

import pytest

from hexholm.rules.compilation.kernels import popcount
from hexholm.rules.encoding.structs import TERRAINS
from hexholm.rules.places import CORNER_HEXES, read_corner
from tests.helpers.legal_texts import legal_texts
from tests.helpers.marks import all_editions

from ..scenes import Scene, chain, hand_text, roads_along, scene
from ..turns import PLENTY

PRICE = "2 grain 3 ore"
LONG_ROAD = f"{chain('BC', 10)} {roads_along('C5ne C5se C5s')}"


def stock(game: Scene, color: str) -> tuple[int, int]:
    """Settlements and cities a player has left to build."""
    s, seat = game.state, game.seat(color)
    return s.settlement_limit - popcount(s.settlements[seat]), s.city_limit - popcount(s.cities[seat])


# --- CITY-01, CITY-02 -------------------------------------------------------------------------------------------------


@all_editions
@pytest.mark.rule("CITY-01", "CITY-01.e1")
def test_a_city_replaces_an_own_settlement_only(edition: str) -> None:
    game = scene(
        edition,
        turn="red",
        hands={"red": PLENTY},
        settlements={"red": "C2n", "blue": "C3n"},
        cities={"red": "C4n", "blue": "D2n"},
        roads={"red": LONG_ROAD},
    )
    for corner in ("C1n", "C5n", "E2s", "C3n", "C4n", "D2n"):
        game.refused("red", f"city {corner}", "CITY-01")
    assert [text for text in legal_texts(game, "red") if text.startswith("city")] == ["city B1se"]
    game.play("red", "city C2n")
    game.refused("red", "city C2n", "CITY-01")
    game.refused("red", "settlement C2n", "SETTLE-02")


@all_editions
@pytest.mark.rule("CITY-02", "CITY-02.e1")
def test_a_city_costs_three_ore_and_two_grain_and_gains_one_point(edition: str) -> None:
    game = scene(edition, turn="red", hands={"red": "1 brick 3 grain 4 ore"}, settlements={"red": "C2n"})
    assert game.points("red") == 1
    game.play("red", "city C2n")
    assert hand_text(game, "red") == "1 brick 1 grain 1 ore"
    assert game.points("red") == 2


@all_editions
@pytest.mark.rule("CITY-02")
def test_every_city_is_worth_two_points(edition: str) -> None:
    game = scene(edition, settlements={"red": "C5n"}, cities={"red": "C1n C2n C3n C4n"})
    assert game.points("red") == 9


# --- CITY-03, CITY-04 -------------------------------------------------------------------------------------------------


@all_editions
@pytest.mark.rule("CITY-03", "CITY-03.e1")
def test_the_replaced_settlement_can_be_built_again(edition: str) -> None:
    game = scene(
        edition, turn="red", hands={"red": PLENTY}, settlements={"red": "C1n C2n C3n C4n C5n"}, roads={"red": LONG_ROAD}
    )
    assert stock(game, "red") == (0, 4)
    game.refused("red", "settlement C5s", "SETTLE-05")
    game.play("red", "city C1n")
    assert stock(game, "red") == (1, 3)
    game.play("red", "settlement C5s")
    assert stock(game, "red") == (0, 3)


@all_editions
@pytest.mark.rule("CITY-04", "CITY-04.e1")
def test_the_fifth_city_is_refused(edition: str) -> None:
    game = scene(
        edition,
        turn="red",
        hands={"red": "9 grain 9 ore"},
        settlements={"red": "C4n C5n"},
        cities={"red": "C1n C2n C3n"},
        points_to_win=20,
    )
    game.play("red", "city C4n")
    assert stock(game, "red") == (4, 0)
    game.refused("red", "city C5n", "CITY-04")
    assert not game.allowed("red", "city C5n")


# --- CITY-05: double production ---------------------------------------------------------------------------------------


@all_editions
@pytest.mark.rule("CITY-05")
def test_a_city_takes_two_cards_from_each_hex(edition: str) -> None:
    """C2n touches fields 12, hills 6 and forest 11."""
    terrain = scene(edition).state.terrain
    assert {TERRAINS[terrain[h]] for h in CORNER_HEXES[read_corner("C2n")]} == {"fields", "hills", "forest"}
    for total, kind in ((12, "grain"), (6, "brick"), (11, "lumber")):
        before = scene(edition, turn="red", phase="roll", settlements={"red": "C2n"})
        before.roll(total)
        assert hand_text(before, "red") == f"1 {kind}"
        game = scene(edition, turn="red", phase="roll", cities={"red": "C2n"})
        game.roll(total)
        assert hand_text(game, "red") == f"2 {kind}"


@all_editions
@pytest.mark.rule("CITY-05")
def test_the_hex_with_the_robber_gives_a_city_nothing(edition: str) -> None:
    game = scene(edition, turn="red", phase="roll", cities={"red": "C2n"}, robber="B2")
    game.roll(6)
    assert game.size("red") == 0


# --- CITY-06, CITY-07 -------------------------------------------------------------------------------------------------


@all_editions
@pytest.mark.rule("CITY-06", "CITY-06.e1")
def test_a_settlement_may_become_a_city_in_the_turn_it_is_built(edition: str) -> None:
    hand = {"red": "1 brick 1 lumber 1 wool 3 grain 3 ore"}
    game = scene(edition, turn="red", hands=hand, roads={"red": "C3/ne"})
    game.play("red", "settlement C3n")
    assert hand_text(game, "red") == PRICE
    game.play("red", "city C3n")
    assert game.size("red") == 0
    assert game.points("red") == 2


@all_editions
@pytest.mark.rule("CITY-07", "CITY-07.e1")
def test_without_cities_buildings_make_five_points_at_most(edition: str) -> None:
    hand = {"red": "9 brick 9 lumber 9 wool 9 grain"}
    game = scene(edition, turn="red", hands=hand, settlements={"red": "C1n"}, roads={"red": LONG_ROAD})
    award = 2  # LROAD-02
    for corner in ("C2n", "C3n", "C4n", "C5n"):
        game.play("red", f"settlement {corner}")
    assert game.points("red") - award == 5
    game.refused("red", "settlement C5s", "SETTLE-05")
    assert not [text for text in legal_texts(game, "red") if text.startswith("settlement")]
    s = game.state
    assert s.settlement_limit * s.points_settlement == 5
    assert s.settlement_limit * s.points_settlement + s.city_limit * s.points_city == 13
