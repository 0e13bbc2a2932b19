"""REST for operators: whether the server lives and takes commands, figures, and the page of all of REST."""

from __future__ import annotations

from functools import cache

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from hexholm import __version__

from ...storage import StorageError
from ...table_literals import TableStatus
from ...wire import api
from ...wire.description.openapi import openapi_document
from ...wire.host_refusals import Declined
from ...wire.messages import PROTOCOL_VERSION
from ..operations.compiled_rules import share_compiled
from ..operations.metrics import CONTENT_TYPE
from ..operations.settings import outside_address
from .responses import JSON, json_response
from .rest_routes import RestRoutes


class ServerStatus(RestRoutes):
    """The part of REST for those who run the server."""

    def routes(self) -> list[Route]:
        """Health, figures, the OpenAPI document."""
        return [
            Route("/healthz", self.healthz),
            Route("/readyz", self.guarded(self.readyz, always=True)),
            Route("/metrics", self.guarded(self.figures, always=True)),
            Route("/openapi.json", self.guarded(self.openapi, always=True)),
            Route("/api/statistics", self.guarded(self.statistics, always=True)),
        ]

    async def healthz(self, _request: Request) -> Response:
        """The process is alive."""
        return json_response(api.Health(status="ok", version=__version__))

    async def readyz(self, _request: Request) -> Response:
        """The server can take commands."""
        if self.context.stopping:
            raise Declined.because("stopping")
        try:
            await self.context.storage.meta("program")
        except StorageError:
            raise Declined.because("cannot_read") from None
        if not self.context.hall.storing:
            raise Declined.because("cannot_write")
        return json_response(api.Health(status="ready", version=__version__))

    async def figures(self, request: Request) -> Response:
        """Figures for Prometheus; written afresh each time, so they are counted like records."""
        self.context.spend("records", self.context.address(request))
        return Response(self.context.metrics.text(), headers={"Content-Type": CONTENT_TYPE})

    async def statistics(self, _request: Request) -> Response:
        """Figures for people."""
        storage = self.context.storage
        not_over: tuple[TableStatus, ...] = ("open", "playing")  # a game that is over is theirs who sat there
        tables: dict[str, int] = {status: await storage.count(status, visibility="open") for status in not_over}
        sockets = len(self.context.connections.by_guest)
        compiled = share_compiled()
        return json_response(
            api.Statistics(
                version=__version__,
                protocol=PROTOCOL_VERSION,
                tables=tables,
                sockets=sockets,
                warming=compiled < 1,
                compiled=round(compiled, 2),
                link=outside_address(self.context.settings),
            )
        )

    async def openapi(self, _request: Request) -> Response:
        """What can be done over REST."""
        return Response(_openapi_json(), media_type=JSON)


@cache
def _openapi_json() -> bytes:
    return msgspec.json.format(msgspec.json.encode(openapi_document()), indent=2)
