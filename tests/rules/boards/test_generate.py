"""The generator of variable boards: what it makes is legal, fair, repeatable, and the same interpreted and compiled."""

from __future__ import annotations

import itertools
import math
import random
from collections import Counter
from collections.abc import Hashable, Iterable, Mapping
from typing import Any, TypeVar

import numpy as np
import pytest

from hexholm.rules.boards import board_modes, layout_for
from hexholm.rules.compilation.kernels import entry, fast, struct_at
from hexholm.rules.core.variable_setup import (
    FIXED_HARBORS,
    FRAME_SHUFFLE,
    HARBOR_AND_FRAME_SHUFFLE,
    HARBOR_SHUFFLE,
    RANDOM_NUMBERS,
    SPIRAL_NUMBERS,
    desert_of,
    generate_board,
    lay_harbors,
    lay_number_spiral,
    lay_random_numbers,
    lay_terrain,
    swap_reds,
)
from hexholm.rules.encoding.structs import DESERT, GENERIC_HARBOR, TERRAINS, Board
from hexholm.rules.places import COAST, HEX_ID, HEX_NEIGHBORS, SIDE_CORNERS, SPIRALS
from hexholm.rules.random_numbers import key_for
from hexholm.rules.setup.board_components import FRAME_HARBORS, LETTER_VALUES
from hexholm.rules.setup.editions import EDITIONS, edition
from hexholm.rules.setup.options import check_options
from tests.helpers.edition_table import editions_with

K = TypeVar("K", bound=Hashable)

PAIRS = [(a, b) for a in range(19) for b in HEX_NEIGHBORS[a] if a < b]
UNCHECKED = editions_with(spiral_red_check=False, number_placement="spiral")
PLACES = [1, 4, 8, 11, 14, 18, 21, 24, 28]  # coast indices of the beginners' harbors
STANDARD_KINDS = Counter({GENERIC_HARBOR: 4, 0: 1, 1: 1, 2: 1, 3: 1, 4: 1})
MODES = [
    (harbors, numbers, red, equal)
    for harbors in (FIXED_HARBORS, HARBOR_SHUFFLE, FRAME_SHUFFLE, HARBOR_AND_FRAME_SHUFFLE)
    for numbers, red, equal in (
        (SPIRAL_NUMBERS, 0, 0),
        (SPIRAL_NUMBERS, 1, 0),
        (RANDOM_NUMBERS, 1, 0),
        (RANDOM_NUMBERS, 1, 1),
    )
]


def new_board(mode: tuple[int, int, int, int], seed: int) -> Board:
    board = Board()
    generate_board(board, *mode, key_for(seed, "board"))
    return board


def numbers(board: Board) -> list[int]:
    return [board.number[h] for h in range(19)]


def terrain(board: Board) -> list[int]:
    return [board.terrain[h] for h in range(19)]


def harbors(board: Board) -> dict[int, int]:
    return {i: board.harbor[i] for i in range(30) if board.harbor[i] >= 0}


def frame(board: Board) -> tuple[int, ...]:
    return tuple(board.frame[slot] for slot in range(6))


def reds_touch(tokens: list[int]) -> bool:
    return any(tokens[a] in (6, 8) and tokens[b] in (6, 8) for a, b in PAIRS)


def equals_touch(tokens: list[int]) -> bool:
    return any(tokens[a] == tokens[b] for a, b in PAIRS)


def desert_at(hexagon: int) -> Board:
    """A board whose desert lies on `hexagon`; the other terrain does not matter here."""
    board = Board()
    board.terrain[hexagon] = DESERT
    return board


def surprise(counts: Mapping[K, int], expected: Mapping[K, float]) -> float:
    """Chi-square in standard deviations (Wilson-Hilferty); above 4 would be one run in 30,000, and seeds are fixed."""
    assert set(counts) <= set(expected)
    assert math.isclose(sum(counts.values()), sum(expected.values()))
    assert min(expected.values()) >= 5
    chi = sum((counts.get(key, 0) - e) ** 2 / e for key, e in expected.items())
    k = len(expected) - 1
    return (math.cbrt(chi / k) - (1 - 2 / (9 * k))) / math.sqrt(2 / (9 * k))


