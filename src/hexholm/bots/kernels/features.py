"""A position in numbers: what a seat has, what it makes, what it can reach.

The own seat is seen with its cards. Of the others only what lies on the table counts: how many cards they hold, not
which. So whoever judges a position by these numbers knows no more than its seat may, also when it plays on in a world
that it imagines.
"""

from __future__ import annotations

from typing import Final

from hexholm.rules.boards.number_tokens import DOTS_BY_NUMBER
from hexholm.rules.compiled import inline, kernel, lowest, popcount, table
from hexholm.rules.core.awards import army_record, total_points
from hexholm.rules.core.encoding.lanes import count, covers
from hexholm.rules.core.encoding.structs import (
    COST_CARD,
    COST_CITY,
    COST_ROAD,
    COST_SETTLEMENT,
    DESERT,
    KNIGHT,
    VICTORY_POINT,
    State,
)
from hexholm.rules.core.legal import GENERIC_PORT, best_rate, can_add_road
from hexholm.rules.core.phases import BEFORE_ROLL, MAIN, PLACE_ROAD
from hexholm.rules.core.roads import blocked_for, corners_of, road_count
from hexholm.rules.places import CORNERS_NEAR, HEXES_AT

from . import mind as at
from .mind import FEATURES, THERE, Mind

DOTS = table(DOTS_BY_NUMBER, "i1")
WAY_CHANCE: Final = 1.0 / 36.0
FITTED_POINTS: Final = 10
"""Points to win in the games that judgements are fitted to."""
START_POINTS: Final = 2
"""Points that the set-up brings."""


@kernel
def note_board(s: State, m: Mind) -> None:
    """Note what every corner makes."""
    for corner in range(54):
        m.dots[corner] = 0
        for kind in range(5):
            m.made[corner, kind] = 0
        for i in range(3):
            h = HEXES_AT[corner, i]
            if h >= 0 and s.terrain[h] != DESERT:
                dots = DOTS[s.number[h]]
                m.dots[corner] += dots
                m.made[corner, s.terrain[h]] += dots


@inline
def points_of(s: State, seat: int, own: int) -> int:
    """Points; hidden ones count where they are known."""
    return total_points(s, seat) if own else s.points[seat] + 0


@inline
def rate_for(s: State, seat: int, kind: int) -> int:
    """Cards of a kind to pay for one of the supply."""
    return best_rate(s, s.ports[seat], kind)


@kernel
def rolls_for(s: State, m: Mind, bank: int, seat: int, price: int, hand: int) -> float:
    """How many rolls it takes to pay a price, about: what is lacking by what is made, with trades with the supply."""
    spare = 0
    lacking = 0
    rolls = 0.0
    for kind in range(5):
        over = count(hand, kind) - count(price, kind)
        if over < 0:
            lacking -= over
            rolls -= over * m.waits[bank, seat, kind]
        elif over > 1:
            rate = rate_for(s, seat, kind)
            if over >= rate:
                spare += over // rate
    if lacking <= spare:
        return 0.0
    return rolls * (lacking - spare) / lacking


@kernel
def note_waits(s: State, m: Mind, bank: int, seat: int) -> None:
    """How many rolls it takes until one more card of each kind is there, made or got from the supply."""
    swapped = 0.0
    for kind in range(5):
        swapped += m.x[at.MAKES + kind] / rate_for(s, seat, kind)
    for kind in range(5):
        made = m.x[at.MAKES + kind]
        m.waits[bank, seat, kind] = 1.0 / (made + 0.5 * (swapped - made / rate_for(s, seat, kind)) + 0.01)


