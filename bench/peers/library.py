"""Catanatron itself: found if it is installed, and asked for by name."""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from importlib import metadata
from typing import Any, Final

from hexholm.rules.errors import BadInput

MISSING: Final = (
    "Catanatron is not here. Its bots ValueFunction and AlphaBeta are in its repository, in version 3.3 and later"
    " (bcollazo/catanatron on GitHub), not in the package 3.2.1: check it out and `pip install` that folder into this"
    " environment, or put its package and networkx into a folder and name that in PYTHONPATH (bench/peers/README.md)"
)
PLAYERS: Final = {
    "Random": ("catanatron.models.player", "RandomPlayer", ()),
    "WeightedRandom": ("catanatron.players.weighted_random", "WeightedRandomPlayer", ()),
    "ValueFunction": ("catanatron.players.value", "ValueFunctionPlayer", ()),
    "AlphaBeta": ("catanatron.players.minimax", "AlphaBetaPlayer", (2, False)),
    "AlphaBetaPruned": ("catanatron.players.minimax", "AlphaBetaPlayer", (2, True)),
}
"""Its players by our name for them: module, class, arguments. AlphaBeta looks two decisions deep at all actions;
AlphaBetaPruned, which its web page plays, leaves out most moves of the robber and some trades."""


@dataclass(frozen=True)
class Library:
    """The names of it that are used."""

    Game: Any
    Color: Any
    version: str
    turns_limit: int


def load_library() -> Library:
    """Catanatron, if it is there and new enough."""
    try:
        game = importlib.import_module("catanatron.game")
        colors = importlib.import_module("catanatron.models.player")
        importlib.import_module("catanatron.players.minimax")
        importlib.import_module("catanatron.models.enums").ActionRecord  # noqa: B018 - of 3.3: the log with outcomes
    except (ImportError, AttributeError) as error:
        raise BadInput(f"{MISSING} ({type(error).__name__}: {error})") from None
    try:
        version = metadata.version("catanatron")
    except metadata.PackageNotFoundError:
        version = "of unknown version"
    return Library(game.Game, colors.Color, version, game.TURNS_LIMIT)


def make_opponent(name: str, color: Any) -> Any:
    """One of its players."""
    if name not in PLAYERS:
        raise BadInput(f"there is no opponent {name!r}; there are {', '.join(PLAYERS)}")
    module, cls, arguments = PLAYERS[name]
    return getattr(importlib.import_module(module), cls)(color, *arguments)
