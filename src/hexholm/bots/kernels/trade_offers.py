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

from hexholm.rules.compilation.kernels import constant_table, kernel
from hexholm.rules.core.offers import free_slot, is_trading_open
from hexholm.rules.encoding import action_codes as act
from hexholm.rules.encoding.action_codes import (
    give_of,
    kind_of,
    offer_action,
    supply_give_of,
    supply_rate_of,
    supply_want_of,
    want_of,
)
from hexholm.rules.encoding.lanes import (
    N_KINDS,
    at_least,
    count,
    count_cards,
    covers,
    guard_of,
    have_common_kind,
    single_card,
)
from hexholm.rules.encoding.structs import OFFERS, OpenOffers, State

from .mind import DARING, POSITION, TRIAL, Mind
from .trade import (
    LEAST_GAIN,
    LEAST_PARTNER_GAIN,
    gain_of_partner,
    has_offered_enough,
    is_about_to_win,
    is_unwise,
    margin_of,
    matches_supply,
    probability_with,
    strength_with_hand,
    wants_back,
    was_offered,
)
from .value_network import evaluate_seats, strength_with, study_seat, win_probability

LEEWAY: Final = 0.01
"""So much of its chance is a smaller hand worth to one who holds too many cards."""
DEAR_RATE: Final = 3
"""Who pays so many cards to the supply for one asks the table before."""
MOST_CANDIDATES: Final = 4
"""So many offers are looked at closely."""
SURE_FACTOR: Final = 1.25
"""A partner is counted on if it gains so many times what it asks for."""
LEAST_HOPE: Final = 0.001
"""A daring player counts on one whose chance grows by so much; for itself it takes anything that helps at all."""
CARD_LOTS = constant_table(
    [single_card(a) for a in range(N_KINDS)]
    + [single_card(a) + single_card(b) for a in range(N_KINDS) for b in range(a, N_KINDS)]
    + [
        single_card(a) + single_card(b) + single_card(c)
        for a in range(N_KINDS)
        for b in range(a, N_KINDS)
        for c in range(b, N_KINDS)
    ]
)
"""One card, two or three: what is given and wanted."""
SINGLE_LOTS: Final = 5
"""The first so many of them are one card."""
SHREWD_LOTS: Final = 20
"""A shrewd player looks at so many of them, and has one card on one side; a daring one looks at DARING_LOTS."""
DARING_LOTS: Final = 55


@kernel
def may_offer(s: State, offers: OpenOffers, m: Mind, me: int) -> bool:
    """Whether another offer can be made: not too many on this turn, none of its own open."""
    if m.n_turn_offers < 0 or has_offered_enough(m) or not is_trading_open(s) or free_slot(offers) < 0:
        return False
    for slot in range(OFFERS):
        if offers.give[slot] and offers.maker[slot] == me:
            return False
    return True


@kernel
def lighten_hand(s: State, m: Mind, me: int, code: int) -> int:
    """Instead of the end of a turn with more cards than one may keep on a seven: a trade that is nearly as good."""
    if kind_of(code) != act.END or count_cards(s.hand[me]) <= s.hand_limit:
        return code
    best = 0.0
    for i in range(m.n_choices):
        if m.code[i] == code:
            best = m.value[i] - LEEWAY
    best_code = code
    for i in range(m.n_choices):
        if kind_of(m.code[i]) == act.SUPPLY and m.value[i] > best:
            best = m.value[i]
            best_code = m.code[i]
    return best_code


