"""What a player is: anything that can choose an action for a seat from what that seat may know.

    >>> import hexholm
    >>> class Hasty:
    ...     def __init__(self, seed: int | str = 0) -> None:
    ...         pass
    ...     def choose(self, view: hexholm.SeatView) -> hexholm.Action:
    ...         return view.legal_actions[-1]
    >>> game = hexholm.Game(edition="fifth", setup="fixed", seed=7)
    >>> game.play(Hasty().choose(game.view("red")))
    <2 events: Rolled, Produced>

A player is made by a *factory*: `factory(seed)`, or `factory(seed, effort=effort)` if it lets its effort be chosen; the
default of `effort` is how hard it thinks if nobody says. A class with such an `__init__` is one. It is asked with one
method, `choose(view)`, and answers with an action, the text of one, or the core's code of one. Compiled players answer
with codes: their `choose` hands `view.raw.buffer` to a kernel.

It may also have
    `remind(turn, own_offers, countered)`
                                       what its seat has offered on a turn and whose offers it has countered: hosts make
                                       a player anew for every question, and this is all the memory it is given. It is
                                       told all of this turn, and turn by turn what came to nothing before;
    `explain()`                        thoughts about its last choice, that one first, then the best of the others
                                       (:class:`Thought`; :func:`hexholm.bots.explanation.explain_choice` makes some);
    `held_back`                        whether its last choice was below its strength, as when its kernels are not
                                       compiled yet: a rated game with such a choice does not count;
    `close()`                          called when its game is over.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import lru_cache
from inspect import Parameter, signature
from operator import index
from typing import TYPE_CHECKING, Final, Protocol, Self

from hexholm.older_names import with_older_names
from hexholm.rules import notation
from hexholm.rules.colors import Color, SeatNumber
from hexholm.rules.encoding import action_codes as act
from hexholm.rules.errors import BadInput

from .faults import is_from_outside

if TYPE_CHECKING:
    from hexholm.game.action import Action, AnyAction
    from hexholm.game.game import SeatView

Factory = Callable[..., "Bot"]
"""Makes a bot: `factory(seed)`, or `factory(seed, effort=effort)`."""
MOST_BOT_TURNS: Final = 1000
"""A game among bots alone that nobody wins is cut short after so many turns, unless said otherwise."""
DEFAULTS: Final = (act.ROLL, act.END, act.REJECT)
"""What is done first for a player that gives no answer that can be used."""
ANSWER_FORMS: Final = "answer with an Action, a text or a code"
"""What is said to one that answers with something else."""


class Bot(Protocol):
    """Chooses for a seat."""

    def choose(self, view: SeatView, /) -> AnyAction:
        """What to do now: a legal action of the seat that looks, its text or its code."""
        ...


@with_older_names(chance="win_probability")
@dataclass(frozen=True, slots=True, init=False)
class Thought:
    """One action that a player has thought about."""

    action: Action
    win_probability: float
    """How likely its seat is to win after that, as the player sees it: 0 to 1; of an offer, if it is agreed to.

    Of `hard` and `expert`: what was left out early was tried in few worlds, which may flatter it, and is given no
    better chance than what was chosen.
    """
    reason: str = ""
    """Why, in a few words of the edition."""

    def __init__(
        self, action: Action, win_probability: float | None = None, reason: str = "", *, chance: float | None = None
    ) -> None:
        """`chance` is an older name of `win_probability`."""
        for name, value in (
            ("action", action),
            ("win_probability", chance if win_probability is None else win_probability),
            ("reason", reason),
        ):
            object.__setattr__(self, name, value)


@dataclass(frozen=True, slots=True)
class Effort:
    """How hard a player is to think about a decision: so many `steps` of its own kind, or so many `seconds`.

    Steps are worlds, playouts or whatever the player counts, and give the same game again on any machine. Seconds do
    not: they are a budget.
    """

    steps: int | None = None
    seconds: float | None = None

    def __post_init__(self) -> None:
        if (self.steps is None) == (self.seconds is None):
            raise BadInput("an effort is a number of steps, or a number of seconds: give one of them")
        if self.steps is not None and (type(self.steps) is not int or self.steps < 1):
            raise BadInput(f"effort {self.steps!r}: give a whole number of steps, 1 or more")
        if self.seconds is not None and not 0 < self.seconds < float("inf"):
            raise BadInput(f"effort {self.seconds!r}: give a number of seconds above 0")

    @classmethod
    def of(cls, text: str) -> Self:
        """From a text: `400` (steps), `100ms` or `1.5s`."""
        match = re.fullmatch(r"(\d{1,12})|(\d{1,9}(?:\.\d{1,9})?)(ms|s)", text.strip().lower())
        if match is None:
            raise BadInput(f"effort {text!r}: write steps as in 400, or a time for a decision as in 100ms or 1.5s")
        if match[1]:
            return cls(steps=int(match[1]))
        return cls(seconds=float(match[2]) / (1000 if match[3] == "ms" else 1))

    @property
    def repeatable(self) -> bool:
        """Whether the same seed plays the same game."""
        return self.steps is not None

    def __str__(self) -> str:
        if self.steps is not None:
            return str(self.steps)
        assert self.seconds is not None
        return f"{self.seconds * 1000:.9g}ms" if self.seconds < 1 else f"{self.seconds:.9g}s"


def takes_effort(factory: Factory) -> bool:
    """Whether a factory lets the effort be chosen."""
    parameters = _parameters_of(factory)
    return "effort" in parameters or any(parameter.kind is parameter.VAR_KEYWORD for parameter in parameters.values())


def usual_effort(factory: Factory) -> Effort | None:
    """The effort of bots for which none is chosen, where the factory names one: the default of its `effort`."""
    parameter = _parameters_of(factory).get("effort")
    return parameter.default if parameter is not None and isinstance(parameter.default, Effort) else None


def _parameters_of(factory: Factory) -> Mapping[str, Parameter]:
    try:
        return signature(factory).parameters
    except (TypeError, ValueError):  # some things that can be called do not say how
        return {}


# --- answers ----------------------------------------------------------------------------------------------------------


def choice_code(choice: object, colors: tuple[Color, ...], seat: SeatNumber) -> int:
    """The code of a bot's answer in a game with these colors; raises UnreadableAction for what is none."""
    try:
        return _code_of(choice, colors, seat)
    except BadInput:
        raise
    except BaseException as error:  # a foreign object may do anything when it is looked at
        if is_from_outside(error):
            raise
        raise notation.UnreadableAction(
            _ill_made_field(choice) or f"{_safe_repr(choice)} is no action: {ANSWER_FORMS}"
        ) from error


