"""What a seat may do and why not, as far as it may know.

:class:`SeatReferee` judges one action at a table that looks to the seat as the real one does. :func:`kind_verdicts`
judges whole kinds (any road, any trade with the supply), which is what a button that is greyed out says: of all reasons
one tells most, that it is not the time for it, then that no piece is left, then that it cannot be paid for, and only
then that there is no place.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from operator import attrgetter
from typing import Final, NamedTuple

from hexholm.rules.boards import Layout
from hexholm.rules.colors import SeatNumber
from hexholm.rules.encoding import action_codes as act
from hexholm.rules.encoding import refusals
from hexholm.rules.encoding.lanes import N_KINDS, ONES, count, covers, single_card
from hexholm.rules.encoding.phases import MAIN
from hexholm.rules.encoding.structs import COST_CITY, COST_ROAD, COST_SETTLEMENT, Sight
from hexholm.rules.places import N_CORNERS, N_SIDES
from hexholm.rules.queries import cities_left, roads_left, settlements_left
from hexholm.rules.referee import PositionJudge
from hexholm.rules.setup.options import Options

from ..facts import Facts, rates_of, seen_offers, seen_state


class SeatReferee(PositionJudge):
    """A referee at a table that looks to one seat as the real one does, for questions alone.

    What is legal for a seat follows from its own cards and from sums that are public. So all resource cards that are
    neither in the supply nor in the own hand lie with one other player, and the deck is all of one kind. Nobody plays
    on it, and so it costs little to make.
    """

    def __init__(self, options: Options, layout: Layout, sight: Sight, facts: Facts, compiled: bool) -> None:
        hidden = options.edition_data.bank_per_resource * ONES - facts.supply - facts.hand[facts.observer]
        state = seen_state(sight, hand=((facts.observer + 1) % facts.players, hidden), deck=facts.deck_size)
        super().__init__(options, layout, state, seen_offers(sight), compiled)
        self._judge = self._core.do_judge_for_seat

    def verdict(self, seat: SeatNumber, code: int) -> int:
        """As :meth:`why_not_for_seat`, as the core says it: 0 for legal, else a refusal with its parameter."""
        return self._judge(self.state.buffer, self.open_offers.buffer, seat, code)


# --- whole kinds ---


class PieceRules(NamedTuple):
    """A kind of piece: how many places there are, what it costs, how many a seat has, and the reasons against it."""

    places: int
    cost: int
    pieces_left: Callable[[Facts, SeatNumber], int]
    limit_of: Callable[[Facts], int]
    none_left: int
    nowhere: tuple[int, ...]
    """Why not at some place: the most telling first."""


PIECE_RULES: Final = {
    act.ROAD: PieceRules(
        N_SIDES,
        COST_ROAD,
        roads_left,
        attrgetter("road_limit"),
        refusals.NO_ROADS_LEFT,
        (refusals.PATH_BLOCKED, refusals.PATH_UNCONNECTED, refusals.PATH_TAKEN),
    ),
    act.SETTLEMENT: PieceRules(
        N_CORNERS,
        COST_SETTLEMENT,
        settlements_left,
        attrgetter("settlement_limit"),
        refusals.NO_SETTLEMENTS_LEFT,
        (refusals.NO_ROAD_THERE, refusals.TOO_CLOSE, refusals.CORNER_TAKEN),
    ),
    act.CITY: PieceRules(
        N_CORNERS,
        COST_CITY,
        cities_left,
        attrgetter("city_limit"),
        refusals.NO_CITIES_LEFT,
        (refusals.NOT_YOUR_SETTLEMENT,),
    ),
}
PLAIN_CODES: Final = {
    act.ROLL: act.simple_action(act.ROLL, 0),
    act.END: act.simple_action(act.END, 0),
    act.BUY: act.simple_action(act.BUY, 0),
    act.KNIGHT_CARD: act.simple_action(act.KNIGHT_CARD, 0),
    act.ROAD_BUILDING_CARD: act.simple_action(act.ROAD_BUILDING_CARD, 0),
    act.YEAR_OF_PLENTY_CARD: act.plenty_action(0, 0),
    act.MONOPOLY_CARD: act.simple_action(act.MONOPOLY_CARD, 0),
}
"""One action of each kind that needs no place: where none of the kind is legal, why it is not is why none is."""
A_TRADE: Final = act.supply_action(0, 4, single_card(1))
HINDERED_KINDS: Final = tuple(act.KIND_NAMES[kind] for kind in (*PLAIN_CODES, *PIECE_RULES, act.SUPPLY, act.OFFER))
"""The kinds that are asked about."""
_MOST_KEPT: Final = 4096


_waiting_verdicts: Final[dict[object, tuple[int, ...]]] = {}
"""What those who wait were told, by all that it follows from: the same again and again while others act."""


def kind_verdicts(
    options: Options, facts: Facts, legal: Sequence[int], make_referee: Callable[[], SeatReferee]
) -> tuple[int, ...]:
    """For each of HINDERED_KINDS 0 where something is possible, else why nothing is, as the core says it.

    `legal` are the codes of what the seat may do; `make_referee` gives whom to ask, where somebody must be asked.
    """
    seat = facts.observer
    if facts.active == seat:
        return _verdicts_on_turn(make_referee(), facts, set(map(act.kind_of, legal)))
    offer = _sample_offer(facts)
    key = options, facts.phase, facts.active, seat, facts.trading_closed, facts.hand[seat] == 0, offer, facts.offer_give
    waiting_verdicts = _waiting_verdicts.get(key)
    if waiting_verdicts is None:
        if len(_waiting_verdicts) >= _MOST_KEPT:
            _waiting_verdicts.clear()
        judge = make_referee().verdict
        # nothing but trade is possible, all for one and the same reason (PHASE-12)
        wait_verdict = judge(seat, PLAIN_CODES[act.ROLL])
        waiting_verdicts = _waiting_verdicts[key] = (
            *[wait_verdict] * (len(HINDERED_KINDS) - 2),
            judge(seat, A_TRADE),
            judge(seat, offer),
        )
    return waiting_verdicts


def _verdicts_on_turn(referee: SeatReferee, facts: Facts, possible: set[int]) -> tuple[int, ...]:
    seat = facts.observer
    plain = (0 if kind in possible else referee.verdict(seat, code) for kind, code in PLAIN_CODES.items())
    places = (0 if kind in possible else _build_verdict(referee, facts, kind) for kind in PIECE_RULES)
    trade = 0 if act.SUPPLY in possible else referee.verdict(seat, _nearest_trade(facts))
    return (*plain, *places, trade, referee.verdict(seat, _sample_offer(facts)))


def _build_verdict(referee: SeatReferee, facts: Facts, kind: int) -> int:
    """Why a piece can be built nowhere."""
    seat, rules = facts.observer, PIECE_RULES[kind]
    verdict = referee.verdict(seat, act.simple_action(kind, 0))
    if refusals.refusal_of(verdict) not in (*rules.nowhere, rules.none_left, refusals.CANNOT_PAY):
        return verdict  # not now
    if rules.pieces_left(facts, seat) <= 0:
        return refusals.refuse_with(rules.none_left, rules.limit_of(facts))
    if facts.phase == MAIN and not covers(facts.hand[seat], referee.state.costs[rules.cost]):
        return refusals.refuse_with(refusals.CANNOT_PAY, rules.cost)
    telling = rules.nowhere[-1]
    for place in range(rules.places):
        refusal = refusals.refusal_of(referee.verdict(seat, act.simple_action(kind, place)))
        if refusal == rules.nowhere[0]:
            return refusal
        if refusal in rules.nowhere and rules.nowhere.index(refusal) < rules.nowhere.index(telling):
            telling = refusal
    return telling


def _nearest_trade(facts: Facts) -> int:
    """The trade with the supply that the seat is nearest to."""
    hand, rates = facts.hand[facts.observer], rates_of(facts, facts.observer)
    give = min(range(N_KINDS), key=lambda kind: rates[kind] - count(hand, kind))
    return act.supply_action(give, rates[give], single_card((give + 1) % 5))


@lru_cache(maxsize=256)
def _one_for_one_offer(kind: int, to: int) -> int:
    return act.offer_action(single_card(kind), single_card((kind + 1) % 5), to)


def _sample_offer(facts: Facts) -> int:
    """An offer of one card the seat holds, to all it may trade with."""
    hand = facts.hand[facts.observer]
    kind = (hand & -hand).bit_length() // 8  # the lowest lane that is not empty; 0 if all are
    return _one_for_one_offer(kind, facts.partners)
