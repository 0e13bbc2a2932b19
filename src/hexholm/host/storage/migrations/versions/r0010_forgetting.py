"""A deletion that was cut off is finished by the next start: it needs the id, where else there is only a hash."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Those of before were deleted in one step: nothing is left of them."""
    op.add_column("forgotten_guest", sa.Column("guest", sa.Text))
