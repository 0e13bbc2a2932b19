"""Fuzz of the socket of a table: a real server, several games in play, and guests who send what they should not.

    python -m tests.host.fuzz.protocol --messages 100000 --seed 1

Most messages go to a server without limits on how often, so that they get past them; a share goes to one that has them.
Afterwards nothing may have failed, nobody may have been told what is no known message, every log must lead to the
positions it names with every move legal and by the right seat, no connection, feed or task may be left over, memory
must not have grown with the messages, and a guest who behaves must be able to finish a game.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import gc
import os
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

import hexholm
from hexholm.host.client import Client, Declined, Joined
from hexholm.host.tables.running.command_handler import ANSWERS_REMEMBERED
from hexholm.host.web.admission.limits import UNLIMITED, Limits, Rate
from hexholm.host.web.operations.settings import Settings
from hexholm.host.wire import messages

from ..open_server import OpenServer, open_server
from .hostile_guests import SHUT, Holder, Spot, Tally, abuse_handshake, bad_greeting, chatter, line_to
from .hostile_messages import Words
from .log_check import Checked, check_logs

GUESTS: Final = 32
"""Connections at a time."""
TABLES: Final = 8
LIMITED: Final = 0.1
"""The share of messages that goes to a server with limits."""
FLOOD: Final = 0.1
"""The share of messages that changes nothing, to see what they leave in memory."""
GROWTH: Final = 60.0
"""MiB that the second half of a run may add: the logs of more games."""
LEFT: Final = 8.0
"""MiB that messages which change nothing may add."""
KINDS_OF_TABLES: Final[tuple[dict[str, Any], ...]] = (
    {"people": 4, "options": {"edition": "fifth", "points_to_win": 4}},
    {"people": 2, "options": {"edition": "sixth", "points_to_win": 3}, "clock": 5},
    {"people": 1, "options": {"edition": "fifth", "points_to_win": 3}, "ranges": True},
    {"people": 3, "options": {"edition": "threed", "players": 3, "points_to_win": 3}, "title": "<b>\u202e"},
    {"people": 4, "options": {"edition": "summary", "points_to_win": 3}, "waits": True},
    {"people": 4, "options": {"edition": "fifth", "points_to_win": 3, "hand_limit": 4}, "chance": "people"},
    {"people": 2, "options": {"edition": "zip", "points_to_win": 3}, "chance": "dice"},
)


class Failed(AssertionError):
    """The server did something it must not do."""


@dataclass
class Outcome:
    """What a run was, in figures."""

    message_count: int = 0
    seconds: float = 0.0
    sent: Counter[str] = field(default_factory=Counter)
    heard: Counter[str] = field(default_factory=Counter)
    ended: Counter[str] = field(default_factory=Counter)
    logged: Counter[str] = field(default_factory=Counter)
    checked: Checked = field(default_factory=Checked)
    growth: tuple[float, ...] = ()
    """MiB of the process: in the first half, in the second, and by messages that change nothing."""

    def __str__(self) -> str:
        def listed(count: Counter[str]) -> str:
            return ", ".join(f"{name} {n}" for name, n in sorted(count.items()))

        return "\n".join(
            [
                f"{self.message_count} messages in {self.seconds:.0f} s",
                f"sent: {listed(self.sent)}",
                f"heard: {listed(self.heard)}",
                f"connections ended: {listed(self.ended)}",
                f"log: {listed(self.logged)}",
                str(self.checked),
                "memory: {:+.1f} MiB in the first half, {:+.1f} in the second, {:+.1f} by a flood".format(*self.growth),
            ]
        )


class Fuzz:
    """Guests at one server."""

    def __init__(self, server: OpenServer, seed: int) -> None:
        self.server, self.pick = server, random.Random(seed)
        self.tally = Tally()
        self.spots: list[Spot] = []
        self.past: list[Spot] = []
        self.all_spots: list[Spot] = []
        """All tables there were: two guests may replace the same one, and then one of theirs is in neither list."""
        self.memory: list[float] = []

    async def run(self, message_count: int) -> None:
        """Send so many messages, and then a flood that changes nothing."""
        self.spots = [await self.set_up(n) for n in range(TABLES)]
        few = int(message_count * FLOOD)
        for most, visit in (
            ((message_count - few) // 2, self.visit),
            (message_count - few, self.visit),
            (message_count, self.look_on),
        ):
            self.memory.append(resident_memory())
            self.tally.most = most
            async with asyncio.TaskGroup() as group:
                for _ in range(GUESTS):
                    group.create_task(self.guest(visit, Words(random.Random(self.pick.getrandbits(32)))))
        self.memory.append(resident_memory())

    async def guest(self, visit: Callable[[Spot, Words], Awaitable[None]], words: Words) -> None:
        """One connection after another."""
        while self.tally.messages < self.tally.most and not self.tally.findings:
            spot = await self.spot(words.pick)
            with contextlib.suppress(*SHUT):
                await visit(spot, words)

    async def look_on(self, spot: Spot, words: Words) -> None:
        """A connection of one who watches and sends a lot."""
        async with line_to(self.server.url, self.tally, spot) as line:
            if await line.greet(None, None):
                await chatter(line, words, 200)

    async def visit(self, spot: Spot, words: Words) -> None:
        """A connection of any sort."""
        pick, url, tally = words.pick, self.server.url, self.tally
        luck = pick.random()
        since = pick.choice((None, None, None, 0, 5, 10**6))
        if luck < 0.10:
            await abuse_handshake(self.server.port, tally, words, spot)
        elif luck < 0.20:
            await self.stranger(spot, words)
        elif luck < 0.30:
            await self.no_hello(spot, words)
        elif luck < 0.40:
            await self.look_on(spot, words)
        elif luck < 0.45:
            async with line_to(url, tally, spot, cookie=spot.cookie, creator=True) as line:
                if await line.greet(None, since):
                    await chatter(line, words, 60)
        elif spot.holders:
            holder = pick.choice(spot.holders)
            cookie = pick.choice((holder.cookie, "", spot.cookie))
            async with line_to(url, tally, spot, holder, cookie=cookie, creator=holder.creator) as line:
                if await line.greet(holder.token, since):
                    await chatter(line, words, 200)
                elif isinstance(line.hello, messages.Refused) and line.hello.code == "not_allowed":
                    # Kicked, or gone: the token is void.
                    spot.holders = [other_holder for other_holder in spot.holders if other_holder is not holder]

    async def stranger(self, spot: Spot, words: Words) -> None:
        """Somebody with a token that opens nothing here."""
        pick = words.pick
        other_tokens = [
            holder.token for other_spot in self.spots if other_spot is not spot for holder in other_spot.holders
        ]
        own = pick.choice([holder.token for holder in spot.holders] or ["x"])
        token = pick.choice([own[:-1], own.swapcase(), own + "A", "", "ä" * 40, "\0", *other_tokens[:4]])
        async with line_to(self.server.url, self.tally, spot) as line:
            if await line.greet(token, 0):
                self.tally.find(f"the token {token!r} opened a seat at {spot.id}")

    async def no_hello(self, spot: Spot, words: Words) -> None:
        """Somebody who does not greet, greets wrongly, or comes to no table."""
        pick = words.pick
        is_known = words.pick.random() < 0.8
        visited = (
            spot if is_known else replace(spot, id=pick.choice(("nosuchtable", "x" * 300, "%00", "..%2f..", "a%20b")))
        )
        async with line_to(self.server.url, self.tally, visited) as line:
            if pick.random() < 0.1:
                return
            message = bad_greeting(words, visited, spot.holders[0].token if spot.holders else None)
            line.since = message.data.get("since")  # some of them are good enough
            self.tally.sent["bad greeting"] += 1
            await line.socket.send(message.raw, text=message.as_text if isinstance(message.raw, bytes) else None)
            await line.until(lambda: line.hello is not None)

    # --- tables ------------------------------------------------------------------------------------------------------

    async def spot(self, pick: random.Random) -> Spot:
        """A table to go to; one that is over is mostly replaced."""
        at = pick.randrange(len(self.spots))
        spot = self.spots[at]
        if (spot.over or not spot.holders) and pick.random() < 0.7:
            self.past.append(spot)
            self.spots[at] = pick.choice(self.past)  # meanwhile somebody may go there
            self.spots[at] = await self.set_up(pick.randrange(100))
        return self.spots[at]

    async def set_up(self, number: int) -> Spot:
        """A new table with people and bots; most are begun at once."""
        how = dict(KINDS_OF_TABLES[number % len(KINDS_OF_TABLES)])
        people, waits = how.pop("people"), how.pop("waits", False)
        options = {**how["options"], "first": 0}
        colors = hexholm.options(**options).colors
        bots = dict.fromkeys(colors[people:], "easy")
        answer = await self.ask("POST", "/api/tables", {"name": "Ann", **how, "options": options, "seats": bots})
        spot = Spot(answer.json["table"]["id"], answer.cookie, colors)
        self.all_spots.append(spot)
        spot.holders.append(Holder(colors[0], answer.json["token"], answer.cookie, creator=True))
        for color in colors[1:people]:
            seat_answer = await self.ask("POST", f"/api/tables/{spot.id}/seats/{color}", {"name": color})
            spot.holders.append(Holder(color, seat_answer.json["token"], seat_answer.cookie))
        for holder in spot.holders:
            holder.sight.colors = colors
        spot.everybody.extend(spot.holders)
        if not waits:
            with contextlib.suppress(*SHUT):
                async with line_to(self.server.url, self.tally, spot, spot.holders[0], creator=True) as line:
                    if await line.greet(spot.holders[0].token, None):
                        await line.send(Words(self.pick)._message("begin", {"type": "begin", "id": "begin"}))
                        await line.until(lambda: not line.waiting)
        return spot

    async def ask(self, method: str, path: str, body: Any) -> Any:
        """A request that must be answered well; where there is too much going on, a little later."""
        while True:
            answer = await self.server.ask(method, path, body)
            if answer.status != 429:
                break
            await asyncio.sleep(0.3)
        if answer.status >= 300:
            raise Failed(f"{method} {path}: {answer.status} {answer.body!r}")
        return answer


# --- afterwards -------------------------------------------------------------------------------------------------------


def resident_memory() -> float:
    """MiB of memory of this process; 0 where the system does not say."""
    gc.collect()
    figures = Path("/proc/self/statm")
    pages = int(figures.read_text(encoding="ascii").split()[1]) if figures.exists() else 0
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


async def nothing_is_left(server: OpenServer, before: set[asyncio.Task[Any]]) -> None:
    """Connections, feeds and tasks of guests who have gone are gone too."""
    hall, context = server.hall, server.app.context

    def remaining() -> dict[str, int]:
        tasks = [task.get_name() for task in asyncio.all_tasks() - before]
        return {
            "feeds": hall.feeds,
            "sockets by guest": len(context.connections.by_guest),
            "sockets by address": len(context.connections.by_address),
            "tasks": sum(not name.startswith(("table ", "bot ")) for name in tasks),
            "waiting": sum(len(live._queue) for live in hall.loaded_tables),
        }

    for _ in range(600):
        if not any(remaining().values()):
            break
        await asyncio.sleep(0.05)
    else:
        raise Failed(f"left over: {remaining()}, {asyncio.all_tasks() - before}")
    most = max(len(live.handler._answers) for live in hall.loaded_tables)
    if most > ANSWERS_REMEMBERED:
        raise Failed(f"a table remembers {most} answers")


async def plays_well(joined: Joined, pick: random.Random, holder: Holder | None = None) -> None:
    """Answer all questions of one seat, as a guest who behaves."""
    async for projection in joined.questions():
        liked = [text for text in projection.legal if not text.startswith(("offer", "counter"))] or list(
            projection.legal
        )
        act = messages.Act(id=joined.new_id(), action=pick.choice(liked), question_number=projection.question_number)
        if holder is not None:
            holder.acts.add(act.id)
        with contextlib.suppress(Declined):  # somebody else was quicker: it is asked again
            await joined.send(act)


async def tells_well(joined: Joined, pick: random.Random, holder: Holder) -> None:
    """Tell what came out at the real table whenever this seat is asked."""
    told_numbers: set[int] = set()

    def question_asked() -> messages.ChanceQuestion | None:
        return None if joined.projection is None else joined.projection.chance_question

    while True:
        await joined.until(
            lambda table: (
                table.over
                or ((question_now := question_asked()) is not None and question_now.number not in told_numbers)
            )
        )
        question = question_asked()
        if joined.over or question is None:
            return
        told_numbers.add(question.number)
        dice = [f"dice {pick.randint(1, 6)} {pick.randint(1, 6)}"]
        for outcome in question.outcomes or dice:  # one after the other: what cannot be is not taken
            deal = messages.Deal(id=joined.new_id(), outcome=outcome, number=question.number)
            holder.acts.add(deal.id)
            with contextlib.suppress(Declined):  # it was told already
                await joined.send(deal)


async def new_table(client: Client, **how: Any) -> tuple[Spot, Holder]:
    """A table of one guest who behaves against bots."""
    bots = {"blue": "easy", "white": "easy", "orange": "easy"}
    options = {"edition": "fifth", "points_to_win": 3, "setup": "fixed", "first": 0}
    created = await client.create("Ann", options=options, seats=bots, **how)
    ann = Holder("red", created.token or "", "")
    return Spot(created.table.id, "", tuple(seat.color for seat in created.table.seats), everybody=[ann]), ann


async def a_guest_can_finish(server: OpenServer, spots: list[Spot]) -> Spot:
    """A new table, which is returned, and one of those that were under fuzz, if any, are played to their end."""
    client, pick = Client(server.url), random.Random(1)
    mine, ann = await new_table(client)
    async with asyncio.timeout(120), client.join(mine.id, ann.token) as joined:
        await joined.begin()
        await plays_well(joined, pick, ann)
        if not joined.over:
            raise Failed("a new table was not finished")
    chances = {spot.id: (await server.hall.load(spot.id)).table.opening.chance_source for spot in spots}
    ended = Counter({"host": 0, "real": 0})
    for spot in spots:
        kind = "host" if chances[spot.id] == "host" else "real"
        if not ended[kind]:
            ended[kind] += await went_on(server, spot, pick)
    if spots and not ended.total():
        raise Failed("no table under fuzz was still running, so none could be played on")
    return mine


async def asked_for_dice(joined: Joined) -> int:
    """Wait until it is asked what came out; the number of the question."""
    questions: list[messages.ChanceQuestion] = []

    def note_question(table: Joined) -> bool:
        if table.projection is not None and table.projection.chance_question is not None:
            questions.append(table.projection.chance_question)
        return bool(questions)

    await joined.until(note_question)
    return questions[0].number


async def a_guest_can_take_back(server: OpenServer) -> Spot:
    """A new table with real dice, which is returned: a roll is told, taken back and told again.

    Under fuzz a roll is rarely taken back: hardly ever has nothing happened since the guest looked.
    """
    client = Client(server.url)
    mine, ann = await new_table(client, chance="dice")
    async with asyncio.timeout(120), client.join(mine.id, ann.token) as joined:
        await joined.begin()
        for dice in ("dice 1 2", "dice 3 3"):
            number = await asked_for_dice(joined)
            deal = messages.Deal(id=joined.new_id(), outcome=dice, number=number)
            ann.acts.add(deal.id)
            await joined.send(deal)
            await joined.until(lambda table: table.projection is not None and table.projection.chance_question is None)
            if dice == "dice 1 2":
                await joined.take_back()
    return mine


async def went_on(server: OpenServer, spot: Spot, pick: random.Random) -> bool:
    """Whether a table under fuzz was running, and then was played to its end."""
    table = (await server.hall.load(spot.id)).table
    people = {seat.color for seat in table.seats.values() if seat.sitter == "person" and not seat.resigned}
    holders = [holder for holder in spot.holders if holder.color in people]
    if table.status != "playing" or not holders:
        return False
    client = Client(server.url)
    async with asyncio.timeout(120), contextlib.AsyncExitStack() as stack:
        connections = [await stack.enter_async_context(client.join(spot.id, holder.token)) for holder in holders]
        if table.paused:
            await connections[0].send(messages.Resume(id=connections[0].new_id()))
        ways = (plays_well,) if table.opening.chance_source == "host" else (plays_well, tells_well)
        await asyncio.gather(
            *(way(joined, pick, holder) for way in ways for joined, holder in zip(connections, holders, strict=True))
        )
        if not connections[0].over:
            raise Failed(f"table {spot.id} was not finished")
    return True


# --- runs -------------------------------------------------------------------------------------------------------------


def fuzz_settings(*, limited: bool) -> Settings:
    """A server without limits on how often, or with all of them; what is only waited for is short."""
    limits = Limits.none()
    if limited:  # so low that a machine which is busy with other things meets them too
        limits = replace(
            Limits(),
            connection=Rate(20, 5),
            guest=Rate(60, 20),
            reading=Rate(60, 40),
            patience=20,
            sockets_per_address=30,
            wait_from=UNLIMITED,  # a busy machine is none of what is tried here
        )
    return Settings(limits=replace(limits, greeting_seconds=1.0, sending_seconds=2.0))


async def run_at(folder: Path, message_count: int, seed: int, outcome: Outcome, *, limited: bool) -> None:
    """All of it at one server."""
    database = folder / f"{limited}.db"
    how: dict[str, Any] = {"bot_delay": (0.0, 0.01), "bot_patience": 0.05, "away_after": 8.0}
    async with open_server(database, fuzz_settings(limited=limited), **how) as server:
        before = asyncio.all_tasks()
        fuzz = Fuzz(server, seed)
        await fuzz.run(message_count)
        tally = fuzz.tally
        if tally.findings:
            raise Failed(f"{len(tally.findings)} findings, the first of them:\n" + "\n".join(tally.findings[:5]))
        await nothing_is_left(server, before)
        try:
            fuzz.all_spots.append(await a_guest_can_finish(server, [] if limited else fuzz.spots))
            fuzz.all_spots.append(await a_guest_can_take_back(server))
        except (Declined, TimeoutError) as error:
            raise Failed(
                f"a guest who behaves could not play: {error!r}; the log: {server.journal.trouble[:3]}"
            ) from error
        figures = server.hall.services.figures
        if any(figures[figure] for figure in ("errors", "failures", "stuck")) or server.hall.services.bots.errors:
            raise Failed(f"figures: {dict(figures)}, {server.hall.services.bots.errors}")
    if server.journal.trouble:
        raise Failed(f"the log tells of trouble: {server.journal.trouble[:3]}")
    acts = {(spot.id, holder.color): holder.acts for spot in fuzz.all_spots for holder in spot.everybody}
    outcome.checked += await check_logs(database, acts)
    outcome.message_count += tally.messages
    outcome.sent += tally.sent
    outcome.heard += tally.heard
    outcome.ended += tally.ended
    outcome.logged += server.journal.events
    if not limited:
        outcome.growth = tuple(after - before for before, after in pairwise(fuzz.memory))
        if outcome.growth[1] > GROWTH or outcome.growth[2] > LEFT:
            raise Failed(f"memory grew by {outcome.growth} MiB")


async def run(message_count: int, seed: int) -> Outcome:
    """A whole run; raises Failed."""
    outcome, began = Outcome(), time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        few = int(message_count * LIMITED)
        await run_at(Path(folder), message_count - few, seed, outcome, limited=False)
        await run_at(Path(folder), few, seed + 1, outcome, limited=True)
    outcome.seconds = time.monotonic() - began
    return outcome


def main() -> int:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description="Fuzz of the socket of a table.")
    parser.add_argument("--messages", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    print(asyncio.run(run(arguments.messages, arguments.seed)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
