"""From the first page to a table: one's own, a friend's, a new one as one wants it, the last one again, a past one."""

from __future__ import annotations

import json
import re

import pytest
from playwright.sync_api import Page, Route, expect

from . import friends
from .conftest import Invite
from .page_players import Person
from .visitor import WarmingHost

pytestmark = pytest.mark.waits


def test_the_start_page_leads_to_own_tables_and_those_of_others(server: str, invite: Invite) -> None:
    table = friends.begin_table(server, ("red",), visibility="open")
    friends.begin_table(server, ("red",))  # which is found by its link alone
    page = invite(server).page
    page.goto("/")
    page.get_by_role("link", name="Watch").click()
    expect(page).to_have_url(f"{server}/t/{table.id}")
    page.goto("/")
    page.get_by_test_id("play-now").click()
    expect(page.get_by_test_id("hand-ore")).to_be_visible()
    own = page.url
    page.get_by_role("link", name="Hexholm").click()
    page.get_by_role("region", name="Your tables").get_by_role("link").click()
    expect(page).to_have_url(own)
    expect(page.get_by_test_id("hand-ore")).to_be_visible()


def test_a_past_game_is_found_again_and_replayed(server: str, invite: Invite) -> None:
    page = invite(server).page
    page.goto("/")
    page.get_by_test_id("play-now").click()
    page.get_by_test_id("sentence").wait_for()
    page.get_by_test_id("menu").click()
    page.get_by_test_id("end").click()
    page.get_by_test_id("end").click()
    page.get_by_role("dialog", name="The game is over").wait_for()
    expect(page.locator(".notices")).not_to_contain_text("asks to end the game")  # that is granted
    page.goto("/")
    past = page.get_by_role("region", name="Past games")
    expect(past).to_contain_text("no winner")
    past.get_by_role("link").click()
    expect(page.get_by_test_id("caption")).to_be_visible()


def test_a_lost_link_is_no_lost_seat(server: str, invite: Invite) -> None:
    page = invite(server).page
    page.goto("/")
    page.get_by_test_id("play-now").click()
    page.get_by_test_id("hand-ore").wait_for()
    page.evaluate("localStorage.clear()")
    page.reload()
    expect(page.get_by_test_id("hand-ore")).to_be_visible()


def test_the_new_table_has_the_board_of_the_preview(server: str, invite: Invite) -> None:
    page = invite(server).page
    page.goto("/new")
    page.locator(".picture svg").wait_for()
    first = hexes(page)
    page.get_by_test_id("reroll").click()
    for _ in range(100):
        if hexes(page) != first:
            break
        page.wait_for_timeout(20)
    chosen_hexes = hexes(page)
    assert chosen_hexes != first
    page.get_by_test_id("create").click()
    page.get_by_test_id("fill").click()
    page.locator(".picture").wait_for()
    assert sorted(hexes(page, "decodeURIComponent(document.querySelector('.picture').src)")) == sorted(chosen_hexes)


def hexes(page: Page, drawing: str = "document.querySelector('.picture').innerHTML") -> list[str]:
    """What lies where on a drawn board."""
    classes: list[str] = re.findall(r'class="(hex [^"]*"[^>]*)transform', page.evaluate(drawing))
    assert len(classes) == 19
    return classes


def test_a_zip_table_for_four_begins_and_is_played(server: str, invite: Invite) -> None:
    page = invite(server).page
    page.goto("/new")
    page.get_by_test_id("edition").select_option("zip")
    page.get_by_test_id("create").click()
    page.get_by_test_id("fill").click()
    page.get_by_test_id("begin").click()
    expect(page.locator(".spot[data-action]").first).to_be_attached()
    expect(page.locator("[data-testid^=player-]")).to_have_count(4)
    person = Person(page)
    person.play(is_done=lambda sight: person.story.count("end-turn") >= 3 and sight.can("roll"))
    pieces_shown = page.locator("[data-piece]:not([data-piece=robber])")
    assert pieces_shown.count() >= 16  # everybody's first pieces at least, in the colors of this edition
    hrefs = pieces_shown.evaluate_all("all => all.map(one => one.getAttribute('href').split('-').pop())")
    assert set(hrefs) == {"black", "blue", "green", "red"}


def test_as_last_time_begins_the_same_again(server: str, invite: Invite) -> None:
    page = invite(server).page
    page.goto("/new")
    for color in ("blue", "white", "orange"):
        page.get_by_test_id(f"seat-{color}").select_option("easy")
    page.locator("summary").click()
    page.get_by_test_id("option-points_to_win").select_option("5")
    page.get_by_test_id("create").click()
    expect(page.get_by_test_id("begin")).to_be_enabled()
    page.goto("/")
    expect(page.get_by_text("You are Red.")).to_be_visible()
    page.get_by_role("button", name="Same as last time").click()
    expect(page.get_by_test_id("sentence")).to_be_visible()
    expect(page.get_by_text("Points to win: 5")).to_be_visible()


