"""What is asked is where one is: the keys are led to it, a finger is asked once more, and nothing jumps meanwhile."""

from __future__ import annotations

from contextlib import ExitStack
from typing import Any

import pytest
from playwright.sync_api import FloatRect, Locator, Page, expect

from . import friends
from .conftest import Invite, Play
from .friends import Friend, Table
from .host_process import Line
from .input_devices import Keys
from .visitor import PHONE

pytestmark = pytest.mark.waits

SEVEN = "dice 3 4"
PAYS = "dice 4 4"
TOUCH: dict[str, Any] = {"has_touch": True, "is_mobile": True}


def place(page: Page) -> Locator:
    """The place of the board that has the focus and can be chosen."""
    return page.locator(".spot[data-action]:focus")


def sit_on_phone(table: Table, invite: Invite, **context: Any) -> Friend:
    """Red at the table, on a phone."""
    return table.sit(invite, "red", "finger", PHONE, **TOUCH, **context)


# --- the keys ---------------------------------------------------------------------------------------------------------


def test_the_keys_are_led_from_one_question_to_the_next(play: Play, invite: Invite) -> None:
    table = play(SEVEN, setup="variable", people=("red",))
    red = table.sit(invite, "red", "keys")
    page = red.page
    red.until(lambda sight: bool(sight.targets))
    page.keyboard.press("Tab")  # the first step on the page
    expect(place(page)).to_have_count(1)
    for _ in range(2):
        red.builds(red.until(lambda sight: bool(sight.targets)).targets[0]["action"])
        expect(place(page)).to_have_count(1)  # where the road can go
        red.builds(red.until(lambda sight: bool(sight.targets)).targets[0]["action"])
    expect(page.get_by_test_id("roll")).to_be_focused()
    red.does("roll")
    expect(place(page)).to_have_count(1)  # where the robber can go
    empty_targets = [target for target in red.see().targets if "settlement" not in target["name"]]
    red.builds(empty_targets[0]["action"])
    expect(page.get_by_test_id("end-turn")).to_be_focused()


def test_a_press_that_was_meant_for_the_dice_does_not_move_the_robber(play: Play, invite: Invite) -> None:
    table = play(SEVEN)
    red = table.sit(invite, "red", "keys")
    red.until(lambda sight: sight.can("roll"))
    red.page.keyboard.press("Tab")
    expect(red.page.get_by_test_id("roll")).to_be_focused()
    red.page.keyboard.press("Enter")
    expect(place(red.page)).to_have_count(1)
    red.page.keyboard.press("Enter")
    red.page.wait_for_timeout(400)
    assert len(red.see().targets) > 1
    red.page.keyboard.press("Enter")  # this one is meant
    red.until(lambda sight: len(sight.targets) <= 3)


def test_the_keys_are_led_to_the_cards_to_give_back(play: Play, invite: Invite) -> None:
    table = play(PAYS, SEVEN, hand_limit=2)
    red = table.sit(invite, "red", "keys")
    red.does("roll", "end-turn")
    expect(red.page.get_by_test_id("end-turn")).to_be_focused()
    table.act("blue: roll")
    expect(red.page.locator(".hand :focus")).to_have_attribute("data-testid", "discard-lumber")


def test_who_writes_or_looks_elsewhere_is_not_led_away(play: Play, invite: Invite) -> None:
    table = play(PAYS, SEVEN, hand_limit=2)
    red = table.sit(invite, "red", "keys")
    red.does("roll", "end-turn")
    say = red.page.get_by_test_id("say")
    say.focus()
    red.page.keyboard.type("wait")
    table.act("blue: roll")
    red.until(lambda sight: "discard" in sight.buttons)
    expect(say).to_be_focused()
    menu = red.page.get_by_test_id("menu")
    menu.press("Enter")
    red.page.wait_for_timeout(100)
    expect(red.page.locator("dialog :focus")).to_have_count(1)
    red.page.keyboard.press("Escape")
    expect(menu).to_be_focused()


def test_who_points_is_not_led(play: Play, invite: Invite) -> None:
    table = play(SEVEN)
    red = table.sit(invite, "red")
    red.does("roll")
    red.until(lambda sight: bool(sight.targets))
    red.page.wait_for_timeout(100)
    expect(red.page.get_by_test_id("end-turn")).to_be_focused()


def test_what_is_chosen_to_be_built_leads_to_the_board_and_back(play: Play, invite: Invite) -> None:
    table = play(PAYS)
    table.act("red: roll", "red: offer 1 lumber : 1 brick to blue", "blue: accept #1")
    red = table.sit(invite, "red", "keys")
    red.does("build-road")
    expect(place(red.page)).to_have_count(1)
    red.page.keyboard.press("Escape")
    expect(red.page.get_by_test_id("end-turn")).to_be_focused()


