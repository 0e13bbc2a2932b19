"""Who sees a table over REST: strangers get the same bytes whatever it holds, and a finished game by a link."""

from __future__ import annotations

import asyncio
import itertools
from typing import Any

import pytest

from hexholm.host.tables.hall.hall import new_id
from hexholm.host.tables.seats import Guest
from hexholm.host.wire import messages
from hexholm.host.wire.description.openapi import openapi_document
from hexholm.host.wire.links import read_share_link

from ...halls import send
from ...open_server import OpenServer, open_server
from ...servers import Answer

pytestmark = pytest.mark.waits

BOTS = dict.fromkeys(("blue", "white", "orange"), "easy")
PATHS = [
    (method.upper(), path)
    for path, methods in openapi_document()["paths"].items()
    if "{table}" in path
    for method in methods
]
FINISHED = ("", "/replay", "/replay/views", "/summary", "/record", "/dice", "/board.svg")


async def make_game(server: OpenServer, title: str, moves: int, *, over: bool, **how: Any) -> dict[str, Any]:
    """A game of Ann's against bots that has gone on for some moves, with talk; the answer and its cookie."""
    body = {"name": f"Ann {title}", "title": title, "options": {"edition": "fifth", "first": 0}, "seats": BOTS, **how}
    answer = await server.ask("POST", "/api/tables", {**body, "begin": True})
    runner = server.hall.loaded(answer.json["table"]["id"])
    guest = runner.seat_access.identify(answer.json["token"], "")
    for number in range(moves):
        async with asyncio.timeout(20):
            while "red" not in runner.table.asked_colors():  # noqa: ASYNC110  # nobody tells us
                await asyncio.sleep(0.005)
        projection = runner.table.projection("red")
        assert projection is not None
        act = messages.Act(id=f"{title} {number}", action=projection.legal[0])
        assert isinstance(await send(server.hall, runner.table.id, guest, act), messages.Done)
        await runner.carry_out(guest, messages.Say(id=f"say {number}", text=f"{title} said {number}"))
    if over:
        await runner.carry_out(guest, messages.End(id="end"))
        assert runner.table.status == "over"
    return {**answer.json, "cookie": answer.cookie, "id": runner.table.id}


def bytes_of(answer: Answer, table_id: str) -> Any:
    headers = sorted(
        (name, value) for name, value in answer.headers.items() if name.lower() not in ("date", "set-cookie")
    )
    return answer.status, headers, answer.body.replace(table_id.encode(), b"ID")


@pytest.mark.parametrize("over", [True, False], ids=["over", "not watchable"])
def test_strangers_get_the_same_bytes_whatever_a_game_holds(*, over: bool) -> None:
    async def run() -> None:
        names = (f"table{n:09d}" for n in itertools.count())
        async with open_server(ids=lambda: next(names)) as server:
            how = {} if over else {"watchable": False}
            games = [
                await make_game(server, "first", 2, over=over, **how),
                await make_game(server, "the second, longer", 7, over=over, clock=900, ranges=True, **how),
            ]
            stranger = (await server.ask("POST", "/api/me", {"name": "Eve"})).cookie
            headers: list[dict[str, str]] = [
                {},
                {"Cookie": stranger},
                {"Authorization": "Share " + "x" * 32},
                {"Authorization": "Bearer " + "x" * 32},
            ]
            for (method, path), header in itertools.product(PATHS, headers):
                body = {"name": "Eve"} if "seats" in path else b"" if method == "POST" else None
                answers = []
                for game in games:
                    real = path.replace("{table}", game["id"]).replace("{color}", "blue")
                    answers.append(bytes_of(await server.ask(method, real, body, **header), game["id"]))
                assert answers[0] == answers[1], (method, path, header)
                assert answers[0][0] in (400, 403), (method, path, header, answers[0])
            for game in games:
                assert (await server.ask("GET", f"/api/rules?table={game['id']}")).status == 403
            assert (await server.ask("GET", "/api/tables")).json == {"tables": [], "total": 0}
            assert (await server.ask("GET", "/api/me", Cookie=stranger)).json == {"name": "Eve", "tables": []}

    asyncio.run(asyncio.wait_for(run(), 60))


