"""Development cards: buying, holding, playing, knights and victory points (DEV-01 to DEV-15, DEV-25 to DEV-28)."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from hexholm.rules.encoding.lanes import unpack
from hexholm.rules.encoding.structs import CARD_KINDS
from hexholm.rules.places import HEX_NAMES
from hexholm.rules.setup.editions import EDITIONS, edition
from tests.helpers.legal_texts import legal_texts
from tests.helpers.marks import all_editions, three_or_four

from ..scenes import Scene, by_seat, colors_of, hand_text, scene, set_hand, supply_text, view_bytes
from ..turns import EIGHT_POINTS, SEPARATE

PRICE = "1 wool 1 grain 1 ore"
PLAYS = {
    "knight": "knight",
    "road-building": "road-building",
    "year-of-plenty": "year-of-plenty wool ore",
    "monopoly": "monopoly ore",
}
ONE_OF_EACH = "1 knight 1 road-building 1 year-of-plenty 1 monopoly"
every_card = pytest.mark.parametrize("card", PLAYS)


def finish(game: Scene, card: str) -> None:
    """Carry out what a card just played asks for, on a hex and sides where nobody else is."""
    if card == "knight":
        game.play(game.state.active, "robber E3" if HEX_NAMES[game.state.robber] != "E3" else "robber E1")
    while game.phase == "free road":
        game.play(game.state.active, game.legal(game.state.active)[0])


def play_card(game: Scene, color: str, card: str) -> None:
    game.play(color, PLAYS[card])
    finish(game, card)


def first_holds(edition: str, dev: str = ONE_OF_EACH, **scene_options: Any) -> Scene:
    """Seat 0 has a settlement to build from and old development cards."""
    first = colors_of(edition)[0]
    scene_options.setdefault("settlements", {first: "C2n"})
    return scene(edition, dev={first: dev}, **scene_options)


def played_cards(game: Scene, player: int | str) -> dict[str, int]:
    """The cards that lie played before a seat, as the public sees them."""
    cards = unpack(game.view(None).played[game.seat(player)])
    return {kind: n for kind, n in zip(CARD_KINDS, cards, strict=True) if n}


# --- buying -----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("DEV-01")
@all_editions
@pytest.mark.parametrize("card", CARD_KINDS)
def test_a_card_costs_ore_wool_and_grain_and_is_drawn(edition: str, card: str) -> None:
    game = scene(edition, hands=by_seat(edition, "1 brick 1 wool 1 grain 1 ore"))
    game.play(0, "buy")
    assert hand_text(game, 0) == "1 brick"
    assert supply_text(game) == "18 brick 19 lumber 19 wool 19 grain 19 ore"
    assert game.to_act() == []
    game.refused(0, "end", "PHASE-11")
    game.deal(f"drawn {card}")
    assert {kind: n for kind, n in game.development(0).items() if n} == {card: 1}
    assert game.view(0).deck_size == 24
    assert game.phase == "main"


@pytest.mark.rule("DEV-01")
@all_editions
@pytest.mark.parametrize(
    "hand", ["", "1 wool 1 grain", "1 wool 1 ore", "1 grain 1 ore", "5 brick 5 lumber 2 ore 2 wool"]
)
def test_it_cannot_be_bought_without_each_of_the_three(edition: str, hand: str) -> None:
    scene(edition, hands=by_seat(edition, hand)).refused(0, "buy", "BUILD-01")


@pytest.mark.rule("DEV-01")
@pytest.mark.parametrize("name", EDITIONS)
def test_the_deck_is_shuffled_every_card_left_in_it_is_equally_likely(name: str) -> None:
    assert edition(name).dev_source == ("bag" if name == "zip" else "deck")
    first, second, *_ = colors_of(name)
    game = scene(name, hands={first: PRICE}, dev={second: "3 knight 2 monopoly"}, played={first: "1 knight"})
    game.play(first, "buy")
    assert {game.action_text(code): chance for code, chance in game.chance().items()} == {
        "drawn knight": Fraction(10, 19),
        "drawn victory-point": Fraction(5, 19),
        "drawn road-building": Fraction(2, 19),
        "drawn year-of-plenty": Fraction(2, 19),
    }
    with pytest.raises(ValueError, match="not possible"):
        game.deal("drawn monopoly")


@pytest.mark.rule("DEV-01.e1", "DEV-02")
@all_editions
@three_or_four
def test_only_the_buyer_learns_the_card_until_it_is_played(edition: str, players: int) -> None:
    def bought(card: str) -> Scene:
        game = scene(edition, hands=by_seat(edition, PRICE), settlements=by_seat(edition, "C2n"), players=players)
        game.buy(0, card)
        return game

    games = {card: bought(card) for card in CARD_KINDS}
    observers = (None, *range(1, players))

    def same_for_the_others() -> None:
        for observer in observers:
            assert len({view_bytes(game, observer) for game in games.values()}) == 1
            assert games["knight"].view(observer).card_count[0] == 1
        assert len({view_bytes(game, 0) for game in games.values()}) == 5

    same_for_the_others()
    for game in games.values():
        game.next_turn_of(0)
    same_for_the_others()
    games["knight"].play(0, "knight")
    assert played_cards(games["knight"], 0) == {"knight": 1}
    for observer in observers:
        assert view_bytes(games["knight"], observer) != view_bytes(games["monopoly"], observer)


@pytest.mark.rule("DEV-01.e2")
@all_editions
def test_several_purchases_in_one_turn_are_legal(edition: str) -> None:
    game = scene(edition, hands=by_seat(edition, "4 wool 4 grain 4 ore"))
    for card in ("knight", "knight", "monopoly", "victory-point"):
        game.buy(0, card)
    assert sum(game.development(0).values()) == 4
    assert hand_text(game, 0) == "nothing"


# --- when a card may be played ----------------------------------------------------------------------------------------


@pytest.mark.rule("DEV-03", "DEV-03.e1")
@all_editions
@every_card
def test_a_second_card_in_the_same_turn_is_refused(edition: str, card: str) -> None:
    first = colors_of(edition)[0]
    game = first_holds(edition, "2 knight 2 road-building 2 year-of-plenty 2 monopoly")
    play_card(game, first, card)
    assert game.phase == "main"
    for second in PLAYS.values():
        game.refused(first, second, "DEV-03")
    game.next_turn_of(first)
    for second in PLAYS.values():
        assert game.allowed(first, second)


@pytest.mark.rule("DEV-03", "DEV-03.e2")
@all_editions
@every_card
def test_a_card_before_the_roll_uses_up_the_turns_card(edition: str, card: str) -> None:
    first = colors_of(edition)[0]
    game = first_holds(edition, "2 knight 2 road-building 2 year-of-plenty 2 monopoly", phase="roll")
    play_card(game, first, card)
    assert game.phase == "roll"
    for second in PLAYS.values():
        game.refused(first, second, "DEV-03")
    game.roll(2)
    for second in PLAYS.values():
        game.refused(first, second, "DEV-03")


@pytest.mark.rule("DEV-04", "DEV-04.e2")
@all_editions
@every_card
def test_a_new_card_waits_for_its_owners_next_turn(edition: str, card: str) -> None:
    first = colors_of(edition)[0]
    game = scene(edition, hands={first: PRICE}, settlements={first: "C2n"})
    game.refused(first, PLAYS[card], "DEV-01")  # not held yet
    game.buy(first, card)
    game.refused(first, PLAYS[card], "DEV-04")
    game.pass_turn()
    game.refused(first, PLAYS[card], "PHASE-12")
    game.next_turn_of(first)
    play_card(game, first, card)
    assert played_cards(game, first) == {card: 1}


@pytest.mark.rule("DEV-04", "DEV-04.e1")
@all_editions
def test_of_an_old_and_a_new_knight_the_old_one_may_be_played(edition: str) -> None:
    first = colors_of(edition)[0]
    game = first_holds(edition, "1 knight", hands={first: PRICE})
    game.buy(first, "knight")
    assert game.allowed(first, "knight")
    play_card(game, first, "knight")
    assert game.development(first)["knight"] == 1
    game.next_turn_of(first)
    play_card(game, first, "knight")
    assert played_cards(game, first) == {"knight": 2}


@pytest.mark.rule("DEV-04")
@all_editions
def test_a_new_card_does_not_hold_back_an_old_one_of_another_kind(edition: str) -> None:
    first = colors_of(edition)[0]
    game = first_holds(edition, "1 monopoly", hands={first: PRICE})
    game.buy(first, "knight")
    game.refused(first, "knight", "DEV-04")
    play_card(game, first, "monopoly")


@pytest.mark.rule("DEV-06", "DEV-06.e1")
@pytest.mark.parametrize("name", EDITIONS)
@every_card
@pytest.mark.parametrize("phase", ["roll", "main"])
def test_every_kind_may_be_played_before_the_roll_or_after_it(name: str, card: str, phase: str) -> None:
    assert edition(name).dev_window[0] == "before_roll"
    first = colors_of(name)[0]
    game = first_holds(name, phase=phase)
    assert game.allowed(first, PLAYS[card])
    play_card(game, first, card)
    assert game.phase == phase
    assert game.development(first)[card] == 0


@pytest.mark.rule("DEV-06", "DEV-06.e2")
@all_editions
@every_card
def test_a_card_may_come_between_trade_and_build_and_after_a_build(edition: str, card: str) -> None:
    first = colors_of(edition)[0]
    hand = "4 brick 3 lumber 1 wool 1 grain 1 ore"
    between = first_holds(edition, hands={first: hand}, settlements={first: "C2n A2n"})
    between.play(first, "supply 4 brick : 1 wool")
    play_card(between, first, card)
    between.play(first, "buy")
    after = first_holds(edition, hands={first: hand}, settlements={first: "C2n A2n"})
    after.play(first, "road A2/ne")
    play_card(after, first, card)
    assert after.allowed(first, "road A2/nw")


@pytest.mark.rule("DEV-06.e3")
@pytest.mark.parametrize(
    ("edition_name", "phases"),
    [
        ("fifth", "separate"),
        ("threed", "separate"),
        ("summary", "separate"),
        ("fifth", "combined"),
        ("zip", "combined"),
        ("sixth", "combined"),
    ],
)
@pytest.mark.parametrize("card", ["monopoly brick", "year-of-plenty brick brick"])
def test_a_card_after_the_first_build_does_not_reopen_trading(edition_name: str, phases: str, card: str) -> None:
    first, second, *_ = colors_of(edition_name)
    game = first_holds(edition_name, phases=phases, hands={first: "3 brick 3 lumber", second: "2 brick"})
    game.play(first, "road C2/ne")
    game.play(first, card)
    assert hand_text(game, first) == "4 brick 2 lumber"
    trades = ("supply 4 brick : 1 ore", f"offer 1 brick : 1 ore to {second}")
    if phases == "separate":
        for trade in trades:
            game.refused(first, trade, "PHASE-05")
    else:
        assert all(game.why_not(first, trade) is None for trade in trades)
    game.play(first, "road C2/nw")  # it can be built with


@pytest.mark.rule("DEV-06.e3", "PHASE-05.e3")
@pytest.mark.parametrize("edition_name", SEPARATE)
def test_free_roads_neither_close_nor_reopen_trading(edition_name: str) -> None:
    first = colors_of(edition_name)[0]
    game = first_holds(edition_name, hands={first: "1 brick 1 lumber 4 ore"})
    play_card(game, first, "road-building")
    assert game.allowed(first, "supply 4 ore : 1 wool")
    game_after = first_holds(edition_name, hands={first: "1 brick 1 lumber 4 ore"})
    game_after.play(first, "road C2/ne")
    play_card(game_after, first, "road-building")
    game_after.refused(first, "supply 4 ore : 1 wool", "PHASE-05")


@pytest.mark.rule("DEV-07")
@all_editions
@every_card
@three_or_four
def test_cards_are_played_only_in_the_own_turn(edition: str, card: str, players: int) -> None:
    first, second, *_ = colors_of(edition)
    game = first_holds(edition, phase="roll", turn=second, players=players)
    game.refused(first, PLAYS[card], "PHASE-12")
    game.roll(2)
    game.refused(first, PLAYS[card], "PHASE-12")
    game.pass_turn(7)
    game.refused(first, PLAYS[card], "PHASE-12")


# --- the deck ---------------------------------------------------------------------------------------------------------


@pytest.mark.rule("DEV-08", "DEV-08.e1", "DEV-08.e2")
@pytest.mark.parametrize("name", EDITIONS)
def test_the_25th_card_can_be_bought_a_26th_cannot(name: str) -> None:
    first, second, *_ = colors_of(name)
    game = scene(name)
    stack = [card for card in CARD_KINDS for _ in range(edition(name).dev_deck[card.replace("-", "_")])]
    assert len(stack) == 25
    for card in stack:
        set_hand(game, first, PRICE)
        assert game.allowed(first, "buy")
        game.buy(first, card)
    for color in (first, second):
        set_hand(game, first, PRICE)
        set_hand(game, second, PRICE)
        game.refused(color, "buy", "DEV-08")
        assert hand_text(game, color) == PRICE
        game.pass_turn(2)


@pytest.mark.rule("DEV-08")
@all_editions
@every_card
def test_a_played_card_does_not_return_to_the_deck(edition: str, card: str) -> None:
    first = colors_of(edition)[0]
    game = first_holds(edition, f"1 {card}", deck="1 knight", hands={first: PRICE})
    play_card(game, first, card)
    assert game.view(None).deck_size == 1
    set_hand(game, first, PRICE)
    game.buy(first, "knight")
    set_hand(game, first, PRICE)
    game.refused(first, "buy", "DEV-08")


@pytest.mark.rule("DEV-08.e3")
@all_editions
def test_the_last_card_of_the_deck_may_win(edition: str) -> None:
    first = colors_of(edition)[0]
    game = scene(
        edition, deck="1 victory-point", hands={first: PRICE}, cities={first: EIGHT_POINTS}, settlements={first: "E1s"}
    )
    game.play(first, "buy")
    assert {game.action_text(code): chance for code, chance in game.chance().items()} == {
        "drawn victory-point": Fraction(1)
    }
    game.deal("drawn victory-point")
    assert game.winner == 0


@pytest.mark.rule("DEV-09")
@all_editions
def test_development_cards_cannot_be_traded_or_given_away(edition: str) -> None:
    first, second, *_ = colors_of(edition)
    game = first_holds(edition, hands={first: "1 ore", second: "1 wool"})
    before = game.all_bytes()
    for terms in ("1 knight : 1 wool", "1 ore : 1 knight", "1 ore 1 monopoly : 1 wool", "1 knight : nothing"):
        with pytest.raises(ValueError, match="no resource"):
            game.play(first, f"offer {terms} to {second}")
    with pytest.raises(ValueError, match="no resource"):
        game.play(first, "supply 4 knight : 1 ore")
    with pytest.raises(ValueError, match="no resource"):
        game.play(first, "monopoly knight")
    assert game.all_bytes() == before


@pytest.mark.rule("DEV-09")
@all_editions
def test_a_monopoly_takes_no_development_cards(edition: str) -> None:
    first, second, *_ = colors_of(edition)
    game = scene(edition, dev={first: "1 monopoly", second: "2 knight"}, hands={second: "2 ore"})
    game.play(first, "monopoly ore")
    assert game.development(second)["knight"] == 2
    assert sum(game.development(first).values()) == 0


# --- played cards -----------------------------------------------------------------------------------------------------


@pytest.mark.rule("DEV-10")
@all_editions
def test_a_played_knight_stays_visible_before_its_owner(edition: str) -> None:
    first, second, *_ = colors_of(edition)
    game = first_holds(edition, "2 knight")
    play_card(game, first, "knight")
    game.next_turn_of(first)
    play_card(game, first, "knight")
    game.next_turn_of(second)
    for observer in (None, 0, 1, 2, 3):
        assert unpack(game.view(observer).played[0])[0] == 2
    assert played_cards(game, second) == {}


@pytest.mark.rule("DEV-11", "DEV-11.e1")
@pytest.mark.parametrize("name", EDITIONS)
@pytest.mark.parametrize("card", ["road-building", "year-of-plenty", "monopoly"])
def test_a_played_progress_card_is_gone_and_on_record(name: str, card: str) -> None:
    assert edition(name).played_progress == ("face_up" if name in {"zip", "sixth"} else "removed")
    first = colors_of(name)[0]
    game = first_holds(name, f"1 {card}")
    play_card(game, first, card)
    assert played_cards(game, first) == {card: 1}
    assert game.development(first)[card] == 0
    for _ in range(2):
        game.next_turn_of(first)
        game.refused(first, PLAYS[card], "DEV-01")
    assert played_cards(game, first) == {card: 1}
    assert game.view(None).deck_size == 24


@pytest.mark.rule("DEV-12")
@pytest.mark.parametrize("name", EDITIONS)
def test_three_groups_knights_progress_and_victory_points(name: str) -> None:
    deck = edition(name).dev_deck
    progress = {"road_building", "year_of_plenty", "monopoly"}
    assert set(deck) == {"knight", "victory_point"} | progress
    assert (deck["knight"], deck["victory_point"], sum(deck[card] for card in progress)) == (14, 5, 6)
    first = colors_of(name)[0]
    game = first_holds(name, ONE_OF_EACH + " 1 victory-point", played={first: "2 knight 1 road-building 1 monopoly"})
    playable = {text.split()[0] for text in legal_texts(game, first)} - {"end"}
    assert playable == set(PLAYS)  # a victory point card is never played
    assert (game.points(first), game.total(first)) == (1, 2)
    play_card(game, first, "year-of-plenty")
    assert game.holder("largest_army") is None  # progress cards are no knights
    game.next_turn_of(first)
    play_card(game, first, "knight")
    assert game.holder("largest_army") == first
