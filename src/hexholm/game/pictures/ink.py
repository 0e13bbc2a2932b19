"""A plan in ink on paper: no color says anything, and there is white room to draw roads and buildings in.

Every terrain has its own sign, its hatching and the word for what it yields; hexes stand a little apart, so that pens
of any color find white paper along every side and at every corner.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Final

from .paper import BLACK, POINT, WHITE, Paper
from .plan import HARBOR_RADIUS, Plan, PlanHarbor, PlanHex, PlanPiece, Point

SHRUNK: Final = 0.88
"""A hex is drawn so much smaller than its place; between two hexes is room for a road."""
CROP: Final = (32.0, 56.0)
"""So much of the sea is left out at each edge of the plan."""
GREY, FAINT, PALE = 0.35, 0.62, 0.8
_DISC: Final = 31.0
_SIGNS_AT: Final = ((-26, -49), (26, -49), (0, -66), (-51, -23), (51, -23), (-53, 18), (53, 18))
"""Where signs stand in a hex: around the disc, above the word."""

Ink = Callable[[float, float], Point]
"""From a sign's own units to the paper."""


class InkedPlan:
    """A plan on a place of the paper."""

    def __init__(self, paper: Paper, plan: Plan, top_left: Point, width: float) -> None:
        self.paper, self.plan, self.top_left = paper, plan, top_left
        self.scale = width / (plan.width - 2 * CROP[0])

    @staticmethod
    def shape(plan: Plan) -> float:
        """The height of the picture for a width of 1."""
        return (plan.height - 2 * CROP[1]) / (plan.width - 2 * CROP[0])

    def point(self, x: float, y: float) -> Point:
        """Where a point of the plan lies on the paper."""
        return self.top_left[0] + (x - CROP[0]) * self.scale, self.top_left[1] + (y - CROP[1]) * self.scale

    def around(self, middle: Point, size: float = 1.0) -> Ink:
        """From units around a point of the plan to the paper."""
        return lambda x, y: self.point(middle[0] + x * size, middle[1] + y * size)

    def draw(self, words: Mapping[str, str], labels: Mapping[int, str]) -> None:
        """The whole board; `words` names what terrains yield, `labels` whose the start pieces are, by seat."""
        self._coast()
        for harbor in self.plan.harbors:
            self._jetties(harbor)
        for hexagon in self.plan.hexes:
            self._hex(hexagon, words)
        for side in self.plan.sides:
            self._side(*side.ends)
        for corner in self.plan.corners:
            self.paper.disc(self.point(*corner.at), 8.5 * self.scale, ink=FAINT, fill=WHITE)
        for harbor in self.plan.harbors:
            self._harbor(harbor, words)
        for piece in self.plan.pieces:
            self._piece(piece, labels[piece.seat])

    def _coast(self) -> None:
        """The shore: the outline of the island, as far outside as the hexes stand inside."""
        shore = [[self._toward(h.center, corner, 2 - SHRUNK) for corner in h.points] for h in self.plan.hexes]
        for outline in shore:
            self.paper.shape(outline, ink=GREY, width=0.9)
        for outline in shore:  # what lies within the island goes again
            self.paper.shape(outline, ink=None, fill=WHITE)

    def _toward(self, middle: Point, corner: Point, share: float) -> Point:
        return self.point(
            middle[0] + (corner[0] - middle[0]) * share,
            middle[1] + (corner[1] - middle[1]) * share,
        )

    def _side(self, start: Point, end: Point) -> None:
        """A faint line where a road can be drawn, not as far as the corners."""
        ends = [
            (start[0] + (end[0] - start[0]) * share, start[1] + (end[1] - start[1]) * share) for share in (0.16, 0.84)
        ]
        self.paper.line([self.point(*point) for point in ends], ink=PALE, dash=1.0)

    def _hex(self, hexagon: PlanHex, words: Mapping[str, str]) -> None:
        outline = [self._toward(hexagon.center, corner, SHRUNK) for corner in hexagon.points]
        self.paper.shape(outline, ink=GREY, width=0.25)
        for x, y in _SIGNS_AT:
            middle = hexagon.center[0] + x, hexagon.center[1] + y
            print_sign(self.paper, hexagon.terrain, self.around(middle, 0.92), 0.92 * self.scale)
        size = 46 * self.scale / POINT / 2.4
        text = words[hexagon.resource or hexagon.terrain].upper()
        self.paper.write(text, self.point(hexagon.center[0], hexagon.center[1] + 62), size=size, align="middle")
        if hexagon.number is None:
            center = self.point(*hexagon.center)
            self.paper.disc(center, _DISC * self.scale, ink=FAINT, fill=WHITE)
            self.paper.write(
                words["robber"], (center[0], center[1] + size * POINT * 0.25), size=0.8 * size, align="middle"
            )
        else:
            number_disc(self.paper, self.around(hexagon.center), self.scale, hexagon.number, hexagon.dots, hexagon.red)

    def _jetties(self, harbor: PlanHarbor) -> None:
        for first, last in harbor.jetties:
            self.paper.line([self.point(*first), self.point(*last)], ink=GREY, width=0.9)

    def _harbor(self, harbor: PlanHarbor, words: Mapping[str, str]) -> None:
        center = self.point(*harbor.at)
        self.paper.disc(center, HARBOR_RADIUS * self.scale, ink=GREY, fill=WHITE, width=0.3)
        size = 25 * self.scale / POINT
        if harbor.resource == "any":
            self.paper.write(
                harbor.rate, (center[0], center[1] + size * POINT * 0.33), size=size, bold=True, align="middle"
            )
            return
        self.paper.write(
            harbor.rate, (center[0], center[1] - 1 * self.scale), size=size * 0.9, bold=True, align="middle"
        )
        word = words[harbor.resource]
        word_size = size * 0.62
        while self.paper.text_width(word, size=word_size) > 2 * (HARBOR_RADIUS - 3) * self.scale:
            word_size *= 0.95
        self.paper.write(word, (center[0], center[1] + 15 * self.scale), size=word_size, align="middle")

    def _piece(self, piece: PlanPiece, label: str) -> None:
        """A start piece: the number of its player's row, so that it can be told without color."""
        if piece.kind == "road":
            angle = math.radians(piece.angle)
            cos, sin = math.cos(angle), math.sin(angle)
            ink = self.around(piece.at)
            bar = [(-31, -7), (31, -7), (31, 7), (-31, 7)]
            self.paper.shape([ink(x * cos - y * sin, x * sin + y * cos) for x, y in bar], fill=PALE, width=0.35)
            return
        ink = self.around(piece.at)
        print_house(self.paper, ink, fill=WHITE)
        size = 25 * self.scale / POINT
        anchor = ink(0, 13)
        self.paper.write(label, anchor, size=size, bold=True, sans=True, align="middle")


