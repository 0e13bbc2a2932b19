"""Boards as data: the island, the beginners' board, the Zip! maps, and the board of a game."""

from __future__ import annotations

import itertools
from collections import Counter
from importlib import resources
from pathlib import Path
from typing import Any

import pytest
import yaml

from hexholm.rules import places
from hexholm.rules.boards import (
    ODDS_PERCENT,
    RED_NUMBERS,
    Layout,
    StartPiece,
    beginner_layout,
    layout_for,
    number_dots,
    read_board,
    read_board_data,
    zip_map,
)
from hexholm.rules.core.variable_setup import HARBOR_AND_FRAME_SHUFFLE, SPIRAL_NUMBERS, generate_board
from hexholm.rules.encoding.structs import HARBOR_KINDS, TERRAINS, Board
from hexholm.rules.places import (
    COAST,
    CORNER_HEXES,
    CORNER_ID,
    CORNER_NAMES,
    CORNER_NEIGHBORS,
    HEX_ID,
    HEX_NAMES,
    HEX_NEIGHBORS,
    HEXES,
    SIDE_CORNERS,
    SIDE_HEXES,
    SIDE_ID,
    SIDE_NAMES,
    SPIRALS,
)
from hexholm.rules.random_numbers import key_for
from hexholm.rules.setup.board_components import FRAME_HARBORS, FRAME_JOINTS, LETTER_VALUES
from hexholm.rules.setup.editions import EDITIONS, edition
from hexholm.rules.setup.options import check_options

BLOCK: dict[str, Any] = yaml.safe_load(
    (Path(__file__).parent / "data" / "boards_block.yaml").read_text(encoding="utf-8")
)
RESOURCE = {"hills": "brick", "forest": "lumber", "pasture": "wool", "fields": "grain", "mountains": "ore"}


def hex_of(axial: str) -> str:
    q, r = map(int, axial.split(","))
    return HEX_NAMES[HEXES.index((q, r))]


def corner_of(axial: str, direction: str) -> int:
    return CORNER_ID[hex_of(axial) + direction.lower()]


def side_of(axial: str, direction: str) -> int:
    return SIDE_ID[f"{hex_of(axial)}/{direction.lower()}"]


def terrain_at(layout: Layout, corner: int) -> list[str]:
    return sorted(TERRAINS[layout.board.terrain[h]] for h in CORNER_HEXES[corner])


def numbers(layout: Layout) -> list[int]:
    return [layout.board.number[h] for h in range(19)]


def touching(layout: Layout) -> set[tuple[int, int]]:
    """Pairs of numbers that lie beside each other."""
    layout_numbers = numbers(layout)
    return {
        (layout_numbers[a], layout_numbers[b])
        for a in range(19)
        for b in HEX_NEIGHBORS[a]
        if layout_numbers[a] and layout_numbers[b]
    }


def assert_no_red_or_equal_neighbors(layout: Layout) -> None:
    assert not any(a in RED_NUMBERS and b in RED_NUMBERS for a, b in touching(layout))
    assert not any(a == b for a, b in touching(layout))


# --- the island -------------------------------------------------------------------------------------------------------


@pytest.mark.rule("MAP-01", "MAP-01.e1", "MAP-03", "MAP-03.e1")
def test_counts_of_the_island() -> None:
    assert Counter(name[0] for name in HEX_NAMES) == {"A": 3, "B": 4, "C": 5, "D": 4, "E": 3}
    assert (len(HEX_NAMES), len(CORNER_NAMES), len(SIDE_NAMES)) == (19, 54, 72)
    coastal_sides = [s for s in range(72) if len(SIDE_HEXES[s]) == 1]
    assert sorted(COAST) == coastal_sides
    assert len(coastal_sides) == 30
    coastal = [c for c in range(54) if len(CORNER_HEXES[c]) < 3]
    assert len(coastal) == 30
    assert set(coastal) == {c for s in COAST for c in SIDE_CORNERS[s]}
    assert Counter(len(CORNER_NEIGHBORS[c]) for c in coastal) == {2: 18, 3: 12}
    assert Counter(len(CORNER_HEXES[c]) for c in coastal) == {1: 18, 2: 12}
    assert all(len(CORNER_NEIGHBORS[c]) == 3 for c in range(54) if c not in coastal)
    assert all(len(set(ends)) == 2 for ends in SIDE_CORNERS)


