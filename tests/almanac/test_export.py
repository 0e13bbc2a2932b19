"""The export for assistants: one document for each edition, made from its data."""

from __future__ import annotations

import dataclasses
import json
import re
from itertools import pairwise
from typing import Any

import pytest

import hexholm
from hexholm.almanac import Almanac
from hexholm.almanac.blocks import Listing, Paragraph
from hexholm.almanac.document import SIGN, Section
from hexholm.rules.catalogue import catalogue_rules, rule_by_id
from hexholm.rules.encoding import action_codes as act
from hexholm.rules.encoding.structs import HARBOR_KINDS, RESOURCES
from hexholm.rules.errors import BadInput
from hexholm.rules.notation import read_action
from hexholm.rules.places import CORNER_NAMES
from hexholm.rules.setup.board_components import FRAME_HARBORS, FRAME_JOINTS
from hexholm.rules.setup.editions import EDITIONS, Edition, edition
from tests.helpers.edition_table import EDITION_TABLE, editions_with
from tests.helpers.marks import all_editions, all_languages
from tests.languages import LOOKED_FOR

from .almanacs import EDITIONS_AND_LANGUAGES, almanac_of, marks_of

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
    rows_by_heading: dict[str, list[list[str]]] = {}
    for section in re.split(r"\n(?=#)", text):
        rows = [
            [cell.strip() for cell in line.strip("|").split("|")] for line in section.split("\n") if line[:2] == "| "
        ]
        if rows:
            rows_by_heading[section.split("\n", 1)[0].lstrip("# ")] = rows[1:]
    return rows_by_heading


@pytest.mark.rule("EXP-01", "EXP-01.e1", "EXP-01.e3")
def test_all_headings_stand_in_order() -> None:
    text = almanac_of("fifth").export("markdown")
    assert re.findall(r"^##+ .*$", text, flags=re.MULTILINE) == HEADINGS


@pytest.mark.rule("EXP-01", "EXP-04")
@pytest.mark.parametrize("name, language", EDITIONS_AND_LANGUAGES)
def test_every_edition_has_the_same_sections_in_its_words(name: str, language: str) -> None:
    sections = almanac_of(name, language).document().sections
    assert [section.level for section in sections] == [line.split(" ")[0].count("#") for line in HEADINGS]
    headings = [section.heading for section in almanac_of(name).document().sections]
    words = EDITION_TABLE[name]["words"]
    assert f"{words['harbor'].title()}s" in headings
    assert f"{words['stock'].title()} Shortage" in headings


@pytest.mark.rule("EXP-01.e2", "EXP-04")
@pytest.mark.parametrize("name, language", EDITIONS_AND_LANGUAGES)
def test_it_opens_with_whom_it_is_for_and_names_the_edition(name: str, language: str) -> None:
    almanac = almanac_of(name, language)
    title, _, opening, *_ = almanac.export().split("\n")
    assert almanac.title in title
    assert LOOKED_FOR[language]["sentences"]["for_assistants"] in opening


@pytest.mark.rule("EXP-02", "EXP-02.e1")
@pytest.mark.parametrize("name, language", EDITIONS_AND_LANGUAGES)
def test_no_section_is_empty(name: str, language: str) -> None:
    sections = almanac_of(name, language).document().sections
    for section, next_section in pairwise((*sections, None)):
        assert section is not None
        parts_follow = next_section is not None and next_section.level > section.level
        assert section.blocks or parts_follow, section.heading


@pytest.mark.rule("EXP-02")
@all_editions
def test_what_the_summary_lost_is_there(edition: str) -> None:
    text, vocabulary = almanac_of(edition).export(), almanac_of(edition).vocabulary
    for sentence in (
        "no gifts, no promises",
        "take any two resources",
        "name one resource",
        "two roads without paying",
        "unbroken chain is 5 roads long",
        "3 knights played",
        "nobody gets any of that resource",
        "of the hex's kind, and each city 2 instead",
    ):
        assert vocabulary.fill(sentence) in text, sentence


