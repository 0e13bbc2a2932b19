"""How well the search answers what players ask.

`python -m tests.almanac.questions` prints the shares, and each miss with what was found in its place.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

import yaml

from .almanacs import almanac_of

QUESTIONS: Final = Path(__file__).with_name("questions.yaml")


@dataclass(frozen=True)
class Question:
    """What somebody asks, and what answers it."""

    text: str
    editions: tuple[str, ...]
    language: str
    entries: frozenset[str]
    """Those that answer it, any of them."""
    answer: re.Pattern[str]
    """What an excerpt says that answers by itself."""
    set: str
    """Which list it is in: `first`, `held-out` or `kinds`."""


@dataclass(frozen=True)
class Outcome:
    """What the search made of a question in one edition."""

    question: Question
    edition: str
    found: tuple[str, ...]
    excerpt: str

    @property
    def first(self) -> bool:
        return self.found[:1] != () and self.found[0] in self.question.entries

    @property
    def among_three(self) -> bool:
        return bool(self.question.entries.intersection(self.found[:3]))

    @property
    def answered(self) -> bool:
        """Whether the excerpt of the first hit answers by itself."""
        return self.question.answer.search(self.excerpt) is not None


@dataclass(frozen=True)
class Shares:
    """Of all questions, in percent: a question counts if it holds in each of its editions."""

    first: float
    among_three: float
    answered: float

    def __str__(self) -> str:
        return f"first {self.first:.1f} %, among three {self.among_three:.1f} %, answered {self.answered:.1f} %"


def read_questions(path: Path = QUESTIONS) -> list[Question]:
    rows: list[dict[str, Any]] = yaml.safe_load(path.read_text(encoding="utf-8"))
    return [
        Question(
            text=str(row["q"]),
            editions=(row["in"],) if isinstance(row["in"], str) else tuple(row["in"]),
            language=row.get("lang", "en"),
            entries=frozenset(row["entries"]),
            answer=re.compile(row["answer"], re.IGNORECASE),
            set=row.get("set", "first"),
        )
        for row in rows
    ]


@cache
def outcome_of(text: str, edition: str, language: str) -> tuple[tuple[str, ...], str]:
    hits = almanac_of(edition, language).search(text)
    return tuple(hit.entry for hit in hits), hits[0].excerpt if hits else ""


def outcomes(question: Question) -> list[Outcome]:
    """One for each edition in which it is asked."""
    return [
        Outcome(question, edition, *outcome_of(question.text, edition, question.language))
        for edition in question.editions
    ]


def shares(questions: Sequence[Question]) -> Shares:
    results = [outcomes(question) for question in questions]
    return Shares(
        *(
            100 * sum(all(getattr(outcome, name) for outcome in each) for each in results) / len(results)
            for name in ("first", "among_three", "answered")
        )
    )


def main() -> None:
    questions = read_questions()
    for name in dict.fromkeys(each.set for each in questions):
        some = [each for each in questions if each.set == name]
        print(f"{name}, {len(some)} questions: {shares(some)}")
    print(f"all, {len(questions)} questions: {shares(questions)}")
    for question in questions:
        for outcome in outcomes(question):
            if not (outcome.first and outcome.answered):
                missed = "answer" if outcome.first else "first" if outcome.among_three else "three"
                print(f"{missed:6} {outcome.edition} {question.language} {question.text!r}: {outcome.found[:4]}")
                print(f"       {outcome.excerpt!r}")


if __name__ == "__main__":
    main()
