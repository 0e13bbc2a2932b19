"""The small drawings: houses and roads, the players' marks, the robber, the signs of the resources and of the cards.

All are drawn around (0, 0) in the units of the plan, with the colors of a theme or of a player.
"""

from __future__ import annotations

from typing import Final

from hexholm.rules.colors import Color

from .palette import Paint, Theme
from .svg_elements import svg_path, svg_tag
from .terrain import draw_sheep

_ROAD: Final = (
    "M-34 -7.5L34 -7.5Q37 -7.5 37 -4.5L37 4.5Q37 7.5 34 7.5L-34 7.5Q-37 7.5 -37 4.5L-37 -4.5Q-37 -7.5 -34 -7.5Z"
)
_SETTLEMENT: Final = "M-18 17L-18 -3L0 -22L18 -3L18 17Z"
_CITY: Final = "M-29 19L-29 -16L-16 -34L-3 -16L-3 -8L13 -22L29 -5L29 19Z"
_OUTLINES: Final = {"road": _ROAD, "settlement": _SETTLEMENT, "city": _CITY}
_SHADES: Final = {
    "road": "M-37 2L37 2L37 4.5Q37 7.5 34 7.5L-34 7.5Q-37 7.5 -37 4.5Z",
    "settlement": "M-18 -3L0 -22L18 -3L13 -3L0 -16L-13 -3Z",
    "city": "M-29 -16L-16 -34L-3 -16ZM-3 -8L13 -22L29 -5L24.5 -5L13 -16.5L-3 -2Z",
}
_MARK_AT: Final = {"road": (0.0, 0.0, 0.72), "settlement": (0.0, 5.5, 1.0), "city": (12.0, 6.0, 1.12)}


def draw_piece(kind: str, paint: Paint, mark: str, theme: Theme) -> str:
    """A piece in its player's colors: halo, outline, shaded roof and mark."""
    outline, (x, y, size) = _OUTLINES[kind], _MARK_AT[kind]
    window = svg_path("M-20 5L-20 -7Q-16 -13 -12 -7L-12 5Z", fill=paint.shade) if kind == "city" else ""
    return (
        svg_path(outline, stroke=theme.halo, stroke_width=9.5, stroke_linejoin="round")
        + svg_path(outline, fill=paint.fill, stroke=paint.line, stroke_width=4.6, stroke_linejoin="round")
        + svg_path(outline, fill=paint.fill)
        + svg_path(_SHADES[kind], fill=paint.shade)
        + window
        + svg_tag("g", player_mark(mark, paint.mark), transform=f"translate({x:g} {y:g}) scale({size:g})")
    )


def player_mark(mark: str, color: Color) -> str:
    """Dot, bar, ring or cross, about 12 units wide."""
    line = {"stroke": color, "stroke_width": 3.6, "stroke_linecap": "round"}
    if mark == "dot":
        return svg_tag("circle", r=5.2, fill=color)
    if mark == "bar":
        return svg_path("M-7.5 0L7.5 0", **{**line, "stroke_width": 5.0})
    if mark == "ring":
        return svg_tag("circle", r=5.4, fill="none", stroke=color, stroke_width=3.2)
    return svg_path("M-5 -5L5 5M-5 5L5 -5", **line)


_STONE: Final = "M-22 29L-23 12L-18 -2L-19 -14L-10 -31L-1 -36L9 -31L13 -19L19 -8L18 6L23 18L22 29Q0 35 -22 29Z"


