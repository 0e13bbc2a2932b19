"""The editions side by side: every value of the edition data and every word, in a row each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from hexholm.rules.catalogue import rules
from hexholm.rules.editions import Edition

from .drafts import data
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
        told = {"key": self.key, "label": self.label, "values": dict(self.values), "rules": list(self.rules)}
        return {**told, "same": self.same, "word": self.word}


def compare(books: Sequence[Edition], plain: Vocabulary) -> list[ComparisonRow]:
    """All rows: the values first, then the words; labels in the words of `plain`."""
    named = data(f"{plain.language}/compare")
    spoken = {book.name: Vocabulary(book, plain.language) for book in books}
    rows = []
    for key, label in named["label"].items():
        values = {name: edition_value(key, words) for name, words in spoken.items()}
        same = all(getattr(book, key) == getattr(books[0], key) for book in books)
        rows.append(ComparisonRow(key, plain.fill(label), values, _reading().get(key, ()), same))
    for key, label in named["word"].items():
        values = {name: _word(key, words) for name, words in spoken.items()}
        rows.append(ComparisonRow(key, plain.fill(label), values, (), len(set(values.values())) == 1, word=True))
    return rows


@cache
def _reading() -> Mapping[str, tuple[str, ...]]:
    """The rules that read a value, by its name."""
    found: dict[str, list[str]] = {}
    for rule in rules():
        for key in rule.keys:
            found.setdefault(key, []).append(rule.id)
    return {key: tuple(ids) for key, ids in found.items()}


def _word(key: str, words: Vocabulary) -> str:
    return words.word(key) if key in words.book.words or key == "item" else "-"


def edition_value(key: str, words: Vocabulary) -> str:
    """A value of the edition data by its name, in the words of the edition."""
    value = getattr(words.book, key)
    if key == "turn_parts":
        return ", ".join(str(words.values[f"turn_part_{n}"]) for n in range(1, len(value) + 1))
    if value is None:
        return str(data(f"{words.language}/compare")["none"][key])
    return _value_text(value, words)


def _value_text(value: Any, words: Vocabulary) -> str:
    named: Mapping[str, str] = data(f"{words.language}/compare")["value"]
    match value:
        case None:
            return words.terms["nothing"]
        case bool():
            return named["yes" if value else "no"]
        case int():
            return str(value)
        case str():
            return words.fill(named[value]) if value in named else _term(value, words)
        case Mapping():
            return ", ".join(
                f"{_value_text(_key_text(key), words)} {_within(inner, words)}" for key, inner in value.items()
            )
    parts = [_value_text(one, words) for one in value]
    return words.join(parts, "or") if any(one in named for one in value) else ", ".join(parts)


def _key_text(key: Any) -> Any:
    return f"{key}:" if isinstance(key, int) else key


def _within(value: Any, words: Vocabulary) -> str:
    inner = _value_text(value, words)
    return f"({inner})" if isinstance(value, Mapping) else inner


def _term(value: str, words: Vocabulary) -> str:
    """A resource, a colour, a terrain, a kind of card."""
    if value.endswith(":"):
        return value
    if value in words.book.colors:
        return words.color(value)
    return words.word(value)
