"""REST for the guest in the cookie: its tables, one more token for its seat, another game.

`GET /api/me`, `POST /api/me/tables/{id}/token`, `POST /api/tables/{id}/rematch`.
"""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from ...wire import api
from ...wire.api import Declined
from ..identity import seat_link, short
from .tables import LISTED, MOST_LISTED, Rest, json_answer, line_of, moment, number


class Mine:
    """The part of REST that knows a guest by its cookie."""

    def __init__(self, rest: Rest) -> None:
        self.rest, self.desk = rest, rest.desk

    def routes(self) -> list[Route]:
        """All paths."""
        guarded = self.rest.guarded
        return [
            Route("/api/me", guarded(self.me)),
            Route("/api/me/tables/{table:str}/token", guarded(self.token, writes=True), methods=["POST"]),
            Route("/api/tables/{table:str}/rematch", guarded(self.rematch, writes=True), methods=["POST"]),
        ]

    async def me(self, request: Request) -> Response:
        """The tables of the guest who asks, newest first."""
        limit = number(request, "limit", LISTED, 1, MOST_LISTED)
        before = moment(request, "before")
        guest, known = self.desk.guest(request)
        if not known:
            return json_answer(api.Me(name="", tables=()))
        storage = self.desk.hall.storage
        rows = await storage.tables_of(guest, limit=limit, before=before)
        tables = tuple(
            api.MyTable(table=line_of(row, self.desk.hall), seat=held.seat, creator=held.creator) for row, held in rows
        )
        who = await storage.guest(guest)
        return json_answer(api.Me(name="" if who is None else who.name, tables=tables))

    async def token(self, request: Request) -> Response:
        """One more token for the seat that the guest holds: a lost link is no lost seat."""
        guest = self._known(request)
        table = await self.desk.table(request.path_params["table"], request)
        seat, token = await self.desk.hall.another_token(table.id, guest)
        self.desk.log.info("token given", table=table.id, seat=seat, guest=short(guest))
        link = seat_link(self.desk.base(request), table.id, token)
        return json_answer(api.NewToken(seat=seat, token=token, link=link), 201)

    async def rematch(self, request: Request) -> Response:
        """The table that follows a finished one."""
        guest = self._known(request)
        table = await self.desk.table(request.path_params["table"], request)
        async with self.desk.setting_up:
            if table.rematch is None or not self.desk.hall.has(table.rematch):
                self.desk.room_for_a_table(guest, self.desk.address(request))
            found = await self.desk.hall.rematch(table.id, guest)
            self.desk.made_from.setdefault(found, self.desk.address(request))
        self.desk.log.info("rematch", table=table.id, next=found, guest=short(guest))
        return json_answer(api.RematchAnswer(table=found), 201)

    def _known(self, request: Request) -> str:
        guest, known = self.desk.guest(request)
        if not known:
            raise Declined.because("no_cookie")
        return guest
