"""What a live board is put together from: the bare board, and a kit of the small drawings by name.

A browser lays the pieces of a running game over the bare board: both come from the same pens as every other picture,
in the coordinates of the plan (0 0 1140 1056).

    >>> from hexholm.game.pictures.kit import bare_board, kit_svg
    >>> from hexholm.rules.boards import beginner_layout
    >>> 'id="piece-city-red"' in kit_svg(("red", "blue")), "robber" in bare_board(beginner_layout())
    (True, False)
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from hexholm.rules.boards import Layout
from hexholm.rules.colors import Color
from hexholm.rules.names import PIECE_KINDS, RESOURCES

from .drawing import symbols
from .drawing.palette import PAINTS, Theme, theme_of
from .drawing.svg_elements import svg_tag
from .plan import MARKS, plan_of
from .svg import board_group, sheet_for, svg_document


def bare_board(layout: Layout, *, theme: str = "light", words: Mapping[str, str] | None = None) -> str:
    """The picture of a board with nobody on it, not even the robber: discs are not greyed, that is for who lays it."""
    plan = plan_of(layout)
    plan = replace(plan, robber=None, hexes=tuple(replace(hexagon, robbed=False) for hexagon in plan.hexes))
    sheet = sheet_for(plan, theme, words, None, None)
    return svg_document(plan, sheet, board_group(plan, sheet), height=plan.height, width=None, title=None)


def kit_svg(colors: Sequence[Color], theme: str = "light") -> str:
    """The small drawings, each a group with an id of its own, around (0, 0); pieces carry the marks of the seats."""
    drawings = dict(_drawings(colors, theme_of(theme)))
    inner = "".join(svg_tag("g", art, id=name) for name, art in drawings.items())
    return svg_tag(
        "svg", svg_tag("defs", inner), xmlns="http://www.w3.org/2000/svg", width=0, height=0, aria_hidden="true"
    )


def _drawings(colors: Sequence[Color], theme: Theme) -> Iterator[tuple[str, str]]:
    for seat, color in enumerate(colors):
        mark, paint = MARKS[seat % len(MARKS)], PAINTS[color]
        for kind in PIECE_KINDS:
            yield f"piece-{kind}-{color}", symbols.draw_piece(kind, paint, mark, theme)
        badge = svg_tag("circle", r=13.0, fill=paint.fill, stroke=paint.line, stroke_width=2.0)
        yield f"mark-{color}", badge + symbols.player_mark(mark, paint.mark)
    yield "robber", symbols.draw_robber(theme)
    for resource in (*RESOURCES, "any"):
        yield f"sign-{resource}", symbols.resource_sign(resource, theme)
    for pips in range(1, 7):
        yield f"die-{pips}", symbols.draw_die(pips, theme)
    yield "card", symbols.card_sign(theme, development=False)
    yield "card-development", symbols.card_sign(theme, development=True)
    yield "knight", symbols.knight_sign(theme)
    yield "longest-road", symbols.road_sign(theme)
    yield "largest-army", symbols.army_sign(theme)
    yield "point", symbols.point_sign(theme)
