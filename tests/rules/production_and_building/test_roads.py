"""Roads: where they may go, and how many (ROAD-01 to ROAD-07)."""

from __future__ import annotations

import pytest

from hexholm.rules.places import COAST, CORNER_NAMES, SIDE_CORNERS, SIDE_NAMES
from tests.helpers.edition_table import editions_with
from tests.helpers.legal_texts import legal_texts
from tests.helpers.marks import all_editions

from ..scenes import Scene, chain, hand_text, red_first, roads_along, scene

FIFTEEN_ROADS = f"{chain('BC', 10)} {roads_along('C5ne C5se C5s C5sw C4s C4sw')}"


def legal_roads(game: Scene, color: str) -> set[str]:
    """The sides on which a player may build a road now."""
    return {text.split()[1] for text in legal_texts(game, color) if text.startswith("road ")}


def sides(text: str) -> set[str]:
    """Canonical names of sides."""
    return set(text.split())


# --- ROAD-01, ROAD-02 -------------------------------------------------------------------------------------------------


@all_editions
@pytest.mark.rule("ROAD-01")
def test_a_road_costs_brick_and_lumber_and_gives_no_points(edition: str) -> None:
    game = scene(
        edition, turn="red", hands={"red": "4 brick 5 lumber 1 ore"}, settlements={"red": "C2n"}, roads={"red": "C2/ne"}
    )
    for number, road in enumerate(("C3/nw", "C3/ne", "C4/nw"), 1):
        game.play("red", f"road {road}")
        assert hand_text(game, "red") == f"{4 - number} brick {5 - number} lumber 1 ore"
    assert game.points("red") == game.total("red") == 1


@all_editions
@pytest.mark.rule("ROAD-02", "ROAD-02.e1")
def test_a_path_holds_one_road(edition: str) -> None:
    game = scene(
        edition,
        turn="red",
        hands={"red": "2 brick 2 lumber"},
        roads={"red": roads_along("C2n C2ne C3n"), "blue": roads_along("C3n C3ne")},
    )
    game.refused("red", "road C2/ne", "ROAD-02")
    game.refused("red", "road C3/ne", "ROAD-02")
    assert legal_roads(game, "red") & sides("C2/ne C3/nw C3/ne") == set()
    game.play("red", "road B2/e")
    game.refused("red", "road B2/e", "ROAD-02")


# --- ROAD-03: connected -----------------------------------------------------------------------------------------------


@pytest.mark.rule("ROAD-03", "ROAD-03.x1")
def test_orange_builds_on_from_its_chain_and_its_settlement() -> None:
    game = scene(
        "threed",
        turn="orange",
        hands={"orange": "1 brick 1 lumber"},
        settlements={"orange": "C2n", "red": "C4n"},
        roads={"orange": roads_along("C2n C2ne C3n C3ne C4n")},
    )
    assert legal_roads(game, "orange") == sides("B1/e B1/se C2/e B2/e C3/e")
    for beyond in ("C4/ne", "B3/e"):
        game.refused("orange", f"road {beyond}", "ROAD-04")
    game.refused("orange", "road E2/ne", "ROAD-03")


@all_editions
@pytest.mark.rule("ROAD-03", "ROAD-03.e1")
def test_all_free_paths_at_the_end_of_a_road_are_legal(edition: str) -> None:
    game = scene(edition, turn="red", hands={"red": "1 brick 1 lumber"}, roads={"red": roads_along("C3nw C3n")})
    assert legal_roads(game, "red") == sides("B2/e B3/sw C2/e B2/sw")
    for road in sides("B2/e B3/sw C2/e B2/sw"):
        assert game.allowed("red", f"road {road}")


@all_editions
@pytest.mark.parametrize("piece", ["settlements", "cities"])
@pytest.mark.rule("ROAD-03", "ROAD-03.e2")
def test_all_free_paths_at_an_own_building_are_legal(edition: str, piece: str) -> None:
    game = scene(edition, turn="red", hands={"red": "1 brick 1 lumber"}, **{piece: {"red": "C3n"}})  # type: ignore[arg-type]
    assert legal_roads(game, "red") == sides("B2/e B2/se B3/sw")
    game.play("red", "road B2/e")
    assert game.length("red") == 1


@all_editions
@pytest.mark.rule("ROAD-03")
def test_a_path_apart_from_all_own_pieces_is_refused(edition: str) -> None:
    game = scene(
        edition,
        turn="red",
        hands={"red": "1 brick 1 lumber"},
        settlements={"red": "C2n", "blue": "D3s"},
        roads={"red": "C2/ne", "blue": "D3/se"},
    )
    game.refused("red", "road E2/e", "ROAD-03")  # touches a road of blue only
    game.refused("red", "road D3/sw", "ROAD-03")  # touches a settlement of blue only
    game.refused("red", "road C3/ne", "ROAD-03")  # one path away from an own road


