"""Notes that a player keeps at a table for itself."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """A place for notes; nobody had any before."""
    op.create_table(
        "note",
        sa.Column("table_id", sa.Text, nullable=False),
        sa.Column("guest", sa.Text, nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("table_id", "guest", name="pk_note"),
        sa.ForeignKeyConstraint(["table_id"], ["game_table.id"], name="fk_note_table_id"),
        sqlite_with_rowid=False,
    )
