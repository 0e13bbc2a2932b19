"""`hexholm doctor`: enough to judge a slow start or a missing library from afar."""

from __future__ import annotations

import importlib
import json
import os
import platform
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path
from typing import Annotated, Final

import typer

import hexholm
from hexholm.game.language.phrases import fold

EXTRAS: Final = {
    "assistants": ("mcp", "a seat for AI assistants"),
    "cluster": ("ray", "tournaments on many machines"),
    "data": ("pyarrow", "Parquet files"),
    "plot": ("matplotlib", "plots of tournaments"),
    "postgres": ("psycopg", "tables on a PostgreSQL server"),
    "print": ("fpdf2", "maps on paper"),
}
"""The extras: what is needed, what it is for."""


def doctor(
    as_json: Annotated[bool, typer.Option("--json", help="Print it as one line of JSON.")] = False,
) -> int:
    """Show versions, the cache and what is installed."""
    if as_json:
        typer.echo(json.dumps(dict(report_rows())))
        return 0
    for label, value in report_rows():
        typer.echo(fold(f"{label:<12} {value}", " " * 13))
    return 0


def report_rows() -> Iterator[tuple[str, str]]:
    """Yield pairs of label and value, quick facts first."""
    yield "hexholm", hexholm.__version__
    yield "python", f"{platform.python_version()} ({platform.python_implementation()}, {platform.platform()})"
    yield "numpy", _version_text("numpy") or "missing"
    yield "numba", _version_text("numba") or "missing"
    yield "CPUs", _cpus_text()
    for extra, (library, purpose) in EXTRAS.items():
        version = _version_text(library)
        status = f"{library} {version}" if version else f"not installed: pip install 'hexholm[{extra}]'"
        yield f"[{extra}]", f"{status} ({purpose})"
    if _version_text("numba"):
        yield "cache", cache_text()


def cache_text() -> str:
    """The folder of compiled rules, whether a simulation would find it warm, and its size."""
    try:
        mode = importlib.import_module("hexholm.rules.compilation.mode")
        kernel_cache = importlib.import_module("hexholm.rules.compilation.kernel_cache")
        importlib.import_module("hexholm.rules.simulate")  # its kernels are looked for
    except ImportError as error:  # a doctor must be able to look at a broken installation
        return f"unknown: {error}"
    folder = kernel_cache.cache_folder()
    size = sum(path.stat().st_size for path in folder.glob("**/*") if path.is_file())
    warm = mode.is_warm("simulate_block")
    state = f"warm, {size / 1e6:.1f} MB" if warm else "cold: the first simulation compiles the rules"
    return f"{_path_from_home(folder)} ({state})"


def _version_text(distribution: str) -> str:
    try:
        return metadata.version(distribution)
    except metadata.PackageNotFoundError:
        return ""


def _cpus_text() -> str:
    total = os.cpu_count() or 1
    usable = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else total
    return str(total) if usable == total else f"{usable} of {total} usable"


def _path_from_home(path: Path) -> str:
    home = Path.home()
    return f"~/{path.relative_to(home)}" if path.is_relative_to(home) else str(path)
