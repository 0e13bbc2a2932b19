"""Worked examples: the engine says of every position what its caption says."""

from __future__ import annotations

import re
from typing import Any

import pytest

import hexholm
from hexholm.almanac.blocks import ExampleBlock
from hexholm.almanac.drafts import read_almanac_data
from hexholm.game.cards import Cards
from tests.helpers.marks import all_editions

from .almanacs import EDITIONS_AND_LANGUAGES, almanac_of

NAMES = list(read_almanac_data("examples"))
NO_SUM = {"start", "city"}
"""Examples that tell no sum of points."""


@all_editions
@pytest.mark.parametrize("name", NAMES)
def test_the_engine_agrees_with_an_example(name: str, edition: str) -> None:
    example = almanac_of(edition).example(name)
    game = hexholm.Game.from_position(example.position, dealer=hexholm.ByHand(), compiled=False)
    check = example.check
    for fact, expected in check.get("given", {}).items():
        assert fact_of(game, fact) == expected, fact
    for action in check.get("legal", ()):
        assert game.why_not(action) is None, action
    for action, rule in check.get("refused", {}).items():
        reason = game.why_not(action)
        assert reason is not None, action
        assert rule in str(reason), action
    for action in check.get("play", ()):
        by, colon, text = action.partition(": ")
        if game.chance is not None:
            game.deal(action)
        elif colon and by in game.colors:
            game.play(text, by=by)
        else:
            game.play(action)
    for fact, expected in check.get("then", {}).items():
        assert fact_of(game, fact) == expected, fact


def fact_of(game: hexholm.Game, fact: str) -> Any:
    """A fact of a game, as the examples name it."""
    name, _, color = fact.partition(".")
    view = game.view(None)
    match name:
        case "winner":
            return game.winner
        case "longest_road":
            return view.longest_road
        case "largest_army":
            return view.largest_army
        case "knights":
            return view.played(color)["knight"]
        case "points":
            return game.points[game.colors.index(color)]
        case "road":
            return view.road_length(color)
        case "roads":
            return len(view.roads(color))
        case "holds":
            return view.hand_size(color)
        case "left":
            return view.supply[color]
        case "owed":
            return view.owed(color)
        case "hand":
            return hand_text(game.view(color).hand)
    raise AssertionError(f"no fact {fact!r}")


def hand_text(cards: Cards) -> str:
    """A hand in a row."""
    return " ".join(f"{n} {kind}" for kind, n in cards.items() if n) or "nothing"


@pytest.mark.parametrize("edition, language", EDITIONS_AND_LANGUAGES)
def test_every_example_is_shown_by_an_entry_and_tells_of_its_marks(edition: str, language: str) -> None:
    examples = {
        block.example.name: block.example
        for entry in almanac_of(edition, language).entries()
        for block in entry.blocks
        if isinstance(block, ExampleBlock)
    }
    assert set(examples) == set(NAMES)
    for example in examples.values():
        named = set(re.findall(r"\b[A-D]\b", example.caption))
        assert named == set(example.marks), example.name


@pytest.mark.parametrize("edition, language", EDITIONS_AND_LANGUAGES)
@pytest.mark.parametrize("name", NAMES)
def test_a_caption_tells_the_numbers_that_were_checked(name: str, edition: str, language: str) -> None:
    example = almanac_of(edition, language).example(name)
    facts = {**example.check.get("given", {}), **example.check.get("then", {})}
    numbers = {str(value) for key, value in facts.items() if type(value) is int and value and name not in NO_SUM}
    assert numbers <= set(re.findall(r"\d+", example.caption))


@all_editions
@pytest.mark.parametrize("name", NAMES)
def test_an_example_is_drawn_in_characters(name: str, edition: str) -> None:
    example = almanac_of(edition).example(name)
    lines = example.picture().split("\n")
    assert max(map(len, lines)) <= 80
    picture = "\n".join(lines)
    for letter, place in example.marks.items():
        sign = rf"{letter * 3}| {letter} " if "/" in place else rf"<{letter}>|{letter}:\w"
        assert re.search(sign, picture), letter
    assert "\x1b" not in picture
    assert "\x1b" in example.picture(in_color=True)


def test_the_words_of_the_edition_stand_in_the_picture() -> None:
    assert "lumber" in almanac_of("fifth").example("board").picture()
    assert "wood" in almanac_of("sixth").example("board").picture()


@pytest.mark.parametrize("name", ["broken", "roads", "rob"])
def test_an_example_is_drawn_as_svg_with_its_marks(name: str) -> None:
    example = almanac_of("zip").example(name)
    picture = example.svg(theme="dark", width=700)
    assert picture.startswith("<svg ")
    assert all(f"{letter}: {place}." in picture for letter, place in example.marks.items())
    assert picture.count('class="highlight') == len(example.marks)
    assert example.title in picture


FRAME = "|+#'(["


@pytest.mark.parametrize("name", NAMES)
def test_drawings_speak_german_in_the_german_almanac_and_nothing_else_moves(name: str) -> None:
    english, german = (almanac_of("fifth", language).example(name) for language in ("en", "de"))
    lines = zip(english.picture().split("\n"), german.picture().split("\n"), strict=True)
    for english_line, german_line in lines:
        assert not re.search("hills|forest|pasture|fields|mountains|desert|any|ROBBER", german_line), german_line
        assert [at for at, sign in enumerate(english_line) if sign in FRAME] == [
            at for at, sign in enumerate(german_line) if sign in FRAME
        ]
    assert "Hügelland" in german.picture()
    assert re.sub(r"\x1b\[[0-9;]*m", "", german.picture(in_color=True)) == german.picture()