def test_while_the_host_warms_up_the_table_is_open_and_says_how_far_it_is(
    server: str, invite: Invite, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = invite(server).page
    host = WarmingHost(page, monkeypatch, 0.42)
    page.goto("/")
    page.get_by_test_id("play-now").click()
    expect(
        page.get_by_text("The server is still getting up to speed: 42%. Until then, bots think less.")
    ).to_be_visible()
    expect(page.get_by_test_id("sentence")).to_be_visible()
    host.set(0.9)
    expect(page.get_by_text("getting up to speed: 90%")).to_be_visible()
    host.set(1)
    expect(page.get_by_text("getting up to speed")).to_have_count(0)


def test_the_notice_of_a_host_that_warms_up_covers_nothing_and_can_be_closed(
    server: str, invite: Invite, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = invite(server, (360, 640)).page
    host = WarmingHost(page, monkeypatch, 0)
    page.goto("/")
    page.get_by_test_id("play-now").click()
    notice = page.get_by_text("getting up to speed: 0%")
    expect(notice).to_be_visible()
    assert notice.evaluate("notice => getComputedStyle(notice).position") == "static"  # has its own room on the page
    sentence, place = page.get_by_test_id("sentence").bounding_box(), notice.bounding_box()
    assert sentence is not None
    assert place is not None
    assert place["y"] >= sentence["y"] + sentence["height"]  # below the board and what is asked
    notice.get_by_role("button", name="Close").click()
    expect(notice).to_have_count(0)
    looks = host.looks
    while host.looks == looks:  # the page looks again every three seconds
        page.wait_for_timeout(100)
    expect(page.get_by_text("getting up to speed")).to_have_count(0)


def test_two_play_by_a_house_rule_that_is_chosen_by_their_number(server: str, invite: Invite) -> None:
    page = invite(server).page
    page.goto("/new")
    players = page.get_by_test_id("players")
    expect(players.get_by_role("option")).to_have_text(["2 (house rule)", "3", "4"])
    players.select_option("2")
    expect(page.get_by_text("None of the books has a game for two.")).to_be_visible()
    expect(page.get_by_test_id("seat-white")).to_have_count(0)
    page.get_by_test_id("create").click()
    expect(page.get_by_role("region", name="House rules of this table")).to_contain_text("Two players")


def test_the_speed_of_bots_is_asked_where_the_host_lets_them_play(server: str, invite: Invite) -> None:
    page = invite(server).page

    def editions(route: Route) -> None:
        body = route.fetch().json()
        barred = [{"name": "host"}, {"name": "dice", "bots": False}, {"name": "people"}]
        route.fulfill(json={**body, "chances": barred})

    page.goto("/new")
    pace = page.get_by_label("Speed of the bots")
    for chance, question_count in (("host", 1), ("people", 0), ("dice", 1)):
        page.get_by_test_id(f"chance-{chance}").check()
        expect(pace).to_have_count(question_count)
    page.route("**/api/editions", editions)
    page.reload()
    for chance, question_count in (("host", 1), ("dice", 0), ("people", 1)):
        page.get_by_test_id(f"chance-{chance}").check()
        expect(pace).to_have_count(question_count)


def test_a_printed_map_is_called_by_its_number(server: str, invite: Invite) -> None:
    page = invite(server).page
    page.goto("/new")
    expect(page.get_by_text(re.compile(r"^Board number \d+$"))).to_be_visible()
    page.get_by_test_id("edition").select_option("zip")
    page.get_by_test_id("option-map").select_option("23")
    expect(page.get_by_text("Map 23 of the pad")).to_be_visible()


def test_a_fair_board_has_its_score_and_why_and_is_the_one_of_the_table(server: str, invite: Invite) -> None:
    page = invite(server).page
    page.goto("/new")
    with page.expect_response(re.compile("/api/boards/preview.*fair=true")) as answer:
        page.get_by_test_id("fair").check()
    body = answer.value.json()
    fairness = page.get_by_test_id("fairness")
    expect(fairness).to_contain_text(f"{body['fairness']['score']} of 100 points, the fairest of 100 boards")
    for part in body["fairness"]["parts"]:
        expect(fairness.get_by_role("meter", name=part["name"].capitalize())).to_have_attribute(
            "value", str(part["points"])
        )
    expect(page.get_by_text(f"Board number {body['seed']}")).to_be_visible()
    page.get_by_test_id("setup").select_option("fixed")
    expect(page.get_by_test_id("fair")).to_have_count(0)  # there is nothing to choose from
    page.get_by_test_id("setup").select_option("variable")
    with page.expect_request(
        lambda request: request.method == "POST" and request.url.endswith("/api/tables")
    ) as request_info:
        expect(fairness).to_be_visible()
        seed = page.get_by_text(re.compile(r"^Board number \d+$")).inner_text().rpartition(" ")[2]
        page.get_by_test_id("create").click()
    assert json.loads(request_info.value.post_data or "")["board_seed"] == int(seed)


def test_the_way_on_is_in_sight_without_scrolling(server: str, invite: Invite) -> None:
    page = invite(server).page
    page.goto("/new")
    page.get_by_test_id("fair").check()
    page.get_by_test_id("fairness").wait_for()
    expect(page.get_by_test_id("create")).to_be_in_viewport(ratio=1)
