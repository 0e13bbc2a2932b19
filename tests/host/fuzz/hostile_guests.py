"""Guests that mean no good, and what they must be answered: connections over real sockets to a server under fuzz.

Whatever is sent on a greeted connection gets exactly one answer, in order, in one of the known shapes; what is numbered
comes without a gap; a repeat of a command that was carried out is answered in the same words; and nobody is told "done"
who had no right to it. Everything else is a finding.
"""

from __future__ import annotations

import asyncio
import contextlib
import random
from collections import Counter, deque
from collections.abc import AsyncIterator
from dataclasses import dataclass, field, replace
from typing import Any, Final

import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidMessage
from websockets.frames import Frame, Opcode

from hexholm.host.wire import api, messages
from hexholm.host.wire.host_refusals import HTTP_STATUS

from .hostile_messages import ODD_VALUES, RECENT, Message, Sight, Words, spell

PATIENCE: Final = 30.0
"""Seconds for an answer."""
CODES: Final = frozenset({*HTTP_STATUS} - {"failed", "not_ready"})
"""What a refusal may be called; "failed" is nobody's fault but ours."""
ENDS: Final = frozenset({1000, 1001, 1002, 1006, 1007, 1008, 1009, 1013, 4400, 4403, 4404, 4408, 4413, 4429})
"""How the server may end a connection; 1011 would be an accident."""
SEATED: Final = frozenset({"act", "say", "away", "back", "resign", "leave", "rename"})
"""What only one who holds a seat can have done."""
CREATORS: Final = frozenset({"begin", "put", "kick", "silence", "pace"})
"""What only the one who set up the table can have done."""
AT_THE_TABLE: Final = frozenset({"deal", "take_back", "resume"})
"""What only one who holds a seat or set up the table can have done."""
_outgoing = msgspec.json.Decoder(api.Outgoing).decode


@dataclass
class Holder:
    """A seat and who holds it."""

    color: str
    token: str
    cookie: str
    creator: bool = False
    sight: Sight = field(default_factory=Sight)
    acts: set[str] = field(default_factory=set)
    """The ids of all acts that were sent with its token, and of what it told about real dice and cards."""
    kinds: dict[str, set[str]] = field(default_factory=dict)
    """What was sent with its token lately, by id: mostly one kind of command."""
    done_answers: dict[str, str] = field(default_factory=dict)
    """What commands that were carried out were answered with, by id."""


@dataclass
class Spot:
    """A table in play."""

    id: str
    cookie: str
    """Of the one who set it up."""
    colors: tuple[str, ...]
    holders: list[Holder] = field(default_factory=list)
    """Those whose token still opens a seat."""
    everybody: list[Holder] = field(default_factory=list)
    legal: tuple[str, ...] = ()
    """What somebody could do when last seen; others try it too."""
    request: int = 0
    """The number of the question it answers."""
    done_answers: dict[str, str] = field(default_factory=dict)
    """What its creator was answered without a seat, by id."""
    over: bool = False

    @property
    def sight(self) -> Sight:
        return Sight(self.colors)


@dataclass
class Tally:
    """What was sent, what came back, and what should not have."""

    most: int = 0
    """Messages to send, all in all."""
    sent: Counter[str] = field(default_factory=Counter)
    heard: Counter[str] = field(default_factory=Counter)
    ended: Counter[str] = field(default_factory=Counter)
    findings: list[str] = field(default_factory=list)

    @property
    def messages(self) -> int:
        return self.sent.total()

    def find(self, finding: str) -> None:
        """Something that must not be."""
        self.findings.append(finding[:600])


def read(raw: bytes | str) -> dict[str, Any]:
    """What a message says, if it is one."""
    try:
        data = msgspec.json.decode(raw)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return {}
    return data if isinstance(data, dict) else {}


SHUT_OUT: Final = ("not_shown", "not_watchable")


