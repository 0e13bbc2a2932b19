"""The bots at a table in the terminal: when and how one moves, and what it must remember."""

from __future__ import annotations

from collections.abc import Mapping

from hexholm.bots import Bot
from hexholm.bots.memory import OfferLog, remind_bot
from hexholm.bots.protocol import choice_code
from hexholm.game.game import Game
from hexholm.game.history import EventSequence
from hexholm.rules.colors import Color
from hexholm.rules.reasons import IllegalAction


def next_to_decide(game: Game, person: str | None = None) -> str:
    """Whose decision comes next: those who are asked, in the order of the seats, and then the active player.

    A person is the last of those who are asked, and sees what bots have answered; with one at the table, the active
    player discards among the others. Kept seeds show the same games: none of this may change.
    """
    active_waits = person is None or game.phase != "discard"
    asked_colors = [color for color in game.to_act if color != game.active or not active_waits]
    return min(asked_colors, key=lambda color: color == person) if asked_colors else game.active


def play_bot(game: Game, bot: Bot, color: Color) -> EventSequence:
    """What a bot decides on its view, carried out."""
    view = game.view(color)
    code = choice_code(bot.choose(view), game.colors, game.colors.index(color))
    try:
        return game.play(code, by=color)
    except IllegalAction:
        fallback = view.fallback(code)
        if fallback is None:
            raise
        return game.play(fallback, by=color)


def remind_bots(game: Game, bots: Mapping[str, Bot]) -> None:
    """Tell bots what they have said, after something was taken back or a game taken up: as a host does it."""
    offers = OfferLog()
    offers.follow(game.events)
    for color, bot in bots.items():
        remind_bot(bot, offers.past_offers(color, game.turn), turns=(0, game.turn))
