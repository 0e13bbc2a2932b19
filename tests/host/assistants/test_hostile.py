"""An assistant that means no good: it is told clearly, and nothing changes."""

from __future__ import annotations

import asyncio
import json
import sys
from dataclasses import replace
from typing import Any

import pytest
from mcp import Client, MCPError

from hexholm.host.web.admission.limits import Limits, Rate
from hexholm.host.web.operations.settings import Settings
from tests.host.open_server import OpenServer, in_server
from tests.host.servers import BOTS, ask, run_server

from .calling_assistant import Assistant, Refused, over_http

pytestmark = pytest.mark.waits

JSON = {"Content_Type": "application/json", "Accept": "application/json, text/event-stream"}


def test_wrong_seats_forged_tokens_and_odd_arguments_change_nothing() -> None:
    async def story() -> None:
        async with over_http() as (ann, url), Client(f"{url}/mcp") as client:
            await ann.sit()
            eve = Assistant(client)
            await eve.sit()
            before = await ann.at("look", since=0)
            table = ann.seat["table"]
            for token in (eve.seat["token"], "forged", "", "\x00", "é" * 300, "../" * 40):
                for tool, more in (("act", {"action": "settlement C3n"}), ("say", {"text": "hi"}), ("look", {})):
                    text = await eve.no(tool, table=table, token=token, **more)
                    assert "this token does not open a seat here" in text
            assert "there is no table" in await eve.no("look", table="x" * 5000)
            assert "there is no table" in await eve.no("act", table="nowhere", action="roll")
            odd: tuple[tuple[str, dict[str, Any]], ...] = (
                ("act", {"number": "many", "question": 1}),
                ("act", {"number": 10**30, "question": 1}),
                ("act", {"number": -1, "question": 1}),
                ("act", {"number": 1}),
                ("act", {"number": 1, "action": "roll", "question": 1}),
                ("act", {}),
                ("act", {"action": ["settlement C3n"]}),
                ("act", {"action": "settlement " + "C3n" * 1000}),
                ("act", {"action": "blue: settlement C3n"}),
                ("act", {"action": "\x00\ud7ff"}),
                ("wait_for_turn", {"seconds": 10**9}),
                ("wait_for_turn", {"seconds": "nan"}),
                ("look", {"since": -5}),
                ("offer_trade", {"give": "1 ore : 1 wool to blue\nend", "want": "1 brick"}),
                ("answer_trade", {"offer": 0, "answer": "accept"}),
                ("say", {"text": "x" * 501}),
                ("say", {"text": " "}),
                ("act", {"action": "settlement C3n", "id": "i" * 65}),
            )
            for tool, more in odd:
                text = await ann.no(tool, **more)
                assert "something went wrong" not in text, (tool, more)
                assert "pydantic" not in text
                assert len(text) < 2000
            called_wrongly: tuple[tuple[str, dict[str, Any], str], ...] = (
                ("wait_for_turn", {"seconds": 10**9}, "wait_for_turn was called wrongly: `seconds` is at most 55"),
                ("act", {"action": "x" * 3000}, "`action` has at most 500 characters. Nothing was done."),
                ("act", {"number": "many", "question": 1}, "`number` is a whole number"),
                ("answer_trade", {"offer": 0, "answer": "accept"}, "`offer` is at least 1"),
                ("say", {}, "`text` is missing"),
                ("offer_trade", {"give": 3, "want": "1 ore", "to": "all"}, "`give` is a text; `to` is a list"),
                ("act", {"action": "blue: settlement C3n"}, "that is for blue to do, and blue is not your seat"),
                ("why_not", {"action": "blue end"}, "blue is not your seat"),
            )
            for tool, more, text in called_wrongly:
                assert text in await ann.no(tool, **more)
            wrong: tuple[dict[str, Any], ...] = (
                {"edition": "seventh"},
                {"opponents": ["easy"] * 9},
                {"opponents": ["nobody"] * 3},
                {"opponents": []},
                {"people": -1},
                {"options": {"edition": "zip"}},
                {"options": {"sevens": 3}},
                {"options": {"points_to_win": "all"}},
                {"name": ""},
                {"id": "short"},
            )
            for how in wrong:
                with pytest.raises(Refused) as error:
                    await eve.sit(**how)
                assert "something went wrong" not in str(error.value), how
            assert "Unknown tool" in await eve.no("raw_state")
            assert await ann.at("look", since=0) == before

    asyncio.run(story())


