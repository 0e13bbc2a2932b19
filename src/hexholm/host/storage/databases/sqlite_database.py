"""A database of one file: SQLite in WAL mode, where readers and the writer do not wait for each other."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.engine import URL
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from ..storage_errors import CannotOpen
from ..values import Durability
from ..writing.checkpoints import Checkpoints
from ..writing.commit import Committer
from .backup import copy_database, free_name
from .database import READERS, Database
from .database_lock import DatabaseLock, is_locked
from .restore import Restored, restore_file

IN_MEMORY: Final = ":memory:"
BUSY_MS: Final = 5000
"""How long to wait for another program that looks into the database."""


class SqliteDatabase(Database):
    """A file; for `:memory:` one that nobody keeps, since a database in memory has one connection for all."""

    def __init__(self, database: str | Path, durability: Durability) -> None:
        self._folder: TemporaryDirectory[str] | None = None
        if str(database) == IN_MEMORY:
            self._folder = TemporaryDirectory(prefix="hexholm-", ignore_cleanup_errors=True)
            database = Path(self._folder.name) / "memory.db"
        self._path = Path(database).expanduser().resolve()
        self._durability = durability
        self._lock: DatabaseLock | None = None
        self.name = str(self._path)

    @property
    def path(self) -> Path:
        return self._path

    def lock(self) -> None:
        if not self._path.parent.is_dir():
            raise CannotOpen(f"there is no folder {self._path.parent}")
        self._lock = DatabaseLock(self._path)
        os.close(os.open(self._path, os.O_RDWR | os.O_CREAT, 0o600))  # hands and decks are nobody's business
        _check_names(self._path)

    def unlock(self) -> None:
        if self._lock is not None:
            self._lock.release()
            self._lock = None
        if self._folder is not None:
            self._folder.cleanup()

    def writing_engine(self) -> Engine:
        engine = create_engine(URL.create("sqlite", database=self.name), hide_parameters=True)
        _prepare(engine, self._durability, begin="BEGIN IMMEDIATE")
        return engine

    def reading_engine(self) -> AsyncEngine:
        url = URL.create("sqlite+aiosqlite", database=self.name)
        engine = create_async_engine(url, hide_parameters=True, pool_size=READERS, max_overflow=0, pool_timeout=60)
        _prepare(engine.sync_engine, self._durability, begin="BEGIN")
        return engine

    def thread_engine(self) -> Engine:
        engine = create_engine(URL.create("sqlite", database=self.name), hide_parameters=True)
        _prepare(engine, self._durability, begin="BEGIN")
        return engine

    def admin_engine(self) -> Engine:
        if not self._path.is_file():
            raise CannotOpen("there is no such database")
        return self.writing_engine()

    def is_served(self, connection: Connection) -> bool:  # noqa: ARG002  # the lock is that of a file
        return is_locked(self._path)

    def keep_copy(self, revision: str) -> None:
        copy_database(self._path, free_name(self._path.with_name(f"{self._path.name}.before-{revision}")))

    def copy_to(self, target: str | Path) -> Path:
        return copy_database(self._path, target)

    def write_anew(self, engine: Engine) -> None:
        with contextlib.closing(engine.raw_connection()) as connection:
            cursor = connection.cursor()
            cursor.execute("VACUUM")
            cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            cursor.close()

    def restore(self, backup: Path, forgotten: Iterable[str] = ()) -> Restored:
        if self._path.exists():
            _check_names(self._path)
        return restore_file(backup, self._path, forgotten)

    def checkpoints(self, engine: Engine, committer: Committer, writing: ThreadPoolExecutor) -> Checkpoints:
        return Checkpoints(engine, committer, writing)


def _check_names(path: Path) -> None:
    """Raises CannotOpen for a file with several names: by another one, a second server would find no lock of ours."""
    names = path.stat().st_nlink
    if names > 1:
        raise CannotOpen(
            f"the file has {names} names (hard links), and by another name a second server could write to it; "
            "delete the other names, or copy the database with hexholm backup"
        )


def _prepare(engine: Engine, durability: Durability, begin: str) -> None:
    """Connections to SQLite that do as we say: transactions begin where we begin them, commits last as promised."""

    @event.listens_for(engine, "connect")
    def on_connect(connection: Any, _record: object) -> None:
        try:
            connection.isolation_level = None  # else Python begins transactions by itself, and not always
            cursor = connection.cursor()
            cursor.execute(f"PRAGMA busy_timeout = {BUSY_MS}")
            cursor.execute("PRAGMA foreign_keys = ON")
            cursor.execute("PRAGMA journal_mode = WAL")
            (mode,) = cursor.fetchone()
            if mode != "wal":
                raise CannotOpen(f"SQLite has no write-ahead log there ({mode}); use a folder on a local disk")
            cursor.execute(f"PRAGMA synchronous = {durability.upper()}")
            cursor.execute("PRAGMA secure_delete = ON")  # what is deleted is overwritten, too
            cursor.execute("PRAGMA wal_autocheckpoint = 0")  # checkpoints.py does that
            cursor.close()
        except BaseException:
            connection.close()
            raise

    @event.listens_for(engine, "begin")
    def on_begin(connection: Connection) -> None:
        connection.exec_driver_sql(begin)
