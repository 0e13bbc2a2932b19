"""Trade between players: what an exchange is worth to both sides and to the rest of the table.

Both sides are judged with their cards, the partner with those it most likely holds. A trade is good if the own chance
grows although the partner's strength grows too; an offer is made only if the partner should like it. Nothing is given
to a player who is about to win, no offer is made twice on a turn, and there are at most OWN_OFFERS of them.

A shrewd player looks at more offers, with the eyes of those to whom they go, and makes the one that is best for itself
of all to which somebody should agree.
"""

from __future__ import annotations

from typing import Any, Final

from hexholm.rules.compiled import kernel, table
from hexholm.rules.core import actions as act
from hexholm.rules.core.actions import counter, give_of, offer, simple, want_of
from hexholm.rules.core.lanes import at_least, common, count, covers, lane, total
from hexholm.rules.core.layout import OFFERS, State, Talk
from hexholm.rules.core.talk import free_slot, trading_open

from .judging import chance, strength_with, study
from .layout import HERE, HOLDER, OWN_OFFERS, THERE, Mind

MARGIN: Final = 0.004
"""So much the own chance must grow by an exchange."""
LIKING: Final = 0.02
"""So much stronger a partner must become by an offer, for it to be made."""
CLOSE: Final = 2
"""Who lacks so many points, or fewer, is about to win."""
PROMISING: Final = 4
"""So many offers are looked at closely."""
SURE: Final = 1.25
"""A partner is counted on if it gains so many times what it asks for."""
LOT = table([lane(a) for a in range(5)] + [lane(a) + lane(b) for a in range(5) for b in range(a, 5)])
LOTS: Final = 20
"""One or two cards: what a shrewd player gives and wants."""


@kernel
def about_to_win(s: State, seat: int) -> bool:
    """Whether one should not trade with a seat any more."""
    return s.points[seat] >= s.points_to_win - CLOSE


@kernel
def own_with(s: State, m: Mind, net: Any, me: int, hand: int) -> float:
    """The own strength with these resource cards in hand."""
    size = m.amount[me]
    m.amount[me] = total(hand)
    found = strength_with(s, m, net, HERE, me, 1, hand)
    m.amount[me] = size
    return float(found)


@kernel
def holder_with(s: State, m: Mind, net: Any, seat: int, hand: int) -> float:
    """The strength of another seat, seen as it sees itself, with these resource cards in its hand."""
    size = m.amount[seat]
    m.amount[seat] = total(hand)
    found = strength_with(s, m, net, HOLDER, seat, 1, hand)
    m.amount[seat] = size
    return float(found)


@kernel
def liking(s: State, m: Mind, net: Any, seat: int, gets: int, gives: int) -> float:
    """How much stronger an exchange makes another seat, with the hand it most likely holds."""
    if not (m.ready >> seat) & 1:
        study(s, m, net, HOLDER, seat, 1)
        m.holder[seat] = holder_with(s, m, net, seat, m.likely[seat])
        m.ready |= 1 << seat
    hand = m.likely[seat]
    before = m.holder[seat]
    if not covers(hand, gives):
        hand += gives  # it says so, or it is asked whether
        before = holder_with(s, m, net, seat, hand)
    return holder_with(s, m, net, seat, hand + gets - gives) - before


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
    own = own_with(s, m, net, me, s.hand[me] + gets - gives)
    if own <= m.strength[me]:
        return 0.0
    return chance_with(s, m, me, own, partner, liking(s, m, net, partner, gives, gets))


@kernel
def answer(s: State, t: Talk, m: Mind, net: Any, me: int) -> int:
    """Yes, no or another offer to the first one that waits for an answer of `me`; 0 if none does."""
    for slot in range(OFFERS):
        if t.give[slot] == 0 or not (t.to[slot] >> me) & 1 or ((t.yes[slot] | t.no[slot]) >> me) & 1:
            continue
        maker = t.maker[slot] + 0
        no = simple(act.REJECT, slot)
        gets = t.give[slot]
        gives = t.want[slot]
        if m.n_said < 0 or not covers(s.hand[me], gives) or about_to_win(s, maker) or not covers(m.likely[maker], gets):
            return no
        now = chance(s, m.strength, me)
        if weigh_exchange(s, m, net, me, maker, gets, gives) > now + MARGIN:
            return simple(act.ACCEPT, slot)
        other = choose_counter(s, t, m, net, me, maker, slot, now)
        return other if other else no
    return 0


