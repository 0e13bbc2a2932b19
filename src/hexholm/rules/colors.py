"""Seats by number and by color: the types of both, the colors of a set, and what is said of one that nobody plays."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from .errors import BadInput

SeatNumber = int
"""A seat as the rules know it: its number, from 0. In kernels every seat is one."""


class ColorMark:
    """Tells a color from other texts where annotations are read, as they are for the types of what is sent."""


Color = Annotated[str, ColorMark]
"""A seat as everybody else knows it, and who sits there: `red`."""
AnySeat = SeatNumber | Color
"""A seat by its number or its color."""


def colors_in(seat_bits: int, colors: Sequence[Color]) -> tuple[Color, ...]:
    """The colors of a set of seats, given as bits."""
    return tuple(color for seat, color in enumerate(colors) if seat_bits >> seat & 1)


def nobody_plays(who: object, colors: Sequence[Color], others: str = "") -> BadInput:
    """The error for a color or seat that is not at the table; `others`: what else could have been said."""
    return BadInput(f"nobody plays {who!r}; the players are {', '.join(colors)}{others}")
