"""act_v1: a dense numbering of actions for search and learning.

Everything but free-form offers has one number; a discard is composed card by card; a menu of small offers (1:1,
2:1, 1:2) to all opponents (a waiting player: to the active one) stands in for negotiation. The numbers never
change; another numbering would be act_v2.

    0 roll  1 end  2 buy  3 knight  4 road-building  5 waive  6.. monopoly  11.. year of plenty  31.. settlement
    85.. city  139.. road  211.. robber  230.. steal  234.. discard one card  239.. supply trade  299.. offers
    419.. accept  427.. reject  435.. withdraw  443.. confirm (offer, seat)
"""

from __future__ import annotations

from typing import Any, Final

from ...compilation.kernels import constant_table, kernel, lowest_set_bit
from ...encoding import action_codes as act
from ...encoding.action_codes import offer_action, plenty_action, simple_action, supply_action
from ...encoding.lanes import count, single_card
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
from ..legal import PLENTY_FIRST, PLENTY_SECOND, may_waive, survey

FIRST_MONOPOLY: Final = 6
FIRST_PLENTY: Final = 11
FIRST_SETTLEMENT: Final = 31
FIRST_CITY: Final = 85
FIRST_ROAD: Final = 139
FIRST_ROBBER: Final = 211
FIRST_STEAL: Final = 230
FIRST_DISCARD: Final = 234
FIRST_SUPPLY: Final = 239
SOLO_ACTIONS: Final = 299  # all that needs no negotiation
FIRST_OFFER: Final = 299
FIRST_ACCEPT: Final = 419
FIRST_REJECT: Final = 427
FIRST_WITHDRAW: Final = 435
FIRST_CONFIRM: Final = 443
ALL_ACTIONS: Final = 475

_SIMPLE: Final = (act.ROLL, act.END, act.BUY, act.KNIGHT_CARD, act.ROAD_BUILDING_CARD, act.WAIVE)
SIMPLE_KINDS = constant_table(_SIMPLE, "i1")
RATES = constant_table([4, 3, 2], "i1")  # by tier


def _offer_menu() -> list[tuple[int, int]]:
    kinds = range(5)
    menu = [(single_card(a), single_card(b)) for a in kinds for b in kinds if a != b]
    pairs = [(a, b) for a in kinds for b in kinds if a <= b]
    menu += [(single_card(a) + single_card(b), single_card(c)) for a, b in pairs for c in kinds if c not in (a, b)]
    menu += [(single_card(c), single_card(a) + single_card(b)) for a, b in pairs for c in kinds if c not in (a, b)]
    return menu


MENU: Final = _offer_menu()
MENU_GIVE = constant_table([give for give, _ in MENU])
MENU_WANT = constant_table([want for _, want in MENU])


@kernel
def code_of_number(s: State, seat: int, number: int) -> int:
    """The action code of a number, for `seat` in this state; 0 if there is no such number."""
    if number < 0 or number >= ALL_ACTIONS:
        return act.NOTHING
    if number < FIRST_MONOPOLY:
        return SIMPLE_KINDS[number]
    if number < FIRST_PLENTY:
        return simple_action(act.MONOPOLY_CARD, number - FIRST_MONOPOLY)
    if number < FIRST_SETTLEMENT:
        return plenty_action(PLENTY_FIRST[number - FIRST_PLENTY], PLENTY_SECOND[number - FIRST_PLENTY])
    if number < FIRST_CITY:
        return simple_action(act.SETTLEMENT, number - FIRST_SETTLEMENT)
    if number < FIRST_ROAD:
        return simple_action(act.CITY, number - FIRST_CITY)
    if number < FIRST_ROBBER:
        return simple_action(act.ROAD, number - FIRST_ROAD)
    if number < FIRST_STEAL:
        return simple_action(act.ROBBER, number - FIRST_ROBBER)
    if number < FIRST_DISCARD:
        return simple_action(act.STEAL, number - FIRST_STEAL)
    if number < FIRST_SUPPLY:
        return simple_action(act.DISCARD_CARD, number - FIRST_DISCARD)
    if number < FIRST_OFFER:
        offset = number - FIRST_SUPPLY
        give_kind = offset % 20 // 4
        want_kind = offset % 4
        if want_kind >= give_kind:
            want_kind += 1
        return supply_action(give_kind, RATES[offset // 20], single_card(want_kind))
    if number < FIRST_ACCEPT:
        to = 1 << s.active
        if seat == s.active:
            to = ((1 << s.players) - 1) & ~to
        return offer_action(MENU_GIVE[number - FIRST_OFFER], MENU_WANT[number - FIRST_OFFER], to)
    if number < FIRST_REJECT:
        return simple_action(act.ACCEPT, number - FIRST_ACCEPT)
    if number < FIRST_WITHDRAW:
        return simple_action(act.REJECT, number - FIRST_REJECT)
    if number < FIRST_CONFIRM:
        return simple_action(act.WITHDRAW, number - FIRST_WITHDRAW)
    return simple_action(act.CONFIRM, number - FIRST_CONFIRM)


@kernel
def write_mask(s: State, scratch: Scratch, seat: int, mask: Any, row: int) -> int:
    """Write 1 for every legal number of `seat` into row `row` of `mask`, 0 elsewhere; returns how many."""
    for i in range(SOLO_ACTIONS):
        mask[row, i] = 0
    phase = s.phase
    if phase == DISCARDING:
        n = 0
        if s.owed[seat]:
            for kind in range(5):
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
        for kind in range(5):
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
            want = scratch.want & ~(single_card(give_kind) << 7)
            while want:
                want_kind = lowest_set_bit(want) >> 3
                want &= want - 1
                number = want_kind if want_kind < give_kind else want_kind - 1
                mask[row, FIRST_SUPPLY + tier * 20 + give_kind * 4 + number] = 1
