"""Whole games through the page, to the end: with a mouse, with keys alone, with a finger on a phone."""

from __future__ import annotations

import contextlib
from contextlib import ExitStack

import pytest
from playwright.sync_api import Page, expect

from hexholm.game.action import Action
from hexholm.game.dealers import Chance, NoOutcome, Seeded
from hexholm.game.game import Record
from hexholm.rules.encoding.phases import DICE_FALL
from hexholm.rules.encoding.structs import State
from hexholm.rules.places import CORNERS_OF_HEX
from tests.host.servers import run_server

from .conftest import Invite
from .input_devices import Finger, Keys
from .page_players import Person
from .visitor import PHONE

pytestmark = pytest.mark.waits

OPTIONS = {"points_to_win": "6", "hand_limit": "4"}
"""A short game in which the robber finds full hands."""
PERSON = 0
"""The seat of whoever sets up a table."""


def check_the_end(page: Page, points: int) -> None:
    """The end is shown: the scores of all four, hidden points too, charts, and the ways on."""
    dialog = page.get_by_role("dialog", name="The game is over")
    expect(dialog).to_be_visible()
    rows = dialog.get_by_role("table", name="Scores").get_by_role("row")
    expect(rows).to_have_count(5)
    best = rows.nth(1).locator("td").first
    assert int(best.inner_text()) >= points
    for chart in ("Dice", "Points over the turns", "gained", "lost", "Luck", "Blocked by the robber"):
        expect(dialog.locator("figure", has_text=chart).first).to_be_visible()
    expect(dialog.get_by_text("usual range").first).to_be_visible()  # of fair dice
    expect(dialog.get_by_test_id("rematch")).to_be_visible()
    expect(dialog.get_by_role("link", name="Replay")).to_be_visible()


def test_one_person_plays_a_whole_game_against_three_bots_by_clicks(page: Page) -> None:
    page.goto("/")
    page.get_by_test_id("play-now").click()
    Person(page).play()
    check_the_end(page, points=10)


class Generous:
    """The dice pay the person what they have least of, and others rarely; but their first full hand meets a seven."""

    sevens = 0

    def deal(self, chance: Chance) -> int | str:
        """An outcome."""
        state = chance.state
        if chance.kind == "drawn":
            with contextlib.suppress(NoOutcome):
                return chance.check("drawn knight")
        if state.phase != DICE_FALL:
            return Seeded(4).deal(chance)
        hand_bytes = state.hand[PERSON].to_bytes(8, "little")
        full = state.active == PERSON and sum(hand_bytes) > int(OPTIONS["hand_limit"]) and not self.sevens
        total = 7 if full else self.paying(state, hand_bytes)
        self.sevens += total == 7
        return f"dice {max(1, total - 6)} {min(6, total - 1)}"

    @staticmethod
    def paying(state: State, hand_bytes: bytes) -> int:
        """The number that pays the person what they have least of; of several, that of which others get least."""
        own = state.settlements[PERSON] | state.cities[PERSON]
        pays = [
            hex_id
            for hex_id in range(19)
            if CORNERS_OF_HEX[hex_id] & own and state.number[hex_id] and hex_id != state.robber
        ]
        best = min(
            pays,
            key=lambda hex_id: (
                hand_bytes[state.terrain[hex_id]],
                int(CORNERS_OF_HEX[hex_id] & state.buildings & ~own).bit_count(),
            ),
        )
        return int(state.number[best])


def check_the_story(page: Page) -> None:
    """Whoever played had to do with everything: the robber, cards and the supply, not only with pieces."""
    name = page.url.partition("/t/")[2].partition("#")[0]
    record = Record.read(page.request.get(f"/api/tables/{name}/record?form=text").text())
    kinds_done = {
        Action.of_code(code, record.options.colors).text.split()[0] for seat, code in record.steps if seat == PERSON
    }
    expected_kinds = {"settlement", "road", "roll", "robber", "discard", "buy", "knight", "supply", "end"}
    assert expected_kinds - kinds_done == set()


def test_a_whole_game_is_played_by_keyboard_alone(houses: ExitStack, invite: Invite) -> None:
    page = invite(houses.enter_context(run_server(make_dealer=Generous))).page
    keys = Keys(page)
    page.goto("/")
    keys.press(page.get_by_role("link", name="New table"))
    keys.press(page.locator("summary"))
    for option, value in OPTIONS.items():
        keys.go(page.get_by_test_id(f"option-{option}"))
        page.keyboard.type(value)
    keys.press(page.get_by_test_id("create"))
    keys.press(page.get_by_test_id("fill"))
    begin = page.get_by_test_id("begin")
    expect(begin).to_be_enabled()
    while (
        begin.count()
    ):  # with the other button gone the keys are put elsewhere, where a press does nothing for a moment
        page.wait_for_timeout(400)
        keys.press(begin)
        with contextlib.suppress(AssertionError):
            expect(begin).to_have_count(0, timeout=5000)
    Person(page, "keys", trades=0, curious=True).play()
    check_the_story(page)
    check_the_end(page, points=6)
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.wait_for_timeout(400)  # as above: the keys go back to where they were, and a press at once counts for nothing
    keys.press(page.get_by_test_id("open-end"))
    expect(page.get_by_role("dialog", name="The game is over")).to_be_visible()


def test_a_whole_game_is_played_on_a_phone(houses: ExitStack, invite: Invite) -> None:
    url = houses.enter_context(run_server(make_dealer=Generous))
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
    Person(page, "finger", trades=0, curious=True).play()
    check_the_story(page)
    check_the_end(page, points=6)
