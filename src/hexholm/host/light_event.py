"""An event as asyncio has them, in a tenth of the memory: every socket has several, and there are ten thousand."""

from __future__ import annotations

import asyncio


class LightEvent:
    """Something that tasks wait for. Most of the time nobody does, or one."""

    __slots__ = ("_is_set", "_waiters")

    def __init__(self, *, is_set: bool = False) -> None:
        self._is_set = is_set
        self._waiters: list[asyncio.Future[None]] = []

    def is_set(self) -> bool:
        """Whether nobody has to wait."""
        return self._is_set

    def set(self) -> None:
        """Wake all who wait."""
        self._is_set = True
        waiters, self._waiters = self._waiters, []
        for waiter in waiters:
            if not waiter.done():
                waiter.set_result(None)

    def clear(self) -> None:
        """Have those who come wait."""
        self._is_set = False

    async def wait(self) -> None:
        """Until it is set."""
        if self._is_set:
            return
        waiter = asyncio.get_running_loop().create_future()
        self._waiters.append(waiter)
        try:
            await waiter
        finally:
            if waiter in self._waiters:  # given up
                self._waiters.remove(waiter)
