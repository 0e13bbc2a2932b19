"""Rulings that other programs for this game got wrong, one small story each, and the right ruling."""

from __future__ import annotations

import pytest

from hexholm.rules.boards import RED_NUMBERS, layout_for
from hexholm.rules.places import HEX_NEIGHBORS
from hexholm.rules.referee import Referee
from hexholm.rules.setup.options import BadOptions, check_options
from tests.helpers.edition_table import editions_with
from tests.helpers.legal_texts import legal_texts
from tests.helpers.marks import all_editions

from ..scenes import chain, changed_board, hand_text, red_first, roads_along, scene, view_bytes

ROAD, SETTLEMENT, CARD = "1 brick 1 lumber", "1 brick 1 lumber 1 wool 1 grain", "1 wool 1 grain 1 ore"


# --- roads and Longest Road -------------------------------------------------------------------------------------------


@all_editions
@pytest.mark.rule("LROAD-01", "LROAD-10")
def test_a_cut_never_awards_a_road_below_five(edition: str) -> None:
    """Nobody holds the award; red's road of three is cut to two, the longest of all."""
    roads = {"red": chain("BC", 3, start=1), "blue": roads_along("B1ne C2n")}
    game = scene(edition, turn="blue", hands={"blue": SETTLEMENT}, roads=roads)
    game.play("blue", "settlement C2n")
    assert (game.length("red"), game.length("blue")) == (2, 1)
    assert game.holder("longest_road") is None
    assert game.points("red") == 0


@all_editions
@pytest.mark.rule("LROAD-08", "LROAD-08.e1")
def test_a_tied_holder_keeps_the_award_whatever_the_seats(edition: str) -> None:
    red, blue, third, fourth = red_first(edition)
    for colors in ((red, blue, third, fourth), (blue, third, fourth, red), (third, red, fourth, blue)):
        roads = {red: chain("BC", 7), blue: roads_along("C3n B2ne"), third: chain("DE", 5)}
        game = scene(edition, colors=colors, turn=blue, hands={blue: SETTLEMENT}, roads=roads)
        game.play(blue, "settlement C3n")
        assert (game.length(red), game.length(third)) == (5, 5)
        assert (game.holder("longest_road"), game.points(red), game.points(third)) == (red, 2, 0)


@all_editions
@pytest.mark.rule("LROAD-10", "LROAD-10.e1", "LROAD-10.e2")
def test_the_award_is_set_aside_when_two_others_tie(edition: str) -> None:
    red, blue, third, fourth = red_first(edition)
    roads = {red: chain("BC", 6), blue: roads_along("C2n B1ne"), third: chain("CD", 5), fourth: chain("DE", 5)}
    game = scene(edition, turn=blue, hands={blue: SETTLEMENT}, roads=roads)
    assert game.holder("longest_road") == red
    game.play(blue, "settlement C2n")
    assert game.holder("longest_road") is None
    assert [game.points(color) for color in (red, blue, third, fourth)] == [0, 1, 0, 0]


@all_editions
@pytest.mark.rule("LROAD-06", "LROAD-06.e2", "LROAD-01")
def test_segments_that_end_at_an_opponents_building_count(edition: str) -> None:
    game = scene(edition, turn="red", hands={"red": ROAD}, settlements={"blue": "C3n"}, roads={"red": chain("BC", 4)})
    game.play("red", "road C3/nw")
    assert (game.length("red"), game.holder("longest_road")) == (5, "red")


@all_editions
@pytest.mark.rule("ROAD-04", "ROAD-04.e4")
def test_a_settlement_set_on_the_end_of_a_road_stops_it(edition: str) -> None:
    game = scene(
        edition,
        turn="blue",
        hands={"blue": SETTLEMENT, "red": "2 brick 2 lumber"},
        roads={"red": roads_along("C2n C2ne C3n"), "blue": roads_along("B2n B2ne C3n")},
    )
    game.play("blue", "settlement C3n")
    game.next_turn_of("red")
    game.roll(2)
    game.refused("red", "road C3/ne", "ROAD-04")
    assert "road B3/sw" not in legal_texts(game, "red")
    game.play("red", "road C2/e")


# --- winning ----------------------------------------------------------------------------------------------------------


