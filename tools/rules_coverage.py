"""Which rules no test shows: `python -m tools.rules_coverage [--report FILE]`.

Reads the report of a test run (`pytest --rules-report FILE`), or makes one. Due are all rules with their examples (x)
and edges (e, and s for what a screen shows). Ends with 1 when something is missing or a test names what the catalogue
does not have.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import textwrap
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from hexholm.rules.catalogue import Rule, catalogue_rules

WIDTH = 120
COLUMNS = ("rules", "examples", "edges")


@dataclass
class Chapter:
    """The names of one chapter, by column."""

    names_by_column: dict[str, list[str]] = field(default_factory=lambda: {column: [] for column in COLUMNS})

    def tally(self, column: str, covered: Collection[str]) -> str:
        """How many of a column are covered: `3/4`, or nothing for an empty column."""
        names = self.names_by_column[column]
        return f"{sum(name in covered for name in names)}/{len(names)}" if names else "-"

    def missing(self, covered: Collection[str]) -> list[str]:
        """What is not covered."""
        return [name for column in COLUMNS for name in self.names_by_column[column] if name not in covered]


def column_of(rule: Rule, name: str) -> str:
    """The column in which a name is counted."""
    part = name.removeprefix(rule.id)
    return "rules" if not part else "examples" if part.startswith(".x") else "edges"


def chapters() -> dict[str, Chapter]:
    """Every name of the catalogue, by chapter."""
    by_title: dict[str, Chapter] = {}
    for rule in catalogue_rules():
        chapter = by_title.setdefault(rule.chapter, Chapter())
        for name in rule.names:
            chapter.names_by_column[column_of(rule, name)].append(name)
    return by_title


def table(covered: Collection[str]) -> Iterable[str]:
    """The lines of the table, with the missing names of each chapter below it."""
    whole = Chapter()
    yield f"{'chapter':<9}" + "".join(f"{column:>10}" for column in COLUMNS)
    for title, chapter in chapters().items():
        yield f"{title:<9}" + "".join(f"{chapter.tally(column, covered):>10}" for column in COLUMNS)
        if missing := chapter.missing(covered):
            yield from textwrap.wrap(" ".join(missing), WIDTH, initial_indent="  ! ", subsequent_indent="    ")
        for column in COLUMNS:
            whole.names_by_column[column] += chapter.names_by_column[column]
    yield f"{'all':<9}" + "".join(f"{whole.tally(column, covered):>10}" for column in COLUMNS)


def judge(tests: Mapping[str, Collection[str]]) -> tuple[list[str], dict[str, list[str]]]:
    """The names that no test shows, and the unknown names with the tests that use them."""
    missing = [name for chapter in chapters().values() for name in chapter.missing(tests)]
    names = {name for rule in catalogue_rules() for name in rule.names}
    return missing, {name: sorted(users) for name, users in tests.items() if name not in names}


def make_report() -> dict[str, list[str]]:
    """Run the tests and read their report."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "rules.json"
        command = ["-m", "pytest", "-q", "-n", "2", "tests", "--rules-report", str(report)]
        if code := subprocess.run([sys.executable, *command], check=False).returncode:
            sys.exit(code)
        return read_report(report)


def read_report(report: Path) -> dict[str, list[str]]:
    """The report in a file."""
    tests: dict[str, list[str]] = json.loads(report.read_text(encoding="utf-8"))
    return tests


def main(arguments: list[str] | None = None) -> int:
    """Print the table; 1 if something is missing or unknown."""
    parser = argparse.ArgumentParser(prog="python -m tools.rules_coverage", description="Which rules no test shows.")
    parser.add_argument("--report", type=Path, help="report of a test run; without it the tests are run")
    options = parser.parse_args(arguments)
    tests = read_report(options.report) if options.report else make_report()
    missing, unknown = judge(tests)
    print("\n".join(table(tests)))
    print("columns: covered / due")
    for name, users in unknown.items():
        print(f"unknown: {name} in {', '.join(users)}")
    print(f"{len(missing)} missing, {len(unknown)} unknown")
    return 1 if missing or unknown else 0


if __name__ == "__main__":
    sys.exit(main())
