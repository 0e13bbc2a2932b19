"""The cache of compiled rules: named after all sources, where HEXHOLM_CACHE says, never stale, and tidy."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import hexholm
from hexholm.rules import compiled, mode

CONSTANT = "FINGERS = 5\n"
KERNEL = """
from .compiled import entry
from .probe_constant import FINGERS

@entry
def count_fingers(hands: int) -> int:
    return hands * FINGERS
"""
RUN = """
from hexholm.rules import probe
from hexholm.rules.compiled import cache_folder, fast
from hexholm.rules.mode import announced, is_warm
with announced():
    print(fast().count_fingers(2), is_warm("count_fingers"), cache_folder())
"""


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A copy of the package with one more kernel and its constant in another module."""
    package = tmp_path / "src" / "hexholm"
    shutil.copytree(Path(hexholm.__file__).parent, package, ignore=shutil.ignore_patterns("__pycache__"))
    (package / "rules" / "probe.py").write_text(KERNEL, encoding="utf-8")
    (package / "rules" / "probe_constant.py").write_text(CONSTANT, encoding="utf-8")
    return package


def run(package: Path, cache: Path, program: str = RUN) -> tuple[list[str], str]:
    """What a fresh Python with this package and cache prints, and says on stderr."""
    environment = {**os.environ, "PYTHONPATH": str(package.parent), "HEXHOLM_CACHE": str(cache)}
    environment["PYTHONDONTWRITEBYTECODE"] = "1"
    done = subprocess.run([sys.executable, "-c", program], env=environment, check=True, capture_output=True, text=True)
    return done.stdout.split(), done.stderr


def test_a_changed_source_never_meets_a_stale_cache(copy: Path, tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    (first, warm, folder), told = run(copy, cache)
    assert (first, warm) == ("10", "True")
    assert "compiling" in told
    assert Path(folder).is_relative_to(cache)  # HEXHOLM_CACHE is respected
    (again, _, same), told = run(copy, cache)
    assert (again, same, told) == ("10", folder, "")  # warm: nothing is compiled, nothing said
    # The kernel's own file stays as it is, byte for byte; only a constant elsewhere changes.
    (copy / "rules" / "probe_constant.py").write_text(CONSTANT.replace("5", "6"), encoding="utf-8")
    (changed, _, other), told = run(copy, cache)
    assert changed == "12"
    assert other != folder
    assert "compiling" in told


def test_any_source_of_the_rules_counts_imported_or_not(copy: Path, tmp_path: Path) -> None:
    program = "import {}; from hexholm.rules.compiled import source_hash; print(source_hash())"
    little, _ = run(copy, tmp_path, program.format("hexholm.rules.compiled"))
    much, _ = run(copy, tmp_path, program.format("hexholm.rules.referee"))
    assert little == much
    structs = copy / "rules" / "core" / "encoding" / "structs.py"
    structs.write_text(structs.read_text(encoding="utf-8").replace("OFFERS: Final = 8", "OFFERS: Final = 7"), "utf-8")
    changed, _ = run(copy, tmp_path, program.format("hexholm.rules.compiled"))
    assert changed != little


def test_the_mode_of_the_compiler_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NUMBA_BOUNDSCHECK", "")
    plain = compiled.source_hash()
    monkeypatch.setenv("NUMBA_BOUNDSCHECK", "1")
    assert compiled.source_hash() != plain


def test_only_the_latest_caches_stay(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HEXHOLM_CACHE", str(tmp_path))
    for age in range(6):
        old = tmp_path / "compiled" / f"old-{age}"
        old.mkdir(parents=True)
        (old / "kernel.nbc").write_text("", encoding="utf-8")
        os.utime(old, (1000 - age, 1000 - age))
    ours = compiled._open_cache()
    assert {path.name for path in ours.parent.iterdir()} == {ours.name, "old-0", "old-1", "old-2"}
    assert not mode.is_warm()
    (ours / "playout.simulate_block-53.py311.1.nbc").write_text("", encoding="utf-8")
    assert mode.is_warm()
    assert mode.is_warm("simulate_block")
    assert not mode.is_warm("block")


def test_kernels_from_elsewhere_have_a_folder_of_their_own(tmp_path: Path) -> None:
    home, cache = tmp_path / "home", tmp_path / "cache"
    home.mkdir()
    (home / "guest.py").write_text("A = 1\n", encoding="utf-8")
    first = compiled.guest_folder(cache, home)
    assert first.parent == cache
    assert compiled.guest_folder(cache, home) == first
    (home / "guest.py").write_text("A = 2\n", encoding="utf-8")
    changed = compiled.guest_folder(cache, home)
    (home / "fellow.py").write_text("B = 1\n", encoding="utf-8")  # one that it may call
    assert len({first, changed, compiled.guest_folder(cache, home)}) == 3


CONSTANTS = """
from hexholm.rules.compiled import entry, general, kernel

@general
def once(n: int) -> int:
    return n + 1

@kernel
def anew(n: int) -> int:
    return n + 1

@entry
def both(n: int) -> int:
    return n * (once(1) + once(2)) + anew(1) + anew(2)
"""
COUNTED = """
from hexholm.rules import probe
from hexholm.rules.compiled import fast
from hexholm.rules.mode import announced
with announced(), announced():
    print(fast().both(2), len(fast().once.overloads), len(fast().anew.overloads))
"""


def test_a_general_kernel_is_compiled_once_whatever_constants_it_is_called_with(copy: Path, tmp_path: Path) -> None:
    (copy / "rules" / "probe.py").write_text(CONSTANTS, encoding="utf-8")
    found, told = run(copy, tmp_path / "cache", COUNTED)
    assert found == ["15", "1", "2"]
    assert told.count("compiling") == 1  # also where one announcement is within another
