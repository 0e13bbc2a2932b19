"""What the books say (statements/README.md): the almanac of an edition says all that the book of this edition says."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import yaml

from hexholm.almanac.blocks import Entry, ExampleBlock, Listing, Paragraph, TableBlock
from hexholm.rules.catalogue import catalogue_rules
from hexholm.rules.language.languages import LANGUAGES
from hexholm.rules.setup.editions import EDITIONS
from tests.helpers.edition_table import EDITION_TABLE
from tests.helpers.marks import all_editions

from .almanacs import almanac_of

FILES = sorted(Path(__file__).with_name("statements").glob("*.yaml"))
ANCHOR = re.compile(r"(?P<entry>[a-z0-9-]+) (?P<block>[A-Z]+-\d\d|[!@>][a-z_-]+)(?:: (?P<words>.+))?")
SHORTEST = 0.65
"""A text that is much shorter than the English one lacks something; German ones are as long, or longer."""
NOT_IN_A_SENTENCE = {
    "ALM-01": "the list of the almanac's topics (test_entries)",
    "EXP-01": "the headings of the summary (test_export)",
    "EXP-02": "the sections that the summary lost (test_export)",
    "EXP-03": "the tables of the summary (test_export)",
    "ZIP-14": "follows from the two books side by side",
    "COMP-13": "the list as a whole",
    "INFO-05": "follows from what lies on the table",
    "INFO-06": "follows from open stacks and a stack face down",
}
"""Rules of which the catalogue names books although no sentence of theirs says them alone."""


DIGITS = {"1": "one", "2": "two", "3": "three", "5": "five"}
THINGS = {
    "robber": "robber",
    "desert": "desert",
    "dice": "dice|roll|die",
    "knight": "knight",
    "monopoly": "monopoly",
    "settlement": "settle|building|site",
    "cit(y|ies)": "cit|building|site",
    "hidden": "hidden|hide|see|show|reveal|looking|face down",
    "clockwise": "clockwise",
}
"""What a statement may speak of, and the words for it in the almanac."""
IN_OTHER_WORDS = {
    "worse-rate-allowed": "4:1 is the worse rate, the 7 brings the robber",
    "example-rob-blocked": "as long as the robber stays",
    "turn-goes-on-after-the-seven": "the entry is about the 7 and the robber",
    "combined-any-order": "trade and build come after the roll in every entry",
    "colors-chosen-after-the-roll": "then, behind the sentence on the roll",
    "example-two-hexes": "Blue at A, in a picture of settlements",
    "example-city-instead": "the same",
}
"""Statements whose sentence says a thing without its word."""


class Anchor(NamedTuple):
    """Where in an almanac something is said."""

    entry: str
    block: str
    words: str


@dataclass(frozen=True)
class Statement:
    """What some books say."""

    name: str
    says: str
    rules: tuple[str, ...]
    places: dict[str, tuple[str, ...]]
    """By book."""
    anchors: tuple[Anchor, ...]


class Said(NamedTuple):
    """A part of an entry that can be read by itself, and its place among the parts of that entry."""

    text: str
    place: int


@cache
def statements() -> tuple[Statement, ...]:
    found: list[Statement] = []
    for file in FILES:
        for name, row in yaml.safe_load(file.read_text(encoding="utf-8")).items():
            assert set(row) == {"says", "rules", "in", "found"}, name
            places = {book: tuple(str(where).split("; ")) for book, where in row["in"].items()}
            found.append(
                Statement(name, row["says"], tuple(row["rules"]), places, tuple(map(read_anchor, row["found"])))
            )
    return tuple(found)


def read_anchor(text: str) -> Anchor:
    match = ANCHOR.fullmatch(text)
    assert match, text
    assert (match["words"] is None) == match["block"].startswith(">"), text
    return Anchor(match["entry"], match["block"], match["words"] or "")


def of_book(edition: str) -> list[Statement]:
    book = EDITION_TABLE[edition]["book"]
    return [statement for statement in statements() if book in statement.places]


def parts(entry: Entry, block_name: str) -> Iterator[Said]:
    """The parts of an entry that an anchor may mean."""
    for place, part in enumerate(all_parts(entry)):
        if isinstance(part, Paragraph):
            if block_name in part.rules and part.role != "reading":
                yield Said(part.text, place)
        elif block_name == f"!{part.name}":
            yield from (Said(" | ".join(row), place) for row in part.rows)


def all_parts(entry: Entry) -> Iterator[Paragraph | TableBlock]:
    for block in entry.blocks:
        if isinstance(block, Listing):
            yield from block.items
        elif isinstance(block, Paragraph | TableBlock):
            yield block


def said_by(edition: str, anchor: Anchor, language: str = "en") -> list[Said]:
    """All parts that an anchor may mean."""
    entry = almanac_of(edition, language).entry(anchor.entry)
    if anchor.block.startswith("@"):
        captions = (block.example for block in entry.blocks if isinstance(block, ExampleBlock))
        return [Said(example.caption, 0) for example in captions if example.name == anchor.block[1:]]
    return list(parts(entry, anchor.block))


def pattern_of(edition: str, anchor: Anchor) -> re.Pattern[str]:
    return re.compile(almanac_of(edition).vocabulary.fill(anchor.words), re.IGNORECASE)


def holding(edition: str, anchor: Anchor) -> list[Said]:
    """The parts that say it."""
    pattern = pattern_of(edition, anchor)
    return [said for said in said_by(edition, anchor) if pattern.search(said.text)]


def sentences(text: str) -> list[str]:
    return re.split(r"(?<=[.!?]) ", text)


# --- the checklist itself ---------------------------------------------------------------------------------------------


def test_every_statement_has_its_own_name_a_book_and_rules_that_there_are() -> None:
    names = Counter(statement.name for statement in statements())
    assert [name for name, count in names.items() if count > 1] == []
    rule_ids = {rule.id for rule in catalogue_rules()}
    for statement in statements():
        assert statement.says.endswith("."), statement.name
        assert statement.rules, statement.name
        assert set(statement.rules) <= rule_ids, statement.name
        assert statement.places, statement.name
        assert set(statement.places) <= set(EDITIONS), statement.name
        assert all(place for places in statement.places.values() for place in places), statement.name
        assert statement.anchors, statement.name


@all_editions
def test_no_book_has_fewer_statements_than_were_found(edition: str) -> None:
    assert len(of_book(edition)) >= EDITION_TABLE[edition]["statements"]


@all_editions
def test_every_rule_that_a_book_states_has_a_statement_of_that_book(edition: str) -> None:
    stated = {rule.id for rule in catalogue_rules() if edition in rule.editions}
    found = {id_ for statement in of_book(edition) for id_ in statement.rules}
    assert stated - found - set(NOT_IN_A_SENTENCE) == set()


# --- the almanac ------------------------------------------------------------------------------------------------------


@pytest.mark.rule("ALM-04", "EDN-03")
@all_editions
def test_the_almanac_says_what_its_book_says(edition: str) -> None:
    missing: list[tuple[str, Any]] = []
    for statement in of_book(edition):
        for anchor in statement.anchors:
            if anchor.block.startswith(">"):
                if anchor.block[1:] not in almanac_of(edition).entry(anchor.entry).links:
                    missing.append((statement.name, anchor))
            elif not holding(edition, anchor):
                missing.append((statement.name, anchor))
    assert missing == []


@all_editions
def test_without_the_sentence_a_statement_would_be_missed(edition: str) -> None:
    """One sentence or row makes an anchor hold; if that were deleted, the test above would fail."""
    weak: list[tuple[str, Anchor]] = []
    for statement in of_book(edition):
        for anchor in statement.anchors:
            if anchor.block.startswith(">"):
                continue
            pattern, texts = pattern_of(edition, anchor), {said.text for said in holding(edition, anchor)}
            pieces = [piece for text in texts for piece in ([text] if anchor.block[0] == "!" else sentences(text))]
            rest = (" ".join(pieces[:n] + pieces[n + 1 :]) for n in range(len(pieces)))
            if len(texts) != 1 or all(pattern.search(left) for left in rest):
                weak.append((statement.name, anchor))
    assert weak == []


@all_editions
def test_nothing_that_a_statement_counts_or_names_is_left_out(edition: str) -> None:
    """Numbers, and what lies on the table, stand in the sentences that are found, or in the title above them."""
    missing: list[tuple[str, list[str]]] = []
    for statement in of_book(edition):
        anchors = [anchor for anchor in statement.anchors if not anchor.block.startswith(">")]
        texts = [almanac_of(edition).entry(anchor.entry).title for anchor in anchors]
        for anchor in anchors:
            found = said_by(edition, anchor) if anchor.block.startswith("@") else holding(edition, anchor)
            texts += [said.text for said in found]
        text, says = " ".join(texts), statement.says.lower()
        lost = [
            n for n in re.findall(r"\d+", says) if not re.search(rf"\b({n}|{DIGITS.get(n, n)})\b", text, re.IGNORECASE)
        ]
        lost += [
            name
            for name, words in THINGS.items()
            if anchors and re.search(rf"\b{name}", says) and not re.search(words, text, re.IGNORECASE)
        ]
        if lost and statement.name not in IN_OTHER_WORDS:
            missing.append((statement.name, lost))
    assert missing == []


@pytest.mark.rule("ALM-04")
@pytest.mark.parametrize("language", [language for language in LANGUAGES if language != "en"])
@all_editions
def test_every_almanac_says_it_in_the_same_place_with_the_same_numbers(edition: str, language: str) -> None:
    for statement in of_book(edition):
        for anchor in statement.anchors:
            if anchor.block[0] in "!>":  # tables are made from data
                continue
            translated = {said.place: said.text for said in said_by(edition, anchor, language)}
            for said in holding(edition, anchor):
                assert said.place in translated, (statement.name, anchor)
                numbers = Counter(re.findall(r"\d+", said.text)) - Counter(re.findall(r"\d+", translated[said.place]))
                assert not numbers, (statement.name, said.text, translated[said.place])
                share = len(translated[said.place]) / len(said.text)
                assert share > SHORTEST, (statement.name, share, said.text, translated[said.place])
                thoughts = len(re.findall(r"[.!?:;](?= |$)", translated[said.place]))
                assert thoughts >= len(sentences(said.text)), (statement.name, said.text, translated[said.place])
