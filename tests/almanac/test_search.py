"""Search: what people call things leads to where they are explained."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from hexholm.almanac.blocks import TableBlock
from hexholm.almanac.passages import EXCERPT, passages_of
from hexholm.almanac.search import MOST_WORDS, SearchIndex, fold_accents
from hexholm.almanac.search_language import search_language
from hexholm.rules.catalogue import rule_by_id
from hexholm.rules.encoding.refusals import REFUSALS
from hexholm.rules.language.languages import LANGUAGES
from tests.helpers.marks import all_editions

from .almanacs import EDITIONS_AND_LANGUAGES, almanac_of


def test_so_many_words_are_searched_for_and_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    almanac, looked_for = almanac_of("fifth"), list[str]()
    nearest_terms = SearchIndex._nearest_stems

    def noted_terms(index: SearchIndex, word: str) -> list[str]:
        looked_for.append(word)
        return nearest_terms(index, word)

    monkeypatch.setattr(SearchIndex, "_nearest_stems", noted_terms)
    words = [f"{letter * 4}zqx" for letter in "abcdefghijklmn"]
    assert almanac.search(" ".join(words)) == []
    assert len(looked_for) == MOST_WORDS
    assert almanac.search("robber " + " ".join(words))[0].entry == "robber"


@all_editions
def test_a_tied_road_finds_the_tie_of_the_longest_road_first(edition: str) -> None:
    for query in ("tied road", "road tie", "ties roads", "Tied Roads?"):
        first = almanac_of(edition).search(query)[0]
        assert first.entry == "longest-road", query
        assert "LROAD-08" in first.rules, query
        assert "tie" in first.excerpt


@pytest.mark.parametrize(
    "query, entry",
    [
        ("harbour", "harbors"),
        ("port", "harbors"),
        ("bank", "supply"),
        ("trade with the bank", "maritime-trade"),
        ("trading with bank", "maritime-trade"),
        ("4:1", "maritime-trade"),
        ("too many cards", "rolling-a-7"),
        ("discarding", "rolling-a-7"),
        ("seven", "rolling-a-7"),
        ("stealing", "robber"),
        ("Invention", "year-of-plenty"),
        ("Year of Plenty", "year-of-plenty"),
        ("longest route", "longest-road"),
        ("how do I win", "ending-the-game"),
        ("probabilities", "dice-odds"),
        ("can i build past a settlement", "roads"),
        ("adjacent settlements", "distance-rule"),
        ("upgrading", "cities"),
        ("what does a city cost", "cities"),
        ("free roads", "road-building"),
        ("longst rode", "longest-road"),
        ("knigth", "knight-cards"),
        ("first turn who begins", "set-up-phase"),
        ("hidden cards", "what-is-known"),
    ],
)
def test_what_players_say_leads_to_the_entry(query: str, entry: str) -> None:
    for edition in ("fifth", "sixth"):
        assert entry in [hit.entry for hit in almanac_of(edition).search(query)][:2], edition


@pytest.mark.parametrize(
    "query, entry",
    [
        ("gleich lange Straßen", "longest-road"),
        ("Gleichstand", "longest-road"),
        ("unterbrochene Straße", "longest-road"),
        ("Häfen", "harbors"),
        ("hafen", "harbors"),
        ("Bank", "supply"),
        ("Räuber", "robber"),
        ("rauber", "robber"),
        ("Karten abwerfen", "rolling-a-7"),
        ("Städte", "cities"),
        ("Baukosten", "building-costs"),
        ("was kostet eine Siedlung", "settlements"),
        ("Wahrscheinlichkeiten", "dice-odds"),
        ("Gegenangebote", "domestic-trade"),
    ],
)
def test_german_words_in_any_form_lead_to_the_entry(query: str, entry: str) -> None:
    assert entry in [hit.entry for hit in almanac_of("fifth", "de").search(query)][:2]


@pytest.mark.parametrize("edition, language", EDITIONS_AND_LANGUAGES)
def test_every_entry_is_found_by_its_title_and_by_what_else_it_is_called(edition: str, language: str) -> None:
    almanac = almanac_of(edition, language)
    for entry in almanac.entries():
        assert entry.name in [hit.entry for hit in almanac.search(entry.title)][:2], entry.title
        for word in entry.also:
            assert entry.name in [hit.entry for hit in almanac.search(word)], word


def test_a_rule_finds_the_entries_that_explain_it() -> None:
    assert [hit.entry for hit in almanac_of("fifth").search("lroad-8")] == ["longest-road"]
    assert almanac_of("fifth").search("LROAD-99") == []


def test_what_stands_nowhere_finds_nothing() -> None:
    assert almanac_of("fifth").search("xyzzy quux") == []
    assert almanac_of("fifth").search("  ?!") == []


def test_a_hit_is_plain_data_and_points_into_the_entry() -> None:
    hit = almanac_of("fifth").search("tied road")[0]
    data = hit.as_dict()
    assert data["entry"] == "longest-road"
    block = almanac_of("fifth").entry("longest-road").blocks[data["block"]]
    assert "LROAD-08" in block.rules


def test_umlauts_and_accents_are_plain_vowels() -> None:
    assert fold_accents("Größe, Häfen, Café") == "grosse, hafen, cafe"


@pytest.mark.parametrize("edition, language", EDITIONS_AND_LANGUAGES)
def test_every_rule_that_a_refusal_names_is_explained_and_not_by_an_overview_first(edition: str, language: str) -> None:
    almanac = almanac_of(edition, language)
    explained = almanac.entries_by_rule()
    refused_rules = [rule_by_id(refusal.rule) for refusal in REFUSALS if refusal.rule]
    for each in (each for each in refused_rules if edition in each.editions or not each.editions):
        entries = [almanac.entry(name) for name in explained[each.id]]
        assert each.id in entries[0].rules
        assert entries[0].group != "start" or {entry.group for entry in entries} == {"start"}, each.id


def test_the_entry_that_says_most_of_a_chapter_comes_first() -> None:
    explained = almanac_of("fifth").entries_by_rule()
    assert explained["LROAD-07"] == ("longest-road", "settlements", "tactics")
    assert explained["SEVEN-02"][0] == "rolling-a-7"


@pytest.mark.parametrize("edition, language", EDITIONS_AND_LANGUAGES)
def test_words_lead_to_entries_of_the_edition(edition: str, language: str) -> None:
    almanac = almanac_of(edition, language)
    assert set(almanac.link_targets.values()) <= set(almanac.names)
    for form, name in almanac.link_targets.items():
        event, word = re.fullmatch(r"(?:([a-z_]+):)?(.+)", form).groups("")  # type: ignore[union-attr]
        assert [(span.text, span.to) for span in almanac.link_line(word, event)] == [(word, name)]


@pytest.mark.parametrize(
    "language, query, row",
    [
        ("en", "what does a road cost", "Road: 1 brick and 1 lumber (points: 0)"),
        ("en", "odds of an 8", "6 and 8: 14% each (5 of 36 ways)"),
        ("en", "how many monopoly cards are there", "Monopoly: 2"),
        ("en", "which land makes ore", "Mountains: ore (hexes: 3)"),
        ("de", "wie teuer ist eine Siedlung", "Siedlung: 1 Lehm, 1 Holz, 1 Wolle und 1 Getreide (Punkte: 1)"),
        ("de", "wie oft fällt die 2", "2 und 12: je 3 % (1 von 36 Kombinationen)"),
        ("de", "wie viele Punkte bringt eine Stadt", "Stadt: 2 (Punkte)"),
    ],
)
def test_prices_odds_and_counts_answer_with_the_row_of_the_table(language: str, query: str, row: str) -> None:
    hit = almanac_of("fifth", language).search(query)[0]
    assert hit.excerpt == row
    assert isinstance(almanac_of("fifth", language).entry(hit.entry).blocks[hit.block], TableBlock)


@pytest.mark.parametrize("edition, language", EDITIONS_AND_LANGUAGES)
def test_an_excerpt_is_whole_sentences(edition: str, language: str) -> None:
    almanac = almanac_of(edition, language)
    for entry in almanac.entries():
        for word in (entry.title, *entry.also):
            for hit in almanac.search(word, limit=3):
                assert len(hit.excerpt) <= EXCERPT
                if not hit.excerpt.endswith(" ..."):
                    texts = [paragraph.text for paragraph in almanac.entry(hit.entry).paragraphs()]
                    in_table = isinstance(almanac.entry(hit.entry).blocks[hit.block], TableBlock)
                    assert in_table or hit.excerpt[-1] in ".:?!)", hit.excerpt
                    assert in_table or any(
                        hit.excerpt.startswith(text[:20]) or hit.excerpt[:20] in text for text in texts
                    )


def test_a_long_paragraph_is_told_from_the_sentence_that_answers() -> None:
    hit = almanac_of("sixth").search("does a city lose more cards to the robber than a settlement")[0]
    assert hit.entry == "robber"
    assert "At a city, you steal no more than at a settlement." in hit.excerpt


@pytest.mark.parametrize(
    "query, entry",
    [("Haefen", "harbors"), ("Raeuber", "robber"), ("Monopohl", "monopoly"), ("Strassenbaukarte", "road-building")],
)
def test_words_are_understood_as_people_type_them(query: str, entry: str) -> None:
    assert almanac_of("fifth", "de").search(query)[0].entry == entry


def test_words_of_any_edition_find_the_entry_in_each() -> None:
    for edition in ("zip", "sixth", "fifth", "threed", "summary"):
        for query in ("lumber port", "wood harbor", "timber harbour"):
            assert {"harbors", "tactics"}.intersection(hit.entry for hit in almanac_of(edition).search(query)[:2]), (
                query
            )
        assert almanac_of(edition).search("trade with the bank")[0].entry == "maritime-trade"


def test_the_same_row_is_told_once_before_the_rest() -> None:
    hits = almanac_of("fifth").search("settlement cost")
    assert hits[0].excerpt != hits[1].excerpt


@pytest.mark.parametrize("edition, language", EDITIONS_AND_LANGUAGES)
def test_every_table_reads_as_lines_with_all_that_is_in_its_rows(edition: str, language: str) -> None:
    for entry in almanac_of(edition, language).entries():
        for table in entry.blocks:
            if isinstance(table, TableBlock):
                for row in table.rows:
                    line = search_language(language).rows[table.name].format(*row)
                    assert table.name == "numbers" or all(cell in line for cell in row)


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_players_ask_is_said_of_rules_that_there_are(language: str) -> None:
    for rule in (*search_language(language).asked_for, *search_language(language).questions):
        assert rule_by_id(rule).id == rule


def test_a_question_without_end_is_cut_off() -> None:
    almanac = almanac_of("fifth")
    assert almanac.search("the " * 100_000 + "robber") == almanac.search("the " * 250)


def test_a_question_about_prices_as_such_gets_all_of_them() -> None:
    hit = almanac_of("fifth").search("building costs")[0]
    assert hit.entry == "building-costs"
    assert all(f"{name}: " in hit.excerpt for name in ("Road", "Settlement", "City", "Development card"))


def test_a_table_without_rows_is_no_passage() -> None:
    entry = almanac_of("fifth").entry("editions")
    (number,) = [number for number, block in enumerate(entry.blocks) if isinstance(block, TableBlock)]
    table = entry.blocks[number]
    assert isinstance(table, TableBlock)
    emptied = replace(entry, blocks=(replace(table, rows=()),))
    assert list(passages_of(emptied, search_language("en"))) == []
