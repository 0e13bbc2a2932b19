"""The variable set-up: terrain, harbors and numbers of a random board (MAP-13 to MAP-19).

Order of the draws of one board, all from STREAM_BOARD: frame pieces, harbor pieces, terrain, numbers. A mode that
leaves something fixed draws nothing for it. Shuffles are forward Fisher-Yates: place i gets one of pieces i and later.
"""

from __future__ import annotations

from typing import Final

from ..compilation.kernels import constant_table, kernel
from ..encoding.structs import DESERT, TERRAINS, Board
from ..places import HEX_NEIGHBORS, N_HEXES, SPIRAL
from ..random_numbers import STREAM_BOARD, draw_below
from ..setup.board_components import (
    FRAME_HARBORS,
    FRAME_PIECES,
    LETTER_VALUES,
    N_FRAME_SIDES,
    PIECE_SIDES,
    TERRAIN_COUNTS,
)

# harbor_mode (MAP-14)
FIXED_HARBORS, HARBOR_SHUFFLE, FRAME_SHUFFLE, HARBOR_AND_FRAME_SHUFFLE = range(4)
# number_mode (MAP-15, MAP-18)
SPIRAL_NUMBERS, RANDOM_NUMBERS = range(2)

N_NUMBERS: Final = len(LETTER_VALUES)
N_HARBORS: Final = 9

_harbor_kinds = [kind for piece in FRAME_HARBORS for _, kind in piece]
_first_harbors = [sum(len(piece) for piece in FRAME_HARBORS[:p]) for p in range(FRAME_PIECES)]

_STACK = constant_table([t for t in range(len(TERRAINS)) for _ in range(TERRAIN_COUNTS[t])], "i1")
_LETTERS = constant_table(LETTER_VALUES, "i1")
# The nine kinds in one integer, three bits each, so that shuffling them needs no scratch array.
_KINDS_PACKED: Final = sum(kind << 3 * i for i, kind in enumerate(_harbor_kinds))
# Per frame piece: number of its first harbor, how many it has, and where they lie on it.
_PIECE_FIRST = constant_table(_first_harbors, "i1")
_PIECE_COUNT = constant_table([len(piece) for piece in FRAME_HARBORS], "i1")
_PIECE_OFFSET = constant_table([[piece[0][0], piece[-1][0]] for piece in FRAME_HARBORS], "i1")
# Neighbors of a hex with a smaller id: west, north-west and north-east of it, so never more than three.
_EARLIER_NEIGHBORS = constant_table(
    [([n for n in near if n < h] + [-1] * 3)[:3] for h, near in enumerate(HEX_NEIGHBORS)], "i1"
)


@kernel
def is_red(number: int) -> bool:
    """Whether it is a red number, 6 or 8 (MAP-07)."""
    return number in (6, 8)


@kernel
def clashes(board: Board, hexagon: int, no_red: int, no_equal: int) -> bool:
    """Whether the number on `hexagon` may not lie beside that of a neighbor with a smaller id (MAP-18)."""
    number = board.number[hexagon]
    for i in range(3):
        neighbor = _EARLIER_NEIGHBORS[hexagon, i]
        if neighbor >= 0:
            neighbor_number = board.number[neighbor]
            if no_red and is_red(number) and is_red(neighbor_number):
                return True
            if no_equal and number == neighbor_number:
                return True
    return False


@kernel
def lay_harbors(board: Board, harbor_mode: int, key: int, k: int) -> int:
    """Join the frame pieces and lay the harbors (MAP-14). Returns the next draw's number."""
    for slot in range(FRAME_PIECES):
        board.frame[slot] = slot
    if harbor_mode in (FRAME_SHUFFLE, HARBOR_AND_FRAME_SHUFFLE):
        for slot in range(FRAME_PIECES - 1):
            swap_slot = slot + draw_below(FRAME_PIECES - slot, key, STREAM_BOARD, k)
            k += 1
            piece = board.frame[slot]
            board.frame[slot] = board.frame[swap_slot]
            board.frame[swap_slot] = piece
    kinds = _KINDS_PACKED
    if harbor_mode in (HARBOR_SHUFFLE, HARBOR_AND_FRAME_SHUFFLE):
        for i in range(N_HARBORS - 1):
            j = i + draw_below(N_HARBORS - i, key, STREAM_BOARD, k)
            k += 1
            difference = ((kinds >> (3 * i)) ^ (kinds >> (3 * j))) & 7
            kinds ^= (difference << (3 * i)) | (difference << (3 * j))
    for side in range(N_FRAME_SIDES):
        board.harbor[side] = -1
    for slot in range(FRAME_PIECES):
        piece = board.frame[slot]
        for i in range(_PIECE_COUNT[piece]):
            side = (1 + PIECE_SIDES * slot + _PIECE_OFFSET[piece, i]) % N_FRAME_SIDES
            board.harbor[side] = (kinds >> (3 * (_PIECE_FIRST[piece] + i))) & 7
    return k


