"""A position in numbers: what a seat has, what it makes, what it can reach.

The own seat is seen with its cards. Of the others only what lies on the table counts: how many cards they hold, not
which. So whoever judges a position by these numbers knows no more than its seat may, also when it plays on in a world
that it imagines.
"""

from __future__ import annotations

from typing import Final

from hexholm.rules.boards.number_tokens import DOTS_BY_NUMBER
from hexholm.rules.compilation.kernels import constant_table, inline, kernel, lowest_set_bit, popcount
from hexholm.rules.core.awards import army_record, total_points
from hexholm.rules.core.legal import (
    best_rate,
    can_add_road,
    cities_left,
    has_city_left,
    has_settlement_left,
    settlements_left,
)
from hexholm.rules.core.roads import blocked_for, corners_of, road_count
from hexholm.rules.encoding.lanes import N_KINDS, count, covers, guard_of
from hexholm.rules.encoding.phases import BEFORE_ROLL, MAIN, PLACE_ROAD
from hexholm.rules.encoding.structs import (
    COST_CARD,
    COST_CITY,
    COST_ROAD,
    COST_SETTLEMENT,
    DESERT,
    GENERIC_HARBOR_BIT,
    KNIGHT,
    N_PURCHASES,
    VICTORY_POINT,
    State,
)
from hexholm.rules.places import CORNERS_NEAR, HEXES_AT, N_CORNERS

from . import feature_numbers as feature
from .feature_numbers import FEATURES
from .mind import TRIAL, Mind

DOTS = constant_table(DOTS_BY_NUMBER, "i1")
WAY_CHANCE: Final = 1.0 / 36.0
FITTED_POINTS: Final = 10
"""Points to win in the games that judgments are fitted to."""
START_POINTS: Final = 2
"""Points that the set-up brings."""


@kernel
def fill_dots(s: State, m: Mind) -> None:
    """What every corner makes."""
    for corner in range(N_CORNERS):
        m.dots[corner] = 0
        for kind in range(N_KINDS):
            m.dots_by_kind[corner, kind] = 0
        for i in range(3):
            h = HEXES_AT[corner, i]
            if h >= 0 and s.terrain[h] != DESERT:
                dots = DOTS[s.number[h]]
                m.dots[corner] += dots
                m.dots_by_kind[corner, s.terrain[h]] += dots


@inline
def points_of(s: State, seat: int, own: int) -> int:
    """Points; hidden ones count where they are known."""
    return total_points(s, seat) if own else s.points[seat] + 0


@inline
def rate_for(s: State, seat: int, kind: int) -> int:
    """Cards of a kind to pay for one of the supply."""
    return best_rate(s, s.usable_harbors[seat], kind)


@kernel
def rolls_for(s: State, m: Mind, cache: int, seat: int, price: int, hand: int) -> float:
    """How many rolls it takes to pay a price, about: what is lacking by what is made, with trades with the supply."""
    cards_to_swap = 0
    cards_lacking = 0
    rolls = 0.0
    for kind in range(N_KINDS):
        surplus = count(hand, kind) - count(price, kind)
        if surplus < 0:
            cards_lacking -= surplus
            rolls -= surplus * m.waits[cache, seat, kind]
        elif surplus > 1:
            rate = rate_for(s, seat, kind)
            if surplus >= rate:
                cards_to_swap += surplus // rate
    if cards_lacking <= cards_to_swap:
        return 0.0
    return rolls * (cards_lacking - cards_to_swap) / cards_lacking


@kernel
def fill_waits(s: State, m: Mind, cache: int, seat: int) -> None:
    """How many rolls it takes until one more card of each kind is there, made or got from the supply."""
    swaps_per_roll = 0.0
    for kind in range(N_KINDS):
        swaps_per_roll += m.x[feature.CARDS_PER_ROLL + kind] / rate_for(s, seat, kind)
    for kind in range(N_KINDS):
        cards_per_roll = m.x[feature.CARDS_PER_ROLL + kind]
        m.waits[cache, seat, kind] = 1.0 / (
            cards_per_roll + 0.5 * (swaps_per_roll - cards_per_roll / rate_for(s, seat, kind)) + 0.01
        )


@inline
def points_needed(s: State, points: int) -> int:
    """Points that a seat with so many still needs, as in games to ten, to which judgments are fitted.

    In longer games nobody is further away than after the set-up of a game to ten: what counts there is to grow.
    """
    return max(0, min(s.points_to_win - points, FITTED_POINTS - min(points, START_POINTS)))


