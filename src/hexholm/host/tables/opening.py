"""The first entry of a table: what its creator asks for, checked, with the board drawn."""

from __future__ import annotations

import secrets

from hexholm import __version__
from hexholm.game.language.clean_text import clean
from hexholm.game.new_game import game_options, without_seed
from hexholm.rules.boards import layout_for, read_board
from hexholm.rules.errors import BadInput

from ..wire.api import TableSettings
from . import log
from .special.companion import check_chance
from .special.lessons import LESSONS


def new_bot_seed() -> str:
    """What makes the bots of a table play as they do: 128 random bits."""
    return secrets.token_hex(16)


def first_entry(guest_id: str, asked: TableSettings) -> log.Opened:
    """The first entry of a table; raises BadInput."""
    if asked.clock is not None and not asked.clock > 0:
        raise BadInput(f"clock {asked.clock!r}: give seconds for a decision, or none")
    if asked.board is not None and asked.board_seed is not None:
        raise BadInput("board and board_seed both say what lies where; give one of them")
    if asked.board is None:
        chosen = game_options(**asked.options)
        layout = layout_for(chosen, secrets.randbits(62) if asked.board_seed is None else asked.board_seed)
    else:
        layout = read_board(asked.board)
        chosen = game_options(**asked.options, board=layout)
    check_chance(asked.chance, chosen, asked.clock, any(asked.seats.values()))
    return log.Opened(
        title=clean(asked.title),
        creator=guest_id,
        options=chosen.as_dict(),
        board=without_seed(layout).to_toml(),
        clock=asked.clock,
        ranges=asked.ranges,
        pace=asked.pace,
        chance_source=asked.chance,
        own_board=asked.board is not None,
        version=__version__,
        lesson=asked.lesson,
        bot_seed=LESSONS[asked.lesson].bot_seed if asked.lesson else new_bot_seed(),
    )
