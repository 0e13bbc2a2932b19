"""Beside a table the almanac speaks of what the table plays by; numbers in its texts come from data, not from hands."""

from __future__ import annotations

import re
from typing import Any

import pytest

from hexholm.almanac import Almanac
from hexholm.almanac.drafts import TEXTS, read_almanac_data
from hexholm.rules.setup.house_rules import HOUSE_SWITCHES, SPARED_BELOW
from hexholm.rules.setup.options import HOUSE_RULES, Options, check_options
from tests.helpers.marks import all_editions, all_languages
from tests.languages import LOOKED_FOR

from .almanacs import almanac_of, entry_texts

HOUSE: dict[str, Any] = {"points_to_win": 12, "hand_limit": 9, "friendly_robber": True, "balanced_dice": True}


def table_almanac(language: str = "en", **how: Any) -> Almanac:
    options = check_options(**{"edition": "fifth", **how})
    return Almanac(options.edition, language, options)


def entry_text(almanac: Almanac, entry: str) -> str:
    return "\n".join(entry_texts(almanac.entry(entry)))


@all_languages
@pytest.mark.parametrize(
    ("entry", "how", "pattern"),
    [
        ("game-play", {"phases": "combined"}, "{two_parts}"),
        ("ending-the-game", {"points_to_win": 12}, r"\b12\b.*\b10\b"),
        ("overview", {"points_to_win": 13}, r"\b13\b"),
        ("rolling-a-7", {"hand_limit": 9}, r"\b9\b.*\b11\b.*\b5\b.*\b7\b"),
        ("tactics", {"hand_limit": 9}, r"\b10\b"),
        ("robber", {"friendly_robber": True}, "{friendly}"),
        ("dice-odds", {"balanced_dice": True}, "{balanced}"),
        ("players", {"players": 3, "setup": "variable"}, r"\b3: "),
        ("house-rules", {"players": 2, "two_players": True}, "{two_players}"),
        ("editions", {"setup": "variable", "numbers": "random"}, r"\n({random})(\n|$)"),
    ],
)
def test_an_entry_says_what_the_table_plays_by(language: str, entry: str, how: dict[str, Any], pattern: str) -> None:
    words = LOOKED_FOR[language]["at_table"]
    pattern = re.sub(r"\{(\w+)\}", lambda match: str(words[match[1]]), pattern)
    book_text, table_text = (
        entry_text(almanac_of("fifth", language), entry),
        entry_text(table_almanac(language, **how), entry),
    )
    assert re.search(pattern, table_text, re.DOTALL), table_text
    assert not re.search(pattern, book_text, re.DOTALL), book_text
    assert not re.search(LOOKED_FOR[language]["this_table"], book_text)


@all_languages
@all_editions
def test_every_entry_can_be_written_for_every_table_and_without_house_rules_none_is_claimed(
    edition: str, language: str
) -> None:
    plain, house = table_almanac(language, edition=edition), table_almanac(language, edition=edition, **HOUSE)
    for entry in plain.names:
        for paragraph in plain.entry(entry).paragraphs():
            assert entry == "house-rules" or not re.search(LOOKED_FOR[language]["at_table"]["claimed"], paragraph.text)
    assert [entry.name for entry in house.entries()] == list(plain.names)
    assert len(house.export()) < 28_000


def test_examples_that_the_house_rules_make_wrong_are_left_out() -> None:
    def blocks_text(almanac: Almanac) -> str:
        return str([almanac.entry(name).blocks for name in ("rolling-a-7", "ending-the-game", "victory-points")])

    for example in ("discard", "win"):
        assert f"name='{example}'" in blocks_text(almanac_of("fifth"))
        assert f"name='{example}'" not in blocks_text(table_almanac(**HOUSE))


def test_the_house_rules_are_those_of_the_engine() -> None:
    switches = {"players", "setup", "phases", "harbors", "numbers", "map", "first", "ages", "colors", "edition"}
    assert set(HOUSE_RULES) == set(Options.__dataclass_fields__) - switches
    spared = check_options(edition="fifth", friendly_robber=True).house_rules()
    assert f"fewer than {SPARED_BELOW} visible points" in spared[0]


@all_languages
def test_every_house_rule_is_listed_and_one_that_is_on_changes_an_entry(language: str) -> None:
    texts = {name: entry["text"] for file in TEXTS for name, entry in read_almanac_data(f"{language}/{file}").items()}
    assert len(re.findall(r"^- ~ ", texts["house-rules"], re.MULTILINE)) == len(HOUSE_RULES)
    for option in HOUSE_SWITCHES:
        assert any(f"?table.{option}=yes: ~ " in text for text in texts.values()), option


# --- numbers ----------------------------------------------------------------------------------------------------------

SLOTS = re.compile(
    r"\{\w+\}(?::1)?|\[[A-Z]+-\d\d(?:, [A-Z]+-\d\d)*\]|†[A-Z]+-\d\d|^\d+\. |!example \w+|\?[a-z_.]+!?=\S+: ",
    re.MULTILINE,
)
ALLOWED = {
    "overview": {"6", "8", "2", "12"},  # its own steps; the dice
    "tactics": {"12", "6", "8"},  # dots and dice
    "editions": {"1", "2015"},
    "house-rules": {"36"},
    "number-tokens": {"6", "8"},
    "dice-odds": {"36", "6", "8", "2", "12"},
    "set-up-variable": {"6", "8"},  # the red numbers
    "domestic-trade": {"1", "3"},  # bargains as they may be
    "maritime-trade": {"1"},
    "trade": {"1", "2"},  # the same
}
"""By entry; those in words are in tests/languages. The engine plays the examples: their captions are not looked at."""


@all_languages
@pytest.mark.parametrize("file", TEXTS)
def test_no_number_of_the_rules_is_written_by_hand(file: str, language: str) -> None:
    for name, entry in read_almanac_data(f"{language}/{file}").items():
        allowed = {*ALLOWED.get(name, ()), *LOOKED_FOR[language]["numbers_allowed"].get(name, ())}
        for part in ("title", "short", "text"):
            text = re.sub(LOOKED_FOR[language]["not_numbers"], "", SLOTS.sub("", entry[part]))
            for match in re.finditer(rf"\b(?:{LOOKED_FOR[language]['numbers']})\b", text, re.IGNORECASE):
                context = text[max(0, match.start() - 40) : match.end() + 30]
                assert match[0].lower() in allowed or (part == "title" and match[0] == "7"), (
                    name,
                    context,
                )
