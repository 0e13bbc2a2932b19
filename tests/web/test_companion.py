"""A game on a real board: a screen for all, phones with the seats; dice are entered anywhere, a card on one phone."""

from __future__ import annotations

import re
import secrets
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from hexholm.host.wire import messages
from tests.host.servers import ask, hear, open_socket, say

from .conftest import Invite
from .friends import NAMES, Friend, Table, begin_table
from .test_toolchain import FIRST_LOAD
from .visitor import (
    DESKTOP,
    PHONE,
    axe_faults,
    first_visit,
    outside_window,
    overflow_pixels,
    small_targets,
    socket_traffic,
)

pytestmark = pytest.mark.waits

PEOPLE = ("blue", "white", "orange")
"""Who plays the beginners' board for three; blue begins."""
ROLL_FIRST = "You must roll the dice before you can end your turn."
TOUCH: dict[str, Any] = {"has_touch": True, "is_mobile": True}


def shared_screen(page: Page) -> None:
    """Set up a table with real dice and cards on a screen where nobody sits."""
    page.goto("/new")
    page.get_by_test_id("edition").select_option("fifth")
    page.get_by_test_id("players").select_option("3")
    page.get_by_test_id("setup").select_option("fixed")
    page.get_by_test_id("chance-people").check()
    page.get_by_test_id("shared").check()
    page.get_by_test_id("option-first").select_option("0")
    page.get_by_test_id("create").click()
    expect(page.locator(".lobby")).to_contain_text("A real board, your own dice and cards.")


def seats(url: str, page: Page) -> Table:
    """The seats of the table a page shows, taken by three people."""
    table = Table(url, page.url.rpartition("/")[2], {})
    for color in PEOPLE:
        answer = ask(url, "POST", f"/api/tables/{table.id}/seats/{color}", {"name": NAMES[color]})
        table.tokens[color] = answer.json["token"]
    return table


def dice(page: Page, first: int, second: int) -> None:
    """Enter two dice."""
    page.get_by_test_id(f"die-1-{first}").check()
    page.get_by_test_id(f"die-2-{second}").check()
    button = page.get_by_test_id("tell")
    expect(button).to_have_text(f"Enter {first} + {second} = {first + second}")
    button.click()


def says(page: Page, text: str) -> None:
    expect(page.get_by_test_id("sentence")).to_have_text(text)


def test_a_game_on_a_real_board_with_a_screen_for_all_and_three_phones(server: str, invite: Invite) -> None:
    screen = invite(server).page
    _, public = socket_traffic(screen)
    shared_screen(screen)
    table = seats(server, screen)
    blue, white, orange = (table.sit(invite, color, "finger", PHONE, **TOUCH) for color in PEOPLE)
    received = {friend.color: socket_traffic(friend.page)[1] for friend in (blue, white, orange)}
    for friend in (blue, white, orange):
        friend.page.reload()  # from now on what they hear is written down
    watcher = table_watcher(invite, table)
    screen.get_by_test_id("begin").click()
    asked_everywhere(screen, blue, white, watcher)
    taken_back(screen, blue, white, orange)
    stolen_in_secret(screen, blue, white, orange, watcher)
    for color, frames in (("", public), *received.items()):
        theft_frames = [frame for frame in frames if '"stole"' in frame and '"card":"grain"' in frame]
        # thief and victim know
        assert bool(theft_frames) == (color in ("white", "blue")), color or "the screen for all"
    drawn_in_secret(screen, white, orange)
    for color, frames in (("", public), *received.items()):
        assert any('"card":"monopoly"' in frame for frame in frames) == (color == "orange"), (
            color or "the screen for all"
        )


def table_watcher(invite: Invite, table: Table) -> Page:
    """Somebody who only looks on."""
    page = invite(table.url).page
    page.goto(table.link())
    return page


