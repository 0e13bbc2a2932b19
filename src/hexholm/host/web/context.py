"""What all parts of the server share: the hall, who is who, the limits, the figures, the log."""

from __future__ import annotations

import asyncio
import hashlib
from typing import Any, Final, Literal

from starlette.requests import HTTPConnection

from ..tables.hall import Created, Hall, NoTable, id_from
from ..tables.runner import TableRunner
from ..wire.api import TableSettings
from ..wire.host_refusals import Declined
from .identity import Identity, cookie_value
from .limits import Buckets, Places
from .operations.metrics import Metrics
from .operations.server_log import error_fields
from .operations.settings import Settings, counted_address

LONGEST_TABLE_ID: Final = 40
Spending = Literal["reading", "writing", "records", "guests"]


class Context:
    """One for each server: REST, sockets and assistants are given it."""

    def __init__(self, hall: Hall, settings: Settings, identity: Identity, metrics: Metrics, logger: Any) -> None:
        self.hall, self.settings, self.identity, self.metrics, self.logger = hall, settings, identity, metrics, logger
        self.storage = hall.services.storage
        limits = settings.limits
        self.buckets: dict[Spending, Buckets] = {
            "reading": Buckets(limits.reading),
            "writing": Buckets(limits.writing),
            "records": Buckets(limits.records),
            "guests": Buckets(limits.guest),
        }
        """How often: requests by address, commands by guest."""
        self.by_guest, self.by_address = Places(limits.sockets_per_guest), Places(limits.sockets_per_address)
        self.made_from: dict[str, str] = {}
        """Tables that are not over, and the address from which each was set up; it is written down nowhere."""
        self.setting_up = asyncio.Lock()
        """Held while a table is set up, from the look whether there is room for it until it is there."""
        self.stopping = False

    @property
    def largest_body(self) -> int:
        """The most bytes that a request may bring."""
        return self.settings.limits.body

    def guest(self, connection: HTTPConnection) -> tuple[str, bool]:
        """The guest who asks, and whether we know it by its cookie; strangers and forgers are new guests."""
        known = self.identity.guest(cookie_value(connection.headers.get("cookie")))
        return (known, True) if known is not None else (self.new_guest(), False)

    def new_guest(self) -> str:
        """A guest nobody has seen before."""
        return self.identity.new_guest()

    def guest_of(self, key: str) -> str:
        """The new guest who brings a key of its own."""
        return self.identity.guest_of(key)

    def address(self, connection: HTTPConnection) -> str:
        """Where it asks from; behind a trusted proxy, where the proxy says."""
        return "nowhere" if connection.client is None else counted_address(connection.client.host)

    def base(self, connection: HTTPConnection) -> str:
        """How guests reach this server; the middleware has checked the name they used."""
        if self.settings.public_url is not None:
            return self.settings.public_url
        return f"http://{connection.headers.get('host', '')}"

    def spend(self, what: Spending, key: str) -> None:
        """Count something against a limit. Raises Declined if it is one too many."""
        if not self.buckets[what].take(key):
            raise Declined.because("too_much_at_once")

    async def find(self, table_id: str, address: str) -> TableRunner:
        """A table, one that is over from storage if need be, which is counted. Raises Declined."""
        if len(table_id) > LONGEST_TABLE_ID:
            raise NoTable(table_id)
        if not self.hall.has(table_id):
            self.spend("records", address)
        return await self.hall.find_or_load(table_id)

    async def set_up(self, guest_id: str, address: str, key: str | None, asked: TableSettings) -> Created:
        """A new table, or with the same key of the same guest the one there is, with one more token for its seat.

        Raises Declined.
        """
        async with self.setting_up:
            name = None if key is None else id_from(self.identity.derived("table", guest_id, key))
            if name is not None:
                made = await self._made_before(guest_id, name)
                if made is not None:
                    return made
            self.room_for_a_table(guest_id, address)
            made = await self.hall.create(guest_id, asked, name)
            self.made_from[made.table] = address
            self.logger.info("table set up", table=made.table, guest=guest_mark(guest_id))
            return made

    async def _made_before(self, guest_id: str, table_id: str) -> Created | None:
        try:
            found = await self.hall.find_or_load(table_id)
        except NoTable:
            return None
        if all(seat.guest != guest_id for seat in found.table.seats.values()):
            return Created(table_id)
        return Created(table_id, *await found.another_token(guest_id))

    def room_for_a_table(self, guest_id: str, address: str) -> None:
        """Decline one table too many, of this guest, of this address or of all."""
        limits, running = (
            self.settings.limits,
            {table.id: table for table in self.hall.tables if table.status != "over"},
        )
        if len(running) >= limits.tables:
            raise Declined.because("house_full")
        mine = sum(table.creator == guest_id for table in running.values())
        if mine >= limits.tables_per_guest:
            raise Declined.because("too_many_tables", tables=mine)
        self.made_from = {table: whence for table, whence in self.made_from.items() if table in running}
        ours = sum(whence == address for whence in self.made_from.values())
        if ours >= limits.tables_per_address:
            raise Declined.because("too_many_from_address", tables=ours)

    def log_seat(self, table_id: str, seat: str, guest_id: str) -> None:
        """Log that a seat was taken."""
        self.logger.info("seat taken", table=table_id, seat=seat, guest=guest_mark(guest_id))

    def log_failure(self, error: BaseException, path: str) -> None:
        """Log what nobody foresaw."""
        self.logger.error("failed", path=path, **error_fields(error))


def guest_mark(guest_id: str) -> str:
    """A name for a guest in the log that says who is the same and not who it is."""
    return hashlib.sha256(guest_id.encode()).hexdigest()[:8]
