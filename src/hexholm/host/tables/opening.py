"""The first entry of a table: what its creator asks for, checked, with the board drawn."""

from __future__ import annotations

import secrets
from typing import Any

from hexholm import __version__
from hexholm.game.language.clean_text import clean
from hexholm.game.new_game import game_options, without_seed
from hexholm.rules.boards import layout_for, read_board
from hexholm.rules.errors import BadInput

from ..wire.messages import ChanceSource, Speed
from . import log
from .special.companion import check_chance
from .special.lessons import LESSONS


def new_taste() -> str:
    """What makes the bots of a table play as they do: 128 random bits."""
    return secrets.token_hex(16)


def first_entry(
    guest: str,
    title: str,
    options: dict[str, Any],
    board_seed: int | None,
    board: str | None,
    clock: float | None,
    ranges: bool,
    pace: Speed,
    chance: ChanceSource,
    *,
    bots: bool,
    lesson: str = "",
) -> log.Opened:
    """The first entry of a table; raises BadInput."""
    if clock is not None and not clock > 0:
        raise BadInput(f"clock {clock!r}: give seconds for a decision, or none")
    if board is not None and board_seed is not None:
        raise BadInput("board and board_seed both say what lies where; give one of them")
    if board is None:
        chosen = game_options(**options)
        layout = layout_for(chosen, secrets.randbits(62) if board_seed is None else board_seed)
    else:
        layout = read_board(board)
        chosen = game_options(**options, board=layout)
    check_chance(chance, chosen, clock, bots)
    return log.Opened(
        title=clean(title),
        creator=guest,
        options=chosen.as_dict(),
        board=without_seed(layout).to_toml(),
        clock=clock,
        ranges=ranges,
        pace=pace,
        chance=chance,
        own_board=board is not None,
        version=__version__,
        lesson=lesson,
        taste=LESSONS[lesson].taste if lesson else new_taste(),
    )
