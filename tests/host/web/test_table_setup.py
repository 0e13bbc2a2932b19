"""Setting up a table and sitting down, as REST and assistants do it."""

from __future__ import annotations

import asyncio

import pytest

from hexholm.host.storage import Storage
from hexholm.host.tables.hall.hall import Hall
from hexholm.host.tables.hall.opening import read_settings
from hexholm.host.tables.running.runner import TableRunner
from hexholm.host.tables.seats import Guest
from hexholm.host.web.admission.identity import Identity
from hexholm.host.web.context import Context
from hexholm.host.web.operations.metrics import Metrics
from hexholm.host.web.operations.server_log import new_logger
from hexholm.host.web.operations.settings import Settings
from hexholm.host.wire import api, messages
from hexholm.host.wire.host_refusals import Declined

SETTINGS = read_settings(
    api.NewTable(
        name="Ann", options={"edition": "fifth"}, seats=dict.fromkeys(("blue", "white", "orange"), "easy"), begin=True
    )
)


def test_a_table_that_does_not_begin_at_once_says_why_and_a_repeat_begins_it(monkeypatch: pytest.MonkeyPatch) -> None:
    carry_out, under_way = TableRunner.carry_out, list[int]()

    async def story() -> None:
        async with Storage(":memory:") as storage:
            hall = await Hall.open(storage)
            context = Context(hall, Settings(), Identity(), Metrics(), new_logger(level=50))

            async def refused(runner: TableRunner, guest: Guest, command: messages.TableCommand) -> messages.Done:
                under_way.append(context.shedding.under_way)
                raise Declined.because("not_stored")

            async def set_up() -> str:
                return (await context.table_setup.set_up("ann", "here", "a key of ann", SETTINGS)).id

            try:
                monkeypatch.setattr(TableRunner, "carry_out", refused)
                with pytest.raises(Declined, match="stored"):
                    await set_up()
                assert under_way == [1], "counted as every other command"
                monkeypatch.setattr(TableRunner, "carry_out", carry_out)
                table_id = await set_up()
                assert hall.loaded(table_id).table.status == "playing"
                assert await set_up() == table_id
            finally:
                await hall.close()

    asyncio.run(story())
