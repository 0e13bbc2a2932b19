"""What storage's list of tables says of a table: its status, its line for the lobby, who sits there."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from ...storage import EntryRow, HoldingRow, Writes
from ...storage.forgotten_guests import ForgottenGuests
from ..table import Table


def listing_writes(table: Table, forgotten: ForgottenGuests, rows: Iterable[EntryRow] = ()) -> Writes:
    """What storage's list of tables says of a table, with entries that do not change it; nothing of the forgotten."""
    line = table.line()
    summary = msgspec.json.encode(line).decode()
    return Writes(
        line.id,
        tuple(rows),
        status=line.status,
        summary=summary,
        people=holding_rows(table, forgotten),
        unplayed_since=table.time if line.status == "over" and not table.acted_colors else None,
    )


def holding_rows(table: Table, forgotten: ForgottenGuests) -> list[HoldingRow]:
    """Who sits at a table, and who has set it up."""
    rows_by_guest_id = {
        seat.guest_id: HoldingRow(seat.guest_id, seat.color, seat.guest_id == table.creator_id)
        for seat in table.seats.values()
        if seat.sitter == "person"
    }
    rows_by_guest_id.setdefault(table.creator_id, HoldingRow(table.creator_id, None, True))
    return [row for row in rows_by_guest_id.values() if row.guest_id not in forgotten]
