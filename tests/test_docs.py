"""What README, docs and docstrings show is true: every example is run."""

from __future__ import annotations

import doctest
import importlib
import re
from pathlib import Path
from typing import Any

import pytest

import hexholm
from hexholm.arena import tournament

ROOT = Path(__file__).parent.parent
PAGES = ["README.md", *(str(path.relative_to(ROOT)) for path in sorted((ROOT / "docs").rglob("*.md")))]
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


@pytest.mark.parametrize("page", PAGES)
def test_the_sessions_of_a_page_run_as_shown(page: str) -> None:
    text = (ROOT / page).read_text(encoding="utf-8").replace("```", "")
    test = doctest.DocTestParser().get_doctest(text, {}, page, page, 0)
    runner = doctest.DocTestRunner(optionflags=FLAGS, verbose=False)
    runner.run(test)
    assert runner.failures == 0


@pytest.mark.parametrize("page", PAGES)
def test_the_programs_of_a_page_run(page: str) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    for number, block in enumerate(re.findall(r"```python\n(.*?)```", text, flags=re.DOTALL)):
        if ">>>" not in block and "@entry" not in block:  # an entry is compiled from a file; its test is test_cache
            exec(compile(block, f"{page}:{number}", "exec"), {})  # noqa: S102  # our own pages


def test_the_first_player_that_is_shown_beats_random_ones() -> None:
    """Who copies it should see a win."""
    text = (ROOT / "docs/how-to/write-a-bot.md").read_text(encoding="utf-8")
    namespace: dict[str, Any] = {}
    exec(re.findall(r"```python\n(.*?)```", text, flags=re.DOTALL)[0], namespace)  # noqa: S102  # our own pages
    result = tournament([namespace["MyBot"], "random", "random", "random"], games=12, seed=5, points_to_win=6)
    assert result.row("MyBot").wins > 6


def modules_with_examples() -> list[str]:
    """All modules whose source shows a session."""
    source = ROOT / "src"
    paths = [path for path in sorted(source.rglob("*.py")) if ">>>" in path.read_text(encoding="utf-8")]
    return [".".join(path.relative_to(source).with_suffix("").parts).removesuffix(".__init__") for path in paths]


@pytest.mark.parametrize("name", modules_with_examples())
def test_the_examples_of_a_docstring_run(name: str) -> None:
    outcome = doctest.testmod(importlib.import_module(name), optionflags=FLAGS)
    assert outcome.attempted > 0
    assert outcome.failed == 0


def test_links_between_pages_lead_somewhere() -> None:
    for page in PAGES:
        for target in re.findall(r"\]\(([^)#]+)\)", (ROOT / page).read_text(encoding="utf-8")):
            if "://" not in target:
                assert ((ROOT / page).parent / target).exists(), f"{page} links to {target}"


def test_the_page_of_the_api_has_all_that_the_package_offers() -> None:
    text = (ROOT / "docs/reference/api.md").read_text(encoding="utf-8")
    names = re.findall(r"^::: hexholm\.(\w+)$", text, flags=re.MULTILINE)
    assert sorted(names) == sorted(set(hexholm.__all__) - {"__version__"})


def test_the_table_of_contents_has_every_page() -> None:
    """And the site too: its menu is a list in mkdocs.yml."""
    pages = {page.removeprefix("docs/") for page in PAGES if page.startswith("docs/")} - {"README.md"}
    contents = (ROOT / "docs/README.md").read_text(encoding="utf-8")
    decisions = (ROOT / "docs/decisions/README.md").read_text(encoding="utf-8")
    linked = {*re.findall(r"\]\(([\w/.-]+\.md)\)", contents)}
    linked |= {f"decisions/{name}" for name in re.findall(r"\]\((\d[\w-]+\.md)\)", decisions)}
    assert sorted(pages - linked) == []
    menu = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    assert sorted(page for page in pages if f"- {page}\n" not in menu) == []
