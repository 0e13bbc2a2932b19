"""Whole games through the page, to the end: with a mouse, with keys alone, with a finger on a phone."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from .browsing import PHONE
from .conftest import Invite
from .hands import Finger, Keys
from .people import Person


def check_the_end(page: Page, points: int) -> None:
    """The end is shown: the scores of all four, hidden points too, charts, and the ways on."""
    dialog = page.get_by_role("dialog", name="The game is over")
    expect(dialog).to_be_visible()
    rows = dialog.get_by_role("table", name="Scores").get_by_role("row")
    expect(rows).to_have_count(5)
    best = rows.nth(1).locator("td").first
    assert int(best.inner_text()) >= points
    for chart in ("Dice", "Points over the turns", "gained", "lost", "Luck", "Kept back by the robber"):
        expect(dialog.locator("figure", has_text=chart).first).to_be_visible()
    expect(dialog.get_by_text("usual range").first).to_be_visible()  # of fair dice
    expect(dialog.get_by_test_id("rematch")).to_be_visible()
    expect(dialog.get_by_role("link", name="Replay")).to_be_visible()


def test_one_person_plays_a_whole_game_against_three_bots_by_clicks(page: Page) -> None:
    page.goto("/")
    page.get_by_test_id("play-now").click()
    Person(page).play()
    check_the_end(page, points=10)


def test_a_whole_game_is_played_by_keyboard_alone(page: Page) -> None:
    keys = Keys(page)
    page.goto("/")
    keys.press(page.get_by_role("link", name="New table"))
    keys.press(page.locator("summary"))
    keys.go(page.get_by_test_id("option-points_to_win"))
    page.keyboard.type("5")
    keys.press(page.get_by_test_id("create"))
    keys.press(page.get_by_test_id("fill"))
    keys.press(page.get_by_test_id("begin"))
    Person(page, "keys").play()
    check_the_end(page, points=5)
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    keys.press(page.get_by_test_id("open-end"))
    expect(page.get_by_role("dialog", name="The game is over")).to_be_visible()


def test_a_whole_game_is_played_on_a_phone(server: str, invite: Invite) -> None:
    page = invite(server, PHONE, has_touch=True, is_mobile=True, device_scale_factor=2).page
    finger = Finger(page)
    page.goto("/")
    finger.press(page.get_by_role("link", name="New table"))
    finger.press(page.locator("summary"))
    page.get_by_test_id("option-points_to_win").select_option("5")  # a menu of the system
    finger.press(page.get_by_test_id("create"))
    finger.press(page.get_by_test_id("fill"))
    finger.press(page.get_by_test_id("begin"))
    Person(page, "finger").play()
    check_the_end(page, points=5)
