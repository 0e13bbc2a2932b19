"""Whatever happens to line or server, a page comes back to exactly the right state: by itself, and by a reload."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from contextlib import ExitStack
from typing import Any

import pytest
from playwright.sync_api import expect

from hexholm.game.dealers import Chance, Seeded
from tests.host.servers import run_server

from . import friends
from .conftest import Invite, Play
from .friends import Friend
from .host_process import Host, Line
from .page_players import PATIENCE, PageSight, Person, page_state
from .visitor import WarmingHost

pytestmark = pytest.mark.waits

GONE = "WebSocket connection to|ERR_CONNECTION_REFUSED|ERR_EMPTY_RESPONSE"
LOST = "The connection was lost"
TALL = (1440, 2600)
"""The log shows more than bots do before one is asked again."""
RESTARTED = "The server was restarted; the game goes on."


def wait_until_equal(left: Callable[[], Any], right: Callable[[], Any]) -> None:
    """Wait until two things are the same."""
    end = time.monotonic() + PATIENCE
    while left() != right():
        if time.monotonic() > end:
            assert left() == right()
        time.sleep(0.02)


def open_second_tab(person: Friend) -> Person:
    """Another tab of the same seat, loaded now."""
    page = person.visitor.open()
    page.goto(person.page.url)
    page.get_by_test_id("sentence").wait_for()
    return Person(page)


def test_a_server_that_is_killed_and_restarted_leaves_open_pages_whole(host: Host, invite: Invite) -> None:
    """While one thinks, while others play, while a command is on its way."""
    table = friends.begin_table(host.url, ("red",))
    red = table.sit(invite, "red", size=TALL)
    red.visitor.expect(GONE)
    watcher = invite(host.url)
    watcher.expect(GONE)
    watcher.page.goto(table.link())
    pages = red.page, watcher.page
    for page in pages:
        page.evaluate("window.stays = true")
    for moment in ("while one thinks", "while others play", "while a command is on its way"):
        red.play(is_done=lambda sight: sight.can("end-turn"))
        red.page.wait_for_timeout(400)  # right after an action no end of the turn is believed
        before = page_state(red)
        if moment == "while others play":
            red.press("end-turn")
        host.kill()
        for page in pages:
            expect(page.get_by_text(LOST)).to_be_visible()
        if moment == "while a command is on its way":
            red.press("end-turn")
        host.start()
        for page in pages:
            expect(page.get_by_text(LOST)).to_have_count(0)
        turn = turns(before["log"])[-1]
        if moment != "while one thinks":
            red.sees(f"Turn {turn + 1} begins")
        red.until(lambda sight: sight.asked, seconds=90)  # the bots of a server that has just started take their time
        second_tab = open_second_tab(red)
        wait_until_equal(lambda: page_state(red), lambda second_tab=second_tab: page_state(second_tab))  # type: ignore[misc]
        second_tab.page.close()
        state_after = page_state(red)
        assert RESTARTED in added_lines(before["log"], state_after["log"]), moment
        turn_numbers = turns(state_after["log"])
        assert turn_numbers == list(range(turn_numbers[0], turn_numbers[-1] + 1)), moment
        if moment == "while one thinks":
            assert {**state_after, "log": 0} == {**before, "log": 0}
    red.play(is_done=lambda sight: sight.asked and red.story.count("end-turn") >= 1)
    for page in pages:
        assert page.evaluate("window.stays"), "the page was loaded again"


def added_lines(old_log: list[str], new_log: list[str]) -> list[str]:
    """What a log says after all that it said before; of a long log the latest lines are in the page."""
    overlap = next(n for n in range(len(old_log), 0, -1) if old_log[-n:] == new_log[:n])
    return new_log[overlap:]


def turns(log: list[str]) -> list[int]:
    """The turns that a log tells of."""
    return [int(match[1]) for line in log if (match := re.match(r"Turn (\d+) begins", line))]


class Sevens:
    """Every roll is a seven; what is stolen or drawn is as the seed decides."""

    def deal(self, chance: Chance) -> int | str:
        """An outcome."""
        return "dice 3 4" if chance.kind == "dice" else Seeded(5).deal(chance)


@pytest.mark.parametrize(
    ("options", "moments"),
    [
        ({"setup": "variable", "clock": 3600}, {"settlement", "road"}),
        ({"hand_limit": 2}, {"roll", "discard", "robber", "end-turn"}),
    ],
)
def test_a_reload_at_any_moment_shows_the_same_state_and_log(
    houses: ExitStack, invite: Invite, options: dict[str, Any], moments: set[str]
) -> None:
    url = houses.enter_context(run_server(make_dealer=Sevens, bot_patience=600))
    red = friends.begin_table(url, ("red",), **options).sit(invite, "red")
    red.page.get_by_test_id("say").fill("Hello")
    red.page.get_by_test_id("say").press("Enter")
    expect(red.page.get_by_test_id("chat")).to_contain_text("Hello")
    sentences = set[str]()
    while not moments <= sentences:
        moment = moment_of(red.until(lambda sight: sight.asked))
        if moment not in sentences:  # cards that are chosen, and not given back yet, are nobody's business
            sentences.add(moment)
            red.page.locator("[data-piece=robber]").wait_for()  # the board is drawn
            before = page_state(red)
            red.page.reload()
            red.page.get_by_test_id("sentence").wait_for()
            wait_until_equal(lambda: page_state(red), lambda before=before: before)  # type: ignore[misc]
        red.step()
        assert len(red.story) < 20, f"there was no {moments - sentences}"


def test_a_reload_shows_the_last_roll_and_what_it_paid(play: Play, invite: Invite) -> None:
    red = play("dice 4 4").sit(invite, "red")
    red.does("roll")
    red.until(lambda sight: sight.can("end-turn"))
    before = page_state(red)
    assert before["rolled"]
    assert any("+" in text for text in before["players"])
    red.page.reload()
    red.page.locator("[data-piece=robber]").wait_for()
    wait_until_equal(lambda: page_state(red), lambda: before)


def moment_of(sight: PageSight) -> str:
    """What is asked: a place, or a button."""
    if sight.targets:
        return sight.targets[0]["action"].partition(" ")[0]
    return next((name for name in ("discard", "roll", "steal", "end-turn") if sight.starting(name)), "")


# --- seats ------------------------------------------------------------------------------------------------------------


def test_the_link_of_a_seat_opened_in_a_page_of_its_table_takes_the_seat(play: Play, invite: Invite) -> None:
    table = play()
    page = invite(table.url).page
    page.goto(table.link())
    page.get_by_test_id("sentence").wait_for()
    expect(page.get_by_test_id("hand-ore")).to_have_count(0)
    page.evaluate("link => { location.href = link }", table.link("red"))
    expect(page.get_by_test_id("roll")).to_be_visible()
    assert "#" not in page.url
    page.goto(table.link())
    expect(page.get_by_test_id("roll")).to_be_visible()  # the seat was kept
    page.evaluate("link => { location.href = link }", table.link("blue"))
    expect(page.get_by_test_id("sentence")).to_have_text("Waiting for Ann.")
    expect(page.get_by_test_id("hand-ore")).to_be_visible()


def test_a_link_that_opens_nothing_costs_no_seat(play: Play, invite: Invite) -> None:
    table = play()
    page = invite(table.url).page
    page.goto(table.link("red"))
    expect(page.get_by_test_id("roll")).to_be_visible()
    for link in (f"/t/{table.id}#seat=nothing", f"/t/{table.id}?again#seat=nothing"):  # in the page, and by a load
        page.goto(link)
        page.wait_for_timeout(300)
        expect(page.get_by_test_id("roll")).to_be_visible()
        assert "#" not in page.url
    stranger = invite(table.url).page
    stranger.goto(f"/t/{table.id}#seat=nothing")
    expect(stranger.get_by_role("alert")).to_contain_text("Perhaps it was cut off")
    expect(stranger.get_by_text("Your seat")).to_have_count(0)  # it never was
    stranger.get_by_role("button", name="Watch the table").click()
    expect(stranger.get_by_test_id("sentence")).to_have_text("Waiting for Ann.")
    expect(stranger.get_by_test_id("roll")).to_have_count(0)


# --- the host ---------------------------------------------------------------------------------------------------------


def test_a_host_that_gets_up_to_speed_says_so_whenever_it_was_started(
    play: Play, houses: ExitStack, invite: Invite, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = play()
    line = houses.enter_context(Line(table.url))
    visitor = invite(line.url)
    visitor.expect(f"ERR_FAILED|{GONE}")
    page = visitor.page
    host = WarmingHost(page, monkeypatch, 0.5)
    host.lost_looks = 1
    page.goto(table.link("red"))
    notice = page.get_by_text("The server is still getting up to speed")
    expect(notice).to_be_visible()  # though the first look failed
    host.set(1)
    expect(notice).to_have_count(0)
    host.set(0.5)
    line.cut()
    expect(page.get_by_text(LOST)).to_be_visible()
    line.mend()
    expect(notice).to_be_visible()
    host.set(1)
    expect(notice).to_have_count(0)


def test_two_tabs_of_one_seat_stay_in_step(server: str, invite: Invite) -> None:
    red = friends.begin_table(server, ("red",)).sit(invite, "red")
    second = open_second_tab(red)
    for tab, other_tab in ((red, second), (second, red)):
        tab.page.bring_to_front()
        tab.play(is_done=lambda sight, tab=tab: "end-turn" in tab.story and not sight.asked)  # type: ignore[misc]
        tab.story.clear()
        other_tab.until(lambda sight: sight.asked)
        wait_until_equal(lambda: page_state(red), lambda: page_state(second))
