"""The tables of a hall that are in memory, each in the hands of its runner: they are found here, come and go."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Iterator
from typing import Any, Final

from hexholm.game.dealers import SystemRandom
from hexholm.game.language.clean_text import clean

from ...storage import Conflict, LogDamaged, StorageError, StorageFailed
from ...storage.values import ALIVE
from ...wire.host_refusals import Declined, Refusal
from ..running.runner import TableRunner
from ..running.table_replica import EntryUnread
from ..services.services import Services
from ..table import Table

FINISHED_LINGER: Final = 900.0
"""Seconds that a finished table which nobody looks at stays in memory."""
LATE_AGAIN: Final = 5.0
"""Seconds after which late tables are read again that could not be read."""
MOST_FINISHED: Final = 200
"""Finished tables in memory, apart from those that somebody looks at."""

logger = logging.getLogger("hexholm.host")


class NoTable(Declined, LookupError):
    """There is no such table in memory."""

    def __init__(self, table_id: str) -> None:
        super().__init__(Refusal.because("no_such_table", table=clean(table_id[:40])))
        self.table_id = table_id

    def __reduce__(self) -> tuple[Any, ...]:
        return NoTable, (self.table_id,)


class LoadedTables:
    """The runners of a hall, by the ids of their tables. Here alone tables enter the census, and leave it."""

    def __init__(self, services: Services) -> None:
        self.services = services
        self.broken: dict[str, str] = {}
        """Tables whose log does not lead to the positions it names, with the reason. They are left as they are."""
        self.loading = asyncio.Lock()
        """Held while a table is read from storage, or deleted there: who asks for one gets it whole, or not at all."""
        self.list_changes = 0
        """How often something changed in what lists say of these tables; whoever keeps a list looks whether it did."""
        self.late: dict[str, None] = {}
        """Unfinished tables with long logs that were not read yet since the start; who asks for one has it read."""
        self.down_since = 0.0
        """Since when the host was down before the start."""
        self._runners: dict[str, TableRunner] = {}
        self._arriving: set[str] = set()  # tables that are set up now: stored, perhaps, and not there yet

    def __iter__(self) -> Iterator[TableRunner]:
        """All that are there now; others may come and go meanwhile."""
        return iter(list(self._runners.values()))

    def find(self, table_id: str) -> TableRunner | None:
        """A table, if it is in memory."""
        return self._runners.get(table_id)

    def has(self, table_id: str) -> bool:
        """Whether it is known without reading it what becomes of a table: it is in memory, or cannot be read."""
        return table_id in self._runners or table_id in self.broken

    def loaded(self, table_id: str) -> TableRunner:
        """A table that is in memory. Raises NoTable, Declined."""
        if table_id in self.broken:
            raise Declined.because("log_broken", table=table_id)
        if table_id not in self._runners:
            raise NoTable(table_id)
        return self._runners[table_id]

    async def load(self, table_id: str) -> TableRunner:
        """A table, read from storage if it is over and no longer in memory. Raises Declined."""
        if table_id not in self._runners:
            async with self.loading:
                if table_id in self.late:
                    await self._read_late_one(table_id)
                elif (
                    not self.has(table_id)
                    and table_id not in self._arriving
                    and (row := await self.services.storage.table(table_id))
                ):
                    await self.bring_back(table_id, is_listed=row.status == "over")
                    await self.release_finished()
        return self.loaded(table_id)

    # --- coming --------------------------------------------------------------------------------------------------

    def new_runner(self, table_id: str, dice_key: bytes | None) -> TableRunner:
        """A table without its first entry, which nobody finds yet."""
        make_dealer = self.services.make_dealer or SystemRandom
        return TableRunner(
            Table(table_id, make_dealer=make_dealer, dice_key=dice_key), self.services, self._on_list_change
        )

    @contextlib.contextmanager
    def arriving(self, table_id: str) -> Iterator[None]:
        """While a table is set up it may be stored already: nobody reads it from there."""
        self._arriving.add(table_id)
        try:
            yield
        finally:
            self._arriving.discard(table_id)

    async def read(self, table_id: str, *, is_listed: bool = False) -> TableRunner | None:
        """A table from its log; None if that cannot be read: one table that is broken must not close the house."""
        try:
            runner = self.new_runner(table_id, await self.services.storage.dice_key(table_id))
            await runner.store.load(is_listed=is_listed)
        except (EntryUnread, LogDamaged) as error:
            self.leave_alone(table_id, str(error))
            return None
        self.add(runner)
        return runner

    async def read_unfinished(self, table_id: str) -> TableRunner | None:
        """A table whose game goes on after a restart, in step with what storage says; None if it cannot be read."""
        storage = self.services.storage
        try:
            runner = await self.read(table_id)
        except StorageFailed as error:  # a row that nobody can read: one table, as long as all else can be read
            await storage.meta(ALIVE)
            self.leave_alone(table_id, str(error))
            return None
        if runner is None:
            return None
        try:
            await runner.store.write_restart(max(self.down_since, runner.table.time))
        except Conflict as error:  # what storage says of the table is not what its log says
            self.remove(runner)
            self.leave_alone(table_id, f"entry {runner.table.seq}: {error}")
            return None
        except StorageFailed as error:  # the disk is full, say: people may look, and play when there is room
            runner.store.fall_behind()
            logger.error("table %s goes on when it can be stored: %s", table_id, error)
        return runner

    async def read_late(self) -> None:
        """Read all that are late, one after another, while the host answers."""
        while self.late:
            try:
                async with self.loading:
                    for table_id in [*self.late][:1]:
                        await self._read_late_one(table_id)
            except StorageError as error:
                logger.error("tables with long logs are read when storage can be read: %s", error)
                await asyncio.sleep(LATE_AGAIN)

    async def _read_late_one(self, table_id: str) -> None:
        """One of them, within `loading`."""
        runner = await self.read_unfinished(table_id)
        self.late.pop(table_id, None)
        if runner is not None:
            runner.start()

    async def bring_back(self, table_id: str, *, is_listed: bool = False) -> None:
        """A table from its log, which goes on; `is_listed`: the list of tables has it as it is."""
        runner = await self.read(table_id, is_listed=is_listed)
        if runner is not None:
            runner.start()

    def add(self, runner: TableRunner) -> None:
        """From now on a table is found here."""
        table = runner.table
        self._runners[table.id] = runner
        if table.status != "over":
            self.services.census.add(table.id, table.creator_id, plays_on=table.opening.plays_on)
        self.list_changes += 1

    def _on_list_change(self, table: Table) -> None:
        """Lists say something else of a table than before."""
        if table.status == "over":
            self.services.census.remove(table.id)
        self.list_changes += 1

    def leave_alone(self, table_id: str, why: str) -> None:
        """The log of a table is broken."""
        self.broken[table_id] = why
        logger.error("table %s cannot be read and is left alone: %s", table_id, why)

    # --- going ---------------------------------------------------------------------------------------------------

    def remove(self, runner: TableRunner) -> None:
        """From now on a table is not found here; its runner is to be stopped."""
        table_id = runner.table.id
        del self._runners[table_id]
        self.services.census.remove(table_id)
        self.list_changes += 1

    async def release_finished(self) -> None:
        """Let go of finished tables that nobody looks at."""
        idle = [runner for runner in self if runner.can_be_released]
        idle.sort(key=lambda runner: runner.over_since, reverse=True)
        expired_before = self.services.now() - FINISHED_LINGER
        leaving = [runner for i, runner in enumerate(idle) if i >= MOST_FINISHED or runner.over_since < expired_before]
        for runner in leaving:  # all at once: meanwhile somebody could come
            self.remove(runner)
        for runner in leaving:
            await runner.stop()
