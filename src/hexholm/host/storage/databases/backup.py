"""Copies of a database that is in use.

:func:`copy_database` needs no server and disturbs none: it may run in another process than the one that writes.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
from collections.abc import Callable
from pathlib import Path

from ..storage_errors import CannotOpen, StorageFailed


def copy_database(source: str | Path, target: str | Path) -> Path:
    """Copy an SQLite database as it is at one moment into a new file, and check the copy.

    Writers go on meanwhile. The file has its name only once it is whole, is a single file without a journal beside it,
    and is readable only by its owner: it holds what the players may not see. A file that is there is not replaced.
    """
    source, target = Path(source), Path(target)
    if not source.is_file():
        raise CannotOpen(f"{source}: there is no such database")
    try:
        return write_new_file(target, lambda partial: copy_pages(source, partial))
    except sqlite3.Error as error:
        raise StorageFailed(f"{source} cannot be copied to {target}: {error}") from error


def write_new_file(target: Path, write: Callable[[Path], None]) -> Path:
    """Have a file written that gets its name only once it is whole; it is its owner's alone, and replaces none."""
    if target.exists():
        raise CannotOpen(f"{target} is there already; name a new file")
    partial = target.with_name(f"{target.name}.{os.getpid()}.partial")
    try:
        os.close(os.open(partial, os.O_CREAT | os.O_WRONLY | os.O_TRUNC, 0o600))
        write(partial)
        partial.replace(target)
        flush_folder(target.parent)
    except OSError as error:
        raise StorageFailed(f"{target} cannot be written: {error.strerror}") from error
    finally:
        with contextlib.suppress(OSError):
            partial.unlink(missing_ok=True)
    return target


def copy_pages(source: Path, target: Path) -> None:
    """Copy a database, with what lies in a log beside it, into one file and check that; raises StorageFailed."""
    address = f"{source.absolute().as_uri()}?mode=ro"
    with (
        contextlib.closing(sqlite3.connect(address, uri=True)) as source_database,
        contextlib.closing(sqlite3.connect(target, isolation_level=None)) as copy,
    ):
        source_database.backup(copy)  # all pages in one step: one moment, and no writer makes it begin again
        copy.execute("PRAGMA journal_mode = DELETE")
        (report,) = copy.execute("PRAGMA integrity_check").fetchone()
        if report != "ok":
            raise StorageFailed(f"{source} is damaged, there is no copy of it: {' '.join(report.split())}")


def flush_folder(folder: Path) -> None:
    """Have a renamed file survive a power cut too."""
    if os.name == "posix":
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def free_name(path: Path) -> Path:
    """`path`, or with a number behind it where it is taken."""
    candidate, number = path, 1
    while candidate.exists():
        number += 1
        candidate = path.with_name(f"{path.name}.{number}")
    return candidate
