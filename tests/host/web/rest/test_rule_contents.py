"""What the pages of the rules are made of, for every edition and language, without a server: no word is missing."""

from __future__ import annotations

import pytest

from hexholm.almanac.almanac_cache import AlmanacKey, cached_almanac
from hexholm.host.web.rest import rule_lookup
from hexholm.rules.setup.editions import EDITIONS
from tests.almanac.almanacs import EDITIONS_AND_LANGUAGES


@pytest.mark.parametrize("edition, language", EDITIONS_AND_LANGUAGES)
def test_contents_and_entries_are_there(edition: str, language: str) -> None:
    key = AlmanacKey(edition, language)
    contents = rule_lookup._contents_json(key)
    for name in cached_almanac(key).names:
        assert f'"{name}"' in contents.plain.decode()
        assert name in rule_lookup._entry_json(key, name).plain.decode()


@pytest.mark.parametrize("language", sorted({language for _, language in EDITIONS_AND_LANGUAGES}))
def test_all_editions_stand_side_by_side(language: str) -> None:
    assert all(name in rule_lookup._comparison_json(EDITIONS, language).plain.decode() for name in EDITIONS)
