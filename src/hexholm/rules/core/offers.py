"""Offers between players: made, answered, countered, withdrawn, executed (TRADE-01 to TRADE-15).

The open offers are a struct of their own beside the state, so that games without offers never pay for them. Only an
exchange touches hands. What a seat is shown as legal follows from its own cards and public facts; whether the
partner still holds the cards is looked at when the exchange is made (TRADE-10).
"""

from __future__ import annotations

from ..compilation.kernels import inline, kernel
from ..encoding import action_codes as act
from ..encoding.action_codes import give_of, kind_of, parameter_of, partner_of, slot_of, to_of, want_of
from ..encoding.lanes import covers, have_common_kind
from ..encoding.phases import BEFORE_ROLL, MAIN, OVER, PLACE_ROAD, is_chance_phase
from ..encoding.refusals import (
    ACCEPTER_LACKS,
    ANSWERED_ALREADY,
    CHANCE_PENDING,
    GAME_OVER,
    GIFT,
    LEGAL,
    LIKE_ON_BOTH_SIDES,
    MAKER_LACKS,
    NO_SUCH_OFFER,
    NO_YES,
    NOT_ADDRESSED,
    NOT_YOUR_OFFER,
    NOTHING_TO_CONFIRM,
    OFFERS_WHAT_IS_NOT_THERE,
    ONLY_PLACEMENT,
    PARTNER_LACKS,
    PENDING,
    TOO_MANY_OFFERS,
    TRADE_BEFORE_ROLL,
    TRADING_CLOSED,
    UNKNOWN,
    WANTS_TOO_MUCH,
    WRONG_PARTNER,
    refuse_with,
)
from ..encoding.structs import NOBODY, OFFERS, SEATS, OpenOffers, State, TradeFields


@kernel
def is_trading_open(s: TradeFields) -> bool:
    """Whether offers can be made and answered now (TRADE-01, PHASE-05, PHASE-11)."""
    return s.phase == MAIN and s.trading_closed == 0


@kernel
def free_slot(offers: OpenOffers) -> int:
    """The lowest free slot, or NOBODY."""
    for slot in range(OFFERS):
        if offers.give[slot] == 0:
            return slot
    return NOBODY


@kernel
def has_several(seats: int) -> bool:
    """Whether a set of seats has more than one."""
    return seats & (seats - 1) != 0


@kernel
def judge_negotiation(s: State, offers: OpenOffers, seat: int, code: int) -> int:
    """The verdict on an offer, or on what is done about one."""
    if code <= 0 or seat < 0 or seat >= s.players or not is_well_formed(code):
        return UNKNOWN
    if s.phase == OVER:
        return GAME_OVER
    if s.phase <= PLACE_ROAD:
        return refuse_with(ONLY_PLACEMENT, s.phase)
    if s.phase == BEFORE_ROLL:
        return TRADE_BEFORE_ROLL
    if is_chance_phase(s.phase):
        return CHANCE_PENDING
    if s.phase != MAIN:
        return refuse_with(PENDING, s.phase)
    if s.trading_closed:
        return TRADING_CLOSED
    kind = kind_of(code)
    if kind == act.OFFER:
        return judge_offer(s, offers, seat, give_of(code), want_of(code), to_of(code))
    slot = slot_of(code)
    if offers.give[slot] == 0:
        return refuse_with(NO_SUCH_OFFER, slot)
    if kind == act.WITHDRAW or kind == act.CONFIRM:
        if offers.maker[slot] != seat:
            return refuse_with(NOT_YOUR_OFFER, slot)
        return LEGAL if kind == act.WITHDRAW else judge_confirm(s, offers, slot, partner_of(code))
    if not (offers.to[slot] >> seat) & 1:
        return refuse_with(NOT_ADDRESSED, slot)
    if kind == act.COUNTER:
        return judge_offer(s, offers, seat, give_of(code), want_of(code), 1 << offers.maker[slot])
    if kind == act.REJECT:
        return refuse_with(ANSWERED_ALREADY, slot) if (offers.no[slot] >> seat) & 1 else LEGAL
    if (offers.yes[slot] >> seat) & 1:
        return refuse_with(ANSWERED_ALREADY, slot)
    if not covers(s.hand[seat], offers.want[slot]):
        return refuse_with(ACCEPTER_LACKS, slot)
    if not has_several(offers.to[slot]) and not covers(s.hand[offers.maker[slot]], offers.give[slot]):
        return refuse_with(MAKER_LACKS, slot)
    return LEGAL


@kernel
def is_well_formed(code: int) -> bool:
    """Whether a negotiation code has no bits beyond its parameters, so that every action has one code."""
    kind = kind_of(code)
    if kind == act.OFFER:
        return code >> 59 == 0
    if kind == act.COUNTER:
        return code >> 59 == 0 and slot_of(code) < OFFERS
    if kind == act.CONFIRM:
        return parameter_of(code) < OFFERS * SEATS
    return parameter_of(code) < OFFERS


