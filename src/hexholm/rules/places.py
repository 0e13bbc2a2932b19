"""Places of the island: hexes, corners (intersections) and sides (paths), their names and who touches whom.

Pointy-top hexes in axial coordinates (q to the right, r downwards), all with |q|, |r|, |q+r| <= 2 (MAP-01). A hex
is named by row and place from the left, `A1` to `E3`; a corner by a hex and a compass point, `C3n`; a side by a
hex, a slash and a compass point, `C3/ne`. Several hexes share a corner or a side: the canonical name uses the first
of them.

Ids are the numbers of first appearance on a walk over the hexes A1 to E3. Sets of corners are 54-bit integers; sets of
sides are two 36-bit integers (`lo` for ids 0 to 35, `hi` for 36 to 71), so that everything stays within 63 bits.
"""

from __future__ import annotations

import re
from typing import Final

from .compilation.kernels import constant_table
from .errors import BadInput

Hex = tuple[int, int]

CORNER_POINTS: Final = {"n": (0, -2), "ne": (1, -1), "se": (1, 1), "s": (0, 2), "sw": (-1, 1), "nw": (-1, -1)}
SIDE_ENDS: Final = {
    "ne": ("n", "ne"),
    "e": ("ne", "se"),
    "se": ("se", "s"),
    "sw": ("s", "sw"),
    "w": ("sw", "nw"),
    "nw": ("nw", "n"),
}
HEX_STEPS: Final = {"ne": (1, -1), "e": (1, 0), "se": (0, 1), "sw": (-1, 1), "w": (-1, 0), "nw": (0, -1)}

HEXES: Final[list[Hex]] = sorted(
    ((q, r) for q in range(-2, 3) for r in range(-2, 3) if abs(q + r) <= 2),
    key=lambda hexagon: (hexagon[1], hexagon[0]),
)
HEX_NAMES: Final[list[str]] = [
    f"{'ABCDE'[r + 2]}{1 + sum(1 for other in HEXES if other[1] == r and other[0] < q)}" for q, r in HEXES
]
HEX_ID: Final = {name: i for i, name in enumerate(HEX_NAMES)}


def _point(hexagon: Hex, corner: str) -> tuple[int, int]:
    (q, r), (dx, dy) = hexagon, CORNER_POINTS[corner]
    return 2 * q + r + dx, 3 * r + dy


_corner_at: dict[tuple[int, int], int] = {}
_side_at: dict[frozenset[int], int] = {}
CORNER_NAMES: Final[list[str]] = []
SIDE_NAMES: Final[list[str]] = []
CORNER_ID: Final[dict[str, int]] = {}
SIDE_ID: Final[dict[str, int]] = {}
for _hex, _name in zip(HEXES, HEX_NAMES, strict=True):
    for _d in CORNER_POINTS:
        _id = _corner_at.setdefault(_point(_hex, _d), len(_corner_at))
        if _id == len(CORNER_NAMES):
            CORNER_NAMES.append(_name + _d)
        CORNER_ID[_name + _d] = _id
for _hex, _name in zip(HEXES, HEX_NAMES, strict=True):
    for _d, (_a, _b) in SIDE_ENDS.items():
        _id = _side_at.setdefault(frozenset((CORNER_ID[_name + _a], CORNER_ID[_name + _b])), len(_side_at))
        if _id == len(SIDE_NAMES):
            SIDE_NAMES.append(f"{_name}/{_d}")
        SIDE_ID[f"{_name}/{_d}"] = _id

N_HEXES: Final = len(HEXES)
N_CORNERS: Final = len(CORNER_NAMES)
N_SIDES: Final = len(SIDE_NAMES)
HALF: Final = 36  # sides 0..35 are in the low word of a side set, 36..71 in the high one

