"""Pictures of boards and positions: in characters, as SVG, as PNG, and the drawing data behind them.

    >>> from hexholm.game.pictures import plan_of, svg_of
    >>> from hexholm.rules.boards import beginner_layout
    >>> picture = svg_of(plan_of(beginner_layout(), start=True), theme="dark", width=900)

Begin with `plan.py`: public facts and geometry; everything else turns a plan into something to look at. What stands
above may import what is listed here, and `ink.py`, `kit.py`, `paper.py`, `plan.py` and `svg.py`.
"""

from __future__ import annotations

from .characters import characters_of
from .drawing.palette import PAINTS, THEMES
from .plan import (
    MARKS,
    PLAN_FORMAT,
    Plan,
    PlanCorner,
    PlanHarbor,
    PlanHex,
    PlanHighlight,
    PlanPiece,
    PlanSide,
    plan_of,
)
from .png import png_of
from .position_picture import draw_position, seat_lines
from .strip import StripLine, position_svg
from .svg import svg_of

__all__ = [
    "MARKS",
    "PAINTS",
    "PLAN_FORMAT",
    "THEMES",
    "Plan",
    "PlanCorner",
    "PlanHarbor",
    "PlanHex",
    "PlanHighlight",
    "PlanPiece",
    "PlanSide",
    "StripLine",
    "characters_of",
    "draw_position",
    "plan_of",
    "png_of",
    "position_svg",
    "seat_lines",
    "svg_of",
]
