"""Non-interference at live tables: what is hidden from a guest changes no byte that the guest is sent.

Two halls play the same game side by side, with the same times and names. All that the observer may see happens in both;
what it may not see is made different wherever that can be: cards stolen between others, cards drawn by others, the
order in which others discard. Two tables of three are companion tables: people roll, and at one of the two they also
tell what they drew and stole; there they take back, and tell of cards that cannot be. Everything sent to the observer
and to one who watches is compared byte by byte: feeds, answers, refusals, and what a seat is told when it asks why not.
(Only who is connected is left out: that comes a moment later, by the real clock.) A pair counts when the hidden cards
truly differed while all looked alike.

    python -m tests.host.noninterference.in_hall --pairs 1000
"""

from __future__ import annotations

import argparse
import asyncio
import random
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import msgspec

import hexholm
from hexholm.game.dealers import Chance, NoOutcome
from hexholm.host.storage import Storage
from hexholm.host.tables.audience.feeds import Feed
from hexholm.host.tables.hall import Hall
from hexholm.host.tables.special.companion import OUTCOME_KINDS
from hexholm.host.wire import messages as m
from hexholm.rules.core.encoding.structs import RESOURCES
from hexholm.rules.editions import EDITIONS
from tests.host.halls import Party, drain, hall, set_up, why
from tests.rules.noninterference import Leak, Parted

CHANCES: tuple[m.ChanceSource, ...] = ("host", "dice", "people")
LIKED = {"buy": 12, "knight": 6, "robber": 4, "roll": 4, "end": 1, "confirm": 6, "accept": 2}
encode = msgspec.json.Encoder().encode


@dataclass
class Shared:
    """What the dealers of both worlds know: the observer, and what came out in the first."""

    observer: str
    pick: random.Random
    outcomes: dict[int, str] = field(default_factory=dict)


@dataclass
class Dealing:
    """The dealer of one world; the second deals what the observer sees as the first did, and all else otherwise."""

    shared: Shared
    second: bool

    def deal(self, chance: Chance) -> str:
        """An outcome."""
        open_now = [action.text for action in chance.odds]
        known, pick = self.shared.outcomes, self.shared.pick
        if not self.second:
            seven = chance.kind == "dice" and pick.random() < 0.2
            known[chance.number] = "dice 3 4" if seven else pick.choice(open_now)
            return known[chance.number]
        first = known[chance.number]
        if chance.kind == "dice" or self.shared.observer in (chance.player, chance.victim):
            if first not in open_now:
                raise NoOutcome("the worlds part here")
            return first
        return pick.choice([text for text in open_now if text != first] or open_now)