@kernel
def fill_income(s: State, m: Mind, seat: int) -> None:
    """What the buildings make, and how evenly."""
    x = m.x
    numbers = 0
    blocked = 0.0
    for half in range(2):
        corners = s.settlements[seat] if half == 0 else s.cities[seat]
        cards = (s.yield_settlement if half == 0 else s.yield_city) * WAY_CHANCE
        while corners:
            corner = lowest_set_bit(corners)
            corners &= corners - 1
            for i in range(3):
                h = HEXES_AT[corner, i]
                if h >= 0 and s.terrain[h] != DESERT:
                    cards_per_roll = DOTS[s.number[h]] * cards
                    if h == s.robber:
                        blocked += cards_per_roll
                    else:
                        x[feature.CARDS_PER_ROLL + s.terrain[h]] += cards_per_roll
                    numbers |= 1 << s.number[h]
    kinds = 0
    income = 0.0
    special = 0.0
    for kind in range(N_KINDS):
        cards_per_roll = x[feature.CARDS_PER_ROLL + kind]
        if cards_per_roll > 0.0:
            kinds += 1
            income += cards_per_roll
            x[feature.CARDS_PER_ROLL_FLAT + kind] = cards_per_roll / (cards_per_roll + 0.15)
            if s.usable_harbors[seat] & guard_of(kind):
                special += cards_per_roll
    x[feature.INCOME] = income
    x[feature.BLOCKED] = blocked
    x[feature.KINDS_MADE] = 0.2 * kinds
    x[feature.SPECIAL] = special
    x[feature.NUMBERS_PAYING] = 0.1 * popcount(numbers)
    if s.usable_harbors[seat] & GENERIC_HARBOR_BIT:
        x[feature.GENERIC] = 1.0


@kernel
def fill_sites(s: State, m: Mind, seat: int) -> None:
    """Where new settlements may come, now and with one or two more roads."""
    x = m.x
    own_buildings = s.settlements[seat] | s.cities[seat]
    sites_now = s.reach[seat] & s.sites
    blocked = blocked_for(s, seat)
    ends = corners_of(s.paths_lo[seat], s.paths_hi[seat])
    next_corners = ends & ~s.reach[seat] & ~own_buildings
    sites_near = sites_now | next_corners & s.sites
    sites_far = sites_near
    corners_left = next_corners & ~blocked
    while corners_left:
        sites_far |= CORNERS_NEAR[lowest_set_bit(corners_left)]
        corners_left &= corners_left - 1
    sites_far &= s.sites
    x[feature.SITES] = 0.25 * min(4, popcount(sites_now))
    x[feature.SITES_NEAR] = min(1.0, popcount(sites_far) / 6.0)
    best = 0
    best_site = -1
    corners_left = sites_far
    best_here = 0
    best_near = 0
    while corners_left:
        corner = lowest_set_bit(corners_left)
        bit = corners_left & -corners_left
        corners_left &= corners_left - 1
        dots = m.dots[corner] + 0
        if dots > best:
            best = dots
            best_site = corner
        if bit & sites_near and dots > best_near:
            best_near = dots
        if bit & sites_now and dots > best_here:
            best_here = dots
    x[feature.SITE_BEST_NOW] = best_here / 15.0
    x[feature.SITE_BEST_NEAR] = best_near / 15.0
    x[feature.SITE_BEST_FAR] = best / 15.0
    if best_site >= 0:
        new_kinds = 0
        for kind in range(N_KINDS):
            if m.dots_by_kind[best_site, kind] and x[feature.CARDS_PER_ROLL + kind] == 0.0:
                new_kinds += 1
        x[feature.SITE_NEW] = new_kinds / 3.0
    best = 0
    if has_city_left(s, seat):
        corners_left = s.settlements[seat]
        while corners_left:
            dots = m.dots[lowest_set_bit(corners_left)] + 0
            corners_left &= corners_left - 1
            best = max(best, dots)
    x[feature.UPGRADE] = best / 15.0


@kernel
def fill_hand_sizes(s: State, m: Mind, seat: int) -> None:
    """How many cards a seat holds, which everybody sees."""
    m.x[feature.HAND] = 0.1 * m.hand_size[seat]
    m.x[feature.HAND_OVER] = 0.2 * max(0, m.hand_size[seat] - s.hand_limit)
    m.x[feature.CARDS_HELD] = 0.25 * m.card_count[seat]


