"""Finished games that somebody who sat there shows to others: by a link, until it is taken back."""

from __future__ import annotations

from sqlalchemy import Connection, Delete, delete, insert, select, update

from ..database_tables import game_table, share
from ..storage import Storage
from ..values import token_hash


class Shares:
    """The links of a database that show finished games."""

    def __init__(self, storage: Storage) -> None:
        self._storage = storage

    async def add(self, table_id: str, guest_id: str, secret: str, created: float) -> None:
        """A link of a guest, in place of the one it had."""

        def job(connection: Connection) -> None:
            connection.execute(_own(table_id, guest_id))
            connection.execute(
                insert(share).values(hash=token_hash(secret), table_id=table_id, guest=guest_id, created=created)
            )

        await self._storage.write(job)

    async def remove(self, table_id: str, guest_id: str) -> bool:
        """Take back the link of a guest; whether there was one."""
        statement = _own(table_id, guest_id)
        return bool(await self._storage.write(lambda connection: connection.execute(statement).rowcount))

    async def is_shown_by(self, table_id: str, guest_id: str) -> bool:
        """Whether a guest shows a game."""
        query = select(share.c.hash).where(share.c.table_id == table_id, share.c.guest == guest_id)
        async with self._storage.reading() as connection:
            return (await connection.execute(query)).first() is not None

    async def opens(self, table_id: str, secret: str) -> bool:
        """Whether a secret shows a game."""
        query = select(share.c.hash).where(share.c.table_id == table_id, share.c.hash == token_hash(secret))
        async with self._storage.reading() as connection:
            return (await connection.execute(query)).first() is not None

    async def is_public(self, table_id: str) -> bool:
        """Whether everybody with the link sees a game: one from before there were others (`upgrade --keep-public`)."""
        async with self._storage.reading() as connection:
            query = select(game_table.c.public).where(game_table.c.id == table_id)
            return bool((await connection.execute(query)).scalar())

    async def keep_public(self) -> int:
        """Leave the games that were over before there was a choice open to everybody with the link; how many."""
        c = game_table.c
        statement = update(game_table).where(c.status == "over", c.visibility.is_(None)).values(public=True)
        return await self._storage.write(lambda connection: connection.execute(statement).rowcount)

    async def end_public(self, table_id: str) -> bool:
        """Take a game back that everybody with the link saw; whether it was one."""
        own_row = (game_table.c.id == table_id) & game_table.c.public
        statement = update(game_table).where(own_row).values(public=False)
        return bool(await self._storage.write(lambda connection: connection.execute(statement).rowcount))


def _own(table_id: str, guest_id: str) -> Delete:
    return delete(share).where(share.c.table_id == table_id, share.c.guest == guest_id)
