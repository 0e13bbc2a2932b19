"""What a board means for a game on it: coast, desert, harbors (the parts of MAP-* that need a game)."""

from __future__ import annotations

import pytest

from hexholm.rules.boards import Layout, beginner_layout, layout_for, zip_map
from hexholm.rules.core.derived_fields import refresh_derived, usable_harbors_of
from hexholm.rules.core.placement import grant_start_cards
from hexholm.rules.core.production import produce
from hexholm.rules.core.roads import measure_road
from hexholm.rules.encoding.lanes import count
from hexholm.rules.encoding.structs import DESERT, GENERIC_HARBOR, HARBOR_KINDS, RESOURCES, Scratch, State
from hexholm.rules.initial_state import new_state
from hexholm.rules.places import COAST, CORNER_HEXES, HALF, HEX_CORNERS, SIDE_CORNERS
from hexholm.rules.setup.options import check_options
from tests.helpers.marks import all_editions

VARIABLE = check_options(setup="variable", first=0)


def cards(packed: int) -> dict[str, int]:
    return {kind: n for i, kind in enumerate(RESOURCES) if (n := count(packed, i))}


def with_settlement(layout: Layout, corner: int) -> State:
    """A game on the variable set-up's empty board, with one settlement of seat 0."""
    state = new_state(VARIABLE, layout)
    state.settlements[0] = 1 << corner
    refresh_derived(state, Scratch())
    return state


def gains(layout: Layout, corner: int) -> dict[int, dict[str, int]]:
    """What a settlement on `corner` collects, by roll."""
    cards_by_roll = {}
    for roll in range(2, 13):
        state = with_settlement(layout, corner)
        state.robber = next(h for h in range(19) if h not in CORNER_HEXES[corner])
        produce(state, roll)
        if state.hand[0]:
            cards_by_roll[roll] = cards(state.hand[0])
    return cards_by_roll


@pytest.mark.rule("MAP-04", "MAP-04.e1")
def test_a_coastal_settlement_on_one_hex_collects_only_from_it() -> None:
    layout = beginner_layout()
    for corner in (c for c in range(54) if len(CORNER_HEXES[c]) == 1):
        (hexagon,) = CORNER_HEXES[corner]
        assert gains(layout, corner) == {layout.board.number[hexagon]: {RESOURCES[layout.board.terrain[hexagon]]: 1}}


@pytest.mark.rule("MAP-04.e2")
@all_editions
def test_roads_all_along_the_coast(edition: str) -> None:
    options = check_options(edition=edition, setup="variable", first=0)
    state = new_state(options, layout_for(options, 1))
    for side in COAST:
        if side < HALF:
            state.roads_lo[0] |= 1 << side
        else:
            state.roads_hi[0] |= 1 << side - HALF
    refresh_derived(state, Scratch())
    assert measure_road(state, Scratch(), 0) == 30
    assert (state.road_limit >= 30) == (edition == "zip")


@pytest.mark.rule("MAP-06", "MAP-06.e1", "MAP-06.e2")
def test_the_desert_gives_nothing() -> None:
    for layout in (beginner_layout(), *(zip_map(n) for n in range(2, 8))):
        for corner in HEX_CORNERS[layout.desert]:
            neighbors = [h for h in CORNER_HEXES[corner] if h != layout.desert]
            collected = gains(layout, corner)
            assert sum(sum(hand.values()) for hand in collected.values()) == len(neighbors)
            assert set(collected) == {layout.board.number[h] for h in neighbors}
            state = with_settlement(layout, corner)
            assert state.robber == layout.desert
            state.second_corner[0] = corner
            grant_start_cards(state, 0)
            assert sum(cards(state.hand[0]).values()) == len(neighbors)
        state = new_state(VARIABLE, layout)
        assert not any(state.hexes_of[roll] >> layout.desert & 1 for roll in range(13))
        assert state.terrain[state.robber] == DESERT


@pytest.mark.rule("MAP-20", "MAP-20.e1")
def test_a_building_on_either_end_controls_the_harbor() -> None:
    layout = beginner_layout()
    served = set()
    for side, kind in layout.harbors():
        for corner in SIDE_CORNERS[side]:
            served.add(corner)
            state = with_settlement(layout, corner)
            bit = 40 if kind == "any" else 8 * HARBOR_KINDS.index(kind) + 7
            assert usable_harbors_of(state, 0) == state.usable_harbors[0] == 1 << bit
            state.settlements[0], state.cities[0] = 0, 1 << corner
            assert usable_harbors_of(state, 0) == 1 << bit
    assert len(served) == 18
    for corner in set(range(54)) - served:
        assert usable_harbors_of(with_settlement(layout, corner), 0) == 0
    assert HARBOR_KINDS[GENERIC_HARBOR] == "any"
