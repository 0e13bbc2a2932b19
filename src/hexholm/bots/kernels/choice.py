"""From a view to a decision: what the compiled players do with what their seat may know."""

from __future__ import annotations

from typing import Any

from hexholm.rules.compiled import entry, kernel, struct_at, struct_in
from hexholm.rules.core.encoding import actions as act
from hexholm.rules.core.encoding.actions import give_of, kind_of, parameter_of, to_of, want_of
from hexholm.rules.core.encoding.lanes import count, widen
from hexholm.rules.core.encoding.structs import COST_CARD, COST_ROAD, OFFERS, SEATS, State, Talk, View, Work
from hexholm.rules.core.phases import MAIN

from .features import note_board
from .lookahead import choose_action, weigh_action
from .mind import CHOICES, HERE, Mind
from .trade import answer_no, best_deal, chance_with, gain_of_partner, strength_with_hand, withdraw_offer
from .trade_offers import choose_offer, revise_choice
from .value_network import judge_all_seats, win_chance


@kernel
def note_seats(v: View, m: Mind, box: int) -> None:
    """Note what the view tells about the seats."""
    heaviest = 0
    for i in range(v.worlds):
        if v.world_weight[i] > v.world_weight[heaviest]:
            heaviest = i
    m.unseen = box - v.cards[v.observer]
    for seat in range(SEATS):
        m.unseen -= v.played[seat]
        m.amount[seat] = v.hand_size[seat]
        m.held[seat] = v.card_count[seat]
        m.length[seat] = v.road_length[seat]
        m.likely[seat] = v.world_hand[heaviest, seat]
        for kind in range(5):
            m.mean[seat, kind] = 0.0
    for i in range(v.worlds):
        for seat in range(v.players):
            for kind in range(5):
                m.mean[seat, kind] += v.world_weight[i] * count(v.world_hand[i, seat], kind)


@kernel
def take_in_view(view: Any, copies: Any, v: View, t: Talk, m: Mind, box: int) -> None:
    """Begin a decision: the seat's own picture of the state in copy 0, open offers in `t`, what else is told in `m`.

    `box`: all development cards of the edition (lanes).
    """
    note_seats(v, m, box)
    for i in range(copies.shape[1]):
        copies[0, i] = view[i]
    s = struct_in(copies, 0, State)
    s.deck = m.unseen if v.deck_size else 0  # so that a card can be bought
    for slot in range(OFFERS):
        t.give[slot] = v.offer_give[slot]
        t.want[slot] = v.offer_want[slot]
        t.maker[slot] = v.offer_maker[slot]
        t.to[slot] = v.offer_to[slot]
        t.yes[slot] = v.offer_yes[slot]
        t.no[slot] = v.offer_no[slot]
    note_board(s, m)


@kernel
def any_offer(t: Talk) -> bool:
    """Whether an offer is open."""
    for slot in range(OFFERS):
        if t.give[slot]:
            return True
    return False


@kernel
def make_choice(copies: Any, t: Talk, w: Work, m: Mind, net: Any, me: int) -> int:
    """What `me` does in the position of copy 0: answers, a plain action or an offer."""
    s = struct_in(copies, 0, State)
    if s.phase == MAIN and any_offer(t):
        judge_all_seats(s, m, net, me)
        code = best_deal(s, t, m, net, me)
        if code == 0:
            code = answer_no(s, t, m, net, me)
        if code == 0 and s.active == me:
            code = withdraw_offer(t, me)
        if code or s.active != me:
            m.n = 1
            m.code[0] = code
            m.value[0] = win_chance(s, m.strength, me)
            return code
    chosen = choose_action(copies, 0, w, m, net, me)
    kind = kind_of(chosen)
    if s.phase != MAIN or kind == act.SETTLEMENT or kind == act.CITY or m.n_said < 0:
        return chosen
    if m.n == 1:
        judge_all_seats(s, m, net, me)
    m.instead = best_value(m)
    m.price = price_of_kind(s, kind)
    made = choose_offer(s, t, m, net, me, win_chance(s, m.strength, me))
    return made if made else chosen


@kernel
def best_value(m: Mind) -> float:
    """The chance after the best of the actions that were weighed."""
    best = 0.0
    for i in range(m.n):
        best = max(best, m.value[i])
    return best


@kernel
def price_of_kind(s: State, kind: int) -> int:
    """What a road or a development card costs (lanes); other actions take no cards that an offer could take first."""
    if kind == act.ROAD:
        return s.costs[COST_ROAD] + 0
    if kind == act.BUY:
        return s.costs[COST_CARD] + 0
    return 0


