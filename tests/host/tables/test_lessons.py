"""The first game: its dice are scripted, its bots play alike, and a learner who follows the hints builds a city."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from hexholm.game.dealers import Chance, Scripted
from hexholm.host.storage import Storage
from hexholm.host.tables import lessons
from hexholm.host.tables.seats import Guest
from hexholm.host.wire import messages
from hexholm.rules.setup.editions import EDITIONS
from tests.host.halls import Clock, Party, open_party, table_settings

from ..assistants.calling_assistant import over_http
from ..servers import ask, run_server

pytestmark = pytest.mark.waits

LESSON = lessons.LESSONS["first-game"]
TURNS = (
    ("roll", "road B2/e"),
    ("roll", "settlement B2se"),
    ("roll", "supply 4 brick : 1 ore"),
    ("roll", "offer 1 lumber : 1 ore to blue white orange", "confirm #1 white"),
    ("roll", "robber C5", "buy"),
    ("roll", "year-of-plenty ore ore", "city A1se"),
)
"""What the hints lead to."""


async def set_up(party: Party, edition: str = "sixth") -> Party:
    """A first game that has begun."""
    settings = table_settings(options={"edition": edition}, lesson="first-game", sit=True)
    party.id = (await party.hall.create("ann", settings)).id
    party.people = {"red": Guest("ann", "red")}
    await party.begin()
    return party


async def play(party: Party, *turns: tuple[str, ...]) -> None:
    """Turns of the learner, with those of the bots after each; offers of bots are refused."""
    for turn in turns:
        for action in turn:
            await party.play_actions("red", action)
            await party.until(lambda: party.table.asked_colors() == ("red",))  # all have answered
        await party.play_actions("red", "end")
        await others_play(party)


async def others_play(party: Party) -> None:
    """Until it is the learner's turn again."""
    table = party.table
    assert table.game is not None
    while True:
        await party.until(lambda: "red" in table.asked_colors())
        if table.game.active == "red":
            return
        projection = table.projection("red")
        assert projection is not None
        await party.play_actions("red", next(text for text in projection.legal if text.startswith("reject")))


def rolled(party: Party) -> list[str]:
    """The dice so far."""
    told = [message for message in party.table.by_eyes[None].stream if isinstance(message, messages.Told)]
    return [
        " ".join(map(str, event["dice"])) for message in told for event in message.events if event["event"] == "rolled"
    ]


@pytest.mark.parametrize("edition", [book for book in EDITIONS if lessons.lessons_of_edition(book)])
def test_who_follows_the_hints_meets_everything_and_has_a_city_in_the_sixth_turn(edition: str) -> None:
    async def main() -> None:
        async with open_party() as party:
            await play(await set_up(party, edition), *TURNS)
            assert party.table.game is not None
            assert party.table.game.view("red").cities("red") == ("A1se",)
            assert rolled(party) == list(LESSON.dice[:24])

    asyncio.run(main())


def test_who_does_nothing_but_roll_gets_the_same_dice() -> None:
    async def main() -> None:
        async with open_party() as party:
            await play(await set_up(party), ("roll",), ("roll",), ("roll",))
            assert rolled(party) == list(LESSON.dice[:12])

    asyncio.run(main())


def test_a_restart_keeps_the_lesson_its_dice_and_its_bots() -> None:
    async def main() -> None:
        storage, clock = await Storage(":memory:").open(), Clock()
        async with open_party(storage, now=clock) as party:
            await play(await set_up(party), *TURNS[:2])
        async with open_party(storage, now=clock) as reopened:
            reopened.id, reopened.people, reopened.count = party.id, party.people, party.count
            assert reopened.table.line().lesson == "first-game"
            await others_play(reopened)
            await play(reopened, *TURNS[2:])
            assert rolled(reopened) == list(LESSON.dice[:24])
        await storage.close()

    asyncio.run(main())


class Asked:
    """A dealer that notes what it is asked."""

    def __init__(self) -> None:
        self.turns: list[int] = []

    def deal(self, chance: Chance) -> str:
        self.turns.append(chance.state.turn_number)
        return "dice 6 6"


