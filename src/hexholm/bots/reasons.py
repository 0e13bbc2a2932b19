"""Why an action is worth a thought, in a few words of the edition: facts about the action, from the seat's own view."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexholm.game.action import Action
from hexholm.rules.core.layout import DESERT, HARBOR_KINDS, RESOURCES
from hexholm.rules.places import CORNER_HEXES, CORNER_ID, CORNER_NAMES, HEX_CORNERS, HEX_ID, SIDE_CORNERS, SIDE_ID

from . import reckoning as sums

if TYPE_CHECKING:
    from hexholm.game.seat_view import SeatView


def reason_for(view: SeatView, code: int) -> str:
    """A short reason: what the action brings, costs or prevents."""
    action = Action.of_code(code, view.colors, view.seat)
    found = _REASONS.get(action.kind)
    return found(view, action) if found else "goes on"


def _settlement(view: SeatView, action: Action) -> str:
    return _yield_at(view, CORNER_ID[action.place or ""], "makes")


def _city(view: SeatView, action: Action) -> str:
    return _yield_at(view, CORNER_ID[action.place or ""], "doubles")


def _yield_at(view: SeatView, corner: int, verb: str) -> str:
    """What a corner brings: resources with their dots, and a harbor."""
    r, words = view.raw, view.options.edition_data.words
    parts = [
        f"{words[RESOURCES[r.terrain[h]]]} on {r.number[h]}" for h in CORNER_HEXES[corner] if r.terrain[h] != DESERT
    ]
    dots = sum(sums.dots_of(r.number[h]) for h in CORNER_HEXES[corner])
    harbors = [kind for i, kind in enumerate(HARBOR_KINDS) if r.harbors[i] >> corner & 1]
    harbor = f"; a {words['harbor']}" if harbors and verb == "makes" else ""
    return f"{verb} {', '.join(parts)}: {dots} of 36 rolls{harbor}" if parts else "a place by the sea"


def _road(view: SeatView, action: Action) -> str:
    """Where it leads: to a free corner, or a longer road."""
    sites = [c for c in SIDE_CORNERS[SIDE_ID[action.place or ""]] if view.raw.sites >> c & 1]
    if sites:
        best = max(sites, key=lambda c: sum(sums.dots_of(view.raw.number[h]) for h in CORNER_HEXES[c]))
        return f"leads to {CORNER_NAMES[best]}"
    return f"a longer road than {view.road_length()}"


def _robber(view: SeatView, action: Action) -> str:
    h = HEX_ID[action.place or ""]
    hit = [color for color in view.colors if color != view.seat and _builds_at(view, color, h)]
    number = view.raw.number[h]
    return f"takes the {number} from {' and '.join(hit)}" if hit and number else "hurts nobody"


def _builds_at(view: SeatView, color: str, h: int) -> bool:
    return any(CORNER_ID[name] in HEX_CORNERS[h] for name in (*view.settlements(color), *view.cities(color)))


def _steal(view: SeatView, action: Action) -> str:
    who = action.player or ""
    return f"{who} holds {view.hand_size(who)} cards and has {view.points(who)} points"


def _supply(_: SeatView, action: Action) -> str:
    return f"turns {action.give} into {action.take}"


def _take(_: SeatView, action: Action) -> str:
    return f"brings {action.take}"


def _monopoly(view: SeatView, action: Action) -> str:
    kind = action.resource or ""
    others = [color for color in view.colors if color != view.seat]
    expected = sum(n * p for color in others for n, p in view.odds(color)[kind].items())
    return f"about {expected:.1f} cards are out there"


def _buy(view: SeatView, _: Action) -> str:
    return f"one of {view.deck_size} cards"


def _end(view: SeatView, _: Action) -> str:
    return f"keeps {view.hand_size(view.seat or '')} cards"


def _discard(_: SeatView, action: Action) -> str:
    return f"what is needed least: {action.give}"


def _fixed(text: str):  # type: ignore[no-untyped-def]
    return lambda _view, _action: text


_REASONS = {
    "settlement": _settlement,
    "city": _city,
    "road": _road,
    "robber": _robber,
    "steal": _steal,
    "supply": _supply,
    "year-of-plenty": _take,
    "monopoly": _monopoly,
    "buy": _buy,
    "end": _end,
    "discard": _discard,
    "roll": _fixed("first the dice"),
    "knight": _fixed("moves the robber and counts for the army"),
    "road-building": _fixed("two roads for nothing"),
    "offer": _fixed("both sides gain"),
    "counter": _fixed("the same cards for a better price"),
    "accept": _fixed("is worth more than what it costs"),
    "reject": _fixed("helps the other side more"),
    "confirm": _fixed("the best of those who said yes"),
    "withdraw": _fixed("nobody wants it on these terms"),
    "waive": _fixed("no road that would help"),
}
