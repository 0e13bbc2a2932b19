"""Games that are over and in which no person ever acted: found and deleted some time after."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import exists, select

from ..database_tables import game_table, report, share
from ..storage import Storage, delete_tables


class UnplayedGames:
    """Those of one storage; `Writes.unplayed_since` says which they are."""

    def __init__(self, storage: Storage) -> None:
        self._storage = storage

    async def over_before(self, time: float, most: int) -> list[str]:
        """Some that were over before `time`, but for those that somebody shows, or has reported words of."""
        c = game_table.c
        is_shown = exists(select(share.c.table_id).where(share.c.table_id == c.id))
        is_reported = exists(select(report.c.id).where(report.c.table_id == c.id, report.c.closed.is_(None)))
        query = select(c.id).where(c.unplayed_since < time, ~c.public, ~is_shown, ~is_reported)
        async with self._storage.reading() as connection:
            return [row[0] for row in await connection.execute(query.order_by(c.unplayed_since).limit(most))]

    async def delete(self, table_ids: Sequence[str]) -> None:
        """Delete them with all that was stored of them."""
        await self._storage.write(lambda connection: delete_tables(connection, table_ids))
