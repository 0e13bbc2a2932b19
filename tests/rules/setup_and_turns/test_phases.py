"""The parts of a turn and their order, trade and build, the end of a turn (PHASE-01 to PHASE-08)."""

from __future__ import annotations

import pytest

from hexholm.rules.setup.editions import EDITIONS, edition
from hexholm.rules.setup.options import check_options
from tests.helpers.legal_texts import legal_texts
from tests.helpers.marks import all_editions

from ..scenes import by_seat, opening, scene
from ..turns import (
    BUILDS,
    CARD_PLAYS,
    CARDS,
    COMBINED,
    PENDING,
    RICH,
    SEPARATE,
    kinds_of,
    refused,
    seven,
    trades,
    turn_of,
    until,
)

MIXED = [(name, "combined") for name in EDITIONS]


# --- turns and their parts --------------------------------------------------------------------------------------------


@pytest.mark.rule("PHASE-01", "PHASE-08")
@pytest.mark.parametrize("players", [3, 4])
@all_editions
def test_turns_go_clockwise_from_the_first_player(edition: str, players: int) -> None:
    for first in range(players):
        game = opening(edition=edition, players=players, first=first)
        for i in range(2 * players):
            assert (game.state.active, game.phase, game.to_act()) == (
                (first + i) % players,
                "roll",
                [game.state.active],
            )
            game.roll(2)
            game.play(game.state.active, "end")


@pytest.mark.rule("PHASE-02", "PHASE-02.e1")
@all_editions
def test_no_edition_lets_anybody_build_before_the_roll(edition: str) -> None:
    game = turn_of(edition, RICH, phase="roll")
    for build in BUILDS:
        game.refused(0, build, "PHASE-09")
    game.roll(2)
    for build in BUILDS:
        assert game.allowed(0, build)


@pytest.mark.rule("PHASE-02")
@all_editions
def test_the_parts_of_a_turn_in_their_order(edition: str) -> None:
    game = turn_of(edition, RICH, phase="roll")
    assert kinds_of(game, 0) == {"roll"}
    game.roll(2)
    assert kinds_of(game, 0) == {"supply", "road", "settlement", "city", "buy", "end"}
    game.play(0, "road C3/e")
    mixed = {"supply"} if edition in COMBINED else set()
    assert kinds_of(game, 0) == {"road", "settlement", "city", "buy", "end"} | mixed


@pytest.mark.rule("PHASE-03", "PHASE-03.e1", "PHASE-03.e2")
@all_editions
def test_exactly_one_roll_a_turn(edition: str) -> None:
    game = turn_of(edition, phase="roll")
    assert legal_texts(game, 0) == ["roll"]
    game.refused(0, "end", "PHASE-03")
    game.play(0, "roll")
    game.refused(0, "roll", "PHASE-11")  # the dice are still falling
    game.deal("dice 1 1")
    game.refused(0, "roll", "PHASE-03")
    game.play(0, "end")
    game.refused(1, "end", "PHASE-03")


@pytest.mark.rule("PHASE-03.e2", "PHASE-10")
@all_editions
def test_no_second_roll_after_a_seven_or_a_knight(edition: str) -> None:
    game = turn_of(edition, phase="roll", dev=by_seat(edition, "1 knight"))
    game.roll(7)
    game.play(0, "robber A1")
    game.refused(0, "roll", "PHASE-03")
    game.play(0, "knight")
    game.play(0, "robber A2")
    assert game.phase == "main"
    game.refused(0, "roll", "PHASE-03")


@pytest.mark.rule("PHASE-03.e3")
@all_editions
def test_who_already_has_ten_points_wins_without_rolling(edition: str) -> None:
    game = scene(
        edition, cities=by_seat(edition, "", "A1n A3n C5ne E3s"), settlements=by_seat(edition, "C3n", "C1nw E1s")
    )
    assert (game.points(1), game.phase) == (10, "main")
    game.play(0, "end")
    assert (game.phase, game.winner) == ("over", 1)
    nine = scene(edition, cities=by_seat(edition, "", "A1n A3n C5ne E3s"), settlements=by_seat(edition, "C3n", "C1nw"))
    nine.play(0, "end")
    assert (nine.phase, legal_texts(nine, 1)) == ("roll", ["roll"])


# --- trade and build mixed, or one after the other --------------------------------------------------------------------


