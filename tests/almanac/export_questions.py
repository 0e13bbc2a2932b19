"""What readers of an export for assistants can answer from it alone.

`python -m tests.almanac.export_questions` prints the questions, for readers who then get nothing but them and the
export of their edition. With a file of answers, a line each ("12. yes"), it prints the score, and what does not agree
with the key.
"""

from __future__ import annotations

import argparse
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import yaml

from hexholm.rules.errors import BadInput
from hexholm.rules.notation import read_action
from hexholm.rules.setup.editions import edition

from .almanacs import almanac_of

QUESTIONS: Final = Path(__file__).with_name("export_questions.yaml")
TASK: Final = """\
Answer from the rules you were given and from nothing else.
One line for each question: its number, a period, the answer. At most fifteen words; numbers as digits.
Begin with yes or no where that is asked. Write "not said" if the rules do not say it.
"""


@dataclass(frozen=True)
class ExportQuestion:
    """A question with its key."""

    text: str
    answer: str
    """The key in a few words, or the action."""
    says: tuple[str, ...]
    """What a right answer says, all of these."""
    never: tuple[str, ...]
    """What a right answer does not say."""
    action: str | None
    rules: tuple[str, ...]
    ours: bool
    """Whether it rests on our reading and not on the book."""
    colors: tuple[str, ...]

    def accepts(self, answer: str) -> bool:
        """Whether an answer agrees with the key, as far as a program can tell."""
        if self.action is not None:
            try:
                return read_action(_bare(answer), self.colors) == read_action(self.action, self.colors)
            except BadInput:
                return False
        found = all(re.search(pattern, answer, re.IGNORECASE) for pattern in self.says)
        return found and not any(re.search(pattern, answer, re.IGNORECASE) for pattern in self.never)


def edition_asked() -> str:
    """The edition that the questions are about."""
    return str(_read()["edition"])


def read_export_questions() -> list[ExportQuestion]:
    name = edition_asked()
    vocabulary = almanac_of(name).vocabulary
    return [
        ExportQuestion(
            text=row["q"],
            answer=row.get("action") or vocabulary.fill(row["answer"]),
            says=tuple(row.get("says", ())),
            never=tuple(row.get("not", ())),
            action=row.get("action"),
            rules=tuple(row["rules"]),
            ours=row.get("ours", False),
            colors=tuple(edition(name).colors),
        )
        for row in _read()["questions"]
    ]


def read_answers(text: str) -> dict[int, str]:
    """The answers of a reader by number."""
    return {int(number): answer.strip() for number, answer in re.findall(r"^\W*(\d+)[.):]\s*(.*)$", text, re.MULTILINE)}


def missed(answers: dict[int, str]) -> dict[int, ExportQuestion]:
    """The questions whose answers are missing or do not agree with the key."""
    questions = enumerate(read_export_questions(), 1)
    return {number: each for number, each in questions if not each.accepts(answers.get(number, ""))}


def _read() -> dict[str, Any]:
    data: dict[str, Any] = yaml.safe_load(QUESTIONS.read_text(encoding="utf-8"))
    return data


def _bare(answer: str) -> str:
    """An action without the signs around it."""
    return answer.strip().strip("`\"'.").strip()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("answers", nargs="?", type=Path, help="a file with a line for each answer")
    path = parser.parse_args().answers
    questions = read_export_questions()
    if path is None:
        print(TASK)
        print("\n".join(f"{number}. {each.text}" for number, each in enumerate(questions, 1)))
        return
    answers = read_answers(path.read_text(encoding="utf-8"))
    wrong = missed(answers)
    print(f"{len(questions) - len(wrong)} of {len(questions)} agree with the key; to be looked at:")
    for number, each in wrong.items():
        print(f"{number}. {each.text}")
        print(f"    said: {answers.get(number, '-')}")
        print(f"    key: {each.answer} ({', '.join(each.rules)})")


if __name__ == "__main__":
    main()
