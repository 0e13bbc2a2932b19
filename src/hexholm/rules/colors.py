"""Seats by their colors: the colors of a set of seats, and what is said of a color that nobody plays."""

from __future__ import annotations

from collections.abc import Sequence

from .errors import BadInput


def colors_in(seats: int, colors: Sequence[str]) -> tuple[str, ...]:
    """The colors of a set of seats, given as bits."""
    return tuple(color for seat, color in enumerate(colors) if seats >> seat & 1)


def nobody_plays(who: object, colors: Sequence[str], others: str = "") -> BadInput:
    """The error for a color or seat that is not at the table; `others`: what else could have been said."""
    return BadInput(f"nobody plays {who!r}; the players are {', '.join(colors)}{others}")