def test_a_repeated_call_is_done_once() -> None:
    async def story() -> None:
        async with over_http() as (ann, _):
            await ann.sit()
            number, actions = await ann.question()
            call = {"number": next(iter(actions)), "question": number, "id": "first"}
            assert (await ann.at("act", **call)).startswith("Done.")
            looked = await ann.at("look", since=0)
            assert (await ann.at("act", **call)).startswith("Done.")
            assert await ann.at("look", since=0) == looked
            closed = await ann.no("act", **{**call, "id": "second"})
            assert f"question {number} is closed" in closed
            assert "closed" in await ann.no("act", **{**call, "id": "third", "question": number + 2})
            assert await ann.at("look", since=0) == looked
            key = "twice-" + "k" * 20
            await ann.sit(id=key)
            first = ann.seat
            await ann.sit(id=key)
            assert ann.seat["table"] == first["table"]
            assert ann.seat["token"] != first["token"]

    asyncio.run(story())


def test_huge_requests_and_those_that_are_none_are_refused_in_words() -> None:
    async def story() -> None:
        async with over_http() as (ann, _):
            await ann.sit()
            with pytest.raises(MCPError, match="at most 32768 bytes"):
                await ann.at("say", text="x" * 40_000)
            assert "Place your first settlement" in await ann.at("look")

    asyncio.run(story())
    with run_server() as url:
        for body in (b"", b"{", b"\xff", b"[" * 20_000, b"[]", b"3", b"{}", json.dumps({"jsonrpc": "2.0"}).encode()):
            answer = ask(url, "POST", "/mcp", body, **JSON)
            assert 400 <= answer.status < 500, (body[:20], answer.status, answer.body)
        for method in ("GET", "DELETE", "PUT"):
            assert ask(url, method, "/mcp", **JSON).status == 405
        call = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}
        assert ask(url, "POST", "/mcp", call, **JSON).status == 200
        assert ask(url, "POST", "/mcp", call, **JSON, Host="evil.example").status == 421
        assert ask(url, "POST", "/mcp", call, **JSON, Origin="http://evil.example").status == 403


def test_too_many_calls_are_refused() -> None:
    limits = replace(Limits.none(), reading=Rate(3, 0.001))
    call = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}
    with run_server(settings=Settings(port=0, limits=limits)) as url:
        answers = [ask(url, "POST", "/mcp", call, **JSON) for _ in range(4)]
        assert [answer.status for answer in answers] == [200, 200, 200, 429]
        assert "too much at once" in answers[-1].json["error"]["message"]
    with run_server(settings=Settings(port=0, limits=replace(Limits.none(), sockets_per_address=0))) as url:
        assert "too many connections" in ask(url, "POST", "/mcp", call, **JSON).json["error"]["message"]


@pytest.mark.parametrize(
    "limit, network, named",
    [
        ("sockets_per_guest", "198.51.{}.7", "you have too many connections"),
        ("sockets_per_address", "203.0.113.7", "from your address"),
        ("sockets_per_network", "203.0.113.{}", "from your address"),
        ("sockets_per_network", "2001:db8:1:{}::1", "from your address"),
        ("sockets", "198.51.{}.7", "you have too many connections"),
    ],
)
def test_assistants_that_wait_are_counted_as_sockets_are(limit: str, network: str, named: str) -> None:
    only: dict[str, Any] = {limit: 3, "sockets_reserved": 0}
    limits = replace(Limits.none(), **only)

    async def story(server: OpenServer) -> None:
        context, new = server.app.context, {"name": "Ann", "options": {"edition": "fifth"}, "seats": BOTS}

        async def wait_from(number: int) -> str:
            address = network.format(number)
            created = (await server.ask("POST", "/api/tables", new, X_Forwarded_For=address, Cookie=cookie)).json
            arguments = {"table": created["table"]["id"], "token": created["token"], "seconds": 55}
            call = {"name": "wait_for_turn", "arguments": arguments}
            body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call}
            return (await server.ask("POST", "/mcp", body, X_Forwarded_For=address, **JSON)).body.decode()

        cookie = (await server.ask("POST", "/api/tables", new)).cookie if limit == "sockets_per_guest" else ""
        calls = [asyncio.create_task(wait_from(number)) for number in range(8)]
        while sum(call.done() for call in calls) < 5:  # else those that wait too would be waited for
            await asyncio.wait([call for call in calls if not call.done()], return_when="FIRST_COMPLETED")
        assert all(named in call.result() for call in calls if call.done())
        context.stopping = True
        assert sum("Nothing is asked of you yet" in answer for answer in await asyncio.gather(*calls)) == 3
        assert not any(map(len, (context.connections.by_guest, context.connections.by_network)))

    in_server(story, settings=Settings(limits=limits, public_url="https://play.example.org"))


