"""The lobby: the tables that lists show, newest first, sorted anew only when something in the lists has changed.

To look through thousands of tables for every request would keep those who play waiting, and anybody may ask.
"""

from __future__ import annotations

from bisect import bisect_right
from typing import Final

from ...tables.hall.hall import Hall
from ...tables.table import Table

MOST_TABLES_LISTED: Final = 100
"""Tables in one answer; `before` asks for the next ones."""


class Lobby:
    """The tables of a hall that are not over, as lists have them."""

    def __init__(self, hall: Hall) -> None:
        self._hall = hall
        self._listed: dict[str | None, list[Table]] = {}
        self._changes = -1

    def count(self, status: str | None) -> int:
        """How many tables have a status; None: any but over."""
        return len(self._tables(status))

    def page(self, status: str | None, limit: int, before: float | None) -> list[Table]:
        """The newest tables with a status; `before`: of those that were set up before that time."""
        tables = self._tables(status)
        first = 0 if before is None else bisect_right(tables, -before, key=lambda table: -table.created)
        return tables[first : first + limit]

    def _tables(self, status: str | None) -> list[Table]:
        changes = self._hall.loaded_tables.list_changes
        if changes != self._changes:
            listed = [table for table in self._hall.tables if stands_in_lobby(table)]
            listed.sort(key=lambda table: table.created, reverse=True)
            self._listed = {None: listed}
            self._changes = changes
        if status not in self._listed:
            self._listed[status] = [table for table in self._listed[None] if table.status == status]
        return self._listed[status]


def stands_in_lobby(table: Table) -> bool:
    """Whether a table stands in the lobby: what is unlisted is found by its link, what is over by its players."""
    return table.opening.visibility == "open" and table.status != "over"
