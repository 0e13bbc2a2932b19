"""The outermost layer: every request and every socket passes it before anything else looks at it.

It answers only to the names it knows (a foreign name that leads here is how a page elsewhere reaches into a private
network), and only to pages of its own origin or of allowed ones. Whoever sends no Origin is no browser, and no page can
misuse it. It adds the headers that keep browsers strict, counts requests, and catches what nobody foresaw.
"""

from __future__ import annotations

import contextlib
import re
from time import perf_counter
from typing import Final
from urllib.parse import urlsplit

import msgspec
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import ClientDisconnect, HTTPConnection
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ..wire.host_refusals import Refusal
from .context import Context
from .error_fields import error_fields
from .operations.server_log import LogBrake
from .operations.settings import is_address, is_loopback

CONTENT_POLICY: Final = (
    "default-src 'self'; base-uri 'none'; object-src 'none'; form-action 'self'; frame-ancestors 'none'; "
    "img-src 'self' data:; require-trusted-types-for 'script'"
)
HEADERS: Final = {
    "Content-Security-Policy": CONTENT_POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "X-Frame-Options": "DENY",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}
OF_PAGES: Final = frozenset({"Content-Security-Policy", "X-Frame-Options", "Permissions-Policy"})
"""Heeded for pages alone; scripts and styles come in numbers, and come without."""
OPENER: Final = ("Cross-Origin-Opener-Policy", "same-origin")
"""Heeded by browsers over TLS and on their own machine; elsewhere they complain about it."""
ALLOWED_HEADERS: Final = "Authorization, Content-Type, Last-Event-ID, Mcp-Protocol-Version, Mcp-Session-Id"
"""What pages of other origins may send: a token, and what an assistant in a browser says over MCP."""
HSTS: Final = "max-age=31536000"

HOST: Final = re.compile(r"(?:\[(?P<address>[0-9A-Fa-f:.]{2,45})\]|(?P<name>[^\s\[\]:/?#@%\\]{1,255}))(?::[0-9]{1,5})?")
"""A Host header: an address of IPv6 in brackets, or a name or an address of IPv4, and a port."""


