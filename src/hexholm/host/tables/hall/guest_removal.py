"""How a guest is deleted: it is nobody at once, then its seats, names and words go, table by table and step by step.

Once it is stored that the guest is nobody, it has been deleted: what fails after that is tried again, and after a crash
the next start goes on. Logs stay as they are, without the names and words.
"""

from __future__ import annotations

import logging

from ...storage import StorageError
from ...storage.repositories.guest_data import GuestData
from ...wire.host_refusals import Declined
from ..services.services import Services
from .loaded_tables import LoadedTables

logger = logging.getLogger("hexholm.host")


class GuestRemoval:
    """What deletes guests from all tables of a hall and from storage."""

    def __init__(self, tables: LoadedTables, services: Services) -> None:
        self._tables, self.services = tables, services
        self._half_forgotten: dict[str, list[str]] = {}  # who is nobody and not wholly gone; tables to read again

    async def forget(self, guest_id: str) -> None:
        """Delete a guest: its seats, names and words, here and in storage. Logs stay as they are. Raises Declined.

        It is nobody from the first moment on, so that nothing new is written down of it meanwhile.
        """
        forgotten = self.services.forgotten
        was_forgotten = guest_id in forgotten
        forgotten.add(guest_id)
        try:
            await GuestData(self.services.storage).mark_forgotten(guest_id)
        except StorageError as error:
            if not was_forgotten:
                forgotten.discard(guest_id)
            raise Declined.because("not_stored") from error
        except BaseException:  # perhaps after it was stored
            self._half_forgotten.setdefault(guest_id, [])
            raise
        await self._forget_rest(guest_id)

    async def find_half_forgotten(self) -> None:
        """At the start: whom the host had not wholly deleted when it ended."""
        half_forgotten = await GuestData(self.services.storage).half_forgotten()
        self._half_forgotten = {guest_id: [] for guest_id in half_forgotten}

    async def go_on(self) -> None:
        """Try again where something is left."""
        for guest_id in list(self._half_forgotten):
            await self._forget_rest(guest_id)

    async def _forget_rest(self, guest_id: str) -> None:
        """Part with a guest who is marked as forgotten, and delete its rows step by step; live tables go on."""
        if self._tables.late:  # the guest may sit there, too: then the next time
            self._half_forgotten.setdefault(guest_id, [])
            return
        changed = self._half_forgotten.pop(guest_id, [])
        is_left = await self._forget_at_tables(guest_id)
        try:
            async for table_ids in GuestData(self.services.storage).forget_rest(guest_id):
                changed += table_ids
        except StorageError as error:
            is_left = True
            logger.warning("a guest is not wholly deleted yet, and that is tried again: %s", error)
        except BaseException:
            is_left = True
            raise
        finally:
            unread = await self._read_again(changed)
            if is_left or unread:
                self._half_forgotten[guest_id] = unread

    async def _forget_at_tables(self, guest_id: str) -> bool:
        """A guest gives up its seats, whether one is to be tried again: one table must not stop the rest."""
        is_left = False
        for runner in [runner for runner in self._tables if runner.knows(guest_id)]:
            try:
                await runner.seat_access.forget_guest(guest_id)
            except Declined as error:
                is_left |= error.refusal.why in ("table_busy", "not_stored")
                logger.warning("table %s: a deleted guest keeps its seat: %s", runner.table.id, error)
        return is_left

    async def _read_again(self, table_ids: list[str]) -> list[str]:
        """Tables in memory whose words were removed have them no more; those that are to be tried again."""
        async with self._tables.loading:  # what comes from before a step is here after this
            loaded = [runner for table_id in table_ids if (runner := self._tables.find(table_id)) is not None]
        unread = []
        for runner in loaded:
            try:
                await runner.read_again()
            except Declined as error:  # where it was begun, it is done before anything else is
                if error.refusal.why == "table_busy":
                    unread.append(runner.table.id)
        return unread
