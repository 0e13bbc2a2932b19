"""The socket of a table, /ws/tables/{id}: a greeting, then commands one way and messages the other.

Each connection has one reader and one writer. The reader takes a command, waits for the table's answer and sends it
before it takes the next one, so a flood waits in the sender's own machine. What a table tells goes straight to a guest
who has all so far (:mod:`.transport.fast_socket`). Where it cannot, the writer empties the guest's feed as fast as the
guest takes it; the feed itself is bounded, and who falls behind is cut off and comes back with its last number.
"""

from __future__ import annotations

import asyncio
import contextlib
import re
from time import perf_counter
from typing import Any, Final, Literal, NamedTuple

import msgspec
from starlette.types import Receive, Scope, Send
from starlette.websockets import WebSocket, WebSocketDisconnect

from ..light_event import LightEvent
from ..storage.values import guest_mark
from ..tables.audience.feeds import Bundle, Feed, FeedEnd
from ..tables.running.runner import TableRunner
from ..tables.seats import Guest
from ..wire import messages
from ..wire.api import Greeting, Incoming, Outgoing, Ping, Pong
from ..wire.frames import encode, frame_messages
from ..wire.host_refusals import Declined, Refusal
from .admission.connections import urgency_of
from .admission.counted_origin import counted_network
from .admission.floods import CrowdTooFast, TooFast
from .admission.limits import Bucket
from .admission.socket_slots import SocketSlot
from .context import Context
from .error_fields import error_fields
from .rest.responses import refusal_response
from .transport.fast_socket import FastSocket, fast_socket_of

ADDRESS: Final = re.compile(r"/ws/tables/([^/]+)")
CROWDED_WAIT: Final = 1.0
"""Seconds until a command is refused that is one too many for its address or network."""
MESSAGES_OF_READING: Final = 500
"""Missed messages that count as one more request of the address."""
GONE_AWAY: Final = 1001
INTERNAL: Final = 1011
TRY_AGAIN: Final = 1013
RESTARTING: Final = 1012
RESET: Final = 4205
SocketEnd = Literal["left", "slow", "kicked", "private", "stopped", "flood", "too large", "broken", "silent", "failed"]
"""Why a connection ended, for operators."""
FEED_ENDS: Final[dict[FeedEnd, tuple[int, str, SocketEnd]]] = {
    "closed": (GONE_AWAY, "closed", "stopped"),
    "slow": (TRY_AGAIN, "you fell behind; come back and resume", "slow"),
    "kicked": (4403, "the seat is no longer yours", "kicked"),
    "private": (4403, "from now on only those at the table may look", "private"),
    "restarted": (RESTARTING, "come back and resume", "stopped"),
    "reset": (RESET, "something was removed; come back and begin anew", "stopped"),
    "stopped": (RESTARTING, "the server stops; come back and resume", "stopped"),
}
"""How a socket is closed, by the reason for which its feed ended: the code, the words, and what operators are told."""
ENDS_BY_PROTOCOL: Final[dict[int, SocketEnd]] = {
    1002: "broken",
    1007: "broken",
    1008: "flood",
    1009: "too large",
    1011: "silent",
}
"""By the code of the connection itself: frames that are none, or are too large, and no answer to pings."""

_greeting: Final = msgspec.json.Decoder(Greeting).decode
_incoming: Final = msgspec.json.Decoder(Incoming).decode
PONG: Final = Pong()
UNREADABLE: Final = (msgspec.MsgspecError, UnicodeDecodeError, RecursionError)


class CloseConnection(Exception):
    """End the connection with this code, and count it as this end."""

    def __init__(self, code: int, reason: str, end: SocketEnd) -> None:
        super().__init__(reason)
        self.code, self.reason, self.end = code, reason, end


class CommandAnswer(NamedTuple):
    """What is answered to something that was sent."""

    tag: str
    """Of the command, for operators."""
    message: messages.Done | messages.Refused | messages.WhyAnswer | Pong
    is_noise: bool = False
    """Whether it was no command, or one too many: that tries our patience."""
    is_late: bool = False
    """Whether it is told a while later, as too much comes from the address or its network."""


