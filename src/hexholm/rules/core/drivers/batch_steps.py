"""Many games in one call, for learning: actions in, legal masks out, Nature and restarts inside.

The caller owns every buffer; nothing is allocated; the GIL is free while it runs. Seats are taken clockwise, a
discard is composed card by card, there are no offers (numbers of :mod:`...encoding.action_numbers` below SOLO_ACTIONS).
"""

from __future__ import annotations

from typing import Any, Final

from ...compilation.kernels import entry, kernel, struct_at, struct_in, wrapping_plus, wrapping_times
from ...encoding.action_numbers import code_of_number
from ...encoding.phases import OVER, is_chance_phase
from ...encoding.structs import Scratch, State
from ...random_numbers import STREAM_CHOICE, STREAM_RESTART, draw_bits
from ..actors import next_without_trade
from ..nature import decide_outcome, draws_used
from ..placement import start_play
from ..step import apply_action
from .action_mask import write_mask
from .playout import ROTATE, choose_board

ILLEGAL: Final = -2  # in `ended`: the action was refused, nothing changed
RUNNING: Final = -1


@kernel
def key_of_game(key: int, n: int, purpose: int) -> int:
    """The key of game number `n` of a place in the batch; `purpose` 0: its chance, 1: its board."""
    high = draw_bits(key, STREAM_RESTART, 4 * n + 2 * purpose)
    low = draw_bits(key, STREAM_RESTART, 4 * n + 2 * purpose + 1)
    return wrapping_plus(wrapping_times(high, 1 << 32), low)


@kernel
def begin_batch_game(s: State, boards: Any, modes: Any, first: int, key: int, n: int) -> None:
    """Lay the board of game number `n` and name its starter, on a state that is a fresh copy of the template."""
    choose_board(s, boards, modes, key_of_game(key, n, 1))
    if first == ROTATE:
        start_play(s, n % s.players)


@entry
def batch_step(
    states: Any, template: Any, boards: Any, scratch: Any, keys: Any, counts: Any, modes: Any, first: int, actions: Any,
    masks: Any, seats: Any, ended: Any, low: int, high: int,
) -> int:  # fmt: skip
    """Take one action in each of the games low..high-1; returns the number of games that ended.

    states uint8[n, State.size] · template uint8[State.size] · boards, modes as for simulate_block · scratch · keys
    int64[n] · counts int64[n, 2]: thefts and starting rolls of this game, games so far · first: ROTATE or AS_TEMPLATE ·
    actions int32[n], -1 restarts the game · masks uint8[n, SOLO_ACTIONS] · seats int8[n]: who acts next · ended
    int8[n]: the winner of a game that just ended (it has been restarted), RUNNING, or ILLEGAL.
    """
    w = struct_at(scratch, Scratch)
    games_over = 0
    for i in range(low, high):
        s = struct_in(states, i, State)
        key = int(keys[i])  # plain integers, also when interpreted
        action = int(actions[i])
        ended[i] = RUNNING
        restart = action < 0
        if not restart:
            if masks[i, action] == 0:
                ended[i] = ILLEGAL
                continue
            seat = int(seats[i])
            apply_action(s, w, seat, code_of_number(s, seat, action))
            run_nature(s, w, key_of_game(key, int(counts[i, 1]), 0), counts, i)
            if s.phase == OVER:
                ended[i] = s.winner
                games_over += 1
                restart = True
        if restart:
            counts[i, 0] = 0
            counts[i, 1] += 1
            for j in range(len(template)):
                states[i, j] = template[j]
            begin_batch_game(s, boards, modes, first, key, int(counts[i, 1]))
            run_nature(s, w, key_of_game(key, int(counts[i, 1]), 0), counts, i)
        seats[i] = next_without_trade(s)
        write_mask(s, w, int(seats[i]), masks, i)
    return games_over


@kernel
def run_nature(s: State, scratch: Scratch, key: int, counts: Any, i: int) -> None:
    """Let Nature act as long as it is its turn."""
    while is_chance_phase(s.phase):
        code = decide_outcome(s, key, int(counts[i, 0]))
        counts[i, 0] += draws_used(s.phase)
        apply_action(s, scratch, s.active + 0, code)


@entry
def choose_random(masks: Any, actions: Any, keys: Any, step: int, low: int, high: int) -> None:
    """Pick a uniformly random legal number for each game; what a benchmark or a baseline needs."""
    for i in range(low, high):
        n = 0
        for j in range(masks.shape[1]):
            n += masks[i, j]
        index = (draw_bits(int(keys[i]), STREAM_CHOICE, step) * n) >> 32
        for j in range(masks.shape[1]):
            if masks[i, j]:
                if index == 0:
                    actions[i] = j
                    break
                index -= 1
