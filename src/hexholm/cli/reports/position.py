"""`hexholm show`: a position, a view, or a moment of a recorded game, drawn and told."""

from __future__ import annotations

import json
import textwrap
from typing import TYPE_CHECKING, Any

import typer

from ..commands.board import Picture, colored
from ..shared.files import BadCall
from ..shared.game_options import WIDTH, legend, title
from ..shared.inputs import CALLED, eyes_of, from_argument, given_in, moment, only_record, own_eyes, what_is

if TYPE_CHECKING:
    from hexholm.game.game import Game
    from hexholm.game.legal import LegalActions
    from hexholm.game.views.seat_knowledge import SeatView


def run(
    what: str, game: int | None, turn: int | None, seat: str | None, public: bool, as_json: bool, **given: Any
) -> int:
    """Show what a text or a file holds; returns the exit code."""
    picture = Picture.asked(given)
    picture.check()
    text, file = from_argument(what)
    kind = what_is(text, file)
    if kind != "records" and (game is not None or turn is not None):
        raise BadCall(f"--{'game' if game is not None else 'turn'} is for files with games; this is {CALLED[kind]}")
    if kind == "board":
        raise BadCall(f"{given_in(file)} holds a board; draw it with hexholm board --file {file or 'FILE'}")
    from hexholm.game.game import Game

    table: Game | None = None
    if kind == "view":
        view = view_in(text, seat, public)
    else:
        if kind == "position":
            table = Game.from_position(text)
        else:
            record = only_record(text, file, game, last=True)
            if record.eyes is not None:
                seat, public = own_eyes(record.eyes, seat, public)
            table = moment(record, turn)
        eyes = eyes_of(table.colors, seat, public)
        view = table.view(eyes)
        if seat is not None or public:
            table = None
    if as_json:
        typer.echo(json.dumps(as_dict(view, table), ensure_ascii=False))
        if not picture.files:
            return 0
    elif not picture.files:
        typer.echo(told(view, table))
        return 0
    picture.save({}, lambda **how: svg_of_view(view, picture, **how))
    return 0


def view_in(text: str, seat: str | None, public: bool) -> SeatView:
    """The view that a text holds; it has its own eyes."""
    from hexholm.game.views.seat_knowledge import SeatView

    if seat is not None or public:
        raise BadCall(f"--{'public' if public else 'seat'} is for positions and games; a view has its own eyes")
    return SeatView.from_text(text)


# --- in words ---------------------------------------------------------------------------------------------------------


def told(view: SeatView, table: Game | None) -> str:
    """The table as text: all of it, or what the view knows; then what may be done."""
    from hexholm.game.pictures import text_of
    from hexholm.rules.boards import COLOR_LETTERS

    words = view.options.edition_data.words
    if table is not None:
        from hexholm.game.telling import table_text

        lines = [*title(view.options, view.layout), table_text(table, color=colored())]
        legal = table.legal_actions
    else:
        lines = [text_of(view.layout, view.raw, view.colors, color=colored(), words=words), str(view)]
        legal = view.legal_actions
    lines += [may(legal, color) for color in legal.players]
    if view.active in legal.players and view.phase == "main" and not view.raw.trading_closed:
        lines.append(f"  {'offer':<14} a trade to other players, as in: offer 1 ore : 1 wool to all")
    return "\n".join([*lines, "", legend(words, COLOR_LETTERS[view.colors[0]])])


def may(legal: LegalActions, color: str) -> str:
    """What a player may do, a line for each kind of action."""
    kinds: dict[str, list[str]] = {}
    for text in legal.of(color).texts:
        kind, _, place = text.partition(" ")
        kinds.setdefault(kind, []).append(place)
    lines = [f"{color.capitalize()} may"]
    for kind, places in kinds.items():
        label = f"  {kind:<14} "
        where = ", ".join(filter(None, places))
        folded = textwrap.fill(
            where, WIDTH, initial_indent=label, subsequent_indent=" " * len(label), break_on_hyphens=False
        )
        lines.append(folded if where else label.rstrip())
    return "\n".join(lines)


# --- as data and pictures ---------------------------------------------------------------------------------------------


def as_dict(view: SeatView, table: Game | None) -> dict[str, Any]:
    """What is shown as plain data."""
    legal = view.legal_actions if table is None else table.legal_actions
    return {
        "seen_by": "referee" if table is not None else view.seat or "public",
        "edition": view.edition,
        "players": list(view.colors),
        "turn": view.turn,
        "active": view.active,
        "phase": view.phase,
        "winner": view.winner,
        "stopped": view.stopped,
        "to_act": list(view.to_act),
        "points": list(table.points) if table else [view.points(color) for color in view.colors],
        "legal_actions": {color: legal.of(color).texts for color in legal.players},
        "position" if table else "view": table.position() if table else view.text(belief=False),
    }


def svg_of_view(view: SeatView, picture: Picture, **how: Any) -> str:
    """The board with a strip of what may be known of everybody."""
    return view.svg(names=picture.names, highlight=picture.places, **how)
