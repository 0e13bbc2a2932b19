"""Why a seat can do nothing of a kind now: what a button that is greyed out says.

`why_not` judges one action. Of a whole kind (any road, any trade with the supply) one reason tells most: that it is not
the time for it, then that no piece is left, then that it cannot be paid for, and only then that there is no place. The
seat's own view is asked, so nothing is told that the seat may not know.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from hexholm.rules.core import refusals as no
from hexholm.rules.core.encoding import actions as act
from hexholm.rules.core.encoding.lanes import count, covers, lane
from hexholm.rules.core.encoding.structs import COST_CITY, COST_ROAD, COST_SETTLEMENT
from hexholm.rules.core.phases import MAIN
from hexholm.rules.options import Options
from hexholm.rules.places import N_CORNERS, N_SIDES

from ..stand_in import StandIn
from .facts import Facts, rates_of


class Place(NamedTuple):
    """A kind of piece: how many places there are, what it costs, and the reasons against it."""

    places: int
    cost: int
    none_left: int
    nowhere: tuple[int, ...]
    """Why not at some place: the most telling first."""


PLACES: Final = {
    act.ROAD: Place(N_SIDES, COST_ROAD, no.NO_ROADS_LEFT, (no.PATH_BLOCKED, no.PATH_UNCONNECTED, no.PATH_TAKEN)),
    act.SETTLEMENT: Place(
        N_CORNERS, COST_SETTLEMENT, no.NO_SETTLEMENTS_LEFT, (no.NO_ROAD_THERE, no.TOO_CLOSE, no.CORNER_TAKEN)
    ),
    act.CITY: Place(N_CORNERS, COST_CITY, no.NO_CITIES_LEFT, (no.NOT_YOUR_SETTLEMENT,)),
}
PLAIN: Final = {
    act.ROLL: act.simple(act.ROLL, 0),
    act.END: act.simple(act.END, 0),
    act.BUY: act.simple(act.BUY, 0),
    act.KNIGHT_CARD: act.simple(act.KNIGHT_CARD, 0),
    act.ROAD_BUILDING_CARD: act.simple(act.ROAD_BUILDING_CARD, 0),
    act.YEAR_OF_PLENTY_CARD: act.plenty(0, 0),
    act.MONOPOLY_CARD: act.simple(act.MONOPOLY_CARD, 0),
}
"""One action of each kind that needs no place: where none of the kind is legal, why it is not is why none is."""
A_TRADE: Final = act.supply(0, 4, lane(1))
KINDS: Final = tuple(act.KIND_NAMES[kind] for kind in (*PLAIN, *PLACES, act.SUPPLY, act.OFFER))
"""The kinds that are asked about."""
KEPT: Final = 4096


_waits: Final[dict[object, tuple[int, ...]]] = {}
"""What those who wait were told, by all that it follows from: the same again and again while others act."""


def verdicts(options: Options, known: Facts, legal: Sequence[int], table: Callable[[], StandIn]) -> tuple[int, ...]:
    """For each of KINDS 0 where something is possible, else why nothing is, as the core says it.

    `legal` are the codes of what the seat may do; `table` gives the table to ask, where it must be asked.
    """
    seat = known.observer
    if known.turn == seat:
        return _on_turn(table(), known, {code & 31 for code in legal})
    offer = _offer(known)
    facts = options, known.phase, known.turn, seat, known.trading_closed, known.hand[seat] == 0, offer, known.offer_give
    found = _waits.get(facts)
    if found is None:
        if len(_waits) >= KEPT:
            _waits.clear()
        judge = table().verdict
        waits = judge(
            seat, PLAIN[act.ROLL]
        )  # nothing but trade is possible, all for one and the same reason (PHASE-12)
        found = _waits[facts] = (*[waits] * (len(KINDS) - 2), judge(seat, A_TRADE), judge(seat, offer))
    return found


def _on_turn(table: StandIn, known: Facts, possible: set[int]) -> tuple[int, ...]:
    seat = known.observer
    plain = (0 if kind in possible else table.verdict(seat, code) for kind, code in PLAIN.items())
    places = (0 if kind in possible else _nowhere(table, known, kind) for kind in PLACES)
    trade = 0 if act.SUPPLY in possible else table.verdict(seat, _trade(known))
    return (*plain, *places, trade, table.verdict(seat, _offer(known)))


def _nowhere(table: StandIn, known: Facts, kind: int) -> int:
    """Why a piece can be built nowhere."""
    seat, place = known.observer, PLACES[kind]
    verdict = table.verdict(seat, act.simple(kind, 0))
    if verdict & 255 not in (*place.nowhere, place.none_left, no.CANNOT_PAY):
        return verdict  # not now
    built, most = _built(known, kind)
    if built >= most:
        return place.none_left | most << 8
    if known.phase == MAIN and not covers(known.hand[seat], table.state.costs[place.cost]):
        return no.CANNOT_PAY | place.cost << 8
    found = place.nowhere[-1]
    for at in range(place.places):
        one = table.verdict(seat, act.simple(kind, at)) & 255
        if one == place.nowhere[0]:
            return one
        if one in place.nowhere and place.nowhere.index(one) < place.nowhere.index(found):
            found = one
    return found


def _built(known: Facts, kind: int) -> tuple[int, int]:
    """How many pieces of a kind the seat has on the board, and how many there are."""
    seat = known.observer
    if kind == act.ROAD:
        return known.roads_lo[seat].bit_count() + known.roads_hi[seat].bit_count(), known.road_limit
    if kind == act.SETTLEMENT:
        return known.settlements[seat].bit_count(), known.settlement_limit
    return known.cities[seat].bit_count(), known.city_limit


def _trade(known: Facts) -> int:
    """The trade with the supply that the seat is nearest to."""
    hand, rates = known.hand[known.observer], rates_of(known, known.observer)
    given = min(range(5), key=lambda kind: rates[kind] - count(hand, kind))
    return act.supply(given, rates[given], lane((given + 1) % 5))


@lru_cache(maxsize=256)
def _offered(kind: int, to: int) -> int:
    return act.offer(lane(kind), lane((kind + 1) % 5), to)


def partners(known: Facts) -> int:
    """Whom an offer of the seat may go to, a bit for each: on its turn all others, else whose turn it is (TRADE-02)."""
    seat = known.observer
    return (1 << known.players) - 1 & ~(1 << seat) if seat == known.turn else 1 << known.turn


def _offer(known: Facts) -> int:
    """An offer of one card the seat holds, to all it may trade with."""
    hand = known.hand[known.observer]
    first = (hand & -hand).bit_length() // 8  # the lowest lane that is not empty; 0 if all are
    return _offered(first, partners(known))
