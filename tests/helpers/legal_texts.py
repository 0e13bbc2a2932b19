"""Legal actions as text, for tests that name them."""

from __future__ import annotations

from hexholm.rules.referee import Referee


def legal_texts(referee: Referee, seat: int | str) -> list[str]:
    """The legal actions of a seat, as text."""
    return [referee.action_text(code) for code in referee.legal(seat)]
