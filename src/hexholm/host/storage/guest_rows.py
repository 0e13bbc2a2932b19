"""What is kept of a guest all over the database: carried to another device, shown to the guest, forgotten."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Iterable
from typing import Any, Final

import msgspec
from sqlalchemy import ColumnElement, Connection, Select, Table, and_, delete, func, insert, or_, select, tuple_, update

from .database_tables import (
    command,
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
from .storage import Storage
from .values import token_hash

MOST_RECOVERIES: Final = 10
"""Of one guest, of those that work once and of those that last; one more, and the oldest of its kind goes."""
TEXTS_AT_ONCE: Final = 500
"""Texts of a guest that are read together: who has written very much must not hold up others."""


class OwnText(msgspec.Struct, frozen=True):
    """Something a guest has written at a table."""

    table_id: str = msgspec.field(name="table")
    entry: int
    kind: str
    """`name`, `text` (said), `title`, or `reserved COLOR`: the name for which a seat is kept."""
    text: str


class GuestExport(msgspec.Struct, frozen=True):
    """What is kept of a guest, apart from its texts and from the games themselves, which have a record each."""

    created: float | None
    name: str
    tables: tuple[dict[str, Any], ...]
    """`table`, `seat`, `creator`, `created`, `status`."""
    notes: tuple[dict[str, str], ...]
    seat_tokens: int
    """How many open its seats; only hashes are kept."""
    recoveries: tuple[float, ...]
    """When what recovers this guest was made; only hashes are kept."""
    shown_games: tuple[str, ...]
    rating: dict[str, Any] | None
    ratings: tuple[dict[str, Any], ...]
    """How each rated game changed it."""
    reports: tuple[dict[str, Any], ...]
    """Those it made, without the words of others."""
    reported: int
    """How often others reported it."""
    sanctions: tuple[dict[str, Any], ...]


class RecoveryRow(msgspec.Struct, frozen=True):
    """Something that recovers a guest; its secret is known by a hash alone."""

    created: float
    expires: float | None
    """None: it works until it is revoked."""


class GuestRows:
    """The guests of a database."""

    def __init__(self, storage: Storage) -> None:
        self._storage = storage

    # --- to another device ---------------------------------------------------------------------------------------

    async def add_recovery(self, guest_id: str, secret: str, created: float, expires: float | None) -> None:
        """Let a secret recover a guest; `expires` None: until it is revoked, else once and until then."""
        row = {"hash": token_hash(secret), "guest": guest_id, "created": created, "expires": expires}
        own = recovery.c.guest == guest_id
        same_kind = own & (recovery.c.expires.is_(None) if expires is None else recovery.c.expires.is_not(None))

        def job(connection: Connection) -> None:
            connection.execute(delete(recovery).where(own, recovery.c.expires < created))
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
        own = recovery.c.hash == token_hash(secret)

        def job(connection: Connection) -> str | None:
            row = connection.execute(select(recovery.c.guest, recovery.c.expires).where(own)).first()
            if row is None:
                return None
            guest_id, expires = row
            if expires is not None and connection.execute(delete(recovery).where(own)).rowcount == 0:
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
            for table in (holding, personal_text, rated_game, recovery):
                query = select(_guest_column(table)).where(_guest_column(table) == guest_id).limit(1)
                if (await connection.execute(query)).first() is not None:
                    return True
        return False

    async def count_tables(self, guest_id: str) -> int:
        """At how many tables a guest is."""
        query = select(func.count()).select_from(holding).where(holding.c.guest == guest_id)
        async with self._storage.reading() as connection:
            return int((await connection.execute(query)).scalar_one())

    async def own_texts(self, guest_id: str) -> AsyncIterator[list[OwnText]]:
        """What a guest has written, some at a time."""
        c = personal_text.c
        key = tuple_(c.table_id, c.seq, c.slot)
        query = select(c.table_id, c.seq, c.slot, c.text).where(c.guest == guest_id)
        query = query.order_by(c.table_id, c.seq, c.slot).limit(TEXTS_AT_ONCE)
        last: tuple[str, int, str] | None = None
        while True:
            async with self._storage.reading() as connection:
                page = query if last is None else query.where(key > last)
                texts = [OwnText(*row) for row in await connection.execute(page)]
            if texts:
                yield texts
            if len(texts) < TEXTS_AT_ONCE:
                return
            last = texts[-1].table_id, texts[-1].entry, texts[-1].kind

    async def export(self, guest_id: str) -> GuestExport:
        """What is kept of a guest, but for its texts, of which there may be many."""
        async with self._storage.reading() as connection:

            async def rows(query: Select[Any]) -> list[dict[str, Any]]:
                return [dict(row) for row in (await connection.execute(query)).mappings()]

            known = await rows(select(guest).where(guest.c.id == guest_id))
            held = await rows(
                select(
                    holding.c.table_id.label("table"),
                    holding.c.seat,
                    holding.c.creator,
                    game_table.c.created,
                    game_table.c.status,
                )
                .join(game_table, game_table.c.id == holding.c.table_id)
                .where(holding.c.guest == guest_id)
                .order_by(game_table.c.created)
            )
            notes = await rows(select(note.c.table_id.label("table"), note.c.text).where(note.c.guest == guest_id))
            tokens = await rows(select(token.c.hash).where(_opens_seat_of(guest_id)))
            recoveries = await rows(select(recovery.c.created).where(recovery.c.guest == guest_id))
            shares = await rows(select(share.c.table_id).where(share.c.guest == guest_id))
            own_rating = await rows(select(rating).where(rating.c.guest == guest_id))
            ratings = await rows(select(rated_game).where(rated_game.c.guest == guest_id).order_by(rated_game.c.games))
            reports = await rows(select(report).where(report.c.reporter == guest_id).order_by(report.c.time))
            count = select(func.count()).select_from(report).where(report.c.reported == guest_id)
            reported = int((await connection.execute(count)).scalar_one())
            sanctions = await rows(select(sanction).where(sanction.c.guest == guest_id).order_by(sanction.c.created))
        return GuestExport(
            created=known[0]["created"] if known else None,
            name=known[0]["name"] if known else "",
            tables=tuple(held),
            notes=tuple(notes),
            seat_tokens=len(tokens),
            recoveries=tuple(row["created"] for row in recoveries),
            shown_games=tuple(row["table_id"] for row in shares),
            rating=_without(own_rating[0], "guest") if own_rating else None,
            ratings=tuple(_without(row, "guest") for row in ratings),
            reports=tuple(_without(row, "id", "reporter", "reported", "text") for row in reports),
            reported=reported,
            sanctions=tuple(_without(row, "id", "guest") for row in sanctions),
        )

    # --- forgetting ----------------------------------------------------------------------------------------------

    async def forget(self, guest_id: str) -> list[str]:
        """Delete all rows of a guest, but for sanctions that still run; the tables in which it was.

        The logs of its games stay as they are: they name it by an id that leads to nobody any more.
        """

        def job(connection: Connection) -> list[str]:
            tables = _tables_of(connection, guest_id)
            for table_id in tables:
                colors = _forget_in_summary(connection, table_id, guest_id)
                senders = [f"{guest_id} {color}" for color in ("", *colors)]
                own_answers = and_(command.c.table_id == table_id, command.c.who.in_(senders))
                connection.execute(delete(command).where(own_answers))
            connection.execute(delete(token).where(_opens_seat_of(guest_id)))
            connection.execute(delete(report).where(or_(report.c.reporter == guest_id, report.c.reported == guest_id)))
            for table in (personal_text, note, recovery, share, rated_game, rating, holding):
                connection.execute(delete(table).where(_guest_column(table) == guest_id))
            connection.execute(delete(guest).where(guest.c.id == guest_id))
            digest = token_hash(guest_id)
            if connection.execute(select(forgotten_guest).where(forgotten_guest.c.hash == digest)).first() is None:
                connection.execute(insert(forgotten_guest).values(hash=digest))
            return tables

        return await self._storage.erase(job)

    async def forgotten(self) -> list[str]:
        """The hashes of all guests who were forgotten: they are nobody, though their cookies were signed here."""
        async with self._storage.reading() as connection:
            return list((await connection.execute(select(forgotten_guest.c.hash))).scalars())

    async def forget_again(self, digests: Iterable[str]) -> int:
        """After a backup was put back: who had been forgotten since is forgotten again. How many of them were there."""
        wanted = set(digests) - set(await self.forgotten())
        ids: set[str] = set()
        async with self._storage.reading() as connection:
            for column in (guest.c.id, *(_guest_column(table) for table in (holding, personal_text, note, rating))):
                found = (await connection.execute(select(column).distinct())).scalars()
                ids |= {guest_id for guest_id in found if token_hash(guest_id) in wanted}
        for guest_id in sorted(ids):
            await self.forget(guest_id)
        left = sorted(wanted - {token_hash(guest_id) for guest_id in ids})

        def job(connection: Connection) -> None:
            if left:
                connection.execute(insert(forgotten_guest), [{"hash": digest} for digest in left])

        await self._storage.write(job)
        return len(ids)

    async def remove_text(self, table_id: str, seq: int, slot: str = "text") -> bool:
        """Remove words from a log; whether they were there."""
        c = personal_text.c
        statement = delete(personal_text).where(c.table_id == table_id, c.seq == seq, c.slot == slot)
        return bool(await self._storage.erase(lambda connection: connection.execute(statement).rowcount))


def _without(row: dict[str, Any], *columns: str) -> dict[str, Any]:
    return {column: value for column, value in row.items() if column not in columns}


def _guest_column(table: Table) -> ColumnElement[Any]:
    return table.c.guest


def _opens_seat_of(guest_id: str) -> ColumnElement[bool]:
    """Whether a token opens a seat that a guest holds now."""
    held = select(holding.c.seat).where(
        and_(holding.c.table_id == token.c.table_id, holding.c.seat == token.c.seat, holding.c.guest == guest_id)
    )
    return held.exists()


def _tables_of(connection: Connection, guest_id: str) -> list[str]:
    """Where a guest sat, or has written something."""
    query = select(game_table.c.id).where(
        or_(
            game_table.c.id.in_(select(holding.c.table_id).where(holding.c.guest == guest_id)),
            game_table.c.id.in_(select(personal_text.c.table_id).where(personal_text.c.guest == guest_id)),
        )
    )
    return [row[0] for row in connection.execute(query)]


def _forget_in_summary(connection: Connection, table_id: str, guest_id: str) -> list[str]:
    """Take what a guest has written out of the line of a table in lists; the colors of the table."""
    own_row = game_table.c.id == table_id
    query = select(game_table.c.summary, holding.c.seat).outerjoin(
        holding, and_(holding.c.table_id == game_table.c.id, holding.c.guest == guest_id)
    )
    text, own_color = connection.execute(query.where(own_row)).one()
    summary = json.loads(text)
    slots = select(personal_text.c.slot).where(personal_text.c.table_id == table_id, personal_text.c.guest == guest_id)
    own_slots = set(connection.execute(slots).scalars())
    seats = summary.get("seats", ())
    for seat in seats:
        if seat.get("color") == own_color:
            seat.pop("name", None)
        if f"reserved {seat.get('color')}" in own_slots:
            seat.pop("reserved", None)
    if "title" in own_slots and "title" in summary:
        summary["title"] = ""
    text = json.dumps(summary, ensure_ascii=False, separators=(",", ":"))
    connection.execute(update(game_table).where(own_row).values(summary=text))
    return [seat.get("color", "") for seat in seats]
