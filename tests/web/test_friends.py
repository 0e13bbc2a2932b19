"""Friends at one table, each in a browser of their own."""

from __future__ import annotations

import json
import re
from contextlib import ExitStack
from dataclasses import replace

import pytest
from playwright.sync_api import Page, WebSocket, expect

from hexholm.host.wire import messages

from . import friends
from .conftest import Invite, Play
from .friends import Friend
from .host_process import Line

pytestmark = pytest.mark.waits

STORY = ("dice 4 4", "dice 1 1", "dice 3 4", "stolen wool")
"""Red gets lumber, blue lumber, white ore; then red wool; then a seven."""


def sit_down(page: Page, link: str, name: str, color: str) -> None:
    page.goto(link)
    page.get_by_test_id("name").fill(name)
    page.get_by_test_id(f"sit-{color}").click()
    expect(page.get_by_test_id(f"seat-{color}")).to_contain_text(re.compile(f"{name}.*you"))


def test_friends_meet_by_a_link_sit_down_and_begin(server: str, invite: Invite) -> None:
    ann = invite(server).page
    ann.goto("/new")
    ann.get_by_label("Your name").fill("Ann")
    ann.get_by_test_id("setup").select_option("fixed")
    ann.get_by_test_id("create").click()
    link = ann.get_by_label("Link for friends").input_value()
    assert link == ann.url
    expect(ann.get_by_test_id("begin")).to_be_disabled()
    hand_texts = {}
    for color, name in (("blue", "Bob"), ("white", "Cid"), ("orange", "Dan")):
        hand_texts[color] = invite(server).page
        sit_down(hand_texts[color], link, name, color)
        expect(ann.get_by_test_id(f"seat-{color}")).to_contain_text(name)
    bob = hand_texts["blue"]
    expect(bob.get_by_test_id("begin")).to_have_count(0)  # a guest sets up nothing,
    expect(bob.get_by_role("combobox")).to_have_count(0)
    expect(bob.get_by_role("button", name="Remove from the seat")).to_have_count(0)
    expect(bob.get_by_role("button", name="Sit here")).to_have_count(0)  # and holds one seat
    hand_texts["orange"].get_by_role("button", name="Leave the seat").click()
    expect(ann.get_by_label("Who plays Orange").locator("option:checked")).to_have_text("Free seat")
    expect(bob.get_by_test_id("seat-orange")).to_contain_text("Free seat")
    expect(ann.get_by_test_id("begin")).to_be_disabled()
    hand_texts["orange"].get_by_test_id("sit-orange").click()
    expect(ann.get_by_test_id("seat-orange")).to_contain_text("Dan")
    ann.get_by_test_id("begin").click()
    for page in (ann, *hand_texts.values()):
        expect(page.get_by_test_id("sentence")).to_be_visible()
        expect(page.get_by_test_id("player-orange")).to_contain_text("Dan")
        expect(page.locator("[data-testid^=hand-]")).to_have_count(5)


def test_offers_are_answered_countered_and_proposed_out_of_turn(play: Play, invite: Invite) -> None:
    table = play(*STORY)
    red, blue, white, orange = (table.sit(invite, color) for color in friends.FOUR)
    red.does("roll")
    red.holds(lumber=3, grain=1)
    # an offer to everybody; who cannot say yes is told why
    red.does("trade", "give-lumber", "want-brick", "send-offer")
    accept_button = orange.page.get_by_test_id("accept-1")
    expect(accept_button).to_have_attribute("aria-disabled", "true")
    accept_button.hover()
    expect(orange.page.get_by_role("tooltip").filter(visible=True)).to_contain_text(
        "You do not hold what offer 1 asks for"
    )
    orange.does("reject-1")
    white.does("reject-1")
    flags = red.page.get_by_test_id("offer-1").locator(".flags li")
    expect(flags).to_have_text([re.compile("thinking.*Blue"), re.compile("no.*White"), re.compile("no.*Orange")])
    # a counter-offer begins as the offer was, and is changed
    blue.does("counter-1")
    expect(blue.page.get_by_test_id("give-brick")).to_contain_text("1")
    expect(blue.page.get_by_test_id("want-lumber")).to_contain_text("1")
    expect(blue.page.get_by_test_id("send-offer")).to_have_attribute("aria-disabled", "true")
    blue.page.get_by_role("button", name="Take back one lumber").last.click()
    blue.does("want-grain", "send-offer")
    offer = red.page.locator("[data-testid^=offer-]")
    expect(offer).to_have_count(1)
    expect(offer).to_contain_text("Blue")
    number = offer.get_attribute("data-testid").rpartition("-")[2]  # type: ignore[union-attr]
    red.does(f"accept-{number}")
    red.holds(lumber=3, brick=1)
    blue.holds(lumber=2, grain=1, ore=1)
    white.sees("Bob gives Ann 1 brick for 1 grain")
    # two say yes; the one who offers chooses
    red.does("trade", "give-lumber", "want-ore", "send-offer")
    blue.does("accept-1")
    white.does("accept-1")
    orange.does("reject-1")
    red.does("confirm-1-white")
    red.holds(lumber=2, brick=1, ore=1)
    white.holds(lumber=2, wool=1, ore=1)
    blue.holds(lumber=2, grain=1, ore=1)
    red.does("build-road")
    red.builds("road A1/e")
    red.holds(lumber=1, ore=1)
    red.does("end-turn")
    # out of turn one proposes to the one whose turn it is
    blue.does("roll")
    orange.does("trade", "give-grain", "want-lumber")
    expect(orange.page.get_by_role("group", name="To", exact=True)).to_have_count(0)
    orange.does("send-offer")
    for friend in (red, white):
        expect(friend.page.locator("[data-testid^=accept-]")).to_have_count(0)
    expect(blue.page.locator("[data-testid^=offer-]")).to_contain_text("Orange")
    blue.does("accept-1")
    orange.holds(lumber=1, grain=1, ore=1)
    blue.holds(lumber=1, grain=2, ore=1)


