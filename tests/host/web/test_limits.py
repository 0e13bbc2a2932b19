"""How much one address may have: tables, tables from storage, open files; and whose address it is."""

from __future__ import annotations

import asyncio
import io
import resource
import time
from dataclasses import replace
from typing import Any

import msgspec
import pytest

from hexholm.host.tables.hall import FINISHED_LINGER
from hexholm.host.tables.seats import Guest
from hexholm.host.web.limits import Limits, Rate
from hexholm.host.web.operations import process
from hexholm.host.web.operations.server_log import new_logger
from hexholm.host.web.operations.settings import Settings, counted_address
from hexholm.host.wire import messages as m

from ..halls import Clock, send
from ..open_server import OpenServer, open_server
from ..servers import Answer, ended, hear, running, say, socket
from ..servers import new_table as table_of_ann

NEW = {"name": "Ann", "options": {"edition": "fifth"}, "seats": dict.fromkeys(("blue", "white", "orange"), "easy")}


def why(answer: Answer) -> str:
    """The name of a refusal; "" for none."""
    return str(answer.json["error"]["why"]) if answer.status >= 400 else ""


# --- whose address ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "host, counted",
    [
        ("203.0.113.7", "203.0.113.7"),
        ("::ffff:203.0.113.7", "203.0.113.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("testclient", "testclient"),
    ],
)
def test_all_addresses_of_one_line_count_as_one(host: str, counted: str) -> None:
    assert counted_address(host) == counted


async def tables_from(server: OpenServer, address: str, many: int) -> list[str]:
    """Tables of as many guests, who all come from one address as a proxy says; why each was refused."""
    return [why(await server.ask("POST", "/api/tables", NEW, X_Forwarded_For=address)) for _ in range(many)]


def test_guests_without_number_have_no_more_tables_than_their_address() -> None:
    async def run() -> None:
        limits = replace(Limits.none(), tables_per_address=3)
        async with open_server(settings=Settings(limits=limits)) as server:
            assert await tables_from(server, "203.0.113.7", 4) == ["", "", "", "too_many_from_address"]
            # Nobody is believed who says to ask for others, unless the operator has said so.
            assert await tables_from(server, "203.0.113.8", 1) == ["too_many_from_address"]
            ended = server.hall.tables[0]
            await send(server.hall, ended.id, Guest(ended.creator, "red"), m.End(id="e"))
            assert await tables_from(server, "203.0.113.7", 2) == ["", "too_many_from_address"]

    asyncio.run(asyncio.wait_for(run(), 30))


def test_behind_a_proxy_it_is_the_address_of_the_guest_that_counts() -> None:
    async def run() -> None:
        limits = replace(Limits.none(), tables_per_address=2)
        settings = Settings(limits=limits, public_url="https://play.example.org")
        async with open_server(settings=settings) as server:
            assert await tables_from(server, "203.0.113.7", 3) == ["", "", "too_many_from_address"]
            assert await tables_from(server, "2001:db8::7", 2) == ["", ""]
            assert await tables_from(server, "2001:db8::8", 1) == ["too_many_from_address"]  # the same line
            assert await tables_from(server, "2001:db8:0:1::8", 1) == [""]
            # What a guest itself has put before what the proxy adds is not believed.
            assert await tables_from(server, "198.51.100.1, 203.0.113.7", 1) == ["too_many_from_address"]

    asyncio.run(asyncio.wait_for(run(), 30))


def test_a_proxy_elsewhere_is_believed_only_if_it_is_named() -> None:
    async def run() -> None:
        limits = replace(Limits.none(), tables_per_address=1)
        settings = Settings(limits=limits, public_url="https://play.example.org", proxies=("192.0.2.1",))
        async with open_server(settings=settings) as server:  # which we ask from another address
            assert await tables_from(server, "203.0.113.7", 1) == [""]
            assert await tables_from(server, "203.0.113.8", 1) == ["too_many_from_address"]

    asyncio.run(asyncio.wait_for(run(), 30))


def test_a_rematch_counts_as_a_table_of_its_address() -> None:
    async def run() -> None:
        limits = replace(Limits.none(), tables_per_address=1)
        async with open_server(settings=Settings(limits=limits)) as server:
            made = await server.ask("POST", "/api/tables", {**NEW, "begin": True})
            table = server.hall.tables[0]
            await send(server.hall, table.id, Guest(table.creator, "red"), m.End(id="e"))
            path, cookie = f"/api/tables/{table.id}/rematch", made.cookie
            first = await server.ask("POST", path, b"", Cookie=cookie)
            assert first.status == 201
            again = await server.ask("POST", path, b"", Cookie=cookie)
            assert again.json == first.json
            assert await tables_from(server, "", 1) == ["too_many_from_address"]

    asyncio.run(asyncio.wait_for(run(), 30))


