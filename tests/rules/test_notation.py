"""Places and actions as text: any text is read faithfully or refused clearly, and what is written reads back."""

from __future__ import annotations

import pickle

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from hexholm import Action, BadInput, Cards, DevelopmentCards
from hexholm.game.action import COLORS
from hexholm.rules import notation
from hexholm.rules.encoding import action_codes as act
from hexholm.rules.encoding.action_numbers import ALL_ACTIONS, code_of_number
from hexholm.rules.places import (
    CORNER_ID,
    CORNER_NAMES,
    HEX_ID,
    HEX_NAMES,
    SIDE_ID,
    SIDE_NAMES,
    read_corner,
    read_hex,
    read_side,
)
from hexholm.rules.referee import Referee

BOX = ("red", "blue", "white", "orange")
WORDS = st.sampled_from(
    "roll end settlement city road buy knight road-building year-of-plenty monopoly waive robber steal discard"
    " discard-card supply offer counter accept reject confirm withdraw dice stolen drawn to all : , # #1 #9 1 2 12 999"
    " 0 -1 ore wool brick wood wheat grain lumber 2ore 3x nothing C3 C3n c3/NE F9 A1/zz red blue white green"
    " victory-point invention year of plenty road building".split()
)


@pytest.mark.parametrize(
    "names, ids, read",
    [(HEX_NAMES, HEX_ID, read_hex), (CORNER_NAMES, CORNER_ID, read_corner), (SIDE_NAMES, SIDE_ID, read_side)],
)
def test_every_name_of_every_place_is_read_and_written_canonically(names, ids, read) -> None:  # type: ignore[no-untyped-def]
    for spelled, place in ids.items():
        for text in (spelled, spelled.lower(), spelled.upper(), f"  {spelled} "):
            assert read(text) == place
        assert read(names[place]) == place


@given(st.one_of(st.text(max_size=8), st.from_regex(r"[A-Ea-eF][0-6]/?[nsewNSEW]{0,3}", fullmatch=True)))
@example("C3n")
def test_any_text_is_a_place_or_is_refused_with_an_example(text: str) -> None:
    for read, names in ((read_hex, HEX_NAMES), (read_corner, CORNER_NAMES), (read_side, SIDE_NAMES)):
        try:
            place = read(text)
        except BadInput as error:
            refused = str(error)
            assert "write it like C3" in refused
        else:
            assert read(names[place]) == place
            assert text.strip()[0].upper() in "ABCDE"


@given(st.one_of(st.text(max_size=40), st.lists(WORDS, max_size=9).map(" ".join)))
@example("offer 1 ore : 1 wool to red red")
@example("counter #1 nothing : nothing")
@example("year-of-plenty 2 ore")
def test_any_text_is_an_action_or_is_refused(text: str) -> None:
    try:
        code = notation.read_action(text, BOX, 0)
    except BadInput:
        return
    spelled = notation.action_text(code, BOX)
    assert notation.read_action(spelled, BOX) == code
    assert notation.action_text(notation.read_action(spelled, BOX), BOX) == spelled
    action = Action.of_code(code, BOX)
    assert (action.text, action.code(BOX)) == (spelled, code)


@given(st.one_of(st.text(max_size=40), st.lists(st.one_of(st.sampled_from(COLORS), WORDS), max_size=9).map(" ".join)))
def test_any_text_is_an_action_of_somebody_or_is_refused(text: str) -> None:
    try:
        action = Action.of(text)
    except BadInput:
        return
    again: Action = eval(repr(action))  # noqa: S307  # what a repr shows can be pasted back
    assert again == action
    assert hash(again) == hash(action)
    assert pickle.loads(pickle.dumps(action)) == action  # noqa: S301


@given(st.one_of(st.text(max_size=20), st.lists(WORDS, max_size=6).map(" ".join)))
def test_any_text_is_cards_or_is_refused(text: str) -> None:
    for kind in (Cards, DevelopmentCards):
        try:
            cards = kind(text)
        except BadInput:
            continue
        else:
            assert kind(str(cards)) == cards
            assert cards.total == sum(cards.values())


def test_all_numbered_actions_have_three_spellings_with_maps_between_them() -> None:
    state = Referee.new().state
    for number in range(ALL_ACTIONS):
        code = code_of_number(state, 0, number)
        action = Action.of_code(code, BOX, "red" if act.kind_of(code) < act.DICE else None)
        assert action.code(BOX) == code
        assert Action.of(action.text).text == action.text
        assert notation.read_action(action.text, BOX) == code


@pytest.mark.parametrize(
    "text, canonical",
    [
        ("Blue: Accept 1", "Action.of('blue accept #1')"),
        ("red discard ore, 2x WOOD", "Action.of('red discard 2 lumber 1 ore')"),
        ("white invention ore ore", "Action.of('white year-of-plenty ore ore')"),
        ("dice 3 4", "Action.of('dice 3 4')"),
        ("confirm 2 green", "Action.of('confirm #2 green')"),
    ],
)
def test_reading_is_lenient_and_writing_is_not(text: str, canonical: str) -> None:
    assert repr(Action.of(text)) == canonical


def test_an_action_of_nobodys_game_needs_colors_that_go_together() -> None:
    assert Action.of("black offer 1 ore : 1 wool to green red").to == ("green", "red")
    with pytest.raises(BadInput, match="who all are is known only in a game"):
        Action.of("red offer 1 ore : 1 wool to all")
    with pytest.raises(BadInput, match="no edition has black and white together"):
        Action.of("black offer 1 ore : 1 wool to white")


def test_only_the_fields_of_its_kind_are_set() -> None:
    offer = Action.of("red offer 2 ore : 1 wool to blue white")
    assert (offer.kind, offer.by, offer.give, offer.want, offer.to) == (
        "offer",
        "red",
        Cards("2 ore"),
        Cards("wool"),
        ("blue", "white"),
    )
    assert (offer.place, offer.player, offer.offer, offer.resource, offer.card, offer.dice) == (None,) * 6
    assert Action.of("drawn knight").card == "knight"
    assert Action.of("dice 3 4").dice == (3, 4)
    assert Action.of("dice 3 4").by == "chance"
    assert Action.of("robber c3").place == "C3"
    assert Action.of("counter #2 ore : wool").offer == 2


def test_cards_add_up_and_cannot_go_below_nothing() -> None:
    hand = Cards("2 ore 1 grain")
    assert hand + Cards(["wool", "wool"]) == {"brick": 0, "lumber": 0, "wool": 2, "grain": 1, "ore": 2}
    assert str(Cards({"ore": 0})) == "nothing"
    assert not Cards()
    with pytest.raises(BadInput, match="3 ore cannot be taken from 1 grain 2 ore"):
        hand - Cards("3 ore")
    with pytest.raises(BadInput, match="'gold' is no such card; there are brick"):
        Cards("1 gold")
    with pytest.raises(BadInput, match="0 to 127"):
        Cards({"ore": -1})
    with pytest.raises(BadInput, match="whole numbers"):
        Cards({"ore": 1.5})
    assert Cards(ore=2, wheat=1) == Cards("2 ore 1 grain")
    with pytest.raises(BadInput, match="another sort"):
        Cards(DevelopmentCards("knight"))
    with pytest.raises(AttributeError):
        hand.lanes = 0
