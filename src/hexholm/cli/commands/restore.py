"""`hexholm restore`: a backup, put in the place of a server's database."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Final

import typer

from hexholm.game.language.phrases import count_noun

from ..shared.common_options import DatabaseOption
from ..shared.files import named_database, shown_database

EXAMPLE: Final = "hexholm restore backup.db --db h.db"


def restore(
    backup: Annotated[str, typer.Argument(metavar="BACKUP", help="What hexholm backup has made.")],
    db: DatabaseOption = None,
) -> int:
    """Put a backup in the place of a server's database.

    The server must be stopped. A file that is there is kept beside the new one; a database on a server must be empty.
    What is damaged, not ours or of a newer program is refused, and nothing is changed.
    """
    from hexholm.host.storage import database_of
    from hexholm.host.web.identity import bring_key

    target = named_database(db)
    database = database_of(target)
    restored = database.restore(Path(backup).expanduser())
    games = f"{count_noun(restored.games, 'game')}, {restored.unfinished:,} of them not over"
    typer.echo(f"restored {backup} into {shown_database(target)}: {games}", err=True)
    if restored.kept is not None:
        typer.echo(f"what was there is kept: {restored.kept}", err=True)
    if restored.forgotten:
        typer.echo(f"deleted since the backup, and now again: {count_noun(restored.forgotten, 'guest')}", err=True)
    if database.path is not None:
        typer.echo(bring_key(Path(backup).expanduser(), database.path), err=True)
    return 0
