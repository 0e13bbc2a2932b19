"""What tests of players share: games to look at, decision by decision, and moments set up by hand."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, Final, NamedTuple

from hexholm.bots.protocol import Effort, choice_code
from hexholm.bots.registry import bot_kind
from hexholm.bots.shipped.compiled import Medium
from hexholm.bots.shipped_bots import SHIPPED
from hexholm.game.action import Action
from hexholm.game.game import Game, SeatView
from hexholm.rules.encoding.action_codes import decline_instead
from hexholm.rules.reasons import IllegalAction
from tests.game.scenes import set_hands

MOST_TURNS = 400
FEW: Final = Effort(steps=2)
"""Worlds: those that search look into few, which is as honest and takes less time."""
LEVELS: Final[dict[str, Any]] = {
    name: partial(bot_kind(name).make, effort=FEW) if bot_kind(name).takes_effort else bot_kind(name).make
    for name in SHIPPED
}
"""All shipped players, and how one is made."""
LABELS: Final = tuple(f"{name}@{FEW}" if bot_kind(name).takes_effort else name for name in SHIPPED)
"""The same as a tournament calls them."""
JUDGES: Final = tuple(name for name in SHIPPED if hasattr(bot_kind(name).factory, "judges_by"))
"""Those of them that judge by a fitted network."""
NOBODY_HAS_ANYTHING = {"red": "", "blue": "", "white": "", "orange": ""}
TALK = ("offer", "counter", "accept", "confirm")
RULES: tuple[dict[str, Any], ...] = (
    {"edition": "fifth", "players": 4},
    {"edition": "sixth", "players": 3},
    {"edition": "zip", "players": 4},
    {"edition": "fifth", "players": 2, "two_players": True},
    {"edition": "fifth", "players": 4, "friendly_robber": True, "phases": "separate"},
    {"edition": "threed", "players": 4, "balanced_dice": True, "hand_limit": 5},
)


class Moment(NamedTuple):
    """A decision: the game and the view before it, who decides, and what."""

    game: Game
    color: str
    view: SeatView
    bot: Any
    code: int

    @property
    def action(self) -> Action:
        return Action.of_code(self.code, self.game.colors, self.color)


def moments(
    seed: int,
    make: Callable[[str], Any] = Medium,
    before: Callable[[SeatView, Any], None] | None = None,
    **options: Any,
) -> Iterator[Moment]:
    """A whole game, decision by decision; `before` is told of every question before the player is asked.

    Whatever is not legal raises; but a trade that could not be known to fail is refused or taken back, as in a
    tournament.
    """
    game = Game(seed=seed, compiled=True, **{"first": 0, **options})
    bots = {color: make(f"{seed} {color}") for color in game.colors}
    while not game.over and game.turn <= MOST_TURNS:
        seat = game.colors.index(game.active)
        order = [game.colors[(seat + i) % len(bots)] for i in range(1, len(bots) + 1)]
        color = next(color for color in order if color in game.to_act)
        view, chooser = game.view(color), bots[color]
        if before is not None:
            before(view, chooser)
        code = choice_code(chooser.choose(view), game.colors, game.colors.index(color))
        yield Moment(game, color, view, chooser, code)
        assert view.why_not(code) is None, f"{color} chose {Action.of_code(code, game.colors)}"
        try:
            game.play(Action.of_code(code, game.colors), by=color)
        except IllegalAction:
            game.play(Action.of_code(decline_instead(code), game.colors), by=color)


def asked(game: Game) -> str:
    """Whose decision comes next: those who are asked, then the active player."""
    others = [color for color in game.to_act if color != game.active]
    return others[0] if others else game.active


def at_main(hands: dict[str, str], edition: str = "sixth", **options: object) -> Game:
    """The fixed board of an edition, red after a roll of 2 that pays nobody, with these hands."""
    game = Game(edition=edition, setup="fixed", first=0, seed=1, **options)  # type: ignore[arg-type]
    game.play("roll")
    while game.phase != "main":
        color = asked(game)
        game.play(game.legal_actions.of(color)[0])
    set_hands(game, hands)
    return game


def near_the_longest_road(length: int) -> Game:
    """Red has a road of that length; one of five takes the award."""
    game = at_main(NOBODY_HAS_ANYTHING | {"red": "3 brick 3 lumber"})
    for road in ("A1/e", "A1/ne", "A1/nw")[: length - 1]:
        game.play(f"road {road}", by="red")
    assert game.view("red").road_length() == length
    return game
