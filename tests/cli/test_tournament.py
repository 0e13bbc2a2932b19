"""`hexholm tournament`: what it prints, what it refuses, how it is interrupted and goes on."""

from __future__ import annotations

import errno
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest

from hexholm.arena import DEFAULT_CAP, DEFAULT_GAMES, entrants
from hexholm.arena.match import FinishedGame, TournamentJob
from hexholm.arena.runners import RUNNERS
from hexholm.arena.runners.base import Games, Serial
from hexholm.arena.schedule import Schedule
from hexholm.cli.commands.tournament import _resume_command, _run_flags
from hexholm.cli.shared.progress import PatientBar

from .conftest import CommandResult
from .terminal import run_in_terminal

pytestmark = pytest.mark.waits

Run = Callable[[str], CommandResult]
QUICK_FLAGS = "--runner serial --points-to-win 3 --seed 5"
TABLE = "easy random random random"
ODD = Path(__file__).parents[1] / "bots" / "odd_program.py"


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HEXHOLM_DATA", str(tmp_path / "data"))


def test_help_names_the_defaults_and_runners_of_the_arena(hexholm: Run) -> None:
    """Typed there and not asked for: explaining a command does not load the arena."""
    code, out, _ = hexholm("tournament --help")
    words = " ".join(out.split())
    assert code == 0
    assert f"[default: {DEFAULT_GAMES}]" in words
    assert f"[default: {DEFAULT_CAP}]" in words
    assert all(re.search(rf"Who plays:.*\b{name}\b.*--jobs", words) for name in RUNNERS)


def test_a_tournament_prints_a_table(hexholm: Run) -> None:
    code, out, err = hexholm(f"tournament {TABLE} --games 4 {QUICK_FLAGS}")
    assert (code, err) == (0, "")
    assert "4 games on 1 board, seed 5" in out
    assert re.search(r"^player +games +wins +share +95 % interval +rating +points +median +p99$", out, re.MULTILINE)
    assert re.search(r"^easy +4 +\d +\d+\.\d % +\d", out, re.MULTILINE)
    assert re.search(r"^random +12 ", out, re.MULTILINE)
    assert "a fair share is 25.0 %" in out
    assert "house rule: 3 points to win" in out
    assert max(map(len, out.splitlines())) <= 90


def test_json_is_one_line_of_data(hexholm: Run) -> None:
    code, out, _ = hexholm(f"tournament {TABLE} --games 4 {QUICK_FLAGS} --json")
    data = json.loads(out)
    assert code == 0
    assert (data["games"], data["seed"], data["capped"]) == (4, 5, 0)
    assert [row["seat_games"] for row in data["players"]] == [4, 12]


def test_the_same_seed_prints_the_same_figures(hexholm: Run) -> None:
    results = [json.loads(hexholm(f"tournament {TABLE} --games 4 {QUICK_FLAGS} --json")[1]) for _ in range(2)]
    assert results[0]["players"][0]["rating"] == results[1]["players"][0]["rating"]
    assert results[0]["mean_decisions"] == results[1]["mean_decisions"]


def test_three_can_play_another_edition_and_odd_numbers_of_games_are_told(hexholm: Run) -> None:
    code, out, err = hexholm(f"tournament easy random random --edition zip --games 4 {QUICK_FLAGS}")
    assert code == 0
    assert "3 players" in out
    assert "4 games are not whole blocks of 3" in err


def test_games_are_kept_resumed_and_recorded(hexholm: Run, tmp_path: Path) -> None:
    journal, games = tmp_path / "t.jsonl", tmp_path / "games.jsonl"
    code, _, err = hexholm(f"tournament {TABLE} --games 2 {QUICK_FLAGS} --resume {journal} --records {games}")
    assert (code, err) == (
        0,
        f"wrote 2 games to {games}\n2 games are not whole blocks of 4: not everyone had each seat equally often\n",
    )
    code, out, err = hexholm(f"tournament --resume {journal} --games 4 --runner serial --json")
    data = json.loads(out)
    assert (code, data["games"], data["played"], data["seed"]) == (0, 4, 2, 5)
    assert err == f"2 games of 4 are played already\nwrote 4 games to {games}\n"
    assert len(games.read_text().splitlines()) == 4
    assert hexholm(f"replay {games} --verify")[0] == 0


