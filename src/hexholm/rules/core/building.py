"""Roads, settlements and cities are built: BUILD-01 to BUILD-07, CITY-01 to CITY-03, LROAD-07, LROAD-12, LROAD-13.

A piece and all that follows from it are one step: points, harbors, the sides that become open or closed to others, the
Longest Road. `build_...` also pays or goes on with the set-up; `put_...` only sets the piece.
"""

from __future__ import annotations

from ..compilation.kernels import inline, kernel, popcount
from ..encoding.phases import FREE_ROAD, MAIN, OVER, PLACE_ROAD
from ..encoding.structs import AFTER_ROAD, AFTER_SETTLEMENT, COST_CITY, COST_ROAD, COST_SETTLEMENT, Scratch, State
from ..places import BOTH_ENDS, CORNERS_NEAR, CORNERS_OF_SIDE, HALF, SIDES_HI, SIDES_LO
from .awards import award_longest_road, examine_victory, reassign_longest_road
from .derived_fields import usable_harbors_of
from .legal import can_add_road
from .placement import grant_start_cards, next_placement
from .roads import blocked_for, closes_ring, measure_road_through, open_paths
from .supply import pay_supply
from .turn import resume_turn


@kernel
def build_road(s: State, scratch: Scratch, seat: int, side: int) -> None:
    """A road: start piece, free by a card, or paid."""
    phase = s.phase
    if phase == MAIN:
        pay_supply(s, seat, s.costs[COST_ROAD])
    put_road(s, scratch, seat, side)
    if phase == PLACE_ROAD:
        if s.start_timing == AFTER_ROAD and s.placed >= s.players:
            grant_start_cards(s, seat)
        next_placement(s)
        return
    examine_victory(s)
    if phase == FREE_ROAD and s.phase != OVER:
        s.free_roads -= 1
        s.free_placed += 1
        if s.free_roads == 0 or not can_add_road(s, seat):  # DEV-18: as many as possible
            s.free_roads = 0
            resume_turn(s)


@kernel
def put_road(s: State, scratch: Scratch, seat: int, side: int) -> None:
    """Lay a road, with all that follows (LROAD-12, LROAD-13)."""
    if side < HALF:
        bit = 1 << side
        s.roads_lo[seat] |= bit
        for each_seat in range(s.players):
            s.paths_lo[each_seat] &= ~bit
    else:
        bit = 1 << (side - HALF)
        s.roads_hi[seat] |= bit
        for each_seat in range(s.players):
            s.paths_hi[each_seat] &= ~bit
    old_reach = s.reach[seat]
    s.reach[seat] |= BOTH_ENDS[side]
    blocked = blocked_for(s, seat)
    for i in range(2):
        corner = CORNERS_OF_SIDE[side, i]
        if not (blocked >> corner) & 1:
            add_paths(s, seat, corner)
    length = measure_road_through(s, scratch, seat, side, old_reach)
    if length > s.road_record:  # LROAD-01, LROAD-03, LROAD-11: the only longest one
        s.road_record = length
        award_longest_road(s, seat)


@kernel
def add_paths(s: State, seat: int, corner: int) -> None:
    """The free sides at `corner` become legal for roads of `seat`."""
    s.paths_lo[seat] |= SIDES_LO[corner] & ~(s.roads_lo[0] | s.roads_lo[1] | s.roads_lo[2] | s.roads_lo[3])
    s.paths_hi[seat] |= SIDES_HI[corner] & ~(s.roads_hi[0] | s.roads_hi[1] | s.roads_hi[2] | s.roads_hi[3])


@kernel
def build_settlement(s: State, scratch: Scratch, seat: int, corner: int) -> None:
    """A settlement: start piece or paid."""
    if s.phase == MAIN:
        pay_supply(s, seat, s.costs[COST_SETTLEMENT])
        put_settlement(s, scratch, seat, corner)
        examine_victory(s)
        return
    put_settlement(s, scratch, seat, corner)
    s.last_corner = corner
    s.phase = PLACE_ROAD
    if s.placed >= s.players:
        s.second_corner[seat] = corner
        if s.start_timing == AFTER_SETTLEMENT:
            grant_start_cards(s, seat)


@kernel
def put_settlement(s: State, scratch: Scratch, seat: int, corner: int) -> None:
    """Place a settlement, with all that follows: points, harbors, other people's roads (LROAD-07, LROAD-13)."""
    bit = 1 << corner
    s.settlements[seat] |= bit
    s.buildings |= bit
    s.sites &= ~CORNERS_NEAR[corner]
    s.usable_harbors[seat] = usable_harbors_of(s, seat)
    s.points[seat] += s.points_settlement
    add_paths(s, seat, corner)
    cut = 0
    for opponent in range(s.players):
        if opponent != seat and s.reach[opponent] & bit:
            open_paths(s, opponent)
            if (
                popcount(SIDES_LO[corner] & s.roads_lo[opponent]) + popcount(SIDES_HI[corner] & s.roads_hi[opponent])
                > 1
            ):
                cut = 1
                if s.rings[opponent]:
                    s.rings[opponent] = closes_ring(s, scratch, opponent)
    if cut:
        reassign_longest_road(s, scratch)


@inline
def build_city(s: State, seat: int, corner: int) -> None:
    """A city in place of a settlement (CITY-01 to CITY-03)."""
    pay_supply(s, seat, s.costs[COST_CITY])
    s.settlements[seat] &= ~(1 << corner)  # CITY-03: back into the stock
    s.cities[seat] |= 1 << corner
    s.points[seat] += s.points_city - s.points_settlement
    examine_victory(s)
