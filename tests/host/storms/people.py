"""People who play over the client library and note everything: what they were told, and what was acknowledged.

They play for points, but not well: what matters is that a game goes on, that it ends, and that everything happens in it
now and then, offers and remarks too.
"""

from __future__ import annotations

import asyncio
import contextlib
import random
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from hexholm.host.client import Client, Declined, Joined, Lost
from hexholm.host.wire import messages

KINDS = ("brick", "lumber", "wool", "grain", "ore")
LIKES = ("city", "settlement", "knight", "road-building", "year-of-plenty", "monopoly", "confirm", "buy")
"""What is done before anything else, best first."""
OFFERS = 0.1
"""The share of decisions in a turn that are offers."""
REMARKS = 0.03
"""How often somebody says something before a decision."""
MISSED = ("closed", "not_legal", "stopped")
"""Why an action is refused that was legal when it was chosen: others were quicker, or have not what was asked for."""
PATIENCE = 300.0


def choose(now: messages.Projection, colors: Sequence[str], rng: random.Random) -> str:
    """A legal action, as the table writes it."""
    if "end" in now.legal and len(now.view["offers"]) < 2 and rng.random() < OFFERS:
        hand = [kind for kind in KINDS if now.view["hand"].get(kind)]
        if hand:
            give = rng.choice(hand)
            take = rng.choice([kind for kind in KINDS if kind != give])
            return f"offer 1 {give} : 1 {take} to {' '.join(color for color in colors if color != now.color)}"
    for kind in LIKES:
        liked = [action for action in now.legal if action.split()[0] == kind]
        if liked:
            return rng.choice(liked)
    return rng.choice(now.legal)


class Person:
    """One at a table, on a seat or watching, with a connection that is never left before the end."""

    def __init__(self, line: Joined, seed: str) -> None:
        self.line, self.rng = line, random.Random(seed)
        self.heard: list[messages.Numbered] = []
        self.acknowledged: list[tuple[messages.TableCommand, messages.Done]] = []
        """What was acknowledged, in order."""
        self.refused = 0

    async def send(self, command: messages.TableCommand) -> None:
        """Send a command and note what comes of it; raises Declined."""
        try:
            self.acknowledged.append((command, await self.line.send(command)))
        except Declined:
            self.refused += 1
            raise

    async def play(self) -> None:
        """Answer all questions until the game is over."""
        colors = [seat.color for seat in self.line.table.seats]
        async for projection in self.line.questions():
            if self.rng.random() < REMARKS:
                with contextlib.suppress(Declined):  # for one who talks too much
                    await self.send(messages.Say(id=self.line.new_id(), text=f"remark {len(self.acknowledged)}"))
            action = choose(projection, colors, self.rng)
            try:
                await self.send(
                    messages.Act(id=self.line.new_id(), action=action, question_number=projection.question_number)
                )
            except Declined as error:
                if error.refusal.code not in MISSED:
                    raise

    async def listen(self) -> None:
        """Hear what is told, without end."""
        async for message in self.line:
            if not isinstance(message, messages.Now):
                self.heard.append(message)

    async def hear_out(self, number: int) -> None:
        """Hear the rest of a game that is over, up to this message; nobody listens beside us any more.

        How it ended is shown in a frame of its own, and the line may be cut before that.
        """
        await self.line.until(lambda line: line.number >= number and line.over)
        while self.line.behind:
            message = await anext(self.line)
            if not isinstance(message, messages.Now):
                self.heard.append(message)


@dataclass
class Played:
    """A game that was played to its end, and what everybody at it has noted."""

    table: str
    people: dict[str | None, Person] = field(default_factory=dict)
    """By the color of the seat; None watched."""

    def total(self, count: Callable[[Person], int]) -> int:
        """Something counted for all people together."""
        return sum(count(person) for person in self.people.values())


async def last_number(guest: Client, table: str, token: str | None) -> int:
    """The number of the last message for a pair of eyes; asked again and again until the server is there."""
    while True:
        try:
            return (await guest.table(table, token)).number
        except Lost:
            await asyncio.sleep(0.1)


async def set_up(
    guests: Sequence[Client], options: dict[str, Any], bots: int, seed: str
) -> tuple[str, dict[str, str | None]]:
    """A table with a guest on every seat that has no bot; its name, and the token of each guest by color.

    A request whose answer is lost may have been carried out or not, and a new guest has nothing yet to be known by. So
    if anything goes wrong this table is left alone and another one set up.
    """
    rng = random.Random(seed)
    while True:
        try:
            first, *other_guests = guests
            colors = ("red", "blue", "white", "orange")
            players = dict.fromkeys(rng.sample(colors[1:], bots), "easy")
            created = await first.create("first", options=options, seats=players, seat=colors[0])
            tokens = {colors[0]: created.token}
            for guest, color in zip(other_guests, [c for c in colors[1:] if c not in players], strict=False):
                tokens[color] = (await guest.take(created.table.id, color, f"guest {color}")).token
        except (Lost, Declined):
            await asyncio.sleep(0.1)
        else:
            return created.table.id, tokens


@contextlib.asynccontextmanager
async def listening(people: Sequence[Person]) -> AsyncIterator[None]:
    """Everybody listens meanwhile; a failure ends all."""
    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(person.listen()) for person in people]
        yield
        for task in tasks:
            task.cancel()


async def play_game(
    guests: Sequence[Client], options: dict[str, Any], seed: str, *, bots: int = 0, lines: str | None = None
) -> Played:
    """A whole game of four, some of them bots, with somebody who watches; `lines`: the server that sockets go to."""
    table, tokens = await set_up(guests, options, bots, seed)
    game = Played(table)
    watcher = Client(guests[0].url, cookie=guests[0].cookie)  # when the game is over strangers see it no more
    async with contextlib.AsyncExitStack() as stack:
        seats = [(None, None, watcher), *((*seat, guest) for seat, guest in zip(tokens.items(), guests, strict=False))]
        for color, token, guest in seats:
            client = Client(lines or guest.url, cookie=guest.cookie)
            line = client.join(table, token, since=0, patience=PATIENCE)
            game.people[color] = Person(await stack.enter_async_context(line), f"{seed} {color}")
        players = [person for color, person in game.people.items() if color is not None]
        async with listening(list(game.people.values())):
            await players[0].send(messages.Begin(id=players[0].line.new_id()))
            await asyncio.gather(*(person.play() for person in players))
        for color, token, guest in seats:
            await game.people[color].hear_out(await last_number(guest, table, token))
    return game
