"""Search: by title, by what else a thing is called in any edition, by what players ask, by the words of the text.

Every paragraph, item and table row is searched for itself, in the light of its entry: what most of a question is found
in comes first, and of it the sentences that answer. :mod:`.search_language` makes stems of words; a word that stands
nowhere is taken apart, or taken for the nearest one that does. What is asked about the rules of a passage
(:mod:`.asked_rules`) counts with its words. Whoever names a rule finds the entries that explain it.
"""

from __future__ import annotations

import difflib
import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from .asked_rules import AskedRules
from .blocks import Entry
from .passages import Passage, passages_of
from .search_language import Intent, fold_accents, plain_vowels, search_language

__all__ = ["MOST_WORDS", "Hit", "SearchIndex", "fold_accents"]

_LONG_WORD: Final = re.compile(r"[^\W\d]{5,}")
_RULE: Final = re.compile(r"([A-Za-z]+)-0*(\d{1,2})")
_WEIGHTS: Final = {"text": 1.0, "asked": 0.9, "title": 1.2, "also": 0.6, "short": 0.25, "context": 0.35, "entry": 0.1}
"""What a stem counts, by where it stands; `asked` is what players call a rule, `entry` anywhere else in the entry."""
_SHARES: Final = {name: 1.0 if weight > 0.5 else weight + 0.2 for name, weight in _WEIGHTS.items()}
"""How surely a passage speaks of a stem that stands there."""
_NAMES: Final = ("title", "also")
_OWN: Final = {"text": 1.0, "asked": 1.0, "context": 1.0, "title": 0.7}
"""How far a stem is the passage's own, by where it stands."""
_ROLES: Final = {"": 1.0, "reading": 0.95, "note": 0.6, "hint": 0.7}
_GROUPS: Final = {"start": 0.9, "editions": 0.6}
"""Overviews come behind what they give a view of."""
_LATER: Final = 0.015
"""What a passage loses for each one before it in its entry, where the rule itself comes first."""
_FOLLOWS: Final = 0.6
"""What players call a rule counts so much where it is explained only further, after its first place in the entry."""
_PART: Final = 0.5
"""What a stem counts that is only a part of a longer one."""
_NEAR: Final = 0.6
"""What a word counts that is often said of the same thing."""
_ADDED: Final = 0.5
"""What a word counts that is not in the question but in what answers such questions."""
_LIGHT: Final = 0.25
"""What a word counts that says little."""
_COUNTS, _SAYS, _OPENS = 1.8, 1.1, 1.2
"""How much more a passage counts that answers the kind of question: with a number, a word, as an opening."""
_SAME_TITLE, _SAME_NAME = 2.0, 1.5
"""How much more an entry counts if its title, or what else it is called, is all that is asked."""
_SETTLED: Final = 4.0
"""What it counts that a passage explains the rule that most likely settles a question."""
_WHOLE_FOR_ROW: Final = 0.15
"""How far a whole table settles what one of its rows answers."""
_TEXT_FOR_ROW: Final = 0.1
"""How far a text settles what a row of a table answers."""
_FEW_NUMBERS: Final = 3
"""Numbers of a passage; with more, each of them says less."""
_MEAN_LENGTH: Final = 12
"""Stems of an ordinary passage."""
_AGAIN: Final = 0.6
"""What an entry counts whose excerpt a better one has shown."""
_LONGEST_TEXT: Final = 1_000
"""Letters of a question that are read."""
_SHORTEST_PART: Final = 4
"""Letters of a part that stands for a word not known otherwise."""
_LONGEST_WORD: Final = 40
"""Letters of a word that is searched for."""
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
class _Indexed:
    """A passage, with its entry and its place in it."""

    entry: Entry
    passage: Passage
    place: int
    """Its place among the passages of the entry."""


@dataclass(slots=True)
class _Fit:
    """How well a passage fits a stem, how surely it speaks of it, and how much itself, not only its entry."""

    score: float = 0.0
    named: float = 0.0
    """What of the score the names of its entry bring."""
    share: float = 0.0
    own: float = 0.0


@dataclass(slots=True)
class _Found:
    """How much of a question a passage holds, by stem."""

    score: float = 0.0
    named: float = 0.0
    in_name: float = 0.0
    """The weight of the stems in the names of its entry."""
    shares: dict[str, float] = field(default_factory=dict)
    own: float = 0.0
    """The weight of the stems that the passage itself holds, not only its entry."""


