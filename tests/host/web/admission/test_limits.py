"""How much one address may have: tables, tables from storage, open files; and whose address it is."""

from __future__ import annotations

import asyncio
import contextlib
import io
import resource
import time
from dataclasses import replace
from typing import Any

import msgspec
import pytest

from hexholm.host.tables.hall.eviction import ALONE_FOR, EMPTY_FOR
from hexholm.host.tables.hall.loaded_tables import FINISHED_LINGER
from hexholm.host.tables.running.log_size import BESIDE_TEXT, TABLE_SIZE, WISH_MEMORY
from hexholm.host.tables.seats import Guest
from hexholm.host.web import context as web_context
from hexholm.host.web import sockets
from hexholm.host.web.admission.costly_queue import MOST_QUEUED
from hexholm.host.web.admission.counted_origin import counted_address, counted_network
from hexholm.host.web.admission.limits import Bucket, Limits, Rate
from hexholm.host.web.admission.load_shedding import Urgency
from hexholm.host.web.operations import process
from hexholm.host.web.operations.server_log import new_logger
from hexholm.host.web.operations.settings import Settings
from hexholm.host.web.rest import replays
from hexholm.host.wire import messages
from hexholm.host.wire.host_refusals import Declined
from hexholm.host.wire.links import read_share_link

from ...halls import Clock, send
from ...open_server import OpenServer, open_server
from ...servers import Answer, ask, hear, open_socket, read_to_close_code, run_server, say
from ...servers import new_table as table_of_ann

pytestmark = pytest.mark.waits

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