def test_a_finished_tournament_leaves_nothing_behind_unless_asked(hexholm: Run, tmp_path: Path) -> None:
    hexholm(f"tournament {TABLE} --games 1 {QUICK_FLAGS}")
    assert list((tmp_path / "data" / "tournaments").iterdir()) == []


def test_a_strict_tournament_ends_with_the_first_fault(hexholm: Run, tmp_path: Path) -> None:
    code, out, err = hexholm(f"tournament tests.arena.players:Cheeky random random --strict {QUICK_FLAGS}")
    assert (code, out) == (1, "")
    assert err.startswith("hexholm: Cheeky, game 1, turn 0: illegal: city A1n")
    assert list((tmp_path / "data" / "tournaments").iterdir()) == []


SHORT_LIVED = """
from hexholm.bots.shipped.random_player import Random
made = []

class Brittle(Random):
    def choose(self, view):
        if len(made) > 2:
            raise ArithmeticError("worn out")
        return super().choose(view)

def brittle(seed):
    made.append(seed)
    return Brittle(seed)

def gone(seed):
    made.append(seed)
    return "worn out" if len(made) > 2 else Random(seed)

def deadly(seed):
    made.append(seed)
    if len(made) > 2:
        raise ArithmeticError("worn out")
    return Random(seed)
"""
"""Players that break in the second game: the first of those that are made only proves that it can be."""


@pytest.mark.parametrize("player, strict", [("brittle", " --strict"), ("gone", ""), ("deadly", "")])
@pytest.mark.parametrize("names_file", [True, False], ids=["a file of theirs", "a file of ours"])
def test_what_was_played_before_a_player_broke_is_kept_and_it_says_how_to_go_on(
    hexholm: Run, tmp_path: Path, player: str, strict: str, names_file: bool
) -> None:
    bot_file, journal = tmp_path / "mine.py", tmp_path / "kept.jsonl"
    bot_file.write_text(SHORT_LIVED)
    resume_flag = f"--resume {journal}" if names_file else ""
    code, out, err = hexholm(
        f"tournament {bot_file}:{player} random random --games 3 {QUICK_FLAGS}{strict} {resume_flag}"
    )
    assert code == 1
    assert "Interrupted. Results so far:\n1 game on 1 board, seed 5\n" in out
    broke, notice, resume_line = err.splitlines()
    assert broke.startswith(f"hexholm: {player}" if strict else f"hexholm: {bot_file}:{player}")
    assert "worn out" in broke
    assert notice == "What was played is kept. To go on after fixing this:"
    if not names_file:
        (journal,) = (tmp_path / "data" / "tournaments").iterdir()
    assert resume_line.endswith(f" tournament --resume {journal} --runner serial{strict}")
    bot_file.write_text(SHORT_LIVED.replace("> 2", "> 99"))
    entrants.load_factory.cache_clear()  # as in the new process that it would be
    code, out, err = hexholm(f"tournament {resume_line.partition(' tournament ')[2]} --games 2 --runner serial --json")
    data = json.loads(out)
    assert (code, data["games"], data["played"], data["changed"]) == (0, 2, 1, [player])
    changed = f"{player} has changed since the tournament began: 1 game was played before"
    assert err.splitlines()[0] == f"hexholm: {changed}"
    if names_file:
        code, out, err = hexholm(f"tournament --resume {journal} --games 3 --runner serial")
        notice = f"hexholm: {changed}\n2 games of 3 are played already\n"
        assert (code, out.count(f"{changed}\n"), err) == (0, 1, notice)


def test_a_tournament_of_an_older_version_goes_on_and_that_is_said_once(hexholm: Run, tmp_path: Path) -> None:
    journal, command = tmp_path / "t.jsonl", "tournament easy random random --points-to-win 3 --runner serial --seed 5"
    hexholm(f"{command} --games 3 --resume {journal}")
    manifest, *games = journal.read_text().splitlines()
    older = json.loads(manifest) | {"made_of": dict.fromkeys(("easy", "random"), "147edad1b50d574e")}
    journal.write_text("\n".join([json.dumps(older), *games, ""]))
    line = "hexholm: another version of Hexholm began this tournament: whether easy, random changed cannot be told"
    for game_count, notes in ((6, [line]), (9, [])):
        code, out, err = hexholm(f"{command} --games {game_count} --resume {journal} --json")
        assert (code, json.loads(out)["changed"]) == (0, [])
        assert err.splitlines() == [*notes, f"{game_count - 3} games of {game_count} are played already"]