@dataclass
class Worlds:
    """A pair of tables in two halls, and what its observer was sent in each."""

    parties: tuple[Party, Party]
    shared: Shared
    feeds: list[dict[str | None, Feed]] = field(default_factory=list)
    sent: int = 0
    compared: int = 0
    hands: bool = False
    cards: bool = False
    typed: int = 0
    """Cards that the observer must not know, told by their owners and different ones in the two worlds."""

    @property
    def observer(self) -> str:
        """Whose eyes are looked through."""
        return self.shared.observer

    @property
    def pick(self) -> random.Random:
        """What chooses."""
        return self.shared.pick

    @property
    def games(self) -> list[hexholm.Game]:
        """Both games."""
        return [game for party in self.parties if (game := party.table.game) is not None]

    async def begin(self) -> None:
        """Open the feeds and begin."""
        for party in self.parties:
            self.feeds.append({who: party.feed(who) for who in (self.observer, None)})
            await party.begin()
        await self.compare()

    async def told(self, world: int, who: str | None) -> list[bytes]:
        """What was sent in one world since the last time."""
        return [encode(said) for said in drain(self.feeds[world][who]) if not isinstance(said, m.Present)]

    async def compare(self) -> None:
        """Everything that was sent since the last time."""
        for who in (self.observer, None):
            one, two = [await self.told(world, who) for world in (0, 1)]
            if one != two:
                where = next((pair for pair in zip(one, two, strict=False) if pair[0] != pair[1]), (one, two))
                raise Leak(f"to {who}: {str(where[0])[:400]} / {str(where[1])[:400]}")
            self.sent += sum(map(len, one))
        first, second = (game.referee.state for game in self.games)
        others = [seat for seat, color in enumerate(self.games[0].colors) if color != self.observer]
        self.hands |= any(first.hand[seat] != second.hand[seat] for seat in others)
        self.cards |= any(first.cards[seat] != second.cards[seat] for seat in others)
        self.compared += 1

    async def send(self, who: str, actions: tuple[str, str], *, parting: bool = True) -> None:
        """The same, or as good as the same, in both; what the observer is answered must be the same."""
        name = self.name()
        one, two = (m.Act(id=name, action=action) for action in actions)
        await self.give(who, (one, two), parting=parting)

    def name(self) -> str:
        """A name for the next command, the same in both worlds."""
        self.parties[0].count += 1
        return f"act {self.parties[0].count}"

    async def give(self, who: str, commands: tuple[m.TableCommand, m.TableCommand], *, parting: bool = True) -> None:
        """A command in each world."""
        answers = []
        for party, command in zip(self.parties, commands, strict=True):
            party.clock.time += 1
            answers.append(await party.send(who, command))
        if parting and any(isinstance(answer, m.Refused) for answer in answers):
            raise Parted
        if who == self.observer and encode(answers[0]) != encode(answers[1]):
            raise Leak(f"answered to {who}: {answers}")

    async def step(self) -> None:
        """One more thing happens in both."""
        one, two = self.games
        if any(party.table.status == "over" for party in self.parties):
            raise Parted
        if self.pick.random() < 0.1:
            await self.wrong()
        await self.ask_why()
        if one.chance is not None or (self.may_tell() and self.pick.random() < 0.3):
            await self.tell()
            return
        if self.parties[0].table.chance_source != "host" and self.pick.random() < 0.05:
            await self.take_back()
            return
        if one.phase == "discard":
            await self.discards()
            return
        who = self.pick.choice(one.to_act)
        legal = [set(game.view(who).legal_actions.texts) for game in (one, two)]
        both = [text for text in sorted((legal[0] & legal[1]) | self.offers(who)) if self.same(who, text)]
        if not both:
            raise Parted
        kinds = sorted({text.split()[0] for text in both})
        kind = self.pick.choices(kinds, [LIKED.get(kind, 2) for kind in kinds])[0]
        text = self.pick.choice([text for text in both if text.split()[0] == kind])
        await self.send(who, (text, text))
        await self.compare()

    async def tell(self) -> None:
        """Somebody tells what came out; a card only the one who has it, and to the observer it may be any."""
        one, two = (self.to_tell(game) for game in self.games)
        assert one is not None
        assert two is not None
        who = self.pick.choice(self.games[0].colors) if one.kind == "dice" else one.player
        unseen = one.kind != "dice" and self.observer not in (one.player, one.victim)
        if one.kind != "dice" and self.pick.random() < 0.2:
            await self.mistell(who)
        try:
            outcomes = [self.dealing(0).deal(one), self.dealing(1).deal(two)]
        except NoOutcome as end:
            raise Parted from end
        await self.deal(who, outcomes)
        self.typed += unseen and outcomes[0] != outcomes[1]
        await self.compare()

    def may_tell(self) -> bool:
        """Whether people are asked for something that came out, or may come out now."""
        shown = self.parties[0].table.projection(None)
        return shown is not None and shown.chance is not None

    @staticmethod
    def to_tell(game: hexholm.Game) -> Chance | None:
        """What is left to chance now, or when the one who is on turn rolls: that need not be done first."""
        if game.chance is None:
            game = game.copy()
            game.play("roll", by=game.active)
        return game.chance

    def dealing(self, world: int) -> Dealing:
        """What comes out at the real table of a world."""
        return Dealing(self.shared, world == 1)

    async def mistell(self, who: str) -> None:
        """The one who is asked tells of a card that cannot be; of which, is nobody's business."""
        texts = []
        for game in self.games:
            assert game.chance is not None
            kinds = OUTCOME_KINDS[game.chance.kind]
            possible = {action.text for action in game.chance.odds}
            texts.append([text for kind in kinds if (text := f"{game.chance.kind} {kind}") not in possible])
        if who == self.observer:
            texts = [sorted(set(texts[0]) & set(texts[1]))] * 2
        if all(texts):
            one = self.pick.choice(texts[0])
            await self.deal(who, [one, one if who == self.observer else self.pick.choice(texts[1])])
            await self.compare()

    async def deal(self, who: str, outcomes: list[str]) -> None:
        """Tell what came out, in each world."""
        name = self.name()
        one, two = (
            m.Deal(id=name, outcome=outcome, number=party.table.moves)
            for party, outcome in zip(self.parties, outcomes, strict=True)
        )
        await self.give(who, (one, two))

    async def take_back(self) -> None:
        """Somebody takes the last action back, as far as that can be."""
        who, name = self.pick.choice(self.games[0].colors), self.name()
        one, two = (m.TakeBack(id=name, number=len(party.table.streams[who])) for party in self.parties)
        await self.give(who, (one, two), parting=False)
        await self.compare()

    async def wrong(self) -> None:
        """The observer tries what it knows it may not do."""
        asked = [party.table.projection(self.observer) for party in self.parties]
        if not any(shown is not None and shown.chance is not None for shown in asked):
            name, text = self.name(), self.pick.choice(("dice 3 4", "stolen ore", "drawn knight", "stolen sand"))
            one, two = (m.Deal(id=name, outcome=text, number=party.table.moves) for party in self.parties)
            await self.give(self.observer, (one, two), parting=False)
        text = self.pick.choice(("roll", "end", "city C3n", "buy", "knight", "dance", "discard 1 ore"))
        try:
            refused = all(game.view(self.observer).why_not(text) is not None for game in self.games)
        except hexholm.BadInput:
            refused = True
        if refused:
            await self.send(self.observer, (text, text), parting=False)
            await self.compare()

    async def ask_why(self) -> None:
        """The observer asks whether it may do something, whatever it is."""
        number, other = self.pick.randint(1, 3), self.pick.choice(self.games[0].colors)
        asked = (
            *self.offers(self.observer),
            f"accept {number}",
            f"confirm {number} {other}",
            f"counter #{number} 1 ore : 1 wool",
            f"steal {other}",
            *self.pick.sample(("roll", "end", "buy", "knight", "monopoly ore", "year-of-plenty ore ore", "dance"), 2),
        )
        for text in self.pick.sample(asked, 3):
            question = m.Why(id="why", action=text)
            one, two = [await self.why(party, question) for party in self.parties]
            if encode(one) != encode(two):
                raise Leak(f"why not {text!r}, to {self.observer}: {one} / {two}")
            self.sent += len(encode(one))

    async def why(self, party: Party, question: m.Why) -> m.Because | m.Refused:
        """What the observer is told in one world."""
        return await why(party.hall, party.id, party.people[self.observer], question)

    async def discards(self) -> None:
        """All choose what they can in both; the others in another order."""
        one, two = self.games
        order = list(one.to_act)
        choices = {}
        for who in order:
            both = sorted(set(one.view(who).legal_actions.texts) & set(two.view(who).legal_actions.texts))
            if not both:
                raise Parted
            choices[who] = self.pick.choice(both)
        self.pick.shuffle(order)
        rest = iter(reversed([who for who in order if who != self.observer]))
        for who in order:
            twin = who if who == self.observer else next(rest)
            name = f"discard {self.parties[0].table.seq}"
            for party, actor in zip(self.parties, (who, twin), strict=True):
                party.clock.time += 1
                await party.send(actor, m.Act(id=name, action=choices[actor]))
            await self.compare()

    def offers(self, who: str) -> set[str]:
        """An offer that might be made."""
        if self.games[0].phase != "main":
            return set()
        give, want = self.pick.sample(RESOURCES, 2)
        others = [color for color in self.games[0].colors if color != who]
        to = " ".join(self.pick.sample(others, self.pick.randint(1, len(others))))
        return {f"offer 1 {give} : 1 {want} to {to}", f"offer 1 {give} : 1 {want} to {self.games[0].active}"}

    def same(self, who: str, text: str) -> bool:
        """Whether an action is legal in both and shows no difference."""
        try:
            if any(game.why_not(text, by=who) is not None for game in self.games):
                return False
        except hexholm.BadInput:
            return False
        if not text.startswith("monopoly"):
            return True
        kind = hexholm.Action.of(text).resource or ""
        one, two = ([game.referee.hand(seat)[kind] for seat in range(len(game.colors))] for game in self.games)
        return one == two


