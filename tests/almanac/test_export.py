"""The export for assistants: one document for each edition, made from its data."""

from __future__ import annotations

import dataclasses
import json
import re
from itertools import pairwise

import pytest

from hexholm.almanac import Almanac
from hexholm.almanac.exporting import LIMIT
from hexholm.rules.editions import EDITIONS, edition
from hexholm.rules.errors import BadInput

from .books import BOOKS, book

HEADINGS = """\
## Overview
## Components
## Setup
### Board Assembly
### Player Setup
## Turn Structure
## Actions
### 1. Resource Production
### 2. Rolling a 7 and the Robber
### 3. Domestic Trade
### 4. Maritime Trade
### 5. Building
### 6. Development Cards
## Scoring
## Special Rules & Edge Cases
### Longest Road
### Largest Army
### Supply Shortage
### Building Limits
### Player Information
### The Desert
### Number Token Odds
## Player Reference
### Building Costs
### Terrain to Resource
### Harbors
### Point Sources
### Key Numbers
### How Places and Actions Are Written""".split("\n")


def tables(text: str) -> dict[str, list[list[str]]]:
    """The rows of the first table under each heading."""
    found: dict[str, list[list[str]]] = {}
    for part in re.split(r"\n(?=#)", text):
        rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in part.split("\n") if line[:2] == "| "]
        if rows:
            found[part.split("\n", 1)[0].lstrip("# ")] = rows[1:]
    return found


@pytest.mark.rule("EXP-01", "EXP-01.e1", "EXP-01.e3")
def test_all_headings_stand_in_order() -> None:
    text = book("fifth").export("markdown")
    assert re.findall(r"^##+ .*$", text, flags=re.MULTILINE) == HEADINGS


@pytest.mark.rule("EXP-01", "EXP-04")
@pytest.mark.parametrize("name, language", BOOKS)
def test_every_edition_has_the_same_sections_in_its_words(name: str, language: str) -> None:
    sections = book(name, language).document().sections
    assert [section.level for section in sections] == [line.split(" ")[0].count("#") for line in HEADINGS]
    headings = [section.heading for section in book(name).document().sections]
    harbor = "Ports" if name in ("zip", "sixth") else "Harbors"
    assert harbor in headings
    shortage = "Bank Shortage" if name == "summary" else "Supply Shortage"
    assert shortage in headings


@pytest.mark.rule("EXP-01.e2", "EXP-04")
@pytest.mark.parametrize("name, language", BOOKS)
def test_it_opens_with_whom_it_is_for_and_names_the_edition(name: str, language: str) -> None:
    almanac = book(name, language)
    title, _, opening, *_ = almanac.export().split("\n")
    assert almanac.title in title
    assert {"en": "meant for AI assistants", "de": "für KI-Assistenten bestimmt"}[language] in opening


@pytest.mark.rule("EXP-02", "EXP-02.e1")
@pytest.mark.parametrize("name, language", BOOKS)
def test_no_section_is_empty(name: str, language: str) -> None:
    sections = book(name, language).document().sections
    for section, following in pairwise((*sections, None)):
        assert section is not None
        parts_follow = following is not None and following.level > section.level
        assert section.blocks or parts_follow, section.heading


@pytest.mark.rule("EXP-02")
@pytest.mark.parametrize("name", EDITIONS)
def test_what_the_summary_lost_is_there(name: str) -> None:
    text, words = book(name).export(), book(name).words
    for lost in (
        "no gifts, no promises",
        "take any two resources",
        "name one resource",
        "two roads without paying",
        "unbroken chain of roads is 5 long",
        "3 knights played",
        "nobody gets any of that resource",
        "of the hex's kind, each city 2 instead",
    ):
        assert words.fill(lost) in text, lost


