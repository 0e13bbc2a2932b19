"""What a rematch is played by: the terms of the game before, a new board of the same kind, seats that are kept."""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from ...storage.forgotten_guests import ForgottenGuests
from ...wire.host_refusals import Declined
from ..rated_games import rated_terms
from ..table import Table
from ..table_settings import TableSettings
from ..table_terms import Reservation, TableTerms

REMATCH_RESERVED: Final = 600.0
"""Seconds for which a rematch keeps the seats for those who sat there."""


def check_rematch(old_table: Table, guest_id: str) -> None:
    """Raises Declined for a game that is not over, and for those who have no say in it."""
    if old_table.status != "over":
        raise Declined.because("not_over")
    if old_table.game is None:
        raise Declined.because("never_begun")
    if guest_id != old_table.creator_id and all(seat.guest_id != guest_id for seat in old_table.seats.values()):
        raise Declined.because("rematch_needs_seat")


def rematch_settings(
    old_table: Table, guest_id: str, forgotten: ForgottenGuests, now: float
) -> tuple[str, TableSettings]:
    """Who sets up the table that follows another, and how; nothing is kept for guests who were deleted."""
    opening, seats = old_table.opening, old_table.seats.values()
    terms = replace(
        TableTerms(**opening.as_fields()),
        title_by=opening.title_by or opening.creator_id,
        pace=old_table.pace,
        lesson="",
    )
    settings = TableSettings(
        terms=rated_terms(terms) if terms.rated else terms,
        options=old_table.options,
        board=old_table.board if opening.own_board else None,
        bots={  # nobody draws cards for one
            seat.color: seat.bot_name for seat in seats if seat.sitter == "bot" and opening.chance_source != "people"
        },
        reserved={
            seat.color: Reservation(seat.guest_id, seat.name)
            for seat in seats
            if seat.sitter == "person" and seat.guest_id not in forgotten
        },
        reserved_until=now + REMATCH_RESERVED,
    )
    # A screen for all, beside a real board, stays that.
    keeps_creator = opening.is_board_real and opening.creator_id not in forgotten
    return opening.creator_id if keeps_creator else guest_id, settings
