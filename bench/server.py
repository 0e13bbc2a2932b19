"""How much a server can take, over loopback, on a database of its own: `python -m bench.server all`.

There are `open`, `closed`, `overload`, `idle` and `start`, and `all` of them.

The server runs in a process of its own: the real one, with SQLite in a temporary folder unless --db names a database of
PostgreSQL. This process plays the guests, with as little work of its own as can be: it reads no more of a message than
it must, lest it be what is measured. Every seat is a socket, and what is played are random legal actions, offers not
among them. All stops by itself.

- *closed*: at every table the next action is sent as soon as all have been told the last one: the highest rate.
- *open*: so many commands a second at every table, come what may. A command that is due while the last one is still on
  its way counts from when it was due.
- *overload*: first the highest rate, as in *closed*, then twice that, or --rate: what is refused because the server is
  busy is not sent again, no guest minds when it should come back, and what is due while the last command of its table
  is on its way is sent right after it. What is let in should keep its 99 % under 500 ms.
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
SHED: Final = "shed\n"
USUAL_RATE: Final = 5.0
"""Commands a second at a table, if nobody says."""
OVERLOAD: Final = 2.0
"""So many times the highest rate is too much."""
MOST_OWED: Final = 3
"""Commands of a table that may be due while its last one is on its way; more are left out."""
LONGEST: Final = 600.0
"""Seconds after which a run is given up."""


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("what", choices=("open", "closed", "overload", "idle", "start", "all", "serve"))
    parser.add_argument("--seconds", type=float, default=20.0, help="time for each figure (default 20)")
    parser.add_argument("--tables", type=int, default=200, help="tables of four seats (default 200)")
    parser.add_argument("--watchers", type=int, default=0, help="sockets of the public at every table (default 0)")
    parser.add_argument(
        "--rate",
        type=float,
        help="open, overload: commands a second at a table (default 5; overload: so many that it is twice the highest)",
    )
    parser.add_argument("--sockets", type=int, default=2000, help="idle: so many (default 2000)")
    parser.add_argument("--before", type=int, default=40, help="commands at every table before it counts (default 40)")
    parser.add_argument("--durability", choices=("normal", "full"), default="normal")
    parser.add_argument("--folder", help="where to make the database (default: a temporary folder)")
    parser.add_argument("--db", help="an empty PostgreSQL database, postgresql://... (default: an SQLite file)")
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of lines")
    parser.add_argument("--database", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    raise_file_limit()
    if arguments.what == "serve":
        asyncio.run(serve(arguments.database, arguments.durability))
        return
    figures: dict[str, Any] = {}
    for name in ("closed", "open", "overload", "idle", "start") if arguments.what == "all" else (arguments.what,):
        with (
            tempfile.TemporaryDirectory(dir=arguments.folder) as folder,
            Server(folder, arguments.durability, arguments.db) as server,
        ):
            measure = {
                "closed": measure_closed,
                "open": measure_open,
                "overload": measure_overload,
                "idle": measure_idle,
                "start": measure_start,
            }[name]
            figures[name] = asyncio.run(asyncio.wait_for(measure(server, arguments), LONGEST + arguments.seconds))
    if arguments.json:
        print(json.dumps(figures))
        return
    for name, values in figures.items():
        print(f"{name}:")
        for figure, value in values.items():
            print(f"  {figure:<58} {f'{value:,.1f}' if isinstance(value, float) else value}")


def raise_file_limit() -> None:
    """A socket is an open file; as many as this machine allows."""
    _soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


# --- the server, in a process of its own ------------------------------------------------------------------------------


async def serve(database: str, durability: Any) -> None:
    """Serve until stdin ends; a line on it is answered with a line of figures. From the line SHED on load is shed."""
    from hexholm.host.tables.services.durations import Durations
    from hexholm.host.web import context
    from hexholm.host.web.admission.limits import Limits
    from hexholm.host.web.admission.load_shedding import Shedding
    from hexholm.host.web.operations.server_log import new_logger
    from hexholm.host.web.operations.settings import Address, Settings
    from hexholm.host.web.server import serve_until_stopped

    loop, stop, lags = asyncio.get_running_loop(), asyncio.Event(), list[float]()

    def on_ready(address: Address) -> None:
        print(address.here, flush=True)
        loop.add_reader(sys.stdin.fileno(), answer_line)

    def answer_line() -> None:
        line = sys.stdin.readline()
        if line == SHED:
            sheddings[0].wait_from = Limits().wait_from
        if not line:
            loop.remove_reader(sys.stdin.fileno())
            stop.set()
            return
        lags.sort()
        lag = lags[int(len(lags) * 0.99)] if lags else 0.0
        lags.clear()
        print(
            json.dumps({"cpu": time.process_time(), "loop": time.thread_time(), "lag": lag, "rss": memory_bytes()}),
            flush=True,
        )

    async def watch() -> None:
        while True:
            wake_time = loop.time() + 0.01
            await asyncio.sleep(0.01)
            lags.append(loop.time() - wake_time)

    watching = asyncio.create_task(watch())
    settings = Settings(port=0, limits=Limits.none())
    sheddings = list[Shedding]()

    def new_shedding(wait_from: float, *how: Any) -> Shedding:
        sheddings.append(Shedding(wait_from, *how))
        return sheddings[-1]

    vars(context)["Shedding"] = new_shedding  # so that we have it
    logger = new_logger(level=40)
    await serve_until_stopped(
        database,
        settings,
        durability=durability,
        ready=on_ready,
        stop=stop,
        logger=logger,
        durations=Durations(away_after=1e9),
    )
    watching.cancel()


def memory_bytes() -> int:
    """Bytes of memory that this process has now; 0 where the system does not tell."""
    status = Path("/proc/self/status")
    if not status.exists():
        return 0
    return next(int(line.split()[1]) * 1024 for line in status.read_text().splitlines() if line.startswith("VmRSS"))


class Server:
    """The server's process, seen from outside."""

    def __init__(self, folder: str, durability: str, database: str | None = None) -> None:
        self._command = [sys.executable, "-m", "bench.server", "serve", "--durability", durability]
        self._command += ["--database", database or str(Path(folder) / "bench.db")]
        self._process = self._start_process()

    def _start_process(self) -> subprocess.Popen[str]:
        return subprocess.Popen(self._command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def restart(self) -> None:
        """Kill it, and begin anew on the same database; returns when it is there."""
        self._process.kill()
        self._process.wait()
        self._process = self._start_process()
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

    def figures(self, line: str = "\n") -> dict[str, float]:
        """Processor time of the process and of its event loop, how late that was since the last call, memory."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(line)
        self._process.stdin.flush()
        return dict(json.loads(self._process.stdout.readline()))

    def storage_counts(self) -> Counter[str]:
        """What its storage has done."""
        connection = http.client.HTTPConnection(self.host, timeout=60)
        with contextlib.closing(connection):
            connection.request("GET", "/metrics")
            text = connection.getresponse().read().decode()
        counts = re.findall(r'hexholm_storage_total\{what="(\w+)"\} ([\d.e+]+)', text)
        return Counter({name: int(float(value)) for name, value in counts})


# --- the guests -------------------------------------------------------------------------------------------------------


class Projection(msgspec.Struct):
    """What the guests need of a projection."""

    request: int
    legal: tuple[str, ...]


class NowMessage(msgspec.Struct):
    """What the guests need of `now`."""

    projection: Projection


_decode_now: Final = msgspec.json.Decoder(NowMessage).decode


class Socket(asyncio.Protocol):
    """One socket: bytes in, bytes out, no more of the protocol than is needed."""

    def __init__(self, host: str, table_id: str, token: str | None, hear: Callable[[bytes], None]) -> None:
        self._path, self._hear, self._host = f"/ws/tables/{table_id}", hear, host
        hello = {"type": "hello", "protocol": 1, "token": token}
        self._hello = msgspec.json.encode(hello)
        self._buffer = bytearray()
        self._is_open = False
        self.greeting: asyncio.Future[None] = asyncio.get_running_loop().create_future()
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
        if not self._is_open:
            end = buffer.find(b"\r\n\r\n")
            if end < 0:
                return
            if not buffer.startswith(b"HTTP/1.1 101"):
                raise SystemExit(f"no socket: {bytes(buffer[:end])!r}")
            del buffer[: end + 4]
            self._is_open = True
            self.send(self._hello)
        at, n_bytes = 0, len(buffer)
        while at + 2 <= n_bytes:
            opcode, size, start = buffer[at], buffer[at + 1], at + 2
            if size == 126:
                size, start = int.from_bytes(buffer[start : start + 2]), start + 2
            elif size == 127:
                size, start = int.from_bytes(buffer[start : start + 8]), start + 8
            if start + size > n_bytes:
                break
            message = bytes(buffer[start : start + size])
            at = start + size
            if opcode == 0x81:
                self._hear(message)
                if not self.greeting.done():
                    self.greeting.set_result(None)
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
    on_told: Callable[[Table], None]
    """Called when all have been told."""
    rng: random.Random
    sockets: list[Socket] = field(default_factory=list)
    legal: dict[int, tuple[int, tuple[str, ...]]] = field(default_factory=dict)
    """What each seat that is asked may do now, and the number of the question."""
    waiting: set[int] = field(default_factory=set)
    """The sockets that have not been told all of the last command."""
    sent_at: float = 0.0
    on_busy: Callable[[Table], None] | None = None
    """Called when a command was refused because there is too much to do."""
    ids: Iterator[int] = field(default_factory=itertools.count)

    async def join(self, host: str, tokens: Sequence[str | None]) -> None:
        """Open a socket for each token; None watches."""
        loop, (name, _, port) = asyncio.get_running_loop(), host.partition(":")
        for place, token in enumerate(tokens):
            socket = Socket(host, self.id, token, functools.partial(self.hear, place))
            await loop.create_connection(lambda socket=socket: socket, name, int(port))  # type: ignore[misc]
            self.sockets.append(socket)
        await asyncio.gather(*(socket.greeting for socket in self.sockets))

    def begin(self) -> None:
        """The first seat is the creator's."""
        self.waiting = set(range(len(self.sockets)))
        self.sent_at = time.perf_counter()
        self.sockets[0].send(b'{"type":"begin","id":"begin"}')

    def hear(self, place: int, message: bytes) -> None:
        """A message to one socket; it begins with its type."""
        if not message.startswith(b'{"type":"now"'):
            if message.startswith(b'{"type":"refused"'):
                if self.on_busy is None or b'"busy"' not in message:
                    raise SystemExit(message.decode())
                self.waiting.clear()
                self.on_busy(self)
            return
        if b'"asked":true' in message:
            projection = _decode_now(message).projection
            self.legal[place] = projection.request, projection.legal
        else:
            self.legal.pop(place, None)
        self.waiting.discard(place)
        if not self.waiting:
            self.on_told(self)

    def act(self, sent_at: float) -> bool:
        """Send some legal action; False when the game is over."""
        if not self.legal:
            return False
        place = self.rng.choice(sorted(self.legal))
        request, legal = self.legal[place]
        action = legal[int(len(legal) * self.rng.random())]
        several_asked = len(self.legal) > 1
        is_told_late = action.startswith("discard") and several_asked  # nobody is told before the last one has chosen
        self.waiting = {place} if is_told_late else set(range(len(self.sockets)))
        self.sent_at = sent_at
        self.sockets[place].send(
            b'{"type":"act","id":"%d","request":%d,"action":"%s"}' % (next(self.ids), request, action.encode())
        )
        return True


def new_tables(host: str, n: int, on_told: Callable[[Table], None]) -> list[Table]:
    """So many tables with four people each, over REST."""
    connection = http.client.HTTPConnection(host, timeout=60)
    tables = []

    def post(path: str, body: dict[str, Any]) -> Any:
        connection.request("POST", path, json.dumps(body), {"Content-Type": "application/json"})
        response = connection.getresponse()
        data = json.loads(response.read())
        if response.status >= 400:
            raise SystemExit(f"{path}: {data}")
        return data

    with contextlib.closing(connection):
        for number in range(n):
            response_data = post("/api/tables", {"name": "Ann", "options": {"edition": "sixth"}, "board_seed": number})
            path, free = (
                f"/api/tables/{response_data['table']['id']}",
                [s["color"] for s in response_data["table"]["seats"][1:]],
            )
            tokens = [post(f"{path}/seats/{color}", {"name": color})["token"] for color in free]
            tables.append(
                Table(response_data["table"]["id"], [response_data["token"], *tokens], on_told, random.Random(number))
            )
    return tables


async def until_quiet(tables: Sequence[Table]) -> None:
    """Until all have been told everything."""
    while any(table.waiting for table in tables):  # noqa: ASYNC110  # a look now and then costs least
        await asyncio.sleep(0.01)


class Load:
    """All tables, and what was measured."""

    def __init__(self, server: Server, arguments: argparse.Namespace, on_told: Callable[[Table], None]) -> None:
        self.server, self.arguments = server, arguments
        self.tables = new_tables(server.host, arguments.tables, on_told)
        self.times: list[float] = []
        self.games_over = 0

    async def begin(self) -> None:
        """Open all sockets, begin all games, play some way into them."""
        for table in self.tables:
            await table.join(self.server.host, [*table.tokens, *[None] * self.arguments.watchers])
        commands_left = Counter({table.id: self.arguments.before for table in self.tables})
        all_played = asyncio.Event()

        def on_told(table: Table) -> None:
            commands_left[table.id] -= 1
            if commands_left[table.id] >= 0:
                table.act(time.perf_counter())
            elif all(n < 0 for n in commands_left.values()):
                all_played.set()

        later_on_told, tables = self.tables[0].on_told, self.tables
        for table in tables:
            table.on_told = on_told
            table.begin()
        await all_played.wait()
        for table in tables:
            table.on_told = later_on_told

    def figures_of_run(
        self, seconds: float, figures_before: dict[str, float], stored_before: Counter[str], own_seconds: float
    ) -> dict[str, Any]:
        """The figures of the run, and what was busy."""
        figures_after, stored = self.server.figures(), self.server.storage_counts() - stored_before
        times = sorted(self.times)
        figures: dict[str, Any] = {
            "commands": len(times),
            "commands/s stored and told to all": len(times) / seconds,
        }
        for name, share in (("median", 0.5), ("95 %", 0.95), ("99 %", 0.99), ("99.9 %", 0.999)):
            figures[f"ms from command to the last socket: {name}"] = times[int(len(times) * share)] * 1000
        figures |= {
            "processor, of one core, %: server": (figures_after["cpu"] - figures_before["cpu"]) / seconds * 100,
            "processor, of one core, %: its event loop": (figures_after["loop"] - figures_before["loop"])
            / seconds
            * 100,
            "processor, of one core, %: these guests": (time.process_time() - own_seconds) / seconds * 100,
            "ms of the server's processor for a command": (figures_after["cpu"] - figures_before["cpu"])
            / len(times)
            * 1000,
            "ms that the event loop is late: 99 %": figures_after["lag"] * 1000,
            "commits/s": stored["commits"] / seconds,
            "entries in a commit": stored["entries"] / max(1, stored["commits"]),
            "load of the machine": f"{os.getloadavg()[0]:.1f} on {os.cpu_count()} cores",
        }
        if self.games_over:
            figures["games that were over"] = self.games_over
        return figures


async def measure_closed(server: Server, arguments: argparse.Namespace) -> dict[str, Any]:
    """The highest rate."""
    is_over = False

    def on_told(table: Table) -> None:
        time_now = time.perf_counter()
        load.times.append(time_now - table.sent_at)
        if not is_over and not table.act(time_now):
            load.games_over += 1

    load = Load(server, arguments, on_told)
    await load.begin()
    figures_before, stored_before, own_seconds, started_at = (
        server.figures(),
        server.storage_counts(),
        time.process_time(),
        time.perf_counter(),
    )
    for table in load.tables:
        table.act(time.perf_counter())
    await asyncio.sleep(arguments.seconds)
    is_over = True
    return load.figures_of_run(time.perf_counter() - started_at, figures_before, stored_before, own_seconds)


async def measure_open(server: Server, arguments: argparse.Namespace) -> dict[str, Any]:
    """So many commands a second, whatever happens."""
    due_times: dict[str, list[float]] = {}
    rate = arguments.rate or USUAL_RATE

    def on_told(table: Table) -> None:
        load.times.append(time.perf_counter() - table.sent_at)
        if due_times[table.id] and not table.act(due_times[table.id].pop(0)):
            load.games_over += 1

    async def drive(table: Table, first_time: float) -> None:
        for number in range(int(arguments.seconds * rate)):
            due_time = first_time + number / rate
            await asyncio.sleep(max(0.0, due_time - time.perf_counter()))
            if table.waiting:
                due_times[table.id].append(due_time)
            else:
                table.act(due_time)

    load = Load(server, arguments, on_told)
    due_times = {table.id: [] for table in load.tables}
    await load.begin()
    figures_before, stored_before, own_seconds, started_at = (
        server.figures(),
        server.storage_counts(),
        time.process_time(),
        time.perf_counter(),
    )
    spread = 1 / rate / len(load.tables)
    await asyncio.gather(*(drive(table, started_at + number * spread) for number, table in enumerate(load.tables)))
    await until_quiet(load.tables)
    return load.figures_of_run(time.perf_counter() - started_at, figures_before, stored_before, own_seconds)


async def measure_overload(server: Server, arguments: argparse.Namespace) -> dict[str, Any]:
    """More than can be done: what is let in, how long that takes, and how soon the rest is refused."""
    refusal_times: list[float] = []
    owed: Counter[str] = Counter()
    n_asked = n_left_out = n_done = 0
    is_closed = is_over = False

    def ask(table: Table) -> None:
        nonlocal n_asked
        if table.act(time.perf_counter()):
            n_asked += 1
        else:
            load.games_over += 1

    def ask_owed(table: Table) -> None:
        if owed[table.id] and not is_over:
            owed[table.id] -= 1
            ask(table)

    def on_told(table: Table) -> None:
        nonlocal n_done
        n_done += 1
        if is_closed:
            table.act(time.perf_counter())
            return
        load.times.append(time.perf_counter() - table.sent_at)
        ask_owed(table)

    def on_busy(table: Table) -> None:
        refusal_times.append(time.perf_counter() - table.sent_at)
        asyncio.get_running_loop().call_soon(ask_owed, table)  # not within this call: it may be refused at once, too

    async def drive(table: Table, first_time: float) -> None:
        nonlocal n_left_out
        for number in range(int(arguments.seconds * rate)):
            await asyncio.sleep(max(0.0, first_time + number / rate - time.perf_counter()))
            if not table.waiting:
                ask(table)
            elif owed[table.id] < MOST_OWED:
                owed[table.id] += 1
            else:
                n_left_out += 1

    load = Load(server, arguments, on_told)
    await load.begin()
    is_closed, n_done, started_at = True, 0, time.perf_counter()
    for table in load.tables:
        table.act(time.perf_counter())
    await asyncio.sleep(arguments.seconds)
    is_closed, highest = False, n_done / (time.perf_counter() - started_at)
    await until_quiet(load.tables)
    load.times.clear()
    rate = arguments.rate or OVERLOAD * highest / len(load.tables)
    for table in load.tables:
        table.on_busy = on_busy
    server.figures(SHED)
    figures_before, stored_before, own_seconds, started_at = (
        server.figures(),
        server.storage_counts(),
        time.process_time(),
        time.perf_counter(),
    )
    spread = 1 / rate / len(load.tables)
    await asyncio.gather(*(drive(table, started_at + number * spread) for number, table in enumerate(load.tables)))
    is_over, seconds = True, time.perf_counter() - started_at
    n_asked_in_time = n_asked
    await until_quiet(load.tables)
    refusal_times.sort()
    return {
        "commands/s at the highest, before": highest,
        "commands/s asked": n_asked_in_time / seconds,
        "times the highest": n_asked_in_time / seconds / highest,
        "commands/s not asked: too many before were on their way": n_left_out / seconds,
        "commands/s refused as busy": len(refusal_times) / seconds,
        "ms until they were refused: 99 %": refusal_times[int(len(refusal_times) * 0.99)] * 1000
        if refusal_times
        else 0,
        **load.figures_of_run(seconds, figures_before, stored_before, own_seconds),
    }


async def measure_idle(server: Server, arguments: argparse.Namespace) -> dict[str, Any]:
    """What a socket costs that is open and silent, at tables where games have begun."""
    n_messages = 0

    def hear(_message: bytes) -> None:
        nonlocal n_messages
        n_messages += 1

    tables = new_tables(server.host, arguments.tables, lambda _table: None)
    for table in tables:
        await table.join(server.host, table.tokens[:1])
        table.begin()
    await until_quiet(tables)
    await asyncio.sleep(SETTLE)
    memory_before = server.figures()["rss"]
    loop, (name, _, port) = asyncio.get_running_loop(), server.host.partition(":")
    sockets = []
    for number in range(arguments.sockets):  # the other seats first, then those who watch
        place, table_index = divmod(number, len(tables))
        tokens = [*tables[table_index].tokens[1:], *[None] * (place + 1)]
        socket = Socket(server.host, tables[table_index].id, tokens[place], hear)
        await loop.create_connection(lambda socket=socket: socket, name, int(port))  # type: ignore[misc]
        sockets.append(socket)
    await asyncio.gather(*(socket.greeting for socket in sockets))
    await asyncio.sleep(SETTLE)
    figures_after = server.figures()
    own_seconds = time.process_time()
    await asyncio.sleep(arguments.seconds)
    figures_later = server.figures()
    return {
        "sockets": len(sockets),
        "messages that greeted them": n_messages,
        "KiB of the server's memory for a socket": (figures_after["rss"] - memory_before) / len(sockets) / 1024,
        "MiB of the server's memory, all": figures_after["rss"] / 2**20,
        "processor, of one core, %: server": (figures_later["cpu"] - figures_after["cpu"]) / arguments.seconds * 100,
        "processor, of one core, %: these guests": (time.process_time() - own_seconds) / arguments.seconds * 100,
        "load of the machine": f"{os.getloadavg()[0]:.1f} on {os.cpu_count()} cores",
    }


async def measure_start(server: Server, arguments: argparse.Namespace) -> dict[str, Any]:
    """From a killed server to one that can be asked, beside what an empty one takes."""
    load = Load(server, arguments, lambda _table: None)
    await load.begin()
    entries = server.storage_counts()["entries"]
    for socket in (socket for table in load.tables for socket in table.sockets):
        assert socket.transport is not None
        socket.transport.abort()
    started_at = time.perf_counter()
    server.restart()
    return {
        "tables whose games go on": len(load.tables),
        "entries in their logs": entries,
        "s from its start until it answers": time.perf_counter() - started_at,
        "s of its processor": server.figures()["cpu"],
        "MiB of the server's memory, all": server.figures()["rss"] / 2**20,
        "load of the machine": f"{os.getloadavg()[0]:.1f} on {os.cpu_count()} cores",
    }


if __name__ == "__main__":
    main()
