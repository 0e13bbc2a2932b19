"""What can be inferred about hidden cards, against fractions worked out by hand (INFO-01, INFO-03, INFO-07 to INFO-09).

Odds come from chance alone: what players choose to do counts as certain wherever it is legal.
"""

from __future__ import annotations

import random
from collections import defaultdict
from fractions import Fraction
from typing import Any

import pytest

from hexholm.rules.encoding import action_codes as act
from hexholm.rules.encoding.structs import CARD_KINDS
from hexholm.rules.referee import Referee
from hexholm.rules.setup.editions import EDITIONS
from tests.helpers.marks import all_editions
from tests.helpers.random_play import carry_out

from ..scenes import Scene, by_seat, cards, hand_text, offer, text_of, traders

OUTSIDERS = (2, 3, None)  # all but the thief, seat 0, and the victim, seat 1
World = tuple[str, ...]
Histories = list[tuple[Referee, Fraction]]
HALF, THIRD = Fraction(1, 2), Fraction(1, 3)


def worlds(game: Referee, observer: int | None) -> dict[World, Fraction]:
    """The joint hands an observer thinks possible, as texts, with their odds."""
    view = game.view(observer)
    weights = [view.world_weight[i] for i in range(view.worlds)]
    assert abs(sum(weights) - 1) < 1e-9
    joint = [tuple(text_of(view.world_hand[i, seat]) for seat in range(game.state.players)) for i in range(view.worlds)]
    assert len(set(joint)) == len(joint)
    return {hands: Fraction(weight).limit_denominator(10**6) for hands, weight in zip(joint, weights, strict=True)}


def hand_odds(game: Referee, observer: int | None, seat: int) -> dict[str, Fraction]:
    """The odds of the hands of one seat."""
    odds: dict[str, Fraction] = defaultdict(Fraction)
    for hands, weight in worlds(game, observer).items():
        odds[hands[seat]] += weight
    return odds


def robbed(edition: str, thief: str, victim: str, stolen_kind: str, *other_hands: str, **scene_options: Any) -> Scene:
    """Seat 0 has just robbed seat 1, who lives at B2n, and goes on with the turn."""
    scene_options.setdefault("settlements", by_seat(edition, "", "B2n"))
    game = traders(edition, thief, victim, *other_hands, phase="robber", **scene_options)
    game.state.rolled = 1  # a seven: the turn goes on after the theft
    rob(game, 0, "A2", stolen_kind)
    return game


def rob(game: Scene, thief: int, target: str, stolen_kind: str) -> None:
    """Carry out a robber move that hits one victim."""
    game.play(thief, f"robber {target}")
    game.deal(f"stolen {stolen_kind}")


def next_seven(game: Scene, thief: int, target: str, stolen_kind: str) -> None:
    """On to the turn of `thief`, who rolls a seven and robs."""
    game.next_turn_of(thief)
    game.roll(7)
    rob(game, thief, target, stolen_kind)


# --- thefts ------------------------------------------------


@pytest.mark.rule("INFO-07", "INFO-09")
@all_editions
@pytest.mark.parametrize("stolen_kind", ["brick", "wool"])
def test_a_theft_between_others_splits_by_the_cards_of_the_victim(edition: str, stolen_kind: str) -> None:
    game = robbed(edition, "1 ore", "1 brick 2 wool", stolen_kind)
    for observer in OUTSIDERS:
        assert worlds(game, observer) == {
            ("1 brick 1 ore", "2 wool", "nothing", "nothing"): THIRD,
            ("1 wool 1 ore", "1 brick 1 wool", "nothing", "nothing"): 2 * THIRD,
        }
    for observer in (0, 1):
        assert worlds(game, observer) == {(hand_text(game, 0), hand_text(game, 1), "nothing", "nothing"): Fraction(1)}


@pytest.mark.rule("INFO-07")
@all_editions
@pytest.mark.parametrize("players", [3, 4])
def test_a_hand_of_one_kind_leaves_no_doubt(edition: str, players: int) -> None:
    game = robbed(edition, "", "3 wool", "wool", players=players)
    for observer in (*range(players), None):
        assert worlds(game, observer) == {("1 wool", "2 wool", *["nothing"] * (players - 2)): Fraction(1)}


@pytest.mark.rule("INFO-07")
def test_two_thefts_from_one_victim_add_up() -> None:
    # brick-wool 1/3 * 1, wool-brick 2/3 * 1/2, wool-wool 2/3 * 1/2
    game = robbed("sixth", "", "1 brick 2 wool", "wool", dev={"red": "1 knight"})
    game.play(0, "knight")
    rob(game, 0, "B2", "brick")
    for observer in OUTSIDERS:
        assert hand_odds(game, observer, 0) == {"1 brick 1 wool": 2 * THIRD, "2 wool": THIRD}
        assert hand_odds(game, observer, 1) == {"1 wool": 2 * THIRD, "1 brick": THIRD}


