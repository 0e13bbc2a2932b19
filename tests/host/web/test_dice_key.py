"""The key of the dice is nowhere before the end: not over REST, on sockets, in the terminal, in the log."""

from __future__ import annotations

import asyncio
import base64
import random
import sys

import msgspec
import pytest
from websockets.asyncio.client import connect

from hexholm.host.client import Client
from hexholm.host.tables.table import Table
from hexholm.host.wire import messages
from hexholm.host.wire.api import COOKIE
from hexholm.host.wire.description.openapi import openapi_document
from tests.host.assistants.calling_assistant import HERE, tools_of
from tests.host.halls import Clock, Party

from ..open_server import OpenServer, open_server
from ..servers import BOTS

pytestmark = pytest.mark.waits

GETS = [path for path, how in openapi_document()["paths"].items() if "get" in how and "boards/preview" not in path]


def spellings(table: Table) -> list[bytes]:
    """Key and key of the draws, as they could be written."""
    key, dealer = table.fair_dice.key, table.fair_dice.dealer(table.id)
    assert key is not None
    assert dealer is not None
    secrets = (key, dealer.draw_key)
    return [
        text
        for secret in secrets
        for text in (
            secret,
            secret.hex().encode(),
            secret.hex().upper().encode(),
            base64.b64encode(secret).rstrip(b"="),
            base64.urlsafe_b64encode(secret).rstrip(b"="),
            repr(secret).encode(),
        )
    ]


async def everything_said(server: OpenServer, table_id: str, token: str, cookie: str) -> bytes:
    """All that can be asked of a server about a table, by its seat, its guest and a stranger."""
    said = []
    for headers in ({}, {"Cookie": cookie}, {"Cookie": cookie, "Authorization": f"Bearer {token}"}):
        for path in GETS:
            asked = path.replace("{table}", table_id).replace("{color}", "red")
            for query in ("", "?form=json", "?eyes=referee"):
                answer = await server.ask("GET", asked + query, None, **headers)
                said.append(repr(answer.headers.items()).encode() + answer.body)
    said += [await told(server, table_id, seat_token, cookie) for seat_token in (token, None)]
    tools = tools_of(Party(server.hall, Clock(), table_id))
    said += [
        (await tools.look(HERE, table_id, token, 0)).encode(),
        (await tools.actions(HERE, table_id, token)).encode(),
    ]
    said += [repr(server.hall.loaded(table_id).table).encode(), server.journal.getvalue().encode()]
    return b"\n".join(said)


async def told(server: OpenServer, table_id: str, token: str | None, cookie: str) -> bytes:
    """All that a socket is told from the beginning on, as it comes over the line."""
    url = f"ws://127.0.0.1:{server.port}/ws/tables/{table_id}"
    async with connect(url, max_size=None, proxy=None, additional_headers={"Cookie": cookie}) as line:
        greeting = {"type": "hello", "protocol": messages.PROTOCOL_VERSION, "token": token, "since": 0}
        await line.send(msgspec.json.encode(greeting).decode())
        received = [await line.recv(decode=False)]
        first = msgspec.json.decode(received[0])
        assert first["type"] == "hello", first
        while first["number"] > sum(b'"number":' in text and b'"type":"now"' not in text for text in received[1:]):
            received.append(await line.recv(decode=False))
    return b"\n".join(received)


async def play(server: OpenServer, table_id: str, token: str, actions: int = 10) -> None:
    async with Client(server.url).join(table_id, token) as line:
        pick, count = random.Random(3), 0
        async for now in line.questions():
            await line.act(pick.choice(now.legal))
            count += 1
            if count == actions:
                return


async def watching(server: OpenServer, table_id: str) -> asyncio.subprocess.Process:
    """`hexholm watch` in a process of its own, once it has said something."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "hexholm", "watch", f"{server.url}/t/{table_id}"),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    assert process.stdout is not None
    await process.stdout.readline()
    return process


@pytest.mark.parametrize("how", ["abandoned", "capped"])
def test_the_key_is_nowhere_before_the_end_and_after_it_only_where_nothing_is_hidden(how: str) -> None:
    async def main() -> None:
        async with open_server() as server:
            client = Client(server.url)
            created = await client.create("Ann", options={"edition": "fifth", "first": 0}, seats=BOTS)
            table_id, token = created.table.id, created.token
            assert token is not None
            assert client.cookie is not None
            cookie = f"{COOKIE}={client.cookie}"
            secrets = spellings(server.hall.loaded(table_id).table)

            def found(said: bytes) -> bool:
                return any(secret in said for secret in secrets)

            assert not found(await everything_said(server, table_id, token, cookie))
            async with client.join(table_id, token) as line:
                await line.send(messages.Begin(id="begin"))
            watch = await watching(server, table_id)
            await play(server, table_id, token)
            running = await everything_said(server, table_id, token, cookie)
            assert server.hall.loaded(table_id).table.fair_dice.commitment.encode() in running
            assert not found(running)
            runner = server.hall.loaded(table_id)
            await runner.run_in_turn(lambda: runner.write(runner.table.decide_stop(how, "")))  # type: ignore[arg-type]
            seen, _ = await asyncio.wait_for(watch.communicate(), 60)
            over = await everything_said(server, table_id, token, cookie)
            assert found(over) == (how == "capped")
            if how == "abandoned":
                assert not found(seen)

    asyncio.run(main())
