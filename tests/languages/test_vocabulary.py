"""Whatever an edition says, it says in the words of its book: no word of another one stands anywhere.

The words are in en.toml and de.toml (`foreign`, `absent`), the texts in surfaces.py, which finds them by itself. What
may stand all the same is in the tables here, each with its reason.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

import pytest

from hexholm.rules.language.languages import LANGUAGES
from hexholm.rules.setup.editions import EDITIONS
from tests.helpers.marks import all_editions, all_languages
from tests.helpers.page_texts import FOLDER as PAGE_TEXTS

from . import LOOKED_FOR, foreign_words_in
from .surfaces import IN_ENGLISH, SOURCES, TRANSLATED, Shown, help_texts, rules_by_id, suspicious_literals

OF_SOME_EDITIONS: Final = {
    r"event\.limit_tile\..*": "Zip! alone has limit tiles; no other edition has this event",
    r"(table )?words": "the table of words says what the other editions call a thing",
    r"heading": "those of the export are those of the summary for assistants (EXP-01)",
}
"""Texts, by surface and place, that may name what only other editions have."""
BOTH_SPELLINGS: Final = re.compile(r"lumber and wood are the same, and so are grain and wheat")
"""Assistants are told that both spellings are read (EXP-05)."""
ABOUT_WORDS: Final = {
    "NAME": "rules on what things are called",
    "ZIP": "rules of Zip!, which other editions show as such",
    "EXP": "rules on the summary for assistants and its headings",
    "ALM-01": "the topics of one book, by their titles",
    "ALM-02": "the same",
}
"""Chapters and rules of the catalogue that speak of the words or things of one book in all editions."""
NOT_OF_AN_EDITION: Final = {
    "rules/boards/": "boards as text: harbors, start and numbers are keys of the format",
    "rules/setup/": "options and editions as data",
    "rules/notation.py": "actions as text: supply, brick and lumber are words of the format",
    "game/positions/": "positions as text: hand, cards and bank are keys of the format",
    "game/record_format/": "records as text",
    "game/records/verify_copy.py": "records as text",
    "game/records/timeline.py": "names of the Python API",
    "game/cards.py": "Cards is a name of the Python API",
    "game/views/odds.py": "positions as text",
    "host/wire/description/": "the protocol: hand, cards and harbors are its keys",
    "host/web/transport/": "frames of sockets",
}
"""Files of the source, by how their paths begin, whose sentences are of no edition."""
NO_WORDS_OF_THE_GAME: Final = re.compile(
    r"\bport \{|^port |Path=/|frame-ancestors|^piece \{x\} \{x\}$|\{\"setup\": \"fixed\""
    r"|Resources are brick, lumber, wool, grain"
)
"""Ports of a server, headers of HTTP, classes of styles, keys of the wire."""
CATALOGUES: Final = {
    "rules/language/data",
    "almanac/data",
    "rules/data/boards",
    "rules/data/boards/zip",
    "rules/data/editions",
}
"""Folders of data that hold words, all of which surfaces.py shows, and boards and editions, which hold values."""


def wrong(shown: Iterator[Shown], edition: str, language: str = "en") -> list[tuple[str, list[str], str]]:
    """The texts that use a word of another edition."""
    found = []
    for where, text in shown:
        if not any(re.fullmatch(pattern, where) for pattern in OF_SOME_EDITIONS):
            words = foreign_words_in(BOTH_SPELLINGS.sub("", text), edition, language)
            if words:
                found.append((where, words, text))
    return found


@pytest.mark.rule("NAME-01", "NAME-01.e1", "NAME-01.e2", "NAME-02", "NAME-03", "NAME-04", "NAME-05", "NAME-05.e1")
@pytest.mark.rule(
    "NAME-06", "NAME-07", "NAME-08", "NAME-08.e1", "NAME-10", "NAME-16", "NAME-17", "NAME-17.e1", "EDN-03"
)
@pytest.mark.parametrize("surface", TRANSLATED)
@all_languages
@all_editions
def test_every_text_is_in_the_words_of_its_edition(edition: str, language: str, surface: str) -> None:
    assert wrong(TRANSLATED[surface](edition, language), edition, language) == []


@pytest.mark.rule("NAME-01", "NAME-05", "NAME-05.e1", "EDN-03")
@pytest.mark.parametrize("surface", IN_ENGLISH)
@all_editions
def test_pictures_and_what_assistants_read_are_in_the_words_of_the_edition(edition: str, surface: str) -> None:
    assert wrong(IN_ENGLISH[surface](edition), edition) == []


@pytest.mark.rule("NAME-01", "NAME-05", "NAME-05.e1", "EDN-03")
@all_editions
def test_every_rule_by_its_id_is_in_the_words_of_the_edition(edition: str) -> None:
    found = []
    for rule, line in rules_by_id(edition):
        if rule.chapter not in ABOUT_WORDS and rule.id not in ABOUT_WORDS:
            words = foreign_words_in(line, edition, absent=edition in rule.editions and not names_a_book(line))
            found += [(rule.id, words, line)] if words else []
    assert found == []


def names_a_book(line: str) -> bool:
    """Whether a line says where the books differ, and so what there is in another one."""
    return any(name in line for name in EDITIONS)


def test_no_sentence_in_the_code_has_a_word_that_some_edition_does_not_use() -> None:
    """Such a word comes from the catalogues: `{harbor}`, `{item}`."""
    found = [
        (where, words, text)
        for where, text in suspicious_literals()
        if not where.startswith(tuple(NOT_OF_AN_EDITION))
        and (words := foreign_words_in(NO_WORDS_OF_THE_GAME.sub("", text), None))
    ]
    assert found == []


def test_help_is_in_words_that_all_editions_use() -> None:
    assert [(where, words) for where, text in help_texts() if (words := foreign_words_in(text, None))] == []


def test_pages_have_no_text_of_their_own() -> None:
    """The texts of the pages stand in web/src/words; only the name of the program and a command stand in the pages."""
    pages_folder = PAGE_TEXTS.parents[1]
    found = []
    for file in pages_folder.rglob("*.svelte"):
        template = re.sub(
            r"<(script|style)\b.*?</\1>|<!--.*?-->|<(code|kbd)>.*?</\2>", "", file.read_text("utf-8"), flags=re.DOTALL
        )
        template = re.sub(r"\{[^{}]*(?:\{[^{}]*(?:\{[^{}]*\}[^{}]*)*\}[^{}]*)*\}", "", template)
        found += [
            (file.name, text)
            for text in re.findall(r">([^<>]*[A-Za-z]{3}[^<>]*)</", template)
            if not re.fullmatch(r"\W*Hexholm", text)
        ]
    assert found == []


# --- the test itself --------------------------------------------------------------------------------------------------


def test_every_file_of_words_is_looked_at() -> None:
    folders = {file.parent.relative_to(SOURCES).as_posix() for file in SOURCES.rglob("*.toml")}
    assert {re.sub(rf"/({'|'.join(LANGUAGES)})$", "", folder) for folder in folders} == CATALOGUES


@pytest.mark.parametrize(
    "edition, word", [(edition, word) for edition in EDITIONS for word in ("tile", "card", "port", "harbor")]
)
def test_a_word_of_another_book_is_found(edition: str, word: str) -> None:
    own = {"zip": {"tile", "port"}, "sixth": {"card", "port"}}.get(edition, {"card", "harbor"})
    assert bool(foreign_words_in(f"Take one {word}.", edition)) == (word not in own)


@all_languages
def test_every_edition_has_its_words_in_every_language(language: str) -> None:
    looked_for = LOOKED_FOR[language]
    assert set(looked_for["foreign"]) == set(looked_for["absent"]) == set(EDITIONS)
    assert min(map(len, looked_for["foreign"].values())) >= 7


def test_every_exception_is_needed() -> None:
    """An exception that nothing needs any longer goes."""
    places = {shown.where for surface in TRANSLATED.values() for shown in surface("sixth", "en")}
    for pattern in OF_SOME_EDITIONS:
        assert any(re.fullmatch(pattern, where) for where in places), pattern
    for start in NOT_OF_AN_EDITION:
        assert any(where.startswith(start) for where, _ in suspicious_literals()), start
