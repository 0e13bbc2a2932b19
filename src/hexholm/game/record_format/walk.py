"""Following a game step by step: whose turn it is and which, from the steps alone; and, if asked, whether all is legal.

A seat's copy of a game has outcomes that nobody wrote down, so the rules cannot be asked to replay it. But the order of
play is public: starting rolls, placement rounds there and back, turns. :class:`Walk` leads a table without a board, on
which only that order is kept, through the same functions of the core that keep it in a game. A :class:`Guide` has a
whole game and asks the rules about every step. Writing and reading records both lean on these.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from hexholm.rules.core.encoding import actions as act
from hexholm.rules.core.encoding.structs import NATURE, NOBODY, SEATS, State
from hexholm.rules.core.phases import PLACE_ROAD, START_ROLL
from hexholm.rules.core.placement import begin_start_roll, next_placement, start_play, take_start_roll
from hexholm.rules.core.turn import end_turn
from hexholm.rules.editions import FIXED
from hexholm.rules.errors import BadInput
from hexholm.rules.notation import say
from hexholm.rules.options import Options
from hexholm.rules.referee import IllegalAction, Referee

from ..legal import LegalActions

ROLLING, PLACEMENT, TURNS = "starting rolls", "placement", "turns"
HIDDEN_CARD: Final = 7
"""In place of the kind of a card: it was stolen or drawn, and the reader may not know which."""
STOLEN_HIDDEN: Final = act.simple(act.STOLEN, HIDDEN_CARD)
DRAWN_HIDDEN: Final = act.simple(act.DRAWN, HIDDEN_CARD)
HANDED: Final = "handed"
"""The word before what a Monopoly brought, in a step that is written as one text."""
UNREACHED_POINTS: Final = 127
"""Points that nobody reaches: who has won is not asked."""
_COUNT_BITS: Final = 7
_MOST_HANDED: Final = (1 << _COUNT_BITS) - 1
_ORDER: Final = ("first", "active", "turn_number", "phase", "placed", "rollers", "tied", "best_roll", "fixed_start")
"""The fields of a state that keep the order of play."""


class BadRecord(BadInput):
    """A text that is no game, or a game that cannot have been played. `line` and `game` count from 1, if known."""

    def __init__(self, message: str, line: int | None = None, game: int | None = None) -> None:
        where = [f"game {game}"] * (game is not None) + [f"line {line}"] * (line is not None)
        super().__init__(": ".join([*where, message]))
        self.message, self.line, self.game = message, line, game

    def __reduce__(self) -> tuple[Any, ...]:
        return BadRecord, (self.message, self.line, self.game)


# --- outcomes that only copies have ----------------------------------------------------------------------------------


def is_hidden(code: int) -> bool:
    """Whether an action of chance is not told."""
    return code in (STOLEN_HIDDEN, DRAWN_HIDDEN)


def encode_handed(amounts: Iterable[int]) -> int:
    """The outcome of a Monopoly: how many cards each seat handed over, which all could see (INFO-09).

    A full record does not have it, for there it follows from the hands. As an outcome it has the seat of chance.
    """
    code = act.simple(act.MONOPOLY_CARD, HIDDEN_CARD)
    for seat, n in enumerate(amounts):
        if not 0 <= n <= _MOST_HANDED or seat >= SEATS:
            raise BadRecord(f"{n} cards cannot be handed over")
        code |= n << 8 + _COUNT_BITS * seat
    return code


def is_handed(code: int) -> bool:
    """Whether this is the outcome of a Monopoly."""
    return code & 255 == act.simple(act.MONOPOLY_CARD, HIDDEN_CARD)


def amounts_of(code: int) -> tuple[int, ...]:
    """How many cards each seat handed over."""
    return tuple(code >> 8 + _COUNT_BITS * seat & _MOST_HANDED for seat in range(SEATS))


# --- steps as texts --------------------------------------------------------------------------------------------------


def nature_text(code: int, colors: tuple[str, ...] = ()) -> str:
    """An outcome, as it stands behind `=`: `3+4`, `ore`, `knight`, `?`; of a Monopoly `3 red 1 blue`, or `nothing`.

    Without colours the cards that were handed over are counted by seat: `3 1 0 0`.
    """
    if is_hidden(code):
        return "?"
    if is_handed(code):
        if not colors:
            return " ".join(map(str, amounts_of(code)))
        named = zip(amounts_of(code), colors, strict=False)
        return " ".join(f"{n} {color}" for n, color in named if n) or "nothing"
    words = say(code, ()).split()[1:]
    return "+".join(words)


def step_text(seat: int, code: int, colors: tuple[str, ...]) -> str:
    """A step as one text: `red road B2/e`, `dice 3 4`, `stolen ?`, `handed 3 red 1 blue`."""
    if is_hidden(code):
        return f"{act.KIND_NAMES[act.kind_of(code)]} ?"
    if is_handed(code):
        return f"{HANDED} {nature_text(code, colors)}"
    text = say(code, colors)
    return text if seat == NATURE else f"{colors[seat]} {text}"


# --- the order of play -----------------------------------------------------------------------------------------------


class Walk:
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
    def when(self) -> str:
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
            take_start_roll(self._table, (act.parameter_of(code) & 7) + (act.parameter_of(code) >> 3))
        else:
            return
        self.read_off()


class Guide(Walk):
    """A walk that asks the rules about every step; `referee` stands at the beginning of the game."""

    def __init__(self, referee: Referee) -> None:
        self.referee = referee
        self._follow(referee.state)

    def step(self, code: int) -> None:  # noqa: ARG002  # the referee has made it
        """One more step: the referee's own table has it."""
        self.read_off()

    def play(self, seat: int, code: int) -> None:
        """One more step; raises BadRecord and stays where it is if it is not legal."""
        try:
            self.referee.step(seat, code)
        except IllegalAction as no:
            raise BadRecord(f"{self.when}: {self.refusal(seat, code, no)}") from None
        self.step(code)

    def replay(self, steps: Iterable[tuple[int, int]]) -> None:
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