@pytest.mark.rule("EXP-03", "EXP-03.e1", "MAP-08.s1")
@pytest.mark.parametrize("name", EDITIONS)
def test_tables_hold_the_values_of_the_edition(name: str) -> None:
    almanac, data = almanac_of(name), edition(name)
    rows_by_heading, vocabulary = tables(almanac.export()), almanac_of(name).vocabulary
    card = vocabulary.word("Development_card")
    prices = {row[0]: row[1] for row in rows_by_heading["Building Costs"]}
    keys_by_title = {"Road": "road", "Settlement": "settlement", "City": "city", card: "development"}
    assert prices == {title: vocabulary.cards(data.costs[key]) for title, key in keys_by_title.items()}
    yields = {row[0].lower(): row[1] for row in rows_by_heading["Terrain to Resource"]}
    assert yields == {t: vocabulary.terms[r] if r else "nothing" for t, r in data.terrain_resource.items()}
    rates = [row[0] for row in rows_by_heading[f"4. {vocabulary.word('maritime_trade_title')}"]]
    assert rates == [f"{data.trade_rates[key]}:1" for key in ("supply", "generic", "special")]
    assert [int(row[1]) for row in rows_by_heading["Point Sources"]] == list(data.points.values())
    odds = [row[2] for row in rows_by_heading[f"{vocabulary.word('number_token_title')} Odds"]]
    assert odds == ["3%", "6%", "8%", "11%", "14%", "17%"]


@pytest.mark.rule("EXP-04", "EXP-04.e1", "NAME-01.e1")
def test_the_export_of_zip_says_tiles_longest_route_and_no_road_limit() -> None:
    text = almanac_of("zip").export()
    assert "development tile" in text
    assert "Longest Route" in text
    assert "the number of roads is not limited" in text
    assert not re.search(r"\bcards?\b|Longest Road\b|lumber,|\bharbors?\b|\bbank\b", text)


@pytest.mark.rule("EXP-05", "EXP-05.e1")
def test_a_changed_value_changes_what_is_said_of_it() -> None:
    fifth, third = edition("fifth"), edition("threed")
    for changed_edition, text in (
        (dataclasses.replace(fifth, victory_points=12), "Points to win | 12"),
        (dataclasses.replace(fifth, hand_limit_on_seven=9), "more than 9 resource cards"),
        (dataclasses.replace(fifth, road_limit=20), "4 cities, and 20 roads"),
        (dataclasses.replace(fifth, phases="combined"), "A turn has two parts"),
        (dataclasses.replace(fifth, costs={**fifth.costs, "city": {"ore": 4}}), "costs 4 ore and"),
        (dataclasses.replace(fifth, longest_road_min=6), "chain is 6 roads long"),
        (dataclasses.replace(fifth, trade_rates={**fifth.trade_rates, "supply": 5}), "always trade at 5:1"),
        (dataclasses.replace(fifth, trade_rates={**fifth.trade_rates, "supply": 5}), "`supply 5 ore : 1 lumber`"),
        (dataclasses.replace(third, variable_harbors=("harbor_shuffle",)), "put the 9 harbor markers on its 9 places"),
        (dataclasses.replace(fifth, variable_harbors=("frame_shuffle",)), "the harbors are printed on them"),
        (
            dataclasses.replace(fifth, random_no_equal_neighbours=True),
            "Two equal numbers must not be next to each other",
        ),
        (dataclasses.replace(fifth, first_player_fixed="highest_roll"), "\n\nEverybody rolls both dice"),
        (dataclasses.replace(fifth, spiral_red_check=True), "must not be next to each other; swap them if they are"),
    ):
        assert text in Almanac(changed_edition).export()
        assert text not in Almanac(edition(changed_edition.name)).export()


