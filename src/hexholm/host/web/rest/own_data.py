"""REST for what is kept of the guest in the cookie: carried to another device, and shown to it as a whole.

`GET, POST, DELETE /api/me/recoveries`, `POST /api/me/recover`, `GET /api/me/export`. Secrets travel in bodies alone: no
address holds one, so none gets into a log. Deleting is in :mod:`.own_tables`.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from functools import cached_property
from typing import Final

import msgspec
import segno
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from ...storage.repositories.guest_data import EXPORT_PARTS, GuestData, GuestExport
from ...storage.values import guest_mark
from ...wire import guest_api
from ...wire.host_refusals import Declined
from ...wire.links import recovery_link, watch_link
from ..admission.counted_origin import counted_network
from ..admission.limits import Buckets
from ..admission.recovery_text import new_secret, read_recovery_text, recovery_text
from ..operations.settings import is_loopback, outside_address
from .responses import JSON, json_response
from .rest_routes import RestRoutes, by_method

ONCE_SECONDS: Final = 600.0
"""For which a text that works once can be used."""
EXPORT_FORMAT: Final = "hexholm guest 1"


class OwnData(RestRoutes):
    """The part of REST with which a guest decides over what is kept of it."""

    @cached_property
    def _guests(self) -> GuestData:
        return GuestData(self.context.storage)

    @cached_property
    def _tries(self) -> tuple[Buckets, Buckets]:
        """Texts that were tried, by network and by all."""
        limits = self.context.settings.limits
        return Buckets(limits.recovery), Buckets(limits.all_recovery)

    def routes(self) -> list[Route]:
        """What a guest may do with what is kept of it."""
        recoveries = by_method(
            GET=self.guarded(self.recoveries),
            POST=self.guarded(self.make_recovery, writes=True),
            DELETE=self.guarded(self.revoke, writes=True),
        )
        return [
            Route("/api/me/recoveries", recoveries, methods=["GET", "POST", "DELETE"]),
            Route("/api/me/recover", self.guarded(self.recover, writes=True), methods=["POST"]),
            Route("/api/me/export", self.guarded(self.export)),
        ]

    # --- to another device ---------------------------------------------------------------------------------------

    async def recoveries(self, request: Request) -> Response:
        """When was made what recovers the guest who asks."""
        rows = await self._guests.recoveries(self.known_guest(request), self._now())
        lines = tuple(guest_api.RecoveryLine(created=row.created, expires=row.expires) for row in rows)
        return json_response(guest_api.Recoveries(recoveries=lines))

    async def make_recovery(self, request: Request) -> Response:
        """Something that recovers the guest who asks, told once."""
        body = await self.read_body(request, guest_api.RecoveryWish)
        guest_id, secret, now = self.known_guest(request), new_secret(), self._now()
        expires = now + ONCE_SECONDS if body.kind == "once" else None
        await self._guests.add_recovery(guest_id, secret, now, expires)
        self.context.logger.info("recovery made", guest=guest_mark(guest_id), kind=body.kind)
        text = recovery_text(secret)
        link = recovery_link(self._outside_base(request), text)
        picture = segno.make(link, error="m", micro=False).svg_data_uri(dark="#000", light="#fff", omitsize=True)
        answer = guest_api.NewRecovery(text=text, link=link, picture=picture, expires=expires)
        return json_response(answer, 201)

    async def revoke(self, request: Request) -> Response:
        """Nothing recovers the guest who asks any more."""
        guest_id = self.known_guest(request)
        count = await self._guests.revoke_recoveries(guest_id)
        self.context.logger.info("recoveries revoked", guest=guest_mark(guest_id), count=count)
        return json_response(guest_api.Recoveries(recoveries=()))

    async def recover(self, request: Request) -> Response:
        """Be somebody else from now on: the guest that a text recovers."""
        body = await self.read_body(request, guest_api.Recover)
        secret, now = read_recovery_text(body.text), self._now()
        address = self.context.address(request)
        by_network, by_all = self._tries  # a mistake in spelling has cost nothing: it is seen without asking storage
        if not (by_network.spend(counted_network(address)) and by_all.spend("all")):
            raise Declined.because("too_much_at_once")
        guest_id = await self._guests.recoverable(secret, now)
        if guest_id is None:
            raise Declined.because("recovery_unknown")
        self.context.sanctions.check_welcome(guest_id, address)
        own_id, is_known = self.context.guest_id_of(request)
        if is_known and own_id != guest_id and not body.replace and await self._guests.has_anything(own_id):
            raise Declined.because("another_guest_here")
        if await self._guests.recover(secret, now) != guest_id:  # used up meanwhile
            raise Declined.because("recovery_unknown")
        self.context.logger.info("guest recovered", guest=guest_mark(guest_id))
        row = await self.context.storage.guest(guest_id)
        tables = await self._guests.count_tables(guest_id)
        response = json_response(guest_api.Recovered(name="" if row is None else row.name, tables=tables), 201)
        cookie = self.context.identity.set_cookie(guest_id, secure=self.context.settings.secure)
        response.headers.append("Set-Cookie", cookie)
        return response

    def _outside_base(self, request: Request) -> str:
        """How another device reaches this server: not by the name that this machine has for itself."""
        if is_loopback(request.url.hostname or ""):
            return outside_address(self.context.settings) or self.context.base(request)
        return self.context.base(request)

    def _now(self) -> float:
        return self.context.hall.services.now()

    # --- all that is kept ----------------------------------------------------------------------------------------

    async def export(self, request: Request) -> Response:
        """All that is kept of the guest who asks, as a file, read bit by bit."""
        guest_id = self.known_guest(request)
        self.context.spend("records", self.context.address(request))
        export, base = await self._guests.export(guest_id), self.context.base(request)
        return StreamingResponse(
            self._export_text(guest_id, export, base),
            media_type=JSON,
            headers={"Content-Disposition": 'attachment; filename="hexholm-me.json"'},
        )

    async def _export_text(self, guest_id: str, export: GuestExport, base: str) -> AsyncIterator[bytes]:
        about = {"format": EXPORT_FORMAT, "made": self._now(), "mark": guest_mark(guest_id)}
        yield msgspec.json.encode({**about, **msgspec.to_builtins(export)}).removesuffix(b"}")
        for name in EXPORT_PARTS:
            yield b',"%s":[' % name.encode()
            before = b""
            async for rows in self._guests.export_part(guest_id, name):
                if name == "tables":
                    for row in rows:
                        row["link"] = watch_link(base, row["table"])
                        row["record"] = f"{base}/api/tables/{row['table']}/record"
                yield before + msgspec.json.encode(rows)[1:-1]
                before = b","
            yield b"]"
        yield b"}"
