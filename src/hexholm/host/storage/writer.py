"""One writer for all tables: what waits while a commit runs goes into the next one, together.

A commit costs the same for one batch as for five hundred, so the busier the host, the more each commit carries. All
batches of a group are first written as one (a handful of statements). If one of them does not fit, the transaction is
rolled back and the group written again batch by batch, so that only the guilty one is refused.
"""

from __future__ import annotations

import asyncio
import contextlib
import sqlite3
from collections import deque
from collections.abc import Awaitable, Callable, Iterable, Iterator
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from typing import Any, Final

from sqlalchemy import bindparam, delete, func, insert, update
from sqlalchemy.exc import DatabaseError, DBAPIError, IntegrityError, OperationalError, SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from .errors import Conflict, Place, StorageError, StorageFailed
from .schema import command, entry, game_table, token
from .values import Answer, Batch, Entry, Figures, Seal, Status

MOST: Final = 500
"""Batches in a commit: more would let the first wait for the last."""

DATABASE_ERRORS: Final = (SQLAlchemyError, sqlite3.Error, OSError)
"""What the database and the way to it may raise; while connecting, the driver's errors come as they are."""

Job = Callable[[AsyncConnection], Awaitable[Any]]
"""Something else to write, within the transaction of a group. It may be called again after a rollback."""


class Writer:
    """Takes batches and jobs, commits them in groups. `turn` is held during each commit."""

    def __init__(self, engine: AsyncEngine, turn: AbstractAsyncContextManager[Any], *, disposable: bool) -> None:
        self.figures = Figures()
        self._engine = engine
        self._turn = turn
        self._disposable = disposable  # whether a connection that failed may be thrown away (one in memory holds all)
        self._connection: AsyncConnection | None = None
        self._waiting: deque[_Item] = deque()
        self._wake = asyncio.Event()
        self._closing = False
        self._task = asyncio.create_task(self._run(), name="storage writer")

    @property
    def waiting(self) -> int:
        """Batches and jobs that no commit has taken up yet."""
        return len(self._waiting)

    async def write(self, work: Batch | Job) -> Any:
        """Return what a job returned (a batch: None) after the commit. To stop waiting does not stop the writing."""
        if self._closing or self._task.done():
            raise StorageFailed("the storage is closed")
        item = _Item(work, asyncio.get_running_loop().create_future())
        self._waiting.append(item)
        self._wake.set()
        return await item.future

    async def close(self) -> None:
        """Commit what waits, then stop."""
        self._closing = True
        self._wake.set()
        with contextlib.suppress(asyncio.CancelledError):
            await self._task
        await self._disconnect()

    async def _run(self) -> None:
        group: list[_Item] = []
        try:
            while True:
                await self._wake.wait()
                self._wake.clear()
                while self._waiting:
                    group = [self._waiting.popleft() for _ in range(min(MOST, len(self._waiting)))]
                    await self._commit(group)
                if self._closing:
                    return
        finally:  # also where the task is cancelled: nobody waits for ever
            for item in (*group, *self._waiting):
                item.answer(StorageFailed("the storage was closed before this was written"))
            self._waiting.clear()

    async def _commit(self, group: list[_Item]) -> None:
        """Write a group and answer everybody in it."""
        try:
            async with self._turn:
                try:
                    await self._transaction(group, together=True)
                except OperationalError:
                    raise
                except Exception:  # somebody's batch does not fit: find out whose
                    await self._transaction(group, together=False)
        except Exception as error:  # the writer goes on whatever happened, and those who wait are told
            self.figures.failures += 1
            for item in group:
                item.answer(_failure(error))
            await self._disconnect(broken=True)
            return
        self.figures.commits += 1
        for item in group:
            self._count(item)
            item.answer(item.outcome)

    def _count(self, item: _Item) -> None:
        if isinstance(item.outcome, Conflict):
            self.figures.conflicts += 1
        elif isinstance(item.work, Batch) and not isinstance(item.outcome, Exception):
            self.figures.batches += 1
            self.figures.entries += len(item.work.entries)

    async def _transaction(self, group: list[_Item], *, together: bool) -> None:
        connection = self._connection
        if connection is None:
            connection = self._connection = await self._engine.connect()
        async with connection.begin():
            if together:
                await store(connection, merged(item.work for item in group if isinstance(item.work, Batch)))
            for item in group:
                if not together or not isinstance(item.work, Batch):
                    await _alone(connection, item)

    async def _disconnect(self, *, broken: bool = False) -> None:
        """Give the connection back; after a failure it is not used again."""
        connection = self._connection
        if connection is None or (broken and not self._disposable):
            return
        self._connection = None
        with contextlib.suppress(*DATABASE_ERRORS):
            if broken:
                await connection.invalidate()
        with contextlib.suppress(*DATABASE_ERRORS):
            await connection.close()


@dataclass(slots=True)
class _Item:
    """Somebody who waits for a commit."""

    work: Batch | Job
    future: asyncio.Future[Any]
    outcome: Any = None

    def answer(self, outcome: Any) -> None:
        """Wake the one who waits, if still there."""
        if self.future.done():
            return
        if isinstance(outcome, Exception):
            self.future.set_exception(outcome)
        else:
            self.future.set_result(outcome)