@pytest.mark.parametrize(
    "host, counted",
    [
        ("203.0.113.7", "203.0.113.0/24"),
        ("::ffff:203.0.113.7", "203.0.113.0/24"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1::/48"),
        ("2001:db8:1:2::/64", "2001:db8:1::/48"),
        ("testclient", "testclient"),
    ],
)
def test_an_address_belongs_to_a_network(host: str, counted: str) -> None:
    assert counted_network(host) == counted


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
            await send(server.hall, ended.id, Guest(ended.creator_id, "red"), messages.End(id="e"))
            assert await tables_from(server, "203.0.113.7", 2) == ["", "too_many_from_address"]

    asyncio.run(asyncio.wait_for(run(), 30))


def test_addresses_without_number_of_one_network_have_no_more_tables_than_it() -> None:
    async def run() -> None:
        limits = replace(Limits.none(), tables_per_network=3)
        settings = Settings(limits=limits, public_url="https://play.example.org")
        async with open_server(settings=settings) as server:
            answers = [(await tables_from(server, f"203.0.113.{number}", 1))[0] for number in range(5)]
            assert answers == ["", "", "", "too_many_from_address", "too_many_from_address"]
            assert await tables_from(server, "203.0.112.1", 1) == [""]
            answers = [(await tables_from(server, f"2001:db8:7:{number}::1", 1))[0] for number in range(4)]
            assert answers == ["", "", "", "too_many_from_address"]
            assert await tables_from(server, "2001:db8:8::1", 1) == [""]

    asyncio.run(asyncio.wait_for(run(), 30))


def test_a_network_has_few_games_that_go_on_when_nobody_is_there() -> None:
    async def run() -> None:
        limits = replace(Limits.none(), tables_playing_on=2)
        settings = Settings(limits=limits, public_url="https://play.example.org")
        bots = {**NEW, "seats": {**NEW["seats"], "red": "easy"}, "sit": False, "plays_on": True}  # type: ignore[dict-item]
        async with open_server(settings=settings) as server:

            async def bots_play_on(address: str) -> str:
                return why(await server.ask("POST", "/api/tables", bots, X_Forwarded_For=address))

            assert [await bots_play_on(f"203.0.113.{number}") for number in range(3)] == ["", "", "too_many_playing_on"]
            assert await tables_from(server, "203.0.113.7", 1) == [""]  # which waits
            assert await bots_play_on("198.51.100.1") == ""
            ended = server.hall.tables[0]
            await send(server.hall, ended.id, Guest(ended.creator_id), messages.End(id="e"))
            assert await bots_play_on("203.0.113.4") == ""
            census = server.hall.services.census
            assert census.playing_on_by_network == {"203.0.113.0/24": 2, "198.51.100.0/24": 1}

    asyncio.run(asyncio.wait_for(run(), 30))


def test_the_tables_of_an_address_make_room_for_each_other_when_nobody_needs_them() -> None:
    async def run() -> None:
        clock, limits = Clock(), replace(Limits.none(), tables_per_address=3)
        async with open_server(settings=Settings(limits=limits), now=clock) as server:
            assert await tables_from(server, "", 4) == ["", "", "", "too_many_from_address"]
            for table in server.hall.tables[1:]:
                server.hall.loaded(table.id).feed(Guest("whoever"))
            clock.time += EMPTY_FOR
            assert await tables_from(server, "", 2) == ["", "too_many_from_address"]
            clock.time += ALONE_FOR  # to look at them helps for a while
            assert await tables_from(server, "", 3) == ["", "", ""]

    asyncio.run(asyncio.wait_for(run(), 30))


def test_few_addresses_cannot_have_all_tables_of_their_network() -> None:
    async def run() -> None:
        limits = replace(Limits.none(), tables_per_network=24)
        settings = Settings(limits=limits, public_url="https://play.example.org")
        async with open_server(settings=settings, now=Clock()) as server:
            for number in range(2):
                assert await tables_from(server, f"203.0.113.{number}", 12) == [""] * 12
            assert await tables_from(server, "203.0.113.0", 1) == ["too_many_from_address"]
            assert await tables_from(server, "203.0.113.9", 5) == [""] * 4 + ["too_many_from_address"]
            assert server.hall.services.census.by_address == {"203.0.113.0": 10, "203.0.113.1": 10, "203.0.113.9": 4}

    asyncio.run(asyncio.wait_for(run(), 30))


def test_one_address_cannot_have_all_games_of_its_network_that_play_on() -> None:
    async def run() -> None:
        limits = replace(Limits.none(), tables_playing_on=4)
        settings = Settings(limits=limits, public_url="https://play.example.org")
        bots = {**NEW, "seats": {**NEW["seats"], "red": "easy"}, "sit": False, "plays_on": True}  # type: ignore[dict-item]
        async with open_server(settings=settings) as server:

            async def bots_play_on(address: str) -> str:
                return why(await server.ask("POST", "/api/tables", bots, X_Forwarded_For=address))

            assert [await bots_play_on("203.0.113.1") for _ in range(5)] == [""] * 4 + ["too_many_playing_on"]
            assert [await bots_play_on("203.0.113.2") for _ in range(3)] == ["", "", "too_many_playing_on"]
            assert server.hall.services.census.playing_on_by_address == {"203.0.113.1": 2, "203.0.113.2": 2}

    asyncio.run(asyncio.wait_for(run(), 30))


def test_tables_rematches_and_seats_cost_room_in_logs() -> None:
    async def run() -> None:
        limits = replace(Limits.none(), log_of_network=Rate(3 * (TABLE_SIZE + BESIDE_TEXT), 0))
        settings = Settings(limits=limits, public_url="https://play.example.org")
        async with open_server(settings=settings) as server:
            home = "203.0.113.7"
            answer = await server.ask("POST", "/api/tables", {**NEW, "begin": True}, X_Forwarded_For=home)
            table = server.hall.tables[0]
            assert await tables_from(server, home, 2) == ["", ""]
            assert await tables_from(server, "203.0.113.8", 1) == ["too_much_written"]
            await send(server.hall, table.id, Guest(table.creator_id, "red"), messages.End(id="e"))
            rematch, seat = f"/api/tables/{table.id}/rematch", f"/api/tables/{server.hall.tables[1].id}/seats/blue"
            ask_home = {"X_Forwarded_For": home, "Cookie": answer.cookie}
            assert why(await server.ask("POST", rematch, b"", **ask_home)) == "too_much_written"
            assert why(await server.ask("POST", seat, {"name": "Bob"}, **ask_home)) == "too_much_written"
            away = {**ask_home, "X_Forwarded_For": "198.51.100.1"}
            assert [why(await server.ask("POST", rematch, b"", **away)) for _ in range(9)] == [""] * 9  # one table
            assert why(await server.ask("POST", seat, {"name": "Bob"}, **away)) == "bot_was_put"

    asyncio.run(asyncio.wait_for(run(), 30))


def test_who_fills_the_house_with_empty_tables_makes_room_for_others() -> None:
    async def run() -> None:
        clock, limits = Clock(), replace(Limits.none(), tables=4)
        settings = Settings(limits=limits, public_url="https://play.example.org")
        async with open_server(settings=settings, now=clock) as server:
            assert await tables_from(server, "203.0.113.7", 4) == [""] * 4
            assert await tables_from(server, "198.51.100.1", 1) == ["house_full"]  # they may be on their way
            clock.time += 1000
            for _ in range(3):
                assert await tables_from(server, "198.51.100.1", 1) == [""]
            assert len(server.hall.tables) == 4
            census = server.hall.services.census
            assert (census.by_address["198.51.100.1"], census.by_address["203.0.113.7"]) == (3, 1)

    asyncio.run(asyncio.wait_for(run(), 30))


def test_a_command_that_every_seat_keeps_a_message_of_costs_what_that_takes() -> None:
    async def run() -> None:
        limits = replace(Limits.none(), log_of_guest=Rate(TABLE_SIZE + 4 * WISH_MEMORY, 0))
        async with open_server(settings=Settings(limits=limits)) as server:
            await server.ask("POST", "/api/tables", NEW)
            (table,) = server.hall.tables
            runner, guest = server.hall.loaded(table.id), Guest(table.creator_id, "red")

            async def refused(number: int) -> str:
                command = messages.Rename(id=f"{number}", name=f"Ann {number}")
                try:
                    how: Any = {"sender_id": guest.id, "address": "192.0.2.1", "size": 60}
                    await server.app.context.carry_out(runner, guest, command, **how)
                except Declined as error:
                    return error.refusal.why
                return ""

            assert [await refused(number) for number in range(5)] == [
                "",
                "",
                "",
                "too_much_written",
                "too_much_written",
            ]

    asyncio.run(asyncio.wait_for(run(), 30))


def test_the_gates_of_a_command_have_one_order_for_sockets_and_assistants(monkeypatch: pytest.MonkeyPatch) -> None:
    async def run() -> None:
        limits = replace(Limits.none(), guest=Rate(3, 0), log_of_guest=Rate(TABLE_SIZE + BESIDE_TEXT, 0))
        async with open_server(settings=Settings(limits=limits)) as server:
            await server.ask("POST", "/api/tables", NEW)
            (table,) = server.hall.tables
            runner, guest = server.hall.loaded(table.id), Guest(table.creator_id, "red")
            context = server.app.context
            urgencies: list[Urgency] = []

            def busy(urgency: Urgency) -> None:
                urgencies.append(urgency)
                raise Declined.because("busy", retry_after=1)

            def banned(_command: messages.TableCommand, *_guest_ids: str) -> None:
                raise Declined.because("banned", until="tomorrow", why="")

            async def refused(connection: Bucket | None = None) -> str:
                command = messages.Rename(id="name", name="Anna")
                how: Any = {"sender_id": guest.id, "address": "192.0.2.1", "size": 60, "connection": connection}
                try:
                    await context.carry_out(runner, guest, command, **how)
                except Declined as error:
                    return error.refusal.why
                return ""

            with monkeypatch.context() as closed:
                closed.setattr(context.sanctions, "check_command", banned)
                with monkeypatch.context() as crowded:
                    crowded.setattr(context.shedding, "check", busy)
                    assert await refused(Bucket(Rate(0, 0), 0)) == "too_fast"
                    assert urgencies == []
                    assert await refused() == "busy"
                    assert urgencies == ["new"]
                assert await refused() == "banned"
            assert await refused() == "too_much_written"
            assert table.line().seats[0].name == "Ann"
            assert await refused() == "too_fast"  # also what was refused counts

    asyncio.run(asyncio.wait_for(run(), 30))


def test_what_is_refused_costs_nothing_and_neighbors_remarks_hold_up_no_move() -> None:
    async def run() -> None:
        limits = replace(Limits.none(), log_of_network=Rate(2 * TABLE_SIZE, 0))
        async with open_server(settings=Settings(limits=limits)) as server:
            assert why(await server.ask("POST", "/api/tables", {**NEW, "begin": True})) == ""
            (table,) = server.hall.tables
            runner, ann = server.hall.loaded(table.id), Guest(table.creator_id, "red")

            async def refused(guest: Guest, command: messages.TableCommand, size: int = 60) -> str:
                try:
                    how: Any = {"sender_id": guest.id, "address": "192.0.2.1", "size": size}
                    await server.app.context.carry_out(runner, guest, command, **how)
                except Declined as error:
                    return error.refusal.why
                return ""

            for number in range(50):
                assert await refused(Guest(f"eve {number}"), messages.Pause(id="p")) == "only_seated"
            assert await refused(ann, messages.Say(id="s", text="hi")) == ""
            assert await refused(ann, messages.Say(id="t", text="hi"), 2 * TABLE_SIZE) == "too_much_written"
            wishes = [await refused(ann, messages.Mute(id=f"m{number}", color="blue")) for number in range(3)]
            assert wishes[-1] == "too_much_written"
            while await refused(ann, messages.Say(id=f"{table.seq}", text="hi"), 1000) == "":
                pass
            for command in (messages.Act(id="a", action="end"), messages.Act(id="b", action="roll")):
                # Perhaps it is not red's turn; but the table was asked.
                assert await refused(ann, command, 1000) not in ("too_much_written", "watching")

    asyncio.run(asyncio.wait_for(run(), 30))


def test_one_address_does_not_write_all_that_its_network_may() -> None:
    async def run() -> None:
        limits = replace(Limits.none(), log_of_address=Rate(2 * (TABLE_SIZE + BESIDE_TEXT), 0))
        settings = Settings(limits=limits, public_url="https://play.example.org")
        async with open_server(settings=settings) as server:
            assert await tables_from(server, "203.0.113.7", 3) == ["", "", "too_much_written"]
            assert await tables_from(server, "203.0.113.8", 1) == [""]

    asyncio.run(asyncio.wait_for(run(), 30))


def test_guests_without_number_who_say_their_names_count_too() -> None:
    async def run() -> None:
        limits = replace(Limits.none(), log_of_address=Rate(2 * (BESIDE_TEXT + len("Ann")), 0))
        async with open_server(settings=Settings(limits=limits)) as server:
            answers = [why(await server.ask("POST", "/api/me", {"name": "Ann"})) for _ in range(3)]
            assert answers == ["", "", "too_much_written"]

    asyncio.run(asyncio.wait_for(run(), 30))


def test_the_last_tables_of_a_house_are_for_networks_with_few() -> None:
    async def run() -> None:
        limits = replace(Limits.none(), tables=20, tables_for_few=0.25)
        settings = Settings(limits=limits, public_url="https://play.example.org")
        async with open_server(settings=settings, now=Clock()) as server:
            taken = [await tables_from(server, f"203.0.113.{number}", 1) for number in range(16)]
            assert taken == [[""]] * 15 + [["house_full"]]
            # Then those with more than ten make room for those with few, until all have ten.
            assert await tables_from(server, "198.51.100.1", 11) == [""] * 10 + ["house_full"]
            assert server.hall.services.census.by_network == {"203.0.113.0/24": 10, "198.51.100.0/24": 10}

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
            answer = await server.ask("POST", "/api/tables", {**NEW, "begin": True})
            table = server.hall.tables[0]
            await send(server.hall, table.id, Guest(table.creator_id, "red"), messages.End(id="e"))
            path, cookie = f"/api/tables/{table.id}/rematch", answer.cookie
            first = await server.ask("POST", path, b"", Cookie=cookie)
            assert first.status == 201
            second_answer = await server.ask("POST", path, b"", Cookie=cookie)
            assert second_answer.json == first.json
            assert await tables_from(server, "", 1) == ["too_many_from_address"]

    asyncio.run(asyncio.wait_for(run(), 30))


def test_after_a_restart_the_tables_of_who_looks_at_them_again_count_for_its_address(tmp_path: Any) -> None:
    limits = replace(Limits.none(), tables_per_address=1)
    with run_server(tmp_path / "h.db", settings=Settings(port=0, limits=limits)) as url:
        mine = table_of_ann(url).json
    with run_server(tmp_path / "h.db", settings=Settings(port=0, limits=limits)) as url:
        with open_socket(url, mine["table"]["id"], mine["token"]) as line:
            assert isinstance(hear(line), messages.Hello)
        refused = ask(url, "POST", "/api/tables", NEW)
        assert refused.json["error"]["why"] == "too_many_from_address"


# --- tables from storage ----------------------------------------------------------------------------------------------


def test_finished_tables_are_read_from_storage_only_so_often() -> None:
    async def run() -> None:
        clock, limits = Clock(), replace(Limits.none(), records=Rate(3, 0.001))
        async with open_server(settings=Settings(limits=limits), now=clock) as server:
            tables, cookie = [], ""
            for _ in range(4):
                answer = await server.ask("POST", "/api/tables", {**NEW, "begin": True}, Cookie=cookie)
                cookie = cookie or answer.cookie
                table = server.hall.tables[-1]
                await send(server.hall, table.id, Guest(table.creator_id, "red"), messages.End(id="e"))
                tables.append(table.id)
            paths = [f"/api/tables/{table}" for table in tables]
            for _ in range(10):
                assert (await server.ask("GET", paths[0], Cookie=cookie)).status == 200  # it is in memory
            clock.time += FINISHED_LINGER + 1
            await server.hall.loaded_tables.release_finished()
            assert server.hall.tables == []
            answers = [await server.ask("GET", path, Cookie=cookie) for path in paths]
            assert [why(answer) for answer in answers] == ["", "", "", "too_much_at_once"]
            assert (await server.ask("GET", paths[0], Cookie=cookie)).status == 200  # it is there again
            assert len(server.hall.tables) == 3

    asyncio.run(asyncio.wait_for(run(), 30))


async def released_game(server: OpenServer, clock: Clock) -> tuple[str, Answer]:
    """A finished game that is no longer in memory, and what its creator was answered."""
    answer = await server.ask("POST", "/api/tables", {**NEW, "begin": True})
    table = server.hall.tables[-1]
    await send(server.hall, table.id, Guest(table.creator_id, "red"), messages.End(id="e"))
    clock.time += FINISHED_LINGER + 1
    await server.hall.loaded_tables.release_finished()
    assert server.hall.tables == []
    return table.id, answer


def test_a_finished_table_is_read_from_storage_only_for_those_who_may_look() -> None:
    async def run() -> None:
        clock = Clock()
        async with open_server(settings=Settings(limits=Limits.none()), now=clock) as server:
            table, ann = await released_game(server, clock)
            path = f"/api/tables/{table}"
            eve = (await server.ask("POST", "/api/me", {"name": "Eve"})).cookie
            for method, end, headers, named in (
                ("GET", "", {}, "not_shown"),
                ("GET", "/replay", {"Cookie": eve}, "not_shown"),
                ("GET", "/summary", {"Authorization": f"Share {'x' * 32}"}, "not_shown"),
                ("GET", "/record", {"Authorization": f"Bearer {'x' * 32}"}, "wrong_token"),
                ("POST", "/rematch", {"Cookie": eve}, "not_shown"),
            ):
                assert why(await server.ask(method, path + end, **headers)) == named
            assert server.hall.tables == []
            own: dict[str, str] = {"Authorization": f"Bearer {ann.json['token']}"}
            for headers in ({"Cookie": ann.cookie}, own):
                assert (await server.ask("GET", path, **headers)).status == 200
                clock.time += FINISHED_LINGER + 1
                await server.hall.loaded_tables.release_finished()
                assert server.hall.tables == []
            shown = (await server.ask("POST", f"{path}/share", b"", Cookie=ann.cookie)).json
            clock.time += FINISHED_LINGER + 1
            await server.hall.loaded_tables.release_finished()
            secret = read_share_link(shown["link"])[2]
            assert (await server.ask("GET", path, Authorization=f"Share {secret}")).status == 200

    asyncio.run(asyncio.wait_for(run(), 30))


def test_a_long_finished_table_counts_as_several_when_it_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(web_context, "ENTRIES_OF_RECORD", 1)

    async def run() -> None:
        clock, limits = Clock(), replace(Limits.none(), records=Rate(3, 0))
        async with open_server(settings=Settings(limits=limits), now=clock) as server:
            table, ann = await released_game(server, clock)
            answers = [await server.ask("GET", f"/api/tables/{table}", Cookie=ann.cookie) for _ in range(2)]
            assert [why(answer) for answer in answers] == ["too_much_at_once"] * 2
            assert server.hall.tables == []

    asyncio.run(asyncio.wait_for(run(), 30))


def test_so_many_wait_for_a_finished_table_and_no_more() -> None:
    async def run() -> None:
        clock = Clock()
        async with open_server(settings=Settings(limits=Limits.none()), now=clock) as server:
            table, ann = await released_game(server, clock)
            async with server.app.context.reading_queue.turn("elsewhere"):
                calls = [
                    asyncio.create_task(server.ask("GET", f"/api/tables/{table}", Cookie=ann.cookie))
                    for _ in range(MOST_QUEUED + 3)
                ]
                while sum(call.done() for call in calls) < 3:
                    await asyncio.wait([call for call in calls if not call.done()], return_when="FIRST_COMPLETED")
                assert {why(call.result()) for call in calls if call.done()} == {"busy"}
            answers = await asyncio.gather(*calls)
            assert sum(answer.status == 200 for answer in answers) == MOST_QUEUED

    asyncio.run(asyncio.wait_for(run(), 30))


def test_views_of_a_finished_game_are_counted_as_many_as_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(replays, "MOST_VIEWS", 2)

    async def run() -> None:
        limits = replace(Limits.none(), records=Rate(1, 0))
        async with open_server(settings=Settings(limits=limits)) as server:
            cookie = (await server.ask("POST", "/api/tables", {**NEW, "begin": True})).cookie
            (table,) = server.hall.tables
            await send(server.hall, table.id, Guest(table.creator_id, "red"), messages.End(id="e"))
            path = f"/api/tables/{table.id}/replay/views?from=0&to=0"
            answers = [await server.ask("GET", path, Cookie=cookie) for _ in range(3)]
            assert [why(answer) for answer in answers] == ["", "", "too_much_at_once"]

    asyncio.run(asyncio.wait_for(run(), 30))


def test_at_a_socket_too_a_table_that_must_be_read_is_counted() -> None:
    limits = replace(Limits.none(), records=Rate(1, 0.001))
    with run_server(settings=Settings(port=0, limits=limits)) as url:
        with open_socket(url, "nosuchtable1") as line:
            assert hear(line).why == "no_such_table"
        with open_socket(url, "nosuchtable2") as line:
            assert hear(line).why == "too_much_at_once"
        with open_socket(url, table_of_ann(url).json["table"]["id"]) as line:
            assert isinstance(hear(line), messages.Hello)


def test_whatever_an_address_asks_for_is_counted_pages_and_health_too() -> None:
    async def run() -> None:
        limits = replace(Limits.none(), requests=Rate(6, 0.001))
        settings = Settings(limits=limits, public_url="https://play.example.org")
        async with open_server(settings=settings) as server:
            asked = ("/healthz", "/", "/t/nosuchtable", "/assets/nothing.js", "/nowhere", "/metrics", "/healthz", "/")
            answers = [await server.ask("GET", path, X_Forwarded_For="203.0.113.7") for path in asked]
            assert [answer.status for answer in answers] == [200, 200, 200, 404, 404, 200, 429, 429]
            assert why(answers[-1]) == "too_much_at_once"
            assert (await server.ask("GET", "/healthz", X_Forwarded_For="203.0.113.8")).status == 200

    asyncio.run(asyncio.wait_for(run(), 30))


# --- sockets ----------------------------------------------------------------------------------------------------------


def test_commands_of_a_guest_count_together_on_all_its_sockets() -> None:
    limits = replace(Limits.none(), guest=Rate(6, 0.001))
    with run_server(settings=Settings(port=0, limits=limits)) as url:
        response = table_of_ann(url)
        own: dict[str, Any] = {"additional_headers": {"Cookie": response.cookie}}
        table = response.json["table"]["id"]
        with (
            open_socket(url, table, **own) as first,
            open_socket(url, table, **own) as second,
            open_socket(url, table) as stranger,
        ):
            answers = [say(line, messages.Resume(id=str(i))) for i in range(4) for line in (first, second)]
            assert [answer.why for answer in answers if isinstance(answer, messages.Refused)] == ["not_paused"] * 6 + [
                "too_fast"
            ] * 2
            stranger_answer = say(stranger, messages.Resume(id="1"))
            assert isinstance(stranger_answer, messages.Refused)
            assert stranger_answer.why == "not_paused"


@pytest.mark.parametrize(
    "limit, crowd, elsewhere",
    [
        ("commands_of_address", "203.0.113.7", "203.0.113.8"),
        ("commands_of_network", "203.0.113.{}", "203.0.112.7"),
        ("commands_of_network", "2001:db8:1:{}::1", "2001:db8:2::1"),
    ],
)
def test_guests_without_number_send_no_more_commands_than_their_address_and_network(
    limit: str, crowd: str, elsewhere: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sockets, "CROWDED_WAIT", 0.0)
    only: dict[str, Any] = {limit: Rate(6, 0.001)}
    limits = replace(Limits.none(), **only)
    settings = Settings(port=0, limits=limits, public_url="https://play.example.org")
    with run_server(settings=settings) as url, contextlib.ExitStack() as stack:
        table = table_of_ann(url).json["table"]["id"]

        def answers_from(address: str) -> list[str]:
            line = stack.enter_context(open_socket(url, table, additional_headers={"X-Forwarded-For": address}))
            answers = (say(line, messages.Resume(id=str(number))) for number in range(2))
            return [answer.why for answer in answers if isinstance(answer, messages.Refused)]

        answers = [why for number in range(5) for why in answers_from(crowd.format(number))]
        assert answers == ["not_paused"] * 6 + ["too_fast"] * 4
        assert answers_from(elsewhere) == ["not_paused"] * 2


def test_what_is_one_too_many_for_an_address_is_refused_late_and_what_is_told_meanwhile_comes_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sockets, "CROWDED_WAIT", 3600.0)
    limits = replace(Limits.none(), commands_of_address=Rate(1, 0.001))
    settings = Settings(port=0, limits=limits, public_url="https://play.example.org")
    with run_server(settings=settings) as url:
        mine = table_of_ann(url).json
        with (
            open_socket(url, mine["table"]["id"], additional_headers={"X-Forwarded-For": "203.0.113.7"}) as crowded,
            open_socket(url, mine["table"]["id"], mine["token"]) as ann,
        ):
            assert isinstance(say(crowded, messages.Resume(id="1")), messages.Refused)
            crowded.send(msgspec.json.encode(messages.Resume(id="2")).decode())
            assert isinstance(say(ann, messages.Rename(id="3", name="Anna")), messages.Done)
            assert hear(crowded, messages.Changed, messages.Refused).what == "renamed"


