"""From a draft to an entry: slots filled, conditions judged, words linked to the entries they speak of.

Links are found, not written: the first time an entry mentions another one's topic, that word leads there (ALM-02). The
words that do are the `link` of the entry. A text may also link by hand: `[the phase](set-up-phase)`.

The signs of open points (`†ROBBER-08`) are taken out of the words; the export puts them back where it leaves out the
reading itself.

Lines of a log are linked too, by more words: `log:turn` leads there in all of them, `rolled:rolls 7` in those of that
event (hexholm.game.events). web/src/almanac/termFinder.ts does the same.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Final

from .blocks import Block, Entry, ExampleBlock, Heading, Listing, Paragraph, Span, TableBlock
from .drafts import Draft, Template
from .edition_tables import edition_table
from .vocabulary import Vocabulary
from .worked_examples import worked_example

_BY_HAND: Final = re.compile(r"\[([^\]]+)\]\(([a-z0-9-]+)\)")
_WHERE: Final = re.compile(r"[a-z_]+:")
"""Before a word for logs alone: where it leads to its entry, in every line or in those of an event."""
_SIGN: Final = re.compile(r"†([A-Z]+-\d\d)")
"""Behind words that rest on our reading of a rule."""
LOG: Final = "log"


class EntryWriter:
    """Writes the entries of one edition in one language."""

    def __init__(self, words: Vocabulary, drafts: Mapping[str, Draft]) -> None:
        self.words = words
        self.drafts = {name: draft for name, draft in drafts.items() if words.holds(draft.when)}
        self.targets = self._words_that_link()
        self._mentions: dict[str, Mentions] = {}

    def entry(self, name: str) -> Entry:
        draft, taken = self.drafts[name], {name}
        blocks = [self._block(part, taken) for part in draft.templates if self.words.holds(part.when)]
        return Entry(
            name=name,
            title=self.words.fill(draft.title),
            short=self.words.fill(draft.short),
            group=draft.group,
            blocks=tuple(merge_listings(blocks)),
            see=tuple(other for other in draft.see if other in self.drafts),
            also=tuple(self.words.fill(word) for word in draft.also),
            topic=draft.topic,
        )

    def _block(self, part: Template, taken: set[str]) -> Block:
        if part.kind == "heading":
            return Heading(self.words.fill(part.text))
        if part.kind == "table":
            made: TableBlock = edition_table(part.text, self.words)
            return replace(made, export=part.export)
        if part.kind == "example":
            return ExampleBlock(worked_example(part.text, self.words))
        spans, signs = split_signs(self.linked(self.words.fill(part.text), taken))
        written = Paragraph(spans, part.role, part.rules, part.export, signs)
        return written if part.kind == "text" else Listing((written,), ordered=part.kind == "step")

    # --- links ---------------------------------------------------------------------------------------------------

    def _words_that_link(self) -> dict[str, str]:
        """Every word that leads to an entry, in small letters; a word belongs to one entry only."""
        found: dict[str, str] = {}
        for name, draft in self.drafts.items():
            for word in (self.words.fill(form) for form in draft.link):
                if word:
                    found.setdefault(word.lower(), name)
        return found

    def linked(self, text: str, taken: set[str]) -> tuple[Span, ...]:
        """A text in spans; entries in `taken` are not linked again, those linked here are added to it."""
        spans: list[Span] = []
        at = 0
        for found in _BY_HAND.finditer(text):
            if found[2] not in self.drafts:  # it only looks like a link
                continue
            spans += self._found(text[at : found.start()], taken)
            spans.append(Span(found[1], found[2]))
            taken.add(found[2])
            at = found.end()
        return tuple(span for span in [*spans, *self._found(text[at:], taken)] if span.text)

    def _found(self, text: str, taken: set[str]) -> Iterable[Span]:
        return self._at("").spans(text, taken)

    def line(self, text: str, event: str) -> tuple[Span, ...]:
        """A line of a log in spans; `event` is what it tells of, where that is known. A word is linked once."""
        return tuple(span for span in self._at(event or LOG).spans(text) if span.text)

    def _at(self, where: str) -> Mentions:
        """The words that lead to entries in the almanac (""), in a log, or in its lines of an event."""
        if where not in self._mentions:
            targets = {form: target for form, target in self.targets.items() if not _WHERE.match(form)}
            for scope in (f"{LOG}:", f"{where}:") if where else ():  # what is more particular goes before the rest
                targets |= {form.removeprefix(scope): to for form, to in self.targets.items() if form.startswith(scope)}
            self._mentions[where] = Mentions(targets)
        return self._mentions[where]


class Mentions:
    """Finds the words that lead to entries."""

    def __init__(self, targets: Mapping[str, str]) -> None:
        self.targets = targets
        forms = sorted(targets, key=len, reverse=True)
        self._mention = re.compile(rf"(?<![\w:-])(?:{'|'.join(map(re.escape, forms))})(?![\w-])", re.IGNORECASE)

    def spans(self, text: str, taken: set[str] | None = None) -> Iterator[Span]:
        """A text in spans: each entry linked once, if it is not in `taken`; without that each word once."""
        at, words = 0, set[str]()
        for found in self._mention.finditer(text):
            word = found[0].lower()
            key, done = (word, words) if taken is None else (self.targets[word], taken)
            if key in done:
                continue
            done.add(key)
            yield Span(text[at : found.start()])
            yield Span(found[0], self.targets[word])
            at = found.end()
        yield Span(text[at:])


def split_signs(spans: Iterable[Span]) -> tuple[tuple[Span, ...], tuple[tuple[int, str], ...]]:
    """Spans without the signs of open points, and where in the text those stood, each with its rule."""
    bare: list[Span] = []
    signs: list[tuple[int, str]] = []
    at = 0
    for span in spans:
        said = ""
        for number, part in enumerate(_SIGN.split(span.text)):
            if number % 2:
                signs.append((at + len(said), part))
            else:
                said += part
        at += len(said)
        bare.append(replace(span, text=said))
    return tuple(span for span in bare if span.text), tuple(signs)


def merge_listings(blocks: Iterable[Block]) -> Iterable[Block]:
    """Items that follow each other as one list."""
    open_list: Listing | None = None
    for block in blocks:
        if isinstance(block, Listing):
            if open_list is not None and open_list.ordered == block.ordered:
                open_list = Listing(open_list.items + block.items, block.ordered)
                continue
            if open_list is not None:
                yield open_list
            open_list = block
            continue
        if open_list is not None:
            yield open_list
            open_list = None
        yield block
    if open_list is not None:
        yield open_list
