"""What is said over a socket: greetings, frames, repeats, readers that take nothing; floods."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

import pytest

from hexholm.host.web.admission.limits import Bucket, Buckets, Limits, Rate, Slots
from hexholm.host.web.operations.settings import Settings
from hexholm.host.web.sockets import CloseConnection, Connection
from hexholm.host.wire import messages
from hexholm.host.wire.messages import Hello

from ..servers import ask, hear, new_table, open_socket, read_to_close_code, run_server, say
from .played_tables import new_table_as, play_for_a_while

pytestmark = pytest.mark.waits

# --- sockets ----------------------------------------------------------------------------------------------------------


def test_a_socket_says_hello_first_and_in_the_right_version(url: str) -> None:
    table = new_table(url).json["table"]["id"]
    greetings = [
        '{"type":"hello","protocol":2}',
        '{"type":"begin","id":"1"}',
        "hello",
        '{"type":"hello","protocol":"1"}',
    ]
    for greeting in greetings:
        with open_socket(url, table, hello=False) as line:
            line.send(greeting)
            assert hear(line).code == "not_readable"
            assert read_to_close_code(line) == 4400
    with open_socket(url, "nosuchtable") as line:
        assert hear(line).code == "not_found"
        assert read_to_close_code(line) == 4404


def test_a_ping_is_answered_and_bytes_are_read_as_text(url: str) -> None:
    table = new_table(url).json["table"]["id"]
    with open_socket(url, table) as line:
        hear(line, Hello)
        line.send(b'{"type":"ping"}')
        assert line.recv(timeout=10) == '{"type":"pong"}'


def test_a_frame_of_a_mebibyte_is_refused_in_words_and_harms_nobody(url: str) -> None:
    mine = new_table(url).json
    table, token = mine["table"]["id"], mine["token"]
    with open_socket(url, table, token) as other_line, open_socket(url, table, token) as line:
        hear(line, Hello)
        line.send("x" * 2**20)
        assert hear(line).code == "too_large"
        assert read_to_close_code(line) == 1009
        assert isinstance(say(other_line, messages.Say(id="1", text="still here")), messages.Done)
    with open_socket(url, table, token) as line:
        hear(line, Hello)
        line.send('{"type":"say","id":"2","text":"' + "x" * 32_000 + '"}')
        assert hear(line).code == "too_much"  # below the limit of frames, beyond that of words


def test_text_that_is_no_utf_8_ends_only_its_own_connection(url: str) -> None:
    table = new_table(url).json["table"]["id"]
    with open_socket(url, table) as line:
        hear(line, Hello)
        line.send(b"\xff\xfe", text=True)
        assert read_to_close_code(line) == 1007
    assert ask(url, "GET", "/healthz").status == 200


def test_resuming_at_any_number_gives_the_same_messages(url: str) -> None:
    table, token, told = play_for_a_while(url)
    for since in (0, 1, 2, 7, 19, len(told) - 1, len(told)):
        with open_socket(url, table, token, since=since) as line:
            hello = hear(line, Hello)
            assert hello.number >= len(told)
            resumed = [hear(line, messages.Told, messages.Chatted, messages.Changed) for _ in told[since:]]
            assert resumed == told[since:]
    with open_socket(url, table, token) as line:
        number = hear(line, Hello).number
        assert isinstance(say(line, messages.Say(id="x", text="hello")), messages.Done)
    with open_socket(url, table, token, since=number) as line:
        hear(line, Hello)
        assert hear(line).number == number + 1


def test_a_repeated_command_is_answered_the_same_and_done_once(url: str) -> None:
    mine = new_table(url).json
    with open_socket(url, mine["table"]["id"], mine["token"]) as line:
        number = hear(line, Hello).number
        answers = [say(line, messages.Say(id="same", text="once")) for _ in range(3)]
        assert answers[0] == answers[1] == answers[2]
    with open_socket(url, mine["table"]["id"], mine["token"], since=number) as line:
        assert hear(line, Hello).number == number + 1


def test_who_keeps_silent_at_the_door_is_sent_away() -> None:
    with run_server(settings=Settings(port=0, limits=replace(Limits.none(), greeting_seconds=0.2))) as url:
        table = new_table(url).json["table"]["id"]
        with open_socket(url, table, hello=False) as line:
            assert read_to_close_code(line) == 4408


class Stuck:
    """A socket whose reader has gone to sleep."""

    closed = 0

    async def send(self, _message: Any) -> None:
        await asyncio.sleep(60)

    async def close(self, code: int, _reason: str) -> None:
        self.closed = code


def test_a_reader_that_takes_nothing_is_given_up_and_may_come_back() -> None:
    class Context:
        settings = Settings(limits=replace(Limits.none(), sending_seconds=0.05))

        def address(self, _socket: object) -> str:
            return "192.0.2.1"

    line = Connection(Context(), Stuck(), "guest")  # type: ignore[arg-type]
    with pytest.raises(CloseConnection) as error:
        asyncio.run(line._send(messages.Done(id="1", number=1)))
    assert error.value.code == 1013


# --- limits -----------------------------------------------------------------------------------------------------------


def test_floods_are_refused_and_in_the_end_cut_off() -> None:
    limits = replace(Limits.none(), connection=Rate(5, 0.1), patience=20, sockets_per_guest=2, tables_per_guest=2)
    with run_server(settings=Settings(port=0, limits=limits)) as url:
        response = new_table(url)
        table, token = response.json["table"]["id"], response.json["token"]
        with open_socket(url, table, token) as line:
            codes = [getattr(say(line, messages.Resume(id=str(i))), "code", "done") for i in range(25)]
            assert codes == ["not_allowed"] * 5 + ["too_much"] * 20
            assert read_to_close_code(line) == 1008
        same: dict[str, Any] = {"additional_headers": {"Cookie": response.cookie}}
        with (
            open_socket(url, table, **same) as first,
            open_socket(url, table, **same) as second,
            open_socket(url, table, **same) as three,
        ):
            assert isinstance(hear(first), Hello)
            assert isinstance(hear(second), Hello)
            assert hear(three).code == "too_much"
            assert read_to_close_code(three) == 4429
        assert new_table_as(url, response.cookie).status == 201
        third = new_table_as(url, response.cookie)
        assert (third.status, third.code) == (429, "too_much")


def test_an_address_that_asks_too_often_waits() -> None:
    limits = replace(Limits.none(), reading=Rate(3, 0.01), writing=Rate(1, 0.01))
    with run_server(settings=Settings(port=0, limits=limits)) as url:
        assert [ask(url, "GET", "/api/tables").status for _ in range(4)] == [200, 200, 200, 429]
        assert ask(url, "POST", "/api/tables", {"name": "A"}).status == 201
        assert ask(url, "POST", "/api/tables", {"name": "A"}).code == "too_much"
        assert ask(url, "GET", "/healthz").status == 200


def test_a_bucket_fills_again_and_memory_is_bounded() -> None:
    bucket = Bucket(Rate(2, 1), 0.0)
    assert [bucket.spend(0.0) for _ in range(3)] == [True, True, False]
    assert bucket.spend(1.0)
    assert not bucket.spend(1.5)
    now = [0.0]
    many = Buckets(Rate(1, 0.001), time=lambda: now[0], most=100)
    for i in range(1000):
        many.spend(i)
    assert len(many) <= 100
    slots = Slots(1)
    assert slots.occupy("a")
    assert not slots.occupy("a")
    slots.vacate("a")
    assert slots.occupy("a")
    assert len(slots) == 1
