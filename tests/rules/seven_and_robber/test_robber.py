"""The robber: when it moves, where it goes, what it blocks (ROBBER-01 to ROBBER-04, ROBBER-08)."""

from __future__ import annotations

import pytest

from hexholm.rules.encoding import action_codes as act
from hexholm.rules.places import HEX_NAMES
from hexholm.rules.reasons import IllegalAction
from tests.helpers.legal_texts import legal_texts
from tests.helpers.marks import all_editions, three_or_four

from ..scenes import Start, after_seven, both_ways, colors_of, hand_text, hills_4, scene

# --- when it moves ----------------------------------------------------------------------------------------------------


@pytest.mark.rule("ROBBER-01")
@all_editions
def test_without_a_seven_or_a_knight_the_robber_stays(edition: str) -> None:
    first, second, *_ = colors_of(edition)
    game = scene(edition, phase="roll", settlements={second: "C5n"}, hands={second: "1 ore"}, dev={first: "1 monopoly"})
    game.refused(first, "robber C5", "ROBBER-01")
    for total in (2, 3, 4, 5, 6, 8, 9, 10, 11, 12):
        game.roll(total)
        assert game.phase == "main"
        game.refused(game.active(), "robber A1", "ROBBER-01")
        assert HEX_NAMES[game.state.robber] == "C3"
        game.pass_turn()


@pytest.mark.rule("ROBBER-01", "ROBBER-02")
@all_editions
@both_ways
def test_a_seven_or_a_knight_moves_it(edition: str, start: Start) -> None:
    game = start(edition)
    game.refused(0, "end", "PHASE-08")  # it must be moved
    game.refused(0, "buy", "PHASE-11")
    assert {text.split()[0] for text in legal_texts(game, 0)} == {"robber"}
    game.play(0, "robber A1")
    assert HEX_NAMES[game.state.robber] == "A1"
    assert game.phase == "main"
    game.refused(0, "robber A2", "ROBBER-01")  # once


@pytest.mark.rule("ROBBER-01.e1")
@all_editions
def test_a_knight_and_then_a_seven_move_it_twice_in_one_turn(edition: str) -> None:
    first = colors_of(edition)[0]
    game = scene(edition, phase="roll", dev={first: "1 knight"})
    game.play(first, "knight")
    game.play(first, "robber A1")
    assert game.phase == "roll"
    game.roll(7)
    assert game.phase == "robber"
    game.refused(first, "robber A1", "ROBBER-02")
    game.play(first, "robber E3")
    assert HEX_NAMES[game.state.robber] == "E3"
    assert game.active() == first


# --- where it goes ----------------------------------------------------------------------------------------------------


@pytest.mark.rule("ROBBER-02", "ROBBER-02.e1", "ROBBER-03", "ROBBER-03.e1")
@all_editions
@both_ways
def test_every_hex_but_its_own_is_a_target(edition: str, start: Start) -> None:
    for robber in ("C3", "A1", "D3"):
        game = start(edition, robber=robber)
        game.refused(0, f"robber {robber}", "ROBBER-02")
        assert legal_texts(game, 0) == [f"robber {name}" for name in HEX_NAMES if name != robber]
        assert all(game.allowed(0, f"robber {name}") for name in HEX_NAMES if name != robber)


@pytest.mark.rule("ROBBER-03", "ROBBER-03.e1")
@all_editions
@both_ways
def test_back_to_the_desert_is_legal(edition: str, start: Start) -> None:
    game = start(edition, robber="A1")
    game.play(0, "robber C3")
    assert HEX_NAMES[game.state.robber] == "C3"
    assert game.phase == "main"


@pytest.mark.rule("ROBBER-03", "ROBBER-03.e2", "ROBBER-08")
@all_editions
@both_ways
def test_a_hex_without_buildings_is_legal(edition: str, start: Start) -> None:
    two = colors_of(edition)[1]
    game = start(edition, settlements={two: "C5n"}, hands={two: "3 ore"})
    game.play(0, "robber E1")
    assert game.phase == "main"
    assert hand_text(game, two) == "3 ore"


@pytest.mark.rule("ROBBER-03", "ROBBER-03.e3", "ROBBER-08", "ROBBER-08.e1", "EDN-03")
@all_editions
@both_ways
@three_or_four
def test_a_hex_with_only_own_buildings_is_legal_and_steals_nothing(edition: str, start: Start, players: int) -> None:
    first, second, *_ = colors_of(edition)
    game = start(
        edition,
        settlements={first: "C5n", second: "D1s"},
        cities={first: "C5se"},
        hands={first: "2 brick", second: "3 ore"},
        players=players,
    )
    game.play(0, "robber C5")
    assert game.phase == "main"
    assert (hand_text(game, first), hand_text(game, second)) == ("2 brick", "3 ore")
    game.refused(0, f"steal {second}", "ROBBER-05")


