"""Would the rule tests notice a wrong rule? `python -m tests.tools.mutants`: small faults in the core, one at a time.

A *mutant* is the core with one small fault: a comparison moved, a constant one off, a statement left out. It is
*killed* when a test fails, or takes far longer than it should. Places are found with `ast`; the fault is spliced into
the text, so the rest of the file stays as it is. A mutant is named `file:line:column:operator`; the operators:

    </<=  ==/!=  +/-  &/|  <</>>  and/or  min/max  true/false    one operator, function or truth value for another
    +1  -1                   a number one off             range+1  range-1   a bound of a range one off
    not                      a condition turned round     swap               the branches of if and else exchanged
    strip                    `-`, `~` or `not` left out   drop               a statement left out
    return+1  return0  return-not                         another number or truth value returned

What counts as a rule test: a test in tests/rules with a rule mark, and tests/core/test_roads.py. They run interpreted.
A first run notes which tests reach which block of the core and how long they take. A mutant is then shown only to the
tests that reach its block, quick ones first, up to the first that fails; one in code that runs on import is shown to
all. A control, the core without a fault, must pass all tests in the same order.

Every mutant runs in a process of its own, forked before the core is imported, with its own copy of src/. Results lie in
the folder `--resume`; a run goes on where the last one stopped. A changed core drops them all; changed tests drop the
survivors, and those whose killer changed. Survivors that no test can tell from the original are listed, with the
reason, in equivalent_mutants.txt. Ends with 1 when fewer than 90 % are killed or a survivor is not listed there.
"""

from __future__ import annotations

import argparse
import ast
import bisect
import builtins
import compileall
import contextlib
import fnmatch
import functools
import hashlib
import importlib.abc
import importlib.machinery
import importlib.util
import io
import itertools
import json
import math
import os
import random
import resource
import shutil
import signal
import sys
import tempfile
import time
import tokenize
import types
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, NoReturn

ROOT: Final = Path(__file__).resolve().parents[2]
SRC: Final = ROOT / "src"
CORE: Final = Path("hexholm/rules/core")
FILES: Final = (
    "awards.py", "belief.py", "building.py", "cards.py", "chance.py", "dice.py", "drivers/entry_points.py",
    "encoding/actions.py", "encoding/lanes.py", "legal.py", "nature.py", "offers.py", "phases.py", "placement.py",
    "production.py", "roads.py", "robber.py", "step.py", "supply.py", "turn.py", "variable_setup.py", "verdict.py",
    "view.py",
)  # fmt: skip
"""The rules. Left out: structs and refusals (fields and texts), and the drivers that the rule tests do not use:
batch, action numbers, perft, playout."""
TESTS: Final = ("tests/rules", "tests/core/test_roads.py")
HELPERS: Final = ("tests/conftest.py", "tests/naive")
EQUIVALENT: Final = Path(__file__).with_name("equivalent_mutants.txt")
ENOUGH: Final = 0.90
MEMORY: Final = 6 << 30
HITS: Final = "__hexholm_hits__"
CONTROL: Final = "control"
DEAD: Final = ("killed", "timed out")

# --- places to go wrong -----------------------------------------------------------------------------------------------

OTHER: Final = {
    "<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==", "in": "not in", "not in": "in",
    "is": "is not", "is not": "is", "+": "-", "-": "+", "*": "//", "//": "*", "%": "//", "/": "*", "&": "|", "|": "&",
    "^": "|", "<<": ">>", ">>": "<<", "and": "or", "or": "and", "+=": "-=", "-=": "+=", "*=": "//=", "//=": "*=",
    "&=": "|=", "|=": "&=", "^=": "|=", "<<=": ">>=", ">>=": "<<=",
}  # fmt: skip
EQUALITIES: Final = (ast.Eq, ast.NotEq, ast.In, ast.NotIn, ast.Is, ast.IsNot)
COMPOUND: Final = (ast.If, ast.For, ast.While, ast.With, ast.Try)
BODIES: Final = ("body", "orelse", "finalbody")
LEFT_ALONE: Final = (*BODIES, "handlers", "annotation", "returns", "decorator_list", "args")