class Line:
    """A greeted connection, and what it is still to be answered."""

    def __init__(
        self, tally: Tally, socket: ClientConnection, spot: Spot, holder: Holder | None, creator: bool
    ) -> None:
        self.tally, self.socket, self.spot, self.holder, self.creator = tally, socket, spot, holder, creator
        self.sight = spot.sight if holder is None else holder.sight
        self.waiting: deque[Message] = deque()
        self.kinds: dict[str, set[str]] = {} if holder is None else holder.kinds
        self.done_answers = holder.done_answers if holder is not None else spot.done_answers if creator else {}
        self.hello: messages.Hello | messages.Refused | None = None
        """The first thing the server said."""
        self.number: int | None = None
        self.since: int | None = None
        self.changed = asyncio.Event()

    async def greet(self, token: str | None, since: int | None) -> bool:
        """Say hello; whether one is let in."""
        self.since = since
        greeting = api.Greeting(protocol=messages.PROTOCOL_VERSION, token=token, since=since)
        self.tally.sent["greeting"] += 1
        await self.socket.send(msgspec.json.encode(greeting).decode())
        await self.until(lambda: self.hello is not None)
        return isinstance(self.hello, messages.Hello)

    async def send(self, message: Message) -> None:
        """Send a message, without waiting for its answer."""
        self.tally.sent[message.family] += 1
        self.waiting.append(message)
        data = message.data
        if isinstance(name := data.get("id"), str):
            self.sight.used.append(name)
            del self.sight.used[:-RECENT]
            self.kinds.setdefault(name, set()).add(str(data.get("type")))
            while len(self.kinds) > 10 * RECENT:  # we want to measure the server's memory, not ours
                del self.kinds[next(iter(self.kinds))]
        command = data or read(message.raw)  # with some bytes that are others it may still be an act
        if self.holder is not None and command.get("type") in ("act", "deal") and isinstance(command.get("id"), str):
            self.holder.acts.add(command["id"])
        if isinstance(message.raw, bytes):
            await self.socket.send(message.raw, text=message.as_text)
        else:
            await self.socket.send(message.raw)

    async def listen(self) -> None:
        """Judge all that is said, until the end."""
        try:
            async for raw in self.socket:
                self.hear(raw)
                self.changed.set()
        finally:
            self.changed.set()

    async def until(self, true: Any) -> None:
        """Wait for something, or for the end of the connection."""
        while not true() and self.socket.close_code is None:
            self.changed.clear()
            async with asyncio.timeout(PATIENCE):
                await self.changed.wait()

    # --- judging ---------------------------------------------------------------------------------------------------

    def hear(self, raw: str | bytes) -> None:
        """One message of the server."""
        find = self.tally.find
        try:
            message = _outgoing(raw)
        except msgspec.MsgspecError as error:
            find(f"a message of no known shape ({error}): {raw!r}")
            return
        self.tally.heard[str(message.__struct_config__.tag)] += 1
        if self.hello is None:
            if not isinstance(message, messages.Hello | messages.Refused):
                find(f"before any greeting: {raw!r}")
            elif isinstance(message, messages.Hello):
                self.see(message.table, message.projection)
                self.number = message.number if self.since is None else min(self.since, message.number)
                self.sight.number = message.number
            if isinstance(message, messages.Refused):
                self.refused(message)
            if isinstance(message, messages.Hello | messages.Refused):
                self.hello = message
            return
        match message:
            case messages.Told() | messages.Chatted() | messages.Changed():
                if self.number is not None and message.number != self.number + 1:
                    find(f"number {message.number} after {self.number}, since {self.since}: {raw!r}")
                self.number = self.sight.number = message.number
                if isinstance(message, messages.Changed):
                    self.see(message.table, None)
            case messages.Now():
                self.see(None, message.projection)
            case messages.Hello():
                find(f"a second hello: {raw!r}")
            case api.Pong():
                self.answered(message, raw)
            case _ if hasattr(message, "id"):
                self.answered(message, raw)

    def see(self, table: messages.TableLine | None, projection: messages.Projection | None) -> None:
        """What one is shown can be used against the server."""
        if table is not None:
            self.spot.over |= table.status == "over"
        if projection is not None:
            self.sight.legal, self.sight.request = projection.legal, projection.question_number
            self.sight.asked, self.sight.chance = projection.asked, projection.chance_question
            if projection.asked:
                self.spot.legal, self.spot.request = projection.legal, projection.question_number

    def refused(self, message: messages.Refused) -> None:
        """A refusal is one of the known ones, and says something."""
        self.tally.heard[f"refused: {message.code}"] += 1
        if message.code not in CODES or not message.message:
            self.tally.find(f"refused as {message.code!r}: {message.message!r}")

    def answered(self, message: Any, raw: str | bytes) -> None:
        """An answer to the oldest message that has none."""
        find = self.tally.find
        if isinstance(message, messages.Refused) and message.why in SHUT_OUT and message.id is None:
            self.refused(message)  # no answer: from now on only those at the table may look
            return
        if not self.waiting:
            find(f"an answer to nothing: {raw!r}")
            return
        if isinstance(message, messages.Refused):
            self.refused(message)
            if message.code == "too_large" and self.waiting[-1].closes:
                self.waiting.clear()  # said at once, before the answers to what came earlier; and it is the last word
                return
        question = self.waiting.popleft()
        if isinstance(message, api.Pong) or question.is_ping:
            flood = isinstance(message, messages.Refused) and message.code == "too_much"
            if not (isinstance(message, api.Pong) and question.is_ping) and not flood:
                find(f"{question.raw!r} was answered with {raw!r}")
            return
        command = question.data
        name = command.get("id")
        right = message.id == name if isinstance(name, str) and 0 < len(name) <= messages.LONGEST_ID else True
        if not right:
            find(f"{question.raw!r} was answered under another id: {raw!r}")
        if isinstance(message, messages.Done):
            self.carried_out(str(name), str(raw))

    def carried_out(self, name: str, raw: str) -> None:
        """What was done must have been allowed; a repeat is answered with the same words."""
        find, kinds = self.tally.find, self.kinds.get(name, set())
        first = name not in self.done_answers
        if self.done_answers.setdefault(name, raw) != raw:
            find(f"the repeat of {name} was answered with {raw}, before with {self.done_answers[name]}")
        barred = (SEATED if self.holder is None else frozenset()) | (frozenset() if self.creator else CREATORS)
        if self.holder is None and not self.creator:
            barred |= AT_THE_TABLE
        if first and kinds and kinds <= barred:  # a repeat tells of the first one, which we may have forgotten
            find(f"{kinds} was done for one who may not: {raw}")


