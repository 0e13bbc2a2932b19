"""Who finds a table, watches it, speaks there and sees it afterwards, as pages show it."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from hexholm.host.wire import messages
from tests.host.servers import ask, open_socket, say

from . import friends
from .conftest import Invite, Play

pytestmark = pytest.mark.waits


def end_game(table: friends.Table) -> None:
    """Everybody at the table agrees to end it."""
    for number, token in enumerate(table.tokens.values()):
        with open_socket(table.url, table.id, token) as line:
            if (
                ask(table.url, "GET", f"/api/tables/{table.id}", Authorization=f"Bearer {token}").json["table"][
                    "status"
                ]
                == "over"
            ):
                return
            assert isinstance(say(line, messages.End(id=f"end {number}")), messages.Done)


def set_up(page: Page, *choices: str) -> str:
    """A table with bots alone on the other seats, with these choices; its address."""
    page.goto("/new")
    for choice in choices:
        page.get_by_test_id(choice).click()
    page.get_by_test_id("create").click()
    expect(page).to_have_url(re.compile("/t/"))
    return page.url


def test_a_new_table_is_found_by_its_link_unless_it_is_opened_to_everybody(server: str, invite: Invite) -> None:
    page, stranger = invite(server).page, invite(server).page
    page.goto("/new")
    expect(page.get_by_test_id("visibility-unlisted")).to_be_checked()
    expect(page.get_by_test_id("spectators-speak")).to_be_disabled()
    set_up(page)
    stranger.goto("/")
    tables = stranger.get_by_role("region", name="Tables to join or watch")
    expect(tables).to_contain_text("There are no open tables right now.")
    address = set_up(page, "visibility-open", "spectators-speak")
    expect(tables.get_by_role("link")).to_have_count(1, timeout=15_000)
    tables.get_by_role("link").click()
    expect(stranger).to_have_url(address)


def test_one_who_watches_is_told_so_and_hears_nothing_that_is_for_seats(play: Play, invite: Invite) -> None:
    table = play()
    watcher = invite(table.url)
    watcher.page.goto(table.link())
    expect(watcher.page.get_by_test_id("you-watch")).to_have_text("You are watching. The chat is for the players.")
    expect(watcher.page.get_by_test_id("chat")).to_have_count(0)


def test_one_who_watches_an_open_table_says_a_name_and_speaks(play: Play, invite: Invite) -> None:
    table = play(visibility="open", spectators_speak=True)
    red, watcher = table.sit(invite, "red"), invite(table.url)
    watcher.page.goto(table.link())
    expect(watcher.page.get_by_test_id("you-watch")).to_contain_text("may write")
    watcher.page.get_by_test_id("say").fill("Good luck!")
    watcher.page.keyboard.press("Enter")
    watcher.page.get_by_test_id("spectator-name").fill("Eve")
    watcher.page.keyboard.press("Enter")
    for page in (red.page, watcher.page):
        expect(page.get_by_test_id("chat")).to_contain_text("Eve (watching) Good luck!")
    watcher.page.get_by_test_id("say").fill("again")
    watcher.page.keyboard.press("Enter")
    expect(red.page.get_by_test_id("chat")).to_contain_text("again")
    red.page.get_by_test_id("menu").click()
    red.page.get_by_test_id("silence-spectators").click()
    expect(red.page.get_by_test_id("silence-spectators")).to_have_text("Let them speak again")
    watcher.page.get_by_test_id("say").fill("and again")
    watcher.page.keyboard.press("Enter")
    expect(watcher.page.get_by_test_id("chat-trouble")).to_contain_text("has silenced you")


def test_a_table_that_cannot_be_watched_says_so_in_words(play: Play, invite: Invite) -> None:
    table = play(watchable=False)
    stranger = invite(table.url)
    stranger.page.goto(table.link())
    expect(stranger.page.get_by_role("alert")).to_have_text("Only its players can watch this game.")
    table.sit(invite, "red")


def test_a_finished_game_is_shown_by_a_link_until_it_is_taken_back(play: Play, invite: Invite) -> None:
    table = play()
    watcher = invite(table.url)
    watcher.expect("status of 403")
    watcher.page.goto(table.link())
    expect(watcher.page.get_by_test_id("you-watch")).to_be_visible()
    table.act("red: roll")
    end_game(table)
    expect(watcher.page.get_by_test_id("not-own")).to_be_visible()  # how it ended is seen, and no more
    watcher.page.goto(f"/replay/{table.id}")
    expect(watcher.page.get_by_role("alert")).to_contain_text("belongs to its players")
    player = invite(table.url).page
    player.goto(table.link("red"))
    dialog = player.locator("dialog[open]")
    dialog.get_by_test_id("show-game").click()
    dialog.get_by_test_id("make-share").click()
    link = dialog.get_by_label("Link that shows this game").input_value()
    friend = invite(table.url)
    friend.page.goto(link)
    expect(friend.page.get_by_test_id("caption")).to_be_visible()
    expect(friend.page.get_by_test_id("show-game")).to_have_count(0)
    friend.page.keyboard.press("ArrowRight")
    expect(friend.page).to_have_url(re.compile(r"\?.*step=.*#share="))
    with player.expect_download() as saved:
        dialog.get_by_test_id("save-game").click()
    assert saved.value.suggested_filename == f"{table.id}.hexholm"
    dialog.get_by_test_id("take-back-share").click()
    expect(dialog.get_by_test_id("take-back-share")).to_have_count(0)
    friend.expect("status of 403")
    friend.page.reload()
    expect(friend.page.get_by_role("alert")).to_contain_text("belongs to its players")
