"""One game among players, at full speed: views in, codes out, and nothing that is not needed on the way.

A match is the same as `hexholm.Game(seed=scheduled.seed, first=scheduled.starter)` played with the same players: a test
holds that, and `FinishedGame.record` has it in full. What a :class:`~hexholm.game.game.Game` keeps for taking back is
left out.

Whatever a player does, the game goes on: an answer that cannot be read, that is not legal, or an exception of any kind
costs it that decision, for which a plain move is played (:func:`~hexholm.bots.protocol.default_code`), and is reported.
What it does to its view is its own affair: the plain move is found on another.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, Final

from hexholm.bots.faults import BotFault, close_bot, fault_line, fault_location, is_from_outside, prints_aside
from hexholm.bots.protocol import MOST_BOT_TURNS, Bot, choice_code, default_code, is_capped
from hexholm.game.game import Record, SeatView
from hexholm.game.record_format.record_base import final_hash
from hexholm.game.result import Result
from hexholm.rules.boards import Layout, layout_for
from hexholm.rules.colors import SeatNumber
from hexholm.rules.compilation import mode
from hexholm.rules.encoding import action_codes as act
from hexholm.rules.encoding.phases import OVER, is_chance_phase
from hexholm.rules.encoding.structs import NATURE
from hexholm.rules.errors import BadInput
from hexholm.rules.initial_state import new_state
from hexholm.rules.queries import decide_outcome, draws_used, next_seat, total_points
from hexholm.rules.random_numbers import key_for
from hexholm.rules.reasons import IllegalAction
from hexholm.rules.referee import Referee, Step
from hexholm.rules.setup.options import Options

from .decision_times import Times
from .entrants import Entrant
from .schedule import Schedule, ScheduledGame

MOST_OFFERS_PER_TURN: Final = 24
"""So many offers and counter-offers a seat may make on one turn; what it says beyond that is not listened to."""
FAULTS_PER_GAME: Final = 3
"""So many different faults of a player in a game are told in words, and the first of every kind; all are counted."""
DEFAULT_CAP: Final = MOST_BOT_TURNS

FaultKey = tuple[str, str]
"""The label of a player and the kind of its fault."""


@dataclass(frozen=True, slots=True)
class Fault:
    """A decision that a player lost, or a game that it could not close.

    `kind`: "failed" (it raised an exception, in `close()` if the message says so), "unreadable", "illegal", "chatter"
    (offers without end), and of programs "slow", "died" and "nonsense".
    """

    label: str
    """Of the player."""
    kind: str
    game: int
    turn: int
    message: str
    where: str = ""
    """The place in the player's own file, if it raised an exception there."""
    times: int = 1
    """How often it was the same, as far as it was told; game and turn are those of the first time."""

    @property
    def same(self) -> tuple[str, ...]:
        """What it has in common with others that need not be told again."""
        return self.label, self.kind, self.message, self.where

    @property
    def text(self) -> str:
        """The message, with the place."""
        return f"{self.message} ({self.where})" if self.where else self.message

    def __str__(self) -> str:
        times = f"; {self.times:,} times" if self.times > 1 else ""
        return f"{self.label}, game {self.game + 1}, turn {self.turn}: {self.kind}: {self.text}{times}"


class BotFailed(Exception):
    """A bot lost a decision, and the tournament is strict."""


@dataclass(slots=True)
class FinishedGame:
    """How a game of a tournament ended, and what its players took."""

    number: int
    entrants_by_seat: tuple[int, ...]
    """Which entrant sat where."""
    starter: int
    winner: int
    """A seat; -1: nobody, the game was capped."""
    points: tuple[int, ...]
    """By seat, hidden ones included."""
    turns: int
    times: tuple[Times, ...]
    """Of the decisions of each seat."""
    faults: dict[FaultKey, int]
    """How many decisions were lost, by whom and how; kept as `label kind`."""
    fault_samples: tuple[Fault, ...] = ()
    """The first of them in words."""
    record: str = ""
    """The game as one line of JSON, if that was asked for."""

    @property
    def decisions(self) -> int:
        """How many decisions all players made together."""
        return sum(times.total for times in self.times)

    def as_dict(self) -> dict[str, Any]:
        """Plain data, fit for a line of JSON; the record is kept elsewhere."""
        return {
            "game": self.number,
            "seats": self.entrants_by_seat,
            "starter": self.starter,
            "winner": self.winner,
            "points": self.points,
            "turns": self.turns,
            "times": [times.as_list() for times in self.times],
            "faults": {f"{label} {kind}": count for (label, kind), count in self.faults.items()},
            "told": [
                [fault.label, fault.kind, fault.turn, fault.message, fault.where, fault.times]
                for fault in self.fault_samples
            ],
        }

    @classmethod
    def of_dict(cls, data: dict[str, Any]) -> FinishedGame:
        """From the data of :meth:`as_dict`."""
        number = data["game"]
        return cls(
            number=number,
            entrants_by_seat=tuple(data["seats"]),
            starter=data["starter"],
            winner=data["winner"],
            points=tuple(data["points"]),
            turns=data["turns"],
            times=tuple(map(Times.of_list, data["times"])),
            faults={_stored_fault_key(text): count for text, count in data["faults"].items()},
            fault_samples=tuple(Fault(label, kind, number, *details) for label, kind, *details in data["told"]),
        )


