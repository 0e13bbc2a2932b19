"""Where compiled kernels lie: a file for each, named by its code and that of all it calls.

Comments, docstrings, paths and times do not count, so a second environment finds what the first has compiled, and an
edited comment compiles nothing. A file is written beside its place and then put there in one step: two processes that
compile the same thing do not disturb each other.

Compiled code is run as it is read. So a folder that another user owns, or in which anybody may write, is not used.
"""

from __future__ import annotations

import ast
import contextlib
import functools
import hashlib
import os
import stat
import sys
import tempfile
import time
from pathlib import Path
from typing import Final

CACHE_VARIABLE: Final = "HEXHOLM_CACHE"
UNUSED_DAYS: Final = 30
"""After so many days without use a compiled kernel is thrown away."""
MOST_BYTES: Final = 500_000_000
"""Compiled kernels that together need more room are thrown away, those not used for longest first."""
SUFFIX: Final = ".kernel"
COMPILER: Final = Path(__file__).parent / "compiler.py"


def text_digest(*parts: str | bytes) -> str:
    """A digest of texts and bytes, which keeps them apart."""
    digest = hashlib.blake2b(digest_size=12)
    for part in parts:
        content = part.encode() if isinstance(part, str) else part
        digest.update(len(content).to_bytes(8, "little") + content)
    return digest.hexdigest()


def code_digest(source: str) -> str:
    """A digest of Python code without comments and docstrings."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        match node:
            case ast.Module() | ast.ClassDef() | ast.FunctionDef() | ast.AsyncFunctionDef():
                node.body = [
                    line
                    for line in node.body
                    if not (isinstance(line, ast.Expr) and isinstance(line.value, ast.Constant))
                ]
    return text_digest(ast.dump(tree))


def version_of(library: str) -> str:
    """The version of a library that is installed, without importing it: that takes its time."""
    from importlib import metadata

    return metadata.version(library)


@functools.cache
def toolchain_digest() -> str:
    """A digest of all that compiles kernels, but the machine itself."""
    versions = [version_of(library) for library in ("numba", "llvmlite", "numpy")]
    return text_digest(sys.version, *versions, code_digest(COMPILER.read_text(encoding="utf-8")))


def cache_root() -> Path:
    """The folder of all that this program keeps in caches: HEXHOLM_CACHE, or one in the user's caches."""
    import platformdirs

    return Path(os.environ.get(CACHE_VARIABLE) or platformdirs.user_cache_dir("hexholm"))


def cache_folder() -> Path:
    """Where compiled kernels lie for this Python, these libraries and this mode of the compiler."""
    mode = "-bounds" if os.environ.get("NUMBA_BOUNDSCHECK", "0") not in {"", "0"} else ""
    return cache_root() / "compiled" / f"{sys.implementation.cache_tag}-{toolchain_digest()}{mode}"


# --- files -----------------------------------------------------------------------------------------------------------


def kept_kernels() -> set[tuple[str, str]]:
    """Names and digests of the kernels that lie there compiled, for whatever arguments."""
    folder = cache_folder()
    if not is_trusted(folder):
        return set()
    stems = [path.stem.split("-") for path in folder.iterdir() if path.suffix == SUFFIX]
    return {(stem[0], stem[1]) for stem in stems if len(stem) == 3}


def is_trusted(folder: Path) -> bool:
    """Whether nobody but this user can have written to this folder; else says so on stderr, once."""
    if not hasattr(os, "getuid"):
        return folder.is_dir()  # Windows: folders of a user's caches are that user's
    try:
        status = folder.stat()
    except OSError:
        return False
    if status.st_uid == os.getuid() and not status.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        return True
    _say_not_trusted(folder)
    return False


@functools.cache
def _say_not_trusted(folder: Path) -> None:
    print(
        f"hexholm: compiled code in {folder} is not used, since others can write there: "
        f"set {CACHE_VARIABLE} to a folder of your own",
        file=sys.stderr,
        flush=True,
    )


def read_code(stem: str) -> bytes | None:
    """The content of the file of this name, if it is there."""
    folder = cache_folder()
    if not is_trusted(folder):
        return None
    path = folder / (stem + SUFFIX)
    try:
        content = path.read_bytes()
    except OSError:
        return None
    with contextlib.suppress(OSError):
        os.utime(path)  # it was used now: `tidy` goes by that
    return content


def write_code(stem: str, content: bytes) -> None:
    """Keep this content under this name; where that is impossible, it is compiled again next time."""
    folder = cache_folder()
    with contextlib.suppress(OSError):
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not is_trusted(folder):
            return
        handle, name = tempfile.mkstemp(dir=folder, prefix=stem, suffix=".part")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(content)
            Path(name).replace(folder / (stem + SUFFIX))
        except OSError:
            Path(name).unlink(missing_ok=True)
            raise
        _tidy_once(folder)


@functools.cache
def _tidy_once(folder: Path) -> None:
    tidy(folder.parent)


def tidy(root: Path) -> None:
    """Throw away compiled kernels that were not used for long, and the oldest if there are too many."""
    oldest = time.time() - UNUSED_DAYS * 24 * 60 * 60
    room = MOST_BYTES
    files = []
    for path in root.rglob("*"):
        with contextlib.suppress(OSError):  # another process may be tidying up too
            if path.is_file():
                files.append((path.stat().st_mtime, path.stat().st_size, path))
    for used, size, path in sorted(files, reverse=True):
        room -= size
        if used < oldest or room < 0:
            with contextlib.suppress(OSError):
                path.unlink()
    for folder in sorted(root.rglob("*"), reverse=True):
        with contextlib.suppress(OSError):
            folder.rmdir()  # only if it is empty
