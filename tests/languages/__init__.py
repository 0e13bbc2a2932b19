"""What the tests look for in the texts of each language, one file a language, beside what the texts themselves hold."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from pathlib import Path
from typing import Any, Final

from hexholm.rules.language.languages import LANGUAGES
from hexholm.rules.setup.editions import EDITIONS

_FOLDER: Final = Path(__file__).parent
LOOKED_FOR: Final[dict[str, dict[str, Any]]] = {
    language: tomllib.loads((_FOLDER / f"{language}.toml").read_text(encoding="utf-8")) for language in LANGUAGES
}
_NO_SENTENCE: Final = re.compile(
    r"`[^`]*`|--\w[\w-]*|\b[A-Z]{2,}-\d\d(\.\w+)?|\b(PORT|SETUP)\b|\bhexholm [a-z][^;\n]*|\{\w+(:\w+)?\}"
)
"""Code, flags, ids of rules and their chapters, commands, slots: they are alike in all editions."""


def foreign_words_in(text: str, edition: str | None, language: str = "en", *, absent: bool = True) -> list[str]:
    """The words in a text that the book of this edition does not use, nor with `absent` for what it does not have.

    Without an edition those that any of the books does not use.
    """
    matches = _foreign(edition, language, absent).finditer(_NO_SENTENCE.sub(" ", text))
    return [match.group() for match in matches if match["word"]]


@cache
def _foreign(edition: str | None, language: str, absent: bool) -> re.Pattern[str]:
    """A word of the lists, or before it a phrase that only looks like one."""
    looked_for = LOOKED_FOR[language]
    lists = [looked_for["foreign"], *([looked_for["absent"]] if absent else [])]
    words = {word for each in lists for name in EDITIONS if edition in (None, name) for word in each[name]}
    phrases = "|".join(looked_for["not_foreign"]["phrases"])
    flags = re.IGNORECASE if language == "en" else re.NOFLAG
    return re.compile(rf"\b(?:{phrases}|(?P<word>{'|'.join(sorted(words))}))\b", flags)
