"""`hexholm bots`: the players there are, and whether one is as it should be."""

from __future__ import annotations

import json
import re
import signal
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from hexholm import testing

from .conftest import CommandResult

pytestmark = pytest.mark.waits

Run = Callable[[str], CommandResult]
ODD = Path(__file__).parents[1] / "bots" / "odd_program.py"


def test_the_players_are_listed_with_a_line_each(hexholm: Run) -> None:
    code, out, _ = hexholm("bots")
    assert code == 0
    assert re.search(r"^random +chooses a random kind of action", out, re.MULTILINE)
    assert re.search(r"^easy +sensible", out, re.MULTILINE)
    rows = json.loads(hexholm("bots --json")[1])
    assert rows[0] == {"name": "random", "line": rows[0]["line"], "from": "hexholm", "broken": None}


def test_programs_are_listed_too(hexholm: Run, tmp_path: Path) -> None:
    file = tmp_path / "programs.toml"
    file.write_text('[programs.mine]\ncommand = "node bot.js"\nline = "mine, in JavaScript"\n')
    _, out, _ = hexholm(f"bots --programs {file} --program 'other=./bot --fast'")
    assert re.search(r"^mine +mine, in JavaScript$", out, re.MULTILINE)
    assert re.search(r"^other +./bot --fast$", out, re.MULTILINE)


def test_a_player_can_be_proved(hexholm: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    short = partial(testing.check_bot, editions=["sixth"], games=1, points_to_win=3)
    monkeypatch.setattr(testing, "check_bot", short)
    code, out, _ = hexholm("bots --check random")
    assert (code, out.splitlines()[0]) == (0, "random: all is well")
    code, out, _ = hexholm("bots --check tests.arena.players:Cheeky")
    assert (code, out.splitlines()[0]) == (1, "Cheeky: NOT as it should be")
    code, out, _ = hexholm("bots --check random --json")
    data = json.loads(out)
    assert (code, data["name"], data["ok"]) == (0, "random", True)
    assert [row["name"] for row in data["checks"]] == [
        "legal",
        "repeatable",
        "alone",
        "honest",
        "harmless",
        "anew",
        "variants",
        "explains",
    ]
    assert data["checks"][1] == {"name": "repeatable", "passed": True, "detail": "the same seed played the same games"}


def test_a_player_that_ends_its_process_is_told_by_its_check(hexholm: Run, tmp_path: Path) -> None:
    bot_file = tmp_path / "mine.py"
    bot_file.write_text(
        "import os\nclass Dies:\n    def __init__(self, seed): pass\n    def choose(self, view): os._exit(3)\n"
    )
    code, out, _ = hexholm(f"bots --check {bot_file}:Dies")
    assert code == 1
    assert "it ends its process, with code 3: os._exit() does that" in out
    assert json.loads(hexholm(f"bots --check {bot_file}:Dies --json")[1])["ok"] is False


def test_the_limit_of_a_check_can_be_chosen(hexholm: Run, tmp_path: Path) -> None:
    bot_file = tmp_path / "mine.py"
    bot_file.write_text(
        "import time\nclass Slow:\n    def __init__(self, seed): pass\n    def choose(self, view): time.sleep(60)\n"
    )
    if hasattr(signal, "setitimer"):
        assert "choose() did not come back within 0.5 s" in hexholm(f"bots --check {bot_file}:Slow --limit 0.5")[1]
    program = f"{sys.executable} -S {ODD} hangs"
    _, out, _ = hexholm(f"bots --check odd --program 'odd={program}' --limit 0.5")
    assert "did not answer within 0.5 s" in out
    assert hexholm("bots --check easy --limit 0")[2] == "hexholm: --limit 0: give a number of seconds above 0\n"
    assert hexholm("bots --limit 3")[0] == 2
