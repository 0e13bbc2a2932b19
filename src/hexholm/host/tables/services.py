"""What all tables of a hall share: storage, bots, the clock, and how long things take."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

from ..bot_pool.bot_pool import Bots
from ..storage import Storage


@dataclass(slots=True)
class Services:
    """Given to every table of a hall."""

    storage: Storage
    bots: Bots
    now: Callable[[], float]
    bot_delay: tuple[float, float] = (0.4, 1.2)
    bot_patience: float = 20.0
    """Seconds a bot waits for people to answer its offer."""
    away_after: float = 120.0
    clear_after: float = 86_400.0
    """Seconds after which a table that nobody begins and nobody looks at is cleared away."""
    end_after: float = 30 * 86_400.0
    """Seconds after which a game that stands still and nobody looks at is ended without a winner."""
    figures: Counter[str] = field(default_factory=Counter)
    """What was counted: commands, refusals, failures, errors, moves by bots and clocks."""
