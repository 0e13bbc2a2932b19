"""A server and its guests, over the command line, REST and sockets alone: what every version of the program has.

Nothing here imports the program, so that the tests of old data say what its users would see.
"""

from __future__ import annotations

import asyncio
import contextlib
import http.client
import itertools
import json
import os
import re
import secrets
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Self
from urllib.parse import urlsplit

from websockets.sync.client import connect

HEXHOLM = [sys.executable, "-m", "hexholm"]
PATIENCE = 60.0  # seconds, for everything that waits
FOR_GOOD = ("--clear-open", "1e8", "--end-left", "1e8")
"""However old the tables are, the server does not clear them away."""
COOKIE = "hexholm_guest"
NUMBERED = ("told", "chatted", "changed")


def hexholm(*arguments: str | Path, code: int = 0, cwd: Path | None = None, **environment: str) -> str:
    """What a command prints; with interpreted rules, since nothing here is worth minutes of compiling."""
    process = subprocess.run(
        [*HEXHOLM, *map(str, arguments)],
        check=False,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=PATIENCE,
        cwd=cwd,
        stdin=subprocess.DEVNULL,
        env={**os.environ, "HEXHOLM_INTERPRETED": "1", **environment},
    )
    assert process.returncode == code, process.stdout + process.stderr
    return process.stdout


@contextlib.contextmanager
def serve(database: Path) -> Iterator[str]:
    """The URL of a server with this database; it is stopped in good order, so that all is in the one file."""
    command = [*HEXHOLM, "serve", "--port", "0", "--no-limits", "--bot-delay", "0", "--quiet", *FOR_GOOD]
    environment = {**os.environ, "HEXHOLM_INTERPRETED": "1", "PYTHONUNBUFFERED": "1"}
    log = database.with_suffix(".log")
    with (
        log.open("w", encoding="utf-8") as stderr,
        subprocess.Popen(
            [*command, "--db", str(database)], stdout=subprocess.PIPE, stderr=stderr, text=True, env=environment
        ) as process,
    ):
        try:
            assert process.stdout is not None
            match = re.search(r"http://\S+", process.stdout.readline())
            assert match, log.read_text(encoding="utf-8")
            yield match[0]
            process.send_signal(signal.SIGTERM)
            assert process.wait(PATIENCE) == 0, log.read_text(encoding="utf-8")
        finally:
            process.kill()
            process.wait()


class Guest:
    """Somebody with a cookie, who may hold seats at several tables."""

    def __init__(self, url: str, name: str = "", cookie: str = "") -> None:
        self.url, self.name, self.cookie = url, name, cookie

    def ask(self, method: str, path: str, body: Any = None, token: str | None = None) -> tuple[int, bytes]:
        """The status and the body of an answer."""
        headers = {"Cookie": f"{COOKIE}={self.cookie}"} if self.cookie else {}
        headers |= {"Authorization": f"Bearer {token}"} if token else {}
        headers |= {"Content-Type": "application/json"} if body is not None else {}
        line = http.client.HTTPConnection(urlsplit(self.url).netloc, timeout=PATIENCE)
        with contextlib.closing(line):
            line.request(method, path, None if body is None else json.dumps(body), headers)
            answer = line.getresponse()
            match = re.search(rf"{COOKIE}=([^;]+)", answer.headers.get("Set-Cookie", ""))
            self.cookie = match[1] if match else self.cookie
            return answer.status, answer.read()

    def get(self, path: str, token: str | None = None) -> Any:
        """Data."""
        status, body = self.ask("GET", path, token=token)
        assert status == 200, body
        return json.loads(body)

    def post(self, path: str, **body: Any) -> Any:
        """What became of a wish."""
        status, answer = self.ask("POST", path, body)
        assert status == 201, answer
        return json.loads(answer)