@kernel
def lay_terrain(board: Board, key: int, k: int) -> int:
    """Shuffle the nineteen hexes and lay them (MAP-13). Returns the next draw's number."""
    for hexagon in range(N_HEXES):
        board.terrain[hexagon] = _STACK[hexagon]
    for hexagon in range(N_HEXES - 1):
        swap_hexagon = hexagon + draw_below(N_HEXES - hexagon, key, STREAM_BOARD, k)
        k += 1
        terrain = board.terrain[hexagon]
        board.terrain[hexagon] = board.terrain[swap_hexagon]
        board.terrain[swap_hexagon] = terrain
    return k


@kernel
def desert_of(board: Board) -> int:
    """The hex of the desert, which takes no number (COMP-02)."""
    for hexagon in range(N_HEXES):
        if board.terrain[hexagon] == DESERT:
            return hexagon
    return -1


@kernel
def lay_number_spiral(board: Board, corner: int) -> None:
    """Lay the tokens A to R counter-clockwise from a corner hex, 0 to 5, past the desert (MAP-15, MAP-17)."""
    letter = 0
    for i in range(N_HEXES):
        hexagon = SPIRAL[corner, i]
        if board.terrain[hexagon] == DESERT:
            board.number[hexagon] = 0
        else:
            board.number[hexagon] = _LETTERS[letter]
            letter += 1
    board.start_corner = corner


@kernel
def lay_random_numbers(board: Board, no_red: int, no_equal: int, key: int, k: int) -> int:
    """Shuffle the tokens until the limits hold (MAP-18). Returns the next draw's number.

    A shuffle is thrown away whole, never repaired, so every legal placement is equally likely. It is given up at the
    first token that breaks a limit: what the later ones would have been makes no difference.
    """
    desert = desert_of(board)
    board.start_corner = -1
    board.number[desert] = 0
    for i in range(N_NUMBERS):
        board.number[i + (i >= desert)] = _LETTERS[i]
    i = 0
    while i < N_NUMBERS:
        hexagon = i + (i >= desert)
        if i < N_NUMBERS - 1:
            j = i + draw_below(N_NUMBERS - i, key, STREAM_BOARD, k)
            k += 1
            swap_hexagon = j + (j >= desert)
            number = board.number[hexagon]
            board.number[hexagon] = board.number[swap_hexagon]
            board.number[swap_hexagon] = number
        if clashes(board, hexagon, no_red, no_equal):
            i = 0
        else:
            i += 1
    return k


@kernel
def swap_reds(board: Board, key: int, k: int) -> int:
    """Swap red tokens that touch with others until none do. Returns the next draw's number.

    The summary asks for this after the spiral; there it never has anything to do (MAP-19).
    """
    desert = desert_of(board)
    hexagon = 0
    while hexagon < N_HEXES:
        if board.number[hexagon] != 0 and clashes(board, hexagon, 1, 0):
            j = draw_below(N_NUMBERS, key, STREAM_BOARD, k)
            k += 1
            swap_hexagon = j + (j >= desert)
            number = board.number[hexagon]
            board.number[hexagon] = board.number[swap_hexagon]
            board.number[swap_hexagon] = number
            board.start_corner = -1  # no spiral any more
            hexagon = 0
        else:
            hexagon += 1
    return k


@kernel
def generate_board(board: Board, harbor_mode: int, number_mode: int, no_red: int, no_equal: int, key: int) -> int:
    """Fill `board` with the variable set-up that belongs to the key. Returns how many draws it took.

    `no_red` and `no_equal` are the limits of random numbers; with spiral numbers `no_red` is the summary's check.
    """
    k = lay_harbors(board, harbor_mode, key, 0)
    k = lay_terrain(board, key, k)
    if number_mode == RANDOM_NUMBERS:
        return lay_random_numbers(board, no_red, no_equal, key, k)
    lay_number_spiral(board, draw_below(FRAME_PIECES, key, STREAM_BOARD, k))
    k += 1
    if no_red:
        k = swap_reds(board, key, k)
    return k
