"""How often a seat may send what stays in the log without moving the game: remarks, offers, wishes."""

from __future__ import annotations

import re
from collections import deque
from typing import Final

from ..wire import messages
from ..wire.host_refusals import Declined, HostReason

REMARK_RATE: Final = (8, 10.0)
"""So many remarks of a seat in so many seconds."""
OFFER_RATE: Final = (60, 60.0)
"""So many offers, counter-offers and withdrawals of a seat in so many seconds: each stays in the log for good."""
WISH_RATE: Final = (60, 60.0)
"""So many commands of all other kinds that change the table and not the game."""
HAGGLING: Final = re.compile("offer|counter|withdraw", re.IGNORECASE)


class CommandLimits:
    """When each seat of a table, and the creator beside them, lately sent what is counted, by kind."""

    def __init__(self) -> None:
        self._lately: dict[tuple[str, str], deque[float]] = {}

    def count(self, command: messages.TableCommand, sender: str, now: float) -> None:
        """Count a command. Raises Declined if it is one too many."""
        why: HostReason
        match command:
            case messages.Say():
                why, (many, seconds) = "said_too_often", REMARK_RATE
            case messages.Act(action=text):
                if HAGGLING.search(text) is None:
                    return  # the game itself goes on as fast as it likes, and comes to an end
                why, (many, seconds) = "offered_too_often", OFFER_RATE
            case messages.Deal():
                return
            case _:
                why, (many, seconds) = "asked_too_often", WISH_RATE
        times = self._lately.setdefault((sender, why), deque())
        while times and times[0] <= now - seconds:
            times.popleft()
        if len(times) >= many:
            raise Declined.because(why, most=many, seconds=round(seconds))
        times.append(now)
