"""Trade between players: what an exchange is worth to both sides and to the rest of the table.

Both sides are judged with their cards, the partner with those it most likely holds. A trade is good if the own chance
grows although the partner's strength grows too; an offer is made only if the partner should like it. No offer is made
again that came to nothing before in the game, nor on a turn one that asks for what another gave away, and there are at
most OWN_OFFERS of them on a turn.

Manners go before judgement (:func:`unwise`): nothing for a player who is about to win or whom the cards would bring an
award or several points at once, and no more cards for the one who leads than one gets. Before much is paid to the
supply for a card, the table is asked for it (:func:`ask_first`).

A shrewd player looks at more offers, with the eyes of those to whom they go, and makes the one that is best for itself
of all to which somebody should agree. A daring one looks at larger ones too, and asks also where the other gains
little: a refusal costs nothing but one of the few offers of a turn.
"""

from __future__ import annotations

from typing import Any, Final

from hexholm.rules.compiled import kernel, popcount, table
from hexholm.rules.core.encoding import actions as act
from hexholm.rules.core.encoding.actions import counter, give_of, kind_of, offer, simple, want_of, what
from hexholm.rules.core.encoding.lanes import at_least, common, count, covers, lane, total, widen
from hexholm.rules.core.encoding.structs import COST_CITY, COST_ROAD, COST_SETTLEMENT, OFFERS, State, Talk
from hexholm.rules.core.offers import free_slot, trading_open
from hexholm.rules.core.roads import road_count

from .features import rate_for
from .lookahead import rate_in
from .mind import DARING, HERE, HOLDER, OWN_OFFERS, THERE, Mind
from .value_network import chance, judge_all_seats, strength_with, study

MARGIN: Final = 0.004
"""So much the own chance must grow by an exchange."""
LIKING: Final = 0.02
"""So much stronger a partner must become by an offer, for it to be made."""
CLOSE: Final = 2
"""Who lacks so many points, or fewer, is about to win."""
NEXT: Final = 3
"""Who lacks so many is given nothing that brings even one of them at once; others nothing that brings HELP of them."""
HELP: Final = 2
LEEWAY: Final = 0.01
"""So much of its chance is a smaller hand worth to one who holds too many cards."""
DEAR: Final = 3
"""Who pays so many cards to the supply for one asks the table before."""
PROMISING: Final = 4
"""So many offers are looked at closely."""
SURE: Final = 1.25
"""A partner is counted on if it gains so many times what it asks for."""
HOPE: Final = 0.001
"""A daring player counts on one whose chance grows by so much; for itself it takes anything that helps at all."""
LOT = table(
    [lane(a) for a in range(5)]
    + [lane(a) + lane(b) for a in range(5) for b in range(a, 5)]
    + [lane(a) + lane(b) + lane(c) for a in range(5) for b in range(a, 5) for c in range(b, 5)]
)
"""One card, two or three: what is given and wanted."""
SINGLE: Final = 5
"""The first so many of them are one card."""
LOTS: Final = 20
"""A shrewd player looks at so many of them, and has one card on one side; a daring one looks at ALL_LOTS."""
ALL_LOTS: Final = 55


@kernel
def about_to_win(s: State, seat: int) -> bool:
    """Whether one should not trade with a seat any more."""
    return s.points[seat] >= s.points_to_win - CLOSE


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
def unwise(s: State, m: Mind, seat: int, gets: int, gives: int) -> bool:
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
    return 0.0 if m.trader == DARING else MARGIN


@kernel
def answer_margin(s: State, m: Mind, me: int) -> float:
    """The same for an answer; with more cards than one may keep on a seven, by anything."""
    return 0.0 if total(s.hand[me]) > s.hand_limit else margin_of(m)


@kernel
def with_hand(s: State, m: Mind, net: Any, bank: int, seat: int, hand: int) -> float:
    """The strength of a seat about which `bank` knows, seen as it sees itself, with these resource cards in hand."""
    size = m.amount[seat]
    m.amount[seat] = total(hand)
    found = strength_with(s, m, net, bank, seat, 1, hand)
    m.amount[seat] = size
    return float(found)


