"""Trade between players: what an exchange is worth to both sides and to the rest of the table.

Both sides are judged with their cards, the partner with those it most likely holds. A trade is good if the own chance
grows although the partner's strength grows too; an offer is made only if the partner should like it
(:mod:`.trade_offers`).

Manners go before judgment (:func:`is_unwise`): nothing for a player who is about to win or whom the cards would bring
an award or several points at once, and no more cards for the one who leads than one gets.
"""

from __future__ import annotations

from typing import Any, Final

from hexholm.rules.compilation.kernels import kernel, popcount
from hexholm.rules.core.legal import cities_left, roads_left, settlements_left
from hexholm.rules.core.offers import free_slot, seats_silent
from hexholm.rules.encoding import action_codes as act
from hexholm.rules.encoding.action_codes import confirm_action, counter_action, give_of, offer_action, simple_action
from hexholm.rules.encoding.lanes import N_KINDS, count, count_cards, covers, have_common_kind, single_card
from hexholm.rules.encoding.structs import COST_CITY, COST_ROAD, COST_SETTLEMENT, OFFERS, OpenOffers, State

from .features import rate_for
from .mind import DARING, HOLDER, OWN_OFFERS, POSITION, Mind
from .value_network import strength_with, study_seat, win_probability

LEAST_GAIN: Final = 0.004
"""So much the own chance must grow by an exchange."""
LEAST_PARTNER_GAIN: Final = 0.02
"""So much stronger a partner must become by an offer, for it to be made."""
ABOUT_TO_WIN: Final = 2
"""Who lacks so many points, or fewer, is about to win."""
NEAR_WIN: Final = 3
"""Who lacks so many is given nothing that brings even one of them at once."""
TOO_MUCH_HELP: Final = 2
"""Others are given nothing that brings so many points at once."""


@kernel
def is_about_to_win(s: State, seat: int) -> bool:
    """Whether one should not trade with a seat any more."""
    return s.points[seat] >= s.points_to_win - ABOUT_TO_WIN


@kernel
def leads_alone(s: State, seat: int) -> bool:
    """Whether a seat has more points in view than all others."""
    for other_seat in range(s.players):
        if other_seat != seat and s.points[other_seat] >= s.points[seat]:
            return False
    return True


@kernel
def points_buildable(s: State, m: Mind, seat: int, hand: int) -> int:
    """How many points a seat can build at once with these cards, at most: the longest road, settlements, cities."""
    sites = min(popcount(s.reach[seat] & s.sites), settlements_left(s, seat))
    cities = min(popcount(s.settlements[seat]), cities_left(s, seat))
    roads = s.road_record + 1 - m.length[seat]
    if roads < 0 or s.longest_road == seat or s.paths_lo[seat] | s.paths_hi[seat] == 0:
        roads = 0
    if roads > roads_left(s, seat):
        roads = 0
    best = 0
    for with_road in range(2 if roads else 1):
        for n_settlements in range(min(2, sites) + 1):
            for n_cities in range(min(2, cities) + 1):
                price = (
                    n_settlements * s.costs[COST_SETTLEMENT]
                    + n_cities * s.costs[COST_CITY]
                    + with_road * roads * s.costs[COST_ROAD]
                )
                points = (
                    n_settlements * s.points_settlement
                    + n_cities * (s.points_city - s.points_settlement)
                    + with_road * s.points_road
                )
                if points > best and covers(hand, price):
                    best = points
    return best


@kernel
def is_unwise(s: State, m: Mind, seat: int, want: int, give: int) -> bool:
    """Whether nobody should make this exchange with a seat, however much it helps: it would bring that one too far."""
    if is_about_to_win(s, seat) or (count_cards(want) > count_cards(give) and leads_alone(s, seat)):
        return True
    hand = m.likely[seat]
    if not covers(hand, give):
        hand += give
    points_gained = points_buildable(s, m, seat, hand + want - give) - points_buildable(s, m, seat, hand)
    return points_gained >= (1 if s.points[seat] >= s.points_to_win - NEAR_WIN else TOO_MUCH_HELP)


