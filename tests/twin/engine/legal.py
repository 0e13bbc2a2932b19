"""The list of legal actions of a seat: all but offers and counter-offers."""

from __future__ import annotations

from itertools import combinations_with_replacement

from .actions import multisets, plenty_text, write_cards
from .editions import COSTS, RESOURCES
from .geometry import CORNERS, SIDES, SIDES_AT
from .refusals import (
    free_road_places,
    old_cards,
    robber_targets,
    why_no_city,
    why_no_paid_settlement,
)
from .table import Table
from .trade import legal_supply, legal_trade


def legal(table: Table, seat: int) -> set[str]:
    """All actions of a seat that are legal now."""
    if table.phase == "discard":
        return legal_discards(table, seat)
    actions = legal_trade(table, seat)
    if seat != table.turn:
        return actions
    if table.phase == "settlement":
        actions |= {f"settlement {corner}" for corner in CORNERS if table.why_no_settlement(corner) is None}
    elif table.phase == "road":
        actions |= {f"road {side}" for side in SIDES_AT[table.last_settlement] if side not in table.road_owner}
    elif table.phase == "robber":
        actions |= {f"robber {name}" for name in robber_targets(table)}
    elif table.phase == "victim":
        actions |= {f"steal {table.colors[s]}" for s in table.opponents_at(table.robber, seat)}
    elif table.phase == "free road":
        actions |= {f"road {side}" for side in free_road_places(table, seat)}
        if table.edition.waive_second_road and table.free_road_placed:
            actions.add("waive")
    elif table.phase == "roll":
        actions |= {"roll"} | legal_cards(table, seat)
    elif table.phase == "main":
        actions |= {"end"} | legal_cards(table, seat) | legal_builds(table, seat)
        if not table.trading_closed:
            actions |= legal_supply(table, seat)
    return actions


def legal_discards(table: Table, seat: int) -> set[str]:
    """Every multiset of the owed size."""
    if not table.owed[seat] or table.discards[seat] is not None:
        return set()
    return {f"discard {write_cards(cards)}" for cards in multisets(table.hands[seat], table.owed[seat])}


def legal_cards(table: Table, seat: int) -> set[str]:
    """Development cards that can be played."""
    actions: set[str] = set()
    if table.card_played:
        return actions
    if old_cards(table, "knight"):
        actions.add("knight")
    if old_cards(table, "road-building") and free_road_places(table, seat):
        actions.add("road-building")
    if old_cards(table, "monopoly"):
        actions |= {f"monopoly {kind}" for kind in RESOURCES}
    if old_cards(table, "year-of-plenty"):
        size = min(2, sum(table.supply.values()))
        for kinds in combinations_with_replacement(RESOURCES, size):
            if kinds and all(table.supply[kind] >= kinds.count(kind) for kind in kinds):
                actions.add(plenty_text(list(kinds)))
    return actions


def legal_builds(table: Table, seat: int) -> set[str]:
    """What can be paid, is in stock and has a place."""
    actions: set[str] = set()
    if table.holds(seat, COSTS["road"]):
        actions |= {f"road {side}" for side in SIDES if table.why_no_road(seat, side) is None}
    if table.holds(seat, COSTS["settlement"]):
        actions |= {f"settlement {c}" for c in CORNERS if why_no_paid_settlement(table, seat, c) is None}
    if table.holds(seat, COSTS["city"]):
        actions |= {f"city {c}" for c in CORNERS if why_no_city(table, seat, c) is None}
    if table.holds(seat, COSTS["development"]) and any(table.deck.values()):
        actions.add("buy")
    return actions
