"""From a draft to an entry: slots filled, conditions judged, words linked to the entries they speak of.

Links are found, not written: the first time an entry mentions another one's topic, that word leads there (ALM-02). The
words that do are the `link` of the entry. A text may also link by hand: `[the phase](set-up-phase)`.

The signs of open points (`†ROBBER-08`) are taken out of the words; the export puts them back where it leaves out the
reading itself.

Lines of a log are linked too, by more words: `log:turn` leads there in all of them, `rolled:rolls 7` in those of that
event (hexholm.game.events). web/src/almanac/terms/termFinder.ts does the same.
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
_SCOPE: Final = re.compile(r"[a-z_]+:")
"""Before a word for logs alone: where it leads to its entry, in every line or in those of an event."""
_SIGN: Final = re.compile(r"†([A-Z]+-\d\d)")
"""Behind words that rest on our reading of a rule."""
LOG: Final = "log"


class EntryWriter:
    """Writes the entries of one edition in one language."""

    def __init__(self, vocabulary: Vocabulary, drafts: Mapping[str, Draft]) -> None:
        self.vocabulary = vocabulary
        self.drafts = {name: draft for name, draft in drafts.items() if vocabulary.holds(draft.when)}
        self.link_targets = self._link_targets()
        self._link_finders: dict[str, LinkFinder] = {}

    def entry(self, name: str) -> Entry:
        draft, linked_entries = self.drafts[name], {name}
        blocks = [self._block(part, linked_entries) for part in draft.templates if self.vocabulary.holds(part.when)]
        return Entry(
            name=name,
            title=self.vocabulary.fill(draft.title),
            short=self.vocabulary.fill(draft.short),
            group=draft.group,
            blocks=tuple(merge_listings(blocks)),
            see=tuple(other for other in draft.see if other in self.drafts),
            also=tuple(self.vocabulary.fill(word) for word in draft.also),
            topic=draft.topic,
        )

    def _block(self, template: Template, linked_entries: set[str]) -> Block:
        if template.kind == "heading":
            return Heading(self.vocabulary.fill(template.text))
        if template.kind == "table":
            table: TableBlock = edition_table(template.text, self.vocabulary)
            return replace(table, export=template.export)
        if template.kind == "example":
            return ExampleBlock(worked_example(template.text, self.vocabulary))
        spans, signs = split_signs(self.link_text(self.vocabulary.fill(template.text), linked_entries))
        paragraph = Paragraph(spans, template.role, template.rules, template.export, signs)
        return paragraph if template.kind == "text" else Listing((paragraph,), ordered=template.kind == "step")

    # --- links ---------------------------------------------------------------------------------------------------

    def _link_targets(self) -> dict[str, str]:
        """Every word that leads to an entry, in small letters; a word belongs to one entry only."""
        targets: dict[str, str] = {}
        for name, draft in self.drafts.items():
            for word in (self.vocabulary.fill(form) for form in draft.link):
                if word:
                    targets.setdefault(word.lower(), name)
        return targets

    def link_text(self, text: str, linked_entries: set[str]) -> tuple[Span, ...]:
        """A text in spans; entries in `linked_entries` are not linked again, those linked here are added to it."""
        spans: list[Span] = []
        offset = 0
        for match in _BY_HAND.finditer(text):
            if match[2] not in self.drafts:  # it only looks like a link
                continue
            spans += self._spans_of(text[offset : match.start()], linked_entries)
            spans.append(Span(match[1], match[2]))
            linked_entries.add(match[2])
            offset = match.end()
        return tuple(span for span in [*spans, *self._spans_of(text[offset:], linked_entries)] if span.text)

    def _spans_of(self, text: str, linked_entries: set[str]) -> Iterable[Span]:
        return self._link_finder("").spans(text, linked_entries)

    def link_line(self, text: str, event: str) -> tuple[Span, ...]:
        """A line of a log in spans; `event` is what it tells of, where that is known. A word is linked once."""
        return tuple(span for span in self._link_finder(event or LOG).spans(text) if span.text)

    def _link_finder(self, scope: str) -> LinkFinder:
        """The words that lead to entries in the almanac (""), in a log, or in its lines of an event."""
        if scope not in self._link_finders:
            targets = {form: target for form, target in self.link_targets.items() if not _SCOPE.match(form)}
            for prefix in (f"{LOG}:", f"{scope}:") if scope else ():  # what is more particular goes before the rest
                targets |= {
                    form.removeprefix(prefix): to for form, to in self.link_targets.items() if form.startswith(prefix)
                }
            self._link_finders[scope] = LinkFinder(targets)
        return self._link_finders[scope]


class LinkFinder:
    """Finds the words that lead to entries."""

    def __init__(self, targets: Mapping[str, str]) -> None:
        self.targets = targets
        forms = sorted(targets, key=len, reverse=True)
        self._pattern = re.compile(rf"(?<![\w:-])(?:{'|'.join(map(re.escape, forms))})(?![\w-])", re.IGNORECASE)

    def spans(self, text: str, linked_entries: set[str] | None = None) -> Iterator[Span]:
        """A text in spans: each entry linked once, if it is not in `linked_entries`; without that each word once."""
        offset, words = 0, set[str]()
        for match in self._pattern.finditer(text):
            word = match[0].lower()
            key, linked_keys = (word, words) if linked_entries is None else (self.targets[word], linked_entries)
            if key in linked_keys:
                continue
            linked_keys.add(key)
            yield Span(text[offset : match.start()])
            yield Span(match[0], self.targets[word])
            offset = match.end()
        yield Span(text[offset:])


def split_signs(spans: Iterable[Span]) -> tuple[tuple[Span, ...], tuple[tuple[int, str], ...]]:
    """Spans without the signs of open points, and where in the text those stood, each with its rule."""
    bare_spans: list[Span] = []
    signs: list[tuple[int, str]] = []
    offset = 0
    for span in spans:
        text = ""
        for number, part in enumerate(_SIGN.split(span.text)):
            if number % 2:
                signs.append((offset + len(text), part))
            else:
                text += part
        offset += len(text)
        bare_spans.append(replace(span, text=text))
    return tuple(span for span in bare_spans if span.text), tuple(signs)


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