@pytest.mark.rule("PHASE-04", "PHASE-04.e1", "PHASE-06")
@pytest.mark.parametrize(("name", "phases"), MIXED)
def test_trade_and_build_in_any_order_as_often_as_affordable(name: str, phases: str) -> None:
    game = turn_of(name, "8 ore 2 grain 2 wool", "1 brick", phases=phases)
    second = game.colors[1]
    game.play(0, "supply 4 ore : 1 lumber")
    game.buy(0, "monopoly")
    game.play(0, f"offer 1 wool : 1 brick to {second}")
    game.play(1, "accept #1")
    game.play(0, "road C3/e")
    assert game.hand(0) == {"brick": 0, "lumber": 0, "wool": 0, "grain": 1, "ore": 3}
    game.play(0, f"offer 3 ore : 1 wool to {second}")  # and again, after two builds
    game.play(1, "accept #1")
    assert game.hand(1) == {"brick": 0, "lumber": 0, "wool": 0, "grain": 0, "ore": 3}


@pytest.mark.rule("PHASE-04", "PHASE-04.e2")
@pytest.mark.parametrize(("name", "phases"), MIXED)
def test_the_one_card_of_the_turn_comes_anywhere_between(name: str, phases: str) -> None:
    game = turn_of(name, "8 ore", "2 wool", phases=phases, dev=by_seat(name, CARDS))
    game.play(0, "supply 4 ore : 1 brick")
    game.play(0, "year-of-plenty lumber wool")
    game.play(0, "road C3/e")
    game.play(0, "supply 4 ore : 1 grain")
    for card in ("knight", "road-building", "monopoly wool", "year-of-plenty ore ore"):
        game.refused(0, card, "DEV-03")
    assert game.hand(0) == {"brick": 0, "lumber": 0, "wool": 1, "grain": 1, "ore": 0}


@pytest.mark.rule("PHASE-05", "PHASE-05.e1", "PHASE-05.e2")
@pytest.mark.parametrize("build", BUILDS)
@pytest.mark.parametrize("name", SEPARATE)
def test_with_separate_phases_the_first_build_or_purchase_ends_trading(name: str, build: str) -> None:
    game = turn_of(name, RICH, RICH)
    game.play(0, f"offer 1 ore : 1 brick to {game.colors[1]}")
    assert game.to_act() == [0, 1]
    if build == "buy":
        game.buy(0, "knight")
    else:
        game.play(0, build)
    for seat, trade in trades(game):
        game.refused(seat, trade, "PHASE-05")
    assert game.to_act() == [0]
    assert not any(game.open_offers.give[slot] for slot in range(8))  # offer #1 has ended with the trade phase
    assert "supply" not in kinds_of(game, 0)
    assert game.legal(1) == []
    game.play(0, "road B4/se")  # building goes on
    game.pass_turn(total=2)
    game.play(1, "supply 4 ore : 1 wool")  # and the next turn has trade again


@pytest.mark.rule("PHASE-05")
@pytest.mark.parametrize("build", BUILDS)
@pytest.mark.parametrize("name", COMBINED)
def test_in_zip_and_sixth_a_build_ends_nothing(name: str, build: str) -> None:
    game = turn_of(name, RICH, RICH)
    game.play(0, f"offer 1 ore : 1 brick to {game.colors[1]}")
    if build == "buy":
        game.buy(0, "knight")
    else:
        game.play(0, build)
    assert game.to_act() == [0, 1]
    for seat, trade in trades(game):
        game.copy().play(seat, trade)


@pytest.mark.rule("PHASE-05", "PHASE-05.e3", "EDN-03")
@pytest.mark.parametrize("name", SEPARATE)
def test_what_a_played_card_brings_does_not_end_trading(name: str) -> None:
    for card in CARD_PLAYS:
        game = turn_of(name, "4 ore", "2 wool", dev=by_seat(name, CARDS))
        game.play(0, card)
        if card == "knight":
            game.play(0, "robber A1")
        if card == "road-building":
            game.play(0, "road C3/e")
            game.play(0, "road C3/se")
        assert game.phase == "main"
        game.play(0, "supply 4 ore : 1 brick")
        game.play(0, f"offer 1 brick : 1 wool to {game.colors[1]}")


