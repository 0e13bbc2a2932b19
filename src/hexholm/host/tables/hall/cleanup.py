"""Which tables go when nobody needs them any more, and which when the house is full (:mod:`.eviction`).

Nobody needs a table at which nobody is and no game was begun, nor a game that no person played.
"""

from __future__ import annotations

import contextlib
from collections import deque
from collections.abc import Iterable
from typing import Final

from ...storage import StorageError
from ...storage.repositories.unplayed_games import UnplayedGames
from ...wire.host_refusals import Declined
from ..running.runner import TableRunner
from ..services.services import Services
from .eviction import FOR_FEW, FOR_MANY, SEARCHED_EVERY, WantedRoom, may_go, tables_to_go
from .loaded_tables import LoadedTables

UNPLAYED_AGAIN: Final = 60.0
"""Seconds after which games that nobody played are looked for again."""
MOST_UNPLAYED: Final = 1000
"""Those that are cleared away at once."""


class Cleanup:
    """What lets tables of a hall go."""

    def __init__(self, tables: LoadedTables, services: Services) -> None:
        self._tables, self.services = tables, services
        self._leaving = {room: deque[str]() for room in (FOR_MANY, FOR_FEW)}  # when the house is full, the first first
        self._leaving_again = dict.fromkeys(self._leaving, 0.0)  # when others are looked for
        self._unplayed_again = 0.0

    async def clear(self) -> None:
        """Let go of tables at which nobody is any more and no game was begun, or none that a person played."""
        for runner in self._tables:
            async with self._tables.loading:
                if self._is_there(runner) and self._is_abandoned(runner):
                    await self._clear_away(runner)
        if (now := self.services.now()) >= self._unplayed_again:
            self._unplayed_again = now + UNPLAYED_AGAIN
            with contextlib.suppress(StorageError):  # then the next time
                await self._clear_unplayed(now - self.services.durations.unplayed_after)

    async def make_room(self, *, for_few: bool = False) -> bool:
        """The house is full: let one table go that nobody needs; whether there was one.

        `for_few`: for somebody whose network has few, also one that somebody has for nothing, or one of many.
        """
        now, room = self.services.now(), FOR_FEW if for_few else FOR_MANY
        if now >= self._leaving_again[room]:  # those that were found before have become others meanwhile
            self._leaving[room] = deque(tables_to_go(self._tables, self.services, room))
            self._leaving_again[room] = now + SEARCHED_EVERY
        while self._leaving[room]:
            if await self._let_go(self._leaving[room].popleft(), room):
                return True
        return False

    async def make_room_among(self, table_ids: Iterable[str], room: WantedRoom) -> bool:
        """These are as many as there may be: let one go, first of those with many; whether one did."""
        runners = [runner for table_id in table_ids if (runner := self._tables.find(table_id)) is not None]
        for table_id in tables_to_go(runners, self.services, room):
            if await self._let_go(table_id, room):
                return True
        return False

    async def _clear_unplayed(self, before: float) -> None:
        """Delete games that are over and in which no person ever acted, not too many at once."""
        games = UnplayedGames(self.services.storage)
        async with self._tables.loading:  # else one could come back that is deleted now
            table_ids = set(await games.over_before(before, MOST_UNPLAYED))
            here = [runner for runner in self._tables if runner.table.id in table_ids]
            table_ids -= {runner.table.id for runner in here if runner.attendance.feeds}
            for runner in here:
                if runner.table.id in table_ids:
                    self._tables.remove(runner)
                    await runner.stop()
            if table_ids:
                await games.delete(sorted(table_ids))
                self.services.figures["cleared"] += len(table_ids)

    async def _clear_away(self, runner: TableRunner) -> bool:
        """Delete a table at which no game was begun, unless somebody came at the very moment; within `loading`."""
        table_id, seq_before = runner.table.id, runner.table.seq
        self._tables.remove(runner)
        await runner.stop()
        if runner.table.seq != seq_before:
            await self._tables.bring_back(table_id)
            return False
        with contextlib.suppress(StorageError):  # then after the next start
            await self.services.storage.delete_table(table_id)
            self.services.figures["cleared"] += 1
        return True

    async def _let_go(self, table_id: str, room: WantedRoom) -> bool:
        """Delete a table without a game, end a game, if it still may go."""
        runner = self._tables.find(table_id)
        if runner is None or may_go(runner, self.services, room) is None:
            return False
        if runner.table.game is None:
            async with self._tables.loading:
                still_to_go = self._is_there(runner) and may_go(runner, self.services, room) is not None
                return still_to_go and await self._clear_away(runner)

        async def job() -> None:
            if may_go(runner, self.services, room) is not None:
                await runner.write(runner.table.decide_stop("abandoned", "the house was full"))

        with contextlib.suppress(Declined):
            await runner.run_in_turn(job)
        return runner.table.status == "over"

    def _is_there(self, runner: TableRunner) -> bool:
        return self._tables.find(runner.table.id) is runner

    def _is_abandoned(self, runner: TableRunner) -> bool:
        """Whether no game was begun here, and the table was ended or nobody has been here for long."""
        if runner.table.game is not None or runner.attendance.feeds:
            return False
        left_long_ago = self.services.now() >= runner.attendance.abandoned_at(
            self.services.durations.clear_after, up=False
        )
        return left_long_ago or runner.table.status == "over"
