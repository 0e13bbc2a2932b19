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
from hexholm.bots.memory import OfferHistory, remind_bot
from hexholm.bots.protocol import Bot, choice_code
from hexholm.game.game import SeatView
from hexholm.rules.colors import SeatNumber
from hexholm.rules.encoding.structs import SEATS, State
from hexholm.rules.errors import BadInput

from .report import Report

OVERDUE_SECONDS: Final = 1e-6
"""Seconds to an alarm of somebody else that was due while a player was watched."""
_KEY: Final = secrets.token_bytes(16)
T = TypeVar("T")


class TooLong(BaseException):
    """A player has not come back; no Exception, so that it does not catch this itself by mistake."""


@dataclass
class DecisionLog:
    """What a player was shown and chose in one game."""

    views: list[SeatView] = field(default_factory=list)
    codes: list[int] = field(default_factory=list)
    digests: list[bytes] = field(default_factory=list)
    """What stands for the cards that were hidden from it; they cannot be read from that."""


def call_within(limit: float | None, task: str, ask: Callable[[], T]) -> T:
    """What `ask` returns. Raises TooLong in what runs too long, again and again in case that it catches this.

    By a signal, and so only in the main thread and not on Windows; compiled code hears none before it returns. If an
    alarm of somebody else is set, that of a test's own limit, it goes off when it would have, or right after `ask`.
    """
    no_signals = not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread()
    if limit is None or no_signals:
        return ask()
    running, error = False, TooLong(f"{task} did not come back within {limit:g} s")
    started_at = time.monotonic()

    def raise_error(*_: object) -> None:
        if running:
            raise error

    outer_alarm, outer_interval = signal.setitimer(signal.ITIMER_REAL, 0)
    outer_handler = signal.signal(signal.SIGALRM, raise_error)
    try:
        try:
            running = True
            signal.setitimer(signal.ITIMER_REAL, limit, 1.0)
            result = ask()
        finally:  # if it is raised right here, what follows is done all the same
            running = False
    finally:
        running = False
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, outer_handler)
        if outer_alarm:
            signal.setitimer(
                signal.ITIMER_REAL, max(OVERDUE_SECONDS, outer_alarm + started_at - time.monotonic()), outer_interval
            )
    if time.monotonic() - started_at > limit:  # it has caught what was raised, and came back all the same
        raise error
    return result


class WatchedMatch(Match):
    """The first game of a job, in which nobody is waited for for ever; `make_candidate` makes the candidate."""

    def __init__(self, job: TournamentJob, limit: float | None, make_candidate: Callable[[], Bot]) -> None:
        self._limit, self._make_candidate = limit, make_candidate
        super().__init__(job, job.schedule.game(0))

    @property
    def candidate_seat(self) -> int:
        """The seat of the player in question."""
        return self.scheduled.entrants_by_seat.index(0)

    def make_bot(self, seat: SeatNumber) -> Bot:
        """The player of a seat."""
        make = self._make_candidate if seat == self.candidate_seat else partial(super().make_bot, seat)
        return call_within(self._limit_of(seat), "the factory", make)

    def decide(self, seat: SeatNumber) -> None:
        """Have a bot decide, and carry it out."""
        call_within(self._limit_of(seat), f"{self._place_text()}: choose()", partial(super().decide, seat))

    def close(self) -> list[tuple[int, BaseException]]:
        """Tell all bots that the game is over."""
        return call_within(self._limit, f"{self._place_text()}: close()", super().close)

    def _limit_of(self, seat: SeatNumber) -> float | None:
        """Players of ours are not watched: what they compile takes as long as it takes."""
        return self._limit if self.job.entrants[self.scheduled.entrants_by_seat[seat]].foreign else None

    def _place_text(self) -> str:
        return f"{self.options.edition}, turn {self.referee.state.turn_number}"


class WitnessBot:
    """A player, watched: what it is shown, what it chooses, how long it takes, whether it spoils its view."""

    def __init__(self, inner: Bot, log: DecisionLog, report: Report) -> None:
        self._inner, self._log, self._report = inner, log, report
        self.state: State | None = None
        """The full truth, for a digest of it."""

    def choose(self, view: SeatView) -> Any:
        """What the bot chooses."""
        bytes_before = view.raw.buffer.tobytes()
        started_at = time.perf_counter()
        choice = self._inner.choose(view)
        self._report.times.append(time.perf_counter() - started_at)
        self._report.checks_made.add("harmless")
        if view.raw.buffer.tobytes() != bytes_before:
            self._report.note_fault("harmless", f"turn {view.turn}, {view.phase}: it wrote into its view")
            view.raw.buffer[:] = np.frombuffer(bytes_before, np.uint8)
        assert self.state is not None
        with contextlib.suppress(BadInput):  # the table says so
            self._log.codes.append(choice_code(choice, view.colors, view.facts.observer))
            self._log.views.append(view)
            self._log.digests.append(hidden_digest(self.state))
        return choice

    def close(self) -> None:
        """The game is over."""
        close = getattr(self._inner, "close", None)
        if close is not None:
            close()


class RemadeBot:
    """A player that is made anew for every question and reminded of its offers, as hosts do it.

    Of earlier turns it is told what came to nothing.
    """

    def __init__(self, make: Callable[[], Bot]) -> None:
        self._make = make
        self._offer_history = OfferHistory()

    def choose(self, view: SeatView) -> Any:
        """What a new one chooses."""
        bot = self._make()
        self._offer_history.observe(view)
        remind_bot(bot, self._offer_history.offers)
        choice = bot.choose(view)
        self._offer_history.remember_choice(view, choice)
        error = close_bot(bot)
        if error is not None:
            raise BotFault("failed", f"in close(): {fault_line(error)}") from error
        return choice


def hidden_digest(state: State) -> bytes:
    """What stands for all hands and development cards."""
    cards = [(state.hand[seat], state.development[seat]) for seat in range(SEATS)]
    return blake2b(repr(cards).encode(), digest_size=8, key=_KEY).digest()
