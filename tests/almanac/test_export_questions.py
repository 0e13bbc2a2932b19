"""The questions for readers of an export have a key that the rules, the export and the program agree with."""

from __future__ import annotations

import re

import hexholm
from hexholm.rules.boards import LETTER_VALUES
from hexholm.rules.boards.number_tokens import ways_to_roll
from hexholm.rules.catalogue import rule_by_id
from hexholm.rules.notation import read_action
from hexholm.rules.setup.editions import edition

from .almanacs import almanac_of, marks_of
from .export_questions import edition_asked, missed, read_answers, read_export_questions


def test_there_are_sixty_questions_about_all_of_the_game() -> None:
    questions = read_export_questions()
    assert len(questions) == len({each.text for each in questions}) == 60
    chapters = {rule.split("-")[0] for each in questions for rule in each.rules}
    asked_about = "SETUP PROD SEVEN ROBBER TRADE PORT PHASE ROAD SETTLE CITY DEV LROAD ARMY WIN"
    assert chapters >= set(asked_about.split())


def test_the_export_holds_the_rules_of_every_answer() -> None:
    name = edition_asked()
    marks = marks_of(almanac_of(name))
    for each in read_export_questions():
        assert set(each.rules) <= marks.exported, each.text
        stated = all(name in rule_by_id(rule).editions for rule in each.rules)
        assert stated != each.ours, each.text
        assert not each.ours or set(each.rules) <= marks.readings | marks.signed, each.text


def test_the_export_shows_how_the_actions_are_written() -> None:
    document = almanac_of(edition_asked()).export()
    for each in read_export_questions():
        if each.action is not None:
            assert f"`{each.action.split()[0]} " in document
            assert read_action(each.action, each.colors)


def test_the_key_counts_as_the_engine_does() -> None:
    data = edition(edition_asked())
    game = hexholm.Game(edition=data.name, setup="fixed", first=0, seed=1, compiled=False)
    points = 3 * data.points["settlement"] + 2 * data.points["city"] + data.points["longest_road"]
    for text, answer in (
        ("which resources does Blue start with", str(game.view("blue").hand)),
        ("with the letter D", str(LETTER_VALUES[3])),
        ("the total 6", str(ways_to_roll(6))),
        ("You hold 11 resource cards", str(11 // 2)),
        ("without Largest Army", str(points)),
    ):
        (question,) = [each for each in read_export_questions() if text in each.text]
        assert question.accepts(answer), (text, answer)


def test_the_key_answers_its_questions_and_nothing_else_does() -> None:
    questions = read_export_questions()
    key = {number: each.answer for number, each in enumerate(questions, 1)}
    assert missed(key) == {}
    assert len(missed({})) == len(missed(dict.fromkeys(key, "not said"))) == len(questions)
    opposite = {number: "yes" if re.match("no\\b", answer) else "no" for number, answer in key.items()}
    agreeing = set(key) - missed(opposite).keys()
    assert all(re.search(r"none|nothing", key[number]) for number in agreeing)


def test_answers_are_read_from_lines() -> None:
    assert read_answers("1. yes\n 2) 3 ore\n\n**3:** `road B2/ne`\n") == {1: "yes", 2: "3 ore", 3: "** `road B2/ne`"}
    assert read_export_questions()[-1].accepts("`road B2/ne`")
