"""`hexholm board` and `hexholm perft`."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from hexholm import cli
from hexholm.rules.boards import layout_for, read_board
from hexholm.rules.options import options

Ended = tuple[int | str | None, str, str]


@pytest.fixture
def hexholm(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[[str], Ended]:
    def run(arguments: str) -> Ended:
        monkeypatch.setattr(sys, "argv", ["hexholm", *arguments.split()])
        with pytest.raises(SystemExit) as ended:
            cli.main()
        told = capsys.readouterr()
        return ended.value.code, told.out, told.err

    return run


def test_a_board_is_drawn(hexholm: Callable[[str], Ended]) -> None:
    code, out, err = hexholm("board --edition threed --numbers random --seed 4")
    assert (code, err) == (0, "")
    assert out.startswith("threed, harbor_shuffle, random numbers, board seed 4\n")
    assert "C3" in out
    assert "ROBBER" in out
    assert "\x1b" not in out
    assert max(map(len, out.splitlines())) <= 80
    assert out == hexholm("board --edition threed --numbers random --seed 4")[1]
    assert out != hexholm("board --edition threed --numbers random --seed 5")[1]


def test_the_fixed_board_shows_the_start_pieces(hexholm: Callable[[str], Ended]) -> None:
    out = hexholm("board --edition fifth --setup beginner")[1]
    assert "(r)" in out
    assert "(o)" in out


def test_toml_is_read_back(hexholm: Callable[[str], Ended], tmp_path: Path) -> None:
    out = hexholm("board --edition fifth --seed 3 --toml")[1]
    layout = layout_for(options(edition="fifth", setup="variable"), 3)
    assert read_board(out) == layout
    file = tmp_path / "own.toml"
    file.write_text(out, encoding="utf-8")
    drawn = hexholm(f"board --file {file} --edition fifth")[1]
    assert drawn == hexholm("board --edition fifth --seed 3")[1]


def test_all_faults_of_a_file_are_told(hexholm: Callable[[str], Ended], tmp_path: Path) -> None:
    file = tmp_path / "own.toml"
    text = hexholm("board --toml")[1]
    file.write_text(text.replace("desert", "swamp").replace('"any"', '"gold"', 1), encoding="utf-8")
    code, out, err = hexholm(f"board --file {file}")
    assert (code, out) == (2, "")
    assert "3 faults" in err  # the frame no longer fits either
    assert "swamp" in err
    assert "gold" in err


def test_a_missing_file_is_one_line(hexholm: Callable[[str], Ended], tmp_path: Path) -> None:
    code, _, err = hexholm(f"board --file {tmp_path / 'none.toml'}")
    assert (code, err.count("\n")) == (2, 1)
    assert "cannot read" in err
    (tmp_path / "latin.toml").write_bytes(b"name = '\xff'")
    assert "no UTF-8" in hexholm(f"board --file {tmp_path / 'latin.toml'}")[2]


def test_perft_counts_decisions_and_chance(hexholm: Callable[[str], Ended]) -> None:
    code, out, _ = hexholm("perft --edition fifth --setup beginner --depth 2")
    assert code == 0
    assert [line.split()[:3] for line in out.splitlines()[-2:]] == [["1", "1", "0"], ["2", "0", "36"]]
    data = json.loads(hexholm("perft --first 0 --depth 2 --json")[1])
    assert data["counts"] == [
        {"depth": 1, "decisions": 54, "chance": 0},
        {"depth": 2, "decisions": 144, "chance": 0},
    ]
