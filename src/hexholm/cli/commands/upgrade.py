"""`hexholm upgrade`: the database of a server, brought up to date."""

from __future__ import annotations

import asyncio
from typing import Annotated, Final

import typer

from ..shared.common_options import DatabaseOption
from ..shared.files import BadCall, existing_database, shown_database

EXAMPLE: Final = "hexholm upgrade h.db --keep-public"


def upgrade(
    file: Annotated[
        str | None,
        typer.Argument(metavar="FILE", help="The database. [default: the one serve uses]", show_default=False),
    ] = None,
    db: DatabaseOption = None,
    keep_public: Annotated[
        bool,
        typer.Option(
            "--keep-public",
            help="Keep games that ended before there was a choice open to everybody with the link.",
        ),
    ] = False,
) -> int:
    """Upgrade a server's database to this version.

    The server must be stopped. A copy of the old file stays beside it. hexholm serve does the same when it starts.
    After an upgrade from a version without private tables, finished games belong to their players; --keep-public, now
    or later, keeps old links to them open.
    """
    if file is not None and db is not None:
        raise BadCall("name the database once: hexholm upgrade FILE, or hexholm upgrade --db FILE")
    database = existing_database(file if db is None else db)
    kept_public = asyncio.run(_upgrade(database, keep_public=keep_public))
    if keep_public:
        typer.echo(f"{kept_public} finished games stay open to everybody with their link", err=True)
    typer.echo(f"{shown_database(database)} is up to date", err=True)
    return 0


async def _upgrade(database: str, *, keep_public: bool) -> int:
    """Opening a database brings it up to date; a copy from before stays beside it. How many games stay public."""
    from hexholm.host.storage import Storage
    from hexholm.host.storage.repositories.shares import Shares

    async with Storage(database) as storage:
        return await Shares(storage).keep_public() if keep_public else 0
