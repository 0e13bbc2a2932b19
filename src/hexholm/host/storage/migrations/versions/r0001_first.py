"""The first shape: logs of tables, answers to commands, tokens, guests."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """From an empty database."""
    op.create_table(
        "game_table",
        sa.Column("id", sa.Text, nullable=False),
        sa.Column("created", sa.Double, nullable=False),
        sa.Column("changed", sa.Double, nullable=False),
        sa.Column("status", sa.Text, nullable=False),
        sa.Column("summary", sa.Text, nullable=False),
        sa.Column("last", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_game_table"),
        sa.CheckConstraint("status IN ('open', 'playing', 'over')", name=op.f("ck_game_table_status")),
    )
    op.create_index("ix_game_table_status", "game_table", ["status", "created", "id"])
    op.create_index("ix_game_table_created", "game_table", ["created", "id"])
    op.create_table(
        "entry",
        sa.Column("table_id", sa.Text, nullable=False),
        sa.Column("seq", sa.Integer, nullable=False, autoincrement=False),
        sa.Column("time", sa.Double, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("body", sa.Text, nullable=False),
        sa.Column("state_hash", sa.Text),
        sa.PrimaryKeyConstraint("table_id", "seq", name="pk_entry"),
        sa.ForeignKeyConstraint(["table_id"], ["game_table.id"], name="fk_entry_table_id"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "command",
        sa.Column("table_id", sa.Text, nullable=False),
        sa.Column("who", sa.Text, nullable=False),
        sa.Column("id", sa.Text, nullable=False),
        sa.Column("answer", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("table_id", "who", "id", name="pk_command"),
        sa.ForeignKeyConstraint(["table_id"], ["game_table.id"], name="fk_command_table_id"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "token",
        sa.Column("hash", sa.Text, nullable=False),
        sa.Column("table_id", sa.Text, nullable=False),
        sa.Column("seat", sa.Text, nullable=False),
        sa.Column("created", sa.Double, nullable=False),
        sa.PrimaryKeyConstraint("hash", name="pk_token"),
        sa.ForeignKeyConstraint(["table_id"], ["game_table.id"], name="fk_token_table_id"),
    )
    op.create_index("ix_token_table_id", "token", ["table_id", "seat"])
    op.create_table(
        "guest",
        sa.Column("id", sa.Text, nullable=False),
        sa.Column("created", sa.Double, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_guest"),
    )
    op.create_table(
        "meta",
        sa.Column("key", sa.Text, nullable=False),
        sa.Column("value", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("key", name="pk_meta"),
    )
