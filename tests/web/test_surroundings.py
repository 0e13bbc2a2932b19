"""Where people play: over plain http in a local network, with motion switched off, with nothing kept."""

from __future__ import annotations

from contextlib import ExitStack

import pytest
from playwright.sync_api import Page, expect

from hexholm.host.limits import Limits
from hexholm.host.settings import Settings
from tests.host.houses import running

from .browsing import PHONE, Visitor
from .conftest import Invite, Play
from .friends import Friend
from .people import Person

pytestmark = pytest.mark.usefixtures("built")
NAME = "island.test"
"""Leads here (chromium.FLAGS), and is no name that browsers trust without TLS, as localhost is."""


def test_everything_works_over_plain_http_in_a_local_network(houses: ExitStack, invite: Invite) -> None:
    settings = Settings(port=0, limits=Limits.none(), hosts=(NAME,))
    url = houses.enter_context(running(settings=settings))
    page = invite(url.replace("127.0.0.1", NAME)).page
    page.goto("/new")
    assert page.evaluate("[isSecureContext, navigator.clipboard === undefined]") == [False, True]
    page.get_by_test_id("setup").select_option("fixed")
    page.get_by_test_id("create").click()
    link = page.get_by_label("Link for friends")
    page.get_by_role("button", name="Copy").first.click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    assert page.evaluate("getSelection().toString() || document.activeElement.value") == link.input_value()
    page.get_by_test_id("fill").click()
    page.get_by_test_id("begin").click()
    person = Person(page)
    person.play(done=lambda sight: person.story.count("end-turn") >= 2 and sight.asked)
    page.reload()
    expect(page.get_by_test_id("hand-ore")).to_be_visible()  # the seat was kept


def test_a_page_that_may_keep_nothing_still_plays(server: str, invite: Invite) -> None:
    visitor = invite(server)
    visitor.context.add_init_script(
        "Object.defineProperty(window, 'localStorage', { get() { throw new DOMException('no', 'SecurityError'); } })"
    )
    page = visitor.page
    page.goto("/")
    page.get_by_test_id("play-now").click()
    person = Person(page)
    person.play(done=lambda sight: person.story.count("end-turn") >= 1 and sight.asked)


# --- motion -----------------------------------------------------------------------------------------------------------

WATCH = """() => {
    window.moved = [];
    const look = () => {
        for (const one of document.getAnimations()) {
            if (one.playState === "running") window.moved.push(one.animationName ?? one.transitionProperty ?? one.id);
        }
        requestAnimationFrame(look);
    };
    look();
}"""


def moved(friend: Friend) -> list[str]:
    """What moved on the page while a roll paid and a road was built."""
    friend.page.evaluate(WATCH)
    friend.does("roll")
    friend.holds(lumber=2, grain=1, brick=1)
    friend.does("build-road")
    friend.builds("road A1/e")
    friend.page.wait_for_timeout(300)
    return list(friend.page.evaluate("window.moved"))


def test_dice_cards_and_pieces_move(play: Play, invite: Invite) -> None:
    table = play()
    assert len(moved(table.sit(invite, "red"))) > 5


def test_with_reduced_motion_nothing_moves(play: Play, invite: Invite) -> None:
    table = play()
    assert moved(table.sit(invite, "red", reduced_motion="reduce")) == []


def test_motion_can_be_switched_off_in_the_menu(play: Play, invite: Invite) -> None:
    table = play()
    red = table.sit(invite, "red")
    red.page.get_by_test_id("menu").click()
    red.page.get_by_label("Motion").select_option("off")
    red.page.keyboard.press("Escape")
    assert moved(red) == []


# --- looks ------------------------------------------------------------------------------------------------------------


def test_light_and_dark_follow_the_system_and_the_switch(server: str, invite: Invite) -> None:
    page = invite(server, color_scheme="dark").page
    page.goto("/")
    assert background(page) < 60
    page.emulate_media(color_scheme="light")
    expect(page.locator("html")).to_have_attribute("data-theme", "light")
    assert background(page) > 180
    page.get_by_role("button", name="Settings").click()
    page.get_by_label("Colours").select_option("dark")
    page.reload()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    assert background(page) < 60


def background(page: Page) -> int:
    """How light the page is: 0 to 255."""
    found: int = page.evaluate(
        "Math.max(...getComputedStyle(document.documentElement).backgroundColor.match(/[0-9]+/g).map(Number))"
    )
    return found


def test_a_phone_fits_the_board_again_after_a_pinch(play: Play, invite: Invite) -> None:
    table = play()
    red = table.sit(invite, "red", "finger", PHONE, has_touch=True, is_mobile=True)
    stage = red.page.locator(".stage")
    red.page.get_by_role("button", name="Closer").tap()
    expect(stage).not_to_have_css("transform", "matrix(1, 0, 0, 1, 0, 0)")
    red.page.get_by_role("button", name="The whole board").tap()
    expect(stage).to_have_css("transform", "matrix(1, 0, 0, 1, 0, 0)")


def test_the_kit_shows_every_player_by_a_shape_of_their_own(visitor: Visitor) -> None:
    visitor.page.goto("/")
    visitor.page.locator("#mark-red").wait_for(state="attached")
    shapes = visitor.page.evaluate(
        """() => ["red", "blue", "white", "orange"].map(color =>
            [...document.getElementById(`mark-${color}`).querySelectorAll("*")].map(one => one.tagName
                + ["d", "r", "points", "width", "height"].map(name => one.getAttribute(name)).join()).join())"""
    )
    assert len(set(shapes)) == 4
