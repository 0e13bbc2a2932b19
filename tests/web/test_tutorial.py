"""The first game: whoever follows the hints, and does nothing else, builds a city; and it can be left at any time."""

from __future__ import annotations

import time

import pytest
from playwright.sync_api import Error, Page, expect

from tests.host.servers import ask

from . import friends
from .conftest import Invite
from .input_devices import Hand, make_hand
from .visitor import DESKTOP, PHONE, Visitor, axe_faults, outside_window, overflow_pixels, small_targets

pytestmark = pytest.mark.waits

SECONDS = 90
"""So long may a city take whose bots answer at once."""
MOST_PRESSES = 60
NEW_THINGS = (
    *("welcome", "roll", "produced", "road", "settlement", "supply", "offer", "confirm"),
    *("robber", "buy", "bought", "play", "city", "finish"),
)
"""What is met, in this order."""
LOOK = """() => {
    const panel = document.querySelector("[data-testid=tutorial]");
    const found = document.querySelector("[data-hint]");
    return panel && {
        step: panel.dataset.step ?? "", text: panel.textContent.replace(/\\s+/g, " ").trim(),
        place: found?.dataset.place ?? "", button: (found?.matches("button") && found.dataset.testid) || "",
    };
}"""


class Learner:
    """Somebody who presses what has the ring, reads on, and does nothing else."""

    def __init__(self, page: Page, fingers: Hand) -> None:
        self.page, self.hand = page, fingers
        self.met: list[str] = []
        self.texts: dict[str, str] = {}
        self.presses = 0
        self._last: object = None

    def begin(self, edition: str = "") -> None:
        """From the start page."""
        self.page.goto("/")
        if edition:
            self.page.locator("p:has([data-testid=learn]) select").select_option(edition)
        self.hand.press(self.page.get_by_test_id("learn"))
        expect(self.page.get_by_test_id("tutorial")).to_be_visible()

    def follow(self, until: str) -> None:
        """Do as the hints say, until one of them is there."""
        end = time.monotonic() + SECONDS
        while time.monotonic() < end:
            hint = self.page.evaluate(LOOK)
            step = hint["step"] if hint else ""
            if step and step not in self.met:
                self.met.append(step)
                self.texts[step] = hint["text"]
            if step == until:
                return
            try:
                self.press(hint or {})
            except Error:  # the game went on meanwhile: look again
                self.page.wait_for_timeout(50)
        raise AssertionError(f"no {until} after {SECONDS} seconds; met {self.met}")

    def press(self, hint: dict[str, str]) -> None:
        """What the hint points at, or on to the next one."""
        on = self.page.get_by_test_id("tutorial-next")
        if on.is_visible():
            self.hand.press(on)
        elif hint.get("place"):
            self.hand.choose(self.page.locator(f".spot.target[data-place='{hint['place']}']"))
        elif hint.get("button"):
            self.hand.press(self.page.get_by_test_id(hint["button"]))
        else:
            self.page.wait_for_timeout(50)
            return
        self.presses += hint != self._last  # one that came too early to be believed is no other one
        self._last = hint
        self.page.wait_for_timeout(100)


@pytest.mark.parametrize(
    ("edition", "size", "kind", "language"),
    [("sixth", DESKTOP, "mouse", "en"), ("fifth", PHONE, "finger", "de"), ("threed", DESKTOP, "keys", "en")],
)
def test_who_follows_the_hints_meets_everything_in_turn_and_builds_a_city(
    server: str, invite: Invite, edition: str, size: tuple[int, int], kind: str, language: str
) -> None:
    page = invite(server, size, has_touch=kind == "finger", locale=language, color_scheme="dark").page
    learner = Learner(page, make_hand(page, kind))
    learner.begin(edition)
    began = time.monotonic()
    for step in ("welcome", "road", "offer", "finish") if kind == "finger" else ("finish",):
        learner.follow(step)
        if kind == "finger":
            looks_well(page, least=44)
    seconds = time.monotonic() - began
    print(f"{edition}, {kind}: first city after {learner.presses} presses, {seconds:.0f} s among bots that do not wait")
    assert [step for step in learner.met if step in NEW_THINGS] == list(NEW_THINGS)
    assert learner.presses <= MOST_PRESSES
    assert "tutorial." not in " ".join(learner.texts.values()), "a text is missing"
    panel = page.get_by_test_id("tutorial")
    expect(panel).to_contain_text({"en": "Your first city stands!", "de": "Deine erste Stadt steht!"}[language])
    learner.hand.press(panel.locator("a[href*='longest-road']"))
    expect(page.get_by_role("dialog")).to_contain_text({"en": "Longest", "de": "Längste"}[language])
    page.keyboard.press("Escape")
    learner.hand.press(page.get_by_test_id("tutorial-next"))
    expect(panel).to_have_count(0)
    expect(page.get_by_test_id("sentence")).to_be_visible()
    expect(page.locator("[data-hint]")).to_have_count(0)


