"""`hexholm restore`: a backup, put in the place of a server's database."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Final

import typer

from hexholm.game.language.phrases import count_noun

from ..shared.common_options import DatabaseOption
from ..shared.files import existing_database, named_database, shown_database

EXAMPLE: Final = "hexholm restore backup.db --db h.db"


def restore(
    backup: Annotated[str, typer.Argument(metavar="BACKUP", help="A file made by hexholm backup.")],
    db: DatabaseOption = None,
    forgotten_in: Annotated[
        str | None,
        typer.Option(
            "--forgotten-in",
            metavar="DATABASE",
            help="The old database, if it is elsewhere: guests deleted there are deleted here too.",
            show_default=False,
        ),
    ] = None,
) -> int:
    """Replace a server's database with a backup.

    The server must be stopped. An existing file is kept beside the new one; a PostgreSQL database must be empty. A
    backup that is damaged, is something else or comes from a newer program is refused, and nothing changes. Guests who
    were deleted after the backup are deleted again if the old database can be read.
    """
    from hexholm.host.storage import database_of
    from hexholm.host.web.admission.identity import bring_key

    target = named_database(db)
    database = database_of(target)
    before = None if forgotten_in is None else database_of(existing_database(forgotten_in))
    restored = database.restore(Path(backup).expanduser(), before.forgotten_guests() if before else ())
    games = f"{count_noun(restored.games, 'game')}, {restored.unfinished:,} of them not over"
    typer.echo(f"restored {backup} into {shown_database(target)}: {games}", err=True)
    if restored.kept is not None:
        typer.echo(f"what was there is kept: {restored.kept}", err=True)
    if restored.forgotten:
        typer.echo(f"deleted since the backup, and now again: {count_noun(restored.forgotten, 'guest')}", err=True)
    elif before is None and restored.kept is None:
        typer.echo(
            "anybody who was deleted after this backup is there again: name the database of before with --forgotten-in "
            "if it can still be read",
            err=True,
        )
    if database.path is not None:
        typer.echo(bring_key(Path(backup).expanduser(), database.path), err=True)
    return 0