def _code_of(choice: object, colors: tuple[Color, ...], seat: SeatNumber) -> int:
    if isinstance(choice, str):
        first_word, _, remainder = choice.strip().partition(" ")
        if first_word.rstrip(":").lower() == colors[seat]:  # it says who acts, which is known
            choice = remainder
        return notation.read_action(choice, colors, seat)
    if hasattr(choice, "__index__") and not isinstance(choice, bool):
        code = index(choice)  # and not its own `__index__`, which classes and arrays have too
        if not 0 < code < 1 << 63:
            raise notation.UnreadableAction(f"{code} is the code of no action")
        return code
    from hexholm.game.action import Action

    if not isinstance(choice, Action):
        raise notation.UnreadableAction(f"{_safe_repr(choice)} is no action: {ANSWER_FORMS}")
    if choice.by not in (None, colors[seat]):
        raise notation.UnreadableAction(f"{choice.by} {choice}: {colors[seat]} cannot act for {choice.by}")
    return _action_code(choice, colors, seat)


@lru_cache(maxsize=16_384)
def _action_code(action: Action, colors: tuple[Color, ...], seat: SeatNumber) -> int:
    return notation.read_action(action.text, colors, seat)


def text_of(choice: AnyAction, colors: Sequence[Color]) -> str:
    """The text of a bot's answer."""
    return notation.action_text(choice, colors) if isinstance(choice, int) else str(choice)


def is_capped(turn: int, cap: int) -> bool:
    """Whether a game among bots that nobody wins is cut short: the turn of the cap is the last that is played."""
    return turn > cap


def default_code(view: SeatView) -> int:
    """A plain legal move: roll, end the turn, refuse an offer, else the first thing that can be done."""
    legal = view.legal_actions.codes
    for kind in DEFAULTS:
        for code in legal:
            if act.kind_of(code) == kind:
                return code
    return legal[0] if legal else act.END


def _ill_made_field(choice: object) -> str:
    """Of an Action that has no text or no hash: its first field that holds what does not belong there."""
    from hexholm.game.action import Action
    from hexholm.game.cards import Cards

    if not isinstance(choice, Action):
        return ""
    types = {"give": Cards, "want": Cards, "to": tuple, "dice": tuple, "offer": int}
    for field in fields(Action):
        value, field_type = getattr(choice, field.name), types.get(field.name, str)
        if value is not None and not isinstance(value, field_type):
            description = (
                f"an Action with {field.name}={_safe_repr(value)}, which has to be of type {field_type.__name__}"
            )
            return f"{description}; Action.of('road C3/ne') makes one that fits"
    return ""


def _safe_repr(choice: object) -> str:
    try:
        text = repr(choice)
    except BaseException as error:
        if is_from_outside(error):
            raise
        return f"a {type(choice).__name__} that cannot be shown"
    return text if len(text) <= notation.LONGEST_QUOTE else f"{text[: notation.LONGEST_QUOTE - 4]} ..."
