"""What the tests of companion tables share: telling what came out, and what is asked."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from hexholm.game.dealers import Scripted
from hexholm.host.tables.table import Table
from hexholm.host.wire import messages
from tests.host.halls import Party, open_party, set_up

RED, BLUE, WHITE, ORANGE = "red", "blue", "white", "orange"


HOST = Scripted(["drawn knight", "stolen ore"] * 40)
"""What the host deals, where it deals."""


def tell_story(story: Callable[[Party], Awaitable[None]], people: int = 4, **options: Any) -> None:
    """A story at a companion table with the beginners' board, in a hall of its own."""

    async def run() -> None:
        async with open_party(make_dealer=lambda: HOST) as party:
            await set_up(party, people, **({"chance_source": "people", "setup": "fixed"} | options))
            await party.begin()
            await story(party)

    asyncio.run(run())


def question_to(party: Party, color: str | None) -> messages.ChanceQuestion | None:
    """What somebody is asked to tell."""
    projection = party.table.projection(color)
    assert projection is not None
    return projection.chance_question


async def deal(
    party: Party, color: str | None, outcome: str, number: int | None = None
) -> messages.Done | messages.Refused:
    game = party.table.game
    assert game is not None
    party.count += 1
    question_number = party.table.moves if number is None else number
    return await party.send(color, messages.Deal(id=f"deal {party.count}", outcome=outcome, number=question_number))


async def tell_outcomes(party: Party, color: str | None, *outcomes: str) -> None:
    """Outcomes that must be accepted."""
    for outcome in outcomes:
        answer = await deal(party, color, outcome)
        assert isinstance(answer, messages.Done), answer


async def why_not(party: Party, color: str | None, outcome: str, number: int | None = None) -> str:
    answer = await deal(party, color, outcome, number)
    assert isinstance(answer, messages.Refused), answer
    return answer.why


def seen_number(party: Party, color: str | None) -> int:
    """The number of the latest message that somebody has seen."""
    return len(party.table.by_eyes[color].stream)


def phase_of(table: Table) -> str:
    assert table.game is not None
    return table.game.phase


async def roll_seven(party: Party) -> None:
    """Red rolls a seven and is about to steal from somebody."""
    await party.play_actions(RED, "roll")
    await tell_outcomes(party, RED, "dice 3 4")
    await rob(party)


async def rob(party: Party) -> None:
    """Red moves the robber and says whom it steals from."""
    await party.play_actions(RED, "robber D2")
    projection = party.table.projection(RED)
    assert projection is not None
    await party.play_actions(RED, projection.legal[0])


def no_way_back(party: Party, color: str | None) -> str | None:
    """Why somebody is told that nothing can be taken back."""
    projection = party.table.projection(color)
    assert projection is not None
    return projection.refusals.get("take_back", {}).get("why")
