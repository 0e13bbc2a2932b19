"""REST for the guest in the cookie: its tables, one more token for its seat, another game, its end.

`GET, POST, DELETE /api/me`, `POST /api/me/tables/{id}/token`, `POST /api/tables/{id}/rematch`.
"""

from __future__ import annotations

from typing import Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from hexholm.game.language.clean_text import clean_name
from hexholm.rules.colors import Color

from ...storage.repositories.guest_data import GuestData
from ...storage.values import guest_mark
from ...tables.seats import Guest
from ...wire import api
from ...wire.guest_api import GuestDeleted
from ...wire.host_refusals import Declined
from ...wire.links import seat_link
from .lobby import MOST_TABLES_LISTED
from .query_parameters import query_choice, query_number, query_time
from .responses import json_response
from .rest_routes import RestRoutes, by_method
from .tables import TABLES_LISTED, listed_line

CONFIRMED: Final = "delete"
"""What `confirm` must say, so that nothing is deleted by accident."""


class OwnTables(RestRoutes):
    """The part of REST that knows a guest by its cookie."""

    def routes(self) -> list[Route]:
        """What needs the cookie of a guest."""
        return [
            Route(
                "/api/me",
                by_method(
                    GET=self.guarded(self.me),
                    POST=self.guarded(self.introduce, writes=True),
                    DELETE=self.guarded(self.delete, writes=True),
                ),
                methods=["GET", "POST", "DELETE"],
            ),
            Route("/api/me/tables/{table:str}/token", self.guarded(self.token, writes=True), methods=["POST"]),
            Route("/api/tables/{table:str}/rematch", self.guarded(self.rematch, writes=True), methods=["POST"]),
        ]

    async def me(self, request: Request) -> Response:
        """The tables of the guest who asks, newest first; on the first page also all games that go on."""
        limit = query_number(request, "limit", TABLES_LISTED, 1, MOST_TABLES_LISTED)
        before = query_time(request, "before")
        guest_id, is_known = self.context.guest_id_of(request)
        if not is_known:
            return json_response(api.Me(name="", tables=()))
        storage = self.context.storage
        rows = await storage.tables_of(guest_id, limit=limit, before=before)
        if before is None and len(rows) == limit:  # a game over days may have begun long before the newest
            listed = {row.id for row, _ in rows}
            playing = await storage.tables_of(guest_id, limit=limit, playing=True)
            rows += [(row, holding) for row, holding in playing if row.id not in listed]
        tables = tuple(
            api.MyTable(
                table=listed_line(row, self.context.hall),
                color=holding.color,
                is_creator=holding.is_creator,
                asked_since=self._asked_since(row.id, guest_id, holding.color),
            )
            for row, holding in rows
        )
        guest = await storage.guest(guest_id)
        return json_response(api.Me(name="" if guest is None else guest.name, tables=tables))

    async def introduce(self, request: Request) -> Response:
        """What a guest wants to be called; one whom nobody knew gets a cookie."""
        introduction = await self.read_body(request, api.Introduction)
        name = clean_name(introduction.name)
        if not name:
            raise Declined.because("nothing_said")
        guest_id, is_known = self.context.guest_id_of(request)
        self.context.sanctions.check_may_write(guest_id)
        with self.context.log_budget.spending(guest_id, self.context.address(request), len(name.encode())):
            await self.context.hall.services.remember_guest(guest_id, name)
        response = json_response(api.Me(name=name, tables=()), 201)
        if not is_known:
            cookie = self.context.identity.set_cookie(guest_id, secure=self.context.settings.secure)
            response.headers.append("Set-Cookie", cookie)
        return response

    async def delete(self, request: Request) -> Response:
        """Delete all that is kept of the guest who asks, and its cookie."""
        if query_choice(request, "confirm", (CONFIRMED,)) is None:
            raise Declined.because("deletion_not_confirmed")
        guest_id = self.known_guest(request)
        tables = await GuestData(self.context.storage).count_tables(guest_id)
        await self.context.hall.forget(guest_id)
        self.context.logger.info("guest deleted", tables=tables)
        response = json_response(GuestDeleted(tables=tables))
        for name, more in ((api.COOKIE, ""), (api.HOST_COOKIE, "; Secure")):
            response.headers.append("Set-Cookie", f"{name}=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax{more}")
        return response

    def _asked_since(self, table_id: str, guest_id: str, color: Color | None) -> float | None:
        """Since when a table in memory waits for the guest on a seat, by what that seat itself sees."""
        if color is None:
            return None
        try:
            table = self.context.hall.loaded(table_id).table
        except Declined:
            return None
        seat = table.seats[color]
        if table.status != "playing" or table.paused or seat.guest_id != guest_id or not seat.plays:
            return None
        return table.by_eyes[color].asked_at

    async def token(self, request: Request) -> Response:
        """One more token for the seat that the guest holds: a lost link is no lost seat."""
        guest_id = self.known_guest(request)
        runner = await self.runner(request, guest_id)
        color, token = await runner.seat_access.another_token(guest_id)
        table = runner.table
        self.context.logger.info("token given", table=table.id, seat=color, guest=guest_mark(guest_id))
        link = seat_link(self.context.base(request), table.id, token)
        return json_response(api.NewToken(color=color, token=token, link=link), 201)

    async def rematch(self, request: Request) -> Response:
        """The table that follows a finished one."""
        guest_id = self.known_guest(request)
        table = (await self.runner(request, guest_id)).table
        await self.context.check_may_look(table, Guest(guest_id))
        next_id = await self.context.table_setup.set_up_rematch(guest_id, self.context.address(request), table)
        return json_response(api.RematchAnswer(table=next_id), 201)
