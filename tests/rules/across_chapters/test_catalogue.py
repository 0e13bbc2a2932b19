"""The catalogue of rules: complete, well formed, and helpful about a wrong id."""

from __future__ import annotations

import collections
import dataclasses
import re

import pytest

from hexholm.rules import catalogue
from hexholm.rules.catalogue import catalogue_rules, rule_by_id
from hexholm.rules.setup.editions import EDITIONS


def test_every_rule_is_there() -> None:
    assert len(catalogue_rules()) == 270
    assert len({each.id for each in catalogue_rules()}) == 270
    kinds = collections.Counter(each.kind for each in catalogue_rules())
    assert kinds == {"play": 213, "data": 16, "words": 40, "screen": 1}


def test_ids_are_a_chapter_and_a_number_without_gaps() -> None:
    numbers: dict[str, list[int]] = {}
    for each in catalogue_rules():
        assert re.fullmatch(r"[A-Z]+-\d\d", each.id)
        numbers.setdefault(each.chapter, []).append(int(each.id[-2:]))
    assert all(chapter_numbers == list(range(1, len(chapter_numbers) + 1)) for chapter_numbers in numbers.values())


@pytest.mark.parametrize("each", catalogue_rules(), ids=lambda each: each.id)
def test_a_rule_is_well_formed(each: catalogue.Rule) -> None:
    assert each.text.strip()
    assert set(each.editions) <= set(EDITIONS)
    assert set(each.differs) <= set(EDITIONS)
    assert len(set(each.editions)) == len(each.editions)
    assert all(text.strip() for text in (*each.differs.values(), *each.edges.values()))
    assert list(each.examples) == [f"x{n}" for n in range(1, len(each.examples) + 1)]
    for letter in "es":
        edges = [edge for edge in each.edges if edge[0] == letter]
        assert edges == [f"{letter}{n}" for n in range(1, len(edges) + 1)]
    assert {edge[0] for edge in each.edges} <= {"e", "s"}
    for example in each.examples.values():
        assert all(dataclasses.astuple(example))
    assert each.open is None or all(dataclasses.astuple(each.open))


def test_examples_and_edges_are_counted() -> None:
    letters = collections.Counter(name.partition(".")[2][:1] for each in catalogue_rules() for name in each.names)
    assert letters == {"": 270, "x": 60, "e": 381, "s": 5}


def test_a_rule_is_found_by_its_id() -> None:
    map_rule = rule_by_id("MAP-04")
    assert map_rule.kind == "play"
    assert map_rule.chapter == "MAP"
    assert map_rule.editions[:3] == ("fifth", "threed", "summary")
    assert map_rule.names == ("MAP-04", "MAP-04.x1", "MAP-04.e1", "MAP-04.e2")
    assert map_rule.examples["x1"].given == "beginner board"
    assert map_rule.open is None
    assert rule_by_id("COMP-08").open is not None
    assert rule_by_id("COMP-05").keys == ("settlement_limit", "city_limit", "road_limit")


@pytest.mark.parametrize("wrong_id", ["SEVEN-2", "seven-02", "SEVN-02"])
def test_a_wrong_id_is_refused_with_near_ones(wrong_id: str) -> None:
    with pytest.raises(ValueError, match=r"no rule has the id .*SEVEN-02"):
        rule_by_id(wrong_id)


def test_nonsense_is_refused_without_a_guess() -> None:
    with pytest.raises(catalogue.UnknownRule, match=r"^no rule has the id '\?\?'$"):
        rule_by_id("??")


def test_a_rule_cannot_be_changed() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        rule_by_id("MAP-04").text = "other"  # type: ignore[misc]
    with pytest.raises(TypeError):
        rule_by_id("MAP-04").edges["e1"] = "other"  # type: ignore[index]
