"""Friends who play over days: nobody there, nothing moves, and the start page says whose turn it is."""

from __future__ import annotations

import re
import time
from contextlib import ExitStack
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.host.servers import ask, run_server

from .conftest import Invite

pytestmark = pytest.mark.waits

NEW = {
    "name": "Ann",
    "title": "Over days",
    "options": {"edition": "fifth", "setup": "fixed", "first": 0},
    "clock": 5,
    "seats": {"white": "easy", "orange": "easy"},
    "begin": False,
}


def post(page: Page, path: str, body: dict[str, Any]) -> dict[str, Any]:
    """A request with the cookies of the page."""
    answer = page.request.post(path, data=body)
    assert answer.ok, answer.text()
    return dict(answer.json())


def line(url: str, table: str) -> dict[str, Any]:
    return dict(ask(url, "GET", f"/api/tables/{table}").json["table"])


def test_two_who_close_their_pages_find_the_game_as_they_left_it(houses: ExitStack, invite: Invite) -> None:
    url = houses.enter_context(run_server(wait_after=0.3))
    ann, bob = invite(url), invite(url)
    made = post(ann.page, "/api/tables", NEW)
    table = made["table"]["id"]
    taken = post(bob.page, f"/api/tables/{table}/seats/blue", {"name": "Bob"})
    ann.page.goto(made["link"])
    bob.page.goto(taken["link"])
    ann.page.get_by_test_id("begin").click()
    bob.page.get_by_test_id("sentence").wait_for()
    expect(ann.page).to_have_title(re.compile("^\u25cf "))
    ann.page.close()
    bob.page.close()
    until = time.monotonic() + 60
    while not line(url, table).get("waiting"):
        assert time.monotonic() < until
        time.sleep(0.05)
    before = ask(url, "GET", f"/api/tables/{table}").json
    time.sleep(6)  # longer than the clock
    assert ask(url, "GET", f"/api/tables/{table}").json == before
    watching = invite(url).page
    watching.goto(f"/t/{table}")
    expect(watching.get_by_test_id("sentence")).to_have_text("None of the players are here; the game is waiting.")
    # the next day
    bob_again, ann_again = bob.open(), ann.open()
    bob_again.goto("/")
    mine = bob_again.get_by_role("region", name="Your tables")
    expect(mine).to_contain_text("playing")
    expect(mine).not_to_contain_text("Your turn")
    ann_again.goto("/")
    expect(ann_again.get_by_role("region", name="Your tables")).to_contain_text("Your turn, ")
    expect(ann_again).to_have_title("(1) Hexholm")
    ann_again.get_by_role("link", name="Over days").click()
    expect(ann_again.get_by_test_id("roll")).to_be_enabled()
    expect(watching.get_by_test_id("sentence")).not_to_have_text("None of the players are here; the game is waiting.")


def test_the_page_of_a_new_table_says_what_happens_to_those_who_are_gone(server: str, invite: Invite) -> None:
    page = invite(server, locale="de").page
    page.goto("/new")
    rule = page.get_by_test_id("absence-rule")
    expect(rule).to_contain_text("Ist niemand da, ruht das Spiel")
    expect(rule).to_contain_text("30 Tage lang niemand")
    expect(rule).to_contain_text("2 Minuten warten l\u00e4sst")
    page.get_by_test_id("absence").select_option("wait")
    expect(rule).to_contain_text("ihre Uhr steht still")
    page.get_by_test_id("absence").select_option("86400")
    expect(rule).to_contain_text("einen Tag warten l\u00e4sst")
    page.get_by_test_id("plays-on").check()
    expect(rule).to_contain_text("Ist niemand da, geht das Spiel samt Uhren und Bots weiter")
    page.get_by_test_id("create").click()
    page.get_by_test_id("begin").wait_for()
    told = line(server, page.url.partition("/t/")[2].partition("#")[0])
    assert (told["absence"], told["plays_on"]) == (86400, True)
    page.goto("/new")
    for color in ("blue", "white", "orange"):
        page.get_by_test_id(f"seat-{color}").select_option("easy")
    expect(page.get_by_test_id("absence")).to_have_count(0)  # one among bots is waited for
    expect(rule).to_have_text(
        re.compile(r"^\s*Ist niemand da, ruht das Spiel samt Uhren und Bots\.\s+Ein Spiel, das 30")
    )
