"""Texts that a database may not take, at every door through which words come in: they are refused or made fit."""

from __future__ import annotations

import asyncio
from itertools import product
from typing import Any

import pytest
from mcp import Client

from hexholm.host.storage.admin_connection import admin_connection
from hexholm.host.storage.rows.reported_words import reports
from hexholm.host.wire import messages
from tests.host.servers import ask, hear, new_table, open_socket, run_server, say

pytestmark = pytest.mark.waits

NUL = "a\0b"
ODD = (NUL, "a\x1b[2Jb")


def test_characters_that_a_database_refuses_come_through_no_door(database: str) -> None:
    with run_server(database) as url:
        created = new_table(url, visibility="open", spectators_speak=True)
        table, token, cookie = created.json["table"]["id"], created.json["token"], created.cookie
        with open_socket(url, table, token) as line, open_socket(url, table) as watching:
            hear(line, messages.Hello), hear(watching, messages.Hello)
            for odd in ODD:
                commands: tuple[messages.TableCommand, ...] = (messages.Say(id=odd, text="x"), messages.End(id=odd))
                for command, socket in product(commands, (line, watching)):
                    answer = say(socket, command)
                    assert isinstance(answer, messages.Refused)
                    assert answer.why == "bad_id"
                name = odd.encode().hex()
                for command in (messages.Say(id=f"{name} 1", text=odd), messages.Rename(id=f"{name} 2", name=odd)):
                    assert isinstance(say(line, command), messages.Done)
            assert isinstance(say(watching, messages.Act(id="act", action=NUL)), messages.Refused)
        reported = ask(url, "POST", f"/api/tables/{table}/reports", {"what": "name", "seat": "red", "why": NUL})
        assert reported.status == 201, reported.body
        with admin_connection(database) as connection:
            (report,), _ = reports(connection, 10)
        assert report.why == "a?b"
        for method, path, body in (
            ("GET", "/api/tables/a%00b", None),
            ("GET", "/api/tables/a%00b/record", None),
            ("GET", "/api/tables/a%00b/board.svg", None),
            ("GET", "/api/tables/a%00b/replay", None),
            ("POST", "/api/tables/a%00b/seats/red", {"name": "Ann"}),
            ("POST", "/api/tables/a%00b/reports", {"what": "title"}),
            ("POST", "/api/tables/a%00b/rematch", {}),
            ("POST", "/api/me/tables/a%00b/token", {}),
            ("GET", "/api/rules?table=a%00b", None),
            ("GET", f"/api/tables/{table}/seats/a%00b", None),
            ("POST", f"/api/tables/{table}/seats/a%00b", {"name": "Ann"}),
            ("POST", "/api/me/recover", {"text": NUL}),
            ("GET", "/api/tables?status=a%00b", None),
            ("GET", "/api/ratings?before=a%00b", None),
        ):
            assert ask(url, method, path, body, Cookie=cookie).status < 500, path
        for path, body in (
            ("/api/tables", {"name": NUL, "title": NUL, "key": NUL * 9}),
            ("/api/me", {"name": NUL}),
        ):
            assert ask(url, "POST", path, body, Cookie=cookie).status == 201, path
        with open_socket(url, "a%00b") as line:
            assert hear(line, messages.Refused).why == "no_such_table"
        assert "something went wrong" not in asyncio.run(_ask_as_assistant(url, table, token))


async def _ask_as_assistant(url: str, table: str, token: str) -> str:
    """What assistants are told who call with such characters."""
    seat = {"table": table, "token": token}
    calls: tuple[tuple[str, dict[str, Any]], ...] = (
        ("look", {"table": NUL}),
        ("look", {"table": table, "token": NUL}),
        ("list_rules", {"table": NUL}),
        ("look_up_rule", {"what": NUL, "edition": NUL}),
        ("look_up_rule", {"what": NUL}),
        ("act", {**seat, "action": "roll", "id": NUL}),
        ("say", {**seat, "text": NUL, "id": NUL}),
        ("write_notes", {**seat, "text": NUL}),
        ("read_notes", seat),
        ("join_table", {"table": table, "seat": NUL, "name": NUL, "id": NUL * 9}),
        ("create_table", {"name": NUL, "title": NUL, "id": NUL * 9}),
    )
    async with Client(f"{url}/mcp") as client:
        answers = [await client.call_tool(tool, arguments) for tool, arguments in calls]
    return "\n".join(getattr(part, "text", "") for answer in answers for part in answer.content)
