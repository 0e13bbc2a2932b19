"""Feeds: what a table tells one guest, in order, to be read as fast as the guest can take it.

The table never waits for a reader. What a reader has not taken yet lies in its feed, up to a limit; beyond that the
feed ends with the reason "slow", and the reader comes back with the number of the last message it got.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from typing import Final

from . import messages as m
from .table import Guest

LONGEST: Final = 256
"""Messages that may wait for a reader, beside what it missed before it came."""


class Feed:
    """What one guest is told: `async for message in feed`. When that ends, `reason` says why.

    First a Hello, then the messages the guest has missed, then what happens. Reasons: "closed" by the reader, "slow",
    "kicked" (the seat is somebody else's now), "restarted" (the table was read again from its log; come back),
    "stopped" (the host closes).
    """

    def __init__(
        self,
        guest: Guest,
        hello: m.Hello,
        missed: Iterable[m.Messages] = (),
        gone: Callable[[Feed], None] | None = None,
        longest: int = LONGEST,
    ) -> None:
        self.guest = guest
        self.reason: str | None = None
        self.longest = longest
        self._before: Iterator[m.Messages] = iter((hello, *missed))
        self._waiting: deque[m.Messages] = deque()
        self._news = asyncio.Event()
        self._gone = gone

    def tell(self, messages: Iterable[m.Messages]) -> None:
        """Add messages. A reader that is too far behind is given up."""
        if self.reason is not None:
            return
        self._waiting.extend(messages)
        if len(self._waiting) > self.longest:
            self.close("slow")
        else:
            self._news.set()

    def close(self, reason: str = "closed") -> None:
        """End it; what was not read yet is dropped. A second call does nothing."""
        if self.reason is not None:
            return
        self.reason = reason
        self._before = iter(())
        self._waiting.clear()
        self._news.set()
        if self._gone is not None:
            self._gone(self)

    @property
    def waiting(self) -> int:
        """How many messages the reader has not taken yet, beside those it had missed."""
        return len(self._waiting)

    def __aiter__(self) -> Feed:
        return self

    async def __anext__(self) -> m.Messages:
        for message in self._before:
            return message
        while not self._waiting:
            if self.reason is not None:
                raise StopAsyncIteration
            self._news.clear()
            await self._news.wait()
        return self._waiting.popleft()
