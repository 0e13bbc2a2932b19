"""What is kept of a guest all over the database: carried to another device, shown to the guest, forgotten."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any, Final, NamedTuple

import msgspec
from sqlalchemy import Column, ColumnElement, Connection, Select, and_, delete, func, insert, or_, select, tuple_

from ..database_tables import (
    admin_action,
    forgotten_guest,
    game_table,
    guest,
    holding,
    note,
    personal_text,
    rated_game,
    rating,
    recovery,
    report,
    sanction,
    share,
    token,
)
from ..rows.forgetting import forget_some, mark_forgotten
from ..storage import Storage
from ..values import token_hash

MOST_RECOVERIES: Final = 10
"""Of one guest, of those that work once and of those that last; one more, and the oldest of its kind goes."""
EXPORTED_AT_ONCE: Final = 500
"""Rows of a guest that are read together: who has very many must not hold up others."""


class GuestExport(msgspec.Struct, frozen=True):
    """What is kept of a guest, apart from what there may be much of (`EXPORT_PARTS`) and from the games themselves."""

    created: float | None
    name: str
    seat_tokens: int
    """How many open its seats; only hashes are kept."""
    recoveries: tuple[float, ...]
    """When what recovers this guest was made; only hashes are kept."""
    rating: dict[str, Any] | None
    reported: int
    """How often others reported it."""


class ExportPart(NamedTuple):
    """Rows of a guest, of which there may be many."""

    query: Select[Any]
    guest: ColumnElement[str]
    """Whose they are."""
    key: tuple[ColumnElement[Any], ...]
    """What orders them, and tells those of a guest from each other."""


EXPORT_PARTS: Final = {
    "tables": ExportPart(
        select(
            holding.c.table_id.label("table"),
            holding.c.seat,
            holding.c.creator,
            game_table.c.created,
            game_table.c.status,
        ).join(game_table, game_table.c.id == holding.c.table_id),
        holding.c.guest,
        (holding.c.table_id,),
    ),
    "notes": ExportPart(select(note.c.table_id.label("table"), note.c.text), note.c.guest, (note.c.table_id,)),
    "shown_games": ExportPart(select(share.c.table_id.label("table"), share.c.created), share.c.guest, (share.c.hash,)),
    # How each rated game changed it.
    "ratings": ExportPart(
        select(*(column for column in rated_game.c if column is not rated_game.c.guest)),
        rated_game.c.guest,
        (rated_game.c.games,),
    ),
    # Those it made, without the words of others.
    "reports": ExportPart(
        select(report.c.time, report.c.table_id, report.c.entry, report.c.what, report.c.why, report.c.closed),
        report.c.reporter,
        (report.c.id,),
    ),
    "sanctions": ExportPart(
        select(*(column for column in sanction.c if column not in (sanction.c.id, sanction.c.guest))),
        sanction.c.guest,
        (sanction.c.id,),
    ),
    # What operators did about it; their own words are theirs.
    "actions": ExportPart(
        select(admin_action.c.time, admin_action.c.what, admin_action.c.table_id, admin_action.c.entry),
        admin_action.c.guest,
        (admin_action.c.id,),
    ),
    # `kind`: `name`, `text` (said), `title`, or `reserved COLOR`: the name for which a seat is kept.
    "texts": ExportPart(
        select(
            personal_text.c.table_id.label("table"),
            personal_text.c.seq.label("entry"),
            personal_text.c.slot.label("kind"),
            personal_text.c.text,
        ),
        personal_text.c.guest,
        (personal_text.c.table_id, personal_text.c.seq, personal_text.c.slot),
    ),
}
"""What an export has of a guest beside the `GuestExport`."""
EXPORTED_ONCE: Final[tuple[Column[str], ...]] = (guest.c.id, rating.c.guest, recovery.c.guest, report.c.reported)
"""Of whose rows the `GuestExport` itself tells: they are few, or only counted."""


class RecoveryRow(msgspec.Struct, frozen=True):
    """Something that recovers a guest; its secret is known by a hash alone."""

    created: float
    expires: float | None
    """None: it works until it is revoked."""


class GuestData:
    """The guests of a database."""

    def __init__(self, storage: Storage) -> None:
        self._storage = storage

    # --- to another device ---------------------------------------------------------------------------------------

    async def add_recovery(self, guest_id: str, secret: str, created: float, expires: float | None) -> None:
        """Let a secret recover a guest; `expires` None: until it is revoked, else once and until then."""
        row = {"hash": token_hash(secret), "guest": guest_id, "created": created, "expires": expires}
        is_own = recovery.c.guest == guest_id
        same_kind = is_own & (recovery.c.expires.is_(None) if expires is None else recovery.c.expires.is_not(None))

        def job(connection: Connection) -> None:
            connection.execute(delete(recovery).where(is_own, recovery.c.expires < created))
            kept = select(recovery.c.hash).where(same_kind).order_by(recovery.c.created.desc())
            hashes = [row[0] for row in connection.execute(kept.limit(MOST_RECOVERIES - 1))]
            connection.execute(delete(recovery).where(same_kind, recovery.c.hash.not_in(hashes)))
            connection.execute(insert(recovery).values(**row))

        await self._storage.write(job)

    async def recoverable(self, secret: str, now: float) -> str | None:
        """The guest that a secret would recover, None: none; nothing is used up."""
        c = recovery.c
        query = select(c.guest).where(c.hash == token_hash(secret), or_(c.expires.is_(None), c.expires >= now))
        async with self._storage.reading() as connection:
            guest_id: str | None = (await connection.execute(query)).scalar()
        return guest_id

    async def recover(self, secret: str, now: float) -> str | None:
        """The guest that a secret recovers, None: none; what works once is used up."""
        is_own = recovery.c.hash == token_hash(secret)

        def job(connection: Connection) -> str | None:
            row = connection.execute(select(recovery.c.guest, recovery.c.expires).where(is_own)).first()
            if row is None:
                return None
            guest_id, expires = row
            if expires is not None and connection.execute(delete(recovery).where(is_own)).rowcount == 0:
                return None
            return None if expires is not None and expires < now else str(guest_id)

        return await self._storage.write(job)

    async def recoveries(self, guest_id: str, now: float) -> list[RecoveryRow]:
        """What recovers a guest, the newest first."""
        c = recovery.c
        query = (
            select(c.created, c.expires)
            .where(c.guest == guest_id, or_(c.expires.is_(None), c.expires >= now))
            .order_by(c.created.desc())
        )
        async with self._storage.reading() as connection:
            return [RecoveryRow(*row) for row in await connection.execute(query)]

    async def revoke_recoveries(self, guest_id: str) -> int:
        """Let nothing recover a guest any more; how much there was."""
        statement = delete(recovery).where(recovery.c.guest == guest_id)
        return await self._storage.write(lambda connection: connection.execute(statement).rowcount)

    # --- all that is kept ----------------------------------------------------------------------------------------

    async def has_anything(self, guest_id: str) -> bool:
        """Whether a guest has a table, or something else that it would not want to lose."""
        async with self._storage.reading() as connection:
            for column in (holding.c.guest, personal_text.c.guest, rated_game.c.guest, recovery.c.guest):
                query = select(column).where(column == guest_id).limit(1)
                if (await connection.execute(query)).first() is not None:
                    return True
        return False

    async def count_tables(self, guest_id: str) -> int:
        """At how many tables a guest is."""
        query = select(func.count()).select_from(holding).where(holding.c.guest == guest_id)
        async with self._storage.reading() as connection:
            return int((await connection.execute(query)).scalar_one())

    async def export(self, guest_id: str) -> GuestExport:
        """What is kept of a guest, but for what there may be much of."""
        async with self._storage.reading() as connection:

            async def count(query: Select[Any]) -> int:
                return int((await connection.execute(query)).scalar_one())

            guest_row = (await connection.execute(select(guest).where(guest.c.id == guest_id))).mappings().first()
            recoveries = await connection.execute(select(recovery.c.created).where(recovery.c.guest == guest_id))
            columns = (column for column in rating.c if column is not rating.c.guest)
            rating_rows = await connection.execute(select(*columns).where(rating.c.guest == guest_id))
            rating_row = rating_rows.mappings().first()
            tokens = (
                select(func.count())
                .select_from(holding)
                .join(token, and_(token.c.table_id == holding.c.table_id, token.c.seat == holding.c.seat))
                .where(holding.c.guest == guest_id)
            )
            return GuestExport(
                created=None if guest_row is None else guest_row["created"],
                name="" if guest_row is None else guest_row["name"],
                seat_tokens=await count(tokens),
                recoveries=tuple(recoveries.scalars()),
                rating=None if rating_row is None else dict(rating_row),
                reported=await count(select(func.count()).select_from(report).where(report.c.reported == guest_id)),
            )

    async def export_part(self, guest_id: str, name: str) -> AsyncIterator[list[dict[str, Any]]]:
        """One of `EXPORT_PARTS`, some rows at a time, read beside the event loop."""
        part = EXPORT_PARTS[name]
        keys = [column.label(f"key_{i}") for i, column in enumerate(part.key)]
        names = [column.name for column in part.query.selected_columns]
        query = part.query.add_columns(*keys).where(part.guest == guest_id).order_by(*part.key).limit(EXPORTED_AT_ONCE)
        last_key: tuple[Any, ...] = ()

        def read_page(connection: Connection) -> tuple[list[dict[str, Any]], tuple[Any, ...]]:
            page = query.where(tuple_(*part.key) > last_key) if last_key else query
            rows = connection.execute(page).all()
            return [dict(zip(names, row, strict=False)) for row in rows], rows[-1][len(names) :] if rows else ()

        while True:
            rows, last_key = await self._storage.read(read_page)
            if rows:
                yield rows
            if len(rows) < EXPORTED_AT_ONCE:
                return

    # --- forgetting ----------------------------------------------------------------------------------------------

    async def forget(self, guest_id: str) -> list[str]:
        """Delete all rows of a guest that are its own; the tables in which it was."""
        await self.mark_forgotten(guest_id)
        return [table_id async for table_ids in self.forget_rest(guest_id) for table_id in table_ids]

    async def mark_forgotten(self, guest_id: str) -> None:
        """From here on a guest is nobody, after a crash too: what is left of it goes by :meth:`forget_rest`."""
        await self._storage.delete_for_good(lambda connection: mark_forgotten(connection, guest_id))

    async def forget_rest(self, guest_id: str) -> AsyncIterator[list[str]]:
        """Delete what is left of a guest, step by step: after each, the tables where nothing of it is left now."""
        while table_ids := await self._storage.write(lambda connection: forget_some(connection, guest_id)):
            yield table_ids
        self._storage.truncate_wal()

    async def half_forgotten(self) -> list[str]:
        """The guests who were marked, and of whom there are rows left: by their ids."""
        c = forgotten_guest.c
        async with self._storage.reading() as connection:
            return [row[0] for row in await connection.execute(select(c.guest).where(c.guest.is_not(None)))]

    async def forgotten(self) -> list[str]:
        """The hashes of all guests who were forgotten: they are nobody, though their cookies were signed here."""
        async with self._storage.reading() as connection:
            return list((await connection.execute(select(forgotten_guest.c.hash))).scalars())