# --- tables from storage ----------------------------------------------------------------------------------------------


def test_finished_tables_are_read_from_storage_only_so_often() -> None:
    async def run() -> None:
        clock, limits = Clock(), replace(Limits.none(), records=Rate(3, 0.001))
        async with open_server(settings=Settings(limits=limits), now=clock) as server:
            tables = []
            for _ in range(4):
                await server.ask("POST", "/api/tables", {**NEW, "begin": True})
                table = server.hall.tables[-1]
                await send(server.hall, table.id, Guest(table.creator, "red"), m.End(id="e"))
                tables.append(table.id)
            paths = [f"/api/tables/{table}" for table in tables]
            for _ in range(10):
                assert (await server.ask("GET", paths[0])).status == 200  # it is in memory
            clock.time += FINISHED_LINGER + 1
            await server.hall._forget()
            assert server.hall.tables == []
            assert [why(await server.ask("GET", path)) for path in paths] == ["", "", "", "too_much_at_once"]
            assert (await server.ask("GET", paths[0])).status == 200  # it is there again
            assert len(server.hall.tables) == 3

    asyncio.run(asyncio.wait_for(run(), 30))


def test_at_a_socket_too_a_table_that_must_be_read_is_counted() -> None:
    limits = replace(Limits.none(), records=Rate(1, 0.001))
    with running(settings=Settings(port=0, limits=limits)) as url:
        with socket(url, "nosuchtable1") as line:
            assert hear(line).why == "no_such_table"
        with socket(url, "nosuchtable2") as line:
            assert hear(line).why == "too_much_at_once"
        with socket(url, table_of_ann(url).json["table"]["id"]) as line:
            assert isinstance(hear(line), m.Hello)


# --- sockets ----------------------------------------------------------------------------------------------------------


def test_commands_of_a_guest_count_together_on_all_its_sockets() -> None:
    limits = replace(Limits.none(), guest=Rate(6, 0.001))
    with running(settings=Settings(port=0, limits=limits)) as url:
        made = table_of_ann(url)
        own: dict[str, Any] = {"additional_headers": {"Cookie": made.cookie}}
        table = made.json["table"]["id"]
        with socket(url, table, **own) as one, socket(url, table, **own) as two, socket(url, table) as stranger:
            said = [say(line, m.Resume(id=str(i))) for i in range(4) for line in (one, two)]
            assert [answer.why for answer in said if isinstance(answer, m.Refused)] == ["not_paused"] * 6 + [
                "too_fast"
            ] * 2
            other = say(stranger, m.Resume(id="1"))
            assert isinstance(other, m.Refused)
            assert other.why == "not_paused"


@pytest.mark.parametrize(
    "limit, named", [("sockets", "too_many_connections"), ("sockets_per_address", "address_connections")]
)
def test_so_many_sockets_and_no_more_until_one_is_closed(limit: str, named: str) -> None:
    only: dict[str, Any] = {limit: 2}
    limits = replace(Limits.none(), **only)
    with running(settings=Settings(port=0, limits=limits)) as url:
        table = table_of_ann(url).json["table"]["id"]
        with socket(url, table) as one:
            assert isinstance(hear(one), m.Hello)
            with socket(url, table) as two, socket(url, table) as three:
                assert isinstance(hear(two), m.Hello)
                assert hear(three).why == named
                assert ended(three) == 4429
            until = time.monotonic() + 10
            while True:  # the server hears a moment later that it was closed
                with socket(url, table) as four:
                    if isinstance(hear(four), m.Hello):
                        break
                assert time.monotonic() < until


def test_who_connects_again_and_again_waits() -> None:
    limits = replace(Limits.none(), reading=Rate(3, 0.001))
    with running(settings=Settings(port=0, limits=limits)) as url:
        table = table_of_ann(url).json["table"]["id"]
        for _ in range(3):
            with socket(url, table) as line:
                assert isinstance(hear(line), m.Hello)
        with socket(url, table) as line:
            assert hear(line).why == "connecting_too_often"
            assert ended(line) == 4429


# --- a key of one's own -----------------------------------------------------------------------------------------------

KEY = "a key of my own, drawn at random"


