"""Winning, first part: how many points, at which moments, and nothing after it (WIN-01, WIN-02, WIN-04, WIN-10)."""

from __future__ import annotations

from typing import Any

import pytest

from hexholm.rules.reasons import IllegalAction
from tests.helpers.marks import all_editions

from ..scenes import Scene, chain, red_first, roads_along, scene
from ..turns import EIGHT_POINTS

ROAD, SETTLEMENT, CITY, CARD = (
    "1 brick 1 lumber",
    "1 brick 1 lumber 1 wool 1 grain",
    "2 grain 3 ore",
    "1 wool 1 grain 1 ore",
)


# --- WIN-01: ten points -----------------------------------------------------------------------------------------------


def whole_table(edition: str) -> Scene:
    """The end of the game in the books: red's turn, blue is next. Roads 14, 8, 7 and 7; knights 3, 1, 2 and 5."""
    colors = red_first(edition)
    white, orange = colors[2:]
    top = roads_along("A1nw A1n A1ne A2n A2ne A3n A3ne A3se B3ne B3n B2ne B2n B1ne B1n B1nw")
    return scene(
        edition,
        colors=colors,
        turn="red",
        cities={"blue": "A1n A2n", "red": "D1s", white: "C1s", orange: "C1n C2n"},
        settlements={"blue": "A3n B2n B3n", "red": "D2s D3s D4s E1s", white: "C2s C3s C4s", orange: "C3n C4n C5ne E3s"},
        roads={"blue": top, white: chain("CD", 8), orange: chain("BC", 7), "red": chain("DE", 7)},
        played={"blue": "3 knight", "red": "5 knight", white: "1 knight", orange: "2 knight"},
        dev={"blue": "1 victory-point", white: "1 victory-point"},
    )


@pytest.mark.parametrize("edition", ["zip", "sixth"])
@pytest.mark.rule("WIN-01", "WIN-01.x1", "WIN-04", "WIN-04.x1", "WIN-04.x2", "WIN-04.x3", "WIN-04.x4")
def test_the_final_scores_of_the_books(edition: str) -> None:
    game = whole_table(edition)
    white, orange = game.colors[2:]
    assert [game.length(color) for color in ("blue", white, orange, "red")] == [14, 8, 7, 7]
    assert (game.holder("longest_road"), game.holder("largest_army")) == ("blue", "red")
    game.play("red", "end")
    assert game.winner == game.seat("blue")
    assert game.total("blue") == 4 + 3 + 2 + 1 == 10
    assert game.total("red") == 2 + 4 + 0 + 0 + 2 == 8
    assert game.total(white) == 2 + 3 + 0 + 1 + 0 == 6
    assert game.total(orange) == 4 + 4 == 8


@pytest.mark.parametrize(
    "edition",
    [
        pytest.param("fifth", marks=pytest.mark.rule("WIN-01.x2")),
        pytest.param("threed", marks=pytest.mark.rule("WIN-01.x3")),
    ],
)
@pytest.mark.rule("WIN-01")
def test_siobhan_and_stephanie_have_ten(edition: str) -> None:
    """Two settlements, Longest Road, two cities, two victory point cards: 2 + 2 + 4 + 2."""
    pieces: dict[str, Any] = {
        "settlements": {"blue": "C1n C2n"},
        "cities": {"blue": "A1n A2n"},
        "roads": {"blue": chain("BC", 5)},
        "dev": {"blue": "2 victory-point"},
    }
    game = scene(edition, turn="red", **pieces)
    assert (game.points("blue"), game.total("blue")) == (2 + 2 + 4, 10)
    assert game.winner is None
    game.play("red", "end")
    assert game.winner == game.seat("blue")


