"""Who may not come in, and who may not write: what operators decide beside the server, enforced here and nowhere else.

`hexholm admin` writes into the database; a server looks there again and again (`operations/operator_watch.py`), and
reads more only when something is new. So this holds for several servers too. Requests pass
:meth:`Sanctions.why_banned` in the middleware. Whoever asks at a table, over REST, a socket or as an assistant, passes
:meth:`..context.Context.identify`, which knows the guest of a seat's token too; whoever is banned later has its sockets
closed. Addresses are compared in memory; one is written down only where an operator asks for the network of a banned
guest.
"""

from __future__ import annotations

import asyncio
import contextlib
import ipaddress
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any, Final, Protocol

from sqlalchemy import Connection as DatabaseConnection

from ...storage import Storage, StorageError
from ...storage.rows.operator_actions import (
    ActionRow,
    SanctionRow,
    actions_after,
    count_admin_actions,
    read_network,
    record_network,
    running_sanctions,
)
from ...storage.values import guest_mark
from ...wire import messages
from ...wire.host_refusals import Declined, Refusal
from ..error_fields import error_fields

OVERLAP: Final = 100
"""Actions that are looked at again: of two programs that write at once, the later number may be there first."""
REMOVED: Final = "remove"
"""What an operator did who removed words."""
CLOSED_PATHS: Final = ("/api/", "/mcp", "/ws/")
OPEN_PATHS: Final = ("/api/me", "/api/me/export", "/api/me/recoveries", "/api/editions", "/api/statistics")
OPEN_FOLDERS: Final = ("/api/drawings/", "/api/rules")
"""What is there for everybody, also for those who are banned: their own data, the rules, and what a page needs."""
WRITING: Final = (messages.Say, messages.Rename)
"""What somebody who is banned from writing cannot do."""


class OpenConnection(Protocol):
    """A socket that is open."""

    address: str
    guest_id: str
    """The guest of its cookie."""

    @property
    def guest_ids(self) -> tuple[str, ...]:
        """The guest of its cookie, and that of its seat."""
        ...

    def dismiss(self, refusal: Refusal) -> None:
        """Say why, and close it."""
        ...


