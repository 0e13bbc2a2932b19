"""Entries: every topic, every rule, every link, in every edition and language."""

from __future__ import annotations

import re

import pytest

import hexholm
from hexholm.almanac import Almanac, UnknownEntry
from hexholm.almanac.blocks import Listing, Paragraph, TableBlock
from hexholm.almanac.drafts import drafts
from hexholm.rules.catalogue import rule, rules
from hexholm.rules.editions import EDITIONS
from hexholm.rules.errors import BadInput
from tests.marks import all_editions, all_languages

from .books import BOOKS, book, marks_of, says

TOPICS = [topic.strip() for topic in rule("ALM-01").text.split("topic:")[1].rstrip(".").split(";")]
OWN = ("ALM", "EXP", "EDN")
"""Chapters that do not concern play (ALM-04)."""


@pytest.mark.rule("ALM-01", "ALM-01.e1", "ALM-01.e2")
@pytest.mark.parametrize("edition, language", BOOKS)
def test_every_topic_of_the_books_has_an_entry(edition: str, language: str) -> None:
    found = {entry.topic for entry in book(edition, language).entries()} - {None}
    assert len(TOPICS) == 35
    assert found == set(TOPICS) - (set() if edition == "fifth" else {"Soldier Cards"})


@pytest.mark.rule("ALM-01")
def test_titles_are_those_of_the_edition() -> None:
    third = book("threed")
    names = ("ending-the-game", "game-play", "set-up-variable")
    assert [third.entry(name).title for name in names] == ["End of the Game", "Gameplay", "Set-up, Variable Board"]
    assert book("fifth").entry("game-play").title == "Game Play"
    titles = [title for title, _ in book("fifth").index()]
    assert titles == sorted(titles, key=str.lower)
    assert titles[0] == "Build"


@pytest.mark.rule("ALM-01.e1")
@pytest.mark.parametrize("edition, language", BOOKS)
def test_no_entry_is_empty_and_no_slot_is_left_open(edition: str, language: str) -> None:
    for entry in book(edition, language).entries():
        assert entry.blocks, entry.name
        assert entry.title, entry.name
        assert entry.also, entry.name
        for text in says(entry):
            assert text.strip() == text != "", entry.name
            assert not re.search(r"[{}\[\]†]|  |\s[,;.:]|\?\w+=|^[~%>] ", text), f"{entry.name}: {text}"


@pytest.mark.rule("ALM-04", "ALM-04.e1")
@pytest.mark.parametrize("edition, language", BOOKS)
def test_every_rule_of_the_edition_is_explained(edition: str, language: str) -> None:
    explained = {id_ for entry in book(edition, language).entries() for id_ in entry.rules}
    due = {one.id for one in rules() if one.chapter not in OWN and (edition in one.editions or not one.editions)}
    assert due - explained == set()


CLEAR = {
    "SETUP-16": EDITIONS,  # every edition says when, each otherwise
    "SETUP-05": ("zip", "sixth"),
    "ROBBER-12": ("zip", "sixth", "threed", "summary"),
    "ROBBER-05": ("fifth", "summary"),
    "PORT-06": ("zip", "sixth"),
    "PORT-10": ("fifth", "threed"),
    "COMP-08": ("sixth", "fifth", "threed"),
    "SETUP-09": ("sixth", "fifth", "threed"),
    "BUILD-01": ("fifth", "summary"),
    "LROAD-08": ("fifth", "threed", "summary"),
    "INFO-02": ("fifth", "threed"),
    "MAP-02": ("zip", "sixth", "threed", "summary"),
    "MAP-14": ("zip", "summary"),
    "MAP-16": ("threed",),
    "MAP-19": ("zip", "sixth", "fifth", "threed"),
    "PHASE-11": ("zip", "sixth"),
    "ROBBER-08": ("summary",),
}
"""Points that are open in some editions: here those whose books are clear."""


