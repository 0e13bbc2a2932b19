"""What a board is laid from: hexes, number tokens and the frame with its harbors (COMP-01, COMP-10, MAP-16)."""

from __future__ import annotations

from typing import Final

from ..encoding.structs import BRICK, GENERIC_HARBOR, GRAIN, LUMBER, ORE, WOOL

LETTER_VALUES: Final = (5, 2, 6, 3, 8, 10, 9, 12, 11, 4, 8, 10, 9, 4, 5, 6, 3, 11)
"""The number tokens A to R (MAP-16)."""

TERRAIN_COUNTS: Final = (3, 4, 4, 4, 3, 1)
"""Hexes of each terrain, in the order of TERRAINS (COMP-01). All editions agree; a test holds this to their data."""

FRAME_JOINTS: Final = ("4-3", "3-2", "2-1", "1-6", "6-5", "5-4")
"""The six frame pieces clockwise from the top left, named by their joints (COMP-10)."""

FRAME_HARBORS: Final[tuple[tuple[tuple[int, int], ...], ...]] = (
    ((0, GENERIC_HARBOR), (3, GRAIN)),
    ((2, ORE),),
    ((0, GENERIC_HARBOR), (3, WOOL)),
    ((2, GENERIC_HARBOR),),
    ((0, GENERIC_HARBOR), (3, BRICK)),
    ((2, LUMBER),),
)
"""What is printed on each frame piece: (coastal side within the piece, harbor kind), as on the beginners' board."""

FRAME_PIECES: Final = 6
PIECE_SIDES: Final = 5
N_FRAME_SIDES: Final = FRAME_PIECES * PIECE_SIDES
