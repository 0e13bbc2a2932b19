"""What is remembered of offers is the same, whoever keeps it: a player, a game's log, the compiled twin."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from hexholm.bots.easy.player import Easy
from hexholm.bots.kernels import whole_games as twin
from hexholm.bots.memory import Memory, OfferHistory, OfferLog, PastOffer, terms_of
from hexholm.game.action import Action
from hexholm.game.game import Game

from .scenes import asked, at_main

COUNTER = "counter #1 1 wool : 1 lumber"


def refused_of(told: list[PastOffer]) -> set[int]:
    return {terms_of(Action.of(one.text)) for one in told}


@pytest.mark.parametrize("seed", range(4))
def test_all_who_remember_offers_agree(seed: int) -> None:
    game, log = Game(edition="fifth", seed=seed), OfferLog()
    players = {color: Easy(f"{seed} {color}") for color in game.colors}
    memories = {color: Memory() for color in game.colors}
    histories = {color: OfferHistory() for color in game.colors}
    rows: Any = np.zeros((len(game.colors), twin.MEMORY_SIZE), np.int64)
    compared = 0
    while not game.over:
        color = asked(game)
        view, seat = game.view(color), game.colors.index(color)
        action = players[color].choose(view)
        memories[color].look(view)
        histories[color].look(view)
        remembered = log.remembered(color, game.turn)
        assert histories[color].told == [replace(one, done=False) for one in remembered]
        kept = {int(terms) for terms in rows[seat, twin.FIRST_REFUSED :][: rows[seat, twin.N_REFUSED]]}
        assert kept == set(memories[color].refused) == refused_of([one for one in remembered if not one.done])
        compared += len(kept)
        code = action.code(game.colors)
        memories[color].note(view, code)
        histories[color].note(view, code)
        rows[seat, twin.N_SAID] = 0
        twin.note_said(game.referee.state, game.referee.talk, rows, seat, code)
        before = game.step_count
        game.play(action, by=color)
        log.follow(game.past(before).events)
    assert compared > 100
    at_once = OfferLog()
    at_once.follow(game.events)
    for color in game.colors:
        assert at_once.remembered(color, game.turn) == log.remembered(color, game.turn)


def test_a_counter_offer_carried_out_on_the_turn_of_another_is_kept() -> None:
    game = at_main({"red": "1 lumber", "blue": "1 wool"})
    for who, step in (("red", "offer 1 lumber : 1 ore to blue"), ("blue", COUNTER), ("red", "accept #2")):
        game.play(step, by=who)
    log = OfferLog()
    log.follow(game.events)
    assert [one.text for one in log.remembered("blue", game.turn + 1)] == [COUNTER]


def test_what_is_offered_after_something_was_taken_back_is_of_the_turn_that_it_is_now() -> None:
    game = at_main({"red": "1 lumber"})
    log = OfferLog()
    log.go_back(4, "red")
    before = game.step_count
    game.play("offer 1 lumber : 1 ore to blue", by="red")
    log.follow(game.past(before).events)
    assert [one.turn for one in log.remembered("red", 4)] == [4]
