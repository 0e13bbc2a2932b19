"""`hexholm upgrade`: the database of a server, brought up to date."""

from __future__ import annotations

import asyncio
from pathlib import Path

import typer

from ..shared.host import DatabaseOption, existing_database, needs_host


def upgrade(db: DatabaseOption = None) -> int:
    """Bring the database of a server up to date.

    The server must be stopped. A copy from before stays beside it. serve does the same when it starts.
    """
    try:
        file = existing_database(db)
        asyncio.run(_upgrade(file))
    except ImportError as error:
        raise needs_host("upgrade", error) from error
    typer.echo(f"{file} is up to date", err=True)
    return 0


async def _upgrade(file: Path) -> None:
    """Opening a database brings it up to date; a copy from before stays beside it."""
    from hexholm.host.storage import Storage

    async with Storage(str(file)):
        pass
