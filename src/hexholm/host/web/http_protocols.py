"""Uvicorn's two protocols, requests and sockets, with what keeps strangers from holding or flooding them."""

from __future__ import annotations

import asyncio
from typing import Final

import h11
import msgspec
from uvicorn.protocols.http.h11_impl import H11Protocol
from websockets.frames import Frame, Opcode

from ..wire.host_refusals import Refusal
from .fast_socket import FastSocket
from .limits import Bucket, Rate

REQUEST_PATIENCE: Final = 20.0
"""Seconds for a request to arrive whole, head and body, from the opening of a connection or its own first byte."""
PINGS: Final = Rate(30, 5)
"""Heartbeats of a guest that are answered on one socket; more are a flood."""
MOST_FRAGMENTS: Final = 1_000
"""Frames that one message may come in; empty ones count for nothing where bytes are counted."""
FLOOD: Final = 1008


class RequestProtocol(H11Protocol):
    """Uvicorn's connections; one on which no request arrives is closed, else silent ones would use up all open files.

    Uvicorn itself only minds the time between an answer and the first byte of the next request.
    """

    _deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn has it
        """Somebody connects: the time for a request runs."""
        super().connection_made(transport)
        self._watch_deadline()

    def data_received(self, data: bytes) -> None:
        """Bytes of a request, of its last ones or of the next."""
        super().data_received(data)
        self._watch_deadline()

    def connection_lost(self, exc: Exception | None) -> None:
        """The guest is gone: no time runs."""
        super().connection_lost(exc)
        self._clear_deadline()

    def _watch_deadline(self) -> None:
        """The time runs while a request is not there whole, and more bytes of it give no more time."""
        is_socket = self.transport.get_protocol() is not self  # from now on
        if is_socket or self.conn.their_state not in (h11.IDLE, h11.SEND_BODY):
            self._clear_deadline()
        elif self._deadline is None:
            self._deadline = self.loop.call_later(REQUEST_PATIENCE, self.transport.close)

    def _clear_deadline(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None


TOO_LARGE: Final = msgspec.json.encode(Refusal.because("message_too_large").as_wire())
REFUSED_LINGER: Final = 3.0
"""Seconds in which the rest of a message that is too large is read and thrown away."""
REFUSED_IDLE: Final = 0.3
"""Seconds without any more of it after which it is thought to be over."""


class SocketProtocol(FastSocket):
    """Uvicorn's sockets; a message that is too large is refused in words before the connection is closed.

    What is still on its way is read and dropped for a moment: closing at once would reset the connection, and the
    sender would never read why.
    """

    def data_received(self, data: bytes) -> None:
        """Bytes from the guest; the rest of a message that was too large is dropped."""
        if self.close_sent and self.conn.parser_exc is not None:
            self._linger()
            return
        super().data_received(data)

    def handle_parser_exception(self) -> None:
        """A frame that cannot be taken; the library has made the frame that closes the connection."""
        close = self.conn.close_sent
        if self.handshake_complete and close is not None and close.code == 1009 and not self.transport.is_closing():
            self.transport.write(Frame(Opcode.TEXT, TOO_LARGE).serialize(mask=False))
            self.queue.put_nowait({"type": "websocket.disconnect", "code": close.code, "reason": close.reason})
            self.transport.write(b"".join(self.conn.data_to_send()))
            self.close_sent = True
            self.stop_keepalive()
            self._give_up = self.loop.time() + REFUSED_LINGER
            self._linger()
            if self.read_paused:
                self.read_paused = False
                self.transport.resume_reading()
            return
        super().handle_parser_exception()

    _give_up = 0.0

    def _linger(self) -> None:
        """Close when nothing more comes, or when it takes too long."""
        if self.close_timer is not None:
            self.close_timer.cancel()
        when = min(self.loop.time() + REFUSED_IDLE, self._give_up)
        self.close_timer = self.loop.call_at(when, self.transport.close)

    def handle_ping(self) -> None:
        """A heartbeat of the guest. Answers go around all limits, also to one who reads none of them."""
        if self.close_sent:
            return
        if self._pings is None:
            self._pings = Bucket(PINGS, self.loop.time())
        if self._pings.spend(self.loop.time()):
            super().handle_ping()
        else:
            self._end_flood("too many pings")

    def handle_cont(self, event: Frame) -> None:
        """One more frame of a message."""
        if len(self.frames) < MOST_FRAGMENTS:
            super().handle_cont(event)
        elif not self.close_sent:
            self._end_flood("too many frames for one message")

    _pings: Bucket | None = None

    def _end_flood(self, why: str) -> None:
        """Close, and do not wait for one who may never read why."""
        self.queue.put_nowait({"type": "websocket.disconnect", "code": FLOOD, "reason": why})
        self.conn.fail(FLOOD, why)
        self.transport.write(b"".join(self.conn.data_to_send()))
        self.close_sent = True
        self.stop_keepalive()
        self.transport.close()
        self.close_timer = self.loop.call_later(REFUSED_LINGER, self.transport.abort)

    def keepalive_timeout(self) -> None:
        """No answer to a ping: the application is told so before it is told that the guest is gone."""
        if not (self.close_sent or self.transport.is_closing()):
            self.queue.put_nowait({"type": "websocket.disconnect", "code": 1011, "reason": "silent"})
        super().keepalive_timeout()

    def eof_received(self) -> None:
        """The guest sends no more: nothing is left to wait for."""
        if self.close_timer is not None and self.close_sent:
            self.transport.close()
