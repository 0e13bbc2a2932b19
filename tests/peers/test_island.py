"""Places there and places here, on a map that numbers them as nobody else does."""

from __future__ import annotations

import pytest

from bench.peers.island import Island
from hexholm.rules.encoding.structs import GENERIC_HARBOR, ORE
from hexholm.rules.errors import BadInput
from hexholm.rules.places import (
    COAST,
    HEX_CORNERS,
    N_CORNERS,
    N_HEXES,
    N_SIDES,
    SIDE_CORNERS,
    SIDE_ID,
)

from . import fake_engine


def test_every_place_there_is_one_place_here() -> None:
    island = Island(fake_engine.island())
    assert sorted(island.hex_of.values()) == list(range(N_HEXES))
    assert sorted(island.corner_of.values()) == list(range(N_CORNERS))
    assert sorted(island.side_of.values()) == list(range(N_SIDES))
    assert all(island.corner_of[fake_engine.node(corner)] == corner for corner in range(N_CORNERS))
    assert all(island.side(fake_engine.edge(side)[::-1]) == side for side in range(N_SIDES))


def test_places_touch_each_other_there_as_they_do_here() -> None:
    its_map = fake_engine.island()
    island = Island(its_map)
    for (a, b), side in island.side_of.items():
        assert {island.corner_of[a], island.corner_of[b]} == set(SIDE_CORNERS[side])
    for at, tile in its_map.land_tiles.items():
        assert {island.corner_of[n] for n in tile.nodes.values()} == set(HEX_CORNERS[island.hex_of[at]])


def test_the_board_has_its_terrain_numbers_and_harbors() -> None:
    layout = Island(fake_engine.island()).layout
    assert (layout.terrain("A1"), layout.number("A1")) == ("forest", 5)
    assert (layout.terrain("E3"), layout.number("E3")) == ("desert", None)
    assert sorted(layout.harbors()) == sorted([(SIDE_ID["C5/e"], "any"), (SIDE_ID["C1/w"], "ore")])
    assert layout.board.harbor[COAST.index(SIDE_ID["C1/w"])] == ORE
    assert layout.board.harbor[COAST.index(SIDE_ID["C5/e"])] == GENERIC_HARBOR


def test_another_map_than_the_base_map_is_refused() -> None:
    its_map = fake_engine.island()
    its_map.land_tiles.pop(fake_engine.coordinate(18))
    with pytest.raises(BadInput, match="18 land tiles: only its base map"):
        Island(its_map)


def test_tiles_that_disagree_about_a_node_are_refused() -> None:
    its_map = fake_engine.island()
    tile = its_map.land_tiles[fake_engine.coordinate(9)]
    north, south = fake_engine.NodeRef["NORTH"], fake_engine.NodeRef["SOUTH"]
    tile.nodes[north], tile.nodes[south] = tile.nodes[south], tile.nodes[north]
    with pytest.raises(BadInput, match="another version"):
        Island(its_map)
