"""SeatView.sample: a whole game that fits all that a seat has seen, by the right odds."""

from __future__ import annotations

import random
from collections import Counter
from fractions import Fraction
from math import sqrt
from typing import Any

import pytest

from hexholm.game.dealers import Seeded
from hexholm.game.game import Game, SeatView
from hexholm.rules.encoding.lanes import count_cards
from hexholm.rules.encoding.phases import PHASES
from hexholm.rules.encoding.structs import CARD_KINDS, RESOURCES, SEATS
from hexholm.rules.initial_state import full_deck
from hexholm.rules.referee import Referee
from hexholm.rules.setup.editions import EDITIONS
from tests.helpers.random_play import carry_out, choose, walk
from tests.helpers.speed import COMPILED
from tests.rules.scenes import robbed_often, scene, traders

from ..scenes import card_names, misfit, seat_view, short_game
from .bayes import BOX, CardsByBayes, Joint, fractions

SAMPLES = 4000


def check(view: SeatView, game: Game) -> None:
    """A sampled game looks to the seat just as the real one, and nothing in it contradicts anything."""
    state, record = game.referee.state, view.raw
    assert game.view(view.seat) == view
    everything = sum(state.development[s] + state.played[s] for s in range(SEATS)) + state.deck
    assert everything == full_deck(view.options.edition_data)
    assert state.supply + sum(state.hand[s] for s in range(SEATS)) == 19 * 0x01_01_01_01_01
    assert count_cards(state.new_cards) == record.new_count
    fresh = [state.new_cards if seat == state.active else 0 for seat in range(SEATS)]
    for seat in range(state.players):
        belief = game.referee.belief
        worlds = range(belief.worlds[seat])
        hands = [[belief.hand[seat, i, s] for s in range(SEATS)] for i in worlds]
        assert [state.hand[s] for s in range(SEATS)] in hands
        assert {hand[seat] for hand in hands} == {state.hand[seat]}  # everybody knows the own hand
        assert abs(sum(belief.weight[seat, i] for i in worlds) - 1) < 1e-9
        if not record.card_capped[seat] and seat != record.observer:
            thought = [(belief.card_old[seat, i], belief.card_new[seat, i]) for i in range(belief.card_hands[seat])]
            assert (state.development[seat] - fresh[seat], fresh[seat]) in thought


@pytest.mark.rule("INFO-01", "INFO-03", "INFO-07")
def test_a_sampled_game_looks_to_the_seat_as_the_real_one() -> None:
    phases: set[str] = set()
    editions: set[str] = set()
    others = seen_at_all = 0
    for number in (2, 3, 6, 10, 13, 20, 22, 25):
        rng = random.Random(number)
        for at, duel in enumerate(walk(number, 500)):
            real = duel.referee
            if at % 7 and real.phase not in ("discard", "victim", "theft", "draw", "free road", "over"):
                continue
            phases.add(real.phase)
            editions.add(real.options.edition)
            view = seat_view(real, rng.choice([*range(real.state.players), None]))
            game = view.sample(rng)
            check(view, game)
            if view.seat is not None:
                assert game.referee.legal(view.seat) == view.legal_actions.codes
            seen_at_all += 1
            others += game.referee.state != real.state
    assert phases == {phase.name for phase in PHASES}
    assert editions == set(EDITIONS)
    assert others > seen_at_all / 4  # or else there was nothing to guess


def test_a_sampled_game_can_be_played_on() -> None:
    for number in (5, 17):
        *_, duel = walk(number, 250)
        rng = random.Random(number)
        view = seat_view(duel.referee, 1)
        for _ in range(3):
            game = view.sample(rng)
            game.deal() if game.chance else None
            for _ in range(60):
                if game.over:
                    break
                seat, code = choose(game.referee, rng)
                assert seat is not None  # the dealer has dealt
                game.play(code, by=seat)
            assert len(game.steps) > 50 or game.over


