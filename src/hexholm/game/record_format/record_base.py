"""A game written down, as data: the rules in force, the board, every step with its outcome, how it ended.

:class:`RecordBase` holds it, checks it and leads through it. What makes a game, a copy or a text of it stands above:
:class:`hexholm.game.game.Record`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final, TypeVar

from hexholm.older_names import with_older_names
from hexholm.rules.boards import Layout
from hexholm.rules.colors import Color
from hexholm.rules.compilation import mode
from hexholm.rules.encoding import action_codes as act
from hexholm.rules.encoding.phases import OVER
from hexholm.rules.encoding.structs import NATURE, OpenOffers, State
from hexholm.rules.initial_state import new_state
from hexholm.rules.queries import total_points
from hexholm.rules.referee import Referee, Step
from hexholm.rules.setup.options import Options

from ..action import Action, actor_name
from ..language.clean_text import clean, one_line, quoted_text
from ..positions.position_words import PUBLIC
from ..result import Result
from .steps import BadRecord, amounts_of, is_handed, is_hidden, step_text
from .turn_tracker import CheckedTurnTracker, TurnTracker

RECORD_FORMAT: Final = "hexholm-record-1"
"""The version word of the text and of the JSON."""
Remarks = Mapping[int, tuple[str, ...]]
"""Texts, by the number of steps that had happened."""


@with_older_names(begin="opening_position", guide="checked_tracker", walk="turn_tracker")
@dataclass(frozen=True, kw_only=True, slots=True)
class RecordBase:
    """A game written down, as values; it cannot be changed.

    :class:`hexholm.game.game.Record` adds the game, the texts and the copies that are made of it. There are two classes
    because their makers (:mod:`.text_form`, :mod:`.seat_copy`, ...) take this one and `Record` offers what they make.
    """

    options: Options
    layout: Layout
    names: tuple[str, ...] = ()
    """The players' names by seat; their colors if they have none."""
    steps: tuple[Step, ...] = ()
    """(seat, code) of everything; chance has seat -1.

    In a copy a hidden outcome has a code of its own, and so has what a Monopoly brought (:mod:`.turn_tracker`).
    """
    comments: Remarks = field(default_factory=dict)
    taken_back: Remarks = field(default_factory=dict)
    """Actions that were taken back, as they were written: they are kept, not played."""
    result: Result | None = None
    """None: the game is not finished. In a copy the points of others are those that their player may know."""
    start: str | None = None
    """The text of the position in which the game began; None: it began at the beginning."""
    start_hidden: bool = False
    """Whether cards were hidden in that position; then no copies can be made. Else all were known to everybody."""
    eyes: Color | None = None
    """None: the full record. A color: that seat's copy. "public": the copy for everybody."""
    revealed: tuple[int, ...] | None = None
    """In the copy of a game that was won: the victory point cards that each seat showed at the end (WIN-07)."""
    final: str | None = None
    """The hash of the last position, so that a replay can prove that it reached it; never in a copy."""
    tags: Mapping[str, str] = field(default_factory=dict)
    """What else the text said of the game, by names of its own."""

    def __post_init__(self) -> None:
        set_field = object.__setattr__
        names = tuple(clean(name) for name in self.names) or self.options.colors
        if len(names) != self.options.players:
            raise BadRecord(f"{len(names)} names are given for {self.options.players} players")
        set_field(self, "names", tuple(name or color for name, color in zip(names, self.options.colors, strict=True)))
        set_field(self, "steps", tuple(Step(int(seat), int(code)) for seat, code in self.steps))
        for kind, clean_text in (("comments", clean), ("taken_back", one_line)):
            remarks = {
                moment: tuple(filter(None, map(clean_text, texts)))
                for moment, texts in sorted(getattr(self, kind).items())
            }
            if remarks and not 0 <= min(remarks) <= max(remarks) <= len(self.steps):
                raise BadRecord(f"a remark after {max(remarks)} steps in a game of {len(self.steps)}")
            set_field(self, kind, {moment: texts for moment, texts in remarks.items() if texts})
        tags = {name: one_line(text) for name, text in self.tags.items()}
        set_field(self, "tags", tags)  # whole: half a proof of the dice would be none
        if self.result is not None:
            note = clean(self.result.note)
            set_field(self, "result", Result(self.result.how, self.result.winner, tuple(self.result.points), note))
        if self.eyes not in (None, PUBLIC, *self.options.colors):
            raise _unknown_eyes(self.eyes, self.options)
        self._check_outcomes()

    def _check_outcomes(self) -> None:
        """Outcomes that only copies have stand in copies only, and what a Monopoly brought stands behind one."""
        previous = NATURE, act.NOTHING
        for step in self.steps:
            seat, code = step
            if self.eyes is None and is_hidden(code):
                raise BadRecord('an outcome is hidden; if this is a seat\'s copy, say so with [SeenBy "blue"]')
            if is_handed(code):
                text = step_text(seat, code, self.options.colors)
                if self.eyes is None:
                    raise BadRecord(
                        f"{text}: only a copy tells what a Monopoly brought; here it follows from the hands"
                    )
                if seat != NATURE or previous[0] == NATURE or act.kind_of(previous[1]) != act.MONOPOLY_CARD:
                    raise BadRecord(f"{text}: this stands right behind a Monopoly (DEV-22)")
                amounts = amounts_of(code)
                if amounts[previous[0]] or any(amounts[self.options.players :]):
                    raise BadRecord(f"{text}: only the other players hand cards over (DEV-22)")
            previous = step

    # --- following it -----------------------------------------------------------------------------------------

    def _must_be_full(self, what: str) -> None:
        if self.eyes is not None:
            raise BadRecord(
                f"this is the copy for {self.eyes}, with hidden outcomes; it cannot be {what}. "
                "A game that fits it is hexholm.game.records.verify.verify(record).witness"
            )

    def opening_position(self) -> tuple[State, OpenOffers]:
        """The position in which the game began."""
        if self.start is None:
            return new_state(self.options, self.layout), OpenOffers()
        state, open_offers = _start_position(self.start)
        return state.copy(), open_offers.copy()

    def referee(self, compiled: bool | None = None) -> Referee:
        """A referee at the beginning of the game."""
        state, open_offers = self.opening_position()
        referee = Referee(self.options, self.layout, state, mode.runs_compiled(compiled))
        referee.open_offers.buffer[:] = open_offers.buffer
        return referee

    def checked_tracker(self, compiled: bool | None = None) -> CheckedTurnTracker:
        """A tracker at the beginning of the game that checks every step by the rules."""
        return CheckedTurnTracker(self.referee(compiled))

    def turn_tracker(self) -> TurnTracker:
        """A tracker at the beginning of the game."""
        return TurnTracker(self.options, self.opening_position()[0] if self.start is not None else None)

    # --- looking ---------------------------------------------------------------------------------------------

    @property
    def colors(self) -> tuple[Color, ...]:
        """The players' colors, by seat."""
        return self.options.colors

    @property
    def actions(self) -> tuple[Action, ...]:
        """All steps of a full record, as actions."""
        self._must_be_full("told as actions")
        return tuple(Action.of_code(code, self.colors, actor_name(seat, self.colors)) for seat, code in self.steps)

    @property
    def outcomes(self) -> tuple[Action, ...]:
        """The outcomes of chance in order, for a dealer that deals them again."""
        self._must_be_full("dealt again")
        return tuple(Action.of_code(code, self.colors) for seat, code in self.steps if seat == NATURE)

    @property
    def texts(self) -> tuple[str, ...]:
        """All steps as texts: `red roll`, `dice 3 4`, `stolen ?`."""
        return tuple(step_text(seat, code, self.colors) for seat, code in self.steps)

    @property
    def first(self) -> Color | None:
        """The first player; None until the dice have decided it."""
        tracker = self._finished_tracker()
        return None if tracker.first is None else self.colors[tracker.first]

    @property
    def turns(self) -> int:
        """The number of the last turn."""
        return self._finished_tracker().turn

    def _finished_tracker(self) -> TurnTracker:
        tracker = self.turn_tracker()
        for _, code in self.steps:
            tracker.step(code)
        return tracker

    def __len__(self) -> int:
        return len(self.steps)

    def __bool__(self) -> bool:
        return True  # also a game in which nothing has happened

    def __hash__(self) -> int:
        return hash((self.options, self.layout, self.names, self.steps, self.start, self.eyes))

    def __repr__(self) -> str:
        copy = "" if self.eyes is None else f", copy for {self.eyes}"
        ending = "unfinished" if self.result is None else self.result.how
        return f"<Record {self.options.edition}, {len(self.colors)} players, {len(self)} steps, {ending}{copy}>"


AnyRecord = TypeVar("AnyRecord", bound=RecordBase)


@lru_cache(maxsize=32)  # whatever follows a record begins there: its texts, copies and checks, one after another
def _start_position(text: str) -> tuple[State, OpenOffers]:
    from ..positions.position import read_position

    position = read_position(text)
    return position.state, position.open_offers


def _unknown_eyes(eyes: object, options: Options) -> BadRecord:
    return BadRecord(f"a copy for {quoted_text(eyes)}: the players are {', '.join(options.colors)}, or {PUBLIC}")


def final_hash(referee: Referee) -> str:
    """What stands for the position of a referee."""
    from ..positions.position import position_hash, position_text

    return position_hash(position_text(referee.options, referee.layout, referee.state, referee.open_offers))


def true_result(record: RecordBase, state: State) -> Result | None:
    """The result of a game that came to `state`: who has won, or else how the record says it was stopped."""
    points = tuple(total_points(state, seat) for seat in range(state.players))
    recorded = record.result
    if state.phase == OVER:
        note = recorded.note if recorded is not None and recorded.how == "won" else ""
        return Result("won", record.colors[state.winner], points, note)
    if recorded is None or recorded.how == "won":
        return None
    return Result(recorded.how, None, points, recorded.note)
