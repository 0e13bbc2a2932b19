"""What an operator decides beside a running server: it is noticed, and enforced."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
import pytest
from mcp import Client
from sqlalchemy import Connection, select
from websockets.asyncio.client import connect

from hexholm.host.storage import Storage
from hexholm.host.storage.admin_connection import admin_connection
from hexholm.host.storage.database_tables import holding
from hexholm.host.storage.rows.operator_actions import actions, impose, lift, log_action, running_sanctions
from hexholm.host.storage.rows.reported_words import remove_words, reports
from hexholm.host.web.admission.limits import UNLIMITED, Limits
from hexholm.host.web.admission.sanctions import Sanctions
from hexholm.host.web.operations import operator_watch
from hexholm.host.web.operations.server_log import new_logger
from hexholm.host.web.operations.settings import Settings
from hexholm.host.wire import messages

from ...open_server import OpenServer, in_server
from ...servers import Answer, ask, hear, new_table, open_socket, read_to_close_code, run_server, say

pytestmark = pytest.mark.waits

WHY = "rude words"


class House:
    """A server and its database, on which an operator works too."""

    def __init__(self, database: str, url: str) -> None:
        self.database, self.url = database, url

    def operate(self, what: str, *jobs: Callable[..., Any], **logged: Any) -> None:
        """Do something as `hexholm admin` does: in one transaction with a line of the log."""
        with admin_connection(self.database) as connection:
            for job in jobs:
                job(connection)
            log_action(connection, what, now=time.time(), operator="olga", **logged)

    def sanction(self, what: str, **whom: Any) -> None:
        now = time.time()
        how: Any = {"what": what, "now": now, "until": now + 3600, "why": WHY, **whom}
        self.operate(what, partial(impose, **how))

    def read(self, job: Callable[..., Any]) -> Any:
        with admin_connection(self.database) as connection:
            return job(connection)


@pytest.fixture
def house(database: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[House]:
    monkeypatch.setattr(operator_watch, "LOOK_AT_ACTIONS_EVERY", 0.02)
    with run_server(database) as url:
        yield House(database, url)


def creator_of(connection: Connection, table_id: str) -> str:
    """The guest who set up a table, as it was stored."""
    query = select(holding.c.guest).where(holding.c.table_id == table_id, holding.c.creator)
    return str(connection.execute(query).scalar_one())


def guest_of(cookie: str) -> str:
    """The guest of a cookie as servers set it."""
    return cookie.split("=")[1].split(".")[1]


def until(true: Callable[[], bool]) -> None:
    """Until something is so: the server looks now and then."""
    for _ in range(1000):
        if true():
            return
        time.sleep(0.01)
    raise AssertionError("it was not noticed")


def refused_why(answer: Answer) -> str:
    return "" if answer.status < 400 else str(answer.json["error"]["why"])


def test_who_is_muted_plays_on_and_writes_nothing_until_the_end_of_it(house: House) -> None:
    created = new_table(house.url)
    table, token, cookie = created.json["table"]["id"], created.json["token"], created.cookie
    with open_socket(house.url, table, token, additional_headers={"Cookie": cookie}) as line:
        assert isinstance(say(line, messages.Say(id="1", text="hello")), messages.Done)
        house.sanction("mute", guest_id=guest_of(cookie))
        until(lambda: isinstance(say(line, messages.Say(id=str(time.time()), text="hello")), messages.Refused))
        answer = say(line, messages.Rename(id="3", name="Anna"))
        assert isinstance(answer, messages.Refused)
        assert (answer.why, answer.values["why"]) == ("muted", WHY)
        assert str(answer.values["until"]).endswith("UTC")
        assert isinstance(say(line, messages.Begin(id="4")), messages.Done)
        house.operate("unmute", partial(lift, what="mute", guest_id=guest_of(cookie), now=time.time()))
        until(lambda: isinstance(say(line, messages.Say(id=str(time.time()), text="hello")), messages.Done))


def test_a_muted_guest_sits_down_without_a_name(house: House) -> None:
    cookie = new_table(house.url).cookie
    house.sanction("mute", guest_id=guest_of(cookie))

    def is_nameless() -> bool:
        answer = ask(house.url, "POST", "/api/tables", {"name": "Rude", "title": "Rude too"}, Cookie=cookie)
        line = answer.json["table"]
        return bool(line["title"] == "" and line["seats"][0]["name"] == line["seats"][0]["color"])

    until(is_nameless)


def test_who_is_banned_is_closed_out_but_for_their_own_data(house: House) -> None:
    created = new_table(house.url)
    table, token, cookie = created.json["table"]["id"], created.json["token"], created.cookie
    other = new_table(house.url)
    with (
        open_socket(house.url, table, token, additional_headers={"Cookie": cookie}) as line,
        open_socket(house.url, table, token) as by_link,  # on another device, by the link of the seat
        open_socket(house.url, other.json["table"]["id"], other.json["token"]) as of_others,
    ):
        for socket in (line, by_link, of_others):
            hear(socket, messages.Hello)
        house.sanction("ban", guest_id=guest_of(cookie))
        for socket in (line, by_link):
            assert hear(socket, messages.Refused).why == "banned"
            assert read_to_close_code(socket) == 4403
        assert isinstance(say(of_others, messages.Say(id="1", text="hello")), messages.Done)
    for method, path, body in (
        ("GET", "/api/tables", None),
        ("GET", f"/api/tables/{table}", None),
        ("POST", "/api/tables", {"name": "Ann"}),
        ("GET", "/api/ratings", None),
        ("POST", "/api/me/recover", {"text": "x"}),
    ):
        answer = ask(house.url, method, path, body, Cookie=cookie)
        assert (answer.status, refused_why(answer)) == (403, "banned"), path
        assert answer.json["error"]["values"]["why"] == WHY
    for path in ("/", "/api/me", "/api/me/export", "/api/rules", "/api/editions", "/api/drawings/kit.svg", "/healthz"):
        assert ask(house.url, "GET", path, Cookie=cookie).status == 200, path
    with open_socket(house.url, table, token) as again:
        assert hear(again, messages.Refused).why == "banned"
    assert ask(house.url, "DELETE", "/api/me?confirm=delete", Cookie=cookie).status == 200


def test_who_is_banned_is_known_by_the_token_of_the_seat_at_every_door(house: House) -> None:
    created = new_table(house.url)
    table, token = created.json["table"]["id"], created.json["token"]
    seat, key = {"table": table, "token": token}, "a key of my own, long"
    with_token = {"Authorization": f"Bearer {token}"}

    async def calls(*of_calls: tuple[str, dict[str, Any]]) -> list[str]:
        async with Client(f"{house.url}/mcp") as client:
            answers = [await client.call_tool(tool, arguments) for tool, arguments in of_calls]
        return ["".join(getattr(part, "text", "") for part in answer.content) for answer in answers]

    (welcome,) = asyncio.run(calls(("create_table", {"edition": "fifth", "id": key})))
    found = re.search(r"at table (\w+)", welcome)
    assert found, welcome
    for path in (f"/api/tables/{table}", f"/api/tables/{table}/record"):
        assert refused_why(ask(house.url, "GET", path, **with_token)) != "banned"
    house.sanction("ban", guest_id=guest_of(created.cookie))
    until(lambda: refused_why(ask(house.url, "GET", f"/api/tables/{table}", **with_token)) == "banned")
    answer = ask(house.url, "GET", f"/api/tables/{table}/record", **with_token)
    assert (answer.status, refused_why(answer)) == (403, "banned")
    at_seat: tuple[tuple[str, dict[str, Any]], ...] = (
        ("look", {}),
        ("begin_game", {}),
        ("legal_actions", {}),
        ("act", {"action": "roll"}),
        ("say", {"text": "hello"}),
        ("write_notes", {"text": "hello"}),
    )
    for text in asyncio.run(calls(*((tool, {**seat, **more}) for tool, more in at_seat))):
        assert "you are banned until" in text
        assert WHY in text
    by_key = house.read(partial(creator_of, table_id=found[1]))
    house.sanction("ban", guest_id=by_key)
    anew = ("create_table", {"edition": "fifth", "id": key})
    until(lambda: WHY in asyncio.run(calls(anew))[0])
    assert WHY in asyncio.run(calls(("join_table", {"table": table, "seat": "blue", "name": "Ann", "id": key})))[0]
    assert "You are" in asyncio.run(calls(("create_table", {"edition": "fifth"})))[0]  # a stranger


def test_a_muted_guest_gives_no_name_and_title_at_any_door(house: House) -> None:
    cookie, key = new_table(house.url).cookie, "a key of my own, long"
    assert ask(house.url, "POST", "/api/me", {"name": "Anna"}, Cookie=cookie).status == 201

    async def create(**more: Any) -> str:
        async with Client(f"{house.url}/mcp") as client:
            answer = await client.call_tool("create_table", {"edition": "fifth", **more})
        return "".join(getattr(part, "text", "") for part in answer.content)

    found = re.search(r"at table (\w+)", asyncio.run(create(id=key)))
    assert found
    house.sanction("mute", guest_id=house.read(partial(creator_of, table_id=found[1])))
    house.sanction("mute", guest_id=guest_of(cookie))
    until(lambda: refused_why(ask(house.url, "POST", "/api/me", {"name": "Anna"}, Cookie=cookie)) == "muted")
    assert refused_why(ask(house.url, "POST", "/api/me", {"name": "Rude"}, Cookie=cookie)) == "muted"
    assert ask(house.url, "GET", "/api/me", Cookie=cookie).json["name"] == "Anna"
    other = new_table(house.url, seats={}).json["table"]["id"]

    async def join() -> str:
        async with Client(f"{house.url}/mcp") as client:
            answer = await client.call_tool("join_table", {"table": other, "seat": "blue", "name": "Rude", "id": key})
        return "".join(getattr(part, "text", "") for part in answer.content)

    assert "You are blue" in asyncio.run(join())
    assert b"Rude" not in ask(house.url, "GET", f"/api/tables/{other}").body


def test_a_banned_network_is_closed_out_whoever_asks(house: House) -> None:
    assert ask(house.url, "GET", "/api/tables").status == 200
    house.sanction("ban", network="127.0.0.0/8")
    until(lambda: refused_why(ask(house.url, "GET", "/api/tables")) == "banned")
    house.operate("unban", partial(lift, what="ban", network="127.0.0.0/8", now=time.time()))
    until(lambda: ask(house.url, "GET", "/api/tables").status == 200)


def test_the_network_of_a_banned_guest_is_found_where_that_is_wished(house: House) -> None:
    cookie = new_table(house.url).cookie
    house.sanction("ban", guest_id=guest_of(cookie))
    until(lambda: refused_why(ask(house.url, "GET", "/api/tables", Cookie=cookie)) == "banned")
    (row,) = house.read(partial(running_sanctions, now=time.time()))
    assert row.network is None
    assert ask(house.url, "GET", "/api/tables").status == 200  # a stranger from the same place
    house.sanction("ban", guest_id=guest_of(cookie), with_network=True)

    def is_noted() -> bool:
        ask(house.url, "GET", "/api/tables", Cookie=cookie)
        return bool(house.read(partial(running_sanctions, now=time.time()))[0].network == "127.0.0.1/32")

    until(is_noted)
    until(lambda: refused_why(ask(house.url, "GET", "/api/tables")) == "banned")
    assert [row.what for row in house.read(partial(actions, limit=9))] == ["ban", "ban", "network"]


def test_whoever_opens_the_link_of_a_banned_guests_seat_has_no_network_banned(tmp_path: Path) -> None:
    async def story(server: OpenServer) -> None:
        guest, victim = {"X_Forwarded_For": "192.0.2.1"}, {"X_Forwarded_For": "198.51.100.7"}
        created = await server.ask("POST", "/api/tables", {"name": "Ann"}, **guest)
        table, cookie = created.json["table"]["id"], created.cookie
        text = (await server.ask("POST", "/api/me/recoveries", {}, Cookie=cookie, **guest)).json["text"]
        with_token = {"Authorization": f"Bearer {created.json['token']}"}
        now, banned = time.time(), server.app.context.sanctions
        with admin_connection(str(tmp_path / "h.db")) as connection:
            ban: Any = {"guest_id": guest_of(cookie), "with_network": True, "now": now, "until": now + 60, "why": WHY}
            impose(connection, "ban", **ban)
            log_action(connection, "ban", now=now, operator="olga", guest_id=guest_of(cookie))
        await banned.refresh()

        async def networks() -> list[str | None]:
            await asyncio.gather(*banned._recording)
            with admin_connection(str(tmp_path / "h.db")) as connection:
                return [row.network for row in running_sanctions(connection, time.time())]

        for path in (f"/api/tables/{table}", f"/api/tables/{table}/record"):
            assert refused_why(await server.ask("GET", path, **with_token, **victim)) == "banned"
        address = f"ws://127.0.0.1:{server.port}/ws/tables/{table}"
        headers = {"X-Forwarded-For": "198.51.100.7"}
        async with connect(address, additional_headers=headers, proxy=None) as line:
            await line.send(
                msgspec.json.encode({"type": "hello", "protocol": 1, "token": created.json["token"]}).decode()
            )
            assert b"banned" in (await line.recv(decode=False))
        recovered = await server.ask("POST", "/api/me/recover", {"text": text}, **victim)
        assert refused_why(recovered) == "banned"
        assert await networks() == [None]
        assert (await server.ask("GET", "/api/tables", **victim)).status == 200
        assert refused_why(await server.ask("GET", "/api/tables", Cookie=cookie, **guest)) == "banned"
        assert await networks() == ["192.0.2.1/32"]

    in_server(story, tmp_path / "h.db", settings=Settings(proxies=("127.0.0.1",)))


def test_words_are_reported_by_those_who_see_them_and_removed_by_an_operator(house: House) -> None:
    created = new_table(house.url, title="Rude title", visibility="open", spectators_speak=True)
    table, token, cookie = created.json["table"]["id"], created.json["token"], created.cookie
    watcher = new_table(house.url).cookie
    with open_socket(house.url, table, token) as line, open_socket(house.url, table) as watching:
        hear(line, messages.Hello), hear(watching, messages.Hello)
        assert isinstance(say(line, messages.Say(id="1", text="you fool")), messages.Done)
        number = hear(watching, messages.Chatted).number
    path = f"/api/tables/{table}/reports"
    for body, expected in (
        ({"what": "chat", "number": number, "why": "rude"}, ""),
        ({"what": "name", "seat": "red"}, ""),
        ({"what": "title"}, ""),
        ({"what": "chat", "number": number + 9}, "nothing_to_report"),
        ({"what": "chat"}, "nothing_to_report"),
        ({"what": "name", "seat": "blue"}, "nothing_to_report"),  # a bot
        ({"what": "name", "seat": "pink"}, "no_seat_here"),
    ):
        assert refused_why(ask(house.url, "POST", path, body, Cookie=watcher)) == expected, body
    own = ask(house.url, "POST", path, {"what": "name", "seat": "red"}, Cookie=cookie)
    assert refused_why(own) == "not_yourself"
    rows, _ = house.read(partial(reports, limit=9))
    assert [(row.what, row.text, row.why) for row in rows] == [
        ("chat", "you fool", "rude"),
        ("name", "Ann", ""),
        ("title", "Rude title", ""),
    ]
    assert {row.reported for row in rows} == {guest_of(cookie)}
    for row in rows:
        house.operate("remove", partial(remove_words, table_id=table, seq=row.seq), table_id=table, seq=row.seq)

    def is_gone() -> bool:
        with open_socket(house.url, table, since=0) as line:
            hello = hear(line, messages.Hello)
            told = [hear(line) for _ in range(hello.number)]
        said = [message.text for message in told if isinstance(message, messages.Chatted)]
        return (said, hello.table.title, hello.table.seats[0].name) == ([""], "", "")

    until(is_gone)


def test_reports_from_one_network_are_limited(database: str) -> None:
    with run_server(database, Settings(port=0, limits=replace(Limits(), wait_from=UNLIMITED))) as url:
        table = new_table(url).json["table"]["id"]
        path, body = f"/api/tables/{table}/reports", {"what": "name", "seat": "red"}
        whys = [refused_why(ask(url, "POST", path, body)) for _ in range(12)]
        assert whys == [*[""] * 10, *["too_much_at_once"] * 2]


def test_several_servers_over_one_database_would_each_notice(tmp_path: Path) -> None:
    """What is known of sanctions comes from the database alone, so another server knows it as soon as it looks."""

    async def look() -> str:
        async with Storage(tmp_path / "other.db") as storage:
            other = Sanctions(storage, time.time, new_logger(level=50))
            assert await other.refresh() == []
            with admin_connection(str(tmp_path / "other.db")) as connection:
                impose(connection, "ban", guest_id="bob", now=time.time(), until=time.time() + 60, why=WHY)
                log_action(connection, "ban", now=time.time(), operator="olga", guest_id="bob")
            assert other.why_banned("bob", "192.0.2.1") is None
            await other.refresh()
            refusal = other.why_banned("bob", "192.0.2.1")
            return "" if refusal is None else refusal.why

    assert asyncio.run(look()) == "banned"
