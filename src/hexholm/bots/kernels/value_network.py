"""How likely each seat is to win: a small network, the same for all seats, fitted to games played to their end.

The strength of a seat is one number, made from its features by HIDDEN_UNITS units; its chance is its share of the
powers of e. The own seat is seen with its cards, the others without, so there are two sets of weights
(docs/decisions/0008).

Most of what the units add up does not change from one action to the next. So it is kept for each seat, but for its
cards, in caches: POSITION for the position at hand, TRIAL for one that is tried, HOLDER for other seats seen as if they
were the own one. Looking at another hand is then a matter of the few features that tell of cards.

Sums run in one order and e is taken by a polynomial of our own, so that both speeds give the same bits.
"""

from __future__ import annotations

from typing import Any, Final

from hexholm.rules.compilation.kernels import constant_table, inline, kernel
from hexholm.rules.encoding.lanes import N_KINDS
from hexholm.rules.encoding.phases import BEFORE_ROLL, OVER, PLACE_ROAD
from hexholm.rules.encoding.structs import State
from hexholm.rules.places import CORNERS_OF_HEX

from . import feature_numbers as feature
from .feature_numbers import FEATURES
from .features import fill_hand_sizes, fill_own_hand, fill_table_features, lead_of, points_of, turns_until
from .mind import HIDDEN_UNITS, POSITION, ROWS, TRIAL, Mind

POWERS = constant_table([2.0**-n for n in range(64)], "f8")
LN2: Final = 0.6931471805599453
CERTAIN: Final = 1.0


@kernel
def exp_below(x: float) -> float:
    """A power of e whose exponent is not above 0; 0 far below."""
    if x < -40.0:
        return 0.0
    n = int(-x / LN2 + 0.5)
    r = x + n * LN2  # within +-0.35
    e = 1.0 + r * (1.0 + r * (0.5 + r * (1.0 / 6.0 + r * (1.0 / 24.0 + r * (1.0 / 120.0 + r * (1.0 / 720.0))))))
    return e * POWERS[n]


# --- the units --------------------------------------------------------------------------------------------------------


@inline
def add_row(m: Mind, net: Any, row: int, v: float) -> None:
    """Add `v` times a row of the network to the units; their number is asked for, else the compiler unrolls this."""
    h = m.h
    for j in range(net.shape[1]):
        h[j] += v * net[row, j]


@kernel
def add_features(m: Mind, net: Any, base: int, low: int, high: int) -> None:
    """Add what the features from `low` to before `high` say."""
    for k in range(low, high):
        v = m.x[k]
        if v != 0.0:
            add_row(m, net, base + k, v)


@kernel
def sum_units(m: Mind, net: Any, base: int) -> float:
    """The strength of a seat: the output weights applied to what the units have added up."""
    h = m.h
    row = base + FEATURES + 1
    a = 0.0
    b = 0.0
    c = 0.0
    d = 0.0
    for j in range(0, HIDDEN_UNITS, 4):  # four sums at a time: the processor need not wait
        a += max(h[j], 0.0) * net[row, j]
        b += max(h[j + 1], 0.0) * net[row, j + 1]
        c += max(h[j + 2], 0.0) * net[row, j + 2]
        d += max(h[j + 3], 0.0) * net[row, j + 3]
    return (a + b) + (c + d)


@kernel
def store_units(m: Mind, cache: int, seat: int, count: int) -> None:
    """Keep what the first `count` units, all of them, have added up about a seat."""
    for j in range(count):
        m.unit_sums[cache, seat, j] = m.h[j]


@kernel
def load_units(m: Mind, cache: int, seat: int, count: int) -> None:
    """Begin with what is kept about a seat."""
    for j in range(count):
        m.h[j] = m.unit_sums[cache, seat, j]


@kernel
def study_seat(s: State, m: Mind, net: Any, cache: int, seat: int, own: int) -> None:
    """Keep all about a seat but for its cards."""
    base = 0 if own else ROWS
    fill_table_features(s, m, cache, seat, own)
    for j in range(net.shape[1]):
        m.h[j] = net[base + FEATURES, j]
    add_features(m, net, base, 0, feature.TIME_TO_PAY_HOLDING)
    add_features(m, net, base, feature.ROADS, feature.CARDS_BY_KIND)
    add_features(m, net, base, feature.SETTLEMENTS_LEFT, FEATURES)
    store_units(m, cache, seat, net.shape[1])


@kernel
def strength_with(s: State, m: Mind, net: Any, cache: int, seat: int, own: int, hand: int) -> float:
    """The strength of a seat about which `cache` knows; `own`: seen with its cards, of which `hand` are resources."""
    load_units(m, cache, seat, net.shape[1])
    fill_hand_sizes(s, m, seat)
    if own:
        fill_own_hand(s, m, cache, seat, hand)
        add_features(m, net, 0, feature.TIME_TO_PAY_HOLDING, feature.HAND_KINDS + 1)
        add_features(m, net, 0, feature.CARDS_BY_KIND, feature.CARDS_HELD + 1)
        return sum_units(m, net, 0)
    add_row(m, net, ROWS + feature.HAND, m.x[feature.HAND])
    add_row(m, net, ROWS + feature.HAND_OVER, m.x[feature.HAND_OVER])
    add_row(m, net, ROWS + feature.CARDS_HELD, m.x[feature.CARDS_HELD])
    return sum_units(m, net, ROWS)


