"""A table in a whole server, in memory: its clock, names and dice are given, and all that it sends is kept."""

from __future__ import annotations

import asyncio
import contextlib
import io
import itertools
import re
from dataclasses import dataclass, field
from typing import Any, Final

import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

import hexholm
from hexholm.host.web.admission.identity import Identity
from hexholm.host.wire import api, messages

from ..halls import Party
from ..open_server import OpenServer
from ..servers import Answer
from .transcript_scan import Transcript

SEED: Final = 7_654_321_987_654
"""What names the board; it must be found nowhere."""
CLOCK: Final = 86_400.0
"""Seconds for a decision: more than ever pass, for when time is up a bot may choose, by hidden cards."""
PATIENCE: Final = 20.0
"""Seconds for an answer."""
TOKENS: Final = re.compile(rb'("token":"|#seat=)[\w-]+')
"""Where a token is told to the one whose it is; they are drawn anew each time."""


class Names(Identity):
    """Guests whose names both worlds share."""

    def __init__(self) -> None:
        super().__init__(b"the same key in both worlds, 32 b")
        self._count = itertools.count(1)

    def new_guest_id(self) -> str:
        return f"guest{next(self._count):017d}"


PING = '{"type":"ping"}'


class Line:
    """A socket that keeps all it hears, in order."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.heard: list[bytes] = []
        self.ended = False
        self._answers: asyncio.Queue[Any] = asyncio.Queue()
        self._task = asyncio.create_task(self._listen())

    async def _listen(self) -> None:
        try:
            async for raw in self.socket:
                message: Any = msgspec.json.decode(raw, type=api.Outgoing)
                if isinstance(message, messages.Present):
                    continue
                if not isinstance(message, api.Pong):
                    self.heard.append(str(raw).encode())
                if getattr(message, "why", "") in ("not_shown", "not_watchable"):
                    continue  # one who watches is told that it may not any more
                if isinstance(message, api.Pong) or hasattr(message, "id"):
                    self._answers.put_nowait(message)
        except ConnectionClosed as error:
            self.heard.append(str(error.rcvd).encode())
        finally:
            self.ended = True
            self._answers.put_nowait(None)

    async def ask(self, raw: str) -> Any:
        """Send something; its answer. None: the server has ended the connection."""
        async with asyncio.timeout(PATIENCE):
            with contextlib.suppress(ConnectionClosed):
                await self.socket.send(raw)
            return None if self.ended else await self._answers.get()

    async def until_ended(self) -> None:
        """Until the server has closed the connection."""
        async with asyncio.timeout(PATIENCE):
            await asyncio.wait({self._task})

    async def close(self) -> None:
        """Leave."""
        await self.socket.close()
        await asyncio.gather(self._task, return_exceptions=True)


@dataclass
class WireParty(Party):
    """A table in a server, with the sockets of those who are watched."""

    running: OpenServer | None = None
    log: io.StringIO = field(default_factory=io.StringIO)
    lines: dict[str | None, Line] = field(default_factory=dict)
    cookies: dict[str | None, str] = field(default_factory=dict)
    transcripts: dict[str | None, Transcript] = field(default_factory=dict)

    @property
    def server(self) -> OpenServer:
        assert self.running is not None
        return self.running

    async def send(self, color: str | None, command: messages.TableCommand) -> messages.Done | messages.Refused:
        """A command: over the socket, where there is one."""
        if color not in self.lines:
            return await super().send(color, command)
        answer: messages.Done | messages.Refused = await self.lines[color].ask(msgspec.json.encode(command).decode())
        return answer

    async def open(self, color: str | None, since: int | None) -> Line:
        """A new connection of the observer, or of one who watches."""
        headers = {"Cookie": self.cookies[color]} if self.cookies.get(color) else {}
        url = f"ws://127.0.0.1:{self.server.port}/ws/tables/{self.id}"
        socket = await connect(
            url,
            additional_headers=headers,
            compression=None,
            max_size=None,
            max_queue=None,
            ping_interval=None,
            proxy=None,
        )
        line = Line(socket)
        await socket.send(
            msgspec.json.encode(
                api.Greeting(protocol=messages.PROTOCOL_VERSION, token=self.tokens.get(color or ""), since=since)
            ).decode()
        )
        await self.settle(line)
        return line

    async def settle(self, line: Line) -> None:
        """Until all that was said has been heard: nobody is still being told, and a ping came back after it.

        What somebody missed is encoded beside the loop, so a first ping, which comes back after the greeting, may
        overtake it.
        """
        await line.ask(PING)
        while not all(feed.is_idle for feed in self.hall.loaded(self.id).attendance.feeds):  # noqa: ASYNC110  # nobody tells us
            await asyncio.sleep(0)
        await line.ask(PING)

    async def rest(self, color: str | None, method: str, path: str, **headers: str) -> bytes:
        """An answer of REST, with what may differ struck out."""
        if self.cookies.get(color):
            headers["Cookie"] = self.cookies[color]
        body = b'{"name":"Eve"}' if method == "POST" else None
        if body is not None:
            headers["Content_Type"] = "application/json"
        return self.same(await self.server.ask(method, path, body, **headers))

    def same(self, answer: Answer) -> bytes:
        """An answer without port, tokens and date."""
        headers = [f"{name}: {value}" for name, value in answer.headers.items() if name.lower() != "date"]
        text = f"{answer.status} {headers} ".encode() + answer.body
        text = TOKENS.sub(rb"\1...", text)
        return text.replace(f":{self.server.port}".encode(), b":port")

    def logged(self) -> list[Any]:
        """The lines of the log since the last time, without their times; connections that ended come last.

        Several may end together, in any order, and one that leaves as it is sent away may be said to do either.
        Libraries are left out: their loggers are the process's, so both servers hear what is said in both.
        """
        lines = [msgspec.json.decode(line) for line in self.log.getvalue().splitlines()]
        lines = [line for line in lines if line["event"] != "library"]
        self.log.seek(0)
        self.log.truncate()
        for line in lines:
            line.pop("timestamp")
        ended = [line for line in lines if line["event"] == "socket closed"]
        for line in ended:
            line["why"] = "left" if line["why"] == "private" else line["why"]
        return [line for line in lines if line not in ended] + sorted(ended, key=repr)

    async def set_up(self, options: dict[str, Any], terms: dict[str, Any]) -> list[bytes]:
        """A new table and its people, and one who will watch, over REST; what they were answered."""
        colors = hexholm.options(**options).colors
        self.people, self.tokens, self.cookies, self.transcripts, answers = {}, {}, {}, {}, []
        body = {"name": "Ann", "options": options, "board_seed": SEED, **terms}
        body["clock"] = CLOCK if terms["chance"] == "host" else None
        answer = await self.server.ask("POST", "/api/tables", body)
        assert answer.status == 201, answer.body
        self.id = answer.json["table"]["id"]
        for color in colors:
            if color != colors[0]:
                answer = await self.server.ask("POST", f"/api/tables/{self.id}/seats/{color}", {"name": color.title()})
            self.tokens[color], self.cookies[color] = answer.json["token"], answer.cookie
            self.people[color] = self.hall.loaded(self.id).seat_access.identify(self.tokens[color], "")
            answers.append(self.same(answer))
        answer = await self.server.ask("POST", "/api/me", {"name": "Eve"})
        self.cookies[None] = answer.cookie
        answers.append(self.same(answer))
        return answers

    async def leave(self) -> None:
        """Close the sockets; that of one who watches a game to its end is closed by the server."""
        is_over = self.hall.has(self.id) and self.table.status == "over"
        for color, line in self.lines.items():
            if is_over and color is None:
                await line.until_ended()
            await line.close()
        self.lines = {}

    async def end(self) -> None:
        """The table is over and forgotten, so that the next pair finds the same server."""
        await self.leave()
        await self.send(next(iter(self.people)), messages.End(id="end of the test"))
        await self.hall.loaded_tables._runners.pop(self.id).stop()
        await self.hall.services.storage.delete_table(self.id)
        await self.until(lambda: not self.hall.feeds and not len(self.server.app.context.connections.by_guest))
