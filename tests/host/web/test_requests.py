"""Requests that are too much before anybody looks at them, and answers that nobody takes."""

from __future__ import annotations

import asyncio
import contextlib
import io
import socket
from dataclasses import replace
from time import monotonic, sleep
from types import SimpleNamespace
from typing import Any
from urllib.parse import urlsplit

import msgspec
import pytest
from h11 import _readers
from h11._receivebuffer import ReceiveBuffer
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from hexholm.host.light_event import LightEvent
from hexholm.host.web.admission.limits import Limits, Rate
from hexholm.host.web.operations.server_log import STRANGERS_LINES, new_logger
from hexholm.host.web.operations.settings import Settings, is_address
from hexholm.host.web.rest.lobby import Lobby
from hexholm.host.web.transport import http_protocols, unread_answers

from ..open_server import open_server
from ..servers import ask, new_table, open_socket, run_server
from .test_sockets import read_to_end

pytestmark = pytest.mark.waits


def request(url: str, *parts: bytes, pause: float = 0.0) -> bytes:
    """What is answered to bytes that are sent part by part."""
    with socket.create_connection(("127.0.0.1", urlsplit(url).port), timeout=20) as line:
        with contextlib.suppress(ConnectionError):
            for part in parts:
                line.sendall(part)
                sleep(pause)
        return read_to_end(line)


def chunked(path: str, *more: str) -> bytes:
    head = [f"POST {path} HTTP/1.1", "Host: localhost", "Transfer-Encoding: chunked", "Content-Type: application/json"]
    return "\r\n".join([*head, "Connection: close", *more, "", ""]).encode()


def chunks(body: bytes, size: int) -> bytes:
    parts = [body[start : start + size] for start in range(0, len(body), size)]
    return b"".join(b"%x\r\n%s\r\n" % (len(part), part) for part in parts) + b"0\r\n\r\n"


# --- requests ----------------------------------------------------------------------------------------------------


