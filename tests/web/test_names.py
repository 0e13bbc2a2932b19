"""What players are called, on their card and wherever they are spoken of; and how fast those without a name play."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from hexholm.host.wire import messages
from tests.host.servers import ask, hear, open_socket, say

from . import friends
from .conftest import Invite, Play
from .visitor import PHONE

pytestmark = pytest.mark.waits


def rename(table: friends.Table, color: str, name: str) -> None:
    """Somebody is called by another name, without a page."""
    with open_socket(table.url, table.id, table.tokens[color]) as line:
        hear(line, messages.Hello)
        assert isinstance(say(line, messages.Rename(id=f"{color} {name}", name=name)), messages.Done)


def test_people_are_spoken_of_by_the_names_on_their_cards_and_bots_by_their_colors(play: Play, invite: Invite) -> None:
    table = play("dice 4 4", people=("red", "blue"))
    blue = table.sit(invite, "blue")
    german = invite(table.url, locale="de").page
    german.goto(table.link())
    expect(german.get_by_test_id("sentence")).to_have_text("Warten auf Ann.")
    expect(blue.page.get_by_test_id("sentence")).to_have_text("Waiting for Ann.")
    expect(blue.page.get_by_test_id("player-red")).to_contain_text(re.compile(r"Ann,\s*Red"))
    expect(blue.page.locator(".sentence [href='#mark-red']")).to_have_count(1)  # whose name it is
    table.act("red: roll")
    blue.sees("Ann rolls 8")
    expect(german.get_by_test_id("log")).to_contain_text("Ann würfelt 8")
    table.act("red: end")
    blue.does("roll", "end-turn")
    blue.sees("Turn 3 begins: white.")


def test_nobody_takes_the_name_of_somebody_else_at_the_table(play: Play, invite: Invite) -> None:
    table = play("dice 4 4")
    blue = table.sit(invite, "blue")
    blue.page.get_by_test_id("menu").click()
    name = blue.page.get_by_label("Your name")
    name.fill("ANN")
    name.press("Enter")
    expect(blue.page.get_by_role("group", name="This table").get_by_role("alert")).to_contain_text(
        re.compile("Somebody here is already called ANN; choose another name", re.IGNORECASE)
    )
    table.act("red: roll")
    blue.sees("Ann rolls 8")
    rename(table, "blue", "You")  # nor is anybody taken for the reader
    white = table.sit(invite, "white")
    white.sees("You (blue)")


def test_the_own_name_is_changed_in_the_menu_for_everybody_and_the_next_time(play: Play, invite: Invite) -> None:
    table = play()
    red, blue = (table.sit(invite, color) for color in ("red", "blue"))
    red.page.get_by_test_id("menu").click()
    name = red.page.get_by_label("Your name")
    expect(name).to_have_value("Ann")
    name.fill("Annika")
    name.press("Enter")
    expect(blue.page.get_by_test_id("sentence")).to_have_text("Waiting for Annika.")
    blue.sees("Ann is now called Annika.")
    red.page.goto("/new")
    expect(red.page.get_by_label("Your name")).to_have_value("Annika")


def test_whoever_set_up_the_table_says_how_fast_the_bots_play(server: str, invite: Invite) -> None:
    page = invite(server).page
    page.goto("/new")
    page.get_by_test_id("pace").select_option("fast")
    expect(page.get_by_test_id("seat-orange").locator("option:checked")).to_have_text("Free seat")
    for color in ("blue", "white"):
        page.get_by_test_id(f"seat-{color}").select_option("easy")
    page.get_by_test_id("create").click()
    page.get_by_test_id("begin").wait_for()
    table = page.url.rpartition("/")[2]
    assert ask(server, "GET", f"/api/tables/{table}").json["table"]["pace"] == "fast"
    friend = invite(server).page
    friend.goto(f"/t/{table}")
    friend.get_by_test_id("sit-orange").click()
    page.get_by_test_id("begin").click()
    page.get_by_test_id("sentence").wait_for()
    page.get_by_test_id("menu").click()
    page.get_by_label("Speed of the bots").select_option("slow")
    expect(friend.get_by_test_id("log")).to_contain_text("The bots now play slowly.")
    friend.get_by_test_id("menu").click()
    expect(friend.get_by_label("Your name")).to_be_visible()
    expect(friend.get_by_label("Speed of the bots")).to_have_count(0)


def test_a_card_that_is_drawn_is_shown_and_told_once(play: Play, invite: Invite) -> None:
    table = play("dice 4 4", "dice 1 2", "dice 2 2", "dice 2 2", "drawn victory-point")
    table.act(*(f"{color}: {text}" for color in ("red", "blue", "white") for text in ("roll", "end")))
    orange, blue, phone = (
        table.sit(invite, "orange"),
        table.sit(invite, "blue"),
        table.sit(invite, "orange", size=PHONE),
    )
    table.act("orange: roll", "orange: buy")
    for friend in (orange, phone):
        expect(friend.page.get_by_test_id("drawn")).to_contain_text("Victory Point")
    expect(blue.page.get_by_test_id("drawn")).to_have_count(0)
    expect(blue.page.get_by_test_id("log")).to_contain_text("Dan buys a development card.")
    expect(blue.page.get_by_test_id("log")).not_to_contain_text("Dan draws")
    expect(orange.page.get_by_test_id("log")).to_contain_text("You draw a Victory Point.")
    expect(orange.page.get_by_test_id("log")).not_to_contain_text("You buy")
    # nothing can be done with it, but nothing is wrong with it either
    card = orange.page.get_by_test_id("card-victory-point")
    expect(card.get_by_role("button")).to_have_count(0)
    expect(card.get_by_role("group", name="It is worth a point")).to_be_visible()
    expect(orange.page.get_by_test_id("drawn")).to_have_count(0, timeout=10_000)


def test_a_discard_is_told_once(play: Play, invite: Invite) -> None:
    table = play("dice 3 4", hand_limit=2)
    red = table.sit(invite, "red")
    red.does("roll", "discard-grain", "discard")
    log = red.page.get_by_test_id("log")
    expect(log.get_by_text("You choose to discard 1 grain.")).to_have_count(1)  # others still choose
    table.act("blue: discard 1 ore", "white: discard 1 ore", "orange: discard 1 grain")
    expect(log.get_by_text("You discard 1 grain.")).to_have_count(1)
    expect(log).not_to_contain_text("You choose to discard")
    expect(log).to_contain_text("Bob discards 1 ore.")


@pytest.mark.parametrize("color", ["red", None])
def test_on_a_phone_too_the_edition_stands_above_the_board(play: Play, invite: Invite, color: str | None) -> None:
    table = play()
    page = invite(table.url, PHONE).page
    page.goto(table.link(color))
    page.get_by_test_id("sentence").wait_for()
    title = page.get_by_role("heading", name="Fifth Edition (2015)")
    box = title.bounding_box()
    assert box is not None
    assert box["width"] > 100  # not hidden
    assert title.evaluate("one => one.scrollWidth <= one.clientWidth")  # nor cut off