def test_a_fault_with_a_traceback_says_where_the_games_are_too(
    hexholm: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    journal = tmp_path / "kept.jsonl"
    original = TournamentJob.play

    def play_once(job: TournamentJob, number: int) -> FinishedGame:
        if number:
            raise ArithmeticError("a fault of ours")
        return original(job, number)

    monkeypatch.setattr(TournamentJob, "play", play_once)
    with pytest.raises(ArithmeticError):
        hexholm(f"tournament {TABLE} --games 3 {QUICK_FLAGS} --resume {journal}")
    output = capsys.readouterr()
    assert "1 game on 1 board" in output.out
    assert f"tournament --resume {journal}" in output.err


DEADLY = """
import os
from hexholm.bots.shipped.random_player import Random

class Mine(Random):
    def __init__(self, seed):
        print("made", flush=True)
        super().__init__(seed)

class Deadly(Mine):
    def __init__(self, seed):
        super().__init__(seed)
        self.made_with = seed

    def choose(self, view):
        if self.made_with == {seed}:
            os._exit(3)
        return super().choose(view)
"""


def test_a_player_that_ends_its_process_is_named_and_what_was_played_is_printed(hexholm: Run, tmp_path: Path) -> None:
    bot_file = tmp_path / "mine.py"
    late = Schedule(3, 3, 5).game(6)  # of the third board: two processes get it only when three games are over
    bot_file.write_text(DEADLY.replace("{seed}", str(late.bot_seeds[late.entrants_by_seat.index(0)])))
    players, rules = f"{bot_file}:Deadly {bot_file}:Mine random", "--points-to-win 3 --seed 5 --jobs 2 --games 30"
    code, out, err = hexholm(f"tournament {players} {rules} --json")
    data = json.loads(out)
    assert (code, data["interrupted"]) == (1, True)
    assert data["games"] >= 3
    names = (
        f"{bot_file}:Deadly",
        f"{bot_file}:Mine",
    )  # in the order of their seats, which is another in each game of the board
    own = "|".join(re.escape(", ".join(order)) for order in (names, names[::-1]))
    message = rf"^hexholm: game [789] has ended 3 processes, the last with code 3; one of ({own}) ends its process$"
    assert re.search(message, err, re.MULTILINE)
    assert "What was played is kept." in err


@pytest.mark.parametrize(
    "runner, player", [("--runner serial", "Leaving"), ("--jobs 2", "Leaving"), ("--jobs 2", "Loud")]
)
def test_what_players_print_is_no_part_of_the_result(tmp_path: Path, runner: str, player: str) -> None:
    call = [sys.executable, "-m", "hexholm", "tournament", f"tests.arena.players:{player}", *["random"] * 3]
    rules = f"--games 2 --points-to-win 3 --cap 9 --json {runner}".split()
    own = os.environ | {"HEXHOLM_DATA": str(tmp_path), "HEXHOLM_INTERPRETED": "1"}
    process = subprocess.run([*call, *rules], env=own, check=True, capture_output=True, text=True)
    assert json.loads(process.stdout)["games"] == 2
    assert "a word to standard output" in process.stderr


def test_a_tournament_made_longer_goes_on_to_its_new_end(hexholm: Run, tmp_path: Path) -> None:
    journal = tmp_path / "kept.jsonl"
    hexholm(f"tournament {TABLE} --games 1 {QUICK_FLAGS} --resume {journal}")
    original = Serial.run

    def interrupted(self: Serial, job: TournamentJob, numbers: Iterable[int]) -> Games:
        yield from original(self, job, list(numbers)[:1])
        raise KeyboardInterrupt

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Serial, "run", interrupted)
        code, _, err = hexholm(f"tournament {TABLE} --games 4 {QUICK_FLAGS} --resume {journal} --strict")
    error_line, kept_line, resume_line = err.splitlines()
    assert error_line == "1 game of 4 is played already"
    assert (code, kept_line) == (130, "Interrupted after 2 of 4 games. To go on:")
    assert resume_line.endswith(" --runner serial --strict")
    code, out, _ = hexholm(f"tournament {resume_line.partition(' tournament ')[2]} --json")
    data = json.loads(out)
    assert (code, data["games"], data["played"]) == (0, 4, 2)
    code, out, err = hexholm(f"tournament --resume {journal} --games 1 --runner serial")
    assert "1 game on 1 board" in out
    assert err.splitlines() == [
        f"3 more games are kept in {journal}: a larger --games counts them too",
        "1 game is no whole block of 4: not everyone had each seat equally often",
    ]