@pytest.mark.parametrize(
    "limit, named",
    [
        ("sockets", "too_many_connections"),
        ("sockets_per_address", "address_connections"),
        ("sockets_per_network", "address_connections"),
    ],
)
def test_so_many_sockets_and_no_more_until_one_is_closed(limit: str, named: str) -> None:
    only: dict[str, Any] = {limit: 2, "sockets_reserved": 0}
    limits = replace(Limits.none(), **only)
    with run_server(settings=Settings(port=0, limits=limits)) as url:
        table = table_of_ann(url).json["table"]["id"]
        with open_socket(url, table) as first:
            assert isinstance(hear(first), messages.Hello)
            with open_socket(url, table) as two, open_socket(url, table) as three:
                assert isinstance(hear(two), messages.Hello)
                assert hear(three).why == named
                assert read_to_close_code(three) == 4429
            until = time.monotonic() + 60
            while True:  # the server hears a moment later that it was closed
                with open_socket(url, table) as four:
                    if isinstance(hear(four), messages.Hello):
                        break
                assert time.monotonic() < until


@pytest.mark.parametrize("limit", ["sockets_per_address", "sockets_per_network"])
def test_whoever_plays_takes_the_place_of_a_neighbor_who_only_looks(limit: str) -> None:
    only: dict[str, Any] = {limit: 2}
    with run_server(settings=Settings(port=0, limits=replace(Limits.none(), **only))) as url:
        own, other = table_of_ann(url, begin=True).json, table_of_ann(url).json["table"]["id"]
        with open_socket(url, other) as first, open_socket(url, other) as second:
            assert isinstance(hear(first), messages.Hello)
            assert isinstance(hear(second), messages.Hello)
            with open_socket(url, own["table"]["id"], own["token"]) as line:
                assert hear(line, messages.Hello).color == "red"
                assert hear(second, messages.Refused).why == "address_connections"
                assert read_to_close_code(second) == 4429
                assert isinstance(say(line, messages.Say(id="1", text="here I am")), messages.Done)


