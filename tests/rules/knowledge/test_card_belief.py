"""What can be inferred about development cards in hand, and what happens when there is too much to keep (INFO-03).

The public belief about a seat: every hidden hand (old cards, cards of this turn) with its number of ordered draws.
"""

from __future__ import annotations

import itertools
import random
from math import comb, isclose, prod

import pytest

from hexholm.rules.encoding.lanes import unpack
from hexholm.rules.encoding.structs import CARD_KINDS, WORLDS
from tests.helpers.legal_texts import legal_texts
from tests.helpers.marks import all_editions

from ..scenes import Scene, by_seat, offer, robbed_often, traders

K, V, R, Y, M = CARD_KINDS
Hand = tuple[str, ...]


def names(lanes: int) -> Hand:
    """Development cards as a sorted row of names."""
    return tuple(kind for kind, n in zip(CARD_KINDS, unpack(lanes), strict=True) for _ in range(n))


def ways(game: Scene, seat: int) -> dict[tuple[Hand, Hand], int]:
    """Old and new cards a seat may hold, with their ways; all observers must agree."""
    pairs = []
    for observer in (*range(game.state.players), None):
        view = game.view(observer)
        hands = range(view.card_hands[seat])
        assert not view.card_capped[seat]
        pairs.append(
            {
                (names(view.card_old[seat, i]), names(view.card_new[seat, i])): round(view.card_ways[seat, i])
                for i in hands
            }
        )
        assert len(pairs[-1]) == len(hands)
    assert all(each == pairs[0] for each in pairs)
    return pairs[0]


def draws(n: int) -> dict[Hand, int]:
    """All hands of n draws, with the number of orders; the box has five victory points, two of each progress card."""
    counts: dict[Hand, int] = {}
    for row in itertools.product(CARD_KINDS, repeat=n):
        hand = tuple(sorted(row, key=CARD_KINDS.index))
        if hand.count(V) <= 5 and all(hand.count(kind) <= 2 for kind in (R, Y, M)):
            counts[hand] = counts.get(hand, 0) + 1
    return counts


def buyer(edition: str, n: int, **scene_options: object) -> Scene:
    """Seat 0 on turn with the price of n cards; trade and build are mixed."""
    return traders(edition, f"{n} wool {n} grain {n} ore", phases="combined", **scene_options)


# --- buying and playing ------------------------------------------------


@pytest.mark.rule("INFO-03", "INFO-06")
@all_editions
@pytest.mark.parametrize("drawn_card", CARD_KINDS)
def test_a_bought_card_may_be_any(edition: str, drawn_card: str) -> None:
    game = buyer(edition, 1)
    assert ways(game, 0) == {((), ()): 1}
    game.buy(0, drawn_card)
    assert ways(game, 0) == {((), (kind,)): 1 for kind in CARD_KINDS}
    assert ways(game, 1) == {((), ()): 1}
    game.pass_turn()
    assert ways(game, 0) == {((kind,), ()): 1 for kind in CARD_KINDS}


@pytest.mark.rule("INFO-03")
@all_editions
@pytest.mark.parametrize("n", [2, 3, 4, 5, 6, 7])
def test_several_cards_count_by_the_orders_of_drawing(edition: str, n: int) -> None:
    game = buyer(edition, n)
    for _ in range(n):
        game.buy(0, K)
    expected = draws(n)
    assert ways(game, 0) == {((), hand): orders for hand, orders in expected.items()}
    assert (expected[(K,) * n], expected[(K,) * (n - 1) + (V,)]) == (1, n)
    game.pass_turn()
    assert ways(game, 0) == {(hand, ()): orders for hand, orders in expected.items()}


def test_worked_by_hand_two_cards() -> None:
    game = buyer("sixth", 2)
    game.buy(0, K)
    game.buy(0, M)
    pairs = ways(game, 0)
    assert len(pairs) == 15
    assert sum(pairs.values()) == 25
    assert (pairs[(), (K, K)], pairs[(), (K, M)], pairs[(), (M, M)]) == (1, 2, 1)


@pytest.mark.rule("INFO-03", "INFO-05")
@all_editions
def test_a_played_card_leaves_the_others_in_doubt(edition: str) -> None:
    game = buyer(edition, 2)
    game.buy(0, K)
    game.buy(0, V)
    game.next_turn_of(0)
    game.play(0, "knight")
    # of 25 rows of two, those with a knight: K K once, K and another kind in two orders
    assert ways(game, 0) == {((K,), ()): 1} | {((kind,), ()): 2 for kind in (V, R, Y, M)}


@pytest.mark.rule("INFO-03")
@all_editions
def test_a_card_of_this_turn_cannot_have_been_the_one_played(edition: str) -> None:
    game = buyer(edition, 2)
    game.buy(0, M)
    game.next_turn_of(0)
    game.roll(2)
    game.buy(0, K)
    game.play(0, "monopoly ore")
    assert ways(game, 0) == {((), (kind,)): 1 for kind in CARD_KINDS}


# --- what cannot be ------------------------------------------------


@pytest.mark.rule("INFO-03", "INFO-05")
@all_editions
def test_kinds_that_have_all_been_played_are_ruled_out(edition: str) -> None:
    game = buyer(
        edition, 2, played=by_seat(edition, "", "1 monopoly", "2 road-building"), dev=by_seat(edition, "", "1 monopoly")
    )
    game.buy(0, K)
    game.buy(0, K)
    twice = ways(game, 0)
    assert not [hand for hand in twice if R in hand[1]]  # both lie open
    assert not [hand for hand in twice if hand[1].count(M) > 1]  # one lies open, one may be in this hand
    assert [hand for hand in twice if M in hand[1]]
    game.pass_turn()
    game.play(1, "monopoly ore")
    assert ways(game, 0) == {(hand, ()): n for hand, n in draws(2).items() if R not in hand and M not in hand}


