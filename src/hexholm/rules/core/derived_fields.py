"""What follows from the pieces on the board, worked out from nothing; :mod:`.building` keeps it up to date."""

from __future__ import annotations

from ..compilation.kernels import kernel, lowest_set_bit
from ..encoding.lanes import N_KINDS, guard_of
from ..encoding.structs import GENERIC_HARBOR, GENERIC_HARBOR_BIT, SEATS, Scratch, State
from ..places import ALL_CORNERS, CORNERS_NEAR
from .awards import public_points
from .roads import closes_ring, corners_of, measure_road, open_paths


@kernel
def usable_harbors_of(s: State, seat: int) -> int:
    """Harbors that `seat` may use: guard bits of kinds, and the generic one (PORT-05)."""
    buildings = s.settlements[seat] | s.cities[seat]
    usable_harbors = 0
    for kind in range(N_KINDS):
        if s.harbors[kind] & buildings:
            usable_harbors |= guard_of(kind)
    if s.harbors[GENERIC_HARBOR] & buildings:
        usable_harbors |= GENERIC_HARBOR_BIT
    return usable_harbors


@kernel
def refresh_derived(s: State, scratch: Scratch) -> None:
    """Rebuild all that is derived from the pieces; awards stay as they are."""
    s.buildings = 0
    for seat in range(SEATS):
        s.buildings |= s.settlements[seat] | s.cities[seat]
    s.sites = ALL_CORNERS
    remaining = s.buildings
    while remaining:
        s.sites &= ~CORNERS_NEAR[lowest_set_bit(remaining)]
        remaining &= remaining - 1
    for seat in range(SEATS):
        s.reach[seat] = corners_of(s.roads_lo[seat], s.roads_hi[seat])
    s.road_record = s.longest_road_min - 1
    for seat in range(s.players):
        open_paths(s, seat)
        s.usable_harbors[seat] = usable_harbors_of(s, seat)
        s.rings[seat] = closes_ring(s, scratch, seat)
        s.road_record = max(s.road_record, measure_road(s, scratch, seat))
        s.points[seat] = public_points(s, seat)
