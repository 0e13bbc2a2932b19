"""The tables of the database, as the newest migration leaves them.

Change them together with a new file in `migrations/versions/`; a test compares the two. Times are Unix seconds. The
types and statements are those that SQLite and PostgreSQL share.
"""

from __future__ import annotations

from typing import Final

from sqlalchemy import (
    Boolean,
    CheckConstraint,
    Column,
    Double,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    Table,
    Text,
    false,
)

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
    # Anybody with the link may see the finished game: said by `hexholm upgrade --keep-public`, for links of before.
    Column("public", Boolean, nullable=False, server_default=false()),
    # NULL: the game was over before there was a choice; it is unlisted.
    Column("visibility", Text),
    # The game is over, and no person ever acted in it: it is cleared away some time after.
    Column("unplayed_since", Double),
    CheckConstraint("status IN ('open', 'playing', 'over')", name="status"),
    Index("ix_game_table_status", "status", "created", "id"),
    Index("ix_game_table_visibility", "visibility", "status", "created", "id"),
    Index("ix_game_table_created", "created", "id"),
    Index("ix_game_table_unplayed_since", "unplayed_since"),
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

# Names and words of guests, apart from the log, which stays as it is when a guest is forgotten. `slot` says where in
# the entry the text belongs (`PersonalText` in values.py).
personal_text: Final = Table(
    "personal_text",
    metadata,
    Column("table_id", Text, ForeignKey("game_table.id"), primary_key=True),
    Column("seq", Integer, primary_key=True, autoincrement=False),
    Column("slot", Text, primary_key=True),
    Column("guest", Text, nullable=False),
    Column("text", Text, nullable=False),
    Index("ix_personal_text_guest", "guest", "table_id"),
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

# By the hash of its id: a guest who was forgotten is nobody's guest any more, whatever cookie somebody still has.
forgotten_guest: Final = Table(
    "forgotten_guest",
    metadata,
    Column("hash", Text, primary_key=True),
    Column("guest", Text),  # its id, for as long as there are rows of it left to delete
)

# What brings a guest to another device, by the hash of its secret.
recovery: Final = Table(
    "recovery",
    metadata,
    Column("hash", Text, primary_key=True),
    Column("guest", Text, nullable=False),
    Column("created", Double, nullable=False),
    Column("expires", Double),  # NULL: it can be used until it is revoked; else once, until then
    Index("ix_recovery_guest", "guest"),
)

# Links that show a finished game to others, by the hash of their secret; each belongs to one who sat there.
share: Final = Table(
    "share",
    metadata,
    Column("hash", Text, primary_key=True),
    Column("table_id", Text, ForeignKey("game_table.id"), nullable=False),
    Column("guest", Text, nullable=False),
    Column("created", Double, nullable=False),
    Index("ix_share_table_id", "table_id", "guest"),
)

# `shown` is what people see of mu and sigma; `name` what the guest was called in its last rated game.
rating: Final = Table(
    "rating",
    metadata,
    Column("guest", Text, primary_key=True),
    Column("name", Text, nullable=False),
    Column("mu", Double, nullable=False),
    Column("sigma", Double, nullable=False),
    Column("shown", Integer, nullable=False),
    Column("games", Integer, nullable=False),
    Column("changed", Double, nullable=False),
    Index("ix_rating_shown", "shown", "guest"),
)

# One row for each person in a rated game; the key is what keeps a game from being counted twice. What follows `players`
# is after the game; `games` numbers the guest's own, so the rows say in which order they were rated.
rated_game: Final = Table(
    "rated_game",
    metadata,
    Column("table_id", Text, ForeignKey("game_table.id"), primary_key=True),
    Column("guest", Text, primary_key=True),
    Column("time", Double, nullable=False),
    Column("place", Integer, nullable=False),
    Column("players", Integer, nullable=False),
    Column("mu", Double, nullable=False),
    Column("sigma", Double, nullable=False),
    Column("shown", Integer, nullable=False),
    Column("change", Integer, nullable=False),
    Column("games", Integer, nullable=False),
    Index("ix_rated_game_guest", "guest", "games", unique=True),
    sqlite_with_rowid=False,
)

# Words that somebody complains about: `entry` is where they stand in the log of the table, `text` what they were.
report: Final = Table(
    "report",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("time", Double, nullable=False),
    Column("table_id", Text, nullable=False),
    Column("entry", Integer, nullable=False),
    Column("reporter", Text, nullable=False),
    Column("reported", Text, nullable=False),
    Column("what", Text, nullable=False),
    Column("text", Text, nullable=False),
    Column("why", Text, nullable=False),
    Column("closed", Double),
    CheckConstraint("what IN ('name', 'chat', 'title')", name="what"),
    Index("ix_report_closed", "closed", "id"),
    Index("ix_report_reporter", "reporter", "time"),
    Index("ix_report_reported", "reported"),
)

# A guest or a network that may not speak, or not come in, until a time. `with_network`: a server that meets the guest
# is to note its network here too; before that no address is written down anywhere.
sanction: Final = Table(
    "sanction",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("what", Text, nullable=False),
    Column("guest", Text),
    Column("network", Text),
    Column("with_network", Boolean, nullable=False),
    Column("created", Double, nullable=False),
    Column("until", Double, nullable=False),
    Column("why", Text, nullable=False),
    CheckConstraint("what IN ('mute', 'ban')", name="what"),
    Index("ix_sanction_guest", "guest"),
    Index("ix_sanction_until", "until"),
)

# What the operator did; running servers look here for what is new.
admin_action: Final = Table(
    "admin_action",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("time", Double, nullable=False),
    Column("operator", Text, nullable=False),
    Column("what", Text, nullable=False),
    Column("table_id", Text),
    Column("entry", Integer),
    Column("guest", Text),
    Column("text", Text, nullable=False),
)

meta: Final = Table(
    "meta",
    metadata,
    Column("key", Text, primary_key=True),
    Column("value", Text, nullable=False),
)

OWN_COLUMNS: Final[tuple[Column[str], ...]] = (
    holding.c.guest,
    personal_text.c.guest,
    note.c.guest,
    share.c.guest,
    rated_game.c.guest,
    report.c.reporter,
    report.c.reported,
    recovery.c.guest,
    rating.c.guest,
    guest.c.id,
)
"""Ids of guests whose rows are theirs: they go when the guest is forgotten."""
KEPT_COLUMNS: Final[tuple[Column[str], ...]] = (sanction.c.guest, admin_action.c.guest)
"""Ids of guests in rows that stay: else deleting oneself would be a way out of a sanction."""
AT_TABLES: Final = tuple(column for column in OWN_COLUMNS if "table_id" in column.table.c)
"""Those of which a guest may have very many rows, each at a table."""
