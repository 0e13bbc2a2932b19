"""A position with its players: the board, and below it a quiet strip with a cell for every seat.

The strip shows what everybody may know. It is told as plain data (:class:`SeatLine`), so that who draws it decides
whose eyes see it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from hexholm.rules.errors import BadInput

from . import symbols
from .marks import move, path, tag
from .palette import PAINTS
from .plan import MARKS, Plan
from .sheet import Sheet
from .svg import board, document, sheet_for

STRIP = 132.0
"""The height of the strip in the units of the plan."""
_GAP, _CELL, _EDGE = 12.0, 112.0, 10.0


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatLine:
    """What the strip says of a seat; `name` is the player's, the colour if not given."""

    color: str
    points: int
    resource_cards: int = 0
    development_cards: int = 0
    knights: int = 0
    """Knights played."""
    longest_road: bool = False
    largest_army: bool = False
    turn: bool = False
    name: str = ""


def position_svg(
    plan: Plan,
    seats: Sequence[SeatLine],
    *,
    theme: str = "light",
    width: int | None = None,
    title: str | None = None,
    words: Mapping[str, str] | None = None,
) -> str:
    """The picture of a plan with the strip of its seats below; the rest as for :func:`~.svg.svg_of`."""
    if not 1 <= len(seats) <= len(MARKS):
        raise BadInput(f"the strip has room for 1 to {len(MARKS)} seats, not {len(seats)}")
    for line in seats:
        if line.color not in PAINTS:
            raise BadInput(f"there are no {line.color!r} pieces; the colours are {', '.join(PAINTS)}")
    sheet = sheet_for(plan, theme, words, f"{width}|{title}|{seats}")
    top, wide = plan.height + _GAP, (plan.width + _EDGE) / len(seats)
    cells = [
        tag(
            "g", _cell(sheet, line, seat, wide - _EDGE), class_="seat", data_seat=seat, transform=move(seat * wide, top)
        )
        for seat, line in enumerate(seats)
    ]
    body = board(plan, sheet) + tag("g", "".join(cells), class_="seats")
    more = " " + " ".join(_told(line, sheet.words) for line in seats)
    return document(plan, sheet, body, height=plan.height + STRIP, width=width, title=title, more=more)


def _cell(sheet: Sheet, line: SeatLine, seat: int, wide: float) -> str:
    """Who and how many points above, cards and knights below; an ink bar along the top of whose turn it is."""
    theme, paint = sheet.theme, PAINTS[line.color]
    name = (line.name or line.color).upper()
    house = tag("g", symbols.piece("settlement", paint, MARKS[seat], theme), transform=move(36, 36))
    out = [
        tag("rect", width=wide, height=_CELL, rx=9.0, fill=theme.panel, stroke=theme.panel_line, stroke_width=1.6),
        house,
        sheet.label(
            _fitted(sheet, name, wide - 140), 68, 36, 16, theme.panel_ink, pen=14 if line.turn else 11, anchor="start"
        ),
        sheet.numeral(str(line.points), wide - 34, 36, 34, theme.panel_ink, heavy=line.turn),
        path(f"M14 64L{wide - 14:g} 64", stroke=theme.panel_line, stroke_width=0.9),
    ]
    if line.turn:
        out.append(path(f"M16 5L{wide - 16:g} 5", stroke=theme.panel_ink, stroke_width=4.5, stroke_linecap="round"))
    counts = [
        (symbols.card_sign(theme, development=False), line.resource_cards),
        (symbols.card_sign(theme, development=True), line.development_cards),
        (symbols.knight_sign(theme), line.knights),
    ]
    for number, (sign, count) in enumerate(counts):
        x = 28 + number * 60
        ink = theme.panel_ink if count else theme.panel_line
        out.append(tag("g", sign, transform=move(x, 88)))
        out.append(sheet.label(str(count), x + 20, 88, 17, ink, pen=13, anchor="start"))
    if line.largest_army:
        out.append(tag("g", symbols.army_sign(theme), transform=move(wide - 24, 88)))
    if line.longest_road:
        out.append(tag("g", symbols.road_sign(theme), transform=move(wide - (58 if line.largest_army else 26), 88)))
    return "".join(out)


def _fitted(sheet: Sheet, text: str, room: float) -> str:
    """The text, cut where it would run into the points."""
    while len(text) > 1 and sheet.width_of(text, 16) > room:
        text = text[:-1].rstrip(" .") if not text.endswith(".") else text[:-2].rstrip(" .")
        text += "."
    return text


def _many(count: int, thing: str) -> str:
    return f"{count} {thing}" if count == 1 else f"{count} {thing}s"


def _told(line: SeatLine, words: Mapping[str, str]) -> str:
    parts = [
        _many(line.points, "point"),
        _many(line.resource_cards, "resource card"),
        _many(line.development_cards, "development card"),
        f"{_many(line.knights, 'knight')} played",
    ]
    parts += [str(words.get("longest_road", "Longest Road"))] if line.longest_road else []
    parts += [str(words.get("largest_army", "Largest Army"))] if line.largest_army else []
    parts += ["to move"] if line.turn else []
    return f"{(line.name or line.color).capitalize()}: {', '.join(parts)}."
