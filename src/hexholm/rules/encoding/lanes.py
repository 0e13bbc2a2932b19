"""Five small counts in one integer: lanes of 8 bits, the top bit of each lane a guard that is always clear.

A hand, the supply, a price, the development deck are all lanes. `covers(hand, price)` sets every guard, subtracts,
and looks whether a guard was borrowed. Counts never exceed 95 (all cards of the game), so guards stay clear in sums
too.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from ..compilation.kernels import inline, wrapping_times

N_KINDS: Final = 5
"""Kinds of resources, and of development cards: each has a lane."""
ONES: Final = 0x01_01_01_01_01
GUARDS: Final = 0x80_80_80_80_80
LANE: Final = 0x7F


@inline
def single_card(kind: int) -> int:
    """One card of `kind`."""
    return 1 << (8 * kind)


@inline
def lane_of(kind: int) -> int:
    """The bits that count cards of `kind`: with `&`, all cards of that kind."""
    return LANE << (8 * kind)


@inline
def guard_of(kind: int) -> int:
    """The guard bit of `kind`; sets of kinds are guard bits."""
    return 1 << (8 * kind + 7)


@inline
def count(cards: int, kind: int) -> int:
    """How many cards of `kind`."""
    return (cards >> (8 * kind)) & LANE


@inline
def count_cards(cards: int) -> int:
    """How many cards in all."""
    return (wrapping_times(cards, ONES) >> 32) & 0xFF


@inline
def covers(cards: int, price: int) -> bool:
    """Whether `cards` hold at least `price`."""
    return ((cards | GUARDS) - price) & GUARDS == GUARDS


@inline
def at_least(cards: int, n: int) -> int:
    """Guard bits of the kinds of which there are at least `n`."""
    return ((cards | GUARDS) - n * ONES) & GUARDS


@inline
def have_common_kind(a: int, b: int) -> bool:
    """Whether some kind occurs in both."""
    return at_least(a, 1) & at_least(b, 1) != 0


@inline
def widen(packed: int) -> int:
    """Lanes from five counts of 5 bits, the form used inside action codes."""
    return (
        (packed & 31)
        | (packed & 31 << 5) << 3
        | (packed & 31 << 10) << 6
        | (packed & 31 << 15) << 9
        | (packed & 31 << 20) << 12
    )


@inline
def narrow(cards: int) -> int:
    """Five counts of 5 bits from lanes; the inverse of :func:`widen` for counts up to 31."""
    return (
        (cards & 31)
        | (cards >> 3) & 31 << 5
        | (cards >> 6) & 31 << 10
        | (cards >> 9) & 31 << 15
        | (cards >> 12) & 31 << 20
    )


def pack(counts: Sequence[int]) -> int:
    """Lanes from five plain counts."""
    return sum(n << (8 * kind) for kind, n in enumerate(counts))


def unpack(cards: int) -> tuple[int, ...]:
    """Five plain counts from lanes."""
    return tuple((cards >> (8 * kind)) & LANE for kind in range(N_KINDS))


def pack_named(counts: Mapping[str, int], kinds: Iterable[str]) -> int:
    """Lanes from counts by name."""
    return pack([counts.get(kind, 0) for kind in kinds])