def asked_everywhere(screen: Page, blue: Friend, white: Friend, watcher: Page) -> None:
    """Blue's turn begins: who sits here and the screen for all can enter the real dice, who looks on cannot."""
    says(screen, "Bob rolls the dice. Which numbers came up?")
    says(blue.page, "Roll the dice. Which numbers came up?")
    expect(blue.page.get_by_test_id("roll")).to_have_count(0)  # nothing is to be pressed before that
    expect(blue.page.get_by_test_id("end-turn")).to_have_accessible_description(ROLL_FIRST)
    for page in (screen, blue.page):
        expect(page.get_by_test_id("take-back")).to_have_attribute("aria-disabled", "true")
        expect(page.get_by_test_id("take-back")).to_have_accessible_description("Nobody has acted yet.")
    screen.get_by_test_id("take-back").click(force=True)
    expect(screen.locator("dialog[open]")).to_have_count(0)
    says(watcher, "Bob rolls the dice. Waiting for the table to enter the numbers.")
    for page in (screen, blue.page, white.page):
        expect(page.get_by_test_id("telling")).to_be_visible()
        assert axe_faults(page) == []
        assert (overflow_pixels(page), outside_window(page)) == (0, [])
    assert small_targets(white.page, 44) == []
    expect(watcher.get_by_test_id("telling")).to_have_count(0)
    expect(watcher.get_by_test_id("take-back")).to_have_count(0)
    # one die is not enough, and the keys do it too: a third begins anew
    expect(screen.get_by_test_id("tell")).to_have_attribute("aria-disabled", "true")
    for key in ("5", "5", "2", "3"):
        screen.keyboard.press(key)
    expect(screen.get_by_test_id("tell")).to_have_text("Enter 2 + 3 = 5")
    expect(screen.get_by_test_id("tell")).to_be_focused()
    screen.keyboard.press("Enter")
    blue.holds(brick=2, lumber=1, wool=1, ore=1)
    expect(screen.get_by_role("img", name="Dice: 2 and 3")).to_be_visible()


def taken_back(screen: Page, blue: Friend, white: Friend, orange: Friend) -> None:
    """It was a four: white takes it back, and blue's phone enters what was rolled."""
    expect(screen.locator(".raised.rolled")).not_to_have_count(0)
    white.page.get_by_test_id("take-back").tap()
    sure = white.page.locator("dialog[open]")
    expect(sure).to_contain_text("Take back the last action?")
    sure.get_by_role("button", name="Cancel").tap()
    assert blue.see().hand["wool"] == 1  # it is asked once more
    white.page.get_by_test_id("take-back").tap()
    sure.get_by_test_id("take-back-sure").tap()
    says(blue.page, "Roll the dice. Which numbers came up?")
    blue.holds(brick=1, lumber=1, ore=1)
    expect(screen.get_by_role("img", name=re.compile("Dice"))).to_have_count(0)
    expect(screen.locator(".raised.rolled")).to_have_count(0)
    lines = screen.get_by_test_id("log").locator("p")
    expect(lines.last).to_have_text("Cid takes back the last action.")
    expect(lines.filter(has_text="Bob rolls 5")).to_have_count(1)  # what was told stays told
    screen.reload()
    expect(lines.last).to_have_text("Cid takes back the last action.")
    expect(screen.locator(".raised.rolled")).to_have_count(0)
    dice(blue.page, 1, 3)
    blue.holds(brick=1, lumber=1, grain=1, ore=1)
    orange.holds(wool=1, grain=3, ore=1)
    blue.does("end-turn")


