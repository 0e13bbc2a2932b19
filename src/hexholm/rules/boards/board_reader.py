"""Reading boards: every fault of a text is found and told, with its rule, before anybody sits down to play on it."""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from ..colors import Color
from ..core.variable_setup import lay_number_spiral
from ..encoding.structs import DESERT, HARBOR_KINDS, TERRAINS, Board
from ..errors import BadInput
from ..places import (
    COAST,
    CORNER_NAMES,
    CORNER_NEIGHBORS,
    HEX_NAMES,
    N_HEXES,
    SIDE_CORNERS,
    SIDE_NAMES,
    SPIRALS,
    UnknownPlace,
    read_corner,
    read_hex,
    read_side,
)
from ..setup.board_components import FRAME_HARBORS, FRAME_JOINTS, FRAME_PIECES, LETTER_VALUES, PIECE_SIDES
from ..setup.editions import EDITIONS, FALLBACK_EDITION, edition
from .layout import BOARD_FORMAT, Layout, Origin, StartPiece

BOARD_KEYS: Final = ("format", "name", "standard", "spiral", "frame", "hexes", "harbors", "start")
_TOKEN_NUMBERS: Final = (2, 3, 4, 5, 6, 8, 9, 10, 11, 12)
BoardFaults = list[tuple[str, str]]
LONGEST_BOARD: Final = 16_384
"""Characters of a text; ours have about 1,300."""
LONGEST_WRITTEN_BOARD: Final = 8 * LONGEST_BOARD
"""Those of a board that was read and is written down again: each sign of its name takes up to six then."""
DEEPEST_BOARD: Final = 8
"""Parts of a key, and brackets in brackets; a board needs two."""
DEEPEST_DATA: Final = DEEPEST_BOARD * (DEEPEST_BOARD + 2)
"""What a text can say within that: in each bracket a key of so many parts, under a heading."""
MOST_BOARD_FAULTS: Final = 100
"""Faults that are told of one board."""


class BadBoard(BadInput):
    """A board that cannot be used. `faults` lists (rule id, what is wrong and what would be right).

    `partial`: some checks were impossible, so that more faults may show when these are mended.
    """

    def __init__(self, faults: BoardFaults, partial: bool = False) -> None:
        super().__init__("; ".join(f"{message} ({rule})" for rule, message in faults))
        self.faults, self.partial = faults, partial

    def __reduce__(self) -> tuple[Any, ...]:
        return BadBoard, (self.faults, self.partial)


def read_board(text: str, longest: int = LONGEST_BOARD) -> Layout:
    """A layout from its text (TOML); raises :class:`BadBoard` naming every fault.

    What is too long or too deep to be a board is not parsed: texts come from strangers, and the time of the parser
    grows with the square of a key's parts.
    """
    if len(text) > longest:
        raise BadBoard([("MAP-21", f"{len(text):,} characters are too long; a board has at most {longest:,}")])
    if _depth(text) > DEEPEST_BOARD:
        raise BadBoard([("MAP-21", f"a key or a bracket is too deep; a board has at most {DEEPEST_BOARD} parts")])
    try:
        data = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise BadBoard([("MAP-21", f"this is no TOML text: {error}")], partial=True) from None
    return read_board_data(data)


def read_written_board(text: str) -> Layout:
    """A layout from what :meth:`Layout.to_toml` made of one that was read: that can be longer than what was read."""
    return read_board(text, LONGEST_WRITTEN_BOARD)


def read_board_data(data: Mapping[str, Any]) -> Layout:
    """A layout from plain data as :meth:`Layout.as_dict` gives it; raises :class:`BadBoard` naming every fault."""
    if _is_deep(data):  # to show it would end with a RecursionError
        raise BadBoard([("MAP-21", f"too much lies in each other; a board has at most {DEEPEST_BOARD} parts")])
    return _BoardReader(data).read_layout()


