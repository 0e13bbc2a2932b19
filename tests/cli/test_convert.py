"""`hexholm convert`: games, positions and boards in another form."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from hexholm.cli.commands.convert import converted_position
from hexholm.game.game import Game, Record
from hexholm.rules.boards import beginner_layout, read_board

from .conftest import CommandResult

HERE = "turn=blue  PHASE=main dice=3+3 blue:hand=1ore,2brick blue:settlements=B2n"


def test_games_go_from_form_to_form_and_back(
    hexholm: Callable[[str], CommandResult], jsonl: Path, text_file: Path, tmp_path: Path
) -> None:
    assert hexholm(f"convert {jsonl} --to text")[1] == text_file.read_text(encoding="utf-8")
    assert hexholm(f"convert {text_file} --to jsonl")[1] == jsonl.read_text(encoding="utf-8")
    out = tmp_path / "games.txt"
    code, stdout, err = hexholm(f"convert {jsonl} --out {out}")
    assert (code, stdout, err) == (0, "", f"wrote 3 games to {out}\n")
    assert out.read_text(encoding="utf-8") == text_file.read_text(encoding="utf-8")


def test_one_game_of_many(
    hexholm: Callable[[str], CommandResult], jsonl: Path, three_games: tuple[Record, ...]
) -> None:
    assert hexholm(f"convert {jsonl} --game 2 --to text")[1] == three_games[1].text()


@pytest.mark.rule("INFO-01")
def test_the_copy_of_a_seat(
    hexholm: Callable[[str], CommandResult], jsonl: Path, three_games: tuple[Record, ...]
) -> None:
    out = hexholm(f"convert {jsonl} --game 2 --to text --seat blue")[1]
    assert out == three_games[1].seen_by("blue").text()
    assert out != three_games[1].text()
    assert hexholm(f"convert {jsonl} --game 2 --to text --public")[1] == three_games[1].seen_by(None).text()


def test_a_copy_is_made_of_a_full_record_only(
    hexholm: Callable[[str], CommandResult], tmp_path: Path, three_games: tuple[Record, ...]
) -> None:
    file = tmp_path / "blue.hexholm"
    file.write_text(three_games[0].seen_by("blue").text(), encoding="utf-8")
    assert hexholm(f"convert {file} --to text --seat blue")[1] == file.read_text(encoding="utf-8")
    assert "it does not hold what others saw" in hexholm(f"convert {file} --to text --seat red")[2]


def test_a_position_gets_its_canonical_spelling(hexholm: Callable[[str], CommandResult], tmp_path: Path) -> None:
    file = tmp_path / "here.txt"
    file.write_text(HERE, encoding="utf-8")
    text = Game.from_position(HERE, compiled=False).position()
    assert hexholm(f"convert {file}")[1] == text + "\n"
    assert json.loads(hexholm(f"convert {file} --to json")[1])["position"] == text
    seat_copy = hexholm(f"convert {file} --seat red")[1]
    assert seat_copy.startswith("hexholm-view-1 seen-by=red")
    file.write_text(seat_copy, encoding="utf-8")
    assert hexholm(f"convert {file}")[1] == seat_copy


def test_a_board_gets_its_canonical_spelling(hexholm: Callable[[str], CommandResult], tmp_path: Path) -> None:
    file, out = tmp_path / "own.toml", tmp_path / "new.toml"
    file.write_text("# my board\n" + beginner_layout().to_toml().replace("\n\n", "\n\n\n"), encoding="utf-8")
    assert hexholm(f"convert {file} --out {out}")[0] == 0
    assert out.read_text(encoding="utf-8") == beginner_layout().to_toml()
    assert read_board(out.read_text(encoding="utf-8")) == beginner_layout()
    file.write_text(beginner_layout().to_toml().replace("desert", "swamp"), encoding="utf-8")
    code, _, err = hexholm(f"convert {file}")
    assert code == 2
    assert "swamp" in err


@pytest.mark.parametrize(
    "arguments, words",
    [
        ("{jsonl}", "say what the games should become: --to text, jsonl, parquet"),
        ("{jsonl} --to toml", "--to toml: games can be written as text, jsonl, parquet"),
        ("{jsonl} --to parquet", "name files with --out games.parquet"),
        ("{jsonl} --to text --out nowhere/x.txt", "there is no folder nowhere"),
        ("{jsonl} --to text --game 5", "holds games 1 to 3"),
        ("{here} --to parquet", "a position can be written as text, json"),
        ("{here} --game 1", "--game is for files with games"),
        ("{jsonl} --to parquet --out games.dat", "--out games.dat: Parquet files end with .parquet"),
        ("none.txt --to text", "cannot read none.txt: there is no such file"),
    ],
)
def test_what_cannot_be_converted_is_one_line(
    hexholm: Callable[[str], CommandResult], jsonl: Path, tmp_path: Path, arguments: str, words: str
) -> None:
    position_file = tmp_path / "here.txt"
    position_file.write_text(HERE, encoding="utf-8")
    code, out, err = hexholm("convert " + arguments.format(jsonl=jsonl, here=position_file))
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert words in err


def test_an_illegal_game_is_not_converted(
    hexholm: Callable[[str], CommandResult], tmp_path: Path, three_games: tuple[Record, ...]
) -> None:
    file, out = tmp_path / "false.hexholm", tmp_path / "false.jsonl"
    file.write_text(three_games[0].text().replace(" =", "; city C3n =", 1), encoding="utf-8")
    code, _, err = hexholm(f"convert {file} --out {out}")
    assert (code, err.count("\n")) == (2, 1)
    assert "game 1" in err
    assert not out.exists()


def test_a_file_is_replaced_with_a_word(hexholm: Callable[[str], CommandResult], jsonl: Path, tmp_path: Path) -> None:
    position_file, board = tmp_path / "here.txt", tmp_path / "own.toml"
    position_file.write_text(HERE, encoding="utf-8")
    board.write_text("# mine\n" + beginner_layout().to_toml(), encoding="utf-8")
    for source, form in ((position_file, "text"), (board, "toml"), (jsonl, "text"), (jsonl, "jsonl")):
        out = tmp_path / "out"
        out.write_text("old", encoding="utf-8")
        code, _, err = hexholm(f"convert {source} --to {form} --out {out}")
        assert (code, err.count("\n")) == (0, 1)
        assert err.endswith(", in place of what was there\n")
        assert out.read_text(encoding="utf-8") == hexholm(f"convert {source} --to {form}")[1]


def test_parquet_is_two_files_and_cannot_be_read(
    hexholm: Callable[[str], CommandResult], jsonl: Path, tmp_path: Path
) -> None:
    out = tmp_path / "games.parquet"
    assert hexholm(f"convert {jsonl} --out {out}")[:2] == (0, "")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["games.parquet", "games.steps.parquet"]
    code, _, err = hexholm(f"convert {out} --to text")
    assert (code, err.count("\n")) == (2, 1)
    assert "Parquet can only be written" in err
    assert "Parquet can only be written" in " ".join(hexholm("convert --help")[1].split())


def test_parquet_needs_its_extra(
    hexholm: Callable[[str], CommandResult], jsonl: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)
    code, _, err = hexholm(f"convert {jsonl} --out {tmp_path / 'games.parquet'}")
    assert (code, err.count("\n")) == (2, 1)
    assert "pip install 'hexholm[data]'" in err
    assert list(tmp_path.iterdir()) == []


def test_a_view_keeps_how_its_game_was_stopped() -> None:
    game = Game(edition="fifth", seed=1)
    game.stop("agreed")
    text = game.view("red").text()
    assert converted_position(text, "view", "text", None, False) == text
    assert text.endswith(" stopped=agreed")