@dataclass
class Count:
    """How many pairs truly differed."""

    pairs: int = 0
    hands: int = 0
    cards: int = 0
    compared: int = 0
    sent: int = 0
    typed: int = 0

    def __str__(self) -> str:
        differed = f"hands differed in {self.hands}, cards in {self.cards}; {self.typed} different cards told by people"
        return f"{self.pairs} pairs, {self.compared} comparisons, {self.sent} bytes alike: {differed}"


@asynccontextmanager
async def two_halls() -> AsyncIterator[tuple[Party, Party]]:
    """Two halls with clocks and names of their own that say the same."""
    async with Storage(":memory:") as one, Storage(":memory:") as two, hall(one) as first, hall(two) as second:
        yield first, second


async def play_pair(
    parties: tuple[Party, Party], seed: int, steps: int = 60, chances: Sequence[m.ChanceSource] = CHANCES
) -> Worlds:
    """Play one pair to its end."""
    pick = random.Random(seed)
    chosen: dict[str, Any] = {"edition": EDITIONS[seed % len(EDITIONS)], "setup": "fixed", "hand_limit": 4}
    chance = chances[seed % len(chances)]
    observer = pick.choice(hexholm.options(**chosen, first=0).colors)
    shared = Shared(observer, pick)
    for party, second in zip(parties, (False, True), strict=True):
        found: Hall = party.hall
        found._dealer = partial(Dealing, shared, second)
        found._ids = lambda: f"pair{seed}"
        party.clock.time, party.count = 1_000_000.0, 0
        # with five editions and three ways each comes with each, with and without
        await set_up(party, clock=None if chance != "host" else 600, ranges=seed % 2 == 1, chance=chance, **chosen)
    worlds = Worlds(parties, shared)
    try:
        await worlds.begin()
        for _ in range(steps):
            await worlds.step()
    except Parted:
        pass
    finally:
        for feeds in worlds.feeds:
            for feed in feeds.values():
                feed.close()
        for party in parties:
            await party.send(next(iter(party.people)), m.End(id="end of the test"))
            await party.hall._runners.pop(party.id).stop()
    return worlds


async def run(least: int, seed: int = 0, steps: int = 60, chances: Sequence[m.ChanceSource] = CHANCES) -> Count:
    """Pairs until hands and cards have each differed in `least` of them; fails when too few do."""
    count = Count()
    async with two_halls() as parties:
        while min(count.hands, count.cards) < least:
            assert count.pairs < 5 * least + 10, f"too few differ: {count}"
            worlds = await play_pair(parties, seed + count.pairs, steps, chances)
            count.pairs += 1
            count.hands += worlds.hands
            count.cards += worlds.cards
            count.compared += worlds.compared
            count.sent += worlds.sent
            count.typed += worlds.typed
    return count


def main() -> int:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description="Non-interference of live tables.")
    parser.add_argument("--pairs", type=int, default=1000, help="pairs that must differ, in hands and in cards")
    print(asyncio.run(run(parser.parse_args().pairs)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