@kernel
def matches_supply(s: State, seat: int, give: int, want: int) -> bool:
    """Whether a seat would get as much from the supply, by its own rates, as by this exchange."""
    swaps = 0
    for kind in range(N_KINDS):
        swaps += count(give, kind) // rate_for(s, seat, kind)
    return swaps >= count_cards(want) and covers(s.supply, want)


@kernel
def margin_of(m: Mind) -> float:
    """How much an exchange must better the own chance."""
    return 0.0 if m.trader == DARING else LEAST_GAIN


@kernel
def answer_margin(s: State, m: Mind, me: int) -> float:
    """The same for an answer; with more cards than one may keep on a seven, by anything."""
    return 0.0 if count_cards(s.hand[me]) > s.hand_limit else margin_of(m)


@kernel
def strength_with_hand(s: State, m: Mind, net: Any, cache: int, seat: int, hand: int) -> float:
    """The strength of a seat about which `cache` knows, seen as it sees itself, with these resource cards in hand."""
    old_hand_size = m.hand_size[seat]
    m.hand_size[seat] = count_cards(hand)
    strength = strength_with(s, m, net, cache, seat, 1, hand)
    m.hand_size[seat] = old_hand_size
    return float(strength)


@kernel
def gain_of_partner(s: State, m: Mind, net: Any, seat: int, want: int, give: int) -> float:
    """How much stronger an exchange makes another seat, with the hand it most likely holds."""
    if not (m.holders_ready >> seat) & 1:
        study_seat(s, m, net, HOLDER, seat, 1)
        m.holder_strength[seat] = strength_with_hand(s, m, net, HOLDER, seat, m.likely[seat])
        m.holders_ready |= 1 << seat
    hand = m.likely[seat]
    strength_before = m.holder_strength[seat]
    if not covers(hand, give):
        hand += give  # it says so, or it is asked whether
        strength_before = strength_with_hand(s, m, net, HOLDER, seat, hand)
    return strength_with_hand(s, m, net, HOLDER, seat, hand + want - give) - strength_before


@kernel
def probability_with(s: State, m: Mind, me: int, own_strength: float, partner: int, partner_gain: float) -> float:
    """The own chance with another own strength, and a partner that is stronger than before."""
    for seat in range(s.players):
        m.trial[seat] = m.strength[seat]
    m.trial[me] = own_strength
    m.trial[partner] += partner_gain
    return win_probability(s, m.trial, me)


@kernel
def weigh_exchange(s: State, m: Mind, net: Any, me: int, partner: int, want: int, give: int) -> float:
    """The own chance after getting `want` for `give` (lanes) from `partner`; `m.strength` holds those of before."""
    own_strength = strength_with_hand(s, m, net, POSITION, me, s.hand[me] + want - give)
    if own_strength <= m.strength[me]:
        return 0.0
    return probability_with(s, m, me, own_strength, partner, gain_of_partner(s, m, net, partner, give, want))


@kernel
def waits_for(offers: OpenOffers, slot: int, me: int) -> bool:
    """Whether an offer waits for an answer of `me`."""
    return offers.give[slot] != 0 and (seats_silent(offers.to[slot], offers.yes[slot], offers.no[slot]) >> me) & 1 != 0


@kernel
def can_agree(s: State, offers: OpenOffers, m: Mind, slot: int, me: int) -> bool:
    """Whether `me` holds what an offer wants, and its maker, who is not about to win, most likely what it gives."""
    maker = offers.maker[slot] + 0
    if m.n_turn_offers < 0 or is_about_to_win(s, maker):
        return False
    return covers(s.hand[me], offers.want[slot]) and covers(m.likely[maker], offers.give[slot])


@kernel
def value_of_yes(s: State, offers: OpenOffers, m: Mind, net: Any, me: int, slot: int) -> float:
    """The own chance after a yes to an offer; 0 if that is too little."""
    maker = offers.maker[slot] + 0
    probability = weigh_exchange(s, m, net, me, maker, offers.give[slot], offers.want[slot])
    if probability <= win_probability(s, m.strength, me) + answer_margin(s, m, me):
        return 0.0
    return 0.0 if is_unwise(s, m, maker, offers.want[slot], offers.give[slot]) else probability


