"""REST for finished games: step by step through any eyes, in numbers, and what their dice are checked with.

    GET /api/tables/{id}/replay?eyes=red
    GET /api/tables/{id}/replay/views?eyes=red&from=0&to=50
    GET /api/tables/{id}/summary
    GET /api/tables/{id}/dice

When a game is over nothing in it is a secret among those who sat there, so whoever may see it looks through any eyes,
also the referee's. What is asked for is worked out in a thread; the games looked at lately are kept, since views are
asked for in many parts.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import asdict, replace
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from hexholm.game.game import Game
from hexholm.game.records.summary import Summary, summarize
from hexholm.game.records.timeline import REFEREE, Timeline
from hexholm.game.records.verify_dice import recorded_draws
from hexholm.game.views.view_data import view_data

from ...tables.table import Table
from ...wire import api
from ...wire.boards import board_line
from ...wire.host_refusals import Declined
from ...wire.messages import DiceLine
from ..context import Context
from .query_parameters import query_choice, query_number
from .responses import json_response
from .rest_routes import RestRoutes

PUBLIC_EYES: Final = "public"
MOST_VIEWS: Final = 100
TIMELINES_KEPT: Final = 16


class Replays(RestRoutes):
    """The part of REST that shows finished games."""

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self._timelines: OrderedDict[str, Timeline] = OrderedDict()

    def routes(self) -> list[Route]:
        """What is left of finished games."""
        table = "/api/tables/{table:str}"
        return [
            Route(f"{table}/replay", self.guarded(self.replay)),
            Route(f"{table}/replay/views", self.guarded(self.views)),
            Route(f"{table}/summary", self.guarded(self.summary)),
            Route(f"{table}/dice", self.guarded(self.dice)),
        ]

    async def replay(self, request: Request) -> Response:
        """The whole game: turns, points, events."""
        table, timeline, eyes = await self._find_replay(request)
        return json_response(await self.make_record(request, replay_answer, timeline, eyes, table.names_by_color))

    async def views(self, request: Request) -> Response:
        """How it looked after some steps in a row."""
        _, timeline, eyes = await self._find_replay(request)
        first = query_number(request, "from", 0, 0, timeline.count)
        last = query_number(request, "to", min(first + MOST_VIEWS - 1, timeline.count), first, timeline.count)
        if last - first >= MOST_VIEWS:
            raise Declined.because("too_many_views", first=first, last=last, most=MOST_VIEWS)
        self.context.spend("records", self.context.address(request), (last - first + 1) / MOST_VIEWS)
        return json_response(await self.make_record(request, replay_views, timeline, eyes, range(first, last + 1)))

    async def summary(self, request: Request) -> Response:
        """The game in numbers."""
        table = await self._find_finished(request)
        game, names = table.begun_game.copy(), table.names_by_color
        return json_response(await self.make_record(request, lambda: named_summary(game, names).as_dict()))

    async def dice(self, request: Request) -> Response:
        """The key of the dice with the words of the seats, and all draws with what came out."""
        table = await self._find_finished(request)
        line, game = table.fair_dice.line(show_key=table.shows_dice_key), table.begun_game.copy()
        if line is None or line.key is None:
            return json_response(api.DiceAnswer(table=table.id, dice=line))
        return json_response(await self.make_record(request, lambda: dice_answer(table.id, line, game)))

    async def _find_replay(self, request: Request) -> tuple[Table, Timeline, str | None]:
        """The table, its game and whose eyes: a color, None for the public, or the referee."""
        table = await self._find_finished(request)
        eyes = query_choice(request, "eyes", (*table.colors, PUBLIC_EYES, REFEREE)) or PUBLIC_EYES
        timeline = self._timelines.pop(table.id, None)
        if timeline is None:
            timeline = Timeline(table.begun_game)
        self._timelines[table.id] = timeline
        while len(self._timelines) > TIMELINES_KEPT:
            self._timelines.popitem(last=False)
        return table, timeline, None if eyes == PUBLIC_EYES else eyes

    async def _find_finished(self, request: Request) -> Table:
        table = (await self.visible_table(request))[0].table
        if table.status != "over":
            raise Declined.because("not_over")
        if table.game is None:
            raise Declined.because("never_begun")
        if not request.url.path.endswith("/views"):  # those are asked for in many parts
            self.context.spend("records", self.context.address(request))
        return table


def named_summary(game: Game, names: dict[str, str]) -> Summary:
    """A game summed up, with the names of those who play."""
    summary = summarize(game)
    players = {color: replace(player, name=names[color]) for color, player in summary.players.items()}
    return replace(summary, players=players)


def dice_answer(table_id: str, line: DiceLine, game: Game) -> api.DiceAnswer:
    """The key of a finished game and all its draws."""
    draws = recorded_draws(game.record())
    return api.DiceAnswer(table=table_id, dice=line, draws=tuple(api.DiceDraw(**asdict(draw)) for draw in draws))


def replay_answer(timeline: Timeline, eyes: str | None, names: dict[str, str]) -> api.ReplayAnswer:
    """A finished game through a pair of eyes, all but its views."""
    result = timeline.result
    return api.ReplayAnswer(
        board=board_line(timeline.layout, timeline.options.edition),
        colors=timeline.colors,
        names=names,
        steps=timeline.count,
        turns=tuple(api.TurnLine(turn=turn.turn, step=turn.step, player=turn.player) for turn in timeline.turns),
        points={
            color: timeline.points[color] if eyes in (color, REFEREE) else timeline.visible[color] for color in names
        },
        events=tuple(
            tuple(face.as_dict() for face in timeline.faces(step, eyes)) for step in range(timeline.count + 1)
        ),
        result={}
        if result is None
        else {
            "how": result.how,
            "winner": result.winner,
            "points": dict(zip(timeline.colors, result.points, strict=True)),
            "note": result.note,
        },
    )


def replay_views(timeline: Timeline, eyes: str | None, steps: range) -> api.ReplayViews:
    """Views of steps in a row; the referee's are the public's with all cards as `truth`."""
    return api.ReplayViews(views=tuple(_step_view(timeline, eyes, step) for step in steps))


def _step_view(timeline: Timeline, eyes: str | None, step: int) -> dict[str, Any]:
    if eyes != REFEREE:
        return {**view_data(timeline.view(step, eyes))}
    return {**view_data(timeline.view(step, None)), "truth": timeline.truth(step).as_dict()}
