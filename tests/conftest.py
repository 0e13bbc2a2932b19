"""Shared by all tests: the report which rules passing tests show, repeatable property tests, and a second try.

A test names what it shows: `@pytest.mark.rule("SEVEN-02", "SEVEN-02.e1")`. With `--rules-report FILE` the run writes
JSON of {name: [tests that passed]}, also when the tests run in several processes: the names travel in the reports.

A test that waits for processes, servers or a browser says so: `pytestmark = pytest.mark.waits`. On a busy machine one
of them is sometimes late, so `--once-more` tries those that failed a second time. Whatever else failed has failed.
"""

from __future__ import annotations

import gc
import json
import os
from collections.abc import Generator
from pathlib import Path
from typing import Any

import hypothesis
import pytest

# `make test` must say the same twice; HYPOTHESIS_PROFILE=explore looks for new examples.
hypothesis.settings.register_profile("repeatable", derandomize=True, deadline=None, database=None)
hypothesis.settings.register_profile("explore", deadline=None, max_examples=1000)
hypothesis.settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "repeatable"))


TRACED = ("zip", "fifth")
"""Tests in other editions run without tracing coverage: it doubles their time, and these go through the same lines."""

TOGETHER = ("tests/bots/", "tests/older_versions/")
"""They share what is slow to load, or to start: the kernels of all players, servers with old databases."""


class RulesReport:
    """Collects, in the controlling process, the names that passing tests show."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.names_by_test: dict[str, list[str]] = {}  # test: names
        self.failed: set[str] = set()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Note a test that passed; a failure in its set-up or tear-down takes it back."""
        if report.failed:
            self.failed.add(report.nodeid)
        elif report.when == "call" and report.passed and not hasattr(report, "wasxfail"):
            names = [name for key, name in report.user_properties if key == "rule"]
            self.names_by_test[report.nodeid] = [str(name) for name in names]

    def pytest_sessionfinish(self) -> None:
        """Write the report."""
        tests: dict[str, list[str]] = {}
        for test in sorted(set(self.names_by_test) - self.failed):
            for name in self.names_by_test[test]:
                tests.setdefault(name, []).append(test)
        self.path.write_text(json.dumps(tests, indent=1, sort_keys=True) + "\n", encoding="utf-8")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--rules-report", metavar="FILE", type=Path, help="write which rules passing tests show, as JSON")
    parser.addoption(
        "--once-more", action="store_true", help="with --lf: try only what is marked as waiting; else fail"
    )


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """`--dist loadgroup`: a test at a time to a worker that is free; first, and to one worker each, whole folders.

    xdist's own marks for that are not seen: version 3.8 writes them into names that pytest 9.2 no longer reads.
    """
    if config.getvalue("dist") != "loadgroup":
        return None
    from xdist.scheduler import LoadScopeScheduling  # type: ignore[import-untyped]

    scheduler = LoadScopeScheduling(config, log)
    scheduler._split_scope = lambda name: next((folder for folder in TOGETHER if name.startswith(folder)), name)
    return scheduler


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, Any, Any]:
    """Nothing that is loaded before the first test is garbage, and it need not be looked through in vain later."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


def pytest_configure(config: pytest.Config) -> None:
    path = config.getoption("--rules-report")
    if path is not None and not hasattr(config, "workerinput"):  # a worker only passes its reports on
        config.pluginmanager.register(RulesReport(path), "rules-report")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    for item in items:
        names = {str(name) for mark in item.iter_markers("rule") for name in mark.args}
        item.user_properties.extend(("rule", name) for name in sorted(names))
        edition = item.callspec.params.get("edition") if hasattr(item, "callspec") else None
        if edition is not None and edition not in TRACED:
            item.add_marker("no_cover")
    if config.getoption("--once-more"):
        _check_once_more(config, items)


def _check_once_more(config: pytest.Config, items: list[pytest.Item]) -> None:
    assert config.cache is not None
    failed_names = config.cache.get("cache/lastfailed", {})
    failed = [item for item in items if item.nodeid in failed_names]
    for item in failed:
        if item.get_closest_marker("waits") is None:
            pytest.exit(f"{item.nodeid} failed, and waits for nothing that could have been late", returncode=1)
    print("\nTried once more, alone, since they wait for something:", *(item.nodeid for item in failed), sep="\n  ")
