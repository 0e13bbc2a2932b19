"""The words of a language as the search reads them: forms, numbers, synonyms, and what a question asks for.

A text becomes stems: accents and endings fall off (`roads`, `road`), number words become digits, what players call the
same thing becomes one stem, and words that say nothing are left out. All of it lies in data/LANGUAGE/search.toml, and
what players ask in data/LANGUAGE/asked.toml.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache, partial
from typing import Any, Final

from .drafts import read_almanac_data

_WORD: Final = re.compile(r"\d+:\d+|\d+(?=[a-z]{0,3}\b)|[^\W\d]\w*")
_LETTERS: Final = re.compile(r"[a-z]{4,}")
_KEPT: Final = 4_000
_DIGRAPHS: Final = (("ae", "a"), ("oe", "o"), ("ue", "u"))


@dataclass(frozen=True, slots=True)
class Intent:
    """A kind of question, and what answers it."""

    asked: re.Pattern[str]
    """How it is asked."""
    tables: frozenset[str]
    """The tables whose rows answer."""
    says: frozenset[str]
    """Words of sentences that answer."""
    adds: tuple[str, ...]
    """Stems that are looked for besides those of the question."""
    numbers: bool
    """Whether a number answers."""
    role: str | None
    """The role of the paragraphs that answer."""
    opening: bool
    """Whether the beginning of an entry answers."""


class SearchLanguage:
    """How one language is searched."""

    def __init__(self, language: str) -> None:
        settings = read_almanac_data(f"{language}/search")
        self.endings: tuple[str, ...] = tuple(settings["endings"])
        self.shortest: int = settings["shortest"]
        self.doubled: str = settings["doubled"]
        self.links: tuple[str, ...] = tuple(settings["links"])
        self.empty = frozenset(_split(settings["empty"]))
        self.rows: Mapping[str, str] = settings["row"]
        self.kept_words = lru_cache(maxsize=_KEPT)(self.words)
        """The words of a text of the almanac, which most editions share."""
        self.kept_stem = lru_cache(maxsize=_KEPT)(self.stem)
        self._numbers: dict[str, str] = settings["number"]
        patterns = [*settings["phrase"].values(), *(intent["asked"] for intent in settings["intent"].values())]
        self.spelled = self.empty | self._numbers.keys() | set(_LETTERS.findall(" ".join(patterns)))
        """Words that are spelled well though no text has them."""
        self._phrases = [(re.compile(rf"\b(?:{pattern})\b"), stem) for stem, pattern in settings["phrase"].items()]
        self._forms = {form: word for word, forms in settings["forms"].items() for form in _split(forms)}
        self._same: dict[str, str] = {}
        for words in settings["same"]:
            first, *others = _split(words)
            self._same.update(dict.fromkeys(map(self._without_ending, [first, *others]), self._without_ending(first)))
        self.known_words = frozenset(word for words in settings["same"] for word in _split(words)) | set(self._forms)
        self.near: dict[str, tuple[str, ...]] = {
            self.stem(word): tuple(map(self.stem, _split(words))) for word, words in settings["near"].items()
        }
        self.classes: Mapping[str, str] = {
            self.stem(word): name for name, words in settings["class"].items() for word in _split(words)
        }
        """What a stem is one of: a resource, say."""
        self.asking = frozenset(_split(settings["asking"]))
        self.light = frozenset(map(self.stem, _split(settings["light"])))
        asked = read_almanac_data(f"{language}/asked")
        self.asked_for: Mapping[str, frozenset[str]] = {
            rule: self._asked_stems(words) for rule, words in asked["words"].items()
        }
        """The stems of what players call a matter, by the rule that settles it."""
        self.questions: Mapping[str, Sequence[Sequence[str]]] = self._questions(asked)
        """The words of what players ask and of what they call a matter, by the rule that settles it."""
        asked_words = {word for questions in self.questions.values() for words in questions for word in words}
        self.asked_stems = frozenset(map(self.stem, self.asked_words(asked_words)))
        self.intents = [
            Intent(
                asked=re.compile(intent["asked"]),
                tables=frozenset(intent.get("tables", ())),
                says=frozenset(_split(intent.get("says", ""))),
                adds=tuple(self.stems(intent.get("adds", ""))),
                numbers=intent.get("numbers", False),
                role=intent.get("role"),
                opening=intent.get("opening", False),
            )
            for intent in settings["intent"].values()
        ]

    def words(self, text: str) -> tuple[str, ...]:
        """The words of a text in small letters, numbers as digits and phrases as one word."""
        return tuple(_WORD.findall(self.plain_text(text)))

    def plain_text(self, text: str) -> str:
        """A text in small letters, numbers as digits and phrases as one word."""
        folded = re.sub(r"[^\W\d]+", lambda match: self._numbers.get(match[0], match[0]), fold_accents(text))
        for pattern, stem in self._phrases:
            folded = pattern.sub(partial(_put_phrase, stem), folded)
        return folded

    def stems(self, text: str) -> list[str]:
        """The stems of a text of the almanac: of the words that say something, or of all if none does."""
        words = self.kept_words(text)
        return [self.kept_stem(word) for word in self.meaningful(words) or words]

    def meaningful(self, words: Iterable[str]) -> list[str]:
        return [word for word in words if word not in self.empty]

    def asked_words(self, words: Iterable[str]) -> list[str]:
        """The words of a question that say something; those that ask do."""
        return [word for word in words if word not in self.empty or word in self.asking]

    def _questions(self, asked: Mapping[str, Any]) -> dict[str, list[list[str]]]:
        """All questions are read as one text, a line each, which takes a fraction of the time."""
        lines = [
            (rule, text)
            for rule in {**asked["questions"], **asked["words"]}
            for text in (*asked["questions"].get(rule, ()), *filter(None, [asked["words"].get(rule)]))
        ]
        questions: dict[str, list[list[str]]] = {}
        read = self.plain_text("\n".join(text for _, text in lines)).split("\n")
        for (rule, _), line in zip(lines, read, strict=True):
            questions.setdefault(rule, []).append(_WORD.findall(line))
        return questions

    def _asked_stems(self, text: str) -> frozenset[str]:
        words = self.words(text)
        return frozenset(map(self.stem, self.asked_words(words) or words))

    def stem(self, word: str) -> str:
        """What a word is indexed by."""
        stem = self._without_ending(self._forms.get(word, word))
        return self._same.get(stem, stem)

    def intents_of(self, text: str) -> list[Intent]:
        """What a question asks for."""
        folded = fold_accents(text)
        return [intent for intent in self.intents if intent.asked.search(folded)]

    def _without_ending(self, word: str) -> str:
        for ending in self.endings:
            if word.endswith(ending) and len(word) - len(ending) >= self.shortest:
                stem = word.removesuffix(ending)
                return stem[:-1] if stem[-2:-1] == stem[-1] and stem[-1] in self.doubled else stem
        return word


@cache
def search_language(language: str) -> SearchLanguage:
    """The words of a language, read once."""
    return SearchLanguage(language)


def fold_accents(text: str) -> str:
    """Small letters without accents; the German sharp s as two."""
    decomposed = unicodedata.normalize("NFKD", text.replace("ß", "ss").lower())
    return "".join(letter for letter in decomposed if not unicodedata.combining(letter))


def plain_vowels(word: str) -> str:
    """A word with the vowels that stand for umlauts where there are none: `haefen`."""
    for digraph, vowel in _DIGRAPHS:
        word = word.replace(digraph, vowel)
    return word


def _put_phrase(stem: str, match: re.Match[str]) -> str:
    """The stem of a phrase, and the words of it that stay."""
    return " ".join(["", stem, *(word for word in match.groups() if word), ""])


def _split(words: str) -> list[str]:
    return fold_accents(words).split()
