"""What is pressed does what was meant: reasons where it cannot, no turn lost by a double press, keys, commands."""

from __future__ import annotations

import re
from contextlib import ExitStack

import pytest
from playwright.sync_api import Locator, Page, expect

from . import friends
from .conftest import Invite, Play
from .host_process import Line
from .input_devices import Keys
from .visitor import PHONE, far_side, socket_traffic

pytestmark = pytest.mark.waits

STORY = ("dice 4 4",)
FAR = "The road must touch your new settlement."
BEFORE = "Before the roll, you can only play a development card."


def tip(page: Page) -> Locator:
    """The reason that is shown."""
    return page.get_by_role("tooltip").filter(visible=True)


def hold(page: Page, x: float, y: float) -> None:
    """Put a finger on the page, and leave it there."""
    page.context.new_cdp_session(page).send(
        "Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]}
    )


def middle(locator: Locator) -> tuple[float, float]:
    """Where something is in the window."""
    locator.scroll_into_view_if_needed()
    box = locator.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


# --- reasons ----------------------------------------------------------------------------------------------------------


def test_a_button_that_cannot_be_pressed_says_why_on_hover_and_on_focus(play: Play, invite: Invite) -> None:
    table = play(*STORY)
    red = table.sit(invite, "red")
    city = red.page.get_by_test_id("build-city")
    expect(city).to_have_attribute("aria-disabled", "true")
    expect(city).to_have_accessible_description(re.compile(BEFORE))
    city.hover()
    expect(tip(red.page)).to_contain_text(BEFORE)
    expect(tip(red.page)).to_contain_text("4 left")  # what the small number means
    red.does("roll")
    expect(tip(red.page)).to_have_count(0)
    city.hover()
    expect(tip(red.page)).to_contain_text("2 grain and 3 ore")
    red.page.mouse.move(0, 0)
    expect(tip(red.page)).to_have_count(0)
    Keys(red.page).go(city)
    expect(tip(red.page)).to_contain_text("2 grain and 3 ore")
    red.page.keyboard.press("Enter")  # says why, and does nothing
    expect(tip(red.page)).to_be_visible()
    red.page.keyboard.press("Escape")
    expect(tip(red.page)).to_have_count(0)


def test_a_button_that_cannot_be_pressed_says_why_on_a_long_press(play: Play, invite: Invite) -> None:
    table = play(*STORY)
    red = table.sit(invite, "red", "finger", PHONE, has_touch=True, is_mobile=True)
    red.does("roll")
    red.page.get_by_test_id("open-build").tap()
    hold(red.page, *middle(red.page.get_by_test_id("build-city")))
    expect(tip(red.page)).to_contain_text("2 grain and 3 ore")
    box = tip(red.page).bounding_box()
    assert box is not None
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= PHONE[0]


def test_a_place_that_cannot_be_chosen_says_why(play: Play, invite: Invite) -> None:
    table = play(setup="variable", people=("red",))
    red = table.sit(invite, "red")
    red.builds("settlement B2se")
    red.until(lambda sight: any(target["action"].startswith("road") for target in sight.targets))
    reason = red.page.locator(".told")
    # with the mouse: a side far from the new settlement
    red.page.mouse.move(*far_side(red.page))
    expect(reason).to_contain_text(FAR)
    expect(reason.get_by_role("link", name="Read the rule")).to_be_visible()
    red.page.mouse.move(0, 0)
    expect(reason).to_have_count(0)
    # by keys: with Shift the arrows go over all places
    keys = Keys(red.page)
    keys.go(red.page.locator(".spot[tabindex='0']"))
    red.page.keyboard.press("Shift+ArrowDown")
    red.page.keyboard.press("Shift+ArrowDown")
    expect(reason).to_contain_text(FAR)


def test_a_place_says_why_on_a_long_press(play: Play, invite: Invite) -> None:
    table = play(setup="variable", people=("red",))
    red = table.sit(invite, "red", "finger", PHONE, has_touch=True, is_mobile=True)
    red.builds("settlement B2se")
    red.until(lambda sight: any(target["action"].startswith("road") for target in sight.targets))
    hold(red.page, *far_side(red.page))
    expect(red.page.locator(".told")).to_contain_text(FAR)


# --- double presses ---------------------------------------------------------------------------------------------------

AT_ONCE = """([wanted, ...later]) => new MutationObserver((_, watch) => {
    const press = () => document.querySelector(wanted).dispatchEvent(new MouseEvent("click", { bubbles: true }));
    if (document.querySelector(wanted) === null) return;
    watch.disconnect();
    press();
    for (const time of later) setTimeout(press, time);
    window.pressed = true;
}).observe(document.body, { subtree: true, childList: true })"""
"""Presses something in the moment in which it appears, which nobody can have meant; and again after some time."""


