"""A pad of printed maps: a sheet for each map of the Zip! edition, to be drawn on with pens (ZIP-01 to ZIP-09).

    >>> from hexholm.almanac.pad import pad
    >>> pad([1, 2], paper="letter")[:5]
    b'%PDF-'

Every sheet stands alone: the map with its number, which names the same map on screen, a row for each player with the
track of points, and what things cost, yield and count. Texts and numbers come from the edition, as in the almanac.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from hexholm.game.pictures import plan_of
from hexholm.game.pictures.ink import FAINT, GREY, PALE, Ink, InkedPlan, print_city, print_house, print_sign
from hexholm.game.pictures.paper import POINT, WHITE, Paper, size_of
from hexholm.game.pictures.plan import Point
from hexholm.rules.boards import Layout, zip_map
from hexholm.rules.colors import Color
from hexholm.rules.errors import BadInput
from hexholm.rules.names import RESOURCES
from hexholm.rules.places import CORNER_HEXES
from hexholm.rules.setup.editions import edition
from hexholm.rules.setup.options import PAD_EDITION, ZIP_MAPS

from .drafts import read_almanac_data
from .vocabulary import START_SETTLEMENTS, Vocabulary

_PAGE_MARGIN: Final = 11.0
"""Millimetres that most printers leave white, and a little more."""
HEADER: Final = 14.0
ROW: Final = 8.4
LEGEND: Final = 53.0
_BUBBLE: Final = 2.7
_BUBBLE_STEP: Final = 6.5
_SMALL: Final = 7.6
_HEAD: Final = 9.5


def read_maps(text: str, label: str = "maps") -> list[int]:
    """The numbers of maps in a text like `1-50` or `1, 7, 20-22`, each once, in order; `label`: what names them."""
    numbers: set[int] = set()
    for part in text.replace(" ", "").split(","):
        first, dash, last = part.partition("-")
        ends = (first, last if dash else first)
        if not all(end.isascii() and end.isdecimal() and len(end) < 10 for end in ends):
            raise BadInput(f"{label} {text!r}: {part!r} is no number or range; write 1-{ZIP_MAPS}, or 1,7,20-22")
        low, high = map(int, ends)
        if low > high:
            raise BadInput(f"{label} {text!r}: {part} runs backwards; write {high}-{low}")
        for number in (low, high):
            if not 1 <= number <= ZIP_MAPS:
                raise BadInput(f"{label} {text!r}: there is no map {number}; the maps are 1 to {ZIP_MAPS}")
        numbers.update(range(low, high + 1))
    return sorted(numbers)


def pad(maps: Iterable[int], *, paper: str = "a4", language: str = "en") -> bytes:
    """The sheets of these maps as a PDF file; raises :class:`~hexholm.rules.errors.MissingExtra` without fpdf2."""
    size_of(paper)
    layouts = {number: zip_map(number) for number in maps}
    vocabulary = Vocabulary(edition(PAD_EDITION), language)
    texts = read_almanac_data(f"{language}/pad")
    sheets = Paper(paper, title=vocabulary.fill(texts["title"]), language=language)
    for number, layout in layouts.items():
        sheets.begin()
        _MapSheet(sheets, vocabulary, texts, number, layout).draw()
    return sheets.pdf()


class _MapSheet:
    """One map being drawn."""

    def __init__(
        self, paper: Paper, vocabulary: Vocabulary, texts: Mapping[str, Any], number: int, layout: Layout
    ) -> None:
        self.paper, self.vocabulary, self.texts, self.number, self.layout = paper, vocabulary, texts, number, layout
        self.edition_data = vocabulary.edition_data
        self.left, self.right = _PAGE_MARGIN, paper.width - _PAGE_MARGIN
        self.rows_top = paper.height - _PAGE_MARGIN - LEGEND - self.edition_data.max_players * ROW - 3
        self.legend_top = paper.height - _PAGE_MARGIN - LEGEND

    def fill(self, text: str, **more: Any) -> str:
        """A text of the pad with its slots filled."""
        return self.vocabulary.fill(text, {"map": self.number, **more})

    def draw(self) -> None:
        self._board()
        self._header()
        self._rows()
        width = (self.right - self.left - 8) / 3
        for column, part in enumerate((self._costs, self._terrains, self._ticks)):
            part(self.left + column * (width + 4), width)

    def _header(self) -> None:
        paper, top = self.paper, _PAGE_MARGIN
        paper.write(self.fill(self.texts["map"]), (self.left, top + 8), size=26, bold=True)
        paper.write(self.fill(self.texts["edition"]), (self.left, top + 13), size=_HEAD)
        x = self.right
        for word in (self.texts["date"], self.fill(self.texts["first"])):
            paper.line([(x - 32, top + 4), (x, top + 4)], ink=FAINT)
            paper.write(word, (x - 33, top + 4), size=_HEAD, align="right")
            x -= 36 + paper.text_width(word, size=_HEAD)
        paper.write(self.fill(self.texts["screen"]), (self.right, top + 9), size=_SMALL, align="right")

    def _board(self) -> None:
        """The map as large as the sheet allows, in the middle."""
        top = _PAGE_MARGIN + HEADER
        plan = plan_of(self.layout, None, self.edition_data.colors, start=True)
        width = min(self.right - self.left, (self.rows_top - top - 5) / InkedPlan.shape(plan))
        inked_plan = InkedPlan(self.paper, plan, ((self.paper.width - width) / 2, top), width)
        terms = {**self.vocabulary.terms, "robber": self.texts["robber"]}
        inked_plan.draw(terms, {seat: str(seat + 1) for seat in range(self.edition_data.max_players)})

    # --- the players ------------------------------------------------------------------------------------------------

    def _rows(self) -> None:
        """A row for each player: number, pen, name, boxes for cities, the track (ZIP-08)."""
        paper, top = self.paper, self.rows_top
        goal = self.edition_data.victory_points
        track = self.right - goal * _BUBBLE_STEP
        boxes = track - 8 - self.edition_data.city_limit * 5
        paper.write(self.texts["player"], (self.left + 22, top - 1), size=_SMALL)
        paper.write(self.texts["cities"], (boxes, top - 1), size=_SMALL)
        paper.write(self.texts["track"], (track, top - 1), size=_SMALL)
        for seat, color in enumerate(self.edition_data.colors):
            middle = top + ROW * (seat + 0.5)
            if seat:
                paper.line([(self.left, top + ROW * seat), (self.right, top + ROW * seat)], ink=PALE)
            paper.box((self.left, middle - 2.8), (5.6, 5.6), round_by=1)
            paper.write(str(seat + 1), (self.left + 2.8, middle + 1.5), size=12, bold=True, sans=True, align="middle")
            paper.write(self.vocabulary.color(color), (self.left + 8, middle + 1.2), size=_HEAD)
            hand = self._hand(color)
            line = middle + (0.4 if hand else 2.2)
            paper.line([(self.left + 22, line), (boxes - 6, line)], ink=FAINT)
            if hand:
                text = self.fill(self.texts["begins"], hand=hand)
                paper.write(text, (self.left + 22, middle + 3.3), size=_SMALL)
            for number in range(self.edition_data.city_limit):
                paper.box((boxes + 5 * number, middle - 1.9), (3.8, 3.8), ink=GREY)
            start_points = START_SETTLEMENTS * self.edition_data.points["settlement"] if hand else 0
            for number in range(1, goal + 1):
                center = (track + _BUBBLE_STEP * (number - 0.5), middle)
                paper.disc(center, _BUBBLE, ink=GREY, fill=PALE if number <= start_points else WHITE)
                paper.write(str(number), (center[0], center[1] + 1), size=_SMALL, sans=True, align="middle")

    def _hand(self, color: Color) -> str:
        """The tiles that a player begins with on a map with marked starts (ZIP-02)."""
        board = self.layout.board
        hand: dict[str, int] = {}
        for piece in self.layout.start:
            if piece.color == color and piece.paid:
                for hexagon in CORNER_HEXES[piece.corner]:
                    if board.terrain[hexagon] < len(RESOURCES):
                        kind = RESOURCES[board.terrain[hexagon]]
                        hand[kind] = hand.get(kind, 0) + 1
        return self.vocabulary.cards({kind: hand[kind] for kind in RESOURCES if kind in hand}) if hand else ""

    # --- the legend -------------------------------------------------------------------------------------------------

    def _head(self, text: str, x: float, width: float) -> float:
        """The head of a column; returns where the first line below it stands."""
        y = self.legend_top + 5
        self.paper.write(text, (x, y), size=_HEAD, bold=True)
        self.paper.line([(x, y + 1.4), (x + width, y + 1.4)], ink=GREY)
        return y + 1.4

    def _costs(self, x: float, width: float) -> None:
        """Prices and points, with what to draw for each (ZIP-03)."""
        texts, paper = self.texts["costs"], self.paper
        y = self._head(texts["head"], x, width)
        points = self.edition_data.points
        for piece, cost in self.edition_data.costs.items():
            y += 7
            _draw_piece(paper, piece, (x + 3.4, y - 1.8))
            paper.write(self.fill(texts[piece]), (x + 8, y - 3), size=_SMALL, bold=True)
            paper.write(self.vocabulary.cards(cost), (x + 8, y), size=_SMALL)
            if piece in points:
                paper.write(str(points[piece]), (x + width, y), size=_HEAD, bold=True, align="right")
        y += 0.6
        for piece in ("longest_road", "largest_army", "victory_point_card"):
            y += 3.6
            paper.write(self.fill(texts[piece]), (x, y), size=_SMALL)
            paper.write(str(points[piece]), (x + width, y), size=_HEAD, bold=True, align="right")
        paper.paragraph([self.fill(texts["wins"])], (x, y + 0.8), width, size=_SMALL)

    def _terrains(self, x: float, width: float) -> None:
        """Every terrain with its sign, what it yields and how many hexes there are."""
        texts, paper = self.texts["terrain"], self.paper
        y = self._head(texts["head"], x, width)
        for terrain, count in self.edition_data.terrain_counts.items():
            y += 5.2
            print_sign(paper, terrain, _ink((x + 3.4, y - 1.2), 0.14), 0.14)
            row = self.fill(
                texts["row"], terrain=self.vocabulary.terms[terrain], yields=self.vocabulary.resource_of(terrain)
            )
            paper.write(row, (x + 8, y), size=_SMALL)
            count_text = self.fill(texts["count" if count > 1 else "count_one"], n=count)
            paper.write(count_text, (x + width, y), size=_SMALL, align="right")
        paper.paragraph([self.fill(texts["harbors"])], (x, y + 1.2), width, size=_SMALL)

    def _ticks(self, x: float, width: float) -> None:
        """How the track and the boxes are used, and what is in the bag."""
        texts = self.texts["ticks"]
        y = self._head(texts["head"], x, width)
        bag = self.vocabulary.join(
            f"{n} {self.vocabulary.word(kind)}" for kind, n in self.edition_data.dev_deck.items()
        )
        start = self.texts["marked" if self.layout.start else "open"]
        lines = [self.fill(line, bag=bag) for line in (start, *texts["lines"])]
        self.paper.paragraph(lines, (x, y), width, size=_SMALL)


def _ink(middle: Point, scale: float) -> Ink:
    """From a sign's units to a place beside the map."""
    return lambda x, y: (middle[0] + x * scale, middle[1] + y * scale)


def _draw_piece(paper: Paper, piece: str, center: Point) -> None:
    """How something can be drawn: a bar, a house, a house with a tower; a tile for what comes in a bag."""
    if piece == "road":
        paper.line([(center[0] - 3, center[1] + 1.4), (center[0] + 3, center[1] - 1.4)], width=1.3)
    elif piece == "settlement":
        print_house(paper, _ink(center, 0.1))
    elif piece == "city":
        print_city(paper, _ink((center[0], center[1] + 0.6), 0.1))
    else:
        paper.box((center[0] - 1.6, center[1] - 2.2), (3.2, 4.4), round_by=0.6)
        paper.write("?", (center[0], center[1] + POINT * 3), size=9, bold=True, align="middle")
