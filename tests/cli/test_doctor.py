"""`hexholm doctor`: versions, extras, and whether the cache is warm."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import hexholm
from hexholm.cli.commands import doctor
from hexholm.rules.compilation import kernel_cache
from hexholm.rules.compilation import kernels as compiled

pytestmark = pytest.mark.waits

ROOT = Path(__file__).parent.parent.parent


def test_doctor_tells_versions_cache_and_extras() -> None:
    process = subprocess.run([sys.executable, "-m", "hexholm", "doctor"], check=True, capture_output=True, text=True)
    assert (
        max(map(len, process.stdout.splitlines())) <= 80 or " /" in process.stdout
    )  # but for a path that cannot be folded
    report = dict(line.split(maxsplit=1) for line in process.stdout.replace("\n" + " " * 13, " ").splitlines())
    assert set(report) >= {"hexholm", "python", "numpy", "numba", "CPUs", "cache"}
    assert report["hexholm"] == hexholm.__version__
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    assert {label for label in report if label.startswith("[")} == {f"[{name}]" for name in extras if extras[name]}
    assert report["[data]"].endswith("(Parquet files)")
    assert "cold" in report["cache"] or "warm" in report["cache"], report["cache"]


def test_it_is_said_how_to_install_an_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    versions = {"ray": "2.60.0"}
    monkeypatch.setattr(doctor, "_version_text", lambda name: versions.get(name, ""))
    report = dict(doctor.report_rows())
    assert report["[cluster]"] == "ray 2.60.0 (tournaments on many machines)"
    assert report["[data]"] == "not installed: pip install 'hexholm[data]' (Parquet files)"


def test_a_broken_installation_is_told_and_not_raised(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "hexholm.rules.compilation.mode", None)
    assert doctor.cache_text().startswith("unknown: ")


def test_doctor_knows_a_cold_cache_from_a_warm_one(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HEXHOLM_CACHE", str(tmp_path))
    assert "(cold: " in doctor.cache_text()
    folder = kernel_cache.cache_folder()
    (digest,) = (compiled.kernel_digest(kernel) for kernel in compiled.kernels_named("simulate_block"))
    kernel_cache.write_code(f"simulate_block-{digest}-0", bytes(2_000_000))
    assert doctor.cache_text() == f"{folder} (warm, 2.0 MB)"