def stolen_in_secret(screen: Page, blue: Friend, white: Friend, orange: Friend, watcher: Page) -> None:
    """White rolls a seven and steals: only white's phone asks which card."""
    says(screen, "Cid rolls the dice. Which numbers came up?")
    dice(screen, 4, 3)
    steals_from_blue(white)
    says(white.page, "You steal a card from Bob. Which one is it? Only you see this.")
    assert axe_faults(white.page) == []
    assert (overflow_pixels(white.page), outside_window(white.page), small_targets(white.page, 44)) == (0, [], [])
    for page in (screen, blue.page, orange.page, watcher):
        expect(page.get_by_test_id("sentence")).to_contain_text("Waiting for Cid to enter which one it is.")
        expect(page.get_by_test_id("telling")).to_have_count(0)
    # what blue does not hold cannot have been stolen; that this was tried is told to all, the card is not
    white.page.get_by_test_id("tell-wool").check()
    white.page.get_by_test_id("tell").tap()
    expect(white.page.get_by_test_id("mistold")).to_have_text("The card you entered is not possible. Check it again.")
    tell_box, bar = (white.page.locator(selector).bounding_box() for selector in ("[data-testid=tell]", "footer"))
    assert tell_box is not None
    assert bar is not None
    assert tell_box["y"] + tell_box["height"] <= bar["y"]  # the line above the button has not pushed it under the bar
    expect(screen.get_by_test_id("log")).to_contain_text("Cid entered a card that is not possible.")
    assert "wool" not in screen.get_by_test_id("log").locator("p").last.inner_text().lower()
    white.page.get_by_test_id("tell-grain").check()
    expect(white.page.get_by_test_id("tell")).to_have_text("Enter Grain")
    white.page.get_by_test_id("tell").tap()
    white.holds(lumber=1, wool=1, grain=1, ore=1)
    blue.holds(brick=1, lumber=1, ore=1)
    lines = screen.get_by_test_id("log").locator("p")
    expect(lines.filter(has_text="Cid steals")).to_have_text("Cid steals a card from Bob.")
    white.does("end-turn")


def steals_from_blue(white: Friend) -> None:
    """Move the robber to a place of blue's, and name blue where there is a choice."""
    sight = white.until(lambda sight: bool(sight.targets))
    place = next(
        target for target in sight.targets if "blue settlement" in target["name"] and "white" not in target["name"]
    )
    white.builds(place["action"])
    sight = white.until(lambda sight: sight.can("steal-blue") or "Which one" in sight.sentence)
    if sight.can("steal-blue"):
        white.does("steal-blue")


def drawn_in_secret(screen: Page, white: Friend, orange: Friend) -> None:
    """Orange buys a card and enters on its phone which one the real deck gave."""
    says(white.page, "Dan rolls the dice. Which numbers came up?")
    dice(white.page, 1, 1)
    orange.until(lambda sight: sight.can("end-turn"))
    orange.does("build-card")
    for page in (screen, white.page):
        expect(page.get_by_test_id("sentence")).to_contain_text("Waiting for Dan to enter which one it is.")
        expect(page.get_by_test_id("telling")).to_have_count(0)
    orange.page.get_by_test_id("tell-monopoly").check()
    orange.page.get_by_test_id("tell").tap()
    expect(orange.page.get_by_test_id("drawn")).to_contain_text("Monopoly")
    # taken back, it is in nobody's hand, and the cards that paid for it are back
    screen.get_by_test_id("take-back").click()
    screen.get_by_test_id("take-back-sure").click()
    orange.holds(wool=1, grain=3, ore=1)
    expect(orange.page.get_by_test_id("drawn")).to_have_count(0)
    expect(screen.get_by_test_id("log").locator("p").last).to_have_text("The last action was taken back.")


