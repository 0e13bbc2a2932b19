"""What a page says and shows beside the game: links, reasons, signs in words, places of the log, offers of before."""

from __future__ import annotations

import json
import re
from contextlib import ExitStack
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, Route, WebSocketRoute, expect

from hexholm.bots import TABLE_BOTS, bot_kind
from hexholm.rules.setup.editions import DEFAULT_EDITION
from tests.host.servers import ask

from . import friends
from .conftest import Invite, Play
from .input_devices import Keys
from .page_players import RESOURCES
from .situations import SITUATIONS, run_situations_server
from .visitor import PHONE

pytestmark = pytest.mark.waits

STORY = ("dice 4 4",)


def bubble(page: Page) -> Locator:
    """The words that explain something now."""
    return page.locator(".bubble").filter(visible=True)


@pytest.mark.parametrize(
    ("edition", "language", "question", "offer_text"),
    [
        ("zip", "en", "Draw your first settlement.", "Draw a settlement: "),
        ("zip", "de", "Zeichne deine erste Siedlung.", "Siedlung zeichnen: "),
        ("sixth", "en", "Place your first settlement.", "Place a settlement: "),
    ],
)
def test_the_sentence_and_the_place_have_the_same_verb(
    play: Play, invite: Invite, edition: str, language: str, question: str, offer_text: str
) -> None:
    red = play(setup="variable", edition=edition, people=("red",), first=3 if edition == "zip" else 0)
    page = red.sit(invite, "red", "finger", PHONE, has_touch=True, locale=language).page
    expect(page.get_by_test_id("sentence")).to_have_text(question)
    place = page.locator(".spot[data-action='settlement B2se']")
    expect(place).to_have_attribute("aria-label", re.compile(f"^{offer_text}"))
    place.tap()
    expect(page.get_by_test_id("sure")).to_have_attribute(
        "aria-label", offer_text.replace(" a ", " ").removesuffix(": ")
    )


# --- the one who set up a table ---------------------------------------------------------------------------------------


def set_up_and_watch(page: Page) -> None:
    """A table on which the one who sets it up has no seat."""
    page.goto("/new")
    page.get_by_test_id("seat-red").select_option("")
    expect(page.get_by_text("I will only watch")).to_be_visible()
    page.get_by_test_id("create").click()
    page.get_by_test_id("begin").wait_for()


def test_who_set_up_a_table_without_a_seat_does_not_end_the_game_of_those_who_play(server: str, invite: Invite) -> None:
    page = invite(server).page
    set_up_and_watch(page)
    ann = invite(server).page
    ann.goto(page.url)
    ann.get_by_test_id("sit-red").click()
    page.get_by_test_id("fill").click()
    page.get_by_test_id("begin").click()
    page.get_by_test_id("sentence").wait_for()
    page.get_by_test_id("menu").click()
    expect(page.get_by_test_id("absence-rule")).to_be_visible()
    for what in ("pause", "end", "kick-red"):
        expect(page.get_by_test_id(what)).to_have_count(0)
    ann.get_by_test_id("menu").click()
    ann.get_by_role("button", name="Pause the game").click()
    ann.keyboard.press("Escape")
    expect(page.get_by_test_id("sentence")).to_have_text("The game is paused.")
    page.keyboard.press("Escape")
    page.get_by_test_id("go-on").click()
    expect(ann.get_by_test_id("sentence")).not_to_have_text("The game is paused.")


def test_a_table_that_is_closed_before_its_game_says_so(server: str, invite: Invite) -> None:
    page = invite(server).page
    set_up_and_watch(page)
    guest = invite(server).page
    guest.goto(page.url)
    guest.get_by_test_id("sit-red").wait_for()
    page.get_by_test_id("menu").click()
    for _ in range(2):
        page.get_by_test_id("end").click()
    for each_page in (page, guest):
        expect(each_page.get_by_text("This table was closed before its game began.")).to_be_visible()
    guest.reload()  # it belongs to the one who set it up
    expect(guest.get_by_role("alert")).to_contain_text("belongs to its players")
    page.reload()
    expect(page.get_by_text("This table was closed before its game began.")).to_be_visible()
    page.goto("/")
    expect(page.get_by_role("region", name="Past games")).to_contain_text("never began")


def test_the_own_seat_is_opened_on_another_device_by_its_link(play: Play, invite: Invite) -> None:
    table = play()
    red = table.sit(invite, "red")
    red.page.get_by_test_id("menu").click()
    link = red.page.get_by_label("Open your seat on another device").input_value()
    phone = invite(table.url, PHONE, has_touch=True, is_mobile=True).page
    phone.goto(link)
    expect(phone.get_by_test_id("hand-lumber")).to_be_visible()
    red.page.keyboard.press("Escape")
    red.does("roll")