@kernel
def offer_before_supply(s: State, offers: OpenOffers, m: Mind, net: Any, me: int, code: int) -> int:
    """Before a dear trade with the supply, an offer to all who may hold the card; 0: nothing to ask, or asked before.

    One card for one if somebody should like that, else two for one, of the kind that would go to the supply. Only those
    are asked from whom the card is no worse for `me` than from the supply. What it promises is left in
    `m.candidate_values[0]`.
    """
    if kind_of(code) != act.SUPPLY or supply_rate_of(code) < DEAR_RATE or not may_offer(s, offers, m, me):
        return 0
    card = single_card(supply_give_of(code))
    want = supply_want_of(code)
    if wants_back(m, want):
        return 0
    for i in range(m.n_turn_offers):
        if have_common_kind(want_of(m.turn_offers[i]), want):
            return 0
    evaluate_seats(s, m, net, me)
    own_strength = strength_with_hand(s, m, net, POSITION, me, s.hand[me] + want - supply_rate_of(code) * card)
    supply_probability = probability_with(s, m, me, own_strength, me, 0.0)
    offer_code = 0
    for n_cards in range(1, DEAR_RATE):
        if was_offered(m, n_cards * card, want):
            continue
        own_strength = strength_with_hand(s, m, net, POSITION, me, s.hand[me] + want - n_cards * card)
        best = supply_probability
        to = 0
        liked = False
        for partner in range(s.players):
            if partner == me or not may_hold(m, partner, want) or is_unwise(s, m, partner, n_cards * card, want):
                continue
            partner_gain = gain_of_partner(s, m, net, partner, n_cards * card, want)
            probability = probability_with(s, m, me, own_strength, partner, partner_gain)
            if probability >= supply_probability:
                to |= 1 << partner
                liked = liked or partner_gain > LEAST_PARTNER_GAIN
                best = max(best, probability)
        if to:
            m.candidate_values[0] = best
            offer_code = offer_action(n_cards * card, want, to)
        if liked:
            break
    return offer_code


@kernel
def revise_choice(s: State, offers: OpenOffers, m: Mind, net: Any, me: int, code: int) -> int:
    """What a seat with manners does instead of `code`, which it has chosen by its judgment; mostly just that."""
    code = lighten_hand(s, m, me, code)
    offer_code = offer_before_supply(s, offers, m, net, me, code)
    return offer_code if offer_code else code


@kernel
def may_hold(m: Mind, seat: int, cards: int) -> bool:
    """Whether a seat may hold some of each of these cards, by all that was seen."""
    for kind in range(N_KINDS):
        if count(cards, kind) and m.mean[seat, kind] <= 0.0:
            return False
    return True


@kernel
def required_probability(m: Mind, cards_left: int, threshold: float) -> float:
    """The chance an offer has to promise that leaves these cards (lanes)."""
    return threshold if covers(cards_left, m.plain_price) else max(threshold, m.plain_probability + margin_of(m))


@kernel
def choose_offer(s: State, offers: OpenOffers, m: Mind, net: Any, me: int, least_probability: float) -> int:
    """The offer that promises most, if that is more than `least_probability`; 0 if there is none.

    One card for one; after a refusal two for one. One that takes the cards which the best action costs
    (`m.plain_price`) has to promise more than that action. What it promises is left in `m.candidate_values[0]`.
    """
    if not may_offer(s, offers, m, me):
        return 0
    if m.trader:
        return choose_exchange(s, m, net, me, least_probability)
    hand = s.hand[me]
    n_give = 1 if m.n_turn_offers == 0 else 2
    rows = 0
    obtainable = 0
    for partner in range(s.players):
        if partner != me and not is_about_to_win(s, partner):
            obtainable |= at_least(m.likely[partner], 1)
    for give in range(N_KINDS):
        if count(hand, give) < n_give:
            continue
        for want in range(N_KINDS):
            if want == give or not obtainable & guard_of(want):
                continue
            if was_offered(m, n_give * single_card(give), single_card(want)) or wants_back(m, single_card(want)):
                continue
            own_gain = (
                strength_with_hand(s, m, net, POSITION, me, hand + single_card(want) - n_give * single_card(give))
                - m.strength[me]
            )
            if own_gain > 0.0:
                rows = keep_candidate(m, rows, offer_action(n_give * single_card(give), single_card(want), 0), own_gain)
    threshold = least_probability + margin_of(m)
    best = threshold
    best_offer = 0
    for i in range(rows):
        offer_terms = m.candidates[i]
        give = give_of(offer_terms)
        want = want_of(offer_terms)
        bar = required_probability(m, hand + want - give, threshold)
        to = 0
        best_of_partners = 0.0
        for partner in range(s.players):
            if partner == me or is_about_to_win(s, partner) or not covers(m.likely[partner], want):
                continue
            partner_gain = gain_of_partner(s, m, net, partner, give, want)
            if partner_gain > LEAST_PARTNER_GAIN:
                probability = probability_with(s, m, me, m.strength[me] + m.candidate_values[i], partner, partner_gain)
                if probability > bar and not is_unwise(s, m, partner, give, want):
                    to |= 1 << partner
                    best_of_partners = max(best_of_partners, probability)
        if to and best_of_partners > best:
            best = best_of_partners
            best_offer = offer_action(give, want, to)
    m.candidate_values[0] = best
    return best_offer


