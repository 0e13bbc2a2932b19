"""What storage's list of tables says of a table: its status, its line for the lobby, who sits there."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from ..storage import HoldingRow, Writes
from . import log
from .table import Table


def listing_writes(table: Table, entries: Iterable[log.LogEntry] = ()) -> Writes:
    """What storage's list of tables says of a table, with entries that do not change it."""
    line = table.line()
    summary = msgspec.json.encode(line).decode()
    rows = [log.entry_row(entry) for entry in entries]
    return Writes(line.id, rows, status=line.status, summary=summary, people=holding_rows(table))


def holding_rows(table: Table) -> list[HoldingRow]:
    """Who sits at a table, and who has set it up."""
    rows_by_guest_id = {
        seat.guest_id: HoldingRow(seat.guest_id, seat.color, seat.guest_id == table.creator)
        for seat in table.seats.values()
        if seat.sitter == "person"
    }
    rows_by_guest_id.setdefault(table.creator, HoldingRow(table.creator, None, True))
    return list(rows_by_guest_id.values())