@inline
def still_needs(s: State, points: int) -> int:
    """Points that a seat with so many still needs, as in games to ten, to which judgements are fitted.

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
            corner = lowest(corners)
            corners &= corners - 1
            for i in range(3):
                h = HEXES_AT[corner, i]
                if h >= 0 and s.terrain[h] != DESERT:
                    made = DOTS[s.number[h]] * cards
                    if h == s.robber:
                        blocked += made
                    else:
                        x[at.MAKES + s.terrain[h]] += made
                    numbers |= 1 << s.number[h]
    kinds = 0
    income = 0.0
    special = 0.0
    for kind in range(5):
        made = x[at.MAKES + kind]
        if made > 0.0:
            kinds += 1
            income += made
            x[at.MAKES_ANY + kind] = made / (made + 0.15)
            if (s.ports[seat] >> (8 * kind + 7)) & 1:
                special += made
    x[at.INCOME] = income
    x[at.BLOCKED] = blocked
    x[at.KINDS_MADE] = 0.2 * kinds
    x[at.SPECIAL] = special
    x[at.NUMBERS_PAYING] = 0.1 * popcount(numbers)
    if s.ports[seat] & GENERIC_PORT:
        x[at.GENERIC] = 1.0


@kernel
def fill_sites(s: State, m: Mind, seat: int) -> None:
    """Where new settlements may come, now and with one or two more roads."""
    x = m.x
    mine = s.settlements[seat] | s.cities[seat]
    here = s.reach[seat] & s.sites
    blocked = blocked_for(s, seat)
    ends = corners_of(s.paths_lo[seat], s.paths_hi[seat])
    step = ends & ~s.reach[seat] & ~mine
    near = here | step & s.sites
    far = near
    left = step & ~blocked
    while left:
        far |= CORNERS_NEAR[lowest(left)]
        left &= left - 1
    far &= s.sites
    x[at.SITES] = 0.25 * min(4, popcount(here))
    x[at.SITES_NEAR] = min(1.0, popcount(far) / 6.0)
    best = 0
    place = -1
    left = far
    best_here = 0
    best_near = 0
    while left:
        corner = lowest(left)
        bit = left & -left
        left &= left - 1
        dots = m.dots[corner] + 0
        if dots > best:
            best = dots
            place = corner
        if bit & near and dots > best_near:
            best_near = dots
        if bit & here and dots > best_here:
            best_here = dots
    x[at.SITE_BEST] = best_here / 15.0
    x[at.SITE_BEST + 1] = best_near / 15.0
    x[at.SITE_BEST + 2] = best / 15.0
    if place >= 0:
        new = 0
        for kind in range(5):
            if m.made[place, kind] and x[at.MAKES + kind] == 0.0:
                new += 1
        x[at.SITE_NEW] = new / 3.0
    best = 0
    if popcount(s.cities[seat]) < s.city_limit:
        left = s.settlements[seat]
        while left:
            dots = m.dots[lowest(left)] + 0
            left &= left - 1
            best = max(best, dots)
    x[at.UPGRADE] = best / 15.0


@kernel
def fill_hand_sizes(s: State, m: Mind, seat: int) -> None:
    """How many cards a seat holds, which everybody sees."""
    m.x[at.HAND] = 0.1 * m.amount[seat]
    m.x[at.HAND_OVER] = 0.2 * max(0, m.amount[seat] - s.hand_limit)
    m.x[at.CARDS_HELD] = 0.25 * m.held[seat]


@kernel
def fill_own_hand(s: State, m: Mind, bank: int, seat: int, hand: int) -> None:
    """What the own cards are good for, of which `hand` (lanes) are resources."""
    x = m.x
    for i in range(4):
        x[at.PAYS + i] = 0.0
        x[at.PAYS_NOW + i] = 0.0
    kinds = 0
    for kind in range(5):
        if count(hand, kind):
            kinds += 1
        x[at.HELD + kind] = count(s.cards[seat], kind) + 0.0
    x[at.HELD + VICTORY_POINT] = 0.0  # they are points
    x[at.HAND_KINDS] = 0.2 * kinds
    now = s.active == seat and s.phase == MAIN
    for what in range(4):
        price = s.costs[what]
        x[at.NEAR + what] = 1.0 / (1.0 + 0.25 * rolls_for(s, m, bank, seat, price, hand))
        if not covers(hand, price):
            continue
        possible = True
        if what == COST_ROAD:
            possible = can_add_road(s, seat)
        elif what == COST_SETTLEMENT:
            possible = s.reach[seat] & s.sites != 0 and popcount(s.settlements[seat]) < s.settlement_limit
        elif what == COST_CITY:
            possible = s.settlements[seat] != 0 and popcount(s.cities[seat]) < s.city_limit
        elif what == COST_CARD:
            possible = s.deck != 0
        if possible:
            x[at.PAYS + what] = 1.0
            if now:
                x[at.PAYS_NOW + what] = 1.0


@inline
def lead_of(s: State, seat: int, points: int) -> float:
    """Points ahead of the best of the others."""
    ahead = points
    for other in range(s.players):
        if other != seat:
            ahead = min(ahead, points - s.points[other])
    return 0.2 * max(-5, min(5, ahead))


@inline
def turns_until(s: State, seat: int) -> int:
    """How many turns of others come before the next one of a seat; 0: it is its turn."""
    away = seat - s.active
    return away + s.players if away < 0 else away


@kernel
def fill_table_features(s: State, m: Mind, bank: int, seat: int, own: int) -> None:
    """Fill `m.x` with the features of a seat but for its cards; of these only hidden points count, if it is `own`."""
    x = m.x
    for i in range(FEATURES):
        x[i] = 0.0
    x[0] = 1.0
    points = points_of(s, seat, own)
    x[at.NEEDS + still_needs(s, points)] = 1.0
    fill_income(s, m, seat)
    note_waits(s, m, bank, seat)
    for what in range(4):
        x[at.TIME_TO_PAY + what] = 1.0 / (1.0 + 0.25 * rolls_for(s, m, bank, seat, s.costs[what], 0))
    fill_sites(s, m, seat)
    x[at.ROADS] = road_count(s, seat) / 15.0
    length = m.length[seat]
    x[at.ROAD_LENGTH] = 0.1 * length
    if s.longest_road == seat:
        x[at.LONGEST_ROAD] = 1.0
    else:
        x[at.ROAD_GAP] = 0.2 * max(0, 5 - max(0, s.road_record + 1 - length))
    knights = count(s.played[seat], KNIGHT)
    x[at.KNIGHTS] = 0.2 * knights
    if s.largest_army == seat:
        x[at.ARMY] = 1.0
    else:
        x[at.ARMY_GAP] = 0.2 * max(0, 5 - (army_record(s) - knights))
    x[at.SETTLEMENTS_LEFT] = 0.2 * max(0, s.settlement_limit - popcount(s.settlements[seat]))
    x[at.CITIES_LEFT] = 0.25 * max(0, s.city_limit - popcount(s.cities[seat]))
    away = turns_until(s, seat)
    x[at.ROUNDS_TO_TURN + away] = 1.0
    if away == 0 and s.phase == BEFORE_ROLL:
        x[at.BEFORE] = 1.0
    if s.phase <= PLACE_ROAD:
        x[at.TO_PLACE] = 0.5 * max(0, 2 - popcount(s.settlements[seat]))
    if s.players == 2:
        x[at.TWO_PLAYERS] = 1.0
    elif s.players == 3:
        x[at.THREE_PLAYERS] = 1.0
    x[at.LEADS] = lead_of(s, seat, points)


@kernel
def fill_features(s: State, m: Mind, seat: int, own: int, hand: int) -> None:
    """Fill `m.x` with all features of a seat; `own`: with its cards, of which `hand` (lanes) are resources."""
    fill_table_features(s, m, THERE, seat, own)
    if own:
        fill_own_hand(s, m, THERE, seat, hand)
    fill_hand_sizes(s, m, seat)
