"""A plan as an SVG document: an old sea chart that came alive.

    >>> from hexholm.game.pictures import plan_of, svg_of
    >>> from hexholm.rules.boards import beginner_layout
    >>> svg_of(plan_of(beginner_layout(), start=True))[:5]
    '<svg '

The document stands alone: no font, no script, no style sheet. Symbols are defined once and carry a prefix made from the
content, so that several pictures can share a page. What belongs to a place carries its canonical name in `data-place`.
Its parts: the sea is in `sea_chart`, terrains in `terrain`, the small drawings in `symbols`, the lettering in `sheet`.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from hashlib import blake2b

from .drawing import symbols
from .drawing.palette import PAINTS, theme_of
from .drawing.sea_chart import draw_land, draw_sea
from .drawing.sheet import Sheet
from .drawing.svg_elements import escape_text, num, nums, svg_path, svg_tag, svg_transform
from .drawing.terrain import HEXAGON, terrain_art, terrain_parts
from .plan import HARBOR_RADIUS, Plan, PlanHarbor, PlanHex, PlanHighlight, PlanPiece
from .plan_description import describe_plan, resource_word

CAPTIONS_FROM = 600
"""The width in pixels from which the words beside the harbors are large enough to be read."""
DISC = 35.0
"""The radius of a number disc."""
# Where the word of a harbor stands, from the middle of its sign, by the direction it looks: out of the jetties' way.
_WORD_OFFSETS = {-120: (-6, -45), -60: (6, -45), 120: (-6, 46), 60: (6, 46), 0: (-2, -45), 180: (2, -45)}
_ROBBER_OFFSET = (47.0, 22.0)  # where the stone stands when a disc lies in the middle


def svg_of(
    plan: Plan,
    *,
    theme: str = "light",
    width: int | None = None,
    title: str | None = None,
    words: Mapping[str, str] | None = None,
) -> str:
    """The picture of a plan.

    `width` is the width in pixels; without it the picture takes the room it is given. Below 600 the words beside the
    harbors are left out: they could not be read, and the signs say the same. `title` is read to those who do not see
    the picture, the board's name if not given; `words` names the resources as an edition does.
    """
    sheet = sheet_for(plan, theme, words, width, title)
    body = board_group(plan, sheet)
    return svg_document(plan, sheet, body, height=plan.height, width=width, title=title)


def sheet_for(
    plan: Plan, theme: str, words: Mapping[str, str] | None, width: int | None, title: str | None, extra: object = None
) -> Sheet:
    """An empty sheet whose prefix belongs to this content alone; `extra` is what else is drawn on it."""
    terms = sorted((words or {}).items(), key=str)
    content = json.dumps([plan.as_dict(), theme, terms, width, title, extra], default=str)
    prefix = "hx" + blake2b(content.encode(), digest_size=5).hexdigest()
    return Sheet(prefix, theme_of(theme), words or {}, captions=width is None or width >= CAPTIONS_FROM)


def svg_document(
    plan: Plan, sheet: Sheet, body: str, *, height: float, width: int | None, title: str | None, more: str = ""
) -> str:
    """The finished document; `more` is added to the description."""
    name = title or plan.name or "Board"
    description = describe_plan(plan, sheet.words) + more
    size = {} if width is None else {"width": width, "height": round(width * height / plan.width)}
    ids = f"{sheet.prefix}-title", f"{sheet.prefix}-desc"
    head = svg_tag("title", escape_text(name), id=ids[0]) + svg_tag("desc", escape_text(description), id=ids[1])
    return svg_tag(
        "svg",
        head + svg_tag("defs", _defs(plan, sheet) + sheet.defs()) + body,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {num(plan.width)} {num(height)}",
        **size,
        role="img",
        aria_labelledby=" ".join(ids),
        data_theme=sheet.theme.name,
    )


def board_group(plan: Plan, sheet: Sheet) -> str:
    """The board with everything on it, from the sea up."""
    layers = [
        draw_sea(plan, sheet.theme, sheet.prefix),
        svg_tag("g", "".join(_jetties(harbor, sheet) for harbor in plan.harbors), class_="jetties"),
        draw_land(plan, sheet.theme),
        svg_tag("g", "".join(_hex(hexagon, sheet, plan.names) for hexagon in plan.hexes), class_="hexes"),
        svg_tag("g", "".join(_harbor(harbor, sheet) for harbor in plan.harbors), class_="harbors"),
    ]
    glows = {mark.kind: "" for mark in plan.highlights}
    for mark in plan.highlights:
        glows[mark.kind] += _glow(mark, plan, sheet)
    layers.append(svg_tag("g", glows.get("hex", "") + glows.get("side", ""), class_="glow") if glows else "")
    layers.append(svg_tag("g", "".join(_piece(piece, sheet) for piece in plan.pieces), class_="pieces"))
    layers.append(svg_tag("g", glows["corner"], class_="glow") if "corner" in glows else "")
    layers += [_robber(hexagon, sheet) for hexagon in plan.hexes if hexagon.robbed]
    if plan.names:
        layers.append(_names(plan, sheet))
    return "".join(layers)


def _defs(plan: Plan, sheet: Sheet) -> str:
    """What is drawn several times: terrains, discs, pieces."""
    theme, prefix = sheet.theme, sheet.prefix
    out = [
        svg_tag("clipPath", svg_tag("polygon", points=nums(HEXAGON)), id=f"{prefix}-hex"),
        svg_tag("clipPath", svg_tag("rect", width=plan.width, height=plan.height, rx=14.0), id=f"{prefix}-sheet"),
        terrain_parts(theme, prefix),
    ]
    for terrain in sorted({hexagon.terrain for hexagon in plan.hexes}):
        ground = theme.grounds[terrain]
        art = svg_tag("g", terrain_art(terrain, theme, prefix), clip_path=f"url(#{prefix}-hex)")
        edge = svg_tag(
            "polygon",
            points=nums(HEXAGON),
            fill="none",
            stroke=ground.ink,
            stroke_width=2.2,
            stroke_linejoin="round",
        )
        out.append(svg_tag("g", art + edge, id=f"{prefix}-{terrain}"))
    for kind, color, mark in sorted({(piece.kind, piece.color, piece.mark) for piece in plan.pieces}):
        out.append(
            svg_tag("g", symbols.draw_piece(kind, PAINTS[color], mark, theme), id=f"{prefix}-{kind}-{color}-{mark}")
        )
    if plan.highlights:
        stops = "".join(
            svg_tag("stop", offset=offset, stop_color=theme.accent, stop_opacity=strength)
            for offset, strength in ((0.0, 0.85), (0.45, 0.55), (1.0, 0.0))
        )
        out.append(svg_tag("radialGradient", stops, id=f"{prefix}-glow"))
    return "".join(out)


# --- land -------------------------------------------------------------------------------------------------------------


def _hex(hexagon: PlanHex, sheet: Sheet, names: bool) -> str:
    x, y = hexagon.center
    mirrored = (sum(map(ord, hexagon.name)) % 2) * -2 + 1
    art = svg_tag(
        "use", href=f"#{sheet.prefix}-{hexagon.terrain}", transform=f"scale({mirrored} 1)" if mirrored < 0 else None
    )
    veil = svg_tag("polygon", points=nums(HEXAGON), fill=sheet.theme.halo, fill_opacity=0.45) if names else ""
    disc = _disc(hexagon, sheet) if hexagon.number else ""
    number = {"data_number": hexagon.number} if hexagon.number else {}
    return svg_tag(
        "g",
        art + veil + disc,
        class_=f"hex {hexagon.terrain}",
        data_place=hexagon.name,
        **number,
        transform=svg_transform(x, y),
    )


def _disc(hexagon: PlanHex, sheet: Sheet) -> str:
    """The number disc: the likelier the number, the larger; red and heavier for 6 and 8; grey under the robber.

    The page grays the one under the robber by the same classes (web/src/styles/drawings.css).
    """
    theme, number = sheet.theme, str(hexagon.number)
    ink = theme.quiet if hexagon.robbed else theme.red if hexagon.red else theme.ink
    paper = theme.gray if hexagon.robbed else theme.disc
    height = 27.0 + 1.6 * hexagon.dots
    radius, apart = (2.9, 8.6) if hexagon.red else (2.5, 8.2)
    middle = (hexagon.dots - 1) / 2
    circles = "".join(svg_tag("circle", cx=(i - middle) * apart, cy=21.0, r=radius) for i in range(hexagon.dots))
    return svg_tag(
        "g",
        svg_tag("circle", cx=1.5, cy=3.0, r=DISC + 1, fill=theme.ink, fill_opacity=0.28)
        + svg_tag("circle", class_="face", r=DISC, fill=paper, stroke=theme.disc_rim, stroke_width=2.2)
        + svg_tag(
            "circle",
            class_="rim",
            r=DISC - 3.6,
            fill="none",
            stroke=ink if hexagon.red else theme.disc_rim,
            stroke_width=0.9,
            stroke_opacity=0.6,
        )
        + sheet.numeral(number, 0, -5.5, height, ink, heavy=hexagon.red)
        + svg_tag("g", circles, class_="dots", fill=ink),
        class_="disc",
    )


def _robber(hexagon: PlanHex, sheet: Sheet) -> str:
    dx, dy = _ROBBER_OFFSET if hexagon.number else (0.0, 0.0)
    transform = svg_transform(hexagon.center[0] + dx, hexagon.center[1] + dy)
    return svg_tag("g", symbols.draw_robber(sheet.theme), class_="robber", data_place=hexagon.name, transform=transform)


# --- sea --------------------------------------------------------------------------------------------------------------


def _jetties(harbor: PlanHarbor, sheet: Sheet) -> str:
    """A pier of planks from the sign to each of the two corners."""
    theme, out = sheet.theme, []
    for (x1, y1), (x2, y2) in harbor.jetties:
        line = f"M{num(x1)} {num(y1)}L{num(x2)} {num(y2)}"
        out.append(svg_path(line, stroke=theme.wood_dark, stroke_width=13.0))
        out.append(svg_path(line, stroke=theme.wood, stroke_width=9.4))
        out.append(svg_path(line, stroke=theme.wood_dark, stroke_width=9.4, stroke_dasharray="1.3 4.9"))
    return svg_tag("g", "".join(out), data_place=harbor.side)


def _harbor(harbor: PlanHarbor, sheet: Sheet) -> str:
    """The round sign: what the harbor trades above, its rate below, and its word beside it in the water."""
    theme, (x, y) = sheet.theme, harbor.at
    word = resource_word(harbor.resource, sheet.words)
    sign = (
        svg_tag("circle", cx=1.5, cy=3.0, r=HARBOR_RADIUS + 1, fill=theme.ink, fill_opacity=0.25)
        + svg_tag("circle", r=HARBOR_RADIUS, fill=theme.disc, stroke=theme.wood_dark, stroke_width=3.0)
        + svg_tag("circle", r=HARBOR_RADIUS - 3.8, fill="none", stroke=theme.wood, stroke_width=1.1)
        + svg_tag("g", symbols.resource_sign(harbor.resource, theme), transform="translate(0 -8)")
        + sheet.label(harbor.rate, 0, 16, 15, theme.ink, pen=17)
    )
    caption = ""
    if harbor.resource != "any" and sheet.captions:
        dx, dy = _WORD_OFFSETS[round(harbor.outward)]
        caption = sheet.label(word.upper(), dx, dy, 11.5, theme.depth, pen=12, slant=14)
    return svg_tag(
        "g",
        svg_tag("title", escape_text(f"{harbor.side}: {harbor.rate} {word}")) + sign + caption,
        class_="harbor",
        data_place=harbor.side,
        data_resource=harbor.resource,
        transform=svg_transform(x, y),
    )


# --- pieces and marks -------------------------------------------------------------------------------------------------


def _piece(piece: PlanPiece, sheet: Sheet) -> str:
    return svg_tag(
        "use",
        href=f"#{sheet.prefix}-{piece.kind}-{piece.color}-{piece.mark}",
        class_=f"piece {piece.kind} {piece.color}",
        data_place=piece.place,
        data_seat=piece.seat,
        transform=svg_transform(*piece.at, piece.angle),
    )


def _glow(mark: PlanHighlight, plan: Plan, sheet: Sheet) -> str:
    """A soft light in the accent color, with a crisp core so that it is found at once."""
    accent, halo = sheet.theme.accent, sheet.theme.halo
    if mark.kind == "corner":
        (x, y) = next(corner.at for corner in plan.corners if corner.name == mark.place)
        inner = (
            svg_tag("circle", r=34.0, fill=f"url(#{sheet.prefix}-glow)")
            + svg_tag("circle", r=14.0, fill=halo, fill_opacity=0.9, stroke=accent, stroke_width=4.5)
            + svg_tag("circle", r=5.0, fill=accent)
        )
        transform = svg_transform(x, y)
    elif mark.kind == "side":
        side = next(side for side in plan.sides if side.name == mark.place)
        line = {"stroke_linecap": "round", "stroke": accent}
        inner = (
            svg_path("M-29 0L29 0", **line, stroke_width=30.0, stroke_opacity=0.22)
            + svg_path("M-30 0L30 0", **line, stroke_width=21.0, stroke_opacity=0.45)
            + svg_path("M-30 0L30 0", **line, stroke_width=14.0)
            + svg_path("M-30 0L30 0", **{**line, "stroke": halo}, stroke_width=6.5)
        )
        transform = svg_transform(*side.at, side.angle)
    else:
        hexagon = next(hexagon for hexagon in plan.hexes if hexagon.name == mark.place)
        ring = {
            "points": nums((x * 0.93, y * 0.93) for x, y in HEXAGON),
            "fill": "none",
            "stroke_linejoin": "round",
        }
        inner = (
            svg_path(
                f"M{nums(HEXAGON)}Z{_circle(DISC + 1) if hexagon.number else ''}",
                fill=accent,
                fill_opacity=0.16,
                fill_rule="evenodd",
            )
            + svg_tag("polygon", **ring, stroke=accent, stroke_width=15.0, stroke_opacity=0.4)
            + svg_tag("polygon", **ring, stroke=accent, stroke_width=5.5)
            + svg_tag("polygon", **ring, stroke=halo, stroke_width=1.8)
        )
        transform = svg_transform(*hexagon.center)
    return svg_tag("g", inner, class_=f"highlight {mark.kind}", data_place=mark.place, transform=transform)


# --- names ------------------------------------------------------------------------------------------------------------


def _names(plan: Plan, sheet: Sheet) -> str:
    """Names of hexes, corners and sides, each inside the hex it is named by, along the sides as a map letters roads."""
    ink, out = sheet.theme.ink, []
    built = {piece.place for piece in plan.pieces}
    for hexagon in plan.hexes:
        x, y = hexagon.center
        out.append((hexagon.name, sheet.label(hexagon.name, x, y - 52, 16, ink, pen=15, halo=True)))
    for corner in plan.corners:
        x, y = _toward(corner.at, corner.inward, 33 if corner.name in built else 25)
        out.append((corner.name, sheet.label(corner.name, x, y, 10, ink, pen=13, halo=True)))
    for side in plan.sides:
        x, y = _toward(side.at, side.inward, 21 if side.name in built else 16)
        angle = side.angle - 180 if side.angle == 90 and side.inward == 0 else side.angle
        out.append((side.name, sheet.label(side.name, x, y, 9, ink, pen=11, halo=True, angle=angle)))
    return svg_tag(
        "g", "".join(svg_tag("g", label, class_="name", data_place=name) for name, label in out), class_="names"
    )


def _circle(radius: float) -> str:
    """A circle as a path, to cut a hole."""
    r = num(radius)
    return f"M-{r} 0A{r} {r} 0 0 1 {r} 0A{r} {r} 0 0 1 -{r} 0Z"


def _toward(point: tuple[float, float], degrees: float, distance: float) -> tuple[float, float]:
    angle = math.radians(degrees)
    return point[0] + distance * math.cos(angle), point[1] + distance * math.sin(angle)
