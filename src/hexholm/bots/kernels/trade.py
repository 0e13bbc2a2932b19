"""Trade between players: what an exchange is worth to both sides and to the rest of the table.

Both sides are judged with their cards, the partner with those it most likely holds. A trade is good if the own chance
grows although the partner's strength grows too; an offer is made only if the partner should like it
(:mod:`.trade_offers`).

Manners go before judgement (:func:`is_unwise`): nothing for a player who is about to win or whom the cards would bring
an award or several points at once, and no more cards for the one who leads than one gets.
"""

from __future__ import annotations

from typing import Any, Final

from hexholm.rules.compiled import kernel, popcount
from hexholm.rules.core.encoding import actions as act
from hexholm.rules.core.encoding.actions import counter, give_of, offer, simple
from hexholm.rules.core.encoding.lanes import common, count, covers, lane, total
from hexholm.rules.core.encoding.structs import COST_CITY, COST_ROAD, COST_SETTLEMENT, OFFERS, State, Talk
from hexholm.rules.core.offers import free_slot
from hexholm.rules.core.roads import road_count

from .features import rate_for
from .mind import DARING, HERE, HOLDER, OWN_OFFERS, Mind
from .value_network import strength_with, study_seat, win_chance

LEAST_GAIN: Final = 0.004
"""So much the own chance must grow by an exchange."""
LIKING: Final = 0.02
"""So much stronger a partner must become by an offer, for it to be made."""
ABOUT_TO_WIN: Final = 2
"""Who lacks so many points, or fewer, is about to win."""
NEXT: Final = 3
"""Who lacks so many is given nothing that brings even one of them at once; others nothing that brings HELP of them."""
HELP: Final = 2


@kernel
def about_to_win(s: State, seat: int) -> bool:
    """Whether one should not trade with a seat any more."""
    return s.points[seat] >= s.points_to_win - ABOUT_TO_WIN


@kernel
def leads_alone(s: State, seat: int) -> bool:
    """Whether a seat has more points in view than all others."""
    for other in range(s.players):
        if other != seat and s.points[other] >= s.points[seat]:
            return False
    return True


@kernel
def points_with(s: State, m: Mind, seat: int, hand: int) -> int:
    """How many points a seat can build at once with these cards, at most: the longest road, settlements, cities."""
    sites = min(popcount(s.reach[seat] & s.sites), s.settlement_limit - popcount(s.settlements[seat]))
    cities = min(popcount(s.settlements[seat]), s.city_limit - popcount(s.cities[seat]))
    roads = s.road_record + 1 - m.length[seat]
    if roads < 0 or s.longest_road == seat or s.paths_lo[seat] | s.paths_hi[seat] == 0:
        roads = 0
    if roads > s.road_limit - road_count(s, seat):
        roads = 0
    best = 0
    for long in range(2 if roads else 1):
        for a in range(min(2, sites) + 1):
            for b in range(min(2, cities) + 1):
                price = a * s.costs[COST_SETTLEMENT] + b * s.costs[COST_CITY] + long * roads * s.costs[COST_ROAD]
                points = a * s.points_settlement + b * (s.points_city - s.points_settlement) + long * s.points_road
                if points > best and covers(hand, price):
                    best = points
    return best


@kernel
def is_unwise(s: State, m: Mind, seat: int, gets: int, gives: int) -> bool:
    """Whether nobody should make this exchange with a seat, however much it helps: it would bring that one too far."""
    if about_to_win(s, seat) or (total(gets) > total(gives) and leads_alone(s, seat)):
        return True
    hand = m.likely[seat]
    if not covers(hand, gives):
        hand += gives
    more = points_with(s, m, seat, hand + gets - gives) - points_with(s, m, seat, hand)
    return more >= (1 if s.points[seat] >= s.points_to_win - NEXT else HELP)


