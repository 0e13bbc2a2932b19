"""The house as a whole: no modules import each other in a circle, and the pages about it name what is there."""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from importlib.util import resolve_name
from pathlib import Path
from typing import Any

import grimp
import pytest

import hexholm
from hexholm.cli.shared.game_options import GAME_OPTIONS
from hexholm.rules.compilation.kernels import Struct
from hexholm.rules.encoding import structs
from hexholm.rules.setup.options import HOUSE_RULES, SWITCHES
from tests.twin.duel import twin_config

ROOMS = sorted(path.parent.name for path in Path(hexholm.__file__).parent.glob("*/__init__.py"))
BETWEEN = "between rooms"
BUILT = "src/hexholm/host/static/"
"""Made by `make web`; a clean checkout has none."""


def test_what_a_module_offers_is_there() -> None:
    """The names in `__all__`, also those that are loaded on first use."""
    package = Path(hexholm.__file__).parent
    offers: dict[str, list[str]] = {}
    for path in sorted(package.rglob("*.py")):
        if re.search(r"^__all__\b", path.read_text(encoding="utf-8"), re.MULTILINE):
            name = ".".join(path.relative_to(package.parent).with_suffix("").parts).removesuffix(".__init__")
            offers[name] = import_module(name).__all__
    assert len(offers) > 10
    assert [
        f"{name}.{own}" for name, names in offers.items() for own in names if not hasattr(import_module(name), own)
    ] == []


@cache
def import_graph() -> grimp.ImportGraph:
    return grimp.build_graph("hexholm", exclude_type_checking_imports=False, cache_dir=None)


@cache
def circles() -> dict[str, set[frozenset[str]]]:
    """All circles of imports, by the room they are in."""
    graph = import_graph()
    by_room: dict[str, set[frozenset[str]]] = {}
    for circle in _components({name: graph.find_modules_directly_imported_by(name) for name in graph.modules}):
        names = frozenset(name.removeprefix("hexholm").removeprefix(".") for name in circle)
        rooms = {name.partition(".")[0] for name in names}
        by_room.setdefault(rooms.pop() if len(rooms) == 1 else BETWEEN, set()).add(names)
    return by_room


def _components(imports: dict[str, set[str]]) -> Iterator[set[str]]:
    """The strongly connected components of more than one module (Tarjan's algorithm)."""
    order: dict[str, int] = {}
    lowest: dict[str, int] = {}
    path: list[str] = []

    def visit(name: str) -> Iterator[set[str]]:
        order[name] = lowest[name] = len(order)
        path.append(name)
        for imported in sorted(imports[name]):
            if imported not in order:
                yield from visit(imported)
                lowest[name] = min(lowest[name], lowest[imported])
            elif imported in path:
                lowest[name] = min(lowest[name], order[imported])
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
    imports = {"a": {"b"}, "b": {"c"}, "c": {"a", "d"}, "d": set[str]()}
    assert list(_components(imports)) == [{"a", "b", "c"}]


@pytest.mark.parametrize("page", ["folders.md", "glossary.md"])
def test_a_page_about_the_house_names_what_is_there(page: str) -> None:
    package = Path(hexholm.__file__).parent
    root, text = package.parents[1], (package.parents[1] / "docs" / page).read_text(encoding="utf-8")
    paths = {path for path in re.findall(r"`([\w.-]+/[\w./-]*)`", text) if path != BUILT}
    assert len(paths) > 30
    missing = [path for path in sorted(paths) if not any((home / path).exists() for home in (root, package))]
    assert missing == []


def test_every_word_of_the_house_stands_once() -> None:
    page = Path(hexholm.__file__).parents[2] / "docs" / "glossary.md"
    words = re.findall(r"^\| ([^|]+?) \|", page.read_text(encoding="utf-8"), re.MULTILINE)
    terms = [word for row in words if row not in ("word", "---") for word in row.split(", ")]
    assert len(terms) == len(set(terms)) > 80