def test_an_assistant_that_waits_makes_room_as_a_socket_does() -> None:
    limits = replace(Limits.none(), sockets=2, sockets_reserved=1)

    async def story(server: OpenServer) -> None:
        context, new = server.app.context, {"name": "Ann", "options": {"edition": "fifth"}, "seats": BOTS}

        async def wait_from(address: str) -> str:
            created = (await server.ask("POST", "/api/tables", new, X_Forwarded_For=address)).json
            arguments = {"table": created["table"]["id"], "token": created["token"], "seconds": 55}
            call = {"name": "wait_for_turn", "arguments": arguments}
            body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call}
            return (await server.ask("POST", "/mcp", body, X_Forwarded_For=address, **JSON)).body.decode()

        calls = [asyncio.create_task(wait_from(f"203.0.113.{number}")) for number in range(2)]
        while len(context.connections.by_guest) < 2:  # noqa: ASYNC110  # nobody tells us
            await asyncio.sleep(0.01)
        calls.append(asyncio.create_task(wait_from("198.51.100.1")))
        ended, _ = await asyncio.wait(calls, return_when="FIRST_COMPLETED")
        assert ["you have too many connections" in call.result() for call in ended] == [True]
        assert not calls[2].done()
        context.stopping = True
        assert sum("Nothing is asked of you yet" in answer for answer in await asyncio.gather(*calls)) == 2

    in_server(story, settings=Settings(limits=limits, public_url="https://play.example.org"))


def test_a_server_without_the_extra_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "hexholm.host.assistants.mcp_server", None)
    with run_server() as url:
        answer = ask(url, "POST", "/mcp", {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}, **JSON)
        assert answer.status == 404
        assert "hexholm[assistants]" in answer.json["error"]["message"]


def test_looking_rules_up_is_counted_and_what_a_table_plays_by_is_for_those_who_may_look() -> None:
    async def story() -> None:
        limits = replace(Limits.none(), lookups=Rate(4, 0))
        async with over_http(settings=Settings(limits=limits)) as (ann, url):
            new_table = {"name": "Ann", "options": {"edition": "fifth"}, "seats": BOTS, "begin": True}
            created = (await asyncio.to_thread(ask, url, "POST", "/api/tables", {**new_table, "watchable": False})).json
            at_table = {"what": "robber", "table": created["table"]["id"]}
            assert "only its players can watch" in await ann.no("look_up_rule", **at_table)
            assert "only its players can watch" in await ann.no("list_rules", table=at_table["table"])
            assert "(robber)" in await ann.call("look_up_rule", **at_table, token=created["token"])
            await ann.call("read_rules", edition="fifth")
            await ann.call("list_rules")
            assert "say nothing about" in await ann.no("look_up_rule", what="xqzzy " * 40 + "robber")
            for tool, more in (
                ("look_up_rule", {"what": "robber"}),
                ("read_rules", {"edition": "zip"}),
                ("list_rules", {}),
            ):
                assert "too much at once" in await ann.no(tool, **more)
            with pytest.raises(MCPError, match="too much at once"):
                await ann.client.read_resource("hexholm://rules/zip")
            await ann.call("list_editions")

    asyncio.run(story())
