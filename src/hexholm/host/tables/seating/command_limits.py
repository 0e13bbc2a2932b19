"""How often a seat may send what stays in the log without moving the game: remarks, offers, wishes."""

from __future__ import annotations

from collections import deque
from typing import Final

from hexholm.game.action import split_speaker
from hexholm.rules.colors import Color
from hexholm.rules.errors import BadInput
from hexholm.rules.names import KIND_NAMES, kind_of
from hexholm.rules.notation import read_action

from ...wire import messages
from ...wire.host_refusals import Declined, HostReason
from ..log_size import LogSize

REMARK_RATE: Final = (8, 10.0)
"""So many remarks of a seat in so many seconds."""
OFFER_RATE: Final = (60, 60.0)
"""So many offers, counter-offers and withdrawals of a seat in so many seconds: each stays in the log for good."""
WISH_RATE: Final = (60, 60.0)
"""So many commands of all other kinds that change the table and not the game."""
SPECTATOR_RATE: Final = (4, 20.0)
"""So many remarks of one who watches in so many seconds."""
SPECTATORS_RATE: Final = (20, 20.0)
"""So many of all who watch a table together."""
HAGGLING_KINDS: Final = ("offer", "counter", "withdraw")


class CommandLimits:
    """When each seat of a table, and the creator beside them, lately sent what is counted, by kind."""

    def __init__(self) -> None:
        self._lately: dict[tuple[str, str], deque[float]] = {}
        self._spectators: dict[str, deque[float]] = {}  # who said something lately: there may be any number of them

    def count(
        self,
        command: messages.TableCommand,
        sender: str,
        now: float,
        *,
        colors: tuple[Color, ...],
        log_size: LogSize,
    ) -> None:
        """Count a command. Raises Declined if it is one too many, lately or for the log of the table."""
        why: HostReason
        match command:
            case messages.Say():
                why, (many, seconds) = "said_too_often", REMARK_RATE
            case messages.Act(action=action):
                if not _is_haggling(action, colors):
                    return  # the game itself goes on as fast as it likes, and comes to an end
                why, (many, seconds) = "offered_too_often", OFFER_RATE
            case messages.Deal():
                return
            case _:
                why, (many, seconds) = "asked_too_often", WISH_RATE
        log_size.check(command, sender if sender in colors else "", colors)
        self._times(sender, why, many, seconds, now).append(now)

    def count_spectator(
        self, remark: messages.Say, guest_id: str, now: float, *, colors: tuple[Color, ...], log_size: LogSize
    ) -> None:
        """Count a remark of one who watches. Raises Declined if it is one too many, of its own or of all together."""
        log_size.check(remark, "", colors)
        for sender in [sender for sender, times in self._spectators.items() if times[-1] <= now - SPECTATOR_RATE[1]]:
            del self._spectators[sender]
        together = self._times("", "said_too_often", *SPECTATORS_RATE, now)
        own = self._take_due(self._spectators.get(guest_id, deque()), "said_too_often", *SPECTATOR_RATE, now)
        self._spectators[guest_id] = own
        together.append(now)
        own.append(now)

    def _times(self, sender: str, why: HostReason, many: int, seconds: float, now: float) -> deque[float]:
        return self._take_due(self._lately.setdefault((sender, why), deque()), why, many, seconds, now)

    @staticmethod
    def _take_due(times: deque[float], why: HostReason, many: int, seconds: float, now: float) -> deque[float]:
        """The times that still count. Raises Declined if there are as many as may be."""
        while times and times[0] <= now - seconds:
            times.popleft()
        if len(times) >= many:
            raise Declined.because(why, most=many, seconds=round(seconds))
        return times


def _is_haggling(action: str, colors: tuple[Color, ...]) -> bool:
    """Whether an action is one of those that are counted; what cannot be read is refused, and stays nowhere."""
    _, own_action = split_speaker(action) or ("", action)
    try:
        code = read_action(own_action, colors)
    except BadInput:
        return False
    return KIND_NAMES[kind_of(code)] in HAGGLING_KINDS
