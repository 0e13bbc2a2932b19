"""The search answers what players ask, also those whose questions it was not made by."""

from __future__ import annotations

from collections import Counter

from hexholm.almanac.drafts import read_almanac_data
from hexholm.almanac.search import fold_accents
from hexholm.rules.language.languages import LANGUAGES

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
    # Those who wrote the first two lists did not know each other's.
    assert max(Counter((question.text, question.language, question.set) for question in questions).values()) == 1
    assert Counter(question.set for question in questions) >= Counter({"first": 140, "held-out": 50, "kinds": 60})
    asked_in = Counter(edition for question in questions for edition in question.editions)
    assert set(asked_in) == {"zip", "sixth", "fifth", "threed", "summary"}
    for question in questions:
        for edition in question.editions:
            assert question.entries.intersection(almanac_of(edition, question.language).names), question.text


def test_the_search_knows_none_of_the_questions() -> None:
    known = {
        fold_accents(question)
        for language in LANGUAGES
        for questions in read_almanac_data(f"{language}/asked")["questions"].values()
        for question in questions
    }
    assert [question.text for question in read_questions() if fold_accents(question.text).rstrip("?") in known] == []