_QUOTED_OR_COMMENT: Final = re.compile(
    r'''
    """(?:[^"\\]|\\(?s:.)|"{1,2}(?!"))*(?:"{3,5})?  # over several lines; before its end it may have two of its own
    | \'{3}(?:[^\']|\'{1,2}(?!\'))*(?:\'{3,5})?
    | "(?:[^"\\\n]|\\.)*"?
    | \'[^\'\n]*\'?
    | \#[^\n]*
    ''',
    re.VERBOSE,
)
"""What has no end is matched too: there the parser stops, and a look for the end from each quote would take long."""


def _depth(text: str) -> int:
    """How many parts the longest key has, and how many brackets lie in each other, quotes and comments left out."""
    deepest = dots = brackets = 0
    for sign in _QUOTED_OR_COMMENT.sub("", text):
        if sign == ".":
            dots += 1
            deepest = max(deepest, dots + 1)
        elif sign in "=\n,":
            dots = 0
        elif sign in "[{":
            brackets, dots = brackets + 1, 0
            deepest = max(deepest, brackets)
        elif sign in "]}":
            brackets -= 1
    return deepest


def _is_deep(data: Any) -> bool:
    """Whether so much lies in each other as no text of a board can say that is read here."""
    level = [data]
    for _ in range(DEEPEST_DATA):
        level = [
            part
            for item in level
            if isinstance(item, Mapping | list | tuple)
            for part in (item.values() if isinstance(item, Mapping) else item)
        ]
    return bool(level)


