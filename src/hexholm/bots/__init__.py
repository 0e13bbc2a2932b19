"""Players: they look through a `SeatView` and choose an action. None of them can see more than its seat may.

A bot is any object with `choose(view)`; `bot("easy", seed)` makes one by name. `protocol.py` says what a player is,
`registry.py` which there are, `program.py` how a program in any language becomes one. Importing the package is quick:
names but `NAMES` and `bot` are loaded on first use, so that the command line can list the players without the rules.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from .shipped import NAMES

if TYPE_CHECKING:
    from .faults import BotFault
    from .protocol import Bot, Effort, Thought, default_code, text_of
    from .registry import NoSuchPlayer, Player, player, players

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
_HOME = {
    "BotFault": "faults",
    **dict.fromkeys(("Bot", "Effort", "Thought", "default_code", "text_of"), "protocol"),
    **dict.fromkeys(("NoSuchPlayer", "Player", "player", "players"), "registry"),
}


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f".{_HOME[name]}", __name__), name)


def bot(name: str, seed: int | str = 0, effort: Effort | None = None) -> Bot:
    """A player by name; the same seed plays the same way."""
    from .registry import player

    return player(name).make(seed, effort)
