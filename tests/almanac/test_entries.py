"""Entries: every topic, every rule, every link, in every edition and language."""

from __future__ import annotations

import re

import pytest

import hexholm
from hexholm.almanac import Almanac, UnknownEntry
from hexholm.almanac.blocks import Listing, Paragraph, TableBlock
from hexholm.almanac.drafts import read_drafts
from hexholm.rules.catalogue import catalogue_rules, rule_by_id
from hexholm.rules.errors import BadInput
from hexholm.rules.setup.editions import EDITIONS
from tests.helpers.edition_table import EDITION_TABLE
from tests.helpers.marks import all_languages
from tests.languages import LOOKED_FOR

from .almanacs import EDITIONS_AND_LANGUAGES, almanac_of, entry_texts, marks_of

TOPICS = [topic.strip() for topic in rule_by_id("ALM-01").text.split("topic:")[1].rstrip(".").split(";")]
OWN = ("ALM", "EXP", "EDN")
"""Chapters that do not concern play (ALM-04)."""
WITH_SOLDIERS = {name for name, entry in EDITION_TABLE.items() if entry["words"]["knight_alias"] == "soldier"}


@pytest.mark.rule("ALM-01", "ALM-01.e1", "ALM-01.e2")
@pytest.mark.parametrize("edition, language", EDITIONS_AND_LANGUAGES)
def test_every_topic_of_the_books_has_an_entry(edition: str, language: str) -> None:
    topics = {entry.topic for entry in almanac_of(edition, language).entries()} - {None}
    assert len(TOPICS) == 35
    assert topics == set(TOPICS) - (set() if edition in WITH_SOLDIERS else {"Soldier Cards"})


@pytest.mark.rule("ALM-01")
def test_titles_are_those_of_the_edition() -> None:
    third = almanac_of("threed")
    names = ("ending-the-game", "game-play", "set-up-variable")
    assert [third.entry(name).title for name in names] == ["End of the Game", "Gameplay", "Set-up, Variable Board"]
    assert almanac_of("fifth").entry("game-play").title == "Game Play"
    titles = [title for title, _ in almanac_of("fifth").alphabet()]
    assert titles == sorted(titles, key=str.lower)
    assert titles[0] == "Build"


@pytest.mark.rule("ALM-01.e1")
@pytest.mark.parametrize("edition, language", EDITIONS_AND_LANGUAGES)
def test_no_entry_is_empty_and_no_slot_is_left_open(edition: str, language: str) -> None:
    for entry in almanac_of(edition, language).entries():
        assert entry.blocks, entry.name
        assert entry.title, entry.name
        assert entry.also, entry.name
        for text in entry_texts(entry):
            assert text.strip() == text != "", entry.name
            assert not re.search(r"[{}\[\]†]|  |\s[,;.:]|\?\w+=|^[~%>] ", text), f"{entry.name}: {text}"


@pytest.mark.rule("ALM-04", "ALM-04.e1")
@pytest.mark.parametrize("edition, language", EDITIONS_AND_LANGUAGES)
def test_every_rule_of_the_edition_is_explained(edition: str, language: str) -> None:
    explained = {id_ for entry in almanac_of(edition, language).entries() for id_ in entry.rules}
    due = {
        rule.id
        for rule in catalogue_rules()
        if rule.chapter not in OWN and (edition in rule.editions or not rule.editions)
    }
    assert due - explained == set()


CLEAR_IN_ALL = {"SETUP-16"}
"""An open point on which every book is clear, each otherwise."""


@pytest.mark.rule("EDN-03")
@pytest.mark.parametrize("edition, language", EDITIONS_AND_LANGUAGES)
def test_where_a_book_is_silent_the_text_says_so(edition: str, language: str) -> None:
    entries = almanac_of(edition, language).entries()
    explained = {id_ for entry in entries for id_ in entry.rules}
    readings = {
        id_
        for entry in entries
        for paragraph in entry.paragraphs()
        if paragraph.role == "reading"
        for id_ in paragraph.rules
    }
    clear = CLEAR_IN_ALL.union(EDITION_TABLE[edition]["clear"])
    open_rules = {rule.id for rule in catalogue_rules() if rule.open and rule.chapter not in OWN} - clear
    marks = marks_of(almanac_of(edition, language))
    assert (open_rules & explained) - readings == set()
    assert (open_rules & marks.exported) - marks.readings - marks.signed == set()
    assert (marks.unexported & marks.exported) - marks.readings - marks.signed == set()
    unstated = {rule.id for rule in catalogue_rules() if edition not in rule.editions}  # signed whether open or not
    assert set(marks.signed) & clear - unstated == set()


