"""What can go wrong with storage.

BadInput
  CannotOpen           this database cannot be opened, and what to do about it; shown to the person who starts a server
    DatabaseInUse      another server has it
    DatabaseTooNew     a newer program has written it
StorageError
  Conflict             somebody else has written this place already: the batch is refused as a whole
  StorageFailed        the disk is full, gone or read-only, or the storage is closed
    LogDamaged         entries of a log are missing
"""

from __future__ import annotations

from typing import Literal

from hexholm.rules.errors import BadInput

ConflictSubject = Literal["table", "entry", "token", "answer"]
"""Where two batches can collide."""


class CannotOpen(BadInput):
    """The database cannot be opened as it is; the message says what would do."""


class DatabaseInUse(CannotOpen):
    """A living process has this database open. There is one server for a database, so that there is one truth."""


class DatabaseTooNew(CannotOpen):
    """A newer program has changed the shape of this database. An older one could only do harm."""


class StorageError(Exception):
    """The root of what can go wrong while running."""


class Conflict(StorageError):
    """A batch does not fit what is stored; nothing of it was written, and no other batch suffers.

    `subject` says what does not fit: its `table` exists already or not at all, its first `entry` is not the next of
    the log, a `token` is known, or the `answer` to this command is stored (then :meth:`.storage.Storage.answer` has
    the first one).
    """

    def __init__(self, table_id: str, subject: ConflictSubject, message: str) -> None:
        super().__init__(f"table {table_id}: {message}")
        self.table_id = table_id
        self.subject = subject


class StorageFailed(StorageError):
    """It could not be written or read. A later try may work: room on a disk comes back.

    After a failed append the log in the database is what counts: read it before going on. As with every database a
    commit whose success could not be reported may still come to light after a crash.
    """


class LogDamaged(StorageFailed):
    """Entries of a table's log are missing: no later try will find them."""
