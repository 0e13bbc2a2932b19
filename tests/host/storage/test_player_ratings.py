"""Ratings in storage: written once for each game, in order, listed by what is shown."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest
from sqlalchemy import select

from hexholm.host.storage import (
    EntryRow,
    PlayerRatings,
    RatedGame,
    RatedSeat,
    RatingChange,
    Storage,
    StorageFailed,
    Writes,
)
from hexholm.host.storage.database_tables import rated_game, rating
from hexholm.host.storage.repositories.guest_data import GuestData
from hexholm.host.storage.repositories.player_ratings import LISTED_FROM

from .stored_rows import run_with_storage

PEOPLE = (RatedSeat(guest_id="ann", name="Ann"), RatedSeat(guest_id="bob", name="Bob"), RatedSeat(fixed=25.0))


def rate_simply(game: RatedGame, before: Sequence[tuple[float, float] | None]) -> list[RatingChange]:
    """One point more for the winner, one less for the others; 20 ± 1 at first."""
    changes = []
    for number, had in enumerate(before):
        change = 1 if game.ranks[number] == 1 else -1
        mu = (20.0 if had is None else had[0]) + change
        changes.append(RatingChange(mu, 1.0, round(mu), change))
    return changes


async def play(storage: Storage, table_id: str, winner: int = 0, seats: tuple[RatedSeat, ...] = PEOPLE) -> bool:
    if await storage.table(table_id) is None:
        await storage.append(Writes(table_id, [EntryRow(1, 1.0, "opened", "{}")]))
    return await PlayerRatings(storage).write(
        RatedGame(table_id, 9.0, tuple(1 if i == winner else 2 for i in range(len(seats))), seats), rate_simply
    )


def test_a_game_is_rated_once_however_often_it_is_asked_for(database: str) -> None:
    async def story(storage: Storage) -> None:
        await storage.append(Writes("t", [EntryRow(1, 1.0, "opened", "{}")]))
        wrote = await asyncio.gather(*(play(storage, "t") for _ in range(3)))
        assert sorted(wrote) == [False, False, True]
        rows = PlayerRatings(storage)
        ann, bob = await rows.rating("ann"), await rows.rating("bob")
        assert ann is not None
        assert bob is not None
        assert [(row.name, row.shown, row.games) for row in (ann, bob)] == [("Ann", 21, 1), ("Bob", 19, 1)]
        assert [(row.table_id, row.rank, row.players, row.change) for row in await rows.history("ann", limit=9)] == [
            ("t", 1, 3, 1)
        ]
        assert await rows.rating("") is None  # a bot has none

    run_with_storage(database, story)


def test_each_game_goes_on_from_the_one_before_and_the_history_has_them_all(database: str) -> None:
    async def story(storage: Storage) -> None:
        await asyncio.gather(*(play(storage, f"t{i}", winner=i % 3) for i in range(7)))
        rows = PlayerRatings(storage)
        history = await rows.history("ann", limit=4)
        assert [row.number for row in history] == [7, 6, 5, 4]
        history += await rows.history("ann", limit=4, before=history[-1].number)
        assert [row.number for row in history] == [7, 6, 5, 4, 3, 2, 1]
        assert [newer.shown - newer.change for newer in history] == [*(older.shown for older in history[1:]), 20]
        async with storage.reading() as connection:  # what is kept as the rating is what the last game led to
            for guest in ("ann", "bob"):
                now = (
                    await connection.execute(select(rating.c.mu, rating.c.games).where(rating.c.guest == guest))
                ).one()
                last = select(rated_game.c.mu, rated_game.c.games).where(rated_game.c.guest == guest)
                assert (await connection.execute(last.order_by(rated_game.c.games.desc()))).first() == now

    run_with_storage(database, story)


def test_the_list_begins_with_the_best_and_has_nobody_with_few_games(database: str) -> None:
    async def story(storage: Storage) -> None:
        rows = PlayerRatings(storage)
        for i in range(LISTED_FROM):
            assert await rows.leaders(10.0, limit=9) == ([], 0)
            await play(storage, f"t{i}", winner=1)
        cid = (*PEOPLE[:1], RatedSeat(guest_id="cid", name="Cid"))
        await play(storage, "of cid", winner=1, seats=cid)
        leaders, total = await rows.leaders(10.0, limit=9)
        assert [(row.name, row.games) for row in leaders] == [("Bob", 5), ("Ann", 6)]
        assert total == 2
        assert [row.name for row in (await rows.leaders(10.0, limit=1, skip=1))[0]] == ["Ann"]
        await GuestData(storage).forget("bob")
        assert [row.name for row in (await rows.leaders(10.0, limit=9))[0]] == ["Ann"]

    run_with_storage(database, story)


def test_who_was_forgotten_before_the_end_gets_no_rating_and_counts_for_the_others(database: str) -> None:
    async def story(storage: Storage) -> None:
        await GuestData(storage).forget("bob")
        assert await play(storage, "t")
        assert await PlayerRatings(storage).rating("bob") is None
        ann = await PlayerRatings(storage).rating("ann")
        assert ann is not None
        assert ann.shown == 21
        assert not await play(storage, "of nobody", seats=PEOPLE[1:])

    run_with_storage(database, story)


def test_a_failure_in_the_middle_leaves_nothing_of_a_rating(database: str) -> None:
    async def story(storage: Storage) -> None:
        def fail(game: RatedGame, before: Sequence[tuple[float, float] | None]) -> list[RatingChange]:
            raise ArithmeticError

        await storage.append(Writes("t", [EntryRow(1, 1.0, "opened", "{}")]))
        rows = PlayerRatings(storage)
        with pytest.raises(StorageFailed):
            await rows.write(RatedGame("t", 9.0, (1, 2, 3), PEOPLE), fail)
        assert await rows.rating("ann") is None
        assert await play(storage, "t")

    run_with_storage(database, story)
