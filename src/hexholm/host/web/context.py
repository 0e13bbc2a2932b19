"""What all parts of the server share: the hall, who is who, the limits, the figures, the log."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Iterator
from typing import Any, Final, Literal, TypeVar

from starlette.requests import HTTPConnection

from hexholm.rules.boards import Layout
from hexholm.rules.colors import Color

from ..storage.repositories.shares import Shares
from ..storage.values import guest_mark
from ..tables.audience.admission import NOT_SHOWN, why_not_look
from ..tables.hall.eviction import IN_ADDRESS, IN_NETWORK, IN_NETWORK_FOR_FEW, MANY, playing_on_room
from ..tables.hall.hall import CreatedTable, Hall, id_from
from ..tables.hall.loaded_tables import NoTable
from ..tables.log_size import BESIDE_TEXT, TABLE_SIZE, WISH_MEMORY
from ..tables.running.runner import TableRunner
from ..tables.seats import Guest
from ..tables.services.census import GuestOrigin
from ..tables.table import Table
from ..tables.terms.table_settings import TableSettings
from ..wire.host_refusals import Declined, Refusal
from ..wire.messages import Act, Deal, Done, Say, TableCommand
from .identity import Identity, cookie_value
from .limits import Buckets, Slots
from .load_shedding import REFUSALS_BY_URGENCY, Shedding, Urgency
from .operations.metrics import Metrics
from .operations.server_log import error_fields
from .operations.settings import Settings, counted_address, counted_network
from .sanctions import Sanctions
from .socket_slots import SocketSlots

LONGEST_TABLE_ID: Final = 40
MOST_LOOKUPS_WAITING: Final = 32
"""Those who wait for something from the almanac; each takes some milliseconds."""
LookedUp = TypeVar("LookedUp")
Spending = Literal[
    "requests", "reading", "writing", "records", "lookups", "guests", "log_of_guest", "log_of_address", "log_of_network"
]


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
            "log_of_guest": Buckets(limits.log_of_guest),
            "log_of_address": Buckets(limits.log_of_address),
            "log_of_network": Buckets(limits.log_of_network),
        }
        """How often: requests by address, commands by guest; and bytes of the log."""
        self.slots_by_guest, self.slots_by_address = Slots(limits.sockets_per_guest), Slots(limits.sockets_per_address)
        self.slots_by_network = Slots(limits.sockets_per_network)
        self.socket_slots = SocketSlots(limits)
        self.shedding = Shedding(limits.wait_from, lambda: self.storage.queue_seconds)
        self._playing_guests: tuple[int, frozenset[str]] = (-1, frozenset())
        """Those at games that go on, and the change of the lists after which they were looked for."""
        self.sanctions = Sanctions(self.storage, hall.services.now, logger)
        self._almanac_lock, self._lookups_waiting = asyncio.Lock(), 0
        self._setting_up = asyncio.Lock()
        """Held while a table is set up, from the look whether there is room for it until it is there."""
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

        All doors lead through here. Raises Declined for a wrong token, and for those an operator has banned.
        """
        guest = runner.identify(token, guest_id)
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

    def spend(self, bucket: Spending, key: str) -> None:
        """Count something against a limit. Raises Declined if it is one too many."""
        if not self.buckets[bucket].spend(key):
            raise Declined.because("too_much_at_once")

    async def look_up(self, make: Callable[..., LookedUp], *how: Any) -> LookedUp:
        """What comes from the almanac, made in a thread, one after another for all who ask, here and as assistants.

        Raises Declined where too many wait already.
        """
        if self._lookups_waiting >= MOST_LOOKUPS_WAITING:
            raise Declined(REFUSALS_BY_URGENCY["watching"])
        self._lookups_waiting += 1
        try:
            async with self._almanac_lock:
                return await asyncio.to_thread(make, *how)
        finally:
            self._lookups_waiting -= 1

    def spend_request(self, connection: HTTPConnection) -> bool:
        """Count a request of whatever kind against its address; False: it is one too many."""
        return self.buckets["requests"].spend(self.address(connection))

    def urgency(self, connection: HTTPConnection) -> Urgency:
        """Whether one who asks for something over REST is at a game that goes on, or only looks."""
        changes, guest_ids = self._playing_guests
        if changes != self.hall.services.list_changes:
            playing = (table for table in self.hall.tables if table.status == "playing")
            guest_ids = frozenset(seat.guest_id for table in playing for seat in table.seats.values())
            self._playing_guests = self.hall.services.list_changes, guest_ids
        return "playing" if self.guest_id_of(connection)[0] in guest_ids else "watching"

    def admit(self, connection: HTTPConnection, *, writes: bool) -> None:
        """Raises Declined where a request over REST is to come back later."""
        if self.shedding.share_refused("watching"):  # else nobody is refused, whoever asks
            self.shedding.check("new" if writes else self.urgency(connection))

    async def table_runner(self, table_id: str, address: str) -> TableRunner:
        """A table, one that is over from storage if need be, which is counted. Raises Declined."""
        if len(table_id) > LONGEST_TABLE_ID or not (table_id.isascii() and table_id.isprintable()):
            raise NoTable(table_id)
        if not self.hall.has(table_id):
            self.spend("records", address)
        return await self.hall.load(table_id)

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

    async def set_up(self, guest_id: str, address: str, key: str | None, settings: TableSettings) -> CreatedTable:
        """A new table, or with the same key of the same guest the one there is, with one more token for its seat.

        Raises Declined.
        """
        async with self._setting_up:
            table_id = None if key is None else id_from(self.identity.derive("table", guest_id, key))
            if table_id is not None:
                created_table = await self._existing_table(guest_id, table_id)
                if created_table is not None:
                    return created_table
            with self.spending_log(guest_id, address, _table_size(settings.board)):
                await self._find_room_for_table(guest_id, address, plays_on=settings.terms.plays_on)
                created_table = await self.hall.create(guest_id, settings, table_id)
            self.hall.services.census.set_origin(created_table.id, origin_of_address(address))
            self.logger.info("table set up", table=created_table.id, guest=guest_mark(guest_id))
            return created_table

    async def set_up_rematch(self, guest_id: str, address: str, table: Table) -> str:
        """The table that follows a finished one, set up if there is none: its id. Raises Declined."""
        async with self._setting_up:
            if table.rematch is None or not self.hall.has(table.rematch):
                with self.spending_log(guest_id, address, _table_size(table.board if table.opened.own_board else None)):
                    await self._find_room_for_table(guest_id, address, plays_on=table.opened.plays_on)
                    next_id = await self.hall.rematch(table.id, guest_id)
            else:
                next_id = await self.hall.rematch(table.id, guest_id)
            self.hall.services.census.set_origin(next_id, origin_of_address(address))
        self.logger.info("rematch", table=table.id, next=next_id, guest=guest_mark(guest_id))
        return next_id

    async def _existing_table(self, guest_id: str, table_id: str) -> CreatedTable | None:
        try:
            runner = await self.hall.load(table_id)
        except NoTable:
            return None
        if all(seat.guest_id != guest_id for seat in runner.table.seats.values()):
            return CreatedTable(table_id)
        return CreatedTable(table_id, *await runner.another_token(guest_id))

    async def _find_room_for_table(self, guest_id: str, address: str, *, plays_on: bool) -> None:
        """Decline one table too many, of this guest, this address or network, or of all if none of theirs can go."""
        limits, census, origin = self.settings.limits, self.hall.services.census, origin_of_address(address)
        if (tables := census.by_guest[guest_id]) >= limits.tables_per_guest:
            raise Declined.because("too_many_tables", tables=tables)
        cleanup = self.hall.cleanup
        if (tables := census.by_address[origin.address]) >= limits.tables_per_address:
            theirs = tuple(census.tables_from(origin, by_address=True))
            if not await cleanup.make_room_among(theirs, IN_ADDRESS):
                raise Declined.because("too_many_from_address", tables=tables)
        if (tables := census.by_network[origin.network]) >= limits.tables_per_network:
            theirs = tuple(census.tables_from(origin, by_address=False))
            room = IN_NETWORK if census.by_address[origin.address] >= MANY else IN_NETWORK_FOR_FEW
            if not await cleanup.make_room_among(theirs, room):
                raise Declined.because("too_many_from_address", tables=tables)
        if plays_on and (tables := census.playing_on_by_network[origin.network]) >= limits.tables_playing_on:
            own_tables = census.playing_on_by_address[origin.address]
            theirs = tuple(
                table_id
                for table_id in census.tables_from(origin, by_address=False)
                if census.plays_on(table_id) and census.playing_on_of_address(table_id) > own_tables + 1
            )
            if not await cleanup.make_room_among(theirs, playing_on_room(own_tables)):
                raise Declined.because("too_many_playing_on", tables=tables)
        most, has_few = limits.tables, census.by_network[origin.network] < MANY
        if not has_few:
            most -= int(limits.tables * limits.tables_for_few)
        if len(census) >= most and not await self.hall.make_room(for_few=has_few):
            raise Declined.because("house_full")

    def note_origin(self, runner: TableRunner, guest_id: str, address: str) -> None:
        """The creator of a table looks: after a restart we know from where it comes only now."""
        if guest_id == runner.table.creator_id:
            self.hall.services.census.set_origin(runner.table.id, origin_of_address(address))

    async def carry_out(
        self, runner: TableRunner, guest: Guest, command: TableCommand, *, sender_id: str, address: str, size: int
    ) -> Done:
        """Have a table carry out a command of so many bytes, if whoever sends it may do such things at all.

        The sender is the guest of a cookie, the guest at the table that of a seat. Raises Declined.
        """
        self.sanctions.check_command(command, sender_id, guest.id)
        moves_game = guest.color is not None and isinstance(command, Act | Deal) and runner.table.status == "playing"
        size += 0 if isinstance(command, Act | Say | Deal) else WISH_MEMORY
        spender_id = sender_id if guest.color is None else guest.id  # of a seat the same without its cookie
        with (
            self.spending_log(spender_id, address, size, moves_game=moves_game),
            self.shedding.carrying_out(runner.table.id),
        ):
            done = await runner.send(guest, command)
        if guest.color is not None and isinstance(command, Act | Deal):
            self.hall.services.census.note_move(runner.table.id, guest.color, counted_network(address))
        return done

    @contextlib.contextmanager
    def spending_log(self, guest_id: str, address: str, size: int, *, moves_game: bool = False) -> Iterator[None]:
        """Count what a command, a seat or a table of so many bytes may add to the database, unless it is refused.

        Raises Declined if that is too much by now; `moves_game`: only of its guest, whatever its neighbors write.
        """
        cost = BESIDE_TEXT + size
        by_guest = self.buckets["log_of_guest"], guest_id
        by_neighbors = (
            (self.buckets["log_of_address"], address),
            (self.buckets["log_of_network"], counted_network(address)),
        )
        spent: list[tuple[Buckets, str]] = []
        try:
            for bucket, key in (by_guest, *by_neighbors):
                if bucket.spend(key, cost):
                    spent.append((bucket, key))
                elif not moves_game or bucket is by_guest[0]:
                    raise Declined.because("too_much_written")
            yield
        except Declined:  # nothing was written
            for bucket, key in spent:
                bucket.give_back(key, cost)
            raise

    def why_banned(self, connection: HTTPConnection) -> Refusal | None:
        """Why a request is not answered, where an operator has banned its guest or its network."""
        path, address = connection.scope["path"], self.address(connection)
        return self.sanctions.why_request_banned(path, lambda: self.guest_id_of(connection)[0], address)

    def allowed_words(self, guest_id: str, words: str) -> str:
        """A name or a title, empty where its guest may write nothing."""
        return "" if self.sanctions.is_write_banned(guest_id) else words

    def log_seat(self, table_id: str, color: Color, guest_id: str) -> None:
        """Log that a seat was taken."""
        self.logger.info("seat taken", table=table_id, seat=color, guest=guest_mark(guest_id))

    def log_failure(self, error: BaseException, path: str) -> None:
        """Log what nobody foresaw."""
        self.logger.error("failed", path=path, **error_fields(error))


def _table_size(own_board: Layout | None) -> int:
    """Bytes that a new table may add to the database."""
    return TABLE_SIZE + (0 if own_board is None else len(own_board.to_toml().encode()))


def origin_of_address(address: str) -> GuestOrigin:
    """What limits count an address as that :meth:`Context.address` gave."""
    return GuestOrigin(address, counted_network(address))
