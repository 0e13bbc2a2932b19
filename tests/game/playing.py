"""Games to look at: played by the policy that also makes offers, without the twin."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

from hexholm.game.views.seat_knowledge import SeatView
from hexholm.rules.referee import IllegalAction, Referee
from tests.speed import COMPILED
from tests.twin.duel import Duel


def seen(game: Referee, who: int | str | None) -> SeatView:
    """The view of a seat, or of the public, as a game gives it."""
    return SeatView(game.options, game.layout, game.view(who), game.compiled)


def walk(number: int, steps: int) -> Iterator[Duel]:
    """The game of that number, before each of its steps and at its end."""
    duel = Duel(number, COMPILED)
    game = duel.referee
    for _ in range(steps):
        yield duel
        if game.winner is not None:
            return
        if chance := game.chance():
            game.deal(duel.rng.choice(list(chance)))
        else:
            seat = duel.rng.choice(game.to_act())
            with contextlib.suppress(IllegalAction):
                game.play(seat, duel.choose(seat))
    yield duel
