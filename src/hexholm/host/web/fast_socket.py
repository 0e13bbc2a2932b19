"""The short way out of a socket: frames that are encoded once go straight into the connection.

What a table tells is the same bytes for all who look with the same eyes. Through ASGI every message to every guest
would be encoded, framed and passed through five layers again, in a task that has to be woken for it; that was half the
work of the server. So a socket offers itself to the application as an extension of ASGI. Under another server there is
none, and messages take the usual way.
"""

from __future__ import annotations

from typing import Any, Final

from starlette.requests import HTTPConnection
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from ..tables.light_event import LightEvent

EXTENSION: Final = "hexholm.pipe"
MESSAGES_AHEAD: Final = 4
"""Messages of a guest that are read before the first of them is answered; more wait in the guest's own machine."""


def fast_socket_of(socket: HTTPConnection) -> FastSocket | None:
    """The short way out of a socket, if its server has one."""
    fast_socket: FastSocket | None = socket.scope.get("extensions", {}).get(EXTENSION, {}).get("pipe")
    return fast_socket


class ShortQueue:
    """What a socket has read and nobody has taken yet; one takes it. In a tenth of the memory of asyncio's queues."""

    __slots__ = ("_items", "_news")

    def __init__(self) -> None:
        self._items: list[Any] = []
        self._news = LightEvent()

    def put_nowait(self, item: Any) -> None:
        """One more."""
        self._items.append(item)
        self._news.set()

    async def get(self) -> Any:
        """The first, once there is one."""
        while not self._items:
            self._news.clear()
            await self._news.wait()
        return self._items.pop(0)

    def empty(self) -> bool:
        """Whether there is none."""
        return not self._items

    def qsize(self) -> int:
        """How many there are."""
        return len(self._items)


class FastSocket(WebSocketsSansIOProtocol):
    """Uvicorn's sockets with that way out, and with less memory for one that is silent."""

    def __init__(self, *how: Any, **more: Any) -> None:
        super().__init__(*how, **more)
        self.queue = ShortQueue()  # type: ignore[assignment]
        self.writable = LightEvent(is_set=True)  # type: ignore[assignment]

    async def run_asgi(self) -> None:
        """Serve the socket."""
        self.scope["extensions"][EXTENSION] = {"pipe": self}
        await super().run_asgi()

    async def send(self, message: Any) -> None:
        """From the application. A refusal that was sent as an answer of HTTP is an end, not a failure to be logged."""
        await super().send(message)
        if message["type"] == "websocket.accept":  # what was said in HTTP is over
            self.request.headers.clear()
            self.response.headers.clear()
        if self.initial_response is not None and self.close_sent:
            self.handshake_complete = True

    @property
    def ready(self) -> bool:
        """Whether the guest takes what is written."""
        return self.writable.is_set() and self._open

    @property
    def _open(self) -> bool:
        return self.handshake_complete and not (self.disconnected or self.close_sent or self.transport.is_closing())

    def push(self, frames: bytes) -> bool:
        """Write whole frames; False if the connection is at its end. Never waits: look at `ready` before."""
        if self._open:
            self.transport.write(frames)
        return self._open

    async def wait_until_drained(self) -> None:
        """Until the guest has taken most of what was written, or is gone."""
        await self.writable.wait()

    def send_receive_event_to_app(self) -> None:
        """A whole message. Uvicorn stops and starts reading for each of them; here a few may lie in the queue."""
        if self.read_paused or self.queue.qsize() >= MESSAGES_AHEAD:
            super().send_receive_event_to_app()
            return
        self.read_paused = True  # so it seems, and is left alone
        super().send_receive_event_to_app()
        self.read_paused = False
