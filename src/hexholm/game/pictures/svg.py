"""A plan as an SVG document: an old sea chart that came alive.

    >>> from hexholm.game.pictures import plan_of, svg_of
    >>> from hexholm.rules.boards import beginner
    >>> svg_of(plan_of(beginner(), start=True))[:5]
    '<svg '

The document stands alone: no font, no script, no style sheet. Symbols are defined once and carry a prefix made from the
content, so that several pictures can share a page. What belongs to a place carries its canonical name in `data-place`.
The parts: the sea is in `chart`, the terrains in `terrain`, the small drawings in `symbols`, the lettering in `sheet`.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from hashlib import blake2b

from .drawing import symbols
from .drawing.palette import PAINTS, theme_of
from .drawing.sea_chart import land, sea
from .drawing.sheet import Sheet
from .drawing.svg_elements import escaped, move, num, nums, path, tag
from .drawing.terrain import HEXAGON, terrain_art, terrain_parts
from .plan import HARBOR_RADIUS, Plan, PlanHarbor, PlanHex, PlanHighlight, PlanPiece
from .plan_description import describe_plan, resource_word

CAPTIONS_FROM = 600
"""The width in pixels from which the words beside the harbors are large enough to be read."""
DISC = 35.0
"""The radius of a number disc."""
# Where the word of a harbor stands, from the middle of its sign, by the direction it looks: out of the jetties' way.
_WORD_AT = {-120: (-6, -45), -60: (6, -45), 120: (-6, 46), 60: (6, 46), 0: (-2, -45), 180: (2, -45)}
_ROBBER_BESIDE = (47.0, 22.0)  # where the stone stands when a disc lies in the middle


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
    said = sorted((words or {}).items(), key=str)
    content = json.dumps([plan.as_dict(), theme, said, width, title, extra], default=str)
    prefix = "hx" + blake2b(content.encode(), digest_size=5).hexdigest()
    return Sheet(prefix, theme_of(theme), words or {}, captions=width is None or width >= CAPTIONS_FROM)


def svg_document(
    plan: Plan, sheet: Sheet, body: str, *, height: float, width: int | None, title: str | None, more: str = ""
) -> str:
    """The finished document; `more` is added to the description."""
    name = title or plan.name or "Board"
    told = describe_plan(plan, sheet.words) + more
    size = {} if width is None else {"width": width, "height": round(width * height / plan.width)}
    ids = f"{sheet.prefix}-title", f"{sheet.prefix}-desc"
    head = tag("title", escaped(name), id=ids[0]) + tag("desc", escaped(told), id=ids[1])
    return tag(
        "svg",
        head + tag("defs", _defs(plan, sheet) + sheet.defs()) + body,
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
        sea(plan, sheet.theme, sheet.prefix),
        tag("g", "".join(_jetties(harbor, sheet) for harbor in plan.harbors), class_="jetties"),
        land(plan, sheet.theme),
        tag("g", "".join(_hex(hexagon, sheet, plan.names) for hexagon in plan.hexes), class_="hexes"),
        tag("g", "".join(_harbor(harbor, sheet) for harbor in plan.harbors), class_="harbors"),
    ]
    glowing = {mark.kind: "" for mark in plan.highlights}
    for mark in plan.highlights:
        glowing[mark.kind] += _glow(mark, plan, sheet)
    layers.append(tag("g", glowing.get("hex", "") + glowing.get("side", ""), class_="glow") if glowing else "")
    layers.append(tag("g", "".join(_piece(piece, sheet) for piece in plan.pieces), class_="pieces"))
    layers.append(tag("g", glowing["corner"], class_="glow") if "corner" in glowing else "")
    layers += [_robber(hexagon, sheet) for hexagon in plan.hexes if hexagon.robbed]
    if plan.names:
        layers.append(_names(plan, sheet))
    return "".join(layers)


def _defs(plan: Plan, sheet: Sheet) -> str:
    """What is drawn several times: terrains, discs, pieces."""
    theme, prefix = sheet.theme, sheet.prefix
    out = [
        tag("clipPath", tag("polygon", points=nums(HEXAGON)), id=f"{prefix}-hex"),
        tag("clipPath", tag("rect", width=plan.width, height=plan.height, rx=14.0), id=f"{prefix}-sheet"),
        terrain_parts(theme, prefix),
    ]
    for terrain in sorted({hexagon.terrain for hexagon in plan.hexes}):
        ground = theme.grounds[terrain]
        art = tag("g", terrain_art(terrain, theme, prefix), clip_path=f"url(#{prefix}-hex)")
        edge = tag(
            "polygon", points=nums(HEXAGON), fill="none", stroke=ground.ink, stroke_width=2.2, stroke_linejoin="round"
        )
        out.append(tag("g", art + edge, id=f"{prefix}-{terrain}"))
    for kind, color, mark in sorted({(piece.kind, piece.color, piece.mark) for piece in plan.pieces}):
        out.append(tag("g", symbols.piece(kind, PAINTS[color], mark, theme), id=f"{prefix}-{kind}-{color}-{mark}"))
    if plan.highlights:
        stops = "".join(
            tag("stop", offset=offset, stop_color=theme.accent, stop_opacity=strength)
            for offset, strength in ((0.0, 0.85), (0.45, 0.55), (1.0, 0.0))
        )
        out.append(tag("radialGradient", stops, id=f"{prefix}-glow"))
    return "".join(out)


# --- land -------------------------------------------------------------------------------------------------------------


def _hex(hexagon: PlanHex, sheet: Sheet, names: bool) -> str:
    x, y = hexagon.center
    mirrored = (sum(map(ord, hexagon.name)) % 2) * -2 + 1
    art = tag(
        "use", href=f"#{sheet.prefix}-{hexagon.terrain}", transform=f"scale({mirrored} 1)" if mirrored < 0 else None
    )
    veil = tag("polygon", points=nums(HEXAGON), fill=sheet.theme.halo, fill_opacity=0.45) if names else ""
    disc = _disc(hexagon, sheet) if hexagon.number else ""
    number = {"data_number": hexagon.number} if hexagon.number else {}
    return tag(
        "g",
        art + veil + disc,
        class_=f"hex {hexagon.terrain}",
        data_place=hexagon.name,
        **number,
        transform=move(x, y),
    )


def _disc(hexagon: PlanHex, sheet: Sheet) -> str:
    """The number disc: the likelier the number, the larger; red and heavier for 6 and 8; grey under the robber."""
    theme, number = sheet.theme, str(hexagon.number)
    ink = theme.quiet if hexagon.robbed else theme.red if hexagon.red else theme.ink
    paper = theme.gray if hexagon.robbed else theme.disc
    height = 27.0 + 1.6 * hexagon.pips
    pip, apart = (2.9, 8.6) if hexagon.red else (2.5, 8.2)
    pips = "".join(tag("circle", cx=(i - (hexagon.pips - 1) / 2) * apart, cy=21.0, r=pip) for i in range(hexagon.pips))
    return tag(
        "g",
        tag("circle", cx=1.5, cy=3.0, r=DISC + 1, fill=theme.ink, fill_opacity=0.28)
        + tag("circle", r=DISC, fill=paper, stroke=theme.disc_rim, stroke_width=2.2)
        + tag(
            "circle",
            r=DISC - 3.6,
            fill="none",
            stroke=ink if hexagon.red else theme.disc_rim,
            stroke_width=0.9,
            stroke_opacity=0.6,
        )
        + sheet.numeral(number, 0, -5.5, height, ink, heavy=hexagon.red)
        + tag("g", pips, fill=ink),
        class_="disc",
    )


def _robber(hexagon: PlanHex, sheet: Sheet) -> str:
    dx, dy = _ROBBER_BESIDE if hexagon.number else (0.0, 0.0)
    at = move(hexagon.center[0] + dx, hexagon.center[1] + dy)
    return tag("g", symbols.robber(sheet.theme), class_="robber", data_place=hexagon.name, transform=at)


# --- sea --------------------------------------------------------------------------------------------------------------


def _jetties(harbor: PlanHarbor, sheet: Sheet) -> str:
    """A pier of planks from the sign to each of the two corners."""
    theme, out = sheet.theme, []
    for (x1, y1), (x2, y2) in harbor.jetties:
        line = f"M{num(x1)} {num(y1)}L{num(x2)} {num(y2)}"
        out.append(path(line, stroke=theme.wood_dark, stroke_width=13.0))
        out.append(path(line, stroke=theme.wood, stroke_width=9.4))
        out.append(path(line, stroke=theme.wood_dark, stroke_width=9.4, stroke_dasharray="1.3 4.9"))
    return tag("g", "".join(out), data_place=harbor.side)


def _harbor(harbor: PlanHarbor, sheet: Sheet) -> str:
    """The round sign: what the harbor trades above, its rate below, and its word beside it in the water."""
    theme, (x, y) = sheet.theme, harbor.at
    word = resource_word(harbor.resource, sheet.words)
    sign = (
        tag("circle", cx=1.5, cy=3.0, r=HARBOR_RADIUS + 1, fill=theme.ink, fill_opacity=0.25)
        + tag("circle", r=HARBOR_RADIUS, fill=theme.disc, stroke=theme.wood_dark, stroke_width=3.0)
        + tag("circle", r=HARBOR_RADIUS - 3.8, fill="none", stroke=theme.wood, stroke_width=1.1)
        + tag("g", symbols.resource_sign(harbor.resource, theme), transform="translate(0 -8)")
        + sheet.label(harbor.rate, 0, 16, 15, theme.ink, pen=17)
    )
    written = ""
    if harbor.resource != "any" and sheet.captions:
        aside, down = _WORD_AT[round(harbor.outward)]
        written = sheet.label(word.upper(), aside, down, 11.5, theme.depth, pen=12, slant=14)
    return tag(
        "g",
        tag("title", escaped(f"{harbor.side}: {harbor.rate} {word}")) + sign + written,
        class_="harbor",
        data_place=harbor.side,
        data_resource=harbor.resource,
        transform=move(x, y),
    )


# --- pieces and marks -------------------------------------------------------------------------------------------------


def _piece(piece: PlanPiece, sheet: Sheet) -> str:
    return tag(
        "use",
        href=f"#{sheet.prefix}-{piece.kind}-{piece.color}-{piece.mark}",
        class_=f"piece {piece.kind} {piece.color}",
        data_place=piece.place,
        data_seat=piece.seat,
        transform=move(*piece.at, piece.angle),
    )


def _glow(mark: PlanHighlight, plan: Plan, sheet: Sheet) -> str:
    """A soft light in the accent colour, with a crisp core so that it is found at once."""
    accent, halo = sheet.theme.accent, sheet.theme.halo
    if mark.kind == "corner":
        (x, y) = next(corner.at for corner in plan.corners if corner.name == mark.place)
        inner = (
            tag("circle", r=34.0, fill=f"url(#{sheet.prefix}-glow)")
            + tag("circle", r=14.0, fill=halo, fill_opacity=0.9, stroke=accent, stroke_width=4.5)
            + tag("circle", r=5.0, fill=accent)
        )
        where = move(x, y)
    elif mark.kind == "side":
        side = next(side for side in plan.sides if side.name == mark.place)
        line = {"stroke_linecap": "round", "stroke": accent}
        inner = (
            path("M-29 0L29 0", **line, stroke_width=30.0, stroke_opacity=0.22)
            + path("M-30 0L30 0", **line, stroke_width=21.0, stroke_opacity=0.45)
            + path("M-30 0L30 0", **line, stroke_width=14.0)
            + path("M-30 0L30 0", **{**line, "stroke": halo}, stroke_width=6.5)
        )
        where = move(*side.at, side.angle)
    else:
        hexagon = next(hexagon for hexagon in plan.hexes if hexagon.name == mark.place)
        ring = {"points": nums((x * 0.93, y * 0.93) for x, y in HEXAGON), "fill": "none", "stroke_linejoin": "round"}
        inner = (
            path(
                f"M{nums(HEXAGON)}Z{_circle(DISC + 1) if hexagon.number else ''}",
                fill=accent,
                fill_opacity=0.16,
                fill_rule="evenodd",
            )
            + tag("polygon", **ring, stroke=accent, stroke_width=15.0, stroke_opacity=0.4)
            + tag("polygon", **ring, stroke=accent, stroke_width=5.5)
            + tag("polygon", **ring, stroke=halo, stroke_width=1.8)
        )
        where = move(*hexagon.center)
    return tag("g", inner, class_=f"highlight {mark.kind}", data_place=mark.place, transform=where)


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
        turn = side.angle - 180 if side.angle == 90 and side.inward == 0 else side.angle
        out.append((side.name, sheet.label(side.name, x, y, 9, ink, pen=11, halo=True, turn=turn)))
    return tag("g", "".join(tag("g", drawn, class_="name", data_place=name) for name, drawn in out), class_="names")


def _circle(radius: float) -> str:
    """A circle as a path, to cut a hole."""
    r = num(radius)
    return f"M-{r} 0A{r} {r} 0 0 1 {r} 0A{r} {r} 0 0 1 -{r} 0Z"


def _toward(at: tuple[float, float], degrees: float, by: float) -> tuple[float, float]:
    turn = math.radians(degrees)
    return at[0] + by * math.cos(turn), at[1] + by * math.sin(turn)
