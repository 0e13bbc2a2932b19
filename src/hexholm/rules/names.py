"""What things are called, for rooms that only show them: resources, cards, terrains, actions, phases, refusals.

The order is that of the core's numbers: `RESOURCES[0]` is the resource that the core calls 0.
"""

from __future__ import annotations

from typing import Final, Literal, get_args

from .encoding.action_codes import END, KIND_NAMES, kind_of
from .encoding.phases import FORCED_PHASES, PHASES
from .encoding.refusals import REFUSALS
from .encoding.structs import CARD_KINDS, HARBOR_KINDS, NATURE, RESOURCES, TERRAINS

PieceKind = Literal["road", "settlement", "city"]
PIECE_KINDS: Final[tuple[PieceKind, ...]] = get_args(PieceKind)
"""What players build."""

__all__ = [
    "CARD_KINDS",
    "END",
    "FORCED_PHASES",
    "HARBOR_KINDS",
    "KIND_NAMES",
    "NATURE",
    "PHASES",
    "PIECE_KINDS",
    "REFUSALS",
    "RESOURCES",
    "TERRAINS",
    "PieceKind",
    "kind_of",
]
