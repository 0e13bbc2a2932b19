"""The tools that watch over the client do watch: planted faults are found, and what is built is what is served."""

from __future__ import annotations

import json
import os
import re
import subprocess
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, Response

import hatch_build

from . import chromium, friends
from .browsing import ROOT
from .conftest import Invite

WEB = ROOT / "web"
FIRST_LOAD = 150_000
"""Bytes of a first visit, compressed, at most."""
SOUND = '<script lang="ts">\n  let count: number = $state(1);\n</script>\n\n<p>{count}</p>\n'
WRONG_TYPE = SOUND.replace("$state(1)", "$state('one')")
NO_NAME = SOUND + '<img src="/icon.svg">\n'
STYLED = SOUND + '<p style="color: red">red</p>\n'


def planted(folder: Path, component: str) -> Path:
    """A project with the settings and packages of web/ and one component."""
    for name in ("package.json", "tsconfig.json", "svelte.config.js", "eslint.config.js"):
        (folder / name).write_bytes((WEB / name).read_bytes())
    (folder / "node_modules").symlink_to(WEB / "node_modules", target_is_directory=True)
    (folder / "src").mkdir()
    (folder / "src/Planted.svelte").write_text(component, encoding="utf-8")
    return folder


def tool(folder: Path, program: str, *words: str) -> subprocess.CompletedProcess[str]:
    """A tool of node_modules, run as web/package.json runs it."""
    node = hatch_build.node()[0] / "node"
    path = WEB / "node_modules" / program
    return subprocess.run([str(node), str(path), *words], cwd=folder, capture_output=True, text=True, check=False)


def types(folder: Path) -> subprocess.CompletedProcess[str]:
    script = json.loads((WEB / "package.json").read_text(encoding="utf-8"))["scripts"]["check"]
    words = re.match(r"svelte-check (.*?) &&", script)
    assert words is not None
    return tool(folder, "svelte-check/bin/svelte-check", *words[1].split(), "--output", "machine")


def lint(folder: Path) -> subprocess.CompletedProcess[str]:
    return tool(folder, "eslint/bin/eslint.js", ".", "--max-warnings", "0")


def test_a_wrong_type_in_a_component_is_reported(tmp_path: Path) -> None:
    found = types(planted(tmp_path, WRONG_TYPE))
    assert found.returncode == 1
    assert "Type 'string' is not assignable to type 'number'" in found.stdout


def test_a_picture_without_a_name_is_reported(tmp_path: Path) -> None:
    found = types(planted(tmp_path, NO_NAME))
    assert found.returncode == 1
    assert "a11y_missing_attribute" in found.stdout


def test_a_sound_component_passes_both_checks(tmp_path: Path) -> None:
    planted(tmp_path, SOUND)
    assert types(tmp_path).returncode == 0
    assert lint(tmp_path).returncode == 0


def test_a_style_that_the_content_policy_blocks_is_reported(tmp_path: Path) -> None:
    found = lint(planted(tmp_path, STYLED))
    assert found.returncode == 1
    assert "The content policy blocks" in found.stdout
    (tmp_path / "src/Planted.svelte").write_text(
        STYLED.replace('style="color: red"', 'style:color="red"'), encoding="utf-8"
    )
    assert lint(tmp_path).returncode == 0


def test_the_lock_file_holds_no_addresses_and_every_platform() -> None:
    packages = json.loads((WEB / "package-lock.json").read_text(encoding="utf-8"))["packages"]
    assert not [name for name, one in packages.items() if "resolved" in one]
    bindings = {name.rpartition("/")[2] for name in packages if "/@rolldown/binding-" in name}
    assert {
        f"binding-{one}" for one in ("darwin-arm64", "linux-arm64-gnu", "linux-x64-musl", "win32-x64-msvc")
    } <= bindings


@pytest.mark.usefixtures("built")
def test_the_built_client_fits_its_sources() -> None:
    assert hatch_build.is_built(), "the browser client was changed since it was built: make web"


def test_a_first_visit_is_small_with_all_it_brings(server: str, invite: Invite) -> None:
    table = friends.begun(server, ("red",), setup="variable")
    for address, ready in (("/", "[data-testid=play-now]:enabled"), (table.link("red"), ".spot[data-action]")):
        sizes = brought(invite(server).page, address, ready)
        assert any(name.startswith("/api/") for name in sizes)
        assert sum(sizes.values()) <= FIRST_LOAD, sizes


def brought(page: Page, address: str, ready: str) -> dict[str, int]:
    """The bytes of a first visit as they come over the line: page, scripts, words, drawings, data."""
    answers: list[Response] = []

    def note(answer: Response) -> None:
        answers.append(answer)

    page.on("response", note)
    page.goto(address)
    page.locator(ready).first.wait_for(state="attached")
    page.wait_for_load_state("networkidle")
    return {urlsplit(one.url).path: int(one.header_value("content-length") or 0) for one in answers}


def test_a_changed_source_means_a_new_build(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, path in (("WEB", "web"), ("WORDS", "words"), ("STATIC", "static")):
        (tmp_path / path).mkdir()
        monkeypatch.setattr(hatch_build, name, tmp_path / path)
    monkeypatch.setattr(hatch_build, "ROOT", tmp_path)
    monkeypatch.setattr(hatch_build, "BUILT", tmp_path / "web/.stamp")
    calls: list[tuple[str, ...]] = []

    def npm(*words: str) -> None:
        calls.append(words)
        (tmp_path / "static/index.html").touch()

    monkeypatch.setattr(hatch_build, "npm", npm)
    source, words = tmp_path / "web/main.ts", tmp_path / "words/en.toml"
    source.write_text("1", encoding="utf-8")
    for expected in (1, 1):
        hatch_build.build()
        assert len(calls) == expected
    words.write_text("2", encoding="utf-8")  # the words are a source too
    hatch_build.build()
    assert len(calls) == 2
    os.utime(source, (1, 1))  # another time alone is no change
    hatch_build.build()
    assert len(calls) == 2
    (tmp_path / "static/index.html").unlink()
    hatch_build.build()
    assert len(calls) == 3


def test_where_no_browser_can_be_installed_the_command_is_told(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("CHROMIUM", raising=False)
    monkeypatch.setattr(chromium, "find", lambda: None)
    monkeypatch.setattr(os, "geteuid", lambda: 1000, raising=False)
    assert chromium.main() == 1
    assert "sudo apt-get update && sudo apt-get install" in capsys.readouterr().err


def test_a_browser_that_is_named_wrongly_is_told(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("CHROMIUM", "/nowhere/chromium")
    assert chromium.main() == 1
    assert "CHROMIUM=/nowhere/chromium: there is no such program" in capsys.readouterr().err
