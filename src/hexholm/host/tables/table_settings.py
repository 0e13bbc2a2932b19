"""What is chosen for a new table, as values that were read: from the request to the first entries of its log."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from hexholm.rules.boards import Layout
from hexholm.rules.colors import Color
from hexholm.rules.setup.options import Options

from ..wire.api import BotName
from .table_terms import Reservation, TableTerms


@dataclass(frozen=True, slots=True, kw_only=True)
class TableSettings:
    """What the one who sets up a table chooses. Whether it goes together is for `decide_opening` to say."""

    terms: TableTerms
    options: Options
    board: Layout | None = None
    """A board of their own; None: one is drawn."""
    board_seed: int | None = None
    """From which the board is drawn; None: from none that anybody knows."""
    bots: Mapping[Color, BotName | None] = field(default_factory=dict)
    """By the color of the seat; None: it stays free."""
    creator_color: Color | None = None
    """Where the creator sits; None: it takes no seat."""
    creator_name: str = ""
    """What the creator wants to be called."""
    begin: bool = False
    """Begin at once."""
    reserved: Mapping[Color, Reservation] = field(default_factory=dict)
    """Whom seats are kept for."""
    reserved_until: float = 0.0
