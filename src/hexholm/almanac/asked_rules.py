"""Which rules settle a question: by the words and questions of players in data/*/asked.toml.

Each rule has its own mixture of traits: of the words that are asked about it, of words side by side, of runs of letters
in them. A question belongs to the rules whose mixture makes it likely. What is asked about few rules says most; what a
rule was never asked in so many words, it takes in part from the other rules of its entry.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from .search_language import SearchLanguage

_SAYS_NOTHING: Final = 0.3
"""What a word counts that says nothing by itself: `how many` asks otherwise than `when`."""
_SIDE_BY_SIDE: Final = 0.3
"""What two words count that stand side by side."""
_LETTERS: Final = 0.2
"""What a run of letters in a word counts."""
_RUN: Final = 4
"""Letters in a run."""
_OF_TEXT: Final = 0.3
"""What a stem counts that is not asked about a rule but stands in the text that explains it."""
_OF_ENTRY: Final = 8.0
"""How much a rule takes from its entry: as much as from so many traits of its own."""
_OF_ALL: Final = 40.0
"""How much an entry takes from all others."""
_OFTEN: Final = 1.0
"""How much likelier a rule is that is asked about more often."""
_SURE: Final = 5.0
"""How fast a rule falls behind one that makes a question likelier; with more, slower."""


class AskedRules:
    """What is asked about some rules, ready to be compared with a question."""

    def __init__(
        self, language: SearchLanguage, entries: Mapping[str, str], texts: Iterable[tuple[str, Sequence[str]]]
    ) -> None:
        """`entries` are the rules, each with the entry that explains it; `texts` the stems of what explains them."""
        self._language = language
        self._traits_by_word: dict[str, tuple[tuple[str, float], ...]] = {}
        asked = {rule: defaultdict[str, float](float) for rule in entries}
        for rule, traits in asked.items():
            for words in language.questions.get(rule, ()):
                self._count(traits, words)
        for rule, stems in texts:
            for stem in stems:
                for trait, weight in self._traits_of(stem):
                    asked[rule][trait] += weight * _OF_TEXT
        self._weigh(asked, entries)

    def settling(self, words: Sequence[str]) -> dict[str, float]:
        """The rules that a question is about, and how surely, the likeliest 1."""
        traits = defaultdict[str, float](float)
        self._count(traits, words)
        known = {trait: weight for trait, weight in traits.items() if trait in self._by_rule}
        if not known:
            return {}
        total = sum(known.values())
        by_entry = {entry: total * weight for entry, weight in self._entry_base.items()}
        scores = {rule: total * weight for rule, weight in self._rule_base.items()}
        for trait, weight in known.items():
            for entry, fit in self._by_entry[trait]:
                by_entry[entry] += weight * fit
            for rule, fit in self._by_rule[trait]:
                scores[rule] += weight * fit
        for rule, entry in self._entries.items():
            scores[rule] += by_entry[entry] + self._often[rule]
        best = max(scores.values())
        return {rule: math.exp((score - best) / _SURE) for rule, score in scores.items() if score > best - 5 * _SURE}

    def _weigh(self, asked: Mapping[str, Mapping[str, float]], entries: Mapping[str, str]) -> None:
        """How much likelier each trait is for a rule than for its entry, and for an entry than for all of them."""
        of_entries = {entry: defaultdict[str, float](float) for entry in entries.values()}
        of_all = defaultdict[str, float](float)
        for rule, traits in asked.items():
            for trait, count in traits.items():
                of_entries[entries[rule]][trait] += count
                of_all[trait] += count
        all_traits = sum(of_all.values())
        totals = {entry: sum(traits.values()) for entry, traits in of_entries.items()}
        self._entries = {rule: entries[rule] for rule, traits in asked.items() if traits}
        self._entry_base = {entry: math.log(_OF_ALL / (totals[entry] + _OF_ALL)) for entry in totals}
        sizes = {rule: sum(asked[rule].values()) for rule in self._entries}
        self._rule_base = {rule: math.log(_OF_ENTRY / (size + _OF_ENTRY)) for rule, size in sizes.items()}
        self._often = {rule: _OFTEN * math.log(size) for rule, size in sizes.items()}
        self._by_entry: dict[str, list[tuple[str, float]]] = defaultdict(list)
        self._by_rule: dict[str, list[tuple[str, float]]] = defaultdict(list)
        for entry, traits in of_entries.items():
            for trait, count in traits.items():
                self._by_entry[trait].append((entry, math.log(1 + count * all_traits / (_OF_ALL * of_all[trait]))))
        for rule in self._entries:
            entry = entries[rule]
            in_entry, total = of_entries[entry], totals[entry]
            for trait, count in asked[rule].items():
                share = (in_entry[trait] + _OF_ALL * of_all[trait] / all_traits) / (total + _OF_ALL)
                self._by_rule[trait].append((rule, math.log(1 + count / (_OF_ENTRY * share))))

    def _count(self, traits: defaultdict[str, float], words: Sequence[str]) -> None:
        """Add the traits of a question, of which each counts once."""
        found: dict[str, float] = {}
        before = ""
        for word in words:
            of_word = self._traits_of(word)
            found.update(of_word)
            if before:
                found[f"{before} {of_word[0][0]}"] = _SIDE_BY_SIDE
            before = of_word[0][0]
        for trait, weight in found.items():
            traits[trait] += weight

    def _traits_of(self, word: str) -> tuple[tuple[str, float], ...]:
        """The stem of a word, with its class if it has one, so that a rule about wool is one about ore; its letters."""
        if word not in self._traits_by_word:
            language = self._language
            stem = language.stem(word)
            if word in language.empty and word not in language.asking:
                self._traits_by_word[word] = ((stem, _SAYS_NOTHING),)
            else:
                framed = f"^{word}$"
                runs = (framed[begin : begin + _RUN] for begin in range(len(framed) - _RUN + 1))
                letters = tuple((f"#{run}", _LETTERS) for run in runs)
                self._traits_by_word[word] = ((language.classes.get(stem, stem), 1.0), *letters)
        return self._traits_by_word[word]
