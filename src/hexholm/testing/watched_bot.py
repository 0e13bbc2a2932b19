"""A player in its games, watched: what it is shown and chooses, how long it takes, and an end to waiting for it."""

from __future__ import annotations

import contextlib
import secrets
import signal
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from hashlib import blake2b
from typing import Any, Final, TypeVar

import numpy as np

from hexholm.arena.match import Match, TournamentJob
from hexholm.bots.faults import BotFault, close_bot, fault_line
from hexholm.bots.memory import OfferHistory, remind_player
from hexholm.bots.protocol import Bot, choice_code
from hexholm.game.game import SeatView
from hexholm.rules.core.encoding.structs import SEATS, State
from hexholm.rules.errors import BadInput

from .report import Report

OVERDUE: Final = 1e-6
"""Seconds to an alarm of somebody else that was due while a player was watched."""
_KEY: Final = secrets.token_bytes(16)
T = TypeVar("T")


class TooLong(BaseException):
    """A player has not come back; no Exception, so that it does not catch this itself by mistake."""


@dataclass
class Heard:
    """What a player was shown and chose in one game."""

    views: list[SeatView] = field(default_factory=list)
    codes: list[int] = field(default_factory=list)
    hidden: list[bytes] = field(default_factory=list)
    """What stands for the cards that were hidden from it; they cannot be read from that."""


def within(limit: float | None, what: str, ask: Callable[[], T]) -> T:
    """What `ask` returns. Raises TooLong in what runs too long, again and again in case that it catches this.

    By a signal, and so only in the main thread and not on Windows; compiled code hears none before it returns. If an
    alarm of somebody else is set, that of a test's own limit, it goes off when it would have, or right after `ask`.
    """
    unheard = not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread()
    if limit is None or unheard:
        return ask()
    running, late = False, TooLong(f"{what} did not come back within {limit:g} s")
    begun = time.monotonic()

    def over(*_: object) -> None:
        if running:
            raise late

    theirs, again = signal.setitimer(signal.ITIMER_REAL, 0)
    before = signal.signal(signal.SIGALRM, over)
    try:
        try:
            running = True
            signal.setitimer(signal.ITIMER_REAL, limit, 1.0)
            said = ask()
        finally:  # if it is raised right here, what follows is done all the same
            running = False
    finally:
        running = False
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
        if theirs:
            signal.setitimer(signal.ITIMER_REAL, max(OVERDUE, theirs + begun - time.monotonic()), again)
    if time.monotonic() - begun > limit:  # it has caught what was raised, and came back all the same
        raise late
    return said


class WatchedMatch(Match):
    """The first game of a job, in which nobody is waited for for ever; `mine` makes the player in question."""

    def __init__(self, job: TournamentJob, limit: float | None, mine: Callable[[], Bot]) -> None:
        self._limit, self._mine = limit, mine
        super().__init__(job, job.schedule.game(0))

    @property
    def own(self) -> int:
        """The seat of the player in question."""
        return self.scheduled.seats.index(0)

    def make(self, seat: int) -> Bot:
        """The player of a seat."""
        make = self._mine if seat == self.own else partial(super().make, seat)
        return within(self._limit_of(seat), "the factory", make)

    def decide(self, seat: int) -> None:
        """Have a player decide, and carry it out."""
        within(self._limit_of(seat), f"{self._where()}: choose()", partial(super().decide, seat))

    def close(self) -> list[tuple[int, BaseException]]:
        """Tell all players that the game is over."""
        return within(self._limit, f"{self._where()}: close()", super().close)

    def _limit_of(self, seat: int) -> float | None:
        """Players of ours are not watched: what they compile takes as long as it takes."""
        return self._limit if self.job.entrants[self.scheduled.seats[seat]].foreign else None

    def _where(self) -> str:
        return f"{self.options.edition}, turn {self.referee.state.turn_number}"


class Witness:
    """A player, watched: what it is shown, what it chooses, how long it takes, whether it spoils its view."""

    def __init__(self, inner: Bot, heard: Heard, report: Report) -> None:
        self._inner, self._heard, self._report = inner, heard, report
        self.state: State | None = None
        """The full truth, for a digest of it."""

    def choose(self, view: SeatView) -> Any:
        """What the player chooses."""
        before = view.raw.buffer.tobytes()
        begun = time.perf_counter()
        choice = self._inner.choose(view)
        self._report.times.append(time.perf_counter() - begun)
        self._report.tried.add("harmless")
        if view.raw.buffer.tobytes() != before:
            self._report.fault("harmless", f"turn {view.turn}, {view.phase}: it wrote into its view")
            view.raw.buffer[:] = np.frombuffer(before, np.uint8)
        assert self.state is not None
        with contextlib.suppress(BadInput):  # the table says so
            self._heard.codes.append(choice_code(choice, view.colors, view.facts.observer))
            self._heard.views.append(view)
            self._heard.hidden.append(hidden(self.state))
        return choice

    def close(self) -> None:
        """The game is over."""
        close = getattr(self._inner, "close", None)
        if close is not None:
            close()


class Anew:
    """A player that is made anew for every question and reminded of its offers, as hosts do it.

    Of earlier turns it is told what came to nothing.
    """

    def __init__(self, make: Callable[[], Bot]) -> None:
        self._make = make
        self._said = OfferHistory()

    def choose(self, view: SeatView) -> Any:
        """What a new one chooses."""
        bot = self._make()
        self._said.look(view)
        remind_player(bot, self._said.told)
        choice = bot.choose(view)
        self._said.note(view, choice)
        wrong = close_bot(bot)
        if wrong is not None:
            raise BotFault("failed", f"in close(): {fault_line(wrong)}") from wrong
        return choice


def hidden(state: State) -> bytes:
    """What stands for all hands and development cards."""
    held = [(state.hand[seat], state.cards[seat]) for seat in range(SEATS)]
    return blake2b(repr(held).encode(), digest_size=8, key=_KEY).digest()
