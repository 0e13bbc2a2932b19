"""From a view to a decision: what the compiled players do with what their seat may know."""

from __future__ import annotations

from typing import Any

from hexholm.rules.compilation.kernels import entry, kernel, struct_at, struct_in
from hexholm.rules.encoding import action_codes as act
from hexholm.rules.encoding.action_codes import give_of, kind_of, parameter_of, partner_of, slot_of, to_of, want_of
from hexholm.rules.encoding.lanes import N_KINDS, count, widen
from hexholm.rules.encoding.phases import MAIN
from hexholm.rules.encoding.structs import COST_CARD, COST_ROAD, OFFERS, SEATS, OpenOffers, Scratch, State, View

from .features import fill_dots
from .lookahead import choose_action, weigh_action
from .mind import CHOICES, POSITION, Mind
from .trade import best_deal, choose_refusal, gain_of_partner, probability_with, strength_with_hand, withdraw_offer
from .trade_offers import choose_offer, revise_choice
from .value_network import evaluate_seats, win_probability


@kernel
def fill_seats(v: View, m: Mind, deck: int) -> None:
    """What the view tells about the seats."""
    heaviest = 0
    for i in range(v.worlds):
        if v.world_weight[i] > v.world_weight[heaviest]:
            heaviest = i
    m.unseen_cards = deck - v.development[v.observer]
    for seat in range(SEATS):
        m.unseen_cards -= v.played[seat]
        m.hand_size[seat] = v.hand_size[seat]
        m.card_count[seat] = v.card_count[seat]
        m.length[seat] = v.road_length[seat]
        m.likely[seat] = v.world_hand[heaviest, seat]
        for kind in range(N_KINDS):
            m.mean[seat, kind] = 0.0
    for i in range(v.worlds):
        for seat in range(v.players):
            for kind in range(N_KINDS):
                m.mean[seat, kind] += v.world_weight[i] * count(v.world_hand[i, seat], kind)


@kernel
def take_in_view(view: Any, copies: Any, v: View, offers: OpenOffers, m: Mind, deck: int) -> None:
    """Begin a decision: the seat's own picture of the state in copy 0, `offers`, what else is told in `m`.

    `deck`: all development cards of the edition (lanes).
    """
    fill_seats(v, m, deck)
    for i in range(copies.shape[1]):
        copies[0, i] = view[i]
    s = struct_in(copies, 0, State)
    s.deck = m.unseen_cards if v.deck_size else 0  # so that a card can be bought
    for slot in range(OFFERS):
        offers.give[slot] = v.offer_give[slot]
        offers.want[slot] = v.offer_want[slot]
        offers.maker[slot] = v.offer_maker[slot]
        offers.to[slot] = v.offer_to[slot]
        offers.yes[slot] = v.offer_yes[slot]
        offers.no[slot] = v.offer_no[slot]
    fill_dots(s, m)


@kernel
def has_open_offer(offers: OpenOffers) -> bool:
    """Whether an offer is open."""
    for slot in range(OFFERS):
        if offers.give[slot]:
            return True
    return False


@kernel
def make_choice(copies: Any, offers: OpenOffers, scratch: Scratch, m: Mind, net: Any, me: int) -> int:
    """What `me` does in the position of copy 0: answers, a plain action or an offer."""
    s = struct_in(copies, 0, State)
    if s.phase == MAIN and has_open_offer(offers):
        evaluate_seats(s, m, net, me)
        code = best_deal(s, offers, m, net, me)
        if code == 0:
            code = choose_refusal(s, offers, m, net, me)
        if code == 0 and s.active == me:
            code = withdraw_offer(offers, me)
        if code or s.active != me:
            m.n_choices = 1
            m.code[0] = code
            m.value[0] = win_probability(s, m.strength, me)
            return code
    code = choose_action(copies, 0, scratch, m, net, me)
    kind = kind_of(code)
    if s.phase != MAIN or kind == act.SETTLEMENT or kind == act.CITY or m.n_turn_offers < 0:
        return code
    if m.n_choices == 1:
        evaluate_seats(s, m, net, me)
    m.plain_probability = best_value(m)
    m.plain_price = price_of_kind(s, kind)
    offer_code = choose_offer(s, offers, m, net, me, win_probability(s, m.strength, me))
    return offer_code if offer_code else code


