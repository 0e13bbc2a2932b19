"""Our own lettering: numerals and capitals as strokes of a broad pen, so that a picture needs no font.

A glyph is the path of the pen's middle, 100 units from the top of a capital (y = 0) to the line it stands on (y = 100).
The pen is an ellipse, wider than high: upright strokes come out thick and level ones thin, as an engraver cuts them.
SVG draws such a pen by itself, when a path is stroked under a scale that flattens it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Glyph:
    """A letter: its width without the pen, and the pen's way: M, L, C and Q with absolute points."""

    width: float
    path: str


_DIGITS: Final = {
    "0": Glyph(58, "M29 0C45 0 56 20 56 50C56 80 45 100 29 100C13 100 2 80 2 50C2 20 13 0 29 0Z"),
    "1": Glyph(36, "M4 22C12 18 18 11 22 1L22 98M6 100L36 100"),
    "2": Glyph(56, "M9 27C5 24 4 20 5 16C8 6 16 0 28 0C43 0 52 10 52 25C52 48 30 64 4 99"
                   "C18 92 28 99 40 99C48 99 54 95 56 84"),
    "3": Glyph(54, "M9 20C5 18 5 14 8 10C12 4 19 0 27 0C41 0 49 9 49 22C49 36 39 45 22 46C41 46 53 56 53 72"
                   "C53 90 41 100 26 100C15 100 7 95 4 87C3 83 4 80 8 79"),
    "4": Glyph(58, "M42 98L42 2L2 71L58 71M30 100L54 100"),
    "5": Glyph(54, "M50 0C38 4 26 4 14 1L10 46C16 39 23 36 30 36C44 36 54 48 54 66C54 87 42 100 26 100C15 100 7 95 4 87"
                   "C3 83 4 80 8 79"),
    "6": Glyph(58, "M49 17C52 14 52 10 48 6C44 2 39 0 34 0C14 0 2 24 2 57C2 84 13 100 30 100C46 100 56 88 56 69"
                   "C56 51 46 40 32 40C18 40 7 49 2 63"),
    "7": Glyph(54, "M4 18L6 1C22 5 38 5 54 1C40 28 28 60 25 100"),
    "8": Glyph(58, "M29 46C15 41 8 33 8 22C8 9 17 0 29 0C41 0 50 9 50 22C50 33 43 41 29 46C12 51 2 60 2 74"
                   "C2 90 13 100 29 100C45 100 56 90 56 74C56 60 46 51 29 46Z"),
    "9": Glyph(58, "M9 83C6 86 6 90 10 94C14 98 19 100 24 100C44 100 56 76 56 43C56 16 45 0 28 0C12 0 2 12 2 31"
                   "C2 49 12 60 26 60C40 60 51 51 56 37"),
}  # fmt: skip

