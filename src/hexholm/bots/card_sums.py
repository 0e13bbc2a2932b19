"""Small sums over cards, dots and ways, for `easy` and for reasons, over what a seat may know.

A hand is a tuple of five numbers, in the order of RESOURCES; corners and sides are numbers, as in
:mod:`hexholm.rules.places`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from hexholm.game.cards import Cards
from hexholm.game.game import SeatView
from hexholm.rules.boards import number_dots
from hexholm.rules.encoding.lanes import N_KINDS, unpack
from hexholm.rules.encoding.structs import DESERT, RESOURCES
from hexholm.rules.places import CORNER_HEXES, CORNER_ID, CORNER_NEIGHBORS, CORNER_SIDES, HALF, N_CORNERS

Hand = tuple[int, ...]
FAR: Final = 3
"""So many roads ahead it looks for places."""


def hand_of(view: SeatView) -> Hand:
    """The own cards."""
    return card_counts(view.hand)


def cost_of(view: SeatView, purchase: int) -> Hand:
    """What something costs: COST_ROAD and its kin."""
    return tuple(unpack(view.raw.costs[purchase]))


def card_counts(cards: Cards | None) -> Hand:
    """Cards as numbers; none if there are none."""
    return tuple(unpack(cards.lanes)) if cards is not None else (0,) * N_KINDS


def as_cards(hand: Sequence[int]) -> Cards:
    """Numbers as cards."""
    return Cards(dict(zip(RESOURCES, hand, strict=True)))


def resource_in(cards: Cards | None) -> str:
    """The resource of cards that are all of one kind."""
    return next(kind for kind, n in (cards or Cards()).items() if n)


def hand_of_kind(kind: int, n: int = 1) -> Hand:
    """So many cards of one kind."""
    return tuple(n if k == kind else 0 for k in range(N_KINDS))


def hand_plus(hand: Hand, more: Hand) -> Hand:
    return tuple(a + b for a, b in zip(hand, more, strict=True))


def hand_less(hand: Hand, cards: Hand) -> Hand:
    """What is left; below 0 where there were not enough."""
    return tuple(a - b for a, b in zip(hand, cards, strict=True))


def cards_beyond(hand: Hand, cost: Hand) -> Hand:
    """The cards that are not needed to pay."""
    return tuple(max(0, h - c) for h, c in zip(hand, cost, strict=True))


def count_lacking(hand: Hand, cost: Hand) -> int:
    """How many cards are lacking to pay."""
    return sum(cards_beyond(cost, hand))


def count_swaps(hand: Hand, cost: Hand, rates: Hand) -> int:
    """How many cards the supply would give for those that are not needed to pay."""
    return sum(n // rate for n, rate in zip(cards_beyond(hand, cost), rates, strict=True))


def distance_to(hand: Hand, cost: Hand, rates: Hand) -> float:
    """How many cards are lacking; one that the supply would give counts little."""
    short = count_lacking(hand, cost)
    return short - 0.7 * min(short, count_swaps(hand, cost, rates))


# --- places -----------------------------------------------------------------------------------------------------------


def dots_of(number: int) -> int:
    """The dots of a number; none for the desert."""
    return number_dots(number) if number else 0


def dots_by_resource(view: SeatView) -> list[int]:
    """The dots of each resource at the own buildings, times the cards that each brings."""
    dots_by_kind = [0] * N_KINDS
    for size, names in ((view.raw.yield_settlement, view.settlements()), (view.raw.yield_city, view.cities())):
        for h in (h for name in names for h in CORNER_HEXES[CORNER_ID[name]]):
            kind, number = view.raw.terrain[h], view.raw.number[h]
            if kind != DESERT:
                dots_by_kind[kind] += size * dots_of(number)
    return dots_by_kind


def roads_to_sites(view: SeatView, sources: set[int] | None = None) -> dict[int, list[int]]:
    """The corners that can become settlements, with the roads that lead there; none for those reached already."""
    raw, me = view.raw, view.raw.observer
    if sources is None:
        sources = {corner for corner in range(N_CORNERS) if raw.reach[me] >> corner & 1}
    roads = [raw.roads_lo[seat] | raw.roads_hi[seat] << HALF for seat in range(raw.players)]
    blocked = raw.buildings & ~(raw.settlements[me] | raw.cities[me])
    ways: dict[int, list[int]] = {corner: [] for corner in sorted(sources)}
    front = list(ways)
    for _ in range(FAR):
        corners, front = front, []
        for corner in corners:
            if blocked >> corner & 1:
                continue
            for side, neighbor in zip(CORNER_SIDES[corner], CORNER_NEIGHBORS[corner], strict=True):
                if neighbor not in ways and not any(sides >> side & 1 for sides in roads):
                    ways[neighbor] = [*ways[corner], side]
                    front.append(neighbor)
    return {corner: way for corner, way in ways.items() if raw.sites >> corner & 1}