@entry
def bot_decide(view: Any, copies: Any, talk: Any, work: Any, mind: Any, net: Any, box: int) -> int:
    """The decision of the seat whose view it is; what was weighed is left in `mind`."""
    v = struct_at(view, View)
    m = struct_at(mind, Mind)
    t = struct_at(talk, Talk)
    take_in_view(view, copies, v, t, m, box)
    s = struct_in(copies, 0, State)
    code = make_choice(copies, t, struct_at(work, Work), m, net, v.observer + 0)
    if m.n == 1:  # there was nothing to weigh
        judge_all_seats(s, m, net, v.observer + 0)
        m.value[0] = win_chance(s, m.strength, v.observer + 0)
    if kind_of(code) == act.OFFER:
        note_offer(m, code)
    return code


@kernel
def note_offer(m: Mind, code: int) -> None:
    """Put an offer beside the actions that were weighed: as long as nobody agrees, the best of them stays open."""
    if m.n < CHOICES:
        m.code[m.n] = code
        m.value[m.n] = max(m.worth[0], best_value(m))
        m.n += 1


@entry
def bot_settle(copies: Any, talk: Any, mind: Any, net: Any, me: int, code: int) -> int:
    """What is done in the end when `code` was chosen; everything is as :func:`bot_decide` has left it."""
    m = struct_at(mind, Mind)
    done = revise_choice(struct_in(copies, 0, State), struct_at(talk, Talk), m, net, me, code)
    if done != code and kind_of(done) == act.OFFER:
        note_offer(m, done)
    return done


@kernel
def weigh_exchange_anyway(s: State, m: Mind, net: Any, me: int, partner: int, gets: int, gives: int) -> float:
    """The own chance after getting `gets` for `gives` from `partner`, also where that is a bad trade."""
    own = strength_with_hand(s, m, net, HERE, me, s.hand[me] + gets - gives)
    return chance_with(s, m, me, own, partner, gain_of_partner(s, m, net, partner, gives, gets))


@kernel
def weigh_talk(s: State, t: Talk, m: Mind, net: Any, me: int, code: int) -> float:
    """The own chance after an offer or an answer; an offer is weighed as if the best of those it goes to agreed."""
    kind = kind_of(code)
    if kind == act.OFFER:
        best = 0.0
        for partner in range(s.players):
            if (to_of(code) >> partner) & 1:
                value = weigh_exchange_anyway(s, m, net, me, partner, want_of(code), give_of(code))
                best = max(best, value)
        return best
    if kind == act.COUNTER:
        return weigh_exchange_anyway(s, m, net, me, t.maker[to_of(code)] + 0, want_of(code), give_of(code))
    slot = parameter_of(code) & 7
    if kind == act.ACCEPT:
        return weigh_exchange_anyway(s, m, net, me, t.maker[slot] + 0, t.give[slot], t.want[slot])
    if kind == act.CONFIRM:
        return weigh_exchange_anyway(s, m, net, me, parameter_of(code) >> 3, t.want[slot], t.give[slot])
    return win_chance(s, m.strength, me)


@kernel
def weigh_discard(s: State, m: Mind, net: Any, me: int, cards: int) -> float:
    """The own chance without these cards (lanes)."""
    own = strength_with_hand(s, m, net, HERE, me, s.hand[me] - s.chosen[me] - cards)
    return chance_with(s, m, me, own, me, 0.0)


@entry
def bot_weigh(
    view: Any, copies: Any, talk: Any, work: Any, mind: Any, net: Any, box: int, codes: Any, values: Any
) -> None:
    """Fill values[i] with the own chance after codes[i], for any actions that the seat of the view may do."""
    v = struct_at(view, View)
    m = struct_at(mind, Mind)
    t = struct_at(talk, Talk)
    w = struct_at(work, Work)
    take_in_view(view, copies, v, t, m, box)
    s = struct_in(copies, 0, State)
    me = v.observer + 0
    judge_all_seats(s, m, net, me)
    for i in range(len(codes)):
        code = int(codes[i])
        kind = kind_of(code)
        if kind == act.DISCARD:
            values[i] = weigh_discard(s, m, net, me, widen(parameter_of(code)))
        elif act.OFFER <= kind <= act.WITHDRAW:
            values[i] = weigh_talk(s, t, m, net, me, code)
        else:
            values[i] = weigh_action(copies, 0, w, m, net, me, code)
