"""`medium`, `hard` and `expert`: how they trade, and what they remember."""

from __future__ import annotations

import time
from collections import Counter
from functools import partial
from typing import Any

import pytest

from hexholm.bots.explanation.thoughts import _weigh
from hexholm.bots.kernels.mind import MOST_FAILED_OFFERS, OWN_OFFERS
from hexholm.bots.protocol import Effort
from hexholm.bots.shipped import compiled as compiled_players
from hexholm.bots.shipped.compiled import Expert, Hard, Medium
from hexholm.game.action import Action
from hexholm.game.cards import Cards
from hexholm.game.events import OfferMade, Traded
from hexholm.game.game import Game, SeatView
from hexholm.rules.encoding.structs import RESOURCES
from hexholm.testing import check_bot
from hexholm.testing.watched_bot import RemadeBot

from .scenes import FEW, NOBODY_HAS_ANYTHING, RULES, TALK, at_main, moments

FEW_WORLDS = partial(Hard, effort=FEW)


# --- trade ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("make", "number"), [*((Medium, i) for i in range(len(RULES))), (FEW_WORLDS, 0)])
def test_offers_are_few_never_repeated_and_not_for_a_player_about_to_win(make: Any, number: int) -> None:
    accepted = 0
    for seed in (10 + number, 20 + number):
        offer_counts: Counter[tuple[int, str, str]] = Counter()
        counters: Counter[tuple[int, str, str]] = Counter()
        for moment in moments(seed, make, **RULES[number]):
            view, action, color = moment.view, moment.action, moment.color
            partners = action.to or ()
            if action.kind == "offer":
                assert partners
                offer_counts[view.turn, color, f"{action.give} : {action.want}"] += 1
            elif action.kind in ("counter", "accept"):
                partners = (next(offer.by for offer in view.offers if offer.number == action.offer),)
                counters[view.turn, color, partners[0]] += action.kind == "counter"
                accepted += action.kind == "accept"
            if action.kind in TALK:
                assert all(view.points(partner) < view.raw.points_to_win - 2 for partner in partners)
        assert max(offer_counts.values()) == 1
        assert max(Counter((turn, color) for turn, color, _ in offer_counts).values()) <= OWN_OFFERS
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
    actions = []
    for points in (2, 8):
        game = at_main(hands)
        game.referee.state.points[0] = points
        game.play("offer 1 grain : 1 wool to blue", by="red")
        actions.append(_kind(Medium(), game.view("blue")))
    assert actions == ["accept", "reject"]


def test_a_player_who_is_about_to_win_is_offered_nothing() -> None:
    hands = NOBODY_HAS_ANYTHING | {"red": "3 ore 1 grain 1 wool", "blue": "2 grain"}
    game = at_main(hands)
    assert _kind(Medium(), game.view("red")) == "offer"
    game.referee.state.points[1] = 8
    assert _kind(Medium(), game.view("red")) != "offer"


def _kind(bot: Medium, view: SeatView) -> str:
    return _action(view, bot.choose(view)).kind


def _action(view: SeatView, code: int) -> Action:
    return Action.of_code(code, view.colors)


# --- memory --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("make", "seeds"), [(Medium, range(6)), (FEW_WORLDS, range(2))])
def test_made_anew_for_every_question_it_plays_the_same_game(make: Any, seeds: range) -> None:
    for seed in seeds:
        rules = RULES[seed % len(RULES)]
        *_, last = moments(seed, make, **rules)
        *_, again = moments(seed, lambda name: RemadeBot(partial(make, name)), **rules)
        assert any(action.kind == "offer" for action in last.game.actions)
        assert again.game.steps == last.game.steps


@pytest.mark.parametrize("make", [Medium, FEW_WORLDS])
def test_what_came_to_nothing_is_never_offered_again_in_a_game(make: Any) -> None:
    """Offers and counter-offers: the same cards for the same cards, whoever is asked; unless they were exchanged."""
    offers = again = 0
    for seed in range(30, 38):
        *_, last = moments(seed, make, **RULES[seed % 2])
        failed: set[tuple[object, ...]] = set()
        carried_out: set[tuple[object, ...]] = set()
        for event in last.game.events:
            if isinstance(event, OfferMade):
                terms = event.player, event.give, event.want
                assert terms not in failed, f"{event} again"
                again += terms in carried_out
                failed.add(terms)
                offers += 1
            elif isinstance(event, Traded):
                terms = event.player, event.give, event.take
                failed.discard(terms)
                carried_out.add(terms)
    assert offers > 100
    assert again  # what was carried out may be offered again