def test_when_all_sockets_are_taken_a_person_at_a_running_game_still_gets_in() -> None:
    limits = replace(Limits.none(), sockets=1, sockets_reserved=2)
    with run_server(settings=Settings(port=0, limits=limits)) as url:
        playing, waiting = table_of_ann(url, begin=True).json, table_of_ann(url).json
        with open_socket(url, waiting["table"]["id"]) as watcher:
            assert isinstance(hear(watcher), messages.Hello)
            for table, token in (
                (playing["table"]["id"], None),
                (waiting["table"]["id"], None),
                (waiting["table"]["id"], waiting["token"]),
            ):
                with open_socket(url, table, token) as line:
                    assert hear(line).why == "too_many_connections"
                    assert read_to_close_code(line) == 4429
            with open_socket(url, playing["table"]["id"], playing["token"]) as line:
                assert hear(line, messages.Hello).color == "red"
                assert isinstance(say(line, messages.Say(id="1", text="here I am")), messages.Done)


def test_one_guest_takes_not_all_sockets_of_people_at_running_games() -> None:
    """Silent sockets at a seat of one's own, among bots, shut out everybody at a running game."""
    limits = replace(Limits.none(), sockets=2, sockets_reserved=3)
    with run_server(settings=Settings(port=0, limits=limits)) as url, contextlib.ExitStack() as stack:
        honest, crowded = table_of_ann(url, begin=True).json, table_of_ann(url, begin=True)
        eve = {"Cookie": crowded.cookie}
        another = ask(url, "POST", "/api/tables", {**NEW, "begin": True}, **eve).json
        lines = []
        for table in [crowded.json] * 5 + [another]:
            lines.append(
                stack.enter_context(open_socket(url, table["table"]["id"], table["token"], additional_headers=eve))
            )
            assert isinstance(hear(lines[-1]), messages.Hello)
        for line in lines[2:4]:  # one socket is kept for each seat
            assert hear(line, messages.Refused).why == "too_many_connections"
            assert read_to_close_code(line) == 4429
        with open_socket(url, honest["table"]["id"], honest["token"]) as line:
            assert hear(line, messages.Hello).color == "red"
            assert isinstance(say(line, messages.Say(id="1", text="here I am")), messages.Done)


