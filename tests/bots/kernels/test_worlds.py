"""Imagined worlds: each fits what the seat has seen, and they come as often as they are likely."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from math import sqrt
from typing import Any

import numpy as np
import pytest

from hexholm.bots.kernels.choice import take_in_view
from hexholm.bots.kernels.lookahead import COPIES
from hexholm.bots.kernels.mind import Mind
from hexholm.bots.kernels.worlds import draw_world
from hexholm.game.game import Game, SeatView
from hexholm.game.views.sample import _shared_belief
from hexholm.rules.compilation.kernels import IntArray
from hexholm.rules.encoding.lanes import count_cards, covers
from hexholm.rules.encoding.structs import CARD_KINDS, RESOURCES, SEATS, VICTORY_POINT, OpenOffers, State
from hexholm.rules.initial_state import full_deck
from tests.game.scenes import card_names, contradicted_view, misfit, seat_view, short_game
from tests.game.views.bayes import fractions
from tests.rules.scenes import by_seat, scene, traders

from ..scenes import RULES, moments

DRAWS = 2500


def imagined(view: SeatView, draws: int, key: int = 77) -> Iterator[State]:
    """So many worlds that a player imagines."""
    copies = np.zeros((COPIES, State.size), np.uint8)
    mind, open_offers, deck = Mind(), OpenOffers(), full_deck(view.options.edition_data)
    take_in_view(view.raw.buffer, copies, view.raw, open_offers, mind, deck)
    for k in range(draws):
        draw_world(view.raw, copies, 6, key, k, deck)
        yield State(copies[6].copy())


def looks_the_same(view: SeatView, world: State) -> bool:
    """Whether a game in that world looks to the seat as the real one does, with all that it infers."""
    hands = [world.hand[seat] for seat in range(SEATS)]
    belief = _shared_belief(view, hands)
    return (
        Game.at(view.options, view.layout, world, view.raw_open_offers(), belief, compiled=True).view(view.seat) == view
    )


def sizes(of_seats: IntArray) -> list[int]:
    """A number for each seat."""
    return [of_seats[seat] for seat in range(SEATS)]


def hidden_cards(view: SeatView) -> list[int]:
    """How many development cards each of the others holds."""
    return [view.development_count(color) for color in view.colors if color != view.seat]


@pytest.mark.parametrize("number", range(len(RULES)))
def test_every_world_fits_the_view(number: int) -> None:
    looked = unsure = 0
    for i, moment in enumerate(moments(20 + number, **RULES[number])):
        view = moment.view
        raw = view.raw
        if i % 12 or view.turn == 0:
            continue
        joint = {tuple(hands) for hands in view.hand_odds.hands}
        pool = view.hidden_odds.pool
        for world in imagined(view, 3, key=i):
            assert tuple(world.hand[seat] for seat in range(SEATS)) in joint
            assert [count_cards(world.hand[seat]) for seat in range(SEATS)] == sizes(raw.hand_size)
            assert [count_cards(world.development[seat]) for seat in range(SEATS)] == sizes(raw.card_count)
            other_cards = sum(world.development[seat] for seat in range(SEATS) if seat != raw.observer)
            assert covers(pool, other_cards)
            assert world.deck == pool - other_cards
            assert count_cards(world.deck) == raw.deck_size
            assert count_cards(world.new_cards) == raw.new_count
            assert covers(world.development[raw.active], world.new_cards)
            points = (
                world.points[raw.active]
                + (world.development[raw.active] >> 8 * VICTORY_POINT & 127) * world.points_card
            )
            assert points < world.points_to_win
            assert looks_the_same(view, world)
            looked += 1
        unsure += len(joint) > 1
    assert looked >= 60
    assert unsure or len(moment.view.colors) == 2  # of two players each knows what was stolen


def test_worlds_come_by_the_odds_of_all_hidden_histories() -> None:
    """The same yardstick as for `SeatView.sample`: Bayes' rule over everything that may have happened."""
    game, cards, hands = short_game()
    exact = {joint[:4]: probability for joint, probability in fractions(cards.weights).items()}
    expected = {(h, c): p * q for h, p in hands.odds.items() for c, q in exact.items()}
    counts: Counter[Any] = Counter()
    for world in imagined(seat_view(game, 3), DRAWS):
        hand_names = tuple(card_names(world.hand[seat], RESOURCES) for seat in range(4))
        counts[hand_names, tuple(card_names(world.development[seat], CARD_KINDS) for seat in range(4))] += 1
    assert set(counts) <= set(expected)
    misfits, freedom = misfit(counts, expected)
    assert freedom > 40
    assert misfits < freedom + 3 * sqrt(2 * freedom)