def number_disc(paper: Paper, ink: Ink, scale: float, number: int, dot_count: int, red: bool) -> None:
    """A number with a dot for every way to roll it; red numbers are heavier, in a second ring."""
    middle = ink(0, 0)
    paper.disc(middle, _DISC * scale, fill=WHITE, width=0.7 if red else 0.25)
    if red:
        paper.disc(middle, (_DISC - 4.5) * scale, width=0.2)
    size = (34 if red else 30) * scale / POINT
    paper.write(str(number), ink(0, 6), size=size, bold=True, align="middle")
    for i in range(dot_count):
        paper.disc(ink((i - (dot_count - 1) / 2) * 7.6, 15.5), 2.4 * scale, ink=None, fill=BLACK)


def print_house(paper: Paper, ink: Ink, *, fill: float | None = None) -> None:
    paper.shape([ink(x, y) for x, y in ((-17, 17), (-17, -4), (0, -22), (17, -4), (17, 17))], fill=fill, width=0.5)


def print_city(paper: Paper, ink: Ink, *, fill: float | None = None) -> None:
    """A city: a house with a tower."""
    outline = ((-29, 19), (-29, -16), (-16, -34), (-3, -16), (-3, -8), (13, -22), (29, -5), (29, 19))
    paper.shape([ink(x, y) for x, y in outline], fill=fill, width=0.5)


# --- the signs of the terrains ----------------------------------------------------------------------------------------


def print_sign(paper: Paper, terrain: str, ink: Ink, scale: float) -> None:
    """The sign of a terrain, about 26 units wide and high."""
    _SIGNS[terrain](paper, ink, scale)


def _hills(paper: Paper, ink: Ink, scale: float) -> None:
    """Three bricks."""
    for x, y in ((-15, 1), (1, 1), (-7, -9)):
        paper.box(ink(x, y), (14 * scale, 8 * scale), ink=GREY, fill=PALE)


def _forest(paper: Paper, ink: Ink, _scale: float) -> None:
    """A pine."""
    paper.line([ink(0, 8), ink(0, 14)], ink=GREY, width=0.5)
    tree = (
        (0, -15),
        (6, -5),
        (3.4, -5),
        (8.5, 3),
        (5, 3),
        (11, 10),
        (-11, 10),
        (-5, 3),
        (-8.5, 3),
        (-3.4, -5),
        (-6, -5),
    )
    paper.shape([ink(x, y) for x, y in tree], ink=GREY, fill=FAINT)


def _pasture(paper: Paper, ink: Ink, scale: float) -> None:
    """A sheep."""
    for x in (-6, -2, 4, 8):
        paper.line([ink(x, 2), ink(x, 11)], ink=GREY, width=0.3)
    paper.oval(ink(0, 0), (12 * scale, 7.5 * scale), ink=GREY, fill=WHITE)
    paper.oval(ink(13, -4), (4.6 * scale, 3.8 * scale), ink=GREY, fill=GREY)


def _fields(paper: Paper, ink: Ink, _scale: float) -> None:
    """Two ears of corn."""
    for x, lean in ((-6, -2), (6, 2)):
        paper.line([ink(x - lean, 14), ink(x + lean, -14)], ink=GREY, width=0.25)
        for y in (-8, -3, 2):
            stem = x - lean * y / 14
            for direction in (-1, 1):
                paper.line([ink(stem, y + 3), ink(stem + 4.4 * direction, y - 3.5)], ink=GREY, width=0.45)


def _mountains(paper: Paper, ink: Ink, _scale: float) -> None:
    """A peak with a shaded slope."""
    paper.shape([ink(x, y) for x, y in ((-15, 12), (0, -15), (15, 12))], ink=GREY, fill=WHITE, width=0.3)
    paper.shape([ink(x, y) for x, y in ((0, -15), (15, 12), (3, 12), (-2, 0), (3, -4))], ink=None, fill=GREY)


def _desert(paper: Paper, ink: Ink, scale: float) -> None:
    """Grains of sand."""
    for x, y in ((-11, 4), (-4, -2), (3, 5), (11, 1), (-6, 11), (7, 12), (-11, -7), (5, -8)):
        paper.disc(ink(x, y), 1.6 * scale, ink=None, fill=FAINT)


_SIGNS: Final[dict[str, Callable[[Paper, Ink, float], None]]] = {
    "hills": _hills,
    "forest": _forest,
    "pasture": _pasture,
    "fields": _fields,
    "mountains": _mountains,
    "desert": _desert,
}
