"""Non-interference on the wire: what is hidden from a guest changes no byte that a real server sends it.

Pairs of worlds as in :mod:`tests.host.noninterference.in_hall`, here in two whole servers and over whole games: the
observer and one who watches sit at real sockets. Compared are all messages of those sockets in their order, answers and
refusals among them; greetings in the middle of the game with everything since the beginning; every answer of REST, with
headers and errors; and the lines of the server's log. Times, names and dice are given; ports, tokens, dates and the
times of log lines are struck out. (Who is connected is told a moment later by the real clock, and left out.)

    python -m tests.host.noninterference.on_wire --pairs 1000 --jobs 2
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import io
import itertools
import multiprocessing
import random
import sys
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import asynccontextmanager
from dataclasses import dataclass, fields
from functools import partial
from typing import Any, Final

import msgspec

import hexholm
from hexholm.game.dealers import Chance
from hexholm.host.storage import token_hash
from hexholm.host.tables.log import read_row
from hexholm.host.web.operations.server_log import new_logger
from hexholm.host.wire import messages as m
from hexholm.host.wire.openapi import openapi_document
from hexholm.rules.core.encoding.lanes import unpack
from hexholm.rules.core.encoding.structs import CARD_KINDS
from hexholm.rules.editions import EDITIONS
from tests.rules.noninterference import Leak, Parted

from ..halls import Clock, Party
from ..open_server import open_server
from .in_hall import CHANCES, Dealing, Shared, Worlds
from .server_party import SEED, Names, WireParty
from .transcript_scan import Transcript, scan

HIDDEN: Final = "drawn victory-point"
CHANCY: Final = ("robber", "steal", "buy")
POINTS: Final = (3, 4)
STEPS: Final = 400
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
        known, pick = self.shared.outcomes, self.shared.pick
        seen = chance.kind == "dice" or self.shared.observer in (chance.player, chance.victim)
        first = known.get(chance.number, "")
        if self.second and not seen and chance.kind == "drawn" and pick.random() < 0.9:
            # Hidden points that differ end the games at different moments: mostly it is other cards that do.
            open_now = [action.text for action in chance.odds]
            others = [text for text in open_now if text not in (first, HIDDEN)]
            return first if first == HIDDEN and HIDDEN in open_now else pick.choice(others or open_now)
        if self.second or not seen or chance.kind == "dice":
            return super().deal(chance)
        both = [action.text for action in chance.odds if self.is_there(chance, action.text.partition(" ")[2])]
        known[chance.number] = pick.choice(both or [action.text for action in chance.odds])
        return known[chance.number]

    def is_there(self, chance: Chance, kind: str) -> bool:
        """Whether the twin could deal that too; it is still before the action."""
        game = self.twin()
        if game is None:
            return True
        if chance.kind == "stolen":
            return game.referee.hand(chance.victim or "")[kind] > 0
        return dict(zip(CARD_KINDS, unpack(game.referee.state.deck), strict=True))[kind] > 0


@dataclass
class WireWorlds(Worlds):
    """Two tables in two servers, and all that its observer and the public were sent."""

    asked: int = 0
    greeted: int = 0

    @property
    def wires(self) -> tuple[WireParty, WireParty]:
        """Both tables."""
        one, two = self.parties
        assert isinstance(one, WireParty)
        assert isinstance(two, WireParty)
        return one, two

    async def begin(self) -> None:
        """Open the sockets and begin."""
        for party in self.wires:
            for who in (self.observer, None):
                party.lines[who] = await party.open(who, 0)
                party.sent[who] = Transcript(who, ranges=party.table.ranges)
            await party.begin()
        await self.compare()

    async def told(self, world: int, who: str | None) -> list[bytes]:
        """What the socket has brought since the last time."""
        party = self.wires[world]
        line = party.lines[who]
        await party.settle(line)
        heard, line.heard = line.heard, []
        party.sent[who].raw += heard
        return heard

    def dealing(self, world: int) -> Dealing:
        """As in all worlds, but so that they stay alike for long."""
        other = self.parties[1 - world]
        return Together(self.shared, world == 1, lambda: other.table.game)

    async def give(self, who: str, commands: tuple[m.TableCommand, m.TableCommand], *, parting: bool = True) -> None:
        """As in all worlds; but once a game is over nothing is hidden any more."""
        await super().give(who, commands, parting=parting)
        over = [party.table.status == "over" for party in self.parties]
        if any(over):
            raise Finished if all(over) else Parted

    async def why(self, party: Party, question: m.Why) -> m.Because | m.Refused:
        """Asked over the socket."""
        assert isinstance(party, WireParty)
        answer: m.Because | m.Refused = await party.lines[self.observer].ask(msgspec.json.encode(question).decode())
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
            except Parted as end:
                if isinstance(end, Finished) or self.parties[0].count != before:
                    raise
            else:
                return
        raise Parted  # somebody is asked who cannot answer alike in both

    async def both(self, what: str, do: Callable[[WireParty], Any]) -> None:
        """The same in both worlds, and the outcome must be the same."""
        one, two = [await do(party) for party in self.wires]
        if one != two:
            raise Leak(f"{what}: {differing(one, two)}")
        self.sent += len(one)

    def same(self, who: str, text: str) -> bool:
        """As in all worlds; and what chance brings the observer can come out in both."""
        return super().same(who, text) and (not text.startswith(CHANCY) or bool(self.rehearsed(who, text)))

    def rehearsed(self, who: str, text: str) -> set[str]:
        """What chance could bring by an action in both worlds alike; anything, where the observer does not see it."""
        found: list[set[str]] = []
        for game in self.games:
            copy = game.copy()
            copy.dealer = hexholm.ByHand()
            copy.play(text, by=who)
            chance = copy.chance
            if chance is None or self.observer not in (chance.player, chance.victim):
                return {"anything"}
            found.append({action.text for action in chance.odds})
        return found[0] & found[1]

    async def look_again(self) -> None:
        """A greeting in the middle of the game: with all that was told since the beginning, or since some number."""
        who, since = self.pick.choice((self.observer, None)), self.pick.choice((None, 0, 0, self.pick.randrange(200)))

        async def greeted(party: WireParty) -> bytes:
            feeds = party.hall.feeds
            line = await party.open(who, since)
            await line.close()
            await party.until(lambda: party.hall.feeds == feeds)
            party.sent[who].raw += line.heard
            return b"\n".join(line.heard)

        await self.both(f"a greeting of {who} since {since}", greeted)
        self.greeted += 1

    async def ask_rest(self, many: int) -> None:
        """Paths of REST, as the observer, as the public, and with a token that opens nothing."""
        for _ in range(many):
            post = self.pick.random() < 0.1  # only by strangers: the observer could give itself a new token
            who = None if post else self.pick.choice((self.observer, None))
            path = self.pick.choice(POSTS if post else GETS)
            if path.startswith(SKIPPED):
                continue
            await self.ask_one(who, "POST" if post else "GET", path)

    async def ask_one(self, who: str | None, method: str, path: str) -> None:
        """One path, in both worlds."""
        color = self.pick.choice(self.games[0].colors)
        ask = path.replace("{table}", self.parties[0].id).replace("{color}", color)
        ask += self.pick.choice(("", "", "?form=json", "?status=playing", "?eyes=referee", "?limit=1", "?limit=x"))
        forged = self.pick.random() < 0.1

        async def asked(party: WireParty) -> bytes:
            headers = {"Authorization": "Bearer " + ("x" * 32 if forged else party.tokens[who])} if who else {}
            found = await party.rest(who, method, ask, **headers)
            party.sent[who].raw.append(found)
            return found

        await self.both(f"{method} {ask} by {who}", asked)
        self.asked += 1

    async def try_in_vain(self) -> None:
        """Things that are refused; the answers are compared with all else that is heard."""
        who, raw = self.pick.choice((self.observer, None)), self.pick.choice(WRONG)
        for party in self.wires:
            await party.lines[who].ask(raw)
        await self.compare()

    async def close(self) -> int:
        """Compare the logs of both servers, look for what must not have been sent; how much was looked for."""
        sought = 0
        for party in self.wires:
            entries = [read_row(row) for row in await party.hall.services.storage.entries(party.id)]
            over = party.table.status == "over"
            secrets = [str(SEED), party.table.bot_seed, *party.tokens.values()]
            secrets += [token_hash(token) for token in party.tokens.values()]
            secrets += [guest.id for guest in party.people.values()]
            secrets += [cookie.rpartition(".")[2] for cookie in party.cookies.values() if cookie]
            for heard in party.sent.values():
                sought += scan(heard, entries[:-1] if over else entries, secrets)
            await party.end()
        one, two = (party.logged() for party in self.wires)
        if one != two:
            raise Leak(f"the log: {differing(one, two)}")
        return sought


def differing(one: Any, two: Any) -> str:
    """Where two things begin to differ."""
    if isinstance(one, bytes):
        at = next((i for i, (a, b) in enumerate(zip(one, two, strict=False)) if a != b), 0)
        return f"...{one[max(0, at - 100) : at + 200]!r} / ...{two[max(0, at - 100) : at + 200]!r}"
    return str(next((pair for pair in itertools.zip_longest(one, two) if pair[0] != pair[1]), ""))[:800]


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
    hands: int = 0
    cards: int = 0
    compared: int = 0
    greeted: int = 0
    asked: int = 0
    sought: int = 0
    sent: int = 0

    def __add__(self, other: Count) -> Count:
        return Count(*(getattr(self, one.name) + getattr(other, one.name) for one in fields(self)))

    def __str__(self) -> str:
        how = f"{self.compared} comparisons, {self.greeted} greetings, {self.asked} answers of REST"
        differed = f"hands differed in {self.hands}, cards in {self.cards}; {self.sought} hidden cards looked for"
        played = f"{self.pairs} pairs, {self.ranges} with ranges, {self.finished} to the end of the game"
        played += f", {self.companion} with real dice ({self.typed} different cards told)"
        return f"{played}, {how}, {self.sent} bytes alike: {differed}"


@asynccontextmanager
async def two_servers() -> AsyncIterator[tuple[WireParty, WireParty]]:
    """Two servers with clocks and names that say the same."""
    async with contextlib.AsyncExitStack() as stack:
        parties = []
        for _ in range(2):
            clock, log = Clock(), io.StringIO()
            how: dict[str, Any] = {"identity": Names(), "logger": new_logger(log, as_json=True), "away_after": 1e9}
            server = await stack.enter_async_context(open_server(now=clock, **how))
            parties.append(WireParty(server.hall, clock, running=server, log=log))
            parties[-1].logged()
        yield parties[0], parties[1]


async def play_pair(parties: tuple[WireParty, WireParty], seed: int) -> Count:
    """Play one pair to its end; raises Leak or Secret."""
    pick = random.Random(seed)  # with five editions and three ways each comes with each, with ranges and without
    chance = CHANCES[seed % len(CHANCES)]
    chosen: dict[str, Any] = {"edition": EDITIONS[seed % len(EDITIONS)], "setup": "fixed", "hand_limit": 4, "first": 0}
    chosen["points_to_win"] = pick.choice(POINTS)
    shared = Shared(pick.choice(hexholm.options(**chosen).colors), pick)
    set_up = []
    for i, party in enumerate(parties):
        other = parties[1 - i]
        party.hall._dealer = partial(Together, shared, i == 1, lambda other=other: other.table.game)  # type: ignore[misc]
        party.hall._ids = lambda: f"pair{seed}"
        party.clock.time, party.count = 1_000_000.0, 0
        set_up.append(await party.set_up(chosen, ranges=seed % 2 == 1, chance=chance))
    worlds, finished = WireWorlds(parties, shared), False
    if set_up[0] != set_up[1]:
        raise Leak(f"setting up: {differing(*set_up)}")
    try:
        try:
            await worlds.begin()
            for _ in range(STEPS):
                await worlds.step()
        except Parted as end:
            finished = isinstance(end, Finished)
        found = Count(1, finished, seed % 2, companion=chance != "host", sought=await worlds.close())
    finally:
        for party in parties:
            await party.leave()
    for name in ("typed", "hands", "cards", "compared", "greeted", "asked", "sent"):
        setattr(found, name, int(getattr(worlds, name)))
    return found


async def run(least: int, seed: int = 0) -> Count:
    """Pairs until hands and cards have each differed in `least` of them; fails when too few do."""
    count = Count()
    async with two_servers() as parties:
        while min(count.hands, count.cards) < least:
            assert count.pairs < 3 * least + 5, f"too few differ: {count}"
            count += await play_pair(parties, seed + count.pairs)
    return count


def share(least: int, seed: int) -> Count:
    """What one process does."""
    return asyncio.run(run(least, seed))


def main() -> int:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description="Non-interference of all that a server sends.")
    parser.add_argument("--pairs", type=int, default=1000, help="pairs that must differ, in hands and in cards")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    asked = parser.parse_args()
    with ProcessPoolExecutor(asked.jobs, multiprocessing.get_context("spawn")) as pool:
        least = [min(SHARE, asked.pairs - before) for before in range(0, asked.pairs, SHARE)]
        shares = [pool.submit(share, one, asked.seed + 10_000 * i) for i, one in enumerate(least)]
        whole = Count()
        for one in as_completed(shares):
            whole += one.result()
            print(whole, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