# --- a new table ------------------------------------------------------------------------------------------------------


def test_seats_stay_when_the_edition_changes(server: str, invite: Invite) -> None:
    page = invite(server).page
    page.goto("/new")
    expect(page.get_by_test_id("edition")).to_have_value(DEFAULT_EDITION)
    seats = page.locator("form ul select")
    seats.nth(0).select_option("")
    seats.nth(1).select_option("me")
    seats.nth(2).select_option(TABLE_BOTS[0])
    expect(page.locator("form")).to_contain_text(bot_kind(TABLE_BOTS[0]).summary, ignore_case=True)
    page.get_by_test_id("edition").select_option("zip")  # whose colors are others
    expect(page.get_by_test_id("seat-white")).to_have_count(0)
    for seat, player in enumerate(("", "me", TABLE_BOTS[0], "")):
        expect(seats.nth(seat)).to_have_value(player)


def test_a_seat_can_be_given_to_every_player_that_comes_with_hexholm(server: str, invite: Invite) -> None:
    page = invite(server).page
    page.goto("/new")
    seat = page.locator("form ul select").nth(2)
    expect(seat.locator("option", has_text=" bot")).to_have_text([f"{name.capitalize()} bot" for name in TABLE_BOTS])
    seat.select_option("random")
    expect(page.locator("form")).to_contain_text("Makes any legal move; good for trying things out.")


def test_play_now_takes_the_edition_of_the_command_line_and_the_first_players_of_the_house(page: Page) -> None:
    page.goto("/")
    page.get_by_test_id("play-now").click()
    page.get_by_test_id("hand-ore").wait_for()
    origin, _, path = page.url.partition("/t/")
    table = ask(origin, "GET", f"/api/tables/{path}").json["table"]
    assert table["edition"] == DEFAULT_EDITION
    assert [seat.get("player") for seat in table["seats"]] == [None, *[TABLE_BOTS[0]] * 3]


# --- signs in words ---------------------------------------------------------------------------------------------------


def test_the_signs_of_a_player_are_explained_on_hover_focus_and_a_long_press(play: Play, invite: Invite) -> None:
    table = play()
    red = table.sit(invite, "red")
    card = red.page.get_by_test_id("player-blue")
    card.hover()
    expect(bubble(red.page)).to_contain_text(re.compile(r"Bob \(Blue\)\s*2 points\s*3 resource cards"))
    red.page.mouse.move(700, 400)
    expect(bubble(red.page)).to_have_count(0)
    Keys(red.page).go(card.get_by_role("group", name="Bob (Blue)"))
    expect(bubble(red.page)).to_contain_text("knights played: 0")
    red.page.keyboard.press("Escape")
    expect(bubble(red.page)).to_have_count(0)
    phone = table.sit(invite, "white", "finger", PHONE, has_touch=True, is_mobile=True).page
    phone.get_by_test_id("player-blue").tap()
    expect(bubble(phone)).to_contain_text("Bob (Blue)")


def test_nothing_is_explained_by_a_title_alone(play: Play, invite: Invite) -> None:
    red = play().sit(invite, "red")
    assert red.page.locator("[title]").count() == 0


def test_a_place_in_the_log_is_shown_on_the_board(play: Play, invite: Invite) -> None:
    table = play()
    red = table.sit(invite, "red")
    log, shown_marks = red.page.get_by_test_id("log"), red.page.locator("[data-highlighted]")
    place = log.locator("mark").last
    place.hover()
    expect(shown_marks).to_have_attribute("data-highlighted", place.inner_text())
    expect(red.page.locator(".told")).to_contain_text(place.inner_text())  # with its name in words
    red.page.mouse.move(700, 400)
    expect(shown_marks).to_have_count(0)
    Keys(red.page).go(log)
    red.page.keyboard.press("ArrowUp")
    expect(shown_marks).to_have_attribute("data-highlighted", place.inner_text())
    red.page.keyboard.press("ArrowUp")
    expect(shown_marks).to_have_attribute("data-highlighted", log.locator("mark").nth(-2).inner_text())


def test_the_sentence_says_what_is_being_chosen(play: Play, invite: Invite) -> None:
    table = play(*STORY)
    red = table.sit(invite, "red")
    table.act("red: roll", "red: offer 1 lumber : 1 brick to blue", "blue: accept #1")
    sentence = red.page.get_by_test_id("sentence")
    red.does("build-road")
    expect(sentence).to_have_text("Choose where the road goes.")
    red.page.keyboard.press("Escape")
    expect(sentence).to_have_text("Trade, build, or end your turn.")


