"""The editions: every value against the catalogue's table, the words, and what the loader says about bad data."""

from __future__ import annotations

import copy
import dataclasses
import pickle
from importlib import resources
from typing import Any

import pytest

from hexholm.rules.encoding.structs import TERRAINS
from hexholm.rules.setup.board_components import LETTER_VALUES, TERRAIN_COUNTS
from hexholm.rules.setup.editions import EDITIONS, BadEdition, edition, read_edition
from tests.helpers.edition_table import EDITION_TABLE

NOT_VALUES = {"words", "clear", "hints", "book", "statements"}
KEYS = sorted({key for entry in EDITION_TABLE.values() for key in entry} - NOT_VALUES)
CONCEPTS = sorted({concept for entry in EDITION_TABLE.values() for concept in entry["words"]})


def plain(value: Any) -> Any:
    """Mappings as dicts and tuples as lists, as YAML has them."""
    if hasattr(value, "items"):
        return {key: plain(item) for key, item in value.items()}
    return [plain(item) for item in value] if isinstance(value, tuple) else value


@pytest.mark.rule("EDN-01", "EDN-01.e1")
@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("name", EDITIONS)
def test_each_value_of_each_edition_is_that_of_the_table(name: str, key: str) -> None:
    assert plain(getattr(edition(name), key)) == EDITION_TABLE[name].get(key)


@pytest.mark.rule("EDN-01")
def test_an_edition_has_no_values_beside_the_table_but_the_descriptive_ones() -> None:
    fields = {field.name for field in dataclasses.fields(edition("fifth"))}
    assert fields - set(KEYS) == {"name", "title", "dice", "box", "words"}
    assert fields >= set(KEYS)
    assert set(EDITION_TABLE) == set(EDITIONS)


@pytest.mark.rule("EDN-01")
def test_an_edition_cannot_be_changed() -> None:
    fifth = edition("fifth")
    with pytest.raises(dataclasses.FrozenInstanceError):
        fifth.victory_points = 11  # type: ignore[misc]
    with pytest.raises(TypeError):
        fifth.costs["road"]["brick"] = 0  # type: ignore[index]
    with pytest.raises(TypeError):
        fifth.costs["road"] = {}  # type: ignore[index]


@pytest.mark.rule("EDN-01")
def test_there_is_one_object_per_edition_also_after_copy_and_pickle() -> None:
    for name in EDITIONS:
        edition_data = edition(name)
        assert edition_data is edition(name)
        assert copy.deepcopy(edition_data) is edition_data
        assert pickle.loads(pickle.dumps(edition_data)) is edition_data  # noqa: S301
        assert repr(edition_data) == f"edition({name!r})"


@pytest.mark.rule("EDN-01")
def test_an_unknown_edition_is_refused_with_the_list_of_names() -> None:
    with pytest.raises(ValueError, match=r"seventh.*zip, sixth, fifth, threed, summary"):
        edition("seventh")


@pytest.mark.rule("EDN-03")
def test_silent_editions_take_the_values_of_the_one_they_fall_back_on() -> None:
    """003 and 004 differ from fifth, zip from sixth, only where the table says so."""

    def differing(name: str, other_name: str) -> set[str]:
        return {key for key in KEYS if plain(getattr(edition(name), key)) != plain(getattr(edition(other_name), key))}

    assert differing("threed", "fifth") == {
        "start_resources_timing",
        "variable_harbors",
        "random_no_equal_neighbours",
    }
    assert differing("summary", "fifth") == {
        "variable_harbors",
        "number_placement",
        "random_no_red_neighbours",
        "random_no_equal_neighbours",
        "spiral_red_check",
        "turn_parts",
    }
    assert differing("zip", "sixth") == {
        "color_choice",
        "colors",
        "road_limit",
        "three_player_removed_color",
        "fixed_board",
        "variable_harbors",
        "number_placement",
        "limit_tiles",
        "vp_track",
        "dev_source",
    }


# --- components -----------------------------------------------------------------------------------------------------


@pytest.mark.rule("COMP-01", "COMP-01.e1", "COMP-02", "COMP-02.e1", "COMP-02.e2")
@pytest.mark.parametrize("name", EDITIONS)
def test_nineteen_hexes_and_eighteen_numbers(name: str) -> None:
    edition_data = edition(name)
    assert edition_data.terrain_counts == {
        "hills": 3,
        "forest": 4,
        "pasture": 4,
        "fields": 4,
        "mountains": 3,
        "desert": 1,
    }
    assert sum(edition_data.terrain_counts.values()) == 19
    assert 7 not in edition_data.number_counts
    assert set(edition_data.number_counts) == {2, 3, 4, 5, 6, 8, 9, 10, 11, 12}
    assert all(n == (1 if number in (2, 12) else 2) for number, n in edition_data.number_counts.items())
    assert sum(edition_data.number_counts.values()) + edition_data.terrain_counts["desert"] == 19


@pytest.mark.rule("COMP-01", "COMP-02", "MAP-16.e1")
@pytest.mark.parametrize("name", EDITIONS)
def test_the_generator_uses_the_counts_of_every_edition(name: str) -> None:
    edition_data = edition(name)
    assert dict(zip(TERRAINS, TERRAIN_COUNTS, strict=True)) == edition_data.terrain_counts
    assert {number: LETTER_VALUES.count(number) for number in set(LETTER_VALUES)} == edition_data.number_counts


