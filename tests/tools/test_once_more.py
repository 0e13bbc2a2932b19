"""The second try of `make test`: only for tests that wait for something, and by name."""

from __future__ import annotations

from pathlib import Path

import pytest

WAITS = """
import pytest
from pathlib import Path

def come(name):
    came, flag = Path(name).exists(), Path(name)
    flag.write_text("")
    assert came, "late"

@pytest.mark.waits
def test_late_once():
    come("once")

@pytest.mark.waits
@pytest.mark.parametrize("guest", ["Ann"])
def test_late_guest(guest):
    come(guest)

def test_passes():
    pass
"""
BROKEN = """
def test_broken():
    assert False
"""


def run_twice(pytester: pytest.Pytester, stories: str) -> tuple[int, int, str]:
    """The exit codes of a run and of its second try, and what the second try says."""
    pytester.makeconftest((Path(__file__).parents[1] / "conftest.py").read_text(encoding="utf-8"))
    pytester.makeini("[pytest]\nmarkers =\n  rule(*ids)\n  waits\n")
    pytester.makepyfile(test_stories=stories)
    first = pytester.runpytest_inprocess("-q")
    second = pytester.runpytest_inprocess("-q", "--last-failed", "--last-failed-no-failures", "none", "--once-more")
    return first.ret, second.ret, second.stdout.str() + second.stderr.str()


def test_what_waits_is_tried_once_more_and_named(pytester: pytest.Pytester) -> None:
    first, second, output = run_twice(pytester, WAITS)
    assert (first, second) == (1, 0)
    assert "Tried once more, alone, since they wait for something:" in output
    assert "test_stories.py::test_late_once" in output
    assert "test_stories.py::test_late_guest[Ann]" in output
    assert "test_passes" not in output


def test_whatever_else_failed_has_failed(pytester: pytest.Pytester) -> None:
    first, second, output = run_twice(pytester, WAITS + BROKEN)
    assert (first, second) == (1, 1)
    assert "test_stories.py::test_broken failed, and waits for nothing" in output
    assert "Tried once more" not in output


def test_what_fails_twice_is_broken(pytester: pytest.Pytester) -> None:
    first, second, output = run_twice(pytester, "import pytest\npytestmark = pytest.mark.waits\n" + BROKEN)
    assert (first, second) == (1, 1)
    assert "Tried once more" in output