def test_offers_of_an_earlier_turn_that_came_to_nothing_are_not_made_again() -> None:
    view = at_main(NOBODY_HAS_ANYTHING | {"red": "3 ore 1 grain 1 wool", "blue": "2 grain"}).view("red")
    offer = Medium().choose(view)
    assert _action(view, offer).kind == "offer"
    for turn in (view.turn, view.turn - 1, view.turn - 40):
        bot = Medium()
        bot.remind(turn, [_action(view, offer)])
        assert bot.choose(view) != offer
    bot = Medium()
    bot.remind(view.turn - 1, [_action(view, offer)])
    bot.remind(view.turn - 1, [])  # that was taken back
    assert bot.choose(view) == offer


def test_an_offer_that_was_carried_out_may_be_made_again_on_another_turn() -> None:
    hands = NOBODY_HAS_ANYTHING | {"red": "3 ore 1 grain 1 wool", "blue": "2 grain"}
    actions = []
    for answer in ("accept", "reject"):
        game, bot = at_main(hands), Medium()
        offer = bot.choose(game.view("red"))
        game.play(_action(game.view("red"), offer), by="red")
        game.play(f"{answer} #1", by="blue")
        bot.choose(game.view("red"))
        later = at_main(hands)
        later.referee.state.turn_number = 5
        actions.append(bot.choose(later.view("red")) == offer)
    assert actions == [True, False]


def test_in_another_game_nothing_is_remembered_of_the_last_one() -> None:
    view = at_main(NOBODY_HAS_ANYTHING | {"red": "3 ore 1 grain 1 wool", "blue": "2 grain"}).view("red")
    bot = Medium()
    offer = bot.choose(view)
    assert bot.choose(view) != offer
    bot.choose(Game(edition="sixth", setup="variable", first=0, seed=1).view("red"))  # turn 0
    assert bot.choose(view) == offer


def test_of_very_many_refused_offers_the_oldest_are_forgotten() -> None:
    view = at_main(NOBODY_HAS_ANYTHING | {"red": "3 ore 1 grain 1 wool", "blue": "2 grain"}).view("red")
    offer = Medium().choose(view)
    other_offers = [
        Action.of(f"offer {a} brick {b} lumber : {c} wool to blue")
        for a in range(1, 6)
        for b in range(1, 6)
        for c in range(1, 7)
    ]
    offers_made = []
    for many in (MOST_FAILED_OFFERS - 1, MOST_FAILED_OFFERS):
        bot = Medium(compiled=False)
        bot.remind(0, [_action(view, offer), *other_offers[:many]])
        offers_made.append(bot.choose(view) == offer)
    assert offers_made == [False, True]


# --- honesty -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("who", "games", "worlds"), [("medium", 4, 100), ("hard@2", 4, 100), ("expert@2", 2, 100)])
def test_in_another_world_that_looks_the_same_it_chooses_the_same(who: str, games: int, worlds: int) -> None:
    report = check_bot(who, editions=["fifth"], games=games)
    assert report.worlds > worlds


def test_expert_thinks_for_the_time_it_is_given(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiled_players, "CLEAR_ERRORS", 1e9)  # as long as nothing is clear
    monkeypatch.setattr(compiled_players, "EVEN_GAP", 0.0)
    view = Game(edition="fifth", seed=1, first=0, compiled=True).view("red")
    Expert(1, Effort(steps=1)).choose(view)
    started_at = time.perf_counter()
    code = Expert(1, Effort(seconds=0.6)).choose(view)
    assert time.perf_counter() - started_at > 0.3
    assert view.why_not(code) is None


def test_what_is_discarded_is_at_least_as_good_as_with_one_card_changed() -> None:
    """Card by card alone is not: the first cards that are given away may be missed with the later ones."""
    n_choices = 0
    for seed in range(30, 36):
        for moment in moments(seed, Medium, edition="fifth", players=4, hand_limit=4):
            if moment.action.kind != "discard" or moment.view.owed() < 2:
                continue
            discarded = moment.action.give or Cards()
            codes = [
                action.code(moment.view.colors)
                for action in moment.view.legal_actions
                if sum(abs((action.give or Cards())[kind] - discarded[kind]) for kind in RESOURCES) <= 2
            ]
            values, _ = _weigh(moment.view, codes, "medium", True)
            assert values[codes.index(moment.code)] >= max(values) - 1e-9
            n_choices += len(codes) > 1
    assert n_choices > 20