class _BoardReader:
    """One board being read: what was understood so far, and what was not."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        self.data = data
        self.faults: BoardFaults = []
        self.board = Board()
        self.start: list[StartPiece] = []
        self.standard = True
        self.partial = False

    def add_fault(self, rule: str, message: str) -> None:
        if len(self.faults) < MOST_BOARD_FAULTS:
            self.faults.append((rule, message))

    def read_layout(self) -> Layout:
        for key in self.data:
            if key not in BOARD_KEYS:
                self.add_fault("MAP-21", f"unknown key {key!r}; a board has {', '.join(BOARD_KEYS)}")
        if self.data.get("format", BOARD_FORMAT) != BOARD_FORMAT:
            self.add_fault("MAP-21", f"format {self.data['format']!r} is unknown; this is for {BOARD_FORMAT}")
        name, standard = self.data.get("name", ""), self.data.get("standard", True)
        if not isinstance(name, str):
            self.add_fault("MAP-21", f"name {name!r} is no text")
        if not isinstance(standard, bool):
            self.add_fault("COMP-01", f"standard {standard!r}: it is true or false")
        self.standard = standard is not False
        hexes = self.read_hexes()
        harbors = self.read_harbors()
        self.read_frame(harbors)
        self.read_spiral(hexes)
        self.read_start()
        if self.faults:
            raise BadBoard(self.faults, self.partial)
        return Layout(self.board, tuple(self.start), name, standard=self.standard, origin=Origin.read(name))

    def check_counts(
        self, rule: str, what: str, counts: Counter[str], usual: Mapping[str, int], complete: bool
    ) -> None:
        """Counts other than those of the box need `standard = false`; of what is incomplete only what is too much."""
        if not self.standard:
            return
        faults = [
            f"{counts[k]} x {k} (not {usual.get(k, 0)})"
            for k in {**usual, **counts}
            if counts[k] > usual.get(k, 0) or (complete and counts[k] != usual.get(k, 0))
        ]
        if faults:
            self.add_fault(rule, f"{what}: {', '.join(faults)}; a board of your own counts may say standard = false")

    # --- terrain and numbers ---------------------------------------------------------------------------------

    def read_hexes(self) -> set[int]:
        """Terrain and numbers; returns the hexes that could be read, none of them if there is no one desert."""
        table = self.data.get("hexes")
        if not isinstance(table, Mapping):
            self.add_fault("MAP-01", "the board has no table of hexes, A1 to E3")
            self.partial = True
            return set()
        contents: dict[int, tuple[int, int]] = {}
        named_hexes: set[int] = set()
        for name, value in table.items():
            try:
                hexagon = read_hex(str(name))
            except UnknownPlace as error:
                self.add_fault("MAP-01", str(error))
                continue
            if hexagon in named_hexes:
                self.add_fault("MAP-01", f"hex {HEX_NAMES[hexagon]} is there twice")
            named_hexes.add(hexagon)
            content = self.read_hex_content(HEX_NAMES[hexagon], value)
            if content is not None:
                contents[hexagon] = content
        missing = [HEX_NAMES[hexagon] for hexagon in range(N_HEXES) if hexagon not in named_hexes]
        if missing:
            self.add_fault("MAP-01", f"hexes are missing: {', '.join(missing)}; the island has {N_HEXES}")
        complete = len(contents) == N_HEXES
        self.partial |= not complete
        deserts = self.check_hexes(contents, complete)
        for hexagon, (terrain, number) in contents.items():
            self.board.terrain[hexagon], self.board.number[hexagon] = terrain, number
        return set(contents) if deserts == 1 else set()

    def read_hex_content(self, name: str, value: Any) -> tuple[int, int] | None:
        """(terrain, number) from `"hills 6"` or `["hills", 6]`, None if it cannot be read."""
        parts = value.split() if isinstance(value, str) else value
        if not isinstance(parts, list | tuple) or not 1 <= len(parts) <= 2:
            self.add_fault(
                "COMP-01", f"hex {name}: {value!r}; write a terrain and a number, like 'hills 6', or 'desert'"
            )
            return None
        terrain, number = parts[0], parts[1] if len(parts) == 2 else None
        if isinstance(number, str) and number.isascii() and number.isdigit() and len(number) <= 2:
            number = int(number)
        if terrain not in TERRAINS:
            self.add_fault("COMP-01", f"hex {name}: unknown terrain {terrain!r}; it is one of {', '.join(TERRAINS)}")
            return None
        if terrain == "desert":
            if number is not None:
                self.add_fault("MAP-17", f"hex {name}: the desert has no number, yet {number!r} lies there")
            return DESERT, 0
        if number is None:
            self.add_fault("COMP-02", f"hex {name}: {terrain} needs a number; only the desert has none")
            return None
        if type(number) is not int or number not in _TOKEN_NUMBERS:
            self.add_fault("COMP-02", f"hex {name}: there is no number {number!r}; numbers go from 2 to 12, without 7")
            return None
        return TERRAINS.index(terrain), number

    def check_hexes(self, contents: Mapping[int, tuple[int, int]], complete: bool) -> int:
        """Deserts, resources and counts; returns the number of deserts."""
        terrains = Counter(TERRAINS[terrain] for terrain, _ in contents.values())
        if terrains["desert"] > 1 or (complete and terrains["desert"] == 0):
            self.add_fault("SETUP-04", f"{terrains['desert']} deserts; exactly one is needed, the robber starts there")
        edition_data = edition(FALLBACK_EDITION)  # the counts are the same in every edition
        lacking = [str(r) for t, r in edition_data.terrain_resource.items() if r and not terrains[t]]
        if lacking and complete:
            self.add_fault(
                "COMP-01", f"nothing gives {', '.join(lacking)}; each of the five resources must be produced"
            )
        self.check_counts("COMP-01", "terrain", terrains, edition_data.terrain_counts, complete)
        numbers = Counter(str(number) for _, number in contents.values() if number)
        self.check_counts(
            "COMP-02", "numbers", numbers, {str(k): n for k, n in edition_data.number_counts.items()}, complete
        )
        return terrains["desert"]

    def read_spiral(self, hexes: set[int]) -> None:
        """`spiral` says at which corner hex the tokens A to R began (MAP-15, MAP-21); `hexes` can be compared."""
        self.board.start_corner = -1
        corner = self.data.get("spiral")
        if corner is None:
            return
        corners = [HEX_NAMES[walk[0]] for walk in SPIRALS]
        if corner not in corners:
            self.add_fault("MAP-15", f"spiral {corner!r}: it starts on a corner hex, one of {', '.join(corners)}")
            return
        if not hexes:
            self.partial = True
            return
        spiral = self.board.copy()
        lay_number_spiral(spiral, corners.index(corner))
        if any(spiral.number[hexagon] != self.board.number[hexagon] for hexagon in hexes):
            letters = " ".join(map(str, LETTER_VALUES))
            self.add_fault("MAP-15", f"the numbers are no spiral from {corner}; its order is {letters}")
        self.board.start_corner = corners.index(corner)

    # --- harbors ---------------------------------------------------------------------------------------------

    def read_harbors(self) -> set[int] | None:
        """Harbors; returns where on the coast they lie, None if not all of these could be read."""
        for i in range(len(COAST)):
            self.board.harbor[i] = -1
        table = self.data.get("harbors", {})
        if not isinstance(table, Mapping | list | tuple):
            self.add_fault("MAP-20", "harbors are a table of sides and kinds, like \"A1/nw\" = 'any'")
            self.partial = True
            return None
        pairs: Iterable[Any] = table.items() if isinstance(table, Mapping) else table
        at_corner: dict[int, str] = {}
        kinds: Counter[str] = Counter()
        placed: set[int] = set()
        complete = True  # all places could be read
        for pair in pairs:
            coast, kind = self.read_harbor(pair)
            self.partial |= coast < 0 or not kind
            if coast in placed:
                self.add_fault("MAP-20", f"two harbors at {SIDE_NAMES[COAST[coast]]}")
                continue
            if kind:
                kinds[kind] += 1
            if coast < 0:
                complete = False
                continue
            placed.add(coast)
            name = SIDE_NAMES[COAST[coast]]
            for corner in SIDE_CORNERS[COAST[coast]]:
                if corner in at_corner:
                    other_name = at_corner[corner]
                    self.add_fault(
                        "COMP-09", f"the harbors {other_name} and {name} share the corner {CORNER_NAMES[corner]}"
                    )
                at_corner[corner] = name
            if kind:
                self.board.harbor[coast] = HARBOR_KINDS.index(kind)
        countable = complete and sum(kinds.values()) == len(placed)
        self.check_counts("COMP-09", "harbors", kinds, edition(FALLBACK_EDITION).harbors, countable)
        return placed if complete else None

    def read_harbor(self, pair: Any) -> tuple[int, str]:
        """(coast index or -1, kind or "") as far as they can be read."""
        if not isinstance(pair, list | tuple) or len(pair) != 2:
            self.add_fault("MAP-20", f"harbor {pair!r}: give a side and a kind, like ['A1/nw', 'any']")
            return -1, ""
        place, kind = pair
        coast = -1
        try:
            side = read_side(str(place))
        except UnknownPlace as error:
            self.add_fault("MAP-20", f"harbor: {error}")
        else:
            if side in COAST:
                coast = COAST.index(side)
            else:
                self.add_fault("MAP-20", f"harbor {place}: this side is inland; a harbor lies on the coast")
        if kind not in HARBOR_KINDS:
            self.add_fault(
                "COMP-09",
                f"harbor {place}: unknown kind {kind!r}; it is any or one of the resources "
                f"{', '.join(HARBOR_KINDS[:-1])}",
            )
            return coast, ""
        return coast, str(kind)

    def read_frame(self, harbors: set[int] | None) -> None:
        """`frame` says in which order the frame pieces were joined, clockwise from the top left (MAP-14, MAP-21)."""
        for slot in range(FRAME_PIECES):
            self.board.frame[slot] = slot
        frame = self.data.get("frame")
        if frame is None:
            return
        if not isinstance(frame, list | tuple) or sorted(map(str, frame)) != sorted(FRAME_JOINTS):
            self.add_fault("COMP-10", f"frame {frame!r}: name each of the pieces {', '.join(FRAME_JOINTS)} once")
            return
        places = set()
        for slot, joints in enumerate(frame):
            piece = FRAME_JOINTS.index(str(joints))
            self.board.frame[slot] = piece
            places |= {(1 + PIECE_SIDES * slot + offset) % len(COAST) for offset, _ in FRAME_HARBORS[piece]}
        if harbors is not None and places != harbors:
            place_names = ", ".join(SIDE_NAMES[COAST[i]] for i in sorted(places))
            self.add_fault("MAP-14", f"the harbors are not where this frame has them: {place_names}")

    # --- start pieces ----------------------------------------------------------------------------------------

    def read_start(self) -> None:
        table = self.data.get("start")
        if table is None:
            return
        if not isinstance(table, Mapping) or not table:
            self.add_fault("MAP-12", "start is a table of colors, each with two settlements and their roads")
            return
        palettes = [edition(name).colors for name in EDITIONS]
        if not any(set(map(str, table)) <= set(colors) for colors in palettes):
            palette_texts = "; or ".join(dict.fromkeys(", ".join(colors) for colors in palettes))
            self.add_fault(
                "COMP-08", f"start colors {', '.join(map(str, table))}: no edition has these; take {palette_texts}"
            )
        for color, pieces in table.items():
            self.read_color(str(color), pieces)
        self.check_start()

    def read_color(self, color: Color, pieces: Any) -> None:
        if not isinstance(pieces, list | tuple) or len(pieces) != 2:
            self.add_fault("MAP-12", f"start of {color}: give exactly two settlements, each with its road")
            return
        paid_count = 0
        for piece in pieces:
            if not isinstance(piece, Mapping) or not set(piece) <= {"settlement", "road", "paid"}:
                self.add_fault(
                    "MAP-12", f"start of {color}: {piece!r}; a piece has settlement, road and perhaps paid = true"
                )
                continue
            paid = piece.get("paid", False)
            if not isinstance(paid, bool):
                self.add_fault("MAP-12", f"start of {color}: paid {paid!r} is neither true nor false")
            paid_count += paid is True
            corner, road = (
                self.read_place(color, piece.get(key), read)
                for key, read in (("settlement", read_corner), ("road", read_side))
            )
            if corner is None or road is None:
                self.partial = True
            else:
                self.start.append(StartPiece(color, paid is True, corner, road))
        if paid_count != 1:
            self.add_fault(
                "SETUP-10", f"start of {color}: {paid_count} settlements are marked paid = true; exactly one must be"
            )

    def read_place(self, color: Color, name: Any, read: Callable[[str], int]) -> int | None:
        try:
            return read(str(name))
        except UnknownPlace as error:
            self.add_fault("MAP-12", f"start of {color}: {error}")
            return None

    def check_start(self) -> None:
        piece_at: dict[int, StartPiece] = {}
        roads: set[int] = set()
        for piece in self.start:
            corner, road = CORNER_NAMES[piece.corner], SIDE_NAMES[piece.road]
            if piece.corner not in SIDE_CORNERS[piece.road]:
                self.add_fault("MAP-12", f"start of {piece.color}: road {road} does not touch the settlement {corner}")
            if piece.road in roads:
                self.add_fault("MAP-12", f"start of {piece.color}: road {road} is taken")
            if piece.corner in piece_at:
                self.add_fault("MAP-12", f"start of {piece.color}: {corner} is taken by {piece_at[piece.corner].color}")
            for neighbor in CORNER_NEIGHBORS[piece.corner]:
                if neighbor in piece_at:
                    other_settlement = f"{piece_at[neighbor].color}'s settlement {CORNER_NAMES[neighbor]}"
                    self.add_fault(
                        "SETUP-13", f"start of {piece.color}: {corner} is next to {other_settlement} (distance rule)"
                    )
            piece_at[piece.corner] = piece
            roads.add(piece.road)
