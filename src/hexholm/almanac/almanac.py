"""The almanac of one edition in one language: entries, search, rules, comparison, export; plain data out.

>>> from hexholm.almanac import Almanac
>>> book = Almanac("zip", language="de")
>>> book.entry("development-cards").title
'Entwicklungsplättchen'
>>> Almanac("fifth").entry("longest-rode")
Traceback (most recent call last):
hexholm.almanac.almanac.UnknownEntry: the almanac has no entry 'longest-rode'; near: longest-road
"""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from hexholm.older_names import with_older_names
from hexholm.rules.catalogue import Rule, rule_by_id
from hexholm.rules.errors import BadInput
from hexholm.rules.setup.editions import DEFAULT_EDITION, EDITIONS, Edition, edition
from hexholm.rules.setup.options import Options

from .blocks import Entry, Span
from .comparison import ComparisonRow, compare, edition_value
from .document import Document, rules_document
from .drafts import read_drafts
from .entry_writer import EntryWriter
from .search import Hit, SearchIndex
from .vocabulary import Vocabulary
from .worked_examples import WorkedExample, worked_example


class UnknownEntry(BadInput):
    """No entry has this name; `near` are names that are like it."""

    def __init__(self, name: str, near: Sequence[str]) -> None:
        hint = f"near: {', '.join(near)}" if near else "entries() has them all"
        super().__init__(f"the almanac has no entry {name!r}; {hint}")
        self.name, self.near = name, tuple(near)

    def __reduce__(self) -> tuple[Any, ...]:
        return UnknownEntry, (self.name, self.near)


@dataclass(frozen=True, slots=True)
class ExplainedRule:
    """A rule of the catalogue with the entries that explain it, and the values it reads, by edition."""

    rule: Rule
    entries: tuple[str, ...]
    values: Mapping[str, Mapping[str, str]]
    """By the name of the value: by edition, in words."""

    def as_dict(self) -> dict[str, Any]:
        return {
            "id": self.rule.id,
            "kind": self.rule.kind,
            "rule": self.rule.text,
            "editions": list(self.rule.editions),
            "differs": dict(self.rule.differs),
            "entries": list(self.entries),
            "values": {key: dict(values) for key, values in self.values.items()},
        }


