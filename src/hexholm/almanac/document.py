"""The rules of an edition in one document that an assistant can read and play from (EXP-01 to EXP-05).

It is put together from the same entries and tables as the almanac: the rules, our readings of them and three worked
examples, without hints. Where a reading is left out to be short, a sign stands behind the words that rest on it; where
a book does not state a rule of a paragraph at all, it stands at the end. data/export.toml says what goes where. Nothing
in it is written for one edition.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from hexholm.rules.catalogue import rule_by_id
from hexholm.rules.names import RESOURCES

from .blocks import Block, Entry, Listing, Paragraph, Span, TableBlock
from .drafts import read_almanac_data, read_templates
from .edition_tables import edition_table
from .entry_writer import split_signs
from .vocabulary import Vocabulary
from .worked_examples import worked_example

RULES_FORMAT: Final = "hexholm-rules-2"
SIGN: Final = "†"
"""Behind words that rest on our reading."""


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
        lines = [f"# {self.title}", "", self.opening]
        for section in self.sections:
            lines += ["", f"{'#' * section.level} {section.heading}"]
            for block in section.blocks:
                lines += ["", *self._lines(block)]
        return "\n".join(lines) + "\n"

    def as_dict(self) -> dict[str, Any]:
        """Plain data: sections with their paragraphs, each with its rules, and tables with numbers as numbers."""
        return {
            "format": RULES_FORMAT,
            "edition": self.edition,
            "language": self.language,
            "title": self.title,
            "for": self.opening,
            "sections": [
                {
                    "heading": section.heading,
                    "level": section.level,
                    "text": [
                        _paragraph_dict(paragraph) for block in section.blocks for paragraph in _paragraphs_of(block)
                    ],
                    "tables": [_table_dict(block) for block in section.blocks if isinstance(block, TableBlock)],
                }
                for section in self.sections
            ],
        }

    def json(self) -> str:
        return json.dumps(self.as_dict(), ensure_ascii=False, separators=(",", ":")) + "\n"

    def _lines(self, block: Block) -> Iterator[str]:
        if isinstance(block, Paragraph):
            yield self._paragraph_text(block)
        elif isinstance(block, Listing):
            for number, item in enumerate(block.items, 1):
                yield f"{f'{number}.' if block.ordered else '-'} {self._paragraph_text(item)}"
        elif isinstance(block, TableBlock):
            yield f"| {' | '.join(block.head)} |"
            yield f"|{'---|' * len(block.head)}"
            yield from (f"| {' | '.join(row)} |" for row in block.rows)

    def _paragraph_text(self, paragraph: Paragraph) -> str:
        return f"{self.reading} {paragraph.text}" if paragraph.role == "reading" else paragraph.text


def _paragraphs_of(block: Block) -> tuple[Paragraph, ...]:
    if isinstance(block, Listing):
        return block.items
    return (block,) if isinstance(block, Paragraph) else ()


def _paragraph_dict(paragraph: Paragraph) -> dict[str, Any]:
    """A paragraph as plain data; what is empty is left out."""
    fields = {"text": paragraph.text, "role": paragraph.role, "rules": list(paragraph.rules)}
    return {key: value for key, value in fields.items() if value}


def _table_dict(table: TableBlock) -> dict[str, Any]:
    rows = [[_cell_value(cell) for cell in row] for row in table.rows]
    return {"name": table.name, "head": list(table.head), "rows": rows, "rules": list(table.rules)}


def _cell_value(cell: str) -> str | int | float:
    """A number as a number, a share in percent as a fraction."""
    if match := re.fullmatch(r"(\d+) ?%", cell):
        return int(match[1]) / 100
    return int(cell) if cell.isdecimal() else cell


def rules_document(vocabulary: Vocabulary, entries: Mapping[str, Entry]) -> Document:
    """The document of an edition, from its entries."""
    texts = read_almanac_data(f"{vocabulary.language}/export")
    slot_values = {"actions": _actions(vocabulary), "sign": SIGN}
    own_blocks = {
        name: tuple(_own_paragraphs(texts[name], vocabulary, slot_values))
        for name in ("overview", "variable", "notation")
    }
    unexported = _unexported_rules(entries)
    sections: list[Section] = []
    tables_seen: set[str] = set()
    for section in read_almanac_data("export")["section"]:
        for part, level in ((section, 2), *((part, 3) for part in section.get("part", ()))):
            heading = vocabulary.fill(texts["heading"][part["name"]])
            blocks = (
                block
                for name in part["take"]
                for block in _planned_blocks(name, vocabulary, entries, own_blocks, tables_seen)
            )
            sections.append(
                Section(
                    part["name"],
                    heading,
                    level,
                    tuple(_sign_block(block, unexported, vocabulary.edition_data.name) for block in blocks),
                )
            )
    title, opening = vocabulary.fill(texts["title"]), vocabulary.fill(texts["opening"], slot_values)
    return Document(
        vocabulary.edition_data.name, vocabulary.language, title, opening, texts["reading"], tuple(sections)
    )


def _actions(vocabulary: Vocabulary) -> str:
    """How actions are written, in English in every language: those that can be legal in the edition."""
    slot_values = {f"c{number}_name": color for number, color in enumerate(vocabulary.edition_data.colors, 1)}
    english_terms = Vocabulary(vocabulary.edition_data, "en").terms
    slot_values |= {resource: english_terms[resource] for resource in RESOURCES}
    action_templates = [
        template
        for action in read_almanac_data("export")["actions"]
        for template in read_templates(action)
        if vocabulary.holds(template.when)
    ]
    return ", ".join(f"`{vocabulary.fill(template.text, slot_values)}`" for template in action_templates)


def _unexported_rules(entries: Mapping[str, Entry]) -> set[str]:
    """The rules of which a reading stands in the almanac but not in the export."""
    paragraphs = (paragraph for entry in entries.values() for paragraph in entry.paragraphs())
    return {
        rule
        for paragraph in paragraphs
        if paragraph.role == "reading" and not paragraph.export
        for rule in paragraph.rules
    }


def _sign_block(block: Block, unexported: Collection[str], edition_name: str) -> Block:
    """A block with a sign behind whatever rests on a reading that is left out, or is not in the edition's book."""
    if isinstance(block, Listing):
        return replace(block, items=tuple(_mark_paragraph(item, unexported, edition_name) for item in block.items))
    return _mark_paragraph(block, unexported, edition_name) if isinstance(block, Paragraph) else block