@pytest.mark.rule("MAP-01")
def test_the_coast_is_one_clockwise_walk() -> None:
    for side, next_side in itertools.pairwise([*COAST, COAST[0]]):
        assert len({*SIDE_CORNERS[side]} & {*SIDE_CORNERS[next_side]}) == 1
    assert SIDE_NAMES[COAST[0]] == "A1/w"
    assert SIDE_NAMES[COAST[1]] == "A1/nw"


@pytest.mark.rule("MAP-02", "MAP-02.e1")
def test_every_coastal_corner_can_hold_a_building() -> None:
    for corner in (c for c in range(54) if len(CORNER_HEXES[c]) < 3):
        other_harbor = next(
            c for c in range(54) if len(CORNER_HEXES[c]) == 3 and c not in (corner, *CORNER_NEIGHBORS[corner])
        )
        pieces = []
        for at in (corner, other_harbor):
            road = next(s for s in range(72) if at in SIDE_CORNERS[s])
            pieces.append({"settlement": CORNER_NAMES[at], "road": SIDE_NAMES[road], "paid": at == corner})
        layout = read_board_data({**beginner_layout().as_dict(), "start": {"red": pieces}})
        assert layout.start[0].corner == corner


# --- the beginners' board ---------------------------------------------------------------------------------------------


@pytest.mark.rule("MAP-10", "MAP-11", "MAP-12")
def test_the_beginners_board_is_the_block_of_the_catalogue() -> None:
    block, layout = BLOCK["beginner"], beginner_layout()
    data = layout.as_dict()
    assert data["hexes"] == {hex_of(axial): content for axial, content in block["hexes"].items()}
    assert data["harbors"] == [
        [SIDE_NAMES[side_of(axial, direction)], kind]
        for axial, direction, kind in sorted(block["harbors"], key=lambda row: COAST.index(side_of(row[0], row[1])))
    ]
    assert {
        (color, corner_of(*piece["corner"]), side_of(*piece["road"]), piece.get("paid", False))
        for color, pieces in block["start"].items()
        for piece in pieces
    } == {(piece.color, piece.corner, piece.road, piece.paid) for piece in layout.start}
    assert HEX_NAMES[layout.desert] == hex_of(block["robber"]) == "C3"


@pytest.mark.rule("MAP-10", "MAP-10.e1")
def test_rows_of_the_beginners_board() -> None:
    rows = "m10 p2 f9 g12 h6 p4 h10 g9 f11 - f3 m8 f8 m3 g4 p5 h5 g6 p11".split()
    letter = {"mountains": "m", "pasture": "p", "forest": "f", "fields": "g", "hills": "h"}
    hexes = beginner_layout().as_dict()["hexes"]
    assert ["-" if t == "desert" else f"{letter[t]}{n}" for t, n in hexes.values()] == rows
    assert Counter(terrain for terrain, _ in hexes.values()) == edition("fifth").terrain_counts
    assert Counter(number for _, number in hexes.values() if number) == edition("fifth").number_counts


@pytest.mark.rule("MAP-10.e2", "MAP-10.e3")
def test_the_beginners_board_has_no_bad_neighbors_and_is_no_spiral() -> None:
    layout = beginner_layout()
    assert_no_red_or_equal_neighbors(layout)
    for walk in SPIRALS:
        along = [layout.board.number[h] for h in walk if h != layout.desert]
        assert along != list(LETTER_VALUES)
    assert layout.board.start_corner == -1


