"""The numbers of the house rules, which no book has (EDN-02). Whoever names one, in code or in words, reads it here."""

from __future__ import annotations

from typing import Final

POINTS_TO_WIN: Final = (3, 20)
"""The fewest and the most that can be chosen."""
HAND_LIMIT: Final = (2, 20)
"""The fewest and the most cards that one may be allowed to keep on a seven."""
SPARED_BELOW: Final = 3
"""Points in view below which a friendly robber spares an opponent."""
