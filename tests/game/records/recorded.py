"""Whole games to write down: of random players, and of players that also make offers and discard card by card."""

from __future__ import annotations

import contextlib
import random
from typing import Any

from hexholm.game.game import Game
from hexholm.game.records.data import Record
from hexholm.rules.core.encoding.structs import NATURE
from hexholm.rules.core.phases import DISCARDING
from hexholm.rules.options import options
from hexholm.rules.referee import IllegalAction
from hexholm.rules.simulate import replay
from tests.speed import COMPILED
from tests.twin.duel import Duel


def simulated(seed: int, game: int = 0, **chosen: Any) -> Record:
    """The record of a game of random players."""
    found = replay(options(**chosen), seed, game, compiled=COMPILED)
    played = Record(options=found.referee.options, layout=found.referee.layout, steps=found.record)
    return Record.of(played.game(compiled=COMPILED))


def played(number: int, steps: int = 10_000) -> Game:
    """A game with offers, by the number that decides everything about it; stopped after so many steps."""
    duel = Duel(number, COMPILED, thorough=False)
    referee, rng = duel.referee, duel.rng
    done: list[tuple[int, int]] = []
    while referee.winner is None and len(done) < steps:
        if chance := referee.chance():
            code = rng.choice(list(chance))
            referee.deal(code)
            done.append((NATURE, code))
            continue
        seat = rng.choice(referee.to_act())
        text = _card_by_card(rng, referee.legal_texts(seat)) if referee.state.phase == DISCARDING else duel.choose(seat)
        with contextlib.suppress(IllegalAction):
            referee.play(seat, text)
            done.append((seat, referee.read(text, seat)))
    return Record(options=referee.options, layout=referee.layout, steps=tuple(done)).game(compiled=COMPILED)


def _card_by_card(rng: random.Random, discards: list[str]) -> str:
    """One of the discards, or only its first card."""
    text = rng.choice(discards)
    return text if rng.random() < 0.5 else f"discard-card {text.split()[2]}"
