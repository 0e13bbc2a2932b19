"""Players: they look through a `SeatView` and choose an action. None of them can see more than its seat may.

A bot is any object with `choose(view)`; `bot("easy", seed)` makes one by name. `protocol.py` says what a player is,
`registry.py` which there are, `program.py` how a program in any language becomes one.
"""

from __future__ import annotations

from .protocol import Bot, BotFault, Effort, Thought, default_code, text_of
from .registry import NAMES, NoSuchPlayer, Player, player, players

__all__ = [
    "NAMES",
    "Bot",
    "BotFault",
    "Effort",
    "NoSuchPlayer",
    "Player",
    "Thought",
    "bot",
    "default_code",
    "player",
    "players",
    "text_of",
]


def bot(name: str, seed: int | str = 0, effort: Effort | None = None) -> Bot:
    """A player by name; the same seed plays the same way."""
    return player(name).make(seed, effort)