@all_editions
@pytest.mark.rule("WIN-01", "WIN-01.e1")
def test_ten_eleven_and_twelve_win(edition: str) -> None:
    nine: dict[str, Any] = {"cities": {"blue": EIGHT_POINTS}, "settlements": {"blue": "E2s"}}
    ten = scene(edition, turn="blue", hands={"blue": SETTLEMENT}, roads={"blue": roads_along("C3n B2ne")}, **nine)
    ten.play("blue", "settlement C3n")
    eleven = scene(edition, turn="blue", hands={"blue": ROAD}, roads={"blue": chain("BC", 4)}, **nine)
    eleven.play("blue", "road C3/nw")
    roads = {"red": chain("BC", 7), "blue": roads_along("C3n B2ne B3n B3ne B4n B4ne B4se")}
    twelve = scene(edition, turn="blue", hands={"blue": SETTLEMENT}, roads=roads, longest_road="red", **nine)
    twelve.play("blue", "settlement C3n")
    for game, points in ((ten, 10), (eleven, 11), (twelve, 12)):
        assert game.points("blue") == points
        assert game.winner == game.seat("blue")


# --- WIN-10: the moments; with one point less, nine never win ---------------------------------------------------------

MOMENTS: dict[str, tuple[str, dict[str, Any], list[str]]] = {  # settlements beside three cities, what else, acts
    "start of the turn": ("E1s E2s E3s C1n", {"turn": 3}, ["end"]),
    "road": ("E1s E2s", {"hands": {"red": ROAD}, "roads": {"red": chain("BC", 4)}}, ["road C3/nw"]),
    "settlement": ("E1s E2s E3s", {"hands": {"red": SETTLEMENT}, "roads": {"red": "C3/ne"}}, ["settlement C3n"]),
    "upgrade": ("E1s E2s C3n", {"hands": {"red": CITY}}, ["city C3n"]),
    "bought card": ("E1s E2s E3s", {"hands": {"red": CARD}}, ["buy", "drawn victory-point"]),
    "knight": ("E1s E2s", {"dev": {"red": "1 knight"}, "played": {"red": "2 knight"}}, ["knight"]),
    "knight before the roll": (
        "E1s E2s",
        {"dev": {"red": "1 knight"}, "played": {"red": "2 knight"}, "phase": "roll"},
        ["knight"],
    ),
}


def at_the_moment(edition: str, moment: str, points: int) -> Scene:
    """The acts of the moment bring red to ten points, or with one settlement less to nine."""
    settlements, scene_options, acts = MOMENTS[moment]
    game = scene(
        edition,
        colors=red_first(edition),
        cities={"red": "A1n A2n A3n"},
        settlements={"red": settlements if points == 10 else settlements.removeprefix("E1s ")},
        **scene_options,
    )
    for text in acts:
        if text.startswith("drawn"):
            game.deal(text)
        else:
            game.play(game.state.active, text)
    assert game.total("red") == points
    return game


@all_editions
@pytest.mark.parametrize("moment", MOMENTS)
@pytest.mark.rule("WIN-10", "WIN-10.e1", "WIN-02", "WIN-02.e2")
def test_ten_points_win_at_every_moment_that_changes_points(edition: str, moment: str) -> None:
    game = at_the_moment(edition, moment, 10)
    assert (game.winner, game.phase) == (game.seat("red"), "over")


@all_editions
@pytest.mark.parametrize("moment", MOMENTS)
@pytest.mark.rule("WIN-01", "WIN-01.e2", "WIN-10")
def test_nine_points_never_win(edition: str, moment: str) -> None:
    game = at_the_moment(edition, moment, 9)
    assert game.winner is None
    assert game.phase != "over"


def with_ten(edition: str, phase: str, **scene_options: Any) -> Scene:
    """Red with ten points set up by hand, so that nothing has looked at them yet."""
    game = scene(
        edition,
        colors=red_first(edition),
        turn="red",
        phase=phase,
        cities={"red": EIGHT_POINTS},
        settlements={"red": "C1n C2n", "blue": "D3s"},
        **scene_options,
    )
    assert game.points("red") == 10
    return game


@all_editions
@pytest.mark.rule("WIN-10", "WIN-10.e2")
def test_trades_production_discards_and_thefts_are_no_moments(edition: str) -> None:
    game = with_ten(edition, "roll", hands={"red": "8 ore", "blue": "2 wool"})
    game.roll(6)
    assert game.hand("red")["brick"] == 1
    game.play("red", "supply 4 ore : 1 lumber")
    game.play("red", "offer 1 ore : 1 wool to blue")
    game.play("blue", "accept #1")
    assert game.winner is None
    seven = with_ten(edition, "roll", hands={"red": "8 ore", "blue": "2 wool"})
    seven.roll(7)
    seven.play("red", "discard 4 ore")
    seven.play("red", "robber D3")
    seven.deal("stolen wool")
    assert (seven.winner, seven.phase) == (None, "main")


