"""What all parts of the server share: the hall, who is who, the limits, the figures, the log."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from time import perf_counter
from typing import Any, Final, Literal, TypeVar

from starlette.requests import HTTPConnection

from ..storage.repositories.shares import Shares
from ..tables.audience.who_may_look import NOT_SHOWN, why_not_look
from ..tables.hall.hall import Hall
from ..tables.hall.loaded_tables import NoTable
from ..tables.running.log_size import WISH_MEMORY
from ..tables.running.runner import TableRunner
from ..tables.seats import Guest
from ..tables.table import Table
from ..wire.host_refusals import Declined, Refusal
from ..wire.messages import Act, Deal, Done, Say, TableCommand, Why, WhyAnswer
from .admission.connections import Connections, urgency_of
from .admission.costly_queue import CostlyQueue
from .admission.counted_origin import counted_address, counted_network
from .admission.floods import CrowdTooFast, TooFast
from .admission.identity import Identity, cookie_value
from .admission.limits import Bucket, Buckets, Rate
from .admission.load_shedding import Shedding, Urgency
from .admission.log_budget import LogBudget
from .admission.sanctions import Sanctions
from .error_fields import error_fields
from .operations.metrics import Metrics
from .operations.server_log import LogBrake
from .operations.settings import Settings
from .table_setup import TableSetup

LONGEST_TABLE_ID: Final = 40
ENTRIES_OF_RECORD: Final = 500
"""Entries of a finished table that is read from storage which count as one more record."""
LookedUp = TypeVar("LookedUp")
Spending = Literal[
    "requests", "reading", "writing", "records", "lookups", "guests", "commands_of_address", "commands_of_network"
]

SEAT_LOG_RATE: Final = Rate(1000, 5)
"""Sockets of seats that are logged, at once and a second."""


class Context:
    """One for each server: REST, sockets and assistants are given it."""

    def __init__(self, hall: Hall, settings: Settings, identity: Identity, metrics: Metrics, logger: Any) -> None:
        self.hall, self.settings, self.identity, self.metrics, self.logger = hall, settings, identity, metrics, logger
        self.storage = hall.services.storage
        limits = settings.limits
        self.buckets: dict[Spending, Buckets] = {
            "requests": Buckets(limits.requests),
            "reading": Buckets(limits.reading),
            "writing": Buckets(limits.writing),
            "records": Buckets(limits.records),
            "lookups": Buckets(limits.lookups),
            "guests": Buckets(limits.guest),
            "commands_of_address": Buckets(limits.commands_of_address),
            "commands_of_network": Buckets(limits.commands_of_network),
        }
        """How often: requests by address, commands by guest, address and network."""
        self.public_log_brake, self.seat_log_brake = LogBrake(), LogBrake(SEAT_LOG_RATE)
        """How many sockets are logged: of those who watch, and of seats."""
        self.connections = Connections(limits)
        self.shedding = Shedding(limits.wait_from, lambda: self.storage.queue_seconds)
        self._playing_guests: tuple[int, frozenset[str]] = (-1, frozenset())
        """Those at games that go on, and the change of the lists after which they were looked for."""
        self.sanctions = Sanctions(self.storage, hall.services.now, logger)
        self.almanac_queue, self.preview_queue = CostlyQueue(), CostlyQueue()
        """Those who wait for something from the almanac, and for boards that no table has yet."""
        self.reading_queue, self.records_queue = CostlyQueue(), CostlyQueue()
        """Those who wait for a finished table from storage, and for what is worked out of one."""
        self.log_budget = LogBudget(limits)
        self.table_setup = TableSetup(hall, limits, identity, self.sanctions, self.log_budget, self.shedding, logger)
        self.stopping = False

    @property
    def largest_body(self) -> int:
        """The most bytes that a request may bring."""
        return self.settings.limits.body

    def guest_id_of(self, connection: HTTPConnection) -> tuple[str, bool]:
        """The guest who asks, and whether we know it by its cookie; all others are new guests."""
        header = connection.headers.get("cookie")
        guest_id = self.identity.guest_id_of_cookie(cookie_value(header, secure=self.settings.secure))
        if guest_id is None or guest_id in self.hall.services.forgotten:
            return self.identity.new_guest_id(), False
        return guest_id, True

    def newcomer(self, key: str | None, address: str) -> str:
        """Who comes without a cookie: a new guest, the same one again for a key of its own. Raises Declined."""
        guest_id = self.identity.new_guest_id() if key is None else self.identity.guest_id_of_key(key)
        if guest_id in self.hall.services.forgotten:
            guest_id = self.identity.new_guest_id()
        self.sanctions.check_welcome(guest_id, address)
        return guest_id

    def identify(self, runner: TableRunner, token: str | None, guest_id: str, address: str) -> Guest:
        """Who asks at a table: whoever brings the token of a seat is who sits there, all others are who they are.

        REST, sockets and assistants lead through here. Raises Declined for a wrong token, and for those an operator has
        banned.
        """
        guest = runner.seat_access.identify(token, guest_id)
        self.sanctions.check_welcome(guest.id, address)
        return guest

    def address(self, connection: HTTPConnection) -> str:
        """Where it asks from; behind a trusted proxy, where the proxy says."""
        return "nowhere" if connection.client is None else counted_address(connection.client.host)

    def base(self, connection: HTTPConnection) -> str:
        """How guests reach this server; the middleware has checked the name they used."""
        if self.settings.public_url is not None:
            return self.settings.public_url
        return f"http://{connection.headers.get('host', '')}"

    def spend(self, bucket: Spending, key: str, cost: float = 1) -> None:
        """Count something against a limit, as so many or as all there are. Raises Declined if it is too much."""
        buckets = self.buckets[bucket]
        if not buckets.spend(key, min(cost, buckets.rate.burst)):
            raise Declined.because("too_much_at_once")

    async def ask_almanac(self, address: str, make: Callable[..., LookedUp], *how: Any) -> LookedUp:
        """What comes from the almanac, made in a thread, one after another for all who ask, here and as assistants.

        Raises Declined where too many wait already.
        """
        return await self.almanac_queue.make(counted_network(address), make, *how)

    def of_waiting_call(
        self, runner: TableRunner, guest: Guest, address: str, dismiss: Callable[[Refusal], None]
    ) -> AbstractContextManager[None]:
        """While a call of an assistant waits: it is counted like a socket. Raises Declined."""
        return self.connections.of_waiting_call(runner, guest, address, dismiss)

    def spend_request(self, connection: HTTPConnection) -> bool:
        """Count a request of whatever kind against its address; False: it is one too many."""
        return self.buckets["requests"].spend(self.address(connection))

    def urgency(self, connection: HTTPConnection) -> Urgency:
        """Whether one who asks for something over REST is at a game that goes on, or only looks."""
        changes, guest_ids = self._playing_guests
        if changes != self.hall.loaded_tables.list_changes:
            playing = (table for table in self.hall.tables if table.status == "playing")
            guest_ids = frozenset(seat.guest_id for table in playing for seat in table.seats.values())
            self._playing_guests = self.hall.loaded_tables.list_changes, guest_ids
        return "playing" if self.guest_id_of(connection)[0] in guest_ids else "watching"

    def check_load(self, connection: HTTPConnection, *, writes: bool) -> None:
        """Raises Declined where a request over REST is to come back later."""
        if self.shedding.refused_fraction("watching"):  # else nobody is refused, whoever asks
            self.shedding.check("new" if writes else self.urgency(connection))

    async def table_runner(
        self, table_id: str, address: str, guest_id: str, token: str | None = None, share: str | None = None
    ) -> TableRunner:
        """A table, for somebody with a cookie, the token of a seat or the secret of a shown game. Raises Declined.

        One that is over is read from storage if need be, for those who may look at it; that counts by its length.
        """
        if len(table_id) > LONGEST_TABLE_ID or not (table_id.isascii() and table_id.isprintable()):
            raise NoTable(table_id)
        if not self.hall.has(table_id):
            self.spend("records", address)
            row = await self.storage.table(table_id)
            if row is not None and row.status == "over":
                await self._check_may_read(table_id, guest_id, token, share)
                async with self.reading_queue.turn(counted_network(address)):
                    if not self.hall.has(table_id):
                        self.spend("records", address, row.last_seq // ENTRIES_OF_RECORD)
                    return await self.hall.load(table_id)
        return await self.hall.load(table_id)

    async def _check_may_read(self, table_id: str, guest_id: str, token: str | None, share: str | None) -> None:
        """Raises Declined if somebody may not look at a table that is over, as far as storage knows without its log."""
        if token is not None:
            row = await self.storage.token(token)
            if row is None or row.table_id != table_id:
                raise Declined.because("wrong_token")
        elif not await self.storage.holds(table_id, guest_id):
            shares = Shares(self.storage)
            if not (share is not None and await shares.opens(table_id, share)) and not await shares.is_public(table_id):
                raise Declined.because(NOT_SHOWN)

    async def check_may_look(self, table: Table, guest: Guest, share: str | None = None) -> None:
        """Raises Declined if somebody may not look at a table; a secret that one who sat there gave away lets it."""
        refusal = why_not_look(table, guest)
        if refusal is None:
            return
        if refusal.why == NOT_SHOWN and table.game is not None:
            shares = Shares(self.storage)
            if (share is not None and await shares.opens(table.id, share)) or await shares.is_public(table.id):
                return
        raise Declined(refusal)

    # --- the gates of a command ----------------------------------------------------------------------------------

    async def carry_out(
        self,
        runner: TableRunner,
        guest: Guest,
        command: TableCommand,
        *,
        sender_id: str,
        address: str,
        size: int,
        connection: Bucket | None = None,
    ) -> Done:
        """Have a table carry out a command of so many bytes. Sockets and assistants lead through here. Raises Declined.

        All gates before a table stand here in their order: how many were sent, how busy the server is, what an operator
        has forbidden, how much may still be written. The sender is the guest of a cookie, the guest at the table that
        of a seat; `connection` counts what came over one socket.
        """
        self.count_message(sender_id, address, connection)
        self.shedding.check(urgency_of(runner, guest))
        self.sanctions.check_command(command, sender_id, guest.id)
        moves_game = guest.color is not None and isinstance(command, Act | Deal) and runner.table.status == "playing"
        size += 0 if isinstance(command, Act | Say | Deal) else WISH_MEMORY
        spender_id = sender_id if guest.color is None else guest.id  # of a seat the same without its cookie
        with (
            self.log_budget.spending(spender_id, address, size, moves_game=moves_game),
            self.shedding.under_way_at(runner.table.id),
        ):
            done = await runner.carry_out(guest, command)
        if guest.color is not None and isinstance(command, Act | Deal):
            self.hall.services.census.record_move(runner.table.id, guest.color, counted_network(address))
        return done

    async def why(
        self,
        runner: TableRunner,
        guest: Guest,
        question: Why,
        *,
        sender_id: str,
        address: str,
        connection: Bucket | None = None,
    ) -> WhyAnswer:
        """Whether a seat may play something; asking passes the gates of a command that writes nothing."""
        self.count_message(sender_id, address, connection)
        self.shedding.check(urgency_of(runner, guest))
        return await runner.why(guest, question)

    def count_message(self, sender_id: str, address: str, connection: Bucket | None = None) -> None:
        """Count whatever was sent against its address, network, connection and guest. Raises TooFast."""
        if not (
            self.buckets["commands_of_address"].spend(address)
            and self.buckets["commands_of_network"].spend(counted_network(address))
        ):
            raise CrowdTooFast.because("too_fast")
        if not ((connection is None or connection.spend(perf_counter())) and self.buckets["guests"].spend(sender_id)):
            raise TooFast.because("too_fast")

    # --- those who are kept out ----------------------------------------------------------------------------------

    def why_banned(self, connection: HTTPConnection) -> Refusal | None:
        """Why a request is not answered, where an operator has banned its guest or its network."""
        path, address = connection.scope["path"], self.address(connection)
        return self.sanctions.why_request_banned(path, lambda: self.guest_id_of(connection)[0], address)

    def log_failure(self, error: BaseException, path: str) -> None:
        """Log what nobody foresaw."""
        self.logger.error("failed", path=path, **error_fields(error))
