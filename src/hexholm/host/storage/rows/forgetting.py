"""Forgetting a guest, in small steps: live tables must not wait for it, and one that was cut off goes on.

Plain functions within a transaction, as in :mod:`.operator_actions`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from sqlalchemy import Connection, and_, delete, insert, select, update

from ..database_tables import (
    AT_TABLES,
    OWN_COLUMNS,
    command,
    forgotten_guest,
    holding,
    personal_text,
    recovery,
    token,
)
from ..values import token_hash
from .database_notes import mark_rewrite_due
from .summary_words import blank_in_summary

FORGET_AT_ONCE: Final = 50
"""Tables at which one step deletes what is kept of a guest."""


def mark_forgotten(connection: Connection, guest_id: str) -> None:
    """From here on a guest is nobody, and nothing recovers it; its rows go by steps."""
    mark_rewrite_due(connection)
    is_own = forgotten_guest.c.hash == token_hash(guest_id)
    if not connection.execute(update(forgotten_guest).where(is_own).values(guest=guest_id)).rowcount:
        connection.execute(insert(forgotten_guest).values(hash=token_hash(guest_id), guest=guest_id))
    connection.execute(delete(recovery).where(recovery.c.guest == guest_id))


def forget_some(connection: Connection, guest_id: str) -> list[str]:
    """Delete what is kept of a guest at some tables, and which those are; none: now nothing is left of it.

    The logs of its games stay as they are: they name it by an id that leads to nobody any more.
    """
    mark_rewrite_due(connection)
    tables = _some_tables_of(connection, guest_id)
    for table_id in tables:
        own_texts = and_(personal_text.c.table_id == table_id, personal_text.c.guest == guest_id)
        slots = set(connection.execute(select(personal_text.c.slot).where(own_texts)).scalars())
        colors = blank_in_summary(connection, table_id, guest_id, dict.fromkeys(("name", *slots)))
        senders = [f"{guest_id} {color}" for color in ("", *colors)]
        connection.execute(delete(command).where(command.c.table_id == table_id, command.c.who.in_(senders)))
        own_seat = select(holding.c.seat).where(
            holding.c.table_id == table_id, holding.c.guest == guest_id, holding.c.seat.is_not(None)
        )
        connection.execute(delete(token).where(token.c.table_id == table_id, token.c.seat.in_(own_seat)))
    if tables:
        for column in AT_TABLES:
            at_these = and_(column == guest_id, column.table.c.table_id.in_(tables))
            connection.execute(delete(column.table).where(at_these))
        return tables
    for column in OWN_COLUMNS:
        connection.execute(delete(column.table).where(column == guest_id))
    done = forgotten_guest.c.guest == guest_id
    connection.execute(update(forgotten_guest).where(done).values(guest=None))
    return []


def forget_again(connection: Connection, digests: Iterable[str]) -> int:
    """In a backup that is put back: forget who has been forgotten since, by hashes. How many of them were there."""
    wanted = set(digests) - set(connection.execute(select(forgotten_guest.c.hash)).scalars())
    ids: set[str] = set()
    for column in OWN_COLUMNS if wanted else ():
        guest_ids = connection.execute(select(column).distinct()).scalars()
        ids |= {guest_id for guest_id in guest_ids if token_hash(guest_id) in wanted}
    for guest_id in sorted(ids):
        mark_forgotten(connection, guest_id)
        while forget_some(connection, guest_id):
            pass
    left = sorted(wanted - {token_hash(guest_id) for guest_id in ids})
    if left:
        connection.execute(insert(forgotten_guest), [{"hash": digest} for digest in left])
    return len(ids)


def _some_tables_of(connection: Connection, guest_id: str) -> list[str]:
    """Some tables where something is kept of a guest."""
    table_ids: dict[str, None] = {}
    for column in AT_TABLES:
        query = select(column.table.c.table_id).where(column == guest_id).distinct().limit(FORGET_AT_ONCE)
        table_ids |= dict.fromkeys(connection.execute(query).scalars())
        if len(table_ids) >= FORGET_AT_ONCE:
            break
    return list(table_ids)[:FORGET_AT_ONCE]