def assert_uniform(values: Iterable[K], cells: Iterable[K]) -> None:
    counts, keys = Counter(values), list(cells)
    z = surprise(counts, dict.fromkeys(keys, counts.total() / len(keys)))
    assert -5 < z < 4, f"chi-square {z:.1f} deviations away: {counts}"


# --- every board ------------------------------------------------------------------------------------------------------


@pytest.mark.rule("MAP-13", "MAP-14", "MAP-14.e2", "MAP-17", "MAP-06", "MAP-06.e2", "MAP-18.e3", "COMP-01", "COMP-02")
@pytest.mark.parametrize("mode", MODES)
def test_every_board_has_the_right_pieces_in_legal_places(mode: tuple[int, int, int, int]) -> None:
    edition_data = edition("fifth")
    for seed in range(40):
        board = new_board(mode, seed)
        assert Counter(TERRAINS[t] for t in terrain(board)) == edition_data.terrain_counts
        assert Counter(n for n in numbers(board) if n) == edition_data.number_counts
        assert board.number[terrain(board).index(DESERT)] == 0  # no roll from 2 to 12 is 0
        assert numbers(board).count(0) == 1
        assert Counter(harbors(board).values()) == STANDARD_KINDS
        assert len({c for i in harbors(board) for c in SIDE_CORNERS[COAST[i]]}) == 18
        assert sorted(frame(board)) == [0, 1, 2, 3, 4, 5]
        assert not reds_touch(numbers(board))
        assert not (mode[3] and equals_touch(numbers(board)))
        assert (board.start_corner == -1) == (mode[1] == RANDOM_NUMBERS)


@pytest.mark.rule("MAP-13.e1", "MAP-18.e3")
@pytest.mark.parametrize("mode", MODES)
def test_the_same_key_gives_the_same_board_whatever_the_buffer_held(mode: tuple[int, int, int, int]) -> None:
    boards = set()
    for seed in range(20):
        clean, dirty = new_board(mode, seed), Board()
        dirty.buffer[:] = 0x55
        draws = generate_board(dirty, *mode, key_for(seed, "board"))
        assert dirty == clean
        assert draws == generate_board(clean, *mode, key_for(seed, "board"))
        boards.add(clean.buffer.tobytes())
    assert len(boards) == 20


def test_number_of_draws() -> None:
    """A mode that leaves something fixed draws nothing for it."""
    for mode, harbor_draws in zip(range(4), (0, 8, 5, 13), strict=True):
        board = Board()
        assert lay_harbors(board, mode, 1, 0) == harbor_draws
        assert generate_board(board, mode, SPIRAL_NUMBERS, 0, 0, 1) == harbor_draws + 18 + 1
        assert generate_board(board, mode, RANDOM_NUMBERS, 0, 0, 1) == harbor_draws + 18 + 17


@entry
def generate_into(buffer: Any, harbor_mode: int, number_mode: int, no_red: int, no_equal: int, key: int) -> int:
    return generate_board(struct_at(buffer, Board), harbor_mode, number_mode, no_red, no_equal, key)


def test_compiled_and_interpreted_boards_are_the_same_bytes() -> None:
    quick, buffer = fast(), np.zeros(Board.size, np.uint8)
    for mode in MODES:
        for seed in range(200 if mode in (MODES[4], MODES[-1]) else 25):
            key, board = key_for(seed, "board"), Board()
            draws = generate_board(board, *mode, key)
            assert quick.generate_into(buffer, *mode, key) == draws
            assert buffer.tobytes() == board.buffer.tobytes()


# --- terrain ----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("MAP-13", "MAP-13.e1", "MAP-13.e2")
def test_terrain_is_shuffled_fairly() -> None:
    pair_counts: Counter[tuple[int, int]] = Counter()
    deserts = []
    runs = 3000
    for seed in range(runs):
        board = Board()
        lay_terrain(board, key_for(seed, "terrain"), 0)
        pair_counts.update(enumerate(terrain(board)))
        deserts.append(terrain(board).index(DESERT))
    counts = [3, 4, 4, 4, 3, 1]
    for hexagon in range(19):
        terrain_counts = {t: pair_counts[hexagon, t] for t in range(6)}
        assert -5 < surprise(terrain_counts, {t: runs * counts[t] / 19 for t in range(6)}) < 4
    assert_uniform(deserts, range(19))
    assert {HEX_ID["A1"], HEX_ID["C3"]} <= set(deserts)


