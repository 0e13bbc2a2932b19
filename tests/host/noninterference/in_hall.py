"""Non-interference at live tables: what is hidden from a guest changes no byte that the guest is sent.

Two halls play the same game side by side, with the same times and names. All that the observer may see happens in both;
what it may not see is made different wherever that can be: cards stolen between others, cards drawn by others, the
order in which others discard. Two tables of three are companion tables: people roll, and at one of the two they also
tell what they drew and stole; there they take back, and tell of cards that cannot be. Everything sent to the observer
and to one who watches is compared byte by byte: feeds, answers, refusals, and what a seat is told when it asks why not.
(Only who is connected is left out: that comes a moment later, by the real clock.) A pair counts when the hidden cards
truly differed while all looked alike. Every other table where the host deals has a proof of its dice, with words of
two seats; there the keys differ too (:mod:`.proved_dice`). Of the tables where the host deals, some are rated. Now and
then somebody gives the seat to a bot and takes it back at once, and the observer and the one who watches leave, come
again and hear what they missed.

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
from hexholm.host.table_literals import ChanceSource
from hexholm.host.tables.audience.feeds import Feed
from hexholm.host.tables.companion import OUTCOME_KINDS
from hexholm.host.tables.hall.hall import Hall
from hexholm.host.wire import messages
from hexholm.rules.encoding.structs import RESOURCES
from hexholm.rules.setup.editions import EDITIONS
from tests.host.halls import Party, ask_why, drain, open_party, set_up
from tests.rules.noninterference import Leak, Parted

from .proved_dice import own_key, promises_and_words, set_up_proved, until_words_are_in

CHANCES: tuple[ChanceSource, ...] = ("host", "dice", "people")
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
        outcomes, pick = self.shared.outcomes, self.shared.pick
        if not self.second:
            seven = chance.kind == "dice" and pick.random() < 0.2
            outcomes[chance.number] = "dice 3 4" if seven else pick.choice(open_now)
            return outcomes[chance.number]
        first = outcomes[chance.number]
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
    bytes_sent: int = 0
    compared: int = 0
    hands: bool = False
    cards: bool = False
    typed: int = 0
    """Cards that the observer must not know, told by their owners and different ones in the two worlds."""
    proved: bool = False
    """The dice have a proof, of a key that the observer must not know, and another one in the two worlds."""
    returned: int = 0
    """So often those whose eyes are looked through left and came back."""
    late: bool = False
    """One of the promised words is not opened."""

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
            self.feeds.append({color: party.feed(color) for color in (self.observer, None)})
        await self.begin_games()
        await self.compare()

    async def begin_games(self) -> None:
        """Begin, with words where there is a proof: of the observer, and of another one who may be too late."""
        if not self.proved:
            for party in self.parties:
                await party.begin()
            return
        table = self.parties[0].table
        other = next(color for color in table.colors if color != self.observer)
        promises, words = promises_and_words(table.id, (self.observer, other))
        for color, promise in promises.items():
            await self.give(color, (promise, promise))
        for party in self.parties:
            await party.begin()
        for color, word in words.items():
            if color == self.observer or not self.late:
                await self.give(color, (word, word))
        for party in self.parties:
            await until_words_are_in(party, late=self.late)

    async def messages_to(self, world: int, color: str | None) -> list[bytes]:
        """What was sent in one world since the last time; whoever played is shown the key when the game is over."""
        party, feed = self.parties[world], self.feeds[world][color]
        told = [encode(message) for message in drain(feed) if not isinstance(message, messages.Present)]
        if self.proved and color is not None and party.table.status == "over":
            return [text.replace(own_key(party.hall, party.id), b"the key") for text in told]
        return told

    async def compare(self) -> None:
        """Everything that was sent since the last time."""
        for color in (self.observer, None):
            first_messages, second_messages = [await self.messages_to(world, color) for world in (0, 1)]
            if first_messages != second_messages:
                where = next(
                    (pair for pair in zip(first_messages, second_messages, strict=False) if pair[0] != pair[1]),
                    (first_messages, second_messages),
                )
                raise Leak(f"to {color}: {str(where[0])[:400]} / {str(where[1])[:400]}")
            self.bytes_sent += sum(map(len, first_messages))
        first, second = (game.referee.state for game in self.games)
        other_seats = [seat for seat, color in enumerate(self.games[0].colors) if color != self.observer]
        self.hands |= any(first.hand[seat] != second.hand[seat] for seat in other_seats)
        self.cards |= any(first.development[seat] != second.development[seat] for seat in other_seats)
        self.compared += 1

    async def send(self, color: str, actions: tuple[str, str], *, parting: bool = True) -> None:
        """The same, or as good as the same, in both; what the observer is answered must be the same."""
        name = self.name()
        first, second = (messages.Act(id=name, action=action) for action in actions)
        await self.give(color, (first, second), parting=parting)

    def name(self) -> str:
        """A name for the next command, the same in both worlds."""
        self.parties[0].count += 1
        return f"act {self.parties[0].count}"

    async def give(
        self, color: str, commands: tuple[messages.TableCommand, messages.TableCommand], *, parting: bool = True
    ) -> None:
        """A command in each world."""
        answers = []
        for party, command in zip(self.parties, commands, strict=True):
            party.clock.time += 1
            answers.append(await party.send(color, command))
        if parting and any(isinstance(answer, messages.Refused) for answer in answers):
            raise Parted
        if color == self.observer and encode(answers[0]) != encode(answers[1]):
            raise Leak(f"answered to {color}: {answers}")

    async def step(self) -> None:
        """One more thing happens in both."""
        first, second = self.games
        if any(party.table.status == "over" for party in self.parties):
            raise Parted
        if self.pick.random() < 0.1:
            await self.wrong()
        if self.pick.random() < 0.1:
            await self.leave_and_return()
        await self.ask_why()
        if first.chance is not None or (self.may_tell() and self.pick.random() < 0.3):
            await self.tell()
            return
        if self.parties[0].table.opening.chance_source != "host" and self.pick.random() < 0.05:
            await self.take_back()
            return
        if first.phase == "discard":
            await self.discards()
            return
        color = self.pick.choice(first.to_act)
        legal = [set(game.view(color).legal_actions.texts) for game in (first, second)]
        both = [text for text in sorted((legal[0] & legal[1]) | self.offers(color)) if self.same(color, text)]
        if not both:
            raise Parted
        kinds = sorted({text.split()[0] for text in both})
        kind = self.pick.choices(kinds, [LIKED.get(kind, 2) for kind in kinds])[0]
        text = self.pick.choice([text for text in both if text.split()[0] == kind])
        await self.send(color, (text, text))
        await self.compare()

    async def leave_and_return(self) -> None:
        """A seat that is not asked is away for a moment; then those whose eyes are looked through are."""
        first = self.games[0]
        idle = [color for color in first.colors if color not in first.to_act]
        color = self.pick.choice(idle) if idle else ""
        if color and first.phase == "main" and first.chance is None and not first.view(color).offers:
            for command in (messages.Away(id=self.name()), messages.Back(id=self.name())):
                await self.give(color, (command, command), parting=False)
            await self.compare()
        if not self.feeds:
            return  # on the wire they come again by themselves
        missed = self.pick.randint(0, 5)
        for party, feeds in zip(self.parties, self.feeds, strict=True):
            party.clock.time += 1
            for eyes, feed in list(feeds.items()):
                feed.close()
                feeds[eyes] = party.feed(eyes, max(0, len(party.table.by_eyes[eyes].stream) - missed))
        self.returned += 1
        await self.compare()

    async def tell(self) -> None:
        """Somebody tells what came out; a card only the one who has it, and to the observer it may be any."""
        first, second = (self.to_tell(game) for game in self.games)
        assert first is not None
        assert second is not None
        color = self.pick.choice(self.games[0].colors) if first.kind == "dice" else first.player
        unseen = first.kind != "dice" and self.observer not in (first.player, first.victim)
        if first.kind != "dice" and self.pick.random() < 0.2:
            await self.mistell(color)
        try:
            outcomes = [self.dealing(0).deal(first), self.dealing(1).deal(second)]
        except NoOutcome as error:
            raise Parted from error
        await self.deal(color, outcomes)
        self.typed += unseen and outcomes[0] != outcomes[1]
        await self.compare()

    def may_tell(self) -> bool:
        """Whether people are asked for something that came out, or may come out now."""
        projection = self.parties[0].table.projection(None)
        return projection is not None and projection.chance_question is not None

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

    async def mistell(self, color: str) -> None:
        """The one who is asked tells of a card that cannot be; of which, is nobody's business."""
        texts = []
        for game in self.games:
            assert game.chance is not None
            kinds = OUTCOME_KINDS[game.chance.kind]
            possible = {action.text for action in game.chance.odds}
            texts.append([text for kind in kinds if (text := f"{game.chance.kind} {kind}") not in possible])
        if color == self.observer:
            texts = [sorted(set(texts[0]) & set(texts[1]))] * 2
        if all(texts):
            outcome = self.pick.choice(texts[0])
            await self.deal(color, [outcome, outcome if color == self.observer else self.pick.choice(texts[1])])
            await self.compare()

    async def deal(self, color: str, outcomes: list[str]) -> None:
        """Tell what came out, in each world."""
        name = self.name()
        first, second = (
            messages.Deal(id=name, outcome=outcome, number=party.table.moves)
            for party, outcome in zip(self.parties, outcomes, strict=True)
        )
        await self.give(color, (first, second))

    async def take_back(self) -> None:
        """Somebody takes the last action back, as far as that can be."""
        color, name = self.pick.choice(self.games[0].colors), self.name()
        first, second = (
            messages.TakeBack(id=name, number=len(party.table.by_eyes[color].stream)) for party in self.parties
        )
        await self.give(color, (first, second), parting=False)
        await self.compare()

    async def wrong(self) -> None:
        """The observer tries what it knows it may not do."""
        projections = [party.table.projection(self.observer) for party in self.parties]
        if not any(projection is not None and projection.chance_question is not None for projection in projections):
            name, text = self.name(), self.pick.choice(("dice 3 4", "stolen ore", "drawn knight", "stolen sand"))
            first, second = (messages.Deal(id=name, outcome=text, number=party.table.moves) for party in self.parties)
            await self.give(self.observer, (first, second), parting=False)
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
        number, color = self.pick.randint(1, 3), self.pick.choice(self.games[0].colors)
        actions = (
            *self.offers(self.observer),
            f"accept {number}",
            f"confirm {number} {color}",
            f"counter #{number} 1 ore : 1 wool",
            f"steal {color}",
            *self.pick.sample(("roll", "end", "buy", "knight", "monopoly ore", "year-of-plenty ore ore", "dance"), 2),
        )
        for text in self.pick.sample(actions, 3):
            question = messages.Why(id="why", action=text)
            first, second = [await self.why(party, question) for party in self.parties]
            if encode(first) != encode(second):
                raise Leak(f"why not {text!r}, to {self.observer}: {first} / {second}")
            self.bytes_sent += len(encode(first))

    async def why(self, party: Party, why: messages.Why) -> messages.WhyAnswer | messages.Refused:
        """What the observer is told in one world."""
        return await ask_why(party.hall, party.id, party.people[self.observer], why)

    async def discards(self) -> None:
        """All choose what they can in both; the others in another order."""
        first, second = self.games
        order = list(first.to_act)
        choices = {}
        for color in order:
            both = sorted(set(first.view(color).legal_actions.texts) & set(second.view(color).legal_actions.texts))
            if not both:
                raise Parted
            choices[color] = self.pick.choice(both)
        self.pick.shuffle(order)
        other_colors = iter(reversed([color for color in order if color != self.observer]))
        for color in order:
            twin = color if color == self.observer else next(other_colors)
            name = f"discard {self.parties[0].table.seq}"
            for party, actor in zip(self.parties, (color, twin), strict=True):
                party.clock.time += 1
                await party.send(actor, messages.Act(id=name, action=choices[actor]))
                await party.settle_down()  # after the last one those are back who were away
            await self.compare()

    def offers(self, color: str) -> set[str]:
        """An offer that might be made."""
        if self.games[0].phase != "main":
            return set()
        give, want = self.pick.sample(RESOURCES, 2)
        other_colors = [other_color for other_color in self.games[0].colors if other_color != color]
        to = " ".join(self.pick.sample(other_colors, self.pick.randint(1, len(other_colors))))
        return {f"offer 1 {give} : 1 {want} to {to}", f"offer 1 {give} : 1 {want} to {self.games[0].active}"}

    def same(self, color: str, text: str) -> bool:
        """Whether an action is legal in both and shows no difference."""
        try:
            if any(game.why_not(text, by=color) is not None for game in self.games):
                return False
        except hexholm.BadInput:
            return False
        if not text.startswith("monopoly"):
            return True
        kind = hexholm.Action.of(text).resource or ""
        first, second = ([game.referee.hand(seat)[kind] for seat in range(len(game.colors))] for game in self.games)
        return first == second


