"""The keys from which the chance of games comes, apart from their logs. Games of before have none, and no proof."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """A place for keys; games of before have none."""
    op.create_table(
        "dice_key",
        sa.Column("table_id", sa.Text, nullable=False),
        sa.Column("key", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("table_id", name="pk_dice_key"),
        sa.ForeignKeyConstraint(["table_id"], ["game_table.id"], name="fk_dice_key_table_id"),
        sqlite_with_rowid=False,
    )