@all_editions
@pytest.mark.rule("WIN-03", "WIN-03.e1", "LROAD-13.e2")
def test_nobody_wins_on_the_turn_of_another(edition: str) -> None:
    red, blue, third, fourth = red_first(edition)
    roads = {red: chain("BC", 7), blue: roads_along("C3n B2ne"), third: chain("DE", 6)}
    game = scene(
        edition,
        colors=(red, blue, fourth, third),
        turn=blue,
        hands={blue: SETTLEMENT},
        cities={third: "A1n A2n A3n E1s"},
        roads=roads,
    )
    game.play(blue, "settlement C3n")
    assert (game.points(third), game.winner) == (10, None)
    game.play(blue, "end")
    assert (game.winner, game.active()) == (None, fourth)


@all_editions
@pytest.mark.rule("WIN-03", "WIN-03.e3", "WIN-10")
def test_of_two_with_ten_points_the_active_one_wins_whatever_the_seats(edition: str) -> None:
    red, blue, third, fourth = red_first(edition)
    for colors in ((red, blue, third, fourth), (third, blue, red, fourth)):
        game = scene(
            edition,
            colors=colors,
            turn=blue,
            hands={blue: SETTLEMENT},
            settlements={blue: "E2s"},
            cities={blue: "A1n A2n A3n E1s", third: "D1s D2s D3s D4s"},
            roads={red: chain("BC", 7), blue: roads_along("C3n B2ne"), third: chain("DE", 6)},
        )
        game.play(blue, "settlement C3n")
        assert (game.points(blue), game.points(third)) == (10, 10)
        assert game.winner == game.seat(blue)


@all_editions
@pytest.mark.rule("WIN-02", "WIN-02.e1")
def test_nothing_can_be_done_after_the_win(edition: str) -> None:
    game = scene(
        edition,
        turn="red",
        hands={"red": "9 brick 9 lumber 9 wool 9 grain 9 ore"},
        settlements={"red": "C3n"},
        cities={"red": "A1n A2n A3n"},
        roads={"red": chain("BC", 5)},
    )
    game.play("red", "city C3n")
    assert game.winner == game.seat("red")
    assert all(game.legal(color) == [] for color in game.colors)
    assert game.to_act() == []
    for action in ("end", "buy", "road C3/ne", "supply 4 ore : 1 wool"):
        game.refused("red", action, "WIN-02")


@all_editions
@pytest.mark.rule("WIN-05", "WIN-07")
def test_hidden_points_are_laid_open_at_the_end(edition: str) -> None:
    game = scene(
        edition,
        turn="red",
        hands={"red": CARD},
        settlements={"red": "E1s"},
        cities={"red": "A1n A2n A3n"},
        dev={"red": "2 victory-point", "blue": "1 victory-point"},
    )
    before = game.view(None)
    game.buy("red", "victory-point")
    after = game.view(None)
    for color, cards in (("red", 3), ("blue", 1)):
        assert (before.revealed[game.seat(color)], after.revealed[game.seat(color)]) == (-1, cards)


@pytest.mark.rule("WIN-01", "PHASE-08")
def test_there_is_no_last_turn_without_a_winner() -> None:
    game = scene(turn="red")
    game.state.turn_number = 998
    for _ in range(8):
        game.pass_turn(2)
    assert game.state.turn_number > 1000
    assert (game.winner, game.phase) == (None, "main")


# --- the supply and harbors -------------------------------------------------------------------------------------------


@all_editions
@pytest.mark.rule("PROD-09", "PROD-09.e1", "PROD-08")
def test_a_single_player_takes_what_is_left_of_a_short_kind(edition: str) -> None:
    """A1 is the mountains hex with 10."""
    alone = scene(edition, turn="blue", phase="roll", cities={"red": "A1n"}, bank="19 brick 1 ore")
    alone.roll(10)
    assert hand_text(alone, "red") == "1 ore"
    assert alone.supply()["ore"] == 0
    two = scene(edition, turn="blue", phase="roll", cities={"red": "A1n", "blue": "A1s"}, bank="19 brick 3 ore")
    two.roll(10)
    assert (two.hand("red")["ore"], two.hand("blue")["ore"], two.supply()["ore"]) == (0, 0, 3)


@all_editions
@pytest.mark.rule("COMP-03", "PORT-07", "PORT-07.e1")
def test_the_supply_is_not_endless(edition: str) -> None:
    game = scene(edition, turn="red", hands={"red": "4 brick", "blue": "19 ore"})
    assert game.supply()["ore"] == 0
    game.refused("red", "supply 4 brick : 1 ore", "PORT-07")
    assert "supply 4 brick : 1 ore" not in legal_texts(game, "red")


