"""Where and how people play: over plain http, with nothing kept, without motion, by ear, with fingers on a phone."""

from __future__ import annotations

import time
from contextlib import ExitStack
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from hexholm.host.web.admission.limits import Limits
from hexholm.host.web.operations.settings import Settings
from hexholm.host.wire import messages
from tests.host.servers import hear, open_socket, run_server, say

from .conftest import Invite, Play
from .friends import Friend, Table
from .page_players import PATIENCE, Person
from .visitor import DESKTOP, PHONE, Visitor

pytestmark = [pytest.mark.waits, pytest.mark.usefixtures("built")]
NAME = "island.test"
"""Leads here (chromium.FLAGS), and is no name that browsers trust without TLS, as localhost is."""


def test_everything_works_over_plain_http_in_a_local_network(houses: ExitStack, invite: Invite) -> None:
    settings = Settings(port=0, limits=Limits.none(), hosts=(NAME,))
    url = houses.enter_context(run_server(settings=settings))
    page = invite(url.replace("127.0.0.1", NAME)).page
    page.goto("/new")
    assert page.evaluate("[isSecureContext, navigator.clipboard === undefined]") == [False, True]
    page.get_by_test_id("setup").select_option("fixed")
    page.get_by_test_id("create").click()
    link = page.get_by_label("Link for friends")
    page.get_by_role("button", name="Copy").first.click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    assert page.evaluate("getSelection().toString() || document.activeElement.value") == link.input_value()
    page.get_by_test_id("fill").click()
    page.get_by_test_id("begin").click()
    person = Person(page)
    person.play(is_done=lambda sight: person.story.count("end-turn") >= 2 and sight.asked)
    page.reload()
    expect(page.get_by_test_id("hand-ore")).to_be_visible()  # the seat was kept


def test_a_page_that_may_keep_nothing_still_plays(server: str, invite: Invite) -> None:
    visitor = invite(server)
    visitor.context.add_init_script(
        "Object.defineProperty(window, 'localStorage', { get() { throw new DOMException('no', 'SecurityError'); } })"
    )
    page = visitor.page
    page.goto("/")
    page.get_by_test_id("play-now").click()
    person = Person(page)
    person.play(is_done=lambda sight: person.story.count("end-turn") >= 1 and sight.asked)


# --- motion -----------------------------------------------------------------------------------------------------------

MOVES = {
    "dice": ".dice",
    "discs": ".raised > *",
    "cards": ".flights .card",
    "pieces": "use[data-piece]",
    "robber": ".robber",
}
WATCH = """moves => {
    window.moved = new Set();
    const look = () => {
        for (const one of document.getAnimations()) {
            if (one.playState !== "running") continue;
            const target = one.effect.target;
            const known = Object.keys(moves).find(name => target.matches(moves[name]));
            window.moved.add(known ?? `${one.animationName ?? one.transitionProperty} of ${target.localName}`);
        }
        requestAnimationFrame(look);
    };
    look();
}"""
STORY = ("dice 3 3", "dice 3 4", "stolen lumber")


def parts_moved(table: Table, red: Friend) -> list[set[str]]:
    """What moves on the page: while a roll pays, while a road is built, while somebody steals."""

    def roll() -> None:
        red.does("roll")
        red.holds(lumber=2, grain=1, brick=1)

    def build() -> None:
        red.does("build-road")
        red.builds("road A1/e")

    def steal() -> None:
        table.act("blue: robber A1")
        red.holds(grain=1)

    red.page.evaluate(WATCH, MOVES)
    moved_parts = list[set[str]]()
    for act in (roll, build, steal):
        if act is steal:
            red.does("end-turn")
            table.act("blue: roll")
        red.page.wait_for_timeout(600)  # all is still again
        red.page.evaluate("window.moved.clear()")
        act()
        red.page.wait_for_timeout(300)
        moved_parts.append(set(red.page.evaluate("[...window.moved]")))
    return moved_parts


def test_dice_cards_pieces_and_the_robber_move(play: Play, invite: Invite) -> None:
    table = play(*STORY)
    roll, build, steal = parts_moved(table, table.sit(invite, "red"))
    assert roll >= {"dice", "discs", "cards"}
    assert build >= {"pieces"}
    assert steal >= {"robber", "cards"}


def test_with_reduced_motion_nothing_moves(play: Play, invite: Invite) -> None:
    table = play(*STORY)
    assert parts_moved(table, table.sit(invite, "red", reduced_motion="reduce")) == [set()] * 3


def test_motion_can_be_switched_off_in_the_menu(play: Play, invite: Invite) -> None:
    table = play(*STORY)
    red = table.sit(invite, "red")
    red.page.get_by_test_id("menu").click()
    red.page.get_by_label("Motion").select_option("off")
    red.page.keyboard.press("Escape")
    assert parts_moved(table, red) == [set()] * 3


# --- what is heard ----------------------------------------------------------------------------------------------------


def log_texts(page: Page) -> list[str]:
    """The lines that are read aloud as they come: those of live regions that programs which read a page see."""
    line = page.context.new_cdp_session(page)
    nodes = {node["nodeId"]: node for node in line.send("Accessibility.getFullAXTree")["nodes"]}
    line.detach()

    def text(node: dict[str, Any]) -> str:
        if node["role"]["value"] == "StaticText":
            return str(node["name"]["value"])
        return "".join(text(nodes[child]) for child in node.get("childIds", ()) if child in nodes)

    regions = [node for node in nodes.values() if not node["ignored"] and node["role"]["value"] == "log"]
    assert len(regions) == 1
    live = {item["name"]: item["value"].get("value") for item in regions[0]["properties"]}
    assert live["live"] == "polite"
    return [text(nodes[child]) for child in regions[0].get("childIds", ())]


