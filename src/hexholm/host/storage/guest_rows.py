"""What is kept of a guest all over the database: carried to another device, shown to the guest, forgotten."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any, Final

import msgspec
from sqlalchemy import ColumnElement, Connection, Select, Table, and_, delete, insert, or_, select, update

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
"""Of one guest; one more, and the oldest no longer works."""


class OwnText(msgspec.Struct, frozen=True):
    """Something a guest has written at a table."""

    table_id: str = msgspec.field(name="table")
    entry: int
    kind: str
    """`name`, `text` (said), `title`, or `reserved COLOR`: the name for which a seat is kept."""
    text: str


class OwnRating(msgspec.Struct, frozen=True):
    """How a rated game changed the rating of a guest."""

    table_id: str = msgspec.field(name="table")
    time: float
    place: int
    mu: float
    sigma: float


class GuestExport(msgspec.Struct, frozen=True):
    """All that is kept of a guest, apart from the games themselves, which have a record each."""

    guest: str
    created: float | None
    name: str
    tables: tuple[dict[str, Any], ...]
    """`table`, `seat`, `creator`, `created`, `status`."""
    texts: tuple[OwnText, ...]
    notes: tuple[dict[str, str], ...]
    seat_tokens: int
    """How many open its seats; only hashes are kept."""
    recoveries: tuple[float, ...]
    """When what recovers this guest was made; only hashes are kept."""
    shown_games: tuple[str, ...]
    ratings: tuple[OwnRating, ...]
    reports: tuple[dict[str, Any], ...]
    """Those it made."""
    sanctions: tuple[dict[str, Any], ...]


class GuestRows:
    """The guests of a database."""

    def __init__(self, storage: Storage) -> None:
        self._storage = storage

    # --- to another device ---------------------------------------------------------------------------------------

    async def add_recovery(self, guest_id: str, secret: str, created: float, expires: float | None) -> None:
        """Let a secret recover a guest; `expires` None: until it is revoked, else once and until then."""
        row = {"hash": token_hash(secret), "guest": guest_id, "created": created, "expires": expires}

        def job(connection: Connection) -> None:
            own = select(recovery.c.hash).where(recovery.c.guest == guest_id)
            kept = own.order_by(recovery.c.created.desc()).limit(MOST_RECOVERIES - 1)
            hashes = [row[0] for row in connection.execute(kept)]
            connection.execute(delete(recovery).where(recovery.c.guest == guest_id, recovery.c.hash.not_in(hashes)))
            connection.execute(insert(recovery).values(**row))

        await self._storage.write(job)

    async def recover(self, secret: str, now: float) -> str | None:
        """The guest that a secret recovers, None: none; what works once is used up."""
        own = recovery.c.hash == token_hash(secret)

        def job(connection: Connection) -> str | None:
            row = connection.execute(select(recovery.c.guest, recovery.c.expires).where(own)).first()
            if row is None:
                return None
            guest_id, expires = row
            if expires is not None:
                connection.execute(delete(recovery).where(own))
            return None if expires is not None and expires < now else str(guest_id)

        return await self._storage.write(job)

    async def revoke_recoveries(self, guest_id: str) -> int:
        """Let nothing recover a guest any more; how much there was."""
        statement = delete(recovery).where(recovery.c.guest == guest_id)
        return await self._storage.write(lambda connection: connection.execute(statement).rowcount)

    # --- all that is kept ----------------------------------------------------------------------------------------

    async def export(self, guest_id: str) -> GuestExport:
        """All that is kept of a guest."""
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
            own_texts = personal_text.c
            texts = await rows(
                select(own_texts.table_id, own_texts.seq, own_texts.slot, own_texts.text)
                .where(own_texts.guest == guest_id)
                .order_by(own_texts.table_id, own_texts.seq, own_texts.slot)
            )
            notes = await rows(select(note.c.table_id.label("table"), note.c.text).where(note.c.guest == guest_id))
            tokens = await rows(select(token.c.hash).where(_opens_seat_of(guest_id)))
            recoveries = await rows(select(recovery.c.created).where(recovery.c.guest == guest_id))
            shares = await rows(select(share.c.table_id).where(share.c.guest == guest_id))
            ratings = await rows(select(rated_game).where(rated_game.c.guest == guest_id).order_by(rated_game.c.time))
            reports = await rows(select(report).where(report.c.reporter == guest_id).order_by(report.c.time))
            sanctions = await rows(select(sanction).where(sanction.c.guest == guest_id).order_by(sanction.c.created))
        return GuestExport(
            guest=guest_id,
            created=known[0]["created"] if known else None,
            name=known[0]["name"] if known else "",
            tables=tuple(held),
            texts=tuple(OwnText(text["table_id"], text["seq"], text["slot"], text["text"]) for text in texts),
            notes=tuple(notes),
            seat_tokens=len(tokens),
            recoveries=tuple(row["created"] for row in recoveries),
            shown_games=tuple(row["table_id"] for row in shares),
            ratings=tuple(
                OwnRating(row["table_id"], row["time"], row["place"], row["mu"], row["sigma"]) for row in ratings
            ),
            reports=tuple({key: row[key] for key in ("time", "table_id", "what", "text")} for row in reports),
            sanctions=tuple({key: row[key] for key in ("what", "created", "until", "why")} for row in sanctions),
        )

    # --- forgetting ----------------------------------------------------------------------------------------------

    async def forget(self, guest_id: str) -> list[str]:
        """Delete all rows of a guest, but for sanctions that still run; the tables in which it was.

        The logs of its games stay as they are: they name it by an id that leads to nobody any more.
        """

        def job(connection: Connection) -> list[str]:
            tables = _tables_of(connection, guest_id)
            for table_id, color, is_creator in _held(connection, guest_id):
                _forget_in_summary(connection, table_id, color, is_creator=is_creator)
            connection.execute(delete(token).where(_opens_seat_of(guest_id)))
            connection.execute(delete(command).where(command.c.who.startswith(f"{guest_id} ", autoescape=True)))
            connection.execute(delete(report).where(report.c.reporter == guest_id))
            for table in (personal_text, note, recovery, share, rated_game, rating, holding):
                connection.execute(delete(table).where(_guest_column(table) == guest_id))
            connection.execute(delete(guest).where(guest.c.id == guest_id))
            digest = token_hash(guest_id)
            if connection.execute(select(forgotten_guest).where(forgotten_guest.c.hash == digest)).first() is None:
                connection.execute(insert(forgotten_guest).values(hash=digest))
            return tables

        return await self._storage.write(job)

    async def is_forgotten(self, guest_id: str) -> bool:
        """Whether a guest was forgotten: it is nobody then, though its cookie was signed here."""
        query = select(forgotten_guest.c.hash).where(forgotten_guest.c.hash == token_hash(guest_id))
        async with self._storage.reading() as connection:
            return (await connection.execute(query)).first() is not None

    async def remove_text(self, table_id: str, seq: int, slot: str = "text") -> bool:
        """Remove words from a log; whether they were there."""
        c = personal_text.c
        statement = delete(personal_text).where(c.table_id == table_id, c.seq == seq, c.slot == slot)
        return bool(await self._storage.write(lambda connection: connection.execute(statement).rowcount))


def _guest_column(table: Table) -> ColumnElement[Any]:
    return table.c.guest


def _opens_seat_of(guest_id: str) -> ColumnElement[bool]:
    """Whether a token opens a seat that a guest holds now."""
    held = select(holding.c.seat).where(
        and_(holding.c.table_id == token.c.table_id, holding.c.seat == token.c.seat, holding.c.guest == guest_id)
    )
    return held.exists()


def _held(connection: Connection, guest_id: str) -> Iterable[tuple[str, str | None, bool]]:
    query = select(holding.c.table_id, holding.c.seat, holding.c.creator).where(holding.c.guest == guest_id)
    return [(row[0], row[1], row[2]) for row in connection.execute(query)]


def _tables_of(connection: Connection, guest_id: str) -> list[str]:
    """Where a guest sat, or has written something."""
    query = select(game_table.c.id).where(
        or_(
            game_table.c.id.in_(select(holding.c.table_id).where(holding.c.guest == guest_id)),
            game_table.c.id.in_(select(personal_text.c.table_id).where(personal_text.c.guest == guest_id)),
        )
    )
    return [row[0] for row in connection.execute(query)]


def _forget_in_summary(connection: Connection, table_id: str, color: str | None, *, is_creator: bool) -> None:
    """The line of a table in lists, without the name on a seat, and without the title that its creator wrote."""
    own_row = game_table.c.id == table_id
    summary = json.loads(connection.execute(select(game_table.c.summary).where(own_row)).scalar_one())
    for seat in summary.get("seats", ()):
        if seat.get("color") == color:
            seat.pop("name", None)
    if is_creator and "title" in summary:
        summary["title"] = ""
    text = json.dumps(summary, ensure_ascii=False, separators=(",", ":"))
    connection.execute(update(game_table).where(own_row).values(summary=text))
