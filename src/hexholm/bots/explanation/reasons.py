"""Why an action is worth a thought, in a few words of the edition: facts about it, as far as the seat may know them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from hexholm.game.action import Action
from hexholm.game.cards import Cards
from hexholm.game.language.phrases import count_noun
from hexholm.rules.core.awards import army_record
from hexholm.rules.core.encoding import actions as act
from hexholm.rules.core.encoding import structs
from hexholm.rules.core.encoding.actions import simple
from hexholm.rules.core.encoding.lanes import covers
from hexholm.rules.core.encoding.structs import DESERT, HARBOR_KINDS, RESOURCES, State, Work
from hexholm.rules.core.roads import measure_road
from hexholm.rules.core.step import apply_action
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
from ..card_sums import cost_of, counts, hand_less, hand_of, hand_plus, lacking
from ..kernels.mind import Mind
from ..kernels.trade import about_to_win, answer_margin, is_unwise, weigh_exchange
from ..kernels.value_network import win_chance

if TYPE_CHECKING:
    from hexholm.game.game import SeatView
    from hexholm.game.views.offer import Offer

PAYS_FOR: Final = (
    (structs.COST_CITY, "a city"),
    (structs.COST_SETTLEMENT, "a settlement"),
    (structs.COST_CARD, "a {development_card}"),
    (structs.COST_ROAD, "a road"),
)
"""What cards may pay for, the best first."""


class Weighed(NamedTuple):
    """What the kernels have left of weighing actions: who does not agree to an exchange is asked why by it."""

    state: State
    """The position as the seat sees it."""
    mind: Mind
    net: Any
    """The judgement."""


def reason_for(view: SeatView, code: int, weighed: Weighed | None = None) -> str:
    """A short reason: what the action brings, costs or prevents; of a refusal also what speaks against a yes."""
    action = Action.of_code(code, view.colors, view.seat)
    said = _REASONS.get(action.kind, _fixed("goes on"))(view, action)
    return said + _NOT_AGREED[action.kind](view, weighed, action) if weighed and action.kind in _NOT_AGREED else said


def reason_against(view: SeatView, chosen: int, best: int, weighed: Weighed | None = None) -> str:
    """Why something was chosen although the chance after another action is better, as the end of its reason."""
    did, other = (Action.of_code(code, view.colors, view.seat) for code in (chosen, best))
    if did.kind in _TALK and other.kind not in _TALK:
        return "; the rest of the turn comes after it"
    if weighed and other.kind == "accept" and other.offer != did.offer:
        return f"; no to #{other.offer}{_not_accepted(view, weighed, other)}"
    if did.kind == "supply" and other.kind == "end" and view.hand_size() > view.raw.hand_limit:
        return f"; a seven would take half of {_many(view, view.hand_size())}"
    return ""


# --- words -----------------------------------------------------------------------------------------------------------


def _words(view: SeatView) -> Mapping[str, str]:
    return view.options.edition_data.words


def _cards_text(view: SeatView, cards: Cards | None) -> str:
    return (cards or Cards()).in_words(_words(view))


def _many(view: SeatView, n: int, thing: str = "") -> str:
    """A number of cards, or whatever the edition plays with."""
    return count_noun(n, thing or _card(view))


def _card(view: SeatView) -> str:
    """What one plays with: a card, or whatever it is in the edition."""
    return _words(view)["resource_card"].rpartition(" ")[2]


def _pays(view: SeatView, get: Cards | None, give: Cards | None) -> str:
    """What can be paid after an exchange that could not be paid before, as the end of a sentence."""
    before = hand_of(view)
    after = hand_less(hand_plus(before, counts(get)), counts(give))
    for which, name in PAYS_FOR:
        cost = cost_of(view, which)
        if lacking(before, cost) and not lacking(after, cost):
            return f": that pays for {name.format_map(_words(view))}"
    return ""


def _offer(view: SeatView, action: Action) -> Offer:
    return next(offer for offer in view.offers if offer.number == action.offer)


# --- places ----------------------------------------------------------------------------------------------------------


def _settlement(view: SeatView, action: Action) -> str:
    return _yield_at(view, CORNER_ID[action.place or ""], "makes")


def _city(view: SeatView, action: Action) -> str:
    return _yield_at(view, CORNER_ID[action.place or ""], "doubles")


def _yield_at(view: SeatView, corner: int, verb: str) -> str:
    """What a corner brings: resources with their dots, and a harbor."""
    r, words = view.raw, _words(view)
    parts = [
        f"{words[RESOURCES[r.terrain[h]]]} on {r.number[h]}" for h in CORNER_HEXES[corner] if r.terrain[h] != DESERT
    ]
    harbors = [kind for i, kind in enumerate(HARBOR_KINDS) if r.harbors[i] >> corner & 1]
    harbor = f"; a {words['harbor']}" if harbors and verb == "makes" else ""
    return f"{verb} {', '.join(parts)}: {_rolls(view, corner)} of 36 rolls{harbor}" if parts else "a place by the sea"


def _rolls(view: SeatView, corner: int) -> int:
    """How many of 36 rolls pay there; one that pays twice is still one."""
    return sum(map(card_sums.dots_of, {view.raw.number[h] for h in CORNER_HEXES[corner]}))


def _dots(view: SeatView, corner: int) -> int:
    return sum(card_sums.dots_of(view.raw.number[h]) for h in CORNER_HEXES[corner])


def _road(view: SeatView, action: Action) -> str:
    """Where it leads: to a free corner, towards one, to an award or a longer road."""
    r, me = view.raw, view.raw.observer
    side = SIDE_ID[action.place or ""]
    state = view.raw_state()
    apply_action(state, Work(), me, simple(act.ROAD, side))
    if state.longest_road == me != r.longest_road:
        return f"takes the {_words(view)['longest_road']}"
    known = r.reach[me] | r.settlements[me] | r.cities[me]
    ends = [c for c in SIDE_CORNERS[side] if not known >> c & 1]
    if sites := [c for c in ends if r.sites >> c & 1]:
        return f"leads to {CORNER_NAMES[max(sites, key=lambda c: _dots(view, c))]}"
    found = {c: len(way) for c, way in card_sums.roads_to_sites(view, set(ends)).items() if not known >> c & 1}
    if found:
        best = max(found, key=lambda c: _dots(view, c) / (1 + found[c]))
        return f"leads towards {CORNER_NAMES[best]}"
    length = measure_road(state, Work(), me)
    return f"a road of {length} in a row" if length > view.road_length() else "a road that others may not build"


def _robber(view: SeatView, action: Action) -> str:
    h = HEX_ID[action.place or ""]
    hit = [color for color in view.colors if color != view.seat and _builds_at(view, color, h)]
    number = view.raw.number[h]
    if not hit or not number:
        return "hurts nobody"
    return f"keeps {_words(view)[RESOURCES[view.raw.terrain[h]]]} on {number} from {' and '.join(hit)}"


def _builds_at(view: SeatView, color: str, h: int) -> bool:
    return any(CORNER_ID[name] in HEX_CORNERS[h] for name in (*view.settlements(color), *view.cities(color)))


# --- cards -----------------------------------------------------------------------------------------------------------


def _steal(view: SeatView, action: Action) -> str:
    who = action.player or ""
    return f"{who} holds {_many(view, view.hand_size(who))} and has {_many(view, view.points(who), 'point')}"


def _supply(view: SeatView, action: Action) -> str:
    paid = _pays(view, action.take, action.give)
    return (
        f"the {_words(view)['stock']} gives {_cards_text(view, action.take)} for {_cards_text(view, action.give)}{paid}"
    )


def _take(view: SeatView, action: Action) -> str:
    return f"{_words(view)['year_of_plenty']} brings {_cards_text(view, action.take)}{_pays(view, action.take, None)}"


def _monopoly(view: SeatView, action: Action) -> str:
    kind = action.resource or ""
    others = [color for color in view.colors if color != view.seat]
    expected = sum(n * p for color in others for n, p in view.odds(color)[kind].items())
    return f"the others hold about {expected:.1f} {_words(view)[kind]}"


def _knight(view: SeatView, _: Action) -> str:
    words, mine = _words(view), view.played()["knight"] + 1
    if mine >= army_record(view.raw) and view.largest_army != view.seat:
        return f"moves the robber and takes the {words['largest_army']}"
    return f"moves the robber; {words['knight']} {mine} of ours for the {words['largest_army']}"


def _buy(view: SeatView, _: Action) -> str:
    return f"one of {_many(view, view.deck_size, _words(view)['development_card'])}"


def _end(view: SeatView, _: Action) -> str:
    return f"keeps {_many(view, view.hand_size())}"


def _discard(view: SeatView, action: Action) -> str:
    given = action.give or Cards()
    return f"gives up {_cards_text(view, given)} and keeps {_cards_text(view, view.hand - given)}"


# --- trade -----------------------------------------------------------------------------------------------------------


def _offer_reason(view: SeatView, action: Action) -> str:
    give, take = _cards_text(view, action.give), _cards_text(view, action.take)
    return f"gets {take} for {give} if {' or '.join(action.to)} will{_pays(view, action.take, action.give)}"


def _counter_reason(view: SeatView, action: Action) -> str:
    asked = _offer(view, action)
    take, instead = _cards_text(view, action.take), _cards_text(view, asked.give)
    return f"gets {take} instead of {instead} if {asked.by} will{_pays(view, action.take, action.give)}"


def _accept(view: SeatView, action: Action) -> str:
    asked = _offer(view, action)
    return (
        f"gets {_cards_text(view, asked.give)} for {_cards_text(view, asked.take)}{_pays(view, asked.give, asked.take)}"
    )


def _reject(view: SeatView, action: Action) -> str:
    asked = _offer(view, action)
    lacks = view.raw.points_to_win - view.public_points(asked.by)
    far = f", who lacks {_many(view, lacks, 'point')}" if lacks <= 3 else ""
    return f"no {_cards_text(view, asked.take)} for {asked.by}{far}"


def _confirm(view: SeatView, action: Action) -> str:
    asked = _offer(view, action)
    take, give = _cards_text(view, asked.take), _cards_text(view, asked.give)
    return f"gets {take} from {action.player} for {give}{_pays(view, asked.take, asked.give)}"


def _withdraw(view: SeatView, action: Action) -> str:
    return f"keeps {_cards_text(view, _offer(view, action).give)}"


# --- trade that does not come about ----------------------------------------------------------------------------------
# Whether it should is for kernels/trade.py to say: its questions are asked here one by one, to name what decided.


def _not_accepted(view: SeatView, weighed: Weighed, action: Action) -> str:
    """What speaks against a yes to an offer."""
    state, mind, _ = weighed
    asked = _offer(view, action)
    partner, get, give = view.colors.index(asked.by), asked.give, asked.take
    if not give <= view.hand:
        return ": we do not hold that"
    if not covers(mind.likely[partner], get.lanes):
        return f": it hardly holds {_cards_text(view, get)} any more"
    more = _gain(view, weighed, partner, get, give)
    if why := _unwise(view, weighed, partner, give, get) or _no_gain(more):
        return f": {why}"
    small = more <= answer_margin(state, mind, view.raw.observer)
    return ": that would gain us too little" if small else ", although yes looks better"


def _not_as_offered(view: SeatView, weighed: Weighed, action: Action) -> str:
    """What speaks against a yes instead of another offer, if that is not just what is gained."""
    asked = _offer(view, action)
    why = _unwise(view, weighed, view.colors.index(asked.by), asked.take, asked.give)
    return f"; no to its own offer: {why}" if why else ""


def _not_confirmed(view: SeatView, weighed: Weighed, action: Action) -> str:
    """What speaks against an exchange with those who said yes."""
    own = _offer(view, action)
    found = {who: _gain(view, weighed, view.colors.index(who), own.take, own.give) for who in own.yes}
    return "".join(f"; no exchange with {who}: {_no_gain(more)}" for who, more in found.items() if _no_gain(more))


def _gain(view: SeatView, weighed: Weighed, partner: int, get: Cards, give: Cards) -> float:
    """How much likelier we are to win after an exchange; below -1 if we ourselves are no stronger after it."""
    state, mind, net = weighed
    me = view.raw.observer
    value = weigh_exchange(state, mind, net, me, partner, get.lanes, give.lanes)
    return value - win_chance(state, mind.strength, me) if value else -2.0


def _no_gain(more: float) -> str:
    """What is wrong with such a gain; nothing if it is one."""
    if more > 0:
        return ""
    return "that would make us no stronger" if more < -1 else "that would help it more than us"


def _unwise(view: SeatView, weighed: Weighed, partner: int, gets: Cards, gives: Cards) -> str:
    """Which of the manners forbids an exchange that gives a partner `gets`; nothing if none does."""
    state, mind, _ = weighed

    def forbidden(s: State) -> bool:
        return is_unwise(s, mind, partner, gets.lanes, gives.lanes)

    if not forbidden(state):
        return ""
    if about_to_win(state, partner):
        return "it is about to win"
    # which one it was shows where it is gone: if the partner had the award already, or did not lead alone
    awarded, level = (State(state.buffer.copy()) for _ in range(2))
    awarded.longest_road = partner
    level.points[(partner + 1) % state.players] = state.points[partner]
    if not forbidden(awarded):
        return f"that could bring it the {_words(view)['longest_road']} at once"
    if not forbidden(level):
        return f"it leads alone and would get more {_card(view)}s than it gives"
    return "that could bring it points at once"


def _fixed(text: str) -> Callable[[SeatView, Action], str]:
    return lambda _view, _action: text


_REASONS: Final[dict[str, Callable[[SeatView, Action], str]]] = {
    "settlement": _settlement,
    "city": _city,
    "road": _road,
    "robber": _robber,
    "steal": _steal,
    "supply": _supply,
    "year-of-plenty": _take,
    "monopoly": _monopoly,
    "buy": _buy,
    "end": _end,
    "discard": _discard,
    "roll": _fixed("first the dice"),
    "knight": _knight,
    "road-building": _fixed("two roads for nothing"),
    "offer": _offer_reason,
    "counter": _counter_reason,
    "accept": _accept,
    "reject": _reject,
    "confirm": _confirm,
    "withdraw": _withdraw,
    "waive": _fixed("no road that would help"),
}

_NOT_AGREED: Final[dict[str, Callable[[SeatView, Weighed, Action], str]]] = {
    "reject": _not_accepted,
    "counter": _not_as_offered,
    "withdraw": _not_confirmed,
}
_TALK: Final = ("accept", "reject", "counter", "confirm", "withdraw")
"""What is said about offers that are open; that comes before anything else."""
