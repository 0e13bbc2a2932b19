"""Which rules settle a question: by the words and questions of players in data/*/asked.toml."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterable
from typing import Final

from .search_language import SearchLanguage

_WORDS: Final = 2.0
"""How often a bare word of a rule counts beside one of its questions."""
_MEAN_SIZE: Final = 20
"""Stems of all that is asked about an ordinary rule."""
_LIGHT: Final = 0.8
"""What a stem counts that says little."""
_UNKNOWN: Final = 2.0
"""The weight of a stem that is asked about no rule."""
_SPOKEN_OF, _LIKE = 3.0, 2.5
"""What it counts that its words are asked about a rule, and that it is like one of the rule's questions."""
_HOW_LIKE: Final = 9
"""The power to which likeness is raised: it counts only where questions are nearly the same."""


class AskedRules:
    """What is asked about some rules, ready to be compared with a question."""

    def __init__(self, language: SearchLanguage, rules: Iterable[str]) -> None:
        self._classes = language.classes
        self._questions = {rule: tuple(map(self._general, language.questions.get(rule, ()))) for rule in rules}
        self._stems: dict[str, Counter[str]] = {}
        for rule, questions in self._questions.items():
            stems = Counter(dict.fromkeys(self._general(language.asked_for.get(rule, ())), _WORDS))
            for question in questions:
                stems.update(question)
            self._stems[rule] = stems
        asked_about = Counter(stem for stems in self._stems.values() for stem in stems)
        self._weights = {
            stem: math.log(1 + len(self._stems) / count) * (_LIGHT if stem in language.light else 1.0)
            for stem, count in asked_about.items()
        }

    def settling(self, stems: Collection[str]) -> dict[str, float]:
        """The rules that a question is about, and how surely."""
        asked = self._general(stems)
        scores = {}
        for rule, known in self._stems.items():
            if asked.isdisjoint(known):
                continue
            like = max((self._likeness(asked, question) for question in self._questions[rule]), default=0.0)
            scores[rule] = _SPOKEN_OF * self._coverage(asked, known) ** 2 + _LIKE * like**_HOW_LIKE
        return scores

    def _general(self, stems: Iterable[str]) -> frozenset[str]:
        """Stems with their class for those that have one: a rule about wool is one about ore."""
        return frozenset(self._classes.get(stem, stem) for stem in stems)

    def _coverage(self, asked: frozenset[str], known: Counter[str]) -> float:
        """How much of a question is asked about a rule, the more surely the more often."""
        doubt = 0.25 + 0.75 * known.total() / _MEAN_SIZE
        covered = sum(self._weights[stem] * known[stem] / (known[stem] + doubt) for stem in asked if stem in known)
        return covered / sum(self._weights.get(stem, _UNKNOWN) for stem in asked)

    def _likeness(self, asked: frozenset[str], question: frozenset[str]) -> float:
        """The cosine between two questions."""
        return self._square(asked & question) / math.sqrt(self._square(asked) * self._square(question))

    def _square(self, stems: Collection[str]) -> float:
        return sum(self._weights.get(stem, _UNKNOWN) ** 2 for stem in stems)
