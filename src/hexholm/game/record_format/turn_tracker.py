"""Following a game step by step: whose turn it is and which, from the steps alone; and, if asked, whether all is legal.

A seat's copy of a game has outcomes that nobody wrote down, so the rules cannot be asked to replay it. But the order of
play is public: starting rolls, placement rounds there and back, turns. :class:`TurnTracker` leads a table without a
board, on which only that order is kept, through the same functions of the core that keep it in a game. A
:class:`CheckedTurnTracker` has a whole game and asks the rules about every step. Writing and reading records both lean
on these.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from hexholm.rules.colors import SeatNumber
from hexholm.rules.core.placement import begin_start_roll, next_placement, start_play, take_start_roll
from hexholm.rules.core.turn import end_turn
from hexholm.rules.encoding import action_codes as act
from hexholm.rules.encoding.phases import PLACE_ROAD, START_ROLL
from hexholm.rules.encoding.structs import NATURE, NOBODY, State
from hexholm.rules.reasons import IllegalAction
from hexholm.rules.referee import Referee, Step
from hexholm.rules.setup.editions import FIXED
from hexholm.rules.setup.options import Options

from ..legal_actions import LegalActions
from .steps import BadRecord, step_text

ROLLING, PLACEMENT, TURNS = "starting rolls", "placement", "turns"
UNREACHED_POINTS: Final = 127
"""Points that nobody reaches: who has won is not asked."""
_ORDER: Final = ("first", "active", "turn_number", "phase", "placed", "rollers", "tied", "best_roll", "fixed_start")
"""The fields of a state that keep the order of play."""


class TurnTracker:
    """Where a game stands after some steps: the part of the game, the active seat, the number of the turn."""

    def __init__(self, options: Options, start: State | None = None) -> None:
        table = State()
        table.players, table.fixed_start, table.first = options.players, options.setup == FIXED, NOBODY
        table.points_to_win = UNREACHED_POINTS
        if start is not None:
            for name in _ORDER:
                setattr(table, name, getattr(start, name))
        elif (starter := options.starter()) is not None:
            start_play(table, starter)
        else:
            begin_start_roll(table, sum(1 << seat for seat in options.rollers()))
        self._follow(table)

    def _follow(self, table: State) -> None:
        self._table = table
        self.read_off()

    def read_off(self) -> None:
        """Read off the table where the game stands."""
        table = self._table
        self.seat, self.turn, self.placed = table.active, table.turn_number, table.placed
        self.first = table.first if table.first >= 0 else None
        phase = table.phase
        self.part = ROLLING if phase == START_ROLL else PLACEMENT if phase <= PLACE_ROAD else TURNS

    @property
    def line(self) -> tuple[str, int]:
        """What the steps of one line of text share: a placement, a turn, or all starting rolls."""
        return self.part, self.placed if self.part == PLACEMENT else self.turn

    @property
    def turn_label(self) -> str:
        """In words: `turn 5`, `set-up`."""
        return f"turn {self.turn}" if self.part == TURNS else "set-up"

    def step(self, code: int) -> None:
        """One more step: only the end of a turn, the road of a placement and a starting roll move the order on."""
        kind = act.kind_of(code)
        if kind == act.END and self.part == TURNS:
            end_turn(self._table)
        elif kind == act.ROAD and self.part == PLACEMENT:
            next_placement(self._table)
        elif kind == act.DICE and self.part == ROLLING:
            take_start_roll(self._table, act.first_die_of(code) + act.second_die_of(code))
        else:
            return
        self.read_off()


class CheckedTurnTracker(TurnTracker):
    """A tracker that asks the rules about every step; `referee` stands at the beginning of the game."""

    def __init__(self, referee: Referee) -> None:
        self.referee = referee
        self._follow(referee.state)

    def step(self, code: int) -> None:  # noqa: ARG002  # the referee has made it
        """One more step: the referee's own table has it."""
        self.read_off()

    def play(self, seat: SeatNumber, code: int) -> None:
        """One more step; raises BadRecord and stays where it is if it is not legal."""
        try:
            self.referee.step(seat, code)
        except IllegalAction as error:
            raise BadRecord(f"{self.turn_label}: {self.refusal(seat, code, error)}") from None
        self.step(code)

    def replay(self, steps: Iterable[Step]) -> None:
        for seat, code in steps:
            self.play(seat, code)

    def refusal(self, seat: SeatNumber, code: int, error: IllegalAction) -> str:
        """Why not, and what could have happened instead."""
        referee, text = self.referee, step_text(seat, code, self.referee.colors)
        if outcome_odds := referee.chance():
            examples = ", ".join(referee.action_text(outcome) for outcome in list(outcome_odds)[:3])
            return f"{text}: {error.reason}; chance decides now, for example: {examples}"
        if seat == NATURE:
            return f"{text}: {error.reason}"
        legal = LegalActions(referee.colors, {seat: referee.legal(seat)})
        return str(IllegalAction(text, error.reason, legal))
