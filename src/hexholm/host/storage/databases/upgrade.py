"""Bringing a database to the shape that this program knows, with alembic.

A revision is a file in `migrations/versions/`, named by a number that grows. All steps of an upgrade are one
transaction: it happens whole or not at all.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, inspect, select

from .. import database_tables
from ..storage_errors import CannotOpen, DatabaseTooNew

MIGRATIONS: Final = Path(__file__).parents[1] / "migrations"


def alembic_config(scripts: Path = MIGRATIONS) -> Config:
    """What alembic needs to know; there is no ini file."""
    config = Config()
    config.set_main_option("script_location", str(scripts).replace("%", "%%"))
    return config


def newest_revision(scripts: Path = MIGRATIONS) -> str:
    """The revision that this program knows and wants."""
    head = ScriptDirectory.from_config(alembic_config(scripts)).get_current_head()
    assert head is not None, "there is a first revision"
    return head


def database_revision(connection: Connection, scripts: Path = MIGRATIONS) -> str | None:
    """The revision of a database, None for an empty one; raises CannotOpen where it is none of ours."""
    revision = MigrationContext.configure(connection).get_current_revision()
    if revision is None:
        strangers = set(inspect(connection).get_table_names()) - {"alembic_version"}
        if strangers:
            raise CannotOpen(f"this database holds something else ({', '.join(sorted(strangers)[:5])})")
        return None
    if not is_known(revision, scripts):
        raise too_new(revision, _last_program(connection), scripts)
    return revision


def is_known(revision: str, scripts: Path = MIGRATIONS) -> bool:
    """Whether this program has ever made databases of this shape."""
    walked = ScriptDirectory.from_config(alembic_config(scripts)).walk_revisions()
    return revision in {script.revision for script in walked}


def too_new(revision: str, last_program: str = "", scripts: Path = MIGRATIONS) -> DatabaseTooNew:
    """The error for a shape that is not known, with what would do."""
    return DatabaseTooNew(
        f"its shape {revision} is newer than this program, which knows {newest_revision(scripts)}"
        f"{last_program}; install that or a newer Hexholm, "
        "or go back to a copy from before the upgrade"
    )


def upgrade_database(connection: Connection, scripts: Path = MIGRATIONS) -> None:
    """Go to the newest revision, within the transaction of `connection`."""
    config = alembic_config(scripts)
    config.attributes["connection"] = connection
    command.upgrade(config, "head")


def _last_program(connection: Connection) -> str:
    """Which program wrote a database, as far as it says so in a way that we understand."""
    if not inspect(connection).has_table("meta"):
        return ""
    try:
        version = connection.execute(
            select(database_tables.meta.c.value).where(database_tables.meta.c.key == "program")
        ).scalar()
    except Exception:  # the table of a newer program may look different, and this is only a courtesy
        return ""
    return f" (it was last opened by Hexholm {version})" if version else ""
