"""Sentences that hold in one edition and not in another: each says what its own book says, in entry and export."""

from __future__ import annotations

import re

import pytest

from hexholm.rules.setup.editions import EDITIONS
from tests.helpers.edition_table import editions_with
from tests.helpers.marks import all_languages
from tests.languages import LOOKED_FOR

from .almanacs import EDITIONS_AND_LANGUAGES, almanac_of

EVERYBODY_ROLLS = editions_with(first_player_fixed="highest_roll")


def entry_and_export(name: str, language: str, entry: str) -> tuple[str, str]:
    """What an entry says, and what the export says."""
    almanac = almanac_of(name, language)
    return almanac.entry(entry).text, almanac.export()


@pytest.mark.rule("MAP-15", "MAP-16")
@pytest.mark.parametrize("name, language", [pair for pair in EDITIONS_AND_LANGUAGES if pair[0] != "zip"])
def test_only_tokens_with_letters_are_laid_by_letters(name: str, language: str) -> None:
    by_letters = LOOKED_FOR[language]["sentences"]["by_letters"]
    printed = LOOKED_FOR[language]["sentences"]["printed_order"]
    for text in entry_and_export(name, language, "set-up-variable"):
        assert (by_letters in text) == (name != "threed")
        assert (printed in text) == (name == "threed")
        assert "5 2 6 3 8 10 9 12 11 4 8 10 9 4 5 6 3 11" in text
    rows = {row.key: row.values for row in almanac_of(name, language).compare()}
    assert not re.search(LOOKED_FOR[language]["sentences"]["letter"], rows["number_placement"]["threed"])


@pytest.mark.rule("MAP-13")
@pytest.mark.parametrize("name, language", [pair for pair in EDITIONS_AND_LANGUAGES if pair[0] != "zip"])
def test_hexes_that_cannot_be_turned_over_are_not_shuffled(name: str, language: str) -> None:
    shuffled = LOOKED_FOR[language]["sentences"]["shuffled"]
    agreed = LOOKED_FOR[language]["sentences"]["not_shuffled"]
    for text in entry_and_export(name, language, "set-up-variable"):
        assert (shuffled in text) == (name != "threed")
        assert (agreed in text) == (name == "threed")


@pytest.mark.rule("ZIP-09", "ZIP-09.e2", "DEV-18.e1")
@pytest.mark.parametrize("name, language", EDITIONS_AND_LANGUAGES)
def test_drawn_roads_do_not_run_out(name: str, language: str) -> None:
    one_left = LOOKED_FOR[language]["sentences"]["one_road_left"]
    for text in entry_and_export(name, language, "road-building"):
        assert (one_left in text) == (name != "zip")
    for text in entry_and_export(name, language, "build"):
        assert not re.search(LOOKED_FOR[language]["sentences"]["pieces"], text)


@pytest.mark.rule("SETUP-06", "ZIP-12")
@pytest.mark.parametrize("name, language", EDITIONS_AND_LANGUAGES)
def test_the_roll_for_the_start_holds_for_every_board_where_the_book_has_no_other_way(name: str, language: str) -> None:
    some = LOOKED_FOR[language]["sentences"]["everybody_rolls_there"]
    every = LOOKED_FOR[language]["sentences"]["everybody_rolls"]
    for text in entry_and_export(name, language, "set-up-phase"):
        assert (every in text) == (name in EVERYBODY_ROLLS)
        assert (some in text) == (name not in EVERYBODY_ROLLS)
    if name == "zip":
        assert not re.search(LOOKED_FOR[language]["sentences"]["variable_board"], almanac_of(name, language).export())


@pytest.mark.rule("MAP-19", "MAP-19.e1")
@all_languages
def test_the_summary_itself_asks_for_the_check_of_red_numbers(language: str) -> None:
    check = LOOKED_FOR[language]["sentences"]["red_check"]
    roles = {
        part.role: part.text
        for part in almanac_of("summary", language).entry("set-up-variable").paragraphs()
        if "MAP-19" in part.rules
    }
    assert check in roles[""]
    assert re.search(LOOKED_FOR[language]["sentences"]["never"], roles["reading"])
    assert check not in roles["reading"]


@pytest.mark.rule("ALM-05")
@pytest.mark.parametrize("name, language", EDITIONS_AND_LANGUAGES)
def test_trade_is_said_to_better_the_chances_and_no_more(name: str, language: str) -> None:
    assert LOOKED_FOR[language]["sentences"]["trade"] in almanac_of(name, language).entry("tactics").text


def test_the_german_entries_begin_and_agree_as_they_should() -> None:
    assert almanac_of("fifth", "de").entry("combined-phase").text.startswith("Üblicherweise kommt der Handel zuerst")
    for name in EDITIONS:
        assert "Sie verbinden je zwei Kreuzungen" in almanac_of(name, "de").entry("paths").text


@pytest.mark.rule("SEVEN-02")
@all_languages
def test_the_printed_map_says_that_half_is_rounded_down(language: str) -> None:
    from hexholm.almanac.drafts import read_almanac_data

    text = LOOKED_FOR[language]["sentences"]["half"]
    assert any(text in line for line in read_almanac_data(f"{language}/pad")["ticks"]["lines"])