@dataclass(frozen=True)
class Mutant:
    """One fault: `new` in place of the characters from `start` to `end` of a file; `block` says which code it is in."""

    id: str
    file: str
    block: int
    start: int
    end: int
    new: str


@dataclass
class Blocks:
    """The code of a module in blocks: what runs together once its first statement runs. Block 0 runs on import."""

    probes: list[tuple[list[ast.stmt], int, int]] = field(default_factory=list)  # a body, an index in it, a block
    of: dict[ast.stmt, int] = field(default_factory=dict)
    n: int = 1

    def divide(self, body: list[ast.stmt], on_import: bool = True) -> Blocks:
        """Number the blocks of `body` and of all bodies in it."""
        block = 0 if on_import else self._begin(body, 1 if _is_docstring(body[0]) else 0)
        for i, statement in enumerate(body):
            self.of[statement] = block
            inside = on_import and not isinstance(statement, ast.FunctionDef)
            for name in BODIES:
                if getattr(statement, name, None):
                    self.divide(getattr(statement, name), inside)
            if not on_import and isinstance(statement, COMPOUND) and i + 1 < len(body):
                block = self._begin(body, i + 1)  # it may not come to this
        return self

    def _begin(self, body: list[ast.stmt], index: int) -> int:
        self.probes.append((body, index, self.n))
        self.n += 1
        return self.n - 1


def _is_docstring(statement: ast.stmt) -> bool:
    return (
        isinstance(statement, ast.Expr)
        and isinstance(statement.value, ast.Constant)
        and isinstance(statement.value.value, str)
    )


