"""The drawing data of a board: what lies where, in points, without a pen.

One plan serves every picture: the SVG writer, a browser (as JSON, :meth:`Plan.as_dict`) and paper. It holds public
facts only: the board, the pieces and the robber, never a card.

    >>> from hexholm.game.pictures import plan_of
    >>> from hexholm.rules.boards import beginner_layout
    >>> plan = plan_of(beginner_layout(), start=True, highlight=["c3 N"])
    >>> plan.pieces[0].place, plan.pieces[0].color, plan.highlights[0].place
    ('A2/sw', 'red', 'B2se')

Points are in units of a hundredth of a hex's radius, from the top left of the picture, x to the right and y downwards.
Angles are in degrees, clockwise from east.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from hexholm.rules.boards import COLOR_LETTERS, HARBOR_RATES, RED_NUMBERS, Layout, number_dots
from hexholm.rules.colors import Color, SeatNumber
from hexholm.rules.errors import BadInput
from hexholm.rules.names import RESOURCES, TERRAINS
from hexholm.rules.places import (
    COAST,
    CORNER_NAMES,
    CORNER_POINT,
    HALF,
    HEX_CORNERS,
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
from hexholm.rules.queries import State

PLAN_FORMAT: Final = "hexholm-plan-1"
"""The version word of the plain data."""
RADIUS: Final = 100.0
"""From the middle of a hex to its corners."""
PLAN_WIDTH: Final = 1140.0
HEIGHT: Final = 1056.0
MARKS: Final = ("dot", "bar", "ring", "cross")
"""What a player's pieces carry besides their color, by seat (or by order of the colors)."""

HARBOR_AWAY: Final = 70.0  # from the middle of its side to the middle of a harbor's sign
HARBOR_RADIUS: Final = 31.0  # of the sign
_JETTY_SHORT: Final = 15.0  # a jetty ends before the corner, where a building may stand
_STEP_X, _STEP_Y = RADIUS * math.sqrt(3) / 2, RADIUS / 2

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class PlanHex:
    """A hex; `number` is None and `resource` too where nothing grows, `robbed` says that the robber stands here."""

    name: str
    center: Point
    points: tuple[Point, ...]
    """Its six corners: n, ne, se, s, sw, nw."""
    terrain: str
    resource: str | None
    number: int | None
    dots: int
    red: bool
    robbed: bool


@dataclass(frozen=True, slots=True)
class PlanCorner:
    """A corner; `inward` points to the middle of the hex it is named by, where its label belongs."""

    name: str
    at: Point
    inward: float


@dataclass(frozen=True, slots=True)
class PlanSide:
    """A side with its two ends, its middle and the angle of its line, from -90 to 90 degrees."""

    name: str
    corners: tuple[str, str]
    ends: tuple[Point, Point]
    at: Point
    angle: float
    inward: float


@dataclass(frozen=True, slots=True)
class PlanHarbor:
    """A harbor: its sign in the sea at `at`, and a jetty from the sign to each of its two corners."""

    side: str
    corners: tuple[str, str]
    rate: str
    resource: str
    """A resource, or "any"."""
    at: Point
    outward: float
    jetties: tuple[tuple[Point, Point], tuple[Point, Point]]


@dataclass(frozen=True, slots=True)
class PlanPiece:
    """A road, settlement or city with its player's color and mark."""

    kind: str
    place: str
    seat: SeatNumber
    color: Color
    mark: str
    at: Point
    angle: float


@dataclass(frozen=True, slots=True)
class PlanHighlight:
    """A place that matters now; `kind` is hex, corner or side."""

    kind: str
    place: str


@dataclass(frozen=True, slots=True)
class Plan:
    """Everything a picture of the board shows."""

    name: str
    width: float
    height: float
    radius: float
    hexes: tuple[PlanHex, ...]
    corners: tuple[PlanCorner, ...]
    sides: tuple[PlanSide, ...]
    harbors: tuple[PlanHarbor, ...]
    coast: tuple[Point, ...]
    """The outline of the island, clockwise."""
    pieces: tuple[PlanPiece, ...]
    """Roads first, so that buildings stand on the ends of them."""
    robber: str | None
    highlights: tuple[PlanHighlight, ...]
    names: bool
    """Whether the picture shows the names of the places."""

    def as_dict(self) -> dict[str, Any]:
        data: dict[str, Any] = _as_lists(dataclasses.asdict(self))
        return {"format": PLAN_FORMAT, **data}


