"""What can be asked of a bare state: points, pieces left, production, victims, rates, odds, who is next.

State and View are here, too, as types. Whoever holds a :class:`~.encoding.structs.State` and only wants to know
something asks here, where nothing changes one; actions are carried out by the referee. Who does so on states of its
own is listed in `pyproject.toml`.
"""

from __future__ import annotations

from .core.actors import next_seat
from .core.awards import add_card_points, army_record, public_points, total_points
from .core.dice import ALL_PAIRS
from .core.legal import best_rate, cities_left, may_waive, roads_left, settlements_left, victims_at
from .core.limit_tiles import has_city_tile, has_settlement_tile
from .core.nature import decide_outcome, draw_count, draw_stream, draws_used, odds_of_outcome, odds_total, outcome_at
from .core.offers import free_slot, has_several, is_trading_open, seats_silent, trade_partners
from .core.production import hex_yield, producing_hexes
from .encoding.structs import State, View
from .places import N_HEXES

__all__ = [
    "ALL_PAIRS",
    "State",
    "View",
    "add_card_points",
    "army_record",
    "best_rate",
    "cities_left",
    "claims_of_roll",
    "decide_outcome",
    "draw_count",
    "draw_stream",
    "draws_used",
    "free_slot",
    "has_city_tile",
    "has_settlement_tile",
    "has_several",
    "hex_yield",
    "is_trading_open",
    "may_waive",
    "next_seat",
    "odds_of_outcome",
    "odds_total",
    "outcome_at",
    "public_points",
    "roads_left",
    "seats_silent",
    "settlements_left",
    "total_points",
    "trade_partners",
    "victims_at",
]


def claims_of_roll(s: State, number: int) -> dict[int, list[int]]:
    """What a roll owes: by hex that produces, the cards for each seat.

    What of it the supply pays is decided by :func:`.core.production.produce`, which adds up the same claims.
    """
    hexes = producing_hexes(s, number)
    return {h: [hex_yield(s, seat, h) for seat in range(s.players)] for h in range(N_HEXES) if (hexes >> h) & 1}