@kernel
def supply_gives(s: State, seat: int, gives: int, gets: int) -> bool:
    """Whether a seat would get as much from the supply, by its own rates, as by this exchange."""
    n = 0
    for kind in range(5):
        n += count(gives, kind) // rate_for(s, seat, kind)
    return n >= total(gets) and covers(s.bank, gets)


@kernel
def margin_of(m: Mind) -> float:
    """How much an exchange must better the own chance."""
    return 0.0 if m.trader == DARING else LEAST_GAIN


@kernel
def answer_margin(s: State, m: Mind, me: int) -> float:
    """The same for an answer; with more cards than one may keep on a seven, by anything."""
    return 0.0 if total(s.hand[me]) > s.hand_limit else margin_of(m)


@kernel
def strength_with_hand(s: State, m: Mind, net: Any, bank: int, seat: int, hand: int) -> float:
    """The strength of a seat about which `bank` knows, seen as it sees itself, with these resource cards in hand."""
    size = m.amount[seat]
    m.amount[seat] = total(hand)
    found = strength_with(s, m, net, bank, seat, 1, hand)
    m.amount[seat] = size
    return float(found)


@kernel
def gain_of_partner(s: State, m: Mind, net: Any, seat: int, gets: int, gives: int) -> float:
    """How much stronger an exchange makes another seat, with the hand it most likely holds."""
    if not (m.ready >> seat) & 1:
        study_seat(s, m, net, HOLDER, seat, 1)
        m.holder[seat] = strength_with_hand(s, m, net, HOLDER, seat, m.likely[seat])
        m.ready |= 1 << seat
    hand = m.likely[seat]
    before = m.holder[seat]
    if not covers(hand, gives):
        hand += gives  # it says so, or it is asked whether
        before = strength_with_hand(s, m, net, HOLDER, seat, hand)
    return strength_with_hand(s, m, net, HOLDER, seat, hand + gets - gives) - before


@kernel
def chance_with(s: State, m: Mind, me: int, own: float, partner: int, more: float) -> float:
    """The own chance with another own strength, and a partner that is stronger than before."""
    for seat in range(s.players):
        m.trial[seat] = m.strength[seat]
    m.trial[me] = own
    m.trial[partner] += more
    return win_chance(s, m.trial, me)


@kernel
def weigh_exchange(s: State, m: Mind, net: Any, me: int, partner: int, gets: int, gives: int) -> float:
    """The own chance after getting `gets` for `gives` (lanes) from `partner`; `m.strength` holds those of before."""
    own = strength_with_hand(s, m, net, HERE, me, s.hand[me] + gets - gives)
    if own <= m.strength[me]:
        return 0.0
    return chance_with(s, m, me, own, partner, gain_of_partner(s, m, net, partner, gives, gets))


@kernel
def waits_for(t: Talk, slot: int, me: int) -> bool:
    """Whether an offer waits for an answer of `me`."""
    return t.give[slot] != 0 and (t.to[slot] >> me) & 1 != 0 and ((t.yes[slot] | t.no[slot]) >> me) & 1 == 0


@kernel
def can_agree(s: State, t: Talk, m: Mind, slot: int, me: int) -> bool:
    """Whether `me` holds what an offer wants, and its maker, who is not about to win, most likely what it gives."""
    maker = t.maker[slot] + 0
    if m.n_said < 0 or about_to_win(s, maker):
        return False
    return covers(s.hand[me], t.want[slot]) and covers(m.likely[maker], t.give[slot])


@kernel
def worth_of_yes(s: State, t: Talk, m: Mind, net: Any, me: int, slot: int) -> float:
    """The own chance after a yes to an offer; 0 if that is too little."""
    maker = t.maker[slot] + 0
    value = weigh_exchange(s, m, net, me, maker, t.give[slot], t.want[slot])
    if value <= win_chance(s, m.strength, me) + answer_margin(s, m, me):
        return 0.0
    return 0.0 if is_unwise(s, m, maker, t.want[slot], t.give[slot]) else value


