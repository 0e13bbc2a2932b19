"""The places of the island for browsers, as JSON."""

from __future__ import annotations

import math

import msgspec

from hexholm.host.wire.shapes import JsonObject
from hexholm.rules.places import (
    CORNER_HEXES,
    CORNER_NAMES,
    CORNER_NEIGHBOURS,
    CORNER_POINT,
    HEX_CORNERS,
    HEX_NAMES,
    HEXES,
    SIDE_CORNERS,
    SIDE_HEXES,
    SIDE_NAMES,
)


def places_text() -> str:
    """The places as they are kept."""
    return msgspec.json.format(msgspec.json.encode(places_data()), indent=1).decode() + "\n"


def places_data() -> JsonObject:
    """Where hexes, corners and sides are, in radii of a hex (pointy top, x right, y down), and what touches what."""
    corners = [_grid_point(x, y) for x, y in CORNER_POINT]
    return {
        "hexes": {
            name: {**_grid_point(2 * q + r, 3 * r), "corners": [CORNER_NAMES[c] for c in HEX_CORNERS[i]]}
            for i, (name, (q, r)) in enumerate(zip(HEX_NAMES, HEXES, strict=True))
        },
        "corners": {
            name: {
                **corners[i],
                "hexes": [HEX_NAMES[h] for h in CORNER_HEXES[i]],
                "neighbors": [CORNER_NAMES[c] for c in CORNER_NEIGHBOURS[i]],
            }
            for i, name in enumerate(CORNER_NAMES)
        },
        "sides": {
            name: {
                **_middle(*(CORNER_POINT[c] for c in SIDE_CORNERS[i])),
                "corners": [CORNER_NAMES[c] for c in SIDE_CORNERS[i]],
                "hexes": [HEX_NAMES[h] for h in SIDE_HEXES[i]],
            }
            for i, name in enumerate(SIDE_NAMES)
        },
    }


def _grid_point(x: float, y: float) -> dict[str, float]:
    """A point of the grid, on which a corner is two steps below a hex's middle and one step beside it."""
    return {"x": round(x * math.sqrt(3) / 2, 6) + 0.0, "y": round(y / 2, 6) + 0.0}  # + 0.0: no minus before a zero


def _middle(start: tuple[int, int], end: tuple[int, int]) -> dict[str, float]:
    return _grid_point((start[0] + end[0]) / 2, (start[1] + end[1]) / 2)
