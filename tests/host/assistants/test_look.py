"""How long a look at the middle of a game is, and that numbered actions name the land around their places."""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

import hexholm
from hexholm.host.assistants.briefing import briefing_text
from hexholm.host.assistants.tools import Tools
from hexholm.host.tables import log
from hexholm.host.tables.log import read_row
from hexholm.host.tables.running.runner import TableRunner
from hexholm.host.tables.seats import Guest
from hexholm.host.tables.table import Table
from hexholm.rules.places import CORNER_NAMES, HEX_NAMES
from tests.host.halls import open_party, set_up

from .calling_assistant import HERE, tools_of

pytestmark = pytest.mark.waits

MIDDLE = range(4, 9)
"""Points of the one who is ahead, in a game to 10."""
RED = "red"


@asynccontextmanager
async def played_again(
    monkeypatch: pytest.MonkeyPatch, **how: Any
) -> AsyncIterator[tuple[Tools, AsyncIterator[Table]]]:
    """A game that bots have played, entry by entry at a second table, where red's assistant may look."""
    monkeypatch.setattr(Tools, "_identify", lambda *_: Guest("ann", RED))
    async with open_party() as party:
        await set_up(party, 0, **how)
        party.people = {None: Guest("ann")}
        await party.begin()
        await party.until(lambda: party.table.status == "over", 60)
        runner = party.hall.loaded_tables._runners["again"] = TableRunner(
            Table("again"), party.hall.services, lambda _: None
        )
        entries = [read_row(row) for row in await party.hall.services.storage.entries(party.id)]

        async def moments() -> AsyncIterator[Table]:
            for entry in entries:
                runner.table.enter(entry)
                if isinstance(entry.body, log.Played):
                    yield runner.table

        yield tools_of(party), moments()
        del party.hall.loaded_tables._runners["again"]


@pytest.mark.parametrize(
    ("book", "ranges"), [("fifth", False), ("sixth", True), ("threed", False), ("summary", True), ("zip", False)]
)
def test_a_look_in_the_middle_of_a_game_has_1200_to_2400_characters(
    book: str, ranges: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def story() -> None:
        sizes: list[int] = []
        how = {"edition": book, "setup": "variable", "ranges": ranges}
        while len(sizes) < 10:  # a short game has few such moments
            async with played_again(monkeypatch, **how) as (tools, moments):
                async for table in moments:
                    game = table.game
                    assert game is not None
                    if game.phase == "main" and game.active == RED and max(game.points) in MIDDLE:
                        sizes.append(len(await tools.look(HERE, "again", "token", None)))
        print(book, len(sizes), min(sizes), max(sizes))
        assert min(sizes) >= 1_200
        assert max(sizes) <= 2_400

    asyncio.run(story())


def land(game: hexholm.Game, at: str) -> Counter[str]:
    """What lies around a place, counted: `hills 6`."""
    hexes = [at] if at in HEX_NAMES else game.layout.hexes_at(at)
    whole = 1 if at in HEX_NAMES else 3 if at in CORNER_NAMES else 2
    counts = Counter(f"{game.layout.terrain(hexagon)} {game.layout.number(hexagon) or ''}".strip() for hexagon in hexes)
    return counts + Counter({"sea": 1} if len(hexes) < whole else {})


def test_numbered_actions_name_the_land_around_their_places(monkeypatch: pytest.MonkeyPatch) -> None:
    kinds_wanted = {"road", "settlement", "city", "robber"}

    async def one_game(kinds_seen: Counter[str]) -> None:
        async with played_again(monkeypatch, edition="fifth", setup="variable") as (tools, moments):
            async for table in moments:
                game = table.game
                assert game is not None
                if RED not in game.to_act:
                    continue
                text = await tools.actions(HERE, "again", "token")
                for kind, at, words in re.findall(r"^\d+\. (\w+) ([A-E]\d\S*)  \((.*)\)$", text, re.MULTILINE):
                    lands = Counter(re.split(r"[,;] ", words))
                    assert lands >= land(game, at), (at, words)
                    kinds_seen[kind] += 1
                named = re.findall(r"^\d+\. (?:road|settlement|city|robber) \S+(.*)$", text, re.MULTILINE)
                assert all(explanation.startswith("  (") for explanation in named), text

    async def story() -> None:
        kinds_seen: Counter[str] = Counter()
        for _ in range(8):  # bots at a table play every game differently: in one in a few, red can build no city
            await one_game(kinds_seen)
            if kinds_seen.keys() >= kinds_wanted:
                break
        assert kinds_seen.keys() >= kinds_wanted, kinds_seen

    asyncio.run(story())


@pytest.mark.parametrize(
    ("book", "own", "foreign"),
    [("summary", "Bank: ", "supply"), ("zip", "resource tiles", "card"), ("fifth", "Supply: ", "tile")],
)
def test_a_look_has_the_words_of_the_edition(book: str, own: str, foreign: str) -> None:
    game = hexholm.Game(edition=book, setup="fixed", first=0, seed=1, compiled=False)
    game.play("roll")
    text = briefing_text(game.view(game.active))
    assert own in text
    assert foreign not in text.lower()


def test_what_assistants_have_read_of_tables_that_are_gone_is_forgotten() -> None:
    async def story() -> None:
        async with open_party() as party:
            await set_up(party)
            tools = tools_of(party)
            tools._read = {(f"gone {number}", RED): 7 for number in range(1000)}
            await tools.look(HERE, party.id, party.tokens[RED], None)
            assert set(tools._read) == {(party.id, RED)}

    asyncio.run(story())
