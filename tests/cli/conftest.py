"""Running commands in the process of the tests, and games to run them on."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from hexholm import cli
from hexholm.game.game import Record, simulated
from hexholm.rules.setup.options import check_options

CommandResult = tuple[int | str | None, str, str]


@pytest.fixture
def hexholm(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[[str], CommandResult]:
    """Run a command line, with interpreted rules: exit code, stdout, stderr."""
    monkeypatch.setenv("HEXHOLM_INTERPRETED", "1")

    def run(arguments: str) -> CommandResult:
        monkeypatch.setattr(sys, "argv", ["hexholm", *shlex.split(arguments)])
        with pytest.raises(SystemExit) as exit_info:
            cli.main()
        output = capsys.readouterr()
        return exit_info.value.code, output.out, output.err

    return run


@pytest.fixture(scope="session")
def three_games() -> tuple[Record, ...]:
    """Three short games of random players, as `simulate --games 3 --seed 9 --points-to-win 3` plays them."""
    options, names = check_options(edition="sixth", setup="variable", points_to_win=3), ("random",) * 4
    return tuple(simulated(options, 9, number, names=names, compiled=False).record() for number in range(3))


@pytest.fixture(scope="session")
def jsonl(three_games: tuple[Record, ...], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The three games as lines of JSON."""
    file = tmp_path_factory.mktemp("games") / "games.jsonl"
    file.write_text("".join(record.to_json() + "\n" for record in three_games), encoding="utf-8")
    return file


@pytest.fixture(scope="session")
def text_file(three_games: tuple[Record, ...], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The three games as text."""
    file = tmp_path_factory.mktemp("games") / "games.hexholm"
    file.write_text("\n".join(record.text() for record in three_games), encoding="utf-8")
    return file