class Finder:
    """Finds the mutants of one file."""

    def __init__(self, file: str, text: str) -> None:
        self.file, self.text = file, text
        self.tree = ast.parse(text)
        self.blocks = Blocks().divide(self.tree.body)
        self.lines = text.splitlines(keepends=True)
        self.line_starts = [0, *itertools.accumulate(len(line) for line in self.lines)]
        self.tokens: list[tuple[int, int, str]] = []
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if token.type in (tokenize.OP, tokenize.NAME) and token.string not in ("(", ")"):
                start, end = (self.line_starts[line - 1] + column for line, column in (token.start, token.end))
                self.tokens.append((start, end, token.string))
        self.found: dict[tuple[int, int, str], Mutant] = {}
        self.block = 0

    def mutants(self) -> list[Mutant]:
        """All mutants of the file, in the order of their places."""
        self._statements(self.tree.body, None, set())
        ordered = sorted(self.found.values(), key=lambda mutant: (mutant.start, mutant.end, mutant.id))
        twice = [name for name, n in Counter(mutant.id for mutant in ordered).items() if n > 1]
        assert not twice, f"two mutants have one name: {twice}"
        return ordered

    def with_fault(self, mutant: Mutant) -> str:
        """The text of the file with the fault in it."""
        return self.text[: mutant.start] + mutant.new + self.text[mutant.end :]

    # places in the text

    def _offset(self, line: int, column: int) -> int:
        return self.line_starts[line - 1] + len(self.lines[line - 1].encode()[:column].decode())

    def _span(self, node: ast.expr | ast.stmt) -> tuple[int, int]:
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        return self._offset(node.lineno, node.col_offset), self._offset(node.end_lineno, node.end_col_offset)

    def _source(self, node: ast.expr) -> str:
        start, end = self._span(node)
        return self.text[start:end]

    def _add(self, span: tuple[int, int], new: str, operator: str) -> None:
        start, end = span
        line = bisect.bisect_right(self.line_starts, start)
        name = f"{self.file}:{line}:{start - self.line_starts[line - 1] + 1}:{operator}"
        self.found.setdefault((start, end, new), Mutant(name, self.file, self.block, start, end, new))

    def _swap_between(self, left: ast.expr, right: ast.expr) -> None:
        """Exchange the operator that stands between two operands."""
        after, before = self._span(left)[1], self._span(right)[0]
        first = bisect.bisect_left(self.tokens, (after, 0, ""))
        between = list(itertools.takewhile(lambda token: token[1] <= before, self.tokens[first : first + 4]))
        old = " ".join(string for _, _, string in between)
        if old in OTHER:
            name = f"{old}/{OTHER[old]}".replace(" ", "-")
            self._add((between[0][0], between[-1][1]), OTHER[old], name)

    # statements

    def _statements(self, body: Iterable[ast.stmt], function: ast.FunctionDef | None, bound: set[str]) -> None:
        for statement in body:
            self.block = self.blocks.of[statement]
            if isinstance(statement, ast.FunctionDef):
                arguments = statement.args
                every = (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)
                self._statements(statement.body, statement, {argument.arg for argument in every})
                continue
            if isinstance(statement, (ast.Import, ast.ImportFrom, ast.Assert, ast.Raise)) or _is_docstring(statement):
                continue
            if function is not None:
                self._drop(statement, bound)
            if isinstance(statement, ast.Return) and statement.value is not None and function is not None:
                self._return(statement.value, function)
            if isinstance(statement, ast.AugAssign):
                self._swap_between(statement.target, statement.value)
            if isinstance(statement, (ast.If, ast.While)):
                self._turn_round(statement.test, bool(statement.orelse))
            for name, value in ast.iter_fields(statement):
                if name not in LEFT_ALONE:
                    self._expressions(value)
            for name in BODIES:
                self._statements(getattr(statement, name, ()), function, bound)

    def _drop(self, statement: ast.stmt, bound: set[str]) -> None:
        """Leave a statement out, unless it gives a local name its first value: that would only fail at once."""
        if isinstance(statement, (ast.Assign, ast.AnnAssign, ast.AugAssign)):
            targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
            nodes = [node for target in targets for node in ast.walk(target)]
            names = {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
            if names <= bound:
                self._add(self._span(statement), "pass", "drop")
            bound |= names
        elif (
            isinstance(statement, (ast.Break, ast.Continue))
            or (isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call))
            or (isinstance(statement, ast.Return) and statement.value is None)
        ):
            self._add(self._span(statement), "pass", "drop")
        elif isinstance(statement, ast.For):
            bound |= {node.id for node in ast.walk(statement.target) if isinstance(node, ast.Name)}

    def _return(self, value: ast.expr, function: ast.FunctionDef) -> None:
        kind = ast.unparse(function.returns) if function.returns is not None else ""
        source = self._source(value)
        if isinstance(value, ast.Constant) or kind not in ("int", "bool", "float"):
            return  # numbers and truth values are mutated as such
        if kind == "bool":
            if not _turned_by_itself(value):
                self._add(self._span(value), f"not ({source})", "return-not")
        elif source.rpartition(".")[2].isupper() and isinstance(value, (ast.Name, ast.Attribute)):
            self._add(self._span(value), f"{source} + 1", "return+1")
        else:
            self._add(self._span(value), "0", "return0")

    # expressions

    def _expressions(self, value: Any) -> None:
        if isinstance(value, list):
            for each in value:
                self._expressions(each)
        elif isinstance(value, ast.AST) and not isinstance(value, (ast.JoinedStr, ast.expr_context, ast.operator)):
            self._expression(value)
            for _, inner in ast.iter_fields(value):
                self._expressions(inner)

    def _expression(self, node: ast.AST) -> None:
        if isinstance(node, ast.Compare):
            for left, right in itertools.pairwise((node.left, *node.comparators)):
                self._swap_between(left, right)
        elif isinstance(node, ast.BoolOp):
            for left, right in itertools.pairwise(node.values):
                self._swap_between(left, right)
        elif isinstance(node, ast.BinOp):
            self._swap_between(node.left, node.right)
        elif isinstance(node, ast.IfExp):
            self._turn_round(node.test, True)
        elif isinstance(node, ast.UnaryOp) and not isinstance(node.operand, ast.Constant):
            self._add(self._span(node), f"({self._source(node.operand)})", "strip")
        elif isinstance(node, ast.Constant):
            self._constant(node)
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            if node.func.id in ("min", "max"):
                other = "max" if node.func.id == "min" else "min"
                self._add(self._span(node.func), other, f"{node.func.id}/{other}")
            elif node.func.id == "range":
                for bound in node.args:
                    if not any(isinstance(part, ast.Constant) for part in (bound, getattr(bound, "right", None))):
                        self._add(self._span(bound), f"({self._source(bound)}) + 1", "range+1")
                        self._add(self._span(bound), f"({self._source(bound)}) - 1", "range-1")

    def _constant(self, node: ast.Constant) -> None:
        if isinstance(node.value, bool):
            self._add(self._span(node), str(not node.value), f"{node.value}/{not node.value}".lower())
        elif isinstance(node.value, (int, float)):
            self._add(self._span(node), f"{node.value + 1}", "+1")
            less = node.value - 1
            self._add(self._span(node), f"{less}" if less >= 0 else f"({less})", "-1")

    def _turn_round(self, test: ast.expr, has_else: bool) -> None:
        if not _turned_by_itself(test):
            self._add(self._span(test), f"not ({self._source(test)})", "swap" if has_else else "not")