@contextlib.asynccontextmanager
async def line_to(
    url: str, tally: Tally, spot: Spot, holder: Holder | None = None, *, cookie: str = "", creator: bool = False
) -> AsyncIterator[Line]:
    """A connection to a table; at its end the way it ended is judged."""
    headers = {"Cookie": cookie} if cookie else {}
    async with asyncio.timeout(PATIENCE):
        socket = await connect(
            url.replace("http", "ws", 1) + f"/ws/tables/{spot.id}",
            additional_headers=headers,
            compression=None,
            max_size=None,
            max_queue=None,
            ping_interval=None,
            proxy=None,
            close_timeout=5,
        )
    line = Line(tally, socket, spot, holder, creator)
    listening = asyncio.create_task(line.listen())
    try:
        yield line
    except TimeoutError:
        waiting = [message.raw[:100] for message in list(line.waiting)[:3]]
        tally.find(f"no answer in {PATIENCE} seconds, the connection is open; waiting: {waiting}")
    except ConnectionClosed:
        pass
    finally:
        await socket.close()
        await asyncio.gather(listening, return_exceptions=True)
        tally.ended[str(socket.close_code)] += 1
        if socket.close_code not in ENDS:
            tally.find(f"the server ended a connection with {socket.close_code} {socket.close_reason!r}")