def test_a_cluster_that_has_not_said_how_many_workers_it_has_is_shown_without_a_number(
    hexholm: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Serial, "workers", 0)
    assert "games/s (serial)\n" in hexholm(f"tournament {TABLE} --games 1 {QUICK_FLAGS}")[1]


@pytest.mark.parametrize(
    "player, says",
    [
        ("{}:Seedless", "{}:Seedless cannot be made: Seedless(seed=0) raised TypeError: "),
        ("{}:Failing", "{}:Failing cannot be made: Failing(seed=0) raised ValueError: no weights"),
        ("{}:Speechless", "{}:Speechless has no method choose(view)"),
        ("{}:", "{}: names no player: write a file and a class or function in it, as in my_bot.py:MyBot"),
        ("{}", "{}: name the class or function too, as in {}:MyBot"),
        ("{}:Other", "there is no class or function 'Other' in {}; it has Seedless, Failing, maker"),
        ("nowhere.py:Other", "there is no file nowhere.py in {here}, the folder in which it is run"),
        ("{leaving}:Mine", "{leaving} cannot be loaded: SystemExit: 3"),
    ],
)
def test_a_player_that_cannot_take_part_is_one_line_and_leaves_no_file(
    hexholm: Run, tmp_path: Path, player: str, says: str
) -> None:
    bot_file, leaving_file, journal = tmp_path / "mine.py", tmp_path / "leaving.py", tmp_path / "kept.jsonl"
    bot_file.write_text(
        "class Seedless:\n    def choose(self, view): return view.legal_actions[0]\n"
        "class Failing(Seedless):\n    def __init__(self, seed): raise ValueError('no weights')\n"
        "class Speechless:\n    def __init__(self, seed): pass\n"
        "def maker(seed): return Seedless()\ndef helper(): pass\n"
    )
    leaving_file.write_text("import sys\nprint('bye')\nsys.exit(3)\n")
    player_name, message = (
        text.format(*[bot_file] * 2, leaving=leaving_file, here=Path.cwd()) for text in (player, says)
    )
    code, out, err = hexholm(f"tournament {player_name} random random {QUICK_FLAGS} --resume {journal}")
    last = err.splitlines()[-1]
    assert (code, out, last.startswith("hexholm: "), message in last) == (2, "", True, True), err
    assert not journal.exists()
    code, out, err = hexholm(f"bots --check {player_name}")
    assert (code, out) == (2, "")
    assert err.splitlines()[-1].startswith("hexholm: ")


def test_a_refused_call_leaves_no_journal(hexholm: Run, tmp_path: Path) -> None:
    (tmp_path / "letter.jsonl").write_text("Dear aunt,\n")
    code, _, err = hexholm(f"tournament {TABLE} {QUICK_FLAGS} --records {tmp_path / 'letter.jsonl'}")
    assert (code, err.count("name another file for the records")) == (2, 1)
    assert list((tmp_path / "data" / "tournaments").iterdir()) == []


def test_where_the_first_game_broke_nothing_is_said_to_be_kept(hexholm: Run, tmp_path: Path) -> None:
    journal = tmp_path / "kept.jsonl"
    call = f"tournament tests.arena.players:Cheeky random random --strict {QUICK_FLAGS} --resume {journal}"
    code, _, err = hexholm(call)
    assert (code, err.count("\n")) == (1, 1)


def test_two_can_play_if_that_is_asked_for(hexholm: Run) -> None:
    code, out, _ = hexholm(f"tournament easy random --two-players --games 2 {QUICK_FLAGS}")
    assert code == 0
    assert "a fair share is 50.0 %" in out


