"""Where the server meets assistants: `/mcp`, behind the same door and within the same limits as everything else.

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

from ..wire.api import Declined
from .context import Desk

PATH: Final = "/mcp"
MISSING: Final = "this server has no seat for assistants; its operator adds it with: pip install 'hexholm[assistants]'"
NO: Final = -32600
"""The protocol's number for a request that cannot be served."""


class Assistants:
    """The seat of assistants at a server."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self._mouth: ASGIApp | None = None
        self._loading = asyncio.Lock()

    def routes(self) -> list[Route]:
        """The one path."""
        return [Route(PATH, self, methods=["POST"])]  # nothing is pushed and no session is kept: no GET, no DELETE

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request; so many at once from one address, since calls that wait hold a connection each."""
        request = Request(scope, receive)
        address, places = self.desk.address(request), self.desk.by_address
        try:
            self.desk.spend(self.desk.reading, address)
            if not places.take(address):
                raise Declined.because("address_connections")
            try:
                body = await self._body(request)
                mouth = await self._loaded()
                await mouth(scope, _again(body, receive), send)
            finally:
                places.give_back(address)
        except Declined as no:
            await _refusal(no)(scope, receive, send)

    async def _body(self, request: Request) -> bytes:
        """What is asked, whole, before anybody reads it."""
        most, body = self.desk.settings.limits.body, bytearray()
        async for chunk in request.stream():
            body += chunk
            if len(body) > most:
                raise Declined.because("body_too_large", most=most)
        try:
            msgspec.json.decode(body)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as no:
            raise Declined.because("unreadable", detail=str(no)) from no
        return bytes(body)

    async def _loaded(self) -> ASGIApp:
        async with self._loading:
            if self._mouth is None:
                try:
                    self._mouth = await asyncio.to_thread(_load, self.desk)
                except ImportError as error:
                    raise Declined("not_found", MISSING, why="no_such_address") from error
            return self._mouth


def _load(desk: Desk) -> ASGIApp:
    from ..assistants.mcp_server import Mouth

    return Mouth(desk)


def _again(body: bytes, receive: Receive) -> Receive:
    """A request whose body was read already."""
    messages: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def replayed() -> Message:
        return messages.pop() if messages else await receive()

    return replayed


def _refusal(no: Declined) -> Response:
    error = {"code": NO, "message": no.message, "data": {"code": no.code, "why": no.why, "values": no.values}}
    told = msgspec.json.encode({"jsonrpc": "2.0", "id": None, "error": error})
    return Response(told, no.status, media_type="application/json")