@with_older_names(
    book="edition_data", explained="entries_by_rule", index="alphabet", linked="link_line", terms="link_targets"
)
class Almanac:
    """The rules of one edition in words."""

    def __init__(
        self, book: str | Edition = DEFAULT_EDITION, language: str = "en", options: Options | None = None
    ) -> None:
        """`book` is the name of an edition, or edition data of your own; `options` is what a table plays by."""
        self.edition_data = edition(book) if isinstance(book, str) else book
        self.language = language
        self.vocabulary = Vocabulary(self.edition_data, language, options)
        self._writer = EntryWriter(self.vocabulary, read_drafts(language))
        self._entries: dict[str, Entry] = {}

    @property
    def title(self) -> str:
        """The edition's title in the language."""
        return self.vocabulary.word("title")

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all entries, in the order in which they are best read."""
        return tuple(self._writer.drafts)

    def entries(self) -> list[Entry]:
        """All entries, in the order in which they are best read."""
        return [self._entry(name) for name in self.names]

    def alphabet(self) -> list[tuple[str, str]]:
        """The titles of all entries in the order of the alphabet, each with the name of its entry (ALM-01)."""
        return sorted(((self._entry(name).title, name) for name in self.names), key=lambda pair: pair[0].lower())

    def groups(self) -> dict[str, tuple[str, ...]]:
        """The names of the entries by the title of their group."""
        groups: dict[str, list[str]] = {}
        for name, draft in self._writer.drafts.items():
            groups.setdefault(self.vocabulary.fill(self.vocabulary.texts["group"][draft.group]), []).append(name)
        return {title: tuple(names) for title, names in groups.items()}

    def entry(self, name: str) -> Entry:
        """The entry of that name, with that title in any edition, or the only one that is also called so.

        Raises UnknownEntry with what is near.
        """
        key = _entry_name(name)
        if key in self._writer.drafts:
            return self._entry(key)
        titles = self._titles
        for candidate, entry_titles in titles.items():
            if key in map(_entry_name, entry_titles):
                return self._entry(candidate)
        matches = [candidate for candidate in self.names if key in map(_entry_name, self._entry(candidate).also)]
        if len(matches) == 1:
            return self._entry(matches[0])
        candidates_by_word = {
            _entry_name(word): candidate
            for candidate, entry_titles in titles.items()
            for word in (candidate, *entry_titles)
        }
        near = [
            candidates_by_word[word] for word in difflib.get_close_matches(key, candidates_by_word, n=5, cutoff=0.7)
        ]
        if not near:
            near = [hit.entry for hit in self.search(name, limit=3)]
        raise UnknownEntry(name, tuple(dict.fromkeys(near))[:3])

    def search(self, text: str, limit: int = 10) -> list[Hit]:
        """The entries that fit a text, best first, each with the place in it that fits best."""
        return self._search_index.search(text, limit)

    def rule(self, id: str) -> ExplainedRule:  # noqa: A002 (the word of the catalogue)
        """A rule with the entries that explain it, and the values it reads in every edition."""
        rule = rule_by_id(id, self.edition_data.name)
        entries = tuple(entry.name for entry in self.entries() if id in entry.rules)
        vocabularies = [Vocabulary(edition(name), self.language) for name in EDITIONS]
        values = {
            key: {vocabulary.edition_data.name: edition_value(key, vocabulary) for vocabulary in vocabularies}
            for key in rule.keys
        }
        return ExplainedRule(rule, entries, values)

    def entries_by_rule(self) -> dict[str, tuple[str, ...]]:
        """By rule, the entries that explain it: those first that say most of its chapter, overviews last."""
        entries_explaining: dict[str, list[Entry]] = {}
        for entry in self.entries():
            for rule in entry.rules:
                entries_explaining.setdefault(rule, []).append(entry)

        def fit(rule: str, entry: Entry) -> tuple[bool, int]:
            chapter = rule.partition("-")[0] + "-"
            return entry.group == "start", -sum(other_rule.startswith(chapter) for other_rule in entry.rules)

        return {
            rule: tuple(entry.name for entry in sorted(entries, key=lambda entry: fit(rule, entry)))
            for rule, entries in sorted(entries_explaining.items())
        }

    @property
    def link_targets(self) -> Mapping[str, str]:
        """The words that lead to entries, in small letters, as :meth:`link_line` finds them.

        Those for a log alone begin with `log:`, those for its lines of one event with the name of that.
        """
        return self._writer.link_targets

    def link_line(self, text: str, event: str = "") -> tuple[Span, ...]:
        """A line of a log with its words linked to the entries they speak of; `event` is the event it tells of.

        Without the event, words that mean one thing here and another there lead nowhere: the 7 of a roll is one.
        """
        return self._writer.link_line(text, event)

    def example(self, name: str) -> WorkedExample:
        return worked_example(name, self.vocabulary)

    def compare(self, editions: Sequence[str] = EDITIONS) -> list[ComparisonRow]:
        """Editions side by side; what is compared is named in the words of this almanac."""
        return compare([edition(name) for name in editions], self.vocabulary)

    def document(self) -> Document:
        """The rules in one document for assistants, as data."""
        return rules_document(self.vocabulary, {entry.name: entry for entry in self.entries()})

    def export(self, form: str = "markdown") -> str:
        """The same as text: "markdown" or "json" (EXP-01 to EXP-05)."""
        match form:
            case "markdown":
                return self.document().markdown()
            case "json":
                return self.document().json()
        raise BadInput(f"there is no export as {form!r}; it is markdown or json")

    def as_dict(self) -> dict[str, Any]:
        """The whole almanac as plain data, fit for JSON."""
        return {
            "edition": self.edition_data.name,
            "title": self.title,
            "language": self.language,
            "groups": [{"title": title, "entries": list(names)} for title, names in self.groups().items()],
            "entries": [entry.as_dict() for entry in self.entries()],
        }

    # --- inside --------------------------------------------------------------------------------------------------

    def _entry(self, name: str) -> Entry:
        if name not in self._entries:
            self._entries[name] = self._writer.entry(name)
        return self._entries[name]

    @cached_property
    def _titles(self) -> dict[str, tuple[str, ...]]:
        """The titles of every entry, in all editions."""
        vocabularies = [Vocabulary(edition(name), self.language) for name in EDITIONS]
        return {
            name: tuple(dict.fromkeys(vocabulary.fill(draft.title) for vocabulary in (self.vocabulary, *vocabularies)))
            for name, draft in self._writer.drafts.items()
        }

    @cached_property
    def _search_index(self) -> SearchIndex:
        return SearchIndex(self.entries(), self._titles, self.language)


def _entry_name(name: str) -> str:
    """A name or a title as names are written."""
    return "-".join(name.strip().lower().replace("_", " ").replace("-", " ").split())
