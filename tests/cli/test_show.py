"""`hexholm show`: positions, views and moments of games."""

from __future__ import annotations

import io
import json
import shlex
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from hexholm.game.game import Game, Record
from hexholm.game.positions.position import view_text
from hexholm.rules.boards import beginner_layout

from .conftest import CommandResult

HERE = "turn=blue phase=main dice=3+3 blue:settlements=B2n blue:hand=2brick,2lumber,1ore blue:roads=B2/ne"


def quoted(text: str) -> str:
    return shlex.quote(text)


def test_a_position_is_drawn_and_told(hexholm: Callable[[str], CommandResult]) -> None:
    code, out, err = hexholm(f"show {quoted(HERE)}")
    assert (code, err) == (0, "")
    assert "(b)" in out
    assert "blue, rolled 6" in out
    assert "hand 2 brick 2 lumber 1 ore" in out
    lines = out.splitlines()
    game = Game.from_position(HERE, compiled=False)
    roads = [text.removeprefix("road ") for text in game.legal_actions.texts if text.startswith("road ")]
    assert roads
    assert f"  road           {', '.join(roads)}" in lines
    assert "Blue may" in lines
    assert "  end" in lines
    assert max(map(len, lines)) <= 80
    assert "\x1b" not in out


def test_a_position_is_shown_as_a_seat_sees_it(hexholm: Callable[[str], CommandResult]) -> None:
    out = hexholm(f"show {quoted(HERE)} --seat Red")[1]
    assert "seen by red" in out
    assert "2 brick 2 lumber 1 ore;" not in out
    assert "Blue may" not in out
    assert "seen by everybody" in hexholm(f"show {quoted(HERE)} --public")[1]


