"""Storms in small: a server that is killed again and again, lines that garble everything, a resume at every message."""

from __future__ import annotations

import asyncio
import random
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace
from websockets.asyncio.client import connect
from websockets.asyncio.server import ServerConnection

from bench.drill import Drill, compare, drill_file, drill_server
from hexholm.host.client import Client, Declined, Lost
from hexholm.host.local_server import local_server
from hexholm.host.storage import EntryRow
from hexholm.host.wire import messages
from hexholm.host.wire.api import Greeting, Outgoing, Ping, Pong

from ..postgres import Cluster
from .kills import Plan, storm
from .note_check import check, encode_message
from .people import Person, Played, play_game
from .proxy import Proxy, Way, Weather

pytestmark = pytest.mark.waits

OPTIONS = {"edition": "fifth", "points_to_win": 4}
_decode = msgspec.json.Decoder(Outgoing).decode


@pytest.mark.skipif(sys.platform == "win32", reason="needs kill -9")
def test_nothing_is_lost_or_doubled_when_the_server_is_killed_at_random_moments(tmp_path: Path) -> None:
    """`python -m tests.host.storms.kills` does so 200 times with ten games."""
    figures = asyncio.run(storm(Plan(kills=6, games=2, seed=3, points=3, life=1.0), tmp_path))
    assert figures["games"] >= 2
    assert figures["acknowledged"] > 50
    assert figures["connections lost"] > 6


@pytest.mark.skipif(sys.platform == "win32", reason="needs kill -9")
def test_nothing_is_lost_or_doubled_on_postgresql_either(cluster: Cluster, tmp_path: Path) -> None:
    plan = Plan(kills=3, games=2, seed=5, points=3, life=1.0, database=cluster.new_database())
    figures = asyncio.run(storm(plan, tmp_path))
    assert figures["games"] >= 2
    assert figures["acknowledged"] > 50
    assert figures["connections lost"] > 3


def test_a_database_that_is_lost_under_load_comes_back(tmp_path: Path) -> None:
    """`python -m bench.drill` does so with 500 games."""
    drill = drill_file(tmp_path, games=6)
    assert (drill.games, drill.acknowledged > 0) == (6, True)
    assert drill.seconds.keys() >= {"backup under load", "restore", "open"}


def test_a_database_on_a_server_that_is_lost_under_load_comes_back(cluster: Cluster, tmp_path: Path) -> None:
    drill = drill_server(cluster.new_database(), cluster.new_database(), cluster.drop, tmp_path, games=6)
    assert (drill.games, drill.acknowledged > 0) == (6, True)


def test_a_drill_notices_what_is_missing() -> None:
    first, second = EntryRow(1, 1.0, "opened", "{}"), EntryRow(2, 2.0, "played", "{}")
    for there, why in (
        ({}, "a game is lost"),
        ({"t": [first]}, "an acknowledged move is lost"),
        ({"t": [first, replace(second, body="[]")]}, "the log is another one"),
    ):
        with pytest.raises(AssertionError, match=why):
            compare({"t": 2}, {"t": [first, second]}, there, Drill())


def at_a_server(path: Path, story: Callable[[str], Awaitable[Played]]) -> None:
    """A game at a server of its own; afterwards everything is held against the log."""

    async def main() -> None:
        async with asyncio.timeout(100), local_server(path) as url:
            game = await story(url)
        await check(path, [game])

    asyncio.run(main())


@pytest.mark.parametrize(
    "seed, weather",
    [
        ("late", Weather(late=0.1, cut=0, twice=0)),
        ("twice", Weather(late=0, cut=0, twice=0.5)),
        ("cut", Weather(late=0, cut=0.03, twice=0)),
        ("all", Weather()),
    ],
)
def test_over_a_line_that_delays_doubles_reorders_and_cuts_all_end_in_the_same_state(
    seed: str, weather: Weather, tmp_path: Path
) -> None:
    async def story(url: str) -> Played:
        proxy, guests = Proxy(url, seed, weather), [Client(url) for _ in range(4)]
        async with proxy as bad:
            game = await play_game(guests, OPTIONS, seed, lines=bad)
        for mishap in ("late", "twice", "cut"):
            assert (proxy.events[mishap] > 0) == (getattr(weather, mishap) > 0)
        if weather.late or weather.cut:
            assert game.total(lambda person: person.line.reconnected) > 0
        for person in game.people.values():
            await same_as_over_a_good_line(person, url)
        return game

    at_a_server(tmp_path / "h.db", story)


def test_what_comes_before_a_cut_arrives() -> None:
    """Also if all was there at once: one who has missed much is sent all of it in one go, and gets on."""

    async def messages() -> AsyncIterator[str]:
        for number in range(200):
            yield str(number)

    async def story(seed: str) -> tuple[int, list[str]]:
        proxy, guest = Proxy("http://127.0.0.1", seed, Weather(late=0, cut=0.03, twice=0)), Guest()
        await Way(messages(), guest, random.Random(seed), proxy, ordered=0).carry()
        return proxy.events["cut"], guest.heard

    outcomes = [asyncio.run(story(str(seed))) for seed in range(20)]
    assert sum(cut for cut, _ in outcomes) > 10
    assert all(heard == [str(number) for number in range(len(heard))] for _, heard in outcomes)
    assert min(len(heard) for _, heard in outcomes) > 0
    assert max(len(heard) for cut, heard in outcomes if cut) > 40


class Guest:
    """Takes whatever it is sent."""

    def __init__(self) -> None:
        self.heard: list[str] = []

    async def send(self, raw: str) -> None:
        self.heard.append(raw)