def _mark_paragraph(paragraph: Paragraph, unexported: Collection[str], edition_name: str) -> Paragraph:
    signs = tuple((offset, rule) for offset, rule in paragraph.signs if rule in unexported)
    text = paragraph.text
    if paragraph.role != "reading":
        signed = {rule for _, rule in signs}
        signs += tuple(
            (len(text), rule)
            for rule in paragraph.rules
            if rule not in signed and edition_name not in rule_by_id(rule).editions
        )[:1]
    for offset, _ in reversed(signs):
        text = f"{text[:offset]}{SIGN}{text[offset:]}"
    return replace(paragraph, spans=(Span(text),), signs=signs)


def _own_paragraphs(text: str, vocabulary: Vocabulary, slot_values: Mapping[str, str]) -> Iterator[Paragraph]:
    """A text that stands in the document alone, written as those of the entries."""
    for template in read_templates(text):
        if vocabulary.holds(template.when):
            spans, signs = split_signs((Span(vocabulary.fill(template.text, slot_values)),))
            yield Paragraph(spans, template.role, template.rules, signs=signs)


def _example_paragraph(name: str, vocabulary: Vocabulary) -> Paragraph:
    """The caption of a worked example, with the names of the places that its letters stand for."""
    example, texts = worked_example(name, vocabulary), read_almanac_data(f"{vocabulary.language}/export")
    places = ", ".join(texts["place"].format(letter=letter, name=place) for letter, place in example.marks.items())
    return Paragraph((Span(f"{texts['example'].format(places=places)} {example.caption}"),))


def _planned_blocks(
    name: str,
    vocabulary: Vocabulary,
    entries: Mapping[str, Entry],
    own_blocks: Mapping[str, tuple[Block, ...]],
    tables_seen: set[str],
) -> Iterator[Block]:
    """What a name of the plan stands for; a table of an entry stands in the document once."""
    if name.startswith("!"):
        yield edition_table(name[1:], vocabulary)
        return
    if name.startswith("+"):
        yield from own_blocks[name[1:]]
        return
    if name.startswith("*"):
        yield _example_paragraph(name[1:], vocabulary)
        return
    if name not in entries:  # an entry of other editions
        return
    for block in entries[name].blocks:
        if not block.export:
            continue
        if isinstance(block, TableBlock):
            if block.name in tables_seen:
                continue
            tables_seen.add(block.name)
        yield (
            replace(block, items=tuple(item for item in block.items if item.export))
            if isinstance(block, Listing)
            else block
        )
