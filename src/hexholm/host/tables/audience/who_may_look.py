"""Who may look at a table (docs/decisions/0014-who-may-see-what.md says all of it in one table).

Before the game whoever has the link finds a seat there. A game that goes on is watched by whoever has the link, if the
table allows it. A game that is over belongs to those who sat there and to the one who set up the table.
"""

from __future__ import annotations

from typing import Final

from ...wire.host_refusals import Refusal
from ..seats import Guest
from ..state import TableState

NOT_SHOWN: Final = "not_shown"
"""Why others may not look at a game that is over, unless one who sat there shows it."""


def is_insider(table: TableState, guest: Guest) -> bool:
    """Whether somebody has a seat at a table, by token or as the guest who sits there, or has set it up."""
    if guest.color is not None or guest.id == table.creator_id:
        return True
    return any(seat.sitter == "person" and seat.guest_id == guest.id for seat in table.seats.values())


def why_not_look(table: TableState, guest: Guest) -> Refusal | None:
    """Why somebody may not look at a table as it is now; None: it may. It says nothing of what is there to be seen."""
    if table.status == "open" or is_insider(table, guest):
        return None
    if table.status == "over":
        return Refusal.because(NOT_SHOWN)
    return None if table.opening.watchable else Refusal.because("not_watchable")