OTHER_VALUES: dict[str, tuple[Any, ...]] = {
    "default_setup": ("fixed", "variable"),
    "fixed_board": ("beginner", "zip_first"),
    "variable_harbors": (("harbor_shuffle",), ("frame_shuffle",), ("harbor_shuffle", "frame_shuffle"), ("printed",)),
    "number_placement": (("spiral",), ("spiral", "random"), ("printed",)),
    "random_no_red_neighbours": (True, False),
    "random_no_equal_neighbours": (True, False),
    "first_player_fixed": ("oldest", "highest_roll"),
    "first_player_variable": ("oldest", "highest_roll"),
    "color_choice": (
        {"fixed": "after_first_player", "variable": "after_first_player"},
        {"fixed": "before_first_player", "variable": "after_first_player"},
        {"fixed": "before_first_player", "variable": "before_first_player"},
    ),
    "three_player_removed_color": (None, "blue"),
    "start_resources_timing": ("after_settlement", "after_road", "after_round_two"),
    "phases": ("separate", "combined"),
    "phases_options": (("separate",), ("separate", "combined")),
    "dev_window": (("before_roll", "action"), ("before_roll", "after_roll")),
    "dev_source": ("deck", "bag"),
    "played_progress": ("removed", "face_up"),
    "road_limit": (None, 15, 20),
    "limit_tiles": (0, 4),
    "terrain_resource": ({**edition("fifth").terrain_resource, "hills": "ore"},),
}
"""Values that are words, and those in whose place no greater number will do."""
TEXT_LIMIT, JSON_LIMIT = 28_000, 36_000
"""A document has at most so many characters; as JSON it also names the rules of each paragraph."""
NOT_TOLD = {
    "name": "it is no value: boards and texts go by it",
    "dice": "two in every book and in the engine; the table of odds is made for two",
}
"""Fields that may change without a change of the export, and why."""
AT_WORK = {
    "vp_track": editions_with(vp_track=True),  # the track is printed on the maps of the pad
    "random_no_red_neighbours": editions_with(number_placement="random"),  # elsewhere numbers are never laid at random
    "random_no_equal_neighbours": editions_with(number_placement="random"),
    "phases": editions_with(phases="separate"),  # a turn of two parts has no names for three
    "phases_options": editions_with(phases_options="separate"),  # the others have nothing to choose
}
"""Fields that mean something in these editions only; all others do in every one."""


def other_values(key: str, value: Any) -> list[Any]:
    """Values that a field could have instead."""
    if key in OTHER_VALUES:
        return [other_value for other_value in OTHER_VALUES[key] if other_value != value]
    match value:
        case bool():
            return [not value]
        case int():
            return [value + 1]
        case str():
            return ["Something else"]
        case tuple():
            return [value[::-1]]
    inner = next(iter(value))
    return [{**value, inner: other_values(inner, value[inner])[0]}]


@pytest.mark.rule("EXP-05", "EXP-05.e1")
@pytest.mark.parametrize("name", EDITIONS)
def test_every_value_of_an_edition_that_is_changed_changes_the_export(name: str) -> None:
    data = edition(name)
    unchanged = almanac_of(name).export()
    assert set(NOT_TOLD) | set(AT_WORK) <= set(Edition.__dataclass_fields__)
    for key in set(Edition.__dataclass_fields__) - set(NOT_TOLD):
        if name in AT_WORK.get(key, EDITIONS):
            for other_value in other_values(key, getattr(data, key)):
                assert Almanac(dataclasses.replace(data, **{key: other_value})).export() != unchanged, (
                    key,
                    other_value,
                )


# --- the start, open points, actions ----------------------------------------------------------------------------------


@pytest.mark.rule("SETUP-08", "SETUP-10", "MAP-12", "ZIP-02")
@pytest.mark.parametrize("name, language", EDITIONS_AND_LANGUAGES)
@pytest.mark.parametrize("form", ["markdown", "json"])
def test_the_export_names_the_places_of_the_fixed_start(name: str, language: str, form: str) -> None:
    game = hexholm.Game(edition=name, setup="fixed", first=0, seed=1, compiled=False)
    text, vocabulary = almanac_of(name, language).export(form), almanac_of(name, language).vocabulary
    for color in game.colors:
        matches = re.findall(rf"{vocabulary.color(color)} (\w+) (\w+/\w+), (\w+) (\w+/\w+): ", text)
        assert len(matches) == 1, color
        unpaid_corner, unpaid_road, paying_corner, paying_road = matches[0]
        assert {unpaid_corner, paying_corner} == set(map(str, game.view(None).settlements(color)))
        assert {unpaid_road, paying_road} == set(map(str, game.view(None).roads(color)))
        (paying_piece,) = [piece for piece in game.layout.start if piece.color == color and piece.paid]
        assert paying_corner == CORNER_NAMES[paying_piece.corner]