def test_a_stolen_card_may_be_stolen_on() -> None:
    game = robbed("sixth", "1 ore", "1 brick 1 wool", "wool", settlements=by_seat("sixth", "D2s", "B2n"))
    next_seven(game, 2, "E2", "wool")  # seat 2 robs seat 0 of the ore, or of what it stole
    quarter = Fraction(1, 4)
    all_odds = {
        ("1 brick", "1 wool", "1 ore", "nothing"): quarter,
        ("1 wool", "1 brick", "1 ore", "nothing"): quarter,
        ("1 ore", "1 wool", "1 brick", "nothing"): quarter,
        ("1 ore", "1 brick", "1 wool", "nothing"): quarter,
    }
    assert worlds(game, 3) == worlds(game, None) == all_odds
    assert worlds(game, 1) == {  # knows the first card, not the second
        ("1 wool", "1 brick", "1 ore", "nothing"): HALF,
        ("1 ore", "1 brick", "1 wool", "nothing"): HALF,
    }
    assert worlds(game, 0) == worlds(game, 2) == {("1 ore", "1 brick", "1 wool", "nothing"): Fraction(1)}


def test_the_kind_one_steals_says_something_about_earlier_thefts() -> None:
    # Seat 0 holds a brick and robs brick or wool. Seat 2 then draws a brick from it: certain with two bricks, else 1/2.
    game = robbed("sixth", "1 brick", "1 brick 1 wool", "wool", settlements=by_seat("sixth", "D2s", "B2n"))
    next_seven(game, 2, "E2", "brick")
    assert hand_odds(game, 2, 0) == {"1 brick": 2 * THIRD, "1 wool": THIRD}
    assert hand_odds(game, 3, 2) == {"1 brick": Fraction(3, 4), "1 wool": Fraction(1, 4)}


# --- what rules worlds out ------------------------------------------------


@pytest.mark.rule("INFO-09")
@all_editions
def test_a_payment_proves_the_cards(edition: str) -> None:
    game = robbed(edition, "1 lumber", "1 brick 3 wool", "brick", settlements=by_seat(edition, "C3n", "B2n"))
    assert hand_odds(game, 2, 0) == {"1 brick 1 lumber": Fraction(1, 4), "1 lumber 1 wool": Fraction(3, 4)}
    game.play(0, "road C3/ne")
    for observer in OUTSIDERS:
        assert worlds(game, observer) == {("nothing", "3 wool", "nothing", "nothing"): Fraction(1)}


def test_a_payment_that_all_worlds_can_make_changes_no_odds() -> None:
    game = robbed("fifth", "4 ore", "1 brick 3 wool", "brick")
    game.play(0, "supply 4 ore : 1 grain")
    assert hand_odds(game, 2, 0) == {"1 brick 1 grain": Fraction(1, 4), "1 wool 1 grain": Fraction(3, 4)}


def test_a_supply_trade_proves_the_cards() -> None:
    game = robbed("fifth", "3 wool", "1 brick 1 wool", "wool")
    game.play(0, "supply 4 wool : 1 ore")
    assert worlds(game, 3) == {("1 ore", "1 brick", "nothing", "nothing"): Fraction(1)}


@pytest.mark.rule("INFO-09", "TRADE-14.e4")
@all_editions
def test_an_offer_proves_what_it_gives(edition: str) -> None:
    game = robbed(edition, "", "1 brick 2 wool", "wool", "1 ore")
    before = worlds(game, 3)
    game.play(2, offer(game, "1 ore : 1 brick", 0))
    game.play(0, "reject #1")  # a no proves nothing: seat 0 may or may not hold a brick
    assert worlds(game, 3) == before
    game.refused(0, offer(game, "1 brick : 1 ore", 2), "TRADE-14")
    assert worlds(game, 3) == before
    game.play(0, offer(game, "1 wool : 1 ore", 2))
    game.play(0, "withdraw #1")
    for observer in OUTSIDERS:
        assert worlds(game, observer) == {("1 wool", "1 brick 1 wool", "1 ore", "nothing"): Fraction(1)}


@pytest.mark.rule("INFO-09")
@all_editions
def test_a_counter_offer_proves_what_it_gives(edition: str) -> None:
    game = robbed(edition, "", "1 brick 2 wool", "brick", "1 ore")
    game.play(2, offer(game, "1 ore : 1 wool", 0))
    game.play(0, "counter #1 1 brick : 1 ore")
    for observer in OUTSIDERS:
        assert hand_odds(game, observer, 0) == {"1 brick": Fraction(1)}


