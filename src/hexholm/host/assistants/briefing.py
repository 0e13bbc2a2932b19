"""What an assistant reads: where the game stands as compact text, actions numbered and with places in words.

Everything is made of a seat's own view. Places are called as in docs/formats/places.md, each with what lies around it:
nobody should have to remember a map to know what `C3n` is.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import groupby
from typing import Final

from hexholm.game.descriptions import describe_view
from hexholm.game.game import SeatView
from hexholm.rules.boards import Layout
from hexholm.rules.colors import Color
from hexholm.rules.places import CORNER_NAMES, HEX_NAMES, SIDE_CORNERS, SIDE_NAMES
from hexholm.rules.setup.editions import PRICED

MOST_ACTIONS: Final = 150
"""Actions that are listed one by one; of the rest is said how many there are."""
PLURALS: Final = {"road": "roads", "settlement": "settlements", "city": "cities"}


def briefing_text(view: SeatView, *, ranges: bool = False) -> str:
    """Where the game stands, the board, and what stands on it; `ranges`: also what can be inferred of other hands."""
    lines = [describe_view(view, ranges=ranges), "", "Board, hex by hex (the desert produces nothing):"]
    lines += ["  " + "  ".join(_hex_text(view.layout, at) for at in row) for row in _hex_rows()]
    words = view.options.edition_data.words
    lines.append(f"{words['harbor'].capitalize()}s: {_harbors_text(view)}")
    lines += ["What stands there:", *(_pieces_text(view, color) for color in view.colors)]
    if view.seat is not None and not view.over:
        lines.append(_affordable_text(view))
    return "\n".join(lines)


def numbered_actions(view: SeatView, actions: Sequence[str]) -> str:
    """Actions with numbers from 1 on, each in words where its text alone says little."""
    if view.over:
        return "The game is over: nothing is left to do."
    if not actions:
        return "You have nothing to do now: call wait_for_turn."
    lines = [
        f"{number}. {action}{_explain_action(view, action)}" for number, action in enumerate(actions[:MOST_ACTIONS], 1)
    ]
    if len(actions) > MOST_ACTIONS:
        lines.append(f"... and {len(actions) - MOST_ACTIONS} more of the same kinds; write them as text.")
    return "\n".join(lines)


def describe_place(view: SeatView, at: str) -> str:
    """A place by what lies around it: `hills 6, forest 11, sea`."""
    layout, words = view.layout, view.options.edition_data.words
    if at in HEX_NAMES:
        return _land_text(layout, at)
    around = [_land_text(layout, hexagon) for hexagon in layout.hexes_at(at)]
    most_hexes = 3 if at in CORNER_NAMES else 2
    harbor = layout.harbor(at) if at in CORNER_NAMES else None
    extra = (
        [] if harbor is None else [words["generic_harbor"] if harbor == "any" else f"{words[harbor]} {words['harbor']}"]
    )
    return ", ".join([*around, *["sea"] * (len(around) < most_hexes), *extra])


# --- parts -----------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=1)
def _hex_rows() -> tuple[tuple[str, ...], ...]:
    """The hexes by the rows of the island."""
    return tuple(tuple(row) for _, row in groupby(HEX_NAMES, key=lambda name: name[0]))


def _land_text(layout: Layout, at: str) -> str:
    number = layout.number(at)
    return f"{layout.terrain(at)} {number}" if number else layout.terrain(at)


def _hex_text(layout: Layout, at: str) -> str:
    return f"{at} {_land_text(layout, at)}"


def _harbors_text(view: SeatView) -> str:
    rates, words = view.options.edition_data.trade_rates, view.options.edition_data.words
    texts = []
    for side, kind in view.layout.harbors():
        ends = "-".join(CORNER_NAMES[corner] for corner in SIDE_CORNERS[side])
        texts.append(f"{ends} {rates['generic']}:1" if kind == "any" else f"{ends} {words[kind]} {rates['special']}:1")
    return ", ".join(texts)


def _pieces_text(view: SeatView, color: Color) -> str:
    """What a player has on the board; the own buildings with what lies around them."""
    name = "you" if color == view.seat else color
    place_text = (lambda at: f"{at} ({describe_place(view, at)})") if color == view.seat else str
    parts = [
        f"{kind} {', '.join(map(place_text, places))}"
        for kind, places in (("settlements", view.settlements(color)), ("cities", view.cities(color)))
        if places
    ]
    if view.roads(color):
        parts.append(f"roads {' '.join(view.roads(color))}")
    return f"  {name}: {'; '.join(parts) or 'nothing yet'}"


def _affordable_text(view: SeatView) -> str:
    """What the own cards are good for."""
    edition, hand = view.options.edition_data, view.hand
    words = edition.words
    affordable = [
        words["development_card"] if name == "development" else name
        for name in PRICED
        if all(hand[kind] >= n for kind, n in edition.costs[name].items())
    ]
    pieces_left = [
        f"{n} {name if n == 1 else PLURALS[name]}" for name, n in view.pieces_left().items() if n is not None
    ]
    rates = sorted({(n, kind) for kind, n in view.rates().items()})
    rates_text = "; ".join(
        f"{rate}:1 {' '.join(words[kind] for _, kind in kinds)}"
        for rate, kinds in ((rate, list(group)) for rate, group in groupby(rates, key=lambda pair: pair[0]))
    )
    return (
        f"Your {words['resource_card']}s pay for: {', '.join(affordable) or 'nothing yet'}. Left to build: "
        f"{', '.join(pieces_left)}. Your rates with the {words['stock']}: {rates_text}."
    )


def _explain_action(view: SeatView, action: str) -> str:
    """What an action means, where its text names a place."""
    places = [word for word in action.split() if word in _PLACES]
    if places:
        place_texts = [describe_place(view, at) for at in places]
        owners = [_owners_text(view, at) for at in places if at in HEX_NAMES]
        return f"  ({'; '.join((*place_texts, *filter(None, owners)))})"
    number = _offer_number(action)
    for offer in view.offers:
        if offer.number == number:
            words = view.options.edition_data.words
            return f"  (offer {offer.in_words(words)})"
    return ""


_PLACES: Final = frozenset((*HEX_NAMES, *CORNER_NAMES, *SIDE_NAMES))


def _owners_text(view: SeatView, hexagon: str) -> str:
    """Who has buildings at a hex: that is who the robber would hurt."""
    owners = [
        f"{color} {kind}"
        for color in view.colors
        for kind, places in (("settlement", view.settlements(color)), ("city", view.cities(color)))
        for corner in places
        if hexagon in view.layout.hexes_at(corner)
    ]
    return ", ".join(owners)


def _offer_number(action: str) -> int | None:
    kind, _, arguments = action.partition(" ")
    first = arguments.partition(" ")[0]
    number = first.removeprefix("#")
    return int(number) if kind in ("accept", "reject", "withdraw", "confirm") and number.isdigit() else None
