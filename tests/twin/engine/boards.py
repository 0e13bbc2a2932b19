"""The beginners' board with its start pieces (MAP-10, MAP-11, MAP-12, SETUP-10), and spiral boards (MAP-15, MAP-16)."""

from __future__ import annotations

import random
from typing import Any

from .geometry import HEX_AT, HEXES, corner, side

Board = dict[str, Any]

_ROWS = [
    "m10 p2 f9",
    "g12 h6 p4 h10",
    "g9 f11 - f3 m8",
    "f8 m3 g4 p5",
    "h5 g6 p11",
]
_TERRAIN = {"m": "mountains", "p": "pasture", "f": "forest", "g": "fields", "h": "hills"}
_WORDS = " ".join(_ROWS).split()
_HEX_OF = dict(zip(_WORDS, HEXES, strict=True))  # "m10" -> "A1"

_HARBORS = [
    ("m10", "nw", "any"),
    ("p2", "ne", "grain"),
    ("h10", "ne", "ore"),
    ("m8", "e", "any"),
    ("p5", "se", "wool"),
    ("g6", "se", "any"),
    ("h5", "sw", "any"),
    ("f8", "w", "brick"),
    ("g12", "w", "lumber"),
]
# color: settlement corner, road side; the second one is marked and pays the start resources
_START = {
    "red": [("h6", "n", "h6", "ne"), ("f8", "n", "f8", "ne")],
    "blue": [("p11", "n", "g4", "e"), ("h5", "n", "h5", "ne")],
    "orange": [("p4", "ne", "p4", "ne"), ("g6", "n", "g6", "ne")],
    "white": [("f11", "n", "f11", "nw"), ("p5", "n", "f3", "e")],
}
_ZIP_COLORS = {"red": "red", "blue": "blue", "orange": "green", "white": "black"}  # ZIP-02

LETTERS = [5, 2, 6, 3, 8, 10, 9, 12, 11, 4, 8, 10, 9, 4, 5, 6, 3, 11]  # MAP-16
_OUTER = [(0, -2), (-1, -1), (-2, 0), (-2, 1), (-2, 2), (-1, 2), (0, 2), (1, 1), (2, 0), (2, -1), (2, -2), (1, -2)]
_INNER = [(0, -1), (-1, 0), (-1, 1), (0, 1), (1, 0), (1, -1)]


def beginner(edition: str = "fifth") -> Board:
    """The beginners' board; for zip with the colors of ZIP-02."""
    hexes: dict[str, list[Any]] = {}
    for word, name in _HEX_OF.items():
        hexes[name] = ["desert", None] if word == "-" else [_TERRAIN[word[0]], int(word[1:])]
    start = {}
    for color, pieces in _START.items():
        start[_ZIP_COLORS[color] if edition == "zip" else color] = [
            {"settlement": corner(_HEX_OF[a], b), "road": side(_HEX_OF[c], d), "paid": i == 1}
            for i, (a, b, c, d) in enumerate(pieces)
        ]
    harbors = [[side(_HEX_OF[name], way), kind] for name, way, kind in _HARBORS]
    return {"hexes": hexes, "harbors": harbors, "start": start}


def spiral(rng: random.Random) -> Board:
    """A random board: terrain and harbor kinds shuffled, numbers in the counter-clockwise spiral, desert skipped."""
    terrains = ["hills"] * 3 + ["forest"] * 4 + ["pasture"] * 4 + ["fields"] * 4 + ["mountains"] * 3 + ["desert"]
    rng.shuffle(terrains)
    terrain = dict(zip(HEXES, terrains, strict=True))
    k = rng.randrange(6)
    walk = _OUTER[2 * k :] + _OUTER[: 2 * k] + _INNER[k:] + _INNER[:k] + [(0, 0)]
    letters = iter(LETTERS)
    hexes: dict[str, list[Any]] = {name: [terrain[name], None] for name in HEXES}
    for axial in walk:
        name = HEX_AT[axial]
        if terrain[name] != "desert":  # MAP-17
            hexes[name][1] = next(letters)
    kinds = [kind for _, _, kind in _HARBORS]
    rng.shuffle(kinds)
    places = [side(_HEX_OF[name], way) for name, way, _ in _HARBORS]
    return {"hexes": hexes, "harbors": [[p, kind] for p, kind in zip(places, kinds, strict=True)], "start": None}
