"""Kinds of databases: an SQLite file, a PostgreSQL server; how one is opened, locked, upgraded, backed up, restored.

Begin with `database.py`, which says what differs between them. `storage.py` alone opens one.
"""
