"""The rules for assistants: what there is to play, all rules of an edition, lists, one entry, one rule, a search."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from textwrap import shorten
from typing import Final

from hexholm.almanac import Almanac, Entry
from hexholm.almanac.almanac_cache import AlmanacKey, cached_almanac
from hexholm.almanac.blocks import Block, ExampleBlock, Heading, Listing, Paragraph, TableBlock
from hexholm.bots import TABLE_BOTS, bot_kind
from hexholm.game.language.clean_text import quoted_text
from hexholm.rules.catalogue import rule_by_id as catalogued
from hexholm.rules.errors import BadInput
from hexholm.rules.language.languages import LANGUAGES
from hexholm.rules.setup.editions import EDITIONS, edition
from hexholm.rules.setup.options import Options

from .refusal_texts import bad_call

LONGEST_QUESTION: Final = 200
RULE_ID: Final = re.compile(r"[A-Z]+-\d+")
LONGEST_LINE: Final = 160
"""Characters of a rule in a list of them."""


def editions_text() -> str:
    """The editions, and the players one can play against."""
    lines = [
        f"{name}: {edition_data.title}, {edition_data.min_players}-{edition_data.max_players} players, "
        f"{edition_data.victory_points} points to win"
        for name, edition_data in ((name, edition(name)) for name in EDITIONS)
    ]
    players = [f"{name}: {bot_kind(name).summary}" for name in TABLE_BOTS]
    return "\n".join(["Editions:", *lines, "Players to play against:", *players])


def rules_text(edition_name: str, language: str = LANGUAGES[0]) -> str:
    """All rules of an edition in one document."""
    return find_almanac(edition_name, language).export("markdown")


def look_up_rule(text: str, edition_name: str, language: str = LANGUAGES[0], options: Options | None = None) -> str:
    """An entry by its name or title, a rule by its id, or what a search finds; `options`: as a table plays."""
    almanac, query = find_almanac(edition_name, language, options), text.strip()[:LONGEST_QUESTION]
    if RULE_ID.fullmatch(query.upper()):
        return _rule_text(almanac, query.upper())
    try:
        return entry_text(almanac, almanac.entry(query))
    except BadInput:
        if query.upper() in _rule_groups(almanac):
            return _group_text(almanac, query.upper())
        hits = almanac.search(query, limit=5)
    if not hits:
        raise bad_call(
            f"the rules of {edition_name} say nothing about {quoted_text(query)}; entries: {', '.join(almanac.names)}"
        ) from None
    return "\n".join(
        [
            "No entry has exactly this name (list_rules lists all). The nearest, each with its name for look_up_rule:",
            *(f"{hit.entry}: {hit.title}. ... {hit.excerpt}" for hit in hits),
        ]
    )


def list_rules(edition_name: str, language: str = LANGUAGES[0], options: Options | None = None, group: str = "") -> str:
    """The entries by chapter and the groups of rules; or the rules of a group, by the letters before their numbers."""
    almanac, prefix = find_almanac(edition_name, language, options), group.strip().upper().rstrip("-")
    groups = _rule_groups(almanac)
    if prefix in groups:
        return _group_text(almanac, prefix)
    if prefix:
        start = quoted_text(group[:LONGEST_QUESTION])
        raise bad_call(f"no rules of {edition_name} begin with {start}; groups: {', '.join(groups)}")
    chapters = (
        f"{title}: {'; '.join(f'{name} ({almanac.entry(name).title})' for name in names)}"
        for title, names in almanac.groups().items()
    )
    return "\n".join(
        [
            f"{almanac.title}. Entries by chapter, each with its title (look_up_rule gives the full text of one):",
            *chapters,
            "Groups of rules, with how many they have (list_rules with the group lists them): "
            + ", ".join(f"{name} {len(rules)}" for name, rules in groups.items()),
        ]
    )


def find_almanac(edition_name: str, language: str = LANGUAGES[0], options: Options | None = None) -> Almanac:
    """The almanac of an edition or a table in a language; some are kept."""
    if edition_name not in EDITIONS:
        raise bad_call(f"there is no edition {quoted_text(edition_name)}; there are {', '.join(EDITIONS)}")
    if language not in LANGUAGES:
        raise bad_call(f"the rules are not written in {quoted_text(language)}; choose {', '.join(LANGUAGES)}")
    return cached_almanac(
        AlmanacKey(edition_name, language) if options is None else AlmanacKey.of_table(options, language)
    )


def _rule_groups(almanac: Almanac) -> dict[str, list[str]]:
    """The rules that the almanac explains, by the letters before their numbers."""
    groups: dict[str, list[str]] = {}
    for rule in almanac.entries_by_rule():
        groups.setdefault(rule.partition("-")[0], []).append(rule)
    return groups


def _group_text(almanac: Almanac, group: str) -> str:
    """The rules of a group, each in a line."""
    entries_by_rule = almanac.entries_by_rule()
    edition = almanac.edition_data.name
    lines = [f"The rules {group}, as the books have them (look_up_rule with an id tells what {edition} says):"]
    for rule in _rule_groups(almanac)[group]:
        text = shorten(catalogued(rule, edition).text, LONGEST_LINE, placeholder=" ...")
        lines.append(f"{rule} ({', '.join(entries_by_rule[rule])}): {text}")
    return "\n".join(lines)


def _rule_text(almanac: Almanac, rule_id: str) -> str:
    """What the almanac says about a rule, as the table plays; then the catalogue, which knows the books alone."""
    try:
        explained_rule = almanac.rule(rule_id)
    except BadInput as error:
        raise bad_call(str(error)) from error
    differs = explained_rule.rule.differs.get(almanac.edition_data.name)
    entries = almanac.entries_by_rule().get(rule_id, ())
    lines = [entry_text(almanac, almanac.entry(entries[0]))] if entries else []
    lines.append(f"{rule_id} in the catalogue, by the books: {explained_rule.rule.text}")
    lines.append(f"In {almanac.edition_data.name}: {differs}" if differs else "")
    lines.append(f"Explained in: {', '.join(entries)}" if entries else "")
    return "\n".join(filter(None, lines))


def entry_text(almanac: Almanac, entry: Entry) -> str:
    """An entry as plain text."""
    roles = almanac.vocabulary.texts["role"]
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
            example = block.example
            yield f"{roles['example']} ({example.title}): {example.caption}"
            marks = ", ".join(f"{letter} {place}" for letter, place in example.marks.items())
            yield f"{roles['marks']}: {marks}" if marks else ""
            yield f"Position: {example.position}"