@all_editions
@pytest.mark.rule("PORT-10", "PORT-10.e1", "PORT-10.e2")
def test_a_worse_rate_than_the_best_is_legal_too(edition: str) -> None:
    """B4/ne is the ore harbor, A1/nw a generic one."""
    game = scene(edition, turn="red", hands={"red": "4 ore"}, settlements={"red": "B4ne A1n"})
    for rate in (2, 3, 4):
        assert f"supply {rate} ore : 1 wool" in legal_texts(game, "red")
    game.play("red", "supply 4 ore : 1 wool")
    assert hand_text(game, "red") == "1 wool"


@all_editions
@pytest.mark.rule("PROD-06", "PROD-06.e1", "PROD-07")
def test_one_building_is_paid_by_every_hex_with_the_number_but_the_robbed_one(edition: str) -> None:
    board = changed_board(A1="mountains 10", A2="mountains 10", B2="hills 10")
    free = scene(edition, turn="red", phase="roll", board=board, settlements={"red": "A1se"})
    free.roll(10)
    assert hand_text(free, "red") == "1 brick 2 ore"
    robbed = scene(edition, turn="red", phase="roll", board=board, settlements={"red": "A1se"}, robber="A2")
    robbed.roll(10)
    assert hand_text(robbed, "red") == "1 brick 1 ore"


# --- trade between players --------------------------------------------------------------------------------------------


@all_editions
@pytest.mark.rule("TRADE-14", "TRADE-14.e4", "TRADE-10")
def test_nobody_offers_or_hands_over_cards_that_are_not_there(edition: str) -> None:
    game = scene(edition, turn="red", hands={"red": "1 brick", "blue": "1 ore"})
    game.refused("red", "offer 3 brick : 1 ore to blue", "TRADE-14")
    game.play("red", "offer 1 brick : 1 ore to blue")
    game.play("red", "offer 1 brick : 2 ore to blue")
    game.refused("blue", "accept #2", "TRADE-10")
    game.play("blue", "accept #1")
    assert (hand_text(game, "red"), hand_text(game, "blue")) == ("1 ore", "1 brick")
    game.refused("blue", "accept #2", "TRADE-10")


@all_editions
@pytest.mark.rule("TRADE-15", "TRADE-02")
def test_the_maker_is_never_asked_about_the_own_offer(edition: str) -> None:
    for seat in range(4):
        colors = red_first(edition)
        game = scene(edition, colors=colors, turn=seat, hands={colors[seat]: "1 brick"})
        other_colors = [color for color in colors if color != colors[seat]]
        game.play(seat, f"offer 1 brick : 1 ore to {' '.join(other_colors)}")
        assert not [text for text in legal_texts(game, seat) if text.startswith(("accept", "reject", "confirm"))]
        for action in ("accept #1", "reject #1", f"confirm #1 {colors[seat]}"):
            game.refused(seat, action, "TRADE-15")


@all_editions
@pytest.mark.rule("TRADE-15", "TRADE-15.e2")
def test_answering_first_gives_no_right_and_bystanders_cannot_accept(edition: str) -> None:
    red, blue, third, fourth = red_first(edition)
    hands = {red: "1 brick", blue: "1 ore", third: "1 ore", fourth: "1 ore"}
    game = scene(edition, colors=(red, blue, third, fourth), turn=red, hands=hands)
    game.play(red, f"offer 1 brick : 1 ore to {blue} {third}")
    game.play(blue, "accept #1")
    assert hand_text(game, red) == "1 brick"
    game.refused(fourth, "accept #1", "TRADE-15")
    game.play(third, "accept #1")
    game.play(red, f"confirm #1 {third}")
    assert [hand_text(game, color) for color in (red, blue, third)] == ["1 ore", "1 ore", "1 brick"]


# --- what is hidden, and the robber -----------------------------------------------------------------------------------


@all_editions
@pytest.mark.rule("SEVEN-04")
def test_the_owner_chooses_what_to_discard(edition: str) -> None:
    for discards, remaining_hand in (("4 brick", "4 ore"), ("4 ore", "4 brick"), ("1 brick 3 ore", "3 brick 1 ore")):
        game = scene(edition, turn="red", phase="roll", hands={"red": "4 brick 4 ore"})
        game.roll(7)
        game.play("red", f"discard {discards}")
        assert hand_text(game, "red") == remaining_hand


