"""A group of batches as one transaction. Plain calls: they run in the writer's thread.

All batches of a group are first written as one, in a handful of statements. If one of them does not fit, the
transaction is rolled back and the group written again batch by batch, so that only the guilty one is refused.
"""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, TypeVar

from msgspec.structs import astuple
from sqlalchemy import Connection, Engine, bindparam, delete, func, insert, update
from sqlalchemy.exc import DatabaseError, DBAPIError, IntegrityError, OperationalError, SQLAlchemyError

from ...table_literals import TableStatus, Visibility
from ..database_tables import command, dice_key, entry, game_table, holding, personal_text, token
from ..storage_errors import Conflict, ConflictSubject, StorageError, StorageFailed
from ..values import AnswerRow, EntryRow, HoldingRow, Seal, Writes
from .bulk_statements import advance_tables, insert_rows

DATABASE_ERRORS: Final = (SQLAlchemyError, sqlite3.Error, OSError)
"""What the database and the way to it may raise; while connecting, the driver's errors come as they are."""

JobResultT = TypeVar("JobResultT")
WriteJob = Callable[[Connection], JobResultT]
"""Something else to write, within the transaction of a group. It may be called again after a rollback."""


class Committer:
    """Holds the connection that writes; used by one thread."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._connection: Connection | None = None

    def commit(self, group: Sequence[Writes | WriteJob[Any]]) -> list[Any]:
        """Write a group; what each job returned, None for a batch, or the error that it alone met.

        Any error raised is everybody's: nothing of the group is written, as far as can be known.
        """
        try:
            try:
                return self._transaction(group, together=True)
            except OperationalError:
                raise
            except Exception:  # somebody's batch does not fit: find out whose
                return self._transaction(group, together=False)
        except Exception:
            self.disconnect(broken=True)
            raise

    def _transaction(self, group: Sequence[Writes | WriteJob[Any]], *, together: bool) -> list[Any]:
        connection = self._connection
        if connection is None:
            connection = self._connection = self._engine.connect()
        with connection.begin():
            if not together:
                return [_write_alone(connection, work) for work in group]
            store_changes(connection, merge_batches(work for work in group if isinstance(work, Writes)))
            return [None if isinstance(work, Writes) else _write_alone(connection, work) for work in group]

    def restart_wal(self, *, truncate: bool = False) -> bool:
        """Write all that is left in the write-ahead log into the database, and use the log from its beginning.

        `truncate`: and leave nothing in its file. Whether that was done: not while somebody reads what is in it, such
        as a backup, for the writer does not wait for that.
        """
        if self._connection is None:
            return False
        cursor = self._connection.connection.cursor()
        (patience,) = cursor.execute("PRAGMA busy_timeout").fetchone()
        cursor.execute("PRAGMA busy_timeout = 0")
        try:
            how = "TRUNCATE" if truncate else "RESTART"
            return bool(cursor.execute(f"PRAGMA wal_checkpoint({how})").fetchone()[0] == 0)
        finally:
            cursor.execute(f"PRAGMA busy_timeout = {patience}")
            cursor.close()

    def disconnect(self, *, broken: bool = False) -> None:
        """Give the connection back; after a failure it is not used again."""
        connection, self._connection = self._connection, None
        if connection is None:
            return
        if broken:
            with contextlib.suppress(*DATABASE_ERRORS):
                connection.invalidate()
        with contextlib.suppress(*DATABASE_ERRORS):
            connection.close()


def _write_alone(connection: Connection, work: Writes | WriteJob[Any]) -> Any:
    """Write one thing so that it can fail alone; failures of the database itself are everybody's."""
    try:
        with connection.begin_nested():
            if not isinstance(work, Writes):
                return work(connection)
            return store_changes(connection, merge_batches([work]))
    except StorageError as error:
        return error
    except Exception as error:
        lost = not connection.in_transaction() or (isinstance(error, DBAPIError) and error.connection_invalidated)
        if lost or isinstance(error, OperationalError) or type(error) is DatabaseError:
            raise
        return storage_failure(error)


def storage_failure(error: BaseException) -> StorageFailed:
    """What those who wait are told: a new error for each, without what was to be written."""
    storage_error = StorageFailed(f"it could not be stored: {cause_text(error)}")
    storage_error.__cause__ = error
    return storage_error


def cause_text(error: BaseException) -> str:
    """What the database said, without the statement and its parameters, which may hold secrets."""
    if not isinstance(error, DBAPIError):
        return f"{type(error).__name__}: {error}"
    diagnosis = getattr(error.orig, "diag", None)  # PostgreSQL's: without the rows that its text would quote
    return getattr(diagnosis, "message_primary", None) or " ".join(str(error.orig).split())


# ---------------------------------------------------------------------------------------------- batches as statements


@dataclass(slots=True)
class _Change:
    """All that a group brings for one table."""

    table_id: str
    entries: list[EntryRow] = field(default_factory=list)
    status: TableStatus | None = None
    summary: str | None = None
    answers: list[AnswerRow] = field(default_factory=list)
    tokens: list[Seal] = field(default_factory=list)
    revoked: list[str] = field(default_factory=list)
    voided: list[str] = field(default_factory=list)
    people: Sequence[HoldingRow] | None = None
    dice_key: bytes | None = None
    visibility: Visibility | None = None
    unplayed_since: float | None = None

    def add(self, batch: Writes) -> None:
        """Add a later batch."""
        if self.entries and batch.entries and batch.entries[0].seq != self.entries[-1].seq + 1:
            raise _gap_conflict(self.table_id, batch.entries[0].seq)
        self.entries += batch.entries
        self.status = batch.status or self.status
        self.summary = self.summary if batch.summary is None else batch.summary
        self.answers += batch.answers
        self.tokens = [
            seal for seal in self.tokens if seal.color not in batch.revoked and seal.hash not in batch.voided
        ]
        self.tokens += batch.tokens
        self.revoked += batch.revoked
        self.voided += batch.voided
        self.people = self.people if batch.people is None else batch.people
        self.dice_key = batch.dice_key or self.dice_key
        self.visibility = batch.visibility or self.visibility
        self.unplayed_since = batch.unplayed_since or self.unplayed_since


