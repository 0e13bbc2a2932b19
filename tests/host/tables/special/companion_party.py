"""What the tests of companion tables share: telling what came out, and what is asked."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from hexholm.game.dealers import Scripted
from hexholm.host.tables.table import Table
from hexholm.host.wire import messages as m
from tests.host.halls import Party, hall, set_up

RED, BLUE, WHITE, ORANGE = "red", "blue", "white", "orange"


HOST = Scripted(["drawn knight", "stolen ore"] * 40)
"""What the host deals, where it deals."""


def told(story: Callable[[Party], Awaitable[None]], people: int = 4, **options: Any) -> None:
    """A story at a companion table with the beginners' board, in a hall of its own."""

    async def run() -> None:
        async with hall(dealer=lambda: HOST) as party:
            await set_up(party, people, **({"chance": "people", "setup": "fixed"} | options))
            await party.begin()
            await story(party)

    asyncio.run(run())


def asked(party: Party, who: str | None) -> m.Question | None:
    """What somebody is asked to tell."""
    projection = party.table.projection(who)
    assert projection is not None
    return projection.chance


async def deal(party: Party, who: str | None, outcome: str, number: int | None = None) -> m.Done | m.Refused:
    game = party.table.game
    assert game is not None
    party.count += 1
    now = party.table.moves if number is None else number
    return await party.send(who, m.Deal(id=f"deal {party.count}", outcome=outcome, number=now))


async def came(party: Party, who: str | None, *outcomes: str) -> None:
    """Outcomes that must be accepted."""
    for outcome in outcomes:
        answer = await deal(party, who, outcome)
        assert isinstance(answer, m.Done), answer


async def why_not(party: Party, who: str | None, outcome: str, number: int | None = None) -> str:
    answer = await deal(party, who, outcome, number)
    assert isinstance(answer, m.Refused), answer
    return answer.why


def seen(party: Party, who: str | None) -> int:
    """The number of the latest message that somebody has seen."""
    return len(party.table.streams.get(who, ()))


def stage(table: Table) -> str:
    assert table.game is not None
    return table.game.phase


async def seven(party: Party) -> None:
    """Red rolls a seven and is about to steal from somebody."""
    await party.did(RED, "roll")
    await came(party, RED, "dice 3 4")
    await rob(party)


async def rob(party: Party) -> None:
    """Red moves the robber and says whom it steals from."""
    await party.did(RED, "robber D2")
    shown = party.table.projection(RED)
    assert shown is not None
    await party.did(RED, shown.legal[0])


def no_way_back(party: Party, who: str | None) -> str | None:
    """Why somebody is told that nothing can be taken back."""
    projection = party.table.projection(who)
    assert projection is not None
    return projection.refusals.get("take_back", {}).get("why")