def test_the_page_of_folders_names_every_folder() -> None:
    package = Path(hexholm.__file__).parent
    text = (package.parents[1] / "docs" / "folders.md").read_text(encoding="utf-8")
    folders = {path.parent.relative_to(package).as_posix() for path in package.rglob("*/__init__.py")} - {"."}
    assert len(folders) > 20
    assert [name for name in sorted(folders) if f"{name}/" not in text] == []


def test_the_page_of_folders_names_every_tool() -> None:
    root = Path(hexholm.__file__).parents[2]
    text = (root / "docs" / "folders.md").read_text(encoding="utf-8")
    tools = [path for path in (root / "tools").iterdir() if path.suffix == ".py" or (path / "__init__.py").exists()]
    names = {f"tools/{path.name}{'/' if path.is_dir() else ''}" for path in tools} - {"tools/__init__.py"}
    assert "tools/generated/" in names
    assert [name for name in sorted(names) if f"[`{name}`]" not in text] == []


def test_the_page_of_folders_stands_in_dependency_order() -> None:
    text = (Path(hexholm.__file__).parents[2] / "docs" / "folders.md").read_text(encoding="utf-8")
    names = re.findall(r"^\| \[`src/hexholm/([\w/]+)/`\]", text, re.MULTILINE)
    assert len(names) > 30
    folders = [f"hexholm.{name.replace('/', '.')}" for name in names]
    violations = []
    graph = import_graph()
    for name in graph.modules:
        for imported in graph.find_modules_directly_imported_by(name):
            folder, imported_folder = _folder_of(name, folders), _folder_of(imported, folders)
            related = (
                folder
                and imported_folder
                and (folder.startswith(f"{imported_folder}.") or imported_folder.startswith(f"{folder}."))
            )
            if folder and imported_folder and not related and folders.index(folder) < folders.index(imported_folder):
                violations.append(f"{name} imports {imported}")
    assert violations == []


def _folder_of(module: str, folders: list[str]) -> str | None:
    """The innermost of the folders that a module is in."""
    inside = [folder for folder in folders if module == folder or module.startswith(f"{folder}.")]
    return max(inside, key=len, default=None)


def test_a_docstring_names_files_that_are_there() -> None:
    """`runner.py` in a docstring: beside it, below it, in a folder above it, or from the top of the repository."""
    package = Path(hexholm.__file__).parent
    missing = []
    for path in sorted(package.rglob("*.py")):
        homes = [home for home in path.parents if home.is_relative_to(package)] + [package.parents[1]]
        for text in _docstrings(path.read_text(encoding="utf-8")):
            missing += [
                f"{path.relative_to(package)}: {name}"
                for name in re.findall(r"`([\w/]+\.py)`", text)
                if not any((home / name).exists() for home in homes) and not list(path.parent.rglob(name))
            ]
    assert missing == []


def test_the_glossary_knows_every_struct_of_the_core() -> None:
    text = (Path(hexholm.__file__).parents[2] / "docs" / "glossary.md").read_text(encoding="utf-8")
    structs_of_the_core = {
        name for name, each in vars(structs).items() if isinstance(each, type) and issubclass(each, Struct)
    }
    assert len(structs_of_the_core) > 5
    assert {name for name in structs_of_the_core - {"Struct"} if f"`{name}`" not in text} == set()


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
    missing = []
    for path in sorted(package.rglob("*.py")):
        references = [
            name for text in _docstrings(path.read_text(encoding="utf-8")) for name in REFERENCE.findall(text)
        ]
        inside = path.relative_to(package.parent).with_suffix("")
        place = ".".join(inside.parts).removesuffix(".__init__")
        missing += [
            f"{path.relative_to(package)}: {name}"
            for name in references
            if not _leads_somewhere(name, place, ".".join(inside.parts[:-1]))
        ]
    assert not missing, "\n".join(missing)


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


