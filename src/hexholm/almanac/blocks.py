"""What an entry is made of when it comes out: headings, paragraphs, lists, tables, examples; all of it plain data."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .worked_examples import WorkedExample


@dataclass(frozen=True, slots=True)
class Span:
    """A part of a text; `to` is the entry it leads to."""

    text: str
    to: str | None = None

    def as_dict(self) -> dict[str, Any]:
        """The text, and the entry it leads to if it does."""
        return {"text": self.text} if self.to is None else {"text": self.text, "to": self.to}


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading within an entry."""

    text: str
    export = False
    rules: tuple[str, ...] = ()

    def as_dict(self) -> dict[str, Any]:
        return {"kind": "heading", "text": self.text}


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A paragraph. `role` is "" for the rule itself, "hint" for advice, "reading" for a point the book leaves open."""

    spans: tuple[Span, ...]
    role: str = ""
    rules: tuple[str, ...] = ()
    export: bool = True
    signs: tuple[tuple[int, str], ...] = ()
    """Where in its text something rests on our reading of which rule; only the export shows it."""

    @property
    def text(self) -> str:
        return "".join(span.text for span in self.spans)

    def as_dict(self) -> dict[str, Any]:
        spans = [span.as_dict() for span in self.spans]
        return {"kind": "paragraph", "role": self.role, "spans": spans, "rules": list(self.rules)}


@dataclass(frozen=True, slots=True)
class Listing:
    """A list of paragraphs, in steps if `ordered`."""

    items: tuple[Paragraph, ...]
    ordered: bool = False

    @property
    def rules(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(rule for item in self.items for rule in item.rules))

    @property
    def export(self) -> bool:
        return any(item.export for item in self.items)

    def as_dict(self) -> dict[str, Any]:
        return {"kind": "list", "ordered": self.ordered, "items": [item.as_dict() for item in self.items]}


@dataclass(frozen=True, slots=True)
class TableBlock:
    """A table made from the edition data; `name` says which one."""

    name: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    rules: tuple[str, ...] = ()
    export: bool = True

    def as_dict(self) -> dict[str, Any]:
        rows = [list(row) for row in self.rows]
        return {"kind": "table", "name": self.name, "head": list(self.head), "rows": rows, "rules": list(self.rules)}


@dataclass(frozen=True, slots=True)
class ExampleBlock:
    """A worked example."""

    example: WorkedExample
    export = False
    rules: tuple[str, ...] = ()

    def as_dict(self) -> dict[str, Any]:
        """Plain data: title, caption, position and marks."""
        return {"kind": "example", **self.example.as_dict()}


Block = Heading | Paragraph | Listing | TableBlock | ExampleBlock


@dataclass(frozen=True, slots=True)
class Entry:
    """An entry of the almanac, in the words of one edition."""

    name: str
    title: str
    short: str
    group: str
    blocks: tuple[Block, ...]
    see: tuple[str, ...]
    """Where to read on."""
    also: tuple[str, ...]
    """What else it is searched by."""
    topic: str | None
    """The topic of the books' almanacs that it answers (ALM-01)."""

    @property
    def rules(self) -> tuple[str, ...]:
        return tuple(sorted({rule for block in self.blocks for rule in block.rules}))

    @property
    def links(self) -> tuple[str, ...]:
        """The entries that it leads to, those to read next last."""
        targets = [span.to for paragraph in self.paragraphs() for span in paragraph.spans if span.to]
        return tuple(dict.fromkeys([*targets, *self.see]))

    def paragraphs(self) -> Iterator[Paragraph]:
        """All paragraphs, those of lists too."""
        for block in self.blocks:
            if isinstance(block, Paragraph):
                yield block
            elif isinstance(block, Listing):
                yield from block.items

    @property
    def text(self) -> str:
        """Its words in a row, for those who count or compare them."""
        return "\n".join(paragraph.text for paragraph in self.paragraphs())

    def as_dict(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "title": self.title,
            "short": self.short,
            "group": self.group,
            "topic": self.topic,
            "blocks": [block.as_dict() for block in self.blocks],
            "see": list(self.see),
            "rules": list(self.rules),
        }