@kernel
def liking(s: State, m: Mind, net: Any, seat: int, gets: int, gives: int) -> float:
    """How much stronger an exchange makes another seat, with the hand it most likely holds."""
    if not (m.ready >> seat) & 1:
        study(s, m, net, HOLDER, seat, 1)
        m.holder[seat] = with_hand(s, m, net, HOLDER, seat, m.likely[seat])
        m.ready |= 1 << seat
    hand = m.likely[seat]
    before = m.holder[seat]
    if not covers(hand, gives):
        hand += gives  # it says so, or it is asked whether
        before = with_hand(s, m, net, HOLDER, seat, hand)
    return with_hand(s, m, net, HOLDER, seat, hand + gets - gives) - before


@kernel
def chance_with(s: State, m: Mind, me: int, own: float, partner: int, more: float) -> float:
    """The own chance with another own strength, and a partner that is stronger than before."""
    for seat in range(s.players):
        m.trial[seat] = m.strength[seat]
    m.trial[me] = own
    m.trial[partner] += more
    return chance(s, m.trial, me)


@kernel
def weigh_exchange(s: State, m: Mind, net: Any, me: int, partner: int, gets: int, gives: int) -> float:
    """The own chance after getting `gets` for `gives` (lanes) from `partner`; `m.strength` holds those of before."""
    own = with_hand(s, m, net, HERE, me, s.hand[me] + gets - gives)
    if own <= m.strength[me]:
        return 0.0
    return chance_with(s, m, me, own, partner, liking(s, m, net, partner, gives, gets))


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
    if value <= chance(s, m.strength, me) + answer_margin(s, m, me):
        return 0.0
    return 0.0 if unwise(s, m, maker, t.want[slot], t.give[slot]) else value


@kernel
def best_deal(s: State, t: Talk, m: Mind, net: Any, me: int) -> int:
    """What `me` can agree on that is best for it: with one who said yes to its offer, or yes to another's; 0: nothing.

    Who has several counter-offers, or a counter-offer and a yes, does not take the first of them.
    """
    best = chance(s, m.strength, me)
    chosen = 0
    for slot in range(OFFERS):
        if waits_for(t, slot, me) and can_agree(s, t, m, slot, me):
            value = worth_of_yes(s, t, m, net, me, slot)
            if value > best:
                best = value
                chosen = simple(act.ACCEPT, slot)
        if t.give[slot] == 0 or t.maker[slot] != me or s.turn != me or not covers(s.hand[me], t.give[slot]):
            continue
        for partner in range(s.players):
            if (t.yes[slot] >> partner) & 1:
                value = weigh_exchange(s, m, net, me, partner, t.want[slot], t.give[slot])
                if value > best:
                    best = value
                    chosen = simple(act.CONFIRM, slot | partner << 3)
    return chosen


@kernel
def refuse(s: State, t: Talk, m: Mind, net: Any, me: int) -> int:
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
    best = chance(s, m.strength, me) + 2.0 * answer_margin(s, m, me)
    chosen = 0
    for kind in range(5):
        for extra in range(2):
            gets = lane(kind) if extra == 0 else t.give[slot] + lane(kind)
            if common(gets, gives) or gets == t.give[slot] or not covers(m.likely[maker], gets):
                continue
            if said_before(m, gives, gets) or supply_gives(s, maker, gets, gives):
                continue
            own = with_hand(s, m, net, HERE, me, s.hand[me] + gets - gives)
            if own <= m.strength[me]:
                continue
            more = liking(s, m, net, maker, gives, gets)
            if more < LIKING:
                continue
            value = chance_with(s, m, me, own, maker, more)
            if value > best and not unwise(s, m, maker, gives, gets):
                best = value
                chosen = gets
    return counter(gives, chosen, slot) if chosen else 0


@kernel
def take_back(t: Talk, me: int) -> int:
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
def takes_back(m: Mind, want: int) -> bool:
    """Whether this asks for what was offered on this turn."""
    for i in range(m.n_said):
        if common(give_of(m.said[i]), want):
            return True
    return False


