"""The boards that come with the game, and the board that belongs to options and a seed."""

from __future__ import annotations

from functools import cache
from importlib import resources
from typing import Final

from ..core.variable_setup import (
    FRAME_SHUFFLE,
    HARBOR_AND_FRAME_SHUFFLE,
    HARBOR_SHUFFLE,
    RANDOM_NUMBERS,
    SPIRAL_NUMBERS,
    generate_board,
)
from ..encoding.structs import Board
from ..errors import BadInput
from ..random_numbers import STREAM_BOARD, draw_below, key_for
from ..setup.editions import FIXED
from ..setup.options import ZIP_MAPS, Options
from .board_reader import read_board
from .layout import Layout, Origin

_HARBOR_MODES: Final = {
    "harbor_shuffle": HARBOR_SHUFFLE,
    "frame_shuffle": FRAME_SHUFFLE,
    "harbor_and_frame_shuffle": HARBOR_AND_FRAME_SHUFFLE,
}
_NUMBER_MODES: Final = {"spiral": SPIRAL_NUMBERS, "random": RANDOM_NUMBERS}


def _read_shipped(*path: str) -> Layout:
    return read_board(resources.files("hexholm.rules").joinpath("data", "boards", *path).read_text(encoding="utf-8"))


@cache
def beginner_layout() -> Layout:
    """The beginners' board with the start pieces of all four colors (MAP-10, MAP-11, MAP-12)."""
    return _read_shipped("beginner.toml")


@cache
def zip_map(number: int) -> Layout:
    """A map of the Zip! pad, 1 to 50 (ZIP-01). All are our own: the books show theirs only in pictures."""
    if not 1 <= number <= ZIP_MAPS:
        raise BadInput(f"there is no map {number}; the maps are 1 to {ZIP_MAPS}")
    return _read_shipped("zip", f"{number:02}.toml")


def board_modes(options: Options) -> tuple[int, int, int, int]:
    """(harbor_mode, number_mode, no_red, no_equal) of `generate_board` for a variable set-up."""
    if options.harbors not in _HARBOR_MODES or options.numbers not in _NUMBER_MODES:
        raise BadInput(f"the {options.setup} set-up of edition {options.edition} has nothing to generate")
    edition_data = options.edition_data
    if options.numbers == "random":
        limits = bool(edition_data.random_no_red_neighbours), bool(edition_data.random_no_equal_neighbours)  # MAP-18
    else:
        limits = edition_data.spiral_red_check, False  # MAP-19
    return _HARBOR_MODES[options.harbors], _NUMBER_MODES[options.numbers], int(limits[0]), int(limits[1])


def layout_for(options: Options, seed: int, index: int = 0) -> Layout:
    """The board of a game: with the same options and board seed always the same (MAP-21).

    The seed names the board and nothing else: dice, cards and thefts have keys of their own (INFO-06). `index` is the
    number of a game within a simulation.
    """
    key = key_for(seed, "board", index)
    if options.edition_data.has_printed_maps:
        if options.map is not None:
            return zip_map(options.map)
        return zip_map(2 + draw_below(ZIP_MAPS - 1, key, STREAM_BOARD, 0))
    if options.setup == FIXED:
        return beginner_layout()
    board = Board()
    generate_board(board, *board_modes(options), key)
    return Layout(board, origin=Origin(options.edition, options.harbors, options.numbers, seed, index))