@kernel
def best_value(m: Mind) -> float:
    """The chance after the best of the actions that were weighed."""
    best = 0.0
    for i in range(m.n_choices):
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
def bot_decide(view: Any, copies: Any, open_offers: Any, scratch: Any, mind: Any, net: Any, deck: int) -> int:
    """The decision of the seat whose view it is; what was weighed is left in `mind`."""
    v = struct_at(view, View)
    m = struct_at(mind, Mind)
    offers = struct_at(open_offers, OpenOffers)
    take_in_view(view, copies, v, offers, m, deck)
    s = struct_in(copies, 0, State)
    code = make_choice(copies, offers, struct_at(scratch, Scratch), m, net, v.observer + 0)
    if m.n_choices == 1:  # there was nothing to weigh
        evaluate_seats(s, m, net, v.observer + 0)
        m.value[0] = win_probability(s, m.strength, v.observer + 0)
    if kind_of(code) == act.OFFER:
        add_offer(m, code)
    return code


@kernel
def add_offer(m: Mind, code: int) -> None:
    """Put an offer beside the actions that were weighed: as long as nobody agrees, the best of them stays open."""
    if m.n_choices < CHOICES:
        m.code[m.n_choices] = code
        m.value[m.n_choices] = max(m.candidate_values[0], best_value(m))
        m.n_choices += 1


@entry
def bot_revise(copies: Any, open_offers: Any, mind: Any, net: Any, me: int, code: int) -> int:
    """What is done in the end when `code` was chosen; everything is as :func:`bot_decide` has left it."""
    m = struct_at(mind, Mind)
    final_code = revise_choice(struct_in(copies, 0, State), struct_at(open_offers, OpenOffers), m, net, me, code)
    if final_code != code and kind_of(final_code) == act.OFFER:
        add_offer(m, final_code)
    return final_code


@kernel
def weigh_exchange_anyway(s: State, m: Mind, net: Any, me: int, partner: int, want: int, give: int) -> float:
    """The own chance after getting `want` for `give` from `partner`, also where that is a bad trade."""
    own = strength_with_hand(s, m, net, POSITION, me, s.hand[me] + want - give)
    return probability_with(s, m, me, own, partner, gain_of_partner(s, m, net, partner, give, want))


@kernel
def weigh_offer_action(s: State, offers: OpenOffers, m: Mind, net: Any, me: int, code: int) -> float:
    """The own chance after an offer or an answer; an offer is weighed as if the best of those it goes to agreed."""
    kind = kind_of(code)
    if kind == act.OFFER:
        best = 0.0
        for partner in range(s.players):
            if (to_of(code) >> partner) & 1:
                probability = weigh_exchange_anyway(s, m, net, me, partner, want_of(code), give_of(code))
                best = max(best, probability)
        return best
    if kind == act.COUNTER:
        return weigh_exchange_anyway(s, m, net, me, offers.maker[slot_of(code)] + 0, want_of(code), give_of(code))
    slot = slot_of(code)
    if kind == act.ACCEPT:
        return weigh_exchange_anyway(s, m, net, me, offers.maker[slot] + 0, offers.give[slot], offers.want[slot])
    if kind == act.CONFIRM:
        return weigh_exchange_anyway(s, m, net, me, partner_of(code), offers.want[slot], offers.give[slot])
    return win_probability(s, m.strength, me)


@kernel
def weigh_discard(s: State, m: Mind, net: Any, me: int, cards: int) -> float:
    """The own chance without these cards (lanes)."""
    own = strength_with_hand(s, m, net, POSITION, me, s.hand[me] - s.discards[me] - cards)
    return probability_with(s, m, me, own, me, 0.0)


@entry
def bot_weigh(
    view: Any, copies: Any, open_offers: Any, scratch: Any, mind: Any, net: Any, deck: int, codes: Any, values: Any
) -> None:
    """Fill values[i] with the own chance after codes[i], for any actions that the seat of the view may do."""
    v = struct_at(view, View)
    m = struct_at(mind, Mind)
    offers = struct_at(open_offers, OpenOffers)
    w = struct_at(scratch, Scratch)
    take_in_view(view, copies, v, offers, m, deck)
    s = struct_in(copies, 0, State)
    me = v.observer + 0
    evaluate_seats(s, m, net, me)
    for i in range(len(codes)):
        code = int(codes[i])
        kind = kind_of(code)
        if kind == act.DISCARD:
            values[i] = weigh_discard(s, m, net, me, widen(parameter_of(code)))
        elif act.OFFER <= kind <= act.WITHDRAW:
            values[i] = weigh_offer_action(s, offers, m, net, me, code)
        else:
            values[i] = weigh_action(copies, 0, w, m, net, me, code)