@all_editions
@pytest.mark.rule("INFO-04")
def test_the_friendly_robber_looks_at_public_points_only(edition: str) -> None:
    """House rule: two points in view are spared; a hidden victory point card must not show in what is legal."""
    legal_lists = []
    for card in ("victory-point", "knight"):
        game = scene(
            edition,
            turn="red",
            phase="roll",
            friendly_robber=True,
            settlements={"blue": "A1n A3n"},
            dev={"blue": f"1 {card}"},
        )
        game.roll(7)
        assert not game.allowed("red", "robber A1")
        assert game.allowed("red", "robber E1")
        legal_lists.append(legal_texts(game, "red"))
    assert legal_lists[0] == legal_lists[1]


@all_editions
@pytest.mark.rule("INFO-01", "INFO-03", "INFO-06")
def test_views_hide_hands_cards_and_the_deck(edition: str) -> None:
    """Blue steals from the third player and buys; red sees the same whatever the cards are."""
    red, blue, third, fourth = red_first(edition)
    views = []
    for stolen_kind, drawn_card in (("ore", "knight"), ("brick", "monopoly")):
        game = scene(
            edition,
            colors=(red, blue, third, fourth),
            turn=blue,
            phase="roll",
            hands={blue: CARD, third: "1 ore 1 brick"},
            settlements={third: "D3n"},
        )
        game.roll(7)
        game.play(blue, "robber D3")
        game.deal(f"stolen {stolen_kind}")
        game.buy(blue, drawn_card)
        views.append([view_bytes(game, observer) for observer in (red, fourth, None)])
        assert game.view(red).deck == 0
    assert views[0] == views[1]


@all_editions
@pytest.mark.rule("DEV-04", "DEV-03")
def test_one_card_a_turn_and_none_of_those_just_bought(edition: str) -> None:
    game = scene(edition, turn="red", hands={"red": CARD}, dev={"red": "1 monopoly"})
    game.buy("red", "knight")
    game.refused("red", "knight", "DEV-04")
    game.play("red", "monopoly ore")
    game.next_turn_of("red")
    game.play("red", "knight")


# --- set-up and boards ------------------------------------------------------------------------------------------------


@all_editions
@pytest.mark.rule("SETUP-06")
def test_the_dice_say_who_begins(edition: str) -> None:
    game = Referee.new(edition=edition, setup="variable", players=3)
    assert game.phase == "start roll"
    for dice in ("dice 1 2", "dice 6 5", "dice 3 3"):
        game.deal(dice)
    assert (game.phase, game.state.active) == ("settlement", 1)


@pytest.mark.parametrize("edition", editions_with(number_placement="spiral"))
@pytest.mark.rule("MAP-15")
def test_the_number_spiral_starts_on_any_corner(edition: str) -> None:
    options = check_options(edition=edition, setup="variable", numbers="spiral")
    assert {layout_for(options, seed).board.start_corner for seed in range(60)} == set(range(6))


@pytest.mark.parametrize("edition", editions_with(number_placement="random"))
@pytest.mark.rule("MAP-18", "MAP-18.e1")
def test_random_numbers_keep_six_and_eight_apart(edition: str) -> None:
    options = check_options(edition=edition, setup="variable", numbers="random")
    for seed in range(60):
        number = layout_for(options, seed).board.number
        red = [h for h in range(19) if number[h] in RED_NUMBERS]
        assert len(red) == 4
        assert not any(neighbor in red for h in red for neighbor in HEX_NEIGHBORS[h])


@all_editions
@pytest.mark.parametrize("players", [3, 4])
@pytest.mark.rule("SETUP-10")
def test_there_is_a_fixed_set_up_with_start_resources(edition: str, players: int) -> None:
    game = Referee.new(edition=edition, setup="fixed", players=players, first=0)
    assert game.phase == "roll"
    for seat in range(players):
        assert game.points(seat) == 2
        assert sum(game.hand(seat).values()) in (2, 3)
    assert sum(game.supply().values()) + sum(sum(game.hand(seat).values()) for seat in range(players)) == 95


@all_editions
@pytest.mark.rule("COMP-12", "COMP-12.e1", "SETUP-02", "SETUP-02.e1")
def test_one_player_or_equal_colors_make_no_game(edition: str) -> None:
    for players in (1, 5):
        with pytest.raises(BadOptions) as error:
            check_options(edition=edition, players=players)
        assert "COMP-12" in [rule for rule, _ in error.value.faults]
    with pytest.raises(BadOptions) as error:
        check_options(edition=edition, players=3, setup="variable", colors=["red", "blue", "red"])
    assert "SETUP-02" in [rule for rule, _ in error.value.faults]
