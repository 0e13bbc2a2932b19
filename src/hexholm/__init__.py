"""Hexholm: the island-settling board game of five rule books.

Importing this package is quick: it loads neither the compiler nor the command line, and the names below on first use.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .game.action import Action
    from .game.cards import Cards, DevelopmentCards
    from .game.dealers import ByHand, Chance, Dealer, Fresh, NoOutcome, Physical, Replay, Scripted, Seeded
    from .game.game import Game, GameStopped, Result
    from .game.language.parsing import AmbiguousAction
    from .game.legal import LegalActions
    from .game.new_game import options
    from .game.records.data import Record
    from .game.simulated_game import simulated
    from .game.views.seat_knowledge import SeatView
    from .rules.boards import Layout
    from .rules.editions import Edition, edition
    from .rules.errors import BadInput
    from .rules.notation import UnreadableAction
    from .rules.options import Options
    from .rules.referee import IllegalAction, Reason, Referee

__version__ = "0.1.0"

__all__ = [
    "Action",
    "AmbiguousAction",
    "BadInput",
    "ByHand",
    "Cards",
    "Chance",
    "Dealer",
    "DevelopmentCards",
    "Edition",
    "Fresh",
    "Game",
    "GameStopped",
    "IllegalAction",
    "Layout",
    "LegalActions",
    "NoOutcome",
    "Options",
    "Physical",
    "Reason",
    "Record",
    "Referee",
    "Replay",
    "Result",
    "Scripted",
    "SeatView",
    "Seeded",
    "UnreadableAction",
    "__version__",
    "edition",
    "options",
    "simulated",
]

_HOME = {
    "Action": "game.action",
    "AmbiguousAction": "game.language.parsing",
    "BadInput": "rules.errors",
    "ByHand": "game.dealers",
    "Cards": "game.cards",
    "Chance": "game.dealers",
    "Dealer": "game.dealers",
    "DevelopmentCards": "game.cards",
    "Edition": "rules.editions",
    "Fresh": "game.dealers",
    "Game": "game.game",
    "GameStopped": "game.game",
    "IllegalAction": "rules.referee",
    "Layout": "rules.boards",
    "LegalActions": "game.legal",
    "NoOutcome": "game.dealers",
    "Options": "rules.options",
    "Physical": "game.dealers",
    "Reason": "rules.referee",
    "Record": "game.records.data",
    "Referee": "rules.referee",
    "Replay": "game.dealers",
    "Result": "game.game",
    "Scripted": "game.dealers",
    "SeatView": "game.views.seat_knowledge",
    "Seeded": "game.dealers",
    "UnreadableAction": "rules.notation",
    "edition": "rules.editions",
    "options": "game.new_game",
    "simulated": "game.simulated_game",
}


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f".{_HOME[name]}", __name__), name)


def __dir__() -> list[str]:
    return __all__
