"""What things are called, for rooms that only show them: resources, cards, terrains, actions, phases, refusals.

The order is that of the core's numbers: `RESOURCES[0]` is the resource that the core calls 0.
"""

from __future__ import annotations

from typing import Final

from .core.encoding.actions import END, KIND_NAMES, kind_of
from .core.encoding.structs import CARD_KINDS, HARBOR_KINDS, NATURE, RESOURCES, TERRAINS
from .core.phases import PHASES
from .core.refusals import REFUSALS

PIECE_KINDS: Final = ("road", "settlement", "city")
"""What players build."""

__all__ = [
    "CARD_KINDS",
    "END",
    "HARBOR_KINDS",
    "KIND_NAMES",
    "NATURE",
    "PHASES",
    "PIECE_KINDS",
    "REFUSALS",
    "RESOURCES",
    "TERRAINS",
    "kind_of",
]
