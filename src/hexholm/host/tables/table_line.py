"""What lists and everybody at a table are told of it beside the game: its line on the wire."""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from functools import lru_cache
from typing import Any

from hexholm.rules.colors import Color
from hexholm.rules.setup.options import Options

from ..wire import messages
from .agreement import asked_to_agree, asked_to_kick
from .rated_games import why_unrated
from .state import TableState


@lru_cache(maxsize=256)
def _options_data(options: Options) -> dict[str, Any]:
    """Options as data, shared by all lines that have them: nobody may change it."""
    return options.as_dict()


def table_line(table: TableState) -> messages.TableLine:
    """What everybody may know of a table."""
    playing = table.status == "playing"
    creators = [seat.color for seat in table.seats.values() if seat.guest_id and seat.guest_id == table.creator_id]
    finished_game = table.game if table.status == "over" else None
    return messages.TableLine(
        id=table.id,
        status="open" if table.status == "new" else table.status,
        title=table.opening.title,
        edition=table.edition,
        options=_options_data(table.options),
        seats=tuple(
            seat.line(
                table.reservations[color].name if color in table.reservations else "",
                _in_order(table, asked_to_kick(seat, table.seats.values()) - seat.kick_wishes)
                if playing and seat.kick_wishes
                else (),
            )
            for color, seat in table.seats.items()
        ),
        creator_color=creators[0] if creators else "",
        paused=table.paused,
        clock=table.opening.clock,
        pace=table.pace,
        chance_source=table.opening.chance_source,
        lesson=table.opening.lesson,
        visibility=table.opening.visibility,
        watchable=table.opening.watchable,
        spectators_speak=table.opening.spectators_speak,
        spectators_silenced=table.spectators_silenced,
        wishes={wish: _in_order(table, wishing) for wish, wishing in table.wishes.items() if wishing},
        missing={
            wish: _in_order(table, asked_to_agree(wish, table.seats.values()) - wishing)
            for wish, wishing in table.wishes.items()
            if wishing and playing
        },
        absence=table.opening.absence,
        plays_on=table.opening.plays_on,
        waiting=table.waiting,
        created=table.created,
        ended=table.ended,
        winner=None if finished_game is None else finished_game.winner,
        scores=None if finished_game is None else dict(zip(table.colors, finished_game.points, strict=True)),
        rematch=table.rematch,
        rated=table.opening.rated,
        unrated=why_unrated(table),
    )


def _in_order(table: TableState, colors: AbstractSet[Color]) -> tuple[Color, ...]:
    return tuple(color for color in table.seats if color in colors)
