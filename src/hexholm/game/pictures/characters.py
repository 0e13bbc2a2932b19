"""A board or a position in characters, for a terminal of 80 columns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from hexholm.rules.boards import Layout, draw_text, piece_letter
from hexholm.rules.colors import Color
from hexholm.rules.queries import State

from .plan import Plan, plan_of


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

    The arguments are those of :func:`~.plan.plan_of`; `words` are the labels of :func:`draw_text`. A
    settlement of red is `(r)`, a city `[R]`, a road `r`; black is `k`.
    """
    plan = plan_of(layout, state, colors, start=start)
    return draw_text(layout, letters_of(plan), robber=plan.robber, in_color=in_color, words=words)


def letters_of(plan: Plan) -> dict[str, str]:
    """The pieces of a plan as letters by place."""
    return {piece.place: piece_letter(piece.color, piece.kind) for piece in plan.pieces}
