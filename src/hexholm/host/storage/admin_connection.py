"""A program beside the server that reads and writes a little: `hexholm admin`.

It takes no lock: a server may run meanwhile, and finds what was written when it looks. It neither makes nor upgrades a
database.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

from sqlalchemy import Connection, select

from .database_tables import meta
from .databases import upgrade
from .storage import database_of
from .storage_errors import CannotOpen
from .values import ALIVE, ALIVE_BY_DAY, read_alive_time
from .writing.commit import DATABASE_ERRORS, cause_text


@contextlib.contextmanager
def admin_connection(name: str) -> Iterator[Connection]:
    """A transaction in a database that is there; raises CannotOpen, also where it is locked for too long."""
    database = database_of(name)
    try:
        engine = database.admin_engine()
    except CannotOpen as error:
        raise type(error)(f"{database.name}: {error}") from error
    try:
        with contextlib.ExitStack() as stack:
            try:
                connection = stack.enter_context(engine.begin())
                revision = upgrade.database_revision(connection)
            except CannotOpen as error:
                raise type(error)(f"{database.name}: {error}") from error
            except DATABASE_ERRORS as error:
                raise CannotOpen(f"{database.name} cannot be opened: {cause_text(error)}") from error
            newest = upgrade.newest_revision()
            if revision != newest:
                raise CannotOpen(
                    f"{database.name}: its shape is {revision or 'none'}, this program knows {newest}; "
                    "start the server of this version, or say: hexholm upgrade"
                )
            try:
                yield connection
            except DATABASE_ERRORS as error:
                raise CannotOpen(f"{database.name} cannot be read or written: {cause_text(error)}") from error
    finally:
        engine.dispose()


def host_time(name: str, connection: Connection, day: float) -> float:
    """The time by the clock of the host of a database, where that of the machine says `day`.

    A host that runs keeps its own time, whatever the clock of the machine is set to. One that starts takes that of the
    machine, but no time before it was last alive.
    """
    alive, alive_by_day = _meta_time(connection, ALIVE), _meta_time(connection, ALIVE_BY_DAY)
    if alive and alive_by_day and database_of(name).is_served(connection):
        return day + alive - alive_by_day
    return max(day, alive)


def _meta_time(connection: Connection, key: str) -> float:
    """A time that hosts note again and again; 0: none ever did."""
    value = connection.execute(select(meta.c.value).where(meta.c.key == key)).scalar_one_or_none()
    return read_alive_time(value)