class SearchIndex:
    """The entries of one almanac, ready to be searched."""

    def __init__(self, entries: Sequence[Entry], titles: Mapping[str, Iterable[str]], language: str) -> None:
        """`titles` are the titles of each entry in all editions."""
        self._language = search_language(language)
        self._passages: list[_Indexed] = []
        self._postings: dict[str, dict[str, dict[int, float]]] = {name: defaultdict(dict) for name in _WEIGHTS}
        """By field and stem: the passages, and how much the stem is of the field there."""
        self._names: dict[str, dict[tuple[str, ...], float]] = {}
        self._words: dict[str, str] = {word: self._language.stem(word) for word in self._language.known_words}
        self._entry_counts: Counter[str] = Counter()
        self._explaining: dict[str, list[tuple[int, float]]] = defaultdict(list)
        """By rule: the passages that explain it, and how much that counts."""
        self._n_entries = len(entries)
        for entry in entries:
            self._add(entry, titles[entry.name])
        self._asked_rules = AskedRules(
            self._language,
            {rule: self._passages[places[0][0]].entry.name for rule, places in self._explaining.items()},
            ((rule, indexed.passage.stems) for indexed in self._passages for rule in indexed.passage.rules),
        )
        self._stems = frozenset(self._entry_counts) | self._language.asked_stems
        self._words.update({stem: stem for stem in self._stems if stem not in self._words})

    def search(self, text: str, limit: int = 10) -> list[Hit]:
        if match := _RULE.fullmatch(text.strip().strip("()[]")):
            return self._hits_for_rule(f"{match[1].upper()}-{int(match[2]):02}")
        text = self._spelled(text[:_LONGEST_TEXT])
        weights = self._weights(text)
        if not weights:
            return []
        intents = self._language.intents_of(text)
        words, asked = self._language.words(text), tuple(weights)
        for stem in (stem for intent in intents for stem in intent.adds):
            weights.setdefault(stem, _ADDED * self._weight(stem))
        settling = self._settling(words)
        best: dict[str, tuple[float, int]] = {}
        for number, found in self._find(weights).items():
            indexed = self._passages[number]
            names = self._names[indexed.entry.name]
            score = self._score(indexed, found, weights, intents, settling.get(number, 0.0)) * names.get(words, 1.0)
            if words not in names and not any(intent.tables for intent in intents):
                score *= names.get(asked, 1.0)
            if score > best.get(indexed.entry.name, (0.0, 0))[0]:
                best[indexed.entry.name] = (score, number)
        hits = [self._hit(self._passages[number], score, weights) for score, number in best.values()]
        return _told_once(sorted(hits, key=lambda hit: -hit.score))[:limit]

    # --- inside --------------------------------------------------------------------------------------------------

    def _add(self, entry: Entry, titles: Iterable[str]) -> None:
        language = self._language
        first = len(self._passages)
        self._passages += [
            _Indexed(entry, passage, place) for place, passage in enumerate(passages_of(entry, language))
        ]
        numbers = range(first, len(self._passages))
        passages = [self._passages[number].passage for number in numbers]
        counted = {stem for passage in passages for stem in passage.stems}
        self._names[entry.name] = {}
        for field_name, texts, same_name in (
            ("title", titles, _SAME_TITLE),
            ("also", entry.also, _SAME_NAME),
            ("short", [entry.short], 1.0),
        ):
            for text in texts:
                stems = tuple(dict.fromkeys(language.stems(text)))
                for name in (stems, language.kept_words(text)):
                    self._names[entry.name].setdefault(name, same_name)
                self._post(field_name, stems, numbers, max(1, len(stems)) ** -0.5)
                counted.update(stems)
        self._post("entry", {stem for passage in passages for stem in passage.stems}, numbers)
        explained: set[str] = set()
        for number, passage in zip(numbers, passages, strict=True):
            length = 0.75 + 0.25 * len(passage.stems) / _MEAN_LENGTH
            digits = [stem for stem in passage.stems if stem.isdigit()]
            self._post("text", digits, (number,), min(1 / length, _FEW_NUMBERS / max(1, len(digits))))
            self._post("text", (stem for stem in passage.stems if not stem.isdigit()), (number,), 1 / length)
            self._post("context", passage.context, (number,))
            for rule in passage.rules:
                self._explaining[rule].append((number, _FOLLOWS if rule in explained else 1.0))
                asked = language.asked_for.get(rule, frozenset())
                self._post("asked", asked, (number,), self._explaining[rule][-1][1])
                counted.update(asked)
            explained.update(passage.rules)
        self._entry_counts.update(counted)
        for text in (*titles, *entry.also, entry.short, *(paragraph.text for paragraph in entry.paragraphs())):
            self._words.update((word, language.stem(word)) for word in language.kept_words(text))

    def _post(self, name: str, stems: Iterable[str], numbers: Iterable[int], fit: float = 1.0) -> None:
        for stem in stems:
            posted = self._postings[name][stem]
            for number in numbers:
                posted[number] = max(fit, posted.get(number, 0.0))

    def _weights(self, text: str) -> dict[str, float]:
        """The stems of a question, and how much each of them says."""
        words = self._language.words(text)
        typed = list(dict.fromkeys(self._language.asked_words(words) or words))[:MOST_WORDS]
        return {stem: self._weight(stem) for word in typed for stem in self._nearest_stems(word)}

    def _nearest_stems(self, word: str) -> list[str]:
        """The stem of a word; if it stands nowhere, those of its parts, or that of the nearest word."""
        if len(word) > _LONGEST_WORD:
            return []
        for spelled in (word, plain_vowels(word)):
            stem = self._language.stem(spelled)
            if self._stands(stem):
                return [stem]
            if parts := self._parts(spelled):
                return parts
        nearest = self._nearest_word(word)
        if nearest and nearest not in self._language.empty:
            return [self._words[nearest]]
        return self._longest_part(word)

    def _spelled(self, text: str) -> str:
        """A text with words that stand nowhere as the nearest that do, for phrases to be found in it."""
        return _LONG_WORD.sub(self._spelled_word, fold_accents(text))

    def _spelled_word(self, match: re.Match[str]) -> str:
        word = match[0]
        if word in self._words or word in self._language.spelled or len(word) > _LONGEST_WORD:
            return word
        if self._stands(self._language.stem(word)) or plain_vowels(word) in self._words or self._parts(word):
            return word
        return self._nearest_word(word) or word

    def _nearest_word(self, word: str) -> str:
        """The known word that is most like another, or none."""
        if len(word) < 4:
            return ""
        like = [each for each in self._words if abs(len(each) - len(word)) <= 2]
        nearest = difflib.get_close_matches(word, like, n=1, cutoff=0.75 if len(word) < 6 else 0.8)
        return nearest[0] if nearest else ""

    def _stands(self, stem: str) -> bool:
        return (
            stem in self._stems
            or stem in self._language.near
            or (len(stem) > 3 and any(stem in longer for longer in self._stems))
        )

    def _parts(self, word: str) -> list[str]:
        """The stems of the two words that make up a long one."""
        for cut in range(len(word) - 3, 2, -1):
            head, tail = word[:cut], word[cut:]
            if tail in self._words or tail in self._language.empty:
                for link in self._language.links:
                    if head.endswith(link) and head.removesuffix(link) in self._words:
                        parts = self._language.meaningful([head.removesuffix(link), tail])
                        return [self._words[part] for part in parts]
        return []

    def _longest_part(self, word: str) -> list[str]:
        """The stem of the longest word that a longer one begins or ends with."""
        cuts = range(len(word) - 1, _SHORTEST_PART - 1, -1)
        inside = (part for length in cuts for part in (word[:length], word[-length:]))
        return [self._words[part] for part in inside if part in self._words and part not in self._language.empty][:1]

    def _weight(self, stem: str) -> float:
        rarity = math.log(1 + self._n_entries / (self._entry_counts[stem] or 2))
        return math.pow(rarity, 0.8) * (_LIGHT if stem in self._language.light else 1.0)

    def _settling(self, words: Sequence[str]) -> dict[int, float]:
        """The passages with rules that settle a question, and how surely."""
        settling: dict[int, float] = {}
        for rule, score in self._asked_rules.settling(words).items():
            for number, factor in self._explaining[rule]:
                settling[number] = max(_SETTLED * score * factor, settling.get(number, 0.0))
        return settling

    def _find(self, weights: Mapping[str, float]) -> dict[int, _Found]:
        found: dict[int, _Found] = defaultdict(_Found)
        for stem, weight in weights.items():
            for number, fit in self._find_stem(stem).items():
                found[number].score += weight * fit.score
                found[number].named += weight * fit.named
                found[number].in_name += weight * (fit.named > 0)
                found[number].shares[stem] = fit.share
                found[number].own += weight * fit.own
        return found

    def _find_stem(self, stem: str) -> dict[int, _Fit]:
        """How well the passages fit a stem."""
        factors = {longer: _PART for longer in self._stems if len(stem) > 3 and stem in longer}
        factors |= dict.fromkeys(self._language.near.get(stem, ()), _NEAR) | {stem: 1.0}
        fits: dict[int, _Fit] = defaultdict(_Fit)
        for name, postings in self._postings.items():
            best: dict[int, float] = {}
            for form, factor in factors.items():
                for number, fit in postings.get(form, {}).items():
                    best[number] = max(factor * fit, best.get(number, 0.0))
                    sure = min(1.0, fit) if form.isdigit() else 1.0
                    fits[number].share = max(factor * _SHARES[name] * sure, fits[number].share)
                    fits[number].own = max(factor * _OWN.get(name, 0.0), fits[number].own)
            for number, value in best.items():
                if name in _NAMES:
                    fits[number].named += _WEIGHTS[name] * value
                else:
                    fits[number].score += _WEIGHTS[name] * value
        return fits

    def _score(
        self,
        indexed: _Indexed,
        found: _Found,
        weights: Mapping[str, float],
        intents: Sequence[Intent],
        settling: float,
    ) -> float:
        passage, total = indexed.passage, sum(weights.values())
        covered = sum(weights[stem] * share for stem, share in found.shares.items()) / total
        in_sentence = max(
            sum(weight for stem, weight in weights.items() if stem in sentence.stems) for sentence in passage.sentences
        )
        counted = weights.keys() | {near for stem in weights for near in self._language.near.get(stem, ())}
        score = found.score + found.named * (0.5 + 0.5 * found.in_name / total)
        score *= covered**2 * (0.7 + 0.3 * found.own / total)
        if passage.table:
            settling *= _WHOLE_FOR_ROW ** (in_sentence > 0) if passage.leads else in_sentence / total
        if not passage.table and any(intent.tables for intent in intents):
            settling *= _TEXT_FOR_ROW
        score += settling * total
        score *= _ROLES[passage.role]
        score *= 1 - _LATER * min(indexed.place, 10)
        if passage.leads and not passage.table:
            score *= 0.8
        if passage.table:
            score *= 0.85
        score *= _GROUPS.get(indexed.entry.group, 1.0)
        for intent in intents:
            if passage.table in intent.tables and not (passage.leads and intent.numbers):
                score *= (1.0 if in_sentence else 1.7) if passage.leads else 1.3 + 2.7 * in_sentence / total
            if intent.numbers and any(sentence.counted & counted for sentence in passage.sentences):
                score *= _COUNTS
            if intent.says and any(intent.says & sentence.words for sentence in passage.sentences):
                score *= _SAYS
            if intent.role == passage.role:
                score /= _ROLES[passage.role]
            if intent.opening and not indexed.place:
                score *= _OPENS
        return score

    def _hit(self, indexed: _Indexed, score: float, weights: Mapping[str, float]) -> Hit:
        entry, passage = indexed.entry, indexed.passage
        return Hit(entry.name, entry.title, passage.excerpt(weights), passage.block, passage.rules, score)

    def _hits_for_rule(self, rule: str) -> list[Hit]:
        hits: dict[str, Hit] = {}
        for indexed in self._passages:
            if rule in indexed.passage.rules:
                hits.setdefault(indexed.entry.name, self._hit(indexed, 1.0, {}))
        return list(hits.values())


def _told_once(hits: list[Hit]) -> list[Hit]:
    """Entries that only say again what a better one says come behind."""
    first = {hit.excerpt: hit.entry for hit in reversed(hits)}
    scored = [hit if first[hit.excerpt] == hit.entry else replace(hit, score=hit.score * _AGAIN) for hit in hits]
    return sorted(scored, key=lambda hit: -hit.score)