def _turned_by_itself(test: ast.expr) -> bool:
    """Whether another mutant of this condition is just its opposite."""
    if isinstance(test, ast.Compare):
        return len(test.ops) == 1 and isinstance(test.ops[0], EQUALITIES)
    return isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not)


def sample_of(mutants: Sequence[Mutant], n: int, seed: int) -> list[Mutant]:
    """A sample of `n`, spread over the files in proportion to their mutants, in random order."""
    files: dict[str, list[Mutant]] = {}
    for mutant in mutants:
        files.setdefault(mutant.file, []).append(mutant)
    n = min(n, len(mutants))
    exact = {file: n * len(own) / len(mutants) for file, own in files.items()}
    shares = {file: math.floor(share) for file, share in exact.items()}
    for file in sorted(files, key=lambda file: (shares[file] - exact[file], file))[: n - sum(shares.values())]:
        shares[file] += 1
    chosen = [one for file, own in files.items() for one in random.Random(f"{seed} {file}").sample(own, shares[file])]
    random.Random(seed).shuffle(chosen)
    return chosen


# --- what runs in a forked process ------------------------------------------------------------------------------------


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
class Reached:
    """What one test did without a fault: its time, and the blocks it reached as bits."""

    seconds: float
    blocks: int


class Watch:
    """A pytest plugin: chooses and orders the tests, limits their time, and remembers how they ended."""

    def __init__(self, src: Path, order: Sequence[str], known: dict[str, Reached], whole: bool) -> None:
        self.src, self.order, self.known, self.whole = src, order, known, whole
        self.seconds = 30 + 3 * sum(known[test].seconds for test in order)
        self.until = time.monotonic() + self.seconds
        self.status, self.by, self.why, self.ran = "survived", "", "", 0

    def pytest_collection_modifyitems(self, items: list[Any]) -> None:
        """Keep what is to run, in the order asked for."""
        hexholm = sys.modules["hexholm"]
        assert hexholm.__file__ is not None
        assert Path(hexholm.__file__).is_relative_to(self.src), f"{hexholm.__file__} is not the copy"
        by_name = {item.nodeid: item for item in items}
        chosen = [by_name.pop(test) for test in self.order if test in by_name]
        if self.whole:  # tests are made from what the core says on import, so there may be new ones
            chosen += [item for item in by_name.values() if item.nodeid not in self.known and counts(item)]
        items[:] = chosen

    def pytest_runtest_protocol(self, item: Any) -> None:
        """Set the clock; a test that swallows the alarm is told again."""
        known = self.known.get(item.nodeid)
        limit = 4 + 10 * known.seconds if known else 60.0
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


