"""Every page and every situation at the table: on all screens, in light and dark, for everybody, in both languages."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.host.servers import ask

from .conftest import Invite
from .page_players import Person
from .situations import SITUATIONS, Scene, run_situations_server
from .visitor import DESKTOP, PHONE, ROOT, axe_faults, outside_window, overflow_pixels, small_targets

SCREENS = [(320, 640), (390, 844), (820, 1180), (1000, 700), (1440, 900), (3840, 2160)]
ZOOMED = [(720, 450), (640, 400), (410, 590), (320, 256)]
"""What is left of screens for a page at 200 %; of one of 1280 x 1024 at 400 %."""
pytestmark = [pytest.mark.waits, pytest.mark.usefixtures("built")]
Stage = Callable[[str], tuple[str, Scene]]


@pytest.fixture(scope="module")
def stage(built: None) -> Iterator[Stage]:
    """Makes a situation when it is first asked for; all on one server."""
    scenes: dict[str, Scene] = {}
    with run_situations_server() as url:

        def call(name: str) -> tuple[str, Scene]:
            if name not in scenes:
                scenes[name] = SITUATIONS[name](url)
            return url, scenes[name]

        yield call


def open_page(stage: Stage, invite: Invite, name: str, *size: tuple[int, int], **context: Any) -> Page:
    """A page in a situation."""
    url, scene = stage(name)
    visitor = invite(url, *size, **context)
    if name == "missing":
        visitor.expect("status of 404")
    scene.show(Person(visitor.page))
    return visitor.page


# Opening a page takes most of the time: each situation is opened twice, and all is looked at there.


@pytest.fixture(scope="module", params=SITUATIONS)
def name(request: pytest.FixtureRequest) -> str:
    """The situations one after the other, so that each is made once."""
    return str(request.param)


def test_axe_finds_nothing_serious_in_light_and_dark_and_it_fits_every_screen(
    stage: Stage, invite: Invite, name: str
) -> None:
    page = open_page(stage, invite, name, color_scheme="dark", reduced_motion="reduce")  # no color is on its way
    assert axe_faults(page) == []
    page.emulate_media(color_scheme="light")
    expect(page.locator("html")).to_have_attribute("data-theme", "light")
    page.wait_for_load_state("networkidle")  # drawings in other colors
    assert axe_faults(page) == []
    fits(page, name)


def fits(page: Page, name: str) -> None:
    """Nothing is beyond the edge, on any screen and at twice the size."""
    for width, height in (*SCREENS, *ZOOMED):
        page.set_viewport_size({"width": width, "height": height})
        for _ in range(20):  # what measures the window follows it a few frames later
            page.evaluate("new Promise(requestAnimationFrame)")
            if overflow_pixels(page) <= 0:
                break
        assert overflow_pixels(page) <= 0, f"{name} is {overflow_pixels(page)} px too wide at {width} x {height}"
        assert outside_window(page) == [], f"{name} at {width} x {height}"


def test_on_the_smallest_phone_two_digits_stay_on_the_card_of_a_player(stage: Stage, invite: Invite) -> None:
    page = open_page(stage, invite, "end", reduced_motion="reduce")
    page.set_viewport_size({"width": 320, "height": 640})
    page.evaluate(
        """document.querySelectorAll(".facts > span").forEach((one) => {
             for (const node of one.childNodes) if (node.nodeType === 3 && /[0-9]/.test(node.data)) node.data = "12";
           })"""
    )
    beside_each_other = page.evaluate(
        """[...document.querySelectorAll(".facts > span")]
             .map((one) => one.getBoundingClientRect().right - one.closest("li").getBoundingClientRect().right)"""
    )
    assert len(beside_each_other) == 16
    assert max(beside_each_other) <= 0


def test_it_is_made_for_fingers_on_a_phone_and_no_english_is_left_in_german(
    stage: Stage, invite: Invite, name: str
) -> None:
    page = open_page(stage, invite, name, PHONE, has_touch=True, is_mobile=True, locale="de-DE")
    assert overflow_pixels(page) <= 0
    assert small_targets(page, 44) == []
    assert axe_faults(page) == []
    expect(page.locator("html")).to_have_attribute("lang", "de")
    german(page)
    page.set_viewport_size({"width": DESKTOP[0], "height": DESKTOP[1]})
    page.wait_for_function("innerWidth >= 1000")
    page.evaluate("new Promise(requestAnimationFrame)")
    german(page)


# --- a phone at the table ---------------------------------------------------------------------------------------------

SEEN_AT = """(one, share) => {
    const { left, top, width, height } = one.getBoundingClientRect();
    const found = document.elementFromPoint(left + width / 2, top + height * share);
    return one.contains(found);
}"""
"""Whether something is in sight there, and nothing lies on it."""


def test_no_sheet_covers_the_middle_of_the_board_nor_an_offer_what_others_say(stage: Stage, invite: Invite) -> None:
    page = open_page(stage, invite, "offer", PHONE, has_touch=True, is_mobile=True)
    for width, height in ((390, 844), (320, 568), (820, 1180), (844, 390)):
        page.set_viewport_size({"width": width, "height": height})
        board = page.locator(".sea")
        for opener in ("open-build", "open-cards", "open-chat", "open-log"):
            page.get_by_test_id(opener).tap()
            dialog = page.locator("dialog[open]")
            dialog.wait_for()
            sheet, sea = dialog.bounding_box(), board.bounding_box()
            assert sheet is not None
            assert sea is not None
            beside_each_other = sheet["x"] > sea["x"] + sea["width"] / 2
            assert beside_each_other or sheet["y"] > sea["y"] + sea["height"] / 2, (opener, width, height)
            dialog.locator(".close").tap()
            dialog.wait_for(state="hidden")
        if height < 560:
            continue  # the page beside the board is moved to what one wants to see
        page.get_by_test_id("trade").tap()
        page.get_by_test_id("give-grain").tap()
        for name, share in ((".sea", 0.5), ("[data-testid=sentence]", 0.5), ("[data-testid=offer-1]", 0.1)):
            assert page.locator(name).evaluate(SEEN_AT, share), (name, width, height)
        page.get_by_test_id("trade").tap()


def test_the_name_of_the_game_is_whole_on_the_smallest_phone(stage: Stage, invite: Invite) -> None:
    page = open_page(stage, invite, "offer", (320, 640), locale="de-DE", has_touch=True, is_mobile=True)
    assert page.get_by_role("link", name="Hexholm").evaluate("one => one.scrollWidth <= one.clientWidth")


# --- the end ----------------------------------------------------------------------------------------------------------


def test_the_charts_show_what_was_counted(stage: Stage, invite: Invite) -> None:
    page = open_page(stage, invite, "end")
    url, scene = stage("end")
    path, _, token = scene.address.partition("#seat=")
    summary_path = f"/api/tables/{path.rpartition('/')[2]}/summary"
    summary = ask(url, "GET", summary_path, Authorization=f"Bearer {token}").json
    sums = summary["dice"]["sums"]
    assert sum(roll_line["rolled"] for roll_line in sums) == summary["dice"]["rolls"] > 10
    figure = page.locator("dialog[open] figure").filter(has=page.get_by_role("heading", name=re.compile("^Dice:")))
    expect(figure.get_by_role("heading")).to_have_text(f"Dice: {summary['dice']['rolls']} rolls")
    expect(figure.locator("svg .count")).to_have_text([str(roll_line["rolled"]) for roll_line in sums])
    figure.get_by_role("button", name="As a table").click()
    expect(figure.locator("tbody tr th")).to_have_text([str(roll_line["total"]) for roll_line in sums])
    expect(figure.locator("tbody tr td:nth-child(2)")).to_have_text([str(roll_line["rolled"]) for roll_line in sums])
    scores = page.locator("dialog[open] table").first.locator("tbody tr")
    expect(scores).to_have_count(4)


# --- German -----------------------------------------------------------------------------------------------------------

SEEN = """() => {
    const found = new Set();
    const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walk.nextNode()) {
        const { data, parentElement } = walk.currentNode;
        if (!parentElement.closest("script, style, #kit, input")) found.add(data.trim());
    }
    for (const one of document.querySelectorAll("[aria-label], [title], [placeholder]")) {
        for (const name of ["aria-label", "title", "placeholder"]) found.add(one.getAttribute(name) ?? "");
    }
    return [...found].filter(Boolean);
}"""
SLOT = re.compile(r"\{\w+(?::\w+)?\}")
KEY = re.compile(r"\b[a-z]+\.[a-z]+(_[a-z]+)*\b")


def texts(data: Any) -> Iterator[str]:
    """All texts in a file of words."""
    if isinstance(data, str):
        yield data
    elif isinstance(data, dict):
        for value in data.values():
            yield from texts(value)
    elif isinstance(data, list):
        for value in data:
            yield from texts(value)


def words(language: str) -> set[str]:
    """All texts of a language that say something of their own: of the pages, and of the game."""
    texts_found = set[str]()
    folders = (ROOT / "web/src/words/data", ROOT / "src/hexholm/rules/language/data")
    for path in (path for folder in folders for path in folder.rglob(f"{language}.toml")):
        data = tomllib.loads(path.read_text(encoding="utf-8"))
        texts_found |= {text for text in texts(data) if len(re.findall(r"[a-zA-Z]", SLOT.sub("", text))) > 3}
    return texts_found


def pattern(text: str) -> re.Pattern[str]:
    """Fits what a text becomes when its slots are filled."""
    return re.compile("(.+)".join(re.escape(part) for part in SLOT.split(text)))


ENGLISH = [pattern(text) for text in sorted(words("en") - words("de") - {"English"})]  # what the language calls itself


def german(page: Page) -> None:
    """No English is left, and no name of a text."""
    visible_texts = page.evaluate(SEEN)
    assert len(visible_texts) > 2
    assert [text for text in visible_texts if KEY.fullmatch(text)] == []
    assert [text for text in visible_texts if any(english.fullmatch(text) for english in ENGLISH)] == []


def test_the_language_changes_on_the_spot_and_stays(stage: Stage, invite: Invite) -> None:
    page = open_page(stage, invite, "roll")
    expect(page.get_by_role("heading", name="What happened")).to_be_visible()
    assert len([text for text in page.evaluate(SEEN) if any(english.fullmatch(text) for english in ENGLISH)]) > 10
    page.get_by_test_id("menu").click()
    page.get_by_label("Language").select_option("de")
    page.keyboard.press("Escape")
    expect(page.get_by_role("heading", name="What happened")).to_have_count(0)
    assert not [text for text in page.evaluate(SEEN) if any(english.fullmatch(text) for english in ENGLISH)]
    page.goto("/")
    expect(page.locator("html")).to_have_attribute("lang", "de")
    expect(page.get_by_test_id("play-now")).to_have_text("Jetzt spielen")