@pytest.mark.rule("INFO-09")
@all_editions
def test_a_yes_proves_what_is_asked_for_even_if_nothing_comes_of_it(edition: str) -> None:
    game = robbed(edition, "1 ore", "1 brick 2 wool", "brick")
    game.play(0, offer(game, "1 ore : 2 wool", 1, 2))
    assert hand_odds(game, 3, 1) == {"2 wool": THIRD, "1 brick 1 wool": 2 * THIRD}
    game.play(1, "accept #1")
    for observer in OUTSIDERS:
        assert worlds(game, observer) == {("1 brick 1 ore", "2 wool", "nothing", "nothing"): Fraction(1)}
    game.play(1, "reject #1")
    game.play(0, "withdraw #1")
    assert hand_odds(game, 3, 1) == {"2 wool": Fraction(1)}


@pytest.mark.rule("INFO-09", "TRADE-13.e1")
@all_editions
def test_an_exchange_proves_both_sides(edition: str) -> None:
    game = robbed(edition, "1 ore", "2 brick 2 wool", "wool")
    assert hand_odds(game, 2, 1) == {"1 brick 2 wool": HALF, "2 brick 1 wool": HALF}
    game.play(0, offer(game, "1 ore : 2 brick", 1))
    game.play(1, "accept #1")
    for observer in OUTSIDERS:
        assert worlds(game, observer) == {("2 brick 1 wool", "1 wool 1 ore", "nothing", "nothing"): Fraction(1)}


@pytest.mark.rule("INFO-08")
@all_editions
@pytest.mark.parametrize("choice", ["4 lumber", "1 brick 3 lumber"])
def test_discards_prove_their_kinds(edition: str, choice: str) -> None:
    game = robbed(edition, "7 lumber", "1 brick 1 wool", "brick")
    game.pass_turn()
    game.roll(7)
    before = worlds(game, 2)
    assert before == {
        ("1 brick 7 lumber", "1 wool", "nothing", "nothing"): HALF,
        ("7 lumber 1 wool", "1 brick", "nothing", "nothing"): HALF,
    }
    game.play(0, f"discard {choice}")
    odds_kept = {
        "4 lumber": {"1 brick 3 lumber": HALF, "3 lumber 1 wool": HALF},
        "1 brick 3 lumber": {"4 lumber": Fraction(1)},
    }
    assert hand_odds(game, 2, 0) == odds_kept[choice]


def test_discards_prove_nothing_before_the_last_is_in() -> None:
    game = robbed("fifth", "7 lumber", "1 brick 1 wool", "brick", "8 ore")
    game.pass_turn()
    game.roll(7)
    before = worlds(game, 3)
    game.play(0, "discard 1 brick 3 lumber")
    assert worlds(game, 3) == before
    game.play(2, "discard 4 ore")
    assert worlds(game, 3) == {("4 lumber", "1 wool", "4 ore", "nothing"): Fraction(1)}


@pytest.mark.rule("INFO-09")
@all_editions
@pytest.mark.parametrize("kind, odds", [("brick", {"1 wool": HALF, "1 ore": HALF}), ("wool", {"nothing": Fraction(1)})])
def test_monopoly_shows_who_held_how_many(edition: str, kind: str, odds: dict[str, Fraction]) -> None:
    game = robbed(edition, "", "1 brick 1 wool 1 ore", "wool", "1 brick", "1 brick")
    game.pass_turn()
    game.roll(2)
    assert hand_odds(game, 2, 0) == {"1 brick": THIRD, "1 wool": THIRD, "1 ore": THIRD}
    give_card(game, 1, "monopoly")
    game.play(1, f"monopoly {kind}")
    for observer in OUTSIDERS:
        assert hand_odds(game, observer, 0) == odds


def give_card(game: Scene, seat: int, card: str) -> None:
    """Put a development card into a hand, known to all; what is believed of resources stays."""
    game.state.development[seat] += cards(f"1 {card}", CARD_KINDS)
    game.state.deck -= cards(f"1 {card}", CARD_KINDS)
    game.belief.card_old[seat, 0] += cards(f"1 {card}", CARD_KINDS)


def test_monopoly_weighs_the_worlds_it_leaves() -> None:
    # Two of 2 brick 1 wool 1 ore are stolen: bb 1/6, bw 1/3, bo 1/3, wo 1/6. One brick handed over: bw and bo are left.
    game = robbed(
        "sixth", "", "2 brick 1 wool 1 ore", "brick", "1 grain", dev=by_seat("sixth", "1 knight", "1 monopoly")
    )
    game.play(0, "knight")
    rob(game, 0, "B2", "ore")
    sixth = Fraction(1, 6)
    odds = {"2 brick": sixth, "1 brick 1 wool": THIRD, "1 brick 1 ore": THIRD, "1 wool 1 ore": sixth}
    assert hand_odds(game, 2, 0) == odds
    game.pass_turn()
    game.play(1, "monopoly brick")
    assert worlds(game, 2) == {
        ("1 wool", "2 brick 1 ore", "1 grain", "nothing"): HALF,
        ("1 ore", "2 brick 1 wool", "1 grain", "nothing"): HALF,
    }


