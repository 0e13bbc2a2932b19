"""Hexholm: the island-settling board game of five rule books.

Importing this package is quick: it loads neither the compiler nor the command line, and the names below on first use.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from hexholm.version import __version__

if TYPE_CHECKING:
    from hexholm.game.action import Action
    from hexholm.game.cards import Cards, DevelopmentCards
    from hexholm.game.dealers import ByHand, Chance, Dealer, NoOutcome, Physical, Replay, Scripted, Seeded, SystemRandom
    from hexholm.game.game import Game, Record, SeatView, simulated
    from hexholm.game.language.action_parser import AmbiguousAction
    from hexholm.game.legal_actions import LegalActions
    from hexholm.game.new_game import game_options as options
    from hexholm.game.result import GameStopped, Result
    from hexholm.rules.boards import Layout
    from hexholm.rules.errors import BadInput
    from hexholm.rules.notation import UnreadableAction
    from hexholm.rules.reasons import IllegalAction, Reason
    from hexholm.rules.referee import Referee
    from hexholm.rules.setup.editions import Edition, edition
    from hexholm.rules.setup.options import Options

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
    "SystemRandom",
    "UnreadableAction",
    "__version__",
    "edition",
    "options",
    "simulated",
]

_HOME = {
    "Action": "game.action",
    "AmbiguousAction": "game.language.action_parser",
    "BadInput": "rules.errors",
    "ByHand": "game.dealers",
    "Cards": "game.cards",
    "Chance": "game.dealers",
    "Dealer": "game.dealers",
    "DevelopmentCards": "game.cards",
    "Edition": "rules.setup.editions",
    "Game": "game.game",
    "GameStopped": "game.result",
    "IllegalAction": "rules.reasons",
    "Layout": "rules.boards",
    "LegalActions": "game.legal_actions",
    "NoOutcome": "game.dealers",
    "Options": "rules.setup.options",
    "Physical": "game.dealers",
    "Reason": "rules.reasons",
    "Record": "game.game",
    "Referee": "rules.referee",
    "Replay": "game.dealers",
    "Result": "game.result",
    "Scripted": "game.dealers",
    "SeatView": "game.game",
    "Seeded": "game.dealers",
    "SystemRandom": "game.dealers",
    "UnreadableAction": "rules.notation",
    "edition": "rules.setup.editions",
    "options": "game.new_game",
    "simulated": "game.game",
}
_NAME_AT_HOME = {"options": "game_options"}  # where it differs
_OLDER_CLASSES = {"Fresh": "SystemRandom"}  # older_names.py


def __getattr__(name: str) -> Any:
    name_now = _OLDER_CLASSES.get(name, name)
    if name_now not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f".{_HOME[name_now]}", __name__), _NAME_AT_HOME.get(name_now, name_now))


def __dir__() -> list[str]:
    return __all__
