"""What runs in a forked process: the tests on one mutant, or on the core without a fault to see what they reach."""

from __future__ import annotations

import ast
import builtins
import importlib.abc
import importlib.machinery
import json
import os
import resource
import signal
import sys
import time
import types
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

from .mutation_sites import Blocks
from .scope import FILES, HITS, MEMORY, ROOT, RULES, TESTS


class TooSlow(BaseException):
    """A test took far longer than without the fault. No `except Exception` of a test can catch it."""


class NoCompiler(importlib.abc.MetaPathFinder):
    """Skips a test that asks for the compiler: compiling every mutant would take minutes."""

    def find_spec(self, name: str, *_: object) -> None:
        """Skip at the import of numba; leave all else to others."""
        import pytest

        if name.partition(".")[0] in ("numba", "llvmlite"):
            pytest.skip("the compiler is off", allow_module_level=True)


@dataclass
class Reach:
    """What one test did without a fault: its time, and the blocks it reached as bits."""

    seconds: float
    blocks: int


class Watch:
    """A pytest plugin: chooses and orders the tests, limits their time, and remembers how they ended."""

    def __init__(self, src: Path, order: Sequence[str], reaches: dict[str, Reach], whole: bool) -> None:
        self.src, self.order, self.reaches, self.whole = src, order, reaches, whole
        self.seconds = 30 + 3 * sum(reaches[test].seconds for test in order)
        self.until = time.monotonic() + self.seconds
        self.status, self.by, self.why, self.ran = "survived", "", "", 0

    def pytest_collection_modifyitems(self, items: list[Any]) -> None:
        """Keep what is to run, in the order asked for."""
        hexholm = sys.modules["hexholm"]
        assert hexholm.__file__ is not None
        assert Path(hexholm.__file__).is_relative_to(self.src), f"{hexholm.__file__} is not the copy"
        by_name = {item.nodeid: item for item in items}
        selected = [by_name.pop(test) for test in self.order if test in by_name]
        if self.whole:  # tests are made from what the core says on import, so there may be new ones
            selected += [item for item in by_name.values() if item.nodeid not in self.reaches and is_rule_test(item)]
        items[:] = selected

    def pytest_runtest_protocol(self, item: Any) -> None:
        """Set the clock; a test that swallows the alarm is told again."""
        reach = self.reaches.get(item.nodeid)
        limit = 4 + 10 * reach.seconds if reach else 60.0
        signal.setitimer(signal.ITIMER_REAL, max(0.1, min(limit, self.until - time.monotonic())), 1.0)

    def pytest_runtest_logfinish(self) -> None:
        """Stop the clock."""
        signal.setitimer(signal.ITIMER_REAL, 0)
        self.ran += 1

    def alarm(self, *_: object) -> NoReturn:
        """The time is up."""
        self.status = "timed out"
        raise TooSlow

    def pytest_runtest_logreport(self, report: Any) -> None:
        """Note a failure."""
        if report.failed and not self.by:
            self._note(report)

    def pytest_collectreport(self, report: Any) -> None:
        """Note that the tests cannot even be read."""
        if report.failed and not self.by:
            self._note(report)

    def _note(self, report: Any) -> None:
        self.by = report.nodeid
        self.status = "timed out" if self.status == "timed out" else "killed"
        crash = getattr(report.longrepr, "reprcrash", None)
        lines = (crash.message if crash else str(report.longrepr)).strip().splitlines() or [""]
        self.why = (lines[0] if crash else lines[-1])[:160]

    def result(self) -> dict[str, Any]:
        """For the parent process."""
        return {"status": self.status, "by": self.by, "why": self.why, "ran": self.ran}


