"""What goes to the supply: the price of a build or purchase (BUILD-02), the cards of a trade with it (PORT-01 onward).

Which rates a seat has is a question of legality: :mod:`.legal`.
"""

from __future__ import annotations

from ..compiled import inline
from .encoding.lanes import lane, total, widen
from .encoding.structs import State


@inline
def pay_supply(s: State, seat: int, price: int) -> None:
    """Pay the supply for a build or purchase; with separate phases that ends trading (PHASE-05, BUILD-02)."""
    s.hand[seat] -= price
    s.bank += price
    s.trading_closed = s.separate


@inline
def trade_with_supply(s: State, seat: int, x: int) -> None:
    """Give cards of one kind at a rate, take others; `x` is the parameter of a SUPPLY action (PORT-08, PORT-09)."""
    taken = widen(x >> 6)
    paid = total(taken) * ((x >> 3) & 7) * lane(x & 7)
    s.hand[seat] += taken - paid
    s.bank += paid - taken
