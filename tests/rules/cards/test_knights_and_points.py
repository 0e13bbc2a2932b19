"""Knights, victory point cards, and what playing a card spends (DEV-05, DEV-13 to DEV-15, DEV-25 to DEV-28)."""

from __future__ import annotations

import pytest

from hexholm.rules.encoding.lanes import unpack
from hexholm.rules.places import HEX_NAMES
from hexholm.rules.setup.editions import EDITIONS, edition
from tests.helpers.legal_texts import legal_texts
from tests.helpers.marks import all_editions, three_or_four

from ..scenes import Scene, before_or_after, by_seat, colors_of, hand_text, scene, supply_text, view_bytes
from ..turns import EIGHT_POINTS

PRICE = "1 wool 1 grain 1 ore"
SIX = "A1n A2n A3n"  # three cities


# --- knights ----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("DEV-13", "DEV-13.e1")
@all_editions
@before_or_after
@three_or_four
def test_a_knight_moves_the_robber_and_steals_as_on_a_seven(edition: str, phase: str, players: int) -> None:
    first, second, third, *_ = colors_of(edition)
    game = scene(
        edition,
        phase=phase,
        dev={first: "1 knight"},
        settlements={first: "D1s", second: "C5n C5sw", third: "C5se"},
        hands={second: "3 ore", third: "1 wool"},
        players=players,
    )
    game.play(first, "knight")
    assert legal_texts(game, first) == [f"robber {name}" for name in HEX_NAMES if name != "C3"]
    game.refused(first, "robber C3", "ROBBER-02")
    game.play(first, "robber C5")
    assert legal_texts(game, first) == [f"steal {second}", f"steal {third}"]
    game.refused(first, f"steal {first}", "ROBBER-06")
    game.play(first, f"steal {second}")
    game.deal("stolen ore")
    assert (hand_text(game, first), hand_text(game, second), hand_text(game, third)) == ("1 ore", "2 ore", "1 wool")
    assert game.phase == phase
    if phase == "main":
        game.pass_turn(8)
    else:
        game.roll(8)
    assert hand_text(game, second) == "2 ore"  # the mountains are blocked
    assert hand_text(game, first) == "1 lumber 1 ore"


@pytest.mark.rule("DEV-13.e2")
@all_editions
@before_or_after
@pytest.mark.parametrize("robber", ["C3", "C5", "E1"])
def test_a_knight_may_be_played_when_the_robber_harms_others_or_nobody(edition: str, phase: str, robber: str) -> None:
    first, second, *_ = colors_of(edition)
    game = scene(
        edition, phase=phase, dev={first: "1 knight"}, settlements={first: "A2n", second: "C5n"}, robber=robber
    )
    assert game.allowed(first, "knight")
    game.play(first, "knight")
    assert game.phase == "robber"


@pytest.mark.rule("DEV-14", "DEV-14.e1", "EDN-03")
@all_editions
@before_or_after
def test_the_third_knight_takes_largest_army_before_the_robber_moves(edition: str, phase: str) -> None:
    first, second, *_ = colors_of(edition)
    game = scene(edition, phase=phase, dev={first: "1 knight"}, played={first: "2 knight"}, settlements={second: "C5n"})
    game.play(first, "knight")
    assert game.phase == "robber"
    assert game.holder("largest_army") == first
    assert game.points(first) == 2
    assert unpack(game.view(None).played[0])[0] == 3
    assert HEX_NAMES[game.state.robber] == "C3"


@pytest.mark.rule("DEV-14", "DEV-14.e2", "EDN-03")
@all_editions
@before_or_after
@three_or_four
def test_a_knight_that_makes_ten_ends_the_game_without_a_robber_move(edition: str, phase: str, players: int) -> None:
    first, second, *_ = colors_of(edition)
    game = scene(
        edition,
        phase=phase,
        dev={first: "1 knight"},
        played={first: "2 knight"},
        cities={first: EIGHT_POINTS},
        settlements={second: "C5n"},
        hands={second: "3 ore"},
        players=players,
    )
    game.play(first, "knight")
    assert game.phase == "over"
    assert game.winner == 0
    assert game.points(first) == 10
    assert game.to_act() == []
    game.refused(first, "robber C5", "WIN-02")
    assert HEX_NAMES[game.state.robber] == "C3"
    assert hand_text(game, second) == "3 ore"


