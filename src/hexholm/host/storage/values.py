"""The values that go into storage and come out of it: plain, frozen, without a database."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Sequence
from typing import Final, Literal, get_args

import msgspec

from hexholm.rules.colors import Color

from ..table_literals import TableStatus, Visibility

Durability = Literal["normal", "full"]
"""`normal`: a commit survives the end of the process, however sudden. `full`: it also survives a power cut."""

RESERVED_SLOT: Final = "reserved "
"""Before the color of a seat: where the name of whom it is kept for belongs."""
ALIVE: Final = "alive"
"""What storage calls the time at which the host was last alive."""
ALIVE_BY_DAY: Final = "alive by the clock of the machine"
"""The same moment by the clock of its machine, which may have been set since the host started."""


def read_alive_time(text: str | None) -> float:
    """The time that is noted as `ALIVE`; 0 for none, and for what is no time: dates matter less than an open house."""
    try:
        time = float(text or 0)
    except ValueError:
        return 0.0
    return time if math.isfinite(time) else 0.0


TABLE_STATUSES: Final[tuple[TableStatus, ...]] = get_args(TableStatus)
DURABILITIES: Final[tuple[Durability, ...]] = get_args(Durability)


class PersonalText(msgspec.Struct, frozen=True):
    """A name or words of a guest in an entry, kept apart from it: it goes when the guest is forgotten."""

    slot: str
    """Where in the body it belongs."""
    guest_id: str = msgspec.field(name="guest")
    text: str


class EntryRow(msgspec.Struct, frozen=True):
    """One entry of a table's log. The caller gives the time and the text; storage looks at neither."""

    seq: int
    """1 for the first of a table, then without a gap."""
    time: float
    """Unix seconds."""
    tag: str
    """What happened, by the name that its body has; the column is called `kind`."""
    body: str
    """JSON."""
    position_hash: str | None = None
    """Of the position after it, so that a load which differs is noticed; the column is called `state_hash`."""
    texts: tuple[PersonalText, ...] = ()
    """What guests wrote of it; those of forgotten guests are missing."""


class AnswerRow(msgspec.Struct, frozen=True):
    """What an accepted command was answered with, kept so that a repeat gets the same words."""

    sender: str
    id: str
    answer: str
    """JSON."""


class Seal(msgspec.Struct, frozen=True):
    """A new token for a seat, as storage gets it: only its hash. :func:`token_hash` makes one."""

    hash: str
    color: Color = msgspec.field(name="seat")
    """Of the seat that the token opens; the column is called `seat`."""
    created: float


class TokenRow(msgspec.Struct, frozen=True):
    """What a token opens."""

    table_id: str
    color: Color
    created: float


class GuestRow(msgspec.Struct, frozen=True):
    """Somebody who came here, known by an id; there are no accounts."""

    id: str
    created: float
    name: str


class HoldingRow(msgspec.Struct, frozen=True):
    """That a guest sits at a table, or has set it up."""

    guest_id: str = msgspec.field(name="guest")
    color: Color | None = msgspec.field(name="seat")
    """Of its seat; None: it has none."""
    is_creator: bool = msgspec.field(name="creator")


class TableRow(msgspec.Struct, frozen=True):
    """A table as a list of tables shows it."""

    id: str
    created: float
    changed: float
    """When its last entry was made."""
    status: TableStatus
    summary: str
    """JSON, for the lobby; the caller keeps secrets out of it."""
    last_seq: int
    """The number of its last entry."""


class StorageFigures(msgspec.Struct):
    """What the writer has done since it began, for the metrics."""

    commits: int = 0
    batches: int = 0
    """Batches whose commit succeeded."""
    entries: int = 0
    conflicts: int = 0
    failures: int = 0
    """Commits that failed, with all that was in them."""


class Writes(msgspec.Struct, frozen=True):
    """What is written for a table in one commit, whole or not at all.

    The batch with entry 1 makes the table. `status`, `summary` and `people` stay as they are where they are None.
    Tokens of the seats in `revoked`, and those with a hash in `voided`, stop working in this very commit, before
    `tokens` are added.
    """

    table_id: str
    entries: Sequence[EntryRow] = ()
    status: TableStatus | None = None
    summary: str | None = None
    answers: Sequence[AnswerRow] = ()
    tokens: Sequence[Seal] = ()
    revoked: Sequence[Color] = ()
    voided: Sequence[str] = ()
    people: Sequence[HoldingRow] | None = None
    dice_key: bytes | None = None
    """The key from which the game's chance comes; it is written once, with entry 1."""
    visibility: Visibility | None = None
    """Whether the lobby lists the table; it is written once, with entry 1. None: it is unlisted."""
    unplayed_since: float | None = None
    """Since when the game is over, where no person ever acted in it."""

    def __post_init__(self) -> None:
        """Refuse what would be a fault of the caller."""
        if self.status is not None and self.status not in TABLE_STATUSES:
            raise ValueError(
                f"status {self.status!r} of table {self.table_id}: it is one of {', '.join(TABLE_STATUSES)}"
            )
        numbers = [entry.seq for entry in self.entries]
        if numbers and (numbers[0] < 1 or numbers != list(range(numbers[0], numbers[0] + len(numbers)))):
            raise ValueError(f"entries {numbers} of table {self.table_id}: they are numbered from 1 without a gap")


GUEST_MARK_LENGTH: Final = 8


def guest_mark(guest_id: str) -> str:
    """A name for a guest in logs that says who is the same and not who it is."""
    return token_hash(guest_id)[:GUEST_MARK_LENGTH]


def token_hash(token: str) -> str:
    """The hash under which a token is kept: SHA-256 in hex. Tokens are long and random, so it needs no salt."""
    return hashlib.sha256(token.encode()).hexdigest()
