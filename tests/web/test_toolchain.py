"""The tools that watch over the client do watch: planted faults are found, and what is built is what is served."""

from __future__ import annotations

import json
import os
import re
import subprocess
from pathlib import Path

import pytest

import hatch_build
from hexholm.rules.language.languages import LANGUAGES
from tests.helpers.marks import all_languages

from . import chromium, friends
from .conftest import Invite
from .visitor import ROOT, first_visit

pytestmark = pytest.mark.waits

WEB = ROOT / "web"
FIRST_LOAD = 150_000
"""Bytes of a first visit as they come over the line, with all headers, at most."""
SOUND = '<script lang="ts">\n  let count: number = $state(1);\n</script>\n\n<p>{count}</p>\n'
COMPONENTS = {
    "Sound": SOUND,
    "WrongType": SOUND.replace("$state(1)", "$state('one')"),
    "NoName": SOUND + '<img src="/icon.svg">\n',
    "Styled": SOUND + '<p style="color: red">red</p>\n',
    "ByHand": SOUND + '<p style:color="red">red</p>\n',
    "Floating": SOUND.replace("</script>", "  Promise.resolve(1);\n</script>"),
    "net/Upwards": '<script lang="ts">\n  import Above from "../table/Downwards.svelte";\n</script>\n\n<Above />\n',
    "pages/Later": '<script lang="ts">\n  void import("../Sound.svelte");\n</script>\n',
    "table/Downwards": '<script lang="ts">\n  import Upwards from "../net/Upwards.svelte";\n</script>\n\n<Upwards />\n',
}

WAITING = "const later = (): Promise<number> => Promise.resolve(1);\n\nexport const now = await later();\n"
"""A module with an await at its top, which fails in Safari up to 26 when two others import it at once."""
FIND_WAITING = """
const { readFileSync } = require("node:fs");
const { SourceTextModule } = require("node:vm");
for (const path of process.argv.slice(1))
  if (new SourceTextModule(readFileSync(path, "utf-8")).hasTopLevelAwait()) console.log(path);
"""


def tool(folder: Path, program: str, *words: str) -> str:
    """What a tool of node_modules says, run as web/package.json runs it."""
    node = hatch_build.node()[0] / "node"
    path = WEB / "node_modules" / program
    process = subprocess.run([str(node), str(path), *words], cwd=folder, capture_output=True, text=True, check=False)
    assert process.returncode == 1, "faults fail the check"
    return process.stdout


@pytest.fixture(scope="module")
def planted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project with the settings and packages of web/, some faults and a component without."""
    folder = tmp_path_factory.mktemp("planted")
    for name in ("package.json", "tsconfig.json", "svelte.config.js", "eslint.config.js", "rooms.json"):
        (folder / name).write_bytes((WEB / name).read_bytes())
    (folder / "node_modules").symlink_to(WEB / "node_modules", target_is_directory=True)
    for name, component in COMPONENTS.items():
        (folder / f"src/{name}.svelte").parent.mkdir(parents=True, exist_ok=True)
        (folder / f"src/{name}.svelte").write_text(component, encoding="utf-8")
    (folder / "src/waiting.ts").write_text(WAITING, encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def types(planted: Path) -> list[str]:
    """What the types' checker says, line by line."""
    script = json.loads((WEB / "package.json").read_text(encoding="utf-8"))["scripts"]["check"]
    words = re.match(r"svelte-check (.*?) &&", script)
    assert words is not None
    return tool(planted, "svelte-check/bin/svelte-check", *words[1].split(), "--output", "machine").splitlines()


@pytest.fixture(scope="module")
def lint(planted: Path) -> dict[str, str]:
    """What the linter says, by component."""
    results = json.loads(tool(planted, "eslint/bin/eslint.js", ".", "--max-warnings", "0", "--format", "json"))
    return {Path(result["filePath"]).stem: json.dumps(result["messages"]) for result in results if result["messages"]}


def test_a_wrong_type_in_a_component_is_reported(types: list[str]) -> None:
    assert any("WrongType" in line and "Type 'string' is not assignable to type 'number'" in line for line in types)


def test_a_picture_without_a_name_is_reported(types: list[str]) -> None:
    assert any("NoName" in line and "a11y_missing_attribute" in line for line in types)


