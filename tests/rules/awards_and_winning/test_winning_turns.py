"""Winning, second part: only on the own turn, hidden points, the others (WIN-03, WIN-05 to WIN-09)."""

from __future__ import annotations

import pytest

from hexholm.rules.referee import Referee
from tests.helpers.legal_texts import legal_texts
from tests.helpers.marks import all_editions

from ..scenes import Scene, chain, red_first, roads_along, scene, view_bytes
from ..turns import EIGHT_POINTS

SETTLEMENT, CITY, CARD = "1 brick 1 lumber 1 wool 1 grain", "2 grain 3 ore", "1 wool 1 grain 1 ore"


def before_the_cut(
    edition: str, *, fourth_more: str = "", blue_has: str = "", third_has: str = "", third_hand: str = ""
) -> Scene:
    """Blue can cut red's road on C3n; that gives the award to the fourth player, who has eight points or more.

    `blue_has`, `third_has` and `fourth_more` are settlements beside four cities; the third player is next.
    """
    colors = red_first(edition)
    third, fourth = colors[2:]
    return scene(
        edition,
        colors=colors,
        turn="blue",
        hands={"blue": SETTLEMENT, third: third_hand},
        settlements={"blue": blue_has, third: third_has, fourth: fourth_more},
        cities={
            "blue": EIGHT_POINTS if blue_has else "",
            third: "C1s C2s C3s C4s" if third_has else "",
            fourth: "D1s D2s D3s D4s",
        },
        roads={
            "red": chain("BC", 7),
            "blue": roads_along("C3n B2ne B3n"),
            third: chain("CD", 5),
            fourth: chain("DE", 6),
        },
        longest_road="red",
    )


# --- WIN-03, WIN-08: not on the turn of another -----------------------------------------------------------------------


@all_editions
@pytest.mark.rule("WIN-03", "WIN-03.e1", "WIN-08", "WIN-08.e1")
def test_ten_on_the_turn_of_another_wins_only_when_the_own_turn_begins(edition: str) -> None:
    game = before_the_cut(edition)
    fourth = game.colors[3]
    game.play("blue", "settlement C3n")
    assert (game.holder("longest_road"), game.points(fourth)) == (fourth, 10)
    assert (game.winner, game.phase) == (None, "main")
    game.play("blue", "end")
    game.roll(2)
    assert (game.winner, game.phase) == (None, "main")
    game.play(game.colors[2], "end")
    assert (game.winner, game.phase) == (game.seat(fourth), "over")
    assert game.state.rolled == 0
    game.refused(fourth, "roll", "WIN-02")


@all_editions
@pytest.mark.rule("WIN-03", "WIN-08", "WIN-08.e1")
def test_the_same_with_three_players(edition: str) -> None:
    colors = red_first(edition)[:3]
    third = colors[2]
    game = scene(
        edition,
        players=3,
        colors=colors,
        turn="red",
        hands={"red": SETTLEMENT},
        cities={third: "D1s D2s D3s D4s"},
        roads={"blue": chain("BC", 7), "red": roads_along("C3n B2ne B3n"), third: chain("DE", 6)},
        longest_road="blue",
    )
    game.play("red", "settlement C3n")
    assert (game.points(third), game.winner) == (10, None)
    game.play("red", "end")
    game.roll(2)
    game.play("blue", "end")
    assert game.winner == game.seat(third)


@all_editions
@pytest.mark.rule("WIN-03", "WIN-03.e2")
def test_the_points_can_be_lost_again_before_the_own_turn(edition: str) -> None:
    game = before_the_cut(edition, third_hand="2 brick 2 lumber")
    third, fourth = game.colors[2:]
    game.play("blue", "settlement C3n")
    assert game.points(fourth) == 10
    game.play("blue", "end")
    game.roll(2)
    for road in ("C3/se", "C4/sw"):
        game.play(third, f"road {road}")
    assert (game.holder("longest_road"), game.points(fourth)) == (third, 8)
    game.play(third, "end")
    assert (game.winner, game.phase, game.active()) == (None, "roll", fourth)