@pytest.mark.rule("PHASE-05")
@pytest.mark.parametrize("name", SEPARATE)
def test_a_refused_build_does_not_end_trading_and_a_card_does_not_bring_it_back(name: str) -> None:
    game = turn_of(name, "4 ore", dev=by_seat(name, "1 year-of-plenty"))
    game.refused(0, "city C3n", "BUILD-01")
    game.play(0, "supply 4 ore : 1 brick")
    game.play(0, "year-of-plenty lumber lumber")
    game.play(0, "road C3/e")
    game.refused(0, "supply 4 ore : 1 brick", "PHASE-05")
    late = turn_of(name, "1 brick 1 lumber 4 ore", dev=by_seat(name, "1 year-of-plenty"))
    late.play(0, "road C3/e")
    late.play(0, "year-of-plenty wool wool")
    late.refused(0, "supply 4 ore : 1 brick", "PHASE-05")


@pytest.mark.rule("PHASE-05.e4")
@all_editions
def test_trade_and_build_may_both_be_left_out(edition: str) -> None:
    for acts in ([], ["supply 4 ore : 1 wool"], ["city C3n"]):
        game = turn_of(edition, RICH)
        for act in acts:
            game.play(0, act)
        game.play(0, "end")
        assert (game.state.active, game.phase) == (1, "roll")


@pytest.mark.rule("PHASE-06", "PHASE-06.e1")
def test_combined_phases_are_an_option_that_is_off_by_default() -> None:
    for name in SEPARATE:
        assert check_options(edition=name).phases == edition(name).phases == "separate"
        assert scene(name).state.separate == 1
        assert check_options(edition=name, phases="combined").phases == "combined"
        assert scene(name, phases="combined").state.separate == 0
    for name in COMBINED:
        assert check_options(edition=name).phases == "combined"
        assert scene(name).state.separate == 0


@pytest.mark.rule("PHASE-07", "PHASE-07.e1")
@pytest.mark.parametrize("phases", ["combined", "separate"])
@pytest.mark.parametrize("name", EDITIONS)
def test_a_new_harbor_serves_at_once_only_with_combined_phases(name: str, phases: str) -> None:
    if phases not in edition(name).phases_options:
        phases = "combined"
    game = turn_of(name, "1 brick 1 lumber 1 wool 1 grain 2 ore", phases=phases)
    game.refused(0, "supply 2 ore : 1 brick", "PORT-03")
    game.play(0, "settlement B4ne")  # at the ore harbor
    if phases == "combined":
        game.play(0, "supply 2 ore : 1 brick")
        return
    game.refused(0, "supply 2 ore : 1 brick", "PHASE-05")
    game.next_turn_of(0)
    game.roll(2)
    game.play(0, "supply 2 ore : 1 brick")


# --- the end of a turn ------------------------------------------------------------------------------------------------


@pytest.mark.rule("PHASE-08", "PHASE-08.e1")
@pytest.mark.parametrize("moment", PENDING)
@all_editions
def test_the_turn_cannot_end_while_a_seven_is_open(edition: str, moment: str) -> None:
    game = seven(edition)
    until(game, moment)
    refused(game, 0, "end", "PHASE-08", "PHASE-11")
    until(game, "main")
    game.play(0, "end")
    assert game.state.active == 1


@pytest.mark.rule("PHASE-08", "PHASE-08.e1")
@all_editions
def test_the_turn_cannot_end_while_a_free_road_is_open(edition: str) -> None:
    game = turn_of(edition, dev=by_seat(edition, "1 road-building"))
    game.play(0, "road-building")
    game.refused(0, "end", "PHASE-08")
    game.refused(0, "waive", "DEV-18")
    game.play(0, "road C3/e")
    game.refused(0, "end", "PHASE-08")
    if edition in SEPARATE:  # the second road may be left out, by an action of its own
        game.play(0, "waive")
    else:
        game.refused(0, "waive", "DEV-18")
        game.play(0, "road C3/se")
    game.play(0, "end")
    assert game.state.active == 1


@pytest.mark.rule("PHASE-08")
@all_editions
def test_only_the_player_ends_the_turn(edition: str) -> None:
    game = turn_of(edition)
    for seat in (1, 2, 3):
        game.refused(seat, "end", "PHASE-12")
    assert legal_texts(game, 0) == ["end"]  # nothing else is left to do, and still the turn goes on
    assert (game.phase, game.state.active) == ("main", 0)
    game.play(0, "end")
    assert (game.phase, game.state.active) == ("roll", 1)
