"""Events and prompts in words: every edition's own, for everybody and for the one who is meant."""

from __future__ import annotations

import random
import re
from typing import get_args

import pytest

from hexholm.game.cards import Cards
from hexholm.game.events import (
    Built,
    Drew,
    OfferMade,
    Produced,
    Stole,
    TookFromSupply,
    prompt_of,
)
from hexholm.game.events.prompts import Ask
from hexholm.game.language.words import Words
from hexholm.rules.setup.editions import EDITIONS
from hexholm.rules.setup.options import check_options
from tests.helpers.legal_texts import legal_texts
from tests.helpers.marks import all_editions
from tests.helpers.random_play import carry_out, choose
from tests.rules.scenes import Scene, by_seat, opening, scene, traders
from tests.rules.turns import seven, turn_of, until

WORDS = Words()


def prompt_text(game: Scene, seat: int | None) -> str:
    """What a seat, or the public, is told that it may do."""
    legal = [] if seat is None else game.legal(seat)
    return WORDS.prompt(game.options, game.view(seat), seat, legal)


# --- the vocabulary of the editions ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "edition, text",
    [
        ("zip", "You take 1 wood and 1 wheat from the supply."),
        ("sixth", "You take 1 wood and 1 wheat from the supply."),
        ("fifth", "You take 1 lumber and 1 grain from the supply."),
        ("summary", "You take 1 lumber and 1 grain from the bank."),
    ],
)
@pytest.mark.rule("NAME-01", "NAME-09")
def test_resources_and_supply_have_the_names_of_the_edition(edition: str, text: str) -> None:
    event = TookFromSupply("red", Cards("1 grain 1 lumber"))
    assert WORDS.say(event, check_options(edition=edition), "red") == text


@pytest.mark.rule("NAME-05", "NAME-16")
def test_zip_draws_and_has_tiles() -> None:
    zip_, sixth = check_options(edition="zip"), check_options(edition="sixth")
    road = Built("red", "road", "C3/ne", Cards())
    assert [WORDS.say(road, o) for o in (zip_, sixth)] == ["Red draws a road at C3/ne.", "Red places a road at C3/ne."]
    theft = Stole("red", "blue", None)
    assert WORDS.say(theft, zip_, "blue") == "Red steals a tile from you."
    assert WORDS.say(theft, sixth, "blue") == "Red steals a card from you."
    assert WORDS.say(Drew("red", None), zip_) == "Red draws the development tile."


def test_lists_numbers_and_shares_read_well() -> None:
    fifth = check_options(edition="fifth")
    gains = Produced(
        {"red": Cards("1 wool"), "blue": Cards("2 ore 1 brick"), "white": Cards("1 wool 1 grain 1 ore")}, {}
    )
    assert WORDS.say(gains, fifth, "blue") == (
        "Red gets 1 wool; you get 1 brick and 2 ore; white gets 1 wool, 1 grain, and 1 ore."
    )
    offer = OfferMade(3, "white", Cards("2 ore"), Cards("1 wool"), ("red", "blue", "orange"), None)
    assert WORDS.say(offer, fifth, "red") == "Offer 3: white offers 2 ore for 1 wool to you, blue, and orange."


def test_a_language_that_is_not_there_is_refused() -> None:
    with pytest.raises(ValueError, match="no words in 'xx'; the languages are en"):
        Words("xx")


# --- prompts ---------------------------------------------------------------------------------------------------------


def test_before_the_roll_the_cards_that_may_be_played_are_named() -> None:
    dev = by_seat("fifth", "1 knight 1 monopoly 1 victory-point", "1 knight")
    game = scene(phase="roll", dev=dev)
    assert prompt_text(game, 0) == "Roll the dice, or play a Knight or Monopoly first."
    assert prompt_text(game, 1) == "Waiting for red."
    assert prompt_text(game, None) == "Waiting for red."
    game.play(0, "monopoly ore")
    assert prompt_text(game, 0) == "Roll the dice."
    game.play(0, "roll")
    assert [prompt_text(game, seat) for seat in (0, 1)] == ["You roll the dice.", "Red rolls the dice."]


