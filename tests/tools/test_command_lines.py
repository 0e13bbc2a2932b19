"""Every tool is run as `python -m tools.NAME`, and says what it does."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import tools

FOLDER = Path(tools.__file__).parent
NAMES = sorted(
    [path.stem for path in FOLDER.glob("[a-z]*.py")] + [path.parent.name for path in FOLDER.glob("*/__main__.py")]
)


def test_tools_are_found() -> None:
    assert {"fitting", "generated", "mutants"} <= set(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_a_tool_says_what_it_does(name: str) -> None:
    command = [sys.executable, "-m", f"tools.{name}", "--help"]
    process = subprocess.run(command, cwd=FOLDER.parent, capture_output=True, text=True, check=True)
    usage, description, *_ = process.stdout.split("\n\n")
    assert usage.startswith(f"usage: python -m tools.{name} ")
    assert description.strip().endswith((".", "?"))