def test_what_commands_add_to_logs_is_counted_for_a_guest_and_for_a_network() -> None:
    for limit in ("log_of_guest", "log_of_network"):
        only: dict[str, Any] = {limit: Rate(TABLE_SIZE + BESIDE_TEXT + 1_400, 0.001)}
        with run_server(settings=Settings(port=0, limits=replace(Limits.none(), **only))) as url:
            created = table_of_ann(url)
            mine, ann = created.json, {"Cookie": created.cookie}
            with open_socket(url, mine["table"]["id"], mine["token"], additional_headers=ann) as line:
                answers = [say(line, messages.Say(id=str(i), text="x" * 400)) for i in range(5)]
                refused = [answer.why for answer in answers if isinstance(answer, messages.Refused)]
                assert refused == ["too_much_written"] * 3
                line.send('{"type":"why","id":"w","action":"roll"}')  # which adds nothing
                assert hear(line, messages.WhyAnswer, messages.Refused).why == "not_begun"


def test_who_connects_again_and_again_waits() -> None:
    limits = replace(Limits.none(), reading=Rate(3, 0.001))
    with run_server(settings=Settings(port=0, limits=limits)) as url:
        table = table_of_ann(url).json["table"]["id"]
        for _ in range(3):
            with open_socket(url, table) as line:
                assert isinstance(hear(line), messages.Hello)
        with open_socket(url, table) as line:
            assert hear(line).why == "connecting_too_often"
            assert read_to_close_code(line) == 4429


