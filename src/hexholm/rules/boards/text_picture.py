"""A board in characters, for a terminal of 80 columns.

Every corner has a cell of its own, every side a few cells between two corners, so buildings and roads are drawn into
the same picture. A hex is 13 columns wide and 8 lines high, and shares its edges with its neighbors::

          .-+-.
       .-'     '-.
      +    A1     +
      | mountains |
      |    10     |
      +-.  •••  .-+
         '-. .-'
            +
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Protocol

from ..colors import Color
from ..encoding.structs import TERRAINS, Board
from ..errors import BadInput
from ..places import (
    CORNER_POINT,
    HEX_NAMES,
    HEXES,
    N_CORNERS,
    N_HEXES,
    N_SIDES,
    SIDE_CORNERS,
    SIDE_HEXES,
    SIDE_NAMES,
    read_corner,
    read_hex,
    read_side,
)
from .number_tokens import RED_NUMBERS, number_dots

HARBOR_RATES: Final = (3, 2)
"""How many cards a harbor for any kind, and one for a single kind, asks for one, on a board without a game."""

_PICTURE_WIDTH: Final = 80
COLOR_LETTERS: Final = {"red": "r", "blue": "b", "white": "w", "orange": "o", "black": "k", "green": "g"}
"""One letter for each color of any edition; black is k, as printers say."""


def piece_letter(color: Color, kind: str) -> str:
    """How :func:`draw_text` shows a piece: red's road and settlement `r`, its city `R`."""
    letter = COLOR_LETTERS[color]
    return letter.upper() if kind == "city" else letter


_LEFT, _TOP, _HEIGHT = 9, 1, 30
# Where the label of a harbor starts (east) or ends (west), from the middle of the hex's top, by the hex's side.
_LABEL_AT = {"w": (-8, 3), "e": (8, 3), "nw": (-4, -1), "ne": (4, -1), "sw": (-3, 7), "se": (3, 7)}
_BESIDE_A_PEAK: Final = 6
"""Letters that fit between the peaks of two hexes of the uppermost row."""
# Colors that can be read on a dark and on a light ground; white is what the terminal writes in, only bold.
_ANSI_TERRAIN = {
    "hills": "31",
    "forest": "32",
    "pasture": "38;5;70",
    "fields": "33",
    "mountains": "90",
    "desert": "38;5;137",
}
_ANSI_PIECE = {"r": "1;91", "b": "1;94", "w": "1", "o": "1;38;5;208", "k": "1;90", "g": "1;38;5;35"}
_DIM, _BOLD, _RED, _SEA, _ROBBER = "2", "1", "1;91", "36", "1;7"


class Drawable(Protocol):
    """What a picture shows: a :class:`~.layout.Layout`, which is drawn when it is printed."""

    @property
    def board(self) -> Board:
        """What lies where."""
        ...

    @property
    def desert(self) -> int:
        """The hex of the desert, which shows no number."""
        ...

    def harbors(self) -> list[tuple[int, str]]:
        """The harbors: (side, kind)."""
        ...


