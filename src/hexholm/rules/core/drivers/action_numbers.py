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

from ...compiled import kernel, lowest, table
from ...places import HALF
from ..encoding import actions as act
from ..encoding.actions import offer, plenty, simple, supply
from ..encoding.lanes import count, lane
from ..encoding.structs import State, Work
from ..legal import PLENTY_FIRST, PLENTY_SECOND, may_waive, survey
from ..phases import BEFORE_ROLL, CHOOSE_VICTIM, DISCARDING, FREE_ROAD, MAIN, MOVE_ROBBER, PLACE_ROAD, PLACE_SETTLEMENT

MONOPOLY_1: Final = 6
PLENTY_1: Final = 11
SETTLEMENT_1: Final = 31
CITY_1: Final = 85
ROAD_1: Final = 139
ROBBER_1: Final = 211
STEAL_1: Final = 230
DISCARD_1: Final = 234
SUPPLY_1: Final = 239
SOLO_ACTIONS: Final = 299  # all that needs no negotiation
OFFER_1: Final = 299
ACCEPT_1: Final = 419
REJECT_1: Final = 427
WITHDRAW_1: Final = 435
CONFIRM_1: Final = 443
ALL_ACTIONS: Final = 475

_SIMPLE: Final = (act.ROLL, act.END, act.BUY, act.KNIGHT_CARD, act.ROAD_BUILDING_CARD, act.WAIVE)
SIMPLE_KINDS = table(_SIMPLE, "i1")
RATES = table([4, 3, 2], "i1")  # by tier


def _offer_menu() -> list[tuple[int, int]]:
    def one(kind: int) -> int:
        return 1 << (8 * kind)

    kinds = range(5)
    menu = [(one(a), one(b)) for a in kinds for b in kinds if a != b]
    pairs = [(a, b) for a in kinds for b in kinds if a <= b]
    menu += [(one(a) + one(b), one(c)) for a, b in pairs for c in kinds if c not in (a, b)]
    menu += [(one(c), one(a) + one(b)) for a, b in pairs for c in kinds if c not in (a, b)]
    return menu


MENU: Final = _offer_menu()
MENU_GIVE = table([give for give, _ in MENU])
MENU_WANT = table([want for _, want in MENU])


@kernel
def code_of_number(s: State, seat: int, number: int) -> int:
    """The action code of a number, for `seat` in this state; 0 if there is no such number."""
    if number < 0 or number >= ALL_ACTIONS:
        return act.NOTHING
    if number < MONOPOLY_1:
        return SIMPLE_KINDS[number]
    if number < PLENTY_1:
        return simple(act.MONOPOLY_CARD, number - MONOPOLY_1)
    if number < SETTLEMENT_1:
        return plenty(PLENTY_FIRST[number - PLENTY_1], PLENTY_SECOND[number - PLENTY_1])
    if number < CITY_1:
        return simple(act.SETTLEMENT, number - SETTLEMENT_1)
    if number < ROAD_1:
        return simple(act.CITY, number - CITY_1)
    if number < ROBBER_1:
        return simple(act.ROAD, number - ROAD_1)
    if number < STEAL_1:
        return simple(act.ROBBER, number - ROBBER_1)
    if number < DISCARD_1:
        return simple(act.STEAL, number - STEAL_1)
    if number < SUPPLY_1:
        return simple(act.DISCARD_CARD, number - DISCARD_1)
    if number < OFFER_1:
        x = number - SUPPLY_1
        given = x % 20 // 4
        taken = x % 4
        if taken >= given:
            taken += 1
        return supply(given, RATES[x // 20], lane(taken))
    if number < ACCEPT_1:
        to = 1 << s.active
        if seat == s.active:
            to = ((1 << s.players) - 1) & ~to
        return offer(MENU_GIVE[number - OFFER_1], MENU_WANT[number - OFFER_1], to)
    if number < REJECT_1:
        return simple(act.ACCEPT, number - ACCEPT_1)
    if number < WITHDRAW_1:
        return simple(act.REJECT, number - REJECT_1)
    if number < CONFIRM_1:
        return simple(act.WITHDRAW, number - WITHDRAW_1)
    return simple(act.CONFIRM, number - CONFIRM_1)


@kernel
def write_mask(s: State, w: Work, seat: int, mask: Any, row: int) -> int:
    """Write 1 for every legal number of `seat` into row `row` of `mask`, 0 elsewhere; returns how many."""
    for i in range(SOLO_ACTIONS):
        mask[row, i] = 0
    phase = s.phase
    if phase == DISCARDING:
        n = 0
        if s.owed[seat]:
            for kind in range(5):
                if count(s.hand[seat] - s.chosen[seat], kind):
                    mask[row, DISCARD_1 + kind] = 1
                    n += 1
        return n
    n = survey(s, w, seat)
    if n == 0:
        return 0
    if phase == BEFORE_ROLL:
        mask[row, 0] = 1
        mark_cards(w, mask, row)
    elif phase == MAIN:
        mask[row, 1] = 1
        mask[row, 2] = w.buy
        mark_bits(w.settlement, mask, row, SETTLEMENT_1)
        mark_bits(w.city, mask, row, CITY_1)
        mark_roads(w, mask, row)
        mark_trades(w, mask, row)
        mark_cards(w, mask, row)
    elif phase == MOVE_ROBBER:
        mark_bits(w.hexes, mask, row, ROBBER_1)
    elif phase == CHOOSE_VICTIM:
        mark_bits(w.victims, mask, row, STEAL_1)
    elif phase == PLACE_SETTLEMENT:
        mark_bits(w.settlement, mask, row, SETTLEMENT_1)
    elif phase == PLACE_ROAD:
        mark_roads(w, mask, row)
    elif phase == FREE_ROAD:
        mark_roads(w, mask, row)
        if may_waive(s):
            mask[row, 5] = 1
    return n


@kernel
def mark_bits(bits: int, mask: Any, row: int, first: int) -> None:
    """Write 1 at `first` + i for every bit i."""
    while bits:
        mask[row, first + lowest(bits)] = 1
        bits &= bits - 1


@kernel
def mark_roads(w: Work, mask: Any, row: int) -> None:
    """Write 1 for every road that the survey found."""
    mark_bits(w.road_lo, mask, row, ROAD_1)
    mark_bits(w.road_hi, mask, row, ROAD_1 + HALF)


@kernel
def mark_cards(w: Work, mask: Any, row: int) -> None:
    """Write 1 for every development card that the survey found playable."""
    mask[row, 3] = w.knight
    mask[row, 4] = w.road_building
    if w.monopoly:
        for kind in range(5):
            mask[row, MONOPOLY_1 + kind] = 1
    mark_bits(w.plenty, mask, row, PLENTY_1)


@kernel
def mark_trades(w: Work, mask: Any, row: int) -> None:
    """The surveyed supply trades; guard bits stand 8 apart, the first at bit 7."""
    for tier in range(3):
        give = w.give[tier]
        while give:
            given = lowest(give) >> 3
            give &= give - 1
            takes = w.take & ~(lane(given) << 7)
            while takes:
                taken = lowest(takes) >> 3
                takes &= takes - 1
                mask[row, SUPPLY_1 + tier * 20 + given * 4 + (taken if taken < given else taken - 1)] = 1