@kernel
def may_offer(s: State, t: Talk, m: Mind, me: int) -> bool:
    """Whether another offer can be made: not too many on this turn, none of its own open."""
    if m.n_said < 0 or said_enough(m) or not trading_open(s) or free_slot(t) < 0:
        return False
    for slot in range(OFFERS):
        if t.give[slot] and t.maker[slot] == me:
            return False
    return True


@kernel
def lighten(s: State, m: Mind, me: int, code: int) -> int:
    """Instead of the end of a turn with more cards than one may keep on a seven: a trade that is nearly as good."""
    if kind_of(code) != act.END or total(s.hand[me]) <= s.hand_limit:
        return code
    best = 0.0
    for i in range(m.n):
        if m.code[i] == code:
            best = m.value[i] - LEEWAY
    chosen = code
    for i in range(m.n):
        if kind_of(m.code[i]) == act.SUPPLY and m.value[i] > best:
            best = m.value[i]
            chosen = m.code[i]
    return chosen


@kernel
def ask_first(s: State, t: Talk, m: Mind, net: Any, me: int, code: int) -> int:
    """Before a dear trade with the supply, an offer to all who may hold the card; 0: nothing to ask, or asked before.

    One card for one if somebody should like that, else two for one, of the kind that would go to the supply. Only those
    are asked from whom the card is no worse for `me` than from the supply. What it promises is left in `m.worth[0]`.
    """
    if kind_of(code) != act.SUPPLY or rate_in(code) < DEAR or not may_offer(s, t, m, me):
        return 0
    given = lane(what(code) & 7)
    want = widen(what(code) >> 6)
    if takes_back(m, want):
        return 0
    for i in range(m.n_said):
        if common(want_of(m.said[i]), want):
            return 0
    judge_all_seats(s, m, net, me)
    own = with_hand(s, m, net, HERE, me, s.hand[me] + want - rate_in(code) * given)
    least = chance_with(s, m, me, own, me, 0.0)
    chosen = 0
    for price in range(1, DEAR):
        if said_before(m, price * given, want):
            continue
        own = with_hand(s, m, net, HERE, me, s.hand[me] + want - price * given)
        best = least
        to = 0
        liked = False
        for partner in range(s.players):
            if partner == me or not may_hold(m, partner, want) or unwise(s, m, partner, price * given, want):
                continue
            more = liking(s, m, net, partner, price * given, want)
            value = chance_with(s, m, me, own, partner, more)
            if value >= least:
                to |= 1 << partner
                liked = liked or more > LIKING
                best = max(best, value)
        if to:
            m.worth[0] = best
            chosen = offer(price * given, want, to)
        if liked:
            break
    return chosen


@kernel
def mind_manners(s: State, t: Talk, m: Mind, net: Any, me: int, code: int) -> int:
    """What a seat with manners does instead of `code`, which it has chosen by its judgement; mostly just that."""
    code = lighten(s, m, me, code)
    asks = ask_first(s, t, m, net, me, code)
    return asks if asks else code


@kernel
def may_hold(m: Mind, seat: int, cards: int) -> bool:
    """Whether a seat may hold some of each of these cards, by all that was seen."""
    for kind in range(5):
        if count(cards, kind) and m.mean[seat, kind] <= 0.0:
            return False
    return True


@kernel
def enough_for(m: Mind, left: int, enough: float) -> float:
    """The chance an offer has to promise that leaves these cards (lanes)."""
    return enough if covers(left, m.price) else max(enough, m.instead + margin_of(m))