class Map:
    """A pytest plugin: runs every `parts`-th test and notes how long it takes and which blocks it reaches."""

    def __init__(self, part: int, parts: int, offsets: dict[str, int], total: int) -> None:
        self.part, self.parts, self.offsets = part, parts, offsets
        self.hits = bytearray(total)
        self.early = 0
        self.begun = 0.0
        self.reached: dict[str, tuple[float, str]] = {}
        self.bad: dict[str, str] = {}
        self.unmarked = 0
        setattr(builtins, HITS, self.hits)

    def instrument(self) -> None:
        """From now on the core is imported with a probe in each block."""
        plain = importlib.machinery.SourceFileLoader.source_to_code

        def with_probes(loader: Any, data: Any, path: Any, **options: Any) -> types.CodeType:
            _, _, file = Path(str(path)).as_posix().rpartition(f"{CORE.as_posix()}/")
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
        counting = [item for item in items if counts(item)]
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
        self.begun = time.perf_counter()

    def pytest_runtest_logreport(self, report: Any) -> None:
        """Keep the time and the blocks of a test that passed."""
        if report.outcome != "passed" or hasattr(report, "wasxfail"):
            self.bad[report.nodeid] = report.outcome
        elif report.when == "teardown":
            self.reached[report.nodeid] = (round(time.perf_counter() - self.begun, 4), f"{self.take():x}")

    def pytest_collectreport(self, report: Any) -> None:
        """A file that cannot be read."""
        if report.failed:
            self.bad[report.nodeid] = str(report.longrepr).strip().splitlines()[-1]

    def result(self) -> dict[str, Any]:
        """For the parent process."""
        tests = {test: reached for test, reached in self.reached.items() if test not in self.bad}
        return {"tests": tests, "bad": self.bad, "early": f"{self.early:x}", "unmarked": self.unmarked}


def counts(item: Any) -> bool:
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


def forked(work: Callable[[], dict[str, Any]], answer: Path, log: Path) -> int:
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
            where = os.devnull if number == 0 else str(log)
            os.dup2(os.open(where, mode | (os.O_CREAT | os.O_APPEND if number else 0), 0o644), number)
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        result = work()
        signal.setitimer(signal.ITIMER_REAL, 0)
        answer.with_suffix(".new").write_text(json.dumps(result), encoding="utf-8")
        answer.with_suffix(".new").replace(answer)
        status = 0
    finally:
        os._exit(status)


# --- the run ----------------------------------------------------------------------------------------------------------


@dataclass
class Job:
    """Something to do in a forked process, and what to do with its answer (None: it died or was stopped)."""

    name: str
    begin: Callable[[Path], Callable[[], dict[str, Any]]]  # prepares a copy of src; returns what to run
    done: Callable[[dict[str, Any] | None, float], None]
    limit: float