# --- ROAD-04: not through an opponent's building ----------------------------------------------------------------------


@pytest.mark.rule("ROAD-04", "ROAD-04.x1")
def test_blue_does_not_pass_the_settlement_of_black() -> None:
    game = scene(
        "zip",
        turn="blue",
        hands={"blue": "1 brick 1 lumber"},
        settlements={"blue": "C2n", "black": "C3n"},
        roads={"blue": roads_along("C2n C2ne C3n")},
    )
    for beyond in ("B2/e", "B3/sw"):
        game.refused("blue", f"road {beyond}", "ROAD-04")
    assert legal_roads(game, "blue") == sides("B1/e B1/se C2/e")


@pytest.mark.rule("ROAD-04", "ROAD-04.x2")
def test_blue_does_not_pass_the_settlement_of_orange() -> None:
    game = scene(
        "sixth",
        turn="blue",
        hands={"blue": "1 brick 1 lumber"},
        settlements={"orange": "D3n"},
        roads={"blue": roads_along("D2n D2ne D3n")},
    )
    for beyond in ("C3/e", "D3/ne"):
        game.refused("blue", f"road {beyond}", "ROAD-04")
    assert legal_roads(game, "blue") == sides("C2/e C2/se D2/e")


@pytest.mark.rule("ROAD-04", "ROAD-04.x3")
def test_white_builds_everywhere_but_behind_the_settlement_of_blue() -> None:
    game = scene(
        "fifth",
        turn="white",
        hands={"white": "1 brick 1 lumber"},
        settlements={"white": "D2n", "blue": "D3n"},
        roads={"white": roads_along("D2n C3s D3n"), "blue": roads_along("D3n D3ne")},
    )
    game.refused("white", "road C3/e", "ROAD-04")
    assert legal_roads(game, "white") == sides("C2/se C2/e D2/e")
    assert not game.allowed("white", "road D3/ne")


@all_editions
@pytest.mark.parametrize("piece", ["settlements", "cities"])
@pytest.mark.rule("ROAD-04")
def test_a_city_blocks_like_a_settlement(edition: str, piece: str) -> None:
    game = scene(
        edition,
        turn="red",
        hands={"red": "1 brick 1 lumber"},
        roads={"red": roads_along("C2n C2ne C3n")},
        **{piece: {"blue": "C3n"}},  # type: ignore[arg-type]
    )
    game.refused("red", "road C3/ne", "ROAD-04")
    game.refused("red", "road B2/e", "ROAD-04")


@all_editions
@pytest.mark.rule("ROAD-04", "ROAD-04.e1")
def test_the_path_behind_is_legal_from_its_other_end(edition: str) -> None:
    """Red's roads reach both ends of C3/ne; blue sits at one of them only."""
    game = scene(
        edition,
        turn="red",
        hands={"red": "1 brick 1 lumber"},
        settlements={"blue": "C3n"},
        roads={"red": f"{roads_along('C2n C2ne C3n')} {roads_along('C4n C3ne')}"},
    )
    game.refused("red", "road B2/e", "ROAD-04")
    game.play("red", "road C3/ne")
    with_building = scene(
        edition,
        turn="red",
        hands={"red": "1 brick 1 lumber"},
        settlements={"blue": "C3n", "red": "B2ne"},
        roads={"red": roads_along("C2n C2ne C3n")},
    )
    with_building.play("red", "road B2/e")


@all_editions
@pytest.mark.rule("ROAD-04", "ROAD-04.e2")
def test_roads_of_an_opponent_do_not_block(edition: str) -> None:
    """Blue's roads run up to C3n and away from it; red passes."""
    game = scene(
        edition,
        turn="red",
        hands={"red": "1 brick 1 lumber"},
        roads={"red": roads_along("C2ne C3n"), "blue": roads_along("B3n B2ne C3n")},
    )
    game.play("red", "road C3/ne")
    assert game.length("red") == 2


@all_editions
@pytest.mark.rule("ROAD-04", "ROAD-04.e3", "LROAD-06")
def test_both_pieces_of_a_cut_chain_grow_at_their_free_ends(edition: str) -> None:
    game = scene(
        edition,
        turn="blue",
        hands={"red": "4 brick 4 lumber", "blue": "1 brick 1 lumber 1 wool 1 grain"},
        roads={"red": roads_along("C1n C1ne C2n C2ne C3n C3ne C4n"), "blue": roads_along("B2ne C3n")},
    )
    game.play("blue", "settlement C3n")
    game.next_turn_of("red")
    game.roll(2)
    assert legal_roads(game, "red") == sides("B1/w C1/nw C1/e B1/e C2/e C3/e B3/e B4/sw")
    game.play("red", "road C1/nw")
    game.play("red", "road C4/ne")
    assert game.length("red") == 5


