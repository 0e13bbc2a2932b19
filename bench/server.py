"""How much a server can take, over loopback, on a database of its own: `python -m bench.server all`.

There are `open`, `closed`, `idle` and `start`, and `all` of them.

The server runs in a process of its own: the real one, with SQLite in a temporary folder. This process plays the guests,
with as little work of its own as can be: it reads no more of a message than it must, lest it be what is measured.
Every seat is a socket, and what is played are random legal actions, offers not among them. All stops by itself.

- *closed*: at every table the next action is sent as soon as all have been told the last one: the highest rate.
- *open*: so many commands a second at every table, come what may. A command that is due while the last one is still on
  its way counts from when it was due.
- *idle*: what a socket costs in memory, when all are open and nothing happens.
- *start*: how long a server that was killed takes to be there again, with all tables and their games.

The time of a command is from sending it until the last socket of its table has all that is told: the events and the new
projection.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import functools
import http.client
import itertools
import json
import os
import random
import re
import resource
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Self
from urllib.parse import urlsplit

import msgspec

SETTLE: Final = 1.0
"""Seconds before memory is looked at."""
LONGEST: Final = 600.0
"""Seconds after which a run is given up."""


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("what", choices=("open", "closed", "idle", "start", "all", "serve"))
    parser.add_argument("--seconds", type=float, default=20.0, help="time for each figure (default 20)")
    parser.add_argument("--tables", type=int, default=200, help="tables of four seats (default 200)")
    parser.add_argument("--watchers", type=int, default=0, help="sockets of the public at every table (default 0)")
    parser.add_argument("--rate", type=float, default=5.0, help="open: commands a second at a table (default 5)")
    parser.add_argument("--sockets", type=int, default=2000, help="idle: so many (default 2000)")
    parser.add_argument("--before", type=int, default=40, help="commands at every table before it counts (default 40)")
    parser.add_argument("--durability", choices=("normal", "full"), default="normal")
    parser.add_argument("--folder", help="where to make the database (default: a temporary folder)")
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of lines")
    parser.add_argument("--database", help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    more_files()
    if chosen.what == "serve":
        asyncio.run(server(chosen.database, chosen.durability))
        return
    figures: dict[str, Any] = {}
    for what in ("closed", "open", "idle", "start") if chosen.what == "all" else (chosen.what,):
        with tempfile.TemporaryDirectory(dir=chosen.folder) as folder, Server(folder, chosen.durability) as house:
            run = {"closed": closed, "open": opened, "idle": idle, "start": started}[what]
            figures[what] = asyncio.run(asyncio.wait_for(run(house, chosen), LONGEST + chosen.seconds))
    if chosen.json:
        print(json.dumps(figures))
        return
    for what, found in figures.items():
        print(f"{what}:")
        for name, value in found.items():
            print(f"  {name:<58} {f'{value:,.1f}' if isinstance(value, float) else value}")


def more_files() -> None:
    """A socket is an open file; as many as this machine allows."""
    _soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


# --- the server, in a process of its own ------------------------------------------------------------------------------


async def server(database: str, durability: Any) -> None:
    """Serve until stdin ends; every line on it is answered with a line of figures."""
    from hexholm.host.tables.durations import Durations
    from hexholm.host.web.limits import Limits
    from hexholm.host.web.operations.server_log import new_logger
    from hexholm.host.web.operations.settings import Address, Settings
    from hexholm.host.web.server import serve_until_stopped

    loop, stop, late = asyncio.get_running_loop(), asyncio.Event(), list[float]()

    def ready(where: Address) -> None:
        print(where.here, flush=True)
        loop.add_reader(sys.stdin.fileno(), asked)

    def asked() -> None:
        if not sys.stdin.readline():
            loop.remove_reader(sys.stdin.fileno())
            stop.set()
            return
        late.sort()
        lag = late[int(len(late) * 0.99)] if late else 0.0
        late.clear()
        print(
            json.dumps({"cpu": time.process_time(), "loop": time.thread_time(), "lag": lag, "rss": rss()}), flush=True
        )

    async def watch() -> None:
        while True:
            due = loop.time() + 0.01
            await asyncio.sleep(0.01)
            late.append(loop.time() - due)

    watching = asyncio.create_task(watch())
    settings = Settings(port=0, limits=Limits.none())
    quiet = new_logger(level=40)
    await serve_until_stopped(
        database,
        settings,
        durability=durability,
        ready=ready,
        stop=stop,
        logger=quiet,
        durations=Durations(away_after=1e9),
    )
    watching.cancel()


def rss() -> int:
    """Bytes of memory that this process has now; 0 where the system does not tell."""
    status = Path("/proc/self/status")
    if not status.exists():
        return 0
    return next(int(line.split()[1]) * 1024 for line in status.read_text().splitlines() if line.startswith("VmRSS"))


class Server:
    """The server's process, seen from outside."""

    def __init__(self, folder: str, durability: str) -> None:
        self._command = [sys.executable, "-m", "bench.server", "serve", "--durability", durability]
        self._command += ["--database", str(Path(folder) / "bench.db")]
        self._process = self._begun()

    def _begun(self) -> subprocess.Popen[str]:
        return subprocess.Popen(self._command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def again(self) -> None:
        """Kill it, and begin anew on the same database; returns when it is there."""
        self._process.kill()
        self._process.wait()
        self._process = self._begun()
        self.__enter__()

    def __enter__(self) -> Self:
        assert self._process.stdout is not None
        self.url = self._process.stdout.readline().strip()
        if not self.url:
            raise SystemExit("the server did not start")
        self.host = urlsplit(self.url).netloc
        return self

    def __exit__(self, *_error: object) -> None:
        assert self._process.stdin is not None
        with contextlib.suppress(OSError):
            self._process.stdin.close()
        try:
            self._process.wait(60)
        except subprocess.TimeoutExpired:
            self._process.kill()

    def figures(self) -> dict[str, float]:
        """Processor time of the process and of its event loop, how late that was since the last call, memory."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write("\n")
        self._process.stdin.flush()
        return dict(json.loads(self._process.stdout.readline()))

    def stored(self) -> Counter[str]:
        """What its storage has done."""
        line = http.client.HTTPConnection(self.host, timeout=60)
        with contextlib.closing(line):
            line.request("GET", "/metrics")
            text = line.getresponse().read().decode()
        found = re.findall(r'hexholm_storage_total\{what="(\w+)"\} ([\d.e+]+)', text)
        return Counter({name: int(float(value)) for name, value in found})


# --- the guests -------------------------------------------------------------------------------------------------------


class Shown(msgspec.Struct):
    """What the guests need of a projection."""

    request: int
    legal: tuple[str, ...]


class Now(msgspec.Struct):
    """What the guests need of `now`."""

    projection: Shown


_now: Final = msgspec.json.Decoder(Now).decode


class Line(asyncio.Protocol):
    """One socket: bytes in, bytes out, no more of the protocol than is needed."""

    def __init__(self, host: str, table: str, token: str | None, hear: Callable[[bytes], None]) -> None:
        self._path, self._hear, self._host = f"/ws/tables/{table}", hear, host
        hello = {"type": "hello", "protocol": 1, "token": token}
        self._hello = msgspec.json.encode(hello)
        self._buffer = bytearray()
        self._open = False
        self.greeted: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Ask for the socket."""
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport
        key = "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n"
        head = f"GET {self._path} HTTP/1.1\r\nHost: {self._host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        transport.write(f"{head}{key}\r\n".encode())

    def send(self, data: bytes, opcode: int = 0x81) -> None:
        """One short message. The mask is nothing but zeros, which leaves the text as it is."""
        assert self.transport is not None
        assert len(data) < 65_536
        size = bytes([0x80 | len(data)]) if len(data) < 126 else b"\xfe" + len(data).to_bytes(2)
        self.transport.write(bytes([opcode]) + size + b"\0\0\0\0" + data)

    def data_received(self, data: bytes) -> None:
        """Cut what comes into messages."""
        buffer = self._buffer
        buffer += data
        if not self._open:
            end = buffer.find(b"\r\n\r\n")
            if end < 0:
                return
            if not buffer.startswith(b"HTTP/1.1 101"):
                raise SystemExit(f"no socket: {bytes(buffer[:end])!r}")
            del buffer[: end + 4]
            self._open = True
            self.send(self._hello)
        at, whole = 0, len(buffer)
        while at + 2 <= whole:
            opcode, size, start = buffer[at], buffer[at + 1], at + 2
            if size == 126:
                size, start = int.from_bytes(buffer[start : start + 2]), start + 2
            elif size == 127:
                size, start = int.from_bytes(buffer[start : start + 8]), start + 8
            if start + size > whole:
                break
            message = bytes(buffer[start : start + size])
            at = start + size
            if opcode == 0x81:
                self._hear(message)
                if not self.greeted.done():
                    self.greeted.set_result(None)
            elif opcode == 0x89:
                self.send(message, 0x8A)
            elif opcode == 0x88:
                raise SystemExit(f"the server closed a socket: {message[2:].decode()}")
        del buffer[:at]


@dataclass
class Table:
    """One table of the load."""

    id: str
    tokens: list[str]
    told: Callable[[Table], None]
    """Called when all have been told."""
    rng: random.Random
    lines: list[Line] = field(default_factory=list)
    legal: dict[int, tuple[int, tuple[str, ...]]] = field(default_factory=dict)
    """What each seat that is asked may do now, and the number of the question."""
    waiting: set[int] = field(default_factory=set)
    """The sockets that have not been told all of the last command."""
    since: float = 0.0
    behind: int = 0
    """Commands that are due and could not be sent yet."""
    refused: int = 0
    ids: Iterator[int] = field(default_factory=itertools.count)

    async def join(self, host: str, tokens: Sequence[str | None]) -> None:
        """Open a socket for each token; None watches."""
        loop, (name, _, port) = asyncio.get_running_loop(), host.partition(":")
        for place, token in enumerate(tokens):
            line = Line(host, self.id, token, functools.partial(self.hear, place))
            await loop.create_connection(lambda line=line: line, name, int(port))  # type: ignore[misc]
            self.lines.append(line)
        await asyncio.gather(*(line.greeted for line in self.lines))

    def begin(self) -> None:
        """The first seat is the creator's."""
        self.waiting = set(range(len(self.lines)))
        self.since = time.perf_counter()
        self.lines[0].send(b'{"type":"begin","id":"begin"}')

    def hear(self, place: int, message: bytes) -> None:
        """A message to one socket; it begins with its type."""
        if not message.startswith(b'{"type":"now"'):
            if message.startswith(b'{"type":"refused"'):
                raise SystemExit(message.decode())
            return
        if b'"asked":true' in message:
            shown = _now(message).projection
            self.legal[place] = shown.request, shown.legal
        else:
            self.legal.pop(place, None)
        self.waiting.discard(place)
        if not self.waiting:
            self.told(self)

    def act(self, since: float) -> bool:
        """Send some legal action; False when the game is over."""
        if not self.legal:
            return False
        place = self.rng.choice(sorted(self.legal))
        request, legal = self.legal[place]
        action = legal[int(len(legal) * self.rng.random())]
        others = len(self.legal) > 1
        hidden = action.startswith("discard") and others  # nobody is told before the last one has chosen
        self.waiting = {place} if hidden else set(range(len(self.lines)))
        self.since = since
        self.lines[place].send(
            b'{"type":"act","id":"%d","request":%d,"action":"%s"}' % (next(self.ids), request, action.encode())
        )
        return True


def setting(host: str, n: int, told: Callable[[Table], None]) -> list[Table]:
    """So many tables with four people each, over REST."""
    line = http.client.HTTPConnection(host, timeout=60)
    tables = []

    def post(path: str, body: dict[str, Any]) -> Any:
        line.request("POST", path, json.dumps(body), {"Content-Type": "application/json"})
        answer = line.getresponse()
        data = json.loads(answer.read())
        if answer.status >= 400:
            raise SystemExit(f"{path}: {data}")
        return data

    with contextlib.closing(line):
        for number in range(n):
            made = post("/api/tables", {"name": "Ann", "options": {"edition": "sixth"}, "board_seed": number})
            path, free = f"/api/tables/{made['table']['id']}", [s["color"] for s in made["table"]["seats"][1:]]
            tokens = [post(f"{path}/seats/{color}", {"name": color})["token"] for color in free]
            tables.append(Table(made["table"]["id"], [made["token"], *tokens], told, random.Random(number)))
    return tables


async def quiet(tables: Sequence[Table]) -> None:
    """Until all have been told everything."""
    while any(table.waiting for table in tables):  # noqa: ASYNC110  # a look now and then costs least
        await asyncio.sleep(0.01)


class Load:
    """All tables, and what was measured."""

    def __init__(self, house: Server, chosen: argparse.Namespace, told: Callable[[Table], None]) -> None:
        self.house, self.chosen = house, chosen
        self.tables = setting(house.host, chosen.tables, told)
        self.times: list[float] = []
        self.over = 0

    async def begin(self) -> None:
        """Open all sockets, begin all games, play some way into them."""
        for table in self.tables:
            await table.join(self.house.host, [*table.tokens, *[None] * self.chosen.watchers])
        left = Counter({table.id: self.chosen.before for table in self.tables})
        done = asyncio.Event()

        def told(table: Table) -> None:
            left[table.id] -= 1
            if left[table.id] >= 0:
                table.act(time.perf_counter())
            elif all(n < 0 for n in left.values()):
                done.set()

        after, tables = self.tables[0].told, self.tables
        for table in tables:
            table.told = told
            table.begin()
        await done.wait()
        for table in tables:
            table.told = after

    def measured(self, seconds: float, before: dict[str, float], stored: Counter[str], own: float) -> dict[str, Any]:
        """The figures of the run, and what was busy."""
        after, written = self.house.figures(), self.house.stored() - stored
        times = sorted(self.times)
        figures: dict[str, Any] = {
            "commands": len(times),
            "commands/s stored and told to all": len(times) / seconds,
        }
        for name, part in (("median", 0.5), ("95 %", 0.95), ("99 %", 0.99), ("99.9 %", 0.999)):
            figures[f"ms from command to the last socket: {name}"] = times[int(len(times) * part)] * 1000
        figures |= {
            "processor, of one core, %: server": (after["cpu"] - before["cpu"]) / seconds * 100,
            "processor, of one core, %: its event loop": (after["loop"] - before["loop"]) / seconds * 100,
            "processor, of one core, %: these guests": (time.process_time() - own) / seconds * 100,
            "ms of the server's processor for a command": (after["cpu"] - before["cpu"]) / len(times) * 1000,
            "ms that the event loop is late: 99 %": after["lag"] * 1000,
            "commits/s": written["commits"] / seconds,
            "entries in a commit": written["entries"] / max(1, written["commits"]),
            "load of the machine": f"{os.getloadavg()[0]:.1f} on {os.cpu_count()} cores",
        }
        if self.over:
            figures["games that were over"] = self.over
        return figures


async def closed(house: Server, chosen: argparse.Namespace) -> dict[str, Any]:
    """The highest rate."""
    ended = False

    def told(table: Table) -> None:
        now = time.perf_counter()
        load.times.append(now - table.since)
        if not ended and not table.act(now):
            load.over += 1

    load = Load(house, chosen, told)
    await load.begin()
    before, stored, own, begun = house.figures(), house.stored(), time.process_time(), time.perf_counter()
    for table in load.tables:
        table.act(time.perf_counter())
    await asyncio.sleep(chosen.seconds)
    ended = True
    return load.measured(time.perf_counter() - begun, before, stored, own)


async def opened(house: Server, chosen: argparse.Namespace) -> dict[str, Any]:
    """So many commands a second, whatever happens."""
    due: dict[str, list[float]] = {}

    def told(table: Table) -> None:
        load.times.append(time.perf_counter() - table.since)
        if due[table.id] and not table.act(due[table.id].pop(0)):
            load.over += 1

    async def drive(table: Table, first: float) -> None:
        for number in range(int(chosen.seconds * chosen.rate)):
            when = first + number / chosen.rate
            await asyncio.sleep(max(0.0, when - time.perf_counter()))
            if table.waiting:
                due[table.id].append(when)
            else:
                table.act(when)

    load = Load(house, chosen, told)
    due = {table.id: [] for table in load.tables}
    await load.begin()
    before, stored, own, begun = house.figures(), house.stored(), time.process_time(), time.perf_counter()
    spread = 1 / chosen.rate / len(load.tables)
    await asyncio.gather(*(drive(table, begun + number * spread) for number, table in enumerate(load.tables)))
    await quiet(load.tables)
    return load.measured(time.perf_counter() - begun, before, stored, own)


async def idle(house: Server, chosen: argparse.Namespace) -> dict[str, Any]:
    """What a socket costs that is open and silent, at tables where games have begun."""
    heard = 0

    def hear(_message: bytes) -> None:
        nonlocal heard
        heard += 1

    tables = setting(house.host, chosen.tables, lambda _table: None)
    for table in tables:
        await table.join(house.host, table.tokens[:1])
        table.begin()
    await quiet(tables)
    await asyncio.sleep(SETTLE)
    before = house.figures()["rss"]
    loop, (name, _, port) = asyncio.get_running_loop(), house.host.partition(":")
    lines = []
    for number in range(chosen.sockets):  # the other seats first, then those who watch
        place, at = divmod(number, len(tables))
        tokens = [*tables[at].tokens[1:], *[None] * (place + 1)]
        line = Line(house.host, tables[at].id, tokens[place], hear)
        await loop.create_connection(lambda line=line: line, name, int(port))  # type: ignore[misc]
        lines.append(line)
    await asyncio.gather(*(line.greeted for line in lines))
    await asyncio.sleep(SETTLE)
    after = house.figures()
    own = time.process_time()
    await asyncio.sleep(chosen.seconds)
    later = house.figures()
    return {
        "sockets": len(lines),
        "messages that greeted them": heard,
        "KiB of the server's memory for a socket": (after["rss"] - before) / len(lines) / 1024,
        "MiB of the server's memory, all": after["rss"] / 2**20,
        "processor, of one core, %: server": (later["cpu"] - after["cpu"]) / chosen.seconds * 100,
        "processor, of one core, %: these guests": (time.process_time() - own) / chosen.seconds * 100,
        "load of the machine": f"{os.getloadavg()[0]:.1f} on {os.cpu_count()} cores",
    }


async def started(house: Server, chosen: argparse.Namespace) -> dict[str, Any]:
    """From a killed server to one that can be asked, beside what an empty one takes."""
    load = Load(house, chosen, lambda _table: None)
    await load.begin()
    entries = house.stored()["entries"]
    for line in (line for table in load.tables for line in table.lines):
        assert line.transport is not None
        line.transport.abort()
    begun = time.perf_counter()
    house.again()
    return {
        "tables whose games go on": len(load.tables),
        "entries in their logs": entries,
        "s from its start until it answers": time.perf_counter() - begun,
        "s of its processor": house.figures()["cpu"],
        "MiB of the server's memory, all": house.figures()["rss"] / 2**20,
        "load of the machine": f"{os.getloadavg()[0]:.1f} on {os.cpu_count()} cores",
    }


if __name__ == "__main__":
    main()