def test_what_does_not_go_with_a_real_board_cannot_be_chosen_and_says_why(page: Page) -> None:
    page.goto("/new")
    page.get_by_test_id("clock").select_option("60")
    page.get_by_test_id("seat-blue").select_option("easy")
    page.get_by_text("House rules", exact=True).click()
    balanced = page.get_by_test_id("option-balanced_dice")
    balanced.check()
    page.get_by_test_id("chance-dice").check()
    expect(page.get_by_test_id("clock")).to_be_disabled()
    expect(page.get_by_test_id("clock").locator("option:checked")).to_have_text("No clock")
    expect(page.get_by_text("There is no clock when people play on a real board.")).to_be_visible()
    expect(balanced).to_be_disabled()
    expect(balanced).not_to_be_checked()
    expect(page.get_by_text("The server draws balanced dice; yours are real.")).to_be_visible()
    expect(page.get_by_test_id("seat-blue")).to_have_value("easy")  # the host keeps the cards of bots too
    page.get_by_test_id("chance-people").check()
    expect(page.get_by_test_id("seat-blue")).to_have_value("")
    expect(page.get_by_test_id("seat-blue").locator("option[value=easy]")).to_be_disabled()
    expect(page.get_by_text("No bots: nobody could draw cards for them.")).to_be_visible()
    assert axe_faults(page) == []
    page.get_by_test_id("create").click()
    expect(page.locator(".lobby")).to_contain_text("Open the link on every phone and take a seat there.")
    expect(page.get_by_test_id("fill")).to_have_count(0)
    expect(page.get_by_test_id("begin")).to_have_attribute("aria-disabled", "true")
    assert axe_faults(page) == []


def test_people_roll_for_a_bot_and_the_host_keeps_its_cards(server: str, invite: Invite) -> None:
    page = invite(server, PHONE, **TOUCH).page
    page.goto("/new")
    page.get_by_test_id("setup").select_option("fixed")
    page.get_by_test_id("chance-dice").check()
    for color in ("blue", "white", "orange"):
        page.get_by_test_id(f"seat-{color}").select_option("easy")
    page.get_by_test_id("option-first").select_option("1")
    page.get_by_test_id("create").click()
    page.get_by_test_id("begin").tap()
    says(page, "Roll for Blue: which numbers came up?")
    dice(page, 1, 1)
    says(page, "Roll for White: which numbers came up?")


def test_who_has_resigned_enters_no_dice_and_the_speed_of_bots_is_offered_from_then_on(
    server: str, invite: Invite
) -> None:
    table = begin_table(server, chance="people")
    red, blue = table.sit(invite, "red"), table.sit(invite, "blue", "finger", PHONE, **TOUCH)
    pace = red.page.get_by_label("Speed of the bots")
    red.page.get_by_test_id("menu").click()
    expect(red.page.get_by_test_id("pause")).to_be_visible()
    expect(pace).to_have_count(0)  # nobody here is a bot
    expect(blue.page.get_by_test_id("telling")).to_be_visible()
    with open_socket(table.url, table.id, table.tokens["blue"]) as line:
        assert isinstance(say(line, messages.Resign(id="resign")), messages.Done)
    expect(blue.page.get_by_test_id("telling")).to_have_count(0)
    expect(red.page.get_by_test_id("telling")).to_be_visible()
    expect(pace).to_be_visible()  # a bot plays for blue
    table.act("red: roll")
    says(blue.page, "Ann rolls the dice. Waiting for the table to enter the numbers.")


def tell_outcome(table: Table, color: str, outcome: str) -> None:
    """Tell what came out, without a page."""
    with open_socket(table.url, table.id, table.tokens[color]) as line:
        projection = hear(line, messages.Hello).projection
        assert projection is not None
        assert projection.chance_question is not None
        answer = say(
            line, messages.Deal(id=secrets.token_hex(8), outcome=outcome, number=projection.chance_question.number)
        )
        assert isinstance(answer, messages.Done), answer


@pytest.mark.parametrize(("hand_kind", "size", "touch"), [("mouse", DESKTOP, {}), ("finger", PHONE, TOUCH)])
def test_before_the_roll_the_dice_and_the_cards_lie_side_by_side(
    server: str, invite: Invite, hand_kind: str, size: tuple[int, int], touch: dict[str, Any]
) -> None:
    table = begin_table(server, chance="people")
    tell_outcome(table, "white", "dice 1 3")
    table.act("red: end")
    tell_outcome(table, "white", "dice 2 3")
    table.act("blue: buy")
    tell_outcome(table, "blue", "drawn monopoly")
    table.act("blue: end")
    for color in ("white", "orange", "red"):
        tell_outcome(table, color, "dice 6 6")
        table.act(f"{color}: end")
    blue = table.sit(invite, "blue", hand_kind, size, **touch)
    says(blue.page, "Roll the dice, or play Monopoly first. Which numbers came up?")
    telling = blue.page.get_by_test_id("telling")
    expect(telling).to_be_visible()
    assert (overflow_pixels(blue.page), outside_window(blue.page), axe_faults(blue.page)) == (0, [], [])
    blue.does("card-monopoly")
    expect(telling).to_have_count(0)  # now a resource is asked
    blue.does("name-grain")
    says(blue.page, "Roll the dice. Which numbers came up?")
    dice(blue.page, 6, 6)
    blue.until(lambda sight: sight.can("end-turn"))


