"""What the search finds: the paragraphs, items and table rows of an entry, and the sentences that answer in each."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from .blocks import Entry, Heading, Listing, Paragraph, TableBlock
from .search_language import SearchLanguage

_SENTENCE: Final = re.compile(r"(?<=[.!?])\s+(?=[^\W_])")
EXCERPT: Final = 300
"""The most letters of an excerpt."""

_LABELS: Final = {"box": (1,), "rates": (0, 1), "terrain": (0, 1), "words": (0, 1, 2)}
"""The cells that say what a row is about, by table; elsewhere the first."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence, with its words and stems."""

    text: str
    stems: tuple[str, ...]
    words: frozenset[str]
    counted: frozenset[str]
    """The stems behind a number: what it counts."""


@dataclass(frozen=True, slots=True)
class Passage:
    """A paragraph, an item or a row."""

    block: int
    sentences: tuple[Sentence, ...]
    stems: tuple[str, ...]
    context: frozenset[str]
    """The stems of what stands above it: a heading, the line before a list, the head of a table."""
    role: str = ""
    """As in a paragraph; "note" is a reading that speaks only of the books."""
    rules: tuple[str, ...] = ()
    table: str = ""
    leads: bool = False
    """Whether it leads to a list or a table, or is a whole table."""

    def excerpt(self, weights: Mapping[str, float]) -> str:
        """The sentences in a row that say most of what is asked, whole if they fit."""
        if self.table and self.leads:
            return "; ".join(sentence.text for sentence in self.sentences).replace(":; ", ": ")
        if self.leads:
            return join_sentences(self.sentences)
        best = max(self.sentences, key=lambda sentence: sum(weights.get(stem, 0) for stem in set(sentence.stems)))
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


def passages_of(entry: Entry, language: SearchLanguage) -> Iterator[Passage]:
    """The passages of an entry, in its order."""
    heading, lead = frozenset[str](), frozenset[str]()
    table_lead: tuple[Sentence, ...] = ()
    for number, block in enumerate(entry.blocks):
        match block:
            case Heading():
                heading, lead = frozenset(language.stems(block.text)), frozenset()
            case Paragraph():
                following = entry.blocks[number + 1] if number + 1 < len(entry.blocks) else None
                leads = block.text.endswith(":") and isinstance(following, Listing | TableBlock)
                items = following.items if leads and isinstance(following, Listing) else ()
                passage = _passage(language, number, [block, *items], heading, leads=leads)
                lead = frozenset(language.stems(block.text)) if leads else frozenset()
                table_lead = passage.sentences if leads and isinstance(following, TableBlock) else ()
                if not table_lead:
                    yield passage
            case Listing():
                for item in block.items:
                    yield _passage(language, number, [item], heading | lead)
            case TableBlock():
                context = heading | lead | frozenset(language.stems(" ".join(block.head)))
                rows = [_row(language, block, row) for row in block.rows]
                whole = Passage(
                    number, (*table_lead, *rows), (), context, rules=block.rules, table=block.name, leads=True
                )
                if rows and len(whole.excerpt({})) <= EXCERPT:
                    yield whole
                for row, sentence in zip(block.rows, rows, strict=True):
                    beside = frozenset(language.stems(" ".join(row))) - set(sentence.stems)
                    yield Passage(
                        number, (sentence,), sentence.stems, context | beside, rules=block.rules, table=block.name
                    )
            case _:
                pass


def _row(language: SearchLanguage, table: TableBlock, row: tuple[str, ...]) -> Sentence:
    """A row in a line; its stems are those of what it is about."""
    label = " ".join(row[number] for number in _LABELS.get(table.name, (0,)))
    text = language.rows[table.name].format(*row)
    return Sentence(text, tuple(language.stems(label)), frozenset(), _counted(language, language.stems(text)))


def _sentence(language: SearchLanguage, text: str) -> Sentence:
    stems = tuple(language.stems(text))
    return Sentence(text, stems, frozenset(language.kept_words(text)), _counted(language, stems))


def _counted(language: SearchLanguage, stems: Sequence[str]) -> frozenset[str]:
    """The stems that come behind a number, but for those that say little: `19 cards of each resource`."""
    counted, number = set(), False
    for stem in stems:
        if stem.isdigit():
            number = True
        elif stem not in language.light:
            counted.update([stem] if number else [])
            number = False
    return frozenset(counted)


def _passage(
    language: SearchLanguage, number: int, paragraphs: list[Paragraph], context: frozenset[str], *, leads: bool = False
) -> Passage:
    texts = [text for paragraph in paragraphs for text in _SENTENCE.split(paragraph.text)]
    sentences = tuple(_sentence(language, text) for text in texts)
    return Passage(
        block=number,
        sentences=sentences,
        stems=tuple(stem for sentence in sentences for stem in sentence.stems),
        context=context,
        role="note" if paragraphs[0].role == "reading" and not paragraphs[0].export else paragraphs[0].role,
        rules=paragraphs[0].rules,
        leads=leads,
    )