@pytest.mark.rule("INFO-03", "INFO-04")
@all_editions
def test_points_that_would_have_won_are_ruled_out(edition: str) -> None:
    nine = {"cities": by_seat(edition, "A1n A3n C1nw C5ne"), "settlements": by_seat(edition, "C3n")}
    game = buyer(edition, 2, **nine)
    assert game.points(0) == 9
    game.buy(0, K)
    assert ways(game, 0) == {((), (kind,)): 1 for kind in (K, R, Y, M)}  # with a point the game would be over
    eight = buyer(edition, 2, cities=nine["cities"])
    eight.buy(0, V)
    assert ways(eight, 0) == {((), (kind,)): 1 for kind in CARD_KINDS}
    eight.buy(0, K)
    assert ways(eight, 0) == {((), hand): n for hand, n in draws(2).items() if hand != (V, V)}


@pytest.mark.rule("INFO-04")
@all_editions
def test_points_of_a_waiting_player_are_ruled_out_when_the_own_turn_begins(edition: str) -> None:
    game = buyer(edition, 1, cities=by_seat(edition, "A1n A3n C1nw C5ne"))
    game.buy(0, K)
    game.pass_turn(12)
    game.state.points[0] = 9  # as if an award came over to seat 0
    game.pass_turn(12)
    game.pass_turn(12)
    assert ((V,), ()) in ways(game, 0)  # nobody wins on the turn of another
    game.pass_turn()
    assert game.state.active == 0
    assert ways(game, 0) == {((kind,), ()): 1 for kind in (K, R, Y, M)}


@pytest.mark.rule("INFO-03")
@all_editions
@pytest.mark.parametrize("seed", [1, 2])
def test_the_true_cards_are_always_among_those_thought_possible(edition: str, seed: int) -> None:
    pick = random.Random(seed)
    game = traders(
        edition,
        *["4 wool 4 grain 4 ore"] * 4,
        settlements=by_seat(edition, "C3n", "B2n", "D2s", "E3n"),
        phases="combined",
    )
    draw_count = 0
    for _ in range(80):
        draw_count += game.phase == "draw"
        if chances := game.chance():
            game.deal(pick.choices(list(chances), [float(odds) for odds in chances.values()])[0])
        elif game.phase == "over":
            break
        else:
            acting_seat = game.to_act()[0]
            texts = legal_texts(game, acting_seat)
            liked = [text for text in texts if text in ("buy", "knight") or text.startswith(("year", "road-b"))]
            game.play(acting_seat, pick.choice(liked or texts))
        new = game.state.new_cards
        for seat in range(4):
            view, fresh = game.view(None), new if seat == game.state.active else 0
            thought = [(view.card_old[seat, i], view.card_new[seat, i]) for i in range(view.card_hands[seat])]
            assert (game.state.development[seat] - fresh, fresh) in thought
    assert draw_count >= 4


# --- more than there is room for ------------------------------------------------


@pytest.mark.rule("INFO-07")
@all_editions
@pytest.mark.parametrize("n", [4, 5, 6])
def test_worlds_that_fit_are_all_kept_with_their_odds(edition: str, n: int) -> None:
    game = robbed_often(edition, " ".join("brick lumber wool grain ore brick".split()[:n]))
    view = game.view(2)
    hands = [row for row in itertools.product(range(5), repeat=5) if sum(row) == n]  # at most four of each kind
    assert len(hands) == {4: 70, 5: 121, 6: 185}[n] <= WORLDS
    assert (view.worlds, view.capped) == (len(hands), 0)
    odds = {unpack(view.world_hand[i, 0]): view.world_weight[i] for i in range(view.worlds)}
    for row in hands:
        assert isclose(odds[row], prod(comb(4, k) for k in row) / comb(20, n))


@pytest.mark.rule("INFO-07")
@all_editions
def test_too_many_worlds_are_cut_with_a_flag(edition: str) -> None:
    game = robbed_often(edition, "brick lumber wool grain ore brick lumber")
    for observer in (2, 3, None):
        view = game.view(observer)
        assert view.capped == 1
        assert isclose(sum(view.world_weight[i] for i in range(view.worlds)), 1)
    for observer in (0, 1):
        view = game.view(observer)
        assert (view.worlds, view.capped) == (1, 0)  # they saw every card


@pytest.mark.rule("INFO-07")
@all_editions
def test_a_belief_that_was_cut_is_never_empty(edition: str) -> None:
    """What a seat shows to hold must never leave an observer with no hand at all that is possible."""
    game = robbed_often(edition, "brick brick brick brick lumber lumber lumber")
    game.play(0, "supply 4 brick : 1 ore")
    game.play(0, offer(game, "3 lumber : 1 grain", 1))
    for observer in (2, 3, None):
        view = game.view(observer)
        assert view.worlds >= 1
        assert isclose(sum(view.world_weight[i] for i in range(view.worlds)), 1)
        for i in range(view.worlds):
            sizes = [sum(unpack(view.world_hand[i, seat])) for seat in range(4)]
            assert sizes == [view.hand_size[seat] for seat in range(4)]
            # all hands together are what the supply lacks, the own hand is known, and what was shown is there
            whole = [sum(kind) for kind in zip(*(unpack(view.world_hand[i, seat]) for seat in range(4)), strict=True)]
            assert whole == [19 - n for n in unpack(game.state.supply)]
            if observer is not None:
                assert view.world_hand[i, observer] == game.state.hand[observer]
            assert unpack(view.world_hand[i, 0])[1] >= 3