async def _alone(connection: AsyncConnection, item: _Item) -> None:
    """Write one item so that it can fail alone; failures of the database itself are everybody's."""
    try:
        async with connection.begin_nested():
            if isinstance(item.work, Batch):
                await store(connection, merged([item.work]))
                item.outcome = None
            else:
                item.outcome = await item.work(connection)
    except StorageError as error:
        item.outcome = error
    except Exception as error:
        if isinstance(error, OperationalError) or type(error) is DatabaseError or not connection.in_transaction():
            raise
        item.outcome = _failure(error)


def _failure(error: Exception) -> StorageFailed:
    """What those who wait are told: a new error for each, without what was to be written."""
    found = StorageFailed(f"it could not be stored: {cause(error)}")
    found.__cause__ = error
    return found


def cause(error: BaseException) -> str:
    """What the database said, without the statement and its parameters, which may hold secrets."""
    return str(error.orig) if isinstance(error, DBAPIError) else f"{type(error).__name__}: {error}"


# ---------------------------------------------------------------------------------------------- batches as statements


@dataclass(slots=True)
class _Change:
    """All that a group brings for one table."""

    table: str
    entries: list[Entry] = field(default_factory=list)
    status: Status | None = None
    summary: str | None = None
    answers: list[Answer] = field(default_factory=list)
    tokens: list[Seal] = field(default_factory=list)
    revoked: list[str] = field(default_factory=list)

    def add(self, batch: Batch) -> None:
        """Add a later batch."""
        if self.entries and batch.entries and batch.entries[0].seq != self.entries[-1].seq + 1:
            raise _not_next(self.table, batch.entries[0].seq)
        self.entries += batch.entries
        self.status = batch.status or self.status
        self.summary = self.summary if batch.summary is None else batch.summary
        self.answers += batch.answers
        self.tokens = [seal for seal in self.tokens if seal.seat not in batch.revoked]
        self.tokens += batch.tokens
        self.revoked += batch.revoked


def merged(batches: Iterable[Batch]) -> list[_Change]:
    """One change for each table; raises Conflict where batches of a group do not follow each other."""
    changes: dict[str, _Change] = {}
    for batch in batches:
        changes.setdefault(batch.table, _Change(batch.table)).add(batch)
    return list(changes.values())


_ID: Final = game_table.c.id == bindparam("which")
_NEWS: Final = {
    "status": func.coalesce(bindparam("new_status", type_=game_table.c.status.type), game_table.c.status),
    "summary": func.coalesce(bindparam("new_summary", type_=game_table.c.summary.type), game_table.c.summary),
}
_ADVANCE: Final = (
    update(game_table)
    .where(_ID, game_table.c.last == bindparam("before"))
    .values(changed=bindparam("new_changed"), last=bindparam("new_last"), **_NEWS)
)
_TOUCH: Final = update(game_table).where(_ID).values(**_NEWS)
_REVOKE: Final = delete(token).where(token.c.table_id == bindparam("which"), token.c.seat == bindparam("whose"))


async def store(connection: AsyncConnection, changes: list[_Change]) -> None:
    """Write changes of different tables, within a transaction; raises Conflict where one does not fit."""
    one = changes[0].table if len(changes) == 1 else "(of several)"
    created = [
        {
            "id": change.table,
            "created": change.entries[0].time,
            "changed": change.entries[-1].time,
            "status": change.status or "open",
            "summary": "{}" if change.summary is None else change.summary,
            "last": change.entries[-1].seq,
        }
        for change in changes
        if change.entries and change.entries[0].seq == 1
    ]
    if created:
        with _collision(one, "table", "it exists already"):
            await connection.execute(insert(game_table), created)
    advanced = [
        _news(change)
        | {
            "before": change.entries[0].seq - 1,
            "new_changed": change.entries[-1].time,
            "new_last": change.entries[-1].seq,
        }
        for change in changes
        if change.entries and change.entries[0].seq > 1
    ]
    if advanced and (await connection.execute(_ADVANCE, advanced)).rowcount != len(advanced):
        raise _not_next(one, advanced[0]["before"] + 1)
    touched = [
        _news(change) for change in changes if not change.entries and (change.status or change.summary is not None)
    ]
    if touched and (await connection.execute(_TOUCH, touched)).rowcount != len(touched):
        raise Conflict(one, "table", "there is no such table")
    if entries := [_row(change, line) for change in changes for line in change.entries]:
        with _collision(one, "entry", f"entry {entries[0]['seq']} is there already"):
            await connection.execute(insert(entry), entries)
    if revoked := [{"which": change.table, "whose": seat} for change in changes for seat in change.revoked]:
        await connection.execute(_REVOKE, revoked)
    if tokens := [_row(change, seal) for change in changes for seal in change.tokens]:
        with _collision(one, "token", "this token is known already, or there is no such table"):
            await connection.execute(insert(token), tokens)
    if answers := [_row(change, answer) for change in changes for answer in change.answers]:
        with _collision(one, "answer", "this command was answered already, or there is no such table"):
            await connection.execute(insert(command), answers)


def _news(change: _Change) -> dict[str, Any]:
    return {"which": change.table, "new_status": change.status, "new_summary": change.summary}


def _row(change: _Change, value: Entry | Seal | Answer) -> dict[str, Any]:
    return {"table_id": change.table} | {name: getattr(value, name) for name in value.__struct_fields__}


def _not_next(table: str, seq: int) -> Conflict:
    return Conflict(table, "entry", f"entry {seq} is not the next one of its log")


@contextlib.contextmanager
def _collision(table: str, what: Place, message: str) -> Iterator[None]:
    try:
        yield
    except IntegrityError as error:
        raise Conflict(table, what, message) from error