@pytest.mark.rule("DEV-14", "DEV-14.e3")
@all_editions
@before_or_after
def test_move_and_theft_follow_before_anything_else(edition: str, phase: str) -> None:
    first, second, *_ = colors_of(edition)
    game = scene(
        edition,
        phase=phase,
        dev={first: "1 knight 1 monopoly"},
        settlements={first: "D1s", second: "C5n"},
        hands={first: "2 brick 2 lumber 2 wool 2 grain 2 ore", second: "1 ore"},
    )
    game.play(first, "knight")
    for action in ("roll", "buy", "road D1/se", "city D1s", "monopoly ore", "knight", "supply 4 ore : 1 wool"):
        game.refused(first, action, "PHASE-11")
    game.refused(first, f"offer 1 brick : 1 ore to {second}", "PHASE-11")
    game.refused(first, "end", "PHASE-08")
    game.play(first, "robber C5")
    for action in ("roll", "buy", "end", "monopoly ore"):
        game.refused(first, action, "PHASE-11")
    game.deal("stolen ore")
    assert game.phase == phase


@pytest.mark.rule("DEV-15", "DEV-15.e1", "SEVEN-01.e1")
@all_editions
@before_or_after
def test_a_knight_causes_no_discards(edition: str, phase: str) -> None:
    first = colors_of(edition)[0]
    twelve = "3 brick 3 lumber 3 wool 3 ore"
    game = scene(edition, phase=phase, dev={first: "1 knight"}, hands=by_seat(edition, twelve, twelve, twelve, twelve))
    game.play(first, "knight")
    assert game.phase == "robber"
    game.play(first, "robber A1")
    assert [hand_text(game, seat) for seat in range(4)] == [twelve] * 4
    assert game.phase == phase


# --- victory point cards ----------------------------------------------------------------------------------------------


def with_points(edition_name: str, dev: str = "", cities: str = EIGHT_POINTS, settlements: str = "") -> Scene:
    """Seat 0 in its main phase with cities, settlements, old cards and the price of a new one."""
    first = colors_of(edition_name)[0]
    return scene(
        edition_name,
        hands={first: PRICE},
        cities={first: cities},
        settlements={first: settlements},
        dev={first: dev},
    )


def revealed(game: Scene, observer: int | None = None) -> list[int]:
    """The victory point cards of each seat as shown; -1: not shown."""
    return [game.view(observer).revealed[seat] for seat in range(4)]


@pytest.mark.rule("DEV-05", "DEV-05.e1", "DEV-25")
@all_editions
def test_a_ninth_point_and_a_new_victory_point_card_win_at_once(edition: str) -> None:
    game = with_points(edition, settlements="E1s")
    game.buy(0, "victory-point")
    assert game.winner == 0
    assert game.phase == "over"
    assert game.points(0) == 9  # the tenth is the card
    other_game = with_points(edition, settlements="E1s")
    other_game.buy(0, "knight")
    assert other_game.winner is None
    assert other_game.phase == "main"


@pytest.mark.rule("DEV-05", "DEV-05.e2", "DEV-25")
@all_editions
def test_an_old_and_a_new_victory_point_card_win_together(edition: str) -> None:
    game = with_points(edition, "1 victory-point")
    game.buy(0, "victory-point")
    assert game.winner == 0
    first = with_points(edition)
    first.buy(0, "victory-point")
    assert first.winner is None  # nine


@pytest.mark.rule("DEV-25")
@pytest.mark.parametrize("name", EDITIONS)
@pytest.mark.parametrize("cards", range(6))
def test_each_victory_point_card_counts_one_point(name: str, cards: int) -> None:
    assert edition(name).points["victory_point_card"] == 1
    first = colors_of(name)[0]
    game = scene(name, dev={first: f"{cards} victory-point"}, settlements={first: "C5n"})
    assert game.view(first).own_points == 1 + cards


@pytest.mark.rule("DEV-26", "DEV-26.e1")
@all_editions
def test_hidden_points_are_not_in_the_public_score(edition: str) -> None:
    def bought(card: str) -> Scene:
        game = with_points(edition, cities=SIX)
        game.buy(0, card)
        game.play(0, "end")
        return game

    point, knight = bought("victory-point"), bought("knight")
    for observer in (None, 1, 2, 3):
        assert point.view(observer).points[0] == 6
        assert revealed(point, observer) == [-1] * 4
        assert view_bytes(point, observer) == view_bytes(knight, observer)
    assert point.points(0) == 6
    assert (point.view(0).own_points, knight.view(0).own_points) == (7, 6)


@pytest.mark.rule("DEV-26", "WIN-07")
@all_editions
def test_they_lie_open_when_the_game_is_won(edition: str) -> None:
    first, second, *_ = colors_of(edition)
    game = scene(
        edition,
        hands={first: PRICE},
        cities={first: EIGHT_POINTS},
        dev={first: "1 victory-point", second: "1 victory-point 1 knight"},
    )
    game.buy(first, "victory-point")
    assert game.winner == 0
    assert revealed(game) == [2, 1, 0, 0]


