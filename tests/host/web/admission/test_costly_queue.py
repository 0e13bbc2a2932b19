"""Those who wait for something costly: network by network, and so many at most."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from hexholm.host.web.admission.costly_queue import MOST_QUEUED, CostlyQueue
from hexholm.host.wire.host_refusals import Declined

pytestmark = pytest.mark.waits

Story = Callable[[CostlyQueue, list[str]], Awaitable[None]]


async def stand(queue: CostlyQueue, network: str, served: list[str]) -> None:
    async with queue.turn(network):
        served.append(network)
        await asyncio.sleep(0)


async def stand_in_queue(queue: CostlyQueue, served: list[str], *networks: str) -> list[asyncio.Task[None]]:
    tasks = [asyncio.create_task(stand(queue, network, served)) for network in networks]
    await asyncio.sleep(0)
    return tasks


def run(story: Story) -> None:
    async def main() -> None:
        queue = CostlyQueue()
        await story(queue, [])
        assert len(queue) == 0
        await asyncio.wait_for(stand(queue, "last", []), 10)  # nobody has left it taken

    asyncio.run(asyncio.wait_for(main(), 30))


def test_the_networks_have_their_turns_one_after_another() -> None:
    async def story(queue: CostlyQueue, served: list[str]) -> None:
        async with queue.turn("first"):
            tasks = await stand_in_queue(queue, served, *"aaaabab", "honest")
        await asyncio.gather(*tasks)
        assert served == ["a", "b", "honest", "a", "b", "a", "a", "a"]

    run(story)


def test_in_a_full_queue_the_network_with_the_most_makes_room() -> None:
    async def story(queue: CostlyQueue, served: list[str]) -> None:
        async with queue.turn("first"):
            crowd = await stand_in_queue(queue, served, *"ab" * (MOST_QUEUED // 2))
            (late,) = await stand_in_queue(queue, served, "a")
            (honest,) = await stand_in_queue(queue, served, "honest")
            await asyncio.sleep(0)
            assert len(queue) == MOST_QUEUED
            assert late.done()
        results = await asyncio.gather(late, honest, *crowd, return_exceptions=True)
        refused = [result.refusal.code for result in results if isinstance(result, Declined)]
        assert refused == ["busy", "busy"]
        assert served.index("honest") == 2

    run(story)


def test_who_goes_holds_up_nobody() -> None:
    async def story(queue: CostlyQueue, served: list[str]) -> None:
        async with queue.turn("first"):
            tasks = await stand_in_queue(queue, served, *"aabc")
            tasks[0].cancel()
            tasks[2].cancel()
            await asyncio.sleep(0)
            assert len(queue) == 2
        tasks[1].cancel()  # whose turn has come in this very moment
        await tasks[3]
        assert served == ["c"]
        with pytest.raises(asyncio.CancelledError):
            await tasks[1]

    run(story)
