"""Games to write down: a short one as text, whole ones of random players and of players that also make offers."""

from __future__ import annotations

import contextlib
import random
import secrets
from dataclasses import replace
from functools import cache
from typing import Any

from hexholm.game.dice_proof import PROOF_TAG, DiceProof, commitment, word_promise
from hexholm.game.game import Game, Record
from hexholm.rules.encoding.phases import DISCARDING
from hexholm.rules.encoding.structs import NATURE
from hexholm.rules.reasons import IllegalAction
from hexholm.rules.referee import Step
from hexholm.rules.setup.options import check_options
from hexholm.rules.simulate import replay_game
from tests.helpers.legal_texts import legal_texts
from tests.helpers.random_play import play_randomly
from tests.helpers.speed import COMPILED
from tests.twin.duel import Duel

SHORT = """[Format "hexholm-record-1"]
[Edition "fifth"]
[Setup "fixed"]
[Players "blue white orange"]
[Blue "Ada"]
[First "blue, named"]
[Hexes "m10p2f9/g12h6p4h10/g9f11df3m8/f8m3g4p5/h5g6p11"]
[Harbors "A1/nw:any,A2/ne:grain,B4/ne:ore,C5/e:any,D4/se:wool,E2/se:any,E1/sw:any,D1/w:brick,B1/w:lumber"]
[Pieces "blue D3se D3/e, D1se* D2/sw; orange A3s A3/sw, D2se* D3/sw; red A1se A2/sw, C1se* C2/sw; \
white B1se B1/se, C4se* C4/e"]
[Result "abandoned 2 2 2: dinner is ready"]

     {A game to read: \\{braces\\} and all.}
  1. blue: roll =6+5; offer 1 brick : 1 lumber to white orange; white accept #1; orange reject #1;
     confirm #1 white {a fair trade}; end
  2. white: roll =3+4; robber B1 (robber C3; robber C4); end
  3. orange: roll =2+2
"""


def simulated_record(seed: int, game: int = 0, **options: Any) -> Record:
    """The record of a game of random players."""
    replay = replay_game(check_options(**options), seed, game, compiled=COMPILED)
    record = Record(options=replay.referee.options, layout=replay.referee.layout, steps=replay.steps)
    return Record.of(record.game(compiled=COMPILED))


def random_game(number: int, steps: int = 10_000) -> Game:
    """A game with offers, by the number that decides everything about it; stopped after so many steps."""
    duel = Duel(number, COMPILED, thorough=False)
    referee, rng = duel.referee, duel.rng
    steps_made: list[Step] = []
    while referee.winner is None and len(steps_made) < steps:
        if outcome_odds := referee.chance():
            code = rng.choice(list(outcome_odds))
            referee.deal(code)
            steps_made.append(Step(NATURE, code))
            continue
        seat = rng.choice(referee.to_act())
        text = (
            _card_by_card(rng, legal_texts(referee, seat)) if referee.state.phase == DISCARDING else duel.choose(seat)
        )
        with contextlib.suppress(IllegalAction):
            referee.play(seat, text)
            steps_made.append(Step(seat, referee.action_code(text, seat)))
    return Record(options=referee.options, layout=referee.layout, steps=tuple(steps_made)).game(compiled=COMPILED)


def _card_by_card(rng: random.Random, discards: list[str]) -> str:
    """One of the discards, or only its first card."""
    text = rng.choice(discards)
    return text if rng.random() < 0.5 else f"discard-card {text.split()[2]}"


def header(**more: str) -> str:
    """The tags of a small game that begins at the beginning."""
    tags = {"Format": "hexholm-record-1", "Edition": "fifth", "Setup": "fixed", "First": "red, named", **more}
    return "".join(f'[{name} "{value}"]\n' for name, value in tags.items()) + "\n"


DICE_KEY = bytes(range(32))
DICE_WORDS = {"red": "red-has-a-long-word", "blue": "blue_has_another_1"}


def dice_proof(table: str = "abc", key: bytes = DICE_KEY, words: dict[str, str] = DICE_WORDS) -> DiceProof:
    promises = {color: word_promise(table, color, word) for color, word in words.items()}
    return DiceProof(table, commitment(table, key), promises, words, key)


@cache
def proved_record(edition: str = "fifth", **options: object) -> Record:
    """A game of random players whose chance comes from a key, with its proof."""
    proof = dice_proof()
    game = Game(edition=edition, seed=1, points_to_win=5, dealer=proof.dealer(), compiled=COMPILED, **options)  # type: ignore[arg-type]
    play_randomly(game, 900, seed=1)
    if not game.over:
        game.stop("capped")
    return replace(game.record(), tags={PROOF_TAG: proof.text()})


def new_word() -> str:
    """A word for the dice, as a program that plays would draw one: 128 random bits."""
    return secrets.token_urlsafe(16)
