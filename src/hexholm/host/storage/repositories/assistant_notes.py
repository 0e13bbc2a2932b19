"""What assistants write down for themselves at a table: one text for each guest there."""

from __future__ import annotations

from sqlalchemy import ColumnElement, Connection, delete, insert, select

from ..database_tables import note
from ..storage import Storage


class AssistantNotes:
    """Those of one storage. They go with what was needed to play."""

    def __init__(self, storage: Storage) -> None:
        self._storage = storage

    async def read(self, table_id: str, guest_id: str) -> str:
        """What a guest has noted at a table, "": nothing."""
        query = select(note.c.text).where(_is_own(table_id, guest_id))
        async with self._storage.reading() as connection:
            return (await connection.execute(query)).scalar() or ""

    async def write(self, table_id: str, guest_id: str, text: str) -> None:
        """Keep what a guest notes at a table, in place of what it had noted; an empty text: nothing."""

        def job(connection: Connection) -> None:
            connection.execute(delete(note).where(_is_own(table_id, guest_id)))
            if text:
                connection.execute(insert(note).values(table_id=table_id, guest=guest_id, text=text))

        await self._storage.write(job)


def _is_own(table_id: str, guest_id: str) -> ColumnElement[bool]:
    return (note.c.table_id == table_id) & (note.c.guest == guest_id)
