"""REST for ratings: the list and one's own history, at a real server."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator

import pytest

from hexholm.host.client import Client
from hexholm.host.tables.hall import opening
from hexholm.host.wire import messages

from ...servers import Answer, ask, open_socket, run_server, say

pytestmark = pytest.mark.waits

LEAST_GAMES = 5


@pytest.fixture(scope="module")
def rated_url() -> Iterator[str]:
    """A server where rated games are short."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(opening, "check_can_be_rated", lambda _: None)
        with run_server() as url:
            yield url


def test_a_table_that_cannot_be_rated_is_refused_with_its_reason(url: str) -> None:
    body = {"name": "Ann", "rated": True, "options": {"edition": "fifth", "points_to_win": 5}}
    answer = ask(url, "POST", "/api/tables", body)
    assert (answer.status, answer.json["error"]["why"]) == (403, "rated_needs_book_rules")


def play_game(url: str, ann: str, bob: str) -> tuple[str, str, str, str]:
    """A rated game of Ann and Bob, by their cookies: the table, the winner's color and their cookies."""
    headers = {"Cookie": ann} if ann else {}
    created = ask(
        url,
        "POST",
        "/api/tables",
        {
            "name": "Ann",
            "rated": True,
            "options": {"edition": "fifth", "first": 0, "points_to_win": 3, "setup": "fixed"},
            "seats": {"white": "easy", "orange": "easy"},
        },
        **headers,
    )
    assert created.status == 201, created.body
    table, ann_token, ann = created.json["table"]["id"], created.json["token"], ann or created.cookie
    headers = {"Cookie": bob} if bob else {}
    seated = ask(url, "POST", f"/api/tables/{table}/seats/blue", {"name": "Bob"}, **headers)
    bob_token, bob = seated.json["token"], bob or seated.cookie
    with open_socket(url, table, ann_token) as line:
        assert isinstance(say(line, messages.Begin(id="begin")), messages.Done)

    async def play(token: str) -> None:
        async with Client(url).join(table, token) as line:
            async for now in line.questions():
                wanted = ("city", "settlement", "road", "buy", "roll", "discard", "robber", "steal", "end", "reject")
                rank = {kind: i for i, kind in enumerate(wanted)}
                await line.act(min(now.legal, key=lambda text: rank.get(text.split()[0], 99)))

    async def both() -> None:
        await asyncio.gather(play(ann_token), play(bob_token))

    asyncio.run(both())
    return (
        table,
        ask(url, "GET", f"/api/tables/{table}", Authorization=f"Bearer {ann_token}").json["table"]["winner"],
        ann,
        bob,
    )


def test_people_are_listed_after_some_games_and_each_sees_its_own_history(rated_url: str) -> None:
    url, ann, bob, tables = rated_url, "", "", []
    assert ask(url, "GET", "/api/me/ratings").json == {"rating": None, "games": 0, "history": [], "least_games": 5}
    for _ in range(LEAST_GAMES):
        assert ask(url, "GET", "/api/ratings").json == {"people": [], "total": 0, "least_games": 5}
        table, _winner, ann, bob = play_game(url, ann, bob)
        tables.append(table)
        wait_for_games(url, ann, len(tables))
    listed = ask(url, "GET", "/api/ratings", Cookie=ann).json
    assert listed["total"] == 2
    assert {line["name"]: line["games"] for line in listed["people"]} == {"Ann": 5, "Bob": 5}
    assert [line["name"] for line in listed["people"] if line.get("you")] == ["Ann"]
    assert [line["rank"] for line in listed["people"]] == [1, 2]
    assert listed["people"][0]["rating"] >= listed["people"][1]["rating"]
    assert ask(url, "GET", "/api/ratings?skip=1&limit=1").json["people"] == [
        {key: value for key, value in listed["people"][1].items() if key != "you"}
    ]
    own = ask(url, "GET", "/api/me/ratings", Cookie=ann).json
    assert [game["table"] for game in own["history"]] == tables[::-1]
    assert (
        own["history"][0]["rating"]
        == own["rating"]
        == next(line["rating"] for line in listed["people"] if line["name"] == "Ann")
    )
    older = ask(url, "GET", "/api/me/ratings?before=3&limit=1", Cookie=ann).json["history"]
    assert [game["number"] for game in older] == [2]
    assert all(
        guest not in ask(url, "GET", "/api/ratings").body.decode() for guest in (ann.split(".")[1], bob.split(".")[1])
    )


def wait_for_games(url: str, cookie: str, count: int) -> Answer:
    """The own ratings, once so many games count: that is written just after the end was told."""
    answer = ask(url, "GET", "/api/me/ratings", Cookie=cookie)
    for _ in range(500):
        if answer.json["games"] >= count:
            return answer
        time.sleep(0.02)
        answer = ask(url, "GET", "/api/me/ratings", Cookie=cookie)
    raise AssertionError(answer.json)


@pytest.mark.parametrize(
    "path",
    [
        "/api/ratings?limit=0",
        "/api/ratings?limit=101",
        "/api/ratings?skip=10001",
        "/api/me/ratings?before=0",
        "/api/me/ratings?limit=x",
    ],
)
def test_lists_are_bounded(rated_url: str, path: str) -> None:
    answer = ask(rated_url, "GET", path)
    assert (answer.status, answer.json["error"]["why"]) == (400, "bad_number")
