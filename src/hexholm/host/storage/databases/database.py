"""What differs between the databases that storage can stand on: this is all it asks of one.

`sqlite_database.py` is a file, `postgres_database.py` a PostgreSQL server. Statements are the same for both.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Final
from urllib.parse import parse_qsl, urlencode

from sqlalchemy import Connection, Engine, select
from sqlalchemy.ext.asyncio import AsyncEngine

from ..database_tables import forgotten_guest
from ..storage_errors import CannotOpen
from ..writing.checkpoints import Checkpoints
from ..writing.commit import DATABASE_ERRORS, Committer, cause_text
from .restore import Restored

READERS: Final = 4
"""Connections that read."""
SHOWN_PARAMETERS: Final = ("host", "port", "dbname")
_HOSTS: Final = re.compile(r"(?:(?:\[[^\]]*\]|[^:,\[\]]*)(?::\d*)?(?:,|$))*")


class Database(ABC):
    """A database of one kind. Between `lock` and `unlock` no other process writes to it."""

    name: str
    """As messages say it: without a password."""

    @property
    @abstractmethod
    def path(self) -> Path | None:
        """Its file, None where it is on a server."""

    @abstractmethod
    def lock(self) -> None:
        """Make it ready for this process, before there are engines; raises CannotOpen."""

    @abstractmethod
    def unlock(self) -> None:
        """Let others have it, after the engines are gone. A second call does nothing."""

    @abstractmethod
    def writing_engine(self) -> Engine:
        """For the writer's thread, and for an upgrade before."""

    @abstractmethod
    def reading_engine(self) -> AsyncEngine:
        """For all who read what is committed."""

    @abstractmethod
    def thread_engine(self) -> Engine:
        """For the one thread that reads many rows beside the event loop."""

    @abstractmethod
    def admin_engine(self) -> Engine:
        """For a program beside the server, without the lock: it writes little, and what is there already."""

    @abstractmethod
    def is_served(self, connection: Connection) -> bool:
        """Whether a process has taken it now, by a connection of :meth:`admin_engine`."""

    @abstractmethod
    def keep_copy(self, revision: str) -> None:
        """Keep a copy from before an upgrade to a revision, where the kind of database makes that easy."""

    @abstractmethod
    def copy_to(self, target: str | Path) -> Path:
        """Copy it as it is now into a new file, also while a server writes to it."""

    def write_anew(self, engine: Engine) -> None:  # noqa: ARG002  # for those that can
        """Write all that is kept into a new place, so that nothing deleted is left; a server sees to that itself."""
        return

    @abstractmethod
    def restore(self, backup: Path, forgotten: Iterable[str] = ()) -> Restored:
        """Put a backup in its place; raises CannotOpen, and changes nothing, where that would do damage.

        Whoever is among `forgotten`, hashes of guests, is deleted from it before anybody can be served.
        """

    def forgotten_guests(self) -> tuple[str, ...]:
        """The hashes of the guests who were deleted here; raises CannotOpen where that cannot be read."""
        try:
            engine = self.admin_engine()
            try:
                with engine.connect() as connection:
                    return tuple(connection.execute(select(forgotten_guest.c.hash)).scalars())
            finally:
                engine.dispose()
        except DATABASE_ERRORS as error:
            raise CannotOpen(f"{self.name}: who was deleted there cannot be read: {cause_text(error)}") from error

    def checkpoints(self, engine: Engine, committer: Committer, writing: ThreadPoolExecutor) -> Checkpoints | None:  # noqa: ARG002  # for those that need them
        """What keeps its write-ahead log short; None: it does so by itself."""
        return None


def shown_address(address: str) -> str:
    """An address as messages show it: without a password, and without parameters that may hold one."""
    scheme, _, rest = address.partition("://")
    rest, _, query = rest.partition("?")
    place, slash, path = rest.partition("/")
    user, at, hosts = place.rpartition("@")
    if not _HOSTS.fullmatch(hosts):  # it cannot be read, so what looks like a port may be half of a password
        hosts = "..."
    shown = urlencode([pair for pair in parse_qsl(query) if pair[0] in SHOWN_PARAMETERS], safe="/,")
    return f"{scheme}://{user.partition(':')[0]}{at}{hosts}{slash}{path}{'?' if shown else ''}{shown}"
