"""REST: the lobby, tables, seats, records, editions, figures. :mod:`...wire.openapi` writes it down."""

from __future__ import annotations

import asyncio
import math
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import replace
from functools import cache
from heapq import nlargest
from typing import Any, Final

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from hexholm import __version__
from hexholm.game.game import Game
from hexholm.game.new_game import options as game_options
from hexholm.game.records.data import Record
from hexholm.rules.errors import BadInput

from ...storage import StorageError, TableRow
from ...tables.hall import Created, Hall, HallRefusal, NoTable, id_from
from ...tables.special.lessons import prepared
from ...tables.table import Guest, Table
from ...wire import api
from ...wire.api import Declined
from ...wire.messages import PROTOCOL, Begin, TableLine
from ...wire.openapi import document
from ..context import Desk, declined
from ..identity import bearer, seat_link, short, watch_link
from ..operations.compiled_rules import is_warming
from ..operations.metrics import CONTENT_TYPE
from ..operations.settings import reached

STATUSES: Final = ("open", "playing", "over")
MOST_LISTED: Final = 500
LISTED: Final = 100
JSON: Final = "application/json"
NOT_THE_HALLS: Final = ("sit", "begin", "key")
"""What a new table is asked for with and the hall need not know."""
Endpoint = Callable[[Request], Awaitable[Response]]
_encode = msgspec.json.encode


