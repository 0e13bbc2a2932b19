"""How connections end: what the log says of it, and those who are there no more without saying so."""

from __future__ import annotations

import asyncio
import base64
import contextlib
import http.client
import io
from dataclasses import replace
from socket import create_connection, socket
from time import monotonic, sleep
from typing import Any
from urllib.parse import urlsplit

import msgspec
import pytest
from websockets.exceptions import ConnectionClosed
from websockets.frames import Frame, Opcode

from hexholm.host.client import Client
from hexholm.host.web import server, sockets
from hexholm.host.web.admission.limits import Limits, Rate
from hexholm.host.web.operations.server_log import new_logger
from hexholm.host.web.operations.settings import Settings
from hexholm.host.web.transport import fast_socket, http_protocols
from hexholm.host.wire.messages import Done, Hello, Rename

from ..servers import hear, new_table, open_socket, read_to_close_code, run_server, say

pytestmark = pytest.mark.waits


def test_the_log_says_why_a_connection_was_closed() -> None:
    stream = io.StringIO()
    with run_server(logger=new_logger(stream, as_json=True)) as url:
        table = new_table(url).json["table"]["id"]
        for frame in ("x" * 2**20, b"\xff\xfe", None):
            with open_socket(url, table) as line:
                hear(line, Hello)
                if frame is not None:
                    line.send(frame, text=True)
                    read_to_close_code(line)
    lines = [msgspec.json.decode(line) for line in stream.getvalue().splitlines()]
    closed = [line["why"] for line in lines if line["event"] == "socket closed"]
    assert closed == ["too large", "broken", "left"]


def test_sockets_of_strangers_that_come_and_go_do_not_fill_the_log() -> None:
    stream = io.StringIO()
    with run_server(logger=new_logger(stream, as_json=True)) as url:
        table = new_table(url).json["table"]["id"]
        for _ in range(60):
            with open_socket(url, table) as line:
                hear(line, Hello)
    lines = [msgspec.json.decode(line) for line in stream.getvalue().splitlines()]
    opened = [line for line in lines if line["event"] == "socket opened"]
    assert 20 <= len(opened) < 60
    assert len([line for line in lines if line["event"] == "socket closed"]) == len(opened)


def test_a_client_in_python_leaves_as_one_who_leaves() -> None:
    stream = io.StringIO()

    async def look(url: str, table: str) -> None:
        async with Client(url).join(table):
            pass

    with run_server(logger=new_logger(stream, as_json=True)) as url:
        asyncio.run(look(url, new_table(url).json["table"]["id"]))
    closed = [msgspec.json.decode(line) for line in stream.getvalue().splitlines() if "socket closed" in line]
    assert [line["why"] for line in closed] == ["left"]


def test_who_answers_no_heartbeat_is_given_up_and_the_others_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "PING_EVERY", 1.0)
    stream = io.StringIO()
    with run_server(logger=new_logger(stream, as_json=True)) as url:
        table = new_table(url).json["table"]["id"]
        key, where = base64.b64encode(b"x" * 16).decode(), urlsplit(url).netloc
        head = [f"GET /ws/tables/{table} HTTP/1.1", f"Host: {where}", "Upgrade: websocket", "Connection: Upgrade"]
        head += [f"Sec-WebSocket-Key: {key}", "Sec-WebSocket-Version: 13", "", ""]
        hello = Frame(Opcode.TEXT, b'{"type":"hello","protocol":1}').serialize(mask=True)
        with (
            open_socket(url, table) as other_line,
            create_connection(("127.0.0.1", urlsplit(url).port), timeout=10) as silent,
        ):
            hear(other_line, Hello)
            silent.sendall("\r\n".join(head).encode())
            heard = silent.recv(65_536)
            silent.sendall(hello)
            while some := silent.recv(65_536):  # it takes all it is told, pings too, and says nothing
                heard += some
            assert b'"hello"' in heard
            assert Frame(Opcode.PING, b"").serialize(mask=False)[:1] in heard
            other_line.send('{"type":"ping"}')
            while msgspec.json.decode(other_line.recv(timeout=10))["type"] != "pong":
                pass
    closed = [msgspec.json.decode(line) for line in stream.getvalue().splitlines() if "socket closed" in line]
    assert [line["why"] for line in closed] == ["silent", "left"]


