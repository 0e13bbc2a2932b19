"""The storage of the host: the one place that reads and writes its database.

Writing goes through one thread (:mod:`.writing.writer`), reading through a few connections of its own and sees what is
committed; what has thousands of rows is read in another thread, beside the event loop. What the kinds of databases
do not share is in :mod:`.databases.database`. Nothing here looks at a clock or at what the entries say.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

from sqlalchemy import Connection, Engine, and_, delete, exists, func, insert, or_, select, update
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from hexholm import __version__

from ..table_literals import TableStatus, Visibility
from .database_tables import (
    command,
    dice_key,
    entry,
    game_table,
    guest,
    holding,
    meta,
    note,
    personal_text,
    rated_game,
    recovery,
    share,
    token,
)
from .databases import upgrade
from .databases.database import Database
from .databases.sqlite_database import SqliteDatabase
from .rows.database_notes import REWRITE_DUE, mark_rewrite_due, set_meta_row
from .storage_errors import CannotOpen, DatabaseInUse, LogDamaged, StorageFailed
from .values import (
    DURABILITIES,
    Durability,
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
from .writing.commit import DATABASE_ERRORS, JobResultT, WriteJob, cause_text
from .writing.writer import Writer

POSTGRES_SCHEMES: Final = ("postgresql", "postgres")
PRUNE_AT_ONCE: Final = 50
"""Tables that one step of pruning deletes: live tables must not wait for it."""

logger = logging.getLogger("hexholm.host")


def database_of(database: str | Path, durability: Durability = "normal") -> Database:
    """The database that a file or an address names; nothing is opened yet. Raises CannotOpen."""
    if durability not in DURABILITIES:
        raise CannotOpen(f"durability {durability!r}: choose {' or '.join(DURABILITIES)}")
    scheme, address_sign, _ = str(database).partition("://")
    if address_sign and scheme not in POSTGRES_SCHEMES:
        raise CannotOpen(f"{scheme}://...: name the file of an SQLite database, or postgresql://HOST/NAME")
    if address_sign:
        from .databases.postgres_database import PostgresDatabase

        return PostgresDatabase(str(database))
    return SqliteDatabase(database, durability)


class Storage:
    """A database, open within `async with`: `Storage("h.db")`, or `Storage(":memory:")` for one that nobody keeps.

    `durability` "normal" survives any end of the process; "full" also a power cut, at the price of a flush to the disk
    for each commit. A database that is new or of an older program is brought up to date on opening; before an upgrade a
    copy of a file is kept beside it (`h.db.before-0002`). `Storage("postgresql:///hexholm")` is a database on a server.
    """

    def __init__(self, database: str | Path, *, durability: Durability = "normal") -> None:
        self._database = database_of(database, durability)
        self.durability: Durability = durability
        self._migrations = upgrade.MIGRATIONS
        self._is_taken = False
        self._writing: Engine | None = None
        self._engine: AsyncEngine | None = None
        self._thread_engine: Engine | None = None
        self._thread: ThreadPoolExecutor | None = None
        self._writer: Writer | None = None

    @property
    def name(self) -> str:
        """The database as messages say it: a file, or an address without a password."""
        return self._database.name

    @property
    def path(self) -> Path | None:
        """The file of the database, None where it is on a server."""
        return self._database.path

    # ------------------------------------------------------------------------------------------- opening and closing

    async def open(self) -> Self:
        """Take the database for this process and bring it up to date; raises CannotOpen with what would do."""
        if self._is_taken:
            raise StorageFailed("the storage is open already")
        self._is_taken = True
        try:
            self._database.lock()
            self._writing = self._database.writing_engine()
            await asyncio.to_thread(self._bring_up_to_date, self._writing)
        except DatabaseInUse:  # it names the database itself
            await self.close()
            raise
        except CannotOpen as error:
            await self.close()
            raise type(error)(f"{self.name}: {error}") from error
        except DATABASE_ERRORS as error:
            await self.close()
            raise CannotOpen(f"{self.name} cannot be opened as a database: {cause_text(error)}") from error
        except BaseException:
            await self.close()
            raise
        self._engine = self._database.reading_engine()
        self._thread_engine = self._database.thread_engine()
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="storage-reader")
        self._writer = Writer(self._writing, self._database.checkpoints)
        return self

    async def close(self) -> None:
        """Commit what waits and let go of the database. A second call does nothing."""
        try:
            if self._writer is not None:
                await self._writer.close()
            if self._thread is not None:
                await asyncio.to_thread(self._thread.shutdown)
            if self._thread_engine is not None:
                self._thread_engine.dispose()
            if self._engine is not None:
                await self._engine.dispose()
            if self._writing is not None:
                self._writing.dispose()
        finally:
            self._writer = self._engine = self._writing = self._thread_engine = self._thread = None
            self._is_taken = False
            self._database.unlock()

    async def __aenter__(self) -> Self:
        return await self.open()

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    def _bring_up_to_date(self, engine: Engine) -> None:
        with engine.connect() as connection:
            revision = upgrade.database_revision(connection, self._migrations)
        newest = upgrade.newest_revision(self._migrations)
        if revision is not None and revision != newest:
            self._database.keep_copy(newest)
        if revision != newest:
            with engine.begin() as connection:
                upgrade.upgrade_database(connection, self._migrations)
        with engine.connect() as connection:
            rows = connection.execute(select(meta.c.key, meta.c.value).where(meta.c.key.in_(("program", REWRITE_DUE))))
            notes = {row.key: row.value for row in rows}
        if notes.get("program") != __version__:
            with engine.begin() as connection:
                set_meta_row(connection, "program", __version__)
        if REWRITE_DUE in notes:
            self._write_anew(engine)

    def _write_anew(self, engine: Engine) -> None:
        """Leave nothing of what was deleted in unused parts of the file; where that fails, the next start tries."""
        try:
            self._database.write_anew(engine)
            with engine.begin() as connection:
                connection.execute(delete(meta).where(meta.c.key == REWRITE_DUE))
        except DATABASE_ERRORS as error:
            logger.warning("what was deleted may still lie in unused parts of the file: %s", cause_text(error))

    # ------------------------------------------------------------------------------------------------------- writing

    async def append(self, batch: Writes) -> None:
        """Store a batch, whole or not at all, and return after the commit that contains it.

        Batches of a table are stored in the order of the calls. Raises Conflict (only this batch) or StorageFailed
        (read the table again before going on). Being cancelled while waiting does not take the batch back.
        """
        await self._running_writer().write(batch)

    async def add_guest(self, row: GuestRow) -> None:
        """Remember a guest, or the new name of one."""

        def job(connection: Connection) -> None:
            renamed = update(guest).where(guest.c.id == row.id).values(name=row.name)
            if not connection.execute(renamed).rowcount:
                connection.execute(insert(guest).values(id=row.id, created=row.created, name=row.name))

        await self.write(job)

    async def set_meta(self, key: str, value: str) -> None:
        """Keep something about the database as a whole, such as when its server was last alive."""
        await self.write(lambda connection: set_meta_row(connection, key, value))

    async def prune(self, older_than: float, *, keep_records: bool) -> int:
        """Delete games that are over and had no entry since `older_than` (Unix seconds); how many there were.

        With `keep_records` their logs stay, and only what was needed to play goes: tokens, answers to commands, notes.
        Room in the file is used again; the file does not shrink.
        """
        total = 0
        while True:
            count = await self.write(lambda connection: _prune(connection, older_than, keep_records))
            total += count
            if count < PRUNE_AT_ONCE:
                return total

    async def prune_guests(self, older_than: float) -> int:
        """Forget guests whom we know since before `older_than` and who have no table; how many there were.

        What would have recovered somebody until then goes too.
        """
        c = guest.c
        idle = ~exists(select(holding.c.guest).where(holding.c.guest == c.id))
        statement = delete(guest).where(c.created < older_than, idle)

        def job(connection: Connection) -> int:
            connection.execute(delete(recovery).where(recovery.c.expires < older_than))
            return connection.execute(statement).rowcount

        return await self.write(job)

    async def delete_table(self, table_id: str) -> None:
        """Delete a table with all that was stored of it: one at which no game was ever played."""
        await self.write(lambda connection: delete_tables(connection, [table_id]))

    async def backup(self, path: str | Path) -> Path:
        """Copy the database as it is now into a new file while it is in use."""
        return await asyncio.to_thread(self._database.copy_to, path)

    async def delete_for_good(self, job: WriteJob[JobResultT]) -> JobResultT:
        """Delete something for good: soon from the write-ahead log too, and with the next start from all of the file.

        Deleted rows are overwritten where they are. But when SQLite moves rows between pages, it leaves copies in
        unused parts of them, which only go when the file is written anew.
        """

        def marked_job(connection: Connection) -> JobResultT:
            mark_rewrite_due(connection)
            return job(connection)

        writer = self._running_writer()
        result = await writer.write(marked_job)
        writer.truncate_wal()
        return result

    def truncate_wal(self) -> None:
        """Leave nothing in the write-ahead log of what another program has deleted."""
        self._running_writer().truncate_wal()

    async def write(self, job: WriteJob[JobResultT]) -> JobResultT:
        """Write something within the writer's transaction; the job may be called again after a rollback."""
        return await self._running_writer().write(job)

    def _running_writer(self) -> Writer:
        if self._writer is None:
            raise StorageFailed("the storage is closed")
        return self._writer

    # ------------------------------------------------------------------------------------------------------- reading

    async def entries(self, table_id: str, since: int = 0) -> list[EntryRow]:
        """The log of a table after entry `since`; empty where there is none. Raises LogDamaged at a hole."""
        c = entry.c
        query = (
            select(c.seq, c.time, c.kind, c.body, c.state_hash)
            .where(c.table_id == table_id, c.seq > since)
            .order_by(c.seq)
        )
        texts = personal_text.c
        query_texts = (
            select(texts.seq, texts.slot, texts.guest, texts.text)
            .where(texts.table_id == table_id, texts.seq > since)
            .order_by(texts.seq, texts.slot)
        )
        async with self.reading() as connection:
            rows = (await connection.execute(query)).all()
            texts_by_entry: dict[int, list[PersonalText]] = {}
            for seq, *text in await connection.execute(query_texts):
                texts_by_entry.setdefault(seq, []).append(PersonalText(*text))
        entries = [EntryRow(*row, tuple(texts_by_entry.get(row[0], ()))) for row in rows]
        for seq, row in enumerate(entries, since + 1):
            if row.seq != seq:
                raise LogDamaged(f"table {table_id}: entry {seq} is missing")
        return entries

    async def table(self, table_id: str) -> TableRow | None:
        """One table, as a list shows it."""
        async with self.reading() as connection:
            row = (await connection.execute(_TABLES.where(game_table.c.id == table_id))).first()
        return None if row is None else TableRow(*row)

    async def tables(
        self,
        status: TableStatus | None = None,
        *,
        visibility: Visibility | None = None,
        limit: int = 50,
        before: tuple[float, str] | None = None,
    ) -> list[TableRow]:
        """Tables, newest first. For the next page: `before=(row.created, row.id)` of the last row."""
        c = game_table.c
        query = _TABLES.order_by(c.created.desc(), c.id.desc()).limit(limit)
        if status is not None:
            query = query.where(c.status == status)
        if visibility is not None:
            query = query.where(c.visibility == visibility)
        if before is not None:
            query = query.where(or_(c.created < before[0], and_(c.created == before[0], c.id < before[1])))
        async with self.reading() as connection:
            return [TableRow(*row) for row in await connection.execute(query)]

    async def count(self, status: TableStatus, *, visibility: Visibility | None = None) -> int:
        """How many tables have a status."""
        query = select(func.count()).select_from(game_table).where(game_table.c.status == status)
        if visibility is not None:
            query = query.where(game_table.c.visibility == visibility)
        async with self.reading() as connection:
            return int((await connection.execute(query)).scalar_one())

    async def tables_of(
        self, guest_id: str, *, limit: int = 50, before: float | None = None, playing: bool = False
    ) -> list[tuple[TableRow, HoldingRow]]:
        """The tables of a guest, newest first; `before`: those made before that time; `playing`: games that go on."""
        c = game_table.c
        query = (
            _TABLES.add_columns(holding.c.guest, holding.c.seat, holding.c.creator)
            .join(holding, holding.c.table_id == c.id)
            .where(holding.c.guest == guest_id)
            .order_by(c.created.desc(), c.id.desc())
            .limit(limit)
        )
        if before is not None:
            query = query.where(c.created < before)
        if playing:
            query = query.where(c.status == "playing")
        async with self.reading() as connection:
            return [(TableRow(*row[:-3]), HoldingRow(*row[-3:])) for row in await connection.execute(query)]

    async def holds(self, table_id: str, guest_id: str) -> bool:
        """Whether a guest sits at a table, or has set it up."""
        c = holding.c
        query = select(c.guest).where(c.table_id == table_id, c.guest == guest_id)
        return await self._read_text(query) is not None

    async def unfinished(self, *, longer_than: int = 0) -> list[str]:
        """The tables to load at the start of a server, oldest first; those with more than so many entries."""
        c = game_table.c
        unfinished = c.status.in_(["open", "playing"])
        query = select(c.id).where(unfinished, c.last > longer_than).order_by(c.created, c.id)
        async with self.reading() as connection:
            return [row[0] for row in await connection.execute(query)]

    async def answer(self, table_id: str, sender: str, command_id: str) -> str | None:
        """What a command was answered with, None if it was never accepted."""
        c = command.c
        return await self._read_text(
            select(c.answer).where(c.table_id == table_id, c.who == sender, c.id == command_id)
        )

    async def token(self, secret: str) -> TokenRow | None:
        """What a token opens, None if it is unknown or no longer works."""
        c = token.c
        async with self.reading() as connection:
            query = select(c.table_id, c.seat, c.created).where(c.hash == token_hash(secret))
            row = (await connection.execute(query)).first()
        return None if row is None else TokenRow(*row)

    async def seals(self, table_id: str) -> list[Seal]:
        """The tokens that open seats of a table, by their hashes, oldest first."""
        c = token.c
        async with self.reading() as connection:
            query = select(c.hash, c.seat, c.created).where(c.table_id == table_id).order_by(c.created, c.hash)
            rows = await connection.execute(query)
            return [Seal(*row) for row in rows]

    async def dice_key(self, table_id: str) -> bytes | None:
        """The key from which a table's chance comes; None: it has none."""
        text = await self._read_text(select(dice_key.c.key).where(dice_key.c.table_id == table_id))
        try:
            return None if text is None else bytes.fromhex(text)
        except ValueError as error:
            raise LogDamaged(f"the key of the dice of {table_id} cannot be read") from error

    async def guest(self, guest_id: str) -> GuestRow | None:
        """A guest whom we know."""
        c = guest.c
        async with self.reading() as connection:
            row = (await connection.execute(select(c.id, c.created, c.name).where(c.id == guest_id))).first()
        return None if row is None else GuestRow(*row)

    async def meta(self, key: str) -> str | None:
        """What is kept of the database as a whole; `program` is the version that opened it last."""
        return await self._read_text(select(meta.c.value).where(meta.c.key == key))

    @property
    def figures(self) -> StorageFigures:
        """What was written since the opening."""
        return StorageFigures() if self._writer is None else self._writer.figures

    @property
    def is_failing(self) -> bool:
        """Whether the last commit failed, as on a full disk: the next one that succeeds ends that."""
        return self._writer is not None and self._writer.is_failing

    @property
    def queue_length(self) -> int:
        """Batches that wait for the next commit."""
        return 0 if self._writer is None else self._writer.queue_length

    @property
    def queue_seconds(self) -> float:
        """For how long the first of them has waited."""
        return 0.0 if self._writer is None else self._writer.queue_seconds

    async def _read_text(self, query: Any) -> str | None:
        async with self.reading() as connection:
            text: str | None = (await connection.execute(query)).scalar()
        return text

    async def read(self, job: WriteJob[JobResultT]) -> JobResultT:
        """Read by a plain function, as :meth:`write` does it, in a thread beside the event loop."""
        thread, engine = self._thread, self._thread_engine
        if thread is None or engine is None:
            raise StorageFailed("the storage is closed")

        def read() -> JobResultT:
            with engine.connect() as connection:
                return job(connection)

        try:
            return await asyncio.get_running_loop().run_in_executor(thread, read)
        except DATABASE_ERRORS as error:
            raise StorageFailed(f"it could not be read: {cause_text(error)}") from error

    @contextlib.asynccontextmanager
    async def reading(self) -> AsyncIterator[AsyncConnection]:
        """A connection that reads what is committed."""
        if self._engine is None:
            raise StorageFailed("the storage is closed")
        try:
            async with self._engine.connect() as connection:
                yield connection
        except DATABASE_ERRORS as error:
            raise StorageFailed(f"it could not be read: {cause_text(error)}") from error


