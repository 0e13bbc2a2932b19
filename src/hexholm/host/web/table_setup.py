"""Setting up tables and sitting down at them, for REST and for assistants alike."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

from msgspec import structs

from hexholm.rules.boards import Layout
from hexholm.rules.colors import Color

from ..storage.values import guest_mark
from ..tables.hall.hall import CreatedTable, Hall, id_from
from ..tables.hall.loaded_tables import NoTable
from ..tables.hall.table_limits import find_room_for_table
from ..tables.running.log_size import SEAT_SIZE, TABLE_SIZE
from ..tables.running.runner import TableRunner
from ..tables.seats import Guest
from ..tables.table import Table
from ..tables.table_settings import TableSettings
from ..wire.messages import Begin
from .admission.counted_origin import origin_of_address
from .admission.identity import Identity
from .admission.limits import Limits
from .admission.load_shedding import Shedding
from .admission.log_budget import LogBudget
from .admission.sanctions import Sanctions


class TableSetup:
    """One for each server: what every new table and every new seat passes."""

    def __init__(
        self,
        hall: Hall,
        limits: Limits,
        identity: Identity,
        sanctions: Sanctions,
        log_budget: LogBudget,
        shedding: Shedding,
        logger: Any,
    ) -> None:
        self._hall, self._limits, self._identity = hall, limits, identity
        self._sanctions, self._log_budget, self._shedding, self._logger = sanctions, log_budget, shedding, logger
        self._setting_up = asyncio.Lock()
        """Held while a table is set up, from the look whether there is room for it until it is there."""

    async def set_up(self, guest_id: str, address: str, key: str | None, settings: TableSettings) -> CreatedTable:
        """A new table, or with the same key of the same guest the one there is, with one more token for its seat.

        It begins at once if that was chosen. Raises Declined.
        """
        async with self._setting_up:
            created_table = await self._find_or_create(guest_id, address, key, settings)
        runner = self._hall.loaded(created_table.id)
        if settings.begin and runner.table.status == "open":
            with self._shedding.under_way_at(runner.table.id):  # its bytes are counted with those of the table
                await runner.carry_out(Guest(guest_id, created_table.color), Begin(id="at once"))
        return created_table

    async def set_up_rematch(self, guest_id: str, address: str, table: Table) -> str:
        """The table that follows a finished one, set up if there is none: its id. Raises Declined."""
        async with self._setting_up:
            if table.rematch is None or not self._hall.has(table.rematch):
                own_board = table.board if table.opening.own_board else None
                with self._log_budget.spending(guest_id, address, _table_size(own_board)):
                    await self._find_room(guest_id, address, plays_on=table.opening.plays_on)
                    next_id = await self._hall.rematch(table.id, guest_id)
            else:
                next_id = await self._hall.rematch(table.id, guest_id)
            self._hall.services.census.set_origin(next_id, origin_of_address(address))
        self._logger.info("rematch", table=table.id, next=next_id, guest=guest_mark(guest_id))
        return next_id

    async def take_seat(self, runner: TableRunner, color: Color, guest_id: str, name: str, address: str) -> str:
        """Sit down at a table, or again on one's own seat: the token of the seat. Raises Declined."""
        with self._log_budget.spending(guest_id, address, SEAT_SIZE + len(name.encode())):
            token = await runner.seat_access.take_seat(color, guest_id, self._allowed_words(guest_id, name))
        self._logger.info("seat taken", table=runner.table.id, seat=color, guest=guest_mark(guest_id))
        return token

    def see_creator(self, runner: TableRunner, guest_id: str, address: str) -> None:
        """Somebody looks at a table: of its creator we know after a restart only now from where it comes."""
        if guest_id == runner.table.creator_id:
            self._hall.services.census.set_origin(runner.table.id, origin_of_address(address))

    async def _find_or_create(
        self, guest_id: str, address: str, key: str | None, settings: TableSettings
    ) -> CreatedTable:
        table_id = None if key is None else id_from(self._identity.derive("table", guest_id, key))
        if table_id is not None:
            created_table = await self._existing_table(guest_id, table_id)
            if created_table is not None:
                return created_table
        settings = replace(
            settings,
            creator_name=self._allowed_words(guest_id, settings.creator_name),
            terms=structs.replace(settings.terms, title=self._allowed_words(guest_id, settings.terms.title)),
        )
        with self._log_budget.spending(guest_id, address, _table_size(settings.board)):
            await self._find_room(guest_id, address, plays_on=settings.terms.plays_on)
            created_table = await self._hall.create(guest_id, settings, table_id)
        self._hall.services.census.set_origin(created_table.id, origin_of_address(address))
        self._logger.info("table set up", table=created_table.id, guest=guest_mark(guest_id))
        return created_table

    async def _existing_table(self, guest_id: str, table_id: str) -> CreatedTable | None:
        try:
            runner = await self._hall.load(table_id)
        except NoTable:
            return None
        if all(seat.guest_id != guest_id for seat in runner.table.seats.values()):
            return CreatedTable(table_id)
        return CreatedTable(table_id, *await runner.seat_access.another_token(guest_id))

    async def _find_room(self, guest_id: str, address: str, *, plays_on: bool) -> None:
        await find_room_for_table(self._hall, self._limits, guest_id, origin_of_address(address), plays_on=plays_on)

    def _allowed_words(self, guest_id: str, words: str) -> str:
        """A name or a title, empty where its guest may write nothing."""
        return "" if self._sanctions.is_write_banned(guest_id) else words


def _table_size(own_board: Layout | None) -> int:
    """Bytes that a new table may add to the database."""
    return TABLE_SIZE + (0 if own_board is None else len(own_board.to_toml().encode()))
