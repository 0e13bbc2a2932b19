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
from .svg_elements import move, num, nums, path, tag

INSET: Final = 0.955
"""A hex is drawn a little smaller than its place: the rest is the gap of paper."""
HEXAGON: Final = tuple(
    (100 * INSET * math.sin(math.radians(60 * i)), -100 * INSET * math.cos(math.radians(60 * i))) for i in range(6)
)

XY = tuple[float, float]


def terrain_art(name: str, theme: Theme, prefix: str) -> str:
    """The drawing of a terrain, without the outline of the hex; it uses the parts of :func:`terrain_parts`."""
    ground = theme.grounds[name]
    return tag("polygon", points=nums(HEXAGON), fill=ground.base) + _DRAWN[name](ground, prefix)


def terrain_parts(theme: Theme, prefix: str) -> str:
    """What terrains repeat, to be defined once: the pine, the sheep, the sheaf."""
    grounds = theme.grounds
    return (
        tag("g", _pine(grounds["forest"]), id=f"{prefix}-pine")
        + tag("g", sheep(grounds["pasture"].spot, grounds["pasture"].ink), id=f"{prefix}-sheep")
        + tag("g", _sheaf(grounds["fields"]), id=f"{prefix}-sheaf")
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
    for number, (patch, wash, turn) in enumerate(patches):
        out.append(tag("polygon", points=nums(patch), fill=wash, fill_opacity=0.75))
        inner = _shrunk(patch, 4.0)
        rows = "".join(f"M{num(a[0])} {num(a[1])}L{num(b[0])} {num(b[1])}" for a, b in _hatch(inner, turn, 7.0))
        dashes = "5 3.4" if number in (1, 4) else None
        out.append(path(rows, stroke=ground.ink, stroke_width=1.5, stroke_opacity=0.62, stroke_dasharray=dashes))
    edges = "".join(f"M{num(a[0])} {num(a[1])}L{num(b[0])} {num(b[1])}" for a, b in (*cuts,))
    out.append(path(edges, stroke=ground.spot, stroke_width=3.2, stroke_opacity=0.8))
    out += [
        tag("use", href=f"#{prefix}-sheaf", x=x, y=y)
        for x, y in ((-50, -52), (-64, 14), (60, -18), (50, 52), (-34, 66), (22, -70))
    ]
    return "".join(out)


def _sheaf(ground: Ground) -> str:
    """A bound sheaf of ears."""
    stalks = "M0 13L-7 -9M0 13L0 -12M0 13L7 -9M-4 13L-4 15M4 13L4 15M-5 13L5 13"
    grains = "".join(
        tag("ellipse", rx=2.5, ry=4.6, transform=f"translate({num(dx)} {num(dy)}) rotate({turn})")
        for dx, dy, turn in ((-9, -10, -28), (-4.5, -14, -14), (0, -16, 0), (4.5, -14, 14), (9, -10, 28))
    )
    return (
        path("M-6 3L6 3L4 14L-4 14Z", fill=ground.spot, stroke="none")
        + path(stalks, stroke=ground.ink, stroke_width=1.6)
        + path("M-4.5 2L4.5 2", stroke=ground.ink, stroke_width=3.0)
        + tag("g", grains, fill=ground.spot, stroke=ground.ink, stroke_width=1.3)
    )


def _forest(ground: Ground, prefix: str) -> str:
    """A wood of pines, the nearer ones in front."""
    chance = random.Random(11)
    trees: list[XY] = []
    for row in range(10):
        y = -88 + row * 20.5
        shift = 10 if row % 2 else 0
        for column in range(-5, 6):
            x = float(column * 22 + shift)
            spot: XY = x + 7 * (chance.random() - 0.5), y + 7 * (chance.random() - 0.5)
            if math.hypot(spot[0], spot[1] - 8) > 44 and chance.random() > 0.14:
                trees.append(spot)
    out = [path("M-95 -20Q-40 -52 20 -30T95 -34L95 40Q40 10 -10 34T-95 30Z", fill=ground.light, fill_opacity=0.7)]
    for x, y in sorted(trees, key=lambda tree: tree[1]):
        size = 0.95 + 0.3 * chance.random()
        out.append(tag("use", href=f"#{prefix}-pine", transform=move(x, y, size=size)))
    return "".join(out)


def _pine(ground: Ground) -> str:
    outline = "M0 -17L6 -6L3.4 -6.6L9 3L5.2 2.2L11 12L-11 12L-5.2 2.2L-9 3L-3.4 -6.6L-6 -6Z"
    shaded = "M0 -17L6 -6L3.4 -6.6L9 3L5.2 2.2L11 12L1 12Z"
    return (
        path("M0 10L0 17", stroke=ground.ink, stroke_width=3.0)
        + path(outline, fill=ground.dark, stroke=ground.ink, stroke_width=1.4, stroke_linejoin="round")
        + path(shaded, fill=ground.spot, stroke="none")
    )


def _pasture(ground: Ground, prefix: str) -> str:
    """Sheep on rolling meadows."""
    out = [
        path("M-95 -36Q-50 -66 -4 -44T95 -50L95 -6Q40 -30 -4 -6T-95 4Z", fill=ground.light, fill_opacity=0.85),
        path("M-95 44Q-40 16 6 38T95 30L95 100L-95 100Z", fill=ground.dark, fill_opacity=0.45),
    ]
    rolls = "M-95 -36Q-50 -66 -4 -44T95 -50M-95 4Q-50 -26 -4 -6M36 -18Q66 -24 95 -6"
    rolls += "M-95 44Q-40 16 6 38T95 30M-70 72Q-20 54 70 66"
    out.append(path(rolls, stroke=ground.ink, stroke_width=1.5, stroke_opacity=0.55))
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
    out.append(path(blades, stroke=ground.ink, stroke_width=1.5, stroke_linecap="round"))
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
    out += [tag("use", href=f"#{prefix}-sheep", transform=f"translate({x} {y}) scale({way} 1)") for x, y, way in flock]
    return "".join(out)


def sheep(wool: str, ink: str) -> str:
    """A sheep that looks to the right."""
    fleece = (
        "M-10 4C-15 4 -16 -2 -12 -4C-13 -9 -7 -12 -4 -9C-1 -13 5 -12 6 -8C10 -9 13 -5 11 -2C14 1 12 5 8 5"
        "C6 8 1 8 -1 6C-4 8 -9 8 -10 4Z"
    )
    return (
        path("M-7 4L-7 12M-3 5L-3 12M4 5L4 12M8 4L8 12", stroke=ink, stroke_width=1.8)
        + path(fleece, fill=wool, stroke=ink, stroke_width=1.4)
        + path("M9 -7C13 -9 18 -5 18 -1C17 2 12 2 10 -1Z", fill=ink, stroke="none")
    )


def _hills(ground: Ground, _prefix: str) -> str:
    """Rounded hills built of bricks, one behind the other."""
    mounds = [
        (-44, -44, 46), (34, -48, 50), (-84, -8, 42), (0, -14, 54), (80, -12, 44), (-44, 26, 50), (46, 24, 52),
        (-88, 58, 44), (4, 62, 54), (88, 60, 42), (-40, 98, 44), (46, 100, 46),
    ]  # fmt: skip
    chance = random.Random(5)
    out = []
    for number, (x, y, wide) in enumerate(mounds):
        wash = (ground.base, ground.light, ground.dark)[number * 2 % 3]
        tall = wide * 0.86
        left, right, foot = num(x - wide), num(x + wide), num(y + 40)
        arch = f"A{num(wide)} {num(tall)} 0 0 1 {right} {num(y)}"
        outline = f"M{left} {foot}L{left} {num(y)}{arch}L{right} {foot}"
        out.append(path(outline + "Z", fill=wash))
        lines, bricks = [], []
        for row in range(1, 9):
            top = y - tall + row * 10.5
            half = wide * math.sqrt(max(0.0, 1 - ((y - top) / tall) ** 2)) if top < y else wide
            if top > y + 22 or half < 6:
                continue
            lines.append(f"M{num(x - half)} {num(top)}L{num(x + half)} {num(top)}")
            first = x - 100 + (11 if row % 2 else 0)
            for column in range(10):
                at = first + column * 22
                if abs(at - x) < half - 3 and top - 10.5 > y - tall * 0.98:
                    lines.append(f"M{num(at)} {num(top)}L{num(at)} {num(top - 10.5)}")
                    if chance.random() < 0.22 and at + 22 < x + half - 3:
                        bricks.append(f"M{num(at)} {num(top)}l22 0l0 -10.5l-22 0z")
        out.append(path("".join(bricks), fill=ground.spot, fill_opacity=0.55))
        out.append(path("".join(lines), stroke=ground.ink, stroke_width=1.2, stroke_opacity=0.6))
        out.append(path(outline, stroke=ground.ink, stroke_width=2.0))
    return "".join(out)


def _mountains(ground: Ground, _prefix: str) -> str:
    """A range of peaks with snow on top, the sun on their left."""
    peaks = [
        (-8, -50, 30, 42), (-52, -30, 32, 44), (46, -34, 34, 48), (-82, 12, 30, 42), (84, 10, 30, 42), (4, -8, 40, 56),
        (-48, 36, 38, 54), (50, 40, 38, 54), (-84, 68, 32, 40), (2, 70, 40, 52), (84, 72, 32, 42),
        (-44, 96, 32, 36), (44, 98, 32, 36),
    ]  # fmt: skip
    return path("M-95 -40L95 -40L95 100L-95 100Z", fill=ground.light, fill_opacity=0.4) + "".join(
        _peak(ground, *peak) for peak in peaks
    )


def _peak(ground: Ground, x: float, y: float, wide: float, tall: float) -> str:
    """A peak that stands on y."""
    ridge = f"L{num(0.10 * wide)} {num(-0.62 * tall)}L{num(-0.06 * wide)} {num(-0.38 * tall)}L{num(0.12 * wide)} 0"
    face = f"M0 {num(-tall)}{ridge}L{num(wide)} 0Z"
    snow = (
        f"M0 {num(-tall)}L{num(0.36 * wide)} {num(-0.64 * tall)}L{num(0.2 * wide)} {num(-0.70 * tall)}"
        f"L{num(0.06 * wide)} {num(-0.56 * tall)}L{num(-0.12 * wide)} {num(-0.7 * tall)}"
        f"L{num(-0.36 * wide)} {num(-0.64 * tall)}Z"
    )
    hatch = "".join(
        f"M{num(at * wide)} {num(-(1 - at) * tall + 2)}L{num((at - 0.14) * wide)} -2" for at in (0.42, 0.58, 0.74)
    )
    outline = f"M{num(-wide)} 0L0 {num(-tall)}L{num(wide)} 0"
    return tag(
        "g",
        path(outline + "Z", fill=ground.light)
        + path(face, fill=ground.dark)
        + path(hatch, stroke=ground.ink, stroke_width=1.1, stroke_opacity=0.55)
        + path(snow, fill=ground.spot)
        + path(outline, stroke=ground.ink, stroke_width=1.9, stroke_linejoin="round"),
        transform=f"translate({num(x)} {num(y)})",
    )


def _desert(ground: Ground, _prefix: str) -> str:
    """Dunes: a sharp crest, a shaded lee, and grains of sand."""
    dunes = [
        (-30, -58, 44), (46, -50, 40), (-62, -20, 40), (34, -14, 52), (-44, 22, 52), (60, 24, 40), (4, 58, 56),
        (-68, 64, 36), (66, 66, 34), (-6, 90, 40),
    ]  # fmt: skip
    out = []
    chance = random.Random(3)
    for x, y, wide in dunes:
        w, h = wide, wide * 0.36

        def at(across: float, up: float, x: float = x, y: float = y, w: float = w, h: float = h) -> str:
            return f"{num(x + across * w)} {num(y + up * h)}"

        slope = f"Q{at(0.3, 0)} {at(1, 0.5)}"
        crest = f"M{at(-1, 0.5)}Q{at(-0.35, -1)} {at(0.1, -1)}{slope}"
        lee = f"M{at(0.1, -1)}{slope}Q{at(0.2, 0.55)} {at(-0.1, 0.2)}Q{at(0.12, -0.3)} {at(0.1, -1)}Z"
        out.append(path(f"{crest}L{at(1, 1)}L{at(-1, 1)}Z", fill=ground.light, fill_opacity=0.8))
        out.append(path(lee, fill=ground.dark, fill_opacity=0.85))
        out.append(path(crest, stroke=ground.ink, stroke_width=1.6, stroke_linecap="round"))
        grains = "".join(
            f"M{num(x - w * 0.8 + w * 1.2 * chance.random())} {num(y + h * (0.1 + 0.7 * chance.random()))}l0.1 0"
            for _ in range(9)
        )
        out.append(path(grains, stroke=ground.ink, stroke_width=1.8, stroke_linecap="round", stroke_opacity=0.7))
    return "".join(out)


_DRAWN: Final[dict[str, Callable[[Ground, str], str]]] = {
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

    kept: list[XY] = []
    for p, q in zip(polygon, polygon[1:] + polygon[:1], strict=True):
        if side(p) >= 0:
            kept.append(p)
        if side(p) * side(q) < 0:
            share = side(p) / (side(p) - side(q))
            kept.append((p[0] + (q[0] - p[0]) * share, p[1] + (q[1] - p[1]) * share))
    return kept


def _shrunk(polygon: list[XY], by: float) -> list[XY]:
    """A convex polygon without a rim of the given width."""
    middle = sum(p[0] for p in polygon) / len(polygon), sum(p[1] for p in polygon) / len(polygon)
    smaller = polygon
    for a, b in zip(polygon, polygon[1:] + polygon[:1], strict=True):
        length = math.dist(a, b)
        across = (a[1] - b[1]) / length, (b[0] - a[0]) / length
        if (middle[0] - a[0]) * across[0] + (middle[1] - a[1]) * across[1] < 0:
            across = -across[0], -across[1]
        c, d = ((p[0] + by * across[0], p[1] + by * across[1]) for p in (a, b))
        inside = (d[0] - c[0]) * (middle[1] - c[1]) - (d[1] - c[1]) * (middle[0] - c[0])
        smaller = _half(smaller, c, d, 1 if inside > 0 else -1)
    return smaller


def _hatch(polygon: list[XY], degrees: float, every: float) -> Iterator[tuple[XY, XY]]:
    """Parallel lines across a convex polygon."""
    along = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    across = -along[1], along[0]
    reach = [p[0] * across[0] + p[1] * across[1] for p in polygon]
    at = min(reach) + every / 2
    while at < max(reach):
        crossed: list[XY] = []
        ends = list(zip(polygon, reach, strict=True))
        for (p, u), (q, v) in zip(ends, ends[1:] + ends[:1], strict=True):
            if (u - at) * (v - at) < 0:
                share = (at - u) / (v - u)
                crossed.append((p[0] + (q[0] - p[0]) * share, p[1] + (q[1] - p[1]) * share))
        if len(crossed) == 2:
            yield crossed[0], crossed[1]
        at += every