@pytest.mark.rule("COMP-03", "COMP-04", "COMP-05", "COMP-06", "COMP-07", "COMP-08")
@pytest.mark.parametrize("name", EDITIONS)
def test_cards_pieces_awards_dice_and_colors(name: str) -> None:
    edition_data = edition(name)
    assert 5 * edition_data.bank_per_resource == 95
    assert list(edition_data.dev_deck.values()) == [14, 5, 2, 2, 2]
    assert sum(edition_data.dev_deck.values()) == 25
    assert (edition_data.settlement_limit, edition_data.city_limit) == (5, 4)
    assert edition_data.points["longest_road"] == edition_data.points["largest_army"] == 2
    assert edition_data.dice == 2
    assert set(edition_data.colors) == set(EDITION_TABLE[name]["colors"])


@pytest.mark.rule("COMP-09", "COMP-09.e1")
@pytest.mark.parametrize("name", EDITIONS)
def test_nine_harbors_four_of_them_generic(name: str) -> None:
    harbors = dict(edition(name).harbors)
    assert harbors.pop("any") == 4
    assert harbors == dict.fromkeys(("brick", "lumber", "wool", "grain", "ore"), 1)


@pytest.mark.rule("COMP-12")
@pytest.mark.parametrize("name", EDITIONS)
def test_three_or_four_players(name: str) -> None:
    assert (edition(name).min_players, edition(name).max_players) == (3, 4)


@pytest.mark.rule("COMP-13", "COMP-13.e1", "COMP-13.e2", "COMP-07")
def test_box_contents() -> None:
    for name in EDITIONS:
        edition_data = edition(name)
        assert edition_data.box["robber"] == 1
        if edition_data.road_limit is None:  # what is drawn has no pieces
            continue
        pieces = edition_data.box["settlements"], edition_data.box["cities"], edition_data.box["roads"]
        assert pieces == tuple(
            4 * n for n in (edition_data.settlement_limit, edition_data.city_limit, edition_data.road_limit)
        )
        assert edition_data.box["resource_cards"] == 5 * edition_data.bank_per_resource
        assert edition_data.box["development_cards"] == sum(edition_data.dev_deck.values())
        assert edition_data.box["hexes"] == sum(edition_data.terrain_counts.values())
        assert edition_data.box["frame_pieces"] == 6
        assert edition_data.box["dice"] == edition_data.dice
    box = edition("zip").box
    words = ("settlement", "cit", "road", "frame", "number", "disc", "cost", "aid")
    assert not [item for item in box if any(word in item for word in words)]
    assert box["map_pad_sheets"] == 50
    assert box["resource_tiles"] == 95
    assert box["development_tiles"] == 25
    assert box["limit_tiles"] == edition("zip").limit_tiles == 4


@pytest.mark.rule("MAP-05")
@pytest.mark.parametrize("name", EDITIONS)
def test_what_each_terrain_gives(name: str) -> None:
    assert dict(edition(name).terrain_resource) == {
        "hills": "brick",
        "forest": "lumber",
        "mountains": "ore",
        "fields": "grain",
        "pasture": "wool",
        "desert": None,
    }


# --- words ------------------------------------------------------------------------------------------------------------


@pytest.mark.rule(*(f"NAME-{n:02}" for n in (*range(1, 11), *range(12, 20))))
@pytest.mark.parametrize("concept", CONCEPTS)
def test_each_edition_has_its_own_words(concept: str) -> None:
    for name in EDITIONS:
        assert edition(name).words.get(concept) == EDITION_TABLE[name]["words"][concept], name


@pytest.mark.rule("NAME-11")
@pytest.mark.parametrize("name", EDITIONS)
def test_parts_of_a_turn(name: str) -> None:
    assert list(edition(name).turn_parts) == EDITION_TABLE[name]["turn_parts"]


def test_each_edition_has_a_title_without_a_trademark() -> None:
    titles = [edition(name).title for name in EDITIONS]
    assert len(set(titles)) == len(EDITIONS)
    assert not any("catan" in title.lower() for title in titles)


# --- the loader -------------------------------------------------------------------------------------------------------


def texts(name: str) -> tuple[str, str]:
    folder = resources.files("hexholm.rules") / "data" / "editions"
    base, own = ((folder / f"{part}.toml").read_text(encoding="utf-8") for part in ("base", name))
    return base, own


def test_the_loader_reports_all_shape_faults_at_once() -> None:
    base, own = texts("fifth")
    own = own.replace('phases = "separate"', 'phases = 3\npoints_too_win = 10\nvictory_points = "ten"')
    base = base.replace("largest_army_min = 3", "")
    with pytest.raises(BadEdition) as error:
        read_edition("fifth", base, own)
    assert len(error.value.faults) == 4
    text = str(error.value)
    assert "unknown key 'points_too_win'" in text
    assert "largest_army_min is missing" in text
    assert "phases: 3 should be str" in text
    assert "victory_points: 'ten' should be int" in text


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ('phases = "separate"', 'phases = "mixed"', "phases: 'mixed' is none of"),
        ('phases_options = ["separate", "combined"]', 'phases_options = ["combined"]', "not among phases_options"),
        ('three_player_removed_color = "red"', 'three_player_removed_color = "pink"', "'pink' is not among the colors"),
        ('"white", "orange"]', '"white", "white"]', "colors must be different"),
        ("random_no_red_neighbours = true", "", "belongs to number_placement random"),
        ("random_no_equal_neighbours = false", "", "go together"),
        ("6 = 2", "7 = 2", "without 7"),
        ("6 = 2", "6 = 3", "must give 18 numbers"),
        ("knight = 14", "knights = 14", "dev_deck must name exactly"),
        ('fixed_board = "beginner"', 'fixed_board = "mine"', "fixed_board: 'mine' is none of"),
    ],
)
def test_the_loader_reports_contradictions(old: str, new: str, fault: str) -> None:
    base, own = texts("fifth")
    assert old in base + own
    with pytest.raises(BadEdition, match="edition 'fifth'") as error:
        read_edition("fifth", base.replace(old, new, 1), own.replace(old, new, 1))
    assert any(fault in each for each in error.value.faults)