def test_a_seven_goes_on_when_somebody_is_gone_and_they_come_back_to_the_right_state(
    play: Play, houses: ExitStack, invite: Invite
) -> None:
    table = play("dice 3 4", "stolen grain", hand_limit=2, away_after=1.0, begin=False)
    red, white, orange = (table.sit(invite, color) for color in ("red", "white", "orange"))
    line = houses.enter_context(Line(table.url))
    blue = replace(table, url=line.url).sit(invite, "blue")
    blue.visitor.expect("WebSocket connection to|ERR_EMPTY_RESPONSE|ERR_CONNECTION")
    red.does("begin", "roll")
    white.does("discard-lumber", "discard")
    # blue's line is cut; a bot stands in, so nobody waits for ever
    line.cut()
    expect(red.page.get_by_test_id("player-blue")).to_contain_text("not connected")
    expect(blue.page.get_by_text("The connection was lost")).to_be_visible()
    red.does("discard-lumber", "discard")
    orange.does("discard-grain", "discard")
    expect(red.page.get_by_test_id("player-blue")).to_contain_text("away; a bot is playing")
    red.sees("Bob discards")
    red.until(lambda sight: len(sight.targets) == 18)
    # back: the page goes on by itself, with everything that was missed
    line.mend()
    expect(red.page.get_by_test_id("player-blue")).not_to_contain_text("away")
    expect(blue.page.get_by_text("The connection was lost")).to_have_count(0)
    blue.until(lambda sight: sum(sight.hand.values()) == 2)
    blue.sees("You discard")
    assert lines(blue, "discards?") == lines(red, "discards?")
    # the robber, on the board, and whom to steal from
    red.builds(next(target["action"] for target in red.see().targets if "orange" in target["name"]))
    expect(orange.page.get_by_text("steals")).not_to_have_count(0)


def lines(friend: Friend, pattern: str) -> int:
    """How many lines of the log fit."""
    return len(re.findall(pattern, friend.page.get_by_test_id("log").inner_text()))


def test_one_who_watches_sees_no_hand_and_has_nothing_to_press(play: Play, invite: Invite) -> None:
    table = play(*STORY)
    red = table.sit(invite, "red")
    watcher = invite(table.url)
    frames: list[str] = []

    def listen(socket: WebSocket) -> None:
        socket.on("framereceived", lambda frame: frames.append(str(frame)))

    watcher.page.on("websocket", listen)
    watcher.page.goto(table.link())
    expect(watcher.page.get_by_test_id("sentence")).to_be_visible()
    expect(red.page.get_by_text("1 person watching")).to_be_visible()
    expect(watcher.page.get_by_text(re.compile("(person|people) watching"))).to_have_count(0)  # it is oneself
    second = invite(table.url)
    second.page.goto(table.link())
    expect(watcher.page.get_by_text("1 other person watching")).to_be_visible()
    expect(red.page.get_by_text("2 people watching")).to_be_visible()
    red.does("roll")
    expect(watcher.page.get_by_test_id("log")).to_contain_text("Ann")
    red.does("trade", "give-lumber", "want-brick", "send-offer")
    expect(watcher.page.get_by_test_id("player-red")).to_contain_text("4")
    for name in ("hand-lumber", "roll", "end-turn", "trade", "build-road", "say", "discard"):
        expect(watcher.page.get_by_test_id(name)).to_have_count(0)
    expect(watcher.page.locator(".spot[data-action]")).to_have_count(0)
    messages = [json.loads(message) for message in frames]
    views = [message["projection"]["view"] for message in messages if message.get("projection")]
    assert len(views) > 2
    assert not [view for view in views if {"hand", "development", "new"} & view.keys()]
    assert all(isinstance(player["hand"], int) for view in views for player in view["players"])