# --- trade ------------------------------------------------------------------------------------------------------------


def test_an_offer_that_is_gone_stays_in_sight_with_what_became_of_it(play: Play, invite: Invite) -> None:
    table = play(*STORY)
    blue = table.sit(invite, "blue")
    table.act("red: roll", "red: offer 1 lumber : 1 ore to white")
    blue.page.get_by_test_id("offer-1").wait_for()
    table.act("white: reject #1")
    expect(blue.page.get_by_test_id("offer-1")).to_have_count(0)
    ended_offer = blue.page.get_by_test_id("ended-1")
    expect(ended_offer).to_contain_text("Ann (Red)'s offer")
    expect(ended_offer).to_contain_text("Nobody accepted it.")
    expect(ended_offer).not_to_contain_text("Offer 1")  # another offer may have the number by now
    expect(ended_offer.get_by_role("button")).to_have_count(0)
    table.act("red: offer 1 lumber : 1 ore to white", "white: accept #1")  # the number is used again
    expect(ended_offer.last).to_contain_text("Ann gives Cid 1 lumber for 1 ore.")
    blue.sees("Ann gives Cid 1 lumber")
    expect(blue.page.get_by_test_id("log").locator("p").last).to_be_in_viewport()  # the log follows, with less room
    expect(ended_offer).to_have_count(0)  # some seconds later


def test_on_a_phone_an_open_offer_stands_above_one_that_is_gone(play: Play, invite: Invite) -> None:
    table = play(*STORY)
    phone = table.sit(invite, "blue", "finger", (320, 640), has_touch=True, is_mobile=True).page
    table.act("red: roll", "red: offer 1 lumber : 1 ore to white", "white: reject #1")
    phone.get_by_test_id("ended-1").wait_for()
    table.act("red: offer 1 lumber : 1 brick to blue")
    expect(phone.get_by_test_id("accept-1")).to_be_in_viewport(ratio=1)
    expect(phone.get_by_test_id("reject-1")).to_be_in_viewport(ratio=1)
    offer_box, ended_box = (
        phone.get_by_test_id("offer-1").bounding_box(),
        phone.get_by_test_id("ended-1").bounding_box(),
    )
    assert offer_box is not None
    assert ended_box is not None
    assert offer_box["y"] < ended_box["y"]


def test_on_a_phone_both_rows_of_a_counter_offer_are_in_sight(play: Play, invite: Invite) -> None:
    table = play(*STORY)
    friend = table.sit(invite, "blue", "finger", PHONE, has_touch=True, is_mobile=True)
    table.act("red: roll", "red: offer 1 lumber : 1 brick to blue white orange", "white: counter #1 1 ore : 1 lumber")
    friend.does("counter-1", "want-ore")
    for side in ("give", "want"):
        card = friend.page.get_by_test_id(f"{side}-ore")
        expect(card).to_be_in_viewport(ratio=1)
        box, send_box = card.bounding_box(), friend.page.locator(".trade .send").bounding_box()
        assert box is not None
        assert send_box is not None
        assert box["y"] + box["height"] <= send_box["y"], f"what one would {side} is covered"
    expect(friend.page.get_by_test_id("send-offer")).to_be_in_viewport(ratio=1)


def test_why_nothing_can_be_traded_with_the_supply_is_the_cards_not_the_harbor(play: Play, invite: Invite) -> None:
    table = play(*STORY)
    red = table.sit(invite, "red")
    red.does("roll", "trade")
    expect(red.page.get_by_test_id("no-supply")).to_have_text(
        "You do not hold enough cards of one kind for any of your rates."
    )