def merge_batches(batches: Iterable[Writes]) -> list[_Change]:
    """One change for each table; raises Conflict where batches of a group do not follow each other."""
    changes: dict[str, _Change] = {}
    for batch in batches:
        changes.setdefault(batch.table_id, _Change(batch.table_id)).add(batch)
    return list(changes.values())


_BY_ID: Final = game_table.c.id == bindparam("which")
_NEW_VALUES: Final = {
    "status": func.coalesce(bindparam("new_status", type_=game_table.c.status.type), game_table.c.status),
    "summary": func.coalesce(bindparam("new_summary", type_=game_table.c.summary.type), game_table.c.summary),
}
_MARK_UNPLAYED: Final = update(game_table).where(_BY_ID).values(unplayed_since=bindparam("since"))
_TOUCH: Final = update(game_table).where(_BY_ID).values(**_NEW_VALUES)
_REVOKE: Final = delete(token).where(token.c.table_id == bindparam("which"), token.c.seat == bindparam("whose"))
_VOID: Final = delete(token).where(token.c.table_id == bindparam("which"), token.c.hash == bindparam("what"))
_CLEAR_HOLDINGS: Final = delete(holding).where(holding.c.table_id == bindparam("which"))


def store_changes(connection: Connection, changes: list[_Change]) -> None:
    """Write changes of different tables, within a transaction; raises Conflict where one does not fit."""
    table_id = changes[0].table_id if len(changes) == 1 else "(of several)"
    created = [
        {
            "id": change.table_id,
            "created": change.entries[0].time,
            "changed": change.entries[-1].time,
            "status": change.status or "open",
            "summary": "{}" if change.summary is None else change.summary,
            "last": change.entries[-1].seq,
            "visibility": change.visibility or "unlisted",
        }
        for change in changes
        if change.entries and change.entries[0].seq == 1
    ]
    if created:
        with _collision(table_id, "table", "it exists already"):
            connection.execute(insert(game_table), created)
    advanced = [
        (
            change.table_id,
            change.entries[0].seq - 1,
            change.entries[-1].seq,
            change.entries[-1].time,
            change.status,
            change.summary,
        )
        for change in changes
        if change.entries and change.entries[0].seq > 1
    ]
    if advanced and advance_tables(connection, advanced) != len(advanced):
        raise _gap_conflict(table_id, advanced[0][1] + 1)
    touched = [
        _touched_row(change)
        for change in changes
        if not change.entries and (change.status or change.summary is not None)
    ]
    if touched and connection.execute(_TOUCH, touched).rowcount != len(touched):
        raise Conflict(table_id, "table", "there is no such table")
    if unplayed := [{"which": one.table_id, "since": one.unplayed_since} for one in changes if one.unplayed_since]:
        connection.execute(_MARK_UNPLAYED, unplayed)
    if entries := [(change.table_id, *astuple(row)[:-1]) for change in changes for row in change.entries]:
        with _collision(table_id, "entry", f"entry {entries[0][1]} is there already"):
            insert_rows(connection, entry, entries)
    if texts := [
        (change.table_id, row.seq, *astuple(text)) for change in changes for row in change.entries for text in row.texts
    ]:
        insert_rows(connection, personal_text, texts)
    if keys := [{"table_id": change.table_id, "key": change.dice_key.hex()} for change in changes if change.dice_key]:
        with _collision(table_id, "table", "it has its dice key already"):
            connection.execute(insert(dice_key), keys)
    if revoked := [{"which": change.table_id, "whose": color} for change in changes for color in change.revoked]:
        connection.execute(_REVOKE, revoked)
    if voided := [{"which": change.table_id, "what": digest} for change in changes for digest in change.voided]:
        connection.execute(_VOID, voided)
    if tokens := [_new_row(change, seal) for change in changes for seal in change.tokens]:
        with _collision(table_id, "token", "this token is known already, or there is no such table"):
            connection.execute(insert(token), tokens)
    if reseated := [change for change in changes if change.people is not None]:
        connection.execute(_CLEAR_HOLDINGS, [{"which": change.table_id} for change in reseated])
        if people := [_new_row(change, person) for change in reseated for person in change.people or ()]:
            with _collision(table_id, "table", "there is no such table, or a guest holds two seats"):
                connection.execute(insert(holding), people)
    if answers := [(change.table_id, *astuple(answer)) for change in changes for answer in change.answers]:
        with _collision(table_id, "answer", "this command was answered already, or there is no such table"):
            insert_rows(connection, command, answers)


def _touched_row(change: _Change) -> dict[str, Any]:
    return {"which": change.table_id, "new_status": change.status, "new_summary": change.summary}


def _new_row(change: _Change, value: Seal | HoldingRow) -> dict[str, Any]:
    columns = zip(value.__struct_encode_fields__, astuple(value), strict=True)
    return {"table_id": change.table_id, **dict(columns)}


def _gap_conflict(table_id: str, seq: int) -> Conflict:
    return Conflict(table_id, "entry", f"entry {seq} is not the next one of its log")


@contextlib.contextmanager
def _collision(table_id: str, subject: ConflictSubject, message: str) -> Iterator[None]:
    try:
        yield
    except IntegrityError as error:
        raise Conflict(table_id, subject, message) from error
