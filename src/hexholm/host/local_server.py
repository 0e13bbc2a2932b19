"""A whole server within a program: for `hexholm mcp`, tests, examples and trying things out.

    async with local_server() as url:
        ...

Unless a database is named it keeps nothing. It listens on a free port of this machine, its bots answer at once, and it
has no limits on how often.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

from .bot_pool.bot_pool import BotsAtOnce
from .web.limits import Limits
from .web.operations.server_log import new_logger
from .web.operations.settings import Address, Settings
from .web.server import serve_until_stopped

ERROR_LEVEL = 40  # the level of errors


@contextlib.asynccontextmanager
async def local_server(
    database: str | Path = ":memory:", settings: Settings | None = None, *, log: Any = None, **more: Any
) -> AsyncIterator[str]:
    """The URL of a server that runs within `async with`; `more` goes to `Hall.open`."""
    up: asyncio.Future[str] = asyncio.get_running_loop().create_future()
    stop = asyncio.Event()

    def ready(where: Address) -> None:
        up.set_result(where.here)

    running = asyncio.create_task(
        serve_until_stopped(
            database,
            settings or Settings(port=0, limits=Limits.none()),
            ready=ready,
            stop=stop,
            signals=False,
            log=log or new_logger(level=ERROR_LEVEL),
            **{"bot_delay": (0.0, 0.0), "bots": BotsAtOnce(), **more},
        )
    )
    try:
        await asyncio.wait((up, running), return_when=asyncio.FIRST_COMPLETED)
        if running.done():
            await running  # says what was wrong
        yield up.result()
    finally:
        stop.set()
        await asyncio.gather(running, return_exceptions=True)
