"""Who plays the games of a tournament: this process, several processes, or a cluster.

A :class:`Runner` is given a job and the numbers of games and yields each game once, in whatever order they end. What a
game is follows from job and number alone, so all runners give the same games. Closing what `run` returns stops all
work at once.
"""

from __future__ import annotations

import os
from collections.abc import Generator, Iterable
from typing import Final, Protocol

from hexholm.arena.match import Job, Played
from hexholm.rules.errors import BadInput

NAMES: Final = ("serial", "pool", "ray")
TRIES: Final = 3
"""A game may end so many processes; then it is given up."""
Games = Generator[Played, None, None]


class Runner(Protocol):
    """Plays games."""

    name: str
    workers: int
    """How many games are played at a time; 0: that is not known before a cluster is there."""

    def run(self, job: Job, numbers: Iterable[int]) -> Games:
        """Play these games; each is yielded once, when it is over."""
        ...


class Serial:
    """One game after another, in this process: for small matters and for debugging."""

    name = "serial"
    workers = 1

    def run(self, job: Job, numbers: Iterable[int]) -> Games:
        """Play these games, in their order."""
        for number in numbers:
            yield job.play(number)


class GameBroke(Exception):
    """A game could not be played: a fault of ours, told with its traceback, or its process has ended."""


class ProcessEnded(GameBroke):
    """A game ended its process again and again: a player of it does that, or its machine is not well."""

    def __init__(self, message: str, game: int) -> None:
        super().__init__(message)
        self.game = game


def runner(name: str = "pool", jobs: int = 0, address: str | None = None) -> Runner:
    """A runner by name; `jobs` processes (0: one for each core), `address` of a Ray cluster (None: one of its own)."""
    if name not in NAMES:
        raise BadInput(f"there is no runner {name!r}; there are {', '.join(NAMES)}")
    if address is not None and name != "ray":
        raise BadInput(f"address {address}: only the runner ray has one; add --runner ray")
    if jobs < 0:
        raise BadInput(f"jobs {jobs}: choose 1 or more, or 0 for all cores")
    if name == "ray":
        from .cluster import RayRunner

        return RayRunner(address, jobs)
    count = jobs or cores()
    if name == "serial" or count == 1:
        return Serial()
    from .pool import Pool

    return Pool(count)


def cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
