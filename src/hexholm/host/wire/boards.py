"""Boards as they are sent: what lies where, by the names of places."""

from __future__ import annotations

from functools import lru_cache

from hexholm.rules.boards import Layout
from hexholm.rules.places import CORNER_NAMES, HEX_NAMES, SIDE_CORNERS
from hexholm.rules.setup.editions import edition

from . import messages

ANY_RESOURCE = "any"


@lru_cache(maxsize=256)
def board_line(layout: Layout, edition_name: str) -> messages.BoardLine:
    """A board as data; the edition says how many cards a harbor takes for one."""
    rates = edition(edition_name).trade_rates
    hexes = tuple(messages.HexLine(at=at, terrain=layout.terrain(at), number=layout.number(at)) for at in HEX_NAMES)
    harbors = tuple(
        messages.HarborLine(
            corners=(CORNER_NAMES[SIDE_CORNERS[side][0]], CORNER_NAMES[SIDE_CORNERS[side][1]]),
            kind=None if kind == ANY_RESOURCE else kind,
            rate=rates["generic" if kind == ANY_RESOURCE else "special"],
        )
        for side, kind in layout.harbors()
    )
    return messages.BoardLine(hexes=hexes, harbors=harbors)
