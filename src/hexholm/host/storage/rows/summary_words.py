"""The words of guests in the line of a table in lists (`TableLine` of the wire, kept as text), and how they go."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from sqlalchemy import Connection, and_, select, update

from ..database_tables import game_table, holding
from ..values import RESERVED_SLOT


def blank_in_summary(
    connection: Connection, table_id: str, guest_id: str, words: Mapping[str, str | None]
) -> list[str]:
    """Take words of a guest out of the line of a table; the colors of the table.

    They are named by their slots, as in `personal_text`: `name` is that of the seat which the guest holds, if it says
    what is to go; None: whatever it says.
    """
    own_row = game_table.c.id == table_id
    own_seat = and_(holding.c.table_id == game_table.c.id, holding.c.guest == guest_id)
    query = select(game_table.c.summary, holding.c.seat).outerjoin(holding, own_seat)
    row = connection.execute(query.where(own_row)).first()
    if row is None:  # a report outlives the table
        return []
    text, own_color = row
    summary: dict[str, Any] = json.loads(text)
    if "title" in words and "title" in summary:
        summary["title"] = ""
    seats = summary.get("seats", ())
    for seat in seats:
        color = seat.get("color", "")
        for key, slot, is_own in (("name", "name", color == own_color), ("reserved", f"{RESERVED_SLOT}{color}", True)):
            if is_own and slot in words and words[slot] in (None, seat.get(key)):
                seat.pop(key, None)
    new_text = json.dumps(summary, ensure_ascii=False, separators=(",", ":"))
    if new_text != text:
        connection.execute(update(game_table).where(own_row).values(summary=new_text))
    return [seat.get("color", "") for seat in seats]
