"""Who makes room in a full house: tables without a game at which nobody is, then games that everybody left.

Where several could go, those of the network with the most tables go first: whoever fills the house fills it with their
own. A game among bots that its only person left goes after minutes. Of a network with many tables one person who sits
alone at a table without a game, or at a game and plays nothing, holds it for a while only: a silent connection is free,
and could hold every table of the house. A game of several people is ended only when none of
them has looked at it for days, and none as long as some network holds many games that were left.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Final

from ..running.runner import TableRunner
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
ABANDONED_FOR: Final = 3 * DAY
"""The same for a game with people: none of them has been there."""
ALONE_FOR: Final = 10 * 60.0
"""Seconds for which one person of a network with many tables may be alone at one where no game was begun."""
HARDLY_BEGUN: Final = 20
"""Until this turn a game has hardly begun."""
MANY: Final = 10
"""A network with more tables has many: more than one guest may have."""
LOOK_AGAIN: Final = 10.0
"""Seconds after which all tables are looked through again."""


def may_go(runner: TableRunner, services: Services) -> int | None:
    """Whether a table may go, and how soon: 0 before 1 before 2 before 3; None: it stays."""
    table, attendance = runner.table, runner.attendance
    if table.status == "over":
        return None
    of_many = services.census.tables_of_network(table.id) > MANY
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


def _is_held_by_one(runner: TableRunner, now: float) -> bool:
    """Whether one person is there, of a network with many tables, and nothing comes of it."""
    table, attendance = runner.table, runner.attendance
    if table.game is None:
        people = {seat.guest_id for seat in table.seats.values() if seat.sitter == "person"}
        return len(people) < 2 and now >= attendance.up_since + ALONE_FOR
    return is_of_one_person(table, of_many=True) and now >= attendance.abandoned_at(LEFT_FOR)


def is_of_one_person(table: Table, *, of_many: bool) -> bool:
    """Whether a game is that of one person among bots; where its network has many, of one person who acts."""
    people = {seat.color: seat.guest_id for seat in table.seats.values() if seat.sitter == "person"}
    if of_many:  # a cookie is free, and so is a second one
        return len({guest_id for color, guest_id in people.items() if color in table.acted}) < 2
    return (
        table.opened.chance_source == "host" and len(set(people.values())) < 2
    )  # around a real board there may be more


def tables_to_go(runners: Iterable[TableRunner], services: Services) -> list[str]:
    """The tables that may go, the first first."""
    census = services.census
    found: list[tuple[int, int, bool, float, str]] = []
    left_of_networks: Counter[str] = Counter()
    for runner in runners:
        table = runner.table
        tables = census.tables_of_network(table.id)
        if tables > MANY and _is_left(runner):
            left_of_networks[census.network(table.id)] += 1
        if (soon := may_go(runner, services)) is not None:
            played = table.game is not None and table.game.turn >= HARDLY_BEGUN
            found.append((soon, -tables, played, table.time, table.id))
    if any(left > MANY for left in left_of_networks.values()):  # theirs go, now or in some minutes, and no others
        found = [place for place in found if place[0] < 2 or (place[0] == 2 and -place[1] > MANY)]
    return [table_id for *_, table_id in sorted(found)]


def _is_left(runner: TableRunner) -> bool:
    """Whether this is a game of one person, who is not there now."""
    table = runner.table
    is_game = table.status == "playing" and table.game is not None
    return is_game and not runner.attendance.feeds and is_of_one_person(table, of_many=True)