def test_the_same_seed_gives_the_same_game() -> None:
    *_, duel = walk(13, 300)
    view = seat_view(duel.referee, 0)
    assert view.sample(5) == view.sample(5) == view.sample(random.Random(5))
    assert view.sample(5).dealer == view.sample(5).dealer
    rng = random.Random(5)
    dealers = [view.sample(rng).dealer for _ in range(20)]
    assert all(isinstance(dealer, Seeded) for dealer in dealers)
    assert len(set(map(repr, dealers))) == 20


def test_sampling_leaves_the_game_and_its_chance_alone() -> None:
    game = Game(edition="fifth", setup="fixed", seed=11, compiled=COMPILED)
    twin = game.copy()
    view = game.view("red")
    pickled = pickle_of(view)
    guess = view.sample(1)
    assert guess.dealer != game.dealer
    guess.play("roll")
    assert pickle_of(view) == pickled
    assert game == twin
    game.play("roll")
    twin.play("roll")
    assert game.steps == twin.steps


def pickle_of(view: SeatView) -> bytes:
    return view.raw.buffer.tobytes()


# --- what is hidden in each phase ------------------------------------------------


@pytest.mark.rule("SEVEN-05")
def test_others_have_still_to_choose_their_discards() -> None:
    game = traders("fifth", "8 ore", "9 wool", "8 grain", phase="roll")
    game.roll(7)
    game.play(0, "discard 4 ore")
    game.play(2, "discard 4 grain")
    guess = seat_view(game, 0).sample(1)
    assert guess.to_act == ("blue", "white")
    assert [guess.referee.state.discards[seat] for seat in range(4)] == [game.state.discards[0], 0, 0, 0]
    check(seat_view(game, 0), guess)
    check(seat_view(game, 1), seat_view(game, 1).sample(1))
    assert seat_view(game, 1).sample(1).to_act == ("red", "blue", "white")


def test_open_offers_are_on_the_sampled_table() -> None:
    game = traders("fifth", "2 brick", "1 wool", "1 wool")
    game.play(0, "offer 2 brick : 1 wool to blue white")
    game.play(1, "accept #1")
    guess = seat_view(game, 3).sample(1)
    assert guess.referee.open_offers == game.open_offers
    guess.play("confirm #1 blue")
    assert guess.view("red").hand == {"brick": 0, "lumber": 0, "wool": 1, "grain": 0, "ore": 0}


@pytest.mark.rule("INFO-03", "DEV-04")
def test_old_and_new_cards_of_the_active_player_are_told_apart_by_the_odds() -> None:
    game, mind = traders("fifth", "3 wool 3 grain 3 ore", "", phases="combined", hand_limit=20), CardsByBayes(4, 1)
    for kind in ("knight", "monopoly"):
        game.buy(0, kind)
        mind.note_purchase(0, kind)
    game.next_turn_of(0, 12)
    mind.note_turn_end(0)
    game.roll(12)
    game.play(0, "knight")
    game.play(0, "robber E3")
    mind.note_play(0, "knight")
    game.buy(0, "monopoly")
    mind.note_purchase(0, "monopoly")
    view = seat_view(game, 1)
    expected = {(joint[0], joint[4]): chance for joint, chance in fractions(mind.weights).items()}
    # an old knight and a new monopoly are less likely than the other way round: the old card came with a knight
    assert 2 * expected[("knight",), ("monopoly",)] == expected[("monopoly",), ("knight",)]
    rng = random.Random(7)
    counts: Counter[Any] = Counter()
    for _ in range(SAMPLES):
        state = view.sample(rng).referee.state
        old = state.development[0] - state.new_cards
        counts[card_names(old, CARD_KINDS), card_names(state.new_cards, CARD_KINDS)] += 1
    misfits, freedom = misfit(counts, expected)
    assert freedom > 20
    assert misfits < freedom + 3 * sqrt(2 * freedom)


