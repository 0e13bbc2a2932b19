"""What a roll pays: PROD-01 to PROD-10.

Every hex with the number pays all who have a building at it: one card for a settlement, two for a city. The hex with
the robber pays nothing. A kind of card that the supply cannot pay in full goes to nobody (PROD-08), or, if one player
alone claims it, to that player as far as it lasts (PROD-09); other kinds are paid all the same (PROD-10).
"""

from __future__ import annotations

from ..compiled import inline, kernel, lowest, popcount
from ..places import CORNERS_OF_HEX
from .encoding.lanes import count, covers, lane
from .encoding.structs import State


@inline
def producing_hexes(s: State, number: int) -> int:
    """The hexes that a roll of `number` makes produce, as bits: not the one with the robber (PROD-01, PROD-07)."""
    return s.hexes_of[number] & ~(1 << s.robber)


@inline
def building_yield(s: State, seat: int, corners: int) -> int:
    """Cards one hex with these corners pays to `seat` (PROD-02 to PROD-04)."""
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
        h = lowest(hexes)
        hexes &= hexes - 1
        corners = CORNERS_OF_HEX[h]
        if not corners & s.built:
            continue
        one = lane(s.terrain[h])
        gain_0 += building_yield(s, 0, corners) * one
        gain_1 += building_yield(s, 1, corners) * one
        gain_2 += building_yield(s, 2, corners) * one
        gain_3 += building_yield(s, 3, corners) * one
    claims = gain_0 + gain_1 + gain_2 + gain_3
    if claims == 0:
        return
    if not covers(s.bank, claims):
        for kind in range(5):
            claimed = count(claims, kind)
            left = count(s.bank, kind)
            if claimed > left:
                mine = 0x7F << (8 * kind)
                takers = 0
                takers += 1 if gain_0 & mine else 0
                takers += 1 if gain_1 & mine else 0
                takers += 1 if gain_2 & mine else 0
                takers += 1 if gain_3 & mine else 0
                paid = left * lane(kind) if takers == 1 else 0  # PROD-08: nobody; PROD-09: a single taker gets the rest
                gain_0 = gain_0 & ~mine | (paid if gain_0 & mine else 0)
                gain_1 = gain_1 & ~mine | (paid if gain_1 & mine else 0)
                gain_2 = gain_2 & ~mine | (paid if gain_2 & mine else 0)
                gain_3 = gain_3 & ~mine | (paid if gain_3 & mine else 0)
        claims = gain_0 + gain_1 + gain_2 + gain_3
    s.bank -= claims
    s.hand[0] += gain_0
    s.hand[1] += gain_1
    s.hand[2] += gain_2
    s.hand[3] += gain_3