# --- a key of one's own -----------------------------------------------------------------------------------------------

KEY = "a key of my own, drawn at random"


def test_who_sets_up_a_table_twice_with_one_key_has_one_table_and_one_seat() -> None:
    async def run() -> None:
        async with open_server() as server:
            new_table_body = {**NEW, "key": KEY, "begin": True}
            answers = await asyncio.gather(*(server.ask("POST", "/api/tables", new_table_body) for _ in range(3)))
            assert {answer.status for answer in answers} == {201}
            assert len(server.hall.tables) == 1
            assert len({answer.cookie for answer in answers}) == 1  # nobody had one before, yet it is one guest
            table = server.hall.tables[0].id
            for answer in answers:
                assert answer.json["seat"] == "red"
                assert server.hall.loaded(table).seat_access.identify(answer.json["token"], "").color == "red"
                assert answer.json["table"]["status"] == "playing"
            with_cookie = await server.ask("POST", "/api/tables", new_table_body, Cookie=answers[0].cookie)
            assert with_cookie.json["table"]["id"] == table
            other_answer = await server.ask(
                "POST", "/api/tables", {**new_table_body, "key": KEY[::-1]}, Cookie=answers[0].cookie
            )
            assert other_answer.json["table"]["id"] != table
            stranger = (await server.ask("POST", "/api/tables", NEW)).cookie
            foreign = await server.ask("POST", "/api/tables", new_table_body, Cookie=stranger)
            assert foreign.json["table"]["id"] != table  # somebody else's key is another key
            assert KEY not in table
            assert not server.journal.trouble

    asyncio.run(asyncio.wait_for(run(), 30))


