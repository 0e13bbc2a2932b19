"""`hexholm backup`, `upgrade` and `prune`: care for the database of a server."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path

import typer

from .commands.watch import database_file, needs_host
from .shared.files import BadCall
from .shared.game_options import many

DAY = 86_400


def backup(target: str, db: str | None) -> int:
    """Copy the database into a new file, also while a server uses it; returns the exit code."""
    try:
        from hexholm.host.storage import copy_database
    except ImportError as error:
        raise needs_host("backup", error) from error
    source = there(db)
    copy_database(source, target)
    typer.echo(f"copied {source} to {target}", err=True)
    return 0


def upgrade(db: str | None) -> int:
    """Bring the database up to date; a copy from before stays beside it."""

    async def run(file: Path) -> None:
        from hexholm.host.storage import Storage

        async with Storage(str(file)):
            pass

    try:
        file = there(db)
        asyncio.run(run(file))
    except ImportError as error:
        raise needs_host("upgrade", error) from error
    typer.echo(f"{file} is up to date", err=True)
    return 0


def prune(db: str | None, days: float, keep_records: bool) -> int:
    """Delete games that have been over for so many days, and guests of before that who have no table any more."""

    async def run(file: Path) -> tuple[int, int]:
        from hexholm.host.storage import Storage

        async with Storage(str(file)) as storage:
            before = time.time() - days * DAY
            return await storage.prune(before, keep_records=keep_records), await storage.prune_guests(before)

    try:
        count, guests = asyncio.run(run(there(db)))
    except ImportError as error:
        raise needs_host("prune", error) from error
    what = "their logs are kept" if keep_records else "their logs are gone"
    typer.echo(f"{many(count, 'game')} cleared away" + (f"; {what}" if count else ""), err=True)
    if guests:
        typer.echo(f"{many(guests, 'guest')} without a table forgotten", err=True)
    return 0


def there(db: str | None) -> Path:
    """The database, which must be there: none is made by the way."""
    file = database_file(db)
    if not file.is_file():
        raise BadCall(f"{file}: there is no such database; name one with --db")
    return file