def test_a_press_in_the_moment_a_turn_begins_does_nothing(play: Play, invite: Invite) -> None:
    table = play(*STORY, people=("red",))
    red = table.sit(invite, "red")
    red.does("roll")
    red.page.evaluate(AT_ONCE, ["[data-testid=roll]"])
    red.does("end-turn")
    red.until(lambda sight: sight.can("roll"))
    assert red.page.evaluate("window.pressed")
    red.page.wait_for_timeout(400)  # what was pressed would have been done by now
    assert red.see().can("roll")
    red.does("roll")


def test_a_double_click_on_the_dice_does_not_end_the_turn(play: Play, invite: Invite) -> None:
    table = play(*STORY)
    red = table.sit(invite, "red")
    red.page.get_by_test_id("roll").click(click_count=2, delay=60)
    red.holds(lumber=3, grain=1)
    red.page.wait_for_timeout(400)
    assert red.see().can("end-turn")
    assert red.see().trouble == ""


def test_a_second_press_on_a_slow_line_changes_nothing(play: Play, houses: ExitStack, invite: Invite) -> None:
    """The button shows that it was pressed; a press more is neither sent nor complained about."""
    table = play(*STORY)
    line = houses.enter_context(Line(table.url, delay=0.25))
    red = friends.Table(line.url, table.id, table.tokens).sit(invite, "red")
    sent, _ = socket_traffic(red.page)
    red.page.reload()
    roll = red.page.get_by_test_id("roll")
    roll.click()
    expect(roll).to_have_attribute("aria-busy", "true")
    for _ in range(3):
        roll.click()
    red.holds(lumber=3, grain=1)
    expect(red.page.get_by_test_id("end-turn")).not_to_have_attribute("aria-busy", "true")
    red.page.wait_for_timeout(600)  # what else was sent would be answered by now
    assert red.see().can("end-turn")
    assert red.see().trouble == ""
    assert len([frame for frame in sent if '"act"' in frame]) == 1


def test_a_double_click_on_a_place_builds_once(play: Play, invite: Invite) -> None:
    table = play(setup="variable", people=("red",))
    red = table.sit(invite, "red")
    red.until(lambda sight: bool(sight.targets))
    red.page.wait_for_timeout(400)  # the turn has begun
    red.page.locator(".spot[data-action='settlement B2se']").click(click_count=2, delay=30)
    red.until(lambda sight: {target["action"].split()[0] for target in sight.targets} == {"road"})
    expect(red.page.locator("[data-piece]:not([data-piece=robber])")).to_have_count(1)
    assert red.see().trouble == ""


def test_a_place_that_is_pressed_too_early_can_be_pressed_again_at_once(play: Play, invite: Invite) -> None:
    table = play(setup="variable", people=("red", "blue"))
    table.act("red: settlement B2se")
    blue = table.sit(invite, "blue")
    blue.page.evaluate(AT_ONCE, ["[data-action='settlement D3se']", 400])  # of which only the second is believed
    table.act("red: road B2/se")
    blue.until(lambda sight: {target["action"].split()[0] for target in sight.targets} == {"road"})
    assert blue.see().trouble == ""


# --- the focus --------------------------------------------------------------------------------------------------------


def test_the_keys_stay_where_something_was_pressed_or_go_back_to_what_opened_it(play: Play, invite: Invite) -> None:
    table = play(*STORY)
    red = table.sit(invite, "red", "keys")
    page = red.page
    red.does("roll")
    expect(page.get_by_test_id("end-turn")).to_be_focused()  # the same button
    red.does("trade")
    in_trade = page.get_by_role("region", name="Trade").locator(":focus")
    expect(in_trade).to_have_count(1)  # it opens far from the button
    Keys(page).press(page.get_by_role("button", name="Cancel"))
    expect(page.get_by_test_id("trade")).to_be_focused()
    page.wait_for_timeout(400)
    red.does("trade", "give-lumber", "want-brick", "send-offer")
    expect(page.get_by_test_id("offer-1")).to_be_visible()
    expect(page.get_by_test_id("trade")).to_be_focused()
    red.does("withdraw-1")
    expect(page.get_by_test_id("withdraw-1")).to_have_count(0)
    Keys(page).somewhere()
    page.get_by_test_id("menu").press("Enter")
    page.keyboard.press("Escape")
    expect(page.get_by_test_id("menu")).to_be_focused()


