"""The pages on formats say what the readers read."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from hexholm import cli
from hexholm.cli.commands import COMMANDS
from hexholm.cli.shared.plain_text import legend_text
from hexholm.rules.boards import BOARD_FORMAT, COLOR_LETTERS, read_board
from hexholm.rules.boards.board_reader import BOARD_KEYS
from hexholm.rules.encoding import action_codes as act
from hexholm.rules.encoding.structs import HARBOR_KINDS, TERRAINS
from hexholm.rules.notation import action_text, read_action
from hexholm.rules.places import HEX_NAMES, SPIRALS
from hexholm.rules.setup.board_components import FRAME_JOINTS
from hexholm.rules.setup.editions import EDITIONS, edition

DOCS = Path(__file__).parents[2] / "docs"
BOARD = (DOCS / "formats" / "board.md").read_text(encoding="utf-8")
ACTIONS = (DOCS / "formats" / "actions.md").read_text(encoding="utf-8")
COLORS = ("red", "blue", "white", "orange")


def example() -> str:
    (text,) = re.findall(r"```toml\n(.*?)```", BOARD, flags=re.DOTALL)
    return str(text)


def test_the_example_of_a_board_can_be_read() -> None:
    layout = read_board(example())
    assert layout.name == "A board of my own"
    assert {piece.color for piece in layout.start} == set(COLORS)
    assert read_board(layout.to_toml()) == layout


def test_every_key_and_word_of_a_board_is_explained() -> None:
    assert f"`{BOARD_FORMAT}`" in BOARD
    assert all(f"| `{key}` |" in BOARD or f"| `[{key}]` |" in BOARD for key in BOARD_KEYS)
    assert all(f" {word}" in BOARD for word in (*TERRAINS, *HARBOR_KINDS))
    assert all(f"`{HEX_NAMES[walk[0]]}`" in BOARD for walk in SPIRALS)
    assert ", ".join(f'"{joints}"' for joints in FRAME_JOINTS) in BOARD


def test_every_kind_of_action_is_shown_in_its_canonical_spelling() -> None:
    rows = [line.split(" | ")[0] for line in ACTIONS.splitlines() if line.startswith("| `")]
    texts = [text for row in rows for text in re.findall(r"`([^`]+)`", row)]
    codes = [read_action(text, COLORS) for text in texts]
    assert [action_text(code, COLORS) for code in codes] == texts
    assert {act.kind_of(code) for code in codes} == set(range(1, len(act.KIND_NAMES)))


def test_every_letter_of_a_color_is_explained() -> None:
    page = (DOCS / "pictures.md").read_text(encoding="utf-8")
    assert all(f"`{letter}`" in page for letter in COLOR_LETTERS.values())


@pytest.mark.parametrize("name", EDITIONS)
def test_the_legend_fits_the_terminal(name: str) -> None:
    assert max(map(len, legend_text(edition(name).words).splitlines())) <= 80


def typed_lines() -> list[str]:
    """All lines of our pages that call the command."""
    pages = [DOCS.parent / "README.md", *sorted(DOCS.rglob("*.md"))]
    command_lines: list[str] = []
    for page in pages:
        for block in re.findall(
            r"^```\w*\n(.*?)^```", page.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE
        ):
            command_lines += re.findall(
                r"(?:^|&& )(?:\$ )?(?:\.venv/bin/)?hexholm ([^#&|>\n]*)", block, flags=re.MULTILINE
            )
    return command_lines


def test_what_our_pages_type_exists() -> None:
    """Every command of every example is one of ours, and so is every option it is given."""
    flags_by_command = {
        name: {flag for param in cli.load_command(name).params for flag in param.opts} for name in COMMANDS
    }
    for name in COMMANDS:
        for own_name, command in getattr(cli.load_command(name), "commands", {}).items():
            flags_by_command[f"{name} {own_name}"] = {flag for param in command.params for flag in param.opts}
    lines = [shlex.split(line) for line in typed_lines()]
    assert len(lines) > 5
    for command, *words in lines:
        if words and f"{command} {words[0]}" in flags_by_command:
            command = f"{command} {words.pop(0)}"  # noqa: PLW2901  # a command that consists of others
        if command.startswith("-"):
            continue
        assert command in flags_by_command, command
        options = {word.partition("=")[0] for word in words if word.startswith("--")}
        assert options <= flags_by_command[command], (command, options - flags_by_command[command])
