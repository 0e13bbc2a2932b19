"""How the database came to its shape: one file a revision in `versions/`, run by alembic through `env.py`."""
