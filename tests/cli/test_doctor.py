"""`hexholm doctor`: versions, extras, and whether the cache is warm."""

from __future__ import annotations

import subprocess
import sys
from importlib import metadata
from pathlib import Path

import pytest

import hexholm
from hexholm.cli.commands import doctor
from hexholm.rules.compiled import cache_folder


def test_doctor_tells_versions_cache_and_extras() -> None:
    done = subprocess.run([sys.executable, "-m", "hexholm", "doctor"], check=True, capture_output=True, text=True)
    assert max(map(len, done.stdout.splitlines())) <= 80 or " /" in done.stdout  # but for a path that cannot be folded
    told = dict(line.split(maxsplit=1) for line in done.stdout.replace("\n" + " " * 13, " ").splitlines())
    assert set(told) >= {"hexholm", "python", "numpy", "numba", "CPUs", "cache", "[dev]"}
    assert told["hexholm"] == hexholm.__version__
    assert told["[dev]"] == "installed"
    assert told["[png]"].endswith("(PNG pictures)")
    assert told["[data]"].endswith("(Parquet files)")
    assert "cold" in told["cache"] or "warm" in told["cache"], told["cache"]


def test_a_missing_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    wanted = ["numpy>=2", 'no-such-library>=1; extra == "more"', 'pytest; extra == "dev"']
    monkeypatch.setattr(metadata, "requires", lambda _name: wanted)
    assert doctor.extras() == {"more": ["no-such-library"], "dev": []}


def test_it_is_said_how_to_install_an_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    versions = {"resvg_py": "0.5.0"}
    monkeypatch.setattr(doctor, "_version", lambda name: versions.get(name, ""))
    told = dict(doctor.report())
    assert told["[png]"] == "resvg_py 0.5.0 (PNG pictures)"
    assert told["[data]"] == "not installed: pip install 'hexholm[data]' (Parquet files)"


def test_a_broken_installation_is_told_and_not_raised(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "hexholm.rules.mode", None)
    assert doctor.cache().startswith("unknown: ")


def test_doctor_knows_a_cold_cache_from_a_warm_one(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HEXHOLM_CACHE", str(tmp_path))
    assert "(cold: " in doctor.cache()
    folder = cache_folder()
    folder.mkdir(parents=True)
    (folder / "playout.simulate_block-53.py311.1.nbc").write_bytes(bytes(2_000_000))
    assert doctor.cache() == f"{folder} (warm, 2.0 MB)"
