"""Whole games at full speed: uniformly random legal actions, no offers, Nature by key."""

from __future__ import annotations

from typing import Any, Final

from ...compilation.kernels import entry, kernel, struct_at
from ...encoding.phases import OVER, is_chance_phase
from ...encoding.structs import Board, Scratch, State
from ...random_numbers import STREAM_BOARD, STREAM_POLICY, draw_below
from ..actors import next_without_trade
from ..legal import nth_action, survey
from ..nature import decide_outcome, draws_used
from ..placement import begin_start_roll, lay_board, start_play
from ..step import apply_action
from ..variable_setup import generate_board

# modes[0] of simulate_block: whose board
TEMPLATE_BOARD, NEW_BOARD, PRINTED_BOARD = range(3)
# `first` below 0
ROLL_FOR_IT, AS_TEMPLATE, ROTATE = -1, -2, -3
RESULTS: Final = 4  # columns: winner (-1: stopped), decisions, turns, starter


@kernel
def random_game(s: State, scratch: Scratch, key: int, max_actions: int) -> int:
    """Play on with uniformly random legal actions until the game is over; returns the number of decisions."""
    draws = 0
    decisions = 0
    while s.phase != OVER and decisions < max_actions:
        if is_chance_phase(s.phase):
            code = decide_outcome(s, key, draws)
            draws += draws_used(s.phase)
            apply_action(s, scratch, s.active + 0, code)
            continue
        seat = next_without_trade(s)
        n = survey(s, scratch, seat)
        index = 0
        if n > 1:
            index = draw_below(n, key, STREAM_POLICY, decisions)
        apply_action(s, scratch, seat, nth_action(s, scratch, seat, index))
        decisions += 1
    return decisions


@kernel
def choose_board(s: State, boards: Any, modes: Any, key: int) -> None:
    """Lay the board that belongs to a board key; `boards` and `modes` as for :func:`simulate_block`."""
    if modes[0] == TEMPLATE_BOARD:
        return
    size = len(boards) if modes[0] != PRINTED_BOARD else len(boards) // modes[1]
    start = size * draw_below(modes[1], key, STREAM_BOARD, 0) if modes[0] == PRINTED_BOARD else 0
    b = struct_at(boards[start : start + size], Board)
    if modes[0] == NEW_BOARD:
        generate_board(b, modes[1], modes[2], modes[3], modes[4], key)
    lay_board(s, b)


@entry
def simulate_block(
    template: Any,
    game: Any,
    boards: Any,
    scratch: Any,
    keys: Any,
    results: Any,
    modes: Any,
    first: int,
    max_actions: int,
) -> int:
    """Play one game per row of `keys` (int64[n, 2]: board, chance); returns the number of decisions.

    `results` (int64[n, 4]) takes winner, decisions, turns, starter. `modes` (int64[5]) says whose board it is:
    TEMPLATE_BOARD; NEW_BOARD, then the four arguments of the board generator, and `boards` is room for one;
    PRINTED_BOARD, then how many `boards` holds one after the other, of which the board key picks. `first` >= 0 names
    the starter of game 0, and later games rotate it; or it is ROLL_FOR_IT or AS_TEMPLATE.
    """
    s = struct_at(game, State)
    w = struct_at(scratch, Scratch)
    decisions = 0
    for i in range(len(keys)):
        for j in range(len(template)):
            game[j] = template[j]
        choose_board(s, boards, modes, int(keys[i, 0]))
        if first >= 0:
            start_play(s, (first + i) % s.players)
        elif first == ROLL_FOR_IT:
            begin_start_roll(s, (1 << s.players) - 1)
        n = random_game(s, w, int(keys[i, 1]), max_actions)
        decisions += n
        results[i, 0] = s.winner
        results[i, 1] = n
        results[i, 2] = s.turn_number
        results[i, 3] = s.first
    return decisions
