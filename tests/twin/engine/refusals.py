"""Why an action is not allowed now: the rule id of the refusal, or None. Nothing here changes the table (PHASE-13)."""

from __future__ import annotations

from .actions import CARD_PLAYS, TRADES, Action
from .editions import CITY_LIMIT, COSTS, SETTLEMENT_LIMIT
from .geometry import ENDS, HEXES, SIDES, SIDES_AT
from .table import Table
from .trade import why_no_supply, why_no_trade


def why_not(table: Table, seat: int, action: Action) -> str | None:
    """The refusal of any action by any seat at any time."""
    if table.phase == "over":
        return "WIN-02"
    if table.turn_number == 0:
        return why_no_placement(table, seat, action)
    if action.verb in TRADES:
        return why_no_trade(table, seat, action)
    if action.verb == "discard":
        return why_no_discard(table, seat, action)
    if seat != table.turn:
        return "TRADE-09" if action.verb == "supply" else "PHASE-12"
    if table.phase == "robber" and action.verb == "robber":
        return why_no_robber(table, action.place)
    if table.phase == "victim" and action.verb == "steal":
        return why_no_victim(table, action.color)
    if table.phase == "free road" and action.verb == "road":
        return table.why_no_road(seat, action.place)  # DEV-17
    if table.phase == "free road" and action.verb == "waive":
        return None if table.edition.waive_second_road and table.free_road_placed else "DEV-18"
    if table.phase not in ("roll", "main"):  # something is pending, or Nature is due
        if action.verb == "robber" and table.phase == "discard":
            return "SEVEN-05"
        return "PHASE-08" if action.verb == "end" else "PHASE-11"
    return why_not_in_turn(table, seat, action)


def why_no_placement(table: Table, seat: int, action: Action) -> str | None:
    """The placement rounds: only the piece that is due (SETUP-11 to SETUP-15, SETUP-21)."""
    if table.phase not in ("settlement", "road") or seat != table.turn:
        return "SETUP-21"
    if action.verb not in ("settlement", "road"):
        return "SETUP-21"
    if action.verb != table.phase:
        return "SETUP-11"
    if action.verb == "settlement":
        return table.why_no_settlement(action.place)
    if action.place in table.road_owner:
        return "ROAD-02"
    if table.last_settlement not in ENDS[action.place]:
        return "SETUP-11" if table.placed < table.players else "SETUP-14"
    return None


def why_no_discard(table: Table, seat: int, action: Action) -> str | None:
    """Half of a hand over the limit, own choice (SEVEN-02, SEVEN-04)."""
    if table.phase != "discard" or not table.owed[seat]:
        return "SEVEN-02"
    if table.discards[seat] is not None or sum(action.give.values()) != table.owed[seat]:
        return "SEVEN-04"
    return None if table.holds(seat, action.give) else "SEVEN-04"


def robber_targets(table: Table) -> list[str]:
    """Every other hex (ROBBER-02, ROBBER-03); the friendly robber spares opponents with fewer than 3 public points."""
    other_hexes = [name for name in HEXES if name != table.robber]
    if not table.friendly_robber:
        return other_hexes
    allowed_hexes = [
        name for name in other_hexes if all(table.points(seat) >= 3 for seat in table.opponents_at(name, table.turn))
    ]
    return allowed_hexes or other_hexes  # void when it leaves no hex at all


def why_no_robber(table: Table, name: str) -> str | None:
    """Refusal of a robber move that is due."""
    if name == table.robber:
        return "ROBBER-02"
    return None if name in robber_targets(table) else "EDN-02"


def why_no_victim(table: Table, color: str) -> str | None:
    """One of the opponents at the hex must be named (ROBBER-06, ROBBER-12)."""
    return None if table.seat_of(color) in table.opponents_at(table.robber, table.turn) else "ROBBER-06"


def why_not_in_turn(table: Table, seat: int, action: Action) -> str | None:
    """The active seat before the roll or in the main phase, nothing pending."""
    verb = action.verb
    if verb == "roll":
        return "PHASE-03" if table.rolled else None
    if verb == "end":
        return None if table.rolled else "PHASE-03"
    if verb == "robber":
        return "ROBBER-01"
    if verb == "steal":
        return "ROBBER-05"
    if verb == "waive":
        return "DEV-18"
    if verb in CARD_PLAYS:
        return why_no_card(table, seat, action)
    if table.phase == "roll":
        return "PORT-11" if verb == "supply" else "PHASE-09"  # also BUILD-05
    if verb == "supply":
        return why_no_supply(table, seat, action)
    if verb == "road":
        refusal = table.why_no_road(seat, action.place)
    elif verb == "settlement":
        refusal = why_no_paid_settlement(table, seat, action.place)
    elif verb == "city":
        refusal = why_no_city(table, seat, action.place)
    else:
        refusal = None if sum(table.deck.values()) else "DEV-08"
        verb = "development"
    if refusal is not None:
        return refusal
    return None if table.holds(seat, COSTS[verb]) else "BUILD-01"


def why_no_paid_settlement(table: Table, seat: int, corner: str) -> str | None:
    """Distance rule, an own road, a settlement in stock."""
    refusal = table.why_no_settlement(corner)
    if refusal is not None:
        return refusal
    if not any(table.road_owner.get(side) == seat for side in SIDES_AT[corner]):
        return "SETTLE-04"
    return "SETTLE-05" if len(table.settlements[seat]) >= SETTLEMENT_LIMIT else None


def why_no_city(table: Table, seat: int, corner: str) -> str | None:
    """An own settlement there, a city in stock."""
    if corner not in table.settlements[seat]:
        return "CITY-01"
    return "CITY-04" if len(table.cities[seat]) >= CITY_LIMIT else None


def old_cards(table: Table, kind: str) -> int:
    """Cards of the active seat that were not bought this turn (DEV-04)."""
    return table.development[table.turn][kind] - table.new_cards[kind]


def why_no_card(table: Table, seat: int, action: Action) -> str | None:
    """One development card per turn, an old one, and one that can do something (DEV-03, DEV-04, DEV-06)."""
    if table.card_played:
        return "DEV-03"
    if not table.development[seat][action.verb]:
        return "DEV-01"
    if not old_cards(table, action.verb):
        return "DEV-04"
    if action.verb == "road-building":
        return None if free_road_places(table, seat) else "DEV-18"  # e2
    if action.verb == "year-of-plenty":
        cards_left = sum(table.supply.values())
        if len(action.kinds) != min(2, cards_left):
            return "DEV-21"  # e2, e3
        if any(table.supply[kind] < action.kinds.count(kind) for kind in action.kinds):
            return "DEV-21"  # e1
    return None


def free_road_places(table: Table, seat: int) -> list[str]:
    """Paths where a free road may go (DEV-17)."""
    return [side for side in SIDES if table.why_no_road(seat, side) is None]
