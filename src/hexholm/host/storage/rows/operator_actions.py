"""Who may not speak or not come in, until when; and all that operators did, in order.

Plain functions within a transaction: `hexholm admin` calls them beside a server, the server through its storage.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable
from typing import Final, Literal

import msgspec
from sqlalchemy import Connection, and_, func, insert, select, union, update

from hexholm.rules.errors import BadInput

from ..database_tables import admin_action, guest, holding, report, sanction
from ..values import GUEST_MARK_LENGTH, guest_mark

MOST_SANCTIONS: Final = 10_000
"""Of those that run, so many are enforced, the newest first: a server keeps them all in memory."""
WIDEST: Final = {4: 8, 6: 16}
"""Bits of the widest network that can be banned, by the version of its addresses."""
NETWORK_OF_GUEST: Final = {4: 32, 6: 64}
"""Bits of the network that is one guest's."""

SanctionKind = Literal["mute", "ban"]
"""A "mute" is a write ban; what a seat does to another is no sanction (:class:`...wire.messages.Mute`)."""


class BadGuest(BadInput):
    """Nobody, or no network, is meant by what was said."""


class SanctionRow(msgspec.Struct, frozen=True):
    """A guest or a network, or a guest with its network, that may not speak or not come in."""

    id: int
    what: SanctionKind
    guest_id: str | None
    network: str | None
    with_network: bool
    created: float
    until: float
    why: str


class ActionRow(msgspec.Struct, frozen=True):
    """Something an operator did, or a server in their name."""

    id: int
    time: float
    operator: str
    what: str
    table_id: str | None
    seq: int | None
    guest_id: str | None
    text: str


def find_guest(connection: Connection, text: str) -> str:
    """The guest of an id or of a mark, as logs and lists of operators have it; raises BadGuest."""
    known_ids = union(
        select(guest.c.id),
        select(holding.c.guest),
        select(report.c.reported),
        select(sanction.c.guest).where(sanction.c.guest.is_not(None)),
    )
    matches = {
        guest_id
        for guest_id in connection.execute(known_ids).scalars()
        if text == guest_id or (len(text) == GUEST_MARK_LENGTH and guest_mark(guest_id) == text)
    }
    if not matches:
        raise BadGuest(f"there is no guest {text!r}; hexholm admin look TABLE shows who sits at a table")
    if len(matches) > 1:
        raise BadGuest(f"several guests have the mark {text}; name one by its id: {', '.join(sorted(matches))}")
    return str(matches.pop())


def read_network(text: str) -> str | None:
    """A network as it is kept, from an address or a prefix; None for what is none. Raises BadGuest if too wide."""
    try:
        network = ipaddress.ip_network(text, strict=False)
    except ValueError:
        return None
    if network.prefixlen < WIDEST[network.version]:
        raise BadGuest(f"{text}: that is too wide; a prefix has at least /{WIDEST[network.version]}")
    if "/" not in text:
        network = ipaddress.ip_network((network.network_address.packed, NETWORK_OF_GUEST[network.version]), False)
    return str(network)


def impose(
    connection: Connection,
    what: SanctionKind,
    *,
    guest_id: str | None = None,
    network: str | None = None,
    with_network: bool = False,
    now: float,
    until: float,
    why: str,
) -> None:
    """Ban, also from writing alone, in place of what of that kind was in force for the same guest or network."""
    lift(connection, what, guest_id=guest_id, network=network, now=now)
    values = {"guest": guest_id, "network": network, "with_network": with_network}
    connection.execute(insert(sanction).values(what=what, created=now, until=until, why=why, **values))


def lift(
    connection: Connection, what: SanctionKind, *, guest_id: str | None = None, network: str | None = None, now: float
) -> int:
    """Let somebody speak or come in again; how many sanctions ended."""
    c = sanction.c
    is_own = c.guest == guest_id if guest_id is not None else and_(c.network == network, c.guest.is_(None))
    is_running = and_(is_own, c.what == what, c.until > now)
    return connection.execute(update(sanction).where(is_running).values(until=now)).rowcount


def running_sanctions(connection: Connection, now: float) -> list[SanctionRow]:
    """All that are in force, the newest first."""
    query = select(sanction).where(sanction.c.until > now).order_by(sanction.c.id.desc()).limit(MOST_SANCTIONS)
    return [_sanction(row) for row in connection.execute(query)]


def sanctions_of(connection: Connection, guest_id: str) -> list[SanctionRow]:
    """All of a guest, also those that have ended, the newest first."""
    query = select(sanction).where(sanction.c.guest == guest_id).order_by(sanction.c.id.desc())
    return [_sanction(row) for row in connection.execute(query)]


def record_network(connection: Connection, guest_id: str, network: str, now: float) -> int:
    """Record where a banned guest is, if an operator has asked for that; in how many sanctions."""
    c = sanction.c
    is_wanted = and_(c.guest == guest_id, c.with_network, c.network.is_(None), c.until > now)
    count = connection.execute(update(sanction).where(is_wanted).values(network=network)).rowcount
    if count:
        log_action(connection, "network", now=now, operator="(server)", guest_id=guest_id, text=network)
    return count


def log_action(
    connection: Connection,
    what: str,
    *,
    now: float,
    operator: str,
    table_id: str | None = None,
    seq: int | None = None,
    guest_id: str | None = None,
    text: str = "",
) -> None:
    """Write down what was done. Running servers look here for what is new."""
    values = {"table_id": table_id, "entry": seq, "guest": guest_id, "text": text}
    connection.execute(insert(admin_action).values(time=now, operator=operator, what=what, **values))


def count_admin_actions(connection: Connection) -> tuple[int, int]:
    """The number of the latest action (0: there is none) and how many there are: one of both changes with each."""
    query = select(func.coalesce(func.max(admin_action.c.id), 0), func.count()).select_from(admin_action)
    latest, count = connection.execute(query).one()
    return int(latest), int(count)


def actions_after(connection: Connection, number: int, whats: Iterable[str]) -> list[ActionRow]:
    """The actions of some kinds after one of that number, in order."""
    c = admin_action.c
    query = select(admin_action).where(c.id > number, c.what.in_(list(whats))).order_by(c.id)
    return [ActionRow(*row) for row in connection.execute(query)]


def actions(connection: Connection, limit: int, guest_id: str | None = None) -> list[ActionRow]:
    """The latest actions, of all or about one guest, oldest first."""
    query = select(admin_action).order_by(admin_action.c.id.desc()).limit(limit)
    if guest_id is not None:
        query = query.where(admin_action.c.guest == guest_id)
    return [ActionRow(*row) for row in connection.execute(query)][::-1]


def _sanction(row: object) -> SanctionRow:
    return SanctionRow(*row)  # type: ignore[misc]  # the columns of the table, in their order
