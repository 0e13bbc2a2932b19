"""`hexholm backup`: a copy of the database of a server."""

from __future__ import annotations

from typing import Annotated, Final

import typer

from ..shared.common_options import DatabaseOption
from ..shared.files import existing_database, shown_database

EXAMPLE: Final = "hexholm backup copy.db --db h.db"


def backup(
    target: Annotated[str, typer.Argument(metavar="FILE", help="The new file.")],
    db: DatabaseOption = None,
) -> int:
    """Copy a server's database, even while it is running."""
    from hexholm.host.storage import database_of

    source = existing_database(db)
    database_of(source).copy_to(target)
    typer.echo(f"copied {shown_database(source)} to {target}", err=True)
    return 0
