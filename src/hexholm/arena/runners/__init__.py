"""Who plays the games of a tournament: this process, several processes, or a cluster.

A :class:`Runner` is given a job and the numbers of games and yields each game once, in whatever order they end. What a
game is follows from job and number alone, so all runners give the same games. Closing what `run` returns stops all
work at once. `base.py` says what one is and holds the plain one, `processes.py` and `cluster.py` have the others.
Tournaments import it, and the command line.
"""

from __future__ import annotations

import os
from typing import Final

from hexholm.rules.errors import BadInput, OptionMention, OptionMessage

from .base import GameBroke, ProcessEnded, Runner, Serial

__all__ = ["RUNNERS", "GameBroke", "ProcessEnded", "Runner", "Serial", "count_cores", "runner"]

RUNNERS: Final = ("serial", "pool", "ray")


def runner(name: str = "pool", jobs: int = 0, address: str | None = None) -> Runner:
    """A runner by name; `jobs` processes (0: one for each core), `address` of a Ray cluster (None: one of its own)."""
    if name not in RUNNERS:
        raise BadInput(f"there is no runner {name!r}; there are {', '.join(RUNNERS)}")
    if address is not None and name != "ray":
        advice = ": only the runner ray has one; add --runner ray"
        raise BadInput(OptionMessage(OptionMention.given("address", address), advice))
    if jobs < 0:
        raise BadInput(OptionMessage(OptionMention.given("jobs", jobs), ": choose 1 or more, or 0 for all cores"))
    if name == "ray":
        from .cluster import RayRunner

        return RayRunner(address, jobs)
    count = jobs or count_cores()
    if name == "serial" or count == 1:
        return Serial()
    from .processes import Pool

    return Pool(count)


def count_cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
