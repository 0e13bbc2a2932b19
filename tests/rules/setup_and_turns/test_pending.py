"""What must wait: before the roll, while a seven or a card is resolved, on other turns (PHASE-09 to PHASE-12)."""

from __future__ import annotations

import pytest

from tests.helpers.legal_texts import legal_texts
from tests.helpers.marks import all_editions

from ..scenes import by_seat
from ..turns import BUILDS, CARD_PLAYS, CARDS, PENDING, RICH, kinds_of, refused, seven, trades, turn_of, until

# --- before the roll --------------------------------------------------------------------------------------------------


@pytest.mark.rule("PHASE-09", "PHASE-09.e1")
@all_editions
def test_before_the_roll_there_is_no_trade_build_or_purchase(edition: str) -> None:
    game = turn_of(edition, RICH, RICH, phase="roll", dev=by_seat(edition, CARDS))
    for build in BUILDS:
        game.refused(0, build, "PHASE-09")
    for seat, trade in trades(game):
        refused(game, seat, trade, "PORT-11", "TRADE-01")
    assert kinds_of(game, 0) == {"roll", "knight", "road-building", "year-of-plenty", "monopoly"}
    assert game.to_act() == [0]


@pytest.mark.rule("PHASE-09")
@pytest.mark.parametrize("card", CARD_PLAYS)
@all_editions
def test_one_development_card_before_the_roll(edition: str, card: str) -> None:
    game = turn_of(edition, phase="roll", dev=by_seat(edition, "2 knight 2 road-building 2 year-of-plenty 2 monopoly"))
    game.play(0, card)
    if card == "knight":
        game.play(0, "robber A1")
    if card == "road-building":
        game.play(0, "road C3/e")
        game.play(0, "road C3/se")
    assert (game.phase, legal_texts(game, 0)) == ("roll", ["roll"])
    for card_play in CARD_PLAYS:
        game.refused(0, card_play, "DEV-03")
    game.roll(2)
    for card_play in CARD_PLAYS:
        game.refused(0, card_play, "DEV-03")


# --- a seven, and what waits for it -----------------------------------------------------------------------------------


@pytest.mark.rule("PHASE-10", "PHASE-10.e1")
@all_editions
def test_after_a_seven_the_turn_goes_on(edition: str) -> None:
    game = turn_of(edition, "4 ore 1 brick 1 lumber", "1 wool", phase="roll", dev=by_seat(edition, "1 year-of-plenty"))
    game.roll(7)
    game.play(0, "robber A1")
    game.play(0, "supply 4 ore : 1 grain")
    game.play(0, f"offer 1 grain : 1 wool to {game.colors[1]}")
    game.play(1, "accept #1")
    game.play(0, "year-of-plenty ore grain")
    game.play(0, "road C3/e")
    game.buy(0, "knight")
    game.play(0, "end")


@pytest.mark.rule("PHASE-11", "PHASE-11.e1", "PHASE-11.e2", "EDN-03")
@pytest.mark.parametrize("moment", PENDING)
@all_editions
def test_nothing_else_while_a_seven_is_resolved(edition: str, moment: str) -> None:
    game = seven(edition, dev=by_seat(edition, CARDS))
    until(game, moment)
    for act in (*BUILDS, *CARD_PLAYS, "roll"):
        refused(game, 0, act, "PHASE-11", "ROBBER-12")
    for trader, trade in trades(game):
        refused(game, trader, trade, "PHASE-11", "ROBBER-12")
    for seat in range(4):
        allowed = kinds_of(game, seat)
        due = {"discard": {0, 1}, "robber": {0}, "victim": {0}}.get(moment, set())
        assert allowed == ({moment if moment != "victim" else "steal"} if seat in due else set())
    until(game, "main")
    game.play(0, "monopoly wool")  # a card that waited may come now
    assert game.hand(0)["wool"] == 4


@pytest.mark.rule("PHASE-11", "PHASE-11.e1", "PHASE-11.e2", "EDN-03")
@all_editions
def test_nothing_else_while_a_knight_is_resolved(edition: str) -> None:
    game = turn_of(edition, RICH, RICH, "", "1 wool", dev=by_seat(edition, "2 knight 1 road-building 1 monopoly"))
    game.play(0, f"offer 1 ore : 1 brick to {game.colors[1]}")
    game.play(0, "knight")
    for act in ("robber D3", f"steal {game.colors[3]}", None):
        assert game.phase == {"robber D3": "robber", None: "theft"}.get(act, "victim")
        for action in (*BUILDS, "knight", "road-building", "monopoly ore", "end"):
            refused(game, 0, action, "PHASE-11", "ROBBER-12", "PHASE-08")
        for seat, trade in trades(game):
            refused(game, seat, trade, "PHASE-11", "ROBBER-12")
        if act:
            game.play(0, act)
    game.deal("stolen wool")
    game.play(1, "accept #1")  # the offer is still there when the knight is done
    assert game.hand(0)["brick"] == 6


