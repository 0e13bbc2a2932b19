"""One server for a database: a lock that the operating system lets go of when its holder ends, however it ends.

It lies beside the database (`h.db.lock`) and stays there; only the lock on it counts, not that the file exists.
"""

from __future__ import annotations

import contextlib
import os
import sys
import time
import weakref
from pathlib import Path
from typing import Final

from ..storage_errors import CannotOpen, DatabaseInUse

if sys.platform == "win32":
    import msvcrt

    def _lock(handle: int) -> None:
        os.lseek(handle, 1 << 30, os.SEEK_SET)  # a byte far behind the text, which others may then still read
        msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        os.lseek(handle, 0, os.SEEK_SET)

else:
    import fcntl

    def _lock(handle: int) -> None:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)


LOOK: Final = 0.1
"""Seconds after which nobody who only looks has the lock any more."""


class DatabaseLock:
    """Holds the lock of a database from its making to :meth:`release`."""

    def __init__(self, database: Path) -> None:
        path = database.with_name(database.name + ".lock")
        try:
            handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        except OSError as error:
            raise CannotOpen(f"no lock can be made beside it ({error.strerror})") from error
        try:
            _lock_patiently(handle)
        except OSError as error:
            pid = os.read(handle, 20).decode(errors="replace").strip()
            os.close(handle)
            holder, stop = (f"process {pid}", f"stop it (kill {pid})") if pid.isdigit() else ("a process", "stop it")
            raise DatabaseInUse(f"{database} is in use by {holder}; {stop} or name another database") from error
        with contextlib.suppress(OSError):  # on a full disk the lock holds as well, only namelessly
            os.ftruncate(handle, 0)
            os.write(handle, f"{os.getpid()}\n".encode())
        self._handle: int | None = handle
        _held.add(self)

    def release(self) -> None:
        """Let others have the database. A second call does nothing."""
        if self._handle is not None:
            os.close(self._handle)
            self._handle = None


def is_locked(database: Path) -> bool:
    """Whether a process holds the lock of a database now."""
    try:
        handle = os.open(database.with_name(database.name + ".lock"), os.O_RDWR)
    except OSError:
        return False  # nobody ever took it, or it is not ours to take
    try:
        _lock(handle)
    except OSError:
        return True
    finally:
        os.close(handle)
    return False


def _lock_patiently(handle: int) -> None:
    """Raises OSError. Whoever only looks whether somebody holds it has it for a moment."""
    try:
        _lock(handle)
    except OSError:
        time.sleep(LOOK)
        _lock(handle)


# A forked child shares its parent's handles, and with them the lock: it would outlive a killed server in its workers.
_held: weakref.WeakSet[DatabaseLock] = weakref.WeakSet()


def _release_in_child() -> None:
    for lock in list(_held):
        with contextlib.suppress(OSError):
            lock.release()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_release_in_child)
