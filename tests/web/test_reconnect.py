"""Whatever happens to line or server, a page comes back to exactly the right state: by itself, and by a reload."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from contextlib import ExitStack
from typing import Any

import pytest
from playwright.sync_api import Route, expect

from hexholm.game.dealers import Chance, Seeded
from tests.host.servers import running

from . import friends
from .conftest import Invite, Play
from .friends import Friend
from .hosts import Host, Line
from .people import PATIENCE, Person, Sight, whole

GONE = "WebSocket connection to|ERR_CONNECTION_REFUSED|ERR_EMPTY_RESPONSE"
LOST = "The connection is lost"
TALL = (1440, 2600)
"""The log shows more than bots do before one is asked again."""
RESTARTED = "The host was restarted; the game goes on."


def same(one: Callable[[], Any], other: Callable[[], Any]) -> None:
    """Wait until two things are the same."""
    end = time.monotonic() + PATIENCE
    while one() != other():
        if time.monotonic() > end:
            assert one() == other()
        time.sleep(0.02)


def another(person: Friend) -> Person:
    """Another tab of the same seat, loaded now."""
    page = person.visitor.open()
    page.goto(person.page.url)
    page.get_by_test_id("sentence").wait_for()
    return Person(page)


def test_a_server_that_is_killed_and_restarted_leaves_open_pages_whole(host: Host, invite: Invite) -> None:
    """While one thinks, while others play, while a command is on its way."""
    table = friends.begun(host.url, ("red",))
    red = table.sit(invite, "red", size=TALL)
    red.visitor.expect(GONE)
    watcher = invite(host.url)
    watcher.expect(GONE)
    watcher.page.goto(table.link())
    pages = red.page, watcher.page
    for page in pages:
        page.evaluate("window.stays = true")
    for moment in ("while one thinks", "while others play", "while a command is on its way"):
        red.play(done=lambda sight: sight.can("end-turn"))
        red.page.wait_for_timeout(400)  # right after an action no end of the turn is believed
        before = whole(red)
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
        again = another(red)
        same(lambda: whole(red), lambda again=again: whole(again))  # type: ignore[misc]
        again.page.close()
        now = whole(red)
        assert RESTARTED in after(before["log"], now["log"]), moment
        told = turns(now["log"])
        assert told == list(range(told[0], told[-1] + 1)), moment
        if moment == "while one thinks":
            assert {**now, "log": 0} == {**before, "log": 0}
    red.play(done=lambda sight: sight.asked and red.story.count("end-turn") >= 1)
    for page in pages:
        assert page.evaluate("window.stays"), "the page was loaded again"


def after(before: list[str], now: list[str]) -> list[str]:
    """What a log says after all that it said before; of a long log the latest lines are in the page."""
    known = next(n for n in range(len(before), 0, -1) if before[-n:] == now[:n])
    return now[known:]


def turns(log: list[str]) -> list[int]:
    """The turns that a log tells of."""
    return [int(found[1]) for line in log if (found := re.match(r"Turn (\d+) begins", line))]


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
    url = houses.enter_context(running(dealer=Sevens, bot_patience=600))
    red = friends.begun(url, ("red",), **options).sit(invite, "red")
    red.page.get_by_test_id("say").fill("Hello")
    red.page.get_by_test_id("say").press("Enter")
    expect(red.page.get_by_test_id("chat")).to_contain_text("Hello")
    seen = set[str]()
    while not moments <= seen:
        moment = moment_of(red.until(lambda sight: sight.asked))
        if moment not in seen:  # cards that are chosen, and not given back yet, are nobody's business
            seen.add(moment)
            red.page.locator("[data-piece=robber]").wait_for()  # the board is drawn
            before = whole(red)
            red.page.reload()
            red.page.get_by_test_id("sentence").wait_for()
            same(lambda: whole(red), lambda before=before: before)  # type: ignore[misc]
        red.step()
        assert len(red.story) < 20, f"there was no {moments - seen}"


def test_a_reload_shows_the_last_roll_and_what_it_paid(play: Play, invite: Invite) -> None:
    red = play("dice 4 4").sit(invite, "red")
    red.does("roll")
    red.until(lambda sight: sight.can("end-turn"))
    before = whole(red)
    assert before["rolled"]
    assert any("+" in one for one in before["players"])
    red.page.reload()
    red.page.locator("[data-piece=robber]").wait_for()
    same(lambda: whole(red), lambda: before)


def moment_of(sight: Sight) -> str:
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
    play: Play, houses: ExitStack, invite: Invite
) -> None:
    table = play()
    line = houses.enter_context(Line(table.url))
    visitor = invite(line.url)
    visitor.expect(f"ERR_FAILED|{GONE}")
    page = visitor.page
    asked, warming = 0, True

    def answer(route: Route) -> None:
        nonlocal asked
        asked += 1
        if asked == 1:
            route.abort()
        else:
            route.fulfill(json={"warming": warming})

    page.route("**/api/statistics", answer)
    page.goto(table.link("red"))
    notice = page.get_by_text("The host is still getting up to speed")
    expect(notice).to_be_visible()  # though the first look failed
    warming = False
    expect(notice).to_have_count(0)
    warming = True
    line.cut()
    expect(page.get_by_text(LOST)).to_be_visible()
    line.mend()
    expect(notice).to_be_visible()
    warming = False
    expect(notice).to_have_count(0)


def test_two_tabs_of_one_seat_stay_in_step(server: str, invite: Invite) -> None:
    red = friends.begun(server, ("red",)).sit(invite, "red")
    second = another(red)
    for tab, other in ((red, second), (second, red)):
        tab.page.bring_to_front()
        tab.play(done=lambda sight, tab=tab: "end-turn" in tab.story and not sight.asked)  # type: ignore[misc]
        tab.story.clear()
        other.until(lambda sight: sight.asked)
        same(lambda: whole(red), lambda: whole(second))
