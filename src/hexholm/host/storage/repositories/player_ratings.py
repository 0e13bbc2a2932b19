"""The ratings of people: written once for each rated game, in one transaction; read as a list and as a history."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

import msgspec
from sqlalchemy import Connection, and_, exists, func, insert, select, text, update

from ..database_tables import forgotten_guest, rated_game, rating, sanction
from ..storage import Storage
from ..values import token_hash

LISTED_FROM: Final = 5
"""Who has fewer rated games than this is not listed: one lucky game is no rating."""


class RatedSeat(msgspec.Struct, frozen=True, kw_only=True):
    """A seat of a rated game: a person's, or with a fixed value a bot's."""

    guest_id: str = ""
    name: str = ""
    """What the person was called in this game: by that name it is listed."""
    fixed: float | None = None


class RatedGame(msgspec.Struct, frozen=True):
    """A game that counts, as it ended."""

    table_id: str
    time: float
    ranks: tuple[int, ...]
    """Of the seats, from 1."""
    seats: tuple[RatedSeat, ...]


class RatingChange(msgspec.Struct, frozen=True):
    """A rating after a game."""

    mu: float
    sigma: float
    shown: int
    """As people see it."""
    change: int
    """By how much that went up or down."""


RatePeople = Callable[[RatedGame, Sequence[tuple[float, float] | None]], Sequence[RatingChange]]
"""Gives the ratings of all seats after a game, from the mu and sigma the people had before."""


class LeaderRow(msgspec.Struct, frozen=True):
    """Somebody in the list of ratings."""

    guest_id: str
    name: str
    shown: int
    games: int


class RatedGameRow(msgspec.Struct, frozen=True):
    """A rated game in somebody's history."""

    table_id: str
    time: float
    number: int
    """It was so many of the guest's rated games."""
    rank: int
    players: int
    shown: int
    change: int


class PlayerRatings:
    """The ratings of a database."""

    def __init__(self, storage: Storage) -> None:
        self._storage = storage

    async def write(self, game: RatedGame, rate_people: RatePeople) -> bool:
        """Write what a game changes, once, whoever asks and however often; whether it was this time.

        Games are rated in the order in which this is called. A guest who was forgotten meanwhile gets no rows.
        """
        return await self._storage.write(lambda connection: write_rated_game(connection, game, rate_people))

    async def leaders(self, now: float, *, limit: int, skip: int = 0) -> tuple[list[LeaderRow], int]:
        """The best first, but those who are banned now; and how many there are."""
        c, s = rating.c, sanction.c
        is_banned = exists(select(s.id).where(s.what == "ban", s.guest == c.guest, s.until > now))
        listed = and_(c.games >= LISTED_FROM, ~is_banned)
        query = select(c.guest, c.name, c.shown, c.games).where(listed)
        query = query.order_by(c.shown.desc(), c.guest).limit(limit).offset(skip)
        async with self._storage.reading() as connection:
            rows = [LeaderRow(*row) for row in await connection.execute(query)]
            total = (await connection.execute(select(func.count()).select_from(rating).where(listed))).scalar_one()
        return rows, int(total)

    async def rating(self, guest_id: str) -> LeaderRow | None:
        """The rating of a guest; None: it has none yet."""
        c = rating.c
        async with self._storage.reading() as connection:
            row = (
                await connection.execute(select(c.guest, c.name, c.shown, c.games).where(c.guest == guest_id))
            ).first()
        return None if row is None else LeaderRow(*row)

    async def history(self, guest_id: str, *, limit: int, before: int | None = None) -> list[RatedGameRow]:
        """The rated games of a guest, newest first; `before`: only those with smaller numbers."""
        c = rated_game.c
        query = select(c.table_id, c.time, c.games, c.place, c.players, c.shown, c.change).where(c.guest == guest_id)
        if before is not None:
            query = query.where(c.games < before)
        async with self._storage.reading() as connection:
            rows = await connection.execute(query.order_by(c.games.desc()).limit(limit))
            return [RatedGameRow(*row) for row in rows]


_ENTER: Final = text(
    "INSERT INTO rating (guest, name, mu, sigma, shown, games, changed) VALUES (:guest, '', 0, 0, 0, 0, 0) "
    "ON CONFLICT (guest) DO NOTHING"
)
"""A row to lock: the games of one person are rated one after another, whichever process does it."""


def write_rated_game(connection: Connection, game: RatedGame, rate_people: RatePeople) -> bool:
    """Write what a game changes, within a transaction; whether it was not written already."""
    done = select(rated_game.c.guest).where(rated_game.c.table_id == game.table_id).limit(1)
    if connection.execute(done).first() is not None:
        return False
    people = sorted({seat.guest_id for seat in game.seats if seat.fixed is None})
    kept = [guest for guest in people if not _is_forgotten(connection, guest)]
    if not kept:
        return False
    connection.execute(_ENTER, [{"guest": guest} for guest in kept])
    query = select(rating.c.guest, rating.c.mu, rating.c.sigma, rating.c.games).where(rating.c.guest.in_(kept))
    games_of: dict[str, int] = {}
    had_by: dict[str, tuple[float, float]] = {}
    for guest, mu, sigma, games in connection.execute(query.order_by(rating.c.guest).with_for_update()):
        games_of[guest] = games
        if games:
            had_by[guest] = mu, sigma
    had = [had_by.get(seat.guest_id) for seat in game.seats]
    changes = rate_people(game, had)
    for seat, rank, change in zip(game.seats, game.ranks, changes, strict=True):
        if seat.guest_id not in games_of:
            continue
        games = games_of[seat.guest_id] + 1
        values = {"mu": change.mu, "sigma": change.sigma, "shown": change.shown, "games": games}
        connection.execute(
            update(rating).where(rating.c.guest == seat.guest_id).values(name=seat.name, changed=game.time, **values)
        )
        row = {"table_id": game.table_id, "guest": seat.guest_id, "time": game.time, "place": rank}
        connection.execute(insert(rated_game).values(**row, players=len(game.seats), change=change.change, **values))
    return True


def _is_forgotten(connection: Connection, guest_id: str) -> bool:
    query = select(forgotten_guest.c.hash).where(forgotten_guest.c.hash == token_hash(guest_id))
    return connection.execute(query).first() is not None
