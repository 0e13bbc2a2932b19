"""Settlements: price, place, number, production (SETTLE-01 to SETTLE-07)."""

from __future__ import annotations

import pytest

from hexholm.rules.encoding.structs import TERRAINS
from hexholm.rules.places import CORNER_HEXES, CORNER_NAMES, CORNER_NEIGHBORS, CORNER_SIDES, SIDE_NAMES, read_corner
from tests.helpers.legal_texts import legal_texts
from tests.helpers.marks import all_editions

from ..scenes import Scene, chain, changed_board, hand_text, roads_along, scene
from ..turns import PLENTY

PRICE = "1 brick 1 lumber 1 wool 1 grain"


def sites(game: Scene, color: str) -> set[str]:
    """The corners where a player may build a settlement now."""
    return {text.split()[1] for text in legal_texts(game, color) if text.startswith("settlement ")}


def corner_actions(corners: str) -> set[str]:
    """Canonical names of corners."""
    return {CORNER_NAMES[read_corner(corner)] for corner in corners.split()}


def roads_at(corner: int) -> str:
    """All sides at a corner."""
    return " ".join(SIDE_NAMES[side] for side in CORNER_SIDES[corner])


# --- SETTLE-01, SETTLE-02 ---------------------------------------------------------------------------------------------


@all_editions
@pytest.mark.rule("SETTLE-01")
def test_a_settlement_costs_four_cards_and_gives_one_point(edition: str) -> None:
    game = scene(edition, turn="red", hands={"red": "2 brick 1 lumber 1 wool 3 grain"}, roads={"red": "C3/ne"})
    assert game.points("red") == 0
    game.play("red", "settlement C3n")
    assert hand_text(game, "red") == "1 brick 2 grain"
    assert game.points("red") == game.total("red") == 1


@all_editions
@pytest.mark.rule("SETTLE-02")
def test_a_settlement_goes_on_an_empty_corner(edition: str) -> None:
    game = scene(
        edition,
        turn="red",
        hands={"red": PLENTY},
        settlements={"red": "C1n", "blue": "C3n"},
        cities={"red": "C2n", "blue": "C4n"},
        roads={"red": chain("BC", 9)},
    )
    for corner in ("C1n", "C2n", "C3n", "C4n"):
        game.refused("red", f"settlement {corner}", "SETTLE-02")
    assert sites(game, "red") == corner_actions("C5n")


# --- SETTLE-03: the distance rule -------------------------------------------------------------------------------------


@pytest.mark.rule("SETTLE-03", "SETTLE-03.x1")
def test_every_b_is_next_to_an_a_and_c_is_free() -> None:
    """A: C2n, C4n and D3s. B: C2ne, C3ne and D3se, at blue's roads and next to an A. C: C3n and C4s."""
    game = scene(
        "fifth",
        turn="blue",
        hands={"blue": PRICE},
        settlements={"red": "C2n", "white": "C4n", "orange": "D3s"},
        roads={"blue": f"{roads_along('C2ne C3n C3ne')} {roads_along('D3se C4s')}"},
    )
    for b in ("C2ne", "C3ne", "D3se"):
        game.refused("blue", f"settlement {b}", "SETTLE-03")
    assert sites(game, "blue") == corner_actions("C3n C4s")
    game.play("blue", "settlement C3n")


@pytest.mark.rule("SETTLE-03", "SETTLE-03.x2")
def test_orange_finds_the_only_point_without_a_neighbor() -> None:
    game = scene(
        "threed",
        turn="orange",
        hands={"orange": PRICE},
        settlements={"orange": "D1s", "red": "D3s"},
        cities={"blue": "D2n"},
        roads={"orange": f"{roads_along('D1s D1se D2s D2se')} {roads_along('D1se D1ne')}"},
    )
    for corner in ("D1se", "D2se", "D1ne"):
        game.refused("orange", f"settlement {corner}", "SETTLE-03")
    assert sites(game, "orange") == corner_actions("D2s")


@all_editions
@pytest.mark.rule("SETTLE-03", "SETTLE-03.e1", "SETTLE-03.e2")
def test_two_paths_away_is_far_enough_and_one_is_not(edition: str) -> None:
    for owner in ("red", "blue"):
        game = scene(
            edition,
            turn="red",
            hands={"red": PRICE},
            settlements={owner: "C2n"},
            roads={"red": chain("BC", 3, start=4)} if owner == "blue" else {"red": chain("BC", 4, start=3)},
        )
        game.refused("red", "settlement C2ne", "SETTLE-03")
        game.play("red", "settlement C3n")


