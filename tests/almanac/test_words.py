"""Words, tables and comparison: an edition speaks its own language, and numbers come from its data."""

from __future__ import annotations

import re

import pytest

import hexholm
from hexholm.almanac.blocks import TableBlock
from hexholm.almanac.drafts import read_almanac_data
from hexholm.almanac.edition_tables import TABLES, edition_table
from hexholm.almanac.vocabulary import Vocabulary
from hexholm.rules.boards.number_tokens import ODDS_PERCENT, number_dots
from hexholm.rules.errors import BadInput
from hexholm.rules.setup.editions import EDITIONS, Edition, edition
from hexholm.rules.setup.options import check_options
from tests.helpers.edition_table import EDITION_TABLE, WITH_A_ROAD_LIMIT
from tests.helpers.marks import all_languages
from tests.languages import LOOKED_FOR

from .almanacs import EDITIONS_AND_LANGUAGES, almanac_of

PIECES = {"settlements": "settlement", "cities": "city", "roads": "road"}


@pytest.mark.rule(
    "NAME-02.e1", "NAME-09", "NAME-11", "NAME-13", "NAME-14", "NAME-15", "NAME-18", "NAME-18.s1", "NAME-19"
)
@pytest.mark.parametrize(
    "name, entry, text",
    [
        ("summary", "year-of-plenty", "Year of Plenty: take any two resources from the bank"),
        ("fifth", "supply", "The supply holds 19 cards"),
        ("summary", "game-play", "Roll for Resource Production: roll both dice"),
        ("sixth", "game-play", "Production phase: roll both dice"),
        ("fifth", "game-play", "Resource Production: roll both dice"),
        ("sixth", "building-costs", "The player aid in front of you"),
        ("fifth", "building-costs", "The building costs card in front of you"),
        ("zip", "set-up-phase", "from the first player: each player draws one settlement"),
        ("threed", "set-up-phase", "from the starting player: each player places one settlement"),
        ("sixth", "development-cards", "You may not play one that you built this turn"),
        ("fifth", "development-cards", "You may not play one that you bought this turn"),
        ("sixth", "resource-production", "If two or three of your buildings are at one hex"),
        ("fifth", "resource-production", "If two or three of your settlements and cities are at one hex"),
        ("zip", "set-up-phase", "Keep these resources hidden in your tray"),
    ],
)
def test_an_edition_uses_its_own_words(name: str, entry: str, text: str) -> None:
    assert text in almanac_of(name).entry(entry).text


@pytest.mark.rule("COMP-11", "COMP-11.s1", "NAME-13")
@pytest.mark.parametrize(
    "name, title", [("zip", "Building Costs"), ("sixth", "Player Aids"), ("fifth", "Building Costs Cards")]
)
def test_prices_are_shown_in_the_words_of_the_edition(name: str, title: str) -> None:
    entry = almanac_of(name).entry("building-costs")
    assert entry.title == title
    assert any(isinstance(block, TableBlock) and block.name == "costs" for block in entry.blocks)


@pytest.mark.rule("COMP-13", "COMP-13.e1", "COMP-13.e2")
@pytest.mark.parametrize("name", EDITIONS)
def test_the_box_lists_what_the_edition_has(name: str) -> None:
    rows = edition_table("box", almanac_of(name).vocabulary).rows
    assert [int(row[0]) for row in rows] == list(edition(name).box.values())
    pieces = {row[1]: int(row[0]) for row in rows if row[1] in PIECES}
    limits = {kind: EDITION_TABLE[name][f"{one}_limit"] for kind, one in PIECES.items()}
    if name in WITH_A_ROAD_LIMIT:
        assert pieces == {kind: 4 * limit for kind, limit in limits.items()}
    else:
        assert pieces == {}
        assert not re.search("frame|disc|costs", " ".join(row[1] for row in rows))


@pytest.mark.rule("MAP-08", "MAP-07")
def test_odds_and_dots_are_those_of_two_dice() -> None:
    percents = {}
    for total, ways, percent in edition_table("odds", almanac_of("fifth").vocabulary).rows:
        for number in map(int, total.split(" and ")):
            percents[number] = int(percent.removesuffix("%"))
            assert int(ways) == 6 - abs(7 - number)
    assert percents == dict(ODDS_PERCENT)
    dot_counts = {
        int(number): len(signs) for number, signs, _ in edition_table("numbers", almanac_of("fifth").vocabulary).rows
    }
    assert dot_counts == {number: number_dots(number) for number in edition("fifth").number_counts}


@pytest.mark.parametrize("name, language", EDITIONS_AND_LANGUAGES)
def test_every_table_is_whole(name: str, language: str) -> None:
    vocabulary = Vocabulary(edition(name), language, check_options(edition=name))
    for table in (edition_table(table_name, vocabulary) for table_name in TABLES):
        assert table.rows, table.name
        assert {len(row) for row in table.rows} == {len(table.head)}
        assert all(cell for row in (table.head, *table.rows) for cell in row), table.name