@pytest.mark.rule("EDN-03")
@pytest.mark.parametrize("edition, language", BOOKS)
def test_where_a_book_is_silent_the_text_says_so(edition: str, language: str) -> None:
    entries = book(edition, language).entries()
    explained = {id_ for entry in entries for id_ in entry.rules}
    read = {id_ for entry in entries for part in entry.paragraphs() if part.role == "reading" for id_ in part.rules}
    opened = {one.id for one in rules() if one.open and one.chapter not in OWN and edition not in CLEAR.get(one.id, ())}
    exported = marks_of(book(edition, language))
    assert (opened & explained) - read == set()
    assert (opened & exported.shown) - exported.read - exported.signed == set()
    assert (exported.left_out & exported.shown) - exported.read - exported.signed == set()
    assert {id_ for id_ in exported.signed if edition in CLEAR.get(id_, ())} == set()


@pytest.mark.rule("ALM-04.e1", "EDN-02", "EDN-03")
@all_languages
def test_entries_name_only_rules_that_there_are(language: str) -> None:
    known = {one.id for one in rules()}
    for edition in EDITIONS:
        for entry in book(edition, language).entries():
            assert set(entry.rules) <= known, entry.name
            assert entry.rules or entry.name == "soldier-cards", entry.name


@pytest.mark.rule("ALM-02", "ALM-02.e1")
@pytest.mark.parametrize("edition, language", BOOKS)
def test_no_link_is_dead_and_every_entry_is_linked_from_another(edition: str, language: str) -> None:
    entries = book(edition, language).entries()
    names = {entry.name for entry in entries}
    linked = {link for entry in entries for link in entry.links}
    assert linked <= names
    assert names - linked == set()
    assert all(entry.name not in entry.links for entry in entries)


@pytest.mark.rule("ALM-02.e2")
def test_the_pointers_of_the_3d_contents_are_there() -> None:
    third = book("threed")
    for name in ("knight-cards", "progress-cards", "victory-point-cards"):
        assert "development-cards" in third.entry(name).see
    assert {"domestic-trade", "maritime-trade"} <= set(third.entry("trade").see)


@pytest.mark.rule("ALM-02")
def test_what_is_mentioned_is_linked_once() -> None:
    spans = [span for paragraph in book("fifth").entry("robber").paragraphs() for span in paragraph.spans]
    targets = [span.to for span in spans if span.to]
    assert {"desert", "knight-cards", "development-cards", "harbors", "rolling-a-7"} <= set(targets)
    assert len(targets) == len(set(targets))


def test_a_line_of_a_log_is_linked_too() -> None:
    spans = book("zip").linked("Red moves the robber from C3 to B4; [a joke](nowhere).")
    assert [(span.text, span.to) for span in spans if span.to] == [("robber", "robber")]
    assert "".join(span.text for span in spans) == "Red moves the robber from C3 to B4; [a joke](nowhere)."
    german = book("zip", "de").linked("Rot baut eine Stadt bei B2se.")
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
    entry = book(edition, language).entry(name)
    return "\n".join(one.text for one in entry.paragraphs() if rule_id in one.rules)


@pytest.mark.rule("ALM-05", "ALM-05.e1")
@all_editions
def test_tactics_have_all_four_points(edition: str) -> None:
    told = hints(edition, "en", "tactics", "ALM-05").lower()
    points = ("hills or forest", "at least one of your first two", "build towards the", "where their roads point")
    for point in (*points, "walls you in", "offer something to the player whose turn it is"):
        assert point in told
    german = hints(edition, "de", "tactics", "ALM-05")
    assert all(point in german for point in ("Hügel- oder Waldfeld", "einschließt", "am Zug"))


@pytest.mark.rule("ALM-06")
def test_only_the_fifth_edition_says_that_it_replaced_all_before_it() -> None:
    for edition in EDITIONS:
        assert ("1 January 2015" in book(edition).entry("editions").text) == (edition == "fifth")


@pytest.mark.rule("ALM-07", "ALM-08", "ALM-11", "ALM-12", "ALM-13", "ALM-13.e1")
@all_languages
@pytest.mark.parametrize(
    "name, id_, editions",
    [
        ("victory-point-cards", "ALM-07", ("fifth", "threed")),
        ("victory-points", "ALM-08", ("fifth", "threed")),
        ("maritime-trade", "ALM-11", EDITIONS),
        ("coast", "ALM-12", EDITIONS),
        ("intersections", "ALM-12", EDITIONS),
        ("desert", "ALM-13", EDITIONS),
        ("harbors", "ALM-13", EDITIONS),
        ("combined-phase", "ALM-13", ("fifth", "threed")),
        ("starting-set-up", "ALM-13", ("fifth",)),
        ("set-up-variable", "ALM-13", ("fifth", "sixth")),
        ("development-cards", "ALM-13", ("fifth",)),
    ],
)
def test_hints_stand_in_the_entry_of_their_topic(name: str, id_: str, editions: tuple[str, ...], language: str) -> None:
    assert {edition for edition in EDITIONS if hints(edition, language, name, id_)} == set(editions)


