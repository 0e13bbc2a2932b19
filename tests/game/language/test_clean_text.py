"""People's own words come back from a record as they went in; and what is no record or position is refused at once."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from hexholm.game.game import Game, Record
from hexholm.game.language.clean_text import (
    MOST_CHARACTERS,
    clean,
    clean_name,
    first_words,
    name_key,
    one_line,
    quoted_text,
)
from hexholm.game.positions.position import read_position, read_view
from hexholm.game.positions.position_words import MOST_FAULTS, POSITION_KEYS, SEAT_KEYS, BadPosition
from hexholm.game.record_format.text_form import TAGS
from hexholm.rules.errors import BadInput
from tests.game.records.sample_records import header

ANY_TEXT = st.text(st.characters(exclude_categories=()), max_size=40)
HEXES = "m10p2f9/g12h6p4h10/g9f11df3m8/f8m3g4p5/h5g6p11"

# --- words -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "value, text",
    [
        ("a\nb", "a b"),
        ("  a\t\r\n b\u2028c ", "a b c"),
        ("a\x00b\x7f", "a?b?"),
        ("half \ud800 of a pair", "half ? of a pair"),
        ("", ""),
        ("A\u200bn\u202en\u2066\ufeff", "Ann"),
        ("\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645", "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645"),
        ("\u200b", ""),
        (7, "7"),
        ("Zoë ☃ 𝄞", "Zoë ☃ 𝄞"),
        ("x" * 2000, "x" * MOST_CHARACTERS),
    ],
)
def test_a_text_is_made_fit_to_be_written(value: object, text: str) -> None:
    assert clean(value) == text


@given(ANY_TEXT)
def test_cleaning_twice_is_cleaning_once(text: str) -> None:
    for cleaned in (clean(text), one_line(text)):
        assert clean(cleaned) == cleaned
        assert cleaned.encode().decode() == cleaned
        assert len(cleaned.splitlines()) <= 1


def test_long_words_are_quoted_short() -> None:
    assert quoted_text("x" * 79) == repr("x" * 79)
    assert len(quoted_text("x" * 10**6)) < 90
    assert first_words(["a" * 20, "b"] * 9) == ["a" * 12, "b"] * 3


# --- in a game -------------------------------------------------------------------------------------------------------


@given(ANY_TEXT, ANY_TEXT, ANY_TEXT)
@example("a\nb", "", "\ud800")
@example('"', "\\", "} {")
@example(":", "a: b", ")")
@settings(max_examples=60, deadline=None)
def test_a_game_with_any_names_comments_and_notes_comes_back(name: str, remark: str, note: str) -> None:
    game = Game(edition="fifth", setup="fixed", first="red", seed=3, names=[name, "", "Bo", "Cy"], compiled=False)
    game.comment(remark)
    game.play("roll")
    game.comment(remark)
    game.stop("agreed", note)
    for again in (Game.from_record(game.record()), Game.from_record(game.record().text())):
        assert again == game
        assert again.result == game.result
        assert again.comments == game.comments
        assert again.names == game.names
    assert Record.from_json(game.record().to_json()) == game.record()


@pytest.mark.parametrize(
    "blank",
    ["\u00ad", "\u3164", "\u2800", "\U000e0041", "\u200e", "\u115f", "\u200b", "\ufe0f", "\U0001d173", "\U00016fe4"],
)
def test_a_name_has_no_signs_that_show_nothing(blank: str) -> None:
    assert clean_name(f"{blank}An{blank}n{blank}") == "Ann"
    assert clean_name(clean_name(f"A{blank}b")) == clean_name(f"A{blank}b")
    assert clean_name(blank) == ""


def test_letters_that_need_a_joiner_keep_it_in_a_name() -> None:
    name = "\u0645\u06cc\u200c\u062e\u0648"
    assert clean_name(name) == name
    assert name_key(name) == name_key(name.replace("\u200c", ""))


# --- anything at all -------------------------------------------------------------------------------------------------

LARGE = 10**6


def refusal(read: Callable[[str], object], text: str) -> str:
    """Why a text is refused; a reader whose time grows with the square of the text would take hours for `LARGE`."""
    with pytest.raises(BadInput) as error:
        read(text)
    return str(error.value)


def sign_count(message: str, sign: str) -> int:
    """The longest row of a sign in a message."""
    return max(map(len, "".join(char if char == sign else " " for char in message).split()), default=0)


def test_many_unknown_words_of_a_position_are_not_all_looked_at() -> None:
    with pytest.raises(BadPosition) as error:
        read_position("a=b " * 1000)
    assert len(error.value.faults) == MOST_FAULTS + 1
    assert error.value.faults[0] == "there is no key 'a'; did you mean map?"
    assert error.value.faults[-1] == f"the other {1000 - MOST_FAULTS} words were not looked at"
    with pytest.raises(BadPosition) as error:
        read_position(f"red:settlements={','.join('x' * 30)}")
    assert len(error.value.faults) == MOST_FAULTS + 1
    assert error.value.faults[-1] == "and more: these are the first of many faults"


@pytest.mark.parametrize(
    "unit", ["a=b ", "x", "x ", "turn=red ", "pink:hand=1ore ", "red:xx=1 ", "?", " ", "=", ",", "{"]
)
def test_a_large_text_that_is_no_position_is_refused_at_once(unit: str) -> None:
    for size in (LARGE, LARGE // 6):
        for read in (read_position, read_view):
            message = refusal(read, "worlds=x " + unit * (size // len(unit)))
            assert len(message) < 5000


@pytest.mark.parametrize("key", [*POSITION_KEYS, *(f"red:{key}" for key in SEAT_KEYS)])
def test_a_large_value_in_a_position_is_refused_and_not_quoted_in_full(key: str) -> None:
    for size in (190_000, 3000, 200):
        for unit in ("x", "x,", "red,", "1ore,", "A1/e,", ";"):
            text = f"{key}={unit * (size // len(unit))}"
            for read in (read_position, read_view):
                begun = "seen-by=red " if read is read_view and key != "seen-by" else "turn-number=x "
                message = refusal(read, f"{begun}{text} first=pink")
                assert sign_count(message, "x") < 85, message
                assert text[len(key) + 1 :][:90] not in message


@pytest.mark.parametrize(
    "unit",
    [
        *(
            "a=b ",
            "x",
            "x ",
            "{",
            "}",
            "(",
            "({",
            ")",
            '"',
            "[x",
            '[x "',
            "=",
            "=3+4",
            "; =1",
            "red ",
            "roll ",
            "roll;",
        ),
        *("handed 1 red ", "offer 1 ore ", '[x "y"]\n', '[Edition "fifth"]\n', "1 ", "\n[", "2. "),
    ],
)
def test_a_large_text_that_is_no_record_is_refused_at_once(unit: str) -> None:
    for begun in ("", header(), header() + "1. red: roll =1+1; ", header(SeenBy="blue") + "monopoly ore ="):
        message = refusal(Record.read, f"{begun}{unit * (LARGE // len(unit))} x")
        assert sign_count(message, "x") < 85
        assert len(message) < 2000


@pytest.mark.parametrize("tag", [tag for tag in TAGS if tag not in ("Format", "SeenBy")])
def test_a_large_tag_of_a_record_is_refused_and_not_quoted_in_full(tag: str) -> None:
    for size in (LARGE, 3000, 300):
        for unit in ("x", "x ", "9 ", "red B2n B2/e;", "red, "):
            value = unit * (size // len(unit))
            message = refusal(Record.read, header(**{"Hexes": HEXES, tag: value}) + "1. blue: roll")
            assert sign_count(message, "x") < 85, message
            assert value[:90] not in message


@pytest.mark.parametrize(
    "name, other",
    [
        ("Anna", "\u0410nn\u0430"),  # Cyrillic
        ("Anna", "\u0391nn\u03b1"),  # Greek
        ("\u0412\u0415\u0420\u0410", "\u0432\u0435\u0440\u0430"),  # the same name, large and small
        ("HOPE", "\u041d\u041e\u0420\u0415"),
    ],
)
def test_a_name_in_letters_that_look_alike_is_taken_for_the_other(name: str, other: str) -> None:
    assert name_key(name) == name_key(other)
    assert name_key(name) != name_key("Eve")
