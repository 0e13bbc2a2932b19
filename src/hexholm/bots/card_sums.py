"""Small sums over cards, dots and ways, for `easy` and for reasons, over what a seat may know.

A hand is a tuple of five numbers, in the order of RESOURCES; corners and sides are numbers, as in
:mod:`hexholm.rules.places`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from hexholm.game.cards import Cards
from hexholm.game.game import SeatView
from hexholm.rules.boards import dots
from hexholm.rules.core.encoding.lanes import unpack
from hexholm.rules.core.encoding.structs import DESERT, RESOURCES
from hexholm.rules.places import CORNER_HEXES, CORNER_ID, CORNER_NEIGHBOURS, CORNER_SIDES, HALF, N_CORNERS

Hand = tuple[int, ...]
FAR: Final = 3
"""So many roads ahead it looks for places."""


def hand_of(view: SeatView) -> Hand:
    """The own cards."""
    return counts(view.hand)


def cost_of(view: SeatView, which: int) -> Hand:
    """What something costs: COST_ROAD and its kin."""
    return tuple(unpack(view.raw.costs[which]))


def counts(cards: Cards | None) -> Hand:
    """Cards as numbers; none if there are none."""
    return tuple(unpack(cards.lanes)) if cards is not None else (0,) * 5


def as_cards(hand: Sequence[int]) -> Cards:
    """Numbers as cards."""
    return Cards(dict(zip(RESOURCES, hand, strict=True)))


def resource_in(cards: Cards | None) -> str:
    """The resource of cards that are all of one kind."""
    return next(kind for kind, n in (cards or Cards()).items() if n)


def hand_of_kind(kind: int, n: int = 1) -> Hand:
    """So many cards of one kind."""
    return tuple(n if k == kind else 0 for k in range(5))


def hand_plus(hand: Hand, more: Hand) -> Hand:
    return tuple(a + b for a, b in zip(hand, more, strict=True))


def hand_less(hand: Hand, cards: Hand) -> Hand:
    """What is left; below 0 where there were not enough."""
    return tuple(a - b for a, b in zip(hand, cards, strict=True))


def beyond(hand: Hand, cost: Hand) -> Hand:
    """The cards that are not needed to pay."""
    return tuple(max(0, h - c) for h, c in zip(hand, cost, strict=True))


def lacking(hand: Hand, cost: Hand) -> int:
    """How many cards are lacking to pay."""
    return sum(beyond(cost, hand))


def swaps(hand: Hand, cost: Hand, rates: Hand) -> int:
    """How many cards the supply would give for those that are not needed to pay."""
    return sum(n // rate for n, rate in zip(beyond(hand, cost), rates, strict=True))


def distance(hand: Hand, cost: Hand, rates: Hand) -> float:
    """How many cards are lacking; one that the supply would give counts little."""
    short = lacking(hand, cost)
    return short - 0.7 * min(short, swaps(hand, cost, rates))


# --- places -----------------------------------------------------------------------------------------------------------


def dots_of(number: int) -> int:
    """The dots of a number; none for the desert."""
    return dots(number) if number else 0


def production(view: SeatView) -> list[int]:
    """The dots of each resource at the own buildings, times the cards that each brings."""
    made = [0] * 5
    for size, names in ((view.raw.yield_settlement, view.settlements()), (view.raw.yield_city, view.cities())):
        for h in (h for name in names for h in CORNER_HEXES[CORNER_ID[name]]):
            kind, number = view.raw.terrain[h], view.raw.number[h]
            if kind != DESERT:
                made[kind] += size * dots_of(number)
    return made


def roads_to_sites(view: SeatView, sources: set[int] | None = None) -> dict[int, list[int]]:
    """The corners that can become settlements, with the roads that lead there; none for those reached already."""
    r, me = view.raw, view.raw.observer
    if sources is None:
        sources = {corner for corner in range(N_CORNERS) if r.reach[me] >> corner & 1}
    taken = [r.roads_lo[seat] | r.roads_hi[seat] << HALF for seat in range(r.players)]
    blocked = r.built & ~(r.settlements[me] | r.cities[me])
    found: dict[int, list[int]] = {corner: [] for corner in sorted(sources)}
    front = list(found)
    for _ in range(FAR):
        here, front = front, []
        for corner in here:
            if blocked >> corner & 1:
                continue
            for side, other in zip(CORNER_SIDES[corner], CORNER_NEIGHBOURS[corner], strict=True):
                if other not in found and not any(sides >> side & 1 for sides in taken):
                    found[other] = [*found[corner], side]
                    front.append(other)
    return {corner: way for corner, way in found.items() if r.sites >> corner & 1}
