"""What all parts of REST have in common: the context, limits, refusals in the one shape, and the table of a path."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, Final

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from ...tables.running.runner import TableRunner
from ...tables.seats import Guest
from ...wire.host_refusals import Declined
from ..admission.costly_queue import Made
from ..admission.counted_origin import counted_network
from ..admission.identity import bearer_token, share_secret
from ..context import Context
from .responses import JSON, refusal_response

LONGEST_QUERY: Final = 2 * 1024
"""Bytes behind the question mark of an address. A long list of options costs the event loop more than it says."""

Endpoint = Callable[[Request], Awaitable[Response]]


class RestRoutes:
    """A part of REST; each has `routes` of its own."""

    def __init__(self, context: Context) -> None:
        self.context = context

    def guarded(self, endpoint: Endpoint, *, writes: bool = False, always: bool = False) -> Endpoint:
        """Count the request; whatever is refused is refused in the one shape.

        `writes`: it changes something; `always`: also when the server is busy, for those who run it.
        """

        async def answer(request: Request) -> Response:
            try:
                address = self.context.address(request)
                self.context.spend("writing" if writes else "reading", address)
                if not always:
                    self.context.check_load(request, writes=writes)
                if len(request.scope["query_string"]) > LONGEST_QUERY:
                    raise Declined.because("query_too_long", most=LONGEST_QUERY)
                return await endpoint(request)
            except Declined as error:
                return refusal_response(error.refusal)

        return answer

    async def visible_table(self, request: Request, table_id: str | None = None) -> tuple[TableRunner, Guest]:
        """The table of this id, else the one that the path names, and who asks, who may look at it. Raises Declined.

        It is the holder of the seat's token or of the secret of a shown game in the Authorization header, or the guest
        of the cookie.
        """
        header = request.headers.get("authorization")
        token, share = bearer_token(header), share_secret(header)
        guest_id, address = self.context.guest_id_of(request)[0], self.context.address(request)
        runner = await self.context.table_runner(
            request.path_params["table"] if table_id is None else table_id, address, guest_id, token, share
        )
        if header is not None and token is None and share is None:
            raise Declined.because("bad_bearer")
        guest = self.context.identify(runner, token, guest_id, address)
        await self.context.check_may_look(runner.table, guest, share)
        return runner, guest

    async def runner(self, request: Request, guest_id: str) -> TableRunner:
        """The table that the path names, for a guest. Raises Declined."""
        return await self.context.table_runner(request.path_params["table"], self.context.address(request), guest_id)

    async def make_record(self, request: Request, make: Callable[..., Made], *how: Any) -> Made:
        """Work something out of a game in a thread, one after another for all who ask. Raises Declined."""
        network = counted_network(self.context.address(request))
        return await self.context.records_queue.make(network, make, *how)

    def known_guest(self, request: Request) -> str:
        """The guest in the cookie. Raises Declined where there is none."""
        guest_id, is_known = self.context.guest_id_of(request)
        if not is_known:
            raise Declined.because("no_cookie")
        return guest_id

    async def read_body(self, request: Request, body_type: type[Any]) -> Any:
        """What a request brings, as JSON. Raises Declined."""
        most = self.context.settings.limits.body
        if request.headers.get("content-type", "").partition(";")[0].strip().lower() != JSON:
            raise Declined.because("not_json")
        body = bytearray()
        async for chunk in request.stream():
            body += chunk
            if len(body) > most:
                raise Declined.because("body_too_large", most=most)
        try:
            return msgspec.convert(_whole_numbers(msgspec.json.decode(bytes(body))), body_type)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
            raise Declined.because("unreadable", detail=str(error)) from error


def by_method(**endpoints: Endpoint) -> Endpoint:
    """One endpoint for a path, which goes by the method; a route of its own for each would not know the others."""

    async def answer(request: Request) -> Response:
        return await endpoints["GET" if request.method == "HEAD" else request.method](request)

    return answer


def _whole_numbers(data: Any) -> Any:
    """The data with 5.0 as 5: in JSON both are the same number."""
    if isinstance(data, dict):
        return {key: _whole_numbers(value) for key, value in data.items()}
    if isinstance(data, list):
        return [_whole_numbers(value) for value in data]
    return int(data) if isinstance(data, float) and data.is_integer() and abs(data) < 2**53 else data
