"""`hexholm replay`: games listed, told, stepped through in a terminal, verified."""

from __future__ import annotations

import io
import json
import re
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from hexholm.cli.commands.replay import KEYS_HINT
from hexholm.cli.shared.files import BadCall
from hexholm.cli.shared.inputs import input_kind, turns_of
from hexholm.cli.shared.progress import ProgressBar
from hexholm.game.dealers import Scripted
from hexholm.game.events import event_from_dict
from hexholm.game.game import Game, Record
from hexholm.rules.boards import beginner_layout

from .conftest import CommandResult
from .terminal import run_in_terminal

PAGE = """\
# Formats

A position begins with hexholm-position-1 and has words like turn=red, a view has seen-by=blue, a record
[Format "hexholm-record-1"], and a board is TOML:

    format = "hexholm-board-1"
    [hexes]
"""


def test_several_games_are_listed(
    hexholm: Callable[[str], CommandResult], jsonl: Path, text_file: Path, three_games: tuple[Record, ...]
) -> None:
    code, out, err = hexholm(f"replay {jsonl}")
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert lines[0] == f"{jsonl}: 3 games"
    for number, (line, record) in enumerate(zip(lines[1:4], three_games, strict=True), 1):
        assert record.result is not None
        assert line.split()[0] == str(number)
        assert f"{record.turns} turns: {record.result.winner} won with" in line
    assert lines[1:4] == hexholm(f"replay {text_file}")[1].splitlines()[1:4]
    data = [json.loads(line) for line in hexholm(f"replay {jsonl} --json")[1].splitlines()]
    assert [entry["turns"] for entry in data] == [record.turns for record in three_games]
    assert [entry["game"] for entry in data] == [1, 2, 3]


def test_a_game_is_told_turn_by_turn(
    hexholm: Callable[[str], CommandResult], jsonl: Path, three_games: tuple[Record, ...]
) -> None:
    out = hexholm(f"replay {jsonl} --game 2")[1]
    record = three_games[1]
    assert record.result is not None
    assert "Sixth Edition" in out.splitlines()[0]
    assert "red (random)" in out
    turns = [int(number) for number in re.findall(r"^ *(\d+) [A-Z]", out, flags=re.MULTILINE)]
    assert turns == list(range(1, record.turns + 1))
    assert f"{str(record.result.winner).capitalize()} wins with" in " ".join(out.split())
    assert "\x1b" not in out
    assert max(map(len, out.splitlines())) <= 80


@pytest.mark.rule("INFO-01", "INFO-02")
def test_a_seat_is_told_what_it_saw_and_no_more(hexholm: Callable[[str], CommandResult], jsonl: Path) -> None:
    whole, seen_lines = (
        hexholm(f"replay {jsonl} --game 2 --json")[1],
        hexholm(f"replay {jsonl} --game 2 --seat blue --json")[1],
    )
    thefts = [json.loads(line) for line in whole.splitlines() if '"event": "stole"' in line]
    faces = [json.loads(line) for line in seen_lines.splitlines() if '"event": "stole"' in line]
    assert len(thefts) == len(faces) > 0
    for theft, face in zip(thefts, faces, strict=True):
        blue_involved = "blue" in (theft["player"], theft["victim"])
        assert theft["card"] is not None
        assert face["card"] == (theft["card"] if blue_involved else None)
    out = hexholm(f"replay {jsonl} --game 2 --seat blue")[1]
    assert "As blue saw it." in out
    assert "You roll" in out
    assert "Blue rolls" not in out
    public = hexholm(f"replay {jsonl} --game 2 --public --json")[1]
    assert all(json.loads(line).get("card") is None for line in public.splitlines() if '"event": "stole"' in line)