class Sockets:
    """The socket side of a server."""

    def __init__(self, context: Context) -> None:
        self.context = context

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One socket, from the middleware: past the router, whose layers every open socket would keep in memory."""
        socket, table = WebSocket(scope, receive, send), ADDRESS.fullmatch(scope["path"])
        if table is None:
            await socket.send_denial_response(refusal_response(Refusal.because("no_such_address")))
        else:
            await self.endpoint(socket, table[1])

    async def endpoint(self, socket: WebSocket, table_id: str) -> None:
        """One connection from its beginning to its end."""
        context = self.context
        guest_id, address = context.guest_id_of(socket)[0], context.address(socket)
        await socket.accept()
        socket.scope["headers"].clear()  # nobody asks for them any more
        connection = Connection(context, socket, guest_id, fast_socket_of(socket))
        if (refusal := context.sanctions.why_banned(guest_id, address, by_cookie=True)) is not None:
            await connection.turn_away(refusal)
            return
        if not context.buckets["reading"].spend(
            address
        ):  # else a new connection would be a way around the limits of the old one
            await connection.turn_away(Refusal.because("connecting_too_often"))
            return
        try:
            with (
                context.connections.of_socket(connection.slot, address, guest_id),
                context.metrics.sockets.track_inprogress(),
            ):
                await connection.run(table_id)
        except Declined as error:
            await connection.turn_away(error.refusal)


class Connection:
    """One guest on one socket."""

    def __init__(self, context: Context, socket: WebSocket, guest_id: str, fast: FastSocket | None = None) -> None:
        self.context, self.socket, self.guest_id, self.fast = context, socket, guest_id, fast
        self.limits = context.settings.limits
        self.bucket = Bucket(self.limits.connection, perf_counter())
        self.patience = self.limits.patience
        self.ended_as: SocketEnd = "left"
        self._held_frames: list[bytes] | None = None
        """While a command waits for its answer: what was told meanwhile, to go out with the answer in one piece."""
        self._answered = LightEvent(is_set=True)  # every command that was read
        self.address = context.address(socket)
        self.slot = SocketSlot(counted_network(self.address), self.dismiss)
        self._feed: Feed | None = None
        self._dismissal: Refusal | None = None
        self._greeting_time: asyncio.Timeout | None = None

    @property
    def guest_ids(self) -> tuple[str, ...]:
        """The guest of its cookie, and that of its seat."""
        return (self.guest_id,) if self._feed is None else (self.guest_id, self._feed.guest.id)

    def dismiss(self, refusal: Refusal) -> None:
        """Say why, and close."""
        self._dismissal = refusal
        if self._feed is not None:
            self._feed.close("kicked")
        elif self._greeting_time is not None:
            with contextlib.suppress(RuntimeError):  # it is over by itself
                self._greeting_time.reschedule(0)

    async def run(self, table_id: str) -> None:
        """Greet, then read and write until one of both ends."""
        try:
            runner, feed = await self._greet(table_id)
        except Declined as error:
            await self.turn_away(error.refusal)
            return
        except (WebSocketDisconnect, TimeoutError, CloseConnection):
            if self._dismissal is not None:
                await self.turn_away(self._dismissal)
            else:
                await self._close(4408, "say hello first")
            return
        self._feed = feed
        self.context.sanctions.connections.add(self)
        color = feed.guest.color
        if color is not None:
            self.context.hall.services.census.record_look(runner.table.id, color, counted_network(self.address))
        logger = self.context.logger.bind(
            table=runner.table.id, seat=color or "public", guest=guest_mark(self.guest_id)
        )
        brake = self.context.public_log_brake if color is None else self.context.seat_log_brake
        if (left_out := brake.count_line()) is not None:
            logger.info("socket opened", **({"left_out": left_out} if left_out else {}))
        reader = asyncio.create_task(self._read(runner, feed.guest))
        writer = asyncio.create_task(self._write(feed))
        try:
            await asyncio.wait((reader, writer), return_when=asyncio.FIRST_COMPLETED)
            if not reader.done():  # who gives up its seat is still told that it has
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(1):
                        await self._answered.wait()
            # The one that has ended says why; the other is ended now. If both have, the reader's word counts.
            ended_task = reader if reader.done() else writer
            await self._end(ended_task, logger)
        finally:
            self.context.sanctions.connections.discard(self)
            feed.close()
            for task in (reader, writer):
                task.cancel()
            await asyncio.gather(reader, writer, return_exceptions=True)
            self.context.metrics.closed.labels(self.ended_as).inc()
            if left_out is not None:  # both lines of a socket, or none
                logger.info("socket closed", why=self.ended_as)

    async def turn_away(self, refusal: Refusal) -> None:
        """Say why not, and close."""
        self.context.metrics.turned_away.labels(refusal.code).inc()
        try:
            async with asyncio.timeout(1):  # who reads nothing must not hold a socket for it
                await self._send(refusal.as_wire())
        except (WebSocketDisconnect, CloseConnection, TimeoutError):
            return
        await self._close(4000 + refusal.status, refusal.message)

    # --- the greeting --------------------------------------------------------------------------------------------

    async def _greet(self, table_id: str) -> tuple[TableRunner, Feed]:
        seconds = self.limits.greeting_seconds / (4 if self.slot.is_reserved else 1)
        try:
            async with asyncio.timeout(seconds) as self._greeting_time:
                raw = await self._receive()
        finally:
            self._greeting_time = None
        try:
            hello = _greeting(raw)
        except UNREADABLE as error:
            raise Declined.because("say_hello", detail=str(error)) from error
        if hello.protocol != messages.PROTOCOL_VERSION:
            raise Declined.because("other_protocol", ours=messages.PROTOCOL_VERSION, yours=hello.protocol)
        runner = await self.context.table_runner(table_id, self.address, self.guest_id, hello.token)
        guest = self.context.identify(runner, hello.token, self.guest_id, self.address)
        urgency = urgency_of(runner, guest)
        self.context.shedding.check(urgency)
        seat = None if guest.color is None else (runner.table.id, guest.color)
        self.context.connections.admit(self.slot, urgency, guest.id, seat)
        self.context.table_setup.see_creator(runner, guest.id, self.address)
        if hello.since is not None:  # else one address could have a long game told to it again and again
            n_missed = len(runner.table.by_eyes[guest.color].stream) - max(0, hello.since)
            self.context.spend("reading", self.address, max(0, n_missed) / MESSAGES_OF_READING)
        feed = runner.feed(guest, hello.since)
        how = "watching" if guest.color is None else "playing"
        self.context.metrics.opened.labels(how if hello.since is None else f"{how} again").inc()
        return runner, feed

    # --- reading -------------------------------------------------------------------------------------------------

    async def _read(self, runner: TableRunner, guest: Guest) -> None:
        while True:
            raw = await self._receive()
            began = perf_counter()
            self._answered.clear()
            self._held_frames = []
            answer = await self._answer(runner, guest, raw)
            if answer.is_late:  # else many sockets could keep us busy with being refused
                self._held_frames = None
                await asyncio.sleep(CROWDED_WAIT)
                began = perf_counter()
            await self._send(answer.message)
            self._answered.set()
            if isinstance(answer.message, Pong):
                continue
            result = answer.message.code if isinstance(answer.message, messages.Refused) else "done"
            self.context.metrics.commands.inc(1, answer.tag, result)
            self.context.metrics.command_seconds.observe(perf_counter() - began)
            if answer.is_noise:
                self.patience -= 1
                if self.patience <= 0:
                    raise CloseConnection(1008, "too much that cannot be taken", "flood")

    async def _answer(self, runner: TableRunner, guest: Guest, raw: str | bytes) -> CommandAnswer:
        try:
            incoming: Any = _incoming(raw)
        except UNREADABLE as error:
            refused = Refusal.because("unreadable", detail=str(error)).as_wire(_command_id(raw))
            return CommandAnswer("unreadable", refused, is_noise=True, is_late=self._is_crowded_rubbish())
        tag = str(incoming.__struct_config__.tag)
        context, sender_id, address = self.context, self.guest_id, self.address
        try:
            match incoming:
                case Ping():
                    context.count_message(sender_id, address, self.bucket)
                    return CommandAnswer(tag, PONG)
                case messages.Why():
                    answer = await context.why(
                        runner, guest, incoming, sender_id=sender_id, address=address, connection=self.bucket
                    )
                    return CommandAnswer(tag, answer)
                case command:
                    size = len(raw)
                    done = await context.carry_out(
                        runner, guest, command, sender_id=sender_id, address=address, size=size, connection=self.bucket
                    )
                    return CommandAnswer(tag, done)
        except TooFast as error:
            refused = error.refusal.as_wire(getattr(incoming, "id", None))
            return CommandAnswer("flood", refused, is_noise=True, is_late=isinstance(error, CrowdTooFast))
        except Declined as error:
            return CommandAnswer(tag, error.refusal.as_wire(incoming.id))

    def _is_crowded_rubbish(self) -> bool:
        """Count what nobody can read; whether it is one too many of its address or network."""
        try:
            self.context.count_message(self.guest_id, self.address, self.bucket)
        except TooFast as error:
            return isinstance(error, CrowdTooFast)
        return False

    async def _receive(self) -> str | bytes:
        # From the fast socket itself: the layers between look at each message again.
        message = await (self.socket.receive() if self.fast is None else self.fast.receive())
        if message["type"] != "websocket.receive":
            raise WebSocketDisconnect(message.get("code", GONE_AWAY))
        text: str | None = message.get("text")
        raw: str | bytes = message.get("bytes") or b"" if text is None else text
        if len(raw) > self.limits.frame:
            raise CloseConnection(1009, f"a message has at most {self.limits.frame} bytes", "too large")
        return raw

    # --- writing -------------------------------------------------------------------------------------------------

    async def _write(self, feed: Feed) -> None:
        if self.fast is not None:
            feed.push_by(self._push_at_once)
        while await self._write_some(feed):  # which, being done, holds nothing of it any more
            pass
        raise CloseConnection(*FEED_ENDS[feed.reason or "closed"])

    async def _write_some(self, feed: Feed) -> bool:
        """What was told together; False at the end."""
        bundle = await feed.bundle()
        if bundle is None:
            return False
        await self._send_bundle(bundle)
        self.context.metrics.sent.inc(len(bundle))
        self.context.metrics.unread.observe(feed.unread)
        return True

    def _push_at_once(self, bundle: Bundle) -> bool:
        """Write without waking the writer, if the guest can take it; what goes wrong here is for the writer to find."""
        assert self.fast is not None
        if not self.fast.ready:
            return False
        if self._held_frames is not None:
            self._held_frames.append(bundle.frames)
        elif not self.fast.push(bundle.frames):
            return False
        self.context.metrics.sent.inc(len(bundle))
        return True

    async def _send(self, message: Outgoing) -> None:
        if self.fast is None:
            await self._send_text(encode(message).decode())
        else:
            await self._push(self.fast, frame_messages((message,)))

    async def _send_bundle(self, bundle: Bundle) -> None:
        if self.fast is not None:
            await self._push(self.fast, await bundle.frames_beside_loop())
            return
        for message in bundle:
            await self._send_text(encode(message).decode())

    async def _push(self, fast: FastSocket, frames: bytes) -> None:
        if not fast.ready:
            try:
                async with asyncio.timeout(self.limits.sending_seconds):
                    await fast.wait_until_drained()
            except TimeoutError:
                raise CloseConnection(*FEED_ENDS["slow"]) from None
        held_frames, self._held_frames = self._held_frames or (), None
        if not fast.push(b"".join((*held_frames, frames))):
            raise WebSocketDisconnect(GONE_AWAY)

    async def _send_text(self, text: str) -> None:
        try:
            async with asyncio.timeout(self.limits.sending_seconds):
                await self.socket.send({"type": "websocket.send", "text": text})
        except TimeoutError:
            raise CloseConnection(*FEED_ENDS["slow"]) from None
        except (RuntimeError, OSError):  # closed meanwhile
            raise WebSocketDisconnect(GONE_AWAY) from None

    # --- ending --------------------------------------------------------------------------------------------------

    async def _end(self, task: asyncio.Task[None], logger: Any) -> None:
        error = task.exception()
        if self._dismissal is not None and isinstance(error, CloseConnection):
            self.ended_as = "kicked"
            await self.turn_away(self._dismissal)
        elif isinstance(error, CloseConnection):
            self.ended_as = error.end
            await self._close(error.code, error.reason)
        elif isinstance(error, WebSocketDisconnect):
            self.ended_as = ENDS_BY_PROTOCOL.get(error.code, "left")
        elif error is not None:
            self.ended_as = "failed"
            logger.error("failed", **error_fields(error))
            await self._close(INTERNAL, "something went wrong here; it is logged")

    async def _close(self, code: int, reason: str) -> None:
        try:
            async with asyncio.timeout(1):
                await self.socket.close(code, reason.encode()[:120].decode(errors="ignore"))
        except (RuntimeError, OSError, TimeoutError, WebSocketDisconnect):
            return


def _command_id(raw: str | bytes) -> str | None:
    """The id of a command that cannot be read otherwise, so that its sender knows which it was."""
    try:
        data = msgspec.json.decode(raw)
    except UNREADABLE:
        return None
    command_id = data.get("id") if isinstance(data, dict) else None
    return command_id if isinstance(command_id, str) and len(command_id) <= messages.LONGEST_ID else None