# --- against all histories ------------------------------------------------


def public(game: Referee) -> tuple[object, ...]:
    """What everybody sees of the cards."""
    state = game.state
    return (state.phase, state.active, state.supply, *[sum(game.hand(seat).values()) for seat in range(state.players)])


def follow(histories: Histories, truth: Referee, seat: int, code: int, observer: int | None) -> Histories:
    """The histories one action later: a theft between others branches, all else must be legal and look the same."""
    hidden = act.kind_of(code) == act.STOLEN and observer not in (seat, histories[0][0].state.victim)
    after = []
    for game, odds in histories:
        for outcome, chance in game.chance().items() if game.phase == "theft" else [(code, Fraction(1))]:
            by_chance = act.kind_of(outcome) >= act.DICE
            possible = outcome in game.chance() if by_chance else game.why_not(seat, outcome) is None
            if (hidden or outcome == code) and possible:
                branch = game.copy()
                carry_out(branch, seat, outcome)
                if public(branch) == public(truth):
                    after.append((branch, odds * chance))
    return after


@pytest.mark.rule("INFO-07", "INFO-08", "INFO-09")
@pytest.mark.parametrize("seed", range(8))
def test_the_odds_are_those_of_all_histories(seed: int) -> None:
    """Random play with thefts: every history that fits what an observer saw is kept apart, weighed by its chances."""
    pick = random.Random(seed)
    edition = EDITIONS[seed % len(EDITIONS)]
    rich = [f"{pick.randint(0, 2)} brick {pick.randint(0, 2)} lumber {pick.randint(1, 3)} wool 1 ore" for _ in range(4)]
    places = by_seat(edition, "B2n D4n", "C3n B4n", "D2s A1n", "E3n C1n")
    dev = by_seat(edition, "1 knight", "1 knight", "1 monopoly", "1 knight")
    truth: Referee = traders(edition, *rich, settlements=places, dev=dev, phase="roll")
    observer = None if seed % 2 else seed // 2 % 4
    histories: Histories = [(truth.copy(), Fraction(1))]
    thefts = most = 0
    while thefts < 4:
        acting_seat, code = random_act(truth, pick)
        thefts += truth.phase == "theft" and observer not in (acting_seat, truth.state.victim)
        carry_out(truth, acting_seat, code)
        histories = follow(histories, truth, acting_seat, code, observer)
        if truth.phase == "discard":
            continue  # choices are not known yet
        expected: dict[World, Fraction] = defaultdict(Fraction)
        for game, odds in histories:
            expected[tuple(text_of(game.state.hand[seat]) for seat in range(4))] += odds
        whole = sum(expected.values())
        believed = worlds(truth, observer)
        most = max(most, len(believed))
        assert believed.keys() == expected.keys()
        assert all(abs(believed[hands] - expected[hands] / whole) < Fraction(1, 10**5) for hands in believed)
    assert most >= 4, "this game says little"


def random_act(game: Referee, pick: random.Random) -> tuple[int, int]:
    """Somebody's next action, or Nature's; sevens and offers are frequent."""
    if chances := game.chance():
        if game.phase == "dice" and pick.random() < 0.4:
            return game.state.active, game.action_code("dice 3 4")
        return game.state.active, pick.choices(list(chances), [float(odds) for odds in chances.values()])[0]
    acting_seat = pick.choice(game.to_act())
    legal = [code for code in game.legal(acting_seat) if game.why_not(acting_seat, code) is None]
    if game.phase == "main" and pick.random() < 0.3:
        own = [name for name, n in game.hand(acting_seat).items() if n]
        partners = (
            [seat for seat in range(4) if seat != acting_seat]
            if acting_seat == game.state.active
            else [game.state.active]
        )
        if own:
            give = pick.choice(own)
            want = pick.choice([name for name in game.hand(acting_seat) if name != give])
            text = offer_to(game, f"1 {give} : 1 {want}", pick.sample(partners, pick.randint(1, len(partners))))
            if game.why_not(acting_seat, text) is None:
                return acting_seat, game.action_code(text)
    return (acting_seat, pick.choice(legal)) if legal else random_act(game, pick)


def offer_to(game: Referee, terms: str, to: list[int]) -> str:
    return f"offer {terms} to " + " ".join(game.colors[seat] for seat in to)
