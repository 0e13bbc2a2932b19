"""The tables of the database, as the newest migration leaves them.

Change them together with a new file in `migrations/versions/`; a test compares the two. Times are Unix seconds. The
types and statements are those that SQLite and PostgreSQL share.
"""

from __future__ import annotations

from typing import Final

from sqlalchemy import Boolean, CheckConstraint, Column, Double, ForeignKey, Index, Integer, MetaData, Table, Text

metadata: Final = MetaData(
    naming_convention={
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "pk": "pk_%(table_name)s",
    }
)

game_table: Final = Table(
    "game_table",
    metadata,
    Column("id", Text, primary_key=True),
    Column("created", Double, nullable=False),
    Column("changed", Double, nullable=False),
    Column("status", Text, nullable=False),
    Column("summary", Text, nullable=False),
    Column("last", Integer, nullable=False),  # the number of the last entry: who adds to the log must name it
    CheckConstraint("status IN ('open', 'playing', 'over')", name="status"),
    Index("ix_game_table_status", "status", "created", "id"),
    Index("ix_game_table_created", "created", "id"),
)

# The key is the fence against a second writer. Without row ids the log of a table lies together on the disk.
entry: Final = Table(
    "entry",
    metadata,
    Column("table_id", Text, ForeignKey("game_table.id"), primary_key=True),
    Column("seq", Integer, primary_key=True, autoincrement=False),
    Column("time", Double, nullable=False),
    Column("kind", Text, nullable=False),
    Column("body", Text, nullable=False),
    Column("state_hash", Text),
    sqlite_with_rowid=False,
)

command: Final = Table(
    "command",
    metadata,
    Column("table_id", Text, ForeignKey("game_table.id"), primary_key=True),
    Column("who", Text, primary_key=True),
    Column("id", Text, primary_key=True),
    Column("answer", Text, nullable=False),
    sqlite_with_rowid=False,
)

token: Final = Table(
    "token",
    metadata,
    Column("hash", Text, primary_key=True),
    Column("table_id", Text, ForeignKey("game_table.id"), nullable=False),
    Column("seat", Text, nullable=False),
    Column("created", Double, nullable=False),
    Index("ix_token_table_id", "table_id", "seat"),
)

holding: Final = Table(
    "holding",
    metadata,
    Column("table_id", Text, ForeignKey("game_table.id"), primary_key=True),
    Column("guest", Text, primary_key=True),
    Column("seat", Text),
    Column("creator", Boolean, nullable=False),
    Index("ix_holding_guest", "guest", "table_id"),
    sqlite_with_rowid=False,
)

note: Final = Table(
    "note",
    metadata,
    Column("table_id", Text, ForeignKey("game_table.id"), primary_key=True),
    Column("guest", Text, primary_key=True),  # and not the seat: who sits there next must not read it
    Column("text", Text, nullable=False),
    sqlite_with_rowid=False,
)

# Apart from the log, which may be shown: who knows the key before the end foresees all dice (docs/decisions/0010).
dice_key: Final = Table(
    "dice_key",
    metadata,
    Column("table_id", Text, ForeignKey("game_table.id"), primary_key=True),
    Column("key", Text, nullable=False),
    sqlite_with_rowid=False,
)

guest: Final = Table(
    "guest",
    metadata,
    Column("id", Text, primary_key=True),
    Column("created", Double, nullable=False),
    Column("name", Text, nullable=False),
)

meta: Final = Table(
    "meta",
    metadata,
    Column("key", Text, primary_key=True),
    Column("value", Text, nullable=False),
)