def test_a_style_that_the_content_policy_blocks_is_reported(lint: dict[str, str]) -> None:
    assert "The content policy blocks" in lint["Styled"]


def test_a_promise_that_nobody_waits_for_is_reported(lint: dict[str, str]) -> None:
    assert "no-floating-promises" in lint["Floating"]


def test_an_await_at_the_top_of_a_file_is_reported(lint: dict[str, str]) -> None:
    assert "breaks in Safari" in lint["waiting"]


@pytest.mark.usefixtures("built")
def test_no_file_of_the_built_client_waits_at_its_top(tmp_path: Path) -> None:
    planted = tmp_path / "waiting.js"
    planted.write_text("export const now = await Promise.resolve(1);\n", encoding="utf-8")
    chunks = sorted((hatch_build.STATIC / "assets").glob("*.js"))
    assert len(chunks) > 10
    words = ["--experimental-vm-modules", "--no-warnings", "--eval", FIND_WAITING, "--", *chunks, planted]
    node = [str(word) for word in (hatch_build.node()[0] / "node", *words)]
    process = subprocess.run(node, capture_output=True, text=True, check=True)
    assert process.stdout.splitlines() == [str(planted)]


def test_an_import_against_the_order_of_the_rooms_is_reported(lint: dict[str, str]) -> None:
    assert "net/ does not import from there" in lint["Upwards"]
    assert "pages/ does not import from there" in lint["Later"]
    assert "Downwards" not in lint


def test_a_sound_component_passes_both_checks(types: list[str], lint: dict[str, str]) -> None:
    assert not [line for line in types if "Sound" in line or "ByHand" in line]
    assert not {"Sound", "ByHand"} & set(lint)


def test_the_lock_file_holds_no_addresses_and_every_platform() -> None:
    packages = json.loads((WEB / "package-lock.json").read_text(encoding="utf-8"))["packages"]
    assert not [name for name, platform in packages.items() if "resolved" in platform]
    bindings = {name.rpartition("/")[2] for name in packages if "/@rolldown/binding-" in name}
    assert {
        f"binding-{platform}" for platform in ("darwin-arm64", "linux-arm64-gnu", "linux-x64-musl", "win32-x64-msvc")
    } <= bindings


@pytest.mark.usefixtures("built")
def test_the_built_client_fits_its_sources() -> None:
    assert hatch_build.is_built(), "the browser client was changed since it was built: make web"


@all_languages
@pytest.mark.parametrize("page_path", ["start", "new", "table"])
def test_a_first_visit_is_small_with_all_it_brings(server: str, invite: Invite, page_path: str, language: str) -> None:
    table = friends.begin_table(server, ("red",), setup="variable") if page_path == "table" else None
    address, ready = {
        "start": ("/", "[data-testid=play-now]:enabled"),
        "new": ("/new", "[data-testid=create]:enabled"),
        "table": (table.link("red") if table else "", ".spot[data-action]"),
    }[page_path]
    page = invite(server, locale=language, extra_http_headers={"Accept-Encoding": "gzip"}).page  # as over plain http
    wire = first_visit(page, address, ready)
    assert {"Document", "Script", "Stylesheet", "Fetch"} <= set(wire.kinds.values())
    assert ("WebSocket" in wire.kinds.values()) == (page_path == "table")
    assert any("/TablePage-" in name for name in wire.sizes), "the table is not there when one sits down"
    others = [f"/{other}-" for other in LANGUAGES if other != language]
    assert not [name for name in wire.sizes if any(other in name for other in others)], "two languages"
    assert wire.total <= FIRST_LOAD, dict(wire.sizes)


def test_a_changed_source_means_a_new_build(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, path in (("WEB", "web"), ("WORDS", "words"), ("STATIC", "static")):
        (tmp_path / path).mkdir()
        monkeypatch.setattr(hatch_build, name, tmp_path / path)
    monkeypatch.setattr(hatch_build, "ROOT", tmp_path)
    monkeypatch.setattr(hatch_build, "BUILT", tmp_path / "web/.stamp")
    calls: list[tuple[str, ...]] = []

    def npm(*words: str, packages: str) -> None:
        assert packages == "build"
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
