"""A part of the client does not come, or breaks: the page says so, and the way out leads back to a whole page."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, WebSocketRoute, expect

from . import friends
from .conftest import Invite

pytestmark = pytest.mark.waits

LOST = "The server cannot be reached."


def open_menu(page: Page, _url: str) -> None:
    """The menu of the start page; a page that was loaded anew has it closed."""
    page.get_by_test_id("play-now").wait_for()
    if not page.get_by_role("dialog").is_visible():
        page.get_by_role("button", name="Settings").click()


def to_lobby(page: Page, url: str) -> None:
    """A table that waits for people."""
    if "/t/" not in page.url:
        page.goto(friends.open_table(url, ("red", "blue")).link("red"))


def to_end(page: Page, _url: str) -> None:
    """A game that is ended by the one who plays it."""
    if "/t/" in page.url:
        return
    page.get_by_test_id("play-now").click()
    page.get_by_test_id("sentence").wait_for()
    page.get_by_test_id("menu").click()
    for _ in range(2):
        page.get_by_test_id("end").click()
    expect(page.get_by_test_id("end")).to_have_count(0)
    page.keyboard.press("Escape")  # the menu, which is left open


def stay(_page: Page, _url: str) -> None:
    """The start page itself."""


@pytest.mark.parametrize(
    ("part", "go", "whole"),
    [
        ("Menu", open_menu, "dialog select"),
        ("Lobby", to_lobby, ".lobby"),
        ("GameEnd", to_end, "dialog figure"),
        ("StartPage", stay, "[data-testid=play-now]"),
    ],
)
def test_a_part_that_does_not_come_is_told_and_comes_with_the_next_try(
    server: str, invite: Invite, part: str, go: Callable[[Page, str], None], whole: str
) -> None:
    visitor = invite(server)
    visitor.expect("net::ERR_FAILED")
    page, lost_asset = visitor.page, re.compile(f"/assets/{part}-")
    page.route(lost_asset, lambda route: route.abort())
    page.goto("/")
    go(page, server)
    alert = page.get_by_role("alert").filter(has_text=LOST)
    for comes in (False, True):
        expect(alert).to_be_visible()
        expect(page.locator(whole)).to_have_count(0)
        if comes:
            page.unroute(lost_asset)
        with page.expect_navigation():
            page.get_by_role("button", name="Try again").click()
        go(page, server)
    expect(page.locator(whole).first).to_be_visible()
    expect(alert).to_have_count(0)


def test_where_not_even_the_words_come_it_is_said_in_both_languages(server: str, invite: Invite) -> None:
    visitor = invite(server)
    visitor.expect("net::ERR_FAILED")
    page, lost_asset = visitor.page, re.compile("/assets/(base|mount)-")
    page.route(lost_asset, lambda route: route.abort())
    page.goto("/")
    expect(page.get_by_text("The page could not be loaded whole.")).to_be_visible()
    expect(page.get_by_text("Die Seite konnte nicht ganz geladen werden.")).to_be_visible()
    page.unroute(lost_asset)
    page.get_by_role("button", name="Try again / Noch einmal").click()
    expect(page.get_by_test_id("play-now")).to_be_visible()


def without_supply(message: str | bytes) -> str:
    """What the host says, but for the supply, which is never missing."""
    said = json.loads(message)
    if said.get("projection"):
        said["projection"]["view"]["supply"] = None
    return json.dumps(said)


def test_a_part_that_breaks_takes_nothing_else_with_it(server: str, invite: Invite) -> None:
    def pass_on(line: WebSocketRoute) -> None:
        host = line.connect_to_server()
        host.on_message(lambda message: line.send(without_supply(message)))

    visitor = invite(server)
    visitor.expect("Cannot read properties of null|derived_inert")  # the fault, and Svelte on what it leaves behind
    page = visitor.page
    page.route_web_socket("**/ws/tables/*", pass_on)
    page.goto(friends.begin_table(server, ("red",)).link("red"))
    broken = page.get_by_role("alert").filter(has_text="Something went wrong here.")
    expect(broken.first).to_be_visible()
    expect(page.locator(".raised").first).to_be_visible()  # the board is whole
    page.get_by_test_id("roll").click()
    expect(page.get_by_test_id("log").get_by_text("You roll")).to_be_visible()
    page.unroute_all()
    with page.expect_navigation():
        broken.first.get_by_role("button", name="Try again").click()
