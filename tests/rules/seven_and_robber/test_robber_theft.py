"""The theft after the robber has moved: from whom, which card, who learns it (ROBBER-05 to ROBBER-12)."""

from __future__ import annotations

import itertools
from fractions import Fraction

import pytest

from tests.helpers.legal_texts import legal_texts
from tests.helpers.marks import all_editions, three_or_four

from ..scenes import (
    Scene,
    Start,
    after_knight,
    after_seven,
    both_ways,
    by_seat,
    colors_of,
    hand_text,
    hills_4,
    view_bytes,
)

# --- whom it robs -----------------------------------------------------------------------------------------------------


@pytest.mark.rule("ROBBER-05", "ROBBER-05.e2", "ROBBER-06")
@pytest.mark.parametrize(
    ("edition_name", "thief"),
    [
        pytest.param("zip", "green", marks=pytest.mark.rule("ROBBER-05.x1")),
        pytest.param("sixth", "orange", marks=pytest.mark.rule("ROBBER-05.x2")),
        ("fifth", "orange"),
        ("threed", "white"),
        ("summary", "white"),
    ],
)
@pytest.mark.parametrize("victim", ["blue", "red"])
def test_at_the_pasture_of_red_and_blue(edition_name: str, thief: str, victim: str) -> None:
    game = after_seven(
        edition_name,
        turn=thief,
        settlements={"red": "D4n"},
        cities={"blue": "D4s"},
        hands={"red": "3 lumber", "blue": "2 brick 1 ore"},
    )
    game.play(thief, "robber D4")
    assert sorted(legal_texts(game, thief)) == ["steal blue", "steal red"]
    game.play(thief, f"steal {victim}")
    kind = "ore" if victim == "blue" else "lumber"
    game.deal(f"stolen {kind}")
    assert hand_text(game, thief) == f"1 {kind}"
    assert hand_text(game, "blue") == ("2 brick" if victim == "blue" else "2 brick 1 ore")
    assert hand_text(game, "red") == ("3 lumber" if victim == "blue" else "2 lumber")
    assert game.phase == "main"


@pytest.mark.rule("ROBBER-05.e1")
@all_editions
@both_ways
def test_every_card_of_the_victim_is_equally_likely(edition: str, start: Start) -> None:
    first, second, third, _ = colors_of(edition)
    hands = {first: "7 wool", second: "4 brick 1 wool 2 ore", third: "5 grain"}
    game = start(edition, settlements={second: "C5n"}, hands=hands)
    assert game.chance() == {}
    game.play(first, "robber C5")
    odds = {game.action_text(code): chance for code, chance in game.chance().items()}
    assert odds == {"stolen brick": Fraction(4, 7), "stolen wool": Fraction(1, 7), "stolen ore": Fraction(2, 7)}
    for kind in ("lumber", "grain"):  # what the victim does not hold cannot be stolen
        with pytest.raises(ValueError, match="not possible"):
            game.deal(f"stolen {kind}")


@pytest.mark.rule("ROBBER-05", "ROBBER-05.e2")
@all_editions
def test_a_city_or_several_buildings_cost_one_card_like_a_settlement(edition: str) -> None:
    first, second, *_ = colors_of(edition)
    for settlements, cities in (("C5n", ""), ("", "C5n"), ("C5n C5se", "C5sw")):
        game = after_seven(edition, settlements={second: settlements}, cities={second: cities}, hands={second: "5 ore"})
        game.play(first, "robber C5")
        game.deal("stolen ore")
        assert (hand_text(game, first), hand_text(game, second)) == ("1 ore", "4 ore")
        assert game.phase == "main"


@pytest.mark.rule("ROBBER-05", "ROBBER-06", "EDN-03")
@all_editions
@both_ways
def test_the_mover_is_never_a_victim(edition: str, start: Start) -> None:
    first, second, third, _ = colors_of(edition)
    hands = {first: "2 brick", second: "1 ore", third: "1 wool"}
    alone = start(edition, settlements={first: "C5n", second: "C5se"}, hands=hands)
    alone.play(first, "robber C5")
    assert alone.phase == "theft"  # one candidate, not two
    assert {alone.action_text(code) for code in alone.chance()} == {"stolen ore"}
    game = start(edition, settlements={first: "C5n", second: "C5se", third: "C5sw"}, hands=hands)
    game.play(first, "robber C5")
    assert legal_texts(game, first) == [f"steal {second}", f"steal {third}"]
    game.refused(first, f"steal {first}", "ROBBER-06")


