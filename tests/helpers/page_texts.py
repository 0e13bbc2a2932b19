"""The texts of the browser's pages as an edition says them, read from the files of the client."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from hexholm.host.web.rest.editions import option_lines
from hexholm.rules.language.languages import word_catalogue
from hexholm.rules.setup.editions import EDITIONS, edition

FOLDER: Final = Path(__file__).parents[2] / "web" / "src" / "words" / "data"
"""One file of texts for each language here, and one in each of its folders."""
_SLOT: Final = re.compile(r"\{(\w+)\}")


def read_page_texts(language: str) -> dict[str, Any]:
    """All texts of a language by section, as they are written."""
    texts: dict[str, Any] = {}
    for file in sorted(FOLDER.glob(f"**/{language}.toml")):
        for section, found in tomllib.loads(file.read_text(encoding="utf-8")).items():
            texts.setdefault(section, {}).update(found)
    return texts


def edition_terms(language: str, edition_name: str) -> Mapping[str, str]:
    """What a page of this edition calls things."""
    own = word_catalogue(language)["terms"]
    return {
        "title": edition(edition_name).title,
        **edition(edition_name).words,
        **own["every"],
        **own.get(edition_name, {}),
    }


def page_texts(language: str, edition_name: str) -> dict[str, str]:
    """All texts that a page of this edition may say, by name ("turn.roll"), in the edition's words.

    What the page itself fills in stays as it is: "{who}". Each form of a counted text has its own name:
    "start.waiting.one". Options and choices that only other editions offer are left out.
    """
    foreign = set().union(*map(_option_texts, EDITIONS)) - _option_texts(edition_name)
    terms = edition_terms(language, edition_name)

    def fill(text: str) -> str:
        return _SLOT.sub(lambda slot: _word(slot[1], terms) or slot[0], text)

    return {
        f"{section}.{name}": fill(text)
        for section, found in read_page_texts(language).items()
        for name, text in _forms(found)
        if section != "option" or name not in foreign
    }


def _word(name: str, terms: Mapping[str, str]) -> str | None:
    if name in terms:
        return terms[name]
    word = terms.get(name.lower())
    return word and word[:1].upper() + word[1:]


def _forms(section: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for name, text in section.items():
        if isinstance(text, str):
            yield name, text
        else:
            yield from ((f"{name}.{form}", words) for form, words in text.items())


def _option_texts(edition_name: str) -> set[str]:
    """The names of the texts of all options and choices that an edition offers."""
    lines = option_lines(edition(edition_name))
    return {line.name for line in lines} | {f"{line.name}_{choice}" for line in lines for choice in line.choices}
