"""What people choose in the menu, and what becomes of it: sounds, names, a second question, keys, silence, kicks."""

from __future__ import annotations

import contextlib
import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from hexholm.host.wire import messages

from .conftest import Invite, Play
from .visitor import PHONE, axe_faults

pytestmark = pytest.mark.waits

LISTEN = """window.knocks = 0;
window.AudioContext = class {
    state = "running"; currentTime = 0; destination = null;
    createOscillator() {
        window.knocks += 1;
        const frequency = { setValueAtTime() {}, exponentialRampToValueAtTime() {} };
        return { frequency, connect: one => one, start() {}, stop() {} };
    }
    createGain() {
        return { gain: { setValueAtTime() {}, exponentialRampToValueAtTime() {} }, connect: one => one };
    }
};"""
"""Counts sounds instead of making them."""


def choose(page: Page, **flags: bool) -> None:
    """Set check boxes of the menu."""
    names = {"sound": "Sounds", "confirm": "Confirm before building", "places": "Names of the places"}
    page.get_by_test_id("menu").click()
    for name, on in flags.items():
        page.get_by_label(re.compile(names[name])).set_checked(on)
    page.keyboard.press("Escape")
    expect(page.locator("dialog[open]")).to_have_count(0)
    page.wait_for_timeout(100)  # a page learns of it a moment later


def test_what_is_chosen_in_the_menu_is_so(play: Play, invite: Invite) -> None:
    table = play("dice 4 4")
    visitor = invite(table.url)
    visitor.context.add_init_script(LISTEN)
    page = visitor.page
    page.goto(table.link("red"))
    page.get_by_test_id("roll").wait_for()
    names, ghost, log = page.locator(".names text"), page.locator("[data-ghost]"), page.get_by_test_id("log")
    expect(names).to_have_count(0)
    table.act("red: roll", "red: offer 1 lumber : 1 brick to blue", "blue: accept #1")
    expect(page.get_by_test_id("hand-brick")).to_have_attribute("data-count", "1")
    assert page.evaluate("window.knocks") == 0  # off until wanted
    choose(page, sound=True, confirm=True, places=True)
    expect(names.filter(has_text=re.compile("^C3$"))).to_have_count(1)
    # a key chooses the road; the ghost shows where it would go, by mouse and by keys
    road = page.get_by_test_id("build-road")
    page.keyboard.press("1")
    with contextlib.suppress(AssertionError):
        expect(road).to_have_attribute("aria-pressed", "true", timeout=5000)
    if road.get_attribute("aria-pressed") != "true":  # the menu had not let go of the keys yet
        page.keyboard.press("1")
    expect(road).to_have_attribute("aria-pressed", "true")
    spot = page.locator(".spot[data-action='road A1/e']")
    spot.hover()
    expect(ghost).to_have_attribute("data-ghost", "A1/e")
    page.mouse.move(0, 0)
    page.get_by_test_id("build-road").focus()
    expect(ghost).to_have_count(0)
    page.keyboard.press("b")
    expect(ghost).to_have_count(1)
    # the second question: it can be let be
    sure = page.locator(".sure")
    spot.click()
    expect(sure).to_contain_text("Build road")
    sure.get_by_role("button", name="Cancel").click()
    expect(sure).to_have_count(0)
    expect(page.locator("[data-piece='A1/e']")).to_have_count(0)
    pressed_in_other_colors(page)
    spot.click()
    sure.get_by_role("button").first.click()
    expect(page.locator("[data-piece='A1/e']")).to_have_count(1)
    assert page.evaluate("window.knocks") == 1
    # the log, as far as one wants it
    line_count = log.locator("p").count()
    page.get_by_label("Show", exact=True).select_option("trade")
    expect(log.locator("p")).to_have_text(
        [re.compile(pattern) for pattern in ("^ ?Offer 1", "You give Bob 1 lumber", "trad")]
    )
    page.get_by_label("Show", exact=True).select_option("all")
    expect(log.locator("p")).to_have_count(line_count)


