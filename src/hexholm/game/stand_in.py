"""A table that looks to one seat as the real one does, for questions about what is legal."""

from __future__ import annotations

from functools import lru_cache

from hexholm.rules.boards import Layout
from hexholm.rules.core.encoding.structs import State, Talk
from hexholm.rules.options import Options
from hexholm.rules.referee import Reason, Referee


class StandIn(Referee):
    """A referee for questions alone. It has no belief and nobody plays on it, and so it costs little to make.

    Reasons are worked out once for the rules in force.
    """

    def __init__(self, chosen: Options, layout: Layout, state: State, talk: Talk, compiled: bool) -> None:
        self.options, self.layout, self.state, self.talk, self.compiled = chosen, layout, state, talk, compiled
        self._tell = self._core.do_tell

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


@lru_cache(maxsize=256)
def _reasons(_chosen: Options) -> dict[int, Reason]:
    """What was worked out already, by verdict; there are a few hundred at most."""
    return {}
