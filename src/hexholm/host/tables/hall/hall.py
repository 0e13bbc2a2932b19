"""The hall: all tables of a host. It sets them up, finds them and keeps them; what is done at one its runner does.

    hall = await Hall.open(storage)
    settings = TableSettings(
        terms=TableTerms(title="Friday"), options=game_options("fifth"), creator_color="red", bots={"blue": "easy"}
    )
    created_table = await hall.create("ann", settings)
    runner = hall.loaded(created_table.id)
    ann = runner.seat_access.identify(created_table.token, "ann")
    feed = runner.feed(ann)                        # async for message in feed: ...
    await runner.carry_out(ann, Begin(id="1"))

On opening, every unfinished table is there again as its log has it. While the hall is open it notes now and then that
it lives, so that after a crash the clocks of all tables can be set right.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from hexholm.game.dealers import Dealer
from hexholm.game.dice_proof import commitment, new_key
from hexholm.rules.colors import Color

from ...bot_pool.bot_pool import BotPool, Bots
from ...storage import Storage, StorageError
from ...storage.forgotten_guests import ForgottenGuests
from ...storage.repositories.guest_data import GuestData
from ...storage.values import ALIVE, ALIVE_BY_DAY, read_alive_time
from ...wire.host_refusals import Declined
from ..running.runner import TableRunner
from ..running.seat_tokens import new_token
from ..services.durations import USUAL_DURATIONS, Durations
from ..services.services import Services
from ..services.steady_clock import SteadyClock
from ..table import Table
from ..table_settings import TableSettings
from .cleanup import Cleanup
from .guest_removal import GuestRemoval
from .loaded_tables import LoadedTables
from .opening import decide_opening
from .rematch import check_rematch, rematch_settings

LONG_LOG: Final = 2_000
"""Entries of a log that is read when the host answers already: no game has so many where nobody makes it long."""
BEAT: Final = 5.0
LETTERS: Final = "abcdefghjkmnpqrstuvwxyz23456789"  # none that look alike
ID_LENGTH: Final = 14
"""69 random bits: an id is the key of an unlisted table (docs/decisions/0014-who-may-see-what.md)."""

logger = logging.getLogger("hexholm.host")


@dataclass(frozen=True, slots=True)
class CreatedTable:
    """A new table. The token opens the creator's seat; it is told once and kept only as a hash."""

    id: str
    color: Color | None = None
    token: str | None = None


def new_id() -> str:
    """An id for a table: short enough to be read out, too long to be guessed by chance."""
    return id_from(secrets.token_bytes(32))


