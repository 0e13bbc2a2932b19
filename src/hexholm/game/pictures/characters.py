"""A board or a position in characters, for a terminal of 80 columns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from hexholm.rules.boards import COLOR_LETTERS, Layout, draw_text
from hexholm.rules.colors import Color
from hexholm.rules.queries import State

from .plan import plan_of


def characters_of(
    layout: Layout,
    state: State | None = None,
    colors: Sequence[Color] = (),
    *,
    in_color: bool = False,
    words: Mapping[str, str] | None = None,
    start: bool = False,
) -> str:
    """The board in characters with every piece of the state, in the colors of a terminal if `in_color` says so.

    The arguments are those of :func:`~.plan.plan_of`; `words` names the resources of the harbors as an edition does. A
    settlement of red is `(r)`, a city `[R]`, a road `r`; black is `k`.
    """
    plan = plan_of(layout, state, colors, start=start)
    letters = {piece.place: _letter(piece.kind, piece.color) for piece in plan.pieces}
    return draw_text(layout, letters, robber=plan.robber, in_color=in_color, words=words)


def _letter(kind: str, color: Color) -> str:
    letter = COLOR_LETTERS[color]
    return letter.upper() if kind == "city" else letter