def test_who_clicks_beside_everything_has_left_it(play: Play, invite: Invite) -> None:
    table = play(*STORY)
    red = table.sit(invite, "red")
    red.does("roll", "trade")
    red.page.locator("h1").click()
    red.page.wait_for_timeout(100)
    red.page.keyboard.press("Escape")
    expect(red.page.get_by_role("region", name="Trade")).to_have_count(0)
    red.page.wait_for_timeout(100)
    assert red.page.evaluate("document.activeElement === document.body")


def test_a_page_that_is_gone_to_begins_at_its_heading(page: Page) -> None:
    keys = Keys(page)
    page.goto("/")
    keys.press(page.get_by_role("link", name="New table"))
    expect(page.get_by_role("heading", level=1)).to_be_focused()
    page.go_back()
    expect(page.get_by_test_id("play-now")).to_be_enabled()
    expect(page.get_by_role("heading", level=1)).to_be_focused()
    keys.press(page.get_by_test_id("play-now"))
    page.get_by_test_id("sentence").wait_for()
    expect(page.locator("h1:focus, .spot[data-action]:focus")).to_have_count(1)  # or where one is asked to build


def test_a_key_that_is_held_down_presses_once(play: Play, invite: Invite) -> None:
    table = play(*STORY)
    red = table.sit(invite, "red")
    red.until(lambda sight: sight.can("roll"))
    red.page.get_by_test_id("roll").focus()
    for _ in range(15):
        red.page.keyboard.down("Enter")
        red.page.wait_for_timeout(50)
    red.page.keyboard.up("Enter")
    red.holds(lumber=3, grain=1)
    assert red.see().can("end-turn")


# --- keys and commands ------------------------------------------------------------------------------------------------


def test_single_keys_act_and_can_be_switched_off(play: Play, invite: Invite) -> None:
    table = play(*STORY)
    red = table.sit(invite, "red")
    red.page.get_by_test_id("say").fill("e")
    red.page.get_by_test_id("say").press("r")  # who writes does not play
    assert red.see().can("roll")
    red.page.get_by_test_id("say").fill("")
    red.page.get_by_test_id("say").blur()
    red.page.get_by_test_id("menu").click()
    red.page.get_by_label("Keyboard shortcuts").uncheck()
    red.page.keyboard.press("Escape")
    expect(red.page.get_by_role("dialog")).to_have_count(0)  # while it is open, keys are its own
    red.page.keyboard.press("r")
    red.page.wait_for_timeout(400)
    assert red.see().can("roll")
    red.page.get_by_test_id("menu").click()
    red.page.get_by_label("Keyboard shortcuts").check()
    red.page.keyboard.press("Escape")
    expect(red.page.get_by_role("dialog")).to_have_count(0)  # while it is open, keys are its own
    red.page.keyboard.press("r")
    red.until(lambda sight: sight.can("end-turn"))
    red.page.keyboard.press("t")
    expect(red.page.get_by_role("region", name="Trade")).to_be_visible()
    red.page.keyboard.press("Escape")
    expect(red.page.get_by_role("region", name="Trade")).to_have_count(0)


def test_commands_can_be_typed_and_wrong_ones_are_explained(play: Play, invite: Invite) -> None:
    table = play(*STORY)
    red = table.sit(invite, "red")
    expect(red.page.get_by_test_id("command")).to_have_count(0)
    red.page.get_by_test_id("menu").click()
    red.page.get_by_label("Line for typed commands").check()
    red.page.keyboard.press("Escape")
    line = red.page.get_by_test_id("command")

    def type_in(text: str) -> None:
        line.fill(text)
        line.press("Enter")

    trouble, unread = red.page.get_by_test_id("trouble"), red.page.get_by_test_id("command-trouble")
    type_in("dance")
    expect(unread).to_contain_text("“dance” is not a command. The commands are: roll, road,")
    expect(unread).not_to_contain_text("stolen")  # that says chance, not a player
    expect(line).to_have_value("dance")  # to be mended
    type_in("road nowhere")
    expect(unread).to_contain_text("Write it like this: road C3/ne")
    type_in("road A1/e")
    expect(trouble).to_contain_text(BEFORE)
    expect(unread).to_have_count(0)
    type_in("roll")
    red.holds(lumber=3, grain=1)
    expect(line).to_have_value("")
    expect(trouble).to_have_count(0)
    type_in("offer lumber : brick to all")
    expect(red.page.get_by_test_id("offer-1")).to_be_visible()
    type_in("road A1/e")
    expect(trouble).to_contain_text(re.compile("brick"))
