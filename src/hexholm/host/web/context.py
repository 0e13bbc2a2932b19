"""What all parts of the server share: the hall, who is who, the limits, the figures, the log."""

from __future__ import annotations

import asyncio
from typing import Any, Final

from starlette.requests import HTTPConnection

from hexholm.rules.errors import BadInput

from ..tables.hall import Hall, HallRefusal
from ..tables.table import Guest, Table
from ..wire.api import Declined
from .identity import Identity, cookie_value
from .limits import Buckets, Places
from .operations.metrics import Metrics
from .operations.settings import Settings, block

LONGEST_ID: Final = 40


class Desk:
    """One for each server."""

    def __init__(self, hall: Hall, settings: Settings, identity: Identity, metrics: Metrics, log: Any) -> None:
        self.hall, self.settings, self.identity, self.metrics, self.log = hall, settings, identity, metrics, log
        limits = settings.limits
        self.reading, self.writing = Buckets(limits.reading), Buckets(limits.writing)
        self.records, self.guests = Buckets(limits.records), Buckets(limits.guest)
        self.by_guest, self.by_address = Places(limits.sockets_per_guest), Places(limits.sockets_per_address)
        self.made_from: dict[str, str] = {}
        """Tables that are not over, and the address from which each was set up; it is written down nowhere."""
        self.setting_up = asyncio.Lock()
        """Held while a table is set up, from the look whether there is room for it until it is there."""
        self.stopping = False

    def guest(self, connection: HTTPConnection) -> tuple[str, bool]:
        """The guest who asks, and whether we know it by its cookie; strangers and forgers are new guests."""
        known = self.identity.guest(cookie_value(connection.headers.get("cookie")))
        return (known, True) if known is not None else (self.identity.new_guest(), False)

    def address(self, connection: HTTPConnection) -> str:
        """Where it asks from; behind a trusted proxy, where the proxy says."""
        return "nowhere" if connection.client is None else block(connection.client.host)

    def base(self, connection: HTTPConnection) -> str:
        """How guests reach this server; the door has checked the name they used."""
        if self.settings.public_url is not None:
            return self.settings.public_url
        return f"http://{connection.headers.get('host', '')}"

    async def table(self, table: str, connection: HTTPConnection) -> Table:
        """A table, one that is over from storage if need be, which is counted; Declined where there is none."""
        if len(table) > LONGEST_ID:
            raise Declined.because("no_such_table", table=table[:LONGEST_ID])
        if not self.hall.has(table):
            self.spend(self.records, self.address(connection))
        try:
            return await self.hall.recall(table)
        except HallRefusal as no:
            raise declined(no) from no

    def who(self, table: str, token: str | None, guest: str) -> Guest:
        """Who somebody is at a table; Declined for a wrong token."""
        try:
            return self.hall.who(table, token, guest)
        except HallRefusal as no:
            raise declined(no) from no

    def room_for_a_table(self, guest: str, address: str) -> None:
        """Decline one table too many, of this guest, of this address or of all."""
        limits, running = self.settings.limits, {table.id: table for table in self.hall.every if table.status != "over"}
        if len(running) >= limits.tables:
            raise Declined.because("house_full")
        mine = sum(table.creator == guest for table in running.values())
        if mine >= limits.tables_per_guest:
            raise Declined.because("too_many_tables", tables=mine)
        self.made_from = {table: whence for table, whence in self.made_from.items() if table in running}
        ours = sum(whence == address for whence in self.made_from.values())
        if ours >= limits.tables_per_address:
            raise Declined.because("too_many_from_address", tables=ours)

    def spend(self, buckets: Buckets, key: str) -> None:
        """Count a request; Declined if it is one too many."""
        if not buckets.take(key):
            raise Declined.because("too_much_at_once")


def declined(no: BadInput) -> Declined:
    """What the hall refuses, as the server says it; with the rule, where options break one."""
    faults = getattr(no.__cause__ or no, "faults", None)
    rule = faults[0][0] if faults and isinstance(faults[0], tuple) else None
    if not isinstance(no, HallRefusal):
        no = HallRefusal.because("cannot_be_set_up", detail=str(no))
    return Declined(no.code, no.message, rule=rule or no.rule, why=no.why, values=no.values)