# --- harbors ----------------------------------------------------------------------------------------------------------


def harbor_boards(mode: int, runs: int) -> list[Board]:
    boards = []
    for seed in range(runs):
        boards.append(Board())
        lay_harbors(boards[-1], mode, key_for(seed, "harbors"), 0)
    return boards


def framed(order: tuple[int, ...]) -> dict[int, int]:
    """Harbors of the frame pieces joined in this order, by coast index."""
    return {
        (1 + 5 * slot + offset) % 30: kind for slot, piece in enumerate(order) for offset, kind in FRAME_HARBORS[piece]
    }


@pytest.mark.rule("MAP-14")
def test_fixed_harbors() -> None:
    board = new_board((FIXED_HARBORS, SPIRAL_NUMBERS, 0, 0), 3)
    assert harbors(board) == framed((0, 1, 2, 3, 4, 5))
    assert list(harbors(board)) == PLACES


@pytest.mark.rule("MAP-14", "MAP-14.e2")
def test_harbor_shuffle_keeps_the_places_and_is_fair() -> None:
    boards = harbor_boards(HARBOR_SHUFFLE, 2700)
    assert all(list(harbors(board)) == PLACES for board in boards)
    assert all(frame(board) == (0, 1, 2, 3, 4, 5) for board in boards)
    for place in PLACES:
        harbor_counts = Counter(board.harbor[place] for board in boards)
        assert -5 < surprise(harbor_counts, {kind: 300.0 * n for kind, n in STANDARD_KINDS.items()}) < 4
    pairs = Counter(
        (board.harbor[1], board.harbor[28])
        for board in boards
        if GENERIC_HARBOR not in (board.harbor[1], board.harbor[28])
    )
    assert_uniform(pairs.elements(), itertools.permutations(range(5), 2))


@pytest.mark.rule("MAP-14", "MAP-14.e1", "COMP-10")
def test_frame_shuffle_moves_the_pieces_with_what_is_printed_on_them() -> None:
    boards = harbor_boards(FRAME_SHUFFLE, 7200)
    assert all(harbors(board) == framed(frame(board)) for board in boards)
    assert_uniform((frame(board) for board in boards), itertools.permutations(range(6)))


@pytest.mark.rule("MAP-14.e1")
def test_all_720_frame_orders_keep_the_harbors_apart() -> None:
    for order in itertools.permutations(range(6)):
        placed_board = framed(order)
        assert Counter(placed_board.values()) == STANDARD_KINDS
        assert len({c for i in placed_board for c in SIDE_CORNERS[COAST[i]]}) == 18


@pytest.mark.rule("MAP-14", "MAP-14.e2")
def test_harbor_and_frame_shuffle_does_both_independently() -> None:
    boards = harbor_boards(HARBOR_AND_FRAME_SHUFFLE, 7200)
    assert all(set(harbors(board)) == set(framed(frame(board))) for board in boards)
    assert_uniform((frame(board) for board in boards), itertools.permutations(range(6)))
    # The harbor of the piece in the first slot that has only one: its kind does not depend on the piece.
    single = [(frame(b)[0], harbors(b)[3]) for b in boards if len(FRAME_HARBORS[frame(b)[0]]) == 1]
    expected = {(piece, kind): len(single) * n / 27 for piece in (1, 3, 5) for kind, n in STANDARD_KINDS.items()}
    assert -5 < surprise(Counter(single), expected) < 4


# --- the spiral -------------------------------------------------------------------------------------------------------


def letters_along(board: Board, corner: int) -> list[int]:
    return [board.number[h] for h in SPIRALS[corner] if board.terrain[h] != DESERT]


@pytest.mark.rule("MAP-15", "MAP-15.e1", "MAP-16", "MAP-16.e1", "MAP-17", "MAP-19", "MAP-19.e1")
def test_all_114_spirals() -> None:
    assert LETTER_VALUES == (5, 2, 6, 3, 8, 10, 9, 12, 11, 4, 8, 10, 9, 4, 5, 6, 3, 11)
    for corner, desert in itertools.product(range(6), range(19)):
        board = desert_at(desert)
        lay_number_spiral(board, corner)
        assert letters_along(board, corner) == list(LETTER_VALUES)
        assert board.number[desert] == 0
        assert board.start_corner == corner
        assert not reds_touch(numbers(board))
        assert not equals_touch(numbers(board))
        before = board.copy()
        assert swap_reds(board, 1, 0) == 0  # the summary's check draws nothing and
        assert board == before  # changes nothing


