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
from .core.production import building_yield, producing_hexes
from .encoding.structs import State, View

__all__ = [
    "ALL_PAIRS",
    "State",
    "View",
    "add_card_points",
    "army_record",
    "best_rate",
    "building_yield",
    "cities_left",
    "decide_outcome",
    "draw_count",
    "draw_stream",
    "draws_used",
    "free_slot",
    "has_city_tile",
    "has_settlement_tile",
    "has_several",
    "is_trading_open",
    "may_waive",
    "next_seat",
    "odds_of_outcome",
    "odds_total",
    "outcome_at",
    "producing_hexes",
    "public_points",
    "roads_left",
    "seats_silent",
    "settlements_left",
    "total_points",
    "trade_partners",
    "victims_at",
]
