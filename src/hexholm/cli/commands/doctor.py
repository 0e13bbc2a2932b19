"""`hexholm doctor`: enough to judge a slow start or a missing library from afar."""

from __future__ import annotations

import importlib
import json
import os
import platform
import re
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path
from typing import Annotated, Final

import typer

import hexholm
from hexholm.game.language.phrases import fold

PARTS: Final = {
    "png": ("resvg_py", "PNG pictures"),
    "print": ("fpdf2", "maps on paper"),
    "data": ("pyarrow", "Parquet files"),
    "plot": ("matplotlib", "plots of tournaments"),
    "cluster": ("ray", "tournaments on many machines"),
}
"""The extras for users: what is needed, what it is for."""
_REQUIREMENT = re.compile(r"""(?P<name>[\w.-]+).*\bextra == ["'](?P<extra>[\w.-]+)["']""")


def doctor(
    as_json: Annotated[bool, typer.Option("--json", help="Print it as one line of JSON.")] = False,
) -> int:
    """Show versions, the cache and what is installed."""
    if as_json:
        typer.echo(json.dumps(dict(report())))
        return 0
    for label, value in report():
        typer.echo(fold(f"{label:<12} {value}", " " * 13))
    return 0


def report() -> Iterator[tuple[str, str]]:
    """Yield pairs of label and value, quick facts first."""
    yield "hexholm", hexholm.__version__
    yield "python", f"{platform.python_version()} ({platform.python_implementation()}, {platform.platform()})"
    yield "numpy", _version("numpy") or "missing"
    yield "numba", _version("numba") or "missing"
    yield "CPUs", _cpus()
    for extra, (library, purpose) in PARTS.items():
        version = _version(library)
        how = f"{library} {version}" if version else f"not installed: pip install 'hexholm[{extra}]'"
        yield f"[{extra}]", f"{how} ({purpose})"
    for extra, missing in sorted(extras().items()):
        if extra not in PARTS:
            yield f"[{extra}]", "installed" if not missing else "not installed: " + ", ".join(missing)
    if _version("numba"):
        yield "cache", cache()


def extras() -> dict[str, list[str]]:
    """The optional extras, each with those of its libraries that are missing."""
    try:
        requirements = metadata.requires("hexholm") or []
    except metadata.PackageNotFoundError:  # run from the sources without being installed
        return {}
    found: dict[str, list[str]] = {}
    for requirement in requirements:
        if match := _REQUIREMENT.match(requirement):
            missing = found.setdefault(match["extra"], [])
            if not _version(match["name"]):
                missing.append(match["name"])
    return found


def cache() -> str:
    """The folder of compiled rules, whether a simulation would find it warm, and its size."""
    try:
        mode = importlib.import_module("hexholm.rules.mode")
    except ImportError as error:  # a doctor must be able to look at a broken installation
        return f"unknown: {error}"
    folder = mode.cache_folder()
    size = sum(path.stat().st_size for path in folder.glob("**/*") if path.is_file())
    warm = mode.is_warm("simulate_block")
    state = f"warm, {size / 1e6:.1f} MB" if warm else "cold: the first simulation compiles the rules"
    return f"{_path_from_home(folder)} ({state})"


def _version(distribution: str) -> str:
    try:
        return metadata.version(distribution)
    except metadata.PackageNotFoundError:
        return ""


def _cpus() -> str:
    total = os.cpu_count() or 1
    usable = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else total
    return str(total) if usable == total else f"{usable} of {total} usable"


def _path_from_home(path: Path) -> str:
    home = Path.home()
    return f"~/{path.relative_to(home)}" if path.is_relative_to(home) else str(path)