def plan_of(
    layout: Layout,
    state: State | None = None,
    colors: Sequence[Color] = (),
    *,
    start: bool = False,
    names: bool = False,
    highlight: Iterable[str] = (),
) -> Plan:
    """The drawing data of a board, or of a position on it.

    `state` is a state or a view, `colors` are the colors by seat. Without a state the board is bare; with `start` it
    carries the start pieces of a fixed set-up, of all colors or of those given. `highlight` are names of hexes,
    corners and sides in any spelling; a text that names no place raises :class:`~hexholm.rules.places.UnknownPlace`.
    """
    robber = layout.desert if state is None else state.robber
    rates = HARBOR_RATES if state is None else (state.rate_generic, state.rate_special)
    if state is not None:
        pieces = list(_pieces(state, _check_colors(colors, state.players)))
    else:
        pieces = list(_start_pieces(layout, _check_colors(colors, 0))) if start else []
    return Plan(
        name=layout.name,
        width=PLAN_WIDTH,
        height=HEIGHT,
        radius=RADIUS,
        hexes=tuple(_hex(layout, hexagon, hexagon == robber) for hexagon in range(N_HEXES)),
        corners=tuple(PlanCorner(CORNER_NAMES[c], corner_at(c), _corner_inward(c)) for c in range(N_CORNERS)),
        sides=tuple(_side(side) for side in range(N_SIDES)),
        harbors=tuple(_harbor(side, kind, rates) for side, kind in layout.harbors()),
        coast=_coast(),
        pieces=tuple(sorted(pieces, key=lambda piece: (piece.kind != "road", piece.at[1], piece.at[0]))),
        robber=HEX_NAMES[robber] if 0 <= robber < N_HEXES else None,
        highlights=tuple(dict.fromkeys(_place(text) for text in highlight)),
        names=names,
    )


def hex_at(hexagon: int) -> Point:
    q, r = HEXES[hexagon]
    return _point(2 * q + r, 3 * r)


def corner_at(corner: int) -> Point:
    return _point(*CORNER_POINT[corner])


# --- geometry -------------------------------------------------------------------------------------------------------


def _point(x: int, y: int) -> Point:
    return round(PLAN_WIDTH / 2 + x * _STEP_X, 2), round(HEIGHT / 2 + y * _STEP_Y, 2)


def _between(a: Point, b: Point, share: float = 0.5) -> Point:
    return round(a[0] + (b[0] - a[0]) * share, 2), round(a[1] + (b[1] - a[1]) * share, 2)


def _angle(a: Point, b: Point) -> float:
    """The direction from a to b; whole degrees, as all of our directions are multiples of 30."""
    return float(round(math.degrees(math.atan2(b[1] - a[1], b[0] - a[0]))))


def _line_angle(a: Point, b: Point) -> float:
    """The angle of a line that has no direction: -30, 30 or 90."""
    return (_angle(a, b) + 89) % 180 - 89


def _corner_inward(corner: int) -> float:
    return _angle(corner_at(corner), hex_at(HEX_NAMES.index(CORNER_NAMES[corner][:2])))


def _side(side: int) -> PlanSide:
    a, b = SIDE_CORNERS[side]
    ends = corner_at(a), corner_at(b)
    middle = _between(*ends)
    return PlanSide(
        name=SIDE_NAMES[side],
        corners=(CORNER_NAMES[a], CORNER_NAMES[b]),
        ends=ends,
        at=middle,
        angle=_line_angle(*ends),
        inward=_angle(middle, hex_at(HEX_NAMES.index(SIDE_NAMES[side][:2]))),
    )


def _coast() -> tuple[Point, ...]:
    """The corners of the coast in the order of the coast walk; each side begins where the one before it ends."""
    outline: list[int] = []
    for side, next_side in zip(COAST, [*COAST[1:], COAST[0]], strict=True):
        (shared,) = set(SIDE_CORNERS[side]) & set(SIDE_CORNERS[next_side])
        outline.append(shared)
    return tuple(corner_at(corner) for corner in outline)


# --- facts ----------------------------------------------------------------------------------------------------------


