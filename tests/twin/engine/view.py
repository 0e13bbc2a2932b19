"""States and views as plain dicts (contract, "Views"; INFO-01 to INFO-09)."""

from __future__ import annotations

from typing import Any

from .table import Table
from .trade import offers_as_dicts, seats_asked


def still_owed(table: Table) -> list[int]:
    """What each seat still has to choose for a discard."""
    return [0 if discard is not None else owed for owed, discard in zip(table.owed, table.discards, strict=True)]


def to_act(table: Table) -> list[int]:
    """The seats that are asked; none while Nature is due or the game is over."""
    if table.phase in ("start roll", "dice", "theft", "draw", "over"):
        return []
    if table.phase == "discard":
        return [seat for seat, owed in enumerate(still_owed(table)) if owed]
    return sorted({table.turn} | seats_asked(table))


def public_part(table: Table) -> dict[str, Any]:
    """What everybody sees (INFO-05)."""
    seats = range(table.players)
    return {
        "phase": table.phase,
        "turn": table.turn,
        "first": table.first,
        "rolled": table.rolled,
        "card_played": table.card_played,
        "trading_closed": table.trading_closed,
        "free_roads": table.free_roads,
        "dice": None if table.dice is None else list(table.dice),
        "robber": table.robber,
        "supply": dict(table.supply),  # INFO-06
        "played": [dict(played) for played in table.played],
        "settlements": [sorted(places) for places in table.settlements],
        "cities": [sorted(places) for places in table.cities],
        "roads": [sorted(places) for places in table.roads],
        "road_length": list(table.lengths),
        "longest_road": table.longest_road,
        "largest_army": table.largest_army,
        "points": [table.points(seat) for seat in seats],
        "winner": table.winner,
        "turn_number": table.turn_number,
        "offers": offers_as_dicts(table),
        "dice_bag": None if table.bag is None else sorted([a, b] for a, b in table.bag),
        "limit_tiles": [limit_tiles(table, seat) for seat in seats],
        "track": [track(table, seat) for seat in seats],
    }


def limit_tiles(table: Table, seat: int) -> int:
    """One at the fifth settlement, one at the fourth city (ZIP-06, ZIP-07)."""
    if not table.edition.limit_tiles:
        return 0
    return int(len(table.settlements[seat]) == 5) + int(len(table.cities[seat]) == 4)


def track(table: Table, seat: int) -> int:
    """Points from settlements and cities only (ZIP-08)."""
    return len(table.settlements[seat]) + 2 * len(table.cities[seat]) if table.edition.track else 0


def full_state(table: Table) -> dict[str, Any]:
    """The canonical dict of everything."""
    state = public_part(table)
    state["hands"] = [dict(hand) for hand in table.hands]
    state["deck"] = dict(table.deck)
    state["development"] = [dict(cards) for cards in table.development]
    state["new_cards"] = dict(table.new_cards)
    state["total"] = [table.total(seat) for seat in range(table.players)]
    state["owed"] = still_owed(table)
    state["discards"] = [None if discard is None else dict(discard) for discard in table.discards]
    state["to_act"] = to_act(table)
    return state


def view(table: Table, seat: int | None) -> dict[str, Any]:
    """What a seat (or the public: None) may know."""
    seats = range(table.players)
    data = public_part(table)
    data["seat"] = seat
    data["hand"] = None if seat is None else dict(table.hands[seat])
    data["hand_sizes"] = [table.size(s) for s in seats]  # INFO-02
    data["development"] = None if seat is None else dict(table.development[seat])
    data["card_counts"] = [sum(table.development[s].values()) for s in seats]  # INFO-03
    data["new_count"] = sum(table.new_cards.values())
    data["new_cards"] = dict(table.new_cards) if seat == table.turn else None
    data["deck_size"] = sum(table.deck.values())  # INFO-06
    data["own_total"] = None if seat is None else table.total(seat)  # INFO-04.e1
    # SEVEN-05.e2: others still seem to owe until the last discard is in
    still_to_choose = still_owed(table)
    data["owed"] = [still_to_choose[s] if s == seat else table.owed[s] for s in seats]
    if table.phase == "discard":
        data["to_act"] = [s for s in seats if data["owed"][s]]
    else:
        data["to_act"] = to_act(table)
    discard = None if seat is None else table.discards[seat]
    data["discards"] = None if discard is None else dict(discard)
    over = table.phase == "over"
    data["revealed"] = [table.development[s]["victory-point"] for s in seats] if over else None  # WIN-07
    data["belief"] = table.beliefs[seat].weighted_worlds()
    data["card_belief"] = [dict(hands) for hands in table.card_belief.hands]
    return data
