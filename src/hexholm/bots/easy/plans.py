"""What `easy` would build next, what a hand is worth for that, and what an exchange does for another player."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from hexholm.game.cards import Cards
from hexholm.game.game import SeatView
from hexholm.rules.core.encoding import structs

from .. import card_sums
from ..card_sums import Hand, as_cards, cost_of, counts, hand_less, hand_of, hand_plus, roads_to_sites

LIKELY: Final = 0.5
"""It asks only those for a card who are that likely to hold it."""
ALMOST: Final = 2
"""Who lacks so many points, or fewer, is about to win: nobody should trade with them, or bring them there."""
HALFWAY: Final = 5
CARE: Final = 3.0
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
    r, left = view.raw, view.pieces_left()
    city, road, settlement = (
        cost_of(view, which) for which in (structs.COST_CITY, structs.COST_ROAD, structs.COST_SETTLEMENT)
    )
    plans = []
    if left["city"] and view.settlements():
        plans.append(BuildingPlan("city", city, 10))
    if left["settlement"]:
        nearest = min((len(way) for way in roads_to_sites(view).values()), default=None)
        if nearest == 0:
            plans.append(BuildingPlan("settlement", settlement, 10))
        elif nearest is not None and left["road"] != 0:
            plans.append(BuildingPlan("road", road, 5))
            plans.append(BuildingPlan("road and settlement", hand_plus(settlement, road), 8))
    if r.deck_size:
        plans.append(BuildingPlan("card", cost_of(view, structs.COST_CARD), 4))
    elif left["road"] != 0:
        plans.append(BuildingPlan("road", road, 2))
    return plans


def worth_of(view: SeatView, hand: Hand, plans: Sequence[BuildingPlan]) -> float:
    """How good a hand is: the nearer its plans, the better."""
    rates = tuple(view.rates().values())
    near: list[float] = sorted(
        (plan.value * 0.55 ** card_sums.distance(hand, plan.cost, rates) for plan in plans), reverse=True
    )
    return sum(value * 0.5**i for i, value in enumerate(near)) + 0.2 * min(sum(hand), view.raw.hand_limit)


def gain_of(view: SeatView, get: Cards, give: Cards) -> float:
    """What an exchange would be worth; nothing if the cards are not there."""
    hand, plans = hand_of(view), plans_of(view)
    if not give <= view.hand:
        return -1.0
    after = hand_less(hand_plus(hand, counts(get)), counts(give))
    return worth_of(view, after, plans) - worth_of(view, hand, plans)


def harm_by(view: SeatView, other: str, gets: Cards, gives: Cards) -> float:
    """What it minds to let another player have cards, by what that one can build with them at once.

    Somebody who has far to go, or is behind, may have them; one that would then be about to win never.
    """
    far = view.raw.points_to_win - view.public_points(other)
    if far > HALFWAY:
        return 0.0
    brings = list(_brings(view, other, gets, gives))
    if any(chance >= LIKELY and far - points <= ALMOST for points, chance in brings):
        return NO_TRADE
    if view.public_points(other) <= view.points():
        return 0.0
    more = max((points * chance for points, chance in brings), default=0.0)
    return CARE * more + 0.5 * max(0, gets.total - gives.total)


def _brings(view: SeatView, other: str, gets: Cards, gives: Cards) -> Iterator[tuple[int, float]]:
    """The points another can build at once after an exchange: how many, and how much likelier than before."""
    r, seat, left = view.raw, view.colors.index(other), view.pieces_left(other)
    award = view.longest_road != other and view.road_length(other) == r.road_record
    for which, points, possible in (
        (structs.COST_CITY, r.points_city - r.points_settlement, left["city"] and view.settlements(other)),
        (structs.COST_SETTLEMENT, r.points_settlement, left["settlement"] and r.reach[seat] & r.sites),
        (structs.COST_ROAD, r.points_road, left["road"] != 0 and award),
    ):
        if possible:
            cost = cost_of(view, which)
            needed = gives + as_cards(card_sums.beyond(cost, counts(gets)))
            yield points, max(0.0, view.chance_of(other, needed) - view.chance_of(other, as_cards(cost)))


def nearly_wins(view: SeatView, color: str) -> bool:
    """Whether one should not trade with a player any more: two points are lacking, or fewer."""
    return view.public_points(color) >= view.raw.points_to_win - ALMOST
