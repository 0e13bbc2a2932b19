"""What the search finds: the paragraphs, items and table rows of an entry, and the sentences that answer in each."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from .blocks import Entry, Heading, Listing, Paragraph, TableBlock
from .wording import Wording

_SENTENCE: Final = re.compile(r"(?<=[.!?])\s+(?=[^\W_])")
EXCERPT: Final = 300
"""The most letters of an excerpt."""

_LABELS: Final = {"box": (1,), "rates": (0, 1), "terrain": (0, 1), "words": (0, 1, 2)}
"""The cells that say what a row is about, by table; elsewhere the first."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence, with its words and terms."""

    text: str
    terms: tuple[str, ...]
    words: frozenset[str]
    counted: frozenset[str]
    """The terms behind a number: what it counts."""


@dataclass(frozen=True, slots=True)
class Passage:
    """A paragraph, an item or a row."""

    block: int
    sentences: tuple[Sentence, ...]
    terms: tuple[str, ...]
    context: frozenset[str]
    """The terms of what stands above it: a heading, the line before a list, the head of a table."""
    role: str = ""
    rules: tuple[str, ...] = ()
    table: str = ""
    leads: bool = False
    """Whether it leads to a list or a table, or is a whole table."""

    def excerpt(self, weights: Mapping[str, float]) -> str:
        """The sentences in a row that say most of what is asked, whole if they fit."""
        if self.table and self.leads:
            return "; ".join(sentence.text for sentence in self.sentences)
        if self.leads:
            return join_sentences(self.sentences)
        best = max(self.sentences, key=lambda sentence: sum(weights.get(term, 0) for term in set(sentence.terms)))
        return join_sentences(self.sentences, self.sentences.index(best))


def join_sentences(sentences: Sequence[Sentence], chosen: int = 0) -> str:
    """A sentence and what fits around it: what follows it first, then what precedes."""
    texts = [sentence.text for sentence in sentences]
    if len(texts[chosen]) > EXCERPT:
        return texts[chosen][: EXCERPT - 4].rsplit(" ", 1)[0] + " ..."
    begin = end = chosen
    while True:
        if end + 1 < len(texts) and len(" ".join(texts[begin : end + 2])) <= EXCERPT:
            end += 1
        elif begin and len(" ".join(texts[begin - 1 : end + 1])) <= EXCERPT:
            begin -= 1
        else:
            return " ".join(texts[begin : end + 1])


def passages_of(entry: Entry, wording: Wording) -> Iterator[Passage]:
    """The passages of an entry, in its order."""
    heading, lead = frozenset[str](), frozenset[str]()
    for number, block in enumerate(entry.blocks):
        match block:
            case Heading():
                heading, lead = frozenset(wording.terms(block.text)), frozenset()
            case Paragraph():
                following = entry.blocks[number + 1] if number + 1 < len(entry.blocks) else None
                leads = block.text.endswith(":") and isinstance(following, Listing | TableBlock)
                items = following.items if leads and isinstance(following, Listing) else ()
                yield _passage(wording, number, [block, *items], heading, leads=leads)
                lead = frozenset(wording.terms(block.text)) if leads else frozenset()
            case Listing():
                for item in block.items:
                    yield _passage(wording, number, [item], heading | lead)
            case TableBlock():
                context = heading | lead | frozenset(wording.terms(" ".join(block.head)))
                rows = [_row(wording, block, row) for row in block.rows]
                if rows and len("; ".join(row.text for row in rows)) <= EXCERPT:
                    yield Passage(number, tuple(rows), (), context, rules=block.rules, table=block.name, leads=True)
                for row, sentence in zip(block.rows, rows, strict=True):
                    beside = frozenset(wording.terms(" ".join(row))) - set(sentence.terms)
                    yield Passage(
                        number, (sentence,), sentence.terms, context | beside, rules=block.rules, table=block.name
                    )
            case _:
                pass


def _row(wording: Wording, table: TableBlock, row: tuple[str, ...]) -> Sentence:
    """A row in a line; its terms are those of what it is about."""
    label = " ".join(row[number] for number in _LABELS.get(table.name, (0,)))
    text = wording.rows[table.name].format(*row)
    return Sentence(text, tuple(wording.terms(label)), frozenset(), _counted(wording, wording.terms(text)))


def _sentence(wording: Wording, text: str) -> Sentence:
    terms = tuple(wording.terms(text))
    return Sentence(text, terms, frozenset(wording.kept_words(text)), _counted(wording, terms))


def _counted(wording: Wording, terms: Sequence[str]) -> frozenset[str]:
    """The terms that come behind a number, but for those that say little: `19 cards of each resource`."""
    counted, number = set(), False
    for term in terms:
        if term.isdigit():
            number = True
        elif term not in wording.light:
            counted.update([term] if number else [])
            number = False
    return frozenset(counted)


def _passage(
    wording: Wording, number: int, paragraphs: list[Paragraph], context: frozenset[str], *, leads: bool = False
) -> Passage:
    texts = [text for paragraph in paragraphs for text in _SENTENCE.split(paragraph.text)]
    sentences = tuple(_sentence(wording, text) for text in texts)
    return Passage(
        block=number,
        sentences=sentences,
        terms=tuple(term for sentence in sentences for term in sentence.terms),
        context=context,
        role=paragraphs[0].role,
        rules=paragraphs[0].rules,
        leads=leads,
    )
