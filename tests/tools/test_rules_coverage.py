"""The report of covered rules, and the plugin that makes it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from hexholm.rules.catalogue import catalogue_rules
from tools import rules_coverage

STORIES = """
import pytest

@pytest.fixture
def breaks_down():
    yield
    raise RuntimeError

@pytest.mark.rule("SEVEN-01", "SEVEN-02.e1")
def test_passes():
    pass

@pytest.mark.rule("SEVEN-02.e1")
@pytest.mark.parametrize("n", [1, 2])
def test_also_passes(n):
    pass

@pytest.mark.rule("SEVEN-03")
def test_fails():
    assert False

@pytest.mark.rule("SEVEN-04")
def test_fails_late(breaks_down):
    pass

@pytest.mark.rule("SEVEN-05")
@pytest.mark.skip(reason="to see that it does not count")
def test_is_skipped():
    pass

@pytest.mark.rule("SEVEN-06")
@pytest.mark.xfail(reason="to see that it does not count")
def test_fails_as_expected():
    assert False
"""


@pytest.mark.parametrize("processes", ["0", "2"])
def test_only_passing_tests_are_reported(pytester: pytest.Pytester, processes: str) -> None:
    pytester.makeconftest((Path(__file__).parents[1] / "conftest.py").read_text(encoding="utf-8"))
    pytester.makeini("[pytest]\nmarkers = rule(*ids)\n")
    pytester.makepyfile(test_stories=STORIES)
    assert pytester.runpytest_inprocess("-q", "-n", processes, "--rules-report", "report.json").ret == 1
    stories = "test_stories.py::test_"
    assert json.loads((pytester.path / "report.json").read_text()) == {
        "SEVEN-01": [stories + "passes"],
        "SEVEN-02.e1": [stories + "also_passes[1]", stories + "also_passes[2]", stories + "passes"],
    }


def due_names() -> set[str]:
    """All that is due: written the long way round, to check the report."""
    due = set()
    for rule in catalogue_rules():
        due |= {rule.id, *(f"{rule.id}.{name}" for name in (*rule.examples, *rule.edges))}
    return due


def run_report(tmp_path: Path, names: set[str]) -> int:
    """Write a report in which one test shows `names`, and judge it."""
    report = tmp_path / "report.json"
    report.write_text(json.dumps({name: ["test_all"] for name in names}))
    return rules_coverage.main(["--report", str(report)])


def test_a_full_report_passes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run_report(tmp_path, due_names()) == 0
    output = capsys.readouterr().out
    assert "0 missing, 0 unknown" in output
    assert "!" not in output


@pytest.mark.parametrize("name", ["SEVEN-02", "SEVEN-02.e1", "MAP-04.x1", "MAP-08.s1", "ALM-01"])
def test_one_missing_name_fails_and_is_listed(tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str) -> None:
    assert name in due_names()
    assert run_report(tmp_path, due_names() - {name}) == 1
    assert f"  ! {name}\n" in capsys.readouterr().out


def test_an_unknown_name_fails_with_the_tests_that_use_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run_report(tmp_path, due_names() | {"SEVEN-02.e99"}) == 1
    assert "unknown: SEVEN-02.e99 in test_all" in capsys.readouterr().out


def test_without_tests_everything_is_missing() -> None:
    missing, _ = rules_coverage.judge({})
    assert set(missing) == due_names()
    assert len(missing) == len(due_names())