@dataclass
class Count:
    """How many pairs truly differed."""

    pairs: int = 0
    hands: int = 0
    cards: int = 0
    compared: int = 0
    bytes_sent: int = 0
    typed: int = 0
    proved: int = 0
    """With a proof of the dice, and other keys."""
    rated: int = 0
    returned: int = 0

    def __str__(self) -> str:
        differed = f"hands differed in {self.hands}, cards in {self.cards}; {self.typed} different cards told by people"
        played = f"{self.pairs} pairs, {self.proved} with a proof of the dice"
        return f"{played}, {self.compared} comparisons, {self.bytes_sent} bytes alike: {differed}"


@asynccontextmanager
async def two_halls() -> AsyncIterator[tuple[Party, Party]]:
    """Two halls with clocks and names of their own that say the same."""
    async with (
        Storage(":memory:") as first_storage,
        Storage(":memory:") as second_storage,
        open_party(first_storage) as first,
        open_party(second_storage) as second,
    ):
        yield first, second


def is_proved(seed: int, chance_source: ChanceSource) -> bool:
    """Whether the dice of a pair have a proof: of every other one for which the host deals."""
    return chance_source == "host" and seed // len(CHANCES) % 2 == 0


def is_rated(seed: int, chances: Sequence[ChanceSource]) -> bool:
    """Whether a pair is rated: two of four for which the host deals, one of them with a proof."""
    return chances[seed % len(chances)] == "host" and seed // len(chances) % 4 < 2


