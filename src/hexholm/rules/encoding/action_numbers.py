"""act_v1: a dense numbering of actions for search and learning.

Everything but free-form offers has one number; a discard is composed card by card; a menu of small offers (1:1,
2:1, 1:2) to all opponents (a waiting player: to the active one) stands in for negotiation. The numbers never
change; another numbering would be act_v2.

    0 roll  1 end  2 buy  3 knight  4 road-building  5 waive  6.. monopoly  11.. year of plenty  31.. settlement
    85.. city  139.. road  211.. robber  230.. steal  234.. discard one card  239.. supply trade  299.. offers
    419.. accept  427.. reject  435.. withdraw  443.. confirm (offer, seat)
"""

from __future__ import annotations

from typing import Final

from ..compilation.kernels import constant_table, kernel
from . import action_codes as act
from .action_codes import PLENTY_FIRST, PLENTY_SECOND, offer_action, plenty_action, simple_action, supply_action
from .lanes import N_KINDS, single_card
from .structs import State

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
    kinds = range(N_KINDS)
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
