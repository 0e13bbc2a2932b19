"""The editions side by side: every value of the edition data and every word, in a row each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from hexholm.rules.catalogue import catalogue_rules
from hexholm.rules.setup.editions import Edition

from .drafts import read_almanac_data
from .vocabulary import Vocabulary


@dataclass(frozen=True, slots=True)
class ComparisonRow:
    """One thing in which editions can differ; `values` are by edition."""

    key: str
    label: str
    values: dict[str, str]
    rules: tuple[str, ...]
    same: bool
    """Whether the editions agree, be it in other words."""
    word: bool = False
    """Whether it is about what something is called."""

    def as_dict(self) -> dict[str, Any]:
        fields = {"key": self.key, "label": self.label, "values": dict(self.values), "rules": list(self.rules)}
        return {**fields, "same": self.same, "word": self.word}


def compare(editions: Sequence[Edition], vocabulary: Vocabulary) -> list[ComparisonRow]:
    """All rows: the values first, then the words; labels in the words of `vocabulary`."""
    texts = read_almanac_data(f"{vocabulary.language}/compare")
    vocabularies = {edition_data.name: Vocabulary(edition_data, vocabulary.language) for edition_data in editions}
    rows = []
    for key in texts["label"]:
        values = {name: edition_value(key, each) for name, each in vocabularies.items()}
        same = all(getattr(edition_data, key) == getattr(editions[0], key) for edition_data in editions)
        rows.append(ComparisonRow(key, value_label(key, vocabulary), values, _rules_by_key().get(key, ()), same))
    for key, label in texts["word"].items():
        values = {name: _word(key, each) for name, each in vocabularies.items()}
        rows.append(ComparisonRow(key, vocabulary.fill(label), values, (), len(set(values.values())) == 1, word=True))
    return rows


@cache
def _rules_by_key() -> Mapping[str, tuple[str, ...]]:
    """The rules that read a value, by its name."""
    ids_by_key: dict[str, list[str]] = {}
    for rule in catalogue_rules():
        for key in rule.keys:
            ids_by_key.setdefault(key, []).append(rule.id)
    return {key: tuple(ids) for key, ids in ids_by_key.items()}


def value_label(key: str, vocabulary: Vocabulary) -> str:
    """What a value of the edition data is called, in the words of the edition."""
    labels: Mapping[str, str] = read_almanac_data(f"{vocabulary.language}/compare")["label"]
    return vocabulary.fill(labels.get(key, key.replace("_", " ")))


def _word(key: str, vocabulary: Vocabulary) -> str:
    return vocabulary.word(key) if key in vocabulary.edition_data.words or key == "item" else "-"


def edition_value(key: str, vocabulary: Vocabulary) -> str:
    """A value of the edition data by its name, in the words of the edition."""
    value = getattr(vocabulary.edition_data, key)
    if key == "turn_parts":
        return ", ".join(str(vocabulary.values[f"turn_part_{n}"]) for n in range(1, len(value) + 1))
    if value is None:
        return str(read_almanac_data(f"{vocabulary.language}/compare")["none"][key])
    return _value_text(value, vocabulary)


def _value_text(value: Any, vocabulary: Vocabulary) -> str:
    texts: Mapping[str, str] = read_almanac_data(f"{vocabulary.language}/compare")["value"]
    match value:
        case None:
            return vocabulary.terms["nothing"]
        case bool():
            return texts["yes" if value else "no"]
        case int():
            return str(value)
        case str():
            return vocabulary.fill(texts[value]) if value in texts else _term(value, vocabulary)
        case Mapping():
            return ", ".join(
                f"{_value_text(_key_text(key), vocabulary)} {_inner_text(inner, vocabulary)}"
                for key, inner in value.items()
            )
    parts = [_value_text(item, vocabulary) for item in value]
    return vocabulary.join(parts, "or") if any(item in texts for item in value) else ", ".join(parts)


def _key_text(key: Any) -> Any:
    return f"{key}:" if isinstance(key, int) else key


def _inner_text(value: Any, vocabulary: Vocabulary) -> str:
    inner = _value_text(value, vocabulary)
    return f"({inner})" if isinstance(value, Mapping) else inner


def _term(value: str, vocabulary: Vocabulary) -> str:
    """A resource, a color, a terrain, a kind of card."""
    if value.endswith(":"):
        return value
    if value in vocabulary.edition_data.colors:
        return vocabulary.color(value)
    return vocabulary.word(value)
