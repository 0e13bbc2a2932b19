"""What all parts of REST have in common: the context, limits, refusals in the one shape, and the table of a path."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from starlette.requests import Request
from starlette.responses import Response

from ...tables.runner import TableRunner
from ...wire.host_refusals import Declined
from ..context import Context
from .responses import refusal_response

Endpoint = Callable[[Request], Awaitable[Response]]


class RestRoutes:
    """A part of REST; each has `routes` of its own."""

    def __init__(self, context: Context) -> None:
        self.context = context

    def guarded(self, endpoint: Endpoint, *, writes: bool = False) -> Endpoint:
        """Count the request; whatever is refused is refused in the one shape."""

        async def answer(request: Request) -> Response:
            try:
                address = self.context.address(request)
                self.context.spend("writing" if writes else "reading", address)
                return await endpoint(request)
            except Declined as error:
                return refusal_response(error.refusal)

        return answer

    async def runner(self, request: Request) -> TableRunner:
        """The table that the path names. Raises Declined."""
        return await self.context.table_runner(request.path_params["table"], self.context.address(request))