@pytest.mark.rule("MAP-15")
def test_the_spiral_runs_counter_clockwise_from_a_corner_to_the_centre() -> None:
    assert len({walk[0] for walk in SPIRALS}) == 6
    for walk in SPIRALS:
        assert sum(walk[0] in pair for pair in PAIRS) == 3  # a corner hex: coast on three sides
        assert sorted(walk) == list(range(19))
        assert all(b in HEX_NEIGHBORS[a] for a, b in itertools.pairwise(walk))
        assert walk[18] == HEX_ID["C3"]
    assert [SPIRALS[0][i] for i in (0, 1, 2)] == [HEX_ID[name] for name in ("A1", "B1", "C1")]  # down the west coast


@pytest.mark.rule("MAP-15.e2")
def test_desert_at_the_start_corner() -> None:
    for corner in range(6):
        board = desert_at(SPIRALS[corner][0])
        lay_number_spiral(board, corner)
        assert board.number[SPIRALS[corner][1]] == LETTER_VALUES[0]


def test_a_board_without_a_desert_says_so() -> None:
    assert desert_of(Board()) == -1
    assert desert_of(desert_at(4)) == 4


@pytest.mark.rule("MAP-15.e3")
def test_desert_in_the_centre() -> None:
    for corner in range(6):
        board = desert_at(HEX_ID["C3"])
        lay_number_spiral(board, corner)
        assert [board.number[h] for h in SPIRALS[corner][:18]] == list(LETTER_VALUES)


@pytest.mark.rule("MAP-15")
def test_start_corners_are_equally_likely() -> None:
    mode = (FIXED_HARBORS, SPIRAL_NUMBERS, 0, 0)
    boards = [new_board(mode, seed) for seed in range(1200)]
    assert_uniform((board.start_corner for board in boards), range(6))
    assert all(letters_along(board, board.start_corner) == list(LETTER_VALUES) for board in boards)


@pytest.mark.rule("MAP-19", "MAP-19.e1")
def test_the_swap_step_of_the_summary_works_where_it_is_needed() -> None:
    options = check_options(edition="summary", setup="variable")
    assert board_modes(options) == (HARBOR_SHUFFLE, SPIRAL_NUMBERS, 1, 0)
    for name in UNCHECKED:
        assert board_modes(check_options(edition=name, setup="variable"))[2] == 0
    for seed in range(50):  # any bad board is put right, token by token
        board = desert_at(9)
        lay_number_spiral(board, 0)
        shuffled = [n for n in numbers(board) if n]
        random.Random(seed).shuffle(shuffled)
        for hexagon in range(19):
            if hexagon != 9:
                board.number[hexagon] = shuffled.pop()
        bad, before = reds_touch(numbers(board)), Counter(numbers(board))
        draws = swap_reds(board, key_for(seed, "swap"), 0)
        assert (draws > 0) == bad
        assert not reds_touch(numbers(board))
        assert Counter(numbers(board)) == before
        assert board.number[9] == 0
        assert (board.start_corner == -1) == bad


# --- random numbers ---------------------------------------------------------------------------------------------------


def random_numbers(desert: int, red: int, equal: int, seed: int) -> list[int]:
    board = desert_at(desert)
    lay_random_numbers(board, red, equal, key_for(seed, "numbers"), 0)
    return numbers(board)


@pytest.mark.rule("MAP-18")
def test_share_of_shuffles_that_hold_the_limits() -> None:
    runs = 6000
    free = [random_numbers(seed % 19, 0, 0, seed) for seed in range(runs)]
    no_red = sum(not reds_touch(tokens) for tokens in free)
    no_red_no_equal = sum(not reds_touch(tokens) and not equals_touch(tokens) for tokens in free)
    assert abs(no_red / runs - 0.135) < 0.015
    assert abs(no_red_no_equal / runs - 0.025) < 0.007


