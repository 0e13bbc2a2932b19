"""REST for finished games: step by step through any eyes, and in numbers.

    GET /api/tables/{id}/replay?eyes=red
    GET /api/tables/{id}/replay/views?eyes=red&from=0&to=50
    GET /api/tables/{id}/summary

When a game is over nothing in it is a secret any more, so anybody may look through any eyes, also the referee's. What
is asked for is worked out in a thread; the games looked at lately are kept, since views are asked for in many parts.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from hexholm.game.records.summary import summarize
from hexholm.game.records.timeline import REFEREE, Replay

from ...tables.table import Table
from ...wire import api
from ...wire.api import Declined
from ...wire.boards import board_line
from ...wire.projection import view_data
from .tables import Rest, choice, json_answer, number

PUBLIC: Final = "public"
MOST_VIEWS: Final = 100
KEPT: Final = 16


class Replays:
    """The part of REST that shows finished games."""

    def __init__(self, rest: Rest) -> None:
        self.rest, self.desk = rest, rest.desk
        self._kept: OrderedDict[str, Replay] = OrderedDict()

    def routes(self) -> list[Route]:
        """All paths."""
        guarded, table = self.rest.guarded, "/api/tables/{table:str}"
        return [
            Route(f"{table}/replay", guarded(self.replay)),
            Route(f"{table}/replay/views", guarded(self.views)),
            Route(f"{table}/summary", guarded(self.summary)),
        ]

    async def replay(self, request: Request) -> Response:
        """The whole game: turns, points, events."""
        table, replay, eyes = await self._asked(request)
        return json_answer(await asyncio.to_thread(whole, replay, eyes, names(table)))

    async def views(self, request: Request) -> Response:
        """How it looked after some steps in a row."""
        _, replay, eyes = await self._asked(request)
        first = number(request, "from", 0, 0, replay.count)
        last = number(request, "to", min(first + MOST_VIEWS - 1, replay.count), first, replay.count)
        if last - first >= MOST_VIEWS:
            raise Declined.because("too_many_views", first=first, last=last, most=MOST_VIEWS)
        return json_answer(await asyncio.to_thread(some, replay, eyes, range(first, last + 1)))

    async def summary(self, request: Request) -> Response:
        """The game in numbers."""
        table = await self._finished(request)
        assert table.game is not None
        game = table.game.copy()
        game.names = tuple(names(table).values())
        return json_answer(await asyncio.to_thread(lambda: summarize(game).as_dict()))

    async def _asked(self, request: Request) -> tuple[Table, Replay, str | None]:
        """The table, its game and whose eyes: a colour, None for the public, or the referee."""
        table = await self._finished(request)
        eyes = choice(request, "eyes", (*table.colors, PUBLIC, REFEREE)) or PUBLIC
        replay = self._kept.pop(table.id, None)
        if replay is None:
            assert table.game is not None
            replay = Replay(table.game)
        self._kept[table.id] = replay
        while len(self._kept) > KEPT:
            self._kept.popitem(last=False)
        return table, replay, None if eyes == PUBLIC else eyes

    async def _finished(self, request: Request) -> Table:
        table = await self.desk.table(request.path_params["table"], request)
        if table.status != "over":
            raise Declined.because("not_over")
        if table.game is None:
            raise Declined.because("never_begun")
        if not request.url.path.endswith("/views"):  # those are asked for in many parts
            self.desk.spend(self.desk.records, self.desk.address(request))
        return table


def names(table: Table) -> dict[str, str]:
    """Who plays, by colour."""
    return {seat.color: seat.name or seat.color for seat in table.seats.values()}


def whole(replay: Replay, eyes: str | None, names: dict[str, str]) -> api.ReplayAnswer:
    """All but the views."""
    result = replay.result
    return api.ReplayAnswer(
        board=board_line(replay.layout, replay.options.edition),
        colors=replay.colors,
        names=names,
        steps=replay.count,
        turns=tuple(api.TurnLine(turn=one.turn, step=one.step, player=one.player) for one in replay.turns),
        points={color: replay.points[color] if eyes in (color, REFEREE) else replay.visible[color] for color in names},
        events=tuple(tuple(face.as_dict() for face in replay.faces(step, eyes)) for step in range(replay.count + 1)),
        result={}
        if result is None
        else {
            "how": result.how,
            "winner": result.winner,
            "points": dict(zip(replay.colors, result.points, strict=True)),
            "note": result.note,
        },
    )


def some(replay: Replay, eyes: str | None, steps: range) -> api.ReplayViews:
    """Views of steps in a row; the referee's are the public's with all cards as `truth`."""
    return api.ReplayViews(views=tuple(_view(replay, eyes, step) for step in steps))


def _view(replay: Replay, eyes: str | None, step: int) -> dict[str, Any]:
    if eyes != REFEREE:
        return view_data(replay.view(step, eyes))
    return {**view_data(replay.view(step, None)), "truth": replay.truth(step).as_dict()}