@pytest.mark.rule("ALM-04.e1", "EDN-02", "EDN-03")
@all_languages
def test_entries_name_only_rules_that_there_are(language: str) -> None:
    rule_ids = {rule.id for rule in catalogue_rules()}
    for edition in EDITIONS:
        for entry in almanac_of(edition, language).entries():
            assert set(entry.rules) <= rule_ids, entry.name
            assert entry.rules or entry.name == "soldier-cards", entry.name


@pytest.mark.rule("ALM-02", "ALM-02.e1")
@pytest.mark.parametrize("edition, language", EDITIONS_AND_LANGUAGES)
def test_no_link_is_dead_and_every_entry_is_linked_from_another(edition: str, language: str) -> None:
    entries = almanac_of(edition, language).entries()
    names = {entry.name for entry in entries}
    linked = {link for entry in entries for link in entry.links}
    assert linked <= names
    assert names - linked == set()
    assert all(entry.name not in entry.links for entry in entries)


@pytest.mark.rule("ALM-02.e2")
def test_the_pointers_of_the_3d_contents_are_there() -> None:
    third = almanac_of("threed")
    for name in ("knight-cards", "progress-cards", "victory-point-cards"):
        assert "development-cards" in third.entry(name).see
    assert {"domestic-trade", "maritime-trade"} <= set(third.entry("trade").see)


@pytest.mark.rule("ALM-02")
def test_what_is_mentioned_is_linked_once() -> None:
    spans = [span for paragraph in almanac_of("fifth").entry("robber").paragraphs() for span in paragraph.spans]
    targets = [span.to for span in spans if span.to]
    assert {"desert", "knight-cards", "development-cards", "harbors", "rolling-a-7"} <= set(targets)
    assert len(targets) == len(set(targets))


def test_a_line_of_a_log_is_linked_too() -> None:
    spans = almanac_of("zip").link_line("Red moves the robber from C3 to B4; [a joke](nowhere).")
    assert [(span.text, span.to) for span in spans if span.to] == [("robber", "robber")]
    assert "".join(span.text for span in spans) == "Red moves the robber from C3 to B4; [a joke](nowhere)."
    german = almanac_of("zip", "de").link_line("Rot baut eine Stadt bei B2se.")
    assert [span.to for span in german if span.to] == ["build", "cities"]


@pytest.mark.rule("ALM-03", "ALM-03.e1")
def test_reading_changes_no_game() -> None:
    game = hexholm.Game(edition="fifth", setup="fixed", seed=7, compiled=False)
    before = game.position(), len(game.events)
    fresh = Almanac(game.edition)
    fresh.search("seven")
    for entry in fresh.entries():
        entry.as_dict()
    assert (game.position(), len(game.events)) == before


def hints(edition: str, language: str, name: str, rule_id: str) -> str:
    """What an entry says under a rule."""
    entry = almanac_of(edition, language).entry(name)
    return "\n".join(paragraph.text for paragraph in entry.paragraphs() if rule_id in paragraph.rules)


@pytest.mark.rule("ALM-05", "ALM-05.e1")
@pytest.mark.parametrize("edition, language", EDITIONS_AND_LANGUAGES)
def test_tactics_have_all_four_points(edition: str, language: str) -> None:
    advice = hints(edition, language, "tactics", "ALM-05").lower()
    for point in LOOKED_FOR[language]["tactics"]:
        assert point.lower() in advice


@pytest.mark.rule("ALM-06")
def test_only_the_fifth_edition_says_that_it_replaced_all_before_it() -> None:
    for edition in EDITIONS:
        assert ("January 1, 2015" in almanac_of(edition).entry("editions").text) == (edition == "fifth")


HINTS = {
    "victory-point-cards": "ALM-07",
    "victory-points": "ALM-08",
    "maritime-trade": "ALM-11",
    "coast": "ALM-12",
    "intersections": "ALM-12",
    "desert": "ALM-13",
    "harbors": "ALM-13",
    "combined-phase": "ALM-13",
    "starting-set-up": "ALM-13",
    "set-up-variable": "ALM-13",
    "development-cards": "ALM-13",
}
IN_ALL = {"maritime-trade", "coast", "intersections", "desert", "harbors"}