@kernel
def choose_offer(s: State, t: Talk, m: Mind, net: Any, me: int, least: float) -> int:
    """The offer that promises most, if that is more than the chance `least`; 0 if there is none.

    One card for one; after a refusal two for one. One that takes the cards which the best action costs (`m.price`) has
    to promise more than that action. What it promises is left in `m.worth[0]`.
    """
    if not may_offer(s, t, m, me):
        return 0
    if m.trader:
        return haggle(s, m, net, me, least)
    hand = s.hand[me]
    price = 1 if m.n_said == 0 else 2
    rows = 0
    there = 0
    for partner in range(s.players):
        if partner != me and not about_to_win(s, partner):
            there |= at_least(m.likely[partner], 1)
    for give in range(5):
        if count(hand, give) < price:
            continue
        for want in range(5):
            if want == give or not (there >> (8 * want + 7)) & 1:
                continue
            if said_before(m, price * lane(give), lane(want)) or takes_back(m, lane(want)):
                continue
            value = with_hand(s, m, net, HERE, me, hand + lane(want) - price * lane(give)) - m.strength[me]
            if value > 0.0:
                rows = keep_promising(m, rows, offer(price * lane(give), lane(want), 0), value)
    enough = least + margin_of(m)
    best = enough
    chosen = 0
    for i in range(rows):
        code = m.order[i]
        give = give_of(code)
        want = want_of(code)
        bar = enough_for(m, hand + want - give, enough)
        to = 0
        value = 0.0
        for partner in range(s.players):
            if partner == me or about_to_win(s, partner) or not covers(m.likely[partner], want):
                continue
            more = liking(s, m, net, partner, give, want)
            if more > LIKING:
                found = chance_with(s, m, me, m.strength[me] + m.worth[i], partner, more)
                if found > bar and not unwise(s, m, partner, give, want):
                    to |= 1 << partner
                    value = max(value, found)
        if to and value > best:
            best = value
            chosen = offer(give, want, to)
    m.worth[0] = best
    return chosen


@kernel
def would_agree(s: State, m: Mind, me: int, partner: int, more: float, own: float) -> bool:
    """Whether a partner is counted on to say yes: it thinks as we do, and knows our cards about as well as we its."""
    for seat in range(s.players):
        m.trial[seat] = m.strength[seat]
    m.trial[me] = m.seen
    m.trial[partner] = m.holder[partner]
    now = chance(s, m.trial, partner)
    m.trial[partner] += more
    m.trial[me] += own
    return chance(s, m.trial, partner) > now + (HOPE if m.trader == DARING else SURE * MARGIN)


@kernel
def haggle(s: State, m: Mind, net: Any, me: int, least: float) -> int:
    """The offer of a few cards for a few that is best for `me`, of those to which somebody is counted on to agree."""
    study(s, m, net, THERE, me, 0)
    m.seen = strength_with(s, m, net, THERE, me, 0, 0)
    hand = s.hand[me]
    enough = least + margin_of(m)
    best = enough
    chosen = 0
    lots = ALL_LOTS if m.trader == DARING else LOTS
    for i in range(lots):
        give = LOT[i]
        if not covers(hand, give):
            continue
        for j in range(lots if i < SINGLE or m.trader == DARING else SINGLE):
            want = LOT[j]
            if common(give, want) or said_before(m, give, want) or takes_back(m, want):
                continue
            if supply_gives(s, me, give, want):
                continue
            own = with_hand(s, m, net, HERE, me, hand + want - give) - m.strength[me]
            if own <= 0.0:
                continue
            bar = enough_for(m, hand + want - give, enough)
            to = 0
            value = 0.0
            for partner in range(s.players):
                if partner == me or about_to_win(s, partner) or not covers(m.likely[partner], want):
                    continue
                more = liking(s, m, net, partner, give, want)
                if more <= LIKING:
                    continue
                found = chance_with(s, m, me, m.strength[me] + own, partner, more)
                if found <= bar or unwise(s, m, partner, give, want) or supply_gives(s, partner, want, give):
                    continue
                if would_agree(s, m, me, partner, more, own):
                    to |= 1 << partner
                    value = max(value, found)
            if to and value > best:
                best = value
                chosen = offer(give, want, to)
    m.worth[0] = best
    return chosen


@kernel
def keep_promising(m: Mind, rows: int, code: int, value: float) -> int:
    """Keep the best few offers in `m.order`, their values in `m.worth`; returns how many there are."""
    if rows == PROMISING and value <= m.worth[rows - 1]:
        return rows
    i = rows if rows < PROMISING else PROMISING - 1
    while i > 0 and m.worth[i - 1] < value:
        m.order[i] = m.order[i - 1]
        m.worth[i] = m.worth[i - 1]
        i -= 1
    m.order[i] = code
    m.worth[i] = value
    return rows + 1 if rows < PROMISING else rows