def test_buttons_show_their_keys_to_those_who_have_some(play: Play, invite: Invite) -> None:
    table = play(PAYS)
    red = table.sit(invite, "red")
    page = red.page
    for name, key in {"roll": "R", "trade": "T", "build-road": "1", "build-card": "4"}.items():
        expect(page.get_by_test_id(name).locator("kbd")).to_have_text(key)
        expect(page.get_by_test_id(name)).to_have_attribute("aria-keyshortcuts", key)
    expect(page.get_by_role("button", name="Roll the dice", exact=True)).to_be_visible()  # read aloud without it
    page.get_by_test_id("menu").click()
    page.get_by_label("Keyboard shortcuts").uncheck()
    page.keyboard.press("Escape")
    expect(page.locator(".key")).to_have_count(0)
    phone = sit_on_phone(table, invite)
    expect(phone.page.get_by_test_id("roll")).to_be_visible()
    expect(phone.page.locator(".key")).to_have_count(0)


def test_the_frame_around_a_heading_is_no_wider_than_its_words(page: Page) -> None:
    page.goto("/")
    Keys(page).press(page.get_by_test_id("play-now"))
    page.get_by_test_id("sentence").wait_for()
    assert box(page.get_by_role("heading", level=1))["width"] < 400


# --- a finger ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("language", "settlement_question", "road_question"),
    [("en-GB", "Settlement here?", "Road here?"), ("de-DE", "Siedlung hier?", "Straße hier?")],
)
def test_a_finger_is_asked_once_more_in_words(
    play: Play, invite: Invite, language: str, settlement_question: str, road_question: str
) -> None:
    table = play(setup="variable", people=("red",))
    red = sit_on_phone(table, invite, locale=language)
    page, sentence = red.page, red.page.get_by_test_id("sentence")
    red.until(lambda sight: bool(sight.targets))
    before = sentence.inner_text()
    spot = page.locator(".spot[data-action='settlement B2se']")
    spot.tap()
    expect(sentence).to_have_text(settlement_question)
    board_box = box(page.locator(".board").first)
    for name in ("sure", "not-sure"):
        button = box(page.get_by_test_id(name))
        assert min(button["width"], button["height"]) >= 44
        assert button["y"] >= board_box["y"] + board_box["height"]  # it covers nothing of the board
    assert float(page.locator("[data-ghost]").evaluate("one => getComputedStyle(one).opacity")) < 0.7
    page.get_by_test_id("not-sure").tap()
    expect(sentence).to_have_text(before)
    expect(page.locator("[data-ghost]")).to_have_count(0)
    spot.tap()
    page.get_by_test_id("sure").tap()
    red.until(lambda sight: {target["action"].split()[0] for target in sight.targets} == {"road"})
    page.locator(".spot[data-action='road B2/se']").tap()
    expect(sentence).to_have_text(road_question)


# --- nothing jumps ----------------------------------------------------------------------------------------------------


def box(locator: Locator) -> FloatRect:
    """Where something is in the window."""
    bounds = locator.bounding_box()
    assert bounds is not None
    return bounds


@pytest.mark.parametrize(("width", "language"), [(390, "en-GB"), (320, "de-DE")])
def test_on_a_phone_the_bar_stays_at_the_bottom_as_high_as_it_is(
    play: Play, invite: Invite, width: int, language: str
) -> None:
    table = play(SEVEN, "stolen ore", PAYS, hand_limit=2)
    red = table.sit(invite, "red", "finger", (width, 844), locale=language, **TOUCH)
    page = red.page
    parts = (page.locator("footer"), page.locator(".board").first, page.get_by_test_id("player-red"))

    def look() -> list[FloatRect]:
        page.wait_for_timeout(100)
        return [box(locator) for locator in parts]

    page.locator("[data-piece=robber]").wait_for()
    first = look()
    assert first[0]["y"] + first[0]["height"] == 844
    red.does("roll", "discard-lumber")
    assert look() == first
    red.does("discard")
    table.act("blue: discard 1 brick", "white: discard 1 lumber", "orange: discard 1 grain")
    red.builds("robber D2")
    red.until(lambda sight: sight.can("steal-orange"))
    assert look() == first  # with two to choose from
    red.does("steal-blue")
    red.until(lambda sight: sight.can("end-turn"))
    assert look() == first
    red.does("end-turn")
    table.act("blue: roll")
    page.locator(".gain").first.wait_for()
    assert look() == first  # with what it brought


def test_a_line_that_is_lost_moves_nothing(play: Play, houses: ExitStack, invite: Invite) -> None:
    table = play(PAYS)
    line = houses.enter_context(Line(table.url))
    for size in ((1440, 900), PHONE):
        line.mend()
        visitor = invite(line.url, size)
        visitor.expect("WebSocket|ERR_|Failed to load")
        page = visitor.page
        page.goto(friends.Table(line.url, table.id, table.tokens).link("red"))
        page.locator("[data-piece=robber]").wait_for()
        board = page.locator(".board").first
        before = box(board)
        line.cut()
        notice = page.get_by_text("The connection was lost")
        expect(notice).to_be_visible()
        assert box(board) == before
        assert box(notice)["x"] >= 0
