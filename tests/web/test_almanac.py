"""The almanac in the browser: found by search, read in an edition's words, opened from the table without leaving it."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from . import friends
from .conftest import Invite, Play
from .input_devices import Keys
from .visitor import PHONE, far_side

pytestmark = pytest.mark.waits

LOADED = "performance.getEntriesByType('resource').map(one => one.name).filter(name => /Almanac/.test(name))"


def entry(page: Page) -> Locator:
    """The entry that is read."""
    return page.get_by_test_id("rules-entry")


def panel(page: Page) -> Locator:
    """The almanac beside the page."""
    return page.get_by_test_id("rules-panel")


@pytest.fixture
def table_page(server: str, invite: Invite) -> Page:
    """The page of red, who is to roll, at a table of the fifth edition."""
    page = invite(server).page
    page.goto(friends.begin_table(server, ("red",)).link("red"))
    page.get_by_test_id("roll").wait_for()
    return page


# --- the page ---------------------------------------------------------------------------------------------------------


def test_the_start_page_leads_to_it_and_it_is_loaded_only_then(page: Page) -> None:
    page.goto("/")
    page.get_by_test_id("play-now").wait_for()
    assert page.evaluate(LOADED) == []
    page.get_by_test_id("rules").click()
    expect(page).to_have_url(re.compile("/rules$"))
    expect(entry(page).get_by_role("heading", level=1)).to_have_text("The game in eleven steps")
    assert page.evaluate(LOADED) != []


def test_it_is_searched_while_one_types_and_the_keys_lead_to_what_was_found(page: Page) -> None:
    page.goto("/rules?edition=sixth")
    search = page.get_by_test_id("rules-search")
    search.press_sequentially("tied roa")
    first = page.get_by_test_id("rules-hits").get_by_role("link").first
    expect(first).to_contain_text("Longest Route")
    expect(page.get_by_role("status").filter(has_text="found")).to_have_count(1)
    search.press("ArrowDown")
    expect(first).to_be_focused()
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(r"/rules/longest-road\?edition=sixth&block=\d+$"))
    expect(entry(page).get_by_role("heading", level=1)).to_be_focused()
    expect(entry(page).locator(".meant")).to_be_in_viewport()
    search.fill("xyzzy quux")
    expect(page.get_by_text("Nothing found.")).to_be_visible()


def test_the_edition_can_be_changed_and_the_address_names_it(page: Page) -> None:
    page.goto("/rules/longest-road?edition=sixth")
    heading = entry(page).get_by_role("heading", level=1)
    expect(heading).to_have_text("Longest Route")
    page.get_by_test_id("rules-edition").focus()
    page.get_by_test_id("rules-edition").select_option("fifth")
    expect(heading).to_have_text("Longest Road")
    expect(page).to_have_url(re.compile(r"/rules/longest-road\?edition=fifth$"))
    expect(page.get_by_test_id("rules-edition")).to_be_focused()
    page.go_back()
    expect(heading).to_have_text("Longest Route")


def test_an_entry_has_its_drawings_tables_links_and_rules(page: Page) -> None:
    page.goto("/rules/longest-road?edition=zip")
    picture = entry(page).get_by_role("img", name="Picture: A road is broken")
    picture.scroll_into_view_if_needed()
    page.wait_for_function("one => one.complete && one.naturalWidth > 0", arg=picture.element_handle())
    expect(entry(page)).to_contain_text("LROAD-08")
    entry(page).get_by_role("navigation", name="See also").get_by_role("link", name="Roads").click()
    expect(entry(page).get_by_role("heading", level=1)).to_have_text("Roads")
    page.goto("/rules/building-costs?edition=zip")
    expect(entry(page).get_by_role("row", name="Road 1 brick and 1 wood")).to_be_visible()
    page.goto("/rules/dice-odds")
    expect(entry(page).get_by_role("row", name="7 6 17%")).to_be_visible()


def test_the_id_of_a_rule_leads_to_the_words_that_explain_it(page: Page) -> None:
    page.goto("/rules/LROAD-08?edition=fifth")
    expect(entry(page).get_by_role("heading", level=1)).to_have_text("Longest Road")
    expect(entry(page).locator(".meant").first).to_contain_text("The holder keeps the award")
    expect(entry(page).locator(".meant").first).to_be_in_viewport()


def test_two_editions_stand_side_by_side(page: Page) -> None:
    page.goto("/rules?edition=fifth")
    page.get_by_role("link", name="Compare editions").click()
    page.get_by_test_id("compare-second").select_option("zip")
    expect(page).to_have_url(re.compile("edition=fifth&with=zip"))
    rows = page.get_by_test_id("rules-compare").get_by_role("row")
    expect(rows.filter(has_text="Most roads")).to_contain_text("15")
    expect(rows.filter(has_text="Most roads")).to_contain_text("no limit")
    expect(rows.filter(has_text="Points to win")).to_have_count(0)
    page.get_by_test_id("compare-all").check()
    expect(rows.filter(has_text="Points to win")).to_have_count(1)
    page.get_by_test_id("compare-first").select_option("zip")  # the other one takes its place
    expect(page).to_have_url(re.compile("edition=zip&with=fifth"))


def test_an_entry_that_is_not_there_is_told_so(server: str, invite: Invite) -> None:
    guest = invite(server, locale="de-DE")
    guest.expect("status of 404")
    guest.page.goto("/rules/longest-rode")
    expect(guest.page.get_by_role("alert")).to_contain_text("longest-road")


def test_on_a_phone_the_list_and_the_entry_take_turns(server: str, invite: Invite) -> None:
    page = invite(server, PHONE, has_touch=True, is_mobile=True, locale="de-DE").page
    page.goto("/rules?edition=zip")
    page.get_by_role("link", name="Räuber", exact=True).tap()
    expect(entry(page).get_by_role("heading", level=1)).to_have_text("Räuber")
    expect(page.get_by_test_id("rules-search")).to_be_hidden()
    page.get_by_role("link", name="Alle Themen").tap()
    expect(page.get_by_test_id("rules-search")).to_be_visible()
    expect(entry(page)).to_be_hidden()


# --- beside the table -------------------------------------------------------------------------------------------------


def test_a_key_opens_it_beside_the_table_and_back_leads_to_the_table(table_page: Page) -> None:
    table_page.evaluate("window.same = true")
    address = table_page.url
    table_page.get_by_test_id("roll").focus()
    table_page.keyboard.press("?")
    panel(table_page).get_by_role("link", name="Robber", exact=True).click()
    expect(entry(table_page).get_by_role("heading", level=1)).to_be_focused()
    entry(table_page).get_by_role("link", name="knight").first.click()
    expect(entry(table_page).get_by_role("heading", level=1)).to_have_text(re.compile("Knight"))
    table_page.go_back()
    expect(entry(table_page).get_by_role("heading", level=1)).to_have_text("Robber")
    expect(table_page).to_have_url(address)
    table_page.keyboard.press("Escape")
    expect(panel(table_page)).to_have_count(0)
    expect(table_page.get_by_test_id("roll")).to_be_focused()
    table_page.keyboard.press("?")
    panel(table_page).get_by_test_id("rules-back").click()
    expect(panel(table_page)).to_have_count(0)
    table_page.get_by_test_id("roll").click()
    expect(table_page.get_by_test_id("end-turn")).to_be_visible()
    assert table_page.evaluate("window.same") is True  # it was never loaded anew
    assert table_page.url == address


def test_it_is_in_the_words_of_the_table_and_in_its_menu(table_page: Page) -> None:
    table_page.get_by_test_id("rules").click()
    expect(table_page.get_by_test_id("rules-edition")).to_have_value("fifth")
    table_page.get_by_role("button", name="Close", exact=True).click()
    table_page.get_by_test_id("menu").click()
    table_page.get_by_test_id("menu-rules").click()
    expect(panel(table_page)).to_be_visible()
    expect(table_page.get_by_role("dialog", name="Menu")).to_be_hidden()


def test_it_speaks_of_what_the_table_plays_by_and_of_the_book_in_another_edition(server: str, invite: Invite) -> None:
    page = invite(server).page
    page.goto(friends.begin_table(server, ("red",), points_to_win=12).link("red"))
    page.get_by_test_id("roll").wait_for()
    page.keyboard.press("?")
    panel(page).get_by_test_id("rules-search").fill("ending the game")
    panel(page).get_by_test_id("rules-hits").get_by_role("link").first.click()
    expect(entry(page)).to_contain_text("If you have 12 or more points")
    expect(entry(page)).to_contain_text("house rule of this table; the book says 10")
    panel(page).get_by_role("link", name="All topics").click()
    panel(page).get_by_test_id("rules-edition").select_option("sixth")
    panel(page).get_by_test_id("rules-search").fill("who wins")
    panel(page).get_by_test_id("rules-hits").get_by_role("link").first.click()
    expect(entry(page)).not_to_contain_text("this table")


def test_a_button_that_cannot_be_pressed_leads_to_its_rule_by_mouse_and_by_key(table_page: Page) -> None:
    button = table_page.get_by_test_id("build-city")
    button.hover()
    table_page.locator(".bubble.shown").get_by_role("link", name="Read the rule").click()
    expect(entry(table_page).locator(".meant").first).to_be_in_viewport()
    heading = entry(table_page).get_by_role("heading", level=1).inner_text()
    table_page.keyboard.press("Escape")
    expect(panel(table_page)).to_have_count(0)
    table_page.mouse.move(5, 5)
    button.focus()
    table_page.keyboard.press("Shift+Tab")
    table_page.keyboard.press("Tab")
    table_page.keyboard.press("?")
    expect(entry(table_page).get_by_role("heading", level=1)).to_have_text(heading)
    table_page.keyboard.press("Escape")
    expect(button).to_be_focused()


def test_where_no_single_key_is_heard_the_rule_of_a_button_is_reached_by_tab(table_page: Page) -> None:
    button = table_page.get_by_test_id("build-city")
    link = table_page.locator(".bubble.shown").get_by_role("link", name="Read the rule")
    table_page.get_by_test_id("build-settlement").focus()
    table_page.keyboard.press("Tab")
    expect(button).to_be_focused()  # no further stop where there is a key
    table_page.set_viewport_size({"width": 720, "height": 450})  # as at 200 %: the buttons are in a sheet
    table_page.get_by_test_id("open-build").press("Enter")
    Keys(table_page).go(button)
    expect(link).to_be_visible()
    table_page.keyboard.press("Tab")
    expect(link).to_be_focused()
    table_page.keyboard.press("Enter")
    expect(entry(table_page).locator(".meant").first).to_be_in_viewport()
    table_page.keyboard.press("Escape")
    table_page.keyboard.press("Escape")
    expect(table_page.locator("dialog[open]")).to_have_count(0)
    table_page.set_viewport_size({"width": 1440, "height": 900})
    table_page.get_by_test_id("menu").click()
    table_page.get_by_label("Keyboard shortcuts").uncheck()
    table_page.keyboard.press("Escape")
    Keys(table_page).go(button)
    expect(link).to_be_visible()
    table_page.keyboard.press("Tab")
    expect(link).to_be_focused()
    table_page.keyboard.press("Shift+Tab")
    expect(button).to_be_focused()
    table_page.keyboard.press("Escape")
    expect(link).to_have_count(0)


def test_a_refusal_leads_to_its_rule(table_page: Page) -> None:
    table_page.get_by_test_id("menu").click()
    table_page.get_by_label("Line for typed commands").check()
    table_page.keyboard.press("Escape")
    table_page.get_by_test_id("command").fill("end")
    table_page.keyboard.press("Enter")
    trouble = table_page.get_by_test_id("trouble")
    expect(trouble).to_be_visible()
    trouble.get_by_role("link", name="Read the rule").click()
    expect(entry(table_page).locator(".meant").first).to_be_in_viewport()


def test_terms_of_the_log_lead_to_their_entries(table_page: Page) -> None:
    log = table_page.get_by_test_id("log")
    term = log.get_by_role("link", name="robber").first
    term.click()
    expect(entry(table_page).get_by_role("heading", level=1)).to_have_text("Robber")
    table_page.keyboard.press("Escape")
    expect(panel(table_page)).to_have_count(0)
    log.focus()
    table_page.keyboard.press("ArrowRight")
    expect(log.get_by_role("link", name="Fifth Edition (2015)")).to_be_focused()
    table_page.keyboard.press("ArrowRight")
    expect(term).to_be_focused()
    table_page.keyboard.press("Enter")
    expect(entry(table_page).get_by_role("heading", level=1)).to_have_text("Robber")


def test_every_line_of_the_log_leads_to_the_rules_and_no_name_does(
    play: Play, invite: Invite, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(friends.NAMES, "blue", "Robber")
    red = play("dice 4 6").sit(invite, "red")
    red.does("roll")
    lines = red.page.get_by_test_id("log").locator("p")
    expect(lines.filter(has_text="You roll 10").get_by_role("link", name="roll")).to_be_visible()
    assert all(line.get_by_role("link").count() for line in lines.all())
    robber_lines = lines.filter(has_text="Robber").filter(has_text="play.")
    expect(robber_lines.get_by_role("link", name="robber")).to_have_text("robber")


def test_a_seven_in_the_roll_for_the_start_does_not_lead_to_what_a_seven_does(play: Play, invite: Invite) -> None:
    start = ("dice 3 4", *["dice 1 1"] * 3)
    red = play(*start, "dice 3 4", first="roll").sit(invite, "red")
    red.does("roll")
    sevens = red.page.get_by_test_id("log").locator("p").filter(has_text="You roll 7")
    expect(sevens).to_have_count(2)
    expect(sevens.last.get_by_role("link", name="7")).to_have_attribute("href", re.compile("/rules/rolling-a-7"))
    expect(sevens.first.get_by_role("link")).to_have_attribute("href", re.compile("/rules/set-up-phase"))


def test_a_place_that_cannot_be_chosen_leads_to_its_rule(play: Play, invite: Invite) -> None:
    red = play(setup="variable", people=("red",)).sit(invite, "red")
    red.builds("settlement B2se")
    red.until(lambda sight: any(target["action"].startswith("road") for target in sight.targets))
    red.page.mouse.move(*far_side(red.page))
    red.page.locator(".told").get_by_role("link", name="Read the rule").click()
    expect(entry(red.page).locator(".meant").first).to_contain_text("SETUP-11")


def test_on_a_phone_it_covers_the_table_and_the_browser_goes_back(server: str, invite: Invite) -> None:
    page = invite(server, PHONE, has_touch=True, is_mobile=True).page
    page.goto(friends.begin_table(server, ("red",)).link("red"))
    page.get_by_test_id("menu").tap()
    page.get_by_test_id("menu-rules").tap()
    panel(page).get_by_role("link", name="Trade", exact=True).tap()
    entry(page).wait_for()
    box = panel(page).bounding_box()
    assert box is not None
    assert [box["width"], box["height"]] == list(PHONE)
    page.go_back()
    page.go_back()
    expect(panel(page)).to_have_count(0)
    expect(page.get_by_test_id("roll")).to_be_visible()


def test_a_finger_comes_from_a_refusal_to_its_rule_and_back(play: Play, invite: Invite) -> None:
    page = play().sit(invite, "red", "finger", PHONE, has_touch=True, is_mobile=True).page
    page.get_by_test_id("open-build").tap()
    page.get_by_test_id("build-city").tap(force=True)  # it counts as disabled
    link = page.locator(".bubble.shown").get_by_role("link", name="Read the rule")
    box = link.bounding_box()
    assert box is not None
    assert box["height"] >= 44
    link.tap()
    expect(entry(page).locator(".meant").first).to_be_in_viewport()
    page.go_back()
    expect(panel(page)).to_have_count(0)
    expect(page.get_by_role("dialog", name="Build")).to_be_visible()  # as it was left
