"""Offers of one's own: which to make, to whom, and when to ask the table before the supply.

No offer is made again that came to nothing before in the game, nor on a turn one that asks for what another gave away,
and there are at most OWN_OFFERS of them on a turn. Before much is paid to the supply for a card, the table is asked for
it (:func:`offer_before_supply`).

A shrewd player looks at more offers, with the eyes of those to whom they go, and makes the one that is best for itself
of all to which somebody should agree. A daring one looks at larger ones too, and asks also where the other gains
little: a refusal costs nothing but one of the few offers of a turn.
"""

from __future__ import annotations

from typing import Any, Final

from hexholm.rules.compiled import kernel, table
from hexholm.rules.core.encoding import actions as act
from hexholm.rules.core.encoding.actions import give_of, kind_of, offer, parameter_of, want_of
from hexholm.rules.core.encoding.lanes import at_least, common, count, covers, lane, total, widen
from hexholm.rules.core.encoding.structs import OFFERS, State, Talk
from hexholm.rules.core.offers import free_slot, trading_open

from .lookahead import rate_in
from .mind import DARING, HERE, THERE, Mind
from .trade import (
    LEAST_GAIN,
    LIKING,
    about_to_win,
    asks_back,
    chance_with,
    gain_of_partner,
    is_unwise,
    margin_of,
    said_before,
    said_enough,
    strength_with_hand,
    supply_gives,
)
from .value_network import judge_all_seats, strength_with, study_seat, win_chance

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
def may_offer(s: State, t: Talk, m: Mind, me: int) -> bool:
    """Whether another offer can be made: not too many on this turn, none of its own open."""
    if m.n_said < 0 or said_enough(m) or not trading_open(s) or free_slot(t) < 0:
        return False
    for slot in range(OFFERS):
        if t.give[slot] and t.maker[slot] == me:
            return False
    return True


@kernel
def lighten_hand(s: State, m: Mind, me: int, code: int) -> int:
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
def offer_before_supply(s: State, t: Talk, m: Mind, net: Any, me: int, code: int) -> int:
    """Before a dear trade with the supply, an offer to all who may hold the card; 0: nothing to ask, or asked before.

    One card for one if somebody should like that, else two for one, of the kind that would go to the supply. Only those
    are asked from whom the card is no worse for `me` than from the supply. What it promises is left in `m.worth[0]`.
    """
    if kind_of(code) != act.SUPPLY or rate_in(code) < DEAR or not may_offer(s, t, m, me):
        return 0
    given = lane(parameter_of(code) & 7)
    want = widen(parameter_of(code) >> 6)
    if asks_back(m, want):
        return 0
    for i in range(m.n_said):
        if common(want_of(m.said[i]), want):
            return 0
    judge_all_seats(s, m, net, me)
    own = strength_with_hand(s, m, net, HERE, me, s.hand[me] + want - rate_in(code) * given)
    least = chance_with(s, m, me, own, me, 0.0)
    chosen = 0
    for price in range(1, DEAR):
        if said_before(m, price * given, want):
            continue
        own = strength_with_hand(s, m, net, HERE, me, s.hand[me] + want - price * given)
        best = least
        to = 0
        liked = False
        for partner in range(s.players):
            if partner == me or not may_hold(m, partner, want) or is_unwise(s, m, partner, price * given, want):
                continue
            more = gain_of_partner(s, m, net, partner, price * given, want)
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
def revise_choice(s: State, t: Talk, m: Mind, net: Any, me: int, code: int) -> int:
    """What a seat with manners does instead of `code`, which it has chosen by its judgement; mostly just that."""
    code = lighten_hand(s, m, me, code)
    asks = offer_before_supply(s, t, m, net, me, code)
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
        return choose_exchange(s, m, net, me, least)
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
            if said_before(m, price * lane(give), lane(want)) or asks_back(m, lane(want)):
                continue
            value = strength_with_hand(s, m, net, HERE, me, hand + lane(want) - price * lane(give)) - m.strength[me]
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
            more = gain_of_partner(s, m, net, partner, give, want)
            if more > LIKING:
                found = chance_with(s, m, me, m.strength[me] + m.worth[i], partner, more)
                if found > bar and not is_unwise(s, m, partner, give, want):
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
    now = win_chance(s, m.trial, partner)
    m.trial[partner] += more
    m.trial[me] += own
    return win_chance(s, m.trial, partner) > now + (HOPE if m.trader == DARING else SURE * LEAST_GAIN)


@kernel
def choose_exchange(s: State, m: Mind, net: Any, me: int, least: float) -> int:
    """The offer of a few cards for a few that is best for `me`, of those to which somebody is counted on to agree."""
    study_seat(s, m, net, THERE, me, 0)
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
            if common(give, want) or said_before(m, give, want) or asks_back(m, want):
                continue
            if supply_gives(s, me, give, want):
                continue
            own = strength_with_hand(s, m, net, HERE, me, hand + want - give) - m.strength[me]
            if own <= 0.0:
                continue
            bar = enough_for(m, hand + want - give, enough)
            to = 0
            value = 0.0
            for partner in range(s.players):
                if partner == me or about_to_win(s, partner) or not covers(m.likely[partner], want):
                    continue
                more = gain_of_partner(s, m, net, partner, give, want)
                if more <= LIKING:
                    continue
                found = chance_with(s, m, me, m.strength[me] + own, partner, more)
                if found <= bar or is_unwise(s, m, partner, give, want) or supply_gives(s, partner, want, give):
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
