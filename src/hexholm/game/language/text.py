"""A view as text, for terminals and assistants: at most 80 columns, without the board."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING, Final

from hexholm.rules.errors import BadInput

if TYPE_CHECKING:
    from ..views.seat_knowledge import SeatView

WIDTH: Final = 79
INDENT: Final = 9


def view_text(view: SeatView, *, ranges: bool = True) -> str:
    """Where the game stands, the own cards, what is known of each player, the offers, the supply.

    Without `ranges` nothing is said of what can be inferred of other hands.
    """
    lines = [_headline(view), *view.options.house_rules(), _asked(view)]
    if view.seat is not None:
        lines.append(_own(view))
    lines += [_player(view, color, ranges=ranges) for color in view.colors]
    words = view.options.edition_data.words
    lines += [f"Offer {offer.in_words(words)}" for offer in view.offers]
    deck = _many(view.deck_size, words["development_card"])
    lines += [f"{words['stock'].capitalize()}: {view.bank.in_words(words)}; {deck}", f"Robber: {view.robber}"]
    return "\n".join(_wrapped(line) for line in lines)


def _headline(view: SeatView) -> str:
    eyes = f"seen by {view.seat}" if view.seat else "seen by everybody"
    book = view.options.edition_data.title
    if view.winner is not None:
        return f"{book}, {eyes}: after {view.turn} turns {view.winner} has won"
    when = f"turn {view.turn} of {view.active}" if view.turn else f"set-up, {view.active}"
    rolled = f", rolled {view.dice[0]} and {view.dice[1]}" if view.dice else ""
    return f"{book}, {eyes}: {when}{rolled}"


def _asked(view: SeatView) -> str:
    if view.seat not in view.to_act:
        return view.prompt()
    owing = {color: f" ({_many(view.owed(color), _item(view))})" if view.owed(color) else "" for color in view.to_act}
    others = ", ".join(color + owes for color, owes in owing.items() if color != view.seat)
    return f"{view.prompt()} Also to act: {others}." if others else view.prompt()


def _own(view: SeatView) -> str:
    words = view.options.edition_data.words
    new = f" (new: {view.new_cards.in_words(words)})" if view.new_cards else ""
    cards = f"; {words['development_card']}s: {view.cards.in_words(words)}{new}" if view.cards else ""
    return f"Your hand: {view.hand.in_words(words)}{cards}"


def _player(view: SeatView, color: str, *, ranges: bool) -> str:
    words = view.options.edition_data.words
    hidden = view.points(color) - view.public_points(color)
    facts = [_many(view.points(color), "point") + (f" ({hidden} from {_item(view)}s)" if hidden else "")]
    facts.append(_many(view.hand_size(color), _item(view)) + (_known(view, color) if ranges else ""))
    if view.card_count(color):
        facts.append(_many(view.card_count(color), words["development_card"]))
    if knights := view.played(color)["knight"]:
        facts.append(f"{_many(knights, 'knight')} played")
    facts.append(f"road {view.road_length(color)}")
    facts += [words["longest_road"]] * (view.longest_road == color)
    facts += [words["largest_army"]] * (view.largest_army == color)
    mark = "*" if view.active == color and not view.over else " "
    return f"{mark} {color:<{INDENT - 2}}{'; '.join(facts)}"


def _known(view: SeatView, color: str) -> str:
    """What is known of another hand: `(0-2 brick 1 ore)`."""
    if color == view.seat or not view.hand_size(color):
        return ""
    try:
        ranges = view.ranges(color)
    except BadInput:  # a view read from a text that does not say
        return ""
    words = view.options.edition_data.words
    known = " ".join(f"{_range(least, most)} {words[name]}" for name, (least, most) in ranges.items() if most)
    return f" ({known})" if view.raw.capped == 0 else f" (perhaps {known})"


def _range(least: int, most: int) -> str:
    return str(most) if least == most else f"{least}-{most}"


def _item(view: SeatView) -> str:
    """What the edition has in hands: cards or tiles."""
    return view.options.edition_data.words["resource_card"].split()[-1]


def _many(n: int, what: str) -> str:
    return f"{n} {what}" if n == 1 else f"{n} {what}s"


def _wrapped(line: str) -> str:
    return textwrap.fill(line, WIDTH, subsequent_indent=" " * INDENT, drop_whitespace=True, break_on_hyphens=False)
