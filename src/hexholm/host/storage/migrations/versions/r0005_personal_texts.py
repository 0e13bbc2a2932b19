"""Names and words of guests leave the log for rows of their own, so that a guest can be forgotten and the log stays."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, Final

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None

MOVED_AT_ONCE: Final = 500
EntryData = dict[str, Any]
Text = tuple[str, str, str]
"""Slot, guest, text."""


def upgrade() -> None:
    """A place for the texts, and those of the logs of before moved there."""
    op.create_table(
        "personal_text",
        sa.Column("table_id", sa.Text, nullable=False),
        sa.Column("seq", sa.Integer, nullable=False, autoincrement=False),
        sa.Column("slot", sa.Text, nullable=False),
        sa.Column("guest", sa.Text, nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("table_id", "seq", "slot", name="pk_personal_text"),
        sa.ForeignKeyConstraint(["table_id"], ["game_table.id"], name="fk_personal_text_table_id"),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_personal_text_guest", "personal_text", ["guest", "table_id"])
    connection = op.get_bind()
    moved = list(_moved(connection))
    for i in range(0, len(moved), MOVED_AT_ONCE):
        _write(connection, moved[i : i + MOVED_AT_ONCE])


def _moved(connection: sa.Connection) -> Iterator[tuple[str, int, str, list[Text]]]:
    """The entries with texts: table, number, the body without them, the texts."""
    query = sa.text(
        "SELECT table_id, seq, kind, body FROM entry WHERE kind IN ('opened', 'seated', 'said', 'renamed') "
        "ORDER BY table_id, seq"
    )
    guests: dict[tuple[str, str], str] = {}
    for table_id, seq, kind, text in connection.execute(query).all():
        body = _read(text)
        if kind == "seated":
            guests[table_id, str(body.get("seat"))] = str(body.get("guest", ""))
        texts = _take_texts(kind, body, guests.get((table_id, str(body.get("seat"))), ""))
        if texts:
            yield table_id, seq, json.dumps(body, ensure_ascii=False, separators=(",", ":")), texts


def _take_texts(kind: str, body: EntryData, sitter: str) -> list[Text]:
    """Take the texts out of a body; what somebody says or is called from now on gets its guest."""
    if kind == "opened":
        texts = [("title", str(body.get("creator", "")), _emptied(body, "title"))]
        for color, reservation in dict(body.get("reserved") or {}).items():
            texts.append((f"reserved {color}", str(reservation["guest"]), _emptied(reservation, "name")))
        return [text for text in texts if text[2]]
    if kind == "seated":
        return [("name", sitter, _emptied(body, "name"))] if sitter and body.get("name") else []
    if not sitter:
        return []
    body["guest"] = sitter
    slot = "text" if kind == "said" else "name"
    return [(slot, sitter, _emptied(body, slot))]


def _emptied(body: EntryData, key: str) -> str:
    text, body[key] = str(body.get(key, "")), ""
    return text


def _write(connection: sa.Connection, moved: list[tuple[str, int, str, list[Text]]]) -> None:
    connection.execute(
        sa.text("UPDATE entry SET body = :body WHERE table_id = :table_id AND seq = :seq"),
        [{"table_id": table_id, "seq": seq, "body": body} for table_id, seq, body, _ in moved],
    )
    connection.execute(
        sa.text(
            "INSERT INTO personal_text (table_id, seq, slot, guest, text) "
            "VALUES (:table_id, :seq, :slot, :guest, :text)"
        ),
        [
            {"table_id": table_id, "seq": seq, "slot": slot, "guest": guest, "text": text}
            for table_id, seq, _, texts in moved
            for slot, guest, text in texts
        ],
    )


def _read(text: str) -> EntryData:
    """A body; one that cannot be read has no texts here, and is told when its table is loaded."""
    try:
        body = json.loads(text)
    except ValueError:
        return {}
    return body if isinstance(body, dict) else {}