@pytest.mark.rule("ALM-07", "ALM-08", "ALM-11", "ALM-12", "ALM-13", "ALM-13.e1")
@pytest.mark.parametrize("edition, language", EDITIONS_AND_LANGUAGES)
def test_hints_stand_in_the_entry_of_their_topic(edition: str, language: str) -> None:
    given = {name for name, id_ in HINTS.items() if hints(edition, language, name, id_)}
    assert given == IN_ALL.union(EDITION_TABLE[edition]["hints"])


@pytest.mark.rule("ALM-09")
def test_the_course_of_the_game_is_told_in_order() -> None:
    text = almanac_of("fifth").entry("game-play").text
    phrases = [
        "Set up the board",
        "place the starting settlements and roads",
        "clockwise",
        "Resource Production",
        "Trade",
        "Build",
    ]
    offsets = [text.index(phrase) for phrase in phrases]
    assert offsets == sorted(offsets)


@pytest.mark.rule("ALM-10", "ALM-10.e1")
@pytest.mark.parametrize("edition, language", EDITIONS_AND_LANGUAGES)
def test_newcomers_have_eleven_steps(edition: str, language: str) -> None:
    (steps,) = [block for block in almanac_of(edition, language).entry("overview").blocks if isinstance(block, Listing)]
    assert steps.ordered
    assert len(steps.items) == 11


@pytest.mark.rule("NAME-12", "NAME-12.e1")
def test_soldiers_lead_to_knights_where_the_book_has_them() -> None:
    assert "fifth" in WITH_SOLDIERS
    for edition in WITH_SOLDIERS:
        assert "knight-cards" in almanac_of(edition).entry("soldier-cards").links
        assert "knight-cards" in [hit.entry for hit in almanac_of(edition).search("soldier")][:2]
    for edition in set(EDITIONS) - WITH_SOLDIERS:
        with pytest.raises(UnknownEntry):
            almanac_of(edition).entry("soldier-cards")


def test_an_unknown_entry_is_refused_with_what_is_near() -> None:
    with pytest.raises(UnknownEntry, match=r"no entry 'longest-rode'; near: longest-road"):
        almanac_of("fifth").entry("longest-rode")
    with pytest.raises(UnknownEntry, match="entries"):
        almanac_of("fifth").entry("xyzzy")
    with pytest.raises(BadInput, match="no almanac in 'xx'; the languages are en, de"):
        Almanac("fifth", "xx")


@pytest.mark.parametrize("title", ["Longest Road", "longest route", "LONGEST_ROAD", " longest-road ", "broken road"])
def test_an_entry_goes_by_its_title_in_any_edition_or_by_what_it_alone_is_called(title: str) -> None:
    assert almanac_of("fifth").entry(title).name == "longest-road"
    assert almanac_of("fifth").entry("thief").name == "robber"
    with pytest.raises(UnknownEntry, match="near: "):
        almanac_of("fifth").entry("2:1")  # two entries are called so


def test_an_entry_is_plain_data() -> None:
    data = almanac_of("zip").entry("cities").as_dict()
    kinds = {block["kind"] for block in data["blocks"]}
    assert kinds == {"paragraph", "example"}
    assert data["rules"] == sorted(data["rules"])
    data = almanac_of("zip").as_dict()
    assert [entry["name"] for entry in data["entries"]] == [
        name for group in data["groups"] for name in group["entries"]
    ]


@pytest.mark.parametrize("edition, language", EDITIONS_AND_LANGUAGES)
def test_all_languages_have_the_same_bones(edition: str, language: str) -> None:
    english, other = read_drafts("en"), read_drafts(language)
    assert list(english) == list(other)
    for name, draft in english.items():
        assert language_independent_parts(draft.templates) == language_independent_parts(other[name].templates), name
    kinds = [[type(block) for block in entry.blocks] for entry in almanac_of(edition, "en").entries()]
    assert kinds == [[type(block) for block in entry.blocks] for entry in almanac_of(edition, language).entries()]
    assert {Paragraph, TableBlock} <= {kind for entry in kinds for kind in entry}


def language_independent_parts(templates: tuple[object, ...]) -> list[tuple[object, ...]]:
    """What of a text does not depend on the language."""
    from hexholm.almanac.drafts import Template

    all_templates = [template for template in templates if isinstance(template, Template)]
    named = {"table", "example"}
    signs = [sorted(re.findall(r"†[A-Z]+-\d\d", t.text)) for t in all_templates]
    plain = [(t.kind, t.text if t.kind in named else "", t.when, t.role, t.export, t.rules) for t in all_templates]
    return [(*row, *more) for row, more in zip(plain, signs, strict=True)]