@pytest.mark.rule("EDN-03", "EXP-02")
@pytest.mark.parametrize("name, language", EDITIONS_AND_LANGUAGES)
def test_it_says_how_open_points_are_marked_and_marks_them(name: str, language: str) -> None:
    opening, *sections = almanac_of(name, language).export().split("\n## ")
    assert SIGN in opening
    assert LOOKED_FOR[language]["sentences"]["our_reading"] in opening
    body = "".join(sections)
    assert body.count(SIGN) >= 20
    sentence = LOOKED_FOR[language]["sentences"]["do_not_cut"]
    assert re.search(sentence, body), "no book says that your own buildings do not cut your road"


@pytest.mark.rule("EDN-03")
@pytest.mark.parametrize("name, language", EDITIONS_AND_LANGUAGES)
def test_it_marks_what_our_engine_adds_to_every_book(name: str, language: str) -> None:
    """Refusals change nothing, a piece with what follows is a step, victory follows a step, boards can be rebuilt."""
    text, marks = almanac_of(name, language).export(), marks_of(almanac_of(name, language))
    assert {"PHASE-13", "LROAD-13", "MAP-21"} <= marks.signed
    assert "WIN-10" in marks.readings
    assert all(sentence in text for sentence in LOOKED_FOR[language]["added"])


@pytest.mark.rule("MAP-14")
@all_languages
@pytest.mark.parametrize("name", ["sixth", "fifth"])
def test_it_says_which_harbors_are_on_which_frame_piece(name: str, language: str) -> None:
    almanac = almanac_of(name, language)
    for text in (almanac.export(), almanac.entry("set-up-variable").text):
        frame_texts = re.findall(r"\b(\d-\d) ([^;|\n]*?)(?:; |\.(?:\n|$))", text)
        assert [joints for joints, _ in frame_texts] == list(FRAME_JOINTS)
        for (_, harbors), piece in zip(frame_texts, FRAME_HARBORS, strict=True):
            kinds = [HARBOR_KINDS[kind] for _, kind in piece]
            names = ["3:1" if kind == "any" else almanac.vocabulary.terms[kind] for kind in kinds]
            places = [place + 1 for place, _ in piece]
            assert harbors == ", ".join(f"{name} ({place})" for name, place in zip(names, places, strict=True))


@pytest.mark.rule("MAP-14")
@all_languages
def test_the_3d_edition_says_where_the_coves_are(language: str) -> None:
    frame_texts = re.findall(r"\b(\d-\d): ([\d, ]+)", almanac_of("threed", language).export())
    assert frame_texts == [
        (joints, ", ".join(str(place + 1) for place, _ in piece))
        for joints, piece in zip(FRAME_JOINTS, FRAME_HARBORS, strict=True)
    ]


@pytest.mark.rule("DEV-18.e4", "EXP-04")
@pytest.mark.parametrize("name, language", EDITIONS_AND_LANGUAGES)
def test_only_actions_that_can_be_legal_are_listed(name: str, language: str) -> None:
    _, notation, *_ = paragraphs_of(almanac_of(name, language).document().sections[-1])
    actions = re.findall(r"`([^`]+)`", notation.text)
    assert ("waive" in actions) == edition(name).road_building_optional
    never = {"nothing", "discard-card"} | (set() if edition(name).road_building_optional else {"waive"})
    kinds = {act.KIND_NAMES[act.kind_of(read_action(action, edition(name).colors))] for action in actions}
    assert kinds == set(act.KIND_NAMES[: act.DICE]) - never
    (discarded,) = [action for action in actions if action.startswith("discard")]
    assert sum(map(int, re.findall(r"\d+", discarded))) * 2 > edition(name).hand_limit_on_seven