def test_a_card_that_may_not_be_played_is_not_named() -> None:
    game = scene(phase="roll", dev=by_seat("fifth", "1 year-of-plenty 1 knight"), bank="")
    assert prompt_text(game, 0) == "Roll the dice, or play a Knight first."


@pytest.mark.rule("SEVEN-02", "SEVEN-05")
def test_a_seven_asks_all_who_owe_and_tells_nobody_who_has_chosen() -> None:
    game = seven("fifth")
    assert prompt_text(game, 0) == "Choose 4 cards to discard."
    assert prompt_text(game, 2) == "Waiting for red and blue."
    game.play(0, "discard-card ore")
    assert prompt_text(game, 0) == "Choose 3 more to discard."
    game.play(0, "discard 2 lumber 1 ore")
    assert prompt_text(game, 0) == "Waiting for blue."
    assert prompt_text(game, 2) == "Waiting for red and blue."
    assert prompt_text(game, None) == "Waiting for red and blue."
    assert prompt_text(seven("zip"), 0) == "Choose 4 tiles to discard."


def test_the_robber_the_victim_and_the_theft() -> None:
    game = seven("fifth")
    until(game, "robber")
    assert [prompt_text(game, seat) for seat in (0, 1)] == ["Move the robber.", "Waiting for red."]
    until(game, "victim")
    assert prompt_text(game, 0) == "Steal from blue or orange."
    until(game, "theft")
    sentences = ["You steal a card from orange.", "Red steals a card from orange.", "Red steals a card from you."]
    assert [prompt_text(game, seat) for seat in (0, 1, 3)] == sentences


def test_the_main_phase_names_what_there_is_to_do() -> None:
    assert prompt_text(turn_of("fifth"), 0) == "End your turn."
    assert prompt_text(turn_of("fifth", "1 ore"), 0) == "Trade or end your turn."
    rich = turn_of("fifth", "1 brick 1 lumber 1 wool 1 grain 1 ore", dev=by_seat("fifth", "1 knight"))
    assert prompt_text(rich, 0) == "Trade, build, play a development card, or end your turn."
    rich.play(0, "road C3/e")
    assert prompt_text(rich, 0) == "Buy a development card, play a development card, or end your turn."
    assert rich.allowed(0, "buy")
    assert (
        prompt_text(turn_of("zip", "1 wool 1 grain 1 ore"), 0) == "Trade, build a development tile, or end your turn."
    )
    assert prompt_text(rich, 1) == "Waiting for red."


def test_an_offer_is_put_to_those_it_is_made_to() -> None:
    game = traders("sixth", "1 wool", "1 grain", "1 ore")
    game.play(0, "offer 1 wool : 1 grain to blue white")
    assert prompt_text(game, 1) == "Red offers 1 wool for your 1 wheat."
    assert prompt_text(game, 2) == "Red offers 1 wool for 1 wheat, which you do not have."
    assert prompt_text(game, 3) == "Waiting for red, blue, and white."
    assert prompt_text(game, 0) == "Trade or end your turn."
    game.play(1, "accept #1")
    assert prompt_text(game, 0) == "Blue said yes to your offer 1. Confirm it, or continue your turn."
    assert prompt_text(game, 1) == "Waiting for red and white."
    game.play(2, "counter #1 1 ore : 1 wool")
    assert prompt_text(game, 0) == "White offers 1 ore for your 1 wool. Answer, or continue your turn."
    game.play(1, "offer 1 grain : 2 wool to red")
    assert prompt_text(game, 0) == "Answer 2 offers, or continue your turn."
    game.play(0, "reject #2")
    assert prompt_text(game, 0) == (
        "Blue offers 1 wheat for 2 wool, which you do not have. Answer, or continue your turn."
    )


def test_several_offers_to_one_who_waits() -> None:
    game = traders("fifth", "2 wool", "1 grain")
    game.play(0, "offer 1 wool : 1 grain to blue")
    game.play(0, "offer 2 wool : 1 grain to blue")
    assert prompt_text(game, 1) == "Answer 2 offers."


