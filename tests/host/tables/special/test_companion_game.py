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
from hexholm.host.wire import api
from hexholm.host.wire import messages as m
from hexholm.rules.core.encoding.structs import RESOURCES
from hexholm.rules.editions import edition

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

    async def play(self, seat: Joined) -> None:
        """A person at a phone: plays whenever asked."""
        async for now in seat.questions():
            async with self.turn:
                chosen = min(now.legal, key=lambda text: (self._rank(text), self.pick.random()))
                if chosen == "roll" and self.pick.random() < 0.7:  # mostly nobody says so: the screen takes the dice
                    continue
                with contextlib.suppress(Declined):  # somebody was faster, or took something back: it is asked again
                    await seat.act(chosen, now.request)

    @staticmethod
    def _rank(text: str) -> int:
        kind = text.split(maxsplit=1)[0]
        return LIKED.index(kind) if kind in LIKED else len(LIKED) - 2

    async def tell(self, seat: Joined, *kinds: str) -> None:
        """Somebody who tells what came out, as far as it is asked of this screen."""
        told = -1

        def asked(one: Joined) -> bool:
            now = None if one.projection is None else one.projection.chance
            return one.over or (now is not None and now.kind in kinds and now.number != told)

        while True:
            await seat.until(asked)
            if seat.over or seat.projection is None:
                return
            question = seat.projection.chance
            assert question is not None
            async with self.turn:
                await getattr(self, f"_{question.kind}")(seat, question)
            told = question.number

    async def _dice(self, seat: Joined, question: m.Question) -> None:
        roll = f"dice {self.pick.randint(1, 6)} {self.pick.randint(1, 6)}"
        wrong = not self.mended or self.pick.random() < 0.1  # the very first one, for the start, among them
        try:
            await seat.deal(roll, question.number)
        except Declined as no:
            if no.refusal.code != "closed":
                raise
            return  # who is on turn has just said that they roll: it is asked again
        if wrong:
            await read_up_to_now(seat)
            await seat.take_back()
            self.mended += 1
        else:
            self.rolled.append(roll)

    async def _drawn(self, seat: Joined, question: m.Question) -> None:
        self.drawn.append(self.deck.pop())
        await seat.deal(f"drawn {self.drawn[-1]}", question.number)

    async def _stolen(self, seat: Joined, question: m.Question) -> None:
        """The thief presses one kind after the other until it is one that the victim had."""
        for kind in self.pick.sample(RESOURCES, len(RESOURCES)):
            done = await seat.deal(f"stolen {kind}", question.number)
            if await what_it_was(seat, done.number) != "mistold":
                self.stolen += 1
                return
        raise AssertionError("a theft that brings nothing")


async def what_it_was(seat: Joined, number: int) -> str:
    """What a numbered message said has changed; "" if it is no such message."""
    async for message in seat:
        if not isinstance(message, m.Now) and message.number == number:
            return message.what if isinstance(message, m.Changed) else ""
    raise AssertionError("unreachable")


async def read_up_to_now(seat: Joined) -> None:
    """Read all that has been told, so that a later wish is about what was seen."""
    async for message in seat:
        if isinstance(message, m.Now):
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
            found: dict[str | None, Joined] = {
                color: await stack.enter_async_context(self.people[color].join(self.table, token))
                for color, token in self.tokens.items()
            }
            found[None] = await stack.enter_async_context(self.creator.join(self.table))
            yield found


async def sit_down(url: str, chance: m.ChanceSource) -> Sitting:
    creator = Client(url)
    made = await creator.create("Ann", options=OPTIONS, chance=chance, sit=False)
    people = {color: Client(url) for color in COLORS}
    tokens = {}
    for color, person in people.items():
        taken = await person.take(made.table.id, color, color.title())
        tokens[color] = taken.token or ""
    return Sitting(creator, people, made.table.id, tokens)


async def play_to_the_end(sitting: Sitting, real: RealTable) -> None:
    async with sitting.joined() as seats, asyncio.timeout(120):
        await seats[None].begin()
        async with asyncio.TaskGroup() as group:
            group.create_task(real.tell(seats[None], "dice"))
            for color in COLORS:
                group.create_task(real.play(seats[color]))
                group.create_task(real.tell(seats[color], "stolen", "drawn"))


async def got(client: Client, path: str) -> Any:
    return msgspec.json.decode(await client._request("GET", path))


def plain(data: Any) -> Any:
    return msgspec.json.decode(msgspec.json.encode(data))


@pytest.mark.parametrize("chance", ["dice", "people"])
def test_a_companion_game_is_played_to_its_end_kept_summed_up_and_followed_by_another(chance: m.ChanceSource) -> None:
    pick = random.Random(8)
    deck = [kind.replace("_", "-") for kind, many in edition("fifth").dev_deck.items() for _ in range(many)]
    pick.shuffle(deck)
    real = RealTable(pick, deck)

    async def run() -> None:
        async with local_server() as url:
            sitting = await sit_down(url, chance)
            await play_to_the_end(sitting, real)
            eve, path = Client(url), f"/api/tables/{sitting.table}"
            line = (await eve.table(sitting.table)).table
            assert (line.status, line.chance) == ("over", chance)
            assert real.mended >= 2
            assert bool(real.stolen) == (chance == "people")

            game = hexholm.Game.from_record(await eve.record(sitting.table))
            assert game.winner == line.winner is not None
            assert dict(zip(game.colors, game.points, strict=True)) == line.scores
            chances = [text for text in map(str, game.actions) if text.startswith(("dice", "drawn"))]
            assert [text for text in chances if text.startswith("dice")] == real.rolled
            if chance == "people":
                assert [text for text in chances if text.startswith("drawn")] == [f"drawn {one}" for one in real.drawn]

            replay = Timeline(game)
            shown = msgspec.convert(await got(eve, f"{path}/replay?eyes=referee"), api.ReplayAnswer)
            assert shown.steps == replay.count
            assert shown.points["red"] == tuple(replay.points["red"])
            views = await got(eve, f"{path}/replay/views?eyes=referee&from={shown.steps}")
            assert views["views"][0]["truth"] == plain(replay.truth(replay.count).as_dict())
            assert await got(eve, f"{path}/summary") == plain(summarize(game).as_dict())

            again = await sitting.people["blue"]._call("POST", f"{path}/rematch", api.RematchAnswer)
            following = await eve.table(again.table)
            assert (following.table.chance, following.table.status) == (chance, "open")
            assert [seat.reserved for seat in following.table.seats] == [color.title() for color in COLORS]
            tokens = {c: (await sitting.people[c].take(again.table, c, c.title())).token or "" for c in COLORS}
            another = Sitting(sitting.creator, sitting.people, again.table, tokens)
            async with another.joined() as seats:
                await seats[None].begin()
                await seats[None].until(lambda one: one.projection is not None and one.projection.chance is not None)
                await seats[None].deal("dice 3 4")

    asyncio.run(run())
