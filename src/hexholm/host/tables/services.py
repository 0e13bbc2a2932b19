"""What all tables of a hall share: storage, bots, the clock, and how long things take."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

from ..bot_pool.bot_pool import Bots
from ..storage import Storage
from .durations import Durations


@dataclass(slots=True)
class Services:
    """Given to every table of a hall."""

    storage: Storage
    bots: Bots
    now: Callable[[], float]
    durations: Durations
    figures: Counter[str] = field(default_factory=Counter)
    """What was counted: commands, refusals, failures, errors, moves by bots and clocks."""