def _stored_fault_key(text: str) -> FaultKey:
    """From `label kind`, as a journal has it; a label may have spaces, a kind has none."""
    label, _, kind = text.rpartition(" ")
    return label, kind


@dataclass(frozen=True)
class TournamentJob:
    """All that is needed to play any game of a tournament, anywhere."""

    entrants: tuple[Entrant, ...]
    options: Options
    seed: int
    board: Layout | None = None
    """The board of all games; None: by the options, another for every block."""
    cap: int = DEFAULT_CAP
    """0: games without an end."""
    keeps_records: bool = False
    strict: bool = False
    """Raise BotFailed instead of playing on when a player loses a decision."""
    compiled: bool | None = None

    @property
    def schedule(self) -> Schedule:
        """Who sits where."""
        return Schedule(len(self.entrants), self.options.players, self.seed)

    def play(self, number: int) -> FinishedGame:
        """Play a game of the schedule, to its end or its cap."""
        with prints_aside():
            return Match(self, self.schedule.game(number)).play()


class Match:
    """A scheduled game as it is played, with a player in every seat."""

    def __init__(self, job: TournamentJob, scheduled: ScheduledGame) -> None:
        self.job, self.scheduled = job, scheduled
        self.options = replace(job.options, first=scheduled.starter, ages=None)
        self.colors = self.options.colors
        self.layout = (job.board or layout_for(self.options, scheduled.seed)).without_seed()
        state = new_state(self.options, self.layout)
        self.referee = Referee(self.options, self.layout, state, mode.runs_compiled(job.compiled))
        self.steps: list[Step] = []
        self.times = tuple(Times() for _ in scheduled.entrants_by_seat)
        self.faults: dict[FaultKey, int] = {}
        self.fault_samples: list[Fault] = []
        self._offer_counts: dict[int, int] = {}  # offers and counter-offers on this turn, by seat
        self._offers_turn = -1
        self.bots: list[Bot] = []
        try:
            for seat in range(len(scheduled.entrants_by_seat)):
                self.bots.append(self.make_bot(seat))
        except BaseException:  # then there is no game, but those who came are told
            self.close()
            raise

    def make_bot(self, seat: SeatNumber) -> Bot:
        """The bot of a seat."""
        return self.job.entrants[self.scheduled.entrants_by_seat[seat]].make(self.scheduled.bot_seeds[seat])

    def label_of(self, seat: SeatNumber) -> str:
        """Who sits there."""
        return self.job.entrants[self.scheduled.entrants_by_seat[seat]].label

    def play(self) -> FinishedGame:
        """Play to the end, or to the cap, and tell the bots that it is over."""
        try:
            self.play_on()
        finally:
            close_errors = self.close()
        for seat, error in close_errors:
            self.note_fault(seat, "failed", f"in close(): {fault_line(error)}", error)
        return self.finished_game()

    def close(self) -> list[tuple[int, BaseException]]:
        """Tell all bots that the game is over; the seats of those that fail at it, and how."""
        errors = [(seat, close_bot(bot)) for seat, bot in enumerate(self.bots)]
        return [(seat, error) for seat, error in errors if error is not None]

    def play_on(self) -> None:
        """Play to the end, or to the cap."""
        referee, state, steps = self.referee, self.referee.state, self.steps
        key, draws, cap = key_for(self.scheduled.seed, "play"), 0, self.job.cap or 1 << 31
        while True:
            phase = state.phase
            if is_chance_phase(phase):
                code = decide_outcome(state, key, draws)
                draws += draws_used(phase)
                referee.step(NATURE, code)
                steps.append(Step(NATURE, code))
                mode.count_toward_compiling(referee.compiled)
            elif phase == OVER or is_capped(state.turn_number, cap):
                return
            else:
                self.decide(next_seat(state, referee.open_offers))

    def view_of(self, seat: SeatNumber) -> SeatView:
        """What a seat knows now."""
        return SeatView(self.options, self.layout, self.referee.view(seat), self.referee.compiled)

    def decide(self, seat: SeatNumber) -> None:
        """Have a bot decide, and carry it out."""
        view = self.view_of(seat)
        started_at = time.perf_counter_ns()
        try:
            choice: object = self.bots[seat].choose(view)
        except BaseException as error:
            if is_from_outside(error):
                raise
            self.times[seat].add(time.perf_counter_ns() - started_at)
            kind = error.kind if isinstance(error, BotFault) else "failed"
            self.play_default(seat, kind, str(error) if isinstance(error, BotFault) else fault_line(error), error)
            return
        self.times[seat].add(time.perf_counter_ns() - started_at)
        try:
            code = choice_code(choice, self.colors, seat)
        except BadInput as error:
            self.play_default(seat, "unreadable", str(error), error)
            return
        except Exception as error:  # the last line of defence: `choice_code` lets nothing else through that we know of
            self.play_default(
                seat, "unreadable", f"an answer that cannot even be looked at: {fault_line(error)}", error
            )
            return
        if act.OFFER <= act.kind_of(code) <= act.COUNTER and self.count_offer(seat) > MOST_OFFERS_PER_TURN:
            self.play_default(seat, "chatter", f"more than {MOST_OFFERS_PER_TURN} offers on one turn", None)
            return
        try:
            self.step(seat, code)
        except IllegalAction as error:
            fallback_code = self.view_of(seat).fallback(code)
            if fallback_code is None:
                self.play_default(seat, "illegal", f"{error.action_text}: {error.reason}", error)
            else:
                self.step(seat, fallback_code)

    def step(self, seat: SeatNumber, code: int) -> None:
        """Carry out an action; raises IllegalAction, and then nothing has changed."""
        self.referee.step(seat, code)
        self.steps.append(Step(seat, code))
        mode.count_toward_compiling(self.referee.compiled)

    def count_offer(self, seat: SeatNumber) -> int:
        """Count an offer; how many the seat has made on this turn."""
        turn = self.referee.state.turn_number
        if turn != self._offers_turn:
            self._offer_counts, self._offers_turn = {}, turn
        self._offer_counts[seat] = self._offer_counts.get(seat, 0) + 1
        return self._offer_counts[seat]

    def play_default(self, seat: SeatNumber, kind: str, message: str, error: BaseException | None) -> None:
        """A bot loses its decision to a plain move."""
        self.note_fault(seat, kind, message, error)
        self.step(seat, default_code(self.view_of(seat)))

    def note_fault(self, seat: SeatNumber, kind: str, message: str, error: BaseException | None) -> None:
        """Count a fault of a bot, and tell it in words if it is one of the first."""
        label, turn = self.label_of(seat), self.referee.state.turn_number
        line = " ".join(message.split())[:300].encode(errors="replace").decode()  # half a character cannot be printed
        where = fault_location(error) if error is not None and kind == "failed" else ""
        fault = Fault(label, kind, self.scheduled.number, turn, line, where)
        if self.job.strict:
            raise BotFailed(str(fault)) from error
        self.faults[label, kind] = self.faults.get((label, kind), 0) + 1
        kinds_told = [known_fault.kind for known_fault in self.fault_samples if known_fault.label == label]
        if any(known_fault.same == fault.same for known_fault in self.fault_samples):
            self.fault_samples = merge_faults([*self.fault_samples, fault])
        elif len(kinds_told) < FAULTS_PER_GAME or kind not in kinds_told:
            self.fault_samples.append(fault)

    def finished_game(self) -> FinishedGame:
        """The game, which is over."""
        state, referee = self.referee.state, self.referee
        points = tuple(total_points(state, seat) for seat in range(state.players))
        return FinishedGame(
            number=self.scheduled.number,
            entrants_by_seat=self.scheduled.entrants_by_seat,
            starter=self.scheduled.starter,
            winner=-1 if referee.winner is None else referee.winner,
            points=points,
            turns=min(state.turn_number, self.job.cap or state.turn_number),
            times=self.times,
            faults=self.faults,
            fault_samples=tuple(self.fault_samples),
            record=self.make_record(points).to_json() if self.job.keeps_records else "",
        )

    def make_record(self, points: tuple[int, ...]) -> Record:
        """The whole game to write down."""
        has_winner = self.referee.winner is not None
        winner = self.colors[self.referee.state.winner] if has_winner else None
        note = "" if has_winner else f"nobody had won after {self.job.cap:,} turn{'s' * (self.job.cap != 1)}"
        return Record(
            options=self.options,
            layout=self.layout,
            names=tuple(map(self.label_of, range(len(self.bots)))),
            steps=tuple(self.steps),
            result=Result("won" if has_winner else "capped", winner, points, note),
            final=final_hash(self.referee),
            tags={"Tournament": f"seed {self.job.seed}", "Round": str(self.scheduled.number + 1)},
        )


def merge_faults(faults: Iterable[Fault]) -> list[Fault]:
    """Each different fault once, with the number of times."""
    merged: dict[tuple[str, ...], Fault] = {}
    for fault in faults:
        first_fault = merged.get(fault.same)
        merged[fault.same] = (
            fault if first_fault is None else replace(first_fault, times=first_fault.times + fault.times)
        )
    return list(merged.values())
