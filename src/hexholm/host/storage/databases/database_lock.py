"""One server for a database: a lock that the operating system lets go of when its holder ends, however it ends.

It lies beside the database (`h.db.lock`) and stays there; only the lock on it counts, not that the file exists.
"""

from __future__ import annotations

import contextlib
import os
import sys
import weakref
from pathlib import Path

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


class DatabaseLock:
    """Holds the lock of a database from its making to :meth:`release`."""

    def __init__(self, database: Path) -> None:
        path = database.with_name(database.name + ".lock")
        try:
            handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        except OSError as error:
            raise CannotOpen(f"no lock can be made beside it ({error.strerror})") from error
        try:
            _lock(handle)
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


# A forked child shares its parent's handles, and with them the lock: it would outlive a killed server in its workers.
_held: weakref.WeakSet[DatabaseLock] = weakref.WeakSet()


def _release_in_child() -> None:
    for lock in list(_held):
        with contextlib.suppress(OSError):
            lock.release()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_release_in_child)
