"""`hexholm simulate`: data on stdout, everything else on stderr, clear refusals."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from hexholm.cli.commands import simulate as command
from hexholm.cli.shared import progress, record_file
from hexholm.game.game import Record
from hexholm.game.records.export import read_any
from hexholm.rules.boards import Layout, beginner_layout, zip_map
from hexholm.rules.setup.editions import edition
from hexholm.rules.setup.options import check_options
from hexholm.rules.simulate import SimulationResult, replay_game, simulate

from .conftest import CommandResult

pytestmark = pytest.mark.waits


def test_json_has_what_the_readers_need(hexholm: Callable[[str], CommandResult]) -> None:
    code, out, err = hexholm("simulate --players random,random,random,random --games 3 --seed 1 --json")
    assert (code, err, out.count("\n")) == (0, "", 1)
    data = json.loads(out)
    assert data["games"] == 3
    assert data["seed"] == 1
    assert data["players"] == ["random"] * 4
    assert sum(data["wins"]) == 3
    assert len(data["wins_by_order"]) == 4
    assert (data["edition"], data["options"]["setup"]) == ("sixth", "variable")
    varying_keys = {
        "seconds",
        "games_per_second",
        "actions_per_second",
        "mean_turns",
        "mean_actions",
        "version",
        "jobs",
    }
    assert varying_keys <= set(data)
    second_run = json.loads(hexholm("simulate --games 3 --seed 1 --json")[1])
    assert second_run["wins"] == data["wins"]
    assert second_run["mean_actions"] == data["mean_actions"]


def test_options_reach_the_game(hexholm: Callable[[str], CommandResult]) -> None:
    line = "simulate --edition threed --players random,random,random --games 1 --json --numbers random"
    data = json.loads(
        hexholm(
            line + " --points-to-win 4 --hand-limit 9 --friendly-robber --balanced-dice --first 2 --phases combined"
        )[1]
    )
    options = data["options"]
    assert options["players"] == 3
    assert (options["numbers"], options["phases"], options["first"]) == ("random", "combined", 2)
    assert (options["points_to_win"], options["hand_limit"]) == (4, 9)
    assert options["friendly_robber"]
    assert options["balanced_dice"]


def test_a_map_says_which_set_up_it_is(hexholm: Callable[[str], CommandResult]) -> None:
    command_line = "simulate --edition zip --players random,random,random --games 1 --json"
    assert json.loads(hexholm(command_line)[1])["options"]["map"] is None
    assert json.loads(hexholm(command_line + " --map 1")[1])["options"]["setup"] == "fixed"
    assert json.loads(hexholm(command_line + " --map 8")[1])["options"]["setup"] == "variable"


def test_words_for_people(hexholm: Callable[[str], CommandResult]) -> None:
    code, out, _ = hexholm("simulate --edition fifth --games 2 --points-to-win 3")
    assert code == 0
    assert "Fifth Edition" in out
    assert "house rule: 3 points to win" in out
    assert "2 games in" in out
    assert "starter" in out
    assert max(map(len, out.splitlines())) <= 80


@pytest.mark.parametrize(
    "arguments, words",
    [
        ("--players random --games 5", "hexholm: 1 player: the game is for 3 to 4 (COMP-12)"),
        ("--players random,random --games 5", "--two-players"),
        ("--players random,random,bob", "there is no player 'bob'; simulate knows random; hexholm tournament knows"),
        ("--games 0", "hexholm: --games 0: choose 1 or more"),
        ("--games 1000000001", "hexholm: --games 1000000001: choose at most 1,000,000,000"),
        ("--jobs -1", "hexholm: --jobs -1: choose 1 or more, or 0 for all cores"),
        ("--points-to-win 99", "hexholm: --points-to-win 99: choose a number from 3 to 20"),
        ("--hand-limit -1", "hexholm: --hand-limit -1: choose"),
        ("--phases both", "hexholm: --phases both: edition sixth offers combined"),
        ("--setup random", "hexholm: --setup random is unknown"),
        ("--edition zip --map 51", "hexholm: --map 51 is not on the pad"),
        ("--harbors north", "hexholm: --harbors north: in edition sixth"),
        ("--edition seventh", "the editions are zip, sixth, fifth, threed, summary"),
        ("--edition sixth --setup fixed --numbers random", "--setup variable"),
        ("--first nobody", "name one of red, blue, white, orange, a seat from 0, or 'roll'"),
    ],
)
def test_what_cannot_be_is_refused_in_one_line(
    hexholm: Callable[[str], CommandResult], arguments: str, words: str
) -> None:
    code, out, err = hexholm(f"simulate {arguments}")
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert words in err


def test_an_interrupted_run_prints_what_there_is_and_ends_with_130(
    hexholm: Callable[[str], CommandResult], monkeypatch: pytest.MonkeyPatch
) -> None:
    def update(_self: progress.ProgressBar, _done: int, _whole: int) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(progress.ProgressBar, "update", update)
    code, out, _ = hexholm("simulate --games 100 --json")
    data = json.loads(out)
    assert code == 130
    assert data["interrupted"]
    assert 0 < data["games"] < 100
    assert "Interrupted" in hexholm("simulate --games 100")[1]


def test_stopped_games_are_told() -> None:
    result = SimulationResult(
        options=check_options(),
        players=("random",) * 4,
        seed=1,
        jobs=2,
        games=10,
        seconds=0.0,
        decisions=100,
        turns=50,
        wins=(2, 2, 2, 3),
        wins_by_order=(3, 2, 2, 2),
        capped=1,
    )
    assert "1 game was stopped without a winner after 100,000 actions" in command.simulation_lines(result)
    assert "10 games in 0.00 s on 2 cores, seed 1:" in command.simulation_lines(result)
    assert result.games_per_second == result.actions_per_second == 0


def test_progress_is_shown_on_a_terminal_only(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(progress, "BAR_AFTER", -1.0)
    with progress.ProgressBar() as bar:
        bar.update(1, 10)
    assert bar.bar is None  # under pytest stderr is no terminal
    with progress.ProgressBar() as bar:
        bar.enabled = True
        bar.update(1, 10)
        bar.update(5, 10)
        assert bar.bar.tasks[0].completed == 5
    assert capsys.readouterr().out == ""


def test_all_cores_can_be_asked_for(hexholm: Callable[[str], CommandResult]) -> None:
    assert json.loads(hexholm("simulate --games 8 --jobs 0 --json")[1])["jobs"] >= 1


def test_a_broken_command_says_how_it_is_used() -> None:
    process = subprocess.run(
        [sys.executable, "-m", "hexholm", "simulate", "--games", "many"], check=False, capture_output=True, text=True
    )
    assert process.returncode == 2
    assert process.stderr == "hexholm: simulate: --games many: give a whole number (hexholm simulate --help)\n"


def test_the_edition_is_named_in_any_case(hexholm: Callable[[str], CommandResult]) -> None:
    data = json.loads(hexholm("simulate --edition Fifth --setup FIXED --games 1 --points-to-win 3 --json")[1])
    assert (data["edition"], data["options"]["setup"], data["board"]) == ("fifth", "fixed", None)


def test_a_board_of_ones_own_is_played(hexholm: Callable[[str], CommandResult], tmp_path: Path) -> None:
    file = tmp_path / "own.toml"
    file.write_text(beginner_layout().to_toml(), encoding="utf-8")
    data = json.loads(hexholm(f"simulate --file {file} --edition fifth --games 2 --points-to-win 3 --json")[1])
    assert data["board"] == str(file)
    assert data["options"]["setup"] == "fixed"
    assert sum(data["wins"]) == 2
    own = zip_map(9)
    file.write_text(own.to_toml(), encoding="utf-8")
    out = hexholm(f"simulate --file {file} --games 2 --points-to-win 4 --seed 5")[1]
    assert "own.toml" in out.replace("\n", " ")
    assert "variable setup" in out
    options = check_options(edition="sixth", setup="variable", points_to_win=4)
    fast_run = simulate(options, games=2, seed=5, compiled=False, board=own)
    assert fast_run.board == own.name
    games = [replay_game(options, 5, game, compiled=False, board=own) for game in range(2)]
    assert fast_run.decisions == sum(seat >= 0 for game in games for seat, _ in game.steps)
    assert all(game.referee.layout is own for game in games)
    assert [sum(game.referee.winner == seat for game in games) for seat in range(4)] == list(fast_run.wins)


def test_three_players_on_a_fixed_board_of_ones_own(hexholm: Callable[[str], CommandResult], tmp_path: Path) -> None:
    """The colors are those that have start pieces."""
    file = tmp_path / "own.toml"
    start = tuple(piece for piece in beginner_layout().start if piece.color != "blue")
    file.write_text(Layout(beginner_layout().board, start, "no blue").to_toml(), encoding="utf-8")
    command_line = f"simulate --file {file} --games 1 --points-to-win 3 --json --edition fifth --players"
    code, out, err = hexholm(command_line + " random,random,random")
    removed = edition("fifth").three_player_removed_color
    if removed is None:
        assert json.loads(out)["options"]["colors"] == ["red", "white", "orange"]
    else:
        assert (code, "for 2 players" in err) == (2, True)
    assert hexholm(command_line + " random,random,random,random")[0] == 2


def test_what_is_told_stays_within_80_columns(hexholm: Callable[[str], CommandResult]) -> None:
    out = hexholm(
        "simulate --edition threed --harbors harbor_and_frame_shuffle --friendly-robber --balanced-dice"
        " --hand-limit 9 --points-to-win 3 --games 1 --two-players --players random,random"
    )[1]
    assert "friendly robber" in out
    assert max(map(len, out.splitlines())) <= 80


# --- records ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("ending", ["jsonl", "hexholm", "txt"])
def test_the_games_are_written_down(
    hexholm: Callable[[str], CommandResult], tmp_path: Path, ending: str, three_games: tuple[Record, ...]
) -> None:
    file = tmp_path / f"games.{ending}"
    code, out, err = hexholm(f"simulate --games 3 --seed 9 --points-to-win 3 --records {file} --json")
    data = json.loads(out)
    assert (code, err) == (0, f"wrote 3 games to {file}\n")
    assert data["records"] == str(file)
    assert list(read_any(file)) == list(three_games)
    same = json.loads(hexholm("simulate --games 3 --seed 9 --points-to-win 3 --json")[1])
    for key in ("games", "wins", "wins_by_order", "capped", "mean_turns", "mean_actions", "options", "players"):
        assert data[key] == same[key], key
    winners = [record.result.winner for record in three_games if record.result]
    assert [winners.count(color) for color in three_games[0].colors] == data["wins"]


def test_what_is_recorded_can_be_verified(hexholm: Callable[[str], CommandResult], tmp_path: Path) -> None:
    file = tmp_path / "out.jsonl"
    line = "simulate --edition zip --players random,random,random --first roll --points-to-win 3 --balanced-dice"
    assert hexholm(f"{line} --games 2 --seed 4 --records {file}")[0] == 0
    assert hexholm(f"replay {file} --verify")[:2] == (0, "2 games: all verified\n")
    assert "seed" not in file.read_text(encoding="utf-8")  # who knows the seed could foresee dice


def test_a_board_of_ones_own_is_in_the_record(hexholm: Callable[[str], CommandResult], tmp_path: Path) -> None:
    own, file = tmp_path / "own.toml", tmp_path / "out.jsonl"
    own.write_text(beginner_layout().to_toml(), encoding="utf-8")
    assert hexholm(f"simulate --file {own} --games 1 --points-to-win 3 --records {file}")[0] == 0
    (record,) = read_any(file)
    assert isinstance(record, Record)
    assert record.layout == beginner_layout()


def test_an_interrupted_run_leaves_whole_games(
    hexholm: Callable[[str], CommandResult],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    three_games: tuple[Record, ...],
) -> None:
    """Ctrl-C in the middle of the third game's text: the file ends after the second."""
    serialize = record_file.serialize_record

    def stopped(record: Record, form: str, number: int) -> str:
        if number == 2:
            raise KeyboardInterrupt
        return serialize(record, form, number)

    monkeypatch.setattr(record_file, "serialize_record", stopped)
    file = tmp_path / "out.txt"
    code, out, err = hexholm(f"simulate --games 5 --seed 9 --points-to-win 3 --records {file} --json")
    data = json.loads(out)
    assert (code, data["interrupted"], data["games"], sum(data["wins"])) == (130, True, 2, 2)
    assert err == f"wrote 2 games to {file}\n"
    assert list(read_any(file)) == list(three_games[:2])


