"""What others paid for: complaints and regressions of other platforms that concern a client, a test for each.

The numbers are those of their releases (docs of the research: what players complain about, and what broke). Those that
are shown elsewhere: disconnects and a stuck discard (v190) in test_friends; a reconnect without roads, cards or actions
(v29 to v33) and a restart in test_reconnect; a turn skipped by a double press (v246) and shortcuts that cannot be
switched off in test_input; settings changed by guests (v89) and two colors for one guest (v141) in the lobby of
test_friends; color alone in test_environments; games that never end (v36, v39) in test_whole_games.
"""

from __future__ import annotations

import json
import re
import time
from contextlib import ExitStack

import pytest
from playwright.sync_api import expect

from hexholm.host.wire import messages
from tests.host.servers import ask

from . import friends
from .conftest import Invite, Play
from .host_process import Line
from .situations import SITUATIONS, run_situations_server
from .visitor import socket_traffic

pytestmark = [pytest.mark.waits, pytest.mark.usefixtures("built")]


# --- what players complain about --------------------------------------------------------------------------------------


def test_dice_are_random_unless_the_table_says_otherwise_to_everybody(server: str, invite: Invite) -> None:
    ann, bob = invite(server).page, invite(server).page
    ann.goto("/new")
    ann.locator("summary").click()
    expect(ann.get_by_test_id("option-balanced_dice")).not_to_be_checked()
    ann.get_by_test_id("option-balanced_dice").check()
    ann.get_by_test_id("create").click()
    expect(ann.get_by_test_id("begin")).to_be_visible()
    bob.goto(ann.url)
    for page in (ann, bob):
        expect(page.get_by_text("Balanced dice")).to_be_visible()


def test_whoever_resigns_is_played_for_and_the_game_goes_on(play: Play, invite: Invite) -> None:
    table = play(people=("red", "blue"))
    red, blue = (table.sit(invite, color) for color in ("red", "blue"))
    blue.page.get_by_test_id("menu").click()
    blue.page.get_by_test_id("resign").click()
    expect(blue.page.get_by_test_id("resign")).to_have_text("Resign for good? Press again.")
    blue.page.get_by_test_id("resign").click()
    expect(red.page.get_by_test_id("player-blue")).to_contain_text("has resigned")
    red.does("roll", "end-turn")
    red.play(is_done=lambda sight: sight.can("roll"))  # once around the table
    red.sees("Turn 5 begins")


def test_an_offer_that_is_being_written_stays_when_somebody_goes_and_others_play(play: Play, invite: Invite) -> None:
    table = play("dice 4 4")
    red, blue = (table.sit(invite, color) for color in ("red", "blue"))
    red.does("roll", "trade", "give-lumber", "want-brick")
    blue.visitor.close()
    expect(red.page.get_by_test_id("player-blue")).to_contain_text("not connected")
    table.act("white: offer 1 ore : 1 lumber to red")
    expect(red.page.get_by_test_id("offer-1")).to_be_visible()
    expect(red.page.get_by_test_id("give-lumber")).to_contain_text("1")
    expect(red.page.get_by_test_id("want-brick")).to_contain_text("1")


def test_an_offer_stays_open_while_somebody_writes_another(play: Play, invite: Invite) -> None:
    table = play("dice 4 4")
    red, blue = (table.sit(invite, color) for color in ("red", "blue"))
    red.does("roll", "trade", "give-lumber", "want-brick", "send-offer")
    blue.does("counter-1", "want-grain")
    expect(red.page.get_by_test_id("offer-1")).to_contain_text("thinking")
    table.act("white: reject #1")
    expect(blue.page.get_by_test_id("want-grain")).to_contain_text("1")
    blue.does("accept-1")  # they think better of it
    red.does("confirm-1-blue")
    red.holds(lumber=2, brick=1, grain=1)


