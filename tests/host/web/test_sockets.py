"""How connections end: what the log says of it, and those who are there no more without saying so."""

from __future__ import annotations

import asyncio
import base64
import contextlib
import http.client
import io
from socket import create_connection
from time import monotonic, sleep
from urllib.parse import urlsplit

import msgspec
import pytest
from websockets.exceptions import ConnectionClosed
from websockets.frames import Frame, Opcode

from hexholm.host.client import Client
from hexholm.host.web import http_protocols, server
from hexholm.host.web.operations.server_log import new_logger
from hexholm.host.wire.messages import Hello

from ..servers import hear, new_table, open_socket, read_to_close_code, run_server

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
    monkeypatch.setattr(http_protocols, "REQUEST_PATIENCE", 0.3)
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
                sleep(0.15)
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
