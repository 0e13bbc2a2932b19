"""A whole table as text: the board, whose turn it is, what everybody has. For the eyes of the referee."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

from hexholm.rules.core.encoding.lanes import count
from hexholm.rules.core.encoding.structs import KNIGHT
from hexholm.rules.core.phases import PHASES

from .cards import Cards, DevelopmentCards
from .pictures import text_of

if TYPE_CHECKING:
    from .game import Game

WIDTH = 79


def table_text(game: Game, *, color: bool = False) -> str:
    """The board in characters, then a line for the turn and one for each player; at most 80 columns wide."""
    state, words = game.referee.state, game.options.edition_data.words
    lines = [text_of(game.layout, state, game.colors, color=color, words=words)]
    lines.append(textwrap.fill(status(game), WIDTH, subsequent_indent="  "))
    for seat, player in enumerate(game.colors):
        facts = [many(game.points[seat], "point"), f"hand {Cards.of_lanes(state.hand[seat]).in_words(words)}"]
        if state.cards[seat]:
            facts.append(f"cards {DevelopmentCards.of_lanes(state.cards[seat]).in_words(words)}")
        if knights := count(state.played[seat], KNIGHT):
            facts.append(f"{many(knights, 'knight')} played")
        if state.longest_road == seat:
            facts.append(words["longest_road"])
        if state.largest_army == seat:
            facts.append(words["largest_army"])
        lines.append(textwrap.fill("; ".join(facts), WIDTH, initial_indent=f"  {player:<7}", subsequent_indent=" " * 9))
    return "\n".join(lines)


def status(game: Game) -> str:
    """Where the game stands, in one line."""
    result = game.result
    if result is not None and result.winner is not None:
        points = result.points[game.colors.index(result.winner)]
        return f"After {many(game.turn, 'turn')} {result.winner} has won with {many(points, 'point')}."
    if result is not None:
        how = "ended by agreement" if result.how == "agreed" else result.how
        return f"On turn {game.turn} the game was {how}."
    where = f"Turn {game.turn}, {game.active}" if game.turn else f"Set-up, {game.active}"
    rolled = f", rolled {state.die_a + state.die_b}" if (state := game.referee.state).die_a else ""
    chance = game.chance
    answering = [player for player in game.to_act if player != game.active and game.phase == "main"]
    offers = f"; {', '.join(answering)}: answer an offer" if answering else ""
    return f"{where}{rolled}: {chance.question if chance else PHASES[state.phase].asks + offers}"


def many(n: int, one: str) -> str:
    """`1 point`, `2 points`."""
    return f"{n} {one}{'' if n == 1 else 's'}"