def test_what_the_supply_lacks_says_so_and_can_still_be_seen(houses: ExitStack, invite: Invite) -> None:
    """That the supply lacks ore is put into what the host says: in a game it takes long to come about."""
    url = houses.enter_context(run_situations_server())
    scene = SITUATIONS["card"](url)
    visitor = invite(url)
    page = visitor.page
    lacking = {
        "plenty_not_there": re.compile("^year-of-plenty .*ore"),
        "supply_short": re.compile("^supply .* : 1 ore"),
    }
    values = {"plenty_not_there": {"supply": {"brick": 2, "wool": 1}}, "supply_short": {}}
    actions_by_id: dict[str, str] = {}

    def listen(route: WebSocketRoute) -> None:
        host = route.connect_to_server()

        def note(text: str | bytes) -> None:
            command = json.loads(text)
            if command["type"] == "why":
                actions_by_id[command["id"]] = command["action"]
            host.send(text)

        route.on_message(note)
        host.on_message(lambda text: route.send(json.dumps(changed(json.loads(text)))))

    def changed(message: dict[str, Any]) -> dict[str, Any]:
        projection = message.get("projection")
        if projection:
            projection["legal"] = [
                action
                for action in projection["legal"]
                if not any(pattern.search(action) for pattern in lacking.values())
            ]
        if message["type"] == "because":
            reason = next(
                (name for name, pattern in lacking.items() if pattern.search(actions_by_id[message["id"]])), None
            )
            message |= {"legal": False, "why": reason, "message": "?", "values": values[reason]} if reason else {}
        return message

    page.route_web_socket(re.compile("/ws/tables"), listen)
    orange = friends.Friend(visitor, "orange")
    scene.show(orange)
    for name in RESOURCES[:-1]:
        expect(page.get_by_test_id(f"name-{name}")).not_to_have_attribute("aria-disabled", "true")
    expect(page.get_by_test_id("name-ore")).to_have_accessible_description(
        re.compile("The supply has 2 brick and 1 wool.")
    )
    page.get_by_test_id("name-wool").click()
    expect(page.get_by_test_id("name-ore")).to_have_accessible_description(
        re.compile("The supply has 2 brick and 1 wool.")
    )
    orange.does("name-brick")
    orange.holds(grain=7, wool=1, brick=1)
    orange.does("trade")
    expect(page.get_by_test_id("supply-grain-wool")).not_to_have_attribute("aria-disabled", "true")
    ore = page.get_by_test_id("supply-grain-ore")
    expect(ore).to_have_attribute("aria-disabled", "true")
    Keys(page).go(ore)
    expect(bubble(page)).to_have_text("The supply does not have the cards you want.")


def test_the_clock_goes_by_the_hosts_whatever_the_own_one_says(play: Play, invite: Invite) -> None:
    table = play(clock=60.0)
    visitor = invite(table.url)
    visitor.context.add_init_script("const now = Date.now; Date.now = () => now() + 120_000;")
    visitor.page.goto(table.link("red"))
    clock = visitor.page.get_by_role("timer")
    for _ in range(2):
        expect(clock).to_have_text(re.compile("^(5[0-9]|60)$"))
        visitor.page.reload()


# --- German -----------------------------------------------------------------------------------------------------------


def test_refusals_are_german_on_a_german_page(play: Play, invite: Invite) -> None:
    table = play(*STORY)
    red = table.sit(invite, "red", locale="de-DE")
    page = red.page
    page.get_by_test_id("menu").click()
    page.get_by_label("Zeile für getippte Befehle").check()
    page.keyboard.press("Escape")
    line = page.get_by_test_id("command")
    texts = {
        "tanze": ("command-trouble", "„tanze“ ist kein Befehl. Es gibt: roll, road,"),
        "road nirgends": ("command-trouble", "Das lässt sich nicht lesen. Schreib es so: road C3/ne"),
        "blue: roll": ("trouble", "Das entscheidet Blau, und das ist nicht dein Platz."),
        "end": ("trouble", "Würfle zuerst; dann kannst du den Zug beenden."),
    }
    for text, (page_name, words) in texts.items():
        line.fill(text)
        line.press("Enter")
        expect(page.get_by_test_id(page_name)).to_contain_text(words)
    page.goto("/t/nosuchtable")
    red.visitor.expect("status of 404")
    expect(page.get_by_role("alert")).to_have_text("Einen Tisch „nosuchtable“ gibt es nicht.")


# --- what does not come -----------------------------------------------------------------------------------------------


def test_what_did_not_come_can_be_asked_for_again(server: str, invite: Invite) -> None:
    table = friends.begin_table(server, ("red",))
    visitor = invite(server)
    visitor.expect("ERR_FAILED")
    page = visitor.page
    lost_paths = ["editions", "board.svg"]

    def answer(route: Route) -> None:
        if any(name in route.request.url for name in lost_paths):
            route.abort()
        else:
            route.continue_()

    page.route("**/api/**", answer)
    page.goto(table.link("red"))
    expect(page.get_by_role("alert")).to_have_text("The server cannot be reached.")
    lost_paths.remove("editions")
    page.get_by_test_id("retry").click()
    expect(page.get_by_role("alert")).to_contain_text("The picture of the board could not be loaded.")
    lost_paths.clear()
    page.get_by_test_id("retry").click()
    page.locator("[data-piece=robber]").wait_for()
