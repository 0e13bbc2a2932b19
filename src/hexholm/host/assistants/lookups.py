"""The rules for assistants: what there is to play, all rules of an edition, one entry, one rule, a search."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from hexholm.almanac import Almanac, Entry
from hexholm.almanac.blocks import Heading, Listing, Paragraph, Table
from hexholm.almanac.reading import LANGUAGES
from hexholm.bots import NAMES, player
from hexholm.game.cleaning import quoted
from hexholm.rules.editions import EDITIONS, edition
from hexholm.rules.errors import BadInput
from hexholm.rules.options import Options

from .. import lookup
from .refusing import Refusal

LONGEST_QUESTION: Final = 200
RULE_ID: Final = re.compile(r"[A-Z]+-\d+")


def editions() -> str:
    """The editions, and the players one can play against."""
    lines = [
        f"{name}: {book.title}, {book.min_players}-{book.max_players} players, {book.victory_points} points to win"
        for name, book in ((name, edition(name)) for name in EDITIONS)
    ]
    players = [f"{name}: {player(name).line}" for name in NAMES]
    return "\n".join(["Editions:", *lines, "Players to play against:", *players])


def rules(book: str, language: str = LANGUAGES[0]) -> str:
    """All rules of an edition in one document."""
    return almanac(book, language).export("markdown")


def rule(what: str, book: str, language: str = LANGUAGES[0], chosen: Options | None = None) -> str:
    """An entry by its name or title, a rule by its id, or what a search finds; `chosen`: as a table plays."""
    found, wanted = almanac(book, language, chosen), what.strip()[:LONGEST_QUESTION]
    if RULE_ID.fullmatch(wanted.upper()):
        return _catalogued(found, wanted.upper())
    try:
        return entry_text(found.entry(wanted))
    except BadInput:
        hits = found.search(wanted, limit=5)
    if not hits:
        raise Refusal(
            f"the rules of {book} say nothing about {quoted(wanted)}; entries: {', '.join(found.names)}"
        ) from None
    return "\n".join(
        [
            "No entry has just this name; near are (look_up_rule with the name in front tells all of it):",
            *(f"{hit.entry}: {hit.title}. ... {hit.excerpt}" for hit in hits),
        ]
    )


def almanac(book: str, language: str = LANGUAGES[0], chosen: Options | None = None) -> Almanac:
    """The almanac of an edition or a table in a language; some are kept."""
    if book not in EDITIONS:
        raise Refusal(f"there is no edition {quoted(book)}; there are {', '.join(EDITIONS)}")
    if language not in LANGUAGES:
        raise Refusal(f"the rules are not written in {quoted(language)}; choose {', '.join(LANGUAGES)}")
    return lookup.almanac(lookup.Book(book, language) if chosen is None else lookup.Book.of_table(chosen, language))


def _catalogued(found: Almanac, wanted: str) -> str:
    """What the almanac says about a rule, as the table plays; then the catalogue, which knows the books alone."""
    try:
        explained = found.rule(wanted)
    except BadInput as no:
        raise Refusal(str(no)) from no
    differs = explained.rule.differs.get(found.book.name)
    entries = found.explained().get(wanted, ())
    lines = [entry_text(found.entry(entries[0]))] if entries else []
    lines.append(f"{wanted} in the catalogue, by the books: {explained.rule.text}")
    lines.append(f"In {found.book.name}: {differs}" if differs else "")
    lines.append(f"Explained in: {', '.join(entries)}" if entries else "")
    return "\n".join(filter(None, lines))


def entry_text(entry: Entry) -> str:
    """An entry as plain text."""
    see = f"See also: {', '.join(entry.links)}" if entry.links else ""
    return "\n".join(filter(None, (f"{entry.title} ({entry.name})", *_lines(entry), see)))


def _lines(entry: Entry) -> Iterator[str]:
    for block in entry.blocks:
        match block:
            case Heading():
                yield f"## {block.text}"
            case Paragraph():
                yield f"Hint: {block.text}" if block.role == "hint" else block.text
            case Listing():
                yield from (f"{f'{n}.' if block.ordered else '-'} {item.text}" for n, item in enumerate(block.items, 1))
            case Table():
                yield from (" | ".join(row) for row in (block.head, *block.rows))
