"""The house as a whole: no modules import each other in a circle, and the pages about it name what is there."""

from __future__ import annotations

import ast
import builtins
import re
import tomllib
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from importlib.util import resolve_name
from pathlib import Path

import grimp
import pytest

import hexholm
from hexholm.rules.compiled import Struct
from hexholm.rules.core.encoding import structs

ROOMS = sorted(path.parent.name for path in Path(hexholm.__file__).parent.glob("*/__init__.py"))
BETWEEN = "between rooms"
BUILT = "src/hexholm/host/static/"
"""Made by `make web`; a clean checkout has none."""


@cache
def import_graph() -> grimp.ImportGraph:
    return grimp.build_graph("hexholm", exclude_type_checking_imports=False, cache_dir=None)


@cache
def circles() -> dict[str, set[frozenset[str]]]:
    """All circles of imports, by the room they are in."""
    graph = import_graph()
    found: dict[str, set[frozenset[str]]] = {}
    for circle in _components({name: graph.find_modules_directly_imported_by(name) for name in graph.modules}):
        names = frozenset(name.removeprefix("hexholm").removeprefix(".") for name in circle)
        rooms = {name.partition(".")[0] for name in names}
        found.setdefault(rooms.pop() if len(rooms) == 1 else BETWEEN, set()).add(names)
    return found


def _components(imports: dict[str, set[str]]) -> Iterator[set[str]]:
    """The strongly connected components of more than one module (Tarjan's algorithm)."""
    order: dict[str, int] = {}
    lowest: dict[str, int] = {}
    path: list[str] = []

    def visit(name: str) -> Iterator[set[str]]:
        order[name] = lowest[name] = len(order)
        path.append(name)
        for other in sorted(imports[name]):
            if other not in order:
                yield from visit(other)
                lowest[name] = min(lowest[name], lowest[other])
            elif other in path:
                lowest[name] = min(lowest[name], order[other])
        if lowest[name] == order[name]:
            circle = set(path[path.index(name) :])
            del path[path.index(name) :]
            if len(circle) > 1:
                yield circle

    for name in sorted(imports):
        if name not in order:
            yield from visit(name)


@pytest.mark.parametrize("room", [*ROOMS, BETWEEN])
def test_no_modules_import_each_other_in_a_circle(room: str) -> None:
    assert circles().get(room, set()) == set()


def test_a_circle_is_found() -> None:
    around = {"a": {"b"}, "b": {"c"}, "c": {"a", "d"}, "d": set[str]()}
    assert list(_components(around)) == [{"a", "b", "c"}]


@pytest.mark.parametrize("page", ["folders.md", "glossary.md"])
def test_a_page_about_the_house_names_what_is_there(page: str) -> None:
    package = Path(hexholm.__file__).parent
    root, said = package.parents[1], (package.parents[1] / "docs" / page).read_text(encoding="utf-8")
    paths = {path for path in re.findall(r"`([\w.-]+/[\w./-]*)`", said) if path != BUILT}
    assert len(paths) > 30
    missing = [path for path in sorted(paths) if not any((home / path).exists() for home in (root, package))]
    assert missing == []


def test_every_word_of_the_house_stands_once() -> None:
    page = Path(hexholm.__file__).parents[2] / "docs" / "glossary.md"
    words = re.findall(r"^\| ([^|]+?) \|", page.read_text(encoding="utf-8"), re.MULTILINE)
    found = [word for row in words if row not in ("word", "---") for word in row.split(", ")]
    assert len(found) == len(set(found)) > 80


def test_the_page_of_folders_names_every_folder() -> None:
    package = Path(hexholm.__file__).parent
    said = (package.parents[1] / "docs" / "folders.md").read_text(encoding="utf-8")
    folders = {path.parent.relative_to(package).as_posix() for path in package.rglob("*/__init__.py")} - {"."}
    assert len(folders) > 20
    assert [name for name in sorted(folders) if f"{name}/" not in said] == []


def test_the_page_of_folders_stands_in_dependency_order() -> None:
    said = (Path(hexholm.__file__).parents[2] / "docs" / "folders.md").read_text(encoding="utf-8")
    listed = re.findall(r"^\| \[`src/hexholm/([\w/]+)/`\]", said, re.MULTILINE)
    assert len(listed) > 30
    folders = [f"hexholm.{name.replace('/', '.')}" for name in listed]
    wrong = []
    graph = import_graph()
    for name in graph.modules:
        for other in graph.find_modules_directly_imported_by(name):
            here, there = _folder_of(name, folders), _folder_of(other, folders)
            related = here and there and (here.startswith(f"{there}.") or there.startswith(f"{here}."))
            if here and there and not related and folders.index(here) < folders.index(there):
                wrong.append(f"{name} imports {other}")
    assert wrong == []


def _folder_of(module: str, folders: list[str]) -> str | None:
    """The innermost of the folders that a module is in."""
    inside = [folder for folder in folders if module == folder or module.startswith(f"{folder}.")]
    return max(inside, key=len, default=None)


def test_a_docstring_names_files_that_are_there() -> None:
    """`runner.py` in a docstring: beside it, below it, in a folder above it, or from the top of the repository."""
    package = Path(hexholm.__file__).parent
    lost = []
    for path in sorted(package.rglob("*.py")):
        homes = [home for home in path.parents if home.is_relative_to(package)] + [package.parents[1]]
        for text in _docstrings(path.read_text(encoding="utf-8")):
            lost += [
                f"{path.relative_to(package)}: {name}"
                for name in re.findall(r"`([\w/]+\.py)`", text)
                if not any((home / name).exists() for home in homes) and not list(path.parent.rglob(name))
            ]
    assert lost == []


