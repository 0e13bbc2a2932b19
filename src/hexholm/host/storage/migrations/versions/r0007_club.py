"""Ratings as they are shown, with the names they are listed by; reports, sanctions, what an operator did: more of each.

Nothing has written these tables before, so they are made anew.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """The tables anew."""
    for name in ("rating", "rated_game", "report", "sanction", "admin_action"):
        op.drop_table(name)
    _create_ratings()
    _create_moderation()


def _create_ratings() -> None:
    op.create_table(
        "rating",
        sa.Column("guest", sa.Text, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("mu", sa.Double, nullable=False),
        sa.Column("sigma", sa.Double, nullable=False),
        sa.Column("shown", sa.Integer, nullable=False),
        sa.Column("games", sa.Integer, nullable=False),
        sa.Column("changed", sa.Double, nullable=False),
        sa.PrimaryKeyConstraint("guest", name="pk_rating"),
    )
    op.create_index("ix_rating_shown", "rating", ["shown", "guest"])
    op.create_table(
        "rated_game",
        sa.Column("table_id", sa.Text, nullable=False),
        sa.Column("guest", sa.Text, nullable=False),
        sa.Column("time", sa.Double, nullable=False),
        sa.Column("place", sa.Integer, nullable=False),
        sa.Column("players", sa.Integer, nullable=False),
        sa.Column("mu", sa.Double, nullable=False),
        sa.Column("sigma", sa.Double, nullable=False),
        sa.Column("shown", sa.Integer, nullable=False),
        sa.Column("change", sa.Integer, nullable=False),
        sa.Column("games", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("table_id", "guest", name="pk_rated_game"),
        sa.ForeignKeyConstraint(["table_id"], ["game_table.id"], name="fk_rated_game_table_id"),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_rated_game_guest", "rated_game", ["guest", "games"], unique=True)


def _create_moderation() -> None:
    op.create_table(
        "report",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("time", sa.Double, nullable=False),
        sa.Column("table_id", sa.Text, nullable=False),
        sa.Column("entry", sa.Integer, nullable=False),
        sa.Column("reporter", sa.Text, nullable=False),
        sa.Column("reported", sa.Text, nullable=False),
        sa.Column("what", sa.Text, nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("why", sa.Text, nullable=False),
        sa.Column("closed", sa.Double),
        sa.PrimaryKeyConstraint("id", name="pk_report"),
        sa.CheckConstraint("what IN ('name', 'chat', 'title')", name=op.f("ck_report_what")),
    )
    op.create_index("ix_report_closed", "report", ["closed", "id"])
    op.create_index("ix_report_reporter", "report", ["reporter", "time"])
    op.create_index("ix_report_reported", "report", ["reported"])
    op.create_table(
        "sanction",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("what", sa.Text, nullable=False),
        sa.Column("guest", sa.Text),
        sa.Column("network", sa.Text),
        sa.Column("with_network", sa.Boolean, nullable=False),
        sa.Column("created", sa.Double, nullable=False),
        sa.Column("until", sa.Double, nullable=False),
        sa.Column("why", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_sanction"),
        sa.CheckConstraint("what IN ('mute', 'ban')", name=op.f("ck_sanction_what")),
    )
    op.create_index("ix_sanction_guest", "sanction", ["guest"])
    op.create_index("ix_sanction_until", "sanction", ["until"])
    op.create_table(
        "admin_action",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("time", sa.Double, nullable=False),
        sa.Column("operator", sa.Text, nullable=False),
        sa.Column("what", sa.Text, nullable=False),
        sa.Column("table_id", sa.Text),
        sa.Column("entry", sa.Integer),
        sa.Column("guest", sa.Text),
        sa.Column("text", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_admin_action"),
    )