@kernel
def would_agree(s: State, m: Mind, me: int, partner: int, partner_gain: float, own_gain: float) -> bool:
    """Whether a partner is counted on to say yes: it thinks as we do, and knows our cards about as well as we its."""
    for seat in range(s.players):
        m.trial[seat] = m.strength[seat]
    m.trial[me] = m.public_strength
    m.trial[partner] = m.holder_strength[partner]
    probability_now = win_probability(s, m.trial, partner)
    m.trial[partner] += partner_gain
    m.trial[me] += own_gain
    return win_probability(s, m.trial, partner) > probability_now + (
        LEAST_HOPE if m.trader == DARING else SURE_FACTOR * LEAST_GAIN
    )


@kernel
def choose_exchange(s: State, m: Mind, net: Any, me: int, least_probability: float) -> int:
    """The offer of a few cards for a few that is best for `me`, of those to which somebody is counted on to agree."""
    study_seat(s, m, net, TRIAL, me, 0)
    m.public_strength = strength_with(s, m, net, TRIAL, me, 0, 0)
    hand = s.hand[me]
    threshold = least_probability + margin_of(m)
    best = threshold
    best_offer = 0
    lots = DARING_LOTS if m.trader == DARING else SHREWD_LOTS
    for i in range(lots):
        give = CARD_LOTS[i]
        if not covers(hand, give):
            continue
        for j in range(lots if i < SINGLE_LOTS or m.trader == DARING else SINGLE_LOTS):
            want = CARD_LOTS[j]
            if have_common_kind(give, want) or was_offered(m, give, want) or wants_back(m, want):
                continue
            if matches_supply(s, me, give, want):
                continue
            own_gain = strength_with_hand(s, m, net, POSITION, me, hand + want - give) - m.strength[me]
            if own_gain <= 0.0:
                continue
            bar = required_probability(m, hand + want - give, threshold)
            to = 0
            best_of_partners = 0.0
            for partner in range(s.players):
                if partner == me or is_about_to_win(s, partner) or not covers(m.likely[partner], want):
                    continue
                partner_gain = gain_of_partner(s, m, net, partner, give, want)
                if partner_gain <= LEAST_PARTNER_GAIN:
                    continue
                probability = probability_with(s, m, me, m.strength[me] + own_gain, partner, partner_gain)
                if probability <= bar or is_unwise(s, m, partner, give, want) or matches_supply(s, partner, want, give):
                    continue
                if would_agree(s, m, me, partner, partner_gain, own_gain):
                    to |= 1 << partner
                    best_of_partners = max(best_of_partners, probability)
            if to and best_of_partners > best:
                best = best_of_partners
                best_offer = offer_action(give, want, to)
    m.candidate_values[0] = best
    return best_offer


@kernel
def keep_candidate(m: Mind, rows: int, code: int, value: float) -> int:
    """Keep the best few offers in `m.candidates`, their values in `m.candidate_values`; returns how many there are."""
    if rows == MOST_CANDIDATES and value <= m.candidate_values[rows - 1]:
        return rows
    i = rows if rows < MOST_CANDIDATES else MOST_CANDIDATES - 1
    while i > 0 and m.candidate_values[i - 1] < value:
        m.candidates[i] = m.candidates[i - 1]
        m.candidate_values[i] = m.candidate_values[i - 1]
        i -= 1
    m.candidates[i] = code
    m.candidate_values[i] = value
    return rows + 1 if rows < MOST_CANDIDATES else rows