class Seat:
    """A connection to a table, within `with`: all numbered messages since the beginning, and how it looks now."""

    def __init__(self, guest: Guest, table: str, token: str | None = None) -> None:
        self.guest, self.table, self.token = guest, table, token
        self.messages: list[dict[str, Any]] = []
        self.projection: dict[str, Any] | None = None
        self._ids = (f"{secrets.token_hex(4)}-{n}" for n in itertools.count())
        self._answers: dict[str, dict[str, Any]] = {}
        self._seen_at = 0
        self._connections = contextlib.ExitStack()

    def __enter__(self) -> Self:
        headers = {"Cookie": f"{COOKIE}={self.guest.cookie}"} if self.guest.cookie else {}
        address = self.guest.url.replace("http", "ws", 1) + f"/ws/tables/{self.table}"
        connect_options: dict[str, Any] = {"compression": None, "max_size": None, "max_queue": None, "proxy": None}
        self._line = self._connections.enter_context(connect(address, additional_headers=headers, **connect_options))
        self._send_json(type="hello", protocol=1, token=self.token, since=0)
        self.hello = self._receive()
        assert self.hello["type"] == "hello", self.hello
        self.state: dict[str, Any] = self.hello["table"]
        self.projection = self.hello["projection"]
        self.until(lambda: len(self.messages) >= self.hello["number"])
        return self

    def __exit__(self, *_error: object) -> None:
        self._connections.close()

    def _send_json(self, **message: Any) -> None:
        self._line.send(json.dumps(message))

    def _receive(self) -> dict[str, Any]:
        message: dict[str, Any] = json.loads(self._line.recv(timeout=PATIENCE))
        kind = message["type"]
        if kind in NUMBERED:
            self.messages.append(message)
            self.state = message.get("table", self.state)
        elif kind == "now":
            self.projection, self._seen_at = message["projection"], message.get("number", 0)
        elif kind in ("done", "refused"):
            self._answers[message["id"]] = message
        return message

    def until(self, true: Callable[[], bool]) -> None:
        """Listen until something is true."""
        while not true():
            self._receive()

    def catch_up(self) -> None:
        """Listen to what has been said by now."""
        self._send_json(type="ping")
        while self._receive()["type"] != "pong":
            pass

    def send(self, kind: str, *, id: str | None = None, **fields: Any) -> dict[str, Any]:  # noqa: A002  # as it is called
        """The answer to a command; after one that went well also all that came of it."""
        command_id = next(self._ids) if id is None else id
        self._send_json(type=kind, id=command_id, **fields)
        self.until(lambda: command_id in self._answers)
        answer = self._answers.pop(command_id)
        if answer["type"] == "done":
            self.until(lambda: len(self.messages) >= answer["number"])
        return answer

    def do(self, kind: str, **fields: Any) -> dict[str, Any]:
        """A command that must go well."""
        answer = self.send(kind, **fields)
        assert answer["type"] == "done", answer
        return answer

    def act(self, action: str) -> None:
        """Play, and see what comes of it."""
        answer = self.do("act", action=action)
        self.until(lambda: self._seen_at >= answer["number"])

    @property
    def legal(self) -> list[str]:
        return [] if self.projection is None else self.projection["legal"]

    @property
    def view(self) -> dict[str, Any]:
        assert self.projection is not None
        view_fields: dict[str, Any] = self.projection["view"]
        return view_fields

    @property
    def asked(self) -> bool:
        return bool(self.projection and self.projection["asked"])

    @property
    def chance(self) -> dict[str, Any] | None:
        """What this seat is asked to tell about real dice and cards."""
        return None if self.projection is None else self.projection.get("chance")

    @property
    def over(self) -> bool:
        return bool(self.state["status"] == "over")


def call_tool(url: str, tool: str, **arguments: str) -> str:
    """What an assistant is told by a tool."""
    from mcp import Client

    async def call() -> str:
        async with Client(f"{url}/mcp") as client:
            answer = await client.call_tool(tool, arguments)
            text = "\n".join(part.text for part in answer.content if part.type == "text")
            assert not answer.is_error, text
            return text

    return asyncio.run(call())
