"""An exchange that cannot be after all: the partner holds the cards no more, and the seat could not know (TRADE-10)."""

from __future__ import annotations

from hexholm.rules.core.encoding import actions as act

from .views.seat_knowledge import SeatKnowledge


def fallback_for(view: SeatKnowledge, code: int) -> int | None:
    """What a seat does whose yes, or choice of a partner, was refused: no, or its offer taken back.

    None: the seat could have known, or it is no yes and no choice.
    """
    other = act.decline_instead(code)
    return None if other == act.NOTHING or view.why_not(code) is not None else other
