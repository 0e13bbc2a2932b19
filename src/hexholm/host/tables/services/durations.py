"""How long things take at the tables of a hall. It imports only constants: the help of commands shows what is usual."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from ...table_literals import USUAL_ABSENCE

HOUR: Final = 3600.0
DAY: Final = 24 * HOUR


@dataclass(frozen=True, slots=True)
class Durations:
    """All in seconds."""

    bot_delay: tuple[float, float] = (0.4, 1.2)
    """The least and the most after which a bot answers."""
    bot_patience: float = 20.0
    """How long a bot waits for people to answer its offers."""
    away_after: float = USUAL_ABSENCE
    """When a bot stands in for somebody who is gone, at a table that says nothing of it."""
    board_away_after: float = 600.0
    """When somebody who is gone is shown as away, where people sit around a real board: screens are dark there."""
    wait_after: float = 30.0
    """Without a feed or a command of anybody for so long, a game waits."""
    long_gone_after: float = 3 * DAY
    """Who has been away for so long need not be asked whether the game may end."""
    clear_after: float = DAY
    """When a table that nobody has begun and nobody looks at is cleared away."""
    unplayed_after: float = DAY
    """When a game that is over is cleared away, where no person ever acted in it."""
    end_after: float = 30 * DAY
    """When a game in which nothing happens and at which nobody looks is ended without a winner."""


USUAL_DURATIONS: Final = Durations()


def bot_delay_from(least: float) -> tuple[float, float]:
    """The delay of bots that answer after so many seconds or up to three times that."""
    return least, 3 * least