@pytest.mark.rule("PHASE-11.e3", "EDN-03")
@all_editions
def test_no_roll_while_a_card_played_before_it_is_open(edition: str) -> None:
    game = turn_of(edition, "", "1 brick", "", "1 wool", phase="roll", dev=by_seat(edition, "1 knight"))
    game.play(0, "knight")
    game.refused(0, "roll", "PHASE-11")
    game.play(0, "robber D3")
    refused(game, 0, "roll", "PHASE-11", "ROBBER-12")
    game.play(0, f"steal {game.colors[1]}")
    game.refused(0, "roll", "PHASE-11")
    game.deal("stolen brick")
    game.roll(2)
    roads = turn_of(edition, phase="roll", dev=by_seat(edition, "1 road-building"))
    roads.play(0, "road-building")
    for road in ("C3/e", "C3/se"):
        roads.refused(0, "roll", "PHASE-11")
        roads.play(0, f"road {road}")
    roads.roll(2)


@pytest.mark.rule("PHASE-11.e4", "EDN-03")
@all_editions
def test_no_trade_while_somebody_still_has_to_discard(edition: str) -> None:
    game = seven(edition)
    first, second, third, _ = game.colors
    game.play(0, "discard 4 lumber")  # seat 0 has finished, seat 1 has not
    for seat, trade in (
        (0, "supply 4 ore : 1 wool"),
        (0, f"offer 1 ore : 1 wool to {third}"),
        (2, f"offer 1 wool : 1 ore to {first}"),
        (1, f"offer 1 wool : 1 ore to {first}"),
    ):
        game.refused(seat, trade, "PHASE-11")
    assert game.legal(0) == game.legal(2) == []
    game.refused(0, "robber A1", "SEVEN-05")
    assert game.to_act() == [game.seat(second)]


# --- the others -------------------------------------------------------------------------------------------------------


@pytest.mark.rule("PHASE-12", "PHASE-12.e1")
@pytest.mark.parametrize("phase", ["roll", "main", "robber"])
@all_editions
def test_waiting_players_neither_roll_build_buy_nor_play_cards(edition: str, phase: str) -> None:
    game = turn_of(edition, "", RICH, RICH, RICH, phase=phase, dev=by_seat(edition, "", CARDS))
    for act in ("roll", "end", "road D2/ne", "settlement A1n", "city C3s", "buy", *CARD_PLAYS, "robber A1", "waive"):
        game.refused(1, act, "PHASE-12")
    game.refused(1, f"steal {game.colors[0]}", "PHASE-12")
    game.refused(1, "supply 4 ore : 1 wool", "TRADE-09")
    assert all(game.legal(seat) == [] for seat in (1, 2, 3))


@pytest.mark.rule("PHASE-12")
@all_editions
def test_waiting_players_answer_and_propose_trades_and_discard(edition: str) -> None:
    game = turn_of(edition, "2 ore", "2 wool", "2 brick")
    first, second, _, _ = game.colors
    game.play(0, f"offer 1 ore : 1 wool to {second}")
    game.play(2, f"offer 1 brick : 1 ore to {first}")
    game.play(1, "counter #1 1 wool : 2 ore")
    game.play(0, "accept #2")
    assert (game.hand(0)["brick"], game.hand(2)["ore"]) == (1, 1)
    robbed = seven(edition)
    robbed.play(1, "discard 4 wool")
    assert robbed.to_act() == [0]


@pytest.mark.rule("PHASE-12")
@all_editions
def test_what_is_stolen_or_monopolised_moves_without_a_choice_of_its_owner(edition: str) -> None:
    game = turn_of(edition, "", "3 ore", "2 ore 1 wool", dev=by_seat(edition, "1 monopoly"))
    game.play(0, "monopoly ore")
    assert (game.hand(0)["ore"], game.size(1), game.size(2), game.to_act()) == (5, 0, 1, [0])
    thief = turn_of(edition, "", "", "2 ore 1 wool", dev=by_seat(edition, "1 knight"))
    thief.play(0, "knight")
    thief.play(0, "robber C1")
    assert (thief.phase, thief.to_act()) == ("theft", [])
    assert all(thief.legal(seat) == [] for seat in range(4))
    thief.deal("stolen wool")
    assert (thief.hand(0)["wool"], thief.size(2)) == (1, 2)
