"""A roll of seven: discards before the robber (SEVEN-*)."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from hexholm.rules.setup.editions import EDITIONS, edition
from tests.helpers.legal_texts import legal_texts
from tests.helpers.marks import all_editions, three_or_four

from ..scenes import Scene, by_seat, colors_of, hand_text, scene, supply_text, view_bytes
from ..turns import hand_of


def seven(edition: str, *hands: str, **scene_options: Any) -> Scene:
    """Seat 0 has just rolled a seven; hands by seat."""
    game = scene(edition, phase="roll", hands=by_seat(edition, *hands), **scene_options)
    game.roll(7)
    return game


def owed_counts(game: Scene) -> list[int]:
    return [game.state.owed[seat] for seat in range(game.state.players)]


def discard_any(game: Scene, player: int | str) -> None:
    game.play(player, legal_texts(game, player)[0])


# --- the order --------------------------------------------------------------------------------------------------------


@pytest.mark.rule("SEVEN-01")
@all_editions
@three_or_four
def test_first_discards_then_the_robber_then_the_theft(edition: str, players: int) -> None:
    first, second, *_ = colors_of(edition)
    settlements = {second: "C5n"}
    game = seven(edition, "1 brick", "8 ore", settlements=settlements, players=players)
    assert game.phase == "discard"
    game.refused(first, f"steal {second}", "PHASE-11")
    game.refused(first, "robber C5", "SEVEN-05")
    game.play(second, "discard 4 ore")
    assert game.phase == "robber"
    game.refused(first, f"steal {second}", "PHASE-11")
    game.play(first, "robber C5")
    assert game.phase == "theft"
    game.deal("stolen ore")
    assert game.phase == "main"
    assert (hand_text(game, first), hand_text(game, second)) == ("1 brick 1 ore", "3 ore")


@pytest.mark.rule("SEVEN-01", "SEVEN-01.e1")
@all_editions
@pytest.mark.parametrize("phase", ["roll", "main"])
def test_a_knight_goes_straight_to_the_robber(edition: str, phase: str) -> None:
    first, second, *_ = colors_of(edition)
    hands = by_seat(edition, hand_of(12), hand_of(9), hand_of(8))
    game = scene(edition, phase=phase, dev={first: "1 knight"}, hands=hands, settlements={second: "C5n"})
    game.play(first, "knight")
    assert game.phase == "robber"
    assert owed_counts(game) == [0, 0, 0, 0]
    game.refused(second, "discard 4 ore", "SEVEN-02")
    assert [game.size(seat) for seat in range(4)] == [12, 9, 8, 0]


@pytest.mark.rule("SEVEN-01", "SEVEN-02")
@all_editions
def test_without_a_hand_over_seven_the_robber_comes_at_once(edition: str) -> None:
    game = seven(edition, *[hand_of(7)] * 4)
    assert game.phase == "robber"
    assert game.to_act() == [0]
    assert owed_counts(game) == [0, 0, 0, 0]


# --- how many ---------------------------------------------------------------------------------------------------------


@pytest.mark.rule("SEVEN-02", "SEVEN-02.x1")
def test_zip_black_holds_9_and_keeps_5() -> None:
    game = scene("zip", phase="roll", turn="green", hands={"black": "3 wool 3 ore 3 grain"})
    game.roll(7, "green")
    game.refused("black", "discard 3 wool", "SEVEN-04")
    game.refused("black", "discard 3 wool 2 ore", "SEVEN-04")
    game.play("black", "discard 3 wool 1 ore")
    assert hand_text(game, "black") == "3 grain 2 ore"


@pytest.mark.rule("SEVEN-02", "SEVEN-02.x2")
def test_sixth_white_holds_9_and_keeps_5() -> None:
    game = scene("sixth", phase="roll", turn="white", hands={"white": "3 wool 3 ore 3 grain"})
    game.roll(7, "white")
    game.refused("white", "discard 3 wool 2 ore", "SEVEN-04")
    game.play("white", "discard 3 wool 1 ore")
    assert hand_text(game, "white") == "3 grain 2 ore"


@pytest.mark.rule("SEVEN-02")
@pytest.mark.parametrize(
    "edition_name",
    [
        pytest.param("fifth", marks=pytest.mark.rule("SEVEN-02.x3")),
        pytest.param("threed", marks=pytest.mark.rule("SEVEN-02.x4")),
    ],
)
@three_or_four
def test_hands_of_6_8_and_11_lose_0_4_and_5(edition_name: str, players: int) -> None:
    alex, larry, will = 0, 1, 2  # in threed: Alex, Donna, Pete
    game = seven(edition_name, hand_of(6), hand_of(8), hand_of(11), players=players)
    assert owed_counts(game)[:3] == [0, 4, 5]
    assert game.to_act() == [larry, will]
    game.refused(alex, "discard 1 brick", "SEVEN-02")
    discard_any(game, will)
    discard_any(game, larry)
    assert [game.size(seat) for seat in (alex, larry, will)] == [6, 4, 6]
    assert game.phase == "robber"


@pytest.mark.rule("SEVEN-02", "SEVEN-02.x5")
def test_summary_nine_cards_four_discarded() -> None:
    for seat in range(4):
        game = seven("summary", *["1 ore" if each_seat != seat else hand_of(9) for each_seat in range(4)])
        assert owed_counts(game) == [4 if each_seat == seat else 0 for each_seat in range(4)]
        discard_any(game, seat)
        assert game.size(seat) == 5


@pytest.mark.rule("SEVEN-02", "SEVEN-02.e1", "SEVEN-02.e3")
@pytest.mark.parametrize("name", EDITIONS)
@pytest.mark.parametrize(
    ("size", "due"),
    [(0, 0), (1, 0), (6, 0), (7, 0), (8, 4), (9, 4), (10, 5), (13, 6), (14, 7), (15, 7), (16, 8), (21, 10)],
)
def test_half_rounded_down_from_eight_cards_on(name: str, size: int, due: int) -> None:
    assert edition(name).hand_limit_on_seven == 7
    game = seven(name, "", hand_of(size))
    assert owed_counts(game) == [0, due, 0, 0]
    assert game.to_act() == ([1] if due else [0])
    if due:
        discard_any(game, 1)
    assert game.size(1) == size - due
    assert game.phase == "robber"


@pytest.mark.rule("SEVEN-02.e2")
@all_editions
def test_nobody_discards_twice_on_one_seven(edition: str) -> None:
    game = seven(edition, "", hand_of(17))
    assert owed_counts(game) == [0, 8, 0, 0]
    discard_any(game, 1)
    assert game.size(1) == 9
    assert game.phase == "robber"
    game.refused(1, "discard 4 brick", "SEVEN-02")
    game.play(0, "robber A1")
    assert game.size(1) == 9
    assert game.phase == "main"


@pytest.mark.rule("SEVEN-03", "SEVEN-03.e1", "DEV-09")
@all_editions
def test_development_cards_do_not_count_for_the_limit(edition: str) -> None:
    two = colors_of(edition)[1]
    five = "2 knight 1 victory-point 1 monopoly 1 road-building"
    game = seven(edition, "", hand_of(7), dev={two: five})
    assert game.phase == "robber"
    over = seven(edition, "", hand_of(8), dev={two: five})
    assert owed_counts(over) == [0, 4, 0, 0]  # not six of thirteen
    discard_any(over, 1)
    assert sum(over.development(1).values()) == 5


@pytest.mark.rule("SEVEN-06", "SEVEN-06.e1")
@all_editions
@three_or_four
def test_the_roller_discards_before_moving_the_robber(edition: str, players: int) -> None:
    game = seven(edition, "4 brick 4 ore", players=players)
    assert game.to_act() == [0]
    assert owed_counts(game)[0] == 4
    game.refused(0, "robber A1", "SEVEN-05")
    game.play(0, "discard 4 brick")
    assert hand_text(game, 0) == "4 ore"
    game.play(0, "robber A1")
    assert game.phase == "main"


# --- which cards ------------------------------------------------------------------------------------------------------


@pytest.mark.rule("SEVEN-04")
@all_editions
def test_the_owner_may_choose_any_half(edition: str) -> None:
    game = seven(edition, "", "3 brick 1 lumber 4 ore")
    choices = {
        f"discard {' '.join(f'{n} {kind}' for n, kind in zip((b, w, o), ('brick', 'lumber', 'ore'), strict=True) if n)}"
        for b, w, o in itertools.product(range(4), range(2), range(5))
        if b + w + o == 4
    }
    assert set(legal_texts(game, 1)) == choices
    for choice in choices:
        copy = game.copy()
        copy.play(1, choice)
        assert sum(copy.hand(1).values()) == 4


@pytest.mark.rule("SEVEN-04", "SEVEN-04.e1")
@all_editions
def test_a_wrong_number_or_foreign_cards_are_refused(edition: str) -> None:
    game = seven(edition, "1 lumber", "3 brick 5 ore", hand_of(5))
    for bad_discard in ("3 ore", "5 ore", "nothing", "3 brick 5 ore", "4 brick", "3 ore 1 wool", "4 lumber", "31 ore"):
        game.refused(1, f"discard {bad_discard}", "SEVEN-04")
    for other_seat in (0, 2, 3):
        game.refused(other_seat, "discard 1 ore", "SEVEN-02")
    assert game.allowed(1, "discard 4 ore")


@pytest.mark.rule("SEVEN-04")
@all_editions
def test_nobody_discards_without_a_seven(edition: str) -> None:
    game = scene(edition, hands=by_seat(edition, hand_of(10), hand_of(10)))
    for seat in (0, 1):
        game.refused(seat, "discard 1 brick 1 lumber 1 wool 1 grain 1 ore", "SEVEN-02")


@pytest.mark.rule("SEVEN-04", "SEVEN-04.e2", "SEVEN-04.e3")
@all_editions
@three_or_four
def test_discards_of_waiting_players_go_to_the_supply(edition: str, players: int) -> None:
    game = seven(edition, "", "8 ore", "9 wool", players=players)
    assert supply_text(game) == "19 brick 19 lumber 10 wool 19 grain 11 ore"
    game.play(2, "discard 4 wool")
    game.play(1, "discard 4 ore")
    assert supply_text(game) == "19 brick 19 lumber 14 wool 19 grain 15 ore"
    assert (hand_text(game, 0), hand_text(game, 1), hand_text(game, 2)) == ("nothing", "4 ore", "5 wool")


@pytest.mark.rule("SEVEN-02", "SEVEN-05")
@all_editions
def test_what_was_discarded_is_not_taken_again_at_the_next_seven(edition: str) -> None:
    game = seven(edition, "8 brick", "3 ore", "17 wool")
    game.play(0, "discard 4 brick")
    game.play(2, "discard 8 wool")
    game.play(0, "robber A1")
    game.pass_turn(7)
    assert game.to_act() == [2]
    game.play(2, "discard 4 wool")
    assert [hand_text(game, seat) for seat in range(4)] == ["4 brick", "3 ore", "5 wool", "nothing"]
    assert supply_text(game) == "15 brick 19 lumber 14 wool 19 grain 16 ore"


# --- all together -----------------------------------------------------------------------------------------------------


@pytest.mark.rule("SEVEN-05", "SEVEN-05.e1")
@all_editions
def test_the_robber_waits_for_the_last_discard(edition: str) -> None:
    game = seven(edition, hand_of(8), hand_of(8), hand_of(8), hand_of(7))
    for seat in (1, 0, 2):
        game.refused(0, "robber A1", "SEVEN-05")
        game.refused(0, "end", "PHASE-08")
        assert game.phase == "discard"
        discard_any(game, seat)
    assert game.phase == "robber"
    game.play(0, "robber A1")


@pytest.mark.rule("SEVEN-05", "EDN-03")
@all_editions
def test_discards_come_in_any_order_with_the_same_result(edition: str) -> None:
    ends = set()
    for order in itertools.permutations((0, 1, 2)):
        game = seven(edition, "8 brick", "9 lumber", "10 wool")
        for seat in order:
            game.play(seat, ("discard 4 brick", "discard 4 lumber", "discard 5 wool")[seat])
        ends.add(game.all_bytes())
    assert len(ends) == 1


@pytest.mark.rule("SEVEN-05", "SEVEN-05.e2", "EDN-03")
@all_editions
def test_what_each_owes_is_public_at_once(edition: str) -> None:
    game = seven(edition, hand_of(8), hand_of(12), hand_of(7), hand_of(15))
    for observer in (None, 0, 1, 2, 3):
        view = game.view(observer)
        assert [view.owed[seat] for seat in range(4)] == [4, 6, 0, 7]
        assert view.to_act == 0b1011


@pytest.mark.rule("SEVEN-05.e2")
@all_editions
def test_hands_and_supply_change_for_all_when_the_last_discard_is_in(edition: str) -> None:
    game = seven(edition, "", "8 ore", "9 wool")
    before = supply_text(game)
    game.play(1, "discard 4 ore")
    assert supply_text(game) == before
    assert (hand_text(game, 1), hand_text(game, 2)) == ("8 ore", "9 wool")
    view = game.view(None)
    assert [view.hand_size[seat] for seat in range(4)] == [0, 8, 9, 0]
    game.play(2, "discard 4 wool")
    assert (hand_text(game, 1), hand_text(game, 2)) == ("4 ore", "5 wool")
    view = game.view(None)
    assert [view.hand_size[seat] for seat in range(4)] == [0, 4, 5, 0]


@pytest.mark.rule("SEVEN-05", "EDN-03")
@all_editions
def test_a_choice_stays_hidden_until_all_are_in(edition: str) -> None:
    def table(*plays: tuple[int, str]) -> Scene:
        game = seven(edition, "", "4 brick 5 ore", hand_of(9))
        for seat, act in plays:
            game.play(seat, act)
        return game

    undecided, bricks, ores = table(), table((1, "discard 4 brick")), table((1, "discard 4 ore"))
    for observer in (None, 0, 2, 3):
        assert view_bytes(undecided, observer) == view_bytes(bricks, observer) == view_bytes(ores, observer)
    assert view_bytes(bricks, 1) != view_bytes(ores, 1) != view_bytes(undecided, 1)
    bricks.refused(1, "discard 4 ore", "SEVEN-02")  # a choice is final
    last = "discard 1 brick 1 lumber 1 wool 1 grain"
    bricks.play(2, last)
    ores.play(2, last)
    for observer in (None, 0, 2, 3):
        assert view_bytes(bricks, observer) != view_bytes(ores, observer)  # now the kinds lie open in the supply