def test_events_can_be_read_back(
    hexholm: Callable[[str], CommandResult], jsonl: Path, three_games: tuple[Record, ...]
) -> None:
    lines = [json.loads(line) for line in hexholm(f"replay {jsonl} --game 3 --json")[1].splitlines()]
    events = [event_from_dict({key: value for key, value in line.items() if key != "turn"}) for line in lines]
    game = three_games[2].game(compiled=False)
    assert events[-len(game.events) :] == list(game.events)
    assert lines[-1]["turn"] == game.turn


def test_one_turn_and_its_board(hexholm: Callable[[str], CommandResult], jsonl: Path) -> None:
    out = hexholm(f"replay {jsonl} --game 2 --turn 3")[1]
    assert out.startswith("  3 ")
    assert out.count("rolls") == 1
    replay_output = hexholm(f"replay {jsonl} --game 2 --turn 3 --board")[1]
    assert replay_output.startswith(out)
    show_output = hexholm(f"show {jsonl} --game 2 --turn 3")[1]
    board = replay_output.removeprefix(out).rstrip("\n")
    assert board in show_output
    assert hexholm(f"replay {jsonl} --game 2 --turn 0")[1].count("settlement") == 8
    assert hexholm(f"replay {jsonl} --game 2 --board")[1].count("ROBBER") > 3


def test_remarks_and_what_was_taken_back_are_told_to_those_who_may_know_all(
    hexholm: Callable[[str], CommandResult], tmp_path: Path, three_games: tuple[Record, ...]
) -> None:
    record = three_games[1]
    at = turns_of(record).index(3)
    remarked = replace(record, comments={at: ("a bold plan",)}, taken_back={at + 1: ("road C3/ne",)})
    file = tmp_path / "said.hexholm"
    file.write_text(remarked.text(), encoding="utf-8")
    assert "    Remark: a bold plan\n" in hexholm(f"replay {file} --turn 2")[1]
    assert "    Taken back: road C3/ne\n" in hexholm(f"replay {file} --turn 3")[1]
    seat_story = hexholm(f"replay {file} --seat blue")[1]
    assert "bold plan" not in seat_story
    assert "Taken back" not in seat_story


def test_a_game_that_began_with_a_position(hexholm: Callable[[str], CommandResult], tmp_path: Path) -> None:
    game = Game.from_position(
        "turn=blue phase=main turn-number=6 dice=3+3 blue:settlements=B2n blue:roads=B2/ne blue:hand=1brick,1lumber",
        compiled=False,
        dealer=Scripted(["dice 6 2"]),
    )
    for action in ("road B2/nw", "end", "roll"):
        game.play(action)
    file = tmp_path / "late.hexholm"
    file.write_text(game.record().text(), encoding="utf-8")
    out = hexholm(f"replay {file}")[1]
    assert "  6 Blue builds a road at A1/se." in out
    assert "  7 White rolls 8 (6 and 2)." in out
    assert hexholm(f"replay {file} --turn 7 --board")[1].startswith("  7 White rolls 8")
    assert "the game has turns 6 to 7\n" in hexholm(f"replay {file} --turn 3")[2]
    assert hexholm(f"show {file}")[1].splitlines()[2:] == hexholm(f"show '{game.position()}'")[1].splitlines()[2:]


def test_a_game_that_was_cut_or_has_only_begun(hexholm: Callable[[str], CommandResult], tmp_path: Path) -> None:
    game = Game(edition="fifth", setup="fixed", seed=7, compiled=False)
    file = tmp_path / "short.hexholm"
    file.write_text(game.record().text(), encoding="utf-8")
    assert "Red starts with 2 lumber and 1 grain." in " ".join(hexholm(f"replay {file}")[1].split())
    game.play("roll")
    game.stop("agreed", "it is late")
    file.write_text(f"{game.record().text()}\n{game.record().text()}", encoding="utf-8")
    assert hexholm(f"replay {file}")[1].count("1 turn: agreed (it is late)\n") == 2
    out = hexholm(f"replay {file} --game 1")[1]
    assert " ".join(out.split()).count("places a settlement") == 4
    assert "the game was ended by agreement" in out


