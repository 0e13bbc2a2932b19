"""The catalogue: every rule of the five rule books with a number, in our own words.

The data lie in `data/rules.yaml` and are read on first use. A rule is named `SEVEN-02`, its worked examples
`SEVEN-02.x1`, its edge cases `SEVEN-02.e1`; an edge `SEVEN-02.s1` is due with the browser or the almanac. Tests name
what they show by these names; refusals and the almanac refer to them.
"""

from __future__ import annotations

import difflib
import functools
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import resources
from types import MappingProxyType
from typing import Any, Literal

from .errors import BadInput

RuleKind = Literal["play", "data", "words", "screen"]


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


def catalogue_rules() -> tuple[Rule, ...]:
    """All rules, in the order of the catalogue."""
    return tuple(_rules_by_id().values())


def rule_by_id(id: str) -> Rule:  # noqa: A002 (the word of the catalogue)
    """The rule with this id. Raises UnknownRule, which names the nearest ids."""
    try:
        return _rules_by_id()[id]
    except KeyError:
        near = difflib.get_close_matches(id.upper(), _rules_by_id(), n=3)
        hint = f"; near: {', '.join(near)}" if near else ""
        raise UnknownRule(f"no rule has the id {id!r}{hint}") from None


@functools.cache
def _rules_by_id() -> Mapping[str, Rule]:
    import yaml

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # ten times faster where libyaml is there
    text = resources.files("hexholm.rules").joinpath("data", "rules.yaml").read_text(encoding="utf-8")
    data = yaml.load(text, Loader=loader)  # noqa: S506 (both are safe loaders)
    return MappingProxyType({entry["id"]: _read_rule(entry) for entry in data["rules"]})


def _read_rule(entry: Mapping[str, Any]) -> Rule:
    examples = {name: Example(**example) for name, example in entry.get("examples", {}).items()}
    return Rule(
        id=entry["id"],
        kind=entry["kind"],
        text=entry["rule"],
        editions=tuple(entry["editions"]),
        differs=MappingProxyType(entry.get("differs", {})),
        examples=MappingProxyType(examples),
        edges=MappingProxyType(entry.get("edge", {})),
        open=OpenPoint(**entry["open"]) if "open" in entry else None,
        keys=tuple(entry.get("ruleset_keys", ())),
    )