@pytest.mark.parametrize("seed", range(3))
def test_worlds_come_by_the_odds_of_the_view_in_games(seed: int) -> None:
    """At the moment with most to be unsure about: unseen thefts, and hidden cards in several hands."""

    def doubt(view: SeatView) -> int:
        held_cards = sorted(hidden_cards(view))
        return min(view.raw.worlds, 12) * held_cards[-1] * held_cards[-2] * (1 + (view.raw.new_count > 0))

    view = max((moment.view for moment in moments(40 + seed, **RULES[0])), key=doubt)
    assert view.raw.worlds > 2
    assert sum(n > 0 for n in hidden_cards(view)) >= 2
    hands: Counter[Any] = Counter()
    cards: dict[int, Counter[int]] = {seat: Counter() for seat in range(4) if seat != view.raw.observer}
    for world in imagined(view, DRAWS, key=seed):
        hands[tuple(world.hand[seat] for seat in range(4))] += 1
        for seat, card_counts in cards.items():
            card_counts[world.development[seat]] += 1
    odds: dict[Any, float] = {}
    for weight, held_cards in zip(view.hand_odds.weights, view.hand_odds.hands, strict=True):
        odds[tuple(held_cards)] = odds.get(tuple(held_cards), 0.0) + weight
    _close(hands, odds)
    for seat, card_counts in cards.items():
        _close(card_counts, view.hidden_odds.odds(seat))


def _close(counts: Counter[Any], odds: Any) -> None:
    assert set(counts) <= set(odds)
    misfits, freedom = misfit(counts, odds)
    assert misfits <= freedom + 4 * sqrt(2 * freedom) + 1e-6


def test_what_one_holds_another_does_not() -> None:
    """Red sees all but two monopolies and five victory points; blue and white have bought a card each."""
    price = "1 wool 1 grain 1 ore"
    cards = by_seat("fifth", "14 knight 2 road-building 2 year-of-plenty")
    game = traders("fifth", "", price, price, dev=cards, turn=1, phases="combined")
    game.buy(1, "monopoly")
    game.pass_turn(2)
    game.buy(2, "victory-point")
    monopoly, point = 1 << 8 * CARD_KINDS.index("monopoly"), 1 << 8 * VICTORY_POINT
    expected = {
        (monopoly, monopoly): Fraction(2 * 1, 7 * 6),
        (monopoly, point): Fraction(2 * 5, 7 * 6),
        (point, monopoly): Fraction(5 * 2, 7 * 6),
        (point, point): Fraction(5 * 4, 7 * 6),
    }
    counts = Counter((world.development[1], world.development[2]) for world in imagined(seat_view(game, 0), DRAWS))
    _close(counts, expected)
    alone = {(hand, other_hand): Fraction(n * m, 49) for hand, n in _ALONE for other_hand, m in _ALONE}
    misfits, freedom = misfit(counts, alone)  # nor do they come as if each had drawn from a pool of its own
    assert misfits > freedom + 10 * sqrt(2 * freedom)


_ALONE = ((1 << 8 * CARD_KINDS.index("monopoly"), 2), (1 << 8 * VICTORY_POINT, 5))


def test_worlds_are_the_same_again_with_the_same_key() -> None:
    game, _, _ = short_game()
    view = seat_view(game, 3)
    worlds, same_worlds, other_worlds = (list(imagined(view, 20, key)) for key in (5, 5, 6))
    assert worlds == same_worlds
    assert worlds != other_worlds
    assert any(world != worlds[0] for world in worlds)


def test_a_smaller_deck_is_dealt_from_all_that_is_unseen() -> None:
    game = scene("fifth", deck="1 monopoly", dev={"red": "1 knight"})
    decks = {world.deck for world in imagined(seat_view(game, "red"), 40)}
    assert len(decks) > 2
    assert {count_cards(deck) for deck in decks} == {1}


def test_when_all_hands_that_fit_were_dropped_the_right_number_of_cards_is_held() -> None:
    view = contradicted_view(capped=1)
    for world in imagined(view, 5):
        assert [count_cards(world.development[seat]) for seat in range(SEATS)] == sizes(view.raw.card_count)
        assert count_cards(world.deck) == view.raw.deck_size
        assert covers(view.hidden_odds.pool, sum(world.development[seat] for seat in range(SEATS) if seat != 1))
