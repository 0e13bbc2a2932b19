"""Who sits where: to find the tables of a guest. What is known of older tables is read from their logs."""

from __future__ import annotations

import json
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Who holds which seat, read from the logs of before."""
    holding = op.create_table(
        "holding",
        sa.Column("table_id", sa.Text, nullable=False),
        sa.Column("guest", sa.Text, nullable=False),
        sa.Column("seat", sa.Text),
        sa.Column("creator", sa.Boolean, nullable=False),
        sa.PrimaryKeyConstraint("table_id", "guest", name="pk_holding"),
        sa.ForeignKeyConstraint(["table_id"], ["game_table.id"], name="fk_holding_table_id"),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_holding_guest", "holding", ["guest", "table_id"])
    rows = _from_logs(op.get_bind())
    if rows:
        op.bulk_insert(holding, rows)


def _from_logs(connection: sa.Connection) -> list[dict[str, Any]]:
    """What the logs say of creators and seats."""
    query = sa.text("SELECT table_id, kind, body FROM entry WHERE kind IN ('opened', 'seated') ORDER BY table_id, seq")
    creators: dict[str, str] = {}
    seats: dict[tuple[str, str], str] = {}
    for table, kind, text in connection.execute(query):
        body = _read(text)
        if kind == "opened":
            creators[table] = str(body.get("creator", ""))
        else:
            seats[table, str(body.get("seat"))] = str(body.get("guest", ""))
    found: dict[tuple[str, str], str | None] = {(table, guest): None for table, guest in creators.items() if guest}
    found.update({(table, guest): seat for (table, seat), guest in seats.items() if guest})
    return [
        {"table_id": table, "guest": guest, "seat": seat, "creator": creators.get(table) == guest}
        for (table, guest), seat in found.items()
    ]


def _read(text: str) -> dict[str, Any]:
    """A body; one that cannot be read says nothing here, and is told when its table is loaded."""
    try:
        body = json.loads(text)
    except ValueError:
        return {}
    return body if isinstance(body, dict) else {}