@pytest.mark.rule("SETTLE-03", "SETTLE-03.e3")
def test_coastal_corners_with_two_neighbors_look_at_those() -> None:
    corners = [c for c in range(54) if len(CORNER_NEIGHBORS[c]) == 2]
    assert len(corners) == 18
    for corner in corners:
        text = f"settlement {CORNER_NAMES[corner]}"
        roads = {"red": roads_at(corner)}
        assert scene(turn="red", hands={"red": PRICE}, roads=roads).allowed("red", text)
        for neighbor in CORNER_NEIGHBORS[corner]:
            neighbor_piece = {"blue": CORNER_NAMES[neighbor]}
            scene(turn="red", hands={"red": PRICE}, roads=roads, settlements=neighbor_piece).refused(
                "red", text, "SETTLE-03"
            )
        for second in {c for n in CORNER_NEIGHBORS[corner] for c in CORNER_NEIGHBORS[n]} - {corner}:
            beyond = {"blue": CORNER_NAMES[second]}
            assert scene(turn="red", hands={"red": PRICE}, roads=roads, settlements=beyond).allowed("red", text)


@pytest.mark.rule("SETTLE-03")
def test_all_three_neighbors_of_every_other_corner_count() -> None:
    for corner in (c for c in range(54) if len(CORNER_NEIGHBORS[c]) == 3):
        text = f"settlement {CORNER_NAMES[corner]}"
        roads = {"red": roads_at(corner)}
        for neighbor in CORNER_NEIGHBORS[corner]:
            neighbor_piece = {"blue": CORNER_NAMES[neighbor]}
            scene(turn="red", hands={"red": PRICE}, roads=roads, settlements=neighbor_piece).refused(
                "red", text, "SETTLE-03"
            )


@all_editions
@pytest.mark.parametrize("owner", ["red", "blue"])
@pytest.mark.rule("SETTLE-03", "SETTLE-03.e4")
def test_a_city_keeps_others_away_like_a_settlement(edition: str, owner: str) -> None:
    game = scene(
        edition, turn="red", hands={"red": PRICE}, cities={owner: "C2n"}, roads={"red": chain("BC", 3, start=4)}
    )
    game.refused("red", "settlement C2ne", "SETTLE-03")
    assert sites(game, "red") == corner_actions("C3n C3ne C4n")


# --- SETTLE-04: at an own road ----------------------------------------------------------------------------------------


@pytest.mark.rule("SETTLE-04", "SETTLE-04.x1")
def test_olivia_can_build_on_b_only() -> None:
    """A: C3ne, next to white's C4n. B: C3n. C: D3s, free but without a blue road."""
    game = scene(
        "fifth",
        turn="blue",
        hands={"blue": PRICE},
        settlements={"blue": "C2n", "white": "C4n"},
        roads={"blue": chain("BC", 3, start=3)},
    )
    game.refused("blue", "settlement C3ne", "SETTLE-03")
    game.refused("blue", "settlement D3s", "SETTLE-04")
    assert sites(game, "blue") == corner_actions("C3n")
    game.play("blue", "settlement C3n")


@pytest.mark.rule("SETTLE-04", "SETTLE-04.x2")
def test_orange_can_build_on_the_green_point_only() -> None:
    game = scene(
        "threed",
        turn="orange",
        hands={"orange": PRICE},
        settlements={"orange": "D2n", "blue": "D4n"},
        roads={"orange": roads_along("D2n D2ne D3n D3ne"), "red": roads_along("B2n B2ne")},
    )
    for red_point in ("D2ne", "D3ne"):
        game.refused("orange", f"settlement {red_point}", "SETTLE-03")
    for blue_point in ("B2n", "E2s"):
        game.refused("orange", f"settlement {blue_point}", "SETTLE-04")
    assert sites(game, "orange") == corner_actions("D3n")