@pytest.mark.rule("ROBBER-06")
@pytest.mark.parametrize(
    ("edition_name", "mover", "a", "b"),
    [
        pytest.param("fifth", "white", "orange", "blue", marks=pytest.mark.rule("ROBBER-06.x1")),
        pytest.param("threed", "orange", "red", "blue", marks=pytest.mark.rule("ROBBER-06.x2")),
        ("zip", "green", "red", "blue"),
        ("sixth", "orange", "red", "blue"),
        ("summary", "orange", "red", "blue"),
    ],
)
@pytest.mark.parametrize("first", [True, False])
def test_illustration_h_one_of_two_not_both(edition_name: str, mover: str, a: str, b: str, first: bool) -> None:
    game = after_knight(
        edition_name,
        turn=mover,
        board=hills_4(),
        robber="D3",
        settlements={a: "B2n", b: "B2sw"},
        hands={a: "2 ore", b: "2 wool"},
    )
    game.play(mover, "robber B2")
    victim, spared = (a, b) if first else (b, a)
    game.play(mover, f"steal {victim}")
    game.deal("stolen ore" if first else "stolen wool")
    assert hand_text(game, mover) == ("1 ore" if first else "1 wool")
    assert (game.size(victim), game.size(spared)) == (1, 2)
    game.refused(mover, f"steal {spared}", "ROBBER-05")


@pytest.mark.rule("ROBBER-06", "ROBBER-06.e1", "ROBBER-12.e1")
@all_editions
@three_or_four
def test_several_buildings_of_one_player_are_one_candidate(edition: str, players: int) -> None:
    first, second, third, *_ = colors_of(edition)
    alone = after_seven(
        edition, settlements={second: "C5n C5se"}, cities={second: "C5sw"}, hands={second: "1 ore"}, players=players
    )
    alone.play(first, "robber C5")
    assert alone.phase == "theft"
    game = after_seven(
        edition,
        settlements={second: "C5n C5se", third: "C5sw"},
        hands={second: "1 ore", third: "1 wool"},
        players=players,
    )
    game.play(first, "robber C5")
    assert legal_texts(game, first) == [f"steal {second}", f"steal {third}"]


@pytest.mark.rule("ROBBER-06.e2")
@all_editions
@both_ways
def test_a_victim_without_a_building_there_is_refused(edition: str, start: Start) -> None:
    first, second, third, fourth = colors_of(edition)
    hands = {second: "1 ore", third: "1 ore", fourth: "1 ore"}
    # four stands at a neighboring hex and has a road at the robber's
    game = start(
        edition, settlements={second: "C5n", third: "C5se", fourth: "D4sw"}, roads={fourth: "C5/w"}, hands=hands
    )
    game.play(first, "robber C5")
    game.refused(first, f"steal {fourth}", "ROBBER-06")
    assert game.allowed(first, f"steal {third}")


# --- nothing to steal -------------------------------------------------------------------------------------------------


@pytest.mark.rule("ROBBER-07", "ROBBER-07.e1", "EDN-03")
@all_editions
@both_ways
def test_an_only_candidate_without_cards_yields_nothing_and_the_turn_goes_on(edition: str, start: Start) -> None:
    first, second, third, _ = colors_of(edition)
    game = start(edition, settlements={second: "C5n", third: "D1s"}, hands={first: "1 brick 1 lumber", third: "4 ore"})
    game.play(first, "robber C5")
    assert game.phase == "main"
    assert [hand_text(game, color) for color in (first, second, third)] == ["1 brick 1 lumber", "nothing", "4 ore"]
    game.play(first, "end")


@pytest.mark.rule("ROBBER-07", "ROBBER-07.e2", "ROBBER-12.e3", "EDN-03")
@all_editions
@both_ways
def test_an_empty_hand_may_be_chosen_and_there_is_no_second_pick(edition: str, start: Start) -> None:
    first, second, third, _ = colors_of(edition)
    game = start(edition, settlements={second: "C5n", third: "C5se"}, hands={third: "4 ore"})
    game.play(first, "robber C5")
    assert game.allowed(first, f"steal {second}")
    game.play(first, f"steal {second}")
    assert game.phase == "main"
    game.refused(first, f"steal {third}", "ROBBER-05")
    assert [hand_text(game, color) for color in (first, second, third)] == ["nothing", "nothing", "4 ore"]


@pytest.mark.rule("ROBBER-09", "ROBBER-09.e1", "DEV-09")
@all_editions
@both_ways
def test_development_cards_are_never_stolen(edition: str, start: Start) -> None:
    first, second, *_ = colors_of(edition)
    dev = {second: "1 knight 1 victory-point 1 monopoly"}
    game = start(edition, settlements={second: "C5n"}, dev=dev)
    game.play(first, "robber C5")
    assert game.phase == "main"
    assert sum(game.development(second).values()) == 3
    assert sum(game.development(first).values()) == 0