def test_after_the_script_the_dice_are_those_of_any_table() -> None:
    usual = Asked()

    async def main() -> None:
        async with open_party(make_dealer=lambda: usual) as party:
            seven = ("roll", "discard 4 lumber 2 grain", "robber C5")
            await play(await set_up(party), *[("roll",)] * 4, seven, *[("roll",)] * 4)
            assert rolled(party)[:32] == list(LESSON.dice)
            assert rolled(party)[32:] == ["6 6"] * 4
            assert min(usual.turns) == 33

    asyncio.run(main())


def test_another_game_after_it_is_a_usual_one() -> None:
    async def main() -> None:
        async with open_party() as party:
            await set_up(party)
            bot_seed = party.table.bot_seed
            assert isinstance(await party.send("red", messages.End(id="end")), messages.Done)
            party.id = await party.hall.rematch(party.id, "ann")
            assert (party.table.line().lesson, party.table.bot_seed == bot_seed) == ("", False)

    asyncio.run(main())


def test_over_rest_it_begins_at_once_against_three_easy_bots() -> None:
    with run_server() as url:
        response = ask(
            url, "POST", "/api/tables", {"name": "Ann", "lesson": "first-game", "options": {"edition": "fifth"}}
        )
        line = response.json["table"]
        assert (response.status, response.json["seat"], line["status"], line["lesson"]) == (
            201,
            "red",
            "playing",
            "first-game",
        )
        assert [seat.get("player") for seat in line["seats"]] == [None, "easy", "easy", "easy"]
        assert (line["options"]["setup"], line["options"]["first"], line["edition"]) == ("fixed", 0, "fifth")
        offered = {line["name"]: line.get("lessons", []) for line in ask(url, "GET", "/api/editions").json["editions"]}
        assert offered == {book: [] if book == "zip" else ["first-game"] for book in EDITIONS}


def test_it_is_listed_for_its_learner_alone_and_found_by_its_link() -> None:
    with run_server() as url:
        response = ask(url, "POST", "/api/tables", {"name": "Ann", "lesson": "first-game"})
        table = response.json["table"]["id"]
        other_id = ask(url, "POST", "/api/tables", {"name": "Bob", "visibility": "open"}).json["table"]["id"]
        for query, listed_ids in (("", [other_id]), ("?status=playing", []), ("?status=open", [other_id])):
            listed = ask(url, "GET", f"/api/tables{query}").json
            assert ([line["id"] for line in listed["tables"]], listed["total"]) == (listed_ids, len(listed_ids))
        own = ask(url, "GET", "/api/me", Cookie=response.cookie).json["tables"]
        assert [my_table["table"]["id"] for my_table in own] == [table]
        assert ask(url, "GET", f"/api/tables/{table}").json["table"]["lesson"] == "first-game"


def test_assistants_do_not_find_it_among_the_tables() -> None:
    async def main() -> None:
        async with over_http() as (assistant, url):
            await asyncio.to_thread(ask, url, "POST", "/api/tables", {"name": "Ann", "lesson": "first-game"})
            assert "No table is open" in await assistant.call("list_tables")

    asyncio.run(main())


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ({"options": {"setup": "variable", "hand_limit": 9}}, "decides options.setup, options.hand_limit itself"),
        ({"board_seed": 3, "clock": 30, "sit": False}, "decides board_seed, clock, sit itself"),
        ({"seats": {"blue": "easy"}, "pace": "fast", "chance": "dice"}, "decides pace, chance, seats itself"),
        ({"options": {"edition": "zip"}}, "choose one of the editions sixth, fifth, threed, summary"),
        ({"options": {"edition": 5}}, "edition"),
    ],
)
def test_what_the_lesson_decides_cannot_be_asked_for(more: dict[str, Any], words: str) -> None:
    with run_server() as url:
        response = ask(url, "POST", "/api/tables", {"name": "Ann", "lesson": "first-game", **more})
        assert (response.status, response.code) == (409, "not_allowed")
        assert words in response.json["error"]["message"]
        unknown = ask(url, "POST", "/api/tables", {"name": "Ann", "lesson": "second-game"})
        assert unknown.status == 400
        assert "second-game" in unknown.json["error"]["message"]


def test_a_lesson_that_is_no_more_there_changes_nothing() -> None:
    usual = Scripted(["dice 1 1"])
    assert lessons.lesson_dealer("of old", usual) is usual
    assert lessons.lesson_dealer("", usual) is usual