def test_a_game_is_shown_by_a_link_that_can_be_taken_back_and_by_no_other() -> None:
    async def run() -> None:
        async with open_server() as server:
            game, other = [await make_game(server, title, 2, over=True) for title in ("one", "two")]
            path, owner = f"/api/tables/{game['id']}", {"Cookie": game["cookie"]}
            by_token = {"Authorization": f"Bearer {game['token']}"}

            async def sees(header: dict[str, str], game: dict[str, Any] = game) -> set[int]:
                parts = [f"/api/tables/{game['id']}{part}" for part in FINISHED]
                return {(await server.ask("GET", part, **header)).status for part in parts}

            assert [await sees(header) for header in (owner, by_token, {})] == [{200}, {200}, {403}]
            assert (await server.ask("GET", f"{path}/share", **owner)).json == {"shown": False}
            links = [
                (await server.ask("POST", f"{path}/share", b"", **header)).json["link"] for header in (owner, by_token)
            ]
            secrets = [read_share_link(link)[2] for link in links]
            first, second = ({"Authorization": f"Share {secret}"} for secret in secrets)
            assert [await sees(header) for header in (first, second)] == [{403}, {200}]  # one guest, one link
            assert await sees(second, other) == {403}
            shown = (await server.ask("GET", path, **second)).json
            assert "hand" not in shown["projection"]["view"]
            assert "said" not in str(shown)
            refused = await server.ask("POST", f"{path}/share", b"", **second)  # to look is not to show on
            assert refused.json["error"]["why"] == "not_yours_to_show"
            assert (await server.ask("DELETE", f"{path}/share", **owner)).json == {"shown": False}
            assert [await sees(header) for header in (second, owner)] == [{403}, {200}]
            logged = str(vars(server.journal))
            assert "game shown" in logged
            assert not [secret for secret in secrets if secret is None or secret in logged]

    asyncio.run(asyncio.wait_for(run(), 60))


def test_only_what_is_over_and_was_played_can_be_shown() -> None:
    async def run() -> None:
        async with open_server() as server:
            running = await make_game(server, "running", 1, over=False)
            never = await server.ask("POST", "/api/tables", {"name": "Ann"})
            for table_id, cookie, why in (
                (running["id"], running["cookie"], "not_over"),
                (never.json["table"]["id"], never.cookie, "not_over"),
            ):
                refused = await server.ask("POST", f"/api/tables/{table_id}/share", b"", Cookie=cookie)
                assert refused.json["error"]["why"] == why
            runner = server.hall.loaded(never.json["table"]["id"])
            await runner.carry_out(Guest(runner.table.creator_id, "red"), messages.End(id="e"))
            refused = await server.ask("POST", f"/api/tables/{runner.table.id}/share", b"", Cookie=never.cookie)
            assert refused.json["error"]["why"] == "never_begun"

    asyncio.run(asyncio.wait_for(run(), 30))


def test_a_guest_says_its_name_and_is_known_from_then_on() -> None:
    async def run() -> None:
        async with open_server() as server:
            answer = await server.ask("POST", "/api/me", {"name": " Eve\u202e "})
            assert (answer.status, answer.json["name"]) == (201, "Eve")
            assert (await server.ask("GET", "/api/me", Cookie=answer.cookie)).json["name"] == "Eve"
            again = await server.ask("POST", "/api/me", {"name": "Eva"}, Cookie=answer.cookie)
            assert "Set-Cookie" not in again.headers
            assert (await server.ask("GET", "/api/me", Cookie=answer.cookie)).json["name"] == "Eva"
            assert (await server.ask("POST", "/api/me", {"name": "\u202e"})).code == "not_readable"

    asyncio.run(asyncio.wait_for(run(), 30))


def test_ids_of_tables_are_too_many_to_be_guessed() -> None:
    found = [new_id() for _ in range(200)]
    assert len(set(found)) == 200
    letters = {letter for table_id in found for letter in table_id}
    assert len(letters) ** min(map(len, found)) >= 2**64
