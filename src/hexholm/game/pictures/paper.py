"""Sheets of paper as PDF: lines, shapes and letters in black and grey, in millimetres from the top left.

The drawing is done by fpdf2, an extra of this package. Everything stays vector, and letters are those that printers
and readers have, so nothing is embedded; how wide each is stands in the file, so that one who has only others sets them
just as wide and no line grows beyond the paper. The same drawing gives the same bytes.

    >>> from hexholm.game.pictures.paper import Paper
    >>> paper = Paper("a4", title="A sheet")
    >>> paper.begin()
    >>> paper.write("Map 1", (15, 15), size=20)
    >>> paper.pdf()[:5]
    b'%PDF-'
"""

from __future__ import annotations

import datetime as dt
import functools
from collections.abc import Iterable, Sequence
from typing import Any, Final

from hexholm.rules.errors import BadInput, MissingExtra

from .plan import Point

PAPER_SIZES: Final = {"a4": (210.0, 297.0), "letter": (215.9, 279.4)}
"""Width and height of a sheet in millimetres."""
BLACK: Final = 0.0
WHITE: Final = 1.0
POINT: Final = 25.4 / 72
"""The size of letters is told in points, as everywhere."""
_CREATION_DATE: Final = dt.datetime(2026, 1, 1, tzinfo=dt.UTC)
_DEVICE: Final = "hexholm"
_LETTERS: Final = {
    "Times-Roman": (662, "[-168 -218 1000 898]", 84, 34),
    "Times-Bold": (676, "[-168 -218 1000 935]", 139, 262178),
    "Helvetica": (718, "[-166 -225 1000 931]", 88, 32),
    "Helvetica-Bold": (718, "[-170 -228 1003 962]", 140, 262176),
}
"""Of each kind of letters: height of a capital, box around them all, width of a stem, and flags (serifs, bold)."""


def size_of(paper: str) -> tuple[float, float]:
    """Width and height of a paper by its name, in millimetres."""
    if paper not in PAPER_SIZES:
        raise BadInput(f"there is no paper {paper!r}; the papers are {' and '.join(PAPER_SIZES)}")
    return PAPER_SIZES[paper]


