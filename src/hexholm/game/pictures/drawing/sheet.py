"""A sheet being drawn: its theme, its prefix, and the lettering that collects the glyphs it needs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from .glyphs import can_write, pen_path, place_letters
from .palette import Theme
from .svg_elements import FONTS, escape_text, num, svg_tag

_NUMERAL_FLAT: Final = 0.52  # the pen of the numerals: a strong contrast of thick and thin
_LABEL_FLAT: Final = 0.85  # the pen of small labels: nearly round, to stay legible


class Sheet:
    """Draws texts and remembers which glyphs to define."""

    def __init__(self, prefix: str, theme: Theme, words: Mapping[str, str], *, captions: bool = True) -> None:
        self.prefix, self.theme, self.words = prefix, theme, words
        self.captions = captions  # whether small words beside signs can be read in the size that is wanted
        self._used: dict[str, tuple[str, float]] = {}

    def defs(self) -> str:
        """The glyphs used so far."""
        return "".join(
            svg_tag("path", id=name, d=pen_path(letter, flat), transform=f"scale(1 {num(flat)})")
            for name, (letter, flat) in sorted(self._used.items())
        )

    def numeral(self, text: str, x: float, y: float, height: float, ink: str, *, heavy: bool = False) -> str:
        """A large number around a point."""
        letters, width = place_letters(text, 21 if heavy else 19)
        pen = 21 if heavy else 15
        return svg_tag(
            "g",
            self._letters(letters, _NUMERAL_FLAT, "n"),
            class_="numeral",
            transform=f"translate({num(x)} {num(y)}) scale({height / 100:.3f}) translate({num(-width / 2)} -50)",
            **_pen(ink, pen),
        )

    def label(
        self,
        text: str,
        x: float,
        y: float,
        height: float,
        ink: str,
        *,
        pen: float = 12,
        anchor: str = "middle",
        halo: bool = False,
        angle: float = 0,
        slant: float = 0,
    ) -> str:
        """A small text around a point, or beginning or ending there; the halo keeps it legible on any ground."""
        if not can_write(text):
            return self._typeset(text, x, y, height, ink, anchor, angle)
        letters, width = place_letters(text, 24)
        start = {"start": 0.0, "middle": -width / 2, "end": -width}[anchor]
        lean = f" skewX({num(-slant)})" if slant else ""
        transform = (
            f"translate({num(x)} {num(y)})"
            + (f" rotate({num(angle)})" if angle else "")
            + f"{lean} scale({height / 100:.3f}) translate({num(start)} -50)"
        )
        glyphs = self._letters(letters, _LABEL_FLAT, "l")
        under = svg_tag("g", glyphs, transform=transform, **_pen(self.theme.halo, pen + 34)) if halo else ""
        return under + svg_tag("g", glyphs, transform=transform, **_pen(ink, pen))

    def width_of(self, text: str, height: float) -> float:
        """How wide a label gets."""
        if not can_write(text):
            return len(text) * height * 0.85
        return place_letters(text, 24)[1] * height / 100

    def _letters(self, letters: list[tuple[str, float]], flat: float, family: str) -> str:
        out = []
        for letter, x in letters:
            name = f"{self.prefix}-{family}{ord(letter):x}"
            self._used[name] = letter, flat
            out.append(svg_tag("use", href=f"#{name}", x=x or None))
        return "".join(out)

    def _typeset(self, text: str, x: float, y: float, height: float, ink: str, anchor: str, angle: float) -> str:
        transform = f"translate({num(x)} {num(y)})" + (f" rotate({num(angle)})" if angle else "")
        return svg_tag(
            "text",
            escape_text(text),
            y=height / 2,
            transform=transform,
            font_family=FONTS,
            font_size=height * 1.35,
            text_anchor=anchor,
            fill=ink,
        )


def _pen(ink: str, width: float) -> dict[str, object]:
    return {
        "fill": "none",
        "stroke": ink,
        "stroke_width": float(width),
        "stroke_linecap": "round",
        "stroke_linejoin": "round",
    }
