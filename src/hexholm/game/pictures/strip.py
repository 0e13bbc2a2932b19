"""A position with its players: the board, and below it a quiet strip with a cell for every seat.

The strip shows what everybody may know. It is told as plain data (:class:`StripLine`), so that who draws it decides
whose eyes see it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from hexholm.game.language.phrases import count_noun
from hexholm.rules.colors import Color, SeatNumber
from hexholm.rules.errors import BadInput
from hexholm.rules.setup.editions import DEFAULT_EDITION, edition

from .drawing import symbols
from .drawing.palette import PAINTS
from .drawing.sheet import Sheet
from .drawing.svg_elements import svg_path, svg_tag, svg_transform
from .plan import MARKS, Plan
from .svg import board_group, sheet_for, svg_document

STRIP = 160.0
"""The height of the strip in the units of the plan."""
_GAP, _CELL, _EDGE = 40.0, 112.0, 10.0
_TAB = 26.0  # the height of the tab above the cell of whose turn it is


@dataclass(frozen=True, slots=True, kw_only=True)
class StripLine:
    """What the strip says of a seat; `name` is the player's, the color if not given."""

    color: Color
    points: int
    resource_cards: int = 0
    development_cards: int = 0
    knights: int = 0
    """Knights played."""
    longest_road: int = 0
    largest_army: int = 0
    """Points of the awards this player holds."""
    turn: bool = False
    """Whether it is this player's turn."""
    won: bool = False
    dice: tuple[int, int] | None = None
    """What this player has rolled on this turn."""
    name: str = ""


def position_svg(
    plan: Plan,
    seats: Sequence[StripLine],
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
            raise BadInput(f"there is no color {line.color!r}; the colors are {', '.join(PAINTS)}")
    sheet = sheet_for(plan, theme, words, width, title, f"{seats}")
    top, cell_width = plan.height + _GAP, (plan.width + _EDGE) / len(seats)
    cells = [
        svg_tag(
            "g",
            _cell(sheet, line, seat, cell_width - _EDGE),
            class_="seat",
            data_seat=seat,
            transform=svg_transform(seat * cell_width, top),
        )
        for seat, line in enumerate(seats)
    ]
    body = board_group(plan, sheet) + svg_tag("g", "".join(cells), class_="seats")
    more = " " + " ".join(_line_sentence(line, sheet.words) for line in seats)
    return svg_document(plan, sheet, body, height=plan.height + STRIP, width=width, title=title, more=more)


def _cell(sheet: Sheet, line: StripLine, seat: SeatNumber, width: float) -> str:
    """Who and how many points above, cards and knights below; a frame and a tab for the one whose turn it is."""
    theme, paint = sheet.theme, PAINTS[line.color]
    name = (line.name or line.color).upper()
    ink, pen = (theme.accent, 4.0) if line.turn or line.won else (theme.panel_line, 1.6)
    frame = {"x": pen / 2, "y": pen / 2, "width": width - pen, "height": _CELL - pen, "rx": 9.0}
    house = svg_tag("g", symbols.draw_piece("settlement", paint, MARKS[seat], theme), transform=svg_transform(36, 36))
    out = [
        svg_tag("rect", **frame, fill=theme.panel, stroke=ink, stroke_width=pen),
        house,
        sheet.label(
            _fitted(sheet, name, width - 140), 68, 36, 16, theme.panel_ink, pen=14 if line.turn else 11, anchor="start"
        ),
        sheet.numeral(str(line.points), width - 34, 36, 34, theme.panel_ink, heavy=line.turn),
        svg_path(f"M14 64L{width - 14:g} 64", stroke=theme.panel_line, stroke_width=0.9),
    ]
    if line.turn or line.won:
        out.append(_tab(sheet, "WINNER" if line.won else "TURN", line.dice))
    counts = [
        (symbols.card_sign(theme, development=False), line.resource_cards),
        (symbols.card_sign(theme, development=True), line.development_cards),
        (symbols.knight_sign(theme), line.knights),
    ]
    for number, (sign, count) in enumerate(counts):
        x = 28 + number * 60
        ink = theme.panel_ink if count else theme.panel_line
        out.append(svg_tag("g", sign, transform=svg_transform(x, 88)))
        out.append(sheet.label(str(count), x + 20, 88, 17, ink, pen=13, anchor="start"))
    if line.largest_army:
        out.append(_award(sheet, symbols.army_sign(theme), line.largest_army, width - 24))
    if line.longest_road:
        out.append(
            _award(sheet, symbols.road_sign(theme), line.longest_road, width - (58 if line.largest_army else 26))
        )
    return "".join(out)


def _award(sheet: Sheet, sign: str, points: int, x: float) -> str:
    """An award, and below it a star for each of its points (ALM-08)."""
    star = symbols.point_sign(sheet.theme)
    stars = (
        svg_tag(
            "g", star, class_="point", transform=f"{svg_transform(x + 10 * (n - (points - 1) / 2), 103)} scale(0.34)"
        )
        for n in range(points)
    )
    return svg_tag("g", sign, transform=svg_transform(x, 84)) + "".join(stars)


def _tab(sheet: Sheet, word: str, dice: tuple[int, int] | None) -> str:
    """A word on a tab that stands on the cell, and beside it the two dice."""
    theme = sheet.theme
    width = sheet.width_of(word, 13) + 28
    r = 7.0
    outline = f"M12 2L12 {r - _TAB:g}Q12 {-_TAB:g} {12 + r:g} {-_TAB:g}"
    outline += f"L{12 + width - r:g} {-_TAB:g}Q{12 + width:g} {-_TAB:g} {12 + width:g} {r - _TAB:g}L{12 + width:g} 2Z"
    out = [svg_path(outline, fill=theme.accent), sheet.label(word, 12 + width / 2, -12, 13, theme.halo, pen=15)]
    for number, pips in enumerate(dice or ()):
        die = svg_tag("g", symbols.draw_die(pips, theme), transform=svg_transform(12 + width + 24 + 30 * number, -16))
        out.append(die)
    return svg_tag("g", "".join(out), class_="turn")


def _fitted(sheet: Sheet, text: str, room: float) -> str:
    """The text, cut where it would run into the points."""
    while len(text) > 1 and sheet.width_of(text, 16) > room:
        text = text[:-1].rstrip(" .") if not text.endswith(".") else text[:-2].rstrip(" .")
        text += "."
    return text


def _line_sentence(line: StripLine, words: Mapping[str, str]) -> str:
    words = {**edition(DEFAULT_EDITION).words, **words}
    parts = [
        count_noun(line.points, "point"),
        count_noun(line.resource_cards, words["resource_card"]),
        count_noun(line.development_cards, words["development_card"]),
        f"{count_noun(line.knights, 'knight')} played",
    ]
    parts += [str(words["longest_road"])] if line.longest_road else []
    parts += [str(words["largest_army"])] if line.largest_army else []
    parts += [f"rolled {line.dice[0]} and {line.dice[1]}"] if line.dice else []
    parts += ["to move"] if line.turn else ["the winner"] if line.won else []
    return f"{(line.name or line.color).capitalize()}: {', '.join(parts)}."