def test_standard_input_is_read(
    hexholm: Callable[[str], CommandResult], jsonl: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO(jsonl.read_text(encoding="utf-8")))
    assert hexholm("replay - --verify") == (0, "3 games: all verified\n", "")


@pytest.mark.parametrize(
    "arguments, words",
    [
        ("{jsonl} --game 0", "holds games 1 to 3"),
        ("{jsonl} --game 4 --verify", "holds games 1 to 3"),
        ("{jsonl} --seat blue", "holds 3 games; choose one with --game 1"),
        ("{jsonl} --game 1 --seat black", "the players are red, blue, white, orange"),
        ("{jsonl} --game 1 --turn 9999", "--turn 9999: the game has turns 1 to"),
        ("none.jsonl", "cannot read none.jsonl: there is no such file"),
        ("{position}", "holds a position, not games; try hexholm show "),
        ("{board}", "holds a board, not games; try hexholm board --file "),
        ("{page}", "holds no games, position, view, or board; games begin with [Format"),
        ("{parquet}", "Parquet can only be written; read the .jsonl or .hexholm file"),
        ("{broken}", "game 1: line 1: the JSON is cut short after column 30"),
        ("{jsonl} --verify --turn 3", "--verify and --turn: give one of them"),
        ("{jsonl} --verify --seat blue", "--verify and --seat"),
        ("{jsonl} --verify --public", "--verify and --public"),
        ("{jsonl} --game 1 --json --board", "--json and --board"),
    ],
)
def test_what_cannot_be_replayed_is_one_line(
    hexholm: Callable[[str], CommandResult], jsonl: Path, tmp_path: Path, arguments: str, words: str
) -> None:
    names = ("position", "board", "page", "parquet", "broken")
    files = {"jsonl": jsonl, **{name: tmp_path / f"{name}.txt" for name in names}}
    files["position"].write_text("turn=blue phase=main", encoding="utf-8")
    files["board"].write_text("# mine\n\n" + beginner_layout().to_toml(), encoding="utf-8")
    files["page"].write_text(PAGE, encoding="utf-8")
    files["parquet"].write_bytes(b"PAR1\x15\x04\xff\xfePAR1")
    files["broken"].write_text('{"format": "hexholm-record-1", \n', encoding="utf-8")
    code, out, err = hexholm("replay " + arguments.format(**files))
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert words in err


def test_a_page_that_mentions_our_formats_is_none_of_them() -> None:
    for text in (PAGE, PAGE.partition("\n")[2], "[a link](x)\n" + PAGE, "Format = 3\n", "[project]\nname = 'x'\n"):
        with pytest.raises(BadCall, match="holds no games, position, view, or board"):
            input_kind(text, "page.md")
    assert input_kind("\n" + '[Edition "fifth"]\n', None) == "records"
    assert input_kind(' {"format": 3', None) == "records"
    assert input_kind("hexholm-position-1 what else", None) == "position"
    assert input_kind("turn=red and so on", None) == "position"
    assert input_kind("red:hand=1ore\nfoo=bar", None) == "position"
    assert input_kind("edition=fifth red:hand=?2", None) == "view"
    assert input_kind("HEXHOLM-VIEW-1 seen-by=red", None) == "view"


# --- verifying --------------------------------------------------------------------------------------------------------


def test_true_games_are_verified(hexholm: Callable[[str], CommandResult], jsonl: Path, text_file: Path) -> None:
    for file in (jsonl, text_file):
        assert hexholm(f"replay {file} --verify") == (0, "3 games: all verified\n", "")
    assert hexholm(f"replay {jsonl} --game 2 --verify") == (0, "1 game: verified\n", "")
    lines = hexholm(f"replay {jsonl} --verify --json")[1].splitlines()
    assert [json.loads(line) for line in lines] == [{"game": n, "ok": True, "problems": []} for n in (1, 2, 3)]


