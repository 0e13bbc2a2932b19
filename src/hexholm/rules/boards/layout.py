"""A :class:`Layout`: what lies where before the game, with the start pieces of a fixed set-up."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, Final, Self

from ..colors import Color
from ..core.variable_setup import desert_of
from ..encoding.structs import HARBOR_KINDS, RESOURCES, TERRAINS, Board
from ..places import (
    COAST,
    CORNER_HEXES,
    CORNER_NAMES,
    HEX_NAMES,
    N_HEXES,
    SIDE_CORNERS,
    SIDE_HEXES,
    SIDE_NAMES,
    SPIRALS,
    read_corner,
    read_hex,
    read_side,
)
from ..setup.board_components import FRAME_JOINTS, FRAME_PIECES
from .number_tokens import number_dots
from .text_picture import draw_text, piece_letter

BOARD_FORMAT: Final = "hexholm-board-1"
"""The version word of the text format."""
_GENERATED_NAME: Final = re.compile(r"(\w+), (\w+), (\w+) numbers, board seed (-?\d{1,20})(?: game (\d{1,20}))?")


@dataclass(frozen=True, slots=True)
class Origin:
    """How a board was generated; its name says so, and that is how a written board keeps it."""

    edition: str
    harbors: str
    numbers: str
    seed: int | None
    """None: not to be known."""
    game: int = 0
    """The number of the game within a simulation."""

    @property
    def name(self) -> str:
        """The name of such a board."""
        seed_text = "" if self.seed is None else f", board seed {self.seed}" + f" game {self.game}" * bool(self.game)
        return f"{self.edition}, {self.harbors}, {self.numbers} numbers{seed_text}"

    @classmethod
    def read(cls, name: str) -> Self | None:
        """What the name of a board says; None if it was not generated."""
        match = _GENERATED_NAME.fullmatch(name)
        if match is None:
            return None
        origin = cls(match[1], match[2], match[3], int(match[4]), int(match[5] or 0))
        return origin if origin.name == name else None


@dataclass(frozen=True, order=True, slots=True)
class StartPiece:
    """A settlement of the fixed set-up with its road; the paid one gives the start resources (MAP-12, SETUP-10)."""

    color: Color
    paid: bool
    corner: int
    road: int


class Layout:
    """A board with its name and, for a fixed set-up, the start pieces. It cannot be changed.

    `board` is the struct that the core reads; copy it before passing it to anything that writes. Two layouts are equal
    if the same things lie in the same places, whatever their names are.
    """

    __slots__ = ("board", "name", "origin", "standard", "start")

    board: Board
    start: tuple[StartPiece, ...]
    name: str
    standard: bool
    origin: Origin | None
    """How it was generated; its name is made of that."""

    def __init__(
        self,
        board: Board,
        start: tuple[StartPiece, ...] = (),
        name: str = "",
        *,
        standard: bool = True,
        origin: Origin | None = None,
    ) -> None:
        buffer = board.buffer.copy()
        buffer.setflags(write=False)
        object.__setattr__(self, "board", Board(buffer))
        object.__setattr__(self, "start", tuple(start))
        object.__setattr__(self, "name", name if origin is None else origin.name)
        object.__setattr__(self, "standard", standard)
        object.__setattr__(self, "origin", origin)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a layout cannot be changed: {name}")

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Layout):
            return NotImplemented
        return self.board == other.board and sorted(self.start) == sorted(other.start)

    def __hash__(self) -> int:
        return hash((self.board.buffer.tobytes(), *sorted(self.start)))

    def __reduce__(self) -> tuple[Any, ...]:
        return _restore, (self.board, self.start, self.name, self.standard, self.origin)

    def __repr__(self) -> str:
        return f"<Layout {self.name!r}>"

    def __str__(self) -> str:
        return draw_text(self, start_pieces(self))

    @property
    def seed(self) -> int | None:
        """The seed from which the board was generated; None if there was none or nobody may know it."""
        return None if self.origin is None else self.origin.seed

    def without_seed(self) -> Layout:
        """The same board without its seed in the name, because the seed of a game would reveal its dice."""
        if self.origin is None or self.origin.seed is None:
            return self
        return Layout(self.board, self.start, standard=self.standard, origin=replace(self.origin, seed=None, game=0))

    @property
    def desert(self) -> int:
        """The hex of the desert, where the robber starts (SETUP-04)."""
        return desert_of(self.board)

    def harbors(self) -> list[tuple[int, str]]:
        """The harbors clockwise from A1: (side, kind), the kind a resource or "any"."""
        kinds = [self.board.harbor[i] for i in range(len(COAST))]
        return [(COAST[i], HARBOR_KINDS[kind]) for i, kind in enumerate(kinds) if kind >= 0]

    # --- what is where, by name ------------------------------------------------------------------------------

    def hexes_at(self, place: str) -> tuple[str, ...]:
        """The hexes at a corner or a side, or the hex itself: `layout.hexes_at("C3n")` is `("B2", "B3", "C3")`."""
        return tuple(HEX_NAMES[hexagon] for hexagon in _hexes_at(place))

    def terrain(self, hexagon: str) -> str:
        """The terrain of a hex: hills, forest, pasture, fields, mountains or desert."""
        return TERRAINS[self.board.terrain[read_hex(hexagon)]]

    def number(self, hexagon: str) -> int | None:
        """The number on a hex; None on the desert."""
        return self.board.number[read_hex(hexagon)] or None

    def pips(self, place: str) -> int:
        """The dots on the numbers at a place: how many cards a settlement there brings in 36 rolls on average."""
        return sum(
            number_dots(self.board.number[hexagon]) for hexagon in _hexes_at(place) if self.board.number[hexagon]
        )

    def yields(self, place: str) -> dict[str, int]:
        """The dots at a place by resource: `{"ore": 5, "wool": 3}`."""
        dots_by_resource: dict[str, int] = {}
        for hexagon in _hexes_at(place):
            if number := self.board.number[hexagon]:
                resource = RESOURCES[self.board.terrain[hexagon]]
                dots_by_resource[resource] = dots_by_resource.get(resource, 0) + number_dots(number)
        return dots_by_resource

    def harbor(self, corner: str) -> str | None:
        """The harbor that a corner has: a resource, "any", or None."""
        corner_id = read_corner(corner)
        return next((kind for side, kind in self.harbors() if corner_id in SIDE_CORNERS[side]), None)

    # --- as text ---------------------------------------------------------------------------------------------

    def as_dict(self) -> dict[str, Any]:
        """Hexes, harbors and start pieces as plain data, under canonical place names."""
        board = self.board
        start: dict[str, list[dict[str, Any]]] = {}
        for piece in self.start:
            start.setdefault(piece.color, []).append(
                {"settlement": CORNER_NAMES[piece.corner], "road": SIDE_NAMES[piece.road], "paid": piece.paid}
            )
        return {
            "hexes": {
                HEX_NAMES[hexagon]: [TERRAINS[board.terrain[hexagon]], board.number[hexagon] or None]
                for hexagon in range(N_HEXES)
            },
            "harbors": [[SIDE_NAMES[side], kind] for side, kind in self.harbors()],
            "start": start or None,
        }

    def to_toml(self) -> str:
        """The layout as text; :func:`~hexholm.rules.boards.read_board` reads it back exactly."""
        board, data = self.board, self.as_dict()
        lines = [f'format = "{BOARD_FORMAT}"', f"name = {_quote_toml(self.name)}"]
        if not self.standard:
            lines.append("standard = false")
        if board.start_corner >= 0:
            lines.append(f'spiral = "{HEX_NAMES[SPIRALS[board.start_corner][0]]}"')
        frame = [board.frame[slot] for slot in range(FRAME_PIECES)]
        if frame != list(range(FRAME_PIECES)):
            lines.append("frame = [" + ", ".join(f'"{FRAME_JOINTS[piece]}"' for piece in frame) + "]")
        lines += ["", "[hexes]"]
        lines += [
            f'{name} = "{terrain} {number or ""}'.rstrip() + '"' for name, (terrain, number) in data["hexes"].items()
        ]
        lines += ["", "[harbors]"]
        lines += [f'"{side}" = "{kind}"' for side, kind in data["harbors"]]
        if self.start:
            lines += ["", "[start]"]
            for color, pieces in data["start"].items():
                lines.append(f"{color} = [")
                for piece in pieces:
                    paid = ", paid = true" if piece["paid"] else ""
                    lines.append(f'    {{ settlement = "{piece["settlement"]}", road = "{piece["road"]}"{paid} }},')
                lines.append("]")
        return "\n".join(lines) + "\n"


def start_pieces(layout: Layout, colors: Iterable[Color] | None = None) -> dict[str, str]:
    """The start pieces of a fixed set-up for :func:`.text_picture.draw_text`, of all colors or of those given."""
    wanted_colors = {piece.color for piece in layout.start} if colors is None else set(colors)
    pieces: dict[str, str] = {}
    for piece in layout.start:
        if piece.color in wanted_colors:
            pieces[CORNER_NAMES[piece.corner]] = piece_letter(piece.color, "settlement")
            pieces[SIDE_NAMES[piece.road]] = piece_letter(piece.color, "road")
    return pieces


def _hexes_at(place: str) -> list[int]:
    """The hexes at a place of any sort."""
    if "/" in place:
        return SIDE_HEXES[read_side(place)]
    if place.strip()[-1:].isdecimal():
        return [read_hex(place)]
    return CORNER_HEXES[read_corner(place)]


def _quote_toml(text: str) -> str:
    """A TOML basic string: JSON's escapes are TOML's, but for the DEL character and lone surrogates."""
    return json.dumps(text.encode("utf-8", "replace").decode(), ensure_ascii=False).replace("\x7f", "\\u007f")


def _restore(
    board: Board, start: tuple[StartPiece, ...], name: str, standard: bool, origin: Origin | None = None
) -> Layout:
    return Layout(board, start, name, standard=standard, origin=origin)
