"""Following a game step by step: whose turn it is and which, from the steps alone; and, if asked, whether all is legal.

A seat's copy of a game has outcomes that nobody wrote down, so the rules cannot be asked to replay it. But the order
of play is public and simple: starting rolls, placement rounds there and back, then turns that pass to the left
(SETUP-06, SETUP-11, PHASE-08). :class:`Walk` knows just that. Writing and reading records both lean on it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from hexholm.rules.core import actions as act
from hexholm.rules.core.layout import NATURE, State
from hexholm.rules.core.phases import PLACE_ROAD, START_ROLL
from hexholm.rules.errors import BadInput
from hexholm.rules.notation import say
from hexholm.rules.options import FIXED, Options
from hexholm.rules.referee import IllegalAction, Referee

from .legal import LegalActions

ROLLING, PLACING, TURNS = "starting rolls", "placement", "turns"
HIDDEN: Final = 7
"""In place of the kind of a card: it was stolen or drawn, and the reader may not know which."""
STOLEN_HIDDEN: Final = act.simple(act.STOLEN, HIDDEN)
DRAWN_HIDDEN: Final = act.simple(act.DRAWN, HIDDEN)


class BadRecord(BadInput):
    """A text that is no game, or a game that cannot have been played. `line` and `game` count from 1, if known."""

    def __init__(self, message: str, line: int | None = None, game: int | None = None) -> None:
        where = [f"game {game}"] * (game is not None) + [f"line {line}"] * (line is not None)
        super().__init__(": ".join([*where, message]))
        self.message, self.line, self.game = message, line, game

    def __reduce__(self) -> tuple[Any, ...]:
        return BadRecord, (self.message, self.line, self.game)


def is_hidden(code: int) -> bool:
    """Whether an action of chance is not told."""
    return code in (STOLEN_HIDDEN, DRAWN_HIDDEN)


def nature_text(code: int) -> str:
    """What chance decided, as it stands behind `=`: `3+4`, `ore`, `knight`, `?`."""
    if is_hidden(code):
        return "?"
    words = say(code, ()).split()[1:]
    return "+".join(words)


def step_text(seat: int, code: int, colors: tuple[str, ...]) -> str:
    """A step as one text: `red road B2/e`, `dice 3 4`, `stolen ?`."""
    if is_hidden(code):
        return f"{act.KIND_NAMES[code & 31]} ?"
    text = say(code, colors)
    return text if seat == NATURE else f"{colors[seat]} {text}"


class Walk:
    """Where a game stands after some steps: the part of the game, the active seat, the number of the turn."""

    def __init__(self, options: Options, start: State | None = None) -> None:
        self.players, self.fixed = options.players, options.setup == FIXED
        self.turn = self.placed = self.best = self.tied = self.rollers = 0
        self.seat = 0
        self.first: int | None = None
        if start is None:
            self.rollers = sum(1 << seat for seat in options.rollers())
            if self.rollers:
                self.part, self.seat = ROLLING, _lowest(self.rollers)
            else:
                starter = options.starter()
                assert starter is not None
                self._begin(starter)
            return
        self.seat, self.turn = start.turn, start.turn_number
        self.first = start.first if start.first >= 0 else None
        self.part = ROLLING if start.phase == START_ROLL else PLACING if start.phase <= PLACE_ROAD else TURNS
        self.placed, self.best, self.tied, self.rollers = start.placed, start.best_roll, start.tied, start.rollers

    def _begin(self, first: int) -> None:
        self.first = self.seat = first
        self.part, self.turn = (TURNS, 1) if self.fixed else (PLACING, 0)

    @property
    def line(self) -> tuple[str, int]:
        """What the steps of one line of text share: a placement, a turn, or all starting rolls."""
        return self.part, self.placed if self.part == PLACING else self.turn

    @property
    def when(self) -> str:
        """In words: `turn 5`, `set-up`."""
        return f"turn {self.turn}" if self.part == TURNS else "set-up"

    def step(self, code: int) -> None:
        """One more step."""
        kind = code & 31
        if self.part == TURNS:
            if kind == act.END:
                self.seat, self.turn = (self.seat + 1) % self.players, self.turn + 1
        elif self.part == PLACING:
            if kind == act.ROAD:
                self._next_placement()
        elif kind == act.DICE:
            self._starting_roll((code >> 5 & 7) + (code >> 8))

    def _next_placement(self) -> None:
        assert self.first is not None
        self.placed += 1
        n = self.players
        order = self.placed if self.placed < n else 2 * n - 1 - self.placed
        if self.placed == 2 * n:
            self.part, self.seat, self.turn = TURNS, self.first, 1
        else:
            self.seat = (self.first + order) % n

    def _starting_roll(self, rolled: int) -> None:
        bit = 1 << self.seat
        if rolled > self.best:
            self.best, self.tied = rolled, bit
        elif rolled == self.best:
            self.tied |= bit
        self.rollers &= ~bit
        if not self.rollers:
            if self.tied.bit_count() == 1:
                self._begin(_lowest(self.tied))
                return
            self.rollers, self.best = self.tied, 0  # SETUP-07: as in the rules, the tied seats stay noted
        self.seat = _lowest(self.rollers)


class Guide(Walk):
    """A walk that asks the rules about every step; `referee` stands at the beginning of the game."""

    def __init__(self, referee: Referee, start: State | None = None) -> None:
        super().__init__(referee.options, start)
        self.referee = referee

    def play(self, seat: int, code: int) -> None:
        """One more step; raises BadRecord and stays where it is if it is not legal."""
        try:
            self.referee._step(seat, code)
        except IllegalAction as no:
            raise BadRecord(f"{self.when}: {self.refusal(seat, code, no)}") from None
        self.step(code)

    def replay(self, steps: Iterable[tuple[int, int]]) -> None:
        """Play all steps."""
        for seat, code in steps:
            self.play(seat, code)

    def refusal(self, seat: int, code: int, no: IllegalAction) -> str:
        """Why not, and what could have happened instead."""
        referee, said = self.referee, step_text(seat, code, self.referee.colors)
        if chance := referee.chance():
            few = ", ".join(referee.say(outcome) for outcome in list(chance)[:3])
            return f"{said}: {no.reason}; chance decides now, for example: {few}"
        if seat == NATURE:
            return f"{said}: {no.reason}"
        legal = LegalActions(referee.colors, {seat: referee.legal(seat)})
        return str(IllegalAction(said, no.reason, legal))


def _lowest(bits: int) -> int:
    return (bits & -bits).bit_length() - 1
