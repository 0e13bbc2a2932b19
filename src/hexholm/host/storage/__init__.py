"""What the host writes down, so that nothing acknowledged is ever lost.

    async with Storage("h.db") as storage:
        await storage.append(Writes("t1", [EntryRow(1, now, "opened", '{"players": 4}')], status="open"))
        for entry in await storage.entries("t1"):
            ...

Every table has a log of entries, numbered from 1 and only ever added to: the log is the truth, all else can be made
from it again. `append` comes back after the commit, so whoever waits for it before telling players tells nothing that
a crash could take back.

Begin with `storage.py`; `values.py` has the words of this language, `writer.py` commits for all tables together,
`database_tables.py` lists the tables of the database and `migrations/` how they came about, `upgrade.py` brings a
database up to date. `database.py` says what differs between the kinds of databases: `sqlite_database.py` (with
`database_lock.py`, `backup.py`, `restore.py` and `checkpoints.py`) and `postgres_database.py`. Tables, assistants, the
web server and the command line import this.
"""

from __future__ import annotations

from .backup import copy_database
from .database import shown_address
from .rating_rows import RatedGame, RatedGameRow, RatedSeat, RatingChange, RatingRows
from .storage import Storage, database_of
from .storage_errors import CannotOpen, Conflict, DatabaseInUse, DatabaseTooNew, LogDamaged, StorageError, StorageFailed
from .values import (
    AnswerRow,
    EntryRow,
    GuestRow,
    HoldingRow,
    PersonalText,
    Seal,
    StorageFigures,
    TableRow,
    TokenRow,
    Writes,
    token_hash,
)

__all__ = [
    "AnswerRow",
    "CannotOpen",
    "Conflict",
    "DatabaseInUse",
    "DatabaseTooNew",
    "EntryRow",
    "GuestRow",
    "HoldingRow",
    "LogDamaged",
    "PersonalText",
    "RatedGame",
    "RatedGameRow",
    "RatedSeat",
    "RatingChange",
    "RatingRows",
    "Seal",
    "Storage",
    "StorageError",
    "StorageFailed",
    "StorageFigures",
    "TableRow",
    "TokenRow",
    "Writes",
    "copy_database",
    "database_of",
    "shown_address",
    "token_hash",
]