@pytest.mark.parametrize("name, language", EDITIONS_AND_LANGUAGES)
def test_it_fits_into_the_limit_in_both_forms(name: str, language: str) -> None:
    almanac = almanac_of(name, language)
    assert 12_000 < len(almanac.export()) <= TEXT_LIMIT
    assert len(almanac.export()) < len(almanac.export("json")) <= JSON_LIMIT


@pytest.mark.parametrize("name, language", EDITIONS_AND_LANGUAGES)
def test_json_says_the_same_as_markdown(name: str, language: str) -> None:
    almanac = almanac_of(name, language)
    text, data = almanac.export(), json.loads(almanac.export("json"))
    assert data["format"] == "hexholm-rules-2"
    assert (data["edition"], data["language"]) == (name, language)
    percent = "%" if language == "en" else " %"
    for section in data["sections"]:
        assert f"\n{'#' * section['level']} {section['heading']}\n" in text
        for paragraph in section["text"]:
            assert paragraph["text"] in text
            assert paragraph.get("role", "reading") == "reading"
        for row in (row for table in section["tables"] for row in table["rows"]):
            cells = (f"{100 * cell:.0f}{percent}" if isinstance(cell, float) else str(cell) for cell in row)
            assert f"| {' | '.join(cells)} |" in text
            assert not any(isinstance(cell, str) and re.fullmatch(r"\d+ ?%?", cell) for cell in row)
    assert sum(len(section["text"]) for section in data["sections"]) > 80


@pytest.mark.rule("EXP-02", "EXP-04")
@pytest.mark.parametrize("name, language", EDITIONS_AND_LANGUAGES)
def test_it_holds_all_the_rules_of_play_that_the_book_states(name: str, language: str) -> None:
    exported = {rule for section in almanac_of(name, language).document().sections for rule in rules_of(section)}
    stated = {rule.id for rule in catalogue_rules() if rule.kind == "play" and name in rule.editions}
    assert stated - exported == set()


@pytest.mark.rule("EDN-03")
@pytest.mark.parametrize("name, language", EDITIONS_AND_LANGUAGES)
def test_whatever_the_book_does_not_say_is_a_reading_or_bears_the_sign(name: str, language: str) -> None:
    for section in almanac_of(name, language).document().sections:
        for paragraph in paragraphs_of(section):
            unstated = {rule for rule in paragraph.rules if name not in rule_by_id(rule).editions}
            assert not unstated or paragraph.role == "reading" or SIGN in paragraph.text, paragraph.text


@pytest.mark.parametrize("name, language", EDITIONS_AND_LANGUAGES)
def test_three_worked_examples_name_their_places(name: str, language: str) -> None:
    almanac, text = almanac_of(name, language), almanac_of(name, language).export()
    for example in map(almanac.example, ("eight", "short", "broken")):
        assert example.caption in text
        assert all(f"{letter} = {place}" in text for letter, place in example.marks.items())


@all_languages
@pytest.mark.parametrize("name", EDITIONS)
def test_actions_are_explained_in_the_words_of_the_edition(name: str, language: str) -> None:
    almanac = almanac_of(name, language)
    (section,) = (section for section in almanac.document().sections if section.name == "notation")
    text = "\n".join(paragraph.text for paragraph in paragraphs_of(section))
    words = [almanac.vocabulary.terms[resource] for resource in RESOURCES]
    assert all(word in text for word in (*words, "lumber", "wood", "grain", "wheat"))
    assert all(f"`{verb} #1`" in text for verb in ("accept", "reject", "confirm", "counter", "withdraw"))
    assert almanac.vocabulary.word("year_of_plenty") in text


def rules_of(section: Section) -> set[str]:
    """The rules that the blocks of a section explain."""
    return {rule for block in section.blocks for rule in block.rules}


def paragraphs_of(section: Section) -> list[Paragraph]:
    """The paragraphs of a section, those of its lists too."""
    blocks = (block.items if isinstance(block, Listing) else (block,) for block in section.blocks)
    return [block for group in blocks for block in group if isinstance(block, Paragraph)]


def test_there_is_no_other_form() -> None:
    with pytest.raises(BadInput, match="no export as 'pdf'; it is markdown or json"):
        almanac_of("fifth").export("pdf")
