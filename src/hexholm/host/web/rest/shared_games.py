"""REST for showing a finished game: a link that one who sat there gives to others, until it is taken back.

GET, POST and DELETE /api/tables/{id}/share
"""

from __future__ import annotations

import secrets
from functools import cached_property

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from ...storage.repositories.shares import Shares
from ...storage.values import guest_mark
from ...tables.audience.who_may_look import is_insider
from ...wire import api
from ...wire.host_refusals import Declined
from ...wire.links import share_link
from .responses import json_response
from .rest_routes import RestRoutes, by_method


class SharedGames(RestRoutes):
    """The part of REST by which a finished game is shown to others."""

    def routes(self) -> list[Route]:
        """Whether one shows a game, showing it, taking it back."""
        return [
            Route(
                "/api/tables/{table:str}/share",
                by_method(
                    GET=self.guarded(self.is_shown),
                    POST=self.guarded(self.show, writes=True),
                    DELETE=self.guarded(self.take_back, writes=True),
                ),
                methods=["GET", "POST", "DELETE"],
            )
        ]

    @cached_property
    def _shares(self) -> Shares:
        return Shares(self.context.storage)

    async def is_shown(self, request: Request) -> Response:
        """Whether the one who asks shows the game."""
        table_id, guest_id = await self._own_game(request)
        shown = await self._shares.is_shown_by(table_id, guest_id)
        return json_response(api.ShareAnswer(shown=shown, public=await self._shares.is_public(table_id)))

    async def show(self, request: Request) -> Response:
        """A link that shows the game; the one that this guest gave before shows nothing any more."""
        table_id, guest_id = await self._own_game(request)
        secret = secrets.token_urlsafe(24)
        await self._shares.add(table_id, guest_id, secret, self.context.hall.services.now())
        self.context.logger.info("game shown", table=table_id, guest=guest_mark(guest_id))
        link = share_link(self.context.base(request), table_id, secret)
        public = await self._shares.is_public(table_id)
        return json_response(api.ShareAnswer(shown=True, public=public, link=link), 201)

    async def take_back(self, request: Request) -> Response:
        """The guest's own link shows nothing any more; nor does that of the table, if the operator kept it so."""
        table_id, guest_id = await self._own_game(request)
        await self._shares.remove(table_id, guest_id)
        await self._shares.end_public(table_id)
        self.context.logger.info("game taken back", table=table_id, guest=guest_mark(guest_id))
        return json_response(api.ShareAnswer(shown=False))

    async def _own_game(self, request: Request) -> tuple[str, str]:
        """The finished game that the path names, and the guest who asks, who may show it. Raises Declined."""
        runner, guest = await self.visible_table(request)
        table = runner.table
        if table.status != "over":
            raise Declined.because("not_over")
        if table.game is None:
            raise Declined.because("never_begun")
        if not is_insider(table, guest):
            raise Declined.because("not_yours_to_show")
        return table.id, guest.id
