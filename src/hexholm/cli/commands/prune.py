"""`hexholm prune`: old finished games, deleted from the database of a server."""

from __future__ import annotations

import asyncio
import time
from typing import Annotated, Final

import typer

from hexholm.game.language.phrases import count_noun
from hexholm.host.tables.services.durations import DAY

from ..shared.common_options import DatabaseOption
from ..shared.files import existing_database

EXAMPLE: Final = "hexholm prune --days 90 --db h.db"


def prune(
    days: Annotated[float, typer.Option(help="Delete games that have been over for more days than this.", min=0)],
    keep_records: Annotated[
        bool, typer.Option("--keep-records", help="Keep the games; delete only tokens and stored answers.")
    ] = False,
    db: DatabaseOption = None,
) -> int:
    """Delete old finished games from a server's database.

    Guests from before that time who have no table are deleted too. The server must be stopped.
    """
    count, guests = asyncio.run(_prune(existing_database(db), time.time() - days * DAY, keep_records))
    log_note = "their logs are kept" if keep_records else "their logs are gone"
    typer.echo(f"{count_noun(count, 'game')} cleared away" + (f"; {log_note}" if count else ""), err=True)
    if guests:
        typer.echo(f"{count_noun(guests, 'guest')} without a table forgotten", err=True)
    return 0


async def _prune(database: str, cutoff: float, keep_records: bool) -> tuple[int, int]:
    """How many games and guests were deleted: those of before this time."""
    from hexholm.host.storage import Storage

    async with Storage(database) as storage:
        return await storage.prune(cutoff, keep_records=keep_records), await storage.prune_guests(cutoff)
