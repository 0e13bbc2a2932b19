"""REST for tables: the lobby, a new table, a seat, a record."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from functools import cached_property
from typing import Any, Final

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from hexholm.game.dice_proof import PROOF_TAG
from hexholm.game.game import Record
from hexholm.rules.colors import Color

from ...storage import TableRow
from ...storage.values import TABLE_STATUSES
from ...tables.audience.who_may_look import is_insider
from ...tables.hall.hall import Hall
from ...tables.hall.opening import read_settings
from ...tables.seats import Eyes, Guest
from ...tables.table import Table
from ...wire import api
from ...wire.host_refusals import Declined, Refusal
from ...wire.links import seat_link, watch_link
from ...wire.messages import TableLine
from .lobby import MOST_TABLES_LISTED, Lobby
from .query_parameters import query_choice, query_number, query_time
from .responses import JSON, json_response
from .rest_routes import RestRoutes, by_method

TABLES_LISTED: Final = 100
"""If nobody says how many."""


class LobbyAndTables(RestRoutes):
    """The part of REST for tables: the lobby, setting one up, sitting down, its record."""

    @cached_property
    def lobby(self) -> Lobby:
        """What lists show."""
        return Lobby(self.context.hall)

    def routes(self) -> list[Route]:
        """The lobby, tables, records."""
        table = "/api/tables/{table:str}"
        return [
            Route(
                "/api/tables",
                by_method(GET=self.guarded(self.tables), POST=self.guarded(self.create, writes=True)),
                methods=["GET", "POST"],
            ),
            Route(table, self.guarded(self.table)),
            Route(f"{table}/record", self.guarded(self.record)),
            Route(f"{table}/seats/{{color:str}}", self.guarded(self.take_seat, writes=True), methods=["POST"]),
        ]

    async def tables(self, request: Request) -> Response:
        """The lobby: open tables, newest first. What is over is nobody's but theirs who sat there."""
        status = query_choice(request, "status", TABLE_STATUSES)
        limit, before = (
            query_number(request, "limit", TABLES_LISTED, 1, MOST_TABLES_LISTED),
            query_time(request, "before"),
        )
        lines = [table.line() for table in self.lobby.page(status, limit, before)]
        return json_response(api.TableList(tables=tuple(lines), total=self.lobby.count(status)))

    async def table(self, request: Request) -> Response:
        """One table through the eyes of the one who asks."""
        runner, guest = await self.visible_table(request)
        table, eyes = runner.table, guest.color
        answer = api.TableAnswer(
            table=table.line_for(eyes, is_insider=is_insider(table, guest)),
            board=table.board.to_toml(),
            projection=table.projection(eyes),
            number=len(table.by_eyes[eyes].stream),
        )
        return json_response(answer)

    async def create(self, request: Request) -> Response:
        """Set up a table and sit down at it."""
        new_table = await self.read_body(request, api.NewTable)
        guest_id, is_known = self.context.guest_id_of(request)
        if new_table.key is not None and not is_known:
            guest_id = self.context.newcomer(new_table.key, self.context.address(request))
        try:
            settings = await asyncio.to_thread(read_settings, new_table)  # a board may be long, and wrong throughout
            address, key = self.context.address(request), new_table.key
            created_table = await self.context.table_setup.set_up(guest_id, address, key, settings)
        except Declined as error:
            if error.refusal.code != "not_readable":
                raise
            raise _setup_conflict(error.refusal) from error
        return self._seat_response(
            request, created_table.id, created_table.color, created_table.token, None if is_known else guest_id
        )

    async def take_seat(self, request: Request) -> Response:
        """Sit down on a free seat."""
        guest_id, is_known = self.context.guest_id_of(request)
        runner = await self.runner(request, guest_id)
        table, color = runner.table, request.path_params["color"]
        await self.context.check_may_look(table, Guest(guest_id))
        table.find_seat(color, "no_seat_here")
        taking = await self.read_body(request, api.TakeSeat)
        address = self.context.address(request)
        token = await self.context.table_setup.take_seat(runner, color, guest_id, taking.name, address)
        return self._seat_response(request, table.id, color, token, None if is_known else guest_id)

    async def record(self, request: Request) -> Response:
        """The record: of a finished game whole, of a running one what the asker has seen."""
        form = query_choice(request, "form", ("text", "json")) or "text"
        runner, guest = await self.visible_table(request)
        table = runner.table
        if table.game is None:
            raise Declined.because("nothing_written")
        self.context.spend("records", self.context.address(request))
        text = await self.make_record(request, record_writer(table, guest.color, form))
        media_type = JSON if form == "json" else "text/plain; charset=utf-8"
        return Response(text, headers={"Content-Type": media_type})

    # --- small parts ---------------------------------------------------------------------------------------------

    def _seat_response(
        self, request: Request, table_id: str, color: Color | None, token: str | None, new_guest_id: str | None
    ) -> Response:
        base = self.context.base(request)
        watch = watch_link(base, table_id)
        link = watch if token is None else seat_link(base, table_id, token)
        line: TableLine = self.context.hall.loaded(table_id).table.line()
        response = json_response(api.SeatTaken(table=line, seat=color, token=token, link=link, watch=watch), 201)
        if new_guest_id is not None:
            cookie = self.context.identity.set_cookie(new_guest_id, secure=self.context.settings.secure)
            response.headers.append("Set-Cookie", cookie)
        return response


def listed_line(row: TableRow, hall: Hall) -> TableLine:
    """A table of a list: as it is in memory, or as it was stored."""
    try:
        return hall.loaded(row.id).table.line()
    except Declined:
        stored: dict[str, Any] = msgspec.json.decode(row.summary)
        return msgspec.convert({"created": row.created, **stored}, TableLine)  # older ones lack when it was


def _setup_conflict(refusal: Refusal) -> Declined:
    """It could be read; but no table can be made like that."""
    return Declined(replace(refusal, code="not_allowed", special_status=409))


def record_writer(table: Table, eyes: Eyes, form: str) -> Callable[[], str]:
    """What writes the record of a table as it is now, as text or JSON; it may be called in a thread.

    Of a game that is over whole, with the proof of its dice; of a running one what these eyes have seen.
    """
    game, is_over = table.begun_game.copy(), table.status == "over"
    names = tuple(table.names_by_color.values())
    proof = table.fair_dice.proof(table.id, show_key=table.shows_dice_key)
    tags = {} if proof is None else {PROOF_TAG: proof.text()}

    def write() -> str:
        record: Record = replace(game.record(), names=names, tags=tags)
        shown = visible_record(record, eyes, is_over)
        return shown.to_json() if form == "json" else shown.text()

    return write


def visible_record(record: Record, eyes: Eyes, is_over: bool) -> Record:
    """What may be shown of a record: all once the game is over, else what these eyes have seen."""
    return record if is_over else record.seen_by(eyes)
