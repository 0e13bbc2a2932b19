"""Development cards: buying, holding, playing, knights and victory points (DEV-01 to DEV-15, DEV-25 to DEV-28)."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from hexholm.rules.core.encoding.lanes import unpack
from hexholm.rules.core.encoding.structs import CARD_KINDS
from hexholm.rules.editions import EDITIONS, edition
from hexholm.rules.places import HEX_NAMES
from tests.legal_texts import legal_texts
from tests.marks import all_editions, three_or_four

from ..scenes import Scene, by_seat, colors_of, held, scene, set_hand, sight, supply_of
from ..turns import EIGHT_POINTS

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


def play_card(game: Scene, who: str, card: str) -> None:
    game.play(who, PLAYS[card])
    finish(game, card)


def one_holds(book: str, dev: str = ONE_OF_EACH, **more: Any) -> Scene:
    """Seat 0 has a settlement to build from and old development cards."""
    one = colors_of(book)[0]
    more.setdefault("settlements", {one: "C2n"})
    return scene(book, dev={one: dev}, **more)


def played(game: Scene, who: int | str) -> dict[str, int]:
    """The cards that lie played before a seat, as the public sees them."""
    cards = unpack(game.view(None).played[game.seat(who)])
    return {kind: n for kind, n in zip(CARD_KINDS, cards, strict=True) if n}


# --- buying -----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("DEV-01")
@all_editions
@pytest.mark.parametrize("card", CARD_KINDS)
def test_a_card_costs_ore_wool_and_grain_and_is_drawn(edition: str, card: str) -> None:
    game = scene(edition, hands=by_seat(edition, "1 brick 1 wool 1 grain 1 ore"))
    game.play(0, "buy")
    assert held(game, 0) == "1 brick"
    assert supply_of(game) == "18 brick 19 lumber 19 wool 19 grain 19 ore"
    assert game.to_act() == []
    game.refused(0, "end", "PHASE-11")
    game.deal(f"drawn {card}")
    assert {kind: n for kind, n in game.cards(0).items() if n} == {card: 1}
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
    one, two, *_ = colors_of(name)
    game = scene(name, hands={one: PRICE}, dev={two: "3 knight 2 monopoly"}, played={one: "1 knight"})
    game.play(one, "buy")
    assert {game.say(code): chance for code, chance in game.chance().items()} == {
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
    others = (None, *range(1, players))

    def same_for_the_others() -> None:
        for observer in others:
            assert len({sight(game, observer) for game in games.values()}) == 1
            assert games["knight"].view(observer).card_count[0] == 1
        assert len({sight(game, 0) for game in games.values()}) == 5

    same_for_the_others()
    for game in games.values():
        game.next_turn_of(0)
    same_for_the_others()
    games["knight"].play(0, "knight")
    assert played(games["knight"], 0) == {"knight": 1}
    for observer in others:
        assert sight(games["knight"], observer) != sight(games["monopoly"], observer)


@pytest.mark.rule("DEV-01.e2")
@all_editions
def test_several_purchases_in_one_turn_are_legal(edition: str) -> None:
    game = scene(edition, hands=by_seat(edition, "4 wool 4 grain 4 ore"))
    for card in ("knight", "knight", "monopoly", "victory-point"):
        game.buy(0, card)
    assert sum(game.cards(0).values()) == 4
    assert held(game, 0) == "nothing"


# --- when a card may be played ----------------------------------------------------------------------------------------


@pytest.mark.rule("DEV-03", "DEV-03.e1")
@all_editions
@every_card
def test_a_second_card_in_the_same_turn_is_refused(edition: str, card: str) -> None:
    one = colors_of(edition)[0]
    game = one_holds(edition, "2 knight 2 road-building 2 year-of-plenty 2 monopoly")
    play_card(game, one, card)
    assert game.phase == "main"
    for second in PLAYS.values():
        game.refused(one, second, "DEV-03")
    game.next_turn_of(one)
    for second in PLAYS.values():
        assert game.allowed(one, second)


@pytest.mark.rule("DEV-03", "DEV-03.e2")
@all_editions
@every_card
def test_a_card_before_the_roll_uses_up_the_turns_card(edition: str, card: str) -> None:
    one = colors_of(edition)[0]
    game = one_holds(edition, "2 knight 2 road-building 2 year-of-plenty 2 monopoly", phase="roll")
    play_card(game, one, card)
    assert game.phase == "roll"
    for second in PLAYS.values():
        game.refused(one, second, "DEV-03")
    game.roll(2)
    for second in PLAYS.values():
        game.refused(one, second, "DEV-03")


@pytest.mark.rule("DEV-04", "DEV-04.e2")
@all_editions
@every_card
def test_a_new_card_waits_for_its_owners_next_turn(edition: str, card: str) -> None:
    one = colors_of(edition)[0]
    game = scene(edition, hands={one: PRICE}, settlements={one: "C2n"})
    game.refused(one, PLAYS[card], "DEV-01")  # not held yet
    game.buy(one, card)
    game.refused(one, PLAYS[card], "DEV-04")
    game.pass_turn()
    game.refused(one, PLAYS[card], "PHASE-12")
    game.next_turn_of(one)
    play_card(game, one, card)
    assert played(game, one) == {card: 1}


@pytest.mark.rule("DEV-04", "DEV-04.e1")
@all_editions
def test_of_an_old_and_a_new_knight_the_old_one_may_be_played(edition: str) -> None:
    one = colors_of(edition)[0]
    game = one_holds(edition, "1 knight", hands={one: PRICE})
    game.buy(one, "knight")
    assert game.allowed(one, "knight")
    play_card(game, one, "knight")
    assert game.cards(one)["knight"] == 1
    game.next_turn_of(one)
    play_card(game, one, "knight")
    assert played(game, one) == {"knight": 2}


@pytest.mark.rule("DEV-04")
@all_editions
def test_a_new_card_does_not_hold_back_an_old_one_of_another_kind(edition: str) -> None:
    one = colors_of(edition)[0]
    game = one_holds(edition, "1 monopoly", hands={one: PRICE})
    game.buy(one, "knight")
    game.refused(one, "knight", "DEV-04")
    play_card(game, one, "monopoly")


@pytest.mark.rule("DEV-06", "DEV-06.e1")
@pytest.mark.parametrize("name", EDITIONS)
@every_card
@pytest.mark.parametrize("phase", ["roll", "main"])
def test_every_kind_may_be_played_before_the_roll_or_after_it(name: str, card: str, phase: str) -> None:
    assert edition(name).dev_window[0] == "before_roll"
    one = colors_of(name)[0]
    game = one_holds(name, phase=phase)
    assert game.allowed(one, PLAYS[card])
    play_card(game, one, card)
    assert game.phase == phase
    assert game.cards(one)[card] == 0


@pytest.mark.rule("DEV-06", "DEV-06.e2")
@all_editions
@every_card
def test_a_card_may_come_between_trade_and_build_and_after_a_build(edition: str, card: str) -> None:
    one = colors_of(edition)[0]
    hand = "4 brick 3 lumber 1 wool 1 grain 1 ore"
    between = one_holds(edition, hands={one: hand}, settlements={one: "C2n A2n"})
    between.play(one, "supply 4 brick : 1 wool")
    play_card(between, one, card)
    between.play(one, "buy")
    after = one_holds(edition, hands={one: hand}, settlements={one: "C2n A2n"})
    after.play(one, "road A2/ne")
    play_card(after, one, card)
    assert after.allowed(one, "road A2/nw")


@pytest.mark.rule("DEV-06.e3")
@pytest.mark.parametrize(
    ("book", "phases"),
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
def test_a_card_after_the_first_build_does_not_reopen_trading(book: str, phases: str, card: str) -> None:
    one, two, *_ = colors_of(book)
    game = one_holds(book, phases=phases, hands={one: "3 brick 3 lumber", two: "2 brick"})
    game.play(one, "road C2/ne")
    game.play(one, card)
    assert held(game, one) == "4 brick 2 lumber"
    trades = ("supply 4 brick : 1 ore", f"offer 1 brick : 1 ore to {two}")
    if phases == "separate":
        for trade in trades:
            game.refused(one, trade, "PHASE-05")
    else:
        assert all(game.why_not(one, trade) is None for trade in trades)
    game.play(one, "road C2/nw")  # it can be built with


@pytest.mark.rule("DEV-06.e3", "PHASE-05.e3")
@pytest.mark.parametrize("book", ["fifth", "threed", "summary"])
def test_free_roads_neither_close_nor_reopen_trading(book: str) -> None:
    one = colors_of(book)[0]
    game = one_holds(book, hands={one: "1 brick 1 lumber 4 ore"})
    play_card(game, one, "road-building")
    assert game.allowed(one, "supply 4 ore : 1 wool")
    built = one_holds(book, hands={one: "1 brick 1 lumber 4 ore"})
    built.play(one, "road C2/ne")
    play_card(built, one, "road-building")
    built.refused(one, "supply 4 ore : 1 wool", "PHASE-05")


@pytest.mark.rule("DEV-07")
@all_editions
@every_card
@three_or_four
def test_cards_are_played_only_in_the_own_turn(edition: str, card: str, players: int) -> None:
    one, two, *_ = colors_of(edition)
    game = one_holds(edition, phase="roll", turn=two, players=players)
    game.refused(one, PLAYS[card], "PHASE-12")
    game.roll(2)
    game.refused(one, PLAYS[card], "PHASE-12")
    game.pass_turn(7)
    game.refused(one, PLAYS[card], "PHASE-12")


# --- the deck ---------------------------------------------------------------------------------------------------------


@pytest.mark.rule("DEV-08", "DEV-08.e1", "DEV-08.e2")
@pytest.mark.parametrize("name", EDITIONS)
def test_the_25th_card_can_be_bought_a_26th_cannot(name: str) -> None:
    one, two, *_ = colors_of(name)
    game = scene(name)
    stack = [card for card in CARD_KINDS for _ in range(edition(name).dev_deck[card.replace("-", "_")])]
    assert len(stack) == 25
    for card in stack:
        set_hand(game, one, PRICE)
        assert game.allowed(one, "buy")
        game.buy(one, card)
    for who in (one, two):
        set_hand(game, one, PRICE)
        set_hand(game, two, PRICE)
        game.refused(who, "buy", "DEV-08")
        assert held(game, who) == PRICE
        game.pass_turn(2)


@pytest.mark.rule("DEV-08")
@all_editions
@every_card
def test_a_played_card_does_not_return_to_the_deck(edition: str, card: str) -> None:
    one = colors_of(edition)[0]
    game = one_holds(edition, f"1 {card}", deck="1 knight", hands={one: PRICE})
    play_card(game, one, card)
    assert game.view(None).deck_size == 1
    set_hand(game, one, PRICE)
    game.buy(one, "knight")
    set_hand(game, one, PRICE)
    game.refused(one, "buy", "DEV-08")


@pytest.mark.rule("DEV-08.e3")
@all_editions
def test_the_last_card_of_the_deck_may_win(edition: str) -> None:
    one = colors_of(edition)[0]
    game = scene(
        edition, deck="1 victory-point", hands={one: PRICE}, cities={one: EIGHT_POINTS}, settlements={one: "E1s"}
    )
    game.play(one, "buy")
    assert {game.say(code): chance for code, chance in game.chance().items()} == {"drawn victory-point": Fraction(1)}
    game.deal("drawn victory-point")
    assert game.winner == 0


@pytest.mark.rule("DEV-09")
@all_editions
def test_development_cards_cannot_be_traded_or_given_away(edition: str) -> None:
    one, two, *_ = colors_of(edition)
    game = one_holds(edition, hands={one: "1 ore", two: "1 wool"})
    before = game.everything()
    for terms in ("1 knight : 1 wool", "1 ore : 1 knight", "1 ore 1 monopoly : 1 wool", "1 knight : nothing"):
        with pytest.raises(ValueError, match="no resource"):
            game.play(one, f"offer {terms} to {two}")
    with pytest.raises(ValueError, match="no resource"):
        game.play(one, "supply 4 knight : 1 ore")
    with pytest.raises(ValueError, match="no resource"):
        game.play(one, "monopoly knight")
    assert game.everything() == before


@pytest.mark.rule("DEV-09")
@all_editions
def test_a_monopoly_takes_no_development_cards(edition: str) -> None:
    one, two, *_ = colors_of(edition)
    game = scene(edition, dev={one: "1 monopoly", two: "2 knight"}, hands={two: "2 ore"})
    game.play(one, "monopoly ore")
    assert game.cards(two)["knight"] == 2
    assert sum(game.cards(one).values()) == 0


# --- played cards -----------------------------------------------------------------------------------------------------


@pytest.mark.rule("DEV-10")
@all_editions
def test_a_played_knight_stays_visible_before_its_owner(edition: str) -> None:
    one, two, *_ = colors_of(edition)
    game = one_holds(edition, "2 knight")
    play_card(game, one, "knight")
    game.next_turn_of(one)
    play_card(game, one, "knight")
    game.next_turn_of(two)
    for observer in (None, 0, 1, 2, 3):
        assert unpack(game.view(observer).played[0])[0] == 2
    assert played(game, two) == {}


@pytest.mark.rule("DEV-11", "DEV-11.e1")
@pytest.mark.parametrize("name", EDITIONS)
@pytest.mark.parametrize("card", ["road-building", "year-of-plenty", "monopoly"])
def test_a_played_progress_card_is_gone_and_on_record(name: str, card: str) -> None:
    assert edition(name).played_progress == ("face_up" if name in {"zip", "sixth"} else "removed")
    one = colors_of(name)[0]
    game = one_holds(name, f"1 {card}")
    play_card(game, one, card)
    assert played(game, one) == {card: 1}
    assert game.cards(one)[card] == 0
    for _ in range(2):
        game.next_turn_of(one)
        game.refused(one, PLAYS[card], "DEV-01")
    assert played(game, one) == {card: 1}
    assert game.view(None).deck_size == 24


@pytest.mark.rule("DEV-12")
@pytest.mark.parametrize("name", EDITIONS)
def test_three_groups_knights_progress_and_victory_points(name: str) -> None:
    deck = edition(name).dev_deck
    progress = {"road_building", "year_of_plenty", "monopoly"}
    assert set(deck) == {"knight", "victory_point"} | progress
    assert (deck["knight"], deck["victory_point"], sum(deck[card] for card in progress)) == (14, 5, 6)
    one = colors_of(name)[0]
    game = one_holds(name, ONE_OF_EACH + " 1 victory-point", played={one: "2 knight 1 road-building 1 monopoly"})
    playable = {text.split()[0] for text in legal_texts(game, one)} - {"end"}
    assert playable == set(PLAYS)  # a victory point card is never played
    assert (game.points(one), game.total(one)) == (1, 2)
    play_card(game, one, "year-of-plenty")
    assert game.holder("largest_army") is None  # progress cards are no knights
    game.next_turn_of(one)
    play_card(game, one, "knight")
    assert game.holder("largest_army") == one
