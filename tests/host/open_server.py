"""A server whose inside can be looked at: it listens on a port of its own, in this event loop.

`hexholm.host.local_server` gives a URL and nothing else, as others should use it. Here the hall, the limits and the
log are wanted too. What is captured of the log is kept small: counts, and whole only the lines that should not be.
"""

from __future__ import annotations

import asyncio
import contextlib
import http.client
import io
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import msgspec

from hexholm.host.bot_pool.bot_pool import BotsAtOnce
from hexholm.host.storage import Storage
from hexholm.host.tables.hall.hall import Hall
from hexholm.host.web.admission.identity import Identity
from hexholm.host.web.admission.limits import Limits
from hexholm.host.web.operations.server_log import new_logger
from hexholm.host.web.operations.settings import Address, Settings
from hexholm.host.web.server import Application, listen, make_application, run_until

from .halls import with_durations
from .servers import Answer

MOST_KEPT = 50
PATIENCE = 30.0
"""Seconds for an answer of the server; it never needs them."""


class Journal(io.StringIO):
    """Takes the log of a server: counts its lines, and keeps those that tell of trouble."""

    def __init__(self) -> None:
        super().__init__()
        self.events: Counter[str] = Counter()
        self.trouble: list[dict[str, Any]] = []

    def write(self, text: str) -> int:
        for line in filter(None, text.splitlines()):
            entry = msgspec.json.decode(line)
            self.events[f"{entry['level']}: {entry['event']}"] += 1
            if entry["level"] not in ("debug", "info", "warning") and len(self.trouble) < MOST_KEPT:
                self.trouble.append(entry)
        return len(text)


@dataclass
class OpenServer:
    """A server that runs."""

    url: str
    app: Application
    journal: Journal = field(default_factory=Journal)

    @property
    def hall(self) -> Hall:
        return self.app.context.hall

    @property
    def port(self) -> int:
        return urlsplit(self.url).port or 0

    async def ask(self, method: str, path: str, body: Any = None, **headers: str) -> Answer:
        """One request; a body that is not bytes is sent as JSON."""
        return await ask_by_hand(self.port, method, path, body, **headers)


@contextlib.asynccontextmanager
async def open_server(
    database: str | Path = ":memory:",
    settings: Settings | None = None,
    *,
    logger: Any = None,
    identity: Identity | None = None,
    **more: Any,
) -> AsyncIterator[OpenServer]:
    """A server that runs within `async with`; `more` goes to `Hall.open`."""
    journal = Journal()
    how: dict[str, Any] = {"bots": BotsAtOnce(), **with_durations(more)}
    up: asyncio.Future[Address] = asyncio.get_running_loop().create_future()
    stop = asyncio.Event()
    with contextlib.closing(listen("127.0.0.1", 0)) as listening:
        port_settings = replace(settings or Settings(limits=Limits.none()), port=int(listening.getsockname()[1]))
        async with Storage(database) as storage:
            hall = await Hall.open(storage, **how)
            try:
                app = make_application(
                    hall, port_settings, identity=identity, logger=logger or new_logger(journal, as_json=True)
                )
                running = asyncio.create_task(run_until(app, port_settings, listening, up.set_result, stop))
                try:
                    await asyncio.wait((up, running), return_when=asyncio.FIRST_COMPLETED)
                    if running.done():
                        await running  # says what was wrong
                    yield OpenServer(up.result().here, app, journal)
                finally:
                    stop.set()
                    await running
            finally:
                await hall.close()


async def ask_by_hand(port: int, method: str, path: str, body: Any = None, **headers: str) -> Answer:
    """One request to a server on this machine, written by hand: nothing between us and the bytes."""
    if body is not None and not isinstance(body, bytes):
        body = msgspec.json.encode(body)
        headers.setdefault("Content_Type", "application/json")
    lines = [f"{method} {path} HTTP/1.1", f"Host: 127.0.0.1:{port}", "Connection: close"]
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    lines += [f"Content-Length: {len(body or b'')}", "", ""]
    async with asyncio.timeout(PATIENCE):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write("\r\n".join(lines).encode() + (body or b""))
        raw = await reader.read()
        writer.close()
        await writer.wait_closed()
    head, _, content = raw.partition(b"\r\n\r\n")
    first, _, header_lines = head.partition(b"\r\n")
    return Answer(int(first.split()[1]), http.client.parse_headers(io.BytesIO(header_lines + b"\r\n\r\n")), content)


def in_server(story: Callable[[OpenServer], Awaitable[None]], database: Path | str = ":memory:", **how: Any) -> None:
    """A story at a server of its own."""

    async def main() -> None:
        async with asyncio.timeout(60), open_server(database, **how) as server:
            await story(server)

    asyncio.run(main())