@pytest.mark.rule("ROBBER-09")
@all_editions
def test_only_resource_cards_are_drawn_from_a_hand_with_both(edition: str) -> None:
    first, second, *_ = colors_of(edition)
    game = after_seven(edition, settlements={second: "C5n"}, hands={second: "1 ore"}, dev={second: "3 knight"})
    game.play(first, "robber C5")
    assert {game.action_text(code): chance for code, chance in game.chance().items()} == {"stolen ore": Fraction(1)}
    game.deal("stolen ore")
    assert game.development(second)["knight"] == 3


# --- the desert -------------------------------------------------------------------------------------------------------


@pytest.mark.rule("ROBBER-10", "ROBBER-10.e1", "EDN-03")
@all_editions
@both_ways
def test_on_the_desert_it_blocks_nothing_but_steals(edition: str, start: Start) -> None:
    first, second, *_ = colors_of(edition)
    game = start(
        edition, robber="B2", settlements={second: "C3n"}, hands={second: "1 ore"}
    )  # C3n: hills 6, pasture 4, desert
    game.play(first, "robber C3")
    assert game.phase == "theft"
    game.deal("stolen ore")
    assert (hand_text(game, first), hand_text(game, second)) == ("1 ore", "nothing")
    game.pass_turn(6)
    game.pass_turn(4)
    assert hand_text(game, second) == "1 brick 1 wool"


# --- who learns what --------------------------------------------------------------------------------------------------


@pytest.mark.rule("ROBBER-11", "ROBBER-11.e1", "INFO-07")
@all_editions
@both_ways
@three_or_four
def test_only_thief_and_victim_learn_the_card(edition: str, start: Start, players: int) -> None:
    def theft(kind: str) -> Scene:
        hands = by_seat(edition, "1 brick", "2 ore 1 wool", "1 grain")
        game = start(edition, settlements=by_seat(edition, "", "C5n"), hands=hands, players=players)
        game.play(0, "robber C5")
        game.deal(f"stolen {kind}")
        return game

    ore, wool = theft("ore"), theft("wool")
    for observer in (None, *range(2, players)):
        assert view_bytes(ore, observer) == view_bytes(wool, observer)
        view = ore.view(observer)
        assert [view.hand_size[seat] for seat in range(3)] == [2, 2, 1]  # that a card moved is seen
    for observer in (0, 1):
        assert view_bytes(ore, observer) != view_bytes(wool, observer)


# --- no choice to leave it --------------------------------------------------------------------------------------------


@pytest.mark.rule("ROBBER-12", "ROBBER-12.e1", "EDN-03")
@all_editions
@both_ways
def test_one_candidate_is_robbed_without_a_question(edition: str, start: Start) -> None:
    first, second, *_ = colors_of(edition)
    game = start(edition, settlements={second: "C5n"}, hands={second: "1 ore"})
    game.play(first, "robber C5")
    assert game.phase == "theft"
    assert game.to_act() == []
    game.refused(first, "end", "PHASE-11")
    game.deal("stolen ore")
    assert hand_text(game, first) == "1 ore"


@pytest.mark.rule("ROBBER-05", "ROBBER-12", "ROBBER-12.e1")
@both_ways
@pytest.mark.parametrize(("thief", "victim"), list(itertools.permutations(colors_of("fifth"), 2)))
def test_whoever_is_the_only_candidate_is_robbed(start: Start, thief: str, victim: str) -> None:
    one_each = dict.fromkeys(colors_of("fifth"), "1 ore")
    game = start("fifth", turn=thief, settlements={victim: "C5n"}, hands=one_each)
    game.play(thief, "robber C5")
    assert game.phase == "theft"
    game.deal("stolen ore")
    hands = {color: hand_text(game, color) for color in one_each}
    assert hands == one_each | {thief: "2 ore", victim: "nothing"}


@pytest.mark.rule("ROBBER-12", "ROBBER-12.e2", "EDN-03")
@all_editions
@both_ways
def test_with_two_candidates_nothing_else_is_possible_until_one_is_named(edition: str, start: Start) -> None:
    first, second, third, _ = colors_of(edition)
    game = start(
        edition,
        settlements={first: "D1s", second: "C5n", third: "C5se"},
        hands={first: "2 brick 1 lumber 1 wool 1 grain 1 ore", second: "1 ore", third: "1 wool"},
    )
    game.play(first, "robber C5")
    assert game.phase == "victim"
    assert game.to_act() == [0]
    assert legal_texts(game, first) == [f"steal {second}", f"steal {third}"]
    for action in ("road D1/se", "buy", "knight", "waive", "robber A1", "roll"):
        game.refused(first, action, "ROBBER-12")
    game.refused(first, "end", "PHASE-08")
    for seat in (first, second):
        game.refused(seat, f"offer 1 brick : 1 ore to {third if seat == first else first}", "PHASE-11")
    assert game.legal(second) == []
    game.play(first, f"steal {third}")
    game.deal("stolen wool")
    assert game.phase == "main"
