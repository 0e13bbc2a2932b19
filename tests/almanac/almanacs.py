"""What the tests of the almanac share: all almanacs, made once, and everything they say."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from itertools import product

from hexholm.almanac import Almanac, Entry
from hexholm.almanac.blocks import ExampleBlock, Heading, Listing, Paragraph, TableBlock
from hexholm.almanac.document import SIGN
from hexholm.rules.language.languages import LANGUAGES
from hexholm.rules.setup.editions import EDITIONS

EDITIONS_AND_LANGUAGES = list(product(EDITIONS, LANGUAGES))


@cache
def almanac_of(edition: str, language: str = "en") -> Almanac:
    """The almanac of an edition."""
    return Almanac(edition, language)


def entry_texts(entry: Entry) -> Iterator[str]:
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

    exported: set[str] = field(default_factory=set)
    readings: set[str] = field(default_factory=set)
    """Those under "Our reading"."""
    signed: set[str] = field(default_factory=set)
    """Those with the sign behind words that rest on a reading."""
    unexported: set[str] = field(default_factory=set)
    """Those of which a reading stands in the almanac alone."""


def marks_of(almanac: Almanac) -> Marks:
    """The rules of an export; every sign that is claimed must stand in its text."""
    marks = Marks()
    for section in almanac.document().sections:
        for block in section.blocks:
            marks.exported |= set(block.rules)
            paragraphs = block.items if isinstance(block, Listing) else (block,)
            for paragraph in paragraphs:
                if isinstance(paragraph, Paragraph):
                    assert paragraph.text.count(SIGN) == len(paragraph.signs), paragraph.text
                    marks.signed |= {rule for _, rule in paragraph.signs}
                    marks.readings |= set(paragraph.rules) if paragraph.role == "reading" else set()
    for entry in almanac.entries():
        for paragraph in entry.paragraphs():
            if paragraph.role == "reading" and not paragraph.export:
                marks.unexported |= set(paragraph.rules)
    return marks