def test_a_body_in_countless_chunks_ends_the_request(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """One of 252 KiB stood the event loop still for a tenth of a second, at any address."""
    seen, largest = [0], [0]
    next_event, receive_data = http_protocols.RequestReader.next_event, http_protocols.RequestReader.receive_data

    def watched_event(reader: http_protocols.RequestReader) -> Any:
        seen[0] += 1
        return next_event(reader)

    def watched_data(reader: http_protocols.RequestReader, data: bytes) -> None:
        largest[0] = max(largest[0], len(data))
        receive_data(reader, data)

    monkeypatch.setattr(http_protocols.RequestReader, "next_event", watched_event)
    monkeypatch.setattr(http_protocols.RequestReader, "receive_data", watched_data)
    for path in ("/healthz", "/api/tables", "/mcp", "/nothing"):
        seen[0] = 0
        request(url, chunked(path) + chunks(b"a" * 43_000, 1))
        assert seen[0] < 3 * http_protocols.MOST_CHUNKS
        assert largest[0] <= http_protocols.PORTION
    assert ask(url, "GET", "/healthz").status == 200


def test_countless_headers_end_a_request_before_they_are_taken_apart(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """21,600 of them held up the event loop for 30 milliseconds, before any limit."""
    longest = [0]
    extract = ReceiveBuffer.maybe_extract_lines

    def watched(buffer: ReceiveBuffer) -> list[bytearray] | None:
        lines = extract(buffer)
        longest[0] = max(longest[0], len(lines or ()))
        return lines

    monkeypatch.setattr(ReceiveBuffer, "maybe_extract_lines", watched)
    start, header = b"GET /healthz HTTP/1.1\nHost: localhost\n", b"a:\n"
    most = http_protocols.MOST_HEADERS - 1  # beside the first
    assert request(url, start + header * most + b"\n" + start + b"\n").count(b"HTTP/1.1 200") == 2
    for many, end in ((most + 1, b"\n"), (21_600, b"\n"), (most + 1, b"")):
        head, _, body = request(url, start + header * many + end).partition(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 431 ")
        assert b"connection: close" in head.lower()
        assert msgspec.json.decode(body)["error"]["why"] == "unreadable"
    request(url, chunked("/api/tables") + b"0\r\n" + header * 21_600 + b"\n")  # trailers, behind a body
    assert longest[0] <= http_protocols.MOST_HEADERS + 1
    assert request(url, chunked("/healthz") + b"0\r\n" + b"a: b\r\n" * 3 + b"\r\n").startswith(b"HTTP/1.1 405")


@pytest.mark.parametrize("sign", [b"\x00", b"\x0b", b"\x0c", b"\r."], ids=["null", "tab", "feed", "return"])
def test_blanks_before_what_no_header_holds_are_never_matched(
    url: str, monkeypatch: pytest.MonkeyPatch, sign: bytes
) -> None:
    """30,000 of them held up the event loop for two seconds: the library's pattern tries each of them with each."""
    taken_apart = list[bytes]()
    reads = _readers._decode_header_lines

    def watched(lines: list[bytes]) -> Any:
        taken_apart.extend(bytes(line) for line in lines)
        return reads(lines)

    monkeypatch.setattr(_readers, "_decode_header_lines", watched)
    header = b"a:" + b" " * 500 + sign + b"\r\n"
    first = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n"
    heard = request(url, first + header + b"\r\n")
    assert heard.startswith(b"HTTP/1.1 400 ")
    assert taken_apart == []
    request(url, chunked("/api/tables") + b"0\r\n" + header + b"\r\n")  # trailers, behind a body
    assert not any(sign in line for line in taken_apart)


def test_chunks_behind_a_request_that_is_being_answered_wait_too(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """In one read with it they lay in the library's own memory, and were taken apart in one go afterwards."""
    waiting = [0]
    next_event = http_protocols.RequestReader.next_event

    def watched(reader: http_protocols.RequestReader) -> Any:
        waiting[0] = max(waiting[0], len(reader.trailing_data[0]))
        return next_event(reader)

    monkeypatch.setattr(http_protocols.RequestReader, "next_event", watched)
    first = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"
    heard = request(url, first * 3 + chunked("/healthz") + chunks(b"a" * 40_000, 1))
    assert heard.count(b"HTTP/1.1 200") == 3
    assert waiting[0] <= 2 * http_protocols.PORTION


def test_a_body_in_a_few_hundred_chunks_is_read(url: str) -> None:
    body = msgspec.json.encode({"name": "Ann", "title": "a" * 30})
    body += b" " * (250 - len(body))
    heard = request(url, chunked("/api/tables") + chunks(body, 1))
    assert heard.startswith(b"HTTP/1.1 201")
    slowly = chunked("/api/tables") + chunks(body, 100)
    parts = [slowly[start : start + 40] for start in range(0, len(slowly), 40)]
    assert request(url, *parts, pause=0.002).startswith(b"HTTP/1.1 201")


def test_who_sends_too_much_still_reads_why(url: str) -> None:
    body = b'"' + b"a" * 500_000 + b'"'
    head = "POST /api/tables HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nConnection: close\r\n"
    heard = request(url, head.encode() + b"Content-Length: %d\r\n\r\n" % len(body), body)
    assert heard.startswith(b"HTTP/1.1 413")


def test_a_body_without_end_ends_the_request(url: str) -> None:
    head = b"POST /healthz HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000000\r\n\r\n"
    with socket.create_connection(("127.0.0.1", urlsplit(url).port), timeout=20) as line:
        line.sendall(head)
        some = b"a" * 100_000_000
        with pytest.raises(ConnectionError):
            line.sendall(some)


@pytest.mark.parametrize(
    "text", [b"no request at all\r\n\r\n", b"GET / HTTP/1.1\r\nHost: localhost\r\na:" + b"a" * 80_000]
)
def test_what_is_no_request_is_refused_in_the_one_shape(url: str, text: bytes) -> None:
    head, _, body = request(url, text).partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 400")
    assert msgspec.json.decode(body)["error"]["code"] == "not_readable"


def test_a_request_that_breaks_off_while_it_is_answered_is_no_accident() -> None:
    stream = io.StringIO()
    with run_server(logger=new_logger(stream, as_json=True)) as url:
        for path in ("/healthz", "/api/tables"):
            request(url, chunked(path) + b"zz\r\n")
            request(url, chunked(path), b"zz\r\n", pause=0.1)
        assert ask(url, "GET", "/healthz").status == 200
    assert '"level": "error"' not in stream.getvalue()


def test_an_accident_has_the_one_shape_of_errors(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_arguments: Any) -> Any:
        raise ZeroDivisionError

    monkeypatch.setattr(Lobby, "page", fail)
    answer = ask(url, "GET", "/api/tables")
    assert (answer.status, answer.code) == (500, "failed")


# --- who asks -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "host",
    [
        "[fe80::1%" + "a" * 2_200 + "]",
        "[::1%1]:80",
        "a" * 3_000 + "@127.0.0.1",
        "127.0.0.1/" + "a" * 3_000,
        "127.0.0.1?" + "a" * 3_000,
        "127.0.0.1#a",
        "localhost" + "." * 3_000,
        "127.0.0.1:" + "0" * 3_000 + "80",
        "[127.0.0.1",
        "",
    ],
)
def test_nothing_stands_beside_the_name_of_a_host(url: str, host: str) -> None:
    """What stood there went into links, and into codes to scan, which took half a second of the event loop."""
    assert ask(url, "GET", "/healthz", Host=host).status == 421


@pytest.mark.parametrize(
    "host", ["127.0.0.1", "localhost:80", "LOCALHOST.", "[::1]:8000", "[FE80::1]", "192.0.2.1:65535"]
)
def test_names_and_addresses_of_this_server_are_answered(url: str, host: str) -> None:
    assert ask(url, "GET", "/healthz", Host=host).status == 200


def test_an_address_with_a_zone_is_none() -> None:
    assert is_address("fe80::1")
    assert not is_address("fe80::1%eth0")


def test_who_is_turned_away_is_counted_and_fills_no_log() -> None:
    """Eight megabytes of log in six seconds, from one address."""

    async def run() -> tuple[list[int], int]:
        async with open_server(settings=Settings(limits=replace(Limits.none(), requests=Rate(200, 0.001)))) as server:
            answers = [await server.ask("GET", "/" + "x" * 400, Origin="http://evil.example") for _ in range(210)]
            return [answer.status for answer in answers], server.journal.events["warning: turned away"]

    statuses, lines = asyncio.run(asyncio.wait_for(run(), 60))
    assert statuses == [403] * 200 + [429] * 10
    assert 0 < lines <= STRANGERS_LINES.burst + 10


def test_what_the_library_says_of_strangers_fills_no_log() -> None:
    stream = io.StringIO()
    with run_server(logger=new_logger(stream, as_json=True)) as url:
        for _ in range(100):
            request(url, b"nothing\r\n\r\n")
    lines = [msgspec.json.decode(line) for line in stream.getvalue().splitlines() if "library" in line]
    assert 0 < len(lines) <= STRANGERS_LINES.burst + 10


def test_handshakes_count_as_requests_wherever_they_lead() -> None:
    with run_server(settings=Settings(limits=replace(Limits.none(), requests=Rate(4, 0.001)))) as url:
        statuses = []
        for path in ("/ws/nothing", "/", "/ws/tables/", "/healthz", "/ws/nothing", "/ws/tables/abc"):
            with pytest.raises(InvalidStatus) as refused:
                connect(url.replace("http", "ws", 1) + path, proxy=None)
            statuses.append(refused.value.response.status_code)
        assert statuses == [404] * 4 + [429] * 2


def test_a_browser_that_connects_again_and_again_after_a_restart_gets_in() -> None:
    with run_server(settings=Settings()) as url:
        table = new_table(url).json["table"]["id"]
        for _ in range(60):
            with open_socket(url, table) as line:
                assert line.recv(timeout=10)


# --- answers that nobody takes ----------------------------------------------------------------------------------------


def is_open(line: socket.socket) -> bool:
    """Whether the other end holds the connection, all unread."""
    try:
        return line.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 1)[0] == 1
    except OSError:
        return False


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(unread_answers, "LOOK_FOR_UNREAD_EVERY", 0.1)
    monkeypatch.setattr(unread_answers, "SENDING_PATIENCE", 1.0)


ASKED = b"GET /openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n"


@pytest.mark.skipif(not hasattr(socket, "TCP_INFO"), reason="how a connection stands is not told here")
def test_who_takes_nothing_of_an_answer_is_given_up(impatient: None) -> None:
    """Neither a deadline for requests nor closing the connection ended it: both wait until all is taken."""
    with run_server() as url, socket.socket() as line:
        line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2_048)
        line.connect(("127.0.0.1", urlsplit(url).port))
        line.sendall(ASKED * 100)
        end = monotonic() + 120
        while is_open(line) and monotonic() < end:
            sleep(0.05)
        assert not is_open(line)
        assert 'hexholm_turned_away_total{why="unread"} 1.0' in ask(url, "GET", "/metrics").body.decode()


def test_who_takes_a_little_all_the_time_gets_all(impatient: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(unread_answers, "SENDING_PATIENCE", 2.0)  # on a busy machine nothing is taken for a second
    with run_server() as url:
        whole = len(ask(url, "GET", "/openapi.json").body)
        with socket.create_connection(("127.0.0.1", urlsplit(url).port), timeout=20) as line:
            line.sendall(ASKED * 59 + ASKED.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n"))
            began, heard = monotonic(), 0
            while some := line.recv(65_536):
                heard += len(some)
                sleep(0.02)
        assert heard > 60 * whole
        assert monotonic() - began > 4.0


class Line:
    """The transport of a connection, with so much to be taken."""

    def __init__(self, size: int, *, closing: bool) -> None:
        self.size, self.closing, self.aborted = size, closing, False

    def get_write_buffer_size(self) -> int:
        return self.size

    def is_closing(self) -> bool:
        return self.closing

    def get_extra_info(self, _name: str) -> None:
        return None

    def abort(self) -> None:
        self.aborted = True


def connection(kind: type[Any], line: Line, *, full: bool = False) -> Any:
    made = object.__new__(kind)
    made.transport = line
    made.writable = LightEvent(is_set=not full)
    made.flow = SimpleNamespace(write_paused=full)
    return made


@pytest.mark.parametrize("kind", [http_protocols.RequestProtocol, http_protocols.SocketProtocol])
def test_a_closed_connection_is_given_up_when_nothing_is_taken_any_more(kind: type[Any]) -> None:
    answers, line = unread_answers.UnreadAnswers(), Line(50_000, closing=True)
    stuck = connection(kind, line)
    is_socket = kind is http_protocols.SocketProtocol
    patience = unread_answers.CLOSED_PATIENCE if is_socket else unread_answers.SENDING_PATIENCE
    assert not answers.check(stuck, 100.0)
    assert not answers.check(stuck, 99.0 + patience)
    assert answers.check(stuck, 100.0 + patience)
    assert line.aborted


def test_a_slow_line_is_not_given_up() -> None:
    """It takes 2 KiB a second, of an answer in one piece, or takes piece after piece; or it waits for more."""
    answers = unread_answers.UnreadAnswers()
    in_one, in_pieces, idle = (Line(size, closing=False) for size in (4_000_000, 70_000, 0))
    whole = connection(http_protocols.RequestProtocol, in_one, full=True)
    piecewise = connection(http_protocols.RequestProtocol, in_pieces, full=True)
    waiting = connection(http_protocols.RequestProtocol, idle)
    for second in range(0, 1_800, 5):
        in_one.size = 4_000_000 - 2_048 * second
        if second % 30 == 0:
            piecewise.drained += 1
        assert not any(answers.check(line, float(second)) for line in (whole, piecewise, waiting))
    assert not answers.check(piecewise, 1_800.0 + 20)
    assert answers.check(piecewise, 1_800.0 + 100)  # nothing more is taken


def test_what_is_gone_is_forgotten() -> None:
    answers = unread_answers.UnreadAnswers()
    stuck = connection(http_protocols.SocketProtocol, Line(50_000, closing=True))
    answers.check(stuck, 0.0)
    answers.keep_only(set())
    assert not answers.check(stuck, 1_000.0)  # another one that is seen for the first time