@kernel
def choose_counter(s: State, t: Talk, m: Mind, net: Any, me: int, maker: int, slot: int, now: float) -> int:
    """Another card for what is wanted, if both would like that; once a turn to a player."""
    if (m.countered >> maker) & 1 or free_slot(t) < 0:
        return 0
    gives = t.want[slot]
    best = now + 2.0 * MARGIN
    chosen = 0
    for kind in range(5):
        for extra in range(2):
            gets = lane(kind) if extra == 0 else t.give[slot] + lane(kind)
            if common(gets, gives) or gets == t.give[slot] or not covers(m.likely[maker], gets):
                continue
            own = own_with(s, m, net, me, s.hand[me] + gets - gives)
            if own <= m.strength[me]:
                continue
            more = liking(s, m, net, maker, gives, gets)
            if more < LIKING:
                continue
            value = chance_with(s, m, me, own, maker, more)
            if value > best:
                best = value
                chosen = gets
    return counter(gives, chosen, slot) if chosen else 0


@kernel
def close_deal(s: State, t: Talk, m: Mind, net: Any, me: int) -> int:
    """What to do about an own offer that all have answered: take the best yes, or take it back; 0 if there is none."""
    for slot in range(OFFERS):
        if t.give[slot] == 0 or t.maker[slot] != me:
            continue
        now = chance(s, m.strength, me)
        best = now
        chosen = -1
        for partner in range(s.players):
            if (t.yes[slot] >> partner) & 1:
                value = weigh_exchange(s, m, net, me, partner, t.want[slot], t.give[slot])
                if value > best:
                    best = value
                    chosen = partner
        if chosen >= 0 and covers(s.hand[me], t.give[slot]):
            return simple(act.CONFIRM, slot | chosen << 3)
        if t.to[slot] & ~(t.yes[slot] | t.no[slot]) == 0:
            return simple(act.WITHDRAW, slot)
    return 0


@kernel
def said_before(m: Mind, give: int, want: int) -> bool:
    """Whether this was offered on this turn already."""
    for i in range(m.n_said):
        if give_of(m.said[i]) == give and want_of(m.said[i]) == want:
            return True
    return False


@kernel
def choose_offer(s: State, t: Talk, m: Mind, net: Any, me: int, least: float) -> int:
    """The offer that promises most, if that is more than the chance `least`; 0 if there is none.

    One card for one; after a refusal two for one. What it promises is left in `m.worth[0]`.
    """
    if m.n_said >= OWN_OFFERS or not trading_open(s) or free_slot(t) < 0:
        return 0
    for slot in range(OFFERS):
        if t.give[slot] and t.maker[slot] == me:
            return 0
    if m.shrewd:
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
            if said_before(m, price * lane(give), lane(want)):
                continue
            value = own_with(s, m, net, me, hand + lane(want) - price * lane(give)) - m.strength[me]
            if value > 0.0:
                rows = keep_promising(m, rows, offer(price * lane(give), lane(want), 0), value)
    best = least + MARGIN
    chosen = 0
    for i in range(rows):
        code = m.order[i]
        give = give_of(code)
        want = want_of(code)
        to = 0
        value = 0.0
        for partner in range(s.players):
            if partner == me or about_to_win(s, partner) or not covers(m.likely[partner], want):
                continue
            more = liking(s, m, net, partner, give, want)
            if more > LIKING:
                found = chance_with(s, m, me, m.strength[me] + m.worth[i], partner, more)
                if found > least + MARGIN:
                    to |= 1 << partner
                    value = max(value, found)
        if to and value > best:
            best = value
            chosen = offer(give, want, to)
    m.worth[0] = best
    return chosen


@kernel
def would_agree(s: State, m: Mind, me: int, partner: int, more: float, own: float) -> bool:
    """Whether a partner should say yes: it thinks as we do, and knows our cards about as well as we know its."""
    for seat in range(s.players):
        m.trial[seat] = m.strength[seat]
    m.trial[me] = m.seen
    m.trial[partner] = m.holder[partner]
    now = chance(s, m.trial, partner)
    m.trial[partner] += more
    m.trial[me] += own
    return chance(s, m.trial, partner) > now + SURE * MARGIN


@kernel
def haggle(s: State, m: Mind, net: Any, me: int, least: float) -> int:
    """The offer of one or two cards for one or two that is best for `me`, of those to which somebody should agree."""
    study(s, m, net, THERE, me, 0)
    m.seen = strength_with(s, m, net, THERE, me, 0, 0)
    hand = s.hand[me]
    best = least + MARGIN
    chosen = 0
    for i in range(LOTS):
        give = LOT[i]
        if not covers(hand, give):
            continue
        for j in range(LOTS):
            want = LOT[j]
            if common(give, want) or (i >= 5 and j >= 5) or said_before(m, give, want):
                continue
            own = own_with(s, m, net, me, hand + want - give) - m.strength[me]
            if own <= 0.0:
                continue
            to = 0
            value = 0.0
            for partner in range(s.players):
                if partner == me or about_to_win(s, partner) or not covers(m.likely[partner], want):
                    continue
                more = liking(s, m, net, partner, give, want)
                if more <= LIKING:
                    continue
                found = chance_with(s, m, me, m.strength[me] + own, partner, more)
                if found > least + MARGIN and would_agree(s, m, me, partner, more, own):
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
