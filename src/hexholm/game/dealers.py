"""Dealers decide the dice, the stolen card and the drawn card.

Chance is a move (docs/decisions/0002): a game that waits for it asks its dealer. A dealer is any object with one
method, `deal(chance)`, that returns one of the outcomes as a text ("dice 3 4", "stolen ore", "drawn knight"), an Action
or a code.

    Seeded(7)                         always the same outcomes for the same seed
    SystemRandom()                    from the operating system; nobody can repeat or foresee them
    Scripted(["dice 3 4", "dice 6 1"])    these, in this order
    Replay(record)                    the outcomes of a recorded game
    Physical(ask)                     asks people at a real table, through your own function
    ByHand()                          decides nothing: the game waits for `game.deal("dice 3 4")`

Dealers do not count outcomes: the question contains everything they need. So taking an action back takes back its
outcomes, and playing it again deals the same. (A physical dealer asks again.)
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Final, Protocol

from hexholm.older_names import with_older_names
from hexholm.rules import notation
from hexholm.rules.colors import Color
from hexholm.rules.encoding import action_codes as act
from hexholm.rules.encoding.phases import DICE_FALL, DRAW, START_ROLL
from hexholm.rules.encoding.structs import State
from hexholm.rules.errors import BadInput
from hexholm.rules.queries import decide_outcome, odds_of_outcome, odds_total, outcome_at
from hexholm.rules.random_numbers import key_for

from .action import Action, AnyAction, OutcomeKind
from .record_format.record_base import RecordBase

_ANSWER_EXAMPLES: Final[dict[OutcomeKind, str]] = {
    "dice": "dice 3 4",
    "drawn": "drawn knight",
    "stolen": "stolen ore",
}


class NoOutcome(BadInput):
    """A dealer has no outcome left, or gave an impossible one. The game waits; continue with `game.deal(...)`."""


@with_older_names(counted="draws", question="question_text")
@dataclass(frozen=True, slots=True)
class Chance:
    """The question to a dealer. Dealers do not play, so they may look at the whole `state`."""

    state: State
    colors: tuple[Color, ...]
    number: int
    """How many outcomes were dealt in this game before."""
    draws: int
    """How many of them were thefts or starting rolls (:func:`hexholm.rules.core.nature.decide_outcome`)."""

    @property
    def kind(self) -> OutcomeKind:
        """The kind of outcome: "dice", "stolen" or "drawn"."""
        phase = self.state.phase
        return "dice" if phase in (START_ROLL, DICE_FALL) else "drawn" if phase == DRAW else "stolen"

    @property
    def player(self) -> str:
        """Who rolls, draws or steals."""
        return self.colors[self.state.active]

    @property
    def victim(self) -> str | None:
        """The player who is robbed."""
        return self.colors[self.state.victim] if self.kind == "stolen" else None

    @property
    def odds(self) -> Mapping[Action, Fraction]:
        """All possible outcomes, with their probabilities."""
        total = odds_total(self.state)
        return {
            Action.of_code(code, self.colors): Fraction(n, total)
            for code in act.OUTCOME_CODES
            if (n := odds_of_outcome(self.state, code))
        }

    @property
    def question_text(self) -> str:
        """The question in words for people at a real table, with how to answer it."""
        return f"{self._sentence} Answer like: {_ANSWER_EXAMPLES[self.kind]}"

    @property
    def _sentence(self) -> str:
        """What is asked, without a word on the answer."""
        if self.state.phase == START_ROLL:
            return f"What does {self.player} roll for the start?"
        if self.kind == "dice":
            return f"What does {self.player} roll?"
        if self.kind == "drawn":
            return f"What does {self.player} draw?"
        return f"What does {self.player} draw from {self.victim}?"

    def check(self, answer: object) -> int:
        """The code of a possible outcome; raises NoOutcome for anything else."""
        if isinstance(answer, Action):
            answer = answer.text
        if isinstance(answer, str):
            try:
                answer = notation.read_action(answer, self.colors)
            except notation.UnreadableAction as error:
                raise NoOutcome(f"{error}. {self.question_text}") from None
        if not isinstance(answer, int) or not odds_of_outcome(self.state, answer):
            text = notation.action_text(answer, self.colors) if isinstance(answer, int) else repr(answer)
            example = str(next(iter(self.odds)))
            raise NoOutcome(f"{text} cannot come out now; {self._sentence} For example: {example}")
        return answer


Outcome = AnyAction


class Dealer(Protocol):
    """Decides chance."""

    def deal(self, chance: Chance) -> Outcome | None:
        """One of the possible outcomes, or None if there is none yet; then the game waits."""
        ...


@dataclass(frozen=True, slots=True)
class Seeded:
    """Outcome k of each kind depends only on the seed and k; `game` is the number of a game in a simulation."""

    seed: int
    game: int = 0

    def deal(self, chance: Chance) -> int:
        """The outcome that the key decides, the same as in a simulation."""
        return decide_outcome(chance.state, key_for(self.seed, "play", self.game), chance.draws)


@dataclass(frozen=True, slots=True)
class SystemRandom:
    """Random numbers from the operating system, for tables where nobody may foresee anything."""

    def deal(self, chance: Chance) -> int:
        """A random outcome, by the odds."""
        return outcome_at(chance.state, random.SystemRandom().randrange(odds_total(chance.state)))


@dataclass(frozen=True, slots=True, init=False)
class Scripted:
    """Outcomes from a list: outcome n of the game is item n."""

    outcomes: tuple[Outcome, ...]

    def __init__(self, outcomes: Iterable[Outcome]) -> None:
        if isinstance(outcomes, str) or not isinstance(outcomes, Iterable):
            raise BadInput(f"{outcomes!r}: give a list of outcomes, such as ['dice 3 4', 'stolen ore']")
        object.__setattr__(self, "outcomes", tuple(outcomes))

    def deal(self, chance: Chance) -> Outcome:
        """The next outcome of the list."""
        if chance.number >= len(self.outcomes):
            raise NoOutcome(f"the script has only {len(self.outcomes)} outcomes. {chance.question_text}")
        return self.outcomes[chance.number]


class Replay(Scripted):
    """The outcomes of a recorded game in order, so that you can play it differently with the same luck."""

    __slots__ = ()

    def __init__(self, record: RecordBase | str) -> None:
        from .record_format.reader import read_record

        if isinstance(record, str):
            record = read_record(RecordBase, record)
        super().__init__(record.outcomes)


@dataclass(frozen=True, slots=True)
class Physical:
    """Asks people at a real table: `ask(chance)` gets the question (`chance.question_text`) and returns the answer."""

    ask: Callable[[Chance], Outcome | None]

    def deal(self, chance: Chance) -> Outcome | None:
        """The answer of the people at the table."""
        return self.ask(chance)


@dataclass(frozen=True, slots=True)
class ByHand:
    """Decides nothing: your program calls `game.deal(outcome)`."""

    def deal(self, chance: Chance) -> None:  # noqa: ARG002  # part of the protocol
        """Returns None, so the game waits for `game.deal(outcome)`."""
        return