def test_a_turn_with_real_dice_by_keys_alone(server: str, invite: Invite) -> None:
    table = begin_table(server, ("red",), chance="dice")
    red = table.sit(invite, "red", "keys")
    page, keys = red.page, red.page.keyboard
    expect(page.get_by_test_id("telling")).to_be_visible()
    keys.press("r")
    expect(page.get_by_test_id("die-1-1")).to_be_focused()  # the key for the roll leads to the dice
    keys.press("ArrowRight")  # as in any group of choices
    expect(page.get_by_test_id("die-1-2")).to_be_checked()
    keys.press("Tab")
    keys.press("Space")
    expect(page.get_by_test_id("tell")).to_have_text("Enter 2 + 1 = 3")
    keys.press("6")  # both are chosen: a number begins anew
    expect(page.get_by_test_id("tell")).to_have_attribute("aria-disabled", "true")
    keys.press("2")
    expect(page.get_by_test_id("tell")).to_be_focused()
    keys.press("Enter")
    red.holds(lumber=3, grain=1)
    red.does("take-back")
    expect(page.locator("dialog[open]")).to_contain_text("Last: You roll 8 (6 and 2).")
    red.does("take-back-sure")
    red.holds(lumber=2, grain=1)
    expect(page.get_by_test_id("log").locator("p").last).to_have_text("You take back the last action.")
    expect(page.get_by_test_id("telling")).to_be_visible()


def test_a_table_with_a_real_board_in_german(server: str, invite: Invite) -> None:
    table = begin_table(server, ("red",), chance="dice")
    red = table.sit(invite, "red", "finger", PHONE, locale="de-DE", **TOUCH)
    page = red.page
    says(page, "Würfle. Was zeigen die Würfel?")
    expect(page.get_by_test_id("take-back")).to_have_accessible_description("Noch hat niemand etwas getan.")
    expect(page.get_by_role("group", name="Erster Würfel")).to_be_visible()
    expect(page.get_by_test_id("tell")).to_have_text("Eingeben")
    page.get_by_test_id("die-1-6").check()
    page.get_by_test_id("die-2-2").check()
    expect(page.get_by_test_id("tell")).to_have_text("6 + 2 = 8 eingeben")
    red.does("tell")
    red.holds(lumber=3, grain=1)
    expect(page.get_by_test_id("take-back")).to_have_accessible_name("Zurücknehmen")
    red.does("take-back")
    dialog = page.get_by_role("dialog", name="Die letzte Aktion zurücknehmen?")
    expect(dialog).to_contain_text("Zuletzt: Du würfelst 8 (6 und 2).")
    assert overflow_pixels(page) <= 0
    assert axe_faults(page) == []
    dialog.get_by_test_id("take-back-sure").tap()
    red.holds(lumber=2, grain=1)


def test_the_pickers_come_where_they_are_needed_and_a_first_visit_stays_small(server: str, invite: Invite) -> None:
    for chance, ready, telling_shown in (("host", "roll", False), ("dice", "telling", True)):
        link = begin_table(server, ("red",), chance=chance).link("red")
        wire = first_visit(invite(server).page, link, f"[data-testid={ready}]")
        assert any("companion" in name for name in wire.sizes) == telling_shown
        assert wire.total <= FIRST_LOAD, dict(wire.sizes)