class Rest:
    """The REST side of a server."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk

    def routes(self) -> list[Route]:
        """All paths."""
        table = "/api/tables/{table:str}"
        return [
            Route("/healthz", self.healthz),
            Route("/readyz", self.guarded(self.readyz)),
            Route("/metrics", self.figures),
            Route("/openapi.json", self.guarded(self.openapi)),
            Route("/api/statistics", self.guarded(self.statistics)),
            Route(
                "/api/tables",
                _by_method(self.guarded(self.tables), self.guarded(self.create, writes=True)),
                methods=["GET", "POST"],
            ),
            Route(table, self.guarded(self.table)),
            Route(f"{table}/record", self.guarded(self.record)),
            Route(f"{table}/seats/{{color:str}}", self.guarded(self.take, writes=True), methods=["POST"]),
        ]

    def guarded(self, endpoint: Endpoint, *, writes: bool = False) -> Endpoint:
        """Count the request; whatever is refused is refused in the one shape."""

        async def answer(request: Request) -> Response:
            try:
                address = self.desk.address(request)
                self.desk.spend(self.desk.writing if writes else self.desk.reading, address)
                return await endpoint(request)
            except Declined as no:
                return failure(no)
            except HallRefusal as no:
                return failure(declined(no))

        return answer

    # --- figures -------------------------------------------------------------------------------------------------

    async def healthz(self, _request: Request) -> Response:
        """The process is alive."""
        return json_answer(api.Health(status="ok", version=__version__))

    async def readyz(self, _request: Request) -> Response:
        """The server can take commands."""
        if self.desk.stopping:
            raise Declined.because("stopping")
        try:
            await self.desk.hall.storage.meta("program")
        except StorageError:
            raise Declined.because("cannot_read") from None
        if not self.desk.hall.storing:
            raise Declined.because("cannot_write")
        return json_answer(api.Health(status="ready", version=__version__))

    async def figures(self, _request: Request) -> Response:
        """Figures for Prometheus."""
        return Response(self.desk.metrics.text(), headers={"Content-Type": CONTENT_TYPE})

    async def statistics(self, _request: Request) -> Response:
        """Figures for people."""
        count = Counter(table.status for table in self.desk.hall.every)
        count["over"] = await self.desk.hall.storage.count("over")  # most of them are no longer in memory
        tables = {status: count[status] for status in STATUSES}
        sockets = len(self.desk.by_guest)
        return json_answer(
            api.Statistics(
                version=__version__,
                protocol=PROTOCOL,
                tables=tables,
                sockets=sockets,
                warming=is_warming(),
                link=reached(self.desk.settings),
            )
        )

    async def openapi(self, _request: Request) -> Response:
        """What can be done over REST."""
        return Response(_openapi(), media_type=JSON)

    # --- tables --------------------------------------------------------------------------------------------------

    async def tables(self, request: Request) -> Response:
        """The lobby: tables, newest first, but no lesson that goes on. Those that are over come from storage."""
        status = choice(request, "status", STATUSES)
        limit, before = number(request, "limit", LISTED, 1, MOST_LISTED), moment(request, "before")
        hall, storage = self.desk.hall, self.desk.hall.storage
        running = [
            table
            for table in hall.every
            if table.status != "over" and not table.lesson and status in (None, table.status)
        ]
        older = (table for table in running if before is None or table.created < before)
        lines = [table.line() for table in nlargest(limit, older, key=lambda table: table.created)]
        total = len(running)
        if status in (None, "over"):
            total += await storage.count("over")
            rows = await storage.tables("over", limit=limit, before=None if before is None else (before, ""))
            lines += [line_of(row, hall) for row in rows]
        lines.sort(key=lambda line: line.created, reverse=True)
        return json_answer(api.TableList(tables=tuple(lines[:limit]), total=total))

    async def table(self, request: Request) -> Response:
        """One table through the eyes of the one who asks."""
        table = await self.desk.table(request.path_params["table"], request)
        eyes = self._who(request, table).seat
        answer = api.TableAnswer(
            table=table.line(),
            board=table.board.to_toml(),
            projection=table.projection(eyes),
            number=len(table.streams.get(eyes, ())),
        )
        return json_answer(answer)

    async def create(self, request: Request) -> Response:
        """Set up a table and sit down at it."""
        asked = await self._body(request, api.NewTable)
        if asked.lesson:
            asked = _lesson(asked)
        guest, known = self.desk.guest(request)
        if asked.key is not None and not known:
            guest = self.desk.identity.guest_of(asked.key)
        wanted = {name: getattr(asked, name) for name in asked.__struct_fields__ if name not in NOT_THE_HALLS}
        wanted["seat"] = seat = _seat(asked) if asked.sit else None
        free = [color for color in _colors(asked) if color != seat and not asked.seats.get(color)]
        if asked.begin and free:
            raise Declined.because("begin_needs_bots", status=409, seats=tuple(free))
        try:
            async with self.desk.setting_up:
                if asked.key is not None:
                    wanted["id"] = id_from(self.desk.identity.derived("table", guest, asked.key))
                made = None if asked.key is None else await self._made_before(guest, wanted["id"])
                if made is None:
                    self.desk.room_for_a_table(guest, self.desk.address(request))
                    made = await self.desk.hall.create(guest, **wanted)
                    self.desk.made_from[made.table] = self.desk.address(request)
                    self.desk.log.info("table set up", table=made.table, guest=short(guest))
        except HallRefusal as no:
            if no.code != "not_readable":
                raise
            raise _not_like_that(no) from no
        if asked.begin:
            await self.desk.hall.send(made.table, Guest(guest, made.seat), Begin(id="at once"))
        return self._seated(request, made.table, made.seat, made.token, None if known else guest)

    async def take(self, request: Request) -> Response:
        """Sit down on a free seat."""
        table = await self.desk.table(request.path_params["table"], request)
        color = request.path_params["color"]
        if color not in table.seats:
            raise Declined.because("no_seat_here", seat=color[:20], seats=table.colors)
        asked = await self._body(request, api.TakeSeat)
        guest, known = self.desk.guest(request)
        token = await self.desk.hall.take(table.id, color, guest, asked.name)
        self.desk.log.info("seat taken", table=table.id, seat=color, guest=short(guest))
        return self._seated(request, table.id, color, token, None if known else guest)

    async def record(self, request: Request) -> Response:
        """The record: of a finished game whole, of a running one what the asker has seen."""
        form = choice(request, "form", ("text", "json")) or "text"
        table = await self.desk.table(request.path_params["table"], request)
        guest = self._who(request, table)
        if table.game is None:
            raise Declined.because("nothing_written")
        self.desk.spend(self.desk.records, self.desk.address(request))
        names = tuple(seat.name or seat.color for seat in table.seats.values())
        text = await asyncio.to_thread(_record, table.game.copy(), names, guest.seat, table.status == "over", form)
        kind = JSON if form == "json" else "text/plain; charset=utf-8"
        return Response(text, headers={"Content-Type": kind})

    async def _made_before(self, guest: str, table: str) -> Created | None:
        """The table that was set up under this name already, with one more token for the seat of the one who did."""
        try:
            found = await self.desk.hall.recall(table)
        except NoTable:
            return None
        if all(seat.guest != guest for seat in found.seats.values()):
            return Created(found.id)
        return Created(found.id, *await self.desk.hall.another_token(found.id, guest))

    # --- small parts ---------------------------------------------------------------------------------------------

    def _who(self, request: Request, table: Table) -> Guest:
        """Who asks: the holder of the token in the Authorization header, or the public."""
        header = request.headers.get("authorization")
        token = bearer(header)
        if header is not None and token is None:
            raise Declined.because("bad_bearer")
        guest, _ = self.desk.guest(request)
        return self.desk.who(table.id, token, guest)

    async def _body(self, request: Request, kind: type[Any]) -> Any:
        most = self.desk.settings.limits.body
        if request.headers.get("content-type", "").partition(";")[0].strip().lower() != JSON:
            raise Declined.because("not_json", status=415)
        body = bytearray()
        async for chunk in request.stream():
            body += chunk
            if len(body) > most:
                raise Declined.because("body_too_large", most=most)
        try:
            return msgspec.convert(_whole(msgspec.json.decode(bytes(body))), kind)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as no:
            raise Declined.because("unreadable", detail=str(no)) from no

    def _seated(
        self, request: Request, table: str, seat: str | None, token: str | None, new_guest: str | None
    ) -> Response:
        base = self.desk.base(request)
        watch = watch_link(base, table)
        link = watch if token is None else seat_link(base, table, token)
        line: TableLine = self.desk.hall.table(table).line()
        response = json_answer(api.SeatTaken(table=line, seat=seat, token=token, link=link, watch=watch), 201)
        if new_guest is not None:
            cookie = self.desk.identity.set_cookie(new_guest, secure=self.desk.settings.secure)
            response.headers.append("Set-Cookie", cookie)
        return response


def failure(no: Declined) -> Response:
    """A refusal in the one shape."""
    return json_answer(no.failure, no.status)


def json_answer(data: Any, status: int = 200) -> Response:
    """An answer as JSON."""
    return Response(_encode(data), status, media_type=JSON)


def _by_method(get: Endpoint, post: Endpoint) -> Endpoint:
    async def either(request: Request) -> Response:
        return await (post if request.method == "POST" else get)(request)

    return either


def choice(request: Request, name: str, choices: tuple[str, ...]) -> str | None:
    """One of some words in the query; None if nothing is said."""
    said = request.query_params.get(name)
    if said is not None and said not in choices:
        raise Declined.because("bad_choice", name=name, said=said[:40], choices=choices)
    return said


def number(request: Request, name: str, default: int, least: int, most: int) -> int:
    """A number in the query."""
    said = request.query_params.get(name)
    if said is None:
        return default
    if not (said.isascii() and said.isdigit() and len(said) <= 9 and least <= int(said) <= most):
        raise Declined.because("bad_number", name=name, said=said[:40], least=least, most=most)
    return int(said)


def moment(request: Request, name: str) -> float | None:
    """A time in the query, in unix seconds; None if nothing is said."""
    said = request.query_params.get(name)
    if said is None:
        return None
    try:
        found = float(said)
    except ValueError:
        found = math.nan
    if not 0 <= found < math.inf:
        raise Declined.because("bad_time", name=name, said=said[:40])
    return found


def line_of(row: TableRow, hall: Hall) -> TableLine:
    """A table of a list: as it is in memory, or as it was stored."""
    try:
        return hall.table(row.id).line()
    except HallRefusal:
        stored: dict[str, Any] = msgspec.json.decode(row.summary)
        return msgspec.convert({"created": row.created, **stored}, TableLine)  # older ones lack when it was


def _whole(data: Any) -> Any:
    """The data with 5.0 as 5: in JSON both are the same number."""
    if isinstance(data, dict):
        return {key: _whole(value) for key, value in data.items()}
    if isinstance(data, list):
        return [_whole(value) for value in data]
    return int(data) if isinstance(data, float) and data.is_integer() and abs(data) < 2**53 else data


def _lesson(asked: api.NewTable) -> api.NewTable:
    """A table with a lesson, as that has it."""
    try:
        return prepared(asked)
    except BadInput as no:
        raise _not_like_that(no) from no


def _not_like_that(no: BadInput) -> Declined:
    """It could be read; but no table can be made like that."""
    said = declined(no)
    return Declined("not_allowed", said.message, rule=said.rule, status=409, why=said.why, values=said.values)


def _seat(asked: api.NewTable) -> str | None:
    """Where the one who sets up a table sits: where it wants to, or on the first seat without a bot."""
    if asked.seat is not None:
        return asked.seat
    colors = _colors(asked)
    free = [color for color in colors if asked.seats.get(color) is None]
    if colors and not free:
        raise Declined.because("no_seat_left", status=409)
    return free[0] if free else None


def _colors(asked: api.NewTable) -> tuple[str, ...]:
    """The colours of a new table; none if its options make no sense: the hall says what is wrong with them."""
    try:
        return game_options(**asked.options).colors
    except (BadInput, TypeError, ValueError):
        return ()


def _record(game: Game, names: tuple[str, ...], eyes: str | None, whole: bool, form: str) -> str:
    """A record as text or JSON; runs in a thread, on a copy of the game."""
    record: Record = replace(game.record(), names=names)
    seen = record if whole else record.seen_by(eyes)
    return seen.to_json() if form == "json" else seen.text()


@cache
def _openapi() -> bytes:
    return msgspec.json.format(_encode(document()), indent=2)