def test_a_false_game_is_named_with_turn_action_and_reason(
    hexholm: Callable[[str], CommandResult], text_file: Path, tmp_path: Path, three_games: tuple[Record, ...]
) -> None:
    texts = [record.text() for record in three_games]
    texts[1], changed = re.subn(r"^(  3\. \w+: roll =\d\+\d);", r"\1; city B2se;", texts[1], flags=re.MULTILINE)
    assert changed == 1
    file = tmp_path / "false.hexholm"
    file.write_text("\n".join(texts), encoding="utf-8")
    code, out, err = hexholm(f"replay {file} --verify")
    assert (code, err) == (1, "")
    first, last = out.splitlines()
    assert first.startswith("game 2 fails: ")
    assert "turn 3" in first
    assert "city B2se" in first
    assert re.search(r"\([A-Z]+-\d\d\)", first)
    assert last == "3 games: 2 verified, 1 failed"
    assert [json.loads(line)["ok"] for line in hexholm(f"replay {file} --verify --json")[1].splitlines()] == [
        True,
        False,
        True,
    ]


def test_a_false_result_fails(
    hexholm: Callable[[str], CommandResult], tmp_path: Path, three_games: tuple[Record, ...]
) -> None:
    text = re.sub(r'\[Final "\w', '[Final "x', three_games[0].text())
    file = tmp_path / "false.hexholm"
    file.write_text(text, encoding="utf-8")
    code, out, _ = hexholm(f"replay {file} --verify")
    assert code == 1
    assert out.startswith("game 1 fails: line ")
    assert out.endswith("\n1 game: 0 verified, 1 failed\n")


def test_a_copy_holds_if_some_game_looks_like_it(
    hexholm: Callable[[str], CommandResult], tmp_path: Path, three_games: tuple[Record, ...]
) -> None:
    file = tmp_path / "blue.hexholm"
    file.write_text(three_games[0].seen_by("blue").text(), encoding="utf-8")
    assert hexholm(f"replay {file} --verify")[:2] == (0, "1 game: verified\n")
    whole = tmp_path / "all.hexholm"
    whole.write_text(three_games[0].text(), encoding="utf-8")
    assert hexholm(f"replay {file}")[1] == hexholm(f"replay {whole} --seat blue")[1]
    assert "it does not hold what others saw" in hexholm(f"replay {file} --seat red")[2]


def test_an_interrupted_check_tells_how_far_it_came(
    hexholm: Callable[[str], CommandResult], jsonl: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def update(_self: ProgressBar, games_done: int, _whole: int) -> None:
        if games_done == 2:
            raise KeyboardInterrupt

    monkeypatch.setattr(ProgressBar, "update", update)
    assert hexholm(f"replay {jsonl} --verify") == (
        130,
        "2 games: all verified\n",
        "Interrupted after 2 of 3 games.\n",
    )


# --- in a terminal ----------------------------------------------------------------------------------------------------


def test_in_a_terminal_each_turn_waits_for_a_key(jsonl: Path) -> None:
    keys = [(KEYS_HINT, "\n"), (KEYS_HINT, " "), (KEYS_HINT, "q")]
    output = run_in_terminal(["replay", str(jsonl), "--game", "1"], keys, NO_COLOR="1")
    parts = output.split(KEYS_HINT)
    assert len(parts) == 4
    assert "Sixth Edition" in parts[0]
    assert "settlement" in parts[1]
    assert "  1 " in parts[2]
    assert parts[3].strip("\r\x1b[K\n") == ""


def test_all_that_is_left_can_be_had_at_once(jsonl: Path) -> None:
    output = run_in_terminal(["replay", str(jsonl), "--game", "1"], [(KEYS_HINT, "x\x1b[Aa")], NO_COLOR="1")
    assert output.count(KEYS_HINT) == 1
    assert "wins with" in " ".join(output.split())


def test_ctrl_c_leaves_cleanly(jsonl: Path) -> None:
    output = run_in_terminal(["replay", str(jsonl), "--game", "1"], [(KEYS_HINT, "\x03")], code=130)
    assert "Traceback" not in output
