"""Nature's side of the game: which outcomes are open now, with which odds, and how a key decides them.

The seeded dealer of a friendly game and the inlined generator of simulations are the functions below, so game i of
a simulation replays as a game with the same key.
"""

from __future__ import annotations

from ..compilation.kernels import inline, kernel, popcount
from ..encoding import action_codes as act
from ..encoding.action_codes import dice_outcome, first_die_of, kind_of, parameter_of, second_die_of, simple_action
from ..encoding.lanes import N_KINDS, count, count_cards
from ..encoding.phases import DICE_FALL, DRAW, START_ROLL, THEFT
from ..encoding.structs import State
from ..random_numbers import STREAM_CARDS, STREAM_DICE, STREAM_START, STREAM_THEFT, draw_below
from .legal import nth_bit


@inline
def pick_kind(cards: int, index: int) -> int:
    """Kind of card number `index` when the cards lie sorted."""
    for kind in range(4):
        n = count(cards, kind)
        if index < n:
            return kind
        index -= n
    return 4


@inline
def draw_stream(s: State) -> int:
    """The stream of random numbers that decides the pending outcome."""
    if s.phase == DICE_FALL:
        return STREAM_DICE
    if s.phase == THEFT:
        return STREAM_THEFT
    if s.phase == DRAW:
        return STREAM_CARDS
    return STREAM_START


@inline
def draw_count(s: State, draws: int) -> int:
    """The number of the pending outcome in its stream.

    Dice are counted by turns and cards by what is left of the deck, so neither moves the other; `draws` counts thefts
    and starting rolls (:func:`draws_used`).
    """
    if s.phase == DICE_FALL:
        return s.turn_number
    if s.phase == DRAW:
        return count_cards(s.deck)
    return draws


@inline
def outcome_at(s: State, index: int) -> int:
    """Number `index` of the chances of the pending outcome (:func:`odds_total`): dice and cards in their order."""
    if s.phase == THEFT:
        return simple_action(act.STOLEN, pick_kind(s.hand[s.victim], index))
    if s.phase == DRAW:
        return simple_action(act.DRAWN, pick_kind(s.deck, index))
    pair = nth_bit(s.dice_bag, index) if s.phase == DICE_FALL and s.balanced_dice else index
    return dice_outcome(pair // 6 + 1, pair % 6 + 1)


@inline
def decide_outcome(s: State, key: int, draws: int) -> int:
    """The action of Nature that the key decides; `draws` as in :func:`draw_count`."""
    total = odds_total(s)
    if total == 0:
        return act.NOTHING
    return outcome_at(s, draw_below(total, key, draw_stream(s), draw_count(s, draws)))


@inline
def draws_used(phase: int) -> int:
    """By how much the outcome of this phase moves the counter that :func:`draw_count` takes."""
    return 1 if phase == THEFT or phase == START_ROLL else 0


@kernel
def odds_of_outcome(s: State, code: int) -> int:
    """Chances in favour of an outcome, out of :func:`odds_total`; 0 if it cannot happen now."""
    kind = kind_of(code)
    parameter = parameter_of(code)
    if kind == act.DICE and (s.phase == DICE_FALL or s.phase == START_ROLL):
        a = first_die_of(code)
        b = second_die_of(code)
        if a < 1 or a > 6 or b < 1 or b > 6:
            return 0
        if s.phase == DICE_FALL and s.balanced_dice:
            return (s.dice_bag >> (6 * (a - 1) + b - 1)) & 1
        return 1
    if kind == act.STOLEN and s.phase == THEFT and parameter < N_KINDS:
        return count(s.hand[s.victim], parameter)
    if kind == act.DRAWN and s.phase == DRAW and parameter < N_KINDS:
        return count(s.deck, parameter)
    return 0


@kernel
def odds_total(s: State) -> int:
    """All chances of the pending outcome; 0 if none is pending."""
    if s.phase == DICE_FALL and s.balanced_dice:
        return popcount(s.dice_bag)
    if s.phase == DICE_FALL or s.phase == START_ROLL:
        return 36
    if s.phase == THEFT:
        return count_cards(s.hand[s.victim])
    if s.phase == DRAW:
        return count_cards(s.deck)
    return 0
