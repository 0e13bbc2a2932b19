"""The search answers what players ask, also those whose questions it was not made by."""

from __future__ import annotations

from collections import Counter

from .almanacs import almanac_of
from .questions import read_questions, shares


def test_the_search_answers_what_players_ask() -> None:
    found = shares(read_questions())
    assert found.first >= 85, found
    assert found.among_three >= 96, found
    assert found.answered >= 80, found


def test_the_questions_are_many_and_of_all_editions() -> None:
    questions = read_questions()
    assert len(questions) >= 140
    assert sum(question.language == "de" for question in questions) >= 35
    # Those who wrote the two lists did not know each other's.
    assert max(Counter((question.text, question.language, question.held_out) for question in questions).values()) == 1
    assert sum(question.held_out for question in questions) == 50
    asked_in = Counter(edition for question in questions for edition in question.editions)
    assert set(asked_in) == {"zip", "sixth", "fifth", "threed", "summary"}
    for question in questions:
        for edition in question.editions:
            assert question.entries.intersection(almanac_of(edition, question.language).names), question.text