@pytest.mark.rule("MAP-18", "MAP-18.e1", "MAP-18.e2")
def test_which_neighbors_are_forbidden() -> None:
    fifth, threed = set(), set()
    for seed in range(150):
        fifth_numbers, threed_numbers = random_numbers(seed % 19, 1, 0, seed), random_numbers(seed % 19, 1, 1, seed)
        fifth |= {tuple(sorted((fifth_numbers[a], fifth_numbers[b]))) for a, b in PAIRS}
        threed |= {tuple(sorted((threed_numbers[a], threed_numbers[b]))) for a, b in PAIRS}
    assert not {(6, 6), (8, 8), (6, 8)} & (fifth | threed)
    assert {(n, n) for n in (3, 4, 5, 9, 10, 11)} <= fifth
    assert not any(a == b for a, b in threed)
    modes = {
        name: board_modes(check_options(edition=name, setup="variable", numbers="random"))
        for name in ("fifth", "threed")
    }
    assert {name: mode[1:] for name, mode in modes.items()} == {
        "fifth": (RANDOM_NUMBERS, 1, 0),
        "threed": (RANDOM_NUMBERS, 1, 1),
    }


@pytest.mark.rule("MAP-18.e3")
def test_random_numbers_end_for_every_place_of_the_desert() -> None:
    for desert in range(19):
        board = desert_at(desert)
        draws = lay_random_numbers(board, 1, 1, key_for(desert, "numbers"), 0)
        assert 17 <= draws < 20_000
        assert numbers(board).index(0) == desert


@pytest.mark.rule("MAP-18")
@pytest.mark.parametrize(("equal", "runs"), [(0, 1500), (1, 700)])
def test_every_legal_placement_is_equally_likely(equal: int, runs: int) -> None:
    """With the desert in the centre the island looks the same from all six sides, so must the numbers."""
    rings = [SPIRALS[0][0:12:2], SPIRALS[0][1:12:2], SPIRALS[0][12:18]]
    boards = [random_numbers(9, 1, equal, seed) for seed in range(runs)]
    for ring in rings:
        for value in (2, 12):  # there is one token of each
            assert_uniform((h for board in boards for h in ring if board[h] == value), ring)
        assert_uniform((h for board in boards for h in ring if board[h] in (6, 8)), ring)


@pytest.mark.rule("MAP-18")
def test_random_numbers_are_like_shuffles_by_hand_thrown_away_when_bad() -> None:
    """Red tokens on the coast ring: four, three or fewer, against rejection with Python's own shuffle."""
    runs, chance, tokens = 3000, random.Random(20), list(LETTER_VALUES)

    def red_on_the_ring(token_row: list[int]) -> int:
        return max(2, sum(token_row[h] in (6, 8) for h in SPIRALS[0][:12]))

    by_hand: Counter[int] = Counter()
    while by_hand.total() < 2 * runs:
        chance.shuffle(tokens)
        token_row = [*tokens[:9], 0, *tokens[9:]]
        if not reds_touch(token_row):
            by_hand[red_on_the_ring(token_row)] += 1
    ring_counts = Counter(red_on_the_ring(random_numbers(9, 1, 0, seed)) for seed in range(runs))
    assert set(by_hand) == {2, 3, 4}
    # Both are samples: the variance of the difference is that of ours times 1.5.
    chi = sum((ring_counts[k] - n / 2) ** 2 / (n / 2 * 1.5) for k, n in by_hand.items())
    assert chi < 18.4  # two degrees of freedom, one run in 10,000


# --- options to modes -------------------------------------------------------------------------------------------------


@pytest.mark.rule("MAP-14", "EDN-02")
def test_modes_of_the_editions() -> None:
    names = {
        "harbor_shuffle": HARBOR_SHUFFLE,
        "frame_shuffle": FRAME_SHUFFLE,
        "harbor_and_frame_shuffle": HARBOR_AND_FRAME_SHUFFLE,
    }
    for name in EDITIONS[1:]:
        for harbor_mode in edition(name).variable_harbors:
            options = check_options(edition=name, setup="variable", harbors=harbor_mode)
            assert board_modes(options)[0] == names[harbor_mode]
            layout = layout_for(options, 11)
            assert layout.board == new_board(board_modes(options), 11)
    for fixed in (check_options(), check_options(edition="zip", map=2)):
        with pytest.raises(ValueError, match="nothing to generate"):
            board_modes(fixed)
