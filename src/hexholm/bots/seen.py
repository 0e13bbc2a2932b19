"""What a view tells, as plain data for programs in other languages: made of a `SeatView` alone.

The names are those that hosts send to browsers (docs/reference/protocol.md), so a program knows one model.
"""

from __future__ import annotations

from typing import Any

from hexholm.game.views.seat_knowledge import SeatView


def seen(view: SeatView) -> dict[str, Any]:
    """What a seat knows now, with what it can infer of the other hands: their `ranges`."""
    return {
        "phase": view.phase,
        "turn": view.turn,
        "active": view.active,
        "dice": view.dice,
        "robber": view.robber,
        "longest_road": view.longest_road,
        "largest_army": view.largest_army,
        "supply": _cards(view.bank),
        "deck": view.deck_size,
        "players": [_player(view, color) for color in view.colors],
        "offers": [
            {
                "number": offer.number,
                "by": offer.by,
                "give": _cards(offer.give),
                "take": _cards(offer.take),
                "to": offer.to,
                "yes": offer.yes,
                "no": offer.no,
            }
            for offer in view.offers
        ],
        "over": view.over,
        "winner": view.winner,
        "hand": _cards(view.hand),
        "development": _cards(view.cards),
        "new": _cards(view.new_cards),
        "rates": view.rates(),
        "partners": view.partners,
    }


def _player(view: SeatView, color: str) -> dict[str, Any]:
    found: dict[str, Any] = {
        "color": color,
        "points": view.points(color),
        "hand": view.hand_size(color),
        "cards": view.card_count(color),
        "played": _cards(view.played(color)),
        "settlements": view.settlements(color),
        "cities": view.cities(color),
        "roads": view.roads(color),
        "road_length": view.road_length(color),
        "left": view.pieces_left(color),
    }
    if view.owed(color):
        found["owes"] = view.owed(color)
    if color != view.seat and view.hand_size(color):
        found["ranges"] = {kind: span for kind, span in view.ranges(color).items() if span[1]}
    return found


def _cards(bag: Any) -> dict[str, int]:
    """Only the kinds there are."""
    return {kind: n for kind, n in bag.items() if n}
