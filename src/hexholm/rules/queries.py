"""What can be asked of a bare state: points, production, victims, rates, odds, who is next; State and View, as types.

Whoever holds a :class:`~.core.encoding.structs.State` and only wants to know something asks here, where nothing
changes one; actions are carried out by the referee. Who does so on states of its own is listed in `pyproject.toml`.
"""

from __future__ import annotations

from .core.awards import army_record, public_points, total_points, with_cards
from .core.dice import ALL_PAIRS
from .core.encoding.structs import State, View
from .core.legal import GENERIC_PORT, best_rate, may_waive, victims_at
from .core.nature import decide_outcome, moves_counter, odds, odds_total
from .core.offers import free_slot, more_than_one, seats_silent, trade_partners, trading_open
from .core.production import building_yield, producing_hexes
from .core.view import next_seat

__all__ = [
    "ALL_PAIRS",
    "GENERIC_PORT",
    "State",
    "View",
    "army_record",
    "best_rate",
    "building_yield",
    "decide_outcome",
    "free_slot",
    "may_waive",
    "more_than_one",
    "moves_counter",
    "next_seat",
    "odds",
    "odds_total",
    "producing_hexes",
    "public_points",
    "seats_silent",
    "total_points",
    "trade_partners",
    "trading_open",
    "victims_at",
    "with_cards",
]