def test_only_who_is_asked_why_returns_a_refusal_of_the_host() -> None:
    """Whoever decides or checks something raises Declined (decision 6)."""
    host = Path(hexholm.__file__).parent / "host"
    otherwise = []
    for path in sorted(host.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) or node.returns is None:
                continue
            words = set(re.findall(r"\w+", ast.unparse(node.returns)))
            is_asked_why = node.name.lstrip("_").startswith("why_")
            if "HostReason" in words or ("Refusal" in words and words != {"Refusal"} and not is_asked_why):
                otherwise.append(f"{path.relative_to(host)}: {node.name}")
    assert otherwise == []


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
            for name in (
                name_node.id for target in targets for name_node in ast.walk(target) if isinstance(name_node, ast.Name)
            ):
                if name.isupper() and not name.startswith("_") and name not in ("EXAMPLE", "T"):
                    homes.setdefault(name, []).append(str(path.relative_to(package)))
    twice = [f"{name}: {', '.join(places)}" for name, places in homes.items() if len(places) > 1]
    assert not twice, "\n".join(twice)


def _functions(path: Path) -> Iterator[tuple[ast.FunctionDef | ast.AsyncFunctionDef, bool]]:
    """The functions and methods of a module, and whether each is a property; none within functions."""
    bodies = [ast.parse(path.read_text(encoding="utf-8")).body]
    while bodies:
        for node in bodies.pop():
            if isinstance(node, ast.ClassDef):
                bodies.append(node.body)
            elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                yield node, any("property" in ast.unparse(decorator) for decorator in node.decorator_list)


OTHER_VERBS = {
    "get": "find, read, or the name of what it gives", "fetch": "load, read", "retrieve": "find", "lookup": "find",
    "obtain": "find, take", "parse": "read", "construct": "make", "erase": "delete, forget, drop",
}  # fmt: skip
"""The verb of the house is in docs/glossary.md; beside each other one stands what to say instead."""
VERBS_BY_ROOM = {
    "rules": {"settle": "decide, reassign: what is built is a settlement"},
    "game": {"settle": "decide, deal: what is built is a settlement"},
    "bots": {"settle": "decide, revise: what is built is a settlement"},
    "rules/core": {"note": "fill, add"},
    "bots/kernels": {"note": "fill, add, remember"},
    "host": {"note": "count, record, set: a guest makes notes", "settle": "admit, read: what is built is a settlement"},
}
"""And verbs with one meaning in a room: elsewhere to note is to write a fact down."""
NOUNS = {"note"}
"""What a guest has written down at a table (`Storage.note`)."""
PRESCRIBED = {"get_call_template", "get", "_get"}
"""By Numba, by queues of asyncio, by HTTP."""


def test_an_act_has_one_verb() -> None:
    package = Path(hexholm.__file__).parent
    otherwise = []
    for path in sorted(package.rglob("*.py")):
        inside = path.relative_to(package).as_posix()
        verbs = dict(OTHER_VERBS)
        for room, room_verbs in VERBS_BY_ROOM.items():
            verbs |= room_verbs if inside.startswith(f"{room}/") else {}
        otherwise += [
            f"{inside}: {node.name}: {verbs[verb]}"
            for node, _ in _functions(path)
            if (verb := node.name.removeprefix("_").partition("_")[0]) in verbs
            if node.name not in PRESCRIBED | NOUNS
        ]
    assert not otherwise, "\n".join(otherwise)


PREDICATES = (
    "is", "are", "accepts", "has", "have", "can", "may", "must", "was", "would", "lets", "affects", "builds",
    "chooses", "clashes", "closes", "covers", "fits", "hears", "holds", "knows", "lacks", "leads", "lies",
    "looks", "matches", "opens", "overlooks", "plays", "runs", "sits", "stands", "takes", "waits", "wants",
)  # fmt: skip
"""How a question begins that is answered with yes or no."""
DEEDS = (
    "answer", "begin", "check", "clear", "end", "grow", "let", "make", "occupy", "part", "print", "push", "read",
    "remove", "restart", "run", "spend", "take", "write", "empty", "forget", "merge",
)  # fmt: skip
"""How a deed begins that says whether it was done, and `read_flag`, which reads a yes or no."""


def test_a_question_sounds_like_one() -> None:
    """Whatever gives yes or no begins with a verb that asks, or says whether something was done."""
    package = Path(hexholm.__file__).parent
    otherwise = [
        f"{path.relative_to(package)}: {node.name}"
        for path in sorted(package.rglob("*.py"))
        for node, is_property in _functions(path)
        if node.returns is not None and ast.unparse(node.returns) == "bool"
        if not is_property and not node.name.startswith("__")
        if node.name.lstrip("_").partition("_")[0] not in PREDICATES + DEEDS
    ]
    assert not otherwise, "\n".join(otherwise)


