"""What is hidden from a seat changes no character of what its assistant reads; what is its own, it reads."""

from __future__ import annotations

import asyncio

import pytest

from hexholm.game.game import SeatView
from hexholm.host.assistants import briefing as told_text
from hexholm.host.wire import messages as m
from tests.host.halls import hall, set_up
from tests.host.noninterference.in_hall import CHANCES, Worlds, run
from tests.rules.noninterference import Leak

from .callers import HERE, tools_of

BRIEFING = told_text.briefing
TOLD = Worlds.told


async def told_to_an_assistant(worlds: Worlds, world: int, who: str | None) -> list[bytes]:
    """All that is sent, and all that an assistant would read now."""
    party = worlds.parties[world]
    tools, token = tools_of(party), party.tokens.get(who or "")
    texts = [await tools.look(HERE, party.id, token, None), await tools.look(HERE, party.id, token, 0)]
    if token is not None:
        texts.append(await tools.actions(HERE, party.id, token))
        texts.append(await tools.wait(HERE, party.id, token, 0, None))
        texts.append(await tools.why(HERE, party.id, token, "buy"))
    return [*await TOLD(worlds, world, who), *(text.encode() for text in texts)]


@pytest.mark.rule("INFO-01", "INFO-03")
@pytest.mark.parametrize("chance", CHANCES)
def test_hidden_cards_change_nothing_that_an_assistant_reads(
    chance: m.ChanceSource, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Worlds, "told", told_to_an_assistant)
    count = asyncio.run(run(1, chances=[chance]))
    print(count)
    assert count.compared > 20
    assert bool(count.typed) == (chance == "people")


def test_a_planted_leak_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    def leaking(view: SeatView, *, ranges: bool = False) -> str:
        return f"{BRIEFING(view, ranges=ranges)} {hidden[-1]}"

    async def told(worlds: Worlds, world: int, who: str | None) -> list[bytes]:
        state = worlds.games[world].referee.state
        hidden.append([int(state.hand[seat]) for seat in range(3)])
        return await told_to_an_assistant(worlds, world, who)

    hidden: list[list[int]] = []
    monkeypatch.setattr("hexholm.host.assistants.tools.briefing", leaking)
    monkeypatch.setattr(Worlds, "told", told)
    with pytest.raises(Leak):
        asyncio.run(run(2))


@pytest.mark.parametrize("ranges", [False, True])
def test_ranges_of_other_hands_are_told_only_where_the_table_shows_them(ranges: bool) -> None:
    async def story() -> None:
        async with hall() as party:
            await set_up(party, ranges=ranges, setup="fixed")
            await party.begin()
            while party.table.game is not None and party.table.game.phase.startswith("setup"):
                who = party.table.game.to_act[0]
                await party.did(who, party.table.game.legal_actions.texts[0])
            text = await tools_of(party).look(HERE, party.id, party.tokens["red"], None)
            lines = [line for line in text.splitlines() if line.strip(" *").startswith("blue ")]
            assert "card" in lines[0]
            assert ("(" in lines[0]) == ranges, lines

    asyncio.run(story())