@kernel
def trade_partners(s: TradeFields, seat: int) -> int:
    """Whom an offer of a seat may go to, as bits: on its turn all others, else whose turn it is (TRADE-02)."""
    return (1 << s.players) - 1 & ~(1 << seat) if seat == s.active else 1 << s.active


@kernel
def judge_offer(s: State, offers: OpenOffers, seat: int, give: int, want: int, to: int) -> int:
    """The verdict on the terms of an offer or counter-offer (TRADE-02, TRADE-05, TRADE-06, TRADE-14)."""
    if to == 0 or to & ~trade_partners(s, seat):
        return WRONG_PARTNER
    if give == 0 or want == 0:
        return GIFT
    if have_common_kind(give, want):
        return LIKE_ON_BOTH_SIDES
    if not covers(s.supply + s.hand[0] + s.hand[1] + s.hand[2] + s.hand[3], want):
        return WANTS_TOO_MUCH  # COMP-03: more than there is
    if not covers(s.hand[seat], give):
        return OFFERS_WHAT_IS_NOT_THERE
    return TOO_MANY_OFFERS if free_slot(offers) == NOBODY else LEGAL


@kernel
def judge_confirm(s: State, offers: OpenOffers, slot: int, partner: int) -> int:
    """The active player picks one who said yes (TRADE-15)."""
    if not has_several(offers.to[slot]):
        return refuse_with(NOTHING_TO_CONFIRM, slot)
    if partner >= s.players or not (offers.yes[slot] >> partner) & 1:
        return refuse_with(NO_YES, slot)
    if not covers(s.hand[offers.maker[slot]], offers.give[slot]):
        return refuse_with(MAKER_LACKS, slot)
    return LEGAL if covers(s.hand[partner], offers.want[slot]) else refuse_with(PARTNER_LACKS, slot)


@kernel
def apply_offer_action(s: State, offers: OpenOffers, seat: int, code: int) -> None:
    """Make, answer, counter, withdraw or execute an offer."""
    kind = kind_of(code)
    if kind == act.OFFER:
        open_offer(offers, seat, give_of(code), want_of(code), to_of(code))
        return
    slot = slot_of(code)
    bit = 1 << seat
    if kind == act.WITHDRAW:
        close_offer(offers, slot)
    elif kind == act.CONFIRM:
        exchange_cards(s, offers, slot, partner_of(code))
    elif kind == act.ACCEPT:
        if has_several(offers.to[slot]):
            offers.yes[slot] |= bit
            offers.no[slot] &= ~bit
        else:
            exchange_cards(s, offers, slot, seat)
    else:
        if kind == act.COUNTER:
            open_offer(offers, seat, give_of(code), want_of(code), 1 << offers.maker[slot])
        offers.no[slot] |= bit
        offers.yes[slot] &= ~bit
        if offers.no[slot] == offers.to[slot]:
            close_offer(offers, slot)


@kernel
def open_offer(offers: OpenOffers, maker: int, give: int, want: int, to: int) -> None:
    """Note an offer in the lowest free slot."""
    slot = free_slot(offers)
    offers.give[slot] = give
    offers.want[slot] = want
    offers.maker[slot] = maker
    offers.to[slot] = to


@kernel
def exchange_cards(s: State, offers: OpenOffers, slot: int, partner: int) -> None:
    """The exchange itself: the only trade action that touches hands."""
    maker = offers.maker[slot]
    s.hand[maker] += offers.want[slot] - offers.give[slot]
    s.hand[partner] += offers.give[slot] - offers.want[slot]
    close_offer(offers, slot)


@kernel
def close_offer(offers: OpenOffers, slot: int) -> None:
    """Free the slot of an offer."""
    offers.give[slot] = 0
    offers.want[slot] = 0
    offers.maker[slot] = 0
    offers.to[slot] = 0
    offers.yes[slot] = 0
    offers.no[slot] = 0


@kernel
def close_all_offers(offers: OpenOffers) -> None:
    """Free all slots: offers end with the turn (TRADE-03)."""
    for slot in range(OFFERS):
        close_offer(offers, slot)


@inline
def seats_silent(to: int, yes: int, no: int) -> int:
    """Seats that have not answered an offer addressed to them, as bits."""
    return to & ~(yes | no)


@kernel
def seats_asked(s: State, offers: OpenOffers) -> int:
    """Seats that have not answered an open offer addressed to them, as bits."""
    seats = 0
    if is_trading_open(s):
        for slot in range(OFFERS):
            seats |= seats_silent(offers.to[slot], offers.yes[slot], offers.no[slot])
    return seats
