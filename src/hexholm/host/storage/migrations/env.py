"""Alembic runs this file: it migrates over the connection that `upgrade_database` gives (`databases/upgrade.py`)."""

from __future__ import annotations

from alembic import context

from hexholm.host.storage.database_tables import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    render_as_batch=True,
)
with context.begin_transaction():
    context.run_migrations()