# --- what guests do ---------------------------------------------------------------------------------------------------


async def chatter(line: Line, words: Words, most: int) -> None:
    """Send many messages, some of them before the ones before are answered; then go, politely or not."""
    pick = words.pick
    ahead = pick.choice((1, 1, 4, 20))
    for _ in range(pick.randint(1, most)):
        foreign = line.holder is None or pick.random() < 0.1
        spot = line.spot
        message = words.any(replace(line.sight, legal=spot.legal, request=spot.request) if foreign else line.sight)
        await line.send(message)
        if message.closes or line.tally.messages >= line.tally.most:
            break
        await line.until(lambda: len(line.waiting) < ahead)
    luck = pick.random()
    if luck < 0.05:
        await line.send(words.last(line.sight))
        await line.until(lambda: False)
        return
    if luck < 0.85:
        await line.until(lambda: not line.waiting)
    if luck > 0.75:
        line.socket.transport.abort()


def bad_greeting(words: Words, spot: Spot, token: str | None) -> Message:
    """Something that is no hello, or not ours."""
    pick = words.pick
    hello: dict[str, Any] = {"type": "hello", "protocol": messages.PROTOCOL_VERSION, "token": token, "since": 0}
    match pick.randrange(4):
        case 0:
            return words.any(spot.sight)
        case 1:
            return words.last(spot.sight)
        case 2:
            raw = spell(hello)
            return Message(raw[: pick.randrange(len(raw))], "bad greeting")
        case _:
            hello[pick.choice((*hello, "seat"))] = pick.choice(ODD_VALUES)
            return Message(spell(hello), "bad greeting")


async def abuse_handshake(port: int, tally: Tally, words: Words, spot: Spot) -> None:
    """Speak to the server below the level of messages: half a request, no request, frames that are none."""
    pick = words.pick
    head = (
        f"GET /ws/tables/{spot.id} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
        "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
    ).encode()
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    tally.sent["handshake"] += 1
    try:
        match pick.randrange(4):
            case 0:
                writer.write(head[: pick.randrange(len(head))])
            case 1:
                writer.write(pick.randbytes(pick.randrange(1, 400)))
            case 2:
                writer.write(head.replace(pick.choice((b"13", b"GET", b"dGhl", b"Upgrade", b"Host")), b"x\xff"))
            case _:
                writer.write(head)
                await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), PATIENCE)
                for _ in range(pick.randint(1, 3)):
                    writer.write(bad_frame(pick))
                    tally.sent["frame"] += 1
        await asyncio.wait_for(writer.drain(), PATIENCE)
        if pick.random() < 0.5:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(reader.read(4096), 0.05)
    except (ConnectionError, asyncio.IncompleteReadError):
        pass
    finally:
        if pick.random() < 0.5:
            writer.transport.abort()
        writer.close()
        with contextlib.suppress(ConnectionError):
            await writer.wait_closed()


def bad_frame(pick: random.Random) -> bytes:
    """A frame that breaks the rules of sockets, or leaves its end open."""
    match pick.randrange(6):
        case 0:
            return Frame(Opcode.TEXT, b'{"type":"ping"}').serialize(mask=False)
        case 1:
            return Frame(Opcode.TEXT, b'{"type":', fin=False).serialize(mask=True)
        case 2:
            return bytes([0x81, 0xFF]) + (2**62).to_bytes(8, "big")
        case 3:
            return bytes([pick.choice((0x83, 0x8F, 0xF1, 0x80)), 0x80, 0, 0, 0, 0])
        case 4:
            return bytes([0x89, 0xFE, 0x10, 0x00]) + pick.randbytes(64)
        case _:
            return pick.randbytes(pick.randrange(1, 200))


SHUT: Final = (ConnectionClosed, InvalidHandshake, InvalidMessage, ConnectionError)
"""How a connection may fail that the server did not want."""
