"""A real server in a thread of its own, and small words to speak with it over real sockets."""

from __future__ import annotations

import asyncio
import contextlib
import http.client
import random
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import msgspec
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from hexholm.host.client import Declined, Joined
from hexholm.host.local_server import local_server
from hexholm.host.web.operations.settings import Settings
from hexholm.host.wire import messages

from .halls import with_durations
from .sent_reasons import misfits

BOTS = {"blue": "easy", "white": "easy", "orange": "easy"}
OPTIONS = {"edition": "fifth", "first": 0, "points_to_win": 3}


@contextlib.contextmanager
def run_server(database: str | Path = ":memory:", settings: Settings | None = None, **more: Any) -> Iterator[str]:
    """The URL of a server that runs meanwhile."""
    up, urls, failed = threading.Event(), [""], list[BaseException]()
    stop: list[tuple[asyncio.AbstractEventLoop, asyncio.Event]] = []

    async def main() -> None:
        end = asyncio.Event()
        async with local_server(database, settings, **with_durations(more)) as url:
            urls[0] = url
            stop.append((asyncio.get_running_loop(), end))
            up.set()
            await end.wait()

    def work() -> None:
        try:
            asyncio.run(main())
        except BaseException as error:
            failed.append(error)
        finally:
            up.set()

    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    assert up.wait(120), "the server did not start"
    if failed:
        raise failed[0]
    try:
        yield urls[0]
    finally:
        loop, end = stop[0]
        loop.call_soon_threadsafe(end.set)
        thread.join(30)
        assert not thread.is_alive()


class Answer:
    """What a request was answered with."""

    def __init__(self, status: int, headers: http.client.HTTPMessage, body: bytes) -> None:
        self.status, self.headers, self.body = status, headers, body

    @property
    def json(self) -> Any:
        return msgspec.json.decode(self.body)

    @property
    def cookie(self) -> str:
        return self.headers.get("Set-Cookie", "").partition(";")[0]

    @property
    def code(self) -> str:
        """The code of an error; there is no other shape."""
        assert list(self.json) == ["error"]
        error = self.json["error"]
        assert {"code", "message"} <= set(error) <= {"code", "message", "rule", "why", "values"}
        assert error["message"]
        assert error["why"]
        assert misfits("Problem", error) == []
        assert self.headers["Content-Type"] == "application/json"
        return str(error["code"])


def ask(url: str, method: str, path: str, body: Any = None, **headers: str) -> Answer:
    """One request; a body that is not bytes is sent as JSON."""
    sent_headers = {name.replace("_", "-"): value for name, value in headers.items()}
    if body is not None and not isinstance(body, bytes):
        body = msgspec.json.encode(body)
        sent_headers.setdefault("Content-Type", "application/json")
    line = http.client.HTTPConnection(urlsplit(url).netloc, timeout=20)
    with contextlib.closing(line):
        line.request(method, path, body, sent_headers)
        answer = line.getresponse()
        return Answer(answer.status, answer.headers, answer.read())


def new_table(url: str, **more: Any) -> Answer:
    """A table of Ann's with three bots, unless told otherwise."""
    answer = ask(url, "POST", "/api/tables", {"name": "Ann", "options": OPTIONS, "seats": BOTS, **more})
    assert answer.status == 201, answer.body
    return answer


@contextlib.contextmanager
def open_socket(
    url: str, table: str, token: str | None = None, since: int | None = None, *, hello: bool = True, **more: Any
) -> Iterator[ClientConnection]:
    """A socket of a table, greeted unless told otherwise."""
    address = url.replace("http", "ws", 1) + f"/ws/tables/{table}"
    with connect(address, compression=None, max_size=None, max_queue=None, proxy=None, **more) as line:
        with contextlib.suppress(ConnectionClosed):  # turned away already; what was said can still be read
            if hello:
                line.send(
                    msgspec.json.encode({"type": "hello", "protocol": 1, "token": token, "since": since}).decode()
                )
        yield line


def hear(line: ClientConnection, *kinds: type[Any]) -> Any:
    """The next message, of one of these kinds if any are named."""
    while True:
        message = msgspec.json.decode(line.recv(timeout=20), type=messages.TableMessage)
        if isinstance(message, messages.Refused):
            assert message.why
        if isinstance(message, messages.Refused | messages.WhyAnswer):
            assert misfits(type(message).__name__, message) == []
        if not kinds or isinstance(message, kinds):
            return message


def say(line: ClientConnection, command: messages.TableCommand) -> messages.Done | messages.Refused:
    """Send a command; its answer."""
    line.send(msgspec.json.encode(command).decode())
    while True:
        answer: messages.Done | messages.Refused = hear(line, messages.Done, messages.Refused)
        if answer.id == command.id:
            return answer


def read_to_close_code(line: ClientConnection) -> int | None:
    """Read to the end; the code with which the server closed."""
    with contextlib.suppress(Exception):
        while True:
            line.recv(timeout=20)
    return line.close_code


async def play_on(table: Joined, rng: random.Random) -> int:
    """Answer every question at random until the game ends; how many actions were done."""
    actions = 0
    async for projection in table.questions():
        try:
            await table.act(rng.choice(projection.legal))
            actions += 1
        except Declined as error:
            if error.refusal.code not in ("not_legal", "closed"):
                raise
    return actions
