"""What is printed on a number token: dots for the ways to roll it (MAP-07, MAP-08)."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from ..errors import BadInput

RED_NUMBERS: Final = frozenset((6, 8))

ODDS_PERCENT: Final[Mapping[int, int]] = MappingProxyType(
    {2: 3, 3: 6, 4: 8, 5: 11, 6: 14, 7: 17, 8: 14, 9: 11, 10: 8, 11: 6, 12: 3}
)
"""The odds of each roll as the fifth edition prints them, rounded (MAP-08)."""

SUMS: Final = range(2, 13)
"""What two dice can show together."""


def ways_to_roll(total: int) -> int:
    """In how many of the 36 pairs two dice show a total (MAP-07, MAP-08)."""
    return 6 - abs(7 - total)


DOTS_BY_NUMBER: Final = tuple(ways_to_roll(number) if number in SUMS and number != 7 else 0 for number in range(13))
"""The dots of a number token: in how many of 36 ways two dice give the number; 0 where there is no token."""


def number_dots(number: int) -> int:
    """The dots of a number token: in how many of 36 ways two dice give the number."""
    if number not in ODDS_PERCENT or number == 7:
        raise BadInput(f"there is no number token {number}; tokens go from 2 to 12, without 7")
    return DOTS_BY_NUMBER[number]