# --- the position at hand, and others ---------------------------------------------------------------------------------


@kernel
def evaluate_seats(s: State, m: Mind, net: Any, me: int) -> None:
    """Take this as the position at hand: fill `m.strength` with all seats as `me` sees them."""
    for seat in range(s.players):
        own = 1 if seat == me else 0
        study_seat(s, m, net, POSITION, seat, own)
        m.strength[seat] = strength_with(s, m, net, POSITION, seat, own, s.hand[seat])
        m.was_settlements[seat] = s.settlements[seat]
        m.was_cities[seat] = s.cities[seat]
        m.was_paths_lo[seat] = s.paths_lo[seat]
        m.was_paths_hi[seat] = s.paths_hi[seat]
        m.was_played[seat] = s.played[seat]
        m.was_points[seat] = s.points[seat]
        m.was_hand_size[seat] = m.hand_size[seat]
        m.was_lead[seat] = m.x[feature.LEAD]
    m.holders_ready = 0
    m.was_sites = s.sites
    m.was_robber = s.robber
    m.was_longest = s.longest_road
    m.was_road_record = s.road_record
    m.was_army = s.largest_army
    m.was_active = s.active
    m.was_roll_to_come = 1 if s.phase == BEFORE_ROLL else 0
    m.was_placing = 1 if s.phase <= PLACE_ROAD else 0


@kernel
def affects_all_seats(s: State, m: Mind) -> bool:
    """Whether a trial has changed what matters to all seats."""
    return (
        s.sites != m.was_sites
        or s.longest_road != m.was_longest
        or s.road_record != m.was_road_record
        or s.largest_army != m.was_army
        or m.was_placing != 0
    )


@kernel
def affects_seat(s: State, m: Mind, seat: int) -> bool:
    """Whether a trial has changed more about a seat than its cards, points and when its turn comes."""
    if (
        s.settlements[seat] != m.was_settlements[seat]
        or s.cities[seat] != m.was_cities[seat]
        or s.paths_lo[seat] != m.was_paths_lo[seat]
        or s.paths_hi[seat] != m.was_paths_hi[seat]
        or s.played[seat] != m.was_played[seat]
    ):
        return True
    if s.robber == m.was_robber:
        return False
    return (s.settlements[seat] | s.cities[seat]) & (CORNERS_OF_HEX[s.robber] | CORNERS_OF_HEX[m.was_robber]) != 0


@kernel
def study_trial(s: State, m: Mind, net: Any, seat: int, own: int, in_full: bool) -> None:
    """Keep in TRIAL what a trial makes of a seat; `in_full`: all of it, else what the turn and the points change."""
    if in_full:
        study_seat(s, m, net, TRIAL, seat, own)
        return
    base = 0 if own else ROWS
    load_units(m, POSITION, seat, net.shape[1])
    if s.active != m.was_active:
        turns_away = seat - m.was_active
        add_row(
            m, net, base + feature.ROUNDS_TO_TURN + (turns_away + s.players if turns_away < 0 else turns_away), -1.0
        )
        add_row(m, net, base + feature.ROUNDS_TO_TURN + turns_until(s, seat), 1.0)
    roll_change = 1 if s.active == seat and s.phase == BEFORE_ROLL else 0
    roll_change -= 1 if m.was_active == seat and m.was_roll_to_come else 0
    if roll_change:
        add_row(m, net, base + feature.ROLL_TO_COME, float(roll_change))
    lead = lead_of(s, seat, points_of(s, seat, own))
    if lead != m.was_lead[seat]:
        add_row(m, net, base + feature.LEAD, lead - m.was_lead[seat])
    store_units(m, TRIAL, seat, net.shape[1])
    for kind in range(N_KINDS):
        m.waits[TRIAL, seat, kind] = m.waits[POSITION, seat, kind]


@kernel
def evaluate_trial(s: State, m: Mind, net: Any, me: int) -> None:
    """Fill `m.trial` with all seats after an action on a copy of the position at hand."""
    affects_all = affects_all_seats(s, m)
    turn_or_points_changed = s.active != m.was_active
    for seat in range(s.players):
        turn_or_points_changed = turn_or_points_changed or s.points[seat] != m.was_points[seat]
    for seat in range(s.players):
        own = 1 if seat == me else 0
        in_full = affects_all or affects_seat(s, m, seat)
        if own or in_full or turn_or_points_changed or m.hand_size[seat] != m.was_hand_size[seat]:
            study_trial(s, m, net, seat, own, in_full)
            m.trial[seat] = strength_with(s, m, net, TRIAL, seat, own, s.hand[seat])
        else:
            m.trial[seat] = m.strength[seat]


@kernel
def win_probability(s: State, strengths: Any, me: int) -> float:
    """How likely `me` is to win with these strengths."""
    top = strengths[0]
    for seat in range(1, s.players):
        top = max(top, strengths[seat])
    power_sum = 0.0
    for seat in range(s.players):
        power_sum += exp_below(strengths[seat] - top)
    return float(exp_below(strengths[me] - top) / power_sum)


@kernel
def probability_at_end(s: State, me: int) -> float:
    """1 if `me` has won, 0 if somebody else has, below 0 if the game goes on."""
    if s.phase != OVER:
        return -1.0
    return CERTAIN if s.winner == me else 0.0
