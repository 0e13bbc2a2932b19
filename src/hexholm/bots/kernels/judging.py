"""How likely each seat is to win: a small network, the same for all seats, fitted to games played to their end.

The strength of a seat is one number, made from its features by HIDDEN units; its chance is its share of the powers of
e. The own seat is seen with its cards, the others without, so there are two sets of weights (docs/decisions/0008).

Sums run in one order and e is taken by a polynomial of our own, so that both speeds give the same bits.
"""

from __future__ import annotations

from typing import Any, Final

from hexholm.rules.compiled import kernel, table
from hexholm.rules.core.layout import State
from hexholm.rules.core.phases import OVER

from .layout import FEATURES, HIDDEN, SIDE, Mind
from .seeing import look

POWERS = table([2.0**-n for n in range(64)], "f8")
LOG2: Final = 0.6931471805599453
CERTAIN: Final = 1.0


@kernel
def exp_below(x: float) -> float:
    """A power of e whose exponent is not above 0; 0 far below."""
    if x < -40.0:
        return 0.0
    n = int(-x / LOG2 + 0.5)
    r = x + n * LOG2  # within +-0.35
    e = 1.0 + r * (1.0 + r * (0.5 + r * (1.0 / 6.0 + r * (1.0 / 24.0 + r * (1.0 / 120.0 + r * (1.0 / 720.0))))))
    return e * POWERS[n]


@kernel
def strength_of(m: Mind, net: Any, own: int) -> float:
    """The strength of the seat whose features are in `m.x`."""
    base = 0 if own else SIDE
    h = m.h
    x = m.x
    for j in range(HIDDEN):
        h[j] = net[base + FEATURES * HIDDEN + j]
    for k in range(FEATURES):
        v = x[k]
        if v != 0.0:
            row = base + k * HIDDEN
            for j in range(HIDDEN):
                h[j] += v * net[row + j]
    out = base + FEATURES * HIDDEN + HIDDEN
    total = 0.0
    for j in range(HIDDEN):
        if h[j] > 0.0:
            total += h[j] * net[out + j]
    return total


@kernel
def judge_seat(s: State, m: Mind, net: Any, seat: int, own: int, hand: int) -> float:
    """The strength of a seat; `own`: seen with its cards."""
    look(s, m, seat, own, hand)
    return strength_of(m, net, own)


@kernel
def judge_all_seats(s: State, m: Mind, net: Any, me: int) -> None:
    """Fill `m.strength` with all seats as `me` sees them."""
    for seat in range(s.players):
        own = 1 if seat == me else 0
        m.strength[seat] = judge_seat(s, m, net, seat, own, s.hand[seat])


@kernel
def chance(s: State, strengths: Any, me: int) -> float:
    """How likely `me` is to win with these strengths."""
    top = strengths[0]
    for seat in range(1, s.players):
        top = max(top, strengths[seat])
    whole = 0.0
    for seat in range(s.players):
        whole += exp_below(strengths[seat] - top)
    return float(exp_below(strengths[me] - top) / whole)


@kernel
def decided(s: State, me: int) -> float:
    """1 if `me` has won, 0 if somebody else has, below 0 if the game goes on."""
    if s.phase != OVER:
        return -1.0
    return CERTAIN if s.winner == me else 0.0
