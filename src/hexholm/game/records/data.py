"""A whole game to write down: the rules in force, the board, every step with its outcome, how it ended.

    >>> import hexholm
    >>> from hexholm.game.records.data import Record
    >>> game = hexholm.Game(edition="fifth", setup="fixed", seed=7)
    >>> game.play("roll")
    <2 events: Rolled, Produced>
    >>> record = Record.of(game)
    >>> Record.read(record.text()) == record, record.game() == game
    (True, True)
    >>> print(record.text().splitlines()[-1])
      1. red: roll =3+3

A record holds outcomes, never a seed, so it replays for ever and foretells nothing. `record.seen_by("blue")` is the
copy for blue, with `?` for what blue may not know. The text is described in docs/formats/record.md and written and
read in :mod:`.text` and :mod:`.reading`; :mod:`.verify` checks records, :mod:`.export` has other forms.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Self

import numpy as np

from hexholm.rules.boards import Layout
from hexholm.rules.core.encoding import actions as act
from hexholm.rules.core.encoding.structs import NATURE, State, Talk
from hexholm.rules.initial_state import new_state
from hexholm.rules.options import Options
from hexholm.rules.referee import IllegalAction, Referee

from .. import speed
from ..action import Action, who
from ..game import Game, Result
from ..history import Kept, packed
from ..language.clean_text import clean, one_line, quoted
from ..positions.position import position_hash, position_text, read_position
from .walk import BadRecord, Guide, Walk, amounts_of, is_handed, is_hidden, step_text

if TYPE_CHECKING:
    from ..dealers import Dealer

__all__ = ["PUBLIC", "RECORD_FORMAT", "BadRecord", "Record"]

RECORD_FORMAT: Final = "hexholm-record-1"
"""The version word of the text and of the JSON."""
PUBLIC: Final = "public"
"""Whose copy it is when it is for everybody."""
Remarks = Mapping[int, tuple[str, ...]]
"""Texts, by the number of steps that had happened."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Record:
    """A game written down; make one with `Record.of(game)` or `Record.read(text)`. It cannot be changed."""

    options: Options
    layout: Layout
    names: tuple[str, ...] = ()
    """The players' names by seat; their colours if they have none."""
    steps: tuple[tuple[int, int], ...] = ()
    """(seat, code) of everything; chance has seat -1.

    In a copy a hidden outcome has a code of its own, and so has what a Monopoly brought (:mod:`.walk`).
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
    eyes: str | None = None
    """None: the full record. A colour: that seat's copy. "public": the copy for everybody."""
    revealed: tuple[int, ...] | None = None
    """In the copy of a game that was won: the victory point cards that each seat showed at the end (WIN-07)."""
    final: str | None = None
    """The hash of the last position, so that a replay can prove that it reached it; never in a copy."""
    tags: Mapping[str, str] = field(default_factory=dict)
    """What else the text said of the game, by names of its own."""

    def __post_init__(self) -> None:
        put = object.__setattr__
        names = tuple(clean(name) for name in self.names) or self.options.colors
        if len(names) != self.options.players:
            raise BadRecord(f"{len(names)} names are given for {self.options.players} players")
        put(self, "names", tuple(name or color for name, color in zip(names, self.options.colors, strict=True)))
        put(self, "steps", tuple((int(seat), int(code)) for seat, code in self.steps))
        for kind, cleaned in (("comments", clean), ("taken_back", one_line)):
            kept = {at: tuple(filter(None, map(cleaned, texts))) for at, texts in sorted(getattr(self, kind).items())}
            if kept and not 0 <= min(kept) <= max(kept) <= len(self.steps):
                raise BadRecord(f"a remark after {max(kept)} steps in a game of {len(self.steps)}")
            put(self, kind, {at: texts for at, texts in kept.items() if texts})
        put(self, "tags", {name: clean(text) for name, text in self.tags.items()})
        if self.result is not None:
            note = clean(self.result.note)
            put(self, "result", Result(self.result.how, self.result.winner, tuple(self.result.points), note))
        if self.eyes not in (None, PUBLIC, *self.options.colors):
            raise _no_such_eyes(self.eyes, self.options)
        self._check_outcomes()

    def _check_outcomes(self) -> None:
        """Outcomes that only copies have stand in copies only, and what a Monopoly brought stands behind one."""
        before = NATURE, act.NOTHING
        for step in self.steps:
            seat, code = step
            if self.eyes is None and is_hidden(code):
                raise BadRecord('an outcome is hidden; if this is a seat\'s copy, say so with [SeenBy "blue"]')
            if is_handed(code):
                said = step_text(seat, code, self.options.colors)
                if self.eyes is None:
                    raise BadRecord(
                        f"{said}: only a copy tells what a Monopoly brought; here it follows from the hands"
                    )
                if seat != NATURE or before[0] == NATURE or before[1] & 31 != act.MONOPOLY_CARD:
                    raise BadRecord(f"{said}: this stands right behind a Monopoly (DEV-22)")
                amounts = amounts_of(code)
                if amounts[before[0]] or any(amounts[self.options.players :]):
                    raise BadRecord(f"{said}: only the other players hand cards over (DEV-22)")
            before = step

    # --- from and to games -----------------------------------------------------------------------------------

    @classmethod
    def of(cls, game: Game) -> Self:
        """The full record of a game."""
        referee, start = game.referee, game._history.start
        text, hidden = None, False
        if start is not None:
            then = State(np.frombuffer(start[0], np.uint8).copy()), Talk(np.frombuffer(start[1], np.uint8).copy())
            text = position_text(game.options, game.layout, *then)
            hidden = not _all_known(game, then[0], start[2])
        return cls(
            options=game.options,
            layout=game.layout,
            names=game.names,
            steps=game.steps,
            comments=game.comments,
            result=game.result,
            start=text,
            start_hidden=hidden,
            final=final_hash(referee),
        )

    def game(self, dealer: Dealer | None = None, compiled: bool | None = None, *, known: bool = False) -> Game:
        """The game, played again: the same position and past. Chance that was pending still is.

        A game that began with hidden cards (`start_hidden`) cannot be had again as it was: the record does not tell
        what the players had inferred by then. `known=True` plays it all the same, with all those cards known to all.
        """
        self._must_be_full("played")
        if self.start_hidden and not known:
            raise BadRecord(
                "this game began in a position with hidden cards, and a record does not tell what the players knew of "
                "them; record.game(known=True) plays it as if all these cards had been known to everybody"
            )
        if self.start is None:
            game = Game.unplayed(self.options, self.layout, dealer=dealer, names=self.names, compiled=compiled)
        else:
            found = read_position(self.start)
            game = Game.at(
                self.options,
                self.layout,
                found.state,
                found.talk,
                dealer=dealer,
                names=self.names,
                compiled=compiled,
            )
        try:
            game.repeat(self.steps, self.comments)
        except IllegalAction:
            self.guide().replay(self.steps)
            raise
        if self.result is not None and self.result.how != "won" and not game.over:
            game.cut(self.result.how, self.result.note)
        return game

    def _must_be_full(self, what: str) -> None:
        if self.eyes is not None:
            raise BadRecord(
                f"this is the copy for {self.eyes}, with hidden outcomes; it cannot be {what}. "
                "A game that fits it is hexholm.game.records.verify.verify(record).witness"
            )

    def begin(self) -> tuple[State, Talk]:
        """The position in which the game began."""
        if self.start is None:
            return new_state(self.options, self.layout), Talk()
        found = read_position(self.start)
        return found.state, found.talk

    def referee(self, compiled: bool | None = None) -> Referee:
        """A referee at the beginning of the game."""
        state, talk = self.begin()
        referee = Referee(self.options, self.layout, state, speed.mode(compiled))
        referee.talk.buffer[:] = talk.buffer
        return referee

    def guide(self, compiled: bool | None = None) -> Guide:
        """A guide at the beginning of the game, who asks the rules about every step."""
        return Guide(self.referee(compiled))

    def walk(self) -> Walk:
        """A walk at the beginning of the game."""
        return Walk(self.options, self.begin()[0] if self.start is not None else None)

    # --- eyes ------------------------------------------------------------------------------------------------

    def seen_by(self, eyes: str | None) -> Record:
        """The copy for a colour, or for everybody ("public" or None): only what they may know."""
        from .copy import copy_for

        return copy_for(self, PUBLIC if eyes is None else eyes)

    # --- text and data ---------------------------------------------------------------------------------------

    @classmethod
    def read(cls, text: str, *, check: bool = True) -> Record:
        """One game from its text; raises BadRecord.

        `check`: every action must be legal. (A copy is not checked here: that takes a search, see :mod:`.verify`.)
        """
        from .reading import read_record

        return read_record(text, check=check)

    def text(self) -> str:
        """The canonical text."""
        from .text import record_text

        return record_text(self)

    __str__ = text

    def to_json(self) -> str:
        """The record as one line of JSON."""
        from .json import to_json

        return to_json(self)

    @classmethod
    def from_json(cls, text: str | Mapping[str, Any], *, check: bool = True) -> Record:
        """A record from its JSON, a text or the data in it; raises BadRecord. `check` as for :meth:`read`."""
        from .json import from_json

        return from_json(text, check=check)

    # --- looking ---------------------------------------------------------------------------------------------

    @property
    def colors(self) -> tuple[str, ...]:
        """The players' colours, by seat."""
        return self.options.colors

    @property
    def actions(self) -> tuple[Action, ...]:
        """All steps of a full record as actions."""
        self._must_be_full("told as actions")
        return tuple(Action.of_code(code, self.colors, who(seat, self.colors)) for seat, code in self.steps)

    @property
    def outcomes(self) -> tuple[Action, ...]:
        """What chance decided, in order: for a dealer that deals the same again."""
        self._must_be_full("dealt again")
        return tuple(Action.of_code(code, self.colors) for seat, code in self.steps if seat == NATURE)

    @property
    def texts(self) -> tuple[str, ...]:
        """All steps as texts: `red roll`, `dice 3 4`, `stolen ?`."""
        return tuple(step_text(seat, code, self.colors) for seat, code in self.steps)

    @property
    def first(self) -> str | None:
        """Who began; None as long as the dice have not said so."""
        walk = self._walked()
        return None if walk.first is None else self.colors[walk.first]

    @property
    def turns(self) -> int:
        """The number of the last turn."""
        return self._walked().turn

    def _walked(self) -> Walk:
        walk = self.walk()
        for _, code in self.steps:
            walk.step(code)
        return walk

    def __len__(self) -> int:
        return len(self.steps)

    def __bool__(self) -> bool:
        return True  # also a game in which nothing has happened

    def __hash__(self) -> int:
        return hash((self.options, self.layout, self.names, self.steps, self.start, self.eyes))

    def __repr__(self) -> str:
        copy = "" if self.eyes is None else f", copy for {self.eyes}"
        ended = "unfinished" if self.result is None else self.result.how
        return f"<Record {self.options.edition}, {len(self.colors)} players, {len(self)} steps, {ended}{copy}>"


def _no_such_eyes(eyes: object, options: Options) -> BadRecord:
    return BadRecord(f"a copy for {quoted(eyes)}: the players are {', '.join(options.colors)}, or {PUBLIC}")


def final_hash(referee: Referee) -> str:
    """What stands for the position of a referee."""
    return position_hash(position_text(referee.options, referee.layout, referee.state, referee.talk))


def _all_known(game: Game, state: State, belief: Kept) -> bool:
    """Whether a game that was set up by hand began with all cards known to everybody."""
    fresh = packed(Referee(game.options, game.layout, state, compiled=False).belief)
    return all(np.array_equal(a, b) for a, b in zip(fresh, belief, strict=True))
