"""Whole companion games over a real server: real dice and cards told in to the end, the record, another game."""

from __future__ import annotations

import asyncio
import contextlib
import random
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Any

import msgspec
import pytest

import hexholm
from hexholm.game.records.summary import summarize
from hexholm.game.records.timeline import Timeline
from hexholm.host.client import Client, Declined, Joined
from hexholm.host.local_server import local_server
from hexholm.host.table_literals import ChanceSource
from hexholm.host.wire import api, messages
from hexholm.rules.encoding.structs import RESOURCES
from hexholm.rules.setup.editions import edition

pytestmark = pytest.mark.waits

COLORS = ("red", "blue", "white", "orange")
OPTIONS = {"edition": "fifth", "setup": "variable", "first": "roll"}
LIKED = ("city", "settlement", "buy", "roll", "robber", "knight", "road", "end")
"""What people do first, if they may."""


@dataclass
class RealTable:
    """What lies in front of the people: dice, a deck, and the words with which they tell what came out."""

    pick: random.Random
    deck: list[str]
    turn: asyncio.Lock = field(default_factory=asyncio.Lock)
    """One at a time: while somebody mends a mistake nobody goes on."""
    rolled: list[str] = field(default_factory=list)
    drawn: list[str] = field(default_factory=list)
    stolen: int = 0
    mended: int = 0

    async def play(self, joined: Joined) -> None:
        """A person at a phone: plays whenever asked."""
        async for projection in joined.questions():
            async with self.turn:
                action = min(projection.legal, key=lambda text: (self._rank(text), self.pick.random()))
                if action == "roll" and self.pick.random() < 0.7:  # mostly nobody says so: the screen takes the dice
                    continue
                with contextlib.suppress(Declined):  # somebody was faster, or took something back: it is asked again
                    await joined.act(action, projection.question_number)

    @staticmethod
    def _rank(text: str) -> int:
        kind = text.split(maxsplit=1)[0]
        return LIKED.index(kind) if kind in LIKED else len(LIKED) - 2

    async def tell(self, joined: Joined, *kinds: str) -> None:
        """Somebody who tells what came out, as far as it is asked of this screen."""
        told_number = -1

        def is_asked(table: Joined) -> bool:
            question_now = None if table.projection is None else table.projection.chance_question
            return table.over or (
                question_now is not None and question_now.kind in kinds and question_now.number != told_number
            )

        while True:
            await joined.until(is_asked)
            if joined.over or joined.projection is None:
                return
            question = joined.projection.chance_question
            assert question is not None
            async with self.turn:
                await getattr(self, f"_tell_{question.kind}")(joined, question)
            told_number = question.number

    async def _tell_dice(self, joined: Joined, question: messages.ChanceQuestion) -> None:
        roll = f"dice {self.pick.randint(1, 6)} {self.pick.randint(1, 6)}"
        wrong = not self.mended or self.pick.random() < 0.1  # the very first one, for the start, among them
        try:
            await joined.deal(roll, question.number)
        except Declined as error:
            if error.refusal.code != "closed":
                raise
            return  # who is on turn has just said that they roll: it is asked again
        if wrong:
            await read_up_to_now(joined)
            await joined.take_back()
            self.mended += 1
        else:
            self.rolled.append(roll)

    async def _tell_drawn(self, joined: Joined, question: messages.ChanceQuestion) -> None:
        self.drawn.append(self.deck.pop())
        await joined.deal(f"drawn {self.drawn[-1]}", question.number)

    async def _tell_stolen(self, joined: Joined, question: messages.ChanceQuestion) -> None:
        """The thief presses one kind after the other until it is one that the victim had."""
        for kind in self.pick.sample(RESOURCES, len(RESOURCES)):
            answer = await joined.deal(f"stolen {kind}", question.number)
            if await what_it_was(joined, answer.number) != "mistold":
                self.stolen += 1
                return
        raise AssertionError("a theft that brings nothing")


async def what_it_was(joined: Joined, number: int) -> str:
    """What a numbered message said has changed; "" if it is no such message."""
    async for message in joined:
        if not isinstance(message, messages.Now) and message.number == number:
            return message.what if isinstance(message, messages.Changed) else ""
    raise AssertionError("unreachable")


async def read_up_to_now(joined: Joined) -> None:
    """Read all that has been told, so that a later wish is about what was seen."""
    async for message in joined:
        if isinstance(message, messages.Now):
            return


