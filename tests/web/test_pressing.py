"""What is pressed does what was meant: reasons where it cannot, no turn lost by a double press, keys, commands."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, Page, expect

from .browsing import PHONE
from .conftest import Invite, Play
from .hands import Keys

STORY = ("dice 4 4",)
FAR = "The road must touch your new settlement."
BEFORE = "Before the roll you can only play a development card."


def tip(page: Page) -> Locator:
    """The reason that is shown."""
    return page.get_by_role("tooltip").filter(visible=True)


def hold(page: Page, x: float, y: float) -> None:
    """Put a finger on the page, and leave it there."""
    page.context.new_cdp_session(page).send(
        "Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]}
    )


def middle(wanted: Locator) -> tuple[float, float]:
    """Where something is in the window."""
    wanted.scroll_into_view_if_needed()
    box = wanted.bounding_box()
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
    expect(tip(red.page)).to_contain_text("3 ore and 2 grain")
    red.page.mouse.move(0, 0)
    expect(tip(red.page)).to_have_count(0)
    Keys(red.page).go(city)
    expect(tip(red.page)).to_contain_text("3 ore and 2 grain")
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
    expect(tip(red.page)).to_contain_text("3 ore and 2 grain")
    box = tip(red.page).bounding_box()
    assert box is not None
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= PHONE[0]


def test_a_place_that_cannot_be_chosen_says_why(play: Play, invite: Invite) -> None:
    table = play(setup="variable", people=("red",))
    red = table.sit(invite, "red")
    red.builds("settlement B2se")
    red.until(lambda sight: any(one["action"].startswith("road") for one in sight.targets))
    why = red.page.locator(".why")
    # with the mouse: a side far from the new settlement
    red.page.mouse.move(*side(red.page, "E1/se"))
    expect(why).to_have_text(FAR)
    red.page.mouse.move(0, 0)
    expect(why).to_have_count(0)
    # by keys: with Shift the arrows go over all places
    keys = Keys(red.page)
    keys.go(red.page.locator(".spot[tabindex='0']"))
    red.page.keyboard.press("Shift+ArrowDown")
    red.page.keyboard.press("Shift+ArrowDown")
    expect(why).to_have_text(FAR)


def test_a_place_says_why_on_a_long_press(play: Play, invite: Invite) -> None:
    table = play(setup="variable", people=("red",))
    red = table.sit(invite, "red", "finger", PHONE, has_touch=True, is_mobile=True)
    red.builds("settlement B2se")
    red.until(lambda sight: any(one["action"].startswith("road") for one in sight.targets))
    hold(red.page, *side(red.page, "E1/se"))
    expect(red.page.locator(".why")).to_have_text(FAR)


def side(page: Page, place: str) -> tuple[float, float]:
    """Where the south-eastern side of a hex is in the window."""
    point: list[float] = page.evaluate(
        """place => {
            const { a, e, f } = document.querySelector(`.raised[data-place="${place.slice(0, 2)}"]`).getScreenCTM();
            return [e + 43 * a, f + 75 * a];
        }""",
        place,
    )
    return point[0], point[1]


# --- double presses ---------------------------------------------------------------------------------------------------

AT_ONCE = """name => new MutationObserver((_, watch) => {
    const button = document.querySelector(`[data-testid=${name}]`);
    if (button === null) return;
    watch.disconnect();
    button.click();
    window.pressed = true;
}).observe(document.body, { subtree: true, childList: true })"""
"""Presses a button in the moment in which it appears: nobody can have meant it."""


def test_a_press_in_the_moment_a_turn_begins_does_nothing(play: Play, invite: Invite) -> None:
    table = play(*STORY, people=("red",))
    red = table.sit(invite, "red")
    red.does("roll")
    red.page.evaluate(AT_ONCE, "roll")
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


def test_a_double_click_on_a_place_builds_once(play: Play, invite: Invite) -> None:
    table = play(setup="variable", people=("red",))
    red = table.sit(invite, "red")
    red.until(lambda sight: bool(sight.targets))
    red.page.wait_for_timeout(400)  # the turn has begun
    red.page.locator(".spot[data-action='settlement B2se']").click(click_count=2, delay=30)
    red.until(lambda sight: {one["action"].split()[0] for one in sight.targets} == {"road"})
    expect(red.page.locator("[data-piece]:not([data-piece=robber])")).to_have_count(1)


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
    red.page.keyboard.press("r")
    red.page.wait_for_timeout(400)
    assert red.see().can("roll")
    red.page.get_by_test_id("menu").click()
    red.page.get_by_label("Keyboard shortcuts").check()
    red.page.keyboard.press("Escape")
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
    expect(unread).to_contain_text("“dance” is no command. There are: roll, road,")
    expect(unread).not_to_contain_text("stolen")  # that says chance, not a player
    expect(line).to_have_value("dance")  # to be mended
    type_in("road nowhere")
    expect(unread).to_contain_text("Write it like: road C3/ne")
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
