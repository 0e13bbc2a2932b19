"""Resuming: whenever and however a tournament is killed, going on gives what an undisturbed one gives."""

from __future__ import annotations

import contextlib
import json
import random
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from hexholm.arena import tournament
from hexholm.arena.journal import BadJournal, Journal, job_of, read_manifest
from hexholm.arena.results import Result
from hexholm.arena.runners import Games, Serial
from hexholm.arena.table import Job
from hexholm.game.export import read_any
from hexholm.game.record import Record
from tests.arena import players as odd

PLAYERS = ["easy", "random", "random", "random"]
QUICK: dict[str, Any] = {"games": 12, "seed": 5, "points_to_win": 3}


class Killed(BaseException):
    """The end of the process."""


class Mortal(Serial):
    """Plays in an order of its own and dies after some games."""

    def __init__(self, games: int, seed: int) -> None:
        self.games, self.rng = games, random.Random(seed)
        self.numbers: list[int] = []

    def run(self, job: Job, numbers: Iterable[int]) -> Games:
        left = list(numbers)
        self.rng.shuffle(left)
        for number in left:
            if len(self.numbers) == self.games:
                raise Killed
            self.numbers.append(number)
            yield job.play(number)


def told(result: Result) -> dict[str, Any]:
    """What must be the same whoever played when."""
    data = result.as_dict()
    for key in ("runner", "workers", "seconds", "played", "games_per_second"):
        del data[key]
    for row in data["players"]:
        del row["median_ms"], row["p99_ms"]
    return data


def test_a_tournament_killed_at_random_points_loses_and_repeats_nothing(tmp_path: Path) -> None:
    whole = told(tournament(PLAYERS, **QUICK))
    rng = random.Random(1)
    for run in range(4):
        file, records = tmp_path / f"{run}.jsonl", tmp_path / f"{run}-games.jsonl"
        played, result = list[int](), None
        while result is None:
            runner = Mortal(rng.randrange(1, 6), rng.getrandbits(32))
            with contextlib.suppress(Killed):
                result = tournament(PLAYERS, runner=runner, resume=file, records=records, **QUICK)
            played += runner.numbers
            for path in (file, records):  # the machine stops in the middle of a line
                if result is None and rng.random() < 0.5:
                    with path.open("ab") as stream:
                        stream.write(b'{"game":3,"seats":[0,'[: rng.randrange(1, 20)])
        assert sorted(played) == list(range(12)), "each game was played once"
        assert told(result) == whole
        rounds = sorted(int(one.tags["Round"]) for one in read_any(records) if isinstance(one, Record))
        assert rounds == list(range(1, 13)), "each game was recorded once"


def test_a_game_whose_line_was_cut_is_played_again(tmp_path: Path) -> None:
    file, records = tmp_path / "t.jsonl", tmp_path / "games.jsonl"
    tournament(PLAYERS, resume=file, records=records, **QUICK)
    for cut in (3, 40):
        data = file.read_bytes()
        file.write_bytes(data[:-cut])
        runner = Mortal(99, 0)
        tournament(PLAYERS, runner=runner, resume=file, records=records, **QUICK)
        assert len(runner.numbers) == 1
        assert file.read_bytes().count(b"\n") == 13
        assert len(list(read_any(records))) == 12


def test_a_finished_tournament_is_only_summed_up_and_a_longer_one_goes_on(tmp_path: Path) -> None:
    file = tmp_path / "t.jsonl"
    tournament(PLAYERS, resume=file, **QUICK)
    runner = Mortal(0, 0)
    assert tournament(PLAYERS, runner=runner, resume=file, **QUICK).played == 0
    runner = Mortal(99, 0)
    longer = tournament(PLAYERS, runner=runner, resume=file, **{**QUICK, "games": 16})
    assert sorted(runner.numbers) == [12, 13, 14, 15]
    assert told(longer) == told(tournament(PLAYERS, **{**QUICK, "games": 16}))