class Sanctions:
    """Those of one server."""

    def __init__(self, storage: Storage, now: Callable[[], float], logger: Any) -> None:
        self._storage, self._now, self._logger = storage, now, logger
        self.connections: set[OpenConnection] = set()
        """The sockets that are open."""
        self._known = (-1, -1)
        self._seen: set[int] = set()
        self._bans: dict[str, SanctionRow] = {}
        self._write_bans: dict[str, SanctionRow] = {}
        self._networks: list[tuple[ipaddress.IPv4Network | ipaddress.IPv6Network, SanctionRow]] = []
        self._by_address: dict[str, SanctionRow | None] = {}
        self._recording: set[asyncio.Task[None]] = set()

    async def refresh(self) -> list[ActionRow]:
        """Look for what is new, and enforce it; the words that were removed since the last look."""
        known = await self._storage.read(count_admin_actions)
        if known == self._known:
            return []
        is_first, (latest, _) = self._known[0] < 0, self._known

        def job(connection: DatabaseConnection) -> tuple[list[SanctionRow], list[ActionRow]]:
            removals = actions_after(connection, max(0, latest - OVERLAP), (REMOVED,))
            return running_sanctions(connection, self._now()), removals

        rows, removals = await self._storage.read(job)
        self._known = known
        new = [] if is_first else [action for action in removals if action.id not in self._seen]
        self._seen = {action.id for action in removals}
        self._take(rows)
        self._close_connections()
        return new

    def _take(self, rows: list[SanctionRow]) -> None:
        self._bans, self._write_bans, self._networks, self._by_address = {}, {}, [], {}
        for row in rows:  # the newest first
            if row.guest_id is not None:
                (self._bans if row.what == "ban" else self._write_bans).setdefault(row.guest_id, row)
            if row.what == "ban" and row.network is not None:
                with contextlib.suppress(ValueError):
                    self._networks.append((ipaddress.ip_network(row.network), row))

    def _close_connections(self) -> None:
        for connection in list(self.connections):
            for guest_id in connection.guest_ids:
                by_cookie = guest_id == connection.guest_id
                if (refusal := self.why_banned(guest_id, connection.address, by_cookie=by_cookie)) is not None:
                    self._logger.info("socket of a banned guest closed", guest=guest_mark(guest_id))
                    connection.dismiss(refusal)
                    break

    # --- banned ------------------------------------------------------------------------------------------------------

    def why_banned(self, guest_id: str, address: str, *, by_cookie: bool = False) -> Refusal | None:
        """Why a guest, or whoever comes from an address, may not come in; None: they may.

        `by_cookie`: the guest is known by its own cookie. Only then is it the guest who is there: the link of its seat
        can be in the hands of anybody, and nobody else's network is banned for it.
        """
        if not self._bans and not self._networks:
            return None
        row = self._bans.get(guest_id)
        if row is None or row.until <= self._now():
            row = self._ban_of_address(address)
        elif by_cookie and row.with_network and row.network is None:
            self._ban_network(guest_id, address)
        if row is None or row.until <= self._now():
            return None
        return Refusal.because("banned", until=shown_time(row.until), why=row.why)

    def check_welcome(self, guest_id: str, address: str) -> None:
        """Raises Declined for a guest, or an address, that may not come in."""
        if (refusal := self.why_banned(guest_id, address)) is not None:
            raise Declined(refusal)

    def why_request_banned(self, path: str, guest_id: Callable[[], str], address: str) -> Refusal | None:
        """The same for a request; what is there for everybody stays open."""
        if not self._bans and not self._networks:
            return None
        if not path.startswith(CLOSED_PATHS) or path in OPEN_PATHS or path.startswith(OPEN_FOLDERS):
            return None
        return self.why_banned(guest_id(), address, by_cookie=True)

    def _ban_of_address(self, address: str) -> SanctionRow | None:
        if not self._networks:
            return None
        if address not in self._by_address:
            if len(self._by_address) >= 10_000:
                self._by_address.clear()
            self._by_address[address] = self._find_network(address)
        return self._by_address[address]

    def _find_network(self, address: str) -> SanctionRow | None:
        try:
            own = ipaddress.ip_network(address, strict=False)
        except ValueError:
            return None
        rows = (row for network, row in self._networks if own.version == network.version and _lies_in(own, network))
        return max(rows, key=lambda row: row.until, default=None)

    def _ban_network(self, guest_id: str, address: str) -> None:
        """Write down where a guest is that is banned with its network, and ban that too."""
        network = read_network(address)
        row = self._bans[guest_id]
        if network is None:
            return
        self._bans[guest_id] = SanctionRow(
            row.id, row.what, row.guest_id, network, row.with_network, row.created, row.until, row.why
        )

        async def record() -> None:
            try:
                now = self._now()
                await self._storage.write(lambda connection: record_network(connection, guest_id, network, now))
            except StorageError as error:
                self._bans[guest_id] = row  # the next time it comes
                self._logger.error("the network of a banned guest was not recorded", **error_fields(error))

        task = asyncio.get_running_loop().create_task(record())
        self._recording.add(task)
        task.add_done_callback(self._recording.discard)

    # --- write bans --------------------------------------------------------------------------------------------------

    def check_command(self, command: object, *guest_ids: str) -> None:
        """Raises Declined for words of somebody who is banned from writing."""
        if isinstance(command, WRITING):
            self.check_may_write(*guest_ids)

    def check_may_write(self, *guest_ids: str) -> None:
        """Raises Declined where one of these guests is banned from writing."""
        for guest_id in guest_ids if self._write_bans else ():
            if (row := self._write_ban(guest_id)) is not None:
                raise Declined.because("muted", until=shown_time(row.until), why=row.why)

    def is_write_banned(self, guest_id: str) -> bool:
        """Whether somebody may write nothing: no names and titles either."""
        return self._write_ban(guest_id) is not None

    def _write_ban(self, guest_id: str) -> SanctionRow | None:
        row = self._write_bans.get(guest_id)
        return row if row is not None and row.until > self._now() else None


def shown_time(time: float) -> str:
    """A time as guests are told it, wherever they are."""
    return datetime.fromtimestamp(time, UTC).strftime("%Y-%m-%d %H:%M UTC")


def _lies_in(own: Any, network: Any) -> bool:
    return bool(own.subnet_of(network))
