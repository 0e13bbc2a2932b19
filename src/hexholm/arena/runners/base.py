"""What a runner is, the plain one, and how a game can break in any of them."""

from __future__ import annotations

from collections.abc import Generator, Iterable
from typing import Final, Protocol

from ..match import FinishedGame, TournamentJob

MOST_PROCESSES: Final = 3
"""A game may end so many processes; then it is given up."""
Games = Generator[FinishedGame, None, None]


class Runner(Protocol):
    """Plays the games of a tournament: here, in processes, on a cluster."""

    name: str
    workers: int
    """How many games are played at a time; 0: that is not known before a cluster is there."""

    def run(self, job: TournamentJob, numbers: Iterable[int]) -> Games:
        """Play these games; each is yielded once, when it is over."""
        ...


class Serial:
    """One game after another, in this process: for small matters and for debugging."""

    name = "serial"
    workers = 1

    def run(self, job: TournamentJob, numbers: Iterable[int]) -> Games:
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