@pytest.mark.rule("ALM-09")
def test_the_course_of_the_game_is_told_in_order() -> None:
    told = book("fifth").entry("game-play").text
    words = [
        "Lay out the board",
        "place what everybody starts with",
        "clockwise",
        "Resource Production",
        "Trade",
        "Build",
    ]
    at = [told.index(word) for word in words]
    assert at == sorted(at)


@pytest.mark.rule("ALM-10", "ALM-10.e1")
@pytest.mark.parametrize("edition, language", BOOKS)
def test_newcomers_have_eleven_steps(edition: str, language: str) -> None:
    (steps,) = [block for block in book(edition, language).entry("overview").blocks if isinstance(block, Listing)]
    assert steps.ordered
    assert len(steps.items) == 11


@pytest.mark.rule("NAME-12", "NAME-12.e1")
def test_soldiers_lead_to_knights_in_the_fifth_edition_alone() -> None:
    assert "knight-cards" in book("fifth").entry("soldier-cards").links
    assert "knight-cards" in [hit.entry for hit in book("fifth").search("soldier")][:2]
    for edition in set(EDITIONS) - {"fifth"}:
        with pytest.raises(UnknownEntry):
            book(edition).entry("soldier-cards")


def test_an_unknown_entry_is_refused_with_what_is_near() -> None:
    with pytest.raises(UnknownEntry, match=r"no entry 'longest-rode'; near: longest-road"):
        book("fifth").entry("longest-rode")
    with pytest.raises(UnknownEntry, match="entries"):
        book("fifth").entry("xyzzy")
    with pytest.raises(BadInput, match="no almanac in 'fr'; the languages are en, de"):
        Almanac("fifth", "fr")


@pytest.mark.parametrize("said", ["Longest Road", "longest route", "LONGEST_ROAD", " longest-road ", "broken road"])
def test_an_entry_goes_by_its_title_in_any_edition_or_by_what_it_alone_is_called(said: str) -> None:
    assert book("fifth").entry(said).name == "longest-road"
    assert book("fifth").entry("thief").name == "robber"
    with pytest.raises(UnknownEntry, match="near: "):
        book("fifth").entry("2:1")  # two entries are called so


def test_an_entry_is_plain_data() -> None:
    data = book("zip").entry("cities").as_dict()
    kinds = {block["kind"] for block in data["blocks"]}
    assert kinds == {"paragraph", "example"}
    assert data["rules"] == sorted(data["rules"])
    whole = book("zip").as_dict()
    assert [entry["name"] for entry in whole["entries"]] == [name for one in whole["groups"] for name in one["entries"]]


@all_editions
def test_both_languages_have_the_same_bones(edition: str) -> None:
    english, german = drafts("en"), drafts("de")
    assert list(english) == list(german)
    for name, draft in english.items():
        assert bones(draft.templates) == bones(german[name].templates), name
    kinds = [[type(block) for block in entry.blocks] for entry in book(edition, "en").entries()]
    assert kinds == [[type(block) for block in entry.blocks] for entry in book(edition, "de").entries()]
    assert {Paragraph, TableBlock} <= {kind for entry in kinds for kind in entry}


def bones(templates: tuple[object, ...]) -> list[tuple[object, ...]]:
    """What of a text does not depend on the language."""
    from hexholm.almanac.drafts import Template

    found = [one for one in templates if isinstance(one, Template)]
    named = {"table", "example"}
    signs = [sorted(re.findall(r"†[A-Z]+-\d\d", t.text)) for t in found]
    plain = [(t.kind, t.text if t.kind in named else "", t.when, t.role, t.export, t.rules) for t in found]
    return [(*one, *more) for one, more in zip(plain, signs, strict=True)]
