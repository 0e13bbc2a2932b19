"""The examples run, say something, warn about nothing, and are short."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.waits

EXAMPLES = sorted((Path(__file__).parent.parent / "examples").glob("*.py"))


def test_there_are_examples_numbered_in_order() -> None:
    assert [path.name[:3] for path in EXAMPLES] == [f"{n:02}_" for n in range(1, len(EXAMPLES) + 1)]
    assert len(EXAMPLES) >= 8


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_an_example_runs_without_a_warning(path: Path, tmp_path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 60
    assert f"python examples/{path.name}" in text
    command = [sys.executable, "-W", "error", str(path)]
    process = subprocess.run(command, check=False, capture_output=True, text=True, cwd=tmp_path, timeout=240)
    assert process.returncode == 0, process.stderr
    assert process.stdout.strip()
    assert process.stderr == ""
