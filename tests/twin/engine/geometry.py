"""The island of 19 hexes: names of hexes, corners and sides, and what touches what (MAP-01, MAP-02, MAP-03).

Pointy-top hexes in axial coordinates (q to the right, r downwards). A corner is the lattice point
X = 2q + r + dx, Y = 3r + dy; corners of different hexes with equal X, Y are one intersection.
A place is named by the first hex (A1, A2, ... E3) that touches it.
"""

from __future__ import annotations

# row letter, r, smallest q, largest q
ROWS = [("A", -2, 0, 2), ("B", -1, -1, 2), ("C", 0, -2, 2), ("D", 1, -2, 1), ("E", 2, -2, 0)]

CORNER_OFFSETS = {"n": (0, -2), "ne": (1, -1), "se": (1, 1), "s": (0, 2), "sw": (-1, 1), "nw": (-1, -1)}
SIDE_CORNERS = {
    "ne": ("n", "ne"),
    "e": ("ne", "se"),
    "se": ("se", "s"),
    "sw": ("s", "sw"),
    "w": ("sw", "nw"),
    "nw": ("nw", "n"),
}
HEX_STEPS = [(1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1), (0, 1)]

HEXES: dict[str, tuple[int, int]] = {}
for _letter, _r, _low, _high in ROWS:
    for _q in range(_low, _high + 1):
        HEXES[f"{_letter}{_q - _low + 1}"] = (_q, _r)
HEX_AT: dict[tuple[int, int], str] = {axial: name for name, axial in HEXES.items()}

CORNER_AT: dict[tuple[int, int], str] = {}  # lattice point -> canonical name
HEX_CORNERS: dict[str, dict[str, str]] = {}  # hex -> direction -> corner
SIDE_BETWEEN: dict[frozenset[str], str] = {}  # two corners -> canonical name
HEX_SIDES: dict[str, dict[str, str]] = {}  # hex -> direction -> side
ENDS: dict[str, tuple[str, str]] = {}  # side -> its two corners

for _hex, (_q, _r) in HEXES.items():
    HEX_CORNERS[_hex] = {}
    for _way, (_dx, _dy) in CORNER_OFFSETS.items():
        _point = (2 * _q + _r + _dx, 3 * _r + _dy)
        HEX_CORNERS[_hex][_way] = CORNER_AT.setdefault(_point, _hex + _way)
for _hex in HEXES:
    HEX_SIDES[_hex] = {}
    for _way, (_from, _to) in SIDE_CORNERS.items():
        _a, _b = HEX_CORNERS[_hex][_from], HEX_CORNERS[_hex][_to]
        _side = SIDE_BETWEEN.setdefault(frozenset((_a, _b)), f"{_hex}/{_way}")
        HEX_SIDES[_hex][_way] = _side
        ENDS.setdefault(_side, (_a, _b))

CORNERS: list[str] = list(CORNER_AT.values())  # in order of first appearance
SIDES: list[str] = list(ENDS)  # likewise
SIDES_AT: dict[str, list[str]] = {c: [s for s in SIDES if c in ENDS[s]] for c in CORNERS}
NEIGHBORS: dict[str, list[str]] = {c: [e for s in SIDES_AT[c] for e in ENDS[s] if e != c] for c in CORNERS}
HEXES_AT: dict[str, list[str]] = {c: [h for h in HEXES if c in HEX_CORNERS[h].values()] for c in CORNERS}
HEXES_BESIDE: dict[str, list[str]] = {s: [h for h in HEXES if s in HEX_SIDES[h].values()] for s in SIDES}
HEX_NEIGHBORS: dict[str, list[str]] = {
    h: [HEX_AT[(q + dq, r + dr)] for dq, dr in HEX_STEPS if (q + dq, r + dr) in HEX_AT] for h, (q, r) in HEXES.items()
}


def corner(hex_name: str, way: str) -> str:
    """The canonical name of a corner given by any hex that touches it."""
    return HEX_CORNERS[hex_name][way]


def side(hex_name: str, way: str) -> str:
    """The canonical name of a side given by any hex that touches it."""
    return HEX_SIDES[hex_name][way]
