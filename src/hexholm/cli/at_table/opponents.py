"""The bots at a table in the terminal: how one moves, and what it must remember."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hexholm.bots import Bot
from hexholm.bots.protocol import code_of
from hexholm.game.action import Action
from hexholm.game.events import OfferMade, Traded, TurnBegan
from hexholm.game.exchange import fallback_for
from hexholm.game.game import Game
from hexholm.game.history import Past
from hexholm.rules.referee import IllegalAction


def play_bot(game: Game, player: Bot, color: str) -> Past:
    """What a bot decides on its view, carried out."""
    view = game.view(color)
    code = code_of(player.choose(view), game.colors, game.colors.index(color))
    try:
        return game.play(code, by=color)
    except IllegalAction:
        other = fallback_for(view, code)
        if other is None:
            raise
        return game.play(other, by=color)


def remind_bots(game: Game, players: Mapping[str, Any]) -> None:
    """Tell bots what they have said, after something was taken back or a game taken up: as a host does it.

    All that was said on this turn, and before what came to nothing.
    """
    said: list[tuple[int, Action, str]] = []  # turn, what, whose offer it answers
    turn, makers = 0, dict[int | None, str]()
    for event in game.events:
        match event:
            case TurnBegan():
                turn = event.number
            case OfferMade():
                kind = "offer" if event.answers is None else "counter"
                action = Action(kind, event.player, offer=event.answers, give=event.give, take=event.want, to=event.to)
                said.append((turn, action, makers.get(event.answers, "")))
                makers[event.number] = event.player
            case Traded():
                done = event.player, event.give, event.take
                said = [one for one in said if one[0] == game.turn or (one[1].by, one[1].give, one[1].take) != done]
    for color, player in players.items():
        mine = [one for one in said if one[1].by == color]
        for when in sorted({0, game.turn, *(when for when, _, _ in mine)}):
            then = [(action, to) for at, action, to in mine if at == when]
            player.remind(when, [action for action, _ in then], {to for _, to in then if to})
