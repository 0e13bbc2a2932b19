"""Sentences that hold in one edition and not in another: each says what its own book says, in entry and export."""

from __future__ import annotations

import re

import pytest

from hexholm.rules.editions import EDITIONS
from tests.edition_table import editions_with
from tests.marks import all_editions, all_languages

from .almanacs import EDITIONS_AND_LANGUAGES, almanac_of

EVERYBODY_ROLLS = editions_with(first_player_fixed="highest_roll")


def entry_and_export(name: str, language: str, entry: str) -> tuple[str, str]:
    """What an entry says, and what the export says."""
    almanac = almanac_of(name, language)
    return almanac.entry(entry).text, almanac.export()


@pytest.mark.rule("MAP-15", "MAP-16")
@pytest.mark.parametrize("name, language", [pair for pair in EDITIONS_AND_LANGUAGES if pair[0] != "zip"])
def test_only_tokens_with_letters_are_laid_by_letters(name: str, language: str) -> None:
    by_letters = {"en": "in the order of the letters A to R", "de": "in der Folge der Buchstaben A bis R"}[language]
    printed = {"en": "in the printed order, as these have no letters", "de": "in der gedruckten Folge"}[language]
    for text in entry_and_export(name, language, "set-up-variable"):
        assert (by_letters in text) == (name != "threed")
        assert (printed in text) == (name == "threed")
        assert "5 2 6 3 8 10 9 12 11 4 8 10 9 4 5 6 3 11" in text
    rows = {row.key: row.values for row in almanac_of(name, language).compare()}
    assert not re.search("letter|Buchstabe", rows["number_placement"]["threed"])


@pytest.mark.rule("MAP-13")
@pytest.mark.parametrize("name, language", [pair for pair in EDITIONS_AND_LANGUAGES if pair[0] != "zip"])
def test_hexes_that_cannot_be_turned_over_are_not_shuffled(name: str, language: str) -> None:
    shuffled = {"en": "Shuffle the 19 hexes and lay them face up", "de": "Mischt die 19 Felder und legt sie offen"}
    agreed = {"en": "cannot be turned over and shuffled", "de": "lassen sich nicht umdrehen und mischen"}
    for text in entry_and_export(name, language, "set-up-variable"):
        assert (shuffled[language] in text) == (name != "threed")
        assert (agreed[language] in text) == (name == "threed")


@pytest.mark.rule("ZIP-09", "ZIP-09.e2", "DEV-18.e1")
@pytest.mark.parametrize("name, language", EDITIONS_AND_LANGUAGES)
def test_drawn_roads_do_not_run_out(name: str, language: str) -> None:
    one_left = {"en": "With one road left", "de": "Hast du nur noch eine Straße"}[language]
    for text in entry_and_export(name, language, "road-building"):
        assert (one_left in text) == (name != "zip")
    for text in entry_and_export(name, language, "build"):
        assert not re.search("have pieces for|und Figuren hast", text)


@pytest.mark.rule("SETUP-06", "ZIP-12")
@pytest.mark.parametrize("name, language", EDITIONS_AND_LANGUAGES)
def test_the_roll_for_the_start_holds_for_every_board_where_the_book_has_no_other_way(name: str, language: str) -> None:
    some = {"en": "On a variable board everybody rolls both dice", "de": "Auf einem variablen Plan würfeln alle"}
    every = {"en": "Everybody rolls both dice", "de": "Alle würfeln mit beiden Würfeln"}
    for text in entry_and_export(name, language, "set-up-phase"):
        assert (every[language] in text) == (name in EVERYBODY_ROLLS)
        assert (some[language] in text) == (name not in EVERYBODY_ROLLS)
    if name == "zip":
        assert not re.search("variable board|variablen? Plan", almanac_of(name, language).export())


@pytest.mark.rule("MAP-19", "MAP-19.e1")
@all_languages
def test_the_summary_itself_asks_for_the_check_of_red_numbers(language: str) -> None:
    check = {"en": "must not be neighbours; swap if they are", "de": "dürfen nicht benachbart sein; sonst tauscht"}
    roles = {
        part.role: part.text
        for part in almanac_of("summary", language).entry("set-up-variable").paragraphs()
        if "MAP-19" in part.rules
    }
    assert check[language] in roles[""]
    assert re.search("never|nie", roles["reading"])
    assert check[language] not in roles["reading"]


@pytest.mark.rule("ALM-05")
@all_editions
def test_trade_is_said_to_better_the_chances_and_no_more(edition: str) -> None:
    assert "The more you trade, the better your chances." in almanac_of(edition).entry("tactics").text
    assert "Je mehr du tauschst, desto besser sind deine Aussichten." in almanac_of(edition, "de").entry("tactics").text


def test_the_german_entries_begin_and_agree_as_they_should() -> None:
    assert almanac_of("fifth", "de").entry("combined-phase").text.startswith("Üblicherweise kommt der Handel zuerst")
    for name in EDITIONS:
        assert "Sie verbinden je zwei Kreuzungen" in almanac_of(name, "de").entry("paths").text


@pytest.mark.rule("SEVEN-02")
@pytest.mark.parametrize("language, text", [("en", "half, rounded down"), ("de", "Hälfte, abgerundet")])
def test_the_printed_map_says_that_half_is_rounded_down(language: str, text: str) -> None:
    from hexholm.almanac.drafts import read_almanac_data

    assert any(text in line for line in read_almanac_data(f"{language}/pad")["ticks"]["lines"])