@dataclass
class Sitting:
    """A companion table in a server of its own, whose creator has a screen for all and no seat."""

    creator: Client
    people: dict[str, Client]
    table: str
    tokens: dict[str, str]

    @contextlib.asynccontextmanager
    async def joined(self) -> AsyncIterator[dict[str | None, Joined]]:
        """All at the table: the screen for all under None."""
        async with contextlib.AsyncExitStack() as stack:
            tables_by_color: dict[str | None, Joined] = {
                color: await stack.enter_async_context(self.people[color].join(self.table, token))
                for color, token in self.tokens.items()
            }
            tables_by_color[None] = await stack.enter_async_context(self.creator.join(self.table))
            yield tables_by_color


async def sit_down(url: str, chance_source: ChanceSource) -> Sitting:
    creator = Client(url)
    created = await creator.create("Ann", options=OPTIONS, chance=chance_source, sit=False)
    people = {color: Client(url) for color in COLORS}
    tokens = {}
    for color, person in people.items():
        seat_taken = await person.take(created.table.id, color, color.title())
        tokens[color] = seat_taken.token or ""
    return Sitting(creator, people, created.table.id, tokens)


async def play_to_the_end(sitting: Sitting, real: RealTable) -> None:
    async with sitting.joined() as connections, asyncio.timeout(120):
        await connections[None].begin()
        async with asyncio.TaskGroup() as group:
            group.create_task(real.tell(connections[None], "dice"))
            for color in COLORS:
                group.create_task(real.play(connections[color]))
                group.create_task(real.tell(connections[color], "stolen", "drawn"))


async def get_json(client: Client, path: str) -> Any:
    return msgspec.json.decode(await client._request("GET", path))


def plain(data: Any) -> Any:
    return msgspec.json.decode(msgspec.json.encode(data))


@pytest.mark.parametrize("chance_source", ["dice", "people"])
def test_a_companion_game_is_played_to_its_end_kept_summed_up_and_followed_by_another(
    chance_source: ChanceSource,
) -> None:
    pick = random.Random(8)
    deck = [kind.replace("_", "-") for kind, many in edition("fifth").dev_deck.items() for _ in range(many)]
    pick.shuffle(deck)
    real = RealTable(pick, deck)

    async def run() -> None:
        async with local_server() as url:
            sitting = await sit_down(url, chance_source)
            await play_to_the_end(sitting, real)
            owner, path = sitting.creator, f"/api/tables/{sitting.table}"
            with pytest.raises(Declined, match="belongs to its players"):
                await Client(url).table(sitting.table)
            line = (await owner.table(sitting.table)).table
            assert (line.status, line.chance_source) == ("over", chance_source)
            assert real.mended >= 2
            assert bool(real.stolen) == (chance_source == "people")

            game = hexholm.Game.from_record(await owner.record(sitting.table))
            assert game.winner == line.winner is not None
            assert dict(zip(game.colors, game.points, strict=True)) == line.scores
            chances = [text for text in map(str, game.actions) if text.startswith(("dice", "drawn"))]
            assert [text for text in chances if text.startswith("dice")] == real.rolled
            if chance_source == "people":
                assert [text for text in chances if text.startswith("drawn")] == [
                    f"drawn {name}" for name in real.drawn
                ]

            timeline = Timeline(game)
            replay = msgspec.convert(await get_json(owner, f"{path}/replay?eyes=referee"), api.ReplayAnswer)
            assert replay.steps == timeline.count
            assert replay.points["red"] == tuple(timeline.points["red"])
            views = await get_json(owner, f"{path}/replay/views?eyes=referee&from={replay.steps}")
            assert views["views"][0]["truth"] == plain(timeline.truth(timeline.count).as_dict())
            assert await get_json(owner, f"{path}/summary") == plain(summarize(game).as_dict())

            rematch = await sitting.people["blue"]._call("POST", f"{path}/rematch", api.RematchAnswer)
            following = await owner.table(rematch.table)
            assert (following.table.chance_source, following.table.status) == (chance_source, "open")
            assert [seat.reserved for seat in following.table.seats] == [color.title() for color in COLORS]
            tokens = {c: (await sitting.people[c].take(rematch.table, c, c.title())).token or "" for c in COLORS}
            another = Sitting(sitting.creator, sitting.people, rematch.table, tokens)
            async with another.joined() as connections:
                await connections[None].begin()
                await connections[None].until(
                    lambda joined: joined.projection is not None and joined.projection.chance_question is not None
                )
                await connections[None].deal("dice 3 4")

    asyncio.run(run())