@pytest.mark.rule("ROBBER-08", "ROBBER-08.e1")
@all_editions
@both_ways
@pytest.mark.parametrize("target", ["E1", "C5"])
def test_where_no_opponent_has_a_building_nobody_loses_a_card(edition: str, start: Start, target: str) -> None:
    colors = colors_of(edition)
    game = start(edition, settlements={colors[0]: "C5n"}, hands=dict.fromkeys(colors, "1 ore"))
    game.play(0, f"robber {target}")
    assert game.phase == "main"
    assert [hand_text(game, color) for color in colors] == ["1 ore"] * 4


@pytest.mark.rule("ROBBER-03.e4")
@both_ways
def test_the_sea_is_no_target(start: Start) -> None:
    game = start()
    before = game.all_bytes()
    for name in ("A4", "B5", "D5", "E4", "F1", "C0", "C6", "sea"):
        with pytest.raises(ValueError, match="cannot read"):
            game.play(0, f"robber {name}")
    for number in (19, 20, 31, 1000):
        reason = game.why_not(0, act.simple_action(act.ROBBER, number))
        assert reason is not None
        assert reason.rule == "PHASE-13"
    assert game.all_bytes() == before


@pytest.mark.rule("ROBBER-03.e4")
@pytest.mark.parametrize("number", [19, 20, 31, 1000])
def test_a_hex_number_beyond_the_island_is_refused_like_any_illegal_action(number: int) -> None:
    game = after_seven()
    before = game.all_bytes()
    with pytest.raises(IllegalAction) as error:
        game.play(0, act.simple_action(act.ROBBER, number))
    assert error.value.reason.rule == "PHASE-13"
    assert game.all_bytes() == before


# --- what it blocks ---------------------------------------------------------------------------------------------------


@pytest.mark.rule("ROBBER-04")
@pytest.mark.parametrize(
    ("edition_name", "xander", "a", "b"),
    [
        pytest.param("fifth", "white", "red", "orange", marks=pytest.mark.rule("ROBBER-04.x1")),
        pytest.param("threed", "white", "red", "blue", marks=pytest.mark.rule("ROBBER-04.x2")),
        ("zip", "black", "red", "blue"),
        ("sixth", "white", "red", "blue"),
        ("summary", "white", "red", "blue"),
    ],
)
def test_illustration_l(edition_name: str, xander: str, a: str, b: str) -> None:
    game = after_seven(edition_name, turn=xander, board=hills_4(), robber="D3", settlements={a: "B2n", b: "B2sw"})
    game.play(xander, "robber B2")
    game.play(xander, f"steal {a}")
    game.pass_turn(4)
    assert (hand_text(game, a), hand_text(game, b)) == ("nothing", "nothing")
    game.pass_turn(4)
    assert (hand_text(game, a), hand_text(game, b)) == ("nothing", "nothing")
    game.pass_turn(7)
    game.play(game.active(), "robber A3")  # it moves on
    game.pass_turn(4)
    assert (hand_text(game, a), hand_text(game, b)) == ("1 brick", "1 brick")


@pytest.mark.rule("ROBBER-04", "ROBBER-04.e3")
@all_editions
@both_ways
def test_the_one_who_put_it_there_gets_nothing_either(edition: str, start: Start) -> None:
    first, second, *_ = colors_of(edition)
    game = start(edition, settlements={first: "C5n"}, cities={second: "C5se"})
    game.play(first, "robber C5")
    game.pass_turn(8)
    assert (hand_text(game, first), hand_text(game, second)) == ("nothing", "nothing")


@pytest.mark.rule("ROBBER-04.e1")
@all_editions
def test_building_at_the_robbers_hex_stays_legal(edition: str) -> None:
    first = colors_of(edition)[0]
    game = scene(
        edition,
        robber="C5",
        settlements={first: "C5n"},
        roads={first: "C5/ne C5/e"},
        hands={first: "2 brick 2 lumber 1 wool 3 grain 3 ore"},
    )
    game.play(first, "road C5/se")
    game.play(first, "settlement C5se")
    game.play(first, "city C5n")
    assert hand_text(game, first) == "nothing"
    assert game.points(first) == 3


@pytest.mark.rule("ROBBER-04.e2")
@all_editions
def test_a_harbor_at_the_robbers_hex_stays_open(edition: str) -> None:
    first = colors_of(edition)[0]
    game = scene(edition, robber="D4", settlements={first: "D4se"}, hands={first: "2 wool"})  # the wool harbor
    game.play(first, "supply 2 wool : 1 ore")
    assert hand_text(game, first) == "1 ore"
    general = scene(edition, robber="C5", settlements={first: "C5ne"}, hands={first: "3 brick"})
    general.play(first, "supply 3 brick : 1 ore")
    assert hand_text(general, first) == "1 ore"
