"""What the tests of the almanac share: all almanacs, made once, and everything they say."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import product

from hexholm.almanac import Almanac, Entry
from hexholm.almanac.blocks import Heading, Shown, Table
from hexholm.almanac.reading import LANGUAGES
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
        elif isinstance(block, Table):
            yield from (cell for row in (block.head, *block.rows) for cell in row)
        elif isinstance(block, Shown):
            yield from (block.example.title, block.example.caption)
