"""A database on a PostgreSQL server, by psycopg. Only this module imports it, and only when an address asks for it.

The connection that writes holds an advisory lock of the database as long as it lives. A connection that is lost has
lost the lock too, and the next one must get it before it writes: nobody writes without it. When a server of ours is
killed, PostgreSQL ends its connection, and with it the lock.
"""

from __future__ import annotations

import contextlib
import os
import platform
import re
import shutil
import subprocess
import time
import weakref
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from hexholm.rules.errors import MissingExtra

from ..rows.forgetting import forget_again
from ..storage_errors import CannotOpen, DatabaseInUse, DatabaseTooNew, StorageFailed
from ..writing.commit import DATABASE_ERRORS, cause_text
from .backup import write_new_file
from .database import READERS, Database, shown_address
from .restore import DUMP_HEAD, SQLITE_HEAD, Restored, check_backup, count_games, head_of
from .upgrade import is_known, too_new, upgrade_database

try:
    import psycopg
    from psycopg.conninfo import conninfo_to_dict, make_conninfo
except ImportError as error:
    raise MissingExtra("PostgreSQL needs one more package: pip install 'hexholm[postgres]'") from error

OWNER_LOCK: Final = int.from_bytes(b"hexholm")
PATIENCE: Final = 2.0
"""Seconds for which the lock of a server that was killed may outlive it."""
USUAL_PARAMETERS: Final = {"connect_timeout": "10", "keepalives_idle": "30", "tcp_user_timeout": "30000"}
"""A server that is gone without a word is noticed. Whatever an address says itself stays."""
SETTINGS: Final = {
    "idle_session_timeout": "0",  # the lock must stay
    "idle_in_transaction_session_timeout": "0",
    "tcp_keepalives_idle": "30",  # so that the lock of a machine that is gone goes too
    "tcp_keepalives_interval": "10",
    "tcp_keepalives_count": "3",
}
_SET: Final = "SELECT set_config(name, %s, false) FROM pg_settings WHERE name = %s"
_ASK_TO_LAST: Final = (  # acknowledged is what is on the disk, whatever the server is set to
    "SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off'"
)
_HOLDER: Final = (
    "SELECT application_name FROM pg_stat_activity JOIN pg_locks USING (pid) WHERE locktype = 'advisory' AND granted"
    " AND pg_locks.database = (SELECT oid FROM pg_database WHERE datname = current_database())"
    " AND (classid::bigint << 32) + objid::bigint = %s AND objsubid = 1"
)
_OBJECTS: Final = (
    "SELECT relname FROM pg_class JOIN pg_namespace ON relnamespace = pg_namespace.oid"
    " WHERE nspname !~ '^pg_' AND nspname <> 'information_schema' AND relkind IN ('r', 'p', 'v', 'm', 'S', 'f')"
    " ORDER BY relname"
)


