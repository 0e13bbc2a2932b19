"""Uvicorn's two protocols, requests and sockets, with what keeps strangers from holding or flooding them."""

from __future__ import annotations

import asyncio
import re
from http import HTTPStatus
from typing import Any, Final

import h11
import msgspec
from h11._receivebuffer import ReceiveBuffer  # the library offers no other place to look at lines before it parses them
from uvicorn.protocols.http.flow_control import FlowControl
from uvicorn.protocols.http.h11_impl import H11Protocol
from websockets.frames import Frame, Opcode

from ...wire.host_refusals import Refusal
from ..admission.limits import Bucket, Rate
from .fast_socket import FastSocket

REQUEST_PATIENCE: Final = 20.0
"""Seconds for a request to arrive whole, head and body, from the opening of a connection or its own first byte."""
PORTION: Final = 4 * 1024
"""Bytes of a request that are taken apart in one turn of the event loop."""
LARGEST_HEAD: Final = 64 * 1024
"""Bytes of the first line and all headers of a request."""
MOST_HEADERS: Final = 100
"""Headers of a request, and trailers behind its body; each costs as much as hundreds of bytes. Browsers send 30."""
MOST_CHUNKS: Final = 256
"""Pieces in which the body of a request may come; each costs as much as hundreds of bytes."""
MOST_BODY: Final = 1024 * 1024
"""Bytes of a body that are read, most of them to be thrown away: whoever sends too much is to read the answer."""
PINGS: Final = Rate(30, 5)
"""Heartbeats of a guest that are answered on one socket; more are a flood."""
MOST_FRAGMENTS: Final = 1_000
"""Frames that one message may come in; empty ones count for nothing where bytes are counted."""
FRAMES_BESIDE: Final = Rate(1_000, 50)
"""Frames on one socket that bring no message: heartbeats and answers to them, pieces, what comes after the end.

Nobody answers these, so nothing else holds them up; messages wait until those before them are answered.
"""
FLOOD: Final = 1008


NO_REQUEST: Final = msgspec.json.encode(Refusal.because("unreadable", detail="it is no request, or too long").as_rest())


IN_NO_HEAD: Final = re.compile(rb"[\x00\x0b\x0c\r]")
"""What no line of a head may hold. The library finds that out in a time that grows with the square of the blanks."""


class TooManyHeaders(h11.RemoteProtocolError):
    """Each of them costs as much as hundreds of bytes."""


class LineReader(ReceiveBuffer):
    """What the library has received and not taken apart; a head that would cost too much is refused before that."""

    def maybe_extract_lines(self) -> list[bytearray] | None:
        """A first line with its headers, or trailers, if they are there whole. Raises h11.RemoteProtocolError."""
        lines = self._data.split(b"\n", MOST_HEADERS + 2)  # the last one is the rest
        if len(lines) > MOST_HEADERS + 2 and all(line.removesuffix(b"\r") for line in lines[:-1]):
            raise TooManyHeaders(f"a request can have at most {MOST_HEADERS} headers")
        whole = super().maybe_extract_lines()
        if whole and any(IN_NO_HEAD.search(line) for line in whole):
            raise h11.RemoteProtocolError("a head holds no control characters")
        return whole


class RequestReader(h11.Connection):
    """The library's side of a connection, which counts what a request brings: nobody may ever ask for its body."""

    def __init__(self) -> None:
        super().__init__(h11.SERVER, LARGEST_HEAD)
        self._receive_buffer = LineReader()
        self._chunks = self._body = 0
        self.refusal = HTTPStatus.BAD_REQUEST
        """What is answered to what cannot be taken."""

    def next_event(self) -> Any:
        """What comes next. Raises h11.RemoteProtocolError when it is too much."""
        try:
            event = super().next_event()
        except TooManyHeaders:
            self.refusal = HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE
            raise
        if isinstance(event, h11.Request):
            self._chunks = self._body = 0
        elif isinstance(event, h11.Data):
            self._chunks += event.chunk_start
            self._body += len(event.data)
            if self._chunks > MOST_CHUNKS or self._body > MOST_BODY:
                raise h11.RemoteProtocolError(f"a request can have at most {MOST_BODY} bytes in {MOST_CHUNKS} chunks")
        return event


class GentleFlow(FlowControl):
    """Uvicorn's control of a connection; when more may be read, what was read already comes first."""

    def resume_reading(self) -> None:
        """More may be read."""
        protocol = self._transport.get_protocol()
        if self.read_paused and isinstance(protocol, RequestProtocol):
            self.read_paused = False
            protocol.go_on_soon()


