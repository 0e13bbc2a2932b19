"""Rated tables in the browser, from the choice to the change at the end; and words that are reported."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from playwright.sync_api import expect

from hexholm.host.client import Client
from hexholm.host.tables.hall import opening
from hexholm.host.wire import messages
from tests.host.servers import ask, run_server

from .conftest import Invite
from .page_players import Person
from .situations import SITUATIONS, run_situations_server

pytestmark = [pytest.mark.waits, pytest.mark.usefixtures("built")]

SET_UP = """(rated) => fetch("/api/tables", {
  method: "POST",
  headers: { "Content-Type": "application/json" },
  body: JSON.stringify({
    name: "Ann", rated, options: { edition: "fifth", setup: "fixed", first: 0, points_to_win: 3 },
    seats: { white: "easy", orange: "easy" },
  }),
}).then((answer) => answer.json())"""
WANTED = ("city", "settlement", "road", "buy", "roll", "discard", "robber", "steal", "end", "reject")


@pytest.fixture
def short_rated(monkeypatch: pytest.MonkeyPatch, built: None) -> Iterator[str]:
    """A server where rated games may be short."""
    monkeypatch.setattr(opening, "check_can_be_rated", lambda _: None)
    with run_server() as url:
        yield url


def play_to_the_end(url: str, created: dict[str, Any], *, bob_plays: bool = True) -> None:
    """Ann's page has set up the table; Bob sits down, and both play it to its end."""
    table = created["table"]["id"]
    tokens = [created["token"], ask(url, "POST", f"/api/tables/{table}/seats/blue", {"name": "Bob"}).json["token"]]

    async def play(token: str) -> None:
        async with Client(url).join(table, token) as line:
            async for now in line.questions():
                rank = {kind: i for i, kind in enumerate(WANTED)}
                await line.act(min(now.legal, key=lambda text: rank.get(text.split()[0], 99)))

    async def both() -> None:
        async with Client(url).join(table, tokens[0]) as line:
            await line.begin()
        if not bob_plays:
            async with Client(url).join(table, tokens[1]) as line:
                await line.send(messages.Resign(id="resign"))
        await asyncio.gather(*(play(token) for token in (tokens if bob_plays else tokens[:1])))

    with ThreadPoolExecutor(1) as thread:  # the browser has the loop of this one
        thread.submit(lambda: asyncio.run(both())).result()


def test_the_change_is_shown_at_the_end_and_stays_on_the_page_of_ratings(short_rated: str, invite: Invite) -> None:
    page = invite(short_rated).page
    page.goto("/ratings")
    expect(page.get_by_test_id("no-rating")).to_be_visible()
    created = page.evaluate(SET_UP, True)
    link = f"/t/{created['table']['id']}#seat={created['token']}"
    page.goto(link)
    expect(page.get_by_test_id("rated")).to_contain_text("counts toward the ratings")
    play_to_the_end(short_rated, created)
    page.goto("/")
    page.goto(link)
    change = page.get_by_test_id("rating-change")
    expect(change).to_contain_text(re.compile(r"Your rating: \d+ \((\+\d+|±0)\)\."))
    change.get_by_role("link").click()
    expect(page.get_by_test_id("own-rating")).to_contain_text("after 1 rated game")
    expect(page.get_by_role("link", name=re.compile(r"Place \d of 4"))).to_have_count(1)


def test_a_game_that_did_not_count_says_why(short_rated: str, invite: Invite) -> None:
    page = invite(short_rated).page
    page.goto("/")
    created = page.evaluate(SET_UP, True)
    play_to_the_end(short_rated, created, bob_plays=False)
    page.goto(f"/t/{created['table']['id']}#seat={created['token']}")
    expect(page.get_by_test_id("rating-change")).to_contain_text("Fewer than two people")


def test_a_rated_table_is_chosen_on_the_page_of_a_new_table(server: str, invite: Invite) -> None:
    visitor = invite(server)
    visitor.expect("status of 403")
    page = visitor.page
    page.goto("/new")
    page.get_by_test_id("absence").select_option("wait")
    page.get_by_test_id("rated").check()
    expect(page.get_by_test_id("absence")).to_have_value("86400")  # a rated game waits for nobody without end
    expect(page.get_by_test_id("clock").locator("option:checked")).to_have_text(re.compile("120"))
    expect(page.get_by_role("option", name="No clock")).to_be_disabled()
    expect(page.get_by_test_id("absence")).to_have_accessible_description(re.compile("a bot stands in"))
    expect(page.get_by_role("option", name="The others wait for them")).to_be_disabled()
    for color in ("blue", "white", "orange"):
        page.get_by_test_id(f"seat-{color}").select_option("easy")
    page.get_by_test_id("create").click()
    expect(page.get_by_role("alert")).to_contain_text("needs at least 2 people")
    page.get_by_test_id("seat-blue").select_option("")
    page.get_by_test_id("create").click()
    expect(page.get_by_test_id("rated")).to_contain_text("Rated")


def test_words_are_reported_from_the_menu(built: None, invite: Invite) -> None:
    with run_situations_server() as url:
        scene = SITUATIONS["report"](url)
        visitor = invite(url)
        scene.show(Person(visitor.page))
        which = visitor.page.get_by_test_id("report-which")
        expect(which.locator("option")).to_have_text(["Choose…", "Bob: You fool!", "The name “Bob”"])
        expect(visitor.page.get_by_test_id("report-send")).to_be_disabled()
        which.select_option(label="Bob: You fool!")
        visitor.page.get_by_test_id("report-send").click()
        expect(visitor.page.get_by_test_id("report")).to_contain_text("The operator will see it")
