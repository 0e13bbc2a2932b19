"""The players that come with Hexholm, as data: reading their names loads none of them."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Final

SHIPPED: Final = {
    "random": ("players.random_player:Random", "any kind of action, then any of that kind: the floor of every ladder"),
    "easy": ("players.easy:Easy", "sensible, with the oversights of a casual player"),
    "medium": ("players.compiled:Medium", "judges every action by the position after it"),
    "hard": (
        "players.compiled:Hard",
        "plays on in its mind with its best ideas, in worlds that fit what it has seen",
    ),
    "expert": (
        "players.compiled:Expert",
        "as hard, a bolder trader, thinks as long as you let it: a second by default",
    ),
}
"""Name: where it is made, and what it is in a line; from the weakest to the strongest."""
KERNELS: Final = {
    "medium": ("bot_decide", "bot_plan", "bot_settle", "bot_try", "bot_weigh"),
    "hard": ("bot_decide", "bot_plan", "bot_settle", "bot_try", "bot_weigh"),
    "expert": ("bot_decide", "bot_plan", "bot_settle", "bot_try", "bot_try_with_trade", "bot_weigh"),
}
"""What is compiled before a player plays compiled; `medium` and `hard` have theirs together."""
TABLE_BOTS: Final = (*(name for name in SHIPPED if name != "random"), "random")
"""The players that a table offers, the default first; `random`, which is for trying things out, last."""
KEPT_DECISIONS: Final = Path(__file__).parent / "data" / "decisions.json"
"""What each of them decides on a kept set of views; written by `python -m tools.decisions --write`."""


@cache
def kept_decisions() -> dict[str, list[str]]:
    """What the players decided when that was kept last, by name: what they are known by (`arena/fingerprints.py`)."""
    decisions: dict[str, list[str]] = json.loads(KEPT_DECISIONS.read_text(encoding="utf-8"))
    return decisions