@pytest.mark.parametrize("size", [PHONE, (720, 900), DESKTOP])
def test_what_happens_and_what_is_said_is_heard_whatever_is_shown(
    play: Play, invite: Invite, size: tuple[int, int]
) -> None:
    table = play("dice 4 4")
    red = table.sit(invite, "red", size=size)
    page = red.page

    def hears(text: str) -> None:
        end = time.monotonic() + PATIENCE
        while not any(text in line for line in log_texts(page)):
            assert time.monotonic() < end, (text, log_texts(page))
            page.wait_for_timeout(50)

    assert log_texts(page) == []  # of what was before nothing is said
    table.act("red: roll")
    hears("You roll 8")
    small = page.get_by_role("button", name="Log", exact=True)
    if small.is_visible():
        small.click()
    page.get_by_label("Show").filter(visible=True).select_option("trade")
    page.keyboard.press("Escape")
    table.act("red: end")
    hears("Turn 2 begins")
    page.get_by_test_id("menu").click()  # what is behind a dialog is not heard
    with open_socket(table.url, table.id, table.tokens["blue"]) as line:
        hear(line, messages.Hello)
        assert isinstance(say(line, messages.Say(id="hello", text="Good luck")), messages.Done)
    hears("Bob: Good luck")
    page.keyboard.press("Escape")
    table.act("blue: roll")
    hears("Bob rolls")
    page.reload()
    page.get_by_test_id("sentence").wait_for()
    page.wait_for_timeout(300)
    assert log_texts(page) == []


# --- looks ------------------------------------------------------------------------------------------------------------


def test_light_and_dark_follow_the_system_and_the_switch(server: str, invite: Invite) -> None:
    page = invite(server, color_scheme="dark").page
    page.goto("/")
    assert background(page) < 60, "also before the client is there"
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    assert background(page) < 60
    page.emulate_media(color_scheme="light")
    expect(page.locator("html")).to_have_attribute("data-theme", "light")
    assert background(page) > 180
    page.get_by_role("button", name="Settings").click()
    page.get_by_label("Colors").select_option("dark")
    page.reload()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    assert background(page) < 60


def background(page: Page) -> int:
    """How light the page is: 0 to 255."""
    pixels: int = page.evaluate(
        "Math.max(...getComputedStyle(document.documentElement).backgroundColor.match(/[0-9]+/g).map(Number))"
    )
    return pixels


Point = tuple[float, float]
SIGHT = """stage => {
    const { a, e, f } = new DOMMatrix(getComputedStyle(stage).transform);
    return [a, e, f];
}"""


class Fingers:
    """Fingers on a page, several at once."""

    def __init__(self, page: Page) -> None:
        self.page, self.line = page, page.context.new_cdp_session(page)

    def move(self, *ways: tuple[Point, Point]) -> None:
        """Put fingers down, draw each from one point to another, and lift them all."""
        for step in range(6):
            at = [(a + (c - a) * step / 5, b + (d - b) * step / 5) for (a, b), (c, d) in ways]
            self._touch("touchMove" if step else "touchStart", at)
        self._touch("touchEnd", [])

    def tap_twice(self, point: Point) -> None:
        """As quickly as people do."""
        for _ in range(2):
            self.move((point, point))
            self.page.wait_for_timeout(40)

    def _touch(self, kind: str, points: list[Point]) -> None:
        touch_points = [{"x": x, "y": y, "id": i} for i, (x, y) in enumerate(points)]
        self.line.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touch_points})


def test_a_phone_enlarges_moves_and_fits_the_board_by_fingers(play: Play, invite: Invite) -> None:
    table = play(setup="variable", people=("red",))
    red = table.sit(invite, "red", "finger", PHONE, has_touch=True, is_mobile=True)
    stage, fingers = red.page.locator(".stage"), Fingers(red.page)
    box = red.page.locator(".sea").bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    def sight() -> tuple[float, float, float]:
        red.page.wait_for_timeout(250)  # it comes to rest
        scale, right, down = stage.evaluate(SIGHT)
        return scale, right, down

    assert sight() == (1, 0, 0)
    fingers.move(((x - 30, y), (x - 75, y)), ((x + 30, y), (x + 75, y)))
    scale, right, down = sight()
    assert 2 < scale < 3
    assert right < -100  # what was between the fingers still is
    fingers.move(((x, y), (x + 50, y + 30)))
    sight_after = sight()
    assert sight_after[0] == scale
    assert (40 < sight_after[1] - right <= 50, 20 < sight_after[2] - down <= 30) == (True, True)
    assert not red.see().waiting  # a finger that moves the board chooses no place
    red.page.get_by_role("button", name="The whole board").tap()
    assert sight() == (1, 0, 0)
    corner = (box["x"] + 12, box["y"] + 12)  # at sea, where no place is
    fingers.tap_twice(corner)
    assert sight()[0] == 2
    fingers.tap_twice(corner)
    assert sight() == (1, 0, 0)
    red.page.get_by_role("button", name="Zoom in").tap()
    assert sight()[0] > 1


def test_the_kit_shows_every_player_by_a_shape_of_their_own(visitor: Visitor) -> None:
    visitor.page.goto("/")
    visitor.page.locator("#mark-red").wait_for(state="attached")
    shapes = visitor.page.evaluate(
        """() => ["red", "blue", "white", "orange"].map(color =>
            [...document.getElementById(`mark-${color}`).querySelectorAll("*")].map(one => one.tagName
                + ["d", "r", "points", "width", "height"].map(name => one.getAttribute(name)).join()).join())"""
    )
    assert len(set(shapes)) == 4