def test_who_sets_up_a_table_twice_with_one_key_has_one_table_and_one_seat() -> None:
    async def run() -> None:
        async with open_server() as server:
            asked = {**NEW, "key": KEY, "begin": True}
            answers = await asyncio.gather(*(server.ask("POST", "/api/tables", asked) for _ in range(3)))
            assert {answer.status for answer in answers} == {201}
            assert len(server.hall.tables) == 1
            assert len({answer.cookie for answer in answers}) == 1  # nobody had one before, yet it is one guest
            table = server.hall.tables[0].id
            for answer in answers:
                assert answer.json["seat"] == "red"
                assert server.hall.find(table).identify(answer.json["token"], "").seat == "red"
                assert answer.json["table"]["status"] == "playing"
            with_cookie = await server.ask("POST", "/api/tables", asked, Cookie=answers[0].cookie)
            assert with_cookie.json["table"]["id"] == table
            other = await server.ask("POST", "/api/tables", {**asked, "key": KEY[::-1]}, Cookie=answers[0].cookie)
            assert other.json["table"]["id"] != table
            stranger = (await server.ask("POST", "/api/tables", NEW)).cookie
            foreign = await server.ask("POST", "/api/tables", asked, Cookie=stranger)
            assert foreign.json["table"]["id"] != table  # somebody else's key is another key
            assert KEY not in table
            assert not server.journal.trouble

    asyncio.run(asyncio.wait_for(run(), 30))


def test_a_key_is_known_again_after_a_restart_and_when_the_game_is_over(tmp_path: Any) -> None:
    def made(url: str) -> Any:
        return table_of_ann(url, key=KEY, begin=True).json

    with running(tmp_path / "h.db") as url:
        first = made(url)
    with running(tmp_path / "h.db") as url:
        again = made(url)
        assert again["table"]["id"] == first["table"]["id"]
        with socket(url, again["table"]["id"], again["token"]) as line:
            assert hear(line, m.Hello).seat == "red"
            line.send(msgspec.json.encode(m.End(id="e")).decode())
            assert isinstance(hear(line, m.Done, m.Refused), m.Done)
        over = made(url)
        assert (over["table"]["id"], over["table"]["status"]) == (first["table"]["id"], "over")


def test_who_only_watches_a_table_made_with_a_key_gets_it_again_without_a_seat() -> None:
    with running() as url:
        first, again = (table_of_ann(url, key=KEY, sit=False).json for _ in range(2))
        assert first["table"]["id"] == again["table"]["id"]
        assert again.get("token") is again.get("seat") is None


def test_a_key_that_could_be_guessed_is_refused() -> None:
    async def run() -> None:
        async with open_server() as server:
            for key in ("", "short", "x" * 65, 7):
                assert why(await server.ask("POST", "/api/tables", {**NEW, "key": key})) == "unreadable"
            assert server.hall.tables == []

    asyncio.run(asyncio.wait_for(run(), 30))


# --- open files -------------------------------------------------------------------------------------------------------


@pytest.fixture
def files(monkeypatch: pytest.MonkeyPatch) -> dict[str, tuple[int, int]]:
    """A limit of open files that is not this process's own."""
    held = {"limit": (256, 4096)}
    monkeypatch.setattr(resource, "getrlimit", lambda _which: held["limit"])
    monkeypatch.setattr(resource, "setrlimit", lambda _which, limit: held.update(limit=limit))
    return held


def test_as_many_files_may_be_open_as_sockets_need(files: dict[str, tuple[int, int]]) -> None:
    log = io.StringIO()
    assert process.allow_open_files(1000, new_logger(log)) == 1000 + process.OTHER_FILES
    assert files["limit"] == (1000 + process.OTHER_FILES, 4096)
    assert process.allow_open_files(10, new_logger(log)) == 1000 + process.OTHER_FILES  # never fewer than before
    files["limit"] = (256, resource.RLIM_INFINITY)
    assert process.allow_open_files(10**9, new_logger(log)) == process.MOST_SOCKETS + process.OTHER_FILES
    assert log.getvalue() == ""


def test_where_too_few_files_may_be_open_the_log_says_so(files: dict[str, tuple[int, int]]) -> None:
    log = io.StringIO()
    assert process.allow_open_files(5000, new_logger(log, as_json=True)) == 4096
    assert files["limit"] == (4096, 4096)
    said = msgspec.json.decode(log.getvalue())
    assert (said["level"], said["allowed"], said["wanted"]) == ("warning", 4096, 5000 + process.OTHER_FILES)


def test_a_system_that_gives_less_than_it_says_harms_nobody(
    files: dict[str, tuple[int, int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_which: int, _limit: object) -> None:
        raise ValueError("not allowed to raise maximum limit")

    monkeypatch.setattr(resource, "setrlimit", refuse)
    log = io.StringIO()
    assert process.allow_open_files(1000, new_logger(log)) == files["limit"][0] == 256
    assert "few open files" in log.getvalue()


def test_a_server_raises_its_limit_of_open_files(files: dict[str, tuple[int, int]]) -> None:
    with running(settings=Settings(port=0, limits=replace(Limits.none(), sockets=500))):
        assert files["limit"] == (500 + process.OTHER_FILES, 4096)
