"""A plan for the whole turn: whether it can be won now, for certain, and by which action first.

One look ahead sees that an action is good, not that five of them together win. So all that can be had without luck is
looked through: roads in every order that matters, then settlements and cities, paid with the own cards and with what
the supply gives for those that are not needed; and one development card that is sure, a knight for the largest army,
two cards or two roads for nothing. The fewest roads are tried first.

Nothing is remembered: after each action the plan is made anew, and what is left of it still wins.
"""

from __future__ import annotations

from typing import Any, Final

from hexholm.rules.compiled import entry, kernel, lowest, popcount, struct_at, struct_in
from hexholm.rules.core.awards import army_record
from hexholm.rules.core.encoding import actions as act
from hexholm.rules.core.encoding.actions import plenty, simple, supply
from hexholm.rules.core.encoding.lanes import count, lane, total
from hexholm.rules.core.encoding.structs import (
    COST_CITY,
    COST_ROAD,
    COST_SETTLEMENT,
    KNIGHT,
    ROAD_BUILDING,
    YEAR_OF_PLENTY,
    State,
    Work,
)
from hexholm.rules.core.legal import can_add_road
from hexholm.rules.core.phases import FREE_ROAD, MAIN, OVER
from hexholm.rules.core.roads import has_side
from hexholm.rules.places import CORNERS_NEAR, N_SIDES

from .features import points_of, rate_for
from .lookahead import PLANS, carry_action, copy_state
from .mind import DEEP, Mind

MOST_ROAD_PLANS: Final = 2000
"""So many ways to set roads are looked at, at most."""
MANY: Final = 100
"""Roads that a copy may set for nothing: they are paid for in the sum."""
NO_CARD, WITH_KNIGHT, WITH_PLENTY, WITH_ROADS = range(4)
"""The development card that a plan begins with."""


@kernel
def can_pay(s: State, me: int, price: int, given: int) -> bool:
    """Whether the own cards pay a price (lanes), with the supply's help and `given` cards of any kind for nothing."""
    lacking = 0
    spare = 0
    for kind in range(5):
        over = count(s.hand[me], kind) - count(price, kind)
        if over >= 0:
            spare += over // rate_for(s, me, kind)
        elif count(s.bank, kind) < -over:
            return False
        else:
            lacking -= over
    if s.trading_closed:
        spare = 0
    return lacking - given <= spare


@kernel
def can_settle_two(sites: int) -> bool:
    """Whether two of these corners can both be settled."""
    left = sites
    while left:
        if sites & ~CORNERS_NEAR[lowest(left)]:
            return True
        left &= left - 1
    return False


@kernel
def buildings_for(s: State, t: State, me: int, price: int, given: int, bonus: int) -> int:
    """How many settlements, and eight times how many cities, win in `t`: `s` with more roads, which cost `price`.

    Below 0: none that can be paid do.
    """
    lacking = s.points_to_win - points_of(t, me, 1) - bonus
    sites = t.reach[me] & t.sites
    settlements = min(popcount(sites), s.settlement_limit - popcount(t.settlements[me]))
    if settlements > 1:
        settlements = 2 if can_settle_two(sites) else 1
    cities = min(2, popcount(t.settlements[me]), s.city_limit - popcount(t.cities[me]))
    for b in range(cities + 1):
        for a in range(settlements + 1):
            if a * s.points_settlement + b * (s.points_city - s.points_settlement) >= lacking:
                if can_pay(s, me, price + a * s.costs[COST_SETTLEMENT] + b * s.costs[COST_CITY], given):
                    return a + 8 * b
    return -1


@kernel
def may_set(copies: Any, m: Mind, me: int, depth: int, side: int) -> bool:
    """Whether a road may come next in a plan; two that do not need each other come in one order only."""
    t = struct_in(copies, PLANS + depth, State)
    if not can_add_road(t, me) or not is_path(t, me, side):
        return False
    if depth == 0 or side > m.plan[depth - 1]:
        return True
    return not is_path(struct_in(copies, PLANS + depth - 1, State), me, side)


@kernel
def is_path(s: State, seat: int, side: int) -> bool:
    """Whether a road of a seat may come there."""
    return has_side(s.paths_lo[seat], s.paths_hi[seat], side)


@kernel
def price_of_roads(s: State, roads: int, free: int) -> int:
    """What so many roads cost (lanes) if `free` of them cost nothing."""
    return max(0, roads - free) * s.costs[COST_ROAD]


@kernel
def plan_with_roads(copies: Any, w: Work, m: Mind, me: int, roads: int, free: int, given: int, bonus: int) -> int:
    """What wins with exactly so many more roads, left in `m.plan`: as :func:`buildings_for` says it."""
    s = struct_in(copies, 0, State)
    copy_state(copies, 0, PLANS)
    first = struct_in(copies, PLANS, State)
    first.phase = FREE_ROAD
    first.free_roads = MANY
    price = price_of_roads(s, roads, free)
    if roads == 0:
        return buildings_for(s, first, me, price, given, bonus)
    depth = 0
    m.next_side[0] = 0
    while depth >= 0:
        side = m.next_side[depth]
        if side == N_SIDES or m.looked >= MOST_ROAD_PLANS:
            depth -= 1
            continue
        m.next_side[depth] += 1
        if not may_set(copies, m, me, depth, side):
            continue
        copy_state(copies, PLANS + depth, PLANS + depth + 1)
        t = struct_in(copies, PLANS + depth + 1, State)
        carry_action(t, w, me, simple(act.ROAD, side))
        m.looked += 1
        m.plan[depth] = side
        if depth + 1 < roads:
            if t.phase != OVER:  # fewer roads were tried before
                depth += 1
                m.next_side[depth] = 0
            continue
        found = 0 if t.phase == OVER else buildings_for(s, t, me, price, given, bonus)
        if found >= 0:
            return found
    return -1


