"""`medium`, `hard` and `expert`: how they trade, what they remember, what they say about their choices."""

from __future__ import annotations

import time
from collections import Counter
from functools import partial
from typing import Any

import pytest

from hexholm.bots.judging_players import Expert, Hard, Medium
from hexholm.bots.kernels.layout import OWN_OFFERS
from hexholm.bots.protocol import Effort
from hexholm.game.action import Action
from hexholm.game.game import Game
from hexholm.game.seat_view import SeatView
from hexholm.testing import Anew, check_bot

from .judged import RULES, TALK, moments
from .test_easy import NOBODY_HAS_ANYTHING, at_main

FEW_WORLDS = partial(Hard, effort=Effort(steps=2))


# --- trade ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("make", "number"), [*((Medium, i) for i in range(len(RULES))), (FEW_WORLDS, 0)])
def test_offers_are_few_never_repeated_and_not_for_a_player_about_to_win(make: Any, number: int) -> None:
    accepted = 0
    for seed in (10 + number, 20 + number):
        said: Counter[tuple[int, str, str]] = Counter()
        counters: Counter[tuple[int, str, str]] = Counter()
        for moment in moments(seed, make, **RULES[number]):
            view, action, color = moment.view, moment.action, moment.color
            partners = action.to or ()
            if action.kind == "offer":
                assert partners
                said[view.turn, color, f"{action.give} : {action.take}"] += 1
            elif action.kind in ("counter", "accept"):
                partners = (next(offer.by for offer in view.offers if offer.number == action.offer),)
                counters[view.turn, color, partners[0]] += action.kind == "counter"
                accepted += action.kind == "accept"
            if action.kind in TALK:
                assert all(view.points(other) < view.raw.points_to_win - 2 for other in partners)
        assert max(said.values()) == 1
        assert max(Counter((turn, color) for turn, color, _ in said).values()) <= OWN_OFFERS
        assert max(counters.values(), default=0) <= 1
    assert accepted or RULES[number]["players"] == 2


def test_games_end_by_a_win() -> None:
    for seed in range(12):
        *_, last = moments(seed, **RULES[seed % len(RULES)])
        assert last.game.winner is not None, f"{seed}: nobody won in {last.game.turn} turns"


@pytest.mark.parametrize("make", [Medium, FEW_WORLDS])
def test_one_that_does_not_trade_says_no_to_everything(make: Any) -> None:
    kinds: Counter[str] = Counter()
    for seed in range(3):
        for moment in moments(seed, lambda name: make(name, trades=not name.endswith("red")), **RULES[0]):
            if moment.color == "red":
                kinds[moment.action.kind] += 1
    assert kinds["reject"] > 5
    assert not set(kinds) & set(TALK)


def test_what_helps_is_accepted_but_not_from_one_who_is_about_to_win() -> None:
    hands = NOBODY_HAS_ANYTHING | {"red": "1 grain", "blue": "3 ore 1 grain 1 wool"}
    chosen = []
    for points in (2, 8):
        game = at_main(hands)
        game.referee.state.points[0] = points
        game.play("offer 1 grain : 1 wool to blue", by="red")
        chosen.append(_kind(Medium(), game.view("blue")))
    assert chosen == ["accept", "reject"]


def test_a_player_who_is_about_to_win_is_offered_nothing() -> None:
    hands = NOBODY_HAS_ANYTHING | {"red": "3 ore 1 grain 1 wool", "blue": "2 grain"}
    game = at_main(hands)
    assert _kind(Medium(), game.view("red")) == "offer"
    game.referee.state.points[1] = 8
    assert _kind(Medium(), game.view("red")) != "offer"


def _kind(player: Medium, view: SeatView) -> str:
    return _action(view, player.choose(view)).kind


def _action(view: SeatView, code: int) -> Action:
    return Action.of_code(code, view.colors)


# --- memory --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("make", "seeds"), [(Medium, range(6)), (FEW_WORLDS, range(2))])
def test_made_anew_for_every_question_it_plays_the_same_game(make: Any, seeds: range) -> None:
    for seed in seeds:
        rules = RULES[seed % len(RULES)]
        *_, last = moments(seed, make, **rules)
        *_, again = moments(seed, lambda name: Anew(partial(make, name)), **rules)
        assert any(action.kind == "offer" for action in last.game.actions)
        assert again.game.steps == last.game.steps


def test_offers_of_an_earlier_turn_may_be_made_again() -> None:
    view = at_main(NOBODY_HAS_ANYTHING | {"red": "3 ore 1 grain 1 wool", "blue": "2 grain"}).view("red")
    offer = Medium().choose(view)
    player = Medium()
    player.remind(view.turn - 1, [_action(view, offer)])
    assert player.choose(view) == offer
    player.remind(view.turn, [_action(view, offer)])
    assert player.choose(view) != offer


# --- what it says --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("make", [Medium, FEW_WORLDS])
def test_it_explains_its_choice_first_and_the_others_by_their_chances(make: Any) -> None:
    said = 0
    for moment in moments(3, make, **RULES[0]):
        thoughts = moment.player.explain()  # type: ignore[attr-defined]
        assert 1 <= len(thoughts) <= 5
        assert thoughts[0].action == moment.action, (moment.view, [str(t.action) for t in thoughts])
        assert len({thought.action for thought in thoughts}) == len(thoughts)
        assert all(0 < thought.chance <= 1 for thought in thoughts), (moment.view, thoughts)
        others = [thought.chance for thought in thoughts[1:]]
        assert others == sorted(others, reverse=True)
        said += len(thoughts) == 5
    assert said > 10


def test_before_its_first_choice_it_has_nothing_to_explain() -> None:
    assert Medium().explain() == []


# --- honesty -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("who", ["medium", "hard@2"])
def test_in_another_world_that_looks_the_same_it_chooses_the_same(who: str) -> None:
    report = check_bot(who, editions=["fifth"], games=4)
    assert report.worlds > 100


def test_expert_thinks_for_the_time_it_is_given() -> None:
    view = Game(edition="fifth", seed=1, first=0, compiled=True).view("red")
    Expert(1, Effort(steps=1)).choose(view)
    begun = time.perf_counter()
    code = Expert(1, Effort(seconds=0.3)).choose(view)
    assert 0.25 < time.perf_counter() - begun < 3
    assert view.why_not(code) is None
