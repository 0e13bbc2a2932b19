"""The house rules, which no book has (EDN-02): their numbers, and what is said of those that are on or off."""

from __future__ import annotations

from typing import Final

POINTS_TO_WIN: Final = (3, 20)
"""The fewest and the most that can be chosen."""
HAND_LIMIT: Final = (2, 20)
"""The fewest and the most cards that one may be allowed to keep on a seven."""
SPARED_BELOW: Final = 3
"""Points in view below which a friendly robber spares an opponent."""
BALANCED_DICE: Final = "balanced-1"
"""The published algorithm of the house rule (docs/decisions/0002); another one would have another name."""
HOUSE_SWITCHES: Final = {
    "friendly_robber": ("friendly robber", f"spares opponents with fewer than {SPARED_BELOW} visible points"),
    "balanced_dice": (f"balanced dice ({BALANCED_DICE})", "drawn from a bag of all 36 pairs"),
}
"""The house rules that are on or off, by the names of their options: what each is called, and what it says."""
