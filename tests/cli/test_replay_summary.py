"""`hexholm replay --summary`: a game in numbers, in a terminal and as data."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from hexholm.game.game import Game, Record
from hexholm.game.records.summary import summarize
from tests.game.records.sample_records import random_game

from .conftest import CommandResult
from .terminal import run_in_terminal


def row(out: str, name: str) -> list[str]:
    """The numbers of a line."""
    (cells,) = re.findall(rf"^ *{re.escape(name)}  +(\S.*)$", out, flags=re.MULTILINE)
    return str(cells).split()


def test_a_game_is_told_in_numbers(
    hexholm: Callable[[str], CommandResult], jsonl: Path, three_games: tuple[Record, ...]
) -> None:
    code, out, err = hexholm(f"replay {jsonl} --game 2 --summary")
    assert (code, err) == (0, "")
    summary = summarize(three_games[1])
    assert summary.winner is not None
    players = summary.players.values()
    outcome_line = f"{summary.winner.capitalize()} won with {summary.players[summary.winner].points} points after"
    assert f"{outcome_line} {summary.length} turns and {summary.dice.rolls} rolls of the dice." in " ".join(out.split())
    assert row(out, "players") == list(summary.players)
    assert row(out, "points") == [str(player.points) for player in players]
    assert row(out, "production") == [str(sum(player.gained["production"].values())) for player in players]
    assert row(out, "wheat") == [str(player.gained["production"]["grain"]) for player in players]
    assert row(out, "cards in hand") == [str(sum(player.hand.values())) for player in players]
    assert row(out, "luck (over expected)") == [f"{player.luck.difference:+.1f}" for player in players]
    assert row(out, "roads built") == [str(player.built["road"]) for player in players]
    assert row(out, "points after turn")[0] == "0"
    assert row(out, "points after turn")[-1] == str(summary.length)
    assert row(out, summary.winner)[-1] == str(summary.players[summary.winner].points)
    assert "\x1b" not in out
    assert max(map(len, out.splitlines())) <= 80


def test_dice_are_bars(hexholm: Callable[[str], CommandResult], jsonl: Path, three_games: tuple[Record, ...]) -> None:
    out = hexholm(f"replay {jsonl} --game 1 --summary")[1]
    longest = {}
    for line in summarize(three_games[0]).dice.sums:
        (cells,) = re.findall(
            rf"^{line.total} +([#| ]*?) +{line.rolled} +([\d.]+) +{line.low}-{line.high}( +\*)?$", out, re.MULTILINE
        )
        assert cells[1] == f"{line.expected:.1f}"
        assert bool(cells[2]) == (not line.usual)
        longest[line.total] = (line.rolled, cells[0].count("#"))
    assert len(longest) == 11
    assert [bar for _, bar in sorted(longest.values())] == sorted(bar for _, bar in longest.values())


def test_trades_with_whom_and_unfinished_games(hexholm: Callable[[str], CommandResult], tmp_path: Path) -> None:
    file = tmp_path / "traders.hexholm"
    game = random_game(7, 300)
    file.write_text(game.record().text(), encoding="utf-8")
    out = hexholm(f"replay {file} --summary")[1]
    assert "The game was not finished after" in out
    assert len(row(out, "trades with red")) == 3
    assert max(map(len, out.splitlines())) <= 80
    game.stop("agreed")
    file.write_text(game.record().text(), encoding="utf-8")
    assert "The game was ended by agreement after" in hexholm(f"replay {file} --summary")[1]
    unfinished = Game("fifth", setup="fixed", seed=7, compiled=False)
    file.write_text(unfinished.record().text(), encoding="utf-8")
    code, out, _ = hexholm(f"replay {file} --summary")
    assert (code, row(out, "points after turn")) == (0, ["1"])
    assert "1 turn and 0 rolls of the dice." in out


def test_summaries_as_data(
    hexholm: Callable[[str], CommandResult], jsonl: Path, three_games: tuple[Record, ...]
) -> None:
    lines = [json.loads(line) for line in hexholm(f"replay {jsonl} --summary --json")[1].splitlines()]
    assert lines == [{"game": n, **summarize(record).as_dict()} for n, record in enumerate(three_games, 1)]
    json_line = hexholm(f"replay {jsonl} --summary --json --game 3")[1]
    assert json.loads(json_line) == lines[2]


@pytest.mark.parametrize(
    "arguments, words",
    [
        ("--summary", "holds 3 games; choose one with --game 1"),
        ("--summary --game 4", "holds games 1 to 3"),
        ("--summary --json --game 0", "holds games 1 to 3"),
        ("--summary --game 1 --turn 3", "--summary and --turn: give one of them"),
        ("--summary --game 1 --seat red", "--summary and --seat"),
        ("--summary --game 1 --public", "--summary and --public"),
        ("--summary --game 1 --board", "--summary and --board"),
        ("--summary --verify", "--summary and --verify"),
    ],
)
def test_what_cannot_be_summed_up_is_one_line(
    hexholm: Callable[[str], CommandResult], jsonl: Path, arguments: str, words: str
) -> None:
    code, out, err = hexholm(f"replay {jsonl} {arguments}")
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert words in err


def test_a_seats_copy_hides_too_much(
    hexholm: Callable[[str], CommandResult], tmp_path: Path, three_games: tuple[Record, ...]
) -> None:
    file = tmp_path / "blue.hexholm"
    file.write_text(three_games[0].seen_by("blue").text(), encoding="utf-8")
    code, out, err = hexholm(f"replay {file} --summary")
    assert (code, out) == (2, "")
    assert "game 1 is the copy for blue, which hides what was stolen and drawn; sum up the full record" in err


def test_a_terminal_gets_it_at_once(jsonl: Path) -> None:
    output = run_in_terminal(["replay", str(jsonl), "--game", "1", "--summary"], [], NO_COLOR="1")
    assert "points after turn" in output
    assert "\x1b" not in output