def test_a_key_is_known_again_after_a_restart_and_when_the_game_is_over(tmp_path: Any) -> None:
    def take_seat(url: str) -> Any:
        return table_of_ann(url, key=KEY, begin=True).json

    with run_server(tmp_path / "h.db") as url:
        first = take_seat(url)
    with run_server(tmp_path / "h.db") as url:
        second_answer = take_seat(url)
        assert second_answer["table"]["id"] == first["table"]["id"]
        with open_socket(url, second_answer["table"]["id"], second_answer["token"]) as line:
            assert hear(line, messages.Hello).color == "red"
            line.send(msgspec.json.encode(messages.End(id="e")).decode())
            assert isinstance(hear(line, messages.Done, messages.Refused), messages.Done)
        over = take_seat(url)
        assert (over["table"]["id"], over["table"]["status"]) == (first["table"]["id"], "over")


def test_who_only_watches_a_table_made_with_a_key_gets_it_again_without_a_seat() -> None:
    with run_server() as url:
        first, second = (table_of_ann(url, key=KEY, sit=False).json for _ in range(2))
        assert first["table"]["id"] == second["table"]["id"]
        assert second.get("token") is second.get("seat") is None


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
    line = msgspec.json.decode(log.getvalue())
    assert (line["level"], line["allowed"], line["wanted"]) == ("warning", 4096, 5000 + process.OTHER_FILES)


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
    with run_server(settings=Settings(port=0, limits=replace(Limits.none(), sockets=450, sockets_reserved=50))):
        assert files["limit"] == (500 + process.OTHER_FILES, 4096)
