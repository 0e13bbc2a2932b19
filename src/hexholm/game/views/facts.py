"""The facts of a view, or of a position, as plain numbers, all read at one go.

A record is a buffer that shows each of its fields through a window of its own, which is quick for a field or two. A
projection looks at forty, for every pair of eyes and after every action of a table; all in one costs a tenth of that.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from operator import itemgetter
from typing import Any, Final, NamedTuple, TypeVar

from hexholm.rules.compiled import Record
from hexholm.rules.core.encoding.structs import Sight, State, Talk
from hexholm.rules.core.legal import best_rate

CODES: Final = {1: "b", 2: "h", 4: "i", 8: "q"}
Row = tuple[int, ...]
"""A number for each seat, or for each offer."""


class Facts(NamedTuple):
    """Fields of :class:`hexholm.rules.core.encoding.structs.Sight`, and so of a View, by the same names."""

    hand: Row
    bank: int
    cards: Row
    new_cards: int
    played: Row
    chosen: Row
    settlements: Row
    cities: Row
    roads_lo: Row
    roads_hi: Row
    ports: Row
    turn_number: int
    phase: int
    turn: int
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
    points: Row
    owed: Row
    road_limit: int
    settlement_limit: int
    city_limit: int
    points_card: int
    rate_supply: int
    rate_generic: int
    rate_special: int
    offer_give: Row
    offer_want: Row
    offer_maker: Row
    offer_to: Row
    offer_yes: Row
    offer_no: Row
    observer: int
    to_act: int
    hand_size: Row
    card_count: Row
    deck_size: int
    own_points: int
    revealed: Row
    road_length: Row


class Standing(NamedTuple):
    """Fields of :class:`hexholm.rules.core.encoding.structs.State`, and so of a View, for the text of a position."""

    hand: Row
    bank: int
    cards: Row
    new_cards: int
    played: Row
    deck: int
    chosen: Row
    settlements: Row
    cities: Row
    roads_lo: Row
    roads_hi: Row
    dice_bag: int
    turn_number: int
    phase: int
    turn: int
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
    second: Row
    fixed_start: int
    longest_road: int
    largest_army: int
    rollers: int
    tied: int
    best_roll: int
    balanced_dice: int


class Offered(NamedTuple):
    """The fields of :class:`hexholm.rules.core.encoding.structs.Talk`: the open offers."""

    give: Row
    want: Row
    maker: Row
    to: Row
    yes: Row
    no: Row


Kind = TypeVar("Kind", Facts, Standing, Offered)


def _reader(record: type[Record], kind: type[Kind]) -> Callable[[Record], Kind]:
    """What reads all of them from a record: which bytes are which is settled once."""
    fields = record.dtype.fields
    assert fields is not None
    parts, end, at, places = ["="], 0, 0, list[int | slice]()
    for name in kind._fields:
        number, start = fields[name][:2]
        size = number.base.itemsize
        many = number.itemsize // size
        assert start >= end, "the names stand in the order of the record"
        parts.append(f"{start - end}x{many}{CODES[size]}")
        places.append(slice(at, at + many) if number.shape else at)
        end, at = start + number.itemsize, at + many
    unpack, arranged = struct.Struct("".join(parts)).unpack_from, itemgetter(*places)

    def read(one: Record) -> Kind:
        values = unpack(one.buffer)  # type: ignore[arg-type]  # numpy arrays do offer the buffer protocol
        return kind._make(arranged(values))

    return read


facts_of: Final[Callable[[Sight], Facts]] = _reader(Sight, Facts)
"""The facts of a view."""
standing: Final[Callable[[State], Standing]] = _reader(State, Standing)
"""How a game stands, by a state or a view."""
offered: Final[Callable[[Talk], Offered]] = _reader(Talk, Offered)
"""The open offers."""


def rates_of(known: Facts, seat: int) -> list[int]:
    """How many cards of each resource a seat pays the supply for one."""
    rates: Any = known  # the names of the rates are those of a state
    return [best_rate(rates, known.ports[seat], kind) for kind in range(5)]
