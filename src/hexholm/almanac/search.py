"""Search: by title, by what else a thing is called in any edition, by the words of the text, in any of their forms.

A word is cut to its stem (`tied`, `ties`, `tie`), umlauts are vowels, parts of long words count half, and a word that
stands nowhere is taken for the nearest one that does. Whoever names a rule finds the entries that explain it.
"""

from __future__ import annotations

import difflib
import math
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from .blocks import Entry, Heading, Listing, Paragraph
from .drafts import read_almanac_data

_WORD: Final = re.compile(r"\w+(?::\d)?")
_RULE: Final = re.compile(r"([A-Za-z]+)-0*(\d{1,2})")
_TITLE, _ALSO, _HEADING, _TEXT = 10.0, 7.0, 5.0, 1.5
_PHRASE = 30.0
_EXCERPT: Final = 240
MOST_WORDS: Final = 8
"""Words that are searched for; those after them are left out."""


@dataclass(frozen=True, slots=True)
class Hit:
    """An entry that was found, with the place in it that fits best."""

    entry: str
    title: str
    excerpt: str
    block: int
    """The number of the block the excerpt is from."""
    rules: tuple[str, ...]
    score: float

    def as_dict(self) -> dict[str, Any]:
        fields = {"entry": self.entry, "title": self.title, "excerpt": self.excerpt, "block": self.block}
        return {**fields, "rules": list(self.rules), "score": round(self.score, 2)}


@dataclass(frozen=True, slots=True)
class _IndexedParagraph:
    """A paragraph, with the heading above it."""

    block: int
    paragraph: Paragraph
    stems: frozenset[str]
    heading_stems: frozenset[str]


@dataclass(frozen=True, slots=True)
class _IndexedEntry:
    """An entry as the search sees it."""

    entry: Entry
    title: frozenset[str]
    also: frozenset[str]
    phrases: frozenset[tuple[str, ...]]
    paragraphs: tuple[_IndexedParagraph, ...]
    headings: frozenset[str]
    texts: frozenset[str]

    def stems(self) -> frozenset[str]:
        return self.title | self.also | self.headings | self.texts