class Slots:
    """Runs jobs side by side, each in a copy of src/ of its own."""

    def __init__(self, folder: Path, jobs: int) -> None:
        self.folder = folder
        self.free = list(range(jobs))
        self.running: dict[int, tuple[int, Job, float]] = {}  # process: slot, job, begun
        ignored = shutil.ignore_patterns("__pycache__", "*.orig")
        first = folder / "0" / "src"
        shutil.copytree(SRC, first, ignore=ignored)
        self.snapshot = digest(first, sorted((first / "hexholm" / "rules").rglob("*")))
        self.texts = {file: (first / CORE / file).read_text(encoding="utf-8") for file in FILES}
        self.times = {file: (first / CORE / file).stat().st_mtime_ns for file in FILES}
        compileall.compile_dir(first, quiet=2)
        for name in TESTS + HELPERS:
            path = ROOT / name
            (compileall.compile_dir if path.is_dir() else compileall.compile_file)(str(path), quiet=2)
        for slot in range(1, jobs):
            shutil.copytree(first, folder / str(slot) / "src")

    def run(self, jobs: Iterable[Job]) -> None:
        """Do all jobs."""
        queue = iter(jobs)
        more = True
        while more or self.running:
            while more and self.free:
                job = next(queue, None)
                if job is None:
                    more = False
                else:
                    self._start(job)
            self._collect()
            time.sleep(0.01)

    def _start(self, job: Job) -> None:
        slot = self.free.pop(0)
        home = self.folder / str(slot)
        for name in ("answer.json", "log"):
            (home / name).unlink(missing_ok=True)
        work = job.begin(home / "src")
        self.running[forked(work, home / "answer.json", home / "log")] = (slot, job, time.monotonic())

    def _collect(self) -> None:
        for process, (slot, job, begun) in list(self.running.items()):
            seconds = time.monotonic() - begun
            ended, _ = os.waitpid(process, os.WNOHANG)
            if not ended:
                if seconds < job.limit:
                    continue
                self._stop(process)
            del self.running[process]
            self.free.append(slot)
            answer = self.folder / str(slot) / "answer.json"
            job.done(json.loads(answer.read_text(encoding="utf-8")) if answer.exists() else None, seconds)

    def _stop(self, process: int) -> None:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process, signal.SIGKILL)  # it leads a group of its own, see forked()
        with contextlib.suppress(ProcessLookupError):
            os.kill(process, signal.SIGKILL)
        os.waitpid(process, 0)

    def close(self) -> None:
        """Stop what still runs."""
        for process in list(self.running):
            self._stop(process)
            del self.running[process]


def digest(root: Path, files: Iterable[Path]) -> str:
    """A short hash of names and contents."""
    found = hashlib.blake2b(digest_size=10)
    for file in files:
        if file.is_file() and "__pycache__" not in file.parts and file.suffix not in (".orig", ".pyc"):
            found.update(f"{file.relative_to(root)}\0".encode() + file.read_bytes() + b"\0")
    return found.hexdigest()


