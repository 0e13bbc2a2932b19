"""Which tables the lobby lists. Those of before are unlisted; a game that was over by then has no word (NULL).

So `hexholm upgrade --keep-public` knows at any later time which games were over before there was a choice.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """A place for it, and what it means for the tables that go on."""
    op.add_column("game_table", sa.Column("visibility", sa.Text))
    op.create_index("ix_game_table_visibility", "game_table", ["visibility", "status", "created", "id"])
    op.get_bind().execute(sa.text("UPDATE game_table SET visibility = 'unlisted' WHERE status <> 'over'"))
