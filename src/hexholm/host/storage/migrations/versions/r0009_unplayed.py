"""Since when a game is over in which no person ever acted: it is cleared away. Games of before are kept."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """A place for it, empty for all games that there are."""
    op.add_column("game_table", sa.Column("unplayed_since", sa.Double))
    op.create_index("ix_game_table_unplayed_since", "game_table", ["unplayed_since"])
