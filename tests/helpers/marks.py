"""Marks that many tests share: in all editions, in all languages, with three players and with four."""

from __future__ import annotations

import pytest

from hexholm.rules.language.languages import LANGUAGES
from hexholm.rules.setup.editions import EDITIONS

all_editions = pytest.mark.parametrize("edition", EDITIONS)
all_languages = pytest.mark.parametrize("language", LANGUAGES)
three_or_four = pytest.mark.parametrize("players", [3, 4])
