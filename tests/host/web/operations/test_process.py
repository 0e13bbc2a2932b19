"""The host pauses for garbage as little as it can, and leaves Python as it was."""

from __future__ import annotations

import asyncio
import gc
import mmap
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from hexholm.host.web.operations import process

pytestmark = pytest.mark.waits


class Knot:
    """Holds itself: only the collector can let it go."""

    alive = 0

    def __init__(self) -> None:
        self.myself = self
        Knot.alive += 1

    def __del__(self) -> None:
        Knot.alive -= 1


@pytest.fixture(autouse=True)
def untouched(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Each test must leave the collector and the turns of threads as it found them."""
    gc.collect()
    Knot.alive = 0
    monkeypatch.setattr(process, "SECOND", 0.02)
    before = gc.isenabled(), gc.get_threshold(), gc.get_freeze_count(), sys.getswitchinterval()
    yield
    assert (gc.isenabled(), gc.get_threshold(), gc.get_freeze_count(), sys.getswitchinterval()) == before


class OwnTime:
    """A clock that stands still while other programs have the core, of which they could leave too small a share."""

    rested = 0.0

    thread_time = staticmethod(time.thread_time)

    @classmethod
    def monotonic(cls) -> float:
        return time.thread_time() + cls.rested


async def until(so: Callable[[], bool]) -> None:
    for _ in range(1000):
        if so():
            return
        await asyncio.sleep(0.01)
        OwnTime.rested += 0.01
    pytest.fail("it never came to that")


def test_a_busy_event_loop_looks_for_no_garbage_until_it_has_time_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process, "time", OwnTime)

    async def story() -> None:
        async with process.short_pauses():
            assert gc.isenabled()
            end = time.monotonic() + 60
            while gc.isenabled() and time.monotonic() < end:  # nothing but work
                spent = time.thread_time()
                while time.thread_time() < spent + 0.01:
                    pass
                await asyncio.sleep(0)
            assert not gc.isenabled()
            frozen = gc.get_freeze_count()
            objects = [[number] for number in range(1000)]
            await until(gc.isenabled)
            assert gc.get_freeze_count() > frozen + len(objects) // 2  # others may have gone meanwhile

    asyncio.run(story())


def test_with_much_more_memory_everything_is_looked_through(monkeypatch: pytest.MonkeyPatch) -> None:
    size = 100

    async def story() -> None:
        nonlocal size
        async with process.short_pauses():
            Knot()
            gc.freeze()  # as after a busy time
            gc.collect()
            await asyncio.sleep(0.1)
            assert Knot.alive == 1
            size = 151
            await until(lambda: Knot.alive == 0)

    monkeypatch.setattr(process, "memory_pages", lambda: size)
    asyncio.run(story())


def test_a_busy_host_waits_longer_before_it_looks_through_everything() -> None:
    assert 1 < process.GROWN[False] < process.GROWN[True]


def test_turns_of_threads_are_short() -> None:
    async def story() -> None:
        async with process.short_pauses():
            assert sys.getswitchinterval() == pytest.approx(process.THREAD_TURN)

    assert sys.getswitchinterval() > process.THREAD_TURN
    asyncio.run(story())


def test_memory_grows_with_what_is_held_and_shrinks_again() -> None:
    before = process.memory_pages()
    with mmap.mmap(-1, 64 * 2**20) as held:  # not what Python has kept of earlier things
        held.write(b"x" * len(held))
        with_it = process.memory_pages()
    assert with_it > before > 0
    if process.MEMORY_STATUS.exists():  # elsewhere only the most there ever was is told
        assert process.memory_pages() < with_it


def test_where_the_system_has_no_such_file_memory_is_told_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process, "MEMORY_STATUS", Path("/no/such/file"))
    assert process.memory_pages() > 0
