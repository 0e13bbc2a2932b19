"""What a host that is open to strangers keeps: shown games, recovery, ratings, reports, sanctions.

Tables of before are unlisted, and their finished games belong to those who sat there; `hexholm upgrade --keep-public`
opens those again to everybody with the link.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Places for all of it, empty."""
    op.add_column("game_table", sa.Column("public", sa.Boolean, nullable=False, server_default=sa.false()))
    op.create_table(
        "forgotten_guest",
        sa.Column("hash", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("hash", name="pk_forgotten_guest"),
    )
    op.create_table(
        "recovery",
        sa.Column("hash", sa.Text, nullable=False),
        sa.Column("guest", sa.Text, nullable=False),
        sa.Column("created", sa.Double, nullable=False),
        sa.Column("expires", sa.Double),
        sa.PrimaryKeyConstraint("hash", name="pk_recovery"),
    )
    op.create_index("ix_recovery_guest", "recovery", ["guest"])
    op.create_table(
        "share",
        sa.Column("hash", sa.Text, nullable=False),
        sa.Column("table_id", sa.Text, nullable=False),
        sa.Column("guest", sa.Text, nullable=False),
        sa.Column("created", sa.Double, nullable=False),
        sa.PrimaryKeyConstraint("hash", name="pk_share"),
        sa.ForeignKeyConstraint(["table_id"], ["game_table.id"], name="fk_share_table_id"),
    )
    op.create_index("ix_share_table_id", "share", ["table_id", "guest"])
    _create_ratings()
    _create_moderation()


def _create_ratings() -> None:
    op.create_table(
        "rating",
        sa.Column("guest", sa.Text, nullable=False),
        sa.Column("mu", sa.Double, nullable=False),
        sa.Column("sigma", sa.Double, nullable=False),
        sa.Column("games", sa.Integer, nullable=False),
        sa.Column("changed", sa.Double, nullable=False),
        sa.PrimaryKeyConstraint("guest", name="pk_rating"),
    )
    op.create_table(
        "rated_game",
        sa.Column("table_id", sa.Text, nullable=False),
        sa.Column("guest", sa.Text, nullable=False),
        sa.Column("time", sa.Double, nullable=False),
        sa.Column("place", sa.Integer, nullable=False),
        sa.Column("mu", sa.Double, nullable=False),
        sa.Column("sigma", sa.Double, nullable=False),
        sa.PrimaryKeyConstraint("table_id", "guest", name="pk_rated_game"),
        sa.ForeignKeyConstraint(["table_id"], ["game_table.id"], name="fk_rated_game_table_id"),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_rated_game_guest", "rated_game", ["guest", "time"])


def _create_moderation() -> None:
    op.create_table(
        "report",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("time", sa.Double, nullable=False),
        sa.Column("table_id", sa.Text, nullable=False),
        sa.Column("reporter", sa.Text, nullable=False),
        sa.Column("reported", sa.Text, nullable=False),
        sa.Column("what", sa.Text, nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("closed", sa.Double),
        sa.PrimaryKeyConstraint("id", name="pk_report"),
        sa.CheckConstraint("what IN ('name', 'chat', 'other')", name=op.f("ck_report_what")),
    )
    op.create_table(
        "sanction",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("what", sa.Text, nullable=False),
        sa.Column("guest", sa.Text),
        sa.Column("network", sa.Text),
        sa.Column("created", sa.Double, nullable=False),
        sa.Column("until", sa.Double, nullable=False),
        sa.Column("why", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_sanction"),
        sa.CheckConstraint("what IN ('mute', 'ban')", name=op.f("ck_sanction_what")),
    )
    op.create_table(
        "admin_action",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("time", sa.Double, nullable=False),
        sa.Column("what", sa.Text, nullable=False),
        sa.Column("table_id", sa.Text),
        sa.Column("guest", sa.Text),
        sa.Column("text", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_admin_action"),
    )