class _Canvas:
    def __init__(self) -> None:
        self.cells = [[" "] * _PICTURE_WIDTH for _ in range(_HEIGHT)]
        self.styles = [[""] * _PICTURE_WIDTH for _ in range(_HEIGHT)]

    def put(self, column: int, line: int, text: str, style: str = "") -> None:
        for i, letter in enumerate(text):
            self.cells[line][column + i] = letter
            self.styles[line][column + i] = style

    def center(self, column: int, line: int, text: str, style: str = "") -> None:
        self.put(column - len(text) // 2, line, text, style)

    def text(self, in_color: bool) -> str:
        return "\n".join(self._line(n, in_color) for n in range(_HEIGHT))

    def _line(self, n: int, in_color: bool) -> str:
        plain = "".join(self.cells[n]).rstrip()
        if not in_color:
            return plain
        out, style = [], ""
        for letter, cell_style in zip(plain, self.styles[n], strict=False):
            if cell_style != style:
                out.append("\x1b[0m" if not cell_style else f"\x1b[0;{cell_style}m")
                style = cell_style
            out.append(letter)
        return "".join(out) + ("\x1b[0m" if style else "")


def _corner_cell(corner: int) -> tuple[int, int]:
    """Column and line of a corner."""
    x, y = CORNER_POINT[corner]
    row, step = divmod(y + 8, 3)
    return _LEFT + 6 * (x + 5), _TOP + 5 * row + 2 * step


def _hex_cell(hexagon: int) -> tuple[int, int]:
    """Middle column and top line of a hex."""
    q, r = HEXES[hexagon]
    return _LEFT + 6 * (2 * q + r + 5), _TOP + 5 * (r + 2)


def _side_cells(side: int) -> list[tuple[int, int, str]]:
    """The cells of a side between its corners: column, line and the character of an empty side."""
    (x1, y1), (x2, y2) = sorted(_corner_cell(corner) for corner in SIDE_CORNERS[side])
    if x1 == x2:
        return [(x1, line, "|") for line in range(min(y1, y2) + 1, max(y1, y2))]
    if y1 > y2:  # rising to the right
        lower, upper = [(x1 + 1 + i, y1 - 1, c) for i, c in enumerate(".-'")], [(x1 + 4, y2, "."), (x1 + 5, y2, "-")]
    else:
        lower, upper = [(x1 + 3 + i, y2 - 1, c) for i, c in enumerate("'-.")], [(x1 + 1, y1, "-"), (x1 + 2, y1, ".")]
    return upper + lower


def draw_text(
    layout: Drawable,
    pieces: Mapping[str, str] | None = None,
    *,
    robber: str | None = None,
    in_color: bool = False,
    words: Mapping[str, str] | None = None,
) -> str:
    """The board in characters, at most 80 columns wide.

    `pieces` are letters by place, in any spelling: at a corner `r` draws a settlement `(r)`, `R` a city `[R]`, two or
    three characters stand as they are; on a side the letter is a road. `robber` is its hex, the desert if not given.
    `words` has the labels as an edition and a language call them: resources and "any" at harbors, terrains, "robber".
    `#` is a corner with a harbor, `*8*` a red number.
    """
    labels = words or {}
    canvas = _Canvas()
    harbors = layout.harbors()
    piers = {corner for side, _ in harbors for corner in SIDE_CORNERS[side]}
    for side in range(N_SIDES):
        for column, line, character in _side_cells(side):
            canvas.put(column, line, character, _DIM)
    for corner in range(N_CORNERS):
        canvas.put(*_corner_cell(corner), "#" if corner in piers else "+", _SEA if corner in piers else _DIM)
    robber_hex = layout.desert if robber is None else read_hex(robber)
    for hexagon in range(N_HEXES):
        _draw_hex(canvas, layout, hexagon, hexagon == robber_hex, labels)
    for side, kind in harbors:
        _draw_harbor(canvas, side, kind, labels)
    # Buildings after roads: they stand on the ends of them.
    for place, letters in sorted((pieces or {}).items(), key=lambda item: "/" not in item[0]):
        _draw_piece(canvas, place, letters)
    return canvas.text(in_color)


def _draw_hex(canvas: _Canvas, layout: Drawable, hexagon: int, robbed: bool, words: Mapping[str, str]) -> None:
    column, line = _hex_cell(hexagon)
    terrain, number = TERRAINS[layout.board.terrain[hexagon]], layout.board.number[hexagon]
    name = HEX_NAMES[hexagon]
    robber = words.get("robber", "robber").upper()
    canvas.center(column, line + 2, f"{name} {robber}" if robbed else name, _ROBBER if robbed else _DIM)
    canvas.center(column, line + 3, words.get(terrain, terrain), _ANSI_TERRAIN[terrain])
    if number:
        red = number in RED_NUMBERS
        canvas.center(column, line + 4, f"*{number}*" if red else str(number), _RED if red else _BOLD)
        canvas.center(column, line + 5, "•" * number_dots(number), _RED if red else "")  # MAP-07: the dots


def _draw_harbor(canvas: _Canvas, side: int, kind: str, words: Mapping[str, str]) -> None:
    """Two lines in the sea before the side: the rate and the resource."""
    column, line = _hex_cell(SIDE_HEXES[side][0])
    across, down = _LABEL_AT[SIDE_NAMES[side].split("/")[1]]
    generic_rate, special_rate = HARBOR_RATES
    texts = [f"{generic_rate if kind == 'any' else special_rate}:1", words.get(kind, kind)]
    if down < 0 and len(texts[1]) > _BESIDE_A_PEAK:
        texts.reverse()  # a long word stands above the coast, where there is room for it
    for i, text in enumerate(texts):
        start = column + across - (len(text) - 1 if across < 0 else 0)
        canvas.put(min(max(start, 0), _PICTURE_WIDTH - len(text)), line + down + i, text, _SEA)


def _draw_piece(canvas: _Canvas, place: str, letters: str) -> None:
    style = _ANSI_PIECE.get(letters[:1].lower(), _BOLD)
    if "/" in place:
        if len(letters) != 1:
            raise BadInput(f"a road is drawn with one letter, not {letters!r}")
        for column, line, _ in _side_cells(read_side(place)):
            canvas.put(column, line, letters, style)
        return
    if not 1 <= len(letters) <= 3:
        raise BadInput(f"a building is drawn with one to three characters, not {letters!r}")
    if len(letters) == 1:
        letters = f"[{letters}]" if letters.isupper() else f"({letters})"
    canvas.center(*_corner_cell(read_corner(place)), letters, style)