@pytest.mark.parametrize("edition, color", [("zip", "blue"), ("sixth", "orange")])
@pytest.mark.rule("SETTLE-04", "SETTLE-04.x3")
def test_legal_exactly_at_free_points_of_own_roads_that_keep_the_distance(edition: str, color: str) -> None:
    game = scene(
        edition,
        turn=color,
        hands={color: PRICE},
        settlements={color: "C2n", "red": "C4n"},
        cities={"red": "D2ne"},
        roads={
            color: f"{chain('BC', 5, start=3)} {roads_along('C2ne C2se C2s C1se')} {roads_along('C4ne C4se')}",
            "red": roads_along("C3n B2ne B3n"),
        },
    )
    occupied = {read_corner("C2n"), read_corner("C4n"), read_corner("D2ne")}
    own = "C2n C2ne C3n C3ne C4n C4ne C2se C2s C1se C4se"
    free = {
        CORNER_NAMES[corner]
        for corner in map(read_corner, own.split())
        if corner not in occupied and not occupied & set(CORNER_NEIGHBORS[corner])
    }
    assert sites(game, color) == free == corner_actions("C3n C2s C1se C4se")


@all_editions
@pytest.mark.rule("SETTLE-04", "SETTLE-04.e1")
def test_the_road_of_an_opponent_is_not_enough(edition: str) -> None:
    game = scene(
        edition,
        turn="red",
        hands={"red": PRICE},
        roads={"red": roads_along("C1nw C1n"), "blue": roads_along("C2n C2ne C3n")},
    )
    for corner in ("C2n", "C2ne", "C3n"):
        game.refused("red", f"settlement {corner}", "SETTLE-04")
    assert sites(game, "red") == corner_actions("C1nw C1n")


@all_editions
@pytest.mark.rule("SETTLE-04", "SETTLE-04.e2", "LROAD-07")
def test_a_point_on_the_chain_of_an_opponent_is_legal_with_an_own_road(edition: str) -> None:
    game = scene(
        edition, turn="red", hands={"red": PRICE}, roads={"red": roads_along("B2ne C3n"), "blue": chain("BC", 8)}
    )
    assert game.length("blue") == 8
    game.play("red", "settlement C3n")
    assert game.length("blue") == 5


# --- SETTLE-05: five at a time ----------------------------------------------------------------------------------------


@all_editions
@pytest.mark.rule("SETTLE-05", "SETTLE-05.e1")
def test_with_five_on_the_board_one_must_become_a_city_first(edition: str) -> None:
    game = scene(
        edition,
        turn="red",
        hands={"red": PLENTY},
        settlements={"red": "C1n C2n C3n C4n"},
        roads={"red": f"{chain('BC', 10)} {roads_along('C5ne C5se C5s')}"},
    )
    game.play("red", "settlement C5n")
    game.refused("red", "settlement C5s", "SETTLE-05")
    assert sites(game, "red") == set()
    game.play("red", "city C2n")
    assert sites(game, "red") == corner_actions("C5s C5se")
    game.play("red", "settlement C5s")


# --- SETTLE-06, SETTLE-07 ---------------------------------------------------------------------------------------------


@all_editions
@pytest.mark.rule("SETTLE-06", "SETTLE-06.x1")
def test_a_settlement_on_two_pastures_and_a_mountains_hex_takes_part_in_all_three(edition: str) -> None:
    board = changed_board(A3="mountains 9", C5="forest 8")
    terrains = sorted(TERRAINS[board.board.terrain[h]] for h in CORNER_HEXES[read_corner("B3n")])
    assert terrains == ["mountains", "pasture", "pasture"]
    for total, gain in ((2, "1 wool"), (4, "1 wool"), (9, "1 ore"), (8, "nothing")):
        game = scene(edition, turn="red", phase="roll", board=board, settlements={"red": "B3n"})
        game.roll(total)
        assert hand_text(game, "red") == gain


@all_editions
@pytest.mark.parametrize("robber", ["C3", "B2", "B3"])
@pytest.mark.rule("SETTLE-07", "SETTLE-07.e1")
def test_the_robber_beside_the_site_does_not_hinder(edition: str, robber: str) -> None:
    game = scene(edition, turn="red", hands={"red": PRICE}, roads={"red": "C3/ne"}, robber=robber)
    assert game.allowed("red", "settlement C3n")
    game.play("red", "settlement C3n")
    assert game.points("red") == 1