def test_games_are_recorded_on_one_core(hexholm: Callable[[str], CommandResult], tmp_path: Path) -> None:
    file = tmp_path / "out.jsonl"
    _, out, err = hexholm(f"simulate --games 1 --points-to-win 3 --jobs 2 --records {file} --json")
    assert json.loads(out)["jobs"] == 1
    assert err.splitlines() == ["--jobs 2 is ignored: games are recorded on one core", f"wrote 1 game to {file}"]


@pytest.mark.parametrize("name", ["out.jsonl", "out.txt", "out.parquet", "out.steps.parquet"])
def test_games_are_replaced_with_a_word(hexholm: Callable[[str], CommandResult], tmp_path: Path, name: str) -> None:
    existing, file = tmp_path / name, tmp_path / name.replace(".steps", "")
    existing.write_text("old games", encoding="utf-8")
    code, _, err = hexholm(f"simulate --games 1 --points-to-win 3 --records {file}")
    assert code == 0
    assert err.endswith(", in place of what was there\n")
    assert b"old games" not in existing.read_bytes()
    empty = tmp_path / "empty.jsonl"
    empty.touch()
    assert hexholm(f"simulate --games 1 --points-to-win 3 --records {empty}")[2] == f"wrote 1 game to {empty}\n"


def test_half_a_game_is_taken_out_again(tmp_path: Path, three_games: tuple[Record, ...]) -> None:
    file = tmp_path / "out.jsonl"
    with record_file.RecordFile(str(file), "--records") as store:
        store.add(three_games[0])
        assert store._stream is not None
        store._stream.write(b'{"format": "hexholm-rec')
    assert list(read_any(file)) == [three_games[0]]
    assert store.games_written == 1


