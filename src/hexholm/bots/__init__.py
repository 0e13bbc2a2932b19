"""Players: they look through a `SeatView` and choose an action. None of them can see more than its seat may.

A bot is any object with `choose(view)`; `bot("easy", seed)` makes one by name, and `Easy` is its class. `protocol.py`
says what a bot is, `registry.py` which there are, `program.py` how a program in any language becomes one. `fairness.py`
says how fair a board is: it stands here because it judges openings by what the player `easy` likes. Importing the
package is quick: all but `TABLE_BOTS` and `bot` is loaded on first use, so that the command line can list the bots
without the rules. Arena, testing, host and command line import it; it imports the rooms below and no player imports
another.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from .shipped_bots import TABLE_BOTS

if TYPE_CHECKING:
    from .faults import BotFault
    from .protocol import Bot, Effort, Thought, default_code, text_of
    from .registry import BotKind, NoSuchBot, bot_kind, bot_kinds
    from .shipped.compiled import Expert, Hard, Medium
    from .shipped.easy import Easy
    from .shipped.random_player import Random

__all__ = [
    "TABLE_BOTS",
    "Bot",
    "BotFault",
    "BotKind",
    "Easy",
    "Effort",
    "Expert",
    "Hard",
    "Medium",
    "NoSuchBot",
    "Random",
    "Thought",
    "bot",
    "bot_kind",
    "bot_kinds",
    "default_code",
    "text_of",
]
_HOME = {
    "BotFault": "faults",
    "Random": "shipped.random_player",
    "Easy": "shipped.easy",
    **dict.fromkeys(("Medium", "Hard", "Expert"), "shipped.compiled"),
    **dict.fromkeys(("Bot", "Effort", "Thought", "default_code", "text_of"), "protocol"),
    **dict.fromkeys(("NoSuchBot", "BotKind", "bot_kind", "bot_kinds"), "registry"),
}
_OLDER_CLASSES = {"NoSuchPlayer": "NoSuchBot"}  # older_names.py


def __getattr__(name: str) -> Any:
    name_now = _OLDER_CLASSES.get(name, name)
    if name_now not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f".{_HOME[name_now]}", __name__), name_now)


def bot(name: str, seed: int | str = 0, effort: Effort | None = None) -> Bot:
    """A player by name; the same seed plays the same way."""
    from .registry import bot_kind

    return bot_kind(name).make(seed, effort)