@pytest.mark.rule("MAP-10.x1")
def test_a_ten_on_the_start_position_gives_red_ore_and_orange_brick() -> None:
    layout = beginner_layout()
    tens = [
        (piece.color, RESOURCE[TERRAINS[layout.board.terrain[h]]])
        for piece in layout.start
        for h in CORNER_HEXES[piece.corner]
        if layout.board.number[h] == 10
    ]
    assert sorted(tens) == [("orange", "brick"), ("red", "ore")]


@pytest.mark.rule("MAP-10.x2")
def test_whites_settlement_c_touches_forest_mountains_and_pasture() -> None:
    layout = beginner_layout()
    assert ["forest", "mountains", "pasture"] in [
        terrain_at(layout, piece.corner) for piece in layout.start if piece.color == "white"
    ]


@pytest.mark.rule("MAP-04", "MAP-04.x1", "MAP-11", "MAP-11.e1")
def test_sites_d_and_e_of_the_fifth_edition() -> None:
    layout = beginner_layout()
    site_d, site_e = CORNER_ID["C5n"], CORNER_ID["D4se"]
    assert terrain_at(layout, site_d) == ["hills", "mountains"]
    assert terrain_at(layout, site_e) == ["pasture"]
    assert [kind for side, kind in layout.harbors() if site_e in SIDE_CORNERS[side]] == ["wool"]
    assert [c for c in range(54) if terrain_at(layout, c) == ["hills", "mountains"]] == [site_d]


@pytest.mark.rule("MAP-11", "MAP-11.e2", "COMP-09", "COMP-09.e1", "MAP-20", "MAP-20.e2")
def test_nine_harbors_on_eighteen_corners() -> None:
    harbors = beginner_layout().harbors()
    assert Counter(kind for _, kind in harbors) == edition("fifth").harbors
    assert len({c for side, _ in harbors for c in SIDE_CORNERS[side]}) == 2 * len(harbors) == 18
    indices = [COAST.index(side) for side, _ in harbors]
    assert indices == [1, 4, 8, 11, 14, 18, 21, 24, 28]
    assert [(b - a) % 30 for a, b in itertools.pairwise([*indices, indices[0]])] == [3, 4, 3] * 3
    for side, _ in harbors:  # the two corners are neighbors, so the distance rule leaves room for one building
        corner, other_corner = SIDE_CORNERS[side]
        assert other_corner in CORNER_NEIGHBORS[corner]


@pytest.mark.rule("MAP-12", "MAP-12.e1", "MAP-12.e2", "MAP-12.e3", "COMP-05.e1", "SETUP-08")
def test_start_pieces() -> None:
    start = beginner_layout().start
    assert Counter(piece.color for piece in start) == dict.fromkeys(("red", "blue", "white", "orange"), 2)
    assert Counter(piece.color for piece in start if piece.paid) == dict.fromkeys(("red", "blue", "white", "orange"), 1)
    corners = [piece.corner for piece in start]
    assert not any(near in corners for corner in corners for near in CORNER_NEIGHBORS[corner])
    assert all(piece.corner in SIDE_CORNERS[piece.road] for piece in start)
    assert len(set(corners)) == len({piece.road for piece in start}) == 8
    edition_data = edition("fifth")
    assert edition_data.road_limit is not None
    for color in edition_data.colors:
        used = sum(piece.color == color for piece in start)
        assert (edition_data.settlement_limit - used, edition_data.city_limit, edition_data.road_limit - used) == (
            3,
            4,
            13,
        )


HANDS = {
    "red": {"grain": 1, "lumber": 2},
    "blue": {"brick": 1, "lumber": 1, "ore": 1},
    "orange": {"grain": 2, "ore": 1},
    "white": {"lumber": 1, "ore": 1, "wool": 1},
}


@pytest.mark.rule("SETUP-10.x1", "SETUP-10.e1")
def test_what_the_marked_settlements_touch() -> None:
    layout = beginner_layout()
    for piece in layout.start:
        if piece.paid:
            hand = Counter(RESOURCE[TERRAINS[layout.board.terrain[h]]] for h in CORNER_HEXES[piece.corner])
            assert hand == HANDS[piece.color]
    blue = {piece.paid: places.CORNER_POINT[piece.corner][0] for piece in layout.start if piece.color == "blue"}
    assert blue[True] < blue[False]  # Blue's marked one is the left of the two


