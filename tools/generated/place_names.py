"""The places of the island for browsers, as JSON."""

from __future__ import annotations

import math

import msgspec

from hexholm.host.wire.shapes import JsonObject
from hexholm.rules.places import (
    CORNER_HEXES,
    CORNER_NAMES,
    CORNER_POINT,
    HEX_NAMES,
    HEXES,
    SIDE_CORNERS,
    SIDE_NAMES,
)


def places_text() -> str:
    """The places as they are kept."""
    return msgspec.json.format(msgspec.json.encode(places_data()), indent=1).decode() + "\n"


def places_data() -> JsonObject:
    """Where hexes and corners are, and what meets there; the rest follows. In radii of a hex, x right, y down."""
    return {
        "hexes": {name: _grid_point(2 * q + r, 3 * r) for name, (q, r) in zip(HEX_NAMES, HEXES, strict=True)},
        "corners": {
            name: {**_grid_point(*CORNER_POINT[i]), "hexes": [HEX_NAMES[h] for h in CORNER_HEXES[i]]}
            for i, name in enumerate(CORNER_NAMES)
        },
        "sides": {name: [CORNER_NAMES[c] for c in SIDE_CORNERS[i]] for i, name in enumerate(SIDE_NAMES)},
    }


def _grid_point(x: float, y: float) -> dict[str, float]:
    """A point of the grid, on which a corner is two steps below a hex's middle and one step beside it."""
    return {"x": round(x * math.sqrt(3) / 2, 6) + 0.0, "y": round(y / 2, 6) + 0.0}  # + 0.0: no minus before a zero
