"""What the tests of the almanac share: all almanacs, made once, and everything they say."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from itertools import product

from hexholm.almanac import Almanac, Entry
from hexholm.almanac.blocks import ExampleBlock, Heading, Listing, Paragraph, TableBlock
from hexholm.almanac.document import SIGN
from hexholm.game.language.languages import LANGUAGES
from hexholm.rules.editions import EDITIONS

BOOKS = list(product(EDITIONS, LANGUAGES))


@cache
def book(edition: str, language: str = "en") -> Almanac:
    """The almanac of an edition."""
    return Almanac(edition, language)


def says(entry: Entry) -> Iterator[str]:
    """Everything a reader sees of an entry."""
    yield from (entry.title, entry.short)
    yield from (paragraph.text for paragraph in entry.paragraphs())
    for block in entry.blocks:
        if isinstance(block, Heading):
            yield block.text
        elif isinstance(block, TableBlock):
            yield from (cell for row in (block.head, *block.rows) for cell in row)
        elif isinstance(block, ExampleBlock):
            yield from (block.example.title, block.example.caption)


@dataclass
class Marks:
    """Of which rules an export speaks, and how."""

    shown: set[str] = field(default_factory=set)
    read: set[str] = field(default_factory=set)
    """Those under "Our reading"."""
    signed: set[str] = field(default_factory=set)
    """Those with the sign behind words that rest on a reading."""
    left_out: set[str] = field(default_factory=set)
    """Those of which a reading stands in the almanac alone."""


def marks_of(almanac: Almanac) -> Marks:
    """The rules of an export; every sign that is claimed must stand in its text."""
    found = Marks()
    for section in almanac.document().sections:
        for block in section.blocks:
            found.shown |= set(block.rules)
            paragraphs = block.items if isinstance(block, Listing) else (block,)
            for part in paragraphs:
                if isinstance(part, Paragraph):
                    assert part.text.count(SIGN) == len(part.signs), part.text
                    found.signed |= {rule for _, rule in part.signs}
                    found.read |= set(part.rules) if part.role == "reading" else set()
    for entry in almanac.entries():
        for part in entry.paragraphs():
            if part.role == "reading" and not part.export:
                found.left_out |= set(part.rules)
    return found
