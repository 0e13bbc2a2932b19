"""A game of a simulation as a `Game`: the same boards, dice, cards and choices as in the fast run."""

from __future__ import annotations

from collections.abc import Sequence

from hexholm.rules.boards import Layout
from hexholm.rules.errors import BadInput
from hexholm.rules.options import Options
from hexholm.rules.simulate import replay

from .dealers import Seeded
from .game import Game


def simulated(
    options: Options,
    seed: int,
    number: int = 0,
    *,
    names: Sequence[str] = (),
    board: Layout | None = None,
    compiled: bool | None = None,
) -> Game:
    """Game `number`, from 0, of `simulate` with these options and this seed, played to its end or its cap."""
    for name, value in (("seed", seed), ("number", number)):
        if type(value) is not int:
            raise BadInput(f"{name} {value!r}: give a whole number")
    found = replay(options, seed, number, compiled=compiled, board=board)
    own, layout = found.referee.options.as_dict(), found.referee.layout
    dealer = Seeded(seed, number)
    game = Game(board=layout, dealer=dealer, names=names, compiled=found.referee.compiled, **own)
    game.repeat(found.record[len(game.steps) :])  # the start roll, if there is one, is dealt already
    if not game.over:
        game.cut("capped")
    return game
