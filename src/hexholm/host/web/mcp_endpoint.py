"""Where the server meets assistants: `/mcp`, behind the same middleware and within the same limits as everything else.

The library that speaks the protocol is an extra and slow to load. It is loaded when the first assistant comes, beside
the tables and not before them. What is refused here is told as the protocol tells errors, so that an assistant's
program can show why.
"""

from __future__ import annotations

import asyncio
from typing import Final

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ..wire.host_refusals import Declined, Refusal
from .context import Context

PATH: Final = "/mcp"
MISSING: Final = "this server has no seat for assistants; its operator adds it with: pip install 'hexholm[assistants]'"
NO: Final = -32600
"""The protocol's number for a request that cannot be served."""


class Assistants:
    """The seat of assistants at a server."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self._app: ASGIApp | None = None
        self._loading = asyncio.Lock()

    def routes(self) -> list[Route]:
        """Its path: one request, one answer."""
        return [Route(PATH, self, methods=["POST"])]  # nothing is pushed and no session is kept: no GET, no DELETE

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request; so many at once from one address and network, since calls that wait hold a connection each."""
        request = Request(scope, receive)
        address = self.context.address(request)
        try:
            self.context.spend("reading", address)
            self.context.shedding.check("new")
            with self.context.connections.of_address(address):
                body = await self._body(request)
                app = await self._load()
                await app(scope, _with_body(body, receive), send)
        except Declined as error:
            await _error_response(error.refusal)(scope, receive, send)

    async def _body(self, request: Request) -> bytes:
        """What is asked, whole, before anybody reads it."""
        most, body = self.context.largest_body, bytearray()
        async for chunk in request.stream():
            body += chunk
            if len(body) > most:
                raise Declined.because("body_too_large", most=most)
        try:
            msgspec.json.decode(body)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
            raise Declined.because("unreadable", detail=str(error)) from error
        return bytes(body)

    async def _load(self) -> ASGIApp:
        async with self._loading:
            if self._app is None:
                try:
                    self._app = await asyncio.to_thread(_load_app, self.context)
                except ImportError as error:
                    raise Declined(Refusal("not_found", MISSING, "no_such_address")) from error
            return self._app


def _load_app(context: Context) -> ASGIApp:
    from ..assistants.mcp_server import McpApp

    return McpApp(context)


def _with_body(body: bytes, receive: Receive) -> Receive:
    """A request whose body was read already."""
    messages: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def receive_body() -> Message:
        return messages.pop() if messages else await receive()

    return receive_body


def _error_response(refusal: Refusal) -> Response:
    error = {
        "code": NO,
        "message": refusal.message,
        "data": {"code": refusal.code, "why": refusal.why, "values": refusal.values},
    }
    body = msgspec.json.encode({"jsonrpc": "2.0", "id": None, "error": error})
    response = Response(body, refusal.status, media_type="application/json")
    if "retry_after" in refusal.values:
        response.headers["Retry-After"] = str(refusal.values["retry_after"])
    return response