def test_the_set_up_asks_for_pieces() -> None:
    game = opening(edition="fifth", setup="variable", first="roll")
    assert [prompt_text(game, seat) for seat in (0, 1)] == ["You roll for the start.", "Red rolls for the start."]
    game = opening(edition="zip", setup="variable", map=2, first=0, players=3)
    assert prompt_text(game, 0) == "Draw your first settlement."
    game.play(0, game.legal(0)[0])
    assert prompt_text(game, 0) == "Draw a road at your new settlement."
    assert prompt_text(game, 1) == "Waiting for black."
    while game.state.placed < 3:
        game.play(game.state.active, game.legal(game.state.active)[0])
    assert prompt_text(game, 2) == "Draw your second settlement."


@pytest.mark.rule("DEV-18")
@pytest.mark.parametrize("edition, second", [("fifth", "Place 1 free road, or skip it."), ("zip", "Draw 1 free road.")])
def test_free_roads_and_the_one_that_may_be_left_out(edition: str, second: str) -> None:
    game = turn_of(edition, dev=by_seat(edition, "1 road-building"))
    game.play(0, "road-building")
    assert prompt_text(game, 0) == second.split(maxsplit=1)[0] + " 2 free roads."
    game.play(0, "road C3/e")
    assert prompt_text(game, 0) == second


def test_a_drawn_card_and_the_end() -> None:
    game = traders("fifth", "1 wool 1 grain 1 ore", cities=by_seat("fifth", "C3n C3s D1n B1n"), points_to_win=9)
    game.play(0, "buy")
    assert [prompt_text(game, seat) for seat in (0, 1)] == [
        "You draw a development card.",
        "Red draws a development card.",
    ]
    game.deal("drawn victory-point")
    assert [prompt_text(game, seat) for seat in (0, 1, None)] == ["You have won.", "Red has won.", "Red has won."]


def test_a_prompt_is_made_of_the_seats_own_view() -> None:
    game = traders("fifth", "1 wool")
    with pytest.raises(ValueError, match="a prompt for seat 1 needs that seat's view, not the view of seat 0"):
        prompt_of(game.options, game.view(0), 1)


def test_a_prompt_is_plain_data_too() -> None:
    game = traders("fifth", "1 wool", "1 grain")
    game.play(0, "offer 1 wool : 1 grain to blue")
    data = prompt_of(game.options, game.view(1), 1, game.legal(1)).as_dict()
    assert data == {
        "ask": "offer", "to": "blue", "player": "red", "number": 1,
        "give": {"wool": 1}, "want": {"grain": 1}, "able": True,
    }  # fmt: skip
    assert prompt_of(game.options, game.view(None), None).as_dict() == {
        "ask": "wait", "to": None, "players": ["red", "blue"],
    }  # fmt: skip


@all_editions
def test_a_prompt_asks_exactly_those_who_are_asked(edition: str) -> None:
    """And what it names can be done."""
    rng, asks = random.Random(EDITIONS.index(edition)), get_args(Ask)
    game = Scene.new(edition=edition, setup="variable", hand_limit=5, first="roll")
    for _ in range(130):
        for seat in range(game.state.players):
            view, legal = game.view(seat), game.legal(seat)
            prompt = prompt_of(game.options, view, seat, legal)
            assert (asks.index(prompt.ask) < asks.index("wait")) == (view.to_act >> seat & 1)
            kinds = {game.action_text(code).split()[0] for code in legal}
            assert set(prompt.cards) <= kinds
            assert "play" not in prompt.parts or kinds & {"knight", "road-building", "year-of-plenty", "monopoly"}
            assert "build" not in prompt.parts or kinds & {"road", "settlement", "city"}
            assert "buy" not in prompt.parts or "buy" in kinds
            assert prompt.ask != "main" or "end" in kinds
            assert prompt.ask != "victim" or {f"steal {color}" for color in prompt.players} == set(
                legal_texts(game, seat)
            )
            text = WORDS.ask(prompt, game.options)
            assert re.fullmatch(r"[A-Z][^{}]*\.", text)
            assert not re.search(rf"\b{game.colors[seat]}\b", text, re.IGNORECASE)
        if game.phase == "over":
            break
        carry_out(game, *choose(game, rng))