@all_editions
@pytest.mark.rule("WIN-03", "WIN-03.e3")
def test_if_both_have_ten_the_active_player_wins(edition: str) -> None:
    game = before_the_cut(edition, blue_has="E2s")
    assert game.points("blue") == 9
    game.play("blue", "settlement C3n")
    assert (game.points("blue"), game.points(game.colors[3])) == (10, 10)
    assert game.winner == game.seat("blue")


@all_editions
@pytest.mark.rule("WIN-03", "WIN-03.e4")
def test_another_may_reach_ten_on_the_own_turn_first(edition: str) -> None:
    game = before_the_cut(edition, third_has="B1n", third_hand=CARD)
    third, fourth = game.colors[2:]
    game.play("blue", "settlement C3n")
    assert (game.points(third), game.points(fourth)) == (9, 10)
    game.play("blue", "end")
    game.roll(2)
    game.buy(third, "victory-point")
    assert game.winner == game.seat(third)


def hidden_or_not(edition: str, drawn_card: str) -> Scene:
    """Blue with six points bought two cards; then the third player cut red's road and blue got the award."""
    colors = red_first(edition)
    third = colors[2]
    game = scene(
        edition,
        colors=colors,
        turn="blue",
        hands={"blue": "2 wool 2 grain 2 ore", third: SETTLEMENT},
        cities={"blue": "A1n A2n A3n"},
        roads={"red": chain("BC", 7), "blue": chain("AB", 6), third: roads_along("C2ne C2se C3s")},
        longest_road="red",
    )
    game.buy("blue", drawn_card)
    game.buy("blue", drawn_card)
    game.play("blue", "end")
    game.roll(2)
    game.play(third, "settlement C2ne")
    assert (game.holder("longest_road"), game.points("blue")) == ("blue", 8)
    return game


@all_editions
@pytest.mark.rule("WIN-03", "WIN-03.e5")
def test_no_view_tells_that_hidden_cards_make_ten(edition: str) -> None:
    ten, eight = hidden_or_not(edition, "victory-point"), hidden_or_not(edition, "knight")
    assert (ten.total("blue"), eight.total("blue")) == (10, 8)
    for observer in (*(color for color in ten.colors if color != "blue"), None):
        assert view_bytes(ten, observer) == view_bytes(eight, observer)
    for color in ten.colors:
        assert legal_texts(ten, color) == legal_texts(eight, color)
    assert view_bytes(ten, "blue") != view_bytes(eight, "blue")
    for game in (ten, eight):
        game.next_turn_of("blue")
    assert (ten.winner, eight.winner) == (ten.seat("blue"), None)


# --- WIN-05, WIN-07: hidden points are shown --------------------------------------------------------------------------


@all_editions
@pytest.mark.rule("WIN-05", "WIN-05.e1")
def test_eight_in_view_and_two_hidden_win_on_the_own_turn(edition: str) -> None:
    game = scene(
        edition, colors=red_first(edition), turn=3, cities={"red": EIGHT_POINTS}, dev={"red": "2 victory-point"}
    )
    assert (game.points("red"), game.total("red"), game.winner) == (8, 10, None)
    game.play(3, "end")
    assert game.winner == game.seat("red")
    assert game.view(None).revealed[game.seat("red")] == 2


@all_editions
@pytest.mark.rule("WIN-05", "WIN-05.e1")
def test_a_victory_point_card_bought_this_turn_counts(edition: str) -> None:
    game = scene(edition, turn="red", hands={"red": CARD}, cities={"red": EIGHT_POINTS}, dev={"red": "1 victory-point"})
    game.play("red", "buy")
    assert game.phase == "draw"
    game.deal("drawn victory-point")
    assert game.winner == game.seat("red")
    assert game.view("blue").revealed[game.seat("red")] == 2