@pytest.mark.rule("EXP-03", "EXP-03.e1", "MAP-08.s1")
@pytest.mark.parametrize("name", EDITIONS)
def test_tables_hold_the_values_of_the_edition(name: str) -> None:
    almanac, data = book(name), edition(name)
    found, words = tables(almanac.export()), book(name).words
    card = words.word("Development_card")
    prices = {row[0]: row[1] for row in found["Building Costs"]}
    named = {"Road": "road", "Settlement": "settlement", "City": "city", card: "development"}
    assert prices == {title: words.cards(data.costs[key]) for title, key in named.items()}
    grown = {row[0].lower(): row[1] for row in found["Terrain to Resource"]}
    assert grown == {t: words.terms[r] if r else "nothing" for t, r in data.terrain_resource.items()}
    rates = [row[0] for row in found[f"4. {words.word('maritime_trade_title')}"]]
    assert rates == [f"{data.trade_rates[key]}:1" for key in ("supply", "generic", "special")]
    assert [int(row[1]) for row in found["Point Sources"]] == list(data.points.values())
    odds = [row[2] for row in found[f"{words.word('number_token_title')} Odds"]]
    assert odds == ["3 %", "6 %", "8 %", "11 %", "14 %", "17 %"]


@pytest.mark.rule("EXP-04", "EXP-04.e1", "NAME-01.e1")
def test_the_export_of_zip_says_tiles_longest_route_and_no_road_limit() -> None:
    text = book("zip").export()
    assert "development tile" in text
    assert "Longest Route" in text
    assert "the number of roads has no limit" in text
    assert not re.search(r"\bcards?\b|Longest Road\b|lumber,|\bharbors?\b|\bbank\b", text)


@pytest.mark.rule("EXP-05", "EXP-05.e1")
def test_a_changed_value_changes_the_export() -> None:
    fifth = edition("fifth")
    before = book("fifth").export()
    for changed, said in (
        (dataclasses.replace(fifth, victory_points=12), "Points to win | 12"),
        (dataclasses.replace(fifth, hand_limit_on_seven=9), "more than 9 resource cards"),
        (dataclasses.replace(fifth, road_limit=20), "4 cities and 20 roads"),
        (dataclasses.replace(fifth, phases="combined"), "in any order"),
        (dataclasses.replace(fifth, costs={**fifth.costs, "city": {"ore": 4}}), "costs 4 ore and"),
        (dataclasses.replace(fifth, longest_road_min=6), "chain of roads is 6 long"),
        (dataclasses.replace(fifth, trade_rates={**fifth.trade_rates, "supply": 5}), "5:1 is always possible"),
    ):
        after = Almanac(changed).export()
        assert said in after
        assert after != before


@pytest.mark.parametrize("name, language", BOOKS)
def test_it_fits_into_the_limit_in_both_forms(name: str, language: str) -> None:
    almanac = book(name, language)
    assert LIMIT == 24_000
    for form in ("markdown", "json"):
        assert 12_000 < len(almanac.export(form)) <= LIMIT, form


@pytest.mark.parametrize("name, language", BOOKS)
def test_json_says_the_same_as_markdown(name: str, language: str) -> None:
    almanac = book(name, language)
    text, data = almanac.export(), json.loads(almanac.export("json"))
    assert data["format"] == "hexholm-rules-1"
    assert (data["edition"], data["language"]) == (name, language)
    for section in data["sections"]:
        assert f"\n{'#' * section['level']} {section['heading']}\n" in text
        assert all(line in text for line in section["text"])
        assert all(f"| {' | '.join(row)} |" in text for table in section["tables"] for row in table["rows"])
    assert sum(len(section["text"]) for section in data["sections"]) > 80


def test_there_is_no_other_form() -> None:
    with pytest.raises(BadInput, match="no export as 'pdf'; it is markdown or json"):
        book("fifth").export("pdf")


def test_the_actions_of_the_notation_can_be_read() -> None:
    from hexholm.rules.notation import read

    for name in EDITIONS:
        notation = book(name).document().sections[-1].blocks[-1]
        actions = re.findall(r"`([^`]+)`", getattr(notation, "text", ""))
        assert len(actions) == 21
        for action in actions:
            read(action, edition(name).colors)