@pytest.mark.parametrize(
    "arguments, words",
    [
        (
            "--records games.csv",
            "--records games.csv: the file name must end with .jsonl, .hexholm",
        ),
        ("--records nowhere/out.jsonl", "there is no folder nowhere"),
        ("--records -", "name a file for the games"),
        ("--records out.jsonl --games 0", "--games 0: choose 1 or more"),
        ("--records out.jsonl --players random,bob,random", "there is no player 'bob'"),
    ],
)
def test_what_cannot_be_recorded_is_one_line(
    hexholm: Callable[[str], CommandResult], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: str, words: str
) -> None:
    monkeypatch.chdir(tmp_path)
    code, out, err = hexholm(f"simulate {arguments}")
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert words in err
    assert list(tmp_path.iterdir()) == []


def test_a_game_that_goes_otherwise_than_the_fast_one_is_a_fault_of_ours(three_games: tuple[Record, ...]) -> None:
    game = three_games[0].game(compiled=False)
    winner, decisions = game.referee.winner, sum(seat >= 0 for seat, _ in game.steps)
    assert winner is not None
    command.check_game(game, [winner, decisions, game.turn, game.referee.state.first], 0)
    with pytest.raises(AssertionError, match="game 1: "):
        command.check_game(game, [winner, decisions + 1, game.turn, game.referee.state.first], 0)


def test_parquet_tables(hexholm: Callable[[str], CommandResult], tmp_path: Path) -> None:
    from pyarrow import parquet  # type: ignore[import-untyped]

    code, _, err = hexholm(f"simulate --games 2 --points-to-win 3 --records {tmp_path / 'out.parquet'}")
    assert code == 0
    games, steps = tmp_path / "out.parquet", tmp_path / "out.steps.parquet"
    assert err == f"wrote 2 games to {games} and {steps}\n"
    assert parquet.read_table(games).num_rows == 2
    assert parquet.read_table(steps).num_rows > 100
