"""What the package promises from outside: names, types, quick imports, and the files of the wheel."""

from __future__ import annotations

import inspect
import re
import subprocess
import sys
import zipfile
from importlib import import_module, metadata, resources
from pathlib import Path
from types import FunctionType, MethodType
from typing import Any

import pytest

import hexholm
from hexholm import almanac
from hexholm.almanac import Almanac
from hexholm.bots import Thought
from hexholm.game.views.cached_property import cached_property
from hexholm.older_names import OlderName
from hexholm.testing import Report

ROOT = Path(__file__).parent.parent
Method = FunctionType | MethodType


def python(*arguments: str) -> str:
    """What a fresh Python prints."""
    return subprocess.run([sys.executable, *arguments], check=True, capture_output=True, text=True).stdout


def test_all_is_sorted_and_importable() -> None:
    assert hexholm.__all__ == sorted(hexholm.__all__)
    assert len(set(hexholm.__all__)) == len(hexholm.__all__)
    for name in hexholm.__all__:
        assert getattr(hexholm, name) is not None


def test_every_public_name_and_method_has_a_docstring() -> None:
    names = {name: getattr(hexholm, name) for name in hexholm.__all__ if name != "__version__"}
    methods = {
        f"{name}.{own}": method
        for name, public in names.items()
        for own, method in inspect.getmembers(
            public, lambda member: isinstance(member, property | cached_property | Method)
        )
        if not own.startswith("_") and getattr(method, "__module__", "hexholm").startswith("hexholm")
    }
    signatures = {f"{name}(" for name in names}  # a dataclass without a docstring gets its signature
    texts = {path: inspect.getdoc(member) or "" for path, member in {**names, **methods}.items()}
    assert [path for path, text in texts.items() if not text or any(map(text.startswith, signatures))] == []
    assert len(texts) > 200


@pytest.mark.parametrize("public", [hexholm.Game, hexholm.SeatView, hexholm.Record])
def test_a_class_in_two_files_says_what_it_inherits(public: type) -> None:
    (base,) = public.__bases__
    listed = inspect.getdoc(public).partition(", inherited:")[2]  # type: ignore[union-attr]  # it has one
    members = {name for name, member in vars(base).items() if not name.startswith("_") and _is_code(member)}
    assert set(re.findall(r"`(\w+)`", listed)) == members


def _is_code(member: object) -> bool:
    return isinstance(member, property | cached_property | classmethod | staticmethod | FunctionType)


def test_older_names_still_work() -> None:
    package: Any = hexholm  # type checkers know the names of today alone
    game: Any = hexholm.Game(edition="fifth", setup="fixed", seed=7, dealer=package.Fresh())
    view, referee = game.view("red"), game.referee
    assert isinstance(game.dealer, hexholm.SystemRandom)
    assert game.past() == game.events
    assert (view.prompt(), view.prompt("de")) == (view.prompt_text(), view.prompt_text("de"))
    assert view.question == view.current_prompt
    assert view.hindered == view.kind_verdicts
    assert view.bank == view.supply
    assert referee.talk is referee.open_offers
    assert referee.say(referee.read("roll", "red")) == "roll"
    assert referee.bank() == referee.supply()
    assert (view.cards, view.new_cards) == (view.development, view.new_development)
    assert view.card_count("blue") == view.development_count("blue")
    assert view.chance_of("blue", "1 ore") == view.probability_of("blue", "1 ore")
    assert view.card_odds("blue") == view.development_odds("blue")
    assert view.card_chance("blue", "1 knight") == view.development_probability("blue", "1 knight")
    assert referee.cards("red") == referee.development("red")
    action: Any = hexholm.Action("supply", give=hexholm.Cards("4 ore"), take=hexholm.Cards("1 wool"))
    assert (action.take, action) == (action.want, hexholm.Action.of("supply 4 ore : 1 wool"))
    by_hand = hexholm.Game(edition="fifth", setup="fixed", seed=7, dealer=hexholm.ByHand())
    by_hand.play("roll")
    chance: Any = by_hand.chance
    assert (chance.question, chance.counted) == (chance.question_text, chance.draws)
    assert game.cut("agreed").how == "agreed"
    record: Any = game.record()
    assert (record.begin()[0], record.walk().turn) == (record.opening_position()[0], record.turn_tracker().turn)
    assert record.guide().referee.state == record.checked_tracker().referee.state
    thought: Any = Thought(hexholm.Action.of("roll"), chance=0.25)
    assert (thought.chance, thought) == (thought.win_probability, Thought(hexholm.Action.of("roll"), 0.25))
    report: Any = Report("mine")
    assert (report.doing, report.tried) == (report.current_check, report.checks_made)
    book: Any = Almanac("sixth")
    assert (book.book, book.index(), book.explained()) == (book.edition_data, book.alphabet(), book.entries_by_rule())
    assert (book.terms, book.linked("a city")) == (book.link_targets, book.link_line("a city"))
    almanac_package: Any = almanac
    assert isinstance(book.rule("SEVEN-02"), almanac_package.Explained)