@kernel
def fill_own_hand(s: State, m: Mind, cache: int, seat: int, hand: int) -> None:
    """What the own cards are good for, of which `hand` (lanes) are resources."""
    x = m.x
    for purchase in range(N_PURCHASES):
        x[feature.AFFORDABLE + purchase] = 0.0
        x[feature.AFFORDABLE_NOW + purchase] = 0.0
    kinds = 0
    for kind in range(N_KINDS):
        if count(hand, kind):
            kinds += 1
        x[feature.CARDS_BY_KIND + kind] = count(s.development[seat], kind) + 0.0
    x[feature.CARDS_BY_KIND + VICTORY_POINT] = 0.0  # they are points
    x[feature.HAND_KINDS] = 0.2 * kinds
    is_moment = s.active == seat and s.phase == MAIN
    for purchase in range(N_PURCHASES):
        price = s.costs[purchase]
        x[feature.TIME_TO_PAY_HOLDING + purchase] = 1.0 / (1.0 + 0.25 * rolls_for(s, m, cache, seat, price, hand))
        if not covers(hand, price):
            continue
        possible = True
        if purchase == COST_ROAD:
            possible = can_add_road(s, seat)
        elif purchase == COST_SETTLEMENT:
            possible = s.reach[seat] & s.sites != 0 and has_settlement_left(s, seat)
        elif purchase == COST_CITY:
            possible = s.settlements[seat] != 0 and has_city_left(s, seat)
        elif purchase == COST_CARD:
            possible = s.deck != 0
        if possible:
            x[feature.AFFORDABLE + purchase] = 1.0
            if is_moment:
                x[feature.AFFORDABLE_NOW + purchase] = 1.0


@inline
def lead_of(s: State, seat: int, points: int) -> float:
    """Points ahead of the best of the others."""
    lead = points
    for other_seat in range(s.players):
        if other_seat != seat:
            lead = min(lead, points - s.points[other_seat])
    return 0.2 * max(-5, min(5, lead))


@inline
def turns_until(s: State, seat: int) -> int:
    """How many turns of others come before the next one of a seat; 0: it is its turn."""
    turns_away = seat - s.active
    return turns_away + s.players if turns_away < 0 else turns_away


@kernel
def fill_table_features(s: State, m: Mind, cache: int, seat: int, own: int) -> None:
    """Fill `m.x` with the features of a seat but for its cards; of these only hidden points count, if it is `own`."""
    x = m.x
    for i in range(FEATURES):
        x[i] = 0.0
    x[feature.CONSTANT] = 1.0
    points = points_of(s, seat, own)
    x[feature.POINTS_NEEDED + points_needed(s, points)] = 1.0
    fill_income(s, m, seat)
    fill_waits(s, m, cache, seat)
    for purchase in range(N_PURCHASES):
        x[feature.TIME_TO_PAY + purchase] = 1.0 / (1.0 + 0.25 * rolls_for(s, m, cache, seat, s.costs[purchase], 0))
    fill_sites(s, m, seat)
    x[feature.ROADS] = road_count(s, seat) / 15.0
    length = m.length[seat]
    x[feature.ROAD_LENGTH] = 0.1 * length
    if s.longest_road == seat:
        x[feature.LONGEST_ROAD] = 1.0
    else:
        x[feature.ROAD_GAP] = 0.2 * max(0, 5 - max(0, s.road_record + 1 - length))
    knights = count(s.played[seat], KNIGHT)
    x[feature.KNIGHTS] = 0.2 * knights
    if s.largest_army == seat:
        x[feature.ARMY] = 1.0
    else:
        x[feature.ARMY_GAP] = 0.2 * max(0, 5 - (army_record(s) - knights))
    x[feature.SETTLEMENTS_LEFT] = 0.2 * max(0, settlements_left(s, seat))
    x[feature.CITIES_LEFT] = 0.25 * max(0, cities_left(s, seat))
    turns_away = turns_until(s, seat)
    x[feature.ROUNDS_TO_TURN + turns_away] = 1.0
    if turns_away == 0 and s.phase == BEFORE_ROLL:
        x[feature.ROLL_TO_COME] = 1.0
    if s.phase <= PLACE_ROAD:
        x[feature.TO_PLACE] = 0.5 * max(0, 2 - popcount(s.settlements[seat]))
    if s.players == 2:
        x[feature.TWO_PLAYERS] = 1.0
    elif s.players == 3:
        x[feature.THREE_PLAYERS] = 1.0
    x[feature.LEAD] = lead_of(s, seat, points)


@kernel
def fill_features(s: State, m: Mind, seat: int, own: int, hand: int) -> None:
    """Fill `m.x` with all features of a seat; `own`: with its cards, of which `hand` (lanes) are resources."""
    fill_table_features(s, m, TRIAL, seat, own)
    if own:
        fill_own_hand(s, m, TRIAL, seat, hand)
    fill_hand_sizes(s, m, seat)
