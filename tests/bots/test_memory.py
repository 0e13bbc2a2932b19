"""What is remembered of offers is the same, whoever keeps it: a player, a game's log, the compiled twin."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from hexholm.bots.kernels import whole_games as twin
from hexholm.bots.memory import Memory, OfferHistory, OfferLog, PastOffer, terms_of
from hexholm.bots.shipped.easy import Easy
from hexholm.game.action import Action
from hexholm.game.game import Game

from .scenes import asked, at_main

COUNTER = "counter #1 1 wool : 1 lumber"


def refused_of(offers: list[PastOffer]) -> set[int]:
    return {terms_of(Action.of(offer.text)) for offer in offers}


@pytest.mark.parametrize("seed", range(4))
def test_all_who_remember_offers_agree(seed: int) -> None:
    game, log = Game(edition="fifth", seed=seed), OfferLog()
    bots = {color: Easy(f"{seed} {color}") for color in game.colors}
    memories = {color: Memory() for color in game.colors}
    histories = {color: OfferHistory() for color in game.colors}
    rows: Any = np.zeros((len(game.colors), twin.MEMORY_SIZE), np.int64)
    compared = 0
    while not game.over:
        color = asked(game)
        view, seat = game.view(color), game.colors.index(color)
        action = bots[color].choose(view)
        memories[color].observe(view)
        histories[color].observe(view)
        remembered = log.past_offers(color, game.turn)
        assert histories[color].offers == [replace(offer, carried_out=False) for offer in remembered]
        kept_terms = {int(terms) for terms in rows[seat, twin.FIRST_FAILED_OFFER :][: rows[seat, twin.N_FAILED_OFFERS]]}
        assert (
            kept_terms
            == set(memories[color].failed_offers)
            == refused_of([offer for offer in remembered if not offer.carried_out])
        )
        compared += len(kept_terms)
        code = action.code(game.colors)
        memories[color].remember_choice(view, code)
        histories[color].remember_choice(view, code)
        rows[seat, twin.N_TURN_OFFERS] = 0
        twin.remember_action(game.referee.state, game.referee.open_offers, rows, seat, code)
        before = game.step_count
        game.play(action, by=color)
        log.follow(game.events_since(before).events)
    assert compared > 100
    whole_log = OfferLog()
    whole_log.follow(game.events)
    for color in game.colors:
        assert whole_log.past_offers(color, game.turn) == log.past_offers(color, game.turn)


def test_a_counter_offer_carried_out_on_the_turn_of_another_is_kept() -> None:
    game = at_main({"red": "1 lumber", "blue": "1 wool"})
    for color, step in (("red", "offer 1 lumber : 1 ore to blue"), ("blue", COUNTER), ("red", "accept #2")):
        game.play(step, by=color)
    log = OfferLog()
    log.follow(game.events)
    assert [offer.text for offer in log.past_offers("blue", game.turn + 1)] == [COUNTER]


def test_what_is_offered_after_something_was_taken_back_is_of_the_turn_that_it_is_now() -> None:
    game = at_main({"red": "1 lumber"})
    log = OfferLog()
    log.go_back(4, "red")
    before = game.step_count
    game.play("offer 1 lumber : 1 ore to blue", by="red")
    log.follow(game.events_since(before).events)
    assert [offer.turn for offer in log.past_offers("red", 4)] == [4]
