"""The database of a server, and what is said where the libraries of a server are missing."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Final

import typer

from .files import BadCall, data_folder

DATABASE: Final = "tables.db"

DatabaseOption = Annotated[
    str | None, typer.Option(help="The database. [default: that of serve]", metavar="FILE", show_default=False)
]
BotDelayOption = Annotated[
    float | None,
    typer.Option(
        help="Bots answer after so many seconds, or up to three times that. [default: 0.4]",
        min=0,
        max=60,
        show_default=False,
    ),
]


def needs_host(command: str, error: ImportError) -> BadCall:
    """A polite word where the extra is missing."""
    return BadCall(f"hexholm {command} needs {error.name}: pip install 'hexholm[host]'")


def database_file(named: str | None) -> Path:
    """The file of the database: the one that is named, or the one of this user."""
    return data_folder() / DATABASE if named is None else Path(named)


def existing_database(named: str | None) -> Path:
    """The database, which must be there: none is made by the way."""
    file = database_file(named)
    if not file.is_file():
        raise BadCall(f"{file}: there is no such database; name one with --db")
    return file