def draw_robber(theme: Theme) -> str:
    """A dark standing stone, rough and tall, with its shadow."""
    cracks = "M7 -24L3 -10L9 0L5 13L8 22M-12 -10L-9 2M-15 12L-12 22"
    return (
        svg_tag("ellipse", cx=5.0, cy=29.0, rx=29.0, ry=8.0, fill=theme.ink, fill_opacity=0.35)
        + svg_path(_STONE, stroke=theme.halo, stroke_width=8.0, stroke_linejoin="round")
        + svg_path(_STONE, fill=theme.stone, stroke="#0B0A0B", stroke_width=3.2, stroke_linejoin="round")
        + svg_path("M-19 27L-20 12L-15 -2L-16 -13L-8 -28L-1 -33L-4 -14L-1 4L-6 29Z", fill=theme.stone_light)
        + svg_path("M9 -28L13 -19L18 -8L17 6L21 18L20 28L12 29L14 10L9 -4Z", fill="#0B0A0B", fill_opacity=0.45)
        + svg_path(cracks, stroke="#0B0A0B", stroke_width=1.7, stroke_linecap="round", stroke_linejoin="round")
    )


def resource_sign(kind: str, theme: Theme) -> str:
    """The sign of a resource, or of any: about 30 units wide and 26 high."""
    return _SIGNS[kind](theme)


def _brick(theme: Theme) -> str:
    ground = theme.grounds["hills"]
    bricks = "".join(
        svg_tag("rect", x=x, y=y, width=14.0, height=8.4, rx=1.2) for x, y in ((-15.0, 2.8), (0.8, 2.8), (-7.0, -7.2))
    )
    return svg_tag("g", bricks, fill=ground.dark, stroke=ground.ink, stroke_width=1.7)


def _lumber(theme: Theme) -> str:
    wood, ink = theme.wood, theme.wood_dark
    out = []
    for x, y in ((-6.5, 4.0), (6.5, 4.0), (0.0, -6.4)):
        out.append(svg_tag("circle", cx=x, cy=y, r=6.3, fill=wood, stroke=ink, stroke_width=1.8))
        out.append(svg_tag("circle", cx=x, cy=y, r=2.7, fill="none", stroke=ink, stroke_width=1.2))
    return "".join(out)


def _wool(theme: Theme) -> str:
    ground = theme.grounds["pasture"]
    return svg_tag("g", draw_sheep(ground.spot, theme.ink), transform="translate(-1 -1) scale(1.02)")


def _grain(theme: Theme) -> str:
    ground = theme.grounds["fields"]
    grains = "".join(
        svg_tag("ellipse", rx=2.9, ry=5.2, transform=f"translate({x:g} {y:g}) rotate({angle:g})")
        for x, y, angle in ((-4.6, 3, -32), (4.6, 3, 32), (-4.6, -3.4, -32), (4.6, -3.4, 32), (0, -9.6, 0))
    )
    return svg_path("M0 13L0 -6", stroke=ground.ink, stroke_width=2.0) + svg_tag(
        "g", grains, fill=ground.dark, stroke=ground.ink, stroke_width=1.5
    )


def _ore(theme: Theme) -> str:
    ground = theme.grounds["mountains"]
    return (
        svg_path("M-13 8L-11 -4L-3 -11L7 -9L13 0L11 9L-2 12Z", fill=ground.base, stroke=ground.ink, stroke_width=1.9)
        + svg_path("M7 -9L13 0L11 9L1 2Z", fill=ground.dark)
        + svg_path("M-11 -4L-3 -11L1 2Z", fill=ground.spot)
        + svg_path(
            "M-11 -4L1 2L7 -9M1 2L-2 12M1 2L11 9M-13 8L-11 -4L-3 -11L7 -9L13 0L11 9L-2 12Z",
            stroke=ground.ink,
            stroke_width=1.7,
            stroke_linejoin="round",
        )
    )


def _any(theme: Theme) -> str:
    """An anchor: every ship may land."""
    line = {"stroke": theme.ink, "stroke_width": 2.4, "stroke_linecap": "round"}
    return svg_tag("circle", cx=0.0, cy=-9.0, r=3.0, fill="none", **line) + svg_path(
        "M0 -6L0 11M-6 -2L6 -2M-11 3C-10 9 -5 11.5 0 11.5C5 11.5 10 9 11 3M-13.5 6L-11 2.5L-8 5.5M13.5 6L11 2.5L8 5.5",
        **line,
    )