def test_a_capped_game_is_counted_and_shown(hexholm: Run) -> None:
    _, out, _ = hexholm("tournament random random random random --games 4 --cap 3 --runner serial")
    assert "4 games were stopped without a winner after 3 turns" in out


def test_a_capped_game_has_as_many_turns_in_its_record(hexholm: Run, tmp_path: Path) -> None:
    games = tmp_path / "games.jsonl"
    call = f"tournament random random random --games 2 --runner serial --records {games} --cap"
    assert "2 games were stopped without a winner after 1 turn\n" in hexholm(f"{call} 1")[1]
    assert "3 players, 1 turn: capped (nobody had won after 1 turn)\n" in hexholm(f"replay {games}")[1]
    games.unlink()
    hexholm(f"{call} 3")
    assert "3 players, 3 turns: capped (nobody had won after 3 turns)\n" in hexholm(f"replay {games}")[1]
    assert json.loads(hexholm(f"replay {games} --json")[1].splitlines()[0])["turns"] == 3
    assert "\nOn turn 4 the game was capped.\n" in hexholm(f"replay {games} --game 1")[1]


def test_a_sequential_test_says_what_it_found(hexholm: Run) -> None:
    _, out, _ = hexholm(f"tournament {TABLE} --games 4 --sprt 0.25 0.5 {QUICK_FLAGS}")
    sentence = "sequential test: not decided after 4 of at most 4 games whether easy wins at most 25 % or at least 50 %"
    assert f"{sentence} of its games\n" in re.sub(r"\n  ", " ", out)
    _, out, _ = hexholm(f"tournament {TABLE} --games 400 --sprt 0.05 0.3 {QUICK_FLAGS}")
    sentence = (
        r"sequential test: decided after \d+ of at most 400 games: easy wins at least 30 % of its games rather than"
    )
    assert re.search(rf"^{sentence} at most 5 %$", re.sub(r"\n  ", " ", out), re.MULTILINE)
    assert max(map(len, out.splitlines())) <= 90


def test_a_plot_is_drawn(hexholm: Run, tmp_path: Path) -> None:
    file = tmp_path / "ladder.svg"
    _, _, err = hexholm(f"tournament {TABLE} --games 1 {QUICK_FLAGS} --plot {file}")
    assert f"wrote {file}" in err
    assert file.read_bytes().startswith(b"<?xml")


