"""Who used least thinks next, whatever others ask for; quick players never wait for those who ponder."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from hexholm.host.bot_pool.fair_turns import HALF_LIFE, BotOwner, FairTurns, UsedTime

from ..halls import Clock

pytestmark = pytest.mark.waits

GREEDY, MODEST = BotOwner("192.0.2.0/24", "greedy"), BotOwner("198.51.100.0/24", "modest")


class Thoughts:
    """Thoughts that last a second of a clock each, in the order in which they began."""

    def __init__(self, turns: int, pondering: int) -> None:
        self.clock = Clock()
        self.turns = FairTurns(turns, pondering, now=self.clock)
        self.begun: list[str] = []
        self._tasks: list[asyncio.Task[None]] = []
        self._ends: dict[str, asyncio.Event] = {}

    async def ask(self, name: str, owner: BotOwner, given: float = 0.0) -> asyncio.Task[None]:
        async def think() -> None:
            async with self.turns.turn(owner, given):
                self.begun.append(name)
                await self._ends[name].wait()

        self._ends[name] = asyncio.Event()
        self._tasks.append(asyncio.create_task(think()))
        await asyncio.sleep(0)
        return self._tasks[-1]

    async def end(self, name: str, seconds: float = 1.0) -> None:
        self.clock.time += seconds
        self._ends[name].set()
        for _ in range(4):
            await asyncio.sleep(0)

    async def end_all(self) -> None:
        while not all(task.done() for task in self._tasks):
            for name in list(self.begun):
                await self.end(name)


def run(story: Callable[[Thoughts], Awaitable[None]], turns: int = 1, pondering: int = 1) -> None:
    async def main() -> None:
        async with asyncio.timeout(20):
            thoughts = Thoughts(turns, pondering)
            await story(thoughts)
            await thoughts.end_all()

    asyncio.run(main())


def test_one_with_twenty_tables_does_not_keep_one_with_one_waiting() -> None:
    async def story(t: Thoughts) -> None:
        for number in range(20):
            await t.ask(f"greedy {number}", GREEDY)
        await t.ask("modest 0", MODEST)
        await t.end("greedy 0")
        assert t.begun == ["greedy 0", "modest 0"]  # the last to come, and next all the same
        await t.end("modest 0", 0.1)
        await t.ask("modest 1", MODEST)
        assert t.begun[2:] == ["greedy 1"]
        await t.end("greedy 1")
        assert t.begun[3:] == ["modest 1"]

    run(story)


def test_guests_without_number_of_one_network_count_as_one() -> None:
    async def story(t: Thoughts) -> None:
        for number in range(20):
            await t.ask(f"greedy {number}", BotOwner(GREEDY.network, f"guest {number}"))
        await t.ask("modest", MODEST)
        await t.end("greedy 0")
        assert t.begun[1:] == ["modest"]

    run(story)


def test_within_a_network_the_guest_who_used_least_is_next() -> None:
    async def story(t: Thoughts) -> None:
        ann, bob = BotOwner("home", "ann"), BotOwner("home", "bob")
        for number in range(3):
            await t.ask(f"ann {number}", ann)
        await t.ask("bob", bob)
        await t.end("ann 0")
        assert t.begun == ["ann 0", "bob"]

    run(story)


def test_those_who_used_alike_are_served_in_the_order_they_came() -> None:
    async def story(t: Thoughts) -> None:
        for name in "abcd":
            await t.ask(name, BotOwner())
        for name in "abc":
            await t.end(name)
        assert t.begun == ["a", "b", "c", "d"]

    run(story)


def test_players_who_ponder_leave_a_turn_to_quick_ones() -> None:
    async def story(t: Thoughts) -> None:
        for number in range(3):
            await t.ask(f"slow {number}", MODEST, 2.0)
        assert t.begun == ["slow 0"]
        await t.ask("quick", GREEDY)
        assert t.begun == ["slow 0", "quick"]
        await t.end("quick")
        assert t.begun == ["slow 0", "quick"]
        await t.end("slow 0")
        assert t.begun == ["slow 0", "quick", "slow 1"]

    run(story, turns=2)


def test_who_waits_no_more_takes_nobodys_turn() -> None:
    async def story(t: Thoughts) -> None:
        await t.ask("a", MODEST)
        tired, also_tired = await t.ask("b", MODEST), await t.ask("c", MODEST)
        await t.ask("d", MODEST)
        tired.cancel()
        await t.end("a")
        also_tired.cancel()  # in the very moment in which it was let in, or just after
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        await asyncio.gather(tired, also_tired, return_exceptions=True)
        assert t.begun[-1] == "d"

    run(story)


def test_what_was_used_long_ago_counts_little_and_is_forgotten() -> None:
    clock = Clock()
    used = UsedTime(clock)
    used.add("a", 8.0)
    clock.time += HALF_LIFE
    assert abs(used["a"] - 4.0) < 1e-9
    for number in range(2_000):
        used.add(f"other {number}", 0.01)
    clock.time += 20 * HALF_LIFE
    used.add("one more", 1.0)
    assert len(used) == 1
