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
from .table_kinds.companion import check_chance
from .table_kinds.lessons import LESSONS


def new_bot_seed() -> str:
    """What makes the bots of a table play as they do: 128 random bits."""
    return secrets.token_hex(16)


def first_entry(guest_id: str, settings: TableSettings) -> log.Opened:
    """The first entry of a table; raises BadInput."""
    if settings.clock is not None and not settings.clock > 0:
        raise BadInput(f"clock {settings.clock!r}: give seconds for a decision, or none")
    if settings.board is not None and settings.board_seed is not None:
        raise BadInput("board and board_seed both say what lies where; give one of them")
    if settings.board is None:
        options = game_options(**settings.options)
        layout = layout_for(options, secrets.randbits(62) if settings.board_seed is None else settings.board_seed)
    else:
        layout = read_board(settings.board)
        options = game_options(**settings.options, board=layout)
    check_chance(settings.chance_source, options, settings.clock, any(settings.seats.values()))
    return log.Opened(
        title=clean(settings.title),
        creator=guest_id,
        options=options.as_dict(),
        board=without_seed(layout).to_toml(),
        clock=settings.clock,
        ranges=settings.ranges,
        pace=settings.pace,
        chance_source=settings.chance_source,
        own_board=settings.board is not None,
        version=__version__,
        lesson=settings.lesson,
        bot_seed=LESSONS[settings.lesson].bot_seed if settings.lesson else new_bot_seed(),
    )