@all_editions
@pytest.mark.rule("ROAD-04", "ROAD-04.e4")
def test_a_road_may_end_at_an_opponents_building(edition: str) -> None:
    game = scene(
        edition,
        turn="red",
        hands={"red": "2 brick 2 lumber"},
        settlements={"blue": "C3n"},
        roads={"red": roads_along("C2n C2ne")},
    )
    game.play("red", "road C3/nw")
    assert game.length("red") == 2
    for beyond in ("B2/e", "C3/ne"):
        game.refused("red", f"road {beyond}", "ROAD-04")


# --- ROAD-05: the coast -----------------------------------------------------------------------------------------------


@all_editions
@pytest.mark.rule("ROAD-05")
def test_every_coastal_path_can_hold_a_road(edition: str) -> None:
    for side in COAST:
        start = CORNER_NAMES[SIDE_CORNERS[side][0]]
        game = scene(edition, turn="red", hands={"red": "1 brick 1 lumber"}, settlements={"red": start})
        game.play("red", f"road {SIDE_NAMES[side]}")
        assert game.length("red") == 1


# --- ROAD-06: fifteen -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("edition", editions_with(road_limit=15))
@pytest.mark.rule("ROAD-06")
def test_the_fifteenth_road_is_the_last(edition: str) -> None:
    roads = FIFTEEN_ROADS.removesuffix(" C4/sw")
    game = scene(edition, turn="red", hands={"red": "2 brick 2 lumber"}, roads={"red": roads})
    game.play("red", "road C4/sw")
    game.refused("red", "road C4/w", "ROAD-06")
    assert legal_roads(game, "red") == set()


@pytest.mark.rule("ROAD-06")
def test_zip_has_no_limit_on_roads() -> None:
    game = scene("zip", turn="red", hands={"red": "3 brick 3 lumber"}, roads={"red": FIFTEEN_ROADS})
    for road in ("C4/w", "C3/se", "C3/sw"):
        game.play("red", f"road {road}")
    assert game.length("red") > 15


@pytest.mark.parametrize("edition", editions_with(road_limit=15))
@pytest.mark.rule("ROAD-06", "ROAD-06.e1")
def test_an_upgrade_frees_no_road(edition: str) -> None:
    game = scene(
        edition,
        turn="red",
        hands={"red": "1 brick 1 lumber 2 grain 3 ore"},
        settlements={"red": "C2n"},
        roads={"red": FIFTEEN_ROADS},
    )
    game.play("red", "city C2n")
    game.refused("red", "road C4/w", "ROAD-06")


@pytest.mark.parametrize("edition", editions_with(road_limit=15))
@pytest.mark.rule("ROAD-06", "ROAD-06.e2", "DEV-18")
def test_road_building_near_the_limit(edition: str) -> None:
    full = scene(edition, turn="red", dev={"red": "1 road-building"}, roads={"red": FIFTEEN_ROADS})
    full.refused("red", "road-building", "DEV-18")
    roads = FIFTEEN_ROADS.removesuffix(" C4/sw")
    game = scene(edition, turn="red", dev={"red": "1 road-building"}, roads={"red": roads})
    game.play("red", "road-building")
    game.play("red", "road C4/sw")
    assert game.phase == "main"
    assert game.length("red") == 15


@pytest.mark.rule("ROAD-06")
def test_road_building_gives_two_beyond_fifteen_in_zip() -> None:
    game = scene("zip", turn="red", dev={"red": "1 road-building"}, roads={"red": FIFTEEN_ROADS})
    game.play("red", "road-building")
    game.play("red", "road C4/w")
    assert game.phase == "free road"
    game.play("red", "road C3/se")
    assert game.phase == "main"


# --- ROAD-07: roads first ---------------------------------------------------------------------------------------------


@all_editions
@pytest.mark.rule("ROAD-07")
def test_a_new_site_is_reached_by_roads_only(edition: str) -> None:
    _, blue, *_ = red_first(edition)
    game = scene(
        edition,
        turn="red",
        hands={"red": "5 brick 5 lumber 5 wool 5 grain"},
        settlements={"red": "C2n"},
        roads={blue: roads_along("C3n C3ne C4n")},
    )
    for corner in CORNER_NAMES:
        assert not game.allowed("red", f"settlement {corner}")
    game.refused("red", "settlement C3n", "SETTLE-04")
    game.play("red", "road C2/ne")
    game.refused("red", "settlement C2ne", "SETTLE-03")
    game.play("red", "road C3/nw")
    assert [text for text in legal_texts(game, "red") if text.startswith("settlement")] == ["settlement B2se"]
    game.play("red", "settlement C3n")
