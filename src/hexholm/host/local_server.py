"""A whole server within a program: for `hexholm mcp`, tests, examples and trying things out.

    async with local_server() as url:
        ...

Unless a database is named it keeps nothing. It listens on a free port of this machine, its bots answer at once, and it
has no limits on how often.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any, Final

from hexholm.game.dealers import Dealer

from .bot_pool.bot_pool import BotsAtOnce
from .tables.services.durations import Durations
from .web.admission.limits import Limits
from .web.operations.server_log import new_logger
from .web.operations.settings import Address, Settings
from .web.server import serve_until_stopped

ERROR_LEVEL = 40  # the level of errors
BOTS_WITHOUT_DELAY: Final = Durations(bot_delay=(0.0, 0.0))


@contextlib.asynccontextmanager
async def local_server(
    database: str | Path = ":memory:",
    settings: Settings | None = None,
    *,
    logger: Any = None,
    make_dealer: Callable[[], Dealer] | None = None,
    bot_processes: bool = False,
    durations: Durations = BOTS_WITHOUT_DELAY,
) -> AsyncIterator[str]:
    """The URL of a server that runs within `async with`.

    `bot_processes`: bots think in processes of their own, as in `hexholm serve`.
    """
    up: asyncio.Future[str] = asyncio.get_running_loop().create_future()
    stop = asyncio.Event()

    def ready(address: Address) -> None:
        up.set_result(address.here)

    running = asyncio.create_task(
        serve_until_stopped(
            database,
            settings or Settings(port=0, limits=Limits.none()),
            ready=ready,
            stop=stop,
            signals=False,
            logger=logger or new_logger(level=ERROR_LEVEL),
            make_dealer=make_dealer,
            bots=None if bot_processes else BotsAtOnce(),
            durations=durations,
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
