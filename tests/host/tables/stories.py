"""Stories of people at a table, told in a hall of their own."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from tests.host.halls import Party, open_party, set_up

RED, BLUE, WHITE, ORANGE = "red", "blue", "white", "orange"


def tell_story(story: Callable[[Party], Awaitable[None]], people: int = 4, **options: Any) -> None:
    """A story at a table of a hall of its own."""

    async def run() -> None:
        how = {
            name: options.pop(name) for name in ("away_after", "clear_after", "make_dealer", "ids") if name in options
        }
        async with open_party(**how) as party:
            await story(await set_up(party, people, **options))

    asyncio.run(run())


async def play(p: Party, color: str, steps: int = 10**6) -> None:
    """A person who plays what comes first and is not an offer, until the game is over or so many steps are done."""
    for _ in range(steps):
        await p.until(lambda: color in p.table.asked_colors() or p.table.status == "over")
        projection = p.table.projection(color)
        assert projection is not None
        if p.table.status == "over":
            return
        preferred = ("city", "settlement", "road", "buy", "roll", "discard", "robber", "steal", "end", "reject")
        rank = {kind: i for i, kind in enumerate(preferred)}
        action = min(projection.legal, key=lambda text: rank.get(text.split()[0], 99))
        await p.act(color, action)
