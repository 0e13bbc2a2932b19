"""A game through one pair of eyes, as plain data: made of a `SeatView` alone."""

from __future__ import annotations

from typing import Any, Final

from hexholm.game.events import prompt_of
from hexholm.game.events.asking import Prompt
from hexholm.game.seat_view import Offer, SeatView
from hexholm.rules.core import actions as act
from hexholm.rules.core.layout import SEATS

from .messages import Projection

PROBES: Final = {
    "roll": act.simple(act.ROLL, 0),
    "end": act.simple(act.END, 0),
    "buy": act.simple(act.BUY, 0),
    "knight": act.simple(act.KNIGHT_CARD, 0),
    "road-building": act.simple(act.ROAD_BUILDING_CARD, 0),
    "year-of-plenty": act.plenty(0, 0),
    "monopoly": act.simple(act.MONOPOLY_CARD, 0),
}
"""One action of each kind that needs no place: why it is refused is why its kind is."""


def view_data(view: SeatView, *, ranges: bool = False) -> dict[str, Any]:
    """What a view tells, fit for JSON; with `ranges` also what can be inferred of the other hands."""
    players: list[dict[str, Any]] = []
    for color in view.colors:
        player: dict[str, Any] = {
            "color": color,
            "points": view.points(color),
            "hand": view.hand_size(color),
            "cards": view.card_count(color),
            "played": cards(view.played(color)),
            "settlements": view.settlements(color),
            "cities": view.cities(color),
            "roads": view.roads(color),
            "road_length": view.road_length(color),
            "left": view.pieces_left(color),
        }
        if view.owed(color):
            player["owes"] = view.owed(color)
        if ranges and color != view.seat and view.hand_size(color):
            player["ranges"] = {kind: span for kind, span in view.ranges(color).items() if span[1]}
        players.append(player)
    data: dict[str, Any] = {
        "phase": view.phase,
        "turn": view.turn,
        "active": view.active,
        "dice": view.dice,
        "robber": view.robber,
        "longest_road": view.longest_road,
        "largest_army": view.largest_army,
        "supply": cards(view.bank),
        "deck": view.deck_size,
        "players": players,
        "offers": [offer_data(offer) for offer in view.offers],
        "over": view.over,
        "winner": view.winner,
    }
    if view.seat is not None:
        data["hand"] = cards(view.hand)
        data["development"] = cards(view.cards)
        data["new"] = cards(view.new_cards)
        data["rates"] = view.rates()
    return data


def offer_data(offer: Offer) -> dict[str, Any]:
    """An open offer as data."""
    return {
        "number": offer.number,
        "by": offer.by,
        "give": cards(offer.give),
        "take": cards(offer.take),
        "to": offer.to,
        "yes": offer.yes,
        "no": offer.no,
    }


def cards(bag: Any) -> dict[str, int]:
    """Cards as data: only the kinds there are."""
    return {kind: n for kind, n in bag.items() if n}


def prompt_for(view: SeatView) -> Prompt:
    """What is asked of the one who looks."""
    if view.stopped:
        return Prompt("stopped", view.seat)
    seat = view.raw.observer if view.raw.observer < SEATS else None
    return prompt_of(view.options, view.raw, seat, view.legal_actions.codes)


def refusals(view: SeatView) -> dict[str, dict[str, str]]:
    """Why the kinds of action that are not possible now are not."""
    if view.seat is None:
        return {}
    possible = {action & 31 for action in view.legal_actions.codes}
    found: dict[str, dict[str, str]] = {}
    for kind, code in PROBES.items():
        if code & 31 not in possible and (reason := view.why_not(code)) is not None:
            found[kind] = {"rule": reason.rule, "message": reason.text}
    return found


def project(view: SeatView, request: int, *, ranges: bool = False, deadline: float | None = None) -> Projection:
    """The whole projection."""
    return Projection(
        seat=view.seat,
        view=view_data(view, ranges=ranges),
        request=request,
        asked=view.seat in view.to_act,
        prompt=prompt_for(view).as_dict(),
        legal=tuple(view.legal_actions.texts),
        refusals=refusals(view),
        deadline=deadline,
    )
