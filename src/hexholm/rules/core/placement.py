"""The set-up: SETUP-04 to SETUP-17.

The board under the game, the roll for the right to begin, the two placement rounds, the start resources. The pieces
themselves are set in :mod:`.building`; how a random board comes about is :mod:`.variable_setup`.
"""

from __future__ import annotations

from ..compilation.kernels import kernel, lowest_set_bit, popcount
from ..encoding.lanes import single_card
from ..encoding.phases import PLACE_SETTLEMENT, START_ROLL
from ..encoding.structs import AFTER_ROUND_TWO, DESERT, Board, State
from ..places import BOTH_ENDS, COAST_SIDES, HEXES_AT, N_HEXES
from .turn import begin_turn


@kernel
def lay_board(s: State, b: Board) -> None:
    """Put a board under a game that has no pieces yet; the robber starts on the desert (SETUP-04)."""
    for number in range(13):
        s.hexes_of[number] = 0
    for h in range(N_HEXES):
        s.terrain[h] = b.terrain[h]
        s.number[h] = b.number[h]
        if b.terrain[h] == DESERT:
            s.robber = h
        else:
            s.hexes_of[b.number[h]] |= 1 << h
    for kind in range(6):
        s.harbors[kind] = 0
    for i in range(30):
        if b.harbor[i] >= 0:
            s.harbors[b.harbor[i]] |= BOTH_ENDS[COAST_SIDES[i]]


@kernel
def begin_start_roll(s: State, rollers: int) -> None:
    """Let the seats in `rollers` roll for the right to begin."""
    s.phase = START_ROLL
    s.rollers = rollers
    s.tied = 0
    s.best_roll = 0
    s.active = lowest_set_bit(rollers)


@kernel
def take_start_roll(s: State, roll: int) -> None:
    """One roll for the right to begin; ties among the highest roll again (SETUP-06, SETUP-07)."""
    bit = 1 << s.active
    if roll > s.best_roll:
        s.best_roll = roll
        s.tied = bit
    elif roll == s.best_roll:
        s.tied |= bit
    s.rollers &= ~bit
    if s.rollers == 0:
        if popcount(s.tied) == 1:
            start_play(s, lowest_set_bit(s.tied))
            return
        s.rollers = s.tied
        s.best_roll = 0
    s.active = lowest_set_bit(s.rollers)


@kernel
def start_play(s: State, first: int) -> None:
    """The first player is known: placement rounds, or the first turn on a fixed set-up."""
    s.first = first
    s.rollers = 0
    s.tied = 0
    s.best_roll = 0
    if s.fixed_start:
        begin_turn(s, first)
    else:
        s.active = first
        s.placed = 0
        s.phase = PLACE_SETTLEMENT


@kernel
def next_placement(s: State) -> None:
    """On to the next start settlement, or to the first turn (SETUP-11, SETUP-12, SETUP-17)."""
    s.placed += 1
    n = s.players
    if s.placed == 2 * n:
        if s.start_timing == AFTER_ROUND_TWO:
            for seat in range(n):
                grant_start_cards(s, seat)
        begin_turn(s, s.first)
        return
    order = s.placed if s.placed < n else 2 * n - 1 - s.placed
    s.active = (s.first + order) % n
    s.phase = PLACE_SETTLEMENT


@kernel
def grant_start_cards(s: State, seat: int) -> None:
    """Start resources: one card per hex at the second settlement (SETUP-16)."""
    for i in range(3):
        h = HEXES_AT[s.second_corner[seat], i]
        if h >= 0 and s.terrain[h] != DESERT:
            s.hand[seat] += single_card(s.terrain[h])
            s.supply -= single_card(s.terrain[h])