@kernel
def best_deal(s: State, offers: OpenOffers, m: Mind, net: Any, me: int) -> int:
    """What `me` can agree on that is best for it: with one who said yes to its offer, or yes to another's; 0: nothing.

    Who has several counter-offers, or a counter-offer and a yes, does not take the first of them.
    """
    best = win_probability(s, m.strength, me)
    best_code = 0
    for slot in range(OFFERS):
        if waits_for(offers, slot, me) and can_agree(s, offers, m, slot, me):
            probability = value_of_yes(s, offers, m, net, me, slot)
            if probability > best:
                best = probability
                best_code = simple_action(act.ACCEPT, slot)
        if (
            offers.give[slot] == 0
            or offers.maker[slot] != me
            or s.active != me
            or not covers(s.hand[me], offers.give[slot])
        ):
            continue
        for partner in range(s.players):
            if (offers.yes[slot] >> partner) & 1:
                probability = weigh_exchange(s, m, net, me, partner, offers.want[slot], offers.give[slot])
                if probability > best:
                    best = probability
                    best_code = confirm_action(slot, partner)
    return best_code


@kernel
def choose_refusal(s: State, offers: OpenOffers, m: Mind, net: Any, me: int) -> int:
    """No or another offer to the first one that waits for an answer of `me` and is not agreed to; 0 if none does."""
    for slot in range(OFFERS):
        if waits_for(offers, slot, me):
            counter_code = (
                choose_counter(s, offers, m, net, me, offers.maker[slot] + 0, slot)
                if can_agree(s, offers, m, slot, me)
                else 0
            )
            return counter_code if counter_code else simple_action(act.REJECT, slot)
    return 0


@kernel
def choose_counter(s: State, offers: OpenOffers, m: Mind, net: Any, me: int, maker: int, slot: int) -> int:
    """Another card for what is wanted, if both would like that; once a turn to a player, never the own offer again."""
    if (m.countered >> maker) & 1 or has_offered_enough(m) or free_slot(offers) < 0:
        return 0
    give = offers.want[slot]
    best = win_probability(s, m.strength, me) + 2.0 * answer_margin(s, m, me)
    best_want = 0
    for kind in range(N_KINDS):
        for with_offered in range(2):
            want = single_card(kind) if with_offered == 0 else offers.give[slot] + single_card(kind)
            if have_common_kind(want, give) or want == offers.give[slot] or not covers(m.likely[maker], want):
                continue
            if was_offered(m, give, want) or matches_supply(s, maker, want, give):
                continue
            own_strength = strength_with_hand(s, m, net, POSITION, me, s.hand[me] + want - give)
            if own_strength <= m.strength[me]:
                continue
            partner_gain = gain_of_partner(s, m, net, maker, give, want)
            if partner_gain < LEAST_PARTNER_GAIN:
                continue
            probability = probability_with(s, m, me, own_strength, maker, partner_gain)
            if probability > best and not is_unwise(s, m, maker, give, want):
                best = probability
                best_want = want
    return counter_action(give, best_want, slot) if best_want else 0


@kernel
def withdraw_offer(offers: OpenOffers, me: int) -> int:
    """The own offer that all have answered, and none as one could wish, is taken back; 0 if there is none."""
    for slot in range(OFFERS):
        if (
            offers.give[slot]
            and offers.maker[slot] == me
            and seats_silent(offers.to[slot], offers.yes[slot], offers.no[slot]) == 0
        ):
            return simple_action(act.WITHDRAW, slot)
    return 0


@kernel
def has_offered_enough(m: Mind) -> bool:
    """Whether as many offers were made on this turn as a player makes; one that counters another's is one of them."""
    return m.n_turn_offers + popcount(m.countered) >= OWN_OFFERS


@kernel
def was_offered(m: Mind, give: int, want: int) -> bool:
    """Whether this was offered on this turn already, or before and came to nothing."""
    offer_terms = offer_action(give, want, 0)
    for i in range(m.n_turn_offers):
        if m.turn_offers[i] == offer_terms:
            return True
    for i in range(m.n_failed_offers):
        if m.failed_offers[i] == offer_terms:
            return True
    return False


@kernel
def wants_back(m: Mind, want: int) -> bool:
    """Whether this asks for what was offered on this turn."""
    for i in range(m.n_turn_offers):
        if have_common_kind(give_of(m.turn_offers[i]), want):
            return True
    return False
