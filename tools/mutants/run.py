"""One run of the tool: which tests reach what, the mutants that are left to try, and the report."""

from __future__ import annotations

import compileall
import contextlib
import functools
import itertools
import json
import os
import sys
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from pathlib import Path
from typing import Any

from .mutation_sites import Finder, Mutant
from .process import Reach, ReachMap, Watch, run_pytest
from .scope import (
    CONTROL,
    DEAD,
    ENOUGH,
    EQUIVALENT,
    FILES,
    HELPERS,
    ROOT,
    RULES,
    TESTS,
    NoHypothesis,
    files_below,
    test_files,
)
from .slots import Job, Slots, digest


class Run:
    """One run of the tool."""

    def __init__(self, folder: Path, jobs: int, scratch: Path, tests: Sequence[str] = TESTS) -> None:
        self.folder, self.jobs, self.tests = folder, jobs, tests
        folder.mkdir(parents=True, exist_ok=True)
        self.slots = Slots(scratch, jobs)
        self.source = self.slots.snapshot
        self.finders = {file: Finder(file, text) for file, text in self.slots.texts.items()}
        self.population = [mutant for finder in self.finders.values() for mutant in finder.mutants()]
        places = itertools.accumulate((finder.blocks.n for finder in self.finders.values()), initial=0)
        self.offsets = dict(zip(FILES, places, strict=False))
        self.total = sum(finder.blocks.n for finder in self.finders.values())
        paths = [path for name in TESTS + HELPERS for path in files_below(ROOT / name)]
        self.helpers = digest(ROOT, [path for path in paths if not path.name.startswith("test_")])
        self.tests_hash = " ".join([digest(ROOT, paths), *(tests if tests != TESTS else ())])
        self.reached: dict[str, Reach] = {}
        self.early = 0
        self.results = self._earlier_results()

    def _earlier_results(self) -> dict[str, dict[str, Any]]:
        """Results of earlier runs that still hold."""
        results = {}
        path = self.folder / "results.jsonl"
        if path.exists():
            for line in path.read_text(encoding="utf-8").splitlines():
                with contextlib.suppress(json.JSONDecodeError):  # a run may have been stopped while writing
                    result = json.loads(line)
                    if result["source"] == self.source and (
                        result["tests"] == self.tests_hash
                        or (result["status"] in DEAD and result["killer"] == self._killer_hash(result["by"]))
                    ):
                        results[result["id"]] = result
        return results

    @functools.cache  # noqa: B019  # one run, a few files
    def _file_hash(self, name: str) -> str:
        return digest(ROOT, [ROOT / name]) + self.helpers

    def _killer_hash(self, test: str) -> str:
        return self._file_hash(test.partition("::")[0]) if test else self.tests_hash

    # the map

    def map_tests(self) -> None:
        """Learn which tests reach what, or read it from an earlier run."""
        path = self.folder / "map.json"
        key = f"{self.source} {self.tests_hash} {isinstance(sys.modules['hypothesis'], NoHypothesis)}"
        reach_map: dict[str, Any] = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
        if reach_map.get("key") != key:
            reach_map = self._make_map() | {"key": key}
            path.write_text(json.dumps(reach_map), encoding="utf-8")
        self.reached = {test: Reach(seconds, int(bits, 16)) for test, (seconds, bits) in reach_map["tests"].items()}
        self.early = int(reach_map["early"], 16)
        seconds = sum(reached.seconds for reached in self.reached.values())
        print(f"{len(self.reached)} rule tests take {seconds:.0f} s; {reach_map['unmarked']} others there show no rule")
        for outcome, n in sorted(Counter(reach_map["bad"].values()).items()):
            examples = [test for test, status in reach_map["bad"].items() if status == outcome]
            print(f"not counted, since without a fault {n} ended as {outcome!r}: {', '.join(examples[:3])} ...")

    def _make_map(self) -> dict[str, Any]:
        print(f"learning which tests reach which of {self.total} blocks ...", flush=True)
        started_at = time.monotonic()
        whole: dict[str, Any] = {"tests": {}, "bad": {}, "early": 0, "unmarked": 0}

        def begin(src: Path, part: int) -> Callable[[], dict[str, Any]]:
            def work() -> dict[str, Any]:
                plugin = ReachMap(part, self.jobs, self.offsets, self.total)
                plugin.instrument()
                for cached in (src / RULES).rglob("__pycache__/*.pyc"):
                    cached.unlink()
                run_pytest(src, plugin, test_files(self.tests))
                return plugin.result()

            return work

        def done(answer: dict[str, Any] | None, _: float) -> None:
            if answer is None or not answer["tests"]:
                raise SystemExit(f"the tests do not run without a fault: {answer and answer['bad']}")
            whole["tests"].update(answer["tests"])
            whole["bad"].update(answer["bad"])
            whole["early"] |= int(answer["early"], 16)
            whole["unmarked"] = answer["unmarked"]

        self.slots.run(Job("map", functools.partial(begin, part=part), done, 3600) for part in range(self.jobs))
        for slot in range(self.jobs):
            compileall.compile_dir(self.slots.folder / str(slot) / "src" / RULES, quiet=2)
        print(f"... took {time.monotonic() - started_at:.0f} s")
        return whole | {"early": f"{whole['early']:x}"}

    def tests_for(self, mutant: Mutant) -> tuple[list[str], bool]:
        """The tests that may notice a mutant, likely quick ones first; and whether that is all of them."""
        block = self.offsets[mutant.file] + mutant.block
        reaching = [test for test, reached in self.reached.items() if reached.blocks >> block & 1]
        ordered = self._quick_first(reaching)
        if mutant.block and not self.early >> block & 1:
            return ordered, False
        return ordered + self._quick_first(set(self.reached) - set(reaching)), True

    def _quick_first(self, tests: Collection[str]) -> list[str]:
        """By time; further cases of one parametrized test count as slower, since they are likely to agree."""
        nth: Counter[str] = Counter()
        costs = {}
        for test in sorted(tests, key=lambda test: (self.reached[test].seconds, test)):
            function = test.partition("[")[0]
            nth[function] += 1
            costs[test] = self.reached[test].seconds * nth[function]
        return sorted(costs, key=lambda test: (costs[test], test))

    # mutants

    def attempt(
        self, src: Path, mutant: Mutant | None, tests: Sequence[str], whole: bool
    ) -> Callable[[], dict[str, Any]]:
        """Put the mutant into the copy `src`, and the original back into all other files; returns what to run there."""
        for file, text in self.slots.texts.items():
            path = src / RULES / file
            if mutant is not None and file == mutant.file:
                path.write_text(self.finders[file].with_fault(mutant), encoding="utf-8")
                os.utime(path, (1, 1))  # so that no compiled file seems to belong to it
            elif path.stat().st_mtime == 1:
                path.write_text(text, encoding="utf-8")
                os.utime(path, ns=(self.slots.times[file],) * 2)

        def work() -> dict[str, Any]:
            watch = Watch(src, tests, self.reached, whole)
            files = test_files(self.tests) if whole else sorted({test.partition("::")[0] for test in tests})
            run_pytest(src, watch, files)
            return watch.result()

        return work

    def note(self, name: str, answer: dict[str, Any], seconds: float) -> None:
        """Keep a result."""
        result = {"id": name, **answer, "seconds": round(seconds, 2)}
        result |= {"source": self.source, "tests": self.tests_hash, "killer": self._killer_hash(answer["by"])}
        self.results[name] = result
        with (self.folder / "results.jsonl").open("a", encoding="utf-8") as file:
            file.write(json.dumps(result) + "\n")

    def control(self) -> Iterator[Job]:
        """The core without a fault must pass, in the order in which mutants are shown to the tests."""
        ordered = self._quick_first(self.reached)
        for part in range(self.jobs):
            tests = ordered[part :: self.jobs]

            def begin(src: Path, tests: list[str] = tests) -> Callable[[], dict[str, Any]]:
                return self.attempt(src, None, tests, False)

            def done(answer: dict[str, Any] | None, seconds: float, name: str = f"{CONTROL} {part}") -> None:
                answer = answer or {"status": "killed", "by": "", "why": "its process died", "ran": 0}
                if answer["status"] != "survived":
                    raise SystemExit(f"without a fault {answer['by']} failed: {answer['why']}")
                self.note(name, answer, seconds)

            yield Job(CONTROL, begin, done, 3600)

    def jobs_for(self, mutants: Sequence[Mutant], until: float) -> Iterator[Job]:
        """A job for each mutant without a result, as long as there is time; those that may take long begin first."""
        todo = [(mutant, *self.tests_for(mutant)) for mutant in mutants if mutant.id not in self.results]
        todo.sort(key=lambda job: -sum(self.reached[test].seconds for test in job[1]))
        n = len(todo)
        if n < len(mutants):
            print(f"{len(mutants) - n} of {len(mutants)} are known from earlier runs")
        numbers = itertools.count(1)
        for mutant, tests, whole in todo:
            if time.monotonic() > until:
                return

            def done(answer: dict[str, Any] | None, seconds: float, mutant: Mutant = mutant) -> None:
                answer = answer or {"status": "timed out", "by": "", "why": "its process was stopped or died", "ran": 0}
                self.note(mutant.id, answer, seconds)
                by = f" by {answer['by']}" if answer["by"] else ""
                print(f"{next(numbers):4}/{n} {seconds:6.1f} s  {answer['status']:9}  {mutant.id}{by}", flush=True)

            if not tests:
                done({"status": "survived", "by": "", "why": "no test reaches it", "ran": 0}, 0.0)
                continue

            def begin(
                src: Path, mutant: Mutant = mutant, tests: list[str] = tests, whole: bool = whole
            ) -> Callable[[], dict[str, Any]]:
                return self.attempt(src, mutant, tests, whole)

            yield Job(mutant.id, begin, done, 90 + 3 * sum(self.reached[test].seconds for test in tests))

    # the report

    def difference(self, mutant: Mutant) -> str:
        """The line with the fault, before and after."""
        text = self.slots.texts[mutant.file]
        start = text.rfind("\n", 0, mutant.start) + 1
        end = text.find("\n", mutant.end)
        before, after = text[start:end], text[start : mutant.start] + mutant.new + text[mutant.end : end]
        return f"- {' '.join(before.split())}\n    + {' '.join(after.split())}"

    def report(self, mutants: Sequence[Mutant], equivalent: dict[str, str]) -> int:
        """Print what became of the mutants; returns the exit status."""
        tried = [mutant for mutant in mutants if mutant.id in self.results]
        print(f"\n{'file':26}{'mutants':>8}{'killed':>8}{'timed out':>11}{'survived':>10}{'equivalent':>12}")
        for name in (*FILES, "all"):
            own = [mutant.id for mutant in tried if name in (mutant.file, "all")]
            if own:
                counts = Counter(self.results[mutant_id]["status"] for mutant_id in own)
                equivalent_count = sum(
                    self.results[mutant_id]["status"] == "survived" and mutant_id in equivalent for mutant_id in own
                )
                columns = f"{counts['killed']:8}{counts['timed out']:11}{counts['survived']:10}{equivalent_count:12}"
                print(f"{name:26}{len(own):8}{columns}")
        survivors = [mutant for mutant in tried if self.results[mutant.id]["status"] == "survived"]
        unexplained = [mutant for mutant in survivors if mutant.id not in equivalent]
        for mutant in sorted(survivors, key=lambda mutant: (mutant.file, mutant.start)):
            result = self.results[mutant.id]
            reason = equivalent.get(mutant.id) or result["why"] or f"{result['ran']} tests passed"
            print(f"\n{'equivalent' if mutant.id in equivalent else 'SURVIVED'}  {mutant.id}  ({reason})")
            print(f"    {self.difference(mutant)}")
        for name in equivalent:
            if self.results.get(name, {}).get("status") in DEAD:
                print(f"\n{name} is listed as equivalent, but {self.results[name]['by']} tells it apart")
        unknown = set(equivalent) - {mutant.id for mutant in self.population}
        if unknown:
            print(f"\nin {EQUIVALENT.name}, but no mutant: {', '.join(sorted(unknown))}")
        killed = len(tried) - len(survivors)
        share = killed / len(tried) if tried else 0.0
        seconds = sum(self.results[mutant.id]["seconds"] for mutant in tried)
        print(f"\n{killed} of {len(tried)} killed: {share:.1%} (due: {ENOUGH:.0%}); {seconds:.0f} s of work")
        if len(tried) < len(mutants):
            print(f"{len(mutants) - len(tried)} are still to do; the same command goes on")
        if unexplained:
            print(f"{len(unexplained)} survivors need a test, or a line in {EQUIVALENT.relative_to(ROOT)}")
        return 1 if share < ENOUGH or unexplained or len(tried) < len(mutants) else 0
