"""The short way out of a socket: frames that are encoded once go straight into the connection.

What a table tells is the same bytes for all who look with the same eyes. Through ASGI every message to every guest
would be encoded, framed and passed through five layers again, in a task that has to be woken for it; that was half the
work of the server. So a socket offers itself to the application as an extension of ASGI. Under another server there is
none, and messages take the usual way.

What a guest sends is taken apart frame by frame, a few in one turn of the event loop and no more than can be kept. The
rest stays bytes, and the connection is not read from until it has had its turn.
"""

from __future__ import annotations

import asyncio
from typing import Any, Final

from starlette.requests import HTTPConnection
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame, Opcode
from websockets.server import ServerProtocol

from ...light_event import LightEvent

EXTENSION: Final = "hexholm.fast_socket"
MESSAGES_AHEAD: Final = 4
"""Messages of a guest that are read before the first of them is answered; more wait in the guest's own machine."""
FRAMES_AT_ONCE: Final = 32
"""Frames of a guest that are taken apart in one turn of the event loop."""
ENDLESS: Final = 10**9


def fast_socket_of(socket: HTTPConnection) -> FastSocket | None:
    """The short way out of a socket, if its server has one."""
    fast_socket: FastSocket | None = socket.scope.get("extensions", {}).get(EXTENSION, {}).get("fast_socket")
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

    def clear(self) -> None:
        """Drop all."""
        self._items.clear()


class FrameReader(ServerProtocol):
    """The library's side of a socket that stops after so many frames or messages: what is left of the bytes waits."""

    __slots__ = ("frames_left", "messages_left", "unread")

    def __init__(self, **how: Any) -> None:
        super().__init__(**how)
        self.unread = bytearray()
        """Bytes that were received and wait for their turn."""
        self.frames_left = self.messages_left = ENDLESS

    def recv_frame(self, frame: Frame) -> None:
        """One frame; after the last one of this turn the parser is left without bytes."""
        super().recv_frame(frame)
        self.frames_left -= 1
        if frame.fin and frame.opcode in (Opcode.TEXT, Opcode.BINARY, Opcode.CONT):
            self.messages_left -= 1
        if (self.frames_left <= 0 or self.messages_left <= 0) and self.reader.buffer:
            self.unread, self.reader.buffer = self.reader.buffer, self.unread

    def take_unread(self) -> None:
        """Give the parser what waits, in place: copying it for each turn would cost more than the frames."""
        self.unread, self.reader.buffer = self.reader.buffer, self.unread


class FastSocket(WebSocketsSansIOProtocol):
    """Uvicorn's sockets with that way out, and with less memory for one that is silent."""

    conn: FrameReader

    def __init__(self, *how: Any, **more: Any) -> None:
        super().__init__(*how, **more)
        self.conn = FrameReader(max_size=self.config.ws_max_size, logger=self.logger)
        self.queue = ShortQueue()  # type: ignore[assignment]
        self.writable = LightEvent(is_set=True)  # type: ignore[assignment]

    async def run_asgi(self) -> None:
        """Serve the socket."""
        self.scope["extensions"][EXTENSION] = {"fast_socket": self}
        try:
            await super().run_asgi()
        finally:
            self.queue.clear()  # type: ignore[attr-defined]  # nobody takes it any more

    async def send(self, message: Any) -> None:
        """From the application. A refusal that was sent as an answer of HTTP is an end, not a failure to be logged."""
        await super().send(message)
        if message["type"] == "websocket.accept":  # what was said in HTTP is over
            self.request.headers.clear()
            self.response.headers.clear()
        if self.initial_response is not None and self.close_sent:
            self.handshake_complete = True
        if self.close_sent and self.conn.unread:  # the guest's own end may be in it
            self._pause_reading()
            self._go_on_soon()

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

    drained = 0
    """How often the guest has taken nearly all of what was too much to write more."""

    def resume_writing(self) -> None:
        """The guest has taken nearly all."""
        self.drained += 1
        super().resume_writing()

    @property
    def is_full(self) -> bool:
        """Whether nothing more can be written until the guest has taken some."""
        return not self.writable.is_set()

    async def wait_until_drained(self) -> None:
        """Until the guest has taken most of what was written, or is gone."""
        await self.writable.wait()

    # --- reading ---------------------------------------------------------------------------------------------------

    _turn: asyncio.Handle | None = None

    def data_received(self, data: bytes) -> None:
        """Bytes from the guest; they wait behind those that wait already."""
        if self.conn.unread:
            self.conn.unread += data
            self._pause_reading()
            self._go_on_soon()
        else:
            self._read_turn(data)

    async def receive(self) -> Any:
        """The next message; when the last of them is taken, those that wait are looked at."""
        message = await self.queue.get()
        if self.queue.empty():
            self._go_on_soon()
        return message

    def send_receive_event_to_app(self) -> None:
        """A whole message. Uvicorn stops and starts reading for each of them; here a few may lie in the queue."""
        paused, self.read_paused = self.read_paused, True  # so it seems, and reading is left alone
        super().send_receive_event_to_app()
        self.read_paused = paused

    def connection_lost(self, exc: Exception | None) -> None:
        """The guest is gone, and what it left unread with it."""
        self.conn.unread.clear()
        super().connection_lost(exc)

    def _read_turn(self, data: bytes) -> None:
        """One turn: a few frames, and no more messages than there is room for."""
        self.conn.frames_left = FRAMES_AT_ONCE
        self.conn.messages_left = ENDLESS if self.close_sent else MESSAGES_AHEAD - self.queue.qsize()
        super().data_received(data)
        if self.conn.unread or self._is_full:
            self._pause_reading()
            self._go_on_soon()

    @property
    def _is_full(self) -> bool:
        """Whether nothing more may be read before something was taken; after the end all is read and dropped."""
        return self.queue.qsize() >= MESSAGES_AHEAD and not self.close_sent

    def _pause_reading(self) -> None:
        self.read_paused = True
        self.transport.pause_reading()

    def _go_on_soon(self) -> None:
        """In another turn of the event loop: others have theirs first."""
        if self.read_paused and self._turn is None and not self._is_full:
            self._turn = self.loop.call_soon(self._go_on)

    def _go_on(self) -> None:
        """The next turn of what waits; when nothing does, the connection is read from again."""
        self._turn = None
        if self.transport.is_closing():
            self.conn.unread.clear()
            return
        if self.conn.unread:
            self.conn.take_unread()
            self._read_turn(b"")
        if not (self.conn.unread or self._is_full):
            self.read_paused = False
            self.transport.resume_reading()
