"""A plan for the whole turn: whether it can be won now, for certain, and by which action first.

One look ahead sees that an action is good, not that five of them together win. So all that can be had without luck is
looked through: roads in every order that matters, then settlements and cities, paid with the own cards and with what
the supply gives for those that are not needed; and one development card that is sure, a knight for the largest army,
two cards or two roads for nothing. The fewest roads are tried first.

Nothing is remembered: after each action the plan is made anew, and what is left of it still wins.
"""

from __future__ import annotations

from typing import Any, Final

from hexholm.rules.compilation.kernels import entry, kernel, lowest_set_bit, popcount, struct_at, struct_in
from hexholm.rules.core.awards import army_record
from hexholm.rules.core.legal import can_add_road, cities_left, old_cards, settlements_left
from hexholm.rules.core.roads import has_side
from hexholm.rules.encoding import action_codes as act
from hexholm.rules.encoding.action_codes import plenty_action, simple_action, supply_action
from hexholm.rules.encoding.lanes import N_KINDS, count, count_cards, single_card
from hexholm.rules.encoding.phases import FREE_ROAD, MAIN, OVER
from hexholm.rules.encoding.structs import (
    COST_CITY,
    COST_ROAD,
    COST_SETTLEMENT,
    KNIGHT,
    ROAD_BUILDING,
    YEAR_OF_PLENTY,
    Scratch,
    State,
)
from hexholm.rules.places import CORNERS_NEAR, N_SIDES

from .features import points_of, rate_for
from .lookahead import PLANS, carry_out_action, copy_state
from .mind import MOST_PLAN_ROADS, Mind

MOST_ROAD_PLANS: Final = 2000
"""So many ways to set roads are looked at, at most."""
UNCOUNTED_ROADS: Final = 100
"""Roads that a copy may set for nothing: they are paid for in the sum."""
NO_CARD, WITH_KNIGHT, WITH_PLENTY, WITH_ROADS = range(4)
"""The development card that a plan begins with."""


@kernel
def can_pay(s: State, me: int, price: int, free_cards: int) -> bool:
    """Whether the own cards pay a price (lanes), with the supply's help and so many `free_cards` of any kind."""
    cards_lacking = 0
    swaps = 0
    for kind in range(N_KINDS):
        surplus = count(s.hand[me], kind) - count(price, kind)
        if surplus >= 0:
            swaps += surplus // rate_for(s, me, kind)
        elif count(s.supply, kind) < -surplus:
            return False
        else:
            cards_lacking -= surplus
    if s.trading_closed:
        swaps = 0
    return cards_lacking - free_cards <= swaps


@kernel
def can_settle_two(sites: int) -> bool:
    """Whether two of these corners can both be settled."""
    corners_left = sites
    while corners_left:
        if sites & ~CORNERS_NEAR[lowest_set_bit(corners_left)]:
            return True
        corners_left &= corners_left - 1
    return False


@kernel
def buildings_for(s: State, next_state: State, me: int, price: int, free_cards: int, bonus: int) -> int:
    """How many settlements, and eight times how many cities, win in `next_state`, which has roads for `price` more.

    Below 0: none that can be paid do.
    """
    points_lacking = s.points_to_win - points_of(next_state, me, 1) - bonus
    sites = next_state.reach[me] & next_state.sites
    settlements = min(popcount(sites), settlements_left(next_state, me))
    if settlements > 1:
        settlements = 2 if can_settle_two(sites) else 1
    cities = min(2, popcount(next_state.settlements[me]), cities_left(next_state, me))
    for n_cities in range(cities + 1):
        for n_settlements in range(settlements + 1):
            if n_settlements * s.points_settlement + n_cities * (s.points_city - s.points_settlement) >= points_lacking:
                if can_pay(
                    s, me, price + n_settlements * s.costs[COST_SETTLEMENT] + n_cities * s.costs[COST_CITY], free_cards
                ):
                    return n_settlements + 8 * n_cities
    return -1


@kernel
def may_add_road(copies: Any, m: Mind, me: int, depth: int, side: int) -> bool:
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
def plan_with_roads(
    copies: Any, scratch: Scratch, m: Mind, me: int, roads: int, free: int, free_cards: int, bonus: int
) -> int:
    """What wins with exactly so many more roads, left in `m.plan`: as :func:`buildings_for` says it."""
    s = struct_in(copies, 0, State)
    copy_state(copies, 0, PLANS)
    plan_start = struct_in(copies, PLANS, State)
    plan_start.phase = FREE_ROAD
    plan_start.free_roads = UNCOUNTED_ROADS
    price = price_of_roads(s, roads, free)
    if roads == 0:
        return buildings_for(s, plan_start, me, price, free_cards, bonus)
    depth = 0
    m.next_side[0] = 0
    while depth >= 0:
        side = m.next_side[depth]
        if side == N_SIDES or m.plans_tried >= MOST_ROAD_PLANS:
            depth -= 1
            continue
        m.next_side[depth] += 1
        if not may_add_road(copies, m, me, depth, side):
            continue
        copy_state(copies, PLANS + depth, PLANS + depth + 1)
        next_state = struct_in(copies, PLANS + depth + 1, State)
        carry_out_action(next_state, scratch, me, simple_action(act.ROAD, side))
        m.plans_tried += 1
        m.plan[depth] = side
        if depth + 1 < roads:
            if next_state.phase != OVER:  # fewer roads were tried before
                depth += 1
                m.next_side[depth] = 0
            continue
        buildings = 0 if next_state.phase == OVER else buildings_for(s, next_state, me, price, free_cards, bonus)
        if buildings >= 0:
            return buildings
    return -1


