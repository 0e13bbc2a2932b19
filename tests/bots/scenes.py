"""Games of the compiled players to look at, decision by decision."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Protocol

from hexholm.arena.match import instead
from hexholm.bots.compiled.players import Medium
from hexholm.game.action import Action
from hexholm.game.game import Game
from hexholm.game.views.seat_knowledge import SeatView
from hexholm.rules.referee import IllegalAction

MOST_TURNS = 400
TALK = ("offer", "counter", "accept", "confirm")
RULES: tuple[dict[str, Any], ...] = (
    {"edition": "fifth", "players": 4},
    {"edition": "sixth", "players": 3},
    {"edition": "zip", "players": 4},
    {"edition": "fifth", "players": 2, "two_players": True},
    {"edition": "fifth", "players": 4, "friendly_robber": True, "phases": "separate"},
    {"edition": "threed", "players": 4, "balanced_dice": True, "hand_limit": 5},
)


class Chooses(Protocol):
    """A player that answers with codes."""

    def choose(self, view: SeatView, /) -> int: ...


@dataclass(frozen=True)
class Moment:
    """A decision: the game and the view before it, who decides, and what."""

    game: Game
    color: str
    view: SeatView
    player: Chooses
    code: int

    @property
    def action(self) -> Action:
        return Action.of_code(self.code, self.game.colors, self.color)


def moments(
    seed: int,
    make: Callable[[str], Chooses] = Medium,
    before: Callable[[SeatView, Any], None] | None = None,
    **options: Any,
) -> Iterator[Moment]:
    """A whole game, decision by decision; `before` is told of every question before the player is asked.

    Whatever is not legal raises; but a trade that could not be known to fail is refused or taken back, as in a
    tournament.
    """
    game = Game(seed=seed, compiled=True, **{"first": 0, **options})
    players = {color: make(f"{seed} {color}") for color in game.colors}
    while not game.over and game.turn <= MOST_TURNS:
        seat = game.colors.index(game.active)
        order = [game.colors[(seat + i) % len(players)] for i in range(1, len(players) + 1)]
        color = next(color for color in order if color in game.to_act)
        view, player = game.view(color), players[color]
        if before is not None:
            before(view, player)
        code = player.choose(view)
        yield Moment(game, color, view, player, code)
        assert view.why_not(code) is None, f"{color} chose {Action.of_code(code, game.colors)}"
        try:
            game.play(Action.of_code(code, game.colors), by=color)
        except IllegalAction:
            game.play(Action.of_code(instead(code), game.colors), by=color)