class FullServer(Proxy):
    """Turns away every other guest who comes back, six times; then the line becomes good."""

    async def _guest(self, guest: ServerConnection) -> None:
        if self.events["turned away"] == 6:
            self.weather = Weather(late=0, twice=0, slow=0, cut=0)
        elif self.events["connections"] >= 5 and self.events["let in"] >= self.events["turned away"]:
            self.events["turned away"] += 1
            await guest.recv()
            await guest.send(
                encode_message(messages.Refused(id=None, code="too_much", message="wait a little")).decode()
            )
            await guest.close(4429, "wait a little")
            return
        self.events["let in"] += self.events["turned away"] > 0
        await super()._guest(guest)


def test_a_guest_who_is_turned_away_for_a_moment_comes_back(tmp_path: Path) -> None:
    async def story(url: str) -> Played:
        proxy = FullServer(url, "full", Weather(late=0, twice=0, slow=0, cut=0.02))
        async with proxy as bad:
            game = await play_game([Client(url) for _ in range(4)], OPTIONS, "full", lines=bad)
        assert proxy.events["turned away"] > 0
        return game

    at_a_server(tmp_path / "h.db", story)


class Stray(Proxy):
    """A word that was meant for something else comes before the greeting."""

    async def _guest(self, guest: ServerConnection) -> None:
        await guest.send(
            encode_message(messages.Refused(id=None, code="not_readable", message="hello once is enough")).decode()
        )
        await super()._guest(guest)


def test_a_refusal_that_closes_no_door_turns_nobody_away() -> None:
    async def story() -> None:
        async with local_server() as url, Stray(url, "stray", Weather(0, 0, 0, 0)) as bad:
            mine = await Client(url).create("Ann", options=OPTIONS)
            async with Client(bad).join(mine.table.id, mine.token) as line:
                await line.say("here I am")
            with pytest.raises(Declined, match="token"):
                async with Client(bad).join(mine.table.id, "forged"):
                    pass

    asyncio.run(asyncio.wait_for(story(), 60))


def test_an_older_view_that_comes_late_does_not_replace_a_newer_one() -> None:
    async def story() -> None:
        async with local_server() as url:
            client = Client(url)
            mine = await client.create("Ann", options=OPTIONS, seats=dict.fromkeys(("blue", "white", "orange"), "easy"))
            async with client.join(mine.table.id, mine.token, since=0) as line:
                await line.begin()
                await line.until(lambda joined: joined.projection is not None and joined.projection.asked)
                now = line.projection
                assert now is not None
                newer, older = replace(now, view={"over": False, "turn": 9}), replace(now, view={"over": False})
                number = line.number
                assert line._read_message(messages.Now(projection=newer, number=number + 1))
                assert line.behind  # what led to it must still come
                assert line._read_message(messages.Now(projection=older, number=number))
                assert line.projection == newer

    asyncio.run(asyncio.wait_for(story(), 60))


def test_an_answer_that_breaks_off_is_no_answer() -> None:
    """As when a server is killed while it writes."""

    async def break_off(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{"tables":')
        await writer.drain()
        writer.close()

    async def story() -> None:
        server = await asyncio.start_server(break_off, "127.0.0.1", 0)
        async with server:
            with pytest.raises(Lost):
                await Client(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}").tables()

    asyncio.run(asyncio.wait_for(story(), 60))


async def same_as_over_a_good_line(person: Person, url: str) -> None:
    """A new client over a good line is told and shown the same."""
    line = person.line
    async with Client(url, cookie=line.client.cookie).join(line.id, line.token, since=0) as clean:
        heard = [await anext(clean) for _ in range(len(person.heard))]
        assert not clean.behind
        assert heard == person.heard
        assert clean.projection == line.projection
        assert clean.table == line.table


def test_a_guest_can_resume_after_any_message_of_a_game(tmp_path: Path) -> None:
    """For a seat and for one who watches: exactly what came later, as those heard it who never left."""

    async def story(url: str) -> Played:
        game = await play_game([Client(url) for _ in range(4)], OPTIONS, "resume")
        for person in (game.people["red"], game.people[None]):
            whole = [encode_message(message) for message in person.heard]
            assert len(whole) > 30
            for since in range(len(whole) + 1):
                hello, missed = await resume(url, person, since)
                assert missed == whole[since:], since
                assert hello.number == len(whole)
                assert hello.projection == person.line.projection
        return game

    at_a_server(tmp_path / "h.db", story)


async def resume(url: str, person: Person, since: int) -> tuple[messages.Hello, list[bytes]]:
    """The greeting of a new connection and the numbered messages that follow by themselves."""
    address = f"{url.replace('http', 'ws', 1)}/ws/tables/{person.line.id}"
    cookie = person.line.client.cookie_header  # when the game is over strangers see it no more
    async with connect(address, additional_headers=cookie, compression=None, max_size=None, proxy=None) as socket:
        await socket.send(
            encode_message(Greeting(protocol=messages.PROTOCOL_VERSION, token=person.line.token, since=since)).decode()
        )
        hello = _decode(await socket.recv())
        assert isinstance(hello, messages.Hello)
        await socket.send(encode_message(Ping()).decode())
        missed: list[bytes] = []
        answered = False
        while not answered or len(missed) < hello.number - since:
            raw = await socket.recv(decode=False)
            message = _decode(raw)
            answered |= isinstance(message, Pong)
            if isinstance(message, messages.Told | messages.Chatted | messages.Changed):
                missed.append(raw)
    return hello, missed
