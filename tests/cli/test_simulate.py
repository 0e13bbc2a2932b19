"""`hexholm simulate`: data on stdout, everything else on stderr, clear refusals."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable

import pytest

from hexholm import cli
from hexholm.cli import simulation
from hexholm.rules.options import options
from hexholm.rules.simulate import Result

Ended = tuple[int | str | None, str, str]


@pytest.fixture
def hexholm(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[[str], Ended]:
    """Run a command in this process, with interpreted rules: exit code, stdout, stderr."""
    monkeypatch.setenv("HEXHOLM_INTERPRETED", "1")

    def run(arguments: str) -> Ended:
        monkeypatch.setattr(sys, "argv", ["hexholm", *arguments.split()])
        with pytest.raises(SystemExit) as ended:
            cli.main()
        told = capsys.readouterr()
        return ended.value.code, told.out, told.err

    return run


def test_json_has_what_the_readers_need(hexholm: Callable[[str], Ended]) -> None:
    code, out, err = hexholm("simulate --players random,random,random,random --games 3 --seed 1 --json")
    assert (code, err, out.count("\n")) == (0, "", 1)
    data = json.loads(out)
    assert data["games"] == 3
    assert data["seed"] == 1
    assert data["players"] == ["random"] * 4
    assert sum(data["wins"]) == 3
    assert len(data["wins_by_order"]) == 4
    assert (data["edition"], data["options"]["setup"]) == ("sixth", "variable")
    wanted = {"seconds", "games_per_second", "actions_per_second", "mean_turns", "mean_actions", "version", "jobs"}
    assert wanted <= set(data)
    again = json.loads(hexholm("simulate --games 3 --seed 1 --json")[1])
    assert again["wins"] == data["wins"]
    assert again["mean_actions"] == data["mean_actions"]


def test_options_reach_the_game(hexholm: Callable[[str], Ended]) -> None:
    line = "simulate --edition threed --players random,random,random --games 1 --json --numbers random"
    data = json.loads(
        hexholm(
            line + " --points-to-win 4 --hand-limit 9 --friendly-robber --balanced-dice --first 2 --phases combined"
        )[1]
    )
    chosen = data["options"]
    assert chosen["players"] == 3
    assert (chosen["numbers"], chosen["phases"], chosen["first"]) == ("random", "combined", 2)
    assert (chosen["points_to_win"], chosen["hand_limit"]) == (4, 9)
    assert chosen["friendly_robber"]
    assert chosen["balanced_dice"]


def test_a_map_says_which_set_up_it_is(hexholm: Callable[[str], Ended]) -> None:
    command = "simulate --edition zip --players random,random,random --games 1 --json"
    assert json.loads(hexholm(command)[1])["options"]["map"] is None
    assert json.loads(hexholm(command + " --map 1")[1])["options"]["setup"] == "fixed"
    assert json.loads(hexholm(command + " --map 8")[1])["options"]["setup"] == "variable"


def test_words_for_people(hexholm: Callable[[str], Ended]) -> None:
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
        ("--players random --games 5", "hexholm: 1 players: the game is for 3 to 4 (COMP-12)"),
        ("--players random,random --games 5", "--two-players"),
        ("--players random,random,bob", "there is no player 'bob'; simulate knows random"),
        ("--games 0", "games 0: choose 1 or more"),
        ("--edition seventh", "the editions are zip, sixth, fifth, threed, summary"),
        ("--edition sixth --setup fixed --numbers random", "--setup variable"),
        ("--first nobody", "name a seat from 0 to 3, or 'roll'"),
    ],
)
def test_what_cannot_be_is_refused_in_one_line(hexholm: Callable[[str], Ended], arguments: str, words: str) -> None:
    code, out, err = hexholm(f"simulate {arguments}")
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert words in err


def test_an_interrupted_run_prints_what_there_is_and_ends_with_130(
    hexholm: Callable[[str], Ended], monkeypatch: pytest.MonkeyPatch
) -> None:
    def update(_self: simulation.Bar, _done: int, _whole: int) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(simulation.Bar, "update", update)
    code, out, _ = hexholm("simulate --games 100 --json")
    data = json.loads(out)
    assert code == 130
    assert data["interrupted"]
    assert 0 < data["games"] < 100
    assert "Interrupted" in hexholm("simulate --games 100")[1]


def test_stopped_games_are_told() -> None:
    result = Result(
        options=options(),
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
    assert "1 games were stopped without a winner" in simulation.describe(result)
    assert result.games_per_second == result.actions_per_second == 0


def test_progress_is_shown_on_a_terminal_only(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(simulation, "PATIENCE", -1.0)
    with simulation.Bar() as bar:
        bar.update(1, 10)
    assert bar.bar is None  # under pytest stderr is no terminal
    with simulation.Bar() as bar:
        bar.wanted = True
        bar.update(1, 10)
        bar.update(5, 10)
        assert bar.bar.tasks[0].completed == 5
    assert capsys.readouterr().out == ""


def test_all_cores_can_be_asked_for(hexholm: Callable[[str], Ended]) -> None:
    assert json.loads(hexholm("simulate --games 8 --jobs 0 --json")[1])["jobs"] >= 1


def test_a_broken_command_says_how_it_is_used() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "hexholm", "simulate", "--games", "many"], check=False, capture_output=True, text=True
    )
    assert done.returncode == 2
    assert "--games" in done.stderr
