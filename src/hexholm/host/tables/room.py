"""Who makes room in a full house: tables without a game at which nobody is, then games that everybody left.

Where several could go, those of the network with the most tables go first: whoever fills the house fills it with their
own. A game with people in it is ended only when none of them has looked at it for days.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from .durations import DAY
from .runner import TableRunner
from .services import Services

EMPTY_FOR: Final = 120.0
"""Seconds for which nobody must have been at a table without a game, or watched one among bots."""
ABANDONED_FOR: Final = 3 * DAY
"""The same for a game with people: none of them has been there."""
LOOK_AGAIN: Final = 10.0
"""Seconds after which all tables are looked through again."""


def may_go(runner: TableRunner, services: Services) -> int | None:
    """Whether a table may go, and how soon: 0 before 1 before 2; None: it stays."""
    table, attendance = runner.table, runner.attendance
    if table.status == "over" or attendance.feeds:
        return None
    if table.game is None:
        return 0 if services.now() >= attendance.abandoned_at(EMPTY_FOR, up=False) else None
    if all(seat.sitter == "bot" for seat in table.seats.values()):
        return 1 if services.now() >= attendance.left_at + EMPTY_FOR else None
    return 2 if services.now() >= attendance.abandoned_at(ABANDONED_FOR) else None


def tables_to_go(runners: Iterable[TableRunner], services: Services) -> list[str]:
    """The tables that may go, the first first."""
    found = [
        (soon, -services.census.tables_of_network(runner.table.id), runner.table.time, runner.table.id)
        for runner in runners
        if (soon := may_go(runner, services)) is not None
    ]
    return [table_id for *_, table_id in sorted(found)]
