"""`easy`: a weak but sensible opponent, and never a tiresome one.

    >>> import hexholm
    >>> from hexholm.bots import Easy
    >>> game = hexholm.Game(edition="fifth", setup="fixed", seed=7)
    >>> Easy(seed=3).choose(game.view("red"))
    Action.of('roll')

It decides on a :class:`~hexholm.SeatView` alone and looks no further than the next few cards: it has
*plans* (a city, a settlement, a road towards one, a development card), each with a price, and values a hand by how
near it brings them. Building, trading, discarding and answering offers all follow from that one measure.

It makes the mistakes of a casual player: one in four of the things that come up on a turn it overlooks
(:data:`OVERSIGHT_RATE`), and so on about one turn in four something is missing:
- it does not think of a trade with the supply, of asking the others, of buying a development card, or of playing one
  that would bring something at once;
- it forgets the knight before it rolls, and plays it after;
- it takes the second best corner, road or hex for the robber, where that one is nearly as good;
- it does not see that an offer is good for it, and says no.

It is wide awake where a slip would look like a fault: if it may win soon itself, and with the robber if another may.
It never overlooks an action that wins; it discards what it needs least; and no oversight makes it say yes, or ask.

Its seed is its style: small likings that are drawn once. What it overlooks is drawn from the seed, the seat, the turn
and the thing itself. So the same seed plays the same game, also after something was taken back, or if it is made anew
for every question. All it remembers is what it has offered, so as not to say it twice.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Final

from hexholm.game.action import Action
from hexholm.game.cards import Cards
from hexholm.game.game import SeatView
from hexholm.game.views.offer import Offer
from hexholm.rules.colors import Color
from hexholm.rules.core.awards import army_record
from hexholm.rules.core.production import hex_yield
from hexholm.rules.core.step import apply_action
from hexholm.rules.encoding import action_codes as act
from hexholm.rules.encoding import structs
from hexholm.rules.encoding.lanes import N_KINDS, unpack
from hexholm.rules.encoding.phases import OVER
from hexholm.rules.encoding.structs import RESOURCES, Scratch
from hexholm.rules.places import (
    CORNER_HEXES,
    CORNER_ID,
    HEX_CORNERS,
    HEX_ID,
    N_CORNERS,
    N_SIDES,
    SIDE_ID,
)

from .. import card_sums
from ..card_sums import (
    as_cards,
    card_counts,
    cost_of,
    count_lacking,
    hand_less,
    hand_of,
    hand_of_kind,
    hand_plus,
    resource_in,
    roads_to_sites,
)
from ..kernels.mind import OWN_OFFERS
from ..memory import Memory, pack_terms
from ..protocol import Thought, choice_code
from .easy_plans import LIKELY_HELD, NO_TRADE, gain_of, hand_value, harm_by, is_close_to_winning, plans_of

DOT_VALUES: Final = (1.0, 1.0, 0.85, 1.1, 1.1)
"""What a dot of each resource is worth."""
NEW_KIND: Final = 1.5
"""What a resource is worth that it does not make yet."""
ANY_HARBOR: Final = 1.0
OWN_HARBOR: Final = 0.3
"""What a harbor is worth: for every resource, or for each dot of its own."""
OVERSIGHT_RATE: Final = 0.25
"""How often it overlooks a thing that comes up on a turn. Two turns of three have such a thing, some have several: that
makes about one turn in four with an oversight, enough to be noticed, and so little that it still plays sensibly."""
NEARLY_BEST: Final = 0.8
"""A place is taken for the best only if it is worth so much of it: nobody mistakes a bad corner for a good one."""
AWAKE_POINTS: Final = 3
"""Who lacks so many points, or fewer, overlooks nothing: no action brings more (that is a settlement which breaks the
longest road of another), so no win is missed; and people look twice when the end is near."""
SCORING: Final = ("city", "settlement", "road", "knight")
"""The actions that can win at once."""


class Easy:
    """Chooses an action for a seat from what that seat may know."""

    def __init__(self, seed: int | str = 0) -> None:
        self._seed = seed
        rng = random.Random(f"simple player {seed}")
        self._taste = [rng.random() for _ in range(max(N_CORNERS, N_SIDES))]
        self._memory = Memory()
        self._last_choice: tuple[SeatView, int] | None = None

    def choose(self, view: SeatView) -> Action:
        """What to do now; a legal action of the seat that looks."""
        self._memory.observe(view)
        action = self._decide(view)
        code = choice_code(action, view.colors, view.facts.observer)
        self._memory.remember_choice(view, code)
        self._last_choice = view, code
        return action

    def explain(self) -> list[Thought]:
        """Its last choice and the best of the others, with the chances that `medium` would give them."""
        from ..explanation.thoughts import explain_choice  # what it needs takes a while to load

        return [] if self._last_choice is None else explain_choice(*self._last_choice, decided="by rules of thumb")

    def remind(self, turn: int, own_offers: Iterable[Action], countered: Iterable[Color] = ()) -> None:
        """Forget what was said from `turn` on but for these own offers: a game was taken back, or resumed.

        `countered`: whose offers it has answered with another, which a counter-offer itself does not say.
        """
        self._memory.remind(turn, own_offers, countered)

    def _decide(self, view: SeatView) -> Action:
        if win := _winning_action(view):
            return win
        match view.phase:
            case "settlement":
                return self._building_site(view, _actions_of_kind(view, "settlement"))
            case "road":
                return self._start_road(view)
            case "roll":
                return self._unless_overlooked(view, "knight", self._play_knight(view)) or Action.of("roll")
            case "discard":
                return self._discard(view)
            case "robber":
                return self._robber_move(view)
            case "victim":
                return _most_liked(view.legal_actions, lambda a: (view.hand_size(a.player) > 0, view.points(a.player)))
            case "free road":
                return self._build_road(view) or view.legal_actions[-1]
        if view.active == view.seat:
            return self._confirm(view) or self._answer(view) or self._my_turn(view)
        return self._answer(view) or view.legal_actions[0]

    # --- oversights ------------------------------------------------------------------------------------------

    def _overlooks(self, view: SeatView, matter: str) -> bool:
        """Whether it overlooks a thing on this turn; to be asked only where there is something to overlook."""
        if _points_to_go(view) <= AWAKE_POINTS:
            return False
        return random.Random(f"overlooked {self._seed} {view.seat} {view.turn} {matter}").random() < OVERSIGHT_RATE

    def _unless_overlooked(self, view: SeatView, matter: str, action: Action | None) -> Action | None:
        """An action, unless it does not think of that on this turn."""
        return None if action is None or self._overlooks(view, matter) else action

    def _pick(self, view: SeatView, matter: str, choices: dict[Action, float]) -> Action:
        """The best choice; the second best if that is close and is mistaken for it."""
        best, *runners_up = sorted(choices, key=lambda action: -choices[action])
        close = bool(runners_up) and choices[runners_up[0]] >= NEARLY_BEST * choices[best] > 0
        return runners_up[0] if close and self._overlooks(view, matter) else best

    # --- the own turn ----------------------------------------------------------------------------------------

    def _my_turn(self, view: SeatView) -> Action:
        return (
            self._play_knight(view)
            or self._build(view)
            or self._unless_overlooked(view, "card", self._development_card(view))
            or self._unless_overlooked(view, "supply", self._supply_trade(view))
            or self._unless_overlooked(view, "asking", self._offer(view))
            or self._unless_overlooked(view, "buying", self._buy(view))
            or Action.of("end")
        )

    def _build(self, view: SeatView) -> Action | None:
        """A city, a settlement, or a road towards one."""
        for kind in ("city", "settlement"):
            if places := _actions_of_kind(view, kind):
                return self._building_site(view, places)
        saving = any(plan.kind == "settlement" for plan in plans_of(view))
        cards_to_spare = hand_less(hand_of(view), cost_of(view, structs.COST_SETTLEMENT)) if saving else hand_of(view)
        return (
            self._build_road(view, aimless=False)
            if count_lacking(cards_to_spare, cost_of(view, structs.COST_ROAD)) == 0
            else None
        )

    def _buy(self, view: SeatView) -> Action | None:
        """A development card, or a road without an aim, if that does not delay a plan that is nearly there."""
        hand = hand_of(view)
        large_hand = sum(hand) > view.raw.hand_limit
        for kind, cost in (("buy", cost_of(view, structs.COST_CARD)), ("road", cost_of(view, structs.COST_ROAD))):
            if not _actions_of_kind(view, kind):
                continue
            hand_left = hand_less(hand, cost)
            near_plans = [plan for plan in plans_of(view) if plan.kind in ("city", "settlement")]
            delayed = any(
                count_lacking(hand, p.cost) <= 1 and count_lacking(hand_left, p.cost) > count_lacking(hand, p.cost)
                for p in near_plans
            )
            if large_hand or not delayed:
                return Action.of("buy") if kind == "buy" else self._build_road(view)
        return None

    def _play_knight(self, view: SeatView) -> Action | None:
        """A knight, if the robber stands at an own building or the largest army is in reach."""
        if not _actions_of_kind(view, "knight"):
            return None
        own_buildings = view.raw.buildings & sum(1 << CORNER_ID[name] for name in (*view.settlements(), *view.cities()))
        robbed = any(own_buildings >> corner & 1 for corner in HEX_CORNERS[HEX_ID[view.robber]])
        knights = view.played()["knight"] + view.development["knight"]
        army_in_reach = view.largest_army != view.seat and knights >= army_record(view.raw)
        return Action.of("knight") if robbed or army_in_reach else None

    def _development_card(self, view: SeatView) -> Action | None:
        """Another development card, when it brings something at once."""
        if _actions_of_kind(view, "road-building") and any(way for way in roads_to_sites(view).values()):
            return Action.of("road-building")
        hand = hand_of(view)
        if pairs := _actions_of_kind(view, "year-of-plenty"):
            costs = {plan.cost for plan in plans_of(view) if plan.kind in ("city", "settlement")}
            for action in pairs:
                hand_after = hand_plus(hand, card_counts(action.want))
                if any(count_lacking(hand_after, cost) == 0 for cost in costs):
                    return action
        if kinds := _actions_of_kind(view, "monopoly"):
            opponents = [color for color in view.colors if color != view.seat]
            odds = [view.odds(color) for color in opponents]
            action = max(
                kinds, key=lambda a: sum(n * p for hand_odds in odds for n, p in hand_odds[a.resource or ""].items())
            )
            if sum(n * p for hand_odds in odds for n, p in hand_odds[action.resource or ""].items()) >= 3:
                return action
        return None

    # --- places ----------------------------------------------------------------------------------------------

    def _building_site(self, view: SeatView, places: Sequence[Action]) -> Action:
        """Where to put a settlement or a city."""
        # a second look at the next one, also on the same turn
        n_buildings = len(view.settlements()) + len(view.cities())
        return self._pick(view, f"corner {n_buildings}", {a: self._corner_value(view, _corner_of(a)) for a in places})

    def _corner_value(self, view: SeatView, corner: int) -> float:
        """What a building at a corner is worth: dots, kinds of resources that are still lacking, harbors."""
        dots_by_kind, value, kinds = card_sums.dots_by_resource(view), 0.3 * self._taste[corner], set()
        for h in CORNER_HEXES[corner]:
            kind, number = view.raw.terrain[h], view.raw.number[h]
            if kind != structs.DESERT:
                value += DOT_VALUES[kind] * card_sums.dots_of(number)
                kinds.add(kind)
        value += sum(NEW_KIND for kind in kinds if dots_by_kind[kind] == 0)
        for harbor in range(len(structs.HARBOR_KINDS)):
            if view.raw.harbors[harbor] >> corner & 1:
                value += ANY_HARBOR if harbor == structs.GENERIC_HARBOR else OWN_HARBOR * dots_by_kind[harbor]
        return value

    def _start_road(self, view: SeatView) -> Action:
        """The first road: towards the best corner for a later settlement."""
        ways = roads_to_sites(view, {view.raw.last_corner})
        return self._road_towards(view, ways) or view.legal_actions[0]

    def _build_road(self, view: SeatView, aimless: bool = True) -> Action | None:
        """A road towards the best free corner; without one, any that makes the own road longer."""
        roads = _actions_of_kind(view, "road")
        if not roads:
            return None
        ways = {corner: way for corner, way in roads_to_sites(view).items() if way}
        if (action := self._road_towards(view, ways)) or not aimless:
            return action
        return _most_liked(roads, lambda a: self._taste[SIDE_ID[a.place or ""]])

    def _road_towards(self, view: SeatView, ways: dict[int, list[int]]) -> Action | None:
        """The first road of the most promising way that can be built now."""
        roads = {SIDE_ID[action.place or ""]: action for action in _actions_of_kind(view, "road")}
        open_ways = {corner: way for corner, way in ways.items() if way and way[0] in roads}
        if not open_ways:
            return None
        road_values: dict[Action, float] = {}
        for corner, way in open_ways.items():
            road, value = roads[way[0]], self._corner_value(view, corner) / (1 + len(way))
            road_values[road] = max(value, road_values.get(road, value))
        return self._pick(view, f"road {len(view.roads())}", road_values)

    def _robber_move(self, view: SeatView) -> Action:
        """Where to put the robber; no time for an oversight if somebody is about to win."""
        harm = {action: self._harm_at(view, HEX_ID[action.place or ""]) for action in view.legal_actions}
        if any(is_close_to_winning(view, color) for color in view.colors):
            return max(harm, key=lambda action: harm[action])
        return self._pick(view, "robber", harm)

    def _harm_at(self, view: SeatView, hexagon: int) -> float:
        """How much the robber hurts others there, the leaders most; never at an own building if it can be helped."""
        number, harm = view.raw.number[hexagon], 0.0
        for seat, color in enumerate(view.colors):
            size = hex_yield(view.raw, seat, hexagon)
            if color == view.seat:
                harm -= 100 * size
            elif size:
                harm += size * card_sums.dots_of(number) * (1 + view.points(color) / 4) + (view.hand_size(color) > 0)
        return harm + 0.1 * self._taste[hexagon]

    # --- the own hand ----------------------------------------------------------------------------------------

    def _discard(self, view: SeatView) -> Action:
        """Card by card what is needed least."""
        hand, plans, discarded = list(hand_of(view)), plans_of(view), [0] * N_KINDS
        for _ in range(view.owed()):
            kinds = [kind for kind in range(N_KINDS) if hand[kind]]

            def value_without(kind: int, current_hand: tuple[int, ...] = tuple(hand)) -> tuple[float, int]:
                return hand_value(view, hand_less(current_hand, hand_of_kind(kind)), plans), current_hand[kind]

            kind = max(kinds, key=value_without)
            hand[kind] -= 1
            discarded[kind] += 1
        return Action("discard", give=as_cards(discarded))

    # --- trade -----------------------------------------------------------------------------------------------

    def _supply_trade(self, view: SeatView) -> Action | None:
        """A trade with the supply that lets it build, or saves a large hand from the next seven."""
        hand, rates, legal = hand_of(view), tuple(view.rates().values()), _actions_of_kind(view, "supply")
        if not legal:
            return None
        large_hand = sum(hand) > view.raw.hand_limit
        for plan in plans_of(view):
            cards_lacking, swaps = count_lacking(hand, plan.cost), card_sums.count_swaps(hand, plan.cost, rates)
            if not cards_lacking or not swaps or (plan.kind in ("card", "road and settlement") and not large_hand):
                continue
            if swaps < cards_lacking and not large_hand:
                continue
            for action in sorted(legal, key=lambda a: card_counts(a.give)[RESOURCES.index(resource_in(a.give))]):
                hand_after = hand_less(hand_plus(hand, card_counts(action.want)), card_counts(action.give))
                if min(hand_after) >= 0 and count_lacking(hand_after, plan.cost) < cards_lacking:
                    return action
        return None

    def _offer(self, view: SeatView) -> Action | None:
        """One card, if need be two, for the last one that a plan lacks. Seldom: see :meth:`_affordable_price`."""
        if view.offers or self._has_offered_enough():
            return None
        hand = hand_of(view)
        for plan in plans_of(view):
            if count_lacking(hand, plan.cost) != 1:
                continue
            want_kind = next(kind for kind in range(N_KINDS) if hand[kind] < plan.cost[kind])
            cards_to_spare = card_sums.cards_beyond(hand, plan.cost)
            n_give = self._affordable_price(view, RESOURCES[want_kind])
            want = as_cards(hand_of_kind(want_kind))
            for kind in sorted(range(N_KINDS), key=lambda kind: -cards_to_spare[kind]):
                give = as_cards(hand_of_kind(kind, n_give))
                if (
                    not n_give
                    or kind == want_kind
                    or cards_to_spare[kind] < 2 * n_give - 1
                    or self._has_failed(give, want)
                ):
                    continue
                to = tuple(self._find_partners(view, give, want))
                action = Action("offer", give=give, want=want, to=to)
                if to and view.why_not(action) is None:
                    return action
        return None

    def _has_offered_enough(self) -> bool:
        """Whether as many offers were made on this turn as a player makes; one that counters another's is one."""
        return len(self._memory.turn_offers) + len(self._memory.countered) >= OWN_OFFERS

    def _has_failed(self, give: Cards, want: Cards) -> bool:
        """Whether this was offered before and came to nothing."""
        return pack_terms(give.lanes, want.lanes) in self._memory.failed_offers

    def _affordable_price(self, view: SeatView, resource: str) -> int:
        """How many cards it may offer for one: 1; if all refuse, 2; then none for two rounds. One kind a turn."""
        patience, kind = 2 * len(view.colors), RESOURCES.index(resource)
        recent_terms = {
            _offer_terms(offer_terms)
            for offer_terms, offer_turn in self._memory.failed_offers.items()
            if view.turn - offer_turn < patience
        }
        turn_terms = set(map(_offer_terms, self._memory.turn_offers))
        if turn_terms - {(1, kind)}:
            return 0
        return 0 if (2, kind) in recent_terms else 2 if turn_terms else 0 if (1, kind) in recent_terms else 1

    def _find_partners(self, view: SeatView, give: Cards, want: Cards) -> Iterator[str]:
        """Those who probably hold a card, are not about to win, and whom the exchange does not bring there."""
        for color in view.colors:
            if color == view.seat or is_close_to_winning(view, color) or view.probability_of(color, want) < LIKELY_HELD:
                continue
            if harm_by(view, color, give, want) < NO_TRADE:
                yield color

    def _confirm(self, view: SeatView) -> Action | None:
        """The exchange with one who said yes, the one with the fewest points."""
        for offer in view.offers:
            if offer.by == view.seat and offer.yes and gain_of(view, offer.want, offer.give) > 0:
                partner = min(offer.yes, key=view.points)
                return Action("confirm", offer=offer.number, player=partner)
        return None

    def _answer(self, view: SeatView) -> Action | None:
        """Yes to the best of the offers that wait for an answer, or no or another offer to the first of them.

        Yes if the cards are worth more to it than what they do for the other side (:func:`.easy_plans.harm_by`).
        """
        me = view.seat or ""
        unanswered = [offer for offer in view.offers if me in offer.to and me not in (*offer.yes, *offer.no)]
        if not unanswered:
            return None
        values = {offer.number: self._value_of_yes(view, offer) for offer in unanswered}
        offer = max(unanswered, key=lambda offer: values[offer.number])
        if values[offer.number] >= 0.5:
            overlooked = self._overlooks(view, f"offer {offer.by} {offer.give} {offer.want}")
            return Action("reject" if overlooked else "accept", offer=offer.number)
        offer = unanswered[0]
        counter = self._counter(view, offer) if values[offer.number] > -NO_TRADE else None
        return counter or Action("reject", offer=offer.number)

    def _value_of_yes(self, view: SeatView, offer: Offer) -> float:
        """What a yes to an offer gains beyond what it does for the other side; -NO_TRADE: out of the question."""
        certain = view.probability_of(offer.by, offer.give) > 0.999  # the cards may have gone elsewhere since
        if is_close_to_winning(view, offer.by) or not certain:
            return -NO_TRADE
        harm = harm_by(view, offer.by, offer.want, offer.give)
        return -NO_TRADE if harm >= NO_TRADE else gain_of(view, offer.give, offer.want) - harm

    def _counter(self, view: SeatView, offer: Offer) -> Action | None:
        """Another offer for the same cards: something it needs, or one card more. Once a turn to a player."""
        if offer.by in self._memory.countered or self._has_offered_enough() or not offer.want <= view.hand:
            return None
        wants = [Cards({kind: 1}) for kind in RESOURCES] + [offer.give + Cards({resource_in(offer.give): 1})]
        fair_wants = [
            want
            for want in wants
            if not any(want[kind] and offer.want[kind] for kind in RESOURCES)
            and view.probability_of(offer.by, want) >= LIKELY_HELD
            and want != offer.give
            and not self._has_failed(offer.want, want)
        ]
        best_want = max(fair_wants, key=lambda want: gain_of(view, want, offer.want), default=None)
        if best_want is None:
            return None
        harm = harm_by(view, offer.by, offer.want, best_want)
        if gain_of(view, best_want, offer.want) < 1 + harm:
            return None
        action = Action("counter", offer=offer.number, give=offer.want, want=best_want)
        return action if view.why_not(action) is None else None


# --- small words -----------------------------------------------------------------------------------------------------


def _most_liked(actions: Iterable[Action], liking: Callable[[Action], Any]) -> Action:
    return max(actions, key=liking)


def _actions_of_kind(view: SeatView, kind: str) -> list[Action]:
    return [action for action in view.legal_actions if action.kind == kind]


def _corner_of(action: Action) -> int:
    return CORNER_ID[action.place or ""]


def _offer_terms(code: int) -> tuple[int, int]:
    """Of an offer: how many cards it gives, and the first kind that it wants."""
    return sum(unpack(act.give_of(code))), next(kind for kind, n in enumerate(unpack(act.want_of(code))) if n)


def _points_to_go(view: SeatView) -> int:
    return view.raw.points_to_win - view.points()


def _winning_action(view: SeatView) -> Action | None:
    """An action that wins at once, if there is one."""
    if view.active != view.seat or _points_to_go(view) > AWAKE_POINTS:
        return None
    for action in view.legal_actions:
        if action.kind in SCORING:
            state, seat = view.raw_state(), view.raw.observer
            apply_action(state, Scratch(), seat, choice_code(action, view.colors, seat))
            if state.phase == OVER:
                return action
    return None
