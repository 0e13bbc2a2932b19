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
    found = legal_trade(table, seat)
    if seat != table.turn:
        return found
    if table.phase == "settlement":
        found |= {f"settlement {corner}" for corner in CORNERS if table.why_no_settlement(corner) is None}
    elif table.phase == "road":
        found |= {f"road {side}" for side in SIDES_AT[table.last_settlement] if side not in table.road_owner}
    elif table.phase == "robber":
        found |= {f"robber {name}" for name in robber_targets(table)}
    elif table.phase == "victim":
        found |= {f"steal {table.colors[s]}" for s in table.opponents_at(table.robber, seat)}
    elif table.phase == "free road":
        found |= {f"road {side}" for side in free_road_places(table, seat)}
        if table.edition.waive_second_road and table.free_road_placed:
            found.add("waive")
    elif table.phase == "roll":
        found |= {"roll"} | legal_cards(table, seat)
    elif table.phase == "main":
        found |= {"end"} | legal_cards(table, seat) | legal_builds(table, seat)
        if not table.trading_closed:
            found |= legal_supply(table, seat)
    return found


def legal_discards(table: Table, seat: int) -> set[str]:
    """Every multiset of the owed size."""
    if not table.owed[seat] or table.chosen[seat] is not None:
        return set()
    return {f"discard {write_cards(cards)}" for cards in multisets(table.hands[seat], table.owed[seat])}


def legal_cards(table: Table, seat: int) -> set[str]:
    """Development cards that can be played."""
    found: set[str] = set()
    if table.card_played:
        return found
    if old_cards(table, "knight"):
        found.add("knight")
    if old_cards(table, "road-building") and free_road_places(table, seat):
        found.add("road-building")
    if old_cards(table, "monopoly"):
        found |= {f"monopoly {kind}" for kind in RESOURCES}
    if old_cards(table, "year-of-plenty"):
        size = min(2, sum(table.bank.values()))
        for kinds in combinations_with_replacement(RESOURCES, size):
            if kinds and all(table.bank[kind] >= kinds.count(kind) for kind in kinds):
                found.add(plenty_text(list(kinds)))
    return found


def legal_builds(table: Table, seat: int) -> set[str]:
    """What can be paid, is in stock and has a place."""
    found: set[str] = set()
    if table.holds(seat, COSTS["road"]):
        found |= {f"road {side}" for side in SIDES if table.why_no_road(seat, side) is None}
    if table.holds(seat, COSTS["settlement"]):
        found |= {f"settlement {c}" for c in CORNERS if why_no_paid_settlement(table, seat, c) is None}
    if table.holds(seat, COSTS["city"]):
        found |= {f"city {c}" for c in CORNERS if why_no_city(table, seat, c) is None}
    if table.holds(seat, COSTS["development"]) and any(table.deck.values()):
        found.add("buy")
    return found