def test_corner_points_of_the_catalogues_tables() -> None:
    """The columns (X,Y) of boards.md: where the start settlements and the harbors lie."""
    points = {
        ("red", False): ((-1, -5), (0, -4)),
        ("red", True): ((-3, 1), (-2, 2)),
        ("blue", False): ((2, 4), (2, 2)),
        ("blue", True): ((-2, 4), (-1, 5)),
        ("orange", False): ((2, -4), (1, -5)),
        ("orange", True): ((0, 4), (1, 5)),
        ("white", False): ((-2, -2), (-3, -1)),
        ("white", True): ((3, 1), (3, -1)),
    }
    point = places.CORNER_POINT
    for piece in beginner_layout().start:
        far = sum(SIDE_CORNERS[piece.road]) - piece.corner
        assert (point[piece.corner], point[far]) == points[piece.color, piece.paid]
    assert [{point[c] for c in SIDE_CORNERS[side]} for side, _ in beginner_layout().harbors()] == [
        {(-3, -7), (-2, -8)},
        {(0, -8), (1, -7)},
        {(3, -5), (4, -4)},
        {(5, -1), (5, 1)},
        {(4, 4), (3, 5)},
        {(1, 7), (0, 8)},
        {(-2, 8), (-3, 7)},
        {(-4, 4), (-4, 2)},
        {(-4, -2), (-4, -4)},
    ]
    assert point[CORNER_ID["C5n"]] == (4, -2)
    assert point[CORNER_ID["D4se"]] == (4, 4)


@pytest.mark.parametrize(
    ("left_out", "supply"),
    [(None, (18, 15, 18, 16, 16)), ("red", (18, 17, 18, 17, 16)), ("white", (18, 16, 19, 16, 17))],
)
def test_supply_after_the_start_hands(left_out: str | None, supply: tuple[int, ...]) -> None:
    terrain_counts: Counter[str] = Counter()
    layout = beginner_layout()
    for piece in layout.start:
        if piece.paid and piece.color != left_out:
            terrain_counts.update(RESOURCE[TERRAINS[layout.board.terrain[h]]] for h in CORNER_HEXES[piece.corner])
    assert tuple(19 - terrain_counts[kind] for kind in ("brick", "lumber", "wool", "grain", "ore")) == supply


@pytest.mark.rule("MAP-16", "MAP-15")
def test_letters_and_spiral_of_the_block() -> None:
    assert tuple(BLOCK["spiral_letters"].values()) == LETTER_VALUES
    assert "".join(BLOCK["spiral_letters"]) == "ABCDEFGHIJKLMNOPQR"
    assert [HEX_ID[hex_of(axial)] for axial in BLOCK["spiral_from_top_left"]] == SPIRALS[0]


# --- the frame --------------------------------------------------------------------------------------------------------


@pytest.mark.rule("COMP-10", "COMP-10.e1", "MAP-09")
def test_equal_joints_give_one_cyclic_arrangement() -> None:
    ends = [piece.split("-") for piece in FRAME_JOINTS]
    rings = [
        order
        for order in itertools.permutations(range(6))
        if order[0] == 0 and all(ends[a][1] == ends[b][0] for a, b in itertools.pairwise([*order, 0]))
    ]
    assert rings == [(0, 1, 2, 3, 4, 5)]
    assert sorted(joint for pair in ends for joint in pair) == sorted("123456" * 2)


@pytest.mark.rule("MAP-09", "MAP-14")
def test_the_frame_pieces_carry_the_beginners_harbors() -> None:
    assert [
        (COAST[(1 + 5 * slot + offset) % 30], HARBOR_KINDS[kind])
        for slot, piece in enumerate(FRAME_HARBORS)
        for offset, kind in piece
    ] == beginner_layout().harbors()
    assert [len(piece) for piece in FRAME_HARBORS] == [2, 1, 2, 1, 2, 1]


