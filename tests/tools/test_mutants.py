from __future__ import annotations

import ast
import json
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from tools.mutants import scope
from tools.mutants.mutation_sites import Blocks, Finder, Mutant, sample_of
from tools.mutants.scope import FILES

TEXT = '''"""A module: 1 + 1."""

from __future__ import annotations

LIMIT = 7


def decide(x: int, late: bool = False) -> int:
    """Whether x < 3."""
    n = 0
    if x < LIMIT and not late:
        n += 2
    else:
        n = max(n, x & 4)
    for i in range(x):
        n -= i
    return n


def same(a: int) -> bool:
    return a == 2
'''


def mutant_texts() -> dict[str, str]:
    """Name without the file: the line with the fault."""
    finder = Finder("m.py", TEXT)
    lines = {}
    for mutant in finder.mutants():
        name = mutant.id.removeprefix("m.py:")
        after = finder.with_fault(mutant)
        ast.parse(after)
        lines[name] = after.splitlines()[int(name.partition(":")[0]) - 1].strip()
    return lines


def test_every_kind_of_fault_is_found_where_it_is() -> None:
    assert mutant_texts() == {
        "5:9:+1": "LIMIT = 8",
        "5:9:-1": "LIMIT = 6",
        "10:9:+1": "n = 1",
        "10:9:-1": "n = (-1)",
        "11:8:never": "if False:",
        "11:8:swap": "if not (x < LIMIT and not late):",
        "11:10:</<=": "if x <= LIMIT and not late:",
        "11:18:and/or": "if x < LIMIT or not late:",
        "11:22:strip": "if x < LIMIT and (late):",
        "12:9:drop": "pass",
        "12:11:+=/-=": "n -= 2",
        "12:14:+1": "n += 3",
        "12:14:-1": "n += 1",
        "14:9:drop": "pass",
        "14:13:max/min": "n = min(n, x & 4)",
        "14:22:&/|": "n = max(n, x | 4)",
        "14:24:+1": "n = max(n, x & 5)",
        "14:24:-1": "n = max(n, x & 3)",
        "15:20:range+1": "for i in range((x) + 1):",
        "15:20:range-1": "for i in range((x) - 1):",
        "16:9:drop": "pass",
        "16:11:-=/+=": "n += i",
        "17:12:return0": "return 0",
        "21:14:==/!=": "return a != 2",
        "21:17:+1": "return a == 3",
        "21:17:-1": "return a == 1",
    }


def test_blocks_part_where_the_way_parts() -> None:
    tree = ast.parse(TEXT)
    blocks = Blocks().divide(tree.body)
    lines: dict[int, set[int]] = {}
    for statement, block in blocks.of.items():
        lines.setdefault(block, set()).add(statement.lineno)
    assert sorted(map(sorted, lines.values())) == [[1, 3, 5, 8, 20], [9, 10, 11], [12], [14], [15], [16], [17], [21]]
    assert blocks.n == len(lines)


def test_the_sample_is_seeded_and_spread_over_the_files() -> None:
    mutants = [
        Mutant(f"{file}:{i}", file, 0, 0, 0, "") for file, n in (("a", 70), ("b", 20), ("c", 10)) for i in range(n)
    ]
    sample = sample_of(mutants, 20, 5)
    assert Counter(mutant.file for mutant in sample) == {"a": 14, "b": 4, "c": 2}
    assert len(set(sample)) == 20
    assert sample == sample_of(mutants, 20, 5)
    assert sample != sample_of(mutants, 20, 6)
    assert len(sample_of(mutants, 1000, 5)) == 100


@pytest.mark.parametrize("file", FILES)
def test_every_file_of_the_core_has_mutants_with_names_of_their_own(file: str) -> None:
    mutants_found = Finder(file, (scope.SRC / scope.RULES / file).read_text(encoding="utf-8")).mutants()
    assert mutants_found
    assert len({mutant.id for mutant in mutants_found}) == len(mutants_found)


def test_what_is_listed_as_equivalent_says_why() -> None:
    assert all(scope.read_equivalent().values())


def test_the_sample_can_be_listed(tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("mutants")
    command = [sys.executable, "-m", "tools.mutants", "--list", "--sample", "5", "--jobs", "1", "--resume"]
    process = subprocess.run([*command, str(folder)], cwd=scope.ROOT, capture_output=True, text=True, check=True)
    assert process.stdout.startswith("5 of ")
    assert process.stdout.count("    - ") == 5


def test_a_run_kills_what_a_test_notices_and_what_none_can_notice_survives(tmp_path: Path) -> None:
    lines = (scope.SRC / scope.RULES / "core/robber.py").read_text(encoding="utf-8").splitlines()
    place = f"core/robber.py:{1 + next(i for i, line in enumerate(lines) if line.strip() == 'waiting = 1')}"
    noticed, unnoticed = (f"{place}:13:drop", f"{place}:23:-1"), f"{place}:23:+1"
    command = [sys.executable, "-m", "tools.mutants", "--jobs", "1", "--resume", str(tmp_path), "--only", f"{place}:*"]
    tests = "tests/rules/seven_and_robber/test_seven.py"
    process = subprocess.run([*command, "--tests", tests], cwd=scope.ROOT, capture_output=True, text=True, check=False)
    assert "2 of 3 killed" in process.stdout, process.stderr
    assert process.returncode == 1  # two of three are fewer than are due
    lines = (tmp_path / "results.jsonl").read_text(encoding="utf-8").splitlines()
    results = {result["id"]: result for result in map(json.loads, lines)}
    assert {name: result["status"] for name, result in results.items()} == dict.fromkeys(noticed, "killed") | {
        unnoticed: "survived"
    }
    assert all(results[name]["by"].startswith(f"{tests}::test_") for name in noticed)
    assert f"equivalent  {unnoticed}" in process.stdout
