"""`hexholm verify-dice`: the dice of a game, checked against the key that was committed to."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from hexholm.game.dice_proof import PROOF_TAG
from hexholm.rules.names import NATURE
from tests.game.records.sample_records import dice_proof, proved_record

from .conftest import CommandResult

Run = Callable[[str], CommandResult]


@pytest.fixture
def game_file(tmp_path: Path) -> Path:
    file = tmp_path / "game.hexholm"
    file.write_text(proved_record().text(), encoding="utf-8")
    return file


def test_dice_that_are_right_are_counted(hexholm: Run, game_file: Path) -> None:
    code, out, err = hexholm(f"verify-dice {game_file}")
    assert (code, err) == (0, "")
    assert "Table abc" in out
    assert f"committed to before the game: {dice_proof().commitment}" in out
    assert "words of their own: blue and red" in out
    assert "all right: " in out
    assert "rolls" in out


def test_every_draw_can_be_shown(hexholm: Run, game_file: Path) -> None:
    code, out, _ = hexholm(f"verify-dice {game_file} --all")
    assert code == 0
    outcomes = sum(seat == NATURE for seat, _ in proved_record().steps)
    assert out.count(": number ") == outcomes
    assert "turn 1   dice    1: number " in out


def test_dice_that_are_wrong_are_told_and_fail(hexholm: Run, tmp_path: Path) -> None:
    other_key = replace(dice_proof(), key=bytes(32))
    file = tmp_path / "game.jsonl"
    file.write_text(replace(proved_record(), tags={PROOF_TAG: other_key.text()}).to_json() + "\n", encoding="utf-8")
    code, out, _ = hexholm(f"verify-dice {file}")
    assert code == 1
    assert "WRONG: the key is not the one that was committed to before the game" in out
    assert out.count("WRONG") == 5
    assert " more\n" in out
    code, out, _ = hexholm(f"verify-dice {file} --json")
    assert code == 1
    assert json.loads(out)["ok"] is False


def test_the_commitment_noted_before_the_game_is_held_against_the_record(hexholm: Run, game_file: Path) -> None:
    noted = dice_proof().commitment
    assert hexholm(f"verify-dice {game_file} --commitment {noted.upper()}")[0] == 0
    code, out, _ = hexholm(f"verify-dice {game_file} --commitment {'0' * 64}")
    assert (code, out.count("WRONG")) == (1, 1)
    assert "WRONG: this is not the commitment that you noted" in out
    two = game_file.with_name("two.jsonl")
    two.write_text(f"{proved_record().to_json()}\n" * 2, encoding="utf-8")
    code, _, err = hexholm(f"verify-dice {two} --commitment {noted}")
    assert (code, "name it with --game" in err) == (2, True)
    assert hexholm(f"verify-dice {two} --commitment {noted} --game 2")[0] == 0


def test_data_holds_every_draw(hexholm: Run, game_file: Path) -> None:
    code, out, _ = hexholm(f"verify-dice {game_file} --json")
    data = json.loads(out)
    assert (code, data["ok"], data["table"]) == (0, True, "abc")
    assert all(draw["expected"] == draw["outcome"] for draw in data["draws"])
    assert {draw["stream"] for draw in data["draws"]} >= {"dice", "theft", "card"}


def test_a_game_without_a_proof_is_refused_in_one_line(hexholm: Run, text_file: Path) -> None:
    code, out, err = hexholm(f"verify-dice {text_file} --game 1")
    assert (code, out) == (2, "")
    assert "carries no proof of its dice" in err


def test_what_is_no_game_is_refused_in_one_line(hexholm: Run, tmp_path: Path) -> None:
    file = tmp_path / "empty.hexholm"
    file.write_text("", encoding="utf-8")
    code, out, err = hexholm(f"verify-dice {file}")
    assert (code, out) == (2, "")
    assert "is empty" in err
    assert err.count("\n") == 1