def id_from(random: bytes) -> str:
    """The id that follows from random bytes, many more than it has letters."""
    number = int.from_bytes(random)
    return "".join(LETTERS[number // len(LETTERS) ** i % len(LETTERS)] for i in range(ID_LENGTH))


class Hall:
    """All tables. Make it with `open`, end it with `close`."""

    def __init__(self, services: Services, ids: Callable[[], str], *, own_bots: bool) -> None:
        self.services = services
        self.storing = True
        """Whether what was last to be written could be, some seconds ago at most."""
        self.loaded_tables = LoadedTables(services)
        self.cleanup = Cleanup(self.loaded_tables, services)
        self.guest_removal = GuestRemoval(self.loaded_tables, services)
        self._ids = ids
        self._own_bots = own_bots
        self._beat_task: asyncio.Task[None] | None = None
        self._late_task: asyncio.Task[None] | None = None

    @classmethod
    async def open(
        cls,
        storage: Storage,
        *,
        now: Callable[[], float] | None = None,
        make_dealer: Callable[[], Dealer] | None = None,
        bots: Bots | None = None,
        durations: Durations = USUAL_DURATIONS,
        ids: Callable[[], str] = new_id,
    ) -> Hall:
        """Open it: all unfinished tables are there again, their clocks set right for the downtime.

        Dice come from keys that are committed to, unless there is a `make_dealer`; lessons and real cards have theirs.
        `bots` answers for bots (a :class:`BotPool` of its own unless given), `now` tells the time (a steady clock).
        """
        forgotten = ForgottenGuests(await GuestData(storage).forgotten())
        services = Services(storage, bots or BotPool(), now or SteadyClock(), durations, forgotten, make_dealer)
        hall = cls(services, ids, own_bots=bots is None)
        try:
            await hall._load_all()
            await hall.guest_removal.find_half_forgotten()
            await hall.guest_removal.go_on()
        except BaseException:
            await hall.close()
            raise
        hall._late_task = asyncio.create_task(hall.loaded_tables.read_late(), name="late tables")
        hall._beat_task = asyncio.create_task(hall._beat(), name="hall")
        return hall

    async def close(self) -> None:
        """Carry out what waits, end all feeds and bots. The storage stays open: it is the caller's."""
        for task in (self._late_task, self._beat_task):
            if task is not None:
                task.cancel()
                with contextlib.suppress(asyncio.CancelledError):
                    await task
        await asyncio.gather(*(runner.stop() for runner in self.loaded_tables))
        if self._beat_task is not None:
            await self._store_alive()
        if self._own_bots:
            await self.services.bots.close()

    async def _load_all(self) -> None:
        storage, clock, tables = self.services.storage, self.services.now, self.loaded_tables
        alive_at = read_alive_time(await storage.meta(ALIVE))
        if isinstance(clock, SteadyClock) and clock.begin_at(alive_at):
            logger.warning("the clock of this machine was set back: dates go on from when the host was last alive")
        tables.down_since = alive_at
        tables.late.update(dict.fromkeys(await storage.unfinished(longer_than=LONG_LOG)))
        for table_id in await storage.unfinished():
            if table_id not in tables.late:
                await tables.read_unfinished(table_id)
        for runner in tables:
            runner.start()
        await self._store_alive()

    async def _beat(self) -> None:
        while True:
            await asyncio.sleep(BEAT)
            try:
                await self._store_alive()
                await self.loaded_tables.release_finished()
                await self.cleanup.clear()
                await self.guest_removal.go_on()
            except Exception:  # it must go on: without it nothing is cleared away, and clocks are set wrong
                self.services.figures["errors"] += 1
                logger.exception("the hall: an error of the program")

    async def _store_alive(self) -> None:
        try:
            if not self.loaded_tables.late:  # else the time is lost for which their clocks stood still
                await self.services.storage.set_meta(ALIVE, repr(self.services.now()))
            await self.services.storage.set_meta(ALIVE_BY_DAY, repr(time.time()))
        except StorageError:
            self.storing = False
            return
        if not self.storing:
            self.storing = True
            for runner in self.loaded_tables:
                runner.wake()

    # --- looking -------------------------------------------------------------------------------------------------

    @property
    def feeds(self) -> int:
        """How many feeds are open."""
        return sum(len(runner.attendance.feeds) for runner in self.loaded_tables)

    @property
    def tables(self) -> list[Table]:
        """The tables in memory, to be looked at only: all that are not over, and those that were lately."""
        return [runner.table for runner in self.loaded_tables]

    def has(self, table_id: str) -> bool:
        """Whether a table is in memory: that and no more costs nothing."""
        return self.loaded_tables.has(table_id)

    def loaded(self, table_id: str) -> TableRunner:
        """A table that is in memory, in the hands of whoever acts there. Raises NoTable: see :meth:`load`."""
        return self.loaded_tables.loaded(table_id)

    async def load(self, table_id: str) -> TableRunner:
        """A table by its id, read from storage if it is over and no longer in memory. Raises Declined."""
        return await self.loaded_tables.load(table_id)

    # --- doing ---------------------------------------------------------------------------------------------------

    async def create(self, guest_id: str, settings: TableSettings, id: str | None = None) -> CreatedTable:  # noqa: A002
        """Set up a table. Raises Declined.

        `id` is the table's, else a new one is drawn; one that is taken is refused.
        """
        created_table = await self._set_up(guest_id, settings, id)
        await self.services.remember_guest(guest_id, settings.creator_name)
        if guest_id in self.services.forgotten:  # deleted while it was set up
            await self.guest_removal.forget(guest_id)
        self.services.check_known(guest_id)
        return created_table

    async def _set_up(
        self,
        creator: str,
        settings: TableSettings,
        id: str | None = None,  # noqa: A002
    ) -> CreatedTable:
        """A table with what it begins with: stored and entered, and only then there for others. Raises Declined."""
        table_id, creator_color = id or self._ids(), settings.creator_color
        is_provable = (
            self.services.make_dealer is None and not settings.terms.is_board_real and not settings.terms.lesson
        )
        dice_key = new_key() if is_provable else None
        dice_commitment = "" if dice_key is None else commitment(table_id, dice_key)
        decision = decide_opening(creator, settings, self.services.durations.away_after, dice_commitment)
        runner = self.loaded_tables.new_runner(table_id, dice_key)
        token, seals = None, []
        if creator_color is not None:
            token, seal = new_token(creator_color, self.services.now())
            seals.append(seal)
        with self.loaded_tables.arriving(table_id):
            try:
                await runner.write(decision, tokens=seals)
            except StorageError as error:
                raise Declined.because("not_stored") from error
        self.loaded_tables.add(runner)
        runner.start()
        return CreatedTable(table_id, creator_color, token)

    async def rematch(self, table_id: str, guest_id: str) -> str:
        """The table that follows a finished one, set up anew if there is none: its id. Raises Declined.

        The same rules and a new board of the same kind; bots sit where they sat, and seats of people are kept for them
        for some minutes. Whoever asks first is its creator; with a real board the creator stays the same.
        """
        runner = self.loaded(table_id)

        async def job() -> str:
            old_table = runner.table
            check_rematch(old_table, guest_id)
            if old_table.rematch is not None and await self.services.storage.table(old_table.rematch) is not None:
                return old_table.rematch
            services = self.services
            creator, settings = rematch_settings(old_table, guest_id, services.forgotten, services.now())
            next_id = (await self._set_up(creator, settings)).id
            await runner.write(old_table.decide_rematch(next_id))
            return next_id

        return await runner.run_in_turn(job)

    async def forget(self, guest_id: str) -> None:
        """Delete a guest: its seats, names and words, here and in storage. Raises Declined."""
        await self.guest_removal.forget(guest_id)

    async def read_again(self, table_id: str) -> None:
        """Words of a table were removed from storage: nothing here has them any more. Raises Declined."""
        async with self.loaded_tables.loading:  # else the table could come from what was read before
            runner = self.loaded_tables.find(table_id)
        if runner is not None:
            await runner.read_again()
