"""What a seat may do and why not, as far as it may know.

:class:`SeatReferee` judges one action at a table that looks to the seat as the real one does. :func:`verdicts` judges
whole kinds (any road, any trade with the supply), which is what a button that is greyed out says: of all reasons one
tells most, that it is not the time for it, then that no piece is left, then that it cannot be paid for, and only then
that there is no place.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from hexholm.rules.boards import Layout
from hexholm.rules.core import refusals as no
from hexholm.rules.core.encoding import actions as act
from hexholm.rules.core.encoding.lanes import ONES, count, covers, lane
from hexholm.rules.core.encoding.structs import COST_CITY, COST_ROAD, COST_SETTLEMENT, Sight
from hexholm.rules.core.phases import MAIN
from hexholm.rules.options import Options
from hexholm.rules.places import N_CORNERS, N_SIDES
from hexholm.rules.referee import Reason, Referee

from ..facts import Facts, rates_of, seen_state, seen_talk


class SeatReferee(Referee):
    """A referee at a table that looks to one seat as the real one does, for questions alone.

    What is legal for a seat follows from its own cards and from sums that are public. So all resource cards that are
    neither in the supply nor in the own hand lie with one other player, and the deck is all of one kind. It has no
    belief and nobody plays on it, and so it costs little to make. Reasons are worked out once for the rules in force.
    """

    def __init__(self, chosen: Options, layout: Layout, seen: Sight, facts: Facts, compiled: bool) -> None:
        self.options, self.layout, self.compiled = chosen, layout, compiled
        hidden = chosen.edition_data.bank_per_resource * ONES - facts.bank - facts.hand[facts.observer]
        self.state = seen_state(seen, hand=((facts.observer + 1) % facts.players, hidden), deck=facts.deck_size)
        self.talk = seen_talk(seen)
        self._judge = self._core.do_judge_for_seat

    def verdict(self, seat: int, code: int) -> int:
        """As :meth:`why_not_for_seat`, as the core says it: 0 for legal, else a refusal with its parameter."""
        found: int = self._judge(self.state.buffer, self.talk.buffer, seat, code)
        return found

    def reason(self, verdict: int) -> Reason:
        """A verdict in words."""
        return self._reason(verdict)

    def _reason(self, verdict: int) -> Reason:
        facts = _reasons(self.options)
        if verdict not in facts:
            facts[verdict] = super()._reason(verdict)
        return facts[verdict]


@lru_cache(maxsize=256)
def _reasons(_chosen: Options) -> dict[int, Reason]:
    """What was worked out already, by verdict; there are a few hundred at most."""
    return {}


# --- whole kinds ---


class PieceRules(NamedTuple):
    """A kind of piece: how many places there are, what it costs, and the reasons against it."""

    places: int
    cost: int
    none_left: int
    nowhere: tuple[int, ...]
    """Why not at some place: the most telling first."""


PLACES: Final = {
    act.ROAD: PieceRules(N_SIDES, COST_ROAD, no.NO_ROADS_LEFT, (no.PATH_BLOCKED, no.PATH_UNCONNECTED, no.PATH_TAKEN)),
    act.SETTLEMENT: PieceRules(
        N_CORNERS, COST_SETTLEMENT, no.NO_SETTLEMENTS_LEFT, (no.NO_ROAD_THERE, no.TOO_CLOSE, no.CORNER_TAKEN)
    ),
    act.CITY: PieceRules(N_CORNERS, COST_CITY, no.NO_CITIES_LEFT, (no.NOT_YOUR_SETTLEMENT,)),
}
PLAIN_CODES: Final = {
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
HINDERED_KINDS: Final = tuple(act.KIND_NAMES[kind] for kind in (*PLAIN_CODES, *PLACES, act.SUPPLY, act.OFFER))
"""The kinds that are asked about."""
_MOST_KEPT: Final = 4096


_waits: Final[dict[object, tuple[int, ...]]] = {}
"""What those who wait were told, by all that it follows from: the same again and again while others act."""


def verdicts(options: Options, facts: Facts, legal: Sequence[int], table: Callable[[], SeatReferee]) -> tuple[int, ...]:
    """For each of HINDERED_KINDS 0 where something is possible, else why nothing is, as the core says it.

    `legal` are the codes of what the seat may do; `table` gives the table to ask, where it must be asked.
    """
    seat = facts.observer
    if facts.active == seat:
        return _on_turn(table(), facts, set(map(act.kind_of, legal)))
    offer = _sample_offer(facts)
    key = options, facts.phase, facts.active, seat, facts.trading_closed, facts.hand[seat] == 0, offer, facts.offer_give
    found = _waits.get(key)
    if found is None:
        if len(_waits) >= _MOST_KEPT:
            _waits.clear()
        judge = table().verdict
        # nothing but trade is possible, all for one and the same reason (PHASE-12)
        waits = judge(seat, PLAIN_CODES[act.ROLL])
        found = _waits[key] = (*[waits] * (len(HINDERED_KINDS) - 2), judge(seat, A_TRADE), judge(seat, offer))
    return found


def _on_turn(table: SeatReferee, facts: Facts, possible: set[int]) -> tuple[int, ...]:
    seat = facts.observer
    plain = (0 if kind in possible else table.verdict(seat, code) for kind, code in PLAIN_CODES.items())
    places = (0 if kind in possible else _nowhere(table, facts, kind) for kind in PLACES)
    trade = 0 if act.SUPPLY in possible else table.verdict(seat, _trade(facts))
    return (*plain, *places, trade, table.verdict(seat, _sample_offer(facts)))


def _nowhere(table: SeatReferee, facts: Facts, kind: int) -> int:
    """Why a piece can be built nowhere."""
    seat, place = facts.observer, PLACES[kind]
    verdict = table.verdict(seat, act.simple(kind, 0))
    if verdict & 255 not in (*place.nowhere, place.none_left, no.CANNOT_PAY):
        return verdict  # not now
    built, most = _pieces_built(facts, kind)
    if built >= most:
        return place.none_left | most << 8
    if facts.phase == MAIN and not covers(facts.hand[seat], table.state.costs[place.cost]):
        return no.CANNOT_PAY | place.cost << 8
    found = place.nowhere[-1]
    for at in range(place.places):
        one = table.verdict(seat, act.simple(kind, at)) & 255
        if one == place.nowhere[0]:
            return one
        if one in place.nowhere and place.nowhere.index(one) < place.nowhere.index(found):
            found = one
    return found


def _pieces_built(facts: Facts, kind: int) -> tuple[int, int]:
    """How many pieces of a kind the seat has on the board, and how many there are."""
    seat = facts.observer
    if kind == act.ROAD:
        return facts.roads_lo[seat].bit_count() + facts.roads_hi[seat].bit_count(), facts.road_limit
    if kind == act.SETTLEMENT:
        return facts.settlements[seat].bit_count(), facts.settlement_limit
    return facts.cities[seat].bit_count(), facts.city_limit


def _trade(facts: Facts) -> int:
    """The trade with the supply that the seat is nearest to."""
    hand, rates = facts.hand[facts.observer], rates_of(facts, facts.observer)
    given = min(range(5), key=lambda kind: rates[kind] - count(hand, kind))
    return act.supply(given, rates[given], lane((given + 1) % 5))


@lru_cache(maxsize=256)
def _one_for_one(kind: int, to: int) -> int:
    return act.offer(lane(kind), lane((kind + 1) % 5), to)


def _sample_offer(facts: Facts) -> int:
    """An offer of one card the seat holds, to all it may trade with."""
    hand = facts.hand[facts.observer]
    first = (hand & -hand).bit_length() // 8  # the lowest lane that is not empty; 0 if all are
    return _one_for_one(first, facts.partners)
