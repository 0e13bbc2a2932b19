"""The facts of a view, or of a position, as plain numbers, all read at one go.

A struct is a buffer that shows each of its fields through a window of its own, which is quick for a field or two. A
projection looks at forty, for every pair of eyes and after every action of a table; all in one costs a tenth of that.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from operator import itemgetter
from typing import Final, NamedTuple, TypeVar

import numpy as np

from hexholm.rules.colors import SeatNumber
from hexholm.rules.compilation.kernels import Struct
from hexholm.rules.encoding.lanes import N_KINDS
from hexholm.rules.encoding.structs import OpenOffers, Sight, State
from hexholm.rules.queries import best_rate, is_trading_open, trade_partners

CODES: Final = {1: "b", 2: "h", 4: "i", 8: "q"}
PerSeat = tuple[int, ...]
"""A number for each seat, or for each offer."""


class Facts(NamedTuple):
    """Fields of :class:`hexholm.rules.encoding.structs.Sight`, and so of a View, by the same names."""

    hand: PerSeat
    supply: int
    development: PerSeat
    new_cards: int
    played: PerSeat
    discards: PerSeat
    settlements: PerSeat
    cities: PerSeat
    roads_lo: PerSeat
    roads_hi: PerSeat
    usable_harbors: PerSeat
    turn_number: int
    phase: int
    active: int
    players: int
    trading_closed: int
    free_roads: int
    die_a: int
    die_b: int
    robber: int
    victim: int
    placed: int
    winner: int
    longest_road: int
    largest_army: int
    points: PerSeat
    owed: PerSeat
    road_limit: int
    settlement_limit: int
    city_limit: int
    points_card: int
    rate_supply: int
    rate_generic: int
    rate_special: int
    offer_give: PerSeat
    offer_want: PerSeat
    offer_maker: PerSeat
    offer_to: PerSeat
    offer_yes: PerSeat
    offer_no: PerSeat
    observer: int
    to_act: int
    hand_size: PerSeat
    card_count: PerSeat
    deck_size: int
    own_points: int
    revealed: PerSeat
    road_length: PerSeat

    @property
    def trade_open(self) -> bool:
        """Whether players may trade with each other now; with separate phases, building ends trade (PHASE-05)."""
        return is_trading_open(self)

    @property
    def partners(self) -> int:
        """Whom an offer of the observer, which is a seat, may go to, as bits (TRADE-02)."""
        return trade_partners(self, self.observer)


class PositionFacts(NamedTuple):
    """Fields of :class:`hexholm.rules.encoding.structs.State`, and so of a View, that make a position's text."""

    hand: PerSeat
    supply: int
    development: PerSeat
    new_cards: int
    played: PerSeat
    deck: int
    discards: PerSeat
    settlements: PerSeat
    cities: PerSeat
    roads_lo: PerSeat
    roads_hi: PerSeat
    dice_bag: int
    turn_number: int
    phase: int
    active: int
    players: int
    first: int
    rolled: int
    card_played: int
    trading_closed: int
    free_roads: int
    free_placed: int
    die_a: int
    die_b: int
    robber: int
    victim: int
    placed: int
    second_corner: PerSeat
    fixed_start: int
    longest_road: int
    largest_army: int
    rollers: int
    tied: int
    best_roll: int
    balanced_dice: int


class OfferFacts(NamedTuple):
    """The fields of :class:`hexholm.rules.encoding.structs.OpenOffers`."""

    give: PerSeat
    want: PerSeat
    maker: PerSeat
    to: PerSeat
    yes: PerSeat
    no: PerSeat


Fields = TypeVar("Fields", Facts, PositionFacts, OfferFacts)


def _reader(struct_type: type[Struct], fields_type: type[Fields]) -> Callable[[Struct], Fields]:
    """What reads all of them from a struct: which bytes are which is settled once."""
    fields = struct_type.dtype.fields
    assert fields is not None
    parts, end, index, places = ["="], 0, 0, list[int | slice]()
    for name in fields_type._fields:
        number, start = fields[name][:2]
        size = number.base.itemsize
        length = number.itemsize // size
        assert start >= end, "the names stand in the order of the struct"
        parts.append(f"{start - end}x{length}{CODES[size]}")
        places.append(slice(index, index + length) if number.shape else index)
        end, index = start + number.itemsize, index + length
    unpack, arrange = struct.Struct("".join(parts)).unpack_from, itemgetter(*places)

    def read(source: Struct) -> Fields:
        values = unpack(source.buffer)  # type: ignore[arg-type]  # numpy arrays do offer the buffer protocol
        return fields_type._make(arrange(values))

    return read


facts_of: Final[Callable[[Sight], Facts]] = _reader(Sight, Facts)
"""The facts of a view."""
position_facts_of: Final[Callable[[State], PositionFacts]] = _reader(State, PositionFacts)
"""What a position's text is made of, by a state or a view."""
offer_facts_of: Final[Callable[[OpenOffers], OfferFacts]] = _reader(OpenOffers, OfferFacts)
"""The open offers."""


def rates_of(facts: Facts, seat: SeatNumber) -> list[int]:
    """How many cards of each resource a seat pays the supply for one."""
    return [best_rate(facts, facts.usable_harbors[seat], kind) for kind in range(N_KINDS)]


# --- as the core keeps it ---------------------------------------------------------------------------------------------


def _bytes_of(struct_type: type[Struct], first: str, last: str | None = None) -> slice:
    """Where a field lies, or some that stand side by side."""
    fields = struct_type.dtype.fields
    assert fields is not None
    end, start = fields[last or first][:2], fields[first][1]
    return slice(start, end[1] + end[0].itemsize)


_OFFERS: Final = (_bytes_of(Sight, "offer_give", "offer_want"), _bytes_of(Sight, "offer_maker", "offer_no"))
"""Where OpenOffers lie in what is seen: cards first, then who."""
_HANDS: Final = _bytes_of(State, "hand").start
_DECK: Final = _bytes_of(State, "deck").start
_LANES: Final = struct.Struct("=q")


def seen_state(sight: Sight, *, hand: tuple[int, int] | None = None, deck: int | None = None) -> State:
    """What is seen of the state; `hand`: a seat and the cards it is to hold, `deck`: the cards that lie there."""
    state = State(sight.buffer[: State.size].copy())
    buffer = memoryview(state.buffer)  # type: ignore[arg-type]
    if hand is not None:
        _LANES.pack_into(buffer, _HANDS + 8 * hand[0], hand[1])
    if deck is not None:
        _LANES.pack_into(buffer, _DECK, deck)
    return state


def seen_offers(sight: Sight) -> OpenOffers:
    card_bytes, seat_bytes = _OFFERS
    return OpenOffers(np.concatenate((sight.buffer[card_bytes], sight.buffer[seat_bytes])))


def placement_round(facts: Facts | State) -> int:
    """The first or the second of the two rounds in which players place a settlement and a road (SETUP-21)."""
    return 1 if facts.placed < facts.players else 2