@all_editions
@pytest.mark.rule("WIN-05")
def test_the_winner_shows_all_victory_point_cards(edition: str) -> None:
    """Nine points in view: one card would do, both are shown."""
    game = scene(
        edition,
        turn="red",
        hands={"red": "1 brick 1 lumber"},
        settlements={"red": "E1s"},
        cities={"red": "A1n A2n A3n"},
        roads={"red": chain("BC", 4)},
        dev={"red": "2 victory-point 1 knight"},
    )
    assert game.total("red") == 9
    game.play("red", "road C3/nw")
    assert (game.points("red"), game.winner) == (9, game.seat("red"))
    assert game.view(None).revealed[game.seat("red")] == 2


@all_editions
@pytest.mark.rule("WIN-07", "INFO-04")
def test_the_others_reveal_their_victory_point_cards_at_the_end(edition: str) -> None:
    colors = red_first(edition)
    game = scene(
        edition,
        colors=colors,
        turn="red",
        hands={"red": CITY},
        settlements={"red": "C3n"},
        cities={"red": "A1n A2n A3n"},
        dev={"red": "2 victory-point", "blue": "2 victory-point 1 knight", colors[2]: "1 victory-point"},
    )
    for observer in (*colors, None):
        assert [game.view(observer).revealed[seat] for seat in range(4)] == [-1, -1, -1, -1]
    game.play("red", "city C3n")
    for observer in (*colors, None):
        assert [game.view(observer).revealed[seat] for seat in range(4)] == [2, 2, 1, 0]


# --- WIN-06, WIN-09 ---------------------------------------------------------------------------------------------------


@all_editions
@pytest.mark.parametrize("players", [3, 4])
@pytest.mark.rule("WIN-06")
def test_everybody_starts_with_two_points(edition: str, players: int) -> None:
    fixed = Referee.new(edition=edition, setup="fixed", players=players, first=0)
    variable = Referee.new(edition=edition, setup="variable", players=players, first=0)
    while variable.phase in ("settlement", "road"):
        seat = variable.to_act()[0]
        variable.play(seat, variable.legal(seat)[0])
    for game in (fixed, variable):
        assert [game.points(seat) for seat in range(players)] == [2] * players
        assert game.phase == "roll"


@all_editions
@pytest.mark.rule("WIN-06")
def test_seven_points_more_are_not_enough_and_eight_are(edition: str) -> None:
    game = scene(
        edition,
        turn="red",
        hands={"red": f"{SETTLEMENT} {CITY}"},
        settlements={"red": "E1s E2s"},
        cities={"red": "A1n A2n A3n"},
        roads={"red": "C3/ne"},
    )
    game.play("red", "settlement C3n")
    assert (game.points("red"), game.winner) == (2 + 7, None)
    game.play("red", "city C3n")
    assert (game.points("red"), game.winner) == (2 + 8, game.seat("red"))


@all_editions
@pytest.mark.parametrize("swapped", [False, True])
@pytest.mark.rule("WIN-09", "WIN-09.e1")
def test_two_losers_with_eight_points_are_not_ranked(edition: str, swapped: bool) -> None:
    """Whoever of the two has four cities and whoever the award: there is one winner, and eight is eight."""
    colors = red_first(edition)
    first, second = colors[2:0:-1] if swapped else colors[1:3]
    game = scene(
        edition,
        colors=colors,
        turn="red",
        hands={"red": CITY},
        settlements={"red": "E1s E2s E3s", second: "C1n C2n"},
        cities={"red": "A1n A2n A3n", first: "D1s D2s D3s D4s", second: "C3n C4n"},
        roads={second: chain("BC", 5)},
    )
    game.play("red", "city E1s")
    assert game.winner == game.seat("red")
    assert [game.total(seat) for seat in range(4)] == [10, 8, 8, 0]
    assert game.view(None).winner == game.seat("red")


@all_editions
@pytest.mark.rule("WIN-09", "WIN-09.e2", "WIN-03")
def test_a_waiting_player_with_more_points_has_still_lost(edition: str) -> None:
    game = before_the_cut(edition, blue_has="E2s", fourth_more="B4ne")
    game.play("blue", "settlement C3n")
    assert (game.points("blue"), game.points(game.colors[3])) == (10, 11)
    assert game.winner == game.seat("blue")
    game.refused(game.colors[3], "roll", "WIN-02")