def test_one_press_trades_with_the_supply(houses: ExitStack, invite: Invite) -> None:
    url = houses.enter_context(run_situations_server())
    scene = SITUATIONS["card"](url)
    visitor = invite(url)
    orange = friends.Friend(visitor, "orange")
    scene.show(orange)
    orange.page.get_by_role("button", name="Cancel").first.click()
    orange.holds(grain=7)
    orange.does("trade", "supply-grain-ore")
    orange.holds(grain=3, ore=1)


def test_what_can_be_inferred_of_hands_is_the_same_for_everybody(play: Play, invite: Invite) -> None:
    table = play("dice 4 4", ranges=True)
    red, white = (table.sit(invite, color) for color in ("red", "white"))
    red.does("roll")
    for friend in (red, white):
        expect(friend.page.get_by_test_id("player-blue").get_by_label("What the hand might hold")).to_have_text(
            re.compile("^1.*2.*1")
        )
    table = play()
    red = table.sit(invite, "red")
    expect(red.page.get_by_label("What the hand might hold")).to_have_count(0)


def test_cards_that_are_chosen_to_be_given_back_stay_chosen_when_others_are_faster(play: Play, invite: Invite) -> None:
    table = play("dice 3 4", hand_limit=2)
    red = table.sit(invite, "red")
    red.does("roll", "discard-grain")
    expect(red.page.get_by_test_id("discard")).to_have_text("Discard 1 of 1")
    table.act("blue: discard 1 ore", "white: discard 1 ore")
    red.page.wait_for_timeout(200)  # what others choose is not shown before all have chosen
    expect(red.page.get_by_test_id("discard")).to_have_text("Discard 1 of 1")
    red.does("discard")
    table.act("orange: discard 1 grain")
    red.holds(lumber=2)


def test_a_pause_stops_the_game_for_all_and_ends_again(play: Play, invite: Invite) -> None:
    table = play()
    red, blue = (table.sit(invite, color) for color in ("red", "blue"))
    blue.page.get_by_test_id("menu").click()
    blue.page.get_by_test_id("pause").click()
    notice = red.page.get_by_role("status").filter(has_text="Bob (Blue) asks for a pause.")
    notice.get_by_role("button", name="Agree").click()
    expect(red.page.get_by_test_id("missing-pause")).to_contain_text("Cid")
    for color in ("white", "orange"):
        table.send(color, messages.Pause(id="pause"))
    for friend in (red, blue):
        expect(friend.page.get_by_test_id("sentence")).to_have_text("The game is paused.")
    red.page.get_by_test_id("menu").click()
    red.page.get_by_test_id("resume").click()
    red.page.keyboard.press("Escape")
    expect(blue.page.get_by_test_id("sentence")).not_to_have_text("The game is paused.")
    red.does("roll")


def test_another_game_keeps_the_seats_for_the_same_people(server: str, invite: Invite) -> None:
    ann, bob = invite(server).page, invite(server).page
    ann.goto("/new")
    ann.get_by_test_id("create").click()
    ann.get_by_test_id("begin").wait_for()
    bob.goto(ann.url)
    bob.get_by_test_id("name").fill("Bob")
    bob.get_by_test_id("sit-blue").click()
    expect(ann.get_by_test_id("seat-blue")).to_contain_text("Bob")
    ann.get_by_test_id("fill").click()
    ann.get_by_test_id("begin").click()
    ann.get_by_test_id("sentence").wait_for()
    ann.get_by_test_id("menu").click()
    ann.get_by_test_id("end").click()
    ann.get_by_test_id("end").click()
    ann.keyboard.press("Escape")
    expect(ann.get_by_test_id("missing-end")).to_contain_text("Bob")
    bob.get_by_test_id("agree-end").click()
    ann.get_by_role("dialog", name="The game is over").get_by_test_id("rematch").click()
    expect(ann.get_by_test_id("seat-blue")).to_contain_text("Bob")
    bob.get_by_role("dialog").get_by_role("button", name="To the next game").click()
    expect(bob.get_by_test_id("seat-blue")).to_contain_text(re.compile("Bob.*you"))
    assert bob.url == ann.url


# --- what broke elsewhere ---------------------------------------------------------------------------------------------