@kernel
def best_deal(s: State, t: Talk, m: Mind, net: Any, me: int) -> int:
    """What `me` can agree on that is best for it: with one who said yes to its offer, or yes to another's; 0: nothing.

    Who has several counter-offers, or a counter-offer and a yes, does not take the first of them.
    """
    best = win_chance(s, m.strength, me)
    chosen = 0
    for slot in range(OFFERS):
        if waits_for(t, slot, me) and can_agree(s, t, m, slot, me):
            value = worth_of_yes(s, t, m, net, me, slot)
            if value > best:
                best = value
                chosen = simple(act.ACCEPT, slot)
        if t.give[slot] == 0 or t.maker[slot] != me or s.active != me or not covers(s.hand[me], t.give[slot]):
            continue
        for partner in range(s.players):
            if (t.yes[slot] >> partner) & 1:
                value = weigh_exchange(s, m, net, me, partner, t.want[slot], t.give[slot])
                if value > best:
                    best = value
                    chosen = simple(act.CONFIRM, slot | partner << 3)
    return chosen


@kernel
def answer_no(s: State, t: Talk, m: Mind, net: Any, me: int) -> int:
    """No or another offer to the first one that waits for an answer of `me` and is not agreed to; 0 if none does."""
    for slot in range(OFFERS):
        if waits_for(t, slot, me):
            other = choose_counter(s, t, m, net, me, t.maker[slot] + 0, slot) if can_agree(s, t, m, slot, me) else 0
            return other if other else simple(act.REJECT, slot)
    return 0


@kernel
def choose_counter(s: State, t: Talk, m: Mind, net: Any, me: int, maker: int, slot: int) -> int:
    """Another card for what is wanted, if both would like that; once a turn to a player, never the own offer again."""
    if (m.countered >> maker) & 1 or said_enough(m) or free_slot(t) < 0:
        return 0
    gives = t.want[slot]
    best = win_chance(s, m.strength, me) + 2.0 * answer_margin(s, m, me)
    chosen = 0
    for kind in range(5):
        for extra in range(2):
            gets = lane(kind) if extra == 0 else t.give[slot] + lane(kind)
            if common(gets, gives) or gets == t.give[slot] or not covers(m.likely[maker], gets):
                continue
            if said_before(m, gives, gets) or supply_gives(s, maker, gets, gives):
                continue
            own = strength_with_hand(s, m, net, HERE, me, s.hand[me] + gets - gives)
            if own <= m.strength[me]:
                continue
            more = gain_of_partner(s, m, net, maker, gives, gets)
            if more < LIKING:
                continue
            value = chance_with(s, m, me, own, maker, more)
            if value > best and not is_unwise(s, m, maker, gives, gets):
                best = value
                chosen = gets
    return counter(gives, chosen, slot) if chosen else 0


@kernel
def withdraw_offer(t: Talk, me: int) -> int:
    """The own offer that all have answered, and none as one could wish, is taken back; 0 if there is none."""
    for slot in range(OFFERS):
        if t.give[slot] and t.maker[slot] == me and t.to[slot] & ~(t.yes[slot] | t.no[slot]) == 0:
            return simple(act.WITHDRAW, slot)
    return 0


@kernel
def said_enough(m: Mind) -> bool:
    """Whether as many offers were made on this turn as a player makes; one that counters another's is one of them."""
    return m.n_said + popcount(m.countered) >= OWN_OFFERS


@kernel
def said_before(m: Mind, give: int, want: int) -> bool:
    """Whether this was offered on this turn already, or before and came to nothing."""
    terms = offer(give, want, 0)
    for i in range(m.n_said):
        if m.said[i] == terms:
            return True
    for i in range(m.n_refused):
        if m.refused[i] == terms:
            return True
    return False


@kernel
def asks_back(m: Mind, want: int) -> bool:
    """Whether this asks for what was offered on this turn."""
    for i in range(m.n_said):
        if common(give_of(m.said[i]), want):
            return True
    return False
