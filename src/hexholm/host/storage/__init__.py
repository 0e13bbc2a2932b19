"""What the host writes down, so that nothing acknowledged is ever lost.

    async with Storage("h.db") as storage:
        await storage.append(Writes("t1", [EntryRow(1, now, "opened", '{"players": 4}')], status="open"))
        for entry in await storage.entries("t1"):
            ...

Every table has a log of entries, numbered from 1 and only ever added to: the log is the truth, all else can be made
from it again. `append` comes back after the commit, so whoever waits for it before telling players tells nothing that
a crash could take back.

Begin with `storage.py`; `values.py` has the words of this language. `writing/` commits for all tables together,
`databases/` has what differs between an SQLite file and PostgreSQL, `rows/` functions within a transaction,
`repositories/` what is asked beside the logs. `database_tables.py` lists the tables of the database, `migrations/` how
they came about. Tables, assistants, the web server and the command line import this.
"""

from __future__ import annotations

from .databases.backup import copy_database
from .databases.database import shown_address
from .repositories.player_ratings import PlayerRatings, RatedGame, RatedGameRow, RatedSeat, RatingChange
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
    "PlayerRatings",
    "RatedGame",
    "RatedGameRow",
    "RatedSeat",
    "RatingChange",
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
