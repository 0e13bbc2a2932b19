"""Players that are ready before anybody waits for them: compiled kernels are loaded, or compiled, on first use."""

from __future__ import annotations

from collections.abc import Iterable

from hexholm.game.game import Game

from .protocol import Effort
from .registry import player


def use_once(names: Iterable[str], compiled: bool | None = None) -> None:
    """Have each of these players make one decision that gives it something to think about."""
    view = Game(edition="fifth", setup="variable", seed=0, first=0, compiled=compiled).view(0)
    for name in names:
        one = player(name)
        one.make(0, Effort(steps=1) if one.takes_effort else None).choose(view)
