"""Any action there is, offers included: whether it may be done, and what it does.

The way into the rules: an action of the negotiation leads to :mod:`.offers`, every other one to :mod:`.verdict` and
:mod:`.step`. Games without offers go to these two at once.
"""

from __future__ import annotations

from ..compilation.kernels import inline, kernel
from ..encoding import action_codes as act
from ..encoding.action_codes import kind_of
from ..encoding.phases import OVER
from ..encoding.refusals import LEGAL, MAKER_LACKS, PARTNER_LACKS, refusal_of
from ..encoding.structs import OpenOffers, Scratch, State
from .offers import apply_offer_action, close_all_offers, judge_negotiation
from .step import apply_action
from .verdict import judge


@inline
def is_offer_action(code: int) -> bool:
    """Whether an action belongs to the negotiation."""
    return act.OFFER <= kind_of(code) <= act.WITHDRAW


@kernel
def judge_with_offers(s: State, offers: OpenOffers, seat: int, code: int) -> int:
    """The verdict on any action, offers included."""
    if is_offer_action(code):
        return judge_negotiation(s, offers, seat, code)
    return judge(s, seat, code)


@kernel
def judge_for_seat(s: State, offers: OpenOffers, seat: int, code: int) -> int:
    """The verdict as far as `seat` may know it before trying: whether a partner still holds the cards is left out."""
    verdict = judge_with_offers(s, offers, seat, code)
    refusal = refusal_of(verdict)
    hidden_from_seat = refusal == PARTNER_LACKS or (refusal == MAKER_LACKS and kind_of(code) == act.ACCEPT)
    return LEGAL if hidden_from_seat else verdict


@kernel
def is_open_to(s: State, offers: OpenOffers, seat: int, code: int) -> bool:
    """Whether an answer or withdrawal belongs on the list of `seat`: its own cards and public facts decide."""
    return judge_for_seat(s, offers, seat, code) == LEGAL


@kernel
def apply_with_offers(s: State, offers: OpenOffers, scratch: Scratch, seat: int, code: int) -> None:
    """Carry out a legal action, offers included; closes the offers whose time is over (TRADE-03)."""
    if is_offer_action(code):
        apply_offer_action(s, offers, seat, code)
    else:
        apply_action(s, scratch, seat, code)
        kind = kind_of(code)
        if kind == act.END or s.phase == OVER or (s.trading_closed and kind < act.KNIGHT_CARD):
            close_all_offers(offers)