@pytest.mark.parametrize(
    "change, told",
    [
        ({"seed": 6}, "seed 5 there, 6 here"),
        ({"cap": 50}, "cap 1000 there, 50 here"),
        ({"points_to_win": 4}, "options"),
        ({"edition": "fifth"}, "options"),
    ],
)
def test_another_tournament_is_not_mixed_in(tmp_path: Path, change: dict[str, Any], told: str) -> None:
    file = tmp_path / "t.jsonl"
    tournament(PLAYERS, resume=file, **{**QUICK, "games": 1})
    with pytest.raises(BadJournal, match=f"holds another tournament: {told}"):
        tournament(PLAYERS, resume=file, **{**QUICK, **change})
    with pytest.raises(BadJournal, match="players easy random random random there, easy easy random random here"):
        tournament(["easy", "easy", "random", "random"], resume=file, **QUICK)


def test_files_that_hold_something_else_are_left_alone(tmp_path: Path) -> None:
    file, other = tmp_path / "t.jsonl", tmp_path / "letter.jsonl"
    for text in ("Dear aunt,\n", "Dear aunt", "{}\n"):
        file.write_text(text)
        with pytest.raises(BadJournal, match="holds no tournament"):
            tournament(PLAYERS, resume=file, **QUICK)
        assert file.read_text() == text
    file.unlink()
    other.write_text("Dear aunt,\n")
    with pytest.raises(BadJournal, match="holds something else: name another file for the records"):
        tournament(PLAYERS, resume=file, records=other, **QUICK)
    assert other.read_text() == "Dear aunt,\n"


def test_a_line_in_the_middle_that_is_no_game_is_told(tmp_path: Path) -> None:
    file = tmp_path / "t.jsonl"
    tournament(PLAYERS, resume=file, **{**QUICK, "games": 2})
    first, *games = file.read_text().splitlines()
    file.write_text("\n".join([first, "{}", *games, ""]))
    with pytest.raises(BadJournal, match="line 2 is no game"):
        tournament(PLAYERS, resume=file, **QUICK)


def test_records_that_were_lost_are_not_passed_over(tmp_path: Path) -> None:
    file, records = tmp_path / "t.jsonl", tmp_path / "games.jsonl"
    tournament(PLAYERS, resume=file, records=records, **{**QUICK, "games": 2})
    records.write_bytes(records.read_bytes()[:-1])
    with pytest.raises(BadJournal, match="lacks games that"):
        tournament(PLAYERS, resume=file, records=records, **QUICK)
    bare = tmp_path / "bare.jsonl"
    tournament(PLAYERS, resume=bare, **{**QUICK, "games": 2})
    with pytest.raises(BadJournal, match="was begun without records"):
        tournament(PLAYERS, resume=bare, records=tmp_path / "late.jsonl", **QUICK)


def test_two_tournaments_do_not_write_into_one_file(tmp_path: Path) -> None:
    file = tmp_path / "t.jsonl"
    tournament(PLAYERS, resume=file, **{**QUICK, "games": 1})
    with Journal(file, read_manifest(file)), pytest.raises(BadJournal, match="another tournament is writing into it"):
        tournament(PLAYERS, resume=file, **QUICK)


def test_the_manifest_says_all_that_is_needed_to_go_on(tmp_path: Path) -> None:
    file = tmp_path / "t.jsonl"
    tournament(PLAYERS, resume=file, edition="fifth", cap=70, **{**QUICK, "games": 1})
    manifest = read_manifest(file)
    one = job_of(manifest)
    assert [entrant.label for entrant in one.entrants] == PLAYERS
    assert (one.seed, one.cap, one.options.edition, one.options.points_to_win) == (5, 70, "fifth", 3)
    assert json.loads(file.read_text().splitlines()[1])["game"] == 0


def test_faults_are_kept_too(tmp_path: Path) -> None:
    file, names = tmp_path / "t.jsonl", [odd.Cheeky, "random", "random", "random"]
    first = tournament(names, resume=file, **QUICK)  # type: ignore[arg-type]
    again = tournament(names, resume=file, **QUICK)  # type: ignore[arg-type]
    assert again.played == 0
    assert again.row("Cheeky").faults == first.row("Cheeky").faults
    assert again.row("Cheeky").faults["illegal"] > 0
    assert again.faults == first.faults
