"""What a roll pays: PROD-01 to PROD-10.

Every hex with the number pays all who have a building at it: one card for a settlement, two for a city. The hex with
the robber pays nothing. A kind of card that the supply cannot pay in full goes to nobody (PROD-08), or, if one player
alone claims it, to that player as far as it lasts (PROD-09); other kinds are paid all the same (PROD-10).
"""

from __future__ import annotations

from ..compilation.kernels import inline, kernel, lowest_set_bit, popcount
from ..encoding.lanes import N_KINDS, count, covers, lane_of, single_card
from ..encoding.structs import State
from ..places import CORNERS_OF_HEX


@inline
def producing_hexes(s: State, number: int) -> int:
    """The hexes that a roll of `number` makes produce, as bits: not the one with the robber (PROD-01, PROD-07)."""
    return s.hexes_of[number] & ~(1 << s.robber)


@inline
def hex_yield(s: State, seat: int, h: int) -> int:
    """Cards that hex `h` owes `seat` for its buildings when the hex produces (PROD-02 to PROD-04)."""
    corners = CORNERS_OF_HEX[h]
    return (
        popcount(s.settlements[seat] & corners) * s.yield_settlement + popcount(s.cities[seat] & corners) * s.yield_city
    )


@kernel
def produce(s: State, number: int) -> None:
    """Pay every hex with `number` (PROD-01 to PROD-10)."""
    hexes = producing_hexes(s, number)
    gain_0 = 0
    gain_1 = 0
    gain_2 = 0
    gain_3 = 0
    while hexes:
        h = lowest_set_bit(hexes)
        hexes &= hexes - 1
        if not CORNERS_OF_HEX[h] & s.buildings:
            continue
        card = single_card(s.terrain[h])
        gain_0 += hex_yield(s, 0, h) * card
        gain_1 += hex_yield(s, 1, h) * card
        gain_2 += hex_yield(s, 2, h) * card
        gain_3 += hex_yield(s, 3, h) * card
    claims = gain_0 + gain_1 + gain_2 + gain_3
    if claims == 0:
        return
    if not covers(s.supply, claims):
        for kind in range(N_KINDS):
            claimed = count(claims, kind)
            cards_left = count(s.supply, kind)
            if claimed > cards_left:
                mask = lane_of(kind)
                takers = 0
                takers += 1 if gain_0 & mask else 0
                takers += 1 if gain_1 & mask else 0
                takers += 1 if gain_2 & mask else 0
                takers += 1 if gain_3 & mask else 0
                # PROD-08: nobody; PROD-09: a single taker gets the rest
                payment = cards_left * single_card(kind) if takers == 1 else 0
                gain_0 = gain_0 & ~mask | (payment if gain_0 & mask else 0)
                gain_1 = gain_1 & ~mask | (payment if gain_1 & mask else 0)
                gain_2 = gain_2 & ~mask | (payment if gain_2 & mask else 0)
                gain_3 = gain_3 & ~mask | (payment if gain_3 & mask else 0)
        claims = gain_0 + gain_1 + gain_2 + gain_3
    s.supply -= claims
    s.hand[0] += gain_0
    s.hand[1] += gain_1
    s.hand[2] += gain_2
    s.hand[3] += gain_3
