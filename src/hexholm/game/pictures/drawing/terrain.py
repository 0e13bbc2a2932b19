"""The six terrains, each with an ink pattern of its own, so that the board reads in grey too.

Every function draws one hex around (0, 0), its corners 100 away, as the inside of a group that is clipped to the hex
and defined once. The middle is left calmer: the number disc lies there. Scattered things lie at places drawn from a
fixed seed, so that a terrain looks drawn by hand and still always the same.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator
from typing import Final

from .palette import Ground, Theme
from .svg_elements import num, nums, svg_path, svg_tag, svg_transform

INSET: Final = 0.955
"""A hex is drawn a little smaller than its place: the rest is the gap of paper."""
HEXAGON: Final = tuple(
    (100 * INSET * math.sin(math.radians(60 * i)), -100 * INSET * math.cos(math.radians(60 * i))) for i in range(6)
)

XY = tuple[float, float]


def terrain_art(name: str, theme: Theme, prefix: str) -> str:
    """The drawing of a terrain, without the outline of the hex; it uses the parts of :func:`terrain_parts`."""
    ground = theme.grounds[name]
    return svg_tag("polygon", points=nums(HEXAGON), fill=ground.base) + _TERRAIN_DRAWINGS[name](ground, prefix)


def terrain_parts(theme: Theme, prefix: str) -> str:
    """What terrains repeat, to be defined once: the pine, the sheep, the sheaf."""
    grounds = theme.grounds
    return (
        svg_tag("g", _pine(grounds["forest"]), id=f"{prefix}-pine")
        + svg_tag("g", draw_sheep(grounds["pasture"].spot, grounds["pasture"].ink), id=f"{prefix}-sheep")
        + svg_tag("g", _sheaf(grounds["fields"]), id=f"{prefix}-sheaf")
    )


def _fields(ground: Ground, prefix: str) -> str:
    """Ploughed strips as a map shows them: patches with furrows in several directions, and ears on two of them."""
    cuts = [((-100.0, -22.0), (100.0, -44.0)), ((-100.0, 40.0), (100.0, 22.0))]
    bands = [_half(_half(list(HEXAGON), *cuts[0], 1), *cuts[1], -1)]
    top, bottom = _half(list(HEXAGON), *cuts[0], -1), _half(list(HEXAGON), *cuts[1], 1)
    split_top, split_mid, split_low = (
        ((8.0, -100.0), (-6.0, 0.0)),
        ((12.0, -50.0), (-4.0, 50.0)),
        ((-14.0, 0.0), (6.0, 100.0)),
    )
    patches = [
        (_half(top, *split_top, 1), ground.light, 24.0),
        (_half(top, *split_top, -1), ground.dark, -62.0),
        (_half(bands[0], *split_mid, 1), ground.dark, 84.0),
        (_half(bands[0], *split_mid, -1), ground.light, -8.0),
        (_half(bottom, *split_low, 1), ground.light, -38.0),
        (_half(bottom, *split_low, -1), ground.dark, 12.0),
    ]
    out = []
    for number, (patch, wash, angle) in enumerate(patches):
        out.append(svg_tag("polygon", points=nums(patch), fill=wash, fill_opacity=0.75))
        inner = _shrink(patch, 4.0)
        rows = "".join(f"M{num(a[0])} {num(a[1])}L{num(b[0])} {num(b[1])}" for a, b in _hatch(inner, angle, 7.0))
        dashes = "5 3.4" if number in (1, 4) else None
        out.append(svg_path(rows, stroke=ground.ink, stroke_width=1.5, stroke_opacity=0.62, stroke_dasharray=dashes))
    edges = "".join(f"M{num(a[0])} {num(a[1])}L{num(b[0])} {num(b[1])}" for a, b in (*cuts,))
    out.append(svg_path(edges, stroke=ground.spot, stroke_width=3.2, stroke_opacity=0.8))
    out += [
        svg_tag("use", href=f"#{prefix}-sheaf", x=x, y=y)
        for x, y in ((-50, -52), (-64, 14), (60, -18), (50, 52), (-34, 66), (22, -70))
    ]
    return "".join(out)


def _sheaf(ground: Ground) -> str:
    """A bound sheaf of ears."""
    stalks = "M0 13L-7 -9M0 13L0 -12M0 13L7 -9M-4 13L-4 15M4 13L4 15M-5 13L5 13"
    grains = "".join(
        svg_tag("ellipse", rx=2.5, ry=4.6, transform=f"translate({num(dx)} {num(dy)}) rotate({angle})")
        for dx, dy, angle in ((-9, -10, -28), (-4.5, -14, -14), (0, -16, 0), (4.5, -14, 14), (9, -10, 28))
    )
    return (
        svg_path("M-6 3L6 3L4 14L-4 14Z", fill=ground.spot, stroke="none")
        + svg_path(stalks, stroke=ground.ink, stroke_width=1.6)
        + svg_path("M-4.5 2L4.5 2", stroke=ground.ink, stroke_width=3.0)
        + svg_tag("g", grains, fill=ground.spot, stroke=ground.ink, stroke_width=1.3)
    )


def _forest(ground: Ground, prefix: str) -> str:
    """A wood of pines, the nearer ones in front."""
    rng = random.Random(11)
    trees: list[XY] = []
    for row in range(10):
        y = -88 + row * 20.5
        shift = 10 if row % 2 else 0
        for column in range(-5, 6):
            x = float(column * 22 + shift)
            spot: XY = x + 7 * (rng.random() - 0.5), y + 7 * (rng.random() - 0.5)
            if math.hypot(spot[0], spot[1] - 8) > 44 and rng.random() > 0.14:
                trees.append(spot)
    out = [svg_path("M-95 -20Q-40 -52 20 -30T95 -34L95 40Q40 10 -10 34T-95 30Z", fill=ground.light, fill_opacity=0.7)]
    for x, y in sorted(trees, key=lambda tree: tree[1]):
        size = 0.95 + 0.3 * rng.random()
        out.append(svg_tag("use", href=f"#{prefix}-pine", transform=svg_transform(x, y, size=size)))
    return "".join(out)


def _pine(ground: Ground) -> str:
    outline = "M0 -17L6 -6L3.4 -6.6L9 3L5.2 2.2L11 12L-11 12L-5.2 2.2L-9 3L-3.4 -6.6L-6 -6Z"
    shaded = "M0 -17L6 -6L3.4 -6.6L9 3L5.2 2.2L11 12L1 12Z"
    return (
        svg_path("M0 10L0 17", stroke=ground.ink, stroke_width=3.0)
        + svg_path(outline, fill=ground.dark, stroke=ground.ink, stroke_width=1.4, stroke_linejoin="round")
        + svg_path(shaded, fill=ground.spot, stroke="none")
    )


def _pasture(ground: Ground, prefix: str) -> str:
    """Sheep on rolling meadows."""
    out = [
        svg_path("M-95 -36Q-50 -66 -4 -44T95 -50L95 -6Q40 -30 -4 -6T-95 4Z", fill=ground.light, fill_opacity=0.85),
        svg_path("M-95 44Q-40 16 6 38T95 30L95 100L-95 100Z", fill=ground.dark, fill_opacity=0.45),
    ]
    rolls = "M-95 -36Q-50 -66 -4 -44T95 -50M-95 4Q-50 -26 -4 -6M36 -18Q66 -24 95 -6"
    rolls += "M-95 44Q-40 16 6 38T95 30M-70 72Q-20 54 70 66"
    out.append(svg_path(rolls, stroke=ground.ink, stroke_width=1.5, stroke_opacity=0.55))
    tufts = [
        (-20, -72),
        (30, -64),
        (-68, -26),
        (66, -28),
        (-72, 34),
        (-46, 8),
        (50, 4),
        (74, 12),
        (-8, 52),
        (24, 78),
        (-24, 84),
        (58, 44),
    ]
    blades = "".join(
        f"M{num(x)} {num(y)}l-4 -7M{num(x + 2)} {num(y)}l0 -9M{num(x + 4)} {num(y)}l4 -7" for x, y in tufts
    )
    out.append(svg_path(blades, stroke=ground.ink, stroke_width=1.5, stroke_linecap="round"))
    flock = [
        (6, -62, 1),
        (-40, -48, 1),
        (52, -40, -1),
        (-62, -4, 1),
        (62, 22, -1),
        (-50, 48, -1),
        (36, 60, 1),
        (-8, 74, -1),
    ]
    out += [
        svg_tag("use", href=f"#{prefix}-sheep", transform=f"translate({x} {y}) scale({direction} 1)")
        for x, y, direction in flock
    ]
    return "".join(out)


def draw_sheep(wool: str, ink: str) -> str:
    """A sheep that looks to the right."""
    fleece = (
        "M-10 4C-15 4 -16 -2 -12 -4C-13 -9 -7 -12 -4 -9C-1 -13 5 -12 6 -8C10 -9 13 -5 11 -2C14 1 12 5 8 5"
        "C6 8 1 8 -1 6C-4 8 -9 8 -10 4Z"
    )
    return (
        svg_path("M-7 4L-7 12M-3 5L-3 12M4 5L4 12M8 4L8 12", stroke=ink, stroke_width=1.8)
        + svg_path(fleece, fill=wool, stroke=ink, stroke_width=1.4)
        + svg_path("M9 -7C13 -9 18 -5 18 -1C17 2 12 2 10 -1Z", fill=ink, stroke="none")
    )


def _hills(ground: Ground, _prefix: str) -> str:
    """Rounded hills built of bricks, one behind the other."""
    mounds = [
        (-44, -44, 46), (34, -48, 50), (-84, -8, 42), (0, -14, 54), (80, -12, 44), (-44, 26, 50), (46, 24, 52),
        (-88, 58, 44), (4, 62, 54), (88, 60, 42), (-40, 98, 44), (46, 100, 46),
    ]  # fmt: skip
    rng = random.Random(5)
    out = []
    for number, (x, y, width) in enumerate(mounds):
        wash = (ground.base, ground.light, ground.dark)[number * 2 % 3]
        height = width * 0.86
        left_x, right_x, foot = num(x - width), num(x + width), num(y + 40)
        arch = f"A{num(width)} {num(height)} 0 0 1 {right_x} {num(y)}"
        outline = f"M{left_x} {foot}L{left_x} {num(y)}{arch}L{right_x} {foot}"
        out.append(svg_path(outline + "Z", fill=wash))
        lines, bricks = [], []
        for row in range(1, 9):
            top = y - height + row * 10.5
            half = width * math.sqrt(max(0.0, 1 - ((y - top) / height) ** 2)) if top < y else width
            if top > y + 22 or half < 6:
                continue
            lines.append(f"M{num(x - half)} {num(top)}L{num(x + half)} {num(top)}")
            first_x = x - 100 + (11 if row % 2 else 0)
            for column in range(10):
                joint_x = first_x + column * 22
                if abs(joint_x - x) < half - 3 and top - 10.5 > y - height * 0.98:
                    lines.append(f"M{num(joint_x)} {num(top)}L{num(joint_x)} {num(top - 10.5)}")
                    if rng.random() < 0.22 and joint_x + 22 < x + half - 3:
                        bricks.append(f"M{num(joint_x)} {num(top)}l22 0l0 -10.5l-22 0z")
        out.append(svg_path("".join(bricks), fill=ground.spot, fill_opacity=0.55))
        out.append(svg_path("".join(lines), stroke=ground.ink, stroke_width=1.2, stroke_opacity=0.6))
        out.append(svg_path(outline, stroke=ground.ink, stroke_width=2.0))
    return "".join(out)


def _mountains(ground: Ground, _prefix: str) -> str:
    """A range of peaks with snow on top, the sun on their left."""
    peaks = [
        (-8, -50, 30, 42), (-52, -30, 32, 44), (46, -34, 34, 48), (-82, 12, 30, 42), (84, 10, 30, 42), (4, -8, 40, 56),
        (-48, 36, 38, 54), (50, 40, 38, 54), (-84, 68, 32, 40), (2, 70, 40, 52), (84, 72, 32, 42),
        (-44, 96, 32, 36), (44, 98, 32, 36),
    ]  # fmt: skip
    return svg_path("M-95 -40L95 -40L95 100L-95 100Z", fill=ground.light, fill_opacity=0.4) + "".join(
        _peak(ground, *peak) for peak in peaks
    )


def _peak(ground: Ground, x: float, y: float, width: float, height: float) -> str:
    """A peak that stands on y."""
    ridge = (
        f"L{num(0.10 * width)} {num(-0.62 * height)}L{num(-0.06 * width)} {num(-0.38 * height)}L{num(0.12 * width)} 0"
    )
    face = f"M0 {num(-height)}{ridge}L{num(width)} 0Z"
    snow = (
        f"M0 {num(-height)}L{num(0.36 * width)} {num(-0.64 * height)}L{num(0.2 * width)} {num(-0.70 * height)}"
        f"L{num(0.06 * width)} {num(-0.56 * height)}L{num(-0.12 * width)} {num(-0.7 * height)}"
        f"L{num(-0.36 * width)} {num(-0.64 * height)}Z"
    )
    hatch = "".join(
        f"M{num(share * width)} {num(-(1 - share) * height + 2)}L{num((share - 0.14) * width)} -2"
        for share in (0.42, 0.58, 0.74)
    )
    outline = f"M{num(-width)} 0L0 {num(-height)}L{num(width)} 0"
    return svg_tag(
        "g",
        svg_path(outline + "Z", fill=ground.light)
        + svg_path(face, fill=ground.dark)
        + svg_path(hatch, stroke=ground.ink, stroke_width=1.1, stroke_opacity=0.55)
        + svg_path(snow, fill=ground.spot)
        + svg_path(outline, stroke=ground.ink, stroke_width=1.9, stroke_linejoin="round"),
        transform=f"translate({num(x)} {num(y)})",
    )


def _desert(ground: Ground, _prefix: str) -> str:
    """Dunes: a sharp crest, a shaded lee, and grains of sand."""
    dunes = [
        (-30, -58, 44), (46, -50, 40), (-62, -20, 40), (34, -14, 52), (-44, 22, 52), (60, 24, 40), (4, 58, 56),
        (-68, 64, 36), (66, 66, 34), (-6, 90, 40),
    ]  # fmt: skip
    out = []
    rng = random.Random(3)
    for x, y, width in dunes:
        height = width * 0.36

        def point(across: float, up: float, x: float = x, y: float = y, w: float = width, h: float = height) -> str:
            return f"{num(x + across * w)} {num(y + up * h)}"

        slope = f"Q{point(0.3, 0)} {point(1, 0.5)}"
        crest = f"M{point(-1, 0.5)}Q{point(-0.35, -1)} {point(0.1, -1)}{slope}"
        lee = f"M{point(0.1, -1)}{slope}Q{point(0.2, 0.55)} {point(-0.1, 0.2)}Q{point(0.12, -0.3)} {point(0.1, -1)}Z"
        out.append(svg_path(f"{crest}L{point(1, 1)}L{point(-1, 1)}Z", fill=ground.light, fill_opacity=0.8))
        out.append(svg_path(lee, fill=ground.dark, fill_opacity=0.85))
        out.append(svg_path(crest, stroke=ground.ink, stroke_width=1.6, stroke_linecap="round"))
        grains = "".join(
            f"M{num(x - width * 0.8 + width * 1.2 * rng.random())} {num(y + height * (0.1 + 0.7 * rng.random()))}l0.1 0"
            for _ in range(9)
        )
        out.append(svg_path(grains, stroke=ground.ink, stroke_width=1.8, stroke_linecap="round", stroke_opacity=0.7))
    return "".join(out)


_TERRAIN_DRAWINGS: Final[dict[str, Callable[[Ground, str], str]]] = {
    "fields": _fields,
    "forest": _forest,
    "pasture": _pasture,
    "hills": _hills,
    "mountains": _mountains,
    "desert": _desert,
}


# --- cutting and hatching convex polygons -----------------------------------------------------------------------------


def _half(polygon: list[XY], a: XY, b: XY, sign: int) -> list[XY]:
    """The part of a convex polygon on one side of the line through a and b."""

    def side(p: XY) -> float:
        return sign * ((b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]))

    part: list[XY] = []
    for p, q in zip(polygon, polygon[1:] + polygon[:1], strict=True):
        if side(p) >= 0:
            part.append(p)
        if side(p) * side(q) < 0:
            share = side(p) / (side(p) - side(q))
            part.append((p[0] + (q[0] - p[0]) * share, p[1] + (q[1] - p[1]) * share))
    return part


def _shrink(polygon: list[XY], rim: float) -> list[XY]:
    """A convex polygon without a rim of the given width."""
    middle = sum(p[0] for p in polygon) / len(polygon), sum(p[1] for p in polygon) / len(polygon)
    smaller = polygon
    for a, b in zip(polygon, polygon[1:] + polygon[:1], strict=True):
        length = math.dist(a, b)
        across = (a[1] - b[1]) / length, (b[0] - a[0]) / length
        if (middle[0] - a[0]) * across[0] + (middle[1] - a[1]) * across[1] < 0:
            across = -across[0], -across[1]
        c, d = ((p[0] + rim * across[0], p[1] + rim * across[1]) for p in (a, b))
        inside = (d[0] - c[0]) * (middle[1] - c[1]) - (d[1] - c[1]) * (middle[0] - c[0])
        smaller = _half(smaller, c, d, 1 if inside > 0 else -1)
    return smaller


def _hatch(polygon: list[XY], degrees: float, gap: float) -> Iterator[tuple[XY, XY]]:
    """Parallel lines across a convex polygon."""
    direction = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    across = -direction[1], direction[0]
    reach = [p[0] * across[0] + p[1] * across[1] for p in polygon]
    position = min(reach) + gap / 2
    while position < max(reach):
        crossed: list[XY] = []
        ends = list(zip(polygon, reach, strict=True))
        for (p, u), (q, v) in zip(ends, ends[1:] + ends[:1], strict=True):
            if (u - position) * (v - position) < 0:
                share = (position - u) / (v - u)
                crossed.append((p[0] + (q[0] - p[0]) * share, p[1] + (q[1] - p[1]) * share))
        if len(crossed) == 2:
            yield crossed[0], crossed[1]
        position += gap
