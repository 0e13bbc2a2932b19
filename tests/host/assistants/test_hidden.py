"""What is hidden from a seat changes no character of what its assistant reads; what is its own, it reads."""

from __future__ import annotations

import asyncio

import pytest

from hexholm.game.game import SeatView
from hexholm.host.assistants import briefing as briefing_module
from hexholm.host.table_literals import ChanceSource
from tests.host.halls import open_party, set_up
from tests.host.noninterference.in_hall import CHANCES, Worlds, run
from tests.rules.noninterference import Leak

from .calling_assistant import HERE, tools_of

pytestmark = pytest.mark.waits

BRIEFING = briefing_module.briefing_text
TOLD = Worlds.messages_to


async def told_to_an_assistant(worlds: Worlds, world: int, color: str | None) -> list[bytes]:
    """All that is sent, and all that an assistant would read now."""
    party = worlds.parties[world]
    tools, token = tools_of(party), party.tokens.get(color or "")
    texts = [await tools.look(HERE, party.id, token, None), await tools.look(HERE, party.id, token, 0)]
    if token is not None:
        texts.append(await tools.actions(HERE, party.id, token))
        texts.append(await tools.wait(HERE, party.id, token, 0, None))
        texts.append(await tools.why(HERE, party.id, token, "buy"))
    return [*await TOLD(worlds, world, color), *(text.encode() for text in texts)]


@pytest.mark.rule("INFO-01", "INFO-03")
@pytest.mark.parametrize("chance", CHANCES)
def test_hidden_cards_change_nothing_that_an_assistant_reads(
    chance: ChanceSource, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Worlds, "messages_to", told_to_an_assistant)
    count = asyncio.run(run(1, chances=[chance]))
    print(count)
    assert count.compared > 20
    assert bool(count.typed) == (chance == "people")


def test_a_planted_leak_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    def leaking(view: SeatView, *, ranges: bool = False) -> str:
        return f"{BRIEFING(view, ranges=ranges)} {hidden[-1]}"

    async def messages_to(worlds: Worlds, world: int, color: str | None) -> list[bytes]:
        state = worlds.games[world].referee.state
        hidden.append([int(state.hand[seat]) for seat in range(3)])
        return await told_to_an_assistant(worlds, world, color)

    hidden: list[list[int]] = []
    monkeypatch.setattr("hexholm.host.assistants.tools.briefing_text", leaking)
    monkeypatch.setattr(Worlds, "messages_to", messages_to)
    with pytest.raises(Leak):
        asyncio.run(run(2))


@pytest.mark.parametrize("ranges", [False, True])
def test_ranges_of_other_hands_are_told_only_where_the_table_shows_them(ranges: bool) -> None:
    async def story() -> None:
        async with open_party() as party:
            await set_up(party, ranges=ranges, setup="fixed")
            await party.begin()
            while party.table.game is not None and party.table.game.phase.startswith("setup"):
                color = party.table.game.to_act[0]
                await party.play_actions(color, party.table.game.legal_actions.texts[0])
            text = await tools_of(party).look(HERE, party.id, party.tokens["red"], None)
            lines = [line for line in text.splitlines() if line.strip(" *").startswith("blue ")]
            assert "card" in lines[0]
            assert ("(" in lines[0]) == ranges, lines

    asyncio.run(story())
