"""Who makes room in a full house: tables without a game at which nobody is, then games that everybody left.

Where several could go, those of the network with the most tables go first: whoever fills the house fills it with their
own. A game among bots that its only person left goes after minutes. Of a network with many tables one person who sits
alone at a table without a game, or at a game and plays nothing, holds it for a while only: a silent connection is free,
and could hold every table of the house. A game of several people is ended only when none of
them has looked at it for two weeks, and none as long as some network holds many games that were left.

When nothing else can go and somebody with few tables wants one, to look no longer helps: then go tables without a game,
games in which nobody moves, and at last whatever networks with many tables have, people at running games last. What
a network with few has stays much longer, so that the house cannot be shut with few networks (decision 0015).

Room can also be made among the tables of one address or network, which may have so many and no more.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final

from ..running.runner import TableRunner
from ..services.census import Census
from ..services.durations import DAY
from ..services.services import Services
from ..table import Table

EMPTY_FOR: Final = 120.0
"""Seconds for which nobody must have been at a table without a game, or watched one among bots."""
LEFT_FOR: Final = 30 * 60.0
"""The same for a game of one person among bots that has hardly begun."""
PLAYED_FOR: Final = DAY / 2
"""The same for one that was played for longer; of a network with many tables it is `LEFT_FOR`."""
LEFT_FOR_OF_MANY: Final = 5 * 60.0
"""The same for one that has hardly begun, of a network with many tables."""
ABANDONED_FOR: Final = 14 * DAY
"""The same for a game with people: none of them has been there. Games over days go on after a week's holiday.