_SIGNS: Final = {"brick": _brick, "lumber": _lumber, "wool": _wool, "grain": _grain, "ore": _ore, "any": _any}


# --- signs of the seats' strip ----------------------------------------------------------------------------------------


def card_sign(theme: Theme, *, development: bool) -> str:
    """A card; the back of a development card carries a star."""
    fill = theme.grounds["mountains"].dark if development else theme.disc
    back = (
        svg_tag("rect", x=-5.0, y=-13.0, width=16.0, height=23.0, rx=2.4, transform="rotate(10)")
        if not development
        else ""
    )
    face = svg_tag("rect", x=-9.0, y=-12.0, width=17.0, height=24.0, rx=2.6)
    figure = (
        svg_path(
            "M-0.5 -6L1.1 -1.6L5.4 -1.4L2 1.4L3.2 5.8L-0.5 3.2L-4.2 5.8L-3 1.4L-6.4 -1.4L-2.1 -1.6Z", fill=theme.disc
        )
        if development
        else svg_tag("circle", cx=-0.5, cy=0.0, r=3.4, fill=theme.grounds["fields"].dark)
    )
    return svg_tag("g", back + face, fill=fill, stroke=theme.ink, stroke_width=1.8) + figure


_PIPS: Final = {1: "e", 2: "ai", 3: "aei", 4: "acgi", 5: "acegi", 6: "acdfgi"}  # places of three rows of three


def draw_die(pips: int, theme: Theme) -> str:
    """A die that shows so many pips, 24 units wide."""
    face = svg_tag("rect", x=-12.0, y=-12.0, width=24.0, height=24.0, rx=5.0, fill=theme.disc, stroke=theme.ink)
    pip_circles = "".join(
        svg_tag(
            "circle", cx=6.0 * ("abcdefghi".index(place) % 3 - 1), cy=6.0 * ("abcdefghi".index(place) // 3 - 1), r=2.3
        )
        for place in _PIPS[pips]
    )
    return svg_tag("g", face, stroke_width=1.8) + svg_tag("g", pip_circles, fill=theme.ink, class_="pips")


def knight_sign(theme: Theme) -> str:
    """A shield with a sword."""
    return svg_path(
        "M-10 -11Q0 -8 10 -11L10 0C10 7 5 11 0 13C-5 11 -10 7 -10 0Z",
        fill=theme.stone_light,
        stroke=theme.ink,
        stroke_width=1.8,
    ) + svg_path("M0 -6L0 8M-4 3L4 3", stroke=theme.disc, stroke_width=2.2, stroke_linecap="round")


def road_sign(theme: Theme) -> str:
    """A winding road: the award for the longest one."""
    curve = "M-13 10C2 12 -9 -1 0 -1C9 -1 0 -12 13 -10"
    return (
        svg_path(curve, stroke=theme.ink, stroke_width=9.6, stroke_linecap="round")
        + svg_path(curve, stroke=theme.wood, stroke_width=6.2, stroke_linecap="round")
        + svg_path(curve, stroke=theme.disc, stroke_width=1.5, stroke_dasharray="4 3.2")
    )


def point_sign(theme: Theme) -> str:
    """A star: one victory point (ALM-08)."""
    star = "M0 -13L3.8 -4.6L13 -3.6L6.2 2.6L8.1 11.6L0 7L-8.1 11.6L-6.2 2.6L-13 -3.6L-3.8 -4.6Z"
    return svg_path(star, fill=theme.accent, stroke=theme.ink, stroke_width=1.8, stroke_linejoin="round")


def army_sign(theme: Theme) -> str:
    """Two crossed swords: the award for the largest army."""
    blades = "M-10 -11L8 9M10 -11L-8 9"
    hilts = "M-11 4.5L-4.5 11M11 4.5L4.5 11"
    return svg_path(blades + hilts, stroke=theme.panel_ink, stroke_width=2.8, stroke_linecap="round")