_LETTERS: Final = {
    "A": Glyph(66, "M2 100L33 0L64 100M13 66L53 66"),
    "B": Glyph(56, "M4 0L4 100M4 0L26 0C41 0 50 9 50 23C50 38 41 46 26 46L4 46"
                   "M26 46C45 46 55 56 55 73C55 91 45 100 26 100L4 100"),
    "C": Glyph(66, "M62 19C57 7 47 0 35 0C15 0 2 20 2 50C2 80 15 100 35 100C47 100 57 93 62 81"),
    "D": Glyph(64, "M4 0L4 100L22 100C46 100 62 80 62 50C62 20 46 0 22 0L4 0"),
    "E": Glyph(50, "M48 0L4 0L4 100L50 100M4 47L41 47"),
    "F": Glyph(48, "M48 0L4 0L4 100M4 48L40 48"),
    "G": Glyph(70, "M62 18C57 7 47 0 35 0C15 0 2 20 2 50C2 80 15 100 36 100C49 100 59 95 64 88L64 54L42 54"),
    "H": Glyph(64, "M4 0L4 100M60 0L60 100M4 48L60 48"),
    "I": Glyph(8, "M4 0L4 100"),
    "J": Glyph(40, "M36 0L36 72C36 91 28 100 16 100C9 100 4 97 0 92"),
    "K": Glyph(60, "M4 0L4 100M56 0L4 60M22 40L60 100"),
    "L": Glyph(48, "M4 0L4 100L48 100"),
    "M": Glyph(78, "M4 100L8 0L39 76L70 0L74 100"),
    "N": Glyph(66, "M4 100L4 0L62 100L62 0"),
    "O": Glyph(74, "M37 0C58 0 72 20 72 50C72 80 58 100 37 100C16 100 2 80 2 50C2 20 16 0 37 0Z"),
    "P": Glyph(54, "M4 100L4 0L28 0C44 0 54 10 54 27C54 45 44 55 28 55L4 55"),
    "Q": Glyph(74, "M37 0C58 0 72 20 72 50C72 80 58 100 37 100C16 100 2 80 2 50C2 20 16 0 37 0ZM44 78L72 108"),
    "R": Glyph(58, "M4 100L4 0L28 0C44 0 54 10 54 26C54 43 44 52 28 52L4 52M30 52L58 100"),
    "S": Glyph(54, "M50 16C45 6 37 0 27 0C14 0 5 9 5 23C5 37 14 43 28 48"
                   "C43 53 52 60 52 75C52 91 42 100 27 100C15 100 6 94 1 83"),
    "T": Glyph(60, "M0 0L60 0M30 0L30 100"),
    "U": Glyph(62, "M4 0L4 64C4 88 14 100 31 100C48 100 58 88 58 64L58 0"),
    "V": Glyph(64, "M2 0L32 100L62 0"),
    "W": Glyph(94, "M2 0L24 100L47 14L70 100L92 0"),
    "X": Glyph(60, "M2 0L58 100M58 0L2 100"),
    "Y": Glyph(60, "M2 0L30 50L58 0M30 50L30 100"),
    "Z": Glyph(56, "M4 0L54 0L2 100L56 100"),
    "n": Glyph(44, "M4 36L4 100M4 56C9 43 16 36 25 36C36 36 40 44 40 58L40 100"),
    "s": Glyph(38, "M34 46C30 40 25 36 19 36C11 36 5 41 5 50C5 59 11 63 20 66"
                   "C30 69 36 74 36 83C36 94 28 100 19 100C11 100 5 96 1 89"),
    "e": Glyph(48, "M4 67L46 67C46 48 38 36 25 36C12 36 3 48 3 68C3 88 12 100 27 100C35 100 41 96 45 89"),
    "w": Glyph(66, "M2 36L17 100L33 44L49 100L64 36"),
    "/": Glyph(36, "M34 -6L2 106"),
    ":": Glyph(8, "M4 38L4 42M4 92L4 96"),
    ".": Glyph(8, "M4 96L4 98"),
    ",": Glyph(8, "M5 94C6 102 4 108 0 112"),
    "-": Glyph(36, "M2 56L34 56"),
    "+": Glyph(48, "M2 54L46 54M24 30L24 78"),
    "'": Glyph(8, "M4 0L4 22"),
    "!": Glyph(8, "M4 0L4 68M4 96L4 98"),
}  # fmt: skip

GLYPHS: Final[dict[str, Glyph]] = {**_DIGITS, **_LETTERS}

_SPACE: Final = 34.0
_POINT: Final = re.compile(r"(-?[\d.]+) (-?[\d.]+)")


def can_write(text: str) -> bool:
    """Whether every letter of the text is one of ours; other scripts need a font."""
    return all(letter in GLYPHS or letter == " " for letter in text)


def place_letters(text: str, gap: float) -> tuple[list[tuple[str, float]], float]:
    """Each letter with the x where it begins, and the width of the whole, with `gap` between the letters."""
    letters, x = [], 0.0
    for letter in text:
        if letter == " ":
            x += _SPACE
            continue
        letters.append((letter, x))
        x += GLYPHS[letter].width + gap
    return letters, max(x - gap, 0.0)


def pen_path(letter: str, flat: float) -> str:
    """The path of a glyph, to be drawn under `scale(1 flat)`: the pen's height is `flat` times its width."""
    return _POINT.sub(lambda p: f"{p[1]} {float(p[2]) / flat:g}", GLYPHS[letter].path)