CHANGING_CALLS = {
    "add", "append", "clear", "discard", "extend", "insert", "pop", "popleft", "remove", "setdefault", "spend",
    "update",
}  # fmt: skip
KEEPS_WHAT_IT_FOUND = {"runs_compiled"}
"""Questions that note the answer to give it again: nobody sees that from outside."""


def _changes_itself(node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Whether a method sets fields of its object, or calls what changes one of them."""
    for part in ast.walk(node):
        if isinstance(part, ast.Attribute | ast.Subscript) and isinstance(part.ctx, ast.Store | ast.Del):
            if ast.unparse(part).startswith("self"):
                return True
        elif isinstance(part, ast.Call) and isinstance(part.func, ast.Attribute) and part.func.attr in CHANGING_CALLS:
            if ast.unparse(part.func).startswith("self."):
                return True
    return False


def test_a_question_changes_nothing() -> None:
    package = Path(hexholm.__file__).parent
    deeds = [
        f"{path.relative_to(package)}: {node.name}"
        for path in sorted(package.rglob("*.py"))
        for node, _ in _functions(path)
        if node.name.lstrip("_").partition("_")[0] in (*PREDICATES, "why")
        if node.name not in KEEPS_WHAT_IT_FOUND and _changes_itself(node)
    ]
    assert not deeds, "\n".join(deeds)


# --- every house rule, everywhere -------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", HOUSE_RULES)
def test_texts_commands_and_the_twin_know_a_house_rule(name: str) -> None:
    """docs/how-to/add-a-rule.md: a rule that a record or a position leaves out would be gone when it is read."""
    value: Any = True if name in SWITCHES else 5
    game = hexholm.Game(edition="fifth", seed=1, first="red", **{name: value})
    assert getattr(hexholm.Game.from_record(game.record().text()).options, name) == value
    assert getattr(hexholm.Game.from_position(game.position()).options, name) == value
    assert name in GAME_OPTIONS, "the command line"
    assert name in str(hexholm.options.__doc__), "the docstring of hexholm.options"
    formats = Path(__file__).parent.parent / "docs" / "formats"
    assert f"`{name.replace('_', '-')}`" in (formats / "position.md").read_text(encoding="utf-8")
    assert f"`{name.title().replace('_', '')}`" in (formats / "record.md").read_text(encoding="utf-8")
    twin = twin_config(hexholm.Referee.new(**game.options.as_dict()))
    assert {**twin, **twin["house"]}[name] == value


# --- what waits says so -----------------------------------------------------------------------------------------------

WAITERS = {"run_server", "in_server", "in_hall", "open_party", "local_server", "HallProcess", "Host", "Popen"}
WAITING_FIXTURES = {"url", "host", "server", "invite", "play", "browser"}
WITH_A_LIMIT = {"timeout", "timeout_at", "wait_for", "wait"}


def _waits(node: ast.AST) -> bool:
    """Whether this starts a server or a hall, asks for one, or holds asyncio to a time."""
    if isinstance(node, ast.Name):
        return node.id in WAITERS
    if isinstance(node, ast.FunctionDef):
        return node.name.startswith("test_") and not WAITING_FIXTURES.isdisjoint(arg.arg for arg in node.args.args)
    return isinstance(node, ast.Attribute) and ast.unparse(node.value) == "asyncio" and node.attr in WITH_A_LIMIT


def test_a_test_that_waits_has_the_mark() -> None:
    """Only such a test is tried a second time where the machine is busy."""
    tests = Path(hexholm.__file__).parents[2] / "tests"
    sources = {path: path.read_text(encoding="utf-8") for path in sorted(tests.rglob("test_*.py"))}
    waiting = {path for path, source in sources.items() if any(map(_waits, ast.walk(ast.parse(source))))}
    assert len(waiting) > 50
    assert [str(path.relative_to(tests)) for path in sorted(waiting) if "mark.waits" not in sources[path]] == []
