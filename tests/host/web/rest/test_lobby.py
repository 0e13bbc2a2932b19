"""The lobby is bounded, and costs little however often it is asked for."""

from __future__ import annotations

import asyncio
import threading
from typing import Any

import pytest

from hexholm.host.tables import table
from hexholm.host.tables.hall import opening
from hexholm.host.tables.state import TableState
from hexholm.host.tables.table_line import table_line
from hexholm.host.web.rest import lobby as lobbies
from hexholm.host.wire import messages

from ...halls import Party, agree, in_hall, set_up, table_settings
from ...open_server import open_server

pytestmark = pytest.mark.waits

NEW = {"name": "Ann", "options": {"edition": "fifth"}, "seats": dict.fromkeys(("blue", "white", "orange"), "easy")}


def test_tables_are_looked_through_only_when_something_in_the_lists_has_changed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    looked_at: list[str] = []
    stands_in_lobby = lobbies.stands_in_lobby

    def noted(table: Any) -> bool:
        looked_at.append(table.id)
        return stands_in_lobby(table)

    async def story(party: Party) -> None:
        lobby = lobbies.Lobby(party.hall)
        for _ in range(3):
            party.clock.time += 1
            await set_up(party, visibility="open")
        newest = [table.id for table in party.hall.tables][::-1]
        looked_at.clear()
        for _ in range(5):
            assert [table.id for table in lobby.page(None, 2, None)] == newest[:2]
            assert (lobby.count(None), lobby.count("open"), lobby.count("playing")) == (3, 3, 0)
        assert len(looked_at) == 3
        await party.begin()
        assert [table.id for table in lobby.page("playing", 9, None)] == [party.id]
        assert len(looked_at) == 6
        await party.act(party.table.asked_colors()[0], "roll")  # a move or a refusal: lists do not say it
        assert lobby.count("playing") == 1
        assert len(looked_at) == 6
        await agree(party, messages.End)
        assert (lobby.count("playing"), lobby.count("open")) == (0, 2)

    monkeypatch.setattr(lobbies, "stands_in_lobby", noted)
    in_hall(story)


def test_pages_of_the_lobby_follow_each_other() -> None:
    async def story(party: Party) -> None:
        lobby = lobbies.Lobby(party.hall)
        for number in range(5):
            if number != 3:  # the fourth is as old as the third
                party.clock.time += 1
            await party.hall.create("ann", table_settings(color="red", visibility="open"))
        created = [table.created for table in lobby.page(None, 9, None)]
        assert created == sorted(created, reverse=True)
        assert [table.created for table in lobby.page(None, 2, created[0])] == created[1:3]
        assert [table.created for table in lobby.page(None, 9, created[2])] == created[3:]
        assert lobby.page(None, 9, created[-1]) == []

    in_hall(story)


def test_what_lists_say_of_a_table_is_made_once_until_it_changes(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[str] = []
    make_line = table_line

    def noted(state: TableState) -> messages.TableLine:
        made.append(state.id)
        return make_line(state)

    async def story(party: Party) -> None:
        await set_up(party, 2)
        made.clear()
        first = party.table.line()
        assert party.table.line() is first
        assert len(made) <= 1
        await party.send("red", messages.Rename(id="1", name="Anna"))
        assert [seat.name for seat in party.table.line().seats][:2] == ["Anna", "Bob"]
        await party.begin()
        assert party.table.line().status == "playing"
        await party.send("blue", messages.Pause(id="2", on=True))
        assert party.table.line().wishes == {"pause": ("blue",)}

    monkeypatch.setattr(table, "table_line", noted)
    in_hall(story)


def test_an_answer_has_so_many_tables_and_no_more() -> None:
    async def run() -> None:
        async with open_server() as server:
            for path in ("/api/tables", "/api/me"):
                most = lobbies.MOST_TABLES_LISTED
                assert (await server.ask("GET", f"{path}?limit={most}")).status == 200
                refused = await server.ask("GET", f"{path}?limit={most + 1}")
                assert (refused.status, refused.json["error"]["why"]) == (400, "bad_number")

    asyncio.run(asyncio.wait_for(run(), 30))


def test_what_a_new_table_asks_for_is_read_in_a_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    threads: list[threading.Thread] = []
    read_settings = opening.read_settings

    def noted(new_table: Any) -> Any:
        threads.append(threading.current_thread())
        return read_settings(new_table)

    async def run() -> None:
        async with open_server() as server:
            board = "name = 'a'\n" + "a = 1\n" * 2000
            refused = await server.ask("POST", "/api/tables", {"name": "Ann", "board": board})
            assert refused.status == 409
            assert (await server.ask("POST", "/api/tables", NEW)).status == 201

    monkeypatch.setattr("hexholm.host.web.rest.tables.read_settings", noted)
    asyncio.run(asyncio.wait_for(run(), 30))
    assert len(threads) == 2
    assert threading.main_thread() not in threads
