"""The sea around the island: depth lines, rhumb lines, a compass rose, the line along the shore and the frame."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

from ..plan import Plan, Point
from .palette import Theme
from .svg_elements import num, nums, svg_path, svg_tag, svg_transform

ROSE_AT: Final = (1012.0, 932.0)
_DEPTHS: Final = (330.0, 236.0, 158.0, 92.0)  # from the island's edge, outermost first; the wash grows lighter inwards
_SHORE: Final = ((66.0, 0.14), (48.0, 0.24), (32.0, 0.42))  # widths of the lines that follow the shore


def draw_sea(plan: Plan, theme: Theme, prefix: str) -> str:
    """Everything that lies under the harbors and the land."""
    middle = plan.width / 2, plan.height / 2
    out = [svg_tag("rect", width=plan.width, height=plan.height, fill=theme.sea[0])]
    for number, depth in enumerate(_DEPTHS):
        line = _contour(middle, depth, number)
        out.append(
            svg_path(line, fill=theme.sea[number + 1], stroke=theme.depth, stroke_width=1.1, stroke_opacity=0.42)
        )
    out += [_rhumbs(theme), draw_compass_rose(theme), _shore(plan, theme), _frame(plan, theme)]
    return svg_tag("g", "".join(out), class_="sea", clip_path=f"url(#{prefix}-sheet)")


def _contour(middle: Point, distance: float, number: int) -> str:
    """A line of equal depth around the island: nearly round, with a memory of its six capes, wavering a little."""
    points = []
    for step in range(48):
        angle = 2 * math.pi * step / 48
        waver = 0.7 * math.sin(3 * angle + 1.7 * number) + 0.3 * math.sin(5 * angle - 2.3 * number)
        reach = 430 + 5 * math.cos(6 * angle) + distance + (5 + 0.06 * distance) * waver
        points.append((middle[0] + reach * math.cos(angle), middle[1] + reach * math.sin(angle)))
    return _smooth(points)


def _smooth(points: Sequence[Point]) -> str:
    """A closed curve through the middles of a polygon's sides, with its corners as handles."""
    n = len(points)
    halves = [((a[0] + b[0]) / 2, (a[1] + b[1]) / 2) for a, b in zip(points, [*points[1:], points[0]], strict=True)]
    start = f"M{num(halves[-1][0])} {num(halves[-1][1])}"
    return start + "".join(
        f"Q{num(points[i][0])} {num(points[i][1])} {num(halves[i][0])} {num(halves[i][1])}" for i in range(n)
    )


def _rhumbs(theme: Theme) -> str:
    """Lines of constant course from the rose over the whole sheet."""
    x, y = ROSE_AT
    lines = []
    for step in range(16):
        angle = math.pi * step / 8
        dx, dy = 1600 * math.cos(angle), 1600 * math.sin(angle)
        lines.append(f"M{num(x)} {num(y)}L{num(x + dx)} {num(y + dy)}")
    return svg_path("".join(lines), stroke=theme.depth, stroke_width=0.9, stroke_opacity=0.22)


def draw_compass_rose(theme: Theme) -> str:
    """A compass rose of eight points, half of each dark."""
    out = [
        svg_tag("circle", r=52.0, fill=theme.sea[1], fill_opacity=0.9, stroke=theme.depth, stroke_width=1.2),
        svg_tag(
            "circle",
            r=46.0,
            fill="none",
            stroke=theme.depth,
            stroke_width=4.0,
            stroke_dasharray="6.02 6.02",
            stroke_opacity=0.55,
        ),
        svg_tag("circle", r=26.0, fill="none", stroke=theme.depth, stroke_width=0.9),
    ]
    for first, length, half_width in ((45, 40.0, 7.5), (0, 60.0, 10.0)):
        for step in range(4):
            bright = svg_path(
                f"M0 0L{num(-half_width)} {num(-half_width)}L0 {num(-length)}Z",
                fill=theme.sea[-1],
                stroke=theme.depth,
                stroke_width=0.9,
            )
            dark = svg_path(
                f"M0 0L{num(half_width)} {num(-half_width)}L0 {num(-length)}Z",
                fill=theme.depth,
                stroke=theme.depth,
                stroke_width=0.9,
            )
            out.append(svg_tag("g", bright + dark, transform=f"rotate({first + 90 * step})"))
    out.append(svg_path("M0 -78C-8 -72 -7 -66 0 -63C7 -66 8 -72 0 -78Z", fill=theme.depth))
    return svg_tag("g", "".join(out), class_="rose", transform=svg_transform(*ROSE_AT), opacity=0.85)


def _shore(plan: Plan, theme: Theme) -> str:
    """Three lines that follow the shore, fainter the farther out, as engravers drew shallow water."""
    coast = nums(plan.coast)
    out = []
    for width, strength in _SHORE:
        attributes = {"points": coast, "stroke_linejoin": "round", "fill": "none"}
        out.append(
            svg_tag("polygon", stroke=theme.depth, stroke_width=width + 2.2, stroke_opacity=strength, **attributes)
        )
        out.append(svg_tag("polygon", stroke=theme.sea[-1], stroke_width=width, **attributes))
    return "".join(out)


def _frame(plan: Plan, theme: Theme) -> str:
    """The graduated frame of a chart."""
    w, h = plan.width, plan.height

    def box(inset: float, stroke_width: float, opacity: float, dashes: str | None = None) -> str:
        return svg_tag(
            "rect",
            x=inset,
            y=inset,
            width=w - 2 * inset,
            height=h - 2 * inset,
            fill="none",
            stroke=theme.depth,
            stroke_width=stroke_width,
            stroke_opacity=opacity,
            stroke_dasharray=dashes,
        )

    return box(9, 1.4, 0.8) + box(13.5, 5.0, 0.5, "50 50") + box(18, 1.0, 0.8)


def draw_land(plan: Plan, theme: Theme) -> str:
    """The island's paper, a little wider than its hexes, with an ink line around it."""
    coast = {"points": nums(plan.coast), "stroke_linejoin": "round"}
    return svg_tag("polygon", fill=theme.coast, stroke=theme.coast, stroke_width=19.0, **coast) + svg_tag(
        "polygon", fill=theme.paper, stroke=theme.paper, stroke_width=14.5, **coast
    )
