"""The rules for assistants: what there is to play, all rules of an edition, lists, one entry, one rule, a search."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from textwrap import shorten
from typing import Final

from hexholm.almanac import Almanac, Entry
from hexholm.almanac.almanac_cache import Book, cached_almanac
from hexholm.almanac.blocks import Block, ExampleBlock, Heading, Listing, Paragraph, TableBlock
from hexholm.bots import TABLE_BOTS, bot_kind
from hexholm.game.language.clean_text import quoted
from hexholm.game.language.languages import LANGUAGES
from hexholm.rules.catalogue import rule as catalogued
from hexholm.rules.editions import EDITIONS, edition
from hexholm.rules.errors import BadInput
from hexholm.rules.options import Options

from .refusal_texts import bad_call

LONGEST_QUESTION: Final = 200
RULE_ID: Final = re.compile(r"[A-Z]+-\d+")
LONGEST_LINE: Final = 160
"""Characters of a rule in a list of them."""


def editions_text() -> str:
    """The editions, and the players one can play against."""
    lines = [
        f"{name}: {book.title}, {book.min_players}-{book.max_players} players, {book.victory_points} points to win"
        for name, book in ((name, edition(name)) for name in EDITIONS)
    ]
    players = [f"{name}: {bot_kind(name).line}" for name in TABLE_BOTS]
    return "\n".join(["Editions:", *lines, "Players to play against:", *players])


def rules_text(book: str, language: str = LANGUAGES[0]) -> str:
    """All rules of an edition in one document."""
    return find_almanac(book, language).export("markdown")


def look_up_rule(what: str, book: str, language: str = LANGUAGES[0], chosen: Options | None = None) -> str:
    """An entry by its name or title, a rule by its id, or what a search finds; `chosen`: as a table plays."""
    found, wanted = find_almanac(book, language, chosen), what.strip()[:LONGEST_QUESTION]
    if RULE_ID.fullmatch(wanted.upper()):
        return _rule_text(found, wanted.upper())
    try:
        return entry_text(found, found.entry(wanted))
    except BadInput:
        if wanted.upper() in _rule_groups(found):
            return _group_text(found, wanted.upper())
        hits = found.search(wanted, limit=5)
    if not hits:
        raise bad_call(
            f"the rules of {book} say nothing about {quoted(wanted)}; entries: {', '.join(found.names)}"
        ) from None
    return "\n".join(
        [
            "No entry has just this name (list_rules has them all); near are, each with its name for look_up_rule:",
            *(f"{hit.entry}: {hit.title}. ... {hit.excerpt}" for hit in hits),
        ]
    )


def list_rules(book: str, language: str = LANGUAGES[0], chosen: Options | None = None, group: str = "") -> str:
    """The entries by chapter and the groups of rules; or the rules of a group, by the letters before their numbers."""
    found, wanted = find_almanac(book, language, chosen), group.strip().upper().rstrip("-")
    groups = _rule_groups(found)
    if wanted in groups:
        return _group_text(found, wanted)
    if wanted:
        raise bad_call(f"no rules of {book} begin with {quoted(group[:LONGEST_QUESTION])}; groups: {', '.join(groups)}")
    chapters = (
        f"{title}: {'; '.join(f'{name} ({found.entry(name).title})' for name in names)}"
        for title, names in found.groups().items()
    )
    return "\n".join(
        [
            f"{found.title}. Entries by chapter, each with its title (look_up_rule tells all of one):",
            *chapters,
            "Groups of rules, with how many they have (list_rules with the group lists them): "
            + ", ".join(f"{name} {len(rules)}" for name, rules in groups.items()),
        ]
    )


def find_almanac(book: str, language: str = LANGUAGES[0], chosen: Options | None = None) -> Almanac:
    """The almanac of an edition or a table in a language; some are kept."""
    if book not in EDITIONS:
        raise bad_call(f"there is no edition {quoted(book)}; there are {', '.join(EDITIONS)}")
    if language not in LANGUAGES:
        raise bad_call(f"the rules are not written in {quoted(language)}; choose {', '.join(LANGUAGES)}")
    return cached_almanac(Book(book, language) if chosen is None else Book.of_table(chosen, language))


def _rule_groups(found: Almanac) -> dict[str, list[str]]:
    """The rules that the almanac explains, by the letters before their numbers."""
    groups: dict[str, list[str]] = {}
    for rule in found.explained():
        groups.setdefault(rule.partition("-")[0], []).append(rule)
    return groups


def _group_text(found: Almanac, group: str) -> str:
    """The rules of a group, each in a line."""
    explained = found.explained()
    lines = [f"The rules {group}, as the books have them (look_up_rule with an id tells what {found.book.name} says):"]
    for rule in _rule_groups(found)[group]:
        text = shorten(catalogued(rule).text, LONGEST_LINE, placeholder=" ...")
        lines.append(f"{rule} ({', '.join(explained[rule])}): {text}")
    return "\n".join(lines)


def _rule_text(found: Almanac, wanted: str) -> str:
    """What the almanac says about a rule, as the table plays; then the catalogue, which knows the books alone."""
    try:
        explained = found.rule(wanted)
    except BadInput as no:
        raise bad_call(str(no)) from no
    differs = explained.rule.differs.get(found.book.name)
    entries = found.explained().get(wanted, ())
    lines = [entry_text(found, found.entry(entries[0]))] if entries else []
    lines.append(f"{wanted} in the catalogue, by the books: {explained.rule.text}")
    lines.append(f"In {found.book.name}: {differs}" if differs else "")
    lines.append(f"Explained in: {', '.join(entries)}" if entries else "")
    return "\n".join(filter(None, lines))


def entry_text(found: Almanac, entry: Entry) -> str:
    """An entry as plain text."""
    roles = found.words.own["role"]
    see = f"{roles['see']}: {', '.join(entry.links)}" if entry.links else ""
    lines = (line for block in entry.blocks for line in _block_lines(block, roles))
    return "\n".join(filter(None, (f"{entry.title} ({entry.name})", *lines, see)))


def _block_lines(block: Block, roles: Mapping[str, str]) -> Iterator[str]:
    """A part of an entry in lines; hints, our readings and examples are called so."""
    match block:
        case Heading():
            yield f"## {block.text}"
        case Paragraph():
            yield f"{roles[block.role]}: {block.text}" if block.role else block.text
        case Listing():
            for number, item in enumerate(block.items, 1):
                yield from (f"{f'{number}.' if block.ordered else '-'} {line}" for line in _block_lines(item, roles))
        case TableBlock():
            yield from (" | ".join(row) for row in (block.head, *block.rows))
        case ExampleBlock():
            shown = block.example
            yield f"{roles['example']} ({shown.title}): {shown.caption}"
            marks = ", ".join(f"{letter} {place}" for letter, place in shown.marks.items())
            yield f"{roles['marks']}: {marks}" if marks else ""
            yield f"Position: {shown.position}"