@pytest.mark.rule("DEV-26.e2")
@all_editions
def test_there_is_no_way_to_reveal_them_below_ten_points(edition: str) -> None:
    game = with_points(edition, "1 victory-point")
    before = game.all_bytes()
    assert not [text for text in legal_texts(game, 0) if "point" in text or "reveal" in text]
    for action in ("victory-point", "victory point", "reveal", "reveal victory-point", "play victory-point"):
        with pytest.raises(ValueError, match=r"never played|no action"):
            game.play(0, action)
    with pytest.raises(ValueError, match="not possible"):
        game.deal("drawn victory-point")  # no purchase is pending
    assert game.all_bytes() == before
    assert game.view(None).points[0] == 8


@pytest.mark.rule("DEV-27", "DEV-27.e1", "DEV-03")
@all_editions
def test_a_knight_and_then_two_victory_point_cards_in_one_turn(edition: str) -> None:
    first = colors_of(edition)[0]
    game = scene(
        edition,
        dev={first: "1 knight 2 victory-point"},
        cities={first: SIX},
        settlements={first: "E1s"},
        roads={first: "E1/se E1/e"},
        hands={first: "1 brick 1 lumber 1 wool 1 grain"},
    )
    game.play(first, "knight")
    game.play(first, "robber C5")
    assert game.phase == "main"  # nine
    game.play(first, "settlement E1ne")
    assert game.winner == 0
    assert revealed(game) == [2, 0, 0, 0]
    assert game.points(first) == 8


@pytest.mark.rule("DEV-27", "DEV-27.e1")
@all_editions
def test_all_five_victory_point_cards_may_be_shown_with_a_card_played(edition: str) -> None:
    first = colors_of(edition)[0]
    game = scene(
        edition,
        dev={first: "1 knight 5 victory-point"},
        played={first: "2 knight"},
        cities={first: "A1n"},
        settlements={first: "E1s"},
    )
    assert game.total(first) == 8
    game.play(first, "knight")
    assert game.winner == 0
    assert revealed(game) == [5, 0, 0, 0]


# --- spent when announced ---------------------------------------------------------------------------------------------


@pytest.mark.rule("DEV-28", "DEV-28.e1", "EDN-03")
@all_editions
def test_a_knight_to_an_empty_hex_is_spent_and_counts_for_largest_army(edition: str) -> None:
    first, second, *_ = colors_of(edition)
    game = scene(
        edition,
        dev={first: "2 knight"},
        played={first: "2 knight"},
        settlements={second: "C5n"},
        hands={second: "2 ore"},
    )
    game.play(first, "knight")
    game.play(first, "robber E1")
    assert game.development(first)["knight"] == 1
    assert unpack(game.state.played[0])[0] == 3
    assert game.holder("largest_army") == first
    assert hand_text(game, second) == "2 ore"
    game.refused(first, "knight", "DEV-03")


@pytest.mark.rule("DEV-28", "DEV-28.e2", "DEV-23", "DEV-23.e1", "EDN-03")
@all_editions
def test_a_monopoly_without_yield_is_spent(edition: str) -> None:
    first, second, *_ = colors_of(edition)
    game = scene(edition, dev={first: "2 monopoly"}, hands={first: "1 brick", second: "3 wool"})
    game.play(first, "monopoly ore")
    assert game.development(first)["monopoly"] == 1
    assert (hand_text(game, first), hand_text(game, second)) == ("1 brick", "3 wool")
    game.refused(first, "monopoly wool", "DEV-03")


@pytest.mark.rule("DEV-28", "DEV-28.e3", "EDN-03")
@all_editions
@before_or_after
def test_a_refused_year_of_plenty_spends_neither_card_nor_play(edition: str, phase: str) -> None:
    first = colors_of(edition)[0]
    game = scene(edition, phase=phase, dev={first: "1 year-of-plenty 1 knight"}, bank="1 ore 3 wool")
    game.refused(first, "year-of-plenty ore ore", "DEV-21")
    assert game.development(first)["year-of-plenty"] == 1
    assert game.allowed(first, "knight")
    game.play(first, "year-of-plenty wool ore")
    assert hand_text(game, first) == "1 wool 1 ore"
    assert supply_text(game) == "2 wool"


@pytest.mark.rule("DEV-28", "EDN-03")
@all_editions
def test_other_refused_plays_spend_nothing_either(edition: str) -> None:
    first = colors_of(edition)[0]
    game = scene(edition, dev={first: "1 road-building 1 knight"})  # no building, so no place for a road
    game.refused(first, "road-building", "DEV-18")
    game.refused(first, "monopoly ore", "DEV-01")
    assert game.development(first)["road-building"] == 1
    game.play(first, "knight")