def test_what_is_said_is_heard_by_all_as_plain_text_and_can_be_muted(play: Play, invite: Invite) -> None:
    table = play(visibility="open", spectators_speak=True)
    red, blue = (table.sit(invite, color) for color in ("red", "blue"))
    watcher = invite(table.url)
    watcher.page.goto(table.link())
    red.page.get_by_test_id("say").fill("<b>wool</b> & {who}?")
    red.page.keyboard.press("Enter")
    for page in (red.page, blue.page, watcher.page):
        expect(page.get_by_test_id("chat")).to_have_text("Ann <b>wool</b> & {who}?")
    blue.page.get_by_test_id("menu").click()
    blue.page.get_by_role("listitem").filter(has_text="Ann").get_by_role("button", name="Mute").click()
    blue.page.keyboard.press("Escape")
    red.page.get_by_test_id("say").fill("anybody?")
    red.page.keyboard.press("Enter")
    expect(watcher.page.get_by_test_id("chat")).to_contain_text("anybody?")
    blue.page.get_by_test_id("say").fill("hm")
    blue.page.keyboard.press("Enter")
    expect(blue.page.get_by_test_id("chat")).to_contain_text("hm")
    expect(blue.page.get_by_test_id("chat")).not_to_contain_text("anybody?")


def test_on_a_slow_line_a_remark_is_said_once_and_the_next_one_stays_in_the_field(
    play: Play, invite: Invite, houses: ExitStack
) -> None:
    table = play()
    line = houses.enter_context(Line(table.url, delay=0.25))
    page = replace(table, url=line.url).sit(invite, "red").page
    field, talk = page.get_by_test_id("say"), page.get_by_test_id("chat")
    field.fill("anybody?")
    for _ in range(2):
        field.press("Enter")  # twice, as one does when nothing seems to happen
    field.fill("I have wo")
    expect(talk.get_by_text("anybody?")).to_have_count(1)
    expect(field).to_have_value("I have wo")
    page.wait_for_timeout(600)  # a second remark would have come by now
    expect(talk.get_by_text("anybody?")).to_have_count(1)


def test_whoever_reads_what_was_said_before_is_left_there(play: Play, invite: Invite) -> None:
    table = play()
    red = table.sit(invite, "red")
    talk = red.page.get_by_test_id("chat")

    def from_the_end() -> float:
        return float(talk.evaluate("one => one.scrollHeight - one.scrollTop - one.clientHeight"))

    for number in range(14):
        text = f"remark {number}" + " and so on" * 20
        table.send("blue" if number % 2 else "white", messages.Say(id=f"say{number}", text=text))
    expect(talk.get_by_text("remark 13")).to_be_in_viewport()
    assert from_the_end() < 2
    talk.evaluate("one => one.scrollTo(0, 0)")
    expect(talk.get_by_text("remark 0 ")).to_be_in_viewport()
    table.send("blue", messages.Say(id="late", text="one more"))
    expect(talk.get_by_text("one more")).to_have_count(1)
    page_frames(red.page)
    assert from_the_end() > 100
    red.page.get_by_test_id("say").fill("here I am")
    red.page.get_by_test_id("say").press("Enter")
    expect(talk.get_by_text("here I am")).to_be_in_viewport()


def page_frames(page: Page) -> None:
    """Two frames: whatever was about to scroll has scrolled."""
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")


def test_the_drawings_are_fetched_once_whatever_changes_at_the_table(play: Play, invite: Invite) -> None:
    table = play()
    visitor = invite(table.url)
    kits: list[str] = []
    visitor.page.on("request", lambda request: kits.append(request.url) if "kit.svg" in request.url else None)
    visitor.page.goto(table.link("red"))
    visitor.page.get_by_test_id("sentence").wait_for()
    for number in range(3):
        table.send("blue", messages.Rename(id=f"rename{number}", name=f"Bob {number}"))
        expect(visitor.page.get_by_test_id("player-blue")).to_contain_text(f"Bob {number}")
    assert len(kits) == 1