class PostgresDatabase(Database):
    """A database by its address, `postgresql://...` as libpq reads it."""

    def __init__(self, address: str) -> None:
        self.name = shown_address(address)
        try:
            self._parameters = {**USUAL_PARAMETERS, **conninfo_to_dict(address), "client_encoding": "UTF8"}
        except psycopg.Error as error:
            reason = "" if "@" in address or "password" in address else f": {' '.join(str(error).split())}"
            raise CannotOpen(f"{self.name}: this is no address of a PostgreSQL database{reason}") from None

    @property
    def path(self) -> None:
        return None

    def lock(self) -> None:
        """Its lock is taken by the connection that writes."""

    def unlock(self) -> None:
        """The lock went with that connection."""

    def writing_engine(self) -> Engine:
        name = f"hexholm, process {os.getpid()} on {platform.node()}"[:63]
        engine = create_engine(
            "postgresql+psycopg://",
            creator=lambda: psycopg.connect(**{**self._parameters, "application_name": name}),  # type: ignore[arg-type]
            hide_parameters=True,
            pool_size=1,
            max_overflow=0,
        )

        @event.listens_for(engine, "connect")
        def on_connect(connection: Any, _record: object) -> None:
            try:
                self._begin_to_write(connection)
            except BaseException:
                connection.close()
                raise

        return engine

    def reading_engine(self) -> AsyncEngine:
        async def connect() -> psycopg.AsyncConnection[Any]:
            return await psycopg.AsyncConnection.connect(**self._parameters)  # type: ignore[arg-type]

        return create_async_engine(
            "postgresql+psycopg://",
            async_creator=connect,
            isolation_level="AUTOCOMMIT",  # every reading is one statement
            hide_parameters=True,
            pool_size=READERS,
            max_overflow=0,
            pool_timeout=60,
            pool_pre_ping=True,  # a server that was started again has closed them all
        )

    def thread_engine(self) -> Engine:
        return self._plain_engine(isolation_level="AUTOCOMMIT", pool_pre_ping=True)

    def admin_engine(self) -> Engine:
        return self._plain_engine()

    def _plain_engine(self, **how: Any) -> Engine:
        return create_engine(
            "postgresql+psycopg://",
            creator=lambda: psycopg.connect(**self._parameters),  # type: ignore[arg-type]
            hide_parameters=True,
            pool_size=1,
            max_overflow=0,
            **how,
        )

    def is_served(self, connection: Connection) -> bool:
        return connection.exec_driver_sql(_HOLDER, (OWNER_LOCK,)).first() is not None

    def keep_copy(self, revision: str) -> None:
        """None: all of an upgrade is one transaction, and a server can be as large as it likes."""

    def copy_to(self, target: str | Path) -> Path:
        target = Path(target)
        command = ["pg_dump", "--format=custom", "--no-owner"]
        if shutil.which("pg_dump") is None:
            raise CannotOpen(
                f"pg_dump is not installed here. Where it is: {' '.join(command)} --file={target} '{self.name}'"
            )

        def write(partial: Path) -> None:
            process = self._run([*command, f"--file={partial}", f"--dbname={self._conninfo}"])
            if process.returncode:
                raise StorageFailed(f"{self.name} cannot be copied to {target}: {_one_line(process.stderr)}")

        return write_new_file(target, write)

    def restore(self, backup: Path, forgotten: Iterable[str] = ()) -> Restored:
        check_backup(backup)
        head = head_of(backup)
        if head == SQLITE_HEAD:
            raise CannotOpen(f"{backup} is an SQLite database; name a file for it: --db h.db")
        if not head.startswith(DUMP_HEAD):
            raise CannotOpen(f"{backup} is no dump of PostgreSQL: hexholm backup makes one that can be put back")
        command = ["pg_restore", "--no-owner", "--no-privileges", "--single-transaction", "--exit-on-error"]
        if shutil.which("pg_restore") is None:
            raise CannotOpen(
                f"pg_restore is not installed here. Where it is: {' '.join(command)} '--dbname={self.name}' {backup}"
            )
        self._check_dump(backup)
        engine = self.writing_engine()
        try:
            with engine.connect() as connection:  # it holds the lock: no server begins meanwhile
                if strangers := connection.exec_driver_sql(_OBJECTS).scalars().all():
                    raise CannotOpen(
                        f"it is not empty ({', '.join(strangers[:5])}). Make a new one: createdb --encoding=UTF8 "
                        "--template=template0 NAME, restore into that, and have the server use it"
                    )
                connection.rollback()
                process = self._run([*command, f"--dbname={self._conninfo}", str(backup)])
                if process.returncode:
                    raise StorageFailed(
                        f"{backup} cannot be put into {self.name}, which stays empty: {_one_line(process.stderr)}"
                    )
                games, unfinished = count_games(connection)
                connection.rollback()
                return Restored(games, unfinished, forgotten=self._forget_again(connection, frozenset(forgotten)))
        except DatabaseInUse:
            raise
        except CannotOpen as error:
            raise type(error)(f"{self.name}: {error}") from error
        except DATABASE_ERRORS as error:
            raise CannotOpen(f"{self.name} cannot be opened as a database: {cause_text(error)}") from error
        finally:
            engine.dispose()

    def _forget_again(self, connection: Connection, digests: frozenset[str]) -> int:
        """Whoever was deleted after the backup must not come back with it; how many of them were in it."""
        if not digests:
            return 0
        with connection.begin():
            upgrade_database(connection)
            return forget_again(connection, digests)

    def _check_dump(self, backup: Path) -> None:
        """Raises CannotOpen for a dump that is damaged, of something else, or of a newer program."""
        process = self._run(["pg_restore", "--data-only", "--table=alembic_version", "--file=-", str(backup)])
        if process.returncode:
            raise CannotOpen(f"{backup} cannot be read by pg_restore: {_one_line(process.stderr)}")
        rows = re.search(r"^COPY .*alembic_version.*;\n(\S+)\n", process.stdout, re.MULTILINE)
        if rows is None or rows[1] == "\\.":
            raise CannotOpen(f"{backup} is not put back: it is no backup of a Hexholm server")
        if not is_known(rows[1]):
            raise DatabaseTooNew(f"{backup} is not put back: {too_new(rows[1])}")

    @property
    def _conninfo(self) -> str:
        """For programs of PostgreSQL: without the password, as others may read a command line."""
        parameters = {name: value for name, value in self._parameters.items() if name != "password"}
        return make_conninfo("", **parameters)

    def _run(self, command: list[str]) -> subprocess.CompletedProcess[str]:
        """Run a program of PostgreSQL."""
        environment = {**os.environ, "LC_MESSAGES": "C"}
        if password := self._parameters.get("password"):
            environment["PGPASSWORD"] = str(password)
        return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)  # noqa: S603  # our own command

    def _begin_to_write(self, connection: psycopg.Connection[Any]) -> None:
        """Settings and the lock of a new connection that writes."""
        _writing.add(connection)
        encoding = connection.info.parameter_status("server_encoding")
        if encoding != "UTF8":
            raise CannotOpen(
                f"its encoding is {encoding}, UTF8 is needed: createdb --encoding=UTF8 --template=template0"
            )
        with connection.cursor() as cursor:
            for name, value in SETTINGS.items():  # an older server does not have them all
                cursor.execute(_SET, (value, name))
            cursor.execute(_ASK_TO_LAST)
            end = time.monotonic() + PATIENCE
            while cursor.execute("SELECT pg_try_advisory_lock(%s)", (OWNER_LOCK,)).fetchone() != (True,):
                if time.monotonic() > end:
                    holder = cursor.execute(_HOLDER, (OWNER_LOCK,)).fetchone()
                    who = holder[0] if holder and holder[0] else "another server"
                    raise DatabaseInUse(f"{self.name} is in use by {who}; stop it or name another database")
                time.sleep(0.1)
        connection.commit()


def _one_line(text: str) -> str:
    return " ".join(text.split())


# A forked child shares its parent's connection, and with it the lock: it would outlive a killed server in its workers.
_writing: weakref.WeakSet[psycopg.Connection[Any]] = weakref.WeakSet()


def _release_in_child() -> None:
    for connection in list(_writing):
        with contextlib.suppress(OSError, psycopg.Error):
            os.close(connection.fileno())


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_release_in_child)
