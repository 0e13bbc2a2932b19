"""The hall: all tables of a host. It sets them up, finds them and keeps them; what is done at one its runner does.

    hall = await Hall.open(storage)
    settings = TableSettings(
        terms=TableTerms(title="Friday"), options=game_options("fifth"), creator_color="red", bots={"blue": "easy"}
    )
    created_table = await hall.create("ann", settings)
    runner = hall.loaded(created_table.id)
    ann = runner.identify(created_table.token, "ann")
    feed = runner.feed(ann)                        # async for message in feed: ...
    await runner.send(ann, Begin(id="1"))

On opening, every unfinished table is there again as its log has it. While the hall is open it notes now and then that
it lives, so that after a crash the clocks of all tables can be set right.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import secrets
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from hexholm.game.dealers import Dealer, SystemRandom
from hexholm.game.dice_proof import commitment, new_key

from ..bot_pool.bot_pool import BotPool, Bots
from ..storage import Conflict, LogDamaged, Storage, StorageError
from ..storage.forgotten_guests import ForgottenGuests
from ..storage.guest_rows import GuestRows
from ..storage.unplayed_games import UnplayedGames
from ..storage.values import ALIVE
from ..wire.host_refusals import Declined, Refusal
from ..wire.shapes import Color
from . import log
from .durations import USUAL_DURATIONS, Durations
from .opening import decide_opening
from .rematch import check_rematch, rematch_settings
from .room import LOOK_AGAIN, may_go, tables_to_go
from .runner import TableRunner, remember_guest
from .seating.seat_tokens import new_token
from .services import Services
from .steady_clock import SteadyClock
from .table import LogBroken, Table
from .table_settings import TableSettings

BEAT: Final = 5.0
FINISHED_LINGER: Final = 900.0
"""Seconds that a finished table which nobody looks at stays in memory."""
MOST_FINISHED: Final = 200
"""Finished tables in memory, apart from those that somebody looks at."""
UNPLAYED_AGAIN: Final = 60.0
"""Seconds after which games that nobody played are looked for again."""
MOST_UNPLAYED: Final = 1000
"""Those that are cleared away at once."""
LETTERS: Final = "abcdefghjkmnpqrstuvwxyz23456789"  # none that look alike
ID_LENGTH: Final = 14
"""69 random bits: an id is the key of an unlisted table (docs/decisions/0014-who-may-see-what.md)."""

logger = logging.getLogger("hexholm.host")


class NoTable(Declined, LookupError):
    """There is no such table in memory."""

    def __init__(self, table_id: str) -> None:
        super().__init__(Refusal.because("no_such_table", table=table_id[:40]))
        self.table_id = table_id

    def __reduce__(self) -> tuple[Any, ...]:
        return NoTable, (self.table_id,)


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

    def __init__(self, services: Services, make_dealer: Callable[[], Dealer] | None, ids: Callable[[], str]) -> None:
        self.services = services
        self.broken: dict[str, str] = {}
        """Tables whose log does not lead to the positions it names, with the reason. They are left as they are."""
        self.storing = True
        """Whether what was last to be written could be, some seconds ago at most."""
        self._make_dealer = make_dealer
        self._ids = ids
        self._runners: dict[str, TableRunner] = {}
        self._loading = asyncio.Lock()
        self._arriving: set[str] = set()  # tables that are set up now: stored, perhaps, and not there yet
        self._leaving = deque[str]()  # tables that may go when the house is full, the first first
        self._leaving_again = 0.0  # when others are looked for
        self._unplayed_again = 0.0
        self._half_forgotten: dict[str, list[str]] = {}  # who is nobody and not wholly gone; tables to read again
        self._own_bots = False
        self._beat_task: asyncio.Task[None] | None = None

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
        own_bots = bots is None
        forgotten = ForgottenGuests(await GuestRows(storage).forgotten())
        services = Services(storage, bots or BotPool(), now or SteadyClock(), durations, forgotten)
        hall = cls(services, make_dealer, ids)
        hall._own_bots = own_bots
        try:
            await hall._load_all()
            hall._half_forgotten = {guest_id: [] for guest_id in await GuestRows(storage).half_forgotten()}
            await hall._forget_all_rest()
        except BaseException:
            await hall.close()
            raise
        hall._beat_task = asyncio.create_task(hall._beat(), name="hall")
        return hall

    async def close(self) -> None:
        """Carry out what waits, end all feeds and bots. The storage stays open: it is the caller's."""
        if self._beat_task is not None:
            self._beat_task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._beat_task
        await asyncio.gather(*(runner.stop() for runner in self._runners.values()))
        if self._beat_task is not None:
            await self._store_alive()
        if self._own_bots:
            await self.services.bots.close()

    # --- loading -------------------------------------------------------------------------------------------------

    async def _load_all(self) -> None:
        storage, clock = self.services.storage, self.services.now
        alive_at = float(await storage.meta(ALIVE) or 0)
        if isinstance(clock, SteadyClock) and clock.begin_at(alive_at):
            logger.warning("the clock of this machine was set back: dates go on from when the host was last alive")
        now = clock()
        for table_id in await storage.unfinished():
            runner = await self._read_from_log(table_id)
            if runner is None:
                continue
            try:
                await runner.write_restart(max(0.0, now - max(alive_at, runner.table.time)))
            except Conflict as error:  # what storage says of the table is not what its log says
                self._remove(table_id)
                self._leave_alone(table_id, f"entry {runner.table.seq}: {error}")
        for runner in self._runners.values():
            runner.start()
        await self._store_alive()

    async def _read_from_log(self, table_id: str) -> TableRunner | None:
        """A table from its log; None if that cannot be read: one table that is broken must not close the house."""
        storage, seq = self.services.storage, 0
        table = self._new_table(table_id, await storage.dice_key(table_id))
        runner = TableRunner(table, self.services, await storage.seals(table_id))
        try:
            rows = await storage.entries(table_id)
            runner.measure(rows)
            for row in rows:
                seq = row.seq
                runner.enter(log.read_row(row))
                if seq % 20 == 0:
                    await asyncio.sleep(0)
        except Exception as error:
            if isinstance(error, StorageError) and not isinstance(error, LogDamaged):
                raise  # a later try may work
            own_error = isinstance(error, LogBroken | LogDamaged)  # the words of others could name cards
            why, version = str(error) if own_error else type(error).__name__, runner.table.version or "(not noted)"
            self._leave_alone(table_id, f"entry {seq}, written by version {version}: {why}")
            return None
        self._add(runner)
        return runner

    def _add(self, runner: TableRunner) -> None:
        table = runner.table
        self._runners[table.id] = runner
        if table.status != "over":
            self.services.census.add(table.id, table.creator_id, plays_on=table.opened.plays_on)
        self.services.list_changes += 1

    def _remove(self, table_id: str) -> None:
        del self._runners[table_id]
        self.services.census.remove(table_id)
        self.services.list_changes += 1

    def _leave_alone(self, table_id: str, why: str) -> None:
        self.broken[table_id] = why
        logger.error("table %s cannot be read and is left alone: %s", table_id, why)

    async def load(self, table_id: str) -> TableRunner:
        """A table by its id, read from storage if it is over and no longer in memory. Raises Declined."""
        if table_id not in self._runners:
            async with self._loading:
                if (
                    table_id not in self._runners
                    and table_id not in self.broken
                    and table_id not in self._arriving
                    and (row := await self.services.storage.table(table_id))
                ):
                    await self._bring_back(table_id, is_listed=row.status == "over")
                    await self._release_finished()
        return self.loaded(table_id)

    async def _bring_back(self, table_id: str, *, is_listed: bool = False) -> None:
        runner = await self._read_from_log(table_id)
        if runner is not None:
            runner.is_listed = is_listed
            runner.start()

    async def _release_finished(self) -> None:
        """Let go of finished tables that nobody looks at."""
        idle = [
            runner
            for runner in self._runners.values()
            if runner.table.status == "over" and runner.is_listed and not runner.attendance.feeds
        ]
        idle.sort(key=lambda runner: runner.over_since, reverse=True)
        expired_before = self.services.now() - FINISHED_LINGER
        leaving = [runner for i, runner in enumerate(idle) if i >= MOST_FINISHED or runner.over_since < expired_before]
        for runner in leaving:  # all at once: meanwhile somebody could come
            self._remove(runner.table.id)
        for runner in leaving:
            await runner.stop()

    async def clear(self) -> None:
        """Let go of tables at which nobody is any more and no game was begun, or none that a person played."""
        for table_id in list(self._runners):
            async with self._loading:  # who asks for the table now gets it whole, or not at all
                runner = self._runners.get(table_id)
                if runner is not None and self._is_abandoned(runner):
                    await self._clear_away(runner)
        if (now := self.services.now()) >= self._unplayed_again:
            self._unplayed_again = now + UNPLAYED_AGAIN
            with contextlib.suppress(StorageError):  # then the next time
                await self._clear_unplayed(now - self.services.durations.unplayed_after)

    async def _clear_unplayed(self, before: float) -> None:
        """Delete games that are over and in which no person ever acted, not too many at once."""
        games = UnplayedGames(self.services.storage)
        async with self._loading:  # else one could come back that is deleted now
            table_ids = set(await games.over_before(before, MOST_UNPLAYED))
            here = [self._runners[table_id] for table_id in table_ids & self._runners.keys()]
            table_ids -= {runner.table.id for runner in here if runner.attendance.feeds}
            for runner in here:
                if runner.table.id in table_ids:
                    self._remove(runner.table.id)
                    await runner.stop()
            if table_ids:
                await games.delete(sorted(table_ids))
                self.services.figures["cleared"] += len(table_ids)

    async def _clear_away(self, runner: TableRunner) -> bool:
        """Delete a table at which no game was begun, unless somebody came at the very moment; within `_loading`."""
        table_id, seq_before = runner.table.id, runner.table.seq
        self._remove(table_id)
        await runner.stop()
        if runner.table.seq != seq_before:
            await self._bring_back(table_id)
            return False
        with contextlib.suppress(StorageError):  # then after the next start
            await self.services.storage.delete_table(table_id)
            self.services.figures["cleared"] += 1
        return True

    async def make_room(self) -> bool:
        """The house is full: let one table go that nobody needs; whether there was one."""
        now = self.services.now()
        if now >= self._leaving_again:  # those that were found before have become others meanwhile
            self._leaving = deque(tables_to_go(self._runners.values(), self.services))
            self._leaving_again = now + LOOK_AGAIN
        while self._leaving:
            runner = self._runners.get(self._leaving.popleft())
            if runner is not None and may_go(runner, self.services) is not None and await self._let_go(runner):
                return True
        return False

    async def _let_go(self, runner: TableRunner) -> bool:
        """Delete a table without a game, end a game that was left."""
        if runner.table.game is None:
            async with self._loading:
                still_there = self._runners.get(runner.table.id) is runner and not runner.attendance.feeds
                return still_there and await self._clear_away(runner)

        async def job() -> None:
            if may_go(runner, self.services) is not None:
                await runner.write(runner.table.decide_stop("abandoned", "the house was full"))

        with contextlib.suppress(Declined):
            await runner.run_in_turn(job)
        return runner.table.status == "over"

    def _is_abandoned(self, runner: TableRunner) -> bool:
        """Whether no game was begun here, and the table was ended or nobody has been here for long."""
        if runner.table.game is not None or runner.attendance.feeds:
            return False
        left_long_ago = self.services.now() >= runner.attendance.abandoned_at(
            self.services.durations.clear_after, up=False
        )
        return left_long_ago or runner.table.status == "over"

    async def _beat(self) -> None:
        while True:
            await asyncio.sleep(BEAT)
            try:
                await self._store_alive()
                await self._release_finished()
                await self.clear()
                await self._forget_all_rest()
            except Exception:  # it must go on: without it nothing is cleared away, and clocks are set wrong
                self.services.figures["errors"] += 1
                logger.exception("the hall: an error of the program")

    async def _store_alive(self) -> None:
        try:
            await self.services.storage.set_meta(ALIVE, repr(self.services.now()))
        except StorageError:
            self.storing = False
        else:
            self.storing = True

    # --- looking -------------------------------------------------------------------------------------------------

    @property
    def feeds(self) -> int:
        """How many feeds are open."""
        return sum(len(runner.attendance.feeds) for runner in self._runners.values())

    @property
    def tables(self) -> list[Table]:
        """The tables in memory, to be looked at only: all that are not over, and those that were lately."""
        return [runner.table for runner in self._runners.values()]

    def has(self, table_id: str) -> bool:
        """Whether a table is in memory: that and no more costs nothing."""
        return table_id in self._runners or table_id in self.broken

    def loaded(self, table_id: str) -> TableRunner:
        """A table that is in memory, in the hands of whoever acts there. Raises NoTable: see :meth:`load`."""
        if table_id in self.broken:
            raise Declined.because("log_broken", table=table_id)
        if table_id not in self._runners:
            raise NoTable(table_id)
        return self._runners[table_id]

    # --- doing ---------------------------------------------------------------------------------------------------

    async def create(self, guest_id: str, settings: TableSettings, id: str | None = None) -> CreatedTable:  # noqa: A002
        """Set up a table. Raises Declined.

        `id` is the table's, else a new one is drawn; one that is taken is refused.
        """
        created_table = await self._set_up(guest_id, settings, id)
        await remember_guest(self.services, guest_id, settings.creator_name)
        if guest_id in self.services.forgotten:  # deleted while it was set up
            await self.forget(guest_id)
            raise Declined.because("no_cookie")
        return created_table

    async def _set_up(
        self,
        creator: str,
        settings: TableSettings,
        id: str | None = None,  # noqa: A002
    ) -> CreatedTable:
        """A table with what it begins with: stored and entered, and only then there for others. Raises Declined."""
        table_id, creator_color = id or self._ids(), settings.creator_color
        is_provable = self._make_dealer is None and settings.terms.chance_source == "host" and not settings.terms.lesson
        dice_key = new_key() if is_provable else None
        dice_commitment = "" if dice_key is None else commitment(table_id, dice_key)
        decision = decide_opening(creator, settings, dice_commitment, self.services.durations.away_after)
        runner = TableRunner(self._new_table(table_id, dice_key), self.services)
        token, seals = None, []
        if creator_color is not None:
            token, seal = new_token(creator_color, self.services.now())
            seals.append(seal)
        self._arriving.add(table_id)
        try:
            await runner.write(decision, tokens=seals)
        except StorageError as error:
            raise Declined.because("not_stored") from error
        finally:
            self._arriving.discard(table_id)
        self._add(runner)
        runner.start()
        return CreatedTable(table_id, creator_color, token)

    def _new_table(self, table_id: str, dice_key: bytes | None) -> Table:
        return Table(table_id, make_dealer=self._make_dealer or SystemRandom, dice_key=dice_key)

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
        """Delete a guest: its seats, names and words, here and in storage. Logs stay as they are. Raises Declined.

        It is nobody from the first moment on, so that nothing new is written down of it meanwhile. Once that is stored
        it has been deleted: what fails then is tried again, and after a crash the next start goes on.
        """
        forgotten = self.services.forgotten
        was_forgotten = guest_id in forgotten
        forgotten.add(guest_id)
        try:
            await GuestRows(self.services.storage).mark_forgotten(guest_id)
        except StorageError as error:
            if not was_forgotten:
                forgotten.discard(guest_id)
            raise Declined.because("not_stored") from error
        except BaseException:  # perhaps after it was stored
            self._half_forgotten.setdefault(guest_id, [])
            raise
        await self._forget_rest(guest_id)

    async def _forget_rest(self, guest_id: str) -> None:
        """Part with a guest who is marked as forgotten, and delete its rows step by step; live tables go on."""
        changed = self._half_forgotten.pop(guest_id, [])
        is_left = await self._part_with(guest_id)
        try:
            async for table_ids in GuestRows(self.services.storage).forget_rest(guest_id):
                changed += table_ids
        except StorageError as error:
            is_left = True
            logger.warning("a guest is not wholly deleted yet, and that is tried again: %s", error)
        except BaseException:
            is_left = True
            raise
        finally:
            async with self._loading:  # what comes from before a step is here after this
                loaded = [self._runners[table_id] for table_id in changed if table_id in self._runners]
            unread = []
            for runner in loaded:
                try:
                    await runner.read_again()
                except Declined as error:  # where it was begun, it is done before anything else is
                    if error.refusal.why == "table_busy":
                        unread.append(runner.table.id)
            if is_left or unread:
                self._half_forgotten[guest_id] = unread

    async def _part_with(self, guest_id: str) -> bool:
        """A guest gives up its seats, whether one is to be tried again: one table must not stop the rest."""
        is_left = False
        for runner in [runner for runner in self._runners.values() if runner.knows(guest_id)]:
            try:
                await runner.part_with(guest_id)
            except Declined as error:
                is_left |= error.refusal.why in ("table_busy", "not_stored")
                logger.warning("table %s: a deleted guest keeps its seat: %s", runner.table.id, error)
        return is_left

    async def _forget_all_rest(self) -> None:
        for guest_id in list(self._half_forgotten):
            await self._forget_rest(guest_id)

    async def read_again(self, table_id: str) -> None:
        """Words of a table were removed from storage: nothing here has them any more. Raises Declined."""
        async with self._loading:  # else the table could come from what was read before
            runner = self._runners.get(table_id)
        if runner is not None:
            await runner.read_again()
            runner.is_listed = False  # what was listed meanwhile may have had them
