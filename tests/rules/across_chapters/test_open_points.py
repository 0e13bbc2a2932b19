"""Every open point of the catalogue has a test that runs on each edition it applies to (EDN-03)."""

from __future__ import annotations

import ast
import importlib
import inspect
import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FunctionType
from typing import Any

import pytest

from hexholm.rules.catalogue import Rule, catalogue_rules
from hexholm.rules.setup.editions import EDITIONS
from tests.helpers.edition_table import editions_with

TESTS = Path(__file__).parents[2]
OPEN = [each for each in catalogue_rules() if each.open is not None and each.kind in ("play", "data")]
# Where an open point does not concern all editions.
ONLY = {
    "MAP-10": EDITIONS[1:],  # the first map of zip is ZIP-02
    "MAP-11": EDITIONS[1:],
    "MAP-14": EDITIONS[1:],  # printed maps are not shuffled
    "MAP-19": EDITIONS[1:],
    "PHASE-05": editions_with(phases="separate"),
    "ZIP-01": ("zip",),
    "ZIP-02": ("zip",),
    "ZIP-08": ("zip",),
    "ZIP-09": ("zip",),
}


def flat(value: object) -> Iterator[object]:
    """All that lies in nested lists, tuples, sets, dicts and pytest.param."""
    if isinstance(value, type(pytest.param())):
        value = value.values
    if isinstance(value, dict):
        value = [*value.keys(), *value.values()]
    if isinstance(value, list | tuple | set | frozenset):
        for each in value:
            yield from flat(each)
    else:
        yield value


def named_in(value: object) -> set[str]:
    return {each for each in flat(value) if isinstance(each, str) and each in EDITIONS}


def in_source(function: FunctionType) -> set[str]:
    """Editions that the text of a test names itself or through a constant of its module."""
    tree = ast.parse(textwrap.dedent(inspect.getsource(function))).body[0]
    assert isinstance(tree, ast.FunctionDef)
    constants = function.__globals__
    names: set[str] = set()
    sliced: set[ast.AST] = set()
    for node in (each for part in tree.body for each in ast.walk(part)):
        if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name) and isinstance(node.slice, ast.Slice):
            constant = constants.get(node.value.id)
            if isinstance(constant, tuple) and named_in(constant):  # EDITIONS[1:]
                bounds = [
                    None if end is None else ast.literal_eval(end) for end in (node.slice.lower, node.slice.upper)
                ]
                names |= named_in(constant[slice(*bounds)])
                sliced.add(node.value)
        if isinstance(node, ast.Constant):
            names |= named_in(node.value)
        if isinstance(node, ast.Name) and node not in sliced and node.id.isupper():
            names |= named_in(constants.get(node.id))
    return names


def runs_on(function: Callable[..., Any]) -> set[str]:
    """Editions a test runs on: those it is parametrized with, else those it names; a scene without a name is fifth."""
    assert isinstance(function, FunctionType)
    marks = getattr(function, "pytestmark", [])
    parametrized = named_in([mark.args[1] for mark in marks if mark.name == "parametrize"])
    return parametrized or in_source(function) or {"fifth"}


def marked_tests() -> Iterator[tuple[FunctionType, set[str]]]:
    """All test functions with the ids of rules they show."""
    for path in sorted(TESTS.rglob("test_*.py")):
        if "mark.rule" not in path.read_text(encoding="utf-8"):
            continue  # some of these need things that are not installed
        module = importlib.import_module(".".join(("tests", *path.relative_to(TESTS).with_suffix("").parts)))
        for name, function in vars(module).items():
            if name.startswith("test_") and inspect.isfunction(function) and function.__module__ == module.__name__:
                marks = [mark for mark in getattr(function, "pytestmark", []) if mark.name == "rule"]
                yield function, {str(rule_name).partition(".")[0] for mark in marks for rule_name in mark.args}


@pytest.fixture(scope="module")
def editions_shown() -> dict[str, set[str]]:
    """Rule id: editions on which some test shows it."""
    editions_by_rule: dict[str, set[str]] = {}
    for function, ids in marked_tests():
        for each in ids:
            editions_by_rule.setdefault(each, set()).update(runs_on(function))
    return editions_by_rule


@pytest.mark.rule("EDN-03", "EDN-03.e1")
@pytest.mark.parametrize("point", OPEN, ids=lambda each: each.id)
def test_an_open_point_is_shown_on_each_edition_it_applies_to(point: Rule, editions_shown: dict[str, set[str]]) -> None:
    due = set(ONLY.get(point.id, EDITIONS))
    missing = due - editions_shown.get(point.id, set())
    assert not missing, f"{point.id}: no test runs on {', '.join(sorted(missing))}"


def test_the_meta_test_counts_what_a_test_runs_on() -> None:
    @pytest.mark.parametrize("name", ["zip", pytest.param("sixth", id="six")])
    def parametrized(name: str) -> None: ...

    def looping() -> None:
        for _ in EDITIONS[1:]:
            pass

    def plain() -> None: ...

    assert runs_on(parametrized) == {"zip", "sixth"}
    assert runs_on(looping) == set(EDITIONS) - {"zip"}
    assert runs_on(plain) == {"fifth"}
