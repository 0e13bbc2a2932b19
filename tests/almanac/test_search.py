"""Search: what people call things leads to where they are explained."""

from __future__ import annotations

import re

import pytest

from hexholm.almanac.search import fold_accents
from hexholm.rules.catalogue import rule
from hexholm.rules.core.refusals import REFUSALS
from tests.marks import all_editions

from .books import BOOKS, book


@all_editions
def test_a_tied_road_finds_the_tie_of_the_longest_road_first(edition: str) -> None:
    for said in ("tied road", "road tie", "ties roads", "Tied Roads?"):
        first = book(edition).search(said)[0]
        assert first.entry == "longest-road", said
        assert "LROAD-08" in first.rules, said
        assert "tie" in first.excerpt


@pytest.mark.parametrize(
    "said, entry",
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
def test_what_players_say_leads_to_the_entry(said: str, entry: str) -> None:
    for edition in ("fifth", "sixth"):
        assert entry in [hit.entry for hit in book(edition).search(said)][:2], edition


@pytest.mark.parametrize(
    "said, entry",
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
def test_german_words_in_any_form_lead_to_the_entry(said: str, entry: str) -> None:
    assert entry in [hit.entry for hit in book("fifth", "de").search(said)][:2]


@pytest.mark.parametrize("edition, language", BOOKS)
def test_every_entry_is_found_by_its_title_and_by_what_else_it_is_called(edition: str, language: str) -> None:
    almanac = book(edition, language)
    for entry in almanac.entries():
        assert entry.name in [hit.entry for hit in almanac.search(entry.title)][:2], entry.title
        for word in entry.also:
            assert entry.name in [hit.entry for hit in almanac.search(word)], word


def test_a_rule_finds_the_entries_that_explain_it() -> None:
    assert [hit.entry for hit in book("fifth").search("lroad-8")] == ["longest-road"]
    assert book("fifth").search("LROAD-99") == []


def test_what_stands_nowhere_finds_nothing() -> None:
    assert book("fifth").search("xyzzy quux") == []
    assert book("fifth").search("  ?!") == []


def test_a_hit_is_plain_data_and_points_into_the_entry() -> None:
    hit = book("fifth").search("tied road")[0]
    data = hit.as_dict()
    assert data["entry"] == "longest-road"
    block = book("fifth").entry("longest-road").blocks[data["block"]]
    assert "LROAD-08" in block.rules


def test_umlauts_and_accents_are_plain_vowels() -> None:
    assert fold_accents("Größe, Häfen, Café") == "grosse, hafen, cafe"


@pytest.mark.parametrize("edition, language", BOOKS)
def test_every_rule_that_a_refusal_names_is_explained_and_not_by_an_overview_first(edition: str, language: str) -> None:
    almanac = book(edition, language)
    explained = almanac.explained()
    named = [rule(refusal.rule) for refusal in REFUSALS if refusal.rule]
    for one in (one for one in named if edition in one.editions or not one.editions):
        entries = [almanac.entry(name) for name in explained[one.id]]
        assert one.id in entries[0].rules
        assert entries[0].group != "start" or {entry.group for entry in entries} == {"start"}, one.id


def test_the_entry_that_says_most_of_a_chapter_comes_first() -> None:
    explained = book("fifth").explained()
    assert explained["LROAD-07"] == ("longest-road", "settlements", "tactics")
    assert explained["SEVEN-02"][0] == "rolling-a-7"


@pytest.mark.parametrize("edition, language", BOOKS)
def test_words_lead_to_entries_of_the_edition(edition: str, language: str) -> None:
    almanac = book(edition, language)
    assert set(almanac.terms.values()) <= set(almanac.names)
    for form, name in almanac.terms.items():
        event, word = re.fullmatch(r"(?:([a-z_]+):)?(.+)", form).groups("")  # type: ignore[union-attr]
        assert [(span.text, span.to) for span in almanac.linked(word, event)] == [(word, name)]
