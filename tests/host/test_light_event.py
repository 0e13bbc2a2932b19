"""An event does what asyncio's does."""

from __future__ import annotations

import asyncio

import pytest

from hexholm.host.light_event import LightEvent
from hexholm.host.web.transport.fast_socket import ShortQueue

pytestmark = pytest.mark.waits


def test_all_who_wait_are_woken_and_who_comes_later_does_not_wait() -> None:
    async def run() -> None:
        event = LightEvent()
        waiting = [asyncio.create_task(event.wait()) for _ in range(3)]
        await asyncio.sleep(0)
        waiting[1].cancel()
        await asyncio.sleep(0)
        event.set()
        event.clear()  # who was woken goes on all the same
        results = await asyncio.gather(*waiting, return_exceptions=True)
        assert [result is None for result in results] == [True, False, True]
        assert not event.is_set()
        late = asyncio.create_task(event.wait())
        await asyncio.sleep(0)
        assert not late.done()
        event.set()
        event.set()
        await late
        await event.wait()
        assert event.is_set()

    asyncio.run(asyncio.wait_for(run(), 10))


def test_a_queue_gives_what_was_put_in_order_also_after_one_gave_up_waiting() -> None:
    async def run() -> None:
        queue = ShortQueue()
        tired = asyncio.create_task(queue.get())
        await asyncio.sleep(0)
        tired.cancel()
        await asyncio.gather(tired, return_exceptions=True)
        taking = asyncio.create_task(queue.get())
        await asyncio.sleep(0)
        for item in "abc":
            queue.put_nowait(item)
        assert (await taking, await queue.get(), queue.qsize()) == ("a", "b", 1)
        assert (await queue.get(), queue.empty()) == ("c", True)

    asyncio.run(asyncio.wait_for(run(), 10))