def test_a_card_that_was_bought_is_known_to_its_owner_alone(play: Play, invite: Invite) -> None:
    """v307: a card appeared in the state before it was played; v138: players knew hidden points."""
    table = play("dice 4 4", "dice 1 2", "dice 2 2", "dice 2 2", "drawn victory-point")
    table.act(*(f"{color}: {text}" for color in ("red", "blue", "white") for text in ("roll", "end")))
    orange, blue = (invite(table.url).page for _ in range(2))
    received = {page: socket_traffic(page)[1] for page in (orange, blue)}
    for color, page in (("orange", orange), ("blue", blue)):
        page.goto(table.link(color))
        page.get_by_test_id("sentence").wait_for()
    table.act("orange: roll", "orange: buy")
    expect(orange.get_by_test_id("card-victory-point")).to_be_visible()
    expect(blue.get_by_test_id("log")).to_contain_text("Dan buys")
    for page, may_know in ((orange, True), (blue, False)):
        frames = [json.loads(frame) for frame in received[page]]
        events = [event for frame in frames if frame["type"] == "told" for event in frame["events"]]
        assert any("victory-point" in json.dumps(event) for event in events) is may_know
        assert any("development" in (frame.get("projection") or {}).get("view", {}) for frame in frames)
        card_lists = [frame["projection"]["view"]["development"] for frame in frames if frame.get("projection")]
        assert ({"victory-point": 1} in card_lists) is may_know
    expect(blue.get_by_test_id("player-orange").locator(".points")).to_contain_text("2")


def test_after_one_card_no_second_can_be_played(play: Play, invite: Invite) -> None:
    """v30: two knights in one turn."""
    buys = ("dice 4 4", "dice 1 2", "dice 2 2", "dice 2 2", "drawn knight", "drawn knight")
    table = play(*buys, *["dice 6 6"] * 3, "stolen lumber")
    round_of_turns = [f"{color}: {text}" for color in ("red", "blue", "white") for text in ("roll", "end")]
    table.act(*round_of_turns, "orange: roll", "orange: buy", "orange: buy", "orange: end", *round_of_turns)
    orange = table.sit(invite, "orange")
    orange.does("card-knight")
    orange.builds("robber A1")
    knight = orange.page.get_by_test_id("card-knight")
    expect(knight).to_have_attribute("aria-disabled", "true")
    expect(knight).to_have_accessible_description(re.compile("You have already played a development card this turn."))


def test_a_turn_survives_an_open_offer_and_a_lost_line(play: Play, houses: ExitStack, invite: Invite) -> None:
    """v188 to v191: the turn was lost when a trade offer and a disconnect met."""
    table = play("dice 4 4")
    line = houses.enter_context(Line(table.url))
    red = friends.Table(line.url, table.id, table.tokens).sit(invite, "red")
    red.visitor.expect("WebSocket connection to|ERR_EMPTY_RESPONSE")
    red.does("roll", "trade", "give-lumber", "want-brick", "send-offer")
    line.cut()
    table.act("blue: accept #1", "white: reject #1")
    expect(red.page.get_by_text("The connection was lost")).to_be_visible()
    line.mend()
    red.does("confirm-1-blue")
    red.holds(lumber=2, brick=1, grain=1)
    red.does("end-turn")
    expect(red.page.get_by_test_id("sentence")).to_have_text("Waiting for Bob.")


