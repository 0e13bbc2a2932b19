"""What a guest is told of games that wait for it: from the eyes of its own seat, and no other."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

import pytest

from hexholm.host.tables.seats import Guest
from hexholm.host.tables.table import Table
from hexholm.host.wire import messages
from tests.host.halls import Clock, scripted_dealer

from ...open_server import OpenServer, open_server

pytestmark = pytest.mark.waits

COLORS = ("red", "blue", "white", "orange")


@dataclass
class Friends:
    """Four guests at a table of a server, by their cookies."""

    server: OpenServer
    clock: Clock
    table_id: str
    cookies: dict[str, str]
    count: int = 0

    @property
    def table(self) -> Table:
        return self.server.hall.loaded(self.table_id).table

    async def send(self, color: str, command: messages.TableCommand) -> None:
        seat = self.table.seats[color]
        await self.server.hall.loaded(self.table_id).carry_out(Guest(seat.guest_id, color), command)

    async def act(self, color: str, action: str) -> None:
        self.count += 1
        await self.send(color, messages.Act(id=f"a{self.count}", action=action))

    async def asked_since(self, color: str, query: str = "") -> dict[str, float | None]:
        """What a guest is told of its tables."""
        answer = await self.server.ask("GET", f"/api/me{query}", Cookie=self.cookies[color])
        return {row["table"]["id"]: row.get("asked_since") for row in answer.json["tables"]}

    async def asked(self) -> set[str]:
        """Who is told that this game waits for them."""
        return {color for color in COLORS if (await self.asked_since(color))[self.table_id] is not None}


def with_friends(story: Callable[[Friends], Awaitable[None]], *dice: str, **options: Any) -> None:
    async def run() -> None:
        clock = Clock()
        async with open_server(now=clock, make_dealer=scripted_dealer(*dice)) as server:
            settings = {"edition": "fifth", "setup": "fixed", "first": 0, **options}
            made = await server.ask("POST", "/api/tables", {"name": "Ann", "options": settings})
            table_id = made.json["table"]["id"]
            cookies = {"red": made.cookie}
            for color in COLORS[1:]:
                taken = await server.ask("POST", f"/api/tables/{table_id}/seats/{color}", {"name": color})
                cookies[color] = taken.cookie
            friends = Friends(server, clock, table_id, cookies)
            await friends.send("red", messages.Begin(id="begin"))
            await story(friends)

    asyncio.run(asyncio.wait_for(run(), 60))


def test_whose_turn_it_is_and_since_when_whatever_pauses_there_are() -> None:
    async def story(p: Friends) -> None:
        since = p.clock.time
        assert await p.asked() == {"red"}
        p.clock.time += 3600
        for color in COLORS:
            await p.send(color, messages.Pause(id=f"pause {color}"))
        assert await p.asked() == set()  # nobody can do anything
        p.clock.time += 3600
        await p.send("red", messages.Resume(id="resume"))
        assert (await p.asked_since("red"))[p.table_id] == since
        await p.act("red", "roll")
        await p.act("red", "end")
        assert await p.asked() == {"blue"}
        assert (await p.asked_since("blue"))[p.table_id] == since + 7200
        assert "asked_since" not in (await p.server.ask("GET", f"/api/tables/{p.table_id}")).body.decode()

    with_friends(story)


def test_who_has_discarded_in_secret_is_told_so_and_nobody_else() -> None:
    async def story(p: Friends) -> None:
        await p.act("red", "roll")
        game = p.table.begun_game
        owing = set(game.to_act)
        assert len(owing) >= 2
        assert await p.asked() == owing
        first = min(owing)
        others = {color: await p.asked_since(color) for color in COLORS if color != first}
        lines = await p.server.ask("GET", f"/api/tables/{p.table_id}")
        await p.act(first, game.view(first).legal_actions.texts[0])
        assert await p.asked() == owing - {first}
        assert {color: await p.asked_since(color) for color in others} == others
        assert (await p.server.ask("GET", f"/api/tables/{p.table_id}")).json["table"] == lines.json["table"]

    with_friends(story, "dice 3 4", hand_limit=2)


def test_one_who_has_resigned_is_waited_for_no_more() -> None:
    async def story(p: Friends) -> None:
        await p.send("red", messages.Resign(id="r"))
        assert "red" not in await p.asked()

    with_friends(story)


def test_a_game_over_days_stands_on_the_first_page_however_many_came_after_it() -> None:
    async def story(p: Friends) -> None:
        for _ in range(3):
            p.clock.time += 60
            await p.server.ask("POST", "/api/tables", {"name": "Ann"}, Cookie=p.cookies["red"])
        told = await p.asked_since("red", "?limit=2")
        assert len(told) == 3
        assert told[p.table_id] is not None
        assert p.table_id not in await p.asked_since("red", f"?limit=2&before={p.table.created}")

    with_friends(story)