class Run:
    """One run of the tool."""

    def __init__(self, folder: Path, jobs: int, scratch: Path) -> None:
        self.folder, self.jobs = folder, jobs
        folder.mkdir(parents=True, exist_ok=True)
        self.slots = Slots(scratch, jobs)
        self.source = self.slots.snapshot
        self.finders = {file: Finder(file, text) for file, text in self.slots.texts.items()}
        self.population = [mutant for finder in self.finders.values() for mutant in finder.mutants()]
        places = itertools.accumulate((finder.blocks.n for finder in self.finders.values()), initial=0)
        self.offsets = dict(zip(FILES, places, strict=False))
        self.total = sum(finder.blocks.n for finder in self.finders.values())
        paths = [path for name in TESTS + HELPERS for path in _files(ROOT / name)]
        self.helpers = digest(ROOT, [path for path in paths if not path.name.startswith("test_")])
        self.tests_hash = digest(ROOT, paths)
        self.reached: dict[str, Reached] = {}
        self.early = 0
        self.results = self._kept()

    def _kept(self) -> dict[str, dict[str, Any]]:
        """Results of earlier runs that still hold."""
        kept = {}
        path = self.folder / "results.jsonl"
        if path.exists():
            for line in path.read_text(encoding="utf-8").splitlines():
                with contextlib.suppress(json.JSONDecodeError):  # a run may have been stopped while writing
                    result = json.loads(line)
                    if result["source"] == self.source and (
                        result["tests"] == self.tests_hash
                        or (result["status"] in DEAD and result["killer"] == self._killer_hash(result["by"]))
                    ):
                        kept[result["id"]] = result
        return kept

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
        found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
        if found.get("key") != key:
            found = self._make_map() | {"key": key}
            path.write_text(json.dumps(found), encoding="utf-8")
        self.reached = {test: Reached(seconds, int(bits, 16)) for test, (seconds, bits) in found["tests"].items()}
        self.early = int(found["early"], 16)
        seconds = sum(reached.seconds for reached in self.reached.values())
        print(f"{len(self.reached)} rule tests take {seconds:.0f} s; {found['unmarked']} others there show no rule")
        for outcome, n in sorted(Counter(found["bad"].values()).items()):
            some = [test for test, how in found["bad"].items() if how == outcome]
            print(f"not counted, since without a fault {n} ended as {outcome!r}: {', '.join(some[:3])} ...")

    def _make_map(self) -> dict[str, Any]:
        print(f"learning which tests reach which of {self.total} blocks ...", flush=True)
        begun = time.monotonic()
        whole: dict[str, Any] = {"tests": {}, "bad": {}, "early": 0, "unmarked": 0}

        def begin(src: Path, part: int) -> Callable[[], dict[str, Any]]:
            def work() -> dict[str, Any]:
                plugin = Map(part, self.jobs, self.offsets, self.total)
                plugin.instrument()
                for cached in (src / CORE).rglob("__pycache__/*.pyc"):
                    cached.unlink()
                run_pytest(src, plugin, test_files())
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
            compileall.compile_dir(self.slots.folder / str(slot) / "src" / CORE, quiet=2)
        print(f"... took {time.monotonic() - begun:.0f} s")
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
            path = src / CORE / file
            if mutant is not None and file == mutant.file:
                path.write_text(self.finders[file].with_fault(mutant), encoding="utf-8")
                os.utime(path, (1, 1))  # so that no compiled file seems to belong to it
            elif path.stat().st_mtime == 1:
                path.write_text(text, encoding="utf-8")
                os.utime(path, ns=(self.slots.times[file],) * 2)

        def work() -> dict[str, Any]:
            watch = Watch(src, tests, self.reached, whole)
            files = test_files() if whole else sorted({test.partition("::")[0] for test in tests})
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
                how = Counter(self.results[each]["status"] for each in own)
                same = sum(self.results[each]["status"] == "survived" and each in equivalent for each in own)
                counted = f"{how['killed']:8}{how['timed out']:11}{how['survived']:10}{same:12}"
                print(f"{name:26}{len(own):8}{counted}")
        survivors = [mutant for mutant in tried if self.results[mutant.id]["status"] == "survived"]
        unexplained = [mutant for mutant in survivors if mutant.id not in equivalent]
        for mutant in sorted(survivors, key=lambda mutant: (mutant.file, mutant.start)):
            result = self.results[mutant.id]
            why = equivalent.get(mutant.id) or result["why"] or f"{result['ran']} tests passed"
            print(f"\n{'equivalent' if mutant.id in equivalent else 'SURVIVED'}  {mutant.id}  ({why})")
            print(f"    {self.difference(mutant)}")
        for name in equivalent:
            if self.results.get(name, {}).get("status") in DEAD:
                print(f"\n{name} is listed as equivalent, but {self.results[name]['by']} tells it apart")
        gone = set(equivalent) - {mutant.id for mutant in self.population}
        if gone:
            print(f"\nin {EQUIVALENT.name}, but no mutant: {', '.join(sorted(gone))}")
        killed = len(tried) - len(survivors)
        share = killed / len(tried) if tried else 0.0
        seconds = sum(self.results[mutant.id]["seconds"] for mutant in tried)
        print(f"\n{killed} of {len(tried)} killed: {share:.1%} (due: {ENOUGH:.0%}); {seconds:.0f} s of work")
        if len(tried) < len(mutants):
            print(f"{len(mutants) - len(tried)} are still to do; the same command goes on")
        if unexplained:
            print(f"{len(unexplained)} survivors need a test, or a line in {EQUIVALENT.relative_to(ROOT)}")
        return 1 if share < ENOUGH or unexplained or len(tried) < len(mutants) else 0


def _files(path: Path) -> list[Path]:
    return sorted(path.rglob("*")) if path.is_dir() else [path]


