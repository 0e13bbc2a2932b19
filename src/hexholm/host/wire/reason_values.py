"""What the sentence of each refusal is made with: its `values`, by name, with their types.

A refusal of the rules has the one parameter that its row names; one of the host has a value for each {slot} of its
sentence. Within each of the two a value of one name has one type. The schema and the TypeScript types come from here.
"""

from __future__ import annotations

from string import Formatter
from typing import Any, Final

from hexholm.game.result import STOPPED_REASON
from hexholm.rules.names import REFUSALS

from .host_refusals import HOST_REFUSALS
from .shapes import CardsData, ColorData, PhaseData

_OF_RULES: Final[dict[str, Any]] = {
    "": None,
    "seat": ColorData,
    "price": CardsData,
    "supply": CardsData,
    "phase": PhaseData,
    "number": int,
    "offer": int,
}
_NUMBERS: Final = (
    "asked",
    "first",
    "last",
    "least",
    "most",
    "now",
    "ours",
    "retry_after",
    "seconds",
    "tables",
    "yours",
)
_TEXTS: Final = (
    "color", "detail", "entry", "host", "name", "origin", "other", "outcome", "player", "said", "seat", "table",
    "until", "why",
)  # fmt: skip
_LISTS: Final = ("choices", "near", "players")
_COLOR_LISTS: Final = ("colors", "seats")
_OF_HOST: Final[dict[str, Any]] = {
    **dict.fromkeys(_NUMBERS, int),
    **dict.fromkeys(_TEXTS, str),  # also a seat: it is what somebody has said
    **dict.fromkeys(_LISTS, tuple[str, ...]),
    **dict.fromkeys(_COLOR_LISTS, tuple[ColorData, ...]),
}


def _slots(text: str) -> list[str]:
    return sorted({name for _, name, _, _ in Formatter().parse(text) if name})


REASON_VALUES: Final[dict[str, dict[str, Any]]] = {
    "": {},
    **{row.name: {row.parameter: _OF_RULES[row.parameter]} if row.parameter else {} for row in REFUSALS},
    STOPPED_REASON: {},
    **{why: {slot: _OF_HOST[slot] for slot in _slots(row.text)} for why, row in HOST_REFUSALS.items()},
}
"""By the name of the reason; empty: it has none."""