# --- numbers ----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("MAP-07", "MAP-07.e1", "MAP-08", "MAP-08.e1")
def test_dots_and_odds_are_those_of_two_dice() -> None:
    ways = Counter(a + b for a in range(1, 7) for b in range(1, 7))
    assert {n: number_dots(n) for n in edition("fifth").number_counts} == {n: ways[n] for n in ways if n != 7}
    assert {n for n in ways if n != 7 and number_dots(n) == 5} == RED_NUMBERS == {6, 8}
    assert {n: round(100 * ways[n] / 36) for n in ways} == ODDS_PERCENT


@pytest.mark.rule("COMP-02.e2")
def test_there_is_no_token_with_a_seven() -> None:
    assert 7 not in edition("fifth").number_counts
    for bad_number in (7, 1, 13, 0):
        with pytest.raises(ValueError, match="no number token"):
            number_dots(bad_number)


# --- Zip! -------------------------------------------------------------------------------------------------------------

ZIP_COLORS = {"red": "red", "blue": "blue", "orange": "green", "white": "black"}
"""Whose pieces become whose on the first Zip! map (ZIP-02)."""


def make_zip_map(number: int) -> Layout:
    """How the files in `data/boards/zip` were made, once.

    The first map is the beginners' board in other colors, the others come from the generator, seeded by their number.
    """
    if number == 1:
        start = tuple(StartPiece(ZIP_COLORS[p.color], p.paid, p.corner, p.road) for p in beginner_layout().start)
        return Layout(beginner_layout().board, start, "Zip! map 1 (our own, after the beginners' board)")
    board = Board()
    generate_board(board, HARBOR_AND_FRAME_SHUFFLE, SPIRAL_NUMBERS, 0, 0, key_for(number, "zip map"))
    return Layout(board, name=f"Zip! map {number} (our own)")


@pytest.mark.rule("ZIP-01", "COMP-01", "COMP-02", "COMP-09", "SETUP-04", "MAP-06")
@pytest.mark.parametrize("number", range(1, 51))
def test_every_zip_map_is_a_sound_map_made_by_our_own_generator(number: int) -> None:
    layout = zip_map(number)
    file = resources.files("hexholm.rules").joinpath("data", "boards", "zip", f"{number:02}.toml")
    assert make_zip_map(number).to_toml() == file.read_text(encoding="utf-8") == layout.to_toml()
    assert "our own" in layout.name
    hexes = layout.as_dict()["hexes"]
    edition_data = edition("zip")
    assert Counter(terrain for terrain, _ in hexes.values()) == edition_data.terrain_counts
    assert Counter(number for _, number in hexes.values() if number) == edition_data.number_counts
    assert hexes[HEX_NAMES[layout.desert]] == ["desert", None]
    assert_no_red_or_equal_neighbors(layout)
    assert Counter(kind for _, kind in layout.harbors()) == edition_data.harbors
    assert len({c for side, _ in layout.harbors() for c in SIDE_CORNERS[side]}) == 18
    if number > 1:
        assert layout.start == ()
        along = [layout.board.number[h] for h in SPIRALS[layout.board.start_corner] if h != layout.desert]
        assert along == list(LETTER_VALUES)


@pytest.mark.rule("ZIP-01")
def test_the_zip_maps_differ() -> None:
    assert len({zip_map(number) for number in range(1, 51)}) == 50
    for bad_map in (0, 51):
        with pytest.raises(ValueError, match="1 to 50"):
            zip_map(bad_map)


@pytest.mark.rule("ZIP-02", "ZIP-02.e2")
def test_the_first_zip_map_is_the_beginners_board_in_other_colors() -> None:
    first, base = zip_map(1), beginner_layout()
    assert first.board == base.board
    color_for = {"red": "red", "blue": "blue", "green": "orange", "black": "white"}
    assert {p.color for p in first.start} == set(edition("zip").colors)
    assert sorted((color_for[p.color], p.paid, p.corner, p.road) for p in first.start) == sorted(
        (p.color, p.paid, p.corner, p.road) for p in base.start
    )
    for piece in first.start:
        if piece.paid:
            hand = Counter(RESOURCE[TERRAINS[first.board.terrain[h]]] for h in CORNER_HEXES[piece.corner])
            assert hand == HANDS[color_for[piece.color]]


