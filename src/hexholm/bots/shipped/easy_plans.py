"""What `easy` would build next, what a hand is worth for that, and what an exchange does for another player."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from hexholm.game.cards import Cards
from hexholm.game.game import SeatView
from hexholm.rules.colors import Color
from hexholm.rules.encoding import structs

from .. import card_sums
from ..card_sums import Hand, as_cards, card_counts, cost_of, hand_less, hand_of, hand_plus, roads_to_sites

LIKELY_HELD: Final = 0.5
"""It asks only those for a card who are that likely to hold it."""
NEARLY_WON: Final = 2
"""Who lacks so many points, or fewer, is about to win: nobody should trade with them, or bring them there."""
FAR_FROM_WIN: Final = 5
CARE_PER_POINT: Final = 3.0
"""What it minds each point that a trade brings to one who leads and lacks so many points, or fewer, at once."""
NO_TRADE: Final = 1000.0
"""More than any trade is worth."""


@dataclass(frozen=True)
class BuildingPlan:
    """Something to build, what it costs and how much it is wanted."""

    kind: str
    cost: Hand
    value: float


def plans_of(view: SeatView) -> list[BuildingPlan]:
    """What it would build next, the best first."""
    raw, pieces_left = view.raw, view.pieces_left()
    city, road, settlement = (
        cost_of(view, purchase) for purchase in (structs.COST_CITY, structs.COST_ROAD, structs.COST_SETTLEMENT)
    )
    plans = []
    if pieces_left["city"] and view.settlements():
        plans.append(BuildingPlan("city", city, 10))
    if pieces_left["settlement"]:
        nearest = min((len(way) for way in roads_to_sites(view).values()), default=None)
        if nearest == 0:
            plans.append(BuildingPlan("settlement", settlement, 10))
        elif nearest is not None and pieces_left["road"] != 0:
            plans.append(BuildingPlan("road", road, 5))
            plans.append(BuildingPlan("road and settlement", hand_plus(settlement, road), 8))
    if raw.deck_size:
        plans.append(BuildingPlan("card", cost_of(view, structs.COST_CARD), 4))
    elif pieces_left["road"] != 0:
        plans.append(BuildingPlan("road", road, 2))
    return plans


def hand_value(view: SeatView, hand: Hand, plans: Sequence[BuildingPlan]) -> float:
    """How good a hand is: the nearer its plans, the better."""
    rates = tuple(view.rates().values())
    values: list[float] = sorted(
        (plan.value * 0.55 ** card_sums.distance_to(hand, plan.cost, rates) for plan in plans), reverse=True
    )
    return sum(value * 0.5**i for i, value in enumerate(values)) + 0.2 * min(sum(hand), view.raw.hand_limit)


def gain_of(view: SeatView, want: Cards, give: Cards) -> float:
    """What an exchange would be worth; nothing if the cards are not there."""
    hand, plans = hand_of(view), plans_of(view)
    if not give <= view.hand:
        return -1.0
    hand_after = hand_less(hand_plus(hand, card_counts(want)), card_counts(give))
    return hand_value(view, hand_after, plans) - hand_value(view, hand, plans)


def harm_by(view: SeatView, color: Color, want: Cards, give: Cards) -> float:
    """What it minds to let another player have cards, by what that one can build with them at once.

    Somebody who has far to go, or is behind, may have them; one that would then be about to win never.
    """
    points_to_go = view.raw.points_to_win - view.public_points(color)
    if points_to_go > FAR_FROM_WIN:
        return 0.0
    gains = list(_point_gains(view, color, want, give))
    if any(probability >= LIKELY_HELD and points_to_go - points <= NEARLY_WON for points, probability in gains):
        return NO_TRADE
    if view.public_points(color) <= view.points():
        return 0.0
    best_gain = max((points * probability for points, probability in gains), default=0.0)
    return CARE_PER_POINT * best_gain + 0.5 * max(0, want.total - give.total)


def _point_gains(view: SeatView, color: Color, want: Cards, give: Cards) -> Iterator[tuple[int, float]]:
    """The points another can build at once after an exchange: how many, and how much likelier than before."""
    raw, seat, pieces_left = view.raw, view.colors.index(color), view.pieces_left(color)
    award = view.longest_road != color and view.road_length(color) == raw.road_record
    for purchase, points, possible in (
        (structs.COST_CITY, raw.points_city - raw.points_settlement, pieces_left["city"] and view.settlements(color)),
        (structs.COST_SETTLEMENT, raw.points_settlement, pieces_left["settlement"] and raw.reach[seat] & raw.sites),
        (structs.COST_ROAD, raw.points_road, pieces_left["road"] != 0 and award),
    ):
        if possible:
            cost = cost_of(view, purchase)
            needed = give + as_cards(card_sums.cards_beyond(cost, card_counts(want)))
            yield points, max(0.0, view.probability_of(color, needed) - view.probability_of(color, as_cards(cost)))


def is_close_to_winning(view: SeatView, color: Color) -> bool:
    """Whether one should not trade with a player any more: two points are lacking, or fewer."""
    return view.public_points(color) >= view.raw.points_to_win - NEARLY_WON
