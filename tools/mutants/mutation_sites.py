"""Places to go wrong: the blocks of a module, and the faults that can be put into them."""

from __future__ import annotations

import ast
import bisect
import io
import itertools
import math
import random
import tokenize
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

SWAPPED: Final = {
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
        self.mutants_by_place: dict[tuple[int, int, str], Mutant] = {}
        self.block = 0

    def mutants(self) -> list[Mutant]:
        """All mutants of the file, in the order of their places."""
        self._statements(self.tree.body, None, set())
        ordered = sorted(self.mutants_by_place.values(), key=lambda mutant: (mutant.start, mutant.end, mutant.id))
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
        self.mutants_by_place.setdefault((start, end, new), Mutant(name, self.file, self.block, start, end, new))

    def _swap_between(self, left: ast.expr, right: ast.expr) -> None:
        """Exchange the operator that stands between two operands."""
        after, before = self._span(left)[1], self._span(right)[0]
        first = bisect.bisect_left(self.tokens, (after, 0, ""))
        between = list(itertools.takewhile(lambda token: token[1] <= before, self.tokens[first : first + 4]))
        old = " ".join(string for _, _, string in between)
        if old in SWAPPED:
            name = f"{old}/{SWAPPED[old]}".replace(" ", "-")
            self._add((between[0][0], between[-1][1]), SWAPPED[old], name)

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
            if not _is_turned_elsewhere(value):
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
                opposite = "max" if node.func.id == "min" else "min"
                self._add(self._span(node.func), opposite, f"{node.func.id}/{opposite}")
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
        if not _is_turned_elsewhere(test):
            self._add(self._span(test), f"not ({self._source(test)})", "swap" if has_else else "not")
        if has_else:  # without an else, `drop` leaves out what would be done
            self._add(self._span(test), "False", "never")


def _is_turned_elsewhere(test: ast.expr) -> bool:
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
    sample = [each for file, own in files.items() for each in random.Random(f"{seed} {file}").sample(own, shares[file])]
    random.Random(seed).shuffle(sample)
    return sample