def test_looking_choosing_and_offering_wins_no_time(play: Play, invite: Invite) -> None:
    """v35: the turn timer was extended by toggling actions."""
    table = play("dice 3 3", clock=60.0)
    visitor = invite(table.url)
    sent, received = socket_traffic(visitor.page)
    red = friends.Friend(visitor, "red")
    page = red.page
    page.goto(table.link("red"))
    red.does("roll")
    red.holds(lumber=2, grain=1, brick=1)

    def due() -> float:
        projections = [projection for frame in received if (projection := json.loads(frame).get("projection"))]
        return float(projections[-1]["deadline"])

    def in_time() -> bool:
        """The page shows the seconds until the host's deadline, on a busy machine a little late."""
        return abs(int(page.get_by_role("timer").inner_text()) - (due() - time.time())) < 10

    end, sent_before = due(), len(sent)
    page.wait_for_timeout(2500)
    for _ in range(3):
        red.does("trade", "give-lumber")
        page.get_by_role("button", name="Cancel").click()
        red.does("build-road")
        page.locator(".spot[data-action='road A1/e']").hover()
        expect(page.locator("[data-ghost]")).to_have_count(1)
        page.get_by_role("button", name="Cancel").click()
    assert {json.loads(frame)["type"] for frame in sent[sent_before:]} <= {
        "why"
    }  # the host may be asked, and is told nothing
    assert due() == end
    assert in_time()
    red.does("trade", "give-lumber", "want-ore", "send-offer")
    expect(page.get_by_test_id("offer-1")).to_be_visible()
    red.does("withdraw-1")
    expect(page.get_by_test_id("offer-1")).to_have_count(0)
    assert due() == end
    assert in_time()
    page.reload()
    page.get_by_role("timer").wait_for()
    assert due() == end
    assert in_time()


def test_an_offer_holds_no_more_than_the_hand(play: Play, invite: Invite) -> None:
    """v85, v133: trades without the cards, and counter-offers with any number of them."""
    table = play("dice 4 4")
    red, blue = (table.sit(invite, color) for color in ("red", "blue"))
    red.does("roll", "trade", *["give-lumber"] * 3)
    says = {"give-lumber": "You hold only 3 lumber.", "give-ore": "You hold no ore."}
    says["send-offer"] = "Both sides must give at least one card."  # the host's word
    for name, reason in says.items():
        expect(red.page.get_by_test_id(name)).to_have_attribute("aria-disabled", "true")
        expect(red.page.get_by_test_id(name)).to_have_accessible_description(re.compile(reason))
    red.does("want-brick", "send-offer")
    # a counter-offer begins as the offer was, as far as the hand goes, and holds no more either
    blue.does("counter-1")
    brick = blue.page.get_by_test_id("give-brick")
    expect(brick).to_have_accessible_description("You hold only 1 brick.")
    brick.click(force=True)  # says why, and does nothing
    expect(brick).to_contain_text("now 1 of 1")
    blue.does("give-ore", "send-offer")
    offer = red.page.get_by_test_id("offer-2")
    expect(offer).to_contain_text("instead of offer 1")
    flags = red.page.get_by_test_id("offer-1").locator(".flags li")
    expect(flags).to_have_text(
        [re.compile(pattern) for pattern in ("counteroffer.*Blue", "thinking.*White", "thinking.*Orange")]
    )
    # what is answered ends: its answer is put away, and is no offer to all under the finger
    white = table.sit(invite, "white")
    white.does("counter-1")
    expect(white.page.get_by_test_id("send-offer")).to_have_text("Offer this instead")
    table.act("red: withdraw #1")
    expect(white.page.get_by_role("region", name="Trade")).to_have_count(0)


def test_the_robber_begins_on_the_desert(server: str, invite: Invite) -> None:
    """v90: it did not, on some maps."""
    table = friends.begin_table(server, ("red",), setup="variable")
    red = table.sit(invite, "red")
    robber_list = red.page.get_by_role("heading", name="The robber").locator("+ ul")
    expect(robber_list).to_contain_text("desert")


def test_a_bot_plays_for_nobody_who_is_there(play: Play, invite: Invite) -> None:
    """v89: a bot moved the robber for a player who was present."""
    table = play("dice 3 4", begin=False, away_after=0.5)
    red = table.sit(invite, "red")
    red.does("begin", "roll")
    red.until(lambda sight: len(sight.targets) == 18)
    red.page.wait_for_timeout(1500)  # three times as long as somebody may be gone
    assert len(red.see().targets) == 18
    line = ask(table.url, "GET", f"/api/tables/{table.id}").json["table"]
    assert not [seat for seat in line["seats"] if seat.get("away")]  # nor for who opened no page: nobody waits for them