class RequestProtocol(H11Protocol):
    """Uvicorn's connections; one on which no request arrives is closed, else silent ones would use up all open files.

    Uvicorn itself only minds the time between an answer and the first byte of the next request. What arrives is taken
    apart in portions, one in each turn of the event loop, so that the smallest chunks hold up nobody.
    """

    conn: RequestReader
    _deadline: asyncio.TimerHandle | None = None
    _turn: asyncio.Handle | None = None

    def __init__(self, *how: Any, **more: Any) -> None:
        super().__init__(*how, **more)
        self.conn = RequestReader()
        self._unread = bytearray()

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn has it
        """Somebody connects: the time for a request runs."""
        super().connection_made(transport)
        self.flow = GentleFlow(transport)
        self._watch_deadline()

    def data_received(self, data: bytes) -> None:
        """Bytes of a request, of its last ones or of the next; they wait behind those that wait already."""
        if not self._unread and len(data) <= PORTION:
            self._take(data)
            return
        self._unread += data
        self.transport.pause_reading()
        self.go_on_soon()

    def connection_lost(self, exc: Exception | None) -> None:
        """The guest is gone: no time runs."""
        self._unread.clear()
        super().connection_lost(exc)
        self._clear_deadline()

    drained = 0
    """How often the guest has taken nearly all of what was too much to write more."""

    def resume_writing(self) -> None:
        """The guest has taken nearly all."""
        self.drained += 1
        super().resume_writing()

    @property
    def is_full(self) -> bool:
        """Whether nothing more can be written until the guest has taken some."""
        return self.flow.write_paused

    def _take(self, portion: bytes) -> None:
        super().data_received(portion)
        self._watch_deadline()

    def go_on_soon(self) -> None:
        """In another turn of the event loop: others have theirs first."""
        if self._turn is None:
            self._turn = self.loop.call_soon(self._go_on)

    def _go_on(self) -> None:
        """The next portion of what waits; when nothing does, the connection is read from again."""
        self._turn = None
        if self.transport.is_closing() or self._is_socket:  # before a socket is open nothing may be sent on it
            self._unread.clear()
        elif self.flow.read_paused:
            return
        elif self._unread:
            portion = bytes(self._unread[:PORTION])
            del self._unread[:PORTION]
            self._take(portion)
        if self._unread:
            self.go_on_soon()
        elif not self.flow.read_paused:
            self.transport.resume_reading()

    @property
    def _is_socket(self) -> bool:
        """Whether a socket has taken the connection over."""
        return self.transport.get_protocol() is not self

    def send_400_response(self, msg: str) -> None:  # noqa: ARG002  # as uvicorn has it
        """What came is no request, or brings too much: say so in the one shape of errors, if there is still time."""
        self._unread.clear()
        cycle: Any = self.cycle  # None before the first request, whatever uvicorn says
        if cycle is not None and not cycle.response_complete:
            cycle.disconnected = True  # what is being worked out for it has nowhere to go
        if self.conn.our_state in (h11.IDLE, h11.SEND_RESPONSE):
            refusal = self.conn.refusal
            headers = [(b"content-type", b"application/json"), (b"connection", b"close")]
            headers.append((b"content-length", b"%d" % len(NO_REQUEST)))
            for event in (
                h11.Response(status_code=refusal, headers=headers, reason=refusal.phrase.encode()),
                h11.Data(NO_REQUEST),
                h11.EndOfMessage(),
            ):
                self.transport.write(self.conn.send(event))
        self.transport.close()

    def _watch_deadline(self) -> None:
        """The time runs while a request is not there whole, and more bytes of it give no more time."""
        if self._is_socket or self.conn.their_state not in (h11.IDLE, h11.SEND_BODY):
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
            self._count_beside()
            return
        if self._pings is None:
            self._pings = Bucket(PINGS, self.loop.time())
        if self._pings.spend(self.loop.time()):
            super().handle_ping()
        else:
            self._end_flood("too many pings")

    def handle_pong(self, event: Frame) -> None:
        """The answer to a heartbeat of ours, or to none."""
        self._count_beside()
        super().handle_pong(event)

    def handle_text(self, event: Frame) -> None:
        """A message, or the first piece of one."""
        if self.close_sent or not event.fin:
            self._count_beside()
        super().handle_text(event)

    def handle_bytes(self, event: Frame) -> None:
        """A message, or the first piece of one."""
        if self.close_sent or not event.fin:
            self._count_beside()
        super().handle_bytes(event)

    def handle_cont(self, event: Frame) -> None:
        """One more frame of a message."""
        self._count_beside()
        if len(self.frames) < MOST_FRAGMENTS:
            super().handle_cont(event)
        elif not self.close_sent:
            self._end_flood("too many frames for one message")

    _pings: Bucket | None = None
    _beside: Bucket | None = None

    def _count_beside(self) -> None:
        """Count a frame that brings no message."""
        if self._beside is None:
            self._beside = Bucket(FRAMES_BESIDE, self.loop.time())
        if self._beside.spend(self.loop.time()):
            return
        if self.close_sent:
            self.transport.abort()
        else:
            self._end_flood("too many frames")

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
