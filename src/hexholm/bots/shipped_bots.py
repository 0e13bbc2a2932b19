"""The players that come with Hexholm, as data: reading their names loads none of them."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any, Final, Protocol

SHIPPED: Final = {
    "random": ("shipped.random_player:Random", "chooses a random kind of action, then a random action of that kind"),
    "easy": ("shipped.easy:Easy", "sensible, but overlooks things like a casual player"),
    "medium": ("shipped.compiled:Medium", "judges every action by the position after it"),
    "hard": (
        "shipped.compiled:Hard",
        "plays its best ideas through in worlds that fit what it has seen",
    ),
    "expert": (
        "shipped.compiled:Expert",
        "like hard, but trades more boldly and thinks as long as you let it (default: a second)",
    ),
}
"""Name: where it is made, and what it is in a line; from the weakest to the strongest."""


class BotKernels(Protocol):
    """The kernels that compiled players call."""

    def bot_decide(
        self, view: Any, copies: Any, open_offers: Any, scratch: Any, mind: Any, net: Any, deck: int, /
    ) -> int: ...
    def bot_plan(self, copies: Any, scratch: Any, mind: Any, me: int, /) -> int: ...
    def bot_revise(self, copies: Any, open_offers: Any, mind: Any, net: Any, me: int, code: int, /) -> int: ...
    def bot_try(
        self, view: Any, copies: Any, scratch: Any, mind: Any, world_mind: Any, net: Any, deck: int, key: int,
        world: int, rounds: int, codes: Any, sums: Any, /,
    ) -> None: ...  # fmt: skip
    def bot_weigh(
        self, view: Any, copies: Any, open_offers: Any, scratch: Any, mind: Any, net: Any, deck: int, codes: Any,
        values: Any, /,
    ) -> None: ...  # fmt: skip


class ExpertKernels(BotKernels, Protocol):
    """And those that `expert` calls besides."""

    def bot_try_with_trade(
        self, view: Any, copies: Any, scratch: Any, mind: Any, world_mind: Any, net: Any, deck: int, key: int,
        world: int, rounds: int, codes: Any, sums: Any, state: Any, previous: Any, seat_copies: Any, open_offers: Any,
        belief: Any, memory: Any, /,
    ) -> None: ...  # fmt: skip


def _names_of(kernels: type) -> tuple[str, ...]:
    return tuple(name for name in dir(kernels) if name.startswith("bot_"))


KERNELS: Final = {
    "medium": _names_of(BotKernels),
    "hard": _names_of(BotKernels),
    "expert": _names_of(ExpertKernels),
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