@pytest.mark.rule("INFO-07")
def test_a_view_that_was_cut_can_be_sampled() -> None:
    game = robbed_often("fifth", "brick lumber wool grain ore brick lumber")
    view = seat_view(game, 2)
    assert not view.exact
    for seed in range(5):
        check(view, view.sample(seed))


def test_many_hidden_cards_can_be_sampled() -> None:
    game = traders("fifth", "10 wool 10 grain 10 ore", "8 wool 8 grain 8 ore", phases="combined", hand_limit=20)
    for kind in "knight victory-point knight monopoly knight knight knight road-building knight".split():
        game.buy(0, kind)
    game.pass_turn(12)
    for kind in "year-of-plenty victory-point knight monopoly knight knight knight".split():
        game.buy(1, kind)
    for observer in (2, None):
        view = seat_view(game, observer)
        for seed in range(5):
            check(view, view.sample(seed))
        assert abs(sum(view.development_odds(0).values()) - 1) < 1e-9


def test_a_smaller_deck_is_dealt_from_all_that_is_unseen() -> None:
    game = scene("fifth", deck="1 monopoly", dev={"red": "1 knight"})
    decks = {seat_view(game, "red").sample(seed).referee.state.deck for seed in range(40)}
    assert len(decks) > 2
    assert {count_cards(deck) for deck in decks} == {1}


# --- the odds ------------------------------------------------


def joint(state_of: Game) -> tuple[Joint, Joint]:
    """Resource hands and development cards of all seats, in words."""
    state = state_of.referee.state
    held = tuple(card_names(state.hand[seat], RESOURCES) for seat in range(4))
    return held, tuple(card_names(state.development[seat], CARD_KINDS) for seat in range(4))


@pytest.mark.rule("INFO-03", "INFO-07")
def test_samples_come_by_the_odds_of_all_hidden_histories() -> None:
    game, cards, hands = short_game()
    view = seat_view(game, 3)
    exact_cards = {joint[:4]: chance for joint, chance in fractions(cards.weights).items()}
    expected = {(h, c): p * q for h, p in hands.odds.items() for c, q in exact_cards.items()}
    assert sum(expected.values()) == 1
    assert len(hands.odds) > 2
    assert len(exact_cards) > 40
    rng = random.Random(2024)
    counts = Counter(joint(view.sample(rng)) for _ in range(SAMPLES))
    assert set(counts) <= set(expected)
    misfits, freedom = misfit(counts, expected)
    assert freedom > 60
    assert misfits < freedom + 3 * sqrt(2 * freedom)
    # the same samples do not fit what one might think: that all unseen cards are equally likely
    flat = _flat(exact_cards)
    misfits, freedom = misfit(counts, {(h, c): p * q for h, p in hands.odds.items() for c, q in flat.items()})
    assert misfits > freedom + 20 * sqrt(2 * freedom)


def _flat(joints: dict[Joint, Fraction]) -> dict[Joint, Fraction]:
    """As if the hidden cards of seats 0 to 2, one or two each, were dealt from all that are not seen."""
    weights: dict[Joint, int] = {}
    for joint in joints:
        box_left = Counter(BOX) - Counter({"knight": 2, "year-of-plenty": 1})
        weight = 1
        for hand in joint[:3]:
            assert len(hand) == 1
            weight *= box_left[hand[0]]
            box_left[hand[0]] -= 1
        weights[joint] = weight
    return fractions(weights)


def test_the_public_samples_too() -> None:
    game, _, _ = short_game()
    view = seat_view(game, None)
    for seed in range(10):
        check(view, view.sample(seed))
    assert len({view.sample(seed).referee.state.development[3] for seed in range(40)}) > 1  # nobody's cards are known


def test_random_games_without_offers_can_be_sampled_too() -> None:
    rng = random.Random(4)
    game = Referee.new(edition="sixth", first=0, compiled=COMPILED)
    for _ in range(120):
        carry_out(game, *choose(game, rng))
    for seat in (*range(4), None):
        check(seat_view(game, seat), seat_view(game, seat).sample(rng))
