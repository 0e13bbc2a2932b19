"""Zip!: limit tiles and the victory point track (ZIP-06 to ZIP-08).

The tiles lie before a seat for its fifth settlement and its fourth city. Nothing about them is kept: they follow from
what stands on the board.
"""

from __future__ import annotations

from ..compilation.kernels import inline, popcount
from ..encoding.structs import State
from .legal import has_city_left, has_settlement_left


@inline
def has_settlement_tile(s: State, seat: int) -> bool:
    """Whether the limit tile for settlements lies before the seat (ZIP-06)."""
    return s.limit_tiles != 0 and not has_settlement_left(s, seat)


@inline
def has_city_tile(s: State, seat: int) -> bool:
    """Whether the limit tile for cities lies before the seat (ZIP-07)."""
    return s.limit_tiles != 0 and not has_city_left(s, seat)


@inline
def tiles_of(s: State, seat: int) -> int:
    """Limit tiles before the seat (ZIP-06, ZIP-07)."""
    tiles = 1 if has_settlement_tile(s, seat) else 0
    return tiles + 1 if has_city_tile(s, seat) else tiles


@inline
def track_of(s: State, seat: int) -> int:
    """The victory point track, settlements and cities only (ZIP-08)."""
    if s.limit_tiles == 0:
        return 0
    return popcount(s.settlements[seat]) * s.points_settlement + popcount(s.cities[seat]) * s.points_city
