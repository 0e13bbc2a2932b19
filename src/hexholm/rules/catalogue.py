"""The catalogue: every rule of the five rule books with a number, in our own words.

The data lie in `data/rules.yaml` and are read on first use, in the words of an edition: `{harbor}` there is a port in
Zip!. Where no edition is named, they are those of the usual one. A rule is named `SEVEN-02`, its worked examples
`SEVEN-02.x1`, its edge cases `SEVEN-02.e1`; an edge `SEVEN-02.s1` is due with the browser or the almanac. Tests name
what they show by these names; refusals and the almanac refer to them.
"""

from __future__ import annotations

import difflib
import functools
import re
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import resources
from types import MappingProxyType
from typing import Any, Final, Literal

from .errors import BadInput
from .language.sentences import fill_words
from .setup.editions import DEFAULT_EDITION, EDITIONS

RuleKind = Literal["play", "data", "words", "screen"]


_DOCUMENT: Final = re.compile(rf"\b00([0-{len(EDITIONS) - 1}])\b")


class UnknownRule(BadInput):
    """No rule of the catalogue has this id."""


@dataclass(frozen=True, slots=True)
class Example:
    """A worked example of a rule book, restated."""

    source: str
    given: str
    when: str
    then: str


@dataclass(frozen=True, slots=True)
class OpenPoint:
    """Where the books are unclear or silent: what is unclear, the reading adopted, and why."""

    issue: str
    adopt: str
    why: str


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule. `editions` are those whose text states it; `keys` name the edition data that it reads."""

    id: str
    kind: RuleKind
    text: str
    editions: tuple[str, ...]
    differs: Mapping[str, str]  # edition: what it says differently or adds
    examples: Mapping[str, Example]  # x1, x2 ...
    edges: Mapping[str, str]  # e1, e2 ... and s1, s2 ...
    open: OpenPoint | None
    keys: tuple[str, ...]

    @property
    def chapter(self) -> str:
        """The part of the id before the number: `SEVEN`."""
        return self.id.rpartition("-")[0]

    @property
    def names(self) -> tuple[str, ...]:
        """All that a test can name: the id, its examples and its edges."""
        return (self.id, *(f"{self.id}.{part}" for part in (*self.examples, *self.edges)))


def catalogue_rules(edition_name: str | None = None) -> tuple[Rule, ...]:
    """All rules, in the order of the catalogue and in the words of an edition."""
    return tuple(_rules_by_id(edition_name or DEFAULT_EDITION).values())


def rule_by_id(id: str, edition_name: str | None = None) -> Rule:  # noqa: A002 (the word of the catalogue)
    """The rule with this id, in the words of an edition. Raises UnknownRule, which names the nearest ids."""
    rules = _rules_by_id(edition_name or DEFAULT_EDITION)
    try:
        return rules[id]
    except KeyError:
        near = difflib.get_close_matches(id.upper(), rules, n=3)
        hint = f"; near: {', '.join(near)}" if near else ""
        raise UnknownRule(f"no rule has the id {id!r}{hint}") from None


def book_of(source: str) -> str | None:
    """The edition of a source as the catalogue names it: `002 example` is of fifth."""
    match = _DOCUMENT.match(source)
    return EDITIONS[int(match[1])] if match else None


@functools.cache
def _read_data() -> tuple[Mapping[str, Any], ...]:
    import yaml

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # ten times faster where libyaml is there
    text = resources.files("hexholm.rules").joinpath("data", "rules.yaml").read_text(encoding="utf-8")
    return tuple(yaml.load(text, Loader=loader)["rules"])  # noqa: S506 (both are safe loaders)


@functools.cache
def _rules_by_id(edition_name: str) -> Mapping[str, Rule]:
    return MappingProxyType({entry["id"]: _read_rule(entry, edition_name) for entry in _read_data()})


def _read_rule(entry: Mapping[str, Any], edition_name: str) -> Rule:
    """A rule in the words of an edition; what one book says or shows, in the words of that book."""

    def filled(texts: Mapping[str, str], words: str = edition_name) -> dict[str, str]:
        return {key: fill_words(text, words) for key, text in texts.items()}

    examples = {
        name: Example(**filled(example, book_of(example["source"]) or edition_name))
        for name, example in entry.get("examples", {}).items()
    }
    return Rule(
        id=entry["id"],
        kind=entry["kind"],
        text=fill_words(entry["rule"], edition_name),
        editions=tuple(entry["editions"]),
        differs=MappingProxyType({name: fill_words(text, name) for name, text in entry.get("differs", {}).items()}),
        examples=MappingProxyType(examples),
        edges=MappingProxyType(filled(entry.get("edge", {}))),
        open=OpenPoint(**filled(entry["open"])) if "open" in entry else None,
        keys=tuple(entry.get("ruleset_keys", ())),
    )
