"""A position as `show` and `convert` print it: drawn and told, or as data."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hexholm.game.language.phrases import fold
from hexholm.rules.colors import Color

from ..shared.plain_text import legend_text, title_lines
from ..shared.terminal import wants_color

if TYPE_CHECKING:
    from hexholm.game.game import Game, SeatView
    from hexholm.game.legal_actions import LegalActions


def describe_position(view: SeatView, game: Game | None) -> str:
    """The table as text: all of it, or what the view knows; then what may be done."""
    from hexholm.game.pictures import characters_of
    from hexholm.rules.boards import COLOR_LETTERS

    terms = view.options.edition_data.words
    if game is not None:
        from hexholm.game.descriptions import describe_game

        lines = [*title_lines(view.options, view.layout), describe_game(game, in_color=wants_color())]
        legal = game.legal_actions
    else:
        lines = [characters_of(view.layout, view.seen, view.colors, in_color=wants_color(), words=terms), str(view)]
        legal = view.legal_actions
    lines += [_legal_lines(legal, color) for color in legal.players]
    if view.active in legal.players and view.trade_open:
        lines.append(f"  {'offer':<14} a trade to other players, as in: offer 1 ore : 1 wool to all")
    return "\n".join([*lines, "", legend_text(terms, COLOR_LETTERS[view.colors[0]])])


def _legal_lines(legal: LegalActions, color: Color) -> str:
    """What a player may do, a line for each kind of action."""
    kinds: dict[str, list[str]] = {}
    for text in legal.of(color).texts:
        kind, _, place = text.partition(" ")
        kinds.setdefault(kind, []).append(place)
    lines = [f"{color.capitalize()} may"]
    for kind, places in kinds.items():
        label = f"  {kind:<14} "
        place_list = ", ".join(filter(None, places))
        lines.append(fold(place_list, " " * len(label), label) if place_list else label.rstrip())
    return "\n".join(lines)


def position_data(view: SeatView, game: Game | None) -> dict[str, Any]:
    """What is shown as plain data."""
    legal = view.legal_actions if game is None else game.legal_actions
    return {
        "seen_by": "referee" if game is not None else view.seat or "public",
        "edition": view.edition,
        "players": list(view.colors),
        "turn": view.turn,
        "active": view.active,
        "phase": view.phase,
        "winner": view.winner,
        "stopped": view.stopped,
        "to_act": list(view.to_act),
        "points": list(game.points) if game else [view.points(color) for color in view.colors],
        "legal_actions": {color: legal.of(color).texts for color in legal.players},
        "position" if game else "view": game.position() if game else view.text(belief=False),
    }
