"""Which numbers of act_v1 are legal now, as a row of a mask."""

from __future__ import annotations

from typing import Any

from ...compilation.kernels import kernel, lowest_set_bit
from ...encoding.action_numbers import (
    FIRST_CITY,
    FIRST_DISCARD,
    FIRST_MONOPOLY,
    FIRST_PLENTY,
    FIRST_ROAD,
    FIRST_ROBBER,
    FIRST_SETTLEMENT,
    FIRST_STEAL,
    FIRST_SUPPLY,
    SOLO_ACTIONS,
)
from ...encoding.lanes import N_KINDS, count, guard_of
from ...encoding.phases import (
    BEFORE_ROLL,
    CHOOSE_VICTIM,
    DISCARDING,
    FREE_ROAD,
    MAIN,
    MOVE_ROBBER,
    PLACE_ROAD,
    PLACE_SETTLEMENT,
)
from ...encoding.structs import Scratch, State
from ...places import HALF
from ..legal import may_waive, survey


@kernel
def write_mask(s: State, scratch: Scratch, seat: int, mask: Any, row: int) -> int:
    """Write 1 for every legal number of `seat` into row `row` of `mask`, 0 elsewhere; returns how many."""
    for i in range(SOLO_ACTIONS):
        mask[row, i] = 0
    phase = s.phase
    if phase == DISCARDING:
        n = 0
        if s.owed[seat]:
            for kind in range(N_KINDS):
                if count(s.hand[seat] - s.discards[seat], kind):
                    mask[row, FIRST_DISCARD + kind] = 1
                    n += 1
        return n
    n = survey(s, scratch, seat)
    if n == 0:
        return 0
    if phase == BEFORE_ROLL:
        mask[row, 0] = 1
        mark_cards(scratch, mask, row)
    elif phase == MAIN:
        mask[row, 1] = 1
        mask[row, 2] = scratch.buy
        mark_bits(scratch.settlement, mask, row, FIRST_SETTLEMENT)
        mark_bits(scratch.city, mask, row, FIRST_CITY)
        mark_roads(scratch, mask, row)
        mark_trades(scratch, mask, row)
        mark_cards(scratch, mask, row)
    elif phase == MOVE_ROBBER:
        mark_bits(scratch.hexes, mask, row, FIRST_ROBBER)
    elif phase == CHOOSE_VICTIM:
        mark_bits(scratch.victims, mask, row, FIRST_STEAL)
    elif phase == PLACE_SETTLEMENT:
        mark_bits(scratch.settlement, mask, row, FIRST_SETTLEMENT)
    elif phase == PLACE_ROAD:
        mark_roads(scratch, mask, row)
    elif phase == FREE_ROAD:
        mark_roads(scratch, mask, row)
        if may_waive(s):
            mask[row, 5] = 1
    return n


@kernel
def mark_bits(bits: int, mask: Any, row: int, first: int) -> None:
    """Write 1 at `first` + i for every bit i."""
    while bits:
        mask[row, first + lowest_set_bit(bits)] = 1
        bits &= bits - 1


@kernel
def mark_roads(scratch: Scratch, mask: Any, row: int) -> None:
    """Write 1 for every road that the survey found."""
    mark_bits(scratch.road_lo, mask, row, FIRST_ROAD)
    mark_bits(scratch.road_hi, mask, row, FIRST_ROAD + HALF)


@kernel
def mark_cards(scratch: Scratch, mask: Any, row: int) -> None:
    """Write 1 for every development card that the survey found playable."""
    mask[row, 3] = scratch.knight
    mask[row, 4] = scratch.road_building
    if scratch.monopoly:
        for kind in range(N_KINDS):
            mask[row, FIRST_MONOPOLY + kind] = 1
    mark_bits(scratch.plenty, mask, row, FIRST_PLENTY)


@kernel
def mark_trades(scratch: Scratch, mask: Any, row: int) -> None:
    """The surveyed supply trades; guard bits stand 8 apart, the first at bit 7."""
    for tier in range(3):
        give = scratch.give[tier]
        while give:
            give_kind = lowest_set_bit(give) >> 3
            give &= give - 1
            want = scratch.want & ~guard_of(give_kind)
            while want:
                want_kind = lowest_set_bit(want) >> 3
                want &= want - 1
                number = want_kind if want_kind < give_kind else want_kind - 1
                mask[row, FIRST_SUPPLY + tier * 20 + give_kind * 4 + number] = 1