def test_a_plot_that_cannot_be_written_is_refused_before_the_games(
    hexholm: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, opened = tmp_path / "ladder.svg", Path.open

    def read_only(path: Path, *arguments: Any, **options: Any) -> Any:
        if path == file:
            raise OSError(errno.EROFS, os.strerror(errno.EROFS), str(path))
        return opened(path, *arguments, **options)

    monkeypatch.setattr(Path, "open", read_only)
    monkeypatch.setattr(TournamentJob, "play", lambda *_: pytest.fail("a game was played"))
    code, out, err = hexholm(f"tournament {TABLE} --games 1 {QUICK_FLAGS} --plot {file}")
    assert (code, out, err) == (2, "", f"hexholm: cannot write {file}: Read-only file system\n")


def test_a_refused_call_leaves_no_plot(hexholm: Run, tmp_path: Path) -> None:
    file = tmp_path / "ladder.svg"
    assert hexholm(f"tournament {TABLE} --games 0 --plot {file}")[0] == 2
    assert not file.exists()


def test_where_groups_do_not_meet_equally_often_it_is_told(hexholm: Run) -> None:
    five = "easy random random random random"
    message = (
        "5 players for 4 seats: all groups meet equally often in 20 games, or a multiple of them; in 12 they do not\n"
    )
    assert hexholm(f"tournament {five} --games 12 {QUICK_FLAGS} --cap 9")[2] == message
    assert hexholm(f"tournament {five} --games 20 {QUICK_FLAGS} --cap 9")[2] == ""


def test_a_fault_that_comes_again_is_told_once(hexholm: Run) -> None:
    _, out, err = hexholm(f"tournament tests.arena.players:Raising random random --games 3 {QUICK_FLAGS}")
    match = re.search(r"^Raising lost (\d+) of \d+ decisions to plain moves", out, re.MULTILINE)
    assert match is not None
    (line,) = re.sub(r"\n +", " ", err).splitlines()
    assert line.startswith("lost decision: Raising, game 1, turn ")
    assert re.search(rf"seven is not eight \(players\.py, line \d+\); {match[1]} times$", line)


def test_a_player_in_a_file_and_a_program_take_part_and_faults_are_told(hexholm: Run, tmp_path: Path) -> None:
    bot_file = tmp_path / "mine.py"
    bot_file.write_text(
        "class Mine:\n    def __init__(self, seed): pass\n    def choose(self, view): return view.legal_actions[0]\n"
    )
    program = f"{sys.executable} {ODD} cheat"
    code, out, err = hexholm(
        f"tournament {bot_file}:Mine odd random --games 3 {QUICK_FLAGS} --cap 9 --program 'odd={program}'"
    )
    assert code == 0
    assert re.search(r"^Mine +3 ", out, re.MULTILINE)
    assert re.search(r"^odd lost all of its [\d,]+ decisions to plain moves: [\d,]+ illegal$", out, re.MULTILINE)
    assert "lost decision: odd, game 1, turn 0: illegal: city A1n" in err


@pytest.mark.parametrize(
    "arguments, says",
    [
        ("", "name the players, as in: hexholm tournament easy random random random"),
        ("easy random", "two can play only with the unofficial option --two-players"),
        ("easy random random meduim", "as in my_bot.py:MyBot; did you mean medium?"),
        ("easy random random grandma", "there is no player 'grandma'; there are random, easy"),
        (f"{TABLE} --games 0", "--games 0: choose 1 to"),
        (f"{TABLE} --runner cloud", "there is no runner 'cloud'"),
        (f"{TABLE} --address auto", "add --runner ray"),
        (f"{TABLE} --sprt 0.5 0.3", "--sprt 0.5 0.3: give two shares of wins, the lower one first"),
        (f"{TABLE} --records games.txt --runner serial", "end it with .jsonl"),
        (f"{TABLE} --records -", "--records -: the result goes to standard output"),
        (f"{TABLE} --plot x.png --games x", "--games x: give a whole number"),
        (f"{TABLE} --program nonsense", "--program nonsense: write it as name=command"),
        (f"{TABLE} --program easy=node", "there is a player of that name already"),
        (f"{TABLE} --first red", "there is no such option"),
        (f"{TABLE} --cap -1", "--cap -1: choose a number of turns"),
        ("--resume nowhere.jsonl", "--resume nowhere.jsonl: there is no such file; name the players"),
        ("--resume no/where.jsonl", "--resume no/where.jsonl: there is no such file; name the players"),
        (f"{TABLE} --plot x.gif", "x.gif: the ending says what is drawn; end it with .png"),
        (f"{TABLE} --plot x", "x: the ending says what is drawn; end it with .png"),
        (f"{TABLE} --sprt a b", "--sprt a b: give 2 numbers"),
        (f"{TABLE} --sprt 0.3", "--sprt needs 2 values"),
    ],
)
def test_what_cannot_be_is_refused_in_one_line(hexholm: Run, arguments: str, says: str) -> None:
    code, out, err = hexholm(f"tournament {arguments}")
    assert (code, out) == (2, "")
    assert says in err
    assert err.startswith("hexholm: ")
    assert err.count("\n") == 1


def test_a_program_that_takes_no_seat_is_told(hexholm: Run) -> None:
    _, _, err = hexholm(f"tournament {TABLE} --games 4 {QUICK_FLAGS} --cap 9 --program 'mine=node bot.js'")
    assert err == "--program mine: no seat uses it; name mine among the players\n"


def test_going_on_is_typed_with_all_that_the_file_does_not_keep() -> None:
    journal = Path("my games.jsonl")
    assert _resume_command(journal, _run_flags("pool", 0, None, False)).endswith(" --resume 'my games.jsonl'")
    run_flags = _run_flags("ray", 3, "auto", True)
    assert _resume_command(journal, run_flags).endswith(
        " --resume 'my games.jsonl' --runner ray --address auto --jobs 3 --strict"
    )


def test_what_is_played_cannot_be_changed_when_going_on(hexholm: Run, tmp_path: Path) -> None:
    journal = tmp_path / "t.jsonl"
    hexholm(f"tournament {TABLE} --games 1 {QUICK_FLAGS} --resume {journal}")
    code, _, err = hexholm(f"tournament --resume {journal} --seed 6")
    assert (code, err.count("--resume and --seed: the file says what is played")) == (2, 1)
    code, _, err = hexholm(f"tournament {TABLE} --resume {journal} --runner serial --points-to-win 3 --seed 6")
    assert (code, err.count("holds another tournament: seed 5 there, 6 here")) == (2, 1)


@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_ctrl_c_leaves_a_valid_partial_result_and_says_how_to_go_on(tmp_path: Path) -> None:
    journal = tmp_path / "t.jsonl"
    set_up_interrupts = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)"
    call = [sys.executable, "-c", f"{set_up_interrupts}; from hexholm.cli import main; main()", "tournament"]
    players = ["easy", "tests.arena.players:Slow", "random", "random"]
    rules = ["--games", "400", "--seed", "5", "--points-to-win", "4", "--jobs", "2", "--json"]
    process = subprocess.Popen(
        [*call, *players, *rules, "--resume", str(journal)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    end = time.monotonic() + 120
    while not (journal.exists() and journal.read_bytes().count(b"\n") > 6):
        assert time.monotonic() < end
        assert process.poll() is None, process.communicate()
        time.sleep(0.1)
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does it: to all processes
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130, err
    partial = json.loads(out)
    assert partial["interrupted"] is True
    assert 6 <= partial["games"] < 400
    assert f"Interrupted after {partial['games']} of 400 games. To go on:" in err
    assert f"tournament --resume {journal}" in err
    assert journal.read_bytes().count(b"\n") in (partial["games"] + 1, partial["games"] + 2)
    game_count = str(partial["games"] + 4)
    finished_run = subprocess.run(
        [*call, "--resume", str(journal), "--games", game_count, "--runner", "serial", "--json"],
        check=True,
        capture_output=True,
        text=True,
    )
    assert json.loads(finished_run.stdout)["games"] == int(game_count)
    assert is_gone(process.pid)


def test_ctrl_c_before_the_first_game_is_over_says_how_to_go_on_and_that_works(
    hexholm: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object) -> Games:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(Serial, "run", interrupted)
        assert hexholm(f"tournament {TABLE} --games 2 {QUICK_FLAGS}")[:2] == (130, "")
        code, out, err = hexholm(f"tournament {TABLE} --games 2 {QUICK_FLAGS} --json")
    assert (code, json.loads(out)["games"]) == (130, 0)
    kept_line, resume_line = err.splitlines()
    assert kept_line == "Stopped before the first game was over. To go on:"
    code, out, _ = hexholm(f"tournament {resume_line.partition(' tournament ')[2]} --json")
    data = json.loads(out)
    assert (code, data["games"], data["seed"]) == (0, 2, 5)


def is_gone(group: int) -> bool:
    """Whether nobody of a process group is left; one that is dead and not yet buried by the system takes a moment."""
    for _ in range(100):
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.1)
    return False


def test_a_terminal_shows_the_score_so_far(tmp_path: Path) -> None:
    players = ["random", "random", "random", "tests.arena.players:Slow"]
    rules = ["--games", "8", "--runner", "serial", "--points-to-win", "3", "--cap", "60"]
    output = run_in_terminal(["tournament", *players, *rules], HEXHOLM_DATA=str(tmp_path))
    assert re.search(r"(random|Slow) \d+\.\d %.*\d/8", output)


def test_a_terminal_shows_what_is_played_before_the_first_game_is_over(tmp_path: Path) -> None:
    players = ["random", "random", "random", "tests.arena.players:Slow"]
    output = run_in_terminal(
        ["tournament", *players, "--games", "1", "--runner", "serial", "--cap", "30"], HEXHOLM_DATA=str(tmp_path)
    )
    assert output.startswith("1 game of 3 random, Slow; seed 0\n")
    assert re.search(r"games.*0/1", output)


def test_the_bar_says_for_how_long_no_game_has_ended() -> None:
    bar = PatientBar()
    assert (bar.idle_text(14), bar.idle_text(16)) == ("", "the first game is still being played: 16 s")
    bar.update(1, 8)
    assert bar.idle_text(bar.last_update + 16) == "no game has ended for 16 s"
    assert bar.idle_text(bar.last_update + 300) == "no game has ended for 5 min"
