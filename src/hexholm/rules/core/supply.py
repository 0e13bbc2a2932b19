"""What goes to the supply: the price of a build or purchase (BUILD-02), the cards of a trade with it (PORT-01 onward).

Which rates a seat has is a question of legality: :mod:`.legal`.
"""

from __future__ import annotations

from ..compilation.kernels import inline
from ..encoding.action_codes import supply_give_of, supply_rate_of, supply_want_of
from ..encoding.lanes import count_cards, single_card
from ..encoding.structs import State


@inline
def pay_supply(s: State, seat: int, price: int) -> None:
    """Pay the supply for a build or purchase; with separate phases that ends trading (PHASE-05, BUILD-02)."""
    s.hand[seat] -= price
    s.supply += price
    s.trading_closed = s.separate


@inline
def trade_with_supply(s: State, seat: int, code: int) -> None:
    """Give cards of one kind at a rate for others; `code` is a SUPPLY action (PORT-08, PORT-09)."""
    want = supply_want_of(code)
    payment = count_cards(want) * supply_rate_of(code) * single_card(supply_give_of(code))
    s.hand[seat] += want - payment
    s.supply += payment - want
