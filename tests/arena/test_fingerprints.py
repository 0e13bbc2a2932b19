"""Who a player is, as a digest: what makes it another one, and what does not."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from hexholm.arena import fingerprints as subject
from hexholm.arena.entrants import entrants, load_factory
from hexholm.arena.fingerprints import are_comparable, fingerprints_of
from hexholm.bots import judgment, shipped_bots
from hexholm.bots.program import ProgramKind
from hexholm.bots.shipped_bots import SHIPPED
from tests.arena import players as odd

MINE = """
from hexholm.bots.shipped.random_player import Random

class Mine(Random):
    def choose(self, view):
        return super().choose(view)
"""
COMMENTED = """# mine, with words
'''A player of my own.'''
from hexholm.bots.shipped.random_player import Random  # the base


class Mine(Random):
    "Chooses anything."

    def choose(self, view):
        "What it does."
        return (super()
                .choose(view))
"""


def forget() -> None:
    """What a process has loaded, as if it were a new one."""
    for cached in (subject._shipped_digest, shipped_bots.kept_decisions, judgment.shipped_judgment, load_factory):
        cached.cache_clear()


@pytest.fixture(autouse=True)
def fresh() -> Iterator[None]:
    """Nothing is known from one test to the next."""
    forget()
    yield
    forget()


def of(file: Path) -> str:
    return fingerprints_of(entrants([f"{file}:Mine"]))["Mine"]


def test_comments_docstrings_layout_and_a_move_leave_a_player_what_it_is(tmp_path: Path) -> None:
    mine, moved_file = tmp_path / "mine.py", tmp_path / "mine_elsewhere.py"
    mine.write_text(MINE)
    moved_file.write_text(COMMENTED)
    assert of(mine) == of(moved_file)
    moved_file.write_text(COMMENTED.replace(".choose(view))", ".choose(view) or 1)"))
    assert of(mine) != of(moved_file)


def test_a_file_that_is_no_python_yet_is_known_by_its_bytes(tmp_path: Path) -> None:
    mine = tmp_path / "mine.py"
    mine.write_text("class Mine(:")
    before = of(mine)
    mine.write_text("class Mine(: # a comment")
    assert of(mine) != before


def test_a_fingerprint_is_of_what_one_edits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program, mine = tmp_path / "bot.js", tmp_path / "mine.py"
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "a_module_of_mine.py").write_text(MINE)

    def made_of(text: str) -> dict[str, str]:
        for file in (program, mine):
            file.write_text(text)
        own = {"js": ProgramKind("js", ("node", str(program), "--fast"))}
        words = ["easy", "hard@2", "hard@3", "js", f"{mine}:Mine", "a_module_of_mine:Mine", odd.Cheeky]
        return fingerprints_of(entrants(words, own))  # type: ignore[arg-type]

    digest, other_digest = made_of("x = 1"), made_of("x = 2")
    assert list(digest) == ["easy", "hard@2", "hard@3", "js", "Mine", "Mine-2", "Cheeky"]
    assert {label for label in digest if digest[label] != other_digest[label]} == {"js", "Mine"}
    assert digest["easy"] != digest["hard@2"] == digest["hard@3"]
    assert made_of("x = 1") == digest
    mine.unlink()
    gone = entrants([f"{mine}:Mine", ProgramKind("js", ("node",)), "no_such_module:Mine"])
    assert fingerprints_of(gone) == {}, "whoever only sums a tournament up needs no players"


def test_digests_of_another_version_are_not_compared() -> None:
    now = fingerprints_of(entrants(["easy"]))["easy"]
    assert now.startswith("d1:")
    assert are_comparable(now, "d1:0000")
    assert not are_comparable(now, "0123456789abcdef")
    assert are_comparable("0123456789abcdef", "fedcba9876543210")


def shipped() -> dict[str, str]:
    forget()
    return fingerprints_of(entrants(list(SHIPPED)))


def changed_by(before: dict[str, str]) -> set[str]:
    return {name for name, now in shipped().items() if now != before[name]}


def test_a_shipped_player_is_another_one_by_its_numbers_and_its_decisions(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = shipped()
    for file in judgment.JUDGMENT_DATA.iterdir():
        (tmp_path / file.name).write_bytes(file.read_bytes())
    monkeypatch.setattr(judgment, "JUDGMENT_DATA", tmp_path)
    monkeypatch.setattr(shipped_bots, "KEPT_DECISIONS", tmp_path / "decisions.json")
    assert changed_by(before) == set()
    hard = json.loads((tmp_path / "hard.json").read_text())
    hard["about"]["command"] = "made otherwise"
    (tmp_path / "hard.json").write_text(json.dumps(hard))
    assert changed_by(before) == set(), "where its numbers come from is not what it is"
    hard["net"][0][0] += 0.01
    (tmp_path / "hard.json").write_text(json.dumps(hard))
    assert changed_by(before) == {"hard"}
    decisions_data = json.loads((tmp_path / "decisions.json").read_text())
    decisions_data["easy"][0] = "end"
    (tmp_path / "decisions.json").write_text(json.dumps(decisions_data))
    assert changed_by(before) == {"easy", "hard"}