def test_files() -> list[str]:
    """The files with rule tests; without hypothesis, those that can do without."""
    files = [path for name in TESTS for path in _files(ROOT / name) if path.name.startswith("test_")]
    files = [path for path in files if path.suffix == ".py"]
    if isinstance(sys.modules.get("hypothesis"), NoHypothesis):
        files = [path for path in files if "from hypothesis" not in path.read_text(encoding="utf-8")]
    return [str(path.relative_to(ROOT)) for path in files]


class NoHypothesis(types.ModuleType):
    """Stands in for hypothesis on a machine without it: just enough for tests/conftest.py."""

    class settings:  # noqa: N801  # the name is theirs
        """Profiles of nothing."""

        register_profile = load_profile = staticmethod(lambda *_, **__: None)


def read_equivalent() -> dict[str, str]:
    """The survivors that no test can tell from the original, and why."""
    found = {}
    if EQUIVALENT.exists():
        for number, line in enumerate(EQUIVALENT.read_text(encoding="utf-8").splitlines(), 1):
            name, _, why = line.partition("#")
            if name.strip():
                if not why.strip():
                    raise SystemExit(f"{EQUIVALENT.name}, line {number}: say after # why {name.strip()} is equivalent")
                found[name.strip()] = why.strip()
    return found


def prepare() -> None:
    """Import, before any fork, all that tests need except the core itself."""
    os.environ.update(OPENBLAS_NUM_THREADS="1", OMP_NUM_THREADS="1", PYTEST_DISABLE_PLUGIN_AUTOLOAD="1")
    for name in ("numpy", "pytest", "yaml"):
        importlib.import_module(name)
    if importlib.util.find_spec("hypothesis") is None:
        sys.modules["hypothesis"] = NoHypothesis("hypothesis")
    else:
        importlib.import_module("hypothesis.strategies")
    assert "hexholm" not in sys.modules


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.tools.mutants", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="mutants at a time (all processors)")
    parser.add_argument("--resume", type=Path, default=ROOT / ".mutants", metavar="FOLDER", help="results (.mutants)")
    parser.add_argument("--sample", type=int, default=320, metavar="N", help="mutants to try (320)")
    parser.add_argument("--seed", type=int, default=1, help="of the sample (1)")
    parser.add_argument("--only", metavar="PATTERN", help="only mutants whose name matches, such as 'roads.py:12?:*'")
    parser.add_argument("--minutes", type=float, default=math.inf, help="begin no further mutant after this time")
    parser.add_argument("--list", action="store_true", help="print the sample and end")
    asked = parser.parse_args()
    until = time.monotonic() + 60 * asked.minutes
    equivalent = read_equivalent()
    with tempfile.TemporaryDirectory(prefix="hexholm-mutants-") as scratch:
        prepare()
        run = Run(asked.resume, max(1, asked.jobs), Path(scratch))
        every = [mutant for mutant in run.population if not asked.only or fnmatch.fnmatchcase(mutant.id, asked.only)]
        mutants = sample_of(every, asked.sample, asked.seed)
        print(f"{len(mutants)} of {len(run.population)} mutants in {len(FILES)} files, seed {asked.seed}")
        for mutant in mutants:
            ast.parse(run.finders[mutant.file].with_fault(mutant))  # a text that is not Python would count as killed
        if asked.list:
            for mutant in sorted(mutants, key=lambda mutant: (mutant.file, mutant.start)):
                print(f"{mutant.id}\n    {run.difference(mutant)}")
            return 0
        try:
            if any(mutant.id not in run.results for mutant in mutants):
                run.map_tests()
                if not asked.only and not any(name.startswith(CONTROL) for name in run.results):
                    run.slots.run(run.control())
                run.slots.run(run.jobs_for(mutants, until))
        except KeyboardInterrupt:
            print("\nstopped; the same command goes on")
            return 130
        finally:
            run.slots.close()
        return run.report(mutants, equivalent)


if __name__ == "__main__":
    sys.exit(main())
