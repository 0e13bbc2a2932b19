"""How actions are written, shown by examples that this player could use now: own cards, real opponents, open offers.

An example is legal where anything of its kind is; else it is the most nearly legal one, so that one can ask why not.
The spelling is the canonical one of docs/formats/actions.md.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from hexholm.game.cards import Cards
from hexholm.game.game import SeatView
from hexholm.game.views.offer import Offer
from hexholm.rules.names import RESOURCES
from hexholm.rules.places import CORNER_NAMES, HALF, HEX_NAMES, SIDE_NAMES

KIND_MEANINGS: Final = {
    "roll": "roll the dice",
    "settlement": "a settlement on a corner",
    "city": "a city in place of a settlement",
    "road": "a road on a side",
    "buy": "a {development_card}",
    "knight": "play a {knight}: move the robber",
    "road-building": "play {road_building}: two free roads",
    "year-of-plenty": "play {year_of_plenty}: take two {item}s",
    "monopoly": "play {monopoly}: take all {item}s of a kind",
    "waive": "skip the free roads that are left",
    "robber": "move the robber to a hex",
    "steal": "steal from a player",
    "discard": "give {item}s back",
    "supply": "trade with the {stock}: what you give, what you take",
    "offer": "what you give, what you want, and whom to offer it to",
    "counter": "answer an offer with another: what you give, what you want",
    "accept": "say yes; yes is enough if only one offer waits",
    "reject": "say no; no is enough if only one offer waits",
    "confirm": "trade with one who said yes",
    "withdraw": "take an offer back",
    "end": "end your turn",
}
"""Every kind of action and what it is, with words of the edition in braces."""
DETAIL_NEEDED: Final = {
    **dict.fromkeys(("settlement", "city", "road", "robber"), "say where"),
    **dict.fromkeys(("supply", "offer", "counter"), "say what you give and what you want"),
    "steal": "say from whom",
    "discard": "say which {item}s",
    "monopoly": "say which kind",
    "year-of-plenty": "say which two {item}s",
}
"""The kinds of action that need more than their word, and what that is, with words of the edition in braces."""


def action_example(view: SeatView, kind: str) -> str:
    """An action of a kind as this player would write it."""
    match kind:
        case "offer":
            return offer_example(view)
        case "counter":
            return counter_example(view) or f"counter #1 {_exchange_example(view)}"
        case "discard":
            return f"discard {_discard_example(view)}"
    legal = next((action.text for action in view.legal_actions if action.kind == kind), None)
    if legal is not None:
        return legal
    match kind:
        case "settlement" | "city" | "road" | "robber":
            return f"{kind} {_place_example(view, kind)}"
        case "supply":
            give, want = _most_and_least(view.hand)
            return f"supply {view.rates()[give]} {give} : 1 {want}"
        case "steal":
            return f"steal {opponents_of(view)[0]}"
        case "confirm":
            return f"confirm #{_own_offer_number(view)} {opponents_of(view)[0]}"
        case "withdraw":
            return f"withdraw #{_own_offer_number(view)}"
        case "accept" | "reject":
            return f"{kind} #1"
        case "monopoly":
            return f"monopoly {_most_and_least(view.hand)[1]}"
        case "year-of-plenty":
            return f"year-of-plenty {' '.join(_most_and_least(view.hand))}"
    return kind


def offer_example(view: SeatView) -> str:
    """One card of the kind one holds most of for one that one lacks; a waiting player can ask the active one only."""
    addressees = opponents_of(view) if view.active == view.seat else (view.active,)
    return f"offer {_exchange_example(view)} to {'all' if len(addressees) > 1 else addressees[0]}"


def counter_example(view: SeatView) -> str | None:
    """Another offer in answer to an open one; None if there is nothing one could offer."""
    for offer in unanswered_offers(view):
        for terms in _possible_answers(view, offer):
            text = f"counter #{offer.number} {terms}"
            if view.why_not(text) is None:
                return text
    return None


def unanswered_offers(view: SeatView) -> list[Offer]:
    """The offers that this player has not answered; if there are none, those that could be answered once more."""
    offers_here = [offer for offer in view.offers if view.seat in offer.to]
    return [offer for offer in offers_here if view.seat not in (*offer.yes, *offer.no)] or offers_here


def opponents_of(view: SeatView) -> tuple[str, ...]:
    """Everybody else at the table."""
    return tuple(color for color in view.colors if color != view.seat)


def _possible_answers(view: SeatView, offer: Offer) -> Iterator[str]:
    """What one could say instead of yes: for what is wanted a card more, or something else that one holds."""
    kind = next(kind for kind in RESOURCES if offer.give[kind])
    if offer.want <= view.hand:
        yield f"{offer.want} : {offer.give + Cards({kind: 1})}"
    for own_kind in sorted(RESOURCES, key=lambda kind: -view.hand[kind]):
        if view.hand[own_kind] and not offer.give[own_kind] and not offer.want[own_kind]:
            yield f"1 {own_kind} : {offer.give}"


def _exchange_example(view: SeatView) -> str:
    give, want = _most_and_least(view.hand)
    return f"1 {give} : 1 {want}"


def _most_and_least(hand: Cards) -> tuple[str, str]:
    """The kind of card that one can spare best, and another that one lacks."""
    give = max(reversed(RESOURCES), key=lambda kind: hand[kind])
    return give, min((kind for kind in reversed(RESOURCES) if kind != give), key=lambda kind: hand[kind])


def _discard_example(view: SeatView) -> Cards:
    """As many cards as are owed (half of them if none are), always one of those one has most of."""
    hand, discards = dict(view.hand), dict.fromkeys(RESOURCES, 0)
    for _ in range(view.owed() or max(1, view.hand.total // 2)):
        kind = max(RESOURCES, key=lambda kind: hand[kind])
        hand[kind] -= 1
        discards[kind] += 1
    return Cards(discards)


def _own_offer_number(view: SeatView) -> int:
    return next((offer.number for offer in view.offers if offer.by == view.seat), 1)


def _place_example(view: SeatView, kind: str) -> str:
    """A place that comes near to a legal one."""
    sight, seat = view.seen, view.facts.observer
    if kind == "robber":
        return next(name for name in HEX_NAMES if name != view.robber)
    if kind == "city":
        return next(iter(view.settlements()), "C3n")
    if kind == "settlement":
        sites = [name for i, name in enumerate(CORNER_NAMES) if (sight.sites & sight.reach[seat]) >> i & 1]
        free = [name for i, name in enumerate(CORNER_NAMES) if sight.sites >> i & 1]
        return (sites or free or CORNER_NAMES)[0]
    paths = sight.paths_lo[seat] | sight.paths_hi[seat] << HALF
    return next((name for i, name in enumerate(SIDE_NAMES) if paths >> i & 1), SIDE_NAMES[0])
