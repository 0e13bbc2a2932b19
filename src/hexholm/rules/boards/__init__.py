"""Boards: layouts as data, the shipped ones, reading and writing them, and a picture in characters.

    >>> from hexholm.rules.boards import layout_for
    >>> from hexholm.rules.setup.options import check_options
    >>> layout_for(check_options(setup="variable"), seed=7).pips("C3n")
    7

Begin with `layout.py`: a board as a value. Every room may import what is listed here, kernels also
`number_tokens.py`; the core imports none of it.
"""

from __future__ import annotations

from ..setup.board_components import FRAME_HARBORS, FRAME_JOINTS, FRAME_PIECES, LETTER_VALUES, PIECE_SIDES
from .board_reader import BadBoard, read_board, read_board_data, read_written_board
from .layout import BOARD_FORMAT, Layout, StartPiece, start_pieces
from .number_tokens import ODDS_PERCENT, RED_NUMBERS, number_dots
from .shipped_boards import beginner_layout, board_modes, layout_for, zip_map
from .text_picture import COLOR_LETTERS, HARBOR_RATES, draw_text, piece_letter

__all__ = [
    "BOARD_FORMAT",
    "COLOR_LETTERS",
    "FRAME_HARBORS",
    "FRAME_JOINTS",
    "FRAME_PIECES",
    "HARBOR_RATES",
    "LETTER_VALUES",
    "ODDS_PERCENT",
    "PIECE_SIDES",
    "RED_NUMBERS",
    "BadBoard",
    "Layout",
    "StartPiece",
    "beginner_layout",
    "board_modes",
    "draw_text",
    "layout_for",
    "number_dots",
    "piece_letter",
    "read_board",
    "read_board_data",
    "read_written_board",
    "start_pieces",
    "zip_map",
]
