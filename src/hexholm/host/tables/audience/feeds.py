"""Feeds: what a table tells one guest, in order, to be read as fast as the guest can take it.

The table never waits for a reader. What a reader has not taken yet lies in its feed, up to a limit; beyond that the
feed ends with the reason "slow", and the reader comes back with the number of the last message it got.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from itertools import islice
from typing import Final, Literal, Self

from ...light_event import LightEvent
from ...wire import messages
from ...wire.frames import frame_messages
from ..seats import Guest

FeedEnd = Literal["closed", "slow", "kicked", "private", "restarted", "reset", "stopped"]
"""Why a feed ended: its reader closed it, or was too slow; the seat is somebody else's now; from now on only those at
the table may look; the table was read again from its log (come back), or something was removed there (come back, and
forget what you heard); the host closes."""
MOST_WAITING: Final = 256
"""Messages that may wait for a reader, beside what it missed before it came."""
MISSED_AT_ONCE: Final = 128
"""Missed messages that are written together: so much lies in memory for each who takes it slowly."""
MANY_MESSAGES: Final = 32
"""More of them are encoded in a thread, beside the event loop."""


class Bundle(tuple[messages.TableMessage, ...]):  # noqa: SLOT001  # it keeps what was encoded
    """Messages that are told together. All feeds of the same eyes get one and the same, so it is encoded once."""

    @cached_property
    def frames(self) -> bytes:
        """As they go over a socket."""
        return frame_messages(self)

    def encoded(self) -> Self:
        """The same, with its frames made already."""
        _ = self.frames
        return self

    async def frames_beside_loop(self) -> bytes:
        """The frames, made in a thread where that takes long."""
        return self.frames if len(self) <= MANY_MESSAGES else await asyncio.to_thread(frame_messages, self)


class Feed:
    """What one guest is told: `async for message in feed`. When that ends, `reason` says why.

    First a Hello, then the messages the guest has missed, then what happens.
    """

    def __init__(
        self,
        guest: Guest,
        hello: messages.Hello,
        missed: Iterable[messages.TableMessage] = (),
        on_close: Callable[[Feed], None] | None = None,
        longest: int = MOST_WAITING,
    ) -> None:
        self.guest = guest
        self.reason: FeedEnd | None = None
        self.longest = longest
        self._push: Callable[[Bundle], bool] | None = None
        self._before: Iterator[messages.TableMessage] = iter((hello, *missed))
        self._waiting: list[Bundle] = []  # few, and most of the time none: a deque of none takes ten times as much
        self._part: list[messages.TableMessage] = []
        self._idle = False  # the reader has all that was told, and waits for more
        self._news = LightEvent()
        self._on_close = on_close

    def push_by(self, push: Callable[[Bundle], bool]) -> None:
        """A shorter way to a reader who has all that was told so far and waits; it may say no."""
        self._push = push

    def tell(self, new_messages: Iterable[messages.TableMessage]) -> None:
        """Add messages. A reader that is too far behind is given up."""
        if self.reason is not None:
            return
        bundle = new_messages if isinstance(new_messages, Bundle) else Bundle(new_messages)
        if self._idle and not self._waiting and self._push is not None and self._push(bundle):
            return
        self._waiting.append(bundle)
        if self.unread > self.longest:
            self.close("slow")
        else:
            self._news.set()

    def close(self, reason: FeedEnd = "closed") -> None:
        """End it; what was not read yet is dropped. A second call does nothing more."""
        self._before = iter(())
        self._waiting.clear()
        self._part.clear()
        self.finish(reason)

    def finish(self, reason: FeedEnd) -> None:
        """Tell nothing more; what was told before can still be read. A second call does nothing."""
        if self.reason is not None:
            return
        self.reason = reason
        self._news.set()
        if self._on_close is not None:
            self._on_close(self)

    @property
    def is_idle(self) -> bool:
        """Whether its reader has all that was told, and waits for more."""
        return self._idle

    @property
    def unread(self) -> int:
        """How many messages the reader has not taken yet, beside those it had missed."""
        return sum(map(len, self._waiting)) + len(self._part)

    async def bundle(self) -> Bundle | None:
        """The next messages, as many as were told together; None at the end."""
        self._idle = False
        if missed := Bundle(islice(self._before, MISSED_AT_ONCE)):
            return missed
        while not self._waiting:
            if self.reason is not None:
                return None
            self._news.clear()
            self._idle = True
            await self._news.wait()
        self._idle = False
        return self._waiting.pop(0)

    def __aiter__(self) -> Feed:
        return self

    async def __anext__(self) -> messages.TableMessage:
        while not self._part:
            bundle = await self.bundle()
            if bundle is None:
                raise StopAsyncIteration
            self._part.extend(bundle)
        return self._part.pop(0)
