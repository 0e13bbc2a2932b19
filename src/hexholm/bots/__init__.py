"""Players: they look through a `SeatView` and choose an action. None of them can see more than its seat may.

A bot is any object with `choose(view) -> Action`; `bot("easy", seed)` makes one by name.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Protocol

from hexholm.rules.errors import BadInput

if TYPE_CHECKING:
    from hexholm.game.action import Action
    from hexholm.game.seat_view import SeatView

NAMES: Final = ("easy",)
"""The players there are."""


class Bot(Protocol):
    """Chooses for a seat."""

    def choose(self, view: SeatView) -> Action:
        """What to do now: a legal action of the seat that looks."""
        ...


def bot(name: str, seed: int | str = 0) -> Bot:
    """A player by name; the same seed plays the same way."""
    if name not in NAMES:
        raise BadInput(f"there is no player {name!r}; there are {', '.join(NAMES)}")
    from .easy import Easy

    return Easy(seed)
