"""The bots at a table in the terminal: how one moves, and what it must remember."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hexholm.bots import Bot
from hexholm.bots.memory import OfferLog, remind_player
from hexholm.bots.protocol import choice_code
from hexholm.game.game import Game
from hexholm.game.history import Past
from hexholm.rules.referee import IllegalAction


def play_bot(game: Game, player: Bot, color: str) -> Past:
    """What a bot decides on its view, carried out."""
    view = game.view(color)
    code = choice_code(player.choose(view), game.colors, game.colors.index(color))
    try:
        return game.play(code, by=color)
    except IllegalAction:
        other = view.fallback(code)
        if other is None:
            raise
        return game.play(other, by=color)


def remind_bots(game: Game, players: Mapping[str, Any]) -> None:
    """Tell bots what they have said, after something was taken back or a game taken up: as a host does it."""
    offers = OfferLog()
    offers.follow(game.events)
    for color, player in players.items():
        remind_player(player, offers.remembered(color, game.turn), turns=(0, game.turn))