# --- the board of a game ----------------------------------------------------------------------------------------------


@pytest.mark.rule("MAP-10", "MAP-12", "ZIP-02", "ZIP-02.e1")
@pytest.mark.parametrize("name", EDITIONS)
def test_the_fixed_board_does_not_depend_on_the_seed(name: str) -> None:
    for seed in (0, 1, 2**70):
        layout = layout_for(check_options(edition=name), seed)
        assert layout is (zip_map(1) if name == "zip" else beginner_layout())
        assert {piece.color for piece in layout.start} == set(edition(name).colors)


@pytest.mark.rule("ZIP-01", "ZIP-01.e1", "MAP-13", "MAP-21")
def test_a_zip_game_names_its_map() -> None:
    assert layout_for(check_options(edition="zip", map=33), 5) is zip_map(33)
    layouts = [layout_for(check_options(edition="zip", setup="variable"), seed) for seed in range(800)]
    assert set(layouts) == {zip_map(number) for number in range(2, 51)}
    assert all(layout.name == zip_map(int(layout.name.split()[2])).name for layout in layouts)
    with pytest.raises(AttributeError, match="cannot be changed"):
        layouts[0].board = zip_map(2).board
    with pytest.raises((TypeError, ValueError)):
        layouts[0].board.terrain[0] = 1


@pytest.mark.rule("MAP-21", "MAP-21.e1", "MAP-13.e1")
def test_the_same_options_and_seed_give_the_same_board_and_so_does_its_text() -> None:
    for name, seed in itertools.product(EDITIONS[1:], (0, 7, 123456789)):
        edition_data = edition(name)
        for harbors, numbering in itertools.product(edition_data.variable_harbors, edition_data.number_placement):
            options = check_options(edition=name, setup="variable", harbors=harbors, numbers=numbering)
            layout = layout_for(options, seed)
            same_layout = layout_for(check_options(**options.as_dict()), seed)
            assert layout == same_layout
            assert layout.name == same_layout.name
            for word in (name, harbors, numbering, str(seed)):
                assert word in layout.name
            copy = read_board(layout.to_toml())
            assert copy.board == layout.board  # also the frame order and the start corner
            assert copy.to_toml() == layout.to_toml()
            assert layout != layout_for(options, seed + 1)


@pytest.mark.rule("MAP-21.e2")
def test_the_board_seed_has_a_key_of_its_own() -> None:
    purposes = ("board", "dice", "theft", "cards", "start", "zip map")
    assert len({key_for(seed, purpose) for seed in range(100) for purpose in purposes}) == 600


def test_what_is_where_is_told_by_name() -> None:
    layout = beginner_layout()
    assert layout.hexes_at("C3n") == ("B2", "B3", "C3")
    assert layout.hexes_at("C3/ne") == ("B3", "C3")
    assert layout.hexes_at("C3") == ("C3",)
    assert [(layout.terrain(name), layout.number(name)) for name in layout.hexes_at("C3n")] == [
        ("hills", 6),
        ("pasture", 4),
        ("desert", None),
    ]
    assert layout.yields("C3n") == {"brick": 5, "wool": 3}
    assert layout.pips("C3") == 0
    for corner in CORNER_NAMES:
        assert layout.pips(corner) == sum(layout.yields(corner).values())
    assert sum(layout.pips(name) for name in HEX_NAMES) == 58  # of 18 tokens
    harbors = Counter(map(layout.harbor, CORNER_NAMES))
    assert (harbors[None], harbors["any"]) == (36, 8)
    assert [harbors[kind] for kind in RESOURCE.values()] == [2] * 5