def test_the_glossary_knows_every_struct_of_the_core() -> None:
    said = (Path(hexholm.__file__).parents[2] / "docs" / "glossary.md").read_text(encoding="utf-8")
    structs_of_the_core = {
        name for name, each in vars(structs).items() if isinstance(each, type) and issubclass(each, Struct)
    }
    assert len(structs_of_the_core) > 5
    assert {name for name in structs_of_the_core - {"Struct"} if f"`{name}`" not in said} == set()


def test_every_module_of_the_core_is_kept_or_named_open() -> None:
    """A new rule cannot be imported past the contract `kernels` because somebody forgot to list it."""
    package = Path(hexholm.__file__).parent
    settings = tomllib.loads((package.parents[1] / "pyproject.toml").read_text(encoding="utf-8"))
    kept = next(each for each in settings["tool"]["importlinter"]["contracts"] if each["id"] == "kernels")
    listed = {name.removeprefix("hexholm.rules.core.") for name in kept["protected_modules"]}
    there = {path.stem for path in (package / "rules" / "core").iterdir() if not path.stem.startswith("__")}
    assert there - listed == {"draws", "encoding", "phases", "refusals"}
    assert listed <= there


# --- what docstrings refer to -----------------------------------------------------------------------------------------

REFERENCE = re.compile(r":(?:mod|class|func|meth|data|attr|exc):`~?([\w.]+)`")


def _docstrings(source: str) -> Iterator[str]:
    """All texts of a module that stand alone: docstrings of modules, classes and functions, and of values."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            yield node.value.value


def _leads_somewhere(name: str, place: str, package: str) -> bool:
    """Whether a name, seen from a module, leads to a module or to something in one; `.x` begins in its package."""
    if name.startswith("."):
        name = resolve_name(name, package)
    if not name.startswith("hexholm."):
        module = import_module(place)
        homes = [module, *(value for value in vars(module).values() if isinstance(value, type))]
        return any(_has(home, name.split(".")) for home in [*homes, builtins])
    parts = name.split(".")
    for cut in range(len(parts), 0, -1):
        try:
            home = import_module(".".join(parts[:cut]))
        except ModuleNotFoundError:
            continue
        return _has(home, parts[cut:])
    return False


def _has(home: object, names: list[str]) -> bool:
    for name in names:
        if name in getattr(home, "__annotations__", {}):
            return True
        if not hasattr(home, name):
            return False
        home = getattr(home, name)
    return True


def test_references_in_docstrings_lead_somewhere() -> None:
    package = Path(hexholm.__file__).parent
    lost = []
    for path in sorted(package.rglob("*.py")):
        found = [name for text in _docstrings(path.read_text(encoding="utf-8")) for name in REFERENCE.findall(text)]
        inside = path.relative_to(package.parent).with_suffix("")
        place = ".".join(inside.parts).removesuffix(".__init__")
        lost += [
            f"{path.relative_to(package)}: {name}"
            for name in found
            if not _leads_somewhere(name, place, ".".join(inside.parts[:-1]))
        ]
    assert not lost, "\n".join(lost)


# --- one name, one meaning --------------------------------------------------------------------------------------------


def _type_names(source: str) -> Iterator[str]:
    """The classes and type aliases of a module, without a leading underscore."""
    body = list(ast.parse(source).body)
    for node in body:
        if isinstance(node, ast.If):  # such as `if TYPE_CHECKING:`
            body += [*node.body, *node.orelse]
        if isinstance(node, ast.ClassDef):
            yield node.name.lstrip("_")
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            target = node.targets[0] if isinstance(node, ast.Assign) else node.target
            name = target.id.lstrip("_") if isinstance(target, ast.Name) else ""
            if name[:1].isupper() and not name.isupper():
                yield name


def test_a_name_of_a_class_or_type_is_defined_once() -> None:
    package = Path(hexholm.__file__).parent
    homes: dict[str, list[str]] = {}
    for path in sorted(package.rglob("*.py")):
        for name in _type_names(path.read_text(encoding="utf-8")):
            homes.setdefault(name, []).append(str(path.relative_to(package)))
    twice = [f"{name}: {', '.join(places)}" for name, places in homes.items() if len(places) > 1]
    assert not twice, "\n".join(twice)


SHARED_NAMES = {"main"}
"""What each program that is run with `python -m` calls its beginning."""


def test_a_name_of_a_public_function_is_defined_once() -> None:
    """A command's function is called like the command, whatever else has that name."""
    package = Path(hexholm.__file__).parent
    homes: dict[str, list[str]] = {}
    for path in sorted(package.rglob("*.py")):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) or node.name.startswith("_"):
                continue
            is_command = path.parent.name == "commands" and path.stem == node.name
            if not is_command and node.name not in SHARED_NAMES and "migrations" not in path.parts:
                homes.setdefault(node.name, []).append(str(path.relative_to(package)))
    twice = [f"{name}: {', '.join(places)}" for name, places in homes.items() if len(places) > 1]
    assert not twice, "\n".join(twice)


def test_a_name_of_a_public_constant_is_defined_once() -> None:
    """But for the example that the help of each command ends with, and for type variables."""
    package = Path(hexholm.__file__).parent
    homes: dict[str, list[str]] = {}
    for path in sorted(package.rglob("*.py")):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if not isinstance(node, ast.Assign | ast.AnnAssign):
                continue
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            for name in (one.id for target in targets for one in ast.walk(target) if isinstance(one, ast.Name)):
                if name.isupper() and not name.startswith("_") and name not in ("EXAMPLE", "T"):
                    homes.setdefault(name, []).append(str(path.relative_to(package)))
    twice = [f"{name}: {', '.join(places)}" for name, places in homes.items() if len(places) > 1]
    assert not twice, "\n".join(twice)
