"""A table that looks to one seat as the real one does, for questions about what is legal."""

from __future__ import annotations

import threading
from functools import lru_cache
from typing import Any

import numpy as np

from hexholm.rules.boards import Layout
from hexholm.rules.core.layout import State, Talk, Work
from hexholm.rules.options import Options
from hexholm.rules.referee import ROOM, Reason, Referee


class StandIn(Referee):
    """A referee for questions alone. It has no belief and nobody plays on it, and so it costs little to make.

    The room it works in belongs to the thread and is shared: there is nothing in it between two questions. Reasons are
    worked out once for the rules in force.
    """

    def __init__(self, chosen: Options, layout: Layout, state: State, talk: Talk, compiled: bool) -> None:
        self.options, self.layout, self.state, self.talk, self.compiled = chosen, layout, state, talk, compiled
        self._tell = self._core.do_tell

    def legal(self, who: int | str) -> list[int]:
        """All legal actions of a seat but offers and counter-offers."""
        seat, work = self.seat(who), _room.work.buffer
        while True:
            codes = _room.codes
            n = self._core.do_list(self.state.buffer, self.talk.buffer, work, seat, codes)
            if n <= len(codes):
                return _numbers(codes[:n])
            _room.codes = np.zeros(2 * n, np.int64)

    def verdict(self, seat: int, code: int) -> int:
        """As :meth:`told`, as the core says it: 0 for legal, else a refusal with its parameter."""
        found: int = self._tell(self.state.buffer, self.talk.buffer, seat, code)
        return found

    def reason(self, verdict: int) -> Reason:
        """A verdict in words."""
        return self._reason(verdict)

    def _reason(self, verdict: int) -> Reason:
        known = _reasons(self.options)
        if verdict not in known:
            known[verdict] = super()._reason(verdict)
        return known[verdict]


def _numbers(codes: np.ndarray[Any, np.dtype[np.int64]]) -> list[int]:
    found: list[int] = codes.tolist()
    return found


class _Room(threading.local):
    def __init__(self) -> None:
        self.work: Work = Work()
        self.codes: np.ndarray[Any, np.dtype[np.int64]] = np.zeros(ROOM, np.int64)


_room = _Room()


@lru_cache(maxsize=256)
def _reasons(_chosen: Options) -> dict[int, Reason]:
    """What was worked out already, by verdict; there are a few hundred at most."""
    return {}
