"""Why an action is worth a thought, in a few words of the edition: facts about it, as far as the seat may know them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from hexholm.game.action import Action
from hexholm.game.cards import Cards
from hexholm.game.language.phrases import count_noun
from hexholm.rules.colors import Color, SeatNumber
from hexholm.rules.core.awards import army_record
from hexholm.rules.core.roads import measure_road
from hexholm.rules.core.step import apply_action
from hexholm.rules.encoding import action_codes as act
from hexholm.rules.encoding import structs
from hexholm.rules.encoding.action_codes import simple_action
from hexholm.rules.encoding.lanes import covers
from hexholm.rules.encoding.structs import DESERT, HARBOR_KINDS, RESOURCES, Scratch, State
from hexholm.rules.places import (
    CORNER_HEXES,
    CORNER_ID,
    CORNER_NAMES,
    HEX_CORNERS,
    HEX_ID,
    SIDE_CORNERS,
    SIDE_ID,
)

from .. import card_sums
from ..card_sums import card_counts, cost_of, count_lacking, hand_less, hand_of, hand_plus
from ..kernels.mind import Mind
from ..kernels.trade import answer_margin, is_about_to_win, is_unwise, weigh_exchange
from ..kernels.value_network import win_probability

if TYPE_CHECKING:
    from hexholm.game.game import SeatView
    from hexholm.game.views.offer import Offer

PURCHASES: Final = (
    (structs.COST_CITY, "a city"),
    (structs.COST_SETTLEMENT, "a settlement"),
    (structs.COST_CARD, "a {development_card}"),
    (structs.COST_ROAD, "a road"),
)
"""What cards may pay for, the best first."""


class Weighing(NamedTuple):
    """What the kernels have left of weighing actions: who does not agree to an exchange is asked why by it."""

    state: State
    """The position as the seat sees it."""
    mind: Mind
    net: Any
    """The judgment."""


def reason_for(view: SeatView, code: int, weighing: Weighing | None = None) -> str:
    """A short reason: what the action brings, costs or prevents; of a refusal also what speaks against a yes."""
    action = Action.of_code(code, view.colors, view.seat)
    reason = _REASONS.get(action.kind, _fixed_reason("goes on"))(view, action)
    return (
        reason + _NOT_AGREED[action.kind](view, weighing, action) if weighing and action.kind in _NOT_AGREED else reason
    )


def reason_against(view: SeatView, chosen_code: int, best_code: int, weighing: Weighing | None = None) -> str:
    """Why something was chosen although the chance after another action is better, as the end of its reason."""
    action, better = (Action.of_code(code, view.colors, view.seat) for code in (chosen_code, best_code))
    if action.kind in _TALK and better.kind not in _TALK:
        return "; the rest of the turn comes after it"
    if weighing and better.kind == "accept" and better.offer != action.offer:
        return f"; no to #{better.offer}{_not_accepted(view, weighing, better)}"
    if action.kind == "supply" and better.kind == "end" and view.hand_size() > view.raw.hand_limit:
        return f"; a seven would take half of {_count_text(view, view.hand_size())}"
    return ""


# --- words -----------------------------------------------------------------------------------------------------------


def _terms(view: SeatView) -> Mapping[str, str]:
    return view.options.edition_data.words


def _cards_text(view: SeatView, cards: Cards | None) -> str:
    return (cards or Cards()).in_words(_terms(view))


def _count_text(view: SeatView, n: int, thing: str = "") -> str:
    """A number of cards, or whatever the edition plays with."""
    return count_noun(n, thing or _card_word(view))


def _card_word(view: SeatView) -> str:
    """What one plays with: a card, or whatever it is in the edition."""
    return _terms(view)["resource_card"].rpartition(" ")[2]


def _newly_payable(view: SeatView, want: Cards | None, give: Cards | None) -> str:
    """What can be paid after an exchange that could not be paid before, as the end of a sentence."""
    hand = hand_of(view)
    hand_after = hand_less(hand_plus(hand, card_counts(want)), card_counts(give))
    for purchase, name in PURCHASES:
        cost = cost_of(view, purchase)
        if count_lacking(hand, cost) and not count_lacking(hand_after, cost):
            return f": that pays for {name.format_map(_terms(view))}"
    return ""


def _offer_in(view: SeatView, action: Action) -> Offer:
    return next(offer for offer in view.offers if offer.number == action.offer)


# --- places ----------------------------------------------------------------------------------------------------------


def _settlement_reason(view: SeatView, action: Action) -> str:
    return _yield_at(view, CORNER_ID[action.place or ""], "makes")


def _city_reason(view: SeatView, action: Action) -> str:
    return _yield_at(view, CORNER_ID[action.place or ""], "doubles")


def _yield_at(view: SeatView, corner: int, verb: str) -> str:
    """What a corner brings: resources with their dots, and a harbor."""
    raw, terms = view.raw, _terms(view)
    parts = [
        f"{terms[RESOURCES[raw.terrain[h]]]} on {raw.number[h]}"
        for h in CORNER_HEXES[corner]
        if raw.terrain[h] != DESERT
    ]
    harbors = [kind for i, kind in enumerate(HARBOR_KINDS) if raw.harbors[i] >> corner & 1]
    harbor = f"; a {terms['harbor']}" if harbors and verb == "makes" else ""
    return (
        f"{verb} {', '.join(parts)}: {_paying_rolls(view, corner)} of 36 rolls{harbor}"
        if parts
        else "a place by the sea"
    )


def _paying_rolls(view: SeatView, corner: int) -> int:
    """How many of 36 rolls pay there; one that pays twice is still one."""
    return sum(map(card_sums.dots_of, {view.raw.number[h] for h in CORNER_HEXES[corner]}))


def _dots_at(view: SeatView, corner: int) -> int:
    return sum(card_sums.dots_of(view.raw.number[h]) for h in CORNER_HEXES[corner])


def _road_reason(view: SeatView, action: Action) -> str:
    """Where it leads: to a free corner, towards one, to an award or a longer road."""
    raw, me = view.raw, view.raw.observer
    side = SIDE_ID[action.place or ""]
    state = view.raw_state()
    apply_action(state, Scratch(), me, simple_action(act.ROAD, side))
    if state.longest_road == me != raw.longest_road:
        return f"takes the {_terms(view)['longest_road']}"
    own_corners = raw.reach[me] | raw.settlements[me] | raw.cities[me]
    ends = [c for c in SIDE_CORNERS[side] if not own_corners >> c & 1]
    if sites := [c for c in ends if raw.sites >> c & 1]:
        return f"leads to {CORNER_NAMES[max(sites, key=lambda c: _dots_at(view, c))]}"
    roads_needed = {
        c: len(way) for c, way in card_sums.roads_to_sites(view, set(ends)).items() if not own_corners >> c & 1
    }
    if roads_needed:
        best = max(roads_needed, key=lambda c: _dots_at(view, c) / (1 + roads_needed[c]))
        return f"leads towards {CORNER_NAMES[best]}"
    length = measure_road(state, Scratch(), me)
    return f"a road of {length} in a row" if length > view.road_length() else "a road that shuts others out"


def _robber_reason(view: SeatView, action: Action) -> str:
    h = HEX_ID[action.place or ""]
    victims = [color for color in view.colors if color != view.seat and _builds_at(view, color, h)]
    number = view.raw.number[h]
    if not victims or not number:
        return "hurts nobody"
    return f"keeps {_terms(view)[RESOURCES[view.raw.terrain[h]]]} on {number} from {' and '.join(victims)}"


def _builds_at(view: SeatView, color: Color, h: int) -> bool:
    return any(CORNER_ID[name] in HEX_CORNERS[h] for name in (*view.settlements(color), *view.cities(color)))


# --- cards -----------------------------------------------------------------------------------------------------------


def _steal_reason(view: SeatView, action: Action) -> str:
    victim = action.player or ""
    points = _count_text(view, view.points(victim), "point")
    return f"{victim} holds {_count_text(view, view.hand_size(victim))} and has {points}"


def _supply_reason(view: SeatView, action: Action) -> str:
    give, want = _cards_text(view, action.give), _cards_text(view, action.want)
    return f"the {_terms(view)['stock']} gives {want} for {give}{_newly_payable(view, action.want, action.give)}"


def _plenty_reason(view: SeatView, action: Action) -> str:
    card, taken = _terms(view)["year_of_plenty"], _cards_text(view, action.want)
    return f"{card} brings {taken}{_newly_payable(view, action.want, None)}"


def _monopoly_reason(view: SeatView, action: Action) -> str:
    kind = action.resource or ""
    opponents = [color for color in view.colors if color != view.seat]
    expected_cards = sum(n * p for color in opponents for n, p in view.odds(color)[kind].items())
    return f"the others hold about {expected_cards:.1f} {_terms(view)[kind]}"


def _knight_reason(view: SeatView, _: Action) -> str:
    terms, own_knights = _terms(view), view.played()["knight"] + 1
    if own_knights >= army_record(view.raw) and view.largest_army != view.seat:
        return f"moves the robber and takes the {terms['largest_army']}"
    return f"moves the robber; {terms['knight']} {own_knights} of ours for the {terms['largest_army']}"


def _buy_reason(view: SeatView, _: Action) -> str:
    return f"one of {_count_text(view, view.deck_size, _terms(view)['development_card'])}"


def _end_reason(view: SeatView, _: Action) -> str:
    return f"keeps {_count_text(view, view.hand_size())}"


def _discard_reason(view: SeatView, action: Action) -> str:
    discarded = action.give or Cards()
    return f"gives up {_cards_text(view, discarded)} and keeps {_cards_text(view, view.hand - discarded)}"


# --- trade -----------------------------------------------------------------------------------------------------------


def _offer_reason(view: SeatView, action: Action) -> str:
    give, want = _cards_text(view, action.give), _cards_text(view, action.want)
    return f"gets {want} for {give} if {' or '.join(action.to)} will{_newly_payable(view, action.want, action.give)}"


def _counter_reason(view: SeatView, action: Action) -> str:
    offer = _offer_in(view, action)
    want, instead = _cards_text(view, action.want), _cards_text(view, offer.give)
    return f"gets {want} instead of {instead} if {offer.by} will{_newly_payable(view, action.want, action.give)}"


def _accept_reason(view: SeatView, action: Action) -> str:
    offer = _offer_in(view, action)
    want, give = _cards_text(view, offer.give), _cards_text(view, offer.want)
    return f"gets {want} for {give}{_newly_payable(view, offer.give, offer.want)}"


def _reject_reason(view: SeatView, action: Action) -> str:
    offer = _offer_in(view, action)
    points_lacking = view.raw.points_to_win - view.public_points(offer.by)
    hint = f", who lacks {_count_text(view, points_lacking, 'point')}" if points_lacking <= 3 else ""
    return f"no {_cards_text(view, offer.want)} for {offer.by}{hint}"


def _confirm_reason(view: SeatView, action: Action) -> str:
    offer = _offer_in(view, action)
    want, give = _cards_text(view, offer.want), _cards_text(view, offer.give)
    return f"gets {want} from {action.player} for {give}{_newly_payable(view, offer.want, offer.give)}"


def _withdraw_reason(view: SeatView, action: Action) -> str:
    return f"keeps {_cards_text(view, _offer_in(view, action).give)}"


# --- trade that does not come about ----------------------------------------------------------------------------------
# Whether it should is for kernels/trade.py to say: its questions are asked here one by one, to name what decided.


def _not_accepted(view: SeatView, weighing: Weighing, action: Action) -> str:
    """What speaks against a yes to an offer."""
    state, mind, _ = weighing
    offer = _offer_in(view, action)
    partner, want, give = view.colors.index(offer.by), offer.give, offer.want
    if not give <= view.hand:
        return ": we do not hold that"
    if not covers(mind.likely[partner], want.lanes):
        return f": it hardly holds {_cards_text(view, want)} any more"
    gain = _gain_of_exchange(view, weighing, partner, want, give)
    if objection := _manners_objection(view, weighing, partner, give, want) or _gain_objection(gain):
        return f": {objection}"
    small = gain <= answer_margin(state, mind, view.raw.observer)
    return ": that would gain us too little" if small else ", although yes looks better"


def _not_as_offered(view: SeatView, weighing: Weighing, action: Action) -> str:
    """What speaks against a yes instead of another offer, if that is not just what is gained."""
    offer = _offer_in(view, action)
    objection = _manners_objection(view, weighing, view.colors.index(offer.by), offer.want, offer.give)
    return f"; no to its own offer: {objection}" if objection else ""


def _not_confirmed(view: SeatView, weighing: Weighing, action: Action) -> str:
    """What speaks against an exchange with those who said yes."""
    offer = _offer_in(view, action)
    gains = {
        color: _gain_of_exchange(view, weighing, view.colors.index(color), offer.want, offer.give)
        for color in offer.yes
    }
    return "".join(
        f"; no exchange with {color}: {_gain_objection(gain)}" for color, gain in gains.items() if _gain_objection(gain)
    )


def _gain_of_exchange(view: SeatView, weighing: Weighing, partner: SeatNumber, want: Cards, give: Cards) -> float:
    """How much likelier we are to win after an exchange; below -1 if we ourselves are no stronger after it."""
    state, mind, net = weighing
    me = view.raw.observer
    probability = weigh_exchange(state, mind, net, me, partner, want.lanes, give.lanes)
    return probability - win_probability(state, mind.strength, me) if probability else -2.0


def _gain_objection(gain: float) -> str:
    """What is wrong with such a gain; nothing if it is one."""
    if gain > 0:
        return ""
    return "that would not make us stronger" if gain < -1 else "that would help it more than us"


def _manners_objection(view: SeatView, weighing: Weighing, partner: SeatNumber, want: Cards, give: Cards) -> str:
    """Which of the manners forbids an exchange that gives a partner `want`; nothing if none does."""
    state, mind, _ = weighing

    def is_forbidden(s: State) -> bool:
        return is_unwise(s, mind, partner, want.lanes, give.lanes)

    if not is_forbidden(state):
        return ""
    if is_about_to_win(state, partner):
        return "it is about to win"
    # which one it was shows where it is gone: if the partner had the award already, or did not lead alone
    awarded, tied = (State(state.buffer.copy()) for _ in range(2))
    awarded.longest_road = partner
    tied.points[(partner + 1) % state.players] = state.points[partner]
    if not is_forbidden(awarded):
        return f"that could bring it the {_terms(view)['longest_road']} at once"
    if not is_forbidden(tied):
        return f"it leads alone and would get more {_card_word(view)}s than it gives"
    return "that could bring it points at once"


def _fixed_reason(text: str) -> Callable[[SeatView, Action], str]:
    return lambda _view, _action: text


_REASONS: Final[dict[str, Callable[[SeatView, Action], str]]] = {
    "settlement": _settlement_reason,
    "city": _city_reason,
    "road": _road_reason,
    "robber": _robber_reason,
    "steal": _steal_reason,
    "supply": _supply_reason,
    "year-of-plenty": _plenty_reason,
    "monopoly": _monopoly_reason,
    "buy": _buy_reason,
    "end": _end_reason,
    "discard": _discard_reason,
    "roll": _fixed_reason("the dice come first"),
    "knight": _knight_reason,
    "road-building": _fixed_reason("two free roads"),
    "offer": _offer_reason,
    "counter": _counter_reason,
    "accept": _accept_reason,
    "reject": _reject_reason,
    "confirm": _confirm_reason,
    "withdraw": _withdraw_reason,
    "waive": _fixed_reason("no road that would help"),
}

_NOT_AGREED: Final[dict[str, Callable[[SeatView, Weighing, Action], str]]] = {
    "reject": _not_accepted,
    "counter": _not_as_offered,
    "withdraw": _not_confirmed,
}
_TALK: Final = ("accept", "reject", "counter", "confirm", "withdraw")
"""What is said about offers that are open; that comes before anything else."""
