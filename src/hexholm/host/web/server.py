"""The server: the application of REST and sockets, and how it is run and stopped.

`make_application` gives the Starlette application around a hall that is open already; tests and other programs use it
as it is. `serve_until_stopped` does everything: it opens the database, finds a port, runs, and closes all again.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import signal
import socket
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import anyio
import uvicorn
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from hexholm.game.dealers import Dealer

from ..bot_pool.bot_pool import BOT_FAILURES, Bots
from ..storage import Storage
from ..tables.hall.hall import Hall
from ..tables.services.durations import USUAL_DURATIONS, Durations
from ..wire.host_refusals import HostReason, Refusal
from .admission.identity import Identity, read_key
from .admission.load_shedding import Shedding, watch_loop
from .context import Context
from .mcp_endpoint import Assistants
from .middleware import Middleware
from .operations.compiled_rules import load_or_compile
from .operations.metrics import Metrics
from .operations.operator_watch import watch_operators
from .operations.process import allow_open_files, short_pauses
from .operations.server_log import LibraryLogHandler, new_logger
from .operations.settings import Address, BadSettings, Settings, server_address
from .rest.board_preview import BoardPreviews
from .rest.drawings import Drawings
from .rest.editions import Editions
from .rest.own_data import OwnData
from .rest.own_tables import OwnTables
from .rest.ratings import Ratings
from .rest.replays import Replays
from .rest.reports import Reports
from .rest.responses import refusal_response
from .rest.rule_lookup import RuleLookup
from .rest.server_status import ServerStatus
from .rest.shared_games import SharedGames
from .rest.tables import LobbyAndTables
from .sockets import Sockets
from .static_files import StaticFiles
from .transport.http_protocols import RequestProtocol, SocketProtocol
from .transport.unread_answers import cut_off_unread

if TYPE_CHECKING:
    from ..storage.values import Durability

PORTS_TRIED: Final = 100
"""Ports that are tried before giving up."""
CLOSING_PATIENCE: Final = 5
"""Seconds that connections get to end."""
PING_EVERY: Final = 20.0
"""Seconds between heartbeats, and how long an answer may take."""
ROUTED: Final = (
    ServerStatus,
    LobbyAndTables,
    Editions,
    BoardPreviews,
    OwnTables,
    OwnData,
    Ratings,
    Reports,
    Replays,
    SharedGames,
    Drawings,
    RuleLookup,
    Assistants,
)
"""Each has routes of its own, which are looked through in this order."""


def make_application(
    hall: Hall, settings: Settings | None = None, *, identity: Identity | None = None, logger: Any = None
) -> Application:
    """The application around an open hall."""
    return Application(hall, settings or Settings(), identity or Identity(), logger or new_logger())


class Application:
    """An ASGI application; `context` has what its parts share."""

    def __init__(self, hall: Hall, settings: Settings, identity: Identity, logger: Any) -> None:
        metrics = Metrics()
        self.context = Context(hall, settings, identity, metrics, logger)
        _watch_figures(metrics, hall, self.context.shedding)
        client = StaticFiles()

        async def not_found(request: Request, error: Exception) -> Response:
            assert isinstance(error, HTTPException)
            return (client.fallback(request) if error.status_code == 404 else None) or _not_found_response(error)

        starlette = Starlette(
            routes=[
                *(route for part in ROUTED for route in part(self.context).routes()),
                *client.routes(),
            ],
            exception_handlers={HTTPException: not_found, Exception: _accident_response},
        )
        sockets = Sockets(self.context)

        async def by_kind(scope: Scope, receive: Receive, send: Send) -> None:
            await (sockets if scope["type"] == "websocket" else starlette)(scope, receive, send)

        self._outermost: ASGIApp = Middleware(by_kind, self.context)

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """One request or socket."""
        await self._outermost(scope, receive, send)


_WHY_NOT_ROUTED: Final[dict[int, HostReason]] = {404: "no_such_address", 405: "no_such_method"}


def _not_found_response(error: HTTPException) -> Response:
    """What Starlette itself refuses: paths and methods that are not there."""
    why, status = _WHY_NOT_ROUTED.get(error.status_code), error.status_code
    refusal = Refusal.because("unreadable", detail=error.detail) if why is None else Refusal.because(why)
    response = refusal_response(refusal)
    response.status_code = status
    response.headers.update(error.headers or {})
    return response


async def _accident_response(_request: Request, _error: Exception) -> Response:
    """What nobody foresaw, in the one shape of errors; Starlette raises it again, and the middleware logs it."""
    return refusal_response(Refusal.because("accident"))


def _watch_figures(metrics: Metrics, hall: Hall, shedding: Shedding) -> None:
    """Figures that the hall and its storage keep."""

    def tables() -> dict[str, float]:
        count = Counter(table.status for table in hall.tables)
        return {status: count[status] for status in ("open", "playing")}

    def storage_figures() -> dict[str, float]:
        figures = hall.services.storage.figures
        return {name: getattr(figures, name) for name in figures.__struct_fields__}

    def table_figures() -> dict[str, float]:
        return {figure: float(count) for figure, count in hall.services.figures.items()}

    def told_busy() -> dict[str, float]:
        return {urgency: float(count) for urgency, count in shedding.refused.items()}

    def bot_errors() -> dict[str, float]:
        return {failure: float(hall.services.bots.errors[failure]) for failure in BOT_FAILURES}

    metrics.count("hexholm_busy", "Who was told to come back later", "urgency", told_busy)
    metrics.count("hexholm_bots", "Decisions that a bot did not bring about itself", "why", bot_errors)
    metrics.count("hexholm_hall", "What happened at the tables", "what", table_figures)
    metrics.watch("hexholm_tables", "Tables that are not over", "status", tables)
    metrics.count("hexholm_storage", "What storage has done", "what", storage_figures)


# --- the listening socket ---------------------------------------------------------------------------------------------


def listen(host: str, port: int, *, exactly: bool = False) -> socket.socket:
    """A socket at `port`, or unless `exactly` at the next free one. Raises BadSettings."""
    try:
        (family, socket_type, proto, _, _), *_rest = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except OSError as error:
        raise BadSettings(f"--host {host}: this machine has no such address ({error.strerror})") from error
    last = port if exactly or port == 0 else min(port + PORTS_TRIED, 65_535)
    for number in range(port, last + 1):
        listening = socket.socket(family, socket_type, proto)
        try:
            if sys.platform != "win32":  # there it would let two servers share a port
                listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listening.bind((host, number))
            listening.listen(1024)
        except OSError as error:
            listening.close()
            if isinstance(error, PermissionError):
                raise BadSettings(
                    f"port {number}: only the administrator may use it; choose one from 1024 on"
                ) from error
            if number == last:
                more = "" if exactly else f" to {last}"
                raise BadSettings(f"{host}, port {port}{more}: {error.strerror}; choose another with --port") from error
            continue
        return listening
    raise AssertionError("unreachable")


# --- running ----------------------------------------------------------------------------------------------------------


async def serve_until_stopped(
    database: str | Path,
    settings: Settings | None = None,
    *,
    durability: Durability = "normal",
    exactly: bool = False,
    restoring: Callable[[int], None] | None = None,
    ready: Callable[[Address], None] | None = None,
    stop: asyncio.Event | None = None,
    signals: bool = True,
    logger: Any = None,
    make_dealer: Callable[[], Dealer] | None = None,
    bots: Bots | None = None,
    durations: Durations = USUAL_DURATIONS,
) -> None:
    """Serve until SIGINT, SIGTERM or `stop`; then let everybody know, write everything down and close.

    `restoring` is told how many unfinished games are loaded first, if there are any. `ready` is called once guests can
    come. `exactly`: no other port than the one in the settings. `signals`: Ctrl-C and SIGTERM are ours. `make_dealer`,
    `bots` and `durations` are those of the hall.
    """
    settings = settings or Settings()
    logger = logger or new_logger()
    allow_open_files(settings.limits.sockets + settings.limits.sockets_reserved, logger)
    with contextlib.closing(listen(settings.host, settings.port, exactly=exactly)) as listening:
        settings = replace(settings, port=int(listening.getsockname()[1]))
        async with Storage(database, durability=durability) as storage, load_or_compile():
            identity = Identity(await read_key(storage))
            if restoring is not None and (count := len(await storage.unfinished())):
                restoring(count)
            hall = await Hall.open(storage, make_dealer=make_dealer, bots=bots, durations=durations)
            try:
                app = make_application(hall, settings, identity=identity, logger=logger)
                stop = stop or asyncio.Event()
                async with short_pauses():
                    with _stop_on_signals(stop) if signals else contextlib.nullcontext():
                        await run_until(app, settings, listening, ready, stop)
            finally:
                await hall.close()
                logger.info("stopped")


async def run_until(
    app: Application,
    settings: Settings,
    listening: socket.socket,
    ready: Callable[[Address], None] | None,
    stop: asyncio.Event,
) -> None:
    server = _UvicornServer(uvicorn_config(app, settings))
    anyio.create_task_group()  # loads what an answer in pieces needs: that takes the loop too long later
    with _log_libraries(app.context.logger):
        context = app.context
        async with (
            watch_loop(context.shedding, context.metrics.lag.set),
            watch_operators(context.sanctions, context.hall, context.logger),
            cut_off_unread(server.server_state.connections, context.metrics.turned_away.labels("unread").inc),
        ):
            running = asyncio.create_task(server.serve(sockets=[listening]))
            up = asyncio.create_task(server.up.wait())
            await asyncio.wait((running, up), return_when=asyncio.FIRST_COMPLETED)
            up.cancel()
            where = server_address(settings)
            app.context.logger.info("serving", at=where.here, tables=len(app.context.hall.tables))
            if ready is not None:
                ready(where)
            stopped = asyncio.create_task(stop.wait())
            await asyncio.wait((running, stopped), return_when=asyncio.FIRST_COMPLETED)
            stopped.cancel()
            app.context.stopping = True
            server.should_exit = True
            await running


def uvicorn_config(app: ASGIApp, settings: Settings) -> uvicorn.Config:
    """How uvicorn is set up: our limit on frames, no compression (it betrays secrets), no logs of its own."""
    return uvicorn.Config(
        app,
        http=RequestProtocol,
        ws=SocketProtocol,
        ws_max_size=settings.limits.frame,
        ws_ping_interval=PING_EVERY,
        ws_ping_timeout=PING_EVERY,
        ws_per_message_deflate=False,
        lifespan="off",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=bool(trusted_proxies(settings)),
        forwarded_allow_ips=list(trusted_proxies(settings)),
        timeout_graceful_shutdown=CLOSING_PATIENCE,
    )


def trusted_proxies(settings: Settings) -> tuple[str, ...]:
    """The proxies that are believed; with a public URL, one on this machine."""
    if settings.proxies:
        return settings.proxies
    return ("127.0.0.1", "::1") if settings.public_url is not None else ()


class _UvicornServer(uvicorn.Server):
    """Leaves signals to us, since what must be closed is closed by us; says when it is up."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.up = asyncio.Event()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to listen, and say so."""
        await super().startup(sockets)
        self.up.set()

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Leave them alone: :func:`serve_until_stopped` has handlers of its own."""
        yield


@contextlib.contextmanager
def _stop_on_signals(stop: asyncio.Event) -> Iterator[None]:
    """Ctrl-C and SIGTERM end the server in good order; a second Ctrl-C at once."""
    loop = asyncio.get_running_loop()
    previous_handlers: dict[int, Any] = {}

    def on_signal(number: int, _frame: object) -> None:
        if stop.is_set() and number == signal.SIGINT:
            raise KeyboardInterrupt
        loop.call_soon_threadsafe(stop.set)

    try:
        for number in (signal.SIGINT, signal.SIGTERM):
            previous_handlers[number] = signal.signal(number, on_signal)
    except ValueError:  # not the main thread: whoever started us stops us
        pass
    try:
        yield
    finally:
        for signal_number, handler in previous_handlers.items():
            signal.signal(signal_number, handler)


@contextlib.contextmanager
def _log_libraries(logger: Any) -> Iterator[None]:
    """What uvicorn and asyncio say goes into our log."""
    handler = LibraryLogHandler(logger)
    names = ("uvicorn", "uvicorn.error", "asyncio", "mcp", "hexholm.host")
    loggers = [logging.getLogger(name) for name in names]
    before = [(library_logger.propagate, library_logger.level) for library_logger in loggers]
    for library_logger in loggers:
        library_logger.propagate = False
        library_logger.setLevel(logging.WARNING)
        library_logger.addHandler(handler)
    try:
        yield
    finally:
        for library_logger, (propagate, level) in zip(loggers, before, strict=True):
            library_logger.removeHandler(handler)
            library_logger.propagate = propagate
            library_logger.setLevel(level)