CORNER_POINT: Final[list[tuple[int, int]]] = [point for point, _ in sorted(_corner_at.items(), key=lambda x: x[1])]
SIDE_CORNERS: Final[list[tuple[int, int]]] = [
    (min(ends), max(ends)) for ends, _ in sorted(_side_at.items(), key=lambda x: x[1])
]
HEX_CORNERS: Final = [[CORNER_ID[name + d] for d in CORNER_POINTS] for name in HEX_NAMES]
HEX_SIDES: Final = [[SIDE_ID[f"{name}/{d}"] for d in SIDE_ENDS] for name in HEX_NAMES]
HEX_NEIGHBORS: Final = [
    [HEXES.index((q + dq, r + dr)) for dq, dr in HEX_STEPS.values() if (q + dq, r + dr) in HEXES] for q, r in HEXES
]
CORNER_HEXES: Final = [[hexagon for hexagon in range(N_HEXES) if c in HEX_CORNERS[hexagon]] for c in range(N_CORNERS)]
CORNER_SIDES: Final = [[s for s in range(N_SIDES) if c in SIDE_CORNERS[s]] for c in range(N_CORNERS)]
CORNER_NEIGHBORS: Final = [[sum(SIDE_CORNERS[s]) - c for s in CORNER_SIDES[c]] for c in range(N_CORNERS)]
SIDE_HEXES: Final = [[hexagon for hexagon in range(N_HEXES) if s in HEX_SIDES[hexagon]] for s in range(N_SIDES)]

_COAST_WALK = (
    "A1 w nw ne|A2 nw ne|A3 nw ne e|B4 ne e|C5 ne e se|D4 e se|"
    "E3 e se sw|E2 se sw|E1 se sw w|D1 sw w|C1 sw w nw|B1 w nw"
)
COAST: Final[list[int]] = [
    SIDE_ID[f"{part.split()[0]}/{d}"] for part in _COAST_WALK.split("|") for d in part.split()[1:]
]
"""The 30 coastal sides, clockwise from A1/w."""

_OUTER = [HEX_ID[n] for n in "A1 B1 C1 D1 E1 E2 E3 D4 C5 B4 A3 A2".split()]
_INNER = [HEX_ID[n] for n in "B2 C2 D2 D3 C4 B3".split()]
SPIRALS: Final = [_OUTER[2 * k :] + _OUTER[: 2 * k] + _INNER[k:] + _INNER[:k] + [HEX_ID["C3"]] for k in range(6)]
"""Hexes in the order of the number spiral, from each of the six start corners (MAP-15), counter-clockwise."""


def _mask(ids: list[int]) -> int:
    return sum(1 << i for i in ids)


def _pad_rows(rows: list[list[int]], width: int) -> list[list[int]]:
    return [row + [-1] * (width - len(row)) for row in rows]


# Tables for the compiled core.
CORNERS_OF_HEX = constant_table([_mask(c) for c in HEX_CORNERS])
HEXES_AT = constant_table(_pad_rows(CORNER_HEXES, 3), "i1")
SIDES_AT = constant_table(_pad_rows(CORNER_SIDES, 3), "i1")
CORNERS_NEAR = constant_table([_mask(n) | 1 << c for c, n in enumerate(CORNER_NEIGHBORS)])  # the corner itself included
SIDES_LO = constant_table([_mask([s for s in row if s < HALF]) for row in CORNER_SIDES])
SIDES_HI = constant_table([_mask([s - HALF for s in row if s >= HALF]) for row in CORNER_SIDES])
CORNERS_OF_SIDE = constant_table(SIDE_CORNERS, "i1")
BOTH_ENDS = constant_table([1 << a | 1 << b for a, b in SIDE_CORNERS])
COAST_SIDES = constant_table(COAST, "i1")
SPIRAL = constant_table(SPIRALS, "i1")
ALL_CORNERS: Final = (1 << N_CORNERS) - 1
ALL_HEXES: Final = (1 << N_HEXES) - 1


class UnknownPlace(BadInput):
    """A text that names no hex, corner or side of the island."""


_PLACE = re.compile(r"\s*([a-eA-E])\s*([1-5])\s*(/?)\s*([nsewNSEW]{0,2})\s*")


def _read_place(text: str, what: str, names: dict[str, int], example: str) -> int:
    match = _PLACE.fullmatch(text)
    if match:
        name = match[1].upper() + match[2] + match[3] + match[4].lower()
        if name in names:
            return names[name]
    raise UnknownPlace(
        f"{text[:20]!r} is no {what}; write it like {example}, rows A to E from the top, counted from the left"
    )


def read_hex(text: str) -> int:
    """Id of a hex from its name, such as `C3`."""
    return _read_place(text, "hex", HEX_ID, "C3")


def read_corner(text: str) -> int:
    """Id of a corner from any of its names, such as `C3n`."""
    return _read_place(text, "corner", CORNER_ID, "C3n (a hex and n, ne, se, s, sw or nw)")


def read_side(text: str) -> int:
    """Id of a side from any of its names, such as `C3/ne`."""
    return _read_place(text, "side", SIDE_ID, "C3/ne (a hex, a slash and ne, e, se, sw, w or nw)")