def test_it_can_be_left_and_the_game_goes_on_without_hints(visitor: Visitor) -> None:
    learner = Learner(visitor.page, make_hand(visitor.page, "mouse"))
    learner.begin()
    learner.follow("road")
    expect(visitor.page.locator("[data-hint]")).to_have_count(1)
    visitor.page.get_by_role("button", name="Leave the tutorial").click()
    expect(visitor.page.get_by_test_id("tutorial")).to_have_count(0)
    expect(visitor.page.locator("[data-hint]")).to_have_count(0)
    steps_left = visitor.page.get_by_test_id("tutorial-left")
    expect(steps_left).to_contain_text("You can bring them back from the menu at any time.")
    expect(visitor.page.get_by_test_id("aloud")).to_contain_text("You can bring them back from the menu at any time.")
    steps_left.get_by_role("button", name="Close").click()
    expect(steps_left).to_have_count(0)
    visitor.page.get_by_test_id("end-turn").click()
    expect(visitor.page.get_by_test_id("roll")).to_be_visible()
    visitor.page.reload()
    expect(visitor.page.get_by_test_id("roll")).to_be_visible()
    expect(visitor.page.get_by_test_id("tutorial")).to_have_count(0)
    visitor.page.get_by_test_id("menu").click()
    visitor.page.get_by_test_id("hints").click()
    expect(visitor.page.get_by_role("dialog")).to_have_count(0)  # nothing lies above them
    expect(visitor.page.get_by_test_id("tutorial")).to_be_visible()


def test_what_there_is_to_read_has_its_ring_too(visitor: Visitor) -> None:
    page = visitor.page
    learner = Learner(page, make_hand(page, "mouse"))
    learner.begin()
    ring = page.locator("[data-hint]")
    expect(ring).to_have_attribute("href", "#piece-settlement-red")
    expect(page.locator(".houses .frame").filter(visible=True)).to_have_count(1)
    expect(page.locator("[data-hint] + .frame")).to_be_visible()
    learner.follow("produced")
    expect(ring).to_have_attribute("data-testid", "hand")
    expect(ring).not_to_have_css("box-shadow", "none")
    expect(page.locator(".houses .frame").filter(visible=True)).to_have_count(0)


def test_it_is_called_what_it_is_in_the_language_of_whoever_looks(server: str, invite: Invite) -> None:
    answer = ask(server, "POST", "/api/tables", {"name": "Ann", "lesson": "first-game", "title": "First game"}).json
    page = invite(server, locale="de").page
    page.goto(f"/t/{answer['table']['id']}")
    expect(page.get_by_role("heading", level=1)).to_have_text("Erstes Spiel")
    expect(page).to_have_title("Erstes Spiel \u2013 Hexholm")


def test_it_is_among_the_own_tables_and_not_among_those_to_watch(server: str, invite: Invite) -> None:
    page = invite(server).page
    learner = Learner(page, make_hand(page, "mouse"))
    learner.begin()
    own = page.url
    page.goto("/")
    page.get_by_role("region", name="Your tables").get_by_role("link", name="First game").click()
    expect(page).to_have_url(own)
    friends.begin_table(server, ("red",), visibility="open")
    other_page = invite(server).page
    other_page.goto("/")
    watch = other_page.get_by_role("region", name="Tables to join or watch").get_by_role("link")
    expect(watch).to_have_count(1)
    expect(watch).to_contain_text("Ann")
    expect(watch).not_to_contain_text("First game")
    other_page.goto(own)
    expect(other_page.get_by_test_id("sentence")).to_be_visible()


def test_a_hint_can_be_skipped_and_one_may_do_something_else(visitor: Visitor) -> None:
    page = visitor.page
    learner = Learner(page, make_hand(page, "mouse"))
    learner.begin()
    panel = page.get_by_test_id("tutorial")
    page.get_by_test_id("roll").click()  # without reading first
    expect(panel).to_have_attribute("data-step", "produced")
    learner.follow("road")
    page.get_by_role("button", name="Skip this hint").click()
    expect(panel).to_have_attribute("data-step", "end")
    page.reload()
    expect(panel).to_have_attribute("data-step", "end")  # what was skipped stays so
    page.get_by_test_id("build-road").click()
    page.locator(".spot.target[data-place='A1/e']").click()  # another place than the hint had
    expect(page.locator("[data-piece='A1/e']")).to_have_count(1)
    expect(panel).to_have_attribute("data-step", "end")


def test_a_reload_in_the_middle_goes_on_where_it_was(visitor: Visitor) -> None:
    learner = Learner(visitor.page, make_hand(visitor.page, "mouse"))
    learner.begin()
    learner.follow("supply")
    text = visitor.page.get_by_test_id("tutorial").inner_text()
    visitor.page.reload()
    expect(visitor.page.get_by_test_id("tutorial")).to_have_attribute("data-step", "supply")
    assert visitor.page.get_by_test_id("tutorial").inner_text() == text
    learner.follow("offer")


def test_each_hint_is_heard(visitor: Visitor) -> None:
    learner = Learner(visitor.page, make_hand(visitor.page, "mouse"))
    learner.begin()
    learner.follow("road")
    live_region = visitor.page.get_by_test_id("aloud")
    for words in ("Welcome to the island.", "Roll the dice.", "The land pays.", "Build a road."):
        expect(live_region).to_contain_text(words)


def looks_well(page: Page, least: int) -> None:
    """Nothing is beyond the edge or too small to press, and axe finds nothing serious."""
    assert overflow_pixels(page) <= 0
    assert outside_window(page) == []
    assert small_targets(page, least) == []
    assert axe_faults(page) == []


def test_the_hints_fit_the_page_and_axe_finds_nothing_serious(server: str, invite: Invite) -> None:
    page = invite(server, color_scheme="light", locale="de").page
    learner = Learner(page, make_hand(page, "mouse"))
    learner.begin()
    for step in ("welcome", "road"):
        learner.follow(step)
        looks_well(page, least=24)
    assert "tutorial." not in " ".join(learner.texts.values())


def test_on_the_smallest_phone_the_hints_leave_room_for_the_board(server: str, invite: Invite) -> None:
    page = invite(server, (320, 640), has_touch=True, locale="de").page
    learner = Learner(page, make_hand(page, "finger"))
    learner.begin()
    learner.follow("settlement")
    assert overflow_pixels(page) <= 0
    assert outside_window(page) == []
