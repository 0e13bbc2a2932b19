"""`hexholm rules`: the catalogue in a terminal."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from hexholm.cli.reports.rule_text import CHAPTERS, chapter_of, rule_data, rule_lines
from hexholm.rules.catalogue import catalogue_rules
from hexholm.rules.setup.editions import EDITIONS
from tests.helpers.marks import all_editions

from .conftest import CommandResult
from .terminal import run_in_terminal


def test_a_rule_is_told_with_examples_and_edges(hexholm: Callable[[str], CommandResult]) -> None:
    code, out, err = hexholm("rules SEVEN-02")
    assert (code, err) == (0, "")
    text = " ".join(out.split())
    assert out.startswith("SEVEN-02  A seven is rolled\n")
    assert "discards half of them, rounded down." in text
    assert "Stated by zip, sixth, fifth, threed, summary" in text
    assert "x5 9 cards; 7 is rolled: 4 discarded (summary example)" in text
    assert "e3 0 cards: nothing." in text


def test_an_edition_leaves_out_the_others(hexholm: Callable[[str], CommandResult]) -> None:
    out = hexholm("rules seven-2 --edition Fifth")[1]
    assert "fifth states it" in out
    assert "  Value      Resources that are safe on a 7: 7\n" in out
    assert "city (ore 3, grain 2), development card (ore 1," in hexholm("rules BUILD-01 --edition fifth")[1]
    assert "x3 " in out
    assert "x1 " not in out
    assert "zip does not state it as such\n" in hexholm("rules MAP-01 --edition zip")[1]


@all_editions
def test_values_are_told_without_inner_names(edition: str) -> None:
    lines = [line for rule in catalogue_rules() for line in rule_lines(rule, edition)]
    values = [line for line in lines if line.startswith("  Value ")]
    assert len(values) > 30
    assert not [line for line in values if "_" in line or "{" in line or '"' in line or "None" in line]


def test_where_the_books_are_unclear_is_told(hexholm: Callable[[str], CommandResult]) -> None:
    out = hexholm("rules COMP-08")[1]
    assert "Where the books are unclear" in out
    assert "We read: " in out
    assert "Because: " in out


@pytest.mark.parametrize("edition", [None, *EDITIONS])
def test_every_rule_fits_the_terminal_and_names_editions_not_documents(edition: str | None) -> None:
    for rule in catalogue_rules():
        lines = list(rule_lines(rule, edition))
        assert max(map(len, lines)) <= 80, rule.id
        assert not any(f"00{i} " in line for line in lines for i in range(5)), rule.id


def test_chapters_are_listed_with_counts(hexholm: Callable[[str], CommandResult]) -> None:
    out = hexholm("rules chapters")[1]
    assert "SEVEN     6  A seven is rolled\n" in out
    every_rule = catalogue_rules()
    play_count = sum(rule.kind in ("play", "data") for rule in every_rule)
    other_count = len(every_rule) - play_count
    assert f"{len(every_rule)} rules: {play_count} of play, {other_count} on what things are called" in out
    assert {chapter_of(rule) for rule in every_rule} == set(CHAPTERS)
    assert "ZIP      14    0 in fifth" in hexholm("rules chapters --edition fifth")[1]


def test_a_chapter_lists_its_rules(hexholm: Callable[[str], CommandResult]) -> None:
    out = hexholm("rules SEVEN")[1]
    assert [line[:8] for line in out.splitlines() if line.startswith("SEVEN-")] == [f"SEVEN-0{i}" for i in range(1, 7)]
    assert "TRADE-05*" in hexholm("rules TRADE --edition summary")[1]


@pytest.mark.parametrize(
    "query, words",
    [
        ("SEVN-02", "near: SEVEN-02"),
        ("SEVEN-99", "chapter SEVEN goes from SEVEN-01 to SEVEN-06"),
        ("SEVEN-02.x9", "SEVEN-02 has no x9; it has SEVEN-02.x1"),
        ("dance", "hexholm rules lists all entries"),
        ("SEVEN-02 --edition seventh", "the editions are zip"),
    ],
)
def test_what_is_unknown_is_refused_in_one_line(
    hexholm: Callable[[str], CommandResult], query: str, words: str
) -> None:
    code, out, err = hexholm(f"rules {query}")
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert words in err


def test_an_example_or_edge_can_be_named(hexholm: Callable[[str], CommandResult]) -> None:
    assert hexholm("rules SEVEN-02.x1")[1] == hexholm("rules '(SEVEN-02)'")[1] == hexholm("rules SEVEN-02")[1]


def test_rules_as_data(hexholm: Callable[[str], CommandResult]) -> None:
    data = json.loads(hexholm("rules SEVEN-02 --edition fifth --json")[1])
    assert data["id"] == "SEVEN-02"
    assert data["values"] == {"hand_limit_on_seven": 7}
    assert data["examples"]["x5"]["source"] == "summary example"
    assert [rule["id"] for rule in json.loads(hexholm("rules ARMY --json")[1])] == [f"ARMY-0{i}" for i in range(1, 5)]
    stated = json.loads(hexholm("rules chapters --edition fifth --json")[1])
    assert next(chapter["stated"] for chapter in stated if chapter["chapter"] == "ZIP") == []
    chapters = json.loads(hexholm("rules chapters --json")[1])
    assert "stated" not in chapters[0]
    assert sum(len(chapter["rules"]) for chapter in chapters) == len(catalogue_rules())
    for edition in EDITIONS:
        rows = json.loads(json.dumps([rule_data(rule, edition) for rule in catalogue_rules()]))
        assert all(set(rule["values"]) == set(rule["keys"]) for rule in rows)


def test_bold_only_in_a_terminal_that_wants_it() -> None:
    assert "\x1b[1mSEVEN-02" in run_in_terminal(["rules", "SEVEN-02"], NO_COLOR="")
    assert "\x1b" not in run_in_terminal(["rules", "SEVEN-02"], NO_COLOR="1")
