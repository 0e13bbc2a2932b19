"""How often a seat may send what stays in the log without moving the game: remarks, offers, wishes."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Sequence
from typing import Final

from hexholm.rules.colors import Color
from hexholm.rules.names import KIND_NAMES, kind_of

from ...wire import messages
from ...wire.host_refusals import Declined, HostReason
from .. import log
from ..own_action import OwnAction
from .log_size import LogSize

REMARK_RATE: Final = (8, 10.0)
"""So many remarks of a seat in so many seconds."""
OFFER_RATE: Final = (60, 60.0)
"""So many offers, counter-offers and withdrawals of a seat in so many seconds: each stays in the log for good."""
ANSWER_RATE: Final = (200, 60.0)
"""So many answers of a seat to offers: all of those that the others may make."""
MOST_OFFERS_A_TURN: Final = 100
"""So many offers, counter-offers and withdrawals of a seat while a turn lasts, however long that is."""
MOST_ANSWERS_A_TURN: Final = 300
WISH_RATE: Final = (60, 60.0)
"""So many commands of all other kinds that change the table and not the game."""
SPECTATOR_RATE: Final = (4, 20.0)
"""So many remarks of one who watches in so many seconds."""
SPECTATORS_RATE: Final = (20, 20.0)
"""So many of all who watch a table together."""
ANSWERING_KINDS: Final = ("accept", "reject", "confirm")


class CommandLimits:
    """When each seat of a table, and the creator beside them, lately sent what is counted, by kind."""

    def __init__(self) -> None:
        self._lately: dict[tuple[str, str], deque[float]] = {}
        self._spectators: dict[str, deque[float]] = {}  # who said something lately: there may be any number of them
        self._turn = 0
        self._in_turn: Counter[tuple[str, bool]] = Counter()  # by the seat, and whether it answers

    def count(
        self,
        command: messages.TableCommand,
        sender: str,
        now: float,
        *,
        colors: tuple[Color, ...],
        turn: int,
        log_size: LogSize,
        own_action: OwnAction | None = None,
    ) -> None:
        """Count a command in a turn of the game. Raises Declined if it is one too many, lately or for the log.

        `own_action` is the action of an `Act` by a seat.
        """
        why: HostReason
        counted_with, haggling_kind = sender, ""
        match command:
            case messages.Say():
                why, (many, seconds) = "said_too_often", REMARK_RATE
            case messages.Act():
                haggling_kind = _haggling_kind(own_action)
                if not haggling_kind:
                    return  # the game itself goes on as fast as it likes, and comes to an end
                why, (many, seconds) = "offered_too_often", OFFER_RATE
                if haggling_kind in ANSWERING_KINDS:
                    counted_with, (many, seconds) = f"{sender} answers", ANSWER_RATE
            case messages.Deal():
                return  # what can be moves the game, and what cannot is counted when that is known
            case _:
                why, (many, seconds) = "asked_too_often", WISH_RATE
        log_size.check(command, sender if sender in colors else "", colors)
        times = self._times_of(counted_with, why, many, seconds, now)
        if haggling_kind:
            self._count_in_turn(sender, turn, is_answer=haggling_kind in ANSWERING_KINDS)
        times.append(now)

    def count_decided(
        self,
        bodies: Sequence[log.EntryBody],
        sender: str,
        now: float,
        *,
        colors: tuple[Color, ...],
        log_size: LogSize,
    ) -> None:
        """Count what a command would lead to. Raises Declined if that is too much for the log, or too often wrong."""
        log_size.check_shares(bodies, colors)
        if any(isinstance(body, log.Mistold) for body in bodies):
            self._times_of(sender, "asked_too_often", *WISH_RATE, now).append(now)

    def _count_in_turn(self, sender: str, turn: int, *, is_answer: bool) -> None:
        """Count an offer or an answer, while a turn lasts. Raises Declined if it is one too many."""
        if turn != self._turn:
            self._turn = turn
            self._in_turn.clear()
        most = MOST_ANSWERS_A_TURN if is_answer else MOST_OFFERS_A_TURN
        if self._in_turn[sender, is_answer] >= most:
            raise Declined.because("offered_enough", most=most)
        self._in_turn[sender, is_answer] += 1

    def count_spectator(
        self, remark: messages.Say, guest_id: str, now: float, *, colors: tuple[Color, ...], log_size: LogSize
    ) -> None:
        """Count a remark of one who watches. Raises Declined if it is one too many, of its own or of all together."""
        log_size.check(remark, "", colors)
        for sender in [sender for sender, times in self._spectators.items() if times[-1] <= now - SPECTATOR_RATE[1]]:
            del self._spectators[sender]
        together = self._times_of("", "said_too_often", *SPECTATORS_RATE, now)
        own = self._recent_times(self._spectators.get(guest_id, deque()), "said_too_often", *SPECTATOR_RATE, now)
        self._spectators[guest_id] = own
        together.append(now)
        own.append(now)

    def _times_of(self, sender: str, why: HostReason, many: int, seconds: float, now: float) -> deque[float]:
        return self._recent_times(self._lately.setdefault((sender, why), deque()), why, many, seconds, now)

    @staticmethod
    def _recent_times(times: deque[float], why: HostReason, many: int, seconds: float, now: float) -> deque[float]:
        """The times that still count. Raises Declined if there are as many as may be."""
        while times and times[0] <= now - seconds:
            times.popleft()
        if len(times) >= many:
            raise Declined.because(why, most=many, seconds=round(seconds))
        return times


def _haggling_kind(own_action: OwnAction | None) -> str:
    """What kind of offer or answer an action is, "": none; what cannot be read is refused, and stays nowhere."""
    if own_action is None or own_action.code is None:
        return ""
    kind = KIND_NAMES[kind_of(own_action.code)]
    return kind if kind in log.HAGGLING_KINDS else ""