async def play_pair(
    parties: tuple[Party, Party], seed: int, steps: int = 60, chances: Sequence[ChanceSource] = CHANCES
) -> Worlds:
    """Play one pair to its end."""
    pick = random.Random(seed)
    options: dict[str, Any] = {"edition": EDITIONS[seed % len(EDITIONS)], "setup": "fixed"}
    chance_source = chances[seed % len(chances)]
    rated = is_rated(seed, chances)
    if not rated:  # else it is by the book
        options["hand_limit"] = 4
    observer = pick.choice(hexholm.options(**options, first=0).colors)
    shared = Shared(observer, pick)
    proved = is_proved(seed, chance_source)
    for party, second in zip(parties, (False, True), strict=True):
        open_hall: Hall = party.hall
        open_hall.services.make_dealer = make_dealer = partial(Dealing, shared, second)
        open_hall._ids = lambda: f"pair{seed}"
        party.clock.time, party.count = 1_000_000.0, 0
        # with five editions and three ways each comes with each, with and without
        new_party = partial(
            set_up,
            party,
            clock=None if chance_source != "host" else 600,
            ranges=seed % 2 == 1,
            chance_source=chance_source,
            rated=rated,
            **options,
        )
        await (set_up_proved(party, second, make_dealer, new_party) if proved else new_party())
    worlds = Worlds(parties, shared, proved=proved, late=seed // 6 % 2 == 1)
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
            await party.send(next(iter(party.people)), messages.End(id="end of the test"))
            await party.hall.loaded_tables._runners.pop(party.id).stop()
    return worlds


async def run(least: int, seed: int = 0, steps: int = 60, chances: Sequence[ChanceSource] = CHANCES) -> Count:
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
            count.bytes_sent += worlds.bytes_sent
            count.typed += worlds.typed
            count.proved += worlds.proved
            count.rated += is_rated(seed + count.pairs - 1, chances)
            count.returned += worlds.returned
    return count


def main() -> int:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description="Non-interference of live tables.")
    parser.add_argument("--pairs", type=int, default=1000, help="pairs that must differ, in hands and in cards")
    print(asyncio.run(run(parser.parse_args().pairs)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
