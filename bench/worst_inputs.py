"""What the worst requests cost the event loop, in processor time: `python -m bench.worst_inputs`.

A server runs in a thread of its own, its limits on how often taken away, those on sizes in place. Each input is sent
some times, one after the other, and the processor time of that thread is taken before and after: all that it does for
the request, whether in one go or in parts. Other programs on the machine hardly change that. Goal: 50 ms each. Beside
it stands how much of the loop one address can take with this input alone, as often as its limits let it.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import http.client
import json
import random
import sys
import threading
import time
from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass, field, replace
from socket import create_connection
from typing import Any, Final
from urllib.parse import quote, urlsplit

import msgspec
from websockets.exceptions import ConnectionClosed
from websockets.frames import Frame, Opcode
from websockets.sync.client import ClientConnection, connect

from hexholm.host.bot_pool.bot_pool import BotsAtOnce
from hexholm.host.storage import Storage
from hexholm.host.tables import log
from hexholm.host.tables.hall.hall import Hall
from hexholm.host.tables.hall.opening import read_settings
from hexholm.host.tables.running.log_size import MOST_LOGGED, MOST_REMARK_SIZE
from hexholm.host.tables.running.runner import TableRunner
from hexholm.host.tables.seats import Guest
from hexholm.host.tables.services.durations import Durations
from hexholm.host.tables.table_decision import Decision
from hexholm.host.web.admission.limits import UNLIMITED, Buckets, Limits, Rate
from hexholm.host.web.context import Spending
from hexholm.host.web.operations.server_log import new_logger
from hexholm.host.web.operations.settings import Address, Settings
from hexholm.host.web.server import Application, listen, make_application, run_until
from hexholm.host.wire import api, messages

LIMITS: Final = Limits()
RATES_BY_BUCKET: Final[dict[Spending, Rate]] = {
    "requests": LIMITS.requests,
    "reading": LIMITS.reading,
    "writing": LIMITS.writing,
    "records": LIMITS.records,
    "lookups": LIMITS.lookups,
    "commands_of_address": LIMITS.commands_of_address,
}
"""How often one address may ask, by the name of the limit in the context."""
GOAL: Final = 50.0
"""Milliseconds."""
COLORS: Final = ("red", "blue", "white", "orange")
QUIET: Final = 0.05
"""Seconds without processor time after which the server has nothing more to do for a request."""
LONGEST_QUIET: Final = 20.0
SILENCE: Final = 0.5
"""Seconds without a message after which a socket is thought to have said all."""


@dataclass
class House:
    """A server that runs in a thread, and what is in it."""

    url: str = ""
    clock: int = 0
    """Of the processor time of its thread."""
    finished: str = ""
    running: str = ""
    token: str = ""
    long: str = ""
    """A running game whose log is nearly full."""
    long_token: str = ""
    ended: str = ""
    """A finished game whose log is nearly full."""
    talk: str = ""
    """A running game at which as much was said as there is room for."""
    talk_token: str = ""
    leaver: str = ""
    """The cookie of a guest with ten tables and the game with the talk, who is deleted."""
    spent: set[str] = field(default_factory=set)
    """The limits that counted something lately, by their names in the context."""
    cookie: str = ""
    stop: Callable[[], None] = lambda: None
    app: list[Application] = field(default_factory=list)

    @property
    def host(self) -> str:
        return urlsplit(self.url).netloc

    def loop_seconds(self) -> float:
        """The processor time of the event loop so far."""
        return time.clock_gettime(self.clock)

    def until_quiet(self) -> None:
        """Until it does nothing more."""
        end, seconds = time.monotonic() + LONGEST_QUIET, self.loop_seconds()
        while time.monotonic() < end:
            time.sleep(QUIET)
            before, seconds = seconds, self.loop_seconds()
            if seconds - before < 0.05 * QUIET:
                return


class NotedBuckets(Buckets):
    """Those of one limit, which note that something was counted."""

    def __init__(self, name: str, spent: set[str]) -> None:
        super().__init__(Rate(UNLIMITED, UNLIMITED))
        self._name, self._spent = name, spent

    def spend(self, key: Hashable, cost: float = 1) -> bool:
        self._spent.add(self._name)
        return super().spend(key, cost)


@contextlib.contextmanager
def open_house(tables: int, moves: int, log_bytes: int = MOST_LOGGED - 64 * 1024) -> Iterator[House]:
    """A server with so many tables, a running game and a finished one of so many moves, and one with a long log."""
    house, up = House(), threading.Event()

    def run() -> None:
        try:
            asyncio.run(serve(house, up, tables, moves, log_bytes))
        finally:
            up.set()

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    up.wait()
    if not house.url:
        raise SystemExit("the server did not start")
    assert thread.ident is not None
    house.clock = time.pthread_getcpuclockid(thread.ident)
    try:
        yield house
    finally:
        house.stop()
        thread.join(60)


async def serve(house: House, up: threading.Event, tables: int, moves: int, log_bytes: int) -> None:
    loop, stop = asyncio.get_running_loop(), asyncio.Event()

    def stop_soon() -> None:
        loop.call_soon_threadsafe(stop.set)

    house.stop = stop_soon
    ready: asyncio.Future[Address] = loop.create_future()
    with contextlib.closing(listen("127.0.0.1", 0)) as listening:
        limits = replace(Limits.none(), patience=Limits().patience)  # how much noise a socket may make is no rate
        settings = Settings(port=int(listening.getsockname()[1]), limits=limits)
        async with Storage(":memory:") as storage:
            durations = Durations(away_after=1e9, bot_delay=(1e9, 1e9))
            hall = await Hall.open(storage, bots=BotsAtOnce(), durations=durations)
            app = make_application(hall, settings, logger=new_logger(level=40))
            house.cookie = f"hexholm_guest={app.context.identity.cookie_of('a' * 22)}"
            for _ in range(tables):
                await hall.create("a" * 22, new_settings(visibility="open"))
            house.running, house.token = await play(hall, moves)
            house.finished, _ = await play(hall, moves, end=True)
            house.long, house.long_token = await play(hall, 8)
            await fill_log(hall.loaded(house.long), log_bytes)
            house.ended, _ = await play(hall, 8)
            await fill_log(hall.loaded(house.ended), log_bytes)
            await hall.loaded(house.ended).write(hall.loaded(house.ended).table.decide_stop("capped", "enough"))
            house.talk, house.talk_token = await play(hall, 8, "b" * 22)
            await fill_with_talk(hall.loaded(house.talk), min(log_bytes, MOST_REMARK_SIZE))
            for _ in range(min(tables, 10)):
                await hall.create("b" * 22, new_settings())
            house.leaver = f"hexholm_guest={app.context.identity.cookie_of('b' * 22)}"
            for name in RATES_BY_BUCKET:
                app.context.buckets[name] = NotedBuckets(name, house.spent)
            running = asyncio.create_task(run_until(app, settings, listening, ready.set_result, stop))
            house.url = (await ready).here
            up.set()
            await running
            await hall.close()


def new_settings(**how: Any) -> Any:
    return read_settings(api.NewTable(name="Ann", **{"options": {"edition": "sixth"}, "visibility": "open", **how}))


async def play(hall: Hall, moves: int, creator: str = "a" * 22, *, end: bool = False) -> tuple[str, str]:
    """A game of four with so many random moves: its table, and the token of its first seat."""
    created_table = await hall.create(creator, new_settings(color="red"))
    runner, rng = hall.loaded(created_table.id), random.Random(1)
    guests = {"red": Guest(creator, "red")}
    for color in COLORS[1:]:
        guests[color] = runner.seat_access.identify(
            await runner.seat_access.take_seat(color, color * 4, color), color * 4
        )
    await runner.carry_out(guests["red"], messages.Begin(id="begin"))
    for number in range(moves):
        asked = runner.table.asked_colors()
        view = runner.table.view(asked[0]) if asked else None
        if view is None:
            break
        act = messages.Act(id=f"act {number}", action=rng.choice(view.legal_actions.texts))
        await runner.carry_out(guests[asked[0]], act)
    if end and runner.table.status == "playing":
        await runner.write(runner.table.decide_stop("capped", "that was enough"))
    return created_table.id, created_table.token or ""


async def fill_log(runner: TableRunner, size: int) -> None:
    """Let somebody be called otherwise until the log has so many bytes: no other entry is as short."""
    number = 0
    while runner.store.log_size.total < size:
        names = (f"Ann {number + i}" for i in range(100))
        bodies = tuple(log.Renamed(color="red", name=name, guest_id="a" * 22) for name in names)
        await runner.write(Decision(bodies))
        number += len(bodies)


async def fill_with_talk(runner: TableRunner, size: int) -> None:
    """Let the first seat say so much in short remarks."""
    while runner.store.log_size.remarks["red"] < size:
        bodies = tuple(log.Said(color="red", text=f"ore? {number}", guest_id="b" * 22) for number in range(100))
        await runner.write(Decision(bodies))


# --- asking -----------------------------------------------------------------------------------------------------------


def request(
    method: str, path: str, body: bytes | None = None, *, leaves: bool = False, **headers: str
) -> Callable[[House], str]:
    """A request, sent as it is; the status of its answer."""

    def ask(house: House) -> str:
        line = http.client.HTTPConnection(house.host, timeout=60)
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        if body is not None:
            named.setdefault("Content-Type", "application/json")
        target = path.format(finished=house.finished, running=house.running, long=house.long, ended=house.ended)
        with contextlib.closing(line):
            line.request(method, target, body, {"Cookie": house.leaver if leaves else house.cookie, **named})
            answer = line.getresponse()
            answer.read()
            return str(answer.status)

    return ask


def many_headers(house: House) -> str:
    """As many headers as a request can have."""
    line = http.client.HTTPConnection(house.host, timeout=60)
    with contextlib.closing(line):
        line.putrequest("GET", "/api/me")
        for _ in range(10_000):
            line.putheader("a", "")
        with contextlib.suppress(OSError, http.client.HTTPException):
            line.endheaders()
            return str(line.getresponse().status)
    return "cut off"


def sent_raw(head: str, body: bytes) -> Callable[[House], str]:
    """A request written by hand, all of it in one go; the status of its answer."""

    def ask(house: House) -> str:
        name, _, port = house.host.rpartition(":")
        heard = b""
        with create_connection((name, int(port)), timeout=60) as line, contextlib.suppress(ConnectionError):
            line.sendall(f"{head}\r\nHost: {house.host}\r\nConnection: close\r\n".encode() + body)
            while some := line.recv(65_536):
                heard += some
        return heard[9:12].decode() or "cut off"

    return ask


def socket(
    *texts: str | Frame | bytes,
    since: int | None = None,
    watching: bool = False,
    long: bool = False,
    much_said: bool = False,
) -> Callable[[House], str]:
    """A socket that greets, sends all of these and hears what comes, until there is nothing more for a moment."""

    def talk(house: House) -> str:
        table, token = (house.long, house.long_token) if long else (house.running, house.token)
        if much_said:
            table, token = house.talk, house.talk_token
        address = f"ws://{house.host}/ws/tables/{table}"
        with connect(address, compression=None, max_size=None, max_queue=None, proxy=None) as line:
            hello = {"type": "hello", "protocol": 1, "token": None if watching else token, "since": since}
            line.send(json.dumps(hello))
            n_messages = 0
            try:
                line.recv(timeout=60)
                for text in texts:
                    send_raw(line, text)
                while True:
                    line.recv(timeout=SILENCE)
                    n_messages += 1
            except TimeoutError:
                return f"{n_messages + 1} messages"
            except ConnectionClosed as error:
                return f"closed {error.rcvd.code if error.rcvd else ''}".strip()

    return talk


def send_raw(line: ClientConnection, text: str | Frame | bytes) -> None:
    if isinstance(text, str):
        line.send(text)
    else:
        with contextlib.suppress(OSError):
            line.socket.sendall(text if isinstance(text, bytes) else text.serialize(mask=True))


def tool(name: str, *, long: bool = False, **arguments: Any) -> Callable[[House], str]:
    """A call of an assistant."""

    def call(house: House) -> str:
        table, token = (house.long, house.long_token) if long else (house.running, house.token)
        known = {"table": table, "token": token} | arguments
        wanted = {key: value for key, value in known.items() if value is not None}
        params = {"name": name, "arguments": wanted}
        body = msgspec.json.encode({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params})
        accept = "application/json, text/event-stream"
        return request("POST", "/mcp", body, Accept=accept, Mcp_Protocol_Version="2025-06-18")(house)

    return call


def table_body(**how: Any) -> bytes:
    return json.dumps({"name": "Ann", **how}).encode()


def command(kind: str, **fields: Any) -> str:
    return json.dumps({"type": kind, "id": "1", **fields})


def act(action: str) -> str:
    return command("act", action=action)


def why(action: str) -> str:
    return command("why", action=action)


NEW: Final = "/api/tables"
LARGE: Final = 32_000
BOARD: Final = 16_000
CHUNKS: Final = b"Transfer-Encoding: chunked\r\n\r\n" + b"1\r\na\r\n" * 43_000 + b"0\r\n\r\n"
INPUTS: Final[dict[str, Callable[[House], str]]] = {
    "board: one key of 8,000 parts": request("POST", NEW, table_body(board="a." * 7_999 + "a=1")),
    "board: 2,600 keys": request("POST", NEW, table_body(board="".join(f"a{n}=1\n" for n in range(2_000)))),
    "board: keys of 8 parts": request("POST", NEW, table_body(board="a.b.c.d.e.f.g.h%d=1\n" * 1 % 1 + "".join(
        f"a.b.c.d.e.f.g{n}.h=1\n" for n in range(700)))),
    "board: tables of tables": request("POST", NEW, table_body(board="".join(f"[a.b.c{n}]\n" for n in range(1_300)))),
    "board: an array of 7,900": request("POST", NEW, table_body(board=f"hexes = [{'1,' * 7_900}]")),
    "board: 16,000 quotation marks": request("POST", NEW, table_body(board='"' * BOARD)),
    "board: 16,000 backslashes in quotes": request("POST", NEW, table_body(board='a = "' + "\\" * (BOARD - 6) + '"')),
    "board: 300 wrong hexes": request("POST", NEW, table_body(board="[hexes]\n" + "".join(
        f'x{n} = "desert"\n' for n in range(800)))),
    "new table": request("POST", NEW, table_body(options={"edition": "sixth"})),
    "new table: options nested": request("POST", NEW, b'{"name":"a","options":' + b'{"a":' * 6_000),
    "JSON: 16,000 lists in lists": request("POST", NEW, b"[" * LARGE),
    "JSON: a number of 32,000 digits": request("POST", NEW, b'{"name":"a","board_seed":' + b"9" * LARGE + b"}"),
    "JSON: 10,000 numbers": request("POST", NEW, b'{"name":"a","options":{"a":[' + b"1.0," * 7_900 + b"1]}}"),
    "JSON: 4,000 unknown keys": request("POST", NEW, json.dumps({f"k{n}": n for n in range(2_500)}).encode()),
    "cookie: 16,000 backslashes": request("GET", "/api/me", Cookie='hexholm_guest="' + "\\" * BOARD),
    "cookie: 60,000 backslashes": request("GET", "/api/me", Cookie='hexholm_guest="' + "\\" * 60_000),
    "cookie: 8,000 pairs": request("GET", "/api/me", Cookie="a=;" * 5_400),
    "header: 60,000 characters of a bearer": request("GET", "/api/me", Authorization="Bearer " + "a" * 60_000),
    "header: 10,000 of them": many_headers,
    "header: an Accept-Encoding of 60,000": request("GET", "/api/editions", Accept_Encoding="a;q=0," * 10_000),
    "header: an If-None-Match of 60,000": request("GET", "/", If_None_Match='"a",' * 15_000),
    "header: a Host of 60,000": request("GET", "/healthz", Host="a" * 60_000),
    "header: 64,000 of them": sent_raw("GET /api/me HTTP/1.1", b"a:\r\n" * 64_000 + b"\r\n"),
    "header: a Host with a zone of 3,000": request("GET", "/api/me", Host=f"[fe80::1%{'a' * 3_000}]"),
    "header: a Host with a user of 3,000": request("GET", "/api/me", Host="a" * 3_000 + "@127.0.0.1"),
    "body: 43,000 chunks, at an address that reads none": sent_raw("GET /healthz HTTP/1.1", CHUNKS),
    "body: 43,000 chunks, at one that reads it": sent_raw(
        "POST /api/tables HTTP/1.1\r\nContent-Type: application/json", CHUNKS),
    "body: 64,000 lines after the last chunk": sent_raw(
        "GET /healthz HTTP/1.1", b"Transfer-Encoding: chunked\r\n\r\n0\r\n" + b"a:\r\n" * 64_000 + b"\r\n"),
    "path of 60,000 characters": request("GET", "/api/tables/" + "a" * 60_000),
    "query of 20,000 parameters": request("GET", "/api/boards/preview?" + "a=1&" * 15_000),
    "lobby: 100 tables": request("GET", "/api/tables?limit=100"),
    "lobby: further back": request("GET", "/api/tables?limit=100&before=9e9"),
    "lobby: finished games": request("GET", "/api/tables?status=over&limit=100"),
    "lobby: open tables": request("GET", "/api/tables?status=open&limit=100"),
    "lobby: running games": request("GET", "/api/tables?status=playing&limit=100"),
    "own tables: 100": request("GET", "/api/me?limit=100"),
    "own tables: further back": request("GET", "/api/me?limit=100&before=9e9"),
    "statistics": request("GET", "/api/statistics"),
    "figures": request("GET", "/metrics"),
    "a table": request("GET", "/api/tables/{running}"),
    "long log: a table": request("GET", "/api/tables/{long}"),
    "long log: record": request("GET", "/api/tables/{long}/record"),
    "long log: all from the beginning": socket(since=0, long=True),
    "long talk: all from the beginning": socket(since=0, much_said=True),
    "long finished log: record": request("GET", "/api/tables/{ended}/record"),
    "long finished log: replay": request("GET", "/api/tables/{ended}/replay?eyes=referee"),
    "long finished log: summary": request("GET", "/api/tables/{ended}/summary"),
    "long finished log: dice": request("GET", "/api/tables/{ended}/dice"),
    "long log: look at all": tool("look", long=True, since=0),
    "preview: Zip!": request("GET", "/api/boards/preview?edition=zip&seed=7"),
    "preview: Zip!, the fairest": request("GET", "/api/boards/preview?edition=zip&seed=7&fair=true"),
    "picture of a board of Zip!": request("GET", "/api/boards/preview.svg?edition=zip&seed=8"),
    "record of a running game": request("GET", "/api/tables/{running}/record"),
    "record of a finished game": request("GET", "/api/tables/{finished}/record?form=json"),
    "replay": request("GET", "/api/tables/{finished}/replay?eyes=referee"),
    "replay: 100 views": request("GET", "/api/tables/{finished}/replay/views?eyes=referee&from=100&to=199"),
    "summary": request("GET", "/api/tables/{finished}/summary"),
    "picture of a table's board": request("GET", "/api/tables/{running}/board.svg?theme=dark&language=de"),
    "picture of a board": request("GET", "/api/boards/preview.svg?edition=fifth&setup=variable&seed=77"),
    "picture of the pieces": request("GET", "/api/drawings/kit.svg?theme=dark&colors=red.blue.white.orange"),
    "board: 9,000 colors": request("GET", "/api/boards/preview?colors=" + ",".join(f"c{i}" for i in range(9_000))),
    "board: 400 colors": request("GET", "/api/boards/preview?colors=" + ",".join(f"c{i}" for i in range(400))),
    "board: the fairest of many": request("GET", "/api/boards/preview?edition=fifth&setup=variable&fair=true"),
    "almanac: contents": request("GET", "/api/rules?edition=zip&language=de"),
    "almanac: search of 200 characters": request("GET", "/api/rules/search?text=" + quote("road trade " * 18)),
    "almanac: search of 20,000 characters": request("GET", "/api/rules/search?text=" + "a%20" * 15_000),
    "almanac: no such entry": request("GET", "/api/rules/entries/" + "longest" * 28),
    "almanac: compare": request("GET", "/api/rules/compare?editions=" + ",".join(["fifth", "sixth"] * 4_000)),
    "OpenAPI": request("GET", "/openapi.json"),
    "page": request("GET", "/t/{running}"),
    "socket: hello": socket(),
    "socket: hello, and all since the beginning": socket(since=0),
    "socket: 1,000 empty fragments": socket(*[Frame(Opcode.TEXT, b"", fin=False)], *[
        Frame(Opcode.CONT, b"", fin=False) for _ in range(1_010)]),
    "socket: 400,000 answers to no heartbeat": socket(Frame(Opcode.PONG, b"").serialize(mask=True) * 400_000),
    "socket: 43,000 empty messages": socket(Frame(Opcode.TEXT, b"").serialize(mask=True) * 43_000, watching=True),
    "socket: 43,000 empty frames, 99 a message": socket((
        Frame(Opcode.TEXT, b"", fin=False).serialize(mask=True)
        + Frame(Opcode.CONT, b"", fin=False).serialize(mask=True) * 97
        + Frame(Opcode.CONT, b"").serialize(mask=True)) * 434, watching=True),
    "socket: 32 KiB of lists": socket("[" * LARGE, watching=True),
    "socket: 64 KiB": socket("a" * 65_536, watching=True),
    "socket: 30 pings": socket(*[Frame(Opcode.PING, b"a" * 125) for _ in range(30)], watching=True),
    "socket: an action of 30,000 characters": socket(act("offer " + "ore " * 7_000 + ": wool to all")),
    "socket: an action of 30,000 digits": socket(act("settlement " + "9" * 30_000)),
    "socket: why, 30,000 characters": socket(why("road C3n " * 3_300)),
    "socket: why, an offer of all": socket(why("offer 99 ore 99 wool : 99 grain 99 brick to all")),
    "socket: a remark of 30,000 characters": socket(command("say", text="\u202e\u200d" * 5_000)),
    "socket: a name of 30,000 characters": socket(command("rename", name="\u0301" * 5_000)),
    "socket: a promise of 30,000 characters": socket(command("promise_word", promise="a" * 30_000)),
    "socket: a word of 30,000 characters": socket(command("open_word", word="\u0301" * 5_000)),
    "dice of a finished game": request("GET", "/api/tables/{finished}/dice"),
    "share a finished game": request("POST", "/api/tables/{finished}/share", b"{}"),
    "ratings": request("GET", "/api/ratings?limit=100"),
    "ratings: one's own": request("GET", "/api/me/ratings?limit=100"),
    "report: a remark": request("POST", "/api/tables/{running}/reports", json.dumps(
        {"what": "chat", "number": 1, "why": "\u0301" * 200}).encode()),
    "report: 30,000 characters": request("POST", "/api/tables/{running}/reports", json.dumps(
        {"what": "chat", "number": 1, "why": "a" * 30_000}).encode()),
    "recovery: made": request("POST", "/api/me/recoveries", b"{}"),
    "recovery: listed": request("GET", "/api/me/recoveries"),
    "recover: a wrong text": request("POST", "/api/me/recover", json.dumps({"text": "ABCD-" * 40}).encode()),
    "recover: 30,000 dashes": request("POST", "/api/me/recover", json.dumps({"text": "-" * 30_000}).encode()),
    "export of 2,000 tables": request("GET", "/api/me/export"),
    "assistant: look": tool("look"),
    "assistant: look at all": tool("look", since=0),
    "assistant: legal actions": tool("legal_actions"),
    "assistant: tables": tool("list_tables", table=None, token=None),
    "assistant: rules": tool("read_rules", table=None, token=None, edition="zip"),
    "assistant: a rule": tool("look_up_rule", table=None, token=None, what="road trade " * 18),
    "assistant: why not": tool("why_not", action="offer " + "ore " * 120 + ": wool to all"),
    "assistant: arguments nested": request("POST", "/mcp", b'{"jsonrpc":"2.0","id":1,"params":' + b"[" * 30_000),
    "delete a guest with ten tables and a long talk": request("DELETE", "/api/me?confirm=delete", leaves=True),
}  # fmt: skip


@dataclass(frozen=True)
class Cost:
    """What an input cost."""

    name: str
    answer: str
    first: float
    """Milliseconds of processor time of the event loop, the first time."""
    most: float
    """The most of the later times."""
    rate: float
    """So often a second one address may send it."""

    @property
    def share(self) -> float:
        """The share of the loop that one address takes with it; more than 1 is more than there is."""
        return self.most / 1000 * self.rate


def measure(house: House, name: str, times: int) -> Cost:
    """Send an input some times."""
    costs, answer = list[float](), ""
    house.spent.clear()
    for _ in range(times):
        house.until_quiet()
        before = house.loop_seconds()
        answer = INPUTS[name](house)
        house.until_quiet()
        costs.append((house.loop_seconds() - before) * 1000)
    rate = min((rate.per_second for bucket, rate in RATES_BY_BUCKET.items() if bucket in house.spent), default=0.0)
    return Cost(name, answer, costs[0], max(costs[1:] or costs), rate)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--tables", type=int, default=2000, help="tables in the house (default 2000)")
    parser.add_argument("--moves", type=int, default=1000, help="moves of its games (default 1000)")
    parser.add_argument("--times", type=int, default=3, help="how often each input is sent (default 3)")
    parser.add_argument("--only", default="", help="inputs whose name has this in it")
    arguments = parser.parse_args()
    costs = []
    with open_house(arguments.tables, arguments.moves) as house:
        for name in INPUTS:
            if arguments.only in name:
                costs.append(measure(house, name, arguments.times))
                cost = costs[-1]
                times = f"{cost.first:8.1f} {cost.most:8.1f} ms {cost.rate:6.0f}/s {cost.share:7.0%}"
                print(f"{cost.name:<46} {times}  {cost.answer}", flush=True)
    worst = max(costs, key=lambda cost: max(cost.first, cost.most))
    over = sum(max(cost.first, cost.most) > GOAL for cost in costs)
    print(f"{len(costs)} inputs, {over} of them over {GOAL:.0f} ms; the worst: {worst.name}")
    sys.exit(bool(over))


if __name__ == "__main__":
    main()
