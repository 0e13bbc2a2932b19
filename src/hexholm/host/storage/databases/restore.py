"""A backup put in the place of a database file: checked first, whole or not at all, and what was there is kept.

A file alone is not the whole database: its latest moves may lie in a write-ahead log beside it, and one that belongs
to another file damages the database that it is found beside. So the log of what was there goes with what was there.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import sqlite3
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Final, NamedTuple

from sqlalchemy import Connection, create_engine, func, select
from sqlalchemy.engine import URL

from ..database_tables import game_table
from ..rows.forgetting import forget_again
from ..storage_errors import CannotOpen, StorageFailed
from ..writing.commit import DATABASE_ERRORS, cause_text
from .backup import copy_pages, flush_folder, free_name
from .database_lock import DatabaseLock
from .upgrade import database_revision, upgrade_database

SQLITE_HEAD: Final = b"SQLite format 3\x00"
DUMP_HEAD: Final = b"PGDMP"
"""With which a dump of PostgreSQL in its custom format begins."""
BESIDE: Final = ("-wal", "-shm", "-journal")
"""What SQLite keeps beside a database while it is written to."""


class Restored(NamedTuple):
    """What was put in the place of a database."""

    games: int
    unfinished: int
    kept: Path | None = None
    """What was there before, if that was a file; None: there was nothing."""
    forgotten: int = 0
    """Guests who were deleted since the backup, and now again."""


def restore_file(backup: Path, target: Path, forgotten: Iterable[str] = ()) -> Restored:
    """Put a copy of a backup in the place of a database file. Raises CannotOpen for what would do damage."""
    check_backup(backup)
    if head_of(backup).startswith(DUMP_HEAD):
        raise CannotOpen(f"{backup} is a dump of PostgreSQL; name a database there: --db postgresql:///hexholm")
    if not target.parent.is_dir():
        raise CannotOpen(f"there is no folder {target.parent}")
    if target.exists() and backup.samefile(target):
        raise CannotOpen(f"{backup} is the database itself; name a backup of it")
    lock = DatabaseLock(target)
    draft = target.with_name(f"{target.name}.{os.getpid()}.restored")
    try:
        games, unfinished = _write_checked_copy(backup, draft)
        kept, again = _put_aside(target, draft, frozenset(forgotten))
        draft.replace(target)
        flush_folder(target.parent)
    except OSError as error:
        raise StorageFailed(f"{target} cannot be written: {error.strerror}") from error
    finally:
        for path in (draft, *_beside(draft)):
            with contextlib.suppress(OSError):
                path.unlink(missing_ok=True)
        lock.release()
    return Restored(games, unfinished, kept, again)


def forgotten_in(database: Path) -> tuple[str, ...]:
    """The hashes of the guests who were forgotten there; none where it cannot be read any more."""
    try:
        with contextlib.closing(sqlite3.connect(f"{database.absolute().as_uri()}?mode=ro", uri=True)) as connection:
            return tuple(row[0] for row in connection.execute("SELECT hash FROM forgotten_guest"))
    except sqlite3.Error:  # damaged, or of before there was such a table
        return ()


def check_backup(backup: Path) -> None:
    """Raises CannotOpen where there is no such file."""
    if not backup.is_file():
        raise CannotOpen(f"{backup}: there is no such backup")


def head_of(backup: Path) -> bytes:
    """Its first bytes, which tell what it is."""
    try:
        with backup.open("rb") as file:
            return file.read(len(SQLITE_HEAD))
    except OSError as error:
        raise CannotOpen(f"{backup} cannot be read: {error.strerror}") from error


def count_games(connection: Connection) -> tuple[int, int]:
    """How many games there are, and how many of them are not over."""
    statement = select(func.count(), func.count().filter(game_table.c.status != "over")).select_from(game_table)
    games, unfinished = connection.execute(statement).one()
    return games, unfinished


def _write_checked_copy(backup: Path, draft: Path) -> tuple[int, int]:
    """A copy that is proved to be whole and of ours, on the disk. Raises CannotOpen."""
    if head_of(backup) != SQLITE_HEAD:
        raise CannotOpen(f"{backup} is no database: hexholm backup makes one that can be put back")
    os.close(os.open(draft, os.O_CREAT | os.O_WRONLY | os.O_TRUNC, 0o600))
    try:
        copy_pages(backup, draft)
        engine = create_engine(URL.create("sqlite", database=str(draft)), hide_parameters=True)
        try:
            with engine.connect() as connection:
                if database_revision(connection) is None:
                    raise CannotOpen("it is empty: no server has ever opened it")
                counts = count_games(connection)
        finally:
            engine.dispose()
    except CannotOpen as error:
        raise type(error)(f"{backup} is not put back: {error}") from error
    except (StorageFailed, sqlite3.Error) as error:
        raise CannotOpen(f"{backup} is damaged and is not put back: {error}") from error
    with draft.open("rb+") as file:
        os.fsync(file.fileno())
    return counts


def _put_aside(target: Path, draft: Path, forgotten: frozenset[str]) -> tuple[Path | None, int]:
    """Keep what is there by another name, with its write-ahead log; nothing of it stays beside the place.

    Before that the draft forgets whom it has forgotten, and those given: there is no moment at which they are back. How
    many of them there were.
    """
    if not target.exists():
        for path in _beside(target):  # of a file that somebody moved away: it must not meet the new one
            if path.exists():
                path.rename(free_name(path.with_name(f"{path.name}.before-restore")))
        return None, _forget_again(draft, forgotten)
    kept = free_name(target.with_name(f"{target.name}.before-restore-{time.strftime('%Y%m%d-%H%M%S')}"))
    log, kept_log = target.with_name(f"{target.name}-wal"), kept.with_name(f"{kept.name}-wal")
    if log.exists():
        shutil.copy2(log, kept_log)  # SQLite deletes the log of a file that it does not understand
    is_whole = _merge_log(target)
    again = _forget_again(draft, forgotten | set(forgotten_in(target)))
    if is_whole:
        try:
            kept.hardlink_to(target)  # the name itself goes over to the new file in one step
        except OSError:  # not every file system has them
            shutil.copy2(target, kept)
        kept_log.unlink(missing_ok=True)
        return kept, again
    target.rename(kept)  # it is damaged: file and log stay together as they are
    for suffix, path in zip(BESIDE, _beside(target), strict=True):
        if path.exists():
            path.replace(kept.with_name(kept.name + suffix))
    return kept, again


def _forget_again(draft: Path, digests: frozenset[str]) -> int:
    """Who had themselves deleted after the backup must not come back with it; how many of them were in it."""
    if not digests:
        return 0
    engine = create_engine(URL.create("sqlite", database=str(draft)), hide_parameters=True)
    try:
        with engine.begin() as connection:
            connection.exec_driver_sql("PRAGMA secure_delete = ON")
            upgrade_database(connection)
            count = forget_again(connection, digests)
    except DATABASE_ERRORS as error:
        raise StorageFailed(f"{draft} cannot be written: {cause_text(error)}") from error
    finally:
        engine.dispose()
    with draft.open("rb+") as file:
        os.fsync(file.fileno())
    return count


def _merge_log(target: Path) -> bool:
    """Move the write-ahead log of a database that is in order into its file; whether nothing is left beside it."""
    try:
        with contextlib.closing(sqlite3.connect(target, isolation_level=None)) as database:
            (report,) = database.execute("PRAGMA quick_check").fetchone()
            database.execute("PRAGMA journal_mode = DELETE")
        return report == "ok" and not any(path.exists() for path in _beside(target))
    except sqlite3.Error:
        return False


def _beside(path: Path) -> tuple[Path, ...]:
    return tuple(path.with_name(path.name + suffix) for suffix in BESIDE)