@pytest.mark.parametrize(
    "some",
    [
        "",
        "GET /healthz HT",
        "POST /api/tables HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{",
        "GET /healthz HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99\r\n\r\n",
        "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\nGET /healthz HT",
    ],
)
def test_who_never_comes_to_the_end_of_a_request_is_given_up_however_slowly_it_goes_on(
    some: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(http_protocols, "REQUEST_PATIENCE", 0.6)
    stream = io.StringIO()
    with run_server(logger=new_logger(stream, as_json=True)) as url:
        began = monotonic()
        way = create_connection(("127.0.0.1", urlsplit(url).port), timeout=0.1)
        with way as slow, contextlib.suppress(ConnectionError):
            slow.sendall(some.encode())
            while True:
                with contextlib.suppress(TimeoutError):
                    if not slow.recv(65_536):
                        break
                    continue
                slow.sendall(b"x" if some else b"")
                if monotonic() > began + 60:
                    pytest.fail("it was not given up")
        assert monotonic() - began > 0.5
    assert '"level": "error"' not in stream.getvalue()


def test_a_socket_and_a_connection_that_is_used_again_outlive_the_time_for_a_request(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(http_protocols, "REQUEST_PATIENCE", 2.0)
    with run_server() as url:
        table = new_table(url).json["table"]["id"]
        second_request = http.client.HTTPConnection(urlsplit(url).netloc, timeout=10)
        with contextlib.closing(second_request), open_socket(url, table) as line:
            hear(line, Hello)
            second_request.connect()
            way = second_request.sock
            for _ in range(5):
                second_request.request("GET", "/healthz")
                assert second_request.getresponse().read()
                sleep(0.5)
            assert second_request.sock is way
            line.send('{"type":"ping"}')
            while msgspec.json.decode(line.recv(timeout=10))["type"] != "pong":
                pass


def test_a_flood_of_heartbeats_is_cut_off(url: str) -> None:
    """Half a million of them were answered in 15 seconds, past all limits."""
    response = new_table(url)
    with open_socket(url, response.json["table"]["id"]) as line:
        hear(line)
        most = int(http_protocols.PINGS.burst)
        for number in range(2 * most):
            with contextlib.suppress(ConnectionClosed):
                line.ping(f"{number}".encode())
        assert read_to_close_code(line) in (1008, 1006)  # what was sent meanwhile resets the connection


def test_a_few_heartbeats_are_answered(url: str) -> None:
    response = new_table(url)
    with open_socket(url, response.json["table"]["id"]) as line:
        hear(line)
        for _ in range(5):
            assert line.ping().wait(20)


def test_a_message_in_countless_empty_frames_is_cut_off(url: str) -> None:
    """They bring no bytes, so a limit of bytes does not find them."""
    response = new_table(url)
    with open_socket(url, response.json["table"]["id"]) as line:
        hear(line)
        most = http_protocols.MOST_FRAGMENTS
        frames = Frame(Opcode.TEXT, b"", fin=False).serialize(mask=True)
        frames += Frame(Opcode.CONT, b"", fin=False).serialize(mask=True) * (most + 10)
        line.socket.sendall(frames)
        assert read_to_close_code(line) == 1008


def raw_socket(url: str, table: str) -> socket:
    """A socket written by hand, open and not yet greeted: nothing between us and the frames."""
    line = create_connection(("127.0.0.1", urlsplit(url).port), timeout=20)
    head = [f"GET /ws/tables/{table} HTTP/1.1", f"Host: {urlsplit(url).netloc}", "Upgrade: websocket"]
    head += ["Connection: Upgrade", f"Sec-WebSocket-Key: {base64.b64encode(b'x' * 16).decode()}"]
    line.sendall("\r\n".join([*head, "Sec-WebSocket-Version: 13", "", ""]).encode())
    heard = b""
    while b"\r\n\r\n" not in heard:
        heard += line.recv(1)
    assert heard.startswith(b"HTTP/1.1 101")
    return line


def read_to_end(line: socket) -> bytes:
    """All that is said until the connection is at its end."""
    heard = b""
    with contextlib.suppress(ConnectionError):
        while some := line.recv(65_536):
            heard += some
    return heard


GREETING = Frame(Opcode.TEXT, b'{"type":"hello","protocol":1}').serialize(mask=True)
FLOOD = Frame(Opcode.CLOSE, (1008).to_bytes(2, "big")).serialize(mask=False)[2:]


@pytest.mark.parametrize("greeting", [GREETING, b""], ids=["greeted", "silent"])
@pytest.mark.parametrize("opcode", [Opcode.PONG, Opcode.CONT])
def test_frames_that_nobody_answers_are_a_flood(url: str, opcode: Opcode, greeting: bytes) -> None:
    """Answers to heartbeats that were never sent passed every limit; pieces of messages still did within one."""
    table = new_table(url).json["table"]["id"]
    frame = Frame(opcode, b"").serialize(mask=True)
    if opcode is Opcode.CONT:  # many messages, each in fewer frames than are forbidden
        start = Frame(Opcode.TEXT, b"", fin=False).serialize(mask=True)
        end = Frame(Opcode.CONT, b"", fin=True).serialize(mask=True)
        frame = start + 98 * Frame(Opcode.CONT, b"", fin=False).serialize(mask=True) + end
    with raw_socket(url, table) as line:
        line.sendall(greeting)
        with contextlib.suppress(ConnectionError):
            for _ in range(500):
                line.sendall(frame * (2_000 if opcode is Opcode.PONG else 20))
        heard = read_to_end(line)
        assert FLOOD in heard or not heard.endswith(b"}")  # what was sent meanwhile may reset the connection


def test_what_comes_after_the_end_is_counted_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """A guest who was turned away and does not close could go on sending until the server lost its patience."""
    begin = http_protocols.SocketProtocol.__init__

    def begin_patiently(self: http_protocols.SocketProtocol, *args: Any, **more: Any) -> None:
        begin(self, *args, **more)
        self.close_timeout = 1_000.0

    monkeypatch.setattr(http_protocols.SocketProtocol, "__init__", begin_patiently)
    with run_server(settings=Settings(limits=replace(Limits.none(), greeting_seconds=0.1))) as url:
        table = new_table(url).json["table"]["id"]
        for opcode in (Opcode.PONG, Opcode.PING, Opcode.TEXT, Opcode.BINARY):
            with raw_socket(url, table) as line:
                assert line.recv(1)  # that it was turned away
                with contextlib.suppress(ConnectionError):
                    for _ in range(10):
                        line.sendall(Frame(opcode, b"").serialize(mask=True) * 2_000)
                    read_to_end(line)


def test_of_many_messages_few_are_taken_apart_before_they_are_answered(url: str) -> None:
    """One read of empty messages put 43,000 of them into memory."""
    lengths = []
    put_nowait = fast_socket.ShortQueue.put_nowait

    def watched(queue: fast_socket.ShortQueue, item: Any) -> None:
        put_nowait(queue, item)
        lengths.append(queue.qsize())

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(fast_socket.ShortQueue, "put_nowait", watched)
        table = new_table(url).json["table"]["id"]
        ping = Frame(Opcode.TEXT, b'{"type":"ping"}').serialize(mask=True)
        with raw_socket(url, table) as line:
            line.sendall(GREETING + ping * 5_000)
            heard, answered = b"", 0
            while answered < 5_000:  # they waited, and none was lost
                heard += line.recv(65_536)
                answered = heard.count(b'"pong"')
    assert max(lengths) <= fast_socket.MESSAGES_AHEAD + 1


def test_a_flood_of_frames_does_not_hold_up_the_others(url: str) -> None:
    """All frames of one read were taken apart in one go."""
    turns = []
    receive_data = fast_socket.FrameReader.receive_data

    def watched(reader: fast_socket.FrameReader, data: bytes) -> None:
        before = reader.frames_left
        receive_data(reader, data)
        turns.append(before - reader.frames_left)

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(fast_socket.FrameReader, "receive_data", watched)
        with raw_socket(url, new_table(url).json["table"]["id"]) as line:
            with contextlib.suppress(ConnectionError):
                line.sendall(GREETING + Frame(Opcode.PONG, b"").serialize(mask=True) * 20_000)
            read_to_end(line)
    assert max(turns) <= fast_socket.FRAMES_AT_ONCE
    assert sum(turns) < 2 * http_protocols.FRAMES_BESIDE.burst


def test_who_is_honest_is_not_taken_for_a_flood(url: str) -> None:
    """Thirty heartbeats at once, a large message in small pieces, and answers that nobody asked for."""
    table = new_table(url).json["table"]["id"]
    with open_socket(url, table) as line:
        hear(line, Hello)
        waited = [line.ping(f"{number}".encode()) for number in range(30)]
        assert all(pong.wait(20) for pong in waited)
        for _ in range(30):
            line.pong()
        text = '{"type":"ping"}' + " " * 30_000
        line.send([text[start : start + 100] for start in range(0, len(text), 100)])
        while msgspec.json.decode(line.recv(timeout=10))["type"] != "pong":
            pass


def test_all_since_the_beginning_is_told_to_a_slow_reader(url: str) -> None:
    made = new_table(url).json
    with open_socket(url, made["table"]["id"], made["token"]) as line:
        hear(line, Hello)
        for number in range(60):
            assert isinstance(say(line, Rename(id=f"{number}", name=f"Ann {number}" * 3)), Done)
    asked = {"type": "hello", "protocol": 1, "token": made["token"], "since": 0}
    with raw_socket(url, made["table"]["id"]) as slow:
        slow.sendall(Frame(Opcode.TEXT, msgspec.json.encode(asked)).serialize(mask=True))
        heard = b""
        while b"Ann 59" not in heard:
            heard += slow.recv(512)
            sleep(0.005)


def test_a_long_game_told_from_its_beginning_counts_by_its_length(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sockets, "MESSAGES_OF_READING", 4)
    limits = replace(Limits.none(), reading=Rate(20, 1e-9))
    with run_server(settings=Settings(limits=limits)) as url:
        made = new_table(url).json
        table, token = made["table"]["id"], made["token"]
        with open_socket(url, table, token) as line:
            hear(line, Hello)
            for number in range(40):
                assert isinstance(say(line, Rename(id=f"{number}", name=f"Ann {number}")), Done)
        for since, is_heard in ((40, True), (0, True), (0, False), (40, True)):
            with open_socket(url, table, token, since=since) as line:
                message = msgspec.json.decode(line.recv(timeout=20))
                assert message["type"] == ("hello" if is_heard else "refused"), since