def test_the_reference_lists_all_older_names() -> None:
    page = (Path(__file__).parents[1] / "docs" / "reference" / "api.md").read_text(encoding="utf-8")
    section = page.partition("## Older names")[2]
    rows = [re.findall(r"`(?:[\w.]+\.)?(\w+)(?:\(\))?`", row) for row in section.splitlines() if row.startswith("| `")]
    pairs = [pair for row in rows for pair in zip(row[: len(row) // 2], row[len(row) // 2 :], strict=True)]
    modules = [import_module(name) for name in _module_names()]
    expected = [pair for module in modules for pair in getattr(module, "_OLDER_CLASSES", {}).items()]
    for public in {value for module in modules for value in vars(module).values() if isinstance(value, type)}:
        expected += [(older, way.name) for older, way in vars(public).items() if isinstance(way, OlderName)]
    assert len(expected) > 30
    assert sorted(pairs) == sorted(expected)


def _module_names() -> list[str]:
    """The modules that say which older names their classes have, and the packages that hold those."""
    files = [path for path in (ROOT / "src" / "hexholm").rglob("*.py") if path.name != "older_names.py"]
    saying = [path for path in files if re.search(r"@with_older_names|_OLDER_CLASSES = ", path.read_text("utf-8"))]
    parts = [path.relative_to(ROOT / "src").with_suffix("").parts for path in saying]
    return [".".join(names).removesuffix(".__init__") for names in parts]


def test_the_version_is_told_the_same_everywhere() -> None:
    assert metadata.version("hexholm") == hexholm.__version__
    assert python("-m", "hexholm", "--version") == f"hexholm {hexholm.__version__}\n"


def test_importing_is_quick() -> None:
    heavy = "{'numba', 'llvmlite', 'typer', 'rich', 'yaml'}"
    assert python("-c", f"import sys, hexholm; print({heavy} & set(sys.modules))") == "set()\n"


def test_the_command_line_starts_without_the_engine() -> None:
    heavy = "{'numba', 'llvmlite', 'numpy', 'yaml'}"
    assert python("-c", f"import sys, hexholm.cli; print({heavy} & set(sys.modules))") == "set()\n"


def test_types_are_shipped() -> None:
    assert resources.files("hexholm").joinpath("py.typed").is_file()


def test_the_wheel_holds_every_file_of_the_package(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    (wheel,) = tmp_path.glob("*.whl")
    packed = {name for name in zipfile.ZipFile(wheel).namelist() if name.startswith("hexholm/")}
    source = ROOT / "src"
    present = {path.relative_to(source).as_posix() for path in (source / "hexholm").rglob("*") if path.is_file()}
    assert packed == {name for name in present if "__pycache__" not in name}
    assert {"hexholm/py.typed", "hexholm/rules/data/rules.yaml"} <= packed
