"""What a compiled player has in mind, byte by byte."""

from __future__ import annotations

from typing import Final

from hexholm.rules.compilation.kernels import FloatArray, IntArray, Struct, array_field, scalar_field
from hexholm.rules.encoding.lanes import N_KINDS
from hexholm.rules.encoding.structs import SEATS
from hexholm.rules.places import N_CORNERS

from .feature_numbers import FEATURES

HIDDEN_UNITS: Final = 32
"""Units of the judgment between features and strength."""
ROWS: Final = FEATURES + 2
"""Rows of HIDDEN_UNITS numbers of a side: the weights of each feature, offsets, output weights."""
SIDE_SIZE: Final = ROWS * HIDDEN_UNITS
NET_SIZE: Final = 2 * SIDE_SIZE
"""Numbers of a judgment: one side for the own seat, one for the others."""

POSITION, TRIAL, HOLDER = range(3)
"""What is kept about the seats: in the position at hand, in one that is tried, and as if each were the own seat."""

CHOICES: Final = 256
"""Actions a player can weigh at once."""
OWN_OFFERS: Final = 3
"""Offers a player makes on a turn."""
MOST_FAILED_OFFERS: Final = 128
"""Offers that came to nothing which a player keeps in mind; should there be more, the oldest are forgotten."""
PLAIN, SHREWD, DARING = range(3)
"""Traders: one looks for a plain offer that both should like, one for the best that somebody should agree to, and one
for the best of many more, to which somebody may."""
MOST_PLAN_ROADS: Final = 5
"""Roads that a plan for a turn may have."""


class Mind(Struct):
    """Scratch of one player at one decision."""

    # the board, by corner
    dots: IntArray = array_field("i1", N_CORNERS)
    dots_by_kind: IntArray = array_field("i1", N_CORNERS, N_KINDS)
    # what is known about the seats, whatever the state at hand says
    hand_size: IntArray = array_field("i8", SEATS)  # resource cards
    card_count: IntArray = array_field("i8", SEATS)  # development cards
    likely: IntArray = array_field("i8", SEATS)  # the most likely hand (lanes)
    mean: FloatArray = array_field("f8", SEATS, N_KINDS)  # expected cards by kind
    unseen_cards: int = scalar_field("i8")  # development cards in the deck or in others' hands (lanes)
    length: IntArray = array_field("i8", SEATS)  # longest roads
    old_length: IntArray = array_field("i8", SEATS)  # and before a trial
    # the judgment
    x: FloatArray = array_field("f8", FEATURES)
    h: FloatArray = array_field("f8", HIDDEN_UNITS)
    unit_sums: FloatArray = array_field("f8", 3, SEATS, HIDDEN_UNITS)  # what the units make of a seat but for its cards
    waits: FloatArray = array_field("f8", 3, SEATS, N_KINDS)  # rolls until a card of a kind comes
    strength: FloatArray = array_field("f8", SEATS)
    trial: FloatArray = array_field("f8", SEATS)
    # the position at hand, to tell what a trial changes
    holders_ready: int = scalar_field("i8")  # seats whose HOLDER is filled, as bits
    public_strength: float = scalar_field("f8")  # the own strength as the others see it
    holder_strength: FloatArray = array_field("f8", SEATS)  # and their strengths with the hands they most likely hold
    was_settlements: IntArray = array_field("i8", SEATS)
    was_cities: IntArray = array_field("i8", SEATS)
    was_paths_lo: IntArray = array_field("i8", SEATS)
    was_paths_hi: IntArray = array_field("i8", SEATS)
    was_played: IntArray = array_field("i8", SEATS)
    was_points: IntArray = array_field("i8", SEATS)
    was_hand_size: IntArray = array_field("i8", SEATS)
    was_lead: FloatArray = array_field("f8", SEATS)
    was_sites: int = scalar_field("i8")
    was_robber: int = scalar_field("i8")
    was_longest: int = scalar_field("i8")
    was_road_record: int = scalar_field("i8")
    was_army: int = scalar_field("i8")
    was_active: int = scalar_field("i8")
    was_roll_to_come: int = scalar_field("i8")
    was_placing: int = scalar_field("i8")
    # what was weighed
    n_choices: int = scalar_field("i8")
    code: IntArray = array_field("i8", CHOICES)
    value: FloatArray = array_field("f8", CHOICES)
    candidates: IntArray = array_field("i8", CHOICES)  # offers that look promising
    candidate_values: FloatArray = array_field("f8", CHOICES)
    plain_probability: float = scalar_field("f8")  # the chance after the best action that is no offer
    plain_price: int = scalar_field("i8")  # and what that costs (lanes), where an offer may spend it
    total_weighed: int = scalar_field("i8")  # actions, in playouts
    # a plan for the turn
    plan: IntArray = array_field("i8", MOST_PLAN_ROADS)  # roads (sides)
    next_side: IntArray = array_field("i8", MOST_PLAN_ROADS)  # and what is tried next instead of each
    plans_tried: int = scalar_field("i8")  # ways to set roads that were looked at
    # own offers, as codes of offers to nobody
    failed_offers: IntArray = array_field("i8", MOST_FAILED_OFFERS)  # those of the game that came to nothing
    n_failed_offers: int = scalar_field("i8")
    turn_offers: IntArray = array_field("i8", OWN_OFFERS)  # those of this turn
    n_turn_offers: int = scalar_field("i8")  # below 0: it does not trade at all
    trader: int = scalar_field("i8")  # PLAIN, SHREWD or DARING
    countered: int = scalar_field("i8")  # seats whose offers were countered, as bits
