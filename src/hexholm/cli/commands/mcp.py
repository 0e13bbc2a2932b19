"""`hexholm mcp`: an AI assistant's seat over stdin and stdout, at a server or at tables of its own.

Nothing but the protocol goes to stdout; all that is for people goes to stderr.
"""

from __future__ import annotations

import asyncio
import contextlib
import signal
from typing import Annotated, Any, Final
from urllib.parse import urlsplit

import typer

from hexholm.host.web.operations.settings import PORT

from ..shared.common_options import BotDelayOption
from ..shared.files import BadCall, named_database, shown_database

EXAMPLE: Final = "hexholm mcp; hexholm mcp --server http://127.0.0.1:8000"
ASSISTANTS_DATABASE: Final = "assistants.db"
LOG_ERRORS: Final = 40  # the level of errors


def mcp(
    server: Annotated[
        str | None,
        typer.Option(help="Play at this server's tables. [default: local tables]", metavar="URL", show_default=False),
    ] = None,
    db: Annotated[
        str | None,
        typer.Option(
            help="The database of local tables. [default: a separate file]", metavar="FILE", show_default=False
        ),
    ] = None,
    port: Annotated[
        int | None,
        typer.Option(
            help=f"Where people watch. [default: {PORT}, or the next free one]", min=0, max=65535, show_default=False
        ),
    ] = None,
    bot_delay: BotDelayOption = None,
) -> int:
    """Give an AI assistant a seat: MCP over stdin and stdout.

    The assistant's program starts it. Without --server it opens tables only on this machine, where the assistant plays
    against bots; the link for watching goes to stderr. docs/how-to/assistants.md shows the settings of common
    assistants.
    """
    own_flags = [
        name for name, value in (("--db", db), ("--port", port), ("--bot-delay", bot_delay)) if value is not None
    ]
    if server is not None and own_flags:
        raise BadCall(f"{own_flags[0]} is for your own tables; leave it out, or leave --server out")
    address = None if server is None else endpoint_of(server)
    try:
        from hexholm.host.assistants.stdio import Unreachable, forward
    except ImportError as error:
        raise BadCall(f"hexholm mcp needs {error.name}: pip install 'hexholm[assistants]'") from error
    try:
        if address is not None:
            asyncio.run(_until_terminated(forward(address)))
        else:
            database = named_database(db, ASSISTANTS_DATABASE)
            asyncio.run(_until_terminated(_serve_at_home(database, port, bot_delay)))
    except Unreachable as error:
        raise BadCall(str(error)) from error
    return 0


def endpoint_of(server: str) -> str:
    """Where the assistants' door of a server is: its address with /mcp."""
    url = urlsplit(server.strip())
    if url.scheme not in ("http", "https") or not url.hostname or url.path.rstrip("/") not in ("", "/mcp"):
        raise BadCall(f"--server {server}: write it as in http://127.0.0.1:8000")
    return f"{url.scheme}://{url.netloc}/mcp"


async def _serve_at_home(database: str, port: int | None, bot_delay: float | None) -> None:
    """Open a house on this machine for as long as the assistant is there."""
    from hexholm.host.assistants.stdio import forward
    from hexholm.host.local_server import local_server
    from hexholm.host.tables.services.durations import Durations, bot_delay_from
    from hexholm.host.web.admission.limits import Limits
    from hexholm.host.web.operations.server_log import new_logger
    from hexholm.host.web.operations.settings import PORT, Settings

    settings = Settings(port=PORT if port is None else port, limits=Limits.none())
    durations = Durations() if bot_delay is None else Durations(bot_delay=bot_delay_from(bot_delay))
    logger = new_logger(level=LOG_ERRORS)
    async with local_server(database, settings, logger=logger, bot_processes=True, durations=durations) as url:
        place = shown_database(database)
        typer.echo(f"Watch the assistant's tables at {url}  (only this machine). Games are kept in {place}.", err=True)
        await forward(f"{url}/mcp")


async def _until_terminated(work: Any) -> None:
    """Work until it is done, or SIGTERM comes: then all is closed in good order too."""
    task = asyncio.ensure_future(work)
    with contextlib.suppress(NotImplementedError):  # on Windows
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel)
    with contextlib.suppress(asyncio.CancelledError):
        await task
