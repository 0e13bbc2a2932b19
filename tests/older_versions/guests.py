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
    done = subprocess.run(
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
    assert done.returncode == code, done.stdout + done.stderr
    return done.stdout


@contextlib.contextmanager
def served(database: Path) -> Iterator[str]:
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
            found = re.search(r"http://\S+", process.stdout.readline())
            assert found, log.read_text(encoding="utf-8")
            yield found[0]
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
            given = re.search(rf"{COOKIE}=([^;]+)", answer.headers.get("Set-Cookie", ""))
            self.cookie = given[1] if given else self.cookie
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
        self.heard: list[dict[str, Any]] = []
        self.now: dict[str, Any] | None = None
        self._ids = (f"{secrets.token_hex(4)}-{n}" for n in itertools.count())
        self._answers: dict[str, dict[str, Any]] = {}
        self._seen_at = 0
        self._open = contextlib.ExitStack()

    def __enter__(self) -> Self:
        headers = {"Cookie": f"{COOKIE}={self.guest.cookie}"} if self.guest.cookie else {}
        address = self.guest.url.replace("http", "ws", 1) + f"/ws/tables/{self.table}"
        how: dict[str, Any] = {"compression": None, "max_size": None, "max_queue": None, "proxy": None}
        self._line = self._open.enter_context(connect(address, additional_headers=headers, **how))
        self._tell(type="hello", protocol=1, token=self.token, since=0)
        self.hello = self._hear()
        assert self.hello["type"] == "hello", self.hello
        self.state: dict[str, Any] = self.hello["table"]
        self.now = self.hello["projection"]
        self.until(lambda: len(self.heard) >= self.hello["number"])
        return self

    def __exit__(self, *_error: object) -> None:
        self._open.close()

    def _tell(self, **message: Any) -> None:
        self._line.send(json.dumps(message))

    def _hear(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self._line.recv(timeout=PATIENCE))
        kind = found["type"]
        if kind in NUMBERED:
            self.heard.append(found)
            self.state = found.get("table", self.state)
        elif kind == "now":
            self.now, self._seen_at = found["projection"], found.get("number", 0)
        elif kind in ("done", "refused"):
            self._answers[found["id"]] = found
        return found

    def until(self, true: Callable[[], bool]) -> None:
        """Listen until something is true."""
        while not true():
            self._hear()

    def catch_up(self) -> None:
        """Listen to what has been said by now."""
        self._tell(type="ping")
        while self._hear()["type"] != "pong":
            pass

    def send(self, kind: str, *, id: str | None = None, **more: Any) -> dict[str, Any]:  # noqa: A002  # as it is called
        """The answer to a command; after one that went well also all that came of it."""
        named = next(self._ids) if id is None else id
        self._tell(type=kind, id=named, **more)
        self.until(lambda: named in self._answers)
        answer = self._answers.pop(named)
        if answer["type"] == "done":
            self.until(lambda: len(self.heard) >= answer["number"])
        return answer

    def do(self, kind: str, **more: Any) -> dict[str, Any]:
        """A command that must go well."""
        answer = self.send(kind, **more)
        assert answer["type"] == "done", answer
        return answer

    def act(self, action: str) -> None:
        """Play, and see what comes of it."""
        answer = self.do("act", action=action)
        self.until(lambda: self._seen_at >= answer["number"])

    @property
    def legal(self) -> list[str]:
        return [] if self.now is None else self.now["legal"]

    @property
    def view(self) -> dict[str, Any]:
        assert self.now is not None
        found: dict[str, Any] = self.now["view"]
        return found

    @property
    def asked(self) -> bool:
        return bool(self.now and self.now["asked"])

    @property
    def chance(self) -> dict[str, Any] | None:
        """What this seat is asked to tell about real dice and cards."""
        return None if self.now is None else self.now.get("chance")

    @property
    def over(self) -> bool:
        return bool(self.state["status"] == "over")


def noted(url: str, tool: str, **arguments: str) -> str:
    """What an assistant is told by a tool."""
    from mcp import Client

    async def call() -> str:
        async with Client(f"{url}/mcp") as client:
            answer = await client.call_tool(tool, arguments)
            text = "\n".join(part.text for part in answer.content if part.type == "text")
            assert not answer.is_error, text
            return text

    return asyncio.run(call())