@kernel
def most_points(s: State, me: int, free_cards: int, bonus: int) -> int:
    """More points than this cannot be made on this turn."""
    n_cards = count_cards(s.hand[me]) + free_cards
    cheapest = min(count_cards(s.costs[COST_SETTLEMENT]), count_cards(s.costs[COST_CITY]))
    points = max(s.points_settlement, s.points_city - s.points_settlement)
    road_points = s.points_road if s.longest_road != me else 0
    return bonus + road_points + n_cards // cheapest * points


@kernel
def has_card(s: State, me: int, plan_card: int) -> bool:
    """Whether a plan can begin with this card now."""
    if plan_card == NO_CARD:
        return True
    playable_cards = old_cards(s, me)
    if s.card_played or s.phase != MAIN:
        return False
    if plan_card == WITH_PLENTY:
        return count(playable_cards, YEAR_OF_PLENTY) > 0 and count_cards(s.supply) > 1
    if plan_card == WITH_ROADS:
        return count(playable_cards, ROAD_BUILDING) > 0 and can_add_road(s, me)
    if s.largest_army == me or count(playable_cards, KNIGHT) == 0:
        return False
    return count(s.played[me], KNIGHT) + 1 >= army_record(s)


@kernel
def choose_two_cards(s: State, me: int, price: int) -> int:
    """The two cards to take for nothing: those that are lacking, else any."""
    hand = s.hand[me]
    supply = s.supply
    first_kind = -1
    second_kind = -1
    for any_kind in range(2):
        for kind in range(N_KINDS):
            while second_kind < 0 and count(supply, kind) and (any_kind or count(hand, kind) < count(price, kind)):
                hand += single_card(kind)
                supply -= single_card(kind)
                second_kind = kind if first_kind >= 0 else -1
                first_kind = kind if first_kind < 0 else first_kind
    return plenty_action(min(first_kind, second_kind), max(first_kind, second_kind))


@kernel
def best_corner(m: Mind, corners: int) -> int:
    """The corner with the most dots."""
    best = lowest_set_bit(corners)
    while corners:
        corner = lowest_set_bit(corners)
        corners &= corners - 1
        if m.dots[corner] > m.dots[best]:
            best = corner
    return best


@kernel
def first_step(s: State, m: Mind, me: int, plan_card: int, roads: int, free: int, buildings: int) -> int:
    """The action with which a plan begins: its card, then trades with the supply, roads, settlements, cities."""
    settlements = buildings & 7
    cities = buildings >> 3
    price = price_of_roads(s, roads, free) + settlements * s.costs[COST_SETTLEMENT] + cities * s.costs[COST_CITY]
    if plan_card == WITH_KNIGHT:
        return act.KNIGHT_CARD
    if plan_card == WITH_ROADS:
        return act.ROAD_BUILDING_CARD
    if plan_card == WITH_PLENTY:
        return choose_two_cards(s, me, price)
    if s.phase == FREE_ROAD:
        return simple_action(act.ROAD, m.plan[0]) if roads else 0
    for kind in range(N_KINDS):
        if count(s.hand[me], kind) < count(price, kind):
            for give_kind in range(N_KINDS):
                rate = rate_for(s, me, give_kind)
                if count(s.hand[me], give_kind) - count(price, give_kind) >= rate:
                    return supply_action(give_kind, rate, single_card(kind))
    if roads:
        return simple_action(act.ROAD, m.plan[0])
    if settlements:
        sites = s.reach[me] & s.sites
        if settlements == 2:
            corners_left = sites
            while corners_left:
                if not sites & ~CORNERS_NEAR[lowest_set_bit(corners_left)]:
                    sites &= ~(corners_left & -corners_left)  # no other could be settled beside it
                corners_left &= corners_left - 1
        return simple_action(act.SETTLEMENT, best_corner(m, sites))
    return simple_action(act.CITY, best_corner(m, s.settlements[me]))


@entry
def bot_plan(copies: Any, scratch: Any, mind: Any, me: int) -> int:
    """The first action of a plan that wins on this turn for certain; 0 if there is none.

    Copy 0 and `mind` are as :func:`.choice.bot_decide` has left them.
    """
    m = struct_at(mind, Mind)
    w = struct_at(scratch, Scratch)
    s = struct_in(copies, 0, State)
    if s.active != me or not (s.phase == MAIN or (s.phase == FREE_ROAD and s.rolled)):
        return 0
    points_lacking = s.points_to_win - points_of(s, me, 1)
    m.plans_tried = 0
    for roads in range(MOST_PLAN_ROADS + 1):
        for plan_card in range(4):
            free_cards = 2 if plan_card == WITH_PLENTY else 0
            bonus = s.points_army + 0 if plan_card == WITH_KNIGHT else 0
            free = 2 if plan_card == WITH_ROADS else s.free_roads + 0
            if points_lacking > most_points(s, me, free_cards, bonus) or not has_card(s, me, plan_card):
                continue
            if not can_pay(s, me, price_of_roads(s, roads, free), free_cards):
                continue
            buildings = plan_with_roads(copies, w, m, me, roads, free, free_cards, bonus)
            if buildings >= 0:
                return first_step(s, m, me, plan_card, roads, free, buildings)
    return 0