class Paper:
    """Sheets being drawn: greys go from 0 for black to 1 for white, None is no line or no filling."""

    def __init__(self, paper: str, *, title: str, language: str = "en") -> None:
        self.width, self.height = size_of(paper)
        try:
            from fpdf import FPDF
        except ImportError as missing:
            raise MissingExtra("maps on paper need one more package: pip install 'hexholm[print]'") from missing
        self._pdf = FPDF(unit="mm", format=(self.width, self.height))
        self._pdf.set_auto_page_break(False)
        self._pdf.set_title(title)
        self._pdf.set_lang(language)
        self._pdf.set_creator(_DEVICE)
        self._pdf.set_creation_date(_CREATION_DATE)

    def begin(self) -> None:
        self._pdf.add_page()
        self._pdf.set_text_color(0)

    def pdf(self) -> bytes:
        return bytes(self._pdf.output(output_producer_class=_producer()))

    # --- lines and shapes ------------------------------------------------------------------------------------------

    def line(self, points: Sequence[Point], *, ink: float = BLACK, width: float = 0.2, dash: float = 0.0) -> None:
        """A line through points; with `dash` in strokes of that length."""
        self._pen(ink, width, dash)
        self._pdf.polyline(list(points))

    def shape(
        self, points: Sequence[Point], *, ink: float | None = BLACK, fill: float | None = None, width: float = 0.2
    ) -> None:
        """A closed shape with straight edges."""
        self._pdf.polygon(list(points), style=self._style(ink, fill, width))

    def disc(
        self, center: Point, radius: float, *, ink: float | None = BLACK, fill: float | None = None, width: float = 0.2
    ) -> None:
        self.oval(center, (radius, radius), ink=ink, fill=fill, width=width)

    def oval(
        self,
        center: Point,
        radii: tuple[float, float],
        *,
        ink: float | None = BLACK,
        fill: float | None = None,
        width: float = 0.2,
    ) -> None:
        """An upright ellipse."""
        style = self._style(ink, fill, width)
        self._pdf.ellipse(center[0] - radii[0], center[1] - radii[1], 2 * radii[0], 2 * radii[1], style=style)

    def box(
        self,
        corner: Point,
        size: tuple[float, float],
        *,
        ink: float | None = BLACK,
        fill: float | None = None,
        width: float = 0.2,
        round_by: float = 0.0,
    ) -> None:
        """A rectangle from its top left, its corners rounded by so much."""
        style = self._style(ink, fill, width)
        self._pdf.rect(*corner, *size, style=style, round_corners=round_by > 0, corner_radius=round_by)

    def _style(self, ink: float | None, fill: float | None, width: float) -> str:
        if fill is not None:
            self._pdf.set_fill_color(round(255 * fill))
        if ink is not None:
            self._pen(ink, width, 0.0)
        return ("D" if ink is not None else "") + ("F" if fill is not None else "")

    def _pen(self, ink: float, width: float, dash: float) -> None:
        self._pdf.set_draw_color(round(255 * ink))
        self._pdf.set_line_width(width)
        self._pdf.set_dash_pattern(dash=dash, gap=dash)

    # --- letters ---------------------------------------------------------------------------------------------------

    def write(
        self, text: str, anchor: Point, *, size: float = 9, bold: bool = False, sans: bool = False, align: str = "left"
    ) -> None:
        """One line of text; `anchor` is where its base line begins, has its middle or ends, as `align` says."""
        self._letters(size, bold, sans)
        x, width = anchor[0], self._pdf.get_string_width(text)
        self._pdf.text(x - {"left": 0.0, "middle": width / 2, "right": width}[align], anchor[1], text)

    def text_width(self, text: str, *, size: float = 9, bold: bool = False, sans: bool = False) -> float:
        """How wide a text comes out."""
        self._letters(size, bold, sans)
        return float(self._pdf.get_string_width(text))

    def wrapped_lines(self, text: str, width: float, *, size: float = 9, bold: bool = False) -> list[str]:
        """A text in lines that are not wider than `width`."""
        lines: list[str] = []
        for word in text.split():
            candidate = f"{lines[-1]} {word}" if lines else word
            if lines and self.text_width(candidate, size=size, bold=bold) <= width:
                lines[-1] = candidate
            else:
                lines.append(word)
        return lines

    def paragraph(self, texts: Iterable[str], start: Point, width: float, *, size: float = 9) -> float:
        """Texts one below the other, each in as many lines as it takes; returns where the next one would stand."""
        x, y = start
        for text in texts:
            for number, line in enumerate(self.wrapped_lines(text, width, size=size)):
                y += POINT * size * (1.14 if number else 1.45)
                self.write(line, (x, y), size=size)
        return y

    def _letters(self, size: float, bold: bool, sans: bool) -> None:
        self._pdf.set_font("Helvetica" if sans else "Times", "B" if bold else "", size)


@functools.cache
def _producer() -> Any:
    """Writes the file, and into it the measures of the letters, which fpdf2 leaves to the reader to know."""
    from fpdf.fonts import PDFFontDescriptor
    from fpdf.output import OutputProducer

    class Measured(OutputProducer):
        def _add_fonts(self, *more: Any) -> Any:
            fonts = super()._add_fonts(*more)
            for font in self.fpdf.fonts.values():
                height, box, stem, flags = _LETTERS[font.name]
                measures = PDFFontDescriptor(height, -217, height, flags, box, 0, stem, 0)  # type: ignore[arg-type]
                entry: Any = fonts[font.i]
                measures.font_name = entry.base_font
                self._add_pdf_obj(measures, "fonts")
                entry.first_char, entry.last_char, entry.font_descriptor = 32, 255, measures
                widths: Any = font.cw
                entry.widths = f"[{' '.join(str(widths[chr(code)]) for code in range(32, 256))}]"
            return fonts

    return Measured