class ReachMap:
    """A pytest plugin: runs every `parts`-th test and notes how long it takes and which blocks it reaches."""

    def __init__(self, part: int, parts: int, offsets: dict[str, int], total: int) -> None:
        self.part, self.parts, self.offsets = part, parts, offsets
        self.hits = bytearray(total)
        self.early = 0
        self.started_at = 0.0
        self.reached: dict[str, tuple[float, str]] = {}
        self.bad: dict[str, str] = {}
        self.unmarked = 0
        setattr(builtins, HITS, self.hits)

    def instrument(self) -> None:
        """From now on the core is imported with a probe in each block."""
        plain = importlib.machinery.SourceFileLoader.source_to_code

        def with_probes(loader: Any, data: Any, path: Any, **options: Any) -> types.CodeType:
            _, _, file = Path(str(path)).as_posix().rpartition(f"{RULES.as_posix()}/")
            if file not in FILES:
                return plain(loader, data, path, **options)
            tree = ast.parse(data)
            for body, index, block in reversed(Blocks().divide(tree.body).probes):
                probe = ast.parse(f"{HITS}[{self.offsets[file] + block}] = 1").body[0]
                body.insert(index, probe)
            return compile(ast.fix_missing_locations(tree), str(path), "exec", dont_inherit=True)

        importlib.machinery.SourceFileLoader.source_to_code = with_probes  # type: ignore[assignment,method-assign]

    def take(self) -> int:
        """The blocks reached since last time."""
        bits = sum(1 << block for block, hit in enumerate(self.hits) if hit)
        self.hits[:] = bytes(len(self.hits))
        return bits

    def pytest_collection_modifyitems(self, items: list[Any]) -> None:
        """Take every `parts`-th rule test."""
        self.early |= self.take()
        counting = [item for item in items if is_rule_test(item)]
        self.unmarked = len(items) - len(counting)
        items[:] = counting[self.part :: self.parts]

    def pytest_runtest_protocol(self) -> None:
        """Begin with nothing reached and no board read before."""
        for name, module in list(sys.modules.items()):
            if name.startswith("hexholm.rules.boards"):
                for value in list(vars(module).values()):
                    if hasattr(value, "cache_clear"):
                        value.cache_clear()
        self.take()
        self.started_at = time.perf_counter()

    def pytest_runtest_logreport(self, report: Any) -> None:
        """Keep the time and the blocks of a test that passed."""
        if report.outcome != "passed" or hasattr(report, "wasxfail"):
            self.bad[report.nodeid] = report.outcome
        elif report.when == "teardown":
            self.reached[report.nodeid] = (round(time.perf_counter() - self.started_at, 4), f"{self.take():x}")

    def pytest_collectreport(self, report: Any) -> None:
        """A file that cannot be read."""
        if report.failed:
            self.bad[report.nodeid] = str(report.longrepr).strip().splitlines()[-1]

    def result(self) -> dict[str, Any]:
        """For the parent process."""
        tests = {test: reached for test, reached in self.reached.items() if test not in self.bad}
        return {"tests": tests, "bad": self.bad, "early": f"{self.early:x}", "unmarked": self.unmarked}


def is_rule_test(item: Any) -> bool:
    """Whether a test is a rule test."""
    return item.nodeid.startswith(TESTS[1]) or item.get_closest_marker("rule") is not None


def run_pytest(src: Path, plugin: Any, files: Sequence[str]) -> None:
    """Run tests on the core in `src`, in this process."""
    import pytest

    os.chdir(ROOT)
    os.environ.update(PYTHONPATH=str(src), HEXHOLM_INTERPRETED="1", PYTHONDONTWRITEBYTECODE="1")
    sys.path.insert(0, str(src))
    sys.dont_write_bytecode = True
    sys.meta_path.insert(0, NoCompiler())
    options = ["-q", "--assert=plain", "--tb=short", f"--rootdir={ROOT}", "-o", "addopts=--import-mode=importlib"]
    for name in ("cacheprovider", "xdist", "faulthandler"):
        options += ["-p", f"no:{name}"]
    if isinstance(plugin, Watch):
        options.append("-x")
        signal.signal(signal.SIGALRM, plugin.alarm)
    pytest.main([*options, *files], plugins=[plugin])


def fork(work: Callable[[], dict[str, Any]], answer: Path, log: Path) -> int:
    """Run `work` in a process of its own, which leaves its answer in a file; returns the process id at once."""
    sys.stdout.flush()
    sys.stderr.flush()
    process = os.fork()
    if process:
        return process
    status = 1
    try:
        os.setsid()
        for number, mode in ((0, os.O_RDONLY), (1, os.O_WRONLY), (2, os.O_WRONLY)):
            target = os.devnull if number == 0 else str(log)
            os.dup2(os.open(target, mode | (os.O_CREAT | os.O_APPEND if number else 0), 0o644), number)
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        result = work()
        signal.setitimer(signal.ITIMER_REAL, 0)
        answer.with_suffix(".new").write_text(json.dumps(result), encoding="utf-8")
        answer.with_suffix(".new").replace(answer)
        status = 0
    finally:
        os._exit(status)
