"""Why an action is refused: its name and rule, what it is about as data, and the sentence in the words of the edition.

Refusals in Python, at a terminal, in a browser or to an assistant are all made from a :class:`Reason`:
programs read its `name` and `values`, people its `text`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any, Final

from hexholm.older_names import with_older_names

from .colors import Color
from .encoding.lanes import unpack
from .encoding.phases import PHASES
from .encoding.refusals import REFUSALS, refusal_of, refusal_parameter_of
from .encoding.structs import RESOURCES
from .errors import BadInput
from .language.refusal_sentences import refusal_clause, say_refusal
from .setup.editions import FALLBACK_EDITION, PRICED
from .setup.options import Options

_MOST_NAMED: Final = 6
"""Legal actions that a refusal names."""


@dataclass(frozen=True)
class Reason:
    """Why an action is refused."""

    name: str
    """Which refusal it is, for programs (docs/reference/refusals.md)."""
    rule: str
    """The id of the rule that forbids the action."""
    values: Mapping[str, Any] = field(default_factory=dict, hash=False)
    """What it is about: `{"seat": "red"}`, `{"price": {"brick": 1, "lumber": 1}}`, `{"phase": "robber"}`."""
    edition: str = FALLBACK_EDITION
    """In whose words it is said."""

    @cached_property
    def text(self) -> str:
        """In English, as a part of a sentence: `the dice were rolled already this turn`."""
        return refusal_clause(self.name, self.values, self.edition)

    def sentence(self, language: str = "en", to: Color | None = None) -> str:
        """The reason as a full sentence in any language, for the player of color `to`, who is called "you"."""
        return say_refusal(self.name, self.values, self.edition, language, to)

    def __str__(self) -> str:
        return f"{self.text} ({self.rule})"


@lru_cache(maxsize=4096)
def reason_of(verdict: int, options: Options) -> Reason:
    """The reason that a verdict of the core stands for in a game with these options; it must not be LEGAL.

    Hosts ask for the same ones again and again.
    """
    refusal, number = REFUSALS[refusal_of(verdict)], refusal_parameter_of(verdict)
    value: Any = number
    match refusal.parameter:
        case "seat":
            value = options.colors[number]
        case "phase":
            value = PHASES[number].name
        case "offer":
            value = number + 1
        case "price":
            costs = options.edition_data.costs[PRICED[number]]
            value = {kind: costs[kind] for kind in RESOURCES if kind in costs}
        case "supply":
            value = {kind: n for kind, n in zip(RESOURCES, unpack(number), strict=True) if n}
    values = {refusal.parameter: value} if refusal.parameter else {}
    return Reason(refusal.name, refusal.rule, values, options.edition)


@with_older_names(said="action_text")
class IllegalAction(BadInput):
    """An action that is not allowed now; nothing has changed. `legal`: what would be legal instead, if known."""

    def __init__(self, action_text: str, reason: Reason, legal: Sequence[Any] = ()) -> None:
        instead = f"; legal now: {_list_few(legal)}" if legal else ""
        super().__init__(f"{action_text}: {reason}{instead}")
        self.action_text, self.reason, self.legal = action_text, reason, legal

    def __reduce__(self) -> tuple[Any, ...]:
        return IllegalAction, (self.action_text, self.reason, self.legal)


def _list_few(legal: Sequence[Any]) -> str:
    few = ", ".join(str(action) for action in legal[:_MOST_NAMED])
    return few if len(legal) <= _MOST_NAMED else f"{few}, and {len(legal) - _MOST_NAMED} more"
