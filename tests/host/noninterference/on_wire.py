"""Non-interference on the wire: what is hidden from a guest changes no byte that a real server sends it.

Pairs of worlds as in :mod:`tests.host.noninterference.in_hall`, here in two whole servers and over whole games: the
observer and one who watches sit at real sockets. Compared are all messages of those sockets in their order, answers and
refusals among them; greetings in the middle of the game with everything since the beginning; every answer of REST, with
headers and errors; and the lines of the server's log. Times, names and dice are given; ports, tokens, dates and the
times of log lines are struck out. (Who is connected is told a moment later by the real clock, and left out.)

Around the game people come and go, wait, wish, speak and are deleted (:mod:`.table_life`); some tables are rated, some
may not be watched, and a game that is over is shown to a stranger.

    python -m tests.host.noninterference.on_wire --pairs 1000 --jobs 2
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import io
import multiprocessing
import random
import sys
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, fields
from functools import partial
from typing import Any, Final

import msgspec

import hexholm
from hexholm.game.dealers import Chance
from hexholm.host.storage import token_hash
from hexholm.host.tables.log import read_row
from hexholm.host.web.operations.server_log import new_logger
from hexholm.host.wire import messages
from hexholm.host.wire.description.openapi import openapi_document
from hexholm.rules.encoding.lanes import unpack
from hexholm.rules.encoding.structs import CARD_KINDS
from hexholm.rules.setup.editions import EDITIONS
from tests.rules.noninterference import Leak, Parted

from ..halls import Clock, Gate, Party
from ..open_server import open_server
from .in_hall import CHANCES, Dealing, Shared, is_proved, is_rated
from .proved_dice import set_up_proved
from .server_party import SEED, Names, WireParty
from .table_life import ABSENCE, Life, Stuck, TableLife, first_difference
from .transcript_scan import scan

HIDDEN: Final = "drawn victory-point"
CHANCY: Final = ("robber", "steal", "buy")
POINTS: Final = (3, 4)
STEPS: Final = 400
RATED_STEPS: Final = 80
"""By the book a game lasts long: it ends before that, as all want."""
WATCHED: Final = 7
"""Of so many pairs one cannot be watched."""
SHARE: Final = 25
"""Pairs after which it is said how far it is."""
SKIPPED: Final = ("/metrics", "/openapi.json", "/api/editions", "/api/boards/preview", "/api/boards/preview.svg")
"""Paths that know no table, or whose answer has times of its own; figures are looked at by themselves."""
GETS: Final = ("/", "/t/{table}", *(path for path, how in openapi_document()["paths"].items() if "get" in how))
POSTS: Final = tuple(path for path, how in openapi_document()["paths"].items() if "post" in how and "{table}" in path)
WRONG: Final = (
    '{"type":"act","id":"w"',
    '{"type":"dance","id":"w"}',
    '{"type":"act","id":"w","action":3}',
    '{"type":"kick","id":"w","seat":"nobody"}',
    '{"type":"put","id":"w","seat":"red"}',
    '{"type":"begin","id":"w"}',
    '{"type":"resume","id":"w"}',
    '{"type":"act","id":"w","action":"roll","request":-1}',
    '{"type":"deal","id":"w","outcome":"dice 9 9","number":0}',
    '{"type":"take_back","id":"w","number":0}',
    "\ufeff",
)
"""What anybody may try and nobody is granted."""


class Finished(Parted):
    """The game is over in both worlds."""


@dataclass
class Together(Dealing):
    """Deals so that the worlds stay alike as long as may be: what the observer gets must be there in both."""

    twin: Callable[[], hexholm.Game | None] = lambda: None

    def deal(self, chance: Chance) -> str:
        outcomes, pick = self.shared.outcomes, self.shared.pick
        is_seen = chance.kind == "dice" or self.shared.observer in (chance.player, chance.victim)
        first = outcomes.get(chance.number, "")
        if self.second and not is_seen and chance.kind == "drawn" and pick.random() < 0.9:
            # Hidden points that differ end the games at different moments: mostly it is other cards that do.
            open_now = [action.text for action in chance.odds]
            other_texts = [text for text in open_now if text not in (first, HIDDEN)]
            return first if first == HIDDEN and HIDDEN in open_now else pick.choice(other_texts or open_now)
        if self.second or not is_seen or chance.kind == "dice":
            return super().deal(chance)
        both = [action.text for action in chance.odds if self.is_there(chance, action.text.partition(" ")[2])]
        outcomes[chance.number] = pick.choice(both or [action.text for action in chance.odds])
        return outcomes[chance.number]

    def is_there(self, chance: Chance, kind: str) -> bool:
        """Whether the twin could deal that too; it is still before the action."""
        game = self.twin()
        if game is None:
            return True
        if chance.kind == "stolen":
            return game.referee.hand(chance.victim or "")[kind] > 0
        return dict(zip(CARD_KINDS, unpack(game.referee.state.deck), strict=True))[kind] > 0


@dataclass
class WireWorlds(TableLife):
    """Two tables in two servers, and all that its observer and the public were sent."""

    asked: int = 0
    greeted: int = 0

    def dealing(self, world: int) -> Dealing:
        """As in all worlds, but so that they stay alike for long."""
        other_party = self.parties[1 - world]
        return Together(self.shared, world == 1, lambda: other_party.table.game)

    async def give(
        self, color: str, commands: tuple[messages.TableCommand, messages.TableCommand], *, parting: bool = True
    ) -> None:
        """As in all worlds; but once a game is over nothing is hidden any more."""
        await super().give(color, commands, parting=parting)
        over = [party.table.status == "over" for party in self.parties]
        if any(over):
            raise Finished if all(over) else Parted

    async def why(self, party: Party, why: messages.Why) -> messages.WhyAnswer | messages.Refused:
        """Asked over the socket."""
        assert isinstance(party, WireParty)
        answer: messages.WhyAnswer | messages.Refused = await party.lines[self.observer].ask(
            msgspec.json.encode(why).decode()
        )
        return answer

    async def ask_why(self) -> None:
        """Not every time: with the sockets it would take longer than the game."""
        if self.pick.random() < 0.2:
            await super().ask_why()

    async def step(self) -> None:
        """One more thing happens, and now and then somebody looks from another side."""
        luck = self.pick.random()
        if luck < 0.02:
            await self.look_again()
        elif luck < 0.04:
            await self.ask_rest(4)
        elif luck < 0.08:
            await self.try_in_vain()
        for _ in range(5):
            before = self.parties[0].count
            try:
                await super().step()
            except Parted as error:
                if isinstance(error, Finished) or self.parties[0].count != before:
                    raise
            else:
                return
        raise Stuck  # somebody is asked who cannot answer alike in both

    def same(self, color: str, text: str) -> bool:
        """As in all worlds; and what chance brings the observer can come out in both."""
        return super().same(color, text) and (not text.startswith(CHANCY) or bool(self.rehearsed(color, text)))

    def rehearsed(self, color: str, text: str) -> set[str]:
        """What chance could bring by an action in both worlds alike; anything, where the observer does not see it."""
        outcomes: list[set[str]] = []
        for game in self.games:
            copy = game.copy()
            copy.dealer = hexholm.ByHand()
            copy.play(text, by=color)
            chance = copy.chance
            if chance is None or self.observer not in (chance.player, chance.victim):
                return {"anything"}
            outcomes.append({action.text for action in chance.odds})
        return outcomes[0] & outcomes[1]

    async def play(self, steps: int) -> None:
        """So many steps, or as many as can be; then the end that all want. Raises Parted."""
        await self.begin()
        try:
            for _ in range(steps):
                await self.step()
        except Stuck:
            pass
        await self.conclude()

    async def look_again(self) -> None:
        """A greeting in the middle of the game: with all that was told since the beginning, or since some number."""
        color = self.pick.choice((self.observer, None))
        told = min(
            len(party.table.by_eyes[color].stream) for party in self.wires
        )  # beyond that a loss would be logged,
        since = self.pick.choice(
            (None, 0, 0, self.pick.randrange(told + 1))
        )  # and both servers here share their logger

        async def greeted(party: WireParty) -> bytes:
            feeds = party.hall.feeds
            line = await party.open(color, since)
            await line.close()
            await party.until(lambda: party.hall.feeds == feeds)
            party.transcripts[color].raw += line.heard
            return b"\n".join(line.heard)

        await self.both(f"a greeting of {color} since {since}", greeted)
        self.greeted += 1

    async def ask_rest(self, many: int) -> None:
        """Paths of REST, as the observer, as the public, and with a token that opens nothing."""
        for _ in range(many):
            post = self.pick.random() < 0.1  # only by strangers: the observer could give itself a new token
            color = None if post else self.pick.choice((self.observer, None))
            path = self.pick.choice(POSTS if post else GETS)
            if path.startswith(SKIPPED):
                continue
            await self.ask_one(color, "POST" if post else "GET", path)

    async def ask_one(self, asker: str | None, method: str, path: str) -> None:
        """One path, in both worlds."""
        seat_color = self.pick.choice(self.games[0].colors)
        request_path = path.replace("{table}", self.parties[0].id).replace("{color}", seat_color)
        request_path += self.pick.choice(
            ("", "", "?form=json", "?status=playing", "?eyes=referee", "?limit=1", "?limit=x")
        )
        forged = self.pick.random() < 0.1

        async def rest_answer(party: WireParty) -> bytes:
            headers = {"Authorization": "Bearer " + ("x" * 32 if forged else party.tokens[asker])} if asker else {}
            answer = await party.rest(asker, method, request_path, **headers)
            party.transcripts[asker].raw.append(answer)
            return answer

        await self.both(f"{method} {request_path} by {asker}", rest_answer)
        self.asked += 1

    async def try_in_vain(self) -> None:
        """Things that are refused; the answers are compared with all else that is heard."""
        color, raw = self.pick.choice(self.callers), self.pick.choice(WRONG)
        for party in self.wires:
            await party.lines[color].ask(raw)
        await self.compare()

    async def close(self) -> int:
        """Compare the logs of both servers, look for what must not have been sent; how much was looked for."""
        await self.look_when_over()
        sought = 0
        for party in self.wires:
            entries = [read_row(row) for row in await party.hall.services.storage.entries(party.id)]
            over = party.table.status == "over"
            secrets = [str(SEED), party.table.bot_seed, *party.tokens.values()]
            if key := party.table.fair_dice.key:
                secrets.append(key.hex())
            secrets += [token_hash(token) for token in party.tokens.values()]
            secrets += [cookie.rpartition(".")[2] for cookie in party.cookies.values() if cookie]
            for color, heard in party.transcripts.items():
                others = [
                    guest.id for eyes, guest in party.people.items() if eyes != color
                ]  # one's own is in an export
                sought += scan(heard, entries[:-1] if over else entries, [*secrets, *others])
            await party.end()
        # When a game is over several sockets are closed at once, in no order.
        first, second = (sorted(party.logged(), key=repr) for party in self.wires)
        if first != second:
            raise Leak(f"the log: {first_difference(first, second)}")
        return sought


@dataclass
class Count:
    """How many pairs truly differed, and how much was compared."""

    pairs: int = 0
    finished: int = 0
    ranges: int = 0
    """With what can be inferred of the other hands."""
    companion: int = 0
    """With real dice, or with real dice and cards."""
    typed: int = 0
    """Hidden cards that people told, different ones in the two worlds."""
    proved: int = 0
    """With a proof of the dice, and other keys."""
    hands: int = 0
    cards: int = 0
    compared: int = 0
    greeted: int = 0
    asked: int = 0
    sought: int = 0
    bytes_sent: int = 0
    life: Life = field(default_factory=Life)

    def __add__(self, other: Count) -> Count:
        return Count(*(getattr(self, field.name) + getattr(other, field.name) for field in fields(self)))

    def __str__(self) -> str:
        how = f"{self.compared} comparisons, {self.greeted} greetings, {self.asked} answers of REST"
        differed = f"hands differed in {self.hands}, cards in {self.cards}; {self.sought} hidden cards looked for"
        played = f"{self.pairs} pairs, {self.ranges} with ranges, {self.finished} to the end of the game"
        played += f", {self.proved} with a proof of the dice"
        played += f", {self.companion} with real dice ({self.typed} different cards told)"
        return f"{played}, {how}, {self.bytes_sent} bytes alike: {differed}; around the game: {self.life}"


@asynccontextmanager
async def two_servers() -> AsyncIterator[tuple[WireParty, WireParty]]:
    """Two servers with clocks and names that say the same."""
    async with contextlib.AsyncExitStack() as stack:
        parties = []
        for _ in range(2):
            clock, log = Clock(), io.StringIO()
            how: dict[str, Any] = {"identity": Names(), "logger": new_logger(log, as_json=True), "bots": Gate()}
            server = await stack.enter_async_context(open_server(now=clock, **how))
            parties.append(WireParty(server.hall, clock, running=server, log=log))
            parties[-1].logged()
        yield parties[0], parties[1]


async def play_pair(parties: tuple[WireParty, WireParty], seed: int) -> Count:
    """Play one pair to its end; raises Leak or Secret."""
    pick = random.Random(seed)  # with five editions and three ways each comes with each, with ranges and without
    chance_source = CHANCES[seed % len(CHANCES)]
    options: dict[str, Any] = {"edition": EDITIONS[seed % len(EDITIONS)], "setup": "fixed", "first": 0}
    rated, points = is_rated(seed, CHANCES), pick.choice(POINTS)
    if not rated:  # else it is by the book
        options |= {"hand_limit": 4, "points_to_win": points}
    shared = Shared(pick.choice(hexholm.options(**options).colors), pick)
    proved, set_up_answers = is_proved(seed, chance_source), []
    watchable = seed % WATCHED != WATCHED - 2
    for i, party in enumerate(parties):
        other_party = parties[1 - i]
        party.hall.services.make_dealer = make_dealer = partial(
            Together,
            shared,
            i == 1,
            lambda other_party=other_party: other_party.table.game,  # type: ignore[misc]
        )
        party.hall._ids = lambda: f"pair{seed}"
        party.clock.time, party.count = 1_000_000.0, 0
        terms: dict[str, Any] = {"ranges": seed % 2 == 1, "chance": chance_source, "rated": rated, "absence": ABSENCE}
        terms |= {"watchable": watchable, "spectators_speak": watchable, "visibility": "open"}
        new_party = partial(party.set_up, options, terms)
        set_up = set_up_proved(party, i == 1, make_dealer, new_party) if proved else new_party()
        set_up_answers.append(await set_up)
    worlds = WireWorlds(parties, shared, proved=proved, late=seed // 6 % 2 == 1, watchable=watchable)
    finished = False
    if set_up_answers[0] != set_up_answers[1]:
        raise Leak(f"setting up: {first_difference(*set_up_answers)}")
    try:
        try:
            await worlds.play(RATED_STEPS if rated else STEPS)
        except Parted as error:
            finished = isinstance(error, Finished)
        count = Count(
            1, finished, seed % 2, companion=chance_source != "host", proved=proved, sought=await worlds.close()
        )
    finally:
        for party in parties:
            await party.leave()
    count.life = worlds.life
    count.life.rated = int(rated)
    for name in ("typed", "hands", "cards", "compared", "greeted", "asked", "bytes_sent"):
        setattr(count, name, int(getattr(worlds, name)))
    return count


async def run(least: int, seed: int = 0) -> Count:
    """Pairs until hands and cards have each differed in `least` of them; fails when too few do."""
    count = Count()
    async with two_servers() as parties:
        while min(count.hands, count.cards) < least:
            assert count.pairs < 3 * least + 5, f"too few differ: {count}"
            count += await play_pair(parties, seed + count.pairs)
    return count


def run_share(least: int, seed: int) -> Count:
    """What one process does."""
    return asyncio.run(run(least, seed))


def main() -> int:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description="Non-interference of all that a server sends.")
    parser.add_argument("--pairs", type=int, default=1000, help="pairs that must differ, in hands and in cards")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    arguments = parser.parse_args()
    with ProcessPoolExecutor(arguments.jobs, multiprocessing.get_context("spawn")) as pool:
        least = [min(SHARE, arguments.pairs - before) for before in range(0, arguments.pairs, SHARE)]
        shares = [pool.submit(run_share, part, arguments.seed + 10_000 * i) for i, part in enumerate(least)]
        whole = Count()
        for part in as_completed(shares):
            whole += part.result()
            print(whole, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
