"""The client library: whole games over real sockets, also over a line that is cut, delayed, and says things twice."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import msgspec
import pytest

from hexholm.game.game import Record
from hexholm.host.client import Client, Declined, Lost, read_link, read_share_link
from hexholm.host.local_server import local_server
from hexholm.host.wire import messages
from hexholm.rules.errors import BadInput

from .servers import BOTS, OPTIONS, play_on

pytestmark = pytest.mark.waits


def run(story: Callable[[str], Awaitable[None]], *, seconds: float = 60, **more: Any) -> None:
    """A story at a server of its own."""

    async def main() -> None:
        async with asyncio.timeout(seconds), local_server(**more) as url:
            await story(url)

    asyncio.run(main())


def test_a_whole_game_against_three_players() -> None:
    async def story(url: str) -> None:
        client = Client(url)
        mine = await client.create("Ann", options=OPTIONS, seats=BOTS, title="a game")
        async with client.join(mine.table.id, mine.token) as table:
            assert table.table.title == "a game"
            await table.begin()
            assert await play_on(table, random.Random(1)) > 3
            assert table.over
        record = Record.read(await client.record(mine.table.id))
        assert record.eyes is None
        assert (await client.table(mine.table.id)).table.status == "over"
        stranger, link = Client(url), await client.show(mine.table.id)
        server, table_id, secret = read_share_link(link)
        assert (server, table_id) == (url, mine.table.id)
        assert Record.read(await stranger.record(table_id, share=secret)).result == record.result
        await client.take_back(mine.table.id)
        for share in (None, secret):
            with pytest.raises(Declined, match="belongs to its players"):
                await stranger.record(table_id, share=share)
            with pytest.raises(Declined, match="belongs to its players"):
                await stranger.table(table_id, share=share)

    run(story)


def test_refusals_say_why_and_what_would_be_legal() -> None:
    async def story(url: str) -> None:
        client = Client(url)
        with pytest.raises(Declined) as error:
            await client.create("Ann", options={"edition": "tenth"})
        assert error.value.refusal.code == "not_allowed"
        mine = await client.create("Ann", options=OPTIONS, seats=BOTS)
        with pytest.raises(Declined) as error:
            await Client(url).take(mine.table.id, "red", "Bob")
        assert error.value.refusal.code == "not_allowed"
        async with client.join(mine.table.id, mine.token) as table:
            await table.begin()
            await table.until(lambda joined: joined.projection is not None and joined.projection.asked)
            with pytest.raises(Declined) as error:
                await table.act("roll")
            assert error.value.refusal.rule == "SETUP-21"
            assert error.value.refusal.legal
        with pytest.raises(Declined, match="no table"):
            async with client.join("nosuchtable"):
                pass
        with pytest.raises(Declined, match="token"):
            async with client.join(mine.table.id, "forged"):
                pass

    run(story)


def test_a_roll_of_real_dice_is_told_and_taken_back() -> None:
    async def story(url: str) -> None:
        client = Client(url)
        wishes = {"options": {"edition": "fifth", "setup": "fixed", "first": 0}, "seats": BOTS, "chance": "dice"}
        mine = await client.create("Ann", **wishes)
        async with client.join(mine.table.id, mine.token) as red, Client(url).join(mine.table.id, since=0) as watcher:
            await red.begin()
            await red.until(
                lambda joined: joined.projection is not None and joined.projection.chance_question is not None
            )
            with pytest.raises(Declined, match="watch"):
                await watcher.deal("dice 1 1")
            await red.deal("dice 4 6")
            await red.until(lambda joined: joined.projection is not None and joined.projection.view["dice"] == [4, 6])
            with pytest.raises(Declined, match="nothing has to be rolled or drawn"):
                await red.deal("dice 3 4")
            await red.take_back()
            await red.until(lambda joined: joined.projection is not None and joined.projection.legal == ("roll",))
            async for message in watcher:
                if isinstance(message, messages.Changed) and message.what == "took_back":
                    assert message.by == "red"
                    return

    run(story)


def test_a_server_that_is_not_there_is_lost() -> None:
    async def story() -> None:
        client = Client("http://127.0.0.1:9")
        with pytest.raises(Lost):
            await client.tables()
        with pytest.raises(Lost):
            async with client.join("any", patience=0.2):
                pass

    asyncio.run(story())


def test_links_are_read_in_all_their_forms() -> None:
    assert read_link("http://host:8000/t/abc#seat=xyz") == ("http://host:8000", "abc", "xyz")
    assert read_link("host:8000/t/abc") == ("http://host:8000", "abc", None)
    assert read_link("wss://host/ws/tables/abc") == ("https://host", "abc", None)
    for wrong in ("http://host:8000/", "ftp://host/t/abc", "nonsense", "http:///t/abc"):
        with pytest.raises(BadInput) as error:
            read_link(f"{wrong}#seat=secret")
        assert "secret" not in str(error.value)


class Proxy:
    """A line between client and server that is slow, and is cut now and then."""

    def __init__(self, url: str, rng: random.Random, *, every: int) -> None:
        self.target, self.rng, self.every = urlsplit(url), rng, every
        self.cuts = 0

    async def __aenter__(self) -> str:
        self.server = await asyncio.start_server(self._guest, "127.0.0.1", 0)
        return f"http://127.0.0.1:{self.server.sockets[0].getsockname()[1]}"

    async def __aexit__(self, *_error: object) -> None:
        self.server.close()

    async def _guest(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        server_reader, server_writer = await asyncio.open_connection(self.target.hostname, self.target.port)
        bytes_left = [self.rng.randrange(2_000, self.every)]
        ways = [self._carry(reader, server_writer, bytes_left), self._carry(server_reader, writer, bytes_left)]
        await asyncio.wait([asyncio.create_task(way) for way in ways], return_when=asyncio.FIRST_COMPLETED)
        self.cuts += bytes_left[0] <= 0
        for end in (writer, server_writer):
            end.transport.abort()

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, bytes_left: list[int]) -> None:
        try:
            while data := await reader.read(1_000):
                bytes_left[0] -= len(data)
                if bytes_left[0] <= 0:  # in the middle of something
                    writer.write(data[: len(data) // 2])
                    return
                if self.rng.random() < 0.1:
                    await asyncio.sleep(0.002)
                writer.write(data)
                await writer.drain()
        except OSError:
            return


def test_over_a_line_that_is_cut_again_and_again_nothing_is_lost_or_doubled() -> None:
    """Four people play over bad lines; one watches over a good one. All end with what was really played."""

    async def story(url: str) -> None:
        client, rng = Client(url), random.Random(5)
        mine = await client.create("p0", options=OPTIONS)
        id, colors = mine.table.id, [seat.color for seat in mine.table.seats]  # noqa: A001
        proxy = Proxy(url, rng, every=60_000)
        async with proxy as bad, client.join(id, since=0) as watcher:
            guests = [Client(bad, cookie=client.cookie), *(Client(bad) for _ in colors[1:])]
            tokens = [mine.token]
            for guest, color in zip(guests[1:], colors[1:], strict=True):
                tokens.append((await guest.take(id, color, f"guest {color}")).token)
            lines = [guest.join(id, token, since=0) for guest, token in zip(guests, tokens, strict=True)]
            for line in lines:
                await line.__aenter__()
            await lines[0].begin()
            heard_by_line: list[list[Any]] = [[] for _ in lines]
            action_counts = await asyncio.gather(*(play_on(line, random.Random(i)) for i, line in enumerate(lines)))
            for line in lines:
                await line.close()
            assert proxy.cuts > 5
            assert sum(line.reconnected for line in lines) >= proxy.cuts // 2
            record = Record.read(await client.record(id))
            mine_too = [action for action in record.actions if action.by in colors]
            assert len(mine_too) == sum(action_counts)  # every acknowledged action once, and no other
            assert [line.over for line in lines] == [True] * 4
            await watcher.until(lambda message: message.over)
            for color, line, heard in zip(colors, lines, heard_by_line, strict=True):
                async with client.join(id, line.token, since=0) as rejoined:
                    while rejoined.behind:
                        heard.append(await anext(rejoined))
                    assert rejoined.projection == line.projection, color
                numbers = [message.number for message in heard if not isinstance(message, messages.Now)]
                assert numbers == list(range(1, len(numbers) + 1))

    run(story)


def test_messages_that_come_twice_or_too_early_are_noticed() -> None:
    async def story(url: str) -> None:
        client = Client(url)
        mine = await client.create("Ann", options=OPTIONS, seats=BOTS)
        async with client.join(mine.table.id, mine.token, since=0) as table:
            await table.until(lambda joined: joined.number == 4)
            first = [await anext(table) for _ in range(4)]
            assert table._read_message(first[0])  # again
            assert not table.behind
            assert not table._read_message(messages.Chatted(number=9, time=0, by="blue", text="from the future"))
            assert table.number == 4
            await table.say("hello")
            await table.until(lambda joined: joined.number == 5)
            assert msgspec.structs.asdict(await anext(table))["text"] == "hello"

    run(story)


def test_a_server_that_was_stopped_goes_on_and_so_does_its_client(tmp_path: Path) -> None:
    async def story() -> None:
        from hexholm.host.web.operations.settings import Settings

        file = tmp_path / "h.db"
        async with local_server(file) as url:
            port = urlsplit(url).port or 0
            client = Client(url)
            mine = await client.create("Ann", options=OPTIONS, seats=BOTS)
            line = client.join(mine.table.id, mine.token)
            await line.__aenter__()
            await line.begin()
        async with local_server(file, Settings(port=port)) as second_url:
            assert second_url == url
            await play_on(line, random.Random(2))
            assert line.over
            assert line.reconnected >= 1
            await line.close()

    async def main() -> None:
        async with asyncio.timeout(60):
            await story()

    asyncio.run(main())


def test_a_client_counts_messages_that_the_server_lost() -> None:
    async def story(url: str) -> None:
        client = Client(url)
        mine = await client.create("Ann", options=OPTIONS, seats=BOTS)
        async with client.join(mine.table.id, mine.token) as table:
            await table.begin()
            assert table.lost == 0
            number = table.number
        async with client.join(mine.table.id, mine.token, since=number + 1000) as table:
            assert table.lost > 900
            assert table.number < number + 1000
            await table.until(lambda joined: joined.projection is not None)

    run(story)
