"""`hexholm upgrade`: the database of a server, brought up to date."""

from __future__ import annotations

import asyncio
from typing import Annotated, Final

import typer

from ..shared.common_options import DatabaseOption
from ..shared.files import BadCall, existing_database, shown_database

EXAMPLE: Final = "hexholm upgrade h.db"


def upgrade(
    file: Annotated[
        str | None, typer.Argument(metavar="FILE", help="The database. [default: that of serve]", show_default=False)
    ] = None,
    db: DatabaseOption = None,
) -> int:
    """Bring the database of a server up to date.

    The server must be stopped. A copy of a file from before stays beside it. serve does the same when it starts.
    """
    if file is not None and db is not None:
        raise BadCall("name the database once: hexholm upgrade FILE, or hexholm upgrade --db FILE")
    database = existing_database(file if db is None else db)
    asyncio.run(_upgrade(database))
    typer.echo(f"{shown_database(database)} is up to date", err=True)
    return 0


async def _upgrade(database: str) -> None:
    """Opening a database brings it up to date; a copy from before stays beside it."""
    from hexholm.host.storage import Storage

    async with Storage(database):
        pass
