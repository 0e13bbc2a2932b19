"""Search: what people call things leads to where they are explained."""

from __future__ import annotations

import re

import pytest

from hexholm.almanac.search import MOST_WORDS, Index, fold_accents
from hexholm.rules.catalogue import rule_by_id
from hexholm.rules.encoding.refusals import REFUSALS
from tests.helpers.marks import all_editions

from .almanacs import EDITIONS_AND_LANGUAGES, almanac_of


def test_so_many_words_are_searched_for_and_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    almanac, looked_for = almanac_of("fifth"), list[str]()
    nearest_stem = Index._nearest_stem

    def noted_stem(index: Index, stem: str) -> str:
        looked_for.append(stem)
        return nearest_stem(index, stem)

    monkeypatch.setattr(Index, "_nearest_stem", noted_stem)
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
    explained = almanac.explained()
    refused_rules = [rule_by_id(refusal.rule) for refusal in REFUSALS if refusal.rule]
    for each in (each for each in refused_rules if edition in each.editions or not each.editions):
        entries = [almanac.entry(name) for name in explained[each.id]]
        assert each.id in entries[0].rules
        assert entries[0].group != "start" or {entry.group for entry in entries} == {"start"}, each.id


def test_the_entry_that_says_most_of_a_chapter_comes_first() -> None:
    explained = almanac_of("fifth").explained()
    assert explained["LROAD-07"] == ("longest-road", "settlements", "tactics")
    assert explained["SEVEN-02"][0] == "rolling-a-7"


@pytest.mark.parametrize("edition, language", EDITIONS_AND_LANGUAGES)
def test_words_lead_to_entries_of_the_edition(edition: str, language: str) -> None:
    almanac = almanac_of(edition, language)
    assert set(almanac.terms.values()) <= set(almanac.names)
    for form, name in almanac.terms.items():
        event, word = re.fullmatch(r"(?:([a-z_]+):)?(.+)", form).groups("")  # type: ignore[union-attr]
        assert [(span.text, span.to) for span in almanac.linked(word, event)] == [(word, name)]