@pytest.mark.rule("COMP-02")
@pytest.mark.parametrize("name, language", EDITIONS_AND_LANGUAGES)
def test_the_numbers_that_are_told_are_those_of_the_box(name: str, language: str) -> None:
    sentence = almanac_of(name, language).entry("number-tokens").text.split(".")[0].split(":")[1]
    once_text, twice_text = sentence.split(LOOKED_FOR[language]["once"])
    counts = {**dict.fromkeys(re.findall(r"\d+", once_text), 1), **dict.fromkeys(re.findall(r"\d+", twice_text), 2)}
    assert {int(number): count for number, count in counts.items()} == dict(edition(name).number_counts)


@all_languages
def test_every_language_has_all_words(language: str) -> None:
    for file in ("terms", "compare", "examples", "export"):
        english, other = read_almanac_data(f"en/{file}"), read_almanac_data(f"{language}/{file}")
        for part, words in english.items():
            if isinstance(words, dict) and part not in ("every", *EDITIONS):
                assert set(words) == set(other[part]), f"{file}: {part}"
    assert set(read_almanac_data(f"{language}/examples")) >= set(read_almanac_data("examples"))


@all_languages
def test_slots_are_words_or_values_and_conditions_are_of_the_edition(language: str) -> None:
    vocabulary = Vocabulary(edition("fifth"), language)
    assert vocabulary.fill("{victory_points} {Brick}") == f"10 {vocabulary.word('brick').capitalize()}"
    assert vocabulary.holds("phases=separate&edition=fifth|zip")
    assert not vocabulary.holds("phases!=separate")
    assert vocabulary.holds("road_limit=15")
    assert vocabulary.holds("word.knight_alias=yes")
    assert vocabulary.holds("color_choice.variable=before_first_player")
    with pytest.raises(BadInput, match="no word or value 'dragon'"):
        vocabulary.fill("{dragon}")


@pytest.mark.rule("SETUP-08", "SETUP-10", "MAP-12", "ZIP-02.e2")
@pytest.mark.parametrize("name, language", EDITIONS_AND_LANGUAGES)
def test_the_start_pieces_and_hands_that_are_told_are_those_of_the_engine(name: str, language: str) -> None:
    game = hexholm.Game(edition=name, setup="fixed", first=0, seed=1, compiled=False)
    almanac = almanac_of(name, language)
    vocabulary, text = almanac.vocabulary, almanac.entry("starting-set-up").text
    for color in game.colors:
        view = game.view(color)
        places, hand = re.findall(rf"\b{vocabulary.color(color)} ((?:\w+ \w+/\w+(?:, )?)+): ([^;.]+)", text)[0]
        pieces = [piece.split(" ") for piece in places.split(", ")]
        assert {settlement for settlement, _ in pieces} == set(map(str, view.settlements(color)))
        assert {road for _, road in pieces} == set(map(str, view.roads(color)))
        assert hand == vocabulary.cards(view.hand)
        paying = pieces[-1][0]
        assert paying in almanac.example("start").marks.values()
        assert sorted(resources_at(game, paying)) == sorted(kind for kind, n in view.hand.items() for _ in range(n))


def resources_at(game: hexholm.Game, corner: str) -> list[str]:
    """What the hexes at a corner of a game's board bear."""
    from hexholm.rules.encoding.structs import RESOURCES
    from hexholm.rules.places import CORNER_HEXES, read_corner

    terrain = [game.layout.board.terrain[hexagon] for hexagon in CORNER_HEXES[read_corner(corner)]]
    return [RESOURCES[kind] for kind in terrain if kind < len(RESOURCES)]


# --- comparison -------------------------------------------------------------------------------------------------------


@all_languages
def test_the_comparison_has_a_row_for_every_value_of_an_edition(language: str) -> None:
    rows = {row.key: row for row in almanac_of("fifth", language).compare() if not row.word}
    described = {"name", "title", "dice", "box", "terrain_resource", "words"}
    assert set(rows) == set(Edition.__dataclass_fields__) - described
    for key, row in rows.items():
        values = [getattr(edition(name), key) for name in EDITIONS]
        assert row.same == all(value == values[0] for value in values), key
        assert list(row.values) == list(EDITIONS)
        assert all(row.values.values()), key
    assert not rows["road_limit"].same
    assert rows["costs"].same
    assert rows["road_limit"].rules == ("COMP-05", "ROAD-06", "ZIP-09")


def test_the_comparison_shows_words_side_by_side() -> None:
    rows = {row.key: row for row in almanac_of("fifth").compare(["fifth", "zip"]) if row.word}
    assert rows["lumber"].values == {"fifth": "lumber", "zip": "wood"}
    assert rows["progress_cards"].values == {"fifth": "progress cards", "zip": "-"}
    assert rows["wool"].same
    assert rows["wool"].as_dict()["word"] is True


def test_a_rule_comes_with_its_entries_and_the_values_of_all_editions() -> None:
    explained = almanac_of("fifth").rule("ROAD-06")
    assert explained.entries == ("building-limits",)
    limits = {name: entry["road_limit"] for name, entry in EDITION_TABLE.items()}
    assert explained.values["road_limit"] == {name: str(limit or "no limit") for name, limit in limits.items()}
    assert explained.as_dict()["differs"]["zip"].startswith("No limit")
