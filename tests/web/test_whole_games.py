"""Whole games through the page, to the end: with a mouse, with keys alone, with a finger on a phone."""

from __future__ import annotations

from contextlib import ExitStack

from playwright.sync_api import Page, expect

from hexholm.game.dealers import Chance, Seeded
from tests.host.houses import running

from .browsing import PHONE
from .conftest import Invite
from .hands import Finger, Keys
from .people import Person

OPTIONS = {"points_to_win": "5", "hand_limit": "4"}
"""A short game in which the robber finds full hands."""


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


class Lively:
    """At first every fifth outcome is a seven, so that all soon have to do with the robber; then a seed decides."""

    def deal(self, chance: Chance) -> int | str:
        """An outcome."""
        if chance.kind == "dice" and chance.number < 60 and chance.number % 5 == 4:
            return "dice 3 4"
        return Seeded(4).deal(chance)


def check_the_story(person: Person) -> None:
    """Whoever played had to do with others and with the robber, not only with dice and pieces.

    A card, or a trade with the supply, is tried as soon as it goes, but a short game may end before it does.
    """
    done = ("settlement ", "road ", "robber ", "discard-", "send-offer")
    assert [one for one in done if not person.has(one)] == []


def test_a_whole_game_is_played_by_keyboard_alone(houses: ExitStack, invite: Invite) -> None:
    page = invite(houses.enter_context(running(dealer=Lively))).page
    keys = Keys(page)
    page.goto("/")
    keys.press(page.get_by_role("link", name="New table"))
    keys.press(page.locator("summary"))
    for option, value in OPTIONS.items():
        keys.go(page.get_by_test_id(f"option-{option}"))
        page.keyboard.type(value)
    keys.press(page.get_by_test_id("create"))
    keys.press(page.get_by_test_id("fill"))
    page.wait_for_timeout(400)  # with that button gone, the keys are put elsewhere; there a second press does nothing
    keys.press(page.get_by_test_id("begin"))
    person = Person(page, "keys", trades=0, curious=True)
    person.play()
    check_the_story(person)
    check_the_end(page, points=5)
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    keys.press(page.get_by_test_id("open-end"))
    expect(page.get_by_role("dialog", name="The game is over")).to_be_visible()


def test_a_whole_game_is_played_on_a_phone(houses: ExitStack, invite: Invite) -> None:
    url = houses.enter_context(running(dealer=Lively))
    page = invite(url, PHONE, has_touch=True, is_mobile=True, device_scale_factor=2).page
    finger = Finger(page)
    page.goto("/")
    finger.press(page.get_by_role("link", name="New table"))
    finger.press(page.locator("summary"))
    for option, value in OPTIONS.items():
        page.get_by_test_id(f"option-{option}").select_option(value)  # a menu of the system
    finger.press(page.get_by_test_id("create"))
    finger.press(page.get_by_test_id("fill"))
    finger.press(page.get_by_test_id("begin"))
    person = Person(page, "finger", trades=0, curious=True)
    person.play()
    check_the_story(person)
    check_the_end(page, points=5)