_TABLES: Final = select(
    game_table.c.id,
    game_table.c.created,
    game_table.c.changed,
    game_table.c.status,
    game_table.c.summary,
    game_table.c.last,
)


def _prune(connection: Connection, older_than: float, keep_records: bool) -> int:
    c = game_table.c
    query = select(c.id).where(c.status == "over", c.changed < older_than).order_by(c.created).limit(PRUNE_AT_ONCE)
    if keep_records:  # only tables that still have what is to go
        query = query.where(
            or_(
                exists(select(command.c.id).where(command.c.table_id == c.id)),
                exists(select(token.c.hash).where(token.c.table_id == c.id)),
                exists(select(note.c.guest).where(note.c.table_id == c.id)),
            )
        )
    table_ids = [row[0] for row in connection.execute(query)]
    if keep_records:
        for table in (command, token, note):
            connection.execute(delete(table).where(table.c.table_id.in_(table_ids)))
    else:
        delete_tables(connection, table_ids)
    return len(table_ids)


TABLES_OF_A_TABLE: Final = (command, token, note, holding, dice_key, personal_text, share, rated_game, entry)
"""Of the database, with rows for a table of the house."""


def delete_tables(connection: Connection, table_ids: Sequence[str]) -> None:
    """Delete tables of the house with all that was stored of them, within a transaction."""
    for table in TABLES_OF_A_TABLE:
        connection.execute(delete(table).where(table.c.table_id.in_(table_ids)))
    connection.execute(delete(game_table).where(game_table.c.id.in_(table_ids)))