class Middleware:
    """The outermost layer of the application."""

    def __init__(self, app: ASGIApp, context: Context) -> None:
        self.app, self.context = app, context
        self.settings, self.metrics, self.logger = context.settings, context.metrics, context.logger
        settings = self.settings
        self._hosts = settings.known_hosts()
        self._allowed_origins = frozenset(settings.origins)
        self._own_origins = frozenset({settings.public_url} - {None})
        self._public_name = urlsplit(settings.public_url or "").hostname
        self._log_brake = LogBrake()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request or socket."""
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        began, status = perf_counter(), 0
        headers = Headers(scope=scope)
        origin = headers.get("origin")
        trusted = self.settings.secure or is_loopback(_host_name(headers.get("host", "")) or "")

        async def send_with_headers(message: Message) -> None:
            nonlocal status
            if message["type"] in ("http.response.start", "websocket.http.response.start"):
                status = message["status"]
                response_headers = MutableHeaders(scope=message)
                self._add_headers(response_headers, origin, str(scope["path"]), status)
                if trusted:
                    response_headers.setdefault(*OPENER)
            await send(message)

        try:
            refusal = self.why_not(headers)
            del headers  # else they stay for as long as a socket is open
            if not self.context.spend_request(HTTPConnection(scope)):
                self.metrics.turned_away.labels("flood").inc()
                await _send_refusal(Refusal.because("too_much_at_once"), scope, receive, send_with_headers)
            elif refusal is not None:
                self.metrics.turned_away.labels("host" if refusal.status == 421 else "origin").inc()
                if (left_out := self._log_brake.count_line()) is not None:
                    self.logger.warning("turned away", why=refusal.message, path=scope["path"], left_out=left_out)
                await _send_refusal(refusal, scope, receive, send_with_headers)
            elif scope["type"] == "http" and (refusal := self.context.why_banned(HTTPConnection(scope))) is not None:
                self.metrics.turned_away.labels("banned").inc()
                await _send_refusal(refusal, scope, receive, send_with_headers)
            elif scope["type"] == "http" and scope["method"] == "OPTIONS" and origin in self._allowed_origins:
                await Response(status_code=204)(scope, receive, send_with_headers)
            else:
                await self.app(scope, receive, send_with_headers)
        except ClientDisconnect:  # in the middle of a request: nobody is left to be answered
            self.logger.info("request cut off", path=scope["path"])
        except Exception as error:
            self.logger.error("failed", path=scope["path"], **error_fields(error))
            if scope["type"] == "http" and not status:
                await _send_refusal(Refusal.because("accident"), scope, receive, send_with_headers)
            elif scope["type"] == "websocket":
                await _close_socket(send)
        if scope["type"] == "http":
            route = getattr(scope.get("route"), "path", "other")
            method = scope["method"] if scope["method"] in ("GET", "HEAD", "POST", "DELETE", "OPTIONS") else "other"
            self.metrics.requests.labels(route, method, str(status)).inc()
            self.metrics.request_seconds.observe(perf_counter() - began)

    def why_not(self, headers: Headers) -> Refusal | None:
        """Why somebody is not let in, if so."""
        host = headers.get("host", "")
        if not self._is_known(host):
            return Refusal.because("unknown_host", host=host[:80])
        origin = headers.get("origin")
        if origin is None or origin in self._own_origins or origin in self._allowed_origins:
            return None
        if _is_same_origin(origin, host) and not self._lacks_tls(origin):
            return None
        return Refusal.because("unknown_origin", origin=origin[:80])

    def _lacks_tls(self, origin: str) -> bool:
        """Whether a page of this very name came without TLS though guests use it: others may have written into it."""
        parts = urlsplit(origin)
        name = (parts.hostname or "").rstrip(".")
        return self.settings.secure and parts.scheme == "http" and name == self._public_name

    def _is_known(self, host: str) -> bool:
        """Whether a Host header names this server. An address is not a name: no foreign page can make it lead here."""
        name = _host_name(host)
        return name is not None and (name.removesuffix(".") in self._hosts or is_address(name))

    def _add_headers(self, headers: MutableHeaders, origin: str | None, path: str, status: int) -> None:
        is_asset = path.startswith("/assets/") and status in (200, 304)
        for name, value in HEADERS.items():
            if not (is_asset and name in OF_PAGES):
                headers.setdefault(name, value)
        if self.settings.secure:
            headers.setdefault("Strict-Transport-Security", HSTS)
        if path.startswith("/api/"):
            headers.setdefault("Cache-Control", "no-store")
        if self._allowed_origins:
            headers.add_vary_header("Origin")
        if origin in self._allowed_origins:
            headers["Access-Control-Allow-Origin"] = origin or ""
            headers["Access-Control-Allow-Headers"] = ALLOWED_HEADERS
            headers["Access-Control-Allow-Methods"] = "GET, POST, DELETE"
            headers["Access-Control-Expose-Headers"] = "Mcp-Session-Id"
            headers["Cross-Origin-Resource-Policy"] = "cross-origin"


def _host_name(host: str) -> str | None:
    """The name or address in a Host header; None: there is none.

    It goes into links and codes to scan, so nothing may stand beside it: no user, no path, no zone of an address.
    """
    parts = HOST.fullmatch(host)
    return None if parts is None else (parts["address"] or parts["name"]).lower()


def _is_same_origin(origin: str, host: str) -> bool:
    """Whether a page comes from the very server it asks."""
    try:
        parts = urlsplit(origin)
    except ValueError:
        return False
    if parts.scheme not in ("http", "https"):
        return False
    return bool(parts.netloc) and parts.netloc.lower() == host.lower()


async def _send_refusal(refusal: Refusal, scope: Scope, receive: Receive, send: Send) -> None:
    response = Response(msgspec.json.encode(refusal.as_rest()), refusal.status, media_type="application/json")
    if scope["type"] == "http":
        await response(scope, receive, send)
        return
    start = {"type": "websocket.http.response.start", "status": refusal.status, "headers": response.raw_headers}
    await send(start)
    await send({"type": "websocket.http.response.body", "body": response.body})


async def _close_socket(send: Send) -> None:
    with contextlib.suppress(Exception):  # it may be closed already; there is nobody left to tell
        await send({"type": "websocket.close", "code": 1011, "reason": "something went wrong here; it is logged"})
