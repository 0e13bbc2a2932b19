"""Looking for what operators do beside the server: it enforces their sanctions and drops words they have removed."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from typing import Any, Final

from ...storage.rows.operator_actions import ActionRow
from ...tables.hall.hall import Hall
from ...wire.host_refusals import Declined
from ..admission.sanctions import Sanctions
from ..error_fields import error_fields

LOOK_AT_ACTIONS_EVERY: Final = 2.0
"""Seconds between two looks: so long an operator waits at most."""


@contextlib.asynccontextmanager
async def watch_operators(sanctions: Sanctions, hall: Hall, logger: Any) -> AsyncIterator[None]:
    """Look for what operators do, as long as this goes on."""
    await sanctions.refresh()

    async def watch() -> None:
        while True:
            await asyncio.sleep(LOOK_AT_ACTIONS_EVERY)
            try:
                await drop_removed_words(await sanctions.refresh(), hall)
            except Exception as error:  # it must go on
                logger.error("looking for what operators do failed", **error_fields(error))

    task = asyncio.create_task(watch(), name="sanctions")
    try:
        yield
    finally:
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task


async def drop_removed_words(removals: list[ActionRow], hall: Hall) -> None:
    """Words were removed from the database: have nothing here show them any more."""
    for table_id in dict.fromkeys(action.table_id for action in removals):
        if table_id is not None:
            with contextlib.suppress(Declined):  # then it is read before anything else is done there
                await hall.read_again(table_id)
    if removals:
        hall.services.storage.truncate_wal()
