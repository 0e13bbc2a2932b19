"""Who takes nothing of what is sent to them is cut off: an answer that nobody reads would hold its connection for ever.

A connection that is closed is only gone when all that was written to it has been taken, so closing it is no end either.
Progress counts, not speed: a slow line that takes a little in every minute keeps its connection.
"""

from __future__ import annotations

import asyncio
import contextlib
import socket
import struct
from collections.abc import AsyncIterator, Callable, Collection
from typing import Final, NamedTuple

from .http_protocols import RequestProtocol, SocketProtocol

LOOK_FOR_UNREAD_EVERY: Final = 5.0
"""Seconds between two looks at all connections."""
LOOKED_AT_ONCE: Final = 500
"""Connections that are looked at in one turn of the event loop."""
SENDING_PATIENCE: Final = 60.0
"""Seconds for a guest to take at least `SLOWEST` in each of what waits for it."""
SLOWEST: Final = 1024
"""Bytes a second."""
CLOSED_PATIENCE: Final = 10.0
"""Seconds for a guest to take what was written to a socket before it was closed."""
AnyProtocol = RequestProtocol | SocketProtocol


class UnreadAnswer(NamedTuple):
    """What waited for a guest when it was first seen to wait."""

    since: float
    size: int
    drained: int
    """How often the guest had taken nearly all before."""
    at_end: bool
    """Whether the connection was closed already."""


class UnreadAnswers:
    """What waits for whom, from one look to the next."""

    def __init__(self) -> None:
        self._waiting: dict[AnyProtocol, UnreadAnswer] = {}

    def check(self, connection: AnyProtocol, now: float) -> bool:
        """Look at a connection; whether it was given up."""
        transport = connection.transport
        size, at_end = transport.get_write_buffer_size(), transport.is_closing()
        if not size or not (at_end or connection.is_full):
            self._waiting.pop(connection, None)
            return False
        before = self._waiting.get(connection)
        if before is None or before.drained != connection.drained or before.at_end != at_end:
            self._waiting[connection] = UnreadAnswer(now, size, connection.drained, at_end)
            return False
        seconds = now - before.since
        if at_end and isinstance(connection, SocketProtocol):
            is_over = seconds >= CLOSED_PATIENCE
        else:
            is_over = seconds >= SENDING_PATIENCE and before.size - size < SLOWEST * seconds
        if is_over:
            del self._waiting[connection]
            give_up(transport)
        return is_over

    def keep_only(self, connections: Collection[object]) -> None:
        """Drop those that are gone."""
        for connection in [connection for connection in self._waiting if connection not in connections]:
            del self._waiting[connection]


def give_up(transport: asyncio.Transport) -> None:
    """End a connection now, and throw away what the system keeps for it too."""
    if (line := transport.get_extra_info("socket")) is not None:
        with contextlib.suppress(OSError):
            line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    transport.abort()


@contextlib.asynccontextmanager
async def cut_off_unread(connections: Collection[object], count: Callable[[], None]) -> AsyncIterator[None]:
    """Look at all connections again and again; `count` each that was given up."""

    async def watch() -> None:
        loop, answers = asyncio.get_running_loop(), UnreadAnswers()
        while True:
            await asyncio.sleep(LOOK_FOR_UNREAD_EVERY)
            answers.keep_only(connections)
            for number, connection in enumerate(list(connections)):
                if isinstance(connection, RequestProtocol | SocketProtocol) and answers.check(connection, loop.time()):
                    count()
                if number % LOOKED_AT_ONCE == LOOKED_AT_ONCE - 1:
                    await asyncio.sleep(0)

    task = asyncio.create_task(watch(), name="unread answers")
    try:
        yield
    finally:
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task
