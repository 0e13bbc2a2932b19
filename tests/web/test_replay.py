"""A finished game by its link: every moment of it, through any eyes."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from .conftest import Invite
from .input_devices import Keys
from .situations import SITUATIONS, run_situations_server

pytestmark = [pytest.mark.waits, pytest.mark.usefixtures("built")]


@pytest.fixture(scope="module")
def server_and_replay(built: None) -> Iterator[tuple[str, str]]:
    """A server and the address of a replay on it, at its beginning."""
    with run_situations_server() as url:
        yield url, SITUATIONS["replay"](url).address.replace("?step=60", "")


@pytest.fixture
def replay(server_and_replay: tuple[str, str], invite: Invite) -> Page:
    """The replay, opened."""
    url, address = server_and_replay
    page = invite(url).page
    page.goto(address)
    page.get_by_test_id("caption").wait_for()
    return page


def step(page: Page) -> int:
    """At which step the replay is."""
    match = re.search(r"Step (\d+) of", page.locator(".where").inner_text())
    assert match is not None
    return int(match[1])


def pieces(page: Page) -> int:
    """How many pieces are on the board."""
    return page.locator("[data-piece]:not([data-piece=robber])").count()


def test_terms_of_the_moment_lead_to_the_almanac_and_back(replay: Page) -> None:
    replay.get_by_role("button", name="One step forward").click()
    replay.get_by_test_id("caption").get_by_role("link", name="settlement").first.click()
    dialog = replay.get_by_role("dialog")
    expect(dialog.get_by_role("heading", name="Settlement").first).to_be_visible()
    replay.go_back()
    expect(dialog).to_have_count(0)
    assert step(replay) == 1
    replay.get_by_test_id("rules").click()
    expect(replay.get_by_role("dialog").get_by_role("searchbox")).to_be_visible()


def test_it_goes_step_by_step_turn_by_turn_and_to_both_ends(replay: Page) -> None:
    button = replay.get_by_role("group", name="Steps").get_by_role("button", name=re.compile(""), exact=False)
    assert button.count() == 7
    assert step(replay) == 0
    expect(replay.get_by_role("button", name="One step back")).to_be_disabled()
    replay.get_by_role("button", name="One step forward").click()
    expect(replay.locator("[data-piece]:not([data-piece=robber])")).to_have_count(1)
    replay.get_by_role("button", name="To the end").click()
    expect(replay.get_by_role("button", name="One step forward")).to_be_disabled()
    expect(replay.get_by_test_id("caption")).to_contain_text("wins")
    last = step(replay)
    expect(replay.locator("[data-piece]").nth(17)).to_be_attached()
    replay.get_by_role("button", name="One turn back").click()
    expect(replay.get_by_test_id("caption")).to_contain_text("begins")
    assert step(replay) < last
    replay.get_by_role("button", name="To the beginning").click()
    expect(replay.locator("[data-piece]:not([data-piece=robber])")).to_have_count(0)


def test_it_plays_and_stops(replay: Page) -> None:
    replay.get_by_label("Speed").select_option(index=3)
    replay.get_by_role("button", name="Play").click()
    expect(replay.locator(".where")).not_to_contain_text("Step 0 ")
    replay.get_by_role("button", name="Stop").click()
    at = step(replay)
    replay.wait_for_timeout(500)
    assert step(replay) == at


def test_the_address_names_the_moment_and_the_eyes(replay: Page) -> None:
    replay.get_by_test_id("eyes").select_option("blue")
    replay.get_by_test_id("timeline").fill("40")
    replay.wait_for_url(re.compile(r"step=40.*eyes=blue|eyes=blue.*step=40"))
    caption, built_pieces = replay.get_by_test_id("caption").inner_text(), pieces(replay)
    replay.reload()
    expect(replay.get_by_test_id("caption")).to_have_text(caption)
    expect(replay.locator("[data-piece]:not([data-piece=robber])")).to_have_count(built_pieces)
    assert step(replay) == 40
    expect(replay.get_by_test_id("eyes")).to_have_value("blue")


def test_it_shows_what_the_chosen_eyes_saw(replay: Page) -> None:
    replay.get_by_test_id("timeline").fill("60")
    for eyes, open_hands in (("referee", 4), ("blue", 1), ("public", 0)):
        replay.get_by_test_id("eyes").select_option(eyes)
        expect(replay.locator("[data-testid^=held-]")).to_have_count(open_hands)


def test_it_is_steered_by_keys_and_by_the_list_of_what_happened(replay: Page) -> None:
    for key, at in (("ArrowRight", 1), ("ArrowRight", 2), ("ArrowLeft", 1), ("Home", 0)):
        replay.keyboard.press(key)
        expect(replay.locator(".where")).to_contain_text(f"Step {at} ")
    replay.get_by_test_id("steps").get_by_role("link", name=re.compile("^Turn 3:")).click()
    expect(replay.get_by_test_id("caption")).to_contain_text("Turn 3 begins")
    Keys(replay).go(replay.get_by_test_id("timeline"))


def test_on_the_smallest_phone_nothing_covers_what_happened(server_and_replay: tuple[str, str], invite: Invite) -> None:
    url, address = server_and_replay
    page = invite(url, (320, 640), has_touch=True, locale="de").page
    page.goto(address)
    page.get_by_test_id("caption").wait_for()
    lines = 0
    for at in range(0, 60, 4):
        page.get_by_test_id("timeline").fill(str(at))
        expect(page.locator(".where")).to_contain_text(f" {at} ")
        caption, dock = (page.locator(name).bounding_box() for name in (".sentence", ".dock"))
        assert caption is not None
        assert dock is not None
        assert caption["y"] + caption["height"] <= dock["y"], f"step {at} is covered"
        lines = max(lines, round(caption["height"] / 20))
    assert lines > 3, "no step has a long sentence, so nothing was tried"


def test_a_game_that_is_not_over_leads_to_its_table(server_and_replay: tuple[str, str], invite: Invite) -> None:
    url, _ = server_and_replay
    scene = SITUATIONS["roll"](url)
    page = invite(url).page
    page.goto(scene.address.partition("#")[0].replace("/t/", "/replay/"))
    expect(page.get_by_role("main")).to_contain_text("This game is not over yet.")
    page.get_by_role("link", name="To the table").click()
    expect(page.get_by_test_id("sentence")).to_be_visible()


def test_it_has_the_house_rules_and_the_title_of_the_edition_in_the_language(
    server_and_replay: tuple[str, str], invite: Invite
) -> None:
    url, address = server_and_replay
    page = invite(url, locale="de-DE").page
    page.goto(address)
    expect(page.get_by_role("heading", level=1)).to_have_text("Nachspielen Sechste Ausgabe (2025)")
    expect(page).to_have_title("Nachspielen \u2013 Sechste Ausgabe (2025) \u2013 Hexholm")
    expect(page.get_by_role("region", name="Hausregeln an diesem Tisch")).to_contain_text("Punkte zum Sieg: 8")
