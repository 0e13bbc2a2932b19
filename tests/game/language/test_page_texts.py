"""The texts of the browser's pages have a word for everything that the host may name there."""

from __future__ import annotations

from typing import Any, get_args

import pytest

from hexholm.bots import TABLE_BOTS
from hexholm.host.table_literals import BotPace
from hexholm.host.web.rest.editions import option_lines
from hexholm.host.wire.messages import TABLE_CHANGES
from hexholm.rules.encoding.structs import CARD_KINDS
from hexholm.rules.language.languages import LANGUAGES
from hexholm.rules.setup.editions import EDITIONS, SETUPS, edition
from tests.helpers.page_texts import read_page_texts

ALL_EDITION_DATA = [edition(name) for name in EDITIONS]


@pytest.fixture(params=LANGUAGES)
def texts(request: pytest.FixtureRequest) -> dict[str, Any]:
    """The texts of a language."""
    return read_page_texts(request.param)


def test_every_option_of_a_new_table_and_every_choice_has_a_name(texts: dict[str, Any]) -> None:
    lines = [line for edition_data in ALL_EDITION_DATA for line in option_lines(edition_data)]
    due = {line.name for line in lines} | {f"{line.name}_{choice}" for line in lines for choice in line.choices}
    due |= {f"setup_{setup}" for setup in SETUPS}
    assert due <= texts["option"].keys()


def test_every_bot_and_terrain_has_a_name(texts: dict[str, Any]) -> None:
    assert set(TABLE_BOTS) | {f"{name}_line" for name in TABLE_BOTS} <= texts["bots"].keys()
    assert {terrain for edition_data in ALL_EDITION_DATA for terrain in edition_data.terrain_counts} <= texts[
        "places"
    ].keys()


def test_every_development_card_says_what_it_does(texts: dict[str, Any]) -> None:
    assert {f"does_{kind}" for kind in CARD_KINDS} <= texts["development"].keys()


def test_every_change_of_a_table_has_a_line(texts: dict[str, Any]) -> None:
    changes = set(TABLE_CHANGES) - {"over"}  # which the game itself says
    changes -= {"paused", "paced", "renamed"}  # said as what it has become: table.paused, log.goes_on, and these
    changes -= {"promised", "words_asked", "word_opened"}  # before the game, whose story they are no part of
    changes -= {"waited", "long_gone", "kick_wished"}  # said by table.waiting, by the seat, and as another wish
    assert {f"changed_{change}" for change in changes} <= texts["log"].keys()
    assert {"renamed", *(f"paced_{pace}" for pace in get_args(BotPace))} <= texts["log"].keys()