def pressed_in_other_colors(page: Page) -> None:
    """What is chosen stands out where the system gives the colors, and where more contrast is wanted."""
    looks = """() => ["road", "city"].map(kind => getComputedStyle(
        document.querySelector(`[data-testid=build-${kind}]`)).backgroundColor)"""
    line = "getComputedStyle(document.documentElement).getPropertyValue('--line')"
    usual = page.evaluate(line)
    page.emulate_media(forced_colors="active")
    chosen_look, other_look = page.evaluate(looks)
    assert chosen_look != other_look
    page.emulate_media(forced_colors="none", contrast="more", reduced_motion="reduce")
    assert page.evaluate(line) != usual
    assert axe_faults(page) == []
    page.emulate_media(contrast="no-preference", reduced_motion="no-preference")


def test_keys_answer_build_end_the_turn_and_can_be_others(play: Play, invite: Invite) -> None:
    table = play("dice 4 4")
    red = table.sit(invite, "red")
    page, keys = red.page, red.page.keyboard
    table.act("red: roll", "white: offer 1 ore : 1 lumber to red")
    page.get_by_test_id("accept-1").wait_for()
    page.wait_for_timeout(400)  # right after a question no press is believed
    keys.press("n")
    expect(page.get_by_test_id("offer-1")).to_have_count(0)
    table.act("white: offer 1 ore : 1 lumber to red")
    page.get_by_test_id("accept-1").wait_for()
    page.wait_for_timeout(400)
    keys.press("y")
    red.holds(lumber=2, grain=1, ore=1)
    keys.press("b")
    expect(page.locator(".spot:focus")).to_have_count(1)
    # another key for the end of a turn; whoever had it takes the old one
    page.get_by_test_id("menu").click()
    page.get_by_text("Keyboard", exact=True).click()
    key = page.get_by_test_id("key-end")
    key.click()
    keys.press("Escape")  # lets it be, and the menu stays
    expect(key).to_have_text("E")
    key.click()
    keys.press("r")
    expect(key).to_have_text("R")
    expect(page.get_by_test_id("key-roll")).to_have_text("E")
    keys.press("Escape")
    page.reload()  # and it is kept
    page.get_by_test_id("end-turn").wait_for()
    page.wait_for_timeout(400)
    keys.press("e")
    page.wait_for_timeout(100)
    assert red.see().can("end-turn")
    keys.press("r")
    expect(page.get_by_test_id("sentence")).to_have_text("Waiting for Bob.")


def test_whoever_set_up_the_table_silences_and_takes_seats_away(play: Play, invite: Invite) -> None:
    table = play()
    red = table.sit(invite, "red")
    phone: dict[str, Any] = {"has_touch": True, "is_mobile": True}
    blue = table.sit(invite, "blue", "finger", PHONE, **phone)
    chat = blue.page.get_by_test_id("open-chat")
    expect(chat).to_have_text("Chat")
    for text in ("hello", "anybody?"):
        red.page.get_by_test_id("say").fill(text)
        red.page.keyboard.press("Enter")
        expect(red.page.get_by_test_id("chat")).to_contain_text(text)
    expect(chat).to_have_text(re.compile("Chat.*2"))  # what was not read yet
    red.page.get_by_test_id("menu").click()
    red.page.get_by_test_id("silence-blue").click()
    expect(red.page.get_by_test_id("silence-blue")).to_have_text("Let them speak again")
    chat.tap()
    expect(blue.page.get_by_test_id("chat")).to_contain_text("anybody?")
    blue.page.get_by_test_id("say").fill("hm")
    blue.page.keyboard.press("Enter")
    chat_trouble = blue.page.locator("dialog[open]").get_by_test_id("chat-trouble")
    expect(chat_trouble).to_be_in_viewport()  # said where one writes, not under the sheet
    expect(chat_trouble).to_have_text("The table's creator has silenced you.")
    blue.page.locator("dialog[open] .close").tap()
    expect(chat).to_have_text("Chat")
    # a seat is not lost by one press, nor by the word of one
    kick = red.page.get_by_test_id("kick-blue")
    kick.click()
    expect(kick).to_have_text("Really remove them? Press again.")
    kick.click()
    missing = red.page.get_by_test_id("missing-kick-blue")
    expect(missing).to_contain_text("Still to agree: ")
    table.send("white", messages.Kick(id="kick", color="blue"))
    expect(missing).not_to_contain_text("White")
    expect(blue.page.get_by_test_id("hand-lumber")).to_be_visible()
    table.send("orange", messages.Kick(id="kick", color="blue"))
    expect(blue.page.get_by_text("Somebody else is playing your seat now; you are watching.")).to_be_visible()
    expect(blue.page.get_by_test_id("hand-lumber")).to_have_count(0)
