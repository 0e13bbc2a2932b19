"""The languages that games and rules are told in: those that have a catalogue of words in `data/`, English first.

The almanac and the command line read this too, and nothing of the engine is loaded for it.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final

from hexholm.rules.errors import BadInput

_CATALOGUES: Final = Path(__file__).with_name("data")
LANGUAGES: Final = tuple(
    sorted((file.stem for file in _CATALOGUES.glob("*.toml")), key=lambda name: (name != "en", name))
)
"""The default first. A language is a catalogue in `rules/language/data` and a folder in `almanac/data`."""


@cache
def word_catalogue(language: str) -> Mapping[str, Any]:
    """The messages and terms of a language, as in its file."""
    if language not in LANGUAGES:
        raise BadInput(f"there are no words in {language!r}; the languages are {', '.join(LANGUAGES)}")
    return tomllib.loads((_CATALOGUES / f"{language}.toml").read_text(encoding="utf-8"))
