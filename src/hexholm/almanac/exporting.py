"""The rules of an edition in one document that an assistant can read and play from (EXP-01 to EXP-05).

It is put together from the same entries and tables as the almanac: the rules and our readings of them, without hints
and examples. data/export.toml says what goes where. Nothing in it is written for one edition.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from .blocks import Block, Entry, Listing, Paragraph, Span, Table
from .reading import data
from .tables import table
from .vocabulary import Vocabulary

FORMAT: Final = "hexholm-rules-1"
LIMIT: Final = 24_000
"""A document has at most so many characters."""


@dataclass(frozen=True, slots=True)
class Section:
    """A section with its heading; `level` is 2 or 3."""

    name: str
    heading: str
    level: int
    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class Document:
    """The rules of one edition for assistants."""

    edition: str
    language: str
    title: str
    opening: str
    reading: str
    sections: tuple[Section, ...]

    def markdown(self) -> str:
        """As Markdown."""
        lines = [f"# {self.title}", "", self.opening]
        for section in self.sections:
            lines += ["", f"{'#' * section.level} {section.heading}"]
            for block in section.blocks:
                lines += ["", *self._lines(block)]
        return "\n".join(lines) + "\n"

    def as_dict(self) -> dict[str, Any]:
        """Plain data: sections with their text as Markdown, tables as rows."""
        return {
            "format": FORMAT,
            "edition": self.edition,
            "language": self.language,
            "title": self.title,
            "for": self.opening,
            "sections": [
                {
                    "heading": section.heading,
                    "level": section.level,
                    "text": [
                        line for block in section.blocks if not isinstance(block, Table) for line in self._lines(block)
                    ],
                    "tables": [
                        {"name": block.name, "head": list(block.head), "rows": [list(row) for row in block.rows]}
                        for block in section.blocks
                        if isinstance(block, Table)
                    ],
                }
                for section in self.sections
            ],
        }

    def json(self) -> str:
        """As one line of JSON."""
        return json.dumps(self.as_dict(), ensure_ascii=False, separators=(",", ":")) + "\n"

    def _lines(self, block: Block) -> Iterator[str]:
        if isinstance(block, Paragraph):
            yield self._told(block)
        elif isinstance(block, Listing):
            for number, item in enumerate(block.items, 1):
                yield f"{f'{number}.' if block.ordered else '-'} {self._told(item)}"
        elif isinstance(block, Table):
            yield f"| {' | '.join(block.head)} |"
            yield f"|{'---|' * len(block.head)}"
            yield from (f"| {' | '.join(row)} |" for row in block.rows)

    def _told(self, paragraph: Paragraph) -> str:
        return f"{self.reading} {paragraph.text}" if paragraph.role == "reading" else paragraph.text


def document(words: Vocabulary, entries: Mapping[str, Entry]) -> Document:
    """The document of an edition, from its entries."""
    told = data(f"{words.language}/export")
    colors = {f"c{number}_name": color for number, color in enumerate(words.book.colors, 1)}
    own = {"notation": tuple(_paragraph(words.fill(text, colors)) for text in told["notation"].strip().split("\n\n"))}
    sections: list[Section] = []
    seen: set[str] = set()
    for section in data("export")["section"]:
        for part, level in ((section, 2), *((part, 3) for part in section.get("part", ()))):
            heading = words.fill(told["heading"][part["name"]])
            blocks = tuple(block for name in part["take"] for block in _taken(name, words, entries, own, seen))
            sections.append(Section(part["name"], heading, level, blocks))
    return Document(
        words.book.name, words.language, words.fill(told["title"]), told["opening"], told["reading"], tuple(sections)
    )


def _paragraph(text: str) -> Paragraph:
    return Paragraph((Span(text),))


def _taken(
    name: str, words: Vocabulary, entries: Mapping[str, Entry], own: Mapping[str, tuple[Block, ...]], seen: set[str]
) -> Iterator[Block]:
    """What a name of the plan stands for; a table of an entry stands in the document once."""
    if name.startswith("!"):
        yield table(name[1:], words)
        return
    if name.startswith("+"):
        yield from own[name[1:]]
        return
    if name not in entries:  # an entry of other editions
        return
    for block in entries[name].blocks:
        if not block.export:
            continue
        if isinstance(block, Table):
            if block.name in seen:
                continue
            seen.add(block.name)
        yield replace(block, items=tuple(i for i in block.items if i.export)) if isinstance(block, Listing) else block