def test_a_position_comes_from_a_file_or_standard_input(
    hexholm: Callable[[str], CommandResult], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = hexholm(f"show {quoted(HERE)}")[1]
    file = tmp_path / "here.txt"
    file.write_text(HERE + "\n", encoding="utf-8")
    assert hexholm(f"show {file}")[1] == text
    monkeypatch.setattr(sys, "stdin", io.StringIO(HERE))
    assert hexholm("show -")[1] == text


def test_a_position_as_data(hexholm: Callable[[str], CommandResult]) -> None:
    data = json.loads(hexholm(f"show {quoted(HERE)} --json")[1])
    game = Game.from_position(HERE, compiled=False)
    assert data["position"] == game.position()
    assert data["to_act"] == ["blue"]
    assert data["legal_actions"] == {"blue": game.legal_actions.texts}
    seat_data = json.loads(hexholm(f"show {quoted(HERE)} --seat red --json")[1])
    assert "position" not in seat_data
    assert seat_data["seen_by"] == "red"
    assert "2brick" not in seat_data["view"]
    assert seat_data["legal_actions"] == {}


def test_a_view_is_shown_with_its_own_eyes(hexholm: Callable[[str], CommandResult]) -> None:
    view = Game.from_position(HERE, compiled=False).view("red")
    text = view_text(view.options, view.layout, view.raw)
    assert hexholm(f"show {quoted(text)}")[1] == hexholm(f"show {quoted(HERE)} --seat red")[1]
    code, _, err = hexholm(f"show {quoted(text)} --seat blue")
    assert (code, err.count("\n")) == (2, 1)
    assert "a view already belongs to somebody" in err


def test_the_last_position_of_a_game_is_shown(
    hexholm: Callable[[str], CommandResult], jsonl: Path, text_file: Path, three_games: tuple[Record, ...]
) -> None:
    data = json.loads(hexholm(f"show {jsonl} --json")[1])
    last = three_games[-1].game(compiled=False)
    assert data["position"] == last.position()
    assert data["winner"] == last.winner
    assert hexholm(f"show {text_file}")[1] == hexholm(f"show {jsonl}")[1]
    first = json.loads(hexholm(f"show {jsonl} --game 1 --json")[1])
    assert first["position"] == three_games[0].game(compiled=False).position()


def test_a_turn_is_shown_at_its_end(
    hexholm: Callable[[str], CommandResult], jsonl: Path, three_games: tuple[Record, ...]
) -> None:
    data = json.loads(hexholm(f"show {jsonl} --game 2 --turn 4 --json")[1])
    assert data["turn"] == 4
    game = three_games[1].game(compiled=False)
    while game.turn > 4:
        game.undo()
    assert data["position"] == game.position()
    assert json.loads(hexholm(f"show {jsonl} --turn 0 --json")[1])["turn"] == 1  # nothing of the first turn is played
    code, _, err = hexholm(f"show {jsonl} --turn 9999")
    assert code == 2
    assert "the game has turns 1 to" in err


def test_pictures_of_a_position(hexholm: Callable[[str], CommandResult], tmp_path: Path) -> None:
    file = tmp_path / "here.svg"
    code, out, err = hexholm(f"show {quoted(HERE)} --svg {file} --highlight B2n")
    assert (code, out, err) == (0, "", f"wrote {file}\n")
    text = file.read_text(encoding="utf-8")
    assert text.startswith("<svg ")
    assert 'class="seats"' in text
    assert "Blue: 1 point, 5 resource cards, 0 development cards, 0 knights played, rolled 3 and 3, to move." in text
    assert hexholm(f"show {quoted(HERE)} --svg {file}")[0] == 0  # a picture replaces the one before
    assert hexholm(f"show {quoted(HERE)} --png {tmp_path / 'here.png'} --theme dark --width 200")[0] == 0
    assert (tmp_path / "here.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    "arguments, words",
    [
        ("nonsense", "cannot read nonsense: there is no such file"),
        ("'all of it'", "is neither a file nor a position; a position reads like 'hexholm-position-1"),
        ("''", "POSITION '': name a file, give a position, or - for standard input"),
        ("'hexholm-position-1 foo'", "'foo' is no key=value; write it like turn=red"),
        ("'hexholm-position-7 turn=red'", "the format 'hexholm-position-7' is unknown"),
        ("'turn=red red:hand=?3'", "seen-by is missing: say whose view it is"),
        (".", "cannot read .: it is a folder"),
        ("none.jsonl", "cannot read none.jsonl: there is no such file"),
        ("'turn=blu phase=main'", "turn='blu': nobody plays that color"),
        (f"'{HERE}' --game 2", "--game is for files with games; this is a position"),
        (f"'{HERE}' --theme dark", "--theme is for SVG and PNG"),
        (f"'{HERE}' --seat black", "the players are red, blue, white, orange"),
        (f"'{HERE}' --seat red --public", "--seat and --public"),
        (f"'{HERE}' --svg nowhere/x.svg", "there is no folder nowhere"),
    ],
)
def test_what_cannot_be_shown_is_one_line(hexholm: Callable[[str], CommandResult], arguments: str, words: str) -> None:
    code, out, err = hexholm(f"show {arguments}")
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert words in err


def test_a_board_is_sent_to_its_own_command(hexholm: Callable[[str], CommandResult], tmp_path: Path) -> None:
    file = tmp_path / "own.toml"
    file.write_text(beginner_layout().to_toml(), encoding="utf-8")
    assert f"hexholm board --file {file}" in hexholm(f"show {file}")[2]
    file.write_text("\n", encoding="utf-8")
    assert "is empty" in hexholm(f"show {file}")[2]


def test_the_copy_of_a_seat_is_shown_as_that_seat_saw_it(
    hexholm: Callable[[str], CommandResult], tmp_path: Path, three_games: tuple[Record, ...]
) -> None:
    file = tmp_path / "blue.hexholm"
    file.write_text(three_games[0].seen_by("blue").text(), encoding="utf-8")
    whole = tmp_path / "all.hexholm"
    whole.write_text(three_games[0].text(), encoding="utf-8")
    assert hexholm(f"show {file} --turn 9")[1] == hexholm(f"show {whole} --turn 9 --seat blue")[1]
    assert "it does not hold what others saw" in hexholm(f"show {file} --seat red")[2]