Without a move it goes then, whoever looks.
"""
ALONE_FOR: Final = 10 * 60.0
"""Seconds for which one person of a network with many tables may be alone at one where no game was begun."""
HELD_FOR: Final = 30 * 60.0
"""Seconds for which a table without a game stays, whoever looks."""
HARDLY_BEGUN: Final = 20
"""Until this turn a game has hardly begun."""
MANY: Final = 10
"""A network with more tables has many: more than one guest may have."""
SEARCHED_EVERY: Final = 10.0
"""Seconds after which all tables are looked through again."""


@dataclass(frozen=True, slots=True)
class WantedRoom:
    """For whom room is wanted: who has many tables then, and how far it may go."""

    tables_of: Callable[[Census, str], int]
    """How many tables those have who have a table."""
    most_rank: int
    """The last of the ranks of :func:`may_go` that are let go."""
    many: int = MANY
    held_for: float = HELD_FOR


FOR_MANY: Final = WantedRoom(Census.tables_of_network, 3)
"""In a full house, for somebody whose network has many tables."""
FOR_FEW: Final = WantedRoom(Census.tables_of_network, 11)
"""The same for somebody whose network has few."""
IN_ADDRESS: Final = WantedRoom(Census.tables_of_creator, 9, held_for=ALONE_FOR)
"""Among the tables of one address, whose guests nobody can tell apart for sure: the cookie that has most first."""
IN_NETWORK: Final = WantedRoom(Census.tables_of_address, 3)
"""Among the tables of one network, for an address that has many of them."""
IN_NETWORK_FOR_FEW: Final = WantedRoom(Census.tables_of_address, 11, held_for=ALONE_FOR)
"""The same for an address that has few: what others have many of goes."""


def playing_on_room(tables: int) -> WantedRoom:
    """Among the games of one network that play on, for an address that has so many of them: who has more gives."""
    return WantedRoom(Census.playing_on_of_address, 11, many=tables + 1)


def may_go(runner: TableRunner, services: Services, room: WantedRoom = FOR_MANY) -> int | None:
    """Whether a table may go, and how soon: its rank, 0 before 1 and so on; None: it stays."""
    table, tables = runner.table, room.tables_of(services.census, runner.table.id)
    if table.status == "over":
        return None
    of_many = tables > room.many
    rank = _rank_if_nobody_comes(runner, services, of_many=of_many)
    if rank is None and room.most_rank > FOR_MANY.most_rank:
        rank = _rank_whoever_looks(runner, services, room, of_many=of_many)
    return None if rank is None or rank > room.most_rank else rank


def _rank_if_nobody_comes(runner: TableRunner, services: Services, *, of_many: bool) -> int | None:
    """0 to 3: nobody is there, or somebody who sits silently at one of many."""
    table, attendance = runner.table, runner.attendance
    if attendance.feeds:
        return 2 if of_many and _is_held_by_one(runner, services.now()) else None
    if table.game is None:
        return 0 if services.now() >= attendance.abandoned_at(EMPTY_FOR, up=False) else None
    if all(seat.sitter == "bot" for seat in table.seats.values()):
        return 1 if services.now() >= attendance.left_at + EMPTY_FOR else None
    if is_of_one_person(table, of_many=of_many):
        hardly_begun = table.begun_game.turn < HARDLY_BEGUN
        if of_many:
            seconds = LEFT_FOR_OF_MANY if hardly_begun else LEFT_FOR
        else:
            seconds = LEFT_FOR if hardly_begun else PLAYED_FOR
        return 2 if services.now() >= attendance.abandoned_at(seconds) else None
    return 3 if services.now() >= attendance.abandoned_at(ABANDONED_FOR) else None


def _rank_whoever_looks(runner: TableRunner, services: Services, room: WantedRoom, *, of_many: bool) -> int | None:
    """4 to 11: nothing comes of it, although somebody may look; or it is one of many, and people who play go last."""
    table, now = runner.table, services.now()
    if table.game is None:
        if of_many:
            return 4
        return 6 if now >= runner.attendance.up_since + room.held_for else None
    from_one_network = _is_moved_from_one_network(table, services.census)
    idle_for = now - runner.attendance.last_moved
    if of_many:
        is_idle = idle_for >= LEFT_FOR
        return (5 if is_idle else 10) if from_one_network else (7 if is_idle else 11)
    if is_of_one_person(table, of_many=True) and not table.opening.is_board_real:
        is_short = is_of_one_person(table, of_many=False) and table.begun_game.turn < HARDLY_BEGUN
        if idle_for >= (LEFT_FOR if is_short else PLAYED_FOR):
            return 8
    return 9 if idle_for >= ABANDONED_FOR else None


def _is_held_by_one(runner: TableRunner, now: float) -> bool:
    """Whether one person is there, of a network with many tables, and nothing comes of it."""
    table, attendance = runner.table, runner.attendance
    if table.game is None:
        people = {seat.guest_id for seat in table.seats.values() if seat.sitter == "person"}
        return len(people) < 2 and now >= attendance.up_since + ALONE_FOR
    return is_of_one_person(table, of_many=True) and now >= attendance.abandoned_at(LEFT_FOR)


def _is_moved_from_one_network(table: Table, census: Census) -> bool:
    """Whether all who have moved came from one network; from where they came before a restart nobody knows."""
    if len(table.acted_colors) < 2:
        return True
    movers = census.movers(table.id)
    return all(color in movers for color in table.acted_colors) and len(set(movers.values())) < 2


def is_of_one_person(table: Table, *, of_many: bool) -> bool:
    """Whether a game is that of one person among bots; where its network has many, of one person who acts."""
    people = {seat.color: seat.guest_id for seat in table.seats.values() if seat.sitter == "person"}
    if of_many:  # a cookie is free, and so is a second one
        return len({guest_id for color, guest_id in people.items() if color in table.acted_colors}) < 2
    return not table.opening.is_board_real and len(set(people.values())) < 2  # around a real board there may be more


def tables_to_go(runners: Iterable[TableRunner], services: Services, room: WantedRoom = FOR_MANY) -> list[str]:
    """The tables that may go, the first first."""
    census = services.census
    candidates: list[tuple[int, int, bool, float, str]] = []
    left_of_networks: Counter[str] = Counter()
    for runner in runners:
        table = runner.table
        tables = room.tables_of(census, table.id)
        if tables > room.many and _is_left(runner):
            left_of_networks[census.network(table.id)] += 1
        if (rank := may_go(runner, services, room)) is not None:
            is_long = table.game is not None and table.game.turn >= HARDLY_BEGUN
            candidates.append((rank, -tables, is_long, table.time, table.id))
    if any(left > room.many for left in left_of_networks.values()):  # theirs go, now or in some minutes, and no others
        candidates = [other for other in candidates if other[0] < 2 or -other[1] > room.many]
    return [table_id for *_, table_id in sorted(candidates)]


def _is_left(runner: TableRunner) -> bool:
    """Whether this is a game of one person, who is not there now."""
    table = runner.table
    is_game = table.status == "playing" and table.game is not None
    return is_game and not runner.attendance.feeds and is_of_one_person(table, of_many=True)