class Index:
    """The entries of one almanac, ready to be searched."""

    def __init__(self, entries: Sequence[Entry], titles: Mapping[str, Iterable[str]], language: str) -> None:
        """`titles` are the titles of each entry in all editions."""
        settings = read_almanac_data(f"{language}/search")
        self._endings, self._shortest, self._empty = (
            settings["endings"],
            settings["shortest"],
            frozenset(settings["empty"].split()),
        )
        self._pages = [self._page(entry, titles[entry.name]) for entry in entries]
        self._stem_counts = Counter(stem for page in self._pages for stem in page.stems())

    def search(self, text: str, limit: int = 10) -> list[Hit]:
        if match := _RULE.fullmatch(text.strip().strip("()[]")):
            return self._hits_for_rule(f"{match[1].upper()}-{int(match[2]):02}")
        typed_stems = self.stems(text)[:MOST_WORDS]
        if not typed_stems:
            return []
        stems = [self._nearest_stem(stem) for stem in typed_stems]
        hits = [hit for page in self._pages if (hit := self._hit(page, stems)) is not None]
        return sorted(hits, key=lambda hit: -hit.score)[:limit]

    def stems(self, text: str) -> list[str]:
        """The stems of the words that say something."""
        words = _WORD.findall(fold_accents(text))
        meaningful = [word for word in words if word not in self._empty]
        return [self._stem(word) for word in meaningful or words]

    # --- inside --------------------------------------------------------------------------------------------------

    def _page(self, entry: Entry, titles: Iterable[str]) -> _IndexedEntry:
        paragraphs, heading_stems = [], frozenset[str]()
        for number, block in enumerate(entry.blocks):
            if isinstance(block, Heading):
                heading_stems = frozenset(self.stems(block.text))
            elif isinstance(block, Paragraph):
                paragraphs.append(_IndexedParagraph(number, block, frozenset(self.stems(block.text)), heading_stems))
            elif isinstance(block, Listing):
                paragraphs += [
                    _IndexedParagraph(number, item, frozenset(self.stems(item.text)), heading_stems)
                    for item in block.items
                ]
        names = [entry.title, *titles, *entry.also]
        return _IndexedEntry(
            entry=entry,
            title=frozenset(self.stems(entry.title)),
            also=frozenset(stem for name in names for stem in self.stems(name)),
            phrases=frozenset(tuple(self.stems(name)) for name in names),
            paragraphs=tuple(paragraphs),
            headings=frozenset(stem for indexed in paragraphs for stem in indexed.heading_stems),
            texts=frozenset(stem for indexed in paragraphs for stem in indexed.stems),
        )

    def _stem(self, word: str) -> str:
        for ending in self._endings:
            if word.endswith(ending) and len(word) - len(ending) >= self._shortest:
                return word.removesuffix(ending)
        return word

    def _nearest_stem(self, stem: str) -> str:
        """The stem itself, or the nearest one if it stands nowhere."""
        if stem in self._stem_counts or any(stem in longer for longer in self._stem_counts if len(stem) > 3):
            return stem
        nearest = difflib.get_close_matches(stem, self._stem_counts, n=1, cutoff=0.75)
        return nearest[0] if nearest else stem

    def _weight(self, stem: str) -> float:
        return math.log(1 + len(self._pages) / (self._stem_counts[stem] or 1))

    def _hit(self, page: _IndexedEntry, stems: list[str]) -> Hit | None:
        matched, score = 0, 0.0
        for stem in stems:
            weight = self._weight(stem)
            best = max(
                _TITLE * _match(stem, page.title),
                _ALSO * _match(stem, page.also),
                _HEADING * _match(stem, page.headings),
                _TEXT * _match(stem, page.texts),
            )
            matched += best > 0
            score += weight * best
        if not matched:
            return None
        score *= (matched / len(stems)) ** 2
        score += _PHRASE * (tuple(stems) in page.phrases)
        indexed = max(page.paragraphs, key=lambda indexed: self._nearness(indexed, stems), default=None)
        if indexed is None:
            return Hit(page.entry.name, page.entry.title, page.entry.short, 0, (), score)
        excerpt = _excerpt(indexed.paragraph.text) if self._nearness(indexed, stems) else page.entry.short
        score += self._nearness(indexed, stems)
        return Hit(page.entry.name, page.entry.title, excerpt, indexed.block, indexed.paragraph.rules, score)

    def _nearness(self, indexed: _IndexedParagraph, stems: list[str]) -> float:
        """How well a paragraph answers; the words above it count half."""
        return sum(
            self._weight(stem) * max(_match(stem, indexed.stems), 0.5 * _match(stem, indexed.heading_stems))
            for stem in stems
        )

    def _hits_for_rule(self, rule: str) -> list[Hit]:
        hits = []
        for page in self._pages:
            indexed = next((indexed for indexed in page.paragraphs if rule in indexed.paragraph.rules), None)
            if indexed is not None:
                excerpt = _excerpt(indexed.paragraph.text)
                hits.append(
                    Hit(page.entry.name, page.entry.title, excerpt, indexed.block, indexed.paragraph.rules, 1.0)
                )
        return hits


def fold_accents(text: str) -> str:
    """Small letters without accents; the German sharp s as two."""
    decomposed = unicodedata.normalize("NFKD", text.replace("ß", "ss").lower())
    return "".join(letter for letter in decomposed if not unicodedata.combining(letter))


def _match(stem: str, stems: frozenset[str]) -> float:
    """1 for the stem itself, half for a word that it is a part of."""
    if stem in stems:
        return 1.0
    return 0.5 if len(stem) > 3 and any(stem in longer for longer in stems) else 0.0


def _excerpt(text: str) -> str:
    if len(text) <= _EXCERPT:
        return text
    return text[:_EXCERPT].rsplit(" ", 1)[0] + " ..."
