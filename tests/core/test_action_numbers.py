"""act_v1: every number is one action and back; the mask is the legal list."""

from __future__ import annotations

import random

import numpy as np

from hexholm.rules.core.actors import next_without_trade
from hexholm.rules.core.drivers.action_mask import write_mask
from hexholm.rules.encoding import action_codes as act
from hexholm.rules.encoding import action_numbers
from hexholm.rules.encoding.action_numbers import ALL_ACTIONS, SOLO_ACTIONS, code_of_number
from hexholm.rules.encoding.structs import Scratch, State
from hexholm.rules.referee import Referee
from tests.helpers.marks import all_editions


def numbers_by_code(state: State, seat: int) -> dict[int, int]:
    """The numbers of all action codes that have one."""
    return {code_of_number(state, seat, number): number for number in range(ALL_ACTIONS)}


def test_numbers_and_codes_are_one_to_one() -> None:
    state = Referee.new(edition="fifth", first=0, compiled=False).state
    assert len(numbers_by_code(state, state.active)) == ALL_ACTIONS
    assert code_of_number(state, 0, ALL_ACTIONS) == act.NOTHING
    assert code_of_number(state, 0, -1) == act.NOTHING


def test_the_numbers_are_fixed_for_good() -> None:
    """act_v1 is a promise to files and weights: these must never change."""
    game = Referee.new(edition="fifth", first=0, compiled=False)
    words = {
        n: game.action_text(code_of_number(game.state, 0, n))
        for n in (0, 1, 2, 3, 4, 5, 6, 11, 26, 30, 31, 84, 85, 139, 210, 211)
    }
    assert words == {
        0: "roll", 1: "end", 2: "buy", 3: "knight", 4: "road-building", 5: "waive", 6: "monopoly brick",
        11: "year-of-plenty brick brick", 26: "year-of-plenty brick", 30: "year-of-plenty ore", 31: "settlement A1n",
        84: "settlement E3s", 85: "city A1n", 139: "road A1/ne", 210: "road E3/sw", 211: "robber A1",
    }  # fmt: skip
    more = {
        n: game.action_text(code_of_number(game.state, 0, n))
        for n in (230, 234, 239, 258, 279, 298, 299, 319, 369, 418, 419, 474)
    }
    assert more == {
        230: "steal red", 234: "discard-card brick", 239: "supply 4 brick : 1 lumber", 258: "supply 4 ore : 1 grain",
        279: "supply 2 brick : 1 lumber", 298: "supply 2 ore : 1 grain",
        299: "offer 1 brick : 1 lumber to blue white orange",
        319: "offer 2 brick : 1 lumber to blue white orange",
        369: "offer 1 lumber : 2 brick to blue white orange",
        418: "offer 1 grain : 2 ore to blue white orange",
        419: "accept #1", 474: "confirm #8 orange",
    }  # fmt: skip


def test_what_has_no_number_says_so() -> None:
    state = Referee.new(edition="fifth", first=0, compiled=False).state
    to_one = act.offer_action(1, 1 << 8, 2)  # on the menu, but not to all
    for code in (
        to_one,
        act.offer_action(3, 1 << 8, 2),
        act.dice_outcome(3, 4),
        act.discard_action(5),
        act.simple_action(act.STOLEN, 1),
        act.supply_action(0, 5, 1 << 8),
    ):
        assert code not in numbers_by_code(state, state.active)


@all_editions
def test_the_mask_is_the_legal_list(edition: str) -> None:
    game = Referee.new(edition=edition, setup="variable", first=0, compiled=False)
    rng, mask = random.Random(edition), np.ones((1, SOLO_ACTIONS), np.uint8)
    numbers_seen = 0
    for _ in range(700):
        chance = game.chance()
        if chance:
            game.deal(rng.choice(list(chance)))
            continue
        if game.winner is not None:
            break
        seat = next_without_trade(game.state)
        legal = game.legal(seat)
        count = write_mask(game.state, Scratch(), seat, mask, 0)
        numbers = {int(n) for n in np.flatnonzero(mask[0])}
        assert len(numbers) == count
        if game.phase == "discard":
            hand = game.hand(seat)
            assert numbers == {action_numbers.FIRST_DISCARD + kind for kind, n in enumerate(hand.values()) if n}
        else:
            numbered = numbers_by_code(game.state, seat)
            assert numbers == {numbered[code] for code in legal}
            numbers_seen += len(numbers)
        game.play(seat, rng.choice(legal))
    assert numbers_seen > 500


def test_a_discard_can_be_composed_card_by_card() -> None:
    game = Referee.new(edition="fifth", first=0, compiled=False)
    game.state.hand[0] += 0x01_01_01_01_01 * 2
    game.start_belief()
    game.play("red", "roll")
    game.deal("dice 3 4")
    owed = game.state.owed[0]
    assert owed == 6
    whole_discard = game.copy()
    for kind in ("ore", "brick", "wool", "brick", "grain", "ore"):
        game.play("red", f"discard-card {kind}")
    whole_discard.play("red", "discard 2 brick 1 wool 1 grain 2 ore")
    assert game.state == whole_discard.state
    assert game.phase == "robber"
