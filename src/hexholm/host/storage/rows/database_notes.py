"""What is kept of a database as a whole."""

from __future__ import annotations

from typing import Final

from sqlalchemy import Connection, insert, update

from ..database_tables import meta

REWRITE_DUE: Final = "erased"
"""What `meta` says after something was deleted for good, until the database was written anew."""


def set_meta_row(connection: Connection, key: str, value: str) -> None:
    """Keep a value, in place of the one before."""
    updated = connection.execute(update(meta).where(meta.c.key == key).values(value=value))
    if not updated.rowcount:
        connection.execute(insert(meta).values(key=key, value=value))


def mark_rewrite_due(connection: Connection) -> None:
    """Remember that something was deleted for good: with the next start the file is written anew."""
    set_meta_row(connection, REWRITE_DUE, "yes")