@all_editions
@pytest.mark.rule("WIN-10", "WIN-10.e2", "WIN-03")
def test_waiting_players_are_never_examined(edition: str) -> None:
    """Blue, by hand, has ten points; red does everything that would be a moment for red."""
    game = scene(
        edition,
        colors=red_first(edition),
        turn="red",
        hands={"red": f"{ROAD} {SETTLEMENT} {CITY} {CARD}"},
        cities={"blue": EIGHT_POINTS},
        settlements={"blue": "E2s E3s"},
        roads={"red": "C3/ne"},
        dev={"red": "1 knight"},
    )
    assert game.points("blue") == 10
    for text in ("road C3/nw", "settlement C3n", "city C3n", "buy"):
        game.play("red", text)
    game.deal("drawn victory-point")
    game.play("red", "knight")
    game.play("red", "robber C4")
    assert (game.winner, game.phase) == (None, "main")


# --- WIN-02: at once, and then nothing --------------------------------------------------------------------------------


@all_editions
@pytest.mark.parametrize("players", [3, 4])
@pytest.mark.rule("WIN-02", "WIN-02.e1")
def test_no_action_is_accepted_after_the_win(edition: str, players: int) -> None:
    colors = red_first(edition)[:players]
    game = scene(
        edition,
        players=players,
        colors=colors,
        turn="red",
        hands={"red": "9 brick 9 lumber 9 wool 9 grain 9 ore", "blue": "4 ore 4 brick"},
        settlements={"red": "C3n C5n"},
        cities={"red": "A1n A2n A3n"},
        roads={"red": "C3/ne"},
        dev={"red": "1 knight 1 road-building 1 year-of-plenty 1 monopoly 1 victory-point", "blue": "1 knight"},
    )
    game.play("red", "offer 1 ore : 1 brick to blue")
    game.play("red", "city C3n")
    assert game.winner == game.seat("red")
    acts = (
        "roll|end|settlement C1n|city C5n|road C3/nw|buy|knight|road-building|year-of-plenty ore wool|monopoly ore|"
        "waive|robber B2|steal blue|discard 2 ore|supply 4 ore : 1 wool|offer 1 ore : 1 wool to blue|accept #1|"
        "reject #1|counter #1 1 brick : 1 wool|confirm #1 blue|withdraw #1"
    ).split("|")
    for color in colors:
        assert game.legal(color) == []
        for text in acts:
            game.refused(color, text, "WIN-02")
    for outcome in ("dice 3 4", "stolen ore", "drawn knight"):
        with pytest.raises(IllegalAction) as error:
            game.deal(outcome)
        assert error.value.reason.rule == "WIN-02"
    assert game.to_act() == []
    assert game.chance() == {}


@all_editions
@pytest.mark.rule("WIN-02", "WIN-02.e2")
def test_a_knight_may_win_before_the_roll_and_the_robber_stays(edition: str) -> None:
    game = scene(
        edition,
        turn="red",
        phase="roll",
        cities={"red": EIGHT_POINTS},
        dev={"red": "1 knight"},
        played={"red": "2 knight"},
    )
    stands = game.state.robber
    game.play("red", "knight")
    assert (game.winner, game.points("red")) == (game.seat("red"), 10)
    assert (game.state.rolled, game.state.robber) == (0, stands)


@all_editions
@pytest.mark.rule("WIN-02", "WIN-02.e3")
def test_the_first_of_two_free_roads_may_win(edition: str) -> None:
    game = scene(
        edition, turn="red", dev={"red": "1 road-building"}, cities={"red": EIGHT_POINTS}, roads={"red": chain("BC", 4)}
    )
    game.play("red", "road-building")
    assert (game.winner, game.phase) == (None, "free road")
    game.play("red", "road C3/nw")
    assert (game.winner, game.phase) == (game.seat("red"), "over")