def _hex(layout: Layout, hexagon: int, robbed: bool) -> PlanHex:
    terrain, number = layout.board.terrain[hexagon], layout.board.number[hexagon]
    return PlanHex(
        name=HEX_NAMES[hexagon],
        center=hex_at(hexagon),
        points=tuple(corner_at(corner) for corner in HEX_CORNERS[hexagon]),
        terrain=TERRAINS[terrain],
        resource=RESOURCES[terrain] if terrain < len(RESOURCES) else None,
        number=number or None,
        dots=number_dots(number) if number else 0,
        red=number in RED_NUMBERS,
        robbed=robbed,
    )


def _harbor(side: int, kind: str, rates: tuple[int, int]) -> PlanHarbor:
    a, b = SIDE_CORNERS[side]
    middle = _between(corner_at(a), corner_at(b))
    outward = _angle(hex_at(SIDE_HEXES[side][0]), middle)
    angle = math.radians(outward)
    sign = round(middle[0] + HARBOR_AWAY * math.cos(angle), 2), round(middle[1] + HARBOR_AWAY * math.sin(angle), 2)

    def jetty(corner: int) -> tuple[Point, Point]:
        length = math.dist(sign, corner_at(corner))
        first, last = (HARBOR_RADIUS - 3) / length, 1 - _JETTY_SHORT / length
        return _between(sign, corner_at(corner), first), _between(sign, corner_at(corner), last)

    return PlanHarbor(
        side=SIDE_NAMES[side],
        corners=(CORNER_NAMES[a], CORNER_NAMES[b]),
        rate=f"{rates[0] if kind == 'any' else rates[1]}:1",
        resource=kind,
        at=sign,
        outward=outward,
        jetties=(jetty(a), jetty(b)),
    )


def _check_colors(colors: Sequence[Color], player_count: int) -> tuple[str, ...]:
    unknown = [color for color in colors if color not in COLOR_LETTERS]
    if unknown:
        raise BadInput(f"there is no color {unknown[0]!r}; the colors are {', '.join(COLOR_LETTERS)}")
    if len(colors) < player_count:
        raise BadInput(
            f"{player_count} players need {player_count} colors by seat; given: {', '.join(colors) or 'none'}"
        )
    return tuple(colors)


def _pieces(state: State, colors: tuple[Color, ...]) -> Iterator[PlanPiece]:
    for seat in range(state.players):
        roads = int(state.roads_lo[seat]) | int(state.roads_hi[seat]) << HALF
        yield from (_road(side, seat, colors[seat]) for side in range(N_SIDES) if roads >> side & 1)
        for kind, corners in (("settlement", state.settlements[seat]), ("city", state.cities[seat])):
            yield from (_building(kind, c, seat, colors[seat]) for c in range(N_CORNERS) if corners >> c & 1)


def _start_pieces(layout: Layout, colors: tuple[Color, ...]) -> Iterator[PlanPiece]:
    start_colors = {piece.color for piece in layout.start}
    order = colors or tuple(color for color in COLOR_LETTERS if color in start_colors)  # as most editions seat them
    for piece in layout.start:
        if piece.color in order:
            seat = order.index(piece.color)
            yield _road(piece.road, seat, piece.color)
            yield _building("settlement", piece.corner, seat, piece.color)


def _road(side: int, seat: SeatNumber, color: Color) -> PlanPiece:
    a, b = (corner_at(corner) for corner in SIDE_CORNERS[side])
    return PlanPiece("road", SIDE_NAMES[side], seat, color, MARKS[seat % 4], _between(a, b), _line_angle(a, b))


def _building(kind: str, corner: int, seat: SeatNumber, color: Color) -> PlanPiece:
    return PlanPiece(kind, CORNER_NAMES[corner], seat, color, MARKS[seat % 4], corner_at(corner), 0.0)


def _place(text: str) -> PlanHighlight:
    if "/" in text:
        return PlanHighlight("side", SIDE_NAMES[read_side(text)])
    if text.strip()[-1:].isalpha():
        return PlanHighlight("corner", CORNER_NAMES[read_corner(text)])
    return PlanHighlight("hex", HEX_NAMES[read_hex(text)])


def _as_lists(value: Any) -> Any:
    """Tuples as lists, all the way down: the data is equal to what JSON makes of it."""
    if isinstance(value, dict):
        return {key: _as_lists(inner) for key, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [_as_lists(inner) for inner in value]
    return value