@kernel
def most_points(s: State, me: int, given: int, bonus: int) -> int:
    """More points than this cannot be made on this turn."""
    cards = total(s.hand[me]) + given
    least = min(total(s.costs[COST_SETTLEMENT]), total(s.costs[COST_CITY]))
    points = max(s.points_settlement, s.points_city - s.points_settlement)
    road = s.points_road if s.longest_road != me else 0
    return bonus + road + cards // least * points


@kernel
def has_card(s: State, me: int, how: int) -> bool:
    """Whether a plan can begin with this card now."""
    if how == NO_CARD:
        return True
    held = s.cards[me] - s.new_cards
    if s.card_played or s.phase != MAIN:
        return False
    if how == WITH_PLENTY:
        return count(held, YEAR_OF_PLENTY) > 0 and total(s.bank) > 1
    if how == WITH_ROADS:
        return count(held, ROAD_BUILDING) > 0 and can_add_road(s, me)
    if s.largest_army == me or count(held, KNIGHT) == 0:
        return False
    return count(s.played[me], KNIGHT) + 1 >= army_record(s)


@kernel
def choose_two_cards(s: State, me: int, price: int) -> int:
    """The two cards to take for nothing: those that are lacking, else any."""
    hand = s.hand[me]
    bank = s.bank
    first = -1
    second = -1
    for again in range(2):
        for kind in range(5):
            while second < 0 and count(bank, kind) and (again or count(hand, kind) < count(price, kind)):
                hand += lane(kind)
                bank -= lane(kind)
                second = kind if first >= 0 else -1
                first = kind if first < 0 else first
    return plenty(min(first, second), max(first, second))


@kernel
def best_corner(m: Mind, corners: int) -> int:
    """The corner with the most dots."""
    best = lowest(corners)
    while corners:
        corner = lowest(corners)
        corners &= corners - 1
        if m.dots[corner] > m.dots[best]:
            best = corner
    return best


@kernel
def first_step(s: State, m: Mind, me: int, how: int, roads: int, free: int, found: int) -> int:
    """The action with which a plan begins: its card, then trades with the supply, roads, settlements, cities."""
    settlements = found & 7
    cities = found >> 3
    price = price_of_roads(s, roads, free) + settlements * s.costs[COST_SETTLEMENT] + cities * s.costs[COST_CITY]
    if how == WITH_KNIGHT:
        return act.KNIGHT_CARD
    if how == WITH_ROADS:
        return act.ROAD_BUILDING_CARD
    if how == WITH_PLENTY:
        return choose_two_cards(s, me, price)
    if s.phase == FREE_ROAD:
        return simple(act.ROAD, m.plan[0]) if roads else 0
    for kind in range(5):
        if count(s.hand[me], kind) < count(price, kind):
            for given in range(5):
                rate = rate_for(s, me, given)
                if count(s.hand[me], given) - count(price, given) >= rate:
                    return supply(given, rate, lane(kind))
    if roads:
        return simple(act.ROAD, m.plan[0])
    if settlements:
        sites = s.reach[me] & s.sites
        if settlements == 2:
            left = sites
            while left:
                if not sites & ~CORNERS_NEAR[lowest(left)]:
                    sites &= ~(left & -left)  # no other could be settled beside it
                left &= left - 1
        return simple(act.SETTLEMENT, best_corner(m, sites))
    return simple(act.CITY, best_corner(m, s.settlements[me]))


@entry
def bot_plan(copies: Any, work: Any, mind: Any, me: int) -> int:
    """The first action of a plan that wins on this turn for certain; 0 if there is none.

    Copy 0 and `mind` are as :func:`.choice.bot_decide` has left them.
    """
    m = struct_at(mind, Mind)
    w = struct_at(work, Work)
    s = struct_in(copies, 0, State)
    if s.active != me or not (s.phase == MAIN or (s.phase == FREE_ROAD and s.rolled)):
        return 0
    lacking = s.points_to_win - points_of(s, me, 1)
    m.looked = 0
    for roads in range(DEEP + 1):
        for how in range(4):
            given = 2 if how == WITH_PLENTY else 0
            bonus = s.points_army + 0 if how == WITH_KNIGHT else 0
            free = 2 if how == WITH_ROADS else s.free_roads + 0
            if lacking > most_points(s, me, given, bonus) or not has_card(s, me, how):
                continue
            if not can_pay(s, me, price_of_roads(s, roads, free), given):
                continue
            found = plan_with_roads(copies, w, m, me, roads, free, given, bonus)
            if found >= 0:
                return first_step(s, m, me, how, roads, free, found)
    return 0
